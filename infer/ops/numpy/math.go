package numpy

// This file holds numpy's universal functions and the operators of arrays:
// element by element, broadcasting, with numpy's promotion.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A ufunc describes a universal function.
type ufunc struct {
	// result maps the promoted dtype of the operands to that of the result; nil: the same.
	result func(c *ops.Call, d dtype.DType) dtype.DType
	// accept are the promoted dtypes for which it is defined; 0: all.
	accept ops.DTypeSet
	elem   ops.ElemFunc
	check  func(c *ops.Call, xs []value.Value, d dtype.DType)
	swap   bool
}

// inexactFor is the float in which numpy computes functions of integers.
func inexactFor(_ *ops.Call, d dtype.DType) dtype.DType {
	switch d {
	case dtype.Bool, dtype.I8, dtype.U8:
		return dtype.F16
	case dtype.I16, dtype.U16:
		return dtype.F32
	}
	if d.IsIntegral() {
		return dtype.F64
	}
	return d
}

// quotient is the dtype of true division.
func quotient(_ *ops.Call, d dtype.DType) dtype.DType {
	if d.IsIntegralOrBool() {
		return dtype.F64
	}
	return d
}

// rounded is the dtype of floor, ceil and trunc, which leave integers alone since numpy 2.1.
func rounded(c *ops.Call, d dtype.DType) dtype.DType {
	if c.Numpy1() {
		return inexactFor(c, d)
	}
	return d
}

func truthDType(*ops.Call, dtype.DType) dtype.DType { return dtype.Bool }

func realDType(_ *ops.Call, d dtype.DType) dtype.DType { return d.Real() }

// noBool is the dtype of operations that have no loop for bool.
func noBool(_ *ops.Call, d dtype.DType) dtype.DType {
	if d == dtype.Bool {
		return dtype.I8
	}
	return d
}

const (
	ufuncTail  = ", any out=None, *, any where=True, any casting='same_kind', any order='K', any dtype=None, any subok=True)"
	unaryUfunc = "(any x" + ufuncTail
	pairUfunc  = "(any x1, any x2" + ufuncTail
	dunderPair = "(any x1, any x2)"
	dunderOne  = "(any x)"
)

// uf1 and uf2 make the records of universal functions of one and two operands;
// operators are names that start with two underscores.
func uf1(names string, u ufunc, doc string) ops.Op {
	return array(names, unaryUfunc, func(c *ops.Call) value.Value { return u.apply(c, c.Value("x")) }, doc)
}

func uf2(names string, u ufunc, doc string) ops.Op {
	return array(names, pairUfunc, func(c *ops.Call) value.Value { return u.apply(c, c.Value("x1"), c.Value("x2")) }, doc)
}

func dunder2(names string, u ufunc, doc string) ops.Op {
	return array(names, dunderPair, func(c *ops.Call) value.Value {
		a, b := c.Value("x1"), c.Value("x2")
		if u.swap {
			a, b = b, a
		}
		return u.apply(c, a, b)
	}, doc)
}

// inPlace2 makes the record of an augmented assignment.
func inPlace2(name string, u ufunc) ops.Op {
	return array(name, dunderPair, func(c *ops.Call) value.Value {
		t, ok := c.Value("x1").(*value.Tensor)
		if !ok {
			return c.Lose("the array is not known")
		}
		v := u.apply(c, t, c.Value("x2"))
		if r, ok := v.(*value.Tensor); ok && c.OK() {
			sameKind(c, r.Type().DType, t.Type().DType)
			if r.Type().Ranked && len(r.Type().Shape) == 0 {
				r.Class = c.NDArray()
			}
		}
		return v
	}, "in place; the result must be of the array's shape and kind")
}

// sameKind checks that results of one dtype may be written to an array of another.
func sameKind(c *ops.Call, from, to dtype.DType) {
	if from == dtype.Unknown || to == dtype.Unknown || from == to {
		return
	}
	ok := from.Kind() <= to.Kind()
	if from.IsIntegral() && to.IsIntegral() && from.IsSigned() && !to.IsSigned() {
		ok = false
	}
	if !ok {
		c.Errorf("TypeError", diag.DTypeMismatch, "%s gives %s, which cannot be written to an array of %s", c.Short(), from.Numpy(), to.Numpy())
	}
}

func (u ufunc) apply(c *ops.Call, args ...value.Value) value.Value {
	xs := make([]value.Value, len(args))
	wrap, strong := false, false
	for i, a := range args {
		switch x := a.(type) {
		case *value.Tensor:
			if !ops.IsArray(x) {
				wrap = true
			}
			xs[i] = ToArray(c, a)
			strong = true
		default:
			if !ops.IsNumpyScalar(a) && ops.NumberKind(a) != dtype.KindInvalid && value.Plain(a) == a {
				xs[i] = a
			} else {
				xs[i] = ToArray(c, a)
				strong = true
			}
		}
		if !c.OK() {
			return nil
		}
	}
	if !strong || len(xs) == 1 {
		for i := range xs {
			xs[i] = ToArray(c, xs[i])
		}
		if !c.OK() {
			return nil
		}
	}
	d := c.Lib.Promote(c, xs...)
	if d != dtype.Unknown {
		d = arrayDType(c, d)
	}
	if u.check != nil {
		u.check(c, xs, d)
	}
	if u.accept != 0 && d != dtype.Unknown && !u.accept.Has(d) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s is not defined for %s", c.Short(), d.Numpy())
	}
	out := d
	if u.result != nil && (d != dtype.Unknown || u.result(c, dtype.F64) == dtype.Bool) {
		out = u.result(c, d)
	}
	if !c.OK() {
		return nil
	}
	elem := u.elem
	if c.HasParam("where") && c.Value("where") != value.Value(value.Bool(true)) {
		elem = nil
	}
	v := c.Pointwise(out, elem, xs...)
	t, ok := v.(*value.Tensor)
	if !ok || !c.OK() {
		return nil
	}
	t.V.Type.Device = ""
	if c.HasParam("out") && c.Has("out") {
		return writeArray(c, c.Value("out"), t)
	}
	if wrap {
		return wrapped(c, t)
	}
	return t
}

// wrapped makes a tensor of PyTorch of the result of a universal function of one
// (Tensor.__array_wrap__), which turns bool into uint8.
func wrapped(c *ops.Call, t *value.Tensor) value.Value {
	if t.Type().DType == dtype.Bool {
		t = astype(c, t, dtype.U8)
		if t == nil {
			return nil
		}
	}
	c.Lib = ops.Torch
	return t
}

// writeArray makes t the new contents of the array out.
func writeArray(c *ops.Call, out value.Value, t *value.Tensor) value.Value {
	if tup, ok := out.(*value.Tuple); ok && len(tup.Elems) == 1 {
		out = tup.Elems[0]
	}
	o, ok := out.(*value.Tensor)
	if !ok || !ops.IsArray(o) {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): out must be an array, not %s", c.Short(), ops.TypeName(out))
	}
	sameKind(c, t.Type().DType, o.Type().DType)
	if have, want := o.Type(), t.Type(); have.Ranked && want.Ranked && c.OK() {
		if len(have.Shape) < len(want.Shape) || !c.BroadcastsTo(want.Shape, have.Shape) {
			return c.Shapef("%s(): a result of shape %s cannot be written to an array of shape %s", c.Short(), want.Shape, have.Shape)
		}
	}
	if !c.OK() {
		return nil
	}
	c.Record(false)
	c.Outs = nil
	ty := *o.Type()
	c.Redefine(o, t, ty)
	return o
}

// noNegativePower refuses integers to negative integer powers.
func noNegativePower(c *ops.Call, xs []value.Value, d dtype.DType) {
	if !d.IsIntegral() {
		return
	}
	y := xs[1]
	if t, ok := y.(*value.Tensor); ok {
		if e := t.Contents(); len(e) == 1 {
			y = e[0]
		}
	}
	if n, ok := y.(value.Int); ok && n < 0 {
		c.Errorf("ValueError", diag.BadValue, "%s: integers cannot be raised to the negative power %d: use a float", c.Short(), int64(n))
	}
}

// The dtypes of numpy, which has all unsigned integers.
const (
	npIntegers = ops.Integers | 1<<dtype.U16 | 1<<dtype.U32 | 1<<dtype.U64
	npReal     = npIntegers | ops.RealFloats | ops.Booleans
	notBool    = npIntegers | ops.Inexact
)

var (
	ufAdd      = ufunc{elem: ops.AddElem}
	ufSub      = ufunc{elem: ops.SubElem, accept: notBool}
	ufMul      = ufunc{elem: ops.MulElem}
	ufDiv      = ufunc{elem: ops.DivElem, result: quotient}
	ufFloorDiv = ufunc{elem: safeDivisor(ops.FloorDivElem), result: noBool, accept: npReal}
	ufMod      = ufunc{elem: safeDivisor(ops.ModElem), result: noBool, accept: npReal}
	ufPow      = ufunc{elem: ops.PowElem, result: noBool, check: noNegativePower}
	ufAnd      = ufunc{elem: ops.BitElem(func(a, b int64) int64 { return a & b }), accept: npIntegers | ops.Booleans}
	ufOr       = ufunc{elem: ops.BitElem(func(a, b int64) int64 { return a | b }), accept: npIntegers | ops.Booleans}
	ufXor      = ufunc{elem: ops.BitElem(func(a, b int64) int64 { return a ^ b }), accept: npIntegers | ops.Booleans}
	ufShl      = ufunc{elem: ops.BitElem(shiftLeft), result: noBool, accept: npIntegers | ops.Booleans}
	ufShr      = ufunc{elem: ops.BitElem(shiftRight), result: noBool, accept: npIntegers | ops.Booleans}
	ufEq       = ufunc{elem: ops.EqElem, result: truthDType}
	ufNe       = ufunc{elem: ops.NeElem, result: truthDType}
	ufLt       = ufunc{elem: ops.LtElem, result: truthDType}
	ufLe       = ufunc{elem: ops.LeElem, result: truthDType}
	ufGt       = ufunc{elem: ops.GtElem, result: truthDType}
	ufGe       = ufunc{elem: ops.GeElem, result: truthDType}
	ufNeg      = ufunc{elem: ops.NegElem, accept: notBool}
	ufAbs      = ufunc{elem: ops.AbsElem, result: realDType}
	ufInvert   = ufunc{elem: ops.InvertElem, accept: npIntegers | ops.Booleans}
	ufPositive = ufunc{elem: ops.SameElem, accept: notBool}
)

func reflected(u ufunc) ufunc {
	u.swap = true
	return u
}

func shiftLeft(a, b int64) int64 {
	if b < 0 || b > 63 {
		return 0
	}
	return a << b
}

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

func floatUfunc(names string, f func(float64) float64, doc string) ops.Op {
	u := ufunc{result: inexactFor}
	if f != nil {
		u.elem = ops.UnaryFloat(f)
	}
	return uf1(names, u, doc)
}

func roundUfunc(names string, e ops.ElemFunc, doc string) ops.Op {
	return uf1(names, ufunc{elem: e, result: rounded, accept: npReal}, doc)
}

func arrayMathOps() []ops.Op {
	return []ops.Op{
		uf2("add", ufAdd, "sum"), dunder2("__add__", ufAdd, "sum").With(ops.Op{Torch: "torch.add input=x1 other=x2"}), dunder2("__radd__", reflected(ufAdd), "sum").With(ops.Op{Torch: "torch.add input=x2 other=x1"}), inPlace2("__iadd__", ufAdd).With(ops.Op{Torch: "torch.add input=x1 other=x2"}),
		uf2("subtract", ufSub, "difference"), dunder2("__sub__", ufSub, "difference; not defined for bool").With(ops.Op{Torch: "torch.sub input=x1 other=x2"}), dunder2("__rsub__", reflected(ufSub), "difference").With(ops.Op{Torch: "torch.sub input=x2 other=x1"}), inPlace2("__isub__", ufSub).With(ops.Op{Torch: "torch.sub input=x1 other=x2"}),
		uf2("multiply", ufMul, "product"), dunder2("__mul__", ufMul, "product").With(ops.Op{Torch: "torch.mul input=x1 other=x2"}), dunder2("__rmul__", reflected(ufMul), "product").With(ops.Op{Torch: "torch.mul input=x2 other=x1"}), inPlace2("__imul__", ufMul).With(ops.Op{Torch: "torch.mul input=x1 other=x2"}),
		uf2("divide true_divide", ufDiv, "quotient; float64 of integers"), dunder2("__truediv__", ufDiv, "quotient").With(ops.Op{Torch: "torch.div input=x1 other=x2"}), dunder2("__rtruediv__", reflected(ufDiv), "quotient").With(ops.Op{Torch: "torch.div input=x2 other=x1"}), inPlace2("__itruediv__", ufDiv).With(ops.Op{Torch: "torch.div input=x1 other=x2"}),
		uf2("floor_divide", ufFloorDiv, "quotient rounded down"), dunder2("__floordiv__", ufFloorDiv, "quotient rounded down"), dunder2("__rfloordiv__", reflected(ufFloorDiv), "quotient rounded down"), inPlace2("__ifloordiv__", ufFloorDiv),
		uf2("mod remainder", ufMod, "Python's %"), dunder2("__mod__", ufMod, "Python's %"), dunder2("__rmod__", reflected(ufMod), "Python's %"), inPlace2("__imod__", ufMod),
		uf2("power pow", ufPow, "power").With(ops.Op{Torch: "torch.pow input=x1 exponent=x2"}), dunder2("__pow__", ufPow, "power").With(ops.Op{Torch: "torch.pow self=x1 exponent=x2"}), dunder2("__rpow__", reflected(ufPow), "power").With(ops.Op{Torch: "torch.pow self=x2 exponent=x1"}), inPlace2("__ipow__", ufPow),
		uf2("float_power", ufunc{result: func(_ *ops.Call, d dtype.DType) dtype.DType {
			if d.IsComplex() {
				return dtype.C128
			}
			return dtype.F64
		}, elem: ops.PowElem}, "power in float64 or complex128"),
		uf2("bitwise_and", ufAnd, "and"), dunder2("__and__", ufAnd, "and"), dunder2("__rand__", reflected(ufAnd), "and"), inPlace2("__iand__", ufAnd),
		uf2("bitwise_or", ufOr, "or"), dunder2("__or__", ufOr, "or"), dunder2("__ror__", reflected(ufOr), "or"), inPlace2("__ior__", ufOr),
		uf2("bitwise_xor", ufXor, "exclusive or"), dunder2("__xor__", ufXor, "exclusive or"), dunder2("__rxor__", reflected(ufXor), "exclusive or"), inPlace2("__ixor__", ufXor),
		uf2("left_shift", ufShl, "shift"), dunder2("__lshift__", ufShl, "shift"), dunder2("__rlshift__", reflected(ufShl), "shift"), inPlace2("__ilshift__", ufShl),
		uf2("right_shift", ufShr, "shift"), dunder2("__rshift__", ufShr, "shift"), dunder2("__rrshift__", reflected(ufShr), "shift"), inPlace2("__irshift__", ufShr),
		uf2("equal", ufEq, "comparison"), array("__eq__", dunderPair, equalArrays(ufEq), "comparison; with None always false"),
		uf2("not_equal", ufNe, "comparison"), array("__ne__", dunderPair, equalArrays(ufNe), "comparison"),
		uf2("less", ufLt, "comparison"), dunder2("__lt__", ufLt, "comparison"),
		uf2("less_equal", ufLe, "comparison"), dunder2("__le__", ufLe, "comparison"),
		uf2("greater", ufGt, "comparison"), dunder2("__gt__", ufGt, "comparison"),
		uf2("greater_equal", ufGe, "comparison"), dunder2("__ge__", ufGe, "comparison"),
		uf2("maximum", ufunc{elem: ops.MaxElem}, "greater of two"), uf2("fmax", ufunc{elem: ops.MaxElem}, "greater of two; nan loses"),
		uf2("minimum", ufunc{elem: ops.MinElem}, "lesser of two"), uf2("fmin", ufunc{elem: ops.MinElem}, "lesser of two; nan loses"),
		uf2("logical_and", ufunc{elem: ops.AndElem, result: truthDType}, "and"), uf2("logical_or", ufunc{elem: ops.OrElem, result: truthDType}, "or"),
		uf2("logical_xor", ufunc{elem: ops.XorElem, result: truthDType}, "exclusive or"),
		uf2("fmod", ufunc{elem: safeDivisor(ops.FmodElem), result: noBool, accept: npReal}, "C's %"),
		uf2("arctan2", ufunc{result: inexactFor, accept: npReal, elem: floatPair(math.Atan2)}, "angle"), uf2("hypot", ufunc{result: inexactFor, accept: npReal}, "hypotenuse"),
		uf2("logaddexp logaddexp2 copysign nextafter", ufunc{result: inexactFor, accept: npReal}, "element-wise function of two floats"),
		uf2("gcd lcm", ufunc{accept: npIntegers}, "common divisor and multiple"),
		uf2("heaviside", ufunc{result: inexactFor, accept: npReal}, "step function"),

		uf1("negative", ufNeg, "negation"), array("__neg__", dunderOne, ufNeg.one, "negation").With(ops.Op{Torch: "torch.neg input=x"}),
		uf1("positive", ufPositive, "the same numbers"), array("__pos__", dunderOne, ufPositive.one, "the same numbers"),
		uf1("absolute abs", ufAbs, "absolute value; of complex numbers real"), array("__abs__", dunderOne, ufAbs.one, "absolute value"),
		uf1("fabs", ufunc{result: inexactFor, accept: npReal, elem: ops.UnaryFloat(math.Abs)}, "absolute value as a float"),
		uf1("invert bitwise_not", ufInvert, "bitwise not"), array("__invert__", dunderOne, ufInvert.one, "bitwise not"),
		uf1("logical_not", ufunc{elem: ops.NotElem, result: truthDType}, "not"),
		uf1("sign", ufunc{elem: ops.SignElem, accept: notBool}, "sign"),
		uf1("square", ufunc{elem: ops.SquareElem, result: noBool}, "square"),
		uf1("conj conjugate", ufunc{elem: ops.SameElem, accept: notBool}, "complex conjugate"), array(".conj .conjugate", dunderOne, ufunc{elem: ops.SameElem}.one, "complex conjugate"),
		uf1("reciprocal", ufunc{accept: notBool}, "reciprocal; of integers an integer"),
		uf1("isnan isinf isfinite isneginf isposinf signbit", ufunc{result: truthDType}, "a property of each number"),
		floatUfunc("sqrt", math.Sqrt, "square root").With(ops.Op{Torch: "torch.sqrt input=x"}), floatUfunc("cbrt", math.Cbrt, "cube root"),
		floatUfunc("exp", math.Exp, "exponential").With(ops.Op{Torch: "torch.exp input=x"}), floatUfunc("exp2", math.Exp2, "power of two"), floatUfunc("expm1", math.Expm1, "exp - 1"),
		floatUfunc("log", math.Log, "natural logarithm").With(ops.Op{Torch: "torch.log input=x"}), floatUfunc("log2", math.Log2, "binary logarithm"), floatUfunc("log10", math.Log10, "decimal logarithm"), floatUfunc("log1p", math.Log1p, "log(1 + x)"),
		floatUfunc("sin", math.Sin, "sine").With(ops.Op{Torch: "torch.sin input=x"}), floatUfunc("cos", math.Cos, "cosine").With(ops.Op{Torch: "torch.cos input=x"}), floatUfunc("tan", math.Tan, "tangent"),
		floatUfunc("arcsin asin", math.Asin, "inverse sine"), floatUfunc("arccos acos", math.Acos, "inverse cosine"), floatUfunc("arctan atan", math.Atan, "inverse tangent"),
		floatUfunc("sinh", math.Sinh, "hyperbolic sine"), floatUfunc("cosh", math.Cosh, "hyperbolic cosine"), floatUfunc("tanh", math.Tanh, "hyperbolic tangent").With(ops.Op{Is: graph.KeepsAxes, Torch: "torch.tanh input=x"}),
		floatUfunc("arcsinh asinh", math.Asinh, "inverse"), floatUfunc("arccosh acosh", math.Acosh, "inverse"), floatUfunc("arctanh atanh", math.Atanh, "inverse"),
		floatUfunc("deg2rad radians", func(x float64) float64 { return x * (math.Pi / 180) }, "degrees to radians"), floatUfunc("rad2deg degrees", func(x float64) float64 { return x * (180 / math.Pi) }, "radians to degrees"),
		floatUfunc("sinc i0", nil, "element-wise function"),
		roundUfunc("floor", ops.FloorElem, "rounded down"), roundUfunc("ceil", ops.CeilElem, "rounded up"), roundUfunc("trunc fix", ops.TruncElem, "rounded towards zero"),
		uf1("rint", ufunc{elem: ops.RoundElem, result: inexactFor}, "rounded to even"),
		array("round around round_", "(any a, int decimals=0, any out=None)", roundArray, "rounded to even at a decimal"), array(".round", "(any a, int decimals=0, any out=None)", roundArray, "rounded to even at a decimal"),
		array("clip", "(any a, any a_min=None, any a_max=None, any out=None, *, any min=None, any max=None, any dtype=None, any casting='same_kind')", clipArray, "limited to a range"),
		array(".clip", "(any a, any min=None, any max=None, any out=None, *, any dtype=None, any casting='same_kind')", clipArray, "limited to a range"),
		array("nan_to_num", "(any x, any copy=True, any nan=0.0, any posinf=None, any neginf=None)", func(c *ops.Call) value.Value { return ufunc{}.apply(c, c.Value("x")) }, "without nan and infinities"),
		array("divmod __divmod__", dunderPair, divmodArray, "quotient and remainder"),
		array("real imag .real.get .imag.get", "(any val)", func(c *ops.Call) value.Value {
			return keepRank(c, ufunc{result: realDType}.apply(c, c.Value("val")), c.Value("val"))
		}, "a part of complex numbers"),
		array("angle", "(any z, any deg=False)", func(c *ops.Call) value.Value {
			return ufunc{result: func(c *ops.Call, d dtype.DType) dtype.DType {
				if d.IsComplex() {
					return d.Real()
				}
				return quotient(c, d)
			}}.apply(c, c.Value("z"))
		}, "angle of complex numbers"),
		array("isclose", "(any a, any b, any rtol=1e-05, any atol=1e-08, any equal_nan=False)", func(c *ops.Call) value.Value {
			return ufunc{result: truthDType}.apply(c, c.Value("a"), c.Value("b"))
		}, "whether elements are nearly equal"),
		array("where", "(any condition) | (any condition, any x, any y)", whereArray, "elements of one array or another; with a condition alone its indices"),
	}
}

func (u ufunc) one(c *ops.Call) value.Value { return u.apply(c, c.Value("x")) }

// keepRank keeps a 0-dim array one.
func keepRank(c *ops.Call, v, from value.Value) value.Value {
	if ops.IsArray(from) {
		return KeepArray(c, v)
	}
	return v
}

func floatPair(f func(a, b float64) float64) ops.ElemFunc { return ops.Arith(ops.ElemArith{Vals: f}) }

// equalArrays compares arrays also with None, to which nothing is equal.
func equalArrays(u ufunc) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if c.Value("x2") == value.None {
			t := arrayArg(c, "x1")
			if t == nil {
				return nil
			}
			return c.Like(t, dtype.Bool)
		}
		return u.apply(c, c.Value("x1"), c.Value("x2"))
	}
}

func roundArray(c *ops.Call) value.Value {
	u := ufunc{}
	if n, ok := value.AsInt(c.Value("decimals")); ok && n == 0 {
		u.elem = ops.RoundElem
	}
	return u.apply(c, c.Value("a"))
}

func clipArray(c *ops.Call) value.Value {
	lo, hi := "min", "max"
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
	if len(elems) == 0 && !c.Numpy1() {
		return ufunc{elem: ops.SameElem}.apply(c, args...)
	}
	u := ufunc{elem: func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		e := x[0]
		for i, f := range elems {
			if e != nil {
				e = f(c, d, []value.Value{e, x[i+1]})
			}
		}
		return e
	}}
	return u.apply(c, args...)
}

func divmodArray(c *ops.Call) value.Value {
	a, b := c.Value("x1"), c.Value("x2")
	q, r := ufFloorDiv.apply(c, a, b), ufMod.apply(c, a, b)
	if q == nil || r == nil {
		return nil
	}
	return value.NewTuple(q, r)
}

func whereArray(c *ops.Call) value.Value {
	if !c.HasParam("x") {
		return nonzeroArray(c)
	}
	cond := arrayArg(c, "condition")
	var xs [2]value.Value
	weak := 0
	for i, name := range [...]string{"x", "y"} {
		v := c.Value(name)
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

// nonzeroArray gives the indices of elements that are not zero, one array for
// each axis.
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
	idx := c.DelegateTensor("torch.nonzero", []value.Value{t})
	if idx == nil {
		return nil
	}
	n := idx.Type().Shape[0]
	outs := make([]value.Value, len(s))
	for i := range s {
		outs[i] = c.OutType(graph.TensorType{DType: dtype.I64, Ranked: true, Shape: symshape.Shape{n}})
	}
	return value.NewTuple(outs...)
}
