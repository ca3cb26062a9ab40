package aten

// This file lowers attention: the scaled product of queries and keys, and the
// whole of multi-head attention with its projections.

import (
	"math"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

var attentionRecords = []Record{
	{Op: "torch.nn.functional.scaled_dot_product_attention torch.nn.functional._scaled_dot_product_attention", Lower: scaledDotProduct},
	{Op: "torch.nn.functional.multi_head_attention_forward", Lower: multiHead},
}

// sizeIn is the size of a dimension as a number of type d without dimensions.
func (e *Emitter) sizeIn(x V, axis int64, d onnx.DType) V {
	return e.Cast(e.Op("Gather", In(e.Shape(x), e.I64Scalar(axis))), d)
}

// attend is softmax(scores)·value, and the softmax itself; with dropout of the
// weights in training. A query that may see no key gets zeros if safe, else NaN.
func (e *Emitter) attend(scores, value V, p float64, safe bool) (out, weights V) {
	weights = e.Op("Softmax", In(scores), onnx.IntAttr("axis", -1))
	if safe {
		none := e.Op("Equal", In(e.Reduce("ReduceMax", scores, true, -1), e.Scalar(scores.DType, math.Inf(-1))))
		weights = e.either(none, e.Scalar(weights.DType, 0), weights)
	}
	if p > 0 {
		weights = e.Op("Dropout", In(weights, e.Scalar(weights.DType, p), e.Scalar(boolType, 1)))
	}
	return e.matMul(weights, value), weights
}

// forbid is a summand of scores: -∞ where a mask forbids and 0 elsewhere.
func (e *Emitter) forbid(mask V, d onnx.DType) V {
	return e.either(mask, e.Scalar(d, math.Inf(-1)), e.Scalar(d, 0))
}

// scaledDotProduct: a bool mask says which keys count, another one is added. With
// is_causal those up to the query's own place count.
func scaledDotProduct(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	q, k, v := c.Operand("query", d), c.Operand("key", d), c.Operand("value", d)
	rank := c.Rank("query")
	if c.Bool("enable_gqa") {
		k, v = c.repeatHeads(k, "key"), c.repeatHeads(v, "value")
	}
	scale := V{}
	switch n, known := c.Type("query").Shape[rank-1].Const(); {
	case c.Has("scale"):
		scale = c.Number("scale", d)
	case known:
		scale = e.Scalar(d, 1/math.Sqrt(float64(n)))
	default:
		scale = e.Op("Reciprocal", In(e.sqrt(e.sizeIn(q, int64(rank-1), d))))
	}
	scores := e.matMul(e.mul(q, scale), e.swapLast(k, c.Rank("key")))
	if c.Bool("is_causal") {
		scores = c.causal(scores, c.SizeOf("query", int64(rank-2)), c.SizeOf("key", int64(c.Rank("key")-2)))
	}
	if c.Has("attn_mask") {
		mask := c.Tensor("attn_mask")
		if mask.DType == onnx.Bool {
			mask = e.forbid(e.Op("Not", In(mask)), d)
		}
		scores = e.add(scores, e.Cast(mask, d))
	}
	out, weights := e.attend(scores, v, c.Float("dropout_p"), c.Has("attn_mask") && !emptyShape(c.Type("key")))
	if len(c.Node.Outputs) == 1 {
		c.Return(out)
		return
	}
	c.Return(out, weights)
}

// causal leaves to each query the keys up to its own place. The scores are (…, queries, keys).
func (c *Call) causal(scores, queries, keys V) V {
	e := c.emit
	ones := e.filled(e.Concat(0, queries, keys), onnx.Int64, 1)
	seen := e.Cast(e.Op("Trilu", In(ones), onnx.IntAttr("upper", 0)), onnx.Bool)
	return e.add(scores, e.forbid(e.Op("Not", In(seen)), c.OutDType(0)))
}

// repeatHeads repeats each head of keys or values so that there are as many as the
// query has.
func (c *Call) repeatHeads(x V, name string) V {
	e := c.emit
	rank := c.Rank(name)
	have, want := c.ConstDim(name, int64(rank-3)), c.ConstDim("query", int64(c.Rank("query")-3))
	if have == want {
		return x
	}
	repeats := ones(rank + 1)
	repeats[rank-2] = want / have
	tiled := e.Op("Tile", In(e.Unsqueeze(x, int64(rank-2)), e.I64(repeats...)))
	shape := e.Shape(x)
	head, tail := e.Slice(shape, 0, 0, int64(rank-3), 1), e.Slice(shape, 0, int64(rank-2), int64(rank), 1)
	return e.ReshapeTo(tiled, e.Concat(0, head, e.I64(want), tail))
}

// multiHead lowers torch.nn.functional.multi_head_attention_forward. Inside, heads
// are a dimension of their own: (batch, heads, length, head size).
func multiHead(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	batched := c.Rank("query") == 3
	input := func(name string) V {
		x := c.Tensor(name)
		if !batched {
			x = e.Unsqueeze(x, 1)
		}
		return x
	}
	heads := c.Int("num_heads")
	outShape := c.OutType(0).Shape
	embed, ok := outShape[len(outShape)-1].Const()
	if !ok {
		failf("the size of the embedding must be known when the model is exported")
	}
	size := embed / heads
	q, k, v := c.projections(input("query"), input("key"), input("value"))
	extra := int64(0) // keys that are no input
	if c.Has("bias_k") {
		batch := e.Op("Shape", In(k), onnx.IntAttr("start", 1), onnx.IntAttr("end", 2))
		shape := e.Concat(0, e.I64(1), batch, e.I64(1))
		k = e.Concat(0, k, e.Op("Expand", In(c.Tensor("bias_k"), shape)))
		v = e.Concat(0, v, e.Op("Expand", In(c.Tensor("bias_v"), shape)))
		extra++
	}
	split := func(x V) V {
		return e.Transpose(e.Op("Reshape", In(x, e.I64(0, 0, heads, size))), 1, 2, 0, 3)
	}
	static := func(name string) V { // (batch·heads, length, head size)
		return e.byHeads(c.Tensor(name), heads)
	}
	q = split(q)
	if c.Has("static_k") {
		k = static("static_k")
	} else {
		k = split(k)
	}
	if c.Has("static_v") {
		v = static("static_v")
	} else {
		v = split(v)
	}
	if c.Bool("add_zero_attn") {
		row := e.times(e.Slice(q, 2, 0, 1, 1), 0)
		zero := e.either(e.Op("IsNaN", In(row)), e.Scalar(d, 0), row)
		k, v = e.Concat(2, k, zero), e.Concat(2, v, zero)
		extra++
	}
	scores := e.matMul(e.times(q, 1/math.Sqrt(float64(size))), e.Transpose(k, 0, 1, 3, 2))
	if c.Bool("is_causal") && !c.Has("key_padding_mask") && !c.Bool("need_weights") { // the hint takes the mask's place
		shape := e.Op("Shape", In(scores))
		scores = c.causal(scores, e.Slice(shape, 0, 2, 3, 1), e.Slice(shape, 0, 3, 4, 1))
	} else if c.Has("attn_mask") {
		mask := c.mask("attn_mask", d, extra)
		if c.Rank("attn_mask") == 3 {
			mask = e.byHeads(mask, heads)
		}
		scores = e.add(scores, mask)
	}
	if c.Has("key_padding_mask") {
		mask := c.mask("key_padding_mask", d, extra)
		if c.Rank("key_padding_mask") == 1 {
			mask = e.Unsqueeze(mask, 0)
		}
		scores = e.add(scores, e.Unsqueeze(mask, 1, 2))
	}
	p := 0.0
	if c.Bool("training") {
		p = c.Float("dropout_p")
	}
	masked := (c.Has("attn_mask") || c.Has("key_padding_mask")) && !emptyShape(c.Type("key"))
	out, weights := e.attend(scores, v, p, masked && !c.Bool("need_weights")) // without weights PyTorch takes the other function
	out = e.Op("Reshape", In(e.Transpose(out, 2, 0, 1, 3), e.I64(0, 0, embed)))
	out = c.linear(out, c.Tensor("out_proj_weight"), c.Opt("out_proj_bias"), 3, 2, c.projected("query"))
	if !batched {
		out = e.Squeeze(out, 1)
	}
	if len(c.Node.Outputs) == 1 {
		c.Return(out)
		return
	}
	if c.Bool("average_attn_weights") {
		weights = e.Reduce("ReduceMean", weights, false, 1)
	}
	if !batched {
		weights = e.Squeeze(weights, 0)
	}
	c.Return(out, weights)
}

// projections are query, key and value times their weights: parts of one matrix,
// or three.
func (c *Call) projections(q, k, v V) (_, _, _ V) {
	e := c.emit
	x := [3]V{q, k, v}
	// one product, and the weights stay whole
	if !c.Bool("use_separate_proj_weight") && c.Arg("query") == c.Arg("key") && c.Arg("key") == c.Arg("value") {
		to := c.projected("query")
		to[2] = c.Pool.DimMul(c.Pool.ConstDim(3), to[2])
		y := e.splitEven(c.linear(q, c.Tensor("in_proj_weight"), c.Opt("in_proj_bias"), 3, 2, to), 2, 3)
		return y[0], y[1], y[2]
	}
	var w, b []V
	if c.Bool("use_separate_proj_weight") {
		w = []V{c.Tensor("q_proj_weight"), c.Tensor("k_proj_weight"), c.Tensor("v_proj_weight")}
	} else {
		w = e.splitEven(c.Tensor("in_proj_weight"), 0, 3)
	}
	if c.Has("in_proj_bias") {
		b = e.splitEven(c.Tensor("in_proj_bias"), 0, 3)
	}
	for i, name := range [...]string{"query", "key", "value"} {
		var bias V
		if b != nil {
			bias = b[i]
		}
		x[i] = c.linear(x[i], w[i], bias, 3, 2, c.projected(name))
	}
	return x[0], x[1], x[2]
}

// projected is the shape (length, batch, embedding) of the projection of an argument, which may lack the batch.
func (c *Call) projected(name string) symshape.Shape {
	s, out := c.Type(name).Shape, c.OutType(0).Shape
	batch := c.Pool.ConstDim(1)
	if len(s) == 3 {
		batch = s[1]
	}
	return symshape.Shape{s[0], batch, out[len(out)-1]}
}

// byHeads splits the first of three dimensions into batch and heads.
func (e *Emitter) byHeads(x V, heads int64) V {
	rest := e.Op("Shape", In(x), onnx.IntAttr("start", 1))
	return e.Op("Reshape", In(x, e.Concat(0, e.I64(-1, heads), rest)))
}

// mask is a summand of scores. A mask that is not of floats forbids where it is
// true. Keys that are no input are allowed.
func (c *Call) mask(name string, d onnx.DType, extra int64) V {
	e := c.emit
	m := c.Tensor(name)
	if isFloat(m.DType) {
		m = e.Cast(m, d)
	} else {
		m = e.forbid(e.Cast(m, onnx.Bool), d)
	}
	if extra == 0 {
		return m
	}
	pads := make([]int64, 2*c.Rank(name))
	pads[len(pads)-1] = extra
	return e.Op("Pad", In(m, e.I64(pads...), e.Scalar(d, 0)))
}
