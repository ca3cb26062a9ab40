package lib

// This file defines the native part of collections: namedtuple and defaultdict.
// The rest is in py/collections/__init__.py.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// collectionsModule makes what of collections is no class of the prelude: namedtuple, whose class depends on
// its arguments, and defaultdict. Its classes are made when the module is imported; OrderedDict,
// Counter, deque and ChainMap are Python classes of the prelude, which are easier to read than
// their Go would be.
func collectionsModule(m *mod) {
	w := m.w
	m.def("namedtuple(typename, field_names, *, rename?, defaults?, module?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		// A name decides messages and repr; without one there is no class.
		name, ok := value.AsStr(a[0])
		if !ok {
			return th.Unknown("name of a namedtuple is not known"), nil
		}
		var fields []string
		if s, ok := value.AsStr(a[1]); ok {
			// The names may be a text with blanks or commas.
			fields = strings.Fields(strings.ReplaceAll(s, ",", " "))
		} else {
			list, err := elements(th, a[1])
			// A list whose end is not known has names that are not known.
			if isOpen(err) {
				return th.Unknown("fields of a namedtuple are not known"), nil
			}
			if err != nil {
				return nil, err
			}
			for _, f := range list {
				s, ok := value.AsStr(f)
				if !ok {
					return th.Unknown("fields of a namedtuple are not known"), nil
				}
				fields = append(fields, s)
			}
		}
		var defaults []value.Value
		// defaults= may be None.
		if isGiven(a[3]) {
			var err error
			if defaults, err = elements(th, a[3]); err != nil {
				return nil, err
			}
		}
		if len(defaults) > len(fields) {
			return nil, th.Raise("TypeError", "Got more default values than field names")
		}
		c, err := w.namedTuple(th, name, fields, defaults, w.tuple)
		if module, ok := value.AsStr(a[4]); ok && err == nil {
			c.Module = module
			c.Attrs.Set(th.Heap(), "__module__", value.Str(module))
		}
		return c, err
	})
	defaultDictClass(m)
}

// defaultsOf are the defaults of at most n fields, which a program may have set: __defaults__ of
// __new__ is such a cell. ok is false where it holds what is no tuple. Cells keep what the program
// assigns, and namedTuple reads them at each call.
func defaultsOf(given *value.Cell, n int) ([]value.Value, bool) {
	switch d := given.V.(type) {
	case value.NoneType:
		return nil, true
	case *value.Tuple:
		return d.Elems[max(len(d.Elems)-n, 0):], true
	}
	return nil, false
}

// namedTuple makes a namedtuple class. defaults are those of the last fields. A field named twice
// is a ValueError, and a base that does not fit a TypeError. Fields are properties that read the
// tuple by number, as CPython's _tuplegetter does. The class is a subclass of base, which is tuple
// or a class that a typing.NamedTuple has in its place. Instances are value.Tuple with the class in
// it, so that all code for tuples works with them.
func (w *World) namedTuple(th value.Thread, name string, fields []string, defaults []value.Value, base *value.Class) (*value.Class, error) {
	h := th.Heap()
	seen := map[string]bool{}
	for _, f := range fields {
		if err := th.Step(1); err != nil {
			return nil, err
		}
		switch {
		case f == "":
			return nil, th.Raise("ValueError", "Type names and field names must be valid identifiers: %s", value.StrRepr(f))
		case seen[f]:
			return nil, th.Raise("ValueError", "Encountered duplicate field name: %s", value.StrRepr(f))
		}
		seen[f] = true
	}
	c, err := w.NewClass(h, name, runningModule(th, ""), []*value.Class{base}, nil, nil)
	if err != nil {
		return nil, th.Raise("TypeError", "%s", err.Error())
	}
	// The place of the call, for messages and "go to definition".
	c.At = th.Here()
	c.Fields = fields
	names := make([]value.Value, len(fields))
	byName := h.NewDict()
	for i, f := range fields {
		names[i] = value.Str(f)
		if err := th.Step(2); err != nil {
			return nil, err
		}
		// The defaults belong to the last fields. From the right, as parameters with defaults come
		// last.
		if j := i - (len(fields) - len(defaults)); j >= 0 {
			byName.SetStr(h, f, defaults[j])
		}
		// Reading the field of another tuple is a TypeError, which only a call of the property by
		// hand can do.
		property(th, c, f, func(th value.Thread, self value.Value) (value.Value, error) {
			if t, ok := self.(*value.Tuple); ok && i < len(t.Elems) {
				return t.Elems[i], nil
			}
			return nil, th.Raise("TypeError", "descriptor '%s' requires a '%s' object", f, name)
		})
	}
	c.Attrs.Set(h, "_fields", value.NewTuple(names...))
	c.Attrs.Set(h, "__match_args__", value.NewTuple(names...))
	c.Attrs.Set(h, "_field_defaults", byName)
	given := h.NewCell(value.NewTuple(defaults...))
	// It is raw as the arguments are bound to the fields by name, with messages of __new__.
	rawMethod(th, c, "__new__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		cls, _ := args[0].(*value.Class)
		defaults, ok := defaultsOf(given, len(fields))
		if !ok {
			return th.Unknown("the defaults of " + name + " are not known"), nil
		}
		// A subclass gives itself as the first argument.
		if cls == nil {
			cls = c
		}
		elems, err := bindFields(th, name+".__new__()", fields, defaults, args[1:], kw)
		if err != nil {
			return nil, err
		}
		return &value.Tuple{Class: cls, Elems: elems}, nil
	})
	// Programs set and read the defaults there.
	if b, ok := c.Attrs.Get("__new__"); ok {
		b.(*value.Builtin).Defaults = given
	}
	// _make takes any iterable of exactly as many elements as there are fields.
	c.Attrs.Set(h, "_make", &value.ClassMethod{Func: defFunc(name, "_make(cls, iterable, /)",
		func(th value.Thread, a []value.Value) (value.Value, error) {
			elems, err := elements(th, a[1])
			if err != nil {
				return openResult(th, name+"._make", err)
			}
			if len(elems) != len(fields) {
				return nil, th.Raise("TypeError", "Expected %d arguments, got %d", len(fields), len(elems))
			}
			cls, _ := a[0].(*value.Class)
			return &value.Tuple{Class: cls, Elems: elems}, nil
		})})
	// _replace gives a copy of the same class, so that a subclass stays one.
	method(th, c, "_replace(self, /, **kwds)", func(th value.Thread, a []value.Value) (value.Value, error) {
		t, ok := a[0].(*value.Tuple)
		if !ok {
			return nil, th.Raise("TypeError", "_replace() requires a '%s' object", name)
		}
		out := &value.Tuple{Class: t.Class, Elems: append([]value.Value(nil), t.Elems...)}
		for _, k := range dictKws(a[1]) {
			i := indexOf(fields, k.Name)
			if i < 0 {
				return nil, th.Raise("ValueError", "Got unexpected field names: ['%s']", k.Name)
			}
			out.Elems[i] = k.Value
		}
		return out, nil
	})
	method(th, c, "_asdict(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		d := th.Heap().NewDict()
		for i, f := range fields {
			d.SetStr(th.Heap(), f, tupleElems(a[0])[i])
		}
		return d, nil
	})
	// copy and pickle make a tuple anew from these.
	method(th, c, "__getnewargs__(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return value.NewTuple(tupleElems(a[0])...), nil
	})
	// The class of the value, which may be a subclass, gives the name.
	method(th, c, "__repr__(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		var b strings.Builder
		b.WriteString(th.TypeOf(a[0]).Name + "(")
		for i, e := range tupleElems(a[0]) {
			if i > 0 {
				b.WriteString(", ")
			}
			s, _ := th.Repr(e)
			b.WriteString(fields[i] + "=" + s)
		}
		return value.Str(b.String() + ")"), nil
	})
	return c, nil
}

// indexOf is the place of s in a list, or -1. Lists of fields are short, so that a map would not be
// faster.
func indexOf(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}

// bindFields distributes arguments over named fields, with the messages of a Python function whose
// first parameter is not shown: a TypeError for too many, unknown, repeated and missing ones. The
// count in the message has one more, as CPython counts cls.
func bindFields(th value.Thread, what string, fields []string, defaults []value.Value, args []value.Value, kw []value.Kw) ([]value.Value,
	error) {
	if len(args) > len(fields) {
		return nil, th.Raise("TypeError", "%s takes %d positional argument%s but %d were given", what, len(fields)+1, plural(len(fields)+1),
			len(args)+1)
	}
	elems := make([]value.Value, len(fields))
	copy(elems, args)
	for _, k := range kw {
		i := indexOf(fields, k.Name)
		switch {
		case i < 0:
			return nil, th.Raise("TypeError", "%s got an unexpected keyword argument '%s'", what, k.Name)
		case elems[i] != nil:
			return nil, th.Raise("TypeError", "%s got multiple values for argument '%s'", what, k.Name)
		}
		elems[i] = k.Value
	}
	var missing []string
	// The first field that has a default.
	first := len(fields) - len(defaults)
	for i, e := range elems {
		switch {
		case e != nil:
		case i >= first:
			elems[i] = defaults[i-first]
		default:
			missing = append(missing, fields[i])
		}
	}
	if len(missing) > 0 {
		return nil, lacksArguments(th, what, missing)
	}
	return elems, nil
}

// lacksArguments is the TypeError of a call that lacks arguments; what is the function, with its
// parentheses. The error carries its facts, so that printers and fixes need not read the message.
func lacksArguments(th value.Thread, what string, names []string) error {
	n := len(names)
	list := "'" + names[n-1] + "'"
	if n > 1 {
		list = "'" + strings.Join(names[:n-1], "', '") + "' and " + list
	}
	err := th.Raise("TypeError", "%s missing %d required positional argument%s: %s", what, n, plural(n), list)
	return value.Saying(err, diag.Fact{Kind: diag.LacksArguments, Of: strings.TrimSuffix(what, "()"), Names: names})
}

// defaultDictClass defines defaultdict; the factory is a field of the dict. The factory is a field
// of value.Dict, as the interpreter must know it: a missing key of such a dict runs code.
func defaultDictClass(m *mod) {
	th, w := m.th, m.w
	c := m.class("defaultdict", w.dict)
	rawMethod(th, c, "__init__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		d, ok := args[0].(*value.Dict)
		if !ok {
			return nil, th.Raise("TypeError", "defaultdict.__init__() requires a 'defaultdict' object")
		}
		rest := args[1:]
		// The first argument is the factory; None is none. All others make the dict.
		if len(rest) > 0 {
			th.Heap().Touch(d)
			if d.Factory = rest[0]; rest[0] == value.None {
				d.Factory = nil
			}
			rest = rest[1:]
		}
		init, _ := w.dict.Lookup("__init__")
		return th.Call(init, append([]value.Value{d}, rest...), kw)
	})
	// The entry is made when it is asked for. CPython's rule: __missing__ stores what the factory
	// gave, and a dict without factory raises the KeyError of the key.
	method(th, c, "__missing__(self, key, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		d, ok := a[0].(*value.Dict)
		if !ok || d.Factory == nil {
			return nil, w.keyError(th, a[1])
		}
		v, err := th.Call(d.Factory, nil, nil)
		if err != nil {
			return nil, err
		}
		return v, th.SetItem(d, a[1], v)
	})
	// The copy keeps the factory and shares the values.
	method(th, c, "copy(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return w.copyValue(th, a[0])
	})
	method(th, c, "__repr__(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		d, ok := a[0].(*value.Dict)
		if !ok {
			return value.Str("defaultdict"), nil
		}
		// The entries print as those of a dict.
		plain := th.Heap().NewDict()
		for i := range d.Len() {
			if err := th.SetItem(plain, d.Key(i), d.At(i)); err != nil {
				return nil, err
			}
		}
		f, s := "None", ""
		if d.Factory != nil {
			f, _ = th.Repr(d.Factory)
		}
		s, _ = th.Repr(plain)
		return value.Str("defaultdict(" + f + ", " + s + ")"), nil
	})
	// default_factory may be read and written at any time.
	get := &value.Builtin{Name: "defaultdict.default_factory", Fn: func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value,
		error) {
		if d, ok := args[0].(*value.Dict); ok && d.Factory != nil {
			return d.Factory, nil
		}
		return value.None, nil
	}}
	set := &value.Builtin{Name: "defaultdict.default_factory", Fn: func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value,
		error) {
		if d, ok := args[0].(*value.Dict); ok {
			th.Heap().Touch(d)
			if d.Factory = args[1]; args[1] == value.None {
				d.Factory = nil
			}
		}
		return value.None, nil
	}}
	c.Attrs.Set(th.Heap(), "default_factory", &value.Property{Get: get, Set: set})
}
