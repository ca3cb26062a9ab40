package symshape

import "testing"

// TestQuotientsBySizesAreSolved holds conditions on quotients by expressions, and that the solution agrees with the
// condition at all sizes that the facts allow.
func TestQuotientsBySizesAreSolved(t *testing.T) {
	for _, x := range []struct{ given, cond, want string }{
		{"C >= 3", "(-C) // (C // 3) == -3", "C % 3 == 0"},
		{"C >= 4", "(-C) // (C // 4) == -4", "C % 4 == 0"},
		{"C >= 2", "(-C) // (C // 2) == -2", "C % 2 == 0"},
		{"C >= 3", "(-C) // (C // 3) >= -4", "C != 5"},
		{"N >= 1", "C // N >= 3", "3*N <= C"},
		{"N >= 1", "C // N <= 3", "C - 4*N <= -1"},
		{"N >= 1", "2*(C // N) == 7", "False"},
		{"N >= 1", "C // N == 3", "4*N >= C + 1 and 3*N <= C"},
		{"N != 3", "C // (N - 3) == 3", "C // (N - 3) == 3"}, // the divisor may be negative
	} {
		p := NewPool()
		f := assume(t, p, x.given)
		c, err := p.ParseCond(x.cond)
		if err != nil {
			t.Fatal(err)
		}
		got := f.Solve(c)
		want, err := p.ParseCond(x.want)
		if err != nil {
			t.Fatal(err)
		}
		if got != want && got.String() != x.want {
			t.Errorf("%s: solved as %s, want %s", x.cond, got, x.want)
		}
		given, err := p.ParseCond(x.given)
		if err != nil {
			t.Fatal(err)
		}
		env := map[string]int64{}
		value := func(s string) (int64, bool) { v, ok := env[s]; return v, ok }
		for n := int64(0); n < 900; n++ {
			env["C"], env["N"] = 1+n%30, 1+n/30
			if ok, err := given.Eval(value); err != nil || !ok {
				continue
			}
			a, err := c.Eval(value)
			if err != nil {
				t.Fatal(err)
			}
			b, err := got.Eval(value)
			if err != nil {
				t.Fatal(err)
			}
			if a != b {
				t.Fatalf("%s at %v is %t, its solution %s is %t", x.cond, env, a, got, b)
			}
		}
	}
}
