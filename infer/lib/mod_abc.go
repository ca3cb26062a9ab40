package lib

// This file defines the modules abc and collections.abc.
//
// An abstract base class recognises a class that derives from it, that was
// registered, or, for the one-trick classes such as Iterable, that has certain
// methods. The mixin methods are in py/_abc_mixins.py, which is loaded when one
// of them is called: most programs import the classes for isinstance only.

import (
	"strings"

	"shapecheck/infer/value"
)

// abcModule makes abc. ABCMeta answers isinstance by what was registered and by __subclasshook__;
// abstractmethod marks the function that a property or method wraps, and making an instance of a class that
// still has marked ones is refused elsewhere. ABCMeta's checks are also those of typing's protocols
// and of torch's own abstract classes.
func abcModule(m *mod) {
	th, w := m.th, m.w
	h := th.Heap()
	meta := m.class("ABCMeta", w.typ)
	// isinstance of a value that is not known gives that value, of which the truth is not known.
	method(th, meta, "__instancecheck__(cls, instance)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if value.IsUnknown(a[1]) {
			return a[1], nil
		}
		cls, ok := a[0].(*value.Class)
		if !ok {
			return value.Bool(false), nil
		}
		return w.abcCheck(th, cls, th.TypeOf(a[1]))
	})
	method(th, meta, "__subclasscheck__(cls, subclass)", func(th value.Thread, a []value.Value) (value.Value, error) {
		cls, ok := a[0].(*value.Class)
		sub, ok2 := a[1].(*value.Class)
		if !ok || !ok2 {
			if value.IsUnknown(a[1]) {
				return a[1], nil
			}
			return nil, th.Raise("TypeError", "issubclass() arg 1 must be a class")
		}
		return w.abcCheck(th, cls, sub)
	})
	// register returns its argument, so that it serves as a decorator.
	method(th, meta, "register(cls, subclass)", func(th value.Thread, a []value.Value) (value.Value, error) {
		cls, ok := a[0].(*value.Class)
		if sub, ok2 := a[1].(*value.Class); ok && ok2 {
			registerABC(th, cls, sub)
		}
		return a[1], nil
	})
	abc := newModClass(th, "abc", "ABC")
	abc.Meta = meta
	m.set("ABC", abc)
	mark := func(th value.Thread, a []value.Value) (value.Value, error) {
		target := a[0]
		// Of a property the getter is marked, since a property has no attributes of its own.
		if p, ok := target.(*value.Property); ok && p.Get != nil {
			target = p.Get
		}
		// Objects that refuse attributes are left unmarked.
		if err := th.SetAttr(target, "__isabstractmethod__", value.Bool(true)); err != nil && !value.IsException(err, th.Class("Exception")) {
			return nil, err
		}
		return a[0], nil
	}
	m.def("abstractmethod(funcobj, /)", mark)
	m.def("abstractproperty(fget, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if _, err := mark(th, a); err != nil {
			return nil, err
		}
		return &value.Property{Get: a[0]}, nil
	})
	m.def("abstractclassmethod(callable, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if _, err := mark(th, a); err != nil {
			return nil, err
		}
		return &value.ClassMethod{Func: a[0]}, nil
	})
	m.def("abstractstaticmethod(callable, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if _, err := mark(th, a); err != nil {
			return nil, err
		}
		return &value.StaticMethod{Func: a[0]}, nil
	})
	// Both exist for programs that manage caches of their own; there is no cache here.
	m.def("update_abstractmethods(cls, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
	m.def("get_cache_token()", func(th value.Thread, a []value.Value) (value.Value, error) { return value.Int(0), nil })
	meta.Attrs.Set(h, "__prelude__", value.Bool(true))
}

// The classes that were registered are a tuple in this attribute of the class, so that the journal
// of the heap winds it back with all attributes.
const abcRegistry = "_abc_registry"

// registerABC makes sub a virtual subclass of cls.
func registerABC(th value.Thread, cls, sub *value.Class) {
	h := th.Heap()
	old, _ := cls.Attrs.Get(abcRegistry)
	cls.Attrs.Set(h, abcRegistry, value.NewTuple(append(append([]value.Value(nil), tupleElems(old)...), sub)...))
}

// abcCheck is issubclass(sub, cls) for an abstract base class. It returns the error of the
// program's own __subclasshook__. Where a base of sub is not known the answer is not known.
func (w *World) abcCheck(th value.Thread, cls, sub *value.Class) (value.Value, error) {
	// Only a hook that the program wrote is called: those of the classes here are abcHook.
	if hook, ok := cls.Lookup("__subclasshook__"); ok {
		if cm, ok := hook.(*value.ClassMethod); ok {
			if _, isFunc := cm.Func.(*value.Func); isFunc {
				v, err := th.Call(cm.Func, []value.Value{cls, sub}, nil)
				if err != nil || v != value.NotImplemented {
					return v, err
				}
			}
		}
	}
	ok := w.isVirtualSubclass(cls, sub, new(value.Visit))
	if !ok && sub.UnknownBase != nil {
		return &value.Unknown{Cause: sub.UnknownBase}, nil
	}
	return value.Bool(ok), nil
}

// It asks cls itself, then its hook, what was registered with it, and its subclasses, since a
// virtual subclass of a subclass is one too. seen ends cycles of classes that register each other.
func (w *World) isVirtualSubclass(cls, sub *value.Class, seen *value.Visit) bool {
	if sub.IsSubclass(cls) {
		return true
	}
	if !seen.Enter(cls) {
		return false
	}
	defer seen.Leave()
	if h, ok := cls.Data.(abcHook); ok && hasMethods(sub, h) {
		return true
	}
	reg, _ := cls.Attrs.Get(abcRegistry)
	for _, r := range tupleElems(reg) {
		if c, ok := r.(*value.Class); ok && (sub.IsSubclass(c) || w.isVirtualSubclass(c, sub, seen)) {
			return true
		}
	}
	for _, s := range w.subs[cls] {
		if w.isVirtualSubclass(s, sub, seen) {
			return true
		}
	}
	return false
}

// abcHook is the Data of a class that recognises classes by their methods. All of its methods must
// be there.
type abcHook []string

// A method that is None says that the class is without it, as __hash__ = None does.
func hasMethods(c *value.Class, names []string) bool {
	for _, n := range names {
		// object.__hash__ would be found for them; builtin containers do not have it.
		if n == "__hash__" && (c.Layout == value.ListLayout || c.Layout == value.DictLayout) {
			return false
		}
		if v, ok := c.Lookup(n); ok {
			if v == value.None {
				return false
			}
			continue
		}
		if !layoutHas(c, n) {
			return false
		}
	}
	return true
}

// layoutHas tells which special methods the engine implements for builtin
// classes without having them as attributes. The engine has these in Go: adding attributes for them
// to each class would make lookups slower and dir() longer.
func layoutHas(c *value.Class, name string) bool {
	has := layoutMethods[c.Layout]
	if c.Module == "builtins" || c.Module == "types" {
		has += classMethods[c.Name]
	}
	return strings.Contains(" "+has, " "+name+" ")
}

// Each text ends in a blank, as layoutHas looks for whole words.
var layoutMethods = map[value.Layout]string{
	value.TupleLayout:  "__iter__ __len__ __contains__ __getitem__ __hash__ ",
	value.ListLayout:   "__iter__ __len__ __contains__ __getitem__ __reversed__ ",
	value.DictLayout:   "__iter__ __len__ __contains__ __getitem__ __reversed__ ",
	value.SetLayout:    "__iter__ __len__ __contains__ ",
	value.TensorLayout: "__iter__ __len__ __contains__ __getitem__ __reversed__ __hash__ __float__ __int__ __index__ ",
	value.ClassLayout:  "__call__ __hash__ ",
	value.ObjectLayout: "__hash__ ",
}

var classMethods = map[string]string{
	"str": "__iter__ __len__ __contains__ __getitem__ __hash__ ", "bytes": "__iter__ __len__ __contains__ __getitem__ __hash__ ",
	"range": "__iter__ __len__ __contains__ __getitem__ __reversed__ ", "int": "__hash__ ", "float": "__hash__ ", "complex": "__hash__ ",
	"function": "__call__ ", "builtin_function_or_method": "__call__ ", "method": "__call__ ", "wrapper_descriptor": "__call__ ",
	"type": "__call__ ", "generator": "__iter__ __next__ send throw close ", "iterator": "__iter__ __next__ ",
	"dict_keys": "__iter__ __len__ __contains__ __reversed__ ", "dict_values": "__iter__ __len__ __reversed__ ",
	"dict_items": "__iter__ __len__ __contains__ __reversed__ ",
	"map":        "__iter__ __next__ ", "zip": "__iter__ __next__ ", "filter": "__iter__ __next__ ", "enumerate": "__iter__ __next__ ",
}

// An abcSpec describes a class of collections.abc. The mixins are called by the program as methods
// of its own classes, which derive from these.
type abcSpec struct {
	name     string
	bases    []string
	hook     []string // methods by which classes are recognised
	mixins   []string // methods in py/_abc_mixins.py, as functions <class>_<method>
	register []string // builtin classes
}

// The order is that of dependence: bases come first. Hooks, mixins and registrations are those of
// CPython's _collections_abc.py.
var abcSpecs = [...]abcSpec{
	{name: "Hashable", hook: []string{"__hash__"}},
	{name: "Awaitable", hook: []string{"__await__"}},
	{name: "Coroutine", bases: []string{"Awaitable"}, register: []string{"coroutine"}},
	{name: "AsyncIterable", hook: []string{"__aiter__"}},
	{name: "AsyncIterator", bases: []string{"AsyncIterable"}, hook: []string{"__anext__", "__aiter__"}},
	{name: "AsyncGenerator", bases: []string{"AsyncIterator"}},
	{name: "Iterable", hook: []string{"__iter__"}},
	{name: "Iterator", bases: []string{"Iterable"}, hook: []string{"__iter__", "__next__"}, mixins: []string{"__iter__"}},
	{name: "Reversible", bases: []string{"Iterable"}, hook: []string{"__reversed__", "__iter__"}},
	{name: "Generator", bases: []string{"Iterator"}, register: []string{"generator"}},
	{name: "Sized", hook: []string{"__len__"}},
	{name: "Container", hook: []string{"__contains__"}},
	{name: "Collection", bases: []string{"Sized", "Iterable", "Container"}, hook: []string{"__len__", "__iter__", "__contains__"}},
	{name: "Callable", hook: []string{"__call__"}},
	{name: "Buffer", hook: []string{"__buffer__"}, register: []string{"bytes", "bytearray"}},
	{name: "Set", bases: []string{"Collection"}, register: []string{"frozenset", "set", "dict_keys", "dict_items"},
		mixins: []string{"__le__", "__lt__", "__ge__", "__gt__", "__eq__", "__and__", "__or__", "__sub__", "__xor__", "isdisjoint"}},
	{name: "MutableSet", bases: []string{"Set"}, register: []string{"set"},
		mixins: []string{"remove", "pop", "clear", "__ior__", "__iand__", "__isub__"}},
	{name: "Mapping", bases: []string{"Collection"}, register: []string{"dict", "mappingproxy"},
		mixins: []string{"get", "__contains__", "keys", "items", "values", "__eq__"}},
	{name: "MappingView", bases: []string{"Sized"}},
	{name: "KeysView", bases: []string{"MappingView", "Set"}, register: []string{"dict_keys"}},
	{name: "ItemsView", bases: []string{"MappingView", "Set"}, register: []string{"dict_items"}},
	{name: "ValuesView", bases: []string{"MappingView", "Collection"}, register: []string{"dict_values"}},
	{name: "MutableMapping", bases: []string{"Mapping"}, register: []string{"dict"},
		mixins: []string{"pop", "popitem", "clear", "update", "setdefault"}},
	{name: "Sequence", bases: []string{"Reversible", "Collection"}, register: []string{"tuple", "str", "range", "bytes", "list"},
		mixins: []string{"__iter__", "__contains__", "__reversed__", "index", "count"}},
	{name: "ByteString", bases: []string{"Sequence"}, register: []string{"bytes", "bytearray"}},
	{name: "MutableSequence", bases: []string{"Sequence"}, register: []string{"list", "bytearray"},
		mixins: []string{"append", "clear", "reverse", "extend", "pop", "remove", "__iadd__"}},
}

// collectionsABCModule fills _collections_abc. Its classes are those of
// collections.abc, too; typing takes them from here without loading collections. Hashing: Mapping
// and Set define __eq__, so their __hash__ is None, which a subclass inherits.
func collectionsABCModule(m *mod) {
	th, w, h := m.th, m.w, m.th.Heap()
	meta := th.Class("abc.ABCMeta")
	classes := map[string]*value.Class{}
	for i := range abcSpecs {
		s := &abcSpecs[i]
		var bases []*value.Class
		for _, b := range s.bases {
			bases = append(bases, classes[b])
		}
		c, err := w.NewClass(h, s.name, "collections.abc", bases, nil, meta)
		if err != nil {
			// The table is fixed and a test makes these classes.
			panic("lib: collections.abc." + s.name + ": " + err.Error())
		}
		c.Prelude = true
		if s.hook != nil {
			c.Data = abcHook(s.hook)
		}
		for _, r := range s.register {
			if k := w.Class(r); k != nil {
				registerABC(th, c, k)
			}
		}
		for _, name := range s.mixins {
			c.Attrs.Set(h, name, mixin(s.name, name))
		}
		if s.name == "Mapping" || s.name == "Set" {
			c.Attrs.Set(h, "__hash__", value.None)
		}
		c.Attrs.Set(h, "__class_getitem__", subscriptable(s.name))
		classes[s.name] = c
		m.set(s.name, c)
	}
}

// mixin makes a method that is a function of py/_abc_mixins.py. The error is that of the import or
// of the function. The module is imported at the first call.
func mixin(class, name string) *value.Builtin {
	return &value.Builtin{Name: class + "." + name, Fn: func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		mod, err := th.Import("_abc_mixins")
		if err != nil {
			return nil, err
		}
		f, err := th.GetAttr(mod, class+"_"+name)
		if err != nil {
			return nil, err
		}
		return th.Call(f, args, kw)
	}}
}

// subscriptable makes the __class_getitem__ of a generic class. A class with it takes an index, as
// Iterable[int].
func subscriptable(owner string) value.Value {
	return &value.ClassMethod{Func: defFunc(owner, "__class_getitem__(cls, params, /)",
		func(th value.Thread, a []value.Value) (value.Value, error) {
			return genericAlias(a[0], a[1]), nil
		})}
}

// genericAlias makes origin[params]. A tuple of parameters is several; one with a class of its own
// (a namedtuple) is one.
func genericAlias(origin, params value.Value) value.Value {
	args := []value.Value{params}
	if t, ok := params.(*value.Tuple); ok && t.Class == nil {
		args = t.Elems
	}
	return &value.GenericAlias{Origin: origin, Args: args}
}
