package chainer

// This file holds pooling, unpooling and the pooling of regions. Windows are counted as in
// connection.go. With cover_all, the default of maxima, a window may reach beyond the end, so that
// the result may be one larger than that of other libraries.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// poolings lists pooling, unpooling and regions. roi_pooling_2d needs images with four axes and regions as
// rows of five numbers of the same dtype; its result has one image of the output size for each region.
func poolings() []ops.Op {
	const maxSig = "(x, ksize, stride=None, pad=0, cover_all=True, return_indices=False)"
	const avgSig = "(x, ksize, stride=None, pad=0, pad_value=0)"
	const unSig = "(x, ksize, stride=None, pad=0, outsize=None, cover_all=True)"
	return []ops.Op{
		fn("max_pooling_1d", "MaxPoolingND", maxSig, pooling(1, true), "the largest element of each window"),
		fn("max_pooling_2d", "MaxPoolingND", maxSig, pooling(2, true), "the largest element of each window"),
		fn("max_pooling_3d", "MaxPoolingND", maxSig, pooling(3, true), "the largest element of each window"),
		fn("max_pooling_nd", "MaxPoolingND", maxSig, pooling(0, true), "the largest element of each window"),
		fn("average_pooling_1d", "AveragePoolingND", avgSig, pooling(1, false), "the mean of each window"),
		fn("average_pooling_2d", "AveragePooling2D", "(x, ksize, stride=None, pad=0)", pooling(2, false), "the mean of each window"),
		fn("average_pooling_3d", "AveragePoolingND", avgSig, pooling(3, false), "the mean of each window"),
		fn("average_pooling_nd", "AveragePoolingND", avgSig, pooling(0, false), "the mean of each window"),
		fn("unpooling_1d", "UnpoolingND", unSig, unpooling(1), "each element repeated over a window"),
		fn("unpooling_2d", "Unpooling2D", unSig, unpooling(2), "each element repeated over a window"),
		fn("unpooling_3d", "UnpoolingND", unSig, unpooling(3), "each element repeated over a window"),
		fn("unpooling_nd", "UnpoolingND", unSig, unpooling(0), "each element repeated over a window"),
		fn("upsampling_2d", "Upsampling2D|Upsampling2D*", "(x, indexes, ksize, stride=None, pad=0, outsize=None, cover_all=True)", unpooling(2),
			"each element where max pooling took it"),
		// A region is (image, x1, y1, x2, y2), in the dtype of the image.
		fn("roi_pooling_2d", "ROIPooling2D", "(x, rois, outh, outw, spatial_scale)", func(k *call) value.Value {
			if !k.apply("x", "rois") || !k.expect(floating, "x.ndim == 4", "x.dtype == rois.dtype", "rois.ndim == 2", "rois.shape[1] == 5") {
				return nil
			}
			h, w := k.number("outh"), k.number("outw")
			k.real("spatial_scale")
			for _, d := range dims(h, w) {
				if n, ok := ops.DimVal(d); k.OK() && ok && n < 0 {
					return k.Errorf("ValueError", diag.InvalidSize, "roi_pooling_2d(): a size of %d", n)
				}
			}
			rows, ok := ops.DimVal(k.s("rois")[0])
			if k.OK() && ok && rows > 0 && (ops.IsConst(h, 0) || ops.IsConst(w, 0)) { // what a region is divided by
				return k.Errorf("ZeroDivisionError", diag.InvalidSize, "roi_pooling_2d(): a size of 0")
			}
			for _, d := range k.s("x")[:2] {
				if n, known := ops.DimVal(d); known && n == 0 && (!ok || rows > 0) && k.OK() {
					return k.Errorf("IndexError", diag.BadIndex, "roi_pooling_2d(): there is nothing to pool in %s", k.t("x"))
				}
			}
			return k.out(k.d("x"), k.s("rois")[0], k.s("x")[1], h, w)
		}, "regions pooled to one size"),
		regions("roi_max_pooling_2d", "ROIMaxPooling2D", ")"), regions("roi_average_pooling_2d", "ROIAveragePooling2D", ")"),
		regions("roi_max_align_2d", "ROIMaxAlign2D", ", sampling_ratio=None)"), regions("roi_average_align_2d", "ROIAverageAlign2D",
			", sampling_ratio=None)"),
	}
}

// planes gives the number of dimensions that pooling works in: n, or for 0 those of the input, at
// least one. An input of another rank is a ValueError, except where the type check says it.
func (k *call) planes(n int) int {
	s := k.s("x")
	if !k.OK() {
		return 0
	}
	have := max(len(s)-2, 0)
	switch {
	case n == 0:
		n = have
	case n != have && k.Short() != "average_pooling_2d" && k.Short() != "unpooling_2d" && k.Short() != "upsampling_2d":
		k.Errorf("ValueError", diag.RankMismatch, "%s(): x must have %s beside examples and channels: %s", k.Short(),
			ops.CountWord(n, "dimension"),
			k.t("x"))
	}
	if n == 0 && k.OK() {
		k.Errorf("ValueError", diag.RankMismatch, "%s(): pooling needs at least one spatial dimension: %s", k.Short(), k.t("x"))
	}
	return n
}

// window reads ksize, stride and pad, each a number for all axes or one for each; no stride is that
// of the kernel.
func (k *call) window(n int) (kernel, stride, pad []symshape.Dim) {
	kernel, pad = k.several("ksize", n), k.several("pad", n)
	stride = kernel
	if k.Has("stride") {
		stride = k.several("stride", n)
	}
	return kernel, stride, pad
}

// pooling returns the rule of pooling over n spatial axes, with 0 over all after the second. The input is
// floating, with elements (except in average_pooling_2d), and the kernel not negative, for maxima
// positive. Each spatial size counts the windows; return_indices adds an int64 array of the same shape.
func pooling(n int, largest bool) rule {
	return func(k *call) value.Value {
		if !k.apply("x") {
			return nil
		}
		n := k.planes(n)
		if !k.OK() {
			return nil
		}
		kernel, stride, pad := k.window(n)
		if k.HasParam("pad_value") && k.Has("pad_value") {
			if v, known := k.Float("pad_value"); known && v != 0 || !isNumber(k.Value("pad_value")) {
				return k.Errorf("ValueError", diag.BadValue, "%s(): pad_value must be 0 or None", k.Short())
			}
		}
		k.let("ndim", k.Const(int64(n+2)))
		if !k.expect(floating, "x.ndim == ndim") {
			return nil
		}
		s := k.s("x")
		// Of nothing the largest element does not exist.
		if k.Short() != "average_pooling_2d" {
			if !k.expect("x.size > 0") {
				return nil
			}
		}
		out := dims(s[0], s[1])
		for i := range n {
			if v, ok := ops.DimVal(kernel[i]); k.OK() && ok && (v < 0 || v == 0 && largest) {
				return k.Errorf("ValueError", diag.InvalidSize, "%s(): a kernel of %d", k.Short(), v)
			}
			out = append(out, k.convOut(s[2+i], kernel[i], stride[i], pad[i], k.Const(1), largest && k.flag("cover_all"), "AssertionError"))
		}
		v := k.out(k.d("x"), out...)
		if largest && k.flag("return_indices") && k.OK() {
			idx := k.Out(dtype.I64, out)
			idx.Class = k.NDArray()
			return value.NewTuple(v, idx)
		}
		return v
	}
}

// unpooling returns the rule that reverses pooling over n spatial axes. indexes have the shape of x and
// count in a window; outsize has a size for each axis, whose windows must count the size of x. Without it
// each size is what the windows spread over.
func unpooling(n int) rule {
	return func(k *call) value.Value {
		indexed := k.HasParam("indexes")
		if !k.apply("x") || indexed && !k.apply("indexes") {
			return nil
		}
		n := k.planes(n)
		kernel, stride, pad := k.window(n)
		cover := k.flag("cover_all")
		k.let("ndim", k.Const(int64(n+2)))
		if !k.expect(floating, "x.ndim == ndim") || indexed && !k.expect("x.shape == indexes.shape") {
			return nil
		}
		// An index counts in its window.
		if indexed {
			k.labels("indexes", k.P.DimMul(kernel[0], kernel[1]))
		}
		var outsize []symshape.Dim
		if k.Has("outsize") {
			if !ops.IsSequence(k.Value("outsize")) {
				return k.Errorf("TypeError", diag.TypeMismatch, "%s(): outsize must be a tuple, not %s", k.Short(), ops.TypeName(k.Value("outsize")))
			}
			// None in outsize is allowed for two dimensions only.
			if list, ok := k.sequence("outsize", k.Value("outsize")); ok && k.Short() == "unpooling_2d" &&
				slices.Contains(list, value.Value(value.None)) {
				if len(list) != n {
					return k.Errorf("ValueError", diag.BadValue, "%s(): outsize must have %s, but has %d", k.Short(), ops.CountWord(n, "element"),
						len(list))
				}
				outsize = make([]symshape.Dim, n) // None is the size that there is without it
				for i, e := range list {
					if e != value.None {
						outsize[i] = k.asInt("outsize", e)
					}
				}
			} else {
				outsize = k.several("outsize", n)
			}
		}
		s, one := k.s("x"), k.Const(1)
		if !k.OK() {
			return nil
		}
		out := dims(s[0], s[1])
		for i := range n {
			planar := k.Short() == "unpooling_2d" || indexed
			if v, ok := ops.DimVal(stride[i]); ok && v == 0 && (planar || outsize != nil) {
				return k.Errorf("ZeroDivisionError", diag.BadValue, "%s(): a stride of 0", k.Short())
			} else if w, known := ops.DimVal(kernel[i]); ok && v == 0 && (!known || w > 0) {
				return k.Errorf("ValueError", diag.BadValue, "%s(): a stride of 0", k.Short())
			}
			if p, ok := ops.DimVal(pad[i]); indexed && ok && p < 0 {
				return k.Errorf("ValueError", diag.BadValue, "%s(): a padding of %d", k.Short(), p)
			}
			if outsize == nil || outsize[i] == (symshape.Dim{}) {
				d := k.spread(s[2+i], kernel[i], stride[i], pad[i], one, cover)
				if _, known := ops.DimVal(d); (planar || !known) && !k.AtLeast(d, 0) { // others take what the memory has
					return k.Errorf("ValueError", diag.InvalidSize, "%s(): the size of the output is %s", k.Short(), d)
				}
				out = append(out, k.kept(d, stride[i], pad[i]))
				continue
			}
			// The windows of the size that is asked for must be the elements of x.
			k.let("expected", k.windows(outsize[i], kernel[i], stride[i], pad[i], one, cover))
			if !k.expect("x.shape[" + itoa(i+2) + "] == expected") {
				return nil
			}
			k.env = k.env[:len(k.env)-1]
			out = append(out, k.kept(outsize[i], stride[i], pad[i]))
		}
		return k.out(k.d("x"), out...)
	}
}

// regions makes the record of the pooling of regions with their own image numbers: rois is (N, 4)
// and roi_indices (N). The result has an image of outsize for each region. more is the rest of the
// signature.
func regions(name, label, more string) ops.Op {
	return fn(name, label, "(x, rois, roi_indices, outsize, spatial_scale"+more, func(k *call) value.Value {
		to := k.several("outsize", 2)
		for _, d := range to {
			if n, ok := ops.DimVal(d); k.OK() && ok && n <= 0 {
				return k.Errorf("TypeError", diag.BadValue, "%s(): outsize must be positive, but is %d", name, n)
			}
		}
		k.real("spatial_scale")
		if f, known := k.Float("spatial_scale"); k.OK() && known && f <= 0 {
			return k.Errorf("TypeError", diag.BadValue, "%s(): spatial_scale must be positive, but is %v", name, f)
		}
		aligned := k.HasParam("sampling_ratio")
		// The number of samples in each direction, None for what Chainer chooses.
		if aligned && k.Has("sampling_ratio") {
			v := k.Value("sampling_ratio")
			list := []value.Value{v}
			if ops.IsSequence(v) {
				list, _ = k.sequence("sampling_ratio", v)
				if len(list) != 2 {
					return k.Errorf("TypeError", diag.BadValue, "%s(): sampling_ratio must be an int or a pair of ints", name)
				}
			}
			for _, e := range list {
				if e == value.None {
					continue
				}
				if n, ok := ops.DimVal(k.asInt("sampling_ratio", e)); k.OK() && ok && n < 1 {
					return k.Errorf("TypeError", diag.BadValue, "%s(): sampling_ratio must be at least 1, but is %d", name, n)
				}
			}
		}
		if !k.apply("x", "rois", "roi_indices") {
			return nil
		}
		kinds := []string{floating, "x.ndim == 4", "x.dtype == rois.dtype"}
		if aligned {
			kinds = []string{"x.dtype == float32", "x.ndim == 4", "rois.dtype == float32"}
		}
		if !k.expect(kinds...) || !k.expect("rois.ndim == 2", "rois.shape[1] == 4", "roi_indices.dtype == int32", "roi_indices.ndim == 1",
			"rois.shape[0] == roi_indices.shape[0]") {
			return nil
		}
		if aligned { // the others look only at regions that are not empty
			k.labels("roi_indices", k.s("x")[0])
		}
		return k.out(k.d("x"), k.s("rois")[0], k.s("x")[1], to[0], to[1])
	}, "regions of images pooled to one size")
}
