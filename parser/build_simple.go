package parser

// This file builds the simple statements.

import (
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

func (b *builder) ExprStmt() {
	v := b.pop()
	n := b.mem.exprStmt.new()
	*n = ast.ExprStmt{Loc: v.loc(), Value: v.e}
	b.stmt(n)
}

// BeginAssign is called after the first "=".
func (b *builder) BeginAssign() {
	b.begin(b.top().start, 0)
	b.frame().vals--
	b.checkTarget()
}

// checkTarget makes the expression before an "=" a target.
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

// AnnTarget is called after the ":" of an annotated assignment.
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

func (b *builder) AnnEqual() { b.frame().flags |= hasElse }

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

func (b *builder) Return() {
	f := b.end()
	n := b.mem.ret.new()
	*n = ast.Return{Loc: b.locFrom(f.pos), Value: b.popOptional(f.vals)}
	b.stmt(n)
}

func (b *builder) Raise() {
	f := b.end()
	n := &ast.Raise{Loc: b.locFrom(f.pos)}
	if len(b.vals) > int(f.vals)+1 {
		n.Cause = b.pop().e
	}
	n.Exc = b.popOptional(f.vals)
	b.stmt(n)
}

func (b *builder) Assert() {
	f := b.end()
	n := &ast.Assert{Loc: b.locFrom(f.pos)}
	if len(b.vals) > int(f.vals)+1 {
		n.Msg = b.pop().e
	}
	n.Test = b.pop().e
	b.stmt(n)
}

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

func (b *builder) takeIdents(mark int32) []ast.Ident {
	list := append([]ast.Ident(nil), b.idents[mark:]...)
	b.idents = b.idents[:mark]
	return list
}

func (b *builder) popIdent() ast.Ident {
	n := len(b.idents) - 1
	id := b.idents[n]
	b.idents = b.idents[:n]
	return id
}

func (b *builder) Global() {
	f := b.end()
	b.stmt(&ast.Global{Loc: b.locFrom(f.pos), Names: b.takeIdents(f.idents)})
}

func (b *builder) Nonlocal() {
	f := b.end()
	b.stmt(&ast.Nonlocal{Loc: b.locFrom(f.pos), Names: b.takeIdents(f.idents)})
}

// Alias has the name on the stack.
func (b *builder) Alias() {
	b.joinDotted()
	id := b.popIdent()
	b.aliases = append(b.aliases, &ast.Alias{Loc: id.Loc, Name: id})
}

func (b *builder) AliasAs() {
	b.joinDotted()
	id := b.popIdent()
	b.aliases = append(b.aliases, &ast.Alias{Loc: b.locFrom(id.Start), Name: id, AsName: b.ident()})
}

func (b *builder) AliasStar() {
	loc := b.prevLoc()
	b.aliases = append(b.aliases, &ast.Alias{Loc: loc, Name: ast.Ident{Loc: loc, Name: "*"}})
}

func (b *builder) takeAliases(mark int32) []*ast.Alias {
	list := append([]*ast.Alias(nil), b.aliases[mark:]...)
	b.aliases = b.aliases[:mark]
	return list
}

func (b *builder) Import() {
	f := b.end()
	b.stmt(&ast.Import{Loc: b.locFrom(f.pos), Names: b.takeAliases(f.aliases)})
}

// Dots counts the dots of a relative import.
func (b *builder) Dots() {
	t := b.prev()
	b.frame().n += t.end - t.start
}

// FromModule is called at "import": the module, if any, is on the stack.
func (b *builder) FromModule() { b.joinDotted() }

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

func (b *builder) TypeAlias() {
	f := b.end()
	b.needs(ast.TypeStatement, source.Span{Start: f.pos, End: f.pos + 4})
	value, name := b.pop(), b.pop()
	n := &ast.TypeAlias{Loc: b.locFrom(f.pos), Name: name.e.(*ast.Name), Value: value.e}
	n.TypeParams = b.popTypeParams(f.flags)
	b.stmt(n)
}
