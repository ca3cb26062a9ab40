package chainer

// This file holds the reductions along axes, and what numbers elements along them. Chainer's type
// checks demand a floating input for nearly all of them (k.expect), and check axes before. The
// results keep the dtype but for indices, which are int32.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// reduced is the shape that remains without some axes. keep is keepdims; the order of axes does not
// matter.
func (k *call) reduced(s symshape.Shape, axes []int, keep bool) symshape.Shape {
	var out symshape.Shape
	for i, d := range s {
		switch {
		case !slices.Contains(axes, i):
			out = append(out, d)
		case keep:
			out = append(out, k.Const(1))
		}
	}
	return out
}

// reduce is the rule of a reduction of a floating input. Those that choose an element
// refuse to choose from none. The variant "mean" also refuses to divide by nothing.
func reduce(chooses bool) rule {
	return func(k *call) value.Value {
		if !k.apply("x") || !k.expect(floating) {
			return nil
		}
		axes, all := k.axes("axis", "x")
		keep := k.HasParam("keepdims") && k.flag("keepdims")
		if !k.OK() {
			return nil
		}
		s := k.s("x")
		if chooses && !k.notEmpty(s, axes, all) || k.Is("mean") && !k.divides(s, axes) {
			return nil
		}
		return k.out(k.d("x"), k.reduced(s, axes, keep)...)
	}
}

// divides refuses the mean of no elements. The quotient is computed in Python, which raises. Only
// sizes that are known to be 0 are refused.
func (k *call) divides(s symshape.Shape, axes []int) bool {
	for _, a := range axes {
		if z, ok := ops.DimVal(s[a]); ok && z == 0 {
			k.Errorf("ZeroDivisionError", diag.BadValue, "%s(): the mean of no elements of %s", k.Short(), k.t("x"))
		}
	}
	return k.OK()
}

// notEmpty makes it a condition that there is something to choose from. False after a report.
func (k *call) notEmpty(s symshape.Shape, axes []int, all bool) bool {
	for _, a := range axes {
		if !k.AtLeast(s[a], 1) {
			k.Errorf("ValueError", diag.BadValue, "%s(): nothing to choose from in axis %d of %s", k.Short(), a, s)
			return false
		}
	}
	return true
}

// reductions lists reductions along axes and cumulative functions. batch_l2_norm_squared needs at least
// one example and sums all axes but the first; sum_to keeps the last axes and sums those that its shape
// has as 1, of integers in 64 bits. sum_to is the inverse of broadcasting, and is used by the
// gradients of operators.
func reductions() []ops.Op {
	const sig = "(x, axis=None, keepdims=False)"
	return []ops.Op{
		fn("sum", "Sum", sig, reduce(false), "the sum along axes").With(ops.Op{Is: graph.OneTensor}),
		fn("prod", "Prod", sig, reduce(false), "the product along axes"),
		fn("max", "Max", sig, reduce(true), "the largest element along axes"),
		fn("min", "Min", sig, reduce(true), "the smallest element along axes"),
		fn("logsumexp", "LogSumExp", "(x, axis=None)", reduce(true), "log of the sum of exp along axes"),
		fn("argmax", "ArgMax", "(x, axis=None)", indexOf, "where the largest element is").With(ops.Op{Is: graph.CutsGradient}),
		fn("argmin", "ArgMin", "(x, axis=None)", indexOf, "where the smallest element is").With(ops.Op{Is: graph.CutsGradient}),
		fn("cumsum", "Cumsum", "(x, axis=None)", cumulative, "sums up to each element"),
		fn("cumprod", "Cumprod", "(x, axis=None)", cumulative, "products up to each element"),
		fn("batch_l2_norm_squared", "BatchL2NormSquared", "(x)", func(k *call) value.Value {
			if !k.apply("x") || !k.expect(floating, "x.ndim >= 2") {
				return nil
			}
			n := k.s("x")[0]
			if ops.IsConst(n, 0) {
				return k.Errorf("ValueError", diag.InvalidSize, "batch_l2_norm_squared(): %s has no examples", k.t("x"))
			}
			return k.out(k.d("x"), n)
		}, "squares summed over all but the first axis"),
		fn("average mean", "Mean|unweighted", "(x, axis=None, weights=None, keepdims=False)", averageRule, "the mean along axes, by weights").
			With(ops.Op{Variant: "mean", Is: graph.OneTensor}),
		fn("sum_to", "SumTo", "(x, shape)", func(k *call) value.Value {
			if !k.apply("x") {
				return nil
			}
			elems, ok := k.sequence("shape", k.Value("shape"))
			s := k.s("x")
			if !k.OK() || !ok {
				return nil
			}
			to := make(symshape.Shape, len(elems))
			for i, e := range elems {
				switch f := e.(type) { // only whether it is 1 matters
				case value.Float:
					to[i] = k.Const(0)
					if f == 1 {
						to[i] = k.Const(1)
					}
				case value.NoneType, value.Str:
					to[i] = k.Const(0)
				default:
					to[i] = k.asInt("shape", e)
				}
			}
			if !k.OK() {
				return nil
			}
			// More sizes than axes cannot be reached by summing.
			lead := len(s) - len(to)
			if lead < 0 {
				return k.Errorf("ValueError", diag.RankMismatch, "sum_to(): %s has fewer axes than %s", k.t("x"), to)
			}
			d, out := k.d("x"), append(symshape.Shape(nil), s[lead:]...)
			same := lead == 0
			for i := range to { // axes that are not to have size 1 stay as they are
				if _, one := to[i].Const(); one && ops.IsConst(to[i], 1) {
					same = same && ops.IsConst(out[i], 1)
					out[i] = to[i]
				}
			}
			// Nothing is summed if no axis changes, and then the dtype stays.
			if !same && d != dtype.Unknown && !d.IsFloat() && !d.IsComplex() {
				if d = dtype.I64; k.d("x").NumpyKind() == "u" {
					d = dtype.U64
				}
			}
			return k.out(d, out...)
		}, "the sum to a shape that could be broadcast to it"),
	}
}

// indexOf numbers elements along one axis, or among all. int32, without the axis; without one the
// array is flattened.
func indexOf(k *call) value.Value {
	if !k.apply("x") || !k.expect(floating) {
		return nil
	}
	s := k.s("x")
	if !k.Has("axis") {
		all := make([]int, len(s))
		for i := range all {
			all[i] = i
		}
		if !k.notEmpty(s, all, true) {
			return nil
		}
		return k.out(dtype.I32)
	}
	a := k.axis("axis", "x")
	if !k.OK() || !k.notEmpty(s, []int{a}, false) {
		return nil
	}
	return k.out(dtype.I32, ops.Without(s, a)...)
}

// cumulative is cumsum and cumprod: without an axis, of the flattened array. The shape is kept
// along an axis.
func cumulative(k *call) value.Value {
	if !k.apply("x") || !k.expect(floating) {
		return nil
	}
	if !k.Has("axis") {
		return k.out(k.d("x"), k.Numel(k.s("x")))
	}
	k.axis("axis", "x")
	return k.like("x")
}

// averageRule is the mean; with weights these have the shape of x, or of its one axis. With weights
// only one axis, or none, is allowed. keepdims is only looked at for Variables.
func averageRule(k *call) value.Value {
	if !k.Has("weights") {
		return reduce(false)(k)
	}
	if !k.apply("x", "weights") {
		return nil
	}
	s, w := k.s("x"), k.s("weights")
	if !k.OK() {
		return nil
	}
	axes, all := k.Value("axis"), !k.Has("axis")
	if t, ok := axes.(*value.Tuple); ok && len(t.Elems) > 1 {
		return k.Errorf("ValueError", diag.BadValue, "average(): a tuple of axes is not supported with weights")
	}
	if ops.IsSequence(axes) {
		if t, ok := axes.(*value.Tuple); !ok || len(t.Elems) == 0 {
			return k.Errorf("TypeError", diag.TypeMismatch, "average(): axis must be None, an int or a tuple of ints")
		}
	}
	if !all {
		list, _ := k.axes("axis", "x")
		if !k.OK() {
			return nil
		}
		n := k.Numel(w)
		if _, ok := k.Same(n, s[list[0]]); !ok {
			return k.Errorf(InvalidType, diag.ShapeMismatch, "average(): weights %s do not fit axis %d of %s", k.t("weights"), list[0], k.t("x"))
		}
		keep := k.flag("keepdims")
		return k.weighted(k.reduced(s, list, keep))
	}
	// Arrays take another way in Chainer, in which nothing is summed before the product.
	if x := k.t("x"); !IsVariable(x) && !IsVariable(k.t("weights")) {
		return k.weighted(k.reduced(k.BroadcastTensors(x, k.t("weights")), nil, true))
	}
	b := k.BroadcastTensors(k.t("x"), k.t("weights"))
	if !k.OK() {
		return nil
	}
	every := make([]int, len(b))
	for i := range every {
		every[i] = i
	}
	return k.weighted(k.reduced(b, every, k.flag("keepdims")))
}

// weighted is average with weights, whose dtype counts where they or nothing is a Variable. The two
// must have one dtype where x is a Variable.
func (k *call) weighted(s symshape.Shape) value.Value {
	if !k.expect(floating, "weights.dtype.kind == f") {
		return nil
	}
	d := k.d("x")
	if IsVariable(k.t("x")) && IsVariable(k.t("weights")) || !IsVariable(k.t("x")) {
		if IsVariable(k.t("weights")) {
			d = k.d("weights")
		}
		if IsVariable(k.t("x")) && !k.expect("x.dtype == weights.dtype") {
			return nil
		}
	}
	return k.out(d, s...)
}
