package aten

// This file lowers matrix products.

var linearRecords = []Record{
	{Op: "torch.nn.functional.linear", Lower: linear},
	{Op: "torch.matmul torch.mm torch.bmm", Lower: matmul},
}

// linear is x·Wᵀ + b.
func linear(c *Call) {
	w := c.Tensor("weight")
	if c.Rank("weight") == 2 {
		w = c.Transpose(w, 1, 0)
	}
	y := c.Op("MatMul", In(c.Tensor("input"), w))
	if c.Has("bias") {
		y = c.Op("Add", In(y, c.Tensor("bias")))
	}
	c.Return(y)
}

// matmul multiplies matrices, with batches if there are any.
func matmul(c *Call) { product((*Call).matMul)(c) }
