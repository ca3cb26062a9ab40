package eval

// This file moves elements: sizes, dimensions, joined and split tensors.
//
// Kernels of views share the elements and change the sizes (with); those that move elements walk
// over the result and say for each place which element it has (picked). None of them rounds, so
// results are not marked as fresh.

import (
	"slices"

	"shapecheck/onnx"
)

// shapeKernel gives the sizes between start and end, which are clamped and so never out of range.
func shapeKernel(c *call) []Value {
	d := c.arg(0).Dims
	rank := int64(len(d))
	clamp := func(i int64) int64 {
		if i < 0 {
			i += rank
		}
		return min(max(i, 0), rank)
	}
	from, to := clamp(c.int("start")), rank
	if c.has("end") {
		to = clamp(c.int("end"))
	}
	return []Value{Ints(nil, slices.Clone(d[from:max(from, to)])...)}
}

func sizeKernel(c *call) []Value { return []Value{Ints([]int64{}, int64(c.arg(0).Len()))} }

// reshapeKernel: 0 keeps the size at that place, unless allowzero says that it is 0, and one -1 takes what is
// left. Of a tensor without elements nothing could be left to divide, so -1 is refused there. The
// copied size of a 0 is that at the same position. It fails when the numbers of elements differ.
func reshapeKernel(c *call) []Value {
	x, dims := c.arg(0), slices.Clone(c.list(1))
	zero := c.int("allowzero") != 0
	rest := -1
	for i, d := range dims {
		switch {
		case d == 0 && !zero:
			if i >= len(x.Dims) {
				c.failf("size %d of the input, which has %d", i, len(x.Dims))
			}
			dims[i] = x.Dims[i]
		case d == -1 && rest < 0:
			rest = i
			dims[i] = 1
		case d < 0:
			c.failf("a size of %d", d)
		}
	}
	n, err := onnx.Count(dims)
	if err != nil {
		c.failf("%v", err)
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
	return []Value{x.with(dims)}
}

// flattenKernel makes a matrix of what lies before and after the axis; an axis at either end gives a size of 1.
func flattenKernel(c *call) []Value {
	x := c.arg(0)
	axis := c.int("axis")
	if axis < 0 {
		axis += int64(len(x.Dims))
	}
	if axis < 0 || axis > int64(len(x.Dims)) {
		c.failf("dimension %d of a tensor of %d dimensions", c.int("axis"), len(x.Dims))
	}
	dims := []int64{1, 1}
	for i, d := range x.Dims {
		if int64(i) < axis {
			dims[0] *= d
		} else {
			dims[1] *= d
		}
	}
	return []Value{x.with(dims)}
}

// squeezeKernel: without axes all sizes of 1 go; an axis that is named must have size 1.
func squeezeKernel(c *call) []Value {
	x := c.arg(0)
	given := c.opt(1) != nil
	axes := c.axesOf(c.listOr(1), len(x.Dims))
	dims := []int64{}
	for i, d := range x.Dims {
		if !given && d == 1 || slices.Contains(axes, i) {
			if d != 1 {
				c.failf("dimension %d has %d elements", i, d)
			}
			continue
		}
		dims = append(dims, d)
	}
	return []Value{x.with(dims)}
}

// unsqueezeKernel: axes count in the result, which is why their number is added to the rank first.
func unsqueezeKernel(c *call) []Value {
	x, list := c.arg(0), c.list(1)
	rank := len(x.Dims) + len(list)
	axes := c.axesOf(list, rank)
	dims := make([]int64, 0, rank)
	rest := x.Dims
	for i := range rank {
		if slices.Contains(axes, i) {
			dims = append(dims, 1)
		} else {
			dims, rest = append(dims, rest[0]), rest[1:]
		}
	}
	return []Value{x.with(dims)}
}

// transposeKernel reverses the axes without perm.
func transposeKernel(c *call) []Value {
	x := c.arg(0)
	rank := len(x.Dims)
	perm := make([]int, rank)
	for i := range perm {
		perm[i] = rank - 1 - i
	}
	if c.has("perm") {
		perm = c.axesOf(length(c, "perm", c.ints("perm"), rank), rank)
	}
	return []Value{c.transposed(x, perm)}
}

func (c *call) transposed(x *Tensor, perm []int) *Tensor {
	own := strides(x.Dims)
	dims, steps := make([]int64, len(perm)), make([]int, len(perm))
	for i, p := range perm {
		dims[i], steps[i] = x.Dims[p], own[p]
	}
	return c.picked(x, dims, func(pos []int64) int { return dot(pos, steps) })
}

// expandKernel broadcasts both ways: a 1 among the sizes keeps the input's.
func expandKernel(c *call) []Value {
	x, list := c.arg(0), c.list(1)
	for _, d := range list {
		if d < 0 {
			c.failf("a size of %d", d)
		}
	}
	return []Value{c.expanded(x, c.broadcast(x, &Tensor{Dims: list}))}
}

func (c *call) expanded(x *Tensor, dims []int64) *Tensor {
	out := c.make(x.DType, dims)
	out.fresh = false
	c.eachOf(dims, []*Tensor{x}, func(i int, at []int) { out.set(i, x, at[0]) })
	return out
}

// tileKernel finds for each element of the result the one that it repeats.
func tileKernel(c *call) []Value {
	x := c.arg(0)
	times := length(c, "the list of repetitions", c.list(1), len(x.Dims))
	dims := slices.Clone(x.Dims)
	for i := range dims {
		n, err := onnx.Count([]int64{dims[i], times[i]})
		if err != nil {
			c.failf("%v", err)
		}
		dims[i] = n
	}
	own := strides(x.Dims)
	return []Value{c.picked(x, dims, func(pos []int64) int {
		n := 0
		for i, p := range pos {
			n += int(p%x.Dims[i]) * own[i]
		}
		return n
	})}
}

func concatKernel(c *call) []Value {
	list := c.tensors(0)
	return []Value{c.concat(list, c.axis(c.int("axis"), len(list[0].Dims)))}
}

// concat joins tensors of equal sizes but for one dimension. It fails on ranks, types or sizes
// that differ.
func (c *call) concat(list []*Tensor, axis int) *Tensor {
	first := list[0]
	dims := slices.Clone(first.Dims)
	dims[axis] = 0
	for _, x := range list {
		c.same(first, x)
		if len(x.Dims) != len(dims) {
			c.failf("tensors of %d and %d dimensions", len(dims), len(x.Dims))
		}
		for i, d := range x.Dims {
			if i != axis && d != dims[i] {
				c.failf("sizes %d and %d of dimension %d", dims[i], d, i)
			}
		}
		dims[axis] += x.Dims[axis]
	}
	out := c.make(first.DType, dims)
	out.fresh = false
	steps := strides(dims)
	start := int64(0)
	for _, x := range list {
		c.walk(x.Dims, func(i int, pos []int64) { out.set(dot(pos, steps)+int(start)*steps[axis], x, i) })
		start += x.Dims[axis]
	}
	return out
}

// takeRange takes n elements of a dimension.
func (c *call) takeRange(x *Tensor, axis int, start, n int64) *Tensor {
	own := strides(x.Dims)
	dims := slices.Clone(x.Dims)
	dims[axis] = n
	base := int(start) * own[axis]
	return c.picked(x, dims, func(pos []int64) int { return base + dot(pos, own) })
}

// splitKernel gives pieces of equal size when none are given, of which the last may be
// smaller. It fails when the pieces do not add up to the axis.
func splitKernel(c *call) []Value {
	x := c.ranked(0, 1)
	axis := c.axis(c.int("axis"), len(x.Dims))
	sizes := c.listOr(1)
	if c.opt(1) == nil {
		n := int64(len(c.node.Outputs))
		if c.has("num_outputs") {
			n = c.int("num_outputs")
		}
		if n < 1 || n > int64(len(c.node.Outputs)) {
			c.failf("%d pieces for %d outputs", n, len(c.node.Outputs))
		}
		each, left := (x.Dims[axis]+n-1)/n, x.Dims[axis]
		for ; n > 0; n-- {
			sizes = append(sizes, min(each, left))
			left -= min(each, left)
		}
	}
	return values(c.pieces(x, axis, sizes))
}

// pieces splits a dimension.
func (c *call) pieces(x *Tensor, axis int, sizes []int64) []*Tensor {
	var outs []*Tensor
	start := int64(0)
	for _, s := range sizes {
		if s < 0 || s > x.Dims[axis]-start {
			c.failf("pieces %v of %d elements", sizes, x.Dims[axis])
		}
		outs = append(outs, c.takeRange(x, axis, start, s))
		start += s
	}
	if start != x.Dims[axis] {
		c.failf("pieces %v of %d elements", sizes, x.Dims[axis])
	}
	return outs
}

func values(list []*Tensor) []Value {
	out := make([]Value, len(list))
	for i, t := range list {
		out[i] = t
	}
	return out
}

// spaceToDepth and its inverse move blocks of places into channels; mode says whether
// the block or the channel is the outer part.
func spaceToDepth(c *call) []Value {
	x, b := c.ranked(0, 4), c.int("blocksize")
	n, ch, h, w := x.Dims[0], x.Dims[1], x.Dims[2], x.Dims[3]
	if len(x.Dims) != 4 || b < 1 || h%b != 0 || w%b != 0 {
		c.failf("blocks of %d in %v", b, x.Dims)
	}
	y := c.transposed(x.with([]int64{n, ch, h / b, b, w / b, b}), blockPerm(c, true))
	return []Value{y.with([]int64{n, ch * b * b, h / b, w / b})}
}

// depthToSpace takes blocks from the channels: in DCR order the block comes before the channels, in CRD behind.
func depthToSpace(c *call) []Value {
	x, b := c.ranked(0, 4), c.int("blocksize")
	n, ch, h, w := x.Dims[0], x.Dims[1], x.Dims[2], x.Dims[3]
	if len(x.Dims) != 4 || b < 1 || b > 1<<15 || ch%(b*b) != 0 {
		c.failf("blocks of %d in %v", b, x.Dims)
	}
	k := ch / (b * b)
	y := x.with([]int64{n, b, b, k, h, w})
	if c.text("mode") == "CRD" {
		y = x.with([]int64{n, k, b, b, h, w})
	}
	return []Value{c.transposed(y, blockPerm(c, false)).with([]int64{n, k, h * b, w * b})}
}

// blockPerm is the permutation of six axes of both operators in both orders.
func blockPerm(c *call, toDepth bool) []int {
	crd := c.text("mode") == "CRD"
	switch {
	case toDepth && crd:
		return []int{0, 1, 3, 5, 2, 4}
	case toDepth:
		return []int{0, 3, 5, 1, 2, 4}
	case crd:
		return []int{0, 1, 4, 2, 5, 3}
	}
	return []int{0, 3, 4, 1, 5, 2}
}

// reverseSequence turns the beginning of each row around.
func reverseSequence(c *call) []Value {
	x, lens := c.ranked(0, 2), c.list(1)
	batch, time := c.axis(c.int("batch_axis"), len(x.Dims)), c.axis(c.int("time_axis"), len(x.Dims))
	length(c, "the list of lengths", lens, int(x.Dims[batch]))
	for _, n := range lens {
		if n < 0 || n > x.Dims[time] {
			c.failf("a length of %d of %d", n, x.Dims[time])
		}
	}
	own := strides(x.Dims)
	return []Value{c.picked(x, x.Dims, func(pos []int64) int {
		at := dot(pos, own)
		if n := lens[pos[batch]]; pos[time] < n {
			at += int(n-1-2*pos[time]) * own[time]
		}
		return at
	})}
}

// triluKernel writes the kept elements into zeros.
func triluKernel(c *call) []Value {
	x := c.ranked(0, 2)
	upper, k := c.int("upper") != 0, int64(0)
	if c.opt(1) != nil {
		k = c.oneInt(1)
	}
	rank := len(x.Dims)
	out := c.like(x, x.DType)
	c.walk(x.Dims, func(i int, pos []int64) {
		row, col := pos[rank-2], pos[rank-1]
		if upper && col-row >= k || !upper && col-row <= k {
			out.set(i, x, i)
		}
	})
	return []Value{out}
}
