package parser

// This file checks what may be assigned to or deleted, and sets the context of
// such expressions.

import "shapecheck/parser/ast"

// Store makes the last expression a target of for, with or a comprehension.
func (b *builder) Store() { b.setContext(b.top(), ast.Store) }

// setContext makes v a target.
func (b *builder) setContext(v *val, ctx ast.ExprContext) { b.setExprContext(v.e, ctx) }

// setExprContext makes an expression that was read as a value a target, as only the = after it shows that it is
// one. What cannot be assigned to is refused with CPython's words.
func (b *builder) setExprContext(e ast.Expr, ctx ast.ExprContext) {
	switch e := e.(type) {
	case *ast.Name:
		e.Ctx = ctx
	case *ast.Attribute:
		e.Ctx = ctx
	case *ast.Subscript:
		e.Ctx = ctx
	case *ast.Tuple:
		e.Ctx = ctx
		for _, x := range e.Elts {
			b.setExprContext(x, ctx)
		}
	case *ast.List:
		e.Ctx = ctx
		for _, x := range e.Elts {
			b.setExprContext(x, ctx)
		}
	case *ast.Starred:
		if ctx == ast.Del {
			b.errorf(e.Span(), "cannot delete %s", describe(e))
			return
		}
		e.Ctx = ctx
		if _, ok := e.Value.(*ast.Starred); ok {
			b.errorf(e.Span(), "cannot assign to %s", describe(e))
			return
		}
		b.setExprContext(e.Value, ctx)
	default:
		verb := "assign to"
		if ctx == ast.Del {
			verb = "delete"
		}
		hint := ""
		switch e.(type) {
		case *ast.Compare, *ast.Call, *ast.BinOp, *ast.UnaryOp, *ast.BoolOp, *ast.IfExp, *ast.Constant:
			if ctx == ast.Store && b.prev().kind == tEqual {
				hint = "; perhaps you meant '=='"
			}
		}
		b.errorf(e.Span(), "cannot %s %s%s", verb, describe(e), hint)
	}
}

// describe names an expression in the reader's words.
func describe(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Name:
		return "the name '" + e.ID + "'"
	case *ast.Constant:
		switch e.Kind {
		case ast.NoneConst:
			return "None"
		case ast.TrueConst:
			return "True"
		case ast.FalseConst:
			return "False"
		case ast.EllipsisConst:
			return "an ellipsis"
		}
		return "a literal"
	case *ast.JoinedStr, *ast.FormattedValue:
		return "an f-string"
	case *ast.TemplateStr, *ast.Interpolation:
		return "a t-string"
	case *ast.Call:
		return "a function call"
	case *ast.BinOp, *ast.UnaryOp, *ast.BoolOp:
		return "an expression"
	case *ast.Compare:
		return "a comparison"
	case *ast.IfExp:
		return "a conditional expression"
	case *ast.Lambda:
		return "a lambda"
	case *ast.NamedExpr:
		return "a ':=' expression"
	case *ast.Dict:
		return "a dict literal"
	case *ast.Set:
		return "a set literal"
	case *ast.ListComp:
		return "a list comprehension"
	case *ast.SetComp:
		return "a set comprehension"
	case *ast.DictComp:
		return "a dict comprehension"
	case *ast.GeneratorExp:
		return "a generator expression"
	case *ast.Await:
		return "an await expression"
	case *ast.Yield, *ast.YieldFrom:
		return "a yield expression"
	case *ast.Tuple:
		return "a tuple"
	case *ast.List:
		return "a list"
	case *ast.Starred:
		return "a starred expression"
	case *ast.Attribute:
		return "an attribute"
	case *ast.Subscript:
		return "a subscript"
	}
	return "this expression"
}
