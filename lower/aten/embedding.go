package aten

// This file lowers tables of vectors, and one-hot rows.

import (
	"math"

	"shapecheck/onnx"
)

var embeddingRecords = []Record{
	{Op: "torch.nn.functional.embedding", Lower: func(c *Call) {
		c.Return(c.rows("input"))
	}},
	{Op: "torch.embedding", Lower: func(c *Call) {
		c.Return(c.rows("indices"))
	}},
	{Op: "torch.nn.functional.embedding_bag", Lower: func(c *Call) {
		out, _ := c.bags("input", c.Str("mode"))
		if c.Rank("input") == 2 && c.Bool("include_last_offset") { // the last row counts as the end of the one before
			out = c.Slice(out, 0, 0, -1, 1)
		}
		c.Return(out)
	}},
	{Op: "torch.embedding_renorm_", None: "it changes the table while it is read"},
	{Op: "torch.embedding_bag", None: "what it notes for its gradient differs between versions of PyTorch; torch.nn.functional.embedding_bag has a lowering"},
	{Op: "torch.nn.functional.one_hot", Lower: func(c *Call) {
		x, rank := c.Tensor("input"), c.Rank("input")
		n := V{}
		if k, ok := ConstInt(c.Arg("num_classes")); ok && k < 0 { // the greatest one decides
			n = c.Op("Add", In(c.Reduce("ReduceMax", c.flat(x), false, 0), c.I64Scalar(1)))
		} else {
			n = c.number("num_classes", c.Arg("num_classes"), onnx.Int64)
		}
		c.Return(c.Cast(c.Op("Equal", In(c.Unsqueeze(x, int64(rank)), c.rangeTo(n))), onnx.Int64))
	}},
}

// rows looks vectors up. With max_norm longer ones are scaled down.
func (c *Call) rows(index string) V {
	at := c.Tensor(index)
	if at.DType != onnx.Int32 {
		at = c.Cast(at, onnx.Int64)
	}
	v := c.Op("Gather", In(c.Tensor("weight"), at), onnx.IntAttr("axis", 0))
	if !c.Has("max_norm") {
		return v
	}
	last := int64(c.Rank(index))
	p, most := 2.0, c.Float("max_norm")
	if c.Has("norm_type") {
		p = c.Float("norm_type")
	}
	norm := c.normOf(v, p, func(op string, x V) V { return c.Reduce(op, x, true, last) })
	d := v.DType
	scale := c.Op("Div", In(c.Scalar(d, most), c.Op("Add", In(norm, c.Scalar(d, 1e-7)))))
	return c.mul(v, c.Op("Where", In(c.Op("Greater", In(norm, c.Scalar(d, most))), scale, c.Scalar(d, 1))))
}

// bags combines rows in bags: each row of a matrix of indices, or the parts of a
// vector that start at offsets. It also returns the rows' weights in each bag.
func (c *Call) bags(index, how string) (out, member V) {
	d := c.OutDType(0)
	v := c.rows(index) // [b, n, dim] or [n, dim]
	ids := c.Cast(c.Tensor(index), onnx.Int64)
	matrix := c.Rank(index) == 2
	if matrix {
		member = c.filled(c.Shape(ids), d, 1)
	} else {
		offsets := c.Cast(c.Tensor("offsets"), onnx.Int64)
		if c.Bool("include_last_offset") {
			offsets = c.Slice(offsets, 0, 0, -1, 1)
		}
		at := c.Unsqueeze(c.rangeTo(c.Op("Size", In(ids))), 0)
		passed := c.Op("LessOrEqual", In(c.Unsqueeze(offsets, 1), at)) // [b, n]
		bag := c.Reduce("ReduceSum", c.Cast(passed, onnx.Int64), true, 0)
		own := c.Unsqueeze(c.Op("Add", In(c.rangeTo(c.Op("Size", In(offsets))), c.I64Scalar(1))), 1)
		member = c.Cast(c.Op("Equal", In(bag, own)), d) // [b, n]
	}
	if c.Has("padding_idx") {
		pad := c.number("padding_idx", c.Arg("padding_idx"), onnx.Int64)
		if n, ok := ConstInt(c.Arg("padding_idx")); ok && n < 0 {
			pad = c.Op("Add", In(pad, c.dimSize(c.Tensor("weight"), 0)))
		}
		member = c.mul(member, c.Cast(c.Op("Not", In(c.Op("Equal", In(ids, pad)))), d))
	}
	weight := member
	if c.Has("per_sample_weights") {
		weight = c.mul(member, c.Operand("per_sample_weights", d))
	}
	switch how {
	case "max":
		all := c.Unsqueeze(member, 2) // [b, n, 1]
		low := c.Op("Where", In(c.Cast(all, onnx.Bool), v, c.Scalar(d, math.Inf(-1))))
		none := c.Op("Expand", In(c.Scalar(d, math.Inf(-1)), c.oneRow(low)))
		most := c.Reduce("ReduceMax", c.Concat(1, low, none), false, 1)
		empty := c.Op("Equal", In(c.Reduce("ReduceSum", member, true, 1), c.Scalar(d, 0)))
		return c.Op("Where", In(empty, c.Scalar(d, 0), most)), member
	case "sum", "mean":
		if matrix {
			out = c.Reduce("ReduceSum", c.mul(c.Unsqueeze(weight, 2), v), false, 1)
		} else {
			out = c.Op("MatMul", In(weight, v))
		}
		if how == "mean" {
			n := c.Op("Max", In(c.Reduce("ReduceSum", member, true, 1), c.Scalar(d, 1)))
			out = c.Op("Div", In(out, n))
		}
		return out, member
	}
	c.Failf("there is no mode %q", how)
	return V{}, V{}
}

// oneRow is the shape of x with 1 in dimension 1 of three.
func (c *Call) oneRow(x V) V {
	s := c.Shape(x)
	return c.Concat(0, c.Slice(s, 0, 0, 1, 1), c.I64(1), c.Slice(s, 0, 2, 3, 1))
}
