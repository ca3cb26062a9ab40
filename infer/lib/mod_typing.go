package lib

// This file defines typing and typing_extensions. Both are native and small,
// because nearly every file imports typing. Annotations say nothing that the
// engine relies on, so the classes here only have to exist, to be subscripted
// and to be told apart. NamedTuple and TypedDict are in mod_typing_class.go. typing.List is the
// class list itself here and prints as that; a subscripted form is a GenericAlias with the
// arguments.

import (
	"strings"

	"shapecheck/infer/value"
)

// typingForms are the names that can be subscripted and nothing else. Each is an instance of
// _SpecialForm with its name as Data.
var typingForms = [...]string{"Optional", "Union", "Literal", "ClassVar", "Final", "Annotated", "Concatenate", "TypeAlias", "TypeGuard",
	"TypeIs", "Unpack", "Required", "NotRequired", "ReadOnly", "Self", "Never", "NoReturn", "LiteralString", "TypeForm"}

// typingBuiltins maps names to builtin classes: List[int] is list[int]. They have no class of their
// own here.
var typingBuiltins = map[string]string{"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "FrozenSet": "frozenset",
	"Type": "type", "Text": "str"}

// typingABCs maps names to classes of collections.abc. An empty text means the same name.
var typingABCs = map[string]string{"Hashable": "", "Awaitable": "", "Coroutine": "", "AsyncIterable": "", "AsyncIterator": "",
	"AsyncGenerator": "", "Iterable": "", "Iterator": "", "Reversible": "", "Generator": "", "Sized": "", "Container": "",
	"Collection": "", "Callable": "", "AbstractSet": "Set", "MutableSet": "", "Mapping": "", "MappingView": "", "KeysView": "",
	"ItemsView": "", "ValuesView": "", "MutableMapping": "", "Sequence": "", "ByteString": "", "MutableSequence": "", "Buffer": ""}

// typingClasses are plain classes, most of them protocols of one method. A class is an instance of
// such a protocol if it has the methods.
var typingClasses = map[string][]string{"SupportsInt": {"__int__"}, "SupportsFloat": {"__float__"}, "SupportsComplex": {"__complex__"},
	"SupportsBytes": {"__bytes__"}, "SupportsIndex": {"__index__"}, "SupportsAbs": {"__abs__"}, "SupportsRound": {"__round__"},
	"ContextManager": {"__enter__", "__exit__"}, "AsyncContextManager": {"__aenter__", "__aexit__"}}

// typingLazy are classes of other modules, for which a class of the same name
// stands in. They are only used in annotations.
var typingLazy = [...]string{"IO", "TextIO", "BinaryIO", "Pattern", "Match", "ForwardRef", "TypeAliasType"}

// typingIdentity are the decorators and functions that return their first argument. The texts are
// signatures as def takes them.
var typingIdentity = [...]string{"final(f, /)", "overload(func, /)", "no_type_check(arg, /)", "no_type_check_decorator(arg, /)",
	"override(arg, /)", "assert_type(val, typ, /)", "type_check_only(func, /)"}

// formData is the Data of a special form: its name. isinstance and the reading of annotations look
// at it.
type formData string

// typingModule makes typing: special forms that can be subscripted, aliases of builtins and of collections.abc,
// and decorators that give back what they take. Annotations are read from these objects, so that they must
// print as Python's do.
func typingModule(m *mod) {
	th, w, h := m.th, m.w, m.th.Heap()
	m.set("TYPE_CHECKING", value.Bool(false))
	form := m.class("_SpecialForm")
	internal(m, form)
	internal(m, m.class("_Final"))
	unionOps(m, form)
	aliasMethods(th, form)
	for _, name := range typingForms {
		f := h.NewInstance(form)
		f.Data = formData(name)
		f.Attrs.Set(h, "_name", value.Str(name))
		f.Attrs.Set(h, "__name__", value.Str(name))
		m.set(name, f)
	}
	method(th, form, "__getitem__(self, params, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		f, _ := a[0].(*value.Instance)
		name, _ := f.Data.(formData)
		return w.subscriptForm(f, string(name), a[1]), nil
	})
	method(th, form, "__repr__(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		name, _ := a[0].(*value.Instance).Data.(formData)
		return value.Str("typing." + string(name)), nil
	})
	// A form is a singleton.
	method(th, form, "__deepcopy__(self, memo)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
	m.class("Any")
	for _, name := range sortedNames(typingBuiltins) {
		m.set(name, w.classes[typingBuiltins[name]])
	}
	// Without the module its names are unknown.
	abcs, err := th.Import("_collections_abc")
	if err != nil {
		abcs = th.Unknown("collections.abc is not available")
	}
	for _, name := range sortedNames(typingABCs) {
		from := typingABCs[name]
		if from == "" {
			from = name
		}
		if v, err := th.GetAttr(abcs, from); err == nil {
			m.set(name, v)
		}
	}
	for _, name := range sortedNames(typingClasses) {
		c := m.class(name)
		c.Meta = th.Class("abc.ABCMeta")
		c.Data = abcHook(typingClasses[name])
		c.Attrs.Set(h, "__class_getitem__", subscriptable(name))
	}
	for _, name := range typingLazy {
		c := m.class(name)
		c.Attrs.Set(h, "__class_getitem__", subscriptable(name))
	}
	for _, name := range []string{"OrderedDict", "DefaultDict", "Counter", "Deque", "ChainMap"} {
		m.set(name, m.collectionsAlias(form, name))
	}
	for _, s := range typingIdentity {
		m.def(s, func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
	}
	m.def("reveal_type(obj, /)", revealType)
	m.def("cast(typ, val)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[1], nil })
	m.def("assert_never(arg, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return nil, th.Raise("AssertionError", "Expected code to be unreachable")
	})
	m.def("dataclass_transform(**kwargs)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return defFunc("typing", "decorator(cls, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil }), nil
	})
	m.def("deprecated(message, /, **kwargs)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return defFunc("typing", "decorator(cls, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil }), nil
	})
	typeVars(m)
	generics(m)
	hints(m)
	namedTupleForm(m)
	typedDictForm(m)
}

// collectionsAlias makes an alias of a class of collections, whose Python part is not
// loaded before the class is called. collections.OrderedDict and others; calling the alias makes an
// object of the class.
func (m *mod) collectionsAlias(form *value.Class, name string) value.Value {
	target := map[string]string{"DefaultDict": "defaultdict", "Deque": "deque"}[name]
	if target == "" {
		target = name
	}
	f := m.th.Heap().NewInstance(form)
	f.Data = formData(name)
	f.Attrs.Set(m.th.Heap(), originName, value.Str(target))
	return f
}

// originName is the attribute of an alias that names its class in collections.
const originName = "__origin_name__"

// origin loads the class of an alias; nil when the form is none. Importing is left until it is
// needed.
func origin(th value.Thread, form value.Value) (value.Value, error) {
	f, _ := form.(*value.Instance)
	v, ok := f.Attrs.Get(originName)
	if !ok {
		return nil, nil
	}
	s, _ := value.AsStr(v)
	c, err := th.Import("collections")
	if err != nil {
		return nil, err
	}
	return th.GetAttr(c, s)
}

// aliasMethods make an alias behave as its class.
func aliasMethods(th value.Thread, form *value.Class) {
	rawMethod(th, form, "__call__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		c, err := origin(th, args[0])
		if err != nil {
			return nil, err
		}
		if c == nil {
			name, _ := args[0].(*value.Instance).Data.(formData)
			return nil, th.Raise("TypeError", "Cannot instantiate typing.%s", string(name))
		}
		return th.Call(c, args[1:], kw)
	})
	method(th, form, "__getattr__(self, name, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		c, err := origin(th, a[0])
		if err != nil {
			return nil, err
		}
		name, _ := value.AsStr(a[1])
		// Other special names would make the alias look like something else.
		if c == nil || strings.HasPrefix(name, "__") && name != "__origin__" {
			return nil, th.Raise("AttributeError", "'_SpecialForm' object has no attribute '%s'", name)
		}
		if name == "__origin__" {
			return c, nil
		}
		return th.GetAttr(c, name)
	})
	method(th, form, "__instancecheck__(self, obj, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		c, err := origin(th, a[0])
		if err != nil {
			return nil, err
		}
		k, ok := c.(*value.Class)
		if !ok {
			return nil, th.Raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union")
		}
		return value.Bool(th.TypeOf(a[1]).IsSubclass(k)), nil
	})
	// Deriving from the alias derives from the class; from a form it derives from nothing.
	method(th, form, "__mro_entries__(self, bases, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		c, err := origin(th, a[0])
		if err != nil || c == nil {
			return value.NewTuple(), err
		}
		return value.NewTuple(c), nil
	})
}

// unionOps gives a class | on both sides, which makes a union.
func unionOps(m *mod, c *value.Class) {
	w := m.w
	method(m.th, c, "__or__(self, other, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return w.unionOf(a[0], a[1]), nil
	})
	method(m.th, c, "__ror__(self, other, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return w.unionOf(a[1], a[0]), nil
	})
}

// A single argument may be no tuple. Union and Optional make unions, all others an alias.
func (w *World) subscriptForm(f *value.Instance, name string, params value.Value) value.Value {
	args := []value.Value{params}
	if t, ok := params.(*value.Tuple); ok && t.Class == nil {
		args = t.Elems
	}
	switch name {
	case "Union":
		return w.unionOf(args...)
	case "Optional":
		return w.unionOf(args[0], w.none)
	}
	return &value.GenericAlias{Origin: f, Args: args}
}

// internal lets typing_extensions derive from a class of typing: class TypeVar(typing.TypeVar, _root=True).
func internal(m *mod, c *value.Class) {
	init := defFunc(c.Name, "__init_subclass__(cls, /, *args, _root?, **kwds)",
		func(value.Thread, []value.Value) (value.Value, error) { return value.None, nil })
	c.Attrs.Set(m.th.Heap(), "__init_subclass__", &value.ClassMethod{Func: init})
}

// typeVars defines TypeVar, ParamSpec, TypeVarTuple and NewType.
func typeVars(m *mod) {
	th, h := m.th, m.th.Heap()
	for _, name := range []string{"TypeVar", "ParamSpec", "TypeVarTuple"} {
		c := m.class(name)
		internal(m, c)
		unionOps(m, c)
		method(th, c, "__init__(self, name, *constraints, bound?, covariant?, contravariant?, infer_variance?, default?)",
			func(th value.Thread, a []value.Value) (value.Value, error) {
				for i, n := range []string{"__name__", "__constraints__", "__bound__"} {
					if err := th.SetAttr(a[0], n, or(a[i+1], value.None)); err != nil {
						return nil, err
					}
				}
				return value.None, nil
			})
		method(th, c, "__repr__(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
			v, err := th.GetAttr(a[0], "__name__")
			s, _ := value.AsStr(v)
			return value.Str("~" + s), err
		})
		// A starred variable in a subscript gives itself.
		method(th, c, "__iter__(self)", func(th value.Thread, a []value.Value) (value.Value, error) { // *Ts in a subscript
			it, err := th.Iter(value.NewTuple(a[0]))
			return it, err
		})
		self := func(th value.Thread, self value.Value) (value.Value, error) { return self, nil }
		if name == "ParamSpec" {
			property(th, c, "args", self)
			property(th, c, "kwargs", self)
		}
		method(th, c, "__deepcopy__(self, memo)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
		if name == "TypeVar" {
			v := h.NewInstance(c)
			v.Attrs.Set(h, "__name__", value.Str("AnyStr"))
			v.Attrs.Set(h, "__constraints__", value.NewTuple(m.w.bytes, m.w.str))
			m.set("AnyStr", v)
		}
	}
	nt := m.class("NewType")
	method(th, nt, "__init__(self, name, tp)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if err := th.SetAttr(a[0], "__name__", a[1]); err != nil {
			return nil, err
		}
		return value.None, th.SetAttr(a[0], "__supertype__", a[2])
	})
	method(th, nt, "__call__(self, x, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[1], nil })
	unionOps(m, nt)
}

// generics defines Generic and Protocol. Protocol classes are checked by their methods only with
// runtime_checkable.
func generics(m *mod) {
	th, h := m.th, m.th.Heap()
	g := m.class("Generic")
	g.Attrs.Set(h, "__class_getitem__", subscriptable("Generic"))
	p := newModClass(th, "typing", "Protocol", g)
	p.Meta = th.Class("abc.ABCMeta")
	m.set("Protocol", p)
	// The names are those of the methods of the class and of its bases, without those of Protocol
	// itself.
	runtime := func(th value.Thread, a []value.Value) (value.Value, error) {
		c, ok := a[0].(*value.Class)
		if !ok {
			return a[0], nil
		}
		var names abcHook
		for _, k := range c.MRO {
			if k == p || k == g || k.Module == "builtins" {
				continue
			}
			for i := range k.Attrs.Len() {
				n := k.Attrs.Name(i)
				switch k.Attrs.At(i).(type) {
				case *value.Func, *value.Property, *value.ClassMethod, *value.StaticMethod:
					if n != "__init__" && !strings.HasPrefix(n, "_abc") {
						names = append(names, n)
					}
				}
			}
		}
		if names != nil {
			c.Data = names
		}
		return c, nil
	}
	m.def("runtime_checkable(cls, /)", runtime)
	m.def("runtime(cls, /)", runtime)
}

// hints defines what inspects annotations. They read what the class statement or the function has
// stored, without evaluating texts.
func hints(m *mod) {
	w := m.w
	union, _ := m.attrs.Get("Union")
	m.def("get_origin(tp, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		g, ok := a[0].(*value.GenericAlias)
		if !ok {
			return value.None, nil
		}
		if g.Origin == value.Value(w.union) {
			return union, nil
		}
		return g.Origin, nil
	})
	m.def("get_args(tp, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		g, ok := a[0].(*value.GenericAlias)
		if !ok {
			return value.NewTuple(), nil
		}
		return value.NewTuple(g.Args...), nil
	})
	// Those of bases come first, so that a class overrides them.
	m.def("get_type_hints(obj, globalns?, localns?, include_extras?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		out := th.Heap().NewDict()
		add := func(v value.Value, ok bool) {
			d, isDict := v.(*value.Dict)
			if !ok || !isDict {
				return
			}
			for i := range d.Len() {
				if s, ok := value.AsStr(d.Key(i)); ok {
					out.SetStr(th.Heap(), s, d.At(i))
				}
			}
		}
		if c, ok := a[0].(*value.Class); ok {
			for i := len(c.MRO) - 1; i >= 0; i-- {
				add(c.MRO[i].Attrs.Get("__annotations__"))
			}
			return out, nil
		}
		v, ok, err := th.LookupAttr(a[0], "__annotations__")
		if err != nil {
			return nil, err
		}
		add(v, ok)
		return out, nil
	})
	m.def("get_overloads(func, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return th.Heap().NewList(nil), nil })
	m.def("clear_overloads()", func(th value.Thread, a []value.Value) (value.Value, error) { return value.None, nil })
	m.def("is_typeddict(tp, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		c, ok := a[0].(*value.Class)
		return value.Bool(ok && c.Meta != nil && c.Meta.Name == "_TypedDictMeta"), nil
	})
	m.def("is_protocol(tp, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return value.Bool(false), nil })
}

// sameAs makes a module whose attributes are those of another. It is used for typing_extensions. A
// module that cannot be imported leaves it empty.
func sameAs(module string) nativeModule {
	return func(m *mod) {
		t, err := m.th.Import(module)
		if src, ok := t.(*value.Module); ok && err == nil {
			for i := range src.Attrs.Len() {
				m.set(src.Attrs.Name(i), src.Attrs.At(i))
			}
		}
	}
}
