package aten

// This file promotes element types as PyTorch does.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape/dtype"
)

// promoted returns the type to which the named operands are promoted.
func (c *Call) promoted(names ...string) (onnx.DType, bool) {
	var list []dtype.Operand
	for _, name := range names {
		switch o := c.Arg(name).(type) {
		case *graph.Value:
			if o.Kind == graph.ScalarKind {
				list = append(list, dtype.NumberOp(kindOf(o.Type.DType)))
			} else {
				list = append(list, dtype.TensorOp(o.Type.DType, o.Type.Rank()))
			}
		case graph.Bool:
			list = append(list, dtype.NumberOp(dtype.KindBool))
		case graph.Int, graph.Dim:
			list = append(list, dtype.NumberOp(dtype.KindInt))
		case graph.Float, graph.Real:
			list = append(list, dtype.NumberOp(dtype.KindFloat))
		default:
			return 0, false
		}
	}
	return DTypeOf(dtype.ResultType(dtype.F32, list...))
}

// kindOf is the class of a number with that element type.
func kindOf(d dtype.DType) dtype.Kind {
	t, _ := DTypeOf(d)
	switch {
	case t == onnx.Bool:
		return dtype.KindBool
	case isFloat(t):
		return dtype.KindFloat
	}
	return dtype.KindInt
}
