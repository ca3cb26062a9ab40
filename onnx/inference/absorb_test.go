package inference

// This file tests elements of which only one operand is known.

import (
	"fmt"
	"testing"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

func TestWhatOneOperandDecides(t *testing.T) {
	for _, c := range []struct {
		op   string
		elem onnx.DType
		a, b string // elements: ? is not known
		want string
	}{
		{"Mul", onnx.Int64, "?", "0", "0"}, {"Mul", onnx.Int64, "0", "?", "0"}, {"Mul", onnx.Int64, "?", "1", "?"},
		{"Mul", onnx.Int64, "1", "?", "?"}, {"Mul", onnx.Int64, "?", "?", "?"},
		{"Add", onnx.Int64, "?", "0", "?"}, {"Add", onnx.Int64, "0", "?", "?"}, {"Sub", onnx.Int64, "0", "?", "?"},
		{"Max", onnx.Int64, "0", "?", "?"}, {"Div", onnx.Int64, "0", "?", "?"},
		{"Equal", onnx.Int64, "0", "?", "?"}, {"Less", onnx.Int64, "?", "0", "?"}, {"Mod", onnx.Int64, "?", "1", "?"},
		{"Pow", onnx.Int64, "?", "0", "?"},
		{"And", onnx.Bool, "?", "0", "0"}, {"And", onnx.Bool, "0", "?", "0"}, {"And", onnx.Bool, "1", "?", "?"},
		{"And", onnx.Bool, "?", "1", "?"}, {"And", onnx.Bool, "?", "?", "?"},
		{"Or", onnx.Bool, "?", "1", "1"}, {"Or", onnx.Bool, "1", "?", "1"}, {"Or", onnx.Bool, "0", "?", "?"},
		{"Or", onnx.Bool, "?", "0", "?"}, {"Or", onnx.Bool, "?", "?", "?"},
		{"Xor", onnx.Bool, "?", "1", "?"}, {"Xor", onnx.Bool, "0", "?", "?"}, {"Mul", onnx.Int64, "0", "0", "0"},
		{"And", onnx.Bool, "1", "1", "1"}, {"Or", onnx.Bool, "0", "0", "0"},
	} {
		p := symshape.NewPool()
		s := NewSession(p)
		value := func(text string) *Value {
			// A second element is known, so that the list is.
			elems := []*symshape.Expr{nil, p.Const(1)}
			if text != "?" {
				elems[0] = p.Const(int64(text[0] - '0'))
			}
			return s.ValueOf(&Type{Kind: onnx.TensorType, Elem: c.elem, Ranked: true, Dims: []*symshape.Expr{p.Const(2)}}, elems)
		}
		outs, errs := s.Apply(node(c.op+" a b -> y"), 14, []*Value{value(c.a), value(c.b)})
		got := "?"
		if e := outs[0].Elements(); len(e) > 0 && e[0] != nil {
			got = e[0].String()
		}
		if len(errs) > 0 || got != c.want {
			t.Error(fmt.Sprintf("%s of %s and %s: %s instead of %s", c.op, c.a, c.b, got, c.want), errs)
		}
	}
}
