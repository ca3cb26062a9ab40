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
	e := c.emit
	x, lengths := c.Tensor("input"), c.Tensor("lengths")
	if c.Bool("batch_first") {
		x = e.swapFirst(x, c.Rank("input"))
	}
	longest := e.Reduce("ReduceMax", lengths, false, 0)
	mask := e.less(e.Unsqueeze(e.rangeTo(longest), 1), e.Unsqueeze(lengths, 0))
	c.Return(e.packed(x, mask), e.count(mask, 1))
}

// packing is which sequences each step of a packed sequence has: true where one goes
// on, by step and sequence.
func (c *Call) packing() V {
	e := c.emit
	sizes := c.Tensor("batch_sizes")
	most := e.Squeeze(e.Slice(sizes, 0, 0, 1, 1), 0)
	return e.less(e.Unsqueeze(e.rangeTo(most), 0), e.Unsqueeze(sizes, 1))
}

func (e *Emitter) less(x, y V) V { return e.Op("Less", In(x, y)) }

// count adds up what is true along an axis.
func (e *Emitter) count(mask V, axis int64) V {
	return e.Reduce("ReduceSum", e.Cast(mask, onnx.Int64), false, axis)
}

// swapFirst swaps the first two dimensions.
func (e *Emitter) swapFirst(x V, rank int) V {
	perm := make([]int64, rank)
	for i := range perm {
		perm[i] = int64(i)
	}
	slices.Reverse(perm[:2])
	return e.Transpose(x, perm...)
}

// unpacked gives the steps of a packed sequence with padding, first dimension the
// steps, of which there are so many, second the sequences.
func (e *Emitter) unpacked(data, mask, steps V, padding V) V {
	rest := e.Op("Shape", In(data), onnx.IntAttr("start", 1))
	batch := e.Op("Shape", In(mask), onnx.IntAttr("start", 1))
	empty := e.Op("Expand", In(padding, e.Concat(0, steps, batch, rest)))
	return e.Op("ScatterND", In(empty, e.Transpose(e.Op("NonZero", In(mask)), 1, 0), data))
}

// packed is the inverse of unpacked.
func (e *Emitter) packed(x, mask V) V {
	return e.Op("GatherND", In(x, e.Transpose(e.Op("NonZero", In(mask)), 1, 0)))
}

func padPacked(c *Call) {
	e := c.emit
	data, mask := c.Tensor("data"), c.packing()
	steps := e.Unsqueeze(c.Number("total_length", onnx.Int64), 0)
	out := e.unpacked(data, mask, steps, c.Number("padding_value", data.DType))
	if c.Bool("batch_first") {
		out = e.swapFirst(out, c.OutRank(0))
	}
	c.Return(out, e.count(mask, 0))
}
