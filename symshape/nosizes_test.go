package symshape

import "testing"

// A question about a symbol whose bounds exclude each other has no sizes to try, and is no fault.
func TestNoSizesToTry(t *testing.T) {
	p := NewPool()
	a, b := p.Declare("A", 5, 3), p.Symbol("B")
	for _, c := range []*Cond{p.Lt(p.Mul(a, b), p.Mul(b, b)), p.Eq(p.Mul(a, a), b), p.Eq(p.FloorDiv(a, b), p.Const(7))} {
		Facts{}.Decide(c)
	}
}
