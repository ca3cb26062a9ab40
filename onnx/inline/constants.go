package inline

// This file merges constants: each copy of a function's body has its own.

import (
	"fmt"
	"slices"

	"shapecheck/onnx"
)

// Constants replaces Constant nodes by earlier ones with the same tensor, in the same
// graph or one around it. The names of the model's values must be different from one
// another in all its graphs, as they are after Model.
func Constants(m *onnx.Model) {
	s := &constants{names: map[string]string{}, seen: map[string]string{}}
	s.graph(m.Graph)
}

// maxMerged is the largest size of a tensor, in bytes, that is compared.
const maxMerged = 1 << 12

type constants struct {
	names map[string]string // what replaces the values of dropped nodes
	seen  map[string]string // the values of the tensors that are visible
}

// graph replaces constants that stood before by the first one, which inlined functions have many
// of. A constant that is a result keeps its name. What a graph defines is not seen behind it.
func (s *constants) graph(g *onnx.Graph) {
	var mine []string // tensors that are first seen here
	gone := map[string]bool{}
	out := make([]*onnx.Node, 0, len(g.Nodes))
	for _, n := range g.Nodes {
		for i, name := range n.Inputs {
			if to, ok := s.names[name]; ok {
				n.Inputs[i] = to
			}
		}
		n.Subgraphs(func(_ string, sub *onnx.Graph) { s.graph(sub) })
		key, ok := constantKey(n)
		if !ok {
			out = append(out, n)
			continue
		}
		result := slices.ContainsFunc(g.Outputs, func(v *onnx.ValueInfo) bool { return v.Name == n.Outputs[0] })
		if first, seen := s.seen[key]; seen && !result {
			s.names[n.Outputs[0]] = first
			gone[n.Outputs[0]] = true
			continue
		} else if !seen {
			s.seen[key] = n.Outputs[0]
			mine = append(mine, key)
		}
		out = append(out, n)
	}
	for _, v := range g.Outputs { // of a subgraph: it may be a value of the outside
		if to, ok := s.names[v.Name]; ok {
			v.Name = to
		}
	}
	g.Nodes = out
	if len(gone) > 0 {
		g.Values = slices.DeleteFunc(g.Values, func(v *onnx.ValueInfo) bool { return gone[v.Name] })
	}
	for _, key := range mine { // not seen outside
		delete(s.seen, key)
	}
}

// constantKey describes the tensor of a Constant node.
func constantKey(n *onnx.Node) (string, bool) {
	if n.Op != "Constant" || onnx.StandardDomain(n.Domain) != "" || len(n.Attrs) != 1 || len(n.Outputs) != 1 {
		return "", false
	}
	t := n.Attrs[0].Tensor
	if n.Attrs[0].Name != "value" || t == nil || !t.HasRaw || t.IsExternal || len(t.Raw) > maxMerged {
		return "", false
	}
	return fmt.Sprint(t.DType, t.Dims) + " " + string(t.Raw), true
}
