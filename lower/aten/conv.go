package aten

// This file lowers convolutions.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var convRecords = []Record{
	{Op: "torch.nn.functional.conv1d", Lower: conv(1)},
	{Op: "torch.nn.functional.conv2d", Lower: conv(2)},
	{Op: "torch.nn.functional.conv3d", Lower: conv(3)},
	{Op: "torch.nn.functional.conv_transpose1d", Lower: convTranspose(1)},
	{Op: "torch.nn.functional.conv_transpose2d", Lower: convTranspose(2)},
	{Op: "torch.nn.functional.conv_transpose3d", Lower: convTranspose(3)},
	{Op: "torch.convolution torch._convolution", Lower: func(c *Call) {
		n := c.Rank("weight") - 2
		if c.Bool("transposed") {
			convTranspose(n)(c)
			return
		}
		conv(n)(c)
	}},
	{Op: "torch.nn.functional.conv_tbc", Lower: func(c *Call) { // length, batch, channels
		e := c.emit
		if emptyShape(c.Type("weight")) { // sums of nothing: only the bias is left
			c.Return(e.Op("Expand", In(c.Operand("bias", c.OutDType(0)), c.ShapeTensor(c.OutType(0).Shape))))
			return
		}
		pad := c.Int("pad")
		x, w, b := c.convInputs()
		y := e.Op("Conv", In(e.Transpose(x, 1, 2, 0), e.Transpose(w, 2, 1, 0), b), onnx.IntsAttr("pads", pad, pad))
		c.Return(e.Transpose(y, 2, 0, 1))
	}},
}

// conv lowers a convolution over n spatial dimensions. An input without a batch
// gets one of size 1.
func conv(n int) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x, w, b := c.convInputs()
		single := c.Rank("input") == n+1
		if single {
			x = e.Unsqueeze(x, 0)
		}
		attrs := []*onnx.Attr{
			c.IntsAttr("strides", "stride", n), c.IntsAttr("dilations", "dilation", n), c.IntAttr("group", "groups"), c.pads("padding", n),
		}
		y := e.Op("Conv", In(x, w, b), attrs...)
		if single {
			y = e.Squeeze(y, 0)
		}
		c.Return(y)
	}
}

// convTranspose lowers a transposed convolution over n spatial dimensions.
func convTranspose(n int) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x, w, b := c.convInputs()
		single := c.Rank("input") == n+1
		if single {
			x = e.Unsqueeze(x, 0)
		}
		attrs := append(c.outputPadding(n), c.IntsAttr("strides", "stride", n), c.IntsAttr("dilations", "dilation", n),
			c.IntAttr("group", "groups"))
		y := e.Op("ConvTranspose", In(x, w, b), attrs...)
		if single {
			y = e.Squeeze(y, 0)
		}
		c.Return(y)
	}
}

// convInputs are the operands of a convolution.
func (c *Call) convInputs() (x, w, b V) {
	if !isFloat(c.DType("input")) {
		failf("ONNX has convolutions of floats only")
	}
	x = c.Tensor("input")
	return x, c.emit.Cast(c.Tensor("weight"), x.DType), c.emit.Cast(c.Opt("bias"), x.DType) // other types pass where the batch is empty
}

// outputPadding are the pads and the output padding of a transposed convolution.
// An output padding of a stride or more, which runtimes refuse, first takes away
// from the padding at the end.
func (c *Call) outputPadding(n int) []*onnx.Attr {
	pad, more, stride := c.Ints("padding", n), c.Ints("output_padding", n), c.Ints("stride", n)
	far := false
	for i := range n {
		far = far || more[i] >= stride[i]
	}
	if !far {
		return []*onnx.Attr{c.pads("padding", n), c.IntsAttr("output_padding", "output_padding", n)}
	}
	end := make([]int64, n)
	for i := range n {
		less := min(pad[i], more[i])
		end[i] = pad[i] - less
		if more[i] -= less; more[i] >= stride[i] && more[i] > 0 {
			failf("an output padding of a stride or more beyond the padding")
		}
	}
	return []*onnx.Attr{onnx.IntsAttr("pads", append(slices.Clone(pad), end...)...), onnx.IntsAttr("output_padding", more...)}
}

// pads makes the attribute pads of a padding argument: the padding of each
// spatial dimension, twice; or a word. "same" puts the odd element at the end.
func (c *Call) pads(arg string, n int) *onnx.Attr {
	if s, ok := c.Arg(arg).(graph.Str); ok {
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
