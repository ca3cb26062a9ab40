package aten

// This file lowers losses between two tensors and those with margins. Losses of
// classes are in lossclass.go.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var lossRecords = []Record{
	{Op: "torch.nn.functional.mse_loss", Lower: pairLoss(func(c *Call, x, y V) V { d := c.sub(x, y); return c.mul(d, d) })},
	{Op: "torch.nn.functional.l1_loss", Lower: pairLoss(func(c *Call, x, y V) V { return c.abs(c.sub(x, y)) })},
	{Op: "torch.nn.functional.smooth_l1_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		d, beta := c.abs(c.sub(x, y)), c.Float("beta")
		if beta == 0 {
			return d
		}
		near := c.Op("Less", In(d, c.Scalar(d.DType, beta)))
		return c.either(near, c.times(c.mul(d, d), 0.5/beta), c.plus(d, -0.5*beta))
	})},
	{Op: "torch.nn.functional.huber_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		d, delta := c.abs(c.sub(x, y)), c.Float("delta")
		near := c.Op("LessOrEqual", In(d, c.Scalar(d.DType, delta)))
		return c.either(near, c.times(c.mul(d, d), 0.5), c.times(c.plus(d, -0.5*delta), delta))
	})},
	{Op: "torch.nn.functional.kl_div torch.kl_div", Lower: pairLoss(func(c *Call, x, y V) V {
		if c.Bool("log_target") {
			return c.mul(c.Op("Exp", In(y)), c.sub(y, x))
		}
		return c.sub(c.xTimesLog(y, y, false), c.mul(x, y))
	})},
	{Op: "torch.nn.functional.poisson_nll_loss torch.poisson_nll_loss", Lower: pairLoss(poissonLoss)},
	{Op: "torch.nn.functional.soft_margin_loss", Lower: pairLoss(func(c *Call, x, y V) V { return c.Op("Softplus", In(c.neg(c.mul(x, y)))) })},
	{Op: "torch.nn.functional.hinge_embedding_loss torch.hinge_embedding_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		zero := c.Scalar(x.DType, 0)
		margin := c.atLeastOf(c.minus(c.Float("margin"), x), 0)
		return c.add(c.either(c.is(y, 1), zero, margin), c.either(c.is(y, -1), zero, x))
	})},
	{Op: "torch.nn.functional.binary_cross_entropy", Lower: pairLoss(func(c *Call, x, y V) V {
		log := func(v V) V { return c.atLeastOf(c.Op("Log", In(v)), -100) }
		return c.weighted(c.neg(c.add(c.mul(y, log(x)), c.mul(c.oneMinus(y), log(c.oneMinus(x))))))
	})},
	{Op: "torch.nn.functional.binary_cross_entropy_with_logits torch.binary_cross_entropy_with_logits",
		Lower: pairLoss(func(c *Call, x, y V) V {
			soft := c.Op("Softplus", In(c.neg(x)))
			if c.Has("pos_weight") {
				soft = c.mul(soft, c.plus(c.mul(c.plus(c.Operand("pos_weight", x.DType), -1), y), 1))
			}
			return c.weighted(c.add(c.mul(c.oneMinus(y), x), soft))
		})},
	{Op: "torch.nn.functional.gaussian_nll_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		v := c.Operand("var", x.DType)
		if c.Rank("var") == c.Rank("input")-1 {
			v = c.Unsqueeze(v, int64(c.Rank("var")))
		}
		v, d := c.atLeastOf(v, c.Float("eps")), c.sub(x, y)
		loss := c.times(c.add(c.Op("Log", In(v)), c.over(c.mul(d, d), v)), 0.5)
		if c.Bool("full") {
			loss = c.plus(loss, 0.5*math.Log(2*math.Pi))
		}
		return loss
	})},
	{Op: "torch.nn.functional.margin_ranking_loss torch.margin_ranking_loss", Lower: func(c *Call) {
		d := c.OutDType(0)
		diff := c.sub(c.Operand("input1", d), c.Operand("input2", d))
		c.Return(c.reduced(c.atLeastOf(c.add(c.neg(c.mul(c.Operand("target", d), diff)), c.Number("margin", d)), 0)))
	}},
	{Op: "torch.nn.functional.triplet_margin_loss torch.triplet_margin_loss", Lower: func(c *Call) {
		c.tripletLoss(c.Float("p"), c.Float("eps"))
	}},
	{Op: "torch.nn.functional.triplet_margin_with_distance_loss", Lower: func(c *Call) {
		if c.Has("distance_function") {
			c.Failf("a distance function of one's own")
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
	flat := func() V { return c.Op("Reshape", In(loss, c.I64(-1))) }
	switch c.reduction() {
	case "mean":
		n := c.Cast(c.Op("Size", In(loss)), loss.DType) // of no elements the mean is 0/0
		return c.over(c.Reduce("ReduceSum", flat(), false, 0), n)
	case "sum":
		return c.Reduce("ReduceSum", flat(), false, 0)
	case "batchmean":
		n := c.Cast(c.Squeeze(c.SizeOf("input", 0), 0), loss.DType)
		return c.over(c.Reduce("ReduceSum", flat(), false, 0), n)
	}
	return loss
}

// pairLoss reduces a function of input and target.
func pairLoss(f func(c *Call, x, y V) V) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		c.Return(c.Cast(c.reduced(f(c, c.Operand("input", d), c.Operand("target", d))), out))
	}
}

func (c *Call) is(x V, f float64) V { return c.Op("Equal", In(x, c.Scalar(x.DType, f))) }

// weighted multiplies with the argument weight, if there is one.
func (c *Call) weighted(x V) V {
	if c.Has("weight") {
		return c.mul(x, c.Operand("weight", x.DType))
	}
	return x
}

// poissonLoss may add Stirling's approximation of log(target!) for targets over 1.
func poissonLoss(c *Call, x, y V) V {
	var loss V
	if c.Bool("log_input") {
		loss = c.sub(c.Op("Exp", In(x)), c.mul(y, x))
	} else {
		loss = c.sub(x, c.mul(y, c.Op("Log", In(c.plus(x, c.Float("eps"))))))
	}
	if c.Bool("full") {
		stirling := c.add(c.sub(c.mul(y, c.Op("Log", In(y))), y), c.times(c.Op("Log", In(c.times(y, 2*math.Pi))), 0.5))
		loss = c.add(loss, c.either(c.Op("Greater", In(y, c.Scalar(y.DType, 1))), stirling, c.Scalar(y.DType, 0)))
	}
	return loss
}

// tripletLoss is how much farther than margin the positive is than the negative.
func (c *Call) tripletLoss(p, eps float64) {
	d := c.OutDType(0)
	if t, _ := c.promoted("anchor", "positive", "negative"); !isFloat(t) {
		c.Failf("differences of integers wrap around")
	}
	rank := max(c.Rank("anchor"), c.Rank("positive"), c.Rank("negative"))
	dist := func(a, b string) V {
		return c.normAlong(c.plus(c.sub(c.Operand(a, d), c.Operand(b, d)), eps), p, false, int64(rank-1))
	}
	far := dist("anchor", "negative")
	if c.Bool("swap") {
		far = c.Op("Min", In(far, dist("positive", "negative")))
	}
	c.Return(c.reduced(c.atLeastOf(c.plus(c.sub(dist("anchor", "positive"), far), c.Float("margin")), 0)))
}

// cosineLoss is 1 - cos where the target is 1, and what of cos is over the margin
// where it is -1.
func cosineLoss(c *Call) {
	d := c.OutDType(0)
	common, _ := c.promoted("input1", "input2")
	if !isFloat(common) {
		c.Failf("products of integers wrap around")
	}
	if !isFloat(c.DType("input1")) || !isFloat(c.DType("input2")) { // the length of integers is computed in binary32
		d = onnx.Float
	}
	target, axis := c.Operand("target", d), int64(c.Rank("target"))
	sum := func(v V, rank int) V { // neither input is expanded to the other's shape
		if rank == 0 {
			return v
		}
		return c.Reduce("ReduceSum", v, false, axis)
	}
	square := func(name string) V {
		x := c.Operand(name, d)
		return c.plus(sum(c.mul(x, x), c.Rank(name)), 1e-12)
	}
	both := c.mul(c.Operand("input1", common), c.Operand("input2", common))
	cos := c.over(c.Cast(sum(both, max(c.Rank("input1"), c.Rank("input2"))), d), c.sqrt(c.mul(square("input1"), square("input2"))))
	zero := c.Scalar(d, 0)
	same := c.either(c.is(target, 1), c.oneMinus(cos), zero)
	other := c.either(c.is(target, -1), c.atLeastOf(c.sub(cos, c.Number("margin", d)), 0), zero)
	c.Return(c.Cast(c.reduced(c.add(same, other)), c.OutDType(0)))
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
		w = c.Unsqueeze(w, axes...)
	}
	return w
}
