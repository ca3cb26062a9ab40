package lib

// This file slices lists of which the single elements are not known. The length of such a list is
// an expression of sizes, so that bounds are numbers, sizes or sums of them. Python counts a
// negative bound from the end and cuts bounds to the list, which needs the sign of each one: where
// it is not decided, the result is a list of unknown length.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// openSlice is o[s.Start:s.Stop:s.Step]: how many elements that has, and which they are
// where the signs of the bounds are known. The element i of the result is element first + i·step of
// o. An error is a TypeError of a bound that is no index, a ValueError for a step of 0, or that of
// __index__.
func (w *World) openSlice(th value.Thread, o *value.Open, s *value.Slice) (*value.Open, error) {
	first, step, n, err := w.openBounds(th, s, o.Len)
	if err != nil {
		return nil, err
	}
	if n.Expr == nil {
		// The length is a new number of 0 or more, which nothing ties to that of o.
		return &value.Open{Elem: o.Elem, Len: th.DataInt("n", 0, nil).D}, nil
	}
	p := th.Pool()
	out := &value.Open{Elem: o.Elem, Len: n}
	if at := elementAt(o); at != nil {
		out.At = func(th value.Thread, i *value.SymInt) (value.Value, error) {
			return at(th, &value.SymInt{D: p.DimAdd(first, p.DimMul(i.D, p.ConstDim(step)))})
		}
	}
	// The graph gets an operation for the slice if the list is a value of the graph.
	if o.Seq != nil {
		out.Seq = changedSequence(th, graph.SequenceSlice, o.Seq, o.Elem, graph.Arg{Name: "start", Value: graph.Dim{Dim: first}},
			graph.Arg{Name: "step", Value: graph.Int(step)}, graph.Arg{Name: "length", Value: graph.Dim{Dim: n}})
	}
	return out, nil
}

// openBounds is sliceBounds for a length that is an expression: the number of the first element, the step
// and the number of elements, which is not known where a sign or the step is not. An unknown number
// is the zero Dim, without an error.
func (w *World) openBounds(th value.Thread, s *value.Slice, size symshape.Dim) (first symshape.Dim, step int64, n symshape.Dim, err error) {
	p := th.Pool()
	zero, one := p.ConstDim(0), p.ConstDim(1)
	step = 1
	if s.Step != value.None {
		i, ok, err := w.index(th, s.Step)
		if err != nil {
			return first, 0, n, err
		}
		known := false
		if ok && !value.IsUnknown(i) {
			step, known = w.decideInt(th, i)
		}
		switch {
		case !ok:
			return first, 0, n, th.Raise("TypeError", "slice indices must be integers or None or have an __index__ method")
		case known && step == 0:
			return first, 0, n, th.Raise("ValueError", "slice step cannot be zero")
		case !known:
			return first, 0, n, nil
		}
	}
	// Absent and cut bounds lie within [lower, upper]: from 0 to the length going forwards, and
	// from -1, before the first element, to the last one going backwards.
	lower, upper := zero, size
	if step < 0 {
		lower, upper = p.ConstDim(-1), p.DimSub(size, one)
	}
	// bound is one end of the slice as the number of an element; the zero Dim if it is not known.
	bound := func(v value.Value, absent symshape.Dim) (symshape.Dim, error) {
		if v == value.None {
			return absent, nil
		}
		i, ok, err := w.index(th, v)
		if err != nil {
			return symshape.Dim{}, err
		}
		if !ok {
			return symshape.Dim{}, th.Raise("TypeError", "slice indices must be integers or None or have an __index__ method")
		}
		d, ok := intDim(th, i)
		if !ok || d.Expr == nil {
			return symshape.Dim{}, nil
		}
		switch th.Decide(p.Ge(d.Expr, zero.Expr)) {
		case symshape.Yes:
			return p.DimMin(d, upper), nil
		case symshape.No:
			return p.DimMax(p.DimAdd(d, size), lower), nil
		}
		return symshape.Dim{}, nil
	}
	from, to := lower, upper
	if step < 0 {
		from, to = upper, lower
	}
	if first, err = bound(s.Start, from); err != nil {
		return first, step, n, err
	}
	last, err := bound(s.Stop, to)
	if err != nil || first.Expr == nil || last.Expr == nil {
		return first, step, n, err
	}
	// The number of elements is ceil(span / |step|), or 0 where the bounds cross.
	span := p.DimSub(last, first)
	if step < 0 {
		span = p.DimSub(first, last)
	}
	n = p.DimCeilDiv(span, p.ConstDim(max(step, -step)))
	// The maximum with 0 is left out if the sign is known, which keeps the expression simple.
	if span.Expr != nil && th.Decide(p.Ge(span.Expr, zero.Expr)) != symshape.Yes {
		n = p.DimMax(n, zero)
	}
	return first, step, n, nil
}
