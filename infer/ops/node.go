package ops

// This file describes nodes of the typed graph by their records.

import "shapecheck/infer/graph"

// Describe makes n a node of the function under one of its names.
func (op *Op) Describe(n *graph.Node, called string) {
	n.Op, n.Called, n.Form, n.Spatial, n.Is = op.Names[0], called, op.Form, op.Spatial, op.Is
}

// writesFirst reports whether a function with these traits, called by the name, writes into its first argument: PyTorch's names of
// such functions end in an underscore, and Python's of operators in place begin with __i; of others the record says it. A rule that
// applies another record leaves a node of that one under its own name, as numpy.ndarray.flat.set one of __setitem__.
func writesFirst(is graph.Traits, called string) bool {
	return is.Has(graph.Writes) || IsInPlace(called)
}

// Writes reports whether a node writes into its first argument.
func Writes(n *graph.Node) bool {
	if n.Is.Has(graph.Metadata) {
		return false
	}
	name := n.Called
	if name == "" {
		name = n.Op
	}
	if writesFirst(n.Is, name) {
		return true
	}
	for _, a := range n.Args {
		if a.Name == "inplace" && (a.Value == graph.Bool(true) || a.Value == graph.Int(1)) {
			return true
		}
	}
	return false
}
