package inference

// This file holds cutting and padding.
//
// Sizes of slices are clamped indices: n = max(0, ⌈(end' - start')/step⌉), where ' is "made
// positive and put between 0 and the size". With symbolic sizes this is an expression of minima
// and maxima, which are left out where bounds show that they do nothing; the usual x[:, 1:] thus
// gives N - 1 and nothing longer.

import (
	"math"
	"slices"
)

var sliceOps = [...]op{
	{"Slice", slice, dataSlice},
	{"Pad", pad, nil},
	{"CenterCropPad", centerCropPad, nil},
	{"Compress", compress, nil},
	{"ReverseSequence", same, nil},
}

// farAway and beyond stand for "to the end" in indices.
const farAway = 1<<31 - 1

// sliceArgs gives starts, ends, axes and steps: attributes, from opset 10 on
// inputs. Unknown elements are nil; ok is false when even the axes are not known. It reports
// lists of different lengths and wrong axes. Without axes they are the first ones.
func (c *call) sliceArgs(rank int) (starts, ends []expr, axes []int, steps []expr, ok bool) {
	var names []int64
	have := false
	if c.version < 10 {
		s := c.a.Ints("starts")
		e := c.a.Ints("ends")
		starts, ends = c.e.consts(s), c.e.consts(e)
		names, have = c.a.Ints("axes"), c.a.Has("axes")
		if len(starts) != len(ends) {
			c.errorf("%d starts and %d ends", len(starts), len(ends))
			return
		}
	} else {
		n := -1
		for i := 1; i <= 4; i++ {
			if c.has(i) {
				if k, sized := c.length(i); sized && n >= 0 && k != n {
					c.errorAt(i, "starts, ends, axes and steps have different lengths")
					return
				} else if sized {
					n = k
				}
			}
		}
		if n < 0 || !c.has(1) || !c.has(2) {
			return
		}
		at := func(i int) []expr {
			if list, known := c.exprs(i); known && len(list) == n {
				return list
			}
			return make([]expr, n)
		}
		starts, ends = at(1), at(2)
		if c.has(4) {
			steps = at(4)
		}
		if have = c.has(3); have {
			var known bool
			if names, known = c.ints(3); !known {
				return
			}
		}
	}
	if !have {
		for i := range starts {
			names = append(names, int64(i))
		}
	}
	if len(names) != len(starts) {
		c.errorf("%d axes for %d starts", len(names), len(starts))
		return
	}
	if axes, ok = c.axes(names, rank); !ok {
		return
	}
	if steps == nil {
		steps = slices.Repeat([]expr{c.pool().Const(1)}, len(starts))
	}
	return starts, ends, axes, steps, true
}

// slice cuts each listed axis. Where starts, ends or axes are not known the rank still is.
func slice(c *call) {
	in, ranked := c.dims(0)
	d := c.elem(0)
	if !ranked {
		c.outUnranked(0, d)
		return
	}
	starts, ends, axes, steps, ok := c.sliceArgs(len(in))
	if c.failed {
		return
	}
	if !ok {
		c.outRank(0, d, len(in))
		return
	}
	out := slices.Clone(in)
	for i, a := range axes {
		out[a] = c.cut(in[a], starts[i], ends[i], steps[i])
	}
	c.out(0, d, out)
}

// cut gives the number of elements of d[start:end:step]. It gives nil (unknown) for bounds or
// steps that are not known, and for negative steps other than -1, whose rounding depends on the
// beginning.
func (c *call) cut(d, start, end, step expr) expr {
	if start == nil || end == nil || step == nil {
		return nil
	}
	p := c.pool()
	s, ok := step.Const()
	if !ok {
		return nil
	}
	if s == 0 {
		c.errorf("the step is 0")
		return nil
	}
	zero, last := p.Const(0), p.AddConst(d, -1)
	var from, to, n expr
	if s > 0 {
		from, to = c.clamp(start, d, zero, d), c.clamp(end, d, zero, d)
		if from != nil && to != nil {
			n = p.Sub(to, from)
		}
	} else {
		if n, ok := end.Const(); ok && (n == math.MaxInt32 || n == math.MaxInt64) {
			return nil // the specification takes nothing then, ONNX Runtime all to the beginning
		}
		s = -s
		from, to = c.clamp(start, d, zero, last), c.clamp(end, d, p.Const(-1), last)
		if from != nil && low(d) < 1 { // of no elements
			from = p.Min(from, last)
		}
		if from != nil && to != nil {
			n = p.Sub(from, to)
		}
	}
	if n == nil || s < 0 {
		return nil
	}
	return p.Max(zero, p.CeilDiv(n, p.Const(s)))
}

// clamp makes an index count from the front and puts it between lo and hi. An index whose sign is
// not known gives nil, as it may count from either end.
func (c *call) clamp(i, d, lo, hi expr) expr {
	p := c.pool()
	if n, ok := i.Const(); ok {
		switch {
		case n >= farAway:
			return hi
		case n <= -farAway:
			return lo
		}
	}
	l, h := i.Bounds()
	switch {
	case l >= 0:
		if c.atMost(i, hi) {
			return i
		}
		return p.Min(i, hi)
	case h < 0:
		i = p.Add(i, d)
		if i == nil {
			return nil
		}
		if low(i) >= 0 {
			return i
		}
		return p.Max(i, lo)
	}
	return nil
}

// atMost reports whether a <= b for all sizes. It compares the lower bound of the difference with
// 0.
func (c *call) atMost(a, b expr) bool {
	d := c.pool().Sub(b, a)
	return d != nil && low(d) >= 0
}

// pad adds to both ends of each dimension: pads are an attribute, from opset 11 on
// an input; axes an input from opset 18 on. The result's size is in + begin + end, where negative
// pads crop. It reports lists of another length than two for each axis, and sizes below zero.
func pad(c *call) {
	in, ok := c.dims(0)
	d := c.elem(0)
	var pads []expr
	known := true
	if c.version < 11 {
		name := "pads"
		if c.version < 2 {
			name = "paddings"
		}
		pads = c.e.consts(c.a.Ints(name))
	} else {
		pads, known = c.exprs(1)
	}
	if !ok {
		n, sized := c.length(1)
		switch {
		case c.version < 11:
			c.outRank(0, d, len(pads)/2)
		case sized && !c.has(3):
			c.outRank(0, d, n/2)
		default:
			c.outUnranked(0, d)
		}
		return
	}
	axes := make([]int, len(in))
	for i := range axes {
		axes[i] = i
	}
	if c.has(3) {
		list, sure := c.ints(3)
		if !sure {
			c.outRank(0, d, len(in))
			return
		}
		if axes, sure = c.axes(list, len(in)); !sure {
			return
		}
	}
	if !known {
		c.outRank(0, d, len(in))
		return
	}
	if len(pads) != 2*len(axes) {
		c.errorf("%d pads for %d axes; expected two for each", len(pads), len(axes))
		return
	}
	out := slices.Clone(in)
	for i, a := range axes {
		head, tail := pads[i], pads[i+len(axes)]
		if out[a] = nil; head == nil || tail == nil {
			continue
		}
		out[a] = c.pool().Sum(in[a], head, tail)
		if n, isConst := out[a].Const(); isConst && n < 0 {
			c.errorf("padding makes dimension %d negative: %d", a, n)
			return
		}
	}
	c.out(0, d, out)
}

// Sizes are those of the operand shape, whatever the input has.
func centerCropPad(c *call) {
	in, ok := c.dims(0)
	d := c.elem(0)
	if !ok {
		c.outUnranked(0, d)
		return
	}
	out := slices.Clone(in)
	axes := make([]int, len(in))
	for i := range axes {
		axes[i] = i
	}
	if list, given := c.a.Ints("axes"), c.a.Has("axes"); given {
		var good bool
		if axes, good = c.axes(list, len(in)); !good {
			return
		}
	}
	shape, known := c.exprs(1)
	if known && len(shape) != len(axes) {
		c.errorAt(1, "%d sizes for %d axes", len(shape), len(axes))
		return
	}
	for i, a := range axes {
		if out[a] = nil; known {
			out[a] = shape[i]
		}
	}
	c.out(0, d, out)
}

// compress keeps the elements that a condition selects: data decides how many. Of a condition
// that is known the number of true elements is the size.
func compress(c *call) {
	in, ok := c.dims(0)
	d := c.elem(0)
	var kept expr
	if list, known := c.ints(1); known {
		n := int64(0)
		for _, x := range list {
			if x != 0 {
				n++
			}
		}
		kept = c.pool().Const(n)
	}
	switch {
	case !c.a.Has("axis"):
		c.out(0, d, []expr{kept})
	case !ok:
		c.outUnranked(0, d)
	default:
		at, good := c.axis(c.a.Int("axis"), len(in))
		if !good {
			return
		}
		out := slices.Clone(in)
		out[at] = kept
		c.out(0, d, out)
	}
}
