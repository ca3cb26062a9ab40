package export

// This file says which weights lie in a second file beside the model, and gives the model without them.

import (
	"slices"

	"shapecheck/onnx"
)

// minExternal is the size in bytes below which a tensor stays in the model.
const minExternal = 1024

// movable reports whether a tensor goes to the second file, where there is one.
func movable(t *onnx.Tensor) bool {
	return t.Source != nil && !t.IsExternal && t.Source.Size() >= minExternal
}

// withoutWeights is the model as it is with external data, for a check of its
// types: the weights are not needed, and would have to be in memory.
func withoutWeights(m *onnx.Model) *onnx.Model {
	out, g := *m, *m.Graph
	g.Initializers = slices.Clone(g.Initializers)
	for i, t := range g.Initializers {
		if movable(t) {
			x := *t
			x.IsExternal, x.External = true, []onnx.Entry{{Key: "location", Value: "weights"}}
			g.Initializers[i] = &x
		}
	}
	out.Graph = &g
	return &out
}
