package ast

// This file walks trees. Each node knows its children in the order of the
// source, but for decorators, which come first, and comprehensions, whose
// element comes first.
//
// One function per kind of node lists its children, and everything else (Inspect, searches,
// positions) is built on that: a new kind of node needs one more case here. There is no visitor
// with a method for each kind; passes switch over the kinds that they look at.

// Inspect calls f for n and, if f returns true, for all nodes below it. Nil
// children are skipped. n is before its children; there is no call after them. The recursion is
// as deep as the tree, which the parser bounds.
func Inspect(n Node, f func(Node) bool) {
	if !f(n) {
		return
	}
	Children(n, func(c Node) { Inspect(c, f) })
}

// Children calls f for each child of n that is a node. Parts without a node of
// their own, such as the parameters of a function, are passed through. Nodes that have no
// children, such as names and constants, fall through all cases.
func Children(n Node, f func(Node)) {
	switch n := n.(type) {
	case *Module:
		each(n.Body, f)
	case Stmt:
		stmtChildren(n, f)
	case Expr:
		exprChildren(n, f)
	case Pattern:
		patternChildren(n, f)
	case *TypeVar:
		f(n.Name)
		opt(n.Bound, f)
		opt(n.Default, f)
	case *ParamSpec:
		f(n.Name)
		opt(n.Default, f)
	case *TypeVarTuple:
		f(n.Name)
		opt(n.Default, f)
	case *Param:
		opt(n.Annotation, f)
		opt(n.Default, f)
	case *Keyword:
		f(n.Value)
	case *ExceptHandler:
		opt(n.Type, f)
		if n.Target != nil {
			f(n.Target)
		}
		each(n.Body, f)
	}
}

// each calls f for the nodes of a list, none of which is nil.
func each[T Node](list []T, f func(Node)) {
	for _, n := range list {
		f(n)
	}
}

// opt calls f for an expression that may be missing.
func opt(e Expr, f func(Node)) {
	if e != nil {
		f(e)
	}
}

// each visits parameters in the order of their declaration.
func (p *Params) each(f func(Node)) {
	each(p.PosOnly, f)
	each(p.Args, f)
	if p.VarArg != nil {
		f(p.VarArg)
	}
	each(p.KwOnly, f)
	if p.KwArg != nil {
		f(p.KwArg)
	}
}

// stmtChildren visits the parts of a statement in the order of the source, which readers of comments and
// positions rely on.
func stmtChildren(n Stmt, f func(Node)) {
	switch n := n.(type) {
	case *FunctionDef:
		each(n.Decorators, f)
		each(n.TypeParams, f)
		n.Params.each(f)
		opt(n.Returns, f)
		each(n.Body, f)
	case *ClassDef:
		each(n.Decorators, f)
		each(n.TypeParams, f)
		each(n.Bases, f)
		each(n.Keywords, f)
		each(n.Body, f)
	case *Return:
		opt(n.Value, f)
	case *Delete:
		each(n.Targets, f)
	case *Assign:
		each(n.Targets, f)
		f(n.Value)
	case *TypeAlias:
		f(n.Name)
		each(n.TypeParams, f)
		f(n.Value)
	case *AugAssign:
		f(n.Target)
		f(n.Value)
	case *AnnAssign:
		f(n.Target)
		f(n.Annotation)
		opt(n.Value, f)
	case *For:
		f(n.Target)
		f(n.Iter)
		each(n.Body, f)
		each(n.Else, f)
	case *While:
		f(n.Test)
		each(n.Body, f)
		each(n.Else, f)
	case *If:
		f(n.Test)
		each(n.Body, f)
		each(n.Else, f)
	case *With:
		for _, it := range n.Items {
			f(it.Context)
			opt(it.Target, f)
		}
		each(n.Body, f)
	case *Match:
		f(n.Subject)
		for _, c := range n.Cases {
			f(c.Pattern)
			opt(c.Guard, f)
			each(c.Body, f)
		}
	case *Raise:
		opt(n.Exc, f)
		opt(n.Cause, f)
	case *Try:
		each(n.Body, f)
		each(n.Handlers, f)
		each(n.Else, f)
		each(n.Finally, f)
	case *Assert:
		f(n.Test)
		opt(n.Msg, f)
	case *Import:
		each(n.Names, f)
	case *ImportFrom:
		each(n.Names, f)
	case *ExprStmt:
		f(n.Value)
	}
}

// exprChildren visits the parts of an expression in the order of the source. A conditional
// expression's body comes before its test there, a comprehension's element before its loops.
func exprChildren(n Expr, f func(Node)) {
	switch n := n.(type) {
	case *BoolOp:
		each(n.Values, f)
	case *NamedExpr:
		f(n.Target)
		f(n.Value)
	case *BinOp:
		f(n.Left)
		f(n.Right)
	case *UnaryOp:
		f(n.Operand)
	case *Lambda:
		n.Params.each(f)
		f(n.Body)
	case *IfExp:
		f(n.Body)
		f(n.Test)
		f(n.Else)
	case *Dict:
		for i, k := range n.Keys {
			opt(k, f)
			f(n.Values[i])
		}
	case *Set:
		each(n.Elts, f)
	case *ListComp:
		f(n.Elt)
		comprehensions(n.Generators, f)
	case *SetComp:
		f(n.Elt)
		comprehensions(n.Generators, f)
	case *DictComp:
		f(n.Key)
		f(n.Value)
		comprehensions(n.Generators, f)
	case *GeneratorExp:
		f(n.Elt)
		comprehensions(n.Generators, f)
	case *Await:
		f(n.Value)
	case *Yield:
		opt(n.Value, f)
	case *YieldFrom:
		f(n.Value)
	case *Compare:
		f(n.Left)
		each(n.Comparators, f)
	case *Call:
		f(n.Func)
		each(n.Args, f)
		each(n.Keywords, f)
	case *FormattedValue:
		f(n.Value)
		if n.FormatSpec != nil {
			f(n.FormatSpec)
		}
	case *JoinedStr:
		each(n.Values, f)
	case *Interpolation:
		f(n.Value)
		if n.FormatSpec != nil {
			f(n.FormatSpec)
		}
	case *TemplateStr:
		each(n.Values, f)
	case *Attribute:
		f(n.Value)
	case *Subscript:
		f(n.Value)
		f(n.Index)
	case *Starred:
		f(n.Value)
	case *List:
		each(n.Elts, f)
	case *Tuple:
		each(n.Elts, f)
	case *Slice:
		opt(n.Lower, f)
		opt(n.Upper, f)
		opt(n.Step, f)
	}
}

// comprehensions visits the loops of a comprehension with their conditions.
func comprehensions(list []*Comprehension, f func(Node)) {
	for _, c := range list {
		f(c.Target)
		f(c.Iter)
		each(c.Ifs, f)
	}
}

// patternChildren visits the parts of a pattern of match; captured names are Name nodes.
func patternChildren(n Pattern, f func(Node)) {
	name := func(n *Name) {
		if n != nil {
			f(n)
		}
	}
	switch n := n.(type) {
	case *MatchValue:
		f(n.Value)
	case *MatchSequence:
		each(n.Patterns, f)
	case *MatchMapping:
		for i, k := range n.Keys {
			f(k)
			f(n.Patterns[i])
		}
		name(n.Rest)
	case *MatchClass:
		f(n.Cls)
		each(n.Patterns, f)
		each(n.KwdPatterns, f)
	case *MatchStar:
		name(n.Name)
	case *MatchAs:
		if n.Pattern != nil {
			f(n.Pattern)
		}
		name(n.Name)
	case *MatchOr:
		each(n.Patterns, f)
	}
}

// Blocks are the lists of statements that a compound statement is made of, in source order. A
// block may be empty, such as a missing else. Other statements have none.
func Blocks(s Stmt) [][]Stmt {
	switch s := s.(type) {
	case *FunctionDef:
		return [][]Stmt{s.Body}
	case *ClassDef:
		return [][]Stmt{s.Body}
	case *For:
		return [][]Stmt{s.Body, s.Else}
	case *While:
		return [][]Stmt{s.Body, s.Else}
	case *If:
		return [][]Stmt{s.Body, s.Else}
	case *With:
		return [][]Stmt{s.Body}
	case *Match:
		var out [][]Stmt
		for _, c := range s.Cases {
			out = append(out, c.Body)
		}
		return out
	case *Try:
		out := [][]Stmt{s.Body}
		for _, h := range s.Handlers {
			out = append(out, h.Body)
		}
		return append(out, s.Else, s.Finally)
	}
	return nil
}
