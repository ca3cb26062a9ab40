package ast

// This file says which version of Python brought a piece of syntax.

import "shapecheck/internal/source"

// A Feature is a place with syntax that Python 3.8 does not have.
type Feature struct {
	At     source.Span
	Syntax Syntax
}

// A Syntax is a piece of the grammar that came after Python 3.8.
type Syntax uint8

// The pieces, from the oldest to the newest.
const (
	AnyDecorator Syntax = iota
	WithParentheses
	StarredIter
	MatchStatement
	BareNamed
	ExceptStar
	StarredIndex
	StarredAnnotation
	TypeParameters
	TypeStatement
	NestedQuotes
	TypeDefaults
	BareExcept
	TemplateString
)

// syntaxes are the minor version of Python 3 and the name of each.
var syntaxes = [...]struct {
	minor int
	name  string
}{
	AnyDecorator:      {9, "a decorator that is neither a name nor a call of one"},
	WithParentheses:   {9, "parentheses around the items of a with statement"},
	StarredIter:       {9, "a starred element without parentheses after 'in'"},
	MatchStatement:    {10, "the match statement"},
	BareNamed:         {10, "':=' without parentheses in an index or a set"},
	ExceptStar:        {11, "'except*'"},
	StarredIndex:      {11, "a starred index"},
	StarredAnnotation: {11, "a starred annotation"},
	TypeParameters:    {12, "a list of type parameters"},
	TypeStatement:     {12, "the type statement"},
	NestedQuotes:      {12, "the same quotes, a backslash, a comment or a line end in a field of an f-string"},
	TypeDefaults:      {13, "a default of a type parameter"},
	BareExcept:        {14, "several exception types without parentheses"},
	TemplateString:    {14, "a t-string"},
}

// Minor is N of the first version 3.N that has the syntax.
func (s Syntax) Minor() int { return syntaxes[s].minor }

// String is what a reader calls the syntax.
func (s Syntax) String() string { return syntaxes[s].name }
