package inference

// This file holds detection and the reading of images.

import "shapecheck/internal/onnx"

var visionOps = [...]op{
	{"NonMaxSuppression", 10, 1, [2]int{2, 5}, one, nonMaxSuppression, nil},
	{"ImageDecoder", 20, 1, one, one, imageDecoder, nil},
}

// nonMaxSuppression gives a triple of indices for each box that is kept.
func nonMaxSuppression(c *call) {
	c.ranked(0, 3)
	c.ranked(1, 3)
	if !c.failed {
		c.out(0, onnx.Int64, []expr{nil, c.pool().Const(3)})
	}
}

// imageDecoder gives height, width and channels.
func imageDecoder(c *call) {
	c.ranked(0, 1)
	channels := int64(3)
	switch s := c.attrString("pixel_format", "RGB"); s {
	case "RGB", "BGR":
	case "Grayscale":
		channels = 1
	default:
		c.errorf("pixel_format is %q; expected RGB, BGR or Grayscale", s)
	}
	if !c.failed {
		c.out(0, onnx.Uint8, []expr{nil, nil, c.pool().Const(channels)})
	}
}
