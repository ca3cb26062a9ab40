package sched

// This file orders depth first.

import "shapecheck/codegen/ir"

// Naive orders the nodes of a graph depth first from its results: what a node needs stands
// before it, in the order that the graph had; nodes that no result needs come last.
func Naive(m *ir.Module, g *ir.Graph) []*ir.Node {
	return newGraph(m, g).naive(g)
}

// naive is a depth-first order from the results: each node comes right behind what it needs, so
// that it is a fair schedule to compare others with.
func (g *graph) naive(of *ir.Graph) []*ir.Node {
	place := make(map[*ir.Node]int, len(g.nodes))
	for i, n := range g.nodes {
		place[n] = i
	}
	order := make([]int, 0, len(g.nodes))
	done := make([]bool, len(g.nodes))
	type step struct{ node, next int }
	visit := func(root int) { // without recursion: chains are long
		stack := []step{{node: root}}
		for len(stack) > 0 {
			s := &stack[len(stack)-1]
			if done[s.node] {
				stack = stack[:len(stack)-1]
				continue
			}
			if s.next < len(g.before[s.node]) {
				s.next++
				if j := g.before[s.node][s.next-1]; !done[j] {
					stack = append(stack, step{node: j})
				}
				continue
			}
			done[s.node] = true
			order = append(order, s.node)
			stack = stack[:len(stack)-1]
		}
	}
	for _, v := range of.Results {
		if v.Def != nil {
			visit(place[v.Def])
		}
	}
	for i := range g.nodes {
		visit(i)
	}
	return g.pick(order)
}
