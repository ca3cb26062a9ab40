package value

// This file keeps what a dict may hold where its keys depend on a condition.

import "shapecheck/symshape"

// Ways are the two contents of which a dict has one: what it knows of itself as an open
// dict holds of both.
type Ways struct {
	// Cond tells which: Then where it holds, else Else. They are contents for Heap.Replace.
	Cond       *symshape.Cond
	Then, Else any

	open  *Open // of the dict with these ways: one with another has changed since
	depth int
}

// maxWays bounds the conditions on which the keys of one dict depend: each doubles the
// work of those who look.
const maxWays = 3

// A ConditionJoiner knows the condition that tells its two paths apart.
type ConditionJoiner interface {
	// Condition holds on the first path alone; nil: none does.
	Condition() *symshape.Cond
}

func newWays(a, b dictContents, open *Open, j Joiner) *Ways {
	c, ok := j.(ConditionJoiner)
	if !ok || c.Condition() == nil {
		return nil
	}
	w := &Ways{Cond: c.Condition(), open: open, depth: 1}
	for _, x := range [...]dictContents{a, b} {
		switch {
		case x.open == nil:
		case x.ways == nil || x.ways.open != x.open || x.ways.depth == maxWays:
			return nil
		default:
			w.depth = max(w.depth, 1+x.ways.depth)
		}
	}
	w.Then, w.Else = a, b
	return w
}

// Ways gives the two contents of which d has one, or nil when all that is known is what
// d says itself.
func (d *Dict) Ways() *Ways {
	if d.ways == nil || d.ways.open != d.Open {
		return nil
	}
	return d.ways
}
