package lib

// This file holds what lists and tuples share: concatenation, repetition, common
// abstractions of elements, and the writes to a list. A sequence whose elements are known one by
// one has them in Elems. As soon as an element or the number of elements is not known, all of it is
// moved into Open: one value that stands for every element (common), and the length as a symbolic
// size. The way back does not exist, because the order of elements is lost. A list of tensors is
// kept in the typed graph as well (Open.Seq), so that an export can still read element i.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// maxElems bounds the containers that are built element by element. Longer ones are only known by
// their common element.
const maxElems = 1 << 22

// MaxText bounds the texts that are built.
const MaxText = 4 * maxElems

// maxWidth is a width or a precision beyond what a text can have.
const maxWidth = 2 * MaxText

// utf8Bytes is what a character of a text takes at most.
const utf8Bytes = 4

// valueBytes is what an element of a list takes.
const valueBytes = 16

// textFits charges a text of n parts of size bytes that is about to be made; ok is
// false where it is too long to be known. The size is n·size bytes. err is that of the budget of
// bytes, which ends the run.
func textFits(th value.Thread, n, size int) (ok bool, err error) {
	if n < 0 || size < 0 || size > 0 && n > MaxText/size {
		return false, nil
	}
	return true, th.Alloc(n * size)
}

// elemsFit is textFits for the elements of a list or tuple. n times size elements are about to be
// made, of which each takes valueBytes.
func elemsFit(th value.Thread, n, size int) (ok bool, err error) {
	if n < 0 || size < 0 || size > 0 && n > maxElems/size {
		return false, nil
	}
	return true, th.Alloc(n * size * valueBytes)
}

// common is a value that stands for a and for b. A nil argument stands for no value, so that loops
// can begin with nil. Two numbers of one class become a number of the class that is not known,
// equal values stay what they are, and tuples of one length are joined element by element. What has
// no better common value is joined by the thread, which makes a choice or an unknown value.
func (w *World) common(th value.Thread, a, b value.Value) value.Value {
	if a == b || a == nil {
		return b
	}
	if b == nil {
		return a
	}
	if x, ok := a.(*value.Unknown); ok {
		// Two unknown values that are each a single element of a table stay such a one.
		if y, both := b.(*value.Unknown); both && x.One && y.One {
			return x
		}
		return x.Derived()
	}
	if value.IsUnknown(b) {
		return value.Derived(b)
	}
	ca, cb := w.TypeOf(a), w.TypeOf(b)
	// Only exactly these builtin classes: a bool and an int are joined by the thread.
	if ca == cb {
		switch ca {
		case w.int_:
			return w.unknownInt(th)
		case w.float_:
			return &value.SymFloat{}
		case w.bool_:
			return th.DataBool(nil)
		case w.str:
			return w.abstractStr(th, "")
		case w.bytes:
			return w.abstract(th, w.bytes)
		}
		x, ok1 := a.(*value.Tuple)
		y, ok2 := b.(*value.Tuple)
		if ok1 && ok2 && len(x.Elems) == len(y.Elems) {
			// The nesting is bounded by that of calls, as a tuple may hold itself by way of a list.
			if th.Enter("") != nil {
				return th.Unknown("values are nested too deeply")
			}
			defer th.Leave()
			t := &value.Tuple{Class: x.Class, Elems: make([]value.Value, len(x.Elems))}
			for i := range t.Elems {
				t.Elems[i] = w.common(th, x.Elems[i], y.Elems[i])
			}
			return t
		}
		// Equal values of other kinds; those of foreign classes are not compared, as that would
		// call the program.
		if eq, err := w.equal(th, a, b); err == nil && !foreign(a) && eq == value.Value(value.Bool(true)) {
			return a
		}
	}
	return th.Join(a, b)
}

// commonOf is the common abstraction of several values; why is the cause when
// there is none. The elements may be none.
func (w *World) commonOf(th value.Thread, elems []value.Value, why string) value.Value {
	if len(elems) == 0 {
		return th.Unknown(why)
	}
	r := elems[0]
	for _, e := range elems[1:] {
		if r = w.common(th, r, e); value.IsUnknown(r) {
			return th.Unknown(why)
		}
	}
	return r
}

// sequenceBinary is + and * of sequences. The second result is false where neither operator
// applies, and the caller tries reflected methods.
func (w *World) sequenceBinary(th value.Thread, op ast.BinOperator, a, b value.Value) (value.Value, bool, error) {
	switch op {
	case ast.Add:
		return w.concat(th, a, b)
	case ast.Mult:
		// The number may stand on either side.
		if isSequence(a) {
			v, err := w.repeat(th, a, b)
			return v, true, err
		}
		if isSequence(b) {
			v, err := w.repeat(th, b, a)
			return v, true, err
		}
	}
	return nil, false, nil
}

// isSequence reports whether + joins values of v's type.
func isSequence(v value.Value) bool {
	switch v.(type) {
	case value.Str, value.Bytes, *value.List, *value.Tuple:
		return true
	}
	return false
}

// concat is a + b of texts, bytes, tuples and lists; ok is false where none of these is on the left or the
// right is an abstract value of the type. torch.Size + tuple is a Size, and tuple + torch.Size in PyTorch 2.
// The order of the checks is that of CPython's sq_concat, and so are the messages.
func (w *World) concat(th value.Thread, a, b value.Value) (value.Value, bool, error) {
	name := w.TypeOf(b).Name
	switch x := a.(type) {
	case value.Str:
		switch y := b.(type) {
		case value.Str:
			// A text beyond MaxText is abstract, but no error.
			if fits, err := textFits(th, len(x)+len(y), 1); !fits || err != nil {
				return w.abstractStr(th, ""), true, err
			}
			return x + y, true, nil
		case *value.Abstract:
			// An abstract str has an operator of its own, in the caller.
			if y.Class == w.str {
				return nil, false, nil
			}
		}
		return nil, true, th.Raise("TypeError", "can only concatenate str (not \"%s\") to str", name)
	case value.Bytes:
		switch y := b.(type) {
		case value.Bytes:
			if fits, err := textFits(th, len(x)+len(y), 1); !fits || err != nil {
				return w.abstract(th, w.bytes), true, err
			}
			return x + y, true, nil
		case *value.Abstract:
			if y.Class == w.bytes {
				return nil, false, nil
			}
		}
		return nil, true, th.Raise("TypeError", "can't concat %s to bytes", name)
	case *value.Tuple:
		y, ok := b.(*value.Tuple)
		if !ok {
			// A tuple plus one of unknown length is an open tuple.
			if l, open := b.(*value.List); open && w.isTuple(l) {
				t := &value.List{Header: th.Heap().Header(), Class: w.tuple, Elems: append([]value.Value(nil), x.Elems...)}
				w.appendAll(th, t, nil, l.Open)
				return t, true, nil
			}
			if _, abstract := b.(*value.Abstract); abstract && name == "tuple" {
				return nil, false, nil
			}
			return nil, true, th.Raise("TypeError", "can only concatenate tuple (not \"%s\") to tuple", name)
		}
		// An empty tuple adds nothing, and CPython returns the other one itself.
		if x.Class == nil && y.Class == nil {
			if len(y.Elems) == 0 {
				return x, true, nil
			}
			if len(x.Elems) == 0 {
				return y, true, nil
			}
		}
		if fits, err := elemsFit(th, len(x.Elems)+len(y.Elems), 1); !fits || err != nil {
			return th.Unknown("a tuple is too long"), true, err
		}
		elems := make([]value.Value, 0, len(x.Elems)+len(y.Elems))
		t := value.NewTuple(append(append(elems, x.Elems...), y.Elems...)...)
		// Both rules hold for plain ints only, as torch.Size can hold nothing else.
		if isSize(x) && allInts(y.Elems) { // torch.Size + (1,) is a Size
			t.Class = x.Class
		} else if x.Class == nil && isSize(y) && allInts(x.Elems) && !strings.HasPrefix(th.Option("torch-version"), "1.") {
			t.Class = y.Class // and (1,) + torch.Size is one in PyTorch 2
		}
		return t, true, th.Step(len(t.Elems) / 64)
	case *value.List:
		kind := w.sequenceName(x)
		y, ok := b.(*value.List)
		// A tuple of unknown length plus a tuple, whose elements are made a list here.
		if t, isTuple := b.(*value.Tuple); isTuple && w.isTuple(x) {
			y, ok = &value.List{Class: w.tuple, Elems: t.Elems}, true
		}
		// A list and a tuple are not joined, in either order.
		if !ok || w.isTuple(x) != w.isTuple(y) {
			if _, abstract := b.(*value.Abstract); abstract && name == kind {
				return nil, false, nil
			}
			err := th.Raise("TypeError", "can only concatenate %s (not \"%s\") to %s", kind, name, kind)
			// The fact lets the report suggest list(…).
			if kind == "list" {
				err = value.Saying(err, diag.Fact{Kind: diag.NotList, Of: name, Has: 1})
			}
			return nil, true, err
		}
		if err := th.Alloc(valueBytes * (2*len(x.Elems) + len(y.Elems))); err != nil {
			return nil, true, err
		}
		// The operands stay what they are, so the elements are copied.
		l := th.Heap().NewList(append([]value.Value(nil), x.Elems...))
		l.Open = x.Open
		if w.isTuple(x) {
			l.Class = w.tuple
		}
		w.appendAll(th, l, y.Elems, y.Open)
		return l, true, th.Step(len(l.Elems) / 64)
	}
	return nil, false, nil
}

// appendAll adds elements at the end of l, which the caller has touched or made. elems follow l's
// elements, and after them those that open stands for. open is changed by nobody here, and its
// fields may be nil or unknown.
func (w *World) appendAll(th value.Thread, l *value.List, elems []value.Value, open *value.Open) {
	if l.Open == nil && open == nil {
		// A single element is always taken, since a loop that appends is bounded by its steps.
		if n := len(l.Elems) + len(elems); n > maxElems && len(elems) > 1 {
			l.Elems, l.Open = nil, &value.Open{Elem: th.Unknown("a list is too long"), Len: th.Pool().ConstDim(int64(n))}
			return
		}
		l.Elems = append(l.Elems, elems...)
		return
	}
	// From here on the elements are known by their common abstraction only.
	p := th.Pool()
	// The length is the sum of all parts.
	o := value.Open{Len: p.ConstDim(int64(len(l.Elems) + len(elems)))}
	if l.Open != nil {
		o.Elem, o.Len = l.Open.Elem, p.DimAdd(o.Len, l.Open.Len)
	}
	for _, e := range l.Elems {
		o.Elem = w.common(th, o.Elem, e)
	}
	for _, e := range elems {
		o.Elem = w.common(th, o.Elem, e)
	}
	if open != nil {
		o.Elem, o.Len = w.common(th, o.Elem, open.Elem), p.DimAdd(o.Len, open.Len)
	}
	// The graph's list must be taken before Elems is emptied.
	o.Seq = appendSequence(th, l, elems, open, o.Elem)
	l.Elems, l.Open = nil, &o
}

// appendSequence gives l with further elements as a value of the typed graph; nil
// where that does not know them. One node for each element and one for the rest; the last one's
// value is the result. It is nil for a list of anything but tensors.
func appendSequence(th value.Thread, l *value.List, elems []value.Value, open *value.Open, elem value.Value) *graph.Value {
	t, ok := elem.(*value.Tensor)
	seq := value.Sequence(l.Elems, l.Open)
	if !ok || seq == nil {
		return nil
	}
	// Every node takes the list made so far, and gives a longer one.
	emit := func(op, name string, x graph.Operand) {
		out := th.Graph().NewValue(graph.SequenceKind, *t.Type(), th.Here())
		th.Graph().Emit(&graph.Node{Op: op, Args: []graph.Arg{{Name: "input", Value: seq}, {Name: name, Value: x}},
			Outputs: []*graph.Value{out}, At: th.Here(), Module: th.ModulePath()})
		seq = out
	}
	for _, e := range elems {
		x, ok := e.(*value.Tensor)
		if !ok {
			return nil
		}
		emit(graph.SequenceAppend, "element", x.V)
	}
	if open != nil {
		// The typed graph would not see the change of order.
		if open.Seq == nil { // also where elements go, or change places
			return nil
		}
		emit(graph.SequenceConcat, "other", open.Seq)
	}
	out, _ := seq.(*graph.Value)
	return out
}

// changedSequence emits a node that makes another list of one; nil where the typed
// graph does not know it. op is the operation of the typed graph, with the list as its input, elem
// a tensor of the kind that the new list holds, and args further arguments.
func changedSequence(th value.Thread, op string, seq graph.Operand, elem value.Value, args ...graph.Arg) *graph.Value {
	t, ok := elem.(*value.Tensor)
	if !ok || seq == nil {
		return nil
	}
	out := th.Graph().NewValue(graph.SequenceKind, *t.Type(), th.Here())
	th.Graph().Emit(&graph.Node{Op: op, Args: append([]graph.Arg{{Name: "input", Value: seq}}, args...),
		Outputs: []*graph.Value{out}, At: th.Here(), Module: th.ModulePath()})
	return out
}

// OpenTuple is a tuple whose elements are not known one by one. It has the layout of a list whose
// class is tuple, because value.Tuple always knows its elements.
func (w *World) OpenTuple(th value.Thread, o *value.Open) *value.List {
	return &value.List{Header: th.Heap().Header(), Class: w.tuple, Open: o}
}

// isTuple reports whether l stands for a tuple.
func (w *World) isTuple(l *value.List) bool { return l.Class == w.tuple }

// sequenceName is the name of the builtin class of l: tuple or list.
func (w *World) sequenceName(l *value.List) string {
	if w.isTuple(l) {
		return w.tuple.Name
	}
	return w.list.Name
}

// isSize reports whether a tuple is a torch.Size. The class is known by its name, as this package
// does not import the one that defines it.
func isSize(t *value.Tuple) bool { return t.Class != nil && t.Class.Name == "Size" }

// allInts reports whether torch.Size can hold the elements.
func allInts(elems []value.Value) bool {
	for _, e := range elems {
		switch e.(type) {
		case value.Int, *value.SymInt:
		default:
			return false
		}
	}
	return true
}

// repeat is s * n. A sequence may stand on either side of the product, the callers exchange the
// operands. A negative number gives an empty sequence. A number that is no index raises TypeError,
// and one that no index can hold OverflowError. Texts whose size is not known are abstract; a tuple
// that is repeated an unknown number of times is unknown.
func (w *World) repeat(th value.Thread, s, n value.Value) (value.Value, error) {
	// Bools and objects with __index__ count as ints.
	i, ok, err := w.index(th, n)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, th.Raise("TypeError", "can't multiply sequence by non-int of type '%s'", w.TypeOf(n).Name)
	}
	if value.IsUnknown(i) {
		return i, nil
	}
	if _, big := i.(*value.BigInt); big {
		return nil, th.Raise("OverflowError", "cannot fit 'int' into an index-sized integer")
	}
	if l, ok := s.(*value.List); ok {
		return w.repeatList(th, l, i)
	}
	count, known := int64(0), true
	if t, ok := s.(*value.Tuple); ok {
		// The example of the run decides how often a tuple is repeated, since tuples know their
		// elements.
		if count, known = w.decideInt(th, i); !known {
			return th.Unknown("the length of a tuple is not known"), nil
		}
		count = max(count, 0)
		if fits, err := elemsFit(th, int(count), len(t.Elems)); !fits || err != nil {
			return th.Unknown("a tuple is too long"), err
		}
		out := make([]value.Value, 0, int(count)*len(t.Elems))
		// A product with an empty tuple is empty without turning the loop that many times.
		for ; count > 0 && len(t.Elems) > 0; count-- {
			out = append(out, t.Elems...)
		}
		r := value.NewTuple(out...)
		if isSize(t) {
			r.Class = t.Class
		}
		return r, nil
	}
	text, isStr := s.(value.Str)
	raw, _ := s.(value.Bytes)
	// For a text, only a number that is the same in every run is taken; it must not depend on the
	// example.
	if si, ok := i.(*value.SymInt); ok {
		count, known = si.D.Const()
	} else {
		count, known = w.decideInt(th, i)
	}
	count = max(count, 0)
	fits, err := textFits(th, int(count), len(text)+len(raw))
	if !known || !fits || err != nil {
		if isStr {
			return w.abstractStr(th, ""), err
		}
		return w.abstract(th, w.bytes), err
	}
	if isStr {
		return value.Str(repeatText(string(text), int(max(count, 0)))), nil
	}
	return value.Bytes(repeatText(string(raw), int(max(count, 0)))), nil
}

// repeatText is strings.Repeat without its panic for a length that overflows: the callers have bounded it.
func repeatText(s string, n int) string {
	if len(s) == 0 {
		return ""
	}
	b := make([]byte, 0, len(s)*n)
	for ; n > 0; n-- {
		b = append(b, s...)
	}
	return string(b)
}

// repeatList is list * n for an int n. A constant number copies the elements. Otherwise the list is
// open: its length is that of l times max(n, 0), and its element is common to all.
func (w *World) repeatList(th value.Thread, l *value.List, n value.Value) (value.Value, error) {
	p := th.Pool()
	d, ok := intDim(th, value.Plain(n))
	if !ok {
		return nil, th.Raise("TypeError", "can't multiply sequence by non-int of type '%s'", w.TypeOf(n).Name)
	}
	k, isConst := d.Const()
	if isConst && l.Open == nil {
		k = max(k, 0)
		fits, err := elemsFit(th, int(k), len(l.Elems))
		if err != nil {
			return nil, err
		}
		if fits {
			out := make([]value.Value, 0, int(k)*len(l.Elems))
			for ; k > 0 && len(l.Elems) > 0; k-- {
				out = append(out, l.Elems...)
			}
			return th.Heap().NewList(out), nil
		}
	}
	// Nothing, repeated any number of times, is nothing.
	if l.Open == nil && len(l.Elems) == 0 {
		return th.Heap().NewList(nil), nil
	}
	elem := value.Value(nil)
	size := p.ConstDim(int64(len(l.Elems)))
	if l.Open != nil {
		elem, size = l.Open.Elem, p.DimAdd(size, l.Open.Len)
	}
	if len(l.Elems) > 0 {
		elem = w.common(th, elem, w.commonOf(th, l.Elems, "a list of different elements is repeated"))
	}
	open := &value.Open{Elem: elem, Len: p.DimMul(size, p.DimMax(d, p.ConstDim(0)))}
	if w.isTuple(l) {
		return w.OpenTuple(th, open), nil
	}
	return th.Heap().NewOpenList(open), nil
}

// listExtend is list.extend(x). An unknown iterable leaves a length that is unknown. A list is
// copied before, since l.extend(l) would change what it reads. An iterator that fails raises its
// own exception; elements that it has given until then are not added, unlike in CPython.
func (w *World) listExtend(th value.Thread, l *value.List, x value.Value) error {
	if value.IsUnknown(x) {
		th.Heap().Touch(l)
		w.appendAll(th, l, nil, &value.Open{Elem: x, Len: th.DataInt("n", 0, nil).D})
		return nil
	}
	var elems []value.Value
	var open *value.Open
	if y, ok := x.(*value.List); ok { // also l itself
		var err error
		if elems, err = cloned(th, y.Elems); err != nil {
			return err
		}
		open = y.Open
	} else {
		var err error
		if elems, open, err = w.listed(th, x); err != nil {
			return err
		}
	}
	// The slice may be copied by its growth.
	if err := th.Alloc(valueBytes * (len(l.Elems) + len(elems))); err != nil {
		return err
	}
	th.Heap().Touch(l)
	w.appendAll(th, l, elems, open)
	return nil
}

// weaken makes all elements of a list stand for x, too: x was written at a place
// that is not known. Each element is joined with x, since each of them may have been overwritten.
// The length stays.
func (w *World) weaken(th value.Thread, l *value.List, x value.Value) {
	th.Heap().Touch(l)
	for i, e := range l.Elems {
		l.Elems[i] = w.common(th, e, x)
	}
	if l.Open != nil {
		l.Open = &value.Open{Elem: w.common(th, l.Open.Elem, x), Len: l.Open.Len}
	}
}

// listStore is l[i] = x. Where the place is not known, each element may be x from now on (weaken).
// TypeError for an index that is none, IndexError for one beyond the ends, if the list and the
// index are known.
func (w *World) listStore(th value.Thread, l *value.List, index, x value.Value) error {
	if s, ok := index.(*value.Slice); ok {
		return w.listStoreSlice(th, l, s, x)
	}
	i, ok, err := w.index(th, index)
	if err != nil {
		return err
	}
	if !ok {
		return th.Raise("TypeError", "list indices must be integers or slices, not %s", w.TypeOf(index).Name)
	}
	// A symbolic index that has a value in the example is decided by it; without one the place is
	// not known.
	if si, isSym := i.(*value.SymInt); value.IsUnknown(i) || l.Open != nil || isSym && !si.D.Known {
		w.weaken(th, l, x)
		return nil
	}
	n, known := w.decideInt(th, i)
	if !known {
		w.weaken(th, l, x)
		return nil
	}
	// Negative indices count from the end.
	if n < 0 {
		n += int64(len(l.Elems))
	}
	if n < 0 || n >= int64(len(l.Elems)) {
		return th.Raise("IndexError", "list assignment index out of range")
	}
	th.Heap().Touch(l)
	l.Elems[n] = x
	return nil
}

// listStoreSlice is l[a:b] = x. With bounds that are not known each element may be one of x, and the length is
// lost; with a step the lengths must be equal, as in Python. TypeError for a value that is not
// iterable, ValueError for lengths that differ with a step.
func (w *World) listStoreSlice(th value.Thread, l *value.List, s *value.Slice, x value.Value) error {
	elems, open, err := w.listed(th, x)
	if err != nil {
		if value.IsException(err, w.classes["TypeError"]) {
			return th.Raise("TypeError", "can only assign an iterable")
		}
		return err
	}
	if err := th.Alloc(2 * valueBytes * (len(l.Elems) + len(elems))); err != nil {
		return err
	}
	// x may be a part of the list itself.
	elems = append([]value.Value(nil), elems...)
	b, known := bounds{}, false
	// In a list of unknown length no place is known.
	if l.Open == nil {
		if b, known, err = w.sliceBounds(th, s, int64(len(l.Elems))); err != nil {
			return err
		}
	}
	// All elements may be any of the old ones or of the new ones now.
	if !known || open != nil {
		th.Heap().Touch(l)
		w.appendAll(th, l, elems, &value.Open{})
		if open != nil {
			l.Open.Elem = w.common(th, l.Open.Elem, open.Elem)
		}
		l.Open.Len = symshape.Dim{}
		return nil
	}
	th.Heap().Touch(l)
	if b.step != 1 {
		if int64(len(elems)) != b.count {
			return th.Raise("ValueError", "attempt to assign sequence of size %d to extended slice of size %d", len(elems), b.count)
		}
		for i, e := range elems {
			l.Elems[b.start+int64(i)*b.step] = e
		}
		return nil
	}
	// An empty slice inserts before its start.
	stop := max(b.start, b.stop)
	l.Elems = slices.Concat(l.Elems[:b.start], elems, l.Elems[stop:]) // makes room once
	return nil
}

// listDelete is del l[i] and del l[a:b]. An index that is not known leaves a list that is one shorter, of whose
// elements each may be any; a slice that is not known leaves any length. IndexError for a known
// index beyond the ends, TypeError for one that is no index.
func (w *World) listDelete(th value.Thread, l *value.List, index value.Value) error {
	s, isSlice := index.(*value.Slice)
	if !isSlice {
		i, ok, err := w.index(th, index)
		if err != nil {
			return err
		}
		if !ok {
			return th.Raise("TypeError", "list indices must be integers or slices, not %s", w.TypeOf(index).Name)
		}
		n, known := w.decideInt(th, i)
		if !known || l.Open != nil {
			w.shorten(th, l)
			return nil
		}
		if n < 0 {
			n += int64(len(l.Elems))
		}
		if n < 0 || n >= int64(len(l.Elems)) {
			return th.Raise("IndexError", "list assignment index out of range")
		}
		w.removeAt(th, l, int(n))
		return nil
	}
	// A slice of a list of unknown length takes an unknown part of it.
	if l.Open != nil {
		w.forgetLength(th, l)
		return nil
	}
	b, known, err := w.sliceBounds(th, s, int64(len(l.Elems)))
	if err != nil {
		return err
	}
	if !known {
		w.forgetLength(th, l)
		return nil
	}
	const entryBytes = 32 // of the map
	if err := th.Alloc(entryBytes*int(b.count) + valueBytes*len(l.Elems)); err != nil {
		return err
	}
	// With a step the elements to leave out are spread over the list.
	drop := make(map[int64]bool, b.count)
	for i := range b.count {
		drop[b.start+i*b.step] = true
	}
	th.Heap().Touch(l)
	// The array is made anew, see removeAt.
	out := make([]value.Value, 0, len(l.Elems))
	for i, e := range l.Elems {
		if !drop[int64(i)] {
			out = append(out, e)
		}
	}
	l.Elems = out
	return nil
}

// forgetLength makes the number of elements of l unknown. The list is made open if it is not yet,
// by appending nothing to it.
func (w *World) forgetLength(th value.Thread, l *value.List) {
	th.Heap().Touch(l)
	w.appendAll(th, l, nil, &value.Open{})
	l.Open.Len = symshape.Dim{}
}

// shorten removes one element of l that is not known.
func (w *World) shorten(th value.Thread, l *value.List) {
	p := th.Pool()
	th.Heap().Touch(l)
	// A length of -1 is added to that of the list.
	w.appendAll(th, l, nil, &value.Open{Len: p.ConstDim(-1)})
}

// removeAt removes an element. The array is made anew: iterators and snapshots
// may share the old one. The index must be in range. The result is the removed element.
func (w *World) removeAt(th value.Thread, l *value.List, i int) value.Value {
	th.Heap().Touch(l)
	v := l.Elems[i]
	if th.Alloc(valueBytes*len(l.Elems)) != nil { // the run ends at the next step
		return v
	}
	l.Elems = append(append(make([]value.Value, 0, len(l.Elems)), l.Elems[:i]...), l.Elems[i+1:]...)
	return v
}
