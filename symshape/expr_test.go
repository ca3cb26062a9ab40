// This file tests what expressions and conditions look like: the examples of the design, and the faults of the
// ancestor that must not come back.

package symshape

import (
	"strings"
	"testing"
)

func TestExpressionsSimplifyAndPrintReadably(t *testing.T) {
	p := NewPool()
	for _, x := range [...][2]string{
		// the ancestor's faults
		{"(a*2)//4", "a // 2"},
		{"(a//2)//2", "a // 4"},
		{"(a//2)*2", "2*(a // 2)"},
		{"1*a", "a"},
		{"a-a", "0"},
		{"a*0", "0"},
		{"5 % a", "5 % a"},
		{"2*a*2", "4*a"},
		{"b+a", "a + b"},
		{"(a+1)-1", "a"},
		{"(a-1)+3", "a + 2"},
		// convolutions and pooling
		{"ceil(((height - 1) // 2 - 2) / 2) + 1", "(height + 1) // 4"},
		{"(height + 2*1 - 3)//1 + 1", "height"},
		{"(H-1)//2+1", "ceil(H / 2)"},
		{"((H+1)//2+1)//2", "ceil(H / 4)"},
		{"(H-3)//2+1", "(H - 1) // 2"},
		{"((H-4)//2-4)//2", "H // 4 - 3"},
		{"(H - 1)*2 - 2*1 + 3 + 1", "2*H"},
		{"(H + 2*3 - 7)//4 + 1", "ceil(H / 4)"},
		// remainders and rounding up
		{"H - 32*(H//32)", "H % 32"},
		{"(4 - H % 4) % 4", "(-H) % 4"},
		{"-(-H//3)", "ceil(H / 3)"},
		{"-((-H)//B)", "ceil(H / B)"},
		{"-(-H // 2000000)", "(H + 1999999) // 2000000"}, // as a quotient of numbers it would not read as an integer division
		{"X - N*(X//N)", "X % N"},
		{"H % 5 + H % 7", "H % 7 + H % 5"},
		{"(H + 3) % 4", "(H + 3) % 4"},
		{"ceil(H/32)*32 - H", "(-H) % 32"},
		// common factors
		{"(N*X)//N", "X"},
		{"(2*N*X + 2*N)//(2*N)", "X + 1"},
		{"(B*T*C)//(B*T)", "C"},
		{"(6*H + 3)//6", "H"},
		{"H//N//M", "H // (N*M)"},
		// signs
		{"(T-K)//2+1", "(T - K) // 2 + 1"},
		{"3 - H", "3 - H"},
		{"-H", "-H"},
		{"max(3-H, 0)", "max(3 - H, 0)"},
		{"min(H, W) - H", "min(H, W) - H"},
		{"max(H, 1)", "H"},
		{"max(H, H+1, W)", "max(H + 1, W)"},
		{"max(B+H, B+W)", "max(H, W) + B"},
		{"max(2*H, 2*W)", "2*max(H, W)"},
		{"max(H, min(H, W))", "H"},
		{"abs(W-H)", "abs(W - H)"},
		{"abs(H)", "H"},
		// products
		{"(H-2)*(W-2)", "(H - 2)*(W - 2)"},
		{"16*(H//4-3)*(W//4-3)", "16*(H // 4 - 3)*(W // 4 - 3)"},
		{"16*(H//4-3)**2", "16*(H // 4 - 3)*(H // 4 - 3)"},
		{"B*(T+1)", "B*(T + 1)"},
		{"(H % 12)*(W % 12)", "(H % 12)*(W % 12)"},
		{"(B + H)*(W + 2*T)", "(H + B)*(2*T + W)"},
		{"B*(H+W)", "B*(H + W)"},
		{"4*H + 8", "4*H + 8"},
		{"H**2 + H + 1", "H**2 + H + 1"},
		{"2**10", "1024"},
		{"-2**2", "-4"},
		{"7 // -2", "-4"},
		{"-7 % 3", "2"},
	} {
		e, err := p.Parse(x[0])
		if err != nil {
			t.Errorf("%s: %v", x[0], err)
			continue
		}
		for _, s := range [...]string{e.String(), e.Compact()} {
			if back, err := p.Parse(s); back != e {
				t.Errorf("%s prints as %s, which reads as %v, %v", x[0], s, back, err)
			}
		}
		want, err := p.Parse(x[1])
		if err != nil || want != e {
			t.Errorf("%s is %v, not equal to %s (%v)", x[0], e, x[1], err)
			continue
		}
		if names := strings.Count(x[1], "W - H") + strings.Count(x[1], "max(H, W) + B"); e.String() != x[1] && names == 0 {
			t.Errorf("%s prints as %v, want %s", x[0], e, x[1])
		}
	}
}

func TestResultsDoNotDependOnTheOrderOfEvaluation(t *testing.T) {
	texts := []string{"H//2 + W//3", "max(H, W)*B", "(B*H)//W", "int(H*0.29) + W", "H % W", "B*W - H"}
	build := func(order []int) string {
		p := NewPool()
		for _, s := range []string{"B", "H", "W"} {
			p.Symbol(s)
		}
		exprs := make([]*Expr, len(texts))
		for _, i := range order {
			exprs[i], _ = p.Parse(texts[i])
		}
		return p.Product(exprs[0], p.Sum(exprs...)).String() + p.Sum(exprs...).String()
	}
	a := build([]int{0, 1, 2, 3, 4, 5})
	for _, order := range [][]int{{5, 4, 3, 2, 1, 0}, {2, 0, 4, 1, 5, 3}} {
		if b := build(order); a != b {
			t.Errorf("%s\n%s", a, b)
		}
	}
}

func TestOverflowIsUnknownAndSpreads(t *testing.T) {
	p := NewPool()
	h := p.Symbol("H")
	big := p.Const(1 << 62)
	for name, e := range map[string]*Expr{
		"constant":        p.Mul(big, p.Const(4)),
		"coefficient":     p.Mul(p.Mul(h, big), p.Const(4)),
		"sum":             p.Add(big, big),
		"division by 0":   p.FloorDiv(h, p.Const(0)),
		"remainder by 0":  p.Mod(h, p.Const(0)),
		"negative power":  p.Pow(h, -1),
		"unknown operand": p.Add(nil, h),
		"unknown maximum": p.Max(h, nil),
		"rounded unknown": p.FloorReal(p.RealDiv(p.RealFromInt(h), p.RealFromInt(p.Const(0)))),
	} {
		if e != nil {
			t.Errorf("%s: %v", name, e)
		}
		if p.Mul(e, h) != nil || p.Eq(e, h) != nil || e.String() != "?" {
			t.Errorf("%s does not spread", name)
		}
	}
	sum := p.Const(0)
	for range maxTerms + 1 {
		sum = p.Add(sum, p.Fresh("u"))
	}
	if sum != nil {
		t.Errorf("a sum of %d terms", maxTerms+1)
	}
	deep := h
	for range 3 * maxDepth {
		deep = p.Max(p.Mul(p.FloorDiv(deep, p.Symbol("N")), p.Const(3)), p.Symbol("K"))
	}
	if deep != nil {
		t.Error("nesting has no bound")
	}
}

func TestFreshSymbolsClashWithNothing(t *testing.T) {
	p := NewPool()
	p.Symbol("u0")
	a, b := p.Fresh("u"), p.Fresh("u")
	if a.String() != "u1" || b.String() != "u2" || !a.IsFresh() || p.Symbol("u0").IsFresh() {
		t.Errorf("%v %v", a, b)
	}
	if lo, _ := a.Bounds(); lo != 0 {
		t.Errorf("lower bound %d", lo)
	}
}

func TestSyntaxErrorsNameTheColumn(t *testing.T) {
	p := NewPool()
	for _, x := range []struct {
		text   string
		column int
		msg    string
	}{
		{"", 1, "expected a number"},
		{"H +", 4, "found end"},
		{"H / 2", 1, "float"},
		{"(H", 3, `expected ")"`},
		{"H H", 3, `unexpected "H"`},
		{"foo(H)", 1, "unknown function"},
		{"H $ 2", 3, "unexpected character"},
		{"2H", 1, "digit"},
		{"H // 0", 1, "divides by zero"},
		{"99999999999999999999", 1, "too large"},
		{"H ** W", 6, "exponent"},
		{strings.Repeat("(", 500) + "H", 100, "too deeply"},
		{strings.Repeat("H+", 20000) + "H", 1, "too long"},
		{"é + (", 6, "expected a number"},
	} {
		_, err := p.Parse(x.text)
		pe, ok := err.(*ParseError)
		if !ok || pe.Column != x.column && x.column != 100 || !strings.Contains(pe.Msg, x.msg) {
			t.Errorf("%.20q: %v", x.text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"H//2+1", "ceil(H / 3)", "int(H*0.29)", "57 (H//4)", "H=32", "max(a, b, 3) % 2**3",
		"32 <= H <= 35 and not (W == 2)", "sqrt(H)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := NewPool()
		if e, err := p.Parse(s); err == nil {
			if back, err := p.Parse(e.String()); back != e {
				t.Errorf("%q prints as %q, which reads as %v, %v", s, e, back, err)
			}
		}
		if c, err := p.ParseCond(s); err == nil {
			if back, err := p.ParseCond(c.String()); back != c {
				t.Errorf("%q prints as %q, which reads as %v, %v", s, c, back, err)
			}
		}
		if d, err := p.ParseDim(s); err == nil {
			if back, err := p.ParseDim(d.String()); back != d {
				t.Errorf("%q prints as %q, which reads as %v, %v", s, d, back, err)
			}
		}
	})
}
