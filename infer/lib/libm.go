package lib

// This file computes log, exp and pow rounded as C libraries round them.
//
// CPython takes these functions from the C library, whose results are the
// nearest double in all but a few cases in a thousand million. Go's versions
// are often off by one unit in the last place, which int(), floor and ceil turn
// into another size: int(math.log(1000, 10)) depends on the last bit. So they
// are computed here with 160 bits and rounded once. Sizes are computed rarely;
// 20 µs per call do not matter.

import (
	"math"
	"math/big"
)

const libmPrec = 160

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(libmPrec).SetFloat64(x) }
func bigNew() *big.Float         { return new(big.Float).SetPrec(libmPrec) }

// bigLn2 returns ln 2 = 2·atanh(1/3).
func bigLn2() *big.Float {
	return bigAtanhSeries(bigNew().Quo(bigOf(1), bigOf(3)))
}

// bigAtanhSeries returns 2·atanh(t) for |t| ≤ 1/3.
func bigAtanhSeries(t *big.Float) *big.Float {
	sum, t2, power := bigNew().Set(t), bigNew().Mul(t, t), bigNew().Set(t)
	for k := int64(3); ; k += 2 {
		power = bigNew().Mul(power, t2)
		term := bigNew().Quo(power, bigOf(float64(k)))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-libmPrec {
			return bigNew().Mul(sum, bigOf(2))
		}
		sum.Add(sum, term)
	}
}

// bigLog returns ln x for x > 0.
func bigLog(x *big.Float) *big.Float {
	m := bigNew()
	e := x.MantExp(m) // x = m·2^e, m in [0.5, 1)
	if f, _ := m.Float64(); f < math.Sqrt2/2 {
		m.Mul(m, bigOf(2))
		e--
	}
	one := bigOf(1)
	r := bigAtanhSeries(bigNew().Quo(bigNew().Sub(m, one), bigNew().Add(m, one)))
	if m.Cmp(one) == 0 {
		r = bigNew()
	}
	return r.Add(r, bigNew().Mul(bigLn2(), bigOf(float64(e))))
}

// bigExp returns e^x for |x| < 2000.
func bigExp(x *big.Float) *big.Float {
	ln2 := bigLn2()
	q, _ := bigNew().Quo(x, ln2).Float64()
	k := math.Round(q)
	// r = (x - k·ln2) / 2^16, then e^x = (e^r)^(2^16) · 2^k.
	const halvings = 16
	r := bigNew().Sub(x, bigNew().Mul(bigOf(k), ln2))
	r.SetMantExp(r, -halvings)
	sum, term := bigOf(1), bigOf(1)
	for n := 1.0; ; n++ {
		term = bigNew().Quo(bigNew().Mul(term, r), bigOf(n))
		if term.Sign() == 0 || term.MantExp(nil) < -libmPrec {
			break
		}
		sum.Add(sum, term)
	}
	for range halvings {
		sum = bigNew().Mul(sum, sum)
	}
	return bigNew().SetMantExp(sum, int(k))
}

func nearest(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

// cLog returns ln x.
func cLog(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) || x == 1 {
		return math.Log(x)
	}
	return nearest(bigLog(bigOf(x)))
}

// cLog2 returns the binary logarithm.
func cLog2(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log2(x)
	}
	if m, e := math.Frexp(x); m == 0.5 {
		return float64(e - 1)
	}
	return nearest(bigNew().Quo(bigLog(bigOf(x)), bigLn2()))
}

// cLog10 returns the decimal logarithm.
func cLog10(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log10(x)
	}
	return nearest(bigNew().Quo(bigLog(bigOf(x)), bigLog(bigOf(10))))
}

// cLog1p returns ln(1 + x).
func cLog1p(x float64) float64 {
	if !(x > -1) || math.IsInf(x, 1) || math.Abs(x) < 1e-20 {
		return math.Log1p(x)
	}
	return nearest(bigLog(bigNew().Add(bigOf(1), bigOf(x))))
}

// cExp returns e^x.
func cExp(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 1000 || x == 0 {
		return math.Exp(x)
	}
	return nearest(bigExp(bigOf(x)))
}

// cExpm1 returns e^x - 1.
func cExpm1(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 1000 || math.Abs(x) < 1e-20 {
		return math.Expm1(x)
	}
	return nearest(bigNew().Sub(bigExp(bigOf(x)), bigOf(1)))
}

// cPow returns x**y for floats. Special cases are those of C, which Go shares.
func cPow(x, y float64) float64 {
	switch {
	case x == 0 || y == 0 || x == 1 || y == 1 || math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Pow(x, y)
	case x < 0 && y != math.Trunc(y):
		return math.NaN()
	}
	l := bigNew().Mul(bigOf(y), bigLog(bigOf(math.Abs(x))))
	if f := nearest(l); math.Abs(f) > 1000 {
		return math.Pow(x, y) // overflows or vanishes
	}
	r := nearest(bigExp(l))
	if x < 0 && math.Mod(y, 2) != 0 {
		r = -r
	}
	return r
}
