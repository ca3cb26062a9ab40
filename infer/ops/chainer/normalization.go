package chainer

// This file holds the normalizations. A normalization does not look at values: all its rule does is
// to compare the shapes of what is multiplied and added. Running statistics are arrays that Chainer
// updates in place, so that they are no inputs of the type check.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// normalizations lists the normalizations, whose result has the type of x (in layer_normalization gamma's
// size may widen the features). Scales and shifts agree with each other and with the axes that they belong
// to; the number of groups divides the channels, the second axis. gamma and beta must be floating
// and of one dtype; x may have another floating dtype (mixed precision).
func normalizations() []ops.Op {
	return []ops.Op{
		fn("batch_normalization", "BatchNormalization",
			"(x, gamma, beta, *, eps=2e-05, running_mean=None, running_var=None, decay=0.9, axis=None)",
			func(k *call) value.Value {
				k.real("eps")
				k.real("decay")
				axis := k.sorted("axis")
				if !k.apply("x", "gamma", "beta") || !k.expect(floating, "gamma.dtype.kind == f", "gamma.dtype == beta.dtype",
					"gamma.shape == beta.shape") {
					return nil
				}
				if !k.perFeature(axis) {
					return nil
				}
				k.statistics("gamma", "running_mean", "running_var")
				return k.like("x")
			}, "mean 0 and variance 1 over a batch"),
		fn("fixed_batch_normalization", "FixedBatchNormalization", "(x, gamma, beta, mean, var, eps=2e-05, axis=None)", fixedNormalization,
			"normalized by given mean and variance"),
		fn("fixed_batch_renormalization", "FixedBatchNormalization", "(x, gamma, beta, mean, var, eps=2e-05)", fixedNormalization,
			"normalized by given mean and variance"),
		// The part after the bar is what the creator of the result is: several functions, or one that the arguments decide (creator.go).
		fn("batch_renormalization", "BatchRenormalizationFunction|?",
			"(x, gamma, beta, rmax, dmax, eps=2e-05, running_mean=None, running_var=None, decay=0.9, update_statistics=False)",
			func(k *call) value.Value {
				// Chainer makes no statistics of its own here.
				for _, n := range [...]string{"running_mean", "running_var"} {
					if !k.Has(n) {
						return k.Errorf("TypeError", diag.BadCall, "batch_renormalization(): %s is required", n)
					}
				}
				for _, n := range [...]string{"rmax", "dmax", "eps", "decay"} {
					k.real(n)
				}
				if !k.apply("x", "gamma", "beta") || !k.expect(floating, "x.ndim >= gamma.ndim + 1", "x.shape[1:1 + gamma.ndim] == gamma.shape",
					"gamma.dtype.kind == f",
					"gamma.dtype == beta.dtype", "gamma.shape == beta.shape") {
					return nil
				}
				return k.renormalized()
			}, "batch normalization near to the running statistics"),
		// Groups of channels are decorrelated: the channels of each must be whole.
		fn("decorrelated_batch_normalization", "DecorrelatedBatchNormalization",
			"(x, *, groups=16, eps=2e-05, running_mean=None, running_projection=None, decay=0.9)", func(k *call) value.Value {
				g := k.number("groups")
				k.real("eps")
				k.real("decay")
				if !k.apply("x") {
					return nil
				}
				k.let("groups", g)
				if !k.expect(floating, "x.ndim >= 2", "x.shape[1] % groups == 0") {
					return nil
				}
				if !k.halfless("x") {
					return nil
				}
				return k.decorrelated(g)
			}, "channels of groups made independent over a batch"),
		// It is fixed_batch_normalization with a projection; the demands are those of NumPy's
		// broadcasting, which raises a ValueError.
		fn("fixed_decorrelated_batch_normalization", "FixedDecorrelatedBatchNormalization", "(x, mean, projection, groups=16)",
			func(k *call) value.Value {
				g := k.number("groups")
				if !k.apply("x", "mean", "projection") || !k.expect(floating, "mean.dtype == x.dtype", "projection.dtype == x.dtype", "x.ndim >= 2") {
					return nil
				}
				// The number of groups is checked after the types, as Chainer divides by it in
				// forward.
				if n, ok := ops.DimVal(g); ok && n == 0 {
					return k.Errorf("ZeroDivisionError", diag.BadValue, "%s(): groups is 0", k.Short())
				}
				c := k.P.DimFloorDiv(k.s("x")[1], g)
				if !k.MultipleOf(k.s("x")[1], g) {
					return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): %s channels are no multiple of %s groups", k.Short(), k.s("x")[1], g)
				}
				m, p := k.s("mean"), k.s("projection")
				if !k.OK() {
					return nil
				}
				// The statistics are (groups, channels of each) and a matrix for each group.
				if len(m) != 2 || !k.BroadcastsTo(m, dims(g, c)) {
					return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): mean must have shape %s, not %s", k.Short(), dims(g, c), m)
				}
				if n := len(p); n < 2 || !k.SameSizes(p[n-2:], dims(c, c)) || !k.BroadcastsTo(p, dims(g, c, c)) {
					return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): projection must have shape %s, not %s", k.Short(), dims(g, c, c), p)
				}
				return k.like("x")
			}, "channels made independent by a given projection"),
		// gamma and beta are one number for each channel.
		fn("group_normalization", "GroupNormalization", "(x, groups, gamma, beta, eps=1e-05)", func(k *call) value.Value {
			g := k.number("groups")
			k.real("eps")
			if !k.apply("x", "gamma", "beta") || !k.expect(floating, "x.ndim >= 2", "gamma.ndim == 1", "beta.ndim == 1", "gamma.dtype.kind == f",
				"gamma.dtype == beta.dtype",
				"x.shape[1] == gamma.shape[0]", "gamma.shape == beta.shape") {
				return nil
			}
			if n, ok := ops.DimVal(g); ok && n == 0 {
				return k.Errorf("ZeroDivisionError", diag.BadValue, "group_normalization(): groups is 0")
			}
			if !k.MultipleOf(k.s("x")[1], g) {
				return k.Errorf("ValueError", diag.ShapeMismatch, "group_normalization(): %s channels are not divisible by %s groups: %s",
					k.s("x")[1], g, k.t("x"))
			}
			// The reshape to (1, N·groups, -1) must know its last size. NumPy cannot infer -1 for
			// an array of no elements.
			if n, ok := ops.DimVal(k.P.DimMul(k.P.DimMul(k.s("x")[0], k.s("x")[1]), g)); ok && n <= 0 {
				return k.Errorf("ValueError", diag.InvalidSize, "group_normalization(): what remains of %s beside %d rows is not decided", k.t("x"), n)
			}
			return k.like("x")
		}, "mean 0 and variance 1 over groups of channels"),
		// x is a matrix of examples and features; gamma has a number for each feature.
		fn("layer_normalization", "LayerNormalization", "(x, gamma, beta, eps=1e-05)", func(k *call) value.Value {
			k.real("eps")
			if !k.apply("x", "gamma", "beta") || !k.expect(floating, "x.ndim == 2", "gamma.ndim == 1", "beta.ndim == 1", "gamma.dtype == x.dtype",
				"beta.dtype == x.dtype", "gamma.shape == beta.shape") {
				return nil
			}
			// A gamma of size 1 is broadcast over the features, and one feature over gamma.
			d, ok := k.BroadcastDim(k.s("gamma")[0], k.s("x")[1])
			if !ok {
				k.invalid(diag.ShapeMismatch, "gamma.shape that broadcasts to x.shape", k.s("gamma").String()+", "+k.s("x").String())
				return nil
			}
			return k.out(k.d("x"), k.s("x")[0], d)
		}, "mean 0 and variance 1 over the features of each example"),
		// The neighbours are along the second axis; nothing is demanded of n.
		fn("local_response_normalization", "LocalResponseNormalization", "(x, n=5, k=2, alpha=0.0001, beta=0.75)", func(k *call) value.Value {
			k.number("n")
			for _, n := range [...]string{"k", "alpha", "beta"} {
				k.real(n)
			}
			if !k.apply("x") || !k.expect(floating, "x.ndim >= 2") {
				return nil
			}
			return k.like("x")
		}, "normalized over neighbouring channels"),
	}
}

// decorrelated gives the type of x, if running statistics fit groups of its channels: (groups, c)
// for the mean and (groups, c, c) for the projection, with c channels in each group. A mean or
// projection that is None is made by the function.
func (k *call) decorrelated(groups symshape.Dim) value.Value {
	if n, ok := ops.DimVal(groups); ok && n < 0 {
		return k.Errorf("ValueError", diag.BadValue, "%s(): groups is %d", k.Short(), n)
	}
	c := k.P.DimFloorDiv(k.s("x")[1], groups)
	for _, want := range [...]struct {
		name string
		s    symshape.Shape
	}{{"running_mean", dims(groups, c)}, {"running_projection", dims(groups, c, c)}} {
		t, ok := k.Value(want.name).(*value.Tensor)
		if ok && k.OK() && !k.BroadcastsTo(want.s, k.Shape(t)) {
			return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): %s must have shape %s, not %s", k.Short(), want.name, want.s, t)
		}
	}
	return k.like("x")
}

// halfless refuses half precision, for which NumPy's linalg has no functions, and reports whether
// the input has another dtype. Chainer's message is NumPy's.
func (k *call) halfless(name string) bool {
	if k.d(name).Numpy() == "float16" {
		k.Errorf("TypeError", diag.DTypeMismatch, "%s(): array type float16 is unsupported in linalg", k.Short())
	}
	return k.OK()
}

// sorted reads axes that must be in ascending order; nil for None. Others are a RuntimeError of
// Chainer's own check, a list is a TypeError. A number that is not sorted or appears twice is a
// fault.
func (k *call) sorted(name string) []int {
	if !k.HasParam(name) || !k.Has(name) {
		return nil
	}
	v := k.Value(name)
	if !ops.IsSequence(v) {
		if _, ok := value.AsInt(v); !ok && !value.IsUnknown(v) {
			k.Errorf(runtimeError, diag.TypeMismatch, "%s(): axis must be an int, a tuple of ints or None, not %s", k.Short(), ops.TypeName(v))
			return nil
		}
		return []int{k.integer(name)}
	}
	if _, list := v.(*value.List); list {
		k.Errorf("TypeError", diag.TypeMismatch, "%s(): axis must be a tuple, not a list", k.Short())
		return nil
	}
	elems, _ := k.sequence(name, v)
	out := []int{}
	for _, e := range elems {
		n, ok := ops.DimVal(k.asInt(name, e))
		if !ok {
			k.Lose("an axis is not known")
			return nil
		}
		if len(out) > 0 && int(n) <= out[len(out)-1] {
			k.Errorf(runtimeError, diag.BadValue, "%s(): numbers in axis must be sorted in ascending order", k.Short())
			return nil
		}
		out = append(out, int(n))
	}
	return out
}

// perFeature checks that gamma has the sizes of the axes of x that are not reduced. Without axes
// the first is reduced and those that gamma has not, as for images. It reports whether all fit.
// Keys are the axes that stay; gamma has one axis for each.
func (k *call) perFeature(axis []int) bool {
	x, g := k.s("x"), k.s("gamma")
	if !k.OK() {
		return false
	}
	// The default for batch normalization: the batch and the spatial axes.
	if axis == nil {
		axis = []int{0}
		for i := len(g) + 1; i < len(x); i++ {
			axis = append(axis, i)
		}
	}
	k.let("axes", k.Const(int64(len(axis))))
	if !k.expect("x.ndim >= axes") {
		return false
	}
	var keys []int
	for i := range x {
		if !slices.Contains(axis, i) {
			keys = append(keys, i)
		}
	}
	k.let("keys", k.Const(int64(len(keys))))
	if !k.expect("gamma.ndim == keys") {
		return false
	}
	for i, a := range keys {
		if !k.expect("x.shape[" + itoa(a) + "] == gamma.shape[" + itoa(i) + "]") {
			return false
		}
	}
	// An axis that is not there is NumPy's AxisError, which comes last, as Chainer finds it when it
	// computes the mean.
	for _, a := range axis {
		if a >= len(x) || a < -len(x) {
			k.Errorf("numpy.AxisError", diag.DimOutOfRange, "%s(): axis %d is out of bounds for %s", k.Short(), a, k.t("x"))
			return false
		}
	}
	return true
}

// statistics checks running statistics, which are updated in place: the input of that name must
// broadcast to their shape, which does not change. None and what is not known are skipped.
func (k *call) statistics(of string, names ...string) {
	for _, n := range names {
		if !k.OK() || !k.Has(n) {
			continue
		}
		t, ok := k.Value(n).(*value.Tensor)
		if !ok {
			if !value.IsUnknown(k.Value(n)) {
				k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be an array, not %s", k.Short(), n, ops.TypeName(k.Value(n)))
			}
			continue
		}
		s, g := k.Shape(t), k.s(of)
		if !k.OK() {
			return
		}
		if !k.BroadcastsTo(g, s) {
			k.Errorf("ValueError", diag.ShapeMismatch, "%s(): %s is %s, but %s is %s", k.Short(), n, t, of, k.t(of))
		}
	}
}

// renormalized is the result of batch_renormalization: the running statistics are broadcast with those of the batch,
// and what limits the features with all of x, so that it may be greater than x. Statistics that are updated keep
// their shape. r and d are the names of the paper (Batch Renormalization, Ioffe 2017). It returns a
// result of unknown shape where a statistic is not known.
func (k *call) renormalized() value.Value {
	gamma := k.s("gamma")
	if !k.OK() {
		return nil
	}
	limits := make([]symshape.Shape, 0, 2)
	for _, n := range [...]string{"running_mean", "running_var"} {
		t, ok := k.Value(n).(*value.Tensor)
		switch {
		case !ok && value.IsUnknown(k.Value(n)):
			return k.Out(k.d("x"), nil)
		case !ok || IsVariable(t):
			return k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be an array, not %s", k.Short(), n, ops.TypeName(k.Value(n)))
		}
		s := k.Shape(t)
		if !k.OK() {
			return nil
		}
		limits = append(limits, s)
		if !ops.SameShape(gamma, s) && k.flag("update_statistics") && !k.BroadcastsTo(gamma, s) {
			return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): %s is %s, but gamma is %s", k.Short(), n, t, k.t("gamma"))
		}
	}
	// The variance limits r, both limit d.
	r, _, fits := k.Broadcast(gamma, limits[1])
	d, _, both := k.Broadcast(gamma, limits[0], limits[1])
	if !fits || !both {
		return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): running_mean is %s and running_var %s, but gamma is %s", k.Short(),
			k.Value("running_mean"),
			k.Value("running_var"), k.t("gamma"))
	}
	x := k.s("x")
	// The statistics belong to axis 1 and those after it. expand gives a statistic the axes of x.
	expand := func(s symshape.Shape) symshape.Shape {
		out := append(symshape.Shape{k.Const(1)}, s...)
		for range len(x) - len(gamma) - 1 {
			out = append(out, k.Const(1))
		}
		return out
	}
	out, _, ok := k.Broadcast(x, expand(r), expand(d))
	if !ok {
		return k.Errorf("ValueError", diag.ShapeMismatch, "%s(): running_mean is %s and running_var %s, which do not fit x, %s", k.Short(),
			k.Value("running_mean"),
			k.Value("running_var"), k.t("x"))
	}
	return k.out(k.d("x"), out...)
}

// fixedNormalization takes mean and variance as operands, of gamma's shape and dtype. It serves
// fixed_batch_normalization and the renormalization of that kind. The axes that are kept have
// gamma's sizes.
func fixedNormalization(k *call) value.Value {
	k.real("eps")
	axis := k.sorted("axis")
	if !k.apply("x", "gamma", "beta", "mean", "var") || !k.expect(floating, "gamma.dtype.kind == f", "beta.dtype == gamma.dtype",
		"mean.dtype == gamma.dtype", "var.dtype == gamma.dtype",
		"beta.shape == gamma.shape", "mean.shape == gamma.shape", "var.shape == gamma.shape") || !k.perFeature(axis) {
		return nil
	}
	return k.like("x")
}
