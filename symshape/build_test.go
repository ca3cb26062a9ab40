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

func TestBuildHasTheValueOfTheExpression(t *testing.T) {
	p := NewPool()
	for _, text := range []string{"0", "-7", "N", "3*N*N - 2*H + 5", "(H - 1)//2 + 1", "max(N, H, 4)*min(N//3, H) - H % 8", "ceil(H / 32)*32", "-N"} {
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
