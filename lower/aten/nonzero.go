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
			c.Return(c.emit.nonzeroColumns(c.Tensor("input"), c.Rank("input"))...)
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
func (e *Emitter) nonzeroColumns(x V, rank int) []V {
	if rank == 0 {
		x, rank = e.Unsqueeze(x, 0), 1
	}
	return e.trues(e.Cast(x, onnx.Bool), rank)
}

// nonzeroRows has one row for each of the places.
func (c *Call) nonzeroRows() V {
	e := c.emit
	mask := e.Cast(c.Tensor("input"), onnx.Bool)
	if c.Rank("input") == 0 { // rows without columns
		return e.filled(e.Concat(0, e.flat(e.Cast(mask, onnx.Int64)), e.I64(0)), onnx.Int64, 0)
	}
	return e.Transpose(e.Op("NonZero", In(mask)), 1, 0)
}

// unique sorts; PyTorch does so also when it need not.
func unique(c *Call) {
	e := c.emit
	x := c.Tensor("input")
	d := x.DType
	switch {
	case d == onnx.Float16 || d == onnx.BFloat16:
		x = e.Cast(x, onnx.Float)
	case !isFloat(d): // some runtimes have no kernel for the others
		x = e.Cast(x, onnx.Int64)
	}
	attrs := []*onnx.Attr{onnx.IntAttr("sorted", 1)}
	if c.Has("dim") {
		attrs = append(attrs, onnx.IntAttr("axis", c.Axis("dim", c.Rank("input"))))
	}
	out := e.Ops("Unique", 4, In(x), attrs...)
	outs := []V{e.Cast(out[0], d)}
	inverse, counts := out[2], out[3]
	if !c.Has("dim") {
		inverse = e.ReshapeTo(inverse, e.Shape(x))
	}
	c.Return(append(outs, inverse, counts)[:len(c.Node.Outputs)]...)
}

// uniqueConsecutive keeps what differs from the element before.
func uniqueConsecutive(c *Call) {
	e := c.emit
	x, rank := c.Tensor("input"), c.Rank("input")
	axis := int64(0)
	if c.Has("dim") {
		axis = c.Axis("dim", rank)
	} else {
		x = e.flat(x)
	}
	y := e.Cast(x, workType(x.DType))
	tail, head := e.ends(y, axis)
	differs := e.Op("Not", In(e.Op("Equal", In(tail, head))))
	if c.Has("dim") && rank > 1 {
		var others []int64
		for i := range int64(rank) {
			if i != axis {
				others = append(others, i)
			}
		}
		differs = e.Cast(e.Reduce("ReduceMax", e.Cast(differs, onnx.Int32), false, others...), onnx.Bool)
	}
	n := e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	first := e.Op("Expand", In(e.Cast(e.I64(1), onnx.Bool), e.Op("Min", In(n, e.I64(1)))))
	starts := e.Concat(0, first, differs)
	outs := []V{e.Op("Compress", In(x, starts), onnx.IntAttr("axis", axis))}
	inverse := e.Op("Sub", In(e.Op("CumSum", In(e.Cast(starts, onnx.Int64), e.I64Scalar(0))), e.I64Scalar(1)))
	if !c.Has("dim") {
		inverse = e.ReshapeTo(inverse, e.Shape(c.Tensor("input")))
	}
	at := e.flat(e.Op("NonZero", In(starts)))
	counts := e.Op("Sub", In(e.Concat(0, e.Slice(at, 0, 1, 1<<62, 1), n), at))
	c.Return(append(outs, inverse, counts)[:len(c.Node.Outputs)]...)
}

// bincount adds ones, or weights, at the elements' places.
func bincount(c *Call) {
	e := c.emit
	x := e.Cast(c.Tensor("input"), onnx.Int64)
	most := e.Reduce("ReduceMax", e.Concat(0, x, e.I64(-1)), true, 0)
	n := e.Op("Max", In(e.Op("Add", In(most, e.I64(1))), c.scalarI64("minlength")))
	d := c.OutDType(0)
	var w V
	if c.Has("weights") && !emptyShape(c.Type("input")) {
		w = c.Operand("weights", d)
	} else {
		w = e.filled(e.Shape(x), d, 1)
	}
	c.Return(e.scatterElements(e.filled(n, d, 0), x, w, 0, "add"))
}

// histc counts elements in equal intervals; the last one includes its end. Equal
// bounds stand for the least and the greatest element.
func histc(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	w := d
	if !isFloat(w) {
		w = onnx.Double
	}
	x := e.flat(e.Cast(c.Tensor("input"), w))
	bins := c.number("bins", c.Arg("bins"), onnx.Int64)
	lo, hi := c.Number("min", w), c.Number("max", w)
	if c.Float("min") == c.Float("max") {
		lo, hi = e.Reduce("ReduceMin", x, false, 0), e.Reduce("ReduceMax", x, false, 0)
		single := e.Op("Equal", In(lo, hi))
		one := e.Scalar(w, 1)
		lo, hi = e.Op("Where", In(single, e.Op("Sub", In(lo, one)), lo)), e.Op("Where", In(single, e.Op("Add", In(hi, one)), hi))
	}
	place := e.Op("Floor", In(e.Op("Div", In(e.mul(e.Op("Sub", In(x, lo)), e.Cast(bins, w)), e.Op("Sub", In(hi, lo))))))
	at := e.Op("Min", In(e.Cast(place, onnx.Int64), e.Op("Sub", In(bins, e.I64Scalar(1)))))
	inside := e.Op("And", In(e.Op("GreaterOrEqual", In(x, lo)), e.Op("LessOrEqual", In(x, hi))))
	at = e.Op("Max", In(at, e.I64Scalar(0)))
	c.Return(e.scatterElements(e.filled(e.flat(bins), d, 0), at, e.Cast(inside, d), 0, "add"))
}

// repeatInterleave repeats each element, a number of times or as often as a tensor
// says.
func repeatInterleave(c *Call) {
	e := c.emit
	reps, tensor := c.Arg("repeats").(*graph.Value)
	if !c.Has("self") { // only the places
		c.Return(e.Cast(e.repeated(e.Cast(c.Tensor("repeats"), onnx.Int64)), c.OutDType(0)))
		return
	}
	x, rank := c.Tensor("self"), c.Rank("self")
	axis := int64(0)
	if !c.Has("dim") || rank == 0 {
		x = e.flat(x)
	} else {
		axis = c.Axis("dim", rank)
	}
	size := e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	var times V
	if tensor && reps.Kind == graph.TensorKind {
		times = e.Op("Expand", In(e.flat(e.Cast(c.Tensor("repeats"), onnx.Int64)), size))
	} else {
		times = e.Op("Expand", In(c.scalarI64("repeats"), size))
	}
	c.Return(e.Op("Gather", In(x, e.repeated(times)), onnx.IntAttr("axis", axis)))
}

// repeated lists 0, 1, … each as often as times says: how many of the running sums
// a place has passed.
func (e *Emitter) repeated(times V) V {
	sums := e.Op("CumSum", In(times, e.I64Scalar(0)))
	total := e.Reduce("ReduceSum", times, false, 0)
	passed := e.Op("LessOrEqual", In(e.Unsqueeze(sums, 0), e.Unsqueeze(e.rangeTo(total), 1)))
	return e.Reduce("ReduceSum", e.Cast(passed, onnx.Int64), false, 1)
}
