package infer

// This file is about the order in memory of the tensors that torch.export meets: what PyTorch asks of their sizes because of it.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// fewElements is the number of elements of a batch of one up to which PyTorch convolves by other means than oneDNN.
const fewElements = 20480

// kernelChosen notes that PyTorch asks how many elements a convolution of a batch of one has, to choose what computes it: not where there
// are
// groups, nor for kernels of more than 3 in height and width, nor for those of 1 without a stride.
func (x *exporting) kernelChosen(in *Interp, op *ops.Op, args []value.Value) {
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
	n := in.pool.Numel(shape).Expr
	if n == nil {
		return
	}
	c := in.pool.Gt(n, in.pool.Const(fewElements))
	if more, ok := in.example(c); ok && !more {
		c = in.pool.Not(c)
	} else if !ok {
		return
	}
	if !slices.Contains(x.apart, c) {
		x.apart = append(x.apart, c)
	}
}

// onesOnly reports whether a stride, one number or one for each axis, is 1.
func onesOnly(v value.Value) bool {
	list, ok := value.AsSequence(v)
	if !ok {
		return v == value.Int(1)
	}
	return !slices.ContainsFunc(list, func(e value.Value) bool { return e != value.Int(1) })
}

// contiguity notes that PyTorch asks whether the elements of a tensor lie row by row: of each that an operation makes, under Dynamo of the
// arguments of element-wise operations up to the first of which they do not.
func (x *exporting) contiguity(in *Interp, v *value.Tensor, args []value.Value, elementwise bool) {
	switch {
	case x.jit:
	case !x.strict:
		x.contiguous(in, v)
	case elementwise:
		for _, a := range args {
			if t, ok := a.(*value.Tensor); ok && !x.contiguous(in, t) {
				return
			}
		}
	}
}

// channelsLast gives the result of a convolution the order in memory of what it is applied to, where that has the channels last. PyTorch
// asks then of its sizes whether they are more than 1.
func (x *exporting) channelsLast(in *Interp, out, input *value.Tensor) {
	if x.jit || input == nil || !out.Type().Ranked || !input.Type().Ranked || len(input.Type().Shape) != 4 || len(out.Type().Shape) != 4 {
		return
	}
	given, order := input.Type(), [...]int{1, 3, 2, 0}
	if len(given.Strides) != 4 {
		return
	}
	step := in.pool.Const(1)
	for _, axis := range order {
		size, stride := given.Shape[axis].Expr, given.Strides[axis]
		if size == nil || stride == nil || in.Decide(in.pool.Eq(stride, step)) != symshape.Yes {
			return
		}
		step = in.pool.Mul(step, size)
	}
	typ := out.Type()
	strides := make([]*symshape.Expr, 4)
	step = in.pool.Const(1)
	for _, axis := range order {
		size := typ.Shape[axis].Expr
		if size == nil {
			return
		}
		strides[axis], step = step, in.pool.Mul(step, size)
	}
	for _, axis := range order[1:3] {
		x.large(in, given.Shape[axis].Expr, true)
	}
	x.sorted(in, typ.Shape, order[:])
	typ.Strides = strides
}

// copies notes what PyTorch asks of the sizes of a tensor that it copies in the order that it has: it sorts the strides.
func (x *exporting) copies(in *Interp, op *ops.Op, out, input *value.Tensor) {
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
	x.sorted(in, out.Type().Shape, order)
}

// sorted notes that the strides of a tensor are compared, whose axes lie in an order from the innermost on: each is larger than the one
// before. PyTorch learns of it that an axis is longer than 1 where it can divide by what lies inside of it: not by a sum.
func (x *exporting) sorted(in *Interp, shape symshape.Shape, order []int) {
	inner := true
	for _, axis := range order[:max(len(order)-1, 0)] {
		size := shape[axis].Expr
		if size == nil {
			return
		}
		single := !strings.ContainsAny(size.String(), "+-(") // as H or H // 4 are
		if _, fixed := size.Const(); !fixed {
			x.large(in, size, inner || single)
			inner = false
		}
		if !single {
			inner = false
		}
	}
}

// large notes that a size is compared with 1, and that this becomes a bound or a condition beside the bounds.
func (x *exporting) large(in *Interp, size *symshape.Expr, bound bool) {
	c := in.pool.Gt(size, in.pool.Const(1))
	more, ok := in.example(c)
	switch {
	case !ok:
	case !more:
		in.Require(in.pool.Not(c), "")
	case bound:
		in.Require(c, "")
	case in.Decide(c) != symshape.Yes && !slices.Contains(x.apart, c):
		x.apart = append(x.apart, c)
	}
}

// keepsOrder gives the result of a normalisation the order in memory of what it is applied to, where that is known.
func keepsOrder(out, input *value.Tensor) {
	typ := out.Type()
	if input == nil || !slices.Contains(typ.Strides, nil) || len(input.Type().Strides) != len(typ.Strides) ||
		slices.Contains(input.Type().Strides, nil) ||
		input.Type().Shape.String() != typ.Shape.String() {
		return
	}
	typ.Strides = input.Type().Strides
}

// contiguous decides by the example whether the elements of a tensor lie row by row.
func (x *exporting) contiguous(in *Interp, t *value.Tensor) bool {
	typ, p := t.Type(), in.pool
	if !catalog.IsTorch(t) || !typ.Ranked || typ.Strides == nil || len(typ.Strides) != len(typ.Shape) {
		return true
	}
	step := p.Const(1)
	for i := len(typ.Shape) - 1; i >= 0; i-- {
		size, stride := typ.Shape[i].Expr, typ.Strides[i]
		if size == nil || stride == nil {
			return true // not known: nothing is noted
		}
		if n, ok := size.Const(); ok && n == 1 {
			continue
		}
		c := p.Eq(stride, step)
		switch in.Decide(c) {
		case symshape.Yes:
		case symshape.No:
			return false
		default:
			holds, ok := in.example(c)
			if !ok || !slices.ContainsFunc(c.Symbols(), func(s *symshape.Expr) bool { return !s.IsFresh() }) {
				return true
			}
			if !holds {
				if not := p.Not(c); !slices.Contains(x.apart, not) {
					x.apart = append(x.apart, not)
				}
				return false
			}
			in.Require(c, "")
		}
		step = p.Mul(step, size)
	}
	return true
}
