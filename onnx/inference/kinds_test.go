package inference

// This file tests kinds of values: sequences where there must be tensors.

import (
	"fmt"
	"strings"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// TestSequencesAreNoTensors gives each operator a sequence where its schema takes tensors alone.
func TestSequencesAreNoTensors(t *testing.T) {
	body := &onnx.Graph{Inputs: []*onnx.ValueInfo{{Name: "a"}}, Outputs: []*onnx.ValueInfo{{Name: "a"}}}
	asked := 0
	for _, op := range schema.Ops() {
		if op != schema.Lookup(op.Domain, op.Name, schema.NewestOf(op.Domain)) || op.Domain == schema.Chainer {
			continue
		}
		for wrong := range op.Inputs {
			if p := op.Input(wrong); p.Types.Sequences != 0 || p.Types.Optionals != 0 || p.Types.Tensors == 0 {
				continue
			}
			n := &onnx.Node{Op: op.Name, Domain: op.Domain}
			for i := range op.Outputs {
				n.Outputs = append(n.Outputs, fmt.Sprint("y", i))
			}
			g := &onnx.Graph{Nodes: []*onnx.Node{n}}
			for i := range op.Inputs {
				name := fmt.Sprint("x", i)
				v := &onnx.ValueInfo{Name: name, Type: typeIn(op.Input(i).Types, 3)}
				if i == wrong {
					v.Type = &onnx.Type{Kind: onnx.SequenceType, Of: v.Type}
				}
				n.Inputs, g.Inputs = append(n.Inputs, name), append(g.Inputs, v)
			}
			for _, a := range op.Attrs {
				if a.Required {
					n.Attrs = append(n.Attrs, sampleAttr(a, body, 1))
				}
			}
			asked++
			m := &onnx.Model{IRVersion: 10, Graph: g, Opsets: []onnx.Opset{{Domain: op.Domain, Version: op.Since}}}
			want := fmt.Sprintf(`a %s node, value "x%d": it is seq(`, op.Name, wrong)
			if res := infer(t, m); len(res.Errors) != 1 || !strings.HasPrefix(res.Errors[0].Error(), want) {
				t.Errorf("%s, input %d: %v", op.Name, wrong, res.Errors)
			}
		}
	}
	if asked < 400 {
		t.Errorf("%d inputs", asked)
	}
}
