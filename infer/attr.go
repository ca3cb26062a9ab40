package infer

// This file reads and writes attributes.
//
// It also binds what a class has to the object or the class it is read from.
//
// It also reads attributes and methods of tensors, and makes function objects of operations.
// GetAttr is what the program does and LookupAttr what asks without an exception; both follow
// object.__getattribute__: data descriptors of the class, then the object's own attributes, then
// others of the class, then __getattr__. Values without a table of their own (tensors, numbers)
// have attributes by records or by World. Where the object may have been changed by code that is
// not known, an attribute that is missing is unknown rather than an AttributeError.

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/lib"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
	"shapecheck/internal/closest"
	"shapecheck/internal/diag"
)

// attrsOf returns the __dict__ of v, or nil when it has none yet or ever. Builtin containers have
// one only in a subclass.
func attrsOf(v value.Value) *value.Attrs {
	switch v := v.(type) {
	case *value.Instance:
		return v.Attrs
	case *value.Tensor:
		return v.Attrs
	case *value.List:
		return v.Attrs
	case *value.Dict:
		return v.Attrs
	case *value.Set:
		return v.Attrs
	case *value.Tuple:
		return v.Attrs
	case *value.Func:
		return v.Attrs
	case *value.Class:
		return v.Attrs
	case *value.Property:
		return v.Attrs
	case *value.StaticMethod:
		return v.Attrs
	case *value.ClassMethod:
		return v.Attrs
	case *value.Iterator:
		return v.Attrs
	}
	return nil
}

// ensureAttrs returns the __dict__ of v, making it on first use; nil when values
// of this kind cannot have one. Only instances of a subclass of a builtin container have one.
func ensureAttrs(th value.Thread, v value.Value) *value.Attrs {
	if a := attrsOf(v); a != nil {
		return a
	}
	a := th.Heap().NewAttrs()
	switch v := v.(type) {
	case *value.Instance:
		v.Attrs = a
	case *value.Tensor:
		v.Attrs = a
	case *value.List:
		if v.Class == nil {
			return nil
		}
		v.Attrs = a
	case *value.Dict:
		if v.Class == nil {
			return nil
		}
		v.Attrs = a
	case *value.Set:
		if v.Class == nil {
			return nil
		}
		v.Attrs = a
	case *value.Tuple:
		if v.Class == nil {
			return nil
		}
		v.Attrs = a
	case *value.Func:
		v.Attrs = a
	case *value.Property:
		v.Attrs = a
	case *value.StaticMethod:
		v.Attrs = a
	case *value.ClassMethod:
		v.Attrs = a
	case *value.Iterator:
		v.Attrs = a
	default:
		return nil
	}
	return a
}

// takesAttr reports whether an object without a __dict__ of its own lets a program write an attribute: of a property its
// docstring and (from Python 3.13 on) its name, of a generator its names. Other kinds say so by having no table at all.
func takesAttr(v value.Value, name string) bool {
	switch v := v.(type) {
	case *value.Property:
		return name == "__doc__" || name == "__name__"
	case *value.Iterator:
		return v.Name == "generator" && (name == "__name__" || name == "__qualname__")
	}
	return true
}

// GetAttr gives v.name. An error is an AttributeError where v has no such attribute, or what a property, a descriptor,
// __getattr__ or __getattribute__ raises.
func (in *Interp) GetAttr(v value.Value, name string) (value.Value, error) {
	x, ok, err := in.LookupAttr(v, name)
	if err == nil && !ok && in.imports.mayComplete() && !in.hasFallback(in.noAttr(v, name)) && in.imports.completeClass(classOf(in, v), name) {
		x, ok, err = in.LookupAttr(v, name)
	}
	if err == nil && ok {
		// Tracers see reads that succeed.
		for _, t := range in.tracers.all {
			t.Attr(v, name, x)
		}
		return in.orMissing(v, name, x)
	}
	if err != nil {
		return x, err
	}
	// Attributes of compiled functions are not known.
	if u := in.native.compiledAttr(v, name); u != nil {
		return u, nil
	}
	// What is missing is an error only where no one can say that another version has it.
	missing := in.noAttr(v, name)
	if t, ok := v.(*value.Tensor); ok && isPrivate(name) && !ops.IsArray(t) && !in.hasFallback(missing) {
		return in.losses.noRecord(ops.Torch.Method(name)),
			nil // another version may have it: who asks with hasattr is told that it is not there
	}
	if c, ok := v.(*value.Class); ok && c.Prelude && c.Module == "torch" && c.Name == "Tensor" && isPrivate(name) && !in.hasFallback(missing) {
		return in.losses.noRecord(ops.Torch.Method(name)), nil // as of its instances
	}
	if b, ok := v.(*value.Builtin); ok && isDunder(name) && !in.hasFallback(missing) {
		if _, library := catalog.Lookup(b.Name); library { // it may be written in Python, with what Python's functions have
			return in.losses.noRecord(b.Name + "." + name), nil
		}
	}
	// A class that models a part of a library's class lacks the rest, unless the name looks like a
	// misspelling.
	if c := partialClassOf(v); c != nil && !strings.HasPrefix(name, "__") && !in.hasFallback(missing) &&
		(lib.StandsIn(c.Module) || closest.Identifier(name, attrNames(v, c)) == "") {
		return in.losses.noRecord(c.Module + "." + c.Name + "." + name), nil
	}
	return nil, missing
}

// classOf is a class itself, and the class of any other value.
func classOf(in *Interp, v value.Value) *value.Class {
	if c, ok := v.(*value.Class); ok {
		return c
	}
	return in.TypeOf(v)
}

// isDunder reports whether a name is one of Python's protocols: __code__.
func isDunder(name string) bool {
	return len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// isPrivate reports whether a name is one of an implementation, of which its documents say nothing.
func isPrivate(name string) bool {
	return strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__")
}

// orMissing gives an attribute that an object has on some of the paths only: where the
// program catches the AttributeError of the others, both are possible. Both ways are followed then.
func (in *Interp) orMissing(v value.Value, name string, x value.Value) (value.Value, error) {
	i, ok := v.(*value.Instance)
	if !ok || !i.Attrs.Maybe(name) {
		return x, nil
	}
	missing := in.noAttr(v, name)
	if !in.flow.kept(missing) {
		return x, nil
	}
	c := in.DataBool(nil).Cond
	return in.flow.fork(c, graph.Cond{Cond: c}, func() (value.Value, error) { return x, nil }, func() (value.Value, error) { return nil, missing })
}

// noAttr makes the AttributeError. What may have been meant is looked for when it
// is reported: programs ask for attributes that are not there all the time. The diagnostic has the
// facts by which fixes are found.
func (in *Interp) noAttr(v value.Value, name string) error {
	var what string
	switch x := v.(type) {
	case *value.Module:
		what = "module '" + x.Name + "'"
		// The attribute came with a later version of the library.
		if why := in.versions.tooNew(x.Name + "." + name); why != "" && x.Prelude {
			return in.Fail("AttributeError", diag.New(diag.UnknownAttribute, in.Here(), what+" has no attribute '"+name+"'"+why, name))
		}
	case *value.Class:
		what = "class '" + x.Name + "'"
	default:
		what = "'" + in.TypeOf(v).Name + "' object"
	}
	d := diag.New(diag.UnknownAttribute, in.Here(), what+" has no attribute '"+name+"'", name)
	switch v := v.(type) {
	case value.NoneType:
		d.Fact = diag.Fact{Kind: diag.OfNone}
	case value.NotImplementedType: // which derived classes replace
		d.Fact = diag.Fact{Kind: diag.NotImplemented}
	case *value.Instance:
		d.Fact = diag.Fact{Kind: diag.LacksAttribute, Of: v.Class.Name, Names: []string{name}}
	case *value.Tensor:
		d.Fact = diag.Fact{Kind: diag.LacksAttribute, Of: v.String(), Names: []string{name}}
	case value.Int:
		d.Fact = diag.Fact{Kind: diag.LacksAttribute, Of: "int", Names: []string{name}}
	case *value.List:
		d.Fact = diag.Fact{Kind: diag.LacksAttribute, Of: "list", Names: []string{name}}
	}
	d.Fact.Type = ops.TypeName(v)
	err := in.Fail("AttributeError", d)
	var e *value.Exception
	if errors.As(err, &e) {
		// Suggestions are looked for only when the error is reported.
		e.Advise = func() { in.adviseAttr(d, v, name) }
	}
	return err
}

// adviseAttr adds the attribute that was meant to the diagnostic of a missing one. An attribute of
// a tuple's element is suggested where the tuple itself has it not.
func (in *Interp) adviseAttr(d *diag.Diagnostic, v value.Value, name string) {
	var names []string
	library := false
	switch x := v.(type) {
	case *value.Module:
		library = x.Prelude
		for i := range x.Attrs.Len() {
			names = append(names, x.Attrs.Name(i))
		}
		if x.Prelude {
			names = append(names, torch.NamesIn(x.Name)...)
		}
	case *value.Class:
		names = attrNames(v, x)
	default:
		names = attrNames(v, in.TypeOf(v))
	}
	if s := closest.Identifier(name, names); s != "" {
		d.Fixes = append(d.Fixes, respelling(in.files, s, name, d.At, library))
	} else if fix, ok := in.inTuple(v, name, d.At); ok {
		d.Fixes = append(d.Fixes, fix)
	}
}

// attrNames lists the names that an object has, for suggestions: its own, its classes', and those of the tables
// of a module of torch.nn, whose parts are no attributes. Their order does not matter to the
// search.
func attrNames(v value.Value, c *value.Class) []string {
	var names []string
	add := func(a *value.Attrs) {
		for i := range a.Len() {
			names = append(names, a.Name(i))
		}
	}
	a := attrsOf(v)
	add(a)
	for _, k := range c.MRO {
		add(k.Attrs)
	}
	for _, table := range [...]string{"_modules", "_parameters", "_buffers"} {
		if t, ok := a.Get(table); ok {
			if d, ok := t.(*value.Dict); ok {
				for i := range d.Len() {
					if s, ok := value.AsStr(d.Key(i)); ok {
						names = append(names, s)
					}
				}
			}
		}
	}
	return names
}

// LookupAttr is GetAttr, but ok is false instead of an AttributeError for an attribute that is not there. An error is
// what a property, a descriptor, __getattr__ or __getattribute__ raises, but for an AttributeError of the two methods,
// which says that there is no attribute. A choice is distributed, and a missing attribute of one
// alternative is its error.
func (in *Interp) LookupAttr(v value.Value, name string) (value.Value, bool, error) {
	switch x := v.(type) {
	case *value.Unknown:
		return x.Derived(), true, nil
	case *value.Choice:
		r, err := in.distributeOp(ops.Torch.Method(name)+".get", x, func(v value.Value) (value.Value, error) { return in.GetAttr(v, name) })
		return r, err == nil, err
	case *value.Module:
		return in.imports.moduleAttr(x, name)
	case *value.Class:
		return in.classAttr(x, name)
	case *value.Super:
		return in.superAttr(x, name)
	case *value.GenericAlias:
		if r, ok, err := in.world.Attr(in, x, name); ok || err != nil {
			return r, ok, err
		}
		return in.LookupAttr(x.Origin, name)
	}
	return in.objectAttr(v, in.TypeOf(v), name)
}

// objectAttr looks an attribute up in the order of object.__getattribute__: a __getattribute__ of the class, what the
// class and the object have, __getattr__. What may be there all the same comes last: attributes of an unknown base or
// an unknown decorator, and those of compiled functions, which only a record describes. It serves
// objects of all kinds; those with rules of their own (modules, classes) do not come here.
func (in *Interp) objectAttr(v value.Value, c *value.Class, name string) (value.Value, bool, error) {
	// The program's own __getattribute__ decides alone.
	if customGetattribute(c) {
		m, _ := c.Lookup("__getattribute__")
		fn, first, err := in.calledAttr(m, v, c)
		if err != nil {
			return nil, false, err
		}
		return in.maybeAttr(fn, name, first...)
	}
	base := in.unknownBase(c)
	m, found := c.Lookup("__getattr__")
	found = found && (base == nil || isModuleGetattr(m)) // what an unknown base has, or sets, is not asked of others
	r, ok, first, err := in.ownAttr(v, c, name, found)
	if err != nil || ok {
		return r, ok, err
	}
	// __getattr__ is asked when all else failed.
	if found {
		fn, first, err := in.calledAttr(m, v, c)
		if err != nil {
			return nil, false, err
		}
		r, ok, err := in.maybeAttr(fn, name, first...)
		if ok || err != nil {
			return r, ok, err
		}
	}
	if first != nil { // a property that raised AttributeError itself
		return nil, false, first
	}
	// An unknown base may have it.
	if base != nil {
		return unsureOf(base), true, nil
	}
	if u := openAttr(v, name); u != nil {
		return u, true, nil
	}
	if u := in.decoratedAttr(v, name); u != nil {
		return u, true, nil
	}
	if b, ok := v.(*value.Builtin); ok && strings.HasPrefix(b.Name, compiledOps) && !strings.HasPrefix(name, "_") {
		return b, true, nil // an overload: the record is of all of them
	}
	// Ufuncs of NumPy have methods and numbers.
	if b, ok := v.(*value.Builtin); ok && ufuncAttrs[name] && catalog.LibraryOf(b.Name) == numpy.Library {
		if full := b.Name + "." + name; hasRecord(full) {
			return in.opFunc(full), true, nil
		}
		if op, ok := catalog.Lookup(b.Name); ok {
			if x := numpy.UfuncAttr(op, b.Name, name); x != nil {
				return x, true, nil
			}
		}
		return in.losses.noRecord(b.Name + "." + name), true, nil
	}
	return nil, false, nil
}

// ownAttr is an attribute that no __getattr__ gives; first is an AttributeError that a property raised in the place of one.
// With caught there is a __getattr__, which is asked then: it says nothing against the property. A
// property's AttributeError counts as a missing attribute, as in Python; first keeps it for the
// message.
func (in *Interp) ownAttr(v value.Value, c *value.Class, name string, caught bool) (r value.Value, ok bool, first, err error) {
	missing := in.world.Class("AttributeError")
	if attr, has := c.Lookup(name); caught && has {
		if _, computed := attr.(*value.Property); computed {
			in.handlers = append(in.handlers,
				handler{frame: in.stack.frame, catches: []*value.Class{missing}, native: true, met: new(bool)})
			n := len(in.handlers)
			defer func() { in.handlers = in.handlers[:n-1] }()
		}
	}
	r, ok, err = in.plainAttr(v, c, name)
	if value.IsException(err, missing) {
		return nil, false, err, nil
	}
	return r, ok && err == nil, nil, err
}

// unsureOf is what an unknown base may have as an attribute, or not. unsure values do not count as
// lost in reports.
func unsureOf(base value.Value) value.Value {
	u, ok := base.(*value.Unknown)
	if !ok || u.Cause == nil {
		return base
	}
	cause := *u.Cause
	cause.Unsure = true
	return &value.Unknown{Cause: &cause}
}

// ufuncAttrs are what numpy's universal functions have beside being called.
var ufuncAttrs = map[string]bool{
	"reduce": true, "accumulate": true, "reduceat": true, "outer": true, "at": true,
	"nin": true, "nout": true, "nargs": true, "ntypes": true, "types": true, "identity": true, "signature": true,
}

// customGetattribute reports whether a class of Python source overrides attribute access. object's
// own does not count.
func customGetattribute(c *value.Class) bool {
	for _, k := range c.MRO {
		if k.At.IsValid() {
			if _, ok := k.Attrs.Get("__getattribute__"); ok {
				return true
			}
		}
	}
	return false
}

// maybeAttr calls a __getattr__ or __getattribute__, whose AttributeError says that
// there is no such attribute. first are the arguments before the name.
func (in *Interp) maybeAttr(fn value.Value, name string, first ...value.Value) (value.Value, bool, error) {
	v, ok, unsure, err := in.orNoAttr(func() (value.Value, bool, error) {
		v, err := in.Call(fn, append(first, value.Str(name)), nil)
		return v, true, err
	})
	if err != nil || !ok || !unsure {
		return v, ok, err
	}
	// The method may have raised on a path that was not followed: both are possible.
	t := in.DataBool(nil)
	v, err = in.flow.fork(t.Cond, graph.Cond{Cond: t.Cond}, func() (value.Value, error) { return in.losses.underCondition(), nil },
		func() (value.Value, error) { return nil, in.Raise("AttributeError", "no attribute '%s'", name) })
	return v, err == nil, err
}

// AskAttr is LookupAttr for who takes an AttributeError, as that of a property, for an attribute that is not there. Any
// other exception that LookupAttr returns is its error, too. hasattr and getattr with a default ask
// so.
func (in *Interp) AskAttr(v value.Value, name string) (value.Value, bool, error) {
	x, ok, unsure, err := in.orNoAttr(func() (value.Value, bool, error) { return in.LookupAttr(v, name) })
	if err == nil && ok && unsure {
		x = in.losses.underCondition()
	}
	return x, ok, err
}

// underCondition is an attribute that is there under a condition only.
func (l *losses) underCondition() *value.Unknown {
	u := l.lose("an attribute that is there under a condition only")
	u.Cause.Unsure = true
	return u
}

// orNoAttr takes an AttributeError for an attribute that is not there; unsure says that one may
// have been raised. A handler is set while ask runs, so that a raise is known to be caught.
func (in *Interp) orNoAttr(ask func() (value.Value, bool, error)) (v value.Value, ok, unsure bool, err error) {
	missing := in.world.Class("AttributeError")
	in.handlers = append(in.handlers, handler{frame: in.stack.frame, catches: []*value.Class{missing}, native: true, met: &unsure})
	n := len(in.handlers)
	v, ok, err = ask()
	in.handlers = in.handlers[:n-1]
	if value.IsException(err, missing) {
		return nil, false, unsure, nil
	}
	return v, ok && err == nil, unsure, err
}

// PlainAttr gives v.name without the methods of its class that have a say in it. An error is an AttributeError where
// there is no such attribute, or what a property or a descriptor raises. It is
// object.__getattribute__ called by hand.
func (in *Interp) PlainAttr(v value.Value, name string) (value.Value, error) {
	switch v.(type) {
	case *value.Unknown, *value.Choice, *value.Module, *value.Class, *value.Super, *value.GenericAlias:
		return in.GetAttr(v, name)
	}
	c := in.TypeOf(v)
	r, ok, err := in.plainAttr(v, c, name)
	if ok || err != nil {
		return r, err
	}
	if u := in.unknownBase(c); u != nil {
		return u, nil
	}
	if u := openAttr(v, name); u != nil {
		return u, nil
	}
	return nil, in.noAttr(v, name)
}

// openAttr is an attribute that an object may have been given under a name that is not
// known, or nil. Special names are not given so.
func openAttr(v value.Value, name string) value.Value {
	c := attrsOf(v).Open()
	if c == nil || strings.HasPrefix(name, "__") {
		return nil
	}
	unsure := *c
	unsure.Unsure = true
	return &value.Unknown{Cause: &unsure}
}

// plainAttr follows object.__getattribute__. ok is false where nothing has the name.
func (in *Interp) plainAttr(v value.Value, c *value.Class, name string) (value.Value, bool, error) {
	if b, ok := v.(*value.Builtin); ok && name == "__name__" && catalog.LibraryOf(b.Name) == numpy.Library {
		if own := numpy.OwnName(b.Name); own != "" {
			return value.Str(own), true, nil
		}
	}
	attr, inClass := c.Lookup(name)
	if inClass {
		// Data descriptors come before the object's own attributes.
		switch d := attr.(type) {
		case *value.Property:
			r, err := in.bindAttr(d, v, c)
			return r, err == nil, err
		case *value.Instance:
			if _, ok := d.Class.Lookup("__set__"); ok {
				r, err := in.bindAttr(d, v, c)
				return r, err == nil, err
			}
		}
	}
	// The object's own.
	if a := attrsOf(v); a != nil {
		if r, ok := a.Get(name); ok {
			return r, true, nil
		}
	}
	// Functions, and all else of the class.
	if inClass {
		if u := openAttr(v, name); u != nil && value.IsData(attr) && !lib.Declares(c, name) {
			return u, true, nil
		}
		r, err := in.bindAttr(attr, v, c)
		return r, err == nil, err
	}
	if t, ok := v.(*value.Tensor); ok {
		return in.TensorMethod(t, name)
	}
	// Attributes that every object has.
	switch name {
	case "__class__":
		return c, true, nil
	case "__dict__":
		if _, only := in.slotsOf(c); only {
			return nil, false, nil
		}
		if a := ensureAttrs(in, v); a != nil {
			return in.losses.dictView(a), true, nil
		}
	}
	// Fields of a named tuple.
	if t, ok := v.(*value.Tuple); ok && t.Class != nil {
		for i, f := range t.Class.Fields {
			if f == name {
				return t.Elems[i], true, nil
			}
		}
	}
	x, ok, err := in.world.Attr(in, v, name)
	if ok && err == nil {
		in.losses.caused(x, "."+name, v)
	}
	return x, ok, err
}

// dictView gives the attributes as a dict; writes to it reach the object. Names that are not known
// are its open part.
func (l *losses) dictView(a *value.Attrs) *value.Dict {
	d := l.heap.NewDict()
	d.Mirror = a
	if c := a.Open(); c != nil {
		d.Open = &value.Open{Key: l.unknown(c), Elem: l.unknown(c)}
	}
	return d
}

// classAttr looks an attribute of a class up in the order of type.__getattribute__: properties of the metaclass, then
// the class and its bases, then other attributes of the metaclass. Attributes that CPython keeps in C fields follow,
// and those that only an unknown base may have.
func (in *Interp) classAttr(c *value.Class, name string) (value.Value, bool, error) {
	meta := in.TypeOf(c)
	metaAttr, inMeta := meta.Lookup(name)
	// A property of the metaclass is a data descriptor.
	if p, ok := metaAttr.(*value.Property); ok {
		r, err := in.bindAttr(p, c, meta)
		return r, err == nil, err
	}
	// The class and its bases.
	if attr, ok := c.Lookup(name); ok {
		r, err := in.ofClass(attr, c)
		return r, err == nil, err
	}
	if inMeta {
		r, err := in.bindAttr(metaAttr, c, meta)
		return r, err == nil, err
	}
	switch name {
	case "__name__":
		return value.Str(c.Name), true, nil
	case "__qualname__":
		return value.Str(c.Qualname), true, nil
	case "__module__":
		return value.Str(c.Module), true, nil
	case "__mro__":
		elems := make([]value.Value, len(c.MRO))
		for i, k := range c.MRO {
			elems[i] = k
		}
		return value.NewTuple(elems...), true, nil
	case "__bases__":
		elems := make([]value.Value, len(c.Bases))
		for i, k := range c.Bases {
			elems[i] = k
		}
		return value.NewTuple(elems...), true, nil
	case "__base__":
		if len(c.Bases) == 0 {
			return value.None, true, nil
		}
		return c.Bases[0], true, nil
	case "__dict__":
		return in.losses.dictView(c.Attrs), true, nil
	case "__class__":
		return meta, true, nil
	case "__doc__":
		return in.world.DocOf(nil, true), true, nil // Python classes have theirs in the table
	case "__annotations__":
		return in.heap.NewDict(), true, nil
	}
	// torch.Tensor.add as an attribute of the class.
	if c.Layout == value.TensorLayout && !ops.IsArrayClass(c) && !ops.IsVariableClass(c) {
		if op, ok := catalog.Lookup(ops.Torch.Method(name)); ok {
			_ = op
			return in.opFunc(ops.Torch.Method(name)), true, nil
		}
	}
	if m, found := meta.Lookup("__getattr__"); found {
		fn, err := in.bindAttr(m, c, meta)
		if err != nil {
			return nil, false, err
		}
		return in.maybeAttr(fn, name)
	}
	if u := in.unknownBase(c); u != nil {
		return u, true, nil
	}
	if v, ok, err := in.world.Attr(in, c, name); ok || err != nil {
		return v, ok, err
	}
	u := in.decoratedAttr(c, name)
	return u, u != nil, nil
}

// superAttr looks an attribute of super() up in the classes that follow the current one in the method resolution order.
// A class with an unknown base in that order makes what comes after it unknown. Of is the class of
// the object, Class the one in whose body super() stands. super(C), to which no object is bound, has attributes of its own alone.
func (in *Interp) superAttr(s *value.Super, name string) (value.Value, bool, error) {
	if s.Self == nil {
		return in.objectAttr(s, in.TypeOf(s), name)
	}
	after := false
	for i, k := range s.Of.MRO {
		if !after {
			after = k == s.Class
			continue
		}
		attr, ok := k.Attrs.Get(name)
		if !ok {
			if k.UnknownBase != nil && (name != "__init__" || !in.hasConstructor(s.Of.MRO[i+1:])) {
				return in.losses.unknown(k.UnknownBase), true, nil
			}
			continue
		}
		// super() in a class method or metaclass.
		if c, ok := s.Self.(*value.Class); ok && c == s.Of {
			switch a := attr.(type) {
			case *value.ClassMethod:
				return &value.BoundMethod{Self: c, Func: a.Func}, true, nil
			case *value.StaticMethod:
				return a.Func, true, nil
			case *value.Func, *value.Builtin:
				if name == "__new__" {
					return a, true, nil
				}
				if c.Layout == value.ClassLayout || s.Class.Layout == value.ClassLayout {
					return &value.BoundMethod{Self: s.Self, Func: a}, true, nil
				}
				return a, true, nil
			}
			return attr, true, nil
		}
		// __new__ is static without being marked.
		if name == "__new__" {
			if sm, ok := attr.(*value.StaticMethod); ok {
				return sm.Func, true, nil
			}
			return attr, true, nil
		}
		r, err := in.bindAttr(attr, s.Self, s.Of)
		return r, err == nil, err
	}
	if c := s.Of.UnknownBase; c != nil {
		return in.losses.unknown(c), true, nil
	}
	if t, ok := s.Self.(*value.Tensor); ok {
		return in.TensorMethod(t, name)
	}
	return nil, false, nil
}

// hasConstructor reports whether one of some classes has a constructor of its own, which that of a base that is not known, and comes before
// them, is taken to call: with a missing mixin a module is still one.
func (in *Interp) hasConstructor(list []*value.Class) bool {
	return slices.ContainsFunc(list, func(k *value.Class) bool {
		m, ok := k.Attrs.Get("__init__")
		return ok && !in.isObjects(m, "__init__")
	})
}

// SetAttr performs v.name = x. An error is an AttributeError where v does not take the attribute, or what __setattr__,
// a property or a descriptor raises. A write to what is not known is lost.
func (in *Interp) SetAttr(v value.Value, name string, x value.Value) error {
	for _, t := range in.tracers.all {
		t.WriteAttr(v, name, x)
	}
	switch t := v.(type) {
	case *value.Unknown, *value.GenericAlias: // what is written into a type hint is for readers
		return nil
	case *value.Choice:
		_, err := in.distribute(t, func(v value.Value) (value.Value, error) { return value.None, in.SetAttr(v, name, x) })
		return err
	case *value.Module:
		t.Attrs.Set(&in.heap, name, x)
		return nil
	case *value.Class:
		t.Attrs.Set(&in.heap, name, x)
		return nil
	// __new__.__defaults__ of a namedtuple.
	case *value.Builtin:
		if name == "__defaults__" && t.Defaults != nil {
			t.Defaults.Set(&in.heap, x)
			return nil
		}
	}
	c := in.TypeOf(v)
	// The program's own __setattr__, or Module's.
	if m, ok := c.Lookup("__setattr__"); ok && !in.isObjects(m, "__setattr__") {
		fn, first, err := in.calledAttr(m, v, c)
		if err != nil {
			return err
		}
		_, err = in.Call(fn, append(first, value.Str(name), x), nil)
		return err
	}
	return in.plainSetAttr(v, c, name, x)
}

// isObjects reports whether a method is the one of object.
func (in *Interp) isObjects(m value.Value, name string) bool {
	o, ok := in.world.Object().Attrs.Get(name)
	return ok && o == m
}

// plainSetAttr follows object.__setattr__. The errors are AttributeErrors of properties and slots,
// and what a setter raises.
func (in *Interp) plainSetAttr(v value.Value, c *value.Class, name string, x value.Value) error {
	if attr, ok := c.Lookup(name); ok {
		switch d := attr.(type) {
		case *value.Property:
			if d.Set == nil {
				if t, ok := v.(*value.Tensor); ok {
					if done, err := in.native.setTensorAttr(t, name, x); done || err != nil {
						return err
					}
				}
				return in.Raise("AttributeError", "property '%s' of '%s' object has no setter", name, c.Name)
			}
			_, err := in.Call(d.Set, []value.Value{v, x}, nil)
			return err
		case *value.Instance:
			if set, ok := d.Class.Lookup("__set__"); ok {
				fn, err := in.bindAttr(set, d, d.Class)
				if err != nil {
					return err
				}
				_, err = in.Call(fn, []value.Value{v, x}, nil)
				return err
			}
		}
	}
	// Attributes of tensors that are more than storage.
	if t, ok := v.(*value.Tensor); ok {
		if done, err := in.native.setTensorAttr(t, name, x); done || err != nil {
			return err
		}
	}
	// Changing the class is undone with the branch.
	if name == "__class__" {
		if k, ok := x.(*value.Class); ok {
			if i, ok := v.(*value.Instance); ok {
				before := i.Class
				in.heap.Undo(func() { i.Class = before })
				i.Class = k
			}
		}
		return nil
	}
	// Arrays have no attributes of the program's.
	if c.FullName() == "numpy.ndarray" && (in.stack.frame == nil || !in.stack.frame.prelude) {
		return in.Raise("AttributeError", "'numpy.ndarray' object has no attribute '%s'", name)
	}
	var a *value.Attrs
	if takesAttr(v, name) {
		a = ensureAttrs(in, v)
	}
	if slots, only := in.slotsOf(c); a == nil || only && !slots[name] {
		return in.Raise("AttributeError", "'%s' object has no attribute '%s'", c.Name, name)
	}
	// Replacing __dict__ adds its entries; those before stay, which is not exact.
	if name == "__dict__" {
		if d, ok := x.(*value.Dict); ok {
			for i := range d.Len() {
				if s, ok := value.AsStr(d.Key(i)); ok {
					a.Set(&in.heap, s, d.At(i))
				}
			}
			if d.Open != nil {
				lib.OpenAttrs(in, a, c, d.Open.Key, d.Open.Elem)
			}
			return nil
		}
		if u, ok := x.(*value.Unknown); ok {
			lib.OpenAttrs(in, a, c, u)
			return nil
		}
	}
	a.Set(&in.heap, name, x)
	return nil
}

// DelAttr performs del v.name. An error is an AttributeError where there is no such attribute, or what __delattr__ or a
// property raises. Deleting from what is not known does nothing.
func (in *Interp) DelAttr(v value.Value, name string) error {
	if value.IsUnknown(v) {
		return nil
	}
	if d := value.AsDecorated(v); value.IsUnknown(d) {
		if a := attrsOf(v); a != nil {
			a.Delete(&in.heap, name) // if it is there: the decorator may have set it
		}
		return nil
	}
	c := in.TypeOf(v)
	if m, ok := c.Lookup("__delattr__"); ok && !in.isObjects(m, "__delattr__") {
		fn, err := in.bindAttr(m, v, c)
		if err != nil {
			return err
		}
		_, err = in.Call(fn, []value.Value{value.Str(name)}, nil)
		if in.unknownBase(c) != nil && value.IsException(err, in.world.Class("AttributeError")) {
			return nil // the base may have set it
		}
		return err
	}
	if attr, ok := c.Lookup(name); ok {
		if p, ok := attr.(*value.Property); ok && p.Del != nil {
			_, err := in.Call(p.Del, []value.Value{v}, nil)
			return err
		}
	}
	var a *value.Attrs
	if m, ok := v.(*value.Module); ok {
		a = m.Attrs
	} else {
		a = attrsOf(v)
	}
	if a == nil || !a.Delete(&in.heap, name) && a.Open() == nil && in.unknownBase(c) == nil {
		return in.noAttr(v, name)
	}
	return nil
}

// bindAttr turns a class attribute into what an access through v gives. Functions become bound
// methods, properties and descriptors are called. The error is what these raise.
func (in *Interp) bindAttr(attr, v value.Value, c *value.Class) (value.Value, error) {
	switch a := attr.(type) {
	case *value.Func:
		if !lib.Binds(a) {
			return a, nil
		}
		return &value.BoundMethod{Self: v, Func: a}, nil
	case *value.Builtin:
		if a.Static {
			return a, nil
		}
		return &value.BoundMethod{Self: v, Func: a}, nil
	case *value.StaticMethod:
		return a.Func, nil
	case *value.ClassMethod:
		return &value.BoundMethod{Self: c, Func: a.Func}, nil
	case *value.Property:
		if a.Get == nil {
			return nil, in.Raise("AttributeError", "unreadable attribute")
		}
		return in.Call(a.Get, []value.Value{v}, nil)
	// A class that defines a method in two ways has both until the condition is known.
	case *value.Choice: // defined in other ways under a condition
		return in.flow.fork(a.Cond, graph.Cond{Cond: a.Cond},
			func() (value.Value, error) { return in.bindAttr(a.Then, v, c) },
			func() (value.Value, error) { return in.bindAttr(a.Else, v, c) })
	case *value.Instance:
		if get, ok := a.Class.Lookup("__get__"); ok {
			if err := in.Enter(""); err != nil { // __get__ may be such an object
				return nil, err
			}
			defer in.Leave()
			fn, err := in.bindAttr(get, a, a.Class)
			if err != nil {
				return nil, err
			}
			return in.Call(fn, []value.Value{v, c}, nil)
		}
	}
	return attr, nil
}

// calledAttr is bindAttr for who calls it at once: what to call, and with which arguments before
// the others. It saves making a bound method for each __getattr__ and __setattr__.
func (in *Interp) calledAttr(m, v value.Value, c *value.Class) (fn value.Value, first []value.Value, err error) {
	b, native := m.(*value.Builtin)
	if _, plain := m.(*value.Func); plain || native && !b.Static { // no bound method is made
		return m, append(make([]value.Value, 0, 3), v), nil
	}
	fn, err = in.bindAttr(m, v, c)
	return fn, nil, err
}

// ofClass turns a class attribute into what an access through the class c gives. Functions stay
// functions.
func (in *Interp) ofClass(attr value.Value, c *value.Class) (value.Value, error) {
	switch a := attr.(type) {
	case *value.StaticMethod:
		return a.Func, nil
	case *value.ClassMethod:
		return &value.BoundMethod{Self: c, Func: a.Func}, nil
	case *value.Choice: // see bindAttr
		return in.flow.fork(a.Cond, graph.Cond{Cond: a.Cond}, func() (value.Value, error) { return in.ofClass(a.Then, c) },
			func() (value.Value, error) { return in.ofClass(a.Else, c) })
	case *value.Instance:
		if get, ok := a.Class.Lookup("__get__"); ok {
			fn, err := in.bindAttr(get, a, a.Class)
			if err != nil {
				return nil, err
			}
			return in.Call(fn, []value.Value{value.None, c}, nil)
		}
	}
	return attr, nil
}

// TensorMethod finds a method or property of tensors by name. ok is false, without an error, where there is none; an
// error is what the operation of a property raises. Arrays and Variables have tables of their own.
func (in *Interp) TensorMethod(t *value.Tensor, name string) (value.Value, bool, error) {
	if ops.IsArray(t) {
		return in.arrayAttr(t, name)
	}
	if chainer.IsVariable(t) {
		return in.variables.variableAttr(t, name)
	}
	// A later version has it: it is not there.
	full := ops.Torch.Method(name)
	if in.versions.tooNew(full) != "" {
		return nil, false, nil
	}
	// A property is an operation whose record ends in .get.
	if op, ok := catalog.Lookup(full + ".get"); ok {
		v, err := in.applyOp(op, full+".get", []value.Value{t}, nil)
		return v, err == nil, err
	}
	if _, ok := catalog.Lookup(full); ok {
		return &value.BoundMethod{Self: t, Func: in.opFunc(full)}, true, nil
	}
	switch name {
	case "__class__":
		return in.TypeOf(t), true, nil
	case "__dict__":
		return in.losses.dictView(ensureAttrs(in, t)), true, nil
	}
	// Without a record the result is unknown.
	if knownTensorAttr(name) {
		return in.losses.noRecord(full), true, nil
	}
	return nil, false, nil
}

// knownTensorAttr reports whether real tensors have the attribute, though there
// is no record of it: the result is unknown instead of an AttributeError.
func knownTensorAttr(name string) bool { return torch.KnownTensorAttr(name) }

// opFunc gives the function object of a record. It is made once for each name, so that two reads
// give the same object.
func (in *Interp) opFunc(name string) *value.Builtin {
	if b := in.opFuncs[name]; b != nil {
		return b
	}
	op, _ := catalog.Lookup(name)
	b := &value.Builtin{Name: name, Static: !catalog.Binds(name), Object: catalog.ObjectOf(name)}
	b.Fn = func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		// An argument that is one of two is distributed.
		if c := choiceIn(args, kw); c != nil {
			return in.applyToChoice(c, name, args, kw)
		}
		// Of NumPy's functions objects with __array_ufunc__ and the like may take over.
		if strings.HasPrefix(name, numpy.Library.Prefix) {
			if v, done, err := in.ofWrapped(name, args, kw); done || err != nil {
				return v, err
			}
		}
		return in.applyOp(op, name, args, kw)
	}
	in.opFuncs[name] = b
	return b
}
