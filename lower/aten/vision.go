package aten

// This file lowers the operators of torchvision.

import "shapecheck/onnx"

var visionRecords = []Record{
	{Op: "torch.ops.torchvision.nms", Lower: func(c *Call) { // one batch, one class; the result is (batch, class, box)
		boxes, scores := c.Cast(c.Tensor("dets"), onnx.Float), c.Cast(c.Tensor("scores"), onnx.Float)
		limit := c.Scalar(onnx.Float, c.Float("iou_threshold"))
		found := c.Op("NonMaxSuppression", In(c.Unsqueeze(boxes, 0), c.Unsqueeze(scores, 0, 1), c.SizeOf("dets", 0), limit))
		c.Return(c.Squeeze(c.Slice(found, 1, 2, 3, 1), 1))
	}},
	{Op: "torch.ops.torchvision.roi_align", Lower: roiAlign},
	{Op: "torch.ops.torchvision.deform_conv2d", Lower: deformConv},
	{Op: "torch.ops.torchvision.roi_pool", None: "ONNX's MaxRoiPool does not give the places of the maxima"},
	{Op: "torch.ops.torchvision.ps_roi_align torch.ops.torchvision.ps_roi_pool",
		None: "ONNX has no pooling of regions that depends on the channel"},
}

// roiAlign: the rows of rois are (batch, x1, y1, x2, y2).
func roiAlign(c *Call) {
	mode := "output_half_pixel"
	if c.Bool("aligned") {
		mode = "half_pixel"
	}
	rois := c.Tensor("rois")
	batch := c.Cast(c.Squeeze(c.Slice(rois, 1, 0, 1, 1), 1), onnx.Int64)
	c.Return(c.Op("RoiAlign", In(c.first(), c.Slice(rois, 1, 1, 5, 1), batch),
		c.IntAttr("output_height", "pooled_height"), c.IntAttr("output_width", "pooled_width"), c.FloatAttr("spatial_scale", "spatial_scale"),
		onnx.IntAttr("sampling_ratio", max(c.Int("sampling_ratio"), 0)), onnx.StringAttr("mode", "avg"),
		onnx.StringAttr("coordinate_transformation_mode", mode)))
}

func deformConv(c *Call) {
	if c.Opset < 19 {
		c.Failf("DeformConv needs opset 19")
	}
	mask := V{}
	if c.Bool("use_mask") {
		mask = c.Tensor("mask")
	}
	pads := []int64{c.Int("pad_h"), c.Int("pad_w"), c.Int("pad_h"), c.Int("pad_w")}
	c.Return(c.Op("DeformConv", In(c.Tensor("input"), c.Tensor("weight"), c.Tensor("offset"), c.Tensor("bias"), mask),
		onnx.IntsAttr("strides", c.Int("stride_h"), c.Int("stride_w")), onnx.IntsAttr("pads", pads...),
		onnx.IntsAttr("dilations", c.Int("dilation_h"), c.Int("dilation_w")), c.IntAttr("group", "groups"),
		c.IntAttr("offset_group", "offset_groups")))
}
