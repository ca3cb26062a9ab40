package aten

// This file lowers losses of classes.

import "shapecheck/onnx"

var lossClassRecords = []Record{
	{Op: "torch.nn.functional.nll_loss", Lower: func(c *Call) {
		loss, weight := c.nll(c.first())
		c.Return(c.classMean(loss, weight))
	}},
	{Op: "torch.nn.functional.cross_entropy", Lower: crossEntropy},
	{Op: "torch.nn.functional.multi_margin_loss", Lower: multiMargin},
	{Op: "torch.nn.functional.multilabel_margin_loss", Lower: multilabelMargin},
	{Op: "torch.nn.functional.multilabel_soft_margin_loss", Lower: pairLoss(func(c *Call, x, y V) V {
		log := func(v V) V { return c.neg(c.Op("Softplus", In(c.neg(v)))) }
		loss := c.neg(c.add(c.mul(y, log(x)), c.mul(c.oneMinus(y), log(c.neg(x)))))
		return c.Reduce("ReduceMean", c.weighted(loss), false, int64(c.Rank("input")-1))
	})},
}

// known says which targets are not to be ignored, and gives 0 for the others.
func (c *Call) known() (keep, target V) {
	t := c.Operand("target", onnx.Int64)
	keep = c.Op("Not", In(c.Op("Equal", In(t, c.I64Scalar(c.Int("ignore_index"))))))
	return keep, c.either(keep, t, c.I64Scalar(0))
}

// nll is minus the element of the target's class, times the class's weight; and
// the weights.
func (c *Call) nll(logp V) (loss, weight V) {
	axis := c.classAxis()
	keep, target := c.known()
	picked := c.Squeeze(c.Op("GatherElements", In(logp, c.Unsqueeze(target, axis)), onnx.IntAttr("axis", axis)), axis)
	zero := c.Scalar(logp.DType, 0)
	if c.Has("weight") {
		weight = c.either(keep, c.Op("Gather", In(c.Operand("weight", logp.DType), target)), zero)
		return c.either(keep, c.neg(c.mul(picked, weight)), zero), weight
	}
	return c.either(keep, c.neg(picked), zero), c.Cast(keep, logp.DType)
}

// classMean reduces a loss; the mean divides by the sum of the weights.
func (c *Call) classMean(loss, weight V) V {
	switch c.reduction() {
	case "none":
		return loss
	case "mean":
		return c.over(c.total(loss), c.total(weight))
	}
	return c.total(loss)
}

func (c *Call) total(x V) V {
	return c.Reduce("ReduceSum", c.Op("Reshape", In(x, c.I64(-1))), false, 0)
}

// crossEntropy takes classes or probabilities; label_smoothing gives a part of
// the target to all classes.
func crossEntropy(c *Call) {
	x, axis := c.first(), c.classAxis()
	logp := c.Op("LogSoftmax", In(x), onnx.IntAttr("axis", axis))
	smooth := c.Float("label_smoothing")
	classes := c.Cast(c.Squeeze(c.SizeOf("input", axis), 0), x.DType)
	sum := func(v V) V {
		if c.Has("weight") {
			v = c.mul(v, c.classWeight(x.DType))
		}
		return c.neg(c.Reduce("ReduceSum", v, false, axis))
	}
	if isFloat(c.DType("target")) { // probabilities
		p := c.Operand("target", x.DType)
		if smooth > 0 {
			p = c.add(c.times(p, 1-smooth), c.over(c.Scalar(x.DType, smooth), classes))
		}
		c.Return(c.reduced(sum(c.mul(logp, p))))
		return
	}
	loss, weight := c.nll(logp)
	v := c.classMean(loss, weight)
	if smooth > 0 {
		keep, _ := c.known()
		all := c.classMean(c.either(keep, sum(logp), c.Scalar(x.DType, 0)), weight)
		v = c.add(c.times(v, 1-smooth), c.mul(all, c.over(c.Scalar(x.DType, smooth), classes)))
	}
	c.Return(v)
}

// batchOfClasses gives input and target a batch.
func (c *Call) batchOfClasses() (x, target V, finish func(V) V) {
	x, target = c.first(), c.Operand("target", onnx.Int64)
	if c.Rank("input") < 2 {
		x = c.Unsqueeze(x, 0)
		target = c.Op("Reshape", In(target, c.I64(1, -1)))
		return x, target, func(loss V) V { return c.Squeeze(loss, 0) }
	}
	return x, target, func(loss V) V { return loss }
}

// classNumbers are 0 … C-1 of a matrix (N, C).
func (c *Call) classNumbers(x V) V {
	n := c.Op("Gather", In(c.Shape(x), c.I64Scalar(1)))
	return c.Op("Range", In(c.I64Scalar(0), n, c.I64Scalar(1)))
}

// multiMargin is, for each class but the target's, how far its element comes
// within margin of the target's; the mean over classes.
func multiMargin(c *Call) {
	if c.Rank("input") == 0 {
		c.Failf("a single element")
	}
	x, target, finish := c.batchOfClasses()
	at := c.Op("Reshape", In(target, c.I64(-1, 1)))
	own := c.Op("GatherElements", In(x, at), onnx.IntAttr("axis", 1))
	d := c.atLeastOf(c.plus(c.sub(x, own), c.Float("margin")), 0)
	if c.Float("p") == 2 {
		d = c.mul(d, d)
	}
	if c.Has("weight") {
		d = c.mul(d, c.Op("Gather", In(c.Operand("weight", x.DType), at)))
	}
	same := c.Op("Equal", In(c.classNumbers(x), at))
	loss := c.reduced(finish(c.Reduce("ReduceMean", c.either(same, c.Scalar(x.DType, 0), d), false, 1)))
	if c.reduction() == "none" && c.OutRank(0) == 0 && c.Rank("input") > 1 { // one row and a target without dimensions
		loss = c.scalar0(loss)
	}
	c.Return(loss)
}

// multilabelMargin compares each target in front of the first -1 with each class
// that is none.
func multilabelMargin(c *Call) {
	if c.Rank("input") == 0 {
		c.Failf("a single element")
	}
	x, target, finish := c.batchOfClasses()
	end := c.Op("CumSum", In(c.Cast(c.negative(target), onnx.Int64), c.I64Scalar(1)))
	valid := c.isZero(end)
	at := c.Op("Max", In(target, c.I64Scalar(0)))
	own := c.Op("GatherElements", In(x, at), onnx.IntAttr("axis", 1))
	hit := c.Op("And", In(c.Unsqueeze(valid, 2), c.Op("Equal", In(c.Unsqueeze(at, 2), c.classNumbers(x)))))
	isTarget := c.Reduce("ReduceMax", c.Cast(hit, onnx.Int32), true, 1) // (N, 1, C)
	d := c.atLeastOf(c.oneMinus(c.sub(c.Unsqueeze(own, 2), c.Unsqueeze(x, 1))), 0)
	counts := c.Op("And", In(c.Unsqueeze(valid, 2), c.isZero(isTarget)))
	d = c.either(counts, d, c.Scalar(x.DType, 0))
	loss := c.Reduce("ReduceMean", c.Reduce("ReduceSum", d, false, 1), false, 1)
	c.Return(c.reduced(finish(loss)))
}
