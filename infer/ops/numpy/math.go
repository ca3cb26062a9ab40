package numpy

// This file holds numpy's universal functions and the operators of arrays:
// element by element, broadcasting, with numpy's promotion. The engine is in ufunc.go: it reads the
// operands, promotes their dtypes, looks for a loop, broadcasts, and writes to out=. This file has
// the table: for each function its ufunc value, which says what the dtypes are and how one element
// is computed. An operator of arrays is a record of its own with the same value, since it takes no
// keywords.
//
// Elements are computed where they are known, so that sizes that go through arithmetic on small
// arrays stay known. Where the last digit of a result depends on the machine or NumPy's build,
// elements are only kept if the functions in lastdigits.go say that it is known.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The parameters of universal functions after their operands, and the operands of operators.
const (
	ufuncTail  = ", any out=None, *, any where=True, any casting='same_kind', any order='K', any dtype=None, any subok=True, any signature=None, any sig=None)"
	unaryUfunc = "(any x" + ufuncTail
	pairUfunc  = "(any x1, any x2" + ufuncTail
	dunderPair = "(any x1, any x2)"
	dunderOne  = "(any x)"
)

// noNegativePower refuses integers to negative integer powers.
func noNegativePower(c *ops.Call, xs []value.Value, d dtype.DType) {
	if !d.IsIntegral() {
		return
	}
	// Of an array all elements are powers; of an empty base nothing is computed.
	powers := xs[1:2]
	if t, ok := xs[1].(*value.Tensor); ok {
		powers = t.Contents()
		if b, ok := xs[0].(*value.Tensor); ok && b.Type().Ranked && ops.IsConst(c.Numel(b.Type().Shape), 0) {
			return
		}
	}
	for _, y := range powers {
		if n, ok := y.(value.Int); ok && n < 0 {
			c.Errorf("ValueError", diag.BadValue, "%s: integers cannot be raised to the negative power %d: use a float", c.Short(), int64(n))
			return
		}
	}
}

// The dtypes of numpy, which has all unsigned integers.
const (
	npIntegers = ops.Integers | 1<<dtype.U16 | 1<<dtype.U32 | 1<<dtype.U64
	npReal     = npIntegers | ops.RealFloats | ops.Booleans
	notBool    = npIntegers | ops.Inexact
)

var (
	// Those of the values that functions and operators share. Fields that are not set mean: defined
	// for all dtypes, and a result of the promoted dtype.
	ufAdd      = ufunc{elem: ops.AddElem, texts: true}
	ufSub      = ufunc{elem: ops.SubElem, accept: notBool}
	ufMul      = ufunc{elem: ops.MulElem}
	ufDiv      = ufunc{elem: ops.DivElem, result: quotient}
	ufFloorDiv = ufunc{first: true, elem: safeDivisor(ops.FloorDivElem), result: noBool, accept: npReal}
	ufMod      = ufunc{first: true, elem: safeDivisor(ops.ModElem), result: noBool, accept: npReal}
	ufPow      = ufunc{first: true, elem: powElem, result: noBool, check: noNegativePower}
	ufAnd      = ufunc{first: true, elem: ops.BitElem(func(a, b int64) int64 { return a & b }), accept: npIntegers | ops.Booleans}
	ufOr       = ufunc{first: true, elem: ops.BitElem(func(a, b int64) int64 { return a | b }), accept: npIntegers | ops.Booleans}
	ufXor      = ufunc{first: true, elem: ops.BitElem(func(a, b int64) int64 { return a ^ b }), accept: npIntegers | ops.Booleans}
	ufShl      = ufunc{first: true, elem: ops.BitElem(shiftLeft), result: noBool, accept: npIntegers | ops.Booleans}
	ufShr      = ufunc{first: true, elem: ops.BitElem(shiftRight), result: noBool, accept: npIntegers | ops.Booleans}
	ufEq       = ufunc{objects: true, elem: ops.EqElem, result: truthDType}
	ufNe       = ufunc{objects: true, elem: ops.NeElem, result: truthDType}
	ufLt       = ufunc{elem: ops.LtElem, result: truthDType}
	ufLe       = ufunc{elem: ops.LeElem, result: truthDType}
	ufGt       = ufunc{elem: ops.GtElem, result: truthDType}
	ufGe       = ufunc{elem: ops.GeElem, result: truthDType}
	ufNeg      = ufunc{elem: ops.NegElem, accept: notBool}
	ufAbs      = ufunc{elem: absElem, result: realDType}
	ufInvert   = ufunc{elem: ops.InvertElem, accept: npIntegers | ops.Booleans}
	ufPositive = ufunc{elem: ops.SameElem, accept: notBool}
	ufPos      = ufunc{elem: ops.SameElem, check: func(c *ops.Call, _ []value.Value, d dtype.DType) {
		if d == dtype.Bool && !c.Numpy1() { // numpy 1 has a way round for the operator
			c.Errorf("TypeError", diag.DTypeMismatch, "+ is not defined for arrays of bool")
		}
	}}
)

// conjugated is the rule of the method, which gives an array of real numbers back: the same object,
// of which the function makes a copy.
func conjugated(c *ops.Call) value.Value {
	if t, ok := c.Value("x").(*value.Tensor); ok && t.Type().DType != dtype.Unknown && !t.Type().DType.IsComplex() {
		return t
	}
	return ufunc{elem: ops.SameElem}.one(c)
}

// gcd is not negative, as NumPy's.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// lcm divides before it multiplies, so that it overflows only where the result does.
func lcm(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	n := a / gcd(a, b) * b
	return max(n, -n)
}

// shiftLeft gives 0 beyond the bits, which Go does, too, but negative counts would panic.
func shiftLeft(a, b int64) int64 {
	if b < 0 || b > 63 {
		return 0
	}
	return a << b
}

// shiftRight gives 0 beyond the bits, as shiftLeft does.
func shiftRight(a, b int64) int64 {
	if b < 0 || b > 63 {
		return 0
	}
	return a >> b
}

// safeDivisor leaves divisions by zero open: numpy warns and gives a number.
func safeDivisor(f ops.ElemFunc) ops.ElemFunc {
	return func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		if n, ok := value.AsFloat(x[1]); ok && n == 0 {
			return nil
		}
		return f(c, d, x)
	}
}

// floatUfunc makes the record of a function that computes in floats: integers become the float that
// holds them. f computes an element in binary64, and exact says for which arguments its last digit
// is known.
func floatUfunc(names string, f func(float64) float64, exact func(x, y float64) bool, doc string) ops.Op {
	return uf1(names, ufunc{result: inexactFor, inexact: true, elem: ops.NearFloat(f, exact)}, doc)
}

// realUfunc is floatUfunc for functions that are not defined for complex numbers.
func realUfunc(names string, f func(float64) float64, exact func(x, y float64) bool, doc string) ops.Op {
	return uf1(names, ufunc{result: inexactFor, inexact: true, accept: npReal, elem: ops.NearFloat(f, exact)}, doc)
}

// angleUfunc multiplies by a quotient, which is one of float32 for this and float16.
func angleUfunc(names string, a, b float64, doc string) ops.Op {
	exact := ops.NearFloat(func(x float64) float64 { return x * (a / b) }, always)
	single := ops.NearFloat(func(x float64) float64 { return float64(float32(x) * (float32(a) / float32(b))) }, always)
	elem := func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		if d == dtype.F64 {
			return exact(c, d, x)
		}
		return single(c, d, x)
	}
	return uf1(names, ufunc{result: inexactFor, inexact: true, accept: npReal, elem: elem}, doc)
}

// ofInteger is a property of floats, which all integers have or lack.
func ofInteger(has bool) ops.ElemFunc {
	return func(_ *ops.Call, _ dtype.DType, x []value.Value) value.Value {
		switch x[0].(type) {
		case value.Int, value.Bool, *value.SymInt, *value.SymBool:
			return value.Bool(has)
		}
		return nil
	}
}

// complexElements is isreal (real) and iscomplex: all or none for real dtypes, of the data
// otherwise.
func complexElements(c *ops.Call, real bool) value.Value {
	t := arrayArg(c, "x")
	if t == nil {
		return nil
	}
	out := c.Like(t, dtype.Bool)
	if d := t.Type().DType; d != dtype.Unknown && !d.IsComplex() {
		return c.Filled(out, value.Bool(real))
	}
	return out
}

// ldexpArray takes floats and ints that fit a C long. The result has the float dtype that holds x1;
// a mask where= is a further operand.
func ldexpArray(c *ops.Call) value.Value {
	xs, _ := ufunc{}.operands(c, []value.Value{c.Value("x1"), c.Value("x2")})
	if !c.OK() {
		return nil
	}
	for i := range xs {
		xs[i] = ToArray(c, xs[i])
	}
	if !c.OK() {
		return nil
	}
	if c.HasParam("dtype") && c.Has("dtype") {
		return c.Lose("ldexp in another dtype")
	}
	a, b := xs[0].(*value.Tensor).Type().DType, xs[1].(*value.Tensor).Type().DType
	if a.IsComplex() || b != dtype.Unknown && (!b.IsIntegralOrBool() || b == dtype.U64) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "ldexp is not defined for %s and %s", a.Numpy(), b.Numpy())
	}
	if m := mask(c); m != nil {
		xs = append(xs, m)
	}
	if !c.OK() {
		return nil
	}
	if v := valued(c, c.Value("x1")); v != nil && c.Numpy1() && a.IsIntegral() {
		return c.Lose("a dtype that the value of a number decides")
	}
	v := c.Pointwise(inexactFor(c, a), nil, xs...)
	if t, ok := v.(*value.Tensor); ok && c.Has("out") {
		return writeArray(c, c.Value("out"), t)
	}
	return v
}

// roundUfunc makes the record of a rounding, which is not defined for complex numbers.
func roundUfunc(names string, e ops.ElemFunc, doc string) ops.Op {
	return uf1(names, ufunc{elem: e, result: rounded, accept: npReal}, doc)
}

// arrayMathOps lists numpy's element-wise functions and the operators of arrays. Each operand broadcasts;
// the entry says which dtypes are accepted, what dtype the result has, and how elements that are known are
// computed.
func arrayMathOps() []ops.Op {
	return []ops.Op{
		uf2("add", ufAdd, "sum"), dunder2("__add__", ufAdd, "sum").With(ops.Op{Torch: "torch.add input=x1 other=x2"}),
		dunder2("__radd__", reflected(ufAdd), "sum").With(ops.Op{Torch: "torch.add input=x2 other=x1"}),
		inPlace2("__iadd__", ufAdd).With(ops.Op{Torch: "torch.add input=x1 other=x2"}),
		uf2("subtract", ufSub, "difference"), dunder2("__sub__", ufSub,
			"difference; not defined for bool").With(ops.Op{Torch: "torch.sub input=x1 other=x2"}),
		dunder2("__rsub__", reflected(ufSub), "difference").With(ops.Op{Torch: "torch.sub input=x2 other=x1"}),
		inPlace2("__isub__", ufSub).With(ops.Op{Torch: "torch.sub input=x1 other=x2"}),
		uf2("multiply", ufMul, "product"), dunder2("__mul__", ufMul, "product").With(ops.Op{Torch: "torch.mul input=x1 other=x2"}),
		dunder2("__rmul__", reflected(ufMul), "product").With(ops.Op{Torch: "torch.mul input=x2 other=x1"}),
		inPlace2("__imul__", ufMul).With(ops.Op{Torch: "torch.mul input=x1 other=x2"}),
		uf2("divide true_divide", ufDiv, "quotient; float64 of integers"),
		dunder2("__truediv__", ufDiv, "quotient").With(ops.Op{Torch: "torch.div input=x1 other=x2"}),
		dunder2("__rtruediv__", reflected(ufDiv), "quotient").With(ops.Op{Torch: "torch.div input=x2 other=x1"}),
		inPlace2("__itruediv__", ufDiv).With(ops.Op{Torch: "torch.div input=x1 other=x2"}),
		uf2("floor_divide", ufFloorDiv, "quotient rounded down"), dunder2("__floordiv__", ufFloorDiv, "quotient rounded down"),
		dunder2("__rfloordiv__", reflected(ufFloorDiv), "quotient rounded down"), inPlace2("__ifloordiv__", ufFloorDiv),
		uf2("mod remainder", ufMod, "Python's %"), dunder2("__mod__", ufMod, "Python's %"), dunder2("__rmod__", reflected(ufMod), "Python's %"),
		inPlace2("__imod__", ufMod),
		uf2("power pow", ufPow, "power").With(ops.Op{Torch: "torch.pow input=x1 exponent=x2"}),
		array("__pow__", dunderPair, powArray, "power").With(ops.Op{Is: graph.NewElementwise, Torch: "torch.pow self=x1 exponent=x2"}),
		dunder2("__rpow__", reflected(ufPow), "power").With(ops.Op{Torch: "torch.pow self=x2 exponent=x1"}), inPlace2("__ipow__", ufPow),
		uf2("float_power", ufunc{result: func(_ *ops.Call, d dtype.DType) dtype.DType {
			if d.IsComplex() {
				return dtype.C128
			}
			return dtype.F64
		}, elem: powElem}, "power in float64 or complex128"),
		uf2("bitwise_and", ufAnd, "and"), dunder2("__and__", ufAnd, "and"), dunder2("__rand__", reflected(ufAnd), "and"),
		inPlace2("__iand__", ufAnd),
		uf2("bitwise_or", ufOr, "or"), dunder2("__or__", ufOr, "or"), dunder2("__ror__", reflected(ufOr), "or"), inPlace2("__ior__", ufOr),
		uf2("bitwise_xor", ufXor, "exclusive or"), dunder2("__xor__", ufXor, "exclusive or"),
		dunder2("__rxor__", reflected(ufXor), "exclusive or"), inPlace2("__ixor__", ufXor),
		uf2("left_shift bitwise_left_shift", ufShl, "shift"), dunder2("__lshift__", ufShl, "shift"),
		dunder2("__rlshift__", reflected(ufShl), "shift"), inPlace2("__ilshift__", ufShl),
		uf2("right_shift bitwise_right_shift", ufShr, "shift"), dunder2("__rshift__", ufShr, "shift"),
		dunder2("__rrshift__", reflected(ufShr), "shift"), inPlace2("__irshift__", ufShr),
		uf2("equal", ufEq, "comparison"), array("__eq__", dunderPair, equalArrays(ufEq, false), "comparison; with None always false").
			With(ops.Op{Is: graph.NewElementwise}),
		uf2("not_equal", ufNe, "comparison"), array("__ne__", dunderPair, equalArrays(ufNe, true), "comparison").
			With(ops.Op{Is: graph.NewElementwise}),
		uf2("less", ufLt, "comparison"), dunder2("__lt__", ufLt, "comparison"),
		uf2("less_equal", ufLe, "comparison"), dunder2("__le__", ufLe, "comparison"),
		uf2("greater", ufGt, "comparison"), dunder2("__gt__", ufGt, "comparison"),
		uf2("greater_equal", ufGe, "comparison"), dunder2("__ge__", ufGe, "comparison"),
		uf2("maximum", ufunc{elem: ops.MaxElem}, "greater of two"), uf2("fmax", ufunc{elem: overNaN(ops.MaxElem)}, "greater of two; nan loses"),
		uf2("minimum", ufunc{elem: ops.MinElem}, "lesser of two"), uf2("fmin", ufunc{elem: overNaN(ops.MinElem)}, "lesser of two; nan loses"),
		uf2("logical_and", ufunc{objects: true, truths: true, elem: ops.AndElem, result: truthDType}, "and"),
		uf2("logical_or", ufunc{objects: true, truths: true, elem: ops.OrElem, result: truthDType}, "or"),
		uf2("logical_xor", ufunc{truths: true, elem: ops.XorElem, result: truthDType}, "exclusive or"),
		uf2("fmod", ufunc{first: true, elem: safeDivisor(ops.FmodElem), result: noBool, accept: npReal}, "C's %"),
		uf2("arctan2 atan2", ufunc{result: inexactFor, accept: npReal, elem: floatPair(math.Atan2)}, "angle"),
		uf2("hypot", ufunc{result: inexactFor, accept: npReal}, "hypotenuse"),
		uf2("logaddexp logaddexp2 copysign nextafter", ufunc{result: inexactFor, accept: npReal}, "element-wise function of two floats"),
		uf2("gcd", ufunc{objects: true, accept: npIntegers, elem: ops.BitElem(gcd)}, "common divisor"),
		uf2("lcm", ufunc{accept: npIntegers, elem: ops.BitElem(lcm)}, "common multiple"),
		uf2("heaviside", ufunc{result: inexactFor, accept: npReal}, "step function"),

		uf1("negative", ufNeg, "negation"), array("__neg__", dunderOne, ufNeg.one, "negation").
			With(ops.Op{Is: graph.NewElementwise, Torch: "torch.neg input=x"}),
		uf1("positive", ufPositive, "the same numbers"), array("__pos__", dunderOne, ufPos.one, "the same numbers").
			With(ops.Op{Is: graph.NewElementwise}),
		uf1("absolute abs", ufAbs, "absolute value; of complex numbers real").
			With(ops.Op{Trace: ops.GivesTensor}), array("__abs__", dunderOne, ufAbs.one, "absolute value").With(ops.Op{Is: graph.NewElementwise}),
		uf1("fabs", ufunc{inexact: true, result: inexactFor, accept: npReal, elem: ops.UnaryFloat(math.Abs)}, "absolute value as a float"),
		uf1("invert bitwise_not bitwise_invert", ufInvert, "bitwise not"), array("__invert__", dunderOne, ufInvert.one, "bitwise not").
			With(ops.Op{Is: graph.NewElementwise}),
		uf1("bitwise_count", ufunc{result: func(*ops.Call, dtype.DType) dtype.DType { return dtype.U8 }, accept: npIntegers},
			"number of ones in the absolute value"),
		uf1("logical_not", ufunc{objects: true, truths: true, elem: ops.NotElem, result: truthDType}, "not"),
		uf1("sign", ufunc{elem: ops.SignElem, accept: notBool}, "sign"),
		uf1("square", ufunc{elem: ops.SquareElem, result: noBool}, "square").With(ops.Op{Trace: ops.GivesTensor}),
		uf1("conj conjugate", ufunc{elem: ops.SameElem, result: noBool}, "complex conjugate"),
		array(".conj .conjugate", dunderOne, conjugated, "complex conjugate; of real numbers the array itself"),
		uf1("reciprocal", ufunc{result: noBool}, "reciprocal; of integers an integer"),
		uf1("isnan", ufunc{result: truthDType, elem: ofInteger(false)}, "whether each number is nan"),
		uf1("isinf", ufunc{result: truthDType, elem: ofInteger(false)}, "whether each number is infinite"),
		uf1("isfinite", ufunc{result: truthDType, elem: ofInteger(true)}, "whether each number is finite"),
		uf1("signbit", ufunc{result: truthDType, accept: npReal}, "whether the sign of each number is negative"),
		array("isneginf isposinf", "(any x, any out=None)", func(c *ops.Call) value.Value {
			return ufunc{result: truthDType, accept: npReal, elem: ofInteger(false)}.apply(c, c.Value("x"))
		}, "whether each number is an infinity"),
		array("isreal", "(any x)", func(c *ops.Call) value.Value { return complexElements(c, true) }, "which elements are real"),
		array("iscomplex", "(any x)", func(c *ops.Call) value.Value { return complexElements(c, false) },
			"which elements have an imaginary part"),
		array("modf", "(any x, any out1=None, any out2=None, *, any out=None, any where=True, any casting='same_kind', any order='K', any dtype=None, any subok=True)", func(c *ops.Call) value.Value {
			x := c.Value("x")
			u := ufunc{result: inexactFor, accept: npReal}
			return twoResults(c, u, u, x)
		}, "fractional and whole parts"),
		array("frexp", "(any x, any out1=None, any out2=None, *, any out=None, any where=True, any casting='same_kind', any order='K', any dtype=None, any subok=True)", func(c *ops.Call) value.Value {
			x := c.Value("x")
			return twoResults(c, ufunc{result: inexactFor, accept: npReal},
				ufunc{result: func(*ops.Call, dtype.DType) dtype.DType { return dtype.I32 }, accept: npReal}, x)
		}, "mantissas and exponents"),
		array("ldexp", "(any x1, any x2"+ufuncTail, ldexpArray, "x1 * 2**x2"),
		uf1("spacing", ufunc{result: inexactFor, accept: npReal}, "the distance to the next number"),
		uf1("sqrt", ufunc{result: inexactFor, inexact: true, elem: ops.SqrtElem}, "square root").With(ops.Op{Torch: "torch.sqrt input=x",
			Trace: ops.GivesTensor}), realUfunc("cbrt", math.Cbrt, cubes, "cube root"),
		floatUfunc("exp", math.Exp, atZero, "exponential").With(ops.Op{Torch: "torch.exp input=x",
			Trace: ops.GivesTensor}), floatUfunc("exp2", math.Exp2, powersOfTwo, "power of two"), floatUfunc("expm1", math.Expm1, never, "exp - 1"),
		floatUfunc("log", math.Log, never, "natural logarithm").With(ops.Op{Torch: "torch.log input=x", Trace: ops.GivesTensor}),
		floatUfunc("log2", math.Log2, logsOfTwo, "binary logarithm").
			With(ops.Op{Trace: ops.GivesTensor}), floatUfunc("log10", math.Log10, logsOfTen, "decimal logarithm").
			With(ops.Op{Trace: ops.GivesTensor}), floatUfunc("log1p", math.Log1p, never, "log(1 + x)"),
		floatUfunc("sin", math.Sin, never, "sine").With(ops.Op{Torch: "torch.sin input=x"}),
		floatUfunc("cos", math.Cos, atZero, "cosine").With(ops.Op{Torch: "torch.cos input=x"}), floatUfunc("tan", math.Tan, never, "tangent"),
		floatUfunc("arcsin asin", math.Asin, never, "inverse sine"), floatUfunc("arccos acos", math.Acos, never, "inverse cosine"),
		floatUfunc("arctan atan", math.Atan, never, "inverse tangent"),
		floatUfunc("sinh", math.Sinh, never, "hyperbolic sine"), floatUfunc("cosh", math.Cosh, atZero, "hyperbolic cosine"),
		floatUfunc("tanh", math.Tanh, never, "hyperbolic tangent").With(ops.Op{Is: graph.KeepsAxes, Torch: "torch.tanh input=x"}),
		floatUfunc("arcsinh asinh", math.Asinh, never, "inverse"), floatUfunc("arccosh acosh", math.Acosh, never, "inverse"),
		floatUfunc("arctanh atanh", math.Atanh, never, "inverse"),
		angleUfunc("deg2rad radians", math.Pi, 180, "degrees to radians"), angleUfunc("rad2deg degrees", 180, math.Pi, "radians to degrees"),
		array("sinc", "(any x)", func(c *ops.Call) value.Value {
			xs, _ := ufunc{}.operands(c, []value.Value{c.Value("x")})
			if !c.OK() {
				return nil
			}
			d := c.Lib.Promote(c, xs[0], value.Float(1e-20))
			if t := xs[0].(*value.Tensor); c.Numpy1() && t.Type().Ranked && len(t.Type().Shape) == 0 {
				d = dtype.Numpy(t.Type().DType, dtype.F64)
			}
			return c.Pointwise(d, nil, xs[0])
		}, "sin(pi x) / (pi x)"),
		array("i0", "(any x)", func(c *ops.Call) value.Value {
			xs, _ := ufunc{}.operands(c, []value.Value{c.Value("x")})
			if !c.OK() {
				return nil
			}
			d := quotient(c, xs[0].(*value.Tensor).Type().DType)
			if d.IsComplex() {
				return c.Errorf("TypeError", diag.DTypeMismatch, "i0 is not defined for complex numbers")
			}
			return KeepArray(c, c.Pointwise(d, nil, xs[0]))
		}, "modified Bessel function"),
		roundUfunc("floor", ops.FloorElem, "rounded down").
			With(ops.Op{Trace: ops.GivesTensor}), roundUfunc("ceil", ops.CeilElem, "rounded up").
			With(ops.Op{Trace: ops.GivesTensor}), roundUfunc("trunc", ops.TruncElem, "rounded towards zero").
			With(ops.Op{Trace: ops.GivesTensor}),
		array("fix", "(any x, any out=None)", func(c *ops.Call) value.Value { // defined in Python
			return ufunc{elem: ops.TruncElem, result: rounded, accept: npReal}.apply(c, c.Value("x"))
		}, "rounded towards zero"),
		uf1("rint", ufunc{inexact: true, elem: ops.RoundElem, result: inexactFor}, "rounded to even").With(ops.Op{Trace: ops.GivesTensor}),
		array("round around", "(any a, any decimals=0, any out=None)", roundArray,
			"rounded to even at a decimal").With(ops.Op{Is: graph.NewIfRows, Quirks: ops.CallsMethod}),
		array("round_", "(any a, any decimals=0, any out=None)", roundArray, "rounded to even at a decimal"),
		array(".round", "(any a, any decimals=0, any out=None)", roundArray, "rounded to even at a decimal").With(ops.Op{Is: graph.NewIfRows}),
		array("clip", "(any a, any a_min, any a_max, any out=None, *, any where=True, any dtype=None, any casting='same_kind') | (any a, *, any min, any max=None, any out=None, any dtype=None) | (any a, *, any min=None, any max, any out=None, any dtype=None) | (any a, *, any out=None, any dtype=None)",
			clipArray, "limited to a range").
			With(ops.Op{Is: graph.NewIfRows, Quirks: ops.CallsMethod}),
		array(".clip", "(any a, any min=None, any max=None, any out=None, *, any dtype=None, any casting='same_kind')", clipArray,
			"limited to a range").With(ops.Op{Is: graph.NewIfRows}),
		array("nan_to_num", "(any x, any copy=True, any nan=0.0, any posinf=None, any neginf=None)",
			func(c *ops.Call) value.Value { return ufunc{}.apply(c, c.Value("x")) }, "without nan and infinities"),
		array("divmod", "(any x1, any x2, any out1=None, any out2=None, *, any out=None, any where=True, any casting='same_kind', any order='K', any dtype=None, any subok=True)", divmodArray, "quotient and remainder"),
		array("__divmod__", dunderPair, divmodArray, "quotient and remainder"), array("__rdivmod__", dunderPair, func(c *ops.Call) value.Value {
			return twoResults(c, ufFloorDiv, ufMod, c.Value("x2"), c.Value("x1"))
		}, "quotient and remainder"),
		array("real imag .real.get .imag.get", "(any val)", func(c *ops.Call) value.Value {
			return keepRank(c, ufunc{result: realDType}.apply(c, c.Value("val")), c.Value("val"))
		}, "a part of complex numbers"),
		array("angle", "(any z, any deg=False)", func(c *ops.Call) value.Value {
			v := ufunc{result: func(c *ops.Call, d dtype.DType) dtype.DType {
				switch {
				case d.IsComplex():
					return d.Real()
				case d == dtype.Bool: // beside the integer 0
					return dtype.F64
				}
				return inexactFor(c, d)
			}}.apply(c, c.Value("z"))
			if t, ok := v.(*value.Tensor); ok && c.Numpy1() && len(t.Type().Shape) == 0 && t.Type().Ranked &&
				c.Value("deg") != value.Value(value.Bool(false)) {
				return c.Out(dtype.F64, symshape.Shape{}) // multiplied by a number of Python
			}
			return v
		}, "angle of complex numbers"),
		array("isclose", "(any a, any b, any rtol=1e-05, any atol=1e-08, any equal_nan=False)", func(c *ops.Call) value.Value {
			return ufunc{result: truthDType}.apply(c, c.Value("a"), c.Value("b"))
		}, "whether elements are nearly equal"),
		array("where", "(any condition) | (any condition, any x, any y)", whereArray,
			"elements of one array or another; with a condition alone its indices").With(ops.Op{Is: graph.NewIfRows}),
	}
}

// floatPair makes the ElemFunc of a function of two floats whose last digits are not known. The
// second element must be a number; the first may be an expression.
func floatPair(f func(a, b float64) float64) ops.ElemFunc {
	return func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		b := c.ElemReal(x[1])
		if !b.Known || b.Real.Known() {
			return nil
		}
		return ops.NearFloat(func(a float64) float64 { return f(a, b.Val) }, never)(c, d, x[:1])
	}
}

// equalArrays compares arrays also with None, to which nothing is equal. What cannot be
// broadcast was unequal as a whole before numpy 1.25.
func equalArrays(u ufunc, unequal bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		a, b := c.Value("x1"), c.Value("x2")
		// Nothing is equal to None: an array of False or True in the shape of x1.
		if b == value.None {
			t := arrayArg(c, "x1")
			if t == nil {
				return nil
			}
			return c.Like(t, dtype.Bool)
		}
		if k := notNumber(b); k != "" {
			_, isStr := b.(value.Str)
			t := arrayArg(c, "x1")
			switch {
			case t == nil:
				return nil
			case isStr && ops.NumpyBefore(c.Th, 25):
				return value.Bool(unequal)
			case isStr:
				return c.Like(t, dtype.Bool)
			}
			return c.Lose("a comparison of numbers with %s", k)
		}
		// NumPy before 1.25 gives one bool where the shapes do not broadcast; later ones raise.
		if ops.NumpyBefore(c.Th, 25) {
			x, y := ToArray(c, a), ToArray(c, b)
			if x == nil || y == nil {
				return nil
			}
			s, ok1 := ops.ConstShape(x.Type().Shape)
			r, ok2 := ops.ConstShape(y.Type().Shape)
			if ok1 && ok2 && x.Type().Ranked && y.Type().Ranked && !compatible(s, r) {
				return value.Bool(unequal)
			}
		}
		return u.apply(c, a, b)
	}
}

// roundArray: only with 0 decimals are elements computed; others are rounded by NumPy by multiplying and
// dividing, whose rounding is not followed. Bools become float16.
func roundArray(c *ops.Call) value.Value {
	u := ufunc{result: func(_ *ops.Call, d dtype.DType) dtype.DType {
		if d == dtype.Bool {
			return dtype.F16
		}
		return d
	}}
	switch n, ok := value.AsInt(c.Value("decimals")); {
	case ok && n == 0:
		u.elem = ops.RoundElem
	case ok:
		if t, isArray := c.Value("a").(*value.Tensor); isArray && t.Type().DType == dtype.Bool {
			return c.Errorf("TypeError", diag.DTypeMismatch, "%s(): bools have no decimals", c.Short())
		}
	}
	return u.apply(c, c.Value("a"))
}

// clipLimits refuses Python ints that an integer dtype does not hold, but for those beyond
// its range on the limit's own side, which limit nothing (numpy/_core/_methods.py, _clip).
func clipLimits(c *ops.Call, d dtype.DType) {
	for _, l := range [...]struct {
		name  string
		least bool
	}{{"a_min", true}, {"min", true}, {"a_max", false}, {"max", false}} {
		if !c.HasParam(l.name) {
			continue
		}
		if n, ok := c.Value(l.name).(value.Int); ok && d.IsIntegral() && (n > 0) == l.least {
			fits(c, n, d)
		}
	}
}

// clipArray limits elements by bounds that broadcast with the array, of which either may be absent. Before
// numpy 2 at least one is needed, and a result is cast to out= with a warning only.
func clipArray(c *ops.Call) value.Value {
	lo, hi := "min", "max"
	if !c.HasParam(lo) && !c.HasParam("a_min") && c.Numpy1() {
		return c.Errorf("TypeError", diag.BadCall, "clip() missing 2 required positional arguments: 'a_min' and 'a_max'")
	}
	// The bounds have different names in the function and the method; each is an operand of its
	// own.
	args := []value.Value{c.Value("a")}
	elems := []ops.ElemFunc{}
	add := func(name string, f ops.ElemFunc) {
		if c.HasParam(name) && c.Has(name) {
			args = append(args, c.Value(name))
			elems = append(elems, f)
		}
	}
	add("a_min", ops.MaxElem)
	add(lo, ops.MaxElem)
	add("a_max", ops.MinElem)
	add(hi, ops.MinElem)
	if t, ok := args[0].(*value.Tensor); ok && !c.Numpy1() {
		clipLimits(c, t.Type().DType)
	}
	if len(elems) == 0 && ops.NumpyBefore(c.Th, 100) {
		return c.Errorf("ValueError", diag.BadCall, "clip() needs a least or a greatest number")
	}
	if len(elems) == 0 {
		return ufunc{elem: ops.SameElem}.apply(c, args...)
	}
	// The bounds are applied in order, so that the upper one wins where they cross.
	u := ufunc{limits: true, elem: func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		e := x[0]
		for i, f := range elems {
			if e != nil {
				e = f(c, d, []value.Value{e, x[i+1]})
			}
		}
		return e
	}}
	if c.Numpy1() && c.HasParam("out") && c.Has("out") && casting(c) == "same_kind" { // with a warning
		out := c.Value("out")
		c.Args = slices.Clone(c.Args)
		for i := range c.Sig.Params {
			if c.Sig.Params[i].Name == "out" {
				c.Args[i] = value.None
			}
		}
		t, ok := u.apply(c, args...).(*value.Tensor)
		// Without out= the result is computed in the promoted dtype and then cast, whatever it is.
		if !ok || !c.OK() {
			return nil
		}
		return writeCast(c, out, t, "unsafe")
	}
	return u.apply(c, args...)
}

// absElem is the absolute value of an element, of which a bool is its own.
func absElem(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
	if d == dtype.Bool {
		return x[0]
	}
	return ops.AbsElem(c, d, x)
}

// powArray is the operator **. Exponents of some values are computed by functions of their own, square, sqrt and
// reciprocal, with their result dtypes: in numpy 1 exponents without dimensions, in numpy 2 Python's numbers, where it
// shows for bool alone (fast_scalar_power of numpy/core/src/multiarray/number.c).
func powArray(c *ops.Call) value.Value {
	u := ufPow
	a, ok := c.Value("x1").(*value.Tensor)
	if n, _, known := scalarExponent(c.Value("x2")); known && ok && ops.IsArray(a) {
		switch one := value.Float(1); n { // by a function of its own
		case 2:
			u.elem = func(c *ops.Call, d dtype.DType, x []value.Value) value.Value { return ops.SquareElem(c, d, x) }
		case 0.5:
			u.elem = ops.SqrtElem
		case -1:
			u.elem = func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
				return ops.DivElem(c, d, []value.Value{one, x[0]})
			}
		}
	}
	v := u.apply(c, c.Value("x1"), c.Value("x2"))
	t, isArray := v.(*value.Tensor)
	if !ok || !isArray || !c.OK() || !ops.IsArray(a) || !a.Type().Ranked {
		return v
	}
	// From here the dtype of the result is corrected, for the functions that replace the power.
	n, isFloat, known := scalarExponent(c.Value("x2"))
	if !known {
		return v
	}
	d := a.Type().DType
	switch {
	case !c.Numpy1():
		if _, isInt := c.Value("x2").(value.Int); d != dtype.Bool || n != 2 || !isInt {
			return v
		}
		d = dtype.I8
	case d.IsFloat() || d.IsComplex():
		if n != 2 && n != 1 && n != 0 && n != -1 && n != 0.5 {
			return v
		}
	case n != 2:
		return v
	case d == dtype.Bool:
		d = dtype.I8
	case isFloat:
		d = dtype.F64
	}
	if d == t.Type().DType || d == dtype.Unknown {
		return v
	}
	// The elements were computed in the other dtype.
	elems := slices.Clone(t.Contents())
	for i, x := range elems {
		elems[i] = c.CastElem(d, x)
	}
	t.V.Type.DType = d
	t.SetContents(elems)
	return t
}

// scalarExponent is a number without dimensions: Python's, numpy's, or an array's. known is false
// for others and where the number is not known; isFloat is of its dtype.
func scalarExponent(v value.Value) (n float64, isFloat, known bool) {
	if t, ok := v.(*value.Tensor); ok {
		if !ops.IsArray(t) || !t.Type().Ranked || len(t.Type().Shape) > 0 || len(t.Contents()) != 1 {
			return 0, false, false
		}
		v, isFloat = t.Contents()[0], t.Type().DType.IsFloat()
		if !isFloat && !t.Type().DType.IsIntegral() {
			return 0, false, false
		}
	}
	if i, ok := v.(*value.Instance); ok {
		if !ops.IsNumpyScalar(i) {
			return 0, false, false
		}
		isFloat = ops.ScalarDType(i).IsFloat()
		v = i.Payload
	}
	switch x := v.(type) {
	case value.Int:
		return float64(x), isFloat, true
	case value.Float:
		return float64(x), true, true
	}
	return 0, false, false
}

// divmodArray gives the results of floor_divide and mod as two arrays.
func divmodArray(c *ops.Call) value.Value {
	return twoResults(c, ufFloorDiv, ufMod, c.Value("x1"), c.Value("x2"))
}

// whereArray: with a condition alone it gives its indices. Python numbers do not decide the dtype beside an
// array (NEP 50), two of them do.
func whereArray(c *ops.Call) value.Value {
	if !c.HasParam("x") {
		return nonzeroArray(c)
	}
	cond := arrayArg(c, "condition")
	var xs [2]value.Value
	weak := 0
	for i, name := range [...]string{"x", "y"} {
		v := c.Value(name)
		// Python's numbers are weak: they take the dtype of the other operand.
		if !ops.IsNumpyScalar(v) && ops.NumberKind(v) != dtype.KindInvalid {
			xs[i], weak = v, weak+1
		} else {
			xs[i] = ToArray(c, v)
		}
	}
	if !c.OK() {
		return nil
	}
	if weak == 2 {
		xs[0], xs[1] = ToArray(c, xs[0]), ToArray(c, xs[1])
	}
	if !c.OK() {
		return nil
	}
	d := c.Lib.Promote(c, xs[0], xs[1])
	return KeepArray(c, c.Pointwise(d, func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		b, ok := c.ElemTruth(x[0]).(value.Bool)
		switch {
		case !ok:
			return nil
		case bool(b):
			return c.CastElem(d, x[1])
		}
		return c.CastElem(d, x[2])
	}, cond, xs[0], xs[1]))
}

// nonzeroArray gives the indices of elements that are not zero, one array for each axis. All have
// one size, which depends on the data: a symbol of its own between 0 and the number of elements. An
// array without dimensions is refused since NumPy 2; before it counts as a vector.
func nonzeroArray(c *ops.Call) value.Value {
	name := "condition"
	if c.HasParam("a") {
		name = "a"
	}
	t := arrayArg(c, name)
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		if !c.Numpy1() {
			return c.Errorf("ValueError", diag.RankMismatch, "nonzero() of an array without dimensions: use numpy.atleast_1d")
		}
		if t, _ = viewWith(c, t, symshape.Shape{c.Const(1)}).(*value.Tensor); t == nil {
			return nil
		}
		s = t.Type().Shape
	}
	// torch.nonzero makes the symbol for the number of rows, and knows it where the elements are
	// known.
	idx := c.DelegateTensor("torch.nonzero", []value.Value{t})
	if idx == nil {
		return nil
	}
	n := idx.Type().Shape[0]
	outs := make([]value.Value, len(s))
	for i := range s {
		outs[i] = c.OutType(graph.TensorType{DType: dtype.I64, Ranked: true, Shape: symshape.Shape{n}})
	}
	if places := nonzeroPlaces(c, t, s); places != nil {
		for i := range outs {
			outs[i].(*value.Tensor).SetContents(places[i])
		}
	}
	return value.NewTuple(outs...)
}

// nonzeroPlaces are the indices along each axis of the elements that are not zero, or nil
// where one is not known.
func nonzeroPlaces(c *ops.Call, t *value.Tensor, s symshape.Shape) [][]value.Value {
	sizes, ok := ops.ConstShape(s)
	e := t.Contents()
	if !ok || e == nil || len(e) != ops.Product(sizes) || len(s) == 0 {
		return nil
	}
	out := make([][]value.Value, len(s))
	for i := range out {
		out[i] = []value.Value{}
	}
	for k, x := range e {
		b, known := c.ElemTruth(x).(value.Bool)
		if !known {
			return nil
		}
		if !b {
			continue
		}
		// The flat index k is taken apart from the last axis on.
		for i := len(s) - 1; i >= 0; i-- {
			out[i] = append(out[i], value.Int(k%sizes[i]))
			k /= sizes[i]
		}
	}
	return out
}
