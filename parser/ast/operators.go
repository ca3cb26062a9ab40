package ast

// This file defines the operators, contexts and constant kinds of the tree.

// An ExprContext says whether an expression is read, written or deleted.
type ExprContext uint8

const (
	Load ExprContext = iota
	Store
	Del
)

// A BoolOperator is "and" or "or".
type BoolOperator uint8

const (
	And BoolOperator = iota
	Or
)

// A BinOperator is a binary arithmetic or bitwise operator.
type BinOperator uint8

const (
	Add BinOperator = iota
	Sub
	Mult
	MatMult
	Div
	Mod
	Pow
	LShift
	RShift
	BitOr
	BitXor
	BitAnd
	FloorDiv
)

// A UnaryOperator is a prefix operator.
type UnaryOperator uint8

const (
	Invert UnaryOperator = iota
	Not
	UAdd
	USub
)

// A CmpOperator is a comparison operator.
type CmpOperator uint8

const (
	Eq CmpOperator = iota
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn
)

// A ConstKind is the type of a literal.
type ConstKind uint8

const (
	NoneConst ConstKind = iota
	TrueConst
	FalseConst
	EllipsisConst
	IntConst
	FloatConst
	ComplexConst
	StrConst
	BytesConst
)

var (
	boolOpNames = [...]string{"And", "Or"}
	binOpNames  = [...]string{"Add", "Sub", "Mult", "MatMult", "Div", "Mod", "Pow", "LShift", "RShift", "BitOr", "BitXor", "BitAnd",
		"FloorDiv"}
	binOpTexts   = [...]string{"+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"}
	unaryOpNames = [...]string{"Invert", "Not", "UAdd", "USub"}
	unaryOpTexts = [...]string{"~", "not", "+", "-"}
	cmpOpNames   = [...]string{"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"}
	cmpOpTexts   = [...]string{"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"}
)

// Name returns CPython's name of the operator; String its source text.
func (o BoolOperator) Name() string { return boolOpNames[o] }

// Name returns CPython's name of the operator.
func (o BinOperator) Name() string { return binOpNames[o] }

// Name returns CPython's name of the operator.
func (o UnaryOperator) Name() string { return unaryOpNames[o] }

// Name returns CPython's name of the operator.
func (o CmpOperator) Name() string { return cmpOpNames[o] }

func (o BinOperator) String() string   { return binOpTexts[o] }
func (o UnaryOperator) String() string { return unaryOpTexts[o] }
func (o CmpOperator) String() string   { return cmpOpTexts[o] }

func (o BoolOperator) String() string {
	if o == And {
		return "and"
	}
	return "or"
}
