package initial

// This file runs functions of numpy as the functions of torch that do the same.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
)

// asTorch gives a node of numpy as one of torch, where its record names the function
// that does the same; another as it is.
func asTorch(n *graph.Node) *graph.Node {
	op, ok := catalog.Lookup(n.Op)
	if !ok || op.Torch == "" {
		return n
	}
	words := strings.Fields(op.Torch)
	m := catalog.NewNode(words[0])
	m.Outputs, m.Computed, m.At, m.Module, m.Lib = n.Outputs, n.Computed, n.At, n.Module, n.Lib
	for _, w := range words[1:] {
		to, from, _ := strings.Cut(w, "=")
		m.Args = append(m.Args, graph.Arg{Name: to, Value: arg(n, from)})
	}
	return m
}
