package torch

// This file holds functions that read and write elements by index tensors:
// gather, the scatter family, index_select and its relatives, take and put.
//
// Their checks are those of aten/src/ATen/native/TensorAdvancedIndexing.cpp and
// ScatterGatherChecks.h. Index values are checked where the contents are known.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var gatherOps = [...]ops.Op{
	{Names: []string{"torch.gather", "torch.Tensor.gather"}, Sig: "(Tensor self, int dim, Tensor index, *, bool sparse_grad=False)",
		Out: true, ExactOut: true, Rule: gatherRule,
		Form: graph.Gather, Quirks: ops.NamedDims | ops.OneDevice,
		Trace: ops.LeavesSizes, Doc: "picks elements along a dimension; the result has the shape of the index"},
	{Names: []string{"torch.scatter", "torch.Tensor.scatter"},
		Sig:     "(Tensor self, int dim, Tensor index, Tensor src) | (Tensor self, int dim, Tensor index, Scalar value) | (Tensor self, int dim, Tensor index, Tensor src, *, str reduce) | (Tensor self, int dim, Tensor index, Scalar value, *, str reduce)",
		InPlace: true, Out: true, ExactOut: true, Rule: scatterRule("add", "multiply"),
		Quirks: ops.NamedDims | ops.OneDevice, Numbers: []ops.Converted{{Param: "value", Used: true}},
		Trace: ops.LeavesSizes, Doc: "writes elements along a dimension"},
	{Names: []string{"torch.scatter_add", "torch.Tensor.scatter_add"}, Sig: "(Tensor self, int dim, Tensor index, Tensor src)",
		InPlace: true, Out: true, ExactOut: true, Rule: scatterRule(), Quirks: ops.NamedDims | ops.OneDevice,
		Doc: "adds elements along a dimension"},
	{Names: []string{"torch.scatter_reduce", "torch.Tensor.scatter_reduce"},
		Sig:     "(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True)",
		InPlace: true, Out: true, ExactOut: true, Rule: scatterRule("sum", "prod", "mean", "amax", "amin"),
		Quirks: ops.OneDevice, Doc: "reduces elements into places along a dimension"},
	{Names: []string{"torch.index_select", "torch.Tensor.index_select"}, Sig: "(Tensor self, int dim, Tensor index)", Out: true,
		ExactOut: true, Rule: indexSelectRule,
		Quirks: ops.NamedDims | ops.OneDevice, Doc: "the given indices of a dimension"},
	{Names: []string{"torch.index_add", "torch.Tensor.index_add"},
		Sig:     "(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1)",
		InPlace: true, Out: true, ExactOut: true, Rule: indexAddRule, Quirks: ops.NamedDims | ops.OneDevice,
		Doc: "adds slices to the given indices of a dimension"},
	{Names: []string{"torch.index_reduce", "torch.Tensor.index_reduce"},
		Sig:     "(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True)",
		InPlace: true, Out: true, ExactOut: true, Rule: indexAddRule, Doc: "reduces slices into the given indices of a dimension"},
	{Names: []string{"torch.index_copy", "torch.Tensor.index_copy"}, Sig: "(Tensor self, int dim, Tensor index, Tensor source)",
		InPlace: true, Out: true, ExactOut: true, Rule: indexCopyRule, Quirks: ops.NamedDims | ops.OneDevice,
		Doc: "copies slices to the given indices of a dimension"},
	{Names: []string{"torch.index_fill", "torch.Tensor.index_fill"},
		Sig:     "(Tensor self, int dim, Tensor index, Scalar value) | (Tensor self, int dim, Tensor index, Tensor value)",
		InPlace: true, Repeats: true, Rule: indexFillRule,
		Quirks: ops.NamedDims, Numbers: []ops.Converted{{Param: "value"}}, Doc: "fills the given indices of a dimension"},
	{Names: []string{"torch.index_put", "torch.Tensor.index_put"}, Sig: "(Tensor self, any indices, Tensor values, bool accumulate=False)",
		InPlace: true, Repeats: true,
		Rule: indexPutRule, Quirks: ops.OnFirst, Doc: "x[indices] = values as a function"},
	{Names: []string{"torch.take", "torch.Tensor.take"}, Sig: "(Tensor self, Tensor index)", Out: true, ExactOut: true, Rule: takeRule,
		Quirks: ops.OneDevice, Doc: "elements by their position in row-major order"},
	{Names: []string{"torch.put", "torch.Tensor.put"}, Sig: "(Tensor self, Tensor index, Tensor source, bool accumulate=False)",
		InPlace: true, Rule: putRule,
		Doc: "writes elements by their position in row-major order"},
	{Names: []string{"torch.take_along_dim", "torch.Tensor.take_along_dim"}, Sig: "(Tensor self, Tensor indices, int? dim=None)", Out: true,
		ExactOut: true, Rule: takeAlongDimRule,
		Form: graph.Gather, Trace: ops.FixesSizes, Doc: "gather with broadcasting"},
}

// isEmpty reports whether a shape certainly has no elements. Of symbols it is not certain, and so
// false.
func isEmpty(s symshape.Shape) bool {
	for _, d := range s {
		if ops.IsConst(d, 0) {
			return true
		}
	}
	return false
}

// indexDType reports SC201 unless t has one of the dtypes, an unknown dtype passing. A float index
// gets a fact, by which a fix proposes long().
func indexDType(c *ops.Call, t *value.Tensor, what string, allowed ...dtype.DType) bool {
	return sayIndex(c, t, diag.Fact{Kind: diag.NeedsIndices}, what, allowed...)
}

// indexLike is indexDType for an index of gather and scatter, which has as many dimensions as the tensor that it goes into.
func indexLike(c *ops.Call, index, of *value.Tensor) bool {
	f := diag.Fact{Kind: diag.NeedsIndices}
	if x, y := index.Type(), of.Type(); x.Ranked && y.Ranked {
		f.Has, f.Wants = int64(len(x.Shape)), int64(len(y.Shape))
	}
	return sayIndex(c, index, f, "an index", wideIndex(c)...)
}

// sayIndex is indexDType with a fact of the caller's for a float index.
func sayIndex(c *ops.Call, t *value.Tensor, f diag.Fact, what string, allowed ...dtype.DType) bool {
	d := t.Type().DType
	if d == dtype.Unknown || slices.Contains(allowed, d) {
		return true
	}
	want := allowed[0].String()
	for _, a := range allowed[1:] {
		want += " or " + a.String()
	}
	if d.IsFloat() {
		c.Saying(f)
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() needs %s of %s, but got %s", c.Short(), what, want, t)
	return false
}

// wideIndex are the dtypes of an index of gather and scatter: int64, and int32 since PyTorch 2.
func wideIndex(c *ops.Call) []dtype.DType {
	if c.Torch1() {
		return []dtype.DType{dtype.I64}
	}
	return []dtype.DType{dtype.I64, dtype.I32}
}

// sameDTypes reports SC201 when two tensors differ in dtype. Nothing is promoted when elements are
// written.
func sameDTypes(c *ops.Call, a, b *value.Tensor, what string) bool {
	x, y := a.Type().DType, b.Type().DType
	if x == y || x == dtype.Unknown || y == dtype.Unknown {
		return true
	}
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() needs %s of the tensor's dtype %s, but got %s", c.Short(), what, x, b)
	return false
}

// indicesInRange checks known index values against a size. Negative ones count
// from the end where wrap is set, else they are refused.
func indicesInRange(c *ops.Call, index *value.Tensor, n symshape.Dim, class string, wrap bool) bool {
	for _, e := range index.Contents() {
		k, ok := e.(value.Int)
		if !ok {
			continue
		}
		size, known := ops.DimVal(n)
		// An unknown size must be greater than the index: that becomes a condition, unless it
		// cannot be.
		if !known && n.Expr != nil && k >= 0 {
			if !require(c, c.P.Lt(c.P.Const(int64(k)), n.Expr)) {
				known = true
			}
		}
		if known && (int64(k) >= size || k < 0 && (!wrap || int64(k) < -size)) {
			c.Errorf(class, diag.DimOutOfRange, "%s(): index %d is out of bounds for size %s", c.Short(), int64(k), n)
			return false
		}
	}
	return true
}

// sizeAt is the size of an axis, where a 0-dim tensor has one of size 1.
func sizeAt(c *ops.Call, s symshape.Shape, axis int) symshape.Dim {
	if len(s) == 0 {
		return c.Const(1)
	}
	return s[axis]
}

// indexFits checks the shape of an index against those of self and src: as many dimensions as each
// (a scalar counts as a vector), no larger than src on any axis, and than self on any but axis. An
// empty index fits everything.
func indexFits(c *ops.Call, axis int, index, self *value.Tensor, src *value.Tensor) bool {
	is, ss := c.Shape(index), c.Shape(self)
	if !c.OK() {
		return false
	}
	if isEmpty(is) {
		return true
	}
	if max(len(is), 1) != max(len(ss), 1) {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs an index with as many dimensions as the tensor, but got %s for %s", c.Short(),
			index, self)
		return false
	}
	for k := range is {
		if k != axis && k < len(ss) && !requireLE(c, is[k], ss[k]) {
			c.Blame(ops.Ref{Tensor: index, Axis: k}, ops.Ref{Tensor: self, Axis: k})
			c.Shapef("%s(): size %s of the index is greater than size %s of the tensor at dimension %d: %s and %s", c.Short(), is[k], ss[k], k,
				index, self)
			return false
		}
	}
	if src == nil {
		return true
	}
	xs := c.Shape(src)
	if !c.OK() {
		return false
	}
	if max(len(is), 1) != max(len(xs), 1) {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs an index with as many dimensions as src, but got %s for %s", c.Short(), index,
			src)
		return false
	}
	for k := range is {
		if !requireLE(c, is[k], sizeAt(c, xs, k)) {
			c.Blame(ops.Ref{Tensor: index, Axis: k}, ops.Ref{Tensor: src, Axis: k})
			c.Shapef("%s(): size %s of the index is greater than size %s of src at dimension %d: %s and %s", c.Short(), is[k], sizeAt(c, xs, k), k,
				index, src)
			return false
		}
	}
	return true
}

// gatherRule: the index has as many dimensions as the tensor and may be smaller on every axis but dim, on which
// only its values are compared with the size: nothing broadcasts. The result has the index's shape. An index
// without elements is not looked at for its dtype (at::native::gather_shape_check returns first).
func gatherRule(c *ops.Call) value.Value {
	t, index := c.Tensor("self"), c.Tensor("index")
	s := c.Shape(t)
	is := c.Shape(index)
	axis := c.Axis("dim", len(s))
	if !c.OK() || !isEmpty(is) && !indexLike(c, index, t) || !indexFits(c, axis, index, t, nil) ||
		!indicesInRange(c, index, sizeAt(c, s, axis), "RuntimeError", false) {
		return nil
	}
	out := c.Out(t.Type().DType, is)
	out.SetContents(gatherContents(t, index, axis))
	return out
}

// gatherContents picks tracked elements, or returns nil.
func gatherContents(t, index *value.Tensor, axis int) []value.Value {
	elems, at := t.Contents(), index.Contents()
	sizes, ok1 := ops.ConstShape(t.Type().Shape)
	is, ok2 := ops.ConstShape(index.Type().Shape)
	if elems == nil || at == nil || !ok1 || !ok2 || len(sizes) != len(is) || len(at) != ops.Product(is) {
		return nil
	}
	// The position of an element is the sum of its indices times these.
	strides := ops.RowMajorInts(sizes)
	out := make([]value.Value, 0, len(at))
	ok := true
	// A value that is not known or out of range makes all contents unknown: the rule has reported
	// the latter.
	forEachIndex(is, func(idx []int) {
		k, known := at[len(out)].(value.Int)
		if !known {
			ok = false
			k = 0
		}
		pos := 0
		for i, n := range idx {
			if i == axis {
				n = int(k)
			}
			pos += n * strides[i]
		}
		if pos < 0 || pos >= len(elems) {
			ok = false
			pos = 0
		}
		if !ok {
			out = append(out, nil)
			return
		}
		out = append(out, elems[pos])
	})
	if !ok {
		return nil
	}
	return out
}

// scatterRule makes the rule of scatter, scatter_add and scatter_reduce; reductions are the values that their
// reduce= takes. The index must be no larger than src on any axis and no larger than self on all but dim; a
// larger src is fine, of which a part is read. A number as source must fit the dtype.
func scatterRule(reductions ...string) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t, index := c.Tensor("self"), c.Tensor("index")
		s, is := c.Shape(t), c.Shape(index)
		axis := c.Axis("dim", len(s))
		var src *value.Tensor
		if c.HasParam("src") {
			src = c.Tensor("src")
		}
		// The index is looked at before the source, as in PyTorch.
		if !c.OK() || !isEmpty(is) && !indexLike(c, index, t) || src != nil && !sameDTypes(c, t, src, "src") ||
			!indexFits(c, axis, index, t, src) {
			return nil
		}
		if c.HasParam("reduce") {
			r := c.Str("reduce")
			if c.OK() && !slices.Contains(reductions, r) {
				return c.Errorf("RuntimeError", diag.BadValue, "%s(): reduce must be one of %v, not %q", c.Short(), reductions, r)
			}
			if d := t.Type().DType; d.IsComplex() && (r == "amax" || r == "amin") && !isEmpty(is) {
				return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): %s has no order for %s", c.Short(), r, d)
			}
		}
		if c.HasParam("value") && !isEmpty(is) {
			scalarFits(c, c.Value("value"), t.Type().DType)
		}
		if !c.OK() || !indicesInRange(c, index, sizeAt(c, s, axis), "RuntimeError", false) {
			return nil
		}
		return c.Out(t.Type().DType, s)
	}
}

// scalarFits reports a complex number that is written into a tensor that is not.
func scalarFits(c *ops.Call, v value.Value, d dtype.DType) bool {
	z, isComplex := value.Plain(v).(value.Complex)
	if isComplex && d != dtype.Unknown && d != dtype.Bool && !d.IsComplex() && imag(complex128(z)) != 0 {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): a complex number cannot be written into a tensor of %s", c.Short(), d)
		return false
	}
	return true
}

// indexVector checks that an index has at most one dimension (IndexError).
func indexVector(c *ops.Call, index *value.Tensor) bool {
	if len(index.Type().Shape) > 1 {
		c.Errorf("IndexError", diag.RankMismatch, "%s() needs an index that is a vector, but got %s", c.Short(), index)
		c.Saying(diag.Fact{Kind: diag.WrongRank, Of: index.Type().Shape.String(), Wants: 1})
		return false
	}
	return true
}

// indexSelectRule: the index is a vector, or a number that counts as one element, and the axis gets its length.
// The class of the exception for an index out of range is that of the kernel that finds it: one for vectors,
// another for the rest.
func indexSelectRule(c *ops.Call) value.Value {
	t, index := c.Tensor("self"), c.Tensor("index")
	s, is := c.Shape(t), c.Shape(index)
	axis := c.Axis("dim", len(s))
	if !c.OK() || !indexVector(c, index) || !indexDType(c, index, "an index", dtype.I64, dtype.I32) {
		return nil
	}
	// An index without dimensions is one index.
	n := c.Numel(is)
	if len(s) == 0 {
		if _, ok := c.Same(n, c.Const(1)); !ok && !c.Torch1() {
			return c.Errorf("IndexError", diag.InvalidSize, "index_select() of a 0-dim tensor needs one index, but got %s", index)
		}
	} else if ops.IsConst(s[axis], 0) && len(s) > 1 && !isEmpty(is) {
		return c.Errorf("RuntimeError", diag.DimOutOfRange, "index_select(): dimension %d of %s is empty", axis, t)
	}
	class := "RuntimeError"
	if len(s) <= 1 {
		class = "IndexError"
	}
	if !indicesInRange(c, index, sizeAt(c, s, axis), class, false) {
		return nil
	}
	if len(s) == 0 {
		return c.Like(t, t.Type().DType)
	}
	out := c.Out(t.Type().DType, ops.With(s, axis, n))
	// The elements are picked as x[..., index, ...] does it, so that both have one way to compute them.
	g := &gathering{view: s, index: symshape.Shape{n}, first: axis, shape: out.Type().Shape, at: make([]*indexTensor, len(s)),
		picks: make([][]int64, len(s))}
	g.at[axis] = &indexTensor{}
	for _, e := range index.Contents() {
		if k, ok := e.(value.Int); ok {
			g.picks[axis] = append(g.picks[axis], int64(k))
		}
	}
	if k, ok := n.Const(); ok && int(k) == len(g.picks[axis]) && k > 0 {
		out.SetContents(g.pick(t.Contents()))
	}
	return out
}

// indexAddRule needs an int32 or int64 vector with an index for each slice of the source along dim, a
// source of the tensor's dtype whose slices fit the tensor's, and known indices within dim. index_reduce
// takes prod, mean, amax or amin of real numbers. The result has the tensor's type.
func indexAddRule(c *ops.Call) value.Value {
	t, index, src := c.Tensor("self"), c.Tensor("index"), c.Tensor("source")
	s, is, xs := c.Shape(t), c.Shape(index), c.Shape(src)
	axis := c.Axis("dim", len(s))
	if !c.OK() || !indexVector(c, index) || !indexDType(c, index, "an index", dtype.I64, dtype.I32) || !sameDTypes(c, t, src, "a source") {
		return nil
	}
	if axis > 0 && axis >= len(xs) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s(): dimension %d does not exist in the source %s", c.Short(), axis, src)
	}
	// Since PyTorch 2 the source must have the sizes of the tensor but for dim; before it, slices
	// broadcast.
	if c.HasParam("reduce") || c.HasParam("alpha") {
		if !c.Torch1() && (len(s) != len(xs) || len(s) > 0 && !c.SameSizes(ops.Without(s, axis), ops.Without(xs, axis))) {
			return c.Shapef("%s(): the source %s must have the sizes of %s but for dimension %d", c.Short(), src, t, axis)
		}
	}
	n := c.Numel(is)
	if _, ok := c.Same(n, sizeAt(c, xs, min(axis, max(len(xs)-1, 0)))); !ok {
		return c.Shapef("%s() needs as many indices as the source has slices, but got %s for dimension %d of %s", c.Short(), index, axis, src)
	}
	if len(s) == 0 && !ops.IsConst(n, 1) {
		if v, ok := ops.DimVal(n); ok && v > 1 {
			return c.Errorf("IndexError", diag.RankMismatch, "%s(): %s has no dimension to index", c.Short(), t)
		}
	}
	if c.HasParam("reduce") {
		if r := c.Str("reduce"); c.OK() && !slices.Contains([]string{"prod", "mean", "amax", "amin"}, r) {
			return c.Errorf("RuntimeError", diag.BadValue, "%s(): reduce must be prod, mean, amax or amin, not %q", c.Short(), r)
		}
		if d := t.Type().DType; d.IsComplex() || d == dtype.Bool {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() is not implemented for %s", c.Short(), d)
		}
	}
	if len(s) <= 1 && len(xs) > 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s(): the source may have at most one dimension for %s, but is %s", c.Short(), t, src)
	}
	if len(s) > 1 && !isEmpty(is) {
		rest := xs
		if axis < len(xs) {
			rest = ops.Without(xs, axis)
		}
		if !c.BroadcastsTo(rest, ops.Without(s, axis)) {
			return c.Shapef("%s(): slices of the source %s do not fit slices of %s", c.Short(), src, t)
		}
	}
	if !c.OK() || !indicesInRange(c, index, sizeAt(c, s, axis), "IndexError", false) {
		return nil
	}
	return c.Out(t.Type().DType, s)
}

// indexCopyRule is the rule of index_copy and index_add: slice i of source goes to slice index[i] of self, so
// that all other axes are equal and index is as long as source is on the axis. A source without dimensions is
// one slice of a vector.
func indexCopyRule(c *ops.Call) value.Value {
	t, index, src := c.Tensor("self"), c.Tensor("index"), c.Tensor("source")
	s, is, xs := c.Shape(t), c.Shape(index), c.Shape(src)
	axis := c.Axis("dim", len(s))
	if !c.OK() || !indexDType(c, index, "an index", dtype.I64) || !sameDTypes(c, t, src, "a source") || !indexVector(c, index) {
		return nil
	}
	n := c.Numel(is)
	switch {
	case len(xs) == 0:
		if _, ok := c.Same(n, c.Const(1)); !ok {
			return c.Errorf("IndexError", diag.ShapeMismatch, "%s(): a 0-dim source needs one index, but got %s", c.Short(), index)
		}
	case len(xs) != len(s) && len(s) != 0:
		return c.Errorf("IndexError", diag.RankMismatch, "%s() needs a source with as many dimensions as the tensor, but got %s for %s",
			c.Short(), src, t)
	}
	if len(s) > 0 && len(xs) > 0 {
		if !c.SameSizes(ops.Without(s, axis), ops.Without(xs, axis)) {
			return c.Shapef("%s(): slices of the source %s do not fit slices of %s", c.Short(), src, t)
		}
	}
	if len(xs) > 0 {
		if _, ok := c.Same(n, sizeAt(c, xs, min(axis, len(xs)-1))); !ok {
			return c.Errorf("IndexError", diag.ShapeMismatch,
				"%s() needs as many indices as the source has slices, but got %s for dimension %d of %s", c.Short(), index, axis, src)
		}
	}
	if len(s) == 0 {
		if v, ok := ops.DimVal(n); ok && v != 1 || len(xs) > 1 {
			return c.Errorf("IndexError", diag.ShapeMismatch, "%s(): the source %s does not fit a 0-dim tensor", c.Short(), src)
		}
	}
	if !indicesInRange(c, index, sizeAt(c, s, axis), "IndexError", false) {
		return nil
	}
	return c.Out(t.Type().DType, s)
}

// indexFillRule: negative indices count from the end, which index_copy refuses.
func indexFillRule(c *ops.Call) value.Value {
	t, index := c.Tensor("self"), c.Tensor("index")
	s := c.Shape(t)
	c.Shape(index)
	axis := c.Axis("dim", len(s))
	if !c.OK() || !indexDType(c, index, "an index", dtype.I64) || !indexVector(c, index) || !fillValue(c, t) ||
		!indicesInRange(c, index, sizeAt(c, s, axis), "IndexError", true) {
		return nil
	}
	return c.Cloned(t)
}

// fillValue checks the value of a fill: a number, or a 0-dim tensor.
func fillValue(c *ops.Call, t *value.Tensor) bool {
	d := t.Type().DType
	v, isTensor := c.Value("value").(*value.Tensor)
	if !isTensor {
		return scalarFits(c, c.Value("value"), d)
	}
	if len(v.Type().Shape) > 0 {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs a 0-dim value, but got %s", c.Short(), v)
		return false
	}
	return true // a complex value passes if its imaginary part is 0, which data decide
}

// indexPutRule needs a tuple of tensors and None, not more than the tensor has dimensions, and values of
// its dtype that broadcast to the elements that they select and have no more dimensions. Of one mask
// alone, a single number may have another dtype. The result has the tensor's type.
func indexPutRule(c *ops.Call) value.Value {
	t, v := c.Tensor("self"), c.Tensor("values")
	s := c.Shape(t)
	elems, ok := c.Elems("indices")
	if !ok || !c.OK() {
		return nil
	}
	if !ops.IsSequence(c.Value("indices")) {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): indices must be a tuple of tensors, not %s", c.Short(),
			ops.TypeName(c.Value("indices")))
	}
	// The indices are resolved as those of x[...], with all axes kept at first.
	ix := &indexer{c: c, base: t, axes: keepAll(s), start: map[int]symshape.Dim{}}
	for _, e := range elems {
		switch e := e.(type) {
		case value.NoneType:
			ix.dim++
		case *value.Tensor:
			if len(e.Type().Shape) == 0 && e.Type().DType == dtype.I64 { // no axis goes, unlike in x[i]
				ix.record(&indexTensor{shape: symshape.Shape{}, elems: e.Contents()})
				continue
			}
			ix.tensor(e)
		default:
			return c.Errorf("TypeError", diag.TypeMismatch, "%s(): an index must be a Tensor or None, not %s", c.Short(), ops.TypeName(e))
		}
	}
	if !c.OK() {
		return nil
	}
	for i := range elems {
		if i >= len(s) && len(elems) > len(s) {
			return c.Errorf("IndexError", diag.RankMismatch, "too many indices for %s", t)
		}
	}
	// With None alone nothing is selected.
	if len(ix.adv) == 0 {
		if !sameDTypes(c, t, v, "values") {
			return nil
		}
		if len(elems) == 0 && !c.BroadcastsTo(c.Shape(v), s) {
			return c.Shapef("%s(): values %s cannot be expanded to %s", c.Short(), v, t)
		}
		return c.Cloned(t)
	}
	g := ix.resolve()
	if g == nil {
		return nil
	}
	masks, others := 0, 0
	for _, e := range elems {
		if x, ok := e.(*value.Tensor); ok && (x.Type().DType == dtype.Bool || x.Type().DType == dtype.U8) {
			masks++
		} else if ok {
			others++
		}
	}
	// one number through one mask is filled in Which values may have another dtype depends on the
	// kernel: masked_fill converts its number.
	if n, ok := c.NumelOf(v).Const(); masks != 1 || others > 0 || ok && n != 1 || c.Bool("accumulate") {
		sameDTypes(c, t, v, "values")
	}
	if vs := v.Type().Shape; v.Type().Ranked && len(vs) > len(g.shape) { // unlike x[i] = v, which drops leading sizes of 1
		return c.Shapef("%s(): values %s have more dimensions than the indexed part, %s", c.Short(), v, g.shape)
	}
	fitsPart(c, t, v, g.shape, true)
	if !c.OK() {
		return nil
	}
	return c.Cloned(t)
}

// takeRule: the index counts in the flattened tensor, and the result has the index's shape.
func takeRule(c *ops.Call) value.Value {
	t, index := c.Tensor("self"), c.Tensor("index")
	s, is := c.Shape(t), c.Shape(index)
	if !c.OK() || !indexDType(c, index, "an index", dtype.I64) {
		return nil
	}
	if isEmpty(s) && !isEmpty(is) {
		return c.Errorf("IndexError", diag.DimOutOfRange, "take() from an empty tensor %s", t)
	}
	if !indicesInRange(c, index, c.Numel(s), "IndexError", true) {
		return nil
	}
	return c.Out(t.Type().DType, is)
}

// putRule is take's counterpart: as many values as indices, whatever the shapes of both.
func putRule(c *ops.Call) value.Value {
	t, index, src := c.Tensor("self"), c.Tensor("index"), c.Tensor("source")
	s, is, xs := c.Shape(t), c.Shape(index), c.Shape(src)
	if !c.OK() || !indexDType(c, index, "an index", dtype.I64) || !sameDTypes(c, t, src, "a source") {
		return nil
	}
	if _, ok := c.Same(c.Numel(is), c.Numel(xs)); !ok {
		return c.Errorf("IndexError", diag.ShapeMismatch, "%s() needs as many indices as source elements, but got %s and %s", c.Short(), index,
			src)
	}
	if isEmpty(s) && !isEmpty(is) {
		return c.Errorf("IndexError", diag.DimOutOfRange, "%s() into an empty tensor %s", c.Short(), t)
	}
	if !indicesInRange(c, index, c.Numel(s), "IndexError", true) {
		return nil
	}
	return c.Cloned(t)
}

// takeAlongDimRule needs int64 indices. Without dim they index the flattened tensor, which must be
// viewable as a vector, and the result is a vector; with it tensor and indices have equal ranks and
// broadcast on the other dimensions, and the result has as many elements along dim as the indices.
func takeAlongDimRule(c *ops.Call) value.Value {
	t, index := c.Tensor("self"), c.Tensor("indices")
	s, is := c.Shape(t), c.Shape(index)
	if !c.OK() {
		return nil
	}
	if !c.Has("dim") {
		for _, x := range []*value.Tensor{t, index} {
			ty := x.Type()
			if ty.Strides == nil {
				continue
			}
			if _, possible := c.ViewStrides(ty.Shape, ty.Strides, symshape.Shape{c.Numel(ty.Shape)}); possible == symshape.No {
				return c.Errorf("RuntimeError", diag.ReshapeMismatch, "take_along_dim() without dim cannot flatten %s, since it is not contiguous", x)
			}
		}
		if !isEmpty(is) && !indexDType(c, index, "indices", dtype.I64) || !indicesInRange(c, index, c.Numel(s), "RuntimeError", false) {
			return nil
		}
		return c.Out(t.Type().DType, symshape.Shape{c.Numel(is)})
	}
	if len(s) != len(is) {
		return c.Errorf("RuntimeError", diag.RankMismatch,
			"take_along_dim() needs indices with as many dimensions as the tensor, but got %s for %s", index, t)
	}
	if !indexDType(c, index, "indices", dtype.I64) {
		return nil
	}
	axis := c.Axis("dim", len(s))
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Out(t.Type().DType, is)
	}
	rest, off, ok := c.Broadcast(ops.Without(s, axis), ops.Without(is, axis))
	if !ok {
		return c.Shapef("take_along_dim(): %s and %s do not match at dimension %d, not counting dimension %d", t, index, -off, axis)
	}
	shape := ops.Insert(rest, axis, is[axis])
	if !isEmpty(shape) && !indicesInRange(c, index, s[axis], "RuntimeError", false) {
		return nil
	}
	return c.Out(t.Type().DType, shape)
}
