package lib

// This file defines typing.NamedTuple and typing.TypedDict, each a class with a
// metaclass that turns the class statement into something else. Both can be called like functions
// as well: NamedTuple("P", [("x", int)]) and TypedDict("D", {"x": int}). Types of fields are not
// checked by Python, and so not here.

import (
	"shapecheck/infer/value"
)

// classNamespace reads the namespace that a metaclass gets: its names and values. Names that are no
// texts are left out. get reads the value of a name.
func classNamespace(v value.Value) (names []string, get func(string) (value.Value, bool)) {
	d, ok := v.(*value.Dict)
	if !ok {
		return nil, func(string) (value.Value, bool) { return nil, false }
	}
	for i := range d.Len() {
		if s, ok := value.AsStr(d.Key(i)); ok {
			names = append(names, s)
		}
	}
	return names, d.GetStr
}

// annotated lists the annotated names of a class namespace, in order. nil without annotations.
func annotated(get func(string) (value.Value, bool)) ([]string, *value.Dict) {
	v, _ := get("__annotations__")
	d, _ := v.(*value.Dict)
	if d == nil {
		return nil, nil
	}
	names, _ := classNamespace(d)
	return names, d
}

// namedTupleForm makes NamedTuple, a class statement of which the metaclass makes a namedtuple: annotated names
// are fields in order, all other names go to the class.
func namedTupleForm(m *mod) {
	th, w := m.th, m.w
	// The class statement calls __new__ of the metaclass with the name, the bases and the
	// namespace.
	meta := newModClass(th, "typing", "NamedTupleMeta", w.typ)
	rawMethod(th, meta, "__new__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) < 4 {
			return nil, th.Raise("TypeError", "NamedTuple needs a class statement")
		}
		name, _ := value.AsStr(args[1])
		names, get := classNamespace(args[3])
		fields, annotations := annotated(get)
		var defaults []value.Value
		isField := map[string]bool{}
		for _, f := range fields {
			isField[f] = true
			v, ok := get(f)
			switch {
			case ok:
				defaults = append(defaults, v)
			// Fields with a default stand behind those without.
			case len(defaults) > 0:
				return nil, th.Raise("TypeError", "non-default namedtuple field %s cannot follow default field", f)
			}
		}
		c, err := w.namedTuple(th, name, fields, defaults, w.tuple)
		if err != nil {
			return nil, err
		}
		h := th.Heap()
		if annotations != nil {
			c.Attrs.Set(h, "__annotations__", annotations)
		}
		for _, n := range names {
			if isField[n] || n == "__annotations__" {
				continue
			}
			// A method belongs to the class that is made.
			v, _ := get(n)
			if f, ok := v.(*value.Func); ok && f.Class == nil {
				f.Class = c
			}
			c.Attrs.Set(h, n, v)
			if s, ok := v.(value.Str); ok && n == "__module__" {
				c.Module = string(s)
			}
		}
		return c, nil
	})
	base := newModClass(th, "typing", "NamedTuple")
	base.Meta = meta
	// Only NamedTuple itself is called in this way; classes made from it are called as namedtuples.
	rawMethod(th, meta, "__call__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if args[0] != value.Value(base) || len(args) < 2 {
			return nil, th.Raise("TypeError", "NamedTuple() missing 1 required positional argument: 'typename'")
		}
		name, _ := value.AsStr(args[1])
		var fields []string
		ann := th.Heap().NewDict()
		if len(args) > 2 {
			err := th.Iterate(args[2], func(pair value.Value) error {
				two, err := elements(th, pair)
				if err != nil {
					return err
				}
				if s, ok := value.AsStr(two[0]); ok && len(two) == 2 {
					fields = append(fields, s)
					ann.SetStr(th.Heap(), s, two[1])
				}
				return nil
			})
			if err != nil {
				return openResult(th, "NamedTuple", err)
			}
		}
		// Fields by keywords, an old form.
		for _, k := range kw {
			fields = append(fields, k.Name)
			ann.SetStr(th.Heap(), k.Name, k.Value)
		}
		c, err := w.namedTuple(th, name, fields, nil, w.tuple)
		if err != nil {
			return nil, err
		}
		c.Attrs.Set(th.Heap(), "__annotations__", ann)
		return c, nil
	})
	m.set("NamedTuple", base)
}

// typedDictForm defines TypedDict. A TypedDict class makes plain dicts. Annotations are collected
// from the bases, because tools read them; the class is no subclass of dict here.
func typedDictForm(m *mod) {
	th, w := m.th, m.w
	meta := newModClass(th, "typing", "_TypedDictMeta", w.typ)
	base := newModClass(th, "typing", "TypedDict")
	base.Meta = meta
	make_ := func(th value.Thread, name string, bases []*value.Class, own *value.Dict, module value.Value) (value.Value, error) {
		h := th.Heap()
		ann := h.NewDict()
		add := func(v value.Value) {
			if d, ok := v.(*value.Dict); ok {
				for i := range d.Len() {
					if s, ok := value.AsStr(d.Key(i)); ok {
						ann.SetStr(h, s, d.At(i))
					}
				}
			}
		}
		// In the order of the bases; later ones win.
		for _, b := range bases {
			if v, ok := b.Attrs.Get("__annotations__"); ok {
				add(v)
			}
		}
		if own != nil {
			add(own)
		}
		c := newModClass(th, "typing", name)
		c.Meta, c.Prelude, c.At = meta, false, th.Here()
		if s, ok := module.(value.Str); ok {
			c.Module = string(s)
			c.Attrs.Set(h, "__module__", s)
		}
		c.Attrs.Set(h, "__annotations__", ann)
		// total=False changes nothing that the run could see.
		c.Attrs.Set(h, "__total__", value.Bool(true))
		return c, nil
	}
	rawMethod(th, meta, "__new__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) < 4 {
			return nil, th.Raise("TypeError", "TypedDict needs a class statement")
		}
		name, _ := value.AsStr(args[1])
		_, get := classNamespace(args[3])
		_, own := annotated(get)
		var bases []*value.Class
		for _, b := range tupleElems(args[2]) {
			if c, ok := b.(*value.Class); ok && c != base {
				bases = append(bases, c)
			}
		}
		module, _ := get("__module__")
		return make_(th, name, bases, own, module)
	})
	rawMethod(th, meta, "__init__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return value.None, nil
	})
	// Calling a TypedDict class is calling dict.
	rawMethod(th, meta, "__call__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if args[0] != value.Value(base) {
			return th.Call(w.dict, args[1:], kw)
		}
		if len(args) < 2 {
			return nil, th.Raise("TypeError", "TypedDict() missing 1 required positional argument: 'typename'")
		}
		name, _ := value.AsStr(args[1])
		own := &value.Dict{}
		if len(args) > 2 {
			if d, ok := args[2].(*value.Dict); ok {
				own = d
			}
		}
		return make_(th, name, nil, own, value.Str(runningModule(th, "__main__")))
	})
	m.set("TypedDict", base)
}
