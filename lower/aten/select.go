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
		d := c.OutDType(0)
		x, end, w := c.Operand("input", d), c.Operand("end", d), c.Operand("weight", d)
		one := c.Scalar(d, 1)
		diff := c.Op("Sub", In(end, x))
		low := c.Op("Add", In(x, c.mul(w, diff)))
		high := c.Op("Sub", In(end, c.mul(diff, c.Op("Sub", In(one, w)))))
		c.Return(c.where(c.Op("Less", In(c.Op("Abs", In(w)), c.Scalar(d, 0.5))), low, high))
	}},
	{Op: "torch.addcmul", Lower: addCombined("Mul")},
	{Op: "torch.addcdiv", Lower: addCombined("Div")},
	{Op: "torch.isin", Lower: isin},
	{Op: "torch.fill torch.Tensor.fill_", Lower: func(c *Call) {
		c.Return(c.Op("Expand", In(c.scalarOf("value", c.OutDType(0)), c.Shape(c.Tensor("input")))))
	}},
	{Op: "torch.Tensor.zero_", Lower: func(c *Call) { c.Return(c.filled(c.Shape(c.Tensor("input")), c.OutDType(0), 0)) }},
	{Op: "torch.Tensor.copy_", Lower: func(c *Call) {
		v := c.Operand("src", c.OutDType(0))
		src, ok := c.Arg("src").(*graph.Value)
		if !ok {
			c.Return(c.Op("Expand", In(v, c.Shape(c.Tensor("input")))))
			return
		}
		if src.Type.Rank() == c.Type("input").Rank() && src.Type.Shape.String() == c.Type("input").Shape.String() && src.Type.Rank() >= 0 {
			c.Return(v)
			return
		}
		c.Return(c.Op("Expand", In(v, c.Shape(c.Tensor("input")))))
	}},
	{Op: "torch.masked_fill", Lower: func(c *Call) {
		d := c.OutDType(0)
		c.Return(c.where(c.Cast(c.Tensor("mask"), onnx.Bool), c.Operand("value", d), c.Operand("self", d)))
	}},
	{Op: "torch.masked_select", Lower: func(c *Call) {
		x, mask := c.broadcastPair(c.Tensor("self"), c.Cast(c.Tensor("mask"), onnx.Bool))
		c.Return(c.Op("Compress", In(c.flat(x), c.flat(mask)), onnx.IntAttr("axis", 0)))
	}},
	{Op: "torch.masked_scatter", Lower: maskedScatter},
}

// where emits Where in a type that runtimes choose in.
func (c *Call) where(cond, x, y V) V {
	d := x.DType
	if d == onnx.Bool {
		return c.Op("Or", In(c.Op("And", In(cond, x)), c.Op("And", In(c.Op("Not", In(cond)), y))))
	}
	w := workType(d)
	if d == onnx.Uint8 {
		w = d
	}
	return c.Cast(c.Op("Where", In(cond, c.Cast(x, w), c.Cast(y, w))), d)
}

// where of three arguments chooses; of one it lists the places of what is not zero.
func where(c *Call) {
	if !c.Has("input") {
		c.Return(c.nonzeroColumns(c.Tensor("condition"), c.Rank("condition"))...)
		return
	}
	d := c.OutDType(0)
	c.Return(c.where(c.Cast(c.Tensor("condition"), onnx.Bool), c.Operand("input", d), c.Operand("other", d)))
}

// clamp limits from below first: where the bounds cross, the upper one holds. A
// bound that is NaN makes the result NaN.
func clamp(c *Call) {
	out := c.OutDType(0)
	d := workType(out)
	if out == onnx.Bool {
		d = onnx.Int32
	}
	x := c.Operand("input", d)
	if c.Has("min") {
		x = c.Op("Max", In(x, c.Operand("min", d)))
	}
	if c.Has("max") {
		x = c.Op("Min", In(x, c.Operand("max", d)))
	}
	c.Return(c.Cast(x, out))
}

// addCombined is input + value·(tensor1 ∘ tensor2).
func addCombined(op string) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		t1, t2 := c.Operand("tensor1", d), c.Operand("tensor2", d)
		if c.Has("value") && !isOne(c.Arg("value")) {
			t1 = c.mul(t1, c.Number("value", d))
		}
		c.Return(c.Cast(c.Op("Add", In(c.Operand("input", d), c.Op(op, In(t1, t2)))), out))
	}
}

// isin compares every element with every test element.
func isin(c *Call) {
	d := workType(c.common("elements", "test_elements"))
	x, tests := c.Operand("elements", d), c.Operand("test_elements", d)
	rank := 0
	if v, ok := c.Arg("elements").(*graph.Value); ok && v.Kind == graph.TensorKind {
		rank = c.rankOf(v)
	}
	hit := c.Op("Equal", In(c.Unsqueeze(x, int64(rank)), c.flat(tests)))
	count := c.Reduce("ReduceSum", c.Cast(hit, onnx.Int32), false, int64(rank))
	v := c.Cast(count, onnx.Bool)
	if c.Bool("invert") {
		v = c.Op("Not", In(v))
	}
	c.Return(v)
}

// scalarOf is a number, or a tensor with one element, as a scalar.
func (c *Call) scalarOf(name string, d onnx.DType) V {
	v := c.Operand(name, d)
	if t, ok := c.Arg(name).(*graph.Value); ok && t.Kind == graph.TensorKind && t.Type.Rank() != 0 {
		return c.scalar0(v)
	}
	return v
}

// broadcastPair expands two tensors to their common shape.
func (c *Call) broadcastPair(x, y V) (V, V) {
	sx, sy := c.Shape(x), c.Shape(y)
	// Expand broadcasts in both directions.
	return c.Op("Expand", In(x, sy)), c.Op("Expand", In(y, sx))
}

// maskedScatter puts the elements of source, one after the other, where the mask is
// true.
func maskedScatter(c *Call) {
	d := c.OutDType(0)
	x, mask := c.broadcastPair(c.Operand("self", d), c.Cast(c.Tensor("mask"), onnx.Bool))
	flatMask := c.flat(mask)
	n := c.Op("CumSum", In(c.Cast(flatMask, onnx.Int64), c.I64Scalar(0)))
	at := c.Op("Max", In(c.Op("Sub", In(n, c.I64Scalar(1))), c.I64Scalar(0)))
	source := c.Concat(0, c.flat(c.Operand("source", d)), c.Cast(c.I64(0), d)) // a source may be empty
	v := c.Op("Gather", In(source, at), onnx.IntAttr("axis", 0))
	c.Return(c.ReshapeTo(c.where(flatMask, v, c.flat(x)), c.Shape(x)))
}
