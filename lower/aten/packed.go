package aten

// This file lowers packed sequences. A packed sequence holds the steps of all
// sequences one after the other: of step t the first batch_sizes[t] sequences, which
// lie longest first. That is the order in which NonZero lists the places of a mask
// over steps and sequences, so that packing is GatherND and unpacking ScatterND.

import (
	"slices"

	"shapecheck/onnx"
)

var packedRecords = []Record{
	{Op: "torch._VF._pack_padded_sequence", Lower: packPadded},
	{Op: "torch._VF._pad_packed_sequence", Lower: padPacked},
}

func packPadded(c *Call) {
	x, lengths := c.Tensor("input"), c.Tensor("lengths")
	if c.Bool("batch_first") {
		x = c.swapFirst(x, c.Rank("input"))
	}
	longest := c.Reduce("ReduceMax", lengths, false, 0)
	mask := c.less(c.Unsqueeze(c.rangeTo(longest), 1), c.Unsqueeze(lengths, 0))
	c.Return(c.packed(x, mask), c.count(mask, 1))
}

// packing is which sequences each step of a packed sequence has: true where one goes
// on, by step and sequence.
func (c *Call) packing() V {
	sizes := c.Tensor("batch_sizes")
	most := c.Squeeze(c.Slice(sizes, 0, 0, 1, 1), 0)
	return c.less(c.Unsqueeze(c.rangeTo(most), 0), c.Unsqueeze(sizes, 1))
}

func (c *Call) less(x, y V) V { return c.Op("Less", In(x, y)) }

// count adds up what is true along an axis.
func (c *Call) count(mask V, axis int64) V {
	return c.Reduce("ReduceSum", c.Cast(mask, onnx.Int64), false, axis)
}

// swapFirst swaps the first two dimensions.
func (c *Call) swapFirst(x V, rank int) V {
	perm := make([]int64, rank)
	for i := range perm {
		perm[i] = int64(i)
	}
	slices.Reverse(perm[:2])
	return c.Transpose(x, perm...)
}

// unpacked gives the steps of a packed sequence with padding, first dimension the
// steps, of which there are so many, second the sequences.
func (c *Call) unpacked(data, mask, steps V, padding V) V {
	rest := c.Op("Shape", In(data), onnx.IntAttr("start", 1))
	batch := c.Op("Shape", In(mask), onnx.IntAttr("start", 1))
	empty := c.Op("Expand", In(padding, c.Concat(0, steps, batch, rest)))
	return c.Op("ScatterND", In(empty, c.Transpose(c.Op("NonZero", In(mask)), 1, 0), data))
}

// packed is the inverse of unpacked.
func (c *Call) packed(x, mask V) V {
	return c.Op("GatherND", In(x, c.Transpose(c.Op("NonZero", In(mask)), 1, 0)))
}

func padPacked(c *Call) {
	data, mask := c.Tensor("data"), c.packing()
	steps := c.Unsqueeze(c.Number("total_length", onnx.Int64), 0)
	out := c.unpacked(data, mask, steps, c.Number("padding_value", data.DType))
	if c.Bool("batch_first") {
		out = c.swapFirst(out, c.OutRank(0))
	}
	c.Return(out, c.count(mask, 0))
}
