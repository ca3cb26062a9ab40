package text

// This file says whether a file computes at its top level, as programs do: it calls what it made, or gives it to a function.

import (
	"slices"
	"strings"

	"shapecheck/parser/ast"
)

// A making says what a name of the top level is: a class or module of which things are made, a function of the file's own, a
// class of its own, or such a thing.
type making uint8

const (
	maker making = iota + 1
	ownFunction
	ownClass
	thing
)

// makings are the names of classes and modules of frameworks, of the file's own classes, and of what was made of them.
type makings map[string]making

// imports notes what an import binds.
func (m makings) imports(a *ast.Alias, module string) {
	if !isFramework(module) {
		return
	}
	name, _, _ := strings.Cut(a.Name.Name, ".")
	if a.AsName.Name != "" {
		name = a.AsName.Name
	}
	m[name] = maker
}

// assigns notes what an assignment binds: what a call of a maker gives is a thing.
func (m makings) assigns(s *ast.Assign) {
	values := []ast.Expr{s.Value}
	if t, ok := s.Value.(*ast.Tuple); ok {
		values = t.Elts
	}
	if !slices.ContainsFunc(values, func(e ast.Expr) bool {
		call, ok := e.(*ast.Call)
		return ok && m[root(call.Func)] != 0 && m[root(call.Func)] != ownFunction
	}) {
		return
	}
	for _, t := range s.Targets {
		if x, ok := t.(*ast.Name); ok {
			m[x.ID] = thing
		}
		for _, name := range targets(t) {
			m[name] = thing
		}
	}
}

// used reports whether a statement makes an object of a class of the file's own, calls a thing or one of its methods, or gives
// one to a function, one that is made there to a function of the file's own, or computes with two.
func (m makings) used(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if x, ok := n.(*ast.BinOp); ok {
			found = found || m[root(x.Left)] == thing && m[root(x.Right)] == thing
		}
		if call, ok := n.(*ast.Call); ok {
			called := m[root(call.Func)]
			found = found || called >= ownClass || slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
				switch e := e.(type) {
				case *ast.Name:
					return m[e.ID] == thing
				case *ast.Call:
					return called == ownFunction && m[root(e.Func)] == maker
				}
				return false
			})
		}
		return !found
	})
	return found
}

// root is the name that an expression of attributes and calls begins with; empty where there is none.
func root(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Name:
			return x.ID
		case *ast.Attribute:
			e = x.Value
		case *ast.Call:
			e = x.Func
		default:
			return ""
		}
	}
}
