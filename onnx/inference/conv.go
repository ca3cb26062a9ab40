package inference

// This file holds convolutions, and the windows that they share with pooling.
//
// The sizes of a convolution [N, C, spatial…] are computed symbolically. The formula of ONNX is
// floor((size + pads - ((kernel - 1) · dilation + 1)) / stride) + 1; runtimes disagree with it in
// corners (kernels larger than the padded input, ceil_mode, automatic padding), and there a size
// is left unknown rather than wrong.

import (
	"slices"

	"shapecheck/onnx"
)

var convOps = [...]op{
	{"Conv", conv, nil},
	{"ConvInteger", convInteger, nil},
	{"QLinearConv", qLinearConv, nil},
	{"DeformConv", conv, nil},
	{"ConvTranspose", convTranspose, nil},
	{"Col2Im", col2Im, nil},
}

// A window is a kernel that slides over the spatial dimensions. kernel has a size per spatial
// dimension, nil where it is unknown. The other lists have one number for each as well.
type window struct {
	kernel           []expr
	stride, dilation []int64
	padHead, padTail []int64
	auto             string // NOTSET, VALID, SAME_UPPER or SAME_LOWER
	ceil             bool
}

// windowOf reads the attributes of a window over n dimensions. Attributes that the operator's
// version does not have stay at their defaults: stride 1, dilation 1, no pads. ok is false after
// an error, such as a list of another length.
func (c *call) windowOf(kernel []expr, n int) (window, bool) {
	w := window{kernel: kernel, auto: "NOTSET"}
	if c.a.Knows("auto_pad") {
		w.auto = c.a.String("auto_pad")
	}
	w.stride = c.intsN("strides", n)
	w.dilation = slices.Repeat([]int64{1}, n)
	if c.a.Knows("dilations") {
		w.dilation = c.intsN("dilations", n)
	}
	pads := c.intsN("pads", 2*n)
	if c.failed {
		return w, false
	}
	w.padHead, w.padTail = pads[:n], pads[n:]
	w.ceil = c.a.Knows("ceil_mode") && c.a.Bool("ceil_mode")
	if w.auto == "" {
		w.auto = "NOTSET"
	}
	return w, !c.failed
}

// extent is the size of the kernel with its holes. That is (kernel - 1) · dilation + 1.
func (c *call) extent(w window, i int) expr {
	if w.kernel[i] == nil {
		return nil
	}
	p := c.pool()
	return p.AddConst(p.Mul(p.AddConst(w.kernel[i], -1), p.Const(w.dilation[i])), 1)
}

// slide gives the number of positions of the window along dimension i. SAME gives ceil(size /
// stride) whatever the kernel is, VALID has no pads. The result is nil where the size is not
// known or runtimes differ; an error is reported where no reading gives a window at all.
func (c *call) slide(w window, i int, size expr) expr {
	p := c.pool()
	stride := p.Const(w.stride[i])
	if w.auto == "SAME_UPPER" || w.auto == "SAME_LOWER" {
		return p.CeilDiv(size, stride)
	}
	k := c.extent(w, i)
	if k == nil || size == nil {
		return nil
	}
	var head, tail int64
	if w.auto == "NOTSET" {
		head, tail = w.padHead[i], w.padTail[i]
	}
	room := p.Sub(p.AddConst(size, head+tail), k)
	if room == nil {
		return nil
	}
	if n, ok := room.Const(); ok && n < 0 {
		// The specification rounds the quotient down, runtimes round it towards zero.
		switch {
		case n <= -2*w.stride[i]:
			c.errorf("the kernel's extent %s is larger than the padded size %s of spatial dimension %d", k, p.AddConst(size, head+tail), i)
			return nil
		case !w.ceil && n != -w.stride[i]:
			return nil
		}
	}
	if !w.ceil {
		return p.AddConst(p.FloorDiv(room, stride), 1)
	}
	out := p.AddConst(p.CeilDiv(room, stride), 1)
	// A last window that starts in the padding is dropped from opset 22 on; before, the
	// specification's formula and older runtimes count it, and newer ones do not.
	n, constant := k.Const()
	if c.op.Since >= 22 && c.op.Name != "LpPool" && constant && w.stride[i]+tail >= n {
		return p.CeilDiv(p.AddConst(size, head), stride) // the windows that start before
	}
	start := p.Mul(p.AddConst(out, -1), stride)
	if start == nil {
		return nil
	}
	if beyond := p.Sub(start, p.AddConst(size, head)); beyond != nil {
		if _, hi := beyond.Bounds(); hi < 0 {
			return out
		}
	}
	if constant && w.stride[i]+tail <= n {
		return out
	}
	return nil
}

// kernelOf gives the kernel: the attribute, or the weight's spatial dimensions. Both must agree
// if both are known. The attribute is usually redundant, but a weight that is an input of the
// graph may have unknown sizes.
func (c *call) kernelOf(weight []expr, known bool, n int) []expr {
	if list, ok := c.a.Ints("kernel_shape"), c.a.Has("kernel_shape"); ok && len(list) > 0 {
		if len(list) != n {
			c.errorf("kernel_shape has %d elements for %d spatial dimensions", len(list), n)
			return make([]expr, n)
		}
		out := make([]expr, n)
		for i, k := range list {
			out[i] = c.pool().Const(k)
			if known {
				c.unify(out[i], weight[i+2], "kernel_shape and the weight differ in spatial dimension %d", i)
			}
		}
		return out
	}
	if known {
		return weight[2:]
	}
	return make([]expr, n)
}

// conv is Conv and DeformConv, whose elements are those of the input and of the weight.
func conv(c *call) {
	d := c.sameElem(0, 1)
	if c.failed {
		return
	}
	c.convolve(d, 0, 1)
}

// convInteger sums products of 8 bit integers up in int32.
func convInteger(c *call) { c.convolve(onnx.Int32, 0, 1) }

// qLinearConv has its weight as input 3 and takes its type from the zero point of the result,
// input 7.
func qLinearConv(c *call) { c.convolve(c.elem(7), 0, 3) }

// A filter is what a convolution and a transposed one know of their operands. The
// sizes of an input whose rank only the weight tells are nil; so is an unknown weight. in is [N,
// C, spatial…] and weight [M, C / group, spatial…], for a transposed convolution [C, M / group,
// spatial…].
type filter struct {
	in, weight []expr
	win        window
	group      int64
}

// filterOf reads input x and weight w. Without a rank the result has none, and ok is
// false; so it is after an error.
func (c *call) filterOf(d onnx.DType, x, w int) (f filter, ok bool) {
	in, ranked := c.ranked(x, -3)
	weight, ranked2 := c.ranked(w, -3)
	if c.failed {
		return f, false
	}
	switch {
	case !ranked && !ranked2:
		c.outUnranked(0, d)
		return f, false
	case !ranked:
		in = make([]expr, len(weight))
	case ranked2 && len(weight) != len(in):
		c.errorAt(w, "the weight %s does not have as many dimensions as the input %s", c.in(w).Type, c.in(x).Type)
		return f, false
	}
	n := len(in) - 2
	f = filter{in: in, weight: weight, group: c.a.Int("group")}
	f.win, ok = c.windowOf(c.kernelOf(weight, ranked2, n), n)
	return f, ok
}

// fitChannels checks the input's channels against what the weight has.
func (c *call) fitChannels(x, w int, in, want expr, what string) {
	if in != nil {
		c.unify(in, want, "the input %s and the weight %s do not fit: %s", c.in(x).Type, c.in(w).Type, what)
	}
}

// convolve infers a convolution of input x with weight w. The channels of the result are the
// weight's first size; the input's channels must be the weight's second size times group.
func (c *call) convolve(d onnx.DType, x, w int) {
	f, ok := c.filterOf(d, x, w)
	if !ok {
		return
	}
	out := make([]expr, len(f.in))
	out[0] = f.in[0]
	if f.weight != nil {
		out[1] = f.weight[0]
		c.fitChannels(x, w, f.in[1], c.pool().Mul(f.weight[1], c.pool().Const(f.group)), "channels and the weight's channels times group")
	}
	for i, size := range f.in[2:] {
		if size != nil {
			out[i+2] = c.slide(f.win, i, size)
		}
	}
	if !c.failed {
		c.out(0, d, out)
	}
}

// convTranspose: (in - 1) · stride + kernel extent + output_padding - pads, unless output_shape
// says the sizes. It is the inverse of convolve's formula, which several sizes map to the same
// one: output_padding says which. With SAME the result is size · stride, where the kernel reaches
// over the stride.
func convTranspose(c *call) {
	d := c.sameElem(0, 1)
	if c.failed {
		return
	}
	f, ok := c.filterOf(d, 0, 1)
	if !ok {
		return
	}
	p, w, n := c.pool(), f.win, len(f.in)-2
	out := make([]expr, n+2)
	out[0] = f.in[0]
	if f.weight != nil {
		out[1] = p.Mul(f.weight[1], p.Const(f.group))
		c.fitChannels(0, 1, f.in[1], f.weight[0], "channels")
	}
	shape, given := c.a.Ints("output_shape"), c.a.Has("output_shape")
	if given && len(shape) == n+2 {
		shape = shape[2:] // some writers count all dimensions
	}
	if given && len(shape) != n {
		c.errorf("output_shape has %d elements for %d spatial dimensions", len(shape), n)
		return
	}
	extra := c.intsN("output_padding", n)
	for i, size := range f.in[2:] {
		switch {
		case given:
			out[i+2] = p.Const(shape[i])
		case size == nil:
		case w.auto == "SAME_UPPER" || w.auto == "SAME_LOWER":
			// A kernel within the stride leaves a gap, which runtimes do not fill.
			if k := c.extent(w, i); k != nil && low(k) >= w.stride[i] {
				out[i+2] = p.Mul(size, p.Const(w.stride[i]))
			}
		default:
			k := c.extent(w, i)
			if k == nil {
				continue
			}
			var pads int64
			if w.auto == "NOTSET" {
				pads = w.padHead[i] + w.padTail[i]
			}
			out[i+2] = p.AddConst(p.Add(p.Mul(p.AddConst(size, -1), p.Const(w.stride[i])), k), extra[i]-pads)
		}
	}
	if !c.failed {
		c.out(0, d, out)
	}
}

// col2Im puts blocks [N, C·block, L] together to an image. The result is [N, C, image…], whose
// spatial sizes are input 1. The channels are the second size divided by the product of the
// block's, input 2, where it is known.
func col2Im(c *call) {
	in, ok := c.ranked(0, 3)
	if c.failed {
		return
	}
	n, sized := c.length(1)
	if !sized {
		if n, sized = c.length(2); !sized {
			c.outUnranked(0, c.elem(0))
			return
		}
	}
	out := make([]expr, n+2)
	if ok {
		out[0] = in[0]
		if block, known := c.exprs(2); known && !slices.Contains(block, nil) {
			out[1] = c.pool().FloorDiv(in[1], c.pool().Product(append(slices.Clone(block), c.pool().Const(1))...))
		}
	}
	if image, known := c.exprs(1); known && len(image) == n {
		copy(out[2:], image)
	}
	c.out(0, c.elem(0), out)
}
