package lib

// This file defines the native part of dataclasses: the __init__ that a
// dataclass gets, its fields, and the reading of annotations. The rest is in
// py/dataclasses.py. CPython writes the source of __init__ and executes it. Here the __init__ is a
// builtin that binds the arguments by a table, because a function of the program would be interpreted step by step for each object.

import (
	"strings"

	"shapecheck/infer/value"
)

// dataclassesModule defines what the prelude's Python of dataclasses leaves to Go: making fields, and the
// __init__ of a class, of which a model has many.
func dataclassesModule(m *mod) {
	w := m.w
	m.def("_annotation_kind(annotation, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return value.Str(annotationKind(a[0])), nil
	})
	// The attributes are in the order of plainField; the rest have the defaults of field().
	m.def("_make_field(cls, name, type, default, missing, kw_only, kind, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		cls, ok := a[0].(*value.Class)
		if !ok {
			return nil, th.Raise("TypeError", "_make_field() needs a class")
		}
		h := th.Heap()
		f := h.NewInstance(cls)
		f.Attrs.Grow(len(plainField))
		yes := value.Bool(true)
		for i, v := range [len(plainField)]value.Value{a[1], a[2], a[3], a[4], yes, yes, value.None, yes, h.NewDict(), a[5], a[6]} {
			f.Attrs.Set(h, plainField[i], v)
		}
		return f, nil
	})
	m.def("_keep_fields(obj, fields, changes, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return keepFields(th, a[0], a[1], a[2])
	})
	// specs are tuples (name, kind, init, kw_only, default, default_factory); missing is the marker
	// for no default.
	m.def("_make_init(cls, specs, frozen, missing, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		cls, _ := a[0].(*value.Class)
		var fields []initField
		err := th.Iterate(a[1], func(v value.Value) error {
			e := tupleElems(v)
			name, _ := value.AsStr(e[0])
			f := initField{name: name, initVar: e[1] == value.Value(value.Str("init")), init: e[2] != value.Value(value.Bool(false)),
				kwOnly: e[3] == value.Value(value.Bool(true))}
			if e[4] != a[3] {
				f.def = e[4]
			}
			if e[5] != a[3] {
				f.factory = e[5]
			}
			fields = append(fields, f)
			return nil
		})
		if err != nil {
			return nil, err
		}
		// The first field without a default after one with a default is an error, unless it is by
		// keyword alone.
		defaulted := ""
		for _, f := range fields {
			switch {
			case !f.init || f.kwOnly:
			case f.def != nil || f.factory != nil:
				defaulted = f.name
			case defaulted != "":
				return nil, th.Raise("TypeError", "non-default argument '%s' follows default argument", f.name)
			}
		}
		return w.dataclassInit(cls, fields, a[2] == value.Value(value.Bool(true))), nil
	})
}

// keepFields gives the changes that replace() makes the plain fields of obj that they do not name. It returns the
// fields that are left to replace() itself: all of them where the changes are not known. changes is
// written to. An error is that of reading an attribute.
func keepFields(th value.Thread, obj, fields, changes value.Value) (value.Value, error) {
	from, ok := fields.(*value.Dict)
	to, known := changes.(*value.Dict)
	if !ok || !known || from.Open != nil || to.Open != nil {
		return th.CallMethod(fields, "values")
	}
	var left []value.Value
	to.Grow(from.Len() - to.Len())
	for i := range from.Len() {
		f, ok := from.At(i).(*value.Instance)
		if !ok {
			left = append(left, from.At(i))
			continue
		}
		attr := func(name string) value.Value { v, _ := f.Attrs.Get(name); return v }
		name, ok := value.AsStr(attr("name"))
		// ClassVar, InitVar and init=False need the checks of replace().
		if !ok || attr("_field_type") != value.Value(value.Str("")) || attr("init") != value.Value(value.Bool(true)) {
			left = append(left, f)
			continue
		}
		if to.Has(name) {
			continue
		}
		v, err := th.GetAttr(obj, name)
		if err != nil {
			return nil, err
		}
		to.SetStr(th.Heap(), name, v)
	}
	return th.Heap().NewList(left), nil
}

// plainField are the attributes of a field that no call of field() makes.
var plainField = [...]string{"name", "type", "default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only",
	"_field_type"}

// annotationKind tells what an annotation makes of a name: "" a field, "init" an
// InitVar, "class" a ClassVar, "kw_only" the marker KW_ONLY. Text (as under
// from __future__ import annotations) is recognised by its start, as in CPython. An annotation that
// is a text may have a module and arguments: "typing.ClassVar[int]".
func annotationKind(v value.Value) string {
	switch v := v.(type) {
	case value.Str:
		s := string(v)
		if i := strings.IndexByte(s, '['); i >= 0 {
			s = s[:i]
		}
		s = s[strings.LastIndexByte(s, '.')+1:]
		switch strings.TrimSpace(s) {
		case "ClassVar":
			return "class"
		case "InitVar":
			return "init"
		case "KW_ONLY":
			return "kw_only"
		}
	case *value.GenericAlias:
		return annotationKind(v.Origin)
	case *value.Class:
		if v.Name == "InitVar" && v.Module == "dataclasses" {
			return "init"
		}
	case *value.Instance:
		// typing.ClassVar itself.
		if v.Data == formData("ClassVar") {
			return "class"
		}
		if v.Class.Module == "dataclasses" {
			switch v.Class.Name {
			case "InitVar":
				return "init"
			case "_KW_ONLY_TYPE":
				return "kw_only"
			}
		}
	}
	return ""
}

// An initField is a field as __init__ sees it. A field of a base class is among them, in the order
// of the method resolution.
type initField struct {
	name    string
	initVar bool // passed to __post_init__ and not stored
	init    bool // a parameter
	kwOnly  bool
	def     value.Value // nil: none
	factory value.Value // nil: none
}

// initParams are the parameters of the __init__ of a dataclass. The default that a
// factory makes is shown as the factory. Keyword-only parameters come after the others.
func initParams(fields []initField) []value.Param {
	params := []value.Param{{Name: "self", Kind: posParam}}
	for _, kind := range []int{posParam, kwOnlyParam} {
		for _, f := range fields {
			if f.init && f.kwOnly == (kind == kwOnlyParam) {
				params = append(params, value.Param{Name: f.name, Kind: kind, Default: or(f.def, f.factory)})
			}
		}
	}
	return params
}

// dataclassInit makes the __init__ of a dataclass. frozen objects are written to directly, since
// their __setattr__ raises. The result depends on nothing that changes later, so it is made once
// for the class.
func (w *World) dataclassInit(cls *value.Class, fields []initField, frozen bool) *value.Builtin {
	what := cls.Qualname + ".__init__()"
	var pos []int // positional parameters
	byName := map[string]int{}
	var stored []string // in the object, where all fields have values
	for i, f := range fields {
		if !f.initVar {
			stored = append(stored, f.name)
		}
		if f.init {
			byName[f.name] = i
			if !f.kwOnly {
				pos = append(pos, i)
			}
		}
	}
	// bind gives a value for each field, nil where there is none. It raises TypeError with
	// CPython's text for arguments that do not fit.
	bind := func(th value.Thread, args []value.Value, kw []value.Kw) ([]value.Value, error) {
		if len(args) > len(pos) {
			return nil, th.Raise("TypeError", "%s takes %d positional argument%s but %d were given", what, len(pos)+1, plural(len(pos)+1),
				len(args)+1)
		}
		vals := make([]value.Value, len(fields))
		for i, a := range args {
			vals[pos[i]] = a
		}
		for _, k := range kw {
			i, ok := byName[k.Name]
			switch {
			case !ok:
				return nil, th.Raise("TypeError", "%s got an unexpected keyword argument '%s'", what, k.Name)
			case vals[i] != nil:
				return nil, th.Raise("TypeError", "%s got multiple values for argument '%s'", what, k.Name)
			}
			vals[i] = k.Value
		}
		var missing []string
		for i, f := range fields {
			if f.init && vals[i] == nil && f.def == nil && f.factory == nil {
				missing = append(missing, f.name)
			}
		}
		if len(missing) > 0 {
			return nil, lacksArguments(th, what, missing)
		}
		return vals, nil
	}
	// Objects share the table of names, which saves the greater part of their memory.
	layout := value.NewNameLayout(stored...)
	return &value.Builtin{Name: cls.Name + ".__init__", Params: initParams(fields),
		Fn: func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			if len(args) == 0 {
				return nil, th.Raise("TypeError", "%s missing 1 required positional argument: 'self'", what)
			}
			self := args[0]
			vals, err := bind(th, args[1:], kw)
			if err != nil {
				return nil, err
			}
			var initVars, all []value.Value
			fresh, _ := self.(*value.Instance) // whose attributes are all written at once; nil: one by one
			if fresh != nil && (fresh.Attrs.Len() > 0 || !frozen && !w.storesPlainly(fresh.Class, stored)) {
				fresh = nil
			}
			// A field without a value would leave a hole in the layout.
			for i, f := range fields {
				if fresh != nil && vals[i] == nil && (!f.init && !f.initVar || f.def == nil && f.factory == nil) {
					fresh = nil
				}
			}
			for i, f := range fields {
				v := vals[i]
				switch {
				case v != nil:
				// Each object has a default of its own.
				case f.factory != nil:
					if v, err = th.Call(f.factory, nil, nil); err != nil {
						return nil, err
					}
				case f.def != nil:
					if v = f.def; !f.init && !f.initVar {
						continue // stays the attribute of the class
					}
				default:
					continue // __post_init__ sets it
				}
				if f.initVar {
					initVars = append(initVars, v)
					continue
				}
				if fresh != nil {
					all = append(all, v)
					continue
				}
				if x, ok := self.(*value.Instance); ok && frozen {
					// As object.__setattr__ does.
					x.Attrs.Set(th.Heap(), f.name, v)
					continue
				}
				if err := th.SetAttr(self, f.name, v); err != nil {
					return nil, err
				}
			}
			if fresh != nil {
				fresh.Attrs.Begin(th.Heap(), layout, all)
			}
			// InitVars are passed in the order of the fields.
			if _, ok := th.TypeOf(self).Lookup("__post_init__"); ok {
				if _, err := th.CallMethod(self, "__post_init__", initVars...); err != nil {
					return nil, err
				}
			}
			return value.None, nil
		}}
}

// storesPlainly reports whether what is written to attributes of instances of c is only stored.
// Properties, descriptors, __slots__ and a __setattr__ of the program do more than store.
func (w *World) storesPlainly(c *value.Class, names []string) bool {
	set, _ := c.Lookup("__setattr__")
	if objects, ok := w.object.Attrs.Get("__setattr__"); !ok || set != objects {
		return false
	}
	if _, slots := c.Lookup("__slots__"); slots {
		return false
	}
	for _, name := range names {
		switch v, _ := c.Lookup(name); v.(type) {
		case *value.Property, *value.Instance:
			return false
		}
	}
	return true
}
