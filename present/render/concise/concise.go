// Package concise prints a diagnostic in one line, as compilers and linters do:
//
//	path:line:column: severity[code] message; also at path:line:column; fix: what mends it
package concise

import (
	"bufio"
	"fmt"
	"io"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
)

// Print writes one line for each cause of diagnostics, with its other places and its first fix. It returns an error only where w does.
func Print(w io.Writer, fs *source.FileSet, list []*diag.Diagnostic) error {
	b := bufio.NewWriter(w)
	for _, d := range diag.Causes(list) {
		b.WriteString(Line(fs, d))
		if also := place.Also(fs, d); also != "" {
			b.WriteString("; also at " + safetext.Line(also))
		}
		if len(d.Fixes) > 0 {
			f := &d.Fixes[0]
			b.WriteString("; " + f.Lead() + ": " + safetext.Line(f.Text()))
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// Line is a diagnostic in one line.
func Line(fs *source.FileSet, d *diag.Diagnostic) string {
	text := fmt.Sprintf("%s[%s] %s", d.Severity, d.Code, safetext.Line(place.OneLine(d)))
	if p, ok := place.Of(fs, d.At); ok {
		text = fmt.Sprintf("%s:%d:%d: %s", safetext.Line(p.Where()), p.Line, p.Col, text)
	}
	if d.Count > 1 {
		text += fmt.Sprintf(" (%d times)", d.Count)
	}
	return text
}
