package lib

// This file gives the attributes of builtin values that are not in the class
// tables, because CPython computes them or keeps them in C fields. The search for an attribute
// begins in the interpreter, by the order of CPython: the class and those above it, the object's
// own table, __getattr__. This file is asked in between for what no table has. Most are constants
// of the value; what they return is made at each request, since few programs ask twice.

import (
	"cmp"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// Attr finds such an attribute. The interpreter has looked in the class and in
// the object's own table before. An error is that of looking the name up in the function of a bound method, a static
// method or a class method. Every object has these three.
func (w *World) Attr(th value.Thread, v value.Value, name string) (x value.Value, ok bool, err error) {
	switch name {
	case "__class__":
		return w.TypeOf(v), true, nil
	case "__doc__":
		return w.docOf(v), true, nil
	case "__dict__":
		if a := attrsOf(v); a != nil {
			return w.attrsDict(th, a), true, nil
		}
	}
	switch x := v.(type) {
	case *value.Func:
		r, ok := w.funcAttr(th, x, name)
		return r, ok, nil
	case *value.Builtin:
		if r, ok := w.objectAttr(th, x, name); ok {
			return r, true, nil
		}
		switch name {
		// The name of a builtin is qualified by its module or class: "math.sqrt", "list.append".
		case "__name__":
			return value.Str(x.Name[strings.LastIndexByte(x.Name, '.')+1:]), true, nil
		case "__qualname__":
			return value.Str(x.Name), true, nil
		// A qualifier that is a class is no module.
		case "__module__":
			if i := strings.LastIndexByte(x.Name, '.'); i >= 0 && w.classes[x.Name[:i]] == nil {
				return value.Str(x.Name[:i]), true, nil
			}
			return value.Str("builtins"), true, nil
		case "__self__", "__text_signature__":
			return value.None, true, nil
		// Builtins of the libraries know the defaults of the Python functions that they stand for.
		case "__call__":
			return x, true, nil
		case "__defaults__":
			if x.Defaults == nil {
				break
			}
			if t, ok := x.Defaults.V.(*value.Tuple); ok && len(t.Elems) == 0 {
				return value.None, true, nil
			}
			return x.Defaults.V, true, nil
		}
	case *value.BoundMethod:
		switch name {
		case "__self__":
			return x.Self, true, nil
		case "__func__":
			return x.Func, true, nil
		case "__call__":
			return x, true, nil
		}
		// A bound method has the attributes of its function.
		return th.LookupAttr(x.Func, name)
	case *value.Class:
		r, ok := w.classAttr(th, x, name)
		return r, ok, nil
	case *value.Module:
		switch name {
		case "__name__":
			return value.Str(x.Name), true, nil
		case "__file__":
			if x.File != nil {
				return value.Str(x.File.Name), true, nil
			}
		case "__package__":
			if x.Package {
				// The package of a module is the name before its last dot.
				return value.Str(x.Name), true, nil
			}
			return value.Str(x.Name[:max(strings.LastIndexByte(x.Name, '.'), 0)]), true, nil
		case "__path__":
			if x.Package {
				var dirs []value.Value
				for _, d := range x.Dirs {
					dirs = append(dirs, value.Str(d))
				}
				return th.Heap().NewList(dirs), true, nil
			}
		case "__spec__", "__loader__":
			return value.None, true, nil
		}
	case *value.Property:
		switch name {
		case "fget":
			return orNone(x.Get), true, nil
		case "fset":
			return orNone(x.Set), true, nil
		case "fdel":
			return orNone(x.Del), true, nil
		case "__isabstractmethod__":
			return w.isAbstract(th, x.Get), true, nil
		}
	case *value.StaticMethod:
		return w.wrapperAttr(th, x.Func, name)
	case *value.ClassMethod:
		return w.wrapperAttr(th, x.Func, name)
	case *value.Slice:
		switch name {
		case "start":
			return x.Start, true, nil
		case "stop":
			return x.Stop, true, nil
		case "step":
			return x.Step, true, nil
		}
	case *value.Range:
		switch name {
		case "start":
			return x.Start, true, nil
		case "stop":
			return x.Stop, true, nil
		case "step":
			return x.Step, true, nil
		}
	// Exceptions and instances of number classes have computed attributes.
	case *value.Instance:
		if e, isExc := w.isException(x); isExc {
			if r, ok := w.exceptionAttr(e, name); ok {
				return r, true, nil
			}
		}
		// Of a subclass of int, float or complex those of the number.
		if x.Payload != nil {
			r, ok := w.numberAttr(th, x.Payload, name)
			return r, ok, nil
		}
	case *value.GenericAlias:
		switch name {
		case "__origin__":
			return x.Origin, true, nil
		case "__args__":
			return value.NewTuple(x.Args...), true, nil
		case "__parameters__":
			return value.NewTuple(), true, nil
		}
	case *value.Super:
		switch name {
		case "__thisclass__":
			return x.Class, true, nil
		case "__self__":
			return orNone(x.Self), true, nil
		case "__self_class__":
			return x.Of, true, nil
		}
	// Frames and code of generators are internals that nobody can compute with.
	case *value.Iterator:
		switch {
		case name == "__name__" || name == "__qualname__":
			return value.Str(x.Name), true, nil
		case name == "gi_frame" || name == "gi_running" || name == "gi_yieldfrom" || name == "gi_code":
			return th.Unknown("internals of a generator"), true, nil
		}
	case *value.Dict:
		if name == "default_factory" && x.Class != nil && x.Class.Name == "defaultdict" {
			return orNone(x.Factory), true, nil
		}
	// A device is "cuda:1" or "cpu": the type and the index, None without one.
	case value.Device:
		kind, index, ok := strings.Cut(x.Name, ":")
		if x.Name == "" && (name == "type" || name == "index") {
			return th.Unknown("device is not known"), true, nil
		}
		switch name {
		case "type":
			return value.Str(kind), true, nil
		case "index":
			if !ok {
				return value.None, true, nil
			}
			n, good := parseInt(index, 10)
			if good {
				return value.FromBig(n), true, nil
			}
		}
	case value.DType:
		switch name {
		case "is_floating_point":
			return value.Bool(x.D.IsFloat()), true, nil
		case "is_complex":
			return value.Bool(x.D.IsComplex()), true, nil
		case "is_signed":
			return value.Bool(x.D.IsSigned()), true, nil
		case "itemsize":
			return value.Int(x.D.Size()), true, nil
		}
	// What is left are numbers.
	default:
		r, ok := w.numberAttr(th, v, name)
		return r, ok, nil
	}
	return nil, false, nil
}

// orNone is v, or None where there is none.
func orNone(v value.Value) value.Value {
	if v == nil {
		return value.None
	}
	return v
}

// docOf is the docstring of what has none among its attributes. Those of the prelude and of
// builtins are not known.
func (w *World) docOf(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Func:
		var body []ast.Stmt
		if def, ok := v.Node.(*ast.FunctionDef); ok {
			body = def.Body
		}
		return w.DocOf(body, v.Module != nil && v.Module.Prelude)
	case *value.BoundMethod:
		return w.docOf(v.Func)
	case *value.Property:
		if v.Doc != nil {
			return v.Doc
		}
		if v.Get != nil {
			return w.docOf(v.Get)
		}
	case *value.StaticMethod:
		return w.docOf(v.Func)
	case *value.ClassMethod:
		return w.docOf(v.Func)
	case *value.Builtin:
		return w.noDoc
	case *value.Instance:
		if v.Class.Prelude {
			return w.noDoc
		}
	}
	return value.None
}

// DocOf is the text at the head of the statements of a module, a class or a function; None
// where there is none. In the prelude the texts of the libraries are left out: theirs is not known.
func (w *World) DocOf(body []ast.Stmt, prelude bool) value.Value {
	if prelude {
		return w.noDoc
	}
	if len(body) > 0 {
		if e, ok := body[0].(*ast.ExprStmt); ok {
			if c, ok := e.Value.(*ast.Constant); ok && c.Kind == ast.StrConst {
				return value.Str(c.Str)
			}
		}
	}
	return value.None
}

// attrsDict is the __dict__ of an object: what is written to it reaches the object, as its entries
// are those of the mirrored table.
func (w *World) attrsDict(th value.Thread, a *value.Attrs) *value.Dict {
	d := th.Heap().NewDict()
	d.Mirror = a
	return d
}

// objectAttr gives the attributes of a function of a library as far as they are recorded: those of a function of Python are as in the
// program's own.
func (w *World) objectAttr(th value.Thread, b *value.Builtin, name string) (value.Value, bool) {
	o := b.Object
	if o == nil {
		return nil, false
	}
	switch {
	case name == "__module__" && o.Module != "":
		return value.Str(o.Module), true
	case name == "__qualname__" && o.Kind != value.OfC:
		return value.Str(o.Qualname), true
	case o.Kind != value.OfPython:
		return nil, false
	}
	switch name {
	case "__closure__":
		return th.Unknown("cells of a closure"), true
	case "__annotations__":
		if d := annotationsOf(th, b); d != nil {
			return d, true
		}
		return th.Unknown(name + " of " + b.Name), true
	case "__globals__", "__type_params__":
		return th.Unknown(name + " of " + b.Name), true
	case "__defaults__", "__kwdefaults__", "__code__":
	default:
		return nil, false
	}
	if o.Signature == "" {
		return th.Unknown(name + " of " + b.Name), true
	}
	var names, defaults []value.Value
	byName := th.Heap().NewDict()
	count := [kwParam + 1]int{}
	for _, p := range paramsOf(th, o.Signature) {
		count[p.Kind]++
		if p.Kind != starParam && p.Kind != kwParam {
			names = append(names, value.Str(p.Name))
		}
		switch {
		case p.Default == nil:
		case p.Kind == kwOnlyParam:
			byName.SetStr(th.Heap(), p.Name, p.Default)
		default:
			defaults = append(defaults, p.Default)
		}
	}
	switch {
	case name == "__code__":
		return w.newCode(th, b.Name[strings.LastIndexByte(b.Name, '.')+1:], o.Qualname, names, count[posOnlyParam]+count[posParam],
			count[kwOnlyParam]), true
	case name == "__kwdefaults__" && byName.Len() > 0:
		return byName, true
	case name == "__defaults__" && len(defaults) > 0:
		return value.NewTuple(defaults...), true
	}
	return value.None, true
}

// funcAttrs are the names that dir lists of a function, of those that funcAttr knows.
var funcAttrs = []string{"__annotations__", "__call__", "__closure__", "__code__", "__defaults__", "__get__", "__globals__",
	"__kwdefaults__", "__module__", "__name__", "__qualname__"}

// funcAttr gives the attributes that Python computes from a function: names, defaults, code, annotations. What
// a closure's cells have is not known, as they may change.
func (w *World) funcAttr(th value.Thread, f *value.Func, name string) (value.Value, bool) {
	switch name {
	case "__name__":
		return value.Str(f.Name), true
	case "__qualname__":
		return value.Str(f.Qualname), true
	case "__module__":
		if f.Module != nil {
			return value.Str(f.Module.Name), true
		}
		return value.None, true
	case "__defaults__":
		if len(f.Defaults) == 0 {
			return value.None, true
		}
		return value.NewTuple(f.Defaults...), true
	// The defaults of parameters that are given by name, as far as they have one.
	case "__kwdefaults__":
		if f.Params == nil {
			return value.None, true
		}
		var d *value.Dict
		for i, p := range f.Params.KwOnly {
			if i < len(f.KwDefaults) && f.KwDefaults[i] != nil {
				if d == nil {
					d = th.Heap().NewDict()
				}
				d.SetStr(th.Heap(), p.Name, f.KwDefaults[i])
			}
		}
		if d == nil {
			return value.None, true
		}
		return d, true
	case "__closure__":
		if len(f.Closure) == 0 {
			return value.None, true
		}
		return th.Unknown("cells of a closure"), true
	case "__globals__":
		if f.Module != nil {
			return w.attrsDict(th, f.Module.Attrs), true
		}
	case "__code__":
		return w.codeOf(th, f), true
	case "__annotations__":
		if in, ok := th.(value.Annotator); ok {
			return in.Annotations(f), true
		}
		return th.Unknown("annotations of a function"), true
	case "__call__":
		return f, true
	case "__get__":
		return &value.BoundMethod{Self: f, Func: w.mustAttr(w.function, "__get__")}, true
	case "__type_params__":
		return value.NewTuple(), true
	}
	return nil, false
}

// mustAttr is an attribute of a builtin class that its table has.
func (w *World) mustAttr(c *value.Class, name string) value.Value {
	v, _ := c.Attrs.Get(name)
	return v
}

// codeOf gives what programs read of a code object: the parameters' names and numbers, the
// function's name, its file and first line. What the compiler of CPython made is unknown.
func (w *World) codeOf(th value.Thread, f *value.Func) value.Value {
	h := th.Heap()
	var names []value.Value
	args, kwOnly := 0, 0
	if p := f.Params; p != nil {
		for _, list := range [...][]*ast.Param{p.PosOnly, p.Args, p.KwOnly} {
			for _, x := range list {
				// The order of co_varnames is positional first, then those given by name.
				names = append(names, value.Str(x.Name))
			}
		}
		args, kwOnly = len(p.PosOnly)+len(p.Args), len(p.KwOnly)
	}
	c := w.newCode(th, f.Name, f.Qualname, names, args, kwOnly)
	if f.Module != nil {
		file, ok := f.Module.Attrs.Get("__file__")
		if !ok {
			file = w.abstractStr(th, "")
		}
		c.Attrs.Set(h, "co_filename", file)
	}
	// A decorated function begins at its first decorator.
	if r, ok := th.(value.SourceReader); ok {
		at := f.FuncAt()
		if def, ok := f.Node.(*ast.FunctionDef); ok && len(def.Decorators) > 0 {
			at = def.Decorators[0].Span()
		}
		c.Attrs.Set(h, "co_firstlineno", value.Int(r.Line(at)))
	}
	c.Data = f
	return c
}

// newCode makes a code object of what every function has: its names and those of its parameters, of which args are positional.
func (w *World) newCode(th value.Thread, name, qualname string, params []value.Value, args, kwOnly int) *value.Instance {
	h := th.Heap()
	c := h.NewInstance(w.classes["code"])
	c.Attrs.Set(h, "co_name", value.Str(name))
	c.Attrs.Set(h, "co_qualname", value.Str(cmp.Or(qualname, name)))
	for _, name := range [...]string{"co_code", "co_consts", "co_names", "co_cellvars", "co_freevars", "co_stacksize",
		"co_nlocals", "co_flags", "co_linetable", "co_lnotab"} {
		c.Attrs.Set(h, name, th.Unknown("the compiled code of a function"))
	}
	c.Attrs.Set(h, "co_argcount", value.Int(args))
	c.Attrs.Set(h, "co_kwonlyargcount", value.Int(kwOnly))
	c.Attrs.Set(h, "co_varnames", value.NewTuple(params...))
	return c
}

// isAbstract is the __isabstractmethod__ of the function behind a property or wrapper, False
// without one.
func (w *World) isAbstract(th value.Thread, f value.Value) value.Value {
	if f != nil {
		if v, ok, err := th.LookupAttr(f, "__isabstractmethod__"); err == nil && ok {
			return v
		}
	}
	return value.Bool(false)
}

// wrapperAttr gives the attributes of static and class methods: those of the function and the
// function itself.
func (w *World) wrapperAttr(th value.Thread, f value.Value, name string) (value.Value, bool, error) {
	switch name {
	case "__func__", "__wrapped__":
		return f, true, nil
	case "__isabstractmethod__":
		return w.isAbstract(th, f), true, nil
	}
	return th.LookupAttr(f, name)
}

// classAttr gives what CPython keeps in the C fields of a class. How instances are laid out is not
// known.
func (w *World) classAttr(th value.Thread, c *value.Class, name string) (value.Value, bool) {
	list := func(cs []*value.Class) value.Value {
		out := make([]value.Value, len(cs))
		for i, k := range cs {
			out[i] = k
		}
		return value.NewTuple(out...)
	}
	switch name {
	case "__name__":
		return value.Str(c.Name), true
	case "__qualname__":
		return value.Str(c.Qualname), true
	case "__module__":
		return value.Str(c.Module), true
	case "__mro__":
		return list(c.MRO), true
	case "__bases__":
		return list(c.Bases), true
	case "__base__":
		if len(c.Bases) == 0 {
			return value.None, true
		}
		return c.Bases[0], true
	case "__annotations__":
		return th.Heap().NewDict(), true
	// abc.ABCMeta sets this one, so that a class without it has none.
	case "__abstractmethods__":
		return nil, false
	case "__type_params__":
		return value.NewTuple(), true
	case "__itemsize__":
		return itemSize(c), true
	case "__basicsize__", "__dictoffset__", "__weakrefoffset__", "__flags__":
		return th.Unknown("how CPython lays out instances is not known"), true
	}
	return nil, false
}

// itemSize is how many bytes an element of an instance has where its elements are a part of it, as CPython has it on
// machines of 64 bits.
func itemSize(c *value.Class) value.Int {
	for _, k := range c.MRO {
		if k.Module != "builtins" {
			continue
		}
		switch k.Name {
		// The size of a pointer.
		case "tuple":
			return 8
		// The size of one digit of 30 bits.
		case "int":
			return 4
		case "bytes":
			return 1
		case "type":
			return 40
		}
	}
	return 0
}

// numberAttr gives real, imag, numerator and denominator, which Python's numbers have as far as
// they make sense for them.
func (w *World) numberAttr(th value.Thread, v value.Value, name string) (value.Value, bool) {
	switch kindOf(v) {
	case intKind, symIntKind:
		switch name {
		case "real", "numerator":
			i, _, _ := w.index(th, v)
			return i, true
		case "imag":
			return value.Int(0), true
		case "denominator":
			return value.Int(1), true
		}
	case floatKind, symFloatKind:
		switch name {
		case "real":
			return v, true
		case "imag":
			return value.Float(0), true
		}
	case complexKind:
		c, ok := v.(value.Complex)
		switch {
		case name == "real" && ok:
			return value.Float(real(c)), true
		case name == "imag" && ok:
			return value.Float(imag(c)), true
		case name == "real" || name == "imag":
			return &value.SymFloat{}, true
		}
	}
	return nil, false
}

// identity is id(v): a fixed number for each object of the run, in the form of an address of
// CPython's. Equal runs give equal numbers, so that results do not depend on the machine.
func (w *World) identity(v value.Value) int64 {
	if n, ok := w.ids[v]; ok {
		return n
	}
	n := int64(0x7f0000000000) + 16*int64(len(w.ids))
	w.ids[v] = n
	return n
}

// noneHash is the hash of None from Python 3.12 on.
const noneHash = 0xfca86420

// hashesAsTuple reports whether a class of t, if it has one, leaves its hash alone.
func hashesAsTuple(t *value.Tuple) bool {
	if t.Class == nil {
		return true
	}
	f, _ := t.Class.Lookup("__hash__")
	_, native := f.(*value.Builtin)
	return f == nil || native
}

// hashedNones are the elements with the hash of None in its place: it hashes as None does. The
// hashes of tuples are computed in package value, which does not know the version of Python.
func hashedNones(elems []value.Value) []value.Value {
	out := slices.Clone(elems)
	for i, e := range out {
		if _, none := e.(value.NoneType); none || e == nil {
			out[i] = value.Int(noneHash)
		}
	}
	return out
}

// hash is hash(v). Numbers, None and tuples of them have the hash that CPython computes, since
// programs may depend on it; texts have one that is the same within a run, as CPython draws a key
// for each. What cannot be hashed is a TypeError, and an object with __hash__ is asked.
func (w *World) hash(th value.Thread, v value.Value) (value.Value, error) {
	// A subclass of a number hashes as the number, unless it says otherwise.
	if inst, isInst := v.(*value.Instance); isInst && inst.Payload != nil {
		if f, _ := inst.Class.Lookup("__hash__"); f != nil {
			if _, native := f.(*value.Builtin); native {
				v = inst.Payload
			}
		}
	}
	switch x := v.(type) {
	case value.Int, value.Bool, *value.BigInt, value.Float, value.Complex:
		if h, ok := value.FixedHash(x); ok {
			return value.Int(h), nil
		}
		return th.DataInt("hash", -1<<62, nil), nil
	case value.NoneType:
		return value.Int(noneHash), nil
	case *value.Tuple, *value.Set, value.Str, value.Bytes:
		if t, isTuple := x.(*value.Tuple); isTuple {
			if !hashesAsTuple(t) {
				return th.CallMethod(t, "__hash__")
			}
			x = value.NewTuple(hashedNones(t.Elems)...)
		}
		if h, ok := value.FixedHash(x); ok {
			return value.Int(h), nil
		}
	case *value.Slice:
		parts := hashedNones([]value.Value{x.Start, x.Stop, x.Step})
		if h, ok := value.SliceHash(parts[0], parts[1], parts[2]); ok {
			return value.Int(h), nil
		}
	case *value.Range: // that of its length, start and step, where they matter
		if r, ok := concreteRange(x); ok {
			none := value.Int(noneHash)
			parts := []value.Value{value.Int(r.len()), none, none}
			if r.len() > 0 {
				parts[1] = value.Int(r.start)
			}
			if r.len() > 1 {
				parts[2] = value.Int(r.step)
			}
			h, _ := value.FixedHash(value.NewTuple(parts...))
			return value.Int(h), nil
		}
	case *value.Unknown:
		return x, nil
	case *value.Abstract, *value.SymFloat, *value.SymInt:
		if a, ok := x.(*value.Abstract); value.CauseOf(x) != nil || ok && a.Class == w.complex_ {
			return th.DataInt("hash", -1<<62, nil), nil
		}
	}
	key, ok, err := w.HashKey(th, v)
	if err != nil {
		return nil, err
	}
	if !ok {
		return th.CallMethod(v, "__hash__")
	}
	// An object hashes by its address, of which CPython leaves out the lowest bits.
	if _, isPointer := key.(value.Value); isPointer && !symbolicKey(v) {
		return value.Int(w.identity(v) >> 4), nil
	}
	// Texts and tuples: the hash differs from run to run, but is the same for
	// equal values within one.
	k := kindKey{"hash", key}
	if n, ok := w.ids[k]; ok {
		return value.Int(n), nil
	}
	n := int64(0x51ed270b) + int64(len(w.ids))*0x9e3779b1
	w.ids[k] = n
	return value.Int(n), nil
}
