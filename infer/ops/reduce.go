package ops

// This file holds the records of reductions over one, several or all axes.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A reduceRule describes a reduction. Its axes are in the parameter dim, if the
// overload has it.
type reduceRule struct {
	accept dset
	// result maps the input's dtype to that of the result; nil: the same.
	result func(dtype.DType) dtype.DType
	// fold combines two elements; nil: contents are not tracked.
	fold elemFunc
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
	dimDefault = "(Tensor input, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
	oneDim     = "(Tensor input, int dim, bool keepdim=False)"
	stdSig     = "(Tensor input, bool unbiased=True) | (Tensor input, int[1]? dim, bool unbiased=True, bool keepdim=False) | (Tensor input, int[1]? dim=None, *, int? correction=None, bool keepdim=False)"
	stdSig1    = "(Tensor input, bool unbiased=True) | (Tensor input, int[1]? dim, bool unbiased=True, bool keepdim=False) | (Tensor input, int[1]? dim, *, int? correction, bool keepdim=False)"
)

// boolButByte is the dtype of any and all: uint8 stays, for compatibility.
func boolButByte(d dtype.DType) dtype.DType {
	if d == dtype.U8 {
		return d
	}
	return dtype.Bool
}

func indexType(dtype.DType) dtype.DType { return dtype.I64 }

var reduceOps = [...]Op{
	{Names: spelled("sum"), Sig: dimDType, Rule: reduceRule{accept: anyDType, result: sumType, fold: addElem, counts: onlyBool}.apply, Out: true,
		Quirks: NoneIsAxes | WholeWithoutOut, Doc: "sum; of integers and bool int64"},
	{Names: spelled("nansum"), Sig: dimDefault, Rule: nansumRule, Out: true, Doc: "sum without nan"},
	{Names: spelled("mean"), Sig: dimDType, Rule: reduceRule{accept: inexact}.apply, Out: true,
		Quirks: NoneIsAxes | WholeWithoutOut, Doc: "mean of floating-point or complex numbers"},
	{Names: spelled("nanmean"), Sig: dimDefault, Rule: nanmeanRule, Out: true, Quirks: NoneIsAxes, Doc: "mean without nan"},
	{Names: spelled("prod"), Sig: "(Tensor input, *, ScalarType? dtype=None) | (Tensor input, int dim, bool keepdim=False, *, ScalarType? dtype=None)", Rule: reduceRule{accept: anyDType, result: sumType, fold: mulElem}.apply, Out: true,
		Quirks: NamedDims | WholeWithoutOut, Doc: "product; of integers and bool int64"},
	{Names: spelled("amax"), Sig: "(Tensor input, int[1]? dim=[], bool keepdim=False)", Rule: reduceRule{accept: realDTypes, fold: maxElem, full: true}.apply, Out: true, ExactOut: true, Doc: "maximum over axes"},
	{Names: spelled("amin"), Sig: "(Tensor input, int[1]? dim=[], bool keepdim=False)", Rule: reduceRule{accept: realDTypes, fold: minElem, full: true}.apply, Out: true, ExactOut: true, Doc: "minimum over axes"},
	{Names: spelled("any"), Sig: "(Tensor input) | " + oneDim, Rule: anyAllRule(orElem), Out: true, Quirks: NamedDims, Doc: "whether any element is not zero"},
	{Names: spelled("all"), Sig: "(Tensor input) | " + oneDim, Rule: anyAllRule(andElem), Out: true, Quirks: NamedDims, Doc: "whether no element is zero"},
	{Names: spelled("argmax"), Sig: "(Tensor input, int? dim=None, bool keepdim=False)", Rule: argRule, Out: true, ExactOut: true, Variant: argExtreme, Doc: "index of the maximum"},
	{Names: spelled("argmin"), Sig: "(Tensor input, int? dim=None, bool keepdim=False)", Rule: argRule, Out: true, ExactOut: true, Variant: argExtreme, Doc: "index of the minimum"},
	{Names: spelled("std"), Sig: stdSig, Sig1: stdSig1, Rule: stdRule, Out: true, Quirks: WholeWithoutOut, Doc: "standard deviation; of complex numbers real"},
	{Names: spelled("var"), Sig: stdSig, Sig1: stdSig1, Rule: stdRule, Out: true, Quirks: WholeWithoutOut, Doc: "variance; of complex numbers real"},
	{Names: spelled("torch.std_mean"), Sig: stdSig, Sig1: stdSig1, Rule: stdMeanRule, Doc: "standard deviation and mean"},
	{Names: spelled("torch.var_mean"), Sig: stdSig, Sig1: stdSig1, Rule: stdMeanRule, Doc: "variance and mean"},
	{Names: spelled("logsumexp special.logsumexp"), Sig: "(Tensor input, int[1] dim, bool keepdim=False)", Rule: logsumexpRule, Out: true,
		Quirks: NamedDims, Doc: "log of the sum of exponentials"},
	{Names: spelled("norm"), Sig: "(Tensor input, any p='fro', int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)", Rule: torchNormRule, Out: true,
		Quirks: InPython, Numbers: []Converted{{param: "p", to: toReal}}, Doc: "vector norm; with p='nuc' matrix norm"},
	{Names: spelled("count_nonzero"), Sig: "(Tensor input, int[]? dim=None) | (Tensor input, int? dim=None)", Rule: reduceRule{accept: anyDType, result: indexType, counts: anyElems}.apply, Doc: "number of elements that are not zero"},
	{Names: spelled("max"), Sig: "(Tensor input) | (Tensor input, Tensor other) | " + oneDim, Rule: extremeRule("max", maxElem), Out: true,
		Quirks: NamedDims | WholeWithoutOut, Doc: "maximum of all, over one axis with indices, or of two tensors"},
	{Names: spelled("min"), Sig: "(Tensor input) | (Tensor input, Tensor other) | " + oneDim, Rule: extremeRule("min", minElem), Out: true,
		Quirks: NamedDims | WholeWithoutOut, Doc: "minimum of all, over one axis with indices, or of two tensors"},
	{Names: spelled("median"), Sig: "(Tensor input) | " + oneDim, Rule: medianRule("median"), Out: true,
		Quirks: AnyRank | NamedDims | WholeWithoutOut, Variant: median, Doc: "lower median, over one axis with indices"},
	{Names: spelled("nanmedian"), Sig: "(Tensor input) | " + oneDim, Rule: medianRule("nanmedian"), Out: true,
		Quirks: AnyRank | NamedDims | WholeWithoutOut, Doc: "lower median without nan, over one axis with indices"},
	{Names: spelled("mode"), Sig: "(Tensor input, int dim=-1, bool keepdim=False)", Rule: namedReduce("mode", realDTypes), Out: true,
		Quirks: AnyRank | NamedDims, Doc: "most frequent element with index"},
	{Names: spelled("kthvalue"), Sig: "(Tensor input, int k, int dim=-1, bool keepdim=False)", Rule: kthvalueRule, Out: true,
		Quirks: AnyRank | NamedDims, Doc: "k-th smallest element with index"},
	{Names: spelled("aminmax"), Sig: "(Tensor input, *, int? dim=None, bool keepdim=False)", Rule: aminmaxRule, Out: true, ExactOut: true, Doc: "minimum and maximum"},
	{Names: spelled("quantile"), Sig: "(Tensor input, Operand q, int? dim=None, bool keepdim=False, *, str interpolation='linear')", Rule: quantileRule, Out: true, ExactOut: true, Doc: "quantiles; a tensor q adds an axis in front"},
	{Names: spelled("nanquantile"), Sig: "(Tensor input, Operand q, int? dim=None, bool keepdim=False, *, str interpolation='linear')", Rule: quantileRule, Out: true, ExactOut: true, Doc: "quantiles without nan"},
}

func (r reduceRule) apply(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d, given := c.computeDType(t)
	if !(r.full && c.empty(t)) && !c.accepts(r.accept, d) { // nothing is compared
		return nil
	}
	if r.result != nil && d != dtype.Unknown && !given {
		d = r.result(d)
	}
	return c.reduce(t, d, r)
}

// computeDType is the dtype in which a sum is computed: given by dtype= or by the
// tensor out=, else the input's.
func (c *Call) computeDType(t *value.Tensor) (d dtype.DType, given bool) {
	switch d = t.Type().DType; {
	case !c.HasParam("dtype"):
		return d, false
	case c.Has("dtype"):
		d = c.DType("dtype", d)
		if c.outDType != dtype.Unknown && c.outDType != d && d != dtype.Unknown {
			c.outMismatch(d)
		}
		return d, true
	case c.outDType != dtype.Unknown:
		return c.outDType, true
	}
	return d, false
}

// reduce makes the result of the reduction of t over the axes in dim.
func (c *Call) reduce(t *value.Tensor, d dtype.DType, r reduceRule) value.Value {
	keep := c.HasParam("keepdim") && c.Bool("keepdim")
	ty := t.Type()
	if !c.wholeOfAny() && !c.fewAxes(len(ty.Shape)) {
		return nil
	}
	if !ty.Ranked {
		return c.reduceUnranked(t, d, keep)
	}
	axes, all := c.reduceAxes(len(ty.Shape), r.none)
	if !c.OK() {
		return nil
	}
	if r.full {
		for _, a := range axes {
			if len(ty.Shape) > 0 && IsConst(ty.Shape[a], 0) && (!all || c.numelIsZero(ty.Shape)) {
				class := "IndexError"
				if all && d != dtype.I64 {
					class = "RuntimeError"
				}
				c.Blame(Ref{t, a})
				return c.Errorf(class, diag.InvalidSize, "%s(): dimension %d has size 0, so there is nothing to choose from: %s", c.short(), a, t)
			}
		}
	}
	out := c.Out(d, reduceShape(c, ty.Shape, axes, keep))
	if r.fold != nil && tracked(d) {
		out.SetContents(c.foldElems(t, d, axes, r))
	}
	if out.Contents() == nil && d == dtype.I64 && len(axes) == len(ty.Shape) && r.counts != nil && r.counts(ty.DType) {
		out.SetContents([]value.Value{&value.SymInt{D: c.nonzeroCount(t), Source: out.V}})
	}
	return out
}

func onlyBool(d dtype.DType) bool { return d == dtype.Bool }

func anyElems(dtype.DType) bool { return true }

func (c *Call) numelIsZero(s symshape.Shape) bool {
	for _, d := range s {
		if IsConst(d, 0) {
			return true
		}
	}
	return false
}

// reduceAxes returns the axes of the parameter dim, all of them when it is absent,
// None or (unless none) empty.
func (c *Call) reduceAxes(rank int, none bool) (axes []int, all bool) {
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

func reduceShape(c *Call, s symshape.Shape, axes []int, keep bool) symshape.Shape {
	out := make(symshape.Shape, 0, len(s))
	for i, d := range s {
		switch {
		case !slices.Contains(axes, i):
			out = append(out, d)
		case keep:
			out = append(out, c.Const(1))
		}
	}
	return out
}

// reduceUnranked reduces a tensor of unknown rank: over everything, or over axes
// counted from the end that are known.
func (c *Call) reduceUnranked(t *value.Tensor, d dtype.DType, keep bool) value.Value {
	s := t.Type().Shape
	if !c.HasParam("dim") || !c.Has("dim") {
		if keep {
			return c.Lose("the number of dimensions of the input is not known")
		}
		return c.Out(d, symshape.Shape{})
	}
	axes := make([]int, 0, 2)
	for _, x := range c.Ints("dim") {
		n, ok := DimVal(x)
		if !ok || n >= 0 || int(-n) > len(s) {
			return c.Lose("the number of dimensions of the input is not known")
		}
		axes = append(axes, len(s)+int(n))
	}
	if len(axes) == 0 {
		return c.Out(d, symshape.Shape{})
	}
	return c.OutType(graph.TensorType{DType: d, Shape: reduceShape(c, s, axes, keep)})
}

// foldElems reduces the contents of t, or returns nil when they are not known.
func (c *Call) foldElems(t *value.Tensor, d dtype.DType, axes []int, r reduceRule) []value.Value {
	elems := t.Contents()
	shape, ok := constShape(t.Type().Shape)
	if elems == nil || !ok || len(elems) != product(shape) || len(elems) == 0 {
		return nil
	}
	outShape := slices.Clone(shape)
	for _, a := range axes {
		if len(outShape) > 0 {
			outShape[a] = 1
		}
	}
	strides := rowMajorInts(outShape)
	for _, a := range axes {
		if len(strides) > 0 {
			strides[a] = 0
		}
	}
	out := make([]value.Value, product(outShape))
	idx := make([]int, len(shape))
	for _, e := range elems {
		at := 0
		for k, i := range idx {
			at += i * strides[k]
		}
		if r.truth {
			e = c.elemTruth(e)
		}
		switch x := c.castElem(d, e); {
		case out[at] == nil:
			out[at] = x
		default:
			out[at] = r.fold(c, d, []value.Value{out[at], x})
			if r.truth && out[at] != nil {
				out[at] = c.castElem(d, out[at])
			}
		}
		if out[at] == nil {
			return nil
		}
		for k := len(idx) - 1; k >= 0; k-- {
			if idx[k]++; idx[k] < shape[k] {
				break
			}
			idx[k] = 0
		}
	}
	return out
}

// maxRank is the number of dimensions up to which PyTorch reduces some of them.
const maxRank = 64

// fewAxes refuses tensors of more dimensions than that.
func (c *Call) fewAxes(rank int) bool {
	if rank > maxRank {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s() takes tensors of up to %d dimensions, but got %d", c.short(), maxRank, rank)
	}
	return rank <= maxRank
}

// wholeOfAny reports whether a reduction takes tensors of any rank: one of all
// elements does, unless None stands for the axes of sum, mean and their like.
func (c *Call) wholeOfAny() bool {
	if c.Op.Has(AnyRank) {
		return true
	}
	if !c.HasParam("dim") {
		return true
	}
	if e, ok := c.Elems("dim"); ok && isSequence(c.Value("dim")) {
		return len(e) == 0
	}
	return !c.Has("dim") && !c.Op.Has(NoneIsAxes)
}

func anyAllRule(fold elemFunc) func(*Call) value.Value {
	return func(c *Call) value.Value {
		if out := c.outDType; out != dtype.Unknown && out != dtype.Bool && out != dtype.U8 && c.outMismatch(dtype.Bool) {
			return nil
		}
		result := boolButByte
		if c.outDType == dtype.Bool {
			result = boolType
		}
		return reduceRule{accept: anyDType, result: result, fold: fold, truth: true}.apply(c)
	}
}

// nansumRule is sum for integers, which have no nan.
func nansumRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	if t.Type().DType.IsIntegralOrBool() {
		return reduceRule{accept: anyDType, result: sumType}.apply(c)
	}
	if !c.accepts(realFloats, t.Type().DType) {
		return nil
	}
	if c.empty(t) { // filled with 0
		return reduceRule{accept: anyDType}.apply(c)
	}
	return reduceRule{accept: realFloats}.apply(c)
}

// nanmeanRule looks at the dtype of the input, whatever dtype= and out= are.
func nanmeanRule(c *Call) value.Value {
	if t := c.Tensor("input"); t == nil || !c.accepts(realFloats, t.Type().DType) {
		return nil
	}
	return reduceRule{accept: inexact}.apply(c)
}

func stdRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !c.accepts(inexact, t.Type().DType) {
		return nil
	}
	return c.reduce(t, t.Type().DType.Real(), reduceRule{})
}

func stdMeanRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !c.accepts(inexact, t.Type().DType) {
		return nil
	}
	a := c.reduce(t, t.Type().DType.Real(), reduceRule{})
	b := c.reduce(t, t.Type().DType, reduceRule{})
	if a == nil || b == nil {
		return nil
	}
	return value.NewTuple(a, b)
}

func logsumexpRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d := c.toFloat(t.Type().DType)
	if !c.accepts(realFloats, d) || c.outDType != dtype.Unknown && !c.outDType.IsFloat() && c.outMismatch(d) {
		return nil
	}
	if c.torch1() && len(c.Ints("dim")) == 0 && !c.Bool("keepdim") && c.OK() && len(t.Type().Shape) > 0 && !c.empty(t) {
		return c.Errorf("RuntimeError", diag.BadValue, "logsumexp(): PyTorch 1 takes no empty list of dimensions, for %s", t)
	}
	return c.reduce(t, d, reduceRule{})
}

// torchNormRule follows torch.functional.norm.
func torchNormRule(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d := t.Type().DType
	if c.Has("dtype") {
		d = c.DType("dtype", d)
		if _, named := value.AsStr(c.Value("p")); d.IsComplex() && !named {
			return c.Lose("whether the norm in a complex dtype is real depends on its order")
		}
		if p, named := value.AsStr(c.Value("p")); named && (p == "fro" || p == "nuc") && c.torch1() {
			return c.Errorf("ValueError", diag.BadCall, "norm(): PyTorch 1 takes no dtype for the norm '%s'", p)
		}
	}
	if !c.accepts(inexact, d) {
		return nil
	}
	if p := value.Plain(c.Value("p")); isSequence(p) {
		return c.Errorf("TypeError", diag.TypeMismatch, "norm(): p must be a number or a name, not %s", TypeName(p))
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
		case len(dims) > 2 && c.torch1():
			return c.Errorf("RuntimeError", diag.BadValue, "norm(): the Frobenius norm takes one or two dimensions, not %d", len(dims))
		}
	}
	d = d.Real()
	if c.torch1() && c.outDType != dtype.Unknown {
		d = c.outDType // it was copied into out
		if _, named := value.AsStr(c.Value("p")); !named && !t.Type().DType.IsComplex() && !c.accepts(inexact, d) {
			return nil
		}
	}
	return c.reduce(t, d, reduceRule{})
}

// argRule is argmax and argmin, which have nothing to compare, whatever the dtype,
// along an axis of size 1 and where the result is empty.
func argRule(c *Call) value.Value {
	r := reduceRule{accept: realNums, result: indexType, full: true}
	if t := c.Tensor("input"); t != nil && t.Type().Ranked && c.chooses(t) {
		r.accept = anyDType
	}
	return r.apply(c)
}
