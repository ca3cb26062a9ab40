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
	{Op: "torch.lgamma", Lower: inDouble((*Emitter).lgamma)},
	{Op: "torch.mvlgamma", Lower: func(c *Call) { // sum over j < p of lgamma(x - j/2), and p(p-1)/4·log(π)
		p := c.Int("p")
		inDouble(func(e *Emitter, x V) V {
			sum := e.Scalar(x.DType, float64(p*(p-1))/4*math.Log(math.Pi))
			for j := range p {
				sum = e.add(sum, e.lgamma(e.plus(x, -float64(j)/2)))
			}
			return sum
		})(c)
	}},
	{Op: "torch.digamma", Lower: inDouble((*Emitter).digamma)},
	{Op: "torch.polygamma torch.Tensor.polygamma", Lower: func(c *Call) {
		e := c.emit
		x := e.Cast(c.Tensor("input"), onnx.Double)
		switch c.Int("n") {
		case 0:
			x = e.digamma(x)
		case 1:
			x = e.trigamma(x)
		default:
			failf("only the first two polygamma functions have a form")
		}
		c.Return(e.Cast(x, c.OutDType(0)))
	}},
	{Op: "torch.igamma torch.igammac torch.special.zeta", None: "the number of terms depends on the elements"},
	{Op: "torch.erfinv", Lower: ofFirst(func(e *Emitter, x V) V {
		if isHalf(x.DType) {
			return e.Cast(e.erfinv(e.Cast(x, onnx.Float), false), x.DType)
		}
		return e.erfinv(x, x.DType == onnx.Double)
	})},
	{Op: "torch.special.ndtri", Lower: func(c *Call) { // near 0, 2x-1 has too few bits in binary32
		refined := c.OutDType(0) == onnx.Double
		inDouble(func(e *Emitter, x V) V { return e.times(e.erfinv(e.plus(e.times(x, 2), -1), refined), math.Sqrt2) })(c)
	}},
	{Op: "torch.i0 torch.special.modified_bessel_i0", Lower: inDouble(bessel(0, false))},
	{Op: "torch.special.i0e", Lower: inDouble(bessel(0, true))},
	{Op: "torch.special.i1 torch.special.modified_bessel_i1", Lower: inDouble(bessel(1, false))},
	{Op: "torch.special.i1e", Lower: inDouble(bessel(1, true))},
}

// inDouble computes f of the first argument in binary64.
func inDouble(f func(e *Emitter, x V) V) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		c.Return(e.Cast(f(e, e.Cast(c.Tensor(c.Node.Args[0].Name), onnx.Double)), c.OutDType(0)))
	}
}

// polynomial has its coefficients from the highest power down.
func (e *Emitter) polynomial(x V, coefficients ...float64) V {
	y := e.Scalar(x.DType, coefficients[0])
	for _, a := range coefficients[1:] {
		y = e.plus(e.mul(y, x), a)
	}
	return y
}

// gammaShift is how far an argument below it is moved up, to where the asymptotic
// series of the gamma functions are exact in binary64.
const gammaShift = 10

// shifted are x, moved up if it is small, and whether it is.
func (e *Emitter) shifted(x V) (up, small V) {
	small = e.Op("Less", In(x, e.Scalar(x.DType, gammaShift)))
	return e.either(small, e.plus(x, gammaShift), x), small
}

// mirrored computes f of what is at least 1/2, and of the rest by a reflection at 1/2:
// beyond is the value for x of f(1-x) and of the angle πx, reduced to one period.
func (e *Emitter) mirrored(x V, f func(V) V, beyond func(value, angle V) V) V {
	left := e.Op("Less", In(x, e.Scalar(x.DType, 0.5)))
	value := f(e.either(left, e.oneMinus(x), x))
	angle := e.times(e.sub(x, e.Op("Floor", In(x))), math.Pi)
	return e.either(left, beyond(value, angle), value)
}

// lgamma is Stirling's series for large arguments. Γ(x)·Γ(1-x) is π/sin(πx).
func (e *Emitter) lgamma(x V) V {
	y := e.mirrored(x, func(x V) V {
		up, small := e.shifted(x)
		product := x
		for k := 1.0; k < gammaShift; k++ {
			product = e.mul(product, e.plus(x, k))
		}
		series := e.over(e.polynomial(e.Op("Reciprocal", In(e.mul(up, up))), 1.0/1188, -1.0/1680, 1.0/1260, -1.0/360, 1.0/12), up)
		log := e.Op("Log", In(up))
		y := e.add(e.plus(e.sub(e.mul(e.plus(up, -0.5), log), up), math.Log(2*math.Pi)/2), series)
		return e.sub(y, e.either(small, e.Op("Log", In(product)), e.Scalar(x.DType, 0)))
	}, func(value, angle V) V {
		return e.sub(e.minus(math.Log(math.Pi), e.Op("Log", In(e.abs(e.Op("Sin", In(angle)))))), value)
	})
	return e.either(e.Op("IsInf", In(x)), e.Scalar(x.DType, math.Inf(1)), y)
}

// digamma is the derivative of lgamma. At 0 it is -∞ with the sign turned as the
// zero's is, at other integers below 1 there is none.
func (e *Emitter) digamma(x V) V {
	y := e.mirrored(x, func(x V) V {
		up, small := e.shifted(x)
		sum := e.Op("Reciprocal", In(x))
		for k := 1.0; k < gammaShift; k++ {
			sum = e.add(sum, e.Op("Reciprocal", In(e.plus(x, k))))
		}
		square := e.Op("Reciprocal", In(e.mul(up, up)))
		series := e.mul(square, e.polynomial(square, 1.0/132, -1.0/240, 1.0/252, -1.0/120, 1.0/12))
		y := e.sub(e.sub(e.Op("Log", In(up)), e.over(e.Scalar(x.DType, 0.5), up)), series)
		return e.sub(y, e.either(small, sum, e.Scalar(x.DType, 0)))
	}, func(value, angle V) V {
		return e.sub(value, e.times(e.over(e.Op("Cos", In(angle)), e.Op("Sin", In(angle))), math.Pi))
	})
	nan := e.Scalar(x.DType, math.NaN())
	pole := e.Op("And", In(e.negative(x), e.Op("Equal", In(e.Op("Floor", In(x)), x))))
	y = e.either(pole, nan, y)
	return e.either(e.isZero(x), e.neg(e.Op("Reciprocal", In(x))), y)
}

// trigamma is the derivative of digamma.
func (e *Emitter) trigamma(x V) V {
	return e.mirrored(x, func(x V) V {
		up, small := e.shifted(x)
		inverse := func(x V) V { return e.Op("Reciprocal", In(e.mul(x, x))) }
		sum := inverse(x)
		for k := 1.0; k < gammaShift; k++ {
			sum = e.add(sum, inverse(e.plus(x, k)))
		}
		square, one := inverse(up), e.Op("Reciprocal", In(up))
		series := e.mul(e.mul(square, one), e.polynomial(square, 5.0/66, -1.0/30, 1.0/42, -1.0/30, 1.0/6))
		y := e.add(e.add(one, e.times(square, 0.5)), series)
		return e.add(y, e.either(small, sum, e.Scalar(x.DType, 0)))
	}, func(value, angle V) V {
		root := e.over(e.Scalar(x.DType, math.Pi), e.Op("Sin", In(angle)))
		return e.sub(e.mul(root, root), value)
	})
}

// erfinv is Giles' approximation ("Approximating the erfinv function", 2010), which has the
// precision of binary32; refined it takes two steps of Newton's method.
func (e *Emitter) erfinv(x V, refined bool) V {
	w := e.neg(e.Op("Log", In(e.mul(e.oneMinus(x), e.plus(x, 1)))))
	middle := e.polynomial(e.plus(w, -2.5), 2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
		-0.00125372503, -0.00417768164, 0.246640727, 1.50140941)
	tail := e.polynomial(e.plus(e.sqrt(w), -3), -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
		-0.0076224613, 0.00943887047, 1.00167406, 2.83297682)
	y := e.mul(e.either(e.Op("Less", In(w, e.Scalar(w.DType, 5))), middle, tail), x)
	if refined {
		for range 2 {
			slope := e.times(e.Op("Exp", In(e.neg(e.mul(y, y)))), 2/math.Sqrt(math.Pi))
			y = e.sub(y, e.over(e.sub(e.Op("Erf", In(y)), x), slope))
		}
	}
	end := e.Op("Equal", In(e.abs(x), e.Scalar(x.DType, 1)))
	return e.either(end, e.mul(x, e.Scalar(x.DType, math.Inf(1))), y)
}

// besselEdge is where the power series of the modified Bessel functions gives way
// to the asymptotic one.
const besselEdge = 20

// bessel is the modified Bessel function of the first kind and of order 0 or 1,
// scaled by exp(-|x|) or not.
func bessel(order int, scaled bool) func(e *Emitter, x V) V {
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
	return func(e *Emitter, x V) V {
		size := e.abs(x)
		edge := e.Scalar(x.DType, besselEdge)
		near := e.Op("Min", In(size, edge))
		y := e.polynomial(e.times(e.mul(near, near), 0.25), power...)
		if order == 1 {
			y = e.mul(y, e.times(near, 0.5))
		}
		out := e.Op("Max", In(size, edge))
		z := e.over(e.polynomial(e.Op("Reciprocal", In(out)), far...), e.sqrt(e.times(out, 2*math.Pi)))
		if scaled {
			y = e.mul(y, e.Op("Exp", In(e.neg(near))))
		} else { // in two halves, as the factor alone may overflow
			half := e.Op("Exp", In(e.times(out, 0.5)))
			z = e.mul(e.mul(z, half), half)
		}
		y = e.either(e.Op("Less", In(size, edge)), y, z)
		if order == 1 {
			y = e.mul(y, e.Op("Sign", In(x)))
		}
		return e.either(e.Op("IsNaN", In(x)), x, y)
	}
}
