package inference

// This file prints the types of a model's values.

import (
	"fmt"
	"io"
	"strings"

	"shapecheck/onnx"
)

// Print writes one line for each input, node and output of the graphs.
func (r *Result) Print(w io.Writer, m *onnx.Model) { r.printGraph(w, m.Graph, "") }

// printGraph writes a graph, its inputs, nodes and outputs with their types, a line each; the graphs in attributes of nodes
// follow, further indented.
func (r *Result) printGraph(w io.Writer, g *onnx.Graph, indent string) {
	types := r.Graphs[g]
	typed := func(name string) string {
		if t := types[name]; t != nil {
			return name + ": " + t.String()
		}
		return name
	}
	constant := map[string]bool{}
	for _, t := range g.Initializers {
		constant[t.Name] = true
	}
	for _, v := range g.Inputs {
		if !constant[v.Name] {
			fmt.Fprintf(w, "%sinput  %s\n", indent, typed(v.Name))
		}
	}
	for _, n := range g.Nodes {
		var outs []string
		for _, o := range n.Outputs {
			if o != "" {
				outs = append(outs, typed(o))
			}
		}
		op := n.Op
		if d := onnx.StandardDomain(n.Domain); d != "" {
			op = d + "::" + op
		}
		at := ""
		if s := onnx.SourceOf(n); s != "" {
			at = "  # " + s
		}
		fmt.Fprintf(w, "%s%s(%s) -> %s%s\n", indent, op, strings.Join(n.Inputs, ", "), strings.Join(outs, ", "), at)
		n.Subgraphs(func(attr string, sub *onnx.Graph) {
			if r.Graphs[sub] != nil {
				fmt.Fprintf(w, "%s  %s:\n", indent, attr)
				r.printGraph(w, sub, indent+"    ")
			}
		})
	}
	for _, v := range g.Outputs {
		fmt.Fprintf(w, "%soutput %s\n", indent, typed(v.Name))
	}
}
