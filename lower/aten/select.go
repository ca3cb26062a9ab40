package aten

// This file lowers choices between elements: where, clamp, masks, and mixtures of
// two tensors.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var selectRecords = []Record{
	{Op: "torch.where torch.Tensor.where", Lower: where},
	{Op: "torch.clamp torch.clamp_min torch.clamp_max", Lower: clamp},
	{Op: "torch.lerp", Lower: func(c *Call) { // from the nearer end, as PyTorch does
		e := c.emit
		d := c.OutDType(0)
		x, end, w := c.Operand("input", d), c.Operand("end", d), c.Operand("weight", d)
		one := e.Scalar(d, 1)
		diff := e.Op("Sub", In(end, x))
		low := e.Op("Add", In(x, e.mul(w, diff)))
		high := e.Op("Sub", In(end, e.mul(diff, e.Op("Sub", In(one, w)))))
		c.Return(e.where(e.Op("Less", In(e.Op("Abs", In(w)), e.Scalar(d, 0.5))), low, high))
	}},
	{Op: "torch.addcmul", Lower: addCombined("Mul")},
	{Op: "torch.addcdiv", Lower: addCombined("Div")},
	{Op: "torch.isin", Lower: isin},
	{Op: "torch.fill torch.Tensor.fill_", Lower: func(c *Call) {
		c.Return(c.emit.Op("Expand", In(c.scalarOf("value", c.OutDType(0)), c.emit.Shape(c.Tensor("input")))))
	}},
	{Op: "torch.Tensor.zero_", Lower: func(c *Call) { c.Return(c.emit.filled(c.emit.Shape(c.Tensor("input")), c.OutDType(0), 0)) }},
	{Op: "torch.Tensor.copy_", Lower: func(c *Call) {
		e := c.emit
		v := c.Operand("src", c.OutDType(0))
		src, ok := c.Arg("src").(*graph.Value)
		if !ok {
			c.Return(e.Op("Expand", In(v, e.Shape(c.Tensor("input")))))
			return
		}
		if src.Type.Rank() == c.Type("input").Rank() && src.Type.Shape.String() == c.Type("input").Shape.String() && src.Type.Rank() >= 0 {
			c.Return(v)
			return
		}
		c.Return(e.Op("Expand", In(v, e.Shape(c.Tensor("input")))))
	}},
	{Op: "torch.masked_fill", Lower: func(c *Call) {
		d := c.OutDType(0)
		c.Return(c.emit.where(c.emit.Cast(c.Tensor("mask"), onnx.Bool), c.Operand("value", d), c.Operand("self", d)))
	}},
	{Op: "torch.masked_select", Lower: func(c *Call) {
		e := c.emit
		x, mask := e.broadcastPair(c.Tensor("self"), e.Cast(c.Tensor("mask"), onnx.Bool))
		c.Return(e.Op("Compress", In(e.flat(x), e.flat(mask)), onnx.IntAttr("axis", 0)))
	}},
	{Op: "torch.masked_scatter", Lower: maskedScatter},
}

// where emits Where in a type that runtimes choose in.
func (e *Emitter) where(cond, x, y V) V {
	d := x.DType
	if d == onnx.Bool {
		return e.Op("Or", In(e.Op("And", In(cond, x)), e.Op("And", In(e.Op("Not", In(cond)), y))))
	}
	w := workType(d)
	if d == onnx.Uint8 {
		w = d
	}
	return e.Cast(e.Op("Where", In(cond, e.Cast(x, w), e.Cast(y, w))), d)
}

// where of three arguments chooses; of one it lists the places of what is not zero.
func where(c *Call) {
	e := c.emit
	if !c.Has("input") {
		c.Return(e.nonzeroColumns(c.Tensor("condition"), c.Rank("condition"))...)
		return
	}
	d := c.OutDType(0)
	c.Return(e.where(e.Cast(c.Tensor("condition"), onnx.Bool), c.Operand("input", d), c.Operand("other", d)))
}

// clamp limits from below first: where the bounds cross, the upper one holds. A
// bound that is NaN makes the result NaN.
func clamp(c *Call) {
	e := c.emit
	out := c.OutDType(0)
	d := workType(out)
	if out == onnx.Bool {
		d = onnx.Int32
	}
	x := c.Operand("input", d)
	if c.Has("min") {
		x = e.Op("Max", In(x, c.Operand("min", d)))
	}
	if c.Has("max") {
		x = e.Op("Min", In(x, c.Operand("max", d)))
	}
	c.Return(e.Cast(x, out))
}

// addCombined is input + value·(tensor1 ∘ tensor2).
func addCombined(op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		d := workType(out)
		t1, t2 := c.Operand("tensor1", d), c.Operand("tensor2", d)
		if c.Has("value") && !isOne(c.Arg("value")) {
			t1 = e.mul(t1, c.Number("value", d))
		}
		c.Return(e.Cast(e.Op("Add", In(c.Operand("input", d), e.Op(op, In(t1, t2)))), out))
	}
}

// isin compares every element with every test element.
func isin(c *Call) {
	e := c.emit
	d := workType(c.common("elements", "test_elements"))
	x, tests := c.Operand("elements", d), c.Operand("test_elements", d)
	rank := 0
	if v, ok := c.Arg("elements").(*graph.Value); ok && v.Kind == graph.TensorKind {
		rank = rankOf(v)
	}
	hit := e.Op("Equal", In(e.Unsqueeze(x, int64(rank)), e.flat(tests)))
	count := e.Reduce("ReduceSum", e.Cast(hit, onnx.Int32), false, int64(rank))
	v := e.Cast(count, onnx.Bool)
	if c.Bool("invert") {
		v = e.Op("Not", In(v))
	}
	c.Return(v)
}

// scalarOf is a number, or a tensor with one element, as a scalar.
func (c *Call) scalarOf(name string, d onnx.DType) V {
	v := c.Operand(name, d)
	if t, ok := c.Arg(name).(*graph.Value); ok && t.Kind == graph.TensorKind && t.Type.Rank() != 0 {
		return c.emit.scalar0(v)
	}
	return v
}

// broadcastPair expands two tensors to their common shape.
func (e *Emitter) broadcastPair(x, y V) (V, V) {
	sx, sy := e.Shape(x), e.Shape(y)
	// Expand broadcasts in both directions.
	return e.Op("Expand", In(x, sy)), e.Op("Expand", In(y, sx))
}

// maskedScatter puts the elements of source, one after the other, where the mask is
// true.
func maskedScatter(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	x, mask := e.broadcastPair(c.Operand("self", d), e.Cast(c.Tensor("mask"), onnx.Bool))
	flatMask := e.flat(mask)
	n := e.Op("CumSum", In(e.Cast(flatMask, onnx.Int64), e.I64Scalar(0)))
	at := e.Op("Max", In(e.Op("Sub", In(n, e.I64Scalar(1))), e.I64Scalar(0)))
	source := e.Concat(0, e.flat(c.Operand("source", d)), e.Cast(e.I64(0), d)) // a source may be empty
	v := e.Op("Gather", In(source, at), onnx.IntAttr("axis", 0))
	c.Return(e.ReshapeTo(e.where(flatMask, v, e.flat(x)), e.Shape(x)))
}
