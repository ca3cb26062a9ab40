package aten

// This file lowers functions of one element.

import "shapecheck/onnx"

var pointwiseRecords = []Record{
	{Op: "torch.neg", Lower: func(c *Call) { // of unsigned integers it wraps around
		e := c.emit
		x := c.first()
		c.Return(e.Cast(e.neg(e.Cast(x, workType(x.DType))), x.DType))
	}},
	{Op: "torch.sigmoid", Lower: floatUnary("Sigmoid")},
	{Op: "torch.tanh", Lower: floatUnary("Tanh")},
	{Op: "torch.exp", Lower: floatUnary("Exp")},
}

// floatUnary lowers to one operator, also for functions that make floats of integers.
func floatUnary(op string, attrs ...*onnx.Attr) func(c *Call) {
	return func(c *Call) {
		c.Return(c.emit.Op(op, In(c.emit.Cast(c.Tensor(c.Node.Args[0].Name), c.OutDType(0))), attrs...))
	}
}
