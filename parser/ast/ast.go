// Package ast defines the syntax tree of Python.
//
// The nodes are those of CPython's Parser/Python.asdl (3.14), under the same
// names, as sealed interfaces: Stmt, Expr, Pattern and TypeParam. A node holds
// syntax only. What later passes find out lives in side tables that are indexed
// by the numbers in Name.Index and in the Scope fields (package resolve).
// Trees are immutable after parsing.
//
// Open ast.go for the nodes, operators.go for their operators, contexts and kinds of
// constants, walk.go for traversal and dump.go (dump_stmt.go, dump_expr.go, repr.go)
// for the form of CPython's ast.dump; syntax.go says which version brought what.
//
// Spans are half-open and count bytes of the set of files, so a node finds its file by its
// position alone. Optional parts are nil. An elif is an If in the Else of another one, as in
// CPython, which tells both forms apart by position only.
package ast

import (
	"math/big"

	"shapecheck/internal/source"
)

// A Node is any node of the tree.
type Node interface {
	Span() source.Span
	node()
}

// A Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

// An Expr is an expression.
type Expr interface {
	Node
	expr()
}

// A Pattern is a pattern of a match statement.
type Pattern interface {
	Node
	pattern()
}

// A TypeParam is one of TypeVar, ParamSpec and TypeVarTuple.
type TypeParam interface {
	Node
	typeParam()
}

// Loc is the source range of a node, embedded in each node.
type Loc struct {
	Start, End source.Pos
}

// Span returns the node's source range.
func (l *Loc) Span() source.Span { return source.Span{Start: l.Start, End: l.End} }

func (*Loc) node() {}

// A Module is a whole file.
type Module struct {
	Loc
	File *source.File
	Body []Stmt
	// Comments are all comments in source order, from the # to the line's end.
	Comments []source.Span
	// LongStrings are the literals that go over several lines, in source order, but for those of
	// bodies that an outline leaves out. An f-string is one with all that is in it.
	LongStrings []source.Span
	// Features are the places with syntax that is newer than Python 3.8, in no order; those in
	// bodies that an outline leaves out are missing.
	Features []Feature
	// NumNames is the number of Name nodes and NumScopes the number of scopes;
	// Name.Index and the Scope fields count below them.
	NumNames, NumScopes int
}

// An Ident is a name that is not an expression: of a function, a parameter, an
// attribute, a module part. Its text is NFKC-normalised, as in Python.
type Ident struct {
	Loc
	Name string
}

// Statements.
type (
	// A FunctionDef is a def or async def statement.
	FunctionDef struct {
		Loc
		Async      bool
		Name       Ident
		TypeParams []TypeParam
		Params     *Params
		Body       []Stmt
		// Outline says that Body has at most the docstring: see parser.ParseOutline.
		Outline    bool
		Decorators []Expr
		Returns    Expr // or nil
		Scope      int32
	}
	// A ClassDef is a class statement. Keywords hold metaclass= and what __init_subclass__ gets.
	ClassDef struct {
		Loc
		Name       Ident
		TypeParams []TypeParam
		Bases      []Expr // may contain *Starred
		Keywords   []*Keyword
		Body       []Stmt
		Decorators []Expr
		Scope      int32
	}
	Return struct {
		Loc
		Value Expr // or nil
	}
	// A Delete is a del statement; its targets are names, attributes, subscripts, and lists of
	// these.
	Delete struct {
		Loc
		Targets []Expr
	}
	Assign struct {
		Loc
		Targets []Expr
		Value   Expr
	}
	TypeAlias struct {
		Loc
		Name       *Name
		TypeParams []TypeParam
		Value      Expr
	}
	// An AugAssign is "target op= value". The target is evaluated once, and read as well as
	// written.
	AugAssign struct {
		Loc
		Target Expr
		Op     BinOperator
		Value  Expr
	}
	// An AnnAssign is "target: annotation = value".
	AnnAssign struct {
		Loc
		Target     Expr
		Annotation Expr
		Value      Expr // or nil
		Simple     bool // the target is a bare name, not in parentheses
	}
	// A For is for or async for; Else runs when the loop ends without break.
	For struct {
		Loc
		Async  bool
		Target Expr
		Iter   Expr
		Body   []Stmt
		Else   []Stmt
	}
	While struct {
		Loc
		Test Expr
		Body []Stmt
		Else []Stmt
	}
	If struct {
		Loc
		Test Expr
		Body []Stmt
		Else []Stmt // an elif is a single If here
	}
	// A With enters its items from left to right and leaves them in the opposite order.
	With struct {
		Loc
		Async bool
		Items []*WithItem
		Body  []Stmt
	}
	Match struct {
		Loc
		Subject Expr
		Cases   []*MatchCase
	}
	// A Raise without Exc raises the exception that is handled at the moment.
	Raise struct {
		Loc
		Exc   Expr // or nil
		Cause Expr // or nil
	}
	// A Try has handlers or a finally block, or both.
	Try struct {
		Loc
		Body     []Stmt
		Handlers []*ExceptHandler
		Else     []Stmt
		Finally  []Stmt
		Star     bool // except*
	}
	Assert struct {
		Loc
		Test Expr
		Msg  Expr // or nil
	}
	Import struct {
		Loc
		Names []*Alias
	}
	// An ImportFrom is "from .module import names".
	ImportFrom struct {
		Loc
		Module Ident // empty for "from . import x"
		Names  []*Alias
		Level  int // number of leading dots
	}
	Global struct {
		Loc
		Names []Ident
	}
	Nonlocal struct {
		Loc
		Names []Ident
	}
	ExprStmt struct {
		Loc
		Value Expr
	}
	Pass     struct{ Loc }
	Break    struct{ Loc }
	Continue struct{ Loc }
)

// Parts of statements.
type (
	// Params are the parameters of a function or lambda.
	Params struct {
		PosOnly []*Param
		Args    []*Param
		VarArg  *Param // or nil
		KwOnly  []*Param
		KwArg   *Param // or nil
	}
	// A Param is one parameter. Its Loc covers name and annotation, not the default.
	Param struct {
		Loc
		Name       string
		Annotation Expr // or nil
		Default    Expr // or nil
	}
	// A Keyword is name=value, or **value with an empty Name, in a call.
	Keyword struct {
		Loc
		Name  Ident
		Value Expr
	}
	// An Alias is "a.b as c" in an import; Name is "*" in a star import.
	Alias struct {
		Loc
		Name   Ident
		AsName Ident // empty without as
	}
	WithItem struct {
		Context Expr
		Target  Expr // or nil
	}
	MatchCase struct {
		Pattern Pattern
		Guard   Expr // or nil
		Body    []Stmt
	}
	ExceptHandler struct {
		Loc
		Type Expr  // or nil
		Bare bool  // Type is a tuple without parentheses
		Name Ident // empty without as
		Body []Stmt
		// Target is the Name node that "as" binds, or nil.
		Target *Name
	}
)

// Expressions.
type (
	// A BoolOp joins two or more values by and or by or; "a and b and c" is one.
	BoolOp struct {
		Loc
		Op     BoolOperator
		Values []Expr
	}
	// A NamedExpr is (target := value).
	NamedExpr struct {
		Loc
		Target *Name
		Value  Expr
	}
	BinOp struct {
		Loc
		Left  Expr
		Op    BinOperator
		Right Expr
	}
	UnaryOp struct {
		Loc
		Op      UnaryOperator
		Operand Expr
	}
	Lambda struct {
		Loc
		Params *Params
		Body   Expr
		Scope  int32
	}
	// An IfExp is "body if test else other".
	IfExp struct {
		Loc
		Test Expr
		Body Expr
		Else Expr
	}
	// A Dict has a nil key for each **value.
	Dict struct {
		Loc
		Keys   []Expr
		Values []Expr
	}
	Set struct {
		Loc
		Elts []Expr
	}
	ListComp struct {
		Loc
		Elt        Expr
		Generators []*Comprehension
		Scope      int32
	}
	SetComp struct {
		Loc
		Elt        Expr
		Generators []*Comprehension
		Scope      int32
	}
	DictComp struct {
		Loc
		Key        Expr
		Value      Expr
		Generators []*Comprehension
		Scope      int32
	}
	GeneratorExp struct {
		Loc
		Elt        Expr
		Generators []*Comprehension
		Scope      int32
	}
	Await struct {
		Loc
		Value Expr
	}
	Yield struct {
		Loc
		Value Expr // or nil
	}
	YieldFrom struct {
		Loc
		Value Expr
	}
	// A Compare is a chain: "a < b < c" has one left side, two operators and two comparators, and
	// evaluates b once.
	Compare struct {
		Loc
		Left        Expr
		Ops         []CmpOperator
		Comparators []Expr
	}
	Call struct {
		Loc
		Func     Expr
		Args     []Expr // may contain *Starred
		Keywords []*Keyword
	}
	// A FormattedValue is a replacement field of an f-string.
	FormattedValue struct {
		Loc
		Value      Expr
		Conversion rune // 's', 'r', 'a', or 0
		FormatSpec *JoinedStr
	}
	// A JoinedStr is an f-string; its values are *Constant and *FormattedValue.
	JoinedStr struct {
		Loc
		Values []Expr
	}
	// An Interpolation is a replacement field of a t-string.
	Interpolation struct {
		Loc
		Value Expr
		// Text is the source of Value, without comments and without space after it.
		Text       string
		Conversion rune // 's', 'r', 'a', or 0
		FormatSpec *JoinedStr
	}
	// A TemplateStr is a t-string; its values are *Constant and *Interpolation.
	TemplateStr struct {
		Loc
		Values []Expr
	}
	// A Constant is a literal. Which of the value fields is set follows Kind.
	Constant struct {
		Loc
		Kind ConstKind
		// Int is the value of an Int that fits; Big holds one that does not.
		Int int64
		Big *big.Int
		// Float is the binary64 value of a Float, or the imaginary part of a Complex.
		Float float64
		// Str is the value of a Str (UTF-8, lone surrogates in the generalised
		// form of WTF-8), the bytes of a Bytes, or the source spelling of a Float.
		Str string
		// U is set for a string with the u prefix.
		U bool
	}
	// An Attribute is value.attr; Ctx says whether it is read, written or deleted.
	Attribute struct {
		Loc
		Value Expr
		Attr  Ident
		Ctx   ExprContext
	}
	// A Subscript is value[index].
	Subscript struct {
		Loc
		Value Expr
		Index Expr // *Slice, *Tuple (which may hold *Slice and *Starred), or any
		Ctx   ExprContext
	}
	Starred struct {
		Loc
		Value Expr
		Ctx   ExprContext
	}
	// A Name is an identifier used as an expression. Index numbers the Name
	// nodes of a file from 0, for side tables.
	Name struct {
		Loc
		ID    string
		Index int32
		Ctx   ExprContext
	}
	List struct {
		Loc
		Elts []Expr
		Ctx  ExprContext
	}
	Tuple struct {
		Loc
		Elts []Expr
		Ctx  ExprContext
	}
	Slice struct {
		Loc
		Lower, Upper, Step Expr // each or nil
	}
)

// A Comprehension is one "for target in iter if cond …" clause.
type Comprehension struct {
	Target Expr
	Iter   Expr
	Ifs    []Expr
	Async  bool
}

// Patterns.
type (
	MatchValue struct {
		Loc
		Value Expr
	}
	MatchSingleton struct {
		Loc
		Value ConstKind // NoneConst, TrueConst or FalseConst
	}
	MatchSequence struct {
		Loc
		Patterns []Pattern
	}
	// A MatchMapping is {key: pattern, **rest}; keys and patterns go together by position.
	MatchMapping struct {
		Loc
		Keys     []Expr
		Patterns []Pattern
		Rest     *Name // or nil
	}
	// A MatchClass is cls(patterns, name=pattern); KwdAttrs and KwdPatterns go together by
	// position.
	MatchClass struct {
		Loc
		Cls         Expr
		Patterns    []Pattern
		KwdAttrs    []Ident
		KwdPatterns []Pattern
	}
	MatchStar struct {
		Loc
		Name *Name // nil for *_
	}
	// A MatchAs is "pattern as name", a capture (nil Pattern) or _ (both nil).
	MatchAs struct {
		Loc
		Pattern Pattern
		Name    *Name
	}
	MatchOr struct {
		Loc
		Patterns []Pattern
	}
)

// Type parameters.
type (
	TypeVar struct {
		Loc
		Name    *Name
		Bound   Expr // or nil
		Default Expr // or nil
	}
	ParamSpec struct {
		Loc
		Name    *Name
		Default Expr // or nil
	}
	TypeVarTuple struct {
		Loc
		Name    *Name
		Default Expr // or nil; may be *Starred
	}
)

func (*FunctionDef) stmt() {}
func (*ClassDef) stmt()    {}
func (*Return) stmt()      {}
func (*Delete) stmt()      {}
func (*Assign) stmt()      {}
func (*TypeAlias) stmt()   {}
func (*AugAssign) stmt()   {}
func (*AnnAssign) stmt()   {}
func (*For) stmt()         {}
func (*While) stmt()       {}
func (*If) stmt()          {}
func (*With) stmt()        {}
func (*Match) stmt()       {}
func (*Raise) stmt()       {}
func (*Try) stmt()         {}
func (*Assert) stmt()      {}
func (*Import) stmt()      {}
func (*ImportFrom) stmt()  {}
func (*Global) stmt()      {}
func (*Nonlocal) stmt()    {}
func (*ExprStmt) stmt()    {}
func (*Pass) stmt()        {}
func (*Break) stmt()       {}
func (*Continue) stmt()    {}

func (*BoolOp) expr()         {}
func (*NamedExpr) expr()      {}
func (*BinOp) expr()          {}
func (*UnaryOp) expr()        {}
func (*Lambda) expr()         {}
func (*IfExp) expr()          {}
func (*Dict) expr()           {}
func (*Set) expr()            {}
func (*ListComp) expr()       {}
func (*SetComp) expr()        {}
func (*DictComp) expr()       {}
func (*GeneratorExp) expr()   {}
func (*Await) expr()          {}
func (*Yield) expr()          {}
func (*YieldFrom) expr()      {}
func (*Compare) expr()        {}
func (*Call) expr()           {}
func (*FormattedValue) expr() {}
func (*JoinedStr) expr()      {}
func (*Interpolation) expr()  {}
func (*TemplateStr) expr()    {}
func (*Constant) expr()       {}
func (*Attribute) expr()      {}
func (*Subscript) expr()      {}
func (*Starred) expr()        {}
func (*Name) expr()           {}
func (*List) expr()           {}
func (*Tuple) expr()          {}
func (*Slice) expr()          {}

func (*MatchValue) pattern()     {}
func (*MatchSingleton) pattern() {}
func (*MatchSequence) pattern()  {}
func (*MatchMapping) pattern()   {}
func (*MatchClass) pattern()     {}
func (*MatchStar) pattern()      {}
func (*MatchAs) pattern()        {}
func (*MatchOr) pattern()        {}

func (*TypeVar) typeParam()      {}
func (*ParamSpec) typeParam()    {}
func (*TypeVarTuple) typeParam() {}
