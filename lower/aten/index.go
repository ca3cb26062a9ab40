package aten

// This file lowers x[...]. The key is read as PyTorch reads it (infer/ops/torch has the
// same steps in index.go): slices, ints, None and Ellipsis make a view, from which
// index tensors and masks then gather.
//
// ONNX has no operator for a key as a whole. Slices become one Slice of all sliced axes, integers
// become Gathers of a scalar index, which drop their axis, and None becomes an Unsqueeze: that is
// the view. One index tensor is a Gather along its axis, whose axes then stand in the place of
// the gathered one, as PyTorch has it. Several index tensors are made one: the gathered axes are
// merged by a Reshape into a single axis, and the indices into one flat index by the row-major
// formula; a Gather along that axis then gives PyTorch's result including its rule where the new
// axes stand. GatherND could do the same only for leading axes, with indices stacked along a last
// axis.

import (
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var indexRecords = []Record{
	{Op: "torch.Tensor.__getitem__", Lower: func(c *Call) {
		k := c.key(c.Arg("key"), c.Rank("self"))
		c.Return(c.pick(c.Tensor("self"), k))
	}},
	{Op: "torch.Tensor.unfold", Lower: unfoldAxis},
}

// A subscript is a parsed key. axes describes the view's axes before the gathering, in order.
type subscript struct {
	rank   int
	slices map[int]graph.Slice // of the tensor's dimensions
	ints   map[int]V           // scalars; these dimensions vanish
	axes   []int               // of the view: the tensor's dimension, -1 for a new one
	adv    []selector          // what gathers from the view, by axis
}

// A selector gathers from neighbouring axes of the view: one index tensor for
// each of them. A mask of rank n has n ids, which NonZero of it gives.
type selector struct {
	axis int
	ids  []V
	rank int // of the index tensors
	// signed says that they may count from the end.
	signed bool
	// mask is the mask that they come from.
	mask V
}

// key parses a key of a tensor with rank dimensions. Ellipsis stands for as many axes as no other
// index uses, hence the count beforehand.
func (c *Call) key(o graph.Operand, rank int) *subscript {
	k := &subscript{rank: rank, slices: map[int]graph.Slice{}, ints: map[int]V{}}
	for i := range rank {
		k.axes = append(k.axes, i)
	}
	items := keyItems(o)
	used := 0
	for _, it := range items {
		used += c.specified(it)
	}
	at := 0 // the axis of the view that comes next
	for _, it := range items {
		at = c.subscribe(k, it, at, rank-used)
	}
	return k
}

// keyItems splits a key: a list is a tuple of indices when it holds anything but
// numbers. The length 32 is PyTorch's: a longer list is always data (treatSequenceAsTuple in its
// source).
func keyItems(o graph.Operand) []graph.Operand {
	switch o := o.(type) {
	case graph.Tuple:
		return o
	case graph.List:
		if len(o) >= 32 {
			break
		}
		for _, e := range o {
			switch e := e.(type) {
			case nil, graph.List, graph.Tuple, graph.Slice, graph.Ellipsis:
				return o
			case *graph.Value:
				if e.Kind == graph.TensorKind {
					return o
				}
			}
		}
	}
	return []graph.Operand{o}
}

// specified counts the dimensions that an index uses up. A mask of uint8 is one of bools, as
// PyTorch still has it.
func (c *Call) specified(o graph.Operand) int {
	switch o := o.(type) {
	case nil, graph.Ellipsis, graph.Bool, graph.Cond:
		return 0
	case *graph.Value:
		if d := c.dtype(o.Type.DType); o.Kind == graph.TensorKind && (d == onnx.Bool || d == onnx.Uint8) {
			return rankOf(o)
		}
	}
	return 1
}

func rankOf(v *graph.Value) int {
	r := v.Type.Rank()
	if r < 0 {
		failf("the number of dimensions of an index is not known")
	}
	return r
}

// subscribe applies one index at an axis of the view and returns the next one.
// rest is the number of dimensions that an Ellipsis stands for. Integers, also tensors without
// axes, are taken before the gathering; a bool makes a new axis of one element or none. It fails
// on an index of a kind that has no form in ONNX, and on more indices than axes.
func (c *Call) subscribe(k *subscript, o graph.Operand, at, rest int) int {
	e := c.emit
	room := func() {
		if at >= len(k.axes) {
			failf("there are too many indices")
		}
	}
	insert := func() { k.axes = slices.Insert(k.axes, min(at, len(k.axes)), -1) }
	take := func(v V) int {
		room()
		if d := k.axes[at]; d >= 0 {
			k.ints[d] = v
		}
		k.axes = slices.Delete(k.axes, at, at+1)
		return at
	}
	record := func(s selector) int {
		s.axis = at
		k.adv = append(k.adv, s)
		return at + 1
	}
	switch o := o.(type) {
	case nil:
		insert()
		return at + 1
	case graph.Ellipsis:
		return at + max(rest, 0)
	case graph.Slice:
		room()
		if d := k.axes[at]; d >= 0 {
			k.slices[d] = o
		}
		return at + 1
	case graph.Bool:
		insert()
		if o {
			return record(selector{ids: In(e.I64(0)), rank: 1})
		}
		return record(selector{ids: In(e.I64()), rank: 1})
	case graph.Int, graph.Dim:
		return take(c.number("index", o, onnx.Int64))
	case *graph.Value:
		d := c.dtype(o.Type.DType)
		mask := d == onnx.Bool || d == onnx.Uint8
		switch {
		case o.Kind == graph.ScalarKind, o.Kind == graph.TensorKind && !mask && rankOf(o) == 0:
			return take(c.number("index", o, onnx.Int64))
		case o.Kind != graph.TensorKind:
			failf("an index may be None")
		case mask && rankOf(o) == 0:
			insert()
			v := e.Op("Reshape", In(e.Cast(c.Value("mask", o), onnx.Bool), e.I64(1)))
			return record(e.maskIndex(v, 1))
		case mask:
			return record(e.maskIndex(e.Cast(c.Value("mask", o), onnx.Bool), rankOf(o)))
		}
		return record(selector{ids: In(e.Cast(c.Value("index", o), onnx.Int64)), rank: rankOf(o), signed: true})
	case graph.List:
		return record(c.listIndex(o))
	case graph.Tuple:
		return record(c.listIndex(o))
	}
	failf("it is indexed with %s", graph.OperandString(o))
	return 0
}

// listIndex makes an index tensor of a nested list: a mask when it holds only
// bools. An empty list selects nothing and keeps its shape.
func (c *Call) listIndex(l graph.Operand) selector {
	e := c.emit
	flat, shape := flatten(l)
	if len(flat) == 0 {
		return selector{ids: In(e.Const(onnx.NewInts(shape))), rank: len(shape)}
	}
	bools := true
	for _, leaf := range flat {
		_, ok := leaf.(graph.Bool)
		bools = bools && ok
	}
	v := c.literal(flat, shape, onnx.Int64)
	if bools {
		return e.maskIndex(e.Cast(v, onnx.Bool), len(shape))
	}
	return selector{ids: In(v), rank: len(shape), signed: true}
}

// maskIndex selects where a mask of rank dimensions is true.
func (e *Emitter) maskIndex(mask V, rank int) selector {
	return selector{ids: e.trues(mask, rank), rank: 1, mask: mask}
}

// trues lists where a mask of rank dimensions is true: one index tensor for each. NonZero gives
// [rank, count]; each row is the index tensor of one axis.
func (e *Emitter) trues(mask V, rank int) []V {
	where := e.Op("NonZero", In(mask))
	ids := make([]V, rank)
	for i := range ids {
		ids[i] = e.Op("Gather", In(where, e.I64Scalar(int64(i))), onnx.IntAttr("axis", 0))
	}
	return ids
}

// pick takes what a subscript selects from x.
func (c *Call) pick(x V, k *subscript) V {
	return c.emit.gatherView(c.view(x, k), len(k.axes), k.adv)
}

// view applies the slices, ints and new dimensions of a subscript. Slices come first, as their
// axes are still the tensor's; then Gathers from the last axis to the first, so that numbers of
// earlier axes stay. A negative step begins at the end, which only NumPy allows.
func (c *Call) view(x V, k *subscript) V {
	e := c.emit
	var start, end, axes, step []V
	for d := range k.rank {
		s, ok := k.slices[d]
		if !ok || s.Start == nil && s.Stop == nil && (s.Step == nil || s.Step == graph.Int(1)) {
			continue
		}
		from, to := int64(0), int64(1<<63-1)
		if n, ok := ConstInt(s.Step); ok && n < 0 { // NumPy's: from the end
			from, to = 1<<63-1, -1<<63
		}
		start = append(start, c.bound(s.Start, from))
		end = append(end, c.bound(s.Stop, to))
		step = append(step, c.bound(s.Step, 1))
		axes = append(axes, e.I64(int64(d)))
	}
	if len(axes) > 0 {
		x = e.Op("Slice", In(x, e.joined(start), e.joined(end), e.joined(axes), e.joined(step)))
	}
	for d := k.rank - 1; d >= 0; d-- {
		if v, ok := k.ints[d]; ok {
			x = e.Op("Gather", In(x, v), onnx.IntAttr("axis", int64(d)))
		}
	}
	var added []int64
	for i, d := range k.axes {
		if d < 0 {
			added = append(added, int64(i))
		}
	}
	if len(added) > 0 {
		x = e.Unsqueeze(x, added...)
	}
	return x
}

// bound is a part of a slice as a tensor with one element. A part that is None has the default
// def.
func (c *Call) bound(o graph.Operand, def int64) V {
	e := c.emit
	if o == nil {
		return e.I64(def)
	}
	if n, ok := ConstInt(o); ok {
		return e.I64(n)
	}
	return e.Op("Reshape", In(c.number("bound", o, onnx.Int64), e.I64(1)))
}

// joined concatenates tensors with one element; constants become one.
func (e *Emitter) joined(list []V) V {
	if len(list) == 1 {
		return list[0]
	}
	ints := make([]int64, len(list))
	for i, v := range list {
		n, ok := e.constOf(v)
		if !ok {
			return e.Concat(0, list...)
		}
		ints[i] = n
	}
	return e.I64(ints...)
}

// constOf returns the integer of a constant with one element. It looks among the nodes that were
// made for this call, which are few.
func (e *Emitter) constOf(v V) (int64, bool) {
	for _, n := range e.nodes {
		if n.Op == "Constant" && n.Outputs[0] == v.Name {
			list, err := n.Attrs[0].Tensor.Ints()
			if err != nil || len(list) != 1 {
				return 0, false
			}
			return list[0], true
		}
	}
	return 0, false
}

// gatherView gathers from the axes of a view with rank dimensions. The index
// tensors are broadcast together; their dimensions stand where the first gathered
// axis was when these are neighbours, else in front. Negative indices along a single axis are
// Gather's own; in a merged index they must be made positive first, which mergeIndex does where
// an index may be negative.
func (e *Emitter) gatherView(x V, rank int, adv []selector) V {
	var axes []int64
	var ids []V
	signed := false
	shift := 0 // a mask takes one place in the key but several axes
	for _, s := range adv {
		for i, id := range s.ids {
			axes = append(axes, int64(s.axis+shift+i))
			ids = append(ids, id)
		}
		shift += len(s.ids) - 1
		signed = signed || s.signed
	}
	if len(axes) == 0 {
		return x
	}
	for _, a := range axes {
		if int(a) >= rank {
			failf("there are too many indices")
		}
	}
	if len(axes) == 1 {
		return e.Op("Gather", In(x, ids[0]), onnx.IntAttr("axis", axes[0]))
	}
	x, at := e.gathered(x, rank, axes)
	x, flat := e.mergeIndex(x, rank, at, ids, signed)
	return e.Op("Gather", In(x, flat), onnx.IntAttr("axis", int64(at)))
}

// gathered moves axes in front unless they are neighbours already, and says where
// the first of them is. That is NumPy's rule for index tensors that are separated by a slice.
func (e *Emitter) gathered(x V, rank int, axes []int64) (V, int) {
	neighbours := true
	for i := 1; i < len(axes); i++ {
		neighbours = neighbours && axes[i] == axes[i-1]+1
	}
	if neighbours {
		return x, int(axes[0])
	}
	perm := slices.Clone(axes)
	for i := range int64(rank) {
		if !slices.Contains(axes, i) {
			perm = append(perm, i)
		}
	}
	return e.permute(x, perm), 0
}

// mergeIndex makes one axis of len(ids) axes from at on, and one index of ids. With sizes s1, s2,
// … of the merged axes the flat index is (i1·s2 + i2)·s3 + …; sizes are read with Shape, since
// they may be unknown. Indices broadcast in the additions.
func (e *Emitter) mergeIndex(x V, rank, at int, ids []V, signed bool) (merged, flat V) {
	n := len(ids)
	shape := e.Shape(x)
	total := e.I64(1)
	for i := n - 1; i >= 0; i-- {
		size := e.Op("Gather", In(shape, e.I64(int64(at+i))), onnx.IntAttr("axis", 0))
		id := ids[i]
		if signed {
			id = e.Op("Where", In(e.Op("Less", In(id, e.I64Scalar(0))), e.Op("Add", In(id, e.scalar0(size))), id))
		}
		if i == n-1 {
			flat, total = id, size
			continue
		}
		flat = e.Op("Add", In(e.mul(id, e.scalar0(total)), flat))
		total = e.mul(total, size)
	}
	parts := []V{total}
	if at > 0 {
		parts = slices.Insert(parts, 0, e.Slice(shape, 0, 0, int64(at), 1))
	}
	if at+n < rank {
		parts = append(parts, e.Slice(shape, 0, int64(at+n), int64(rank), 1))
	}
	to := total
	if len(parts) > 1 {
		to = e.Concat(0, parts...)
	}
	return e.ReshapeTo(x, to), flat
}

// scalar0 makes a tensor of no dimensions of one with one element.
func (e *Emitter) scalar0(v V) V { return e.Op("Reshape", In(v, e.I64())) }

// flatten lists the leaves of a nested list, with its shape. It fails on lists of unequal length,
// as PyTorch does when it makes a tensor of them.
func flatten(o graph.Operand) (leaves []graph.Operand, shape []int64) {
	var list []graph.Operand
	switch l := o.(type) {
	case graph.List:
		list = l
	case graph.Tuple:
		list = l
	default:
		return []graph.Operand{o}, []int64{}
	}
	shape = []int64{int64(len(list))}
	for i, item := range list {
		sub, s := flatten(item)
		if i == 0 {
			shape = append(shape, s...)
		} else if !slices.Equal(shape[1:], s) {
			failf("the lists are not of equal length")
		}
		leaves = append(leaves, sub...)
	}
	return leaves, shape
}

// literal makes a tensor of numbers: a constant when all are known. Numbers that float64 does not
// hold exactly are not treated as known, but joined one by one like symbolic ones.
func (c *Call) literal(leaves []graph.Operand, shape []int64, d onnx.DType) V {
	e := c.emit
	floats := make([]float64, len(leaves))
	known := true
	for i, o := range leaves {
		switch o := o.(type) {
		case graph.Float:
			floats[i] = float64(o)
		case graph.Real:
			f, ok := o.Const()
			floats[i], known = f, known && ok
		default:
			n, ok := ConstInt(o)
			floats[i], known = float64(n), known && ok && int64(float64(n)) == n
		}
	}
	if known {
		if !isFloat(d) {
			for i := range floats {
				if d == onnx.Bool && floats[i] != 0 {
					floats[i] = 1
				}
			}
		}
		t, err := onnx.NewFloats(d, shape, floats)
		if err != nil {
			failf("%v", err)
		}
		return e.Const(t)
	}
	parts := make([]V, len(leaves))
	for i, o := range leaves {
		v := V{}
		if n, ok := o.(graph.Int); ok && d == onnx.Int64 {
			v = e.I64Scalar(int64(n))
		} else {
			v = c.number(fmt.Sprintf("e%d", i), o, d)
		}
		parts[i] = e.Op("Reshape", In(v, e.I64(1)))
	}
	return e.Op("Reshape", In(e.Concat(0, parts...), e.I64(shape...)))
}

// unfoldAxis cuts a dimension into windows, which become the last dimension. There are (n -
// size)/step + 1 windows; element [w, k] of the index is w·step + k, so one Gather makes all of
// them. The windows' elements are the last axis. A tensor without axes gives size elements of it.
func unfoldAxis(c *Call) {
	e := c.emit
	x, rank := c.Tensor("self"), c.Rank("self")
	size, step := c.number("size", c.Arg("size"), onnx.Int64), c.number("step", c.Arg("step"), onnx.Int64)
	if rank == 0 {
		c.Return(e.Slice(e.flat(x), 0, 0, c.Int("size"), 1))
		return
	}
	axis := c.Axis("dimension", rank)
	n := e.Op("Add", In(e.Op("Div", In(e.Op("Sub", In(e.dimSize(x, axis), size)), step)), e.I64Scalar(1)))
	at := e.Op("Add", In(e.Unsqueeze(e.mul(e.rangeTo(n), step), 1), e.Unsqueeze(e.rangeTo(size), 0)))
	v := e.Op("Gather", In(x, at), onnx.IntAttr("axis", axis))
	perm := slices.Delete(identity(rank+1), int(axis)+1, int(axis)+2)
	c.Return(e.permute(v, append(perm, axis+1)))
}
