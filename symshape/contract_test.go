// This file tests what contracts ask of conditions.

package symshape

import "testing"

func TestEquationsDefineTheLastSymbolThatIsTakenOnce(t *testing.T) {
	for _, x := range [...]struct{ cond, sym, to string }{
		{"H == W", "W", "H"},
		{"W == H", "W", "H"},
		{"H == 2*W + 1", "H", "2*W + 1"},
		{"2*H + 1 == W", "W", "2*H + 1"},
		{"H + W == 8", "W", "8 - H"},
		{"H == 64", "H", "64"},
		{"H + 2*W == 3*B", "H", "3*B - 2*W"},
		{"2*H == 3*W", "?", "?"},
		{"H*W == 8", "?", "?"},
		{"H // 2 == W", "?", "?"},
		{"H <= W", "?", "?"},
		{"H != W", "?", "?"},
	} {
		p := NewPool()
		for _, s := range []string{"H", "W", "B"} {
			p.Symbol(s)
		}
		c, err := p.ParseCond(x.cond)
		if err != nil {
			t.Fatal(err)
		}
		sym, to := c.Definition()
		want, _ := p.Parse(x.to)
		if sym.String() != x.sym || to != want {
			t.Errorf("%s defines %v as %v, want %s as %s", x.cond, sym, to, x.sym, x.to)
		}
	}
}
