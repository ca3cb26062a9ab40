package torch

// This file holds the records of arithmetic, comparison, logical and bitwise
// functions of two operands that broadcast, with the operators of Python.
//
// The reflected operators that do not commute (__rsub__, __rpow__ …) have records
// of their own, whose input is the right operand. A rule promotes the operands (ResultType), checks
// that the kernel has the dtype, broadcasts (Pointwise), and follows small integer elements. Python
// numbers take part by their kind only, except where a rule says otherwise. In-place forms are made
// from the same records; that the result fits the first operand is checked in Apply.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// A binaryRule describes a function of two operands. Its zero value takes no dtype at all.
type binaryRule struct {
	// accept are the dtypes in which it computes, after promotion.
	accept ops.DTypeSet
	// since2 are dtypes that PyTorch accepts since 2.0.
	since2 ops.DTypeSet
	// float computes integers and bool in the default dtype. true division and its like.
	float bool
	// result maps the dtype of the computation to that of the result; nil: the same.
	result func(dtype.DType) dtype.DType
	// nil where elements are not followed.
	elem ops.ElemFunc
	// check looks at the operands first; it records faults.
	check func(c *ops.Call, a, b value.Value, d dtype.DType)
	// swap exchanges the operands: the record's input is the right one.
	swap bool
}

// For the numbers that ScalarWithoutOut names, PyTorch's overload has no out.
func (r binaryRule) apply(c *ops.Call) value.Value {
	if c.OutDType != dtype.Unknown && c.Op.Has(ops.ScalarWithoutOut) && !ops.IsTensor(c.Value("input")) {
		return c.Errorf("TypeError", diag.BadCall, "%s() of a number and a tensor takes no out", c.Short())
	}
	return r.on(c, c.Value("input"), c.Value("other"))
}

// The operands may be numbers, in either place.
func (r binaryRule) on(c *ops.Call, a, b value.Value) value.Value {
	if r.swap {
		a, b = b, a
	}
	d := c.ResultType(a, b)
	if k := ops.NumberKind(a); k != dtype.KindInvalid && k == ops.NumberKind(b) { // of one kind they are not promoted
		if own, ok := numberTensor[k]; ok {
			d = own
		}
	}
	if r.check != nil {
		r.check(c, a, b, d)
	}
	if r.float {
		d = c.ToFloat(d)
	}
	if !c.OK() || !c.Accepts(byVersion(c, r.accept, r.accept|r.since2), d) {
		return nil
	}
	if r.result != nil {
		d = r.result(d)
	}
	elem := r.elem
	// The elements are converted to the common dtype before.
	if elem != nil {
		elem = ops.InCommon(c.ResultType(a, b), elem)
	}
	// Only an alpha of 1 leaves the elements of a sum known.
	if elem != nil && c.HasParam("alpha") {
		if n, ok := value.AsInt(c.Value("alpha")); !ok || n != 1 {
			elem = nil
		}
	}
	return c.Pointwise(d, elem, a, b)
}

const (
	twoOperands   = "(Operand input, Operand other)" // numbers stand for tensors
	twoTensors    = "(Tensor input, Tensor other)"
	tensorOperand = "(Tensor input, Operand other)"
	// the second is deprecated
	withAlpha = "(Operand input, Operand other, *, Scalar alpha=1) | (Tensor input, Scalar alpha, Operand other)"
)

// All of them have an in-place form and out= unless said otherwise.
func binary(names, sig string, r binaryRule, doc string) ops.Op {
	return ops.Op{Names: spelled(names), Sig: sig, Rule: r.apply, InPlace: true, Out: true, Doc: doc}
}

// notInPlace is for functions that have no in-place form.
func notInPlace(op ops.Op) ops.Op {
	op.InPlace = false
	return op
}

// compare makes the record of a comparison. Comparisons give bool for all dtypes.
func compare(names string, accept ops.DTypeSet, elem ops.ElemFunc) ops.Op {
	return binary(names, tensorOperand, binaryRule{accept: accept, result: ops.AlwaysBool, elem: elem}, "element-wise comparison")
}

// The operators on elements, under the names that both libraries have for them: sums,
// products and quotients are nil where a result does not fit what is tracked;
// comparisons and logic give bools.

// rdivElem is other / input for a tensor input, which PyTorch computes as
// other * (1 / input): that rounds twice. As the result may differ in its last digit from a plain
// quotient.
func rdivElem(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
	one := ops.DivElem(c, d, []value.Value{value.Int(1), x[1]})
	if one == nil {
		return nil
	}
	return ops.MulElem(c, d, []value.Value{one, x[0]})
}

// reflectedDiv makes floats of the input before it is promoted with the other. Integer input
// becomes float before the division.
func reflectedDiv(c *ops.Call) value.Value {
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
	return c.Pointwise(d, rdivElem, c.Value("other"), t)
}

// integerNumbers are the dtypes of bitwise operations.
const integerNumbers = ops.Integers | ops.Booleans

var binaryOps = [...]ops.Op{
	binary("add __add__ __radd__ __iadd__", withAlpha, binaryRule{accept: ops.AnyDType, check: checkAlpha, elem: ops.AddElem},
		"input + alpha * other").With(ops.Op{Form: graph.Arithmetic, Is: graph.Commutes | graph.Combines, Quirks: ops.OneDevice | ops.Shifts,
		Numbers: []ops.Converted{{Param: "alpha"}},
		Trace:   ops.LeavesSizesInPlace}),
	binary("sub __sub__ __isub__", withAlpha, binaryRule{accept: ops.Numbers, check: checkSub, elem: ops.SubElem},
		"input - alpha * other; not defined for bool").With(ops.Op{Form: graph.Arithmetic, Quirks: ops.OneDevice,
		Numbers: []ops.Converted{{Param: "alpha"}},
		Trace:   ops.LeavesSizesInPlace, Is: graph.OneTensor | graph.Combines}),
	binary("subtract", "(Operand input, Operand other, *, Scalar alpha=1) | (Tensor input, Scalar other, Scalar alpha=1)",
		binaryRule{accept: ops.Numbers, check: checkSub, elem: ops.SubElem},
		"sub without its deprecated form").With(ops.Op{Form: graph.Arithmetic, Is: graph.Combines, Quirks: ops.OneDevice,
		Numbers: []ops.Converted{{Param: "alpha"}}}),
	binary("torch.rsub __rsub__", "(Tensor input, Operand other, *, Scalar alpha=1) | (Tensor input, Scalar other, Scalar alpha=1)",
		binaryRule{accept: ops.Numbers, check: checkSub, elem: ops.SubElem, swap: true},
		"other - alpha * input").With(ops.Op{NoOut: []string{"torch.rsub"}, Quirks: ops.OneDevice, Numbers: []ops.Converted{{Param: "alpha"}}}),
	binary("mul multiply __mul__ __rmul__ __imul__", twoOperands, binaryRule{accept: ops.AnyDType, elem: ops.MulElem},
		"product").With(ops.Op{Form: graph.Arithmetic, Is: graph.Commutes | graph.Multiplies | graph.Combines, Quirks: ops.OneDevice,
		Trace: ops.LeavesSizesInPlace}),
	{Names: spelled("div divide __truediv__ __itruediv__ __div__ __idiv__"),
		Sig: "(Operand input, Operand other, *, str? rounding_mode=None)", Rule: divRule, InPlace: true, Out: true,
		Form: graph.Arithmetic, Quirks: ops.OneDevice,
		Trace: ops.LeavesSizesInPlace, Is: graph.OneTensor | graph.Combines, Doc: "quotient; with rounding_mode integers stay integers"},
	binary("true_divide", twoOperands, binaryRule{accept: ops.AnyDType, float: true, elem: ops.DivElem},
		"quotient; integers give the default dtype").With(ops.Op{Is: graph.Combines, Quirks: ops.OneDevice}),
	{Names: spelled("__rtruediv__ __rdiv__"), Sig: tensorOperand, Rule: reflectedDiv,
		Quirks: ops.OneDevice, Doc: "other / input, computed as reciprocal times other"},
	binary("floor_divide __floordiv__ __ifloordiv__", twoOperands,
		binaryRule{accept: ops.RealNums, check: checkDivisor, elem: ops.FloorDivElem},
		"quotient rounded down").With(ops.Op{Quirks: ops.OneDevice | ops.PythonOperators}),
	binary("__rfloordiv__", tensorOperand, binaryRule{accept: ops.RealNums, check: checkDivisor, elem: ops.FloorDivElem, swap: true},
		"other // input").With(ops.Op{Quirks: ops.PythonOperators}),
	binary("remainder __mod__ __imod__", "(Tensor input, Operand other) | (Scalar input, Tensor other)",
		binaryRule{accept: ops.RealNums, check: checkDivisor, elem: ops.ModElem},
		"Python's %: the sign of the divisor").With(ops.Op{Quirks: ops.OneDevice | ops.ScalarWithoutOut}),
	binary("__rmod__", tensorOperand, binaryRule{accept: ops.RealNums, check: checkDivisor, elem: ops.ModElem, swap: true}, "other % input"),
	binary("fmod", tensorOperand, binaryRule{accept: ops.RealNums, check: checkDivisor, elem: ops.FmodElem},
		"C's %: the sign of the dividend").With(ops.Op{Quirks: ops.OneDevice}),
	{Names: spelled("pow __pow__ __ipow__"), Sig: "(Tensor input, Operand exponent) | (Scalar input, Tensor exponent)", Rule: powRule(false),
		InPlace: true, Out: true,
		Quirks: ops.OneDevice, Numbers: []ops.Converted{{Param: "exponent", To: ops.ToPower}}, Is: graph.OneTensor, Doc: "power"},
	{Names: spelled("__rpow__"), Sig: "(Tensor input, Operand exponent)", Rule: powRule(true), Quirks: ops.OneDevice | ops.Declines,
		Doc: "exponent ** input"},
	{Names: spelled("float_power"), Sig: "(Tensor input, Operand exponent) | (Scalar input, Tensor exponent)", Rule: floatPower,
		InPlace: true, Out: true, ExactOut: true,
		Quirks: ops.OneDevice, Doc: "power in float64 or complex128"},

	compare("eq __eq__", ops.AnyDType, ops.EqElem).With(ops.Op{Form: graph.Comparison, Quirks: ops.OneDevice}),
	compare("ne not_equal __ne__", ops.AnyDType, ops.NeElem).With(ops.Op{Form: graph.Comparison, Quirks: ops.OneDevice}),
	compare("lt less __lt__", realDTypes, ops.LtElem).With(ops.Op{Form: graph.Comparison, Quirks: ops.OneDevice}),
	compare("le less_equal __le__", realDTypes, ops.LeElem).With(ops.Op{Form: graph.Comparison, Quirks: ops.OneDevice}),
	compare("gt greater __gt__", realDTypes, ops.GtElem).With(ops.Op{Form: graph.Comparison, Quirks: ops.OneDevice}),
	compare("ge greater_equal __ge__", realDTypes, ops.GeElem).With(ops.Op{Form: graph.Comparison, Quirks: ops.OneDevice}),

	notInPlace(binary("maximum", twoTensors, binaryRule{accept: realDTypes | ops.Unsigned, elem: ops.MaxElem},
		"greater of two")).With(ops.Op{Is: graph.Combines, Quirks: ops.OneDevice}),
	notInPlace(binary("minimum", twoTensors, binaryRule{accept: realDTypes | ops.Unsigned, elem: ops.MinElem},
		"lesser of two")).With(ops.Op{Is: graph.Combines, Quirks: ops.OneDevice}),
	notInPlace(binary("fmax", twoTensors, binaryRule{accept: realDTypes | ops.Unsigned, elem: ops.MaxElem},
		"greater of two; nan loses")).With(ops.Op{Quirks: ops.OneDevice}),
	notInPlace(binary("fmin", twoTensors, binaryRule{accept: realDTypes | ops.Unsigned, elem: ops.MinElem},
		"lesser of two; nan loses")).With(ops.Op{Quirks: ops.OneDevice}),
	binary("atan2 arctan2", twoTensors, binaryRule{accept: ops.RealFloats, float: true}, "angle").With(ops.Op{Quirks: ops.OneDevice}),
	binary("hypot", twoTensors, binaryRule{accept: ops.RealFloats}, "hypotenuse").With(ops.Op{Quirks: ops.OneDevice}),
	binary("nextafter", twoTensors, binaryRule{accept: ops.RealFloats}, "next number towards other").With(ops.Op{Quirks: ops.OneDevice}),
	binary("copysign", tensorOperand, binaryRule{accept: ops.RealFloats, float: true},
		"magnitude of input, sign of other").With(ops.Op{Quirks: ops.OneDevice}),
	{Names: spelled("ldexp"), Sig: twoTensors, Rule: ldexpRule, InPlace: true, Out: true, Doc: "input * 2.0**other"},
	notInPlace(binary("logaddexp", twoTensors, binaryRule{accept: ops.RealFloats, since2: wideComplexes},
		"log(exp(a) + exp(b))")).With(ops.Op{Quirks: ops.OneDevice}),
	notInPlace(binary("logaddexp2", twoTensors, binaryRule{accept: ops.RealFloats}, "log2(2**a + 2**b)")).With(ops.Op{Quirks: ops.OneDevice}),
	binary("igamma special.gammainc", twoTensors, binaryRule{accept: ops.RealFloats}, "regularised lower incomplete gamma function"),
	binary("igammac special.gammaincc", twoTensors, binaryRule{accept: ops.RealFloats}, "regularised upper incomplete gamma function"),
	binary("gcd", twoTensors, binaryRule{accept: ops.Integers}, "greatest common divisor"),
	binary("lcm", twoTensors, binaryRule{accept: ops.Integers}, "least common multiple"),
	binary("xlogy special.xlogy", "(Tensor input, Operand other) | (Scalar input, Tensor other)",
		binaryRule{accept: ops.RealFloats, float: true}, "x * log(y)").With(ops.Op{Quirks: ops.OneDevice}),
	binary("special.xlog1py", "(Tensor input, Operand other) | (Scalar input, Tensor other)",
		binaryRule{accept: ops.RealFloats, float: true}, "x * log1p(y)"),
	binary("special.zeta", "(Tensor input, Operand other) | (Scalar input, Tensor other)", binaryRule{accept: ops.RealFloats, float: true},
		"Hurwitz zeta function"),
	{Names: spelled("heaviside"), Sig: "(Tensor input, Tensor values)", Rule: heaviside, InPlace: true, Out: true, ExactOut: true,
		Quirks: ops.OneDevice, Doc: "step function; no promotion"},

	binary("logical_and", twoTensors, binaryRule{accept: ops.AnyDType &^ ops.Unsigned, result: ops.AlwaysBool, elem: ops.AndElem},
		"and").With(ops.Op{Form: graph.Logic, Quirks: ops.OneDevice}),
	binary("logical_or", twoTensors, binaryRule{accept: ops.AnyDType &^ ops.Unsigned, result: ops.AlwaysBool, elem: ops.OrElem},
		"or").With(ops.Op{Form: graph.Logic, Quirks: ops.OneDevice}),
	binary("logical_xor", twoTensors, binaryRule{accept: ops.AnyDType &^ ops.Unsigned, result: ops.AlwaysBool, elem: ops.XorElem},
		"exclusive or").With(ops.Op{Quirks: ops.OneDevice}),
	binary("bitwise_and __and__ __rand__ __iand__", "(Tensor input, Operand other) | (Scalar input, Tensor other)",
		binaryRule{accept: integerNumbers | ops.Unsigned, elem: ops.BitElem(func(a, b int64) int64 { return a & b })},
		"and of bits").With(ops.Op{Quirks: ops.OneDevice | ops.ScalarWithoutOut}),
	binary("bitwise_or __or__ __ror__ __ior__", "(Tensor input, Operand other) | (Scalar input, Tensor other)",
		binaryRule{accept: integerNumbers | ops.Unsigned, elem: ops.BitElem(func(a, b int64) int64 { return a | b })},
		"or of bits").With(ops.Op{Quirks: ops.OneDevice | ops.ScalarWithoutOut}),
	binary("bitwise_xor __xor__ __rxor__ __ixor__", "(Tensor input, Operand other) | (Scalar input, Tensor other)",
		binaryRule{accept: integerNumbers | ops.Unsigned, elem: ops.BitElem(func(a, b int64) int64 { return a ^ b })},
		"exclusive or of bits").With(ops.Op{Quirks: ops.OneDevice | ops.ScalarWithoutOut}),
	binary("bitwise_left_shift __lshift__ __ilshift__", "(Tensor input, Operand other) | (Scalar input, Tensor other)",
		binaryRule{accept: ops.Integers, elem: shiftElem(false)}, "input * 2**other").With(ops.Op{Quirks: ops.ScalarWithoutOut}),
	binary("bitwise_right_shift __rshift__ __irshift__", "(Tensor input, Operand other) | (Scalar input, Tensor other)",
		binaryRule{accept: ops.Integers, elem: shiftElem(true)}, "arithmetic shift").With(ops.Op{Quirks: ops.ScalarWithoutOut}),
	binary("__rlshift__", tensorOperand, binaryRule{accept: ops.Integers, elem: shiftElem(false), swap: true},
		"other << input").With(ops.Op{Quirks: ops.PythonOperators}),
	binary("__rrshift__", tensorOperand, binaryRule{accept: ops.Integers, elem: shiftElem(true), swap: true},
		"other >> input").With(ops.Op{Quirks: ops.PythonOperators}),

	polynomial("chebyshev_polynomial_t"), polynomial("chebyshev_polynomial_u"), polynomial("chebyshev_polynomial_v"),
	polynomial("chebyshev_polynomial_w"),
	polynomial("shifted_chebyshev_polynomial_t"), polynomial("shifted_chebyshev_polynomial_u"), polynomial("shifted_chebyshev_polynomial_v"),
	polynomial("shifted_chebyshev_polynomial_w"),
	polynomial("hermite_polynomial_h"), polynomial("hermite_polynomial_he"), polynomial("laguerre_polynomial_l"),
	polynomial("legendre_polynomial_p"),
}

// They all promote integers to the default float.
func polynomial(name string) ops.Op {
	return ops.Op{
		Names: spelled("special." + name), Sig: "(Tensor input, Operand n) | (Scalar input, Tensor n)", Out: true,
		Rule: func(c *ops.Call) value.Value {
			return binaryRule{accept: ops.RealFloats, float: true}.on(c, c.Value("input"), c.Value("n"))
		},
		Doc: "polynomial of degree n at input",
	}
}

// checkAlpha follows alpha_check of aten/src/ATen/native/BinaryOps.h. alpha must not be of a higher
// kind than the result.
func checkAlpha(c *ops.Call, _, _ value.Value, d dtype.DType) {
	alpha := c.Value("alpha")
	switch k := ops.NumberKind(alpha); {
	case k == dtype.KindBool && d != dtype.Bool && d != dtype.Unknown:
		c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): alpha may be a bool only if the result is bool, but it is %s", c.Short(), d)
	case d.IsIntegralOrBool() && k == dtype.KindFloat, d != dtype.Unknown && !d.IsComplex() && k == dtype.KindComplex:
		c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): alpha is of type %s, but the result has dtype %s", c.Short(), ops.TypeName(alpha), d)
	}
}

// checkSub follows sub_check of BinaryOps.h. The message proposes what PyTorch's does.
func checkSub(c *ops.Call, a, b value.Value, d dtype.DType) {
	for _, v := range [...]value.Value{a, b} {
		t, ok := v.(*value.Tensor)
		if ok && t.Type().DType == dtype.Bool || ops.NumberKind(v) == dtype.KindBool {
			c.Errorf("RuntimeError", diag.DTypeMismatch,
				"subtraction with a bool operand is not supported: use ~, ^ or logical_not() to invert a mask")
			return
		}
	}
	if c.HasParam("alpha") {
		checkAlpha(c, a, b, d)
	}
}

// checkDivisor refuses integer division by the number 0, and by a tensor of
// which an element is known to be 0. A division of no elements does not fail.
func checkDivisor(c *ops.Call, a, b value.Value, d dtype.DType) {
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
			n, ok := ops.ConcreteElem(e)
			return ok && n == 0
		})
	}
	if _, ok := a.(*value.Tensor); ok && !surelyNotEmpty(c, a) {
		return
	}
	if zero {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): integer division by zero", c.Short())
	}
}

// surelyNotEmpty reports whether a value is a tensor with elements. Its sizes must be at least 1
// for all values of symbols.
func surelyNotEmpty(c *ops.Call, v value.Value) bool {
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

// Without a rounding mode the quotient is a float.
func divRule(c *ops.Call) value.Value {
	r := binaryRule{accept: ops.AnyDType, float: true, elem: ops.DivElem}
	if c.Has("rounding_mode") {
		switch mode := c.Str("rounding_mode"); mode {
		case "floor":
			r = binaryRule{accept: ops.RealNums, check: checkDivisor, elem: ops.FloorDivElem}
		case "trunc":
			r = binaryRule{accept: ops.RealNums, check: checkDivisor, elem: ops.TruncDivElem}
		default:
			return c.Errorf("RuntimeError", diag.BadValue, "%s(): rounding_mode must be None, 'trunc' or 'floor', not '%s'", c.Short(), mode)
		}
	}
	return r.apply(c)
}

// swap is for __rpow__. A negative power of integers is refused where it is a number.
func powRule(swap bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		a, b := c.Value("input"), c.Value("exponent")
		if swap {
			a, b = b, a
		}
		d := c.ResultType(a, b)
		if n, ok := b.(value.Int); ok && n < 0 && d.IsIntegral() {
			return c.Errorf("RuntimeError", diag.BadValue, "%s(): integers cannot be raised to the negative power %d", c.Short(), int64(n))
		}
		// With a number as the exponent out= must have the exact dtype.
		c.ExactOut = ops.NumberKind(b) != dtype.KindInvalid
		accept := ops.Numbers
		if _, isBool := b.(value.Bool); isBool { // the tensor itself, or ones
			accept = byVersion(c, accept, ops.AnyDType)
		}
		out := binaryRule{accept: accept, elem: ops.PowElem}.on(c, a, b)
		if t, ok := out.(*value.Tensor); ok && ops.NumberKind(a) != dtype.KindInvalid {
			t.Type().Strides = nil // the powers of a number are made contiguous
		}
		return out
	}
}

// ldexpRule multiplies with 2.0**other, which has the dtype of other or the
// default one. Since 2.0 exponents that are integers do not count for the dtype of
// floating-point numbers, which have a kernel of their own.
func ldexpRule(c *ops.Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("other")
	if a == nil || b == nil {
		return nil
	}
	x, y := a.Type(), b.Type()
	if x.DType == dtype.Unknown || y.DType == dtype.Unknown {
		return c.Pointwise(dtype.Unknown, nil, a, b)
	}
	d := dtype.ResultType(c.DefaultDType(), dtype.TensorOp(x.DType, x.Rank()), dtype.TensorOp(c.ToFloat(y.DType), y.Rank()))
	if !c.Torch1() && x.DType.IsFloat() && y.DType.IsIntegralOrBool() {
		if d = x.DType; !c.Accepts(ops.Integers, y.DType) {
			return nil
		}
	}
	out, _ := c.Pointwise(d, nil, a, b).(*value.Tensor)
	return c.Unsure(out, a, b)
}

// An in-place form needs a tensor of that dtype already.
func floatPower(c *ops.Call) value.Value {
	a, b := c.Value("input"), c.Value("exponent")
	d := c.ResultType(a, b)
	switch {
	case d.IsComplex():
		d = dtype.C128
	case d != dtype.Unknown:
		d = dtype.F64
	}
	if t, ok := a.(*value.Tensor); ok && c.InPlace && t.Type().DType != d && d != dtype.Unknown && t.Type().DType != dtype.Unknown {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() computes %s, which cannot be written into a tensor of %s", c.Short(), d,
			t.Type().DType)
	}
	return c.Pointwise(d, nil, a, b)
}

// values is the result where input is 0, and has the input's dtype.
func heaviside(c *ops.Call) value.Value {
	a, b := c.Tensor("input"), c.Tensor("values")
	if a == nil || b == nil {
		return nil
	}
	x, y := a.Type().DType, b.Type().DType
	if !c.Accepts(realDTypes, x) || !c.Accepts(realDTypes, y) {
		return nil
	}
	if x != y && x != dtype.Unknown && y != dtype.Unknown {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): both tensors must have the same dtype, but they have %s and %s", c.Short(),
			x, y)
	}
	return c.Pointwise(x, nil, a, b)
}

// A shift by more bits than the dtype has is not followed.
func shiftElem(right bool) ops.ElemFunc {
	return func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		a, ok1 := ops.ConcreteElem(x[0])
		b, ok2 := ops.ConcreteElem(x[1])
		if !ok1 || !ok2 || b < 0 || b >= int64(8*d.Size()) {
			return nil
		}
		if right {
			return ops.WrapInt(d, c.Const(a>>b))
		}
		return ops.WrapInt(d, c.Const(a<<b))
	}
}
