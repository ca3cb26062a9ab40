package graph

// This file defines the operands: what the arguments of nodes can be.

import (
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// An Operand is an argument of a node, a result of a region, or what an entry returns: one of the types of
// this file, a *Value, or nil for None. No other package can add one, so that a reader that lists them all has
// them all. Operands that hold no others compare with ==.
type Operand interface{ operand() }

// Numbers, strings and other constants.
type (
	Int     int64
	Float   float64
	Complex complex128
	Bool    bool
	Str     string
	// DType is an element type.
	DType struct{ dtype.DType }
	// Opaque is an object that the graph does not describe: its type's name.
	Opaque string
)

// What sizes decide, as expressions over symbols.
type (
	// Dim is an integer.
	Dim struct{ symshape.Dim }
	// Real is a float.
	Real struct{ symshape.Real }
	// Cond is a bool.
	Cond struct{ *symshape.Cond }
)

// Python's containers and subscripts.
type (
	List  []Operand
	Tuple []Operand
	// Dict is a dict with str keys, in order.
	Dict []Arg
	// Slice is start:stop:step of a subscript; nil is a part left out.
	Slice struct{ Start, Stop, Step Operand }
	// Ellipsis is the ... of a subscript.
	Ellipsis struct{}
)

// An Arg is a bound argument.
type Arg struct {
	Name  string
	Value Operand
	// Number says that the argument is a Python number, which Value holds: x.item(), float(x). It has no elements that another
	// tensor's belong to.
	Number bool
}

func (*Value) operand()   {}
func (Int) operand()      {}
func (Float) operand()    {}
func (Complex) operand()  {}
func (Bool) operand()     {}
func (Str) operand()      {}
func (DType) operand()    {}
func (Opaque) operand()   {}
func (Dim) operand()      {}
func (Real) operand()     {}
func (Cond) operand()     {}
func (List) operand()     {}
func (Tuple) operand()    {}
func (Dict) operand()     {}
func (Slice) operand()    {}
func (Ellipsis) operand() {}

// Operands calls f for every *Value inside o, in order.
func Operands(o Operand, f func(*Value)) {
	Leaves(o, func(o Operand) {
		if v, ok := o.(*Value); ok && v != nil {
			f(v)
		}
	})
}

// Symbols calls f for every symbol in the expressions and conditions inside o.
func Symbols(o Operand, f func(*symshape.Expr)) {
	Leaves(o, func(o Operand) {
		var list []*symshape.Expr
		switch o := o.(type) {
		case Dim:
			list = o.Expr.Symbols()
		case Cond:
			list = o.Symbols()
		case Real:
			list = o.Symbols()
		}
		for _, s := range list {
			f(s)
		}
	})
}

// Leaves calls f for every operand inside o that holds no others, in order.
func Leaves(o Operand, f func(Operand)) {
	switch o := o.(type) {
	case List:
		for _, e := range o {
			Leaves(e, f)
		}
	case Tuple:
		for _, e := range o {
			Leaves(e, f)
		}
	case Dict:
		for _, e := range o {
			Leaves(e.Value, f)
		}
	case Slice:
		Leaves(o.Start, f)
		Leaves(o.Stop, f)
		Leaves(o.Step, f)
	default:
		f(o)
	}
}
