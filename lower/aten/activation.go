package aten

// This file lowers activation functions.

import (
	"math"

	"shapecheck/onnx"
)

var activationRecords = []Record{
	{Op: "torch.relu torch.nn.functional.relu", Lower: relu},
	{Op: "torch.nn.functional.relu6", Lower: func(c *Call) { c.Return(c.clip(c.first(), 0, 6)) }},
	{Op: "torch.nn.functional.hardtanh", Lower: func(c *Call) {
		c.Return(c.clip(c.first(), c.Float("min_val"), c.Float("max_val")))
	}},
	{Op: "torch.nn.functional.threshold torch.threshold", Lower: threshold},
	{Op: "torch.nn.functional.hardswish", Lower: func(c *Call) { x := c.first(); c.Return(c.mul(x, c.hardsigmoid(x))) }},
	{Op: "torch.nn.functional.hardsigmoid", Lower: func(c *Call) { c.Return(c.hardsigmoid(c.first())) }},
	{Op: "torch.nn.functional.silu", Lower: func(c *Call) { x := c.first(); c.Return(c.mul(x, c.Op("Sigmoid", In(x)))) }},
	{Op: "torch.nn.functional.mish", Lower: func(c *Call) {
		x := c.first()
		c.Return(c.mul(x, c.Op("Tanh", In(c.Op("Softplus", In(x))))))
	}},
	{Op: "torch.nn.functional.elu", Lower: func(c *Call) { c.Return(c.Op("Elu", In(c.first()), c.FloatAttr("alpha", "alpha"))) }},
	{Op: "torch.nn.functional.celu torch.celu", Lower: func(c *Call) {
		c.Return(c.elu(c.first(), c.Float("alpha"), c.Float("alpha")))
	}},
	{Op: "torch.nn.functional.selu torch.selu", Lower: func(c *Call) { c.Return(c.Op("Selu", In(c.first()))) }},
	{Op: "torch.nn.functional.gelu", Lower: gelu},
	{Op: "torch.nn.functional.leaky_relu", Lower: func(c *Call) {
		c.Return(c.Op("LeakyRelu", In(c.first()), c.FloatAttr("alpha", "negative_slope")))
	}},
	{Op: "torch.nn.functional.rrelu torch.rrelu", Lower: rrelu},
	{Op: "torch.nn.functional.softplus", Lower: softplus},
	{Op: "torch.nn.functional.softshrink", Lower: func(c *Call) {
		x := c.first() // not Shrink, which gives 0 for NaN
		l := c.Number("lambd", x.DType)
		c.Return(c.sub(x, c.Op("Clip", In(x, c.neg(l), l))))
	}},
	{Op: "torch.nn.functional.hardshrink", Lower: hardshrink},
	{Op: "torch.nn.functional.logsigmoid", Lower: func(c *Call) { // -softplus(-x)
		c.Return(c.Op("Neg", In(c.Op("Softplus", In(c.Op("Neg", In(c.first())))))))
	}},
	{Op: "torch.nn.functional.softsign", Lower: func(c *Call) { // x / (1 + |x|)
		x := c.first()
		c.Return(c.Op("Div", In(x, c.Op("Add", In(c.Scalar(x.DType, 1), c.Op("Abs", In(x)))))))
	}},
	{Op: "torch.nn.functional.tanhshrink", Lower: func(c *Call) {
		x := c.first()
		c.Return(c.Op("Sub", In(x, c.Op("Tanh", In(x)))))
	}},
	{Op: "torch.nn.functional.glu", Lower: func(c *Call) {
		axis := c.Axis("dim", c.Rank("input"))
		parts := c.splitEven(c.first(), axis, 2)
		c.Return(c.mul(parts[0], c.Op("Sigmoid", In(parts[1]))))
	}},
	{Op: "torch.nn.functional.prelu", Lower: prelu},
	{Op: "torch.nn.functional.softmax torch.softmax torch.special.softmax", Lower: softmax("Softmax", false)},
	{Op: "torch.nn.functional.softmin", Lower: softmax("Softmax", true)},
	{Op: "torch.nn.functional.log_softmax torch.log_softmax torch.special.log_softmax", Lower: softmax("LogSoftmax", false)},
	{Op: "torch.nn.functional.gumbel_softmax", None: "its result is random"},
}

// first is the first argument in the result's element type.
func (c *Call) first() V { return c.Cast(c.Tensor(c.Node.Args[0].Name), c.OutDType(0)) }

func (c *Call) mul(x, y V) V { return c.Op("Mul", In(x, y)) }

// clip limits x to lo … hi; an infinite bound is none.
func (c *Call) clip(x V, lo, hi float64) V {
	var low, high V
	if !math.IsInf(lo, -1) {
		low = c.Scalar(x.DType, lo)
	}
	if !math.IsInf(hi, 1) {
		high = c.Scalar(x.DType, hi)
	}
	return c.Op("Clip", In(x, low, high))
}

// relu of unsigned integers is the identity, which Relu does not take.
func relu(c *Call) {
	x := c.first()
	if isUnsigned(x.DType) {
		c.Return(x)
		return
	}
	if !isFloat(x.DType) {
		c.Return(c.Op("Max", In(x, c.Scalar(x.DType, 0))))
		return
	}
	c.Return(c.Op("Relu", In(x)))
}

// hardsigmoid is relu6(x + 3) / 6.
func (c *Call) hardsigmoid(x V) V {
	if x.DType == onnx.Double { // an attribute is a float32: 1/6 is not precise enough
		return c.over(c.clip(c.plus(x, 3), 0, 6), c.Scalar(x.DType, 6))
	}
	return c.Op("HardSigmoid", In(x), onnx.FloatAttr("alpha", 1.0/6), onnx.FloatAttr("beta", 0.5))
}

// elu is x where x > 0, else scale·(exp(x/width) - 1).
func (c *Call) elu(x V, scale, width float64) V {
	neg := c.Op("Min", In(x, c.Scalar(x.DType, 0)))
	e := c.Op("Sub", In(c.Op("Exp", In(c.Op("Div", In(neg, c.Scalar(x.DType, width))))), c.Scalar(x.DType, 1)))
	return c.Op("Add", In(c.Op("Max", In(x, c.Scalar(x.DType, 0))), c.mul(e, c.Scalar(x.DType, scale))))
}

// threshold is value where x ≤ threshold, else x, which may be NaN.
func threshold(c *Call) {
	x := c.first()
	c.Return(c.either(c.Op("LessOrEqual", In(x, c.Number("threshold", x.DType))), c.Number("value", x.DType), x))
}

// gelu is x·Φ(x), with the error function or its approximation by tanh.
func gelu(c *Call) {
	x := c.first()
	one, half := c.Scalar(x.DType, 1), c.Scalar(x.DType, 0.5)
	var e V
	if c.Str("approximate") == "tanh" {
		cube := c.mul(c.mul(x, x), x)
		inner := c.Op("Add", In(x, c.mul(cube, c.Scalar(x.DType, 0.044715))))
		e = c.Op("Tanh", In(c.mul(inner, c.Scalar(x.DType, math.Sqrt(2/math.Pi)))))
	} else {
		e = c.Op("Erf", In(c.Op("Div", In(x, c.Scalar(x.DType, math.Sqrt2)))))
	}
	c.Return(c.mul(c.mul(x, half), c.Op("Add", In(e, one))))
}

// rrelu is a leaky relu whose slope is, unless training, the mean of the bounds.
func rrelu(c *Call) {
	if c.Bool("training") {
		c.Failf("its slopes are random in training; export with --eval")
	}
	slope := (c.Float("lower") + c.Float("upper")) / 2
	c.Return(c.Op("LeakyRelu", In(c.first()), onnx.FloatAttr("alpha", float32(slope))))
}

// softplus is log(1 + exp(beta·x)) / beta, and x where beta·x > threshold.
func softplus(c *Call) {
	x := c.first()
	beta, limit := c.Float("beta"), c.Float("threshold")
	if beta == 1 && limit == 20 && x.DType == onnx.Float { // where the difference is below the rounding
		c.Return(c.Op("Softplus", In(x)))
		return
	}
	bx := c.mul(x, c.Scalar(x.DType, beta))
	soft := c.Op("Div", In(c.Op("Softplus", In(bx)), c.Scalar(x.DType, beta)))
	c.Return(c.Op("Where", In(c.Op("Greater", In(bx, c.Scalar(x.DType, limit))), x, soft)))
}

// hardshrink is 0 where |x| ≤ lambd, else x, which may be NaN.
func hardshrink(c *Call) {
	x := c.first()
	near := c.Op("LessOrEqual", In(c.abs(x), c.Number("lambd", x.DType)))
	c.Return(c.either(near, c.Scalar(x.DType, 0), x))
}

// prelu has one slope, or one for each channel: dimension 1.
func prelu(c *Call) {
	x, w := c.first(), c.Tensor("weight")
	if w.DType != x.DType {
		c.Failf("the slope has another type than the input")
	}
	if rank := c.Rank("input"); rank > 2 && c.Rank("weight") == 1 {
		axes := make([]int64, rank-2)
		for i := range axes {
			axes[i] = int64(i + 1)
		}
		w = c.Unsqueeze(w, axes...)
	}
	c.Return(c.Op("PRelu", In(x, w)))
}

// softmax of a tensor of no dimensions is 1.
func softmax(op string, negate bool) func(c *Call) {
	return func(c *Call) {
		x, rank := c.first(), c.Rank("input")
		if negate {
			x = c.Op("Neg", In(x))
		}
		single := rank == 0
		if single {
			x, rank = c.Unsqueeze(x, 0), 1
		}
		axis := onnx.IntAttr("axis", 0)
		switch {
		case single:
		case c.Has("dim"):
			axis = c.IntAttr("axis", "dim")
		case rank == 0 || rank == 1 || rank == 3: // torch.nn.functional's choice without dim
		default:
			axis = onnx.IntAttr("axis", 1)
		}
		y := c.Op(op, In(x), axis)
		if single {
			y = c.Squeeze(y, 0)
		}
		c.Return(y)
	}
}

// splitEven cuts x into n equal parts.
func (c *Call) splitEven(x V, axis int64, n int) []V {
	attrs := []*onnx.Attr{onnx.IntAttr("axis", axis)}
	if c.Opset >= 18 {
		attrs = append(attrs, onnx.IntAttr("num_outputs", int64(n)))
	}
	return c.Ops("Split", n, In(x), attrs...)
}
