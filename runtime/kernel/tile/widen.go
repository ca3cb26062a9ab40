package tile

// This file widens f16 and bf16 to f32, which has all their numbers, and rounds back to the nearest number, of two to the even one.

import (
	"math"
	"unsafe"
)

// A Half is a type of floats of two bytes.
type Half uint8

// The types.
const (
	F16 Half = iota
	BF16
)

// A Widening is a call of the assembly, which knows the offsets of the fields.
type Widening struct {
	X, Y    unsafe.Pointer
	Vectors int // of f32, at least one
}

// longestWidening is the most vectors of a call.
const longestWidening = 1 << 12

// Widen writes x in f32 to y.
func (h Half) Widen(t Tier, x []uint16, y []float32) {
	lanes, from := Lanes(t), 0
	for f := h.widener(t, false); f != nil && len(x)-from >= lanes; {
		p := Widening{unsafe.Pointer(&x[from]), unsafe.Pointer(&y[from]), min((len(x)-from)/lanes, longestWidening)}
		f(hidden(&p))
		from += p.Vectors * lanes
	}
	for i := from; i < len(x); i++ {
		y[i] = h.float(x[i])
	}
}

// Narrow writes x, rounded, to y.
func (h Half) Narrow(t Tier, x []float32, y []uint16) {
	lanes, from := Lanes(t), 0
	for f := h.widener(t, true); f != nil && len(x)-from >= lanes; {
		p := Widening{unsafe.Pointer(&x[from]), unsafe.Pointer(&y[from]), min((len(x)-from)/lanes, longestWidening)}
		f(hidden(&p))
		from += p.Vectors * lanes
	}
	for i := from; i < len(x); i++ {
		y[i] = h.rounded(x[i])
	}
}

// float gives a number in f32.
func (h Half) float(x uint16) float32 {
	b := uint32(x)
	if h == BF16 {
		return math.Float32frombits(b << 16)
	}
	sign, rest := b>>15<<31, b&0x7fff
	switch {
	case rest > 0x7c00: // NaN
		return math.Float32frombits(sign | 0x7fc00000 | rest&0x3ff<<13)
	case rest == 0x7c00:
		return math.Float32frombits(sign | 0x7f800000)
	case rest < 0x400: // a multiple of the least number
		return math.Float32frombits(sign | math.Float32bits(float32(rest)*0x1p-24))
	}
	return math.Float32frombits(sign | (rest<<13 + 112<<23))
}

// rounded is the nearest number.
func (h Half) rounded(x float32) uint16 {
	b := math.Float32bits(x)
	if h == BF16 {
		if x != x {
			return uint16(b>>16) | 0x40
		}
		return uint16((b + 0x7fff + b>>16&1) >> 16)
	}
	sign, rest := uint16(b>>31<<15), b&^(1<<31)
	switch {
	case rest > 0x7f800000:
		return sign | 0x7e00 | uint16(rest>>13&0x3ff)
	case rest >= 0x47800000: // 65536
		return sign | 0x7c00
	case rest < 0x38800000: // below the least normal number the last digit of one half more is that of the least number
		return sign | uint16(math.Float32bits(math.Float32frombits(rest)+0.5)-math.Float32bits(0.5))
	}
	return sign | uint16((rest-112<<23+0xfff+rest>>13&1)>>13)
}
