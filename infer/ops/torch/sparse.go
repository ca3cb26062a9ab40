package torch

// This file holds the functions that make sparse tensors and those that work on them
// alone. What any function does with a sparse tensor is a field of its record: see
// ops.SparseUse. The layout of a result is sparse_coo, sparse_csr, sparse_csc, or sparse_hybrid where the values are tensors themselves. The shape of a sparse
// tensor is that of the dense one.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

const sparseTail = "int[]? size=None, *, ScalarType? dtype=None, Device? device=None, any layout=None, any pin_memory=None, any requires_grad=False, any check_invariants=None)"

var sparseOps = [...]ops.Op{
	{Names: []string{"torch.sparse_coo_tensor"},
		Sig: "(*, int[] size, ScalarType? dtype=None, Device? device=None, any requires_grad=False, any check_invariants=None) | (any indices, any values, " +
			strings.TrimSuffix(sparseTail, ")") + ", any is_coalesced=None) | (int[] size, *, ScalarType? dtype=None, Device? device=None, any requires_grad=False)",
		Rule: sparseCOO, Loose: "indices values", Doc: "a sparse tensor of coordinates and values"},
	{Names: []string{"torch.sparse_csr_tensor"}, Sig: "(any crow_indices, any col_indices, any values, " + sparseTail,
		Rule: sparseCompressed("sparse_csr"), Loose: "crow_indices col_indices values", Doc: "a sparse matrix of compressed rows"},
	{Names: []string{"torch.sparse_csc_tensor"}, Sig: "(any ccol_indices, any row_indices, any values, " + sparseTail,
		Rule: sparseCompressed("sparse_csc"), Loose: "ccol_indices row_indices values", Doc: "a sparse matrix of compressed columns"},
	{Names: []string{"torch.Tensor.to_sparse"},
		Sig:  "(Tensor input) | (Tensor input, int sparse_dim) | (Tensor input, *, any layout, any blocksize=None, any dense_dim=None)",
		Rule: toSparse, Doc: "the same numbers, sparse"},
	{Names: []string{"torch.Tensor.to_sparse_csr"}, Sig: "(Tensor input, any dense_dim=None)", Rule: toSparse, Variant: toCSR,
		Doc: "the same matrix, of compressed rows"},
	{Names: []string{"torch.Tensor.to_dense"}, Sig: "(Tensor input, ScalarType? dtype=None)", Rule: func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil {
			return nil
		}
		return cast(c, t, c.DType("dtype", t.Type().DType), "", ops.Sparse(t) != "") // a dense one is given back
	}, Sparse: ops.SparseToDense, Doc: "the same numbers, none left out"},
	{Names: []string{"torch.Tensor.coalesce"}, Sig: "(Tensor input)", Rule: func(c *ops.Call) value.Value {
		if t := c.Tensor("input"); t != nil {
			return c.OutType(*t.Type())
		}
		return nil
	}, Sparse: ops.SparseOnly, Doc: "each coordinate once"},
	{Names: []string{"torch.sparse.mm"}, Sig: "(Tensor self, Tensor mat2)", Rule: mmRule("self", "mat2", 2),
		Quirks: ops.OneDevice, Sparse: ops.SparseProduct, Axes: "self: rows columns; input: rows columns; mat2: rows columns",
		Doc: "product of a sparse or dense matrix and a matrix"},
	{Names: []string{"torch.sparse.addmm"}, Sig: "(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
		Rule:   addmmRule("mat1", "mat2", 2, false),
		Quirks: ops.OneDevice, Sparse: ops.SparseAdded, Doc: "beta·self + alpha·(mat1 @ mat2) of a sparse mat1"},
}

// valuesType is the dtype of given values, of which nothing may be known. A nested list decides by
// its numbers.
func valuesType(c *ops.Call) dtype.DType {
	switch v := value.Plain(c.Value("values")).(type) {
	case *value.Tensor:
		return v.Type().DType
	case *value.List, *value.Tuple, value.Int, value.Float:
		if ops.FirstUnknown(v, 2) == nil {
			if lit := c.Read(v, 0); c.OK() && lit.Kind != dtype.Unknown {
				return lit.Kind
			}
		}
	}
	return dtype.Unknown
}

// The shape is size, or is found from the indices: [sparse dimensions, number of elements], and the
// dense dimensions of the values, with unknown sparse sizes.
func sparseCOO(c *ops.Call) value.Value {
	if !c.HasParam("values") {
		// An empty tensor of a size.
		return c.Sparse(made(c, c.DefaultDType(), size(c)), "sparse_coo")
	}
	ty := graph.TensorType{DType: valuesType(c)}
	idx, _ := c.Value("indices").(*value.Tensor)
	vals, _ := c.Value("values").(*value.Tensor)
	axes := -1
	if idx != nil && idx.Type().Rank() == 2 {
		if n, ok := ops.DimVal(idx.Type().Shape[0]); ok && n < 32 {
			axes = int(n)
		}
	}
	layout := "sparse_coo"
	switch {
	case c.Has("size"):
		ty.Ranked, ty.Shape = true, size(c)
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
	return c.Sparse(c.MadeType(ty), layout)
}

// A matrix of unknown size unless size is given.
func sparseCompressed(layout string) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		ty := graph.TensorType{DType: valuesType(c), Ranked: true, Shape: make(symshape.Shape, 2)}
		if c.Has("size") {
			ty.Shape = size(c)
		}
		if vals, ok := c.Value("values").(*value.Tensor); ok {
			ty.Device = vals.Type().Device
		}
		for _, v := range c.Args {
			if t, ok := v.(*value.Tensor); ok && t.Type().Rank() != 1 || len(ty.Shape) != 2 {
				return c.Lose("batches of sparse matrices are not modelled")
			}
		}
		return c.Sparse(c.MadeType(ty), layout)
	}
}

// toCSR makes compressed rows.
const toCSR ops.Variant = "csr"

// sparse_dim is how many leading dimensions are sparse.
func toSparse(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	layout, rank := "sparse_coo", t.Type().Rank()
	switch {
	case c.Is(toCSR):
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
	return c.Sparse(c.OutType(ty), layout)
}

// What a function does with a sparse argument: it is not known, or the result is
