package inference

// This file holds pooling.
//
// Windows and their positions are those of convolutions (conv.go); channels stay as they are.

import (
	"shapecheck/onnx"
)

var poolOps = [...]op{
	{"MaxPool", pool, nil},
	{"AveragePool", pool, nil},
	{"LpPool", pool, nil},
	{"GlobalAveragePool", globalPool, nil},
	{"GlobalMaxPool", globalPool, nil},
	{"GlobalLpPool", globalPool, nil},
	{"MaxUnpool", maxUnpool, nil},
	{"MaxRoiPool", maxRoiPool, nil},
	{"RoiAlign", roiAlign, nil},
}

// pool slides a window over each axis of space; the second result has the positions of maxima.
// The operand is [N, C, spatial…], with as many spatial axes as kernel_shape has elements, which
// is reported otherwise. Positions have the shape of the result.
func pool(c *call) {
	in, ok := c.ranked(0, -3)
	if c.failed {
		return
	}
	list := c.a.Ints("kernel_shape")
	n := len(list)
	if n == 0 {
		c.errorf("the attribute kernel_shape has no elements")
		return
	}
	out := make([]expr, n+2)
	if ok {
		if len(in) != n+2 {
			c.errorf("kernel_shape has %d elements for %d spatial dimensions", n, len(in)-2)
			return
		}
		w, good := c.windowOf(c.kernelOf(nil, false, n), n)
		if !good {
			return
		}
		out[0], out[1] = in[0], in[1]
		for i := range n {
			out[i+2] = c.slide(w, i, in[i+2])
		}
	}
	if c.failed {
		return
	}
	c.out(0, c.elem(0), out)
	if len(c.outs) > 1 {
		c.e.normalize(c.outs[0].Type)
		c.out(1, onnx.Int64, c.outs[0].Dims)
	}
}

// globalPool leaves sizes of 1. The rank stays.
func globalPool(c *call) {
	in, ok := c.ranked(0, -2)
	switch {
	case c.failed:
	case !ok:
		c.outUnranked(0, c.elem(0))
	default:
		out := make([]expr, len(in))
		out[0], out[1] = in[0], in[1]
		for i := 2; i < len(out); i++ {
			out[i] = c.pool().Const(1)
		}
		c.out(0, c.elem(0), out)
	}
}

// maxUnpool undoes a pooling: the size is an input, or what the window says. That is (size - 1) ·
// stride + kernel - pads, the least size that a pooling takes to that result. output_shape, input
// 2, has all dimensions.
func maxUnpool(c *call) {
	in, ok := c.ranked(0, -3)
	if c.failed {
		return
	}
	if c.has(2) {
		n, sized := c.length(2)
		if !sized && ok {
			n, sized = len(in), true
		}
		if !sized {
			c.outUnranked(0, c.elem(0))
			return
		}
		out := make([]expr, n)
		if list, known := c.exprs(2); known && len(list) == n {
			copy(out, list)
		}
		c.out(0, c.elem(0), out)
		return
	}
	list := c.a.Ints("kernel_shape")
	if !ok {
		c.outRank(0, c.elem(0), len(list)+2)
		return
	}
	n := len(in) - 2
	w, good := c.windowOf(c.kernelOf(nil, false, n), n)
	if !good {
		return
	}
	p := c.pool()
	out := make([]expr, n+2)
	out[0], out[1] = in[0], in[1]
	for i := range n {
		out[i+2] = p.AddConst(p.Add(p.Mul(p.AddConst(in[i+2], -1), p.Const(w.stride[i])), w.kernel[i]), -w.padHead[i]-w.padTail[i])
	}
	c.out(0, c.elem(0), out)
}

// maxRoiPool has the size of its results in one attribute, roiAlign in two.
func maxRoiPool(c *call) {
	size := c.a.Ints("pooled_shape")
	if len(size) != 2 {
		c.errorf("pooled_shape must have two elements")
		return
	}
	c.rois(size[0], size[1])
}

func roiAlign(c *call) {
	c.rois(c.a.Int("output_height"), c.a.Int("output_width"))
}

// rois gives one image for each region. The images are [N, C, H, W] and the regions [R, 5] or [R,
// 4]; the result is [R, C, h, w].
func (c *call) rois(h, w int64) {
	in, ok := c.ranked(0, 4)
	regions, ok2 := c.ranked(1, 2)
	if c.failed {
		return
	}
	out := []expr{nil, nil, c.pool().Const(h), c.pool().Const(w)}
	if ok2 {
		out[0] = regions[0]
	}
	if ok {
		out[1] = in[1]
	}
	c.out(0, c.elem(0), out)
}
