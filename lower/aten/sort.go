package aten

// This file lowers what orders elements: sort, topk and statistics of order.
//
// ONNX has one operator of order, TopK, which gives the first k elements sorted, with their
// places; of equal elements the one with the lower index comes first. A sort is TopK of all
// elements, medians and quantiles are elements of the sorted axis, and searches count
// comparisons.

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
		e := c.emit
		x, restore := c.sortable("input", c.OutDType(0))
		if c.Rank("input") == 0 { // one element, or none
			k := c.scalarI64("k")
			v := e.Slice(x, 0, 0, 1<<62, 1)
			v = e.Op("Slice", In(v, e.I64(0), k))
			if c.OutRank(0) == 0 {
				v = e.scalar0(v)
			}
			c.Return(restore(v), e.filled(e.Shape(v), onnx.Int64, 0))
			return
		}
		if emptyShape(c.Type("input")) { // runtimes do not sort nothing
			none := e.filled(c.ShapeTensor(c.OutType(0).Shape), onnx.Int64, 0)
			c.Return(e.Cast(none, c.OutDType(0)), none)
			return
		}
		out := e.Ops("TopK", 2, In(x, c.scalarI64("k")), onnx.IntAttr("axis", c.Axis("dim", c.Rank("input"))),
			boolAttr("largest", c.Bool("largest")), boolAttr("sorted", c.Bool("sorted")))
		c.Return(restore(out[0]), out[1])
	}},
	{Op: "torch.kthvalue", Lower: func(c *Call) {
		k := c.number("k", c.Arg("k"), onnx.Int64)
		c.nth(c.emit.Op("Sub", In(k, c.emit.I64Scalar(1))), c.Axis("dim", c.Rank("input")), false)
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
			seq = c.emit.Op("GatherElements", In(seq, c.Tensor("sorter")), onnx.IntAttr("axis", int64(rank-1)))
		}
		c.search(seq, rank, "input", d)
	}},
	{Op: "torch.bucketize", Lower: func(c *Call) {
		d := workType(c.common("input", "boundaries"))
		c.search(c.Operand("boundaries", d), 1, "input", d)
	}},
}

// sortable is an argument in a type that runtimes sort in, with at least one
// dimension, and how a result gets back to d. Runtimes sort no bools, halves or small integers.
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
		x = c.emit.flat(x)
	}
	return x, func(v V) V { return c.emit.Cast(v, d) }
}

// sorted sorts along an axis. TopK of all elements keeps the order of equal ones.
func (c *Call) sorted(name string, d onnx.DType, axis int64, descending bool) (v, at V) {
	if c.Rank(name) == 0 {
		return c.Operand(name, d), c.emit.I64Scalar(0)
	}
	x, restore := c.sortable(name, d)
	v, at = c.sortAxis(x, axis, descending)
	return restore(v), at
}

// The number of elements is read at run time, as it may be a symbol.
func (c *Call) sortAxis(x V, axis int64, descending bool) (v, at V) {
	e := c.emit
	if emptyShape(c.Type("input")) { // runtimes do not sort nothing
		return x, e.filled(e.Shape(x), onnx.Int64, 0)
	}
	size := e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	out := e.Ops("TopK", 2, In(x, size), onnx.IntAttr("axis", axis), boolAttr("largest", descending), onnx.IntAttr("sorted", 1))
	return out[0], out[1]
}

// nth returns the element at a place of the sorted axis, and its index; with
// nanFirst the first NaN, if there is one.
func (c *Call) nth(place V, axis int64, nanFirst bool) {
	e := c.emit
	d := c.OutDType(0)
	if c.Rank("input") == 0 {
		c.Return(c.Operand("input", d), e.I64Scalar(0))
		return
	}
	v, at := c.sorted("input", d, axis, false)
	if c.Bool("keepdim") {
		place = e.flat(place)
	}
	v, at = e.Op("Gather", In(v, place), onnx.IntAttr("axis", axis)), e.Op("Gather", In(at, place), onnx.IntAttr("axis", axis))
	if nanFirst {
		nan := e.Cast(e.Op("IsNaN", In(c.Operand("input", d))), onnx.Int32)
		keep := c.Bool("keepdim")
		some := e.Cast(e.Reduce("ReduceMax", nan, keep, axis), onnx.Bool)
		first := e.Op("ArgMax", In(nan), onnx.IntAttr("axis", axis), boolAttr("keepdims", keep))
		first.DType = onnx.Int64
		v, at = e.either(some, e.Scalar(d, nanValue), v), e.either(some, first, at)
	}
	c.Return(v, at)
}

// middle is the place of the lower median of n elements.
func (e *Emitter) middle(n V) V {
	return e.Op("Div", In(e.Op("Sub", In(n, e.I64Scalar(1))), e.I64Scalar(2)))
}

// median is the lower one of two in the middle; NaNs make it NaN. PyTorch's median of an even
// number of elements is the lower one, and not the mean as NumPy's.
func median(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	if c.Has("dim") {
		axis := c.Axis("dim", c.Rank("input"))
		x := c.Tensor("input")
		if c.Rank("input") == 0 {
			x = e.flat(x)
		}
		c.nth(e.middle(e.dimSize(x, axis)), axis, isFloat(d))
		return
	}
	if emptyShape(c.Type("input")) {
		if !isFloat(d) {
			failf("there are no elements")
		}
		c.Return(e.Scalar(d, nanValue))
		return
	}
	x, restore := c.sortable("input", d)
	x = e.flat(x)
	v, _ := c.sortAxis(x, 0, false)
	m := e.Op("Gather", In(v, e.middle(e.Op("Size", In(x)))), onnx.IntAttr("axis", 0))
	if isFloat(d) {
		some := e.Cast(e.Reduce("ReduceMax", e.Cast(e.Op("IsNaN", In(x)), onnx.Int32), false, 0), onnx.Bool)
		m = e.either(some, e.Scalar(x.DType, nanValue), m)
	}
	c.Return(restore(m))
}

// nanMedian leaves out NaNs: they are moved behind the others. NaNs become the greatest number,
// and the place counts the others only.
func nanMedian(c *Call) {
	e := c.emit
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
		x = e.flat(x)
	}
	nan := e.Op("IsNaN", In(x))
	v, at := c.sortAxis(e.Op("Where", In(nan, e.highest(x.DType), x)), axis, false)
	n := e.Reduce("ReduceSum", e.Cast(e.Op("Not", In(nan)), onnx.Int64), true, axis)
	place := e.Op("Max", In(e.middle(n), e.I64Scalar(0)))
	none := e.Op("Equal", In(n, e.I64Scalar(0)))
	pick := func(v V) V { return e.Op("GatherElements", In(v, place), onnx.IntAttr("axis", axis)) }
	m := e.Op("Where", In(none, e.Scalar(x.DType, nanValue), pick(v)))
	i := pick(at)
	if !c.Bool("keepdim") || c.Rank("input") == 0 {
		m, i = e.Squeeze(m, axis), e.Squeeze(i, axis)
	}
	if c.Has("dim") {
		c.Return(restore(m), i)
		return
	}
	c.Return(restore(m))
}

// mode is the most frequent element, the least of several; the index is that of its
// last place. Each element is compared with each other one, so the work is quadratic in the axis;
// ONNX has no count of equal elements along an axis.
func mode(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	rank := c.Rank("input")
	x, restore := c.sortable("input", d)
	axis := c.Axis("dim", rank)
	if rank == 0 {
		c.Return(c.Operand("input", d), e.I64Scalar(0))
		return
	}
	same := e.Op("Equal", In(e.Unsqueeze(x, axis), e.Unsqueeze(x, axis+1)))
	count := e.Reduce("ReduceSum", e.Cast(same, onnx.Int32), false, axis)
	top := e.Op("Equal", In(count, e.Reduce("ReduceMax", count, true, axis)))
	least := e.Reduce("ReduceMin", e.Op("Where", In(top, x, e.highest(x.DType))), true, axis)
	shape := slices.Repeat([]int64{1}, rank)
	shape[axis] = -1
	place := e.Op("Reshape", In(e.rangeTo(e.dimSize(x, axis)), e.I64(shape...)))
	at := e.Reduce("ReduceMax", e.Op("Where", In(e.Op("Equal", In(x, least)), place, e.I64Scalar(-1))), true, axis)
	if !c.Bool("keepdim") {
		least, at = e.Squeeze(least, axis), e.Squeeze(at, axis)
	}
	c.Return(restore(least), at)
}

// quantile interpolates between the neighbours of place q·(n-1) of the sorted axis.
// nanquantile counts what is not NaN; else one NaN makes the result NaN. The axis is moved to the
// end, quantiles are gathered there, and they become the first axis of the result, as PyTorch has
// it.
func quantile(c *Call) {
	e := c.emit
	ignore := lastName(c.Node.Op) == "nanquantile"
	d := c.OutDType(0)
	rank := c.Rank("input")
	x := c.Operand("input", d)
	axis := int64(0)
	switch {
	case !c.Has("dim"):
		x = e.flat(x)
	case rank == 0:
		x = e.flat(x)
	default:
		axis = c.Axis("dim", rank)
	}
	work := 1
	if c.Has("dim") {
		work = max(rank, 1)
	}
	perm := identity(work) // the axis becomes the last one
	perm = append(slices.Delete(perm, int(axis), int(axis)+1), axis)
	x = e.permute(x, perm)
	last := int64(work - 1)
	nan := e.Op("IsNaN", In(x))
	v, _ := c.sortAxis(e.Op("Where", In(nan, e.highest(d), x)), last, false)
	n := e.Reduce("ReduceSum", e.Cast(e.Op("Not", In(nan)), onnx.Int64), true, last)
	bad := e.Op("Equal", In(n, e.I64Scalar(0)))
	if !ignore {
		bad = e.Op("Less", In(n, e.dimSize(x, last)))
	}
	qv := 0
	if t, ok := c.Arg("q").(*graph.Value); ok && t.Kind == graph.TensorKind {
		qv = rankOf(t)
	}
	q := e.flat(c.Operand("q", d))
	place := e.mul(q, e.Cast(e.Op("Max", In(e.Op("Sub", In(n, e.I64Scalar(1))), e.I64Scalar(0))), d)) // [..., q]
	at := func(p V) V {
		return e.Op("GatherElements", In(v, e.Cast(p, onnx.Int64)), onnx.IntAttr("axis", last))
	}
	floor, ceil := e.Op("Floor", In(place)), e.Op("Ceil", In(place))
	var out V
	switch c.Str("interpolation") {
	case "lower":
		out = at(floor)
	case "higher":
		out = at(ceil)
	case "nearest":
		out = at(e.Op("Round", In(place)))
	case "midpoint":
		out = e.mul(e.Op("Add", In(at(floor), at(ceil))), e.Scalar(d, 0.5))
	default:
		lo, hi := at(floor), at(ceil)
		out = e.Op("Add", In(lo, e.mul(e.Op("Sub", In(place, floor)), e.Op("Sub", In(hi, lo)))))
	}
	out = e.Op("Where", In(bad, e.Scalar(d, nanValue), out))
	// The quantiles come first, the others keep their order.
	back := append([]int64{last}, identity(int(last))...)
	out = e.permute(out, back)
	switch {
	case c.Bool("keepdim") && c.Has("dim") && rank > 0:
		out = e.Unsqueeze(out, axis+1)
	case c.Bool("keepdim") && rank > 0:
		out = e.Unsqueeze(out, identity(rank + 1)[1:]...)
	}
	if qv == 0 {
		out = e.Squeeze(out, 0)
	}
	c.Return(out)
}

// search counts the elements of the sorted last axis that are less than each value,
// or with right not greater. NaN counts as less than nothing. Comparing all pairs is quadratic,
// but ONNX has no binary search.
func (c *Call) search(seq V, rank int, name string, d onnx.DType) {
	e := c.emit
	v := c.Operand(name, d)
	vrank := 0
	if t, ok := c.Arg(name).(*graph.Value); ok && t.Kind == graph.TensorKind {
		vrank = rankOf(t)
	}
	if rank > 1 {
		seq = e.Unsqueeze(seq, int64(rank-1))
	}
	v = e.Unsqueeze(v, int64(vrank))
	op := "Less"
	if c.Bool("right") || c.Has("side") && c.Str("side") == "right" {
		op = "LessOrEqual"
	}
	if d == onnx.Bool {
		v, seq = e.Cast(v, onnx.Int32), e.Cast(seq, onnx.Int32)
	}
	count := e.Reduce("ReduceSum", e.Cast(e.Op(op, In(seq, v)), onnx.Int64), false, int64(max(vrank, rank-1)))
	c.Return(e.Cast(count, c.OutDType(0)))
}
