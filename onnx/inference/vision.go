package inference

// This file holds detection and the reading of images.

import "shapecheck/onnx"

var visionOps = [...]op{
	{"NonMaxSuppression", nonMaxSuppression, nil},
	{"ImageDecoder", imageDecoder, nil},
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
	if c.a.String("pixel_format") == "Grayscale" {
		channels = 1
	}
	if !c.failed {
		c.out(0, onnx.Uint8, []expr{nil, nil, c.pool().Const(channels)})
	}
}
