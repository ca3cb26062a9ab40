package infer

// This file runs class statements.
//
// It also knows the classes of libraries that the prelude has in part only.
//
// It also decides whether a value of Python's own types can be an instance of a class
// of a module that was not found.
//
// It also reads __slots__: the names of the attributes that the instances of a class
// can have.

import (
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// classDef runs a class statement: its bases and keywords, its body in a namespace of its own, then the metaclass. A
// base that is not known, or names that the body may have set, leave a class with an unknown base, of which no missing
// attribute is reported; a metaclass that is not known may give it any, as a decorator may.
func (in *Interp) classDef(f *frame, s *ast.ClassDef) error {
	basesV, err := in.evalAll(f, s.Bases)
	if err != nil {
		return err
	}
	var kw []value.Kw
	var meta *value.Class
	var metaLost *value.Cause
	for _, k := range s.Keywords {
		v, err := in.eval(f, k.Value)
		if err != nil {
			return err
		}
		if k.Name.Name == "metaclass" {
			meta, _ = v.(*value.Class)
			if u, ok := v.(*value.Unknown); ok {
				metaLost = u.Cause
			}
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
		if metaLost != nil {
			k.Decorated = metaLost
			in.rec.assumed(metaLost, "metaclass taken as type")
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

// partialClassOf gives the class of v, or v, where the prelude has it or one of its bases in part only (over/packages.txt
// says which): an attribute that it lacks is then unknown and no fault. Modules of torch.nn are whole, so that a subclass of one has
// the attributes that it has, even where another base is partial; nil for those. Those of a file that stands for a package that may be
// missing are in part only, too.
func partialClassOf(v value.Value) *value.Class {
	c, ok := v.(*value.Class)
	if !ok {
		i, ok := v.(*value.Instance)
		if !ok {
			return nil
		}
		c = i.Class
	}
	partial := false
	for _, k := range c.MRO {
		if !k.Prelude {
			continue
		}
		yes, modules := lib.Partial(k.Module)
		if modules || lib.StandsIn(k.Module) {
			return c
		}
		if strings.HasPrefix(k.Module, "torch.nn.") {
			return nil
		}
		partial = partial || yes
	}
	if !partial {
		return nil
	}
	return c
}

// foreignTo are Python's types with what the name of a class says that may be another
// name of the type: a missing module may hand on int as Integer, or str as text_type.
var foreignTo = map[string][]string{
	"int": {"int", "num", "real", "scalar", "digit", "long"}, "float": {"float", "num", "real", "scalar"}, "bool": {"bool", "int", "num"},
	"str": {"str", "text", "unicode", "path", "name"}, "NoneType": {"none", "null", "opt"},
	"list": {"list", "seq", "iter", "coll", "arr"}, "tuple": {"tuple", "seq", "iter", "coll", "size", "shape"}, "dict": {"dict", "map"},
}

// Foreign implements value.ForeignTeller.
func (in *Interp) Foreign(c *value.Class, u *value.Unknown) bool {
	if u.Cause == nil || !u.Cause.Missing || c == nil || in.world.Class(c.Name) != c {
		return false
	}
	words := foreignTo[c.Name]
	text := strings.ToLower(in.SpanText(in.Here()))
	if words == nil || text == "" {
		return false
	}
	for _, w := range words {
		if strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// foreignPair reports whether one of two values is one of Python's own types and the other
// a class of a missing module, which therefore are not the same.
func (in *Interp) foreignPair(a, b value.Value) bool {
	if u, ok := a.(*value.Unknown); ok {
		c, ok := b.(*value.Class)
		return ok && in.Foreign(c, u)
	}
	u, unknown := b.(*value.Unknown)
	c, class := a.(*value.Class)
	return unknown && class && in.Foreign(c, u)
}

// slotsOf gives the attributes that instances of c can have where its classes name
// them all; only is false when instances have a __dict__, or when that is not known.
func (in *Interp) slotsOf(c *value.Class) (slots map[string]bool, only bool) {
	for _, k := range c.MRO {
		if k == in.world.Object() {
			continue
		}
		if k.Prelude || !k.At.IsValid() || k.UnknownBase != nil {
			return nil, false
		}
		v, ok := k.Attrs.Get("__slots__")
		if !ok {
			return nil, false
		}
		var names []value.Value
		switch v := v.(type) {
		case value.Str:
			names = []value.Value{v}
		case *value.Tuple:
			names = v.Elems
		case *value.List:
			if v.Open != nil {
				return nil, false
			}
			names = v.Elems
		case *value.Dict:
			if v.Open != nil {
				return nil, false
			}
			names = v.Keys()
		default:
			return nil, false
		}
		if slots == nil {
			slots = map[string]bool{}
		}
		for _, n := range names {
			s, ok := value.AsStr(n)
			if !ok || s == "__dict__" || len(s) > 2 && s[:2] == "__" && s[len(s)-2:] != "__" { // mangled
				return nil, false
			}
			slots[s] = true
		}
	}
	return slots, slots != nil
}
