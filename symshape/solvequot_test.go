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
		agree(t, p, []string{x.given}, c, got, func(n int64) map[string]int64 { return map[string]int64{"C": 1 + n%30, "N": 1 + n/30} })
	}
}

// TestOneNumberWrittenTwice holds conditions in which divisions are equal under the facts; the first is of a Hiera
// with windows of 7.
func TestOneNumberWrittenTwice(t *testing.T) {
	window := []string{"(H + 3) % 32 <= 3", "(W + 3) % 32 <= 3"}
	for _, x := range []struct {
		given      []string
		cond, want string
	}{
		{window, "B == (B*((H + 211) // 224)*((W + 211) // 224)) // (((H + 195) // 224)*((W + 195) // 224))", "True"},
		{window, "B*((H + 195) // 224) == 2*B*((H + 211) // 224)", "False"},
		{window[1:], "B*((H + 195) // 224) == B*((H + 211) // 224)", "(H + 195) % 224 <= 207"},
	} {
		p := NewPool()
		f := assume(t, p, append([]string{"B >= 1", "H >= 1", "W >= 1"}, x.given...)...)
		c, err := p.ParseCond(x.cond)
		if err != nil {
			t.Fatal(err)
		}
		got := f.Solve(c)
		if got.String() != x.want {
			t.Errorf("%s: solved as %s, want %s", x.cond, got, x.want)
		}
		agree(t, p, x.given, c, got, func(n int64) map[string]int64 {
			return map[string]int64{"B": 1 + n%2, "H": 5 + n/2%30*8 + n%3, "W": 29 + n/60%14*32}
		})
	}
}

// agree holds that a condition and its solution are equal at those of 900 points at which what is given holds.
func agree(t *testing.T, p *Pool, given []string, c, solved *Cond, point func(int64) map[string]int64) {
	t.Helper()
	env, held := map[string]int64{}, 0
	at := func(c *Cond) bool {
		v, err := c.Eval(func(s string) (int64, bool) { v, ok := env[s]; return v, ok })
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
points:
	for n := range int64(900) {
		env = point(n)
		for _, s := range given {
			g, err := p.ParseCond(s)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := g.Eval(func(s string) (int64, bool) { v, ok := env[s]; return v, ok }); err != nil || !v {
				continue points
			}
		}
		held++
		if a, b := at(c), at(solved); a != b {
			t.Fatalf("%s at %v is %t, its solution %s is %t", c, env, a, solved, b)
		}
	}
	if held < 20 {
		t.Errorf("%v holds at %d of 900 points", given, held)
	}
}
