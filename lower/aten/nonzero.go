package aten

// This file lowers what lists or counts elements, where data decide the size of
// the result.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var nanValue = math.NaN()

var nonzeroRecords = []Record{
	{Op: "torch.nonzero", Lower: func(c *Call) {
		if c.Bool("as_tuple") {
			c.Return(c.nonzeroColumns(c.Tensor("input"), c.Rank("input"))...)
			return
		}
		c.Return(c.nonzeroRows())
	}},
	{Op: "torch.argwhere", Lower: func(c *Call) { c.Return(c.nonzeroRows()) }},
	{Op: "torch.unique", Lower: unique},
	{Op: "torch.unique_consecutive", Lower: uniqueConsecutive},
	{Op: "torch.bincount", Lower: bincount},
	{Op: "torch.histc", Lower: histc},
	{Op: "torch.histogram torch.histogramdd", None: "histc has a form; edges and densities of bins serve the study of data, not models"},
	{Op: "torch.hash_tensor", None: "the bits of floating-point numbers have no form"},
	{Op: "torch._chunk_cat", None: "it lays out parameters that are shared out to devices"},
	{Op: "torch.nonzero_static", None: "a given number of rows is cut or filled, which nonzero has no form for"},
	{Op: "torch.segment_reduce", None: "data decide where the segments end; scatter_reduce has a form"},
	{Op: "torch.repeat_interleave torch.Tensor.repeat_interleave", Lower: repeatInterleave},
}

// nonzeroColumns lists the places of what is not zero, one tensor for each
// dimension.
func (c *Call) nonzeroColumns(x V, rank int) []V {
	if rank == 0 {
		x, rank = c.Unsqueeze(x, 0), 1
	}
	return c.trues(c.Cast(x, onnx.Bool), rank)
}

// nonzeroRows has one row for each of the places.
func (c *Call) nonzeroRows() V {
	mask := c.Cast(c.Tensor("input"), onnx.Bool)
	if c.Rank("input") == 0 { // rows without columns
		return c.filled(c.Concat(0, c.flat(c.Cast(mask, onnx.Int64)), c.I64(0)), onnx.Int64, 0)
	}
	return c.Transpose(c.Op("NonZero", In(mask)), 1, 0)
}

// unique sorts; PyTorch does so also when it need not.
func unique(c *Call) {
	x := c.Tensor("input")
	d := x.DType
	switch {
	case d == onnx.Float16 || d == onnx.BFloat16:
		x = c.Cast(x, onnx.Float)
	case !isFloat(d): // some runtimes have no kernel for the others
		x = c.Cast(x, onnx.Int64)
	}
	attrs := []*onnx.Attr{onnx.IntAttr("sorted", 1)}
	if c.Has("dim") {
		attrs = append(attrs, onnx.IntAttr("axis", c.Axis("dim", c.Rank("input"))))
	}
	out := c.Ops("Unique", 4, In(x), attrs...)
	outs := []V{c.Cast(out[0], d)}
	inverse, counts := out[2], out[3]
	if !c.Has("dim") {
		inverse = c.ReshapeTo(inverse, c.Shape(x))
	}
	c.Return(append(outs, inverse, counts)[:len(c.Node.Outputs)]...)
}

// uniqueConsecutive keeps what differs from the element before.
func uniqueConsecutive(c *Call) {
	x, rank := c.Tensor("input"), c.Rank("input")
	axis := int64(0)
	if c.Has("dim") {
		axis = c.Axis("dim", rank)
	} else {
		x = c.flat(x)
	}
	y := c.Cast(x, workType(x.DType))
	tail, head := c.ends(y, axis)
	differs := c.Op("Not", In(c.Op("Equal", In(tail, head))))
	if c.Has("dim") && rank > 1 {
		var others []int64
		for i := range int64(rank) {
			if i != axis {
				others = append(others, i)
			}
		}
		differs = c.Cast(c.Reduce("ReduceMax", c.Cast(differs, onnx.Int32), false, others...), onnx.Bool)
	}
	n := c.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	first := c.Op("Expand", In(c.Cast(c.I64(1), onnx.Bool), c.Op("Min", In(n, c.I64(1)))))
	starts := c.Concat(0, first, differs)
	outs := []V{c.Op("Compress", In(x, starts), onnx.IntAttr("axis", axis))}
	inverse := c.Op("Sub", In(c.Op("CumSum", In(c.Cast(starts, onnx.Int64), c.I64Scalar(0))), c.I64Scalar(1)))
	if !c.Has("dim") {
		inverse = c.ReshapeTo(inverse, c.Shape(c.Tensor("input")))
	}
	at := c.flat(c.Op("NonZero", In(starts)))
	counts := c.Op("Sub", In(c.Concat(0, c.Slice(at, 0, 1, 1<<62, 1), n), at))
	c.Return(append(outs, inverse, counts)[:len(c.Node.Outputs)]...)
}

// bincount adds ones, or weights, at the elements' places.
func bincount(c *Call) {
	x := c.Cast(c.Tensor("input"), onnx.Int64)
	most := c.Reduce("ReduceMax", c.Concat(0, x, c.I64(-1)), true, 0)
	n := c.Op("Max", In(c.Op("Add", In(most, c.I64(1))), c.scalarI64("minlength")))
	d := c.OutDType(0)
	var w V
	if c.Has("weights") && !emptyShape(c.Type("input")) {
		w = c.Operand("weights", d)
	} else {
		w = c.filled(c.Shape(x), d, 1)
	}
	c.Return(c.scatterElements(c.filled(n, d, 0), x, w, 0, "add"))
}

// histc counts elements in equal intervals; the last one includes its end. Equal
// bounds stand for the least and the greatest element.
func histc(c *Call) {
	d := c.OutDType(0)
	w := d
	if !isFloat(w) {
		w = onnx.Double
	}
	x := c.flat(c.Cast(c.Tensor("input"), w))
	bins := c.number("bins", c.Arg("bins"), onnx.Int64)
	lo, hi := c.Number("min", w), c.Number("max", w)
	if c.Float("min") == c.Float("max") {
		lo, hi = c.Reduce("ReduceMin", x, false, 0), c.Reduce("ReduceMax", x, false, 0)
		single := c.Op("Equal", In(lo, hi))
		one := c.Scalar(w, 1)
		lo, hi = c.Op("Where", In(single, c.Op("Sub", In(lo, one)), lo)), c.Op("Where", In(single, c.Op("Add", In(hi, one)), hi))
	}
	place := c.Op("Floor", In(c.Op("Div", In(c.mul(c.Op("Sub", In(x, lo)), c.Cast(bins, w)), c.Op("Sub", In(hi, lo))))))
	at := c.Op("Min", In(c.Cast(place, onnx.Int64), c.Op("Sub", In(bins, c.I64Scalar(1)))))
	inside := c.Op("And", In(c.Op("GreaterOrEqual", In(x, lo)), c.Op("LessOrEqual", In(x, hi))))
	at = c.Op("Max", In(at, c.I64Scalar(0)))
	c.Return(c.scatterElements(c.filled(c.flat(bins), d, 0), at, c.Cast(inside, d), 0, "add"))
}

// repeatInterleave repeats each element, a number of times or as often as a tensor
// says.
func repeatInterleave(c *Call) {
	reps, tensor := c.Arg("repeats").(*graph.Value)
	if !c.Has("self") { // only the places
		c.Return(c.Cast(c.repeated(c.Cast(c.Tensor("repeats"), onnx.Int64)), c.OutDType(0)))
		return
	}
	x, rank := c.Tensor("self"), c.Rank("self")
	axis := int64(0)
	if !c.Has("dim") || rank == 0 {
		x = c.flat(x)
	} else {
		axis = c.Axis("dim", rank)
	}
	size := c.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	var times V
	if tensor && reps.Kind == graph.TensorKind {
		times = c.Op("Expand", In(c.flat(c.Cast(c.Tensor("repeats"), onnx.Int64)), size))
	} else {
		times = c.Op("Expand", In(c.scalarI64("repeats"), size))
	}
	c.Return(c.Op("Gather", In(x, c.repeated(times)), onnx.IntAttr("axis", axis)))
}

// repeated lists 0, 1, … each as often as times says: how many of the running sums
// a place has passed.
func (c *Call) repeated(times V) V {
	sums := c.Op("CumSum", In(times, c.I64Scalar(0)))
	total := c.Reduce("ReduceSum", times, false, 0)
	passed := c.Op("LessOrEqual", In(c.Unsqueeze(sums, 0), c.Unsqueeze(c.rangeTo(total), 1)))
	return c.Reduce("ReduceSum", c.Cast(passed, onnx.Int64), false, 1)
}
