// This file compares Reals with binary64 arithmetic as CPython does it: folded or not, the integer must be the same.

package symshape

import (
	"fmt"
	"math"
	"math/rand"
	"testing"
)

// realTree is a tree of float operations over H and W, evaluated directly.
type realTree struct {
	op   string // int, lit, + - * /, neg
	e    string // of int: H, W or a number
	f    float64
	x, y *realTree
}

func (d *dice) growReal(depth int) *realTree {
	if depth == 0 || d.roll(4) == 0 {
		switch d.roll(5) {
		case 0:
			return &realTree{op: "lit", f: []float64{0.5, 2, 0.25, 1.5, 0.1, 0.29, 3, 1.1, 0.75, 4, 1e-3, 8, 0.3333, 16}[d.roll(14)]}
		case 1:
			return &realTree{op: "int", e: fmt.Sprint(1 + d.roll(9))}
		}
		return &realTree{op: "int", e: treeSymbols[d.roll(2)]}
	}
	op := []string{"+", "-", "*", "/", "/", "*", "neg"}[d.roll(7)]
	t := &realTree{op: op, x: d.growReal(depth - 1)}
	if op != "neg" {
		t.y = d.growReal(depth - 1)
	}
	return t
}

func (t *realTree) build(p *Pool) Real {
	switch t.op {
	case "lit":
		return p.RealConst(t.f, fmt.Sprint(t.f))
	case "int":
		e, _ := p.Parse(t.e)
		return p.RealFromInt(e)
	case "neg":
		return p.RealNeg(t.x.build(p))
	}
	op := map[string]func(a, b Real) Real{"+": p.RealAdd, "-": p.RealSub, "*": p.RealMul, "/": p.RealDiv}[t.op]
	return op(t.x.build(p), t.y.build(p))
}

// eval computes in binary64; size bounds the numerators of the exact fractions met, beyond which nothing is promised.
func (t *realTree) eval(h, w int64) (v, size float64, ok bool) {
	v, size, den, ok := t.evalDen(h, w)
	return v, size * den, ok
}

func (t *realTree) evalDen(h, w int64) (v, size, den float64, ok bool) {
	switch t.op {
	case "lit":
		return t.f, math.Abs(t.f), 4, true
	case "int":
		switch t.e {
		case "H":
			v = float64(h)
		case "W":
			v = float64(w)
		default:
			fmt.Sscan(t.e, &v)
		}
		return v, v, 1, true
	}
	x, size, den, ok := t.x.evalDen(h, w)
	if !ok {
		return
	}
	if t.op == "neg" {
		return -x, size, den, true
	}
	y, s, yden, ok := t.y.evalDen(h, w)
	if !ok {
		return
	}
	den *= yden
	size = max(size, s)
	switch t.op {
	case "+":
		v = x + y
	case "-":
		v = x - y
	case "*":
		v = x * y
	case "/":
		if y == 0 {
			return 0, 0, 0, false
		}
		den *= max(1, math.Abs(y))
		v = x / y
	}
	return v, max(size, math.Abs(v)), den, !math.IsInf(v, 0) && !math.IsNaN(v)
}

func (t *realTree) String() string {
	switch t.op {
	case "lit":
		return fmt.Sprint(t.f)
	case "int":
		return t.e
	case "neg":
		return "(-" + t.x.String() + ")"
	}
	return "(" + t.x.String() + t.op + t.y.String() + ")"
}

var rounders = []struct {
	name string
	make func(p *Pool, r Real) *Expr
	f    func(float64) float64
}{
	{"floor", (*Pool).FloorReal, math.Floor},
	{"ceil", (*Pool).CeilReal, math.Ceil},
	{"int", (*Pool).TruncReal, math.Trunc},
	{"round", (*Pool).RoundReal, math.RoundToEven},
}

func TestRoundedRealsAreWhatBinary64Gives(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	rounds := 12000
	if testing.Short() {
		rounds = 2000
	}
	folded, opaque, evaluations := 0, 0, 0
	var p *Pool
	for i := range rounds {
		if i%200 == 0 {
			p = NewPool()
			p.Symbol("H")
			p.Symbol("W")
		}
		tr := randomBytes(r, 80).growReal(1 + r.Intn(4))
		x := tr.build(p)
		if !x.Known() {
			continue
		}
		if back, err := p.ParseReal(x.String()); err != nil || back != x {
			t.Fatalf("%v prints as %q, which reads as %v, %v", tr, x, back, err)
		}
		for _, rd := range rounders {
			e := rd.make(p, x)
			if e == nil {
				continue
			}
			if back, err := p.Parse(e.String()); err != nil || back != e {
				t.Fatalf("%s(%v) prints as %q, which reads as %v, %v", rd.name, tr, e, back, err)
			}
			if hasReal(e) {
				opaque++
			} else {
				folded++
			}
			for range 12 {
				limit := []int64{10, 100, 5000, 1 << 24}[r.Intn(4)]
				h, w := 1+r.Int63n(limit), 1+r.Int63n(limit)
				v, size, ok := tr.eval(h, w)
				if !ok || size > 1<<47 {
					continue
				}
				got, err := e.Eval(Env(map[string]int64{"H": h, "W": w}))
				if err != nil {
					continue
				}
				if want := int64(rd.f(v)); got != want {
					t.Fatalf("%s(%v) became %v: %d at H=%d, W=%d, CPython gives %d", rd.name, tr, e, got, h, w, want)
				}
				if got < e.lo || got > e.hi {
					t.Fatalf("%v: %d at H=%d, W=%d is outside of %d … %d", e, got, h, w, e.lo, e.hi)
				}
				evaluations++
			}
		}
	}
	t.Logf("%d folded, %d opaque, %d evaluations", folded, opaque, evaluations)
	if folded < rounds/4 || opaque < rounds/4 {
		t.Error("the mix of cases is off")
	}
}

func hasReal(e *Expr) bool {
	for _, t := range e.terms {
		for _, f := range t.mono.factors {
			if f.atom.kind == atomReal {
				return true
			}
			for _, x := range f.atom.args {
				if hasReal(x) {
					return true
				}
			}
		}
	}
	return false
}

// Quotients of large numbers next to an integer are where rounding could go wrong.
func TestQuotientsFoldExactlyUpToTheLimit(t *testing.T) {
	p := NewPool()
	h := p.Symbol("H")
	n := 0
	for d := int64(2); d <= 1000; d++ {
		q := p.RealDiv(p.RealFromInt(h), p.RealFromInt(p.Const(d)))
		exprs := [...]*Expr{p.FloorReal(q), p.CeilReal(q), p.TruncReal(q), p.RoundReal(q)}
		for _, base := range [...]int64{0, 1 << 20, 1 << 40, 1<<50 - 3000, 1<<49 + 12345} {
			for k := int64(-1); k <= 1; k++ {
				x := base/d*d + d + k
				f := float64(x) / float64(d)
				for i, rd := range rounders {
					got, err := exprs[i].Eval(Env(map[string]int64{"H": x}))
					if err != nil || got != int64(rd.f(f)) {
						t.Fatalf("%s(%d/%d) is %d, want %v", rd.name, x, d, got, rd.f(f))
					}
					n++
				}
			}
		}
	}
	t.Logf("%d quotients", n)
}

func TestFoldingIsWhatDesignSays(t *testing.T) {
	p := NewPool()
	for in, want := range map[string]string{
		"int(H * 0.5)":                  "H // 2",
		"int(H * 0.29)":                 "int(H * 0.29)",
		"int(H / 3)":                    "H // 3",
		"ceil(H / 2)":                   "ceil(H / 2)",
		"int(H * 2.0)":                  "2*H",
		"floor(H * 1.5)":                "H + H // 2",
		"int((H + 2*1 - 3) / 2 + 1)":    "ceil(H / 2)",
		"floor((H - 3) / 2 + 1)":        "(H - 1) // 2",
		"int(H / 2) * 2":                "2*(H // 2)",
		"int(H * 0.1)":                  "int(H * 0.1)",
		"floor(H / 10)":                 "H // 10",
		"int(H // 0.5)":                 "int(H // 0.5)",
		"ceil(sqrt(H))":                 "ceil(sqrt(H))",
		"int(H * 0.50)":                 "H // 2",
		"floor(H * 0.290)":              "floor(H * 0.29)",
		"round(7 / 2)":                  "4",
		"round(5 / 2)":                  "2",
		"int(-7 / 2)":                   "-3",
		"int((H + 5) / 0.5)":            "2*H + 10",
		"floor(H / B)":                  "H // B",
		"ceil(H / B)":                   "ceil(H / B)",
		"int(max(H / 2, 1.5))":          "int(max(H / 2, 1.5))",
		"floor(0.1 + 0.2)":              "0",
		"int(224 * 0.875)":              "196",
		"int((H + 0.5) * 4)":            "4*H + 2",
		"int(1e-3 * H)":                 "int(0.001 * H)",
		"math.floor(H / 4) + int(2.5)":  "H // 4 + 2",
		"int(6 * H / 9 * 0.29)":         "int((2*H) / 3 * 0.29)", // quotients are in lowest terms
		"int(6 * H / 4 * 0.29)":         "int((3*H) / 2 * 0.29)",
		"int(H / 0.3 / 9 * 0.29)":       "int(H / 0.3 / 9 * 0.29)",
		"float(H) / 2 * 0 + 1 == never": "",
	} {
		e, err := p.Parse(in)
		if want == "" {
			if err == nil {
				t.Errorf("%s was accepted", in)
			}
			continue
		}
		if err != nil || e.String() != want {
			t.Errorf("%s is %v (%v), want %s", in, e, err, want)
		}
	}
}

// A literal prints as the source has it, unless that is another number or too long to read.
func TestLiteralsPrintAsTheyAreSpelled(t *testing.T) {
	for _, x := range [...]struct {
		f              float64
		spelling, want string
	}{
		{math.Pi, "3.14159265358979323846", "3.14159265358979323846"},
		{math.Pi, "", "3.141592653589793"},
		{math.Pi, "3.15", "3.141592653589793"},
		{math.Pi, "3.14159265358979323846264338327950288419716939937510", "3.141592653589793"},
		{0.29, "0.290", "0.29"},
		{1e-3, "1e-3", "0.001"},
	} {
		if got := NewPool().RealConst(x.f, x.spelling).String(); got != x.want {
			t.Errorf("%v spelled %q prints as %s, want %s", x.f, x.spelling, got, x.want)
		}
	}
}

// Each operation is monotone in each of its operands where no divisor can be zero: the bounds are the least and the
// greatest of the values at the ends.
func TestBoundsOfRealsAreTheExtremesAtTheEnds(t *testing.T) {
	r := rand.New(rand.NewSource(12))
	interval := func() [2]int64 {
		lo := r.Int63n(40) - 20
		return [2]int64{lo, lo + r.Int63n(30)}
	}
	for range 500 {
		p := NewPool()
		h, w := interval(), interval()
		x := p.RealMul(p.RealFromInt(p.Declare("H", h[0], h[1])), p.RealConst(0.7, "")) // no fraction of integers
		y := p.RealFromInt(p.Declare("W", w[0], w[1]))
		for op := OpAdd; op <= OpMax; op++ {
			var z Real
			switch op {
			case OpFDiv, OpMod, OpPow: // not monotone
				continue
			case OpNeg, OpSqrt:
				z = p.realUnary(op, x)
			default:
				z = p.realBinary(op, x, y)
			}
			lo, hi := z.n.bounds()
			least, greatest := math.Inf(1), math.Inf(-1)
			for _, a := range h {
				for _, b := range w {
					a := float64(a) * 0.7
					if op == OpSqrt {
						a = max(a, 0) // of a negative number there is no root
					}
					if v, err := EvalReal(op, a, float64(b)); err == nil {
						least, greatest = min(least, v), max(greatest, v)
					}
				}
			}
			if op == OpDiv && w[0] <= 0 && w[1] >= 0 {
				least, greatest = math.Inf(-1), math.Inf(1)
			}
			if lo != least || hi != greatest {
				t.Fatalf("%v for H in %v, W in %v is within %v … %v, want %v … %v", z, h, w, lo, hi, least, greatest)
			}
		}
	}
}
