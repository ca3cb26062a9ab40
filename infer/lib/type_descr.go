package lib

// This file defines the classes of callables and descriptors.

import (
	"shapecheck/infer/value"
)

var descriptorClasses = []classSpec{
	{name: "function", hidden: true, final: true, procs: append([]proc{
		{name: "__new__", params: "+ code globals name? argdefs? closure?", kind: newProc, fn: functionNew}}, descrGet...)},
	{name: "builtin_function_or_method", hidden: true, final: true, procs: descrGet},
	{name: "wrapper_descriptor", hidden: true, final: true},
	{name: "method", hidden: true, procs: []proc{{name: "__new__", params: "function instance", kind: newProc,
		fn: func(c *call) (value.Value, error) {
			return &value.BoundMethod{Func: c.args[0], Self: c.args[1]}, nil
		}}}},
	{name: "module", hidden: true, procs: []proc{
		{name: "__new__", params: "*args **kw", kind: newProc, fn: func(c *call) (value.Value, error) {
			h := c.th.Heap()
			if k, ok := c.self.(*value.Class); ok && k != c.w.module {
				return h.NewInstance(k), nil
			}
			return &value.Module{Attrs: h.NewAttrs()}, nil
		}},
		{name: "__init__", params: "+ name doc?", fn: moduleInit},
		{name: "__dir__", fn: func(c *call) (value.Value, error) {
			var names []value.Value
			if a := attrsOf(c.self); a != nil {
				for i := range a.Len() {
					names = append(names, value.Str(a.Name(i)))
				}
			}
			return c.th.Heap().NewList(names), nil
		}},
	}},
	{name: "property", procs: propertyProcs},
	{name: "staticmethod", procs: []proc{{name: "__new__", params: "function", kind: newProc, fn: func(c *call) (value.Value, error) {
		return &value.StaticMethod{Func: c.args[0]}, nil
	}}}},
	{name: "classmethod", procs: []proc{{name: "__new__", params: "function", kind: newProc, fn: func(c *call) (value.Value, error) {
		return &value.ClassMethod{Func: c.args[0]}, nil
	}}}},
	{name: "super", procs: []proc{
		{name: "__new__", params: "type? object?", kind: newProc, fn: superNew},
		{name: "__init__", params: "*args", fn: func(c *call) (value.Value, error) { return value.None, nil }},
	}},
	{name: "GenericAlias", module: "types", hidden: true},
	{name: "UnionType", module: "types", hidden: true},
	{name: "code", hidden: true, procs: []proc{{name: "replace", params: "**kw", fn: codeReplace}}},
	{name: "cell", hidden: true},
	{name: "traceback", hidden: true},
	{name: "frame", hidden: true},
	{name: "SimpleNamespace", module: "types", hidden: true, procs: []proc{
		{name: "__init__", params: "**kw", fn: func(c *call) (value.Value, error) {
			for _, k := range c.kw {
				attrsOf(c.self).Set(c.th.Heap(), k.Name, k.Value)
			}
			return value.None, nil
		}},
		{name: "__repr__", fn: func(c *call) (value.Value, error) {
			a := attrsOf(c.self)
			text, known := "namespace(", true
			for i := range a.Len() {
				s, k := c.th.Repr(a.At(i))
				if i > 0 {
					text += ", "
				}
				text, known = text+a.Name(i)+"="+s, known && k
			}
			return c.w.strResult(c.th, text+")", known), nil
		}},
		{name: "__eq__", params: "other", fn: func(c *call) (value.Value, error) {
			o, ok := c.args[0].(*value.Instance)
			if !ok || o.Class != c.w.TypeOf(c.self) {
				return value.NotImplemented, nil
			}
			return c.w.equalDicts(c.th, c.w.attrsDict(c.th, attrsOf(c.self)), c.w.attrsDict(c.th, o.Attrs))
		}},
	}},
}

var descrGet = []proc{{name: "__get__", params: "instance owner?", fn: func(c *call) (value.Value, error) {
	if c.args[0] == value.None {
		return c.self, nil
	}
	return &value.BoundMethod{Self: c.args[0], Func: c.self}, nil
}}}

var propertyProcs = []proc{
	{name: "__new__", params: "+ *args **kw", kind: newProc, fn: func(c *call) (value.Value, error) {
		if cls := c.self.(*value.Class); cls != c.w.property {
			return c.th.Heap().NewInstance(cls), nil // which reads fget and its kin
		}
		return &value.Property{}, nil
	}},
	{name: "__init__", params: "+ fget? fset? fdel? doc?", fn: func(c *call) (value.Value, error) {
		switch p := c.self.(type) {
		case *value.Property:
			for i, at := range [...]*value.Value{&p.Get, &p.Set, &p.Del} {
				if isGiven(c.args[i]) {
					*at = c.args[i]
				}
			}
		case *value.Instance:
			for n, name := range [...]string{"fget", "fset", "fdel", "__doc__"} {
				p.Attrs.Set(c.th.Heap(), name, c.arg(n, value.None))
			}
		}
		return value.None, nil
	}},
	{name: "getter", params: "fget", fn: propertyWith(func(p *value.Property, f value.Value) { p.Get = f })},
	{name: "setter", params: "fset", fn: propertyWith(func(p *value.Property, f value.Value) { p.Set = f })},
	{name: "deleter", params: "fdel", fn: propertyWith(func(p *value.Property, f value.Value) { p.Del = f })},
	{name: "__get__", params: "instance owner?", fn: func(c *call) (value.Value, error) {
		p, ok := c.self.(*value.Property)
		if i, isInst := c.self.(*value.Instance); isInst && c.args[0] != value.None {
			if f, _ := i.Attrs.Get("fget"); isGiven(f) {
				return c.th.Call(f, c.args[:1], nil)
			}
		}
		if !ok || c.args[0] == value.None {
			return c.self, nil
		}
		if p.Get == nil {
			return nil, c.th.Raise("AttributeError", "property has no getter")
		}
		return c.th.Call(p.Get, c.args[:1], nil)
	}},
	{name: "__set__", params: "instance value", fn: func(c *call) (value.Value, error) { return propertyWrite(c, "fset", "setter") }},
	{name: "__delete__", params: "instance", fn: func(c *call) (value.Value, error) { return propertyWrite(c, "fdel", "deleter") }},
}

// propertyWrite calls what a property does to write or delete.
func propertyWrite(c *call, attr, what string) (value.Value, error) {
	f, ok, err := c.th.LookupAttr(c.self, attr)
	if err != nil {
		return nil, err
	}
	if !ok || !isGiven(f) {
		return nil, c.th.Raise("AttributeError", "property has no %s", what)
	}
	_, err = c.th.Call(f, c.args, nil)
	return value.None, err
}

func propertyWith(set func(p *value.Property, f value.Value)) func(c *call) (value.Value, error) {
	return func(c *call) (value.Value, error) {
		p, ok := c.self.(*value.Property)
		if !ok {
			return c.self, nil
		}
		n := *p
		set(&n, c.args[0])
		return &n, nil
	}
}

// superNew is super(type, object). The interpreter handles super() itself.
func superNew(c *call) (value.Value, error) {
	cls, ok := c.args[0].(*value.Class)
	if !ok {
		if c.args[0] == nil {
			return nil, c.th.Raise("RuntimeError", "super(): no arguments")
		}
		if value.IsUnknown(c.args[0]) {
			return c.args[0], nil
		}
		return nil, c.th.Raise("TypeError", "super() argument 1 must be a type, not %s", c.w.TypeOf(c.args[0]).Name)
	}
	self := c.args[1]
	switch x := self.(type) {
	case nil:
		return &value.Super{Class: cls, Of: cls}, nil
	case *value.Unknown:
		return x, nil
	case *value.Class:
		if x.IsSubclass(cls) {
			return &value.Super{Class: cls, Self: x, Of: x}, nil
		}
	}
	of := c.w.TypeOf(self)
	if !of.IsSubclass(cls) {
		return nil, c.th.Raise("TypeError", "super(type, obj): obj must be an instance or subtype of type")
	}
	return &value.Super{Class: cls, Self: self, Of: of}, nil
}

// moduleInit is the __init__ of modules that a program makes.
func moduleInit(c *call) (value.Value, error) {
	a, h := attrsOf(c.self), c.th.Heap()
	if m, ok := c.self.(*value.Module); ok {
		m.Name, _ = value.AsStr(c.args[0])
	}
	a.Set(h, "__name__", c.args[0])
	a.Set(h, "__doc__", or(c.args[1], value.None))
	for _, name := range []string{"__package__", "__loader__", "__spec__"} {
		a.Set(h, name, value.None)
	}
	return value.None, nil
}

// codeReplace gives the code with other names: of which function it is stays.
func codeReplace(c *call) (value.Value, error) {
	i, ok := c.self.(*value.Instance)
	if !ok {
		return c.th.Unknown("a code object"), nil
	}
	h := c.th.Heap()
	out := h.NewInstance(i.Class)
	out.Data = i.Data
	for k := range i.Attrs.Len() {
		out.Attrs.Set(h, i.Attrs.Name(k), i.Attrs.At(k))
	}
	for _, k := range c.kw {
		switch k.Name {
		case "co_name", "co_qualname", "co_filename", "co_firstlineno":
			out.Attrs.Set(h, k.Name, k.Value)
		default: // it may run otherwise
			return c.th.Unknown("a code object with another " + k.Name), nil
		}
	}
	return out, nil
}

// functionNew makes a function of the code of another one. The cells of a closure are
// those of that function.
func functionNew(c *call) (value.Value, error) {
	for _, v := range c.args {
		if u, ok := v.(*value.Unknown); ok && v != c.args[4] {
			return u, nil
		}
	}
	i, ok := c.args[0].(*value.Instance)
	if !ok || i.Class != c.w.classes["code"] {
		return nil, c.th.Raise("TypeError", "function() argument 'code' must be code, not %s", c.w.TypeOf(c.args[0]).Name)
	}
	of, ok := i.Data.(*value.Func)
	globals, isDict := c.args[1].(*value.Dict)
	if !ok || !isDict || of.Module == nil || globals.Mirror != of.Module.Attrs {
		return c.th.Unknown("a function with the variables of another module"), nil
	}
	f := *of
	f.Attrs, f.Defaults = nil, nil // KwDefaults stay, as who copies a function sets them again
	if s, ok := value.AsStr(or(c.args[2], value.None)); ok {
		f.Name, f.Qualname = s, s
	}
	if t, ok := c.args[3].(*value.Tuple); ok {
		f.Defaults = t.Elems
	}
	return &f, nil
}
