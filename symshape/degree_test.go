package symshape

import "testing"

// TestDegreeIsBounded multiplies sizes until they are unknown, which takes no time by their degree.
func TestDegreeIsBounded(t *testing.T) {
	p := NewPool()
	n := p.Symbol("N")
	squares := 0
	for x := n; x != nil && squares < 100; squares++ {
		x = p.Mul(x, x)
	}
	if squares != 13 { // N**4096 is the last
		t.Errorf("%d squares", squares)
	}
	if p.Pow(n, maxPower+1) != nil || p.Pow(n, 1<<40) != nil || p.Pow(p.AddConst(n, 1), 1000) != nil {
		t.Error("a power is not bounded")
	}
	x := p.Pow(n, maxPower)
	if x == nil || x != p.Mul(p.Pow(n, 96), p.Pow(n, maxPower-96)) {
		t.Error("a power is not the product of its parts")
	}
	if p.Subst(x, func(*Expr) *Expr { return p.Symbol("M") }) != p.Pow(p.Symbol("M"), maxPower) {
		t.Error("a power does not survive substitution")
	}
	if q := p.Pow(p.AddConst(n, 1), 3); q != p.Mul(p.AddConst(n, 1), p.Mul(p.AddConst(n, 1), p.AddConst(n, 1))) {
		t.Errorf("(N + 1)**3 is %s", q)
	}
	if p.Pow(p.Const(3), 5) != p.Const(243) || p.Pow(p.Const(-1), 1<<20) != p.Const(1) || p.Pow(p.Const(3), 100) != nil {
		t.Error("a power of a number is wrong")
	}
}

func TestPowersOfBounds(t *testing.T) {
	for a := int64(-5); a <= 5; a++ {
		r := int64(1)
		for n := range 12 {
			if got := powBound(a, n); got != r {
				t.Errorf("powBound(%d, %d) = %d, want %d", a, n, got, r)
			}
			r *= a
		}
	}
	for _, c := range []struct {
		a    int64
		n    int
		want int64
	}{{2, 62, 1 << 62}, {2, 63, PosInf}, {-2, 1<<30 + 1, NegInf}, {-2, 1 << 30, PosInf}, {NegInf, 3, NegInf}, {PosInf, 2, PosInf},
		{-1, 1<<30 + 1, -1}, {3, 39, 4052555153018976267}} {
		if got := powBound(c.a, c.n); got != c.want {
			t.Errorf("powBound(%d, %d) = %d, want %d", c.a, c.n, got, c.want)
		}
	}
}
