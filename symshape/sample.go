// This file looks for witnesses: sizes for which a condition holds, and sizes for which it does not. It is
// deterministic, so that reports do not change from run to run.

package symshape

import "slices"

// sampleSizes are values worth trying for any size: small ones, and those around sizes models are built for.
var sampleSizes = [...]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 20, 24, 28, 31, 32, 33, 47, 48, 49, 63, 64, 65, 96, 100,
	127, 128, 129, 196, 197, 224, 225, 227, 255, 256, 257, 299, 300, 320, 384, 416, 512, 513, 640, 768, 1000, 1023, 1024, 1025, 2048, 4096}

// sampleRounds is the number of random combinations tried after the regular ones.
const sampleRounds = 160

// sample evaluates the question on sizes that satisfy the facts, and adds to the witnesses in d. The quick round gives
// all symbols similar sizes; it takes microseconds and refutes most of what is wrong. Symbols are
// given values in three ways: all alike, combinations of the first few, and random ones from a
// fixed linear congruential generator (Knuth's constants), so that each run tries the same sizes.
func (q *question) sample(d Decision, quick bool) Decision {
	if q.translation != nil && q.translation.none {
		return d
	}
	vals := make([][]int64, len(q.vars))
	mined := mineConstants(q.cond, nil)
	for _, g := range q.given {
		mined = mineConstants(g, mined)
	}
	for i, v := range q.vars {
		if vals[i] = candidates(v, mined); len(vals[i]) == 0 {
			return d // its bounds exclude each other: there are no sizes at all
		}
	}
	point := make([]int64, len(q.vars))
	env := q.env(point)
	try := func() bool {
		q.cond.pool.spend(1 + len(q.given))
		for _, g := range q.given {
			if ok, err := g.Eval(env); err != nil || !ok {
				return false
			}
		}
		ok, err := q.cond.Eval(env)
		if err != nil {
			return false
		}
		if ok && d.True == nil || !ok && d.False == nil {
			m := make(map[string]int64, len(q.vars))
			for i, v := range q.vars {
				m[v.name] = point[i]
			}
			if w := q.witness(m); w != nil {
				if ok {
					d.True = w
				} else {
					d.False = w
				}
			}
		}
		return d.Sometimes() || q.translation != nil && q.translation.none
	}
	// all symbols alike
	if quick || len(q.vars) == 1 {
		for k := range vals[0] {
			for i := range point {
				point[i] = vals[i][k%len(vals[i])]
			}
			if try() {
				break
			}
		}
		return d
	}
	// all combinations of the first few values
	k, total := gridSize(len(q.vars))
	for n := range total {
		for i := range point {
			point[i] = vals[i][(n%k)%len(vals[i])]
			n /= k
		}
		if try() {
			return d
		}
	}
	// random combinations, and the symbol that makes an equation true computed from the others
	seed := uint64(1)
	for range sampleRounds {
		for i := range point {
			seed = seed*6364136223846793005 + 1442695040888963407
			point[i] = vals[i][int(seed>>33)%len(vals[i])]
		}
		if try() || q.solvePoint(point, env) && try() {
			return d
		}
	}
	return d
}

// gridSize returns how many values of each of n symbols are combined, and how many combinations that makes.
func gridSize(n int) (each, total int) {
	switch {
	case n == 2:
		return 16, 256
	case n == 3:
		return 6, 216
	case n <= 6:
		return 2, 1 << n
	}
	return 1, 1
}

// maxPoints bounds the domains that are enumerated.
const maxPoints = 2048

// enumerate decides a question whose symbols have few values, by trying all. It is false when there are too many, or
// when a value cannot be computed. It is a proof in both directions, as all points are tried.
func (q *question) enumerate() (Answer, bool) {
	total := int64(1)
	for _, v := range q.vars {
		if v.lo == NegInf || v.hi == PosInf || v.hi-v.lo >= maxPoints {
			return Unknown, false
		}
		if total *= v.hi - v.lo + 1; total > maxPoints {
			return Unknown, false
		}
	}
	point := make([]int64, len(q.vars))
	env := q.env(point)
	some, none := false, false
next:
	for n := range total {
		for i, v := range q.vars {
			size := v.hi - v.lo + 1
			point[i] = v.lo + n%size
			n /= size
		}
		q.cond.pool.spend(1 + len(q.given))
		for _, g := range q.given {
			ok, err := g.Eval(env)
			if err != nil {
				return Unknown, false
			}
			if !ok {
				continue next
			}
		}
		ok, err := q.cond.Eval(env)
		if err != nil {
			return Unknown, false
		}
		some, none = some || ok, none || !ok
		if some && none {
			return Unknown, true
		}
	}
	switch {
	case some:
		return Yes, true
	case none:
		return No, true
	}
	return Unknown, false // the facts contradict each other
}

// env makes an environment of the values of the question's symbols at point.
func (q *question) env(point []int64) func(string) (int64, bool) {
	return func(name string) (int64, bool) {
		for i, v := range q.vars {
			if v.name == name {
				return point[i], true
			}
		}
		return 0, false
	}
}

// solvePoint changes one symbol of the point so that the condition, an equation linear in it,
// holds. Random values hardly ever make an equation true; this makes every trial useful.
func (q *question) solvePoint(point []int64, env func(string) (int64, bool)) bool {
	if q.cond.kind != condEQ && q.cond.kind != condNE {
		return false
	}
	e := q.cond.e
	for _, t := range e.terms {
		s := t.mono.atom()
		if s == nil || s.kind != atomSymbol || occurrences(e, s) != 1 {
			continue
		}
		v, err := e.Eval(env)
		if err != nil || v%t.coef != 0 {
			continue
		}
		for i, x := range q.vars {
			if n, ok := addOverflow(point[i], -v/t.coef); x == s && ok && n >= s.lo && n <= s.hi {
				point[i] = n
				return true
			}
		}
	}
	return false
}

// mineConstants collects the constants of a condition and their neighbours: a condition changes there.
func mineConstants(c *Cond, out []int64) []int64 {
	if c.e != nil {
		return mineExpr(c.e, out)
	}
	for _, x := range c.args {
		out = mineConstants(x, out)
	}
	return out
}

// mineExpr collects numbers of an expression, and those next to them, as values to try for its symbols: what a
// condition compares with is where it changes.
func mineExpr(e *Expr, out []int64) []int64 {
	if len(out) > 60 {
		return out
	}
	add := func(n int64) {
		if n < 0 {
			n = -n
		}
		if n > 4 && n < 1<<40 {
			out = append(out, n, n-1, n+1)
		}
	}
	add(e.c)
	for _, t := range e.terms {
		add(t.coef)
		if t.coef != 0 {
			add(e.c / t.coef)
		}
		for _, f := range t.mono.factors {
			for _, x := range f.atom.args {
				out = mineExpr(x, out)
			}
		}
	}
	return out
}

// candidates are the values to try for symbol v. The lower bound and its neighbours come first,
// then the bounds from above, the constants of the condition, and usual sizes of models.
func candidates(v *atom, mined []int64) []int64 {
	out := make([]int64, 0, 16+len(mined)+len(sampleSizes))
	var small [1 << 6]uint64 // the numbers of out that are below 64 * 64
	add := func(n int64) {
		if n < v.lo || n > v.hi {
			return
		}
		if n >= 0 && n>>6 < int64(len(small)) {
			if small[n>>6]&(1<<(n&63)) != 0 {
				return
			}
			small[n>>6] |= 1 << (n & 63)
		} else if slices.Contains(out, n) {
			return
		}
		out = append(out, n)
	}
	if v.lo != NegInf {
		for k := range int64(4) {
			add(v.lo + k)
		}
	} else {
		for k := range int64(6) {
			add(-k)
		}
		add(-100)
	}
	if v.hi != PosInf {
		add(v.hi)
		add(v.hi - 1)
	}
	for _, n := range mined {
		add(n)
	}
	for _, n := range sampleSizes {
		add(n)
	}
	if v.lo > 1024 {
		for k := range int64(32) {
			add(v.lo + k)
		}
	}
	return out
}

// A translation gives values of the user's symbols for those of a question's. It is made once for
// a question and used for each proposal.
type translation struct {
	// index has the values of the symbols that do not depend on the question's; nil where there are no facts.
	index *factIndex
	atoms []*atom
	exprs []*Expr // of atoms, in the question's symbols
	// conds are the facts that depend on them. The others are true of the values in index.
	conds []*Cond
	// none reports that the values in index do not satisfy the facts: no witness is found.
	none bool
}

// others gives a value to a symbol outside of a question. The value is 1, or the nearest one to
// it that the symbol's bounds allow.
func (p *Pool) others(name string) (int64, bool) {
	a := p.names[name]
	return min(max(1, a.lo), a.hi), true
}

// newTranslation prepares to read candidate values as values of all symbols: those that facts have expressed by
// others are computed, and those that nothing restricts are left out. It fails (none) when facts
// about symbols that the question does not touch are not true of the values that those get.
func (q *question) newTranslation() *translation {
	t := &translation{}
	var touched touchedFacts
	if q.facts.n != nil {
		t.index = q.facts.index()
		if touched = t.index.touched(q.vars); touched.fails {
			t.none = true
			return t
		}
		t.conds = touched.conds
	}
	for _, i := range touched.atoms {
		t.atoms, t.exprs = append(t.atoms, t.index.atoms[i]), append(t.exprs, t.index.exprs[i])
	}
	// Symbols which neither the question nor its facts restrict are left out, except where the user asked for them.
	for _, a := range q.asked.symbols() {
		if a.hidden || t.index.has(a) {
			continue
		}
		e := q.facts.reduce(a.self)
		if e.mentions(q.vars) {
			t.atoms, t.exprs = append(t.atoms, a), append(t.exprs, e)
		} else if _, err := e.Eval(q.pool.others); err != nil {
			t.none = true
			return t
		}
	}
	return t
}

// witness translates values of the remaining symbols to values of the user's. The others are filled in: everything
// must hold together.
func (q *question) witness(values map[string]int64) *Witness {
	w := q.translate(values)
	if w == nil {
		q.refused = true
	}
	return w
}

// translate makes a witness of candidate values, if all facts are true of them; nil if one is not. Proposals
// come from heuristics, so this is what makes a witness right.
func (q *question) translate(values map[string]int64) *Witness {
	if q.translation == nil {
		q.translation = q.newTranslation()
	}
	t := q.translation
	if t.none {
		return nil
	}
	env := func(name string) (int64, bool) {
		if v, ok := values[name]; ok {
			return v, true
		}
		return q.pool.others(name)
	}
	own := make(map[string]int64, len(t.atoms))
	for i, a := range t.atoms {
		v, err := t.exprs[i].Eval(env)
		if err != nil {
			return nil
		}
		own[a.name] = v
	}
	full := func(name string) (int64, bool) {
		if v, ok := own[name]; ok {
			return v, true
		}
		return t.index.value(name)
	}
	for _, c := range t.conds {
		if ok, err := c.Eval(full); err != nil || !ok {
			return nil
		}
	}
	return &Witness{q.pool, q.facts, own, values}
}

// A Witness is sizes that the facts of a question allow. It keeps those alone that the question decides: a program
// asks thousands of questions, about few of thousands of symbols.
//
// A witness is what makes a report credible: it can be shown to the user and tried.
type Witness struct {
	pool  *Pool
	facts Facts
	own   map[string]int64
	// values are those of the question's symbols.
	values map[string]int64
}

// Size is the size of a symbol; ok is false for one that is not known. Symbols outside of the
// question get the value that others gives them.
func (w *Witness) Size(name string) (n int64, ok bool) {
	if n, ok := w.own[name]; ok {
		return n, true
	}
	a := w.pool.names[name]
	if a == nil || a.hidden {
		return 0, false
	}
	n, err := w.facts.symbols()(a).Eval(w.pool.others)
	return n, err == nil
}
