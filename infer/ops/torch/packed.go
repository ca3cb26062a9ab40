package torch

// This file holds what packs, pads and unpacks sequences for recurrent networks
// (aten/src/ATen/native/PackedSequence.cpp). How many steps there are is a matter
// of the lengths' contents. torch.nn.utils.rnn is Python and runs as such; these are the three
// functions below it. A packed sequence has all first steps, then all second steps, and so on, so a
// batch of lengths 3 and 1 has the batch sizes 2, 1, 1.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The names are those by which torch.nn.utils.rnn calls them.
var packedOps = [...]ops.Op{
	{Names: []string{"torch._VF._pack_padded_sequence", "torch._pack_padded_sequence"},
		Sig:  "(Tensor input, Tensor lengths, bool batch_first)",
		Rule: packPadded, Doc: "the steps of all sequences one after the other, and how many sequences each step has"},
	// batch is ours: the number of sequences, where the caller knows it.
	{Names: []string{"torch._VF._pad_packed_sequence", "torch._pad_packed_sequence"},
		Sig:  "(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int total_length, int? batch=None)",
		Rule: padPacked, Doc: "packed sequences as one padded tensor, and their lengths"},
	{Names: []string{"torch._C._nn.pad_sequence"},
		Sig:  "(Tensor[] sequences, bool batch_first=False, float padding_value=0.0)",
		Rule: padSequence, Form: graph.PadSequence, Doc: "tensors that differ in their first size, stacked and padded to the longest"},
}

// packPadded needs an input of at least two dimensions (steps and batch, exchanged with batch_first) and
// int64 lengths, one for each example, positive, in decreasing order and not above the steps. The results
// are the data with a row for each step of each sequence, and how many sequences reach each step; both
// sizes depend on lengths not known.
func packPadded(c *ops.Call) value.Value {
	x, lengths := c.Tensor("input"), c.Tensor("lengths")
	xs, ls := c.Shape(x), c.Shape(lengths)
	first := c.Bool("batch_first")
	if !c.OK() {
		return nil
	}
	if len(xs) < 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
			"%s: the input must have at least 2 dimensions, but it is %s", c.Short(), x)
	}
	if len(ls) != 1 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
			"%s: the lengths must have 1 dimension, but they are %s", c.Short(), lengths)
	}
	// PyTorch keeps lengths on the CPU as int64.
	if d := lengths.Type().DType; d != dtype.Unknown && d != dtype.I64 {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: the lengths must be i64, but they are %s", c.Short(), lengths)
	}
	// What steps and batch are called from here on is independent of batch_first.
	steps, batch := xs[0], xs[1]
	if first {
		steps, batch = xs[1], xs[0]
	}
	c.Blame(ops.Ref{Tensor: lengths, Axis: 0})
	if _, ok := c.Same(ls[0], batch); !ok {
		return c.Shapef("%s: there are %s lengths for a batch of %s", c.Short(), ls[0], batch)
	}
	c.Blame()
	// The first axis of the data has the steps of all sequences together.
	data := ops.With(xs[1:], 0, symshape.Dim{})
	known, total := lengthsOf(lengths)
	// Of lengths that are not known both sizes are new unknown numbers, which come from the lengths
	// (dataDim).
	if known == nil {
		data[0] = dataDim(c, lengths.V, symshape.Dim{})
		sizes := dataDim(c, lengths.V, symshape.Dim{})
		return value.NewTuple(c.Out(x.Type().DType, data), c.Out(dtype.I64, symshape.Shape{sizes}))
	}
	for i, n := range known {
		switch {
		case n <= 0:
			return c.Errorf("RuntimeError", diag.BadValue, "%s: the length of every sequence must be greater than 0, but one is %d", c.Short(), n)
		case i > 0 && n > known[i-1]:
			return c.Errorf("RuntimeError", diag.BadValue, "%s: the lengths must be sorted in decreasing order", c.Short())
		}
	}
	longest := c.Const(known[0])
	// An input with more steps than the longest sequence is allowed: the rest is padding.
	if v, ok := ops.DimVal(steps); ok && v < known[0] {
		return c.Shapef("%s: the longest sequence has %d steps but the input %s only %s", c.Short(), known[0], x, steps)
	}
	// The number of sequences that reach a step: those whose length is above it. It is computed so
	// that a later pad_packed_sequence knows its batch.
	data[0] = c.Const(total)
	packed := c.Out(x.Type().DType, data) // first: the node's results are in this order
	out := c.Out(dtype.I64, symshape.Shape{longest})
	if known[0] <= value.MaxElems {
		sizes := make([]value.Value, known[0])
		for t := range sizes {
			n := 0
			for _, l := range known {
				if l > int64(t) {
					n++
				}
			}
			sizes[t] = value.Int(n)
		}
		out.SetContents(sizes)
	}
	return value.NewTuple(packed, out)
}

// lengthsOf returns the contents of a tensor of lengths with their sum, or nil where
// they are not known or the sum is no int64. A sum that overflows is taken as not known; PyTorch
// would fail for lack of memory.
func lengthsOf(t *value.Tensor) (list []int64, total int64) {
	elems := t.Contents()
	for _, e := range elems {
		n, ok := e.(value.Int)
		if !ok || n > 0 && total > math.MaxInt64-int64(n) {
			return nil, 0
		}
		list = append(list, int64(n))
		total += int64(n)
	}
	return list, total
}

// padPacked is pad_packed_sequence: total_length by batch by the rest of data, exchanged with
// batch_first, and a vector with the length of each sequence. The caller has checked total_length.
func padPacked(c *ops.Call) value.Value {
	data, sizes := c.Tensor("data"), c.Tensor("batch_sizes")
	s := c.Shape(data)
	c.Shape(sizes)
	steps, first := c.Dim("total_length"), c.Bool("batch_first")
	if !c.OK() {
		return nil
	}
	if len(s) < 1 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "%s: the data must have at least 1 dimension", c.Short())
	}
	// The batch is given, or is the first of the batch sizes: all sequences have a first step.
	var batch symshape.Dim
	if c.Has("batch") {
		batch = c.Dim("batch")
	} else if e := sizes.Contents(); len(e) > 0 {
		batch, _ = value.AsDim(c.P, e[0])
	} else {
		batch = dataDim(c, sizes.V, symshape.Dim{})
	}
	out := symshape.Shape{steps, batch}
	if first {
		out = symshape.Shape{batch, steps}
	}
	out = append(out, s[1:]...)
	return value.NewTuple(c.Out(data.Type().DType, out), c.Out(dtype.I64, symshape.Shape{batch}))
}

// padSequence needs at least one tensor, all of one rank of at least 1, that agree in all sizes but
// the first. The result is longest by number by the rest, exchanged with batch_first, in the dtype
// of the first tensor. It is torch.nn.utils.rnn.pad_sequence.
func padSequence(c *ops.Call) value.Value {
	list := c.Tensors("sequences")
	if !c.OK() {
		return nil
	}
	if len(list) == 0 {
		return c.Errorf("RuntimeError", diag.BadCall, "%s: received an empty list of sequences", c.Short())
	}
	first := c.Shape(list[0])
	var longest symshape.Dim
	for i, t := range list {
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		if len(s) < 1 || len(s) != len(first) {
			return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
				"%s: all sequences must have the same number of dimensions, at least 1; found %s and %s", c.Short(), list[0], t)
		}
		if i == 0 {
			longest = s[0]
			continue
		}
		// The longest of symbolic sizes is a maximum, of which no condition is made.
		longest = c.P.DimMax(longest, s[0])
		for k := 1; k < len(s); k++ {
			c.Blame(ops.Ref{Tensor: list[0], Axis: k}, ops.Ref{Tensor: t, Axis: k})
			if _, ok := c.Same(first[k], s[k]); !ok {
				return c.Shapef("%s: the sequences must agree in all sizes but the first; found %s and %s", c.Short(), list[0], t)
			}
		}
		c.Blame()
	}
	out := symshape.Shape{longest, c.Const(int64(len(list)))}
	if c.Bool("batch_first") {
		out[0], out[1] = out[1], out[0]
	}
	return c.Out(list[0].Type().DType, append(out, first[1:]...))
}
