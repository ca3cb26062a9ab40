package tile

// This file rounds to bf16 for products of pairs.

import (
	"math"
	"unsafe"
)

// A Halves is numbers that are rounded to bf16, the nearest one, of two the even one; those below the least normal
// number are zeros. The assembly knows the offsets of the fields.
type Halves struct {
	// X are N numbers of f32, X2 as many: nil where there are none.
	X, X2 unsafe.Pointer
	// Y are the results: those of X, or those of X and X2 in turn.
	Y *uint16
	N int
	// Rows is how many rows of N there are, with pitches in bytes, of Y that of both: 0 is one.
	Rows           int
	PitchX, PitchY uintptr
	mask           uint64
	Narrow         bool // X and X2 are numbers of bf16 already, which are moved alone
}

// Rounded is what Halves makes of a number: its upper half.
func Rounded(x float32) uint16 {
	b := math.Float32bits(x)
	switch {
	case x != x:
		return uint16(b>>16) | 0x40
	case b&0x7f800000 == 0:
		return uint16(b >> 16 & 0x8000)
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}
