// Package pygen is the parser that ANTLR generates from Python.g4, and the two
// types the grammar's actions need.
//
// Tokens.tokens numbers the token kinds for the grammar and for the hand-written
// token pass (package parser). Only package parser imports pygen.
package pygen

// This file is what the generated parser is embedded in: see "superClass" and
// "p.b" in Python.g4.

import "github.com/antlr4-go/antlr/v4"

// A Base is the part of the parser that is not generated. Its methods hide those
// of antlr.BaseParser that do more than a parser without parse tree, listeners
// and error recovery needs: they are called for every token and rule.
type Base struct {
	*antlr.BaseParser
	b     Builder
	input antlr.TokenStream
	rules []antlr.ParserRuleContext // the rules that were entered
	// free are the contexts of rules that were left, by rule: no tree keeps them.
	free [numRules][]antlr.ParserRuleContext
}

// numRules is more than the grammar has rules.
const numRules = 64

// reuse gives the context of a rule: one that was left, which the caller sets anew, or a
// new one.
func reuse[T any](parser antlr.Parser, rule int) *T {
	free := &parser.(*Python).free[rule]
	n := len(*free) - 1
	if n < 0 {
		return new(T)
	}
	c := any((*free)[n]).(*T)
	*free = (*free)[:n]
	return c
}

// Start sets the receiver of the actions and turns off what Base does not do.
func (p *Base) Start(b Builder) {
	p.b = b
	p.input = p.GetTokenStream()
	p.BuildParseTrees = false
	p.RemoveErrorListeners()
}

// Reset makes the parser ready for another rule after a panic.
func (p *Base) Reset() {
	p.rules = p.rules[:0]
	p.SetParserRuleContext(nil)
	p.SetError(nil)
	p.SetState(-1)
}

// Match consumes a token of one kind. Another is handled by the error strategy.
func (p *Base) Match(kind int) antlr.Token {
	if p.input.LA(1) != kind {
		return p.GetErrorHandler().RecoverInline(p)
	}
	return p.Consume()
}

// Consume consumes a token.
func (p *Base) Consume() antlr.Token {
	if p.input.LA(1) != antlr.TokenEOF {
		p.input.Consume()
	}
	return nil
}

// EnterRule and ExitRule keep the rules on a stack of their own: to find the
// parent of a context costs a type assertion.
func (p *Base) EnterRule(rule antlr.ParserRuleContext, state, _ int) {
	p.SetState(state)
	p.rules = append(p.rules, rule)
	p.SetParserRuleContext(rule)
}

// ExitRule returns to the rule that called.
func (p *Base) ExitRule() {
	n := len(p.rules) - 1
	rule := p.rules[n]
	p.SetState(rule.GetInvokingState())
	i := rule.GetRuleIndex()
	p.free[i] = append(p.free[i], rule)
	p.rules[n] = nil
	p.rules = p.rules[:n]
	if n == 0 {
		p.SetParserRuleContext(nil)
		return
	}
	p.SetParserRuleContext(p.rules[n-1])
}

// EnterOuterAlt would put alternatives into the parse tree.
func (p *Base) EnterOuterAlt(antlr.ParserRuleContext, int) {}

// A Builder receives the actions of the grammar in the order of the source. The
// builder sees the token stream: most actions concern the last consumed token
// and the results of earlier actions. Python.g4 says when each is called.
type Builder interface {
	// Stacks: a Begin remembers where a construct starts.
	Begin()
	BeginCompound()
	Mark()
	BeginBlock()
	EndBlock()
	Async()

	// Compound statements.
	Elif()
	Else()
	If()
	While()
	For()
	BeginHandler()
	HandlerStar()
	HandlerType()
	HandlerTypes()
	HandlerName()
	Handler()
	Finally()
	Try()
	WithAs()
	WithItem()
	WithHeader()
	With()
	DefName()
	Returns()
	Def()
	BeginBases()
	ClassArgs()
	Class()
	Decorate()
	Drop()
	OrphanCase()
	EndOrphan()

	// Simple statements.
	ExprStmt()
	AnnTarget()
	AnnEqual()
	AnnAssign()
	AugTarget()
	AugAssign()
	BeginAssign()
	Assign()
	Return()
	Import()
	Dots()
	FromModule()
	ImportFrom()
	Raise()
	Pass()
	Break()
	Continue()
	Assert()
	Delete()
	Ident()
	DottedPart()
	AliasAs()
	Alias()
	AliasStar()
	Global()
	Nonlocal()
	StoreName()
	TypeAlias()

	// Parameters and type parameters.
	BeginTypeParams()
	TypeVar()
	TypeBound()
	TypeVarTuple()
	ParamSpec()
	TypeDefault()
	EndTypeParams()
	Param()
	ParamAnnotation()
	ParamDefault()
	VarArg()
	BareStar()
	KwArg()
	ParamSlash()

	// Operators.
	OpenExpr()
	Prefix()
	Infix()
	CloseExpr()
	Deeper()
	IfExp()
	BeginLambda()
	Lambda()
	NamedTarget()
	Named()
	Yield()
	YieldFrom()
	YieldNothing()

	// Operands.
	Name()
	Number()
	String()
	BeginStrings()
	Strings()
	Const()
	Attribute()
	BeginCall()
	Arg()
	ArgComma()
	KeywordName()
	Keyword()
	StarArg()
	DoubleStarArg()
	GeneratorArg()
	Call()
	BeginIndex()
	IndexComma()
	BeginSlice()
	BeginSliceHere()
	SliceUpper()
	SliceStep()
	Slice()
	StarIndex()
	Subscript()

	// Displays, parentheses and comprehensions.
	Group()
	ParenTuple()
	ParenAs()
	ParenAsTarget()
	GeneratorExp()
	EndParen()
	List()
	ListComp()
	Set()
	SetComp()
	Dict()
	DictComp()
	DictUnpack()
	CheckUnpack()
	EndDisplay()
	BeginTuple()
	Tuple()
	Star()
	Store()
	CompAsync()
	BeginComp()
	Comp()

	// F-strings and t-strings.
	BeginFString()
	FStringText()
	EndFString()
	BeginField()
	FieldDebug()
	FieldConversion()
	BeginSpec()
	SpecText()
	EndSpec()
	EndField()

	// Match statements and patterns.
	Subject()
	Match()
	BeginCase()
	CasePattern()
	Guard()
	Case()
	PatternComma()
	PatternStar()
	PatternAs()
	BeginOr()
	PatternOr()
	PatternName()
	PatternAttr()
	BeginClassPattern()
	PatternClass()
	PatternValueOrCapture()
	PatternLiteral()
	PatternParen()
	PatternList()
	PatternMapping()
	PatternKeyword()
	PatternKeywordValue()
	MappingKey()
	MappingValue()
	MappingRest()
	NegativeNumber()
	ComplexSign()
	Complex()
}
