package torch

// This file holds table look-ups: embedding, embedding_bag and one_hot. A table is (rows, features)
// and indices have any shape: the result is that shape with the features behind it, in the dtype of
// the table. Indices that are known must be rows; those that come from arange are compared by their
// bounds.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The dtypes that count as indices.
const indexTypes = 1<<dtype.I64 | 1<<dtype.I32

var embeddingOps = [...]ops.Op{
	{Names: []string{nnf + "embedding"},
		Sig: "(Tensor input, Tensor weight, int? padding_idx=None, float? max_norm=None, float? norm_type=2.0, " +
			"bool scale_grad_by_freq=False, bool sparse=False)", Rule: embedding, Form: graph.Embedding, Quirks: ops.OneDevice,
		Axes: "weight: num_embeddings embedding_dim", Is: graph.OneTensor, Doc: "rows of a table"},
	{Names: []string{"torch.embedding"},
		Sig:  "(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False)",
		Rule: embeddingNative, Quirks: ops.OneDevice, Axes: "weight: num_embeddings embedding_dim", Is: graph.OneTensor,
		Doc: "rows of a table"},
	{Names: []string{nnf + "embedding_bag"},
		Sig: "(Tensor input, Tensor weight, Tensor? offsets=None, float? max_norm=None, any norm_type=2, " +
			"bool scale_grad_by_freq=False, str mode='mean', bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None)",
		Rule: embeddingBag, Doc: "sums, means or maxima of rows of a table"},
	{Names: []string{"torch.embedding_bag"},
		Sig: "(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, " +
			"Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None)", Rule: embeddingBagNative,
		Doc: "embedding_bag with what its gradient needs"},
	{Names: []string{nnf + "one_hot", "torch._C._nn.one_hot"}, Sig: "(Tensor input, int num_classes=-1)", Rule: oneHot, Form: graph.OneHot,
		Quirks: ops.Compiled, Doc: "indices as rows of zeros with a one"},
}

// embedding checks padding_idx, a row from either end, before it looks anything up.
func embedding(c *ops.Call) value.Value {
	w := c.Tensor("weight")
	if w != nil && w.Type().Ranked && len(w.Type().Shape) > 0 && c.Has("padding_idx") {
		n := w.Type().Shape[0]
		i := c.Dim("padding_idx")
		if rows, ok := ops.DimVal(n); ok && c.OK() {
			if at, ok := i.Const(); ok && (at >= rows || at < -rows) {
				return c.Errorf("AssertionError", diag.BadValue, "embedding: padding_idx %d is outside the %d rows of the table %s", at, rows, w)
			}
		}
	}
	if c.Has("max_norm") && !wantDType(c, w, "the table", ops.RealFloats) {
		return nil
	}
	return lookup(c, c.Tensor("input"), w)
}

// embeddingNative has the arguments in the other order, and checks nothing of padding.
func embeddingNative(c *ops.Call) value.Value {
	return lookup(c, c.Tensor("indices"), c.Tensor("weight"))
}

// lookup is the result of both. The rank of the indices may be unknown; then so is that of the
// result.
func lookup(c *ops.Call, idx, w *value.Tensor) value.Value {
	ws := c.Shape(w)
	if !c.OK() || idx == nil {
		return nil
	}
	if len(ws) != 2 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s: the table must have two dimensions (rows, features), but it is %s", c.Short(), w)
	}
	if !wantDType(c, idx, "the index tensor", indexTypes) || !inTable(c, idx, ws[0], w) {
		return nil
	}
	ty := graph.TensorType{DType: w.Type().DType, Ranked: idx.Type().Ranked}
	ty.Shape = append(append(ty.Shape, idx.Type().Shape...), ws[1])
	return c.OutType(ty)
}

// inTable checks indices that are known against the number of rows, or the bounds of those that are
// not. It reports whether there is no fault.
func inTable(c *ops.Call, idx *value.Tensor, rows symshape.Dim, w *value.Tensor) bool {
	if idx.Contents() == nil {
		return c.RangeFits(idx, rows, w)
	}
	n, ok := ops.DimVal(rows)
	if !ok {
		return true
	}
	for _, e := range idx.Contents() {
		if i, ok := e.(value.Int); ok && (int64(i) < 0 || int64(i) >= n) {
			c.Blame(ops.Ref{Tensor: w, Axis: 0})
			c.Errorf("IndexError", diag.DimOutOfRange, "%s: index %d is outside the %d rows of the table %s", c.Short(), int64(i), n, w)
			return false
		}
	}
	return true
}

// embeddingBag needs a table with two axes of real floats, and indices of int32 or int64 below its rows: a
// matrix, whose rows are bags, or a vector with offsets, which start with 0 and stay within it.
// per_sample_weights have the indices' shape and need mode "sum". The result is (bags, features) in the
// table's dtype.
func embeddingBag(c *ops.Call) value.Value {
	x, w, offsets, weights := c.Tensor("input"), c.Tensor("weight"), c.Tensor("offsets"), c.Tensor("per_sample_weights")
	mode := c.Str("mode")
	if !c.OK() || x == nil || w == nil {
		return nil
	}
	if !matchShapes(c, x, "input", weights, "per_sample_weights") {
		return nil
	}
	if c.Has("max_norm") && !c.Has("norm_type") {
		return c.Errorf("TypeError", diag.TypeMismatch, "embedding_bag(): norm_type must be a number, not None")
	}
	// Up to PyTorch 1.9 the two arguments came in the other order, and still may.
	if w.Type().DType == dtype.I64 && x.Type().DType.IsFloat() {
		x, w = w, x
	}
	xs, ws := c.Shape(x), c.Shape(w)
	if !c.OK() {
		return nil
	}
	switch {
	case mode == "max" && (truthy(c, "sparse") || truthy(c, "scale_grad_by_freq")):
		return c.Errorf("ValueError", diag.BadValue, "embedding_bag: mode max takes neither sparse nor scale_grad_by_freq")
	case len(xs) != 1 && len(xs) != 2:
		return c.FixingRank().Errorf("ValueError", diag.RankMismatch,
			"embedding_bag: the input must have 1 or 2 dimensions, but it is %s", x)
	case len(ws) < 2:
		return c.Errorf("IndexError", diag.RankMismatch, "embedding_bag: the table must have two dimensions (rows, features), but it is %s", w)
	case mode != "sum" && mode != "mean" && mode != "max":
		return c.Errorf("ValueError", diag.BadValue, "embedding_bag: mode must be sum, mean or max, not '%s'", mode)
	case len(xs) == 2 && offsets != nil:
		return c.Errorf("ValueError", diag.BadCall, "embedding_bag: offsets must not be given with a 2D input: %s", x)
	case len(xs) == 1 && offsets == nil:
		return c.Errorf("ValueError", diag.BadCall, "embedding_bag: offsets must be given with a 1D input: %s", x)
	case weights != nil && mode != "sum":
		return c.Errorf("NotImplementedError", diag.BadCall, "embedding_bag: per_sample_weights are only for mode 'sum', not '%s'", mode)
	}
	// Indices and offsets are brought to one dtype.
	index := x.Type().DType
	if offsets != nil && index != dtype.Unknown && offsets.Type().DType != dtype.Unknown {
		index = dtype.Promote(index, offsets.Type().DType)
	}
	if !ops.DTypeSet(indexTypes).Has(index) {
		if index.IsFloat() {
			c.Saying(diag.Fact{Kind: diag.NeedsIndices})
		}
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "embedding_bag: the index tensor has dtype %s, but %s is needed",
			x.Type().DType, ops.DTypeSet(indexTypes))
	}
	set := ops.RealFloats
	if c.Torch1() {
		set &^= 1 << dtype.BF16
	}
	if !wantDType(c, w, "the table", set) || !matchDType(c, w, "the table", weights, "per_sample_weights") ||
		!(offsets != nil && c.Empty(offsets)) && !inTable(c, x, ws[0], w) {
		return nil
	}
	// The bags are the rows of a matrix, or begin at the offsets.
	bags := xs[0]
	if len(xs) == 1 {
		os := c.Shape(offsets)
		if !c.OK() {
			return nil
		}
		if len(os) != 1 {
			return c.Errorf("ValueError", diag.RankMismatch, "embedding_bag: offsets must have one dimension, but they are %s", offsets)
		}
		if e := offsets.Contents(); len(e) > 0 {
			if first, ok := e[0].(value.Int); ok && first != 0 {
				return c.Errorf("RuntimeError", diag.BadValue, "embedding_bag: offsets must start with 0, not %d", int64(first))
			}
			if last, ok := e[len(e)-1].(value.Int); ok {
				if n, ok := xs[0].Const(); ok && int64(last) > n {
					return c.Errorf("RuntimeError", diag.BadValue, "embedding_bag: the last offset %d is beyond the %d indices", int64(last), n)
				}
			}
		}
		bags = os[0]
	} else if !need(c, xs[1], 1, "embedding_bag: the bags of the input %s are empty", x) {
		return nil
	}
	if truthy(c, "include_last_offset") { // of a matrix, too, whose offsets are made up
		if !need(c, bags, 1, "embedding_bag: with include_last_offset there must be an offset") {
			return nil
		}
		bags = c.P.DimSub(bags, c.Const(1))
	}
	return c.Out(w.Type().DType, symshape.Shape{bags, ws[1]})
}

// embeddingBagNative gives the bags and three tensors for the gradient, of which
// only the dtype is certain.
func embeddingBagNative(c *ops.Call) value.Value {
	w, x, offsets := c.Tensor("weight"), c.Tensor("indices"), c.Tensor("offsets")
	if !c.Rank(w, "a table", 2) || !c.Rank(x, "an index tensor", 1) || !c.Rank(offsets, "offsets", 1) ||
		!wantDType(c, w, "the table", ops.RealFloats) {
		return nil
	}
	bags := offsets.Type().Shape[0]
	if c.Bool("include_last_offset") {
		bags = c.P.DimSub(bags, c.Const(1))
	}
	res := []value.Value{c.Out(w.Type().DType, symshape.Shape{bags, w.Type().Shape[1]})}
	for range 3 {
		res = append(res, c.OutType(graph.TensorType{DType: x.Type().DType}))
	}
	return value.NewTuple(res...)
}

// oneHot adds an axis of num_classes to the indices, which are int64. Without a number it is one
// more than the largest index, which the data decide where they are not known.
func oneHot(c *ops.Call) value.Value {
	x, n := c.Tensor("input"), c.Dim("num_classes")
	if x == nil || !c.OK() || !wantDType(c, x, "the input", 1<<dtype.I64) {
		return nil
	}
	classes, given := n.Const()
	if !given {
		return oneHotOut(c, x, n)
	}
	elems := x.Contents()
	most, all := int64(-1), elems != nil
	for _, e := range elems {
		i, ok := e.(value.Int)
		if !ok {
			all = false
			continue
		}
		if i < 0 {
			return c.Errorf("RuntimeError", diag.BadValue, "one_hot: class %d is negative", int64(i))
		}
		most = max(most, int64(i))
	}
	size, sized := c.NumelOf(x).Const()
	switch {
	case classes < 0 && classes != -1 || classes == 0 && sized && size == 0:
		return c.Errorf("RuntimeError", diag.BadValue, "one_hot: num_classes must be positive, but it is %d", classes)
	case classes == -1 && sized && size == 0:
		return c.Errorf("RuntimeError", diag.BadValue, "one_hot: the number of classes cannot be inferred from the empty tensor %s", x)
	case classes == -1 && all:
		return oneHotOut(c, x, c.Const(most+1))
	case classes == -1:
		d := c.Th.DataInt("u", max(most+1, 1), x.V)
		return oneHotOut(c, x, d.D)
	case classes <= most || classes == 0:
		return c.Errorf("RuntimeError", diag.BadValue, "one_hot: num_classes=%d, but the input has class %d", classes, most)
	}
	return oneHotOut(c, x, n)
}

// oneHotOut is the result: int64, with the classes as the last axis.
func oneHotOut(c *ops.Call, x *value.Tensor, classes symshape.Dim) value.Value {
	ty := graph.TensorType{DType: dtype.I64, Ranked: x.Type().Ranked}
	ty.Shape = append(append(ty.Shape, x.Type().Shape...), classes)
	return c.OutType(ty)
}
