package lib

// This file defines dict with its views, set and frozenset. A dict knows its entries, and may have
// an open part beside them, whose keys and values are only known by what they have in common. A
// question about a key has three answers: present, absent and unsure (found). What is done for an
// unsure one must be right for both: a value that may be the default is joined with it, and a write
// may or may not make a new entry (maybeEntry). Sets are the same with elements for keys. Their
// order is CPython's where it can be computed, and otherwise lost, which makes each element any of
// them.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// Views are instances whose Data is a dictView. mappingproxy is a dict that the program sees under
// another name.
var mappingClasses = []classSpec{
	{name: "dict", layout: value.DictLayout, procs: dictProcs, fill: notHashable},
	{name: "mappingproxy", base: "dict", hidden: true},
	{name: "dict_keys", hidden: true, procs: join(viewProcs, keyViewProcs)},
	{name: "dict_values", hidden: true, procs: viewProcs},
	{name: "dict_items", hidden: true, procs: join(viewProcs, keyViewProcs)},
	{name: "set", layout: value.SetLayout, procs: join(setProcs, mutableSetProcs), fill: notHashable},
	{name: "frozenset", layout: value.SetLayout, procs: join(setProcs, dunders(hashDunder, "", "__hash__"))},
}

var dictProcs = join([]proc{
	// __new__ makes an empty dict and __init__ fills it, so that a subclass may do either itself.
	{name: "__new__", params: "*args **kw", kind: newProc, fn: func(c *call) (value.Value, error) {
		// A subclass has attributes of its own.
		d := c.th.Heap().NewDict()
		if cls, _ := c.self.(*value.Class); cls != c.w.dict {
			d.Class = cls
			d.Attrs = c.th.Heap().NewAttrs()
		}
		return d, nil
	}},
	{name: "__init__", params: "iterable? **kw", fn: dictUpdateProc},
	{name: "update", params: "iterable? **kw", fn: dictUpdateProc},
	// get never calls __missing__, as in CPython.
	{name: "get", params: "key default?", fn: func(c *call) (value.Value, error) {
		// A key that is not known: one of the values, where all are numbers or texts, or the
		// default.
		if value.IsUnknown(c.args[0]) {
			if v := c.w.anyScalar(c.th, c.dict()); v != nil {
				return c.w.common(c.th, v, c.arg(1, value.None)), nil
			}
			_, err := c.w.anyEntry(c.th, c.dict(), c.args[0])
			return c.args[0], err
		}
		v, at, err := c.w.find(c.th, c.dict(), c.args[0])
		switch {
		case err != nil:
			return nil, err
		case at == present:
			return v, nil
		case at == absent:
			return c.arg(1, value.None), nil
		}
		return c.w.common(c.th, v, c.arg(1, value.None)), nil
	}},
	// setdefault reads and writes in one step.
	{name: "setdefault", params: "key default?", fn: func(c *call) (value.Value, error) {
		d := c.dict()
		v, at, err := c.w.find(c.th, d, c.args[0])
		if err != nil || at == present {
			return v, err
		}
		x := c.arg(1, value.None)
		// The key may be there: both what was there and the default are possible from now on.
		if at == unsure {
			c.w.maybeEntry(c.th, d, c.args[0], x)
			return c.w.common(c.th, v, x), nil
		}
		return x, c.w.store(c.th, d, c.args[0], x)
	}},
	// pop takes the entry out; where the key is unsure its value is one that may be the default.
	{name: "pop", params: "key default?", fn: func(c *call) (value.Value, error) {
		v, at, err := c.w.dictTake(c.th, c.dict(), c.args[0])
		switch {
		case err != nil:
			return nil, err
		case at == present:
			return v, nil
		case at == absent && c.args[1] != nil:
			return c.args[1], nil
		case at == absent:
			return nil, c.w.keyError(c.th, c.args[0])
		case c.args[1] != nil:
			return c.w.common(c.th, v, c.args[1]), nil
		}
		return v, nil
	}},
	// CPython takes the last entry. An open dict may have any last entry.
	{name: "popitem", fn: func(c *call) (value.Value, error) {
		d := c.dict()
		if d.Open != nil {
			u := c.th.Unknown("entries of a dict are not known")
			return value.NewTuple(u, u), nil
		}
		n := d.Len()
		if n == 0 {
			return nil, c.w.keyErrorText(c.th, "popitem(): dictionary is empty")
		}
		pair := value.NewTuple(d.Key(n-1), d.At(n-1))
		key, err := c.th.HashKey(d.Key(n - 1))
		if err != nil {
			return nil, err
		}
		d.Delete(c.th.Heap(), key)
		return pair, nil
	}},
	// The open part is cleared too.
	{name: "clear", fn: func(c *call) (value.Value, error) {
		c.dict().Clear(c.th.Heap())
		return value.None, nil
	}},
	// A subclass that does not define copy() itself gives a plain dict.
	{name: "copy", fn: func(c *call) (value.Value, error) {
		d, err := c.w.copyDict(c.th, c.dict())
		if err != nil {
			return nil, err
		}
		// These keep their class in a copy, as they define copy() so.
		if k := c.dict().Class; k != nil && (k.Name == "OrderedDict" || k.Name == "defaultdict" || k.Name == "Counter") {
			d.Class = k
			d.Attrs = c.th.Heap().NewAttrs()
		}
		return d, nil
	}},
	{name: "keys", fn: func(c *call) (value.Value, error) { return c.w.newView(c.th, c.dict(), keysView), nil }},
	{name: "values", fn: func(c *call) (value.Value, error) { return c.w.newView(c.th, c.dict(), valuesView), nil }},
	{name: "items", fn: func(c *call) (value.Value, error) { return c.w.newView(c.th, c.dict(), itemsView), nil }},
	// fromkeys shares one value among all keys, as in CPython.
	{name: "fromkeys", params: "iterable value?", kind: classProc, fn: dictFromKeys},
	{name: "__getitem__", params: "key", fn: getItemDunder},
	{name: "__setitem__", params: "key value", fn: setItemDunder},
	{name: "__delitem__", params: "key", fn: delItemDunder},
	{name: "__contains__", params: "key", fn: containsDunder},
	{name: "__len__", fn: lenDunder},
	{name: "__iter__", fn: iterDunder},
	{name: "__reversed__", fn: func(c *call) (value.Value, error) {
		return c.w.viewIter(c.th, &dictView{c.dict(), keysView}, true), nil
	}},
}, genericProc, dunders(binaryDunder, "other", "__or__ __ror__"), dunders(inPlaceDunder, "other", "__ior__"),
	dunders(compareDunder, "other", equalNames), dunders(reprDunder, "", "__repr__"))

// dict is self as a dict. An abstract one is an open dict that nobody else sees. What is written to
// it is lost, as for any object of which only the class is known.
func (c *call) dict() *value.Dict {
	if d, ok := c.self.(*value.Dict); ok {
		return d
	}
	d := c.th.Heap().NewDict()
	d.Open = &value.Open{}
	return d
}

// keyErrorText raises a KeyError whose argument is a text of the interpreter and no key, as of popitem on an
// empty dict: str() of it has quotes. str() of a KeyError quotes its argument, which this text is
// not to be.
func (w *World) keyErrorText(th value.Thread, msg string) error {
	err := th.Raise("KeyError", "'%s'", msg)
	if e, ok := err.(*value.Exception); ok {
		e.Value.Attrs.Set(th.Heap(), "args", value.NewTuple(value.Str(msg)))
	}
	return err
}

// dictUpdateProc takes a mapping or pairs, then keywords, in this order, so that keywords win. The
// error is that of an argument that is neither a mapping nor pairs, or of a key that has no hash.
func dictUpdateProc(c *call) (value.Value, error) {
	d := c.dict()
	if c.args[0] != nil {
		if err := c.w.dictUpdate(c.th, d, c.args[0]); err != nil {
			return nil, err
		}
	}
	for _, k := range c.kw {
		if err := c.w.store(c.th, d, value.Str(k.Name), k.Value); err != nil {
			return nil, err
		}
	}
	return value.None, nil
}

// dictFromKeys is a class method: a subclass is called for an empty object, whose __setitem__ is
// used. The error is that of the iteration, of the class, or of a key.
func dictFromKeys(c *call) (value.Value, error) {
	elems, open, err := c.w.drain(c.th, c.args[0])
	if err != nil {
		return nil, err
	}
	v := c.arg(1, value.None)
	var d value.Value = c.th.Heap().NewDict()
	if cls, _ := c.self.(*value.Class); cls != c.w.dict {
		if d, err = c.th.Call(cls, nil, nil); err != nil {
			return nil, err
		}
	}
	// Keys of an unknown number are the open part of the dict.
	if open != nil {
		if m, ok := d.(*value.Dict); ok {
			c.w.addOpen(c.th, m, &value.Open{Key: open.Elem, Elem: v})
			return m, nil
		}
		return c.th.Unknown("keys of a dict are not known"), nil
	}
	for _, e := range elems {
		if err := c.th.Step(1); err != nil {
			return nil, err
		}
		if err := c.th.SetItem(d, e, v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// view is self as a dict view; one that is not known is a view of an open dict. Its contents may be
// anything.
func (c *call) view() *dictView {
	if i, ok := c.self.(*value.Instance); ok {
		if v, ok := i.Data.(*dictView); ok {
			return v
		}
	}
	d := c.th.Heap().NewDict()
	d.Open = &value.Open{}
	return &dictView{d: d}
}

// A view shows the dict as it is when it is looked at.
var viewProcs = join([]proc{
	{name: "__len__", fn: lenDunder},
	{name: "__iter__", fn: iterDunder},
	{name: "__contains__", params: "item", fn: containsDunder},
	{name: "__reversed__", fn: func(c *call) (value.Value, error) { return c.w.viewIter(c.th, c.view(), true), nil }},
}, dunders(reprDunder, "", "__repr__"))

// keyViewProcs are the set operations of dict.keys() and dict.items(). values() has none of them,
// as values need not have hashes.
var keyViewProcs = join([]proc{
	{name: "isdisjoint", params: "other", fn: func(c *call) (value.Value, error) {
		a, err := c.w.setOf(c.th, c.self)
		if err != nil {
			return nil, err
		}
		return c.w.disjoint(c.th, a, c.args[0])
	}},
}, dunders(viewSetOp, "other", setOpNames), dunders(viewCompare, "other", orderNames))

// viewSetOp computes with keys() and items() as with sets. The order of what results is not known: CPython goes
// through the operands in other ways than for sets, and a set's order depends on addresses anyway.
// The operands may be in either order: the reflected methods begin with "__r". It returns a set.
// The error is a TypeError for an operand that cannot be iterated over.
func viewSetOp(c *call) (value.Value, error) {
	a, err := c.w.setOf(c.th, c.self)
	if err != nil {
		return nil, err
	}
	if value.IsUnknown(c.args[0]) {
		return c.args[0], nil
	}
	b, err := c.w.setOf(c.th, c.args[0])
	if err != nil {
		return nil, err
	}
	name := c.p.name
	op, ok := binaryDunders[name]
	// The name without its r is that of the operator, whose operands are then exchanged.
	if !ok {
		op, a, b = binaryDunders["__"+name[3:]], b, a
	}
	r, err := c.w.setBinary(c.th, op, a, b, false)
	if err != nil {
		return nil, err
	}
	r.Frozen = false
	r.LoseOrder(c.th.Heap()) // CPython goes through them in other ways than through sets
	return r, nil
}

// viewCompare compares a view with sets and other views; everything else has its own turn. Only
// sets and views are compared with views. It returns NotImplemented for all others, so that the
// other side is asked.
func viewCompare(c *call) (value.Value, error) {
	switch c.args[0].(type) {
	case *value.Set, *value.Instance:
		if i, ok := c.args[0].(*value.Instance); ok {
			if _, ok := i.Data.(*dictView); !ok {
				return value.NotImplemented, nil
			}
		}
	default:
		return value.NotImplemented, nil
	}
	a, err := c.w.setOf(c.th, c.self)
	if err != nil {
		return nil, err
	}
	b, err := c.w.setOf(c.th, c.args[0])
	if err != nil {
		return nil, err
	}
	switch op := compareDunders[c.p.name]; op {
	case ast.Eq:
		return c.w.equalSets(c.th, a, b)
	case ast.NotEq:
		v, err := c.w.equalSets(c.th, a, b)
		return c.w.notBool(c.th, v), err
	default:
		return c.w.orderSets(c.th, op, a, b)
	}
}

// These do not change the set, so that a frozenset has them too.
var setProcs = join([]proc{
	{name: "__new__", params: "*args **kw", kind: newProc, fn: setNew},
	{name: "copy", fn: func(c *call) (value.Value, error) {
		return c.w.setCopy(c.th, c.set())
	}},
	{name: "union", params: "*others", fn: setMethod(ast.BitOr)},
	{name: "intersection", params: "*others", fn: setMethod(ast.BitAnd)},
	{name: "difference", params: "*others", fn: setMethod(ast.Sub)},
	{name: "symmetric_difference", params: "*others", fn: setMethod(ast.BitXor)},
	{name: "isdisjoint", params: "other", fn: func(c *call) (value.Value, error) {
		return c.w.disjoint(c.th, c.set(), c.args[0])
	}},
	// issubset and issuperset take any iterable, the operators only sets.
	{name: "issubset", params: "other", fn: func(c *call) (value.Value, error) {
		b, err := c.w.setOf(c.th, c.args[0])
		if err != nil {
			return nil, err
		}
		return c.w.orderSets(c.th, ast.LtE, c.set(), b)
	}},
	{name: "issuperset", params: "other", fn: func(c *call) (value.Value, error) {
		b, err := c.w.setOf(c.th, c.args[0])
		if err != nil {
			return nil, err
		}
		return c.w.orderSets(c.th, ast.GtE, c.set(), b)
	}},
	{name: "__len__", fn: lenDunder},
	{name: "__iter__", fn: iterDunder},
	{name: "__contains__", params: "item", fn: containsDunder},
}, genericProc, dunders(binaryDunder, "other", setOpNames), dunders(compareDunder, "other", orderNames),
	dunders(reprDunder, "", "__repr__"))

// set is the receiver; one that is no set is some instance of unknown elements.
func (c *call) set() *value.Set {
	if s, ok := c.self.(*value.Set); ok {
		return s
	}
	s := c.th.Heap().NewSet()
	s.Open = &value.Open{}
	return s
}

// setNew makes the object, and for a frozenset fills it, as it cannot be changed by __init__. A frozenset of a
// frozenset is that one itself. Without an argument a frozenset is empty. A subclass has attributes
// of its own.
func setNew(c *call) (value.Value, error) {
	s := c.th.Heap().NewSet()
	cls, _ := c.self.(*value.Class)
	s.Frozen = cls.IsSubclass(c.w.frozenset)
	if cls != c.w.set && cls != c.w.frozenset {
		s.Class = cls
		s.Attrs = c.th.Heap().NewAttrs()
	}
	if s.Frozen && len(c.rest) > 0 {
		if len(c.rest) > 1 {
			return nil, c.th.Raise("TypeError", "frozenset expected at most 1 argument, got %d", len(c.rest))
		}
		if f, ok := c.rest[0].(*value.Set); ok && f.Frozen && f.Class == nil && s.Class == nil {
			return f, nil
		}
		return s, c.w.setUpdate(c.th, s, c.rest[0])
	}
	return s, nil
}

// disjoint is true unless some element is surely in both. An element that may be in both leaves the
// answer to data: the conditions of all elements are joined by or. An x that cannot be iterated is
// a TypeError. Elements are looked up in b by hash, where they are known.
func (w *World) disjoint(th value.Thread, a *value.Set, x value.Value) (value.Value, error) {
	b, err := w.setOf(th, x)
	if err != nil {
		return nil, err
	}
	var any value.Value = value.Bool(false)
	for i := range a.Len() {
		if err := th.Step(1); err != nil {
			return nil, err
		}
		at, err := w.setFind(th, b, a.At(i))
		if err != nil {
			return nil, err
		}
		any = w.orBool(th, any, w.foundBool(th, at))
	}
	// Elements that are not known one by one may be in both.
	if a.Open != nil {
		any = w.orBool(th, any, th.DataBool(nil))
	}
	return w.notBool(th, any), nil
}

// setMethod makes union, intersection, difference and symmetric_difference, which take any
// iterables, unlike the operators. Of no arguments they give a copy. The result is a set or
// frozenset as the receiver is. An argument that cannot be iterated over is a TypeError.
func setMethod(op ast.BinOperator) func(c *call) (value.Value, error) {
	return func(c *call) (value.Value, error) {
		r := c.set()
		// Union adds to a copy, one argument after the other.
		if len(c.rest) == 0 || op == ast.BitOr {
			var err error
			if r, err = c.w.setCopy(c.th, r); err != nil {
				return nil, err
			}
		}
		for i, x := range c.rest {
			if value.IsUnknown(x) {
				return x, nil
			}
			if op == ast.BitOr {
				if err := c.w.setUpdate(c.th, r, x); err != nil {
					return nil, err
				}
				continue
			}
			o, err := c.w.setOf(c.th, x)
			if err != nil {
				return nil, err
			}
			_, isSet := x.(*value.Set)
			if op == ast.Sub && i > 0 { // of the set that is made already
				err = c.w.setInPlace(c.th, op, r, o, !isSet)
			} else {
				r, err = c.w.setBinary(c.th, op, r, o, !isSet)
			}
			if err != nil {
				return nil, err
			}
			// The order after an operation with a dict is not known.
			loseDictOrder(c.th, r, x)
		}
		return r, nil
	}
}

// They change the set in place, noted by the heap, so that a branch can be wound back.
var mutableSetProcs = join([]proc{
	{name: "__init__", params: "iterable?", fn: func(c *call) (value.Value, error) {
		if c.args[0] == nil {
			return value.None, nil
		}
		return value.None, c.w.setUpdate(c.th, c.set(), c.args[0])
	}},
	{name: "add", params: "elem", fn: func(c *call) (value.Value, error) {
		return value.None, c.w.setAdd(c.th, c.set(), c.args[0])
	}},
	// discard removes what is there; remove demands that it is.
	{name: "discard", params: "elem", fn: func(c *call) (value.Value, error) {
		_, err := c.w.setTake(c.th, c.set(), c.args[0])
		return value.None, err
	}},
	{name: "remove", params: "elem", fn: func(c *call) (value.Value, error) {
		at, err := c.w.setTake(c.th, c.set(), c.args[0])
		if err == nil && at == absent {
			err = c.w.keyError(c.th, c.args[0])
		}
		return value.None, err
	}},
	// pop gives the element that CPython would, where the order is known.
	{name: "pop", fn: func(c *call) (value.Value, error) {
		s := c.set()
		// pop of a set whose order is not known gives any element, and leaves a set of any of them.
		if s.Open != nil {
			return c.th.Unknown("elements of a set are not known"), nil
		}
		if s.Len() == 0 {
			return nil, c.w.keyErrorText(c.th, "pop from an empty set")
		}
		if !s.OrderKnown() {
			v, err := c.w.oneOfSet(c.th, s)
			if err != nil {
				return nil, err
			}
			return v, c.w.setReplace(c.th, s, &value.Set{Open: &value.Open{Elem: v}})
		}
		// Deleting may move other elements, which costs steps.
		if err := c.th.Step(1 + s.Len()/deleteSteps); err != nil {
			return nil, err
		}
		return s.Pop(c.th.Heap()), nil
	}},
	{name: "clear", fn: func(c *call) (value.Value, error) {
		c.set().Clear(c.th.Heap())
		return value.None, nil
	}},
	{name: "update", params: "*others", fn: func(c *call) (value.Value, error) {
		for _, x := range c.rest {
			if err := c.w.setUpdate(c.th, c.set(), x); err != nil {
				return nil, err
			}
		}
		return value.None, nil
	}},
	{name: "intersection_update", params: "*others", fn: setUpdateMethod(ast.BitAnd)},
	{name: "difference_update", params: "*others", fn: setUpdateMethod(ast.Sub)},
	{name: "symmetric_difference_update", params: "*others", fn: setUpdateMethod(ast.BitXor)},
}, dunders(inPlaceDunder, "other", setInPlace))

// setUpdateMethod makes the forms that change the set. Intersection makes a new one and puts its
// elements in place, as CPython does. Without an argument nothing changes. An unknown argument
// leaves elements that are not known.
func setUpdateMethod(op ast.BinOperator) func(c *call) (value.Value, error) {
	method := setMethod(op)
	return func(c *call) (value.Value, error) {
		if op == ast.BitAnd || slices.ContainsFunc(c.rest, value.IsUnknown) {
			r, err := method(c)
			if s, ok := r.(*value.Set); ok && err == nil {
				err = c.w.setReplace(c.th, c.set(), s)
			}
			return value.None, err
		}
		for _, x := range c.rest {
			o, err := c.w.setOf(c.th, x)
			if err != nil {
				return nil, err
			}
			_, isSet := x.(*value.Set)
			if err := c.w.setInPlace(c.th, op, c.set(), o, !isSet); err != nil {
				return nil, err
			}
			loseDictOrder(c.th, c.set(), x)
		}
		return value.None, nil
	}
}

// loseDictOrder forgets the order of what was made with a dict that was not added to a set: CPython
// goes through dicts neither as through sets nor as through others. Operations with sets and lists
// keep an order that can be computed.
func loseDictOrder(th value.Thread, r *value.Set, x value.Value) {
	if _, ok := x.(*value.Dict); ok {
		r.LoseOrder(th.Heap())
	}
}

// setTake removes an element and says whether it was there. One that may be there leaves a set of
// unknown elements, each like those before. An element that cannot be hashed is a TypeError. unsure
// is returned with the set already changed.
func (w *World) setTake(th value.Thread, s *value.Set, v value.Value) (found, error) {
	at, err := w.setFind(th, s, v)
	if err != nil {
		return absent, err
	}
	switch at {
	case present:
		key, err := th.HashKey(v)
		if err != nil {
			return absent, err
		}
		if err := th.Step(1 + s.Len()/deleteSteps); err != nil {
			return absent, err
		}
		s.Delete(th.Heap(), key)
	case unsure:
		elem := v
		for i := range s.Len() {
			elem = w.common(th, elem, s.At(i))
		}
		return at, w.setReplace(th, s, &value.Set{Open: &value.Open{Elem: elem}})
	}
	return at, nil
}

// oneOfSet stands for one element of a set that is not empty: what all its elements have in common.
// It costs a step for each element.
func (w *World) oneOfSet(th value.Thread, s *value.Set) (value.Value, error) {
	v := s.At(0)
	for i := range s.Len() {
		if err := th.Step(1); err != nil {
			return nil, err
		}
		v = w.common(th, v, s.At(i))
	}
	return v, nil
}
