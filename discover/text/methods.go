package text

// This file finds methods that are called instead of a forward.

import (
	"slices"
	"strings"

	"shapecheck/parser/ast"
)

// A Method is a method of a class that computes something.
type Method struct{ Class, Name string }

// Whole are methods that need no other call before them: training steps of modules that have no forward, which a trainer calls with a
// batch, Lightning's with its number, too, and those of which annotations tell all arguments.
func (f *File) Whole() []Method {
	var out []Method
	topLevel(f.tree.Body, func(s ast.Stmt) {
		c, ok := s.(*ast.ClassDef)
		if !ok {
			return
		}
		isModule := func(b ast.Expr) bool { return lastName(b) == "LightningModule" || lastName(b) == "Module" }
		trained := method(c, "forward") == nil && slices.ContainsFunc(c.Bases, isModule)
		for _, s := range c.Body {
			fn, ok := s.(*ast.FunctionDef)
			if !ok || len(out) == maxMethods {
				continue
			}
			told := fn.Name.Name != "forward" && !strings.HasPrefix(fn.Name.Name, "_") && f.annotated(fn, selves(fn))
			if (told || trained && fn.Name.Name == "training_step") && computes(fn) {
				out = append(out, Method{c.Name.Name, fn.Name.Name})
			}
		}
	})
	return out
}

// selves is how many parameters of a method its caller does not give.
func selves(fn *ast.FunctionDef) int {
	if slices.ContainsFunc(fn.Decorators, func(d ast.Expr) bool { return lastName(d) == "staticmethod" }) {
		return 0
	}
	return 1
}

// maxMethods bounds the methods of a file that are found.
const maxMethods = 4

// Methods are methods that stand for a file without a model that runs: the forward of a class that is no module, or public methods
// with parameters and a result of a class that leaves its forward to others or to them.
func (f *File) Methods() []Method {
	var out []Method
	take := func(c *ast.ClassDef, fn *ast.FunctionDef) {
		if len(out) < maxMethods && computes(fn) {
			out = append(out, Method{c.Name.Name, fn.Name.Name})
		}
	}
	topLevel(f.tree.Body, func(s ast.Stmt) {
		c, ok := s.(*ast.ClassDef)
		if !ok {
			return
		}
		fn := method(c, "forward")
		switch {
		case fn == nil || isFunction(c):
		case !abstract(c):
			if !slices.ContainsFunc(f.Models, func(m *Model) bool { return m.Name == c.Name.Name }) {
				take(c, fn)
			}
		default:
			for _, s := range c.Body {
				if fn, ok := s.(*ast.FunctionDef); ok && !strings.HasPrefix(fn.Name.Name, "_") {
					take(c, fn)
				}
			}
		}
	})
	return out
}

// computes reports whether a method takes something and gives something back, as far as its text tells.
func computes(fn *ast.FunctionDef) bool {
	for _, d := range fn.Decorators {
		switch lastName(d) {
		case "staticmethod", "classmethod", "no_grad", "inference_mode", "typechecked", "beartype":
		default:
			if call, ok := d.(*ast.Call); !ok || !slices.Contains([]string{"no_grad", "inference_mode", "jaxtyped"}, lastName(call.Func)) {
				return false
			}
		}
	}
	if len(requiredOf(fn.Params, selves(fn))) == 0 {
		return false
	}
	gives := false
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef:
			return n == fn
		case *ast.Lambda:
			return false
		case *ast.Return:
			gives = gives || n.Value != nil
		}
		return true
	})
	return gives
}
