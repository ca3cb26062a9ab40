package parser

// This file builds the simple statements.
//
// The names of the methods are those of actions in the grammar, which calls them in the order of
// the source: an action for a part follows its tokens at once. Values of parts lie on the
// builder's stacks until the statement's own action takes them.

import (
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// ExprStmt makes a statement of the expression on the stack.
func (b *builder) ExprStmt() {
	v := b.pop()
	n := b.mem.exprStmt.new()
	*n = ast.ExprStmt{Loc: v.loc(), Value: v.e}
	b.stmt(n)
}

// BeginAssign is called after the first "=". The frame begins before the first target, which is
// on the stack already, hence the correction of its height.
func (b *builder) BeginAssign() {
	b.begin(b.top().start, 0)
	b.frame().vals--
	b.checkTarget()
}

// checkTarget makes the expression before an "=" a target. What cannot be one is reported.
func (b *builder) checkTarget() { b.setContext(b.top(), ast.Store) }

// Assign has the targets and the value on the stack. The first target was
// checked at its "="; the others are checked here, where it is known that they
// are targets.
func (b *builder) Assign() {
	f := b.end()
	value := b.pop()
	for i := int(f.vals) + 1; i < len(b.vals); i++ {
		b.setContext(&b.vals[i], ast.Store)
	}
	targets, _ := b.takeExprs(f.vals)
	n := b.mem.assign.new()
	*n = ast.Assign{Loc: ast.Loc{Start: f.pos, End: value.end}, Targets: targets, Value: value.e}
	b.stmt(n)
}

// AnnTarget is called after the ":" of an annotated assignment. Python allows a name, an
// attribute or a subscript there.
func (b *builder) AnnTarget() {
	v := b.top()
	switch v.e.(type) {
	case *ast.Name, *ast.Attribute, *ast.Subscript:
		b.setContext(v, ast.Store)
	case *ast.Tuple, *ast.List:
		b.errorf(v.span(), "only a single target can be annotated, not %s", describe(v.e))
	default:
		b.errorf(v.span(), "cannot annotate %s", describe(v.e))
	}
	b.begin(v.start, 0)
	b.frame().vals--
}

// AnnEqual notes that an annotated assignment has a value.
func (b *builder) AnnEqual() { b.frame().flags |= hasElse }

// AnnAssign has target, annotation and perhaps the value on the stack. Simple is Python's: the
// target is a name without parentheses, which alone makes it a local variable with an annotation.
func (b *builder) AnnAssign() {
	f := b.end()
	n := &ast.AnnAssign{Loc: b.locFrom(f.pos)}
	if f.flags&hasElse != 0 {
		v := b.pop()
		n.Value, n.End = v.e, v.end
	}
	n.Annotation = b.pop().e
	target := b.pop()
	n.Target = target.e
	_, name := target.e.(*ast.Name)
	n.Simple = name && target.flags == 0
	b.stmt(n)
}

// AugTarget is called after the target of an augmented assignment, before its operator.
func (b *builder) AugTarget() {
	v := b.top()
	switch v.e.(type) {
	case *ast.Name, *ast.Attribute, *ast.Subscript:
		b.setContext(v, ast.Store)
	default:
		b.errorf(v.span(), "cannot use augmented assignment on %s", describe(v.e))
	}
	b.Begin()
}

// AugAssign has target and value on the stack; the frame's token is the operator.
func (b *builder) AugAssign() {
	f := b.end()
	value, target := b.pop(), b.pop()
	n := &ast.AugAssign{Loc: ast.Loc{Start: target.start, End: value.end}, Target: target.e, Value: value.e}
	switch b.src[b.toks[f.tok].start:b.toks[f.tok].end] {
	case "+=":
		n.Op = ast.Add
	case "-=":
		n.Op = ast.Sub
	case "*=":
		n.Op = ast.Mult
	case "@=":
		n.Op = ast.MatMult
	case "/=":
		n.Op = ast.Div
	case "%=":
		n.Op = ast.Mod
	case "**=":
		n.Op = ast.Pow
	case "<<=":
		n.Op = ast.LShift
	case ">>=":
		n.Op = ast.RShift
	case "|=":
		n.Op = ast.BitOr
	case "^=":
		n.Op = ast.BitXor
	case "&=":
		n.Op = ast.BitAnd
	case "//=":
		n.Op = ast.FloorDiv
	}
	b.stmt(n)
}

// Return has an optional value on the stack.
func (b *builder) Return() {
	f := b.end()
	n := b.mem.ret.new()
	*n = ast.Return{Loc: b.locFrom(f.pos), Value: b.popOptional(f.vals)}
	b.stmt(n)
}

// Raise has up to two values: the exception and its cause.
func (b *builder) Raise() {
	f := b.end()
	n := &ast.Raise{Loc: b.locFrom(f.pos)}
	if len(b.vals) > int(f.vals)+1 {
		n.Cause = b.pop().e
	}
	n.Exc = b.popOptional(f.vals)
	b.stmt(n)
}

// Assert has the condition and perhaps the message.
func (b *builder) Assert() {
	f := b.end()
	n := &ast.Assert{Loc: b.locFrom(f.pos)}
	if len(b.vals) > int(f.vals)+1 {
		n.Msg = b.pop().e
	}
	n.Test = b.pop().e
	b.stmt(n)
}

// Delete has one expression; a tuple without parentheses is a list of targets.
func (b *builder) Delete() {
	f := b.end()
	v := b.pop()
	n := &ast.Delete{Loc: b.locFrom(f.pos)}
	if t, ok := v.e.(*ast.Tuple); ok && v.flags == 0 {
		n.Targets = t.Elts
	} else {
		n.Targets = []ast.Expr{v.e}
	}
	for _, t := range n.Targets {
		b.setExprContext(t, ast.Del)
	}
	b.stmt(n)
}

func (b *builder) Pass()     { b.stmt(&ast.Pass{Loc: b.prevLoc()}) }
func (b *builder) Break()    { b.stmt(&ast.Break{Loc: b.prevLoc()}) }
func (b *builder) Continue() { b.stmt(&ast.Continue{Loc: b.prevLoc()}) }

// Ident pushes the last consumed token as an identifier.
func (b *builder) Ident() { b.idents = append(b.idents, b.ident()) }

// DottedPart notes a further part of the identifier before it.
func (b *builder) DottedPart() {
	id := &b.idents[len(b.idents)-1]
	if len(b.dotted) == 0 {
		b.dotted = append(b.dotted, id.Name)
	}
	b.dotted = append(b.dotted, b.name())
	id.End = b.prevLoc().End
}

// joinDotted completes a dotted identifier.
func (b *builder) joinDotted() {
	if len(b.dotted) > 0 {
		b.idents[len(b.idents)-1].Name = strings.Join(b.dotted, ".")
		b.dotted = b.dotted[:0]
	}
}

// takeIdents gives the identifiers above a height of the stack and removes them.
func (b *builder) takeIdents(mark int32) []ast.Ident {
	list := append([]ast.Ident(nil), b.idents[mark:]...)
	b.idents = b.idents[:mark]
	return list
}

// popIdent removes the last identifier.
func (b *builder) popIdent() ast.Ident {
	n := len(b.idents) - 1
	id := b.idents[n]
	b.idents = b.idents[:n]
	return id
}

// Global and Nonlocal have the names on the stack of identifiers.
func (b *builder) Global() {
	f := b.end()
	b.stmt(&ast.Global{Loc: b.locFrom(f.pos), Names: b.takeIdents(f.idents)})
}

func (b *builder) Nonlocal() {
	f := b.end()
	b.stmt(&ast.Nonlocal{Loc: b.locFrom(f.pos), Names: b.takeIdents(f.idents)})
}

// Alias has the name on the stack. A dotted name is one identifier with dots in it, as in
// CPython's tree.
func (b *builder) Alias() {
	b.joinDotted()
	id := b.popIdent()
	b.aliases = append(b.aliases, &ast.Alias{Loc: id.Loc, Name: id})
}

// AliasAs has the name on the stack, and the new name is the last token.
func (b *builder) AliasAs() {
	b.joinDotted()
	id := b.popIdent()
	b.aliases = append(b.aliases, &ast.Alias{Loc: b.locFrom(id.Start), Name: id, AsName: b.ident()})
}

// AliasStar is "from m import *".
func (b *builder) AliasStar() {
	loc := b.prevLoc()
	b.aliases = append(b.aliases, &ast.Alias{Loc: loc, Name: ast.Ident{Loc: loc, Name: "*"}})
}

// takeAliases gives the aliases above a height of the stack and removes them.
func (b *builder) takeAliases(mark int32) []*ast.Alias {
	list := append([]*ast.Alias(nil), b.aliases[mark:]...)
	b.aliases = b.aliases[:mark]
	return list
}

// Import has the aliases on their stack.
func (b *builder) Import() {
	f := b.end()
	b.stmt(&ast.Import{Loc: b.locFrom(f.pos), Names: b.takeAliases(f.aliases)})
}

// Dots counts the dots of a relative import. An ellipsis is one token of three.
func (b *builder) Dots() {
	t := b.prev()
	b.frame().n += t.end - t.start
}

// FromModule is called at "import": the module, if any, is on the stack.
func (b *builder) FromModule() { b.joinDotted() }

// ImportFrom has the aliases, and the module if there is one; the frame has counted the dots.
func (b *builder) ImportFrom() {
	f := b.end()
	n := &ast.ImportFrom{Loc: b.locFrom(f.pos), Level: int(f.n), Names: b.takeAliases(f.aliases)}
	if len(b.idents) > int(f.idents) {
		n.Module = b.popIdent()
	}
	b.stmt(n)
}

// StoreName pushes the last consumed token as a Name that is bound.
func (b *builder) StoreName() {
	loc := b.prevLoc()
	b.push(b.newName(loc, b.name(), ast.Store), loc, 1, levelPrimary)
}

// TypeAlias has name and value on the stack, and the type parameters if the frame's flag says so.
// It needs Python 3.12.
func (b *builder) TypeAlias() {
	f := b.end()
	b.needs(ast.TypeStatement, source.Span{Start: f.pos, End: f.pos + 4})
	value, name := b.pop(), b.pop()
	n := &ast.TypeAlias{Loc: b.locFrom(f.pos), Name: name.e.(*ast.Name), Value: value.e}
	n.TypeParams = b.popTypeParams(f.flags)
	b.stmt(n)
}
