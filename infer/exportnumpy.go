package infer

// This file says which sizes NumPy fixes in a graph of Dynamo, which makes operations of torch of its functions.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// numpySizes are functions and methods of NumPy that take sizes for sizes, which a graph leaves open. A size that others take, or
// these but for their shape, is an element of an array, which is fixed.
var numpySizes = []string{"arange", "zeros", "ones", "empty", "full", "eye", "identity", "tri", "indices", "reshape", "broadcast_to", "repeat", "tile", "roll", "pad"}

// takesSizes reports whether a function takes sizes for sizes.
func takesSizes(name string) bool {
	return slices.Contains(numpySizes, name[strings.LastIndexByte(name, '.')+1:])
}

// elements fixes the sizes that a function of NumPy takes for elements.
func (x *exporting) elements(in *Interp, name string, args []value.Value) {
	switch {
	case name == "full" && len(args) > 1:
		args = args[1:2]
	case takesSizes(name) || name == "__getitem__" || name == "__setitem__":
		return
	}
	for _, a := range args {
		for v := range value.Walk(a, value.Deep, value.Sequences) {
			switch v := v.(type) {
			case *value.SymInt:
				x.fixed(in, v)
			case *value.SymFloat:
				for _, s := range v.R.Symbols() {
					x.fixed(in, value.FromDim(symshape.MakeDim(s)))
				}
			}
		}
	}
}
