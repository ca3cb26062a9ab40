package ops

// This file makes the results of operations that work element by element:
// broadcasting of ranked and unranked tensors, strides, tracked contents. Most rules of arithmetic
// and of activation functions end here, so allocation is kept low. An unranked tensor has in Shape
// the last dimensions that are known; what comes before is not.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// Pointwise makes a result of dtype d whose elements are f of the elements of
// the operands, tensors and Python numbers. f may be nil. It returns nil (an untyped one) after a
// fault.
func (c *Call) Pointwise(d dtype.DType, f ElemFunc, operands ...value.Value) value.Value {
	out := c.BroadcastOut(d, operands)
	if out == nil {
		return nil
	}
	if f != nil && Tracked(d) {
		out.SetContents(c.MapElems(out, d, f, operands))
	}
	return out
}

// BroadcastOut makes a tensor of dtype d and the shape to which the operands
// broadcast. Operands that are no tensors are Python numbers, which do not change a shape. The
// result has the strides that PyTorch gives it, where an operand is not row-major. It is nil after
// a fault.
func (c *Call) BroadcastOut(d dtype.DType, operands []value.Value) *value.Tensor {
	// On the stack for the usual one to three tensors.
	var buf [4]*value.Tensor
	ts := buf[:0]
	ranked := true
	for _, v := range operands {
		if t, ok := v.(*value.Tensor); ok {
			ts = append(ts, t)
			ranked = ranked && t.Type().Ranked
		}
	}
	switch {
	// Only numbers: a 0-dim tensor.
	case len(ts) == 0:
		return c.Out(d, symshape.Shape{})
	// One tensor needs no broadcasting, and may be unranked.
	case len(ts) == 1:
		out := c.Like(ts[0], d)
		if ts[0].Type().Strides != nil {
			c.SetStrides(out, c.PointwiseStrides(out.Type().Shape, ts))
		}
		return out
	case !ranked:
		return c.broadcastUnranked(d, ts)
	}
	shape := c.BroadcastTensors(ts...)
	if !c.OK() {
		return nil
	}
	out := c.Out(d, shape)
	// If all operands are row-major, so is the result, and nothing is computed.
	for _, t := range ts {
		if t.Type().Strides != nil {
			c.SetStrides(out, c.PointwiseStrides(shape, ts))
			break
		}
	}
	return out
}

// Preserving makes a result of t's shape with its order of axes in memory, as
// empty_like does. A tensor that is a transposed view gives a result with the same order.
func (c *Call) Preserving(t *value.Tensor, d dtype.DType) *value.Tensor {
	return c.BroadcastOut(d, []value.Value{t})
}

// broadcastUnranked broadcasts what is known of the trailing dimensions. A
// dimension beyond the known ones of an unranked operand may be anything. The known dimensions are
// cut to those that all unranked operands have, as only these can be aligned from the right. Those
// that do not fit are a fault.
func (c *Call) broadcastUnranked(d dtype.DType, ts []*value.Tensor) *value.Tensor {
	n := -1 // trailing dimensions that all unranked operands know
	for _, t := range ts {
		if ty := t.Type(); !ty.Ranked && (n < 0 || len(ty.Shape) < n) {
			n = len(ty.Shape)
		}
	}
	shapes := make([]symshape.Shape, len(ts))
	for i, t := range ts {
		s := t.Type().Shape
		shapes[i] = s[max(0, len(s)-n):]
	}
	shape, _, ok := c.Broadcast(shapes...)
	if !ok {
		c.Shapef("%s: the last dimensions of %s and %s cannot be broadcast together", c.Short(), ts[0], ts[len(ts)-1])
		return nil
	}
	return c.OutType(graph.TensorType{DType: d, Shape: shape})
}

// PointwiseStrides follows at::TensorIterator: the result's axes are laid out in
// the order of the operands' strides (aten/src/ATen/TensorIterator.cpp,
// reorder_dimensions). Nil elements stand for strides that are not known. It returns one expression
// for each axis. Sorting axes by strides needs comparisons of symbolic expressions; where one is
// not decided in general (for all sizes), the strides of all axes are unknown.
func (c *Call) PointwiseStrides(shape symshape.Shape, ts []*value.Tensor) []*symshape.Expr {
	n := len(shape)
	// Strides of each operand, aligned with the result's axes: 0 where the operand is broadcast.
	strides := make([][]*symshape.Expr, 0, len(ts))
	for _, t := range ts {
		s := t.Type().Shape
		own := c.StridesOf(t)
		full := make([]*symshape.Expr, n)
		for i := range full {
			full[i] = c.P.Const(0)
			if j := i - (n - len(s)); j >= 0 {
				if !IsConst(s[j], 1) || IsConst(shape[i], 1) {
					full[i] = own[j]
				}
			}
		}
		strides = append(strides, full)
	}
	unknown := make([]*symshape.Expr, n)
	// swap reports whether axis a must be inside axis b: yes, no, or ambiguous. The first operand
	// that distinguishes the two axes decides. Equal strides go by the sizes, as TensorIterator
	// does: the smaller axis is inside.
	const no, yes, either, lost = 0, 1, 2, 3
	swap := func(a, b int) int {
		for _, s := range strides {
			x, y := s[a], s[b]
			if x == nil || y == nil {
				return lost
			}
			if x.IsConst(0) || y.IsConst(0) {
				continue
			}
			if x == y {
				switch c.lessInGeneral(shape[b].Expr, shape[a].Expr) {
				case symshape.Yes:
					return yes
				case symshape.Unknown:
					if shape[a].Expr == nil || shape[b].Expr == nil {
						return lost
					}
				}
				continue
			}
			switch c.lessInGeneral(x, y) {
			case symshape.Yes:
				return no
			case symshape.No:
				return yes
			}
			return lost
		}
		return either
	}
	// The start is row-major order, so that ambiguous axes stay as they are.
	perm := make([]int, n) // innermost first
	for i := range perm {
		perm[i] = n - 1 - i
	}
	// An insertion sort, as PyTorch has it: with ambiguous comparisons another algorithm could give
	// another order.
	for i := 1; i < n; i++ {
		at := i
		for j := i - 1; j >= 0; j-- {
			k := swap(perm[j], perm[at])
			if k == lost {
				return unknown
			}
			if k == yes {
				perm[j], perm[at] = perm[at], perm[j]
				at = j
			} else if k == no {
				break
			}
		}
	}
	// The result is dense: strides are the products of the sizes of the axes inside.
	out := make([]*symshape.Expr, n)
	acc := c.P.Const(1)
	for _, axis := range perm {
		out[axis] = acc
		acc = c.P.Mul(acc, shape[axis].Expr)
	}
	return out
}

// MapElems computes the contents of out, or nil when those of an operand are
// not known, or when that is too much (Computes). An element that f cannot compute becomes an
// unknown one of the dtype, and if all are unknown the contents are nil, as keeping them would tell
// nothing.
func (c *Call) MapElems(out *value.Tensor, d dtype.DType, f ElemFunc, operands []value.Value) []value.Value {
	for _, v := range operands {
		if t, ok := v.(*value.Tensor); ok && t.Contents() == nil {
			return nil
		}
	}
	shape, ok := ConstShape(out.Type().Shape)
	if !ok || !out.Type().Ranked {
		return nil
	}
	// Two limits: how many elements a tensor may keep, and how much the run may compute.
	n := Product(shape)
	if n > value.MaxElems || !c.Th.Computes(n) {
		return nil
	}
	// A column for each operand, with as many elements as the result.
	cols := make([][]value.Value, len(operands))
	for i, v := range operands {
		t, isTensor := v.(*value.Tensor)
		if !isTensor {
			cols[i] = slices.Repeat([]value.Value{value.Plain(v)}, n)
			continue
		}
		s, ok := ConstShape(t.Type().Shape)
		if !ok || len(t.Contents()) != Product(s) {
			return nil
		}
		cols[i] = ExpandElems(t.Contents(), s, shape)
	}
	elems := make([]value.Value, n)
	row := make([]value.Value, len(operands))
	known := false
	for i := range elems {
		for k := range cols {
			row[k] = cols[k][i]
		}
		if e := f(c, d, row); e != nil {
			elems[i], known = e, true
		} else {
			elems[i] = c.unknownElem(d)
		}
	}
	if !known && n > 0 {
		return nil
	}
	return elems
}

// ExpandElems broadcasts contents from one shape to another. from must broadcast to to. The result
// may be elems itself, which must not be changed.
func ExpandElems(elems []value.Value, from, to []int) []value.Value {
	if slices.Equal(from, to) {
		return elems
	}
	in := RowMajorInts(from)
	steps := make([]int, len(to))
	// The step of a broadcast axis is 0: its only element is read again.
	for i := range to {
		if j := i - (len(to) - len(from)); j >= 0 && from[j] != 1 {
			steps[i] = in[j]
		}
	}
	return PickStrided(elems, to, steps, 0)
}

// Filled records that all elements of out are v; v may be nil. It returns out. The value is cast to
// the dtype; where it does not fit, or there are too many elements, out keeps none.
func (c *Call) Filled(out *value.Tensor, v value.Value) *value.Tensor {
	ty := out.Type()
	if v == nil || !ty.Ranked || !Tracked(ty.DType) {
		return out
	}
	shape, ok := ConstShape(ty.Shape)
	if !ok || slices.Min(append(shape, 0)) < 0 {
		return out
	}
	if n := Product(shape); n >= 0 && n <= value.MaxElems {
		if e := c.CastElem(ty.DType, value.Plain(v)); e != nil {
			out.SetContents(slices.Repeat([]value.Value{e}, n))
		}
	}
	return out
}
