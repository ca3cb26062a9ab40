package symshape

import "testing"

// TestExtremaAreSolved holds conditions on maxima and minima of several symbols,
// and that the solution agrees with the condition at all small sizes.
func TestExtremaAreSolved(t *testing.T) {
	for _, x := range []struct{ cond, want string }{
		{"S == min(S, T)", "S <= T"},
		{"2*S == 2*min(S, T)", "S <= T"},
		{"S == max(S, T)", "S >= T"},
		{"S + T == min(S + T, 7)", "S + T <= 7"},
		{"T == max(T - S, 0) + S", "S <= T"},
		{"S <= min(T, U)", "S <= T and S <= U"},
		{"max(S, T) <= U", "S <= U and T <= U"},
		{"2*max(S, T) <= U + 1", "2*S <= U + 1 and 2*T <= U + 1"},
		{"min(S, T) <= U", "U >= min(S, T)"}, // takes alternatives
		{"S + U == min(S + U, T, 5)", "S + U <= 5 and S + U <= T"},
		{"U == min(S, T)", "U == min(S, T)"},
		{"S // 2 == min(S // 2, T)", "S // 2 <= T"},
		{"S - min(S, T) >= 0", "True"},
	} {
		p := NewPool()
		c, err := p.ParseCond(x.cond)
		if err != nil {
			t.Fatal(err)
		}
		got := Facts{}.Solve(c)
		want, err := p.ParseCond(x.want)
		if err != nil {
			t.Fatal(err)
		}
		if got != want && got.String() != x.want {
			t.Errorf("%s: solved as %s, want %s", x.cond, got, x.want)
		}
		env := map[string]int64{}
		value := func(s string) (int64, bool) { v, ok := env[s]; return v, ok }
		for n := int64(0); n < 1000; n++ {
			env["S"], env["T"], env["U"] = 1+n%10, 1+n/10%10, 1+n/100
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
