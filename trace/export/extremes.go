package export

// This file decides the least and largest of several sizes as torch.export does: by the example, which the graph then relies on.

import (
	"slices"

	"shapecheck/symshape"
)

// decided replaces the least and largest of several by the one that is it for the example.
func (x *Run) decided(e *symshape.Expr, sliced symshape.Shape) *symshape.Expr {
	out, ok := symshape.Build(e, &extremes{x, sliced})
	if !ok || out == nil {
		return e
	}
	return out
}

// extremes rebuilds an expression with the extremes decided.
type extremes struct {
	run    *Run
	sliced symshape.Shape // sizes of what is sliced: of these a bound up to which a slice goes is asked whether it is larger
}

func (b *extremes) Const(n int64) *symshape.Expr           { return b.run.pool.Const(n) }
func (b *extremes) Symbol(name string) *symshape.Expr      { return b.run.pool.Lookup(name) }
func (b *extremes) Add(x, y *symshape.Expr) *symshape.Expr { return b.run.pool.Add(x, y) }
func (b *extremes) Mul(x, y *symshape.Expr) *symshape.Expr { return b.run.pool.Mul(x, y) }
func (b *extremes) FloorDiv(x, y *symshape.Expr) *symshape.Expr {
	return b.run.pool.FloorDiv(x, y)
}

func (b *extremes) Max(x, y *symshape.Expr) *symshape.Expr { return b.choose(x, y, false) }
func (b *extremes) Min(x, y *symshape.Expr) *symshape.Expr { return b.choose(x, y, true) }

// choose is the lesser of two, or the larger.
func (b *extremes) choose(x, y *symshape.Expr, lesser bool) *symshape.Expr {
	pool := b.run.pool
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
	c := pool.Ge(x, y)
	if lesser {
		c = pool.Le(x, y)
	}
	holds, ok := b.run.example(c)
	if v, known := c.Const(); known {
		holds, ok = v, true
	}
	switch {
	case !ok && lesser:
		return pool.Min(x, y)
	case !ok:
		return pool.Max(x, y)
	case holds:
		b.run.host.Require(c, "")
		return x
	}
	switch {
	case strict && lesser:
		b.run.host.Require(pool.Gt(x, y), "")
	case strict:
		b.run.host.Require(pool.Lt(x, y), "")
	case lesser:
		b.run.host.Require(pool.Ge(x, y), "")
	default:
		b.run.host.Require(pool.Le(x, y), "")
	}
	return y
}

// Round keeps a number that was rounded: no such number is decided.
func (b *extremes) Round(how symshape.Rounding, steps []symshape.RealStep[*symshape.Expr]) *symshape.Expr {
	return nil
}
