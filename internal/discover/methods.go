package discover

// This file finds methods that are called instead of a forward.

import (
	"slices"
	"strings"

	"shapecheck/parser/ast"
)

// A Method is a method of a class that computes something.
type Method struct{ Class, Name string }

// Steps are the training steps of classes of Lightning that have no forward: a Trainer calls them with a batch and its number.
func (f *File) Steps() []Method {
	var out []Method
	topLevel(f.tree.Body, func(s ast.Stmt) {
		c, ok := s.(*ast.ClassDef)
		ofLightning := func(b ast.Expr) bool { return lastName(b) == "LightningModule" }
		if !ok || len(out) == maxMethods || method(c, "forward") != nil || !slices.ContainsFunc(c.Bases, ofLightning) {
			return
		}
		if fn := method(c, "training_step"); fn != nil && computes(fn) {
			out = append(out, Method{c.Name.Name, fn.Name.Name})
		}
	})
	return out
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
	skip := 1
	for _, d := range fn.Decorators {
		switch lastName(d) {
		case "staticmethod":
			skip = 0
		case "no_grad", "inference_mode":
		default:
			if call, ok := d.(*ast.Call); !ok || lastName(call.Func) != "no_grad" && lastName(call.Func) != "inference_mode" {
				return false
			}
		}
	}
	if len(requiredOf(fn.Params, skip)) == 0 {
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
