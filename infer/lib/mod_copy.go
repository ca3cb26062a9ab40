package lib

// This file defines the module copy. Both functions are native, because models
// clone layers with deepcopy. copy makes a new container with the same elements, deepcopy copies
// these, too, with a memo so that shared objects stay shared. The typed graph must see copies of
// tensors: a copied parameter is a parameter of its own, initialised with what the old one has.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
)

func copyModule(m *mod) {
	w := m.w
	m.def("copy(x)", func(th value.Thread, a []value.Value) (value.Value, error) { return w.copyValue(th, a[0]) })
	m.def("deepcopy(x, memo?, _nil?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return w.deepCopy(th, a[0], a[1])
	})
	m.set("Error", w.exception)
	m.set("error", w.exception)
}

// copyValue is copy.copy. A choice copies both of its values, and what cannot be changed is
// returned as it is. Objects without __copy__ are copied attribute by attribute, since CPython's
// way through __reduce_ex__ gives the same.
func (w *World) copyValue(th value.Thread, v value.Value) (value.Value, error) {
	h := th.Heap()
	if f, ok := w.copyHook(th, v, "__copy__"); ok {
		return th.Call(f, []value.Value{v}, nil)
	}
	switch x := v.(type) {
	case *value.Tuple, *value.Range:
		return v, nil
	case *value.List:
		return &value.List{Header: h.Header(), Class: x.Class, Elems: append([]value.Value(nil), x.Elems...), Open: x.Open,
			Attrs: copyAttrs(h, x.Attrs)}, nil
	case *value.Dict:
		d := &value.Dict{Header: h.Header(), Class: x.Class, Open: x.Open, Factory: x.Factory, Attrs: copyAttrs(h, x.Attrs)}
		for i := range x.Len() {
			if err := setDict(th, d, x.Key(i), x.At(i)); err != nil {
				return nil, err
			}
		}
		return d, nil
	case *value.Set:
		if x.Frozen {
			// A frozenset cannot be changed.
			return x, nil
		}
		s := &value.Set{Header: h.Header(), Class: x.Class, Open: x.Open, Attrs: copyAttrs(h, x.Attrs)}
		s.Merge(h, x)
		for i := range x.Len() {
			if err := addSet(th, s, x.At(i)); err != nil {
				return nil, err
			}
		}
		return s, nil
	case *value.Instance:
		y := &value.Instance{Class: x.Class, Attrs: copyAttrs(h, x.Attrs), Payload: x.Payload, Data: x.Data}
		if y.Attrs == nil {
			y.Attrs = h.NewAttrs()
		}
		y.Attrs.Class = x.Class
		return y, nil
	// The copy of a tensor shares its memory and elements.
	case *value.Tensor:
		t := *x
		t.Header = h.Header()
		t.Attrs = copyAttrs(h, x.Attrs)
		t.ShareStorage(h, x)
		t.SetContents(x.Contents())
		return &t, nil
	case *value.Iterator:
		return copyIterator(th, x, func(v value.Value) (value.Value, error) { return v, nil })
	case *value.Choice:
		return w.copyChoice(th, x, func(v value.Value) (value.Value, error) { return w.copyValue(th, v) })
	}
	return v, nil
}

// copyIterator copies an iterator and, by copy, what it holds. Generators and files cannot be
// copied, which raises TypeError.
func copyIterator(th value.Thread, it *value.Iterator, copy func(value.Value) (value.Value, error)) (value.Value, error) {
	switch {
	case it.Copy != nil:
		if err := th.Enter(""); err != nil { // iterators over iterators
			return nil, err
		}
		defer th.Leave()
		return it.Copy(th, copy)
	case it.Name == "pairwise":
		return nil, th.Raise("TypeError", "cannot pickle 'itertools.pairwise' object")
	case it.Send != nil || it.Name == "generator" || it.Name == "_TextIO":
		return nil, th.Raise("TypeError", "cannot pickle '%s' object", it.Name)
	}
	return th.Unknown("a copy of a " + it.Name), nil
}

// copyHook finds __copy__ or __deepcopy__ on the class of an object. None as the method means that
// there is none.
func (w *World) copyHook(th value.Thread, v value.Value, name string) (value.Value, bool) {
	switch v.(type) {
	case *value.Instance, *value.List, *value.Dict, *value.Tuple, *value.Set, *value.Tensor:
	default:
		return nil, false
	}
	f, ok := th.TypeOf(v).Lookup(name)
	return f, ok && f != value.None
}

// copyChoice copies both values of a choice. Both are copied, whichever the run takes.
func (w *World) copyChoice(th value.Thread, c *value.Choice, f func(value.Value) (value.Value, error)) (value.Value, error) {
	if err := th.Enter(""); err != nil {
		return nil, err
	}
	defer th.Leave()
	x, err := f(c.Then)
	if err != nil {
		return nil, err
	}
	y, err := f(c.Else)
	if err != nil {
		return nil, err
	}
	return &value.Choice{Cond: c.Cond, Then: x, Else: y}, nil
}

// copyAttrs is the shallow copy of an instance's attributes. The values are shared.
func copyAttrs(h *value.Heap, a *value.Attrs) *value.Attrs {
	if a == nil {
		return nil
	}
	b := h.NewAttrs()
	for i := range a.Len() {
		b.Set(h, a.Name(i), a.At(i))
	}
	return b
}

// setDict writes an entry of a dict that no special method watches. The key has been in a dict
// before, so it is hashable.
func setDict(th value.Thread, d *value.Dict, k, v value.Value) error {
	if err := th.Step(1); err != nil {
		return err
	}
	if s, ok := k.(value.Str); ok {
		d.SetStr(th.Heap(), string(s), v)
		return nil
	}
	key, err := th.HashKey(k)
	if err != nil {
		return err
	}
	d.Set(th.Heap(), key, k, v)
	return nil
}

// addSet adds an element under its key. The element has been in a set before.
func addSet(th value.Thread, s *value.Set, v value.Value) error {
	if err := th.Step(1); err != nil {
		return err
	}
	key, err := th.HashKey(v)
	if err != nil {
		return err
	}
	s.Add(th.Heap(), key, v)
	return nil
}

// A copier makes one deep copy. It lives for one call of deepcopy, and its memo for as long as the
// program keeps it.
type copier struct {
	w    *World
	th   value.Thread
	memo *value.Dict
	// With more entries than these someone else wrote to the memo.
	own int // entries of memo that the copier made
}

// memoKey is the key under which the copier itself enters objects; user code
// that shares the memo uses ids. It is no value of Python, so no entry of the program can have it.
type memoKey struct{ v value.Value }

// deepCopy is copy.deepcopy. memo may be given by a __deepcopy__ of the program that calls deepcopy
// again.
func (w *World) deepCopy(th value.Thread, v, memo value.Value) (value.Value, error) {
	c := copier{w: w, th: th}
	if d, ok := memo.(*value.Dict); ok {
		c.memo = d
	} else {
		c.memo = th.Heap().NewDict()
	}
	return c.copy(v)
}

// enter notes a copy before its elements are copied, so that an object which holds itself is copied once. The
// thread hears of it: modules that are copied have names for their parameters.
func (c *copier) enter(old, new value.Value) {
	c.memo.Set(c.th.Heap(), memoKey{old}, value.None, new)
	c.own++
	c.th.DeepCopied(old, new)
}

// known finds a copy that was made before. Entries that the program made are under the id of the
// object, as CPython's are. An error is that of id or of hashing.
func (c *copier) known(v value.Value) (value.Value, bool, error) {
	if x, ok := c.memo.Get(memoKey{v}); ok {
		return x, true, nil
	}
	if c.memo.Len() <= c.own {
		return nil, false, nil
	}
	id, err := c.w.callBuiltin(c.th, "id", v)
	if err != nil {
		return nil, false, err
	}
	key, err := c.th.HashKey(id)
	if err != nil {
		return nil, false, err
	}
	x, ok := c.memo.Get(key)
	return x, ok, nil
}

// copy is copy.deepcopy of one value. What cannot be changed is not copied; containers of immutables, as
// tuples, only where an element was. __deepcopy__ comes first. The form of a list's unknown part is copied,
// too.
func (c *copier) copy(v value.Value) (value.Value, error) {
	th, h := c.th, c.th.Heap()
	if err := th.Enter(""); err != nil {
		return nil, err
	}
	defer th.Leave()
	if err := th.Step(1); err != nil {
		return nil, err
	}
	switch x := v.(type) {
	case *value.List, *value.Dict, *value.Set, *value.Tuple, *value.Instance, *value.Tensor:
		if y, ok, err := c.known(v); ok || err != nil {
			return y, err
		}
		if f, ok := c.w.copyHook(th, v, "__deepcopy__"); ok {
			y, err := th.Call(f, []value.Value{v, c.memo}, nil)
			if err == nil && y != v {
				c.enter(v, y)
			}
			return y, err
		}
	// A method of a copied object belongs to the copy.
	case *value.BoundMethod:
		self, err := c.copy(x.Self)
		if err != nil || self == x.Self {
			return v, err
		}
		return &value.BoundMethod{Self: self, Func: x.Func}, nil
	case *value.Iterator:
		if y, ok, err := c.known(v); ok || err != nil {
			return y, err
		}
		y, err := copyIterator(th, x, c.copy)
		if err == nil {
			c.enter(x, y)
		}
		return y, err
	case *value.Choice:
		return c.w.copyChoice(th, x, c.copy)
	// Functions, classes, modules and immutable values.
	default:
		return v, nil
	}
	switch x := v.(type) {
	case *value.List:
		y := &value.List{Header: h.Header(), Class: x.Class}
		// Before the elements, so that a list which holds itself refers to its copy.
		c.enter(x, y)
		for _, e := range x.Elems {
			n, err := c.copy(e)
			if err != nil {
				return nil, err
			}
			y.Elems = append(y.Elems, n)
		}
		var err error
		if y.Open, err = c.open(x.Open); err != nil {
			return nil, err
		}
		y.Attrs, err = c.attrs(x.Attrs)
		return y, err
	case *value.Dict:
		y := &value.Dict{Header: h.Header(), Class: x.Class, Factory: x.Factory}
		c.enter(x, y)
		for i := range x.Len() {
			k, err := c.copy(x.Key(i))
			if err != nil {
				return nil, err
			}
			n, err := c.copy(x.At(i))
			if err != nil {
				return nil, err
			}
			if err := setDict(th, y, k, n); err != nil {
				return nil, err
			}
		}
		var err error
		if y.Open, err = c.open(x.Open); err != nil {
			return nil, err
		}
		y.Attrs, err = c.attrs(x.Attrs)
		return y, err
	case *value.Set:
		y := &value.Set{Header: h.Header(), Class: x.Class, Frozen: x.Frozen}
		c.enter(x, y)
		for i := range x.Len() {
			n, err := c.copy(x.At(i))
			if err != nil {
				return nil, err
			}
			if err := addSet(th, y, n); err != nil {
				return nil, err
			}
		}
		var err error
		if y.Open, err = c.open(x.Open); err != nil {
			return nil, err
		}
		y.Attrs, err = c.attrs(x.Attrs)
		return y, err
	case *value.Tuple:
		return c.tuple(x)
	case *value.Instance:
		return c.instance(x)
	}
	return c.tensor(v.(*value.Tensor))
}

// tuple keeps a tuple of which no element changes, as CPython does. The elements are copied first,
// because a tuple cannot be made before them.
func (c *copier) tuple(x *value.Tuple) (value.Value, error) {
	elems, same := make([]value.Value, len(x.Elems)), true
	for i, e := range x.Elems {
		n, err := c.copy(e)
		if err != nil {
			return nil, err
		}
		elems[i], same = n, same && sameObject(n, e)
	}
	if same && x.Attrs == nil {
		return x, nil
	}
	// An element may have led back to the tuple.
	if y, ok, err := c.known(x); ok || err != nil {
		return y, err
	}
	attrs, err := c.attrs(x.Attrs)
	if err != nil {
		return nil, err
	}
	y := &value.Tuple{Class: x.Class, Elems: elems, Attrs: attrs}
	c.enter(x, y)
	return y, nil
}

// sameObject compares two values by identity; values that are not comparable in
// Go do not exist.
func sameObject(a, b value.Value) bool { return a == b }

// open copies the unknown part of a container. It stands for many elements with one value, which is
// copied once.
func (c *copier) open(o *value.Open) (*value.Open, error) {
	if o == nil {
		return nil, nil
	}
	n := *o
	var err error
	if n.Elem != nil {
		if n.Elem, err = c.copy(o.Elem); err != nil {
			return nil, err
		}
	}
	return &n, nil
}

// attrs copies attributes deeply. The order stays.
func (c *copier) attrs(a *value.Attrs) (*value.Attrs, error) {
	if a == nil {
		return nil, nil
	}
	h := c.th.Heap()
	b := h.NewAttrs()
	for i := range a.Len() {
		v, err := c.copy(a.At(i))
		if err != nil {
			return nil, err
		}
		b.Set(h, a.Name(i), v)
	}
	return b, nil
}

// instance copies an object through __getstate__ and __setstate__ where the
// user's class defines them, else attribute by attribute. __reduce__ is not followed. Without
// __setstate__ the state, if it is a dict, becomes the attributes.
func (c *copier) instance(x *value.Instance) (value.Value, error) {
	th, h := c.th, c.th.Heap()
	y := &value.Instance{Class: x.Class, Attrs: h.NewAttrs(), Payload: x.Payload, Data: x.Data}
	y.Attrs.Class = x.Class
	c.enter(x, y)
	get, hasGet := userMethod(x.Class, "__getstate__")
	set, hasSet := userMethod(x.Class, "__setstate__")
	if !hasGet && !hasSet {
		var err error
		for i := range x.Attrs.Len() {
			var v value.Value
			if v, err = c.copy(x.Attrs.At(i)); err != nil {
				return nil, err
			}
			y.Attrs.Set(h, x.Attrs.Name(i), v)
		}
		return y, nil
	}
	var state value.Value
	if hasGet {
		s, err := th.Call(get, []value.Value{x}, nil)
		if err != nil {
			return nil, err
		}
		state = s
	} else {
		d := h.NewDict()
		for i := range x.Attrs.Len() {
			d.SetStr(h, x.Attrs.Name(i), x.Attrs.At(i))
		}
		state = d
	}
	state, err := c.copy(state)
	if err != nil {
		return nil, err
	}
	if hasSet {
		_, err := th.Call(set, []value.Value{y, state}, nil)
		return y, err
	}
	if d, ok := state.(*value.Dict); ok {
		for i := range d.Len() {
			if s, ok := value.AsStr(d.Key(i)); ok {
				y.Attrs.Set(h, s, d.At(i))
			}
		}
	}
	return y, nil
}

// userMethod finds a method that user code defines. Those of the prelude (as
// nn.Module.__setstate__, which fills in what old files lack) are left out, but __getstate__. The
// second result is false for native methods as well.
func userMethod(c *value.Class, name string) (value.Value, bool) {
	for _, k := range c.MRO {
		if f, ok := k.Attrs.Get(name); ok {
			_, isFunc := f.(*value.Func)
			return f, isFunc && (!k.Prelude || name == "__getstate__") && k.Module != "builtins"
		}
	}
	return nil, false
}

// tensor copies a tensor. A parameter becomes a parameter of its own; another
// tensor keeps its value, of which it is a clone. Within the setup of a model a tensor gets a value
// of its own, so that later writes to one do not change the other. Gradients and attributes are
// copied as attributes.
func (c *copier) tensor(x *value.Tensor) (value.Value, error) {
	h := c.th.Heap()
	y := *x
	y.Header = h.Header()
	y.Storage = nil
	y.SetContents(append([]value.Value(nil), x.Contents()...))
	if x.Contents() == nil {
		y.SetContents(nil)
	}
	if v := x.V; v != nil && (v.Param && v.Def == nil || c.th.Graph().InSetup() && v.Kind == graph.TensorKind) {
		y.V = c.th.Graph().NewValue(v.Kind, v.Type, v.At)
		y.V.Param, y.V.Calls = v.Param && v.Def == nil, v.Calls
		copied(c.th.Graph(), y.V, v)
	}
	c.enter(x, &y)
	attrs, err := c.attrs(x.Attrs)
	if err != nil {
		return nil, err
	}
	y.Attrs = attrs
	return &y, nil
}

// copied notes that v has the elements that from has now: that of a parameter as its
// initialisation, and of another tensor as its definition. Outside of the setup a parameter needs
// no initialisation.
func copied(b *graph.Builder, v, from *graph.Value) {
	switch {
	case !v.Param:
		n := catalog.NewNode("torch.clone")
		n.Args, n.Outputs, n.At = []graph.Arg{{Name: "input", Value: from}}, []*graph.Value{v}, v.At
		b.Emit(n)
	case b.InSetup():
		b.Emit(&graph.Node{Op: graph.InitPrefix + "copy", Args: []graph.Arg{{Name: "self", Value: v}, {Name: "args", Value: graph.Tuple{from}}},
			At: v.At})
	}
}
