package parser

// This file gives operators their precedence. The grammar delivers a flat list
// of operands and operators; here they pass through a stack in the manner of
// Dijkstra's shunting yard, without recursion.
//
// A grammar with a rule for each of Python's sixteen levels would go through all of them for each
// name, which is most of the time that a generated parser takes. Here an operand costs one step
// and an operator is pushed and popped once.

import (
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// An op is an operator that waits for its right operand. pos is set for unary operators alone,
// whose node begins there.
type op struct {
	kind  int32
	level uint8 // 0 marks the bottom of an expression's operators
	unary bool
	pos   source.Pos
}

// infix is the level of each binary operator. Kinds that are no binary operators have the level
// 0.
var infix = [...]uint8{
	tOr: levelOr, tAnd: levelAnd,
	tEqEqual: levelCompare, tNotEqual: levelCompare, tLess: levelCompare, tLessEqual: levelCompare,
	tGreater: levelCompare, tGreaterEqual: levelCompare, tIs: levelCompare, tIsNot: levelCompare,
	tIn: levelCompare, tNotIn: levelCompare,
	tVBar: levelBitOr, tCaret: levelBitXor, tAmper: levelBitAnd,
	tLShift: levelShift, tRShift: levelShift, tPlus: levelArith, tMinus: levelArith,
	tStar: levelTerm, tSlash: levelTerm, tDoubleSlash: levelTerm, tPercent: levelTerm, tAt: levelTerm,
	tDoubleStar: levelPower,
}

var binOps = [...]ast.BinOperator{
	tPlus: ast.Add, tMinus: ast.Sub, tStar: ast.Mult, tAt: ast.MatMult, tSlash: ast.Div, tPercent: ast.Mod,
	tDoubleStar: ast.Pow, tLShift: ast.LShift, tRShift: ast.RShift, tVBar: ast.BitOr, tCaret: ast.BitXor,
	tAmper: ast.BitAnd, tDoubleSlash: ast.FloorDiv,
}

var cmpOps = [...]ast.CmpOperator{
	tEqEqual: ast.Eq, tNotEqual: ast.NotEq, tLess: ast.Lt, tLessEqual: ast.LtE, tGreater: ast.Gt,
	tGreaterEqual: ast.GtE, tIs: ast.Is, tIsNot: ast.IsNot, tIn: ast.In, tNotIn: ast.NotIn,
}

// OpenExpr begins an expression: a mark on the stack keeps its operators apart from those around
// it, in brackets for instance.
func (b *builder) OpenExpr() { b.ops = append(b.ops, op{}) }

// Prefix pushes the unary operator just consumed. Looser operators are refused
// where only a tighter operand may stand, as in "a + not b" and "await -a". An error ends the
// statement.
func (b *builder) Prefix() {
	t := b.prev()
	o := op{kind: t.kind, level: levelUnary, unary: true, pos: b.at(t.start)}
	switch t.kind {
	case tNot:
		o.level = levelNot
	case tAwait:
		o.level = levelAwait
	}
	if top := b.ops[len(b.ops)-1]; top.level > o.level && !(o.level == levelUnary && top.level == levelPower) ||
		top.level == levelAwait {
		b.fail(b.tokenSpan(t), "invalid syntax: '%s' needs parentheses here", tokenText(t.kind))
	}
	b.ops = append(b.ops, o)
}

// Infix pushes the binary operator just consumed, after finishing those on its
// left that bind as tightly. Comparisons, "and" and "or" collect instead. A power is right
// associative, so that an equal level waits. The three levels that collect are chains: a < b < c
// is one Compare and "a and b and c" one BoolOp.
func (b *builder) Infix() {
	t := b.prev()
	level := infix[t.kind]
	for {
		top := b.ops[len(b.ops)-1].level
		if top < level || top == level && (level <= levelCompare || level == levelPower) {
			break
		}
		b.reduce()
	}
	b.ops = append(b.ops, op{kind: t.kind, level: level})
}

// CloseExpr finishes the expression.
func (b *builder) CloseExpr() {
	for b.ops[len(b.ops)-1].level != 0 {
		b.reduce()
	}
	b.ops = b.ops[:len(b.ops)-1]
}

// reduce applies the operator on top of the stack. Both operands, or the one, are on top of the
// stack of values.
func (b *builder) reduce() {
	o := b.ops[len(b.ops)-1]
	switch {
	case o.unary:
		b.ops = b.ops[:len(b.ops)-1]
		b.reduceUnary(o)
	case o.level == levelCompare:
		b.reduceCompare()
	case o.level <= levelAnd:
		b.reduceBool(o)
	default:
		b.ops = b.ops[:len(b.ops)-1]
		right := b.pop()
		left := b.pop()
		loc := ast.Loc{Start: left.start, End: right.end}
		n := b.mem.binOp.new()
		*n = ast.BinOp{Loc: loc, Left: left.e, Op: binOps[o.kind], Right: right.e}
		b.push(n, loc, max(left.depth, right.depth)+1, o.level)
	}
}

// reduceUnary makes the node of a prefix; await is one of them by its precedence.
func (b *builder) reduceUnary(o op) {
	v := b.pop()
	loc := ast.Loc{Start: o.pos, End: v.end}
	if o.kind == tAwait {
		b.push(&ast.Await{Loc: loc, Value: v.e}, loc, v.depth+1, o.level)
		return
	}
	n := &ast.UnaryOp{Loc: loc, Operand: v.e}
	switch o.kind {
	case tNot:
		n.Op = ast.Not
	case tPlus:
		n.Op = ast.UAdd
	case tMinus:
		n.Op = ast.USub
	case tTilde:
		n.Op = ast.Invert
	}
	b.push(n, loc, v.depth+1, o.level)
}

// run returns the number of operators of one level on top of the stack.
func (b *builder) run(level uint8) int {
	n := 0
	for i := len(b.ops) - 1; b.ops[i].level == level && !b.ops[i].unary; i-- {
		n++
	}
	return n
}

func (b *builder) reduceCompare() {
	n := b.run(levelCompare)
	c := b.mem.compare.new()
	c.Ops = make([]ast.CmpOperator, n)
	for i, o := range b.ops[len(b.ops)-n:] {
		c.Ops[i] = cmpOps[o.kind]
	}
	b.ops = b.ops[:len(b.ops)-n]
	end := b.top().end
	var depth int32
	c.Comparators, depth = b.takeExprs(int32(len(b.vals) - n))
	left := b.pop()
	c.Left = left.e
	c.Loc = ast.Loc{Start: left.start, End: end}
	b.push(c, c.Loc, max(depth, left.depth)+1, levelCompare)
}

func (b *builder) reduceBool(o op) {
	n := b.run(o.level)
	b.ops = b.ops[:len(b.ops)-n]
	e := &ast.BoolOp{Op: ast.And}
	if o.level == levelOr {
		e.Op = ast.Or
	}
	mark := int32(len(b.vals) - n - 1)
	e.Loc = ast.Loc{Start: b.vals[mark].start, End: b.top().end}
	var depth int32
	e.Values, depth = b.takeExprs(mark)
	b.push(e, e.Loc, depth+1, o.level)
}

// Deeper counts the recursion of the parser.
func (b *builder) Deeper() {
	if b.recursion++; b.recursion > maxRecursion {
		b.fail(b.tokenSpan(b.prev()), "too many nested conditional expressions or lambdas (the limit is %d)", maxRecursion)
	}
}

// IfExp has the body, the test and the alternative on the stack.
func (b *builder) IfExp() {
	b.recursion--
	alt, test, body := b.pop(), b.pop(), b.pop()
	loc := ast.Loc{Start: body.start, End: alt.end}
	b.push(&ast.IfExp{Loc: loc, Test: test.e, Body: body.e, Else: alt.e}, loc,
		max(alt.depth, test.depth, body.depth)+1, levelConditional)
}

func (b *builder) BeginLambda() {
	b.Deeper()
	b.Begin()
}

func (b *builder) Lambda() {
	b.recursion--
	f := b.end()
	body := b.pop()
	loc := ast.Loc{Start: f.pos, End: body.end}
	params, depth := b.makeParams(f.params)
	b.push(&ast.Lambda{Loc: loc, Params: params, Body: body.e, Scope: b.newScope()}, loc,
		max(body.depth, depth)+1, levelConditional)
}

// NamedTarget checks the left side of ":=".
func (b *builder) NamedTarget() {
	v := b.top()
	if n, ok := v.e.(*ast.Name); ok && v.flags == 0 {
		n.Ctx = ast.Store
		return
	}
	b.errorf(v.span(), "cannot use ':=' with %s; the left side must be a name", describe(v.e))
}

func (b *builder) Named() {
	value, target := b.pop(), b.pop()
	loc := ast.Loc{Start: target.start, End: value.end}
	n, ok := target.e.(*ast.Name)
	if !ok { // reported by NamedTarget
		n = b.newName(target.loc(), "", ast.Store)
	}
	b.push(&ast.NamedExpr{Loc: loc, Target: n, Value: value.e}, loc, value.depth+1, levelNamed)
}

func (b *builder) Yield() {
	f := b.end()
	v := b.pop()
	loc := b.locFrom(f.pos)
	b.push(&ast.Yield{Loc: loc, Value: v.e}, loc, v.depth+1, levelNamed)
}

func (b *builder) YieldNothing() {
	f := b.end()
	loc := b.locFrom(f.pos)
	b.push(&ast.Yield{Loc: loc}, loc, 1, levelNamed)
}

func (b *builder) YieldFrom() {
	f := b.end()
	v := b.pop()
	loc := b.locFrom(f.pos)
	b.push(&ast.YieldFrom{Loc: loc, Value: v.e}, loc, v.depth+1, levelNamed)
}
