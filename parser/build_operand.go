package parser

// This file builds names, literals, attributes, calls and subscripts.
//
// These are the operands with the highest precedence, levelPrimary. The depth of a node is one
// more than that of its deepest part, which is how the parser bounds recursion of later passes.

import (
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// Name pushes the last token as a name that is read; setContext makes a target of it later.
func (b *builder) Name() {
	loc := b.prevLoc()
	b.vals = append(b.vals, val{
		e: b.newName(loc, b.name(), ast.Load), start: loc.Start, end: loc.End, depth: 1, level: levelPrimary,
	})
}

// newConst takes a constant out of the builder's memory.
func (b *builder) newConst(loc ast.Loc, kind ast.ConstKind) *ast.Constant {
	c := b.mem.constant.new()
	c.Loc, c.Kind = loc, kind
	return c
}

// Number pushes the last token as a number, with an error of its form.
func (b *builder) Number() {
	loc := b.prevLoc()
	c := b.newConst(loc, ast.IntConst)
	if msg := parseNumber(c, b.text()); msg != "" {
		b.errorf(c.Span(), "%s", msg)
	}
	b.push(c, loc, 1, levelPrimary)
}

// Const handles None, True, False and the ellipsis.
func (b *builder) Const() {
	kind := ast.NoneConst
	switch b.prev().kind {
	case tTrue:
		kind = ast.TrueConst
	case tFalse:
		kind = ast.FalseConst
	case tEllipsis:
		kind = ast.EllipsisConst
	}
	loc := b.prevLoc()
	b.push(b.newConst(loc, kind), loc, 1, levelPrimary)
}

// Attribute has the value on the stack; the last token is the name.
func (b *builder) Attribute() {
	v := b.pop()
	n := b.mem.attribute.new()
	*n = ast.Attribute{Loc: b.locFrom(v.start), Value: v.e, Attr: b.ident()}
	b.push(n, n.Loc, v.depth+1, levelPrimary)
}

func (b *builder) BeginCall() { b.Begin() }

// BeginBases opens the arguments of a class statement.
func (b *builder) BeginBases() { b.begin(b.at(b.prev().start), isClass) }

func (b *builder) ArgComma() { b.frame().n++ }

// Arg checks that a positional argument is in its place. It is called after each.
func (b *builder) Arg() {
	if f := b.frame(); f.flags&seenDoubleStar != 0 {
		b.errorf(b.top().span(), "positional argument follows keyword argument unpacking")
	} else if f.flags&seenKeyword != 0 {
		b.errorf(b.top().span(), "positional argument follows keyword argument")
	}
}

// KeywordName turns the expression before "=" into an argument's name.
func (b *builder) KeywordName() {
	v := b.pop()
	id := ast.Ident{Loc: v.loc()}
	switch e := v.e.(type) {
	case *ast.Name:
		id.Name = e.ID
		b.dropName(e)
		if v.flags != 0 {
			b.errorf(v.span(), "the name of a keyword argument cannot stand in parentheses")
		}
	case *ast.Constant:
		if e.Kind <= ast.FalseConst {
			b.errorf(v.span(), "cannot assign to %s", describe(v.e))
			break
		}
		b.errorf(v.span(), "expected a name before '=', found %s; perhaps you meant '=='", describe(v.e))
	default:
		b.errorf(v.span(), "expected a name before '=', found %s; perhaps you meant '=='", describe(v.e))
	}
	b.idents = append(b.idents, id)
}

// Keyword has the value on the stack and the name among the identifiers.
func (b *builder) Keyword() {
	v := b.pop()
	n := len(b.idents) - 1
	id := b.idents[n]
	b.idents = b.idents[:n]
	k := b.mem.keyword.new()
	*k = ast.Keyword{Loc: ast.Loc{Start: id.Start, End: v.end}, Name: id, Value: v.e}
	b.addKeyword(k, v.depth, seenKeyword)
}

// addKeyword adds k, whose value has the given depth, to the call.
func (b *builder) addKeyword(k *ast.Keyword, depth int32, flag uint32) {
	b.keywords = append(b.keywords, k)
	f := b.frame()
	f.flags |= flag
	f.depth = max(f.depth, depth)
}

// StarArg is an argument with one star; it may follow keywords but no double star.
func (b *builder) StarArg() {
	b.star()
	if b.frame().flags&seenDoubleStar != 0 {
		b.errorf(b.top().span(), "iterable argument unpacking follows keyword argument unpacking")
	}
}

// star closes the frame of a star and makes a Starred of the last expression.
func (b *builder) star() {
	f := b.end()
	v := b.pop()
	loc := ast.Loc{Start: f.pos, End: v.end}
	b.push(&ast.Starred{Loc: loc, Value: v.e}, loc, v.depth+1, levelNamed)
}

// DoubleStarArg is a keyword without a name.
func (b *builder) DoubleStarArg() {
	pos := b.end().pos
	v := b.pop()
	k := b.mem.keyword.new()
	*k = ast.Keyword{Loc: ast.Loc{Start: pos, End: v.end}, Value: v.e}
	b.addKeyword(k, v.depth, seenDoubleStar)
}

// GeneratorArg is an argument with comprehension clauses. Its range is that of
// the call's parentheses, which Call fills in.
func (b *builder) GeneratorArg() {
	f := b.frame()
	f.flags |= seenGenerator
	elt := b.pop()
	gens, depth := b.takeComps(f.comps)
	g := &ast.GeneratorExp{Loc: b.locFrom(elt.start), Elt: elt.e, Generators: gens, Scope: b.newScope()}
	if f.flags&isClass != 0 {
		b.errorf(g.Span(), "a generator expression cannot be a base class")
	}
	b.push(g, g.Loc, max(elt.depth, depth)+1, levelPrimary)
}

// closeArgs closes the frame of the arguments and checks generators. A generator without
// parentheses of its own is allowed as the only argument.
func (b *builder) closeArgs() frame {
	f := b.end()
	if f.flags&seenGenerator == 0 || f.flags&isClass != 0 {
		return f
	}
	args := b.vals[f.vals:]
	for i := range args {
		g, ok := args[i].e.(*ast.GeneratorExp)
		if !ok || args[i].flags != 0 {
			continue
		}
		if f.n > 0 {
			b.errorf(g.Span(), "a generator expression needs its own parentheses beside other arguments")
		} else {
			g.Loc = b.locFrom(f.pos)
		}
	}
	return f
}

// Call has the function below the frame, and the arguments above it.
func (b *builder) Call() {
	f := b.closeArgs()
	args, depth := b.takeExprs(f.vals)
	depth = max(depth, f.depth)
	fn := b.pop()
	c := b.mem.call.new()
	*c = ast.Call{Loc: b.locFrom(fn.start), Func: fn.e, Args: args, Keywords: b.takeKeywords(f.keywords)}
	b.push(c, c.Loc, max(depth, fn.depth)+1, levelPrimary)
}

// takeKeywords gives the keywords above a height of the stack and removes them.
func (b *builder) takeKeywords(mark int32) []*ast.Keyword {
	list := b.mem.keywords.take(len(b.keywords) - int(mark))
	copy(list, b.keywords[mark:])
	b.keywords = b.keywords[:mark]
	return list
}

func (b *builder) BeginIndex() { b.Begin() }
func (b *builder) IndexComma() { b.frame().n++ }

// StarIndex is x[*y], of Python 3.11; it makes a tuple of the index.
func (b *builder) StarIndex() {
	b.star()
	b.needs(ast.StarredIndex, b.top().span())
	b.frame().flags |= isStar
}

// BeginSlice is called after the ":" that follows a lower bound.
func (b *builder) BeginSlice() {
	v := b.top()
	b.begin(v.start, hasLower)
	b.frame().vals--
}

// BeginSliceHere is called after a ":" without a lower bound.
func (b *builder) BeginSliceHere() { b.Begin() }
func (b *builder) SliceUpper()     { b.frame().flags |= hasUpper }
func (b *builder) SliceStep()      { b.frame().flags |= hasStep }

// Slice has those of its three parts for which the frame has flags.
func (b *builder) Slice() {
	f := b.end()
	s := &ast.Slice{Loc: b.locFrom(f.pos)}
	vals := b.vals[f.vals:]
	var depth int32
	next := func(flag uint32) ast.Expr {
		if f.flags&flag == 0 {
			return nil
		}
		v := vals[0]
		vals = vals[1:]
		depth = max(depth, v.depth)
		return v.e
	}
	s.Lower, s.Upper, s.Step = next(hasLower), next(hasUpper), next(hasStep)
	b.vals = b.vals[:f.vals]
	b.push(s, s.Loc, depth+1, levelPrimary)
}

// Subscript has the indices above the frame; a comma or a star makes a tuple of them.
func (b *builder) Subscript() {
	f := b.end()
	b.bareNamed(b.vals[f.vals:])
	var index ast.Expr
	var depth int32
	if f.n > 0 || f.flags&isStar != 0 {
		// The closing bracket does not belong to the tuple; a last comma does.
		loc := ast.Loc{Start: b.vals[f.vals].start, End: b.at(b.toks[b.pos-2].end)}
		t := b.mem.tuple.new()
		var elts []ast.Expr
		elts, depth = b.takeExprs(f.vals)
		*t = ast.Tuple{Loc: loc, Elts: elts}
		index = t
		depth++
	} else {
		v := b.pop()
		index, depth = v.e, v.depth
	}
	value := b.pop()
	n := b.mem.subscript.new()
	*n = ast.Subscript{Loc: b.locFrom(value.start), Value: value.e, Index: index}
	b.push(n, n.Loc, max(depth, value.depth)+1, levelPrimary)
}

// bareNamed notes ":=" without parentheses. It is new in Python 3.10 in indices and sets.
func (b *builder) bareNamed(vals []val) {
	for i := range vals {
		if _, ok := vals[i].e.(*ast.NamedExpr); ok && vals[i].level == levelNamed {
			b.needs(ast.BareNamed, vals[i].span())
		}
	}
}

// tokenSpan is where a token stands in the file.
func (b *builder) tokenSpan(t *token) source.Span {
	return source.Span{Start: b.at(t.start), End: b.at(t.end)}
}
