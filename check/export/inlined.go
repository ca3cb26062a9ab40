package export

// This file declares the types of the values that stood in functions.

import (
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

// declareInlined gives the values of an inlined model that have no type the one that
// is inferred; those that the program gave stay as they are.
func declareInlined(m *onnx.Model) error {
	bare := withoutWeights(m)
	res, err := inference.Run(bare, inference.Config{})
	if err != nil {
		return err
	}
	var declare func(g, inferred *onnx.Graph)
	declare = func(g, inferred *onnx.Graph) {
		types := res.Graphs[inferred]
		known := map[string]bool{"": true}
		for _, list := range [][]*onnx.ValueInfo{g.Inputs, g.Outputs, g.Values} {
			for _, v := range list {
				known[v.Name] = true
			}
		}
		for _, n := range g.Nodes {
			for _, o := range n.Outputs {
				if t := types[o].ONNX(); t != nil && !known[o] {
					g.Values = append(g.Values, &onnx.ValueInfo{Name: o, Type: t})
				}
			}
			n.Subgraphs(func(_ string, sub *onnx.Graph) { declare(sub, sub) })
		}
	}
	declare(m.Graph, bare.Graph)
	return nil
}
