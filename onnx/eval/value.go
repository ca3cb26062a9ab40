package eval

// This file holds what a name of a model can stand for.

import (
	"fmt"
)

// A Value is a *Tensor, *Sequence, *Optional or *Opaque. A nil Value is an absent
// operand. Values are never changed after they were made.
type Value interface{ value() }

// A Sequence is a list of values.
type Sequence struct{ Items []Value }

// An Optional is a value or, with nil, none.
type Optional struct{ Of Value }

// An Opaque is what an operator of ONNX+ keeps for the one that computes its gradient.
type Opaque struct {
	Kind  string
	Items []Value
	node  *call
}

func (*Tensor) value()   {}
func (*Sequence) value() {}
func (*Optional) value() {}
func (*Opaque) value()   {}

// describe says what a value is, for messages.
func describe(v Value) string {
	switch v := v.(type) {
	case *Tensor:
		return fmt.Sprintf("%s%v", v.DType, v.Dims)
	case *Sequence:
		return fmt.Sprintf("a sequence of %d", len(v.Items))
	case *Optional:
		if v.Of == nil {
			return "an empty optional"
		}
		return "an optional " + describe(v.Of)
	case *Opaque:
		return "a context of " + v.Kind
	}
	return "nothing"
}

// sizeOf is the memory of a value in bytes, counted for each place that holds it.
func sizeOf(v Value) int64 {
	switch v := v.(type) {
	case *Tensor:
		n := int64(8 * (len(v.F) + len(v.I) + 2*len(v.C)))
		for _, s := range v.S {
			n += int64(len(s)) + 16
		}
		return n + 64
	case *Sequence:
		n := int64(64)
		for _, x := range v.Items {
			n += sizeOf(x)
		}
		return n
	case *Optional:
		return 16 + sizeOf(v.Of)
	case *Opaque:
		n := int64(64)
		for _, x := range v.Items {
			n += sizeOf(x)
		}
		return n
	}
	return 0
}
