package lib

// This file compares builtin values; numbers are in compare_number.go. The interpreter calls
// Compare when neither class of the program has a method of its own for the comparison. Three
// results are possible: a Bool, a symbolic truth (SymBool) where sizes decide, and data (DataBool)
// where contents do that are not known; a branch on the last two is followed both ways or by
// assumption. Elements of containers are compared through the thread, so that the __eq__ of a
// program's class runs.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape/dtype"
)

// Compare gives a op b for builtin values, with elements of containers compared
// through th. Comparisons of sizes give a Bool where the canonical form decides,
// else a SymBool. err is a TypeError where the two have no such order, or what a comparison of
// elements raises. ok is false where a type is foreign to this package (a tensor), whose own rules
// compare.
func (w *World) Compare(th value.Thread, op ast.CmpOperator, a, b value.Value) (v value.Value, ok bool, err error) {
	switch op {
	// Identity is asked of the thread, as only it knows what is the same object.
	case ast.Is, ast.IsNot:
		v, err := th.Identical(a, b)
		if err != nil {
			return nil, true, err
		}
		if op == ast.IsNot {
			v = w.notBool(th, v)
		}
		return v, true, nil
	case ast.In, ast.NotIn:
		v, ok, err := w.contains(th, a, b)
		if ok && err == nil && op == ast.NotIn {
			v = w.notBool(th, v)
		}
		return v, ok, err
	}
	if foreign(a) || foreign(b) {
		return nil, false, nil
	}
	a, b = value.Plain(a), value.Plain(b)
	if op == ast.NotEq {
		v, err := w.equal(th, a, b)
		if err != nil || value.IsUnknown(v) {
			return v, true, err
		}
		return w.notBool(th, v), true, nil
	}
	if op == ast.Eq {
		v, err := w.equal(th, a, b)
		return v, true, err
	}
	// Only the four order relations are left.
	v, ok, err = w.order(th, op, a, b)
	if ok || err != nil {
		return v, true, err
	}
	return nil, true, w.orderError(th, op, a, b)
}

// orderError is the TypeError of an order relation between two types that have none. Its text is
// CPython's.
func (w *World) orderError(th value.Thread, op ast.CmpOperator, a, b value.Value) error {
	return th.Raise("TypeError", "'%s' not supported between instances of '%s' and '%s'", op, w.TypeOf(a).Name, w.TypeOf(b).Name)
}

// order is a op b for the four order relations; ok is false where the two types have no order.
// Numbers are compared as reals, sequences element by element, sets by inclusion. Of containers of
// unknown length, and of values of which only the class is known, data decide. The error is that of
// comparing elements.
func (w *World) order(th value.Thread, op ast.CmpOperator, a, b value.Value) (value.Value, bool, error) {
	if v, ok := w.compareReal(th, op, a, b); ok {
		return v, true, nil
	}
	switch x := a.(type) {
	case value.Str:
		if y, ok := b.(value.Str); ok {
			return value.Bool(decideOrder(op, compareText(string(x), string(y)))), true, nil
		}
	case value.Bytes:
		if y, ok := b.(value.Bytes); ok {
			return value.Bool(decideOrder(op, compareText(string(x), string(y)))), true, nil
		}
	case *value.Tuple:
		if y, ok := b.(*value.Tuple); ok {
			// A namedtuple compares as a tuple.
			return w.orderElems(th, op, x.Elems, y.Elems)
		}
		// A tuple of unknown length is a list value (tupleNew).
		if y, ok := b.(*value.List); ok && w.isTuple(y) {
			return th.DataBool(nil), true, nil
		}
	case *value.List:
		if _, ok := b.(*value.Tuple); ok && w.isTuple(x) {
			return th.DataBool(nil), true, nil
		}
		// A list may stand for a tuple of unknown length; list and tuple have no order between
		// them.
		if y, ok := b.(*value.List); ok && w.isTuple(x) == w.isTuple(y) {
			if x.Open != nil || y.Open != nil {
				return th.DataBool(nil), true, nil
			}
			return w.orderElems(th, op, x.Elems, y.Elems)
		}
	// CPython compares slices as tuples of three.
	case *value.Slice:
		if y, ok := b.(*value.Slice); ok {
			return w.orderElems(th, op, []value.Value{x.Start, x.Stop, x.Step}, []value.Value{y.Start, y.Stop, y.Step})
		}
	case *value.Set:
		if y, ok := b.(*value.Set); ok {
			v, err := w.orderSets(th, op, x, y)
			return v, true, err
		}
	}
	// Of two values of one class of which one is not known, there is an order.
	x, ok1 := a.(*value.Abstract)
	y, ok2 := b.(*value.Abstract)
	if ok1 && w.TypeOf(b) == x.Class || ok2 && w.TypeOf(a) == y.Class {
		return th.DataBool(nil), true, nil
	}
	return nil, false, nil
}

// compareText orders by code points, as UTF-8 bytes do. Code points above U+FFFF come last in UTF-8
// too, in contrast to UTF-16.
func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// orderElems compares sequences: the first pair that differs decides, and the lengths where none
// does. Where it is not known which pair that is, data decide.
func (w *World) orderElems(th value.Thread, op ast.CmpOperator, a, b []value.Value) (value.Value, bool, error) {
	for i := 0; i < len(a) && i < len(b); i++ {
		// One step of the run's budget for 16 elements.
		if i%16 == 15 {
			if err := th.Step(1); err != nil {
				return nil, true, err
			}
		}
		eq, err := w.same(th, a[i], b[i])
		if err != nil {
			return nil, true, err
		}
		if value.IsUnknown(eq) {
			return eq, true, nil
		}
		val, known := th.Holds(eq)
		if !known {
			return th.DataBool(nil), true, nil
		}
		// The relation itself is asked only of the first two that differ, as CPython does.
		if !val {
			// The depth is bounded, as lists may contain themselves.
			if err := th.Enter(" in comparison"); err != nil {
				return nil, true, err
			}
			defer th.Leave()
			v, err := th.Compare(op, a[i], b[i])
			return v, true, err
		}
	}
	return value.Bool(decideOrder(op, sign64(int64(len(a)), int64(len(b))))), true, nil
}

// same is "a is b or a == b" as a truth value, the test that containers use. Identity comes first,
// so that nan is found in a list that has it. The error is that of an __eq__ of the program.
// CPython calls it PyObject_RichCompareBool.
func (w *World) same(th value.Thread, a, b value.Value) (value.Value, error) {
	if a == b {
		if !value.IsUnknown(a) {
			return value.Bool(true), nil
		}
		return a, nil
	}
	if err := th.Step(1); err != nil {
		return nil, err
	}
	if err := th.Enter(" in comparison"); err != nil {
		return nil, err
	}
	defer th.Leave()
	v, err := th.Compare(ast.Eq, a, b)
	if err != nil || value.IsUnknown(v) {
		return v, err
	}
	return th.Truth(v)
}

// equal is a == b for builtin values. Values of different kinds are not equal, which is no error.
// Where only a class is known, they may be equal if the classes allow it. The error is that of
// comparing elements.
func (w *World) equal(th value.Thread, a, b value.Value) (value.Value, error) {
	if v, ok := w.compareReal(th, ast.Eq, a, b); ok {
		return v, nil
	}
	switch x := a.(type) {
	case value.Str:
		// Two texts are the same Go value.
		if _, ok := b.(value.Str); ok {
			return value.Bool(a == b), nil
		}
	case *value.Tuple:
		if y, ok := b.(*value.Tuple); ok {
			return w.equalElems(th, x.Elems, y.Elems)
		}
		if y, ok := b.(*value.List); ok && w.isTuple(y) {
			return th.DataBool(nil), nil
		}
		// A tuple is equal to tuples alone.
		return value.Bool(false), nil
	case *value.List:
		if _, ok := b.(*value.Tuple); ok && w.isTuple(x) {
			return th.DataBool(nil), nil
		}
		y, ok := b.(*value.List)
		if !ok || w.isTuple(x) != w.isTuple(y) {
			break
		}
		// A list is equal to itself without a look at the elements, which may contain it.
		if x == y {
			return value.Bool(true), nil
		}
		if x.Open != nil || y.Open != nil {
			return th.DataBool(nil), nil
		}
		return w.equalElems(th, x.Elems, y.Elems)
	case *value.Dict:
		if y, ok := b.(*value.Dict); ok {
			return w.equalDicts(th, x, y)
		}
		return value.Bool(false), nil
	case *value.Set:
		if y, ok := b.(*value.Set); ok {
			return w.equalSets(th, x, y)
		}
		return value.Bool(false), nil
	case value.Complex:
		y, ok, err := asComplex(th, b)
		if err != nil || ok {
			return value.Bool(err == nil && complex128(x) == y), nil
		}
	case *value.Range:
		if y, ok := b.(*value.Range); ok {
			return w.equalRanges(th, x, y)
		}
	case *value.Slice:
		if y, ok := b.(*value.Slice); ok {
			return w.equalElems(th, []value.Value{x.Start, x.Stop, x.Step}, []value.Value{y.Start, y.Stop, y.Step})
		}
	case *value.BoundMethod:
		if y, ok := b.(*value.BoundMethod); ok {
			return value.Bool(x.Self == y.Self && x.Func == y.Func), nil
		}
	case *value.GenericAlias:
		if y, ok := b.(*value.GenericAlias); ok {
			// Aliases as list[int] are equal by origin and arguments, unions in any order.
			if x.Origin != y.Origin || len(x.Args) != len(y.Args) {
				return value.Bool(false), nil
			}
			if x.Origin == value.Value(w.union) {
				return value.Bool(sameMembers(x.Args, y.Args)), nil
			}
			return w.equalElems(th, x.Args, y.Args)
		}
	// A dtype or device that is not known may be equal to any.
	case value.DType:
		if y, ok := b.(value.DType); ok && (x.D == dtype.Unknown || y.D == dtype.Unknown) {
			return th.Unknown("dtype is not known"), nil
		}
	case value.Device:
		y, ok := b.(value.Device)
		if ok && x != y && (x.Name == "" || y.Name == "") {
			return th.Unknown("device is not known"), nil
		}
		if ok {
			return value.Bool(x.Name == y.Name), nil
		}
	// A value of which only the class is known: the same function of the same arguments gives equal
	// texts.
	case *value.Abstract:
		if y, ok := b.(*value.Abstract); ok && (x == y || w.sameText(th, x, y)) {
			return value.Bool(true), nil
		}
		// Texts and bytes are never equal to others, so that only other classes are left open.
		cb := w.TypeOf(b)
		if cb == x.Class || x.Class.Layout == value.ObjectLayout || isText(w, x.Class) == isText(w, cb) && !isText(w, cb) {
			return th.DataBool(nil), nil
		}
		return value.Bool(false), nil
	}
	// The unknown operand decides how it is compared, so that it must stand on the left. Compared
	// once more with the operands exchanged.
	switch b.(type) {
	case *value.Abstract, value.Complex:
		switch a.(type) {
		case *value.Abstract, value.Complex:
		default:
			if err := th.Enter(" in comparison"); err != nil {
				return nil, err
			}
			defer th.Leave()
			return w.equal(th, b, a)
		}
	}
	return value.Bool(a == b), nil
}

// sameText reports whether two texts that are not known are what one function gives for the same
// arguments. Of is the call that made a text; its hash key has the function and the arguments.
func (w *World) sameText(th value.Thread, a, b *value.Abstract) bool {
	if a.Of == nil || b.Of == nil || a.Class != b.Class {
		return false
	}
	x, okX, errX := w.HashKey(th, a)
	y, okY, errY := w.HashKey(th, b)
	return okX && okY && errX == nil && errY == nil && x == y
}

// isText reports whether a class is str or bytes.
func isText(w *World, c *value.Class) bool { return c == w.str || c == w.bytes }

// sameMembers reports whether all of a are in b, by identity; the lengths have been compared. A
// union has few members, so that two loops are fine.
func sameMembers(a, b []value.Value) bool {
	for _, x := range a {
		found := false
		for _, y := range b {
			found = found || x == y
		}
		if !found {
			return false
		}
	}
	return true
}

// equalElems is the conjunction of the elements' equalities; the first that is false decides, as do
// different lengths. Symbolic equalities are joined to a conjunction.
func (w *World) equalElems(th value.Thread, a, b []value.Value) (value.Value, error) {
	if len(a) != len(b) {
		return value.Bool(false), nil
	}
	if err := th.Step(len(a) + 1); err != nil { // containers that share parts are walked many times
		return nil, err
	}
	return joinTruths(len(a), true, func(i int) (value.Value, error) { return w.same(th, a[i], b[i]) },
		func(x, y value.Value) value.Value { return w.andBool(th, x, y) })
}

// joinTruths joins n truth values, begun with empty, that of none; where the joint value is the
// opposite, the others decide nothing and are not asked for. One that is no truth value is the
// result unless another decides. An error of truth ends it. It is all() or any() of truths, with
// CPython's short cut.
func joinTruths(n int, empty value.Bool, truth func(i int) (value.Value, error), join func(x, y value.Value) value.Value) (value.Value,
	error) {
	var joint, lost value.Value = empty, nil
	for i := range n {
		v, err := truth(i)
		if err != nil {
			return nil, err
		}
		// A value that is no truth (an unknown) is kept: it is the result if nothing else decides.
		switch v.(type) {
		case value.Bool, *value.SymBool:
		default:
			lost = v
			continue
		}
		if joint = join(joint, v); joint == value.Value(!empty) {
			return joint, nil
		}
	}
	if lost != nil {
		return lost, nil
	}
	return joint, nil
}

// contains is "x in c". ok is false where c is no builtin container, or has an __iter__, by which
// the interpreter looks for x. A text takes only texts, and bytes also a number. The error is a
// TypeError for a container that is none.
func (w *World) contains(th value.Thread, x, c value.Value) (value.Value, bool, error) {
	// Views of dicts are instances.
	if inst, ok := c.(*value.Instance); ok {
		if v, ok := inst.Data.(*dictView); ok {
			r, err := w.viewContains(th, v, x)
			return r, true, err
		}
		c = value.Plain(c)
	}
	if foreign(c) {
		return nil, false, nil
	}
	switch c := c.(type) {
	case value.Str:
		switch x := value.Plain(x).(type) {
		case value.Str:
			return value.Bool(containsText(string(c), string(x))), true, nil
		case *value.Abstract:
			if x.Class == w.str {
				return th.DataBool(nil), true, nil
			}
		case *value.Unknown:
			return x, true, nil
		}
		return nil, true, th.Raise("TypeError", "'in <string>' requires string as left operand, not %s", w.TypeOf(x).Name)
	case value.Bytes:
		switch x := value.Plain(x).(type) {
		case value.Bytes:
			return value.Bool(containsText(string(c), string(x))), true, nil
		case value.Int, value.Bool, *value.BigInt:
			n, small := smallInt(x)
			if !small || n < 0 || n > 255 {
				return nil, true, th.Raise("ValueError", "byte must be in range(0, 256)")
			}
			return value.Bool(containsText(string(c), string([]byte{byte(n)}))), true, nil
		case *value.SymInt, *value.Abstract:
			return th.DataBool(nil), true, nil
		}
		return nil, true, th.Raise("TypeError", "a bytes-like object is required, not '%s'", w.TypeOf(x).Name)
	case *value.Dict:
		_, at, err := w.find(th, c, x)
		return w.foundBool(th, at), true, err
	case *value.Set:
		at, err := w.setFind(th, c, x)
		return w.foundBool(th, at), true, err
	case *value.Range:
		return w.rangeContains(th, c, x)
	case *value.Tuple:
		v, err := w.containsElem(th, c.Elems, x)
		return v, true, err
	case *value.List:
		v, err := w.containsElem(th, c.Elems, x)
		// Beside the known elements the open part may have x.
		if err == nil && c.Open != nil && v != value.Value(value.Bool(true)) {
			v = th.DataBool(nil)
		}
		return v, true, err
	case *value.Abstract:
		return th.DataBool(nil), true, nil
	// Iterators are used up by the search, which the interpreter does.
	case *value.Iterator:
		return nil, false, nil
	}
	if _, ok := c.(*value.GenericAlias); ok {
		return nil, false, nil
	}
	if _, ok := w.TypeOf(c).Lookup("__iter__"); ok {
		return nil, false, nil
	}
	return nil, true, value.Single(th, "argument of type '%s' is not iterable", w.TypeOf(c).Name)
}

// containsElem is whether x is the same as one of the elements. joinAny asks the elements from left
// to right, and not after the first that is true.
func (w *World) containsElem(th value.Thread, elems []value.Value, x value.Value) (value.Value, error) {
	return w.joinAny(th, len(elems), func(i int) (value.Value, error) { return w.same(th, elems[i], x) })
}

// joinAny is whether one of n truth values is true. The error is that of truth.
func (w *World) joinAny(th value.Thread, n int, truth func(i int) (value.Value, error)) (value.Value, error) {
	return joinTruths(n, false, truth, func(x, y value.Value) value.Value { return w.orBool(th, x, y) })
}
