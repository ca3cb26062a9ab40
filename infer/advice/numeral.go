package advice

// This file finds where the source writes a number: from an expression that has
// it, over the attribute, the variable or the parameter that it is given by. A proposal may change
// a number only if exactly one place gives it: of several it would not be known which one is meant.
// The search follows names statically, in the syntax trees, and gives up where a name is bound in a
// way that it cannot follow.

import (
	"shapecheck/parser/ast"
)

// A numeral is a number that stands in the source, and the name that it is given to:
// the parameter of a call, a variable, an attribute; empty where the expression
// itself is the number.
type numeral struct {
	expr ast.Expr
	name string
}

// numeralOf finds the only place that gives an expression its value n; nil when
// there are several, or none that is a plain number. A library's source is not changed.
func (s *Site) numeralOf(e ast.Expr, n int64) *numeral {
	file := s.host.Files().File(e.Span().Start)
	if file == nil || file.Prelude {
		return nil
	}
	search := numeralSearch{host: s.host, n: n, found: map[ast.Expr]string{}}
	search.follow(e, "", 6)
	if search.doubt || len(search.found) != 1 {
		return nil
	}
	for at, name := range search.found {
		return &numeral{at, name}
	}
	return nil
}

// A numeralSearch collects the places that write a number.
type numeralSearch struct {
	host  Host
	n     int64
	found map[ast.Expr]string
	// doubt is set where a place may be missing: too long a chain, or a call with * or **.
	doubt bool
}

// follow looks at an expression that gives name its value. An expression of another form, such as a
// sum, is no place; numbers of another value are left out.
func (s *numeralSearch) follow(e ast.Expr, name string, depth int) {
	if depth == 0 {
		s.doubt = true
		return
	}
	switch e := e.(type) {
	case *ast.Constant:
		if e.Kind == ast.IntConst && e.Big == nil && e.Int == s.n {
			s.found[e] = name
		}
	case *ast.Name:
		s.variable(e, depth)
	case *ast.Attribute:
		// Attributes of other objects are not followed, as their class is not known here.
		if base, ok := e.Value.(*ast.Name); ok && base.ID == "self" {
			s.attribute(e, depth)
		}
	}
}

// scopes are the innermost function and the innermost class around an expression. They are found by
// the places of nodes in the text, from the outermost inwards. A method has both; a class within a
// function has no function. Nil where there is none.
func (s *numeralSearch) scopes(e ast.Expr) (fn *ast.FunctionDef, class *ast.ClassDef) {
	inspect(s.host, e.Span(), func(n, _ ast.Node) {
		if !encloses(n, e) {
			return
		}
		switch n := n.(type) {
		case *ast.FunctionDef:
			fn = n
		case *ast.ClassDef:
			class, fn = n, nil
		}
	})
	return fn, class
}

// encloses reports whether an expression is inside a node: a statement's span
// does not have its decorators.
func encloses(n ast.Node, e ast.Expr) bool {
	return n.Span().Start <= e.Span().Start && e.Span().End <= n.Span().End
}

// variable follows a name to what it is bound to, once. A local variable that is assigned once
// leads to the value, a parameter that is never assigned to the arguments of all calls. Otherwise
// the name is looked for among the variables of the module.
func (s *numeralSearch) variable(e *ast.Name, depth int) {
	fn, class := s.scopes(e)
	if fn != nil {
		values, other := bindings(fn.Body, func(t ast.Expr) bool { n, ok := t.(*ast.Name); return ok && n.ID == e.ID })
		p, at := parameter(fn, e.ID)
		switch {
		case p == nil && !other && len(values) == 1:
			s.follow(values[0], e.ID, depth-1)
			return
		case len(values) > 0 || other:
			return
		case p != nil:
			s.callers(fn, class, p, at, depth)
			return
		}
	}
	file := s.host.Files().File(e.Span().Start)
	if file == nil {
		return
	}
	tree := s.host.Tree(file)
	if tree == nil {
		return
	}
	values, other := bindings(tree.Body, func(t ast.Expr) bool { n, ok := t.(*ast.Name); return ok && n.ID == e.ID })
	if !other && len(values) == 1 {
		s.follow(values[0], e.ID, depth-1)
	}
}

// attribute follows self.x to the one assignment of the class. All methods of the class are
// searched; with several assignments, or one of another kind, it is not followed.
func (s *numeralSearch) attribute(e *ast.Attribute, depth int) {
	_, class := s.scopes(e)
	if class == nil {
		return
	}
	is := func(t ast.Expr) bool {
		a, ok := t.(*ast.Attribute)
		if !ok || a.Attr.Name != e.Attr.Name {
			return false
		}
		self, ok := a.Value.(*ast.Name)
		return ok && self.ID == "self"
	}
	var values []ast.Expr
	for _, stmt := range class.Body {
		if fn, ok := stmt.(*ast.FunctionDef); ok {
			v, other := bindings(s.host.Whole(fn).Body, is)
			if other {
				return
			}
			values = append(values, v...)
		}
	}
	if len(values) == 1 {
		s.follow(values[0], e.Attr.Name, depth-1)
	}
}

// callers follows a parameter to the arguments of the calls of its function, or
// of the class whose constructor it is. Calls are found by the last part of the name that is
// called, in all files of the program. Other methods than constructors are not followed, since the
// objects that they are called on are not known.
func (s *numeralSearch) callers(fn *ast.FunctionDef, class *ast.ClassDef, p *ast.Param, at, depth int) {
	name := fn.Name.Name
	if class != nil {
		if name != "__init__" {
			return
		}
		// The first parameter of a constructor is self, which calls do not give.
		name, at = class.Name.Name, at-1
	}
	for _, tree := range s.host.Trees() {
		ast.Inspect(tree, func(n ast.Node) bool {
			if call, ok := n.(*ast.Call); ok && lastName(call.Func) == name {
				s.argument(call, p, at, depth)
			}
			return true
		})
	}
}

// argument follows what a call gives for a parameter. Without an argument the default of the
// parameter is the number.
func (s *numeralSearch) argument(call *ast.Call, p *ast.Param, at, depth int) {
	for _, a := range call.Args {
		if _, star := a.(*ast.Starred); star {
			s.doubt = true
		}
	}
	for _, k := range call.Keywords {
		s.doubt = s.doubt || k.Name.Name == ""
	}
	arg := keywordExpr(call, p.Name)
	switch {
	case arg == nil && at >= 0 && at < len(call.Args):
		arg = call.Args[at]
	case arg == nil:
		arg = p.Default
	}
	if arg != nil {
		s.follow(arg, p.Name, depth-1)
	}
}

// parameter finds a parameter and its place among the positional ones. The place is -1 for a
// parameter that is given by name alone. Nil: there is none.
func parameter(fn *ast.FunctionDef, name string) (*ast.Param, int) {
	for i, p := range append(append([]*ast.Param(nil), fn.Params.PosOnly...), fn.Params.Args...) {
		if p.Name == name {
			return p, i
		}
	}
	for _, p := range fn.Params.KwOnly {
		if p.Name == name {
			return p, -1
		}
	}
	return nil, -1
}

// bindings are the values that statements assign to a target; other says that it
// is bound in another way, too. Functions and classes inside are left out.
func bindings(body []ast.Stmt, is func(t ast.Expr) bool) (values []ast.Expr, other bool) {
	var walk func(n ast.Node)
	// inside sets other where the target stands anywhere in a pattern that is bound.
	inside := func(e ast.Node) {
		if e == nil {
			return
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if t, ok := n.(ast.Expr); ok && is(t) {
				other = true
			}
			return true
		})
	}
	walk = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FunctionDef, *ast.ClassDef, *ast.Lambda:
			return
		case *ast.Assign:
			for _, t := range n.Targets {
				if is(t) {
					values = append(values, n.Value)
				} else if _, plain := t.(*ast.Name); !plain {
					unpacked(t, inside)
				}
			}
		case *ast.AnnAssign:
			if is(n.Target) && n.Value != nil {
				values = append(values, n.Value)
			}
		// x += 1 changes the number after it was given.
		case *ast.AugAssign:
			other = other || is(n.Target)
		case *ast.For:
			inside(n.Target)
		case *ast.NamedExpr:
			other = other || is(n.Target)
		case *ast.Delete:
			for _, t := range n.Targets {
				inside(t)
			}
		}
		ast.Children(n, walk)
	}
	for _, s := range body {
		walk(s)
	}
	return values, other
}

// unpacked calls f for a target that is unpacked into.
func unpacked(t ast.Expr, f func(ast.Node)) {
	switch t := t.(type) {
	case *ast.Tuple, *ast.List, *ast.Starred:
		f(t)
	}
}
