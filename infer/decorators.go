package infer

// This file recognises decorators that only rewrite docstrings. Libraries make long texts
// of signatures and sources there; what is decorated stays what it is.
//
// It also makes up for decorators that are not known. What they decorate is taken to stay as
// it is: nearly all register it or wrap it without touching shapes. But they may give it
// attributes (click's command, ray's remote), supply its arguments, and make the __init__ of
// a class that has none (attrs, pydantic, chex, flax.struct).

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// maxDocCalls bounds how many functions inside each other are looked at.
const maxDocCalls = 6

// rewritesDoc reports whether a function of an installed package gives its first argument
// back and changes nothing but the texts about it.
func (im *imports) rewritesDoc(v value.Value) bool {
	fn, ok := v.(*value.Func)
	if !ok || fn.Module == nil || fn.Module.File == nil || fn.Module.Prelude || im.finder.isProjectFile(fn.Module.File) {
		return false
	}
	if only, ok := im.docs[fn.Node]; ok {
		return only
	}
	def, ok := fn.Definition().(*ast.FunctionDef)
	d := docSearch{module: fn.Module}
	only := ok && d.identity(def, maxDocCalls) && d.writes
	if im.docs == nil {
		im.docs = map[ast.Node]bool{}
	}
	im.docs[fn.Node] = only
	return only
}

// A docSearch looks through the functions that a decorator calls.
type docSearch struct {
	module *value.Module
	writes bool // a text was written
}

// identity reports whether each way out of a function gives its first parameter, also
// through another such function. A function that it defines may be given, too: what a
// decorator with arguments gives when it is called without the decorated.
func (d *docSearch) identity(def *ast.FunctionDef, depth int) bool {
	params := append(append([]*ast.Param(nil), def.Params.PosOnly...), def.Params.Args...)
	if len(params) == 0 || depth == 0 || def.Async {
		return false
	}
	first := params[0].Name
	inner := map[string]*ast.FunctionDef{}
	good, returns, given := true, 0, false
	walk := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef:
			if n != def {
				inner[n.Name.Name] = n
				return false
			}
		case *ast.ClassDef, *ast.Lambda:
			return false
		case *ast.Global, *ast.Nonlocal, *ast.Yield, *ast.YieldFrom, *ast.Delete:
			good = false
		case *ast.Assign:
			for _, t := range n.Targets {
				good = good && d.harmless(t, first)
			}
		case *ast.AugAssign:
			good = good && d.harmless(n.Target, first)
		case *ast.ExprStmt:
			good = good && !hands(n.Value, first)
		case *ast.Return:
			returns++
			switch v := n.Value.(type) {
			case *ast.Name:
				if v.ID == first {
					given = true
				} else {
					good = good && inner[v.ID] != nil && d.identity(inner[v.ID], depth-1)
				}
			case *ast.Call:
				callee, ok := v.Func.(*ast.Name)
				given = true
				good = good && ok && len(v.Args) > 0 && isVar(v.Args[0], first) && d.callee(callee.ID, inner, depth-1)
			default:
				good = false
			}
		}
		return good
	}
	for _, s := range def.Body {
		ast.Inspect(s, walk)
	}
	return good && given && returns > 0
}

// callee reports whether a function that is called by name is such a function.
func (d *docSearch) callee(name string, inner map[string]*ast.FunctionDef, depth int) bool {
	if def := inner[name]; def != nil {
		return d.identity(def, depth)
	}
	v, _ := d.module.Attrs.Get(name)
	fn, ok := v.(*value.Func)
	if !ok || fn.Module != d.module {
		return false
	}
	def, ok := fn.Definition().(*ast.FunctionDef)
	return ok && d.identity(def, depth)
}

// harmless reports whether a write to a target changes a local variable, or a text about
// the decorated.
func (d *docSearch) harmless(target ast.Expr, first string) bool {
	switch t := target.(type) {
	case *ast.Name:
		return t.ID != first
	case *ast.Tuple:
		for _, e := range t.Elts {
			if !d.harmless(e, first) {
				return false
			}
		}
		return true
	case *ast.Subscript:
		_, local := t.Value.(*ast.Name)
		return local
	case *ast.Attribute:
		if isVar(t.Value, first) && (t.Attr.Name == "__doc__" || t.Attr.Name == "__signature__") {
			d.writes = true
			return true
		}
	}
	return false
}

// hands reports whether an expression calls something with a name as an argument.
func hands(e ast.Expr, name string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if c, ok := n.(*ast.Call); ok {
			for _, a := range c.Args {
				found = found || isVar(a, name)
			}
			for _, k := range c.Keywords {
				found = found || isVar(k.Value, name)
			}
		}
		return !found
	})
	return found
}

func isVar(e ast.Expr, name string) bool {
	n, ok := e.(*ast.Name)
	return ok && n.ID == name
}

// decoratedBy notes on a function or class that is being defined that a decorator is not known.
func (in *Interp) decoratedBy(v value.Value, c *value.Cause) {
	switch v := v.(type) {
	case *value.Func:
		if v.Decorated == nil {
			v.Decorated = c
		}
	case *value.Class:
		if v.Decorated == nil {
			v.Decorated = c
		}
		if m, ok := v.Lookup("__init__"); v.UnknownBase == nil && (!ok || in.isObjects(m, "__init__")) {
			v.UnknownBase = c
		}
	}
}

// decoratedAttr is an attribute that v does not have itself, but a decorator that is not
// known may have given it; nil: there is none. Special names are not given so, but for what functools.wraps sets.
func (in *Interp) decoratedAttr(v value.Value, name string) value.Value {
	if strings.HasPrefix(name, "__") && name != "__wrapped__" {
		return nil
	}
	switch v := v.(type) {
	case *value.Func:
		if v.Decorated != nil {
			return in.losses.unknown(v.Decorated)
		}
	case *value.BoundMethod:
		return in.decoratedAttr(v.Func, name)
	case *value.Class:
		for _, k := range v.MRO {
			if k.Decorated != nil {
				return in.losses.unknown(k.Decorated)
			}
		}
	}
	return nil
}

// decoratedArgs are the arguments beyond those of a call without any, which a decorator may
// supply: that of a command does. Nil: none.
func (in *Interp) decoratedArgs(fn *value.Func, args []value.Value, kw []value.Kw) *openArgs {
	if fn.Decorated == nil || fn.Params.KwArg == nil || len(args)+len(kw) > 0 || len(fn.Params.PosOnly)+len(fn.Params.Args) > 0 {
		return nil
	}
	return &openArgs{kw: in.losses.unknown(fn.Decorated)}
}

// fillFields gives a new object the arguments of an __init__ that is not known, as all makers of
// classes from annotated fields do: by the names, or where all bases are known by the order, of the
// fields. What else the arguments, or a method that is called after, may have set is unknown.
func (in *Interp) fillFields(obj value.Value, c *value.Class, args []value.Value, kw []value.Kw, lost *value.Unknown) {
	a := attrsOf(obj)
	if a == nil {
		return
	}
	var names []string
	ordered := true
	for _, k := range slices.Backward(c.MRO) {
		if k.UnknownBase != nil && k.Decorated == nil {
			ordered = false
		}
		d, _ := k.Attrs.Get("__annotations__")
		fields, ok := d.(*value.Dict)
		if !ok {
			continue
		}
		ordered = ordered && fields.Open == nil
		for i := range fields.Len() {
			if name, ok := fields.Key(i).(value.Str); ok && !slices.Contains(names, string(name)) &&
				!strings.Contains(fmt.Sprint(fields.At(i)), "ClassVar") {
				names = append(names, string(name))
			}
		}
	}
	open := len(args) > 0 && (!ordered || len(args) > len(names))
	for _, name := range [...]string{"__post_init__", "__attrs_post_init__", "model_post_init"} {
		if _, ok := c.Lookup(name); ok {
			open = true
		}
	}
	if open {
		lib.OpenAttrs(in, a, c, lost)
		return
	}
	for i, v := range args {
		a.Set(&in.heap, names[i], v)
	}
	for _, k := range kw {
		if slices.Contains(names, k.Name) {
			a.Set(&in.heap, k.Name, k.Value)
		} else {
			a.Set(&in.heap, k.Name, lost)
		}
	}
}
