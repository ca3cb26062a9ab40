package infer

// This file runs class statements.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// classDef runs a class statement: its bases and keywords, its body in a namespace of its own, then the metaclass. A
// base that is not known, or names that the body may have set, leave a class with an unknown base, of which no missing
// attribute is reported.
func (in *Interp) classDef(f *frame, s *ast.ClassDef) error {
	basesV, err := in.evalAll(f, s.Bases)
	if err != nil {
		return err
	}
	var kw []value.Kw
	var meta *value.Class
	for _, k := range s.Keywords {
		v, err := in.eval(f, k.Value)
		if err != nil {
			return err
		}
		if k.Name.Name == "metaclass" {
			meta, _ = v.(*value.Class)
			continue
		}
		if k.Name.Name != "" {
			kw = append(kw, value.Kw{Name: k.Name.Name, Value: v})
		}
	}
	f.at = s.Name.Span()
	bases, origBases, lost, err := resolveBases(in, basesV)
	if err != nil {
		return in.settled(f, err)
	}

	c := in.codeOf(f.unit, s, s.Scope, s.Name.Name)
	g := in.stack.newFrame(c, f.globals)
	g.free = closure(f, c)
	g.ns = in.heap.NewAttrs()
	qualname := qualname(f, s.Name.Name)
	g.ns.Set(&in.heap, "__module__", value.Str(f.globals.Name))
	g.ns.Set(&in.heap, "__qualname__", value.Str(qualname))
	if !f.prelude {
		g.ns.Set(&in.heap, "__doc__", in.world.DocOf(s.Body, false))
	}
	if origBases {
		g.ns.Set(&in.heap, "__orig_bases__", value.NewTuple(basesV...))
	}
	if err := in.stack.push(g); err != nil {
		return err
	}
	_, err = in.block(g, s.Body)
	in.stack.pop()
	if err != nil {
		return err
	}
	g.ns.Delete(&in.heap, "__qualname__")

	f.at = s.Name.Span()
	cls, err := in.makeClass(s.Name.Name, qualname, f, bases, g.ns, meta, kw, &lost)
	if err != nil {
		return in.settled(f, err)
	}
	if k, ok := cls.(*value.Class); ok {
		k.At = s.Name.Span()
		k.Prelude = f.prelude
		if !f.prelude {
			in.annotations.noteTypeParams(k, s)
			in.annotations.noteFields(k, s, g)
		}
		if lost == nil {
			lost = g.lost
		}
		if lost != nil {
			k.UnknownBase = lost
		}
		for i := range c.scope.Locals { // the cell __class__
			if g.cells != nil && g.cells[i] != nil {
				g.cells[i].Set(&in.heap, k)
			}
		}
	}
	return in.decorate(f, s.Decorators, s.Name.Name, cls)
}

// resolveBases turns the values of the base expressions into classes. A base
// that is not known leaves a cause.
func resolveBases(th value.Thread, list []value.Value) (bases []*value.Class, aliases bool, lost *value.Cause, err error) {
	for i, b := range list {
		switch b := b.(type) {
		case *value.Class:
			bases = append(bases, b)
		case *value.Unknown:
			lost = b.Cause
		case *openElems:
			lost = &value.Cause{At: th.Here(), Reason: "the base classes are not known"}
		case *value.GenericAlias:
			aliases = true
			c, ok := b.Origin.(*value.Class)
			if ok && !(c.Module == "typing" && c.Name == "Generic" && genericAmong(list[i+1:])) {
				bases = append(bases, c)
			}
		case *value.Choice:
			c, ok := raiseAgain(th, b.Then).(*value.Class)
			if !ok {
				lost = &value.Cause{At: th.Here(), Reason: "a base class is not known"}
				continue
			}
			bases = append(bases, c)
		default:
			if m, ok, _ := th.LookupAttr(b, "__mro_entries__"); ok {
				v, err := th.Call(m, []value.Value{value.NewTuple(list...)}, nil)
				if err != nil {
					return nil, false, nil, err
				}
				if t, ok := v.(*value.Tuple); ok {
					aliases = true
					for _, e := range t.Elems {
						if c, ok := e.(*value.Class); ok {
							bases = append(bases, c)
						}
					}
					continue
				}
			}
			lost = &value.Cause{At: th.Here(), Reason: "a base class is not known"}
		}
	}
	return bases, aliases, lost, nil
}

// genericAmong reports whether one of the bases is generic already; then
// Generic[T] before it is no base of its own, as in CPython.
func genericAmong(list []value.Value) bool {
	for _, b := range list {
		if _, ok := b.(*value.GenericAlias); ok {
			return true
		}
	}
	return false
}

// newClass makes a class of a class statement. Bases may be many: a limit may leave it.
func (in *Interp) newClass(name, module string, bases []*value.Class, ns *value.Attrs, meta *value.Class) (c *value.Class, err error) {
	outer := in.spent.enterNative()
	defer in.spent.leaveNative(outer, &err)
	c, err = in.world.NewClass(&in.heap, name, module, bases, ns, meta)
	if err != nil {
		return nil, in.Raise("TypeError", "%s", err)
	}
	return c, nil
}

// makeClass calls the metaclass, or makes the class directly when that is type
// or does not interfere. A metaclass with a base that is not known is taken as type; then,
// and with bases that are not known, attributes may come from elsewhere (lost).
func (in *Interp) makeClass(name, qualname string, f *frame, bases []*value.Class, ns *value.Attrs, meta *value.Class, kw []value.Kw,
	lost **value.Cause) (value.Value, error) {
	if meta == nil {
		for _, b := range bases {
			if b.Meta != nil && (meta == nil || b.Meta.IsSubclass(meta)) {
				meta = b.Meta
			}
		}
	}
	if meta != nil && meta.Layout != value.ClassLayout && meta.UnknownBase != nil {
		*lost = meta.UnknownBase
		in.rec.assumed(*lost, "metaclass taken as type")
		meta = nil
	}
	if meta != nil {
		if m, ok := meta.Lookup("__new__"); ok && !in.isTypes(m, "__new__") {
			return in.callMeta(meta, name, bases, ns, kw)
		}
		if m, ok := meta.Lookup("__init__"); ok && !in.isTypes(m, "__init__") && !in.isObjects(m, "__init__") {
			return in.callMeta(meta, name, bases, ns, kw)
		}
	}
	c, err := in.newClass(name, f.globals.Name, bases, ns, meta)
	if err != nil {
		return nil, err
	}
	c.Qualname = qualname
	if *lost != nil {
		c.UnknownBase = *lost
	}
	return c, in.world.FinishClass(in, c, kw)
}

// callMeta makes a class by its metaclass, as type() does with name, bases and namespace.
func (in *Interp) callMeta(meta *value.Class, name string, bases []*value.Class, ns *value.Attrs, kw []value.Kw) (value.Value, error) {
	elems := make([]value.Value, len(bases))
	for i, b := range bases {
		elems[i] = b
	}
	return in.construct(meta, []value.Value{value.Str(name), value.NewTuple(elems...), in.losses.dictView(ns)}, kw)
}
