package inference

import (
	"strings"
	"testing"

	"shapecheck/onnx"
)

func TestElementTypesAreThoseOfTheVersion(t *testing.T) {
	for _, c := range []struct {
		name, want string
		opset      int64
		elem       onnx.DType
		node       *onnx.Node
	}{
		{"ints in an old Add", "", 8, onnx.Int64, node("Add x x -> y")},
		{"small ints in an old Add", `node "n_Add" (Add), value "x": element type i8; in opset 13 the operator takes `, 13, onnx.Int8,
			node("Add x x -> y")},
		{"small ints in a new Add", "", 14, onnx.Int8, node("Add x x -> y")},
		{"bool in MatMul", "element type bool", 17, onnx.Bool, node("MatMul x x -> y")},
		{"ints in Relu", "element type i64", 13, onnx.Int64, node("Relu x -> y")},
		{"an operator that did not change", "element type i64", 21, onnx.Int64, node("Sigmoid x -> y")},
		{"an operator of a much later version", "element type f32", 25, onnx.Float, node("BitwiseNot x -> y")},
		{"bool in an old ReduceMax", "element type bool", 18, onnx.Bool, node("ReduceMax x -> y")},
		{"bool in a new ReduceMax", "", 20, onnx.Bool, node("ReduceMax x -> y")},
		{"bool in Pad", "", 19, onnx.Bool, node("Pad x one -> y")},
		{"the axes of a reduction", `value "x": element type i32`, 18, onnx.Int32, node("ReduceMean x x -> y")},
		{"floats in BitwiseAnd", "element type f32", 18, onnx.Float, node("BitwiseAnd x x -> y")},
		{"small floats in an old Cast", "element type f8e5m2", 18, onnx.Float8E5M2, node("Cast x -> y", onnx.IntAttr("to", 1))},
		{"small floats in a new Cast", "", 19, onnx.Float8E5M2, node("Cast x -> y", onnx.IntAttr("to", 1))},
		{"four bits in Cast", "element type u4", 20, onnx.Uint4, node("Cast x -> y", onnx.IntAttr("to", 1))},
		{"four bits in a new Cast", "", 21, onnx.Uint4, node("Cast x -> y", onnx.IntAttr("to", 1))},
		{"text in Equal", "", 19, onnx.String, node("Equal x x -> y")},
		{"complex numbers in Equal", "element type c64", 19, onnx.Complex64, node("Equal x x -> y")},
		{"bfloat16 in IsNaN", "", 20, onnx.BFloat16, node("IsNaN x -> y")},
		{"ints in Gelu", "element type i32", 20, onnx.Int32, node("Gelu x -> y")},
		{"16 bits quantized", "element type u16", 19, onnx.Uint16, node("DequantizeLinear x s -> y")},
		{"16 bits quantized, newer", "", 21, onnx.Uint16, node("DequantizeLinear x s -> y")},
		{"any type", "", 9, onnx.String, node("Identity x -> y")},
		{"all inputs of Max", `value "x"`, 13, onnx.Bool, node("Max x x x -> y")},
	} {
		m := model([]*onnx.ValueInfo{input("x", c.elem, "2", "2"), input("s", onnx.Float)}, map[string][]int64{"one": {1, 1, 1, 1}}, c.node)
		m.Opsets[0].Version = c.opset
		res := infer(t, m)
		got := ""
		for _, e := range res.Errors {
			got += e.Error()
		}
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
