package aten

// This file lowers convolutions.

import (
	"slices"

	"shapecheck/internal/onnx"
)

var convRecords = []Record{
	{Op: "torch.nn.functional.conv1d", Lower: conv(1)},
	{Op: "torch.nn.functional.conv2d", Lower: conv(2)},
	{Op: "torch.nn.functional.conv3d", Lower: conv(3)},
}

// conv lowers a convolution over n spatial dimensions. An input without a batch
// gets one of size 1.
func conv(n int) func(c *Call) {
	return func(c *Call) {
		x, w, b := c.Tensor("input"), c.Tensor("weight"), c.Opt("bias")
		single := c.Rank("input") == n+1
		if single {
			x = c.Unsqueeze(x, 0)
		}
		attrs := []*onnx.Attr{
			c.IntsAttr("strides", "stride", n), c.IntsAttr("dilations", "dilation", n), c.IntAttr("group", "groups"), c.pads("padding", n),
		}
		y := c.Op("Conv", In(x, w, b), attrs...)
		if single {
			y = c.Squeeze(y, 0)
		}
		c.Return(y)
	}
}

// pads makes the attribute pads of a padding argument: the padding of each
// spatial dimension, twice; or a word. "same" puts the odd element at the end.
func (c *Call) pads(arg string, n int) *onnx.Attr {
	if s, ok := c.Arg(arg).(string); ok {
		if s == "valid" {
			return onnx.IntsAttr("pads", make([]int64, 2*n)...)
		}
		begin, end := make([]int64, n), make([]int64, n)
		dilation := c.Ints("dilation", n)
		for i := range n {
			total := dilation[i] * (c.ConstDim("weight", int64(i+2)) - 1)
			begin[i] = total / 2
			end[i] = total - total/2
		}
		return onnx.IntsAttr("pads", append(begin, end...)...)
	}
	p := c.Ints(arg, n)
	return onnx.IntsAttr("pads", append(slices.Clone(p), p...)...)
}
