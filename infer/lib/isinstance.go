package lib

// This file decides isinstance and issubclass, with the abstract base classes of
// collections.abc and numbers decided by protocol. The result is a bool that is known, an unknown
// value, or an error. Unknown is the answer for a value or a class from a library that was not
// read, and for a class that has such a base: it might be a subclass of anything. Callers (the
// branches of an if above all) then follow both ways.

import (
	"strings"

	"shapecheck/infer/value"
)

// The documentation of a function may have been stripped, so its class is one of two; that it is no
// class is certain all the same.
func isInstanceProc(c *call) (value.Value, error) {
	if c.args[0] == value.Value(c.w.noDoc) { // a text or None
		if k, ok := c.args[1].(*value.Class); ok && k == c.w.typ {
			return value.Bool(false), nil
		}
	}
	if value.IsUnknown(c.args[0]) {
		return c.args[0], nil
	}
	return c.w.isInstance(c.th, c.args[0], c.args[1])
}

// isInstance is isinstance(v, spec). A tuple or union is true if any of its members is, and members
// may be tuples again. A metaclass of the program with __instancecheck__ decides for itself, after
// the short way of PyObject_IsInstance: an object whose class is exactly spec is an instance
// without the call. A parametrised generic raises TypeError.
func (w *World) isInstance(th value.Thread, v, spec value.Value) (value.Value, error) {
	if parts, ok := w.alternatives(spec); ok {
		// The depth of nested tuples is bounded by the bound on calls, as in CPython, where such a
		// tuple raises RecursionError.
		if err := th.Enter(" in __instancecheck__"); err != nil {
			return nil, err
		}
		defer th.Leave()
		return w.anyOf(th, parts, func(p value.Value) (value.Value, error) { return w.isInstance(th, v, p) })
	}
	switch s := spec.(type) {
	case *value.Class:
		if s.Meta != nil {
			if f, ok := s.Meta.Lookup("__instancecheck__"); ok {
				// abc.ABCMeta's is native, too.
				if own, _ := w.typ.Attrs.Get("__instancecheck__"); f != own {
					if w.TypeOf(v) == s {
						return value.Bool(true), nil
					}
					r, err := th.Call(f, []value.Value{s, v}, nil)
					if err != nil || value.IsUnknown(r) {
						return r, err
					}
					return th.Truth(r)
				}
			}
		}
		return w.isInstanceOf(th, v, s)
	case *value.GenericAlias:
		if k, ok := s.Origin.(*value.Class); ok && len(s.Args) == 0 { // typing.List
			return w.isInstanceOf(th, v, k)
		}
		return nil, th.Raise("TypeError", "isinstance() argument 2 cannot be a parameterized generic")
	case *value.Unknown:
		// A value of this library's own classes is no instance of a class that is known to come
		// from a foreign library.
		if f, ok := th.(value.ForeignTeller); ok && f.Foreign(w.TypeOf(v), s) {
			return value.Bool(false), nil
		}
		return s, nil
	// An object that is no class may define __instancecheck__ through its type, as mock classes do.
	case *value.Instance:
		if f, ok := s.Class.Lookup("__instancecheck__"); ok {
			r, err := th.Call(f, []value.Value{s, v}, nil)
			if err != nil || value.IsUnknown(r) {
				return r, err
			}
			return th.Truth(r)
		}
	// None stands for its type within unions such as int | None.
	case value.NoneType:
		return value.Bool(v == value.None), nil
	case value.Constant:
		return th.Unknown("isinstance() with " + s.Name), nil
	}
	return nil, th.Raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union")
}

// alternatives are the members of a tuple of classes or of a union. typing.Optional[X] counts as
// the union of None and X. The second result is false for a single class.
func (w *World) alternatives(spec value.Value) ([]value.Value, bool) {
	switch s := spec.(type) {
	case *value.Tuple:
		return s.Elems, true
	case *value.GenericAlias:
		if s.Origin == value.Value(w.union) {
			return s.Args, true
		}
		if k, ok := s.Origin.(value.Constant); ok && (k.Name == "types.UnionType" || k.Name == "typing.Union") {
			return s.Args, true
		}
		if k, ok := s.Origin.(value.Constant); ok && k.Name == "typing.Optional" {
			return append([]value.Value{value.None}, s.Args...), true
		}
	}
	return nil, false
}

// anyOf is true when f is for one of the parts. It gives true at the first part for which f is
// true; an unknown answer before it makes the whole unknown only if no later part is true, which
// joinAny sees to.
func (w *World) anyOf(th value.Thread, parts []value.Value, f func(value.Value) (value.Value, error)) (value.Value, error) {
	return w.joinAny(th, len(parts), func(i int) (value.Value, error) {
		if err := th.Step(1); err != nil { // tuples may share parts
			return nil, err
		}
		return f(parts[i])
	})
}

// isInstanceOf is type.__instancecheck__. v.__class__ that the program overrides is not asked.
func (w *World) isInstanceOf(th value.Thread, v value.Value, c *value.Class) (value.Value, error) {
	return w.isSubclassOf(th, w.TypeOf(v), c)
}

// The order is that of CPython's: the method resolution order, the protocols of the abstract base
// classes (which are registered or have a hook written in C or Python there), then a
// __subclasshook__ of the program. At last a base that is not known makes the answer unknown.
func (w *World) isSubclassOf(th value.Thread, t, c *value.Class) (value.Value, error) {
	if t.IsSubclass(c) {
		return value.Bool(true), nil
	}
	if methods, ok := w.protocol(c); ok && w.provides(t, methods) {
		return value.Bool(true), nil
	}
	// The hook is a class method that gives NotImplemented where it does not decide.
	if f, ok := c.Lookup("__subclasshook__"); ok && w.overrides(c, "__subclasshook__") {
		if cm, isCM := f.(*value.ClassMethod); isCM {
			r, err := th.Call(cm.Func, []value.Value{c, t}, nil)
			if err != nil {
				return nil, err
			}
			if r != value.NotImplemented {
				if value.IsUnknown(r) {
					return r, nil
				}
				return th.Truth(r)
			}
		}
	}
	for _, k := range t.MRO {
		if k.UnknownBase != nil {
			return &value.Unknown{Cause: k.UnknownBase}, nil
		}
	}
	return value.Bool(false), nil
}

// protocols gives for each abstract base class the methods that make a class one,
// or after "=" the builtin classes that are registered with it.
var protocols = map[string]string{
	"collections.abc.Hashable":        "__hash__",
	"collections.abc.Iterable":        "__iter__",
	"collections.abc.Iterator":        "__iter__ __next__",
	"collections.abc.Generator":       "= generator",
	"collections.abc.Reversible":      "__iter__ __reversed__",
	"collections.abc.Sized":           "__len__",
	"collections.abc.Container":       "__contains__",
	"collections.abc.Collection":      "__len__ __iter__ __contains__",
	"collections.abc.Callable":        "__call__",
	"collections.abc.Awaitable":       "__await__",
	"collections.abc.Coroutine":       "= coroutine",
	"collections.abc.Sequence":        "= tuple list str range bytes bytearray memoryview collections.deque",
	"collections.abc.MutableSequence": "= list bytearray collections.deque",
	"collections.abc.ByteString":      "= bytes bytearray",
	"collections.abc.Set":             "= set frozenset dict_keys dict_items",
	"collections.abc.MutableSet":      "= set",
	"collections.abc.Mapping":         "= dict mappingproxy",
	"collections.abc.MutableMapping":  "= dict",
	"collections.abc.MappingView":     "= dict_keys dict_values dict_items",
	"collections.abc.KeysView":        "= dict_keys",
	"collections.abc.ItemsView":       "= dict_items",
	"collections.abc.ValuesView":      "= dict_values",
	"numbers.Number":                  "= int float complex",
	"numbers.Complex":                 "= int float complex",
	"numbers.Real":                    "= int float",
	"numbers.Rational":                "= int",
	"numbers.Integral":                "= int",
	"os.PathLike":                     "__fspath__",
}

// typing's classes of the same names stand for those of collections.abc. The second result is false
// for a class that is no protocol.
func (w *World) protocol(c *value.Class) (string, bool) {
	module := c.Module
	switch module {
	case "_collections_abc", "typing":
		module = "collections.abc"
	}
	p, ok := protocols[module+"."+c.Name]
	return p, ok
}

// provides reports whether class t has the methods of a protocol. Each name is looked up in t
// itself and its bases, not in the object's own attributes. A method that is set to None says that
// the class does not have it, as __hash__ = None does for unhashable classes.
func (w *World) provides(t *value.Class, methods string) bool {
	names := strings.Fields(methods)
	if names[0] == "=" {
		// After "=" it is enough to derive from one of the registered classes; one that was not
		// created yet has no instances.
		for _, n := range names[1:] {
			if k := w.Class(n); k != nil && t.IsSubclass(k) {
				return true
			}
		}
		return false
	}
	for _, n := range names {
		switch n {
		case "__call__":
			// Functions, methods and classes are callable without an attribute of that name here.
			if t == w.function || t == w.builtin || t == w.method || t.IsSubclass(w.typ) {
				continue
			}
		case "__iter__", "__len__", "__contains__":
			// Tensors have these methods without an attribute of their class.
			if t.Layout == value.TensorLayout || t.Module == "torch" && t.Name == "Tensor" {
				continue
			}
		}
		f, ok := t.Lookup(n)
		if !ok || f == value.None {
			return false
		}
	}
	return true
}

// Two arguments: a class, and a class or a tuple or union of them.
func isSubclassProc(c *call) (value.Value, error) {
	return c.w.isSubclass(c.th, c.args[0], c.args[1])
}

// isSubclass is issubclass(v, spec). TypeError where v is no class, or where spec is none of the
// allowed forms. A metaclass with __subclasscheck__ decides, without the short way that isInstance
// has.
func (w *World) isSubclass(th value.Thread, v, spec value.Value) (value.Value, error) {
	if value.IsUnknown(v) {
		return v, nil
	}
	// typing.List without arguments counts as list.
	if g, ok := v.(*value.GenericAlias); ok && len(g.Args) == 0 {
		v = g.Origin
	}
	t, ok := v.(*value.Class)
	if !ok {
		return nil, th.Raise("TypeError", "issubclass() arg 1 must be a class")
	}
	if parts, ok := w.alternatives(spec); ok {
		if err := th.Enter(" in __subclasscheck__"); err != nil {
			return nil, err
		}
		defer th.Leave()
		return w.anyOf(th, parts, func(p value.Value) (value.Value, error) { return w.isSubclass(th, v, p) })
	}
	switch s := spec.(type) {
	case *value.Class:
		if s.Meta != nil {
			if f, ok := s.Meta.Lookup("__subclasscheck__"); ok {
				if own, _ := w.typ.Attrs.Get("__subclasscheck__"); f != own {
					r, err := th.Call(f, []value.Value{s, v}, nil)
					if err != nil || value.IsUnknown(r) {
						return r, err
					}
					return th.Truth(r)
				}
			}
		}
		return w.isSubclassOf(th, t, s)
	case *value.GenericAlias:
		if k, ok := s.Origin.(*value.Class); ok && len(s.Args) == 0 {
			return w.isSubclassOf(th, t, k)
		}
	case *value.Unknown:
		return s, nil
	case value.NoneType:
		return value.Bool(t == w.none), nil
	}
	return nil, th.Raise("TypeError", "issubclass() arg 2 must be a class, a tuple of classes, or a union")
}

// iterable reports whether values of v's kind can be iterated over. A class that has __getitem__ is
// iterated over by the old protocol of indices from 0 on, and tensors are iterated over by rows.
// Whether the iteration fails is not asked here, as for a tensor without dimensions.
func (w *World) iterable(th value.Thread, v value.Value) found {
	t := w.TypeOf(v)
	if _, ok := t.Lookup("__iter__"); ok {
		return present
	}
	if _, ok := t.Lookup("__getitem__"); ok || isTensorValue(v) {
		return present
	}
	return absent
}
