package pass

// This file orders the nodes and reports what the order needs.

import (
	"shapecheck/codegen/ir"
	"shapecheck/codegen/sched"
	"shapecheck/symshape"
)

var schedule = Pass{
	Name: "schedule", Doc: "orders nodes so that little memory is held at a time, bodies first", Class: Exact,
	After: []string{"loops", "dce", "merge"},
	Run: func(c *Context) error {
		at := sched.PointOf(c.Module, c.run.o.Sizes)
		naive := !c.Allow("greedy", Exact)
		var graph func(*ir.Graph)
		graph = func(g *ir.Graph) {
			for _, n := range g.Nodes {
				for _, sub := range n.Graphs {
					graph(sub)
				}
			}
			if naive {
				g.Reorder(sched.Naive(c.Module, g))
			} else {
				g.Reorder(sched.Greedy(c.Module, g, at))
			}
		}
		graph(c.Module.Main)
		return nil
	},
}

var simulate = Pass{
	Name: "simulate", Doc: "reports memory and work at the sizing point", Class: None,
	After: []string{"schedule"},
	Run: func(c *Context) error {
		at := sched.PointOf(c.Module, c.run.o.Sizes)
		u := &Memory{Point: at, Usage: sched.Simulate(c.Module, at), Naive: sched.Naively(c.Module, at), Constants: c.constants(),
			FlopsExpr: sched.Flops(c.Module)}
		n, held := sched.PeakOf(c.Module, at)
		if u.PeakExpr = held; n != nil {
			u.PeakAt = c.run.describe(c.Module, n.Op, n.From)
		}
		c.run.memory = u
		return nil
	},
}

// A Memory is what a module needs at the sizing point.
type Memory struct {
	// Point gives the symbols their sizes.
	Point sched.Point
	sched.Usage
	// PeakExpr is what is held at the peak, at the node PeakAt (empty: before the first one), as
	// an expression over the symbols; FlopsExpr the work. Nil: not known.
	PeakExpr, FlopsExpr *symshape.Expr
	PeakAt              string
	// Naive is the peak of the naive order.
	Naive int64
	// Constants are the bytes of the constants that nodes or outputs use.
	Constants int64
}

// constants counts the bytes of constants that are used.
func (c *Context) constants() int64 {
	seen := map[*ir.Const]bool{}
	total := int64(0)
	count := func(v *ir.Value) {
		if v != nil && v.Const != nil && !seen[v.Const] {
			seen[v.Const] = true
			total += v.Const.Bytes
		}
	}
	c.Module.Walk(func(g *ir.Graph) {
		for _, n := range g.Nodes {
			for _, v := range n.Ins {
				count(v)
			}
		}
		for _, v := range g.Results {
			count(v)
		}
	})
	return total
}
