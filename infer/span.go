package infer

// This file gives library code the source text of a place.

import "shapecheck/internal/source"

// Line is the line where a span begins, from 1.
func (in *Interp) Line(s source.Span) int { return in.files.Position(s.Start).Line }

// SpanText returns the source text of a span.
func (in *Interp) SpanText(s source.Span) string {
	f := in.files.File(s.Start)
	if f == nil {
		return ""
	}
	return f.Slice(s)
}
