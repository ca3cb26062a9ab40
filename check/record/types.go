package record

// This file compares types that were written down with types that were found.

import (
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/symshape"
)

// SameType reports whether two type strings mean the same: each shape is read as
// expressions, so that it does not matter how sizes are written.
func SameType(a, b string) bool {
	p := symshape.NewPool()
	return canonical(p, a) == canonical(p, b)
}

var shapes = lazyregexp.New(`\b(?:f16|bf16|f32|f64|i8|i16|i32|i64|u8|bool|c64|c128)\[[^\[\]]*\]`)

func canonical(p *symshape.Pool, text string) string {
	text = shapes.ReplaceAllStringFunc(text, func(m string) string {
		dt, list, _ := strings.Cut(m, "[")
		shape, err := p.ParseShape("[" + list)
		if err != nil {
			return m
		}
		return dt + shape.String()
	})
	return strings.ReplaceAll(text, " ", "")
}
