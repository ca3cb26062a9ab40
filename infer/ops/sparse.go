package ops

// This file holds what functions do with sparse tensors, by the field Sparse of their
// records. A sparse tensor is a Tensor of its dense sizes whose class tells the layout.
// Only the functions that say so are followed: the rules of all others are those of
// dense tensors, so that their results of sparse ones are not known.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
)

// SparseLayouts are the layouts with a class of their own, which is registered as
// "torch." and the layout.
//
// sparse_hybrid is that of coordinates of values that are tensors themselves, which
// is sparse_coo in PyTorch.
var SparseLayouts = [...]string{"sparse_coo", "sparse_hybrid", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc"}

// Sparse gives the layout of a sparse tensor, or "".
func Sparse(v value.Value) string {
	if t, ok := v.(*value.Tensor); ok && t.Class != nil && t.Class.Module == "torch" {
		for _, l := range SparseLayouts {
			if t.Class.Qualname == l {
				return l
			}
		}
	}
	return ""
}

// Sparse makes t a tensor of a layout.
func (c *Call) Sparse(t *value.Tensor, layout string) value.Value {
	if t == nil {
		return nil
	}
	t.V.Type.Strides = nil
	t.Class = c.Th.Class("torch." + layout)
	if t.Class == nil {
		return c.Lose("sparse tensors are not modelled here")
	}
	return t
}

// looseArgument reports whether a result is known in part with an argument unknown.
func (c *Call) looseArgument(name string) bool {
	return slices.Contains(strings.Fields(c.Op.Loose), name)
}

// A SparseUse tells what a function does with a sparse first argument.
type SparseUse uint8

// What a function does with a sparse argument: it is not known, or the result is
const (
	SparseUnknown SparseUse = iota
	SparseTells             // what its rule says of a dense tensor of the same sizes
	SparseKeeps             // the same layout
	SparseFlips             // the same layout, unless it is compressed along an axis
	SparseToDense           // a dense tensor
	SparseProduct           // a product with a dense matrix or vector, dense
	SparseAdded             // the same with the second argument, added to the first
	SparseOnly              // the same layout, of sparse tensors alone
	SparseLayout            // the layout itself
	SparseIsCOO             // whether it is in coordinates
	SparseIsCSR             // whether it is in compressed rows
)

// sparseResult applies the rule where arguments are sparse; ok is false where none is.
func (c *Call) sparseResult() (v value.Value, ok bool) {
	layout, at, n := "", 0, 0
	for i, a := range c.Args {
		if l := Sparse(a); l != "" {
			if n++; n == 1 {
				layout, at = l, i
			}
			continue
		}
		var elems []value.Value
		switch a := a.(type) {
		case *value.Tuple:
			elems = a.Elems
		case *value.List:
			elems = a.Elems
		}
		for _, e := range elems {
			if Sparse(e) != "" {
				return c.Lose("sparse tensors in a list are not followed"), true
			}
		}
	}
	if n == 0 {
		if c.Op.Sparse == SparseOnly {
			return c.Lose("the tensor is not known to be sparse"), true
		}
		return nil, false
	}
	use, first := c.Op.Sparse, 0
	if use == SparseAdded {
		use, first = SparseProduct, 1
	}
	if c.InPlace && use != SparseTells || at != first || use == SparseUnknown || n > 1 && (use != SparseProduct || first > 0) {
		return c.Lose("sparse tensors are not followed through this function"), true
	}
	x := c.Args[at].(*value.Tensor)
	switch use {
	case SparseTells, SparseToDense:
		return c.Op.Rule(c), true
	case SparseFlips:
		if layout != "sparse_coo" {
			return c.Lose("the layout of the result is not modelled"), true
		}
	case SparseLayout, SparseIsCOO, SparseIsCSR:
		if layout == "sparse_hybrid" {
			layout = "sparse_coo"
		}
		switch use {
		case SparseIsCOO:
			return value.Bool(layout == "sparse_coo"), true
		case SparseIsCSR:
			return value.Bool(layout == "sparse_csr"), true
		}
		return value.Constant{Name: "torch." + layout}, true
	case SparseProduct:
		y, isTensor := c.Args[at+1].(*value.Tensor)
		if !isTensor || layout == "sparse_hybrid" || x.Type().Rank() != 2 || y.Type().Rank() != 2 && (y.Type().Rank() != 1 || n > 1) || n > 1 &&
			(layout != "sparse_coo" || Sparse(y) != layout) {
			return c.Lose("sparse tensors other than matrices are not followed"), true
		}
	}
	v = c.Op.Rule(c)
	if t, isTensor := v.(*value.Tensor); isTensor && c.OK() && (use != SparseProduct || n > 1) {
		if t == x {
			return t, true
		}
		return c.Sparse(t, layout), true
	}
	return v, true
}
