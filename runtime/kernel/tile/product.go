package tile

// This file holds the record of a matrix product's tile, and the tile in Go.

import "unsafe"

// A Product is one tile: R rows by up to four vectors of columns of C = A·B, where each element
// is one chain over k in ascending order, fused on tiers with fused multiply-add. Pitches are in
// bytes. The assembly knows the offsets of the fields.
type Product struct {
	A     unsafe.Pointer // the first row's first element; row r is at A + r·LDA
	LDA   uintptr
	B     unsafe.Pointer // row k of the panel is at B + k·LDB
	LDB   uintptr
	K     int  // elements of a tap, at least 1
	Taps  *Tap // the chain runs over the elements of the first tap, then of the next one
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
	// Rows, of RunScattered, is where the rows behind the first one are, relative to it, in bytes.
	Rows [MaxRows - 1]uintptr
	// Next, of RunScattered, is what is fetched into the second cache meanwhile: NextStep bytes for each four elements of A,
	// of which a processor without assembly takes no notice. NextStep is Fetched or 0.
	Next     unsafe.Pointer
	NextStep uintptr
}

// Fetched is the bytes that are fetched for each four elements of a row of A.
const Fetched = 128

// A Tap is where the elements of a part of the chain are, relative to A and to B, in bytes.
type Tap struct{ A, B uintptr }

// Flags of a Product.
const (
	Accumulate = 1 // C holds a partial sum to go on from
	Partial    = 2 // the sum goes on: no bias, residual or bounds yet
	far        = 4 // rows of B are so far apart that they are fetched before they are needed; Run sets it
	scattered  = 8 // Rows says where rows of A are; RunScattered sets it, for the form in Go
	// Fetch says that C and Res lie outside of the near caches: their lines are fetched while the sums are made.
	Fetch = 16
)

// farPitch is the distance of rows from which on processors do not foresee the next one: Intel's are said to follow steps
// of up to 2 KiB.
const farPitch = 2 << 10

// MaxRows is the most rows of a tile.
const MaxRows = 6

// noTaps is the list of a plain product: one tap at the beginning.
var noTaps = [1]Tap{}

// PlainTaps are the taps of a plain product.
func PlainTaps() (*Tap, int) { return &noTaps[0], 1 }

func at(p unsafe.Pointer, off uintptr) *float32 { return (*float32)(unsafe.Add(p, off)) }

// productGo computes a tile of any number of rows and columns.
func productGo(p *Product, rows, cols int) {
	taps := unsafe.Slice(p.Taps, p.NTaps)
	var acc [64]float32
	for r := range rows {
		row := uintptr(r) * p.LDA
		if p.Flags&scattered != 0 && r > 0 {
			row = p.Rows[r-1]
		}
		sum := acc[:cols]
		for c := range sum {
			sum[c] = 0
			if p.Flags&Accumulate != 0 {
				sum[c] = *at(p.C, uintptr(r)*p.LDC+4*uintptr(c))
			}
		}
		for _, tap := range taps {
			for k := range uintptr(p.K) {
				a := *at(p.A, row+tap.A+4*k)
				for c, x := range unsafe.Slice(at(p.B, tap.B+k*p.LDB), cols) {
					sum[c] += float32(a * x) // the conversion keeps the compiler from fusing on some processors only
				}
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

// scatteredGo is RunScattered in Go.
func (p *Product) scatteredGo(rows, cols int) {
	lanes := Lanes(Portable)
	p.LDB = uintptr((cols + lanes - 1) / lanes * lanes * 4)
	p.Flags |= scattered
	productGo(p, rows, cols)
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
