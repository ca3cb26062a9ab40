package aten

// This file lowers what lists or orders elements: sort, topk, nonzero and
// statistics of order.

import (
	"shapecheck/internal/onnx"
)

var sortRecords = []Record{}

// nonzeroColumns lists the places of what is not zero, one tensor for each
// dimension.
func (c *Call) nonzeroColumns(x V, rank int) []V {
	if rank == 0 {
		x, rank = c.Unsqueeze(x, 0), 1
	}
	return c.trues(c.Cast(x, onnx.Bool), rank)
}
