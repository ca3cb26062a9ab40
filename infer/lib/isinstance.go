package lib

// This file decides isinstance and issubclass, with the abstract base classes of
// collections.abc and numbers decided by protocol.

import (
	"strings"

	"shapecheck/infer/value"
)

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

// isInstance is isinstance(v, spec).
func (w *World) isInstance(th value.Thread, v, spec value.Value) (value.Value, error) {
	if parts, ok := w.alternatives(spec); ok {
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
		if f, ok := th.(value.ForeignTeller); ok && f.Foreign(w.TypeOf(v), s) {
			return value.Bool(false), nil
		}
		return s, nil
	case *value.Instance:
		if f, ok := s.Class.Lookup("__instancecheck__"); ok {
			r, err := th.Call(f, []value.Value{s, v}, nil)
			if err != nil || value.IsUnknown(r) {
				return r, err
			}
			return th.Truth(r)
		}
	case value.NoneType:
		return value.Bool(v == value.None), nil
	case value.Constant:
		return th.Unknown("isinstance() with " + s.Name), nil
	}
	return nil, th.Raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union")
}

// alternatives are the members of a tuple of classes or of a union.
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

// anyOf is true when f is for one of the parts.
func (w *World) anyOf(th value.Thread, parts []value.Value, f func(value.Value) (value.Value, error)) (value.Value, error) {
	return w.joinAny(th, len(parts), func(i int) (value.Value, error) {
		if err := th.Step(1); err != nil { // tuples may share parts
			return nil, err
		}
		return f(parts[i])
	})
}

// isInstanceOf is type.__instancecheck__.
func (w *World) isInstanceOf(th value.Thread, v value.Value, c *value.Class) (value.Value, error) {
	return w.isSubclassOf(th, w.TypeOf(v), c)
}

func (w *World) isSubclassOf(th value.Thread, t, c *value.Class) (value.Value, error) {
	if t.IsSubclass(c) {
		return value.Bool(true), nil
	}
	if methods, ok := w.protocol(c); ok && w.provides(t, methods) {
		return value.Bool(true), nil
	}
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

func (w *World) protocol(c *value.Class) (string, bool) {
	module := c.Module
	switch module {
	case "_collections_abc", "typing":
		module = "collections.abc"
	}
	p, ok := protocols[module+"."+c.Name]
	return p, ok
}

// provides reports whether class t has the methods of a protocol.
func (w *World) provides(t *value.Class, methods string) bool {
	names := strings.Fields(methods)
	if names[0] == "=" {
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
			if t == w.function || t == w.builtin || t == w.method || t.IsSubclass(w.typ) {
				continue
			}
		case "__iter__", "__len__", "__contains__":
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

func isSubclassProc(c *call) (value.Value, error) {
	return c.w.isSubclass(c.th, c.args[0], c.args[1])
}

// isSubclass is issubclass(v, spec).
func (w *World) isSubclass(th value.Thread, v, spec value.Value) (value.Value, error) {
	if value.IsUnknown(v) {
		return v, nil
	}
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

// iterable reports whether values of v's kind can be iterated over.
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
