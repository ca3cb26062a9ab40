package lib

// This file defines the builtin functions. Those over iterables are in
// builtins_iter.go, isinstance and issubclass in isinstance.go. What needs frames
// (globals, locals, super(), __import__) is the interpreter's. Each is a proc of the table: its
// parameters in the small notation of proc.go, and a Go function that gets them bound. A function
// answers for what Python would do with concrete values, and keeps to three rules for the rest: an
// unknown argument gives an unknown result, a size gives an expression of it, and what only the
// data decide is a fresh symbol (DataInt, DataBool).

import (
	"math/big"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

var builtinProcs = []proc{
	{name: "abs", params: "x", fn: func(c *call) (value.Value, error) {
		// Objects of the program and of libraries have a method for it.
		if v := c.args[0]; foreign(v) && !value.IsUnknown(v) {
			return c.special("__abs__", "bad operand type for abs(): '%s'")
		}
		if i, ok := c.args[0].(*value.Instance); ok && i.Class.Module == "numpy" && i.Class.Name == "bool_" {
			return i, nil
		}
		return c.w.abs(c.th, c.args[0])
	}},
	{name: "all", params: "iterable", fn: allAny},
	{name: "any", params: "iterable", fn: allAny},
	// The text of an unknown object is an example; its result is a str that is not known.
	{name: "ascii", params: "obj", fn: func(c *call) (value.Value, error) {
		s, known := c.th.Repr(c.args[0])
		if err := c.th.Alloc(asciiBytes * len(s)); err != nil {
			return nil, err
		}
		return c.w.strResult(c.th, ASCII(s), known), nil
	}},
	{name: "bin", params: "number", ret: retStr, fn: baseText},
	{name: "hex", params: "number", ret: retStr, fn: baseText},
	{name: "oct", params: "number", ret: retStr, fn: baseText},
	{name: "callable", params: "obj", fn: callableProc},
	{name: "chr", params: "i", ret: retStr, fn: func(c *call) (value.Value, error) {
		v, err := c.w.wantIndex(c.th, c.args[0])
		if err != nil {
			return nil, err
		}
		// The argument is a C int, so that the range of chr() is only looked at after that.
		n, ok := smallInt(v)
		if !ok || n != int64(int32(n)) {
			return nil, c.th.Raise("OverflowError", "Python int too large to convert to C int")
		}
		if n < 0 || n > 0x10ffff {
			return nil, c.th.Raise("ValueError", "chr() arg not in range(0x110000)")
		}
		return value.Str(runesText([]rune{rune(n)})), nil
	}},
	{name: "ord", params: "c", ret: retInt, fn: func(c *call) (value.Value, error) {
		switch s := value.Plain(c.args[0]).(type) {
		case value.Str:
			if n := textLen(string(s)); n != 1 {
				return nil, c.th.Raise("TypeError", "ord() expected a character, but string of length %d found", n)
			}
			r, _ := decodeText(string(s))
			return value.Int(r), nil
		case value.Bytes:
			if len(s) != 1 {
				return nil, c.th.Raise("TypeError", "ord() expected a character, but string of length %d found", len(s))
			}
			return value.Int(s[0]), nil
		}
		return nil, c.th.Raise("TypeError", "ord() expected string of length 1, but %s found", c.w.TypeOf(c.args[0]).Name)
	}},
	// What code is run by these is not known, and neither is its result.
	{name: "compile", params: "+ source filename mode *args **kw", fn: lostProc},
	{name: "eval", params: "source *args **kw", fn: lostProc},
	{name: "exec", params: "source *args **kw", fn: lostProc},
	{name: "exit", params: "code?", fn: exitProc}, // of site, which python loads
	{name: "quit", params: "code?", fn: exitProc},
	// What a user types is a str of which nothing is known.
	{name: "input", params: "prompt?", fn: func(c *call) (value.Value, error) { return c.w.abstractStr(c.th, ""), nil }},
	{name: "open", params: "file *args **kw", fn: openProc},
	{name: "reveal_type", params: "obj", fn: func(c *call) (value.Value, error) { return revealType(c.th, c.args[:1]) }},
	{name: "breakpoint", params: "*args **kw", fn: noneProc},
	{name: "print", params: "*args **kw", fn: func(c *call) (value.Value, error) {
		for _, k := range c.kw {
			if !hasWord("sep end file flush", k.Name) {
				return nil, c.th.Raise("TypeError", "'%s' is an invalid keyword argument for print()", k.Name)
			}
		}
		// Watchers are the tests, and the checks of expected output.
		if p, ok := c.th.(value.PrintWatcher); ok {
			p.Printed(c.rest, c.kw)
		}
		return value.None, nil
	}},
	{name: "delattr", params: "obj name", fn: func(c *call) (value.Value, error) {
		name, ok, err := c.attrName(c.args[1])
		if err != nil || !ok {
			return value.None, err
		}
		return value.None, c.th.DelAttr(c.args[0], name)
	}},
	{name: "getattr", params: "object name default?", fn: func(c *call) (value.Value, error) {
		name, ok, err := c.attrName(c.args[1])
		if err != nil {
			return nil, err
		}
		if !ok {
			if o, ok := c.args[0].(*value.Instance); ok {
				for i := range o.Attrs.Len() {
					c.th.MeansOneOf([]value.Value{o.Attrs.At(i)})
				}
			}
			return c.th.Unknown("the name of an attribute is not known"), nil
		}
		// Without a default a missing attribute raises; with one its absence is only asked for.
		if c.args[2] == nil {
			return c.th.GetAttr(c.args[0], name)
		}
		v, found, err := c.th.AskAttr(c.args[0], name)
		if err != nil {
			return nil, err
		}
		if !found {
			return c.args[2], nil
		}
		// An attribute that exists on one of two joined paths gives one of two values.
		if mayLack(c.args[0], name) {
			return c.whereThere(name, v, c.args[2])
		}
		return v, nil
	}},
	{name: "hasattr", params: "obj name", fn: func(c *call) (value.Value, error) {
		name, ok, err := c.attrName(c.args[1])
		if err != nil {
			return nil, err
		}
		if !ok {
			return c.th.DataBool(nil), nil
		}
		if value.IsUnknown(c.args[0]) {
			return c.args[0], nil
		}
		v, found, err := c.th.AskAttr(c.args[0], name)
		if err != nil {
			return nil, err
		}
		// An unsure object is one that may be of several classes.
		if u, ok := v.(*value.Unknown); ok && u.Cause != nil && u.Cause.Unsure {
			return c.th.DataBool(nil), nil
		}
		if found && mayLack(c.args[0], name) {
			return c.whereThere(name, value.Bool(true), value.Bool(false))
		}
		return value.Bool(found), nil
	}},
	{name: "setattr", params: "obj name value", fn: func(c *call) (value.Value, error) {
		name, ok, err := c.attrName(c.args[1])
		if err != nil {
			return nil, err
		}
		// The name is not known: any attribute of the object may have changed, and a mapping that
		// keeps attributes as items may have a new one.
		if !ok {
			c.openAttrs(c.args[0])
			if d, isDict := c.args[0].(*value.Dict); isDict && d.Class != nil {
				if m, _ := d.Class.Lookup("__setattr__"); m != nil {
					if _, own := m.(*value.Func); own { // it may keep them as items, too
						c.w.openDict(c.th, d, c.args[1], c.args[2])
					}
				}
			}
			return value.None, nil
		}
		return value.None, c.th.SetAttr(c.args[0], name, c.args[2])
	}},
	{name: "dir", params: "object", fn: dirProc},
	{name: "vars", params: "object", fn: func(c *call) (value.Value, error) {
		// The dict that vars() gives shows the attributes themselves: what is written to it reaches
		// the object.
		v, ok, err := c.th.LookupAttr(c.args[0], "__dict__")
		if err == nil && !ok {
			err = c.th.Raise("TypeError", "vars() argument must have __dict__ attribute")
		}
		return v, err
	}},
	{name: "divmod", params: "x y", fn: func(c *call) (value.Value, error) {
		a, b := c.args[0], c.args[1]
		for _, v := range c.args {
			if value.IsUnknown(v) {
				return v, nil
			}
		}
		// Tensors and arrays have their operators; the two results are computed one after the
		// other.
		if foreign(a) || foreign(b) {
			q, err := c.th.Binary(ast.FloorDiv, a, b)
			if err != nil {
				return nil, err
			}
			r, err := c.th.Binary(ast.Mod, a, b)
			return value.NewTuple(q, r), err
		}
		return c.w.divmod(c.th, a, b)
	}},
	{name: "format", params: "value format_spec?", fn: func(c *call) (value.Value, error) {
		spec, ok := value.AsStr(c.arg(1, value.Str("")))
		if !ok {
			return c.w.abstractStr(c.th, ""), nil
		}
		return c.w.Format(c.th, c.args[0], spec)
	}},
	{name: "hash", params: "obj", fn: func(c *call) (value.Value, error) { return c.w.hash(c.th, c.args[0]) }},
	{name: "id", params: "obj", fn: func(c *call) (value.Value, error) { return value.Int(c.w.identity(c.args[0])), nil }},
	{name: "isinstance", params: "obj class_or_tuple", fn: isInstanceProc},
	{name: "issubclass", params: "cls class_or_tuple", fn: isSubclassProc},
	{name: "iter", params: "object sentinel?", fn: iterProc},
	{name: "aiter", params: "object", fn: lostProc},
	{name: "anext", params: "object default?", fn: lostProc},
	{name: "len", params: "obj", fn: lenProc},
	{name: "max", params: "*args key? default?", fn: maxMin},
	{name: "min", params: "*args key? default?", fn: maxMin},
	{name: "next", params: "iterator default?", fn: nextProc},
	{name: "pow", params: "+ base exp mod?", fn: powProc},
	{name: "repr", params: "obj", fn: func(c *call) (value.Value, error) {
		s, known := c.th.Repr(c.args[0])
		return c.w.strResult(c.th, s, known), nil
	}},
	// NumPy's scalars round by their own method, which keeps the dtype; of Python's numbers round()
	// knows sizes, too; all others need __round__.
	{name: "round", params: "+ number ndigits?", fn: func(c *call) (value.Value, error) {
		v := value.Plain(c.args[0])
		if value.IsUnknown(v) {
			return v, nil
		}
		if i, ok := c.args[0].(*value.Instance); ok && i.Class.Module == "numpy" && isGiven(c.args[1]) { // it keeps the dtype
			return c.th.CallMethod(i, "round", c.args[1])
		} else if ok && i.Class.Module == "numpy" && i.Class.Name == "bool_" {
			return nil, c.th.Raise("TypeError", "type numpy.%s doesn't define __round__ method", i.Class.Name)
		} else if ok && i.Class.Module == "numpy" && (i.Class.Name == "complex64" || i.Class.Name == "complex128") {
			return c.th.Unknown("numpy's complex numbers are rounded in some versions"), nil
		}
		if k := kindOf(v); k != notNumber && k != complexKind {
			return c.w.round(c.th, v, c.args[1])
		}
		if ok, err := c.w.hasSpecial(c.th, c.args[0], "__round__"); err != nil {
			return nil, err
		} else if !ok {
			return nil, c.th.Raise("TypeError", "type %s doesn't define __round__ method", c.w.TypeOf(v).Name)
		}
		if isGiven(c.args[1]) {
			return c.th.CallMethod(c.args[0], "__round__", c.args[1])
		}
		return c.th.CallMethod(c.args[0], "__round__")
	}},
	{name: "sorted", params: "iterable / * key? reverse?", fn: sortedProc},
	{name: "sum", params: "iterable / start?", fn: sumProc},
}

// noneProc is the function of those that do nothing here and give None.
func noneProc(c *call) (value.Value, error) { return value.None, nil }

// openProc is the open of io.
func openProc(c *call) (value.Value, error) {
	m, err := c.th.Import("io")
	if err != nil {
		return nil, err
	}
	f, err := c.th.GetAttr(m, "open")
	if err != nil {
		return nil, err
	}
	return c.th.Call(f, append([]value.Value{c.args[0]}, c.rest...), c.kw)
}

// lostProc is the function of those whose result cannot be known.
func lostProc(c *call) (value.Value, error) {
	return c.th.Unknown("the result of " + c.p.name + "() is not known"), nil
}

// special calls a dunder method of the first argument, or raises the TypeError of complaint, which
// has a place for the name of the type.
func (c *call) special(name, complaint string) (value.Value, error) {
	ok, err := c.w.hasSpecial(c.th, c.args[0], name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, c.th.Raise("TypeError", complaint, c.w.TypeOf(c.args[0]).Name)
	}
	return c.th.CallMethod(c.args[0], name)
}

// hasSpecial reports whether the class of v has a dunder method. A class object
// is asked for its metaclass, not for its own methods.
func (w *World) hasSpecial(th value.Thread, v value.Value, name string) (bool, error) {
	if c, ok := v.(*value.Class); ok {
		_, ok := w.TypeOf(c).Lookup(name)
		return ok, nil
	}
	_, ok, err := th.LookupAttr(v, name)
	return ok, err
}

// baseText is bin(), oct() and hex() of a number that is known; otherwise a str that is not.
func baseText(c *call) (value.Value, error) {
	v, err := c.w.wantIndex(c.th, c.args[0])
	if err != nil {
		return nil, err
	}
	n, ok := bigInt(v)
	if !ok {
		return c.w.abstractStr(c.th, ""), nil
	}
	kind := map[string]byte{"bin": 'b', "oct": 'o', "hex": 'x'}[c.p.name]
	return value.Str(formatInt(n, formatSpec{fill: ' ', prec: -1, alt: true, kind: kind})), nil
}

// callableProc is callable(): of an instance it is decided by the class, as in Python, where an attribute
// __call__ of the instance alone does not count.
func callableProc(c *call) (value.Value, error) {
	switch v := c.args[0].(type) {
	case *value.Unknown:
		return v, nil
	case *value.Func, *value.Builtin, *value.BoundMethod, *value.Class, *value.GenericAlias, *value.StaticMethod:
		return value.Bool(true), nil
	case *value.Instance:
		if v.Class.UnknownBase != nil {
			return c.th.DataBool(nil), nil
		}
		_, ok := v.Class.Lookup("__call__")
		return value.Bool(ok), nil
	}
	return value.Bool(false), nil
}

// dirProc is dir(object): what a __dir__ of the object's class lists, sorted, or else the names of
// all attributes.
func dirProc(c *call) (value.Value, error) {
	v := c.args[0]
	if m, ok := c.w.TypeOf(v).Lookup("__dir__"); ok {
		if _, ok := m.(*value.Func); ok {
			list, err := c.th.CallMethod(v, "__dir__")
			if err != nil || value.IsUnknown(list) {
				return list, err
			}
			return c.w.callBuiltin(c.th, "sorted", list)
		}
	}
	return c.w.dir(c.th, v), nil
}

// dir lists the names of an object's attributes: its own, those that CPython computes, and those of
// its class and the classes above. A module has only its own. They are sorted, as far as that is
// decided.
func (w *World) dir(th value.Thread, v value.Value) value.Value {
	seen := map[string]bool{}
	var names []value.Value
	add := func(a *value.Attrs) {
		for i := range a.Len() {
			if n := a.Name(i); !seen[n] {
				seen[n] = true
				names = append(names, value.Str(n))
			}
		}
	}
	add(attrsOf(v))
	var own []string
	switch v.(type) {
	case *value.Func:
		own = funcAttrs
	case *value.BoundMethod:
		own = []string{"__func__", "__self__"}
	}
	for _, n := range own {
		seen[n] = true
		names = append(names, value.Str(n))
	}
	cls := w.TypeOf(v)
	if c, ok := v.(*value.Class); ok {
		cls = c
	}
	if _, ok := v.(*value.Module); !ok {
		for _, k := range cls.MRO {
			add(k.Attrs)
		}
	}
	sorted, _, err := w.sorted(th, names, nil, nil)
	if err != nil {
		sorted = names
	}
	return th.Heap().NewList(sorted)
}

// lenProc calls __len__ of classes that define it; of containers and tensors the length is known here, and may
// be a size.
func lenProc(c *call) (value.Value, error) {
	v := c.args[0]
	// The length of an unknown tensor's shape is the number of its axes.
	if u, ok := v.(*value.Unknown); ok && u.ShapeOf != nil {
		return c.th.CallMethod(u.ShapeOf, "dim")
	}
	if value.IsUnknown(v) {
		return v, nil
	}
	t := c.w.TypeOf(v)
	f, found := t.Lookup("__len__")
	if found {
		// A __len__ that is written in Python is called, and its result checked as CPython does.
		if _, native := f.(*value.Builtin); !native {
			r, err := c.th.CallMethod(v, "__len__")
			if err != nil {
				return nil, err
			}
			n, err := c.w.wantIndex(c.th, r)
			if k, ok := n.(value.Int); ok && k < 0 {
				return nil, c.th.Raise("ValueError", "__len__() should return >= 0")
			}
			return n, err
		}
	}
	// A tensor's length is a record of PyTorch's, which knows about tensors without axes.
	if _, isTensor := v.(*value.Tensor); !isTensor {
		if n, ok, err := c.w.Len(c.th, v); ok || err != nil {
			return n, err
		}
	}
	m, ok, err := c.th.LookupAttr(v, "__len__")
	if err != nil {
		return nil, err
	}
	if !ok || !found && t.UnknownBase == nil && !isTensorValue(v) {
		return nil, value.Single(c.th, "object of type '%s' has no len()", t.Name)
	}
	return c.th.Call(m, nil, nil)
}

// isTensorValue reports whether a value is a tensor or an array.
func isTensorValue(v value.Value) bool {
	_, ok := v.(*value.Tensor)
	return ok
}

// mayLack reports whether an instance has an attribute on some of the paths only, as it happens
// where two branches were joined, or where a module has parts of unknown names.
func mayLack(v value.Value, name string) bool {
	i, ok := v.(*value.Instance)
	return ok && (i.Attrs.Maybe(name) || onlyInOpenTable(i, name))
}

// onlyInOpenTable reports whether an attribute may be found only among the parts of a module whose
// names are not known: in one of the tables of nn.Module that has an open part, and nowhere else.
func onlyInOpenTable(i *value.Instance, name string) bool {
	if _, own := i.Attrs.Get(name); own {
		return false
	}
	if _, shared := i.Class.Lookup(name); shared {
		return false
	}
	open := false
	for _, t := range [...]string{"_parameters", "_buffers", "_modules"} {
		v, _ := i.Attrs.Get(t)
		d, ok := v.(*value.Dict)
		if !ok {
			continue
		}
		if _, there := d.GetStr(name); there {
			return false
		}
		open = open || d.Open != nil
	}
	return open
}

// whereThere gives a on the paths on which the first argument has the attribute, else b: one of the
// two by the condition of its presence, or a value that stands for both where that is not known.
func (c *call) whereThere(name string, a, b value.Value) (value.Value, error) {
	when := c.args[0].(*value.Instance).Attrs.Presence(name)
	switch {
	case when.Cond == nil:
		return c.th.Join(a, b), nil
	case when.Not:
		a, b = b, a
	}
	return c.th.JoinIf(when.Cond, a, b)
}

// iterProc is iter(object), and iter(callable, sentinel), which calls until the result is the
// sentinel. Whether it is must be decided; otherwise the iterator ends as one of unknown length, of
// which this result is an element.
func iterProc(c *call) (value.Value, error) {
	if c.args[1] == nil {
		if value.IsUnknown(c.args[0]) {
			return c.args[0], nil
		}
		return c.th.Iter(c.args[0])
	}
	fn, end := c.args[0], c.args[1]
	it := newIter(c.th, "callable_iterator", nil)
	it.Next = func(th value.Thread) (value.Value, bool, error) {
		// A position of -1 says that the end was seen: the callable is not called again.
		if it.Pos < 0 {
			return nil, false, nil
		}
		v, err := th.Call(fn, nil, nil)
		if err != nil {
			return nil, false, err
		}
		eq, err := c.w.same(th, v, end)
		if err != nil {
			return nil, false, err
		}
		val, known := false, false
		if !value.IsUnknown(eq) {
			val, known = th.Holds(eq)
		}
		if !known {
			return nil, false, &value.OpenError{Open: &value.Open{Elem: v}}
		}
		th.Heap().Touch(it)
		if val {
			it.Pos = -1
			return nil, false, nil
		}
		it.Pos++
		return v, true, nil
	}
	return it, nil
}

// nextProc is next(iterator), with a default at the end. An iterator of unknown length may be at
// its end, so that with a default the result is either.
func nextProc(c *call) (value.Value, error) {
	switch it := c.args[0].(type) {
	case *value.Unknown:
		return it, nil
	case *value.Iterator:
		if it.Open != nil && c.args[1] == nil {
			return taken(c.th, it)
		} else if it.Open != nil {
			return c.th.Join(it.Open.Elem, c.args[1]), nil
		}
		v, ok, err := nextOf(c.th, it)
		if ok && it.Open != nil && c.args[1] != nil { // it may be at its end
			return c.th.Join(v, c.args[1]), err
		}
		// A set gives one of its elements, of which no one knows which.
		if err == nil && ok && it.AnyOf != nil {
			return c.w.oneOfSet(c.th, it.AnyOf)
		}
		if err != nil || ok {
			return v, err
		}
		if c.args[1] != nil {
			return c.args[1], nil
		}
		return c.w.nextEnd(c.th, v)
	}
	// Other objects need __next__, and a default stands for their StopIteration.
	t := c.w.TypeOf(c.args[0])
	if _, ok := t.Lookup("__next__"); !ok {
		if t.UnknownBase != nil {
			return &value.Unknown{Cause: t.UnknownBase}, nil
		}
		return nil, c.th.Raise("TypeError", "'%s' object is not an iterator", t.Name)
	}
	v, err := c.th.CallMethod(c.args[0], "__next__")
	if err != nil && c.args[1] != nil && value.IsException(err, c.w.classes["StopIteration"]) {
		return c.args[1], nil
	}
	return v, err
}

// taken takes an element from an iterator of unknown length. What comes after it is known where the
// elements are known by their numbers: then the length is one less, and the number of each element
// one more.
func taken(th value.Thread, it *value.Iterator) (value.Value, error) {
	o := *it.Open
	p := th.Pool()
	th.Heap().Touch(it)
	it.Open = &o
	at := o.At
	// What is known of the first elements does not hold for the rest.
	o.Index, o.Fact, o.At, o.Seq = nil, nil, nil, nil
	if at == nil {
		return o.Elem, nil
	}
	if o.Len.Expr != nil {
		o.Len = p.DimSub(o.Len, p.ConstDim(1))
		o.At = func(th value.Thread, i *value.SymInt) (value.Value, error) {
			return at(th, &value.SymInt{D: th.Pool().DimAdd(i.D, th.Pool().ConstDim(1))})
		}
	}
	return at(th, &value.SymInt{D: p.ConstDim(0)})
}

// nextEnd is the StopIteration at the end of an iterator, with what a generator returned in its
// value.
func (w *World) nextEnd(th value.Thread, result value.Value) (value.Value, error) {
	return w.next(th, &value.Iterator{Next: func(value.Thread) (value.Value, bool, error) { return result, false, nil }})
}

// powProc is pow(base, exp, mod). With a modulus all are ints; a negative exponent needs an
// inverse, which exists where base and modulus have no common factor.
func powProc(c *call) (value.Value, error) {
	for _, v := range c.args {
		if v != nil && value.IsUnknown(v) {
			return v, nil
		}
	}
	if !isGiven(c.args[2]) {
		return c.th.Binary(ast.Pow, c.args[0], c.args[1])
	}
	b, ok1 := bigInt(value.Plain(c.args[0]))
	e, ok2 := bigInt(value.Plain(c.args[1]))
	m, ok3 := bigInt(value.Plain(c.args[2]))
	if !ok1 || !ok2 || !ok3 {
		for _, v := range c.args {
			if k := kindOf(value.Plain(v)); k != intKind && k != symIntKind {
				return nil, c.th.Raise("TypeError", "pow() 3rd argument not allowed unless all arguments are integers")
			}
		}
		return &value.SymInt{D: symshape.Dim{}}, nil
	}
	if m.Sign() == 0 {
		return nil, c.th.Raise("ValueError", "pow() 3rd argument cannot be 0")
	}
	abs := new(big.Int).Abs(m)
	// The work is counted before it is done, since numbers may be long.
	if err := c.th.Step(powSteps(e, abs) + 4*mulSteps(words(b), words(m))); err != nil {
		return nil, err
	}
	r := new(big.Int).Exp(b, new(big.Int).Abs(e), abs)
	if e.Sign() < 0 {
		if err := c.th.Step(words(m) * words(m) / 64); err != nil {
			return nil, err
		}
		if r = new(big.Int).ModInverse(r, abs); r == nil {
			return nil, c.th.Raise("ValueError", "base is not invertible for the given modulus")
		}
	}
	// The result has the sign of the modulus, as Python's % has.
	_, r = bigDivMod(r, m)
	return value.FromBig(r), nil
}
