package resolve

// This file walks expressions, targets and patterns.
//
// Lambdas and comprehensions open scopes, := binds in another one, and await and yield decide
// what kind a function is; everything else only visits its parts in the order of evaluation.

import (
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

func (r *resolver) exprOrNil(e ast.Expr) {
	if e != nil {
		r.expr(e)
	}
}

func (r *resolver) exprs(list []ast.Expr) {
	for _, e := range list {
		r.expr(e)
	}
}

// expr visits an expression and enters the scopes that lambdas and comprehensions make.
func (r *resolver) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Name:
		r.name(e)
	case *ast.Constant:
	case *ast.Attribute:
		r.expr(e.Value)
	case *ast.Call:
		r.expr(e.Func)
		r.exprs(e.Args)
		r.keywords(e.Keywords)
	case *ast.Subscript:
		r.expr(e.Value)
		r.expr(e.Index)
	case *ast.BinOp:
		r.expr(e.Left)
		r.expr(e.Right)
	case *ast.UnaryOp:
		r.expr(e.Operand)
	case *ast.BoolOp:
		r.exprs(e.Values)
	case *ast.Compare:
		r.expr(e.Left)
		r.exprs(e.Comparators)
	case *ast.IfExp:
		r.expr(e.Test)
		r.expr(e.Body)
		r.expr(e.Else)
	case *ast.Tuple:
		r.exprs(e.Elts)
	case *ast.List:
		r.exprs(e.Elts)
	case *ast.Set:
		r.exprs(e.Elts)
	case *ast.Dict:
		for i, k := range e.Keys {
			r.exprOrNil(k)
			r.expr(e.Values[i])
		}
	case *ast.Slice:
		r.exprOrNil(e.Lower)
		r.exprOrNil(e.Upper)
		r.exprOrNil(e.Step)
	case *ast.Starred:
		r.expr(e.Value)
	case *ast.JoinedStr:
		r.exprs(e.Values)
	case *ast.FormattedValue:
		r.formatted(e.Value, e.FormatSpec)
	case *ast.TemplateStr:
		r.exprs(e.Values)
	case *ast.Interpolation:
		r.formatted(e.Value, e.FormatSpec)
	case *ast.NamedExpr:
		r.namedExpr(e)
	case *ast.Lambda:
		r.paramValues(e.Params)
		r.enter(e.Scope, LambdaScope, e, "<lambda>")
		r.params(e.Params)
		r.expr(e.Body)
		r.exit()
	case *ast.ListComp:
		r.comprehension(e, e.Scope, "<listcomp>", e.Generators, e.Elt, nil)
	case *ast.SetComp:
		r.comprehension(e, e.Scope, "<setcomp>", e.Generators, e.Elt, nil)
	case *ast.DictComp:
		r.comprehension(e, e.Scope, "<dictcomp>", e.Generators, e.Key, e.Value)
	case *ast.GeneratorExp:
		r.comprehension(e, e.Scope, "<genexpr>", e.Generators, e.Elt, nil)
	case *ast.Await:
		r.await(e)
	case *ast.Yield:
		r.yield(e.Span(), "'yield'")
		if e.Value != nil {
			r.noStar(e.Value)
			r.expr(e.Value)
		}
	case *ast.YieldFrom:
		r.yield(e.Span(), "'yield from'")
		if s := r.scope(); s.Kind == FunctionScope && s.IsCoroutine {
			r.errorf(e.Span(), "'yield from' inside async function")
		}
		r.expr(e.Value)
	}
}

// keywords refuses a keyword that is passed twice. Calls are short, so pairs are compared up to 16, which
// spares a map for each call of a program.
func (r *resolver) keywords(list []*ast.Keyword) {
	for i, k := range list {
		r.expr(k.Value)
		if k.Name.Name == "" || i == 0 {
			continue
		}
		if len(list) <= 16 {
			for _, other := range list[:i] {
				if other.Name.Name == k.Name.Name {
					r.repeated(k)
					break
				}
			}
		}
	}
	if len(list) > 16 { // a map pays only for long lists
		seen := make(map[string]bool, len(list))
		for _, k := range list {
			if k.Name.Name != "" && seen[k.Name.Name] {
				r.repeated(k)
			}
			seen[k.Name.Name] = true
		}
	}
}

func (r *resolver) repeated(k *ast.Keyword) {
	r.errorf(k.Name.Span(), "keyword argument '"+k.Name.Name+"' is repeated", k.Name.Name)
}

// formatted goes over a field of an f-string or t-string.
func (r *resolver) formatted(e ast.Expr, spec *ast.JoinedStr) {
	r.expr(e)
	if spec != nil {
		r.expr(spec)
	}
}

// namedExpr binds in the scope itself, or from a comprehension in the function
// around it. PEP 572 forbids it in the iterable of a comprehension, whose scope is not clear, and
// forbids rebinding the comprehension's own variables, which exit reports.
func (r *resolver) namedExpr(e *ast.NamedExpr) {
	r.expr(e.Value)
	if r.scope().Kind != ComprehensionScope {
		r.name(e.Target)
		return
	}
	if r.cur().inIter {
		r.errorf(e.Span(), "':=' cannot be used in a comprehension's iterable")
	}
	r.checkTarget(e.Target.ID, e.Target.Span())
	r.nameSym[e.Target.Index] = r.mark(e.Target.ID, e.Target.Span(), walrus) + 1
}

// comprehension resolves the first iterable outside of the new scope, as Python evaluates it there; all else is
// inside. It is asynchronous if a part of it is, which a function around must allow, except for generator
// expressions. value is the value of a dict comprehension, whose key is elt; nil otherwise.
// CPython evaluates value before key in the symbol table, which decides only which of two faults
// is reported.
func (r *resolver) comprehension(e ast.Expr, scope int32, name string, gens []*ast.Comprehension, elt, value ast.Expr) {
	wasIter := r.cur().inIter
	r.cur().inIter = r.scope().Kind == ComprehensionScope
	r.expr(gens[0].Iter)
	r.cur().inIter = wasIter
	_, isGen := e.(*ast.GeneratorExp)
	outerAsync := r.cur().async
	async := false
	for _, g := range gens {
		async = async || g.Async
	}
	r.enter(scope, ComprehensionScope, e, name)
	r.scope().IsGenerator = isGen
	if isGen {
		r.cur().async = true // awaiting makes it an asynchronous generator
	}
	for i, g := range gens {
		if i > 0 {
			r.cur().inIter = true
			r.expr(g.Iter)
			r.cur().inIter = false
		}
		r.target(g.Target)
		r.iteration(g.Target)
		r.exprs(g.Ifs)
	}
	r.exprOrNil(value)
	r.expr(elt)
	async = async || r.scope().IsCoroutine
	r.scope().IsCoroutine = async
	r.exit()
	if async && !isGen {
		if !outerAsync {
			r.errorf(e.Span(), "asynchronous comprehension outside of an asynchronous function")
		}
		if s := r.scope(); s.Kind == ComprehensionScope {
			s.IsCoroutine = true
		}
	}
}

// iteration marks the variables of a comprehension's target. Only names are marked; attributes
// and subscripts as targets bind no name.
func (r *resolver) iteration(t ast.Expr) {
	switch t := t.(type) {
	case *ast.Name:
		r.mark(t.ID, t.Span(), iteration)
	case *ast.Tuple:
		for _, x := range t.Elts {
			r.iteration(x)
		}
	case *ast.List:
		for _, x := range t.Elts {
			r.iteration(x)
		}
	case *ast.Starred:
		r.iteration(t.Value)
	}
}

// await is allowed in asynchronous functions, and at the top level of a notebook.
func (r *resolver) await(e *ast.Await) {
	s := r.scope()
	switch {
	case s.Kind == ModuleScope && r.notebook: // IPython awaits it
	case s.Kind == ModuleScope || s.Kind == ClassScope:
		r.errorf(e.Span(), "'await' outside function")
	case !r.cur().async:
		r.errorf(e.Span(), "'await' outside async function")
	case s.Kind == ComprehensionScope:
		s.IsCoroutine = true
	}
	r.expr(e.Value)
}

func (r *resolver) needAsync(at source.Span, what string) {
	if s := r.scope(); (s.Kind != FunctionScope || !s.IsCoroutine) && !(s.Kind == ModuleScope && r.notebook) {
		r.errorf(at, what+" outside async function")
	}
}

// yield makes a function a generator; in a comprehension it is an error since Python 3.8. A
// lambda with a yield is a generator function, too.
func (r *resolver) yield(at source.Span, what string) {
	switch s := r.scope(); s.Kind {
	case FunctionScope, LambdaScope:
		s.IsGenerator = true
	case ComprehensionScope:
		r.errorf(at, what+" inside a comprehension")
	default:
		r.errorf(at, what+" outside function")
	}
}

// target walks an assignment target and checks its stars. A single starred target is legal only
// within a list or tuple, and there once for each level.
func (r *resolver) target(t ast.Expr) {
	switch x := t.(type) {
	case *ast.Starred:
		r.errorf(x.Span(), "starred assignment target must be in a list or tuple")
	case *ast.Tuple:
		r.starred(x.Elts)
	case *ast.List:
		r.starred(x.Elts)
	}
	r.expr(t)
}

func (r *resolver) starred(elts []ast.Expr) {
	n := 0
	for _, e := range elts {
		switch x := e.(type) {
		case *ast.Starred:
			if n++; n == 2 {
				r.errorf(x.Span(), "multiple starred expressions in assignment")
			}
		case *ast.Tuple:
			r.starred(x.Elts)
		case *ast.List:
			r.starred(x.Elts)
		}
	}
}

// noStar refuses a starred expression where no tuple is around it.
func (r *resolver) noStar(e ast.Expr) {
	if s, ok := e.(*ast.Starred); ok {
		r.errorf(s.Span(), "can't use starred expression here")
	}
}

// It is the only name that Python forbids to assign and that is no keyword.
func (r *resolver) checkTarget(name string, at source.Span) {
	if name == "__debug__" {
		r.errorf(at, "cannot assign to __debug__")
	}
}

// pattern binds the names of a pattern; that alternatives bind the same ones is checked elsewhere.
func (r *resolver) pattern(p ast.Pattern) {
	switch p := p.(type) {
	case *ast.MatchValue:
		r.expr(p.Value)
	case *ast.MatchSequence:
		stars := 0
		for _, x := range p.Patterns {
			if s, ok := x.(*ast.MatchStar); ok {
				if stars++; stars == 2 {
					r.errorf(s.Span(), "multiple starred expressions in sequence pattern")
				}
			}
			r.pattern(x)
		}
	case *ast.MatchMapping:
		r.exprs(p.Keys)
		for _, x := range p.Patterns {
			r.pattern(x)
		}
		if p.Rest != nil {
			r.name(p.Rest)
		}
	case *ast.MatchClass:
		r.expr(p.Cls)
		for _, x := range p.Patterns {
			r.pattern(x)
		}
		for _, x := range p.KwdPatterns {
			r.pattern(x)
		}
	case *ast.MatchStar:
		if p.Name != nil {
			r.name(p.Name)
		}
	case *ast.MatchAs:
		if p.Pattern != nil {
			r.pattern(p.Pattern)
		}
		if p.Name != nil {
			r.name(p.Name)
		}
	case *ast.MatchOr:
		for _, x := range p.Patterns {
			r.pattern(x)
		}
	}
}
