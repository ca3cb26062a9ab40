package ops

// This file holds sparse tensors: how they are made, and what they are used for.
// A sparse tensor is a Tensor of its dense sizes whose class tells the layout. Only
// the functions listed here are followed: the rules of all others are those of
// dense tensors, so that their results of sparse ones are not known.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// SparseLayouts are the layouts with a class of their own, which is registered as
// "torch." and the layout.
//
// sparse_hybrid is that of coordinates of values that are tensors themselves, which
// is sparse_coo in PyTorch.
var SparseLayouts = [...]string{"sparse_coo", "sparse_hybrid", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc"}

const sparseTail = "int[]? size=None, *, ScalarType? dtype=None, Device? device=None, any layout=None, any pin_memory=None, any requires_grad=False, any check_invariants=None)"

var sparseOps = [...]Op{
	{Names: []string{"torch.sparse_coo_tensor"}, Sig: "(*, int[] size, ScalarType? dtype=None, Device? device=None, any requires_grad=False, any check_invariants=None) | (any indices, any values, " + sparseTail +
		" | (int[] size, *, ScalarType? dtype=None, Device? device=None, any requires_grad=False)", Rule: sparseCOO, Loose: "indices values", Doc: "a sparse tensor of coordinates and values"},
	{Names: []string{"torch.sparse_csr_tensor"}, Sig: "(any crow_indices, any col_indices, any values, " + sparseTail, Rule: sparseCompressed("sparse_csr"), Loose: "crow_indices col_indices values", Doc: "a sparse matrix of compressed rows"},
	{Names: []string{"torch.sparse_csc_tensor"}, Sig: "(any ccol_indices, any row_indices, any values, " + sparseTail, Rule: sparseCompressed("sparse_csc"), Loose: "ccol_indices row_indices values", Doc: "a sparse matrix of compressed columns"},
	{Names: []string{"torch.Tensor.to_sparse"}, Sig: "(Tensor input) | (Tensor input, int sparse_dim) | (Tensor input, *, any layout, any blocksize=None, any dense_dim=None)", Rule: toSparse, Doc: "the same numbers, sparse"},
	{Names: []string{"torch.Tensor.to_sparse_csr"}, Sig: "(Tensor input, any dense_dim=None)", Rule: toSparse, Variant: toCSR, Doc: "the same matrix, of compressed rows"},
	{Names: []string{"torch.Tensor.to_dense"}, Sig: "(Tensor input, ScalarType? dtype=None)", Rule: func(c *Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		return c.cast(t, c.DType("dtype", t.Type().DType), "", false)
	}, Sparse: sparseToDense, Doc: "the same numbers, none left out"},
	{Names: []string{"torch.Tensor.coalesce"}, Sig: "(Tensor input)", Rule: func(c *Call) value.Value {
		if t := c.Tensor("input"); t != nil {
			return c.OutType(*t.Type())
		}
		return nil
	}, Sparse: sparseOnly, Doc: "each coordinate once"},
	{Names: []string{"torch.sparse.mm"}, Sig: "(Tensor self, Tensor mat2)", Rule: mmRule("self", "mat2", 2),
		Quirks: OneDevice, Sparse: sparseProduct, Axes: "self: rows columns; input: rows columns; mat2: rows columns", Doc: "product of a sparse or dense matrix and a matrix"},
	{Names: []string{"torch.sparse.addmm"}, Sig: "(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)", Rule: addmmRule("mat1", "mat2", 2, false),
		Quirks: OneDevice, Sparse: sparseAdded, Doc: "beta·self + alpha·(mat1 @ mat2) of a sparse mat1"},
}

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

// sparse makes t a tensor of a layout.
func (c *Call) sparse(t *value.Tensor, layout string) value.Value {
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

// valuesType is the dtype of given values, of which nothing may be known.
func (c *Call) valuesType() dtype.DType {
	switch v := value.Plain(c.Value("values")).(type) {
	case *value.Tensor:
		return v.Type().DType
	case *value.List, *value.Tuple, value.Int, value.Float:
		if firstUnknown(v, 2) == nil {
			if lit := c.read(v, 0); c.OK() && lit.kind != dtype.Unknown {
				return lit.kind
			}
		}
	}
	return dtype.Unknown
}

func sparseCOO(c *Call) value.Value {
	if !c.HasParam("values") {
		return c.sparse(c.made(c.DefaultDType(), c.size()), "sparse_coo")
	}
	ty := graph.TensorType{DType: c.valuesType()}
	idx, _ := c.Value("indices").(*value.Tensor)
	vals, _ := c.Value("values").(*value.Tensor)
	axes := -1
	if idx != nil && idx.Type().Rank() == 2 {
		if n, ok := DimVal(idx.Type().Shape[0]); ok && n < 32 {
			axes = int(n)
		}
	}
	layout := "sparse_coo"
	switch {
	case c.Has("size"):
		ty.Ranked, ty.Shape = true, c.size()
		if axes >= 0 && axes != len(ty.Shape) {
			layout = "sparse_hybrid"
		}
	case vals != nil && vals.Type().Rank() > 1:
		layout = "sparse_hybrid"
		if axes >= 0 {
			ty.Ranked, ty.Shape = true, append(make(symshape.Shape, axes), vals.Type().Shape[1:]...)
		}
	case axes >= 0:
		ty.Ranked, ty.Shape = true, make(symshape.Shape, axes)
	}
	if vals != nil {
		ty.Device = vals.Type().Device
	}
	return c.sparse(c.madeType(ty), layout)
}

func sparseCompressed(layout string) func(*Call) value.Value {
	return func(c *Call) value.Value {
		ty := graph.TensorType{DType: c.valuesType(), Ranked: true, Shape: make(symshape.Shape, 2)}
		if c.Has("size") {
			ty.Shape = c.size()
		}
		if vals, ok := c.Value("values").(*value.Tensor); ok {
			ty.Device = vals.Type().Device
		}
		for _, v := range c.args {
			if t, ok := v.(*value.Tensor); ok && t.Type().Rank() != 1 || len(ty.Shape) != 2 {
				return c.Lose("batches of sparse matrices are not modelled")
			}
		}
		return c.sparse(c.madeType(ty), layout)
	}
}

// toCSR makes compressed rows.
const toCSR Variant = "csr"

func toSparse(c *Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	layout, rank := "sparse_coo", t.Type().Rank()
	switch {
	case c.is(toCSR):
		if layout = "sparse_csr"; c.Has("dense_dim") || rank != 2 {
			return c.Lose("sparse tensors other than matrices are not modelled")
		}
	case c.HasParam("layout"):
		return c.Lose("layouts of sparse tensors by name are not modelled")
	case c.HasParam("sparse_dim"):
		n := c.Int("sparse_dim")
		if !c.OK() || rank < 0 {
			return c.Lose("the number of sparse dimensions is not known")
		}
		if n > rank || n < 0 || n == 0 && rank > 0 {
			return c.Errorf("RuntimeError", diag.BadValue, "to_sparse(): %d of the %d dimensions of %s cannot be sparse", n, rank, t)
		}
		if n < rank {
			layout = "sparse_hybrid"
		}
	}
	ty := *t.Type()
	ty.Strides = nil
	return c.sparse(c.OutType(ty), layout)
}

// A SparseUse tells what a function does with a sparse first argument.
type SparseUse uint8

const (
	sparseUnknown SparseUse = iota
	sparseTells             // what its rule says of a dense tensor of the same sizes
	sparseKeeps             // the same layout
	sparseFlips             // the same layout, unless it is compressed along an axis
	sparseToDense           // a dense tensor
	sparseProduct           // a product with a dense matrix or vector, dense
	sparseAdded             // the same with the second argument, added to the first
	sparseOnly              // the same layout, of sparse tensors alone
	sparseLayout            // the layout itself
	sparseIsCOO             // whether it is in coordinates
	sparseIsCSR             // whether it is in compressed rows
)

// sparseResult applies the rule where arguments are sparse; ok is false where none is.
func (c *Call) sparseResult() (v value.Value, ok bool) {
	layout, at, n := "", 0, 0
	for i, a := range c.args {
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
		if c.Op.Sparse == sparseOnly {
			return c.Lose("the tensor is not known to be sparse"), true
		}
		return nil, false
	}
	use, first := c.Op.Sparse, 0
	if use == sparseAdded {
		use, first = sparseProduct, 1
	}
	if c.inout && use != sparseTells || at != first || use == sparseUnknown || n > 1 && (use != sparseProduct || first > 0) {
		return c.Lose("sparse tensors are not followed through this function"), true
	}
	x := c.args[at].(*value.Tensor)
	switch use {
	case sparseTells, sparseToDense:
		return c.Op.Rule(c), true
	case sparseFlips:
		if layout != "sparse_coo" {
			return c.Lose("the layout of the result is not modelled"), true
		}
	case sparseLayout, sparseIsCOO, sparseIsCSR:
		if layout == "sparse_hybrid" {
			layout = "sparse_coo"
		}
		switch use {
		case sparseIsCOO:
			return value.Bool(layout == "sparse_coo"), true
		case sparseIsCSR:
			return value.Bool(layout == "sparse_csr"), true
		}
		return value.Constant{Name: "torch." + layout}, true
	case sparseProduct:
		y, isTensor := c.args[at+1].(*value.Tensor)
		if !isTensor || layout == "sparse_hybrid" || x.Type().Rank() != 2 || y.Type().Rank() != 2 && (y.Type().Rank() != 1 || n > 1) || n > 1 &&
			(layout != "sparse_coo" || Sparse(y) != layout) {
			return c.Lose("sparse tensors other than matrices are not followed"), true
		}
	}
	v = c.Op.Rule(c)
	if t, isTensor := v.(*value.Tensor); isTensor && c.OK() && (use != sparseProduct || n > 1) {
		if t == x {
			return t, true
		}
		return c.sparse(t, layout), true
	}
	return v, true
}
