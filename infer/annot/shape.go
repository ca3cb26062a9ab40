// Package annot reads the texts in which engineers write shapes: the strings of
// jaxtyping ("b t *rest h//2"), the shapes inside other annotations, and shape
// comments ("# (B, T, C) -> (B, T, E)").
//
// It is pure: text in, shapes out. What the names mean is the interpreter's
// affair; Expr.Dim builds a size once somebody says what each name is. Open
// shape.go for the data, expr.go for the sizes, jaxtyping.go and comment.go for
// the two grammars, and words.go for what tells a shape from prose.
package annot

import "strings"

// A Shape is a shape as it was written.
type Shape struct {
	Axes []Axis
}

// An AxisKind says what an Axis stands for.
type AxisKind uint8

const (
	Size AxisKind = iota // one axis, of the size Expr
	Any                  // one axis of any size
	Rest                 // any number of axes
)

// An Axis is one part of a shape.
type Axis struct {
	Kind AxisKind
	Expr Expr // of a Size
	// Name of a Rest that must be the same wherever it is used; empty: any.
	Name string
	// Broadcast says that the size may also be 1 (jaxtyping's #).
	Broadcast bool
	// As is a name that the size, a number, goes by; or empty.
	As string
	// From and To are the byte offsets of the axis in the text that was read.
	From, To int
}

// Rest returns the index of the axis that stands for any number of them, or -1.
func (s Shape) Rest() int {
	for i, a := range s.Axes {
		if a.Kind == Rest {
			return i
		}
	}
	return -1
}

// Names calls f for every name in the sizes of s, in order.
func (s Shape) Names(f func(name string)) {
	for _, a := range s.Axes {
		if a.Kind == Size {
			a.Expr.names(f)
		}
	}
}

// String writes the shape in the notation of jaxtyping, which Jaxtyping reads
// back, except for names that only comments can have.
func (s Shape) String() string {
	parts := make([]string, len(s.Axes))
	for i, a := range s.Axes {
		parts[i] = a.String()
	}
	return strings.Join(parts, " ")
}

// Text returns the axis as it stands in the text that was read.
func (a Axis) Text(text string) string { return text[a.From:a.To] }

func (a Axis) String() string {
	prefix := ""
	if a.Broadcast {
		prefix = "#"
	}
	switch {
	case a.Kind == Any:
		return "_"
	case a.Kind == Rest && a.Name == "":
		return "..."
	case a.Kind == Rest:
		return prefix + "*" + a.Name
	}
	return prefix + a.Expr.String()
}
