package ops

// This file makes the results of operations that work element by element:
// broadcasting of ranked and unranked tensors, strides, tracked contents.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// Pointwise makes a result of dtype d whose elements are f of the elements of
// the operands, tensors and Python numbers. f may be nil.
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
// broadcast.
func (c *Call) BroadcastOut(d dtype.DType, operands []value.Value) *value.Tensor {
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
	case len(ts) == 0:
		return c.Out(d, symshape.Shape{})
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
	for _, t := range ts {
		if t.Type().Strides != nil {
			c.SetStrides(out, c.PointwiseStrides(shape, ts))
			break
		}
	}
	return out
}

// Preserving makes a result of t's shape with its order of axes in memory, as
// empty_like does.
func (c *Call) Preserving(t *value.Tensor, d dtype.DType) *value.Tensor {
	return c.BroadcastOut(d, []value.Value{t})
}

// broadcastUnranked broadcasts what is known of the trailing dimensions. A
// dimension beyond the known ones of an unranked operand may be anything.
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
// reorder_dimensions). Nil elements stand for strides that are not known.
func (c *Call) PointwiseStrides(shape symshape.Shape, ts []*value.Tensor) []*symshape.Expr {
	n := len(shape)
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
	// swap reports whether axis a must be inside axis b: yes, no, or ambiguous.
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
	perm := make([]int, n) // innermost first
	for i := range perm {
		perm[i] = n - 1 - i
	}
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
	out := make([]*symshape.Expr, n)
	acc := c.P.Const(1)
	for _, axis := range perm {
		out[axis] = acc
		acc = c.P.Mul(acc, shape[axis].Expr)
	}
	return out
}

// MapElems computes the contents of out, or nil when those of an operand are
// not known, or when that is too much (Computes).
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
	n := Product(shape)
	if n > value.MaxElems || !c.Th.Computes(n) {
		return nil
	}
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

// ExpandElems broadcasts contents from one shape to another.
func ExpandElems(elems []value.Value, from, to []int) []value.Value {
	if slices.Equal(from, to) {
		return elems
	}
	in := RowMajorInts(from)
	steps := make([]int, len(to))
	for i := range to {
		if j := i - (len(to) - len(from)); j >= 0 && from[j] != 1 {
			steps[i] = in[j]
		}
	}
	return PickStrided(elems, to, steps, 0)
}

// Filled records that all elements of out are v; v may be nil.
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
