package symshape

import (
	"math/rand"
	"testing"
)

// Comparisons of whole roots with numbers have the value that the formula has, at and beside every square.
func TestComparisonsOfRoots(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	p := NewPool()
	n := p.Symbol("N")
	roots := map[string]*Expr{
		"int(sqrt(n))":   p.TruncReal(p.RealSqrt(p.RealFromInt(n))),
		"floor(sqrt(n))": p.FloorReal(p.RealSqrt(p.RealFromInt(n))),
		"int(n ** 0.5)":  p.TruncReal(p.RealPow(p.RealFromInt(n), p.RealConst(0.5, ""))),
	}
	compare := map[string]func(a, b *Expr) *Cond{"==": p.Eq, "!=": p.Ne, ">=": p.Ge, "<=": p.Le, ">": p.Gt, "<": p.Lt}
	want := map[string]func(a, b int64) bool{
		"==": func(a, b int64) bool { return a == b }, "!=": func(a, b int64) bool { return a != b },
		">=": func(a, b int64) bool { return a >= b }, "<=": func(a, b int64) bool { return a <= b },
		">": func(a, b int64) bool { return a > b }, "<": func(a, b int64) bool { return a < b },
	}
	sides := []int64{-1, 0, 1, 2, 3, 64, 1 << 19, 1<<20 - 1, 1 << 20, 1<<20 + 1}
	for range 20 {
		sides = append(sides, r.Int63n(1<<20))
	}
	for form, root := range roots {
		for op, cond := range compare {
			for _, q := range sides {
				c := cond(root, p.Const(q))
				for _, v := range []int64{1, q*q - 1, q * q, q*q + 1, q*q + q, (q+1)*(q+1) - 1, (q + 1) * (q + 1)} {
					if v < 1 {
						continue
					}
					env := Env(map[string]int64{"N": v})
					side, err := root.Eval(env)
					if err != nil {
						continue // the power is not computed exactly
					}
					if got, err := c.Eval(env); err != nil || got != want[op](side, q) {
						t.Errorf("%s %s %d at %d: %v (%v), not %v: %v", form, op, q, v, got, err, !got, c)
					}
				}
			}
		}
	}
}

// What conditions on whole roots and shares of sizes come down to.
func TestWholeRootsAndShares(t *testing.T) {
	for _, c := range []struct{ cond, want string }{
		{"int(sqrt(N)) == 64", "4096 <= N <= 4224"},
		{"int(sqrt(N)) == 64 and int(sqrt(N))**2 == N", "N == 4096"},
		{"int(sqrt(N)) >= 4 and N <= 15", "False"},
		{"int(sqrt(H*W)) == 64 and H*W <= 16", "False"},
		{"int(sqrt(N)) != 3", "N >= 16 or N <= 8"},
		{"int(sqrt(int(sqrt(N))**2)) == 3", "9 <= N <= 15"},
		{"int(N*0.25) <= N", "True"},
		{"int(sqrt(N))**2 <= N", "True"},
		{"int(N*1.5) <= N", "N == 1"},
	} {
		p := NewPool()
		cond, err := p.ParseCond(c.cond)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Facts{}).Solve(cond).String(); got != c.want {
			t.Errorf("%s: %s, not %s", c.cond, got, c.want)
		}
	}
}
