package lib

// This file defines tuple, list, range and slice. A list is known element by element (Elems), or by
// what all its elements have in common (Open), as after a loop whose number of turns is a size:
// then Open has an element that stands for each, the length, and where possible a sequence of the
// typed graph or a function that gives an element by its number. Methods keep whichever form they
// can; where a change cannot be followed one by one, what is known of single elements is merged
// into the open part. Every change is announced to the heap (Touch) before it is made, so that a
// branch can be undone.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// range and slice cannot be subclassed, as in CPython.
var sequenceClasses = []classSpec{
	{name: "tuple", layout: value.TupleLayout, procs: tupleProcs},
	{name: "list", layout: value.ListLayout, procs: listProcs, fill: notHashable},
	{name: "range", final: true, procs: join(rangeProcs, seqDunders, dunders(compareDunder, "other", equalNames),
		dunders(hashDunder, "", "__hash__"))},
	{name: "slice", final: true, procs: join(sliceProcs, dunders(compareDunder, "other", orderNames), dunders(hashDunder, "", "__hash__"))},
}

// notHashable marks a class whose objects can change, so that they are no keys.
func notHashable(w *World, c *value.Class) { c.Attrs.Set(w.heap, "__hash__", value.None) }

// The dunder methods that tuple, list and range share.
var seqDunders = join([]proc{
	{name: "__getitem__", params: "index", fn: getItemDunder},
	{name: "__contains__", params: "item", fn: containsDunder},
	{name: "__len__", fn: lenDunder},
	{name: "__iter__", fn: iterDunder},
}, dunders(reprDunder, "", "__repr__"))

var tupleProcs = join([]proc{
	{name: "__new__", params: "iterable?", kind: newProc, fn: tupleNew},
	{name: "index", params: "value start? stop?", fn: seqIndex},
	{name: "count", params: "value", fn: seqCount},
	{name: "__hash__", fn: hashDunder},
}, seqDunders, genericProc, dunders(binaryDunder, "other", "__add__ __mul__ __rmul__"), dunders(compareDunder, "other", orderNames))

// tupleNew makes tuples. One of an iterator of unknown length is a list value of the class tuple: only lists
// have an open part. A tuple of a plain tuple is that one itself; a subclass makes a new one. It
// returns the error of the iteration.
func tupleNew(c *call) (value.Value, error) {
	cls, _ := c.self.(*value.Class)
	if cls == c.w.tuple {
		cls = nil
	}
	if c.args[0] == nil {
		return &value.Tuple{Class: cls}, nil
	}
	// A tuple cannot change, and so is its own copy.
	if t, ok := c.args[0].(*value.Tuple); ok && cls == nil && t.Class == nil {
		return t, nil
	}
	elems, open, err := c.w.listed(c.th, c.args[0])
	if err != nil {
		return nil, err
	}
	if open != nil {
		if value.IsUnknown(c.args[0]) {
			return c.args[0], nil
		}
		if cls != nil {
			return c.th.Unknown("the length of a tuple is not known"), nil
		}
		t := &value.List{Header: c.th.Heap().Header(), Class: c.w.tuple, Elems: elems}
		c.w.appendAll(c.th, t, nil, open)
		return t, nil
	}
	return &value.Tuple{Class: cls, Elems: elems}, nil
}

// elemsOf returns the known elements of self, a list or tuple, and the open part of a list that has
// one. Of anything else nothing is known.
func (c *call) elemsOf() ([]value.Value, *value.Open) {
	switch s := c.self.(type) {
	case *value.Tuple:
		return s.Elems, nil
	case *value.List:
		return s.Elems, s.Open
	}
	return nil, &value.Open{}
}

// seqIndex compares one element after the other. The first that may be equal ends the search with a number that
// only data decides, from that place on. It raises a ValueError where nothing is equal. A bound
// that is no integer is a TypeError.
func seqIndex(c *call) (value.Value, error) {
	elems, open := c.elemsOf()
	n := int64(len(elems))
	// Bounds that are not known do not restrict the search.
	bound := func(i int, absent int64) (int64, error) {
		if c.args[i] == nil {
			return absent, nil
		}
		v, err := c.w.wantIndex(c.th, c.args[i])
		if err != nil {
			return 0, err
		}
		k, ok := smallInt(v)
		if !ok {
			return absent, nil
		}
		if k < 0 {
			k = max(k+n, 0)
		}
		return min(k, n), nil
	}
	start, err := bound(1, 0)
	if err != nil {
		return nil, err
	}
	stop, err := bound(2, n)
	if err != nil {
		return nil, err
	}
	for i := start; i < stop; i++ {
		eq, err := c.w.same(c.th, elems[i], c.args[0])
		if err != nil {
			return nil, err
		}
		// Whether the two are equal may be undecided.
		val, known := false, false
		if !value.IsUnknown(eq) {
			val, known = c.th.Holds(eq)
		}
		if !known {
			return c.th.DataInt("i", i, nil), nil
		}
		if val {
			return value.Int(i), nil
		}
	}
	// What the open part has comes after the known elements.
	if open != nil {
		return c.th.DataInt("i", stop, nil), nil
	}
	if _, isList := c.self.(*value.List); isList {
		text, _ := c.th.Repr(c.args[0])
		return nil, c.th.Raise("ValueError", "%s is not in list", text)
	}
	return nil, c.th.Raise("ValueError", "tuple.index(x): x not in tuple")
}

// seqCount adds the conditions up, so that the number of equal elements may be an expression. A
// comparison whose result is not known makes the number one that is not known, from 0 on.
func seqCount(c *call) (value.Value, error) {
	elems, open := c.elemsOf()
	if open != nil {
		return c.th.DataInt("n", 0, nil), nil
	}
	p := c.th.Pool()
	n := p.ConstDim(0)
	for _, e := range elems {
		eq, err := c.w.same(c.th, e, c.args[0])
		if err != nil {
			return nil, err
		}
		switch b := eq.(type) {
		case value.Bool:
			if b {
				n = p.DimAdd(n, p.ConstDim(1))
			}
		case *value.SymBool:
			n = p.DimAdd(n, boolInt(c.th, b).D)
		default:
			return c.th.DataInt("n", 0, nil), nil
		}
	}
	return value.FromDim(n), nil
}

// A list is made empty by __new__ and filled by __init__, so that subclasses may do otherwise.
var listProcs = join([]proc{
	{name: "__new__", params: "*args **kw", kind: newProc, fn: func(c *call) (value.Value, error) {
		l := c.th.Heap().NewList(nil)
		if cls, _ := c.self.(*value.Class); cls != c.w.list {
			l.Class = cls
			l.Attrs = c.th.Heap().NewAttrs()
		}
		return l, nil
	}},
	// It is also list.__init__ called again, which replaces what the list has.
	{name: "__init__", params: "iterable?", fn: func(c *call) (value.Value, error) {
		l := c.self.(*value.List)
		if c.args[0] == nil {
			if len(l.Elems) > 0 || l.Open != nil {
				c.th.Heap().Touch(l)
				l.Elems, l.Open = nil, nil
			}
			return value.None, nil
		}
		elems, open, err := c.w.listed(c.th, c.args[0])
		if err != nil {
			return nil, err
		}
		// A copy of a list of unknown length keeps what is known of its elements by number.
		if y, ok := c.args[0].(*value.List); ok && y.Open != nil && len(y.Elems) == 0 {
			elems, open = nil, y.Open
		}
		c.th.Heap().Touch(l)
		l.Elems, l.Open = elems, open
		return value.None, nil
	}},
	{name: "append", params: "object", fn: func(c *call) (value.Value, error) {
		l, ok := c.self.(*value.List)
		if !ok {
			return value.None, nil
		}
		c.th.Heap().Touch(l)
		// An element more of an open list joins those that the open part stands for. Its length is
		// one more.
		if l.Open == nil {
			var err error
			if l.Elems, err = push(c.th, l.Elems, c.args[0]); err != nil {
				return nil, err
			}
		} else {
			c.w.appendAll(c.th, l, c.args[:1], nil)
		}
		return value.None, nil
	}},
	{name: "extend", params: "iterable", fn: func(c *call) (value.Value, error) {
		return value.None, c.w.listExtend(c.th, c.self.(*value.List), c.args[0])
	}},
	{name: "insert", params: "index object", fn: listInsert},
	{name: "pop", params: "index?", fn: listPop},
	{name: "remove", params: "value", fn: listRemove},
	{name: "clear", fn: func(c *call) (value.Value, error) {
		l := c.self.(*value.List)
		c.th.Heap().Touch(l)
		l.Elems, l.Open = nil, nil
		return value.None, nil
	}},
	// A copy of a subclass is a plain list, as in CPython.
	{name: "copy", fn: func(c *call) (value.Value, error) {
		l := c.self.(*value.List)
		elems, err := cloned(c.th, l.Elems)
		if err != nil {
			return nil, err
		}
		n := c.th.Heap().NewList(elems)
		n.Open = l.Open
		return n, nil
	}},
	{name: "reverse", fn: func(c *call) (value.Value, error) {
		l := c.self.(*value.List)
		c.th.Heap().Touch(l)
		out := make([]value.Value, len(l.Elems))
		for i, e := range l.Elems {
			out[len(out)-1-i] = e
		}
		// What is known of the order of an open list holds no longer.
		if l.Open != nil {
			c.w.forgetOrder(c.th, l)
			return value.None, nil
		}
		l.Elems = out
		return value.None, nil
	}},
	{name: "sort", params: "* key? reverse?", fn: func(c *call) (value.Value, error) {
		l := c.self.(*value.List)
		c.th.Heap().Touch(l)
		if l.Open != nil {
			c.w.forgetOrder(c.th, l)
			return value.None, nil
		}
		// While keys are computed the program may change the list: CPython sets it aside in the
		// meantime. That the list is set aside is not modelled: the sort works on a copy.
		out, known, err := c.w.sorted(c.th, l.Elems, c.args[0], c.args[1])
		if err != nil {
			return nil, err
		}
		c.th.Heap().Touch(l)
		l.Elems = out
		// Where a comparison is undecided any element may be anywhere.
		if !known {
			elem := c.w.commonOf(c.th, out, "the order of a sorted list is not known")
			for i := range l.Elems {
				l.Elems[i] = elem
			}
		}
		return value.None, nil
	}},
	{name: "index", params: "value start? stop?", fn: seqIndex},
	{name: "count", params: "value", fn: seqCount},
	{name: "__setitem__", params: "index value", fn: setItemDunder},
	{name: "__delitem__", params: "index", fn: delItemDunder},
	// The iterator looks at the list as it is when it is asked, so that changes of the program
	// show.
	{name: "__reversed__", fn: func(c *call) (value.Value, error) {
		l := c.self.(*value.List)
		if l.Open != nil {
			return c.w.openListIter(c.th, "list_reverseiterator", l, true), nil
		}
		n := len(l.Elems)
		return seqIter(c.th, "list_reverseiterator", func(i int) (value.Value, bool) {
			if j := n - 1 - i; j >= 0 && j < len(l.Elems) {
				return l.Elems[j], true
			}
			return nil, false
		}), nil
	}},
}, seqDunders, genericProc, dunders(binaryDunder, "other", "__add__ __mul__ __rmul__"),
	dunders(inPlaceDunder, "other", "__iadd__ __imul__"),
	dunders(compareDunder, "other", orderNames))

// forgetOrder merges what is known of single elements of an open list into its open part, of which
// each element then stands for any. The length stays as it is.
func (w *World) forgetOrder(th value.Thread, l *value.List) {
	w.appendAll(th, l, nil, &value.Open{Len: th.Pool().ConstDim(0)})
}

// listInsert: where the place is not known, each element may be any of those there and the new one. A list of
// tensors that a loop of the graph carries (Seq) has an operation of its own for it. It raises a
// TypeError for a place that is no integer.
func listInsert(c *call) (value.Value, error) {
	l := c.self.(*value.List)
	i, err := c.w.wantIndex(c.th, c.args[0])
	if err != nil {
		return nil, err
	}
	n, known := c.w.decideInt(c.th, i)
	c.th.Heap().Touch(l)
	// The graph's sequence is changed only where the element is a tensor put in front.
	if l.Open != nil {
		seq := value.Sequence(l.Elems, l.Open)
		c.w.appendAll(c.th, l, c.args[1:2], &value.Open{Len: c.th.Pool().ConstDim(0)})
		if x, ok := c.args[1].(*value.Tensor); ok && known && n == 0 {
			l.Open.Seq = changedSequence(c.th, graph.SequenceInsert, seq, l.Open.Elem,
				graph.Arg{Name: "element", Value: x.V}, graph.Arg{Name: "index", Value: graph.Int(n)})
		}
		return value.None, nil
	}
	// Some place: the length is one more, and the elements are any of the old ones or the new one.
	if !known {
		c.w.appendAll(c.th, l, c.args[1:2], &value.Open{Len: c.th.Pool().ConstDim(0)})
		return value.None, nil
	}
	// Places beyond the ends are the ends, as in CPython.
	size := int64(len(l.Elems))
	if n < 0 {
		n = max(n+size, 0)
	}
	n = min(n, size)
	if err := c.th.Alloc(valueBytes * int(size+1)); err != nil {
		return nil, err
	}
	out := make([]value.Value, 0, size+1)
	out = append(append(out, l.Elems[:n]...), c.args[1])
	l.Elems = append(out, l.Elems[n:]...)
	return value.None, nil
}

// popEnd takes the first (at is 0) or last (-1) element of a list that the typed graph knows: a
// node reads it, and another gives the sequence without it. The length of the list is one less
// afterwards. The error is that of reading the element.
func (w *World) popEnd(th value.Thread, l *value.List, at int64) (value.Value, error) {
	seq, i := l.Open.Seq, symshape.MakeDim(th.Pool().Const(at))
	if at < 0 {
		i = th.Pool().DimSub(l.Open.Len, th.Pool().ConstDim(1))
	}
	elem := l.Open.Elem
	if get := elementAt(&value.Open{Elem: elem, Seq: seq}); get != nil {
		var err error
		if elem, err = get(th, &value.SymInt{D: i}); err != nil {
			return nil, err
		}
	}
	w.shorten(th, l)
	l.Open.Seq = changedSequence(th, graph.SequenceErase, seq, l.Open.Elem, graph.Arg{Name: "index", Value: graph.Int(at)})
	return elem, nil
}

// listPop: of a list of unknown length, the last or first element of the graph's sequence, or some element.
// Where the index is not known, the others are one fewer, and each may be any of them. It raises an
// IndexError for an empty list or a place out of range.
func listPop(c *call) (value.Value, error) {
	l := c.self.(*value.List)
	var i value.Value = value.Int(-1)
	if c.args[0] != nil {
		var err error
		if i, err = c.w.wantIndex(c.th, c.args[0]); err != nil {
			return nil, err
		}
	}
	if l.Open != nil {
		elem := l.Open.Elem
		if len(l.Elems) > 0 {
			elem = c.w.common(c.th, elem, c.w.commonOf(c.th, l.Elems, "elements are not known one by one"))
		}
		// The ends of a list of tensors are operations of the graph.
		if n, known := c.w.decideInt(c.th, i); known && (n == 0 || n == -1) && len(l.Elems) == 0 && l.Open.Seq != nil {
			return c.w.popEnd(c.th, l, n)
		}
		c.w.shorten(c.th, l)
		if elem == nil {
			elem = c.th.Unknown("elements of a list are not known")
		}
		return elem, nil
	}
	if len(l.Elems) == 0 {
		return nil, c.th.Raise("IndexError", "pop from empty list")
	}
	n, known := c.w.decideInt(c.th, i)
	if !known {
		elem := c.w.commonOf(c.th, l.Elems, "an index is not known")
		c.w.shorten(c.th, l)
		return elem, nil
	}
	size := int64(len(l.Elems))
	if n < 0 {
		n += size
	}
	if n < 0 || n >= size {
		return nil, c.th.Raise("IndexError", "pop index out of range")
	}
	return c.w.removeAt(c.th, l, int(n)), nil
}

// listRemove removes the first element that is surely equal. One that may be equal shortens the list by one,
// and each element may be any of them. It raises a ValueError where no element is equal, unless the
// list has an open part.
func listRemove(c *call) (value.Value, error) {
	l := c.self.(*value.List)
	for i, e := range l.Elems {
		eq, err := c.w.same(c.th, e, c.args[0])
		if err != nil {
			return nil, err
		}
		val, known := false, false
		if !value.IsUnknown(eq) {
			val, known = c.th.Holds(eq)
		}
		if !known {
			c.w.shorten(c.th, l)
			return value.None, nil
		}
		if val {
			c.w.removeAt(c.th, l, i)
			return value.None, nil
		}
	}
	if l.Open != nil {
		c.w.shorten(c.th, l)
		return value.None, nil
	}
	return nil, c.th.Raise("ValueError", "list.remove(x): x not in list")
}

// sorted sorts a copy of elems, stably, by the results of key if there is one. known is false when
// a comparison is not decided; then the order means nothing. An error is that of a key or of a
// comparison. sorted is the work of list.sort and sorted(). The memory of the copy and the keys is
// asked for first.
func (w *World) sorted(th value.Thread, elems []value.Value, key, reverse value.Value) (out []value.Value, known bool, err error) {
	if err := th.Alloc(6 * valueBytes * len(elems)); err != nil {
		return nil, false, err
	}
	out = append([]value.Value(nil), elems...)
	// Each key is computed once, in the order of the elements.
	keys := out
	if isGiven(key) {
		keys = make([]value.Value, len(out))
		for i, e := range out {
			if keys[i], err = th.Call(key, []value.Value{e}, nil); err != nil {
				return nil, false, err
			}
		}
	}
	// desc is reverse=.
	desc := false
	if reverse != nil {
		b, err := th.Truth(reverse)
		if err != nil {
			return nil, false, err
		}
		// Which order is wanted is not decided: it does not matter for less than two elements. A
		// single element has no order.
		ok := false
		if desc, ok = th.Holds(b); !ok {
			return out, len(out) < 2, nil
		}
	}
	known = true
	// less says false where it is not known, so that the sort ends.
	less := func(a, b value.Value) (bool, error) {
		if err := th.Step(1); err != nil {
			return false, err
		}
		r, err := th.Compare(ast.Lt, a, b)
		if err != nil {
			return false, err
		}
		if value.IsUnknown(r) {
			known = false
			return false, nil
		}
		if r, err = th.Truth(r); err != nil {
			return false, err
		}
		val, ok := th.Holds(r)
		known = known && ok
		return val, nil
	}
	// Positions are sorted, so that elements follow their keys.
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	// Reversing before and after a stable sort keeps equal elements in order, as CPython does.
	if desc { // equal elements keep their order in a reversed sort, too
		for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
			order[i], order[j] = order[j], order[i]
		}
	}
	if order, err = mergeSort(order, func(i, j int) (bool, error) { return less(keys[i], keys[j]) }); err != nil {
		return nil, false, err
	}
	if desc {
		for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
			order[i], order[j] = order[j], order[i]
		}
	}
	res := make([]value.Value, len(out))
	for i, j := range order {
		res[i] = out[j]
	}
	return res, known, nil
}

// mergeSort is a stable sort that may stop with an error, which is that of less. Like CPython's it
// asks only whether a later element is less than an earlier one, so that classes need __lt__ alone.
// Half of the list is sorted at a time, and both are merged; its cost in steps is that of less.
func mergeSort(list []int, less func(i, j int) (bool, error)) ([]int, error) {
	if len(list) < 2 {
		return list, nil
	}
	mid := len(list) / 2
	a, err := mergeSort(append([]int(nil), list[:mid]...), less)
	if err != nil {
		return nil, err
	}
	b, err := mergeSort(append([]int(nil), list[mid:]...), less)
	if err != nil {
		return nil, err
	}
	out := make([]int, 0, len(list))
	for len(a) > 0 && len(b) > 0 {
		l, err := less(b[0], a[0])
		if err != nil {
			return nil, err
		}
		if l {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...), nil
}
