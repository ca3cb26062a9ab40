package aten

// This file lowers Chainer's losses and evaluations.

import (
	"shapecheck/onnx"
)

var chainerLossRecords = []Record{
	{Op: chainerFunctions + "squared_error", Lower: func(c *Call) { d := c.difference("x0", "x1"); c.Return(c.emit.mul(d, d)) }},
	{Op: chainerFunctions + "squared_difference", Lower: func(c *Call) { d := c.difference("x1", "x2"); c.Return(c.emit.mul(d, d)) }},
	{Op: chainerFunctions + "absolute_error", Lower: func(c *Call) { c.Return(c.emit.abs(c.difference("x0", "x1"))) }},
	{Op: chainerFunctions + "mean_squared_error", Lower: func(c *Call) {
		d := c.difference("x0", "x1")
		c.Return(c.emit.overAll(c.emit.mul(d, d)))
	}},
	{Op: chainerFunctions + "mean_absolute_error", Lower: func(c *Call) { c.Return(c.emit.overAll(c.emit.abs(c.difference("x0", "x1")))) }},
	{Op: chainerFunctions + "huber_loss", Lower: func(c *Call) {
		e := c.emit
		diff, delta := c.difference("x", "t"), c.Number("delta", c.OutDType(0))
		d := e.abs(diff)
		near := e.Op("Less", In(d, delta))
		loss := e.either(near, e.times(e.mul(d, d), 0.5), e.mul(delta, e.sub(d, e.times(delta, 0.5))))
		if c.Str("reduce") != "no" {
			loss = e.Reduce("ReduceSum", loss, false, 1)
		}
		c.Return(loss)
	}},
	{Op: chainerFunctions + "softmax_cross_entropy", Lower: softmaxCrossEntropy},
	{Op: chainerFunctions + "sigmoid_cross_entropy", Lower: func(c *Call) {
		e := c.emit
		x := c.first()
		labels := c.Tensor("t")
		t := e.Cast(labels, x.DType)
		count := e.Cast(e.Op("Not", In(e.Op("Equal", In(labels, e.Scalar(labels.DType, -1))))), x.DType)
		loss := e.mul(count, e.sub(e.Op("Softplus", In(x)), e.mul(t, x)))
		if c.Str("reduce") != "no" {
			loss = e.over(e.sumAll(loss), c.examples(count))
		}
		c.Return(loss)
	}},
	{Op: chainerFunctions + "hinge", Lower: func(c *Call) {
		e := c.emit
		x := c.first()
		own := e.Op("Equal", In(e.rangeTo(e.dimSize(x, 1)), e.Unsqueeze(c.Operand("t", onnx.Int64), 1)))
		loss := e.atLeastOf(e.plus(e.either(own, e.neg(x), x), 1), 0)
		if c.Str("norm") == "L2" {
			loss = e.mul(loss, loss)
		}
		c.Return(c.meanOverExamples(loss))
	}},
	{Op: chainerFunctions + "contrastive", Lower: func(c *Call) {
		e := c.emit
		d := c.difference("x0", "x1")
		squares := e.Reduce("ReduceSum", e.mul(d, d), false, 1)
		y := c.Operand("y", d.DType)
		far := e.atLeastOf(e.sub(c.Number("margin", d.DType), e.sqrt(squares)), 0)
		loss := e.times(e.add(e.mul(y, squares), e.mul(e.oneMinus(y), e.mul(far, far))), 0.5)
		c.Return(c.meanOverExamples(loss))
	}},
	{Op: chainerFunctions + "triplet", Lower: func(c *Call) {
		e := c.emit
		near, far := c.difference("anchor", "positive"), c.difference("anchor", "negative")
		loss := e.Reduce("ReduceSum", e.sub(e.mul(near, near), e.mul(far, far)), false, 1)
		c.Return(c.meanOverExamples(e.atLeastOf(e.add(loss, c.Number("margin", loss.DType)), 0)))
	}},
	{Op: chainerFunctions + "cross_covariance", Lower: func(c *Call) {
		c.Return(c.halfSquares(c.emit.covarianceOf(c.Tensor("y"), c.Tensor("z"))))
	}},
	{Op: chainerFunctions + "decov", Lower: func(c *Call) {
		e := c.emit
		h := c.Tensor("h")
		n := e.rangeTo(e.dimSize(h, 1))
		diagonal := e.Op("Equal", In(e.Unsqueeze(n, 0), e.Unsqueeze(n, 1)))
		c.Return(c.halfSquares(e.either(diagonal, e.Scalar(h.DType, 0), e.covarianceOf(h, h))))
	}},
	{Op: chainerFunctions + "accuracy", Lower: func(c *Call) {
		e := c.emit
		y, t := c.Tensor("y"), c.Operand("t", onnx.Int64)
		best := e.Op("ArgMax", In(y), onnx.IntAttr("axis", 1), onnx.IntAttr("keepdims", 0))
		hit := e.Cast(e.Op("Equal", In(e.Op("Reshape", In(best, e.Shape(t))), t)), onnx.Float)
		if !c.Has("ignore_label") {
			c.Return(e.Cast(e.overAll(hit), c.OutDType(0)))
			return
		}
		count := e.Cast(e.Op("Not", In(e.Op("Equal", In(t, c.Number("ignore_label", onnx.Int64))))), onnx.Float)
		n := e.sumAll(count)
		share := e.over(e.sumAll(e.mul(hit, count)), e.Op("Max", In(n, e.Scalar(onnx.Float, 1)))) // of none 0
		c.Return(e.Cast(share, c.OutDType(0)))
	}},
	{Op: chainerFunctions + "binary_accuracy", Lower: func(c *Call) {
		e := c.emit
		y, t := c.Tensor("y"), c.Operand("t", onnx.Int64)
		positive := e.Cast(e.Op("GreaterOrEqual", In(y, e.Scalar(y.DType, 0))), onnx.Int64)
		count := e.Cast(e.Op("Not", In(e.Op("Equal", In(t, e.I64Scalar(-1))))), onnx.Float)
		hit := e.mul(e.Cast(e.Op("Equal", In(positive, t)), onnx.Float), count)
		c.Return(e.Cast(e.over(e.sumAll(hit), e.atLeastOf(e.sumAll(count), 1)), c.OutDType(0)))
	}},
	{Op: chainerFunctions + "classification_summary " + chainerFunctions + "f1_score", Lower: classScores},
	{Op: chainerFunctions + "r2_score", Lower: func(c *Call) {
		e := c.emit
		if c.Has("sample_weight") {
			failf("weights of examples")
		}
		pred, y := c.Tensor("pred"), c.Tensor("true")
		if pred.DType != y.DType {
			pred, y = e.Cast(pred, onnx.Double), e.Cast(y, onnx.Double)
		}
		d, spread := e.sub(pred, y), e.sub(y, e.Reduce("ReduceMean", y, true, 0))
		sum := func(v V) V { return e.Reduce("ReduceSum", e.mul(v, v), false, 0) }
		all := sum(spread)
		score := e.either(e.isZero(all), e.Scalar(y.DType, 0), e.oneMinus(e.over(sum(d), all)))
		if c.Str("multioutput") == "uniform_average" {
			score = e.overAll(score)
		}
		c.Return(e.Cast(score, c.OutDType(0)))
	}},
	{Op: chainerFunctions + "connectionist_temporal_classification", Lower: ctc},
	{Op: chainerFunctions + "negative_sampling", None: "its samples are random"},
}

// classScores are precision, recall and F score of each class and how many examples it has; or, of the functions f1_score,
// precision and recall, which share a record, one of the scores and that number.
func classScores(c *Call) {
	e := c.emit
	t := e.flat(c.Operand("t", onnx.Int64))
	best := e.flat(e.Op("ArgMax", In(c.Tensor("y")), onnx.IntAttr("axis", 1), onnx.IntAttr("keepdims", 0)))
	best.DType = onnx.Int64
	n := e.add(e.Reduce("ReduceMax", t, false, 0), e.I64Scalar(1))
	if c.Has("label_num") {
		n = c.number("label_num", c.Arg("label_num"), onnx.Int64)
	}
	classes := e.rangeTo(n)
	own := func(labels V) V { return e.Op("Equal", In(e.Unsqueeze(labels, 1), classes)) }
	count := func(is V) V { return e.Reduce("ReduceSum", e.Cast(is, onnx.Int64), false, 0) }
	found, right := own(best), own(t)
	if c.Has("ignore_label") {
		counts := e.Unsqueeze(e.Op("Not", In(e.Op("Equal", In(t, c.Number("ignore_label", onnx.Int64))))), 1)
		found, right = e.Op("And", In(found, counts)), e.Op("And", In(right, counts))
	}
	share := func(of V) V {
		return e.over(e.Cast(count(e.Op("And", In(found, right))), onnx.Double), e.Cast(count(of), onnx.Double))
	}
	precision, recall, support := share(found), share(right), count(right)
	beta := 1.0
	if c.Node.Op == chainerFunctions+"classification_summary" {
		beta = c.Float("beta")
	}
	f := e.over(e.mul(e.times(precision, 1+beta*beta), recall), e.add(e.times(precision, beta*beta), recall))
	switch lastName(c.Node.Called) {
	case "precision":
		c.Return(precision, support)
	case "recall":
		c.Return(recall, support)
	case "f1_score":
		c.Return(f, support)
	default:
		c.Return(precision, recall, f, support)
	}
}

// difference is that of two arguments of one type.
func (c *Call) difference(a, b string) V { return c.emit.sub(c.Tensor(a), c.Tensor(b)) }

// sumAll is the sum of all elements, overAll their mean.
func (e *Emitter) sumAll(x V) V  { return e.Reduce("ReduceSum", e.flat(x), false, 0) }
func (e *Emitter) overAll(x V) V { return e.over(e.sumAll(x), e.Cast(e.Op("Size", In(x)), x.DType)) }

// examples is what a loss is divided by: the elements that count, or with normalize=False the examples, at least 1.
func (c *Call) examples(count V) V {
	e := c.emit
	if c.Bool("normalize") {
		return e.atLeastOf(e.sumAll(count), 1)
	}
	return e.atLeastOf(e.Cast(e.dimSize(c.first(), 0), count.DType), 1)
}

// meanOverExamples is the sum of a loss over the number of its rows, or with reduce="no" the loss.
func (c *Call) meanOverExamples(loss V) V {
	e := c.emit
	if c.Str("reduce") == "no" {
		return loss
	}
	return e.over(e.sumAll(loss), e.Cast(e.dimSize(loss, 0), loss.DType))
}

// covarianceOf is that of the columns of two matrices, over the number of their rows.
func (e *Emitter) covarianceOf(y, z V) V {
	centre := func(v V) V { return e.sub(v, e.Reduce("ReduceMean", v, true, 0)) }
	return e.over(e.matMul(e.Transpose(centre(y), 1, 0), centre(z)), e.Cast(e.dimSize(y, 0), y.DType))
}

// halfSquares is half the sum of squares, or with reduce="no" the matrix.
func (c *Call) halfSquares(m V) V {
	e := c.emit
	if c.Str("reduce") == "no" {
		return m
	}
	return e.times(e.sumAll(e.mul(m, m)), 0.5)
}

// softmaxCrossEntropy is minus the logarithm of the label's softmax, times the weight of the class; a label to be ignored
// counts neither in the sum nor in the number.
func softmaxCrossEntropy(c *Call) {
	e := c.emit
	x, labels := c.first(), c.Tensor("t")
	if isFloat(labels.DType) {
		c.softTargets(x, e.Cast(labels, x.DType))
		return
	}
	at := e.Cast(labels, onnx.Int64)
	ignored := e.Op("Equal", In(at, c.Number("ignore_label", onnx.Int64)))
	at = e.either(ignored, e.I64Scalar(0), at)
	log := e.Op("LogSoftmax", In(x), onnx.IntAttr("axis", 1))
	loss := e.neg(e.Squeeze(e.Op("GatherElements", In(log, e.Unsqueeze(at, 1)), onnx.IntAttr("axis", 1)), 1))
	if c.Has("class_weight") {
		loss = e.mul(loss, e.Op("Gather", In(c.Operand("class_weight", x.DType), at), onnx.IntAttr("axis", 0)))
	}
	loss = e.either(ignored, e.Scalar(x.DType, 0), loss)
	if c.Str("reduce") != "no" {
		loss = e.over(e.sumAll(loss), c.examples(e.Cast(e.Op("Not", In(ignored)), x.DType)))
	}
	c.Return(loss)
}

// softTargets is the cross entropy of distributions t, or the Kullback-Leibler divergence, of each example or their
// mean. Weights of classes and the label to ignore do not count.
func (c *Call) softTargets(x, t V) {
	e := c.emit
	log := e.Op("LogSoftmax", In(x), onnx.IntAttr("axis", 1))
	loss := e.neg(e.mul(t, log))
	if c.Str("soft_target_loss") == "kl-divergence" {
		loss = e.mul(t, e.sub(e.Op("Log", In(e.plus(t, 1e-7))), log))
	}
	loss = e.Reduce("ReduceSum", loss, false, 1)
	if c.Str("reduce") != "no" {
		loss = e.overAll(loss)
	}
	c.Return(loss)
}
