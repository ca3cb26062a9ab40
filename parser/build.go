package parser

// This file holds the state of the tree builder: the stacks that the grammar's
// actions work on. The actions themselves are in the other build_*.go files.
//
// An expression that was parsed lies on vals; a construct with several parts
// pushes a frame first, which notes the heights of all stacks, and takes what
// lies above when it is complete.

import (
	"fmt"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// maxDepth bounds the depth of the tree, so that recursive passes over it stay
// within the stack. Chains such as a+a+a… count: they nest to the left.
const maxDepth = 20000

// maxRecursion bounds the parser's own recursion through conditional
// expressions and lambdas, which need no brackets to nest.
const maxRecursion = 2000

// A val is a parsed expression.
type val struct {
	e          ast.Expr
	start, end source.Pos // with parentheses, unlike e's own range
	depth      int32
	level      uint8 // precedence of its top operator; levelPrimary in parentheses
	flags      uint8
}

// Flags of a val.
const (
	// inGroup: parentheses around one expression.
	inGroup = 1 << iota
	// inTuple: a tuple with its own parentheses.
	inTuple
	// plain: the elements of the parentheses may be items of a with statement.
	plain
)

// Precedences, from loose to tight.
const (
	levelNamed = iota // also yield
	levelConditional
	levelOr
	levelAnd
	levelNot
	levelCompare
	levelBitOr
	levelBitXor
	levelBitAnd
	levelShift
	levelArith
	levelTerm
	levelUnary
	levelPower
	levelAwait
	levelPrimary
)

// A frame notes where a construct begins and the heights of the stacks there.
type frame struct {
	pos source.Pos
	tok int32 // index of the token before the frame's content

	vals, comps, keywords, idents, aliases, params int32
	blocks, handlers, items, cases, patterns       int32

	n     int32 // a counter of the construct
	depth int32 // greatest depth of parts that lie on no stack
	flags uint32
}

// Flags of a frame.
const (
	isAsync = 1 << iota
	hasElse
	hasFinally
	hasType
	hasName
	isStar
	hasReturns
	hasTypeParams
	hasLower
	hasUpper
	hasStep
	seenKeyword
	seenDoubleStar
	seenGenerator
	isClass
	hasGuard
	parenItems // of with: the first item is in parentheses
	parenTuple // and these hold a comma
	bareTuple  // of except: several types without parentheses
)

// A builder receives the actions of the grammar and makes the tree.
type builder struct {
	stream
	src      string
	file     *source.File
	base     source.Pos
	comments []source.Span
	exprOnly bool // the file is one expression

	vals      []val
	ops       []op
	frames    []frame
	stmts     []ast.Stmt
	marks     []int32 // heights of stmts where blocks begin
	blocks    [][]ast.Stmt
	comps     []*ast.Comprehension
	keywords  []*ast.Keyword
	idents    []ast.Ident
	dotted    []string // parts of the last identifier
	aliases   []*ast.Alias
	params    []paramItem
	tparams   []ast.TypeParam
	tplists   [][]ast.TypeParam
	handlers  []*ast.ExceptHandler
	items     []*ast.WithItem
	cases     []*ast.MatchCase
	patterns  []pat
	parenAs   []parenAs
	fstrings  []fstringState
	asyncPos  source.Pos // of an async before the statement or clause
	async     bool       // there is one
	recursion int
	names     int32
	scopes    int32
	mem       slabs
	diags     []*diag.Diagnostic
	features  []ast.Feature
}

// begins makes the builder ready for the tokens of s.
func (b *builder) begins(s *scanner) {
	b.toks, b.pos = s.toks, 0
	b.src, b.file, b.base, b.comments, b.exprOnly = "", s.file, source.NoPos, s.comments, s.exprOnly
	if s.file != nil {
		b.src, b.base = s.file.Text(), s.file.Base()
	}
	b.features = nil
	b.reset(0, 0, 1, 0)
}

// needs notes syntax that is newer than Python 3.8.
func (b *builder) needs(s ast.Syntax, at source.Span) {
	b.features = append(b.features, ast.Feature{At: at, Syntax: s})
}

// reset empties the stacks after a syntax error. The numbers of names and scopes
// go back to where the statement began.
func (b *builder) reset(stmts int, names, scopes int32, diags int) {
	b.vals, b.ops, b.frames = b.vals[:0], b.ops[:0], b.frames[:0]
	b.stmts, b.marks, b.blocks = b.stmts[:stmts], b.marks[:0], b.blocks[:0]
	b.comps, b.keywords, b.idents, b.aliases = b.comps[:0], b.keywords[:0], b.idents[:0], b.aliases[:0]
	b.params, b.tparams, b.tplists = b.params[:0], b.tparams[:0], b.tplists[:0]
	b.handlers, b.items, b.cases, b.patterns = b.handlers[:0], b.items[:0], b.cases[:0], b.patterns[:0]
	b.parenAs, b.fstrings, b.dotted = b.parenAs[:0], b.fstrings[:0], b.dotted[:0]
	b.async, b.recursion = false, 0
	b.names, b.scopes = names, scopes
	b.diags = b.diags[:diags]
}

// at returns the position of a byte offset.
func (b *builder) at(off int32) source.Pos { return b.base + source.Pos(off) }

// prevEnd returns the end of the last consumed token; after a block that is the
// end of its last statement.
func (b *builder) prevEnd() source.Pos { return b.at(b.prev().end) }

// text returns the source text of the last consumed token.
func (b *builder) text() string { t := b.prev(); return b.src[t.start:t.end] }

// locFrom returns the range from start to the last consumed token.
func (b *builder) locFrom(start source.Pos) ast.Loc { return ast.Loc{Start: start, End: b.prevEnd()} }

// prevLoc returns the range of the last consumed token.
func (b *builder) prevLoc() ast.Loc {
	t := b.prev()
	return ast.Loc{Start: b.at(t.start), End: b.at(t.end)}
}

func (b *builder) begin(pos source.Pos, flags uint32) {
	b.frames = append(b.frames, frame{
		pos: pos, tok: int32(b.pos - 1), flags: flags,
		vals: int32(len(b.vals)), comps: int32(len(b.comps)), keywords: int32(len(b.keywords)),
		idents: int32(len(b.idents)), aliases: int32(len(b.aliases)), params: int32(len(b.params)),
		blocks: int32(len(b.blocks)), handlers: int32(len(b.handlers)), items: int32(len(b.items)), cases: int32(len(b.cases)),
		patterns: int32(len(b.patterns)),
	})
}

// Begin opens a frame at the last consumed token.
func (b *builder) Begin() { b.begin(b.at(b.prev().start), 0) }

// BeginCompound is Begin for a statement that async may precede.
func (b *builder) BeginCompound() {
	if b.async {
		b.begin(b.asyncPos, isAsync)
		b.async = false
		return
	}
	b.Begin()
}

// Async notes the keyword for the next BeginCompound.
func (b *builder) Async() { b.asyncPos, b.async = b.at(b.prev().start), true }

// Mark opens a frame before the next token.
func (b *builder) Mark() { b.begin(b.at(b.toks[b.pos].start), 0) }

// frame returns the innermost frame.
func (b *builder) frame() *frame { return &b.frames[len(b.frames)-1] }

// end closes the innermost frame.
func (b *builder) end() frame {
	f := b.frames[len(b.frames)-1]
	b.frames = b.frames[:len(b.frames)-1]
	return f
}

// BeginBlock notes where a block's statements begin.
func (b *builder) BeginBlock() { b.marks = append(b.marks, int32(len(b.stmts))) }

// EndBlock makes a block of the statements since BeginBlock.
func (b *builder) EndBlock() {
	mark := b.marks[len(b.marks)-1]
	b.marks = b.marks[:len(b.marks)-1]
	b.blocks = append(b.blocks, b.takeStmts(int(mark)))
}

// takeStmts takes the statements from mark on.
func (b *builder) takeStmts(mark int) []ast.Stmt {
	body := b.mem.stmts.take(len(b.stmts) - mark)
	copy(body, b.stmts[mark:])
	b.stmts = b.stmts[:mark]
	return body
}

func (b *builder) popBlock() []ast.Stmt {
	n := len(b.blocks) - 1
	block := b.blocks[n]
	b.blocks = b.blocks[:n]
	return block
}

func (b *builder) stmt(s ast.Stmt) { b.stmts = append(b.stmts, s) }

// top returns the last expression, pop takes it.
func (b *builder) top() *val { return &b.vals[len(b.vals)-1] }

func (b *builder) pop() val {
	n := len(b.vals) - 1
	v := b.vals[n]
	b.vals = b.vals[:n]
	return v
}

// push adds an expression with its own range as its source range.
func (b *builder) push(e ast.Expr, loc ast.Loc, depth int32, level uint8) {
	if depth > maxDepth {
		b.fail(source.Span{Start: loc.Start, End: loc.End}, "the expression is nested too deeply (the limit is %d levels)", maxDepth)
	}
	b.vals = append(b.vals, val{e: e, start: loc.Start, end: loc.End, depth: depth, level: level})
}

// takeExprs takes the expressions from mark on, with their greatest depth.
func (b *builder) takeExprs(mark int32) ([]ast.Expr, int32) {
	vals := b.vals[mark:]
	list := b.mem.exprs.take(len(vals))
	var depth int32
	for i := range vals {
		list[i] = vals[i].e
		depth = max(depth, vals[i].depth)
	}
	b.vals = b.vals[:mark]
	return list, depth
}

// popOptional takes the expression above mark, or nil.
func (b *builder) popOptional(mark int32) ast.Expr {
	if len(b.vals) == int(mark) {
		return nil
	}
	return b.pop().e
}

// ident makes an identifier of the last consumed token.
func (b *builder) ident() ast.Ident { return ast.Ident{Loc: b.prevLoc(), Name: b.name()} }

// name returns the identifier that the last consumed token spells.
func (b *builder) name() string { return normalize(b.text()) }

// newName makes a Name of an identifier.
func (b *builder) newName(loc ast.Loc, id string, ctx ast.ExprContext) *ast.Name {
	n := b.mem.name.new()
	*n = ast.Name{Loc: loc, ID: id, Index: b.names, Ctx: ctx}
	b.names++
	return n
}

// dropName gives back the number of a Name that turned out to be none.
func (b *builder) dropName(n *ast.Name) {
	if n.Index == b.names-1 {
		b.names--
	}
}

func (b *builder) newScope() int32 {
	b.scopes++
	return b.scopes - 1
}

// errorf reports an error that does not stop the parser.
func (b *builder) errorf(at source.Span, format string, args ...any) {
	b.diags = append(b.diags, diag.New(diag.SyntaxError, at, fmt.Sprintf(format, args...), args...))
}

// fail reports an error and gives up the statement.
func (b *builder) fail(at source.Span, format string, args ...any) {
	panic(&syntaxError{at: at, msg: fmt.Sprintf(format, args...), args: args, tok: b.pos})
}

func (v *val) span() source.Span { return source.Span{Start: v.start, End: v.end} }
func (v *val) loc() ast.Loc      { return ast.Loc{Start: v.start, End: v.end} }
