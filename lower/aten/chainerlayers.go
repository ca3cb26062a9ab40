package aten

// This file lowers Chainer's convolutions, poolings and functions of images.
//
// The main difference to PyTorch is cover_all: windows may reach beyond the padded image, so that
// every element is in one. It is written as more padding at the end. Padding is symmetric
// otherwise, and a stride that is not given is the kernel's size in pooling.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var chainerLayerRecords = []Record{
	{Op: chainerFunctions + "convolution_1d " + chainerFunctions + "convolution_2d " + chainerFunctions + "convolution_3d " +
		chainerFunctions + "convolution_nd " + chainerFunctions + "dilated_convolution_2d", Lower: chainerConv},
	{Op: chainerFunctions + "deconvolution_1d " + chainerFunctions + "deconvolution_2d " + chainerFunctions + "deconvolution_3d " +
		chainerFunctions + "deconvolution_nd", Lower: chainerDeconv},
	{Op: chainerFunctions + "depthwise_convolution_2d", Lower: depthwise},
	{Op: chainerFunctions + "local_convolution_2d", Lower: localConv},
	{Op: chainerFunctions + "im2col", Lower: im2col},
	{Op: chainerFunctions + "max_pooling_1d " + chainerFunctions + "max_pooling_2d " + chainerFunctions + "max_pooling_3d " +
		chainerFunctions + "max_pooling_nd", Lower: chainerMaxPool},
	{Op: chainerFunctions + "average_pooling_1d " + chainerFunctions + "average_pooling_2d " + chainerFunctions + "average_pooling_3d " +
		chainerFunctions + "average_pooling_nd", Lower: chainerAveragePool},
	{Op: chainerFunctions + "unpooling_1d " + chainerFunctions + "unpooling_2d " + chainerFunctions + "unpooling_3d " +
		chainerFunctions + "unpooling_nd", Lower: unpool},
	{Op: chainerFunctions + "resize_images", Lower: resizeImages},
	{Op: chainerFunctions + "spatial_transformer_grid", Lower: func(c *Call) {
		theta := c.first()
		size := c.Ints("output_shape", 2)
		h, w := size[0], size[1]
		coords := make([]float64, 0, 3*h*w)
		for _, of := range [...]func(i, j int64) float64{
			func(_, j int64) float64 { return place(j, w) }, func(i, _ int64) float64 { return place(i, h) }, func(_, _ int64) float64 { return 1 },
		} {
			for i := range h {
				for j := range w {
					coords = append(coords, of(i, j))
				}
			}
		}
		t, err := onnx.NewFloats(theta.DType, []int64{3, h * w}, coords)
		if err != nil {
			failf("%v", err)
		}
		c.Return(c.Reshape(c.emit.matMul(theta, c.emit.Const(t)), nil, c.OutType(0).Shape))
	}},
	{Op: chainerFunctions + "spatial_transformer_sampler", Lower: func(c *Call) {
		e := c.emit
		c.rename("torch.nn.functional.grid_sample", "input=x grid=grid", flag("align_corners"))
		d := c.OutDType(0)
		c.Return(e.Op("GridSample", In(c.Operand("input", d), e.Transpose(c.Operand("grid", d), 0, 2, 3, 1)),
			onnx.StringAttr("mode", e.gridMode()), onnx.StringAttr("padding_mode", "zeros"), onnx.IntAttr("align_corners", 1)))
	}},
}

// place is number i of n in equal steps from -1 to 1. One element alone is at -1.
func place(i, n int64) float64 {
	if n == 1 {
		return -1
	}
	return 2*float64(i)/float64(n-1) - 1
}

// spatial is the number of dimensions that windows of x move in.
func (c *Call) spatial() int { return c.Rank("x") - 2 }

// perAxis are the numbers of an argument for each spatial dimension; 1 where there is no such argument.
func (c *Call) perAxis(name string, n int) []int64 {
	if !c.Has(name) {
		return ones(n)
	}
	return c.Ints(name, n)
}

// coverAll adds to the padding at the end what lets a window begin for every element: a stride
// less one. The division of the output's formula rounds up then instead of down.
func (c *Call) coverAll(pad, stride []int64) []int64 {
	end := slices.Clone(pad)
	if c.Bool("cover_all") {
		for i := range end {
			end[i] += stride[i] - 1
		}
	}
	return end
}

// chainerConv lowers a convolution. Weights are [out, in / groups, kernel…], as in ONNX.
func chainerConv(c *Call) {
	n := c.spatial()
	x := c.first()
	stride, pad := c.Ints("stride", n), c.Ints("pad", n)
	c.Return(c.emit.Op("Conv", In(x, c.Operand("W", x.DType), c.optional("b", x.DType)), onnx.IntsAttr("strides", stride...),
		onnx.IntsAttr("dilations", c.perAxis("dilate", n)...), onnx.IntAttr("group", c.IntOr("groups", 1)),
		onnx.IntsAttr("pads", append(slices.Clone(pad), c.coverAll(pad, stride)...)...)))
}

// optional is Opt in an element type.
func (c *Call) optional(name string, d onnx.DType) V { return c.emit.Cast(c.Opt(name), d) }

// chainerDeconv lowers a transposed convolution. A size that is asked for is more than the least
// by less than a stride. The difference to the least size is output_padding, which ONNX limits by
// the stride. It fails for a size that is not known.
func chainerDeconv(c *Call) {
	n, rank := c.spatial(), c.Rank("x")
	x := c.first()
	stride, pad, dilate := c.Ints("stride", n), c.Ints("pad", n), c.perAxis("dilate", n)
	notNegative(pad)
	more := make([]int64, n)
	if c.Has("outsize") {
		for i := range n {
			in, out := c.ConstDim("x", int64(rank-n+i)), c.OutType(0).Shape[rank-n+i]
			size, ok := out.Const()
			if !ok {
				failf("outsize must be known when the model is exported")
			}
			more[i] = size - (stride[i]*(in-1) + dilate[i]*(c.ConstDim("W", int64(2+i))-1) + 1 - 2*pad[i])
			if more[i] < 0 || more[i] >= stride[i] && more[i] > 0 {
				failf("outsize is not that of a convolution's input")
			}
		}
	}
	c.Return(c.emit.Op("ConvTranspose", In(x, c.Operand("W", x.DType), c.optional("b", x.DType)), onnx.IntsAttr("strides", stride...),
		onnx.IntsAttr("dilations", dilate...), onnx.IntAttr("group", c.IntOr("groups", 1)), onnx.IntsAttr("output_padding", more...),
		onnx.IntsAttr("pads", append(slices.Clone(pad), pad...)...)))
}

// depthwise has kernels (multiplier, channels, …), and makes the results of a channel neighbours.
// Weights become [channels·multiplier, 1, kernel…] and the convolution has a group for each
// channel.
func depthwise(c *Call) {
	e := c.emit
	x := c.first()
	channels := c.ConstDim("W", 1)
	w := c.Operand("W", x.DType)
	size := e.Op("Shape", In(w), onnx.IntAttr("start", 2))
	w = e.ReshapeTo(e.Transpose(w, 1, 0, 2, 3), e.Concat(0, e.I64(-1, 1), size))
	stride, pad := c.Ints("stride", 2), c.Ints("pad", 2)
	c.Return(e.Op("Conv", In(x, w, c.optional("b", x.DType)), onnx.IntsAttr("strides", stride...), onnx.IntAttr("group", channels),
		onnx.IntsAttr("pads", append(slices.Clone(pad), pad...)...)))
}

// patches gathers the windows of images: of (N, C, H, W) it makes (N, C, kh, lh, kw, lw). A
// Gather with a matrix of positions [k, windows] replaces an axis by two; done for both axes,
// that is all windows. It copies each element as often as windows have it.
func (e *Emitter) patches(x V, kernel, stride, dilate []int64) V {
	for i, axis := range [...]int64{2, 4} {
		size := e.dimSize(x, axis)
		starts := e.Op("Range", In(e.I64Scalar(0), e.sub(size, e.I64Scalar(dilate[i]*(kernel[i]-1))), e.I64Scalar(stride[i])))
		offsets := make([]int64, kernel[i])
		for k := range offsets {
			offsets[k] = int64(k) * dilate[i]
		}
		x = e.Op("Gather", In(x, e.add(e.Unsqueeze(e.I64(offsets...), 1), starts)), onnx.IntAttr("axis", axis))
	}
	return x
}

// localConv multiplies each window with weights of its own. The contraction is one Einsum over
// channel and place in the window, for each window apart.
func localConv(c *Call) {
	e := c.emit
	x := c.first()
	kernel := []int64{c.ConstDim("W", 4), c.ConstDim("W", 5)}
	w := e.Transpose(c.Operand("W", x.DType), 3, 4, 1, 5, 2, 0) // Ci, kh, oh, kw, ow, Co
	p := e.patches(x, kernel, c.Ints("stride", 2), ones(2))     // N, Ci, kh, oh, kw, ow
	for i, axis := range [...]int64{3, 5} {                     // the windows for which there are weights
		p = e.Op("Slice", In(p, e.I64(0), c.SizeOf("W", int64(i+1)), e.I64(axis)))
	}
	y := e.Op("Einsum", In(p, w), onnx.StringAttr("equation", "nipuqv,ipuqvo->nouv"))
	if c.Has("b") {
		y = e.add(y, c.Operand("b", x.DType))
	}
	c.Return(y)
}

// padEnds pads the spatial dimensions with a number. The first two dimensions are batch and
// channels. Without a pad x stays.
func (e *Emitter) padEnds(x V, before, after []int64, fill float64) V {
	zero := func(n int64) bool { return n == 0 }
	if !slices.ContainsFunc(append(slices.Clone(before), after...), func(n int64) bool { return !zero(n) }) {
		return x
	}
	pads := append(append([]int64{0, 0}, before...), append([]int64{0, 0}, after...)...)
	return e.Op("Pad", In(x, e.I64(pads...), e.Scalar(x.DType, fill)), onnx.StringAttr("mode", "constant"))
}

// im2col makes columns of the windows: [N, C·kh·kw, oh, ow].
func im2col(c *Call) {
	e := c.emit
	if c.Rank("x") != 4 {
		failf("the input is no batch of images")
	}
	stride, pad := c.Ints("stride", 2), c.Ints("pad", 2)
	x := e.padEnds(c.first(), pad, c.coverAll(pad, stride), 0)
	x = e.Transpose(e.patches(x, c.Ints("ksize", 2), stride, c.perAxis("dilate", 2)), 0, 1, 2, 4, 3, 5)
	c.Return(c.Reshape(x, nil, c.OutType(0).Shape))
}

// chainerWindow are the kernel, stride and padding of a pooling. It fails for a negative padding.
func (c *Call) chainerWindow(n int) (kernel, stride, pad []int64) {
	kernel = c.Ints("ksize", n)
	stride = kernel
	if c.Has("stride") {
		stride = c.Ints("stride", n)
	}
	pad = c.Ints("pad", n)
	notNegative(pad)
	return kernel, stride, pad
}

// notNegative refuses a padding that Chainer takes as places from the end of an image.
func notNegative(pad []int64) {
	if slices.ContainsFunc(pad, func(p int64) bool { return p < 0 }) {
		failf("a negative padding takes the end of the image that is made")
	}
}

// wholeImage is a pooling with one window, of the size of an image whose size is not known. It is
// written as global pooling, which needs no numbers; if the size is a number the ordinary pooling
// serves.
func (c *Call) wholeImage(n int) bool {
	sizes, known := c.Items("ksize"), true
	if len(sizes) != n {
		return false
	}
	for i, o := range sizes {
		d, ok := o.(graph.Dim)
		if !ok {
			return false
		}
		image := c.Type("x").Shape[c.Rank("x")-n+i]
		if rest, ok := c.Pool.DimSub(d.Dim, image).Const(); !ok || rest != 0 {
			return false
		}
		_, ok = image.Const()
		known = known && ok
	}
	return !known && !slices.ContainsFunc(c.Ints("pad", n), func(p int64) bool { return p != 0 })
}

// chainerMaxPool covers all elements by padding at the end. Where a window may lie in the padding alone its result is
// -∞, which the operator's own padding need not give.
func chainerMaxPool(c *Call) {
	e := c.emit
	n, places := c.spatial(), len(c.Node.Outputs) > 1
	if c.wholeImage(n) {
		if places {
			failf("the places of the largest elements of an image whose size is not known")
		}
		c.Return(e.Op("GlobalMaxPool", In(c.first())))
		return
	}
	kernel, stride, pad := c.chainerWindow(n)
	end := c.coverAll(pad, stride)
	x := c.first()
	before, after := slices.Clone(pad), slices.Clone(end)
	for i := range n {
		if pad[i]+stride[i] > kernel[i] { // a window may miss every element
			x = e.padEnds(x, pad, end, negativeInfinity)
			before, after = make([]int64, n), make([]int64, n)
			break
		}
	}
	attrs := []*onnx.Attr{onnx.IntsAttr("kernel_shape", kernel...), onnx.IntsAttr("strides", stride...),
		onnx.IntsAttr("pads", append(before, after...)...)}
	if places {
		out := e.Ops("MaxPool", 2, In(x), attrs...)
		c.Return(out[0], e.Cast(e.withinWindows(x, out[1], kernel, stride, before), c.OutDType(1)))
		return
	}
	c.Return(c.maxima(x, attrs))
}

// withinWindows turns places in the whole of x, as MaxPool gives them, into places within their
// windows. A place in the image is taken apart axis by axis by division and remainder; the
// beginning of the window is subtracted, and what is left is joined to a number again.
func (e *Emitter) withinWindows(x, places V, kernel, stride, pad []int64) V {
	n := len(kernel)
	rank := int64(n + 2)
	var at V
	width := int64(1)
	for i := n - 1; i >= 0; i-- {
		axis := int64(i + 2)
		size := e.dimSize(x, axis)
		within := e.Op("Mod", In(places, size))
		places = e.over(places, size)
		var others []int64
		for a := range rank {
			if a != axis {
				others = append(others, a)
			}
		}
		first := e.mul(e.rangeTo(e.dimSize(places, axis)), e.I64(stride[i]))
		within = e.add(e.sub(within, e.Unsqueeze(first, others...)), e.I64(pad[i]))
		if within = e.mul(within, e.I64(width)); at.Name == "" {
			at = within
		} else {
			at = e.add(at, within)
		}
		width *= kernel[i]
	}
	return at
}

// chainerAveragePool counts the padding as zeros or, where pad_value is None, not at all. Where a
// window may lie in the padding alone that is written as a Pad of its own, since ONNX's operator
// limits its padding by the kernel.
func chainerAveragePool(c *Call) {
	e := c.emit
	n := c.spatial()
	if c.wholeImage(n) {
		c.Return(e.Op("GlobalAveragePool", In(c.first())))
		return
	}
	kernel, stride, pad := c.chainerWindow(n)
	include := true
	for _, a := range c.Node.Args {
		if a.Name == "pad_value" {
			if include = a.Value != nil; include && c.Float("pad_value") != 0 {
				failf("a padding of other numbers than 0")
			}
		}
	}
	x := c.first()
	for i := range n {
		if pad[i] >= kernel[i] {
			if !include {
				failf("a window may lie in the padding alone")
			}
			x = e.padEnds(x, pad, pad, 0)
			pad = make([]int64, n)
			break
		}
	}
	c.Return(e.Op("AveragePool", In(x), onnx.IntsAttr("kernel_shape", kernel...), onnx.IntsAttr("strides", stride...),
		onnx.IntsAttr("pads", append(slices.Clone(pad), pad...)...), boolAttr("count_include_pad", include)))
}

// unpool adds each element to all places of its window: a transposed convolution of each channel with ones. What lies
// beyond the size of the result is cut off, what is missing is 0. Channels are made examples
// first, so that one kernel of ones serves all.
func unpool(c *Call) {
	e := c.emit
	n, rank := c.spatial(), c.Rank("x")
	kernel, stride, pad := c.chainerWindow(n)
	x := c.first()
	in, out := c.Type("x").Shape, c.OutType(0).Shape
	whole := make(symshape.Shape, 0, rank-1) // the channels of all examples, one by one
	whole = append(whole, c.Pool.DimMul(in[0], in[1]), c.Pool.ConstDim(1))
	flat := c.Reshape(x, nil, append(whole, in[2:]...))
	t, err := onnx.NewFull(x.DType, append([]int64{1, 1}, kernel...), 1)
	if err != nil {
		failf("%v", err)
	}
	y := e.Op("ConvTranspose", In(flat, e.Const(t)), onnx.IntsAttr("strides", stride...))
	var from, to, axes, more []graph.Operand
	for i := range n {
		d := out[rank-n+i]
		raw := c.Pool.DimAdd(c.Pool.DimMul(c.Pool.DimSub(in[rank-n+i], c.Pool.ConstDim(1)), c.Pool.ConstDim(stride[i])),
			c.Pool.ConstDim(kernel[i]))
		end := c.Pool.DimAdd(d, c.Pool.ConstDim(pad[i]))
		if need, ok := c.Pool.DimSub(end, raw).Const(); ok {
			more = append(more, graph.Int(max(need, 0)))
		} else {
			more = append(more, graph.Int(0))
			if !c.Has("outsize") { // with cover_all it is shorter, else equal
				need = 0
			} else {
				failf("outsize needs known sizes")
			}
		}
		from, to, axes = append(from, graph.Int(pad[i])), append(to, graph.Dim{Dim: end}), append(axes, graph.Int(rank-n+i))
	}
	if !allZero(more) {
		zeros := slices.Repeat([]graph.Operand{graph.Int(0)}, rank+2)
		y = e.Op("Pad", In(y, c.Sizes("pads", append(zeros, more...)), e.Scalar(x.DType, 0)), onnx.StringAttr("mode", "constant"))
	}
	y = e.Op("Slice", In(y, c.Sizes("from", from), c.Sizes("to", to), c.Sizes("axes", axes)))
	c.Return(c.Reshape(y, nil, out))
}

// resizeImages samples images at other points. The size must be known only for mode nearest.
func resizeImages(c *Call) {
	e := c.emit
	rank := c.Rank("x")
	sizes := make([]graph.Operand, 2)
	for i := range sizes {
		sizes[i] = graph.Dim{Dim: c.OutType(0).Shape[rank-2+i]}
	}
	x := c.first()
	transform := "half_pixel"
	if c.Bool("align_corners") {
		transform = "align_corners"
	}
	attrs := []*onnx.Attr{onnx.StringAttr("coordinate_transformation_mode", transform)}
	switch mode := c.Str("mode"); mode {
	case "bilinear":
		attrs = append(attrs, onnx.StringAttr("mode", "linear"))
	case "nearest": // whose corners are never aligned
		for i := range 2 {
			x = c.nearest(x, rank-2+i)
		}
		c.Return(x)
		return
	default:
		failf("there is no mode %q", mode)
	}
	keep := e.Op("Shape", In(x), onnx.IntAttr("end", 2))
	c.Return(e.Op("Resize", In(x, V{}, V{}, e.Concat(0, keep, c.Sizes("size", sizes))), attrs...))
}

// nearest takes, of size rows, row ⌊i·size/out⌋ for i < out, the quotient in binary64 first. It
// is a Gather of constant positions, computed here as Chainer does.
func (c *Call) nearest(x V, axis int) V {
	in := c.ConstDim("x", int64(axis))
	out, ok := c.OutType(0).Shape[axis].Const()
	if !ok {
		failf("the size of the result must be known")
	}
	at, scale := make([]int64, out), float64(in)/float64(out)
	for i := range at {
		at[i] = min(int64(float64(i)*scale), in-1)
	}
	return c.emit.Op("Gather", In(x, c.emit.I64(at...)), onnx.IntAttr("axis", int64(axis)))
}

// gridMode is the name of linear sampling. GridSample's mode was renamed in opset 20.
func (e *Emitter) gridMode() string {
	if e.Opset >= 20 {
		return "linear"
	}
	return "bilinear"
}
