package parser

// This file builds the compound statements other than match.
//
// Each method takes the parts of its statement from the stacks on which they were built, in the
// opposite order; the frame says which optional parts are there. Syntax that is newer than Python
// 3.8 is noted (needs), and syntax that the grammar accepts but Python does not is reported.

import (
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// Elif counts a clause of the if statement and notes where it begins.
func (b *builder) Elif() {
	b.frame().n++
	b.marks = append(b.marks, b.prev().start)
}

func (b *builder) Else() { b.frame().flags |= hasElse }

// If folds the clauses from the last to the first. The clauses lie on the stacks, so a long chain
// needs no recursion while it is built.
func (b *builder) If() {
	f := b.end()
	if f.n > maxDepth {
		b.fail(source.Span{Start: f.pos, End: f.pos + 2}, "too many elif clauses (the limit is %d)", maxDepth)
	}
	var alt []ast.Stmt
	if f.flags&hasElse != 0 {
		alt = b.popBlock()
	}
	end := b.prevEnd()
	for i := f.n; ; i-- {
		n := b.mem.ifStmt.new()
		*n = ast.If{Body: b.popBlock(), Test: b.pop().e, Else: alt}
		if i == 0 {
			n.Loc = ast.Loc{Start: f.pos, End: end}
			b.stmt(n)
			return
		}
		m := len(b.marks) - 1
		n.Loc = ast.Loc{Start: b.at(b.marks[m]), End: end}
		b.marks = b.marks[:m]
		alt = b.mem.stmts.take(1)
		alt[0] = n
	}
}

// popElse takes the block of an else clause, if the frame has one.
func (b *builder) popElse(f *frame) []ast.Stmt {
	if f.flags&hasElse != 0 {
		return b.popBlock()
	}
	return nil
}

// While has the test, the body and an optional else.
func (b *builder) While() {
	f := b.end()
	n := &ast.While{Loc: b.locFrom(f.pos), Else: b.popElse(&f), Body: b.popBlock(), Test: b.pop().e}
	b.stmt(n)
}

// For has the target, what is iterated over, the body and an optional else. A star in the latter
// without parentheses is of Python 3.9.
func (b *builder) For() {
	f := b.end()
	n := &ast.For{Loc: b.locFrom(f.pos), Async: f.flags&isAsync != 0, Else: b.popElse(&f), Body: b.popBlock()}
	v := b.pop()
	n.Iter = v.e
	if t, ok := v.e.(*ast.Tuple); ok && v.flags == 0 {
		for _, e := range t.Elts {
			if _, ok := e.(*ast.Starred); ok {
				b.needs(ast.StarredIter, e.Span())
			}
		}
	}
	n.Target = b.pop().e
	b.stmt(n)
}

func (b *builder) BeginHandler() { b.Begin() }
func (b *builder) HandlerType()  { b.frame().flags |= hasType }

// HandlerStar is called after the star of "except*", of Python 3.11.
func (b *builder) HandlerStar() {
	f := b.frame()
	f.flags |= isStar
	b.needs(ast.ExceptStar, source.Span{Start: f.pos, End: b.prevEnd()})
}

// HandlerTypes is called after types without parentheses.
func (b *builder) HandlerTypes() {
	b.frame().flags |= bareTuple
	b.needs(ast.BareExcept, b.top().span())
	if b.toks[b.pos].kind == tAs {
		b.fail(b.tokenSpan(&b.toks[b.pos]), "exception types need parentheses around them before 'as'")
	}
}

// HandlerName is called after the name behind "as".
func (b *builder) HandlerName() {
	b.frame().flags |= hasName
	b.Ident()
}

// The kinds except and except* may not be mixed.
func (b *builder) Handler() {
	f := b.end()
	h := &ast.ExceptHandler{Loc: b.locFrom(f.pos), Body: b.popBlock(), Bare: f.flags&bareTuple != 0}
	if f.flags&hasName != 0 {
		h.Name = b.popIdent()
		h.Target = b.newName(h.Name.Loc, h.Name.Name, ast.Store)
	}
	if f.flags&hasType != 0 {
		h.Type = b.pop().e
	} else if f.flags&isStar != 0 {
		b.errorf(source.Span{Start: f.pos, End: f.pos + 6}, "expected one or more exception types after 'except*'")
	}
	b.handlers = append(b.handlers, h)
	try := b.frame()
	if try.n > 0 && (try.flags&isStar != 0) != (f.flags&isStar != 0) {
		b.errorf(source.Span{Start: f.pos, End: f.pos + 6}, "cannot have both 'except' and 'except*' in the same try statement")
	}
	try.flags |= f.flags & isStar
	try.n++
}

func (b *builder) Finally() { b.frame().flags |= hasFinally }

// Try has its blocks in the order try, handlers, else, finally. Python demands a handler or a
// finally, and a handler before else.
func (b *builder) Try() {
	f := b.end()
	n := &ast.Try{Loc: b.locFrom(f.pos), Star: f.flags&isStar != 0}
	n.Handlers = append([]*ast.ExceptHandler(nil), b.handlers[f.handlers:]...)
	b.handlers = b.handlers[:len(b.handlers)-len(n.Handlers)]
	if f.flags&hasFinally != 0 {
		n.Finally = b.popBlock()
	}
	n.Else = b.popElse(&f)
	n.Body = b.popBlock()
	try := source.Span{Start: f.pos, End: f.pos + 3}
	switch {
	case b.toks[b.pos].kind == tErrorLine:
		// The line that should follow did not parse; it has its own error.
	case f.n == 0 && f.flags&hasElse != 0:
		b.errorf(try, "expected an 'except' block before 'else' in this try statement")
	case f.n == 0 && f.flags&hasFinally == 0:
		b.errorf(try, "expected an 'except' or 'finally' block for this 'try'")
	}
	b.stmt(n)
}

// WithItem has an expression without "as" on the stack.
func (b *builder) WithItem() {
	v := b.pop()
	b.items = append(b.items, &ast.WithItem{Context: v.e})
	f := b.frame()
	f.n++
	if f.n == 1 {
		// Parentheses directly after with may hold items rather than a tuple:
		// WithHeader decides when it has seen that nothing follows them.
		if v.flags&plain != 0 {
			f.flags |= parenItems
		}
		if v.flags&inTuple != 0 {
			f.flags |= parenTuple
		}
	}
}

// WithAs has the expression and its target on the stack.
func (b *builder) WithAs() {
	b.setContext(b.top(), ast.Store)
	target, v := b.pop(), b.pop()
	b.items = append(b.items, &ast.WithItem{Context: v.e, Target: target.e})
	b.frame().n += 2 // never the parenthesized form
}

// WithHeader is called at the ":". "with (a as b, c):" looks like a tuple in parentheses until
// the colon is seen; the "as" parts were put aside in parenAs.
func (b *builder) WithHeader() {
	f := b.frame()
	paren := f.n == 1 && f.flags&parenItems != 0 && b.toks[f.tok+1].kind == tLPar
	if paren {
		item := b.items[len(b.items)-1]
		elts := []ast.Expr{item.Context}
		if f.flags&parenTuple != 0 {
			elts = item.Context.(*ast.Tuple).Elts
		}
		b.items = b.items[:len(b.items)-1]
		for i, e := range elts {
			item := &ast.WithItem{Context: e}
			if len(b.parenAs) > 0 && b.parenAs[0].index == f.vals+int32(i) {
				b.needs(ast.WithParentheses, b.parenAs[0].at)
				item.Target = b.parenAs[0].target
				b.parenAs = b.parenAs[1:]
			}
			b.items = append(b.items, item)
		}
	} else if len(b.parenAs) > 0 {
		b.errorf(b.parenAs[0].at, "'as' inside the parentheses is allowed only when they hold all items of the with statement")
	}
	b.parenAs = b.parenAs[:0]
}

// With has its items and the body.
func (b *builder) With() {
	f := b.end()
	n := &ast.With{Loc: b.locFrom(f.pos), Async: f.flags&isAsync != 0, Body: b.popBlock()}
	n.Items = append([]*ast.WithItem(nil), b.items[f.items:]...)
	b.items = b.items[:f.items]
	b.stmt(n)
}

// DefName is the name of a function or class.
func (b *builder) DefName() { b.Ident() }
func (b *builder) Returns() { b.frame().flags |= hasReturns }

// Def has decorators aside, then name, type parameters, parameters, the annotation of the result
// and the body; the body's names are resolved later.
func (b *builder) Def() {
	f := b.end()
	n := &ast.FunctionDef{Loc: b.locFrom(f.pos), Async: f.flags&isAsync != 0, Body: b.popBlock(), Scope: b.newScope()}
	if f.flags&hasReturns != 0 {
		n.Returns = b.pop().e
	}
	n.Params, _ = b.makeParams(f.params)
	n.TypeParams = b.popTypeParams(f.flags)
	n.Name = b.popIdent()
	b.stmt(n)
}

// ClassArgs closes the arguments of a class; they stay on the stacks.
func (b *builder) ClassArgs() { b.closeArgs() }

func (b *builder) Class() {
	f := b.end()
	n := &ast.ClassDef{Loc: b.locFrom(f.pos), Body: b.popBlock(), Scope: b.newScope()}
	n.Keywords = b.takeKeywords(f.keywords)
	n.Bases, _ = b.takeExprs(f.vals)
	n.TypeParams = b.popTypeParams(f.flags)
	n.Name = b.popIdent()
	b.stmt(n)
}

// Decorate gives the decorators to the definition just built. Python 3.8 allows only dotted names
// and calls of them.
func (b *builder) Decorate() {
	f := b.end()
	list, _ := b.takeExprs(f.vals)
	for _, d := range list {
		if !oldDecorator(d) {
			b.needs(ast.AnyDecorator, d.Span())
		}
	}
	if len(b.stmts) == 0 {
		return // the definition did not parse
	}
	switch s := b.stmts[len(b.stmts)-1].(type) {
	case *ast.FunctionDef:
		if s.Start > f.pos {
			s.Decorators = list
		}
	case *ast.ClassDef:
		if s.Start > f.pos {
			s.Decorators = list
		}
	}
}

// oldDecorator reports whether Python 3.8 takes a decorator: a name with dots, called or not.
func oldDecorator(e ast.Expr) bool {
	if c, ok := e.(*ast.Call); ok {
		e = c.Func
	}
	for {
		switch x := e.(type) {
		case *ast.Attribute:
			e = x.Value
			continue
		case *ast.Name:
			return true
		}
		return false
	}
}

// EndOrphan closes a clause whose statement did not parse; its statements count
// as the surrounding block's.
func (b *builder) EndOrphan() { b.stmts = append(b.stmts, b.popBlock()...) }

// OrphanCase is a case whose match statement did not parse.
func (b *builder) OrphanCase() {
	n := len(b.cases) - 1
	b.stmts = append(b.stmts, b.cases[n].Body...)
	b.cases = b.cases[:n]
}

// Drop forgets the last expression.
func (b *builder) Drop() { b.pop() }
