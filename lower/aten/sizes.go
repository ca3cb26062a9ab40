package aten

// This file makes sizes and shapes available as tensors.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

// sizes makes numbers that depend on symbols an input of the function.
func (c *Call) sizes(name string, list []graph.Operand, scalar bool) V {
	d := onnx.Int64
	if _, real := list[0].(graph.Real); real {
		d = onnx.Double
	}
	key := operandsKey(list)
	for _, f := range c.formals {
		if f.Value == nil && f.Scalar == scalar && operandsKey(f.Sizes) == key {
			return V{f.Name, d}
		}
	}
	f := Formal{Name: c.formal(name), Sizes: list, Scalar: scalar}
	c.formals = append(c.formals, f)
	return V{f.Name, d}
}

func operandsKey(list []graph.Operand) string {
	s := ""
	for _, o := range list {
		s += graph.OperandString(o) + ","
	}
	return s
}

// Sizes returns integers as an i64 tensor of one dimension: a constant when all
// are known.
func (c *Call) Sizes(name string, list []graph.Operand) V {
	ints := make([]int64, len(list))
	for i, o := range list {
		n, ok := ConstInt(o)
		if !ok {
			return c.sizes(name, list, false)
		}
		ints[i] = n
	}
	return c.emit.I64(ints...)
}

// ShapeTensor returns a shape as an i64 tensor.
func (c *Call) ShapeTensor(s symshape.Shape) V {
	list := make([]graph.Operand, len(s))
	for i, d := range s {
		if d.Expr == nil && !d.Known {
			failf("dimension %d of the shape is not known", i)
		}
		list[i] = graph.Dim{Dim: d}
	}
	return c.Sizes("shape", list)
}

// Reshape gives x, which has the shape from, the shape to. Sizes that stay in
// their place and one that is not constant are left to the operator, so that the
// body stays free of symbols where it can.
func (c *Call) Reshape(x V, from, to symshape.Shape) V {
	e := c.emit
	ints := make([]int64, len(to))
	open, zero, kept := 0, false, false
	for i, d := range to {
		n, ok := d.Const()
		switch {
		case ok:
			zero = zero || n == 0
		case i < len(from) && d.Expr != nil && from[i].Expr == d.Expr:
			n, kept = 0, true
		default:
			n = -1
			open++
		}
		ints[i] = n
	}
	switch {
	case zero && (open > 0 || kept), open > 1:
		return e.ReshapeTo(x, c.ShapeTensor(to))
	}
	return e.Op("Reshape", In(x, e.I64(ints...)), allowZero(zero)...)
}

// ReshapeTo is Reshape to a computed shape.
func (e *Emitter) ReshapeTo(x, shape V) V { return e.Op("Reshape", In(x, shape), allowZero(true)...) }

// allowZero makes a 0 in a shape mean the size 0 instead of the input's size.
func allowZero(zero bool) []*onnx.Attr {
	if zero {
		return []*onnx.Attr{onnx.IntAttr("allowzero", 1)}
	}
	return nil
}

// Shape emits the shape of x.
func (e *Emitter) Shape(x V) V { return e.Op("Shape", In(x)) }

// SizeOf returns the size of a tensor argument in one dimension, as an i64 tensor
// with one element: a constant when it is known.
func (c *Call) SizeOf(name string, axis int64) V {
	t := c.Type(name)
	if n, ok := t.Shape[axis].Const(); ok && t.Ranked {
		return c.emit.I64(n)
	}
	return c.emit.Op("Shape", In(c.Tensor(name)), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
}

// ConstDim returns a known size of a tensor argument.
func (c *Call) ConstDim(name string, axis int64) int64 {
	t := c.Type(name)
	if t.Ranked && int(axis) < len(t.Shape) {
		if n, ok := t.Shape[axis].Const(); ok {
			return n
		}
	}
	failf("the size of %s in dimension %d must be known when the model is exported", name, axis)
	return 0
}

// Squeeze and Unsqueeze remove and insert dimensions of size one.
func (e *Emitter) Squeeze(x V, axes ...int64) V   { return e.Op("Squeeze", In(x, e.I64(axes...))) }
func (e *Emitter) Unsqueeze(x V, axes ...int64) V { return e.Op("Unsqueeze", In(x, e.I64(axes...))) }

// Transpose reorders dimensions.
func (e *Emitter) Transpose(x V, perm ...int64) V {
	return e.Op("Transpose", In(x), onnx.IntsAttr("perm", perm...))
}

// Slice takes x[start:end:step] of one dimension.
func (e *Emitter) Slice(x V, axis, start, end, step int64) V {
	return e.Op("Slice", In(x, e.I64(start), e.I64(end), e.I64(axis), e.I64(step)))
}

// Concat joins along an axis.
func (e *Emitter) Concat(axis int64, list ...V) V {
	if len(list) == 0 {
		failf("there is nothing to join")
	}
	return e.Op("Concat", list, onnx.IntAttr("axis", axis))
}

// Reduce emits a reduction over known axes. No axes: the value itself.
func (e *Emitter) Reduce(op string, x V, keep bool, axes ...int64) V {
	if len(axes) == 0 {
		return e.Op("Identity", In(x))
	}
	k := int64(0)
	if keep {
		k = 1
	}
	if op != "ReduceSum" && e.Opset < 18 { // axes were an attribute
		return e.Op(op, In(x), onnx.IntAttr("keepdims", k), onnx.IntsAttr("axes", axes...))
	}
	return e.Op(op, In(x, e.I64(axes...)), onnx.IntAttr("keepdims", k))
}
