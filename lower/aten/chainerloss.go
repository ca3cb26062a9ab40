package aten

// This file lowers Chainer's losses and evaluations.

import (
	"shapecheck/onnx"
)

var chainerLossRecords = []Record{
	{Op: chainerFunctions + "squared_error", Lower: func(c *Call) { d := c.difference("x0", "x1"); c.Return(c.mul(d, d)) }},
	{Op: chainerFunctions + "squared_difference", Lower: func(c *Call) { d := c.difference("x1", "x2"); c.Return(c.mul(d, d)) }},
	{Op: chainerFunctions + "absolute_error", Lower: func(c *Call) { c.Return(c.abs(c.difference("x0", "x1"))) }},
	{Op: chainerFunctions + "mean_squared_error", Lower: func(c *Call) {
		d := c.difference("x0", "x1")
		c.Return(c.overAll(c.mul(d, d)))
	}},
	{Op: chainerFunctions + "mean_absolute_error", Lower: func(c *Call) { c.Return(c.overAll(c.abs(c.difference("x0", "x1")))) }},
	{Op: chainerFunctions + "huber_loss", Lower: func(c *Call) {
		diff, delta := c.difference("x", "t"), c.Number("delta", c.OutDType(0))
		d := c.abs(diff)
		near := c.Op("Less", In(d, delta))
		loss := c.either(near, c.times(c.mul(d, d), 0.5), c.mul(delta, c.sub(d, c.times(delta, 0.5))))
		if c.Str("reduce") != "no" {
			loss = c.Reduce("ReduceSum", loss, false, 1)
		}
		c.Return(loss)
	}},
	{Op: chainerFunctions + "softmax_cross_entropy", Lower: softmaxCrossEntropy},
	{Op: chainerFunctions + "sigmoid_cross_entropy", Lower: func(c *Call) {
		x := c.first()
		labels := c.Tensor("t")
		t := c.Cast(labels, x.DType)
		count := c.Cast(c.Op("Not", In(c.Op("Equal", In(labels, c.Scalar(labels.DType, -1))))), x.DType)
		loss := c.mul(count, c.sub(c.Op("Softplus", In(x)), c.mul(t, x)))
		if c.Str("reduce") != "no" {
			loss = c.over(c.sumAll(loss), c.examples(count))
		}
		c.Return(loss)
	}},
	{Op: chainerFunctions + "hinge", Lower: func(c *Call) {
		x := c.first()
		own := c.Op("Equal", In(c.rangeTo(c.dimSize(x, 1)), c.Unsqueeze(c.Operand("t", onnx.Int64), 1)))
		loss := c.atLeastOf(c.plus(c.either(own, c.neg(x), x), 1), 0)
		if c.Str("norm") == "L2" {
			loss = c.mul(loss, loss)
		}
		c.Return(c.meanOverExamples(loss))
	}},
	{Op: chainerFunctions + "contrastive", Lower: func(c *Call) {
		d := c.difference("x0", "x1")
		squares := c.Reduce("ReduceSum", c.mul(d, d), false, 1)
		y := c.Operand("y", d.DType)
		far := c.atLeastOf(c.sub(c.Number("margin", d.DType), c.sqrt(squares)), 0)
		loss := c.times(c.add(c.mul(y, squares), c.mul(c.oneMinus(y), c.mul(far, far))), 0.5)
		c.Return(c.meanOverExamples(loss))
	}},
	{Op: chainerFunctions + "triplet", Lower: func(c *Call) {
		near, far := c.difference("anchor", "positive"), c.difference("anchor", "negative")
		loss := c.Reduce("ReduceSum", c.sub(c.mul(near, near), c.mul(far, far)), false, 1)
		c.Return(c.meanOverExamples(c.atLeastOf(c.add(loss, c.Number("margin", loss.DType)), 0)))
	}},
	{Op: chainerFunctions + "cross_covariance", Lower: func(c *Call) {
		c.Return(c.halfSquares(c.covarianceOf(c.Tensor("y"), c.Tensor("z"))))
	}},
	{Op: chainerFunctions + "decov", Lower: func(c *Call) {
		h := c.Tensor("h")
		n := c.rangeTo(c.dimSize(h, 1))
		diagonal := c.Op("Equal", In(c.Unsqueeze(n, 0), c.Unsqueeze(n, 1)))
		c.Return(c.halfSquares(c.either(diagonal, c.Scalar(h.DType, 0), c.covarianceOf(h, h))))
	}},
	{Op: chainerFunctions + "accuracy", Lower: func(c *Call) {
		y, t := c.Tensor("y"), c.Operand("t", onnx.Int64)
		best := c.Op("ArgMax", In(y), onnx.IntAttr("axis", 1), onnx.IntAttr("keepdims", 0))
		hit := c.Cast(c.Op("Equal", In(c.Op("Reshape", In(best, c.Shape(t))), t)), onnx.Float)
		if !c.Has("ignore_label") {
			c.Return(c.Cast(c.overAll(hit), c.OutDType(0)))
			return
		}
		count := c.Cast(c.Op("Not", In(c.Op("Equal", In(t, c.Number("ignore_label", onnx.Int64))))), onnx.Float)
		n := c.sumAll(count)
		share := c.over(c.sumAll(c.mul(hit, count)), c.Op("Max", In(n, c.Scalar(onnx.Float, 1)))) // of none 0
		c.Return(c.Cast(share, c.OutDType(0)))
	}},
	{Op: chainerFunctions + "binary_accuracy", Lower: func(c *Call) {
		y, t := c.Tensor("y"), c.Operand("t", onnx.Int64)
		positive := c.Cast(c.Op("GreaterOrEqual", In(y, c.Scalar(y.DType, 0))), onnx.Int64)
		count := c.Cast(c.Op("Not", In(c.Op("Equal", In(t, c.I64Scalar(-1))))), onnx.Float)
		hit := c.mul(c.Cast(c.Op("Equal", In(positive, t)), onnx.Float), count)
		c.Return(c.Cast(c.over(c.sumAll(hit), c.atLeastOf(c.sumAll(count), 1)), c.OutDType(0)))
	}},
	{Op: chainerFunctions + "classification_summary " + chainerFunctions + "f1_score", Lower: classScores},
	{Op: chainerFunctions + "r2_score", Lower: func(c *Call) {
		if c.Has("sample_weight") {
			c.Failf("weights of examples")
		}
		pred, y := c.Tensor("pred"), c.Tensor("true")
		if pred.DType != y.DType {
			pred, y = c.Cast(pred, onnx.Double), c.Cast(y, onnx.Double)
		}
		d, spread := c.sub(pred, y), c.sub(y, c.Reduce("ReduceMean", y, true, 0))
		sum := func(v V) V { return c.Reduce("ReduceSum", c.mul(v, v), false, 0) }
		all := sum(spread)
		score := c.either(c.isZero(all), c.Scalar(y.DType, 0), c.oneMinus(c.over(sum(d), all)))
		if c.Str("multioutput") == "uniform_average" {
			score = c.overAll(score)
		}
		c.Return(c.Cast(score, c.OutDType(0)))
	}},
	{Op: chainerFunctions + "connectionist_temporal_classification", Lower: ctc},
	{Op: chainerFunctions + "negative_sampling", None: "its samples are random"},
}

// classScores are precision, recall and F score of each class and how many examples it has; or, of the functions f1_score,
// precision and recall, which share a record, one of the scores and that number.
func classScores(c *Call) {
	t := c.flat(c.Operand("t", onnx.Int64))
	best := c.flat(c.Op("ArgMax", In(c.Tensor("y")), onnx.IntAttr("axis", 1), onnx.IntAttr("keepdims", 0)))
	best.DType = onnx.Int64
	n := c.add(c.Reduce("ReduceMax", t, false, 0), c.I64Scalar(1))
	if c.Has("label_num") {
		n = c.number("label_num", c.Arg("label_num"), onnx.Int64)
	}
	classes := c.rangeTo(n)
	own := func(labels V) V { return c.Op("Equal", In(c.Unsqueeze(labels, 1), classes)) }
	count := func(is V) V { return c.Reduce("ReduceSum", c.Cast(is, onnx.Int64), false, 0) }
	found, right := own(best), own(t)
	if c.Has("ignore_label") {
		counts := c.Unsqueeze(c.Op("Not", In(c.Op("Equal", In(t, c.Number("ignore_label", onnx.Int64))))), 1)
		found, right = c.Op("And", In(found, counts)), c.Op("And", In(right, counts))
	}
	share := func(of V) V {
		return c.over(c.Cast(count(c.Op("And", In(found, right))), onnx.Double), c.Cast(count(of), onnx.Double))
	}
	precision, recall, support := share(found), share(right), count(right)
	beta := 1.0
	if c.Node.Op == chainerFunctions+"classification_summary" {
		beta = c.Float("beta")
	}
	f := c.over(c.mul(c.times(precision, 1+beta*beta), recall), c.add(c.times(precision, beta*beta), recall))
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
func (c *Call) difference(a, b string) V { return c.sub(c.Tensor(a), c.Tensor(b)) }

// sumAll is the sum of all elements, overAll their mean.
func (c *Call) sumAll(x V) V  { return c.Reduce("ReduceSum", c.flat(x), false, 0) }
func (c *Call) overAll(x V) V { return c.over(c.sumAll(x), c.Cast(c.Op("Size", In(x)), x.DType)) }

// examples is what a loss is divided by: the elements that count, or with normalize=False the examples, at least 1.
func (c *Call) examples(count V) V {
	if c.Bool("normalize") {
		return c.atLeastOf(c.sumAll(count), 1)
	}
	return c.atLeastOf(c.Cast(c.dimSize(c.first(), 0), count.DType), 1)
}

// meanOverExamples is the sum of a loss over the number of its rows, or with reduce="no" the loss.
func (c *Call) meanOverExamples(loss V) V {
	if c.Str("reduce") == "no" {
		return loss
	}
	return c.over(c.sumAll(loss), c.Cast(c.dimSize(loss, 0), loss.DType))
}

// covarianceOf is that of the columns of two matrices, over the number of their rows.
func (c *Call) covarianceOf(y, z V) V {
	centre := func(v V) V { return c.sub(v, c.Reduce("ReduceMean", v, true, 0)) }
	return c.over(c.matMul(c.Transpose(centre(y), 1, 0), centre(z)), c.Cast(c.dimSize(y, 0), y.DType))
}

// halfSquares is half the sum of squares, or with reduce="no" the matrix.
func (c *Call) halfSquares(m V) V {
	if c.Str("reduce") == "no" {
		return m
	}
	return c.times(c.sumAll(c.mul(m, m)), 0.5)
}

// softmaxCrossEntropy is minus the logarithm of the label's softmax, times the weight of the class; a label to be ignored
// counts neither in the sum nor in the number.
func softmaxCrossEntropy(c *Call) {
	x, labels := c.first(), c.Tensor("t")
	if isFloat(labels.DType) {
		c.softTargets(x, c.Cast(labels, x.DType))
		return
	}
	at := c.Cast(labels, onnx.Int64)
	ignored := c.Op("Equal", In(at, c.Number("ignore_label", onnx.Int64)))
	at = c.either(ignored, c.I64Scalar(0), at)
	log := c.Op("LogSoftmax", In(x), onnx.IntAttr("axis", 1))
	loss := c.neg(c.Squeeze(c.Op("GatherElements", In(log, c.Unsqueeze(at, 1)), onnx.IntAttr("axis", 1)), 1))
	if c.Has("class_weight") {
		loss = c.mul(loss, c.Op("Gather", In(c.Operand("class_weight", x.DType), at), onnx.IntAttr("axis", 0)))
	}
	loss = c.either(ignored, c.Scalar(x.DType, 0), loss)
	if c.Str("reduce") != "no" {
		loss = c.over(c.sumAll(loss), c.examples(c.Cast(c.Op("Not", In(ignored)), x.DType)))
	}
	c.Return(loss)
}

// softTargets is the cross entropy of distributions t, or the Kullback-Leibler divergence, of each example or their
// mean. Weights of classes and the label to ignore do not count.
func (c *Call) softTargets(x, t V) {
	log := c.Op("LogSoftmax", In(x), onnx.IntAttr("axis", 1))
	loss := c.neg(c.mul(t, log))
	if c.Str("soft_target_loss") == "kl-divergence" {
		loss = c.mul(t, c.sub(c.Op("Log", In(c.plus(t, 1e-7))), log))
	}
	loss = c.Reduce("ReduceSum", loss, false, 1)
	if c.Str("reduce") != "no" {
		loss = c.overAll(loss)
	}
	c.Return(loss)
}
