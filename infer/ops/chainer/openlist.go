package chainer

// This file holds what joins give of lists whose number of elements is not known.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// openList reads a list of inputs whose number is not known: each is like x0, and there are count of them. It is false
// for any other argument.
func (k *call) openList(name string) (count symshape.Dim, ok bool) {
	if !k.OK() {
		return count, false
	}
	l, isList := k.Value(name).(*value.List)
	if !isList || l.Open == nil || len(l.Elems) > 0 {
		return count, false
	}
	elem, isTensor := l.Open.Elem.(*value.Tensor)
	if !isTensor || IsPending(elem) || !elem.Type().Ranked {
		return count, false
	}
	k.bind("x0", k.asInput("x0", elem))
	if k.OK() && !k.AtLeast(l.Open.Len, 1) {
		k.some(nil)
	}
	return l.Open.Len, true
}

// total is the sum of count sizes that are like size; where data decide that, each may be another.
func (k *call) total(size, count symshape.Dim) symshape.Dim {
	if ofData(size) {
		return k.Th.DataInt("n", 0, nil).D
	}
	return k.P.DimMul(size, count)
}

func ofData(d symshape.Dim) bool {
	return d.Expr != nil && slices.ContainsFunc(d.Expr.Symbols(), (*symshape.Expr).IsFresh)
}

// openJoin is join for such a list.
func (k *call) openJoin(count symshape.Dim, axis, stack int) value.Value {
	s := k.s("x0")
	if stack == 0 {
		axis = k.wrap(axis, "x0")
	}
	if !k.OK() {
		return nil
	}
	s = joined(k, s, stack)
	if stack == 1 && len(s) == 1 {
		axis = 0
	}
	return k.out(k.d("x0"), ops.With(s, axis, k.total(s[axis], count))...)
}

// openPad is pad_sequence for such a list.
func (k *call) openPad(count symshape.Dim) value.Value {
	if !k.expect("x0.ndim > 0") {
		return nil
	}
	s := k.s("x0")
	if !k.OK() {
		return nil
	}
	length := s[0]
	switch {
	case k.Has("length"):
		length = k.number("length")
		k.let("length", length)
		if !ofData(s[0]) && !k.expect("x0.shape[0] <= length") {
			return nil
		}
	case ofData(s[0]):
		length = k.Th.DataInt("n", 0, nil).D
	}
	return k.out(k.d("x0"), append(dims(count, length), s[1:]...)...)
}

// openSplit gives the parts at indices that are not known, of which there are count.
func (k *call) openSplit(count symshape.Dim, axis int, force bool) value.Value {
	part := func() value.Value {
		return k.Out(k.d("x"), ops.With(k.s("x"), axis, k.Th.DataInt("n", 0, nil).D))
	}
	parts := k.P.DimAdd(count, k.Const(1))
	n, known := ops.DimVal(parts)
	switch {
	case known && n == 1 && !force:
		return part()
	case known && n <= 4096:
		all := make([]value.Value, n)
		for i := range all {
			all[i] = part()
		}
		return value.NewTuple(all...)
	}
	return k.openParts(part(), parts)
}

// openParts is a list of count parts, each a Variable like one.
func (k *call) openParts(part value.Value, count symshape.Dim) value.Value {
	if t, ok := part.(*value.Tensor); ok {
		t.Class = k.Th.Class("chainer.Variable")
	}
	return k.Th.Heap().NewOpenList(&value.Open{Elem: part, Len: count})
}
