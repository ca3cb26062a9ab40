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
			out = c.emit.Slice(out, 0, 0, -1, 1)
		}
		c.Return(out)
	}},
	{Op: "torch.embedding_renorm_", None: "it changes the table while it is read"},
	{Op: "torch.embedding_bag", None: "what it notes for its gradient differs between versions of PyTorch; torch.nn.functional.embedding_bag has a lowering"},
	{Op: "torch.nn.functional.one_hot", Lower: func(c *Call) {
		e := c.emit
		x, rank := c.Tensor("input"), c.Rank("input")
		n := V{}
		if k, ok := ConstInt(c.Arg("num_classes")); ok && k < 0 { // the greatest one decides
			n = e.Op("Add", In(e.Reduce("ReduceMax", e.flat(x), false, 0), e.I64Scalar(1)))
		} else {
			n = c.number("num_classes", c.Arg("num_classes"), onnx.Int64)
		}
		c.Return(e.Cast(e.Op("Equal", In(e.Unsqueeze(x, int64(rank)), e.rangeTo(n))), onnx.Int64))
	}},
}

// rows looks vectors up. With max_norm longer ones are scaled down.
func (c *Call) rows(index string) V {
	e := c.emit
	at := c.Tensor(index)
	if at.DType != onnx.Int32 {
		at = e.Cast(at, onnx.Int64)
	}
	v := e.Op("Gather", In(c.Tensor("weight"), at), onnx.IntAttr("axis", 0))
	if !c.Has("max_norm") {
		return v
	}
	last := int64(c.Rank(index))
	p, most := 2.0, c.Float("max_norm")
	if c.Has("norm_type") {
		p = c.Float("norm_type")
	}
	norm := e.normOf(v, p, func(op string, x V) V { return e.Reduce(op, x, true, last) })
	d := v.DType
	scale := e.Op("Div", In(e.Scalar(d, most), e.Op("Add", In(norm, e.Scalar(d, 1e-7)))))
	return e.mul(v, e.Op("Where", In(e.Op("Greater", In(norm, e.Scalar(d, most))), scale, e.Scalar(d, 1))))
}

// bags combines rows in bags: each row of a matrix of indices, or the parts of a
// vector that start at offsets. It also returns the rows' weights in each bag.
func (c *Call) bags(index, how string) (out, member V) {
	e := c.emit
	d := c.OutDType(0)
	v := c.rows(index) // [b, n, dim] or [n, dim]
	ids := e.Cast(c.Tensor(index), onnx.Int64)
	matrix := c.Rank(index) == 2
	if matrix {
		member = e.filled(e.Shape(ids), d, 1)
	} else {
		offsets := e.Cast(c.Tensor("offsets"), onnx.Int64)
		if c.Bool("include_last_offset") {
			offsets = e.Slice(offsets, 0, 0, -1, 1)
		}
		at := e.Unsqueeze(e.rangeTo(e.Op("Size", In(ids))), 0)
		passed := e.Op("LessOrEqual", In(e.Unsqueeze(offsets, 1), at)) // [b, n]
		bag := e.Reduce("ReduceSum", e.Cast(passed, onnx.Int64), true, 0)
		own := e.Unsqueeze(e.Op("Add", In(e.rangeTo(e.Op("Size", In(offsets))), e.I64Scalar(1))), 1)
		member = e.Cast(e.Op("Equal", In(bag, own)), d) // [b, n]
	}
	if c.Has("padding_idx") {
		pad := c.number("padding_idx", c.Arg("padding_idx"), onnx.Int64)
		if n, ok := ConstInt(c.Arg("padding_idx")); ok && n < 0 {
			pad = e.Op("Add", In(pad, e.dimSize(c.Tensor("weight"), 0)))
		}
		member = e.mul(member, e.Cast(e.Op("Not", In(e.Op("Equal", In(ids, pad)))), d))
	}
	weight := member
	if c.Has("per_sample_weights") {
		weight = e.mul(member, c.Operand("per_sample_weights", d))
	}
	switch how {
	case "max":
		all := e.Unsqueeze(member, 2) // [b, n, 1]
		low := e.Op("Where", In(e.Cast(all, onnx.Bool), v, e.Scalar(d, math.Inf(-1))))
		none := e.Op("Expand", In(e.Scalar(d, math.Inf(-1)), e.oneRow(low)))
		most := e.Reduce("ReduceMax", e.Concat(1, low, none), false, 1)
		empty := e.Op("Equal", In(e.Reduce("ReduceSum", member, true, 1), e.Scalar(d, 0)))
		return e.Op("Where", In(empty, e.Scalar(d, 0), most)), member
	case "sum", "mean":
		if matrix {
			out = e.Reduce("ReduceSum", e.mul(e.Unsqueeze(weight, 2), v), false, 1)
		} else {
			out = e.Op("MatMul", In(weight, v))
		}
		if how == "mean" {
			n := e.Op("Max", In(e.Reduce("ReduceSum", member, true, 1), e.Scalar(d, 1)))
			out = e.Op("Div", In(out, n))
		}
		return out, member
	}
	failf("there is no mode %q", how)
	return V{}, V{}
}

// oneRow is the shape of x with 1 in dimension 1 of three.
func (e *Emitter) oneRow(x V) V {
	s := e.Shape(x)
	return e.Concat(0, e.Slice(s, 0, 0, 1, 1), e.I64(1), e.Slice(s, 0, 2, 3, 1))
}
