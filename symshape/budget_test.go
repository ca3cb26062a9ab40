// This file tests that the solver's work is bounded, whatever it is asked.

package symshape

import (
	"fmt"
	"strings"
	"testing"
)

// maxWork is more than any question may cost, counted by Pool.Work.
const maxWork = 2_000_000

func TestHardQuestionsStayWithinTheBudget(t *testing.T) {
	many := func(n int, f func(i int) string, sep string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = f(i)
		}
		return strings.Join(parts, sep)
	}
	for name, x := range map[string]struct {
		given []string
		cond  string
	}{
		"many residue classes of one symbol": {nil, "H % 4095 + H % 4096 != 8189"},
		"as many as are looked at":           {nil, "H % 4096 * 2 != 8191 and (H // 4096)*4096 != H + 1"},
		"many combinations":                  {nil, "H % 45 * 2 + W % 44 != 130"},
		"three symbols":                      {nil, "(H % 12)*(W % 12)*(B % 12) != 1331"},
		"too many combinations":              {nil, "H % 97 + W % 89 + B % 83 != 266"},
		"long product":                       {nil, many(12, func(i int) string { return fmt.Sprintf("(x%d + 1)", i) }, "*") + " > 0"},
		"long sum of divisions": {nil, many(40, func(i int) string { return fmt.Sprintf("(H + %d) // %d", i, i+2) }, " + ") +
			" == 7*H"},
		"nested maxima": {nil, many(10, func(i int) string { return fmt.Sprintf("max(H - %d, x%d)", i, i) }, " + ") +
			" >= 10*H - 45"},
		"alternatives": {nil, many(30, func(i int) string { return fmt.Sprintf("H %% %d == %d", i+2, i) }, " or ")},
		"high powers":  {nil, "H**8 - 3*H**7 + 5*H**3 > (W//3)**6 + 100"},
		"many facts": {[]string{many(60, func(i int) string { return fmt.Sprintf("x%d <= x%d", i, i+1) }, " and ")},
			"x0 <= x60"},
		"many equations": {[]string{many(60, func(i int) string { return fmt.Sprintf("2*x%d == 3*x%d + %d", i, i+1, i%5) }, " and ")},
			"x0 >= x3"},
		"modulus of everything": {[]string{"(a*b*c) % n == 0", "(a*b) % (n*c) == 0", "a % (b*c) == 0"}, "(a // n)*n*b <= a*b*c"},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPool()
			f := Facts{}
			for _, g := range x.given {
				c, err := p.ParseCond(g)
				if err != nil {
					t.Fatal(err)
				}
				f, _ = f.Assume(c)
			}
			c, err := p.ParseCond(x.cond)
			if err != nil {
				t.Log(err) // too large to be asked: that is within the budget
				return
			}
			d := f.Decide(c)
			decided := p.Work()
			s := f.Solve(c).String()
			took := p.Work()
			if len(s) > 60 {
				s = s[:60] + "…"
			}
			t.Logf("%v after %d terms, solved after %d: %s", d.Answer, decided, took, s)
			if took > maxWork {
				t.Errorf("it took %d terms", took)
			}
		})
	}
}
