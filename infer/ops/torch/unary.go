package torch

// This file holds the records of functions of one tensor that work element by
// element. The dtypes that each accepts are those of PyTorch's CPU kernels,
// except that half precision, which is a matter of the build, always passes.

import (
	"math"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// spelled expands short names of one record: "add" is torch.add and
// torch.Tensor.add, ".add" the method alone, "__add__" the operator,
// "special.expit" torch.special.expit, and what starts with torch is complete.
func spelled(names string) []string {
	var out []string
	for _, n := range strings.Fields(names) {
		switch {
		case strings.HasPrefix(n, "torch."):
			out = append(out, n)
		case strings.HasPrefix(n, "."):
			out = append(out, "torch.Tensor"+n)
		case strings.HasPrefix(n, "__"):
			out = append(out, "torch.Tensor."+n)
		case strings.Contains(n, "."):
			out = append(out, "torch."+n)
		default:
			out = append(out, "torch."+n, "torch.Tensor."+n)
		}
	}
	return out
}

// A unaryRule describes a function of one tensor. Its result has the shape of the tensor, and the
// dtype that the fields say. An integer or bool that is computed as a float takes the default
// dtype, as torch.get_default_dtype gives it.
type unaryRule struct {
	// Other dtypes are refused.
	accept ops.DTypeSet
	// float computes integers and bool in the default dtype.
	float bool
	// since2 are dtypes that PyTorch accepts since 2.0.
	since2 ops.DTypeSet
	// result maps the dtype of the computation to that of the result; nil: the same.
	result func(dtype.DType) dtype.DType
	// elem computes an element where it is known; nil: elements are not followed.
	elem ops.ElemFunc
}

// apply is the rule. It refuses dtypes, and a complex tensor in place where the result is real.
func (r unaryRule) apply(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d := t.Type().DType
	if !c.Accepts(byVersion(c, r.accept, r.accept|r.since2), d) {
		return nil
	}
	if r.float {
		d = c.ToFloat(d)
	}
	if c.InPlace && d.IsComplex() && r.result != nil && r.result(d) == d.Real() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): a real result cannot be written into a tensor of %s", c.Short(), d)
	}
	c.CastOut = d.IsComplex() && c.OutDType.IsFloat() // abs and angle give real numbers
	if c.OutDType == d && !c.Is(angle) && r.result != nil && r.result(d) == d.Real() && d.IsComplex() {
		return c.Pointwise(d, nil, t) // abs into complex numbers
	}
	if r.result != nil && d != dtype.Unknown {
		d = r.result(d)
	}
	// Predicates have bool as their result, also where the dtype of the tensor is not known.
	if r.result != nil && r.result(dtype.F16) == dtype.Bool {
		d = dtype.Bool
	}
	out := c.Pointwise(d, r.elem, t)
	if x, ok := out.(*value.Tensor); ok && c.Is(angle) && t.Type().DType.IsComplex() {
		x.Type().Strides = nil // real numbers in memory of their own
	}
	return out
}

// angle is the function whose results have memory of their own.
const angle ops.Variant = "angle"

// unary makes the record of a function of one tensor with an in-place form and out=.
func unary(names string, r unaryRule, doc string) ops.Op {
	return ops.Op{Names: spelled(names), Sig: "(Tensor input)", Rule: r.apply, InPlace: true, Out: true, Doc: doc}
}

// exactUnary is unary for functions whose out= must have the result's dtype.
func exactUnary(names string, r unaryRule, doc string) ops.Op {
	op := unary(names, r, doc)
	op.ExactOut = true
	return op
}

// floatFn is a function that computes integers in the default dtype.
func floatFn(names string, accept ops.DTypeSet, f func(float64) float64) ops.Op {
	r := unaryRule{accept: accept | ops.Unsigned, float: true}
	if f != nil {
		r.elem = ops.UnaryFloat(f)
	}
	return unary(names, r, "element-wise; integers are computed in the default dtype")
}

// floatFnSince2 is floatFn with dtypes that PyTorch accepts since 2.0.
func floatFnSince2(names string, accept, since2 ops.DTypeSet, f func(float64) float64) ops.Op {
	return unary(names, unaryRule{accept: accept | ops.Unsigned, since2: since2, float: true, elem: ops.UnaryFloat(f)},
		"element-wise; integers are computed in the default dtype")
}

// byVersion is the set of dtypes that the PyTorch of the run accepts.
func byVersion(c *ops.Call, torch1, torch2 ops.DTypeSet) ops.DTypeSet {
	if c.Torch1() {
		return torch1
	}
	return torch2
}

// All dtypes but the complex ones.
const realDTypes = ops.RealNums | ops.Booleans

// wideComplexes are the complex numbers that have kernels throughout.
const wideComplexes ops.DTypeSet = 1<<dtype.C64 | 1<<dtype.C128

// floatTest makes the ElemFunc of a predicate on floats; integers give onInt. The result is nil,
// which is not known, for an element that is no constant.
func floatTest(f func(float64) bool, onInt bool) ops.ElemFunc {
	return func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		if !ops.IsRealElem(x[0]) {
			return value.Bool(onInt)
		}
		if v, ok := x[0].(value.Float); ok {
			return value.Bool(f(float64(v)))
		}
		return nil
	}
}

// realPart is the result of functions of a complex number that give a real one, such as abs.
func realPart(d dtype.DType) dtype.DType { return d.Real() }

var unaryOps = [...]ops.Op{
	floatFn("acos arccos", ops.AnyDType, math.Acos),
	floatFn("acosh arccosh", ops.AnyDType, math.Acosh),
	floatFn("asin arcsin", ops.AnyDType, math.Asin),
	floatFn("asinh arcsinh", ops.AnyDType, math.Asinh),
	floatFn("atan arctan", ops.AnyDType, math.Atan),
	floatFn("atanh arctanh", ops.AnyDType, math.Atanh),
	floatFn("cos", ops.AnyDType, math.Cos),
	floatFn("cosh", ops.AnyDType, math.Cosh),
	floatFn("exp", ops.AnyDType, math.Exp).With(ops.Op{Is: graph.OneTensor}),
	floatFn("log", ops.AnyDType, math.Log).With(ops.Op{Is: graph.OneTensor}),
	floatFn("log10", ops.AnyDType, math.Log10),
	floatFn("log2", ops.AnyDType, math.Log2),
	floatFn("reciprocal", ops.AnyDType, func(x float64) float64 { return 1 / x }),
	floatFn("rsqrt", ops.AnyDType, func(x float64) float64 { return 1 / math.Sqrt(x) }),
	floatFn("sigmoid special.expit torch.nn.functional.sigmoid", ops.AnyDType, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }).
		With(ops.Op{NoOut: []string{nnf + "sigmoid"}, Is: graph.KeepsAxes | graph.Probability | graph.OneTensor}),
	floatFn("sin", ops.AnyDType, math.Sin),
	floatFn("sinc special.sinc", ops.AnyDType, nil),
	floatFn("sinh", ops.AnyDType, math.Sinh),
	floatFn("sqrt", ops.AnyDType, math.Sqrt).With(ops.Op{Is: graph.OneTensor}),
	floatFn("tan", ops.AnyDType, math.Tan),
	floatFn("tanh torch.nn.functional.tanh", ops.AnyDType, math.Tanh).With(ops.Op{NoOut: []string{nnf + "tanh"},
		Is: graph.KeepsAxes | graph.OneTensor}),
	floatFn("deg2rad", realDTypes, func(x float64) float64 { return x * math.Pi / 180 }),
	floatFn("rad2deg", realDTypes, func(x float64) float64 { return x * 180 / math.Pi }),
	floatFn("digamma special.digamma special.psi", realDTypes, nil),
	floatFn("erf special.erf", realDTypes, math.Erf),
	floatFn("erfc special.erfc", realDTypes, math.Erfc),
	floatFn("erfinv special.erfinv", realDTypes, math.Erfinv),
	floatFnSince2("exp2 special.exp2", realDTypes, wideComplexes, math.Exp2),
	floatFnSince2("expm1 special.expm1", realDTypes, wideComplexes, math.Expm1),
	floatFn("i0 special.i0", realDTypes, nil),
	floatFn("lgamma special.gammaln", realDTypes, nil),
	floatFnSince2("log1p special.log1p", realDTypes, wideComplexes, math.Log1p),
	floatFn("special.airy_ai", realDTypes, nil),
	floatFn("special.bessel_j0", realDTypes, nil),
	floatFn("special.bessel_j1", realDTypes, nil),
	floatFn("special.bessel_y0", realDTypes, nil),
	floatFn("special.bessel_y1", realDTypes, nil),
	floatFn("special.entr", realDTypes, nil),
	floatFn("special.erfcx", realDTypes, nil),
	floatFn("special.i0e", realDTypes, nil),
	floatFn("special.i1", realDTypes, nil),
	floatFn("special.i1e", realDTypes, nil),
	floatFn("special.log_ndtr", realDTypes, nil),
	floatFn("special.modified_bessel_i0", realDTypes, nil),
	floatFn("special.modified_bessel_i1", realDTypes, nil),
	floatFn("special.modified_bessel_k0", realDTypes, nil),
	floatFn("special.modified_bessel_k1", realDTypes, nil),
	floatFn("special.ndtr", realDTypes, nil),
	floatFn("special.ndtri", realDTypes, nil),
	floatFn("special.scaled_modified_bessel_k0", realDTypes, nil),
	floatFn("special.scaled_modified_bessel_k1", realDTypes, nil),
	floatFn("special.spherical_bessel_j0", realDTypes, nil),

	exactUnary("abs absolute __abs__", unaryRule{accept: ops.Numbers, result: realPart, elem: ops.AbsElem},
		"absolute value; of complex numbers a real tensor").
		With(ops.Op{Is: graph.OneTensor}),
	notInPlace(unary("angle", unaryRule{accept: ops.AnyDType, float: true, result: realPart},
		"argument of complex numbers")).With(ops.Op{Variant: angle}),
	exactUnary("ceil", unaryRule{accept: ops.RealNums | ops.Unsigned, elem: ops.CeilElem}, "integers stay as they are"),
	exactUnary("floor", unaryRule{accept: ops.RealNums | ops.Unsigned, elem: ops.FloorElem}, "integers stay as they are"),
	exactUnary("trunc fix", unaryRule{accept: ops.RealNums | ops.Unsigned, elem: ops.TruncElem}, "integers stay as they are"),
	exactUnary("frac", unaryRule{accept: ops.RealFloats}, "fractional part"),
	exactUnary("neg negative __neg__", unaryRule{accept: ops.Numbers, elem: ops.NegElem}, "not defined for bool").
		With(ops.Op{Is: graph.OneTensor}),
	exactUnary("sgn", unaryRule{accept: ops.AnyDType &^ ops.Unsigned, elem: ops.SignElem}, "sign, of complex numbers a unit number"),
	exactUnary("sign", unaryRule{accept: realDTypes, elem: ops.SignElem}, "sign"),
	exactUnary("bitwise_not __invert__", unaryRule{accept: ops.Integers | ops.Booleans, elem: ops.InvertElem}, "complement"),
	unary("logical_not", unaryRule{accept: ops.AnyDType &^ ops.Unsigned, result: ops.AlwaysBool, elem: ops.NotElem}, "not"),
	{Names: spelled("conj_physical"), Sig: "(Tensor input)", Rule: conjPhysicalRule, InPlace: true, Out: true, ExactOut: true,
		Doc: "complex conjugate in new memory; of real numbers the tensor itself"},
	notInPlace(exactUnary("isneginf", unaryRule{accept: realDTypes | ops.Unsigned, result: ops.AlwaysBool,
		elem: floatTest(func(x float64) bool { return math.IsInf(x, -1) }, false)}, "is -inf")),
	notInPlace(exactUnary("isposinf", unaryRule{accept: realDTypes | ops.Unsigned, result: ops.AlwaysBool,
		elem: floatTest(func(x float64) bool { return math.IsInf(x, 1) }, false)}, "is inf")),
	notInPlace(exactUnary("signbit", unaryRule{accept: realDTypes | ops.Unsigned, result: ops.AlwaysBool}, "sign bit")),
	exactUnary("square", unaryRule{accept: ops.AnyDType &^ ops.Unsigned, result: func(d dtype.DType) dtype.DType {
		if d == dtype.Bool {
			return dtype.I64
		}
		return d
	}, elem: ops.SquareElem}, "pow(2); bool gives int64").With(ops.Op{Form: graph.Square}),

	{Names: spelled("isnan"), Sig: "(Tensor input)", Rule: unaryRule{accept: ops.AnyDType, result: ops.AlwaysBool,
		elem: floatTest(math.IsNaN, false)}.apply, Doc: "is nan"},
	{Names: spelled("isinf"), Sig: "(Tensor input)", Rule: unaryRule{accept: ops.AnyDType, result: ops.AlwaysBool,
		elem: floatTest(func(x float64) bool { return math.IsInf(x, 0) }, false)}.apply, Doc: "is infinite"},
	{Names: spelled("isfinite"), Sig: "(Tensor input)", Rule: unaryRule{accept: ops.AnyDType, result: ops.AlwaysBool,
		elem: floatTest(func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }, true)}.apply, Doc: "is finite"},
	{Names: spelled("isreal"), Sig: "(Tensor input)", Rule: unaryRule{accept: ops.AnyDType, result: ops.AlwaysBool}.apply,
		Doc: "has no imaginary part"},
	{Names: spelled("positive __pos__"), Sig: "(Tensor input)", Rule: positive, Is: graph.View,
		Doc: "the tensor itself; not defined for bool"},
	{Names: spelled("round special.round"), Sig: "(Tensor input) | (Tensor input, *, int decimals)", Rule: round, InPlace: true, Out: true,
		ExactOut: true, Doc: "round half to even"},
	{Names: spelled("logit special.logit"), Sig: "(Tensor input, float? eps=None)", Rule: unaryRule{accept: realDTypes, float: true}.apply,
		InPlace: true, Out: true, Numbers: []ops.Converted{{Param: "eps", To: ops.ToComputed}}, Doc: "log(x / (1 - x))"},
	{Names: spelled("nan_to_num"), Sig: "(Tensor input, float? nan=None, float? posinf=None, float? neginf=None)",
		Rule: unaryRule{accept: realDTypes | ops.Unsigned, since2: wideComplexes}.apply, InPlace: true, Out: true, ExactOut: true,
		Doc: "replaces nan and infinities"},
	{Names: spelled("mvlgamma special.multigammaln"), Sig: "(Tensor input, int p)", Rule: mvlgamma, InPlace: true, Out: true,
		Doc: "log of the multivariate gamma function"},
	{Names: spelled("torch.polygamma special.polygamma"), Sig: "(int n, Tensor input)", Rule: polygamma, Out: true,
		Doc: "derivative of digamma"},
	{Names: spelled(".polygamma"), Sig: "(Tensor input, int n)", Rule: polygamma, InPlace: true, Doc: "derivative of digamma"},
	{Names: spelled("frexp"), Sig: "(Tensor input)", Rule: frexp, Out: true, Doc: "mantissa and exponent"},
	{Names: spelled("conj resolve_conj resolve_neg"), Sig: "(Tensor input)", Rule: alias(ops.AnyDType), Is: graph.View,
		Doc: "complex conjugate; a view"},
	{Names: append(spelled("real"), "torch.Tensor.real.get"), Sig: "(Tensor input)", Rule: partOf(ops.AnyDType), Is: graph.View,
		Doc: "real part; a view"},
	{Names: append(spelled("imag"), "torch.Tensor.imag.get"), Sig: "(Tensor input)", Rule: partOf(ops.Complexes), Is: graph.View,
		Doc: "imaginary part; a view"},
}

// alias makes the rule of a function that gives its argument in the same memory.
func alias(accept ops.DTypeSet) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil || !c.Accepts(accept, t.Type().DType) {
			return nil
		}
		return aliasOf(c, t)
	}
}

// aliasOf makes a view of the whole of t.
func aliasOf(c *ops.Call, t *value.Tensor) *value.Tensor {
	out := c.OutType(*t.Type())
	out.ShareStorage(c.Th.Heap(), t)
	out.SetContents(t.Contents())
	return out
}

func conjPhysicalRule(c *ops.Call) value.Value {
	if t := c.Tensor("input"); t != nil && c.InPlace && t.Type().DType != dtype.Unknown && !t.Type().DType.IsComplex() {
		c.InPlace = false // nothing is written
		return t
	}
	t := c.Tensor("input")
	if t != nil && !c.InPlace && c.OutDType == dtype.Unknown && !t.Type().DType.IsComplex() {
		return t
	}
	return unaryRule{accept: ops.AnyDType, elem: ops.SameElem}.apply(c)
}

func positive(c *ops.Call) value.Value {
	return alias(ops.Numbers | ops.Unsigned)(c)
}

// partOf views complex numbers as pairs.
func partOf(accept ops.DTypeSet) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil || !c.Accepts(accept, t.Type().DType) {
			return nil
		}
		if !t.Type().DType.IsComplex() {
			return aliasOf(c, t)
		}
		ty := *t.Type()
		ty.DType = ty.DType.Real()
		if ty.Ranked {
			ty.Strides = c.StridesOf(t)
			for i, s := range ty.Strides {
				ty.Strides[i] = c.P.Mul(s, c.P.Const(2))
			}
			if len(ty.Shape) == 0 {
				ty.Strides = nil
			}
		}
		out := c.OutType(ty)
		out.ShareStorage(c.Th.Heap(), t)
		return out
	}
}

func round(c *ops.Call) value.Value {
	accept, elem := ops.RealNums|ops.Unsigned, ops.RoundElem
	if c.HasParam("decimals") {
		if c.Torch1() {
			accept = ops.RealFloats // with decimals there was no kernel for integers
		}
		if n, ok := ops.DimVal(c.Dim("decimals")); !ok || n != 0 {
			elem = nil
		}
	}
	return unaryRule{accept: accept, elem: elem}.apply(c)
}

func mvlgamma(c *ops.Call) value.Value {
	if p := c.Dim("p"); c.OK() && !c.AtLeast(p, 1) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): p must be at least 1, not %s", c.Short(), p)
	}
	out, ok := unaryRule{accept: ops.RealNums, float: true}.apply(c).(*value.Tensor)
	if !ok {
		return nil
	}
	out.Type().Strides = nil // it is a sum
	return out
}

func polygamma(c *ops.Call) value.Value {
	if n := c.Dim("n"); c.OK() && !c.AtLeast(n, 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): n must not be negative, but is %s", c.Short(), n)
	}
	return unaryRule{accept: realDTypes, float: true}.apply(c)
}

func frexp(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !c.Accepts(ops.RealFloats, t.Type().DType) {
		return nil
	}
	return named(c, "frexp", []string{"mantissa", "exponent"}, c.Preserving(t, t.Type().DType), c.Preserving(t, dtype.I32))
}

// named makes a tuple of the class torch.return_types.<name>, which no program can
// get at but through such a tuple: a class for each does.
func named(c *ops.Call, name string, fields []string, elems ...value.Value) value.Value {
	cls := &value.Class{Name: name, Qualname: name, Module: "torch.return_types", Layout: value.TupleLayout, Fields: fields,
		Attrs: c.Th.Heap().NewAttrs()}
	cls.MRO = []*value.Class{cls}
	if base := c.Th.Class("tuple"); base != nil {
		cls.Bases = []*value.Class{base}
		cls.MRO = append(cls.MRO, base.MRO...)
	}
	return &value.Tuple{Class: cls, Elems: elems}
}
