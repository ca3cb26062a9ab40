package symshape

import "testing"

type evaluator map[string]int64

func (e evaluator) Const(n int64) int64       { return n }
func (e evaluator) Symbol(s string) int64     { return e[s] }
func (e evaluator) Add(a, b int64) int64      { return a + b }
func (e evaluator) Mul(a, b int64) int64      { return a * b }
func (e evaluator) Max(a, b int64) int64      { return max(a, b) }
func (e evaluator) Min(a, b int64) int64      { return min(a, b) }
func (e evaluator) FloorDiv(a, b int64) int64 { return floorDiv(a, b) }

func (e evaluator) Round(how Rounding, steps []RealStep[int64]) int64 {
	type item struct {
		v   float64
		n   int64
		int bool
	}
	var stack []item
	for _, s := range steps {
		switch s.Op {
		case OpInt:
			stack = append(stack, item{float64(s.Of), s.Of, true})
		case OpConst:
			stack = append(stack, item{v: s.Const})
		case OpNeg, OpSqrt:
			x := &stack[len(stack)-1]
			v, _ := EvalReal(s.Op, x.v, 0)
			*x = item{v: v}
		default:
			x, y := stack[len(stack)-2], stack[len(stack)-1]
			v, _ := EvalReal(s.Op, x.v, y.v)
			if s.Op == OpDiv && x.int && y.int {
				v, _ = IntQuotient(x.n, y.n)
			}
			stack = append(stack[:len(stack)-2], item{v: v})
		}
	}
	n, _ := RoundFloat(stack[0].v, how)
	return n
}

func TestBuildHasTheValueOfTheExpression(t *testing.T) {
	p := NewPool()
	for _, text := range []string{"0", "-7", "N", "3*N*N - 2*H + 5", "(H - 1)//2 + 1", "max(N, H, 4)*min(N//3, H) - H % 8",
		"ceil(H / 32)*32", "-N",
		"int(H*0.7)", "floor(N*0.3 + H/3) - 2", "round(-(H*1.1) % 7.5)", "ceil(sqrt(N)*0.1)*H", "int(min(N*0.9, H/0.7)) + int(H // 0.3)",
		"floor(H**2*0.01)"} {
		e, err := p.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, env := range []evaluator{{"N": 1, "H": 1}, {"N": 7, "H": 225}, {"N": 1000, "H": 31}} {
			want, err := e.Eval(func(s string) (int64, bool) { n, ok := env[s]; return n, ok })
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := Build[int64](e, env); !ok || got != want {
				t.Errorf("%s at %v is %d, want %d", text, env, got, want)
			}
		}
	}
	if _, ok := Build[int64](nil, evaluator{}); ok {
		t.Error("the unknown integer has a value")
	}
}
