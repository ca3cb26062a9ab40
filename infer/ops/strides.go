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

// An AxisMap says where one axis of a view comes from.
type AxisMap struct {
	Size symshape.Dim   // the size of the axis
	From int            // axis of the base, or -1
	Also int            // a second axis walked along with it (diagonal), or -1
	Step int64          // elements of the base's axis per element of this one
	own  *symshape.Expr // stride of an axis that has no origin
}

// KeepAxis is the axis i of the base, unchanged.
func KeepAxis(s symshape.Shape, i int) AxisMap { return AxisMap{s[i], i, -1, 1, nil} }

// NewAxis is an axis without an origin: of size 1, or broadcast with stride 0.
func NewAxis(d symshape.Dim, stride *symshape.Expr) AxisMap { return AxisMap{d, -1, -1, 0, stride} }

// StridesOf returns the strides of t; elements are nil where not known.
func (c *Call) StridesOf(t *value.Tensor) []*symshape.Expr {
	if ty := t.Type(); ty.Strides != nil {
		return ty.Strides
	}
	return c.RowMajor(t.Type().Shape)
}

// RowMajor returns the strides of a contiguous tensor.
func (c *Call) RowMajor(s symshape.Shape) []*symshape.Expr {
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

// IsRowMajor reports whether strides are those of a contiguous tensor, in which
// axes of one element do not count.
func (c *Call) IsRowMajor(s symshape.Shape, strides []*symshape.Expr) bool {
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

// SetStrides records the strides of a result.
func (c *Call) SetStrides(t *value.Tensor, strides []*symshape.Expr) {
	ty := t.Type()
	ty.Strides = nil
	if len(strides) > 0 && !c.IsRowMajor(ty.Shape, strides) {
		ty.Strides = strides
	}
}

// ViewOf makes the view of base that has the given axes. start holds offsets
// along axes of the base, and may be nil.
func (c *Call) ViewOf(base *value.Tensor, axes []AxisMap, start map[int]symshape.Dim) *value.Tensor {
	shape := make(symshape.Shape, len(axes))
	for i, a := range axes {
		shape[i] = a.Size
	}
	out := c.View(base, shape)
	if base.Type().Ranked {
		c.SetStrides(out, c.MapStrides(c.StridesOf(base), axes))
		out.SetContents(c.MapContents(base, axes, start))
	}
	return out
}

// MapStrides gives the strides of a view by those of its base; elements are nil where
// not known.
func (c *Call) MapStrides(in []*symshape.Expr, axes []AxisMap) []*symshape.Expr {
	out := make([]*symshape.Expr, len(axes))
	for i, a := range axes {
		switch {
		case a.From < 0:
			out[i] = a.own
		case a.Also >= 0:
			out[i] = c.P.Add(in[a.From], in[a.Also])
		default:
			out[i] = in[a.From]
		}
		if a.From >= 0 && a.Step != 1 {
			out[i] = c.P.Mul(out[i], c.P.Const(a.Step))
		}
	}
	return out
}

// MapContents picks the elements of a view from the tracked contents of base,
// or returns nil.
func (c *Call) MapContents(base *value.Tensor, axes []AxisMap, start map[int]symshape.Dim) []value.Value {
	elems := base.Contents()
	shape, ok := ConstShape(base.Type().Shape)
	if elems == nil || !ok || len(elems) != Product(shape) {
		return nil
	}
	in := RowMajorInts(shape)
	sizes, steps := make([]int, len(axes)), make([]int, len(axes))
	for i, a := range axes {
		n, ok := a.Size.Expr.Const()
		if !ok {
			return nil
		}
		sizes[i] = int(n)
		if a.From >= 0 {
			steps[i] = in[a.From] * int(a.Step)
			if a.Also >= 0 {
				steps[i] += in[a.Also] * int(a.Step)
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
	return PickStrided(elems, sizes, steps, off)
}

// PickStrided reads elems at off + Σ index·step for all indices in row-major order.
func PickStrided(elems []value.Value, sizes, steps []int, off int) []value.Value {
	n := Product(sizes)
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

// ConstShape returns the sizes of a shape that has no symbols.
func ConstShape(s symshape.Shape) ([]int, bool) {
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

// Product is the number of elements of a shape, or the largest int where there are more;
// a negative size counts as 0.
func Product(sizes []int) int {
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

// RowMajorInts gives the strides of a contiguous tensor of a shape without symbols.
func RowMajorInts(shape []int) []int {
	out := make([]int, len(shape))
	acc := 1
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = acc
		acc *= shape[i]
	}
	return out
}

// ViewStrides finds the strides under which memory with the given strides has
// the shape want, as at::detail::computeStride does (aten/src/ATen/TensorUtils.cpp).
// possible is No when there are none: the tensor would have to be copied.
//
// Symbols are taken as sizes in general position: an axis H is not taken to be
// 1, nor H·W to be H, unless the path decides so. A program that is right only
// for such sizes is not one that its author means.
func (c *Call) ViewStrides(have symshape.Shape, strides []*symshape.Expr, want symshape.Shape) (out []*symshape.Expr,
	possible symshape.Answer) {
	for _, d := range have {
		if IsConst(d, 0) {
			return c.RowMajor(want), symshape.Yes
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

// Cloned makes a result like t in new memory, with its order of axes where t is
// dense, as clone() does.
func (c *Call) Cloned(t *value.Tensor) *value.Tensor {
	out := c.Like(t, t.Type().DType)
	c.Preserved(out, t)
	return out
}

// Unsure makes the strides of out unknown where the memory of an input is not
// contiguous: which order its axes have then depends on how it is computed.
func (c *Call) Unsure(out *value.Tensor, inputs ...*value.Tensor) *value.Tensor {
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

// Preserved gives out the strides that empty_like gives: those of t when its
// elements fill their memory.
func (c *Call) Preserved(out *value.Tensor, t *value.Tensor) {
	s, strides := t.Type().Shape, t.Type().Strides
	if strides == nil {
		return
	}
	if !c.IsDense(s, strides) {
		strides = make([]*symshape.Expr, len(s))
	}
	c.SetStrides(out, strides)
}

// IsDense reports whether strides are those of row-major order under some
// permutation of the axes.
func (c *Call) IsDense(s symshape.Shape, strides []*symshape.Expr) bool {
	used := make([]bool, len(s))
	acc := c.P.Const(1)
	for range s {
		found := -1
		for i := range s {
			if used[i] {
				continue
			}
			if IsConst(s[i], 1) {
				found = i
				break
			}
			if strides[i] != nil && strides[i] == acc {
				found = i
			}
		}
		if found < 0 {
			return false
		}
		used[found] = true
		acc = c.P.Mul(acc, s[found].Expr)
	}
	return true
}
