package symshape

import (
	"strconv"
	"testing"
)

// Conditions share parts: of one that is 60 choices deep, each part is looked at once for its divisors, though there
// are 2^60 ways to it.
func TestScaleOfSharedParts(t *testing.T) {
	p := NewPool()
	flag := func(i int) *Cond { return p.Eq(p.FreshIn("b"+strconv.Itoa(i)+"_", 0, 1), p.Const(1)) }
	c := flag(0)
	for i := range 60 {
		x, y := flag(2*i+1), flag(2*i+2)
		c = p.Or(p.And(c, x), p.And(p.Or(c, y), p.Not(x)))
	}
	v := p.Symbol("n")
	if n := c.scale(v.atom()); n != 1 {
		t.Errorf("a condition without quotients has modulus %d", n)
	}
	half := p.Ge(p.FloorDiv(v, p.Const(6)), p.Const(2))
	if n := p.Or(c, half).scale(v.atom()); n != 6 {
		t.Errorf("a condition with a quotient by 6 has modulus %d", n)
	}
}
