// This file compares Decide, Solve, Assume and Range with enumeration of all sizes of small domains.

package symshape

import (
	"fmt"
	"math"
	"math/rand"
	"testing"
	"time"
)

// growCond makes a condition over trees, and its reference evaluation.
func (d *dice) growCond(symbols int, flat bool) *condTree {
	switch k := d.roll(8); k { // zero, which is what an empty stream gives, ends the recursion
	case 1, 2:
		if d.roll(2) == 0 {
			return &condTree{op: []string{"and", "or"}[k-1], kids: []*condTree{d.growCond(symbols, flat), d.growCond(symbols, flat)}}
		}
	case 3:
		if d.roll(3) == 0 {
			return &condTree{op: "not", kids: []*condTree{d.growCond(symbols, flat)}}
		}
	}
	op := []string{"==", "==", "!=", "<", "<=", ">", ">="}[d.roll(7)]
	depth := 1 + d.roll(3)
	c := &condTree{op: op, a: d.grow(depth, symbols, flat)}
	if d.roll(3) == 0 {
		c.b = d.grow(depth, symbols, flat)
	} else {
		c.b = &tree{op: "n", n: int64(d.roll(12))}
	}
	return c
}

type condTree struct {
	op   string
	a, b *tree
	kids []*condTree
}

func (c *condTree) build(p *Pool) *Cond {
	if c.kids != nil {
		x := c.kids[0].build(p)
		switch c.op {
		case "and":
			return p.And(x, c.kids[1].build(p))
		case "or":
			return p.Or(x, c.kids[1].build(p))
		}
		return p.Not(x)
	}
	a, b := c.a.build(p), c.b.build(p)
	return map[string]func(a, b *Expr) *Cond{"==": p.Eq, "!=": p.Ne, "<": p.Lt, "<=": p.Le, ">": p.Gt, ">=": p.Ge}[c.op](a, b)
}

func (c *condTree) eval(env map[string]int64) (v, ok bool) {
	if c.kids != nil {
		if v, ok = c.kids[0].eval(env); !ok || c.op == "not" {
			return !v, ok
		}
		w, ok := c.kids[1].eval(env)
		if c.op == "and" {
			return v && w, ok
		}
		return v || w, ok
	}
	a, ok := c.a.eval(env)
	if !ok {
		return false, false
	}
	b, ok := c.b.eval(env)
	switch c.op {
	case "==":
		v = a == b
	case "!=":
		v = a != b
	case "<":
		v = a < b
	case "<=":
		v = a <= b
	case ">":
		v = a > b
	default:
		v = a >= b
	}
	return v, ok
}

func (c *condTree) String() string {
	if c.op == "not" {
		return "not (" + c.kids[0].String() + ")"
	}
	if c.kids != nil {
		return "(" + c.kids[0].String() + ") " + c.op + " (" + c.kids[1].String() + ")"
	}
	return c.a.String() + " " + c.op + " " + c.b.String()
}

// domains enumerates all assignments of symbols 1 … hi.
func domains(symbols int, hi int64, f func(env map[string]int64)) {
	env := map[string]int64{}
	var walk func(i int)
	walk = func(i int) {
		if i == symbols {
			f(env)
			return
		}
		for v := int64(1); v <= hi; v++ {
			env[treeSymbols[i]] = v
			walk(i + 1)
		}
	}
	walk(0)
}

// decideStats counts what Decide answered where enumeration has an answer.
type decideStats struct{ proved, sometimes, open, total int }

// testDecide checks one random question under random facts on the domain 1 … hi of each symbol.
func testDecide(t *testing.T, d *dice, symbols int, hi int64, flat bool, stats *decideStats) {
	p := NewPool()
	for _, s := range treeSymbols[:symbols] {
		p.Declare(s, 1, hi)
	}
	var given []*condTree
	for range d.roll(3) {
		given = append(given, d.growCond(symbols, flat))
	}
	asked := d.growCond(symbols, flat)
	c := asked.build(p)
	if c == nil {
		return
	}
	f, feasible := Facts{}, true
	for _, g := range given {
		k := g.build(p)
		if k == nil {
			return
		}
		if f, feasible = f.Assume(k); !feasible {
			break
		}
	}
	back, err := p.ParseCond(c.String())
	if err != nil || back != c {
		t.Fatalf("%v prints as %q, which reads as %v, %v", asked, c, back, err)
	}
	var dec Decision
	var solved *Cond
	lo, up := int64(NegInf), int64(PosInf)
	var e *Expr
	if feasible {
		dec = f.Decide(c)
		solved = f.Solve(c)
		e = d.grow(3, symbols, flat).build(p)
		lo, up = f.Range(e)
	}
	some, none, points := false, false, 0
	domains(symbols, hi, func(env map[string]int64) {
		for _, g := range given {
			if v, ok := g.eval(env); !ok || !v {
				return
			}
		}
		if !feasible {
			t.Fatalf("facts %v were refused, but hold at %v", given, env)
		}
		v, ok := asked.eval(env)
		if !ok {
			return
		}
		points++
		some, none = some || v, none || !v
		if w, err := c.Eval(Env(env)); err == nil && w != v {
			t.Fatalf("%v became %v: %v at %v", asked, c, w, env)
		}
		if w, err := solved.Eval(Env(env)); err == nil && w != v {
			t.Fatalf("under %v, Solve(%v) is %v: %v at %v", given, asked, solved, w, env)
		}
		if x, err := e.Eval(Env(env)); err == nil && (x < lo || x > up) {
			t.Fatalf("under %v, %v is %d at %v, outside of %d … %d", given, e, x, env, lo, up)
		}
	})
	if !feasible || points == 0 {
		return
	}
	if dec.Answer == Yes && none || dec.Answer == No && some {
		t.Fatalf("under %v, Decide(%v) is %v, but it is sometimes otherwise", given, asked, dec.Answer)
	}
	for _, w := range []struct {
		*Witness
		want bool
	}{{dec.True, true}, {dec.False, false}} {
		if w.Witness == nil {
			continue
		}
		env := map[string]int64{}
		for _, s := range treeSymbols[:symbols] {
			env[s] = 1 // where it is not known it does not matter
			if n, ok := w.Size(s); ok {
				env[s] = n
			}
		}
		for _, g := range given {
			if v, ok := g.eval(env); ok && !v {
				t.Fatalf("under %v, the witness %v for %v violates %v", given, env, asked, g)
			}
		}
		if v, ok := asked.eval(env); ok && v != w.want {
			t.Fatalf("under %v, the witness %v says that %v is %v", given, env, asked, w.want)
		}
	}
	stats.total++
	switch {
	case dec.Answer != Unknown:
		stats.proved++
	case dec.Sometimes():
		stats.sometimes++
	default:
		stats.open++
		if symbols == 1 && flat {
			t.Fatalf("under %v, %v (%v) was not decided: sometimes true %v, sometimes false %v", given, asked, c, some, none)
		}
	}
}

func TestDecideAgreesWithEnumeration(t *testing.T) {
	for _, x := range []struct {
		name    string
		symbols int
		hi      int64
		flat    bool
		rounds  int
		decided float64 // share that must be decided
	}{
		{"one symbol, floor divisions by constants", 1, 40, true, 6000, 1},
		{"one symbol, anything", 1, 30, false, 4000, 0.98},
		{"two symbols, floor divisions by constants", 2, 13, true, 4000, 0.99},
		{"two symbols, anything", 2, 11, false, 3000, 0.97},
		{"three symbols, anything", 3, 6, false, 1200, 0.95},
		{"three symbols of one value", 3, 1, false, 1000, 1},
		{"three symbols of two values", 3, 2, false, 1000, 0.98},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := rand.New(rand.NewSource(5))
			var st decideStats
			for range x.rounds {
				testDecide(t, randomBytes(r, 300), x.symbols, x.hi, x.flat, &st)
			}
			t.Logf("%+v", st)
			if share := float64(st.total-st.open) / float64(st.total); share < x.decided {
				t.Errorf("only %.3f of the questions were decided", share)
			}
		})
	}
}

func TestConjunctionAndDisjunctionCommuteAndAssociate(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	formulas := 0
	for range 3000 {
		p := NewPool()
		for _, s := range treeSymbols {
			p.Symbol(s)
		}
		var x [3]*Cond
		for i := range x {
			if x[i] = randomBytes(r, 60).growCond(4, true).build(p); x[i] != nil && x[i].args != nil {
				formulas++
			}
		}
		for _, op := range []func(cs ...*Cond) *Cond{p.And, p.Or} {
			if ab, ba := op(x[0], x[1]), op(x[1], x[0]); ab != ba {
				t.Fatalf("%v, %v: %v and %v", x[0], x[1], ab, ba)
			}
			l, r := op(op(x[0], x[1]), x[2]), op(x[0], op(x[1], x[2]))
			if l != nil && r != nil && l != r {
				t.Fatalf("%v, %v, %v: %v and %v", x[0], x[1], x[2], l, r)
			}
		}
	}
	if formulas < 400 {
		t.Errorf("%d of the parts are formulas", formulas)
	}
}

// A condition that no arithmetic reaches is tried at the sizes that models are built for: counts of heads, patches, images, widths.
func TestUsualSizesAreTried(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 4, 8, 12, 16, 20, 24, 32, 48, 49, 64, 65, 96, 128, 196, 197, 224, 225, 227, 256, 257, 299, 320, 384,
		512, 640, 768,
		1000, 1024, 2048, 4096} {
		p := NewPool()
		c, err := p.ParseCond(fmt.Sprintf("int(sqrt(H) * 1000) == %d", int64(math.Sqrt(float64(n))*1000))) // for this size alone
		if err != nil {
			t.Fatal(err)
		}
		if d := (Facts{}).Decide(c); sizeOf(d.True, "H") != n || d.False == nil {
			t.Errorf("%v: %+v, want a witness with H = %d and one against it", c, d, n)
		}
	}
}

func FuzzDecide(f *testing.F) {
	r := rand.New(rand.NewSource(6))
	for range 20 {
		f.Add(randomBytes(r, 150).data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &dice{data}
		symbols := 1 + d.roll(3)
		start := time.Now()
		testDecide(t, d, symbols, []int64{30, 11, 6}[symbols-1], d.roll(2) == 0, &decideStats{})
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("took %v: the solver has a budget", took)
		}
	})
}
