package lib

// This file computes the trigonometric functions as libm.go computes log, exp and pow: with
// many bits, rounded once; and the hyperbolic functions.

import (
	"math"
	"math/big"
	"sync"
)

// bigPi is π with enough bits to reduce the largest double.
var bigPi = sync.OnceValue(func() *big.Float {
	const bits = libmPrec + 1100
	one := new(big.Int).Lsh(big.NewInt(1), bits+16)
	inverse := func(n int64) *big.Int { // atan(1/n), scaled
		sum, power, square := new(big.Int), new(big.Int).Quo(one, big.NewInt(n)), big.NewInt(n*n)
		for k := int64(1); power.Sign() != 0; k += 4 {
			sum.Add(sum, new(big.Int).Quo(power, big.NewInt(k)))
			power.Quo(power, square)
			sum.Sub(sum, new(big.Int).Quo(power, big.NewInt(k+2)))
			power.Quo(power, square)
		}
		return sum
	}
	// Machin: π = 16·atan(1/5) - 4·atan(1/239).
	n := new(big.Int).Lsh(inverse(5), 4)
	n.Sub(n, new(big.Int).Lsh(inverse(239), 2))
	pi := new(big.Float).SetPrec(bits).SetInt(n)
	return pi.SetMantExp(pi, -(bits + 16))
})

// piTo is m/2^halvings of π.
func piTo(halvings int) *big.Float { return bigNew().SetMantExp(bigNew().Set(bigPi()), -halvings) }

// bigReduce returns r and n mod 4 with x = n·π/2 + r and |r| ≤ π/4.
func bigReduce(x float64) (r *big.Float, quadrant int) {
	if math.Abs(x) < math.Pi/4 {
		return bigOf(x), 0
	}
	_, e := math.Frexp(x)
	wide := func() *big.Float { return new(big.Float).SetPrec(uint(libmPrec + max(e, 0))) }
	half := wide().Set(bigPi())
	half.SetMantExp(half, -1)
	v := wide().SetFloat64(x)
	q := wide().Quo(v, half)
	q.Add(q, wide().SetFloat64(math.Copysign(0.5, x)))
	n, _ := q.Int(nil) // towards zero: the nearest integer to x/(π/2)
	v.Sub(v, wide().Mul(wide().SetInt(n), half))
	return bigNew().Set(v), int(new(big.Int).And(n, big.NewInt(3)).Int64())
}

// bigAlternating sums first - first·r²/((k+1)(k+2)) + …: the series of sin with first r
// and k 1, that of cos with first 1 and k 0.
func bigAlternating(first, r *big.Float, k float64) *big.Float {
	sum, term, r2 := bigNew().Set(first), bigNew().Set(first), bigNew().Mul(r, r)
	for ; ; k += 2 {
		term = bigNew().Quo(bigNew().Mul(term, r2), bigOf(-(k+1)*(k+2)))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-libmPrec {
			return sum
		}
		sum.Add(sum, term)
	}
}

// bigSinCos returns sin x and cos x of a finite x.
func bigSinCos(x float64) (sin, cos *big.Float) {
	r, n := bigReduce(x)
	sin, cos = bigAlternating(r, r, 1), bigAlternating(bigOf(1), r, 0)
	if n&1 != 0 {
		sin, cos = cos, bigNew().Neg(sin)
	}
	if n&2 != 0 {
		sin, cos = bigNew().Neg(sin), bigNew().Neg(cos)
	}
	return sin, cos
}

// tiny is where odd functions with slope 1 round to their argument.
const tiny = 1e-10

func cSin(x float64) float64 {
	if math.Abs(x) < tiny || math.IsInf(x, 0) || math.IsNaN(x) {
		return oddTiny(x, math.Sin)
	}
	s, _ := bigSinCos(x)
	return nearest(s)
}

func cCos(x float64) float64 {
	if math.Abs(x) < tiny || math.IsInf(x, 0) || math.IsNaN(x) {
		return math.Cos(x)
	}
	_, c := bigSinCos(x)
	return nearest(c)
}

func cTan(x float64) float64 {
	if math.Abs(x) < tiny || math.IsInf(x, 0) || math.IsNaN(x) {
		return oddTiny(x, math.Tan)
	}
	s, c := bigSinCos(x)
	return nearest(bigNew().Quo(s, c))
}

// oddTiny is x where it is small enough to be its own image, else f(x).
func oddTiny(x float64, f func(float64) float64) float64 {
	if math.Abs(x) < tiny {
		return x
	}
	return f(x)
}

// bigAtan returns atan x for x ≥ 0.
func bigAtan(x *big.Float) *big.Float {
	one := bigOf(1)
	if x.Cmp(one) > 0 {
		return bigNew().Sub(piTo(1), bigAtan(bigNew().Quo(one, x)))
	}
	// atan x = 2·atan(x / (1 + √(1 + x²))), thrice: then x ≤ tan(π/32).
	const halvings = 3
	t := bigNew().Set(x)
	for range halvings {
		root := bigNew().Sqrt(bigNew().Add(one, bigNew().Mul(t, t)))
		t = bigNew().Quo(t, root.Add(root, one))
	}
	sum, power, t2 := bigNew().Set(t), bigNew().Set(t), bigNew().Neg(bigNew().Mul(t, t))
	for k := 3.0; sum.Sign() != 0; k += 2 {
		power = bigNew().Mul(power, t2)
		term := bigNew().Quo(power, bigOf(k))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-libmPrec {
			break
		}
		sum.Add(sum, term)
	}
	return sum.SetMantExp(sum, halvings)
}

func cAtan(x float64) float64 {
	if math.Abs(x) < tiny || math.IsInf(x, 0) || math.IsNaN(x) {
		return oddTiny(x, math.Atan)
	}
	return math.Copysign(nearest(bigAtan(bigOf(math.Abs(x)))), x)
}

func cAtan2(y, x float64) float64 {
	if x == 0 || y == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsNaN(x) || math.IsNaN(y) {
		return math.Atan2(y, x)
	}
	a := bigAtan(bigNew().Quo(bigOf(math.Abs(y)), bigOf(math.Abs(x))))
	if x < 0 {
		a = bigNew().Sub(piTo(0), a)
	}
	return math.Copysign(nearest(a), y)
}

func cAsin(x float64) float64 {
	if math.Abs(x) < tiny || !(math.Abs(x) < 1) {
		return oddTiny(x, math.Asin)
	}
	// asin x = atan(x / √((1 - x)(1 + x)))
	one, v := bigOf(1), bigOf(math.Abs(x))
	root := bigNew().Sqrt(bigNew().Mul(bigNew().Sub(one, v), bigNew().Add(one, v)))
	return math.Copysign(nearest(bigAtan(bigNew().Quo(v, root))), x)
}

func cAcos(x float64) float64 {
	if x == 0 || !(math.Abs(x) < 1) {
		return math.Acos(x)
	}
	// acos x = 2·atan(√((1 - x) / (1 + x)))
	one, v := bigOf(1), bigOf(x)
	a := bigAtan(bigNew().Sqrt(bigNew().Quo(bigNew().Sub(one, v), bigNew().Add(one, v))))
	return nearest(a.SetMantExp(a, 1))
}

// C libraries round the hyperbolic functions several times: their forms in exp and expm1
// are those of fdlibm, from which the common libraries have them.

// beyondExpm1 is where the smaller of e^x and e^-x no longer matters.
const beyondExpm1 = 22

func cSinh(x float64) float64 {
	h, v := math.Copysign(0.5, x), math.Abs(x)
	switch {
	case v < tiny || !(v < 700):
		return oddTiny(x, math.Sinh)
	case v >= beyondExpm1:
		return h * cExp(v)
	}
	t := cExpm1(v)
	if v < 1 {
		return h * (2*t - float64(t*t)/(t+1))
	}
	return h * (t + t/(t+1))
}

func cCosh(x float64) float64 {
	v := math.Abs(x)
	switch {
	case !(v < 700):
		return math.Cosh(x)
	case v < math.Ln2/2:
		t := cExpm1(v)
		w := 1 + t
		return 1 + float64(t*t)/(w+w)
	case v < beyondExpm1:
		t := cExp(v)
		return float64(0.5*t) + 0.5/t
	}
	return 0.5 * cExp(v)
}

func cTanh(x float64) float64 {
	v := math.Abs(x)
	z := 1.0
	switch {
	case v < tiny || math.IsNaN(x):
		return oddTiny(x, math.Tanh)
	case v >= beyondExpm1:
	case v >= 1:
		z = 1 - 2/(cExpm1(2*v)+2)
	default:
		t := cExpm1(-2 * v)
		z = -t / (t + 2)
	}
	return math.Copysign(z, x)
}

// cHypot returns the root of the sum of squares.
func cHypot(xs []float64) float64 {
	sum, nan := new(big.Float).SetPrec(4400), false // the square of any double exactly
	for _, x := range xs {
		if math.IsInf(x, 0) {
			return math.Inf(1)
		}
		if nan = nan || math.IsNaN(x); !nan {
			sum.Add(sum, new(big.Float).SetPrec(4400).Mul(bigOf(x), bigOf(x)))
		}
	}
	if nan {
		return math.NaN()
	}
	return nearest(bigNew().Sqrt(sum))
}
