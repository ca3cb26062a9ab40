package symshape

import "testing"

func TestSelectFindsOneFormForBothCases(t *testing.T) {
	p := NewPool()
	h, w := p.Symbol("H"), p.Symbol("W")
	c := p.Const
	rest := p.Mod(h, c(8))
	up := p.Add(h, p.Sub(c(8), rest))
	for _, x := range []struct {
		name string
		cond *Cond
		a, b *Expr
		want string
	}{
		{"nothing to add", p.Eq(rest, c(0)), h, up, "8*ceil(H / 8)"},
		{"something to add", p.Gt(rest, c(0)), up, h, "8*ceil(H / 8)"},
		{"the padding alone", p.Ne(rest, c(0)), p.Sub(c(8), rest), c(0), "(-H) % 8"},
		{"agrees where it holds", p.Eq(h, w), h, w, "W"},
		{"agrees where it does not", p.Ne(h, w), h, w, "H"},
		{"at least", p.Lt(h, c(10)), c(10), h, "max(H, 10)"},
		{"at most", p.Ge(h, c(10)), c(10), h, "min(H, 10)"},
		{"has nothing to do with it", p.Gt(w, c(4)), h, up, ""},
		{"no form", p.Gt(h, c(4)), p.Mul(h, c(2)), c(7), ""},
	} {
		got := ""
		if e := (Facts{}).Select(x.cond, x.a, x.b); e != nil {
			got = e.String()
		}
		if got != x.want {
			t.Errorf("%s: got %q, not %q", x.name, got, x.want)
		}
	}
}
