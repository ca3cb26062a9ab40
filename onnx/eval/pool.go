package eval

// This file is pooling.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

// poolWindow places a pool's windows.
func (c *call) poolWindow(x *Tensor) window {
	if len(x.Dims) < 3 {
		c.failf("a tensor of %d dimensions", len(x.Dims))
	}
	n := len(x.Dims) - 2
	return c.window(x.Dims[2:], length(c, "kernel_shape", c.ints("kernel_shape"), n), c.int("ceil_mode") != 0)
}

// eachWindow calls f for each window of each channel: base is the place of the channel's
// first element, o the place in the result.
func (c *call) eachWindow(x *Tensor, win window, f func(base, o int, taps []tap, padded int)) {
	area, spots := count(win.in), count(win.out)
	c.walk(win.out, func(at int, pos []int64) {
		taps, padded := win.taps(pos)
		for m := range int(x.Dims[0] * x.Dims[1]) {
			c.tick(len(taps))
			f(m*area, m*spots+at, taps, padded)
		}
	})
}

func (c *call) pooled(x *Tensor, win window, d onnx.DType) *Tensor {
	return c.make(d, slices.Concat(x.Dims[:2], win.out))
}

// maxPool takes the largest element, NaN before all, and its place in the whole input.
func maxPool(c *call) []Value {
	x := c.ranked(0, 3)
	if x.F == nil && x.I == nil {
		c.failf("elements of type %s", x.DType)
	}
	win := c.poolWindow(x)
	out, idx := c.pooled(x, win, x.DType), c.pooled(x, win, onnx.Int64)
	columns := c.int("storage_order") != 0
	c.eachWindow(x, win, func(base, o int, taps []tap, _ int) {
		if len(taps) == 0 { // a window in the padding alone
			if out.F != nil {
				out.F[o] = math.Inf(-1)
			} else {
				out.I[o] = lowest(x.DType)
			}
			idx.I[o] = -1
			return
		}
		b := taps[best(x, func(i int) int { return base + taps[i].in }, len(taps), true, false)].in
		out.set(o, x, base+b)
		if columns {
			b = columnMajor(b, win.in)
		}
		idx.I[o] = int64(base + b)
	})
	return c.withContext([]Value{out, idx}, x, out, idx)
}

// columnMajor is a place when the first dimension runs fastest.
func columnMajor(p int, dims []int64) int {
	own := strides(dims)
	at, step := 0, 1
	for i, d := range dims {
		at += p / own[i] % int(d) * step
		step *= int(d)
	}
	return at
}

// averagePool divides by the number of elements under the window, or with count_include_pad by
// that of its places within the padded image. Of a window without elements it is NaN.
func averagePool(c *call) []Value {
	x := c.floatArg(0)
	win := c.poolWindow(x)
	out := c.pooled(x, win, x.DType)
	all := c.int("count_include_pad") != 0
	c.eachWindow(x, win, func(base, o int, taps []tap, padded int) {
		sum, n := 0.0, len(taps)
		for _, t := range taps {
			sum += x.F[base+t.in]
		}
		if all {
			n = padded
		}
		out.F[o] = sum / float64(n)
	})
	return c.withContext([]Value{out}, x, out)
}

// lpPool is (Σ |x|^p)^(1/p) of each window.
func lpPool(c *call) []Value {
	x := c.floatArg(0)
	win := c.poolWindow(x)
	out := c.pooled(x, win, x.DType)
	p := float64(c.int("p"))
	c.eachWindow(x, win, func(base, o int, taps []tap, _ int) {
		sum := 0.0
		for _, t := range taps {
			sum += math.Pow(math.Abs(x.F[base+t.in]), p)
		}
		out.F[o] = math.Pow(sum, 1/p)
	})
	return []Value{out}
}

// globalPool reduces all spatial dimensions.
func globalPool(r reduction) kernel {
	return func(c *call) []Value {
		x := c.ranked(0, 2)
		var axes []int
		for i := 2; i < len(x.Dims); i++ {
			axes = append(axes, i)
		}
		return []Value{c.reduced(r, x, axes, true)}
	}
}

func globalLpPool(c *call) []Value {
	p := float64(c.int("p"))
	return globalPool(reduction{start: 0, f: func(a, x float64) float64 { return a + math.Pow(math.Abs(x), p) },
		last: func(a float64, _ int) float64 { return math.Pow(a, 1/p) }})(c)
}

// maxUnpool puts elements back to the places where MaxPool found them.
func maxUnpool(c *call) []Value {
	x, idx := c.ranked(0, 3), c.arg(1)
	places := c.list(1)
	c.sized("the indices", idx, x.Dims...)
	n := len(x.Dims) - 2
	kernel, step := length(c, "kernel_shape", c.ints("kernel_shape"), n), c.spatial("strides", n)
	before, after := c.pads(n)
	dims := slices.Clone(x.Dims)
	for i := range n {
		dims[2+i] = (x.Dims[2+i]-1)*step[i] + kernel[i] - before[i] - after[i]
		if kernel[i] < 1 || kernel[i] > 1<<31 || dims[2+i] < 0 {
			c.failf("a kernel of %v and pads %v, %v", kernel, before, after)
		}
	}
	out := c.make(x.DType, dims)
	for i, p := range places {
		if p < 0 || p >= int64(out.Len()) {
			c.failf("index %d of %d elements", p, out.Len())
		}
		out.set(int(p), x, i)
	}
	if c.opt(2) == nil {
		return []Value{out}
	}
	want := length(c, "the sizes of the result", c.list(2), len(dims))
	more := make([]int64, len(dims))
	for i := range dims {
		more[i] = want[i] - dims[i]
	}
	return []Value{c.padded(out, make([]int64, len(dims)), more, "constant", c.make(x.DType, []int64{}))}
}
