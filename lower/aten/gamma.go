package aten

// This file lowers functions that ONNX has no operator for, by series and rational
// approximations: the gamma function and its relatives, the inverse of the error
// function, modified Bessel functions. They are computed in binary64, which leaves
// cancellation and the ends of the series below the rounding of the result; the
// inverse of the error function in the type that it is asked in, as not every
// runtime has Erf in binary64.

import (
	"math"

	"shapecheck/onnx"
)

var gammaRecords = []Record{
	{Op: "torch.lgamma", Lower: inDouble((*Call).lgamma)},
	{Op: "torch.mvlgamma", Lower: inDouble(func(c *Call, x V) V { // sum over j < p of lgamma(x - j/2), and p(p-1)/4·log(π)
		p := c.Int("p")
		sum := c.Scalar(x.DType, float64(p*(p-1))/4*math.Log(math.Pi))
		for j := range p {
			sum = c.add(sum, c.lgamma(c.plus(x, -float64(j)/2)))
		}
		return sum
	})},
	{Op: "torch.digamma", Lower: inDouble((*Call).digamma)},
	{Op: "torch.polygamma torch.Tensor.polygamma", Lower: func(c *Call) {
		f := map[int64]func(*Call, V) V{0: (*Call).digamma, 1: (*Call).trigamma}[c.Int("n")]
		if f == nil {
			c.Failf("only the first two polygamma functions have a form")
		}
		c.Return(c.Cast(f(c, c.Cast(c.Tensor("input"), onnx.Double)), c.OutDType(0)))
	}},
	{Op: "torch.igamma torch.igammac torch.special.zeta", None: "the number of terms depends on the elements"},
	{Op: "torch.erfinv", Lower: ofFirst(func(c *Call, x V) V {
		if isHalf(x.DType) {
			return c.Cast(c.erfinv(c.Cast(x, onnx.Float), false), x.DType)
		}
		return c.erfinv(x, x.DType == onnx.Double)
	})},
	{Op: "torch.special.ndtri", Lower: inDouble(func(c *Call, x V) V { // near 0, 2x-1 has too few bits in binary32
		return c.times(c.erfinv(c.plus(c.times(x, 2), -1), c.OutDType(0) == onnx.Double), math.Sqrt2)
	})},
	{Op: "torch.i0 torch.special.modified_bessel_i0", Lower: inDouble(bessel(0, false))},
	{Op: "torch.special.i0e", Lower: inDouble(bessel(0, true))},
	{Op: "torch.special.i1 torch.special.modified_bessel_i1", Lower: inDouble(bessel(1, false))},
	{Op: "torch.special.i1e", Lower: inDouble(bessel(1, true))},
}

// inDouble computes f of the first argument in binary64.
func inDouble(f func(c *Call, x V) V) func(c *Call) {
	return func(c *Call) {
		c.Return(c.Cast(f(c, c.Cast(c.Tensor(c.Node.Args[0].Name), onnx.Double)), c.OutDType(0)))
	}
}

// polynomial has its coefficients from the highest power down.
func (c *Call) polynomial(x V, coefficients ...float64) V {
	y := c.Scalar(x.DType, coefficients[0])
	for _, a := range coefficients[1:] {
		y = c.plus(c.mul(y, x), a)
	}
	return y
}

// gammaShift is how far an argument below it is moved up, to where the asymptotic
// series of the gamma functions are exact in binary64.
const gammaShift = 10

// shifted are x, moved up if it is small, and whether it is.
func (c *Call) shifted(x V) (up, small V) {
	small = c.Op("Less", In(x, c.Scalar(x.DType, gammaShift)))
	return c.either(small, c.plus(x, gammaShift), x), small
}

// mirrored computes f of what is at least 1/2, and of the rest by a reflection at 1/2:
// beyond is the value for x of f(1-x) and of the angle πx, reduced to one period.
func (c *Call) mirrored(x V, f func(V) V, beyond func(value, angle V) V) V {
	left := c.Op("Less", In(x, c.Scalar(x.DType, 0.5)))
	value := f(c.either(left, c.oneMinus(x), x))
	angle := c.times(c.sub(x, c.Op("Floor", In(x))), math.Pi)
	return c.either(left, beyond(value, angle), value)
}

// lgamma is Stirling's series for large arguments. Γ(x)·Γ(1-x) is π/sin(πx).
func (c *Call) lgamma(x V) V {
	y := c.mirrored(x, func(x V) V {
		up, small := c.shifted(x)
		product := x
		for k := 1.0; k < gammaShift; k++ {
			product = c.mul(product, c.plus(x, k))
		}
		series := c.over(c.polynomial(c.Op("Reciprocal", In(c.mul(up, up))), 1.0/1188, -1.0/1680, 1.0/1260, -1.0/360, 1.0/12), up)
		log := c.Op("Log", In(up))
		y := c.add(c.plus(c.sub(c.mul(c.plus(up, -0.5), log), up), math.Log(2*math.Pi)/2), series)
		return c.sub(y, c.either(small, c.Op("Log", In(product)), c.Scalar(x.DType, 0)))
	}, func(value, angle V) V {
		return c.sub(c.minus(math.Log(math.Pi), c.Op("Log", In(c.abs(c.Op("Sin", In(angle)))))), value)
	})
	return c.either(c.Op("IsInf", In(x)), c.Scalar(x.DType, math.Inf(1)), y)
}

// digamma is the derivative of lgamma. At 0 it is -∞ with the sign turned as the
// zero's is, at other integers below 1 there is none.
func (c *Call) digamma(x V) V {
	y := c.mirrored(x, func(x V) V {
		up, small := c.shifted(x)
		sum := c.Op("Reciprocal", In(x))
		for k := 1.0; k < gammaShift; k++ {
			sum = c.add(sum, c.Op("Reciprocal", In(c.plus(x, k))))
		}
		square := c.Op("Reciprocal", In(c.mul(up, up)))
		series := c.mul(square, c.polynomial(square, 1.0/132, -1.0/240, 1.0/252, -1.0/120, 1.0/12))
		y := c.sub(c.sub(c.Op("Log", In(up)), c.over(c.Scalar(x.DType, 0.5), up)), series)
		return c.sub(y, c.either(small, sum, c.Scalar(x.DType, 0)))
	}, func(value, angle V) V {
		return c.sub(value, c.times(c.over(c.Op("Cos", In(angle)), c.Op("Sin", In(angle))), math.Pi))
	})
	nan := c.Scalar(x.DType, math.NaN())
	pole := c.Op("And", In(c.negative(x), c.Op("Equal", In(c.Op("Floor", In(x)), x))))
	y = c.either(pole, nan, y)
	return c.either(c.isZero(x), c.neg(c.Op("Reciprocal", In(x))), y)
}

// trigamma is the derivative of digamma.
func (c *Call) trigamma(x V) V {
	return c.mirrored(x, func(x V) V {
		up, small := c.shifted(x)
		inverse := func(x V) V { return c.Op("Reciprocal", In(c.mul(x, x))) }
		sum := inverse(x)
		for k := 1.0; k < gammaShift; k++ {
			sum = c.add(sum, inverse(c.plus(x, k)))
		}
		square, one := inverse(up), c.Op("Reciprocal", In(up))
		series := c.mul(c.mul(square, one), c.polynomial(square, 5.0/66, -1.0/30, 1.0/42, -1.0/30, 1.0/6))
		y := c.add(c.add(one, c.times(square, 0.5)), series)
		return c.add(y, c.either(small, sum, c.Scalar(x.DType, 0)))
	}, func(value, angle V) V {
		root := c.over(c.Scalar(x.DType, math.Pi), c.Op("Sin", In(angle)))
		return c.sub(c.mul(root, root), value)
	})
}

// erfinv is Giles' approximation ("Approximating the erfinv function", 2010), which has the
// precision of binary32; refined it takes two steps of Newton's method.
func (c *Call) erfinv(x V, refined bool) V {
	w := c.neg(c.Op("Log", In(c.mul(c.oneMinus(x), c.plus(x, 1)))))
	middle := c.polynomial(c.plus(w, -2.5), 2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
		-0.00125372503, -0.00417768164, 0.246640727, 1.50140941)
	tail := c.polynomial(c.plus(c.sqrt(w), -3), -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
		-0.0076224613, 0.00943887047, 1.00167406, 2.83297682)
	y := c.mul(c.either(c.Op("Less", In(w, c.Scalar(w.DType, 5))), middle, tail), x)
	if refined {
		for range 2 {
			slope := c.times(c.Op("Exp", In(c.neg(c.mul(y, y)))), 2/math.Sqrt(math.Pi))
			y = c.sub(y, c.over(c.sub(c.Op("Erf", In(y)), x), slope))
		}
	}
	end := c.Op("Equal", In(c.abs(x), c.Scalar(x.DType, 1)))
	return c.either(end, c.mul(x, c.Scalar(x.DType, math.Inf(1))), y)
}

// besselEdge is where the power series of the modified Bessel functions gives way
// to the asymptotic one.
const besselEdge = 20

// bessel is the modified Bessel function of the first kind and of order 0 or 1,
// scaled by exp(-|x|) or not.
func bessel(order int, scaled bool) func(c *Call, x V) V {
	const terms = 48
	power, far := make([]float64, terms), make([]float64, 20)
	p, q := 1.0, 1.0
	for k := range power { // (x²/4)^k / (k!·(k+order)!)
		power[terms-1-k] = p
		p /= float64((k + 1) * (k + 1 + order))
	}
	for k := range far { // the product over j ≤ k of ((2j-1)² - 4·order²) / (8jx)
		far[len(far)-1-k] = q
		odd := float64(2*k + 1)
		q *= (odd*odd - 4*float64(order*order)) / (8 * float64(k+1))
	}
	return func(c *Call, x V) V {
		size := c.abs(x)
		edge := c.Scalar(x.DType, besselEdge)
		near := c.Op("Min", In(size, edge))
		y := c.polynomial(c.times(c.mul(near, near), 0.25), power...)
		if order == 1 {
			y = c.mul(y, c.times(near, 0.5))
		}
		out := c.Op("Max", In(size, edge))
		z := c.over(c.polynomial(c.Op("Reciprocal", In(out)), far...), c.sqrt(c.times(out, 2*math.Pi)))
		if scaled {
			y = c.mul(y, c.Op("Exp", In(c.neg(near))))
		} else { // in two halves, as the factor alone may overflow
			half := c.Op("Exp", In(c.times(out, 0.5)))
			z = c.mul(c.mul(z, half), half)
		}
		y = c.either(c.Op("Less", In(size, edge)), y, z)
		if order == 1 {
			y = c.mul(y, c.Op("Sign", In(x)))
		}
		return c.either(c.Op("IsNaN", In(x)), x, y)
	}
}
