package infer

// This file evaluates texts: eval of an expression that is known, as in models
// that are built from tables of class names.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// maxEval bounds the text of an eval.
const maxEval = 1 << 14

// evalBuiltin is the builtin eval. Faults of the text are the caller's: its frame
// counts as library code.
func (in *Interp) evalBuiltin(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	if len(args) == 0 || len(args) > 3 || len(kw) > 0 {
		return in.Unknown("eval() is called in a way that is not followed"), nil
	}
	text, ok := value.AsStr(args[0])
	if !ok || len(text) > maxEval {
		return in.Unknown("eval() of a text that is not known"), nil
	}
	u, err := in.evalUnit(text)
	if err != nil {
		return nil, err
	}
	attrs := in.heap.NewAttrs()
	g := in.stack.frame.globals
	scope := &value.Module{Name: g.Name, Attrs: attrs, Partial: g.Partial, Fallback: g.Fallback}
	if len(args) == 1 {
		if err := in.imports.finishImports(g); err != nil {
			return nil, err
		}
		for i := range g.Attrs.Len() {
			attrs.Set(&in.heap, g.Attrs.Name(i), g.Attrs.At(i))
		}
		args = []value.Value{args[0], in.locals()}
	} else {
		scope.Partial, scope.Fallback = nil, nil
	}
	for _, names := range args[1:] {
		if names == value.None {
			continue
		}
		d, ok := names.(*value.Dict)
		if !ok || d.Open != nil {
			return in.Unknown("eval() in names that are not known"), nil
		}
		for i := range d.Len() {
			if k, ok := value.AsStr(d.Key(i)); ok {
				attrs.Set(&in.heap, k, d.At(i))
			}
		}
	}
	f := in.stack.newFrame(&code{unit: u, scope: &u.info.Scopes[0], prelude: true}, scope)
	f.ns = attrs
	if err := in.stack.push(f); err != nil {
		return nil, err
	}
	defer in.stack.pop()
	return in.eval(f, u.tree.Body[0].(*ast.ExprStmt).Value)
}

// evalUnit parses a text once in a run. What is no expression raises SyntaxError.
func (in *Interp) evalUnit(text string) (*unit, error) {
	if u := in.evals[text]; u != nil {
		return u, nil
	}
	if err := in.parses(text); err != nil {
		return nil, err
	}
	file := source.NewFile("<eval>", text)
	file.Prelude = true
	if err := in.files.Add(file); err != nil {
		return nil, in.Raise("MemoryError", "%v", err)
	}
	tree, diags := parser.ParseExpr(file)
	if len(diags) > 0 {
		return nil, in.Raise("SyntaxError", "%s", diags[0].Msg)
	}
	if _, ok := tree.Body[0].(*ast.ExprStmt); !ok {
		return nil, in.Raise("SyntaxError", "invalid syntax")
	}
	info, _ := resolve.Resolve(tree)
	u := &unit{file: file, tree: tree, info: info}
	if in.evals == nil {
		in.evals = map[string]*unit{}
	}
	in.evals[text] = u
	return u, nil
}

// parses charges a text of the program that is about to be parsed.
func (in *Interp) parses(text string) error {
	if err := in.Alloc(treeBytes * len(text)); err != nil {
		return err
	}
	return in.spent.charge(len(text) / textPerStep)
}

// What a text takes that is parsed.
const (
	treeBytes   = 128 // of memory, for each of its bytes, while that is done
	textPerStep = 4
)
