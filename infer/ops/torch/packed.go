package torch

// This file holds what packs, pads and unpacks sequences for recurrent networks
// (aten/src/ATen/native/PackedSequence.cpp). How many steps there are is a matter
// of the lengths' contents.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

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
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s: the input must have at least 2 dimensions, but it is %s", c.Short(), x)
	}
	if len(ls) != 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s: the lengths must have 1 dimension, but they are %s", c.Short(), lengths)
	}
	if d := lengths.Type().DType; d != dtype.Unknown && d != dtype.I64 {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: the lengths must be i64, but they are %s", c.Short(), lengths)
	}
	steps, batch := xs[0], xs[1]
	if first {
		steps, batch = xs[1], xs[0]
	}
	c.Blame(ops.Ref{Tensor: lengths, Axis: 0})
	if _, ok := c.Same(ls[0], batch); !ok {
		return c.Shapef("%s: there are %s lengths for a batch of %s", c.Short(), ls[0], batch)
	}
	c.Blame()
	data := ops.With(xs[1:], 0, symshape.Dim{})
	known, total := lengthsOf(lengths)
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
	if v, ok := ops.DimVal(steps); ok && v < known[0] {
		return c.Shapef("%s: the longest sequence has %d steps but the input %s only %s", c.Short(), known[0], x, steps)
	}
	data[0] = c.Const(total)
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
	return value.NewTuple(c.Out(x.Type().DType, data), out)
}

// lengthsOf returns the contents of a tensor of lengths with their sum, or nil where
// they are not known or the sum is no int64.
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

func padPacked(c *ops.Call) value.Value {
	data, sizes := c.Tensor("data"), c.Tensor("batch_sizes")
	s := c.Shape(data)
	c.Shape(sizes)
	steps, first := c.Dim("total_length"), c.Bool("batch_first")
	if !c.OK() {
		return nil
	}
	if len(s) < 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s: the data must have at least 1 dimension", c.Short())
	}
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
			return c.Errorf("RuntimeError", diag.RankMismatch,
				"%s: all sequences must have the same number of dimensions, at least 1; found %s and %s", c.Short(), list[0], t)
		}
		if i == 0 {
			longest = s[0]
			continue
		}
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
