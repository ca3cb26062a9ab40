package aten

// This file lowers functions of one element: elementary functions, rounding and
// tests of floats. Integers and bools become floats first where PyTorch makes them
// floats, and stay as they are where rounding changes nothing.

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
	{Op: "torch.rsqrt", Lower: ofFirst(func(c *Call, x V) V { return c.Op("Reciprocal", In(c.sqrt(x))) })},
	{Op: "torch.log2", Lower: ofFirst(func(c *Call, x V) V { return c.over(c.Op("Log", In(x)), c.Scalar(x.DType, math.Ln2)) })},
	{Op: "torch.log10", Lower: ofFirst(func(c *Call, x V) V { return c.over(c.Op("Log", In(x)), c.Scalar(x.DType, math.Ln10)) })},
	{Op: "torch.log1p", Lower: ofFirst((*Call).log1p)},
	{Op: "torch.expm1", Lower: ofFirst(func(c *Call, x V) V { // tanh(x/2)·(exp(x)+1), which is exact for small x
		return c.mul(c.Op("Tanh", In(c.times(x, 0.5))), c.plus(c.Op("Exp", In(x)), 1))
	})},
	{Op: "torch.exp2", Lower: ofFirst(func(c *Call, x V) V { return c.Op("Pow", In(c.Scalar(x.DType, 2), x)) })},
	{Op: "torch.erfc", Lower: ofFirst(func(c *Call, x V) V { return c.oneMinus(c.Op("Erf", In(x))) })},
	{Op: "torch.square", Lower: func(c *Call) {
		out := c.OutDType(0)
		x := c.Cast(c.Tensor("input"), workType(out))
		c.Return(c.Cast(c.mul(x, x), out))
	}},
	{Op: "torch.sinc", Lower: ofFirst(func(c *Call, x V) V { // x·π may be more than the largest number of 16 bits
		return c.Cast(c.sinOver(c.times(c.Cast(x, wideType(x.DType)), math.Pi)), x.DType)
	})},
	{Op: "torch.special.spherical_bessel_j0", Lower: ofFirst((*Call).sinOver)},
	{Op: "torch.deg2rad", Lower: ofFirst(func(c *Call, x V) V { return c.times(x, math.Pi/180) })},
	{Op: "torch.rad2deg", Lower: ofFirst(func(c *Call, x V) V { return c.times(x, 180/math.Pi) })},
	{Op: "torch.special.entr", Lower: ofFirst(func(c *Call, x V) V { // -x·log(x), 0 of 0 and -∞ of what is negative
		y := c.either(c.isZero(x), x, c.neg(c.mul(x, c.Op("Log", In(x)))))
		return c.either(c.negative(x), c.Scalar(x.DType, math.Inf(-1)), y)
	})},
	{Op: "torch.special.ndtr", Lower: ofFirst(func(c *Call, x V) V {
		return c.times(c.plus(c.Op("Erf", In(c.times(x, math.Sqrt2/2))), 1), 0.5)
	})},
	{Op: "torch.logit", Lower: ofFirst(logit)},
	{Op: "torch.abs", Lower: ofNumber(func(c *Call, x V) V {
		if isUnsigned(c.DType("input")) {
			return x
		}
		return c.abs(x)
	})},
	{Op: "torch.sign torch.sgn", Lower: ofNumber(func(c *Call, x V) V {
		if !isFloat(x.DType) {
			return c.Op("Sign", In(x))
		}
		return c.either(c.Op("IsNaN", In(x)), c.Scalar(x.DType, 0), c.Op("Sign", In(x))) // PyTorch: that of NaN is 0
	})},
	{Op: "torch.ceil", Lower: rounding(func(c *Call, x V) V { return c.Op("Ceil", In(x)) })},
	{Op: "torch.floor", Lower: rounding(func(c *Call, x V) V { return c.Op("Floor", In(x)) })},
	{Op: "torch.trunc", Lower: rounding((*Call).truncate)},
	{Op: "torch.frac", Lower: ofFirst(func(c *Call, x V) V { return c.sub(x, c.truncate(x)) })},
	{Op: "torch.round", Lower: rounding(round)},
	{Op: "torch.nan_to_num", Lower: rounding(nanToNum)},
	{Op: "torch.isnan", Lower: floatTest(false, func(c *Call, x V) V { return c.Op("IsNaN", In(x)) })},
	{Op: "torch.isinf", Lower: floatTest(false, func(c *Call, x V) V { return c.Op("IsInf", In(x)) })},
	{Op: "torch.isposinf", Lower: floatTest(false, func(c *Call, x V) V { return c.Op("IsInf", In(x), onnx.IntAttr("detect_negative", 0)) })},
	{Op: "torch.isneginf", Lower: floatTest(false, func(c *Call, x V) V { return c.Op("IsInf", In(x), onnx.IntAttr("detect_positive", 0)) })},
	{Op: "torch.isfinite", Lower: floatTest(true, func(c *Call, x V) V {
		return c.Op("Not", In(c.Op("Or", In(c.Op("IsNaN", In(x)), c.Op("IsInf", In(x))))))
	})},
	{Op: "torch.isreal", Lower: func(c *Call) {
		if isComplex(c.DType("input")) {
			c.Failf("there are no complex numbers")
		}
		x := c.Tensor("input")
		c.Return(c.likeOf(V{x.Name, onnx.Bool}, 1))
	}},
	{Op: "torch.signbit", Lower: signbit},
	{Op: "torch.angle", Lower: ofFirst(func(c *Call, x V) V {
		y := c.either(c.negative(x), c.Scalar(x.DType, math.Pi), c.Scalar(x.DType, 0))
		return c.either(c.Op("IsNaN", In(x)), x, y)
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

// ofFirst computes f of the first argument in the result's element type.
func ofFirst(f func(c *Call, x V) V) func(c *Call) {
	return func(c *Call) { c.Return(f(c, c.first())) }
}

// ofNumber is ofFirst in the type in which runtimes compute; bools stay.
func ofNumber(f func(c *Call, x V) V) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		x := c.Cast(c.Tensor("input"), workType(out))
		if out == onnx.Bool {
			c.Return(x)
			return
		}
		c.Return(c.Cast(f(c, x), out))
	}
}

// rounding is ofFirst for functions that change only floats.
func rounding(f func(c *Call, x V) V) func(c *Call) {
	return func(c *Call) {
		x := c.first()
		if isFloat(x.DType) {
			x = f(c, x)
		}
		c.Return(x)
	}
}

// floatTest is a test of floats, whose answer for other types is known.
func floatTest(others bool, f func(c *Call, x V) V) func(c *Call) {
	return func(c *Call) {
		x := c.Tensor("input")
		switch {
		case x.DType == onnx.Float16 || x.DType == onnx.BFloat16: // widening keeps infinities and NaNs
			c.Return(f(c, c.Cast(x, onnx.Float)))
		case isFloat(x.DType):
			c.Return(f(c, x))
		case isComplex(x.DType):
			c.Failf("there are no complex numbers")
		default:
			fill := 0.0
			if others {
				fill = 1
			}
			c.Return(c.likeOf(V{x.Name, onnx.Bool}, fill))
		}
	}
}

// log1p is log(1+x). For small x the rounding of 1+x is undone: the quotient
// x / ((1+x)-1) says how much of x was lost.
func (c *Call) log1p(x V) V {
	u := c.plus(x, 1)
	log := c.Op("Log", In(u))
	small := c.over(c.mul(log, x), c.plus(u, -1))
	small = c.either(c.Op("Equal", In(u, c.Scalar(x.DType, 1))), x, small)
	return c.either(c.Op("Greater", In(x, c.Scalar(x.DType, 0.5))), log, small)
}

// sinOver is sin(x)/x, 1 at 0.
func (c *Call) sinOver(x V) V {
	return c.either(c.isZero(x), c.Scalar(x.DType, 1), c.over(c.Op("Sin", In(x)), x))
}

// logit is log(x/(1-x)) of x limited to eps … 1-eps.
func logit(c *Call, x V) V {
	if c.Has("eps") {
		eps := c.Float("eps")
		x = c.clip(x, eps, 1-eps)
	}
	return c.Op("Log", In(c.over(x, c.oneMinus(x))))
}

// round goes to the nearest, and to the even of two; with decimals of the value
// times a power of ten.
func round(c *Call, x V) V {
	n := c.IntOr("decimals", 0)
	if n == 0 {
		return c.Op("Round", In(x))
	}
	ten := c.Scalar(x.DType, math.Pow10(int(max(n, -n))))
	if n > 0 {
		return c.over(c.Op("Round", In(c.mul(x, ten))), ten)
	}
	return c.mul(c.Op("Round", In(c.over(x, ten))), ten)
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

func nanToNum(c *Call, x V) V {
	value := func(name string, def float64) V {
		if c.Has(name) {
			return c.Number(name, x.DType)
		}
		return c.Scalar(x.DType, def)
	}
	inf := func(y V, sign float64) V { return c.Op("Equal", In(y, c.Scalar(x.DType, math.Inf(int(sign))))) }
	y := c.either(c.Op("IsNaN", In(x)), value("nan", 0), x)
	y = c.either(inf(x, 1), value("posinf", largest(x.DType)), y)
	return c.either(inf(x, -1), value("neginf", -largest(x.DType)), y)
}

// signbit is true of -0 too, whose reciprocal is -∞.
func signbit(c *Call) {
	x := c.Tensor("input")
	switch {
	case x.DType == onnx.Bool || isUnsigned(x.DType):
		c.Return(c.likeOf(V{x.Name, onnx.Bool}, 0))
	case isFloat(x.DType):
		minusZero := c.Op("And", In(c.isZero(x), c.negative(c.Op("Reciprocal", In(x)))))
		c.Return(c.Op("Or", In(c.negative(x), minusZero)))
	default:
		c.Return(c.negative(c.Cast(x, workType(x.DType))))
	}
}

// shift moves bits. ONNX shifts unsigned integers: to the left is a product with a
// shifted 1; to the right the complement of a negative number is shifted.
func shift(left, reverse bool) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		x, n := c.Operand("input", onnx.Int64), c.Operand("other", onnx.Int64)
		if isFloat(out) {
			c.Failf("floats have no bits to shift")
		}
		if reverse {
			x, n = n, x
		}
		bits := c.Cast(n, onnx.Uint64)
		if left {
			one := c.Op("BitShift", In(c.Scalar(onnx.Uint64, 1), bits), onnx.StringAttr("direction", "LEFT"))
			c.Return(c.Cast(c.mul(x, c.Cast(one, onnx.Int64)), out))
			return
		}
		under := c.negative(x)
		y := c.Cast(c.either(under, c.minus(-1, x), x), onnx.Uint64)
		y = c.Cast(c.Op("BitShift", In(y, bits), onnx.StringAttr("direction", "RIGHT")), onnx.Int64)
		c.Return(c.Cast(c.either(under, c.minus(-1, y), y), out))
	}
}

// renorm scales down the slices along dim whose p-norm is more than maxnorm.
func renorm(c *Call) {
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
	scale := c.over(limit, c.plus(norm, 1e-7))
	c.Return(c.mul(x, c.either(c.Op("Greater", In(norm, limit)), scale, c.Scalar(x.DType, 1))))
}
