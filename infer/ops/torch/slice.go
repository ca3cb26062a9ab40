package torch

// This file holds the arithmetic of slices and single indices of an axis, and
// the functions made of them: narrow, select, and their _scatter forms. The size of x[a:b:s] along
// an axis of size n is ceil((clamp(b) - clamp(a)) / s), not below 0, where clamp counts negative
// bounds from the end and stays within [0, n]. With symbols each comparison is first asked of what
// is known (Decide), and only what stays open becomes min or max in the expression, so the common
// cases have short expressions.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A cut is the part of an axis that a slice takes. start is counted from 0, and size may be
// unknown.
type cut struct {
	start, size, step symshape.Dim
}

// axis is the cut as an axis of a view of base axis i. A step that is a symbol makes the stride an
// expression that no axis map can follow.
func (k cut) axis(c *ops.Call, t *value.Tensor, i int) ops.AxisMap {
	if n, ok := k.step.Const(); ok {
		return ops.AxisMap{Size: k.size, From: i, Also: -1, Step: n}
	}
	return ops.NewAxis(k.size, c.P.Mul(c.StridesOf(t)[i], k.step.Expr))
}

// sliceCut cuts an axis of size n as Python's slice does. Where the sign of a
// bound or its order to n is not decided, the size says so with max and min: it
// is right for all sizes. PyTorch refuses steps that are not positive, unlike Python's lists.
func sliceCut(c *ops.Call, n symshape.Dim, start, stop, step value.Value) cut {
	one := c.Const(1)
	k := cut{start: c.Const(0), step: one}
	if step != value.None {
		k.step = sliceBound(c, step)
		if v, ok := ops.DimVal(k.step); ok && v <= 0 {
			c.Errorf("ValueError", diag.BadIndex, "slice step must be greater than zero, but it is %s", k.step)
			return k
		}
	}
	if start != value.None {
		k.start = clampBound(c, sliceBound(c, start), n)
	}
	// Without a bound the slice goes to the end.
	size := c.P.DimSub(n, k.start)
	if stop != value.None {
		size = cutSize(c, sliceBound(c, stop), n, k.start)
	}
	if k.step != one {
		size = c.P.DimCeilDiv(size, k.step)
	}
	if size.Unknown() && !value.IsUnknown(start) && !value.IsUnknown(stop) && !value.IsUnknown(step) && c.OK() {
		size = dataDim(c, nil, n) // a bound is a tensor with unknown contents
	}
	k.size = size
	return k
}

// sliceBound reads a bound; unknown ones give the unknown size. A tensor with one integer is a
// bound, by __index__. Others are a TypeError.
func sliceBound(c *ops.Call, v value.Value) symshape.Dim {
	if d, ok := value.AsDim(c.P, v); ok {
		return d
	}
	switch v := v.(type) {
	case *value.Unknown, *value.Choice:
		return symshape.Dim{}
	case *value.Tensor:
		ty := v.Type()
		if ty.DType != 0 && !ty.DType.IsIntegralOrBool() {
			break
		}
		for _, d := range ty.Shape {
			if n, ok := d.Const(); ok && n != 1 {
				c.Errorf("TypeError", diag.TypeMismatch, "only integer tensors of a single element can be converted to an index, but got %s", v)
				return symshape.Dim{}
			}
		}
		if e := v.Contents(); len(e) == 1 {
			if d, ok := value.AsDim(c.P, e[0]); ok {
				return d
			}
		}
		return symshape.Dim{}
	}
	c.Errorf("TypeError", diag.TypeMismatch, "slice indices must be integers or None, not %s", ops.TypeName(v))
	return symshape.Dim{}
}

// clampBound brings a start into 0 … n, counting a negative one from the end.
func clampBound(c *ops.Call, a, n symshape.Dim) symshape.Dim {
	p := c.P
	zero := p.Const(0)
	out := symshape.Dim{}
	if a.Known && n.Known {
		out.Val, out.Known = clampInt(a.Val, n.Val), true
	}
	if a.Expr == nil || n.Expr == nil {
		return out
	}
	// Three cases: not negative, negative, and not decided.
	switch c.Decide(p.Ge(a.Expr, zero)) {
	case symshape.Yes:
		out.Expr = minExpr(c, a.Expr, n.Expr)
	case symshape.No:
		out.Expr = maxExpr(c, p.Add(a.Expr, n.Expr), zero)
	// From the end, but not before the first element.
	default:
		wrapped := p.Add(a.Expr, n.Expr)
		// If a + n is at most 0 wherever a is negative, such an a means 0, and no wrapping is
		// needed.
		if c.Decide(p.Or(p.Ge(a.Expr, zero), p.Le(wrapped, zero))) != symshape.Yes {
			out.Expr = minExpr(c, maxExpr(c, wrapExpr(c, a.Expr, n.Expr), zero), n.Expr)
			break
		}
		out.Expr = minExpr(c, maxExpr(c, a.Expr, zero), n.Expr) // a negative one reaches before the first element
	}
	return out
}

// cutSize is the number of elements from start to the bound b. It is never negative.
func cutSize(c *ops.Call, b, n, start symshape.Dim) symshape.Dim {
	p := c.P
	zero := p.Const(0)
	out := symshape.Dim{}
	if b.Known && n.Known && start.Known {
		out.Val, out.Known = max(clampInt(b.Val, n.Val)-start.Val, 0), true
	}
	if b.Expr == nil || n.Expr == nil || start.Expr == nil {
		return out
	}
	var end *symshape.Expr
	switch c.Decide(p.Ge(b.Expr, zero)) {
	case symshape.Yes:
		end = minExpr(c, b.Expr, n.Expr)
	case symshape.No:
		end = p.Add(b.Expr, n.Expr)
	default:
		// A negative b that is no more than start from the end gives nothing, as a
		// b of at most start does. start is already within the axis.
		if c.Decide(p.Or(p.Ge(b.Expr, zero), p.Le(p.Add(b.Expr, n.Expr), start.Expr))) == symshape.Yes {
			end = minExpr(c, b.Expr, n.Expr)
		} else {
			end = minExpr(c, wrapExpr(c, b.Expr, n.Expr), n.Expr)
		}
	}
	out.Expr = maxExpr(c, p.Sub(end, start.Expr), zero)
	return out
}

// wrapExpr is a, or a + n when a is negative: a + n·min(1, max(0, -a)). min(1, max(0, -a)) is 1 for
// negative a and 0 otherwise.
func wrapExpr(c *ops.Call, a, n *symshape.Expr) *symshape.Expr {
	p := c.P
	negative := p.Min(p.Const(1), p.Max(p.Const(0), p.Neg(a)))
	return p.Add(a, p.Mul(n, negative))
}

// The same for numbers.
func clampInt(a, n int64) int64 {
	if a < 0 {
		a += n
	}
	return min(max(a, 0), n)
}

// minExpr and maxExpr use what the path knows. Where the order is decided, the expression stays
// short. nil for an unknown operand.
func minExpr(c *ops.Call, a, b *symshape.Expr) *symshape.Expr {
	if a == nil || b == nil {
		return nil
	}
	switch c.Decide(c.P.Le(a, b)) {
	case symshape.Yes:
		return a
	case symshape.No:
		return b
	}
	if c.Decide(c.P.Ge(a, b)) == symshape.Yes {
		return b
	}
	return c.P.Min(a, b)
}

func maxExpr(c *ops.Call, a, b *symshape.Expr) *symshape.Expr {
	if a == nil || b == nil {
		return nil
	}
	switch c.Decide(c.P.Ge(a, b)) {
	case symshape.Yes:
		return a
	case symshape.No:
		return b
	}
	if c.Decide(c.P.Le(a, b)) == symshape.Yes {
		return b
	}
	return c.P.Max(a, b)
}

// indexOf checks a single index of an axis of size n and counts it from 0. The
// zero Dim means that it is not known where it points. That the index lies in [-n, n) is a
// condition where it is not decided, and an IndexError where it cannot hold.
func indexOf(c *ops.Call, i, n symshape.Dim, axis int) symshape.Dim {
	p := c.P
	fault := func() symshape.Dim {
		c.Errorf("IndexError", diag.DimOutOfRange, "index %s is out of range for dimension %d with size %s", i, axis, n)
		return symshape.Dim{}
	}
	// The example alone is enough to refuse.
	if i.Known && n.Known && (i.Val < -n.Val || i.Val >= n.Val) {
		return fault()
	}
	if i.Expr == nil || n.Expr == nil {
		return symshape.Dim{}
	}
	zero := p.Const(0)
	switch c.Decide(p.Ge(i.Expr, zero)) {
	case symshape.Yes:
		if !require(c, p.Lt(i.Expr, n.Expr)) {
			return fault()
		}
		return i
	case symshape.No:
		if !require(c, p.Ge(p.Add(i.Expr, n.Expr), zero)) {
			return fault()
		}
		return p.DimAdd(i, n)
	}
	// Either sign is possible, so the place is not known, but both bounds are required.
	if !require(c, p.And(p.Lt(i.Expr, n.Expr), p.Ge(p.Add(i.Expr, n.Expr), zero))) {
		return fault()
	}
	return symshape.Dim{}
}

// copied is the function that gives a copy. narrow_copy and its kind.
const copied ops.Variant = "copy"

// The result is a view whose axis has the length asked for.
func narrowRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	k, axis, ok := narrowCut(c, t, s)
	if !ok {
		return nil
	}
	axes := keepAll(s)
	axes[axis] = ops.AxisMap{Size: k.size, From: axis, Also: -1, Step: 1}
	return c.ViewOf(t, axes, map[int]symshape.Dim{axis: k.start})
}

// narrowCut checks narrow's arguments: at least one dimension, a length >= 0, and a start (an int, or an
// integer tensor without dimensions) that counts from the end where negative. start + length must not
// exceed the size. It returns the section and its axis.
func narrowCut(c *ops.Call, t *value.Tensor, s symshape.Shape) (k cut, axis int, ok bool) {
	if len(s) == 0 {
		c.Errorf("RuntimeError", diag.RankMismatch, "narrow() cannot be applied to a 0-dim tensor")
		return
	}
	axis = c.Axis("dim", len(s))
	if st, isTensor := c.Value("start").(*value.Tensor); isTensor && st.Type().Rank() > 0 {
		c.Errorf("RuntimeError", diag.RankMismatch, "narrow(): start must be a 0-dim integer tensor, but got %s", st)
	} else if isTensor && st.Type().DType != dtype.Unknown && !st.Type().DType.IsIntegral() {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "narrow(): start must be a 0-dim integer tensor, but got %s", st)
	}
	start, length := c.Dim("start"), c.Dim("length")
	if !c.OK() {
		return
	}
	n := s[axis]
	p := c.P
	zero := p.Const(0)
	if length.Expr != nil && !require(c, p.Ge(length.Expr, zero)) {
		c.Errorf("RuntimeError", diag.InvalidSize, "narrow(): length %s is negative", length)
		return
	}
	// start may equal the size: then only a length of 0 fits. The size may also be an expression
	// for either of the two.
	from := start
	if start.Expr != nil && c.Decide(p.Ge(start.Expr, zero)) == symshape.No {
		from = p.DimAdd(start, n)
		if ops.IsConst(n, 0) && ops.IsConst(start, -1) { // counted as one element
			from = c.Const(0)
		}
	}
	bad := from.Known && (from.Val < 0 || n.Known && from.Val > n.Val)
	if from.Expr != nil && n.Expr != nil { // that start is at most n follows from start + length
		bad = bad || !require(c, p.Ge(from.Expr, zero)) || c.Decide(p.Le(from.Expr, n.Expr)) == symshape.No
	}
	if bad {
		// narrow_copy checks the start by itself, with another class of error.
		class := "IndexError"
		if c.Is(copied) && c.Decide(p.Ge(start.Expr, zero)) == symshape.Yes {
			class = "RuntimeError"
		}
		c.Errorf(class, diag.DimOutOfRange, "narrow(): start %s is out of range for dimension %d with size %s", start, axis, n)
		return
	}
	if !requireLE(c, p.DimAdd(from, length), n) {
		c.Blame(ops.Ref{Tensor: t, Axis: axis})
		c.Errorf("RuntimeError", diag.DimOutOfRange, "narrow(): start %s plus length %s is more than size %s of dimension %d", from, length, n,
			axis)
		return
	}
	return cut{from, length, c.Const(1)}, axis, true
}

// As narrow, but with memory of its own.
func narrowCopyRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	k, axis, ok := narrowCut(c, t, s)
	if !ok {
		return nil
	}
	out := c.Out(t.Type().DType, ops.With(s, axis, k.size))
	axes := keepAll(s)
	axes[axis].Size = k.size
	// Known elements are picked from those of the tensor.
	out.SetContents(c.MapContents(t, axes, map[int]symshape.Dim{axis: k.start}))
	return out
}

// selectAxis reads dim and index of select. The rank must be at least 1. The last result is false
// after a report.
func selectAxis(c *ops.Call, s symshape.Shape) (axis int, at symshape.Dim, ok bool) {
	if len(s) == 0 {
		c.Errorf("IndexError", diag.RankMismatch, "select() cannot be applied to a 0-dim tensor")
		return
	}
	axis = c.Axis("dim", len(s))
	i := c.Dim("index")
	if !c.OK() {
		return
	}
	at = indexOf(c, i, s[axis], axis)
	return axis, at, c.OK()
}

// A view without the axis.
func selectRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	axis, at, ok := selectAxis(c, s)
	if !ok {
		return nil
	}
	axes := keepAll(s)
	return c.ViewOf(t, append(axes[:axis], axes[axis+1:]...), map[int]symshape.Dim{axis: at})
}

// scatterViewRule is select_scatter, slice_scatter, diagonal_scatter and
// as_strided_scatter: a copy of self in which a view is replaced by src. src must have exactly the
// shape of that view, without broadcasting. The result has shape and dtype of self. Which of the
// functions it is shows in the parameters.
func scatterViewRule(c *ops.Call) value.Value {
	t, src := c.Tensor("self"), c.Tensor("src")
	s := c.Shape(t)
	have := c.Shape(src)
	if !c.OK() {
		return nil
	}
	var want symshape.Shape
	switch {
	case c.HasParam("index"):
		axis, _, ok := selectAxis(c, s)
		if !ok {
			return nil
		}
		want = ops.Without(s, axis)
	// The diagonal takes the place of its two axes at the end.
	case c.HasParam("offset"):
		a, b, ok := diagonalAxes(c, len(s))
		offset := c.Dim("offset")
		if !ok || !c.OK() {
			return nil
		}
		n := diagonalSize(c, s[a], s[b], offset)
		want = append(ops.Without(ops.Without(s, max(a, b)), min(a, b)), n)
	case c.HasParam("stride"):
		sizes, strides := c.Ints("size"), c.Ints("stride")
		if !c.OK() {
			return nil
		}
		var ok bool
		if want, ok = checkStrided(c, t, sizes, strides); !ok {
			return nil
		}
	default:
		if len(s) == 0 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "slice_scatter() cannot be applied to a 0-dim tensor")
		}
		axis := c.Axis("dim", len(s))
		if !c.OK() {
			return nil
		}
		k := sliceCut(c, s[axis], c.Value("start"), c.Value("end"), c.Value("step"))
		want = ops.With(s, axis, k.size)
	}
	if !c.OK() {
		return nil
	}
	if len(have) != len(want) || !c.SameSizes(have, want) {
		return c.Errorf("RuntimeError", diag.ShapeMismatch, "%s(): src of shape %s does not fit the part of shape %s", c.Short(), have, want)
	}
	return c.Cloned(t)
}
