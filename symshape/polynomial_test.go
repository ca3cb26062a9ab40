package symshape

import "testing"

func TestIsPolynomial(t *testing.T) {
	p := NewPool()
	a, b := p.Symbol("a"), p.Symbol("b")
	for _, c := range []struct {
		e    *Expr
		want bool
	}{
		{p.Const(3), true},
		{p.Add(p.Mul(p.Mul(a, a), b), p.Const(-1)), true},
		{p.Min(a, b), false},
		{p.Add(a, p.FloorDiv(b, p.Const(2))), false},
		{p.Mul(a, p.Max(a, b)), false},
		{nil, false},
	} {
		if got := c.e.IsPolynomial(); got != c.want {
			t.Errorf("%v: %v", c.e, got)
		}
	}
}
