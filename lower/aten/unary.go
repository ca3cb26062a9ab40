package aten

// This file lowers functions of one element: elementary functions, rounding and
// tests of floats. Integers and bools become floats first where PyTorch makes them
// floats, and stay as they are where rounding changes nothing.
//
// Where ONNX lacks a function it is written by an identity that is stable over the whole range,
// not the textbook one where that loses digits: expm1 and log1p near 0, angle and signbit by
// comparisons, sinc in a wider type.

import (
	"math"

	"shapecheck/onnx"
)

var unaryRecords = []Record{
	{Op: "torch.acos", Lower: floatUnary("Acos")},
	{Op: "torch.acosh", Lower: floatUnary("Acosh")},
	{Op: "torch.asin", Lower: floatUnary("Asin")},
	{Op: "torch.asinh", Lower: floatUnary("Asinh")},
	{Op: "torch.atan", Lower: floatUnary("Atan")},
	{Op: "torch.atanh", Lower: floatUnary("Atanh")},
	{Op: "torch.cos", Lower: floatUnary("Cos")},
	{Op: "torch.cosh", Lower: floatUnary("Cosh")},
	{Op: "torch.sin", Lower: floatUnary("Sin")},
	{Op: "torch.sinh", Lower: floatUnary("Sinh")},
	{Op: "torch.tan", Lower: floatUnary("Tan")},
	{Op: "torch.log", Lower: floatUnary("Log")},
	{Op: "torch.sqrt", Lower: floatUnary("Sqrt")},
	{Op: "torch.erf", Lower: floatUnary("Erf")},
	{Op: "torch.reciprocal", Lower: floatUnary("Reciprocal")},
	{Op: "torch.rsqrt", Lower: ofFirst(func(e *Emitter, x V) V { return e.Op("Reciprocal", In(e.sqrt(x))) })},
	{Op: "torch.log2", Lower: ofFirst(func(e *Emitter, x V) V { return e.over(e.Op("Log", In(x)), e.Scalar(x.DType, math.Ln2)) })},
	{Op: "torch.log10", Lower: ofFirst(func(e *Emitter, x V) V { return e.over(e.Op("Log", In(x)), e.Scalar(x.DType, math.Ln10)) })},
	{Op: "torch.log1p", Lower: ofFirst((*Emitter).log1p)},
	{Op: "torch.expm1", Lower: ofFirst(func(e *Emitter, x V) V { // tanh(x/2)·(exp(x)+1), which is exact for small x
		return e.mul(e.Op("Tanh", In(e.times(x, 0.5))), e.plus(e.Op("Exp", In(x)), 1))
	})},
	{Op: "torch.exp2", Lower: ofFirst(func(e *Emitter, x V) V { return e.Op("Pow", In(e.Scalar(x.DType, 2), x)) })},
	{Op: "torch.erfc", Lower: ofFirst(func(e *Emitter, x V) V { return e.oneMinus(e.Op("Erf", In(x))) })},
	{Op: "torch.square", Lower: func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		x := e.Cast(c.Tensor("input"), workType(out))
		c.Return(e.Cast(e.mul(x, x), out))
	}},
	{Op: "torch.sinc", Lower: ofFirst(func(e *Emitter, x V) V { // x·π may be more than the largest number of 16 bits
		return e.Cast(e.sinOver(e.times(e.Cast(x, wideType(x.DType)), math.Pi)), x.DType)
	})},
	{Op: "torch.special.spherical_bessel_j0", Lower: ofFirst((*Emitter).sinOver)},
	{Op: "torch.deg2rad", Lower: ofFirst(func(e *Emitter, x V) V { return e.times(x, math.Pi/180) })},
	{Op: "torch.rad2deg", Lower: ofFirst(func(e *Emitter, x V) V { return e.times(x, 180/math.Pi) })},
	{Op: "torch.special.entr", Lower: ofFirst(func(e *Emitter, x V) V { // -x·log(x), 0 of 0 and -∞ of what is negative
		y := e.either(e.isZero(x), x, e.neg(e.mul(x, e.Op("Log", In(x)))))
		return e.either(e.negative(x), e.Scalar(x.DType, math.Inf(-1)), y)
	})},
	{Op: "torch.special.ndtr", Lower: ofFirst(func(e *Emitter, x V) V {
		return e.times(e.plus(e.Op("Erf", In(e.times(x, math.Sqrt2/2))), 1), 0.5)
	})},
	{Op: "torch.logit", Lower: logit},
	{Op: "torch.abs", Lower: func(c *Call) {
		unsigned := isUnsigned(c.DType("input"))
		ofNumber(func(e *Emitter, x V) V {
			if unsigned {
				return x
			}
			return e.abs(x)
		})(c)
	}},
	{Op: "torch.sign torch.sgn", Lower: ofNumber(func(e *Emitter, x V) V {
		if !isFloat(x.DType) {
			return e.Op("Sign", In(x))
		}
		return e.either(e.Op("IsNaN", In(x)), e.Scalar(x.DType, 0), e.Op("Sign", In(x))) // PyTorch: that of NaN is 0
	})},
	{Op: "torch.ceil", Lower: rounding(func(e *Emitter, x V) V { return e.Op("Ceil", In(x)) })},
	{Op: "torch.floor", Lower: rounding(func(e *Emitter, x V) V { return e.Op("Floor", In(x)) })},
	{Op: "torch.trunc", Lower: rounding((*Emitter).truncate)},
	{Op: "torch.frac", Lower: ofFirst(func(e *Emitter, x V) V { return e.sub(x, e.truncate(x)) })},
	{Op: "torch.round", Lower: round},
	{Op: "torch.nan_to_num", Lower: nanToNum},
	{Op: "torch.isnan", Lower: floatTest(false, func(e *Emitter, x V) V { return e.Op("IsNaN", In(x)) })},
	{Op: "torch.isinf", Lower: floatTest(false, func(e *Emitter, x V) V { return e.Op("IsInf", In(x)) })},
	{Op: "torch.isposinf", Lower: floatTest(false, func(e *Emitter, x V) V {
		return e.Op("IsInf", In(x), onnx.IntAttr("detect_negative", 0))
	})},
	{Op: "torch.isneginf", Lower: floatTest(false, func(e *Emitter, x V) V {
		return e.Op("IsInf", In(x), onnx.IntAttr("detect_positive", 0))
	})},
	{Op: "torch.isfinite", Lower: floatTest(true, func(e *Emitter, x V) V {
		return e.Op("Not", In(e.Op("Or", In(e.Op("IsNaN", In(x)), e.Op("IsInf", In(x))))))
	})},
	{Op: "torch.isreal", Lower: func(c *Call) {
		if isComplex(c.DType("input")) {
			failf("there are no complex numbers")
		}
		x := c.Tensor("input")
		c.Return(c.emit.likeOf(V{x.Name, onnx.Bool}, 1))
	}},
	{Op: "torch.signbit", Lower: signbit},
	{Op: "torch.angle", Lower: ofFirst(func(e *Emitter, x V) V {
		y := e.either(e.negative(x), e.Scalar(x.DType, math.Pi), e.Scalar(x.DType, 0))
		return e.either(e.Op("IsNaN", In(x)), x, y)
	})},
	{Op: "torch.conj torch.conj_physical torch.real", Lower: func(c *Call) { c.Return(c.first()) }},
	{Op: "torch.bitwise_left_shift", Lower: shift(true, false)},
	{Op: "torch.bitwise_right_shift", Lower: shift(false, false)},
	{Op: "torch.Tensor.__rlshift__", Lower: shift(true, true)},
	{Op: "torch.Tensor.__rrshift__", Lower: shift(false, true)},
	{Op: "torch.renorm", Lower: renorm},
	{Op: "torch.special.erfcx torch.special.log_ndtr", None: "ONNX has no complementary error function that is precise far from 0"},
	{Op: "torch.special.bessel_j0 torch.special.bessel_j1 torch.special.bessel_y0 torch.special.bessel_y1 torch.special.modified_bessel_k0 " +
		"torch.special.modified_bessel_k1 torch.special.scaled_modified_bessel_k0 torch.special.scaled_modified_bessel_k1 torch.special.airy_ai",
		None: "ONNX has no Bessel functions"},
	{Op: "torch.special.chebyshev_polynomial_t torch.special.chebyshev_polynomial_u torch.special.chebyshev_polynomial_v torch.special.chebyshev_polynomial_w " +
		"torch.special.shifted_chebyshev_polynomial_t torch.special.shifted_chebyshev_polynomial_u torch.special.shifted_chebyshev_polynomial_v " +
		"torch.special.shifted_chebyshev_polynomial_w torch.special.hermite_polynomial_h torch.special.hermite_polynomial_he " +
		"torch.special.laguerre_polynomial_l torch.special.legendre_polynomial_p",
		None: "the degree of the polynomial is an element of a tensor"},
	{Op: "torch.frexp torch.nextafter", None: "the bits of a float cannot be read"},
	{Op: "torch.gcd torch.lcm", None: "Euclid's algorithm takes as many steps as the elements say"},
}

// ofFirst computes f of the first argument in the result's element type. The element type is that
// which PyTorch infers for the result: float32 for the square root of integers.
func ofFirst(f func(e *Emitter, x V) V) func(c *Call) {
	return func(c *Call) { c.Return(f(c.emit, c.first())) }
}

// ofNumber is ofFirst in the type in which runtimes compute; bools stay. The result is cast back
// to its own type.
func ofNumber(f func(e *Emitter, x V) V) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		x := e.Cast(c.Tensor("input"), workType(out))
		if out == onnx.Bool {
			c.Return(x)
			return
		}
		c.Return(e.Cast(f(e, x), out))
	}
}

// rounding is ofFirst for functions that change only floats.
func rounding(f func(e *Emitter, x V) V) func(c *Call) {
	return func(c *Call) {
		x := c.first()
		if isFloat(x.DType) {
			x = f(c.emit, x)
		}
		c.Return(x)
	}
}

// floatTest is a test of floats, whose answer for other types is known. others is the answer for
// integers and bools: all of them are finite and none is NaN.
func floatTest(others bool, f func(e *Emitter, x V) V) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x := c.Tensor("input")
		switch {
		case x.DType == onnx.Float16 || x.DType == onnx.BFloat16: // widening keeps infinities and NaNs
			c.Return(f(e, e.Cast(x, onnx.Float)))
		case isFloat(x.DType):
			c.Return(f(e, x))
		case isComplex(x.DType):
			failf("there are no complex numbers")
		default:
			fill := 0.0
			if others {
				fill = 1
			}
			c.Return(e.likeOf(V{x.Name, onnx.Bool}, fill))
		}
	}
}

// log1p is log(1+x). For small x the rounding of 1+x is undone: the quotient
// x / ((1+x)-1) says how much of x was lost. This is Kahan's formula (HP-15C Advanced Functions
// Handbook, 1982): the error of the logarithm's argument and that of the quotient are the same
// and cancel.
func (e *Emitter) log1p(x V) V {
	u := e.plus(x, 1)
	log := e.Op("Log", In(u))
	small := e.over(e.mul(log, x), e.plus(u, -1))
	small = e.either(e.Op("Equal", In(u, e.Scalar(x.DType, 1))), x, small)
	return e.either(e.Op("Greater", In(x, e.Scalar(x.DType, 0.5))), log, small)
}

// sinOver is sin(x)/x, 1 at 0. The division by 0 is computed in the branch that is not taken.
func (e *Emitter) sinOver(x V) V {
	return e.either(e.isZero(x), e.Scalar(x.DType, 1), e.over(e.Op("Sin", In(x)), x))
}

// logit is log(x/(1-x)) of x limited to eps … 1-eps. Without eps a value outside of 0 … 1 gives
// NaN, and 0 and 1 give infinities.
func logit(c *Call) {
	e := c.emit
	x := c.first()
	if c.Has("eps") {
		eps := c.Float("eps")
		x = e.clip(x, eps, 1-eps)
	}
	c.Return(e.Op("Log", In(e.over(x, e.oneMinus(x)))))
}

// round goes to the nearest, and to the even of two; with decimals of the value
// times a power of ten. n decimals are round(x·10ⁿ)/10ⁿ, which rounds twice, as PyTorch does.
func round(c *Call) {
	n := c.IntOr("decimals", 0)
	rounding(func(e *Emitter, x V) V {
		if n == 0 {
			return e.Op("Round", In(x))
		}
		ten := e.Scalar(x.DType, math.Pow10(int(max(n, -n))))
		if n > 0 {
			return e.over(e.Op("Round", In(e.mul(x, ten))), ten)
		}
		return e.mul(e.Op("Round", In(e.over(x, ten))), ten)
	})(c)
}

// largest is the largest finite number of a float type.
func largest(d onnx.DType) float64 {
	switch d {
	case onnx.Double:
		return math.MaxFloat64
	case onnx.Float16:
		return 65504
	case onnx.BFloat16:
		return 0x1.FEp127
	}
	return math.MaxFloat32
}

// nanToNum replaces NaN by 0 and the infinities by the largest numbers of the type, unless
// arguments say others.
func nanToNum(c *Call) {
	rounding(func(e *Emitter, x V) V {
		value := func(name string, def float64) V {
			if c.Has(name) {
				return c.Number(name, x.DType)
			}
			return e.Scalar(x.DType, def)
		}
		inf := func(y V, sign float64) V { return e.Op("Equal", In(y, e.Scalar(x.DType, math.Inf(int(sign))))) }
		y := e.either(e.Op("IsNaN", In(x)), value("nan", 0), x)
		y = e.either(inf(x, 1), value("posinf", largest(x.DType)), y)
		return e.either(inf(x, -1), value("neginf", -largest(x.DType)), y)
	})(c)
}

// signbit is true of -0 too, whose reciprocal is -∞. Unsigned integers and bools have no sign.
func signbit(c *Call) {
	e := c.emit
	x := c.Tensor("input")
	switch {
	case x.DType == onnx.Bool || isUnsigned(x.DType):
		c.Return(e.likeOf(V{x.Name, onnx.Bool}, 0))
	case isFloat(x.DType):
		minusZero := e.Op("And", In(e.isZero(x), e.negative(e.Op("Reciprocal", In(x)))))
		c.Return(e.Op("Or", In(e.negative(x), minusZero)))
	default:
		c.Return(e.negative(e.Cast(x, workType(x.DType))))
	}
}

// shift moves bits. ONNX shifts unsigned integers: to the left is a product with a
// shifted 1; to the right the complement of a negative number is shifted. The complement of a
// negative number, -1 - x, is not negative; shifted and complemented again it gives the
// arithmetic shift, which rounds down. reverse exchanges the operands, for the reflected methods.
func shift(left, reverse bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		x, n := c.Operand("input", onnx.Int64), c.Operand("other", onnx.Int64)
		if isFloat(out) {
			failf("floats have no bits to shift")
		}
		if reverse {
			x, n = n, x
		}
		bits := e.Cast(n, onnx.Uint64)
		if left {
			one := e.Op("BitShift", In(e.Scalar(onnx.Uint64, 1), bits), onnx.StringAttr("direction", "LEFT"))
			c.Return(e.Cast(e.mul(x, e.Cast(one, onnx.Int64)), out))
			return
		}
		under := e.negative(x)
		y := e.Cast(e.either(under, e.minus(-1, x), x), onnx.Uint64)
		y = e.Cast(e.Op("BitShift", In(y, bits), onnx.StringAttr("direction", "RIGHT")), onnx.Int64)
		c.Return(e.Cast(e.either(under, e.minus(-1, y), y), out))
	}
}

// renorm scales down the slices along dim whose p-norm is more than maxnorm. 1e-7 in the divisor
// is PyTorch's.
func renorm(c *Call) {
	e := c.emit
	x, rank := c.first(), c.Rank("self")
	dim := c.Axis("dim", rank)
	var axes []int64
	for i := range int64(rank) {
		if i != dim {
			axes = append(axes, i)
		}
	}
	limit := c.Number("maxnorm", x.DType)
	norm := c.vectorNorm(x, c.Float("p"), axes, true)
	scale := e.over(limit, e.plus(norm, 1e-7))
	c.Return(e.mul(x, e.either(e.Op("Greater", In(norm, limit)), scale, e.Scalar(x.DType, 1))))
}
