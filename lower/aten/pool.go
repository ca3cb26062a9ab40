package aten

// This file lowers pooling.
//
// ONNX's and PyTorch's poolings differ in three ways that the rules bridge: PyTorch leaves out
// windows in ceil mode that would begin in the padding on the right, counts padding but not what
// is behind it in means, and gives indices within a channel where ONNX counts through the tensor.
// Adaptive poolings have regions of different sizes and no operator; they are gathered, or are
// plain poolings where the sizes divide.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var poolRecords = []Record{
	{Op: "torch.nn.functional.max_pool1d torch.max_pool1d", Lower: maxPool(1)},
	{Op: "torch.nn.functional.max_pool2d torch.max_pool2d", Lower: maxPool(2)},
	{Op: "torch.nn.functional.max_pool3d torch.max_pool3d", Lower: maxPool(3)},
	{Op: "torch.nn.functional.max_pool1d_with_indices", Lower: maxPool(1)},
	{Op: "torch.nn.functional.max_pool2d_with_indices", Lower: maxPool(2)},
	{Op: "torch.nn.functional.max_pool3d_with_indices", Lower: maxPool(3)},
	{Op: "torch.nn.functional.avg_pool1d", Lower: avgPool(1)},
	{Op: "torch.nn.functional.avg_pool2d", Lower: avgPool(2)},
	{Op: "torch.nn.functional.avg_pool3d", Lower: avgPool(3)},
	{Op: "torch.nn.functional.lp_pool1d", Lower: lpPool(1)},
	{Op: "torch.nn.functional.lp_pool2d", Lower: lpPool(2)},
	{Op: "torch.nn.functional.lp_pool3d", Lower: lpPool(3)},
	{Op: "torch.nn.functional.adaptive_avg_pool1d", Lower: adaptive(1, "AveragePool")},
	{Op: "torch.nn.functional.adaptive_avg_pool2d", Lower: adaptive(2, "AveragePool")},
	{Op: "torch.nn.functional.adaptive_avg_pool3d", Lower: adaptive(3, "AveragePool")},
	{Op: "torch.nn.functional.adaptive_max_pool1d torch.nn.functional.adaptive_max_pool1d_with_indices", Lower: adaptive(1, "MaxPool")},
	{Op: "torch.nn.functional.adaptive_max_pool2d torch.nn.functional.adaptive_max_pool2d_with_indices", Lower: adaptive(2, "MaxPool")},
	{Op: "torch.nn.functional.adaptive_max_pool3d torch.nn.functional.adaptive_max_pool3d_with_indices", Lower: adaptive(3, "MaxPool")},
	{Op: "torch.nn.functional.fractional_max_pool2d torch.nn.functional.fractional_max_pool3d " +
		"torch.nn.functional.fractional_max_pool2d_with_indices torch.nn.functional.fractional_max_pool3d_with_indices",
		None: "the regions are random"},
}

// batched gives an input without a batch one of size 1; the result loses it again. n is the
// number of spatial axes.
func (c *Call) batched(n int) (x V, finish func(V) V) {
	x = c.first()
	if c.Rank("input") == n+2 {
		return x, func(y V) V { return y }
	}
	return c.emit.Unsqueeze(x, 0), func(y V) V { return c.emit.Squeeze(y, 0) }
}

// window are the attributes that poolings share. In ceil mode the last windows
// reach over the end. With known sizes the padding says that; with others the
// mode of ONNX does, if no window can begin behind the input: PyTorch leaves such
// windows out, and not every runtime does. padding is the same on both sides, in PyTorch; the
// attribute pads has all begins and then all ends. The end that makes the known output size
// follows from out = (in + begin + end - extent)/stride + 1.
func (c *Call) window(n int, padding, dilation []int64) (attrs []*onnx.Attr, kernel []int64) {
	kernel = c.Ints("kernel_size", n)
	stride := kernel
	if c.Has("stride") && len(c.Items("stride")) > 0 {
		stride = c.Ints("stride", n)
	}
	attrs = []*onnx.Attr{onnx.IntsAttr("kernel_shape", kernel...), onnx.IntsAttr("strides", stride...)}
	begin, end := slices.Clone(padding), slices.Clone(padding)
	if c.Bool("ceil_mode") {
		rank := c.Rank("input")
		symbolic := false
		for i := range n {
			extent := dilation[i]*(kernel[i]-1) + 1
			in, okIn := c.Type("input").Shape[rank-n+i].Const()
			out, okOut := c.OutType(0).Shape[rank-n+i].Const()
			switch {
			case okIn && okOut:
				end[i] = max((out-1)*stride[i]+extent-in-begin[i], 0) // less: the last elements are not used
			case stride[i] <= extent-padding[i]:
				symbolic = true
			default:
				failf("ceil_mode needs known sizes here")
			}
		}
		if symbolic {
			end = slices.Clone(padding)
			attrs = append(attrs, onnx.IntAttr("ceil_mode", 1))
		}
	}
	return append(attrs, onnx.IntsAttr("pads", append(begin, end...)...)), kernel
}

func ones(n int) []int64 { return slices.Repeat([]int64{1}, n) }

// maxPool may give indices too: into the spatial dimensions of one channel, where
// ONNX counts through the whole tensor. Padding is -∞, or the type's lowest number. Integers of
// 16 and 32 bits are exact in float64; those of 64 bits are not, so they are refused. An index
// modulo the size of a channel is PyTorch's.
func maxPool(n int) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		dilation := c.Ints("dilation", n)
		attrs, _ := c.window(n, c.Ints("padding", n), dilation)
		attrs = append(attrs, onnx.IntsAttr("dilations", dilation...))
		x, finish := c.batched(n)
		switch x.DType { // the operator takes floats and integers of 8 bits
		case onnx.Int64:
			failf("ONNX has no maxima over windows of 64-bit integers")
		case onnx.Int16, onnx.Int32:
			x = e.Cast(x, onnx.Double)
		}
		wide := widerThanWindow(attrs)
		if len(c.Node.Outputs) == 1 {
			if wide != nil {
				x = e.padInput(x, wide)
			}
			c.Return(finish(e.Cast(c.maxima(x, attrs), c.OutDType(0))))
			return
		}
		if wide != nil {
			failf("ceil_mode pads by more than the window: runtimes refuse that")
		}
		outs := e.Ops("MaxPool", 2, In(x), attrs...)
		size := e.Op("ReduceProd", In(e.Op("Shape", In(x), onnx.IntAttr("start", 2))), onnx.IntAttr("keepdims", 0))
		c.Return(finish(e.Cast(outs[0], c.OutDType(0))), finish(e.Op("Mod", In(outs[1], size))))
	}
}

// widerThanWindow gives the attribute of a padding that is not below the size of the window on some side, as
// ceil_mode makes it of a dilated one; ONNX Runtime refuses such windows. It is nil otherwise.
func widerThanWindow(attrs []*onnx.Attr) *onnx.Attr {
	var kernel []int64
	for _, a := range attrs {
		switch a.Name {
		case "kernel_shape":
			kernel = a.Ints
		case "pads":
			for i, n := range a.Ints {
				if n >= kernel[i%len(kernel)] {
					return a
				}
			}
		}
	}
	return nil
}

// padInput makes a padding a part of x: of what no element is below. The attribute has none then.
// It changes the attribute in place.
func (e *Emitter) padInput(x V, pads *onnx.Attr) V {
	n := len(pads.Ints) / 2
	sides := slices.Concat([]int64{0, 0}, pads.Ints[:n], []int64{0, 0}, pads.Ints[n:])
	pads.Ints = make([]int64, 2*n)
	return e.Op("Pad", In(x, e.I64(sides...), e.lowest(x.DType)), onnx.StringAttr("mode", "constant"))
}

// maxima takes maxima over windows. ONNX Runtime up to 1.30 and ONNX's simplifiers make a constant Pad
// part of the MaxPool behind it, also when it pads with more than -∞, which then no longer wins: that is
// kept from them where it costs nothing by saying in another way that the window has no padding of its
// own, and otherwise, if a padding may be before it, by a node between the two.
func (c *Call) maxima(x V, attrs []*onnx.Attr) V {
	own := slices.ContainsFunc(attrs, func(a *onnx.Attr) bool {
		return a.Name == "ceil_mode" || a.Name == "pads" && slices.ContainsFunc(a.Ints, func(n int64) bool { return n != 0 })
	})
	switch v, _ := c.Node.Args[0].Value.(*graph.Value); {
	case !own:
		attrs = slices.DeleteFunc(attrs, func(a *onnx.Attr) bool { return a.Name == "pads" })
		attrs = append(attrs, onnx.StringAttr("auto_pad", "VALID"))
	case mayEndInPad(v):
		x = c.emit.Op("Max", In(x))
	}
	return c.emit.Op("MaxPool", In(x), attrs...)
}

// mayEndInPad reports whether a padding may be the last operator of what computes a value. It
// follows the first operand back through operations that leave no node behind, and answers true
// for regions, about which nothing is known.
func mayEndInPad(v *graph.Value) bool {
	for v != nil && v.Def != nil {
		n := v.Def
		if len(n.Regions) > 0 || strings.Contains(n.Op, "pad") {
			return true
		}
		if !passing[n.Op] || len(n.Args) == 0 {
			return false
		}
		v, _ = n.Args[0].Value.(*graph.Value)
	}
	return false
}

// passing are the operations that become no operator, or one that is taken away or looked through.
var passing = names("torch.clone torch.detach torch.Tensor.contiguous torch.Tensor.to torch.Tensor.float torch.Tensor.double torch.Tensor.half torch.positive " +
	"torch.nn.functional.dropout torch.nn.functional.dropout2d torch.dropout torch.reshape torch.Tensor.view chainer.functions.dropout")

// avgPool divides by the window's size, by the number of elements that are no
// padding, or by a number given. With divisor_override the mean over the full window is
// multiplied by window/divisor. count_include_pad with ceil_mode is written by padding the input,
// since the two runtimes' and PyTorch's ideas of what is counted at the end differ.
func avgPool(n int) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		if !isFloat(c.OutDType(0)) {
			failf("ONNX pools floats only")
		}
		padding := c.Ints("padding", n)
		attrs, kernel := c.window(n, padding, ones(n))
		x, finish := c.batched(n)
		switch include := c.Bool("count_include_pad"); {
		case c.Has("divisor_override"):
			attrs = append(widened(attrs), onnx.IntAttr("count_include_pad", 1))
		case include && c.Bool("ceil_mode") && slices.ContainsFunc(attrs, reachesOver):
			x = e.padded(x, padding, attrs)
		case include:
			attrs = append(attrs, onnx.IntAttr("count_include_pad", 1))
		}
		y := e.Op("AveragePool", In(x), attrs...)
		if c.Has("divisor_override") {
			total := int64(1)
			for _, k := range kernel {
				total *= k
			}
			y = e.mul(y, e.Scalar(y.DType, float64(total)/c.Float("divisor_override")))
		}
		c.Return(finish(y))
	}
}

// widened says by padding what ceil_mode says, so that all windows count alike: a
// stride less one behind the end makes the last window whole.
func widened(attrs []*onnx.Attr) []*onnx.Attr {
	var strides []int64
	var rest []*onnx.Attr
	ceil := false
	for _, a := range attrs {
		switch a.Name {
		case "ceil_mode":
			ceil = true
			continue
		case "strides":
			strides = a.Ints
		}
		rest = append(rest, a)
	}
	if !ceil {
		return attrs
	}
	for _, a := range rest {
		if a.Name == "pads" {
			for i, s := range strides {
				a.Ints[len(strides)+i] += s - 1
			}
		}
	}
	return rest
}

// padded makes the padding a part of the input and takes it off the attributes of
// the window: so that it counts, and what lies behind it does not.
func (e *Emitter) padded(x V, padding []int64, attrs []*onnx.Attr) V {
	sides := append([]int64{0, 0}, padding...)
	for _, a := range attrs {
		if a.Name == "pads" {
			for i := range a.Ints {
				a.Ints[i] = max(a.Ints[i]-padding[i%len(padding)], 0)
			}
		}
	}
	return e.Op("Pad", In(x, e.I64(append(sides, sides...)...), e.Scalar(x.DType, 0)), onnx.StringAttr("mode", "constant"))
}

// reachesOver reports whether an attribute of a window says that the last one
// reaches over the padding.
func reachesOver(a *onnx.Attr) bool {
	half := len(a.Ints) / 2
	return a.Name == "ceil_mode" || a.Name == "pads" && !slices.Equal(a.Ints[:half], a.Ints[half:])
}

// lpPool is the root of the mean of powers, times the size of the window: where
// one reaches over the end, that is more than the norm of its elements. With p as exponent it is
// (Σ x^p)^(1/p), which PyTorch computes from the average times the window's size, and so do we.
func lpPool(n int) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		attrs, kernel := c.window(n, make([]int64, n), ones(n))
		p := c.Float("norm_type")
		x, finish := c.batched(n)
		total := 1.0
		for _, k := range kernel {
			total *= float64(k)
		}
		mean := e.Op("AveragePool", In(e.Op("Pow", In(x, e.Scalar(x.DType, p)))), attrs...)
		c.Return(finish(e.Op("Pow", In(e.times(mean, total), e.Scalar(x.DType, 1/p)))))
	}
}

// adaptive lowers pooling to a given size. To size 1 it is global, for any input.
// Otherwise the regions are equal windows only where the size is known to divide the input's.
// When the output size is 1 in all axes it is a global pooling, without a look at the input's
// size. Indices need the size of the input's channels only at run time.
func adaptive(n int, op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		rank := c.Rank("input")
		global := true
		kernel := make([]int64, n)
		even := true
		for i := range n {
			out, known := c.OutType(0).Shape[rank-n+i].Const()
			global = global && known && out == 1
			if in, ok := c.Type("input").Shape[rank-n+i].Const(); ok && known && out > 0 && in%out == 0 {
				kernel[i] = in / out
			} else {
				even = false
			}
		}
		x, finish := c.batched(n)
		indices := len(c.Node.Outputs) == 2
		switch {
		case global && !indices:
			c.Return(finish(e.Op("Global"+op, In(x))))
		case even && indices:
			outs := e.Ops(op, 2, In(x), onnx.IntsAttr("kernel_shape", kernel...), onnx.IntsAttr("strides", kernel...))
			size := e.Op("ReduceProd", In(e.Op("Shape", In(x), onnx.IntAttr("start", 2))), onnx.IntAttr("keepdims", 0))
			c.Return(finish(outs[0]), finish(e.Op("Mod", In(outs[1], size))))
		case even:
			attrs := []*onnx.Attr{onnx.IntsAttr("kernel_shape", kernel...), onnx.IntsAttr("strides", kernel...)}
			if op == "MaxPool" {
				c.Return(finish(c.maxima(x, attrs)))
				return
			}
			c.Return(finish(e.Op(op, In(x), attrs...)))
		case indices:
			y, at := c.adaptiveIndices(x, n)
			c.Return(finish(y), finish(at))
		default:
			c.Return(finish(c.adaptiveRegions(x, n, op)))
		}
	}
}

// regions are those over which an axis of x is pooled to a size: region i of out reaches from floor(i·in/out) to
// ceil((i+1)·in/out). gather takes their elements, out × longest of them, at the axis and the one behind it; a region
// that is shorter repeats its last. inside says which are none of these, and lengths how many there are, both in
// a shape that is broadcast to what gather gives.
type regions struct {
	gather          func(x V) V
	inside, lengths V
}

// All of it is computed in the model, as sizes may be symbols. The number of places of a region
// is at most ⌈in/out⌉ + 1.
func (c *Call) regions(x V, axis int64, rank int, size symshape.Dim) regions {
	e := c.emit
	if size.Expr == nil && !size.Known {
		failf("the size of the result is not known")
	}
	scalar := func(v V) V { return e.Squeeze(v, 0) }
	in := e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	out := c.ShapeTensor(symshape.Shape{size})
	k := e.rangeTo(scalar(out))
	out = e.Op("Max", In(out, e.I64(1))) // of no region: runtimes check what they divide by first
	start := e.over(e.mul(k, in), out)
	end := e.over(e.add(e.mul(e.add(k, e.I64(1)), in), e.sub(out, e.I64(1))), out)
	length := e.sub(end, start)
	longest := e.Op("ReduceMax", In(e.Concat(0, length, e.I64(1))), onnx.IntAttr("keepdims", 0)) // also of no region
	at := e.Unsqueeze(e.rangeTo(longest), 0)
	places := e.Op("Min", In(e.add(e.Unsqueeze(start, 1), at), e.sub(e.Unsqueeze(end, 1), e.I64(1))))
	behind := func(v V, from int64) V { // dimensions for the axes behind
		var axes []int64
		for i := axis + 1; i < int64(rank); i++ {
			axes = append(axes, from+i-axis-1)
		}
		if len(axes) == 0 {
			return v
		}
		return e.Unsqueeze(v, axes...)
	}
	return regions{
		gather:  func(x V) V { return e.Op("Gather", In(x, places), onnx.IntAttr("axis", axis)) },
		inside:  behind(e.Op("Less", In(at, e.Unsqueeze(length, 1))), 2),
		lengths: behind(length, 1),
	}
}

// adaptiveIndices is adaptiveRegions of maxima, with their places in the spatial dimensions of a
// channel: in each dimension the first of the largest wins, from the last dimension on, as
// PyTorch goes through a region row by row. at carries the place of each element through the
// axes, so that the place of the maximum falls out at the end.
func (c *Call) adaptiveIndices(x V, n int) (y, at V) {
	e := c.emit
	rank := c.Rank("input")
	plane := e.Op("Shape", In(x), onnx.IntAttr("start", 2))
	total := e.Op("ReduceProd", In(plane), onnx.IntAttr("keepdims", 0))
	at = e.Op("Expand", In(e.ReshapeTo(e.rangeTo(total), plane), e.Shape(x)))
	for i := n - 1; i >= 0; i-- {
		axis := int64(2 + i)
		r := c.regions(x, axis, n+2, c.OutType(0).Shape[rank-n+i])
		elements := r.gather(x)
		first := e.Op("ArgMax", In(elements), onnx.IntAttr("axis", axis+1), onnx.IntAttr("keepdims", 1))
		pick := func(v V) V {
			return e.Squeeze(e.Op("GatherElements", In(v, first), onnx.IntAttr("axis", axis+1)), axis+1)
		}
		x, at = pick(elements), pick(r.gather(at))
	}
	return x, at
}

// adaptiveRegions pools one spatial dimension after the other: the means of equally many elements
// may be taken so. Maxima of maxima are exact, and means of means are right because within one
// axis all elements of a region stand for equally many elements of the image.
func (c *Call) adaptiveRegions(x V, n int, op string) V {
	e := c.emit
	rank := c.Rank("input")
	for i := range n {
		axis := int64(2 + i)
		size := c.OutType(0).Shape[rank-n+i]
		one, _ := size.Const()
		r := regions{}
		if one != 1 {
			r = c.regions(x, axis, n+2, size)
		}
		switch {
		case one == 1 && op == "MaxPool":
			x = e.Reduce("ReduceMax", x, true, axis)
		case one == 1:
			x = e.Reduce("ReduceMean", x, true, axis)
		case op == "MaxPool":
			x = e.Reduce("ReduceMax", r.gather(x), false, axis+1)
		default:
			sum := e.Reduce("ReduceSum", e.Op("Where", In(r.inside, r.gather(x), e.Scalar(x.DType, 0))), false, axis+1)
			x = e.over(sum, e.Cast(r.lengths, x.DType))
		}
	}
	return x
}
