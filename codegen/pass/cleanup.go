package pass

// This file removes nodes whose results nobody uses.

import (
	"shapecheck/codegen/ir"
	"shapecheck/codegen/sched"
	"shapecheck/symshape"
)

var cleanup = Pass{
	Name: "dce", Doc: "removes nodes without effect whose results nobody uses, and what bodies are given and do not use", Class: Exact,
	Run: func(c *Context) error {
		for s := newSweeper(c); s.graph(c.Module.Main); s = newSweeper(c) {
		}
		return nil
	},
}

// A sweeper removes dead nodes.
type sweeper struct {
	*Context
	// values counts the values whose sizes have a symbol, binds are the symbols of nodes.
	values map[*symshape.Expr]int
	binds  map[*ir.Node][]*symshape.Expr
}

// newSweeper counts how often each symbol stands in a type or an element, so that a node whose
// symbols nobody else uses can go.
func newSweeper(c *Context) *sweeper {
	s := &sweeper{Context: c, values: map[*symshape.Expr]int{}, binds: map[*ir.Node][]*symshape.Expr{}}
	for _, x := range c.Module.Syms {
		if x.Node != nil {
			s.binds[x.Node] = append(s.binds[x.Node], x.Expr)
		}
	}
	c.Module.Walk(func(g *ir.Graph) {
		for _, v := range g.Params {
			s.count(v, 1)
		}
		for _, n := range g.Nodes {
			for _, v := range n.Outs {
				s.count(v, 1)
			}
		}
	})
	return s
}

// count adds to the numbers of values that have the symbols of a value's sizes.
func (s *sweeper) count(v *ir.Value, by int) {
	if v == nil {
		return
	}
	seen := map[*symshape.Expr]bool{}
	for _, list := range [][]*symshape.Expr{v.Type.Dims, v.Elems} {
		for _, d := range list {
			if d == nil {
				continue
			}
			for _, x := range d.Symbols() {
				if !seen[x] {
					seen[x] = true
					s.values[x] += by
				}
			}
		}
	}
}

// binding reports whether a node binds a symbol that other values have.
func (s *sweeper) binding(n *ir.Node) bool {
	if len(s.binds[n]) == 0 {
		return false
	}
	for _, v := range n.Outs {
		s.count(v, -1)
	}
	defer func() {
		for _, v := range n.Outs {
			s.count(v, 1)
		}
	}()
	for _, x := range s.binds[n] {
		if s.values[x] > 0 {
			return true
		}
	}
	return false
}

// graph removes dead nodes of a graph, last first, then those of bodies. It reports
// whether something was removed that may leave more to remove.
func (s *sweeper) graph(g *ir.Graph) bool {
	again := false
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		n := g.Nodes[i]
		if n.Dead() && !sched.Effect(n) && !s.binding(n) && s.Allow("dead", Exact) {
			for _, v := range n.Outs {
				s.count(v, -1)
			}
			s.Module.RemoveNode(n)
			continue
		}
		for k, v := range n.Outs { // results that are not wanted need no value
			if p := n.Op.Schema.Output(k); v != nil && len(v.Uses) == 0 && k > 0 && p != nil && p.Optional && len(s.binds[n]) == 0 {
				n.Outs[k] = nil
			}
		}
		for _, sub := range n.Graphs {
			again = s.graph(sub) || again
		}
		again = release(s.Context, n) || again
	}
	return again
}

// release takes away captured operands that no body uses.
func release(c *Context, n *ir.Node) bool {
	did := false
	for k := n.Captured - 1; k >= 0; k-- {
		used := false
		for _, g := range n.Graphs {
			used = used || len(g.Params[len(g.Params)-n.Captured+k].Uses) > 0
		}
		if used || !c.Allow("captured", Exact) {
			continue
		}
		for _, g := range n.Graphs {
			g.RemoveParam(len(g.Params) - n.Captured + k)
		}
		at := len(n.Ins) - n.Captured + k
		ins := append([]*ir.Value{}, n.Ins[:at]...)
		n.SetInputs(append(ins, n.Ins[at+1:]...))
		n.Captured--
		did = true
	}
	return did
}
