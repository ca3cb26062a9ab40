// This file holds the reference the property tests compare with: expression trees that are evaluated by Python's
// rules directly, made from a stream of random bytes so that the fuzzer can steer them.

package symshape

import (
	"fmt"
	"math/rand"
	"testing"
)

type tree struct {
	op   string // n, s, + - * // % max min neg ceil abs pow
	n    int64
	name string
	kids []*tree
}

// dice gives small numbers from bytes, and zero when they run out.
type dice struct{ data []byte }

func (d *dice) roll(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	x := int(d.data[0])
	d.data = d.data[1:]
	return x % n
}

func randomBytes(r *rand.Rand, n int) *dice {
	b := make([]byte, n)
	r.Read(b)
	return &dice{b}
}

var treeSymbols = [...]string{"H", "W", "B", "T"}

// grow makes a tree. flat leaves out what is outside of the fragment Decide is complete for.
func (d *dice) grow(depth, symbols int, flat bool) *tree {
	if depth == 0 || d.roll(6) == 0 {
		if d.roll(3) == 0 {
			return &tree{op: "n", n: int64(d.roll(14) - 3)}
		}
		return &tree{op: "s", name: treeSymbols[d.roll(symbols)]}
	}
	sub := func() *tree { return d.grow(depth-1, symbols, flat) }
	num := func(lo int) *tree {
		n := int64(lo + d.roll(8))
		if n == 0 && d.roll(20) > 0 {
			n = 16
		}
		return &tree{op: "n", n: n}
	}
	if flat {
		switch d.roll(6) {
		case 0, 1:
			return &tree{op: "+", kids: []*tree{sub(), sub()}}
		case 2:
			return &tree{op: "-", kids: []*tree{sub(), sub()}}
		case 3:
			return &tree{op: "*", kids: []*tree{num(-2), sub()}}
		case 4:
			return &tree{op: "//", kids: []*tree{sub(), num(1)}}
		}
		return &tree{op: "%", kids: []*tree{sub(), num(1)}}
	}
	switch k := d.roll(16); k {
	case 0, 1, 2:
		return &tree{op: "+", kids: []*tree{sub(), sub()}}
	case 3, 4:
		return &tree{op: "-", kids: []*tree{sub(), sub()}}
	case 5, 6:
		return &tree{op: "*", kids: []*tree{sub(), sub()}}
	case 7:
		return &tree{op: "//", kids: []*tree{sub(), sub()}}
	case 8, 9:
		return &tree{op: "//", kids: []*tree{sub(), num(-2)}}
	case 10:
		return &tree{op: "%", kids: []*tree{sub(), sub()}}
	case 11:
		return &tree{op: "%", kids: []*tree{sub(), num(-2)}}
	case 12:
		return &tree{op: "max", kids: []*tree{sub(), sub()}}
	case 13:
		return &tree{op: "min", kids: []*tree{sub(), sub()}}
	case 14:
		return &tree{op: []string{"neg", "abs"}[d.roll(2)], kids: []*tree{sub()}}
	}
	if d.roll(2) == 0 {
		return &tree{op: "pow", n: int64(d.roll(4)), kids: []*tree{sub()}}
	}
	return &tree{op: "ceil", kids: []*tree{sub(), num(-1)}}
}

func (t *tree) build(p *Pool) *Expr {
	var x [2]*Expr
	for i, k := range t.kids {
		x[i] = k.build(p)
	}
	switch t.op {
	case "n":
		return p.Const(t.n)
	case "s":
		return p.Symbol(t.name)
	case "+":
		return p.Add(x[0], x[1])
	case "-":
		return p.Sub(x[0], x[1])
	case "*":
		return p.Mul(x[0], x[1])
	case "//":
		return p.FloorDiv(x[0], x[1])
	case "%":
		return p.Mod(x[0], x[1])
	case "max":
		return p.Max(x[0], x[1])
	case "min":
		return p.Min(x[0], x[1])
	case "neg":
		return p.Neg(x[0])
	case "abs":
		return p.Abs(x[0])
	case "pow":
		return p.Pow(x[0], int(t.n))
	case "ceil":
		return p.CeilDiv(x[0], x[1])
	}
	panic(t.op)
}

// eval is Python's arithmetic; ok is false where Python raises, or where int64 does not suffice.
func (t *tree) eval(env map[string]int64) (v int64, ok bool) {
	var x [2]int64
	for i, k := range t.kids {
		if x[i], ok = k.eval(env); !ok {
			return 0, false
		}
	}
	a, b := x[0], x[1]
	switch t.op {
	case "n":
		v = t.n
	case "s":
		v = env[t.name]
	case "+":
		v = a + b
	case "-":
		v = a - b
	case "*":
		v = a * b
	case "//", "%", "ceil":
		if b == 0 {
			return 0, false
		}
		q := a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			q--
		}
		switch {
		case t.op == "//":
			v = q
		case t.op == "%":
			v = a - q*b
		case q*b == a:
			v = q
		default:
			v = q + 1
		}
	case "max":
		v = max(a, b)
	case "min":
		v = min(a, b)
	case "neg":
		v = -a
	case "abs":
		v = max(a, -a)
	case "pow":
		v = 1
		for range t.n {
			if v *= a; v > 1<<40 || v < -(1<<40) {
				return 0, false
			}
		}
	}
	return v, v < 1<<40 && v > -(1<<40)
}

func (t *tree) String() string {
	switch t.op {
	case "n":
		return fmt.Sprint(t.n)
	case "s":
		return t.name
	case "neg":
		return "(-" + t.kids[0].String() + ")"
	case "abs":
		return "abs(" + t.kids[0].String() + ")"
	case "pow":
		return fmt.Sprintf("(%v**%d)", t.kids[0], t.n)
	case "max", "min":
		return fmt.Sprintf("%s(%v, %v)", t.op, t.kids[0], t.kids[1])
	case "ceil":
		return fmt.Sprintf("ceil(%v / %v)", t.kids[0], t.kids[1])
	}
	return fmt.Sprintf("(%v %s %v)", t.kids[0], t.op, t.kids[1])
}

func randomEnv(r *rand.Rand) map[string]int64 {
	env := map[string]int64{}
	for _, s := range treeSymbols {
		switch r.Intn(3) {
		case 0:
			env[s] = int64(1 + r.Intn(6))
		case 1:
			env[s] = int64(1 + r.Intn(50))
		default:
			env[s] = int64(1 + r.Intn(3000))
		}
	}
	return env
}

// fewValues declares the symbols with few values each, often one, and gives an environment within their bounds.
func fewValues(p *Pool, r *rand.Rand) func() map[string]int64 {
	lo, n := map[string]int64{}, map[string]int64{}
	for _, s := range treeSymbols {
		lo[s], n[s] = int64(r.Intn(16)-3), int64(1+r.Intn(3))
		p.Declare(s, lo[s], lo[s]+n[s]-1)
	}
	return func() map[string]int64 {
		env := map[string]int64{}
		for s := range n {
			env[s] = lo[s] + r.Int63n(n[s])
		}
		return env
	}
}

// testTree checks everything that must hold for an expression made from a tree, whose symbols have the values that
// random gives. It returns how many evaluations it compared.
func testTree(t *testing.T, p *Pool, d *dice, random func() map[string]int64) int {
	tr := d.grow(1+d.roll(5), len(treeSymbols), d.roll(4) == 0)
	e := tr.build(p)
	if e == nil {
		return 0
	}
	n := 0
	for range 8 {
		env := random()
		want, ok := tr.eval(env)
		if !ok {
			continue
		}
		got, err := e.Eval(Env(env))
		if err != nil && err != errOverflow {
			t.Fatalf("%v became %v, which fails at %v: %v", tr, e, env, err)
		}
		if err == nil && got != want {
			t.Fatalf("%v became %v: %d at %v, want %d", tr, e, got, env, want)
		}
		if err == nil && (got < e.lo || got > e.hi) {
			t.Fatalf("%v: %d at %v is outside of %d … %d", e, got, env, e.lo, e.hi)
		}
		n++
	}
	for _, s := range [...]string{e.String(), e.Compact()} {
		back, err := p.Parse(s)
		if err != nil {
			t.Fatalf("%v prints as %q: %v", tr, s, err)
		}
		if back != e {
			t.Fatalf("%v prints as %q, which reads as %v", tr, s, back)
		}
	}
	return n
}

func TestCanonicalFormKeepsPythonValuesAndPrintsBack(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	rounds, n := 60000, 0
	if testing.Short() {
		rounds = 5000
	}
	p := NewPool()
	for i := range rounds {
		if i%500 == 0 {
			p = NewPool()
			for _, s := range treeSymbols {
				p.Symbol(s)
			}
		}
		n += testTree(t, p, randomBytes(r, 200), func() map[string]int64 { return randomEnv(r) })
	}
	t.Logf("%d trees, %d evaluations compared", rounds, n)
}

// A symbol of one value is no constant, and has one form in sums, products and quotients all the same.
func TestSymbolsOfFewValuesKeepPythonValuesAndPrintBack(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	n := 0
	for range 200 {
		p := NewPool()
		random := fewValues(p, r)
		for range 40 {
			n += testTree(t, p, randomBytes(r, 200), random)
		}
	}
	t.Logf("%d evaluations compared", n)
}

func FuzzExpr(f *testing.F) {
	r := rand.New(rand.NewSource(2))
	for range 20 {
		f.Add(randomBytes(r, 100).data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := NewPool()
		for _, s := range treeSymbols {
			p.Symbol(s)
		}
		r := rand.New(rand.NewSource(3))
		testTree(t, p, &dice{data}, func() map[string]int64 { return randomEnv(r) })
	})
}

func TestAdditionAndMultiplicationCommuteAndAssociate(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for range 5000 {
		p := NewPool()
		if r.Intn(2) == 0 {
			fewValues(p, r)
		}
		for _, s := range treeSymbols {
			p.Symbol(s)
		}
		var x [3]*Expr
		for i := range x {
			x[i] = randomBytes(r, 60).grow(3, 4, false).build(p)
		}
		for _, op := range []func(a, b *Expr) *Expr{p.Add, p.Mul} {
			if ab, ba := op(x[0], x[1]), op(x[1], x[0]); ab != ba {
				t.Fatalf("%v, %v: %v and %v", x[0], x[1], ab, ba)
			}
			l, r := op(op(x[0], x[1]), x[2]), op(x[0], op(x[1], x[2]))
			if l != nil && r != nil && l != r {
				t.Fatalf("%v, %v, %v: %v and %v", x[0], x[1], x[2], l, r)
			}
		}
		if d := p.Sub(p.Add(x[0], x[1]), x[1]); d != nil && d != x[0] {
			t.Fatalf("(%v + %v) - %v is %v", x[0], x[1], x[1], d)
		}
	}
}
