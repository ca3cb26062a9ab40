package infer

// This file decides whether a value of Python's own types can be an instance of a class
// of a module that was not found.

import (
	"strings"

	"shapecheck/infer/value"
)

// foreignTo are Python's types with what the name of a class says that may be another
// name of the type: a missing module may hand on int as Integer, or str as text_type.
var foreignTo = map[string][]string{
	"int": {"int", "num", "real", "scalar", "digit", "long"}, "float": {"float", "num", "real", "scalar"}, "bool": {"bool", "int", "num"},
	"str": {"str", "text", "unicode", "path", "name"}, "NoneType": {"none", "null", "opt"},
	"list": {"list", "seq", "iter", "coll", "arr"}, "tuple": {"tuple", "seq", "iter", "coll", "size", "shape"}, "dict": {"dict", "map"},
}

// Foreign implements value.ForeignTeller.
func (in *Interp) Foreign(c *value.Class, u *value.Unknown) bool {
	if u.Cause == nil || !u.Cause.Missing || c == nil || in.world.Class(c.Name) != c {
		return false
	}
	words := foreignTo[c.Name]
	text := strings.ToLower(in.SpanText(in.Here()))
	if words == nil || text == "" {
		return false
	}
	for _, w := range words {
		if strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// foreignPair reports whether one of two values is one of Python's own types and the other
// a class of a missing module, which therefore are not the same.
func (in *Interp) foreignPair(a, b value.Value) bool {
	if u, ok := a.(*value.Unknown); ok {
		c, ok := b.(*value.Class)
		return ok && in.Foreign(c, u)
	}
	u, unknown := b.(*value.Unknown)
	c, class := a.(*value.Class)
	return unknown && class && in.Foreign(c, u)
}
