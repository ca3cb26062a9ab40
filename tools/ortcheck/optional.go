package main

// This file makes results that may be None visible. onnxruntime-node 1.30 crashes
// when it hands an empty optional to JavaScript, so the checked model gets, in place of each
// such result, a bool that says whether it is there, and the tensor, empty where it is not.

import (
	"os"
	"slices"

	"shapecheck/onnx"
)

// showOptionals rewrites the model at path if it has optional results, and says
// which of its results are.
func showOptionals(path string, m *onnx.Model) ([]bool, error) {
	optional := make([]bool, len(m.Graph.Outputs))
	g := m.Graph
	outs := g.Outputs
	g.Outputs = nil
	for i, o := range outs {
		if o.Type == nil || o.Type.Kind != onnx.OptionalType {
			g.Outputs = append(g.Outputs, o)
			continue
		}
		optional[i] = true
		there, got := o.Name+"/there", o.Name+"/tensor"
		of := &onnx.Type{Kind: onnx.TensorType, Elem: o.Type.Of.Elem}
		inner := func(name string, n *onnx.Node) *onnx.Attr {
			return onnx.GraphAttr(name, &onnx.Graph{Name: o.Name + "/" + name, Nodes: []*onnx.Node{n},
				Outputs: []*onnx.ValueInfo{{Name: n.Outputs[0], Type: of}}})
		}
		zero := &onnx.Tensor{DType: of.Elem, Dims: []int64{0}, HasRaw: true}
		g.Nodes = append(g.Nodes,
			&onnx.Node{Op: "OptionalHasElement", Inputs: []string{o.Name}, Outputs: []string{there}},
			&onnx.Node{
				Op: "If", Inputs: []string{there}, Outputs: []string{got},
				Attrs: []*onnx.Attr{
					inner("then_branch", &onnx.Node{Op: "OptionalGetElement", Inputs: []string{o.Name}, Outputs: []string{got + "/some"}}),
					inner("else_branch", &onnx.Node{Op: "Constant", Outputs: []string{got + "/none"},
						Attrs: []*onnx.Attr{onnx.TensorAttr("value", zero)}}),
				},
			})
		g.Values = append(g.Values, o)
		g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: there, Type: onnx.TensorOf(onnx.Bool)}, &onnx.ValueInfo{Name: got, Type: of})
	}
	if !slices.Contains(optional, true) {
		return optional, nil
	}
	b, err := onnx.Marshal(m)
	if err != nil {
		return nil, err
	}
	return optional, os.WriteFile(path, b, 0o666)
}

// pair gives the results of the model that stand for those of PyTorch, nil for
// None; ok is false when they are not as many, or one is there on one side only.
func pair(got []tensor, optional []bool, want []*tensor) (pairs [][2]*tensor, ok bool) {
	for _, opt := range optional {
		if !opt {
			for len(want) > 0 && want[0] == nil { // None on all paths is no result
				want = want[1:]
			}
		}
		if len(got) == 0 || len(want) == 0 {
			return nil, false
		}
		if opt {
			there := len(got) > 1 && len(got[0].B) == 1 && got[0].B[0] != 0
			if got = got[1:]; there != (want[0] != nil) || len(got) == 0 {
				return nil, false
			}
		}
		if want[0] != nil {
			pairs = append(pairs, [2]*tensor{&got[0], want[0]})
		}
		got, want = got[1:], want[1:]
	}
	for len(want) > 0 && want[0] == nil {
		want = want[1:]
	}
	return pairs, len(got) == 0 && len(want) == 0
}
