package kernel

// This file cuts functions of elements anew, so that a chain of them goes over the elements tile by tile.

import "slices"

// An elementwise state is that of an entry whose tile computes elements of the result that lie side by side, each from the elements
// at its place of operands with the result's sizes, and from any of other operands.
type elementwise interface {
	walking() *walk
	with(*walk) any
}

func (w *walk) walking() *walk       { return w }
func (w *walk) with(other *walk) any { return other }

func (p *pairing) with(w *walk) any { return &pairing{w, p.op} }

func (m *mapping) walking() *walk { return m.w }
func (m *mapping) with(w *walk) any {
	return &mapping{w: w, op: m.op, a: m.a, b: m.b}
}

func (c *cast) walking() *walk      { return c.w }
func (c *cast) with(w *walk) any    { return &cast{w, c.run} }
func (s *typedWalk) walking() *walk { return s.w }
func (s *typedWalk) with(w *walk) any {
	return &typedWalk{w, s.f}
}

// Elementwise reports whether an entry is a function of elements: a state that Prepare made may then be cut anew.
func (e *Entry) Elementwise(s *Sig) bool {
	if e.Prepare == nil || e.Scratch != nil || e.Shared != nil || len(e.Packs) > 0 || e.Check != nil || len(s.Out) != 1 || !e.elementwise {
		return false
	}
	_, ok := e.State(s).(elementwise)
	return ok
}

// Row is the number of elements that tiles of an elementwise state have a multiple of; 1: any number.
func Row(state any) int {
	if w := state.(elementwise).walking(); w.rows > 1 {
		return w.inner
	}
	return 1
}

// Cut gives an elementwise state whose tiles have so many elements, a multiple of its Row, and their number.
func Cut(state any, work int) (any, int) {
	e := state.(elementwise)
	w := *e.walking()
	w.cut(work)
	return e.with(&w), w.grid().Tiles
}

// Aligned reports whether an operand has the result's sizes, so that its elements are read at the place of the result's alone.
func (s *Sig) Aligned(operand int) bool {
	return !s.In[operand].Absent && slices.Equal(s.In[operand].Dims, s.Out[0].Dims)
}
