package torch

// This file holds the records of reductions over one, several or all axes. A reduction takes all
// axes, one or several (dim), drops them or keeps them with size 1 (keepdim), and maps the dtype. A
// reduceRule says what differs; apply and reduce do the rest. With small integer tensors the
// elements are folded as well, so that sums and products of sizes are known.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A reduceRule describes a reduction. Its axes are in the parameter dim, if the
// overload has it. The zero value keeps the dtype, takes no dtype at all and tracks nothing.
type reduceRule struct {
	accept ops.DTypeSet
	// result maps the input's dtype to that of the result; nil: the same.
	result func(dtype.DType) dtype.DType
	// fold combines two elements; nil: contents are not tracked.
	fold ops.ElemFunc
	// full refuses to reduce axes of size 0.
	full bool
	// truth folds truth values.
	truth bool
	// none: an empty list of axes reduces nothing instead of everything.
	none bool
	// counts: the result is how many elements are true or not zero.
	counts func(dtype.DType) bool
}

const (
	dimDType = "(Tensor input, *, ScalarType? dtype=None) | (Tensor input, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)"
	// dimDefault is that of functions with one overload.
	dimDefault   = "(Tensor input, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
	oneDim       = "(Tensor input, int dim, bool keepdim=False)"
	stdSig       = "(Tensor input, bool unbiased=True) | (Tensor input, int[1]? dim, bool unbiased=True, bool keepdim=False) | (Tensor input, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False)"
	wholeOneMany = "(Tensor input) | " + oneDim + " | (Tensor input, int[]? dim=None, bool keepdim=False)"
	stdSig1      = "(Tensor input, bool unbiased=True) | (Tensor input, int[1]? dim, bool unbiased=True, bool keepdim=False) | (Tensor input, int[1]? dim, *, int? correction, bool keepdim=False)"
)

// Indices are int64.
func indexType(dtype.DType) dtype.DType { return dtype.I64 }

var reduceOps = [...]ops.Op{
	{Names: spelled("sum"), Sig: dimDType, Rule: reduceRule{accept: ops.AnyDType, result: ops.SumType, fold: ops.AddElem,
		counts: onlyBool}.apply, Out: true,
		Quirks: ops.NoneIsAxes | ops.WholeWithoutOut, Is: graph.OneTensor, Doc: "sum; of integers and bool int64"},
	{Names: spelled("nansum"), Sig: dimDefault, Rule: nansumRule, Out: true, Doc: "sum without nan"},
	{Names: spelled("mean"), Sig: dimDType, Rule: reduceRule{accept: ops.Inexact}.apply, Out: true, Is: graph.Averages | graph.OneTensor,
		Quirks: ops.NoneIsAxes | ops.WholeWithoutOut, Trace: ops.ComparesAlways, Doc: "mean of floating-point or complex numbers"},
	{Names: spelled("nanmean"), Sig: dimDefault, Rule: nanmeanRule, Out: true, Quirks: ops.NoneIsAxes, Doc: "mean without nan"},
	{Names: spelled("prod"), Sig: "(Tensor input, *, ScalarType? dtype=None) | (Tensor input, int dim, bool keepdim=False, *, ScalarType? dtype=None)", Rule: reduceRule{accept: ops.AnyDType, result: ops.SumType, fold: ops.MulElem}.apply, Out: true,
		Quirks: ops.NamedDims | ops.WholeWithoutOut, Doc: "product; of integers and bool int64"},
	{Names: spelled("amax"), Sig: "(Tensor input, int[1]? dim=[], bool keepdim=False)",
		Rule: reduceRule{accept: realDTypes, fold: ops.MaxElem, full: true}.apply, Out: true, ExactOut: true, Doc: "maximum over axes"},
	{Names: spelled("amin"), Sig: "(Tensor input, int[1]? dim=[], bool keepdim=False)",
		Rule: reduceRule{accept: realDTypes, fold: ops.MinElem, full: true}.apply, Out: true, ExactOut: true, Doc: "minimum over axes"},
	{Names: spelled("any"), Sig: wholeOneMany, Sig1: "(Tensor input) | " + oneDim, Rule: anyAllRule(ops.OrElem), Out: true,
		Quirks: ops.NamedDims,
		Trace:  ops.ComparesResult, Doc: "whether any element is not zero"},
	{Names: spelled("all"), Sig: wholeOneMany, Sig1: "(Tensor input) | " + oneDim, Rule: anyAllRule(ops.AndElem), Out: true,
		Quirks: ops.NamedDims, Doc: "whether no element is zero"},
	{Names: spelled("argmax"), Sig: "(Tensor input, int? dim=None, bool keepdim=False)", Rule: argRule, Out: true, ExactOut: true,
		Variant: argExtreme, Doc: "index of the maximum"},
	{Names: spelled("argmin"), Sig: "(Tensor input, int? dim=None, bool keepdim=False)", Rule: argRule, Out: true, ExactOut: true,
		Variant: argExtreme, Doc: "index of the minimum"},
	{Names: spelled("std"), Sig: stdSig, Sig1: stdSig1, Rule: stdRule, Out: true, Quirks: ops.WholeWithoutOut,
		Floats: "correction", Doc: "standard deviation; of complex numbers real"},
	{Names: spelled("var"), Sig: stdSig, Sig1: stdSig1, Rule: stdRule, Out: true, Quirks: ops.WholeWithoutOut,
		Floats: "correction", Doc: "variance; of complex numbers real"},
	{Names: spelled("torch.std_mean"), Sig: stdSig, Sig1: stdSig1, Rule: stdMeanRule,
		Floats: "correction", Doc: "standard deviation and mean"},
	{Names: spelled("torch.var_mean"), Sig: stdSig, Sig1: stdSig1, Rule: stdMeanRule, Floats: "correction", Doc: "variance and mean"},
	{Names: spelled("logsumexp special.logsumexp"), Sig: "(Tensor input, int[1] dim, bool keepdim=False)", Rule: logsumexpRule, Out: true,
		Quirks: ops.NamedDims, Trace: ops.ComparesResult, Doc: "log of the sum of exponentials"},
	{Names: spelled("norm"), Sig: "(Tensor input, any p='fro', int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)",
		Rule: torchNormRule, Out: true,
		Quirks: ops.InPython, Numbers: []ops.Converted{{Param: "p", To: ops.ToReal}},
		Trace: ops.ComparesResult, Doc: "vector norm; with p='nuc' matrix norm"},
	{Names: spelled("hash_tensor"), Sig: "(Tensor input, int[1]? dim=[], *, bool keepdim=False, int mode=0)", Rule: hashRule, Out: true,
		ExactOut: true, Doc: "xor of the bits of elements"},
	{Names: spelled("count_nonzero"), Sig: "(Tensor input, int[]? dim=None) | (Tensor input, int? dim=None)",
		Rule: reduceRule{accept: ops.AnyDType, result: indexType, counts: anyElems}.apply, Doc: "number of elements that are not zero"},
	{Names: spelled("max"), Sig: "(Tensor input) | (Tensor input, Tensor other) | " + oneDim, Rule: extremeRule("max", ops.MaxElem), Out: true,
		Quirks: ops.NamedDims | ops.WholeWithoutOut, Doc: "maximum of all, over one axis with indices, or of two tensors"},
	{Names: spelled("min"), Sig: "(Tensor input) | (Tensor input, Tensor other) | " + oneDim, Rule: extremeRule("min", ops.MinElem), Out: true,
		Quirks: ops.NamedDims | ops.WholeWithoutOut, Doc: "minimum of all, over one axis with indices, or of two tensors"},
	{Names: spelled("median"), Sig: "(Tensor input) | " + oneDim, Rule: medianRule("median"), Out: true,
		Quirks: ops.AnyRank | ops.NamedDims | ops.WholeWithoutOut, Variant: median, Doc: "lower median, over one axis with indices"},
	{Names: spelled("nanmedian"), Sig: "(Tensor input) | " + oneDim, Rule: medianRule("nanmedian"), Out: true,
		Quirks: ops.AnyRank | ops.NamedDims | ops.WholeWithoutOut, Doc: "lower median without nan, over one axis with indices"},
	{Names: spelled("mode"), Sig: "(Tensor input, int dim=-1, bool keepdim=False)", Rule: namedReduce("mode", realDTypes), Out: true,
		Quirks: ops.AnyRank | ops.NamedDims, Doc: "most frequent element with index"},
	{Names: spelled("kthvalue"), Sig: "(Tensor input, int k, int dim=-1, bool keepdim=False)", Rule: kthvalueRule, Out: true,
		Quirks: ops.AnyRank | ops.NamedDims, Trace: ops.SelectsNumber, Doc: "k-th smallest element with index"},
	{Names: spelled("aminmax"), Sig: "(Tensor input, *, int? dim=None, bool keepdim=False)", Rule: aminmaxRule, Out: true, ExactOut: true,
		Doc: "minimum and maximum"},
	{Names: spelled("quantile"), Sig: "(Tensor input, Operand q, int? dim=None, bool keepdim=False, *, str interpolation='linear')",
		Rule: quantileRule, Out: true, ExactOut: true,
		Floats: "q", Doc: "quantiles; a tensor q adds an axis in front"},
	{Names: spelled("nanquantile"), Sig: "(Tensor input, Operand q, int? dim=None, bool keepdim=False, *, str interpolation='linear')",
		Rule: quantileRule, Out: true, ExactOut: true,
		Floats: "q", Doc: "quantiles without nan"},
}

// dtype= and out= decide the dtype in which it is computed, and then result is not asked.
func (r reduceRule) apply(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d, given := computeDType(c, t)
	if !(r.full && c.Empty(t)) && !c.Accepts(r.accept, d) { // nothing is compared
		return nil
	}
	if r.result != nil && d != dtype.Unknown && !given {
		d = r.result(d)
	}
	return reduce(c, t, d, r)
}

// computeDType is the dtype in which a sum is computed: given by dtype= or by the
// tensor out=, else the input's. given says that it was asked for. An out of another dtype than
// dtype= is an error.
func computeDType(c *ops.Call, t *value.Tensor) (d dtype.DType, given bool) {
	switch d = t.Type().DType; {
	case !c.HasParam("dtype"):
		return d, false
	case c.Has("dtype"):
		d = c.DType("dtype", d)
		if c.OutDType != dtype.Unknown && c.OutDType != d && d != dtype.Unknown {
			c.OutMismatch(d)
		}
		return d, true
	case c.OutDType != dtype.Unknown:
		return c.OutDType, true
	}
	return d, false
}

// reduce makes the result of the reduction of t over the axes in dim. r.accept and r.result were
// applied before; d is the result's dtype.
func reduce(c *ops.Call, t *value.Tensor, d dtype.DType, r reduceRule) value.Value {
	keep := c.HasParam("keepdim") && c.Bool("keepdim")
	ty := t.Type()
	if !wholeOfAny(c) && !fewAxes(c, len(ty.Shape)) {
		return nil
	}
	if !ty.Ranked {
		return reduceUnranked(c, t, d, keep)
	}
	axes, all := reduceAxes(c, len(ty.Shape), r.none)
	// An axis that is out of range or given twice was reported.
	if !c.OK() {
		return nil
	}
	// Where axes may not be empty, size 0 is refused only where it is constant.
	if r.full {
		for _, a := range axes {
			if len(ty.Shape) > 0 && ops.IsConst(ty.Shape[a], 0) && (!all || numelIsZero(c, ty.Shape)) {
				class := "IndexError"
				if all && d != dtype.I64 {
					class = "RuntimeError"
				}
				c.Blame(ops.Ref{Tensor: t, Axis: a})
				return c.Errorf(class, diag.InvalidSize, "%s(): dimension %d has size 0, so there is nothing to choose from: %s", c.Short(), a, t)
			}
		}
	}
	// keepdim leaves sizes of 1.
	out := c.Out(d, ops.ReduceShape(c, ty.Shape, axes, keep))
	if r.fold != nil && ops.Tracked(d) {
		out.SetContents(c.FoldElems(t, d, axes, r.fold, r.truth))
	}
	// The count of true elements is a size that later operations may use.
	if out.Contents() == nil && d == dtype.I64 && len(axes) == len(ty.Shape) && r.counts != nil && r.counts(ty.DType) {
		out.SetContents([]value.Value{&value.SymInt{D: nonzeroCount(c, t), Source: out.V}})
	}
	return out
}

// For the sum of bools.
func onlyBool(d dtype.DType) bool { return d == dtype.Bool }

// For count_nonzero.
func anyElems(dtype.DType) bool { return true }

// Whether a size is 0 for certain.
func numelIsZero(c *ops.Call, s symshape.Shape) bool {
	for _, d := range s {
		if ops.IsConst(d, 0) {
			return true
		}
	}
	return false
}

// reduceAxes returns the axes of the parameter dim, all of them when it is absent,
// None or (unless none) empty.
func reduceAxes(c *ops.Call, rank int, none bool) (axes []int, all bool) {
	if c.HasParam("dim") && c.Has("dim") {
		axes = c.Axes("dim", rank)
		if len(axes) > 0 || none {
			return axes, false
		}
	}
	axes = make([]int, rank)
	for i := range axes {
		axes[i] = i
	}
	return axes, true
}

// reduceUnranked reduces a tensor of unknown rank: over everything, or over axes
// counted from the end that are known. Axes that are counted from the front are not known then.
func reduceUnranked(c *ops.Call, t *value.Tensor, d dtype.DType, keep bool) value.Value {
	s := t.Type().Shape
	if !c.HasParam("dim") || !c.Has("dim") {
		if keep {
			return c.Lose("the number of dimensions of the input is not known")
		}
		return c.Out(d, symshape.Shape{})
	}
	axes := make([]int, 0, 2)
	for _, x := range c.Ints("dim") {
		n, ok := ops.DimVal(x)
		if !ok || n >= 0 || int(-n) > len(s) {
			return c.Lose("the number of dimensions of the input is not known")
		}
		axes = append(axes, len(s)+int(n))
	}
	if len(axes) == 0 {
		return c.Out(d, symshape.Shape{})
	}
	return c.OutType(graph.TensorType{DType: d, Shape: ops.ReduceShape(c, s, axes, keep)})
}

// maxRank is the number of dimensions up to which PyTorch reduces some of them.
const maxRank = 64

// fewAxes refuses tensors of more dimensions than that.
func fewAxes(c *ops.Call, rank int) bool {
	if rank > maxRank {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s() takes tensors of up to %d dimensions, but got %d", c.Short(), maxRank, rank)
	}
	return rank <= maxRank
}

// wholeOfAny reports whether a reduction takes tensors of any rank: one of all
// elements does, unless None stands for the axes of sum, mean and their like.
func wholeOfAny(c *ops.Call) bool {
	if c.Op.Has(ops.AnyRank) {
		return true
	}
	if !c.HasParam("dim") {
		return true
	}
	if e, ok := c.Elems("dim"); ok && ops.IsSequence(c.Value("dim")) {
		return len(e) == 0
	}
	return !c.Has("dim") && !c.Op.Has(ops.NoneIsAxes)
}

// The result is bool, but uint8 for uint8 where PyTorch 1 had it so.
func anyAllRule(fold ops.ElemFunc) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if out := c.OutDType; out != dtype.Unknown && out != dtype.Bool && out != dtype.U8 && c.OutMismatch(dtype.Bool) {
			return nil
		}
		result := ops.BoolButByte
		if c.OutDType == dtype.Bool {
			result = ops.AlwaysBool
		}
		return reduceRule{accept: ops.AnyDType, result: result, fold: fold, truth: true, none: c.HasParam("dim")}.apply(c)
	}
}

// nansumRule is sum for integers, which have no nan. Floats must be real.
func nansumRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	if t.Type().DType.IsIntegralOrBool() {
		return reduceRule{accept: ops.AnyDType, result: ops.SumType}.apply(c)
	}
	if !c.Accepts(ops.RealFloats, t.Type().DType) {
		return nil
	}
	if c.Empty(t) || !c.Torch1() { // filled with 0, or computed in any dtype
		return reduceRule{accept: ops.AnyDType}.apply(c)
	}
	return reduceRule{accept: ops.RealFloats}.apply(c)
}

// nanmeanRule looks at the dtype of the input, whatever dtype= and out= are. The mean is computed
// in the dtype asked for.
func nanmeanRule(c *ops.Call) value.Value {
	if t := c.Tensor("input"); t == nil || !c.Accepts(ops.RealFloats, t.Type().DType) {
		return nil
	}
	return reduceRule{accept: ops.Inexact}.apply(c)
}

// The result is uint64, whatever the input's dtype is.
func hashRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if mode, known := c.Dim("mode").Const(); known && mode != 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "hash_tensor() has no mode %d", mode)
	}
	if t == nil || !c.Accepts(realDTypes, t.Type().DType) {
		return nil
	}
	return reduce(c, t, dtype.U64, reduceRule{full: true})
}

// The dtype is real for complex numbers, and integers are refused.
func stdRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !c.Accepts(ops.Inexact, t.Type().DType) {
		return nil
	}
	return reduce(c, t, t.Type().DType.Real(), reduceRule{})
}

// Both have the same shape; the mean stays complex.
func stdMeanRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !c.Accepts(ops.Inexact, t.Type().DType) {
		return nil
	}
	a := reduce(c, t, t.Type().DType.Real(), reduceRule{})
	b := reduce(c, t, t.Type().DType, reduceRule{})
	if a == nil || b == nil {
		return nil
	}
	return value.NewTuple(a, b)
}

// dim is required here. Integers give the default float.
func logsumexpRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d := c.ToFloat(t.Type().DType)
	accept := ops.Inexact
	if c.Torch1() {
		accept = ops.RealFloats
	}
	if !c.Accepts(accept, d) || c.OutDType != dtype.Unknown && !accept.Has(c.OutDType) && c.OutMismatch(d) {
		return nil
	}
	if c.Torch1() && len(c.Ints("dim")) == 0 && !c.Bool("keepdim") && c.OK() && len(t.Type().Shape) > 0 && !c.Empty(t) {
		return c.Errorf("RuntimeError", diag.BadValue, "logsumexp(): PyTorch 1 takes no empty list of dimensions, for %s", t)
	}
	return reduce(c, t, d, reduceRule{})
}

// torchNormRule follows torch.functional.norm. In PyTorch 2 see normSince2. Before that the dtype
// is the real one of the input, or dtype=.
func torchNormRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	if !c.Torch1() {
		c.ExactOut = true
		return normSince2(c, t)
	}
	d := t.Type().DType
	if c.Has("dtype") {
		d = c.DType("dtype", d)
		if _, named := value.AsStr(c.Value("p")); d.IsComplex() && !named {
			return c.Lose("whether the norm in a complex dtype is real depends on its order")
		}
		// The two named norms had kernels without that parameter.
		if p, named := value.AsStr(c.Value("p")); named && (p == "fro" || p == "nuc") {
			return c.Errorf("ValueError", diag.BadCall, "norm(): PyTorch 1 takes no dtype for the norm '%s'", p)
		}
	}
	if !c.Accepts(ops.Inexact, d) {
		return nil
	}
	if p := value.Plain(c.Value("p")); ops.IsSequence(p) {
		return c.Errorf("TypeError", diag.TypeMismatch, "norm(): p must be a number or a name, not %s", ops.TypeName(p))
	}
	if p, ok := value.AsStr(c.Value("p")); ok {
		dims := c.Ints("dim")
		switch {
		case p == "nuc":
			if c.Has("dim") && len(dims) != 2 || !c.Has("dim") && t.Type().Ranked && len(t.Type().Shape) != 2 {
				return c.Errorf("RuntimeError", diag.RankMismatch, "norm(): the nuclear norm is one of a matrix: it needs two dimensions, for %s", t)
			}
		case p != "fro":
			return c.Errorf("RuntimeError", diag.BadValue, "norm(): there is no norm named '%s'", p)
		case len(dims) > 2:
			return c.Errorf("RuntimeError", diag.BadValue, "norm(): the Frobenius norm takes one or two dimensions, not %d", len(dims))
		}
	}
	d = d.Real()
	if c.OutDType != dtype.Unknown {
		d = c.OutDType // it was copied into out
		if _, named := value.AsStr(c.Value("p")); !named && !t.Type().DType.IsComplex() && !c.Accepts(ops.Inexact, d) {
			return nil
		}
	}
	return reduce(c, t, d, reduceRule{})
}

// argRule is argmax and argmin, which have nothing to compare, whatever the dtype,
// along an axis of size 1 and where the result is empty. The result has int64 indices.
func argRule(c *ops.Call) value.Value {
	r := reduceRule{accept: ops.RealNums, result: indexType, full: true}
	if t := c.Tensor("input"); t != nil && t.Type().Ranked && chooses(c, t) {
		r.accept = ops.AnyDType
	}
	return r.apply(c)
}
