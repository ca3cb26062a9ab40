package aten

// This file bridges what ONNX's operators do not take: element types, and tensors
// without elements.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// fit converts the inputs of an operator that does not take floats of 16 bits to
// binary32, in which PyTorch computes with them, too. back is their type before;
// Undefined when nothing changes.
func (e *Emitter) fit(known *schema.Op, ins []V) (out []V, back onnx.DType) {
	if known.Outputs[0].Types.Tensors == 0 { // a sequence, which cannot be converted back
		return ins, back
	}
	for i, v := range ins {
		if v.Name == "" || !known.Rejects(i, v.DType) {
			continue
		}
		if isComplex(v.DType) {
			failf("there are no complex numbers")
		}
		if isHalf(v.DType) && slices.Contains(known.Takes(i), onnx.Float) {
			back = v.DType
			break
		}
	}
	if back == onnx.Undefined {
		return ins, back
	}
	out = slices.Clone(ins)
	for i, v := range out {
		if v.DType == back {
			out[i] = e.Cast(v, onnx.Float)
		}
	}
	return out, back
}

// nothing lowers a call all of whose results have no elements: runtimes, and some
// operators, do not take all the forms that PyTorch has of them.
func (c *Call) nothing() bool {
	outs := make([]V, 0, len(c.Node.Outputs))
	for i, o := range c.Node.Outputs {
		if o.Kind != graph.TensorKind || !o.Type.Ranked || !emptyShape(&o.Type) {
			return false
		}
		for _, d := range o.Type.Shape {
			if d.Expr == nil && !d.Known {
				return false
			}
		}
		if t, ok := DTypeOf(o.Type.DType); !ok || isComplex(t) || isComplex(c.OutDType(i)) {
			return false
		}
	}
	for i, o := range c.Node.Outputs {
		outs = append(outs, c.emit.filled(c.ShapeTensor(o.Type.Shape), c.OutDType(i), 0))
	}
	c.Return(outs...)
	return len(outs) > 0
}

func isHalf(d onnx.DType) bool { return d == onnx.BFloat16 || d == onnx.Float16 }
