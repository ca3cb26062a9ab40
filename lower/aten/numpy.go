package aten

// This file lowers what NumPy does in models: arrays that are made of numbers and sizes, and their arithmetic.

import (
	"shapecheck/infer/graph"
	"shapecheck/internal/onnx"
)

const ndarray = "numpy.ndarray."

var numpyRecords = []Record{
	{Op: "numpy.zeros numpy.zeros_like", Lower: numpyFilled(0)},
	{Op: "numpy.ones numpy.ones_like", Lower: numpyFilled(1)},
	{Op: "numpy.array", Lower: numpyArray("object")},
	{Op: "numpy.asarray", Lower: numpyArray("a")},
	{Op: "numpy.arange", Lower: func(c *Call) { c.Return(c.steps("start", "step", c.OutDType(0))) }},
	{Op: ndarray + "__add__", Lower: numpyPair("Add", false)},
	{Op: ndarray + "__radd__", Lower: numpyPair("Add", true)},
	{Op: ndarray + "__sub__", Lower: numpyPair("Sub", false)},
	{Op: ndarray + "__rsub__", Lower: numpyPair("Sub", true)},
	{Op: ndarray + "__mul__", Lower: numpyPair("Mul", false)},
	{Op: ndarray + "__rmul__", Lower: numpyPair("Mul", true)},
	{Op: ndarray + "__truediv__", Lower: numpyPair("Div", false)},
	{Op: ndarray + "__rtruediv__", Lower: numpyPair("Div", true)},
}

// numpyFilled makes an array of one number.
func numpyFilled(f float64) func(c *Call) {
	return func(c *Call) {
		c.OutRank(0)
		c.Return(c.filled(c.ShapeTensor(c.OutType(0).Shape), c.OutDType(0), f))
	}
}

// numpyArray makes an array of data: numbers, arrays, and lists of them. More axes than the data has stand in front.
func numpyArray(name string) func(c *Call) {
	return func(c *Call) {
		c.OutRank(0)
		y := c.data(c.Arg(name), c.OutDType(0))
		if n, ok := ConstInt(c.Arg("ndmin")); ok && n > 1 {
			y = c.Reshape(y, nil, c.OutType(0).Shape)
		}
		c.Return(y)
	}
}

// numpyPair computes with both operands in the result's type, which is NumPy's: integers wrap around in both.
func numpyPair(op string, swap bool) func(c *Call) {
	return func(c *Call) {
		d := c.OutDType(0)
		if d == onnx.Bool {
			c.Failf("of bools it is a logical function")
		}
		operand := func(name string) V {
			switch c.Arg(name).(type) {
			case graph.List, graph.Tuple:
				return c.data(c.Arg(name), d)
			}
			return c.Operand(name, d)
		}
		x, y := operand("x1"), operand("x2")
		if swap {
			x, y = y, x
		}
		c.Return(c.Op(op, In(x, y)))
	}
}
