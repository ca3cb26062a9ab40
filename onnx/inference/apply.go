package inference

// This file writes the inferred types into a model.

import (
	"slices"

	"shapecheck/onnx"
)

// Apply gives every value of the model's graphs its inferred type: inputs and
// outputs in place, others as value_info in the order of the nodes. Names, and what
// the file says of values that nothing is known of, stay.
func (r *Result) Apply(m *onnx.Model) {
	r.applyGraph(m.Graph)
}

// applyGraph writes the inferred types into the graph: of ports that are there, and as value
// infos for all other values whose type is known. Subgraphs follow.
func (r *Result) applyGraph(g *onnx.Graph) {
	types := r.Graphs[g]
	done := map[string]bool{}
	set := func(v *onnx.ValueInfo) {
		done[v.Name] = true
		if t := types[v.Name].ONNX(); t != nil {
			keep(t, v.Type)
			v.Type = t
		}
	}
	for _, t := range g.Initializers {
		done[t.Name] = true
	}
	for _, list := range [][]*onnx.ValueInfo{g.Inputs, g.Outputs, g.Values} {
		for _, v := range list {
			set(v)
		}
	}
	for _, n := range g.Nodes {
		for _, name := range n.Outputs {
			if name == "" || done[name] {
				continue
			}
			done[name] = true
			if t := types[name].ONNX(); t != nil {
				g.Values = append(g.Values, &onnx.ValueInfo{Name: name, Type: t})
			}
		}
		n.Subgraphs(func(_ string, sub *onnx.Graph) {
			if r.Graphs[sub] != nil {
				r.applyGraph(sub)
			}
		})
	}
}

// keep takes over the denotations of the old type, and the spelling of dimensions
// that are the same.
func keep(t, old *onnx.Type) {
	if old == nil || old.Kind != t.Kind {
		return
	}
	t.Denotation, t.Extra = old.Denotation, slices.Clone(old.Extra)
	if t.Shape != nil && old.Shape != nil && len(t.Shape.Dims) == len(old.Shape.Dims) {
		for i := range t.Shape.Dims {
			t.Shape.Dims[i].Denotation = old.Shape.Dims[i].Denotation
		}
	}
	if t.Of != nil {
		keep(t.Of, old.Of)
	}
}
