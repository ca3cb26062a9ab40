package ops

// This file describes nodes of the typed graph by their records.

import (
	"strings"

	"shapecheck/infer/graph"
)

// Describe makes n a node of the function under one of its names.
func (op *Op) Describe(n *graph.Node, called string) {
	n.Op, n.Called, n.Form, n.Spatial, n.Is = op.Names[0], called, op.Form, op.Spatial, op.Is
}

// numpyWrites are the functions of NumPy that write into their first argument.
var numpyWrites = map[string]bool{"numpy.ndarray.itemset": true, "numpy.ndarray.flat.set": true, "numpy.ndarray.fill": true,
	"numpy.ndarray.sort": true, "numpy.ndarray.partition": true, "numpy.put": true, "numpy.putmask": true,
	"numpy.place": true, "numpy.copyto": true, "numpy.random.shuffle": true, "numpy.random._g_shuffle": true}

// writesFirst reports whether a function, of that canonical name and called by the other one, writes into its first argument.
func writesFirst(op, called string) bool {
	return IsInPlace(called) || strings.HasSuffix(called, "__setitem__") || numpyWrites[op] || numpyWrites[called] ||
		strings.HasPrefix(op, "numpy.") && strings.HasSuffix(op, ".at")
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
	if writesFirst(n.Op, name) {
		return true
	}
	for _, a := range n.Args {
		if a.Name == "inplace" && (a.Value == graph.Bool(true) || a.Value == graph.Int(1)) {
			return true
		}
	}
	return false
}
