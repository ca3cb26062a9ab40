package aten

// This file lowers what orders elements: sort, topk and statistics of order.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var sortRecords = []Record{
	{Op: "torch.sort", Lower: func(c *Call) {
		v, at := c.sorted("input", c.OutDType(0), c.Axis("dim", c.Rank("input")), c.Bool("descending"))
		c.Return(v, at)
	}},
	{Op: "torch.argsort", Lower: func(c *Call) {
		_, at := c.sorted("input", c.DType("input"), c.Axis("dim", c.Rank("input")), c.Bool("descending"))
		c.Return(at)
	}},
	{Op: "torch.msort", Lower: func(c *Call) {
		v, _ := c.sorted("input", c.OutDType(0), 0, false)
		c.Return(v)
	}},
	{Op: "torch.topk", Lower: func(c *Call) {
		x, restore := c.sortable("input", c.OutDType(0))
		if c.Rank("input") == 0 { // one element, or none
			k := c.scalarI64("k")
			v := c.Slice(x, 0, 0, 1<<62, 1)
			v = c.Op("Slice", In(v, c.I64(0), k))
			if c.OutRank(0) == 0 {
				v = c.scalar0(v)
			}
			c.Return(restore(v), c.filled(c.Shape(v), onnx.Int64, 0))
			return
		}
		if emptyShape(c.Type("input")) { // runtimes do not sort nothing
			none := c.filled(c.ShapeTensor(c.OutType(0).Shape), onnx.Int64, 0)
			c.Return(c.Cast(none, c.OutDType(0)), none)
			return
		}
		out := c.Ops("TopK", 2, In(x, c.scalarI64("k")), onnx.IntAttr("axis", c.Axis("dim", c.Rank("input"))),
			boolAttr("largest", c.Bool("largest")), boolAttr("sorted", c.Bool("sorted")))
		c.Return(restore(out[0]), out[1])
	}},
	{Op: "torch.kthvalue", Lower: func(c *Call) {
		k := c.number("k", c.Arg("k"), onnx.Int64)
		c.nth(c.Op("Sub", In(k, c.I64Scalar(1))), c.Axis("dim", c.Rank("input")), false)
	}},
	{Op: "torch.median", Lower: median},
	{Op: "torch.nanmedian", Lower: nanMedian},
	{Op: "torch.mode", Lower: mode},
	{Op: "torch.quantile torch.nanquantile", Lower: quantile},
	{Op: "torch.searchsorted", Lower: func(c *Call) {
		d := workType(c.common("sorted_sequence", "input"))
		seq := c.Operand("sorted_sequence", d)
		rank := c.Rank("sorted_sequence")
		if c.Has("sorter") {
			seq = c.Op("GatherElements", In(seq, c.Tensor("sorter")), onnx.IntAttr("axis", int64(rank-1)))
		}
		c.search(seq, rank, "input", d)
	}},
	{Op: "torch.bucketize", Lower: func(c *Call) {
		d := workType(c.common("input", "boundaries"))
		c.search(c.Operand("boundaries", d), 1, "input", d)
	}},
}

// sortable is an argument in a type that runtimes sort in, with at least one
// dimension, and how a result gets back to d.
func (c *Call) sortable(name string, d onnx.DType) (V, func(V) V) {
	w := workType(d)
	switch w {
	case onnx.Bool:
		w = onnx.Int32
	case onnx.Float16, onnx.BFloat16:
		w = onnx.Float
	}
	x := c.Operand(name, w)
	if c.Rank(name) == 0 {
		x = c.flat(x)
	}
	return x, func(v V) V { return c.Cast(v, d) }
}

// sorted sorts along an axis. TopK of all elements keeps the order of equal ones.
func (c *Call) sorted(name string, d onnx.DType, axis int64, descending bool) (v, at V) {
	if c.Rank(name) == 0 {
		return c.Operand(name, d), c.I64Scalar(0)
	}
	x, restore := c.sortable(name, d)
	v, at = c.sortAxis(x, axis, descending)
	return restore(v), at
}

func (c *Call) sortAxis(x V, axis int64, descending bool) (v, at V) {
	if emptyShape(c.Type("input")) { // runtimes do not sort nothing
		return x, c.filled(c.Shape(x), onnx.Int64, 0)
	}
	size := c.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	out := c.Ops("TopK", 2, In(x, size), onnx.IntAttr("axis", axis), boolAttr("largest", descending), onnx.IntAttr("sorted", 1))
	return out[0], out[1]
}

// nth returns the element at a place of the sorted axis, and its index; with
// nanFirst the first NaN, if there is one.
func (c *Call) nth(place V, axis int64, nanFirst bool) {
	d := c.OutDType(0)
	if c.Rank("input") == 0 {
		c.Return(c.Operand("input", d), c.I64Scalar(0))
		return
	}
	v, at := c.sorted("input", d, axis, false)
	if c.Bool("keepdim") {
		place = c.flat(place)
	}
	v, at = c.Op("Gather", In(v, place), onnx.IntAttr("axis", axis)), c.Op("Gather", In(at, place), onnx.IntAttr("axis", axis))
	if nanFirst {
		nan := c.Cast(c.Op("IsNaN", In(c.Operand("input", d))), onnx.Int32)
		keep := c.Bool("keepdim")
		some := c.Cast(c.Reduce("ReduceMax", nan, keep, axis), onnx.Bool)
		first := c.Op("ArgMax", In(nan), onnx.IntAttr("axis", axis), boolAttr("keepdims", keep))
		first.DType = onnx.Int64
		v, at = c.either(some, c.Scalar(d, nanValue), v), c.either(some, first, at)
	}
	c.Return(v, at)
}

// middle is the place of the lower median of n elements.
func (c *Call) middle(n V) V {
	return c.Op("Div", In(c.Op("Sub", In(n, c.I64Scalar(1))), c.I64Scalar(2)))
}

// median is the lower one of two in the middle; NaNs make it NaN.
func median(c *Call) {
	d := c.OutDType(0)
	if c.Has("dim") {
		axis := c.Axis("dim", c.Rank("input"))
		x := c.Tensor("input")
		if c.Rank("input") == 0 {
			x = c.flat(x)
		}
		c.nth(c.middle(c.dimSize(x, axis)), axis, isFloat(d))
		return
	}
	if emptyShape(c.Type("input")) {
		if !isFloat(d) {
			c.Failf("there are no elements")
		}
		c.Return(c.Scalar(d, nanValue))
		return
	}
	x, restore := c.sortable("input", d)
	x = c.flat(x)
	v, _ := c.sortAxis(x, 0, false)
	m := c.Op("Gather", In(v, c.middle(c.Op("Size", In(x)))), onnx.IntAttr("axis", 0))
	if isFloat(d) {
		some := c.Cast(c.Reduce("ReduceMax", c.Cast(c.Op("IsNaN", In(x)), onnx.Int32), false, 0), onnx.Bool)
		m = c.either(some, c.Scalar(x.DType, nanValue), m)
	}
	c.Return(restore(m))
}

// nanMedian leaves out NaNs: they are moved behind the others.
func nanMedian(c *Call) {
	d := c.OutDType(0)
	if !isFloat(d) {
		median(c)
		return
	}
	x, restore := c.sortable("input", d)
	axis := int64(0)
	if c.Has("dim") {
		axis = c.Axis("dim", c.Rank("input"))
	} else {
		x = c.flat(x)
	}
	nan := c.Op("IsNaN", In(x))
	v, at := c.sortAxis(c.Op("Where", In(nan, c.highest(x.DType), x)), axis, false)
	n := c.Reduce("ReduceSum", c.Cast(c.Op("Not", In(nan)), onnx.Int64), true, axis)
	place := c.Op("Max", In(c.middle(n), c.I64Scalar(0)))
	none := c.Op("Equal", In(n, c.I64Scalar(0)))
	pick := func(v V) V { return c.Op("GatherElements", In(v, place), onnx.IntAttr("axis", axis)) }
	m := c.Op("Where", In(none, c.Scalar(x.DType, nanValue), pick(v)))
	i := pick(at)
	if !c.Bool("keepdim") || c.Rank("input") == 0 {
		m, i = c.Squeeze(m, axis), c.Squeeze(i, axis)
	}
	if c.Has("dim") {
		c.Return(restore(m), i)
		return
	}
	c.Return(restore(m))
}

// mode is the most frequent element, the least of several; the index is that of its
// last place.
func mode(c *Call) {
	d := c.OutDType(0)
	rank := c.Rank("input")
	x, restore := c.sortable("input", d)
	axis := c.Axis("dim", rank)
	if rank == 0 {
		c.Return(c.Operand("input", d), c.I64Scalar(0))
		return
	}
	same := c.Op("Equal", In(c.Unsqueeze(x, axis), c.Unsqueeze(x, axis+1)))
	count := c.Reduce("ReduceSum", c.Cast(same, onnx.Int32), false, axis)
	top := c.Op("Equal", In(count, c.Reduce("ReduceMax", count, true, axis)))
	least := c.Reduce("ReduceMin", c.Op("Where", In(top, x, c.highest(x.DType))), true, axis)
	shape := slices.Repeat([]int64{1}, rank)
	shape[axis] = -1
	place := c.Op("Reshape", In(c.rangeTo(c.dimSize(x, axis)), c.I64(shape...)))
	at := c.Reduce("ReduceMax", c.Op("Where", In(c.Op("Equal", In(x, least)), place, c.I64Scalar(-1))), true, axis)
	if !c.Bool("keepdim") {
		least, at = c.Squeeze(least, axis), c.Squeeze(at, axis)
	}
	c.Return(restore(least), at)
}

// quantile interpolates between the neighbours of place q·(n-1) of the sorted axis.
// nanquantile counts what is not NaN; else one NaN makes the result NaN.
func quantile(c *Call) {
	ignore := lastName(c.Node.Op) == "nanquantile"
	d := c.OutDType(0)
	rank := c.Rank("input")
	x := c.Operand("input", d)
	axis := int64(0)
	switch {
	case !c.Has("dim"):
		x = c.flat(x)
	case rank == 0:
		x = c.flat(x)
	default:
		axis = c.Axis("dim", rank)
	}
	work := 1
	if c.Has("dim") {
		work = max(rank, 1)
	}
	perm := identity(work) // the axis becomes the last one
	perm = append(slices.Delete(perm, int(axis), int(axis)+1), axis)
	x = c.permute(x, perm)
	last := int64(work - 1)
	nan := c.Op("IsNaN", In(x))
	v, _ := c.sortAxis(c.Op("Where", In(nan, c.highest(d), x)), last, false)
	n := c.Reduce("ReduceSum", c.Cast(c.Op("Not", In(nan)), onnx.Int64), true, last)
	bad := c.Op("Equal", In(n, c.I64Scalar(0)))
	if !ignore {
		bad = c.Op("Less", In(n, c.dimSize(x, last)))
	}
	qv := 0
	if t, ok := c.Arg("q").(*graph.Value); ok && t.Kind == graph.TensorKind {
		qv = c.rankOf(t)
	}
	q := c.flat(c.Operand("q", d))
	place := c.mul(q, c.Cast(c.Op("Max", In(c.Op("Sub", In(n, c.I64Scalar(1))), c.I64Scalar(0))), d)) // [..., q]
	at := func(p V) V {
		return c.Op("GatherElements", In(v, c.Cast(p, onnx.Int64)), onnx.IntAttr("axis", last))
	}
	floor, ceil := c.Op("Floor", In(place)), c.Op("Ceil", In(place))
	var out V
	switch c.Str("interpolation") {
	case "lower":
		out = at(floor)
	case "higher":
		out = at(ceil)
	case "nearest":
		out = at(c.Op("Round", In(place)))
	case "midpoint":
		out = c.mul(c.Op("Add", In(at(floor), at(ceil))), c.Scalar(d, 0.5))
	default:
		lo, hi := at(floor), at(ceil)
		out = c.Op("Add", In(lo, c.mul(c.Op("Sub", In(place, floor)), c.Op("Sub", In(hi, lo)))))
	}
	out = c.Op("Where", In(bad, c.Scalar(d, nanValue), out))
	// The quantiles come first, the others keep their order.
	back := append([]int64{last}, identity(int(last))...)
	out = c.permute(out, back)
	switch {
	case c.Bool("keepdim") && c.Has("dim") && rank > 0:
		out = c.Unsqueeze(out, axis+1)
	case c.Bool("keepdim") && rank > 0:
		out = c.Unsqueeze(out, identity(rank + 1)[1:]...)
	}
	if qv == 0 {
		out = c.Squeeze(out, 0)
	}
	c.Return(out)
}

// search counts the elements of the sorted last axis that are less than each value,
// or with right not greater.
func (c *Call) search(seq V, rank int, name string, d onnx.DType) {
	v := c.Operand(name, d)
	vrank := 0
	if t, ok := c.Arg(name).(*graph.Value); ok && t.Kind == graph.TensorKind {
		vrank = c.rankOf(t)
	}
	if rank > 1 {
		seq = c.Unsqueeze(seq, int64(rank-1))
	}
	v = c.Unsqueeze(v, int64(vrank))
	op := "Less"
	if c.Bool("right") || c.Has("side") && c.Str("side") == "right" {
		op = "LessOrEqual"
	}
	if d == onnx.Bool {
		v, seq = c.Cast(v, onnx.Int32), c.Cast(seq, onnx.Int32)
	}
	count := c.Reduce("ReduceSum", c.Cast(c.Op(op, In(seq, v)), onnx.Int64), false, int64(max(vrank, rank-1)))
	c.Return(c.Cast(count, c.OutDType(0)))
}
