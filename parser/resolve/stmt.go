package resolve

// This file walks statements.
//
// The walk does three things at once: it marks occurrences of names, opens and closes scopes, and
// reports the faults that need context (return outside of a function, a global declaration behind
// a use). It does not build anything; the tree stays as it is.

import (
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

func (r *resolver) stmts(list []ast.Stmt) {
	for _, s := range list {
		r.stmt(s)
	}
}

// stmt visits a statement in the order in which CPython's symtable.c does, since the first fault that is found
// is reported: values before targets, decorators before the name.
func (r *resolver) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		r.noStar(s.Value)
		r.expr(s.Value)
	case *ast.Assign:
		r.noStar(s.Value)
		r.expr(s.Value)
		for _, t := range s.Targets {
			r.target(t)
		}
	case *ast.AugAssign:
		if n, ok := s.Target.(*ast.Name); ok {
			r.mark(n.ID, n.Span(), used)
		}
		r.noStar(s.Value)
		r.expr(s.Target)
		r.expr(s.Value)
	case *ast.AnnAssign:
		r.annAssign(s)
	case *ast.Return:
		r.returnStmt(s)
	case *ast.If:
		r.ifStmt(s)
	case *ast.For:
		if s.Async {
			r.needAsync(s.Span(), "'async for'")
		}
		r.noStar(s.Iter)
		r.expr(s.Iter)
		r.target(s.Target)
		r.loop(s.Body)
		r.stmts(s.Else)
	case *ast.While:
		r.expr(s.Test)
		r.loop(s.Body)
		r.stmts(s.Else)
	case *ast.FunctionDef:
		r.functionDef(s)
	case *ast.ClassDef:
		r.classDef(s)
	case *ast.With:
		if s.Async {
			r.needAsync(s.Span(), "'async with'")
		}
		for _, it := range s.Items {
			r.expr(it.Context)
			if it.Target != nil {
				r.target(it.Target)
			}
		}
		r.stmts(s.Body)
	case *ast.Try:
		r.try(s)
	case *ast.Match:
		r.expr(s.Subject)
		for _, c := range s.Cases {
			r.pattern(c.Pattern)
			if c.Guard != nil {
				r.expr(c.Guard)
			}
			r.stmts(c.Body)
		}
	case *ast.Raise:
		r.exprOrNil(s.Exc)
		r.exprOrNil(s.Cause)
	case *ast.Assert:
		r.expr(s.Test)
		r.exprOrNil(s.Msg)
	case *ast.Delete:
		for _, t := range s.Targets {
			r.expr(t)
		}
	case *ast.Import:
		for _, a := range s.Names {
			r.importName(a, true)
		}
	case *ast.ImportFrom:
		for _, a := range s.Names {
			if a.Name.Name != "*" {
				r.importName(a, false)
				continue
			}
			if r.scope().Kind != ModuleScope {
				r.errorf(a.Span(), "'import *' is allowed only at module level")
			}
			r.scope().HasStar = true
		}
	case *ast.Global:
		for _, id := range s.Names {
			r.declare(id, global)
		}
	case *ast.Nonlocal:
		for _, id := range s.Names {
			r.declare(id, nonlocal)
		}
	case *ast.TypeAlias:
		r.name(s.Name)
		r.typeParams(s.TypeParams)
		r.expr(s.Value)
	case *ast.Break:
		r.leaveLoop(s.Span(), "'break' outside loop")
	case *ast.Continue:
		r.leaveLoop(s.Span(), "'continue' outside loop")
	}
}

// leaveLoop looks whether a break or continue has a loop to leave. Like a return, it may not leave a handler of except*, in which CPython
// collects what all handlers raise.
func (r *resolver) leaveLoop(at source.Span, outside string) {
	switch {
	case r.cur().groupLoop:
		r.errorf(at, leavesGroup)
	case !r.cur().loop:
		r.errorf(at, outside)
	}
}

const leavesGroup = "'break', 'continue' and 'return' cannot appear in an except* block"

// break and continue are legal in it, but not in functions or classes within it, which are scopes
// with a flag of their own.
func (r *resolver) loop(body []ast.Stmt) {
	o := r.cur()
	outer, group := o.loop, o.groupLoop
	o.loop, o.groupLoop = true, false
	r.stmts(body)
	o = r.cur()
	o.loop, o.groupLoop = outer, group
}

// ifStmt follows a chain of elif without recursion. Generated programs have elif chains of
// thousands of arms, which would overflow the stack.
func (r *resolver) ifStmt(s *ast.If) {
	for {
		r.expr(s.Test)
		r.stmts(s.Body)
		if len(s.Else) == 1 {
			if next, ok := s.Else[0].(*ast.If); ok {
				s = next
				continue
			}
		}
		r.stmts(s.Else)
		return
	}
}

// annAssign: an annotation makes a name local even without a value; of global and nonlocal names it is an
// error.
func (r *resolver) annAssign(s *ast.AnnAssign) {
	if n, ok := s.Target.(*ast.Name); ok {
		r.nameSym[n.Index] = r.mark(n.ID, n.Span(), annotatedFlags(s)) + 1
		i := r.nameSym[n.Index] - 1
		if f := r.symbols[i].flags; s.Simple && f&(global|nonlocal) != 0 && r.scope().Kind != ModuleScope {
			kind := "global"
			if f&nonlocal != 0 {
				kind = "nonlocal"
			}
			r.errorf(n.Span(), "annotated name '"+n.ID+"' can't be "+kind)
		}
		r.checkTarget(n.ID, n.Span())
	} else {
		r.target(s.Target)
	}
	r.expr(s.Annotation)
	r.exprOrNil(s.Value)
}

// "x: T" declares without binding, yet makes x local; "(x): T" without a value does neither.
func annotatedFlags(s *ast.AnnAssign) symFlags {
	switch {
	case s.Simple:
		return bound | assigned | annotated
	case s.Value != nil:
		return bound | assigned
	}
	return 0
}

func (r *resolver) returnStmt(s *ast.Return) {
	sc := r.scope()
	if sc.Kind != FunctionScope {
		r.errorf(s.Span(), "'return' outside function")
	} else if r.cur().group {
		r.errorf(s.Span(), leavesGroup)
	}
	if s.Value != nil {
		r.noStar(s.Value)
		r.expr(s.Value)
	}
}

// functionDef resolves decorators, defaults and annotations outside of the function's scope. A body that was
// skipped by the outline parser may use __class__, which its class must then keep.
func (r *resolver) functionDef(s *ast.FunctionDef) {
	for _, d := range s.Decorators {
		r.expr(d)
	}
	r.bind(s.Name)
	r.typeParams(s.TypeParams)
	r.paramValues(s.Params)
	r.exprOrNil(s.Returns)
	outer := r.scope().Kind
	r.enter(s.Scope, FunctionScope, s, s.Name.Name)
	r.cur().async = s.Async
	r.scope().IsCoroutine = s.Async
	r.params(s.Params)
	if s.Outline && outer == ClassScope {
		r.mark("__class__", s.Span(), used) // the body that was left out may need it
	}
	r.stmts(s.Body)
	r.exit()
}

// paramValues walks what is evaluated in the scope around the function.
func (r *resolver) paramValues(p *ast.Params) {
	visit := func(x *ast.Param) {
		if x != nil {
			r.exprOrNil(x.Annotation)
			r.exprOrNil(x.Default)
		}
	}
	for _, list := range [...][]*ast.Param{p.PosOnly, p.Args, p.KwOnly} {
		for _, x := range list {
			visit(x)
		}
	}
	visit(p.VarArg)
	visit(p.KwArg)
}

// params binds parameters in the order of the slots that calls fill. The order is positional
// only, positional, keyword only, *args, **kwargs, as in CPython's code objects.
func (r *resolver) params(p *ast.Params) {
	n := 0
	add := func(x *ast.Param) {
		at := source.Span{Start: x.Start, End: x.Start + source.Pos(len(x.Name))}
		i := r.mark(x.Name, at, 0)
		sym := &r.symbols[i]
		if sym.flags&param != 0 {
			r.errorf(at, "duplicate parameter '"+x.Name+"'", x.Name)
		} else {
			n++
		}
		sym.flags |= bound | param
		r.checkTarget(x.Name, at)
	}
	for _, list := range [...][]*ast.Param{p.PosOnly, p.Args, p.KwOnly} {
		for _, x := range list {
			add(x)
		}
	}
	if p.VarArg != nil {
		add(p.VarArg)
	}
	if p.KwArg != nil {
		add(p.KwArg)
	}
	r.scope().NumParams = n
}

func (r *resolver) classDef(s *ast.ClassDef) {
	for _, d := range s.Decorators {
		r.expr(d)
	}
	r.bind(s.Name)
	r.typeParams(s.TypeParams)
	for _, b := range s.Bases {
		r.expr(b)
	}
	r.keywords(s.Keywords)
	r.enter(s.Scope, ClassScope, s, s.Name.Name)
	r.stmts(s.Body)
	r.exit()
}

// typeParams binds type parameters in the scope around; they are visible in annotations only.
// Python has a scope of their own for them (PEP 695), which no value at run time needs here.
func (r *resolver) typeParams(list []ast.TypeParam) {
	for _, p := range list {
		switch p := p.(type) {
		case *ast.TypeVar:
			r.name(p.Name)
			r.exprOrNil(p.Bound)
			r.exprOrNil(p.Default)
		case *ast.TypeVarTuple:
			r.name(p.Name)
			r.exprOrNil(p.Default)
		case *ast.ParamSpec:
			r.name(p.Name)
			r.exprOrNil(p.Default)
		}
	}
}

func (r *resolver) try(s *ast.Try) {
	r.stmts(s.Body)
	for i, h := range s.Handlers {
		if h.Type == nil && i < len(s.Handlers)-1 {
			r.errorf(source.Span{Start: h.Start, End: h.Start + 6}, "a bare 'except:' must be the last handler")
		}
		r.exprOrNil(h.Type)
		if h.Target != nil {
			r.name(h.Target)
		}
		o := r.cur()
		group, groupLoop := o.group, o.groupLoop
		o.group, o.groupLoop = group || s.Star, groupLoop || s.Star
		r.stmts(h.Body)
		o = r.cur()
		o.group, o.groupLoop = group, groupLoop
	}
	r.stmts(s.Else)
	r.stmts(s.Finally)
}

// importName binds the name of an import. Python lets a declaration follow: import a; global a.
// "import a.b" binds a, "import a.b as c" binds c. An import is not counted as an assignment,
// which is what lets a declaration follow.
func (r *resolver) importName(a *ast.Alias, module bool) {
	id := a.Name
	if a.AsName.Name != "" {
		id, module = a.AsName, false
	}
	if module {
		for i := range len(id.Name) {
			if id.Name[i] == '.' {
				id.Name = id.Name[:i]
				id.End = id.Start + source.Pos(i)
				break
			}
		}
	}
	r.checkTarget(id.Name, id.Span())
	r.mark(id.Name, id.Span(), bound)
}

// declare handles global and nonlocal. The faults are those that CPython's symtable.c reports, in
// the order of its checks. A global declaration also marks the name for the module, where it may
// have no other binding.
func (r *resolver) declare(id ast.Ident, flag symFlags) {
	kind := "global"
	if flag == nonlocal {
		kind = "nonlocal"
	}
	i := r.mark(id.Name, id.Span(), 0)
	sym := &r.symbols[i]
	switch f := sym.flags; {
	case f&param != 0:
		r.errorf(id.Span(), "name '"+id.Name+"' is a parameter and "+kind, id.Name)
	case f&(global|nonlocal) != 0 && f&flag == 0:
		r.errorf(id.Span(), "name '"+id.Name+"' is nonlocal and global", id.Name)
	case f&annotated != 0:
		r.errorf(id.Span(), "annotated name '"+id.Name+"' can't be "+kind, id.Name)
	case f&assigned != 0 && f&flag == 0:
		r.errorf(id.Span(), "name '"+id.Name+"' is assigned to before its "+kind+" declaration", id.Name)
	case f&used != 0 && f&flag == 0:
		r.errorf(id.Span(), "name '"+id.Name+"' is used prior to its "+kind+" declaration", id.Name)
	}
	sym.flags |= flag
	if flag == nonlocal {
		sym.at = id.Span() // for "no binding found"
		return
	}
	r.isGlobal[sym.name] = true
}
