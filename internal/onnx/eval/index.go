package eval

// This file reads and writes at places that tensors give.

import (
	"slices"

	"shapecheck/internal/onnx"
)

// place checks an index into n elements.
func (c *call) place(i, n int64) int64 {
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		c.failf("index %d of %d elements", i, n)
	}
	return i
}

func gatherKernel(c *call) []*Tensor {
	x, idx := c.arg(0), c.arg(1)
	axis := c.axis(c.intAttr("axis", 0), len(x.Dims))
	dims := slices.Concat(x.Dims[:axis], idx.Dims, x.Dims[axis+1:])
	own, steps := strides(x.Dims), strides(idx.Dims)
	k := len(idx.Dims)
	return []*Tensor{c.picked(x, dims, func(pos []int64) int {
		at := c.place(idx.I[dot(pos[axis:axis+k], steps)], x.Dims[axis])
		return dot(pos[:axis], own[:axis]) + int(at)*own[axis] + dot(pos[axis+k:], own[axis+1:])
	})}
}

func gatherElements(c *call) []*Tensor {
	x, idx := c.arg(0), c.arg(1)
	axis := c.axis(c.intAttr("axis", 0), len(x.Dims))
	own := strides(x.Dims)
	i := 0
	return []*Tensor{c.picked(x, idx.Dims, func(pos []int64) int {
		at := dot(pos, own) + int(c.place(idx.I[i], x.Dims[axis])-pos[axis])*own[axis]
		i++
		return at
	})}
}

func gatherND(c *call) []*Tensor {
	x, idx := c.arg(0), c.arg(1)
	if c.intAttr("batch_dims", 0) != 0 {
		c.failf("batch_dims")
	}
	r := len(idx.Dims)
	k := int(idx.Dims[r-1])
	own := strides(x.Dims)
	dims := slices.Concat(idx.Dims[:r-1], x.Dims[k:])
	steps := strides(idx.Dims)
	return []*Tensor{c.picked(x, dims, func(pos []int64) int {
		base, at := dot(pos[:r-1], steps[:r-1]), 0
		for j := range k {
			at += int(c.place(idx.I[base+j], x.Dims[j])) * own[j]
		}
		return at + dot(pos[r-1:], own[k:])
	})}
}

// scatterElements writes, or adds, multiplies, takes the larger or smaller.
func scatterElements(c *call) []*Tensor {
	x, idx, upd := c.arg(0), c.arg(1), c.arg(2)
	axis := c.axis(c.intAttr("axis", 0), len(x.Dims))
	how := c.textAttr("reduction", "none")
	out := x.like(x.DType)
	copy(out.F, x.F)
	copy(out.I, x.I)
	own := strides(x.Dims)
	pos := make([]int64, len(idx.Dims))
	for i := range idx.Len() {
		at := dot(pos, own) + int(c.place(idx.I[i], x.Dims[axis])-pos[axis])*own[axis]
		c.combine(out, at, upd, i, how)
		next(pos, idx.Dims)
	}
	return []*Tensor{out}
}

func (c *call) combine(out *Tensor, at int, upd *Tensor, i int, how string) {
	if out.F != nil {
		out.F[at] = reduceBy(c, how, out.F[at], upd.F[i])
	} else {
		out.I[at] = reduceBy(c, how, out.I[at], upd.I[i])
	}
}

func reduceBy[T int64 | float64](c *call, how string, x, y T) T {
	switch how {
	case "none":
		return y
	case "add":
		return x + y
	case "mul":
		return x * y
	case "max":
		return max(x, y)
	case "min":
		return min(x, y)
	}
	c.failf("reduction %s", how)
	return x
}

func scatterND(c *call) []*Tensor {
	x, idx, upd := c.arg(0), c.arg(1), c.arg(2)
	how := c.textAttr("reduction", "none")
	out := x.like(x.DType)
	copy(out.F, x.F)
	copy(out.I, x.I)
	r := len(idx.Dims)
	k := int(idx.Dims[r-1])
	own := strides(x.Dims)
	inner := 1
	for _, d := range x.Dims[k:] {
		inner *= int(d)
	}
	for n := range idx.Len() / max(k, 1) {
		at := 0
		for j := range k {
			at += int(c.place(idx.I[n*k+j], x.Dims[j])) * own[j]
		}
		for i := range inner {
			c.combine(out, at+i, upd, n*inner+i, how)
		}
	}
	return []*Tensor{out}
}

func nonZero(c *call) []*Tensor {
	x := c.arg(0)
	rank := len(x.Dims)
	rows := make([][]int64, rank)
	pos := make([]int64, rank)
	n := int64(0)
	for i := range x.Len() {
		if x.At(i) != 0 {
			n++
			for a, p := range pos {
				rows[a] = append(rows[a], p)
			}
		}
		next(pos, x.Dims)
	}
	return []*Tensor{Ints([]int64{int64(rank), n}, slices.Concat(rows...)...)}
}

func compress(c *call) []*Tensor {
	x, keep := c.arg(0), c.arg(1)
	if c.attr("axis") == nil {
		x = x.with([]int64{int64(x.Len())})
	}
	axis := c.axis(c.intAttr("axis", 0), len(x.Dims))
	var list []int64
	for i, b := range keep.I {
		if b != 0 {
			list = append(list, int64(i))
		}
	}
	dims := slices.Clone(x.Dims)
	dims[axis] = int64(len(list))
	own := strides(x.Dims)
	return []*Tensor{c.picked(x, dims, func(pos []int64) int {
		return dot(pos, own) + int(c.place(list[pos[axis]], x.Dims[axis])-pos[axis])*own[axis]
	})}
}

func oneHot(c *call) []*Tensor {
	idx, depth, values := c.arg(0), c.one(1), c.arg(2)
	n := depth.Cast(onnx.Int64).I[0]
	axis := c.axis(c.intAttr("axis", -1), len(idx.Dims)+1)
	at := idx.Cast(onnx.Int64)
	dims := slices.Insert(slices.Clone(idx.Dims), axis, n)
	own := strides(idx.Dims)
	return []*Tensor{c.picked(values, dims, func(pos []int64) int {
		rest := slices.Delete(slices.Clone(pos), axis, axis+1)
		i := at.I[dot(rest, own)]
		if i < 0 {
			i += n
		}
		return int(boolOf(i == pos[axis]))
	})}
}
