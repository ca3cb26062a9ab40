package compare

// This file compares expressions of two runs: the symbols of one stand for those of
// the other.

import (
	"fmt"
	"slices"
	"sort"

	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// sizes knows which symbol of the second run is which of the first. Expressions of the
// second are compared in the first's pool. A pool owns its expressions, so that those of two runs
// cannot be compared as they are. An expression of the second run is written with common names,
// read in the first pool, and its names are replaced.
type sizes struct {
	pools [2]*symshape.Pool
	// first and second give the partner of a symbol.
	first, second map[*symshape.Expr]*symshape.Expr
	order         []*symshape.Expr // of the first, as they were paired
	// common is a symbol of both pools' for each pair, whose text both can read.
	common map[*symshape.Expr]string
	// facts hold where both models work.
	facts symshape.Facts
}

// The facts are those of both contracts, as far as the symbols of the second are paired.
func newSizes(a, b *infer.Result, contracts [2]*contract.Contract) *sizes {
	s := &sizes{
		pools: [2]*symshape.Pool{a.Pool, b.Pool}, first: map[*symshape.Expr]*symshape.Expr{}, second: map[*symshape.Expr]*symshape.Expr{},
		common: map[*symshape.Expr]string{},
	}
	// The arguments say it by position, and names say the rest.
	for i := range min(len(a.Inputs), len(b.Inputs)) {
		s.pairInputs(&value.Visit{Repeats: value.SomeRepeats}, a.Inputs[i].Value, b.Inputs[i].Value, 4)
	}
	// Symbols that an input has under the same name in both models are the same, unless one is
	// paired already. Fresh ones, which data decides, have names that mean nothing.
	for _, x := range b.Pool.Symbols() {
		name, ok := x.IsSymbol()
		if y := a.Pool.Lookup(name); ok && !x.IsFresh() && y != nil && !y.IsFresh() {
			s.pair(y, x)
		}
	}
	for i, c := range contracts {
		list := append([]*symshape.Cond{}, c.Given...)
		for _, x := range c.Conditions {
			list = append(list, x.Cond)
		}
		for _, x := range list {
			if i == 1 {
				var ok bool
				if x, ok = s.cond(x); !ok {
					continue
				}
			}
			// A fact that contradicts the others is left out.
			if next, ok := s.facts.Assume(x); ok {
				s.facts = next
			}
		}
	}
	return s
}

// pair makes two symbols the same, unless one of them is another's already. Either each symbol has
// one partner, or the text of an expression would be ambiguous.
func (s *sizes) pair(a, b *symshape.Expr) {
	if s.first[b] != nil || s.second[a] != nil {
		return
	}
	s.first[b], s.second[a] = a, b
	s.common[b] = fmt.Sprintf("__pair%d", len(s.order))
	s.order = append(s.order, a)
}

// pairInputs pairs the sizes of two arguments that are symbols themselves, also in containers, down
// to a depth. Tensors of different ranks, and sizes that are expressions, pair nothing.
func (s *sizes) pairInputs(w *value.Visit, a, b value.Value, depth int) {
	if depth == 0 || !w.Enter(a) {
		return
	}
	defer w.Leave()
	x, ok := a.(*value.Tensor)
	y, both := b.(*value.Tensor)
	if !ok || !both {
		list, other := elements(a), elements(b)
		for i := range min(len(list), len(other)) {
			s.pairInputs(w, list[i], other[i], depth-1)
		}
		return
	}
	if s1, s2 := x.Type().Shape, y.Type().Shape; len(s1) == len(s2) {
		for i := range s1 {
			if symbol(s1[i].Expr) && symbol(s2[i].Expr) {
				s.pair(s1[i].Expr, s2[i].Expr)
			}
		}
	}
}

// symbol reports whether an expression is a symbol alone.
func symbol(e *symshape.Expr) bool {
	if e == nil {
		return false
	}
	_, ok := e.IsSymbol()
	return ok
}

// elements are those of a tuple or list whose length is known.
func elements(v value.Value) []value.Value {
	switch v := v.(type) {
	case *value.Tuple:
		return v.Elems
	case *value.List:
		return v.Elems
	}
	return nil
}

// renamed lists the pairs with two names. Sizes that data decides are left out, since a user never
// named them.
func (s *sizes) renamed() [][2]string {
	var out [][2]string
	for _, a := range s.order {
		x, _ := a.IsSymbol()
		if y, _ := s.second[a].IsSymbol(); x != y && !a.IsFresh() {
			out = append(out, [2]string{x, y})
		}
	}
	return out
}

// expr gives an expression of the second run as one of the first; not ok where it has
// symbols that are none of the first's. The text goes over to the other pool because pools share no
// expressions.
func (s *sizes) expr(e *symshape.Expr) (*symshape.Expr, bool) {
	if n, ok := e.Const(); ok {
		return s.pools[0].Const(n), true
	}
	if a := s.first[e]; a != nil {
		return a, true
	}
	if !s.paired(e.Symbols()) {
		return nil, false
	}
	out, err := s.pools[0].Parse(s.pools[1].Subst(e, s.toCommon).String())
	if err != nil {
		return nil, false
	}
	return s.pools[0].Subst(out, s.fromCommon), true
}

// cond is expr for a condition. ok is false in the same cases.
func (s *sizes) cond(c *symshape.Cond) (*symshape.Cond, bool) {
	if !s.paired(c.Symbols()) {
		return nil, false
	}
	out, err := s.pools[0].ParseCond(s.pools[1].SubstCond(c, s.toCommon).String())
	if err != nil {
		return nil, false
	}
	return s.pools[0].SubstCond(out, s.fromCommon), true
}

// paired declares the common names of symbols in both pools, if they all have one.
// What the text of an expression leaves out rests on the bounds of its symbols, so they
// are declared with them.
func (s *sizes) paired(list []*symshape.Expr) bool {
	for _, b := range list {
		a := s.first[b]
		if a == nil {
			return false
		}
		lo, hi := b.Bounds()
		s.pools[1].Declare(s.common[b], lo, hi)
		lo, hi = a.Bounds()
		s.pools[0].Declare(s.common[b], lo, hi)
	}
	return true
}

// toCommon replaces a symbol of the second run by the common name of its pair, and fromCommon the
// common name by the symbol of the first run. Other symbols stay.
func (s *sizes) toCommon(sym *symshape.Expr) *symshape.Expr {
	if name, ok := s.common[sym]; ok {
		return s.pools[1].Lookup(name)
	}
	return sym
}

func (s *sizes) fromCommon(sym *symshape.Expr) *symshape.Expr {
	for _, a := range s.order {
		if s.pools[0].Lookup(s.common[s.second[a]]) == sym {
			return a
		}
	}
	return sym
}

// same compares two expressions.
func (s *sizes) same(a, b *symshape.Expr) *finding {
	if symbol(a) && symbol(b) && a.IsFresh() && b.IsFresh() {
		// The first such pair that is compared binds them; any later use has to agree with it.
		s.pair(a, b) // both are decided by data: what is met first is the same
	}
	t, ok := s.expr(b)
	if !ok {
		return &finding{verdict: Unknown}
	}
	return s.holds(s.facts, s.pools[0].Eq(a, t))
}

// holds is nil where a condition holds for all sizes that the facts allow.
func (s *sizes) holds(facts symshape.Facts, c *symshape.Cond) *finding {
	d := facts.Decide(c)
	switch {
	case d.Answer == symshape.Yes:
		return nil
	case d.Answer == symshape.No:
		return &finding{verdict: Different}
	case d.False == nil:
		return &finding{verdict: Unknown}
	}
	f := &finding{verdict: Different}
	f.Sizes = map[string]int64{}
	for _, sym := range c.Symbols() {
		if name, _ := sym.IsSymbol(); name != "" {
			if n, ok := d.False.Size(name); ok {
				f.Sizes[name] = n
			}
		}
	}
	return f
}

// follows is nil where a condition of one run follows from the conditions of the other.
func (s *sizes) follows(from int, c *symshape.Cond, other *contract.Contract) *finding {
	wanted, ok := c, true
	if from == 1 {
		wanted, ok = s.cond(c)
	}
	if !ok {
		return &finding{verdict: Unknown}
	}
	var facts symshape.Facts
	list := append([]*symshape.Cond{}, other.Given...)
	for _, x := range other.Conditions {
		list = append(list, x.Cond)
	}
	complete := true
	for _, x := range list {
		if from == 0 {
			if x, ok = s.cond(x); !ok {
				complete = false
				continue
			}
		}
		if areAlternatives(x, wanted) {
			return nil
		}
		next, ok := facts.Assume(x)
		if !ok {
			return nil // nothing holds there
		}
		facts = next
	}
	f := s.holds(facts, wanted)
	if f != nil && !complete {
		f.verdict, f.Sizes = Unknown, nil // what could not be said here may imply it
	}
	return f
}

// areAlternatives reports whether two conditions are alternatives of the same conditions; their
// order is that of the symbols, which runs declare in another order.
func areAlternatives(a, b *symshape.Cond) bool {
	x, y := a.Disjuncts(), b.Disjuncts()
	return a == b || len(x) == len(y) && !slices.ContainsFunc(x, func(c *symshape.Cond) bool { return !slices.Contains(y, c) })
}

// example writes the sizes of an example in the order of their names.
func example(sizes map[string]int64) string {
	names := make([]string, 0, len(sizes))
	for n := range sizes {
		names = append(names, n)
	}
	sort.Strings(names)
	text := ""
	for i, n := range names {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s=%d", n, sizes[n])
	}
	return text
}
