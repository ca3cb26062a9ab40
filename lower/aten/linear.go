package aten

// This file lowers matrix products.

import (
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var linearRecords = []Record{
	{Op: "torch.nn.functional.linear", Lower: linear},
	{Op: "torch.matmul torch.mm torch.bmm", Lower: matmul},
}

// linear is x·Wᵀ + b.
func linear(c *Call) {
	out := c.OutDType(0)
	d := workType(out)
	var b V
	if c.Has("bias") {
		b = c.Operand("bias", d)
	}
	y := c.linear(c.Operand("input", d), c.Operand("weight", d), b, c.Rank("input"), c.Rank("weight"), c.OutType(0).Shape)
	c.Return(c.emit.Cast(y, out))
}

// linear is x·wᵀ + b, of a shape whose last dimension is w's first; b may be left out. Floats are
// multiplied by Gemm, which takes w as it is, the rows of x as one matrix: runtimes that fold a Transpose of
// weights hold these twice while they load.
func (c *Call) linear(x, w, b V, rank, wRank int, to symshape.Shape) V {
	e := c.emit
	ins := In(x, w)
	if b.Name != "" {
		ins = append(ins, b)
	}
	switch {
	case rank < 2 || wRank != 2 || !isFloat(x.DType):
		if wRank == 2 {
			w = e.Transpose(w, 1, 0)
		}
		y := e.matMul(x, w)
		if b.Name != "" {
			y = e.add(y, b)
		}
		return y
	case rank == 2:
		return e.Op("Gemm", ins, onnx.IntAttr("transB", 1))
	}
	ins[0] = e.Op("Flatten", In(x), onnx.IntAttr("axis", int64(rank-1)))
	y := e.Op("Gemm", ins, onnx.IntAttr("transB", 1))
	open := 0
	for _, d := range to {
		if _, ok := d.Const(); !ok {
			open++
		}
	}
	if open <= 1 {
		return c.Reshape(y, nil, to)
	}
	return e.ReshapeTo(y, e.Concat(0, e.Op("Shape", In(x), onnx.IntAttr("end", -1)), e.Op("Shape", In(w), onnx.IntAttr("end", 1))))
}

// matmul multiplies matrices, with batches if there are any.
func matmul(c *Call) { product((*Emitter).matMul)(c) }
