package lib

// This file writes to dicts and sets, and defines the views of dicts. Sets keep the order of
// CPython where it can be known, since programs iterate over them: the operations below go through
// their operands in the order of setobject.c, which depends on the sizes of both.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// deleteSteps is how many entries of a dict or set take the time of a step where one
// of them is removed.
const deleteSteps = 16

// dictTake removes an entry and gives its value, and whether the key was there. On an unsure key
// the dict loses what it knows. A key that cannot be hashed is a TypeError.
func (w *World) dictTake(th value.Thread, d *value.Dict, k value.Value) (value.Value, found, error) {
	v, at, err := w.find(th, d, k)
	if err != nil {
		return nil, absent, err
	}
	switch at {
	case present:
		key, err := th.HashKey(k)
		if err != nil {
			return nil, absent, err
		}
		if err := th.Step(1 + d.Len()/deleteSteps); err != nil {
			return nil, absent, err
		}
		// A size as key may be equal to another expression, of which the hash differs.
		if !d.Delete(th.Heap(), key) { // found by comparing symbolic keys
			_, _, err := w.search(th, d.Plain(), d.Len(), d.Key, k)
			if err != nil {
				return nil, absent, err
			}
			for i := range d.Len() {
				if d.At(i) == v {
					if key, err = th.HashKey(d.Key(i)); err != nil {
						return nil, absent, err
					}
					d.Delete(th.Heap(), key)
					break
				}
			}
		}
	case unsure:
		u := th.Unknown("a dict key is not known")
		w.openDict(th, d, u, u)
	}
	return v, at, nil
}

// openDict makes all entries of a dict unknown: any of them may have been removed or changed to v,
// at some key like k. A dict that shows attributes passes this on to them.
func (w *World) openDict(th value.Thread, d *value.Dict, k, v value.Value) {
	if d.Mirror != nil {
		OpenAttrs(th, d.Mirror, d.Mirror.Class, k, v)
		return
	}
	for i := range d.Len() {
		k, v = w.common(th, k, d.Key(i)), w.common(th, v, d.At(i))
	}
	if d.Open != nil {
		k, v = w.common(th, k, d.Open.Key), w.common(th, v, d.Open.Elem)
	}
	d.Clear(th.Heap())
	th.Heap().Touch(d)
	d.Open = &value.Open{Key: k, Elem: v}
}

// addOpen merges entries that are not known into a dict.
func (w *World) addOpen(th value.Thread, d *value.Dict, o *value.Open) {
	key, elem := o.Key, o.Elem
	if key == nil {
		key = th.Unknown("keys of a dict are not known")
	}
	w.openDict(th, d, key, elem)
}

// dictUpdate is d.update(x): x is a mapping, or an iterable of pairs. What is neither is a
// TypeError, and an element that is no pair a ValueError; other errors are those of x.
func (w *World) dictUpdate(th value.Thread, d *value.Dict, x value.Value) error {
	switch y := x.(type) {
	case *value.Dict:
		if y == d {
			return nil
		}
		for i := range y.Len() {
			if err := w.store(th, d, y.Key(i), y.At(i)); err != nil {
				return err
			}
		}
		if y.Open != nil {
			w.addOpen(th, d, y.Open)
		}
		return th.Step(y.Len() / 16)
	case *value.Unknown:
		w.openDict(th, d, y, y)
		return nil
	}
	// A mapping is what has keys().
	if keys, ok, err := th.LookupAttr(x, "keys"); err != nil {
		return err
	} else if ok {
		list, err := th.Call(keys, nil, nil)
		if err != nil {
			return err
		}
		elems, open, err := w.drain(th, list)
		if err != nil {
			return err
		}
		if open != nil {
			w.addOpen(th, d, &value.Open{Key: open.Elem, Elem: th.Unknown("entries of a mapping are not known")})
			return nil
		}
		for _, k := range elems {
			v, err := th.GetItem(x, k)
			if err != nil {
				return err
			}
			if err := w.store(th, d, k, v); err != nil {
				return err
			}
		}
		return nil
	}
	elems, open, err := w.drain(th, x)
	if err != nil {
		return err
	}
	// An unknown number of pairs: all that is known is what its keys and values are like.
	if open != nil {
		if t, ok := open.Elem.(*value.Tuple); ok && len(t.Elems) == 2 {
			w.addOpen(th, d, &value.Open{Key: t.Elems[0], Elem: t.Elems[1], Len: open.Len})
		} else {
			u := th.Unknown("entries of a mapping are not known")
			w.addOpen(th, d, &value.Open{Key: u, Elem: u})
		}
		return nil
	}
	for i, e := range elems {
		if value.IsUnknown(e) {
			w.openDict(th, d, e, e)
			continue
		}
		pair, popen, err := w.drain(th, e)
		if err != nil {
			if value.IsException(err, w.classes["TypeError"]) {
				return th.Raise("TypeError", "cannot convert dictionary update sequence element #%d to a sequence", i)
			}
			return err
		}
		// The number of elements of this pair is not known.
		if popen != nil {
			w.openDict(th, d, popen.Elem, popen.Elem)
			continue
		}
		if len(pair) != 2 {
			return th.Raise("ValueError", "dictionary update sequence element #%d has length %d; 2 is required", i, len(pair))
		}
		if err := w.store(th, d, pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

// copyDict is a shallow copy; the class is for the caller to set.
func (w *World) copyDict(th value.Thread, d *value.Dict) (*value.Dict, error) {
	c := th.Heap().NewDict()
	for i := range d.Len() {
		key, err := th.HashKey(d.Key(i))
		if err != nil {
			return nil, err
		}
		c.Set(th.Heap(), key, d.Key(i), d.At(i))
	}
	c.Open, c.Factory = d.Open, d.Factory
	return c, nil
}

// dictUnion is a | b: a copy of a, of its class, updated by b.
func (w *World) dictUnion(th value.Thread, a, b *value.Dict) (value.Value, error) {
	c, err := w.copyDict(th, a)
	if err != nil {
		return nil, err
	}
	c.Class = a.Class
	return c, w.dictUpdate(th, c, b)
}

// A dictView is the Data of the instances that keys(), values() and items() give.
type dictView struct {
	d    *value.Dict
	kind viewKind
}

// A viewKind says what a view is of.
type viewKind uint8

const (
	keysView viewKind = iota
	valuesView
	itemsView
)

// newView makes a view of d: it shows later changes.
func (w *World) newView(th value.Thread, d *value.Dict, kind viewKind) value.Value {
	c := [...]*value.Class{w.dictKeys, w.dictValues, w.dictItems}[kind]
	return &value.Instance{Class: c, Data: &dictView{d, kind}}
}

// at is element i of the view.
func (v *dictView) at(i int) value.Value {
	switch v.kind {
	case keysView:
		return v.d.Key(i)
	case valuesView:
		return v.d.At(i)
	}
	return value.NewTuple(v.d.Key(i), v.d.At(i))
}

// viewIter is an iterator over a view. Of a dict with an open part all entries are alike. A change
// of the number of entries during the iteration is a RuntimeError, as in Python.
func (w *World) viewIter(th value.Thread, v *dictView, reverse bool) *value.Iterator {
	d := v.d
	name := [...]string{"dict_keyiterator", "dict_valueiterator", "dict_itemiterator"}[v.kind]
	if d.Open != nil {
		key, elem := d.Open.Key, d.Open.Elem
		for i := range d.Len() {
			key, elem = w.common(th, key, d.Key(i)), w.common(th, elem, d.At(i))
		}
		if key == nil {
			key = th.Unknown("keys of a dict are not known")
		}
		if elem == nil {
			elem = th.Unknown("values of a dict are not known")
		}
		e := [...]value.Value{key, elem, value.NewTuple(key, elem)}[v.kind]
		return newOpenIter(th, name, e, th.Pool().DimAdd(d.Open.Len, th.Pool().ConstDim(int64(d.Len()))))
	}
	n := d.Len()
	it := newIter(th, name, nil)
	it.Next = func(th value.Thread) (value.Value, bool, error) {
		if d.Len() != n || d.Open != nil {
			return nil, false, th.Raise("RuntimeError", "dictionary changed size during iteration")
		}
		i := it.Pos
		if i >= n {
			return nil, false, nil
		}
		if reverse {
			i = n - 1 - i
		}
		x := v.at(i)
		advance(th, it)
		return x, true, nil
	}
	return it
}

// viewContains is x in the view. An item is in items() if its key is there and the values are
// equal.
func (w *World) viewContains(th value.Thread, v *dictView, x value.Value) (value.Value, error) {
	switch v.kind {
	case keysView:
		_, at, err := w.find(th, v.d, x)
		return w.foundBool(th, at), err
	case itemsView:
		t, ok := x.(*value.Tuple)
		if !ok || len(t.Elems) != 2 {
			return value.Bool(false), nil
		}
		y, at, err := w.find(th, v.d, t.Elems[0])
		if err != nil || at != present {
			return w.foundBool(th, at), err
		}
		return w.same(th, y, t.Elems[1])
	}
	if v.d.Open != nil {
		return th.DataBool(nil), nil
	}
	elems := make([]value.Value, v.d.Len())
	for i := range elems {
		elems[i] = v.d.At(i)
	}
	return w.containsElem(th, elems, x)
}

// setOf makes a set of an iterable; a set is itself, and is not to be changed then. An x that
// cannot be iterated, or has elements that cannot be hashed, is a TypeError.
func (w *World) setOf(th value.Thread, x value.Value) (*value.Set, error) {
	if s, ok := x.(*value.Set); ok {
		return s, nil
	}
	s := th.Heap().NewSet()
	return s, w.setUpdate(th, s, x)
}

// setUpdate adds the elements of an iterable. Those of an open part join that of s. Errors are
// those of setOf.
func (w *World) setUpdate(th value.Thread, s *value.Set, x value.Value) error {
	if y, ok := x.(*value.Set); ok && y.Open != nil {
		x = &value.List{Elems: y.Elems()}
		w.openSet(th, s, y.Open)
	}
	elems, open, err := w.drain(th, x)
	if err != nil {
		return err
	}
	if open != nil {
		w.openSet(th, s, open)
		return nil
	}
	// CPython makes room for all elements before it adds them, which decides the order.
	switch x := x.(type) {
	case *value.Set:
		s.Merge(th.Heap(), x)
	case *value.Dict:
		s.Reserve(th.Heap(), len(elems))
	}
	for _, e := range elems {
		if err := th.Step(1); err != nil {
			return err
		}
		if err := w.setAdd(th, s, e); err != nil {
			return err
		}
	}
	return nil
}

// openSet notes that a set may have further elements like that of o.
func (w *World) openSet(th value.Thread, s *value.Set, o *value.Open) {
	th.Heap().Touch(s)
	n := &value.Open{Elem: o.Elem}
	if s.Open != nil {
		n.Elem = w.common(th, n.Elem, s.Open.Elem)
	}
	s.Open = n
}

// setReplace gives s the elements of x, in their order.
func (w *World) setReplace(th value.Thread, s, x *value.Set) error {
	s.Take(th.Heap(), x)
	return th.Step(x.Len())
}

// setCopy is a copy of s, as set.copy makes it.
func (w *World) setCopy(th value.Thread, s *value.Set) (*value.Set, error) {
	r := th.Heap().NewSet()
	r.Frozen = s.Frozen
	return r, w.setUpdate(th, r, s)
}

// setBinary is a op b for sets. The result is of the class kind of a. iterable says
// that b was made of an argument that is no set, which CPython goes through in its own
// order.
func (w *World) setBinary(th value.Thread, op ast.BinOperator, a, b *value.Set, iterable bool) (*value.Set, error) {
	if op == ast.BitOr {
		r, err := w.setCopy(th, a)
		if err == nil {
			err = w.setUpdate(th, r, b)
		}
		return r, err
	}
	if !a.OrderKnown() || !b.OrderKnown() {
		// Without an order all that can be said is which elements there are.
		r, err := w.setSelect(th, op, a, b, iterable)
		r.LoseOrder(th.Heap())
		return r, err
	}
	if err := th.Step(a.Len() + b.Len()); err != nil {
		return nil, err
	}
	switch op {
	case ast.BitAnd:
		return w.setIntersect(th, a, b, iterable)
	case ast.Sub:
		// CPython copies where a is much larger, and otherwise filters.
		if iterable || a.Len()>>2 > b.Len() {
			r, err := w.setCopy(th, a)
			if err == nil {
				err = w.setSubtract(th, r, b, iterable)
			}
			return r, err
		}
		return w.setFilter(th, a, a.Elems(), b, absent)
	default: // ast.BitXor: what is not in both, added to a copy of b
		r := b
		if !iterable { // else it is a new set already
			var err error
			if r, err = w.setCopy(th, b); err != nil {
				return nil, err
			}
		}
		r.Frozen = a.Frozen
		return r, w.setExclusive(th, r, a)
	}
}

// setInPlace is a op= b for sets; see setBinary.
func (w *World) setInPlace(th value.Thread, op ast.BinOperator, a, b *value.Set, iterable bool) error {
	switch {
	case op == ast.BitOr:
		return w.setUpdate(th, a, b)
	case op == ast.BitAnd || !a.OrderKnown() || !b.OrderKnown():
		r, err := w.setBinary(th, op, a, b, iterable)
		if err != nil {
			return err
		}
		return w.setReplace(th, a, r)
	case a == b:
		a.Clear(th.Heap())
		return nil
	case op == ast.Sub:
		return w.setSubtract(th, a, b, iterable)
	default:
		return w.setExclusive(th, a, b)
	}
}

// setIntersect is a & b: CPython goes through the smaller set, or through b.
func (w *World) setIntersect(th value.Thread, a, b *value.Set, iterable bool) (*value.Set, error) {
	switch {
	case iterable:
		return w.setFilter(th, a, b.Inserted(), a, present)
	case a == b:
		return w.setCopy(th, a)
	case b.Len() > a.Len():
		return w.setFilter(th, a, a.Elems(), b, present)
	}
	return w.setFilter(th, a, b.Elems(), a, present)
}

// setFilter makes a set, frozen as like is, of those elements that are in other (want is present),
// or not (absent).
func (w *World) setFilter(th value.Thread, like *value.Set, elems []value.Value, other *value.Set, want found) (*value.Set, error) {
	r := th.Heap().NewSet()
	r.Frozen = like.Frozen
	for _, e := range elems {
		at, err := w.setFind(th, other, e)
		if err == nil && at == want {
			err = w.setAdd(th, r, e)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, th.Step(len(elems))
}

// setSubtract is a -= b where both orders are known. Of a much larger b only the common part is
// gone through.
func (w *World) setSubtract(th value.Thread, a, b *value.Set, iterable bool) error {
	if !iterable && b.Len()>>3 > a.Len() {
		r, err := w.setIntersect(th, a, b, false)
		if err != nil {
			return err
		}
		b = r
	}
	for _, e := range b.Elems() {
		if _, err := w.setTake(th, a, e); err != nil {
			return err
		}
	}
	a.Shrink(th.Heap())
	return nil
}

// setExclusive is a ^= b where both orders are known.
func (w *World) setExclusive(th value.Thread, a, b *value.Set) error {
	for _, e := range b.Elems() {
		at, err := w.setTake(th, a, e)
		if err == nil && at == absent {
			err = w.setAdd(th, a, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setSelect is a op b for sets of which one has no known order or elements that are not known. An
// element of which it is not known whether it belongs to the result is a part of its open elements.
func (w *World) setSelect(th value.Thread, op ast.BinOperator, a, b *value.Set, iterable bool) (*value.Set, error) {
	r := th.Heap().NewSet()
	r.Frozen = a.Frozen
	take := func(from, other *value.Set, want found) error {
		for i := range from.Len() {
			e := from.At(i)
			if err := th.Step(1); err != nil {
				return err
			}
			at, err := w.setFind(th, other, e)
			if err != nil {
				return err
			}
			switch at {
			case want:
				err = w.setAdd(th, r, e)
			case unsure:
				w.openSet(th, r, &value.Open{Elem: e})
			}
			if err != nil {
				return err
			}
		}
		if from.Open != nil {
			w.openSet(th, r, from.Open)
		}
		return nil
	}
	var err error
	switch op {
	case ast.BitAnd: // of equal elements, those that CPython takes
		if a.Open == nil && b.Open == nil && (iterable || b.Len() <= a.Len()) {
			a, b = b, a
		}
		err = take(a, b, present)
	case ast.Sub:
		err = take(a, b, absent)
	case ast.BitXor:
		if err = take(a, b, absent); err == nil {
			err = take(b, a, absent)
		}
	}
	return r, err
}
