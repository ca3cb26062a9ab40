package torch

// This file holds view, reshape, flatten and unflatten: the same elements under
// other sizes. All of them demand that the number of elements stays. With sizes as symbols that
// becomes a condition, for which the simplest form is looked for: common factors are cancelled
// first, and the products are compared group by group where the sizes match in groups. -1 stands
// for what is missing, which must divide. view needs strides that allow it (ViewStrides), reshape
// copies where they do not.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// countable is a shape with as many elements as t: its own, or where the rank is not known one dimension of which
// nothing is known.
func countable(c *ops.Call, t *value.Tensor) symshape.Shape {
	if t != nil && !t.Type().Ranked {
		return symshape.Shape{symshape.Dim{}}
	}
	return c.Shape(t)
}

// toShape turns sizes from arguments into a shape with -1 resolved; in is the
// shape of the tensor. It reports SC105 when the numbers of elements differ. One size may be -1. A
// size that is negative for all values of its symbols is refused.
func toShape(c *ops.Call, in symshape.Shape, sizes []symshape.Dim) (symshape.Shape, bool) {
	out := append(symshape.Shape(nil), sizes...)
	infer := -1
	for i, d := range sizes {
		switch {
		case ops.IsConst(d, -1):
			if infer >= 0 {
				c.Errorf("RuntimeError", diag.InvalidSize, "only one dimension can be inferred, but dimensions %d and %d of %s are -1", infer, i,
					symshape.Shape(sizes))
				return nil, false
			}
			infer = i
		case d.Expr != nil && c.Decide(c.P.Ge(d.Expr, c.P.Const(0))) == symshape.No:
			c.Errorf("RuntimeError", diag.InvalidSize, "invalid shape dimension %s in %s", d, symshape.Shape(sizes))
			return nil, false
		}
	}
	if infer < 0 {
		return out, sameNumel(c, in, out)
	}
	// out is a copy of sizes, in which the inferred size takes the place of -1.
	d, ok := inferSize(c, in, out, infer)
	out[infer] = d
	return out, ok
}

// sameNumel makes the equality of the numbers of elements a condition. The condition of equal
// products is made only after the groups were tried, since it could not be decided nor read.
func sameNumel(c *ops.Call, in, out symshape.Shape) bool {
	a, b := cancel(c, in, out)
	x, y := c.Numel(a), c.Numel(b)
	// Only where both products differ as expressions and the number of axes is small.
	if x.Expr != nil && y.Expr != nil && x.Expr != y.Expr && len(a) > 1 && len(a) <= maxGroups && len(b) <= maxGroups {
		if eq := c.P.Eq(x.Expr, y.Expr); c.Decide(eq) == symshape.Unknown {
			if groups := groups(c, a, b); groups != nil {
				for i, g := range groups {
					// Each group gives a condition, and all of them are needed.
					if _, ok := c.Same(a[i], g); !ok {
						reshapeError(c, in, out, -1)
						return false
					}
				}
				return true
			}
		}
	}
	if _, ok := c.Same(x, y); ok {
		return true
	}
	reshapeError(c, in, out, -1)
	return false
}

// maxGroups bounds the search for groups.
const maxGroups = 8

// groups splits the sizes of out into consecutive groups, one for each size of in,
// whose products are at most that size: [H,W] and [H//4,4,W//4,4]. Then the numbers
// of elements agree just when each group does, which are simpler conditions
// (H % 4 == 0) than the equality of the products. It returns the products, or nil. The first size
// of in takes the shortest prefix of out with which the rest fits as well, by backtracking; the
// depth is bounded by maxGroups.
func groups(c *ops.Call, in, out symshape.Shape) []symshape.Dim {
	if len(in) == 0 {
		if len(out) == 0 {
			return []symshape.Dim{}
		}
		return nil
	}
	// A size that may be 0 would make any product fit.
	if c.Decide(c.P.Ge(in[0].Expr, c.P.Const(1))) != symshape.Yes {
		return nil
	}
	g := c.Const(1)
	for n := 1; n <= len(out); n++ {
		g = c.P.DimMul(g, out[n-1])
		if g.Expr == nil || c.Decide(c.P.Le(g.Expr, in[0].Expr)) != symshape.Yes {
			continue
		}
		if rest := groups(c, in[1:], out[n:]); rest != nil {
			return append([]symshape.Dim{g}, rest...)
		}
	}
	return nil
}

// inferSize is the size that stands for -1 at axis of out. The number of elements must be a
// multiple of the product of the other sizes. It reports, and returns false, where that product is
// 0, which leaves -1 undefined, or does not divide.
func inferSize(c *ops.Call, in, out symshape.Shape, axis int) (symshape.Dim, bool) {
	rest := ops.Without(out, axis)
	for _, d := range rest {
		if ops.IsConst(d, 0) {
			if n, ok := ops.DimVal(c.Numel(in)); ok && n == 0 {
				c.Measuring("reshape", in, out).Errorf("RuntimeError", diag.InvalidSize,
					"cannot reshape a tensor of 0 elements into %s: -1 can be any size", out)
				return symshape.Dim{}, false
			}
			reshapeError(c, in, out, axis)
			return symshape.Dim{}, false
		}
	}
	for _, d := range rest { // of no elements -1 can be any size; an axis of an argument has some
		if d.Expr == nil {
			continue
		}
		// A symbol that is a size of an argument is at least 1 anyway; expressions may be 0, so the
		// condition is made for them.
		if _, bare := d.Expr.IsSymbol(); !bare && !require(c, c.P.Ne(d.Expr, c.P.Const(0))) {
			reshapeError(c, in, out, axis)
			return symshape.Dim{}, false
		}
	}
	a, b := cancel(c, in, rest)
	num, den := c.Numel(a), c.Numel(b)
	// Everything else was cancelled, and no division is left.
	if n, ok := den.Const(); ok && n == 1 {
		return num, true
	}
	if !exactDivision(c, num, den) {
		reshapeError(c, in, out, axis)
		return symshape.Dim{}, false
	}
	return c.P.DimFloorDiv(num, den), true
}

// exactDivision makes num % den == 0 a condition. Sizes that are only known in the example are
// checked by it: where the division leaves a rest, the condition is refused with that as the
// reason.
func exactDivision(c *ops.Call, num, den symshape.Dim) bool {
	if num.Known && den.Known && den.Val != 0 && num.Val%den.Val != 0 {
		c.Refused(c.P.Divides(den.Expr, num.Expr))
		return false
	}
	if num.Expr == nil || den.Expr == nil {
		return true
	}
	return require(c, c.P.Divides(den.Expr, num.Expr))
}

// require makes cond a condition of the run; false when it can never hold. Of
// sizes that data decide the thread makes no contract. The empty text stands for no further reason.
func require(c *ops.Call, cond *symshape.Cond) bool { return c.Th.Require(cond, "") != symshape.No }

const (
	axesPerStep  = 16 // axes that are looked at in the time of a step
	maxTriedAxes = 64 // of a shape whose numbers are tried for another that fits
)

// cancel drops the sizes that both shapes have, so that products stay small and
// quotients exact. Only expressions that are identical and not constant are dropped; constants are
// multiplied out.
func cancel(c *ops.Call, in, out symshape.Shape) (a, b symshape.Shape) {
	if c.Th.Step(len(in)*len(out)/axesPerStep) != nil { // the run ends at its next step
		return nil, nil
	}
	used := make([]bool, len(out))
next:
	for _, d := range in {
		if _, isConst := d.Expr.Const(); d.Expr != nil && !isConst {
			for j, e := range out {
				if !used[j] && e.Expr == d.Expr {
					used[j] = true
					continue next
				}
			}
		}
		a = append(a, d)
	}
	for j, e := range out {
		if !used[j] {
			b = append(b, e)
		}
	}
	return a, b
}

// reshapeError reports SC105 with the number that would fit, where a constant
// is to blame. The message has the shape that was asked for, the two numbers of elements, and what
// would be right where one constant is wrong. The places of the axes that do not fit are blamed.
func reshapeError(c *ops.Call, in, out symshape.Shape, infer int) {
	want := make([]string, len(out))
	total := c.Const(1)
	for i, d := range out {
		if i == infer {
			want[i] = "-1"
			continue
		}
		want[i] = d.Compact()
		total = c.P.DimMul(total, d)
	}
	shape := "[" + strings.Join(want, ",") + "]"
	msg := fmt.Sprintf("%s(): shape %s does not fit a tensor of shape %s: ", c.Short(), shape, in)
	// With -1 it is the division that fails.
	if infer >= 0 {
		msg += fmt.Sprintf("its %s elements are not a multiple of %s", c.Numel(in), total)
	} else {
		msg += fmt.Sprintf("it has %s elements, not %s", c.Numel(in), total)
	}
	sizes := []any{out, in, c.Numel(in), total, infer}
	if fix, old, ok := rightNumber(c, in, out, infer); ok {
		msg += fmt.Sprintf("; %s instead of %s would fit", fix, old)
		sizes = append(sizes, fix, old)
	}
	if t, ok := c.Args[0].(*value.Tensor); ok {
		c.Blame(unmatched(t, in, out, infer)...)
	}
	c.Measuring("reshape", sizes...).Errorf("RuntimeError", diag.ReshapeMismatch, "%s", msg)
	c.Blame()
}

// unmatched are the axes whose sizes the wanted shape lacks, the last ones first: two at most, and not the first axis where one
// is inferred, which mostly is that. Each size of in takes one equal size of out, and the rest are
// unmatched.
func unmatched(t *value.Tensor, in, out symshape.Shape, infer int) []ops.Ref {
	left := slices.Clone(out)
	var lacks []ops.Ref
	for i, d := range in {
		at := slices.IndexFunc(left, func(e symshape.Dim) bool { return e.Expr == d.Expr })
		if at >= 0 {
			left = slices.Delete(left, at, at+1)
		} else if i > 0 || infer < 0 || len(in) == 1 {
			lacks = append(lacks, ops.Ref{Tensor: t, Axis: i})
		}
	}
	slices.Reverse(lacks)
	return lacks[:min(len(lacks), 2)]
}

// rightNumber finds what a constant size would have to be: x.view(bsize, 400)
// of [bsize,16,6,6] means 576. A leading -1 stands for the batch. The last constant that can be
// replaced is taken, since the features stand at the end. It returns false where no number fits.
func rightNumber(c *ops.Call, in, out symshape.Shape, infer int) (fix, old symshape.Dim, ok bool) {
	if len(in) == 0 || len(out) > maxTriedAxes {
		return
	}
	for i := len(out) - 1; i >= 0; i-- {
		n, isConst := out[i].Const()
		if !isConst || i == infer || n <= 1 {
			continue
		}
		rest := ops.Without(out, i)
		// With -1 the size that it stands for is taken to be the first of the tensor.
		if infer >= 0 {
			rest = ops.Without(out, max(i, infer))
			rest = ops.Without(rest, min(i, infer))
			rest = append(rest, in[0])
		}
		a, b := cancel(c, in, rest)
		num, den := c.Numel(a), c.Numel(b)
		if num.Expr == nil || den.Expr == nil || den.Expr.IsConst(0) {
			continue
		}
		q := c.P.FloorDiv(num.Expr, den.Expr)
		if q == nil || c.Decide(c.P.Divides(den.Expr, num.Expr)) != symshape.Yes {
			continue
		}
		return c.P.DimFloorDiv(num, den), out[i], true
	}
	return
}

// viewRule is x.view(*size): no copy, so the strides must allow it. view(dtype) is another
// function, see viewDType.
func viewRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	if c.HasParam("dtype") {
		return viewDType(c, t)
	}
	in := countable(c, t)
	if !c.OK() {
		return nil
	}
	shape, ok := toShape(c, in, c.Ints("size"))
	if !ok {
		return nil
	}
	return viewAs(c, t, shape)
}

// x.view_as(other): the shape of other, of which nothing else is used.
func viewAsRule(c *ops.Call) value.Value {
	t, in, want := c.Tensor("self"), countable(c, c.Tensor("self")), c.Shape(c.Tensor("other"))
	if !c.OK() || !sameNumel(c, in, want) {
		return nil
	}
	return viewAs(c, t, append(symshape.Shape(nil), want...))
}

// viewAs is t under another shape with as many elements. With unknown strides a view is taken to be
// possible.
func viewAs(c *ops.Call, t *value.Tensor, shape symshape.Shape) value.Value {
	var strides []*symshape.Expr
	if s := t.Type().Strides; s != nil {
		// No means that it is impossible for all sizes.
		var possible symshape.Answer
		if strides, possible = c.ViewStrides(t.Type().Shape, s, shape); possible == symshape.No {
			return c.Errorf("RuntimeError", diag.ReshapeMismatch,
				"%s(): %s of shape %s cannot be viewed as %s without a copy, since it is not contiguous; use reshape() instead",
				c.Short(), "a tensor", t.Type().Shape, shape)
		}
	}
	out := c.View(t, shape)
	c.SetStrides(out, strides)
	keepContents(c, out, t)
	return out
}

// keepContents gives out the contents of a tensor with the same elements in order. They are kept
// only if the number of elements is a constant.
func keepContents(c *ops.Call, out, t *value.Tensor) {
	if e := t.Contents(); e != nil {
		if s, ok := ops.ConstShape(out.Type().Shape); ok && ops.Product(s) == len(e) {
			out.SetContents(e)
		}
	}
}

// reshape(shape) and reshape_as(other).
func reshapeRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	in := countable(c, t)
	if !c.OK() {
		return nil
	}
	var shape symshape.Shape
	ok := true
	if c.HasParam("other") {
		shape = append(shape, c.Shape(c.Tensor("other"))...)
		ok = c.OK() && sameNumel(c, in, shape)
	} else {
		shape, ok = toShape(c, in, c.Ints("shape"))
	}
	if !ok || !c.OK() {
		return nil
	}
	return reshaped(c, t, shape)
}

// reshaped is t under another shape: a view where the strides allow it, else a copy. A copy that
// may be a view shares memory for the sake of later writes.
func reshaped(c *ops.Call, t *value.Tensor, shape symshape.Shape) *value.Tensor {
	var strides []*symshape.Expr
	possible := symshape.Yes
	if s := t.Type().Strides; s != nil {
		strides, possible = c.ViewStrides(t.Type().Shape, s, shape)
	}
	var out *value.Tensor
	if possible == symshape.No {
		out = c.Out(t.Type().DType, shape)
	} else { // where it is not decided, writes are taken to reach the base
		out = c.View(t, shape)
		c.SetStrides(out, strides)
	}
	keepContents(c, out, t)
	return out
}

// The axes from start_dim to end_dim become one. A scalar becomes a vector of one element.
func flattenRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	in := c.Shape(t)
	start, end := c.Axis("start_dim", len(in)), c.Axis("end_dim", len(in))
	if !c.OK() {
		return nil
	}
	if start > end {
		return c.Errorf("RuntimeError", diag.DimOutOfRange, "flatten(): start_dim %d comes after end_dim %d", start, end)
	}
	if len(in) == 0 {
		return reshaped(c, t, symshape.Shape{c.Const(1)})
	}
	// Nothing is flattened, so PyTorch returns the tensor.
	if start == end {
		return itself(c, t)
	}
	shape := append(symshape.Shape(nil), in[:start]...)
	shape = append(shape, c.Numel(in[start:end+1]))
	return reshaped(c, t, append(shape, in[end+1:]...))
}

// itself is t itself as a result: a view with the same type. Also for an unknown rank.
func itself(c *ops.Call, t *value.Tensor) *value.Tensor {
	out := c.View(t, t.Type().Shape)
	out.Type().Ranked = t.Type().Ranked
	out.Type().Strides = t.Type().Strides
	out.SetContents(t.Contents())
	return out
}

// The axis is divided into sizes, of which one may be -1; at least one is needed.
func unflattenRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	in := c.Shape(t)
	sizes := c.Ints("sizes")
	if !c.OK() {
		return nil
	}
	if len(sizes) == 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "unflatten(): sizes must not be empty")
	}
	axis := c.Axis("dim", len(in))
	if !c.OK() {
		return nil
	}
	if len(in) == 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "unflatten() needs a tensor with a dimension, but got %s", t)
	}
	part, ok := toShape(c, in[axis:axis+1], sizes)
	if !ok {
		return nil
	}
	shape := append(symshape.Shape(nil), in[:axis]...)
	shape = append(append(shape, part...), in[axis+1:]...)
	return viewAs(c, t, shape)
}

// viewDType is x.view(dtype): the same bytes as elements of another size. The last axis grows or
// shrinks by the ratio of the element sizes and must have stride 1; other strides are counted in
// elements and are converted, so they must be multiples of the ratio.
func viewDType(c *ops.Call, t *value.Tensor) value.Value {
	d := c.DType("dtype", 0)
	in := c.Shape(t)
	if !c.OK() {
		return nil
	}
	have := t.Type().DType
	if have == 0 || d == 0 {
		return c.Lose("the dtype is not known")
	}
	shape := append(symshape.Shape(nil), in...)
	strides := append([]*symshape.Expr(nil), t.Type().Strides...)
	// Bytes of an element.
	a, b := int64(have.Size()), int64(d.Size())
	if a != b {
		n := len(in)
		if n == 0 {
			return c.Errorf("RuntimeError", diag.RankMismatch,
				"view(): a 0-dim tensor of %s cannot be viewed as %s, whose elements have another size", have, d)
		}
		last := c.StridesOf(t)[n-1]
		if last != nil && !last.IsConst(1) && !ops.IsConst(in[n-1], 1) {
			return c.Errorf("RuntimeError", diag.ReshapeMismatch, "view(): the last dimension must have stride 1 to view %s as %s", t, d)
		}
		// Elements become smaller.
		if a > b {
			shape[n-1] = c.P.DimMul(in[n-1], c.Const(a/b))
		} else {
			if !exactDivision(c, in[n-1], c.Const(b/a)) {
				return c.Errorf("RuntimeError", diag.InvalidSize, "view(): the last dimension of %s must be a multiple of %d to view it as %s", t,
					b/a, d)
			}
			shape[n-1] = c.P.DimFloorDiv(in[n-1], c.Const(b/a))
		}
		for i := range strides {
			switch {
			// The last stride stays 1.
			case i == n-1:
			case a > b:
				strides[i] = c.P.Mul(strides[i], c.P.Const(a/b))
			default:
				if s, ok := strides[i].Const(); ok && s%(b/a) != 0 && !ops.IsConst(in[i], 1) {
					return c.Errorf("RuntimeError", diag.ReshapeMismatch, "view(): stride %d of %s is not a multiple of %d", s, t, b/a)
				}
				if strides[i] != nil {
					strides[i] = c.P.FloorDiv(strides[i], c.P.Const(b/a))
				}
			}
		}
	}
	out := c.View(t, shape)
	out.Type().DType = d
	c.SetStrides(out, strides)
	return out
}
