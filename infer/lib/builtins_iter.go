package lib

// This file defines the builtin functions that reduce iterables. An iterable of unknown length ends
// a reduction with an OpenError, whose open part says what the elements are like; the functions
// then give what can be said of any number of them. Numbers that depend on sizes are added,
// compared and joined as expressions.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// allAny is all() and any(). Conditions on sizes are joined to one; what is decided ends the iteration as in
// Python. A value whose truth is not known does not end it, as a later element may still decide the
// answer. Of an unknown number of elements data decide. An error is that of the iteration or of
// __bool__.
func allAny(c *call) (value.Value, error) {
	if value.IsUnknown(c.args[0]) {
		return c.args[0], nil
	}
	isAny := c.p.name == "any"
	var result value.Value = value.Bool(!isAny)
	var lost value.Value
	err := c.th.Iterate(c.args[0], func(v value.Value) error {
		b, err := c.th.Truth(v)
		if err != nil {
			return err
		}
		switch x := b.(type) {
		case *value.SymBool:
			// The solver may decide what the canonical form of the condition does not show.
			switch c.th.Decide(x.Cond) {
			case symshape.Yes:
				b = value.Bool(true)
			case symshape.No:
				b = value.Bool(false)
			}
		case value.Bool:
		default:
			lost = b
			return nil
		}
		if isAny {
			result = c.w.orBool(c.th, result, b)
		} else {
			result = c.w.andBool(c.th, result, b)
		}
		// The first true element of any, and the first false one of all, ends it.
		if result == value.Value(value.Bool(isAny)) {
			return value.ErrStop
		}
		return nil
	})
	if err != nil {
		if isOpen(err) {
			return c.th.DataBool(nil), nil
		}
		return nil, err
	}
	if lost != nil && result != value.Value(value.Bool(isAny)) {
		return lost, nil
	}
	return result, nil
}

// sumProc adds from the left. Floats are added with Neumaier's compensation as CPython does since 3.12; the
// sums of earlier versions differ in the last digits, which no size depends on. start may be
// anything but a text or bytes, which are a TypeError.
func sumProc(c *call) (value.Value, error) {
	if value.IsUnknown(c.args[0]) {
		return c.args[0], nil
	}
	acc := c.arg(1, value.Int(0))
	switch acc.(type) {
	case value.Str:
		return nil, c.th.Raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]")
	case value.Bytes:
		return nil, c.th.Raise("TypeError", "sum() can't sum bytes [use b''.join(seq) instead]")
	}
	var comp float64 // CPython 3.12 sums floats with compensation
	inFloats := false
	err := c.th.Iterate(c.args[0], func(v value.Value) error {
		if f, ok := acc.(value.Float); ok {
			var x float64
			switch y := v.(type) {
			case value.Float:
				x = float64(y)
				inFloats = true
				acc = value.Float(compensate(float64(f), x, &comp))
				return nil
			case value.Int, value.Bool:
				// Ints among floats are added without compensation.
				if inFloats {
					n, _ := smallInt(y)
					acc = value.Float(float64(f) + float64(n))
					return nil
				}
			}
		}
		// The compensation ends where the elements are no floats any more.
		if inFloats {
			acc, comp, inFloats = value.Float(float64(acc.(value.Float))+finite(comp)), 0, false
		}
		var err error
		acc, err = c.th.Binary(ast.Add, acc, v)
		return err
	})
	if err != nil {
		if isOpen(err) {
			return c.openSum(err)
		}
		return nil, err
	}
	if f, ok := acc.(value.Float); ok && inFloats {
		acc = value.Float(float64(f) + finite(comp))
	}
	return acc, nil
}

// compensate adds x to sum and collects the rounding error (Neumaier): what is lost of the smaller
// of the two. The sum that is returned is the rounded one; comp is added at the end.
func compensate(sum, x float64, comp *float64) float64 {
	t := sum + x
	if abs64(sum) >= abs64(x) {
		*comp += (sum - t) + x
	} else {
		*comp += (x - t) + sum
	}
	return t
}

// abs64 is |f|.
func abs64(f float64) float64 {
	if f < 0 {
		return -f
	}
	return f
}

// finite drops a compensation of infinities, as CPython does. Infinities and NaN have no rounding
// error.
func finite(f float64) float64 {
	if f-f != 0 {
		return 0
	}
	return f
}

// openSum is the sum of an unknown number of elements: of equal ints a multiple of the length, of
// tensors a loop of the graph, of other numbers one that is not known. err is the OpenError that
// ended the sum. The iterable is drained again, which gives what is known of its elements.
func (c *call) openSum(err error) (value.Value, error) {
	_, open, derr := c.w.drain(c.th, c.args[0])
	if derr != nil || open == nil {
		return c.th.Unknown("the sum of an unknown number of elements"), nil
	}
	start := c.arg(1, value.Int(0))
	if _, tensors := open.Elem.(*value.Tensor); tensors {
		return c.openTotal(open, start)
	}
	k := max(kindOf(value.Plain(open.Elem)), kindOf(value.Plain(start)))
	switch {
	case kindOf(value.Plain(open.Elem)) == notNumber || kindOf(value.Plain(start)) == notNumber:
		return c.th.Unknown("the sum of an unknown number of elements"), nil
	case k <= symIntKind:
		if n, ok := open.Elem.(value.Int); ok { // so many times the same
			p := c.th.Pool()
			s, _ := intDim(c.th, value.Plain(start))
			return value.FromDim(p.DimAdd(s, p.DimMul(open.Len, p.ConstDim(int64(n))))), nil
		}
		return c.w.unknownInt(c.th), nil
	// A float as start makes the sum a float, also of nothing.
	case k <= symFloatKind && kindOf(value.Plain(start)) >= floatKind:
		return &value.SymFloat{}, nil
	}
	// sum() of no floats is the int 0.
	return c.th.Unknown("the sum of an unknown number of elements"), nil
}

// openTotal is the sum of tensors that are not known one by one: a loop over those after the first,
// where there is a first for certain. The loop is Python of the prelude (_loops.total), which the
// interpreter runs as a loop of the graph. Errors are those of the addition. The first element is
// added to start outside of the loop, so that the loop's sum has one type.
func (c *call) openTotal(o *value.Open, start value.Value) (value.Value, error) {
	p, at := c.th.Pool(), elementAt(o)
	if at == nil || o.Len.Expr == nil || c.th.Decide(p.Ge(o.Len.Expr, p.Const(1))) != symshape.Yes {
		return c.th.Unknown("the sum of an unknown number of tensors"), nil
	}
	first, err := at(c.th, &value.SymInt{D: p.ConstDim(0)})
	if err != nil {
		return nil, err
	}
	if first, err = c.th.Binary(ast.Add, start, first); err != nil {
		return nil, err
	}
	rest, err := c.w.openSlice(c.th, o, &value.Slice{Start: value.Int(1), Stop: value.None, Step: value.None})
	if err != nil {
		return nil, err
	}
	loops, err := c.th.Import("_loops")
	if err != nil {
		return nil, err
	}
	total, err := c.th.GetAttr(loops, "total")
	if err != nil {
		return nil, err
	}
	return c.th.Call(total, []value.Value{first, c.th.Heap().NewOpenList(rest)}, nil)
}

// maxMin is max() and min(). Sizes are compared by the solver, and where it cannot say, the result is a max or
// min expression. With a key the element itself is chosen: if which one depends on sizes, the result is what
// all of them have in common. Of an unknown number of elements it is like any one of them, if these are
// numbers. Several arguments are the elements themselves. It raises a TypeError without arguments
// or for a default beside several, and a ValueError for an empty iterable without a default.
func maxMin(c *call) (value.Value, error) {
	name, key, fallback := c.p.name, c.args[0], c.args[1]
	var list []value.Value
	switch {
	case len(c.rest) == 0:
		return nil, c.th.Raise("TypeError", "%s expected at least 1 argument, got 0", name)
	case len(c.rest) > 1:
		if fallback != nil {
			return nil, c.th.Raise("TypeError", "Cannot specify a default for %s() with multiple positional arguments", name)
		}
		list = c.rest
	case value.IsUnknown(c.rest[0]):
		return c.rest[0], nil
	default:
		elems, open, err := c.w.drain(c.th, c.rest[0])
		if err != nil {
			return nil, err
		}
		if open != nil {
			v := open.Elem
			if v == nil {
				return c.th.Unknown("the extremum of an unknown number of elements"), nil
			}
			switch kindOf(value.Plain(v)) {
			case intKind:
				if fallback == nil {
					return v, nil
				}
				return c.w.common(c.th, v, fallback), nil
			case symIntKind:
				if fallback == nil || kindOf(value.Plain(fallback)) <= symIntKind && kindOf(value.Plain(fallback)) != notNumber {
					return c.w.unknownInt(c.th), nil
				}
			case floatKind, symFloatKind:
				return &value.SymFloat{}, nil
			}
			return c.th.Unknown("the extremum of an unknown number of elements"), nil
		}
		list = elems
	}
	if len(list) == 0 {
		if fallback != nil {
			return fallback, nil
		}
		// The message is CPython's.
		return nil, c.th.Raise("ValueError", "%s() iterable argument is empty", name)
	}
	best := list[0]
	// Without a key the elements are compared.
	if !isGiven(key) {
		for _, v := range list[1:] {
			var err error
			if best, err = c.extremum(best, v); err != nil {
				return nil, err
			}
		}
		return best, nil
	}
	bestKey, err := c.th.Call(key, []value.Value{best}, nil)
	if err != nil {
		return nil, err
	}
	lost := false
	for _, v := range list[1:] {
		k, err := c.th.Call(key, []value.Value{v}, nil)
		if err != nil {
			return nil, err
		}
		better, known, err := c.better(k, bestKey)
		if err != nil {
			return nil, err
		}
		switch {
		case !known:
			lost = true
		case better:
			best, bestKey = v, k
		}
	}
	if lost {
		c.th.MeansOneOf(list)
		return c.w.commonOf(c.th, list, "which element is the extremum depends on sizes"), nil
	}
	return best, nil
}

// better reports whether a wins over b, the earlier one, which stays where both are equal. known is
// false where the order is not decided. The error is that of the comparison. op is > for max and <
// for min.
func (c *call) better(a, b value.Value) (better, known bool, err error) {
	op := ast.Gt
	if c.p.name == "min" {
		op = ast.Lt
	}
	r, err := c.th.Compare(op, a, b)
	if err != nil {
		return false, false, err
	}
	if value.IsUnknown(r) {
		return false, false, nil
	}
	if r, err = c.th.Truth(r); err != nil {
		return false, false, err
	}
	if s, ok := r.(*value.SymBool); ok {
		switch c.th.Decide(s.Cond) {
		case symshape.Yes:
			return true, true, nil
		case symshape.No:
			return false, true, nil
		}
	}
	better, known = c.th.Holds(r)
	return better, known, nil
}

// extremum is max(a, b) or min(a, b). Of sizes it is symbolic where the path does not decide. Of
// what is no number it is one of the two, or what both have in common where that is not known. The
// error is that of comparing.
func (c *call) extremum(a, b value.Value) (value.Value, error) {
	for _, v := range [...]value.Value{a, b} {
		if value.IsUnknown(v) {
			return v, nil
		}
	}
	x, y := value.Plain(a), value.Plain(b)
	kx, ky := kindOf(x), kindOf(y)
	// Complex numbers have no order.
	numbers := kx != notNumber && ky != notNumber && kx != complexKind && ky != complexKind
	symbolic := func(k numKind) bool { return k == symIntKind || k == symFloatKind }
	if !numbers || !symbolic(kx) && !symbolic(ky) {
		better, known, err := c.better(b, a)
		if err != nil {
			return nil, err
		}
		switch {
		case !known:
			return c.w.common(c.th, a, b), nil
		case better:
			return b, nil
		}
		return a, nil
	}
	op := ast.Gt
	if c.p.name == "min" {
		op = ast.Lt
	}
	// First by the canonical form, then by the solver.
	r, _ := c.w.compareReal(c.th, op, y, x)
	switch t := r.(type) {
	case value.Bool:
		if t {
			return b, nil
		}
		return a, nil
	case *value.SymBool:
		switch c.th.Decide(t.Cond) {
		case symshape.Yes:
			return b, nil
		case symshape.No:
			return a, nil
		}
	}
	p := c.th.Pool()
	// Sizes stay integers, and all else becomes a real number.
	if max(kx, ky) <= symIntKind {
		d, _ := intDim(c.th, x)
		e, _ := intDim(c.th, y)
		if op == ast.Gt {
			return value.FromDim(p.DimMax(d, e)), nil
		}
		return value.FromDim(p.DimMin(d, e)), nil
	}
	// With a float the result is a float, symbolic as well.
	rx, vx, knx, _ := realOf(c.th, x)
	ry, vy, kny, _ := realOf(c.th, y)
	if op == ast.Gt {
		return symFloat(p.RealMax(rx, ry), max(vx, vy), knx && kny), nil
	}
	return symFloat(p.RealMin(rx, ry), min(vx, vy), knx && kny), nil
}

// sortedProc: of elements whose order is not known, each place may have any of them. A list of an
// unknown length stays one. The error is that of a key or comparison.
func sortedProc(c *call) (value.Value, error) {
	if value.IsUnknown(c.args[0]) {
		return c.args[0], nil
	}
	elems, open, err := c.w.drain(c.th, c.args[0])
	if err != nil {
		return nil, err
	}
	if open != nil {
		return c.th.Heap().NewOpenList(open), nil
	}
	out, known, err := c.w.sorted(c.th, elems, c.args[1], c.args[2])
	if err != nil {
		return nil, err
	}
	if !known {
		elem := c.w.commonOf(c.th, out, "the order of a sorted list is not known")
		for i := range out {
			out[i] = elem
		}
	}
	return c.th.Heap().NewList(out), nil
}
