package annot

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"shapecheck/symshape"
)

// randomExpr makes an expression and its value by Python's rules.
func randomExpr(r *rand.Rand, depth int, env map[string]int64) (Expr, int64, bool) {
	if depth == 0 || r.Intn(4) == 0 {
		if r.Intn(2) == 0 {
			n := int64(r.Intn(9))
			return Number(n), n, true
		}
		names := []string{"B", "T", "h1"}
		name := names[r.Intn(len(names))]
		return Named(name), env[name], true
	}
	a, x, ok := randomExpr(r, depth-1, env)
	b, y, ok2 := randomExpr(r, depth-1, env)
	ops := []string{"+", "-", "*", "//", "%"}
	op := ops[r.Intn(len(ops))]
	var v int64
	switch op {
	case "+":
		v = x + y
	case "-":
		v = x - y
	case "*":
		v = x * y
	default:
		if y == 0 {
			return a, x, false
		}
		q := x / y
		if x%y != 0 && (x < 0) != (y < 0) {
			q--
		}
		if v = q; op == "%" {
			v = x - q*y
		}
	}
	return Binary(op, a, b), v, ok && ok2
}

// TestSizesAreReadBackAndHaveTheirValue holds the printer against the reader, and
// the built size against arithmetic.
func TestSizesAreReadBackAndHaveTheirValue(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	for i := range 3000 {
		env := map[string]int64{"B": int64(1 + r.Intn(9)), "T": int64(1 + r.Intn(9)), "h1": int64(1 + r.Intn(9))}
		e, want, ok := randomExpr(r, 3, env)
		text := e.String()
		if len(text) > maxExpr {
			continue
		}
		back, err := ParseExpr(text, i%2 == 0)
		if err != nil || fmt.Sprint(back) != fmt.Sprint(e) || back.String() != text {
			t.Fatalf("%s is read as %s, %v", text, back, err)
		}
		if !ok {
			continue
		}
		p := symshape.NewPool()
		d, known := e.Dim(p, func(name string, _ bool) (symshape.Dim, bool) {
			return symshape.MakeDimValue(p.Symbol(name), env[name]), true
		}, false)
		if known && d.Known && d.Val != want {
			t.Fatalf("%s is %d with %v, not %d", text, d.Val, env, want)
		}
		if known && d.Expr != nil {
			if n, err := d.Expr.Eval(symshape.Env(env)); err == nil && n != want {
				t.Fatalf("%s as %s is %d with %v, not %d", text, d.Expr, n, env, want)
			}
		}
	}
}

func TestLooseSizes(t *testing.T) {
	for text, want := range map[string]string{"2C": "2*C", "T'": "T'", "grid ** 2": "grid**2", "H·W": "H*W", "(H/p)*(W/p)": "H/p*(W/p)",
		"max(T, S)": "max(T,S)", "self.n": "{self.n}", "d^2": "d**2"} {
		e, err := ParseExpr(text, true)
		if err != nil || e.String() != want {
			t.Errorf("%s is read as %s, %v; want %s", text, e, err, want)
		}
		if e, err := ParseExpr(text, false); err == nil && (text == "2C" || text == "T'" || text == "self.n") {
			t.Errorf("%s is read as %s although it is no Python", text, e)
		}
	}
	for _, text := range []string{"", "B +", "f(x)", "B T", "1.5", "a == b", "a,b", "99999999999999999999", "x[0]"} {
		if e, err := ParseExpr(text, true); err == nil {
			t.Errorf("%q is read as %s", text, e)
		}
	}
}

func TestJaxtyping(t *testing.T) {
	for _, c := range []struct{ text, want, fault string }{
		{text: "", want: ""},
		{text: "batch channels", want: "batch channels"},
		{text: "  b   3 ", want: "b 3"},
		{text: "...", want: "..."},
		{text: "... c h w", want: "... c h w"},
		{text: "*batch d", want: "*batch d"},
		{text: "*#batch d", want: "#*batch d"},
		{text: "#*batch d", want: "#*batch d"},
		{text: "_ _foo b", want: "_ _ b"},
		{text: "*_ d", want: "... d"},
		{text: "#n ?m", want: "#n _"},
		{text: "?*m", want: "..."},
		{text: "#4", want: "#4"},
		{text: "rows=4 cols=3", want: "4 3"},
		{text: "dim=n", want: "n"},
		{text: "h//2 w-1 2*(h+1)", want: "h//2 w-1 2*(h+1)"},
		{text: "min(a,b)", want: "min(a,b)"},
		{text: "{self.x}+3", want: "{self.x}+3"},
		{text: "{n}", want: "{n}"},
		{text: "b,c", fault: "commas"},
		{text: "b #", fault: "comes first"},
		{text: "b *", fault: "name is missing"},
		{text: "b c#", fault: "first"},
		{text: "*a *b", fault: "only one"},
		{text: "... *b", fault: "only one"},
		{text: "a...", fault: "alone"},
		{text: "**a", fault: "twice"},
		{text: "*4", fault: "names only"},
		{text: "_4", fault: "names only"},
		{text: "?a+b", fault: "names only"},
		{text: "#_", fault: "needs no #"},
		{text: "a+ f(a) int(a/2)", want: "_ _ _"},
		{text: "+_n (_n) a*_n", want: "_ _ _"},
	} {
		s, err := Jaxtyping(c.text)
		switch {
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%q: %v, %v; want a fault with %q", c.text, s, err, c.fault)
		case c.fault == "" && (err != nil || s.String() != c.want):
			t.Errorf("%q is read as %q, %v; want %q", c.text, s, err, c.want)
		}
	}
}

func FuzzJaxtyping(f *testing.F) {
	for _, s := range []string{"b t *rest h//2", "... #n ?m _", "{self.x}+3 dim=3", "min(a,b) 2**3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		shape, err := Jaxtyping(s)
		if err != nil {
			return
		}
		text := shape.String()
		again, err := Jaxtyping(text)
		if err != nil || again.String() != text {
			t.Fatalf("%q is written %q, which is read as %q, %v", s, text, again, err)
		}
	})
}
