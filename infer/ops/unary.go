package ops

// This file holds the records of functions of one tensor that work element by
// element. The dtypes that each accepts are those of PyTorch's CPU kernels,
// except that half precision, which is a matter of the build, always passes.

import (
	"math"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
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

// A unaryRule describes a function of one tensor.
type unaryRule struct {
	accept dset
	// float computes integers and bool in the default dtype.
	float bool
	// result maps the dtype of the computation to that of the result; nil: the same.
	result func(dtype.DType) dtype.DType
	elem   elemFunc
}

func (r unaryRule) apply(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d := t.Type().DType
	if !c.accepts(r.accept, d) {
		return nil
	}
	if r.float {
		d = c.toFloat(d)
	}
	if c.inout && d.IsComplex() && r.result != nil && r.result(d) == d.Real() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): a real result cannot be written into a tensor of %s", c.short(), d)
	}
	c.castOut = d.IsComplex() && c.outDType.IsFloat() // abs and angle give real numbers
	if c.outDType == d && !c.is(angle) && r.result != nil && r.result(d) == d.Real() && d.IsComplex() {
		return c.pointwise(d, nil, t) // abs into complex numbers
	}
	if r.result != nil && d != dtype.Unknown {
		d = r.result(d)
	}
	if r.result != nil && r.result(dtype.F16) == dtype.Bool {
		d = dtype.Bool
	}
	out := c.pointwise(d, r.elem, t)
	if x, ok := out.(*value.Tensor); ok && c.is(angle) && t.Type().DType.IsComplex() {
		x.Type().Strides = nil // real numbers in memory of their own
	}
	return out
}

// angle is the function whose results have memory of their own.
const angle Variant = "angle"

// unary makes the record of a function of one tensor with an in-place form and out=.
func unary(names string, r unaryRule, doc string) Op {
	return Op{Names: spelled(names), Sig: "(Tensor input)", Rule: r.apply, InPlace: true, Out: true, Doc: doc}
}

// exactUnary is unary for functions whose out= must have the result's dtype.
func exactUnary(names string, r unaryRule, doc string) Op {
	op := unary(names, r, doc)
	op.ExactOut = true
	return op
}

// floatFn is a function that computes integers in the default dtype.
func floatFn(names string, accept dset, f func(float64) float64) Op {
	r := unaryRule{accept: accept, float: true}
	if f != nil {
		r.elem = unaryFloat(f)
	}
	return unary(names, r, "element-wise; integers are computed in the default dtype")
}

const realDTypes = realNums | booleans

var (
	floorElem = rounding(math.Floor, (*symshape.Pool).FloorReal)
	ceilElem  = rounding(math.Ceil, (*symshape.Pool).CeilReal)
	truncElem = rounding(math.Trunc, (*symshape.Pool).TruncReal)
	roundElem = rounding(math.RoundToEven, (*symshape.Pool).RoundReal)
)

func negElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	return arith(elemArith{ints: (*symshape.Pool).DimSub, reals: (*symshape.Pool).RealSub, vals: func(a, b float64) float64 { return a - b }})(
		c, d, []value.Value{value.Int(0), x[0]})
}

func absElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	if d.IsFloat() {
		return unaryFloat(math.Abs)(c, d, x)
	}
	n, ok := c.elemDim(x[0])
	if !ok {
		return nil
	}
	return wrapInt(d, c.P.DimAbs(n))
}

func sameElem(c *Call, d dtype.DType, x []value.Value) value.Value { return c.castElem(d, x[0]) }

func notElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	switch b := c.elemTruth(x[0]).(type) {
	case value.Bool:
		return !b
	case *value.SymBool:
		return c.boolElem(c.P.Not(b.Cond), !b.Val, b.Known)
	}
	return nil
}

func invertElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	if d == dtype.Bool {
		return notElem(c, d, x)
	}
	n, ok := c.elemDim(x[0])
	if !ok {
		return nil
	}
	return wrapInt(d, c.P.DimSub(c.Const(-1), n))
}

func signOf(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

func signElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	if d.IsFloat() {
		return unaryFloat(signOf)(c, d, x)
	}
	n, ok := concreteElem(x[0])
	switch {
	case !ok:
		return nil
	case d == dtype.Bool:
		return x[0]
	}
	return value.Int(int64(signOf(float64(n))))
}

func squareElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	return mulElem(c, d, []value.Value{x[0], x[0]})
}

// floatTest makes the elemFunc of a predicate on floats; integers give onInt.
func floatTest(f func(float64) bool, onInt bool) elemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		if !isRealElem(x[0]) {
			return value.Bool(onInt)
		}
		if v, ok := x[0].(value.Float); ok {
			return value.Bool(f(float64(v)))
		}
		return nil
	}
}

func realPart(d dtype.DType) dtype.DType { return d.Real() }

var unaryOps = [...]Op{
	floatFn("acos arccos", anyDType, math.Acos),
	floatFn("acosh arccosh", anyDType, math.Acosh),
	floatFn("asin arcsin", anyDType, math.Asin),
	floatFn("asinh arcsinh", anyDType, math.Asinh),
	floatFn("atan arctan", anyDType, math.Atan),
	floatFn("atanh arctanh", anyDType, math.Atanh),
	floatFn("cos", anyDType, math.Cos),
	floatFn("cosh", anyDType, math.Cosh),
	floatFn("exp", anyDType, math.Exp),
	floatFn("log", anyDType, math.Log),
	floatFn("log10", anyDType, math.Log10),
	floatFn("log2", anyDType, math.Log2),
	floatFn("reciprocal", anyDType, func(x float64) float64 { return 1 / x }),
	floatFn("rsqrt", anyDType, func(x float64) float64 { return 1 / math.Sqrt(x) }),
	floatFn("sigmoid special.expit torch.nn.functional.sigmoid", anyDType, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }).With(Op{NoOut: []string{nnf + "sigmoid"}, Is: graph.KeepsAxes}),
	floatFn("sin", anyDType, math.Sin),
	floatFn("sinc special.sinc", anyDType, nil),
	floatFn("sinh", anyDType, math.Sinh),
	floatFn("sqrt", anyDType, math.Sqrt),
	floatFn("tan", anyDType, math.Tan),
	floatFn("tanh torch.nn.functional.tanh", anyDType, math.Tanh).With(Op{NoOut: []string{nnf + "tanh"}, Is: graph.KeepsAxes}),
	floatFn("deg2rad", realDTypes, func(x float64) float64 { return x * math.Pi / 180 }),
	floatFn("rad2deg", realDTypes, func(x float64) float64 { return x * 180 / math.Pi }),
	floatFn("digamma special.digamma special.psi", realDTypes, nil),
	floatFn("erf special.erf", realDTypes, math.Erf),
	floatFn("erfc special.erfc", realDTypes, math.Erfc),
	floatFn("erfinv special.erfinv", realDTypes, math.Erfinv),
	floatFn("exp2 special.exp2", realDTypes, math.Exp2),
	floatFn("expm1 special.expm1", realDTypes, math.Expm1),
	floatFn("i0 special.i0", realDTypes, nil),
	floatFn("lgamma special.gammaln", realDTypes, nil),
	floatFn("log1p special.log1p", realDTypes, math.Log1p),
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

	exactUnary("abs absolute __abs__", unaryRule{accept: numbers, result: realPart, elem: absElem}, "absolute value; of complex numbers a real tensor"),
	notInPlace(unary("angle", unaryRule{accept: anyDType, float: true, result: realPart}, "argument of complex numbers")).With(Op{Variant: angle}),
	exactUnary("ceil", unaryRule{accept: realNums, elem: ceilElem}, "integers stay as they are"),
	exactUnary("floor", unaryRule{accept: realNums, elem: floorElem}, "integers stay as they are"),
	exactUnary("trunc fix", unaryRule{accept: realNums, elem: truncElem}, "integers stay as they are"),
	exactUnary("frac", unaryRule{accept: realFloats}, "fractional part"),
	exactUnary("neg negative __neg__", unaryRule{accept: numbers, elem: negElem}, "not defined for bool"),
	exactUnary("sgn", unaryRule{accept: anyDType, elem: signElem}, "sign, of complex numbers a unit number"),
	exactUnary("sign", unaryRule{accept: realDTypes, elem: signElem}, "sign"),
	exactUnary("bitwise_not __invert__", unaryRule{accept: integers | booleans, elem: invertElem}, "complement"),
	unary("logical_not", unaryRule{accept: anyDType, result: boolType, elem: notElem}, "not"),
	{Names: spelled("conj_physical"), Sig: "(Tensor input)", Rule: conjPhysicalRule, InPlace: true, Out: true, ExactOut: true, Doc: "complex conjugate in new memory; of real numbers the tensor itself"},
	notInPlace(exactUnary("isneginf", unaryRule{accept: realDTypes, result: boolType, elem: floatTest(func(x float64) bool { return math.IsInf(x, -1) }, false)}, "is -inf")),
	notInPlace(exactUnary("isposinf", unaryRule{accept: realDTypes, result: boolType, elem: floatTest(func(x float64) bool { return math.IsInf(x, 1) }, false)}, "is inf")),
	notInPlace(exactUnary("signbit", unaryRule{accept: realDTypes, result: boolType}, "sign bit")),
	exactUnary("square", unaryRule{accept: anyDType, result: func(d dtype.DType) dtype.DType {
		if d == dtype.Bool {
			return dtype.I64
		}
		return d
	}, elem: squareElem}, "pow(2); bool gives int64").With(Op{Form: graph.Square}),

	{Names: spelled("isnan"), Sig: "(Tensor input)", Rule: unaryRule{accept: anyDType, result: boolType, elem: floatTest(math.IsNaN, false)}.apply, Doc: "is nan"},
	{Names: spelled("isinf"), Sig: "(Tensor input)", Rule: unaryRule{accept: anyDType, result: boolType, elem: floatTest(func(x float64) bool { return math.IsInf(x, 0) }, false)}.apply, Doc: "is infinite"},
	{Names: spelled("isfinite"), Sig: "(Tensor input)", Rule: unaryRule{accept: anyDType, result: boolType, elem: floatTest(func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }, true)}.apply, Doc: "is finite"},
	{Names: spelled("isreal"), Sig: "(Tensor input)", Rule: unaryRule{accept: anyDType, result: boolType}.apply, Doc: "has no imaginary part"},
	{Names: spelled("positive __pos__"), Sig: "(Tensor input)", Rule: positive, Is: graph.View, Doc: "the tensor itself; not defined for bool"},
	{Names: spelled("round special.round"), Sig: "(Tensor input) | (Tensor input, *, int decimals)", Rule: round, InPlace: true, Out: true, ExactOut: true, Doc: "round half to even"},
	{Names: spelled("logit special.logit"), Sig: "(Tensor input, float? eps=None)", Rule: unaryRule{accept: realDTypes, float: true}.apply, InPlace: true, Out: true, Numbers: []Converted{{param: "eps", to: toComputed}}, Doc: "log(x / (1 - x))"},
	{Names: spelled("nan_to_num"), Sig: "(Tensor input, float? nan=None, float? posinf=None, float? neginf=None)", Rule: unaryRule{accept: realDTypes}.apply, InPlace: true, Out: true, ExactOut: true, Doc: "replaces nan and infinities"},
	{Names: spelled("mvlgamma special.multigammaln"), Sig: "(Tensor input, int p)", Rule: mvlgamma, InPlace: true, Out: true, Doc: "log of the multivariate gamma function"},
	{Names: spelled("torch.polygamma special.polygamma"), Sig: "(int n, Tensor input)", Rule: polygamma, Out: true, Doc: "derivative of digamma"},
	{Names: spelled(".polygamma"), Sig: "(Tensor input, int n)", Rule: polygamma, InPlace: true, Doc: "derivative of digamma"},
	{Names: spelled("frexp"), Sig: "(Tensor input)", Rule: frexp, Out: true, Doc: "mantissa and exponent"},
	{Names: spelled("conj resolve_conj resolve_neg"), Sig: "(Tensor input)", Rule: alias(anyDType), Is: graph.View, Doc: "complex conjugate; a view"},
	{Names: append(spelled("real"), "torch.Tensor.real.get"), Sig: "(Tensor input)", Rule: partOf(anyDType), Is: graph.View, Doc: "real part; a view"},
	{Names: append(spelled("imag"), "torch.Tensor.imag.get"), Sig: "(Tensor input)", Rule: partOf(complexes), Is: graph.View, Doc: "imaginary part; a view"},
}

// alias makes the rule of a function that gives its argument in the same memory.
func alias(accept dset) func(*Call) value.Value {
	return func(c *Call) value.Value {
		t := c.Tensor("input")
		if t == nil || !c.accepts(accept, t.Type().DType) {
			return nil
		}
		return c.aliasOf(t)
	}
}

// aliasOf makes a view of the whole of t.
func (c *Call) aliasOf(t *value.Tensor) *value.Tensor {
	out := c.OutType(*t.Type())
	out.ShareStorage(c.Th.Heap(), t)
	out.SetContents(t.Contents())
	return out
}

func conjPhysicalRule(c *Call) value.Value {
	if t := c.Tensor("input"); t != nil && c.inout && t.Type().DType != dtype.Unknown && !t.Type().DType.IsComplex() {
		c.inout = false // nothing is written
		return t
	}
	t := c.Tensor("input")
	if t != nil && !c.inout && c.outDType == dtype.Unknown && !t.Type().DType.IsComplex() {
		return t
	}
	return unaryRule{accept: anyDType, elem: sameElem}.apply(c)
}

func positive(c *Call) value.Value {
	return alias(numbers)(c)
}

// partOf views complex numbers as pairs.
func partOf(accept dset) func(*Call) value.Value {
	return func(c *Call) value.Value {
		t := c.Tensor("input")
		if t == nil || !c.accepts(accept, t.Type().DType) {
			return nil
		}
		if !t.Type().DType.IsComplex() {
			return c.aliasOf(t)
		}
		ty := *t.Type()
		ty.DType = ty.DType.Real()
		if ty.Ranked {
			ty.Strides = c.stridesOf(t)
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

func round(c *Call) value.Value {
	accept, elem := realNums, roundElem
	if c.HasParam("decimals") {
		if c.torch1() {
			accept = realFloats // with decimals there was no kernel for integers
		}
		if n, ok := DimVal(c.Dim("decimals")); !ok || n != 0 {
			elem = nil
		}
	}
	return unaryRule{accept: accept, elem: elem}.apply(c)
}

func mvlgamma(c *Call) value.Value {
	if p := c.Dim("p"); c.OK() && !c.AtLeast(p, 1) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): p must be at least 1, not %s", c.short(), p)
	}
	out, ok := unaryRule{accept: realNums, float: true}.apply(c).(*value.Tensor)
	if !ok {
		return nil
	}
	out.Type().Strides = nil // it is a sum
	return out
}

func polygamma(c *Call) value.Value {
	if n := c.Dim("n"); c.OK() && !c.AtLeast(n, 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): n must not be negative, but is %s", c.short(), n)
	}
	return unaryRule{accept: realDTypes, float: true}.apply(c)
}

func frexp(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !c.accepts(realFloats, t.Type().DType) {
		return nil
	}
	return c.named("frexp", []string{"mantissa", "exponent"}, c.preserving(t, t.Type().DType), c.preserving(t, dtype.I32))
}

// named makes a tuple of the class torch.return_types.<name>, which no program can
// get at but through such a tuple: a class for each does.
func (c *Call) named(name string, fields []string, elems ...value.Value) value.Value {
	cls := &value.Class{Name: name, Qualname: name, Module: "torch.return_types", Layout: value.TupleLayout, Fields: fields, Attrs: c.Th.Heap().NewAttrs()}
	cls.MRO = []*value.Class{cls}
	if base := c.Th.Class("tuple"); base != nil {
		cls.Bases = []*value.Class{base}
		cls.MRO = append(cls.MRO, base.MRO...)
	}
	return &value.Tuple{Class: cls, Elems: elems}
}

// rounding makes the elemFunc of floor, ceil, trunc and round: integers stay as they are.
func rounding(f func(float64) float64, sym func(p *symshape.Pool, r symshape.Real) *symshape.Expr) elemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		if !isRealElem(x[0]) {
			return c.castElem(d, x[0])
		}
		if !d.IsFloat() {
			return nil
		}
		a := c.elemReal(x[0])
		r := realElem{val: f(a.val), known: a.known}
		if a.r.Known() {
			if e := sym(c.P, a.r); e != nil {
				r.r = c.P.RealFromInt(e)
			}
		}
		return r.elem(d)
	}
}
