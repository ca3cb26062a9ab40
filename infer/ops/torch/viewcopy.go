package torch

// This file holds the copying forms of views (torch.permute_copy …): the view's
// rule, with a result of its own in row-major order. Some rare functions that make
// new tensors stand with them: binomial, lobpcg and embedding_renorm_. The graph of a copy must not
// alias its input: whatever the view's rule put into Outs is dropped, and clones take its place.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// viewCopy makes the record of the copying form of a view. sig is that of the view in ATen's
// schema.
func viewCopy(name, sig string, rule func(*ops.Call) value.Value) ops.Op {
	return ops.Op{Names: []string{"torch." + name + "_copy"}, Sig: sig, Rule: func(c *ops.Call) value.Value { return inNewMemory(c, rule(c)) },
		Out: true, ExactOut: true, Doc: name + " into new memory"}
}

var viewCopyOps = [...]ops.Op{
	viewCopy("alias", "(Tensor self)", func(c *ops.Call) value.Value { return c.Tensor("self") }),
	viewCopy("detach", "(Tensor self)", func(c *ops.Call) value.Value { return c.Tensor("self") }),
	viewCopy("as_strided", "(Tensor self, int[] size, int[] stride, int? storage_offset=None)", asStridedRule),
	viewCopy("diagonal", "(Tensor self, int offset=0, int dim1=0, int dim2=1)", diagonalRule),
	viewCopy("expand", "(Tensor self, int[] size, *, bool implicit=False)", expandRule),
	viewCopy("permute", "(Tensor self, int[] dims)", permuteRule),
	viewCopy("select", "(Tensor self, int dim, int index)", selectRule),
	viewCopy("slice", "(Tensor self, int dim=0, int? start=None, int? end=None, int? step=None)", sliceRule),
	viewCopy("split", "(Tensor self, int split_size, int dim=0)", splitRule("self", "split_size")),
	viewCopy("split_with_sizes", "(Tensor self, int[] split_sizes, int dim=0)", splitRule("self", "split_sizes")),
	viewCopy("squeeze", "(Tensor self) | (Tensor self, int dim) | (Tensor self, int[] dim)", squeezeRule),
	viewCopy("t", "(Tensor self)", tRule),
	viewCopy("transpose", "(Tensor self, int dim0, int dim1)", transposeRule),
	viewCopy("unbind", "(Tensor self, int dim=0)", unbindRule),
	viewCopy("unfold", "(Tensor self, int dimension, int size, int step)", unfoldRule),
	viewCopy("unsqueeze", "(Tensor self, int dim)", unsqueezeRule),
	viewCopy("view", "(Tensor self, int[] size) | (Tensor self, ScalarType dtype)", viewRule),
	viewCopy("view_as_complex", "(Tensor self)", viewAsComplexRule),
	viewCopy("view_as_real", "(Tensor self)", viewAsRealRule),
	{Names: []string{"torch.binomial"}, Sig: "(Tensor count, Tensor prob, any generator=None)", Rule: binomialRule,
		Doc: "binomially distributed numbers"},
	{Names: []string{"torch.embedding_renorm_"}, Sig: "(Tensor self, Tensor indices, float max_norm, float norm_type)",
		Rule: embeddingRenormRule, Doc: "limits the norm of some rows of a table in place"},
	{Names: []string{"torch.lobpcg"},
		Sig:  "(Tensor A, int? k=None, Tensor? B=None, Tensor? X=None, int? n=None, any iK=None, any niter=None, any tol=None, any largest=None, any method=None, any tracker=None, any ortho_iparams=None, any ortho_fparams=None, any ortho_bparams=None)",
		Rule: lobpcgRule, Doc: "the k largest or smallest eigenvalues of symmetric matrices, and their eigenvectors"},
}

// inNewMemory gives tensors new memory in row-major order. Tuples are those of split and unbind.
func inNewMemory(c *ops.Call, v value.Value) value.Value {
	if !c.OK() {
		return nil
	}
	c.Outs = nil
	switch v := v.(type) {
	case *value.Tensor:
		return copiedElem(c, v)
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = copiedElem(c, e)
		}
		return value.NewTuple(elems...)
	}
	return v
}

// Known elements stay.
func copiedElem(c *ops.Call, v value.Value) value.Value {
	t, ok := v.(*value.Tensor)
	if !ok {
		return v
	}
	out := c.Cloned(t)
	out.SetContents(t.Contents())
	return out
}

// sliceRule is x[start:end:step] along an axis, as a function. Without a step it is 1. The step
// must be positive, as for x[::s].
func sliceRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s() cannot be applied to a 0-dim tensor", c.Short())
	}
	axis := c.Axis("dim", len(s))
	step := c.Value("step")
	if step == value.None {
		if c.Torch1() {
			return c.Lose("without step PyTorch 1 reads one from memory")
		}
		step = value.Int(1)
	}
	if step, ok := ops.DimVal(c.ToDim("step", step)); ok && step < 1 {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): step must be positive, but is %d", c.Short(), step)
	}
	if !c.OK() {
		return nil
	}
	k := sliceCut(c, s[axis], c.Value("start"), c.Value("end"), step)
	if !c.OK() {
		return nil
	}
	return c.Out(t.Type().DType, ops.With(s, axis, k.size))
}

// count and prob have one real floating dtype and broadcast.
func binomialRule(c *ops.Call) value.Value {
	n, p := c.Tensor("count"), c.Tensor("prob")
	if n == nil || p == nil || !sameDType(c, n, p, "prob") || !c.Accepts(ops.RealFloats, n.Type().DType) {
		return nil
	}
	out := c.BroadcastOut(n.Type().DType, []value.Value{n, p})
	if out == nil {
		return nil
	}
	return c.Unsure(out, n, p)
}

// The table is a matrix; indices are int64 or int32 and within its rows, which is checked where
// they are known.
func embeddingRenormRule(c *ops.Call) value.Value {
	t, index := c.Tensor("self"), c.Tensor("indices")
	s := c.Shape(t)
	if !c.OK() || !c.Rank(t, "a table", 2) || !indexDType(c, index, "indices", dtype.I64, dtype.I32) ||
		!indicesInRange(c, index, s[0], "IndexError", true) {
		return nil
	}
	if !c.Empty(index) && !c.Accepts(ops.Inexact, t.Type().DType) {
		return nil
	}
	return c.Out(t.Type().DType, s)
}

// lobpcgRule: k is that of X where it is not given, or 1; 3k must not exceed the
// size of the matrices. A must be square, X has the rank of A. The results are k eigenvalues and a
// matrix [.., n, k] of vectors.
func lobpcgRule(c *ops.Call) value.Value {
	m, ok := matrixArg(c, "A")
	if !ok || !square(c, m) {
		return nil
	}
	k := c.Const(1)
	if x := (*value.Tensor)(nil); c.Has("X") {
		if x = c.Tensor("X"); x == nil {
			return nil
		}
		xs := c.Shape(x)
		if !c.OK() {
			return nil
		}
		if len(xs) != len(m.shape) {
			return c.Errorf("RuntimeError", diag.RankMismatch, "lobpcg(): X must have as many dimensions as A, but they are %s and %s", x, m.t)
		}
		k = xs[len(xs)-1]
	}
	if c.Has("k") {
		k = c.Dim("k")
	}
	if !c.OK() {
		return nil
	}
	if !requireLE(c, c.P.DimMul(c.Const(3), k), m.rows) {
		return c.Errorf("ValueError", diag.InvalidSize, "lobpcg(): the matrices must have at least 3·k = 3·%s rows, but are %s", k, m.t)
	}
	return value.NewTuple(matOut(c, m.d, m.with(k)), matOut(c, m.d, append(symshape.Shape{}, m.with(m.rows, k)...)))
}
