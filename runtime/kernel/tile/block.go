package tile

// This file holds the record of a block of a product in bf16 on the processor's tiles (AMX).

import "unsafe"

// A Block is up to 32 rows by 16 or 32 columns, or up to 16 rows by 64 columns, of C = A·B of pairs of bf16: rows of A and lines of B have
// 16·Steps pairs. Of each 16 pairs the products of the first elements and those of the second ones are two chains, whose sum is added to
// C's (TDPBF16PS), so that the bits of an element depend on nothing but its row and column. Pitches are in bytes. The assembly knows the
// offsets of the fields.
type Block struct {
	config [64]byte
	A      unsafe.Pointer
	LDA    uintptr
	B      unsafe.Pointer
	LDB    uintptr
	C      unsafe.Pointer // is written, not read
	LDC    uintptr
	Steps  int // at least 1
}

// BlockRows is the most rows of a Block, BlockCols the most columns of one of so many rows.
const BlockRows, BlockCols = 32, 32

// FewRows are the rows up to which a Block may have WideCols columns, with lines of B as wide.
const FewRows, WideCols = 16, 64

// BlockPairs is the pairs of a step.
const BlockPairs = 16
