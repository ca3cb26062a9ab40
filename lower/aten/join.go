package aten

// This file lowers joining and splitting.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var joinRecords = []Record{
	{Op: "torch.block_diag", Lower: blockDiag},
	{Op: "torch._C._nn.pad_sequence", Lower: padSequence},
	{Op: "torch.cat", Lower: func(c *Call) {
		if c.fromSequence(false) {
			return
		}
		list, types := c.promotedList("tensors")
		list = dropEmpty(list, types)
		c.Return(c.emit.Concat(c.Axis("dim", c.OutRank(0)), list...))
	}},
	{Op: "torch.stack", Lower: func(c *Call) {
		if c.fromSequence(true) {
			return
		}
		list, _ := c.promotedList("tensors")
		axis := c.Axis("dim", c.OutRank(0))
		for i := range list {
			list[i] = c.emit.Unsqueeze(list[i], axis)
		}
		c.Return(c.emit.Concat(axis, list...))
	}},
	{Op: "torch.hstack torch.vstack torch.dstack torch.column_stack", Lower: stacked},
	{Op: "torch.split torch.Tensor.split torch.unsafe_split torch.split_with_sizes torch.chunk torch.tensor_split torch.hsplit torch.vsplit torch.dsplit " +
		"torch.Tensor.hsplit torch.Tensor.vsplit torch.Tensor.dsplit", Lower: split},
	{Op: "torch.unbind", Lower: unbind},
}

// fromSequence joins the tensors of a list of unknown length; false when the list
// is known.
func (c *Call) fromSequence(newAxis bool) bool {
	v, ok := c.Arg("tensors").(*graph.Value)
	if !ok || v.Kind != graph.SequenceKind {
		return false
	}
	attrs := []*onnx.Attr{onnx.IntAttr("axis", c.Axis("dim", c.OutRank(0)))}
	if newAxis {
		attrs = append(attrs, onnx.IntAttr("new_axis", 1))
	}
	out := c.emit.Op("ConcatFromSequence", In(c.Value("tensors", v)), attrs...)
	out.DType = c.dtype(v.Type.DType)
	c.Return(c.emit.Cast(out, c.OutDType(0)))
	return true
}

// promotedList returns the tensors of a list in the result's element type. It fails on an empty
// list, which no function of these takes.
func (c *Call) promotedList(name string) ([]V, []*graph.TensorType) {
	list := c.List(name)
	types := make([]*graph.TensorType, len(list))
	for i := range list {
		types[i] = &c.Items(name)[i].(*graph.Value).Type
		list[i] = c.emit.Cast(list[i], c.OutDType(0))
	}
	if len(list) == 0 {
		failf("there is no tensor in the list")
	}
	return list, types
}

// dropEmpty leaves out tensors of shape [0], which cat takes with any others.
func dropEmpty(list []V, types []*graph.TensorType) []V {
	var out []V
	for i, t := range types {
		if t.Rank() == 1 {
			if n, ok := t.Shape[0].Const(); ok && n == 0 {
				continue
			}
		}
		out = append(out, list[i])
	}
	if len(out) == 0 {
		return list[:1]
	}
	return out
}

// stacked lowers the stacking functions of numpy: each input first gets enough
// dimensions. hstack joins along the second axis, except for vectors; vstack along the first,
// dstack along the third.
func stacked(c *Call) {
	e := c.emit
	list, types := c.promotedList("tensors")
	axis := int64(1)
	for i, t := range types {
		rank := t.Rank()
		switch {
		case rank < 0:
			failf("the number of dimensions of an input is not known")
		case c.Node.Op == "torch.hstack" && rank == 0:
			list[i] = e.Unsqueeze(list[i], 0)
		case c.Node.Op == "torch.vstack" && rank == 0, c.Node.Op == "torch.column_stack" && rank == 0:
			list[i] = e.Unsqueeze(list[i], 0, 1)
		case c.Node.Op == "torch.vstack" && rank == 1:
			list[i] = e.Unsqueeze(list[i], 0)
		case c.Node.Op == "torch.column_stack" && rank == 1:
			list[i] = e.Unsqueeze(list[i], 1)
		case c.Node.Op == "torch.dstack" && rank == 0:
			list[i] = e.Unsqueeze(list[i], 0, 1, 2)
		case c.Node.Op == "torch.dstack" && rank == 1:
			list[i] = e.Unsqueeze(list[i], 0, 2)
		case c.Node.Op == "torch.dstack" && rank == 2:
			list[i] = e.Unsqueeze(list[i], 2)
		}
	}
	switch {
	case c.Node.Op == "torch.vstack", c.Node.Op == "torch.hstack" && c.OutRank(0) == 1:
		axis = 0
	case c.Node.Op == "torch.dstack":
		axis = 2
	}
	c.Return(e.Concat(axis, dropEmpty(list, types)...))
}

// blockDiag puts each matrix between zeros for the columns of the others. Numbers and vectors
// count as matrices with one row. Sizes are expressions, so paddings may be symbols.
func blockDiag(c *Call) {
	e := c.emit
	items := c.Spread("tensors")
	out := c.OutDType(0)
	w := workType(out)
	if out == onnx.Bool {
		w = onnx.Int32
	}
	one, zero := c.Pool.ConstDim(1), c.Pool.ConstDim(0)
	cols := make([]symshape.Dim, len(items))
	list := make([]V, len(items))
	for i, o := range items {
		t, ok := o.(*graph.Value)
		if !ok || !t.Type.Ranked {
			failf("the number of dimensions of an argument is not known")
		}
		x := e.Cast(c.Value("tensor", t), w)
		switch s := t.Type.Shape; len(s) {
		case 0:
			list[i], cols[i] = e.Unsqueeze(x, 0, 1), one
		case 1:
			list[i], cols[i] = e.Unsqueeze(x, 0), s[0]
		default:
			list[i], cols[i] = x, s[1]
		}
	}
	before := zero
	for i := range list {
		after := zero
		for _, n := range cols[i+1:] {
			after = c.Pool.DimAdd(after, n)
		}
		pads := []graph.Operand{graph.Dim{Dim: zero}, graph.Dim{Dim: before}, graph.Dim{Dim: zero}, graph.Dim{Dim: after}}
		list[i] = e.Op("Pad", In(list[i], c.Sizes("pads", pads), e.Scalar(w, 0)))
		before = c.Pool.DimAdd(before, cols[i])
	}
	c.Return(e.Cast(e.Concat(0, list...), out))
}

// padSequence gives all sequences the length of the longest and stacks them. The result's shape
// says the longest length.
func padSequence(c *Call) {
	e := c.emit
	list, types := c.promotedList("sequences")
	axis := int64(1)
	if c.Bool("batch_first") {
		axis = 0
	}
	longest := c.OutType(0).Shape[1-axis]
	for i, t := range types {
		if !t.Ranked || t.Shape[0].Expr == nil || longest.Expr == nil {
			failf("the lengths of the sequences are not known")
		}
		pads := slices.Repeat([]graph.Operand{graph.Int(0)}, 2*len(t.Shape))
		pads[len(t.Shape)] = graph.Dim{Dim: c.Pool.DimSub(longest, t.Shape[0])}
		padded := e.Op("Pad", In(list[i], c.Sizes("pads", pads), c.Number("padding_value", list[i].DType)))
		list[i] = e.Unsqueeze(padded, axis)
	}
	c.Return(e.Concat(axis, list...))
}

// split cuts a dimension into the parts whose sizes the results have: the
// dimension is the one where they differ from the input, or the argument. Equal parts need no
// list of sizes; overlapping or empty parts, which tensor_split allows, are slices. It fails
// where the number of parts stands for an unknown one.
func split(c *Call) {
	e := c.emit
	x := c.Tensor(c.Node.Args[0].Name)
	rank := c.Rank(c.Node.Args[0].Name)
	var axis int64
	switch last := lastName(c.Node.Called); {
	case last == "vsplit":
		axis = 0
	case last == "dsplit":
		axis = 2
	case last == "hsplit":
		if axis = 1; rank == 1 {
			axis = 0
		}
	default:
		axis = c.Axis("dim", rank)
	}
	n := len(c.Node.Outputs)
	if n == 1 {
		if whole, d := c.Type("self").Shape[axis], c.OutType(0).Shape[axis]; whole.Expr != d.Expr &&
			(!whole.Known || !d.Known || whole.Val != d.Val) {
			failf(onePiece)
		}
		c.Return(x)
		return
	}
	if at, ok := c.cuts(n); ok && (!slices.IsSorted(at) || at[0] < 0) { // parts may overlap, or be empty
		outs := make([]V, n)
		for i := range outs {
			from, to := int64(0), int64(1)<<62
			if i > 0 {
				from = at[i-1]
			}
			if i < n-1 {
				to = at[i]
			}
			outs[i] = e.Slice(x, axis, from, to, 1)
		}
		c.Return(outs...)
		return
	}
	sizes := make([]graph.Operand, n)
	for i := range sizes {
		d := c.OutType(i).Shape[axis]
		if d.Expr == nil && !d.Known {
			failf("the sizes of the parts are not known")
		}
		sizes[i] = graph.Dim{Dim: d}
	}
	if equalParts(sizes) {
		c.Return(e.splitEven(x, axis, n)...)
		return
	}
	c.Return(e.Ops("Split", n, In(x, c.Sizes("split", sizes)), onnx.IntAttr("axis", axis))...)
}

// cuts are the known indices at which an argument cuts into n parts.
func (c *Call) cuts(n int) ([]int64, bool) {
	for _, a := range c.Node.Args {
		if a.Name != "indices" && a.Name != "indices_or_sections" && a.Name != "tensor_indices_or_sections" {
			continue
		}
		items := operandList(a.Value)
		if len(items) != n-1 {
			return nil, false
		}
		at := make([]int64, len(items))
		for i, o := range items {
			k, ok := ConstInt(o)
			if !ok {
				return nil, false
			}
			at[i] = k
		}
		return at, true
	}
	return nil, false
}

// equalParts reports whether all sizes are one expression that is not zero.
func equalParts(sizes []graph.Operand) bool {
	first := sizes[0].(graph.Dim)
	for _, s := range sizes {
		d := s.(graph.Dim)
		if n, ok := d.Const(); d.Expr != first.Expr || ok && n == 0 || d.Expr == nil {
			return false
		}
	}
	return true
}

// onePiece is what is wrong where a value stands for any of unknown many pieces.
const onePiece = "how many pieces there are is not known, and which one is meant is not shown"

// unbind takes every index of a dimension.
func unbind(c *Call) {
	x := c.Tensor("self")
	axis := c.Axis("dim", c.Rank("self"))
	n := len(c.Node.Outputs)
	outs := []V{x}
	if n > 1 {
		outs = c.emit.splitEven(x, axis, n)
	} else if d := c.Type("self").Shape[axis]; !d.Known || d.Val != 1 {
		failf(onePiece)
	}
	for i := range outs {
		outs[i] = c.emit.Squeeze(outs[i], axis)
	}
	c.Return(outs...)
}

// lastName is the last component of a dotted name.
func lastName(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}
