// This file defines Cond, the canonical boolean formula over comparisons of expressions.

package symshape

import (
	"math"
	"slices"
	"sort"
	"sync/atomic"
)

type condKind uint8

const (
	condTrue condKind = iota
	condFalse
	condEQ // e == 0
	condNE // e != 0
	condGE // e >= 0
	condAnd
	condOr
)

// Cond is a condition on sizes: a comparison with zero, or a conjunction or disjunction of conditions. Like Expr it is
// made by a Pool, immutable and interned, and nil is the unknown condition. A strict comparison of integers is a
// weak one of the next integer, and negation is pushed to the comparisons, so there is no node
// for either. Interning makes equality of conditions equality of pointers, also for those written
// in another order, and lets each keep what was computed of it (its negation, symbols, size).
type Cond struct {
	pool *Pool
	next *Cond
	kind condKind
	e    *Expr
	args []*Cond
	id   uint64
	neg  *Cond                   // the negation, once it was asked for
	size int                     // see Parts; 0 of a comparison
	syms atomic.Pointer[[]*atom] // see symbols
	made atomic.Int32            // see plain: 0 until it was asked for, then plainly or not
}

const plainly, notPlainly = 1, 2

// plain reports whether c is made of symbols alone, without quotients, extrema and the like.
func (c *Cond) plain() bool {
	if m := c.made.Load(); m != 0 {
		return m == plainly
	}
	plain := true
	if c.e != nil {
		for _, t := range c.e.terms {
			for _, f := range t.mono.factors {
				plain = plain && f.atom.kind == atomSymbol
			}
		}
	}
	for _, x := range c.args {
		plain = plain && x.plain()
	}
	if c.made.Store(notPlainly); plain {
		c.made.Store(plainly)
	}
	return plain
}

type condKey struct {
	kind condKind
	e    *Expr
}

// Bool returns the condition that is always b.
func (p *Pool) Bool(b bool) *Cond {
	if b {
		return p.yes
	}
	return p.no
}

// NonNegative returns e if the condition is e >= 0, and nil otherwise. Every comparison of two integers but == and != is
// one of these.
func (c *Cond) NonNegative() *Expr {
	if c == nil || c.kind != condGE {
		return nil
	}
	return c.e
}

// Const returns the value of a condition that does not depend on any symbol.
func (c *Cond) Const() (value, ok bool) {
	if c == nil || c.kind != condTrue && c.kind != condFalse {
		return false, false
	}
	return c.kind == condTrue, true
}

// Eq returns a == b.
func (p *Pool) Eq(a, b *Expr) *Cond { return p.compare(condEQ, p.Sub(a, b)) }

// Ne returns a != b.
func (p *Pool) Ne(a, b *Expr) *Cond { return p.compare(condNE, p.Sub(a, b)) }

// Ge returns a >= b.
func (p *Pool) Ge(a, b *Expr) *Cond { return p.compare(condGE, p.Sub(a, b)) }

// Le returns a <= b.
func (p *Pool) Le(a, b *Expr) *Cond { return p.compare(condGE, p.Sub(b, a)) }

// Gt returns a > b.
func (p *Pool) Gt(a, b *Expr) *Cond { return p.compare(condGE, p.AddConst(p.Sub(a, b), -1)) }

// Lt returns a < b.
func (p *Pool) Lt(a, b *Expr) *Cond { return p.compare(condGE, p.AddConst(p.Sub(b, a), -1)) }

// Divides returns the condition that n divides a: a % n == 0.
func (p *Pool) Divides(n, a *Expr) *Cond { return p.Eq(p.Mod(a, n), p.Const(0)) }

// compare returns the canonical form of e ⋈ 0. Canonical form: the coefficients of all terms are
// divided by their greatest common divisor, rounding the constant down for ≥ and deciding = and ≠
// where it does not divide; positive factors that all terms have are dropped; of e = 0 and -e = 0
// the one with a positive first coefficient is taken. Bounds of e decide it where they can.
func (p *Pool) compare(kind condKind, e *Expr) *Cond {
	if e == nil {
		return nil
	}
	if len(e.terms) == 0 {
		return p.Bool(kind == condEQ && e.c == 0 || kind == condNE && e.c != 0 || kind == condGE && e.c >= 0)
	}
	for again := true; again; {
		g := e.content()
		if kind != condGE && e.c%g != 0 {
			return p.Bool(kind == condNE)
		}
		// g·x + c >= 0 exactly if x >= -c/g, that is x + floor(c/g) >= 0
		r := p.dropPositiveFactors(kind, p.divContent(e, g, floorDiv(e.c, g)))
		again = r != e && len(r.terms) > 0
		e = r
	}
	if c := p.compareRoot(kind, e); c != nil {
		return c
	}
	if kind == condGE {
		if e.lo >= 0 {
			return p.yes
		}
		if e.hi < 0 {
			return p.no
		}
	} else {
		if e.lo > 0 || e.hi < 0 {
			return p.Bool(kind == condNE)
		}
		if e.lo == e.hi { // 0
			return p.Bool(kind == condEQ)
		}
		if e.terms[0].coef < 0 {
			if e = p.Neg(e); e == nil {
				return nil
			}
		}
	}
	key := condKey{kind, e}
	if c := p.conds[key]; c != nil {
		return c
	}
	p.ids++
	c := &Cond{pool: p, kind: kind, e: e, id: p.ids}
	p.conds[key] = c
	return c
}

// dropPositiveFactors divides by the atoms that are positive and occur in all terms: m·x == 0 is x == 0, m·x >= 0 is
// x >= 0, and m·x >= 1 is x >= 1. A factor may be dropped only when its lower bound is at least
// 1, since a zero factor would make the comparison true whatever the rest is.
func (p *Pool) dropPositiveFactors(kind condKind, e *Expr) *Expr {
	one := e.c == -1 && kind == condGE && len(e.terms) == 1 && e.terms[0].coef == 1
	if e.c != 0 && !one {
		return e
	}
	m := p.gcdMono(e.terms, e.terms[0].mono)
	if m == nil {
		return e
	}
	for _, f := range m.factors {
		if f.atom.lo <= 0 {
			continue
		}
		x, y := e.terms[0].mono, p.internMono([]factor{f})
		if one && x == y {
			break // x >= 1 itself
		}
		e = p.divByMono(e, y)
	}
	return e
}

// Not returns the negation of c. It is the condition for integers: the negation of e ≥ 0 is -e -
// 1 ≥ 0. An unknown condition has an unknown negation.
func (p *Pool) Not(c *Cond) *Cond {
	if c == nil {
		return nil
	}
	switch c.kind {
	case condTrue:
		return p.no
	case condFalse:
		return p.yes
	}
	if c.neg != nil { // parts are shared, so that walking them anew each time grows exponentially
		return c.neg
	}
	switch c.kind {
	case condEQ:
		c.neg = p.compare(condNE, c.e)
		return c.neg
	case condNE:
		c.neg = p.compare(condEQ, c.e)
		return c.neg
	case condGE:
		c.neg = p.compare(condGE, p.AddConst(p.Neg(c.e), -1))
		return c.neg
	}
	args := make([]*Cond, len(c.args))
	for i, x := range c.args {
		args[i] = p.Not(x)
	}
	if c.kind == condAnd {
		c.neg = p.Or(args...)
	} else {
		c.neg = p.And(args...)
	}
	return c.neg
}

// And returns the conjunction of cs; of none, the condition that is always true. If one of them is unknown, so is the
// conjunction, unless another one is false.
func (p *Pool) And(cs ...*Cond) *Cond { return p.join(condAnd, p.yes, p.no, cs) }

// Or returns the disjunction of cs; of none, the condition that is never true.
func (p *Pool) Or(cs ...*Cond) *Cond { return p.join(condOr, p.no, p.yes, cs) }

// join makes And and Or. Equal parts are dropped, nested ones flattened, and a part beside its negation decides
// the whole; parts are sorted, so that the same condition written in another order is the same
// pointer. An unknown part makes the whole unknown only when no other part decides it.
func (p *Pool) join(kind condKind, neutral, dominant *Cond, cs []*Cond) *Cond {
	var args []*Cond
	unknown := false
	for _, c := range cs {
		switch {
		case c == nil:
			unknown = true
		case c == dominant:
			return dominant
		case c == neutral:
		case c.kind == kind:
			args = append(args, c.args...)
		default:
			args = append(args, c)
		}
	}
	if unknown {
		return nil
	}
	if added := p.addPart(kind, cs, args); added != nil {
		return p.formula(kind, added)
	}
	args = p.tighten(kind, args)
	if p.oppose(args) || slices.Contains(args, dominant) {
		return dominant
	}
	switch len(args) {
	case 0:
		return neutral
	case 1:
		return args[0]
	}
	sort.SliceStable(args, func(i, j int) bool { return compareCond(args[i], args[j]) < 0 })
	return p.formula(kind, args)
}

// addPart is the short way of join for one more part behind a formula of many, as loops make them: these are tight and in order. It gives
// nil where that is not so, and where the part has to do with one of them.
func (p *Pool) addPart(kind condKind, cs, args []*Cond) []*Cond {
	if len(args) <= manyParts || len(cs) != 2 || cs[0].kind != kind || len(args) != len(cs[0].args)+1 || cs[1].kind == kind ||
		cs[1].kind <= condFalse {
		return nil
	}
	parts, c, not := args[:len(args)-1], cs[1], p.Not(cs[1])
	p.spend(len(parts))
	for _, d := range parts {
		if d == c || d == not || c.kind == condGE && d.kind == condGE && slices.Equal(c.e.terms, d.e.terms) {
			return nil
		}
	}
	i := sort.Search(len(parts), func(i int) bool { return compareCond(parts[i], c) > 0 })
	return slices.Insert(parts, i, c)
}

// formula interns a formula of parts that are tight and in order.
func (p *Pool) formula(kind condKind, args []*Cond) *Cond {
	h := mix(hashSeed, uint64(kind))
	for _, a := range args {
		h = mix(h, a.id)
	}
	for c := p.conjs[h]; c != nil; c = c.next {
		if c.kind == kind && slices.Equal(c.args, args) {
			return c
		}
	}
	p.ids++
	c := &Cond{pool: p, next: p.conjs[h], kind: kind, args: args, id: p.ids}
	for _, a := range args {
		c.size = min(c.size+a.Parts(), math.MaxInt32)
	}
	p.conjs[h] = c
	return c
}

// oppose reports whether one of the conditions is the opposite of another. It takes a time that is linear in their number: conditions
// of loops over symbols have thousands of parts.
func (p *Pool) oppose(args []*Cond) bool {
	if len(args) <= manyParts { // what nearly all are: no map is made for them
		for i, a := range args {
			if slices.Contains(args[:i], p.Not(a)) {
				return true
			}
		}
		return false
	}
	p.spend(len(args))
	among := make(map[*Cond]bool, len(args))
	for _, a := range args {
		if among[p.Not(a)] {
			return true
		}
		among[a] = true
	}
	return false
}

// manyParts is how many parts a condition has for which opposites are looked up.
const manyParts = 8

// tighten removes duplicates, and of two comparisons x >= a and x >= b keeps the one that
// matters. Two comparisons of one linear form differ in their constants alone.
func (p *Pool) tighten(kind condKind, args []*Cond) []*Cond {
	if len(args) > manyParts {
		return p.tightenMany(kind, args)
	}
	out := args[:0:0]
next:
	for _, c := range args {
		for i, d := range out {
			if c == d {
				continue next
			}
			if c.kind == condGE && d.kind == condGE && slices.Equal(c.e.terms, d.e.terms) {
				if isTighter(kind, c, d) {
					out[i] = c
				}
				continue next
			}
		}
		out = append(out, c)
	}
	return out
}

// tightenMany is tighten in a time that is linear in the number of conditions.
func (p *Pool) tightenMany(kind condKind, args []*Cond) []*Cond {
	p.spend(len(args))
	out := make([]*Cond, 0, len(args))
	met := make(map[*Cond]bool, len(args))
	bounds := map[*Expr]int{} // in out, by the linear form without its constant
	for _, c := range args {
		if met[c] {
			continue
		}
		met[c] = true
		if c.kind == condGE {
			if form := p.Sub(c.e, p.Const(c.e.c)); form != nil { // nil: the difference overflows
				if i, ok := bounds[form]; ok {
					if isTighter(kind, c, out[i]) {
						out[i] = c
					}
					continue
				}
				bounds[form] = len(out)
			}
		}
		out = append(out, c)
	}
	return out
}

// isTighter reports whether of two bounds c and d of one linear form c is the one that matters: x >= 3 of x >= 3 and x >= 2 where both
// are to be true, x >= 2 where one is.
func isTighter(kind condKind, c, d *Cond) bool { return (c.e.c < d.e.c) == (kind == condAnd) }

// compareCond orders the parts of a formula: by expression, comparisons before formulas. The
// order follows the declaration of the symbols and not the making of the conditions, so that
// texts are the same in each run.
func compareCond(a, b *Cond) int {
	if a == b {
		return 0
	}
	if (a.e == nil) != (b.e == nil) {
		if a.e != nil {
			return -1
		}
		return 1
	}
	if a.e != nil {
		if s, t := firstSymbol(a.e), firstSymbol(b.e); s != t {
			return int(s) - int(t)
		}
		if a.kind != b.kind {
			return int(b.kind) - int(a.kind) // ranges before equations
		}
		return -compareExpr(a.e, b.e)
	}
	// both are disjunctions in a conjunction, or the other way round
	for i := range min(len(a.args), len(b.args)) {
		if c := compareCond(a.args[i], b.args[i]); c != 0 {
			return c
		}
	}
	return len(a.args) - len(b.args)
}

func firstSymbol(e *Expr) int32 {
	order := int32(noOrder)
	for _, t := range e.terms {
		for _, f := range t.mono.factors {
			order = min(order, f.atom.order)
		}
	}
	return order
}

// Parts counts the comparisons of c as it is written, each as often as it stands there. Shared
// parts are counted each time, as a reader would see them; the count saturates.
func (c *Cond) Parts() int {
	if c == nil || c.size == 0 {
		return 1
	}
	return c.size
}

// Symbols returns the symbols of c in declaration order.
func (c *Cond) Symbols() []*Expr {
	set := symSet{atoms: c.symbols()}
	return set.exprs()
}

// EachSize calls do with the symbols of c, as one size that is none of its own.
func (c *Cond) EachSize(do func(n int64, isNumber bool, symbols []string)) {
	var names []string
	for _, a := range c.symbols() {
		names = append(names, a.name)
	}
	do(0, false, names)
}

// ComparesNumber reports whether c compares one term with a number, or has a part that does: C == 64, H % 32 == 0, but not H == W.
func (c *Cond) ComparesNumber() bool {
	if c == nil {
		return false
	}
	return c.e != nil && len(c.e.terms) == 1 || slices.ContainsFunc(c.args, (*Cond).ComparesNumber)
}

// symbols are the symbols of c in declaration order. Callers do not change them.
func (c *Cond) symbols() []*atom {
	if c == nil {
		return nil
	}
	if known := c.syms.Load(); known != nil {
		return *known
	}
	var set symSet
	set.addExpr(c.e)
	for _, x := range c.args {
		x.collect(&set)
	}
	c.syms.Store(&set.atoms)
	return set.atoms
}

func (c *Cond) collect(set *symSet) {
	for _, a := range c.symbols() {
		set.addAtom(a)
	}
}

// Conjuncts returns the parts of a conjunction; c itself if it is none.
func (c *Cond) Conjuncts() []*Cond {
	if c != nil && c.kind == condAnd {
		return c.args
	}
	return []*Cond{c}
}

// Eval computes c with the symbols' values from env. As in Python, a part that decides the whole hides an error in
// a later one. The error is that a symbol has no value, a division by zero, an overflow, or the
// unknown condition.
func (c *Cond) Eval(env func(sym string) (int64, bool)) (bool, error) {
	if c == nil {
		return false, errUnknown
	}
	switch c.kind {
	case condTrue, condFalse:
		return c.kind == condTrue, nil
	case condAnd, condOr:
		for _, x := range c.args {
			v, err := x.Eval(env)
			if err != nil {
				return false, err
			}
			if v == (c.kind == condOr) {
				return v, nil
			}
		}
		return c.kind == condAnd, nil
	}
	v, err := c.e.Eval(env)
	if err != nil {
		return false, err
	}
	switch c.kind {
	case condEQ:
		return v == 0, nil
	case condNE:
		return v != 0, nil
	}
	return v >= 0, nil
}

// SubstCond returns c with every symbol s replaced by f(s), as Subst does. The result is
// simplified as if it had been made of the new expressions.
func (p *Pool) SubstCond(c *Cond, f func(sym *Expr) *Expr) *Cond {
	s := substituter{pool: p, symbol: f}
	return s.cond(c)
}

// cond substitutes in a condition; what does not change is the same pointer afterwards.
func (s *substituter) cond(c *Cond) *Cond {
	if c == nil || c.kind == condTrue || c.kind == condFalse {
		return c
	}
	if c.e != nil {
		if e := s.expr(c.e); e != c.e {
			return s.pool.compare(c.kind, e)
		}
		return c
	}
	args := make([]*Cond, len(c.args))
	for i, x := range c.args {
		args[i] = s.cond(x)
	}
	if slices.Equal(args, c.args) {
		return c
	}
	if c.kind == condAnd {
		return s.pool.And(args...)
	}
	return s.pool.Or(args...)
}
