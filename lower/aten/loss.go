package aten

// This file lowers losses between two tensors and those with margins. Losses of
// classes are in lossclass.go.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var lossRecords = []Record{
	{Op: "torch.nn.functional.mse_loss", Lower: pairLoss(func(c *Call, x, y V) V { d := c.emit.sub(x, y); return c.emit.mul(d, d) })},
	{Op: "torch.nn.functional.l1_loss", Lower: pairLoss(func(c *Call, x, y V) V { return c.emit.abs(c.emit.sub(x, y)) })},
	{Op: "torch.nn.functional.smooth_l1_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		e := c.emit
		d, beta := e.abs(e.sub(x, y)), c.Float("beta")
		if beta == 0 {
			return d
		}
		near := e.Op("Less", In(d, e.Scalar(d.DType, beta)))
		return e.either(near, e.times(e.mul(d, d), 0.5/beta), e.plus(d, -0.5*beta))
	})},
	{Op: "torch.nn.functional.huber_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		e := c.emit
		d, delta := e.abs(e.sub(x, y)), c.Float("delta")
		near := e.Op("LessOrEqual", In(d, e.Scalar(d.DType, delta)))
		return e.either(near, e.times(e.mul(d, d), 0.5), e.times(e.plus(d, -0.5*delta), delta))
	})},
	{Op: "torch.nn.functional.kl_div torch.kl_div", Lower: pairLoss(func(c *Call, x, y V) V {
		e := c.emit
		if c.Bool("log_target") {
			return e.mul(e.Op("Exp", In(y)), e.sub(y, x))
		}
		return e.sub(e.xTimesLog(y, y, false), e.mul(x, y))
	})},
	{Op: "torch.nn.functional.poisson_nll_loss torch.poisson_nll_loss", Lower: pairLoss(poissonLoss)},
	{Op: "torch.nn.functional.soft_margin_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		return c.emit.Op("Softplus", In(c.emit.neg(c.emit.mul(x, y))))
	})},
	{Op: "torch.nn.functional.hinge_embedding_loss torch.hinge_embedding_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		e := c.emit
		zero := e.Scalar(x.DType, 0)
		margin := e.atLeastOf(e.minus(c.Float("margin"), x), 0)
		return e.add(e.either(e.is(y, 1), zero, margin), e.either(e.is(y, -1), zero, x))
	})},
	{Op: "torch.nn.functional.binary_cross_entropy", Lower: pairLoss(func(c *Call, x, y V) V {
		e := c.emit
		log := func(v V) V { return e.atLeastOf(e.Op("Log", In(v)), -100) }
		return c.weighted(e.neg(e.add(e.mul(y, log(x)), e.mul(e.oneMinus(y), log(e.oneMinus(x))))))
	})},
	{Op: "torch.nn.functional.binary_cross_entropy_with_logits torch.binary_cross_entropy_with_logits",
		Lower: pairLoss(func(c *Call, x, y V) V {
			e := c.emit
			soft := e.Op("Softplus", In(e.neg(x)))
			if c.Has("pos_weight") {
				soft = e.mul(soft, e.plus(e.mul(e.plus(c.Operand("pos_weight", x.DType), -1), y), 1))
			}
			return c.weighted(e.add(e.mul(e.oneMinus(y), x), soft))
		})},
	{Op: "torch.nn.functional.gaussian_nll_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		e := c.emit
		v := c.Operand("var", x.DType)
		if c.Rank("var") == c.Rank("input")-1 {
			v = e.Unsqueeze(v, int64(c.Rank("var")))
		}
		v, d := e.atLeastOf(v, c.Float("eps")), e.sub(x, y)
		loss := e.times(e.add(e.Op("Log", In(v)), e.over(e.mul(d, d), v)), 0.5)
		if c.Bool("full") {
			loss = e.plus(loss, 0.5*math.Log(2*math.Pi))
		}
		return loss
	})},
	{Op: "torch.nn.functional.margin_ranking_loss torch.margin_ranking_loss", Lower: func(c *Call) {
		e := c.emit
		d := c.OutDType(0)
		diff := e.sub(c.Operand("input1", d), c.Operand("input2", d))
		c.Return(c.reduced(e.atLeastOf(e.add(e.neg(e.mul(c.Operand("target", d), diff)), c.Number("margin", d)), 0)))
	}},
	{Op: "torch.nn.functional.triplet_margin_loss torch.triplet_margin_loss", Lower: func(c *Call) {
		c.tripletLoss(c.Float("p"), c.Float("eps"))
	}},
	{Op: "torch.nn.functional.triplet_margin_with_distance_loss", Lower: func(c *Call) {
		if c.Has("distance_function") {
			failf("a distance function of one's own")
		}
		c.tripletLoss(2, 1e-6)
	}},
	{Op: "torch.nn.functional.cosine_embedding_loss torch.cosine_embedding_loss", Lower: cosineLoss},
	{Op: "torch.nn.functional.ctc_loss torch.ctc_loss", None: "ONNX has no CTC loss, whose recursion follows the lengths in its arguments"},
}

// reduction is what becomes of a loss: none, mean, sum or batchmean. PyTorch also
// takes a number, and its two old flags.
func (c *Call) reduction() string {
	if c.Has("size_average") || c.Has("reduce") {
		flag := func(name string) bool { return !c.Has(name) || c.Bool(name) }
		switch {
		case !flag("reduce"):
			return "none"
		case flag("size_average"):
			return "mean"
		}
		return "sum"
	}
	if s, ok := c.Arg("reduction").(graph.Str); ok {
		return string(s)
	}
	switch c.Int("reduction") { // any other number reduces nothing
	case 1:
		return "mean"
	case 2:
		return "sum"
	}
	return "none"
}

// reduced takes the mean or sum of a loss.
func (c *Call) reduced(loss V) V {
	e := c.emit
	flat := func() V { return e.Op("Reshape", In(loss, e.I64(-1))) }
	switch c.reduction() {
	case "mean":
		n := e.Cast(e.Op("Size", In(loss)), loss.DType) // of no elements the mean is 0/0
		return e.over(e.Reduce("ReduceSum", flat(), false, 0), n)
	case "sum":
		return e.Reduce("ReduceSum", flat(), false, 0)
	case "batchmean":
		n := e.Cast(e.Squeeze(c.SizeOf("input", 0), 0), loss.DType)
		return e.over(e.Reduce("ReduceSum", flat(), false, 0), n)
	}
	return loss
}

// pairLoss reduces a function of input and target.
func pairLoss(f func(c *Call, x, y V) V) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		c.Return(c.emit.Cast(c.reduced(f(c, c.Operand("input", d), c.Operand("target", d))), out))
	}
}

func (e *Emitter) is(x V, f float64) V { return e.Op("Equal", In(x, e.Scalar(x.DType, f))) }

// weighted multiplies with the argument weight, if there is one.
func (c *Call) weighted(x V) V {
	if c.Has("weight") {
		return c.emit.mul(x, c.Operand("weight", x.DType))
	}
	return x
}

// poissonLoss may add Stirling's approximation of log(target!) for targets over 1.
func poissonLoss(c *Call, x, y V) V {
	e := c.emit
	var loss V
	if c.Bool("log_input") {
		loss = e.sub(e.Op("Exp", In(x)), e.mul(y, x))
	} else {
		loss = e.sub(x, e.mul(y, e.Op("Log", In(e.plus(x, c.Float("eps"))))))
	}
	if c.Bool("full") {
		stirling := e.add(e.sub(e.mul(y, e.Op("Log", In(y))), y), e.times(e.Op("Log", In(e.times(y, 2*math.Pi))), 0.5))
		loss = e.add(loss, e.either(e.Op("Greater", In(y, e.Scalar(y.DType, 1))), stirling, e.Scalar(y.DType, 0)))
	}
	return loss
}

// tripletLoss is how much farther than margin the positive is than the negative.
func (c *Call) tripletLoss(p, eps float64) {
	e := c.emit
	d := c.OutDType(0)
	if t, _ := c.promoted("anchor", "positive", "negative"); !isFloat(t) {
		failf("differences of integers wrap around")
	}
	rank := max(c.Rank("anchor"), c.Rank("positive"), c.Rank("negative"))
	dist := func(a, b string) V {
		return e.normAlong(e.plus(e.sub(c.Operand(a, d), c.Operand(b, d)), eps), p, false, int64(rank-1))
	}
	far := dist("anchor", "negative")
	if c.Bool("swap") {
		far = e.Op("Min", In(far, dist("positive", "negative")))
	}
	c.Return(c.reduced(e.atLeastOf(e.plus(e.sub(dist("anchor", "positive"), far), c.Float("margin")), 0)))
}

// cosineLoss is 1 - cos where the target is 1, and what of cos is over the margin
// where it is -1.
func cosineLoss(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	common, _ := c.promoted("input1", "input2")
	if !isFloat(common) {
		failf("products of integers wrap around")
	}
	if !isFloat(c.DType("input1")) || !isFloat(c.DType("input2")) { // the length of integers is computed in binary32
		d = onnx.Float
	}
	target, axis := c.Operand("target", d), int64(c.Rank("target"))
	sum := func(v V, rank int) V { // neither input is expanded to the other's shape
		if rank == 0 {
			return v
		}
		return e.Reduce("ReduceSum", v, false, axis)
	}
	square := func(name string) V {
		x := c.Operand(name, d)
		return e.plus(sum(e.mul(x, x), c.Rank(name)), 1e-12)
	}
	both := e.mul(c.Operand("input1", common), c.Operand("input2", common))
	cos := e.over(e.Cast(sum(both, max(c.Rank("input1"), c.Rank("input2"))), d), e.sqrt(e.mul(square("input1"), square("input2"))))
	zero := e.Scalar(d, 0)
	same := e.either(e.is(target, 1), e.oneMinus(cos), zero)
	other := e.either(e.is(target, -1), e.atLeastOf(e.sub(cos, c.Number("margin", d)), 0), zero)
	c.Return(e.Cast(c.reduced(e.add(same, other)), c.OutDType(0)))
}

// classAxis is the dimension of classes: the second, or of an input without a
// batch the first.
func (c *Call) classAxis() int64 {
	if c.Rank("input") == 1 {
		return 0
	}
	return 1
}

// classWeight is the weight of each class in the shape of the input, where there
// are weights.
func (c *Call) classWeight(d onnx.DType) V {
	w := c.Operand("weight", d)
	var axes []int64
	for i := int64(c.classAxis()) + 1; i < int64(c.Rank("input")); i++ {
		axes = append(axes, i-c.classAxis())
	}
	if len(axes) > 0 {
		w = c.emit.Unsqueeze(w, axes...)
	}
	return w
}
