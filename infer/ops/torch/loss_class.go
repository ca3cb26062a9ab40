package torch

// This file holds the losses of classification. The checks follow
// aten/src/ATen/native/LossNLL.cpp, Loss.cpp and LossCTC.cpp. The order of the checks is PyTorch's,
// as the exception differs: the Python function raises ValueErrors, the kernels RuntimeErrors.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var classLossOps = [...]ops.Op{
	{Names: []string{nnf + "cross_entropy"},
		Sig: "(Tensor input, Tensor target, Tensor? weight=None, any size_average=None, int ignore_index=-100, any reduce=None, " +
			"str reduction='mean', float label_smoothing=0.0)", Rule: crossEntropy, Form: graph.CrossEntropy, Quirks: ops.OneDevice,
		Axes:  "input: N classes; input: N classes L; input: N classes H W; target: N; target: N L; target: N H W",
		Trace: ops.ComparesOperands, Doc: "nll_loss of log_softmax"},
	{Names: []string{nnf + "nll_loss"},
		Sig: "(Tensor input, Tensor target, Tensor? weight=None, any size_average=None, int ignore_index=-100, any reduce=None, " +
			"str reduction='mean')", Rule: nllLoss, Form: graph.NLL, Is: graph.Loss, Quirks: ops.OneDevice, Axes: "input: N classes; target: N",
		Trace: ops.ComparesOperands, Doc: "negative log likelihood of classes"},
	{Names: []string{nnf + "binary_cross_entropy"}, Sig: "(Tensor input, Tensor target, Tensor? weight=None, " + legacyReduction, Rule: bce,
		Form: graph.BinaryEntropy, Quirks: ops.OneDevice, Trace: ops.ComparesOperands, Doc: "cross entropy of probabilities"},
	{Names: []string{nnf + "binary_cross_entropy_with_logits"},
		Sig: "(Tensor input, Tensor target, Tensor? weight=None, any size_average=None, any reduce=None, " +
			"str reduction='mean', Tensor? pos_weight=None)", Rule: bceLogits, Form: graph.LogitEntropy, Quirks: ops.OneDevice,
		Trace: ops.ComparesOperands, Doc: "cross entropy of logits"},
	{Names: []string{"torch.binary_cross_entropy_with_logits"},
		Sig:  "(Tensor input, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=0)",
		Rule: bceLogits, Form: graph.LogitEntropy, Quirks: ops.OneDevice, Trace: ops.ComparesOperands, Doc: "cross entropy of logits"},
	{Names: []string{nnf + "ctc_loss"},
		Sig:  "(Tensor log_probs, Tensor targets, any input_lengths, any target_lengths, int blank=0, str reduction='mean', bool zero_infinity=False)",
		Rule: ctcLoss, Is: graph.Loss, Trace: ops.ComparesOperands, Doc: "connectionist temporal classification"},
	{Names: []string{"torch.ctc_loss"},
		Sig:  "(Tensor log_probs, Tensor targets, any input_lengths, any target_lengths, int blank=0, int reduction=0, bool zero_infinity=False)",
		Rule: ctcLoss, Trace: ops.ComparesOperands, Doc: "connectionist temporal classification"},
}

// crossEntropy has a target of classes (int64, without the axis of classes) or of probabilities
// (floating, of the input's shape). label_smoothing lies between 0 and 1.
func crossEntropy(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	xs, ys := c.Shape(x), c.Shape(y)
	how := reduction(c)
	if !ok || !c.OK() {
		return nil
	}
	// PyTorch 1 does not refuse a negative one.
	if f, known := c.Float("label_smoothing"); known && (f > 1 || f < 0 && !c.Torch1()) {
		return c.Errorf("RuntimeError", diag.BadValue, "cross_entropy: label_smoothing must lie between 0 and 1, but is %g", f)
	}
	if len(xs) == 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "cross_entropy: the input must have a dimension of classes, but it is %s", x)
	}
	// A floating-point target of the input's shape holds probabilities.
	if len(xs) == len(ys) && (y.Type().DType.IsFloat() || y.Type().DType.IsComplex() || ops.SameShape(xs, ys)) {
		return probabilityLoss(c, x, y, how)
	}
	if !wantDType(c, x, "the input", ops.RealFloats) {
		return nil
	}
	return classLoss(c, x, y, how)
}

// probabilityLoss is cross_entropy with a target of probabilities: both have one shape, with the
// classes in axis 1 (or alone), which goes from the result. The dtype is the promoted one of input,
// target and weight. A target of the input's shape with another dtype is a common mistake (classes
// in one-hot form), and has a message of its own.
func probabilityLoss(c *ops.Call, x, y *value.Tensor, how string) value.Value {
	xs := x.Type().Shape
	// The batches are compared first, with a ValueError.
	if len(xs) > 1 {
		c.Blame(ops.Ref{Tensor: x, Axis: 0}, ops.Ref{Tensor: y, Axis: 0})
		if _, ok := c.Same(xs[0], y.Type().Shape[0]); !ok {
			return c.Errorf("ValueError", diag.ShapeMismatch, "cross_entropy: the batch sizes of the input %s and the target %s differ", x, y)
		}
	}
	if !matchShapes(c, x, "the input", y, "the target of probabilities") {
		return nil
	}
	if !y.Type().DType.IsFloat() && y.Type().DType != dtype.Unknown {
		return c.Errorf("RuntimeError", diag.DTypeMismatch,
			"cross_entropy: a target of the input's shape %s holds probabilities, but its dtype is %s", x, y.Type().DType)
	}
	// A vector is one sample of classes.
	axis := min(1, len(xs)-1)
	w := c.Tensor("weight") // it multiplies, with promotion
	if !wantDType(c, x, "the input", ops.RealFloats) || !vector(c, w, "weight", xs[axis], ops.Ref{Tensor: x, Axis: axis},
		"the number of classes of the input "+x.String()+" is") {
		return nil
	}
	d := c.ResultType(x, y)
	if w != nil {
		d = c.ResultType(x, y, w)
	}
	return reduced(c, how, d, ops.Without(xs, axis))
}

// classWeights checks that weight, unless None, has one element for each class, and the dtype of
// the input. It reports whether there is no fault.
func classWeights(c *ops.Call, x *value.Tensor, classes symshape.Dim, axis int) bool {
	w := c.Tensor("weight")
	return vector(c, w, "weight", classes, ops.Ref{Tensor: x, Axis: axis}, "the number of classes of the input "+x.String()+" is") &&
		matchDType(c, x, "the input", w, "weight")
}

// nllLoss takes logarithms of probabilities, and targets of classes. The demands are those of
// cross_entropy with classes, with no probabilities as targets.
func nllLoss(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	xs := c.Shape(x)
	c.Shape(y)
	how := reduction(c)
	if !ok || !c.OK() {
		return nil
	}
	if len(xs) == 0 {
		return c.Errorf("ValueError", diag.RankMismatch, "nll_loss: the input must have a dimension of classes, but it is %s", x)
	}
	if !wantDType(c, x, "the input", ops.RealFloats) {
		return nil
	}
	return classLoss(c, x, y, how)
}

// classLoss is the loss of input [N, C, …] or [C] and target [N, …] or []. Without a reduction the
// result has the shape of the target. Targets are int64 or u8, and classes that are known lie
// within C, but for ignore_index. A vector as target with a vector as input must have one element
// in PyTorch 2.
func classLoss(c *ops.Call, x, y *value.Tensor, how string) value.Value {
	xs, ys := x.Type().Shape, y.Type().Shape
	axis := min(1, len(xs)-1)
	// The shape of the target: the input's without its classes.
	want := ops.Without(xs, axis)
	if len(xs) == 1 && len(ys) == 1 {
		if want = (symshape.Shape{c.Const(1)}); c.Torch1() {
			want = xs // the classes are taken for the batch
		}
	}
	// The class of the exception depends on which of PyTorch's checks finds it.
	class := "RuntimeError"
	if len(want) != len(ys) {
		if len(ys) == 0 {
			class = "ValueError"
		} else if len(xs) > 1 {
			if a, b := xs[0], ys[0]; a.Expr != nil && b.Expr != nil && c.Decide(c.P.Eq(a.Expr, b.Expr)) == symshape.No {
				class = "ValueError" // PyTorch compares the batches first
			}
		}
		return c.Errorf(class, diag.RankMismatch, "%s: the target of the input %s must have shape %s, but it is %s", c.Short(), x, want, y)
	}
	// Axis 0 is that of the batch; those after the classes are one further in the input.
	for i := range want {
		from := i
		if i > 0 {
			from = i + 1
		}
		c.Blame(ops.Ref{Tensor: x, Axis: from}, ops.Ref{Tensor: y, Axis: i})
		if _, ok := c.Same(want[i], ys[i]); !ok {
			if i == 0 && (len(xs) > 1 || !c.Torch1()) {
				class = "ValueError"
			}
			return c.Errorf(class, diag.ShapeMismatch, "%s: the target of the input %s must have shape %s, but it is %s", c.Short(), x, want, y)
		}
	}
	c.Blame()
	// The reduction of an empty target does not look at its dtype.
	looked := how == "none" || !isEmpty(ys) // at the target
	if !classWeights(c, x, xs[axis], axis) || looked && !wantDType(c, y, "the target of classes", 1<<dtype.I64|1<<dtype.U8) ||
		!inClasses(c, y, xs[axis], "ignore_index") {
		return nil
	}
	if len(xs) == 1 {
		ys = symshape.Shape{}
	}
	return reduced(c, how, x.Type().DType, ys)
}

// inClasses checks classes that are known against their number, but for the one that is ignored. It
// reports whether there is no fault. ignore is the name of the parameter, or empty. A class that is
// not known, or a number of classes, passes.
func inClasses(c *ops.Call, y *value.Tensor, classes symshape.Dim, ignore string) bool {
	n, ok := ops.DimVal(classes)
	if !ok {
		return true
	}
	skip, known := int64(0), false
	if ignore != "" {
		skip, known = c.Dim(ignore).Const()
		if !known {
			return true
		}
	}
	for _, e := range y.Contents() {
		if i, ok := e.(value.Int); ok && (int64(i) < 0 || int64(i) >= n) && !(known && int64(i) == skip) {
			c.Errorf("IndexError", diag.DimOutOfRange, "%s: class %d of the target is outside the %d classes", c.Short(), int64(i), n)
			return false
		}
	}
	return c.OK()
}

// bce is binary_cross_entropy: target and input have one shape and dtype, the weight broadcasts to
// it. Input and target are probabilities between 0 and 1, which is not checked. The weight may have
// fewer axes but not a larger shape than the input.
func bce(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	w := c.Tensor("weight")
	how := reduction(c)
	if !ok || !c.OK() || !bceSizes(c, x, y) {
		return nil
	}
	s := c.Shape(x)
	if !c.OK() {
		return nil
	}
	if w != nil {
		out := c.BroadcastTensors(x, w)
		if !c.OK() || len(out) != len(s) && !broadcastable(c, w, "weight", s) {
			return nil
		}
	}
	if !matchDType(c, x, "the input", y, "the target") || !castable(c, x, w, "weight") || !wantDType(c, x, "the input", ops.RealFloats) {
		return nil
	}
	return reduced(c, how, x.Type().DType, s)
}

// bceSizes demands equal shapes: nothing broadcasts, a ValueError otherwise. Unranked tensors pass.
func bceSizes(c *ops.Call, x, y *value.Tensor) bool {
	if !x.Type().Ranked || !y.Type().Ranked {
		return true
	}
	xs, ys := x.Type().Shape, y.Type().Shape
	fits := len(xs) == len(ys)
	for i := 0; fits && i < len(xs); i++ {
		c.Blame(ops.Ref{Tensor: x, Axis: i}, ops.Ref{Tensor: y, Axis: i})
		_, fits = c.Same(xs[i], ys[i])
	}
	if !fits {
		c.Errorf("ValueError", diag.ShapeMismatch, "%s: the target must have the input's shape %s, but it is %s", c.Short(), x, y)
		return false
	}
	c.Blame()
	return true
}

// bceLogits is binary_cross_entropy_with_logits: both weights broadcast to the target. The
// functional form demands one shape of input and target, the torch form lets the input broadcast.
// The result has the target's shape and dtype, into which the promoted dtype must be convertible.
func bceLogits(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	w, pos := c.Tensor("weight"), c.Tensor("pos_weight")
	how := reduction(c)
	if !ok || !c.OK() {
		return nil
	}
	// Only the functional form has reduce.
	if c.HasParam("reduce") && !bceSizes(c, x, y) {
		return nil
	}
	// It is computed in place of 1-target.
	s := c.Shape(y)
	if !c.OK() || !broadcastable(c, x, "the input", s) {
		return nil
	}
	if !broadcastable(c, w, "weight", s) || !broadcastable(c, pos, "pos_weight", s) || !noBools(c, x, y) ||
		!wantDType(c, x, "the input", ops.Inexact) {
		return nil
	}
	d := y.Type().DType
	if all := c.ResultType(x, y, tensorValue(w), tensorValue(pos)); d != dtype.Unknown && all != dtype.Unknown && !dtype.CanCast(all, d) {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: the loss of %s cannot be computed in the target's dtype %s", c.Short(), all, d)
	}
	return reduced(c, how, d, s)
}

// tensorValue is t as a value, None for nil: a nil pointer in an interface would be no None. Go
// compares interfaces by type too, so such a value would not be recognised as nil.
func tensorValue(t *value.Tensor) value.Value {
	if t == nil {
		return value.None
	}
	return t
}

// ctcLoss needs log_probs (steps, [batch,] classes) of real floats, blank among the classes, and a length
// of input and of target for each example. Targets are a matrix with a row for each and columns for the
// longest, or a vector as long as their lengths together; no input is longer than the steps. The unreduced
// loss has a value for each example. The losses of examples are divided by the lengths of targets
// for "mean", which does not change the type.
func ctcLoss(c *ops.Call) value.Value {
	x, y := c.Tensor("log_probs"), c.Tensor("targets")
	how := reduction(c)
	if !c.OK() || x == nil || y == nil || !wantRank(c, x, 2, 3) || !wantRank(c, y, 1, 2) {
		return nil
	}
	// Without a batch the loss is a scalar.
	s := c.Shape(x)
	if !c.OK() {
		return nil
	}
	batch, classes, out := c.Const(1), s[len(s)-1], symshape.Shape{}
	if len(s) == 3 {
		batch, out = s[1], symshape.Shape{s[1]}
	}
	for _, name := range [...]string{"input_lengths", "target_lengths"} {
		if !ctcLengths(c, name, x, batch) {
			return nil
		}
	}
	if b := c.Dim("blank"); c.OK() {
		n, ok1 := classes.Const()
		i, ok2 := b.Const()
		if ok1 && ok2 && (i < 0 || i >= n) {
			return c.Errorf("RuntimeError", diag.BadValue, "ctc_loss: blank=%d is outside the %d classes of %s", i, n, x)
		}
	}
	// Targets as a matrix: a row for each example. The longest target must fit the columns.
	if ys := y.Type().Shape; y.Type().Ranked && len(ys) == 2 {
		c.Blame(ops.Ref{Tensor: x, Axis: 1}, ops.Ref{Tensor: y, Axis: 0})
		if _, ok := c.Same(ys[0], batch); !ok {
			return c.Shapef("ctc_loss: the targets %s do not fit the batch of %s in %s", y, batch, x)
		}
		c.Blame()
		for _, e := range lengths(c, "target_lengths") {
			if n, ok := ops.DimVal(ys[1]); ok && e > n {
				return c.Errorf("RuntimeError", diag.BadValue, "ctc_loss: target_lengths has %d, but the targets %s have only %d columns", e, y, n)
			}
		}
	}
	// Targets one after another: the lengths must add up.
	if ys := y.Type().Shape; y.Type().Ranked && len(ys) == 1 {
		if list := lengths(c, "target_lengths"); list != nil {
			sum := int64(0)
			for _, e := range list {
				sum += e
			}
			if _, ok := c.Same(ys[0], c.Const(sum)); !ok {
				return c.Shapef("ctc_loss: target_lengths add up to %d, but the targets are %s", sum, y)
			}
		}
	}
	for _, e := range lengths(c, "input_lengths") {
		if n, ok := ops.DimVal(s[0]); ok && e > n {
			return c.Errorf("RuntimeError", diag.BadValue, "ctc_loss: input_lengths has %d, but there are only %d time steps in %s", e, n, x)
		}
	}
	if !wantDType(c, x, "log_probs", ops.RealFloats) {
		return nil
	}
	return reduced(c, how, x.Type().DType, out)
}

// lengths gives the numbers of a list or tensor, or nil when one is not known. A list of unknown
// length gives nil as well, or what is known of it.
func lengths(c *ops.Call, name string) []int64 {
	var elems []value.Value
	switch v := c.Value(name).(type) {
	case *value.Tensor:
		elems = v.Contents()
	case *value.Tuple:
		elems = v.Elems
	case *value.List:
		elems = v.Elems
	}
	var out []int64
	for _, e := range elems {
		i, ok := e.(value.Int)
		if !ok {
			return nil
		}
		out = append(out, int64(i))
	}
	return out
}

// ctcLengths checks that there is a length for each example; x and batch are for the fault. A
// tensor of lengths must be of integers. It reports whether there is no fault.
func ctcLengths(c *ops.Call, name string, x *value.Tensor, batch symshape.Dim) bool {
	n := symshape.Dim{}
	switch v := c.Value(name).(type) {
	case *value.Tensor:
		if !v.Type().Ranked {
			return true
		}
		if !wantDType(c, v, name, ops.Integers) {
			return false
		}
		n = c.NumelOf(v)
	case *value.Tuple:
		n = c.Const(int64(len(v.Elems)))
	case *value.List:
		if v.Open != nil {
			return true
		}
		n = c.Const(int64(len(v.Elems)))
	default:
		c.Errorf("TypeError", diag.TypeMismatch, "ctc_loss(): argument '%s' must be a Tensor or ints, not %s", name, ops.TypeName(v))
		return false
	}
	c.Blame(ops.Ref{Tensor: x, Axis: 1})
	if _, ok := c.Same(n, batch); !ok {
		c.Shapef("ctc_loss: %s has %s elements, but the batch of %s has %s", name, n, x, batch)
		return false
	}
	c.Blame()
	return true
}
