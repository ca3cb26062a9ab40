package lib

// This file defines the classes of callables and descriptors.

import (
	"shapecheck/infer/value"
)

var descriptorClasses = []classSpec{
	{name: "function", hidden: true, final: true, procs: descrGet},
	{name: "builtin_function_or_method", hidden: true, final: true, procs: descrGet},
	{name: "wrapper_descriptor", hidden: true, final: true},
	{name: "method", hidden: true, procs: []proc{{name: "__new__", params: "function instance", kind: newProc, fn: func(c *call) (value.Value, error) {
		return &value.BoundMethod{Func: c.args[0], Self: c.args[1]}, nil
	}}}},
	{name: "module", hidden: true, procs: []proc{
		{name: "__new__", params: "name doc?", kind: newProc, fn: func(c *call) (value.Value, error) {
			name, _ := value.AsStr(c.args[0])
			return &value.Module{Name: name, Attrs: c.th.Heap().NewAttrs()}, nil
		}},
		{name: "__init__", params: "*args **kw", fn: func(c *call) (value.Value, error) { return value.None, nil }},
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
	{name: "code", hidden: true},
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
	{name: "__new__", params: "+ fget? fset? fdel? doc?", kind: newProc, fn: func(c *call) (value.Value, error) {
		if cls := c.self.(*value.Class); cls != c.w.property {
			// A derived class has its own __get__; it reads fget and its kin.
			i := c.th.Heap().NewInstance(cls)
			for n, name := range [...]string{"fget", "fset", "fdel", "__doc__"} {
				i.Attrs.Set(c.th.Heap(), name, c.arg(n, value.None))
			}
			return i, nil
		}
		p := &value.Property{}
		for i, at := range [...]*value.Value{&p.Get, &p.Set, &p.Del} {
			if given(c.args[i]) {
				*at = c.args[i]
			}
		}
		return p, nil
	}},
	{name: "__init__", params: "*args **kw", fn: func(c *call) (value.Value, error) { return value.None, nil }},
	{name: "getter", params: "fget", fn: propertyWith(func(p *value.Property, f value.Value) { p.Get = f })},
	{name: "setter", params: "fset", fn: propertyWith(func(p *value.Property, f value.Value) { p.Set = f })},
	{name: "deleter", params: "fdel", fn: propertyWith(func(p *value.Property, f value.Value) { p.Del = f })},
	{name: "__get__", params: "instance owner?", fn: func(c *call) (value.Value, error) {
		p, ok := c.self.(*value.Property)
		if i, isInst := c.self.(*value.Instance); isInst && c.args[0] != value.None {
			if f, _ := i.Attrs.Get("fget"); given(f) {
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
