package sched

// This file counts the memory and the work of an order.

import (
	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
)

// A Usage is what a graph needs at a sizing point.
type Usage struct {
	// Peak is the most bytes of values that are held at a time, inputs and outputs included,
	// constants not.
	Peak int64
	// Unknown counts values whose size is not known; they are not in Peak.
	Unknown int
	// Flops are the multiplications and additions of all nodes, those of a body once;
	// UnknownFlops counts nodes whose work is not known.
	Flops        int64
	UnknownFlops int
}

// Simulate counts what a module needs in the order that its graphs have.
func Simulate(m *ir.Module, at Point) Usage {
	u := simulate(m.Main, m.Main.Nodes, at)
	m.Walk(func(g *ir.Graph) {
		for _, n := range g.Nodes {
			f, ok := flops(m, n, at)
			if !ok {
				u.UnknownFlops++
			}
			u.Flops += f
		}
	})
	return u
}

// flops is the work of a node: what its record says, else one for each element of its
// first result.
func flops(m *ir.Module, n *ir.Node, at Point) (int64, bool) {
	if n.Op.Traits&ir.View != 0 || len(n.Graphs) > 0 || len(n.Outs) == 0 || n.Outs[0] == nil {
		return 0, true
	}
	if n.Op.Flops == nil {
		return at.elements(n.Outs[0])
	}
	e := n.Op.Flops(m.Pool, n)
	if e == nil {
		return 0, false
	}
	f, err := e.Eval(func(s string) (int64, bool) { x, ok := at[s]; return x, ok })
	return f, err == nil
}

// Naively is the peak of the naive order of a module's main graph; its bodies keep theirs.
func Naively(m *ir.Module, at Point) int64 { return simulate(m.Main, Naive(m, m.Main), at).Peak }

// simulate runs an order of a graph's nodes.
func simulate(g *ir.Graph, order []*ir.Node, at Point) Usage {
	l := newLives(g, at)
	u := Usage{Peak: l.start}
	for _, n := range order {
		within := int64(0)
		for _, sub := range n.Graphs {
			s := simulate(sub, sub.Nodes, at)
			for _, p := range sub.Params[len(sub.Params)-n.Captured:] { // is counted outside
				size, _ := at.bytes(p)
				s.Peak -= size
			}
			within, u.Unknown = max(within, s.Peak), u.Unknown+s.Unknown
		}
		before := l.now
		l.begin(n)
		u.Peak = max(u.Peak, l.now, before+within)
		l.end(n)
	}
	u.Unknown += l.unknown
	return u
}

// lives are the values in use while an order runs. A view has the memory of its operand.
type lives struct {
	at      Point
	root    map[*ir.Value]*ir.Value
	uses    map[*ir.Value]int // of a root and its views that are left; results of the graph count
	size    map[*ir.Value]int64
	now     int64
	start   int64 // of all parameters, before those that nobody uses end
	unknown int
}

// newLives begins a simulation of the memory that values take at a point (sizes of symbols).
// Views count for the value that they look into.
func newLives(g *ir.Graph, at Point) *lives {
	l := &lives{at: at, root: map[*ir.Value]*ir.Value{}, uses: map[*ir.Value]int{}, size: map[*ir.Value]int64{}}
	for _, p := range g.Params {
		l.add(p)
	}
	for _, n := range g.Nodes {
		if x := viewed(n); x != nil {
			r := x
			for l.root[r] != nil {
				r = l.root[r]
			}
			l.root[n.Outs[0]] = r
			l.uses[r] += len(n.Outs[0].Uses)
		}
	}
	l.start = l.now
	for _, p := range g.Params {
		if l.left(p) == 0 {
			l.now -= l.size[p]
		}
	}
	return l
}

// viewed is the operand whose memory a node's result has.
func viewed(n *ir.Node) *ir.Value {
	if n.Op.Opcode == isa.View && n.Ins[0].Const == nil {
		return n.Ins[0]
	}
	return nil
}

func (l *lives) of(v *ir.Value) *ir.Value {
	if r := l.root[v]; r != nil {
		return r
	}
	return v
}

// left is how many uses of a root are still to come.
func (l *lives) left(r *ir.Value) int { return l.uses[r] + len(r.Uses) }

func (l *lives) add(v *ir.Value) {
	size, ok := l.at.bytes(v)
	if !ok {
		l.unknown++
	}
	l.size[v] = size
	l.now += size
}

// begin makes a node's results.
func (l *lives) begin(n *ir.Node) {
	if viewed(n) != nil {
		return
	}
	for _, v := range n.Outs {
		if v != nil {
			l.add(v)
		}
	}
}

// end ends the lives of operands that nobody needs any more, and of results that nobody
// ever does.
func (l *lives) end(n *ir.Node) {
	for _, v := range n.Ins {
		if v == nil || v.Const != nil {
			continue
		}
		r := l.of(v)
		if l.uses[r]--; l.left(r) == 0 {
			l.now -= l.size[r]
		}
	}
	if viewed(n) != nil {
		return
	}
	for _, v := range n.Outs {
		if v != nil && l.left(v) == 0 {
			l.now -= l.size[v]
		}
	}
}

// run is begin and end.
func (l *lives) run(n *ir.Node) {
	l.begin(n)
	l.end(n)
}

// increase is by how much memory grows when a node has run.
func (l *lives) increase(n *ir.Node) int64 {
	grow := int64(0)
	if viewed(n) == nil {
		for _, v := range n.Outs {
			if v != nil && l.left(v) > 0 {
				size, _ := l.at.bytes(v)
				grow += size
			}
		}
	}
	mine := map[*ir.Value]int{}
	for _, v := range n.Ins {
		if v != nil && v.Const == nil {
			r := l.of(v)
			if mine[r]++; mine[r] == l.left(r) {
				grow -= l.size[r]
			}
		}
	}
	return grow
}
