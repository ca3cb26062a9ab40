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
		e := c.emit
		log := func(v V) V { return e.neg(e.Op("Softplus", In(e.neg(v)))) }
		loss := e.neg(e.add(e.mul(y, log(x)), e.mul(e.oneMinus(y), log(e.neg(x)))))
		return e.Reduce("ReduceMean", c.weighted(loss), false, int64(c.Rank("input")-1))
	})},
}

// known says which targets are not to be ignored, and gives 0 for the others.
func (c *Call) known() (keep, target V) {
	e := c.emit
	t := c.Operand("target", onnx.Int64)
	keep = e.Op("Not", In(e.Op("Equal", In(t, e.I64Scalar(c.Int("ignore_index"))))))
	return keep, e.either(keep, t, e.I64Scalar(0))
}

// nll is minus the element of the target's class, times the class's weight; and
// the weights.
func (c *Call) nll(logp V) (loss, weight V) {
	e := c.emit
	axis := c.classAxis()
	keep, target := c.known()
	picked := e.Squeeze(e.Op("GatherElements", In(logp, e.Unsqueeze(target, axis)), onnx.IntAttr("axis", axis)), axis)
	zero := e.Scalar(logp.DType, 0)
	if c.Has("weight") {
		weight = e.either(keep, e.Op("Gather", In(c.Operand("weight", logp.DType), target)), zero)
		return e.either(keep, e.neg(e.mul(picked, weight)), zero), weight
	}
	return e.either(keep, e.neg(picked), zero), e.Cast(keep, logp.DType)
}

// classMean reduces a loss; the mean divides by the sum of the weights.
func (c *Call) classMean(loss, weight V) V {
	e := c.emit
	switch c.reduction() {
	case "none":
		return loss
	case "mean":
		return e.over(e.total(loss), e.total(weight))
	}
	return e.total(loss)
}

func (e *Emitter) total(x V) V {
	return e.Reduce("ReduceSum", e.Op("Reshape", In(x, e.I64(-1))), false, 0)
}

// crossEntropy takes classes or probabilities; label_smoothing gives a part of
// the target to all classes.
func crossEntropy(c *Call) {
	e := c.emit
	x, axis := c.first(), c.classAxis()
	logp := e.Op("LogSoftmax", In(x), onnx.IntAttr("axis", axis))
	smooth := c.Float("label_smoothing")
	classes := e.Cast(e.Squeeze(c.SizeOf("input", axis), 0), x.DType)
	sum := func(v V) V {
		if c.Has("weight") {
			v = e.mul(v, c.classWeight(x.DType))
		}
		return e.neg(e.Reduce("ReduceSum", v, false, axis))
	}
	if isFloat(c.DType("target")) { // probabilities
		p := c.Operand("target", x.DType)
		if smooth > 0 {
			p = e.add(e.times(p, 1-smooth), e.over(e.Scalar(x.DType, smooth), classes))
		}
		c.Return(c.reduced(sum(e.mul(logp, p))))
		return
	}
	loss, weight := c.nll(logp)
	v := c.classMean(loss, weight)
	if smooth > 0 {
		keep, _ := c.known()
		all := c.classMean(e.either(keep, sum(logp), e.Scalar(x.DType, 0)), weight)
		v = e.add(e.times(v, 1-smooth), e.mul(all, e.over(e.Scalar(x.DType, smooth), classes)))
	}
	c.Return(v)
}

// batchOfClasses gives input and target a batch.
func (c *Call) batchOfClasses() (x, target V, finish func(V) V) {
	e := c.emit
	x, target = c.first(), c.Operand("target", onnx.Int64)
	if c.Rank("input") < 2 {
		x = e.Unsqueeze(x, 0)
		target = e.Op("Reshape", In(target, e.I64(1, -1)))
		return x, target, func(loss V) V { return e.Squeeze(loss, 0) }
	}
	return x, target, func(loss V) V { return loss }
}

// classNumbers are 0 … C-1 of a matrix (N, C).
func (e *Emitter) classNumbers(x V) V {
	n := e.Op("Gather", In(e.Shape(x), e.I64Scalar(1)))
	return e.Op("Range", In(e.I64Scalar(0), n, e.I64Scalar(1)))
}

// multiMargin is, for each class but the target's, how far its element comes
// within margin of the target's; the mean over classes.
func multiMargin(c *Call) {
	e := c.emit
	if c.Rank("input") == 0 {
		failf("a single element")
	}
	x, target, finish := c.batchOfClasses()
	at := e.Op("Reshape", In(target, e.I64(-1, 1)))
	own := e.Op("GatherElements", In(x, at), onnx.IntAttr("axis", 1))
	d := e.atLeastOf(e.plus(e.sub(x, own), c.Float("margin")), 0)
	if c.Float("p") == 2 {
		d = e.mul(d, d)
	}
	if c.Has("weight") {
		d = e.mul(d, e.Op("Gather", In(c.Operand("weight", x.DType), at)))
	}
	same := e.Op("Equal", In(e.classNumbers(x), at))
	loss := c.reduced(finish(e.Reduce("ReduceMean", e.either(same, e.Scalar(x.DType, 0), d), false, 1)))
	if c.reduction() == "none" && c.OutRank(0) == 0 && c.Rank("input") > 1 { // one row and a target without dimensions
		loss = e.scalar0(loss)
	}
	c.Return(loss)
}

// multilabelMargin compares each target in front of the first -1 with each class
// that is none.
func multilabelMargin(c *Call) {
	e := c.emit
	if c.Rank("input") == 0 {
		failf("a single element")
	}
	x, target, finish := c.batchOfClasses()
	end := e.Op("CumSum", In(e.Cast(e.negative(target), onnx.Int64), e.I64Scalar(1)))
	valid := e.isZero(end)
	at := e.Op("Max", In(target, e.I64Scalar(0)))
	own := e.Op("GatherElements", In(x, at), onnx.IntAttr("axis", 1))
	hit := e.Op("And", In(e.Unsqueeze(valid, 2), e.Op("Equal", In(e.Unsqueeze(at, 2), e.classNumbers(x)))))
	isTarget := e.Reduce("ReduceMax", e.Cast(hit, onnx.Int32), true, 1) // (N, 1, C)
	d := e.atLeastOf(e.oneMinus(e.sub(e.Unsqueeze(own, 2), e.Unsqueeze(x, 1))), 0)
	counts := e.Op("And", In(e.Unsqueeze(valid, 2), e.isZero(isTarget)))
	d = e.either(counts, d, e.Scalar(x.DType, 0))
	loss := e.Reduce("ReduceMean", e.Reduce("ReduceSum", d, false, 1), false, 1)
	c.Return(c.reduced(finish(loss)))
}
