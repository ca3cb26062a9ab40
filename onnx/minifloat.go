package onnx

// This file converts floats of eight and fewer bits.

import (
	"math"
	"slices"
	"sync"
)

// A mini is the format of a float type: exponent and mantissa bits below a sign bit.
type mini struct {
	exp, man, bias int
	// inf: the last exponent holds infinities and NaNs, as in IEEE 754.
	inf bool
	// fn: all bits set below the sign is NaN, and there are no infinities.
	fn bool
	// uz: the sign bit alone is NaN: there is no negative zero and no infinity.
	uz bool
}

var minis = map[DType]mini{
	Float8E4M3FN:   {exp: 4, man: 3, bias: 7, fn: true},
	Float8E4M3FNUZ: {exp: 4, man: 3, bias: 8, uz: true},
	Float8E5M2:     {exp: 5, man: 2, bias: 15, inf: true},
	Float8E5M2FNUZ: {exp: 5, man: 2, bias: 16, uz: true},
	Float4E2M1:     {exp: 2, man: 1, bias: 1},
	Float6E2M3:     {exp: 2, man: 3, bias: 1},
	Float6E3M2:     {exp: 3, man: 2, bias: 3},
}

// IsMini reports whether d is a float type of eight bits or fewer.
func (d DType) IsMini() bool { return minis[d] != mini{} || d == Float8E8M0 }

// miniValues are the values of the codes without a sign, in order; those that are
// not finite follow.
var miniValues = sync.OnceValue(func() map[DType][]float64 {
	out := map[DType][]float64{}
	for d, m := range minis {
		list := make([]float64, 1<<(m.exp+m.man))
		for code := range list {
			e, frac := code>>m.man, code&(1<<m.man-1)
			switch {
			case m.fn && code == len(list)-1, m.inf && e == 1<<m.exp-1 && frac != 0:
				list[code] = math.NaN()
			case m.inf && e == 1<<m.exp-1:
				list[code] = math.Inf(1)
			case e == 0:
				list[code] = math.Ldexp(float64(frac), 1-m.bias-m.man)
			default:
				list[code] = math.Ldexp(float64(frac+1<<m.man), e-m.bias-m.man)
			}
		}
		out[d] = list
	}
	return out
})

// FromMini converts the code of a number of a float type of eight bits or fewer.
func FromMini(d DType, code uint8) float64 {
	if d == Float8E8M0 {
		if code == 255 {
			return math.NaN()
		}
		return math.Ldexp(1, int(code)-127)
	}
	m := minis[d]
	sign := uint8(1) << (m.exp + m.man)
	if m.uz && code == sign {
		return math.NaN()
	}
	v := miniValues()[d][code&(sign-1)]
	if code&sign != 0 {
		return -v
	}
	return v
}

// ToMini rounds to the nearest number of a float type of eight bits or fewer, ties to
// even. What is beyond the largest becomes that with saturate, and without an
// infinity or NaN, where the type has one. Float8E8M0 rounds up.
func ToMini(d DType, f float64, saturate bool) uint8 {
	if d == Float8E8M0 {
		return ToPower(f, saturate, "up")
	}
	m := minis[d]
	sign := uint8(1) << (m.exp + m.man)
	list := miniValues()[d]
	last := len(list) - 1 // the largest finite
	for math.IsNaN(list[last]) || math.IsInf(list[last], 0) {
		last--
	}
	nan := sign - 1
	if m.uz {
		nan = sign
	}
	special := m.fn || m.inf || m.uz
	if math.IsNaN(f) {
		if special {
			return nan
		}
		return sign // of types without NaN: negative zero, as ONNX's reference has it
	}
	var neg uint8
	if math.Signbit(f) {
		neg = sign
	}
	f = math.Abs(f)
	half := list[last] + (list[last]-list[last-1])/2
	if f > half || f == half && last&1 == 1 {
		switch {
		case saturate || !special:
			return neg | uint8(last)
		case m.inf:
			return neg | uint8(last+1)
		case m.uz:
			return nan
		}
		return neg | nan
	}
	code, _ := slices.BinarySearch(list[:last], f)
	if code > 0 {
		below, above := f-list[code-1], list[code]-f
		if below < above || below == above && code&1 == 1 {
			code--
		}
	}
	if code == 0 && m.uz {
		return 0
	}
	return neg | uint8(code)
}

// ToPower rounds to a power of two, a Float8E8M0: mode is up, down or nearest (halves
// go up). Numbers beyond the range become the end of it with saturate, else NaN.
func ToPower(f float64, saturate bool, mode string) uint8 {
	beyond := func(code uint8) uint8 {
		if saturate {
			return code
		}
		return 255
	}
	switch {
	case math.IsNaN(f):
		return 255
	case math.IsInf(f, 1):
		return beyond(254)
	case f <= 0:
		return beyond(0)
	}
	frac, e := math.Frexp(f) // f = frac·2^e with frac in [½, 1)
	e--
	if mode == "up" && frac > 0.5 || mode == "nearest" && frac >= 0.75 {
		e++
	}
	switch {
	case e < -127:
		return beyond(0)
	case e > 127:
		return beyond(254)
	}
	return uint8(e + 127)
}
