package lib

// This file implements range and slice objects. A range has three ints, each of them a number or a
// size. With numbers it is computed directly (intRange); with sizes its length is an expression,
// ceil((stop - start) / step), not below 0, and element i is start + i·step.

import (
	"math"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// An intRange is a range of concrete ints. The step is not 0.
type intRange struct{ start, stop, step int64 }

// concreteRange gives the numbers of a range that are all known. false where a part is symbolic or
// does not fit 64 bits.
func concreteRange(r *value.Range) (intRange, bool) {
	a, ok1 := smallInt(r.Start)
	b, ok2 := smallInt(r.Stop)
	s, ok3 := smallInt(r.Step)
	return intRange{a, b, s}, ok1 && ok2 && ok3
}

// len avoids overflow: the difference of two int64 fits an uint64.
func (r intRange) len() int64 {
	switch {
	case r.step > 0 && r.start < r.stop:
		return int64((uint64(r.stop)-uint64(r.start)-1)/uint64(r.step)) + 1
	case r.step < 0 && r.start > r.stop:
		return int64((uint64(r.start)-uint64(r.stop)-1)/uint64(-r.step)) + 1
	}
	return 0
}

// rangeLen is len(r). With a symbolic step the length is not known. A step that is constant gives
// the formula; the sign of a symbolic step would decide which one.
func rangeLen(th value.Thread, r *value.Range) symshape.Dim {
	p := th.Pool()
	if c, ok := concreteRange(r); ok {
		return p.ConstDim(c.len())
	}
	a, _ := intDim(th, r.Start)
	b, _ := intDim(th, r.Stop)
	s, _ := intDim(th, r.Step)
	k, ok := s.Const()
	if !ok {
		d := symshape.MakeDim(p.Fresh("n"))
		if a.Known && b.Known && s.Known {
			d.Val, d.Known = intRange{a.Val, b.Val, s.Val}.len(), true
		}
		return d
	}
	n := p.DimSub(b, a)
	// A falling range is counted like a rising one.
	if k < 0 {
		n, k = p.DimNeg(n), -k
	}
	return p.DimMax(p.DimCeilDiv(n, p.ConstDim(k)), p.ConstDim(0))
}

// rangeAt is r[i] for 0 <= i < len(r). i may be symbolic.
func (w *World) rangeAt(th value.Thread, r *value.Range, i value.Value) value.Value {
	p := th.Pool()
	a, _ := intDim(th, r.Start)
	s, _ := intDim(th, r.Step)
	n, _ := intDim(th, i)
	return value.FromDim(p.DimAdd(a, p.DimMul(n, s)))
}

// rangeIter: a range of sizes whose number is known anyway, as range(H, H + 4), is gone through one by one; one
// of unknown length is an open iterator, whose element is a symbol within the bounds. Its length
// may be 0.
func (w *World) rangeIter(th value.Thread, r *value.Range) *value.Iterator {
	if c, ok := concreteRange(r); ok {
		n := c.len()
		return seqIter(th, "range_iterator", func(i int) (value.Value, bool) {
			if int64(i) >= n {
				return nil, false
			}
			return value.Int(c.start + int64(i)*c.step), true
		})
	}
	n := rangeLen(th, r)
	if k, ok := n.Const(); ok { // range(H, H + 4)
		return seqIter(th, "range_iterator", func(i int) (value.Value, bool) {
			if int64(i) >= k {
				return nil, false
			}
			return w.rangeAt(th, r, value.Int(i)), true
		})
	}
	return w.openRange(th, r, n)
}

// OpenRange iterates over a range as over one of unknown length: its length may be
// known. Last is its last element then. It is for loops that are too long to be gone through.
func (w *World) OpenRange(th value.Thread, r *value.Range) (it *value.Iterator, last value.Value) {
	n := rangeLen(th, r)
	if k, ok := n.Const(); ok {
		last = w.rangeAt(th, r, value.Int(k-1))
	}
	return w.openRange(th, r, n), last
}

// openRange iterates over a range of unknown length: its element is any one, with
// the fact that it is in the range. The index is a fresh symbol from 0 on, and Fact says that it is
// less than the length.
func (w *World) openRange(th value.Thread, r *value.Range, n symshape.Dim) *value.Iterator {
	i := th.DataInt("i", 0, nil)
	it := newOpenIter(th, "range_iterator", w.rangeAt(th, r, i), n)
	it.Open.Index = i.D.Expr
	if n.Expr != nil {
		it.Open.Fact = th.Pool().Lt(i.D.Expr, n.Expr)
	}
	return it
}

// rangeItem computes start + i·step. A negative index counts from the end; one that may be negative or not
// gives an unknown int, as the two cases are different expressions. TypeError for what is no index,
// IndexError for one beyond a known length; beyond an unknown length the index is taken to fit.
func (w *World) rangeItem(th value.Thread, r *value.Range, index value.Value) (value.Value, error) {
	// A slice of a range is a range.
	if s, ok := index.(*value.Slice); ok {
		n, known := rangeLen(th, r).Const()
		if !known {
			return th.Unknown("a range of unknown length is sliced"), nil
		}
		b, known, err := w.sliceBounds(th, s, n)
		if err != nil {
			return nil, err
		}
		if !known {
			return th.Unknown("the bounds of a slice are not known"), nil
		}
		step, _, err := w.arith(th, ast.Mult, r.Step, value.Int(b.step))
		if err != nil {
			return nil, err
		}
		return &value.Range{Start: w.rangeAt(th, r, value.Int(b.start)), Stop: w.rangeAt(th, r, value.Int(b.stop)), Step: step}, nil
	}
	i, ok, err := w.index(th, index)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, th.Raise("TypeError", "range indices must be integers or slices, not %s", w.TypeOf(index).Name)
	}
	if value.IsUnknown(i) {
		return i, nil
	}
	p := th.Pool()
	n := rangeLen(th, r)
	d, _ := intDim(th, i)
	if k, ok := d.Const(); ok && k < 0 {
		d = p.DimAdd(d, n)
	} else if !ok && d.Expr != nil {
		if lo, _ := d.Expr.Bounds(); lo < 0 {
			return w.unknownInt(th), nil
		}
	}
	k, ok1 := d.Const()
	m, ok2 := n.Const()
	if ok1 && ok2 && (k < 0 || k >= m) {
		return nil, th.Raise("IndexError", "range object index out of range")
	}
	return w.rangeAt(th, r, value.FromDim(d)), nil
}

// rangeContains: a number is in a range if it lies within the bounds and is a multiple of the step away from
// the start, which conditions on sizes can say, too. A float is compared by its value. The second
// result is false for unknown values, of which the caller makes the answer.
func (w *World) rangeContains(th value.Thread, r *value.Range, x value.Value) (value.Value, bool, error) {
	x = value.Plain(x)
	if f, ok := x.(value.Float); ok {
		// A float that is no whole number is in no range.
		if f != value.Float(math.Trunc(float64(f))) || math.Abs(float64(f)) > 1<<62 {
			return value.Bool(false), true, nil
		}
		x = value.Int(f)
	}
	c, concrete := concreteRange(r)
	n, isInt := smallInt(x)
	switch _, long := x.(*value.BigInt); {
	// A long integer is in no range of int64.
	case concrete && long:
		return value.Bool(false), true, nil
	case concrete && isInt:
		in := c.len() > 0 && (n-c.start)%c.step == 0 && (c.step > 0 && n >= c.start && n < c.stop || c.step < 0 && n <= c.start && n > c.stop)
		return value.Bool(in), true, nil
	case kindOf(x) == symFloatKind:
		return th.DataBool(nil), true, nil
	case kindOf(x) != intKind && kindOf(x) != symIntKind:
		switch x.(type) {
		case *value.Unknown, *value.Choice:
			return nil, false, nil
		// Their == may say anything.
		case *value.Instance, *value.Tensor, *value.Abstract:
			return th.DataBool(nil), true, nil
		}
		return value.Bool(false), true, nil
	}
	step, ok := smallInt(r.Step)
	// Without a step of known sign the bounds have no direction.
	if !ok || step == 0 {
		return th.DataBool(nil), true, nil
	}
	d, _ := intDim(th, x)
	a, _ := intDim(th, r.Start)
	b, _ := intDim(th, r.Stop)
	p := th.Pool()
	// Between start and stop, in the direction of the step.
	lo, hi := w.compareDims(th, ast.GtE, d, a), w.compareDims(th, ast.Lt, d, b)
	if step < 0 {
		lo, hi = w.compareDims(th, ast.LtE, d, a), w.compareDims(th, ast.Gt, d, b)
	}
	in := w.andBool(th, lo, hi)
	// A step of one needs no remainder.
	if step != 1 && step != -1 {
		rem := p.DimMod(p.DimSub(d, a), p.ConstDim(max(step, -step)))
		in = w.andBool(th, in, w.compareDims(th, ast.Eq, rem, p.ConstDim(0)))
	}
	return in, true, nil
}

// equalRanges compares the sequences that two ranges stand for. Empty ranges are equal, and those
// of one number if that is the same. Symbolic ones are equal if their parts are, and otherwise it
// is not known.
func (w *World) equalRanges(th value.Thread, a, b *value.Range) (value.Value, error) {
	x, ok1 := concreteRange(a)
	y, ok2 := concreteRange(b)
	if ok1 && ok2 {
		n, m := x.len(), y.len()
		return value.Bool(n == m && (n == 0 || x.start == y.start && (n == 1 || x.step == y.step))), nil
	}
	if eq, err := w.equalElems(th, []value.Value{a.Start, a.Stop, a.Step}, []value.Value{b.Start, b.Stop, b.Step}); err != nil ||
		eq == value.Value(value.Bool(true)) {
		return eq, err
	}
	return th.DataBool(nil), nil
}

// countOf is the method by which a tensor of a prelude is a number for range alone; nil: v
// has none. Such are the tensors of TensorFlow, over whose sizes loops run.
func countOf(th value.Thread, v value.Value) value.Value {
	i, ok := v.(*value.Instance)
	if !ok || !i.Class.Prelude {
		return nil
	}
	if _, ok := i.Class.Lookup("__shapecheck_count__"); !ok {
		return nil
	}
	m, ok, err := th.LookupAttr(i, "__shapecheck_count__")
	if !ok || err != nil {
		return nil
	}
	return m
}

// range(stop), range(start, stop), range(start, stop, step). A part that is unknown makes the range
// unknown. ValueError for a step of 0, which a condition excludes where it depends on sizes.
var rangeProcs = []proc{
	{name: "__new__", params: "start stop? step?", kind: newProc, fn: func(c *call) (value.Value, error) {
		r := &value.Range{Start: value.Int(0), Step: value.Int(1)}
		parts := c.args
		for i, v := range parts {
			if v == nil {
				continue
			}
			if count := countOf(c.th, v); count != nil {
				var err error
				if v, err = c.th.Call(count, nil, nil); err != nil {
					return nil, err
				}
			}
			n, err := c.w.wantIndex(c.th, v)
			if err != nil {
				return nil, err
			}
			if value.IsUnknown(n) {
				return n, nil
			}
			switch i {
			case 0:
				r.Start = n
			case 1:
				r.Stop = n
			case 2:
				r.Step = n
			}
		}
		if parts[1] == nil {
			r.Start, r.Stop = value.Int(0), r.Start
		}
		if d, ok := intDim(c.th, r.Step); ok && !nonzero(c.th, d) {
			return nil, c.th.Raise("ValueError", "range() arg 3 must not be zero")
		}
		return r, nil
	}},
	// ValueError where the value is not in a known range; the place in a symbolic one is an unknown
	// int.
	{name: "index", params: "value", fn: func(c *call) (value.Value, error) {
		r, ok := concreteRange(c.self.(*value.Range))
		n, isInt := smallInt(value.Plain(c.args[0]))
		if _, big := value.Plain(c.args[0]).(*value.BigInt); ok && big {
			text, _ := c.th.Repr(c.args[0])
			return nil, c.th.Raise("ValueError", "%s is not in range", text)
		}
		if !ok || !isInt {
			return c.w.unknownInt(c.th), nil
		}
		if in, _, _ := c.w.rangeContains(c.th, c.self.(*value.Range), value.Int(n)); in != value.Value(value.Bool(true)) {
			return nil, c.th.Raise("ValueError", "%d is not in range", n)
		}
		return value.Int((n - r.start) / r.step), nil
	}},
	// 0 or 1, as all numbers of a range differ.
	{name: "count", params: "value", fn: func(c *call) (value.Value, error) {
		in, err := c.th.Compare(ast.In, c.args[0], c.self)
		if err != nil {
			return nil, err
		}
		switch b := in.(type) {
		case value.Bool:
			n, _ := smallInt(b)
			return value.Int(n), nil
		case *value.SymBool:
			return boolInt(c.th, b), nil
		}
		return in, nil
	}},
	// From the last element on, with the opposite step.
	{name: "__reversed__", fn: func(c *call) (value.Value, error) {
		r := c.self.(*value.Range)
		n := rangeLen(c.th, r)
		k, ok := n.Const()
		if !ok {
			p := c.th.Pool()
			last := p.DimSub(n, p.ConstDim(1))
			step, _ := intDim(c.th, r.Step)
			before, _ := intDim(c.th, r.Start)
			back := &value.Range{Start: c.w.rangeAt(c.th, r, value.FromDim(last)), Stop: value.FromDim(p.DimSub(before, step)),
				Step: value.FromDim(p.DimNeg(step))}
			return c.w.openRange(c.th, back, n), nil
		}
		return seqIter(c.th, "range_iterator", func(i int) (value.Value, bool) {
			if int64(i) >= k {
				return nil, false
			}
			return c.w.rangeAt(c.th, r, value.Int(k-1-int64(i))), true
		}), nil
	}},
}

var sliceProcs = []proc{
	{name: "__new__", params: "start stop? step?", kind: newProc, fn: func(c *call) (value.Value, error) {
		if c.args[1] == nil {
			return &value.Slice{Start: value.None, Stop: c.args[0], Step: value.None}, nil
		}
		return &value.Slice{Start: c.args[0], Stop: c.args[1], Step: c.arg(2, value.None)}, nil
	}},
	// The three numbers that the slice means for a sequence of a length. For a symbolic length only
	// the full slice has a formula.
	{name: "indices", params: "length", fn: func(c *call) (value.Value, error) {
		i, err := c.w.wantIndex(c.th, c.args[0])
		if err != nil || value.IsUnknown(i) {
			return i, err
		}
		s := c.self.(*value.Slice)
		n, isConst := i.(value.Int)
		if !isConst {
			// slice(a, None).indices(H): only the plain forms have a formula.
			if s.Step == value.None && s.Start == value.None && s.Stop == value.None {
				return value.NewTuple(value.Int(0), i, value.Int(1)), nil
			}
			return c.th.Unknown("slice.indices() of a size"), nil
		}
		if n < 0 {
			return nil, c.th.Raise("ValueError", "length should not be negative")
		}
		b, known, err := c.w.sliceBounds(c.th, s, int64(n))
		if err != nil {
			return nil, err
		}
		if !known {
			return c.th.Unknown("the bounds of a slice are not known"), nil
		}
		return value.NewTuple(value.Int(b.start), value.Int(b.stop), value.Int(b.step)), nil
	}},
}
