package torch

// This file holds the functions of torch.masked, which leave out the elements
// where a mask is false (torch/masked/_ops.py).

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

const (
	maskedReduceSig = "(Tensor input, int[1]? dim=None, *, bool? keepdim=False, ScalarType? dtype=None, Tensor? mask=None)"
	maskedAxisSig   = "(Tensor input, int? dim=None, *, bool? keepdim=False, ScalarType? dtype=None, Tensor? mask=None)"
	maskedScanSig   = "(Tensor input, int[1]? dim, *, ScalarType? dtype=None, Tensor? mask=None)"
	maskedStdSig    = "(Tensor input, int[1]? dim=None, any unbiased=None, *, any correction=None, bool? keepdim=False, ScalarType? dtype=None, Tensor? mask=None)"
	maskedStdSig1   = "(Tensor input, int[1]? dim=None, bool? unbiased=None, *, bool? keepdim=False, ScalarType? dtype=None, Tensor? mask=None)"
)

// A maskedRule describes a masked reduction, or with scan a function along an axis
// that keeps the shape.
type maskedRule struct {
	accept ops.DTypeSet
	// since2 are dtypes that PyTorch accepts since 2.0.
	since2 ops.DTypeSet
	// inexact2: since 2.0 it refuses integers and bools unless dtype is given.
	inexact2 bool
	result   func(*ops.Call, dtype.DType) dtype.DType
	scan     bool
	// full refuses to reduce axes of size 0.
	full bool
	// cast computes in the input's dtype and converts to that in dtype.
	cast bool
	// order fills masked elements with a least or greatest number, which bool and
	// complex do not have.
	order bool
	// given: a dtype that is given is changed, too.
	given bool
}

func sameDT(_ *ops.Call, d dtype.DType) dtype.DType { return d }
func sumDT(_ *ops.Call, d dtype.DType) dtype.DType  { return ops.SumType(d) }
func meanDT(c *ops.Call, d dtype.DType) dtype.DType { return c.ToFloat(d) }
func realDT(_ *ops.Call, d dtype.DType) dtype.DType { return d.Real() }

// The masked functions that differ from the others.
const (
	maskedProduct ops.Variant = "prod"
	argExtreme    ops.Variant = "argmax"
	logSumExp     ops.Variant = "logsumexp"
	vectorNorm    ops.Variant = "norm"
	negated       ops.Variant = "softmin"
)

func maskedStd(name string, r maskedRule) ops.Op {
	op := masked(name, maskedStdSig, r)
	op.Sig1, op.Rule = maskedStdSig1, func(c *ops.Call) value.Value {
		if c.HasParam("correction") && c.Has("correction") && c.Has("unbiased") {
			return c.Errorf("AssertionError", diag.BadCall, "%s() takes one of unbiased and correction", c.Short())
		}
		return r.apply(c)
	}
	return op
}

func masked(name, sig string, r maskedRule) ops.Op {
	return ops.Op{Names: spelled("masked." + name), Sig: sig, Rule: r.apply, Doc: "like torch." + name +
		", of the elements where the mask is true"}
}

var maskedReduceOps = [...]ops.Op{
	masked("sum", maskedReduceSig, maskedRule{accept: ops.AnyDType, result: sumDT}),
	masked("prod", maskedReduceSig, maskedRule{accept: ops.AnyDType, result: sumDT, given: true}).With(ops.Op{Variant: maskedProduct}),
	masked("amax", maskedReduceSig, maskedRule{accept: realDTypes, result: sameDT, full: true, cast: true, order: true}),
	masked("amin", maskedReduceSig, maskedRule{accept: realDTypes, result: sameDT, full: true, cast: true, order: true}),
	masked("argmax", maskedAxisSig, maskedRule{accept: ops.RealNums, result: sameDT, full: true, cast: true,
		order: true}).With(ops.Op{Variant: argExtreme}),
	masked("argmin", maskedAxisSig, maskedRule{accept: ops.RealNums, result: sameDT, full: true, cast: true,
		order: true}).With(ops.Op{Variant: argExtreme}),
	masked("mean", maskedReduceSig, maskedRule{accept: ops.AnyDType, inexact2: true, result: meanDT, given: true}),
	masked("median", "(Tensor input, int? dim=-1, *, bool keepdim=False, ScalarType? dtype=None, Tensor? mask=None)",
		maskedRule{accept: ops.AnyDType, result: sameDT, full: true}).With(ops.Op{Variant: median}),
	masked("logsumexp", maskedReduceSig, maskedRule{accept: realDTypes, since2: wideComplexes, result: sameDT, cast: true,
		order: true}).With(ops.Op{Variant: logSumExp}),
	masked("norm", "(Tensor input, Scalar? ord=2.0, int[1]? dim=None, *, bool? keepdim=False, ScalarType? dtype=None, Tensor? mask=None)",
		maskedRule{accept: ops.Inexact, result: realDT}).With(ops.Op{Variant: vectorNorm}),
	maskedStd("std", maskedRule{accept: ops.Numbers, result: meanDT, cast: true, given: true}).With(ops.Op{Floats: "correction"}),
	maskedStd("var", maskedRule{accept: ops.Numbers, result: meanDT, cast: true}).With(ops.Op{Floats: "correction"}),
	masked("cumsum", maskedScanSig, maskedRule{accept: ops.Numbers, result: sameDT, scan: true}),
	masked("cumprod", maskedScanSig, maskedRule{accept: ops.Numbers, result: sameDT, scan: true}),
	masked("softmax", maskedScanSig, maskedRule{accept: ops.RealFloats, result: sameDT, scan: true,
		order: true}).With(ops.Op{Form: graph.Softmax, Is: graph.KeepsAxes,
		Trace: ops.LeavesSizes}),
	masked("softmin", maskedScanSig, maskedRule{accept: ops.RealFloats, result: sameDT, scan: true,
		order: true}).With(ops.Op{Variant: negated}),
	masked("log_softmax", maskedScanSig, maskedRule{accept: ops.RealFloats, result: sameDT, scan: true, order: true}),
	masked("normalize", "(Tensor input, Scalar ord, int[1]? dim, *, float eps=1e-12, ScalarType? dtype=None, Tensor? mask=None)",
		maskedRule{accept: ops.Inexact, result: sameDT, scan: true}).With(ops.Op{Variant: vectorNorm}),
	{Names: spelled("masked.logaddexp"),
		Sig: "(Tensor input, Tensor other, *, ScalarType? dtype=None, Tensor? input_mask=None, Tensor? other_mask=None)", Rule: maskedLogaddexp,
		Quirks: ops.OneDevice, Doc: "like torch.logaddexp, of the elements where the masks are true"},
}

// apply checks a function of torch.masked: the mask must be expandable to the input's shape, and the dtype
// one that the function accepts, before or after a conversion by dtype=. With a mask, functions that order
// elements refuse bools and complex numbers. Functions along an axis keep the shape; median's default axis
// is the first, others reduce all.
func (r maskedRule) apply(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	if r.scan && !c.Has("dim") && len(s) == 0 {
		return c.Errorf("IndexError", diag.BadCall, "%s(): %s has no dimension that could be the default of dim", c.Short(), t)
	}
	if !maskFits(c, "mask", t) {
		return nil
	}
	d := t.Type().DType
	if filled := ops.RealNums; r.order && c.Has("mask") && !filled.Has(d) && !(c.Is(logSumExp) && byVersion(c, filled, ops.Numbers).Has(d)) {
		return c.Errorf("NotImplementedError", diag.DTypeMismatch, "%s() has nothing to put in place of masked elements of %s", c.Short(), t)
	}
	switch c.Op.Variant {
	case vectorNorm:
		return r.normed(c, t, normDType(c, t))
	case negated:
		if d == dtype.Bool {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "softmin() of %s: a bool has no negative", t)
		}
	}
	if r.inexact2 && !c.Has("dtype") && !c.Torch1() && d.IsIntegralOrBool() {
		return c.Errorf("ValueError", diag.DTypeMismatch, "%s() needs dtype for an input of %s", c.Short(), d)
	}
	given := c.Has("dtype") && !(c.Is(median) && d.IsFloat()) // whose result keeps its dtype
	if given && !r.cast {
		d = c.DType("dtype", d)
	}
	if !(r.scan && c.Empty(t)) && !chooses(c, t) && !c.Accepts(byVersion(c, r.accept, r.accept|r.since2), d) {
		return nil
	}
	if given && r.cast {
		d = c.DType("dtype", d)
	}
	if (!given || r.given && len(s) > 0) && d != dtype.Unknown {
		d = r.result(c, d)
	}
	if r.scan {
		firstAxis(c, len(s))
		if !c.OK() {
			return nil
		}
		return c.Unsure(c.Like(t, d), t)
	}
	if c.Is(median) && !c.Has("dim") {
		// None is the first axis, where the other functions take all.
		if len(s) == 0 {
			return c.Errorf("IndexError", diag.BadCall, "%s(): %s has no dimension that could be the default of dim", c.Short(), t)
		}
		keep := symshape.Shape{}
		if c.Bool("keepdim") {
			keep = symshape.Shape{c.Const(1)}
		}
		return c.Out(d, append(keep, s[1:]...))
	} else if c.Is(maskedProduct) && c.Has("dim") {
		if out, twice := axisByAxis(c, s); twice || !c.OK() {
			return c.Out(d, out)
		}
	}
	// Only a tuple without axes stands for all.
	_, isList := c.Value("dim").(*value.List)
	none := isList && len(c.Ints("dim")) == 0
	if none && c.Torch1() && c.Is(logSumExp) && len(s) > 0 && !c.Bool("keepdim") && c.OK() {
		return c.Errorf("RuntimeError", diag.BadValue, "logsumexp(): PyTorch 1 takes no empty list of dimensions, for %s", t)
	}
	return reduce(c, t, d, reduceRule{none: none && c.Is(maskedProduct), full: r.full})
}

// normed makes the results of norm, of dtype d, and normalize.
func (r maskedRule) normed(c *ops.Call, t *value.Tensor, d dtype.DType) value.Value {
	if !c.OK() {
		return nil
	}
	if !r.scan {
		return reduce(c, t, d, reduceRule{})
	}
	if have := t.Type().DType; d != dtype.Unknown && have != dtype.Unknown {
		d = dtype.Promote(have, d)
	}
	firstAxis(c, len(t.Type().Shape))
	return c.Unsure(c.Like(t, d), t)
}

// firstAxis checks the axis of a scan: the least of a list.
func firstAxis(c *ops.Call, rank int) {
	l, isList := c.Value("dim").(*value.List)
	if c.Has("dim") && len(c.Ints("dim")) == 0 && (rank == 0 || isList && l.Open == nil) {
		c.Errorf("IndexError", diag.BadCall, "%s() needs an axis", c.Short())
		return
	}
	c.Axes("dim", rank)
}

// chooses reports whether argmax or argmin has nothing to compare: along an axis of
// size 1 it does not look at the dtype.
func chooses(c *ops.Call, t *value.Tensor) bool {
	if !c.Is(argExtreme) || !c.Has("dim") || len(t.Type().Shape) == 0 {
		return false
	}
	axis := c.Axis("dim", len(t.Type().Shape))
	return c.OK() && (ops.IsConst(t.Type().Shape[axis], 1) || c.Empty(t))
}

// axisByAxis gives the shape after reducing one axis after the other, the last
// first, as masked.prod does. Of an axis that is named twice it refuses only a
// second spelling that is the axis counted from 0; twice reports whether one is
// left. Without keepdim the second reduction then finds the axis that follows.
func axisByAxis(c *ops.Call, s symshape.Shape) (out symshape.Shape, twice bool) {
	var axes []int
	for _, k := range c.Ints("dim") {
		n, ok := ops.DimVal(k)
		if !ok {
			c.Lose("the value of 'dim' is not known")
			return nil, false
		}
		if slices.Contains(axes, int(n)) {
			c.Errorf("RuntimeError", diag.DimOutOfRange, "dimension %d appears twice in 'dim'", int(n))
			return nil, false
		}
		a := c.WrapAxis(int(n), len(s))
		twice = twice || slices.Contains(axes, a)
		axes = append(axes, a)
	}
	slices.Sort(axes)
	slices.Reverse(axes)
	out, keep := slices.Clone(s), c.Bool("keepdim")
	for _, a := range axes {
		switch a = c.WrapAxis(a, len(out)); {
		case !c.OK():
			return nil, twice
		case len(out) == 0:
		case keep:
			out[a] = c.Const(1)
		default:
			out = slices.Delete(out, a, a+1)
		}
	}
	return out, twice
}

// maskFits checks that a mask can be expanded to the shape of t.
func maskFits(c *ops.Call, name string, t *value.Tensor) bool {
	if !c.Has(name) {
		return true
	}
	m := c.Tensor(name)
	ms, s := c.Shape(m), c.Shape(t)
	if m == nil || !c.OK() {
		return false
	}
	if len(ms) > len(s) {
		c.Errorf("IndexError", diag.RankMismatch, "%s(): the mask has more dimensions than the tensor: %s and %s", c.Short(), m, t)
		return false
	}
	for i := range ms {
		axis := len(s) - len(ms) + i
		if ops.IsConst(ms[i], 1) {
			continue
		}
		if _, ok := c.Same(ms[i], s[axis]); !ok {
			c.Blame(ops.Ref{Tensor: m, Axis: i}, ops.Ref{Tensor: t, Axis: axis})
			c.Shapef("%s(): the mask has size %s at dimension %d, but the tensor has %s: %s and %s", c.Short(), ms[i], axis, s[axis], m, t)
			return false
		}
	}
	return true
}

func maskedLogaddexp(c *ops.Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("other")
	if a == nil || b == nil || !maskFits(c, "input_mask", a) || !maskFits(c, "other_mask", b) {
		return nil
	}
	for _, x := range [...]struct {
		mask string
		t    *value.Tensor
	}{{"input_mask", a}, {"other_mask", b}} {
		if c.Has(x.mask) && (x.t.Type().DType == dtype.Bool || x.t.Type().DType.IsComplex()) {
			return c.Errorf("NotImplementedError", diag.DTypeMismatch, "logaddexp() has nothing to put in place of masked elements of %s", x.t)
		}
	}
	if !c.Has("dtype") && c.Torch1() { // the result is converted to the input's dtype
		if c.Accepts(byVersion(c, ops.RealFloats, ops.RealFloats|wideComplexes), c.ResultType(a, b)) {
			return c.Unsure(c.BroadcastOut(a.Type().DType, []value.Value{a, b}), a, b)
		}
		return nil
	}
	if !c.Accepts(byVersion(c, ops.RealFloats, ops.RealFloats|wideComplexes), c.ResultType(a, b)) {
		return nil
	}
	d := c.DType("dtype", c.ResultType(a, b))
	return c.Unsure(c.BroadcastOut(d, []value.Value{a, b}), a, b)
}
