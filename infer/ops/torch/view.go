package torch

// This file holds the records of views: permutations of axes, new and dropped
// axes of size 1, broadcasting, diagonals and windows. The rules of view and
// reshape are in reshape.go, those of diagonals and windows in window.go, and the
// arithmetic of strides is in strides.go. A view shares the memory of its tensor: writes through
// one are seen through the other, which is why these rules say from which axis of the source each
// axis of the result comes (ops.AxisMap), and give strides. Strides are kept as expressions only
// where they are not row-major: nil stands for contiguous. All rules of this file work with
// symbolic sizes; a rank that is not known loses the result, but where the arguments give the rank.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

var viewOps = [...]ops.Op{
	{Names: []string{"torch.Tensor.view"}, Sig: "(Tensor self, int[]* size) | (Tensor self, ScalarType dtype)", Rule: viewRule,
		Form:  graph.Reshape,
		Is:    graph.View | graph.Ordered | graph.KeepsElements | graph.MergesAxes | graph.SizesGiven | graph.OneTensor,
		Trace: ops.AsksContiguity | ops.ReshapesByNumbers, Doc: "the same elements under another shape, without a copy"},
	{Names: []string{"torch.Tensor.view_as"}, Sig: "(Tensor self, Tensor other)", Rule: viewAsRule,
		Form: graph.Reshape, Is: graph.View | graph.Ordered, Quirks: ops.OnFirst, Doc: "view with the other tensor's shape"},
	{Names: []string{"torch.reshape"}, Sig: "(Tensor self, int[] shape)", Rule: reshapeRule,
		Form: graph.Reshape, Is: graph.View | graph.Ordered | graph.ViewIfStrided | graph.KeepsElements | graph.MergesAxes | graph.SizesGiven | graph.OneTensor,
		Trace: ops.AsksContiguity | ops.ReshapesByNumbers, Doc: "the same elements under another shape"},
	{Names: []string{"torch.Tensor.reshape"}, Sig: "(Tensor self, int[]* shape)", Rule: reshapeRule,
		Form: graph.Reshape, Is: graph.View | graph.Ordered | graph.ViewIfStrided | graph.KeepsElements | graph.MergesAxes | graph.SizesGiven | graph.OneTensor,
		Trace: ops.AsksContiguity | ops.ReshapesByNumbers, Doc: "the same elements under another shape"},
	{Names: []string{"torch.Tensor.reshape_as"}, Sig: "(Tensor self, Tensor other)", Rule: reshapeRule,
		Form: graph.Reshape, Is: graph.View | graph.Ordered | graph.ViewIfStrided, Quirks: ops.OnFirst,
		Doc: "reshape to the other tensor's shape"},
	{Names: []string{"torch.flatten", "torch.Tensor.flatten"}, Sig: "(Tensor self, int start_dim=0, int end_dim=-1)", Rule: flattenRule,
		Form:  graph.Reshape,
		Is:    graph.View | graph.Ordered | graph.ViewIfStrided | graph.KeepsElements | graph.MergesAxes | graph.OneTensor,
		Trace: ops.AsksContiguity, Doc: "joins the dimensions start_dim to end_dim into one"},
	{Names: []string{"torch.unflatten", "torch.Tensor.unflatten"}, Sig: "(Tensor self, int dim, int[] sizes)", Rule: unflattenRule,
		Form: graph.Reshape, Is: graph.View | graph.Ordered, Trace: ops.KeepsParts, Doc: "splits a dimension into several"},
	{Names: []string{"torch.ravel", "torch.Tensor.ravel"}, Sig: "(Tensor self)", Rule: ravelRule,
		Form: graph.Reshape, Is: graph.View | graph.Ordered | graph.ViewIfContiguous, Doc: "one dimension with all elements"},
	{Names: []string{"torch.squeeze", "torch.Tensor.squeeze"}, Sig: "(Tensor self) | (Tensor self, int dim) | (Tensor self, int[]* dim)",
		Rule:    squeezeRule,
		InPlace: true, Reshapes: true, Repeats: true,
		Form: graph.Squeeze, Is: graph.View | graph.Ordered | graph.Metadata | graph.KeepsElements | graph.OneTensor,
		Quirks: ops.NamedDims, Doc: "drops dimensions of size 1; several at once need torch 2.0"},
	{Names: []string{"torch.unsqueeze", "torch.Tensor.unsqueeze"}, Sig: "(Tensor self, int dim)", Rule: unsqueezeRule,
		InPlace: true, Reshapes: true, Repeats: true,
		Is:    graph.View | graph.Ordered | graph.Metadata | graph.KeepsElements | graph.OneTensor,
		Trace: ops.ComparesResult, Doc: "inserts a dimension of size 1"},
	{Names: []string{"torch.permute"}, Sig: "(Tensor self, int[] dims)", Rule: permuteRule,
		Form: graph.Permute, Is: graph.View | graph.KeepsElements | graph.OneTensor, Doc: "reorders the dimensions"},
	{Names: []string{"torch.Tensor.permute"}, Sig: "(Tensor self, int[]* dims)", Rule: permuteRule,
		Form: graph.Permute, Is: graph.View | graph.KeepsElements | graph.OneTensor, Doc: "reorders the dimensions"},
	{Names: []string{"torch.transpose", "torch.Tensor.transpose", "torch.swapdims", "torch.Tensor.swapdims"},
		Sig:  "(Tensor self, int dim0, int dim1)",
		Rule: transposeRule, InPlace: true, Reshapes: true, Repeats: true,
		Form: graph.Transpose, Is: graph.View | graph.Metadata | graph.KeepsElements | graph.OneTensor, Sparse: ops.SparseFlips,
		Doc: "swaps two dimensions"},
	{Names: []string{"torch.swapaxes", "torch.Tensor.swapaxes"}, Sig: "(Tensor self, int axis0, int axis1)",
		Rule: transposeRule, InPlace: true, Reshapes: true, Repeats: true, Form: graph.Transpose, Is: graph.View | graph.Metadata,
		Doc: "swaps two dimensions"},
	{Names: []string{"torch.t", "torch.Tensor.t"}, Sig: "(Tensor self)", Rule: tRule, InPlace: true, Reshapes: true, Repeats: true,
		Form: graph.Reverse, Is: graph.View | graph.Metadata | graph.KeepsElements, Sparse: ops.SparseFlips,
		Doc: "transposes a tensor of at most two dimensions"},
	{Names: []string{"torch.Tensor.T.get"}, Sig: "(Tensor self)", Rule: transposeProperty, Variant: allAxes,
		Form: graph.Reverse, Is: graph.View, Sparse: ops.SparseFlips, Doc: "all dimensions in the opposite order"},
	{Names: []string{"torch.Tensor.H.get"}, Sig: "(Tensor self)", Rule: transposeProperty, Variant: matrixOnly,
		Form: graph.Rearrange, Is: graph.View, Sparse: ops.SparseFlips, Doc: "the conjugate transpose of a matrix"},
	{Names: []string{"torch.Tensor.mT.get", "torch.Tensor.mH.get"}, Sig: "(Tensor self)", Rule: transposeProperty,
		Form: graph.Rearrange, Is: graph.View, Sparse: ops.SparseFlips, Doc: "swaps the last two dimensions; mH conjugates, too"},
	{Names: []string{"torch.adjoint", "torch.Tensor.adjoint"}, Sig: "(Tensor self)", Rule: transposeProperty,
		Form: graph.Rearrange, Is: graph.View, Doc: "conjugates and swaps the last two dimensions"},
	{Names: []string{"torch.movedim", "torch.Tensor.movedim", "torch.moveaxis", "torch.Tensor.moveaxis"},
		Sig: "(Tensor self, int source, int destination) | (Tensor self, int[] source, int[] destination)", Rule: movedimRule,
		Form: graph.Rearrange, Is: graph.View, Doc: "moves dimensions to other places"},
	{Names: []string{"torch.Tensor.expand"}, Sig: "(Tensor self, int[]* size, *, bool implicit=False)", Rule: expandRule,
		Is:    graph.View | graph.KeepsElements,
		Trace: ops.ComparesNumbers | ops.AllowsZero | ops.ComparesResult, Doc: "repeats dimensions of size 1 without a copy; -1 keeps a size"},
	{Names: []string{"torch.broadcast_to"}, Sig: "(Tensor self, int[] size)", Rule: expandRule,
		Is: graph.View | graph.KeepsElements, Doc: "expand as a function"},
	{Names: []string{"torch.Tensor.broadcast_to"}, Sig: "(Tensor self, int[]* size)", Rule: expandRule, Is: graph.View,
		Doc: "expand to a size"},
	{Names: []string{"torch.Tensor.expand_as"}, Sig: "(Tensor self, Tensor other)", Rule: expandRule,
		Is: graph.View | graph.KeepsElements, Quirks: ops.OnFirst, Doc: "expand to the other tensor's shape"},
	{Names: []string{"torch.Tensor.contiguous"}, Sig: "(Tensor self, *, any memory_format=None)", Rule: contiguousRule,
		Is:  graph.View | graph.ViewIfContiguous | graph.KeepsElements | graph.OneTensor,
		Doc: "the tensor, copied to row-major order if it is not"},
	{Names: []string{"torch.Tensor.is_contiguous"}, Sig: "(Tensor self, *, any memory_format=None)", Rule: isContiguousRule, Pure: true,
		Doc: "whether the elements lie in row-major order"},
	{Names: []string{"torch.Tensor.stride"}, Sig: "(Tensor self) | (Tensor self, int dim)", Rule: strideRule, Pure: true,
		Quirks: ops.NamedDims, Trace: ops.ComputesNothing, Doc: "the strides, in elements"},
	{Names: []string{"torch.as_strided", "torch.Tensor.as_strided"}, Sig: "(Tensor self, int[] size, int[] stride, int? storage_offset=None)",
		Rule: asStridedRule, InPlace: true, Reshapes: true, Repeats: true, Is: graph.View | graph.Metadata, Doc: "any view of the memory"},
	{Names: []string{"torch.diagonal", "torch.Tensor.diagonal"}, Sig: "(Tensor self, int offset=0, int dim1=0, int dim2=1)",
		Rule: diagonalRule,
		Is:   graph.View, Doc: "the diagonal of two dimensions as the last one"},
	{Names: []string{"torch.linalg.diagonal"}, Sig: "(Tensor self, *, int offset=0, int dim1=-2, int dim2=-1)", Rule: diagonalRule,
		Is: graph.View, Doc: "the diagonals of matrices"},
	{Names: []string{"torch.Tensor.unfold"}, Sig: "(Tensor self, int dimension, int size, int step)", Rule: unfoldRule,
		Is: graph.View, Doc: "windows of a dimension, as a new last dimension"},
	{Names: []string{"torch.narrow", "torch.Tensor.narrow"},
		Sig: "(Tensor self, int dim, int start, int length) | (Tensor self, int dim, Tensor start, int length)", Rule: narrowRule,
		Form: graph.Resize, Is: graph.View, Trace: ops.Slices, Doc: "a part of a dimension"},
	{Names: []string{"torch.narrow_copy", "torch.Tensor.narrow_copy"}, Sig: "(Tensor self, int dim, int start, int length)", Out: true,
		ExactOut: true, Rule: narrowCopyRule,
		Variant: copied, Doc: "a copy of a part of a dimension"},
	{Names: []string{"torch.select", "torch.Tensor.select"}, Sig: "(Tensor self, int dim, int index)", Rule: selectRule,
		Is: graph.View, Quirks: ops.NamedDims, Doc: "one index of a dimension, which is dropped"},
	{Names: []string{"torch.Tensor.resize_"}, Sig: "(Tensor self, int[]* size, *, any memory_format=None)", Rule: resizeRule, Reshapes: true,
		Repeats: true,
		Is:      graph.Metadata | graph.Regrows, Doc: "gives the tensor another shape; new elements are not initialized"},
	{Names: []string{"torch.Tensor.resize_as_", "torch.resize_as_"}, Sig: "(Tensor self, Tensor the_template, *, any memory_format=None)",
		Rule: resizeRule, Reshapes: true, Repeats: true,
		Is: graph.Metadata | graph.Regrows, Quirks: ops.OnFirst, Doc: "resize_ to the other tensor's shape"},
	{Names: []string{"torch.Tensor.set_"},
		Sig:  "(Tensor self) | (Tensor self, Tensor source) | (Tensor self, any source, int storage_offset, int[] size, int[] stride=[]) | (Tensor self, any source)",
		Rule: setRule, Reshapes: true, Repeats: true, Quirks: ops.OnFirst, Doc: "takes another tensor's memory and shape"},
	{Names: []string{"torch.view_as_real"}, Sig: "(Tensor self)", Rule: viewAsRealRule, Is: graph.View,
		Doc: "complex numbers as a last dimension of size 2"},
	{Names: []string{"torch.view_as_complex"}, Sig: "(Tensor self)", Rule: viewAsComplexRule,
		Is: graph.View, Doc: "a last dimension of size 2 as complex numbers"},
}

// ravelRule: ravel is reshape(-1) of a contiguous tensor. For one that is not contiguous PyTorch calls
// contiguous() first, so the result is no view, although a view would be possible for some strides.
// A vector that is contiguous is returned itself, as the same object.
func ravelRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) == 1 && t.Type().Strides == nil {
		return itself(c, t)
	}
	if t.Type().Strides != nil { // made contiguous, not just viewed
		return c.Out(t.Type().DType, symshape.Shape{c.Numel(s)})
	}
	return reshaped(c, t, symshape.Shape{c.Numel(s)})
}

// keepAll maps each axis of a shape to itself: what a view begins with that then inserts or drops
// one. The caller may change the list.
func keepAll(s symshape.Shape) []ops.AxisMap {
	axes := make([]ops.AxisMap, len(s))
	for i := range s {
		axes[i] = ops.KeepAxis(s, i)
	}
	return axes
}

// squeezeRule: without dim all sizes of 1 go. A symbol stays: it stands for a
// size in general, and its being 1 in an example is recorded. With dim, an axis whose size is not 1
// stays, which is no fault. Several dims are a TypeError before PyTorch 2.0. A 0-dim tensor takes
// the dims 0 and -1.
func squeezeRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	drop := make([]bool, len(s))
	if !c.HasParam("dim") {
		for i, d := range s {
			drop[i] = isOne(c, d)
		}
	} else {
		// Reading dim as a list or as one number is the same in PyTorch 2; in PyTorch 1 only one
		// number was allowed.
		var axes []int
		if ops.IsSequence(c.Value("dim")) {
			if !atLeastTorch2(c) {
				return c.Errorf("TypeError", diag.TypeMismatch, "squeeze(): argument 'dim' must be int, not %s, before torch 2.0",
					ops.TypeName(c.Value("dim")))
			}
			axes = c.Axes("dim", len(s))
		} else {
			axes = []int{c.Axis("dim", len(s))}
		}
		if !c.OK() {
			return nil
		}
		// The axis 0 of a 0-dim tensor is not there, and nothing is dropped.
		for _, a := range axes {
			if a < len(s) {
				drop[a] = isOne(c, s[a])
			}
		}
	}
	if !c.OK() {
		return nil
	}
	var axes []ops.AxisMap
	for i := range s {
		if !drop[i] {
			axes = append(axes, ops.KeepAxis(s, i))
		}
	}
	return c.ViewOf(t, axes, nil)
}

// isOne decides whether a size is 1. The number of dimensions hangs on it, so a size of which
// nothing is known loses the result. A symbol counts as other than 1, which becomes a condition of
// the run, unless its example value is 1. A size that is computed from data (a fresh symbol) may be
// 1 at any run, and nothing can be assumed of it. The size of an example alone decides in a run
// with example values.
func isOne(c *ops.Call, d symshape.Dim) bool {
	if n, ok := d.Const(); ok {
		return n == 1
	}
	if d.Expr == nil {
		if !d.Known {
			c.Lose("a size that may be 1 is not known")
		}
		return d.Known && d.Val == 1
	}
	// Known conditions of the run may settle it.
	one := c.P.Eq(d.Expr, c.P.Const(1))
	switch c.Decide(one) {
	case symshape.Yes:
		return true
	case symshape.No:
		return false
	}
	// In a run by example its value decides, and the condition is noted, so that the contract says
	// for which sizes the run holds.
	if d.Known && d.Val == 1 {
		c.Th.Require(one, "")
		return true
	}
	for _, s := range d.Expr.Symbols() {
		if s.IsFresh() {
			c.Lose("whether a size is 1 depends on data")
			return false
		}
	}
	c.Th.Require(c.P.Not(one), "")
	return false
}

// atLeastTorch2 reports whether the run is one of PyTorch 2 or later; without a version asked for, it is the
// newest. Versions are texts as "1.13" and "2.1"; a two-digit major version such as 10 would be
// newer.
func atLeastTorch2(c *ops.Call) bool {
	v := c.Th.Option("torch-version")
	return v == "" || v[0] != '1' || len(v) > 1 && v[1] != '.'
}

// unsqueezeRule gives the new axis the stride that PyTorch gives it: size times stride of the axis that
// follows, and 1 at the end. The stride of an axis of size 1 addresses nothing, but a later view()
// reads it. dim lies between -(rank+1) and rank, as newAxisIndex checks. Its size is 1 and its
// place is dim of the result.
func unsqueezeRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	d := c.Dim("dim")
	n, known := ops.DimVal(d)
	if !known {
		c.AxisOf(d, "dim", len(s)+1)
	}
	axis := newAxisIndex(c, int(n), len(s))
	if !c.OK() {
		return nil
	}
	axes := keepAll(s)
	stride := c.P.Const(1)
	if axis < len(s) {
		stride = c.P.Mul(c.StridesOf(t)[axis], s[axis].Expr)
	}
	axes = append(axes[:axis], append([]ops.AxisMap{ops.NewAxis(c.Const(1), stride)}, axes[axis:]...)...)
	return c.ViewOf(t, axes, nil)
}

// newAxisIndex checks where an axis is inserted: one more place than there are axes. A fault is an
// IndexError, as PyTorch raises, and gives 0. A negative number counts from the end of the result's
// axes.
func newAxisIndex(c *ops.Call, axis, rank int) int {
	n := rank + 1
	if axis < -n || axis >= n {
		c.Errorf("IndexError", diag.DimOutOfRange, "dimension %d is out of range for a new dimension of a tensor of %s (expected %d to %d)",
			axis, ops.CountWord(rank, "dimension"), -n, n-1)
		return 0
	}
	if axis < 0 {
		axis += n
	}
	return axis
}

// permuted is the view of t with its axes in another order: axis i of the result is axis order[i].
// order must have each axis once; it is not checked here. Its stride comes with each axis.
func permuted(c *ops.Call, t *value.Tensor, order []int) *value.Tensor {
	s := t.Type().Shape
	axes := make([]ops.AxisMap, len(order))
	for i, a := range order {
		axes[i] = ops.KeepAxis(s, a)
	}
	return c.ViewOf(t, axes, nil)
}

// permuteRule: each axis exactly once. c.Axes refuses repeated ones. An unranked tensor gets its rank from the
// number of arguments. The number of dims must be the rank. Of an unranked tensor all sizes of the
// result are unknown.
func permuteRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	dims := c.Ints("dims")
	if !c.OK() {
		return nil
	}
	if !t.Type().Ranked { // it has as many as there are numbers
		if c.Axes("dims", len(dims)); !c.OK() {
			return nil
		}
		return c.View(t, make(symshape.Shape, len(dims)))
	}
	s := t.Type().Shape
	if len(dims) != len(s) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "permute() got %s for %s, which has %s",
			ops.CountWord(len(dims), "dimension"), t, ops.CountWord(len(s), "dimension"))
	}
	order := c.Axes("dims", len(s))
	if !c.OK() {
		return nil
	}
	return permuted(c, t, order)
}

// transposeRule takes the names dim0, dim1 of transpose and axis0, axis1 of swapaxes, of which all else is
// equal. Both axes may be the same, which changes nothing. The result's two sizes are exchanged.
func transposeRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	rank := len(c.Shape(t))
	if !c.OK() {
		return nil
	}
	first, second := "dim0", "dim1"
	if c.HasParam("axis0") {
		first, second = "axis0", "axis1"
	}
	return swapped(c, t, c.Axis(first, rank), c.Axis(second, rank))
}

// swapped exchanges two axes. A tensor without dimensions has the axes 0 and -1 as PyTorch wraps
// them (maybe_wrap_dim with wrap_scalar), and stays as it is.
func swapped(c *ops.Call, t *value.Tensor, a, b int) value.Value {
	if !c.OK() {
		return nil
	}
	order := identity(len(t.Type().Shape))
	if len(order) > 0 {
		order[a], order[b] = order[b], order[a]
	}
	return permuted(c, t, order)
}

// identity is the order of n axes as they are.
func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// tRule transposes a matrix; vectors and scalars stay as they are. More than two axes are a
// RuntimeError, as numpy's T differs here.
func tRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) > 2 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "t() expects a tensor with at most 2 dimensions, but got %dD: %s", len(s), t)
	}
	return swapped(c, t, 0, max(len(s)-1, 0))
}

// The properties of transposeProperty that do not swap the last two axes of any tensor. mT and mH
// are the default case of the rule: the last two axes of any batch.
const (
	allAxes    ops.Variant = "T" // all axes in the opposite order
	matrixOnly ops.Variant = "H" // of matrices only
)

// transposeProperty is T, mT, H and mH: T reverses all axes, the others exchange the last two. T
// takes any rank and reverses it (PyTorch only warns for a rank other than 2). H takes matrices and
// 0-dim tensors, mT, mH and adjoint batches of matrices and 0-dim tensors. Conjugation does not
// change a type, so H and T of a matrix differ only in elements.
func transposeProperty(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	n := len(s)
	switch {
	case c.Is(allAxes):
		order := identity(n)
		for i := range order {
			order[i] = n - 1 - i
		}
		return permuted(c, t, order)
	case c.Is(matrixOnly):
		if n == 1 || n > 2 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "tensor.H is only supported on matrices (2D), but got %dD: %s", n, t)
		}
	case n == 1:
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s is only supported on matrices or batches of matrices, but got %dD: %s", c.Name,
			n, t)
	}
	return swapped(c, t, max(n-2, 0), max(n-1, 0))
}

// movedimRule: as many sources as destinations, each axis at most once; the others keep their
// order. Each source goes to the place of its destination, and the axes that are left fill the free
// places from left to right, as numpy.moveaxis does.
func movedimRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	src, dst := c.Ints("source"), c.Ints("destination")
	if len(src) != len(dst) && c.OK() {
		return c.Errorf("RuntimeError", diag.BadValue, "movedim(): source has %d dimensions, but destination has %d", len(src), len(dst))
	}
	from, to := c.Axes("source", len(s)), c.Axes("destination", len(s))
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return itself(c, t)
	}
	// order has for each place of the result the axis that comes there.
	order := make([]int, len(s))
	for i := range order {
		order[i] = -1
	}
	moved := make([]bool, len(s))
	for i := range from {
		order[to[i]] = from[i]
		moved[from[i]] = true
	}
	// next is the smallest axis that neither moved nor was placed.
	next := 0
	for i := range order {
		if order[i] < 0 {
			for moved[next] {
				next++
			}
			order[i] = next
			next++
		}
	}
	return permuted(c, t, order)
}

// expandRule takes sizes, or those of another tensor (expand_as). The sizes are those of the whole
// result, with -1 for a size that stays. A 0-dim tensor expands to any shape.
func expandRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	if !c.OK() {
		return nil
	}
	var sizes []symshape.Dim
	if c.HasParam("other") {
		sizes = c.Shape(c.Tensor("other"))
	} else {
		sizes = c.Ints("size")
	}
	if !c.OK() {
		return nil
	}
	return expanded(c, t, sizes)
}

// expanded broadcasts t to sizes, in which -1 keeps a size. New axes come in front and have a
// stride of 0, as have those of size 1 that grow: all their elements are one place in memory.
// Another size than the tensor's is a fault; symbols are compared as conditions. More sizes than
// axes add axes in front, which must have a size that is given; fewer sizes than axes are a fault.
func expanded(c *ops.Call, t *value.Tensor, sizes []symshape.Dim) value.Value {
	// Of an unranked tensor the result has the sizes that are given.
	if !t.Type().Ranked {
		shape := slices.Clone(symshape.Shape(sizes))
		for i, d := range shape {
			if ops.IsConst(d, -1) {
				shape[i] = symshape.Dim{}
			}
		}
		return c.View(t, shape)
	}
	s := t.Type().Shape
	lead := len(sizes) - len(s)
	if lead < 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s(): %d sizes are too few for %s, which has %s", c.Short(), len(sizes), t,
			ops.CountWord(len(s), "dimension"))
	}
	axes := make([]ops.AxisMap, len(sizes))
	zero := c.P.Const(0)
	for i, want := range sizes {
		switch {
		// A new axis has no size of its own to keep, so -1 is not allowed.
		case i < lead:
			if ops.IsConst(want, -1) || want.Expr != nil && c.Decide(c.P.Ge(want.Expr, zero)) == symshape.No {
				return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): size %s is not allowed for the new dimension %d", c.Short(), want, i)
			}
			axes[i] = ops.NewAxis(want, zero)
		case ops.IsConst(want, -1):
			axes[i] = ops.KeepAxis(s, i-lead)
		default:
			have := s[i-lead]
			// A size of 1 grows to any size that is not negative, also to 0.
			if ops.IsConst(have, 1) && !ops.IsConst(want, 1) {
				if want.Expr != nil && c.Decide(c.P.Ge(want.Expr, zero)) == symshape.No {
					return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): size %s is not allowed", c.Short(), want)
				}
				axes[i] = ops.NewAxis(want, zero)
				continue
			}
			// In a run with example sizes a symbol whose value is 1 broadcasts, and is pinned to 1
			// for the run.
			if have.Expr != want.Expr && have.Known && have.Val == 1 && want.Known && want.Val != 1 { // the example broadcasts
				c.Pin(have, 1)
				axes[i] = ops.NewAxis(want, zero)
				continue
			}
			// All other sizes must be equal to the ones wanted, which becomes a condition between
			// symbols.
			d, fits := c.Same(have, want)
			if !fits {
				c.Blame(ops.Ref{Tensor: t, Axis: i - lead})
				return c.Errorf("RuntimeError", diag.ShapeMismatch, "%s(): size %s of dimension %d cannot be expanded to %s: %s to %s",
					c.Short(), have, i-lead, want, t, symshape.Shape(sizes))
			}
			axes[i] = ops.KeepAxis(s, i-lead)
			axes[i].Size = d
		}
	}
	return c.ViewOf(t, axes, nil)
}
