package eval

// This file moves elements: sizes, dimensions, parts and repetitions.

import (
	"slices"

	"shapecheck/internal/onnx"
)

// with gives a tensor other sizes.
func (t *Tensor) with(dims []int64) *Tensor {
	o := *t
	o.Dims = dims
	return &o
}

func shapeKernel(c *call) []*Tensor {
	d := c.arg(0).Dims
	rank := int64(len(d))
	clamp := func(i int64) int64 {
		if i < 0 {
			i += rank
		}
		return min(max(i, 0), rank)
	}
	from, to := clamp(c.intAttr("start", 0)), clamp(c.intAttr("end", rank))
	return []*Tensor{Ints(nil, slices.Clone(d[from:max(from, to)])...)}
}

func sizeKernel(c *call) []*Tensor { return []*Tensor{Ints([]int64{}, int64(c.arg(0).Len()))} }

func reshapeKernel(c *call) []*Tensor {
	x, dims := c.arg(0), slices.Clone(c.ints(1))
	zero := c.intAttr("allowzero", 0) != 0
	rest, n := -1, int64(1)
	for i, d := range dims {
		switch {
		case d == 0 && !zero:
			if i >= len(x.Dims) {
				c.failf("size %d of the input, which has %d", i, len(x.Dims))
			}
			dims[i] = x.Dims[i]
			n *= dims[i]
		case d == -1:
			rest = i
		default:
			n *= d
		}
	}
	if rest >= 0 {
		if n == 0 {
			c.failf("a size of an empty tensor is not known")
		}
		dims[rest] = int64(x.Len()) / n
		n *= dims[rest]
	}
	if n != int64(x.Len()) {
		c.failf("%d elements do not fit into %v", x.Len(), dims)
	}
	return []*Tensor{x.with(dims)}
}

func flattenKernel(c *call) []*Tensor {
	x := c.arg(0)
	axis := c.intAttr("axis", 1)
	if axis < 0 {
		axis += int64(len(x.Dims))
	}
	dims := []int64{1, 1}
	for i, d := range x.Dims {
		if int64(i) < axis {
			dims[0] *= d
		} else {
			dims[1] *= d
		}
	}
	return []*Tensor{x.with(dims)}
}

func squeezeKernel(c *call) []*Tensor {
	x := c.arg(0)
	axes := c.axesOf(1, len(x.Dims))
	var dims []int64
	for i, d := range x.Dims {
		if len(axes) == 0 && d == 1 || slices.Contains(axes, i) {
			if d != 1 {
				c.failf("dimension %d has %d elements", i, d)
			}
			continue
		}
		dims = append(dims, d)
	}
	return []*Tensor{x.with(dims)}
}

func unsqueezeKernel(c *call) []*Tensor {
	x := c.arg(0)
	n := 0
	if list := c.opt(1); list != nil {
		n = list.Len()
	} else if a := c.attr("axes"); a != nil { // before opset 13
		n = len(a.Ints)
	}
	axes := c.axesOf(1, len(x.Dims)+n)
	var dims []int64
	rest := x.Dims
	for i := range len(x.Dims) + n {
		if slices.Contains(axes, i) {
			dims = append(dims, 1)
		} else {
			dims, rest = append(dims, rest[0]), rest[1:]
		}
	}
	return []*Tensor{x.with(dims)}
}

// picked makes a tensor of which element pos is that of x at place(pos).
func (c *call) picked(x *Tensor, dims []int64, place func(pos []int64) int) *Tensor {
	out := c.make(x.DType, dims)
	pos := make([]int64, len(dims))
	for i := range out.Len() {
		out.set(i, x, place(pos))
		next(pos, dims)
	}
	return out
}

// next counts to the next place.
func next(pos, dims []int64) {
	for a := len(dims) - 1; a >= 0; a-- {
		if pos[a]++; pos[a] < dims[a] {
			return
		}
		pos[a] = 0
	}
}

// dot is the place of an element.
func dot(pos []int64, steps []int) int {
	n := 0
	for i, p := range pos {
		n += int(p) * steps[i]
	}
	return n
}

func transposeKernel(c *call) []*Tensor {
	x := c.arg(0)
	rank := len(x.Dims)
	perm := make([]int64, rank)
	for i := range perm {
		perm[i] = int64(rank - 1 - i)
	}
	if a := c.attr("perm"); a != nil {
		perm = a.Ints
	}
	own := strides(x.Dims)
	dims, steps := make([]int64, rank), make([]int, rank)
	for i, p := range perm {
		dims[i], steps[i] = x.Dims[p], own[p]
	}
	return []*Tensor{c.picked(x, dims, func(pos []int64) int { return dot(pos, steps) })}
}

func expandKernel(c *call) []*Tensor {
	x := c.arg(0)
	dims := c.broadcast(x, &Tensor{Dims: c.ints(1)})
	out := c.make(x.DType, dims)
	eachOf(dims, []*Tensor{x}, func(i int, at []int) { out.set(i, x, at[0]) })
	return []*Tensor{out}
}

func tileKernel(c *call) []*Tensor {
	x, times := c.arg(0), c.ints(1)
	dims := slices.Clone(x.Dims)
	for i := range dims {
		dims[i] *= times[i]
	}
	own := strides(x.Dims)
	return []*Tensor{c.picked(x, dims, func(pos []int64) int {
		n := 0
		for i, p := range pos {
			n += int(p%x.Dims[i]) * own[i]
		}
		return n
	})}
}

func concatKernel(c *call) []*Tensor {
	first := c.arg(0)
	axis := c.axis(c.intAttr("axis", 0), len(first.Dims))
	dims := slices.Clone(first.Dims)
	dims[axis] = 0
	for i := range c.ins {
		x := c.arg(i)
		if len(x.Dims) != len(dims) || x.DType != first.DType {
			c.failf("tensors that do not fit")
		}
		dims[axis] += x.Dims[axis]
	}
	out := c.make(first.DType, dims)
	steps := strides(dims)
	start := int64(0)
	for _, x := range c.ins {
		pos := make([]int64, len(dims))
		for i := range x.Len() {
			out.set(dot(pos, steps)+int(start)*steps[axis], x, i)
			next(pos, x.Dims)
		}
		start += x.Dims[axis]
	}
	return []*Tensor{out}
}

func splitKernel(c *call) []*Tensor {
	x := c.arg(0)
	axis := c.axis(c.intAttr("axis", 0), len(x.Dims))
	n := int64(len(c.node.Outputs))
	var sizes []int64
	if c.opt(1) != nil {
		sizes = c.ints(1)
	} else {
		each := (x.Dims[axis] + n - 1) / n
		for left := x.Dims[axis]; n > 0; n-- {
			sizes = append(sizes, min(each, left))
			left -= min(each, left)
		}
	}
	own := strides(x.Dims)
	var outs []*Tensor
	start := 0
	for _, s := range sizes {
		dims := slices.Clone(x.Dims)
		dims[axis] = s
		base := start * own[axis]
		outs = append(outs, c.picked(x, dims, func(pos []int64) int { return base + dot(pos, own) }))
		start += int(s)
	}
	return outs
}

func sliceKernel(c *call) []*Tensor {
	x, starts, ends := c.arg(0), c.ints(1), c.ints(2)
	rank := len(x.Dims)
	axes := make([]int, len(starts))
	for i := range axes {
		axes[i] = i
	}
	if c.opt(3) != nil {
		axes = c.axesOf(3, rank)
	}
	own := strides(x.Dims)
	dims, base := slices.Clone(x.Dims), 0
	steps := slices.Clone(own)
	for i, a := range axes {
		step := int64(1)
		if c.opt(4) != nil {
			step = c.ints(4)[i]
		}
		n := x.Dims[a]
		from, to := starts[i], ends[i]
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
			dims[a] = max((to-from+step-1)/step, 0)
		default:
			from, to = min(max(from, 0), n-1), min(max(to, -1), n-1)
			dims[a] = max((from-to-step-1)/-step, 0)
		}
		base += int(from) * own[a]
		steps[a] = own[a] * int(step)
	}
	return []*Tensor{c.picked(x, dims, func(pos []int64) int { return base + dot(pos, steps) })}
}

// padKernel knows the mode with a constant.
func padKernel(c *call) []*Tensor {
	x, pads := c.arg(0), c.ints(1)
	if mode := c.textAttr("mode", "constant"); mode != "constant" || c.opt(3) != nil {
		c.failf("padding of this kind")
	}
	rank := len(x.Dims)
	dims := slices.Clone(x.Dims)
	for i := range dims {
		dims[i] += pads[i] + pads[rank+i]
	}
	fill := (&Tensor{DType: onnx.Int64, Dims: []int64{}, I: []int64{0}}).Cast(x.DType)
	if c.opt(2) != nil {
		fill = c.one(2)
	}
	out := c.make(x.DType, dims)
	own := strides(x.Dims)
	pos := make([]int64, rank)
	for i := range out.Len() {
		at, inside := 0, true
		for a, p := range pos {
			p -= pads[a]
			inside = inside && p >= 0 && p < x.Dims[a]
			at += int(p) * own[a]
		}
		if inside {
			out.set(i, x, at)
		} else {
			out.set(i, fill, 0)
		}
		next(pos, dims)
	}
	return []*Tensor{out}
}

func triluKernel(c *call) []*Tensor {
	x := c.arg(0)
	upper := c.intAttr("upper", 1) != 0
	k := int64(0)
	if c.opt(1) != nil {
		k = c.one(1).I[0]
	}
	rank := len(x.Dims)
	if rank < 2 {
		c.failf("a tensor of %d dimensions", rank)
	}
	out := x.like(x.DType)
	pos := make([]int64, rank)
	for i := range out.Len() {
		row, col := pos[rank-2], pos[rank-1]
		if upper && col-row >= k || !upper && col-row <= k {
			out.set(i, x, i)
		}
		next(pos, x.Dims)
	}
	return []*Tensor{out}
}

func fillKernel(c *call) []*Tensor {
	dims := slices.Clone(c.ints(0))
	one := &Tensor{DType: onnx.Float, Dims: []int64{1}, F: []float64{0}}
	if a := c.attr("value"); a != nil && a.Tensor != nil {
		t, err := FromONNX(a.Tensor)
		if err != nil || t.Len() != 1 {
			c.failf("the value is not one number")
		}
		one = t
	}
	out := c.make(one.DType, dims)
	for i := range out.Len() {
		out.set(i, one, 0)
	}
	return []*Tensor{out}
}

func rangeKernel(c *call) []*Tensor {
	start, limit, delta := c.one(0), c.one(1), c.one(2)
	if start.F != nil {
		n := 0
		for f := start.F[0]; delta.F[0] > 0 && f < limit.F[0] || delta.F[0] < 0 && f > limit.F[0]; f = start.F[0] + float64(n)*delta.F[0] {
			if n++; n > MaxElems {
				c.failf("too many numbers")
			}
		}
		out := c.make(start.DType, []int64{int64(n)})
		for i := range out.F {
			out.F[i] = start.F[0] + float64(i)*delta.F[0]
		}
		return []*Tensor{out}
	}
	a, b, d := start.I[0], limit.I[0], delta.I[0]
	n := int64(0)
	switch {
	case d > 0 && b > a:
		n = (b - a + d - 1) / d
	case d < 0 && b < a:
		n = (a - b - d - 1) / -d
	}
	out := c.make(start.DType, []int64{n})
	for i := range out.I {
		out.I[i] = a + int64(i)*d
	}
	return []*Tensor{out}
}
