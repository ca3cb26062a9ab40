package lib

// This file makes iterators over builtin values, and drains iterables.
//
// An iterator keeps its position in Pos alone, so that the journal can wind it
// back. One of unknown length has Open set; its Next gives the representative
// element and never ends. The callers are the for statement, unpacking, comprehensions and the
// functions that take an iterable. th.Iterate goes over builtin iterators and over the program's
// own; for an open iterator it fails with an OpenError, which drain turns into one value for all
// elements.

import (
	"errors"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// advance counts an element taken. Touch notes the old state in the journal, for a branch that is
// undone later.
func advance(th value.Thread, it *value.Iterator) {
	th.Heap().Touch(it)
	it.Pos++
}

// seqIter iterates over elements that are found by position; at reports false
// at the end. An iterator that has come to its end stays there even if the list grows afterwards,
// which a position of -1 remembers, but an empty list that grows before the first element was taken
// goes on, since the position is still 0.
func seqIter(th value.Thread, name string, at func(i int) (value.Value, bool)) *value.Iterator {
	it := newIter(th, name, nil)
	it.Next = func(th value.Thread) (value.Value, bool, error) {
		if it.Pos < 0 {
			return nil, false, nil
		}
		v, ok := at(it.Pos)
		if !ok {
			if it.Pos > 0 { // an exhausted iterator stays so
				th.Heap().Touch(it)
				it.Pos = -1
			}
			return nil, false, nil
		}
		advance(th, it)
		return v, true, nil
	}
	return it
}

// copied makes an iterator over c one whose copy goes over a copy of c from the same place on.
// copy.copy and copy.deepcopy of an iterator are asked for by the argument: it copies c shallowly
// or deeply. A copy of an open iterator is unknown.
func (w *World) copied(it *value.Iterator, c value.Value) *value.Iterator {
	it.Copy = func(th value.Thread, copy func(value.Value) (value.Value, error)) (value.Value, error) {
		over, err := copy(c)
		if err != nil {
			return nil, err
		}
		y, ok, err := w.Iter(th, over)
		if err != nil {
			return nil, err
		}
		if !ok || y.Open != nil {
			return th.Unknown("a copy of a " + it.Name), nil
		}
		y.Pos = it.Pos
		return y, nil
	}
	return it
}

// The elements are those of the moment, unlike those of a list, which is read anew at each step.
func elemsIter(th value.Thread, name string, elems []value.Value) *value.Iterator {
	return seqIter(th, name, func(i int) (value.Value, bool) {
		if i >= len(elems) {
			return nil, false
		}
		return elems[i], true
	})
}

// Iter gives iter(v). ok is false for instances, tensors and what else decides by
// dunder methods. err is a TypeError where v is a builtin value that is not iterable. An unknown
// value is given to the caller too, by an iterator of unknown elements for abstract values.
func (w *World) Iter(th value.Thread, v value.Value) (it *value.Iterator, ok bool, err error) {
	if inst, isInst := v.(*value.Instance); isInst {
		if d, isView := inst.Data.(*dictView); isView {
			return w.viewIter(th, d, false), true, nil
		}
	}
	v = value.Plain(v)
	// Values of foreign classes decide for themselves.
	if foreign(v) {
		return nil, false, nil
	}
	switch c := v.(type) {
	case *value.Iterator:
		return c, true, nil
	case *value.List:
		if c.Open != nil {
			return w.openListIter(th, "list_iterator", c, false), true, nil
		}
		// CPython looks at the list at each step, so elements appended during the loop are seen.
		return w.copied(seqIter(th, "list_iterator", func(i int) (value.Value, bool) {
			if i >= len(c.Elems) {
				return nil, false
			}
			return c.Elems[i], true
		}), c), true, nil
	case *value.Tuple:
		return w.copied(elemsIter(th, "tuple_iterator", c.Elems), c), true, nil
	case value.Str:
		rs := textRunes(string(c))
		// The characters are found once, since a position in UTF-8 is not an index.
		return w.copied(seqIter(th, "str_iterator", func(i int) (value.Value, bool) {
			if i >= len(rs) {
				return nil, false
			}
			return value.Str(runesText(rs[i : i+1])), true
		}), c), true, nil
	case value.Bytes:
		return seqIter(th, "bytes_iterator", func(i int) (value.Value, bool) {
			if i >= len(c) {
				return nil, false
			}
			return value.Int(c[i]), true
		}), true, nil
	case *value.Dict:
		return w.viewIter(th, &dictView{c, keysView}, false), true, nil
	case *value.Set:
		if c.Open != nil {
			// All elements are joined, known and unknown ones.
			elem := c.Open.Elem
			for i := range c.Len() {
				elem = w.common(th, elem, c.At(i))
			}
			if elem == nil {
				elem = th.Unknown("elements of a set are not known")
			}
			return newOpenIter(th, "set_iterator", elem, symshape.Dim{}), true, nil
		}
		n := c.Len()
		it := newIter(th, "set_iterator", nil)
		// The order of the elements is not known, so any of them may be the next one; AnyOf tells
		// the loop so.
		if !c.OrderKnown() {
			it.AnyOf = c
		}
		it.Next = func(th value.Thread) (value.Value, bool, error) {
			// CPython notices a change of the number of elements only, as here.
			if c.Len() != n {
				return nil, false, th.Raise("RuntimeError", "Set changed size during iteration")
			}
			if it.Pos >= n {
				return nil, false, nil
			}
			v := c.At(it.Pos)
			advance(th, it)
			return v, true, nil
		}
		return it, true, nil
	case *value.Range:
		return w.copied(w.rangeIter(th, c), c), true, nil
	case *value.Abstract:
		// An abstract text or bytes has an unknown number of characters.
		switch c.Class {
		case w.str:
			return newOpenIter(th, "str_iterator", w.abstractStr(th, ""), th.DataInt("n", 0, nil).D), true, nil
		case w.bytes:
			return newOpenIter(th, "bytes_iterator", th.DataInt("byte", 0, nil), th.DataInt("n", 0, nil).D), true, nil
		// Numbers and None are not iterable, which the end of the function says.
		case w.int_, w.float_, w.bool_, w.complex_, w.none:
		default:
			return newOpenIter(th, "iterator", &value.Unknown{Cause: c.Cause}, symshape.Dim{}), true, nil
		}
	case *value.GenericAlias:
		return nil, false, nil
	}
	// The class has a method of the program or of this library, which the caller calls.
	t := w.TypeOf(v)
	if _, ok := t.Lookup("__iter__"); ok {
		return nil, false, nil
	}
	if _, ok := t.Lookup("__getitem__"); ok {
		return nil, false, nil
	}
	if k, ok := v.(*value.Class); ok && k.UnknownBase != nil { // its metaclass may iterate, as that of an enumeration
		return newOpenIter(th, "iterator", &value.Unknown{Cause: k.UnknownBase}, symshape.Dim{}), true, nil
	}
	return nil, true, value.Single(th, "'%s' object is not iterable", t.Name)
}

// openListIter iterates over a list of unknown length; back says that it begins at
// the end. The representative element is one and the same for each step. If the typed graph knows
// the list, At makes element i of it, so that the loop's body works on that; reversed counts from
// the end, for which the length must be known.
func (w *World) openListIter(th value.Thread, name string, l *value.List, back bool) *value.Iterator {
	elem, n := l.Open.Elem, l.Open.Len
	if len(l.Elems) > 0 {
		elem = w.common(th, elem, w.commonOf(th, l.Elems, "elements of a list are of different kinds"))
		n = th.Pool().DimAdd(n, th.Pool().ConstDim(int64(len(l.Elems))))
	}
	if elem == nil {
		elem = th.Unknown("elements of a list are not known")
	}
	it := newOpenIter(th, name, elem, n)
	// A list of known and unknown elements has no element i in the graph.
	if len(l.Elems) > 0 {
		return it
	}
	at := elementAt(l.Open)
	if it.Open.At = at; at == nil || !back {
		return it
	}
	it.Open.At = nil
	if n.Expr != nil {
		last := th.Pool().DimSub(n, th.Pool().ConstDim(1))
		it.Open.At = func(th value.Thread, i *value.SymInt) (value.Value, error) {
			return at(th, &value.SymInt{D: th.Pool().DimSub(last, i.D)})
		}
	}
	return it
}

// elementAt is what makes an element of a list of unknown length, nil where the typed
// graph does not know it. o.At comes first, which the maker of the list knows better.
func elementAt(o *value.Open) func(value.Thread, *value.SymInt) (value.Value, error) {
	t, ok := o.Elem.(*value.Tensor)
	if o.At != nil || !ok || o.Seq == nil {
		return o.At
	}
	return func(th value.Thread, i *value.SymInt) (value.Value, error) { return elementOf(th, o.Seq, t, i.D), nil }
}

// elementOf is element number i of a list of tensors like t. A new tensor with the type of t, whose
// value in the graph is read from the list by its index.
func elementOf(th value.Thread, list graph.Operand, t *value.Tensor, i symshape.Dim) *value.Tensor {
	x := *t
	x.Header = th.Heap().Header()
	x.V = th.Graph().NewValue(graph.TensorKind, *t.Type(), th.Here())
	th.Graph().Emit(&graph.Node{Op: graph.SequenceAt, Args: []graph.Arg{{Name: "input", Value: list},
		{Name: "index", Value: graph.Dim{Dim: i}}},
		Outputs: []*graph.Value{x.V}, At: th.Here(), Module: th.ModulePath()})
	return &x
}

// cloned copies the elements of a list or tuple. It fails only where the budget of bytes is used
// up.
func cloned(th value.Thread, elems []value.Value) ([]value.Value, error) {
	if err := th.Alloc(valueBytes * len(elems)); err != nil {
		return nil, err
	}
	return append([]value.Value(nil), elems...), nil
}

// drain lists the elements of an iterable. For one of unknown length it gives
// the elements' abstraction instead. Exactly one of the first two results is set. A set is given in
// its own order, see listed. An exception of the iterator is returned as it is, and its elements
// are lost.
func (w *World) drain(th value.Thread, v value.Value) ([]value.Value, *value.Open, error) {
	switch c := v.(type) {
	case *value.Tuple:
		// Subclasses may define __iter__, so only plain tuples and lists take the short way.
		if c.Class == nil {
			elems, err := cloned(th, c.Elems)
			return elems, nil, err
		}
	case *value.List:
		if c.Class == nil && c.Open == nil {
			elems, err := cloned(th, c.Elems)
			return elems, nil, err
		}
	case *value.Unknown:
		return nil, &value.Open{Elem: c}, nil
	}
	var out []value.Value
	err := th.Iterate(v, func(x value.Value) error {
		var err error
		if out, err = push(th, out, x); err != nil {
			return err
		}
		// An endless iterator, such as itertools.count, ends here.
		if len(out) > maxElems {
			return &value.OpenError{Open: &value.Open{Elem: th.Unknown("an iterable is too long")}}
		}
		return th.Step(1)
	})
	var open *value.OpenError
	if errors.As(err, &open) {
		o := open.Open
		if o == nil {
			o = &value.Open{Elem: th.Unknown("elements are not known")}
		}
		if o.Elem == nil {
			o = &value.Open{Elem: th.Unknown("elements are not known"), Len: o.Len}
		}
		// The length is not known any more, as the iterator was taken from in part.
		if len(out) > 0 { // what was taken before belongs to it
			o = &value.Open{Elem: w.common(th, o.Elem, w.commonOf(th, out, "elements are of different kinds"))}
		}
		return nil, o, nil
	}
	return out, nil, err
}

// listed is drain for those who make a sequence of the elements, so that the order of a
// set is seen: numbers in an order that is not known are unknown. Sets whose order is known keep their elements.
func (w *World) listed(th value.Thread, v value.Value) ([]value.Value, *value.Open, error) {
	elems, open, err := w.drain(th, v)
	s, ok := v.(*value.Set)
	if !ok || s.OrderKnown() || open != nil || err != nil {
		return elems, open, err
	}
	for _, e := range elems {
		// Elements that are no numbers stay in the order of insertion: their order differs between runs of the program as well.
		if _, number := value.FixedHash(e); !number {
			return elems, open, err
		}
	}
	u := th.Unknown("the order of a set of these numbers is not known")
	for i := range elems {
		elems[i] = u
	}
	return elems, nil, th.Step(len(elems))
}

// Len gives len(v). err is a TypeError where v is a builtin value without a length. The result is
// an int, or a symbolic size for open containers. ok is false for instances, tensors and other
// values whose class has a __len__, which the caller calls.
func (w *World) Len(th value.Thread, v value.Value) (n value.Value, ok bool, err error) {
	if inst, isInst := v.(*value.Instance); isInst {
		if d, isView := inst.Data.(*dictView); isView {
			v = d.d
		}
	}
	v = value.Plain(v)
	if foreign(v) {
		return nil, false, nil
	}
	p := th.Pool()
	switch c := v.(type) {
	case *value.List:
		return openLen(p, len(c.Elems), c.Open), true, nil
	case *value.Tuple:
		return value.Int(len(c.Elems)), true, nil
	case value.Str:
		return value.Int(textLen(string(c))), true, nil
	case value.Bytes:
		return value.Int(len(c)), true, nil
	case *value.Dict:
		return openLen(p, c.Len(), c.Open), true, nil
	case *value.Set:
		return openLen(p, c.Len(), c.Open), true, nil
	case *value.Range:
		return value.FromDim(rangeLen(th, c)), true, nil
	case *value.Abstract:
		switch c.Class {
		case w.int_, w.float_, w.bool_, w.complex_, w.none:
		default:
			// An abstract value of a class with a length has an unknown one.
			return th.DataInt("n", 0, nil), true, nil
		}
	}
	if u := value.AsDecorated(v); value.IsUnknown(u) {
		return u, true, nil
	}
	t := w.TypeOf(v)
	if _, ok := t.Lookup("__len__"); ok {
		return nil, false, nil
	}
	// A class whose base is not known may have a metaclass with __len__, as enumerations do.
	if k, ok := v.(*value.Class); ok && k.UnknownBase != nil {
		return &value.Unknown{Cause: k.UnknownBase}, true, nil
	}
	return nil, true, value.Single(th, "object of type '%s' has no len()", t.Name)
}

// The length is that of the known elements plus that of the open part.
func openLen(p *symshape.Pool, n int, open *value.Open) value.Value {
	if open == nil {
		return value.Int(n)
	}
	return value.FromDim(p.DimAdd(p.ConstDim(int64(n)), open.Len))
}

// Truth gives bool(v): a Bool or a SymBool. err is that of Len for a container. ok is false for
// values whose class decides by __bool__ or __len__; instances that wrap a builtin value follow
// that value.
func (w *World) Truth(th value.Thread, v value.Value) (value.Value, bool, error) {
	switch x := v.(type) {
	case value.Bool, *value.SymBool:
		return x, true, nil
	case value.NoneType:
		return value.Bool(false), true, nil
	case *value.Instance:
		if d, isView := x.Data.(*dictView); isView {
			v = d.d
		} else if v = x.Payload; v == nil {
			return nil, false, nil
		}
	}
	if foreign(v) {
		return nil, false, nil
	}
	switch x := v.(type) {
	case value.Int:
		return value.Bool(x != 0), true, nil
	case value.Float:
		return value.Bool(x != 0), true, nil
	case value.Complex:
		return value.Bool(x != 0), true, nil
	case *value.BigInt:
		return value.Bool(x.V.Sign() != 0), true, nil
	case value.Str:
		return value.Bool(x != ""), true, nil
	case value.Bytes:
		return value.Bool(x != ""), true, nil
	case value.Bool, *value.SymBool:
		return x, true, nil
	// A symbolic number is true if it is not 0, which may be a condition on sizes.
	case *value.SymInt, *value.SymFloat:
		b, _ := w.compareReal(th, ast.NotEq, x, value.Int(0))
		return b, true, nil
	case *value.List, *value.Dict, *value.Set, *value.Tuple, *value.Range:
		n, _, err := w.Len(th, x)
		if err != nil {
			return nil, true, err
		}
		b, _ := w.compareReal(th, ast.NotEq, n, value.Int(0))
		// Entries that are known to exist make a container true, even if it is open.
		if d, ok := x.(*value.Dict); ok && d.Len() > 0 {
			return value.Bool(true), true, nil
		}
		if s, ok := x.(*value.Set); ok && s.Len() > 0 {
			return value.Bool(true), true, nil
		}
		return b, true, nil
	case *value.Abstract:
		if x.Class.Layout == value.ObjectLayout && x.Class != w.object {
			if _, ok := x.Class.Lookup("__len__"); !ok {
				if _, ok := x.Class.Lookup("__bool__"); !ok {
					return value.Bool(true), true, nil
				}
			}
		}
		return th.DataBool(nil), true, nil
	}
	return value.Bool(true), true, nil
}
