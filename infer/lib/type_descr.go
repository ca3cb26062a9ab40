package lib

// This file defines the classes of callables and descriptors. Functions and methods are values of
// their own; the classes here are what type() of them gives, and what programs make by calling
// them. Descriptors bind in the interpreter and in bindTo; __get__ is for programs that call it
// themselves.

import (
	"shapecheck/infer/value"
)

// hidden classes have no name in builtins: programs reach them by type() or the module types. final
// ones cannot be subclassed.
var descriptorClasses = []classSpec{
	{name: "function", hidden: true, final: true, procs: append([]proc{
		{name: "__new__", params: "+ code globals name? argdefs? closure?", kind: newProc, fn: functionNew}}, descrGet...)},
	{name: "builtin_function_or_method", hidden: true, final: true, procs: descrGet},
	{name: "wrapper_descriptor", hidden: true, final: true},
	// types.MethodType(f, x) binds f to x by hand.
	{name: "method", hidden: true, procs: []proc{{name: "__new__", params: "function instance", kind: newProc,
		fn: func(c *call) (value.Value, error) {
			return &value.BoundMethod{Func: c.args[0], Self: c.args[1]}, nil
		}}}},
	// A subclass of a module class is an ordinary instance, as value.Module has no class.
	{name: "module", hidden: true, procs: []proc{
		{name: "__new__", params: "*args **kw", kind: newProc, fn: func(c *call) (value.Value, error) {
			h := c.th.Heap()
			if k, ok := c.self.(*value.Class); ok && k != c.w.module {
				return h.NewInstance(k), nil
			}
			return &value.Module{Attrs: h.NewAttrs()}, nil
		}},
		{name: "__init__", params: "+ name doc?", fn: moduleInit},
		// dir(module) lists what it has, in the order of definition.
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
	// __init__ is there as a class that inherits from super may call it.
	{name: "super", procs: []proc{
		{name: "__new__", params: "type? object?", kind: newProc, fn: superNew},
		{name: "__init__", params: "*args **kw", fn: superInit},
		{name: "__get__", params: "instance owner?", fn: superGet},
	}},
	{name: "GenericAlias", module: "types", hidden: true},
	{name: "UnionType", module: "types", hidden: true},
	{name: "code", hidden: true, procs: []proc{{name: "replace", params: "**kw", fn: codeReplace}}},
	{name: "cell", hidden: true},
	{name: "traceback", hidden: true},
	{name: "frame", hidden: true},
	// A SimpleNamespace has its keywords as attributes, prints them, and is equal to one with equal
	// attributes.
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

// descrGet is __get__ of functions: bound to an instance, or the function itself. For None as the
// instance CPython has the function itself only where an owner is given; the difference does not
// matter here.
var descrGet = []proc{{name: "__get__", params: "instance owner?", fn: func(c *call) (value.Value, error) {
	if c.args[0] == value.None {
		return c.self, nil
	}
	return &value.BoundMethod{Self: c.args[0], Func: c.self}, nil
}}}

var propertyProcs = []proc{
	// A subclass of property is an ordinary object with the functions as attributes.
	{name: "__new__", params: "+ *args **kw", kind: newProc, fn: func(c *call) (value.Value, error) {
		if cls := c.self.(*value.Class); cls != c.w.property {
			return c.th.Heap().NewInstance(cls), nil // which reads fget and its kin
		}
		return &value.Property{}, nil
	}},
	// A function that is None counts as not given.
	{name: "__init__", params: "+ fget? fset? fdel? doc?", fn: func(c *call) (value.Value, error) {
		switch p := c.self.(type) {
		case *value.Property:
			for i, at := range [...]*value.Value{&p.Get, &p.Set, &p.Del} {
				if isGiven(c.args[i]) {
					*at = c.args[i]
				}
			}
			if isGiven(c.args[3]) {
				p.Doc = c.args[3]
			}
		case *value.Instance:
			for n, name := range [...]string{"fget", "fset", "fdel", "__doc__"} {
				p.Attrs.Set(c.th.Heap(), name, c.arg(n, value.None))
			}
			// Without a docstring of its own it has that of the function.
			if f := c.args[0]; isGiven(f) && !isGiven(c.args[3]) {
				doc, ok, err := c.th.LookupAttr(f, "__doc__")
				if err != nil {
					return nil, err
				}
				if ok {
					p.Attrs.Set(c.th.Heap(), "__doc__", doc)
				}
			}
		}
		return value.None, nil
	}},
	// Each gives a copy with one function changed, as the decorators need it.
	{name: "getter", params: "fget", fn: propertyWith(func(p *value.Property, f value.Value) { p.Get = f })},
	{name: "setter", params: "fset", fn: propertyWith(func(p *value.Property, f value.Value) { p.Set = f })},
	{name: "deleter", params: "fdel", fn: propertyWith(func(p *value.Property, f value.Value) { p.Del = f })},
	// A property that is read from its class (no instance) is itself.
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

// propertyWrite calls what a property does to write or delete; attr is the attribute that has it.
// Without one it is an AttributeError. The error is also that of the called function. The result is
// None.
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

// propertyWith makes the method of a property that gives a copy with one function changed. The copy
// is shallow: the functions are shared, and a docstring that the property was made with. A subclass's instance gives itself.
func propertyWith(set func(p *value.Property, f value.Value)) func(c *call) (value.Value, error) {
	return func(c *call) (value.Value, error) {
		p, ok := c.self.(*value.Property)
		if !ok {
			return c.self, nil
		}
		n := *p
		n.Attrs = nil // what was written to the property stays there
		set(&n, c.args[0])
		return &n, nil
	}
}

// superNew is super(type, object). The interpreter handles super() itself. The object must be an
// instance of the type, or a subclass of it (TypeError).
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
	// super(type) without an object is unbound.
	self := c.args[1]
	switch x := self.(type) {
	case nil:
		return &value.Super{Class: cls, Of: cls}, nil
	case *value.Unknown:
		return x, nil
	// A class as the object: super of a classmethod, which looks from that class on.
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

// superInit is the __init__ of super objects, which super(C).__init__ calls where an object of C was to be made.
func superInit(c *call) (value.Value, error) {
	if len(c.kw) > 0 {
		return nil, c.th.Raise("TypeError", "super() takes no keyword arguments")
	}
	if len(c.rest) > 0 {
		if _, ok := c.rest[0].(*value.Class); !ok && !value.IsUnknown(c.rest[0]) {
			return nil, c.th.Raise("TypeError", "super() argument 1 must be type, not %s", c.w.TypeOf(c.rest[0]).Name)
		}
	}
	return value.None, nil
}

// superGet binds a super object that has no object yet to one, as an attribute of a class does.
func superGet(c *call) (value.Value, error) {
	s, ok := c.self.(*value.Super)
	if !ok || s.Self != nil || c.args[0] == value.None {
		return c.self, nil
	}
	if value.IsUnknown(c.args[0]) {
		return c.args[0], nil
	}
	return &value.Super{Class: s.Class, Self: c.args[0], Of: c.w.TypeOf(c.args[0])}, nil
}

// moduleInit is the __init__ of modules that a program makes. A module that a program makes has the
// attributes that CPython gives it, and its loader and spec are None.
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

// codeReplace gives the code with other names: of which function it is stays. Names and places may
// be exchanged. Anything else (constants, flags, byte code) gives a code object that is not known.
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

// functionNew makes a function of the code of another one. The cells of a closure are those of that
// function. With globals of another module it is not known what its names mean. What is no code is
// a TypeError. It is types.FunctionType(code, globals, name, argdefs, closure).
func functionNew(c *call) (value.Value, error) {
	// An argument that is not known makes the function unknown, but for the closure, which is not
	// used.
	for _, v := range c.args {
		if u, ok := v.(*value.Unknown); ok && v != c.args[4] {
			return u, nil
		}
	}
	i, ok := c.args[0].(*value.Instance)
	if !ok || i.Class != c.w.classes["code"] {
		return nil, c.th.Raise("TypeError", "function() argument 'code' must be code, not %s", c.w.TypeOf(c.args[0]).Name)
	}
	// A code object knows its function, of which the new one is a copy; the globals must be those
	// of the same module.
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
