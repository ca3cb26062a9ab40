package aten

// This file lowers Chainer's functions of shapes, joins and indices.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var chainerShapeRecords = []Record{
	{Op: chainerFunctions + "reshape " + chainerFunctions + "flatten " + chainerFunctions + "squeeze " + chainerVariable + "reshape",
		Lower: reshape},
	{Op: chainerFunctions + "transpose " + chainerVariable + "transpose " + chainerVariable + "T.get", Lower: chainerTranspose},
	{Op: chainerFunctions + "get_item", As: "torch.Tensor.__getitem__", Args: "self=x key=slices"},
	{Op: chainerFunctions + "swapaxes", As: "torch.swapaxes", Args: "self=x axis0=axis1 axis1=axis2"},
	{Op: chainerFunctions + "moveaxis", As: "torch.movedim", Args: "self=x source=source destination=destination"},
	{Op: chainerFunctions + "rollaxis", Lower: rollAxis},
	{Op: chainerFunctions + "flip", As: "torch.flip", Args: "self=x dims=axis"},
	{Op: chainerFunctions + "flipud", As: "torch.flipud", Args: "self=a"},
	{Op: chainerFunctions + "fliplr", As: "torch.fliplr", Args: "self=a"},
	{Op: chainerFunctions + "diagonal", As: "torch.diagonal", Args: "self=x offset=offset dim1=axis1 dim2=axis2"},
	{Op: chainerFunctions + "broadcast", As: "torch.broadcast_tensors", Args: "tensors=args"},
	{Op: chainerFunctions + "repeat", Lower: chainerRepeat},
	{Op: chainerFunctions + "hstack", As: "torch.hstack", Args: "tensors=xs"},
	{Op: chainerFunctions + "vstack", As: "torch.vstack", Args: "tensors=xs"},
	{Op: chainerFunctions + "dstack", As: "torch.dstack", Args: "tensors=xs"},
	{Op: chainerFunctions + "split_axis", As: "torch.tensor_split", Args: "self=x indices_or_sections=indices_or_sections dim=axis"},
	{Op: chainerFunctions + "separate", As: "torch.unbind", Args: "self=x dim=axis"},
	{Op: chainerFunctions + "pad_sequence", Lower: adapt(padSequence, "torch._C._nn.pad_sequence", "sequences=xs padding_value=padding",
		flag("batch_first"))},
	{Op: chainerFunctions + "transpose_sequence", Lower: transposeSequence},
	{Op: chainerFunctions + "pad", Lower: chainerPad},
	{Op: chainerFunctions + "depth2space", Lower: func(c *Call) {
		c.Return(c.emit.Op("DepthToSpace", In(c.first()), onnx.IntAttr("blocksize", c.Int("r"))))
	}},
	{Op: chainerFunctions + "space2depth", Lower: func(c *Call) {
		c.Return(c.emit.Op("SpaceToDepth", In(c.first()), onnx.IntAttr("blocksize", c.Int("r"))))
	}},
	{Op: chainerFunctions + "where", Lower: func(c *Call) {
		d := c.OutDType(0)
		c.Return(c.emit.either(c.emit.Cast(c.Tensor("condition"), onnx.Bool), c.Operand("x", d), c.Operand("y", d)))
	}},
	{Op: chainerFunctions + "select_item", Lower: func(c *Call) {
		e := c.emit
		at := e.Unsqueeze(e.Cast(c.Tensor("t"), onnx.Int64), 1)
		c.Return(e.Squeeze(e.Op("GatherElements", In(c.first(), at), onnx.IntAttr("axis", 1)), 1))
	}},
	{Op: chainerFunctions + "permutate", Lower: func(c *Call) {
		e := c.emit
		at := c.Operand("indices", onnx.Int64)
		if c.Bool("inv") { // place i goes where the indices have i
			at = e.scatterElements(at, at, e.rangeTo(e.Op("Size", In(at))), 0, "")
		}
		c.Return(e.Op("Gather", In(c.first(), at), onnx.IntAttr("axis", c.Axis("axis", c.Rank("x")))))
	}},
	{Op: chainerFunctions + "scatter_add", Lower: func(c *Call) {
		x, rank := c.Tensor("a"), c.Rank("a")
		k := c.numpyKey("slices", rank)
		c.Return(c.emit.scatterAt(x, c.pick(c.emit.positions(x), k), c.Operand("b", x.DType), "add"))
	}},
	{Op: chainerFunctions + "embed_id", Lower: embedID},
	{Op: chainerFunctions + "as_strided", None: "the strides are those of memory, which models do not have"},
}

// numpyKey parses a key as NumPy reads it: where numbers and arrays have other indices between them, which PyTorch takes one after
// the other and NumPy together, and where a step may have either sign, there is no form. It fails
// on keys that PyTorch and NumPy read differently.
func (c *Call) numpyKey(name string, rank int) *subscript {
	k := c.key(c.Arg(name), rank)
	for _, o := range keyItems(c.Arg(name)) {
		if s, ok := o.(graph.Slice); ok && s.Step != nil {
			if _, known := ConstInt(s.Step); !known {
				failf("the step of a slice must be known when the model is exported")
			}
		}
		if v, ok := o.(*graph.Value); ok && v.Kind == graph.TensorKind && c.dtype(v.Type.DType) == onnx.Uint8 {
			failf("an index of uint8")
		}
	}
	if len(k.ints) > 0 && len(k.adv) > 0 {
		first, last, n := rank, -1, len(k.ints)
		at := func(i int) { first, last = min(first, i), max(last, i) }
		for i := range k.ints {
			at(i)
		}
		for _, s := range k.adv {
			for i := range s.ids {
				if s.axis+i >= len(k.axes) || k.axes[s.axis+i] < 0 {
					failf("numbers, arrays and new axes are mixed in one index")
				}
				at(k.axes[s.axis+i])
				n++
			}
		}
		if last-first+1 != n {
			failf("numbers and arrays of one index have slices between them")
		}
	}
	return k
}

// chainerTranspose reverses the axes or puts them in the order that is given, as a list or one by one.
func chainerTranspose(c *Call) {
	rank := c.Rank("x")
	perm := identity(rank)
	if len(c.Items("axes")) == 0 || len(c.Items("axes")) == 1 && c.Items("axes")[0] == nil {
		slices.Reverse(perm)
	} else {
		for i, o := range c.Spread("axes") {
			n, ok := ConstInt(o)
			if !ok || i >= rank {
				failf("the order of the axes is not known")
			}
			perm[i] = wrap(n, rank)
		}
	}
	c.Return(c.emit.permute(c.first(), perm))
}

// rollAxis moves an axis in front of another, which may be the end. It follows numpy.rollaxis:
// the axis ends up before start.
func rollAxis(c *Call) {
	rank := c.Rank("x")
	axis, start := int(c.Axis("axis", rank)), int(c.Axis("start", rank))
	perm := identity(rank)
	perm = slices.Delete(perm, axis, axis+1)
	if axis < start {
		start--
	}
	c.Return(c.emit.permute(c.first(), slices.Insert(perm, start, int64(axis))))
}

// chainerRepeat repeats each element along an axis, or of the flattened array, as often as its
// number says or one for all. One number for all is a Tile along a new axis, so sizes may be
// symbols; several are a Gather and must be known.
func chainerRepeat(c *Call) {
	e := c.emit
	x, rank, axis := c.scanned()
	list := c.Ints("repeats", -1)
	if len(list) == 1 {
		var shape []V
		s := e.Shape(x)
		if axis > 0 {
			shape = append(shape, e.Slice(s, 0, 0, axis, 1))
		}
		shape = append(shape, e.mul(e.Slice(s, 0, axis, axis+1, 1), e.I64(list[0])))
		if int(axis) < rank-1 {
			shape = append(shape, e.Slice(s, 0, axis+1, int64(rank), 1))
		}
		times := ones(rank + 1)
		times[axis+1] = list[0]
		c.Return(e.ReshapeTo(e.Op("Tile", In(e.Unsqueeze(x, axis+1), e.I64(times...))), e.Concat(0, shape...)))
		return
	}
	var at []int64
	for i, n := range list {
		at = append(at, slices.Repeat([]int64{int64(i)}, int(n))...)
	}
	c.Return(e.Op("Gather", In(x, e.I64(at...)), onnx.IntAttr("axis", axis)))
}

// transposeSequence makes of sequences their steps: of those that are long enough, a row each.
// The sequences are sorted by falling length, as Chainer demands; step k has the k-th rows of
// those that are long enough.
func transposeSequence(c *Call) {
	list, items := c.List("xs"), c.Items("xs")
	lengths := make([]int64, len(list))
	for i, o := range items {
		t := o.(*graph.Value).Type
		n, ok := int64(0), false
		if t.Ranked && len(t.Shape) > 0 {
			n, ok = t.Shape[0].Const()
		}
		if !ok {
			failf("the lengths of the sequences must be known when the model is exported")
		}
		lengths[i] = n
	}
	var outs []V
	for step := range int64(len(c.Node.Outputs)) {
		var rows []V
		for i, x := range list {
			if step < lengths[i] {
				rows = append(rows, c.emit.Slice(x, 0, step, step+1, 1))
			}
		}
		outs = append(outs, c.emit.Concat(0, rows...))
	}
	c.Return(outs...)
}

// paddedFrom takes the elements beyond the ends from the array itself: from the other end, or
// mirrored with the last one. Places outside are computed with Mod: modulo n for wrap, and modulo
// 2n with a reflection for symmetric.
func (c *Call) paddedFrom(x V, widths [][2]graph.Operand, mode string) V {
	e := c.emit
	for axis, w := range widths {
		before, after := c.number("pad_width", w[0], onnx.Int64), c.number("pad_width", w[1], onnx.Int64)
		n := e.dimSize(x, int64(axis))
		at := e.sub(e.rangeTo(e.add(e.add(n, before), after)), before)
		if mode == "wrap" {
			at = e.Op("Mod", In(at, n))
		} else {
			twice := e.mul(n, e.I64Scalar(2))
			at = e.Op("Mod", In(at, twice))
			at = e.Op("Min", In(at, e.sub(e.sub(twice, e.I64Scalar(1)), at)))
		}
		x = e.Op("Gather", In(x, at), onnx.IntAttr("axis", int64(axis)))
	}
	return x
}

// chainerPad adds elements at the ends of axes, as numpy.pad does: one axis after the other, so
// that later ones fill the corners. Different numbers at different ends need a Pad for each end,
// in numpy's order. It fails on modes that ONNX has not.
func chainerPad(c *Call) {
	e := c.emit
	x, rank := c.first(), c.Rank("x")
	if rank == 0 {
		c.Return(x)
		return
	}
	widths := pairs(c.Arg("pad_width"), rank)
	mode := c.Str("mode")
	if mode == "wrap" || mode == "symmetric" {
		c.Return(c.paddedFrom(x, widths, mode))
		return
	}
	name, ok := map[string]string{"constant": "constant", "edge": "edge", "reflect": "reflect"}[mode]
	if !ok {
		failf("ONNX has no padding of the mode %q", mode)
	}
	var fill [][2]graph.Operand
	if kw, ok := c.Arg("keywords").(graph.Dict); ok {
		for _, a := range kw {
			switch {
			case a.Name == "constant_values":
				fill = pairs(a.Value, rank)
			case a.Name == "reflect_type" && a.Value == graph.Operand(graph.Str("even")):
			default:
				failf("padding with %s", a.Name)
			}
		}
	}
	pads := func(axis, side int) V {
		list := slices.Repeat([]graph.Operand{graph.Int(0)}, 2*rank)
		for i, w := range widths {
			for s := range w {
				if (axis < 0 || axis == i) && (side < 0 || side == s) {
					list[s*rank+i] = w[s]
				}
			}
		}
		return c.Sizes("pads", list)
	}
	attr := onnx.StringAttr("mode", name)
	if mode != "constant" {
		c.Return(e.Op("Pad", In(x, pads(-1, -1)), attr))
		return
	}
	same := true
	for _, p := range fill {
		same = same && p == fill[0] && p[0] == p[1]
	}
	switch {
	case len(fill) == 0:
		x = e.Op("Pad", In(x, pads(-1, -1), e.Scalar(x.DType, 0)), attr)
	case same:
		x = e.Op("Pad", In(x, pads(-1, -1), c.number("fill", fill[0][0], x.DType)), attr)
	default:
		for i, p := range fill {
			for s := range p {
				x = e.Op("Pad", In(x, pads(i, s), c.number("fill", p[s], x.DType)), attr)
			}
		}
	}
	c.Return(x)
}

// pairs are the numbers at both ends of each axis: one for all, a pair for all, or a pair each.
func pairs(o graph.Operand, rank int) [][2]graph.Operand {
	out := make([][2]graph.Operand, rank)
	list := operandList(o)
	for i := range out {
		pair := list
		switch {
		case len(list) == rank && len(list) > 0 && isList(list[0]):
			pair = operandList(list[i])
		case len(list) == 1 && isList(list[0]):
			pair = operandList(list[0])
		}
		switch len(pair) {
		case 1:
			out[i] = [2]graph.Operand{pair[0], pair[0]}
		case 2:
			out[i] = [2]graph.Operand{pair[0], pair[1]}
		default:
			failf("a pair of numbers is not known")
		}
		if isList(out[i][0]) || isList(out[i][1]) {
			failf("a pair of numbers is not known")
		}
	}
	return out
}

func isList(o graph.Operand) bool {
	switch o.(type) {
	case graph.List, graph.Tuple:
		return true
	}
	return false
}

// embedID looks rows up; that of the label to ignore is zero. The ignored label is replaced by 0
// before it is looked up, as it may be negative.
func embedID(c *Call) {
	e := c.emit
	at, w := c.Tensor("x"), c.Tensor("W")
	if at.DType != onnx.Int32 {
		at = e.Cast(at, onnx.Int64)
	}
	if !c.Has("ignore_label") {
		c.Return(e.Op("Gather", In(w, at), onnx.IntAttr("axis", 0)))
		return
	}
	ignored := e.Op("Equal", In(at, c.Number("ignore_label", at.DType)))
	rows := e.Op("Gather", In(w, e.either(ignored, e.Scalar(at.DType, 0), at)), onnx.IntAttr("axis", 0))
	c.Return(e.either(e.Unsqueeze(ignored, int64(c.Rank("x"))), e.Scalar(w.DType, 0), rows))
}
