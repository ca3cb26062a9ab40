package infer

// This file gives library code the source text of a place.

import "shapecheck/internal/source"

// SpanText returns the source text of a span.
func (in *Interp) SpanText(s source.Span) string {
	f := in.files.File(s.Start)
	if f == nil {
		return ""
	}
	return f.Slice(s)
}
