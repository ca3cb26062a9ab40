package infer

// This file says what an assert that failed compares.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// A compared is the comparison that was made last.
type compared struct {
	leftOf, rightOf ast.Expr
	left, right     value.Value
}

// maxSide bounds the characters shown of a side, and of its value.
const maxSide = 60

// sides are the two sides of the comparison that made a test fail, the last one that it made; none where it compared nothing. A
// side that is a number or a text in the source says its value itself.
func (in *Interp) sides(f *frame, test ast.Expr) []diag.Operand {
	c := in.compared
	if c.leftOf == nil || f.prelude {
		return nil
	}
	if at, of := test.Span(), c.rightOf.Span(); of.Start < at.Start || of.End > at.End {
		return nil
	}
	var out []diag.Operand
	for _, x := range [...]struct {
		of ast.Expr
		v  value.Value
	}{{c.leftOf, c.left}, {c.rightOf, c.right}} {
		out = append(out, diag.Operand{Name: shortSide(in.SpanText(x.of.Span())), Type: shortSide(in.shownSide(x.v)), Fault: -1})
	}
	return out
}

// shownSide is a number or a shape as Python prints it, and else the type of a value.
func (in *Interp) shownSide(v value.Value) string {
	if _, isTensor := v.(*value.Tensor); isTensor {
		return v.String()
	}
	in.quiet++
	text, known := in.Repr(v)
	if in.quiet--; known {
		return text
	}
	return v.String()
}

func shortSide(s string) string {
	if r := []rune(s); len(r) > maxSide {
		return string(r[:maxSide-1]) + "…"
	}
	return s
}
