package infer

// This file decides the least and largest of several sizes as torch.export does: by the example, which the graph then relies on.

import (
	"slices"

	"shapecheck/symshape"
)

// decided replaces the least and largest of several by the one that is it for the example.
func (x *exporting) decided(in *Interp, e *symshape.Expr, sliced symshape.Shape) *symshape.Expr {
	out, ok := symshape.Build(e, &extremes{in, sliced})
	if !ok || out == nil {
		return e
	}
	return out
}

// extremes rebuilds an expression with the extremes decided.
type extremes struct {
	in     *Interp
	sliced symshape.Shape // sizes of what is sliced: of these a bound up to which a slice goes is asked whether it is larger
}

func (b *extremes) Const(n int64) *symshape.Expr           { return b.in.pool.Const(n) }
func (b *extremes) Symbol(name string) *symshape.Expr      { return b.in.pool.Lookup(name) }
func (b *extremes) Add(x, y *symshape.Expr) *symshape.Expr { return b.in.pool.Add(x, y) }
func (b *extremes) Mul(x, y *symshape.Expr) *symshape.Expr { return b.in.pool.Mul(x, y) }
func (b *extremes) FloorDiv(x, y *symshape.Expr) *symshape.Expr {
	return b.in.pool.FloorDiv(x, y)
}

func (b *extremes) Max(x, y *symshape.Expr) *symshape.Expr { return b.choose(x, y, false) }
func (b *extremes) Min(x, y *symshape.Expr) *symshape.Expr { return b.choose(x, y, true) }

// choose is the lesser of two, or the larger.
func (b *extremes) choose(x, y *symshape.Expr, lesser bool) *symshape.Expr {
	in := b.in
	if _, fixed := y.Const(); fixed {
		x, y = y, x // of equal ones the number
	}
	size := func(e *symshape.Expr) bool {
		return slices.ContainsFunc(b.sliced, func(d symshape.Dim) bool { return d.Expr == e })
	}
	strict := lesser && size(y) && !size(x) // the bound is x
	if lesser && size(x) && !size(y) {
		x, y, strict = y, x, true
	}
	if zero, ok := x.Const(); ok && zero == 0 && !lesser && b.sliced != nil { // a bound from the end
		x, y, strict = y, x, true
	}
	c := in.pool.Ge(x, y)
	if lesser {
		c = in.pool.Le(x, y)
	}
	holds, ok := in.example(c)
	if v, known := c.Const(); known {
		holds, ok = v, true
	}
	switch {
	case !ok && lesser:
		return in.pool.Min(x, y)
	case !ok:
		return in.pool.Max(x, y)
	case holds:
		in.Require(c, "")
		return x
	}
	switch {
	case strict && lesser:
		in.Require(in.pool.Gt(x, y), "")
	case strict:
		in.Require(in.pool.Lt(x, y), "")
	case lesser:
		in.Require(in.pool.Ge(x, y), "")
	default:
		in.Require(in.pool.Le(x, y), "")
	}
	return y
}

// Round keeps a number that was rounded: no such number is decided.
func (b *extremes) Round(how symshape.Rounding, steps []symshape.RealStep[*symshape.Expr]) *symshape.Expr {
	return nil
}
