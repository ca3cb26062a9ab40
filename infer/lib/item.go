package lib

// This file implements v[i] for the builtin containers.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// index converts an index as operator.index does: the result is an Int, BigInt,
// SymInt or Unknown. ok is false when v is no integer.
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
		switch value.Plain(r).(type) {
		case *value.Instance, *value.Tensor:
			return nil, false, nil
		}
		return w.index(th, r)
	}
	return nil, false, nil
}

// wantIndex is index with CPython's general complaint.
func (w *World) wantIndex(th value.Thread, v value.Value) (value.Value, error) {
	i, ok, err := w.index(th, v)
	if err == nil && !ok {
		err = th.Raise("TypeError", "'%s' object cannot be interpreted as an integer", w.TypeOf(v).Name)
	}
	return i, err
}

// decideInt makes a concrete int of an index. An example value is used, and the
// contract records that it was; known is false when there is none.
func (w *World) decideInt(th value.Thread, v value.Value) (n int64, known bool) {
	switch v := v.(type) {
	case value.Int:
		return int64(v), true
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

// numpyNumber reports whether v is a scalar of NumPy that is a number.
func numpyNumber(v value.Value) bool {
	i, ok := v.(*value.Instance)
	return ok && i.Class.Module == "numpy" && i.Payload != nil && kindOf(i.Payload) != notNumber
}

// scalarItem is v[index] of a scalar of NumPy: () gives it again, and None and ... give arrays.
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
// a default factory raises.
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
		x, err := w.dictItem(th, c, index)
		return x, true, err
	case *value.List:
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
	case *value.GenericAlias:
		args := []value.Value{index}
		if t, ok := index.(*value.Tuple); ok && t.Class == nil {
			args = t.Elems
		}
		return &value.GenericAlias{Origin: c.Origin, Args: args}, true, nil
	case *value.Abstract:
		switch c.Class {
		case w.str:
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
	if _, ok := w.TypeOf(v).Lookup("__getitem__"); ok {
		return nil, false, nil
	}
	return nil, true, value.Single(th, "'%s' object is not subscriptable", w.TypeOf(v).Name)
}

// dictItem is d[k]: what find gives, else __missing__ of a subclass, else the factory of a defaultdict, which
// stores what it makes. A key that may or may not be there is neither: find says that it is there, with a value
// that is not known.
func (w *World) dictItem(th value.Thread, d *value.Dict, k value.Value) (value.Value, error) {
	if value.IsUnknown(k) {
		return k, nil
	}
	v, at, err := w.find(th, d, k)
	if err != nil || at != absent {
		return v, err
	}
	if d.Class != nil {
		if m, ok := d.Class.Lookup("__missing__"); ok {
			return th.Call(m, []value.Value{d, k}, nil)
		}
	}
	if d.Factory != nil && d.Factory != value.None {
		v, err := th.Call(d.Factory, nil, nil)
		if err != nil {
			return nil, err
		}
		return v, w.store(th, d, k, v)
	}
	return nil, w.keyError(th, k)
}

// keyError is KeyError(k). The message is the key's repr, as str(KeyError) has it.
func (w *World) keyError(th value.Thread, k value.Value) error {
	text, _ := th.Repr(k)
	err := th.Raise("KeyError", "%s", text)
	if s, ok := k.(value.Str); ok {
		err = value.Saying(err, diag.Fact{Kind: diag.LacksKey, Of: "dict", Names: []string{string(s)}})
	}
	if e, ok := err.(*value.Exception); ok {
		e.Value.Attrs.Set(th.Heap(), "args", value.NewTuple(k))
	}
	return err
}

// seqItem is indexing and slicing of a list or tuple. kind is for messages.
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
	if open != nil {
		if n, ok := i.(value.Int); ok && n >= 0 && int64(n) < int64(len(elems)) {
			return elems[n], nil
		}
		if len(elems) > 0 || open.Elem == nil {
			return th.Unknown("elements of the " + kind + " are not known one by one"), nil
		}
		if d, ok := intDim(th, i); ok && d.Expr != nil {
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
		if len(elems) == 0 {
			return nil, th.Raise("IndexError", "%s index out of range", kind)
		}
		all := w.commonOf(th, elems, "an index is not known")
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

// bounds are the indices of a slice over n elements: start, start+step, … count of them.
type bounds struct{ start, stop, step, count int64 }

// sliceBounds applies a slice to a length. known is false when a part is symbolic
// without a value.
func (w *World) sliceBounds(th value.Thread, s *value.Slice, n int64) (b bounds, known bool, err error) {
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
	lower, upper := int64(0), n
	if step < 0 {
		lower, upper = -1, n-1
	}
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
// Only of a whole slice, x[:], is more known of an open list: it is a copy.
func (w *World) seqSlice(th value.Thread, elems []value.Value, open *value.Open, s *value.Slice,
	slice func([]value.Value, *value.Open) value.Value) (value.Value, error) {
	for _, p := range [...]value.Value{s.Start, s.Stop, s.Step} {
		if value.IsUnknown(p) {
			return p, nil
		}
	}
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
// their own (textRunes), which Go's conversion would replace.
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

// bytesItem is b[i], a number, and b[a:b].
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
// have or take.
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
// does not have or take.
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
