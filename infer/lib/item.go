package lib

// This file implements v[i] for the builtin containers. An index is brought to an int first: by
// index, which calls __index__ where there is one. A size as an index is an expression: where it
// has an example value, that is used and the equation becomes a condition of the contract
// (decideInt); otherwise the result is what all elements have in common.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// index converts an index as operator.index does: the result is an Int, BigInt, SymInt or Unknown.
// ok is false when v is no integer, as when its __index__ gives no number. The error is that of
// __index__. A Bool is its number. Of an int that is not known (Abstract) the result is an unknown
// one.
func (w *World) index(th value.Thread, v value.Value) (value.Value, bool, error) {
	v = value.Plain(v)
	switch x := v.(type) {
	case value.Int, *value.SymInt, *value.BigInt, *value.Unknown:
		return v, true, nil
	case value.Bool:
		n, _ := smallInt(x)
		return value.Int(n), true, nil
	case *value.SymBool:
		return boolInt(th, x), true, nil
	case *value.Abstract:
		if x.Class == w.int_ {
			return w.unknownInt(th), true, nil
		}
		return nil, false, nil
	// __index__ may be of a tensor with one element, which gives its element.
	case *value.Instance, *value.Tensor:
		f, ok, err := th.LookupAttr(v, "__index__")
		if err != nil || !ok {
			return nil, false, err
		}
		if value.IsUnknown(f) {
			return f, true, nil
		}
		if err := th.Enter(""); err != nil {
			return nil, false, err
		}
		defer th.Leave()
		r, err := th.Call(f, nil, nil)
		if err != nil {
			return nil, false, err
		}
		// A result of __index__ that has an __index__ itself is no int for CPython.
		switch value.Plain(r).(type) {
		case *value.Instance, *value.Tensor:
			return nil, false, nil
		}
		return w.index(th, r)
	}
	return nil, false, nil
}

// wantIndex is index with CPython's general complaint, a TypeError for what is no integer.
func (w *World) wantIndex(th value.Thread, v value.Value) (value.Value, error) {
	i, ok, err := w.index(th, v)
	if err == nil && !ok {
		err = th.Raise("TypeError", "'%s' object cannot be interpreted as an integer", w.TypeOf(v).Name)
	}
	return i, err
}

// decideInt makes a concrete int of an index. An example value is used, and the
// contract records that it was; known is false when there is none. It needs a result of index. The
// condition is made only for an expression; a value without one is that of this run alone.
func (w *World) decideInt(th value.Thread, v value.Value) (n int64, known bool) {
	switch v := v.(type) {
	case value.Int:
		return int64(v), true
	// Whatever the length is, it is out of range.
	case *value.BigInt: // beyond every container
		if v.V.Sign() < 0 {
			return -1 << 62, true
		}
		return 1 << 62, true
	case *value.SymInt:
		d := v.D
		if n, ok := d.Const(); ok {
			return n, true
		}
		if d.Known {
			// The condition may contradict what is known: then the size is not this number.
			if d.Expr != nil {
				p := th.Pool()
				if th.Require(p.Eq(d.Expr, p.Const(d.Val)), "used as an index") == symshape.No {
					return 0, false
				}
			}
			return d.Val, true
		}
	}
	return 0, false
}

// numpyNumber reports whether v is a scalar of NumPy that is a number. Such scalars are instances
// with a Payload, so that they take part in Python's arithmetic.
func numpyNumber(v value.Value) bool {
	i, ok := v.(*value.Instance)
	return ok && i.Class.Module == "numpy" && i.Payload != nil && kindOf(i.Payload) != notNumber
}

// scalarItem is v[index] of a scalar of NumPy: () gives it again, and None and ... give arrays.
// Other indices are an IndexError. A key that is not known gives itself.
func scalarItem(th value.Thread, v, index value.Value) (value.Value, error) {
	if err := th.Enter(""); err != nil {
		return nil, err
	}
	defer th.Leave()
	keys := []value.Value{index}
	if t, ok := index.(*value.Tuple); ok {
		keys = t.Elems
	}
	for _, k := range keys {
		switch {
		case value.IsUnknown(k):
			return k, nil
		case k != value.None && k != value.Value(value.EllipsisType{}):
			return nil, th.Raise("IndexError", "invalid index to scalar variable.")
		}
	}
	if len(keys) == 0 {
		return v, nil
	}
	array, err := th.Import("numpy")
	if err == nil {
		array, err = th.GetAttr(array, "asarray")
	}
	if err == nil {
		array, err = th.Call(array, []value.Value{v}, nil)
	}
	if _, ok := array.(*value.Tensor); err != nil || !ok {
		return array, err
	}
	return th.GetItem(array, index)
}

// GetItem gives v[index]. ok is false when v is not a builtin container. err is a TypeError where v has no items or
// index is of another class than v takes, an IndexError or KeyError where there is no such item, or what __missing__ or
// a default factory raises. What is foreign (a tensor), an instance with a __getitem__ of the
// program, or a class is left to the interpreter.
func (w *World) GetItem(th value.Thread, v, index value.Value) (x value.Value, ok bool, err error) {
	if numpyNumber(v) {
		x, err = scalarItem(th, v, index)
		return x, true, err
	}
	v = value.Plain(v)
	if foreign(v) {
		return nil, false, nil
	}
	switch c := v.(type) {
	case *value.Dict:
		// A subclass of dict that defines __getitem__ is called by the interpreter before it comes
		// here.
		x, err := w.dictItem(th, c, index)
		return x, true, err
	case *value.List:
		// A list may stand for a tuple whose length is not known; its slices do so too.
		x, err := w.seqItem(th, w.sequenceName(c), c.Elems, c.Open, index, func(elems []value.Value, o *value.Open) value.Value {
			switch {
			case w.isTuple(c) && o == nil:
				return value.NewTuple(elems...)
			case w.isTuple(c):
				return w.OpenTuple(th, o)
			}
			l := th.Heap().NewList(elems)
			l.Open = o
			return l
		})
		return x, true, err
	case *value.Tuple:
		// A tuple's slice of unknown bounds has no form, since a tuple knows its length.
		x, err := w.seqItem(th, "tuple", c.Elems, nil, index, func(elems []value.Value, o *value.Open) value.Value {
			if o != nil {
				return th.Unknown("bounds of a slice are not known")
			}
			if c.Class != nil && c.Class.Name == "Size" { // a slice of torch.Size is one
				return &value.Tuple{Class: c.Class, Elems: elems}
			}
			return value.NewTuple(elems...)
		})
		return x, true, err
	case value.Str:
		if len(c) >= longText { // characters are counted from the beginning
			if err := th.Alloc(runeBytes * len(c)); err != nil {
				return nil, true, err
			}
		}
		x, err := w.strItem(th, string(c), index)
		return x, true, err
	case value.Bytes:
		if _, sliced := index.(*value.Slice); sliced && len(c) >= longText {
			if err := th.Alloc(2 * len(c)); err != nil {
				return nil, true, err
			}
		}
		x, err := w.bytesItem(th, string(c), index)
		return x, true, err
	case *value.Range:
		x, err := w.rangeItem(th, c, index)
		return x, true, err
	// A generic alias is subscripted again: list[T][int]. A namedtuple as index is one argument.
	case *value.GenericAlias:
		args := []value.Value{index}
		if t, ok := index.(*value.Tuple); ok && t.Class == nil {
			args = t.Elems
		}
		return &value.GenericAlias{Origin: c.Origin, Args: args}, true, nil
	case *value.Abstract:
		// An element of a text that is not known.
		switch c.Class {
		case w.str:
			// An element of bytes is a number from 0 on; its upper bound is not stated.
			return w.abstractStr(th, ""), true, nil
		case w.bytes:
			if _, ok := index.(*value.Slice); ok {
				return w.abstract(th, w.bytes), true, nil
			}
			return th.DataInt("byte", 0, nil), true, nil
		}
		return &value.Unknown{Cause: c.Cause}, true, nil
	case *value.Class:
		return nil, false, nil
	}
	// The program's own method reads the item.
	if _, ok := w.TypeOf(v).Lookup("__getitem__"); ok {
		return nil, false, nil
	}
	return nil, true, value.Single(th, "'%s' object is not subscriptable", w.TypeOf(v).Name)
}

// dictItem is d[k]: what find gives, else __missing__ of a subclass, else the factory of a
// defaultdict, which stores what it makes. A key that may or may not be there is neither: find says
// that it is there, with a value that is not known. A missing key is a KeyError. The error may also
// be that of hashing the key or of the program's code.
func (w *World) dictItem(th value.Thread, d *value.Dict, k value.Value) (value.Value, error) {
	if value.IsUnknown(k) && !value.AnswersMissing(d) {
		return k, nil
	}
	v, at, err := w.find(th, d, k)
	switch {
	case err != nil || at == present:
		return v, err
	case at == unsure && value.IsUnknown(k) && d.HasFactory():
		return w.maybeMade(th, d, k)
	case at == unsure && value.IsUnknown(k):
		return k, nil
	case at == unsure:
		return v, nil
	}
	if d.Class != nil {
		if m, ok := d.Class.Lookup("__missing__"); ok {
			return th.Call(m, []value.Value{d, k}, nil)
		}
	}
	if d.HasFactory() {
		v, err := th.Call(d.Factory, nil, nil)
		if err != nil {
			return nil, err
		}
		return v, w.store(th, d, k, v)
	}
	return nil, w.keyErrorOf(th, d, k)
}

// maybeMade is d[k] of a dict with a factory where k may be one of its keys: a new entry or an old one, which whoever has it may write to.
// So nothing is known of either.
func (w *World) maybeMade(th value.Thread, d *value.Dict, k value.Value) (value.Value, error) {
	v := th.Unknown("an entry of a dict that may be new")
	for i := range d.Len() {
		if maybe, err := w.mayEqual(th, d.Key(i), k); err != nil {
			return nil, err
		} else if !maybe || !isMutable(d.At(i)) {
			continue
		}
		key, err := th.HashKey(d.Key(i))
		if err != nil {
			return nil, err
		}
		d.Set(th.Heap(), key, d.Key(i), v)
	}
	w.maybeEntry(th, d, k, v)
	return v, nil
}

// isMutable reports whether a value is a container of Python's own that can be written to.
func isMutable(v value.Value) bool {
	switch v.(type) {
	case *value.List, *value.Dict, *value.Set:
		return true
	}
	return false
}

// keyError is KeyError(k). The argument is the key itself, so that e.args[0] gives it and str(e) its repr, which is all that Python says;
// the text of the diagnostic says that it is a key.
func (w *World) keyError(th value.Thread, k value.Value) error {
	text, _ := th.Repr(k)
	err := th.Raise("KeyError", "there is no key %s", text)
	if s, ok := k.(value.Str); ok {
		err = value.Saying(err, diag.Fact{Kind: diag.LacksKey, Of: "dict", Names: []string{string(s)}})
	}
	if e, ok := err.(*value.Exception); ok {
		e.Value.Attrs.Set(th.Heap(), "args", value.NewTuple(k))
	}
	return err
}

// maxKeysTold bounds the keys that a fact names.
const maxKeysTold = 4

// keyErrorOf is keyError(k) for a key that d has not, with keys that it has: they tell what the program takes.
func (w *World) keyErrorOf(th value.Thread, d *value.Dict, k value.Value) error {
	err := w.keyError(th, k)
	e, ok := err.(*value.Exception)
	if !ok {
		return err
	}
	var keys []string
	for i := range min(d.Len(), maxKeysTold) {
		if s, ok := value.AsStr(d.Key(i)); ok {
			keys = append(keys, s)
		}
	}
	if e.Diag != nil {
		e.Diag.Fact.Keys = keys
	}
	return err
}

// seqItem is indexing and slicing of a list or tuple. kind is for messages, and slice makes a
// result of the same kind from elements and an open part. An index that is no integer is a
// TypeError, one out of range an IndexError; whether a size is in range is not asked. What all
// elements have in common stands for the element of an index that is not known.
func (w *World) seqItem(th value.Thread, kind string, elems []value.Value, open *value.Open, index value.Value,
	slice func([]value.Value, *value.Open) value.Value) (value.Value, error) {
	if s, ok := index.(*value.Slice); ok {
		return w.seqSlice(th, elems, open, s, slice)
	}
	i, ok, err := w.index(th, index)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, th.Raise("TypeError", "%s indices must be integers or slices, not %s", kind, w.TypeOf(index).Name)
	}
	if value.IsUnknown(i) {
		return i, nil
	}
	// The known elements of an open list come first; what follows is known as a whole, or by
	// number. open.Elem is the element in general, and elementAt makes that of a number, where an
	// open list was made by a rule that knows its elements by number.
	if open != nil {
		if n, ok := i.(value.Int); ok && n >= 0 && int64(n) < int64(len(elems)) {
			return elems[n], nil
		}
		if len(elems) > 0 || open.Elem == nil {
			return th.Unknown("elements of the " + kind + " are not known one by one"), nil
		}
		// A number that is an expression is kept, so that the same element is the same tensor of
		// the graph.
		if d, ok := intDim(th, i); ok && d.Expr != nil {
			// From the end: the number is the length less it.
			if n, ok := i.(value.Int); ok && n < 0 {
				d = th.Pool().DimAdd(open.Len, d)
			}
			if at := elementAt(open); at != nil && d.Expr != nil {
				return at(th, &value.SymInt{D: d})
			}
		}
		return open.Elem, nil
	}
	n, known := w.decideInt(th, i)
	if !known {
		// Whatever the index is.
		if len(elems) == 0 {
			return nil, th.Raise("IndexError", "%s index out of range", kind)
		}
		th.MeansOneOf(elems)
		all := w.commonOf(th, elems, "an index is not known")
		// Of tensors that differ by their values alone the graph takes the element by a node.
		if t, ok := all.(*value.Tensor); ok {
			if d, ok := intDim(th, i); ok && d.Expr != nil {
				if list := value.Sequence(elems, nil); list != nil {
					return elementOf(th, list, t, d), nil
				}
			}
		}
		return all, nil
	}
	if n < 0 {
		n += int64(len(elems))
	}
	if n < 0 || n >= int64(len(elems)) {
		return nil, th.Raise("IndexError", "%s index out of range", kind)
	}
	return elems[n], nil
}

// bounds are the indices of a slice over n elements: start, start+step, … count of them. count is 0
// for an empty slice. stop is exclusive, as in Python.
type bounds struct{ start, stop, step, count int64 }

// sliceBounds applies a slice to a length. known is false when a part is symbolic without a value.
// A step of 0 is a ValueError, and what is no integer a TypeError. The rules are those of CPython's
// PySlice_AdjustIndices.
func (w *World) sliceBounds(th value.Thread, s *value.Slice, n int64) (b bounds, known bool, err error) {
	// part gives a value, whether it was given, and whether it is known.
	part := func(v value.Value) (int64, bool, bool, error) {
		if v == value.None {
			return 0, false, true, nil
		}
		i, ok, err := w.index(th, v)
		if err != nil {
			return 0, true, false, err
		}
		if !ok {
			return 0, true, false, th.Raise("TypeError", "slice indices must be integers or None or have an __index__ method")
		}
		x, known := w.decideInt(th, i)
		return x, true, known, nil
	}
	step, given, k1, err := part(s.Step)
	if err != nil {
		return b, false, err
	}
	if !given {
		step = 1
	}
	if k1 && step == 0 {
		return b, false, th.Raise("ValueError", "slice step cannot be zero")
	}
	// Bounds are cut to these; backwards the end before the first element is -1.
	lower, upper := int64(0), n
	if step < 0 {
		lower, upper = -1, n-1
	}
	// clamp counts a negative bound from the end, and cuts it to the range.
	clamp := func(v value.Value, absent int64) (int64, bool, error) {
		x, given, known, err := part(v)
		if err != nil || !known || !given {
			return absent, known, err
		}
		if x < 0 {
			x = max(x+n, lower)
		} else {
			x = min(x, upper)
		}
		return x, true, nil
	}
	first, last := lower, upper
	if step < 0 {
		first, last = upper, lower
	}
	b.step = step
	var k2, k3 bool
	if b.start, k2, err = clamp(s.Start, first); err != nil {
		return b, false, err
	}
	if b.stop, k3, err = clamp(s.Stop, last); err != nil {
		return b, false, err
	}
	if !k1 || !k2 || !k3 {
		return b, false, nil
	}
	// The formula for the number of elements is that of len(range(start, stop, step)).
	switch {
	case step > 0 && b.stop > b.start:
		b.count = (b.stop-b.start-1)/step + 1
	case step < 0 && b.stop < b.start:
		b.count = (b.start-b.stop-1)/-step + 1
	}
	return b, true, nil
}

// seqSlice slices a list or a tuple; slice makes the result of the elements, or of an unknown number of them.
// With bounds that are not known the result has between none and all of the elements, each of which may be any.
// Only of a whole slice, x[:], is more known of an open list: it is a copy. The errors are those of
// sliceBounds, and of memory for a result that is too long.
func (w *World) seqSlice(th value.Thread, elems []value.Value, open *value.Open, s *value.Slice,
	slice func([]value.Value, *value.Open) value.Value) (value.Value, error) {
	for _, p := range [...]value.Value{s.Start, s.Stop, s.Step} {
		if value.IsUnknown(p) {
			return p, nil
		}
	}
	// Of an open list openSlice computes the length as an expression.
	if open != nil {
		if s.Start == value.None && s.Stop == value.None && (s.Step == value.None || s.Step == value.Value(value.Int(1))) {
			o := *open
			return slice(append([]value.Value(nil), elems...), &o), nil
		}
		if len(elems) > 0 {
			return slice(nil, &value.Open{Elem: th.Unknown("elements of a slice are not known one by one"), Len: th.DataInt("n", 0, nil).D}), nil
		}
		o, err := w.openSlice(th, open, s)
		if err != nil {
			return nil, err
		}
		return slice(nil, o), nil
	}
	b, known, err := w.sliceBounds(th, s, int64(len(elems)))
	if err != nil {
		return nil, err
	}
	if !known {
		if len(elems) == 0 {
			return slice(nil, nil), nil
		}
		// The length is a new unknown number between none and all.
		n := th.Pool().FreshIn("n", 0, int64(len(elems)))
		return slice(nil, &value.Open{Elem: w.commonOf(th, elems, "the bounds of a slice are not known"), Len: symshape.MakeDim(n)}), nil
	}
	if err := th.Alloc(valueBytes * int(b.count)); err != nil {
		return nil, err
	}
	out := make([]value.Value, b.count)
	for i := range out {
		out[i] = elems[b.start+int64(i)*b.step]
	}
	return slice(out, nil), nil
}

// strItem is s[i] and s[a:b]. Indices count characters, so a text is decoded first; surrogates have a form of
// their own (textRunes), which Go's conversion would replace. A slice with bounds that are not
// known is some text.
func (w *World) strItem(th value.Thread, s string, index value.Value) (value.Value, error) {
	rs := textRunes(s)
	if sl, ok := index.(*value.Slice); ok {
		b, known, err := w.sliceBounds(th, sl, int64(len(rs)))
		if err != nil || !known {
			return w.abstractStr(th, ""), err
		}
		out := make([]rune, b.count)
		for i := range out {
			out[i] = rs[b.start+int64(i)*b.step]
		}
		return value.Str(runesText(out)), nil
	}
	i, ok, err := w.index(th, index)
	if err != nil {
		return nil, err
	}
	// CPython's message has the class of the index.
	if !ok {
		return nil, th.Raise("TypeError", "string indices must be integers, not '%s'", w.TypeOf(index).Name)
	}
	if value.IsUnknown(i) {
		return i, nil
	}
	n, known := w.decideInt(th, i)
	if !known {
		return w.abstractStr(th, ""), nil
	}
	if n < 0 {
		n += int64(len(rs))
	}
	if n < 0 || n >= int64(len(rs)) {
		return nil, th.Raise("IndexError", "string index out of range")
	}
	return value.Str(runesText(rs[n : n+1])), nil
}

// bytesItem is b[i], a number, and b[a:b]. Its errors are those of strItem. An element that is not
// known is a number of a byte.
func (w *World) bytesItem(th value.Thread, s string, index value.Value) (value.Value, error) {
	if sl, ok := index.(*value.Slice); ok {
		b, known, err := w.sliceBounds(th, sl, int64(len(s)))
		if err != nil || !known {
			return w.abstract(th, w.bytes), err
		}
		out := make([]byte, b.count)
		for i := range out {
			out[i] = s[b.start+int64(i)*b.step]
		}
		return value.Bytes(out), nil
	}
	i, ok, err := w.index(th, index)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, th.Raise("TypeError", "byte indices must be integers or slices, not %s", w.TypeOf(index).Name)
	}
	if value.IsUnknown(i) {
		return i, nil
	}
	n, known := w.decideInt(th, i)
	if !known {
		return th.DataInt("byte", 0, nil), nil
	}
	if n < 0 {
		n += int64(len(s))
	}
	if n < 0 || n >= int64(len(s)) {
		return nil, th.Raise("IndexError", "index out of range")
	}
	return value.Int(s[n]), nil
}

// SetItem does v[index] = x. err is a TypeError where v takes no items, or the exception of an index that v does not
// have or take. ok is false where the interpreter must look at v: a tensor, or an object with
// __setitem__.
func (w *World) SetItem(th value.Thread, v, index, x value.Value) (ok bool, err error) {
	if foreign(v) {
		return false, nil
	}
	switch c := v.(type) {
	case *value.Dict:
		return true, w.store(th, c, index, x)
	case *value.List:
		return true, w.listStore(th, c, index, x)
	}
	if _, ok := w.TypeOf(v).Lookup("__setitem__"); ok {
		return false, nil
	}
	return true, th.Raise("TypeError", "'%s' object does not support item assignment", w.TypeOf(v).Name)
}

// DelItem does del v[index]. err is a TypeError where items of v cannot be deleted, or the exception of an index that v
// does not have or take. Its ok is that of SetItem. A key that may or may not be there is deleted
// in the sense of dictTake.
func (w *World) DelItem(th value.Thread, v, index value.Value) (ok bool, err error) {
	if foreign(v) {
		return false, nil
	}
	switch c := v.(type) {
	case *value.Dict:
		_, at, err := w.dictTake(th, c, index)
		if err == nil && at == absent {
			err = w.keyError(th, index)
		}
		return true, err
	case *value.List:
		return true, w.listDelete(th, c, index)
	}
	if _, ok := w.TypeOf(v).Lookup("__delitem__"); ok {
		return false, nil
	}
	return true, th.Raise("TypeError", "'%s' object doesn't support item deletion", w.TypeOf(v).Name)
}
