package ast

// This file writes statements and patterns in the form of ast.dump.
//
// The text is exactly what CPython's ast.dump(tree, include_attributes=True) writes, so that
// parsers can be compared by a comparison of strings. Fields come in the order of CPython's
// Python.asdl.

// stmt writes a statement as ast.dump does, without the fields that are empty.
func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *FunctionDef:
		d.functionDef(s)
	case *ClassDef:
		d.s("ClassDef(name=")
		d.str(s.Name.Name)
		d.exprs("bases", s.Bases)
		d.keywords(s.Keywords)
		d.block("body", s.Body)
		d.exprs("decorator_list", s.Decorators)
		d.typeParams(s.TypeParams)
		d.end(&s.Loc)
	case *Return:
		d.s("Return(")
		d.opt("value", s.Value)
		d.end(&s.Loc)
	case *Delete:
		d.s("Delete(")
		d.exprs("targets", s.Targets)
		d.end(&s.Loc)
	case *Assign:
		d.s("Assign(")
		d.exprs("targets", s.Targets)
		d.field("value", s.Value)
		d.end(&s.Loc)
	case *TypeAlias:
		d.s("TypeAlias(")
		d.field("name", s.Name)
		d.sep("type_params")
		d.typeParamList(s.TypeParams)
		d.field("value", s.Value)
		d.end(&s.Loc)
	case *AugAssign:
		d.s("AugAssign(")
		d.field("target", s.Target)
		d.s(", op=" + s.Op.Name() + "()")
		d.field("value", s.Value)
		d.end(&s.Loc)
	case *AnnAssign:
		d.s("AnnAssign(")
		d.field("target", s.Target)
		d.field("annotation", s.Annotation)
		d.opt("value", s.Value)
		d.s(", simple=" + d.bit(s.Simple))
		d.end(&s.Loc)
	case *For:
		d.async(s.Async)
		d.s("For(")
		d.field("target", s.Target)
		d.field("iter", s.Iter)
		d.block("body", s.Body)
		d.block("orelse", s.Else)
		d.end(&s.Loc)
	case *While:
		d.s("While(")
		d.field("test", s.Test)
		d.block("body", s.Body)
		d.block("orelse", s.Else)
		d.end(&s.Loc)
	case *If:
		d.s("If(")
		d.field("test", s.Test)
		d.block("body", s.Body)
		d.block("orelse", s.Else)
		d.end(&s.Loc)
	case *With:
		d.with(s)
	case *Match:
		d.match(s)
	case *Raise:
		d.s("Raise(")
		d.opt("exc", s.Exc)
		d.opt("cause", s.Cause)
		d.end(&s.Loc)
	case *Try:
		d.try(s)
	case *Assert:
		d.s("Assert(")
		d.field("test", s.Test)
		d.opt("msg", s.Msg)
		d.end(&s.Loc)
	case *Import:
		d.s("Import(")
		d.aliases(s.Names)
		d.end(&s.Loc)
	case *ImportFrom:
		d.s("ImportFrom(")
		if s.Module.Name != "" {
			d.sep("module")
			d.str(s.Module.Name)
		}
		d.aliases(s.Names)
		d.s(", level=")
		d.int(s.Level)
		d.end(&s.Loc)
	case *Global:
		d.s("Global(")
		d.names("names", s.Names)
		d.end(&s.Loc)
	case *Nonlocal:
		d.s("Nonlocal(")
		d.names("names", s.Names)
		d.end(&s.Loc)
	case *ExprStmt:
		d.s("Expr(")
		d.field("value", s.Value)
		d.end(&s.Loc)
	case *Pass:
		d.s("Pass(")
		d.end(&s.Loc)
	case *Break:
		d.s("Break(")
		d.end(&s.Loc)
	case *Continue:
		d.s("Continue(")
		d.end(&s.Loc)
	}
}

func (d *dumper) async(async bool) {
	if async {
		d.s("Async")
	}
}

func (d *dumper) functionDef(s *FunctionDef) {
	d.async(s.Async)
	d.s("FunctionDef(name=")
	d.str(s.Name.Name)
	d.s(", args=")
	d.params(s.Params)
	if d.opts.Leave == LeaveNothing {
		d.block("body", s.Body)
	}
	d.exprs("decorator_list", s.Decorators)
	d.opt("returns", s.Returns)
	d.typeParams(s.TypeParams)
	d.end(&s.Loc)
}

func (d *dumper) with(s *With) {
	d.async(s.Async)
	d.s("With(items=")
	list(d, s.Items, func(it *WithItem) {
		d.s("withitem(")
		d.field("context_expr", it.Context)
		d.opt("optional_vars", it.Target)
		d.s(")")
	})
	d.block("body", s.Body)
	d.end(&s.Loc)
}

func (d *dumper) try(s *Try) {
	d.s("Try")
	if s.Star {
		d.s("Star")
	}
	d.s("(")
	d.block("body", s.Body)
	d.sep("handlers")
	list(d, s.Handlers, func(h *ExceptHandler) {
		d.s("ExceptHandler(")
		d.opt("type", h.Type)
		if h.Name.Name != "" {
			d.sep("name")
			d.str(h.Name.Name)
		}
		d.block("body", h.Body)
		d.end(&h.Loc)
	})
	d.block("orelse", s.Else)
	d.block("finalbody", s.Finally)
	d.end(&s.Loc)
}

func (d *dumper) aliases(names []*Alias) {
	d.sep("names")
	list(d, names, func(a *Alias) {
		d.s("alias(name=")
		d.str(a.Name.Name)
		if a.AsName.Name != "" {
			d.s(", asname=")
			d.str(a.AsName.Name)
		}
		d.end(&a.Loc)
	})
}

func (d *dumper) match(s *Match) {
	d.s("Match(")
	d.field("subject", s.Subject)
	d.sep("cases")
	list(d, s.Cases, func(c *MatchCase) {
		d.s("match_case(pattern=")
		d.pattern(c.Pattern)
		d.opt("guard", c.Guard)
		d.block("body", c.Body)
		d.s(")")
	})
	d.end(&s.Loc)
}

// pattern writes a pattern as ast.dump does.
func (d *dumper) pattern(p Pattern) {
	name := func(field string, n *Name) {
		if n != nil {
			d.sep(field)
			d.str(n.ID)
		}
	}
	patterns := func(field string, ps []Pattern) {
		d.sep(field)
		list(d, ps, d.pattern)
	}
	switch p := p.(type) {
	case *MatchValue:
		d.s("MatchValue(")
		d.field("value", p.Value)
		d.end(&p.Loc)
	case *MatchSingleton:
		d.s("MatchSingleton(value=" + [...]string{"None", "True", "False"}[p.Value])
		d.end(&p.Loc)
	case *MatchSequence:
		d.s("MatchSequence(")
		patterns("patterns", p.Patterns)
		d.end(&p.Loc)
	case *MatchMapping:
		d.s("MatchMapping(")
		d.exprs("keys", p.Keys)
		patterns("patterns", p.Patterns)
		name("rest", p.Rest)
		d.end(&p.Loc)
	case *MatchClass:
		d.s("MatchClass(")
		d.field("cls", p.Cls)
		patterns("patterns", p.Patterns)
		d.names("kwd_attrs", p.KwdAttrs)
		patterns("kwd_patterns", p.KwdPatterns)
		d.end(&p.Loc)
	case *MatchStar:
		d.s("MatchStar(")
		name("name", p.Name)
		d.end(&p.Loc)
	case *MatchAs:
		d.s("MatchAs(")
		if p.Pattern != nil {
			d.sep("pattern")
			d.pattern(p.Pattern)
		}
		name("name", p.Name)
		d.end(&p.Loc)
	case *MatchOr:
		d.s("MatchOr(")
		patterns("patterns", p.Patterns)
		d.end(&p.Loc)
	}
}
