package chainer

// This file holds losses and evaluations. The functions are those of chainer/functions/loss and
// chainer/functions/evaluation. Arguments that do not depend on the inputs (reduce, norm, margin)
// are checked first, as Chainer's constructors do before the type check runs; the message of the
// earlier fault is the one that is reported.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// losses lists losses and evaluations. A loss needs floating predictions, labels of integers, or targets
// of the same type, as its record expects; reduce= decides between a scalar and the unreduced losses.
// Evaluations have no gradient.
func losses() []ops.Op {
	const pair, xt = "(x0, x1)", "(x, t, normalize=True, reduce='mean')"
	evaluated := func(names, label, sig string, r rule, doc string) ops.Op {
		return fn(names, label, sig, r, doc).With(ops.Op{Is: graph.CutsGradient})
	}
	return []ops.Op{
		// These keep the shape and type of their inputs.
		fn("absolute_error", "AbsoluteError", pair, paired("x0", "x1", false), "the difference of elements"),
		fn("squared_error", "SquaredError", pair, paired("x0", "x1", false), "the square of the difference of elements"),
		fn("squared_difference", "SquaredError", "(x1, x2)", paired("x1", "x2", false), "the square of the difference of elements"),
		// The means are scalars of the dtype of the inputs.
		fn("mean_absolute_error", "MeanAbsoluteError", pair, paired("x0", "x1", true), "the mean difference"),
		fn("mean_squared_error", "MeanSquaredError", pair, paired("x0", "x1", true), "the mean of squared differences"),
		// huber_loss: the same shape and dtype for x and t. The sum removes the second axis.
		fn("huber_loss", "HuberLoss", "(x, t, delta, reduce='sum_along_second_axis')", func(k *call) value.Value {
			sum := k.reduction("no", "sum_along_second_axis")
			if !k.apply("x", "t") || !k.expect(floating, "x.dtype == t.dtype", "x.shape == t.shape") {
				return nil
			}
			if _, isTensor := k.Value("delta").(*value.Tensor); !isTensor {
				k.real("delta")
			}
			if !sum {
				return k.like("x")
			}
			if len(k.s("x")) < 2 && k.OK() {
				return k.Errorf("numpy.AxisError", diag.DimOutOfRange, "huber_loss(): there is no second axis to sum along: %s", k.t("x"))
			}
			return k.out(k.d("x"), ops.Without(k.s("x"), 1)...)
		}, "squared for small differences, linear for large ones"),
		fn("softmax_cross_entropy", "SoftmaxCrossEntropy|SoftmaxCrossEntropy*",
			"(x, t, normalize=True, cache_score=True, class_weight=None, ignore_label=-1, reduce='mean', enable_double_backprop=False, soft_target_loss='cross-entropy')",
			softmaxCrossEntropy, "cross entropy of softmax and labels, or of a distribution"),
		// sigmoid_cross_entropy: labels of integers in the shape of x; a scalar, or the shape of x.
		fn("sigmoid_cross_entropy", "SigmoidCrossEntropy", xt, func(k *call) value.Value {
			mean := k.reduction("no", "mean")
			if !k.apply("x", "t") || !k.expect(floating, "t.dtype.kind == i", "x.shape == t.shape") {
				return nil
			}
			if mean {
				return k.out(k.d("x"))
			}
			return k.like("x")
		}, "cross entropy of sigmoid and labels"),
		// hinge: x is (N, classes), t a vector of N labels below the number of classes.
		fn("hinge", "Hinge", "(x, t, norm='L1', reduce='mean')", func(k *call) value.Value {
			k.oneOf("norm", "NotImplementedError", "L1", "L2")
			mean := k.reduction("no", "mean")
			if !k.apply("x", "t") || !k.expect(floating, "t.dtype.kind == i", "x.ndim == 2", "t.ndim == 1", "x.shape[0] == t.shape[0]") {
				return nil
			}
			k.labels("t", k.s("x")[1])
			if mean {
				return k.out(k.d("x"))
			}
			return k.like("x")
		}, "the hinge loss"),
		// contrastive: x0 and x1 are (N, features), y says for each pair whether it is one class.
		fn("contrastive", "Contrastive", "(x0, x1, y, margin=1, reduce='mean')", func(k *call) value.Value {
			k.margin()
			mean := k.reduction("no", "mean")
			if !k.apply("x0", "x1", "y") || !k.expect("x0.dtype.kind == f", "x0.dtype == x1.dtype", "y.dtype.kind == i", "x0.shape == x1.shape",
				"x1.shape[0] == y.shape[0]",
				"x1.shape[0] > 0", "x0.ndim == 2", "x1.ndim == 2", "y.ndim == 1") {
				return nil
			}
			if mean {
				return k.out(k.d("x0"))
			}
			return k.out(k.d("x0"), k.s("x0")[0])
		}, "pairs near or apart"),
		// triplet: three inputs of one shape (N, features, …); the sum along features leaves (N,
		// …).
		fn("triplet", "Triplet", "(anchor, positive, negative, margin=0.2, reduce='mean')", func(k *call) value.Value {
			k.margin()
			mean := k.reduction("no", "mean")
			if !k.apply("anchor", "positive", "negative") || !k.expect("anchor.dtype.kind == f", "anchor.dtype == positive.dtype",
				"anchor.dtype == negative.dtype",
				"anchor.shape == positive.shape", "anchor.shape == negative.shape", "anchor.shape[0] > 0") {
				return nil
			}
			s := k.s("anchor")
			if len(s) < 2 {
				return k.Errorf("numpy.AxisError", diag.DimOutOfRange, "triplet(): there is no second axis to sum along: %s", k.t("anchor"))
			}
			if mean {
				return k.out(k.d("anchor"))
			}
			return k.out(k.d("anchor"), ops.Without(s, 1)...)
		}, "an anchor nearer to one than to another"),
		// cross_covariance: y (N, A) and z (N, B) give the matrix (A, B), or half its squared sum.
		fn("cross_covariance", "CrossCovariance", "(y, z, reduce='half_squared_sum')", func(k *call) value.Value {
			sum := k.reduction("no", "half_squared_sum")
			if !k.apply("y", "z") || !k.expect("y.dtype.kind == f", "y.dtype == z.dtype", "y.ndim == 2", "z.ndim == 2", "y.shape[0] == z.shape[0]") {
				return nil
			}
			if sum {
				return k.out(k.d("y"))
			}
			return k.out(k.d("y"), k.s("y")[1], k.s("z")[1])
		}, "how much columns of y and z vary together"),
		// decov: h (N, A) gives its matrix (A, A), or half the squared sum of what is off the
		// diagonal.
		fn("decov", "DeCov", "(h, reduce='half_squared_sum')", func(k *call) value.Value {
			sum := k.reduction("no", "half_squared_sum")
			if !k.apply("h") || !k.expect("h.dtype.kind == f", "h.ndim == 2") {
				return nil
			}
			if sum {
				return k.out(k.d("h"))
			}
			return k.out(k.d("h"), k.s("h")[1], k.s("h")[1])
		}, "how much columns vary together"),
		// negative_sampling: x (N, features), t a vector of N words, W (words, features). The loss
		// is a scalar or a vector of N; the samples that are returned beside it are (N,
		// sample_size+1) of int32, of which the first column is the right word.
		fn("negative_sampling", "NegativeSamplingFunction", "(x, t, W, sampler, sample_size, reduce='sum', *, return_samples=False)",
			func(k *call) value.Value {
				sum := k.reduction("no", "sum")
				if !k.apply("x", "t", "W") || !k.expect(floating, "x.ndim == 2", "t.dtype == int32", "t.ndim == 1", "x.shape[0] == t.shape[0]",
					"W.dtype == x.dtype", "W.ndim == 2") {
					return nil
				}
				// No expression of the type check compares the features; the product of elements
				// does, by broadcasting.
				if _, ok := k.BroadcastDim(k.s("x")[1], k.s("W")[1]); !ok {
					return k.Errorf("ValueError", diag.ShapeMismatch, "negative_sampling(): x %s does not fit W %s", k.t("x"), k.t("W"))
				}
				n := k.number("sample_size")
				if v, ok := ops.DimVal(n); k.OK() && ok && v < 0 {
					return k.Errorf("ValueError", diag.BadValue, "negative_sampling(): sample_size is %d", v)
				}
				if !k.callable("sampler") {
					return nil
				}
				k.labels("t", k.s("W")[0])
				v := k.out(k.d("x"))
				if !sum {
					v = k.out(k.d("x"), k.s("x")[0])
				}
				if k.flag("return_samples") && k.OK() {
					samples := k.Out(dtype.I32, dims(k.s("t")[0], k.P.DimAdd(n, k.Const(1))))
					samples.Class = k.NDArray()
					return value.NewTuple(v, samples)
				}
				return v
			}, "the right word against sampled ones"),
		fn("connectionist_temporal_classification", "ConnectionistTemporalClassification|?",
			"(x, t, blank_symbol, input_length=None, label_length=None, reduce='mean')", ctcRule,
			"labels of a sequence without their places"),
		// accuracy and binary_accuracy are scalars of the dtype of the predictions.
		evaluated("accuracy", "Accuracy", "(y, t, ignore_label=None)", func(k *call) value.Value {
			if k.Has("ignore_label") {
				k.real("ignore_label")
			}
			if !k.scored() {
				return nil
			}
			return k.out(k.d("x"))
		}, "how many labels are right"),
		// The names of the arguments differ from those of the type check, which are x and t.
		evaluated("binary_accuracy", "BinaryAccuracy", "(y, t)", func(k *call) value.Value {
			y, t := k.input("y"), k.input("t")
			k.bind("x", y)
			k.bind("t", t)
			if !k.expect(floating, "t.dtype.kind == i", "t.shape == x.shape") {
				return nil
			}
			return k.out(k.d("x"))
		}, "how many signs are right"),
		// The four results are vectors with one element for each class; support counts in int64.
		evaluated("classification_summary", "ClassificationSummary", "(y, t, label_num=None, beta=1.0, ignore_label=-1)",
			func(k *call) value.Value {
				k.real("beta")
				n := k.classes()
				if !k.OK() {
					return nil
				}
				return value.NewTuple(k.Out(dtype.F64, n), k.Out(dtype.F64, n), k.Out(dtype.F64, n), k.Out(dtype.I64, n))
			}, "precision, recall, F score and number of each class"),
		evaluated("f1_score precision recall", "ClassificationSummary", "(y, t, label_num=None, ignore_label=-1)", func(k *call) value.Value {
			n := k.classes()
			if !k.OK() {
				return nil
			}
			return value.NewTuple(k.Out(dtype.F64, n), k.Out(dtype.I64, n))
		}, "a score of each class, and its number"),
		// r2_score: the first axis is that of examples, which is averaged; the others are outputs.
		evaluated("r2_score", "R2_score", "(pred, true, sample_weight=None, multioutput='uniform_average')", func(k *call) value.Value {
			if k.Has("sample_weight") {
				return k.Errorf("NotImplementedError", diag.BadCall, "r2_score(): sample_weight is not implemented")
			}
			mean := k.oneOf("multioutput", "ValueError", "uniform_average", "raw_values") == "uniform_average"
			if !k.apply("pred", "true") || !k.expect("pred.dtype.kind == f", "true.dtype.kind == f", "pred.shape == true.shape") {
				return nil
			}
			s := k.s("pred")
			if len(s) == 0 {
				return k.Errorf("numpy.AxisError", diag.DimOutOfRange, "r2_score(): needs an axis of examples: %s", k.t("pred"))
			}
			if mean {
				return k.out(k.d("pred"))
			}
			return k.out(k.d("pred"), s[1:]...)
		}, "the coefficient of determination"),
	}
}

// paired is the rule of a loss of two floating inputs of one dtype and shape, whose result is a
// scalar of their dtype (mean) or one number for each element.
func paired(a, b string, mean bool) rule {
	return func(k *call) value.Value {
		if !k.apply(a, b) || !k.expect(a+".dtype.kind == f", a+".dtype == "+b+".dtype", a+".shape == "+b+".shape") {
			return nil
		}
		if mean {
			return k.out(k.d(a))
		}
		return k.like(a)
	}
}

// margin must be a number that is positive where it is known (ValueError).
func (k *call) margin() {
	k.real("margin")
	if f, known := k.Float("margin"); k.OK() && known && f <= 0 {
		k.Errorf("ValueError", diag.BadValue, "%s(): margin should be positive, but is %v", k.Short(), f)
	}
}

// callable checks that an argument can be called. An instance passes, since its class may have
// __call__.
func (k *call) callable(name string) bool {
	switch v := k.Value(name).(type) {
	case *value.Func, *value.Builtin, *value.BoundMethod, *value.Class, *value.Unknown, *value.Instance, *value.Choice:
		return true
	default:
		k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be callable, not %s", k.Short(), name, ops.TypeName(v))
	}
	return false
}

// softmaxCrossEntropy takes predictions x (N, classes, …) with labels t of integers (N, …), or with
// a distribution of the shape of x. The result is a scalar, or without a reduction the shape of x
// without its second axis. It checks with a comparison of dtypes that is no expression, so that
// what does not fit ends as RuntimeError.
func softmaxCrossEntropy(k *call) value.Value {
	k.oneOf("soft_target_loss", "ValueError", "cross-entropy", "kl-divergence")
	// The weights are looked at before the inputs, as the constructor of the function class does.
	if k.Has("class_weight") {
		w, ok := k.Value("class_weight").(*value.Tensor)
		switch {
		case !ok && !value.IsUnknown(k.Value("class_weight")):
			return k.Errorf("AttributeError", diag.TypeMismatch, "%s(): class_weight must be an array", k.Short())
		case ok && (w.Type().Rank() != 1 || w.Type().DType != dtype.Unknown && !w.Type().DType.IsFloat() || IsVariable(w)):
			return k.Errorf("ValueError", diag.BadValue, "%s(): class_weight must be a one-dimensional array of floats, not %s", k.Short(), w)
		}
		if ok {
			k.bind("class_weight", w)
		}
	}
	mean := k.reduction("no", "mean")
	if !k.apply("x", "t") {
		return nil
	}
	s, t := k.s("x"), k.s("t")
	if !k.OK() {
		return nil
	}
	// Which of the two forms it is depends on the dtype of t alone.
	d := k.d("t")
	if d == dtype.Unknown || k.d("x") == dtype.Unknown {
		return k.Lose("a dtype is not known")
	}
	wrong := func(code diag.Code, expect, actual string) value.Value {
		return k.Errorf(runtimeError, code,
			"%s(): invalid operation in %s (Forward): expect %s, actual %s, x %s, t %s (Chainer says: An Expr instance cannot be evaluated as bool)",
			k.Short(), k.label, expect, actual, k.t("x"), k.t("t"))
	}
	if !k.d("x").IsFloat() {
		return wrong(diag.DTypeMismatch, floating, k.d("x").NumpyKind()+" != f")
	}
	// The soft targets may have another floating dtype: the result has the wider one.
	if d.NumpyKind() != "i" { // a distribution
		if !d.IsFloat() {
			return wrong(diag.DTypeMismatch, "t.dtype.kind == f", d.NumpyKind()+" != f")
		}
		if len(s) != len(t) || !k.SameSizes(s, t) {
			return wrong(diag.ShapeMismatch, "x.shape == t.shape", s.String()+" != "+t.String())
		}
		if len(s) < 2 {
			return k.Errorf("numpy.AxisError", diag.DimOutOfRange, "%s(): there is no axis of classes: %s", k.Short(), k.t("x"))
		}
		if mean {
			return k.out(wider(k.d("x"), d))
		}
		return k.out(wider(k.d("x"), d), ops.Without(s, 1)...)
	}
	// Labels: one for each place of x, without the axis of classes.
	if len(t) != len(s)-1 {
		return wrong(diag.RankMismatch, "t.ndim == x.ndim - 1", itoa(len(t))+" != "+itoa(len(s)-1))
	}
	if len(s) < 2 {
		return k.Errorf("IndexError", diag.RankMismatch, "%s(): there is no axis of classes: %s", k.Short(), k.t("x"))
	}
	if _, ok := k.Same(s[0], t[0]); !ok {
		k.Blame(ops.Ref{Tensor: k.t("x"), Axis: 0}, ops.Ref{Tensor: k.t("t"), Axis: 0})
		return wrong(diag.ShapeMismatch, "x.shape[0] == t.shape[0]", s[0].String()+" != "+t[0].String())
	}
	if !k.SameSizes(s[2:], t[1:]) {
		return wrong(diag.ShapeMismatch, "x.shape[2:] == t.shape[1:]", s[2:].String()+" != "+t[1:].String())
	}
	if w := k.t("class_weight"); w != nil {
		if _, ok := k.BroadcastDim(k.Shape(w)[0], s[1]); !ok {
			return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): class_weight %s does not fit %s classes", k.Short(), w, s[1])
		}
	}
	// Labels that are known must name a class. Negative ones count from the end, as NumPy indexes.
	if ignored, ok := value.AsInt(k.Value("ignore_label")); ok {
		if n, known := ops.DimVal(s[1]); known {
			for _, e := range k.t("t").Contents() {
				if i, isInt := value.AsInt(e); isInt && i != ignored && (i >= n || i < -n) {
					return k.Errorf("IndexError", diag.BadIndex, "%s(): label %d is out of bounds for %d classes", k.Short(), i, n)
				}
			}
		}
	}
	if mean {
		return k.out(k.d("x"))
	}
	return k.out(k.d("x"), t...)
}

// scored checks predictions, by class along the second axis, against labels: x is (N, classes, …)
// and t has the same shape without the classes, where x may have further axes of size 1. The
// prediction is the argmax along the classes, so that there must be one. It reports whether all
// this is so.
func (k *call) scored() bool {
	y, t := k.input("y"), k.input("t")
	k.bind("x", y)
	k.bind("t", t)
	if !k.expect(floating, "t.dtype.kind == i", "x.ndim >= t.ndim", "x.shape[0] == t.shape[0]", "x.shape[2:t.ndim + 1] == t.shape[1:]") {
		return false
	}
	for i := len(k.s("t")) + 1; i < len(k.s("x")); i++ {
		if !k.expect("x.shape[" + itoa(i) + "] == 1") {
			return false
		}
	}
	if len(k.s("x")) < 2 {
		k.Errorf("numpy.AxisError", diag.DimOutOfRange, "%s(): there is no axis of classes: %s", k.Short(), k.t("x"))
	}
	if k.OK() && !k.AtLeast(k.s("x")[1], 1) {
		k.Errorf("ValueError", diag.BadValue, "%s(): there are no classes to choose from: %s", k.Short(), k.t("x"))
	}
	return k.OK()
}

// classes is the number of classes that a summary is of: given, or one more than the largest label.
// Where the labels are not known it is a fresh symbol of the data. It is nil after a fault, as
// where there are no labels, of which NumPy's max fails.
func (k *call) classes() symshape.Shape {
	var n symshape.Dim
	if k.Has("label_num") {
		n = k.number("label_num")
	}
	if !k.scored() {
		return nil
	}
	if k.Has("label_num") {
		return dims(n)
	}
	labels := k.t("t").Contents()
	if z, ok := ops.DimVal(k.NumelOf(k.t("t"))); ok && z == 0 {
		k.Errorf("ValueError", diag.BadValue, "%s(): there are no labels, so that their number is not known", k.Short())
		return nil
	}
	if labels == nil {
		return dims(k.Th.DataInt("classes", 0, k.t("t").V).D)
	}
	top := int64(0)
	for _, e := range labels {
		v, ok := value.AsInt(e)
		if !ok {
			return dims(k.Th.DataInt("classes", 0, k.t("t").V).D)
		}
		top = max(top, v+1)
	}
	return dims(k.Const(top))
}

// ctcRule needs a list of steps, each of one floating type with two axes (batch, classes), and a
// blank_symbol among the classes. Labels are an int32 matrix with a row for each example, and lengths
// int32 vectors of the batch size. The result is a scalar, or a vector of the batch size with reduce="no".
func ctcRule(k *call) value.Value {
	if !ops.IsSequence(k.Value("x")) && !value.IsUnknown(k.Value("x")) {
		return k.Errorf("TypeError", diag.TypeMismatch, "%s(): x must be a list of Variables, not %s", k.Short(), ops.TypeName(k.Value("x")))
	}
	blank := k.number("blank_symbol")
	xs, ok := k.sequence("x", k.Value("x"))
	if !ok || !k.OK() {
		return nil
	}
	if len(xs) == 0 {
		// With an empty list x[0] fails, before any check.
		return k.Errorf("IndexError", diag.BadIndex, "%s(): x has no steps", k.Short())
	}
	for i, v := range xs {
		k.bind("x"+itoa(i), k.asInput("x["+itoa(i)+"]", v))
	}
	// The class of the blank is compared in the type check under this name.
	k.let("blank", blank)
	if !k.OK() {
		return nil
	}
	if s := k.s("x0"); len(s) != 2 {
		return k.Errorf("AssertionError", diag.RankMismatch, "%s(): each step must have 2 dimensions: %s", k.Short(), k.t("x0"))
	} else if !k.AtLeast(blank, 0) || !k.holds("<", blank, s[1]) {
		return k.Errorf("AssertionError", diag.BadValue, "%s(): blank_symbol %s is none of the %s classes", k.Short(), blank, s[1])
	}
	mean := k.reduction("no", "mean")
	// All steps have the type of the first one.
	for i := range xs {
		if i > 0 && !k.expect("x"+itoa(i)+".dtype == x0.dtype", "x"+itoa(i)+".shape == x0.shape") {
			return nil
		}
	}
	if !k.apply("t", "input_length?", "label_length?") || !k.expect("t.ndim == 2", "t.dtype == int32", "x0.dtype.kind == f",
		"t.shape[0] == x0.shape[0]") {
		return nil
	}
	k.labels("t", k.s("x0")[1])
	// The lengths are optional; a vector of the batch size each.
	for _, n := range [...]string{"input_length", "label_length"} {
		if k.t(n) != nil && !k.expect(n+".dtype == int32", n+".ndim == 1", n+".shape[0] == x0.shape[0]") {
			return nil
		}
	}
	if mean {
		return k.out(k.d("x0"))
	}
	return k.out(k.d("x0"), k.s("x0")[0])
}
