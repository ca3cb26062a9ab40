package eval

// This file computes functions of one tensor, element by element.

import (
	"math"

	"shapecheck/onnx"
)

// floats is a kernel of a function of floats.
func floats(f func(x float64) float64) kernel {
	return func(c *call) []Value { return []Value{c.mapped(f)} }
}

func (c *call) mapped(f func(x float64) float64) *Tensor {
	x := c.floatArg(0)
	out := c.like(x, x.DType)
	for i, v := range x.F {
		out.F[i] = f(v)
	}
	return out
}

// numbers is a kernel of floats and integers.
func numbers(f func(x float64) float64, g func(d onnx.DType, x int64) int64) kernel {
	return func(c *call) []Value {
		x := c.arg(0)
		if x.F == nil && x.I == nil || x.F != nil && f == nil {
			c.failf("elements of type %s", x.DType)
		}
		out := c.like(x, x.DType)
		for i, v := range x.F {
			out.F[i] = f(v)
		}
		for i, v := range x.I {
			out.I[i] = g(x.DType, v)
		}
		return []Value{out}
	}
}

// test is a kernel that asks each float something.
func test(f func(c *call) func(x float64) bool) kernel {
	return func(c *call) []Value {
		x := c.floatArg(0)
		out := c.like(x, onnx.Bool)
		ask := f(c)
		for i, v := range x.F {
			out.I[i] = boolOf(ask(v))
		}
		return []Value{out}
	}
}

func isNaN(*call) func(x float64) bool { return math.IsNaN }

func isInf(c *call) func(x float64) bool {
	positive, negative := c.int("detect_positive") != 0, c.int("detect_negative") != 0
	return func(x float64) bool {
		return math.IsInf(x, 1) && positive || math.IsInf(x, -1) && negative
	}
}

// sign keeps NaN and zeros.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

func absInt(d onnx.DType, x int64) int64 {
	if lessInt(d, x, 0) {
		return -x
	}
	return x
}

func signInt(d onnx.DType, x int64) int64 { return boolOf(lessInt(d, 0, x)) - boolOf(lessInt(d, x, 0)) }

func identity(c *call) []Value {
	if len(c.ins) != 1 {
		c.failf("%d inputs", len(c.ins))
	}
	return []Value{c.ins[0]}
}
