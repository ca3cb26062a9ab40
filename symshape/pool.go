// This file holds Pool: it makes symbols and interns monomials, atoms and expressions.

package symshape

import (
	"maps"
	"slices"
	"strconv"
)

// Pool makes and interns the expressions of one analysis and is dropped with it. It is not safe for concurrent use.
type Pool struct {
	small   [smallMax - smallMin + 1]*Expr // constants met so far
	consts  map[int64]*Expr
	exprs   map[uint64]*Expr
	monos   map[uint64]*mono
	atoms   map[uint64]*atom
	conds   map[condKey]*Cond
	conjs   map[uint64]*Cond
	reals   map[uint64]*realNode
	decided map[*Cond]Decision // under no facts
	earlier map[questionKey]*earlier
	lists   map[listKey]int
	divs    map[divKey]*Expr // results of FloorDiv; the same divisions occur again and again
	ids     uint64
	work    int64
	evals   int64
	// factIndex is that of the facts that were asked last.
	factIndex *factIndex
	symbols   []*atom // in declaration order
	names     map[string]*atom
	fresh     map[string]int
	buf       []term // scratch space of the arithmetic
	// Cancel, unless it is nil, ends work with the pool when it is closed: the function
	// at work panics with Cancelled, and the pool is not to be used any more.
	Cancel  <-chan struct{}
	fbuf    []factor
	yes, no *Cond
}

type divKey struct{ a, b *Expr }

const (
	smallMin = -32
	smallMax = 287
)

// NewPool returns an empty pool.
func NewPool() *Pool {
	p := &Pool{
		consts:  map[int64]*Expr{},
		exprs:   map[uint64]*Expr{},
		monos:   map[uint64]*mono{},
		atoms:   map[uint64]*atom{},
		conds:   map[condKey]*Cond{},
		conjs:   map[uint64]*Cond{},
		reals:   map[uint64]*realNode{},
		decided: map[*Cond]Decision{},
		earlier: map[questionKey]*earlier{},
		lists:   map[listKey]int{},
		divs:    map[divKey]*Expr{},
		names:   map[string]*atom{},
		fresh:   map[string]int{},
	}
	p.yes = &Cond{pool: p, kind: condTrue}
	p.no = &Cond{pool: p, kind: condFalse}
	return p
}

// Size is the number of expressions and conditions that were made.
func (p *Pool) Size() int { return len(p.exprs) + len(p.conds) + len(p.conjs) }

// Work counts what was done with expressions of the pool: terms and factors of those
// that were asked for, and conditions tried on sample sizes. The same program gives the
// same number on every machine.
func (p *Pool) Work() int64 { return p.work }

// A cancelled is what Cancelled is.
type cancelled struct{}

func (cancelled) Error() string { return "cancelled" }

// Cancelled is the panic that leaves the work with a pool whose Cancel was closed. A
// panic and no result, since from the middle of a proof no answer would be right, and
// nobody who asks could go on without one. Who closes the channel recovers it.
var Cancelled error = cancelled{}

// CheckCancel panics with Cancelled when Cancel was closed.
func (p *Pool) CheckCancel() {
	if p.Cancel == nil {
		return
	}
	select {
	case <-p.Cancel:
		panic(Cancelled)
	default:
	}
}

// spend counts work, and ends it when it was cancelled.
func (p *Pool) spend(n int) {
	before := p.work
	p.work += int64(n)
	if p.Cancel != nil && before>>cancelBits != p.work>>cancelBits {
		p.CheckCancel()
	}
}

// cancelBits says how often Cancel is looked at: after 2^cancelBits units of work.
const cancelBits = 8

// Evals counts the terms of expressions that were evaluated for single sizes. Like Work
// it is the same on every machine.
func (p *Pool) Evals() int64 { return p.evals }

// Const returns the constant n.
func (p *Pool) Const(n int64) *Expr {
	if n >= smallMin && n <= smallMax {
		if e := p.small[n-smallMin]; e != nil {
			return e
		}
	} else if e := p.consts[n]; e != nil {
		return e
	}
	e := &Expr{pool: p, hash: mix(hashSeed, uint64(n)), c: n, lo: n, hi: n}
	if n >= smallMin && n <= smallMax {
		p.small[n-smallMin] = e
	} else {
		p.consts[n] = e
	}
	return e
}

// Symbol returns the symbol of that name. A new one gets the bounds of a size of an argument: 1 or more.
func (p *Pool) Symbol(name string) *Expr { return p.Declare(name, 1, PosInf) }

// Declare returns the symbol of that name, made with the bounds lo … hi (NegInf, PosInf: none) if it is new.
// The bounds of a symbol never change, since canonical forms rest on them: max(H, 1) is H when H is at least 1.
// What becomes known later is for Facts. The order of declaration is the order of printing.
func (p *Pool) Declare(name string, lo, hi int64) *Expr {
	if a := p.names[name]; a != nil {
		return a.self
	}
	return p.newSymbol(name, lo, hi).self
}

// Lookup returns the symbol of that name, or nil when it has not been declared.
func (p *Pool) Lookup(name string) *Expr {
	if a := p.names[name]; a != nil {
		return a.self
	}
	return nil
}

// Symbols returns all symbols in declaration order.
func (p *Pool) Symbols() []*Expr {
	var out []*Expr
	for _, a := range p.symbols {
		out = append(out, a.self)
	}
	return out
}

// Fresh returns a new symbol prefix0, prefix1 … which clashes with no declared name: a size that comes from data.
// Its lower bound is 0.
func (p *Pool) Fresh(prefix string) *Expr { return p.FreshIn(prefix, 0, PosInf) }

// FreshIn is Fresh with bounds.
func (p *Pool) FreshIn(prefix string, lo, hi int64) *Expr {
	for {
		name := prefix + strconv.Itoa(p.fresh[prefix])
		p.fresh[prefix]++
		if p.names[name] == nil {
			a := p.newSymbol(name, lo, hi)
			a.fresh = true
			return a.self
		}
	}
}

// IsFresh reports whether e is a symbol made by Fresh.
func (e *Expr) IsFresh() bool {
	a := e.atom()
	return a != nil && a.kind == atomSymbol && a.fresh
}

// hiddenSymbol returns a symbol for the solver's own use: what, with other bounds. The same question asked twice makes
// no new symbols. Its name is no Python name and never leaves the package; it sorts where the symbol like does.
func (p *Pool) hiddenSymbol(what string, like *atom, lo, hi int64) *Expr {
	name := "$" + what + ":" + strconv.FormatInt(lo, 10) + ":" + strconv.FormatInt(hi, 10)
	a := p.names[name]
	if a == nil {
		a = p.newSymbolAt(name, lo, hi, like.order)
		a.hidden = true
	}
	return a.self
}

func (p *Pool) newSymbol(name string, lo, hi int64) *atom {
	a := p.newSymbolAt(name, lo, hi, int32(len(p.symbols)))
	p.symbols = append(p.symbols, a)
	return a
}

func (p *Pool) newSymbolAt(name string, lo, hi int64, order int32) *atom {
	p.ids++
	a := &atom{kind: atomSymbol, id: p.ids, name: name, order: order, weight: 1, lo: lo, hi: hi}
	p.names[name] = a
	p.finishAtom(a)
	return a
}

// finishAtom makes the expression 1·a. A compound atom that can have one value only is that value; a symbol stays one
// even then, in sums and products too, so that each expression has one form.
func (p *Pool) finishAtom(a *atom) {
	if a.kind != atomSymbol && a.lo == a.hi && a.lo != NegInf && a.lo != PosInf {
		a.self = p.Const(a.lo)
		return
	}
	one := [1]factor{{a, 1}}
	m := p.internMono(one[:])
	t := [1]term{{1, m}}
	a.self = p.intern(t[:], 0)
}

// A Mark is which symbols a pool had at one time.
type Mark struct {
	symbols     []*atom
	names       map[string]*atom
	fresh       map[string]int
	work, evals int64
}

// Mark returns the symbols of the pool as they are now, for Return.
func (p *Pool) Mark() Mark {
	return Mark{slices.Clip(p.symbols), maps.Clone(p.names), maps.Clone(p.fresh), p.work, p.evals}
}

// Return has the pool have the symbols that it had at m, and counts of work as they were. All expressions stay what
// they are: what was made since is in no way of what is made now, of which a symbol of the same name is another one.
func (p *Pool) Return(m Mark) {
	p.symbols, p.names, p.fresh = m.symbols, maps.Clone(m.names), maps.Clone(m.fresh)
	p.work, p.evals = m.work, m.evals
}

const hashSeed = 0x9e3779b97f4a7c15

func mix(h, x uint64) uint64 {
	h ^= x
	h *= 0xff51afd7ed558ccd
	return h ^ h>>32
}

// intern returns the expression with these terms, which must be in canonical order without zero coefficients.
// The slice is copied if it is kept.
func (p *Pool) intern(terms []term, c int64) *Expr {
	if len(terms) == 0 {
		return p.Const(c)
	}
	if len(terms) > maxTerms {
		return nil
	}
	p.spend(len(terms))
	h := mix(hashSeed, uint64(c))
	for _, t := range terms {
		h = mix(mix(h, uint64(t.coef)), t.mono.id)
	}
	head := p.exprs[h]
next:
	for e := head; e != nil; e = e.next {
		if e.c != c || len(e.terms) != len(terms) {
			continue
		}
		for i, t := range e.terms {
			if t != terms[i] {
				continue next
			}
		}
		return e
	}
	e := &Expr{pool: p, next: head, hash: h, c: c}
	if len(terms) <= len(e.inl) {
		e.terms = e.inl[:len(terms):len(terms)]
		copy(e.terms, terms)
	} else {
		e.terms = append([]term(nil), terms...)
	}
	lo, hi := c, c
	for _, t := range terms {
		tl, th := mulRange(t.mono.lo, t.mono.hi, t.coef, t.coef)
		lo, hi = addBound(lo, tl), addBound(hi, th)
		e.depth = max(e.depth, t.mono.depth)
		e.weight += t.mono.weight
	}
	e.lo, e.hi = lo, hi
	p.exprs[h] = e
	return e
}

// internMono returns the monomial with these factors, which must be sorted and have positive powers.
func (p *Pool) internMono(fs []factor) *mono {
	p.spend(len(fs))
	h := uint64(hashSeed)
	for _, f := range fs {
		h = mix(mix(h, f.atom.id), uint64(f.pow))
	}
	head := p.monos[h]
next:
	for m := head; m != nil; m = m.next {
		if len(m.factors) != len(fs) {
			continue
		}
		for i, f := range m.factors {
			if f != fs[i] {
				continue next
			}
		}
		return m
	}
	p.ids++
	m := &mono{next: head, hash: h, id: p.ids, lo: 1, hi: 1}
	if len(fs) <= len(m.inl) {
		m.factors = m.inl[:len(fs):len(fs)]
		copy(m.factors, fs)
	} else {
		m.factors = append([]factor(nil), fs...)
	}
	for _, f := range fs {
		m.deg += f.pow
		m.depth = max(m.depth, f.atom.depth)
		m.weight = min(m.weight+f.atom.weight, 4*maxWeight)
		lo, hi := powRange(f.atom.lo, f.atom.hi, int(f.pow))
		m.lo, m.hi = mulRange(m.lo, m.hi, lo, hi)
	}
	p.monos[h] = m
	return m
}

// internAtom returns the compound atom with these parts. args is kept.
func (p *Pool) internAtom(kind atomKind, args []*Expr, round Rounding, real *realNode) *Expr {
	h := mix(mix(hashSeed, uint64(kind)), uint64(round))
	for _, x := range args {
		h = mix(h, x.hash)
	}
	if real != nil {
		h = mix(h, real.hash)
	}
	head := p.atoms[h]
next:
	for a := head; a != nil; a = a.next {
		if a.kind != kind || a.round != round || a.real != real || len(a.args) != len(args) {
			continue
		}
		for i, x := range a.args {
			if x != args[i] {
				continue next
			}
		}
		return a.self
	}
	p.ids++
	a := &atom{next: head, hash: h, id: p.ids, kind: kind, round: round, args: args, real: real, order: noOrder, weight: 1}
	note := func(x *Expr) {
		a.depth = max(a.depth, x.depth+1)
		a.weight = min(a.weight+x.weight, 4*maxWeight)
		for _, t := range x.terms {
			for _, f := range t.mono.factors {
				a.order = min(a.order, f.atom.order)
			}
		}
	}
	for _, x := range args {
		note(x)
	}
	if real != nil {
		a.depth = max(a.depth, real.depth+1)
		real.walk(note)
	}
	if a.depth > maxDepth || a.weight > maxWeight {
		return nil
	}
	a.lo, a.hi = atomRange(a)
	p.finishAtom(a)
	p.atoms[h] = a
	return a.self
}

// noOrder is the order of an atom without symbols: after all others.
const noOrder = 1 << 30
