package tile

// This file holds the tile of products of integers in Go, and says what elements are on each tier.

import "unsafe"

// IntegerTier is the tier that computes products of integers in place of t.
func IntegerTier(t Tier) Tier {
	if t == AVX512 && !hasVNNI {
		return AVX2
	}
	return t
}

// IntegerGroup is how many integers an element of A and B has, on a tier of IntegerTier: pairs of 16 bits, or four of
// 8 bits, those of A without sign and those of B with one.
func IntegerGroup(t Tier) int {
	if t == AVX2 {
		return 2
	}
	return 4
}

// integersGo is RunIntegers in Go.
func (p *Product) integersGo(rows, cols int) {
	lanes := Lanes(Portable)
	w := (cols + lanes - 1) / lanes * lanes
	for r := range rows {
		row := uintptr(0)
		if r > 0 {
			row = p.Rows[r-1]
		}
		sums := unsafe.Slice((*int32)(unsafe.Add(p.C, uintptr(r)*p.LDC)), w)
		if p.Flags&Accumulate == 0 {
			clear(sums)
		}
		for _, tap := range unsafe.Slice(p.Taps, p.NTaps) {
			a := unsafe.Slice((*uint8)(unsafe.Add(p.A, row+tap.A)), 4*p.K)
			b := unsafe.Slice((*int8)(unsafe.Add(p.B, tap.B)), 4*p.K*w)
			for k := range p.K {
				x := a[4*k : 4*k+4]
				line := b[4*k*w : 4*(k+1)*w]
				for c := range sums {
					y := line[4*c : 4*c+4]
					sums[c] += int32(x[0])*int32(y[0]) + int32(x[1])*int32(y[1]) + int32(x[2])*int32(y[2]) + int32(x[3])*int32(y[3])
				}
			}
		}
	}
}
