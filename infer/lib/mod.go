package lib

// This file holds what native modules are written with: the builder of a
// module's attributes, and the binding of arguments to parameters.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"shapecheck/infer/value"
)

// A mod is a native module that is being filled.
type mod struct {
	w     *World
	th    value.Thread
	name  string
	attrs *value.Attrs
	// known is Known. A native module cannot name it: the table of native modules
	// would then depend on itself.
	known func(module string) bool
}

// set adds an attribute.
func (m *mod) set(name string, v value.Value) { m.attrs.Set(m.th.Heap(), name, v) }

// fn adds a function that takes its arguments as they come.
func (m *mod) fn(name string, f value.NativeFunc) {
	m.set(name, &value.Builtin{Name: m.name + "." + name, Fn: f, Static: isCompiled(m.name + "." + name)})
}

// def adds a function with a signature. The function gets one value for each
// parameter; nil stands for an optional argument that was not given.
func (m *mod) def(signature string, f func(th value.Thread, a []value.Value) (value.Value, error)) {
	b := defFunc(m.name, signature, f)
	b.Static = isCompiled(b.Name)
	m.set(b.Name[strings.LastIndexByte(b.Name, '.')+1:], b)
}

// class makes a class of this module and adds it under its name. Without bases
// it derives from object.
func (m *mod) class(name string, bases ...*value.Class) *value.Class {
	c := newModClass(m.th, m.name, name, bases...)
	m.set(name, c)
	return c
}

// newModClass makes a library class that is written in Go. With several bases
// the first determines the MRO's head; the rest are appended in order, which
// suffices for the shallow hierarchies of native modules.
func newModClass(th value.Thread, module, name string, bases ...*value.Class) *value.Class {
	if len(bases) == 0 {
		bases = []*value.Class{th.Class("object")}
	}
	c := &value.Class{Name: name, Qualname: name, Module: module, Bases: bases, Attrs: th.Heap().NewAttrs(), Prelude: true}
	c.MRO = append(c.MRO, c)
	object := th.Class("object")
	for _, b := range bases {
		if b.Layout != value.ObjectLayout {
			c.Layout = b.Layout
		}
		for _, k := range b.MRO {
			if k != object && !containsClass(c.MRO, k) {
				c.MRO = append(c.MRO, k)
			}
		}
	}
	if c != object {
		c.MRO = append(c.MRO, object)
	}
	c.Attrs.Set(th.Heap(), "__module__", value.Str(module))
	return c
}

func containsClass(list []*value.Class, c *value.Class) bool {
	for _, k := range list {
		if k == c {
			return true
		}
	}
	return false
}

// method adds a method with a signature (self included) to a native class.
func method(th value.Thread, c *value.Class, signature string, f func(th value.Thread, a []value.Value) (value.Value, error)) {
	b := defFunc(c.Name, signature, f)
	name := b.Name[strings.LastIndexByte(b.Name, '.')+1:]
	if name == "__new__" {
		b.Static = true
	}
	c.Attrs.Set(th.Heap(), name, b)
}

// rawMethod adds a method that takes its arguments as they come.
func rawMethod(th value.Thread, c *value.Class, name string, f value.NativeFunc) {
	c.Attrs.Set(th.Heap(), name, &value.Builtin{Name: c.Name + "." + name, Fn: f, Static: name == "__new__"})
}

// property adds a read-only property.
func property(th value.Thread, c *value.Class, name string, get func(th value.Thread, self value.Value) (value.Value, error)) {
	fn := &value.Builtin{Name: c.Name + "." + name, Fn: func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return get(th, args[0])
	}}
	c.Attrs.Set(th.Heap(), name, &value.Property{Get: fn})
}

// A parameter list of a native function, in Python's syntax with ? for "may be
// left out": "repeat(object, times?)", "f(a, b?, /)", "g(*args, key?)",
// "h(x, *, y?, **kw)". The value of *args is a *Tuple, that of **kw a *Dict.
type paramList struct {
	fname   string
	names   []string
	opt     []bool
	posOnly int // names before this index cannot be given by name
	pos     int // names before this index can be given by position
	star    int // index of *args, or -1
	dstar   int // index of **kw, or -1
}

func parseParams(signature string) paramList {
	open := strings.IndexByte(signature, '(')
	p := paramList{fname: signature[:open], star: -1, dstar: -1, pos: -1}
	for _, s := range strings.Split(strings.TrimSuffix(signature[open+1:], ")"), ",") {
		s = strings.TrimSpace(s)
		switch {
		case s == "":
		case s == "/":
			p.posOnly = len(p.names)
		case s == "*":
			p.pos = len(p.names)
		case strings.HasPrefix(s, "**"):
			p.dstar = len(p.names)
			p.names, p.opt = append(p.names, s[2:]), append(p.opt, true)
		case strings.HasPrefix(s, "*"):
			p.pos, p.star = len(p.names), len(p.names)
			p.names, p.opt = append(p.names, s[1:]), append(p.opt, true)
		default:
			p.names, p.opt = append(p.names, strings.TrimSuffix(s, "?")), append(p.opt, strings.HasSuffix(s, "?"))
		}
	}
	if p.pos < 0 {
		p.pos = len(p.names)
		if p.dstar >= 0 {
			p.pos = p.dstar
		}
	}
	return p
}

// bind distributes arguments over the parameters.
func (p *paramList) bind(th value.Thread, args []value.Value, kw []value.Kw) ([]value.Value, error) {
	a := make([]value.Value, len(p.names))
	n := min(len(args), p.pos)
	copy(a, args[:n])
	if p.star >= 0 {
		a[p.star] = value.NewTuple(args[n:]...)
	} else if len(args) > n {
		return nil, th.Raise("TypeError", "%s() takes %d positional argument%s but %d were given", p.fname, p.pos, plural(p.pos), len(args))
	}
	var rest *value.Dict
	if p.dstar >= 0 {
		rest = th.Heap().NewDict()
		a[p.dstar] = rest
	}
	for _, k := range kw {
		i := p.index(k.Name)
		switch {
		case i >= 0 && a[i] != nil:
			return nil, th.Raise("TypeError", "%s() got multiple values for argument '%s'", p.fname, k.Name)
		case i >= 0:
			a[i] = k.Value
		case rest != nil:
			rest.SetStr(th.Heap(), k.Name, k.Value)
		default:
			return nil, th.Raise("TypeError", "%s() got an unexpected keyword argument '%s'", p.fname, k.Name)
		}
	}
	for i, v := range a {
		if v == nil && !p.opt[i] {
			return nil, th.Raise("TypeError", "%s() missing required argument: '%s'", p.fname, p.names[i])
		}
	}
	return a, nil
}

func (p *paramList) index(name string) int {
	for i := p.posOnly; i < len(p.names); i++ {
		if p.names[i] == name && i != p.star && i != p.dstar {
			return i
		}
	}
	return -1
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// defFunc makes a builtin from a signature and a function over bound arguments.
func defFunc(owner, signature string, f func(th value.Thread, a []value.Value) (value.Value, error)) *value.Builtin {
	// Parsed on the first call: most functions of a module are never called.
	var p paramList
	parsed := false
	open := strings.IndexByte(signature, '(')
	return &value.Builtin{Name: owner + "." + signature[:open], Fn: func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value,
		error) {
		if !parsed {
			p, parsed = parseParams(signature), true
		}
		a, err := p.bind(th, args, kw)
		if err != nil {
			return nil, err
		}
		return f(th, a)
	}}
}

// isGiven reports whether an optional argument was given and is not None.
func isGiven(v value.Value) bool { return v != nil && v != value.None }

// raiseAs raises an exception of a class that a module defines; base is the
// builtin class that it derives from.
func raiseAs(th value.Thread, c *value.Class, base, format string, args ...any) error {
	err := th.Raise(base, format, args...)
	if e, ok := err.(*value.Exception); ok {
		e.Value.Class = c
	}
	return err
}

// sortedNames lists the keys of a table in order, so that a module's attributes
// do not depend on the run.
func sortedNames[K cmp.Ordered, V any](table map[K]V) []K { return slices.Sorted(maps.Keys(table)) }
