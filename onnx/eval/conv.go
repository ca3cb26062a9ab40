package eval

// This file is convolution.

import (
	"slices"

	"shapecheck/onnx"
)

// convSizes checks the sizes of a convolution's operands and places its windows.
func (c *call) convSizes(x, w *Tensor) (win window, group int) {
	if len(x.Dims) < 3 || len(w.Dims) != len(x.Dims) {
		c.failf("an input of the sizes %v and weights of %v", x.Dims, w.Dims)
	}
	g := c.int("group")
	if g < 1 || x.Dims[1] != w.Dims[1]*g || w.Dims[0]%g != 0 {
		c.failf("%d groups of an input of the sizes %v and weights of %v", g, x.Dims, w.Dims)
	}
	if c.has("kernel_shape") && !slices.Equal(c.ints("kernel_shape"), w.Dims[2:]) {
		c.failf("kernel_shape is %v, of weights of the sizes %v", c.ints("kernel_shape"), w.Dims)
	}
	return c.window(x.Dims[2:], w.Dims[2:], false), int(g)
}

// convolve computes sums over channels and kernel: out[n, oc, ...]. The order of the sum is
// channel, then kernel; in float64 it hardly matters.
func convolve[T number](c *call, x []T, xd []int64, w []T, wd []int64, out []T, group int, win window) {
	n, ic, oc := int(xd[0]), int(wd[1]), int(wd[0])
	area, kernel, spots := count(win.in), count(win.kernel), count(win.out)
	c.walk(win.out, func(at int, pos []int64) {
		c.tick(kernel)
		taps, _ := win.taps(pos)
		for b := range n {
			for o := range oc {
				c.tick(ic * len(taps))
				g := o / (oc / group)
				sum := T(0)
				for i := range ic {
					u := x[((b*group+g)*ic+i)*area:]
					v := w[(o*ic+i)*kernel:]
					for _, t := range taps {
						sum += u[t.in] * v[t.kernel]
					}
				}
				out[(b*oc+o)*spots+at] = sum
			}
		}
	})
}

// convDims are the sizes of a convolution's result.
func convDims(x, w *Tensor, win window) []int64 {
	return slices.Concat([]int64{x.Dims[0], w.Dims[0]}, win.out)
}

// convKernel sums in float64 and rounds once, as all kernels of this package do: they are the truth that faster
// ones are compared with.
func convKernel(c *call) []Value {
	x, w := c.floatArg(0), c.floatArg(1)
	c.same(x, w)
	win, group := c.convSizes(x, w)
	out := c.make(x.DType, convDims(x, w, win))
	convolve(c, x.F, x.Dims, w.F, w.Dims, out.F, group, win)
	c.addBias(out, c.opt(2))
	return []Value{out}
}

// addBias adds a number to each channel. It fails when the bias has not a number for each
// channel.
func (c *call) addBias(out, b *Tensor) {
	if b == nil {
		return
	}
	c.vector("the bias", b, out.Dims[1])
	area := count(out.Dims[2:])
	for i := range out.Len() {
		ch := i / area % int(out.Dims[1])
		if out.F != nil {
			out.F[i] += b.F[ch]
		} else {
			out.I[i] += b.I[ch]
		}
	}
}

func convInteger(c *call) []Value {
	x, w := c.arg(0), c.arg(1)
	return []Value{c.integerConv(x, w, c.opt(2), c.opt(3), onnx.Int32)}
}

// integerConv subtracts zero points first, so that borders are zeros after the subtraction, as the operator has
// it.
func (c *call) integerConv(x, w, zx, zw *Tensor, d onnx.DType) *Tensor {
	win, group := c.convSizes(x, w)
	if zx != nil {
		zx = zx.with([]int64{})
		if zx.Len() != 1 {
			c.failf("%d zero points of the input", zx.Len())
		}
	}
	out := c.make(d, convDims(x, w, win))
	convolve(c, c.centred(x, zx, 1), x.Dims, c.centred(w, zw, 0), w.Dims, out.I, group, win)
	return out
}

// convTranspose spreads each element of the input by the kernel.
func convTranspose(c *call) []Value {
	x, w := c.floatArg(0), c.floatArg(1)
	c.same(x, w)
	n := len(x.Dims) - 2
	var shape []int64
	if c.has("output_shape") {
		shape = c.ints("output_shape")
		if len(shape) == n+2 {
			shape = shape[2:]
		}
	}
	return []Value{c.deconvolved(x, w, shape)}
}

// deconvolved is a transposed convolution to the spatial sizes of shape, if any. The size is
// stride·(in-1) + output_padding + (kernel-1)·dilation + 1 - pads, or is given by output_shape,
// from which the pads follow as the operator's text has it.
func (c *call) deconvolved(x, w *Tensor, shape []int64) *Tensor {
	n := len(x.Dims) - 2
	g := c.int("group")
	if n < 1 || len(w.Dims) != n+2 || g < 1 || x.Dims[1]%g != 0 || w.Dims[0] != x.Dims[1] {
		c.failf("%d groups of an input of the sizes %v and weights of %v", g, x.Dims, w.Dims)
	}
	in, kernel := x.Dims[2:], w.Dims[2:]
	if c.has("kernel_shape") && !slices.Equal(c.ints("kernel_shape"), kernel) {
		c.failf("kernel_shape is %v, of weights of the sizes %v", c.ints("kernel_shape"), w.Dims)
	}
	step, dilation := c.spatial("strides", n), c.spatial("dilations", n)
	before, after := c.pads(n)
	extra := make([]int64, n)
	if c.Knows("output_padding") && c.has("output_padding") && len(c.ints("output_padding")) > 0 {
		extra = length(c, "output_padding", c.ints("output_padding"), n)
	}
	auto := c.text("auto_pad")
	if auto == "SAME_UPPER" || auto == "SAME_LOWER" {
		if shape == nil {
			for i := range n {
				shape = append(shape, in[i]*step[i])
			}
		}
	}
	if shape != nil {
		length(c, "output_shape", shape, n)
	}
	out := make([]int64, n)
	for i := range n {
		whole := step[i]*(in[i]-1) + extra[i] + (kernel[i]-1)*dilation[i] + 1
		switch {
		case extra[i] < 0 || extra[i] > 1<<31:
			c.failf("output_padding is %v", extra)
		case shape != nil && c.node.Op != "ConvTranspose": // of ONNX+, with its own pads
			out[i] = shape[i]
		case shape != nil:
			total := max(whole-shape[i], 0)
			before[i], after[i] = total-total/2, total/2
			if auto == "SAME_UPPER" {
				before[i], after[i] = after[i], before[i]
			}
			out[i] = shape[i]
		case auto == "VALID":
			before[i], after[i] = 0, 0
			out[i] = whole
		default:
			out[i] = whole - before[i] - after[i]
		}
		if out[i] < 0 {
			c.failf("a result of the sizes %v", out)
		}
	}
	group, ic, oc := int(g), int(x.Dims[1]/g), int(w.Dims[1])
	y := c.make(x.DType, slices.Concat([]int64{x.Dims[0], w.Dims[1] * g}, out))
	area, size, spots := count(in), count(kernel), count(out)
	ys := strides(out)
	var taps []tap
	c.walk(in, func(at int, pos []int64) {
		taps = taps[:0]
		k := 0
		windows(kernel, func(kp []int64) {
			p, inside := 0, true
			for i := range kp {
				o := pos[i]*step[i] + kp[i]*dilation[i] - before[i]
				inside = inside && o >= 0 && o < out[i]
				p += int(o) * ys[i]
			}
			if inside {
				taps = append(taps, tap{p, k})
			}
			k++
		})
		for b := range int(x.Dims[0]) {
			for i := range group * ic {
				c.tick(oc*len(taps) + 1)
				v := x.F[(b*group*ic+i)*area+at]
				for o := range oc {
					dst, src := y.F[((b*group+i/ic)*oc+o)*spots:], w.F[(i*oc+o)*size:]
					for _, t := range taps {
						dst[t.in] += v * src[t.kernel]
					}
				}
			}
		}
	})
	c.addBias(y, c.deconvBias())
	return y
}

// deconvBias is the third input, which ONNX+ uses for something else.
func (c *call) deconvBias() *Tensor {
	if c.node.Op != "ConvTranspose" {
		return nil
	}
	return c.opt(2)
}

// deformConv samples the input at places that are moved by offsets. Offsets are [batch,
// groups·kernel·2, ...], y before x; a mask multiplies the samples. Places outside of the image
// are zero.
func deformConv(c *call) []Value {
	x, w, off := c.floatArg(0), c.floatArg(1), c.floatArg(2)
	win, group := c.convSizes(x, w)
	og := int(c.int("offset_group"))
	if len(win.in) != 2 || og < 1 || int(x.Dims[1])%og != 0 {
		c.failf("an input of the sizes %v with %d groups of offsets", x.Dims, og)
	}
	kernel, spots := count(win.kernel), count(win.out)
	c.sized("the offsets", off, x.Dims[0], int64(og*kernel*2), win.out[0], win.out[1])
	mask := c.opt(4)
	if mask != nil {
		c.sized("the mask", mask, x.Dims[0], int64(og*kernel), win.out[0], win.out[1])
	}
	out := c.make(x.DType, convDims(x, w, win))
	n, ch, ic, oc := int(x.Dims[0]), int(x.Dims[1]), int(w.Dims[1]), int(w.Dims[0])
	h, wd := int(win.in[0]), int(win.in[1])
	c.walk(win.out, func(at int, pos []int64) {
		for b := range n {
			// the samples of all channels and places of the kernel
			c.tick(ch*kernel + oc*ic*kernel)
			vals := make([]float64, ch*kernel)
			for i := range ch {
				g := i / (ch / og)
				k := 0
				windows(win.kernel, func(kp []int64) {
					o := ((b*og+g)*kernel + k) * 2 * spots
					py := float64(pos[0]*win.step[0]+kp[0]*win.dilation[0]-win.before[0]) + off.F[o+at]
					px := float64(pos[1]*win.step[1]+kp[1]*win.dilation[1]-win.before[1]) + off.F[o+spots+at]
					v := bilinear(x.F[(b*ch+i)*h*wd:][:h*wd], h, wd, py, px)
					if mask != nil {
						v *= mask.F[((b*og+g)*kernel+k)*spots+at]
					}
					vals[i*kernel+k] = v
					k++
				})
			}
			for o := range oc {
				g, sum := o/(oc/group), 0.0
				for i := range ic * kernel {
					sum += vals[g*ic*kernel+i] * w.F[o*ic*kernel+i]
				}
				out.F[(b*oc+o)*spots+at] = sum
			}
		}
	})
	c.addBias(out, c.opt(3))
	return []Value{out}
}

// col2Im adds columns up to an image: the opposite of cutting out windows. Elements that several
// windows share are added.
func col2Im(c *call) []Value {
	x, image, block := c.arg(0), c.list(1), c.list(2)
	n := len(image)
	length(c, "the block", block, n)
	for _, d := range image {
		if d < 0 || d > 1<<31 {
			c.failf("an image of %v", image)
		}
	}
	win := c.window(image, block, false)
	kernel, spots := count(block), count(win.out)
	if len(x.Dims) != 3 || x.Dims[1]%int64(kernel) != 0 || x.Dims[2] != int64(spots) || x.F == nil && x.I == nil {
		c.failf("columns of the sizes %v for an image of %v in blocks of %v", x.Dims, image, block)
	}
	batch, ch := x.Dims[0], x.Dims[1]/int64(kernel)
	out := c.make(x.DType, slices.Concat([]int64{batch, ch}, image))
	area := count(image)
	c.walk(win.out, func(at int, pos []int64) {
		taps, _ := win.taps(pos)
		for m := range int(batch * ch) {
			c.tick(len(taps))
			for _, t := range taps {
				from, to := (m*kernel+t.kernel)*spots+at, m*area+t.in
				if x.F != nil {
					out.F[to] += x.F[from]
				} else {
					out.I[to] += x.I[from]
				}
			}
		}
	})
	return []Value{out}
}
