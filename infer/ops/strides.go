package ops

// This file models views: how the sizes, strides and tracked contents of a view
// follow from those of its base. Strides decide whether view() is possible.
//
// A nil Strides means contiguous. A stride that is not known is a nil Expr; what
// depends on it is not decided, and then nothing is reported.

import (
	"math"
	"math/bits"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// An axisMap says where one axis of a view comes from.
type axisMap struct {
	size symshape.Dim
	from int            // axis of the base, or -1
	also int            // a second axis walked along with it (diagonal), or -1
	step int64          // elements of the base's axis per element of this one
	own  *symshape.Expr // stride of an axis that has no origin
}

// keepAxis is the axis i of the base, unchanged.
func keepAxis(s symshape.Shape, i int) axisMap { return axisMap{s[i], i, -1, 1, nil} }

// newAxis is an axis without an origin: of size 1, or broadcast with stride 0.
func newAxis(d symshape.Dim, stride *symshape.Expr) axisMap { return axisMap{d, -1, -1, 0, stride} }

// stridesOf returns the strides of t; elements are nil where not known.
func (c *Call) stridesOf(t *value.Tensor) []*symshape.Expr {
	if ty := t.Type(); ty.Strides != nil {
		return ty.Strides
	}
	return c.rowMajor(t.Type().Shape)
}

// rowMajor returns the strides of a contiguous tensor.
func (c *Call) rowMajor(s symshape.Shape) []*symshape.Expr {
	out := make([]*symshape.Expr, len(s))
	acc := c.P.Const(1)
	for i := len(s) - 1; i >= 0; i-- {
		out[i] = acc
		if !IsConst(s[i], 0) { // PyTorch counts an empty axis as one element
			acc = c.P.Mul(acc, s[i].Expr)
		}
	}
	return out
}

// isRowMajor reports whether strides are those of a contiguous tensor, in which
// axes of one element do not count.
func (c *Call) isRowMajor(s symshape.Shape, strides []*symshape.Expr) bool {
	for _, d := range s {
		if IsConst(d, 0) {
			return true
		}
	}
	acc := c.P.Const(1)
	for i := len(s) - 1; i >= 0; i-- {
		if IsConst(s[i], 1) {
			continue
		}
		if strides[i] == nil || strides[i] != acc {
			return false
		}
		acc = c.P.Mul(acc, s[i].Expr)
	}
	return true
}

// setStrides records the strides of a result.
func (c *Call) setStrides(t *value.Tensor, strides []*symshape.Expr) {
	ty := t.Type()
	ty.Strides = nil
	if len(strides) > 0 && !c.isRowMajor(ty.Shape, strides) {
		ty.Strides = strides
	}
}

// viewOf makes the view of base that has the given axes. start holds offsets
// along axes of the base, and may be nil.
func (c *Call) viewOf(base *value.Tensor, axes []axisMap, start map[int]symshape.Dim) *value.Tensor {
	shape := make(symshape.Shape, len(axes))
	for i, a := range axes {
		shape[i] = a.size
	}
	out := c.View(base, shape)
	if base.Type().Ranked {
		c.setStrides(out, c.mapStrides(c.stridesOf(base), axes))
		out.SetContents(c.mapContents(base, axes, start))
	}
	return out
}

func (c *Call) mapStrides(in []*symshape.Expr, axes []axisMap) []*symshape.Expr {
	out := make([]*symshape.Expr, len(axes))
	for i, a := range axes {
		switch {
		case a.from < 0:
			out[i] = a.own
		case a.also >= 0:
			out[i] = c.P.Add(in[a.from], in[a.also])
		default:
			out[i] = in[a.from]
		}
		if a.from >= 0 && a.step != 1 {
			out[i] = c.P.Mul(out[i], c.P.Const(a.step))
		}
	}
	return out
}

// mapContents picks the elements of a view from the tracked contents of base,
// or returns nil.
func (c *Call) mapContents(base *value.Tensor, axes []axisMap, start map[int]symshape.Dim) []value.Value {
	elems := base.Contents()
	shape, ok := constShape(base.Type().Shape)
	if elems == nil || !ok || len(elems) != product(shape) {
		return nil
	}
	in := rowMajorInts(shape)
	sizes, steps := make([]int, len(axes)), make([]int, len(axes))
	for i, a := range axes {
		n, ok := a.size.Expr.Const()
		if !ok {
			return nil
		}
		sizes[i] = int(n)
		if a.from >= 0 {
			steps[i] = in[a.from] * int(a.step)
			if a.also >= 0 {
				steps[i] += in[a.also] * int(a.step)
			}
		}
	}
	off := 0
	for axis, d := range start {
		n, ok := d.Expr.Const()
		if !ok {
			return nil
		}
		off += int(n) * in[axis]
	}
	return pickStrided(elems, sizes, steps, off)
}

// pickStrided reads elems at off + Σ index·step for all indices in row-major order.
func pickStrided(elems []value.Value, sizes, steps []int, off int) []value.Value {
	n := product(sizes)
	if n > value.MaxElems || n < 0 {
		return nil
	}
	out := make([]value.Value, 0, n)
	idx := make([]int, len(sizes))
	for range n {
		if off < 0 || off >= len(elems) {
			return nil
		}
		out = append(out, elems[off])
		for k := len(sizes) - 1; k >= 0; k-- {
			idx[k]++
			off += steps[k]
			if idx[k] < sizes[k] {
				break
			}
			off -= steps[k] * sizes[k]
			idx[k] = 0
		}
	}
	return out
}

// constShape returns the sizes of a shape that has no symbols.
func constShape(s symshape.Shape) ([]int, bool) {
	out := make([]int, len(s))
	for i, d := range s {
		n, ok := d.Expr.Const()
		if !ok {
			return nil, false
		}
		out[i] = int(n)
	}
	return out, true
}

func product(sizes []int) int {
	n := 1
	for _, s := range sizes {
		if hi, lo := bits.Mul64(uint64(n), uint64(max(s, 0))); hi != 0 || lo > math.MaxInt {
			n = math.MaxInt // more than can be looked at one by one
		} else {
			n = int(lo)
		}
	}
	return n
}

func rowMajorInts(shape []int) []int {
	out := make([]int, len(shape))
	acc := 1
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = acc
		acc *= shape[i]
	}
	return out
}

// viewStrides finds the strides under which memory with the given strides has
// the shape want, as at::detail::computeStride does (aten/src/ATen/TensorUtils.cpp).
// possible is No when there are none: the tensor would have to be copied.
//
// Symbols are taken as sizes in general position: an axis H is not taken to be
// 1, nor H·W to be H, unless the path decides so. A program that is right only
// for such sizes is not one that its author means.
func (c *Call) viewStrides(have symshape.Shape, strides []*symshape.Expr, want symshape.Shape) (out []*symshape.Expr, possible symshape.Answer) {
	for _, d := range have {
		if IsConst(d, 0) {
			return c.rowMajor(want), symshape.Yes
		}
	}
	out = make([]*symshape.Expr, len(want))
	for _, d := range append(have[:len(have):len(have)], want...) {
		if _, isConst := d.Const(); !isConst && d.Known && d.Val <= 1 { // the example is no general position
			return out, symshape.Unknown
		}
	}
	if len(have) == 0 {
		for i := range out {
			out[i] = c.P.Const(1)
		}
		return out, symshape.Yes
	}
	one := c.P.Const(1)
	v := len(want) - 1
	base := strides[len(strides)-1]
	chunk, viewed := one, one
	for i := len(have) - 1; i >= 0; i-- {
		chunk = c.P.Mul(chunk, have[i].Expr)
		if i > 0 {
			if IsConst(have[i-1], 1) {
				continue
			}
			next := c.P.Mul(chunk, base)
			if next == nil || strides[i-1] == nil {
				return make([]*symshape.Expr, len(want)), symshape.Unknown
			}
			if next == strides[i-1] || c.Decide(c.P.Eq(next, strides[i-1])) == symshape.Yes {
				continue
			}
		}
		for v >= 0 {
			if want[v].Expr == nil || viewed == nil || chunk == nil {
				return make([]*symshape.Expr, len(want)), symshape.Unknown
			}
			if !IsConst(want[v], 1) {
				less := c.lessInGeneral(viewed, chunk)
				if less == symshape.Unknown {
					return make([]*symshape.Expr, len(want)), symshape.Unknown
				}
				if less == symshape.No {
					break
				}
			}
			out[v] = c.P.Mul(viewed, base)
			viewed = c.P.Mul(viewed, want[v].Expr)
			v--
		}
		if viewed != chunk {
			if viewed == nil || chunk == nil {
				return make([]*symshape.Expr, len(want)), symshape.Unknown
			}
			switch c.Decide(c.P.Eq(viewed, chunk)) {
			case symshape.No:
				return nil, symshape.No
			case symshape.Unknown:
				if !c.generic(viewed, chunk) {
					return make([]*symshape.Expr, len(want)), symshape.Unknown
				}
				return nil, symshape.No
			}
		}
		if i > 0 {
			base, chunk, viewed = strides[i-1], one, one
		}
	}
	if v >= 0 {
		return make([]*symshape.Expr, len(want)), symshape.Unknown
	}
	return out, symshape.Yes
}

// lessInGeneral decides a < b for products of sizes, where a proper multiple
// counts as greater.
func (c *Call) lessInGeneral(a, b *symshape.Expr) symshape.Answer {
	if a == b {
		return symshape.No
	}
	if ans := c.Decide(c.P.Lt(a, b)); ans != symshape.Unknown {
		return ans
	}
	if c.Decide(c.P.Eq(a, b)) == symshape.Yes {
		return symshape.No
	}
	if c.dividesInForm(a, b) {
		return symshape.Yes
	}
	if c.dividesInForm(b, a) {
		return symshape.No
	}
	return symshape.Unknown
}

// dividesInForm reports whether b is a multiple of a by its form alone.
func (c *Call) dividesInForm(a, b *symshape.Expr) bool {
	if a.IsConst(0) {
		return false
	}
	q := c.P.FloorDiv(b, a)
	return q != nil && c.P.Mul(q, a) == b
}

// generic reports whether two products that differ in form differ for sizes in
// general position: one is a multiple of the other.
func (c *Call) generic(a, b *symshape.Expr) bool {
	return c.dividesInForm(a, b) || c.dividesInForm(b, a)
}

// cloned makes a result like t in new memory, with its order of axes where t is
// dense, as clone() does.
func (c *Call) cloned(t *value.Tensor) *value.Tensor {
	out := c.Like(t, t.Type().DType)
	c.preserved(out, t)
	return out
}

// unsure makes the strides of out unknown where the memory of an input is not
// contiguous: which order its axes have then depends on how it is computed.
func (c *Call) unsure(out *value.Tensor, inputs ...*value.Tensor) *value.Tensor {
	if out == nil || len(out.Type().Shape) < 2 {
		return out
	}
	for _, t := range inputs {
		if t != nil && t.Type().Strides != nil {
			out.Type().Strides = make([]*symshape.Expr, len(out.Type().Shape))
		}
	}
	return out
}
