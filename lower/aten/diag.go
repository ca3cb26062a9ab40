package aten

// This file lowers triangles and diagonals of matrices.

import (
	"slices"

	"shapecheck/onnx"
)

var diagRecords = []Record{
	{Op: "torch.tril", Lower: func(c *Call) {
		x := c.Tensor("self")
		d := x.DType
		if !isFloat(d) && d != onnx.Int64 && d != onnx.Bool { // others have no kernel in some runtimes
			x = c.Cast(x, onnx.Int64)
		}
		if d == onnx.Float16 || d == onnx.BFloat16 {
			x = c.Cast(x, onnx.Float)
		}
		upper := boolAttr("upper", lastName(c.Node.Called) == "triu" || lastName(c.Node.Called) == "triu_")
		c.Return(c.Cast(c.Op("Trilu", In(x, c.number("diagonal", c.Arg("diagonal"), onnx.Int64)), upper), d))
	}},
	{Op: "torch.diagonal torch.linalg.diagonal", Lower: func(c *Call) {
		rank := c.Rank("self")
		c.Return(c.diagonal(c.Tensor("self"), rank, c.Int("offset"), c.Axis("dim1", rank), c.Axis("dim2", rank)))
	}},
	{Op: "torch.diag", Lower: func(c *Call) {
		if x := c.Tensor("self"); c.Rank("self") == 1 {
			c.Return(c.diagEmbed(x, 1, c.Int("diagonal"), 0, 1))
		} else {
			c.Return(c.diagonal(x, 2, c.Int("diagonal"), 0, 1))
		}
	}},
	{Op: "torch.diag_embed", Lower: func(c *Call) {
		rank := c.Rank("self")
		c.Return(c.diagEmbed(c.Tensor("self"), rank, c.Int("offset"), c.Axis("dim1", rank+1), c.Axis("dim2", rank+1)))
	}},
	{Op: "torch.diagflat", Lower: func(c *Call) {
		c.Return(c.diagEmbed(c.flat(c.Tensor("self")), 1, c.Int("offset"), 0, 1))
	}},
	{Op: "torch.Tensor.fill_diagonal_", Lower: fillDiagonal},
}

// dimSize is the size of a dimension of x, as a scalar.
func (c *Call) dimSize(x V, axis int64) V {
	return c.scalar0(c.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1)))
}

// diagonal takes the elements whose place in dim2 is offset more than in dim1; they
// become the last dimension.
func (c *Call) diagonal(x V, rank int, offset, dim1, dim2 int64) V {
	var perm []int64
	for i := range int64(rank) {
		if i != dim1 && i != dim2 {
			perm = append(perm, i)
		}
	}
	x = c.permute(x, append(perm, dim1, dim2))
	rows, cols := c.dimSize(x, int64(rank-2)), c.dimSize(x, int64(rank-1))
	down, right := c.I64Scalar(max(-offset, 0)), c.I64Scalar(max(offset, 0))
	n := c.Op("Min", In(c.Op("Sub", In(rows, down)), c.Op("Sub", In(cols, right))))
	at := c.rangeTo(c.Op("Max", In(n, c.I64Scalar(0))))
	x, flat := c.mergeIndex(x, rank, rank-2, In(c.Op("Add", In(at, down)), c.Op("Add", In(at, right))), false)
	return c.Op("Gather", In(x, flat), onnx.IntAttr("axis", int64(rank-2)))
}

// diagEmbed puts the last dimension of x on the diagonal of matrices whose
// dimensions are dim1 and dim2 of the result.
func (c *Call) diagEmbed(x V, rank int, offset, dim1, dim2 int64) V {
	last := int64(rank - 1)
	d := x.DType
	if isComplex(d) {
		c.Failf("there are no complex numbers")
	}
	pad := max(offset, -offset)
	if pad > 0 { // so long as the matrix
		lead := c.Op("Shape", In(x), onnx.IntAttr("start", 0), onnx.IntAttr("end", last))
		if rank == 1 {
			lead = c.I64()
		}
		zeros := c.Op("Expand", In(c.Scalar(d, 0), c.Concat(0, lead, c.I64(pad))))
		x = c.Concat(last, x, zeros)
	}
	i := c.rangeTo(c.dimSize(x, last))
	row, col := c.Unsqueeze(i, 1), c.Unsqueeze(i, 0)
	var v V
	if offset >= 0 {
		v = c.where(c.Op("Equal", In(col, c.Op("Add", In(row, c.I64Scalar(offset))))), c.Unsqueeze(x, last+1), c.Scalar(d, 0))
	} else {
		v = c.where(c.Op("Equal", In(row, c.Op("Add", In(col, c.I64Scalar(-offset))))), c.Unsqueeze(x, last), c.Scalar(d, 0))
	}
	perm := slices.Repeat([]int64{-1}, rank+1)
	perm[dim1], perm[dim2] = last, last+1
	next := int64(0)
	for k := range perm {
		if perm[k] < 0 {
			perm[k] = next
			next++
		}
	}
	return c.permute(v, perm)
}

// fillDiagonal writes where all indices are equal; with wrap again after each
// square of a tall matrix.
func fillDiagonal(c *Call) {
	x, rank := c.Tensor("self"), c.Rank("self")
	var mask V
	if rank == 2 && c.Bool("wrap") {
		step := c.Op("Add", In(c.dimSize(x, 1), c.I64Scalar(1)))
		mask = c.Op("Equal", In(c.Op("Mod", In(c.positions(x), step)), c.I64Scalar(0)))
	} else {
		first := V{}
		for k := range rank {
			i := c.rangeTo(c.dimSize(x, int64(k)))
			var axes []int64
			for j := range rank {
				if j != k {
					axes = append(axes, int64(j))
				}
			}
			i = c.Unsqueeze(i, axes...)
			if k == 0 {
				first = i
				continue
			}
			eq := c.Op("Equal", In(first, i))
			if mask.Name != "" {
				eq = c.Op("And", In(mask, eq))
			}
			mask = eq
		}
	}
	c.Return(c.where(mask, c.Number("fill_value", x.DType), x))
}
