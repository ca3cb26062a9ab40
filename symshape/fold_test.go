// This file holds folding against evaluation: folding into numbers is evaluation.

package symshape

import "testing"

// intFolder folds into Go numbers with env's values.
type intFolder struct{ env map[string]int64 }

func (f intFolder) Int(i int64) float64 { return float64(i) }
func (f intFolder) Symbol(s *Expr) float64 {
	n, _ := s.IsSymbol()
	return float64(f.env[n])
}
func (f intFolder) Add(x, y float64) float64 { return x + y }
func (f intFolder) Mul(x, y float64) float64 { return x * y }
func (f intFolder) FloorDiv(x, y float64) float64 {
	return float64(floorDiv(int64(x), int64(y)))
}
func (f intFolder) Max(x, y float64) float64 { return max(x, y) }
func (f intFolder) Min(x, y float64) float64 { return min(x, y) }
func (f intFolder) Round(how Rounding, x float64) float64 {
	i, _ := RoundFloat(x, how)
	return float64(i)
}
func (f intFolder) Float(x float64) float64   { return x }
func (f intFolder) FromInt(x float64) float64 { return x }
func (f intFolder) Unary(op RealOp, x float64) float64 {
	return f.Binary(op, x, 0)
}
func (f intFolder) Binary(op RealOp, x, y float64) float64 {
	v, _ := EvalReal(op, x, y)
	return v
}
func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
func (f intFolder) Bool(b bool) float64 { return truth(b) }
func (f intFolder) Compare(op string, x float64) float64 {
	switch op {
	case "==":
		return truth(x == 0)
	case "!=":
		return truth(x != 0)
	}
	return truth(x >= 0)
}
func (f intFolder) And(x, y float64) float64 { return min(x, y) }
func (f intFolder) Or(x, y float64) float64  { return max(x, y) }

func TestFoldIsEvaluation(t *testing.T) {
	p := NewPool()
	h, w := p.Symbol("H"), p.Symbol("W")
	exprs := []*Expr{
		p.Const(7), p.Const(0), h, p.FloorDiv(p.AddConst(h, -1), p.Const(2)), p.Mul(p.Mul(h, h), p.AddConst(w, -3)),
		p.Max(h, p.Mul(w, p.Const(2))), p.Min(h, p.Const(500)), p.Sub(p.FloorDiv(h, w), p.Mul(w, p.Const(4))),
		p.FloorReal(p.RealMul(p.RealFromInt(h), p.RealConst(0.3, "0.3"))),
		p.FloorReal(p.RealSqrt(p.RealFromInt(h))),
	}
	conds := []*Cond{p.Eq(h, w), p.And(p.Ge(h, p.Const(3)), p.Ne(w, p.Const(5))), p.Or(p.Le(h, w), p.Eq(w, p.Const(1))), p.Bool(true)}
	for hv := int64(1); hv < 40; hv += 3 {
		for wv := int64(1); wv < 9; wv++ {
			env := map[string]int64{"H": hv, "W": wv}
			f := intFolder{env}
			for _, e := range exprs {
				want, err := e.Eval(Env(env))
				if err != nil {
					t.Fatal(err)
				}
				if got := FoldExpr(e, Folder[float64](f)); got != float64(want) {
					t.Errorf("%s at %v: folded %v, evaluated %d", e, env, got, want)
				}
			}
			for _, c := range conds {
				want, err := c.Eval(Env(env))
				if err != nil {
					t.Fatal(err)
				}
				if got := FoldCond(c, Folder[float64](f)); got != truth(want) {
					t.Errorf("%s at %v: folded %v, evaluated %v", c, env, got, want)
				}
			}
		}
	}
}
