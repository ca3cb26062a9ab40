package tile

// This file holds the record of a block of a product in bf16 on the processor's tiles (AMX).

import "unsafe"

// A Block is up to 32 rows of C = A·B of pairs of bf16. The chain of an element runs over the steps, and in each over
// the taps: of its pairs the products of the first elements and those of the second ones are two chains, whose sum is
// added to C's (TDPBF16PS), so that the bits of an element depend on nothing but its row and column. Pitches and
// steps are in bytes. The assembly knows the offsets of the fields.
type Block struct {
	config       [64]byte
	A            unsafe.Pointer // goes on from tap to tap
	LDA, StepA   uintptr
	B            unsafe.Pointer // goes on from step to step
	LDB, StepB   uintptr
	C            unsafe.Pointer // is written, not read
	LDC          uintptr
	Steps        int  // at least 1
	Taps         *Tap // where B is, relative to a step
	NTaps        int  // at least 1
	first, count uintptr
	Pairs        int  // of a tap of a step, 1 to BlockPairs
	Packed       bool // A lies tile behind tile, and is mostly in memory; otherwise B is, line by line
	// Next is what is fetched into the second cache meanwhile where B is in memory and there are two tiles of rows
	// and columns: NextStep bytes with each tap of each pair of tiles of columns, NextFetched or 0.
	Next     unsafe.Pointer
	NextStep uintptr
}

// NextFetched is the bytes of Next that are fetched at a time.
const NextFetched = 512

// BlockRows is the most rows of a Block.
const BlockRows = 32

// FewRows is up to how many rows a Block may have for the sums of four tiles to stand side by side: WideCols columns.
const FewRows, WideCols = 16, 64

// BlockPairs is the most pairs of a tap of a step.
const BlockPairs = 16
