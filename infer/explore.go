package infer

// This file finds the conditions that only the configuration decides, and decides one of
// them the other way: what a model does under other settings is looked at without building
// it for them.
//
// Such a condition asks attributes of objects that are true or false, texts or whole
// numbers, parameters with such a default and constants of modules. A condition on None, on
// a type or on sizes is none: its branch relies on what it found.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A Switch is a condition on the configuration. It stands for all conditions of a file with
// this text, but for a not before it: what a constructor makes and what a forward does then
// go together. As constructors keep their parameters under the same names, self. is no part
// of it.
type Switch struct{ File, Test string }

// switchOf names the condition of an if statement.
func switchOf(file *source.File, test ast.Expr) Switch {
	for {
		u, ok := test.(*ast.UnaryOp)
		if !ok || u.Op != ast.Not {
			text := strings.Join(strings.Fields(file.Slice(test.Span())), " ")
			return Switch{file.Name, strings.ReplaceAll(text, "self.", "")}
		}
		test = u.Operand
	}
}

// flipped is the condition t of an if statement or expression, or its opposite in a run that
// explores it.
func (dc *deciding) flipped(f *frame, test ast.Expr, t value.Value) value.Value {
	if !dc.cfg.Explore && dc.cfg.Flip == nil || f.prelude || f.unit == nil || !dc.in.finder.isProjectFile(f.unit.file) {
		return t
	}
	b, ok := t.(value.Bool)
	if !ok {
		return t
	}
	sw := switchOf(f.unit.file, test)
	switch flip := dc.cfg.Flip; {
	case flip != nil && *flip == sw:
		return !b
	case flip == nil && dc.configured(f, test):
		dc.in.rec.switched(sw)
	}
	return t
}

// switched notes a condition on the configuration that was met.
func (r *recorder) switched(s Switch) {
	for _, x := range r.switches {
		if x == s {
			return
		}
	}
	r.switches = append(r.switches, s)
}

// configured reports whether only the configuration decides a condition.
func (dc *deciding) configured(f *frame, test ast.Expr) bool {
	switch e := test.(type) {
	case *ast.UnaryOp:
		return e.Op == ast.Not && dc.configured(f, e.Operand)
	case *ast.BoolOp:
		for _, x := range e.Values {
			if !dc.configured(f, x) {
				return false
			}
		}
		return true
	case *ast.Compare:
		for _, op := range e.Ops {
			switch op {
			case ast.Eq, ast.NotEq, ast.In, ast.NotIn:
			default:
				return false
			}
		}
		for _, c := range e.Comparators {
			if !literal(c) {
				return false
			}
		}
		switch dc.setting(f, e.Left).(type) {
		case value.Str, value.Bool, value.Int:
			return true
		}
		return false
	}
	_, ok := dc.setting(f, test).(value.Bool)
	return ok
}

// literal reports whether an expression is a constant, or a display of constants.
func literal(e ast.Expr) bool {
	var elems []ast.Expr
	switch e := e.(type) {
	case *ast.Constant:
		return true
	case *ast.Tuple:
		elems = e.Elts
	case *ast.List:
		elems = e.Elts
	case *ast.Set:
		elems = e.Elts
	default:
		return false
	}
	for _, x := range elems {
		if !literal(x) {
			return false
		}
	}
	return true
}

// setting is the value of a name or attribute that configures; nil for what does not, and
// for what only a property would tell.
func (dc *deciding) setting(f *frame, e ast.Expr) value.Value {
	switch e := e.(type) {
	case *ast.Attribute:
		var owner value.Value
		if x, ok := e.Value.(*ast.Name); ok {
			owner = dc.named(f, x.ID)
		} else {
			owner = dc.setting(f, e.Value)
		}
		switch o := owner.(type) {
		case *value.Instance:
			if v, ok := o.Attrs.Get(e.Attr.Name); ok {
				return v
			}
			v, _ := o.Class.Lookup(e.Attr.Name)
			return v
		case *value.Module:
			v, _ := o.Attrs.Get(e.Attr.Name)
			return v
		}
	case *ast.Name:
		if v := dc.in.annotations.localNamed(f, e.ID); v != nil {
			if defaulted(f, e.ID) {
				return v
			}
			return nil
		}
		v, _ := f.globals.Attrs.Get(e.ID)
		return v
	}
	return nil
}

// named is the value of a variable, or nil.
func (dc *deciding) named(f *frame, name string) value.Value {
	if v := dc.in.annotations.localNamed(f, name); v != nil {
		return v
	}
	v, _ := f.globals.Attrs.Get(name)
	return v
}

// defaulted reports whether a name is a parameter whose default is a constant.
func defaulted(f *frame, name string) bool {
	if f.fn == nil || f.fn.Params == nil {
		return false
	}
	p := f.fn.Params
	for _, group := range [...][]*ast.Param{p.PosOnly, p.Args, p.KwOnly} {
		for _, x := range group {
			if x.Name == name {
				return x.Default != nil && literal(x.Default)
			}
		}
	}
	return false
}
