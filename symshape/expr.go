// This file defines Expr, the canonical symbolic integer, and the parts it is made of.

package symshape

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"
)

// NegInf and PosInf are the bounds of an interval without an end. They are not sizes: arithmetic on sizes that would
// reach them overflows to "unknown" first.
const (
	NegInf = math.MinInt64
	PosInf = math.MaxInt64
)

// maxTerms bounds a polynomial. A size with more terms tells a reader nothing, and products of such sizes explode.
const maxTerms = 64

// maxPower bounds the degree of a monomial: sizes of 2 and more have at least as many bits.
const maxPower = 1 << 12

// maxDepth bounds the nesting of atoms (floor divisions inside floor divisions), so that recursion over an expression
// is always shallow, whatever program is analysed.
const maxDepth = 200

// maxWeight bounds the size of an atom written out. Expressions share their parts, but evaluation, substitution and
// printing walk them as trees: twenty equations that each use the one before twice would be a million nodes.
const maxWeight = 1 << 10

// Expr is a symbolic integer in canonical form: a constant plus a sum of coefficient × monomial, where a monomial is
// a product of powers of atoms (symbols, floor divisions, maxima, minima, and integers made from binary64 numbers).
//
// Expressions are made by a Pool only, are immutable and interned: within one pool, a == b exactly if both have the
// same canonical form. Equal pointers prove equality; different pointers prove nothing (ask Facts.Decide).
//
// A nil *Expr is the unknown integer: what arithmetic gives when a coefficient overflows int64, when there would be
// more than maxTerms terms or a degree above maxPower, or when an operand is nil.
type Expr struct {
	pool  *Pool
	next  *Expr // the next expression with the same hash
	hash  uint64
	c     int64  // the constant term
	terms []term // in canonical order, coefficients not zero
	lo    int64  // interval that follows from the symbols' declared bounds
	hi    int64
	depth int32
	// weight is the number of atoms written out.
	weight int32
	inl    [2]term // storage of terms when there are at most two
	// compact is what Compact gave: the types of a model's tensors are printed again and again, of few sizes.
	compact atomic.Pointer[string]
}

// term is coefficient × monomial.
type term struct {
	coef int64
	mono *mono
}

// mono is an interned product of powers of atoms, factors in atom order, all powers positive.
type mono struct {
	next    *mono
	hash    uint64
	id      uint64
	factors []factor
	deg     int32
	depth   int32
	weight  int32
	lo, hi  int64
	inl     [1]factor
}

type factor struct {
	atom *atom
	pow  int32
}

type atomKind uint8

const (
	atomSymbol atomKind = iota
	atomDiv             // args[0] // args[1]
	atomMax
	atomMin
	atomReal // an integer made from a binary64 number: floor, ceil, int or round
)

// atom is what a polynomial cannot look into. Atoms are interned like expressions.
type atom struct {
	next   *atom
	hash   uint64
	id     uint64
	kind   atomKind
	round  Rounding // of an atomReal
	fresh  bool     // a symbol made by Fresh
	hidden bool     // a symbol of the solver's own; never in a result
	order  int32    // of a symbol: position of its declaration; else: the least order of the symbols in it
	depth  int32
	weight int32
	lo, hi int64
	name   string
	args   []*Expr
	real   *realNode
	self   *Expr // the expression 1·atom
}

// Const returns the value of a constant expression.
func (e *Expr) Const() (int64, bool) {
	if e == nil || len(e.terms) != 0 {
		return 0, false
	}
	return e.c, true
}

// IsConst reports whether e is the constant n.
func (e *Expr) IsConst(n int64) bool { return e != nil && len(e.terms) == 0 && e.c == n }

// IsSymbol returns the name of an expression which is one symbol and nothing else.
func (e *Expr) IsSymbol() (name string, ok bool) {
	if a := e.atom(); a != nil && a.kind == atomSymbol {
		return a.name, true
	}
	return "", false
}

// Bounds returns an interval that holds e for all values of the symbols within their declared bounds.
// Facts.Range uses what is known on a path as well.
func (e *Expr) Bounds() (lo, hi int64) {
	if e == nil {
		return NegInf, PosInf
	}
	return e.lo, e.hi
}

// Symbols returns the symbols of e in declaration order.
func (e *Expr) Symbols() []*Expr {
	var set symSet
	set.addExpr(e)
	return set.exprs()
}

// symbols are the symbols of e in declaration order.
func (e *Expr) symbols() []*atom {
	var set symSet
	set.addExpr(e)
	return set.atoms
}

// SymbolNames are the names of the symbols of e in declaration order.
func (e *Expr) SymbolNames() []string {
	var set symSet
	set.addExpr(e)
	names := make([]string, len(set.atoms))
	for i, a := range set.atoms {
		names[i] = a.name
	}
	return names
}

// outlineSize is the number that stands for each symbol of an outline: a prime, which no program has for a size, and whose products do not
// overflow soon.
const outlineSize = 65537

// Outline is the same for expressions that differ in the names of symbols alone: what e is where all symbols are one large number.
// It is 0 for
// nil, and where that overflows.
func (e *Expr) Outline() uint64 {
	if e == nil {
		return 0
	}
	evals := e.pool.evals // which bounds what solving may cost
	n, err := e.Eval(func(string) (int64, bool) { return outlineSize, true })
	e.pool.evals = evals
	if err != nil {
		return 0
	}
	return uint64(n)
}

// IsPolynomial reports whether e is made of symbols and numbers by addition and multiplication alone.
func (e *Expr) IsPolynomial() bool {
	if e == nil {
		return false
	}
	for _, t := range e.terms {
		if slices.ContainsFunc(t.mono.factors, func(f factor) bool { return f.atom.kind != atomSymbol }) {
			return false
		}
	}
	return true
}

// Pool returns the pool e belongs to.
func (e *Expr) Pool() *Pool { return e.pool }

// atom returns the atom of an expression 1·atom, or nil.
func (e *Expr) atom() *atom {
	if e == nil || e.c != 0 || len(e.terms) != 1 || e.terms[0].coef != 1 {
		return nil
	}
	return e.terms[0].mono.atom()
}

// atom returns the atom of a monomial which is one atom to the first power, or nil.
func (m *mono) atom() *atom {
	if len(m.factors) == 1 && m.factors[0].pow == 1 {
		return m.factors[0].atom
	}
	return nil
}

// symSet collects symbols, each once, and remembers which compound atoms it has seen: expressions share subtrees.
type symSet struct {
	atoms []*atom
	seen  map[*atom]bool
}

func (s *symSet) addExpr(e *Expr) {
	if e == nil {
		return
	}
	for _, t := range e.terms {
		for _, f := range t.mono.factors {
			s.addAtom(f.atom)
		}
	}
}

// addAtom adds the symbols of an atom, in the order of their declaration, each once. Composite
// atoms are visited once.
func (s *symSet) addAtom(a *atom) {
	if a.kind == atomSymbol {
		i, _ := slices.BinarySearchFunc(s.atoms, a.order, func(b *atom, order int32) int { return cmp.Compare(b.order, order) })
		for ; i < len(s.atoms) && s.atoms[i].order == a.order; i++ {
			if s.atoms[i] == a {
				return
			}
		}
		s.atoms = slices.Insert(s.atoms, i, a)
		return
	}
	if s.seen[a] {
		return
	}
	if s.seen == nil {
		s.seen = map[*atom]bool{}
	}
	s.seen[a] = true
	for _, x := range a.args {
		s.addExpr(x)
	}
	if a.real != nil {
		a.real.walk(s.addExpr)
	}
}

func (s *symSet) exprs() []*Expr {
	out := make([]*Expr, len(s.atoms))
	for i, a := range s.atoms {
		out[i] = a.self
	}
	return out
}

// mentions reports whether one of some symbols occurs in e, at any depth.
func (e *Expr) mentions(symbols []*atom) bool {
	if a := e.atom(); a != nil && a.kind == atomSymbol {
		return slices.Contains(symbols, a)
	}
	var set symSet
	set.addExpr(e)
	return slices.ContainsFunc(set.atoms, func(a *atom) bool { return slices.Contains(symbols, a) })
}

// contains reports whether atom x occurs in e, at any depth.
func (e *Expr) contains(x *atom) bool {
	var set symSet
	if x.kind == atomSymbol {
		set.addExpr(e)
		for _, a := range set.atoms {
			if a == x {
				return true
			}
		}
		return false
	}
	set.addExpr(e)
	return set.seen[x]
}

// compareMono orders monomials for printing and for canonical form: higher degree first, then lexicographically by
// atom order. It never looks at identifiers, so that results do not depend on the order of evaluation. The order is
// compatible with multiplication, which lets Mul by a monomial keep terms sorted.
func compareMono(a, b *mono) int {
	if a == b {
		return 0
	}
	if a.deg != b.deg {
		if a.deg > b.deg {
			return -1
		}
		return 1
	}
	for i := 0; i < len(a.factors) && i < len(b.factors); i++ {
		x, y := a.factors[i], b.factors[i]
		if c := compareAtom(x.atom, y.atom); c != 0 {
			return c
		}
		if x.pow != y.pow {
			if x.pow > y.pow {
				return -1
			}
			return 1
		}
	}
	return len(b.factors) - len(a.factors) // equal degrees: cannot both be exhausted unless equal
}

// compareAtom orders atoms: by the earliest declared symbol in them, then symbols before divisions before the rest,
// then shallow before deep, then by their parts. Only the first difference is followed, so it takes linear time.
func compareAtom(a, b *atom) int {
	switch {
	case a == b:
		return 0
	case a.order != b.order:
		return int(a.order) - int(b.order)
	case a.kind != b.kind:
		return int(a.kind) - int(b.kind)
	case a.depth != b.depth:
		return int(a.depth) - int(b.depth)
	case a.round != b.round:
		return int(a.round) - int(b.round)
	case len(a.args) != len(b.args):
		return len(a.args) - len(b.args)
	case a.kind == atomSymbol: // only the solver's own symbols share a place with another one
		return int(a.id) - int(b.id)
	}
	for i := range a.args {
		if a.args[i] != b.args[i] {
			return compareExpr(a.args[i], b.args[i])
		}
	}
	return compareReal(a.real, b.real)
}

// compareExpr is a total order on the expressions of one pool, independent of the order in which they were made.
func compareExpr(a, b *Expr) int {
	if a == b {
		return 0
	}
	for i := 0; i < len(a.terms) && i < len(b.terms); i++ {
		x, y := a.terms[i], b.terms[i]
		if c := compareMono(x.mono, y.mono); c != 0 {
			return c
		}
		if x.coef != y.coef {
			if x.coef < y.coef {
				return -1
			}
			return 1
		}
	}
	if len(a.terms) != len(b.terms) {
		return len(b.terms) - len(a.terms)
	}
	if a.c < b.c {
		return -1
	}
	return 1
}
