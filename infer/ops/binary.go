package ops

// This file holds the records of arithmetic, comparison, logical and bitwise
// functions of two operands that broadcast, with the operators of Python.
//
// The reflected operators that do not commute (__rsub__, __rpow__ …) have records
// of their own, whose input is the right operand.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A binaryRule describes a function of two operands.
type binaryRule struct {
	// accept are the dtypes in which it computes, after promotion.
	accept dset
	// float computes integers and bool in the default dtype.
	float bool
	// result maps the dtype of the computation to that of the result; nil: the same.
	result func(dtype.DType) dtype.DType
	elem   elemFunc
	// check looks at the operands first; it records faults.
	check func(c *Call, a, b value.Value, d dtype.DType)
	// swap exchanges the operands: the record's input is the right one.
	swap bool
}

func (r binaryRule) apply(c *Call) value.Value {
	if c.outDType != dtype.Unknown && c.Op.Has(ScalarWithoutOut) && !isTensor(c.Value("input")) {
		return c.Errorf("TypeError", diag.BadCall, "%s() of a number and a tensor takes no out", c.short())
	}
	return r.on(c, c.Value("input"), c.Value("other"))
}

func (r binaryRule) on(c *Call, a, b value.Value) value.Value {
	if r.swap {
		a, b = b, a
	}
	d := c.ResultType(a, b)
	if k := numberKind(a); k != dtype.KindInvalid && k == numberKind(b) { // of one kind they are not promoted
		if own, ok := numberTensor[k]; ok {
			d = own
		}
	}
	if r.check != nil {
		r.check(c, a, b, d)
	}
	if r.float {
		d = c.toFloat(d)
	}
	if !c.OK() || !c.accepts(r.accept, d) {
		return nil
	}
	if r.result != nil {
		d = r.result(d)
	}
	elem := r.elem
	if elem != nil {
		elem = inCommon(c.ResultType(a, b), elem)
	}
	if elem != nil && c.HasParam("alpha") {
		if n, ok := value.AsInt(c.Value("alpha")); !ok || n != 1 {
			elem = nil
		}
	}
	return c.pointwise(d, elem, a, b)
}

const (
	twoOperands   = "(Operand input, Operand other)" // numbers stand for tensors
	twoTensors    = "(Tensor input, Tensor other)"
	tensorOperand = "(Tensor input, Operand other)"
	withAlpha     = "(Operand input, Operand other, *, Scalar alpha=1) | (Tensor input, Scalar alpha, Operand other)" // the second is deprecated
)

func binary(names, sig string, r binaryRule, doc string) Op {
	return Op{Names: spelled(names), Sig: sig, Rule: r.apply, InPlace: true, Out: true, Doc: doc}
}

// notInPlace is for functions that have no in-place form.
func notInPlace(op Op) Op {
	op.InPlace = false
	return op
}

// compare makes the record of a comparison.
func compare(names string, accept dset, elem elemFunc) Op {
	return binary(names, tensorOperand, binaryRule{accept: accept, result: boolType, elem: elem}, "element-wise comparison")
}

var (
	addElem = arith(elemArith{(*symshape.Pool).DimAdd, (*symshape.Pool).RealAdd, func(a, b float64) float64 { return a + b }})
	subElem = arith(elemArith{(*symshape.Pool).DimSub, (*symshape.Pool).RealSub, func(a, b float64) float64 { return a - b }})
	mulElem = arith(elemArith{(*symshape.Pool).DimMul, (*symshape.Pool).RealMul, func(a, b float64) float64 { return a * b }})
	divElem = arith(elemArith{nil, (*symshape.Pool).RealDiv, func(a, b float64) float64 { return a / b }})
	minElem = arith(elemArith{(*symshape.Pool).DimMin, (*symshape.Pool).RealMin, math.Min})
	maxElem = arith(elemArith{(*symshape.Pool).DimMax, (*symshape.Pool).RealMax, math.Max})
	powElem = arith(elemArith{dimPow, nil, math.Pow})

	floorDivElem = arith(elemArith{(*symshape.Pool).DimFloorDiv, (*symshape.Pool).RealFloorDiv, func(a, b float64) float64 { return math.Floor(a / b) }})
	truncDivElem = arith(elemArith{dimTruncDiv, nil, func(a, b float64) float64 { return math.Trunc(a / b) }})
	modElem      = arith(elemArith{(*symshape.Pool).DimMod, (*symshape.Pool).RealMod, floatMod})
	fmodElem     = arith(elemArith{dimTruncMod, nil, math.Mod})

	eqElem = compareElem((*symshape.Pool).Eq, func(a, b float64) bool { return a == b })
	neElem = compareElem((*symshape.Pool).Ne, func(a, b float64) bool { return a != b })
	ltElem = compareElem((*symshape.Pool).Lt, func(a, b float64) bool { return a < b })
	leElem = compareElem((*symshape.Pool).Le, func(a, b float64) bool { return a <= b })
	gtElem = compareElem((*symshape.Pool).Gt, func(a, b float64) bool { return a > b })
	geElem = compareElem((*symshape.Pool).Ge, func(a, b float64) bool { return a >= b })

	andElem = logicElem(func(a, b bool) bool { return a && b })
	orElem  = logicElem(func(a, b bool) bool { return a || b })
	xorElem = logicElem(func(a, b bool) bool { return a != b })
)

// rdivElem is other / input for a tensor input, which PyTorch computes as
// other * (1 / input): that rounds twice.
func rdivElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	one := divElem(c, d, []value.Value{value.Int(1), x[1]})
	if one == nil {
		return nil
	}
	return mulElem(c, d, []value.Value{one, x[0]})
}

// reflectedDiv makes floats of the input before it is promoted with the other.
func reflectedDiv(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	in := value.Value(t)
	if d := t.Type().DType; d.IsIntegralOrBool() {
		ty := *t.Type()
		ty.DType = c.DefaultDType()
		in = &value.Tensor{V: &graph.Value{Type: ty}}
	}
	d := c.ResultType(in, c.Value("other"))
	return c.pointwise(d, rdivElem, c.Value("other"), t)
}

func floatMod(a, b float64) float64 {
	m := math.Mod(a, b)
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

func dimPow(p *symshape.Pool, a, b symshape.Dim) symshape.Dim {
	n, ok := b.Const()
	if !ok || n < 0 || n > 64 {
		return symshape.Dim{}
	}
	out := p.ConstDim(1)
	for range n {
		out = p.DimMul(out, a)
	}
	return out
}

// dimTruncDiv divides towards zero: for operands that are not negative the same as //.
func dimTruncDiv(p *symshape.Pool, a, b symshape.Dim) symshape.Dim {
	x, ok1 := a.Const()
	y, ok2 := b.Const()
	if ok1 && ok2 {
		if y == 0 {
			return symshape.Dim{}
		}
		return p.ConstDim(x / y)
	}
	if notNegative(a) && notNegative(b) {
		return p.DimFloorDiv(a, b)
	}
	return symshape.Dim{}
}

func dimTruncMod(p *symshape.Pool, a, b symshape.Dim) symshape.Dim {
	q := dimTruncDiv(p, a, b)
	return p.DimSub(a, p.DimMul(q, b))
}

func notNegative(d symshape.Dim) bool {
	if d.Expr == nil {
		return false
	}
	lo, _ := d.Expr.Bounds()
	return lo >= 0
}

// integerNumbers are the dtypes of bitwise operations.
const integerNumbers = integers | booleans

var binaryOps = [...]Op{
	binary("add __add__ __radd__ __iadd__", withAlpha, binaryRule{accept: anyDType, check: checkAlpha, elem: addElem}, "input + alpha * other").With(Op{Form: graph.Arithmetic, Is: graph.Commutes, Quirks: OneDevice | Shifts, Numbers: []Converted{{param: "alpha"}}}),
	binary("sub __sub__ __isub__", withAlpha, binaryRule{accept: numbers, check: checkSub, elem: subElem}, "input - alpha * other; not defined for bool").With(Op{Form: graph.Arithmetic, Quirks: OneDevice, Numbers: []Converted{{param: "alpha"}}}),
	binary("subtract", "(Operand input, Operand other, *, Scalar alpha=1) | (Tensor input, Scalar other, Scalar alpha=1)",
		binaryRule{accept: numbers, check: checkSub, elem: subElem}, "sub without its deprecated form").With(Op{Form: graph.Arithmetic, Quirks: OneDevice, Numbers: []Converted{{param: "alpha"}}}),
	binary("torch.rsub __rsub__", "(Tensor input, Operand other, *, Scalar alpha=1) | (Tensor input, Scalar other, Scalar alpha=1)",
		binaryRule{accept: numbers, check: checkSub, elem: subElem, swap: true}, "other - alpha * input").With(Op{NoOut: []string{"torch.rsub"}, Quirks: OneDevice, Numbers: []Converted{{param: "alpha"}}}),
	binary("mul multiply __mul__ __rmul__ __imul__", twoOperands, binaryRule{accept: anyDType, elem: mulElem}, "product").With(Op{Form: graph.Arithmetic, Is: graph.Commutes, Quirks: OneDevice}),
	{Names: spelled("div divide __truediv__ __itruediv__ __div__ __idiv__"), Sig: "(Operand input, Operand other, *, str? rounding_mode=None)", Rule: divRule, InPlace: true, Out: true,
		Form: graph.Arithmetic, Quirks: OneDevice, Doc: "quotient; with rounding_mode integers stay integers"},
	binary("true_divide", twoOperands, binaryRule{accept: anyDType, float: true, elem: divElem}, "quotient; integers give the default dtype").With(Op{Quirks: OneDevice}),
	{Names: spelled("__rtruediv__ __rdiv__"), Sig: tensorOperand, Rule: reflectedDiv,
		Quirks: OneDevice, Doc: "other / input, computed as reciprocal times other"},
	binary("floor_divide __floordiv__ __ifloordiv__", twoOperands, binaryRule{accept: realNums, check: checkDivisor, elem: floorDivElem}, "quotient rounded down").With(Op{Quirks: OneDevice | PythonOperators}),
	binary("__rfloordiv__", tensorOperand, binaryRule{accept: realNums, check: checkDivisor, elem: floorDivElem, swap: true}, "other // input").With(Op{Quirks: PythonOperators}),
	binary("remainder __mod__ __imod__", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: realNums, check: checkDivisor, elem: modElem}, "Python's %: the sign of the divisor").With(Op{Quirks: OneDevice | ScalarWithoutOut}),
	binary("__rmod__", tensorOperand, binaryRule{accept: realNums, check: checkDivisor, elem: modElem, swap: true}, "other % input"),
	binary("fmod", tensorOperand, binaryRule{accept: realNums, check: checkDivisor, elem: fmodElem}, "C's %: the sign of the dividend").With(Op{Quirks: OneDevice}),
	{Names: spelled("pow __pow__ __ipow__"), Sig: "(Tensor input, Operand exponent) | (Scalar input, Tensor exponent)", Rule: powRule(false), InPlace: true, Out: true,
		Quirks: OneDevice, Numbers: []Converted{{param: "exponent", to: toPower}}, Doc: "power"},
	{Names: spelled("__rpow__"), Sig: "(Tensor input, Operand exponent)", Rule: powRule(true), Quirks: OneDevice, Doc: "exponent ** input"},
	{Names: spelled("float_power"), Sig: "(Tensor input, Operand exponent) | (Scalar input, Tensor exponent)", Rule: floatPower, InPlace: true, Out: true, ExactOut: true,
		Quirks: OneDevice, Doc: "power in float64 or complex128"},

	compare("eq __eq__", anyDType, eqElem).With(Op{Form: graph.Comparison, Quirks: OneDevice}),
	compare("ne not_equal __ne__", anyDType, neElem).With(Op{Form: graph.Comparison, Quirks: OneDevice}),
	compare("lt less __lt__", realDTypes, ltElem).With(Op{Form: graph.Comparison, Quirks: OneDevice}),
	compare("le less_equal __le__", realDTypes, leElem).With(Op{Form: graph.Comparison, Quirks: OneDevice}),
	compare("gt greater __gt__", realDTypes, gtElem).With(Op{Form: graph.Comparison, Quirks: OneDevice}),
	compare("ge greater_equal __ge__", realDTypes, geElem).With(Op{Form: graph.Comparison, Quirks: OneDevice}),

	notInPlace(binary("maximum", twoTensors, binaryRule{accept: realDTypes, elem: maxElem}, "greater of two")).With(Op{Quirks: OneDevice}),
	notInPlace(binary("minimum", twoTensors, binaryRule{accept: realDTypes, elem: minElem}, "lesser of two")).With(Op{Quirks: OneDevice}),
	notInPlace(binary("fmax", twoTensors, binaryRule{accept: realDTypes, elem: maxElem}, "greater of two; nan loses")).With(Op{Quirks: OneDevice}),
	notInPlace(binary("fmin", twoTensors, binaryRule{accept: realDTypes, elem: minElem}, "lesser of two; nan loses")).With(Op{Quirks: OneDevice}),
	binary("atan2 arctan2", twoTensors, binaryRule{accept: realFloats, float: true}, "angle").With(Op{Quirks: OneDevice}),
	binary("hypot", twoTensors, binaryRule{accept: realFloats}, "hypotenuse").With(Op{Quirks: OneDevice}),
	binary("nextafter", twoTensors, binaryRule{accept: realFloats}, "next number towards other").With(Op{Quirks: OneDevice}),
	binary("copysign", tensorOperand, binaryRule{accept: realFloats, float: true}, "magnitude of input, sign of other").With(Op{Quirks: OneDevice}),
	{Names: spelled("ldexp"), Sig: twoTensors, Rule: ldexpRule, InPlace: true, Out: true, Doc: "input * 2.0**other"},
	notInPlace(binary("logaddexp", twoTensors, binaryRule{accept: realFloats}, "log(exp(a) + exp(b))")).With(Op{Quirks: OneDevice}),
	notInPlace(binary("logaddexp2", twoTensors, binaryRule{accept: realFloats}, "log2(2**a + 2**b)")).With(Op{Quirks: OneDevice}),
	binary("igamma special.gammainc", twoTensors, binaryRule{accept: realFloats}, "regularised lower incomplete gamma function"),
	binary("igammac special.gammaincc", twoTensors, binaryRule{accept: realFloats}, "regularised upper incomplete gamma function"),
	binary("gcd", twoTensors, binaryRule{accept: integers}, "greatest common divisor"),
	binary("lcm", twoTensors, binaryRule{accept: integers}, "least common multiple"),
	binary("xlogy special.xlogy", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: realFloats, float: true}, "x * log(y)").With(Op{Quirks: OneDevice}),
	binary("special.xlog1py", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: realFloats, float: true}, "x * log1p(y)"),
	binary("special.zeta", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: realFloats, float: true}, "Hurwitz zeta function"),
	{Names: spelled("heaviside"), Sig: "(Tensor input, Tensor values)", Rule: heaviside, InPlace: true, Out: true, ExactOut: true,
		Quirks: OneDevice, Doc: "step function; no promotion"},

	binary("logical_and", twoTensors, binaryRule{accept: anyDType, result: boolType, elem: andElem}, "and").With(Op{Form: graph.Logic, Quirks: OneDevice}),
	binary("logical_or", twoTensors, binaryRule{accept: anyDType, result: boolType, elem: orElem}, "or").With(Op{Form: graph.Logic, Quirks: OneDevice}),
	binary("logical_xor", twoTensors, binaryRule{accept: anyDType, result: boolType, elem: xorElem}, "exclusive or").With(Op{Quirks: OneDevice}),
	binary("bitwise_and __and__ __rand__ __iand__", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: integerNumbers, elem: bitElem(func(a, b int64) int64 { return a & b })}, "and of bits").With(Op{Quirks: OneDevice | ScalarWithoutOut}),
	binary("bitwise_or __or__ __ror__ __ior__", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: integerNumbers, elem: bitElem(func(a, b int64) int64 { return a | b })}, "or of bits").With(Op{Quirks: OneDevice | ScalarWithoutOut}),
	binary("bitwise_xor __xor__ __rxor__ __ixor__", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: integerNumbers, elem: bitElem(func(a, b int64) int64 { return a ^ b })}, "exclusive or of bits").With(Op{Quirks: OneDevice | ScalarWithoutOut}),
	binary("bitwise_left_shift __lshift__ __ilshift__", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: integers, elem: shiftElem(false)}, "input * 2**other").With(Op{Quirks: ScalarWithoutOut}),
	binary("bitwise_right_shift __rshift__ __irshift__", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: integers, elem: shiftElem(true)}, "arithmetic shift").With(Op{Quirks: ScalarWithoutOut}),
	binary("__rlshift__", tensorOperand, binaryRule{accept: integers, elem: shiftElem(false), swap: true}, "other << input").With(Op{Quirks: PythonOperators}),
	binary("__rrshift__", tensorOperand, binaryRule{accept: integers, elem: shiftElem(true), swap: true}, "other >> input").With(Op{Quirks: PythonOperators}),

	polynomial("chebyshev_polynomial_t"), polynomial("chebyshev_polynomial_u"), polynomial("chebyshev_polynomial_v"), polynomial("chebyshev_polynomial_w"),
	polynomial("shifted_chebyshev_polynomial_t"), polynomial("shifted_chebyshev_polynomial_u"), polynomial("shifted_chebyshev_polynomial_v"), polynomial("shifted_chebyshev_polynomial_w"),
	polynomial("hermite_polynomial_h"), polynomial("hermite_polynomial_he"), polynomial("laguerre_polynomial_l"), polynomial("legendre_polynomial_p"),
}

func polynomial(name string) Op {
	return Op{
		Names: spelled("special." + name), Sig: "(Tensor input, Operand n) | (Scalar input, Tensor n)", Out: true,
		Rule: func(c *Call) value.Value {
			return binaryRule{accept: realFloats, float: true}.on(c, c.Value("input"), c.Value("n"))
		},
		Doc: "polynomial of degree n at input",
	}
}

// checkAlpha follows alpha_check of aten/src/ATen/native/BinaryOps.h.
func checkAlpha(c *Call, _, _ value.Value, d dtype.DType) {
	alpha := c.Value("alpha")
	switch k := numberKind(alpha); {
	case k == dtype.KindBool && d != dtype.Bool && d != dtype.Unknown:
		c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): alpha may be a bool only if the result is bool, but it is %s", c.short(), d)
	case d.IsIntegralOrBool() && k == dtype.KindFloat, d != dtype.Unknown && !d.IsComplex() && k == dtype.KindComplex:
		c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): alpha is of type %s, but the result has dtype %s", c.short(), TypeName(alpha), d)
	}
}

// checkSub follows sub_check of BinaryOps.h.
func checkSub(c *Call, a, b value.Value, d dtype.DType) {
	for _, v := range [...]value.Value{a, b} {
		t, ok := v.(*value.Tensor)
		if ok && t.Type().DType == dtype.Bool || numberKind(v) == dtype.KindBool {
			c.Errorf("RuntimeError", diag.DTypeMismatch, "subtraction with a bool operand is not supported: use ~, ^ or logical_not() to invert a mask")
			return
		}
	}
	if c.HasParam("alpha") {
		checkAlpha(c, a, b, d)
	}
}

// checkDivisor refuses integer division by the number 0, and by a tensor of
// which an element is known to be 0.
func checkDivisor(c *Call, a, b value.Value, d dtype.DType) {
	if !d.IsIntegral() {
		return
	}
	zero := false
	switch b := b.(type) {
	case value.Int:
		zero = b == 0 || d.Size() < 8 && int64(b)%(1<<(8*d.Size())) == 0 // it is cut to the dtype
	case value.Bool:
		zero = !bool(b)
	case *value.Tensor:
		zero = slices.ContainsFunc(b.Contents(), func(e value.Value) bool {
			n, ok := concreteElem(e)
			return ok && n == 0
		})
	}
	if _, ok := a.(*value.Tensor); ok && !c.surelyNotEmpty(a) {
		return
	}
	if zero {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): integer division by zero", c.short())
	}
}

// surelyNotEmpty reports whether a value is a tensor with elements.
func (c *Call) surelyNotEmpty(v value.Value) bool {
	t, ok := v.(*value.Tensor)
	if !ok || !t.Type().Ranked {
		return false
	}
	for _, d := range t.Type().Shape {
		if lo, _ := d.Expr.Bounds(); d.Expr == nil || lo < 1 {
			return false
		}
	}
	return true
}

func divRule(c *Call) value.Value {
	r := binaryRule{accept: anyDType, float: true, elem: divElem}
	if c.Has("rounding_mode") {
		switch mode := c.Str("rounding_mode"); mode {
		case "floor":
			r = binaryRule{accept: realNums, check: checkDivisor, elem: floorDivElem}
		case "trunc":
			r = binaryRule{accept: realNums, check: checkDivisor, elem: truncDivElem}
		default:
			return c.Errorf("RuntimeError", diag.BadValue, "%s(): rounding_mode must be None, 'trunc' or 'floor', not '%s'", c.short(), mode)
		}
	}
	return r.apply(c)
}

func powRule(swap bool) func(*Call) value.Value {
	return func(c *Call) value.Value {
		a, b := c.Value("input"), c.Value("exponent")
		if swap {
			a, b = b, a
		}
		d := c.ResultType(a, b)
		if n, ok := b.(value.Int); ok && n < 0 && d.IsIntegral() {
			return c.Errorf("RuntimeError", diag.BadValue, "%s(): integers cannot be raised to the negative power %d", c.short(), int64(n))
		}
		c.exactOut = numberKind(b) != dtype.KindInvalid
		out := binaryRule{accept: numbers, elem: powElem}.on(c, a, b)
		if t, ok := out.(*value.Tensor); ok && numberKind(a) != dtype.KindInvalid {
			t.Type().Strides = nil // the powers of a number are made contiguous
		}
		return out
	}
}

// ldexpRule multiplies with 2.0**other, which has the dtype of other or the
// default one.
func ldexpRule(c *Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("other")
	if a == nil || b == nil {
		return nil
	}
	x, y := a.Type(), b.Type()
	if x.DType == dtype.Unknown || y.DType == dtype.Unknown {
		return c.pointwise(dtype.Unknown, nil, a, b)
	}
	d := dtype.ResultType(c.DefaultDType(), dtype.TensorOp(x.DType, x.Rank()), dtype.TensorOp(c.toFloat(y.DType), y.Rank()))
	out, _ := c.pointwise(d, nil, a, b).(*value.Tensor)
	return c.unsure(out, a, b)
}

func floatPower(c *Call) value.Value {
	a, b := c.Value("input"), c.Value("exponent")
	d := c.ResultType(a, b)
	switch {
	case d.IsComplex():
		d = dtype.C128
	case d != dtype.Unknown:
		d = dtype.F64
	}
	if t, ok := a.(*value.Tensor); ok && c.inout && t.Type().DType != d && d != dtype.Unknown && t.Type().DType != dtype.Unknown {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() computes %s, which cannot be written into a tensor of %s", c.short(), d, t.Type().DType)
	}
	return c.pointwise(d, nil, a, b)
}

func heaviside(c *Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("values")
	if a == nil || b == nil {
		return nil
	}
	x, y := a.Type().DType, b.Type().DType
	if !c.accepts(realDTypes, x) || !c.accepts(realDTypes, y) {
		return nil
	}
	if x != y && x != dtype.Unknown && y != dtype.Unknown {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): both tensors must have the same dtype, but they have %s and %s", c.short(), x, y)
	}
	return c.pointwise(x, nil, a, b)
}

func shiftElem(right bool) elemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		a, ok1 := concreteElem(x[0])
		b, ok2 := concreteElem(x[1])
		if !ok1 || !ok2 || b < 0 || b >= int64(8*d.Size()) {
			return nil
		}
		if right {
			return wrapInt(d, c.Const(a>>b))
		}
		return wrapInt(d, c.Const(a<<b))
	}
}

// compareElem makes the elemFunc of a comparison.
func compareElem(cond func(p *symshape.Pool, a, b *symshape.Expr) *symshape.Cond, vals func(a, b float64) bool) elemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		if isRealElem(x[0]) || isRealElem(x[1]) {
			a, b := c.elemReal(x[0]), c.elemReal(x[1])
			if !a.known || !b.known {
				return nil
			}
			if a.r.Known() || b.r.Known() {
				return c.boolElem(nil, vals(a.val, b.val), true)
			}
			return value.Bool(vals(a.val, b.val))
		}
		a, ok1 := c.elemDim(x[0])
		b, ok2 := c.elemDim(x[1])
		if !ok1 || !ok2 {
			return nil
		}
		var k *symshape.Cond
		if a.Expr != nil && b.Expr != nil {
			k = cond(c.P, a.Expr, b.Expr)
		}
		known := a.Known && b.Known
		if k == nil && !known {
			return nil
		}
		// Values of sizes are far below 2⁵³.
		return c.boolElem(k, known && vals(float64(a.Val), float64(b.Val)), known)
	}
}

// logicElem makes the elemFunc of a logical operation on concrete truth values.
func logicElem(f func(a, b bool) bool) elemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		a, ok1 := c.elemTruth(x[0]).(value.Bool)
		b, ok2 := c.elemTruth(x[1]).(value.Bool)
		if !ok1 || !ok2 {
			return nil
		}
		return value.Bool(f(bool(a), bool(b)))
	}
}
