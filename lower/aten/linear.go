package aten

// This file lowers matrix products.

import "shapecheck/internal/onnx"

var linearRecords = []Record{
	{Op: "torch.nn.functional.linear", Lower: linear},
	{Op: "torch.matmul torch.mm torch.bmm", Lower: matmul},
}

// linear is x·Wᵀ + b: of a matrix of floats one operator.
func linear(c *Call) {
	out := c.OutDType(0)
	if isFloat(out) && c.Rank("input") == 2 && c.Rank("weight") == 2 {
		c.Return(c.Op("Gemm", In(c.Operand("input", out), c.Operand("weight", out), c.Opt("bias")), onnx.IntAttr("transB", 1)))
		return
	}
	d := workType(out)
	w := c.Operand("weight", d)
	if c.Rank("weight") == 2 {
		w = c.Transpose(w, 1, 0)
	}
	y := c.matMul(c.Operand("input", d), w)
	if c.Has("bias") {
		y = c.add(y, c.Operand("bias", d))
	}
	c.Return(c.Cast(y, out))
}

// matmul multiplies matrices, with batches if there are any.
func matmul(c *Call) { product((*Call).matMul)(c) }
