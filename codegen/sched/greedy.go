package sched

// This file orders by memory.

import (
	"slices"

	"shapecheck/codegen/ir"
)

// maxGreedy bounds the nodes of a graph that is ordered greedily; larger ones keep the
// naive order.
const maxGreedy = 20_000

// Greedy orders the nodes of a graph so that each next one is, of those whose operands are
// there, the one that adds least to the memory in use: the bytes of its results minus
// those of operands that end with it. Ties go by the graph's own order. Nodes without
// operands come right before their first use. Where the simulated peak would be higher
// than that of the naive order, that one is given.
func Greedy(m *ir.Module, g *ir.Graph, at Point) []*ir.Node {
	x := newGraph(m, g)
	naive := x.naive(g)
	if len(g.Nodes) > maxGreedy {
		return naive
	}
	greedy := x.greedy(g, at)
	if simulate(g, naive, at).Peak <= simulate(g, greedy, at).Peak {
		return naive
	}
	return greedy
}

// greedy orders nodes so that each comes after those that it depends on, and among those that are ready
// the one that increases live memory least comes first, the earlier on a tie. A node without operands is
// placed just before the first node that needs it.
func (g *graph) greedy(of *ir.Graph, at Point) []*ir.Node {
	l := newLives(of, at)
	waits := make([]int, len(g.nodes))
	var ready []int
	for i := range g.nodes {
		if waits[i] = len(g.before[i]); waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	late := make([]bool, len(g.nodes)) // a node that needs nothing, until somebody needs it
	for i, n := range g.nodes {
		given := slices.ContainsFunc(n.Ins, func(v *ir.Value) bool { return v != nil && v.Const == nil })
		late[i] = len(g.before[i]) == 0 && len(g.after[i]) > 0 && !Effect(n) && !given
	}
	order := make([]int, 0, len(g.nodes))
	placed := make([]bool, len(g.nodes))
	place := func(i int) {
		for _, j := range g.before[i] {
			if late[j] && !placed[j] {
				placed[j] = true
				order = append(order, j)
			}
		}
		placed[i] = true
		order = append(order, i)
	}
	for len(ready) > 0 {
		best, least := -1, int64(0)
		for k, i := range ready {
			cost := int64(0)
			if late[i] { // taken at once, and put down where it is needed
				best = k
				break
			}
			cost = l.increase(g.nodes[i])
			if best < 0 || cost < least || cost == least && i < ready[best] {
				best, least = k, cost
			}
		}
		i := ready[best]
		ready = slices.Delete(ready, best, best+1)
		l.run(g.nodes[i])
		if !late[i] {
			place(i)
		}
		for _, j := range g.after[i] {
			if waits[j]--; waits[j] == 0 {
				ready = append(ready, j)
			}
		}
	}
	return g.pick(order)
}
