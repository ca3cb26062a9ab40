package torch

// This file holds linear and bilinear maps and distances between vectors. The last axis of an input
// is its features; all axes before it are batch axes and pass to the result. Faults of features are
// reported with both sizes as a fact, because they are the most common mistake in a model.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

var linearOps = [...]ops.Op{
	{Names: []string{"torch.nn.functional.linear", "torch._C._nn.linear"}, Sig: "(Tensor input, Tensor weight, Tensor? bias=None)",
		Rule: linear, Out: true, ExactOut: true,
		Form: graph.Linear, Quirks: ops.OneDevice | ops.Compiled,
		Axes: "input: … features; weight: out_features in_features; bias: out_features", Is: graph.OneTensor,
		Doc: "input @ weight.T + bias"},
	{Names: []string{"torch.nn.functional.bilinear", "torch.bilinear"},
		Sig:  "(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None)",
		Rule: bilinear, Form: graph.Bilinear, Quirks: ops.OneDevice | ops.Compiled,
		Trace: ops.ComparesResult, Doc: "input1 @ weight @ input2 + bias, for each slice of weight"},
	{Names: []string{"torch.nn.functional.cosine_similarity", "torch.cosine_similarity"},
		Sig:  "(Tensor x1, Tensor x2, int dim=1, float eps=1e-8)",
		Rule: cosineSimilarity, Quirks: ops.Compiled,
		Trace: ops.ComparesOperands, Doc: "cosine of the angle between vectors along an axis"},
	{Names: []string{"torch.nn.functional.pairwise_distance", "torch.pairwise_distance"},
		Sig: "(Tensor x1, Tensor x2, float p=2.0, float eps=1e-6, bool keepdim=False)", Rule: pairwiseDistance,
		Trace: ops.ComparesOperands, Quirks: ops.Compiled, Doc: "p-norm of the difference along the last axis"},
	{Names: []string{"torch.nn.functional.pdist", "torch.pdist"}, Sig: "(Tensor input, float p=2.0)", Rule: pdist, Quirks: ops.Compiled,
		Doc: "distances between all pairs of rows"},
}

// linear: the last axis of the input is the weight's in_features, and becomes out_features. A weight of one
// dimension gives one number per row. The unequal features are reported as a fact (diag.UnfitSize) with both
// numbers, from which advice proposes in_features or a flatten. input [*, in], weight [out, in] or
// [in], bias [out] or []; the result is [*, out] or [*].
func linear(c *ops.Call) value.Value {
	x, w, b := c.Tensor("input"), c.Tensor("weight"), c.Tensor("bias")
	if x == nil || w == nil || !c.OK() {
		return nil
	}
	ws := c.Shape(w)
	if !c.OK() {
		return nil
	}
	if len(ws) != 1 && len(ws) != 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
			"linear: the weight must have 1 or 2 dimensions (output features, input features), but it is %s", w)
	}
	if !atLeastRank(c, x, 1) {
		return nil
	}
	have, want := tail(x, 1)[0], ws[len(ws)-1]
	c.Blame(ref(x, 1), ops.Ref{Tensor: w, Axis: len(ws) - 1})
	if _, ok := c.Same(have, want); !ok {
		c.Saying(c.OfSizes(diag.UnfitSize, have, want))
		return c.Shapef("linear: input has %s features in its last dimension but the weight %s expects %s", have, ws, want)
	}
	// PyTorch multiplies nothing where an operand is empty and there is no bias, and then does not
	// look at the dtypes.
	if !(b == nil && (c.Empty(x) || c.Empty(w))) && (!wantDType(c, x, "the input", ops.Numbers) ||
		!matchDType(c, x, "the input", w, "the weight")) {
		return nil
	}
	var out symshape.Shape
	if len(ws) == 2 {
		out = symshape.Shape{ws[0]}
	}
	if !linearBias(c, x, w, b, out) {
		return nil
	}
	// The result's dtype is that of whichever operand is known.
	res := retail(c, x, knownDType(x, w, b), 1, out...)
	res.Type().Strides = nil // a matrix product is contiguous
	return res
}

// linearBias checks the bias, which is added to a matrix of out features: in
// place of the product for inputs of 2 or 3 dimensions, by addmm. For other ranks the bias is added
// to the product, and need only broadcast and promote. The result is false after a report.
func linearBias(c *ops.Call, x, w, b *value.Tensor, out symshape.Shape) bool {
	if b == nil || !b.Type().Ranked {
		return c.OK()
	}
	bs, ws, rank := b.Type().Shape, w.Type().Shape, x.Type().Rank()
	// addmm asks for one dtype.
	if rank == 2 || rank == 3 && x.Type().Strides == nil {
		if !matchDType(c, x, "the input", b, "the bias") {
			return false
		}
	} else if !castable(c, x, b, "the bias") {
		return false
	}
	if len(out) == 0 && (rank == 2 || rank == 3) {
		c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "linear: with a bias the weight must have 2 dimensions, but it is %s", w)
		return false
	}
	switch {
	case len(bs) == 1 && len(out) == 1:
		// A bias of one element broadcasts.
		if !ops.IsConst(bs[0], 1) {
			c.Blame(ops.Ref{Tensor: b, Axis: 0}, ops.Ref{Tensor: w, Axis: 0})
			if _, ok := c.Same(bs[0], out[0]); !ok {
				c.Shapef("linear: the bias %s does not fit the weight %s with %s output features", b, ws, out[0])
				return false
			}
			c.Blame()
		}
	// at::linear flattens inputs of three dimensions to a matrix.
	case len(bs) > 0 && rank == 3:
		if len(bs) > 2 {
			c.Errorf("RuntimeError", diag.RankMismatch, "linear: the bias must have one dimension, but it is %s", b)
		} else {
			c.Lose("the bias has several dimensions")
		}
	case len(bs) > 0 && rank >= 0:
		full := append(append(symshape.Shape(nil), x.Type().Shape[:rank-1]...), out...)
		return broadcastable(c, b, "the bias", full)
	}
	return c.OK()
}

// bilinear needs inputs that agree in all dimensions but the last, and a weight (out, in1, in2) whose
// sizes are those of the inputs' last dimensions; all have one dtype, the bias is a vector of size out.
// The result has out in place of the last dimension. at::bilinear makes it a batch of products: for
// each k, input1 @ weight[k] @ input2.
func bilinear(c *ops.Call) value.Value {
	a, b, w, bias := c.Tensor("input1"), c.Tensor("input2"), c.Tensor("weight"), c.Tensor("bias")
	as, bs, ws := c.Shape(a), c.Shape(b), c.Shape(w)
	if !c.OK() {
		return nil
	}
	if len(as) != len(bs) {
		return c.Errorf("RuntimeError", diag.RankMismatch,
			"bilinear: the inputs must have the same number of dimensions, but they are %s and %s", a, b)
	}
	if len(ws) < 3 || len(as) < 1 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
			"bilinear: the weight must have 3 dimensions and the inputs one or more, but they are %s and %s, %s", w, a, b)
	}
	last := len(as) - 1
	out := append(symshape.Shape(nil), as...)
	for i := range last {
		c.Blame(ops.Ref{Tensor: a, Axis: i}, ops.Ref{Tensor: b, Axis: i})
		d, ok := c.Same(as[i], bs[i])
		if !ok {
			return c.Shapef("bilinear: dimension %d of the inputs differs: %s and %s", i, a, b)
		}
		out[i] = d
	}
	for i, in := range [...]*value.Tensor{a, b} {
		s := in.Type().Shape
		c.Blame(ops.Ref{Tensor: in, Axis: last}, ops.Ref{Tensor: w, Axis: 1 + i})
		if _, ok := c.Same(s[last], ws[1+i]); !ok {
			c.Saying(c.OfSizes(diag.UnfitSize, s[last], ws[1+i]))
			return c.Shapef("bilinear: input%d has %s features in its last dimension but the weight %s expects %s", i+1, s[last], ws, ws[1+i])
		}
	}
	c.Blame()
	if !vector(c, bias, "the bias", ws[0], ops.Ref{Tensor: w, Axis: 0}, "the number of output features is") {
		return nil
	}
	// Without features at::_trilinear cannot count the rows.
	if isEmpty(ws) && ops.IsConst(ws[1], 0) || isEmpty(ws) && ops.IsConst(ws[len(ws)-1], 0) {
		return c.Errorf("RuntimeError", diag.InvalidSize,
			"bilinear: the inputs have no features, so their rows cannot be counted: the weight is %s", w)
	}
	if !c.Empty(a) && !isEmpty(ws) && (!wantDType(c, a, "input1", ops.Numbers) || !matchDType(c, a, "input1", b, "input2") ||
		!matchDType(c, a, "input1", w, "the weight")) {
		return nil
	}
	if bias != nil && len(ws) > 3 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "bilinear: the weight must have 3 dimensions, but it is %s", w)
	}
	if len(ws) > 3 {
		return c.Lose("the weight has more than three dimensions")
	}
	out[last] = ws[0]
	return c.Out(c.ResultType(a, tensorValue(bias)), out)
}

// cosineSimilarity: the two broadcast, and then the axis goes; dim counts in the common shape. The
// dtype must be real and floating after promotion.
func cosineSimilarity(c *ops.Call) value.Value {
	a, b := c.Tensor("x1"), c.Tensor("x2")
	if a == nil || b == nil || !c.OK() {
		return nil
	}
	d := c.ResultType(a, b)
	if !ops.RealFloats.Has(d) {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "cosine_similarity needs floating-point inputs, but they are %s and %s", a, b)
	}
	// BroadcastTensors reports shapes that do not broadcast.
	s := c.BroadcastTensors(a, b)
	if !c.OK() {
		return nil
	}
	axis := c.Axis("dim", len(s))
	if !c.OK() {
		return nil
	}
	// Without dimensions there is no axis to drop.
	if len(s) == 0 {
		return c.Out(d, s)
	}
	return c.Out(d, ops.Without(s, axis))
}

// The two broadcast, and the last axis goes, or becomes 1 with keepdim. p and eps only matter for
// elements. The dtype is real: complex numbers have a real distance.
func pairwiseDistance(c *ops.Call) value.Value {
	a, b := c.Tensor("x1"), c.Tensor("x2")
	if a == nil || b == nil || !wantDType(c, a, "x1", ops.Numbers) || !wantDType(c, b, "x2", ops.Numbers) {
		return nil
	}
	s := c.BroadcastTensors(a, b)
	if !c.OK() {
		return nil
	}
	d := c.ResultType(a, b)
	if d.IsIntegralOrBool() {
		d = c.DefaultDType() // the difference is taken plus eps, a float
	}
	d = d.Real()
	switch {
	case len(s) == 0:
		return c.Out(d, s)
	case c.Bool("keepdim"):
		return c.Out(d, ops.With(s, len(s)-1, c.Const(1)))
	}
	return c.Out(d, ops.Without(s, len(s)-1))
}

// The input is a matrix [n, m] of floats; the result has one distance for each pair of rows:
// n(n-1)/2.
func pdist(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if !c.Rank(x, "an input", 2) || !wantDType(c, x, "the input", ops.RealFloats) {
		return nil
	}
	if p, ok := c.Float("p"); ok && p < 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "pdist: p must not be negative, but it is %g", p)
	}
	n, p := x.Type().Shape[0], c.P
	pairs := p.DimFloorDiv(p.DimMul(n, p.DimSub(n, c.Const(1))), c.Const(2))
	return c.Out(x.Type().DType, symshape.Shape{pairs})
}
