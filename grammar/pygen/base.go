// Package pygen is the parser that ANTLR generates from Python.g4, and the two
// types the grammar's actions need.
//
// Tokens.tokens numbers the token kinds for the grammar and for the hand-written
// token pass (package parser). Only package parser imports pygen.
package pygen

// This file is what the generated parser is embedded in: see "superClass" and
// "p.b" in Python.g4.

import "github.com/antlr4-go/antlr/v4"

// A Base is the part of the parser that is not generated.
type Base struct {
	*antlr.BaseParser
	b Builder
}

// SetBuilder sets the receiver of the actions.
func (p *Base) SetBuilder(b Builder) { p.b = b }

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
	Annotation()
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
	ParenComma()
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

	// F-strings.
	BeginFString()
	FStringText()
	EndFString()
	BeginField()
	FieldValue()
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
