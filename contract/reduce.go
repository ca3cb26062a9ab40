package contract

// This file reduces conditions: split into conjuncts, solved, equations used to
// eliminate symbols, all conditions on one symbol described together, and what
// follows from the rest dropped. Each step keeps the conjunction of all parts
// equivalent to that of the raw conditions.

import (
	"sort"

	"shapecheck/infer"
	"shapecheck/symshape"
)

// The reduction works on facts: what is proved from base and the definitions is dropped, and what
// contradicts them ends it with the list of raw conditions that clash, for a report.
type builder struct {
	pool *symshape.Pool
	raw  []infer.Condition
	// base is what the user vouched for.
	base symshape.Facts
	// defs are the equations that define symbols; facts is base with them.
	defs  []part
	facts symshape.Facts
	parts []part
	clash []int // raw conditions that contradict each other
}

// A part is a condition and the raw conditions it comes from. from are indices of raw, sorted;
// they become the reasons of a condition.
type part struct {
	cond *symshape.Cond
	from []int
}

// maxRounds bounds how often the parts are worked through; solving one may make
// it a condition on one symbol, or a definition.
const maxRounds = 4

// maxPairs is the number of parts up to which each is compared with all others.
const maxPairs = 24

// reduce works off the raw conditions. It is false when they contradict each other. Rounds end
// when nothing becomes simpler, or after maxRounds.
func (b *builder) reduce() bool {
	b.facts = b.base
	for i, r := range b.raw {
		c := b.base.Solve(b.implication(r))
		if !b.add(part{c, []int{i}}) {
			return false
		}
	}
	for range maxRounds {
		before := len(b.defs) + len(b.parts)
		if !b.define() || !b.merge() {
			return false
		}
		again, ok := b.solveOthers()
		if !ok {
			return false
		}
		if !again && len(b.defs)+len(b.parts) == before {
			break
		}
	}
	b.drop()
	b.parts = append(b.defs, b.parts...)
	return true
}

// implication writes a condition that matters on a path only. Under the condition of its path it
// may be simpler; a path that cannot be taken needs nothing.
func (b *builder) implication(r infer.Condition) *symshape.Cond {
	if len(r.Path) == 0 {
		return r.Cond
	}
	p := b.pool
	path := p.And(r.Path...)
	on, ok := b.base.Assume(path)
	if !ok {
		return p.Bool(true)
	}
	return p.Or(p.Not(path), on.Solve(r.Cond))
}

// add adds the conjuncts of a condition; false when it cannot hold. A range (two bounds of one
// symbol) is kept as one part.
func (b *builder) add(x part) bool {
	conjuncts := []*symshape.Cond{x.cond}
	if !x.cond.IsRange() {
		conjuncts = x.cond.Conjuncts()
	}
next:
	for _, c := range conjuncts {
		if c == nil {
			continue // too large to calculate with: not part of the contract
		}
		if v, ok := c.Const(); ok {
			if v {
				continue
			}
			b.clash = x.from
			return false
		}
		for i := range b.parts {
			if b.parts[i].cond == c {
				b.parts[i].from = union(b.parts[i].from, x.from)
				continue next
			}
		}
		b.parts = append(b.parts, part{c, x.from})
	}
	return true
}

// define takes the equations that define symbols out of the parts and puts the
// definitions into the others. Each round takes one definition, as it may turn other parts into
// definitions.
func (b *builder) define() bool {
	for {
		k := -1
		for i, x := range b.parts {
			if sym, _ := x.cond.Definition(); sym != nil {
				k = i
				break
			}
		}
		if k < 0 {
			return true
		}
		def := b.parts[k]
		sym, to := def.cond.Definition()
		old := append(b.parts[:k:k], b.parts[k+1:]...)
		facts, ok := b.facts.Assume(def.cond)
		if !ok {
			b.clash = b.culprits(def)
			return false
		}
		if b.facts.Decide(def.cond).Answer != symshape.Yes {
			b.defs = append(b.defs, def)
		}
		b.facts = facts
		b.parts = nil
		for _, x := range old {
			c := b.pool.SubstCond(x.cond, func(s *symshape.Expr) *symshape.Expr {
				if s == sym {
					return to
				}
				return nil
			})
			from := x.from
			if c == nil { // too large
				c = x.cond
			} else if c != x.cond {
				c = facts.Solve(c)
				if v, ok := c.Const(); ok && !v {
					from = union(from, def.from)
				}
			}
			if !b.add(part{c, from}) {
				return false
			}
		}
	}
}

// merge describes all conditions on one symbol together. H >= 32 and H % 32 == 0 are solved as
// one set, and described by the simplest condition.
func (b *builder) merge() bool {
	var order []*symshape.Expr
	groups := map[*symshape.Expr][]part{}
	var rest []part
	for _, x := range b.parts {
		syms := x.cond.Symbols()
		if len(syms) != 1 {
			rest = append(rest, x)
			continue
		}
		if groups[syms[0]] == nil {
			order = append(order, syms[0])
		}
		groups[syms[0]] = append(groups[syms[0]], x)
	}
	b.parts = nil
	for _, s := range order {
		g := groups[s]
		conds := make([]*symshape.Cond, len(g))
		var from []int
		for i, x := range g {
			conds[i] = x.cond
			from = union(from, x.from)
		}
		all := part{b.pool.And(conds...), from}
		all.cond = b.facts.Solve(all.cond)
		if !b.add(all) {
			b.clash = b.culprits(all)
			return false
		}
	}
	b.parts = append(b.parts, rest...)
	return true
}

// solveOthers solves the conditions on several symbols under those on one and
// under each other, the simple ones first. again reports whether one became a
// condition on one symbol or a definition. Conditions that follow from those before are left out.
// split has the same facts with remainders split off, which proves some more.
func (b *builder) solveOthers() (again, ok bool) {
	old := b.parts
	sort.SliceStable(old, func(i, j int) bool {
		ni, nj := len(old[i].cond.Symbols()), len(old[j].cond.Symbols())
		return ni < nj
	})
	b.parts = nil
	facts, split := b.facts, b.facts
	for _, x := range old {
		c := x.cond
		n := len(c.Symbols())
		if n > 1 && split.Decide(c).Answer == symshape.Yes {
			continue
		}
		if n > 1 || facts.Decide(c).Answer != symshape.Unknown {
			c = alternatives(facts, facts.Solve(c))
		}
		more, fits := facts.Assume(c)
		if !fits {
			b.clash = b.culprits(x)
			return false, false
		}
		facts = more
		if split, fits = split.AssumeSplit(c); !fits {
			split = facts
		}
		if c != nil && n > 1 {
			sym, _ := c.Definition()
			again = again || sym != nil || len(c.Symbols()) == 1
		}
		if !b.add(part{c, x.from}) {
			b.clash = b.culprits(x)
			return false, false
		}
	}
	return again, true
}

// alternatives drops those alternatives of a disjunction that imply another one. A or B, where A
// implies B, is B.
func alternatives(f symshape.Facts, c *symshape.Cond) *symshape.Cond {
	list := c.Disjuncts()
	if len(list) < 2 || len(list) > 8 {
		return c
	}
	keep := append([]*symshape.Cond(nil), list...)
	for i := 0; i < len(keep); i++ {
		for j := range keep {
			if i == j {
				continue
			}
			if g, ok := f.Assume(keep[i]); !ok || g.Decide(keep[j]).Answer == symshape.Yes {
				keep = append(keep[:i], keep[i+1:]...)
				i--
				break
			}
		}
	}
	if len(keep) == len(list) {
		return c
	}
	return c.Pool().Or(keep...)
}

// drop removes the parts that follow from the others, the complicated ones first. It is quadratic
// in the parts with a proof for each, hence maxPairs.
func (b *builder) drop() {
	if len(b.parts) > maxPairs {
		return
	}
	for i := len(b.parts) - 1; i >= 0; i-- {
		others := append(b.parts[:i:i], b.parts[i+1:]...)
		if b.follows(b.parts[i].cond, others) {
			b.parts = others
		}
	}
}

// follows reports whether c follows from the facts and the others.
func (b *builder) follows(c *symshape.Cond, others []part) bool {
	f := b.facts
	for _, o := range others {
		f, _ = f.Assume(o.cond)
	}
	if f.Decide(c).Answer == symshape.Yes {
		return true
	}
	for _, o := range others { // every alternative of another one implies c
		list := o.cond.Disjuncts()
		if len(list) < 2 || len(list) > 8 {
			continue
		}
		all := true
		for _, d := range list {
			g, ok := b.facts.Assume(d)
			if all = !ok || g.Decide(c).Answer == symshape.Yes; !all {
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

// Both lists are sorted.
func union(a, b []int) []int {
	out := append([]int(nil), a...)
	for _, x := range b {
		i := sort.SearchInts(out, x)
		if i == len(out) || out[i] != x {
			out = append(out[:i:i], append([]int{x}, out[i:]...)...)
		}
	}
	return out
}
