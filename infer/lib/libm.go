package lib

// This file computes log, exp and pow rounded as C libraries round them.
//
// CPython takes these functions from the C library, whose results are the
// nearest double in all but a few cases in a thousand million. Go's versions
// are often off by one unit in the last place, which int(), floor and ceil turn
// into another size: int(math.log(1000, 10)) depends on the last bit. So they
// are computed here with 160 bits and rounded once, in 5 to 15 µs. Programs fill tables
// of sines with 10000 ** (2 * i / dim), some 100,000 times.

import (
	"math"
	"math/big"
	"sync"
)

const libmPrec = 160

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(libmPrec).SetFloat64(x) }
func bigNew() *big.Float         { return new(big.Float).SetPrec(libmPrec) }

// bigLn2 gives ln 2 = 2·atanh(1/3), bigLn10 ln 10. Nobody writes to them.
var (
	bigLn2  = sync.OnceValue(func() *big.Float { return bigAtanhSeries(bigNew().Quo(bigOf(1), bigOf(3))) })
	bigLn10 = sync.OnceValue(func() *big.Float { return bigLog(bigOf(10)) })
)

// bigAtanhSeries returns 2·atanh(t) for |t| ≤ 1/3.
func bigAtanhSeries(t *big.Float) *big.Float {
	sum, t2, power := bigNew().Set(t), bigNew().Mul(t, t), bigNew().Set(t)
	term, odd := bigNew(), bigNew()
	for k := int64(3); ; k += 2 {
		power.Mul(power, t2)
		term.Quo(power, odd.SetInt64(k))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-libmPrec {
			return sum.SetMantExp(sum, 1)
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
	sum, term, count := bigOf(1), bigOf(1), bigNew()
	for n := int64(1); ; n++ {
		term.Mul(term, r)
		term.Quo(term, count.SetInt64(n))
		if term.Sign() == 0 || term.MantExp(nil) < -libmPrec {
			break
		}
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, int(k))
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
	return nearest(bigNew().Quo(bigLog(bigOf(x)), bigLn10()))
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
	if n := math.Abs(y); n == math.Trunc(n) && n <= maxMultiplied {
		return nearest(bigPower(bigOf(x), int(y)))
	}
	if r, ok := powers.get(x, y); ok {
		return r
	}
	r := generalPow(x, y)
	powers.put(x, y, r)
	return r
}

// generalPow returns x**y of numbers without a special case.
func generalPow(x, y float64) float64 {
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

// maxMultiplied bounds the powers that are multiplied out: each product is off by 2^-160.
const maxMultiplied = 64

// bigPower returns x^n for 0 < |n| ≤ maxMultiplied.
func bigPower(x *big.Float, n int) *big.Float {
	r := bigOf(1)
	for k := max(n, -n); k > 0; k >>= 1 {
		if k&1 == 1 {
			r.Mul(r, x)
		}
		x.Mul(x, x)
	}
	if n < 0 {
		r.Quo(bigOf(1), r)
	}
	return r
}

// powers are results of cPow: a table of sines has each of its powers once for each row.
var powers powerTable

// A powerTable keeps the last result of each place, which bits of the numbers choose. It is safe
// for concurrent use.
type powerTable struct {
	mu   sync.Mutex
	kept [2048]struct{ x, y, r float64 }
}

func powerPlace(x, y float64) int {
	h := math.Float64bits(x)*0x9E3779B97F4A7C15 ^ math.Float64bits(y)*0xC2B2AE3D27D4EB4F
	return int(h >> 53)
}

func (t *powerTable) get(x, y float64) (float64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := &t.kept[powerPlace(x, y)]
	return k.r, k.x == x && k.y == y // no x is zero here
}

func (t *powerTable) put(x, y, r float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept[powerPlace(x, y)] = struct{ x, y, r float64 }{x, y, r}
}
