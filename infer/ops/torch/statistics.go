package torch

// This file holds the records of covariances and of reductions over segments. Both look at elements
// only to find weights and lengths that PyTorch refuses.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var statisticsOps = [...]ops.Op{
	{Names: spelled("cov"), Sig: "(Tensor input, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None)", Rule: covRule,
		Doc: "covariances of the rows"},
	{Names: spelled("corrcoef"), Sig: "(Tensor input)", Rule: covRule, Doc: "correlations of the rows"},
	{Names: spelled("torch.segment_reduce torch._segment_reduce"),
		Sig: "(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None)", Rule: segmentRule, Doc: "reductions over consecutive segments"},
}

// covRule needs at most two dimensions, variables by observations. fweights are integers and aweights real
// floats, one for each observation, not negative and with a sum other than 0. The result is a floating
// matrix of variables by variables, without dimensions for a single one. It follows torch.cov and
// torch.corrcoef; the latter has no weights. A vector is one variable, a number one observation of
// it. Weights that are floats take part in the promotion of the dtype.
func covRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	if len(s) > 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
			"%s() needs a tensor of at most 2 dimensions, but got %s", c.Short(), t)
	}
	if !c.Accepts(ops.Numbers, t.Type().DType) {
		return nil
	}
	// The last axis has the observations.
	observations := c.Const(1)
	if len(s) > 0 {
		observations = s[len(s)-1]
	}
	operands := []value.Value{t}
	for _, name := range [...]string{"fweights", "aweights"} {
		if !c.HasParam(name) || !c.Has(name) {
			continue
		}
		w := c.Tensor(name)
		ws := c.Shape(w)
		if w == nil || !c.OK() {
			return nil
		}
		// Each kind of weights has its dtypes.
		accept := ops.Integers
		if name == "aweights" {
			accept = ops.RealFloats
			operands = append(operands, w)
		}
		if len(ws) > 1 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "cov(): %s must have at most one dimension, but are %s", name, w)
		}
		if !accept.Has(w.Type().DType) {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "cov(): %s must be %s, but are %s", name, accept, w)
		}
		if _, ok := c.Same(c.Numel(ws), observations); !ok {
			c.Blame(ops.Ref{Tensor: t, Axis: len(s) - 1})
			return c.Shapef("cov(): there are %s %s for %s observations: %s and %s", c.Numel(ws), name, observations, w, t)
		}
		if sumsToZero(c, w) {
			return c.Errorf("RuntimeError", diag.BadValue, "cov(): the %s sum to zero: %s", name, w)
		}
		for _, e := range w.Contents() {
			if n, ok := ops.ConcreteElem(e); ok && n < 0 {
				return c.Errorf("RuntimeError", diag.BadValue, "cov(): %s must not be negative", name)
			}
		}
	}
	// One variable gives a number: the matrix is squeezed.
	d := c.ToFloat(c.ResultType(operands...))
	if len(s) < 2 {
		return c.Out(d, symshape.Shape{})
	}
	if ops.IsConst(s[0], 1) {
		return c.Out(d, symshape.Shape{}) // squeezed
	}
	return c.Out(d, symshape.Shape{s[0], s[0]})
}

// segmentRule needs real floats with elements, and lengths or offsets of int32 or int64 whose last
// dimension is axis; the sizes before it are the data's, which PyTorch 2 does not check. That dimension
// becomes the number of segments: the lengths, or the offsets less one. Unless unsafe, known lengths must
// fit the data. reduce must be one of the five texts. The result has the data's dtype.
func segmentRule(c *ops.Call) value.Value {
	t := c.Tensor("data")
	s := c.Shape(t)
	if t == nil || !c.OK() || !c.Accepts(ops.RealFloats, t.Type().DType) {
		return nil
	}
	switch r := c.Str("reduce"); r {
	case "max", "mean", "min", "sum", "prod":
	default:
		if c.OK() {
			return c.Errorf("RuntimeError", diag.BadValue, "segment_reduce(): reduce must be max, mean, min, sum or prod, not '%s'", r)
		}
	}
	// Empty data are refused: in PyTorch 2 only where the axis or one after it is empty.
	for i, d := range s {
		if ops.IsConst(d, 0) && (c.Torch1() || i >= c.Axis("axis", len(s))) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "segment_reduce() needs data, but got %s", t)
		}
	}
	axis := c.Axis("axis", len(s))
	// offsets win where both are given. indices are a parameter that PyTorch has but does not
	// implement.
	name := "lengths"
	if c.Has("offsets") {
		name = "offsets"
	}
	if !c.OK() {
		return nil
	}
	if c.Has("indices") || !c.Has(name) {
		return c.Errorf("RuntimeError", diag.BadCall, "segment_reduce() needs lengths or offsets")
	}
	l := c.Tensor(name)
	ls := c.Shape(l)
	if l == nil || !c.OK() {
		return nil
	}
	// The axis is the last dimension of the lengths, so the data may have more axes after it.
	if len(ls) > len(s) || len(ls) != axis+1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "segment_reduce(): axis %d must be the last dimension of %s: %s for %s", axis, name,
			l, t)
	}
	if !c.Accepts(1<<dtype.I32|1<<dtype.I64, l.Type().DType) {
		return nil
	}
	// offsets have the start of each segment and the end of the last one.
	if name == "offsets" && !c.AtLeast(ls[axis], 1) {
		return c.Errorf("RuntimeError", diag.InvalidSize, "segment_reduce(): there is one offset more than segments, but there are none: %s", l)
	}
	// Sizes that differ are no fault in PyTorch 2, but symbols must still be equal for the rule to
	// know the result.
	for i := range axis {
		a, known := s[i].Const()
		if b, ok := ls[i].Const(); known && ok && a != b && !c.Torch1() {
			continue // not looked at since PyTorch 2
		}
		if _, ok := c.Same(s[i], ls[i]); !ok {
			c.Blame(ops.Ref{Tensor: t, Axis: i}, ops.Ref{Tensor: l, Axis: i})
			return c.Shapef("segment_reduce(): dimension %d has size %s in the data and %s in %s: %s and %s", i, s[i], ls[i], name, t, l)
		}
	}
	count := ls[axis]
	if name == "offsets" {
		count = c.P.DimSub(count, c.Const(1))
	}
	if !c.Bool("unsafe") && !segmentsFit(c, l, name, s[axis]) {
		return nil
	}
	return c.Out(t.Type().DType, ops.With(slices.Clone(s), axis, count))
}

// segmentsFit checks known lengths or offsets of segments: none is negative, and
// lengths sum up to the size. It is true where they are not known. Each row of the lengths is for
// one index of the axes before.
func segmentsFit(c *ops.Call, l *value.Tensor, name string, size symshape.Dim) bool {
	elems := l.Contents()
	shape, ok := ops.ConstShape(l.Type().Shape)
	total, known := size.Const()
	if elems == nil || !ok || len(shape) == 0 || len(elems) != ops.Product(shape) {
		return true
	}
	row := shape[len(shape)-1]
	for at := 0; row > 0 && at < len(elems); at += row {
		sum, last := int64(0), int64(0)
		for i, e := range elems[at : at+row] {
			n, ok := ops.ConcreteElem(e)
			if !ok {
				return true
			}
			if bad := name == "lengths" && n < 0 || name == "offsets" && i > 0 && n < last; bad {
				c.Errorf("RuntimeError", diag.BadValue, "segment_reduce(): a segment has a negative length")
				return false
			}
			sum, last = sum+n, n
		}
		if name == "lengths" && known && sum != total {
			c.Errorf("RuntimeError", diag.BadValue, "segment_reduce(): the lengths sum up to %d, but the dimension has size %d", sum, total)
			return false
		}
	}
	return true
}

// sumsToZero reports whether all elements of t are known to be 0, as those of
// none are. An empty tensor has the sum 0.
func sumsToZero(c *ops.Call, t *value.Tensor) bool {
	if c.Empty(t) {
		return true
	}
	for _, e := range t.Contents() {
		if n, ok := ops.ConcreteElem(e); !ok || n != 0 {
			return false
		}
	}
	return t.Contents() != nil
}
