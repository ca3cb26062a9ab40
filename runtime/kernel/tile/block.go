package tile

// This file holds the record of a block of a product in bf16 on the processor's tiles (AMX).

import "unsafe"

// A Block is up to 32 rows by up to 32 columns, or up to 16 rows by 64 columns, of C = A·B of pairs of bf16. The chain of an element runs over
// the steps of the first tap, then over those of the next one: of a step's pairs the products of the first elements and those of the second ones
// are two chains, whose sum is added to C's (TDPBF16PS), so that the bits of an element depend on nothing but its row and column. Pitches
// and steps are in bytes. The assembly knows the offsets of the fields.
type Block struct {
	config     [64]byte
	A          unsafe.Pointer // goes on from step to step and from tap to tap
	LDA, StepA uintptr
	B          unsafe.Pointer // goes on from step to step; where a tap begins it says
	LDB, StepB uintptr
	C          unsafe.Pointer // is written, not read
	LDC        uintptr
	Steps      int  // of a tap, at least 1
	Taps       *Tap // of each B is looked at
	NTaps      int  // at least 1
	Pairs      int  // of a step, 1 to BlockPairs
	Near       bool // B is in the caches: it is not fetched ahead
}

// BlockRows is the most rows of a Block, BlockCols the most columns of one of so many rows.
const BlockRows, BlockCols = 32, 32

// FewRows are the rows up to which a Block may have WideCols columns, with lines of B as wide.
const FewRows, WideCols = 16, 64

// BlockPairs is the most pairs of a step.
const BlockPairs = 16
