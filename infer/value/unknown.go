package value

// This file defines values that the analysis lost or left open.

import (
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
}

// An Unknown is a value the analysis lost. Operations on it give it back; it is
// equal to nothing.
type Unknown struct{ Cause *Cause }

// A Choice is one of two values that have no common abstraction (a tensor or
// None, instances of two classes): Then when Cond holds, else Else. Reading a
// variable resolves it when the path decides Cond.
type Choice struct {
	Cond       *symshape.Cond
	Then, Else Value
}

func (*Unknown) value() {}
func (*Choice) value()  {}

// IsUnknown reports whether v is Unknown.
func IsUnknown(v Value) bool {
	_, ok := v.(*Unknown)
	return ok
}
