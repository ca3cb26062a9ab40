package torch

// This file holds the rules of views that walk memory in other ways: contiguous,
// as_strided, diagonals, windows, and complex numbers as pairs. Their records are
// in view.go. Views share memory (c.View, c.ViewOf), so a wrong stride would show only at a later
// view(): therefore each rule states the strides of its result. Where they cannot be told, elements
// of the list are nil.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// contiguousRule gives the tensor itself where its elements lie in order already; channels_last asks for
// another order and another number of axes. Strides of nil mean row-major. A copy has no strides
// and keeps the elements.
func contiguousRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	if !c.OK() {
		return nil
	}
	// Other formats: a new tensor whose axes lie as the format asks. preserve_format is the same as
	// contiguous_format here.
	if k, ok := c.Value("memory_format").(value.Constant); ok && k.Name != "torch.contiguous_format" && k.Name != "torch.preserve_format" {
		out := c.Like(t, t.Type().DType)
		if want := map[string]int{"torch.channels_last": 4, "torch.channels_last_3d": 5}[k.Name]; want > 0 && t.Type().Ranked {
			if len(t.Type().Shape) != want {
				return c.Errorf("RuntimeError", diag.RankMismatch, "contiguous(): memory format %s needs %dD, but got %s", k.Name, want, t)
			}
			s := t.Type().Shape
			// The channel axis comes last in memory: N, the spatial axes, C.
			order := append([]int{0}, identity(want)[2:]...)
			c.SetStrides(out, orderedStrides(c, s, append(order, 1)))
		}
		out.SetContents(t.Contents())
		return out
	}
	if t.Type().Strides == nil {
		return itself(c, t)
	}
	out := c.Like(t, t.Type().DType)
	out.SetContents(t.Contents())
	return out
}

// orderedStrides are the strides of a dense tensor whose axes lie in memory in
// the given order, outermost first. A size of 0 does not make the strides of the outer axes 0, as
// in PyTorch.
func orderedStrides(c *ops.Call, s symshape.Shape, order []int) []*symshape.Expr {
	out := make([]*symshape.Expr, len(s))
	acc := c.P.Const(1)
	for i := len(order) - 1; i >= 0; i-- {
		out[order[i]] = acc
		if !ops.IsConst(s[order[i]], 0) {
			acc = c.P.Mul(acc, s[order[i]].Expr)
		}
	}
	return out
}

// isContiguousRule answers only what is known: strides that depend on symbols may or may not be those of
// row-major order, and a guess would decide a branch. Of channels_last it is known only that a
// tensor of another rank is not in it.
func isContiguousRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	if !c.OK() {
		return nil
	}
	if !t.Type().Ranked {
		return c.Lose("the number of dimensions is not known")
	}
	if c.Has("memory_format") {
		f, _ := c.Value("memory_format").(value.Constant)
		switch n := t.Type().Rank(); {
		case f.Name == "torch.channels_last" && n != 4, f.Name == "torch.channels_last_3d" && n != 5:
			return value.Bool(false)
		case f.Name != "torch.contiguous_format":
			return c.Lose("the memory format is not known")
		}
	}
	for _, e := range t.Type().Strides {
		if e == nil {
			return c.Lose("the strides are not known")
		}
	}
	return value.Bool(t.Type().Strides == nil)
}

// strideRule gives numbers of Python, or expressions of the sizes where these are symbols. With dim
// it is one number, without it a tuple with one for each axis. A stride that is not known is a
// number that is not known.
func strideRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	strides := c.StridesOf(t)
	if c.HasParam("dim") {
		axis := c.Axis("dim", len(s))
		if !c.OK() || len(s) == 0 {
			return c.Errorf("IndexError", diag.DimOutOfRange, "stride(): a 0-dim tensor has no dimension")
		}
		return value.FromDim(symshape.MakeDim(strides[axis]))
	}
	out := make([]value.Value, len(s))
	for i := range out {
		out[i] = value.FromDim(symshape.MakeDim(strides[i]))
	}
	return value.NewTuple(out...)
}

// asStridedRule: any sizes and strides that stay within the memory of the tensor, which
// checkStrided asks. The number of sizes and of strides must be equal; sizes and strides must not
// be negative. The result has the dtype of the tensor, and no elements are known of it.
func asStridedRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	sizes, strides := c.Ints("size"), c.Ints("stride")
	if !c.OK() {
		return nil
	}
	shape, ok := checkStrided(c, t, sizes, strides)
	if !ok {
		return nil
	}
	out := c.View(t, shape)
	exprs := make([]*symshape.Expr, len(strides))
	for i, d := range strides {
		exprs[i] = d.Expr
	}
	c.SetStrides(out, exprs)
	return out
}

// checkStrided checks the arguments of as_strided. A view may reach further than
// its base where the base is itself a view, so only contiguous tensors that own
// their memory are checked for size. ok is false after a fault.
func checkStrided(c *ops.Call, t *value.Tensor, sizes, strides []symshape.Dim) (symshape.Shape, bool) {
	if len(sizes) != len(strides) {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): size has %d elements, but stride has %d",
			c.Short(), diag.Count(len(sizes)), diag.Count(len(strides)))
		return nil, false
	}
	// last is the number of the last element that is reached: offset + Σ (size − 1)·stride.
	zero := c.P.Const(0)
	last := c.Const(0)
	if c.Has("storage_offset") {
		last = c.Dim("storage_offset")
		if last.Expr != nil && c.Decide(c.P.Ge(last.Expr, zero)) == symshape.No {
			c.Errorf("RuntimeError", diag.BadValue, "%s(): storage_offset %s is negative", c.Short(), last)
			return nil, false
		}
	}
	// Without elements nothing is reached.
	empty := false
	for _, d := range sizes {
		empty = empty || ops.IsConst(d, 0)
	}
	for i := range sizes {
		for _, d := range []symshape.Dim{sizes[i], strides[i]} {
			if d.Expr != nil && c.Decide(c.P.Ge(d.Expr, zero)) == symshape.No {
				if empty && c.Torch1() {
					c.Lose("beside a size of 0 PyTorch 1 takes negative ones")
					return nil, false
				}
				c.Errorf("RuntimeError", diag.InvalidSize, "%s(): size and stride must not be negative, but got %s", c.Short(), d)
				return nil, false
			}
		}
		last = c.P.DimAdd(last, c.P.DimMul(c.P.DimSub(sizes[i], c.Const(1)), strides[i]))
	}
	if t.Type().Ranked && t.Type().Strides == nil && t.Storage == nil && !empty {
		n := c.Numel(t.Type().Shape)
		if last.Expr != nil && n.Expr != nil && c.Decide(c.P.Lt(last.Expr, n.Expr)) == symshape.No {
			c.Errorf("RuntimeError", diag.InvalidSize, "%s(): sizes %s with strides %s reach element %s of a tensor with %s elements",
				c.Short(), symshape.Shape(sizes), symshape.Shape(strides), last, n)
			return nil, false
		}
	}
	return append(symshape.Shape(nil), sizes...), true
}

// diagonalSize is the length of a diagonal of a rows × cols matrix. The formula is max(min(rows −
// max(−offset, 0), cols − max(offset, 0)), 0), as in torch.diagonal; all may be symbols.
func diagonalSize(c *ops.Call, rows, cols, offset symshape.Dim) symshape.Dim {
	p := c.P
	zero := c.Const(0)
	right := p.DimMax(offset, zero)          // offset > 0 starts in a later column
	down := p.DimMax(p.DimNeg(offset), zero) // offset < 0 in a later row
	return p.DimMax(p.DimMin(p.DimSub(rows, down), p.DimSub(cols, right)), zero)
}

// diagonalAxes reads dim1 and dim2 and checks that they differ. ok is false after a fault.
func diagonalAxes(c *ops.Call, rank int) (a, b int, ok bool) {
	a, b = c.Axis("dim1", rank), c.Axis("dim2", rank)
	if !c.OK() {
		return 0, 0, false
	}
	if a == b {
		c.Errorf("RuntimeError", diag.DimOutOfRange, "%s(): dim1 and dim2 are the same dimension %d", c.Short(), a)
		return 0, 0, false
	}
	return a, b, true
}

// diagonalRule gives a view: the two axes go, and one at the end walks both at once, so that its stride is the
// sum of theirs. An offset moves the start along the second axis, a negative one along the first.
// The other axes keep their order. A diagonal outside of the matrix is empty.
func diagonalRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	a, b, ok := diagonalAxes(c, len(s))
	offset := c.Dim("offset")
	if !ok || !c.OK() {
		return nil
	}
	n := diagonalSize(c, s[a], s[b], offset)
	var axes []ops.AxisMap
	for i := range s {
		if i != a && i != b {
			axes = append(axes, ops.KeepAxis(s, i))
		}
	}
	// The axis at the end moves along both a (From) and b (Also).
	axes = append(axes, ops.AxisMap{Size: n, From: a, Also: b, Step: 1})
	// start is where the view begins along an axis. An offset that is a symbol is taken as not
	// negative.
	var start map[int]symshape.Dim
	if off, ok := offset.Const(); ok && off < 0 {
		start = map[int]symshape.Dim{a: c.Const(-off)}
	} else {
		start = map[int]symshape.Dim{b: offset}
	}
	return c.ViewOf(t, axes, start)
}

// unfoldRule is that of Tensor.unfold: windows of size elements, step apart, as a new last axis that shares
// memory with the others. There are (n - size) / step + 1 of them, rounded down: what does not fill a window is
// not in the result. The windows must fit: a size above the axis is refused, while 0 is fine. A tensor without
// dimensions counts as one element. dimension may be negative. size and step must not be negative
// and positive, as is checked where they are known.
func unfoldRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	axis := c.Axis("dimension", len(s))
	size, step := c.Dim("size"), c.Dim("step")
	if !c.OK() {
		return nil
	}
	if n, ok := step.Const(); ok && n <= 0 {
		return c.Errorf("RuntimeError", diag.InvalidSize, "unfold(): step is %d, but must be positive", n)
	}
	if n, ok := size.Const(); ok && n < 0 {
		if c.Torch1() && isEmpty(s) {
			return c.Lose("of an empty tensor PyTorch 1 makes a dimension of size %d", n)
		}
		return c.Errorf("RuntimeError", diag.InvalidSize, "unfold(): size is %d, but must not be negative", n)
	}
	if len(s) == 0 { // taken as one dimension of one element
		if n, ok := size.Const(); ok && n > 1 {
			return c.Errorf("RuntimeError", diag.InvalidSize, "unfold(): size %d is greater than the 1 element of a 0-dim tensor", n)
		}
		return c.ViewOf(t, []ops.AxisMap{ops.NewAxis(size, c.P.Const(1))}, nil)
	}
	// For symbols it becomes a condition.
	if !requireLE(c, size, s[axis]) {
		c.Blame(ops.Ref{Tensor: t, Axis: axis})
		return c.Errorf("RuntimeError", diag.InvalidSize, "unfold(): size %s is greater than size %s of dimension %d of %s", size, s[axis],
			axis, t)
	}
	axes := keepAll(s)
	// The windows' starts are step apart, their elements one apart, along the same axis of the
	// tensor.
	count := c.P.DimAdd(c.P.DimFloorDiv(c.P.DimSub(s[axis], size), step), c.Const(1))
	k, ok := step.Const()
	axes = append(axes, ops.AxisMap{Size: size, From: axis, Also: -1, Step: 1})
	axes[axis] = ops.AxisMap{Size: count, From: axis, Also: -1, Step: k}
	// A step that is not known has its stride as an expression.
	if !ok {
		axes[axis] = ops.NewAxis(count, c.P.Mul(c.StridesOf(t)[axis], step.Expr))
		out := c.View(t, shapeOf(axes))
		c.SetStrides(out, c.MapStrides(c.StridesOf(t), axes))
		return out
	}
	return c.ViewOf(t, axes, nil)
}

// shapeOf is the sizes alone.
func shapeOf(axes []ops.AxisMap) symshape.Shape {
	s := make(symshape.Shape, len(axes))
	for i, a := range axes {
		s[i] = a.Size
	}
	return s
}

// requireLE makes a ≤ b a condition of the run. It reports false where the run's example values or
// the known conditions contradict.
func requireLE(c *ops.Call, a, b symshape.Dim) bool {
	if a.Known && b.Known && a.Val > b.Val {
		return false
	}
	return a.Expr == nil || b.Expr == nil || require(c, c.P.Le(a.Expr, b.Expr))
}

// resizeRule is that of resize_ and resize_as_, which may take any sizes: memory grows where it must. Of the
// same sizes nothing happens, and strides stay. The tensor itself changes; elements are then not
// known.
func resizeRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	var sizes symshape.Shape
	if c.HasParam("the_template") {
		sizes = c.Shape(c.Tensor("the_template"))
	} else {
		sizes = c.Ints("size")
	}
	if !c.OK() {
		return nil
	}
	for i, d := range sizes {
		if !c.AtLeast(d, 0) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): size %s of dimension %d is negative", c.Short(), d, i)
		}
	}
	if t.Type().Ranked && ops.SameShape(t.Type().Shape, sizes) { // nothing to do
		out := c.Like(t, t.Type().DType)
		out.Type().Strides = t.Type().Strides
		return out
	}
	return c.Out(t.Type().DType, sizes)
}

// setRule gives the shape that the tensor has afterwards. That of a storage follows
// from its number of bytes, which is not known. Without a source the tensor becomes empty, with a
// tensor it takes its shape and strides, and with sizes these. The dtype of a source must be the
// tensor's.
func setRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	if !c.OK() {
		return nil
	}
	switch {
	case c.HasParam("size"):
		out := c.Out(t.Type().DType, c.Ints("size"))
		out.Type().Strides = make([]*symshape.Expr, len(out.Type().Shape))
		return out
	case !c.HasParam("source"):
		return c.Out(t.Type().DType, symshape.Shape{c.Const(0)})
	}
	if source, ok := c.Value("source").(*value.Tensor); ok {
		if d := source.Type().DType; d != t.Type().DType && d != dtype.Unknown && t.Type().DType != dtype.Unknown {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "set_(): the tensor is %s and the source %s", t, source)
		}
		out := c.Like(source, t.Type().DType)
		out.Type().Strides = source.Type().Strides
		return out
	}
	return c.OutType(graph.TensorType{DType: t.Type().DType})
}

// viewAsRealRule: the last axis of size 2 has real and imaginary part, so strides double. The dtype
// becomes the real one of half the size. Only complex tensors are taken.
func viewAsRealRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	d := t.Type().DType
	if d != dtype.Unknown && !d.IsComplex() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "view_as_real() is only supported for complex tensors, but got %s", t)
	}
	strides := append([]*symshape.Expr(nil), c.StridesOf(t)...)
	for i := range strides {
		strides[i] = c.P.Mul(strides[i], c.P.Const(2))
	}
	out := c.View(t, append(append(symshape.Shape(nil), s...), c.Const(2)))
	out.Type().DType = d.Real()
	c.SetStrides(out, append(strides, c.P.Const(1)))
	return out
}

// viewAsComplexRule undoes that where memory allows it: the last axis has size 2 and stride 1, and all other
// strides are even. The result's sizes are those without the last, the strides half of the others.
// bfloat16 has no complex dtype.
func viewAsComplexRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	d := t.Type().DType
	n := len(s)
	switch {
	case d != dtype.Unknown && (!d.IsFloat() || d == dtype.BF16):
		return c.Errorf("RuntimeError", diag.DTypeMismatch,
			"view_as_complex() is only supported for half, float and double tensors, but got %s", t)
	case n == 0:
		return c.Errorf("RuntimeError", diag.RankMismatch, "view_as_complex() needs at least one dimension, but got %s", t)
	}
	// For a symbol it becomes a condition.
	if _, ok := c.Same(s[n-1], c.Const(2)); !ok {
		return c.Errorf("RuntimeError", diag.ShapeMismatch, "view_as_complex() needs a last dimension of size 2, but got %s", t)
	}
	strides := append([]*symshape.Expr(nil), c.StridesOf(t)...)
	if e := strides[n-1]; e != nil && !e.IsConst(1) {
		return c.Errorf("RuntimeError", diag.ReshapeMismatch, "view_as_complex(): the last dimension of %s must have stride 1", t)
	}
	for i := range strides[:n-1] {
		if k, ok := strides[i].Const(); ok && k%2 != 0 {
			return c.Errorf("RuntimeError", diag.ReshapeMismatch, "view_as_complex(): all strides of %s but the last must be even", t)
		}
		if strides[i] != nil {
			strides[i] = c.P.FloorDiv(strides[i], c.P.Const(2))
		}
	}
	out := c.View(t, append(symshape.Shape(nil), s[:n-1]...))
	out.Type().DType = d.Complex()
	c.SetStrides(out, strides[:n-1])
	return out
}
