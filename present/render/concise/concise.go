// Package concise prints a diagnostic in one line, as compilers and linters do:
//
//	path:line:column: severity[code] message
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

// Print writes one line for each diagnostic. It returns an error only where w does.
func Print(w io.Writer, fs *source.FileSet, list []*diag.Diagnostic) error {
	b := bufio.NewWriter(w)
	for _, d := range list {
		if p, ok := place.Of(fs, d.At); ok {
			fmt.Fprintf(b, "%s:%d:%d: ", safetext.Line(p.Where()), p.Line, p.Col)
		}
		fmt.Fprintf(b, "%s[%s] %s", d.Severity, d.Code, safetext.Line(place.OneLine(d)))
		if d.Count > 1 {
			fmt.Fprintf(b, " (%d times)", d.Count)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}
