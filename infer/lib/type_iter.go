package lib

// This file defines the iterator classes and map, filter, zip, enumerate and
// reversed. An iterator has a function Next, which gives the next element or says that there is
// none, and a position, which the heap's journal restores when a branch is undone. One over an
// iterable of unknown length has an Open instead: an element that stands for each, and the length.
// map, zip and enumerate over such ones are open themselves, and call their function once, with the
// elements that stand for all.

import (
	"errors"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// The names are those of CPython. A hidden class is not among the builtins.
var iteratorClasses = []classSpec{
	{name: "iterator", hidden: true, procs: iteratorProcs},
	{name: "generator", base: "iterator", hidden: true, procs: generatorProcs},
	{name: "coroutine", hidden: true, procs: generatorProcs},
	{name: "async_generator", hidden: true},
	{name: "list_iterator", base: "iterator", hidden: true},
	{name: "list_reverseiterator", base: "iterator", hidden: true},
	{name: "tuple_iterator", base: "iterator", hidden: true},
	{name: "str_iterator", base: "iterator", hidden: true},
	{name: "bytes_iterator", base: "iterator", hidden: true},
	{name: "set_iterator", base: "iterator", hidden: true},
	{name: "range_iterator", base: "iterator", hidden: true},
	{name: "dict_keyiterator", base: "iterator", hidden: true},
	{name: "dict_valueiterator", base: "iterator", hidden: true},
	{name: "dict_itemiterator", base: "iterator", hidden: true},
	{name: "callable_iterator", base: "iterator", hidden: true},
	{name: "map", base: "iterator", procs: []proc{{name: "__new__", params: "*args", kind: newProc, fn: mapNew}}},
	{name: "filter", base: "iterator", procs: []proc{{name: "__new__", params: "function iterable", kind: newProc, fn: filterNew}}},
	{name: "zip", base: "iterator", procs: []proc{{name: "__new__", params: "*args strict?", kind: newProc, fn: zipNew}}},
	{name: "enumerate", base: "iterator", procs: join([]proc{{name: "__new__", params: "+ iterable start?", kind: newProc,
		fn: enumerateNew}}, genericProc)},
	{name: "reversed", base: "iterator", procs: []proc{{name: "__new__", params: "sequence", kind: newProc, fn: reversedNew}}},
}

var iteratorProcs = []proc{
	{name: "__iter__", fn: func(c *call) (value.Value, error) { return c.self, nil }},
	{name: "__next__", fn: func(c *call) (value.Value, error) {
		it, ok := c.self.(*value.Iterator)
		if !ok {
			return c.th.Unknown("an iterator is not known"), nil
		}
		return c.w.next(c.th, it)
	}},
}

// next takes an element, with StopIteration at the end. Of an open iterator each is like the other.
func (w *World) next(th value.Thread, it *value.Iterator) (value.Value, error) {
	if it.Open != nil {
		return it.Open.Elem, nil
	}
	v, ok, err := nextOf(th, it)
	return gave(th, v, ok, err)
}

// gave is what an iterator gave, or StopIteration with what a generator returned. An error of the
// iterator is passed on.
func gave(th value.Thread, v value.Value, ok bool, err error) (value.Value, error) {
	if err != nil || ok {
		return v, err
	}
	stop := th.Raise("StopIteration", "")
	if e, isExc := stop.(*value.Exception); isExc {
		e.Value.Attrs.Set(th.Heap(), "args", value.NewTuple())
		if v != nil && v != value.None { // what a generator returned
			e.Value.Attrs.Set(th.Heap(), "args", value.NewTuple(v))
		}
	}
	return nil, stop
}

// send, throw and close are the generator's own functions; other iterators have none of them.
var generatorProcs = []proc{
	{name: "send", params: "value", fn: func(c *call) (value.Value, error) {
		it, ok := c.self.(*value.Iterator)
		if !ok || it.Send == nil {
			return c.th.Unknown("a generator is not known"), nil
		}
		v, ok, err := it.Send(c.th, c.args[0])
		return gave(c.th, v, ok, err)
	}},
	{name: "throw", params: "typ value? tb?", fn: generatorThrow},
	{name: "close", fn: func(c *call) (value.Value, error) {
		if it, ok := c.self.(*value.Iterator); ok && it.Close != nil {
			return value.None, it.Close(c.th)
		}
		return value.None, nil
	}},
	{name: "__await__", fn: func(c *call) (value.Value, error) { return c.self, nil }},
}

// generatorThrow raises an exception inside of a generator: an instance, or a class with its
// argument. What is none is a TypeError.
func generatorThrow(c *call) (value.Value, error) {
	it, ok := c.self.(*value.Iterator)
	if !ok || it.Throw == nil {
		return c.th.Unknown("a generator is not known"), nil
	}
	e := c.args[0]
	if cls, isClass := e.(*value.Class); isClass {
		var args []value.Value
		if isGiven(c.args[1]) {
			args = append(args, c.args[1])
		}
		var err error
		if e, err = c.th.Instance(cls, args...); err != nil {
			return nil, err
		}
	}
	inst, ok := c.w.isException(e)
	if !ok {
		return nil, c.th.Raise("TypeError", "exceptions must be classes or instances deriving from BaseException, not %s", c.w.TypeOf(e).Name)
	}
	v, ok, err := it.Throw(c.th, &value.Exception{Value: inst, At: c.th.Here()})
	return gave(c.th, v, ok, err)
}

// iters makes an iterator of each argument; open is set when one is open. unknown is the first
// argument that is not known, with which the others do not matter.
func (c *call) iters(args []value.Value) (list []*value.Iterator, open bool, unknown value.Value, err error) {
	for _, a := range args {
		if value.IsUnknown(a) {
			return nil, false, a, nil
		}
		it, err := c.th.Iter(a)
		if err != nil {
			return nil, false, nil, err
		}
		list = append(list, it)
		open = open || it.Open != nil
	}
	return list, open, nil, nil
}

// parallel gives the abstract elements of iterators that run side by side, of which one is open,
// and the least of their lengths. Of the others any element may meet it.
func (c *call) parallel(list []*value.Iterator) ([]value.Value, symshape.Dim, error) {
	p := c.th.Pool()
	elems := make([]value.Value, len(list))
	var n symshape.Dim
	first := true
	for i, it := range list {
		k := symshape.Dim{}
		if it.Open != nil {
			elems[i], k = it.Open.Elem, it.Open.Len
		} else if it.Name == "count" || it.Name == "cycle" || it.Name == "repeat" || it.Name == "generator" || it.Name == "callable_iterator" {
			// Endless, or with effects: nothing may be taken to see.
			elems[i] = c.th.Unknown("elements beside an iterable of unknown length")
			if it.Name == "count" {
				elems[i] = c.th.DataInt("i", 0, nil)
			}
			continue
		} else {
			all, open, err := c.w.drain(c.th, it)
			if err != nil {
				return nil, n, err
			}
			if open != nil {
				elems[i], k = open.Elem, open.Len
			} else {
				elems[i] = c.w.commonOf(c.th, all, "elements beside an iterable of unknown length")
				k = p.ConstDim(int64(len(all)))
			}
		}
		// Endless iterators do not bound the length.
		if first {
			n, first = k, false
		} else {
			n = p.DimMin(n, k)
		}
	}
	return elems, n, nil
}

// mapNew calls the function with an element of each iterable, until the first ends. With one of
// unknown length it calls once, for what stands for all elements.
func mapNew(c *call) (value.Value, error) {
	if len(c.rest) < 2 {
		return nil, c.th.Raise("TypeError", "map() must have at least two arguments.")
	}
	fn := c.rest[0]
	list, open, u, err := c.iters(c.rest[1:])
	if err != nil || u != nil {
		return u, err
	}
	if open {
		elems, n, err := c.parallel(list)
		if err != nil {
			return nil, err
		}
		v, err := c.th.Call(fn, elems, nil)
		if err != nil {
			return nil, err
		}
		return newOpenIter(c.th, "map", v, n), nil
	}
	it := newIter(c.th, "map", nil)
	// The function is called when the element is asked for, as its effects come then.
	it.Next = func(th value.Thread) (value.Value, bool, error) {
		args := make([]value.Value, len(list))
		for i, x := range list {
			v, ok, err := pull(th, x)
			if err != nil || !ok {
				return nil, false, err
			}
			args[i] = v
		}
		v, err := th.Call(fn, args, nil)
		if err != nil {
			return nil, false, err
		}
		advance(th, it)
		return v, true, nil
	}
	return it, nil
}

// filterNew keeps the elements for which the function, or their own truth, is true. Of an unknown
// number of them an unknown number is left.
func filterNew(c *call) (value.Value, error) {
	fn := c.args[0]
	list, open, u, err := c.iters(c.args[1:])
	if err != nil || u != nil {
		return u, err
	}
	src := list[0]
	if open {
		return newOpenIter(c.th, "filter", src.Open.Elem, c.th.DataInt("n", 0, nil).D), nil
	}
	// filter(bool, …) asks for the truth of the element, as filter(None, …) does.
	if fn == value.Value(c.w.bool_) {
		fn = value.None
	}
	it := newIter(c.th, "filter", nil)
	it.Next = func(th value.Thread) (value.Value, bool, error) {
		for {
			v, ok, err := pull(th, src)
			if err != nil || !ok {
				return nil, false, err
			}
			keep, err := test(th, fn, v, "filter")
			if err != nil {
				return nil, false, openOr(err, v)
			}
			if keep {
				advance(th, it)
				return v, true, nil
			}
		}
	}
	return it, nil
}

// openOr makes sure that an OpenError stands for v, too: whether the element is kept was not
// decided, so that it may be one of those that are.
func openOr(err error, v value.Value) error {
	var open *value.OpenError
	if errors.As(err, &open) && open.Open == nil {
		return &value.OpenError{Open: &value.Open{Elem: v}}
	}
	return err
}

// firsts pairs the elements of open iterators that stand for themselves: the first ones, as far as
// each of the iterators knows them.
func firsts(list []*value.Iterator) []value.Value {
	var out []value.Value
	for k := 0; ; k++ {
		elems := make([]value.Value, len(list))
		for i, it := range list {
			if k >= len(it.First) {
				return out
			}
			elems[i] = it.First[k]
		}
		out = append(out, value.NewTuple(elems...))
	}
}

// zipNew ends with the shortest, or with strict refuses different lengths. With iterators of unknown length the
// result has the least of the lengths, and its elements are known by their number where those of all are.
func zipNew(c *call) (value.Value, error) {
	strict := false
	if c.args[0] != nil {
		b, err := c.th.Truth(c.args[0])
		if err != nil {
			return nil, err
		}
		strict = b == value.Value(value.Bool(true))
	}
	list, open, u, err := c.iters(c.rest)
	if err != nil || u != nil {
		return u, err
	}
	if open {
		elems, n, err := c.parallel(list)
		if err != nil {
			return nil, err
		}
		it := newOpenIter(c.th, "zip", value.NewTuple(elems...), n)
		it.First = firsts(list)
		byNumber(it.Open, list)
		return it, nil
	}
	it := newIter(c.th, "zip", nil)
	it.Next = func(th value.Thread) (value.Value, bool, error) {
		if len(list) == 0 {
			return nil, false, nil
		}
		elems := make([]value.Value, len(list))
		// In the order of the arguments, since taking an element may have effects.
		for i, x := range list {
			v, ok, err := pull(th, x)
			if err != nil {
				return nil, false, err
			}
			if ok {
				elems[i] = v
				continue
			}
			if !strict {
				return nil, false, nil
			}
			// The end of one is an error where others go on, which strict looks at.
			return nil, false, zipStrict(th, list, i)
		}
		advance(th, it)
		return value.NewTuple(elems...), true, nil
	}
	return it, nil
}

// byNumber makes the elements of zip known by their numbers where those of all iterators are: by a
// function, or of at most one, by the symbol of the number, since two symbols would count apart.
func byNumber(o *value.Open, list []*value.Iterator) {
	var index *symshape.Expr
	for _, it := range list {
		switch {
		case it.Open == nil, it.Open.At == nil && (it.Open.Index == nil || index != nil):
			return
		case it.Open.At == nil:
			index = it.Open.Index
		}
	}
	opens := make([]value.Open, len(list))
	for i, it := range list {
		opens[i] = *it.Open
	}
	o.Index = index
	o.At = func(th value.Thread, k *value.SymInt) (value.Value, error) {
		elems := make([]value.Value, len(opens))
		for i, x := range opens {
			elems[i] = x.Elem
			if x.At != nil {
				v, err := x.At(th, k)
				if err != nil {
					return nil, err
				}
				elems[i] = v
			}
		}
		return value.NewTuple(elems...), nil
	}
}

// zipStrict is the error of zip(strict=True) when argument i has ended, or nil when all have. The
// texts are CPython's, which count arguments from 1. An error of an iterator is passed on.
func zipStrict(th value.Thread, list []*value.Iterator, i int) error {
	span := func(n int) string {
		if n == 1 {
			return "argument 1"
		}
		return "arguments 1-" + string(rune('0'+min(n, 9)))
	}
	// The first that ended after others gave an element.
	if i > 0 {
		return th.Raise("ValueError", "zip() argument %d is shorter than %s", i+1, span(i))
	}
	for j := 1; j < len(list); j++ {
		_, ok, err := pull(th, list[j])
		if err != nil {
			return err
		}
		if ok {
			return th.Raise("ValueError", "zip() argument %d is longer than %s", j+1, span(j))
		}
	}
	return nil
}

// enumerateNew counts elements. Over an unknown number of them the count is a symbol within the bounds of the
// length: with it an element can be looked up again, and the fact that it is below the length is available to
// the loop's body.
func enumerateNew(c *call) (value.Value, error) {
	var start value.Value = value.Int(0)
	if c.args[1] != nil {
		var err error
		if start, err = c.w.wantIndex(c.th, c.args[1]); err != nil {
			return nil, err
		}
	}
	list, open, u, err := c.iters(c.args[:1])
	if err != nil || u != nil {
		return u, err
	}
	src := list[0]
	p := c.th.Pool()
	first, _ := intDim(c.th, start)
	// The length bounds the symbol of the number from above, the start is added to it.
	if open {
		n := src.Open.Len
		hi := int64(symshape.PosInf)
		if n.Expr != nil {
			if _, h := n.Expr.Bounds(); h != symshape.PosInf {
				hi = max(h-1, 0)
			}
		}
		i := symshape.MakeDim(p.FreshIn("i", 0, hi))
		it := newOpenIter(c.th, "enumerate", value.NewTuple(value.FromDim(p.DimAdd(first, i)), src.Open.Elem), n)
		it.Open.Index = i.Expr
		if it.Open.Fact = src.Open.Fact; it.Open.Fact == nil && n.Expr != nil {
			it.Open.Fact = p.Lt(i.Expr, n.Expr)
		}
		// An element by its number has the number beside it.
		if at := src.Open.At; at != nil {
			it.Open.At = func(th value.Thread, k *value.SymInt) (value.Value, error) {
				v, err := at(th, k)
				return value.NewTuple(value.FromDim(p.DimAdd(first, k.D)), v), err
			}
		}
		for k, v := range src.First {
			it.First = append(it.First, value.NewTuple(value.FromDim(p.DimAdd(first, p.ConstDim(int64(k)))), v))
		}
		return it, nil
	}
	it := newIter(c.th, "enumerate", nil)
	it.Next = func(th value.Thread) (value.Value, bool, error) {
		v, ok, err := pull(th, src)
		// What is asked for from an iterator that becomes open has some number.
		var more *value.OpenError
		if errors.As(err, &more) && more.Open != nil {
			i := th.DataInt("i", 0, nil)
			return nil, false, &value.OpenError{Open: &value.Open{Elem: value.NewTuple(i, more.Open.Elem)}}
		}
		if err != nil || !ok {
			return nil, false, err
		}
		i := value.FromDim(p.DimAdd(first, p.ConstDim(int64(it.Pos))))
		advance(th, it)
		return value.NewTuple(i, v), true, nil
	}
	return it, nil
}

// reversedNew takes what has __reversed__, or length and items as sequences do; a dict has its own.
func reversedNew(c *call) (value.Value, error) {
	v := c.args[0]
	switch x := v.(type) {
	// Tuples and texts are gone through backwards without calls.
	case *value.Unknown:
		return x, nil
	case *value.Tuple:
		return reversedElems(c.th, x.Elems), nil
	case value.Str:
		rs := textRunes(string(x))
		elems := make([]value.Value, len(rs))
		for i, r := range rs {
			elems[i] = value.Str(runesText([]rune{r}))
		}
		return reversedElems(c.th, elems), nil
	case value.Bytes:
		elems := make([]value.Value, len(x))
		for i := range elems {
			elems[i] = value.Int(x[i])
		}
		return reversedElems(c.th, elems), nil
	}
	// A method __reversed__ has precedence; None as one says that there is none.
	if f, ok, err := c.th.LookupAttr(v, "__reversed__"); err != nil {
		return nil, err
	} else if ok && f != value.None {
		return c.th.Call(f, nil, nil)
	}
	_, ok1, err := c.th.LookupAttr(v, "__len__")
	if err != nil {
		return nil, err
	}
	_, ok2, err := c.th.LookupAttr(v, "__getitem__")
	if err != nil {
		return nil, err
	}
	if _, isDict := v.(*value.Dict); !ok1 || !ok2 || isDict {
		return nil, c.th.Raise("TypeError", "'%s' object is not reversible", c.w.TypeOf(v).Name)
	}
	n, err := c.th.CallMethod(v, "__len__")
	if err != nil {
		return nil, err
	}
	// Of an unknown number of items one stands for all.
	size, ok := smallInt(value.Plain(n))
	if !ok {
		elem, err := c.th.GetItem(v, value.Int(0))
		if err != nil {
			return nil, err
		}
		d, _ := intDim(c.th, value.Plain(n))
		return newOpenIter(c.th, "reversed", elem, d), nil
	}
	it := newIter(c.th, "reversed", nil)
	it.Next = func(th value.Thread) (value.Value, bool, error) {
		if int64(it.Pos) >= size {
			return nil, false, nil
		}
		x, err := th.GetItem(v, value.Int(size-1-int64(it.Pos)))
		if err != nil {
			return nil, false, err
		}
		advance(th, it)
		return x, true, nil
	}
	return it, nil
}

// reversedElems is an iterator over elements from the last one on.
func reversedElems(th value.Thread, elems []value.Value) *value.Iterator {
	n := len(elems)
	return seqIter(th, "reversed", func(i int) (value.Value, bool) {
		if i >= n {
			return nil, false
		}
		return elems[n-1-i], true
	})
}
