package trace

// This file proposes torch.cond and jax.lax.cond for branches whose two sides are expressions: the graph then keeps both.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// A choice gives one of two expressions to a target: a name, or nil for what is returned.
type choice struct {
	at      source.Span
	target  *ast.Name
	test    ast.Expr
	yes, no ast.Expr
}

// conds makes of the branch at a finding a call of cond, a function of torch or JAX that takes a condition and two functions:
// of an if statement whose sides return an expression or give one to the same variable, or of a conditional expression.
func (p *proposer) conds(x *diag.Diagnostic, cond string) []diag.Fix {
	library, _, _ := strings.Cut(cond, ".")
	b := p.choice(x.At.Start)
	if b == nil || !p.imports(library) || slices.ContainsFunc([]ast.Expr{b.yes, b.no}, leavesLambda) {
		return nil
	}
	side := func(e ast.Expr) string {
		text := p.file.Slice(e.Span())
		if cond == "torch.cond" && mayAlias(e) { // which takes no tensor back as it gave it
			text += ".clone()"
		}
		return "lambda: " + text
	}
	args := []string{p.file.Slice(b.test.Span()), side(b.yes), side(b.no)}
	if cond == "torch.cond" {
		args = append(args, "()")
	}
	call := cond + "(" + strings.Join(args, ", ") + ")"
	if !isCall(call, len(args)) {
		return nil
	}
	given := "return "
	if b.target != nil {
		given = b.target.ID + " = "
	}
	return []diag.Fix{replace("keep both sides by "+cond, b.at, given+call)}
}

// imports reports whether the top level of the file imports a library under its own name.
func (p *proposer) imports(library string) bool {
	return slices.ContainsFunc(p.module().Body, func(s ast.Stmt) bool {
		i, ok := s.(*ast.Import)
		return ok && slices.ContainsFunc(i.Names, func(a *ast.Alias) bool { return a.Name.Name == library && a.AsName.Name == "" })
	})
}

// choice takes the branch apart that the innermost statement at a place is; nil: it has another form.
func (p *proposer) choice(at source.Pos) *choice {
	block, i := p.statement(at)
	if block == nil || !p.startsLine(block[i]) {
		return nil
	}
	s, ok := block[i].(*ast.If)
	if !ok {
		target, value, ok := assignedValue(block[i])
		if e, isIf := value.(*ast.IfExp); ok && isIf {
			return &choice{block[i].Span(), target, e.Test, e.Body, e.Else}
		}
		return nil
	}
	if len(s.Body) != 1 || len(s.Else) > 1 {
		return nil
	}
	target, yes, ok := assignedValue(s.Body[0])
	if !ok {
		return nil
	}
	b := &choice{s.Span(), target, s.Test, yes, nil}
	other := s.Else
	switch {
	case len(other) == 1:
	case target != nil: // the variable stays
		b.no = target
		return b
	case i+1 == len(block):
		return nil
	default: // what follows is the other side
		other = block[i+1 : i+2]
		b.at.End = other[0].Span().End
	}
	also, no, ok := assignedValue(other[0])
	if !ok || (also == nil) != (target == nil) || target != nil && also.ID != target.ID {
		return nil
	}
	b.no = no
	return b
}

// assignedValue is the expression that a statement returns, or gives to one name.
func assignedValue(s ast.Stmt) (target *ast.Name, value ast.Expr, ok bool) {
	switch s := s.(type) {
	case *ast.Return:
		return nil, s.Value, s.Value != nil
	case *ast.Assign:
		if len(s.Targets) == 1 {
			target, ok = s.Targets[0].(*ast.Name)
		}
		return target, s.Value, ok
	}
	return nil, nil, false
}

// leavesLambda reports whether an expression has a part that means something else in a lambda.
func leavesLambda(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.NamedExpr, *ast.Yield, *ast.YieldFrom, *ast.Await:
			found = true
		}
		return !found
	})
	return found
}

// isCall reports whether a text is a call with so many arguments: its parts are expressions by themselves, without comments.
func isCall(text string, args int) bool {
	tree, faults := parser.ParseExpr(source.NewFile("", text))
	if len(faults) > 0 || len(tree.Body) != 1 || len(tree.Comments) > 0 {
		return false
	}
	s, ok := tree.Body[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := s.Value.(*ast.Call)
	return ok && len(c.Args) == args && len(c.Keywords) == 0
}

// mayAlias reports whether an expression may be a tensor that there is already, or a view of one.
func mayAlias(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name, *ast.Attribute, *ast.Subscript:
		return true
	case *ast.Call:
		f, ok := e.Func.(*ast.Attribute)
		if !ok {
			return false
		}
		op, known := catalog.Lookup("torch.Tensor." + f.Attr.Name) // torch.transpose(x, 0, 1) has the same record as x.transpose(0, 1)
		return known && op.Is&(graph.View|graph.MaybeSelf) != 0
	}
	return false
}
