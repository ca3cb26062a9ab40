// Package place turns spans into what printers for other programs write: a path
// with slashes, lines and columns from 1, columns in characters.
package place

// This file holds the conversion.

import (
	"path"
	"path/filepath"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// A Place is a range of a file. The end is exclusive.
type Place struct {
	Path                       string
	Line, Col, EndLine, EndCol int
}

// Of finds the place of a span; false when it belongs to no file.
func Of(fs *source.FileSet, s source.Span) (Place, bool) {
	p := fs.Position(s.Start)
	if p.File == nil {
		return Place{}, false
	}
	q := fs.Position(s.End)
	if q.File != p.File || s.End < s.Start {
		q = p
	}
	return Place{Path(p.File), p.Line, column(p), q.Line, column(q)}, true
}

// Path is what findings call a file, with slashes and without "./".
func Path(f *source.File) string { return path.Clean(filepath.ToSlash(f.Label())) }

func column(p source.Position) int { return source.Runes(p.File.Line(p.Line), p.Col) + 1 }

// OneLine is the message of a diagnostic in one line.
func OneLine(d *diag.Diagnostic) string { return strings.Join(strings.FieldsFunc(d.Msg, newline), " ") }

func newline(r rune) bool { return r == '\n' || r == '\r' }
