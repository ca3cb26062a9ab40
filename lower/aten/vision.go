package aten

// This file lowers the operators of torchvision.

import "shapecheck/onnx"

var visionRecords = []Record{
	{Op: "torch.ops.torchvision.nms", Lower: func(c *Call) { // one batch, one class; the result is (batch, class, box)
		e := c.emit
		boxes, scores := e.Cast(c.Tensor("dets"), onnx.Float), e.Cast(c.Tensor("scores"), onnx.Float)
		limit := e.Scalar(onnx.Float, c.Float("iou_threshold"))
		found := e.Op("NonMaxSuppression", In(e.Unsqueeze(boxes, 0), e.Unsqueeze(scores, 0, 1), c.SizeOf("dets", 0), limit))
		c.Return(e.Squeeze(e.Slice(found, 1, 2, 3, 1), 1))
	}},
	{Op: "torch.ops.torchvision.roi_align", Lower: roiAlign},
	{Op: "torch.ops.torchvision.deform_conv2d", Lower: deformConv},
	{Op: "torch.ops.torchvision.roi_pool", None: "ONNX's MaxRoiPool does not give the places of the maxima"},
	{Op: "torch.ops.torchvision.ps_roi_align torch.ops.torchvision.ps_roi_pool",
		None: "ONNX has no pooling of regions that depends on the channel"},
}

// roiAlign: the rows of rois are (batch, x1, y1, x2, y2).
func roiAlign(c *Call) {
	e := c.emit
	mode := "output_half_pixel"
	if c.Bool("aligned") {
		mode = "half_pixel"
	}
	rois := c.Tensor("rois")
	batch := e.Cast(e.Squeeze(e.Slice(rois, 1, 0, 1, 1), 1), onnx.Int64)
	c.Return(e.Op("RoiAlign", In(c.first(), e.Slice(rois, 1, 1, 5, 1), batch),
		c.IntAttr("output_height", "pooled_height"), c.IntAttr("output_width", "pooled_width"), c.FloatAttr("spatial_scale", "spatial_scale"),
		onnx.IntAttr("sampling_ratio", max(c.Int("sampling_ratio"), 0)), onnx.StringAttr("mode", "avg"),
		onnx.StringAttr("coordinate_transformation_mode", mode)))
}

func deformConv(c *Call) {
	if c.emit.Opset < 19 {
		failf("DeformConv needs opset 19")
	}
	mask := V{}
	if c.Bool("use_mask") {
		mask = c.Tensor("mask")
	}
	pads := []int64{c.Int("pad_h"), c.Int("pad_w"), c.Int("pad_h"), c.Int("pad_w")}
	c.Return(c.emit.Op("DeformConv", In(c.Tensor("input"), c.Tensor("weight"), c.Tensor("offset"), c.Tensor("bias"), mask),
		onnx.IntsAttr("strides", c.Int("stride_h"), c.Int("stride_w")), onnx.IntsAttr("pads", pads...),
		onnx.IntsAttr("dilations", c.Int("dilation_h"), c.Int("dilation_w")), c.IntAttr("group", "groups"),
		c.IntAttr("offset_group", "offset_groups")))
}
