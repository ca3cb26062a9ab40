package tile

// This file holds the record of what ends sums of a block.

import "unsafe"

// An Ending moves Rows rows of sums, at least one of each, and adds to a row its element of Bias and to each sum that
// of Res, a matrix with the pitch of Y, in this order; nil: none. Then results are kept within Lo and Hi. Pitches are
// in bytes. Y and Res may be the same. The assembly knows the offsets of the fields.
type Ending struct {
	X         unsafe.Pointer
	PitchX    uintptr
	Y         unsafe.Pointer
	PitchY    uintptr
	Rows      int
	Bias, Res unsafe.Pointer
	Lo, Hi    float32
	whole     uintptr // bytes of the vectors before the last one
	mask      uintptr // of the last one
	Columns   bool    // Bias is there and has an element for each column; not where Narrow
	Narrow    bool    // Y and Res are of bf16: results are rounded as Halves does
}
