package export

// This file says which conditions torch.compile meets while it reshapes a tensor to sizes that ints of Python give, as the algorithm
// of torch._refs asks them: it makes the sizes one after the other of those that there are.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// reshaped notes what is asked of the sizes before and after a view or reshape where numbers decide those after.
func (x *Run) reshaped(op *ops.Op, from, to *value.Tensor) {
	if !x.guards || !op.Trace.Has(ops.ReshapesByNumbers) || from == nil || !from.Type().Ranked || !to.Type().Ranked {
		return
	}
	a, b := from.Type().Shape, to.Type().Shape
	contiguous := len(b) == 1 && len(a) > 1 || len(b) == 2 && len(a) == 1 // which is taken as it is
	if contiguous || len(a) == 0 || !slices.ContainsFunc(b, func(d symshape.Dim) bool { return hasNumber(d.Expr) }) {
		return
	}
	sizes := make([]*symshape.Expr, len(a))
	for i, d := range a {
		sizes[i] = d.Expr
	}
	p := x.pool
	for i, d := range b {
		length := d.Expr
		n, known := x.sizeOf(length)
		if !known || n == 0 {
			x.missed = x.missed || !known
			return
		}
		if i >= len(sizes) {
			return // all others are 1
		}
		if x.holds(p.Eq(length, sizes[i])) {
			continue
		}
		accum := sizes[i]
		end := i
		for !x.holds(p.Eq(p.Mod(accum, length), p.Const(0))) {
			if end++; end == len(sizes) {
				return
			}
			accum = p.Mul(accum, sizes[end])
		}
		merged := []*symshape.Expr{accum}
		if !x.holds(p.Eq(accum, length)) {
			merged = []*symshape.Expr{length, p.FloorDiv(accum, length)}
		}
		sizes = slices.Replace(sizes, i, end+1, merged...)
	}
}

// holds reports whether a condition holds in the example, and notes it or its contrary.
func (x *Run) holds(c *symshape.Cond) bool {
	v, ok := x.example(c)
	if !ok {
		x.missed = true
		return false
	}
	if v {
		x.host.Require(c, "")
		return true
	}
	if not := x.pool.Not(c); x.host.Decide(not) != symshape.Yes && !slices.Contains(x.Apart, not) {
		x.Apart = append(x.Apart, not)
	}
	return false
}

// sizeOf is a size in the example.
func (x *Run) sizeOf(e *symshape.Expr) (int64, bool) {
	if e == nil {
		return 0, false
	}
	n, err := e.Eval(x.host.Example)
	return n, err == nil
}

// hasNumber reports whether a size is made of an int that is an argument, perhaps with others.
func hasNumber(e *symshape.Expr) bool {
	return e != nil && slices.ContainsFunc(e.Symbols(), ofNumbers)
}
