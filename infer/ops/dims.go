package ops

// This file compares, unifies and broadcasts dimensions under the facts of the
// path.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// DimVal returns the concrete value of a dimension: a constant, or the example
// value.
func DimVal(d symshape.Dim) (int64, bool) {
	if n, ok := d.Expr.Const(); ok {
		return n, true
	}
	return d.Val, d.Known
}

// IsConst reports whether d is the constant n.
func IsConst(d symshape.Dim, n int64) bool {
	v, ok := d.Expr.Const()
	return ok && v == n
}

// LastAxes are the last n axes of rank.
func LastAxes(rank, n int) []int {
	axes := make([]int, n)
	for i := range axes {
		axes[i] = rank - n + i
	}
	return axes
}

// Const makes a constant dimension.
func (c *Call) Const(n int64) symshape.Dim { return c.P.ConstDim(n) }

// Decide compares two dimensions without assuming anything.
func (c *Call) Decide(cond *symshape.Cond) symshape.Answer { return c.Th.Decide(cond) }

// Same makes the equality of a and b a condition of the run: true when they are
// equal, or can be and are from now on assumed to be; false when they differ.
// The dimension it returns is the better known of the two.
func (c *Call) Same(a, b symshape.Dim) (symshape.Dim, bool) {
	if a.Expr == b.Expr && a.Expr != nil {
		return a, true
	}
	if a.Known && b.Known && a.Val != b.Val { // also when the sizes are only an example
		c.Refused(c.P.Eq(a.Expr, b.Expr))
		return a, false
	}
	if a.Expr == nil || b.Expr == nil {
		if a.Expr == nil {
			if !b.Known {
				b.Val, b.Known = a.Val, a.Known
			}
			return b, true
		}
		if !a.Known {
			a.Val, a.Known = b.Val, b.Known
		}
		return a, true
	}
	if c.Th.Require(c.P.Eq(a.Expr, b.Expr), a.Expr.String()+" = "+b.Expr.String()) == symshape.No {
		return a, false
	}
	if _, ok := b.Expr.Const(); ok {
		return b, true
	}
	if _, ok := b.Expr.IsSymbol(); ok { // h rather than what it was cropped to
		if _, ok := a.Expr.Const(); !ok {
			if _, ok := a.Expr.IsSymbol(); !ok {
				return b, true
			}
		}
	}
	return a, true
}

// Refused tells the thread, if it wants to know, which condition does not hold.
func (c *Call) Refused(cond *symshape.Cond) {
	if th, ok := c.Th.(value.RefusalWatcher); ok && cond != nil {
		th.Refused(cond)
	}
}

// AtLeast makes d ≥ n a condition of the run; false when it cannot hold.
func (c *Call) AtLeast(d symshape.Dim, n int64) bool { return c.AtLeastFor(d, n, "") }

// AtLeastFor is AtLeast, where why says what needs it.
func (c *Call) AtLeastFor(d symshape.Dim, n int64, why string) bool {
	if v, ok := d.Expr.Const(); ok {
		return v >= n
	}
	if d.Known && d.Val < n {
		c.Refused(c.P.Ge(d.Expr, c.P.Const(n)))
		return false
	}
	if d.Expr == nil {
		return true
	}
	return c.Th.Require(c.P.Ge(d.Expr, c.P.Const(n)), why) != symshape.No
}

// MultipleOf makes d % k == 0 a condition of the run; false when it cannot hold.
func (c *Call) MultipleOf(d, k symshape.Dim) bool {
	if d.Known && k.Known && (k.Val == 0 || d.Val%k.Val != 0) {
		c.Refused(c.P.Divides(k.Expr, d.Expr))
		return false
	}
	if d.Expr != nil && k.Expr != nil {
		if r := c.P.Mod(d.Expr, k.Expr); r != nil {
			return c.Th.Require(c.P.Eq(r, c.P.Const(0)), "") != symshape.No
		}
	}
	return true
}

// Numel returns the number of elements of a shape.
func (c *Call) Numel(s symshape.Shape) symshape.Dim {
	n := c.Const(1)
	for _, d := range s {
		n = c.P.DimMul(n, d)
	}
	return n
}

// Broadcast combines shapes by PyTorch's rules. On failure it returns the axis,
// counted from the end, at which they do not fit.
func (c *Call) Broadcast(shapes ...symshape.Shape) (out symshape.Shape, axis int, ok bool) {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	out = make(symshape.Shape, rank)
	for i := 1; i <= rank; i++ {
		d := c.Const(1)
		for _, s := range shapes {
			if i > len(s) {
				continue
			}
			var fits bool
			if d, fits = c.BroadcastDim(d, s[len(s)-i]); !fits {
				return nil, i, false
			}
		}
		out[rank-i] = d
	}
	return out, 0, true
}

// BroadcastDim combines two sizes of which one may be 1. Where a symbol might be
// 1 or equal to the other, equality is assumed, and so becomes part of the contract:
// code that means to broadcast writes the 1.
func (c *Call) BroadcastDim(a, b symshape.Dim) (symshape.Dim, bool) {
	switch {
	case IsConst(a, 1):
		return b, true
	case IsConst(b, 1):
		return a, true
	case a.Expr != nil && a.Expr == b.Expr:
		return a, true
	}
	// An example value of 1 broadcasts: the program relies on it.
	if a.Known && b.Known && a.Val != b.Val && (a.Val == 1 || b.Val == 1) {
		if a.Val == 1 {
			c.Pin(a, 1)
			return b, true
		}
		c.Pin(b, 1)
		return a, true
	}
	if d, ok := c.oneOrMany(a, b); ok {
		return d, true
	}
	d, ok := c.Same(a, b)
	if !ok {
		for _, of := range [...][2]symshape.Dim{{a, b}, {b, a}} {
			if c.atMostOne(of[0]) {
				return of[1], true
			}
		}
		c.bothMany(a, b)
	}
	return d, ok
}

// oneOrMany combines a number above 1 and a declared size that may be that number or 1: the result is the number in both cases. A size
// that is computed is not meant to be 1.
func (c *Call) oneOrMany(a, b symshape.Dim) (symshape.Dim, bool) {
	if _, ok := a.Const(); ok {
		a, b = b, a
	}
	n, ok := b.Const()
	if _, declared := a.Expr.IsSymbol(); !ok || n < 2 || !declared || a.Known && a.Val != n {
		return symshape.Dim{}, false
	}
	one, many := c.P.Eq(a.Expr, c.P.Const(1)), c.P.Eq(a.Expr, b.Expr)
	if c.Decide(one) == symshape.No || c.Decide(many) == symshape.No {
		return symshape.Dim{}, false
	}
	return b, c.Th.Require(c.P.Or(many, one), "") != symshape.No
}

// atMostOne requires a size that can only be 0 or 1, such as what a slice leaves of
// the end, to be 1.
func (c *Call) atMostOne(d symshape.Dim) bool {
	if d.Expr == nil || d.Known {
		return false
	}
	one := c.P.Const(1)
	return c.Decide(c.P.Le(d.Expr, one)) == symshape.Yes && c.Th.Require(c.P.Eq(d.Expr, one), "") != symshape.No
}

// bothMany notes of sizes that differ, for which the program catches the fault, that
// neither is 1: with a 1 they would fit.
func (c *Call) bothMany(a, b symshape.Dim) {
	if th, ok := c.Th.(value.FaultTrier); !ok || !th.Fails() {
		return
	}
	for _, d := range [...]symshape.Dim{a, b} {
		if d.Expr != nil && !d.Known {
			c.Th.Require(c.P.Ne(d.Expr, c.P.Const(1)), "")
		}
	}
}

// Pin records that the run relies on d having its example value n.
func (c *Call) Pin(d symshape.Dim, n int64) {
	if d.Expr != nil {
		c.Th.Require(c.P.Eq(d.Expr, c.P.Const(n)), "")
	}
}

// BroadcastTensors is Broadcast for tensors, with a diagnostic on failure.
func (c *Call) BroadcastTensors(ts ...*value.Tensor) symshape.Shape {
	shapes := make([]symshape.Shape, 0, len(ts))
	for _, t := range ts {
		shapes = append(shapes, c.Shape(t))
	}
	if !c.OK() {
		return nil
	}
	if len(shapes) == 2 && SameShape(shapes[0], shapes[1]) {
		return shapes[0]
	}
	out, axis, ok := c.Broadcast(shapes...)
	if ok {
		return out
	}
	var a, b *value.Tensor // the first pair that differs there
	for i, t := range ts {
		if len(shapes[i]) < axis || IsConst(shapes[i][len(shapes[i])-axis], 1) {
			continue
		}
		if a == nil {
			a = t
		} else if sa, sb := a.Type().Shape, shapes[i]; sa[len(sa)-axis].Expr != sb[len(sb)-axis].Expr {
			b = t
			break
		}
	}
	if a == nil || b == nil {
		c.Shapef("shapes cannot be broadcast together")
		return nil
	}
	sa, sb := a.Type().Shape, b.Type().Shape
	da, db := sa[len(sa)-axis], sb[len(sb)-axis]
	c.Blame(Ref{a, len(sa) - axis}, Ref{b, len(sb) - axis})
	c.Saying(c.OfSizes(diag.UnequalSizes, da, db)).Shapef("%s: sizes %s and %s do not match at dimension %d: %s and %s", c.Short(), da, db,
		-axis, a, b)
	return nil
}

// SameShape reports whether two shapes are the same expressions; sizes that are not
// known are not the same.
func SameShape(a, b symshape.Shape) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Expr == nil || a[i].Expr != b[i].Expr {
			return false
		}
	}
	return true
}

// With returns a copy of s with dimension axis replaced.
func With(s symshape.Shape, axis int, d symshape.Dim) symshape.Shape {
	out := append(symshape.Shape(nil), s...)
	out[axis] = d
	return out
}

// Without returns a copy of s without dimension axis.
func Without(s symshape.Shape, axis int) symshape.Shape {
	out := make(symshape.Shape, 0, len(s))
	out = append(out, s[:axis]...)
	return append(out, s[axis+1:]...)
}

// Insert returns a copy of s with d inserted before axis.
func Insert(s symshape.Shape, axis int, d symshape.Dim) symshape.Shape {
	out := make(symshape.Shape, 0, len(s)+1)
	out = append(out, s[:axis]...)
	out = append(out, d)
	return append(out, s[axis:]...)
}

// Empty reports whether t is known to have no elements: then no kernel runs, and
// nobody looks at the dtype.
func (c *Call) Empty(t *value.Tensor) bool {
	n, ok := c.NumelOf(t).Const()
	return ok && n == 0
}

// NumelOf is the number of elements of a ranked tensor.
func (c *Call) NumelOf(t *value.Tensor) symshape.Dim {
	if !t.Type().Ranked {
		return symshape.Dim{}
	}
	return c.Numel(t.Type().Shape)
}

// SizeValue is the size of axis i of t as an int that knows where it was read.
func (c *Call) SizeValue(t *value.Tensor, i int) value.Value {
	d := t.Type().Shape[i]
	if n, ok := d.Const(); ok {
		return value.Int(n)
	}
	return &value.SymInt{D: d, From: t.V, Axis: i}
}

// BroadcastsTo makes it a condition that a tensor of shape s can be expanded to target.
func (c *Call) BroadcastsTo(s, target symshape.Shape) bool {
	if len(s) > len(target) {
		return false
	}
	off := len(target) - len(s)
	for i, d := range s {
		want := target[off+i]
		if IsConst(d, 1) || d.Expr != nil && d.Expr == want.Expr {
			continue
		}
		if d.Known && d.Val == 1 && want.Known && want.Val != 1 {
			c.Pin(d, 1)
			continue
		}
		if _, number := want.Const(); number {
			if _, ok := c.oneOrMany(d, want); ok {
				continue
			}
		}
		if _, ok := c.Same(d, want); !ok {
			return false
		}
	}
	return true
}
