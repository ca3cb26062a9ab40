package lib

// This file defines World, the builtin classes of one run, and type(v).

import (
	"strings"

	"shapecheck/infer/value"
)

// A World holds the builtin classes of one run. It is made per run because
// programs can reach and change what hangs on it.
type World struct {
	heap    *value.Heap
	classes map[string]*value.Class
	b       *value.Attrs                    // the builtins module's namespace
	subs    map[*value.Class][]*value.Class // classes that derive directly, but for the builtin ones
	ids     map[any]int64                   // what id() gave
	loaded  *value.Attrs                    // what the program put into sys.modules; nil without sys
	depth   int                             // of nested containers in repr
	arena   arena
	noDoc   *value.Unknown // the docstrings of libraries

	// The classes that the code here asks for by name most.
	object, typ, int_, bool_, float_, complex_, str, bytes, tuple, list, dict, set, frozenset,
	range_, slice, none, ellipsis, notImplemented, function, builtin, method, module, property,
	static, classMethod, super, alias, union, generator, exception, dictKeys, dictValues, dictItems,
	slot *value.Class
}

// An arena holds what NewWorld makes many of, so that a run starts fast.
type arena struct {
	procs    []boundProc
	builtins []value.Builtin
	classes  []value.Class
	attrs    []value.Attrs
	lists    []*value.Class // bases and resolution orders
	names    strings.Builder
}

// Sizes of the arena. Larger tables work, too, only slower; a test compares.
const (
	procCount  = 900
	classCount = 140
	nameBytes  = 16 << 10
)

// A classSpec describes a builtin class.
type classSpec struct {
	name   string
	module string // empty: builtins
	base   string // empty: object
	layout value.Layout
	// final classes cannot be derived from.
	final bool
	// hidden classes are not in the builtins namespace.
	hidden bool
	procs  []proc
	// fill adds what is not a function.
	fill func(w *World, c *value.Class)
}

// classTables lists the builtin classes, bases before those that derive from
// them.
func classTables() [][]classSpec {
	return [][]classSpec{objectClasses, numberClasses, textClasses, sequenceClasses, mappingClasses,
		iteratorClasses, descriptorClasses, exceptionClasses[:]}
}

// NewWorld makes the builtin classes.
func NewWorld(h *value.Heap) *World {
	w := &World{heap: h, classes: make(map[string]*value.Class, 256), b: h.NewAttrs(),
		subs: map[*value.Class][]*value.Class{}, ids: map[any]int64{},
		noDoc: &value.Unknown{Cause: &value.Cause{Reason: "the docstrings of libraries are not known"}}}
	w.arena = arena{procs: make([]boundProc, 0, procCount), builtins: make([]value.Builtin, 0, procCount),
		classes: make([]value.Class, 0, classCount), attrs: make([]value.Attrs, 0, classCount), lists: make([]*value.Class, 0, 6*classCount)}
	w.arena.names.Grow(nameBytes)
	w.b.Grow(200)
	for _, table := range classTables() {
		for i := range table {
			w.define(&table[i])
		}
	}
	w.bindClasses()
	for i := range builtinProcs {
		f := w.bind(nil, "", &builtinProcs[i])
		f.Static = true
		w.b.Set(h, builtinProcs[i].name, f)
	}
	w.b.Set(h, "None", value.None)
	w.b.Set(h, "True", value.Bool(true))
	w.b.Set(h, "False", value.Bool(false))
	w.b.Set(h, "Ellipsis", value.Ellipsis)
	w.b.Set(h, "NotImplemented", value.NotImplemented)
	w.b.Set(h, "__debug__", value.Bool(true))
	w.b.Set(h, "__name__", value.Str("builtins"))
	w.b.Set(h, "EnvironmentError", w.classes["OSError"])
	w.b.Set(h, "IOError", w.classes["OSError"])
	w.classes["EnvironmentError"], w.classes["IOError"] = w.classes["OSError"], w.classes["OSError"]
	return w
}

// define makes a class of the builtins with its methods. All classes and their attributes lie in a few arrays
// (the arena), as each run makes all of them.
func (w *World) define(s *classSpec) {
	a := &w.arena
	a.attrs = append(a.attrs, value.Attrs{Header: w.heap.Header()})
	a.classes = append(a.classes, value.Class{Name: s.name, Qualname: s.name, Module: s.module, Layout: s.layout,
		Attrs: &a.attrs[len(a.attrs)-1]})
	c := &a.classes[len(a.classes)-1]
	if n := len(s.procs); n > 0 {
		c.Attrs.Grow(n)
	}
	if c.Module == "" {
		c.Module = "builtins"
	}
	if s.name == "object" {
		c.MRO = []*value.Class{c}
	} else {
		base := "object"
		if s.base != "" {
			base = s.base
		}
		b := w.classes[base]
		n := len(a.lists)
		a.lists = append(append(a.lists, b, c), b.MRO...)
		c.Bases, c.MRO = a.lists[n:n+1:n+1], a.lists[n+1:len(a.lists):len(a.lists)]
		if c.Layout == value.ObjectLayout {
			c.Layout = b.Layout
		}
	}
	if s.final {
		c.Data = finalClass{}
	}
	w.classes[s.name] = c
	for i := range s.procs {
		w.addProc(c, &s.procs[i])
	}
	if s.fill != nil {
		s.fill(w, c)
	}
	if !s.hidden {
		w.b.Set(w.heap, s.name, c)
	}
}

// finalClass is the Data of builtin classes that cannot be derived from.
type finalClass struct{}

func (w *World) bindClasses() {
	for _, x := range [...]struct {
		at   **value.Class
		name string
	}{
		{&w.object, "object"}, {&w.typ, "type"}, {&w.int_, "int"}, {&w.bool_, "bool"}, {&w.float_, "float"},
		{&w.complex_, "complex"}, {&w.str, "str"}, {&w.bytes, "bytes"}, {&w.tuple, "tuple"}, {&w.list, "list"},
		{&w.dict, "dict"}, {&w.set, "set"}, {&w.frozenset, "frozenset"}, {&w.range_, "range"}, {&w.slice, "slice"},
		{&w.none, "NoneType"}, {&w.ellipsis, "ellipsis"}, {&w.notImplemented, "NotImplementedType"},
		{&w.function, "function"}, {&w.builtin, "builtin_function_or_method"}, {&w.method, "method"},
		{&w.module, "module"}, {&w.property, "property"}, {&w.static, "staticmethod"}, {&w.classMethod, "classmethod"},
		{&w.super, "super"}, {&w.alias, "GenericAlias"}, {&w.union, "UnionType"}, {&w.generator, "generator"},
		{&w.exception, "Exception"}, {&w.dictKeys, "dict_keys"}, {&w.dictValues, "dict_values"},
		{&w.dictItems, "dict_items"}, {&w.slot, "wrapper_descriptor"},
	} {
		*x.at = w.classes[x.name]
	}
}

// Class returns a builtin class, or one that Register added; nil when there is
// none of that name.
func (w *World) Class(name string) *value.Class {
	if c, ok := w.classes[name]; ok {
		return c
	}
	if s, ok := strings.CutPrefix(name, "builtins."); ok {
		return w.classes[s]
	}
	return nil
}

// Object is the class object.
func (w *World) Object() *value.Class { return w.object }

// Register adds a library class, under its full name.
func (w *World) Register(name string, c *value.Class) { w.classes[name] = c }

// Loaded gives what the program itself put into sys.modules under a name.
func (w *World) Loaded(name string) (value.Value, bool) { return w.loaded.Get(name) }

// Builtins returns the namespace of the builtins module. The interpreter adds
// what needs frames: globals, locals, __import__, …
func (w *World) Builtins() *value.Attrs { return w.b }

// TypeOf gives type(v).
func (w *World) TypeOf(v value.Value) *value.Class {
	switch v := v.(type) {
	case *value.Instance:
		return v.Class
	case value.Int, *value.SymInt, *value.BigInt:
		return w.int_
	case value.Str:
		return w.str
	case value.Float, *value.SymFloat:
		return w.float_
	case value.Bool, *value.SymBool:
		return w.bool_
	case value.NoneType:
		return w.none
	case *value.Tensor:
		if v.Class != nil {
			return v.Class
		}
		return w.library("torch.Tensor")
	case *value.Tuple:
		return orClass(v.Class, w.tuple)
	case *value.List:
		return orClass(v.Class, w.list)
	case *value.Dict:
		return orClass(v.Class, w.dict)
	case *value.Set:
		if v.Frozen {
			return orClass(v.Class, w.frozenset)
		}
		return orClass(v.Class, w.set)
	case *value.Class:
		return orClass(v.Meta, w.typ)
	case *value.Func:
		return w.function
	case *value.BoundMethod:
		if b, ok := v.Func.(*value.Builtin); ok && !b.IsPython() {
			return w.builtin
		}
		return w.method
	case *value.Builtin:
		if v.IsPython() {
			return w.function
		}
		return w.builtin
	case *value.Module:
		return w.module
	case *value.Iterator:
		if c := w.classes[v.Name]; c != nil {
			return c
		}
		return w.classes["iterator"]
	case value.Complex:
		return w.complex_
	case value.Bytes:
		return w.bytes
	case *value.Range:
		return w.range_
	case *value.Slice:
		return w.slice
	case *value.Abstract:
		return v.Class
	case value.EllipsisType:
		return w.ellipsis
	case value.NotImplementedType:
		return w.notImplemented
	case *value.Property:
		return w.property
	case *value.StaticMethod:
		return w.static
	case *value.ClassMethod:
		return w.classMethod
	case *value.Super:
		return w.super
	case *value.GenericAlias:
		if v.Origin == w.union {
			return w.union
		}
		return w.alias
	case value.DType:
		return w.library("torch.dtype")
	case value.Device:
		return w.library("torch.device")
	case value.Constant:
		return w.library(v.Type())
	}
	return w.object
}

func orClass(c, other *value.Class) *value.Class {
	if c != nil {
		return c
	}
	return other
}

// library returns a class that the framework's module registers, with a stand-in
// until it has: type(x) must give the same class each time.
func (w *World) library(name string) *value.Class {
	if c := w.classes[name]; c != nil {
		return c
	}
	i := strings.LastIndexByte(name, '.')
	c := &value.Class{Name: name[i+1:], Qualname: name[i+1:], Module: name[:i], Bases: []*value.Class{w.object},
		Attrs: w.heap.NewAttrs(), Prelude: true, Data: standIn{}}
	c.MRO = []*value.Class{c, w.object}
	w.classes[name] = c
	return c
}

// standIn is the Data of classes made by library before their module was loaded.
type standIn struct{}
