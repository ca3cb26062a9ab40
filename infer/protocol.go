package infer

// This file implements the protocols of Python objects: truth, subscripts,
// iteration, hashing and text. A protocol is tried in the same order everywhere: what is not known
// gives a value that is not known; a Choice is distributed over its alternatives; tensors have
// their records; then the dunder method of the program's class, and last the builtin classes, which
// World implements. An object whose class has an unknown base may have any method, so that the
// result is not known either.

import (
	"errors"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// Truth gives bool(v). An error is what __bool__ or __len__ raises, a TypeError where the former gives no bool, or the
// exception for a tensor or array that has no truth value, since it has several elements.
func (in *Interp) Truth(v value.Value) (value.Value, error) {
	// Tracers see each truth that is asked for, as it may guard a graph.
	for _, t := range in.tracers.all {
		t.Truth(v)
	}
	switch x := v.(type) {
	case value.Bool, *value.SymBool:
		return v, nil
	case value.NoneType:
		return value.Bool(false), nil
	case value.Int:
		return value.Bool(x != 0), nil
	case value.Str:
		return value.Bool(x != ""), nil
	// The truth of a size is the condition that it is not 0.
	case *value.SymInt:
		if x.D.Expr == nil {
			if x.D.Known {
				return value.Bool(x.D.Val != 0), nil
			}
			return in.DataBool(nil), nil
		}
		return symBool(in.pool.Ne(x.D.Expr, in.pool.Const(0))), nil
	// An unknown value has a fresh truth value.
	case *value.Unknown:
		return in.flow.guess(), nil
	case *value.Abstract:
		return in.DataBool(nil), nil
	case *value.Choice:
		return truthOfChoice(in, x)
	case *value.Tensor:
		return in.truthOfTensor(x)
	case *value.Func, *value.Builtin, *value.BoundMethod, *value.Module, value.DType:
		return value.Bool(true), nil
	case *value.Class:
		return value.Bool(true), nil
	}
	// Objects of classes in Python, and of classes with an unknown base.
	c := in.TypeOf(v)
	if userClass(c) {
		for _, name := range [...]string{"__bool__", "__len__"} {
			r, ok, err := in.dunder(v, name)
			if err != nil {
				return nil, err
			}
			if ok {
				return in.truthOf(name, r)
			}
		}
		if u := in.unknownBase(c); u != nil {
			return in.DataBool(nil), nil
		}
		// An object without either method is true.
		if i, ok := v.(*value.Instance); ok && i.Payload == nil {
			return value.Bool(true), nil
		}
	}
	// A dict, or what holds one, whose contents are one of two.
	if d := inWays(v); d != nil {
		return in.eachWay(d, func() (value.Value, error) { return in.Truth(v) })
	}
	r, ok, err := in.world.Truth(in, value.Plain(v))
	if err != nil {
		return nil, err
	}
	if !ok {
		return value.Bool(true), nil
	}
	return r, nil
}

// truthOf gives the truth that the result of __bool__ or __len__ means. It is a TypeError where
// __bool__ gives no bool.
func (in *Interp) truthOf(method string, r value.Value) (value.Value, error) {
	if err := in.Enter(""); err != nil {
		return nil, err
	}
	defer in.Leave()
	// __bool__ may call itself.
	switch r.(type) {
	case *value.Unknown, *value.Abstract, *value.Choice:
		return in.Truth(r)
	}
	if c := in.TypeOf(r); method == "__bool__" && c != in.world.Class("bool") {
		return nil, in.Raise("TypeError", "__bool__ should return bool, returned %s", c.Name)
	}
	if method == "__len__" {
		n, err := lenResult(in, r)
		if err != nil {
			return nil, err
		}
		r = n
	}
	return in.Truth(r)
}

// lenResult checks what __len__ gave. It returns the length, which may be a size, or a TypeError or
// ValueError as CPython.
func lenResult(th value.Thread, r value.Value) (value.Value, error) {
	if _, ok := value.AsDim(th.Pool(), r); !ok {
		return nil, th.Raise("TypeError", "'%s' object cannot be interpreted as an integer", th.TypeOf(r).Name)
	}
	if n, ok := r.(value.Int); ok && n < 0 {
		return nil, th.Raise("ValueError", "__len__() should return >= 0")
	}
	return value.Plain(r), nil
}

// symBool makes a truth value of a condition: a Bool when it is decided. It is for conditions that
// must not be a SymBool when they are known.
func symBool(c *symshape.Cond) value.Value {
	if v, ok := c.Const(); ok {
		return value.Bool(v)
	}
	return &value.SymBool{Cond: c}
}

// truthOfChoice is true in either way: the condition of the choice decides which truth counts. The
// formula is (cond and then) or (not cond and else).
func truthOfChoice(th value.Thread, c *value.Choice) (value.Value, error) {
	switch v := decided(th, c).(type) {
	case *value.Choice:
		c = v
	default:
		return th.Truth(v)
	}
	if err := th.Enter(""); err != nil {
		return nil, err
	}
	defer th.Leave()
	a, err := th.Truth(c.Then)
	if err != nil {
		return nil, err
	}
	b, err := th.Truth(c.Else)
	if err != nil {
		return nil, err
	}
	p := th.Pool()
	ca, cb := cond(th, a), cond(th, b)
	return symBool(p.Or(p.And(c.Cond, ca), p.And(p.Not(c.Cond), cb))), nil
}

// truthOfTensor is bool(tensor): one element, or an error, which NumPy names otherwise than PyTorch, and an
// empty array used to be false. Where the number of elements is a symbol, that it is 1 becomes a condition of
// the contract. The truth of an element that is not known is decided by data. It returns the
// exception for several elements.
func (in *Interp) truthOfTensor(t *value.Tensor) (value.Value, error) {
	if err := in.Enter(""); err != nil {
		return nil, err
	}
	defer in.Leave()
	// Chainer's Variables have a rule of their own.
	if chainer.IsVariable(t) {
		return in.applyTensor("__bool__", t)
	}
	ty := t.Type()
	if ty.Ranked {
		n := in.pool.Numel(ty.Shape)
		if n.Expr != nil {
			one := in.pool.Eq(n.Expr, in.pool.Const(1))
			ambiguous := func() error {
				class := "RuntimeError"
				if ops.IsArray(t) {
					class = "ValueError"
				}
				return in.Fail(class, diag.New(diag.BadValue, in.Here(),
					"the truth value of a tensor with more than one element is ambiguous: "+t.String()))
			}
			// Before NumPy 2.2 with a warning.
			if v, ok := n.Const(); ok && v == 0 && ops.IsArray(t) && in.versions.emptyArraysAreFalse() {
				return value.Bool(false), nil
			}
			if in.Decide(one) == symshape.No || n.Known && n.Val != 1 {
				return nil, ambiguous()
			}
			if in.Decide(one) == symshape.Unknown {
				if err := in.flow.need(one, "the truth value of a tensor", ambiguous); err != nil {
					return nil, err
				}
			}
		}
	}
	// A tracer that samples contents is told.
	in.tracing.sampledContents(t)
	if e := t.Contents(); len(e) == 1 {
		return in.Truth(e[0])
	}
	return in.DataBool(t.V), nil
}

// GetItem gives v[index]. An error is a TypeError where v has no items, the exception of an index that v does not have
// or take, or what __getitem__ raises.
func (in *Interp) GetItem(v, index value.Value) (value.Value, error) {
	// A function of which a decorator is not known may be anything.
	v = value.AsDecorated(v)
	switch x := v.(type) {
	case *value.Unknown:
		// An element of an unknown shape is the size of that axis.
		if _, ok := value.AsInt(index); ok && x.ShapeOf != nil {
			return in.applyTensor("size", x.ShapeOf, index)
		}
		return x.Derived(), nil
	case *value.Choice:
		return in.distribute(x, func(v value.Value) (value.Value, error) { return in.GetItem(v, index) })
	case *value.Tensor:
		if c, ok := index.(*value.Choice); ok {
			return in.distribute(c, func(i value.Value) (value.Value, error) { return in.GetItem(v, i) })
		}
		if value.IsUnknown(index) {
			return value.Derived(index), nil
		}
		return in.applyTensor("__getitem__", x, index)
	case *value.Class:
		// list[int] and the like.
		return in.subscriptClass(x, index)
	case *value.Abstract:
		if !in.isText(x) {
			return in.losses.unknown(x.Cause), nil
		}
	}
	// The program's own __getitem__, but not that of a builtin base, which World knows.
	c := in.TypeOf(v)
	if userClass(c) || c.At.IsValid() {
		if m, ok := c.Lookup("__getitem__"); ok {
			if !builtinMethod(m, v) {
				r, ok, err := in.dunder(v, "__getitem__", index)
				if ok || err != nil {
					return r, err
				}
			}
		}
	}
	if ch, ok := index.(*value.Choice); ok {
		return in.distribute(ch, func(i value.Value) (value.Value, error) { return in.GetItem(v, i) })
	}
	// With an unknown index nothing is known but the kind of the elements.
	if value.IsUnknown(index) && !value.AnswersMissing(v) {
		in.opaqueCalls.givesElements(v, givenDepth-1)
		if x := in.world.AnyScalar(in, v); x != nil {
			return x, nil
		}
		return value.Derived(index), nil
	}
	if d := inWays(v); d != nil {
		return in.eachWay(d, func() (value.Value, error) { return in.GetItem(v, index) })
	}
	// Tracers may guard the index.
	for _, t := range in.tracers.all {
		index = t.Index(v, index)
	}
	// World knows builtin containers.
	if r, ok, err := in.world.GetItem(in, v, index); ok || err != nil {
		if c := in.opaqueCalls.mayHold(v, err); c != nil {
			return in.losses.unknown(c), nil
		}
		in.losses.caused(r, "a subscript", v, index)
		for _, t := range in.tracers.all {
			t.Item(v, index, r, err)
		}
		return r, err
	}
	if m, ok := c.Lookup("__getitem__"); ok {
		fn, err := in.bindAttr(m, v, c)
		if err != nil {
			return nil, err
		}
		return in.Call(fn, []value.Value{index}, nil)
	}
	if u := in.unknownBase(c); u != nil {
		return u, nil
	}
	// An alias takes any index.
	if _, ok := v.(*value.GenericAlias); ok {
		return v, nil
	}
	if _, ok := v.(value.Constant); ok {
		return &value.GenericAlias{Origin: v, Args: []value.Value{index}}, nil
	}
	return nil, value.Single(in, "'%s' object is not subscriptable", c.Name)
}

// subscriptClass gives list[int], MyEnum["A"], Module[T]. A metaclass's __getitem__ comes first,
// then __class_getitem__, else it is a generic alias.
func (in *Interp) subscriptClass(c *value.Class, index value.Value) (value.Value, error) {
	if c.Meta != nil {
		if m, ok := c.Meta.Lookup("__getitem__"); ok {
			fn, err := in.bindAttr(m, c, c.Meta)
			if err != nil {
				return nil, err
			}
			return in.Call(fn, []value.Value{index}, nil)
		}
	}
	if m, ok := c.Lookup("__class_getitem__"); ok {
		fn := m
		switch d := m.(type) {
		case *value.ClassMethod:
			fn = d.Func
		}
		return in.Call(fn, []value.Value{c, index}, nil)
	}
	args := []value.Value{index}
	if t, ok := index.(*value.Tuple); ok {
		args = t.Elems
	}
	return &value.GenericAlias{Origin: c, Args: args}, nil
}

// SetItem performs v[index] = x. An error is a TypeError where v does not take items, the exception of an index that v
// does not have or take, or what __setitem__ raises. A write to what is not known is lost.
func (in *Interp) SetItem(v, index, x value.Value) error {
	v = value.AsDecorated(v)
	switch t := v.(type) {
	case *value.Unknown:
		return nil
	case *value.Choice:
		_, err := in.distribute(t, func(v value.Value) (value.Value, error) { return value.None, in.SetItem(v, index, x) })
		return err
	case *value.Tensor:
		_, err := in.applyTensor("__setitem__", t, index, x)
		return err
	}
	c := in.TypeOf(v)
	if m, ok := c.Lookup("__setitem__"); ok {
		if !builtinMethod(m, v) {
			fn, err := in.bindAttr(m, v, c)
			if err != nil {
				return err
			}
			_, err = in.Call(fn, []value.Value{index, x}, nil)
			return err
		}
	}
	if d := inWays(v); d != nil {
		_, err := in.eachWay(d, func() (value.Value, error) { return value.None, in.SetItem(v, index, x) })
		return err
	}
	if ok, err := in.world.SetItem(in, v, index, x); ok || err != nil {
		return err
	}
	if u := in.unknownBase(c); u != nil {
		return nil
	}
	return in.Raise("TypeError", "'%s' object does not support item assignment", c.Name)
}

// builtinMethod reports whether m is the method of a builtin class that World
// implements. An object without builtin contents has its native methods from a
// library class written in Go, which has to be called. Its subclasses in Python have them through
// World as well.
func builtinMethod(m, v value.Value) bool {
	if _, native := m.(*value.Builtin); !native {
		return false
	}
	x, ok := v.(*value.Instance)
	return !ok || x.Payload != nil
}

// DelItem performs del v[index]. An error is a TypeError where items of v cannot be deleted, the exception of an index
// that v does not have or take, or what __delitem__ raises.
func (in *Interp) DelItem(v, index value.Value) error {
	// Deleting from what is not known is lost.
	if value.IsUnknown(value.AsDecorated(v)) {
		return nil
	}
	c := in.TypeOf(v)
	if m, ok := c.Lookup("__delitem__"); ok {
		if !builtinMethod(m, v) {
			fn, err := in.bindAttr(m, v, c)
			if err != nil {
				return err
			}
			_, err = in.Call(fn, []value.Value{index}, nil)
			return err
		}
	}
	if d := inWays(v); d != nil {
		_, err := in.eachWay(d, func() (value.Value, error) { return value.None, in.DelItem(v, index) })
		return err
	}
	if ok, err := in.world.DelItem(in, v, index); ok || err != nil {
		return err
	}
	if u := in.unknownBase(c); u != nil {
		return nil
	}
	return in.Raise("TypeError", "'%s' object doesn't support item deletion", c.Name)
}

// Iter gives iter(v). An error is a TypeError where v is not iterable, or what __iter__ raises. It
// is asked at each loop, unpacking and star.
func (in *Interp) Iter(v value.Value) (*value.Iterator, error) {
	v = value.AsDecorated(v)
	// A tracer may give an iterator of its own.
	for _, t := range in.tracers.all {
		if it, err := t.Iterator(v); it != nil || err != nil {
			return it, err
		}
	}
	switch x := v.(type) {
	case *value.Iterator:
		return x, nil
	case *value.Unknown:
		return unknownIterator(x.Derived()), nil
	case *value.Choice:
		return in.iterChoice(x)
	case *value.Tensor:
		return in.iterTensor(x)
	case *value.Abstract:
		if !in.isText(x) {
			return unknownIterator(in.losses.unknown(x.Cause)), nil
		}
	}
	c := in.TypeOf(v)
	// __iter__ = None says that the class is not iterable.
	if m, ok := c.Lookup("__iter__"); ok {
		if !builtinMethod(m, v) && m != value.None {
			r, _, err := in.dunder(v, "__iter__")
			if err != nil {
				return nil, err
			}
			return in.asIterator(r)
		}
	}
	// A class is iterable by its metaclass, as an Enum.
	if k, ok := v.(*value.Class); ok && k.Meta != nil {
		if _, ok := k.Meta.Lookup("__iter__"); ok {
			r, _, err := in.dunder(v, "__iter__")
			if err != nil {
				return nil, err
			}
			return in.asIterator(r)
		}
	}
	if it, ok, err := in.world.Iter(in, v); ok || err != nil {
		return it, err
	}
	// The old protocol comes last.
	if _, ok := c.Lookup("__getitem__"); ok {
		return in.itemIterator(v), nil
	}
	if u := in.unknownBase(c); u != nil {
		return unknownIterator(u), nil
	}
	return nil, value.Single(in, "'%s' object is not iterable", c.Name)
}

// itemIterator follows the old sequence protocol: v[0], v[1] and so on up to an
// IndexError. Whether an element that is not known is one, or past the end, is not
// known either.
func (in *Interp) itemIterator(v value.Value) *value.Iterator {
	it := &value.Iterator{Header: in.heap.Header(), Name: "iterator"}
	stop := []*value.Class{in.world.Class("IndexError"), in.world.Class("StopIteration")}
	it.Next = func(value.Thread) (value.Value, bool, error) {
		in.heap.Touch(it)
		ends := false
		// A handler is set, so that an exception of either class is known to be caught.
		in.handlers = append(in.handlers, handler{frame: in.stack.frame, catches: stop, native: true, met: &ends})
		n := len(in.handlers)
		x, err := in.GetItem(v, value.Int(it.Pos))
		in.handlers = in.handlers[:n-1]
		if value.IsException(err, stop[0]) || value.IsException(err, stop[1]) {
			return nil, false, nil
		}
		// From here on the number of elements is not known.
		if err == nil && (ends || value.IsUnknown(x)) {
			it.Open = &value.Open{Elem: in.Unknown("it is not known after how many elements the iteration stops"), Len: in.DataInt("u", 0, nil).D}
		}
		it.Pos++
		return x, err == nil, err
	}
	return it
}

// asIterator wraps an object with __next__. The position counts calls of __next__. A StopIteration
// ends it. It returns an error where the object has no __next__, at the first element.
func (in *Interp) asIterator(v value.Value) (*value.Iterator, error) {
	switch x := v.(type) {
	case *value.Iterator:
		return x, nil
	case *value.Unknown:
		return unknownIterator(x.Derived()), nil
	case *value.Choice:
		return in.iterChoice(x)
	}
	it := &value.Iterator{Header: in.heap.Header(), Name: in.TypeOf(v).Name}
	stop := in.world.Class("StopIteration")
	it.Next = func(value.Thread) (value.Value, bool, error) {
		in.heap.Touch(it)
		it.Pos++
		ends := false
		in.handlers = append(in.handlers, handler{frame: in.stack.frame, catches: []*value.Class{stop}, native: true, met: &ends})
		n := len(in.handlers)
		x, ok, err := in.dunder(v, "__next__")
		in.handlers = in.handlers[:n-1]
		if value.IsException(err, stop) {
			return nil, false, nil
		}
		if err == nil && !ok {
			return nil, false, in.Raise("TypeError", "iter() returned non-iterator of type '%s'", in.TypeOf(v).Name)
		}
		// The exception may have been raised on a path that was not followed.
		if ends && err == nil {
			it.Open = &value.Open{Elem: in.Unknown("it is not known after how many elements the iteration stops"), Len: in.DataInt("u", 0, nil).D}
		}
		return x, err == nil, err
	}
	return it, nil
}

// iterTensor iterates over the first dimension. A dimension whose size has a value in this run is
// iterated by it, as a condition. Its elements are those of unbind.
func (in *Interp) iterTensor(t *value.Tensor) (*value.Iterator, error) {
	if !catalog.IsTorch(t) {
		return in.iterArray(t)
	}
	ty := t.Type()
	if !ty.Ranked {
		return unknownIterator(in.Unknown("iteration over a tensor of unknown rank")), nil
	}
	if len(ty.Shape) == 0 {
		return nil, in.Raise("TypeError", "iteration over a 0-d tensor")
	}
	d := ty.Shape[0]
	_, ok := d.Expr.Const()
	if !ok && d.Known {
		ok = true
		if d.Expr != nil {
			in.Require(in.pool.Eq(d.Expr, in.pool.Const(d.Val)), "a loop over the dimension")
		}
	}
	// A size that is not known gives elements in general, with a loop of the graph.
	if !ok {
		rows, err := in.applyTensor("unbind", t, value.Int(0))
		if err != nil {
			return nil, err
		}
		l, ok := rows.(*value.List)
		if !ok || l.Open == nil {
			return unknownIterator(in.Unknown("iteration over a tensor")), nil
		}
		// The list is open.
		return &value.Iterator{Header: in.heap.Header(), Name: "tensor_iterator", Open: l.Open}, nil
	}
	parts, err := in.applyTensor("unbind", t, value.Int(0))
	if err != nil {
		return nil, err
	}
	tuple, ok := parts.(*value.Tuple)
	if !ok {
		return unknownIterator(in.Unknown("iteration over a tensor")), nil
	}
	it := &value.Iterator{Header: in.heap.Header(), Name: "tensor_iterator"}
	it.Next = func(value.Thread) (value.Value, bool, error) {
		if it.Pos >= len(tuple.Elems) {
			return nil, false, nil
		}
		in.heap.Touch(it)
		it.Pos++
		return tuple.Elems[it.Pos-1], true, nil
	}
	return it, nil
}

// Iterate calls yield for each element of v. It ends at the first error of Iter, of the iterator, of yield or of the
// budget, and returns it; value.ErrStop of yield ends it without one. Where the number of elements is not known it
// fails with *value.OpenError. Each element costs a step.
func (in *Interp) Iterate(v value.Value, yield func(value.Value) error) error {
	switch x := v.(type) { // without an iterator where nothing can interfere
	case *value.Tuple:
		if x.Class == nil {
			for _, e := range x.Elems {
				if err := yield(e); err != nil {
					return stopped(err)
				}
			}
			return nil
		}
	}
	if err := in.Enter(""); err != nil { // iterators over iterators
		return err
	}
	defer in.Leave()
	it, err := in.Iter(v)
	if err != nil {
		return err
	}
	for {
		if it.Open != nil {
			return &value.OpenError{Open: it.Open}
		}
		e, ok, err := it.Next(in)
		if err != nil {
			return err
		}
		// The iterator may find out only now.
		if it.Open != nil {
			return &value.OpenError{Open: it.Open}
		}
		if !ok {
			return nil
		}
		if err := yield(e); err != nil {
			// A generator that is left early is closed, so that its finally blocks run.
			if it.Close != nil {
				if err := it.Close(in); err != nil {
					return err
				}
			}
			return stopped(err)
		}
		if err := in.Step(1); err != nil {
			return err
		}
	}
}

// ErrStop is no error.
func stopped(err error) error {
	if errors.Is(err, value.ErrStop) {
		return nil
	}
	return err
}

// HashKey gives a comparable Go value, equal for equal Python keys. An error is a TypeError where v is not hashable, or
// what __hash__ raises. The keys of builtin values are Go values of their own kinds, so that 1, 1.0
// and True have one key. What is not known is its own key.
func (in *Interp) HashKey(v value.Value) (any, error) {
	switch x := v.(type) {
	case value.Str:
		return string(x), nil
	case value.Int:
		return int64(x), nil
	case *value.Unknown:
		return x, nil
	case *value.Choice:
		return x, nil
	case value.Device:
		return value.Device{Name: x.Name}, nil
	}
	c := in.TypeOf(v)
	if userClass(c) && c.At.IsValid() {
		if m, ok := c.Lookup("__hash__"); ok && m != value.None && !in.isObjects(m, "__hash__") {
			if _, native := m.(*value.Builtin); !native {
				h, _, err := in.dunder(v, "__hash__")
				if err != nil {
					return nil, err
				}
				if n, ok := value.AsInt(h); ok {
					return userHash{c, n}, nil
				}
				// A hash that is not known makes the object its own key.
				return v, nil
			}
		}
	}
	k, ok, err := in.world.HashKey(in, v)
	if err != nil {
		return nil, err
	}
	if !ok {
		return v, nil
	}
	return k, nil
}

// userHash is the key of an object whose class defines __hash__: objects of one
// class with one hash are taken as equal. Whether such objects are equal would need __eq__ for each
// pair.
type userHash struct {
	class *value.Class
	hash  int64
}

// Repr gives repr(v). known is false where a part of the text is not known: it is then an example.
func (in *Interp) Repr(v value.Value) (string, bool) {
	if in.spent.charge(1) != nil || in.Enter("") != nil { // parts that are shared are written many times
		return "...", false
	}
	defer in.Leave()
	return in.text(v, "__repr__", in.world.Repr)
}

// Str gives str(v). Its budget is that of Repr. A text is itself.
func (in *Interp) Str(v value.Value) (string, bool) {
	if s, ok := v.(value.Str); ok {
		return string(s), true
	}
	if in.spent.charge(1) != nil || in.Enter("") != nil {
		return "...", false
	}
	defer in.Leave()
	if text, known, ok := in.ownText(v, "__str__"); ok {
		return text, known
	}
	if text, known, ok := in.ownText(v, "__repr__"); ok {
		return text, known
	}
	return in.world.Str(in, v)
}

// text is str() or repr() of v: what its class defines, else what is built in. native is World's.
func (in *Interp) text(v value.Value, method string, native func(value.Thread, value.Value) (string, bool)) (string, bool) {
	if text, known, ok := in.ownText(v, method); ok {
		return text, known
	}
	return native(in, v)
}

// ownText calls __str__ or __repr__ that a class of Python source defines. ok is false for other
// classes. A method that raises gives the name of the class, without being known.
func (in *Interp) ownText(v value.Value, method string) (text string, known, ok bool) {
	c := in.TypeOf(v)
	if !userClass(c) || value.IsUnknown(v) {
		return "", false, false
	}
	m, found := c.Lookup(method)
	if !found {
		return "", false, false
	}
	switch m := m.(type) {
	case *value.Func:
	case *value.Builtin: // of a library class; those of the builtin classes are World's
		for _, k := range c.MRO {
			if own, ok := k.Attrs.Get(method); ok && own == value.Value(m) && k.Module == "builtins" {
				return "", false, false
			}
		}
	default:
		return "", false, false
	}
	r, err := in.quietly(func() (value.Value, error) {
		r, _, err := in.dunder(v, method)
		return r, err
	})
	if err != nil {
		return c.Name, false, true
	}
	s, isStr := value.AsStr(r)
	return s, isStr, true
}

// format gives format(v, spec). The error is that of __format__.
func (in *Interp) format(v value.Value, spec string) (value.Value, error) {
	c := in.TypeOf(v)
	if userClass(c) && c.At.IsValid() {
		if m, ok := c.Lookup("__format__"); ok {
			if _, isFunc := m.(*value.Func); isFunc {
				r, _, err := in.dunder(v, "__format__", value.Str(spec))
				return r, err
			}
		}
		// Objects are formatted as str() with an empty spec.
		if spec == "" {
			s, known := in.Str(v)
			if known {
				return value.Str(s), nil
			}
			return &value.Abstract{Class: in.world.Class("str"), Cause: &value.Cause{At: in.Here(), Reason: "text of an abstract value",
				Vague: true}}, nil
		}
	}
	if _, ok := v.(*value.Choice); ok {
		return &value.Abstract{Class: in.world.Class("str"), Cause: &value.Cause{At: in.Here(), Reason: "text of an abstract value",
			Vague: true}}, nil
	}
	return in.world.Format(in, v, spec)
}

// isText reports whether v is a str or bytes: their parts are of a known type. Others may be
// anything.
func (in *Interp) isText(v *value.Abstract) bool {
	return v.Class == in.world.Class("str") || v.Class == in.world.Class("bytes")
}
