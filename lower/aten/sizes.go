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
	return c.I64(ints...)
}

// ShapeTensor returns a shape as an i64 tensor.
func (c *Call) ShapeTensor(s symshape.Shape) V {
	list := make([]graph.Operand, len(s))
	for i, d := range s {
		if d.Expr == nil && !d.Known {
			c.Failf("dimension %d of the shape is not known", i)
		}
		list[i] = graph.Dim{Dim: d}
	}
	return c.Sizes("shape", list)
}

// Reshape gives x, which has the shape from, the shape to. Sizes that stay in
// their place and one that is not constant are left to the operator, so that the
// body stays free of symbols where it can.
func (c *Call) Reshape(x V, from, to symshape.Shape) V {
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
		return c.ReshapeTo(x, c.ShapeTensor(to))
	}
	return c.Op("Reshape", In(x, c.I64(ints...)), c.allowZero(zero)...)
}

// ReshapeTo is Reshape to a computed shape.
func (c *Call) ReshapeTo(x, shape V) V { return c.Op("Reshape", In(x, shape), c.allowZero(true)...) }

// allowZero makes a 0 in a shape mean the size 0 instead of the input's size.
func (c *Call) allowZero(zero bool) []*onnx.Attr {
	if zero {
		return []*onnx.Attr{onnx.IntAttr("allowzero", 1)}
	}
	return nil
}

// Shape emits the shape of x.
func (c *Call) Shape(x V) V { return c.Op("Shape", In(x)) }

// SizeOf returns the size of a tensor argument in one dimension, as an i64 tensor
// with one element: a constant when it is known.
func (c *Call) SizeOf(name string, axis int64) V {
	t := c.Type(name)
	if n, ok := t.Shape[axis].Const(); ok && t.Ranked {
		return c.I64(n)
	}
	return c.Op("Shape", In(c.Tensor(name)), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
}

// ConstDim returns a known size of a tensor argument.
func (c *Call) ConstDim(name string, axis int64) int64 {
	t := c.Type(name)
	if t.Ranked && int(axis) < len(t.Shape) {
		if n, ok := t.Shape[axis].Const(); ok {
			return n
		}
	}
	c.Failf("the size of %s in dimension %d must be known when the model is exported", name, axis)
	return 0
}

// Squeeze and Unsqueeze remove and insert dimensions of size one.
func (c *Call) Squeeze(x V, axes ...int64) V   { return c.Op("Squeeze", In(x, c.I64(axes...))) }
func (c *Call) Unsqueeze(x V, axes ...int64) V { return c.Op("Unsqueeze", In(x, c.I64(axes...))) }

// Transpose reorders dimensions.
func (c *Call) Transpose(x V, perm ...int64) V {
	return c.Op("Transpose", In(x), onnx.IntsAttr("perm", perm...))
}

// Slice takes x[start:end:step] of one dimension.
func (c *Call) Slice(x V, axis, start, end, step int64) V {
	return c.Op("Slice", In(x, c.I64(start), c.I64(end), c.I64(axis), c.I64(step)))
}

// Concat joins along an axis.
func (c *Call) Concat(axis int64, list ...V) V {
	if len(list) == 0 {
		c.Failf("there is nothing to join")
	}
	return c.Op("Concat", list, onnx.IntAttr("axis", axis))
}

// Reduce emits a reduction over known axes. No axes: the value itself.
func (c *Call) Reduce(op string, x V, keep bool, axes ...int64) V {
	if len(axes) == 0 {
		return c.Op("Identity", In(x))
	}
	k := int64(0)
	if keep {
		k = 1
	}
	if op != "ReduceSum" && c.Opset < 18 { // axes were an attribute
		return c.Op(op, In(x), onnx.IntAttr("keepdims", k), onnx.IntsAttr("axes", axes...))
	}
	return c.Op(op, In(x, c.I64(axes...)), onnx.IntAttr("keepdims", k))
}
