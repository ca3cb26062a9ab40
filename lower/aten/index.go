package aten

// This file lowers x[...]. The key is read as PyTorch reads it (infer/ops/torch has the
// same steps in index.go): slices, ints, None and Ellipsis make a view, from which
// index tensors and masks then gather.

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

// A subscript is a parsed key.
type subscript struct {
	rank   int
	slices map[int]graph.Slice // of the tensor's dimensions
	ints   map[int]V           // scalars; these dimensions vanish
	axes   []int               // of the view: the tensor's dimension, -1 for a new one
	adv    []selector          // what gathers from the view, by axis
}

// A selector gathers from neighbouring axes of the view: one index tensor for
// each of them.
type selector struct {
	axis int
	ids  []V
	rank int // of the index tensors
	// signed says that they may count from the end.
	signed bool
	// mask is the mask that they come from.
	mask V
}

// key parses a key of a tensor with rank dimensions.
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
// numbers.
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

// specified counts the dimensions that an index uses up.
func (c *Call) specified(o graph.Operand) int {
	switch o := o.(type) {
	case nil, graph.Ellipsis, graph.Bool, graph.Cond:
		return 0
	case *graph.Value:
		if d := c.dtype(o.Type.DType); o.Kind == graph.TensorKind && (d == onnx.Bool || d == onnx.Uint8) {
			return c.rankOf(o)
		}
	}
	return 1
}

func (c *Call) rankOf(v *graph.Value) int {
	r := v.Type.Rank()
	if r < 0 {
		c.Failf("the number of dimensions of an index is not known")
	}
	return r
}

// subscribe applies one index at an axis of the view and returns the next one.
// rest is the number of dimensions that an Ellipsis stands for.
func (c *Call) subscribe(k *subscript, o graph.Operand, at, rest int) int {
	room := func() {
		if at >= len(k.axes) {
			c.Failf("there are too many indices")
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
			return record(selector{ids: In(c.I64(0)), rank: 1})
		}
		return record(selector{ids: In(c.I64()), rank: 1})
	case graph.Int, graph.Dim:
		return take(c.number("index", o, onnx.Int64))
	case *graph.Value:
		d := c.dtype(o.Type.DType)
		mask := d == onnx.Bool || d == onnx.Uint8
		switch {
		case o.Kind == graph.ScalarKind, o.Kind == graph.TensorKind && !mask && c.rankOf(o) == 0:
			return take(c.number("index", o, onnx.Int64))
		case o.Kind != graph.TensorKind:
			c.Failf("an index may be None")
		case mask && c.rankOf(o) == 0:
			insert()
			v := c.Op("Reshape", In(c.Cast(c.Value("mask", o), onnx.Bool), c.I64(1)))
			return record(c.maskIndex(v, 1))
		case mask:
			return record(c.maskIndex(c.Cast(c.Value("mask", o), onnx.Bool), c.rankOf(o)))
		}
		return record(selector{ids: In(c.Cast(c.Value("index", o), onnx.Int64)), rank: c.rankOf(o), signed: true})
	case graph.List:
		return record(c.listIndex(o))
	case graph.Tuple:
		return record(c.listIndex(o))
	}
	c.Failf("it is indexed with %s", graph.OperandString(o))
	return 0
}

// listIndex makes an index tensor of a nested list: a mask when it holds only
// bools.
func (c *Call) listIndex(l graph.Operand) selector {
	flat, shape := c.flatten(l)
	if len(flat) == 0 {
		return selector{ids: In(c.Const(onnx.NewInts(shape))), rank: len(shape)}
	}
	bools := true
	for _, e := range flat {
		_, ok := e.(graph.Bool)
		bools = bools && ok
	}
	v := c.literal(flat, shape, onnx.Int64)
	if bools {
		return c.maskIndex(c.Cast(v, onnx.Bool), len(shape))
	}
	return selector{ids: In(v), rank: len(shape), signed: true}
}

// maskIndex selects where a mask of rank dimensions is true.
func (c *Call) maskIndex(mask V, rank int) selector {
	return selector{ids: c.trues(mask, rank), rank: 1, mask: mask}
}

// trues lists where a mask of rank dimensions is true: one index tensor for each.
func (c *Call) trues(mask V, rank int) []V {
	where := c.Op("NonZero", In(mask))
	ids := make([]V, rank)
	for i := range ids {
		ids[i] = c.Op("Gather", In(where, c.I64Scalar(int64(i))), onnx.IntAttr("axis", 0))
	}
	return ids
}

// pick takes what a subscript selects from x.
func (c *Call) pick(x V, k *subscript) V {
	return c.gatherView(c.view(x, k), len(k.axes), k.adv)
}

// view applies the slices, ints and new dimensions of a subscript.
func (c *Call) view(x V, k *subscript) V {
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
		axes = append(axes, c.I64(int64(d)))
	}
	if len(axes) > 0 {
		x = c.Op("Slice", In(x, c.joined(start), c.joined(end), c.joined(axes), c.joined(step)))
	}
	for d := k.rank - 1; d >= 0; d-- {
		if v, ok := k.ints[d]; ok {
			x = c.Op("Gather", In(x, v), onnx.IntAttr("axis", int64(d)))
		}
	}
	var added []int64
	for i, d := range k.axes {
		if d < 0 {
			added = append(added, int64(i))
		}
	}
	if len(added) > 0 {
		x = c.Unsqueeze(x, added...)
	}
	return x
}

// bound is a part of a slice as a tensor with one element.
func (c *Call) bound(o graph.Operand, def int64) V {
	if o == nil {
		return c.I64(def)
	}
	if n, ok := ConstInt(o); ok {
		return c.I64(n)
	}
	return c.Op("Reshape", In(c.number("bound", o, onnx.Int64), c.I64(1)))
}

// joined concatenates tensors with one element; constants become one.
func (c *Call) joined(list []V) V {
	if len(list) == 1 {
		return list[0]
	}
	ints := make([]int64, len(list))
	for i, v := range list {
		n, ok := c.constOf(v)
		if !ok {
			return c.Concat(0, list...)
		}
		ints[i] = n
	}
	return c.I64(ints...)
}

// constOf returns the integer of a constant with one element.
func (c *Call) constOf(v V) (int64, bool) {
	for _, n := range c.nodes {
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
// axis was when these are neighbours, else in front.
func (c *Call) gatherView(x V, rank int, adv []selector) V {
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
			c.Failf("there are too many indices")
		}
	}
	if len(axes) == 1 {
		return c.Op("Gather", In(x, ids[0]), onnx.IntAttr("axis", axes[0]))
	}
	x, at := c.gathered(x, rank, axes)
	x, flat := c.mergeIndex(x, rank, at, ids, signed)
	return c.Op("Gather", In(x, flat), onnx.IntAttr("axis", int64(at)))
}

// gathered moves axes in front unless they are neighbours already, and says where
// the first of them is.
func (c *Call) gathered(x V, rank int, axes []int64) (V, int) {
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
	return c.permute(x, perm), 0
}

// mergeIndex makes one axis of len(ids) axes from at on, and one index of ids.
func (c *Call) mergeIndex(x V, rank, at int, ids []V, signed bool) (merged, flat V) {
	n := len(ids)
	shape := c.Shape(x)
	total := c.I64(1)
	for i := n - 1; i >= 0; i-- {
		size := c.Op("Gather", In(shape, c.I64(int64(at+i))), onnx.IntAttr("axis", 0))
		id := ids[i]
		if signed {
			id = c.Op("Where", In(c.Op("Less", In(id, c.I64Scalar(0))), c.Op("Add", In(id, c.scalar0(size))), id))
		}
		if i == n-1 {
			flat, total = id, size
			continue
		}
		flat = c.Op("Add", In(c.mul(id, c.scalar0(total)), flat))
		total = c.mul(total, size)
	}
	parts := []V{total}
	if at > 0 {
		parts = slices.Insert(parts, 0, c.Slice(shape, 0, 0, int64(at), 1))
	}
	if at+n < rank {
		parts = append(parts, c.Slice(shape, 0, int64(at+n), int64(rank), 1))
	}
	to := total
	if len(parts) > 1 {
		to = c.Concat(0, parts...)
	}
	return c.ReshapeTo(x, to), flat
}

// scalar0 makes a tensor of no dimensions of one with one element.
func (c *Call) scalar0(v V) V { return c.Op("Reshape", In(v, c.I64())) }

// flatten lists the leaves of a nested list, with its shape.
func (c *Call) flatten(o graph.Operand) (leaves []graph.Operand, shape []int64) {
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
	for i, e := range list {
		sub, s := c.flatten(e)
		if i == 0 {
			shape = append(shape, s...)
		} else if !slices.Equal(shape[1:], s) {
			c.Failf("the lists are not of equal length")
		}
		leaves = append(leaves, sub...)
	}
	return leaves, shape
}

// literal makes a tensor of numbers: a constant when all are known.
func (c *Call) literal(leaves []graph.Operand, shape []int64, d onnx.DType) V {
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
			c.Failf("%v", err)
		}
		return c.Const(t)
	}
	parts := make([]V, len(leaves))
	for i, o := range leaves {
		v := V{}
		if n, ok := o.(graph.Int); ok && d == onnx.Int64 {
			v = c.I64Scalar(int64(n))
		} else {
			v = c.number(fmt.Sprintf("e%d", i), o, d)
		}
		parts[i] = c.Op("Reshape", In(v, c.I64(1)))
	}
	return c.Op("Reshape", In(c.Concat(0, parts...), c.I64(shape...)))
}

// unfoldAxis cuts a dimension into windows, which become the last dimension.
func unfoldAxis(c *Call) {
	x, rank := c.Tensor("self"), c.Rank("self")
	size, step := c.number("size", c.Arg("size"), onnx.Int64), c.number("step", c.Arg("step"), onnx.Int64)
	if rank == 0 {
		c.Return(c.Slice(c.flat(x), 0, 0, c.Int("size"), 1))
		return
	}
	axis := c.Axis("dimension", rank)
	n := c.Op("Add", In(c.Op("Div", In(c.Op("Sub", In(c.dimSize(x, axis), size)), step)), c.I64Scalar(1)))
	at := c.Op("Add", In(c.Unsqueeze(c.mul(c.rangeTo(n), step), 1), c.Unsqueeze(c.rangeTo(size), 0)))
	v := c.Op("Gather", In(x, at), onnx.IntAttr("axis", axis))
	perm := slices.Delete(identity(rank+1), int(axis)+1, int(axis)+2)
	c.Return(c.permute(v, append(perm, axis+1)))
}
