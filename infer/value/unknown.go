package value

// This file defines values that the analysis lost or left open.

import (
	"iter"

	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A Cause says why a value is unknown.
type Cause struct {
	At     source.Span
	Reason string
	// Reported is set when a diagnostic was given at the loss, so that nothing
	// more need be said: it poisons silently what depends on it.
	Reported bool
	// Unsure is set where it is not known whether there is a value at all.
	Unsure bool
	// Vague is set while Reason says no more than that the value is not known: the cause
	// of an operand says more, where one has any.
	Vague bool
	// Missing is set where the value comes from a module that was not found.
	Missing bool
}

// FirstCause returns the cause of the first of some values, or values inside them, that
// are not known; nil where none is, or nothing says why.
func FirstCause(vals ...Value) *Cause {
	for x := range Inside(vals...) {
		if c := CauseOf(x); c != nil {
			return c
		}
	}
	return nil
}

// Inside yields operands of an operation with what is inside of them, as far as it is
// worth to look there for the cause of a loss: a few hundred values.
func Inside(vals ...Value) iter.Seq[Value] {
	const depth, most = 6, 256
	return func(yield func(Value) bool) {
		n := 0
		for _, v := range vals {
			for x := range Walk(v, depth, AllParts&^(Attributes|Others)) {
				if n++; n > most || !yield(x) {
					return
				}
			}
		}
	}
}

// CauseOf returns why v itself is not known; nil where it is, or nothing says why.
func CauseOf(v Value) *Cause {
	switch v := v.(type) {
	case *Unknown:
		return v.Cause
	case *Abstract:
		return v.Cause
	case *SymInt:
		if v.Lost() {
			return v.Cause
		}
	case *SymFloat:
		if v.Lost() {
			return v.Cause
		}
	}
	return nil
}

// An Unknown is a value the analysis lost. Operations on it give it back; it is
// equal to nothing.
type Unknown struct {
	Cause *Cause
	// One says that it is one element of a table or an array of which the dtype is not
	// known: a number, a text or another object of Python, but no sequence of numbers.
	One bool
	// ShapeOf is the tensor whose sizes this stands for, as their number is not known: unpacking tells it.
	ShapeOf *Tensor
}

// A Choice is one of two values that have no common abstraction (a tensor or
// None, instances of two classes): Then when Cond holds, else Else. Reading a
// variable resolves it when the path decides Cond.
type Choice struct {
	Cond       *symshape.Cond
	Then, Else Value
}

func (*Unknown) value() {}
func (*Choice) value()  {}

// Derived is what an operation on u gives: it is unknown for the same cause.
func (u *Unknown) Derived() *Unknown {
	if !u.One && u.ShapeOf == nil {
		return u
	}
	return &Unknown{Cause: u.Cause}
}

// Derived is what an operation on something unknown gives.
func Derived(v Value) Value {
	if u, ok := v.(*Unknown); ok {
		return u.Derived()
	}
	return v
}

// IsUnknown reports whether v is Unknown.
func IsUnknown(v Value) bool {
	_, ok := v.(*Unknown)
	return ok
}
