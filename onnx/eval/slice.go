package eval

// This file cuts out and pads.
//
// The clamping of bounds is where implementations differ, and is written once, in sliced. Pads
// may be negative, which cuts.

import (
	"slices"

	"shapecheck/onnx"
)

// sliceKernel: a start and a step for each axis make a walk through the operand; an axis of at most one element
// has no step. The operands are x, starts, ends and perhaps axes and steps. The result's element
// is picked by one dot product, for steps of either sign.
func sliceKernel(c *call) []Value {
	x, starts, ends := c.arg(0), c.list(1), c.list(2)
	rank := len(x.Dims)
	length(c, "the list of ends", ends, len(starts))
	axes := make([]int64, len(starts))
	for i := range axes {
		axes[i] = int64(i)
	}
	if c.opt(3) != nil {
		axes = length(c, "the list of dimensions", c.list(3), len(starts))
	}
	by := slices.Repeat([]int64{1}, len(starts))
	if c.opt(4) != nil {
		by = length(c, "the list of steps", c.list(4), len(starts))
	}
	own := strides(x.Dims)
	dims, base := slices.Clone(x.Dims), 0
	steps := slices.Clone(own)
	for i, a := range c.axesOf(axes, rank) {
		from, n := sliced(c, starts[i], ends[i], by[i], x.Dims[a])
		dims[a] = n
		base += int(from) * own[a]
		steps[a] = own[a] * int(by[i])
		if n <= 1 {
			steps[a] = 0
		}
	}
	return []Value{c.picked(x, dims, func(pos []int64) int { return base + dot(pos, steps) })}
}

// sliced gives the first place and the number of places of Python's from:to:step. The bounds are
// clamped to 0 … n for a positive step and to -1 … n-1 for a negative one, as the operator's text
// says; a negative bound counts from the end once. -1 as an end that was already counted means
// before the first element. It fails for a step of 0.
func sliced(c *call, from, to, step, n int64) (first, k int64) {
	if from < 0 {
		from += n
	}
	if to < 0 {
		to = max(to+n, -1)
	}
	switch {
	case step == 0:
		c.failf("a step of 0")
	case step > 0:
		from, to = min(max(from, 0), n), min(max(to, 0), n)
		if to > from {
			k = (to-from-1)/step + 1
		}
	default:
		from, to = min(max(from, -1), n-1), min(max(to, -1), n-1)
		if from > to {
			k = (from-to-1)/-max(step, -1<<62) + 1
		}
	}
	return max(from, 0), k
}

// padKernel adds to both ends of dimensions, or takes away. Pads are all the beginnings first and
// then all the ends, for the listed axes. An empty filling is none, which is 0, false or the
// empty string.
func padKernel(c *call) []Value {
	x, pads := c.arg(0), c.list(1)
	rank := len(x.Dims)
	axes := make([]int64, rank)
	for i := range axes {
		axes[i] = int64(i)
	}
	if c.opt(3) != nil {
		axes = c.list(3)
	}
	length(c, "the list of pads", pads, 2*len(axes))
	before, after := make([]int64, rank), make([]int64, rank)
	for i, a := range c.axesOf(axes, rank) {
		before[a], after[a] = pads[i], pads[i+len(axes)]
	}
	fill := c.make(x.DType, []int64{})
	if c.opt(2) != nil && c.arg(2).Len() > 0 {
		fill = c.one(2)
		c.same(x, fill)
	}
	return []Value{c.padded(x, before, after, c.text("mode"), fill)}
}

// padded pads each dimension by a mode of Pad. The result's places are mapped back to the
// operand's, axis by axis. It fails for pads that leave less than nothing, or that would take
// elements of an empty axis.
func (c *call) padded(x *Tensor, before, after []int64, mode string, fill *Tensor) *Tensor {
	rank := len(x.Dims)
	dims := make([]int64, rank)
	const most = 1 << 40
	for i, d := range x.Dims {
		if b, a := before[i], after[i]; b > most || a > most || b < -most || a < -most || d+b+a < 0 {
			c.failf("pads %d and %d of %d elements", b, a, d)
		}
		dims[i] = d + before[i] + after[i]
		if d == 0 && dims[i] > 0 && mode != "constant" {
			c.failf("no elements to pad with")
		}
	}
	out := c.make(x.DType, dims)
	out.fresh = false
	own := strides(x.Dims)
	c.walk(dims, func(i int, pos []int64) {
		at, inside := 0, true
		for a, p := range pos {
			p, n := p-before[a], x.Dims[a]
			switch {
			case p >= 0 && p < n:
			case mode == "constant":
				inside = false
			case mode == "edge":
				p = min(max(p, 0), n-1)
			case mode == "wrap":
				p = ((p % n) + n) % n
			case mode == "reflect":
				p = reflected(p, n)
			default:
				c.failf("the mode %s", mode)
			}
			at += int(p) * own[a]
		}
		if inside {
			out.set(i, x, at)
		} else {
			out.set(i, fill, 0)
		}
	})
	return out
}

// reflected mirrors at the first and last of n elements, as often as needed. The edge itself is
// not repeated, so that the period is 2·(n - 1).
func reflected(p, n int64) int64 {
	if n == 1 {
		return 0
	}
	p = ((p % (2*n - 2)) + 2*n - 2) % (2*n - 2)
	if p >= n {
		p = 2*n - 2 - p
	}
	return p
}

// centerCropPad cuts off or pads with zeros on both ends of the dimensions. If the difference is
// odd the extra element is cut or added at the end.
func centerCropPad(c *call) []Value {
	x, want := c.arg(0), c.list(1)
	rank := len(x.Dims)
	axes := make([]int64, rank)
	for i := range axes {
		axes[i] = int64(i)
	}
	if c.has("axes") {
		axes = c.ints("axes")
	}
	length(c, "the list of sizes", want, len(axes))
	before, after := make([]int64, rank), make([]int64, rank)
	for i, a := range c.axesOf(axes, rank) {
		d := x.Dims[a]
		if want[i] < 0 {
			c.failf("a size of %d", want[i])
		}
		if want[i] >= d {
			before[a] = (want[i] - d) / 2
			after[a] = want[i] - d - before[a]
		} else {
			before[a] = -((d - want[i]) / 2)
			after[a] = want[i] - d - before[a]
		}
	}
	return []Value{c.padded(x, before, after, "constant", c.make(x.DType, []int64{}))}
}

// fillKernel is ConstantOfShape. The value is one element, a float32 of 0 by default.
func fillKernel(c *call) []Value {
	one := c.tensor("value")
	if one == nil {
		one = c.make(onnx.Float, []int64{1})
	}
	if one.Len() != 1 {
		c.failf("a value of %d elements", one.Len())
	}
	out := c.make(one.DType, slices.Clone(c.list(0)))
	out.fresh = false
	for i := range out.Len() {
		out.set(i, one, 0)
	}
	return []Value{out}
}
