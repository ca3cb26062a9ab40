package tile

// This file holds the record of a matrix product's tile, and the tile in Go.

import "unsafe"

// A Product is one tile: R rows by up to four vectors of columns of C = A·B, where each element
// is one chain over k in ascending order, fused on tiers with fused multiply-add. Pitches are in
// bytes. The assembly knows the offsets of the fields.
type Product struct {
	A     unsafe.Pointer // the first row's first element; row r is at A + r·LDA
	LDA   uintptr
	B     unsafe.Pointer // row k of the panel is at B + k·LDB; rows go on from tap to tap
	LDB   uintptr
	K     int      // elements of a tap, at least 1
	Taps  *uintptr // places of the taps relative to A, in bytes
	NTaps int
	C     unsafe.Pointer
	LDC   uintptr
	// Bias has an element for each column, RowBias for each row, Res is a matrix that is added;
	// nil: none. They are added in this order, and then the result is kept within Lo and Hi.
	Bias, RowBias, Res unsafe.Pointer
	LDR                uintptr
	Lo, Hi             float32
	// Mask is that of the last vector: AVX-512 takes its lowest bits, AVX2 an address.
	Mask  uintptr
	Flags uint64
}

// Flags of a Product.
const (
	Accumulate = 1 // C holds a partial sum to go on from
	Partial    = 2 // the sum goes on: no bias, residual or bounds yet
)

// MaxRows is the most rows of a tile.
const MaxRows = 6

// noTaps is the list of a plain product: one tap at the beginning.
var noTaps = [1]uintptr{}

// PlainTaps are the taps of a plain product.
func PlainTaps() (*uintptr, int) { return &noTaps[0], 1 }

func at(p unsafe.Pointer, off uintptr) *float32 { return (*float32)(unsafe.Add(p, off)) }

// productGo computes a tile of any number of rows and columns.
func productGo(p *Product, rows, cols int) {
	taps := unsafe.Slice(p.Taps, p.NTaps)
	var acc [64]float32
	for r := range rows {
		sum := acc[:cols]
		for c := range sum {
			sum[c] = 0
			if p.Flags&Accumulate != 0 {
				sum[c] = *at(p.C, uintptr(r)*p.LDC+4*uintptr(c))
			}
		}
		row := uintptr(0) // of the panel
		for _, tap := range taps {
			for k := range p.K {
				a := *at(p.A, uintptr(r)*p.LDA+tap+4*uintptr(k))
				line := unsafe.Slice(at(p.B, row), cols)
				for c, x := range line {
					sum[c] += float32(a * x) // the conversion keeps the compiler from fusing on some processors only
				}
				row += p.LDB // an address behind the last row would be none
			}
		}
		for c, s := range sum {
			if p.Flags&Partial == 0 {
				s = p.finish(s, r, c)
			}
			*at(p.C, uintptr(r)*p.LDC+4*uintptr(c)) = s
		}
	}
}

// finish applies the epilogue to one element; NaN passes.
func (p *Product) finish(s float32, r, c int) float32 {
	if p.Bias != nil {
		s += *at(p.Bias, 4*uintptr(c))
	}
	if p.RowBias != nil {
		s += *at(p.RowBias, 4*uintptr(r))
	}
	if p.Res != nil {
		s += *at(p.Res, uintptr(r)*p.LDR+4*uintptr(c))
	}
	if p.Lo > s {
		s = p.Lo
	}
	if p.Hi < s {
		s = p.Hi
	}
	return s
}
