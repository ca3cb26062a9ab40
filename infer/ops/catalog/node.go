package catalog

// This file makes the nodes of the typed graph what the records say, and checks that
// they are.

import (
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
)

// NewNode returns a node of the function of that canonical name.
func NewNode(name string) *graph.Node {
	op, ok := Lookup(name)
	if !ok || op.Names[0] != name {
		panic("catalog: no record has the canonical name " + name)
	}
	n := &graph.Node{}
	op.Describe(n, name)
	return n
}

// CheckNodes checks that every node of a graph says of its operation what the record
// says, that others are built-in operations, and that what gives a view of an argument
// has the trait. It returns an error for the first node of which that is not so.
func CheckNodes(g *graph.Graph) error {
	if g.Setup != nil {
		if err := checkNodes(g.Setup); err != nil {
			return err
		}
	}
	return checkNodes(g.Body)
}

func checkNodes(r *graph.Region) error {
	for _, n := range r.Nodes {
		for _, sub := range n.Regions {
			if err := checkNodes(sub); err != nil {
				return err
			}
		}
		if graph.IsBuiltin(n.Op) {
			continue
		}
		op, ok := Lookup(n.Op)
		switch {
		case !ok || op.Names[0] != n.Op:
			return fmt.Errorf("%s is no canonical name of a record and no built-in operation", n.Op)
		case n.Form != op.Form || n.Spatial != op.Spatial || n.Is != op.Is:
			return fmt.Errorf("a node of %s has other traits than its record: make it by catalog.NewNode", n.Op)
		case !n.Is.Has(graph.View) && views(n):
			return fmt.Errorf("%s gives a view of an argument: its record lacks the trait graph.View", n.Op)
		}
	}
	return nil
}

// views reports whether a node gives a view of an argument and does not write into it.
func views(n *graph.Node) bool {
	if ops.Writes(n) || ops.IsInPlace(n.Called) {
		return false
	}
	return slices.ContainsFunc(n.Outputs, func(o *graph.Value) bool {
		found := false
		for _, a := range n.Args {
			graph.Operands(a.Value, func(v *graph.Value) { found = found || o.Base == v })
		}
		return found
	})
}
