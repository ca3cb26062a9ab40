package parser

// This file builds what stands in brackets: groups, tuples, lists, sets, dicts
// and comprehensions.

import (
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A parenAs is an "element as target" in the parentheses of a with statement.
type parenAs struct {
	index  int32 // of the element on vals
	target ast.Expr
	at     source.Span
}

// Group is one expression in parentheses.
func (b *builder) Group() {
	v := b.top()
	if s, ok := v.e.(*ast.Starred); ok {
		b.errorf(s.Span(), "a starred expression cannot stand alone in parentheses; a tuple needs a comma")
	}
	flags := uint8(inGroup)
	if v.level != levelNamed {
		flags |= plain
	}
	v.level, v.flags = levelPrimary, flags
}

// ParenTuple is a tuple in parentheses, or the empty one.
func (b *builder) ParenTuple() {
	f := b.frame()
	flags := uint8(inTuple)
	if len(b.vals) > int(f.vals) && b.itemsFrom(f.vals) {
		flags |= plain
	}
	elts, depth := b.takeExprs(f.vals)
	t := b.mem.tuple.new()
	*t = ast.Tuple{Elts: elts}
	b.push(t, ast.Loc{}, depth+1, levelPrimary)
	b.top().flags = flags
}

// itemsFrom reports whether the expressions from mark on may be items of a with
// statement: not starred, no ":=" without parentheses.
func (b *builder) itemsFrom(mark int32) bool {
	for i := mark; i < int32(len(b.vals)); i++ {
		if b.vals[i].level == levelNamed {
			return false
		}
	}
	return true
}

// ParenAs checks that "as" stands in the parentheses directly after "with".
func (b *builder) ParenAs() {
	f := b.frame()
	ok := f.tok > 0 && b.toks[f.tok-1].kind == tWith
	if !ok || b.top().level == levelNamed {
		b.errorf(b.tokenSpan(b.prev()), "'as' is allowed only in import, except, with and case")
	}
}

func (b *builder) ParenAsTarget() {
	at := b.top().span()
	b.setContext(b.top(), ast.Store)
	target := b.pop().e
	b.parenAs = append(b.parenAs, parenAs{int32(len(b.vals) - 1), target, at})
}

// GeneratorExp is a generator expression with its own parentheses.
func (b *builder) GeneratorExp() {
	f := b.frame()
	elt := b.pop()
	b.checkElement(&elt)
	gens, depth := b.takeComps(f.comps)
	b.push(&ast.GeneratorExp{Elt: elt.e, Generators: gens, Scope: b.newScope()}, ast.Loc{},
		max(elt.depth, depth)+1, levelPrimary)
	b.top().flags = inGroup
}

// EndParen extends the source range to the parentheses. Tuples and generator
// expressions have them in their own range, too.
func (b *builder) EndParen() {
	f := b.end()
	v := b.top()
	loc := b.locFrom(f.pos)
	v.start, v.end = loc.Start, loc.End
	switch e := v.e.(type) {
	case *ast.Tuple:
		if v.flags&inTuple != 0 {
			e.Loc = loc
		}
	case *ast.GeneratorExp:
		if e.End == 0 {
			e.Loc = loc
		}
	}
}

// EndDisplay gives the display its range.
func (b *builder) EndDisplay() {
	f := b.end()
	v := b.top()
	loc := b.locFrom(f.pos)
	v.start, v.end = loc.Start, loc.End
	switch e := v.e.(type) {
	case *ast.List:
		e.Loc = loc
	case *ast.ListComp:
		e.Loc = loc
	case *ast.Set:
		e.Loc = loc
	case *ast.SetComp:
		e.Loc = loc
	case *ast.Dict:
		e.Loc = loc
	case *ast.DictComp:
		e.Loc = loc
	}
}

func (b *builder) List() {
	elts, depth := b.takeExprs(b.frame().vals)
	b.push(&ast.List{Elts: elts}, ast.Loc{}, depth+1, levelPrimary)
}

func (b *builder) Set() {
	b.bareNamed(b.vals[b.frame().vals:])
	elts, depth := b.takeExprs(b.frame().vals)
	b.push(&ast.Set{Elts: elts}, ast.Loc{}, depth+1, levelPrimary)
}

// DictUnpack stands for the key of "**value".
func (b *builder) DictUnpack() { b.vals = append(b.vals, val{}) }

// CheckUnpack checks the value of "**value" in a dict.
func (b *builder) CheckUnpack() {
	if v := b.top(); v.level < levelBitOr {
		b.errorf(v.span(), "expected an operand without comparison, 'not', 'and', 'or', 'if' or lambda after '**'")
	}
}

// Dict has its keys and values in turn on the stack.
func (b *builder) Dict() {
	mark := b.frame().vals
	vals := b.vals[mark:]
	n := len(vals) / 2
	d := &ast.Dict{Keys: b.mem.exprs.take(n), Values: b.mem.exprs.take(n)}
	var depth int32
	for i := range n {
		d.Keys[i], d.Values[i] = vals[2*i].e, vals[2*i+1].e
		depth = max(depth, vals[2*i].depth, vals[2*i+1].depth)
	}
	b.vals = b.vals[:mark]
	b.push(d, ast.Loc{}, depth+1, levelPrimary)
}

func (b *builder) ListComp() {
	elt, gens, depth := b.comprehension()
	b.push(&ast.ListComp{Elt: elt, Generators: gens, Scope: b.newScope()}, ast.Loc{}, depth, levelPrimary)
}

func (b *builder) SetComp() {
	elt, gens, depth := b.comprehension()
	if n, ok := elt.(*ast.NamedExpr); ok && b.at(b.toks[b.frame().tok+1].start) == n.Start {
		b.needs(ast.BareNamed, n.Span())
	}
	b.push(&ast.SetComp{Elt: elt, Generators: gens, Scope: b.newScope()}, ast.Loc{}, depth, levelPrimary)
}

func (b *builder) DictComp() {
	value := b.pop()
	key, gens, depth := b.comprehension()
	b.push(&ast.DictComp{Key: key, Value: value.e, Generators: gens, Scope: b.newScope()}, ast.Loc{},
		max(depth, value.depth+1), levelPrimary)
}

func (b *builder) comprehension() (ast.Expr, []*ast.Comprehension, int32) {
	elt := b.pop()
	b.checkElement(&elt)
	gens, depth := b.takeComps(b.frame().comps)
	return elt.e, gens, max(elt.depth, depth) + 1
}

func (b *builder) checkElement(v *val) {
	if _, ok := v.e.(*ast.Starred); ok {
		b.errorf(v.span(), "iterable unpacking cannot be used in a comprehension")
	}
}

// CompAsync notes "async" for the clause that follows.
func (b *builder) CompAsync() { b.Async() }

func (b *builder) BeginComp() { b.BeginCompound() }

// Comp is one "for target in iter if cond…" clause.
func (b *builder) Comp() {
	f := b.end()
	vals := b.vals[f.vals:]
	c := &ast.Comprehension{Target: vals[0].e, Iter: vals[1].e, Async: f.flags&isAsync != 0}
	depth := max(vals[0].depth, vals[1].depth)
	var d int32
	c.Ifs, d = b.takeExprs(f.vals + 2)
	b.vals = b.vals[:f.vals]
	b.comps = append(b.comps, c)
	outer := b.frame()
	outer.depth = max(outer.depth, depth, d)
}

// takeComps takes the clauses from mark on. Comp left their depth in the frame.
func (b *builder) takeComps(mark int32) ([]*ast.Comprehension, int32) {
	list := append([]*ast.Comprehension(nil), b.comps[mark:]...)
	b.comps = b.comps[:mark]
	return list, b.frame().depth
}

// BeginTuple opens a tuple without parentheses after its first comma.
func (b *builder) BeginTuple() {
	b.begin(b.top().start, 0)
	b.frame().vals--
}

func (b *builder) Tuple() {
	f := b.end()
	loc := b.locFrom(f.pos)
	elts, depth := b.takeExprs(f.vals)
	t := b.mem.tuple.new()
	*t = ast.Tuple{Loc: loc, Elts: elts}
	b.push(t, loc, depth+1, levelNamed)
}

// Star is a starred element where CPython wants an operand above comparisons.
func (b *builder) Star() {
	if v := b.top(); v.level < levelBitOr {
		b.errorf(v.span(), "expected an operand without comparison, 'not', 'and', 'or', 'if' or lambda after '*'")
	}
	b.star()
}
