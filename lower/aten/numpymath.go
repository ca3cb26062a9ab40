package aten

// This file lowers NumPy's universal functions and the operators of arrays. Where they are PyTorch's by other names,
// the record of PyTorch's function lowers them; the element type of a result was found by NumPy's promotion.

import (
	"math"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape/dtype"
)

const (
	numpyFunctions = "numpy."
	numpyArray     = "numpy.ndarray."
)

var numpyMathRecords = append(numpyElementary(), []Record{
	{Op: "numpy.abs numpy.absolute numpy.fabs numpy.ndarray.__abs__", Lower: ufunc("x", nil, func(e *Emitter, x []V) V {
		if x[0].DType == onnx.Bool || isUnsigned(x[0].DType) {
			return x[0]
		}
		return e.abs(x[0])
	})},
	{Op: "numpy.negative numpy.ndarray.__neg__", Lower: ufunc("x", nil, func(e *Emitter, x []V) V { return e.neg(x[0]) })},
	{Op: "numpy.positive numpy.ndarray.__pos__ numpy.conj numpy.ndarray.conj", Lower: ufunc("x", nil, func(_ *Emitter, x []V) V {
		return x[0]
	})},
	{Op: "numpy.sign", Lower: ufunc("x", nil, func(e *Emitter, x []V) V { // that of NaN is NaN
		if isFloat(x[0].DType) {
			return e.either(e.Op("IsNaN", In(x[0])), x[0], e.Op("Sign", In(x[0])))
		}
		return e.Op("Sign", In(x[0]))
	})},
	{Op: "numpy.square", Lower: ufunc("x", nil, func(e *Emitter, x []V) V { return e.mul(x[0], x[0]) })},
	{Op: "numpy.reciprocal", Lower: ufunc("x", nil, func(e *Emitter, x []V) V {
		if !isFloat(x[0].DType) {
			failf("that of integers is not written")
		}
		return e.Op("Reciprocal", In(x[0]))
	})},
	{Op: "numpy.cbrt", Lower: ufunc("x", nil, func(e *Emitter, x []V) V {
		if x[0].DType == onnx.Float16 {
			failf("of floats of 16 bits it is not written")
		}
		return e.mul(e.Op("Sign", In(x[0])), e.Op("Pow", In(e.abs(x[0]), e.Scalar(x[0].DType, 1.0/3))))
	})},
	{Op: "numpy.floor", Lower: ufunc("x", nil, rounded("Floor"))},
	{Op: "numpy.ceil", Lower: ufunc("x", nil, rounded("Ceil"))},
	{Op: "numpy.rint", Lower: ufunc("x", nil, rounded("Round"))},
	{Op: "numpy.trunc numpy.fix", Lower: ufunc("x", nil, func(e *Emitter, x []V) V {
		if !isFloat(x[0].DType) {
			return x[0]
		}
		return e.truncate(x[0])
	})},
	{Op: "numpy.round numpy.round_ numpy.ndarray.round", Lower: numpyRound},
	{Op: "numpy.isnan", Lower: tested("torch.isnan")},
	{Op: "numpy.isinf", Lower: tested("torch.isinf")},
	{Op: "numpy.isfinite", Lower: tested("torch.isfinite")},
	{Op: "numpy.signbit", Lower: tested("torch.signbit")},

	{Op: "numpy.add numpy.ndarray.__add__ numpy.ndarray.__radd__ numpy.ndarray.__iadd__", Lower: pair(func(e *Emitter, x, y V) V {
		if x.DType == onnx.Bool {
			return e.Op("Or", In(x, y))
		}
		return e.add(x, y)
	})},
	{Op: "numpy.subtract numpy.ndarray.__sub__ numpy.ndarray.__rsub__ numpy.ndarray.__isub__", Lower: pair((*Emitter).sub)},
	{Op: "numpy.multiply numpy.ndarray.__mul__ numpy.ndarray.__rmul__ numpy.ndarray.__imul__", Lower: pair(func(e *Emitter, x, y V) V {
		if x.DType == onnx.Bool {
			return e.Op("And", In(x, y))
		}
		return e.mul(x, y)
	})},
	{Op: "numpy.divide numpy.ndarray.__truediv__ numpy.ndarray.__rtruediv__ numpy.ndarray.__itruediv__",
		Lower: pair(func(e *Emitter, x, y V) V { return e.Op("Div", In(x, y)) })},
	{Op: "numpy.floor_divide numpy.ndarray.__floordiv__ numpy.ndarray.__rfloordiv__ numpy.ndarray.__ifloordiv__",
		Lower: pair(guardZero((*Emitter).floorDiv))},
	{Op: "numpy.mod numpy.ndarray.__mod__ numpy.ndarray.__rmod__ numpy.ndarray.__imod__", Lower: pair(guardZero((*Emitter).remainder))},
	{Op: "numpy.fmod", Lower: pair(guardZero((*Emitter).fmod))},
	{Op: "numpy.power numpy.float_power numpy.ndarray.__pow__ numpy.ndarray.__rpow__ numpy.ndarray.__ipow__",
		Lower: pair(func(e *Emitter, x, y V) V {
			if x.DType == onnx.Bool {
				failf("that of bools is not written")
			}
			return e.Op("Pow", In(x, y)) // of integers, NumPy refuses negative exponents
		})},
	{Op: "numpy.maximum", Lower: pair(extremeOf("Max", "Or"))},
	{Op: "numpy.minimum", Lower: pair(extremeOf("Min", "And"))},
	{Op: "numpy.fmax", As: "torch.fmax", Args: "input=x1 other=x2"},
	{Op: "numpy.fmin", As: "torch.fmin", Args: "input=x1 other=x2"},
	{Op: "numpy.arctan2", Lower: pair((*Emitter).atan2)},
	{Op: "numpy.hypot", Lower: plain(adaptRecord("torch.hypot", "input=x1 other=x2"))},
	{Op: "numpy.heaviside", Lower: plain(adaptRecord("torch.heaviside", "input=x1 values=x2"))},
	{Op: "numpy.logaddexp", Lower: plain(func(c *Call) { // and logaddexp2, copysign and nextafter, which share a record
		name := lastName(c.Node.Called)
		if name == "nextafter" {
			failf("ONNX has no neighbours of numbers")
		}
		adaptRecord("torch."+name, "input=x1 other=x2")(c)
	})},

	{Op: "numpy.equal numpy.ndarray.__eq__", Lower: compared("Equal", false)},
	{Op: "numpy.not_equal numpy.ndarray.__ne__", Lower: compared("Equal", true)},
	{Op: "numpy.less numpy.ndarray.__lt__", Lower: compared("Less", false)},
	{Op: "numpy.less_equal numpy.ndarray.__le__", Lower: compared("LessOrEqual", false)},
	{Op: "numpy.greater numpy.ndarray.__gt__", Lower: compared("Greater", false)},
	{Op: "numpy.greater_equal numpy.ndarray.__ge__", Lower: compared("GreaterOrEqual", false)},
	{Op: "numpy.logical_not", Lower: ufunc("x", truths, func(e *Emitter, x []V) V { return e.Op("Not", In(x[0])) })},
	{Op: "numpy.logical_and", Lower: ufunc("x1 x2", truths, func(e *Emitter, x []V) V { return e.Op("And", In(x...)) })},
	{Op: "numpy.logical_or", Lower: ufunc("x1 x2", truths, func(e *Emitter, x []V) V { return e.Op("Or", In(x...)) })},
	{Op: "numpy.logical_xor", Lower: ufunc("x1 x2", truths, func(e *Emitter, x []V) V { return e.Op("Xor", In(x...)) })},
	{Op: "numpy.invert numpy.ndarray.__invert__", Lower: plain(adaptRecord("torch.bitwise_not", "input=x"))},
	{Op: "numpy.bitwise_and numpy.ndarray.__and__ numpy.ndarray.__rand__ numpy.ndarray.__iand__",
		Lower: plain(adaptRecord("torch.bitwise_and", "input=x1 other=x2"))},
	{Op: "numpy.bitwise_or numpy.ndarray.__or__ numpy.ndarray.__ror__ numpy.ndarray.__ior__",
		Lower: plain(adaptRecord("torch.bitwise_or", "input=x1 other=x2"))},
	{Op: "numpy.bitwise_xor numpy.ndarray.__xor__ numpy.ndarray.__rxor__ numpy.ndarray.__ixor__",
		Lower: plain(adaptRecord("torch.bitwise_xor", "input=x1 other=x2"))},
	{Op: "numpy.ldexp", Lower: numpyLdexp},
	{Op: "numpy.gcd numpy.lcm", None: "Euclid's algorithm takes as many steps as the elements say"},
	{Op: "numpy.spacing", None: "the bits of a float cannot be read"},
	{Op: "numpy.angle", None: "it is 0 or π for real numbers, and ONNX has no complex ones"},
	{Op: "numpy.frexp", None: "ONNX has no exponents of numbers"},
	{Op: "numpy.i0", None: "ONNX has no Bessel functions"},
	{Op: "numpy.clip", Lower: numpyClip("a_min", "a_max")},
	{Op: "numpy.ndarray.clip", Lower: numpyClip("min", "max")},
	{Op: "numpy.where", Lower: func(c *Call) {
		e := c.emit
		if c.Arg("x") == nil || c.Arg("y") == nil { // the indices of what is true
			mask := c.data(c.Arg("condition"), truthType(c, "condition"))
			c.Return(e.nonzeroColumns(mask, c.Rank("condition"))...)
			return
		}
		d := c.OutDType(0)
		c.Return(e.Op("Where", In(e.Cast(c.Operand("condition", truthType(c, "condition")), onnx.Bool), c.Operand("x", d), c.Operand("y", d))))
	}},
}...)

// numpyElementary are the functions that have PyTorch's meaning of floats.
func numpyElementary() []Record {
	var out []Record
	for _, n := range [][2]string{
		{"sin", "sin"}, {"cos", "cos"}, {"tan", "tan"}, {"sinh", "sinh"}, {"cosh", "cosh"}, {"tanh", "tanh"}, {"arcsin", "asin"},
		{"arccos", "acos"}, {"arctan", "atan"},
		{"arcsinh", "asinh"}, {"arccosh", "acosh"}, {"arctanh", "atanh"}, {"exp", "exp"}, {"exp2", "exp2"}, {"expm1", "expm1"}, {"log", "log"},
		{"log2", "log2"}, {"log10", "log10"},
		{"log1p", "log1p"}, {"sqrt", "sqrt"}, {"deg2rad", "deg2rad"}, {"rad2deg", "rad2deg"}, {"sinc", "sinc"},
	} {
		out = append(out, Record{Op: numpyFunctions + n[0], Lower: plain(adaptRecord("torch."+n[1], "input=x"))})
	}
	return out
}

// adaptRecord lowers by the record of another function. names are pairs NEW=OLD with blanks
// between them: the name of an argument of that function, and the one that it has here.
func adaptRecord(op, names string) func(c *Call) {
	return func(c *Call) {
		c.rename(op, names)
		index()[op].Lower(c)
	}
}

// plain lowers by a rule without the options of universal functions that change where results go.
// The options are out= and where=.
func plain(rule func(c *Call)) func(c *Call) { return withWhere(rule) }

// noOptions refuses out, where, initial: no form of them is written.
func (c *Call) noOptions() {
	if c.Arg("out") != nil || c.Arg("initial") != nil {
		failf("out= and initial= are not written")
	}
	if w := c.Arg("where"); w != nil && w != graph.Bool(true) {
		failf("where= is not written")
	}
}

// ufunc computes f of operands in an element type: that of the result unless in says another.
// names are the operands' names. Lists become arrays of the type; where in says a type, that of a
// list would have to be found first, and the call fails.
func ufunc(names string, in func(c *Call, names []string) onnx.DType, f func(e *Emitter, x []V) V) func(c *Call) {
	list := strings.Fields(names)
	return plain(func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		d := out
		if in != nil {
			d = in(c, list)
		}
		d = workType(d)
		x := make([]V, len(list))
		for i, n := range list {
			switch o := c.Arg(n).(type) {
			case graph.List, graph.Tuple:
				if in != nil {
					failf("the type of a list is not known here")
				}
				x[i] = c.data(o, d)
				continue
			}
			x[i] = c.Operand(n, d)
			if in != nil && d == onnx.Bool {
				x[i] = e.Cast(c.Operand(n, truthType(c, n)), onnx.Bool)
			}
		}
		c.Return(e.Cast(f(e, x), out))
	})
}

// truths says that operands are read as true or false.
func truths(*Call, []string) onnx.DType { return onnx.Bool }

// truthType is the element type in which an operand is read before it is true or false. A number
// is read in float64.
func truthType(c *Call, name string) onnx.DType {
	if v, ok := c.Arg(name).(*graph.Value); ok && v.Kind == graph.TensorKind {
		return c.dtype(v.Type.DType)
	}
	return onnx.Double
}

// pair is ufunc of x1 and x2, which reflected operators have in the other order.
func pair(f func(e *Emitter, x, y V) V) func(c *Call) {
	return func(c *Call) {
		i, j := 0, 1
		if reflected(c.Node.Op) {
			i, j = 1, 0
		}
		ufunc("x1 x2", nil, func(e *Emitter, x []V) V { return f(e, x[i], x[j]) })(c)
	}
}

// reflected reports whether an operator is that of the operand on the right. Operators whose
// operands can be exchanged need not be listed, but do no harm.
func reflected(op string) bool {
	switch lastName(op) {
	case "__radd__", "__rsub__", "__rmul__", "__rtruediv__", "__rfloordiv__", "__rmod__", "__rdivmod__", "__rpow__":
		return true
	}
	return false
}

// rounded is one operator on floats; integers stay as they are.
func rounded(op string) func(e *Emitter, x []V) V {
	return func(e *Emitter, x []V) V {
		if !isFloat(x[0].DType) {
			return x[0]
		}
		return e.Op(op, In(x[0]))
	}
}

// guardZero gives, where integers are divided by 0, NumPy's 0. NumPy warns and gives 0; in ONNX
// the quotient is undefined and some runtimes end the process. The divisor is replaced by 1 there
// first.
func guardZero(f func(e *Emitter, x, y V) V) func(e *Emitter, x, y V) V {
	return func(e *Emitter, x, y V) V {
		if isFloat(x.DType) {
			return f(e, x, y)
		}
		if x.DType == onnx.Bool {
			failf("that of bools is not written")
		}
		zero := e.isZero(y)
		return e.either(zero, e.Scalar(x.DType, 0), f(e, x, e.either(zero, e.Scalar(x.DType, 1), y)))
	}
}

// extremeOf is an extreme of numbers, for bools the operator that is the same on truth values.
func extremeOf(op, ofBools string) func(e *Emitter, x, y V) V {
	return func(e *Emitter, x, y V) V {
		if x.DType == onnx.Bool {
			return e.Op(ofBools, In(x, y))
		}
		return e.Op(op, In(x, y))
	}
}

// tested is a test of floats, which integers do not get to.
func tested(op string) func(c *Call) { return plain(adaptRecord(op, "input=x")) }

// compared is a comparison in the element type to which NumPy promotes the operands. Bools are
// compared as integers by order.
func compared(op string, negate bool) func(c *Call) {
	return ufunc("x1 x2", (*Call).numpyCommon, func(e *Emitter, x []V) V {
		if x[0].DType == onnx.Bool && op != "Equal" {
			x[0], x[1] = e.Cast(x[0], onnx.Int32), e.Cast(x[1], onnx.Int32)
		}
		v := e.Op(op, In(x...))
		if negate {
			return e.Op("Not", In(v))
		}
		return v
	})
}

// numpyCommon is the element type in which operands are compared. A number has the array's type where that can hold
// its kind. Versions of NumPy differ about arrays without dimensions beside others of another
// type. It fails where NumPy 1 and 2 promote differently, since the model does not say which
// version runs it.
func (c *Call) numpyCommon(names []string) onnx.DType {
	if c.Arg("dtype") != nil {
		failf("dtype= is not written")
	}
	var out dtype.DType
	ranks := map[bool]bool{}
	mixed := false
	for _, n := range names {
		v, ok := c.Arg(n).(*graph.Value)
		if !ok || v.Kind != graph.TensorKind {
			continue
		}
		d := v.Type.DType
		if d == dtype.Unknown || !v.Type.Ranked {
			failf("the operands' types are not known")
		}
		ranks[v.Type.Rank() == 0] = true
		if out == dtype.Unknown {
			out = d
			continue
		}
		mixed = mixed || d != out
		out = dtype.Numpy(out, d)
	}
	if mixed && len(ranks) == 2 {
		failf("versions of NumPy differ about the element type in which it compares")
	}
	d := c.dtype(out)
	for _, n := range names {
		switch o := c.Arg(n).(type) {
		case graph.Float, graph.Real:
			if !isFloat(d) {
				return onnx.Double
			}
		case graph.Int, graph.Dim:
			if d == onnx.Bool {
				return onnx.Int64
			}
			if k, ok := ConstInt(o); ok && !isFloat(d) {
				if r, known := intRanges[d]; !known || k < r[0] || k > r[1] {
					failf("%d is no number of the array's type", k)
				}
			}
		case graph.Bool, *graph.Value:
		default:
			failf("the operands' types are not known")
		}
	}
	return d
}

// numpyLdexp multiplies by powers of two: in binary64, which holds what narrower floats give, and in two steps where
// the result has that type, as the power alone may be beyond it. The exponent is halved by
// rounding down, so that both powers are finite when the result is.
func numpyLdexp(c *Call) {
	e := c.emit
	c.noOptions()
	const d = onnx.Double
	x, n := c.data(c.Arg("x1"), d), e.Cast(c.data(c.Arg("x2"), onnx.Int64), d)
	power := func(n V) V { return e.Op("Pow", In(e.Scalar(d, 2), n)) }
	if out := c.OutDType(0); out != d {
		c.Return(e.Cast(e.mul(x, power(n)), out))
		return
	}
	half := e.Op("Floor", In(e.over(n, e.Scalar(d, 2))))
	c.Return(e.mul(e.mul(x, power(half)), power(e.sub(n, half))))
}

// numpyRound rounds halves to even, after a multiplication by a power of ten. NumPy multiplies,
// rounds and divides; powers of ten up to 10^15 are exact in binary64, beyond that it is refused.
// Integers with negative decimals are rounded in binary64.
func numpyRound(c *Call) {
	e := c.emit
	c.noOptions()
	x := c.first()
	n := int64(0)
	if c.Has("decimals") {
		n = c.Int("decimals")
	}
	switch {
	case !isFloat(x.DType) && n >= 0:
		c.Return(x)
	case n > 15, n < -15:
		failf("rounding to %d decimals is not written", n)
	case !isFloat(x.DType): // in binary64
		p := e.Scalar(onnx.Double, math.Pow10(int(-n)))
		c.Return(e.Cast(e.Cast(e.mul(e.Op("Round", In(e.over(e.Cast(x, onnx.Double), p))), p), onnx.Int64), x.DType))
	case n == 0:
		c.Return(e.Op("Round", In(x)))
	case n > 0:
		p := e.Scalar(x.DType, math.Pow10(int(n)))
		c.Return(e.over(e.Op("Round", In(e.mul(x, p))), p))
	default:
		p := e.Scalar(x.DType, math.Pow10(int(-n)))
		c.Return(e.mul(e.Op("Round", In(e.over(x, p))), p))
	}
}

// numpyClip is the greater of x and the lower bound, then the lesser of that and the upper one.
// The order matters when the lower bound is above the upper one: then the result is the upper
// one.
func numpyClip(low, high string) func(c *Call) {
	return plain(func(c *Call) {
		x := c.first()
		if x.DType == onnx.Bool {
			failf("that of bools is not written")
		}
		if c.Has(low) {
			x = c.emit.Op("Max", In(x, c.Operand(low, x.DType)))
		}
		if c.Has(high) {
			x = c.emit.Op("Min", In(x, c.Operand(high, x.DType)))
		}
		c.Return(x)
	})
}
