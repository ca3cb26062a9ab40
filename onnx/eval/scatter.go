package eval

// This file writes at places that tensors give.

import "slices"

// scatterElements writes, or adds, multiplies, takes the larger or smaller.
func scatterElements(c *call) []Value {
	x, idx, upd := c.ranked(0, 1), c.arg(1), c.arg(2)
	c.same(x, upd)
	list := c.list(1)
	axis := c.axis(c.int("axis"), len(x.Dims))
	c.checkIndices(x, idx, axis)
	c.sized("the updates", upd, idx.Dims...)
	how := c.text("reduction")
	out := c.copied(x)
	own := strides(x.Dims)
	c.walk(idx.Dims, func(i int, pos []int64) {
		at := dot(pos, own) + int(c.place(list[i], x.Dims[axis])-pos[axis])*own[axis]
		c.combine(out, at, upd, i, how)
	})
	return []Value{out}
}

// copied is a tensor to write into.
func (c *call) copied(x *Tensor) *Tensor {
	out := c.like(x, x.DType)
	out.copyFrom(x)
	return out
}

// combine writes an update to a place, or joins it with what is there. It fails for a reduction
// that the element type lacks.
func (c *call) combine(out *Tensor, at int, upd *Tensor, i int, how string) {
	switch {
	case how == "none":
		out.set(at, upd, i)
	case out.F != nil:
		f := map[string]onFloats{"add": add, "mul": mul, "max": nanMax, "min": nanMin}[how]
		if f == nil {
			c.failf("reduction %s", how)
		}
		out.F[at] = f(out.F[at], upd.F[i])
	case out.I != nil:
		g := map[string]onInts{"add": addInt, "mul": mulInt, "max": maxInt, "min": minInt}[how]
		if g == nil {
			c.failf("reduction %s", how)
		}
		out.I[at] = g(out.DType, out.I[at], upd.I[i])
	default:
		c.failf("reduction %s of %s", how, out.DType)
	}
}

// scatterND writes slices: the last axis of the indices has a position on the first k axes of x.
// Updates to one place are joined in the order of the indices.
func scatterND(c *call) []Value {
	x, idx, upd := c.ranked(0, 1), c.ranked(1, 1), c.arg(2)
	c.same(x, upd)
	list := c.list(1)
	how := c.text("reduction")
	r := len(idx.Dims)
	k := int(idx.Dims[r-1])
	if k > len(x.Dims) {
		c.failf("indices %v into %v", idx.Dims, x.Dims)
	}
	c.sized("the updates", upd, slices.Concat(idx.Dims[:r-1], x.Dims[k:])...)
	out := c.copied(x)
	own := strides(x.Dims)
	inner := count(x.Dims[k:])
	for n := range count(idx.Dims[:r-1]) {
		at := 0
		for j := range k {
			at += int(c.place(list[n*k+j], x.Dims[j])) * own[j]
		}
		c.tick(inner + 1)
		for i := range inner {
			c.combine(out, at+i, upd, n*inner+i, how)
		}
	}
	return []Value{out}
}

// tensorScatter writes updates into a cache at the positions of each batch.
func tensorScatter(c *call) []Value {
	past, upd := c.ranked(0, 2), c.arg(1)
	c.same(past, upd)
	axis := c.axis(c.int("axis"), len(past.Dims))
	if axis == 0 {
		c.failf("the dimension of the batch")
	}
	want := slices.Clone(past.Dims)
	if len(upd.Dims) == len(want) {
		want[axis] = upd.Dims[axis]
	}
	c.sized("the updates", upd, want...)
	at := make([]int64, past.Dims[0])
	if c.opt(2) != nil {
		at = length(c, "the list of positions", c.list(2), len(at))
	}
	mode := c.text("mode")
	out := c.copied(past)
	own := strides(past.Dims)
	c.walk(upd.Dims, func(i int, pos []int64) {
		p := at[pos[0]] + pos[axis]
		if mode == "circular" {
			p %= max(past.Dims[axis], 1)
		}
		if p < 0 || p >= past.Dims[axis] {
			c.failf("position %d of %d", p, past.Dims[axis])
		}
		out.set(dot(pos, own)+int(p-pos[axis])*own[axis], upd, i)
	})
	return []Value{out}
}
