package codegen_test

import (
	"context"
	"strings"
	"testing"

	"shapecheck/codegen"
	"shapecheck/onnx"
)

// TestLongNameOfOutput checks that a name that no program can hold is an error of the model.
func TestLongNameOfOutput(t *testing.T) {
	long := strings.Repeat("y", 5000)
	typ := onnx.TensorOf(onnx.Float)
	typ.Shape = &onnx.Shape{}
	g := &onnx.Graph{Name: "g", Nodes: []*onnx.Node{{Op: "Neg", Inputs: []string{"x"}, Outputs: []string{long}}},
		Inputs: []*onnx.ValueInfo{{Name: "x", Type: typ}}, Outputs: []*onnx.ValueInfo{{Name: long, Type: typ}}}
	m := &onnx.Model{IRVersion: 10, Graph: g, Opsets: []onnx.Opset{{Version: 21}}}
	_, err := codegen.Compile(context.Background(), m, codegen.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "the name of an input or output has 5000 bytes, more than 4096") {
		t.Errorf("%v", err)
	}
}
