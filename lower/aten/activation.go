package aten

// This file lowers activation functions.

import (
	"math"

	"shapecheck/onnx"
)

var activationRecords = []Record{
	{Op: "torch.relu torch.nn.functional.relu", Lower: relu},
	{Op: "torch.nn.functional.relu6", Lower: func(c *Call) { c.Return(c.emit.clip(c.first(), 0, 6)) }},
	{Op: "torch.nn.functional.hardtanh", Lower: func(c *Call) {
		c.Return(c.emit.clip(c.first(), c.Float("min_val"), c.Float("max_val")))
	}},
	{Op: "torch.nn.functional.threshold torch.threshold", Lower: threshold},
	{Op: "torch.nn.functional.hardswish", Lower: func(c *Call) { x := c.first(); c.Return(c.emit.mul(x, c.emit.hardsigmoid(x))) }},
	{Op: "torch.nn.functional.hardsigmoid", Lower: func(c *Call) { c.Return(c.emit.hardsigmoid(c.first())) }},
	{Op: "torch.nn.functional.silu", Lower: func(c *Call) { x := c.first(); c.Return(c.emit.mul(x, c.emit.Op("Sigmoid", In(x)))) }},
	{Op: "torch.nn.functional.mish", Lower: func(c *Call) {
		e := c.emit
		x := c.first()
		c.Return(e.mul(x, e.Op("Tanh", In(e.Op("Softplus", In(x))))))
	}},
	{Op: "torch.nn.functional.elu", Lower: func(c *Call) { c.Return(c.emit.Op("Elu", In(c.first()), c.FloatAttr("alpha", "alpha"))) }},
	{Op: "torch.nn.functional.celu torch.celu", Lower: func(c *Call) {
		c.Return(c.emit.elu(c.first(), c.Float("alpha"), c.Float("alpha")))
	}},
	{Op: "torch.nn.functional.selu torch.selu", Lower: func(c *Call) { c.Return(c.emit.Op("Selu", In(c.first()))) }},
	{Op: "torch.nn.functional.gelu", Lower: gelu},
	{Op: "torch.nn.functional.leaky_relu", Lower: func(c *Call) {
		c.Return(c.emit.Op("LeakyRelu", In(c.first()), c.FloatAttr("alpha", "negative_slope")))
	}},
	{Op: "torch.nn.functional.rrelu torch.rrelu", Lower: rrelu},
	{Op: "torch.nn.functional.softplus", Lower: softplus},
	{Op: "torch.nn.functional.softshrink", Lower: func(c *Call) {
		e := c.emit
		x := c.first() // not Shrink, which gives 0 for NaN
		l := c.Number("lambd", x.DType)
		c.Return(e.sub(x, e.Op("Clip", In(x, e.neg(l), l))))
	}},
	{Op: "torch.nn.functional.hardshrink", Lower: hardshrink},
	{Op: "torch.nn.functional.logsigmoid", Lower: func(c *Call) { // -softplus(-x)
		e := c.emit
		c.Return(e.Op("Neg", In(e.Op("Softplus", In(e.Op("Neg", In(c.first())))))))
	}},
	{Op: "torch.nn.functional.softsign", Lower: func(c *Call) { // x / (1 + |x|)
		e := c.emit
		x := c.first()
		c.Return(e.Op("Div", In(x, e.Op("Add", In(e.Scalar(x.DType, 1), e.Op("Abs", In(x)))))))
	}},
	{Op: "torch.nn.functional.tanhshrink", Lower: func(c *Call) {
		x := c.first()
		c.Return(c.emit.Op("Sub", In(x, c.emit.Op("Tanh", In(x)))))
	}},
	{Op: "torch.nn.functional.glu", Lower: func(c *Call) {
		e := c.emit
		axis := c.Axis("dim", c.Rank("input"))
		parts := e.splitEven(c.first(), axis, 2)
		c.Return(e.mul(parts[0], e.Op("Sigmoid", In(parts[1]))))
	}},
	{Op: "torch.nn.functional.prelu", Lower: prelu},
	{Op: "torch.nn.functional.softmax torch.softmax torch.special.softmax", Lower: softmax("Softmax", false)},
	{Op: "torch.nn.functional.softmin", Lower: softmax("Softmax", true)},
	{Op: "torch.nn.functional.log_softmax torch.log_softmax torch.special.log_softmax", Lower: softmax("LogSoftmax", false)},
	{Op: "torch.nn.functional.gumbel_softmax", None: "its result is random"},
}

// first is the first argument in the result's element type.
func (c *Call) first() V { return c.emit.Cast(c.Tensor(c.Node.Args[0].Name), c.OutDType(0)) }

func (e *Emitter) mul(x, y V) V { return e.Op("Mul", In(x, y)) }

// clip limits x to lo … hi; an infinite bound is none.
func (e *Emitter) clip(x V, lo, hi float64) V {
	var low, high V
	if !math.IsInf(lo, -1) {
		low = e.Scalar(x.DType, lo)
	}
	if !math.IsInf(hi, 1) {
		high = e.Scalar(x.DType, hi)
	}
	return e.Op("Clip", In(x, low, high))
}

// relu of unsigned integers is the identity, which Relu does not take.
func relu(c *Call) {
	e := c.emit
	x := c.first()
	if isUnsigned(x.DType) {
		c.Return(x)
		return
	}
	if !isFloat(x.DType) {
		c.Return(e.Op("Max", In(x, e.Scalar(x.DType, 0))))
		return
	}
	c.Return(e.Op("Relu", In(x)))
}

// hardsigmoid is relu6(x + 3) / 6.
func (e *Emitter) hardsigmoid(x V) V {
	if x.DType == onnx.Double { // an attribute is a float32: 1/6 is not precise enough
		return e.over(e.clip(e.plus(x, 3), 0, 6), e.Scalar(x.DType, 6))
	}
	return e.Op("HardSigmoid", In(x), onnx.FloatAttr("alpha", 1.0/6), onnx.FloatAttr("beta", 0.5))
}

// elu is x where x > 0, else scale·(exp(x/width) - 1).
func (e *Emitter) elu(x V, scale, width float64) V {
	neg := e.Op("Min", In(x, e.Scalar(x.DType, 0)))
	below := e.Op("Sub", In(e.Op("Exp", In(e.Op("Div", In(neg, e.Scalar(x.DType, width))))), e.Scalar(x.DType, 1)))
	return e.Op("Add", In(e.Op("Max", In(x, e.Scalar(x.DType, 0))), e.mul(below, e.Scalar(x.DType, scale))))
}

// threshold is value where x ≤ threshold, else x, which may be NaN.
func threshold(c *Call) {
	x := c.first()
	c.Return(c.emit.either(c.emit.Op("LessOrEqual", In(x, c.Number("threshold", x.DType))), c.Number("value", x.DType), x))
}

// gelu is x·Φ(x), with the error function or its approximation by tanh.
func gelu(c *Call) {
	e := c.emit
	x := c.first()
	one, half := e.Scalar(x.DType, 1), e.Scalar(x.DType, 0.5)
	var bent V
	if c.Str("approximate") == "tanh" {
		cube := e.mul(e.mul(x, x), x)
		inner := e.Op("Add", In(x, e.mul(cube, e.Scalar(x.DType, 0.044715))))
		bent = e.Op("Tanh", In(e.mul(inner, e.Scalar(x.DType, math.Sqrt(2/math.Pi)))))
	} else {
		bent = e.Op("Erf", In(e.Op("Div", In(x, e.Scalar(x.DType, math.Sqrt2)))))
	}
	c.Return(e.mul(e.mul(x, half), e.Op("Add", In(bent, one))))
}

// rrelu is a leaky relu whose slope is, unless training, the mean of the bounds.
func rrelu(c *Call) {
	if c.Bool("training") {
		failf("its slopes are random in training; without --train, eval() is called first")
	}
	slope := (c.Float("lower") + c.Float("upper")) / 2
	c.Return(c.emit.Op("LeakyRelu", In(c.first()), onnx.FloatAttr("alpha", float32(slope))))
}

// softplus is log(1 + exp(beta·x)) / beta, and x where beta·x > threshold.
func softplus(c *Call) {
	e := c.emit
	x := c.first()
	beta, limit := c.Float("beta"), c.Float("threshold")
	if beta == 1 && limit == 20 && x.DType == onnx.Float { // where the difference is below the rounding
		c.Return(e.Op("Softplus", In(x)))
		return
	}
	bx := e.mul(x, e.Scalar(x.DType, beta))
	soft := e.Op("Div", In(e.Op("Softplus", In(bx)), e.Scalar(x.DType, beta)))
	c.Return(e.Op("Where", In(e.Op("Greater", In(bx, e.Scalar(x.DType, limit))), x, soft)))
}

// hardshrink is 0 where |x| ≤ lambd, else x, which may be NaN.
func hardshrink(c *Call) {
	e := c.emit
	x := c.first()
	near := e.Op("LessOrEqual", In(e.abs(x), c.Number("lambd", x.DType)))
	c.Return(e.either(near, e.Scalar(x.DType, 0), x))
}

// prelu has one slope, or one for each channel: dimension 1.
func prelu(c *Call) {
	x, w := c.first(), c.Tensor("weight")
	if w.DType != x.DType {
		failf("the slope has another type than the input")
	}
	if rank := c.Rank("input"); rank > 2 && c.Rank("weight") == 1 {
		axes := make([]int64, rank-2)
		for i := range axes {
			axes[i] = int64(i + 1)
		}
		w = c.emit.Unsqueeze(w, axes...)
	}
	c.Return(c.emit.Op("PRelu", In(x, w)))
}

// softmax of a tensor of no dimensions is 1.
func softmax(op string, negate bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x, rank := c.first(), c.Rank("input")
		if negate {
			x = e.Op("Neg", In(x))
		}
		single := rank == 0
		if single {
			x, rank = e.Unsqueeze(x, 0), 1
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
		y := e.Op(op, In(x), axis)
		if single {
			y = e.Squeeze(y, 0)
		}
		c.Return(y)
	}
}

// splitEven cuts x into n equal parts.
func (e *Emitter) splitEven(x V, axis int64, n int) []V {
	attrs := []*onnx.Attr{onnx.IntAttr("axis", axis)}
	if e.Opset >= 18 {
		attrs = append(attrs, onnx.IntAttr("num_outputs", int64(n)))
	}
	return e.Ops("Split", n, In(x), attrs...)
}
