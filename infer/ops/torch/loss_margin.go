package torch

// This file holds the margin losses of classification. The checks follow
// aten/src/ATen/native/LossMultiMargin.cpp and LossMultiLabelMargin.cpp. The dtype of a loss is the
// input's. reduced gives the shape by reduction: "none" keeps out, "mean" and "sum" give a number.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var marginLossOps = [...]ops.Op{
	{Names: []string{nnf + "multi_margin_loss"}, Sig: "(Tensor input, Tensor target, Scalar p=1, Scalar margin=1.0, Tensor? weight=None, " +
		legacyReduction, Rule: multiMargin,
		Is: graph.Loss, Trace: ops.ComparesOperands, Doc: "hinge loss of classes"},
	{Names: []string{nnf + "multilabel_margin_loss"}, Sig: "(Tensor input, Tensor target, " + legacyReduction, Rule: multilabelMargin,
		Is: graph.Loss, Trace: ops.ComparesOperands, Doc: "hinge loss of sets of classes"},
	{Names: []string{nnf + "multilabel_soft_margin_loss"}, Sig: "(Tensor input, Operand target, any weight=None, " + legacyReduction,
		Rule: multilabelSoft,
		Is:   graph.Loss, Trace: ops.ComparesOperands, Doc: "mean over classes of binary cross entropy"},
}

// marginBatch checks an input [N, C], [C] or [] and gives its batch and classes, and the shape of
// the unreduced loss. ok is false after a fault. A vector is one sample, a number one sample with
// one class. There must be at least one class, which becomes a condition for a symbol.
func marginBatch(c *ops.Call, x *value.Tensor) (batch, classes symshape.Dim, out symshape.Shape, ok bool) {
	s := c.Shape(x)
	if !c.OK() {
		return
	}
	switch len(s) {
	case 0:
		return c.Const(1), c.Const(1), symshape.Shape{}, true
	case 1:
		batch, classes, out = c.Const(1), s[0], symshape.Shape{}
	case 2:
		batch, classes, out = s[0], s[1], symshape.Shape{s[0]}
	default:
		c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "%s: the input must have 1 or 2 dimensions, but it is %s", c.Short(), x)
		return
	}
	return batch, classes, out, need(c, classes, 1, "%s: the input %s has no classes", c.Short(), x)
}

// multiMargin takes a class for each sample: targets are int64 of the batch's size, and known ones
// lie within the classes; the weight has a number for each class. p is 1 or 2. The input is
// floating.
func multiMargin(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	how := reduction(c)
	if !ok || !c.OK() {
		return nil
	}
	if p, known := c.Float("p"); known && p != 1 && p != 2 {
		return c.Errorf("ValueError", diag.BadValue, "multi_margin_loss: p must be 1 or 2, but it is %g", p)
	}
	if w := c.Tensor("weight"); w != nil && w.Type().Ranked && len(w.Type().Shape) != 1 {
		return c.Errorf("ValueError", diag.RankMismatch, "multi_margin_loss: weight must have one dimension, but it is %s", w)
	}
	batch, classes, out, ok := marginBatch(c, x)
	if !ok {
		return nil
	}
	ys := c.Shape(y)
	if !c.OK() {
		return nil
	}
	// A batch of one may have its target without dimensions.
	if len(ys) == 0 && len(x.Type().Shape) == 2 && ops.IsConst(x.Type().Shape[0], 1) {
		out = symshape.Shape{} // one sample, whose loss has the shape of its class
	} else if len(ys) > 1 || len(x.Type().Shape) == 2 && len(ys) != 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch,
			"multi_margin_loss: the target of the input %s must have one class for each sample, but it is %s", x, y)
	}
	// The sizes of the batch must be equal.
	if len(ys) == 1 {
		c.Blame(ops.Ref{Tensor: x, Axis: 0}, ops.Ref{Tensor: y, Axis: 0})
		if _, ok := c.Same(ys[0], batch); !ok {
			return c.Shapef("multi_margin_loss: the target %s does not fit the batch of %s in the input %s", y, batch, x)
		}
		c.Blame()
	}
	// PyTorch 1 does not look at the number of weights.
	if !c.Torch1() && !classWeights(c, x, classes, max(len(x.Type().Shape)-1, 0)) || !wantDType(c, y, "the target", 1<<dtype.I64) ||
		!wantDType(c, x, "the input", ops.RealFloats) ||
		!inClasses(c, y, classes, "") {
		return nil
	}
	return reduced(c, how, x.Type().DType, out)
}

// multilabelMargin takes for each sample a list of classes that -1 ends, in the shape of the input.
// Labels are int64, at least -1 and below the number of classes. A vector's target has as many
// elements as there are classes.
func multilabelMargin(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	how := reduction(c)
	if !ok || !c.OK() {
		return nil
	}
	_, classes, out, ok := marginBatch(c, x)
	if !ok {
		return nil
	}
	if len(x.Type().Shape) < 2 && y.Type().Rank() < 2 {
		if !numelIs(c, y, "the target", classes, ops.Ref{Tensor: x, Axis: 0}, "the number of classes is") {
			return nil
		}
	} else if len(x.Type().Shape) > 0 {
		if !matchShapes(c, x, "the input", y, "the target") {
			return nil
		}
	} else if y.Type().Ranked && len(y.Type().Shape) > 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch,
			"multilabel_margin_loss: the target of the input %s must have one element, but it is %s", x, y)
	}
	if !wantDType(c, y, "the target", 1<<dtype.I64) || !wantDType(c, x, "the input", ops.RealFloats) {
		return nil
	}
	if n, ok := ops.DimVal(classes); ok {
		for _, e := range y.Contents() { // -1 ends the labels of a sample
			if i, ok := e.(value.Int); ok && (int64(i) < -1 || int64(i) >= n) {
				return c.Errorf("RuntimeError", diag.DimOutOfRange, "multilabel_margin_loss: class %d of the target is outside the %d classes",
					int64(i), n)
			}
		}
	}
	return reduced(c, how, x.Type().DType, out)
}

// multilabelSoft broadcasts input, target and weight, and averages over the input's last axis. A
// number as target or weight stands for a tensor of it. It is written in Python over logsigmoid, so
// its operands broadcast where those of the other two must agree. The dtype is the promoted one.
func multilabelSoft(c *ops.Call) value.Value {
	if ops.NumberKind(c.Value("target")) == dtype.KindComplex {
		return c.Lose("the target is a complex number")
	}
	x := c.Tensor("input")
	y, ok := x, x != nil
	if ops.NumberKind(c.Value("target")) == dtype.KindInvalid { // a number stands for one tensor of it
		x, y, ok = inputTarget(c)
	}
	var w *value.Tensor
	// A weight that is a number counts no dimension.
	if ops.NumberKind(c.Value("weight")) == dtype.KindInvalid {
		w = c.Tensor("weight")
	}
	how := reduction(c)
	if !ok || !c.OK() || !wantDType(c, x, "the input", ops.RealFloats) || !noBools(c, y) {
		return nil
	}
	s := c.BroadcastTensors(x, y)
	if w != nil && c.OK() {
		out, axis, ok := c.Broadcast(s, c.Shape(w))
		if !ok {
			return c.Shapef("multilabel_soft_margin_loss: the weight %s does not fit the input %s at dimension %d", w, x, -axis)
		}
		s = out
	}
	if !c.OK() {
		return nil
	}
	// The mean is over the axis that is the input's last. After broadcasting the number of axes may
	// be larger; the axis counted is the one of that number, as the function passes class_dim =
	// input.dim() − 1.
	a := x.Type().Rank() - 1
	if a < 0 || a >= len(s) {
		return c.Errorf("IndexError", diag.RankMismatch,
			"multilabel_soft_margin_loss: the input must have a dimension of classes, but it is %s", x)
	}
	return reduced(c, how, c.ResultType(x, y, tensorValue(w)), ops.Without(s, a))
}
