package lib

// This file defines object and type, and the classes of singletons. Attributes are stored and found
// here past what a class defines for it: these are the methods that super().__setattr__ and
// object.__getattribute__ reach. Classes are made by typeNew, which the class statement also comes
// to where there is a metaclass.

import (
	"strings"

	"shapecheck/infer/value"
)

var objectClasses = []classSpec{
	{name: "object", procs: objectProcs},
	{name: "type", layout: value.ClassLayout, procs: typeProcs},
	{name: "NoneType", hidden: true, final: true},
	{name: "ellipsis", hidden: true, final: true},
	{name: "NotImplementedType", hidden: true, final: true},
}

var objectProcs = join([]proc{
	{name: "__new__", params: "*args **kw", kind: newProc, fn: objectNew},
	{name: "__init__", params: "*args **kw", fn: objectInit},
	// Keywords of a class statement must be taken by some class above.
	{name: "__init_subclass__", params: "**kw", kind: classProc, fn: func(c *call) (value.Value, error) {
		if cls := c.self.(*value.Class); len(c.kw) > 0 && cls.UnknownBase == nil {
			return nil, c.th.Raise("TypeError", "%s.__init_subclass__() takes no keyword arguments", cls.Name)
		}
		return value.None, nil
	}},
	{name: "__subclasshook__", params: "cls", kind: classProc, fn: func(c *call) (value.Value, error) { return value.NotImplemented, nil }},
	{name: "__setattr__", params: "name value", fn: objectSetAttr},
	{name: "__delattr__", params: "name", fn: objectDelAttr},
	{name: "__getattribute__", params: "name", fn: objectGetAttr},
	// Objects are equal to themselves; otherwise the other operand has its turn.
	{name: "__eq__", params: "other", fn: func(c *call) (value.Value, error) {
		if c.self == c.args[0] {
			return value.Bool(true), nil
		}
		if value.IsUnknown(c.args[0]) {
			return c.args[0], nil
		}
		return value.NotImplemented, nil
	}},
	{name: "__ne__", params: "other", fn: func(c *call) (value.Value, error) {
		if value.IsUnknown(c.args[0]) {
			return c.args[0], nil
		}
		// By == of the class, which the program may define.
		eq, err := c.th.Compare(0, c.self, c.args[0])
		if err != nil || value.IsUnknown(eq) {
			return eq, err
		}
		b, err := c.th.Truth(eq)
		if err != nil {
			return nil, err
		}
		return c.w.notBool(c.th, b), nil
	}},
	// The lowest bits of an address are always 0.
	{name: "__hash__", fn: func(c *call) (value.Value, error) { return value.Int(c.w.identity(c.self) >> 4), nil }},
	{name: "__format__", params: "spec", fn: formatDunder},
	{name: "__dir__", fn: func(c *call) (value.Value, error) { return c.w.dir(c.th, c.self), nil }},
	{name: "__sizeof__", fn: func(c *call) (value.Value, error) { return c.th.DataInt("size", 16, nil), nil }},
	{name: "__reduce_ex__", params: "protocol", fn: func(c *call) (value.Value, error) {
		return c.th.Unknown("pickling is not followed"), nil
	}},
}, dunders(func(c *call) (value.Value, error) { return value.NotImplemented, nil }, "other", "__lt__ __le__ __gt__ __ge__"),
	dunders(objectRepr, "", reprNames))

// objectRepr is object.__repr__ and object.__str__, which calls the class's __repr__.
func objectRepr(c *call) (value.Value, error) {
	if c.p.name == "__str__" {
		text, known := c.th.Repr(c.self)
		return c.w.strResult(c.th, text, known), nil
	}
	text, known := c.w.Repr(c.th, c.self)
	return c.w.strResult(c.th, text, known), nil
}

// overrides reports whether a class of Python source defines name itself: whether another object
// than that of object is found.
func (w *World) overrides(c *value.Class, name string) bool {
	f, ok := c.Lookup(name)
	if !ok {
		return false
	}
	o, _ := w.object.Attrs.Get(name)
	return f != o
}

// objectNew makes an instance in the form that its class's built-in base has. Arguments are refused as
// CPython's object_new does: if neither __new__ nor __init__ of the class could have taken them. A base that is
// not known may take any.
func objectNew(c *call) (value.Value, error) {
	cls := c.self.(*value.Class)
	if len(c.rest)+len(c.kw) > 0 {
		if w := c.w; cls.UnknownBase == nil && w.overrides(cls, "__new__") {
			return nil, c.th.Raise("TypeError", "object.__new__() takes exactly one argument (the type to instantiate)")
		} else if !w.overrides(cls, "__init__") && cls.UnknownBase == nil {
			return nil, c.th.Raise("TypeError", "%s() takes no arguments", cls.Name)
		}
	}
	// The layout of a class is that of its first base that is built in.
	switch cls.Layout {
	case value.ObjectLayout:
		return c.th.Heap().NewInstance(cls), nil
	case value.ListLayout:
		l := c.th.Heap().NewList(nil)
		l.Class, l.Attrs = cls, c.th.Heap().NewAttrs()
		return l, nil
	case value.DictLayout:
		d := c.th.Heap().NewDict()
		d.Class, d.Attrs = cls, c.th.Heap().NewAttrs()
		return d, nil
	}
	return nil, c.th.Raise("TypeError", "object.__new__(%s) is not safe, use %s.__new__()", cls.Name, solidBase(cls).Name)
}

// objectInit refuses arguments where only object's __init__ is left to take them.
func objectInit(c *call) (value.Value, error) {
	if len(c.rest)+len(c.kw) > 0 {
		cls := c.w.TypeOf(c.self)
		if cls.UnknownBase != nil {
			return value.None, nil
		}
		if c.w.overrides(cls, "__init__") {
			return nil, c.th.Raise("TypeError", "object.__init__() takes exactly one argument (the instance to initialize)")
		}
		if !c.w.overrides(cls, "__new__") {
			return nil, c.th.Raise("TypeError", "%s() takes no arguments", cls.Name)
		}
	}
	return value.None, nil
}

// attrName reads the name argument of getattr and its kin. ok is false where the name is not known;
// what is no text is a TypeError.
func (c *call) attrName(v value.Value) (name string, ok bool, err error) {
	if name, ok := value.AsStr(v); ok {
		return name, true, nil
	}
	switch x := value.Plain(v).(type) {
	case *value.Unknown:
		return "", false, nil
	case *value.Abstract:
		if x.Class == c.w.str {
			return "", false, nil
		}
	}
	return "", false, c.th.Raise("TypeError", "attribute name must be string, not '%s'", c.w.TypeOf(v).Name)
}

// attrsOf is the attribute table of an object, or nil for one that has none.
func attrsOf(v value.Value) *value.Attrs {
	switch x := v.(type) {
	case *value.Instance:
		return x.Attrs
	case *value.Tensor:
		return x.Attrs
	case *value.Class:
		return x.Attrs
	case *value.Module:
		return x.Attrs
	case *value.Func:
		return x.Attrs
	case *value.List:
		return x.Attrs
	case *value.Dict:
		return x.Attrs
	case *value.Tuple:
		return x.Attrs
	case *value.Set:
		return x.Attrs
	case *value.StaticMethod:
		return x.Attrs
	case *value.ClassMethod:
		return x.Attrs
	}
	return nil
}

// openAttrs notes a write to an attribute of v of which the name, the argument before the
// last, is not known.
func (c *call) openAttrs(v value.Value) {
	// A module of which a name may have been written is from then on known in part.
	if m, ok := v.(*value.Module); ok && m.Partial == nil {
		m.Partial = c.th.Unknown("the name of an attribute of module '" + m.Name + "' is not known").Cause
		return
	}
	switch v.(type) {
	case *value.List, *value.Dict, *value.Set, *value.Tuple:
		if _, _, err := c.th.LookupAttr(v, "__dict__"); err != nil { // makes it
			return
		}
	case *value.Instance:
	default:
		return
	}
	if a := attrsOf(v); a != nil {
		OpenAttrs(c.th, a, c.w.TypeOf(v), c.args[len(c.args)-2])
	}
}

// OpenAttrs notes a write to attributes of an instance of cls, or, where that is nil, of a module, of which the names are not
// known; why are values that tell why. Numbers, texts and containers may be other ones
// then, except for what the library keeps there: private ones, and those it declares. The cause of
// an unknown name tells where it comes from.
func OpenAttrs(th value.Thread, a *value.Attrs, cls *value.Class, why ...value.Value) {
	var cause *value.Cause
	for _, v := range why {
		if u, ok := v.(*value.Unknown); ok && cause == nil {
			cause = u.Cause
		}
	}
	if cause == nil {
		cause = th.Unknown("the name of an attribute is not known").Cause
	}
	// What the library relies on stays, since programs do not write it by computed names.
	a.SetOpen(th.Heap(), cause, func(name string, v value.Value) bool {
		if cls == nil { // a module's private names are the program's as others are
			return strings.HasPrefix(name, "__") || !value.IsData(v)
		}
		return strings.HasPrefix(name, "_") || !value.IsData(v) || Declares(cls, name)
	})
}

// Declares reports whether a class of the library among those of cls annotates a name:
// nn.Module does so with training.
func Declares(cls *value.Class, name string) bool {
	for _, k := range cls.MRO {
		if !k.Prelude {
			continue
		}
		v, _ := k.Attrs.Get("__annotations__")
		if d, ok := v.(*value.Dict); ok {
			if _, ok := d.GetStr(name); ok {
				return true
			}
		}
	}
	return false
}

// objectSetAttr stores an attribute past a __setattr__ of the class; properties
// and other data descriptors still act.
func objectSetAttr(c *call) (value.Value, error) {
	name, ok, err := c.attrName(c.args[0])
	if err != nil {
		return nil, err
	}
	if !ok {
		c.openAttrs(c.self)
		return value.None, nil
	}
	// A data descriptor of the class comes before the object's own attributes.
	if d, found := c.w.TypeOf(c.self).Lookup(name); found {
		switch x := d.(type) {
		case *value.Property:
			if x.Set == nil {
				return nil, c.th.Raise("AttributeError", "property '%s' of '%s' object has no setter", name, c.w.TypeOf(c.self).Name)
			}
			_, err := c.th.Call(x.Set, []value.Value{c.self, c.args[1]}, nil)
			return value.None, err
		case *value.Instance:
			if f, ok := x.Class.Lookup("__set__"); ok {
				_, err := c.th.Call(f, []value.Value{x, c.self, c.args[1]}, nil)
				return value.None, err
			}
		}
	}
	a := attrsOf(c.self)
	// A tensor gets a table at the first write; other objects without one raise as by a plain
	// assignment.
	if a == nil {
		if t, ok := c.self.(*value.Tensor); ok {
			c.th.Heap().Touch(t)
			t.Attrs = c.th.Heap().NewAttrs()
			a = t.Attrs
		} else {
			return value.None, c.th.SetAttr(c.self, name, c.args[1])
		}
	}
	a.Set(c.th.Heap(), name, c.args[1])
	return value.None, nil
}

// objectDelAttr is del x.name: a property's deleter comes before the attributes of the instance.
func objectDelAttr(c *call) (value.Value, error) {
	name, ok, err := c.attrName(c.args[0])
	if err != nil || !ok {
		return value.None, err
	}
	if d, found := c.w.TypeOf(c.self).Lookup(name); found {
		if p, isProp := d.(*value.Property); isProp {
			if p.Del == nil {
				return nil, c.th.Raise("AttributeError", "property '%s' of '%s' object has no deleter", name, c.w.TypeOf(c.self).Name)
			}
			_, err := c.th.Call(p.Del, []value.Value{c.self}, nil)
			return value.None, err
		}
	}
	if a := attrsOf(c.self); a != nil && a.Delete(c.th.Heap(), name) {
		return value.None, nil
	}
	return nil, c.th.Raise("AttributeError", "'%s' object has no attribute '%s'", c.w.TypeOf(c.self).Name, name)
}

// objectGetAttr finds an attribute without __getattr__: in the order of CPython a property of the
// class, the object's own, what else the class has, bound to the object, and what is computed. A
// name that is not known gives an unknown value; a missing one is an AttributeError.
func objectGetAttr(c *call) (value.Value, error) {
	name, ok, err := c.attrName(c.args[0])
	if err != nil {
		return nil, err
	}
	if !ok {
		return c.th.Unknown("the name of an attribute is not known"), nil
	}
	if in, ok := c.th.(value.PlainGetter); ok { // past a __getattribute__ of the class
		return in.PlainAttr(c.self, name)
	}
	d, inClass := c.w.TypeOf(c.self).Lookup(name)
	if inClass {
		if p, isProp := d.(*value.Property); isProp && p.Get != nil {
			return c.th.Call(p.Get, []value.Value{c.self}, nil)
		}
	}
	if a := attrsOf(c.self); a != nil {
		if v, ok := a.Get(name); ok {
			return v, nil
		}
	}
	if inClass {
		return c.w.bindTo(c.th, d, c.self, c.w.TypeOf(c.self))
	}
	// Methods of tensors are records and stand in no class.
	if t, ok := c.self.(*value.Tensor); ok {
		if v, ok, err := c.th.TensorMethod(t, name); ok || err != nil {
			return v, err
		}
	}
	if name == "__dict__" || name == "__class__" {
		return c.th.GetAttr(c.self, name)
	}
	if v, ok, err := c.w.Attr(c.th, c.self, name); ok || err != nil {
		return v, err
	}
	return nil, c.th.Raise("AttributeError", "'%s' object has no attribute '%s'", c.w.TypeOf(c.self).Name, name)
}

// bindTo binds a class attribute to an instance, as descriptors do: functions become bound methods,
// a property is called, and an object with __get__ is asked. The error is that of such a call.
func (w *World) bindTo(th value.Thread, d, self value.Value, cls *value.Class) (value.Value, error) {
	switch x := d.(type) {
	case *value.Func:
		if !Binds(x) {
			return x, nil
		}
		return &value.BoundMethod{Self: self, Func: x}, nil
	case *value.Builtin:
		if x.Static {
			return x, nil
		}
		return &value.BoundMethod{Self: self, Func: x}, nil
	case *value.ClassMethod:
		return &value.BoundMethod{Self: cls, Func: x.Func}, nil
	case *value.StaticMethod:
		return x.Func, nil
	case *value.Property:
		if x.Get == nil {
			return nil, th.Raise("AttributeError", "unreadable attribute")
		}
		return th.Call(x.Get, []value.Value{self}, nil)
	case *value.Instance:
		if f, ok := x.Class.Lookup("__get__"); ok {
			return th.Call(f, []value.Value{x, self, cls}, nil)
		}
	}
	return d, nil
}

var typeProcs = []proc{
	{name: "__new__", params: "*args **kw", kind: newProc, fn: typeNew},
	{name: "__init__", params: "*args **kw", fn: func(c *call) (value.Value, error) { return value.None, nil }},
	{name: "__call__", params: "*args **kw", fn: typeCall},
	{name: "__prepare__", params: "*args **kw", kind: classProc, fn: func(c *call) (value.Value, error) { return c.th.Heap().NewDict(), nil }},
	{name: "mro", fn: func(c *call) (value.Value, error) {
		cls := c.self.(*value.Class)
		out := make([]value.Value, len(cls.MRO))
		for i, k := range cls.MRO {
			out[i] = k
		}
		return c.th.Heap().NewList(out), nil
	}},
	{name: "__subclasses__", fn: func(c *call) (value.Value, error) {
		var out []value.Value
		cls := c.self.(*value.Class)
		// Builtin classes are in an array, those of the program in a map by their base.
		for i := range c.w.arena.classes {
			if k := &c.w.arena.classes[i]; containsClass(k.Bases, cls) {
				out = append(out, k)
			}
		}
		for _, k := range c.w.subs[cls] {
			out = append(out, k)
		}
		return c.th.Heap().NewList(out), nil
	}},
	{name: "__instancecheck__", params: "instance", fn: func(c *call) (value.Value, error) {
		return c.w.isInstanceOf(c.th, c.args[0], c.self.(*value.Class))
	}},
	{name: "__subclasscheck__", params: "subclass", fn: func(c *call) (value.Value, error) {
		if k, ok := c.args[0].(*value.Class); ok {
			return c.w.isSubclassOf(c.th, k, c.self.(*value.Class))
		}
		return value.Bool(false), nil
	}},
	{name: "__setattr__", params: "name value", fn: func(c *call) (value.Value, error) {
		name, ok, err := c.attrName(c.args[0])
		if ok {
			c.self.(*value.Class).Attrs.Set(c.th.Heap(), name, c.args[1])
		}
		return value.None, err
	}},
	{name: "__or__", params: "other", fn: typeOr},
	{name: "__ror__", params: "other", fn: typeOr},
	{name: "__repr__", fn: reprDunder},
	{name: "__hash__", fn: func(c *call) (value.Value, error) { return value.Int(c.w.identity(c.self) >> 4), nil }},
}

// typeCall makes an instance: what super().__call__ of a metaclass means.
func typeCall(c *call) (value.Value, error) {
	cls := c.self.(*value.Class)
	if cls == c.w.typ {
		return c.th.Call(cls, c.rest, c.kw)
	}
	// __new__ is a static method, also where it is not marked as one.
	make, _ := cls.Lookup("__new__")
	if s, ok := make.(*value.StaticMethod); ok {
		make = s.Func
	}
	args := append([]value.Value{cls}, c.rest...)
	v, err := c.th.Call(make, args, c.kw)
	// What is no instance of the class is not initialized.
	if err != nil || value.IsUnknown(v) || !c.w.TypeOf(v).IsSubclass(cls) {
		return v, err
	}
	if init, ok := cls.Lookup("__init__"); ok {
		args[0] = v
		if _, err := c.th.Call(init, args, c.kw); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// typeOr is int | None, which makes a union.
func typeOr(c *call) (value.Value, error) {
	if !isType(c.args[0]) {
		return value.NotImplemented, nil
	}
	if c.p.name == "__ror__" {
		return c.w.unionOf(c.args[0], c.self), nil
	}
	return c.w.unionOf(c.self, c.args[0]), nil
}

// typeNew is type(x), type(name, bases, namespace) and super().__new__ of a metaclass. Names, bases
// and namespaces of other types are a TypeError, and so are bases that do not fit together. An
// unknown base or namespace makes a class that may have any attribute.
func typeNew(c *call) (value.Value, error) {
	meta := c.self.(*value.Class)
	if len(c.rest) == 1 && len(c.kw) == 0 && meta == c.w.typ {
		if value.IsUnknown(c.rest[0]) {
			return c.rest[0], nil
		}
		return c.w.TypeOf(c.rest[0]), nil
	}
	if len(c.rest) != 3 {
		return nil, c.th.Raise("TypeError", "type() takes 1 or 3 arguments")
	}
	name, ok := value.AsStr(c.rest[0])
	if !ok {
		if _, abstract := value.Plain(c.rest[0]).(*value.Abstract); abstract || value.IsUnknown(c.rest[0]) {
			name = "?"
		} else {
			return nil, c.th.Raise("TypeError", "type.__new__() argument 1 must be str, not %s", c.w.TypeOf(c.rest[0]).Name)
		}
	}
	t, ok := c.rest[1].(*value.Tuple)
	if !ok {
		if value.IsUnknown(c.rest[1]) {
			return c.rest[1], nil
		}
		return nil, c.th.Raise("TypeError", "type.__new__() argument 2 must be tuple, not %s", c.w.TypeOf(c.rest[1]).Name)
	}
	var bases []*value.Class
	var unknown *value.Cause
	// A subscripted class as a base counts as the class.
	for _, b := range t.Elems {
		switch x := b.(type) {
		case *value.Class:
			bases = append(bases, x)
		case *value.GenericAlias:
			if k, ok := x.Origin.(*value.Class); ok && k != c.w.union {
				bases = append(bases, k)
			}
		case *value.Unknown:
			unknown = x.Cause
		default:
			return nil, c.th.Raise("TypeError", "bases must be types")
		}
	}
	attrs := c.th.Heap().NewAttrs()
	switch ns := c.rest[2].(type) {
	case *value.Dict:
		for i := range ns.Len() {
			if k, ok := value.AsStr(ns.Key(i)); ok {
				attrs.Set(c.th.Heap(), k, ns.At(i))
			}
		}
	case *value.Unknown:
		unknown = ns.Cause
	default:
		return nil, c.th.Raise("TypeError", "type.__new__() argument 3 must be dict, not %s", c.w.TypeOf(ns).Name)
	}
	// Every class has a docstring, if only None.
	if _, ok := attrs.Get("__doc__"); !ok {
		attrs.Set(c.th.Heap(), "__doc__", value.None)
	}
	module := runningModule(c.th, "__main__")
	if m, ok := attrs.Get("__module__"); ok {
		if s, ok := value.AsStr(m); ok {
			module = s
		}
	}
	if meta == c.w.typ {
		meta = nil
	}
	cls, err := c.w.NewClass(c.th.Heap(), name, module, bases, attrs, meta)
	if err != nil {
		return nil, c.th.Raise("TypeError", "%s", err.Error())
	}
	if cls.At = c.th.Here(); unknown != nil {
		cls.UnknownBase = unknown
	}
	return cls, c.w.FinishClass(c.th, cls, c.kw)
}
