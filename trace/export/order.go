package export

// This file is about the order in memory of the tensors that torch.export meets: what PyTorch asks
// of their sizes because of it. The checks of strides that PyTorch makes inside become guards on
// sizes. Run repeats them for the tensors whose strides are known, by the example: what the example
// decides becomes a required condition, or one that is kept apart.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// fewElements is the number of elements of a batch of one up to which PyTorch convolves by other
// means than oneDNN. From aten/src/ATen/native/Convolution.cpp.
const fewElements = 20480

// kernelChosen notes that PyTorch asks how many elements a convolution of a batch of one has, to choose what computes it: not where
// there are groups, nor for kernels of more than 3 in height and width, nor for those of 1 without
// a stride. Only a constant batch of 1 with known kernel sizes is looked at.
func (x *Run) kernelChosen(op *ops.Op, args []value.Value) {
	if !x.guards || op.Spatial > 2 || len(args) < 7 || args[6] != value.Int(1) {
		return
	}
	t, ok := args[0].(*value.Tensor)
	w, also := args[1].(*value.Tensor)
	if !ok || !also || !t.Type().Ranked || !w.Type().Ranked || len(t.Type().Shape) != len(w.Type().Shape) ||
		t.Type().Shape[0].String() != "1" {
		return
	}
	large, one := len(w.Type().Shape) == 4, true
	for _, d := range w.Type().Shape[2:] {
		if d.Expr == nil {
			return
		}
		n, ok := d.Expr.Const()
		if !ok {
			return
		}
		large, one = large && n > 3, one && n == 1
	}
	if large || one && onesOnly(args[3]) {
		return
	}
	shape := slices.Clone(t.Type().Shape)
	shape[1] = w.Type().Shape[1] // the channels, which are those of the weight
	n := x.pool.Numel(shape).Expr
	if n == nil {
		return
	}
	// The example decides which side it is.
	c := x.pool.Gt(n, x.pool.Const(fewElements))
	if more, ok := x.example(c); ok && !more {
		c = x.pool.Not(c)
	} else if !ok {
		return
	}
	if !slices.Contains(x.Apart, c) {
		x.Apart = append(x.Apart, c)
	}
}

// onesOnly reports whether a stride, one number or one for each axis, is 1. A single number stands
// for all axes.
func onesOnly(v value.Value) bool {
	list, ok := value.AsSequence(v)
	if !ok {
		return v == value.Int(1)
	}
	return !slices.ContainsFunc(list, func(e value.Value) bool { return e != value.Int(1) })
}

// contiguity notes that PyTorch asks whether the elements of a tensor lie row by row: of each that an operation makes, under Dynamo of the
// arguments of element-wise operations up to the first of which they do not. In strict mode only
// arguments are asked.
func (x *Run) contiguity(v *value.Tensor, args []value.Value, elementwise bool) {
	switch {
	case x.jit:
	case !x.strict:
		x.contiguous(v)
	case elementwise:
		for _, a := range args {
			if t, ok := a.(*value.Tensor); ok && !x.contiguous(t) {
				return
			}
		}
	}
}

// channelsLast gives the result of a convolution the order in memory of what it is applied to, where that has the channels last. PyTorch
// asks then of its sizes whether they are more than 1. The four axes lie in the order 1, 3, 2, 0
// from the innermost on. Nothing is done where a stride is not known or another one.
func (x *Run) channelsLast(out, input *value.Tensor) {
	if x.jit || input == nil || !out.Type().Ranked || !input.Type().Ranked || len(input.Type().Shape) != 4 || len(out.Type().Shape) != 4 {
		return
	}
	given, order := input.Type(), [...]int{1, 3, 2, 0}
	if len(given.Strides) != 4 {
		return
	}
	step := x.pool.Const(1)
	for _, axis := range order {
		size, stride := given.Shape[axis].Expr, given.Strides[axis]
		if size == nil || stride == nil || x.host.Decide(x.pool.Eq(stride, step)) != symshape.Yes {
			return
		}
		step = x.pool.Mul(step, size)
	}
	typ := out.Type()
	strides := make([]*symshape.Expr, 4)
	step = x.pool.Const(1)
	for _, axis := range order {
		size := typ.Shape[axis].Expr
		if size == nil {
			return
		}
		strides[axis], step = step, x.pool.Mul(step, size)
	}
	// The two sizes of space.
	for _, axis := range order[1:3] {
		x.large(given.Shape[axis].Expr, true)
	}
	x.sorted(typ.Shape, order[:])
	typ.Strides = strides
}

// copies notes what PyTorch asks of the sizes of a tensor that it copies in the order that it has:
// it sorts the strides. Only copies that keep the order are meant: clones and conversions.
func (x *Run) copies(op *ops.Op, out, input *value.Tensor) {
	if x.jit || input == nil || !out.Type().Ranked || !input.Type().Ranked || !catalog.IsTorch(out) {
		return
	}
	switch {
	case op.Trace.Has(ops.Clones):
	case op.Trace.Has(ops.Converts) && out.Type().DType != input.Type().DType:
	case out == input && op.Trace.Has(ops.ClonesInPlace):
	default:
		return
	}
	if input.Type().Strides != nil { // another order: that of what is known is asked for where it is made
		return
	}
	var order []int
	for i := len(out.Type().Shape) - 1; i >= 0; i-- {
		order = append(order, i)
	}
	x.sorted(out.Type().Shape, order)
}

// sorted notes that the strides of a tensor are compared, whose axes lie in an order from the innermost on: each is larger than the one
// before. PyTorch learns of it that an axis is longer than 1 where it can divide by what lies
// inside of it: not by a sum. The outermost axis is not compared.
func (x *Run) sorted(shape symshape.Shape, order []int) {
	inner := true
	for _, axis := range order[:max(len(order)-1, 0)] {
		size := shape[axis].Expr
		if size == nil {
			return
		}
		single := !strings.ContainsAny(size.String(), "+-(") // as H or H // 4 are
		if _, fixed := size.Const(); !fixed {
			x.large(size, inner || single)
			inner = false
		}
		if !single {
			inner = false
		}
	}
}

// large notes that a size is compared with 1, and that this becomes a bound or a condition beside
// the bounds. A size that the example does not know says nothing.
func (x *Run) large(size *symshape.Expr, bound bool) {
	c := x.pool.Gt(size, x.pool.Const(1))
	more, ok := x.example(c)
	switch {
	case !ok:
	case !more:
		x.host.Require(x.pool.Not(c), "")
	case bound:
		x.host.Require(c, "")
	case x.host.Decide(c) != symshape.Yes && !slices.Contains(x.Apart, c):
		x.Apart = append(x.Apart, c)
	}
}

// keepsOrder gives the result of a normalisation the order in memory of what it is applied to,
// where that is known. Only where every stride is known.
func keepsOrder(out, input *value.Tensor) {
	typ := out.Type()
	if input == nil || !slices.Contains(typ.Strides, nil) || len(input.Type().Strides) != len(typ.Strides) ||
		slices.Contains(input.Type().Strides, nil) ||
		input.Type().Shape.String() != typ.Shape.String() {
		return
	}
	typ.Strides = input.Type().Strides
}

// contiguous decides by the example whether the elements of a tensor lie row by row. True for what
// is not known, so that nothing is noted.
func (x *Run) contiguous(t *value.Tensor) bool {
	typ, p := t.Type(), x.pool
	if !catalog.IsTorch(t) || !typ.Ranked || typ.Strides == nil || len(typ.Strides) != len(typ.Shape) {
		return true
	}
	step := p.Const(1)
	for i := len(typ.Shape) - 1; i >= 0; i-- {
		size, stride := typ.Shape[i].Expr, typ.Strides[i]
		if size == nil || stride == nil {
			return true // not known: nothing is noted
		}
		// An axis of size 1 may have any stride.
		if n, ok := size.Const(); ok && n == 1 {
			continue
		}
		c := p.Eq(stride, step)
		switch x.host.Decide(c) {
		case symshape.Yes:
		case symshape.No:
			return false
		default:
			holds, ok := x.example(c)
			if !ok || !slices.ContainsFunc(c.Symbols(), func(s *symshape.Expr) bool { return !s.IsFresh() }) {
				return true
			}
			if !holds {
				if not := p.Not(c); !slices.Contains(x.Apart, not) {
					x.Apart = append(x.Apart, not)
				}
				return false
			}
			x.host.Require(c, "")
		}
		step = p.Mul(step, size)
	}
	return true
}
