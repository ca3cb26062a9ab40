package infer

// This file makes the __annotations__ of functions.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// annotations gives the annotations of a function. They are looked up when they are
// asked for: names and paths of the module, texts and None; what is more is unknown.
func (an *annotations) annotations(fn *value.Func) *value.Dict {
	d := an.heap.NewDict()
	def, ok := fn.Node.(*ast.FunctionDef)
	if !ok {
		return d
	}
	r := &annReader{an: an, module: fn.Module, class: fn.Class, params: typeParamNames(def.TypeParams)}
	set := func(name string, e ast.Expr) {
		if e == nil {
			return
		}
		v, ok := r.value(e)
		if c, constant := e.(*ast.Constant); constant && (c.Kind == ast.NoneConst || c.Kind == ast.StrConst) {
			v, ok = value.None, true
			if c.Kind == ast.StrConst {
				v = value.Str(c.Str)
			}
		}
		if !ok {
			v = an.host.Unknown("the annotation of " + name)
		}
		d.SetStr(&an.heap, name, v)
	}
	p := def.Params
	for _, list := range [...][]*ast.Param{p.PosOnly, p.Args, p.KwOnly, {p.VarArg, p.KwArg}} {
		for _, x := range list {
			if x != nil {
				set(x.Name, x.Annotation)
			}
		}
	}
	set("return", def.Returns)
	return d
}

// Annotations is part of value.Thread.
func (in *Interp) Annotations(fn *value.Func) *value.Dict { return in.annotations.annotations(fn) }
