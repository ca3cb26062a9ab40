package chainer

// This file holds the functions with weights: linear, convolutions, embeddings. Weights have the
// output first: a matrix is (out, in), a kernel (out, in/groups, kh, kw), a transposed kernel (in,
// out/groups, kh, kw). Sizes are computed as chainer.utils.conv.get_conv_outsize and
// get_deconv_outsize do. The functions of two dimensions have a function class of their own in
// Chainer, with other exceptions than ConvolutionND for the same mistakes; planar says which of the
// two it is.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// connections lists the functions with weights. embed_id needs integers that count in the rows of W,
// unless they are ignore_label, and adds W's columns as an axis; shift needs odd kernels; bilinear is
// computed in float32 and needs all of V1, V2 and b or none of them. The others have rules of their own.
func connections() []ops.Op {
	const conv = "(x, W, b=None, stride=1, pad=0, cover_all=False"
	const deconv = "(x, W, b=None, stride=1, pad=0, outsize=None"
	return []ops.Op{
		fn("linear", "LinearFunction|matrix", "(x, W, b=None, n_batch_axes=1)", linearRule, "x·Wᵀ + b over the last axes").
			With(ops.Op{Is: graph.OneTensor}),
		fn("convolution_2d", "Convolution2DFunction", conv+", *, dilate=1, groups=1, cudnn_fast=False)", convolution(2, false),
			"convolution of images"),
		fn("convolution_1d", "ConvolutionND", conv+", dilate=1, groups=1)", convolution(1, false), "convolution of sequences"),
		fn("convolution_3d", "ConvolutionND", conv+", dilate=1, groups=1)", convolution(3, false), "convolution of volumes"),
		fn("convolution_nd", "ConvolutionND", conv+", dilate=1, groups=1)", convolution(0, false), "convolution in any number of dimensions"),
		fn("dilated_convolution_2d", "Convolution2DFunction", "(x, W, b=None, stride=1, pad=0, dilate=1, cover_all=False)", convolution(2, false),
			"convolution whose kernel has gaps"),
		fn("deconvolution_2d", "Deconvolution2DFunction", deconv+", *, dilate=1, groups=1)", convolution(2, true),
			"transposed convolution of images"),
		fn("deconvolution_1d", "DeconvolutionND", deconv+", dilate=1, groups=1)", convolution(1, true), "transposed convolution of sequences"),
		fn("deconvolution_3d", "DeconvolutionND", deconv+", dilate=1, groups=1)", convolution(3, true), "transposed convolution of volumes"),
		fn("deconvolution_nd", "DeconvolutionND", deconv+", dilate=1, groups=1)", convolution(0, true),
			"transposed convolution in any number of dimensions"),
		fn("depthwise_convolution_2d", "Convolution2DFunction|?", "(x, W, b=None, stride=1, pad=0)", depthwiseRule,
			"convolution of each channel by itself"),
		fn("deformable_convolution_2d_sampler", "SpatialTransformerSampler|?", "(x, offset, W, b=None, stride=1, pad=0)", deformableRule,
			"convolution whose points are moved by offsets"),
		fn("local_convolution_2d", "LocalConvolution2DFunction", "(x, W, b=None, stride=1)", localRule,
			"convolution with weights for each place"),
		// The kernel of shift moves groups of channels: kh·kw of them, so that there must be as
		// many channels.
		fn("shift", "Shift", "(x, ksize=3, dilate=1)", func(k *call) value.Value {
			kk := k.several("ksize", 2)
			k.several("dilate", 2)
			if !k.OK() {
				return nil
			}
			for _, d := range kk {
				if n, ok := ops.DimVal(d); ok && n%2 == 0 {
					return k.Errorf("ValueError", diag.BadValue, "shift(): the kernel's size must be odd, but is %d", n)
				}
			}
			k.let("kh", kk[0])
			k.let("kw", kk[1])
			if !k.apply("x") || !k.expect(floating, "x.ndim == 4", "x.shape[1] >= kh * kw") {
				return nil
			}
			return k.like("x")
		}, "channels moved by one pixel in different directions"),
		// embed_id: indices of any shape, with the columns of W as a further axis. Those that are
		// known must be rows of W.
		fn("embed_id", "EmbedIDFunction", "(x, W, ignore_label=None)", func(k *call) value.Value {
			if k.Has("ignore_label") {
				k.real("ignore_label")
			}
			if !k.apply("x", "W") || !k.expect("x.dtype.kind == i", "x.ndim >= 1", "W.dtype.kind == f", "W.ndim == 2") {
				return nil
			}
			if !k.Has("ignore_label") {
				k.labels("x", k.s("W")[0])
			} else if ignored, ok := value.AsInt(k.Value("ignore_label")); ok {
				k.labels("x", k.s("W")[0], ignored)
			}
			return k.out(k.d("W"), append(append(symshape.Shape(nil), k.s("x")...), k.s("W")[1])...)
		}, "rows of W by number"),
		fn("bilinear", "BilinearFunction", "(e1, e2, W, V1=None, V2=None, b=None)", func(k *call) value.Value {
			given := 0
			for _, n := range [...]string{"V1", "V2", "b"} {
				if k.Has(n) {
					given++
				}
			}
			// V1, V2 and b are given together or not at all.
			if given%3 != 0 {
				return k.Errorf("ValueError", diag.BadValue, "bilinear(): V1, V2 and b must all be given, or none of them")
			}
			// bilinear: e1 and e2 are (N, …), whose other axes count as one vector each; W is
			// (left, right, out), and the result (N, out).
			if !k.apply("e1", "e2", "W", "V1?", "V2?", "b?") || !k.expect("e1.dtype == float32", "e1.ndim >= 2", "e2.dtype == float32",
				"e2.ndim >= 2",
				"e1.shape[0] == e2.shape[0]", "W.dtype == float32", "W.ndim == 3", "prod(e1.shape[1:]) == W.shape[0]",
				"prod(e2.shape[1:]) == W.shape[1]") {
				return nil
			}
			if given > 0 && !k.expect("V1.dtype == float32", "V1.ndim == 2", "V1.shape[0] == W.shape[0]", "V1.shape[1] == W.shape[2]",
				"V2.dtype == float32", "V2.ndim == 2",
				"V2.shape[0] == W.shape[1]", "V2.shape[1] == W.shape[2]", "b.dtype == float32", "b.ndim == 1", "b.shape[0] == W.shape[2]") {
				return nil
			}
			return k.out(k.d("e1"), k.s("e1")[0], k.s("W")[2])
		}, "a bilinear form of two inputs"),
	}
}

// batched reads the number of axes that count examples, which must be positive (ValueError).
func (k *call) batched(name string) int {
	n := k.integer(name)
	if k.OK() && n <= 0 {
		k.Errorf("ValueError", diag.BadValue, "%s(): %s must be greater than 0, but is %d", k.Short(), name, n)
	}
	return n
}

// linearRule needs a floating x of at least two axes and a matrix W. The axes of x after the first
// n_batch_axes multiply to W's columns, b is a vector of W's rows in the dtype of x, and the result has
// the batch axes and W's rows. Without examples only a matrix is accepted, as the size of one is otherwise
// not decided.
func linearRule(k *call) value.Value {
	n := k.batched("n_batch_axes")
	if !k.apply("x", "W", "b?") {
		return nil
	}
	s := k.s("x")
	if !k.OK() {
		return nil
	}
	// More batch axes than there are make all axes batch axes: x is then a row of scalars.
	if n > 1 && n > len(s) {
		n = len(s)
	}
	x := k.t("x")
	batch, rest := s, symshape.Shape{}
	if len(s) >= n {
		batch, rest = s[:n], s[n:]
	}
	// With one batch axis x must be a matrix or more: Chainer's check runs on the reshaped input.
	if n == 1 && len(s) < 2 {
		k.expect(floating, "W.dtype.kind == f", "x.ndim == 2")
		return nil
	}
	if !k.expect(floating, "W.dtype.kind == f", "W.ndim == 2") {
		return nil
	}
	// What is not a batch axis is one vector of this size.
	size := k.Numel(rest)
	if z, ok := ops.DimVal(k.Numel(batch)); ok && z == 0 && len(s) != 2 {
		return k.Errorf("ValueError", diag.InvalidSize, "linear(): %s has no examples, so that the size of one is not decided", x)
	}
	if _, ok := k.Same(size, k.s("W")[1]); !ok {
		k.Blame(ops.Ref{Tensor: x, Axis: len(s) - 1}, ops.Ref{Tensor: k.t("W"), Axis: 1})
		expect := "x.shape[1] == W.shape[1]"
		if len(s) != 2 {
			expect = "prod(x.shape[" + itoa(n) + ":]) == W.shape[1]"
		}
		k.invalid(diag.ShapeMismatch, expect, size.String()+" != "+k.s("W")[1].String())
		return nil
	}
	if k.t("b") != nil && !k.expect("b.dtype == x.dtype", "b.ndim == 1", "b.shape[0] == W.shape[0]") {
		return nil
	}
	return k.out(k.d("x"), append(append(symshape.Shape(nil), batch...), k.s("W")[0])...)
}

// convOut is the size that a window leaves of size, which must be at least 1: a fault of the given
// class says otherwise. A stride of 0 and negative strides and paddings have exceptions of their
// own, from the division and from NumPy.
func (k *call) convOut(size, kernel, stride, pad, dilate symshape.Dim, coverAll bool, class string) symshape.Dim {
	if !k.OK() {
		return symshape.Dim{}
	}
	if n, ok := ops.DimVal(stride); ok && n == 0 {
		k.Errorf("ZeroDivisionError", diag.BadValue, "%s(): a stride of 0", k.Short())
		return symshape.Dim{}
	}
	if n, ok := ops.DimVal(stride); ok && n < 0 {
		k.Errorf("ValueError", diag.BadValue, "%s(): a stride of %d", k.Short(), n)
		return symshape.Dim{}
	}
	if n, ok := ops.DimVal(pad); ok && n < 0 {
		k.Errorf("ValueError", diag.BadValue, "%s(): a padding of %d", k.Short(), n)
		return symshape.Dim{}
	}
	out := k.windows(size, kernel, stride, pad, dilate, coverAll)
	if !k.AtLeast(out, 1) {
		k.Errorf(class, diag.InvalidSize,
			"%s(): the size of the output should be positive: kernel %s with dilation %s, stride %s and padding %s on size %s give %s",
			k.Short(), kernel, dilate, stride, pad, size, out)
	}
	return out
}

// windows counts the windows in size, with those that are cut at the end if coverAll:
//
//	(size + 2·pad - (kernel + (kernel-1)·(dilate-1)) [+ stride - 1]) // stride + 1
//
// It is the formula of chainer.utils.conv.get_conv_outsize; nothing is checked.
func (k *call) windows(size, kernel, stride, pad, dilate symshape.Dim, coverAll bool) symshape.Dim {
	p, one := k.P, k.Const(1)
	wide := p.DimAdd(kernel, p.DimMul(p.DimSub(kernel, one), p.DimSub(dilate, one)))
	room := p.DimSub(p.DimAdd(size, p.DimMul(k.Const(2), pad)), wide)
	if coverAll {
		room = p.DimAdd(room, p.DimSub(stride, one))
	}
	return p.DimAdd(p.DimFloorDiv(room, stride), one)
}

// spread is the size of which windows would count size: that of a transposed convolution, as
// chainer.utils.conv.get_deconv_outsize has it:
//
//	stride·(size-1) + (kernel-1)·dilate + 1 - 2·pad [- stride + 1 with coverAll]
func (k *call) spread(size, kernel, stride, pad, dilate symshape.Dim, coverAll bool) symshape.Dim {
	p, one := k.P, k.Const(1)
	wide := p.DimAdd(p.DimMul(p.DimSub(kernel, one), dilate), one)
	out := p.DimSub(p.DimAdd(p.DimMul(stride, p.DimSub(size, one)), wide), p.DimMul(k.Const(2), pad))
	if coverAll {
		out = p.DimAdd(p.DimSub(out, stride), one)
	}
	return out
}

// kept is what the slice from pad to size+pad leaves of the memory that windows are added in, whose size is
// size+2*pad+stride-1: all of size, unless the padding is negative, which counts from the end, or no stride is left.
func (k *call) kept(size, stride, pad symshape.Dim) symshape.Dim {
	s, known := ops.DimVal(stride)
	// The usual case, in which the slice has all of size.
	p, ok := ops.DimVal(pad)
	n, sized := ops.DimVal(size)
	if !k.OK() || !known || !ok || s >= 1 && p >= 0 && (!sized || n >= 0) {
		return size
	}
	if !sized {
		k.Lose("what a padding of %d leaves of the size %s is not known", p, size)
		return size
	}
	m := n + 2*p + s - 1
	if m < 0 {
		k.Errorf("ValueError", diag.InvalidSize, "%s(): negative dimensions are not allowed: %d", k.Short(), m)
		return size
	}
	// place is where NumPy's slice takes a bound of an axis of m elements to be.
	place := func(x int64) int64 {
		if x < 0 {
			x += m
		}
		return max(0, min(x, m))
	}
	return k.Const(max(0, place(n+p)-place(p)))
}

// convolution is the rule of convolutions in n dimensions; in those of the input for 0. x is (N,
// in, …) and W (out, in/groups, …), both floating; the bias is a vector of the outputs. The result
// has the dtype of x: (N, out, …) with the sizes of convOut.
func convolution(n int, transposed bool) rule {
	return func(k *call) value.Value {
		if !k.apply("x", "W", "b?") {
			return nil
		}
		s, w := k.s("x"), k.s("W")
		if !k.OK() {
			return nil
		}
		// The rule is made once and called often: n of the closure must stay as it is.
		n := n
		planar := n == 2
		switch {
		case n == 0:
			n = max(len(s)-2, 0)
		// The functions for 1 and 3 dimensions compare the number of axes themselves.
		case n != 2 && max(len(s)-2, 0) != n:
			return k.Errorf("ValueError", diag.RankMismatch, "%s(): x must have %s beside examples and channels: %s", k.Short(), ops.CountWord(n,
				"dimension"), k.t("x"))
		}
		stride, pad, dilate := k.several("stride", n), k.several("pad", n), k.several("dilate", n)
		groups := k.Const(1)
		if k.HasParam("groups") {
			groups = k.number("groups")
		}
		cover := k.HasParam("cover_all") && k.flag("cover_all")
		if !k.OK() {
			return nil
		}
		for _, d := range dilate {
			if v, ok := ops.DimVal(d); ok && v < 1 {
				return k.Errorf("ValueError", diag.BadValue, "%s(): dilate should be positive, but is %d", k.Short(), v)
			}
		}
		// Groups of 0 pass here in two dimensions, where the modulo below fails for them.
		if g, ok := ops.DimVal(groups); ok && g < 1 && !(planar && g == 0) {
			return k.Errorf("TypeError", diag.BadValue, "%s(): groups should be positive, but is %d", k.Short(), g)
		}
		// The names ndim and groups stand for numbers in the expressions that follow.
		k.let("ndim", k.Const(int64(n+2)))
		k.let("groups", groups)
		if !k.expect(floating, "W.dtype.kind == f", "x.ndim == ndim", "W.ndim == ndim") {
			return nil
		}
		if transposed {
			return k.deconvolve(n, planar, groups, stride, pad, dilate)
		}
		if !k.expect("x.shape[1] == W.shape[1] * groups") {
			return nil
		}
		if k.t("b") != nil {
			// ConvolutionND takes a bias of any floating dtype.
			same := "b.dtype == x.dtype"
			if !planar {
				same = "b.dtype.kind == f"
			}
			if !k.expect(same, "b.ndim == 1", "b.shape[0] == W.shape[0]") {
				return nil
			}
		}
		if !k.MultipleOf(w[0], groups) {
			return k.Errorf("TypeError", diag.ShapeMismatch, "%s(): the output's channels %s are no multiple of the %s groups", k.Short(), w[0],
				groups)
		}
		class := "AssertionError"
		if planar {
			class = runtimeError
		}
		out := dims(s[0], w[0])
		for i := range n {
			out = append(out, k.convOut(s[2+i], w[2+i], stride[i], pad[i], dilate[i], cover, class))
		}
		return k.out(k.d("x"), out...)
	}
}

// deconvolve is the rule of transposed convolutions over n spatial axes: x has as many channels as W has
// rows, a multiple of groups; the result has W's columns times groups. Each spatial size is what strided
// windows spread over, or that in outsize when windows of it would count x's size; it must be positive.
// The bias broadcasts to the channels.
func (k *call) deconvolve(n int, planar bool, groups symshape.Dim, stride, pad, dilate []symshape.Dim) value.Value {
	if !k.expect("x.shape[1] == W.shape[0]") {
		return nil
	}
	s, w := k.s("x"), k.s("W")
	if !k.MultipleOf(s[1], groups) {
		return k.Errorf("TypeError", diag.ShapeMismatch, "%s(): the input's channels %s are no multiple of the %s groups", k.Short(), s[1],
			groups)
	}
	out := dims(s[0], k.P.DimMul(w[1], groups))
	var outsize []value.Value
	if k.Has("outsize") {
		var ok bool
		if outsize, ok = k.sequence("outsize", k.Value("outsize")); !ok {
			return nil
		}
		if len(outsize) != n {
			class := "AssertionError"
			if planar {
				class = "ValueError"
			}
			return k.Errorf(class, diag.BadValue, "%s(): outsize must have %s, but has %d", k.Short(), ops.CountWord(n, "element"), len(outsize))
		}
	}
	// The spatial axes, each with its own parameters.
	for i := range n {
		if v, ok := ops.DimVal(stride[i]); ok && v <= 0 {
			return k.Errorf("ZeroDivisionError", diag.BadValue, "%s(): a stride of %d", k.Short(), v)
		}
		var d symshape.Dim
		if outsize != nil && outsize[i] != value.None {
			d = k.asInt("outsize", outsize[i])
			if !k.OK() {
				return nil
			}
			// A size that is asked for must be one that windows reduce to that of x, with a cut
			// last one or without.
			axis := "x.shape[" + itoa(i+2) + "]"
			k.let("lower", k.windows(d, w[2+i], stride[i], pad[i], dilate[i], false))
			k.let("upper", k.windows(d, w[2+i], stride[i], pad[i], dilate[i], true))
			if !k.expect("lower <= "+axis, axis+" <= upper") {
				return nil
			}
			// The names are for this axis alone.
			k.env = k.env[:len(k.env)-2]
		} else {
			d = k.spread(s[2+i], w[2+i], stride[i], pad[i], dilate[i], false)
		}
		if !k.AtLeast(d, 1) {
			class := "AssertionError"
			if planar {
				class = runtimeError
			}
			return k.Errorf(class, diag.InvalidSize, "%s(): the size of the output must be positive, but is %s", k.Short(), d)
		}
		out = append(out, k.kept(d, stride[i], pad[i]))
	}
	// The bias is added by broadcasting, so that one element fits any number of channels.
	if k.t("b") != nil {
		same := "b.dtype == x.dtype"
		if !planar {
			same = "b.dtype.kind == f"
		}
		if !k.expect(same, "b.ndim == 1") {
			return nil
		}
		b := k.s("b")[0]
		if _, ok := k.BroadcastDim(b, out[1]); !ok {
			return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): the bias %s does not fit %s channels", k.Short(), k.t("b"), out[1])
		}
	}
	return k.out(k.d("x"), out...)
}

// depthwiseRule has W as (multiplier, channels, height, width): each channel of x is convolved by
// multiplier kernels, so that the result has multiplier·channels channels.
func depthwiseRule(k *call) value.Value {
	if !k.apply("x", "W", "b?") {
		return nil
	}
	w := k.s("W")
	if k.OK() && len(w) != 4 {
		return k.Errorf("ValueError", diag.RankMismatch, "depthwise_convolution_2d(): W must have 4 dimensions: %s", k.t("W"))
	}
	stride, pad := k.several("stride", 2), k.several("pad", 2)
	if !k.expect(floating, "W.dtype.kind == f", "x.ndim == 4", "x.shape[1] == W.shape[1]") {
		return nil
	}
	s, channels := k.s("x"), k.P.DimMul(w[0], w[1])
	if !k.AtLeast(w[1], 1) {
		return k.Errorf("ValueError", diag.InvalidSize, "depthwise_convolution_2d(): %s has no channels", k.t("x"))
	}
	k.let("channels", channels)
	if k.t("b") != nil && !k.expect("b.dtype == x.dtype", "b.ndim == 1", "b.shape[0] == channels") {
		return nil
	}
	one := k.Const(1)
	h := k.convOut(s[2], w[2], stride[0], pad[0], one, false, runtimeError)
	wd := k.convOut(s[3], w[3], stride[1], pad[1], one, false, runtimeError)
	return k.out(k.d("x"), s[0], channels, h, wd)
}

// deformableRule is deformable_convolution_2d_sampler: the offset has two numbers for each element of the
// kernel and each position of the result, which so has the offset's size.
func deformableRule(k *call) value.Value {
	k.several("stride", 2)
	pad := k.several("pad", 2)
	if !k.apply("x", "offset", "W", "b?") {
		return nil
	}
	// The ranks are compared by unpacking shapes, before any type check.
	for _, n := range [...]string{"x", "offset", "W"} {
		if len(k.s(n)) != 4 && k.OK() {
			return k.Errorf("ValueError", diag.RankMismatch, "%s(): %s must have 4 dimensions: %s", k.Short(), n, k.t(n))
		}
	}
	s, o, w := k.s("x"), k.s("offset"), k.s("W")
	if !k.OK() {
		return nil
	}
	if _, ok := k.Same(o[1], k.P.DimMul(k.Const(2), k.P.DimMul(w[2], w[3]))); !ok {
		return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): offset %s does not match the kernel's size: W is %s", k.Short(), k.t("offset"),
			k.t("W"))
	}
	// The rule computes coordinates from the sizes of x, and divides by them.
	if z, ok := ops.DimVal(k.Numel(s)); ok && z == 0 {
		return k.Errorf("ValueError", diag.InvalidSize, "%s(): %s has no elements", k.Short(), k.t("x"))
	}
	for i, p := range pad { // places are divided by that less one
		if n, ok := ops.DimVal(k.P.DimAdd(s[2+i], k.P.DimMul(k.Const(2), p))); ok && n == 1 {
			return k.Errorf("ZeroDivisionError", diag.BadValue, "%s(): an image of one element, padding included, along axis %d", k.Short(), 2+i)
		}
	}
	if !k.expect(floating, "offset.dtype.kind == f", "W.dtype.kind == f", "offset.dtype == x.dtype", "x.shape[0] == offset.shape[0]",
		"x.shape[1] == W.shape[1]") {
		return nil
	}
	if k.t("b") != nil && !k.expect("b.dtype == x.dtype", "b.ndim == 1", "b.shape[0] == W.shape[0]") {
		return nil
	}
	return k.out(dtype.Numpy(k.d("x"), k.d("W")), s[0], w[0], o[2], o[3]) // numpy multiplies the two
}

// localRule is local_convolution_2d: W has a kernel of its own for each position, [out, rows, columns, in, kh,
// kw], so that it says how large the result is.
func localRule(k *call) value.Value {
	stride := k.several("stride", 2)
	if !k.apply("x", "W", "b?") || !k.expect(floating, "W.dtype.kind == f", "x.ndim == 4", "W.ndim == 6", "x.shape[1] == W.shape[3]") {
		return nil
	}
	if k.t("b") != nil && !k.expect("b.dtype == x.dtype", "b.ndim == 3", "b.shape == W.shape[:3]") {
		return nil
	}
	s, w := k.s("x"), k.s("W")
	if ops.IsConst(w[1], 0) || ops.IsConst(w[2], 0) { // no place, so no window is cut
		return k.out(k.d("x"), s[0], w[0], w[1], w[2])
	}
	if z, ok := ops.DimVal(k.Numel(w[3:])); ok && z == 0 {
		return k.Errorf("ValueError", diag.InvalidSize, "%s(): the windows of W %s have no elements", k.Short(), k.t("W"))
	}
	for i := range 2 { // each place must have its window
		need := k.P.DimAdd(k.P.DimMul(stride[i], k.P.DimSub(w[1+i], k.Const(1))), w[4+i])
		if !k.holds(">=", s[2+i], need) {
			return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): %s windows of %s by steps of %s need a size of %s, but x is %s", k.Short(),
				w[1+i], w[4+i], stride[i], need, k.t("x"))
		}
	}
	return k.out(k.d("x"), s[0], w[0], w[1], w[2])
}
