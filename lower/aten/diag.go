package aten

// This file lowers triangles and diagonals of matrices.

import (
	"slices"

	"shapecheck/onnx"
)

var diagRecords = []Record{
	{Op: "torch.tril", Lower: func(c *Call) {
		e := c.emit
		x := c.Tensor("self")
		d := x.DType
		if !isFloat(d) && d != onnx.Int64 && d != onnx.Bool { // others have no kernel in some runtimes
			x = e.Cast(x, onnx.Int64)
		}
		if d == onnx.Float16 || d == onnx.BFloat16 {
			x = e.Cast(x, onnx.Float)
		}
		upper := boolAttr("upper", lastName(c.Node.Called) == "triu" || lastName(c.Node.Called) == "triu_")
		c.Return(e.Cast(e.Op("Trilu", In(x, c.number("diagonal", c.Arg("diagonal"), onnx.Int64)), upper), d))
	}},
	{Op: "torch.diagonal torch.linalg.diagonal", Lower: func(c *Call) {
		rank := c.Rank("self")
		c.Return(c.emit.diagonal(c.Tensor("self"), rank, c.Int("offset"), c.Axis("dim1", rank), c.Axis("dim2", rank)))
	}},
	{Op: "torch.diag", Lower: func(c *Call) {
		if x := c.Tensor("self"); c.Rank("self") == 1 {
			c.Return(c.emit.diagEmbed(x, 1, c.Int("diagonal"), 0, 1))
		} else {
			c.Return(c.emit.diagonal(x, 2, c.Int("diagonal"), 0, 1))
		}
	}},
	{Op: "torch.diag_embed", Lower: func(c *Call) {
		rank := c.Rank("self")
		c.Return(c.emit.diagEmbed(c.Tensor("self"), rank, c.Int("offset"), c.Axis("dim1", rank+1), c.Axis("dim2", rank+1)))
	}},
	{Op: "torch.diagflat", Lower: func(c *Call) {
		c.Return(c.emit.diagEmbed(c.emit.flat(c.Tensor("self")), 1, c.Int("offset"), 0, 1))
	}},
	{Op: "torch.Tensor.fill_diagonal_", Lower: fillDiagonal},
}

// dimSize is the size of a dimension of x, as a scalar.
func (e *Emitter) dimSize(x V, axis int64) V {
	return e.scalar0(e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1)))
}

// diagonal takes the elements whose place in dim2 is offset more than in dim1; they
// become the last dimension.
func (e *Emitter) diagonal(x V, rank int, offset, dim1, dim2 int64) V {
	var perm []int64
	for i := range int64(rank) {
		if i != dim1 && i != dim2 {
			perm = append(perm, i)
		}
	}
	x = e.permute(x, append(perm, dim1, dim2))
	rows, cols := e.dimSize(x, int64(rank-2)), e.dimSize(x, int64(rank-1))
	down, right := e.I64Scalar(max(-offset, 0)), e.I64Scalar(max(offset, 0))
	n := e.Op("Min", In(e.Op("Sub", In(rows, down)), e.Op("Sub", In(cols, right))))
	at := e.rangeTo(e.Op("Max", In(n, e.I64Scalar(0))))
	x, flat := e.mergeIndex(x, rank, rank-2, In(e.Op("Add", In(at, down)), e.Op("Add", In(at, right))), false)
	return e.Op("Gather", In(x, flat), onnx.IntAttr("axis", int64(rank-2)))
}

// diagEmbed puts the last dimension of x on the diagonal of matrices whose
// dimensions are dim1 and dim2 of the result.
func (e *Emitter) diagEmbed(x V, rank int, offset, dim1, dim2 int64) V {
	last := int64(rank - 1)
	d := x.DType
	if isComplex(d) {
		failf("there are no complex numbers")
	}
	pad := max(offset, -offset)
	if pad > 0 { // so long as the matrix
		lead := e.Op("Shape", In(x), onnx.IntAttr("start", 0), onnx.IntAttr("end", last))
		if rank == 1 {
			lead = e.I64()
		}
		zeros := e.Op("Expand", In(e.Scalar(d, 0), e.Concat(0, lead, e.I64(pad))))
		x = e.Concat(last, x, zeros)
	}
	i := e.rangeTo(e.dimSize(x, last))
	row, col := e.Unsqueeze(i, 1), e.Unsqueeze(i, 0)
	var v V
	if offset >= 0 {
		v = e.where(e.Op("Equal", In(col, e.Op("Add", In(row, e.I64Scalar(offset))))), e.Unsqueeze(x, last+1), e.Scalar(d, 0))
	} else {
		v = e.where(e.Op("Equal", In(row, e.Op("Add", In(col, e.I64Scalar(-offset))))), e.Unsqueeze(x, last), e.Scalar(d, 0))
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
	return e.permute(v, perm)
}

// fillDiagonal writes where all indices are equal; with wrap again after each
// square of a tall matrix.
func fillDiagonal(c *Call) {
	e := c.emit
	x, rank := c.Tensor("self"), c.Rank("self")
	var mask V
	if rank == 2 && c.Bool("wrap") {
		step := e.Op("Add", In(e.dimSize(x, 1), e.I64Scalar(1)))
		mask = e.Op("Equal", In(e.Op("Mod", In(e.positions(x), step)), e.I64Scalar(0)))
	} else {
		first := V{}
		for k := range rank {
			i := e.rangeTo(e.dimSize(x, int64(k)))
			var axes []int64
			for j := range rank {
				if j != k {
					axes = append(axes, int64(j))
				}
			}
			i = e.Unsqueeze(i, axes...)
			if k == 0 {
				first = i
				continue
			}
			eq := e.Op("Equal", In(first, i))
			if mask.Name != "" {
				eq = e.Op("And", In(mask, eq))
			}
			mask = eq
		}
	}
	c.Return(e.where(mask, c.Number("fill_value", x.DType), x))
}
