package infer

// This file bounds of how many values a value may be one.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

const (
	// maxAlternatives bounds of how many values without a common abstraction a value may be
	// one. A loop that derives one of two values from the last doubles them in each iteration.
	maxAlternatives = 64
	// maxElemAlternatives is the same for an element of a sequence of unknown length.
	maxElemAlternatives = 8
)

// oneOfTwo is the value that is a where c holds and b where it does not, as long as that
// has few alternatives.
func oneOfTwo(th value.Thread, c *symshape.Cond, a, b value.Value) value.Value {
	if n := countAlternatives(a, maxAlternatives); n+countAlternatives(b, maxAlternatives) > maxAlternatives {
		return th.Unknown("it is one of more than 64 values")
	}
	return &value.Choice{Cond: c, Then: a, Else: b}
}

// countAlternatives counts the values of which v is one, up to a bound.
func countAlternatives(v value.Value, bound int) int {
	c, ok := v.(*value.Choice)
	if !ok || bound <= 1 {
		return 1
	}
	n := countAlternatives(c.Then, bound)
	if n >= bound {
		return n
	}
	return n + countAlternatives(c.Else, bound-n)
}

// oneOf joins elements of which one is a choice already. A sequence that is added to
// under many conditions has each value once: their choices would hold each other. Which
// value an element is no condition tells then. It gives nil for other elements.
func (j *joiner) oneOf(a, b value.Value) value.Value {
	list := alternatives(nil, a)
	n := len(list)
	list = alternatives(list, b)
	if n < 2 && len(list)-n < 2 {
		return nil
	}
	var out []value.Value
	for _, v := range list {
		if !slices.ContainsFunc(out, func(w value.Value) bool { return same(v, w) }) {
			out = append(out, v)
		}
	}
	if len(out) > maxElemAlternatives {
		return j.in.Unknown("an element is one of many values")
	}
	v := out[len(out)-1]
	for i := len(out) - 2; i >= 0; i-- {
		next := j.in.newJoiner(j.in.DataBool(nil).Cond)
		v = next.value(out[i], v)
	}
	return v
}

// alternatives lists the values of which v is one.
func alternatives(list []value.Value, v value.Value) []value.Value {
	if c, ok := v.(*value.Choice); ok {
		return alternatives(alternatives(list, c.Then), c.Else)
	}
	return append(list, v)
}
