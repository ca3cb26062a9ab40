package trace

// This file proposes torch.cond and jax.lax.cond for branches whose two sides are expressions: the
// graph then keeps both. The proposals are edits of the source text: the parts of the branch are
// copied as they are written into lambdas, so comments inside of a branch, and forms that would
// mean something else in a lambda, exclude a proposal.

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

// A choice gives one of two expressions to a target: a name, or nil for what is returned. Both
// expressions and the test keep their text; at is what the edit replaces, which is more than the if
// statement where the code after it is the other side.
type choice struct {
	at      source.Span
	target  *ast.Name
	test    ast.Expr
	yes, no ast.Expr
}

// conds makes of the branch at a finding a call of cond, a function of torch or JAX that takes a condition and two functions:
// of an if statement whose sides return an expression or give one to the same variable, or of a
// conditional expression. cond is "torch.cond" or "jax.lax.cond". It proposes nothing where the
// file does not import the library by its name, as the edit would need an import too.
func (p *proposer) conds(x *diag.Diagnostic, cond string) []diag.Fix {
	library, _, _ := strings.Cut(cond, ".")
	b := p.choice(x.At.Start)
	if b == nil || !p.imports(library) || slices.ContainsFunc([]ast.Expr{b.yes, b.no}, leavesLambda) {
		return nil
	}
	side := func(e ast.Expr) string {
		text := p.file.Slice(e.Span())
		// torch.cond refuses branches that return one of their operands.
		if cond == "torch.cond" && mayAlias(e) { // which takes no tensor back as it gave it
			text += ".clone()"
		}
		return "lambda: " + text
	}
	args := []string{p.file.Slice(b.test.Span()), side(b.yes), side(b.no)}
	// torch.cond wants the operands as a tuple; the lambdas take theirs from around them.
	if cond == "torch.cond" {
		args = append(args, "()")
	}
	call := cond + "(" + strings.Join(args, ", ") + ")"
	// A comment or a line end in a part could make the text something else.
	if !isCall(call, len(args)) {
		return nil
	}
	given := "return "
	if b.target != nil {
		given = b.target.ID + " = "
	}
	return []diag.Fix{replace("keep both sides by "+cond, b.at, given+call)}
}

// imports reports whether the top level of the file imports a library under its own name. An import
// under another name does not count.
func (p *proposer) imports(library string) bool {
	return slices.ContainsFunc(p.module().Body, func(s ast.Stmt) bool {
		i, ok := s.(*ast.Import)
		return ok && slices.ContainsFunc(i.Names, func(a *ast.Alias) bool { return a.Name.Name == library && a.AsName.Name == "" })
	})
}

// choice takes the branch apart that the innermost statement at a place is; nil: it has another
// form. The statement must begin its line, as the edit puts a statement in its place.
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
	// Each side is one statement. An elif is an if in Else, and so falls out at assignedValue.
	if len(s.Body) != 1 || len(s.Else) > 1 {
		return nil
	}
	target, yes, ok := assignedValue(s.Body[0])
	if !ok {
		return nil
	}
	b := &choice{s.Span(), target, s.Test, yes, nil}
	other := s.Else
	// Without an else the other side is what would happen otherwise.
	switch {
	case len(other) == 1:
	case target != nil: // the variable stays
		b.no = target
		return b
	// Nothing follows: the function would return None.
	case i+1 == len(block):
		return nil
	default: // what follows is the other side
		other = block[i+1 : i+2]
		b.at.End = other[0].Span().End
	}
	also, no, ok := assignedValue(other[0])
	// Both sides return, or both give the same variable.
	if !ok || (also == nil) != (target == nil) || target != nil && also.ID != target.ID {
		return nil
	}
	b.no = no
	return b
}

// assignedValue is the expression that a statement returns, or gives to one name. An assignment to
// several targets, an attribute or an element is none.
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

// leavesLambda reports whether an expression has a part that means something else in a lambda. A
// name that is bound in a lambda is local to it, and yield makes it another function.
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

// isCall reports whether a text is a call with so many arguments: its parts are expressions by
// themselves, without comments. It parses the text, which is safer than looking for commas and
// comments in it.
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
// It says yes where it is not sure for names, attributes and elements; of calls of methods the
// catalogue knows which give views.
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
