package tensor

// This file holds floats of 8 and 4 bits: their values in tables of at most 256 numbers,
// and rounding to the nearest by search in them. Formats: the OCP 8-bit floating point
// specification (E4M3FN, E5M2), its MX specification (E8M0, E2M1) and the FNUZ variants
// with a bias greater by one, one zero and one NaN.

import (
	"math"
	"slices"
	"sync"
)

// A smallFormat describes the bits: sign, exponent, fraction.
type smallFormat struct {
	exp, frac, bias int
	unsigned        bool
	inf             bool // an exponent of ones is ±Inf or NaN, as in IEEE 754
	fn              bool // all ones are NaN, nothing else is special
	uz              bool // the only NaN is minus zero
}

var smallFormats = map[DType]smallFormat{
	Float8E4M3FN:   {exp: 4, frac: 3, bias: 7, fn: true},
	Float8E4M3FNUZ: {exp: 4, frac: 3, bias: 8, uz: true},
	Float8E5M2:     {exp: 5, frac: 2, bias: 15, inf: true},
	Float8E5M2FNUZ: {exp: 5, frac: 2, bias: 16, uz: true},
	Float8E8M0:     {exp: 8, frac: 0, bias: 127, unsigned: true, fn: true},
	Float4E2M1:     {exp: 2, frac: 1, bias: 1},
}

// value decodes the bits of a number of the format. The formats differ in what the all-ones
// exponent and the negative zero mean: infinities and NaN as in IEEE 754, one NaN (fn), or NaN in
// place of -0 (uz).
func (f smallFormat) value(bits int) float64 {
	if f.unsigned { // E8M0: a power of two, without zero
		if bits == 255 {
			return math.NaN()
		}
		return math.Ldexp(1, bits-f.bias)
	}
	n := f.exp + f.frac
	sign, e, m := bits>>n, bits>>f.frac&(1<<f.exp-1), bits&(1<<f.frac-1)
	switch {
	case f.uz && bits == 1<<n:
		return math.NaN()
	case f.fn && bits&(1<<n-1) == 1<<n-1:
		return math.NaN()
	case f.inf && e == 1<<f.exp-1 && m != 0:
		return math.NaN()
	}
	v := 0.0
	switch {
	case f.inf && e == 1<<f.exp-1:
		v = math.Inf(1)
	case e == 0:
		v = math.Ldexp(float64(m), 1-f.bias-f.frac)
	default:
		v = math.Ldexp(float64(1<<f.frac+m), e-f.bias-f.frac)
	}
	if sign != 0 {
		v = math.Copysign(v, -1)
	}
	return v
}

// smallTables holds all values, and the finite ones that are not negative in ascending order.
type smallTable struct {
	values []float64
	up     []float64
	bits   []byte
	nan    byte
}

var smallTables = sync.OnceValue(func() map[DType]*smallTable {
	out := map[DType]*smallTable{}
	for d, f := range smallFormats {
		t := &smallTable{}
		for b := range 1 << d.Bits() {
			v := f.value(b)
			t.values = append(t.values, v)
			if math.IsNaN(v) {
				if t.nan == 0 {
					t.nan = byte(b)
				}
			} else if !math.Signbit(v) && !math.IsInf(v, 0) {
				t.up, t.bits = append(t.up, v), append(t.bits, byte(b))
			}
		}
		out[d] = t
	}
	return out
})

func smallFloats(d DType) []float64 { return smallTables()[d].values }

// toSmall rounds to nearest, ties to the even fraction, and keeps within the largest
// finite number, as ONNX's Cast does with saturate. Types without NaN give it as 0, types
// without zero give the least power of two.
func toSmall(d DType, f float64) byte {
	t := smallTables()[d]
	if math.IsNaN(f) {
		return t.nan
	}
	sign := byte(0)
	if math.Signbit(f) && d != Float8E8M0 {
		sign = 1 << (d.Bits() - 1)
	}
	if d == Float8E8M0 && f < 0 {
		f = 0
	}
	a := math.Abs(f)
	i, exact := slices.BinarySearch(t.up, a)
	switch {
	case exact || i == 0:
	case i == len(t.up):
		i--
	default:
		low, high := a-t.up[i-1], t.up[i]-a
		if low < high || low == high && t.bits[i-1]&1 == 0 {
			i--
		}
	}
	if t.bits[i] == 0 && smallFormats[d].uz {
		return 0
	}
	return t.bits[i] | sign
}

// view is Data for a type that the caller has checked.
func view[T Elem](t *Tensor) []T {
	return sliceOf[T](t.data)
}
