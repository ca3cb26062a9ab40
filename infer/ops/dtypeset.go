package ops

// This file holds the sets of dtypes that functions accept.

import (
	"strings"

	"shapecheck/symshape/dtype"
)

// A DTypeSet is a set of dtypes that a kernel accepts.
type DTypeSet uint32

// The sets of dtypes by kind: integers and real numbers are without bool.
const (
	RealFloats DTypeSet = 1<<dtype.F16 | 1<<dtype.BF16 | 1<<dtype.F32 | 1<<dtype.F64
	Complexes  DTypeSet = 1<<dtype.C32 | 1<<dtype.C64 | 1<<dtype.C128
	Integers   DTypeSet = 1<<dtype.U8 | 1<<dtype.I8 | 1<<dtype.I16 | 1<<dtype.I32 | 1<<dtype.I64
	Booleans   DTypeSet = 1 << dtype.Bool
	RealNums            = RealFloats | Integers
	Inexact             = RealFloats | Complexes
	Numbers             = RealNums | Complexes
	AnyDType            = Numbers | Booleans | Stored
	// Stored are the dtypes that most functions only move.
	Stored = 1<<dtype.F8E4M3FN | 1<<dtype.F8E5M2 | 1<<dtype.F8E4M3FNUZ | 1<<dtype.F8E5M2FNUZ | 1<<dtype.F8E8M0FNU | 1<<dtype.BC32 | Unsigned
	// Unsigned are the unsigned integers of more than 8 bits.
	Unsigned DTypeSet = 1<<dtype.U16 | 1<<dtype.U32 | 1<<dtype.U64
)

// Has reports whether d is in the set; an unknown dtype may be.
func (s DTypeSet) Has(d dtype.DType) bool { return d == dtype.Unknown || s&(1<<d) != 0 }

// String names the set as in "needs …".
func (s DTypeSet) String() string {
	var parts []string
	for _, k := range [...]struct {
		set  DTypeSet
		name string
	}{{Booleans, "bool"}, {Integers, "integer"}, {RealFloats, "floating-point"}, {Complexes, "complex"}, {Stored, ""}} {
		if k.name == "" {
			s &^= k.set
		} else if s&k.set == k.set {
			parts = append(parts, k.name)
			s &^= k.set
		}
	}
	for _, d := range dtype.All() {
		if s&(1<<d) != 0 {
			parts = append(parts, d.String())
		}
	}
	return strings.Join(parts, " or ")
}
