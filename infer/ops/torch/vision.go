package torch

// This file holds the compiled operators of torchvision (torch.ops.torchvision),
// whose checks are in its sources: csrc/ops/cpu/*.cpp. Boxes and regions are in coordinates of the
// image and play no part in shapes; what counts is how many there are.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var visionOps = [...]ops.Op{
	{Names: visionNames("nms"), Sig: "(Tensor dets, Tensor scores, float iou_threshold)", Rule: nms,
		Doc: "indices of the boxes that non-maximum suppression keeps"},
	{Names: visionNames("roi_align"),
		Sig:  "(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width, int sampling_ratio, bool aligned)",
		Rule: roiAlign, Doc: "regions resampled to one size"},
	{Names: visionNames("roi_pool"), Sig: "(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width)",
		Rule: roiPool, Trace: ops.Windows, Doc: "regions pooled to one size, and the indices of the maxima"},
	{Names: visionNames("ps_roi_align"),
		Sig:  "(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width, int sampling_ratio)",
		Rule: psRoi, Doc: "position-sensitive roi_align, and the channel of each element"},
	{Names: visionNames("ps_roi_pool"), Sig: "(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width)",
		Rule: psRoi, Trace: ops.Windows, Doc: "position-sensitive roi_pool, and the channel of each element"},
	{Names: visionNames("deform_conv2d"),
		Sig: "(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, int stride_h, int stride_w, int pad_h, int pad_w, " +
			"int dilation_h, int dilation_w, int groups, int offset_groups, bool use_mask)", Rule: deformConv,
		Doc: "convolution with learned offsets"},
}

// The operators are found under both names.
func visionNames(name string) []string {
	return []string{"torch.ops.torchvision." + name, "torchvision." + name}
}

// boxes [n, 4] and scores [n] of one dtype; the result has an int64 index for each box that is
// kept, between none and all.
func nms(c *ops.Call) value.Value {
	boxes, scores := c.Tensor("dets"), c.Tensor("scores")
	if !c.Rank(boxes, "boxes", 2) || !c.Rank(scores, "scores", 1) {
		return nil
	}
	bs := boxes.Type().Shape
	c.Blame(ops.Ref{Tensor: boxes, Axis: 1})
	if _, ok := c.Same(bs[1], c.Const(4)); !ok {
		return c.Shapef("nms: boxes must have 4 coordinates, but they are %s", boxes)
	}
	c.Blame(ops.Ref{Tensor: boxes, Axis: 0}, ops.Ref{Tensor: scores, Axis: 0})
	n, ok := c.Same(bs[0], scores.Type().Shape[0])
	if !ok {
		return c.Shapef("nms: there are %s boxes but %s scores", bs[0], scores.Type().Shape[0])
	}
	c.Blame()
	if !matchDType(c, boxes, "boxes", scores, "scores") {
		return nil
	}
	return c.Out(dtype.I64, symshape.Shape{kept(c, n)})
}

// kept is a number that data decides, at most n. The bound is that of n's range, not n itself.
func kept(c *ops.Call, n symshape.Dim) symshape.Dim {
	hi := int64(symshape.PosInf)
	if n.Expr != nil {
		_, hi = c.Th.Facts().Range(n.Expr)
	}
	if hi <= 0 {
		return c.Const(0)
	}
	return symshape.MakeDim(c.P.FreshIn("u", 0, hi))
}

// rois checks an image [N, C, H, W] and regions [K, 5]. A region has the number of its image and
// two corners. The shape that is returned is [K, C, pooled_height, pooled_width]. ok is false after
// a report.
func rois(c *ops.Call) (x, r *value.Tensor, out symshape.Shape, ok bool) {
	x, r = c.Tensor("input"), c.Tensor("rois")
	size := symshape.Shape{c.Dim("pooled_height"), c.Dim("pooled_width")}
	if !c.Rank(x, "an input", 4) || !c.Rank(r, "regions", 2) {
		return
	}
	rs := r.Type().Shape
	c.Blame(ops.Ref{Tensor: r, Axis: 1})
	if _, same := c.Same(rs[1], c.Const(5)); !same {
		c.Shapef("%s: regions must have 5 columns (image, x1, y1, x2, y2), but they are %s", c.Short(), r)
		return
	}
	c.Blame()
	if !matchDType(c, x, "the input", r, "the regions") || !needAll(c, "the pooled size", size, 1) {
		return
	}
	return x, r, symshape.Shape{rs[0], x.Type().Shape[1], size[0], size[1]}, true
}

// One region gives one image of the pooled size, with all channels.
func roiAlign(c *ops.Call) value.Value {
	x, _, out, ok := rois(c)
	if !ok {
		return nil
	}
	return c.Out(x.Type().DType, out)
}

// The second result has the places of the maxima, int32.
func roiPool(c *ops.Call) value.Value {
	x, _, out, ok := rois(c)
	if !ok {
		return nil
	}
	return value.NewTuple(c.Out(x.Type().DType, out), c.Out(dtype.I32, out))
}

// Each cell of the pooled size has channels of its own, so C must be a multiple of the number of
// cells, and the result has C / cells channels.
func psRoi(c *ops.Call) value.Value {
	x, _, out, ok := rois(c)
	if !ok {
		return nil
	}
	cells := c.P.DimMul(out[2], out[3])
	c.Blame(ops.Ref{Tensor: x, Axis: 1})
	if !c.MultipleOf(out[1], cells) {
		return c.Shapef("%s: the %s channels of the input %s are not divisible by the pooled size %s×%s", c.Short(), out[1], x, out[2], out[3])
	}
	c.Blame()
	out[1] = c.P.DimFloorDiv(out[1], cells)
	return value.NewTuple(c.Out(x.Type().DType, out), c.Out(dtype.I32, out))
}

// deformConv needs four dimensions of input, weight and offset. The input's channels are the weight's
// times groups and a multiple of offset_groups, the weight's rows a multiple of groups; offsets have two
// numbers, and a mask one, for each group, cell of the kernel and place of the output. The bias is a
// vector of the output's channels. input [N, C, H, W], weight [out, C / groups, kh, kw], offset [N,
// 2·offset_groups·kh·kw, out_h, out_w]; the result is [N, out, out_h, out_w].
func deformConv(c *ops.Call) value.Value {
	x, w, off, mask, b := c.Tensor("input"), c.Tensor("weight"), c.Tensor("offset"), c.Tensor("mask"), c.Tensor("bias")
	if !c.Rank(x, "an input", 4) || !c.Rank(w, "a weight", 4) || !c.Rank(off, "offsets", 4) {
		return nil
	}
	groups, og, useMask := c.Dim("groups"), c.Dim("offset_groups"), c.Bool("use_mask")
	if !c.OK() || !need(c, groups, 1, "deform_conv2d: groups must be positive") ||
		!need(c, og, 1, "deform_conv2d: offset_groups must be positive") {
		return nil
	}
	p, xs, ws := c.P, x.Type().Shape, w.Type().Shape
	c.Blame(ops.Ref{Tensor: x, Axis: 1}, ops.Ref{Tensor: w, Axis: 1})
	channels := p.DimMul(ws[1], groups)
	if _, ok := c.Same(xs[1], channels); !ok {
		c.Saying(c.OfSizes(diag.UnfitSize, xs[1], channels))
		return c.Shapef("deform_conv2d: input has %s channels but the weight %s expects %s (groups=%s)", xs[1], ws, channels, groups)
	}
	if !c.MultipleOf(ws[0], groups) {
		return c.Shapef("deform_conv2d: the %s output channels are not divisible by groups=%s", ws[0], groups)
	}
	if !c.MultipleOf(xs[1], og) {
		return c.Shapef("deform_conv2d: the %s channels of the input are not divisible by offset_groups=%s", xs[1], og)
	}
	c.Blame()
	// The size of the output is that of an ordinary convolution.
	var out [2]symshape.Dim
	for i, axis := range [...]string{"h", "w"} {
		stride, pad, dil := c.Dim("stride_"+axis), c.Dim("pad_"+axis), c.Dim("dilation_"+axis)
		if !need(c, stride, 1, "deform_conv2d: stride must be positive, but it is %s", stride) ||
			!need(c, pad, 0, "deform_conv2d: padding must not be negative, but it is %s", pad) ||
			!need(c, dil, 1, "deform_conv2d: dilation must be positive, but it is %s", dil) {
			return nil
		}
		s := windowSpan(c, xs[2+i], twice(c, pad), dil, ws[2+i])
		c.Blame(ops.Ref{Tensor: x, Axis: 2 + i}, ops.Ref{Tensor: w, Axis: 2 + i})
		if !need(c, s, 0, "deform_conv2d: the kernel (size %s, dilation %s) is larger than the padded input %s in dimension %d", ws[2+i], dil,
			x, 2+i) {
			return nil
		}
		out[i] = windows(c, s, stride)
	}
	c.Blame()
	cells := p.DimMul(og, p.DimMul(ws[2], ws[3]))
	want := symshape.Shape{xs[0], twice(c, cells), out[0], out[1]}
	if !fitsExactly(c, off, want) {
		return c.Shapef("deform_conv2d: offset must have shape %s, but it is %s", want, off)
	}
	if useMask && mask != nil {
		if want[1] = cells; mask.Type().Ranked && !fitsExactly(c, mask, want) {
			return c.Shapef("deform_conv2d: mask must have shape %s, but it is %s", want, mask)
		}
	}
	if !vector(c, b, "the bias", ws[0], ops.Ref{Tensor: w, Axis: 0}, "the number of output channels is") {
		return nil
	}
	return c.Out(x.Type().DType, symshape.Shape{xs[0], ws[0], out[0], out[1]})
}
