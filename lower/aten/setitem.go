package aten

// This file lowers writes into a part of a tensor: x[...] = v and its relatives.
// What is written to is found by taking the same part of the tensor of positions
// 0, 1, …; the values are scattered there. ONNX has no assignment; whatever selects from a tensor
// selects the places in it too, so that one rule for selections serves both.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var setitemRecords = []Record{
	{Op: "torch.Tensor.__setitem__", Lower: setitem},
	{Op: "torch.index_put", Lower: indexPut},
	{Op: "torch.select_scatter", Lower: func(c *Call) {
		rank := c.Rank("self")
		k := c.key(nil, rank)
		k.axes = nil
		axis := int(c.Axis("dim", rank))
		for i := range rank {
			if i != axis {
				k.axes = append(k.axes, i)
			}
		}
		k.ints[axis] = c.number("index", c.Arg("index"), onnx.Int64)
		c.Return(c.write(c.Tensor("self"), k, c.Operand("src", c.DType("self")), rank-1, ""))
	}},
	{Op: "torch.slice_scatter", Lower: func(c *Call) {
		rank := c.Rank("self")
		k := c.key(graph.Ellipsis{}, rank)
		k.slices[int(c.Axis("dim", rank))] = graph.Slice{Start: c.Arg("start"), Stop: c.Arg("end"), Step: c.Arg("step")}
		c.Return(c.write(c.Tensor("self"), k, c.Operand("src", c.DType("self")), rank, ""))
	}},
	{Op: "torch.diagonal_scatter", Lower: func(c *Call) {
		e := c.emit
		x := c.Tensor("self")
		at := e.diagonal(e.positions(x), c.Rank("self"), c.Int("offset"), c.Axis("dim1", c.Rank("self")), c.Axis("dim2", c.Rank("self")))
		c.Return(e.scatterAt(x, at, c.Operand("src", x.DType), ""))
	}},
	{Op: "torch.as_strided", Lower: func(c *Call) {
		x := c.Tensor("self")
		c.Return(c.emit.Op("Gather", In(c.emit.flat(x), c.strided()), onnx.IntAttr("axis", 0)))
	}},
	{Op: "torch.as_strided_scatter", Lower: func(c *Call) {
		x := c.Tensor("self")
		c.Return(c.emit.scatterAt(x, c.strided(), c.Operand("src", x.DType), ""))
	}},
}

// flat is x with one dimension.
func (e *Emitter) flat(x V) V { return e.Op("Reshape", In(x, e.I64(-1))) }

// rangeTo is 0, 1, … n-1 for a scalar n.
func (e *Emitter) rangeTo(n V) V { return e.Op("Range", In(e.I64Scalar(0), n, e.I64Scalar(1))) }

// positions is the tensor of x's shape that holds 0, 1, ….
func (e *Emitter) positions(x V) V { return e.ReshapeTo(e.rangeTo(e.Op("Size", In(x))), e.Shape(x)) }

// scatterAt writes values, broadcast, to positions of the flattened x.
func (e *Emitter) scatterAt(x, at, v V, reduction string) V {
	v = e.Op("Expand", In(v, e.Shape(at)))
	return e.ReshapeTo(e.scatterElements(e.flat(x), e.flat(at), e.flat(v), 0, reduction), e.Shape(x))
}

// scatterElements emits ScatterElements, in a type that runtimes add in.
func (e *Emitter) scatterElements(x, index, v V, axis int64, reduction string) V {
	attrs := []*onnx.Attr{onnx.IntAttr("axis", axis)}
	d := x.DType
	if reduction != "" && reduction != "none" {
		attrs = append(attrs, onnx.StringAttr("reduction", reduction))
		if e.Opset < 18 && (reduction == "max" || reduction == "min") {
			failf("scattering with %s needs opset 18", reduction)
		}
		w := workType(d)
		switch w {
		case onnx.Bool:
			w = onnx.Int32
		case onnx.Float16:
			w = onnx.Float
		}
		x, v = e.Cast(x, w), e.Cast(v, w)
	}
	return e.Cast(e.Op("ScatterElements", In(x, index, v), attrs...), d)
}

// write writes v, which has vrank dimensions, into the part that k selects.
func (c *Call) write(x V, k *subscript, v V, vrank int, reduction string) V {
	e := c.emit
	view := c.view(e.positions(x), k)
	at := e.gatherView(view, len(k.axes), k.adv)
	if n := vrank - pickedRank(k); n > 0 { // leading sizes of 1 do not count
		v = e.Squeeze(v, identity(n)...)
	}
	return e.scatterAt(x, at, v, reduction)
}

// pickedRank is the number of dimensions of what a subscript selects: index
// tensors are broadcast.
func pickedRank(k *subscript) int {
	if len(k.adv) == 0 {
		return len(k.axes)
	}
	gathered, most := 0, 0
	for _, s := range k.adv {
		gathered += len(s.ids)
		most = max(most, s.rank)
	}
	return len(k.axes) - gathered + most
}

func setitem(c *Call) {
	e := c.emit
	rank := c.Rank("self")
	x := c.Tensor("self")
	vrank := 0
	v, tensor := c.Arg("value").(*graph.Value)
	if tensor {
		if vrank = rankOf(v); v.Kind == graph.ScalarKind {
			vrank = 0
		}
	}
	val := c.Operand("value", x.DType)
	k := c.key(c.Arg("key"), rank)
	plain := len(k.ints) == 0 && !slices.Contains(k.axes, -1)
	for _, s := range k.slices {
		plain = plain && s.Start == nil && s.Stop == nil && (s.Step == nil || s.Step == graph.Int(1))
	}
	switch {
	case plain && len(k.adv) == 0: // the whole tensor
		if n := vrank - rank; n > 0 {
			val = e.Squeeze(val, identity(n)...)
		}
		c.Return(e.Op("Expand", In(val, e.Shape(x))))
	case plain && vrank == 0 && len(k.adv) == 1 && k.adv[0].mask.Name != "": // one number where a mask is true
		s := k.adv[0]
		mask := s.mask
		if after := rank - s.axis - len(s.ids); after > 0 {
			axes := make([]int64, after)
			for i := range axes {
				axes[i] = int64(len(s.ids) + i)
			}
			mask = e.Unsqueeze(mask, axes...)
		}
		c.Return(e.where(mask, val, x))
	default:
		c.Return(c.write(x, k, val, vrank, ""))
	}
}

// indexPut writes at index tensors, of which the last may be left out.
func indexPut(c *Call) {
	x := c.Tensor("self")
	items := graph.Tuple(slices.Clone(c.Items("indices")))
	for i, o := range items {
		if o == nil { // the whole dimension, where x[None] would make a new one
			items[i] = graph.Slice{}
		}
	}
	k := &subscript{rank: c.Rank("self"), slices: map[int]graph.Slice{}, ints: map[int]V{}}
	for i := range k.rank {
		k.axes = append(k.axes, i)
	}
	at := 0
	for _, o := range items {
		v, ok := o.(*graph.Value)
		if !ok {
			at++
			continue
		}
		if rankOf(v) == 0 { // an index, not a subscript: it is broadcast
			d := c.dtype(v.Type.DType)
			if d == onnx.Bool || d == onnx.Uint8 {
				failf("an index is a mask of no dimensions")
			}
			k.adv = append(k.adv, selector{axis: at, ids: []V{c.emit.Cast(c.Value("index", v), onnx.Int64)}, signed: true})
			at++
			continue
		}
		at = c.subscribe(k, o, at, 0)
	}
	reduction := ""
	if c.Bool("accumulate") {
		reduction = "add"
	}
	c.Return(c.write(x, k, c.Operand("values", x.DType), c.Rank("values"), reduction))
}

// strided is the tensor of positions in memory for size, stride and
// storage_offset.
func (c *Call) strided() V {
	e := c.emit
	t := c.Type("self")
	if t.Strides != nil {
		failf("the tensor is not contiguous")
	}
	if v := c.Arg("self").(*graph.Value); v.Base != nil {
		failf("the tensor shares the memory of another one, which it can reach")
	}
	at := V{}
	if c.Has("storage_offset") {
		at = c.number("storage_offset", c.Arg("storage_offset"), onnx.Int64)
	} else {
		at = e.I64Scalar(0)
	}
	sizes, strides := c.Items("size"), c.Items("stride")
	for i := range sizes {
		step := e.mul(e.rangeTo(c.number("size", sizes[i], onnx.Int64)), c.number("stride", strides[i], onnx.Int64))
		if after := len(sizes) - 1 - i; after > 0 {
			axes := make([]int64, after)
			for j := range axes {
				axes[j] = int64(j + 1)
			}
			step = e.Unsqueeze(step, axes...)
		}
		at = e.Op("Add", In(at, step))
	}
	return at
}
