package tile

// This file makes integers of sums and a scale, computed in float64.

import (
	"math"
	"unsafe"
)

// A Requantizing turns sums x into (x + bias)·factor/scale, rounded to the nearest integer, of two the even one, plus
// zero, within Low and High, in their place. The assembly knows the offsets of the fields.
type Requantizing struct {
	X            unsafe.Pointer // int32
	Pitch        uintptr        // of rows, in bytes
	Rows         int            // at least one
	Cols         int            // of a row, a multiple of the tier's lanes; the assembly has vectors of float64 here
	Bias, Factor unsafe.Pointer // of columns, in float64; nothing but finite numbers, and factors in f32 times f32
	Scale        float64        // finite, and not 0
	most         float64        // bounds what is rounded
	Zero         int32
	Low, High    int32
}

// mostRounded is far outside of all integers of 8 bits.
const mostRounded = 1 << 20

// Nearest is the nearest integer, of two the even one, plus zero, within low and high, which are of 8 bits; of NaN it is 0.
func Nearest(v float64, zero, low, high int32) int32 {
	switch {
	case v != v:
		return 0
	case v < -mostRounded:
		v = -mostRounded
	case v > mostRounded:
		v = mostRounded
	}
	// The last digit of a number so large is that of 1, and its lower half is the integer.
	const large = 3 << 51
	return min(max(int32(uint32(math.Float64bits(v+large)))+zero, low), high)
}

func (p *Requantizing) inGo() {
	bias, factor := unsafe.Slice((*float64)(p.Bias), p.Cols), unsafe.Slice((*float64)(p.Factor), p.Cols)
	for r := range p.Rows {
		for j, x := range unsafe.Slice((*int32)(unsafe.Add(p.X, uintptr(r)*p.Pitch)), p.Cols) {
			*(*int32)(unsafe.Add(p.X, uintptr(r)*p.Pitch+uintptr(4*j))) = Nearest(float64((float64(x)+bias[j])*factor[j])/p.Scale, p.Zero, p.Low,
				p.High)
		}
	}
}
