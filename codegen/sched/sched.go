// Package sched orders the nodes of graphs, and says how much memory an order needs.
//
//	sched.go  what must come before what     naive.go  depth first      greedy.go  the least memory next
//	point.go  the sizes at which orders are compared                    simulate.go  memory and work of an order
//	peak.go   where an order needs most, and both as expressions
//
// Orders go by numbers of nodes alone: equal modules get equal orders. Which value ends where is the
// schedule's result, so that memory is shared after it (codegen/pass/alias.go).
package sched

import (
	"shapecheck/codegen/ir"
	"shapecheck/symshape"
)

// A graph is a graph to order: its nodes by their place, and for each those that must come
// before it, ascending, and after it.
type graph struct {
	nodes         []*ir.Node
	before, after [][]int
}

// newGraph finds what must come before what: operands, the nodes that bind the symbols of
// sizes, and for nodes with effects those that came before.
func newGraph(m *ir.Module, g *ir.Graph) *graph {
	out := &graph{nodes: g.Nodes, before: make([][]int, len(g.Nodes)), after: make([][]int, len(g.Nodes))}
	place := make(map[*ir.Node]int, len(g.Nodes))
	for i, n := range g.Nodes {
		place[n] = i
	}
	binder := map[*symshape.Expr]int{}
	for _, s := range m.Syms {
		owner := s.Node
		if s.Param != nil {
			owner = s.Param.Param.Owner
		}
		for owner != nil && owner.Graph != g { // within a body of a node
			if owner.Graph == nil {
				break
			}
			owner = owner.Graph.Owner
		}
		if owner != nil && owner.Graph == g {
			binder[s.Expr] = place[owner]
		}
	}
	last := -1 // the node before with an effect
	for i, n := range g.Nodes {
		seen := map[int]bool{i: true}
		need := func(j int) {
			if !seen[j] {
				seen[j] = true
				out.before[i] = append(out.before[i], j)
				out.after[j] = append(out.after[j], i)
			}
		}
		for _, v := range n.Ins {
			if v != nil && v.Def != nil {
				need(place[v.Def])
			}
		}
		if len(binder) > 0 {
			eachSymbol(n, func(x *symshape.Expr) {
				if j, ok := binder[x]; ok && j < i {
					need(j)
				}
			})
		}
		if Effect(n) {
			if last >= 0 {
				need(last)
			}
			last = i
		}
	}
	return out
}

// eachSymbol calls f for the symbols of all sizes of a node and its bodies.
func eachSymbol(n *ir.Node, f func(*symshape.Expr)) {
	value := func(v *ir.Value) {
		if v == nil {
			return
		}
		for _, list := range [][]*symshape.Expr{v.Type.Dims, v.Elems} {
			for _, d := range list {
				if d != nil {
					for _, x := range d.Symbols() {
						f(x)
					}
				}
			}
		}
	}
	for _, v := range n.Outs {
		value(v)
	}
	for _, g := range n.Graphs {
		for _, p := range g.Params {
			value(p)
		}
		for _, m := range g.Nodes {
			eachSymbol(m, f)
		}
	}
}

// Effect reports whether a node must run, by itself or for what its bodies do.
func Effect(n *ir.Node) bool {
	if n.Op.Traits&ir.Effect != 0 {
		return true
	}
	for _, g := range n.Graphs {
		for _, m := range g.Nodes {
			if Effect(m) {
				return true
			}
		}
	}
	return false
}

// pick gives the nodes at some places.
func (g *graph) pick(places []int) []*ir.Node {
	out := make([]*ir.Node, len(places))
	for i, p := range places {
		out[i] = g.nodes[p]
	}
	return out
}
