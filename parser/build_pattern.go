package parser

// This file builds match statements and their patterns.
//
// The generated parser calls these methods in the order in which it recognises the parts, and
// they work on a stack of finished patterns; a frame remembers how high the stack was when a
// construct began. The grammar alone cannot tell a capture from the beginning of a class pattern
// or a keyword, so a dotted name is kept as an expression until the next token decides.

import (
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A pat is a pattern under construction. A dotted name lies here as key until it
// is known what it means; a keyword argument has its name in kw.
type pat struct {
	p          ast.Pattern
	start, end source.Pos
	key        ast.Expr
	kw         ast.Ident
	star       bool
	kwArg      bool
	group      bool
}

func (p *pat) span() source.Span { return source.Span{Start: p.start, End: p.end} }

// Subject checks the expression after match: a starred one needs a comma.
func (b *builder) Subject() {
	if v := b.top(); v.level == levelNamed {
		if s, ok := v.e.(*ast.Starred); ok {
			b.errorf(s.Span(), "a starred expression cannot stand alone after 'match'; a tuple needs a comma")
		}
	}
}

func (b *builder) Match() {
	f := b.end()
	b.needs(ast.MatchStatement, source.Span{Start: f.pos, End: f.pos + 5})
	n := &ast.Match{Loc: b.locFrom(f.pos), Subject: b.pop().e}
	n.Cases = append([]*ast.MatchCase(nil), b.cases[f.cases:]...)
	b.cases = b.cases[:f.cases]
	b.stmt(n)
}

func (b *builder) BeginCase()    { b.Begin() }
func (b *builder) PatternComma() { b.frame().n++ }
func (b *builder) Guard()        { b.frame().flags |= hasGuard }

// CasePattern makes a sequence of patterns without brackets. "case a, b:" and "case *a:" are
// sequences; the latter needs a comma, which is checked here.
func (b *builder) CasePattern() {
	f := b.frame()
	pats := b.patterns[f.patterns:]
	if f.n == 0 && !pats[0].star {
		return
	}
	if f.n == 0 {
		b.errorf(pats[0].span(), "a starred pattern cannot stand alone; a sequence needs a comma")
	}
	start := pats[0].start
	n := &ast.MatchSequence{Loc: b.locFrom(start), Patterns: b.takePatterns(f.patterns)}
	b.pushPattern(n, n.Loc)
}

func (b *builder) Case() {
	f := b.end()
	c := &ast.MatchCase{Body: b.popBlock()}
	if f.flags&hasGuard != 0 {
		c.Guard = b.pop().e
	}
	c.Pattern = b.popPattern().p
	b.cases = append(b.cases, c)
}

func (b *builder) pushPattern(p ast.Pattern, loc ast.Loc) {
	b.patterns = append(b.patterns, pat{p: p, start: loc.Start, end: loc.End})
}

func (b *builder) topPattern() *pat { return &b.patterns[len(b.patterns)-1] }

func (b *builder) popPattern() pat {
	n := len(b.patterns) - 1
	p := b.patterns[n]
	b.patterns = b.patterns[:n]
	return p
}

// mark is the height of the stack when the list began.
func (b *builder) takePatterns(mark int32) []ast.Pattern {
	pats := b.patterns[mark:]
	list := make([]ast.Pattern, len(pats))
	for i := range pats {
		list[i] = pats[i].p
	}
	b.patterns = b.patterns[:mark]
	return list
}

// bind makes the Name that a pattern binds, nil for the wildcard.
func (b *builder) bind(loc ast.Loc, id string) *ast.Name {
	if id == "_" {
		return nil
	}
	return b.newName(loc, id, ast.Store)
}

func (b *builder) PatternStar() {
	f := b.end()
	n := &ast.MatchStar{Loc: b.locFrom(f.pos), Name: b.bind(b.prevLoc(), b.name())}
	b.pushPattern(n, n.Loc)
	b.topPattern().star = true
}

func (b *builder) PatternAs() {
	p := b.popPattern()
	id := b.name()
	if id == "_" {
		b.errorf(b.tokenSpan(b.prev()), "cannot use '_' as the target of 'as'")
	}
	n := &ast.MatchAs{Loc: b.locFrom(p.start), Pattern: p.p, Name: b.newName(b.prevLoc(), id, ast.Store)}
	b.pushPattern(n, n.Loc)
}

func (b *builder) BeginOr() {
	b.begin(b.topPattern().start, 0)
	b.frame().patterns--
}

func (b *builder) PatternOr() {
	f := b.end()
	n := &ast.MatchOr{Loc: b.locFrom(f.pos), Patterns: b.takePatterns(f.patterns)}
	b.pushPattern(n, n.Loc)
}

// PatternName begins a name that may turn out to be a capture, a dotted value
// or a class.
func (b *builder) PatternName() {
	loc := b.prevLoc()
	b.patterns = append(b.patterns, pat{
		start: loc.Start, end: loc.End, key: b.newName(loc, b.name(), ast.Load),
	})
}

func (b *builder) PatternAttr() {
	p := b.topPattern()
	n := &ast.Attribute{Loc: b.locFrom(p.start), Value: p.key, Attr: b.ident()}
	p.key, p.end = n, n.End
}

// PatternValueOrCapture: a dotted name is a value to compare with, a plain one is bound, and _ is neither.
func (b *builder) PatternValueOrCapture() {
	p := b.popPattern()
	loc := ast.Loc{Start: p.start, End: p.end}
	name, ok := p.key.(*ast.Name)
	if !ok {
		b.notWildcard(&p)
		b.pushPattern(&ast.MatchValue{Loc: loc, Value: p.key}, loc)
		return
	}
	n := &ast.MatchAs{Loc: loc, Name: name}
	name.Ctx = ast.Store
	if name.ID == "_" {
		b.dropName(name)
		n.Name = nil
	}
	b.pushPattern(n, loc)
	b.topPattern().key = name // for a keyword argument
}

func (b *builder) BeginClassPattern() {
	b.notWildcard(b.topPattern())
	b.Begin()
}

// notWildcard refuses "_.x" and "_()".
func (b *builder) notWildcard(p *pat) {
	e := p.key
	for {
		a, ok := e.(*ast.Attribute)
		if !ok {
			break
		}
		e = a.Value
	}
	if n, ok := e.(*ast.Name); ok && n.ID == "_" {
		b.errorf(n.Span(), "'_' is the wildcard here and has neither attributes nor arguments")
	}
}

// PatternClass collects positions and keywords; positions come first.
func (b *builder) PatternClass() {
	f := b.end()
	n := &ast.MatchClass{}
	for i := range b.patterns[f.patterns:] {
		p := &b.patterns[int(f.patterns)+i]
		switch {
		case p.kwArg:
			n.KwdAttrs = append(n.KwdAttrs, p.kw)
			n.KwdPatterns = append(n.KwdPatterns, p.p)
		default:
			if len(n.KwdAttrs) > 0 {
				b.errorf(p.span(), "positional patterns follow keyword patterns")
			}
			n.Patterns = append(n.Patterns, p.p)
		}
	}
	b.patterns = b.patterns[:f.patterns]
	cls := b.popPattern()
	n.Cls = cls.key
	n.Loc = b.locFrom(cls.start)
	b.pushPattern(n, n.Loc)
}

// PatternKeyword turns the capture before "=" into an attribute's name. The Name node that was
// made for the capture is taken back, as an attribute is no variable.
func (b *builder) PatternKeyword() {
	p := b.topPattern()
	name, ok := p.key.(*ast.Name)
	if m, capture := p.p.(*ast.MatchAs); !ok || !capture || m.Pattern != nil || p.group {
		b.errorf(p.span(), "expected an attribute name before '=' in a class pattern")
		p.kwArg = true
		return
	}
	p.kw = ast.Ident{Loc: name.Loc, Name: name.ID}
	b.dropName(name)
	p.kwArg = true
}

func (b *builder) PatternKeywordValue() {
	v := b.popPattern()
	p := b.topPattern()
	p.p, p.end = v.p, v.end
}

// PatternLiteral makes a pattern of a literal. None, True and False are compared by identity
// (MatchSingleton), all other literals by equality.
func (b *builder) PatternLiteral() {
	v := b.pop()
	if c, ok := v.e.(*ast.Constant); ok && c.Kind <= ast.FalseConst {
		b.pushPattern(&ast.MatchSingleton{Loc: c.Loc, Value: c.Kind}, c.Loc)
		return
	}
	loc := v.loc()
	b.pushPattern(&ast.MatchValue{Loc: loc, Value: v.e}, loc)
}

// NegativeNumber has the number's sign as frame.
func (b *builder) NegativeNumber() {
	f := b.end()
	b.Number()
	v := b.pop()
	loc := b.locFrom(f.pos)
	b.push(&ast.UnaryOp{Loc: loc, Op: ast.USub, Operand: v.e}, loc, 2, levelUnary)
}

// ComplexSign is called between the parts of a complex literal.
func (b *builder) ComplexSign() {
	v := b.top()
	e := v.e
	if u, ok := e.(*ast.UnaryOp); ok {
		e = u.Operand
	}
	if c, ok := e.(*ast.Constant); ok && c.Kind == ast.ComplexConst {
		b.errorf(v.span(), "expected a real number as the first part of a complex literal")
	}
	b.Begin()
}

// Complex is a literal such as -1 + 2j, which a pattern allows although it is a sum.
func (b *builder) Complex() {
	f := b.end()
	b.Number()
	imag, left := b.pop(), b.pop()
	if c, ok := imag.e.(*ast.Constant); ok && c.Kind != ast.ComplexConst {
		b.errorf(imag.span(), "expected an imaginary number as the second part of a complex literal")
	}
	n := &ast.BinOp{Loc: b.locFrom(left.start), Left: left.e, Op: ast.Add, Right: imag.e}
	if b.toks[f.tok].kind == tMinus {
		n.Op = ast.Sub
	}
	b.push(n, n.Loc, 3, levelArith)
}

// PatternParen is a group or a sequence in parentheses.
func (b *builder) PatternParen() {
	f := b.end()
	pats := b.patterns[f.patterns:]
	if len(pats) == 1 && f.n == 0 && !pats[0].star {
		p := &pats[0]
		p.start, p.end = f.pos, b.prevEnd()
		p.group = true
		p.key = nil
		return
	}
	if len(pats) == 1 && f.n == 0 {
		b.errorf(pats[0].span(), "a starred pattern cannot stand alone in parentheses; a sequence needs a comma")
	}
	n := &ast.MatchSequence{Loc: b.locFrom(f.pos), Patterns: b.takePatterns(f.patterns)}
	b.pushPattern(n, n.Loc)
}

func (b *builder) PatternList() {
	f := b.end()
	n := &ast.MatchSequence{Loc: b.locFrom(f.pos), Patterns: b.takePatterns(f.patterns)}
	b.pushPattern(n, n.Loc)
}

// MappingKey moves the key, a literal or a dotted name, to the pattern stack.
func (b *builder) MappingKey() {
	f := b.frame()
	if f.flags&hasName != 0 {
		b.errorf(b.tokenSpan(b.prev()), "the '**' pattern must be the last in a mapping")
	}
	if len(b.vals) > int(f.vals) {
		v := b.pop()
		b.patterns = append(b.patterns, pat{start: v.start, end: v.end, key: v.e})
	}
}

func (b *builder) MappingValue() {
	v := b.popPattern()
	b.topPattern().p = v.p
}

// MappingRest keeps the name on vals until the mapping is complete.
func (b *builder) MappingRest() {
	f := b.frame()
	t := b.tokenSpan(b.prev())
	id := b.name()
	switch {
	case f.flags&hasName != 0:
		b.errorf(t, "a mapping pattern can have only one '**'")
		return
	case id == "_":
		b.errorf(t, "cannot use '_' as the target of '**'")
	}
	f.flags |= hasName
	b.idents = append(b.idents, b.ident())
}

func (b *builder) PatternMapping() {
	f := b.end()
	n := &ast.MatchMapping{Loc: b.locFrom(f.pos)}
	for _, p := range b.patterns[f.patterns:] {
		n.Keys = append(n.Keys, p.key)
		n.Patterns = append(n.Patterns, p.p)
	}
	b.patterns = b.patterns[:f.patterns]
	if f.flags&hasName != 0 {
		id := b.popIdent()
		n.Rest = b.newName(id.Loc, id.Name, ast.Store)
	}
	b.pushPattern(n, n.Loc)
}
