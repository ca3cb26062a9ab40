package fill

// This file makes the objects of the program that a call takes as inputs: of the class that an annotation names, with
// tensors where its constructor has them.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// objectFor is an expression for an input that is an object of a class of the program; empty where its annotation
// names none that can be made.
func (mk *Maker) objectFor(m *value.Module, fn *value.Func, name string) string {
	if fn.Module == nil || fn.Module.Prelude {
		return ""
	}
	for _, x := range slices.Concat(fn.Params.PosOnly, fn.Params.Args, fn.Params.KwOnly) {
		if x.Name == name && x.Annotation != nil {
			return mk.objectAs(m, fn.Module, x.Annotation)
		}
	}
	return ""
}

// objectAs is an expression for an object of an annotated type; one of several types is the first.
func (mk *Maker) objectAs(m, there *value.Module, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinOp:
		return mk.objectAs(m, there, e.Left)
	case *ast.Subscript:
		path := Path(e.Value)
		if len(path) == 0 {
			return ""
		}
		first := e.Index
		if t, ok := first.(*ast.Tuple); ok && len(t.Elts) > 0 {
			first = t.Elts[0]
		}
		switch path[len(path)-1] {
		case "Optional", "Union":
			return mk.objectAs(m, there, first)
		case "List", "list", "Sequence", "Iterable":
			if text := mk.objectAs(m, there, first); text != "" {
				return "[" + text + ", " + text + "]"
			}
		}
		return ""
	}
	c := mk.classMeant(there, e)
	protocol := func(k *value.Class) bool { return k.Name == "Protocol" }
	if c == nil || c.Prelude || slices.ContainsFunc(c.Bases, protocol) || c.IsSubclass(mk.Host.Class("torch.nn.Module")) {
		return ""
	}
	mk.making, mk.object = nil, true
	defer func() { mk.object = false }()
	return mk.instanceText(m, c, 0)
}

// classMeant is the class that a name, or a text with one, means in a module; nil where there is none.
func (mk *Maker) classMeant(there *value.Module, e ast.Expr) *value.Class {
	path := Path(e)
	if k, ok := e.(*ast.Constant); ok && k.Kind == ast.StrConst {
		path = []string{k.Str}
	}
	if len(path) == 0 {
		return nil
	}
	return mk.classNamed(there, path)
}
