package lower

// This file says where tensors have their elements: which memory, and which part of
// it.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/internal/source"
)

// A storage is memory that tensors share.
type storage struct {
	root   *graph.Value // whose memory it is
	number int          // in order
	// origins tell what this memory may be: two storages with a common origin may be
	// the same one.
	origins []origin
}

// An origin is the memory of a value that an operation makes. That of a value inside
// of a loop is another one in each iteration: with a loop it is that of an iteration
// before the present one.
type origin struct {
	root *graph.Value
	loop *graph.Node
}

// A stored is what a storage holds at some point of the program.
type stored struct {
	now *graph.Value
	// written is the time of the last write that is followed, lost that of the last
	// one that is not; why and at say what could not be followed.
	written, lost int
	why           string
	at            source.Span
}

// A step is a node that makes a view: output out of the node, of argument arg.
type step struct {
	node     *graph.Node
	out, arg int
}

// A place is where a tensor has its elements: in all of a storage, in a view of it,
// or, as a condition says, in one of two places. Nil is the place of None.
type place struct {
	of *storage
	at *graph.Value // the tensor's places in the flattened storage; nil: all of it
	// steps are taken from there.
	steps []step

	// For one of two places, whose storage is nil.
	cond      graph.Operand
	then, els *place
}

// An alias is where a value has its elements, and the time at which they were these.
type alias struct {
	place *place
	time  int
}

func (p *place) isRoot() bool { return p.of != nil && p.at == nil && len(p.steps) == 0 }

// storages lists the storages of a place, each once.
func (p *place) storages(list []*storage) []*storage {
	switch {
	case p == nil:
	case p.of == nil:
		return p.els.storages(p.then.storages(list))
	case !slices.Contains(list, p.of):
		return append(list, p.of)
	}
	return list
}

// with is the place after one more step.
func (p *place) with(s step) *place {
	switch {
	case p == nil:
		return nil
	case p.of == nil:
		return &place{cond: p.cond, then: p.then.with(s), els: p.els.with(s)}
	}
	return &place{of: p.of, at: p.at, steps: append(slices.Clip(p.steps), s)}
}

// samePlace reports whether two places are the same for sure.
func samePlace(p, q *place) bool {
	if p == q {
		return true
	}
	if p == nil || q == nil || p.of != q.of || p.at != q.at || len(p.steps) != len(q.steps) {
		return false
	}
	if p.of == nil {
		return sameOperand(p.cond, q.cond) && samePlace(p.then, q.then) && samePlace(p.els, q.els)
	}
	for i, s := range p.steps {
		if !s.same(q.steps[i]) {
			return false
		}
	}
	return true
}

// same reports whether two steps take the same view.
func (s step) same(t step) bool {
	if s.out != t.out || s.arg != t.arg || s.node.Op != t.node.Op || len(s.node.Args) != len(t.node.Args) {
		return false
	}
	for i, a := range s.node.Args {
		if b := t.node.Args[i]; i != s.arg && (a.Name != b.Name || !sameOperand(a.Value, b.Value)) {
			return false
		}
	}
	return true
}

// sameOperand reports whether two operands are surely equal. Dictionaries and floats that are
// computed never are, as nothing tells that they are.
func sameOperand(a, b graph.Operand) bool {
	list := func(x, y []graph.Operand) bool { return slices.EqualFunc(x, y, sameOperand) }
	switch a := a.(type) {
	case graph.List:
		b, ok := b.(graph.List)
		return ok && list(a, b)
	case graph.Tuple:
		b, ok := b.(graph.Tuple)
		return ok && list(a, b)
	case graph.Slice:
		b, ok := b.(graph.Slice)
		return ok && sameOperand(a.Start, b.Start) && sameOperand(a.Stop, b.Stop) && sameOperand(a.Step, b.Step)
	case graph.Dict, graph.Real:
		return false
	case graph.Dim:
		b, ok := b.(graph.Dim)
		return ok && a.Expr != nil && a.Expr == b.Expr
	}
	switch b.(type) {
	case graph.List, graph.Tuple, graph.Dict, graph.Real:
		return false
	}
	return a == b
}

// unite adds the origins of storages to a list.
func unite(list []origin, from []*storage) []origin {
	for _, s := range from {
		for _, o := range s.origins {
			if !slices.Contains(list, o) {
				list = append(list, o)
			}
		}
	}
	return list
}
