// Package place turns spans into what printers for other programs write: a path
// with slashes, lines and columns from 1, columns in characters.
package place

// This file holds the conversion.

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// A Place is a range of a file. The end is exclusive. In a notebook the lines are those of
// Cell, which counts from 1; elsewhere Cell is 0.
type Place struct {
	Path                       string
	Line, Col, EndLine, EndCol int
	Cell                       int
}

// Where is the path, in a notebook with the cell: "net.ipynb:cell 7".
func (p Place) Where() string {
	if p.Cell == 0 {
		return p.Path
	}
	return fmt.Sprintf("%s:cell %d", p.Path, p.Cell)
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
	out := Place{Path(p.File), p.Line, column(p), q.Line, column(q), 0}
	if c, ok := p.File.Cell(p.Line); ok {
		end, _ := p.File.Cell(q.Line)
		out.Cell, out.Line, out.EndLine = c.Cell, c.Line, end.Line
		if end.Cell != c.Cell { // it ends where the next cell begins
			out.EndLine, out.EndCol = out.Line, out.Col
		}
	}
	return out, true
}

// OnDisk finds the place of a span in the text that the file has on the disk, for programs that
// show that. In a notebook there are no columns: they are 0.
func OnDisk(fs *source.FileSet, s source.Span) (Place, bool) {
	out, ok := Of(fs, s)
	if !ok || out.Cell == 0 {
		return out, ok
	}
	p := fs.Position(s.Start)
	c, _ := p.File.Cell(p.Line)
	end, _ := p.File.Cell(p.Line + out.EndLine - out.Line)
	return Place{Path: out.Path, Line: c.At, EndLine: end.At}, true
}

// maxAlso is how many of the other places of a cause are named.
const maxAlso = 30

// Also names the other places of a finding's cause, "net.py:16:13, net.py:17:13"; empty: there are none.
func Also(fs *source.FileSet, d *diag.Diagnostic) string {
	var out []string
	for i, x := range d.Also {
		if len(out) == maxAlso {
			out = append(out, fmt.Sprintf("and %d more", len(d.Also)-i))
			break
		}
		if p, ok := Of(fs, x.At); ok {
			out = append(out, fmt.Sprintf("%s:%d:%d", p.Where(), p.Line, p.Col))
		}
	}
	return strings.Join(out, ", ")
}

// Path is what findings call a file, with slashes and without "./".
func Path(f *source.File) string { return path.Clean(filepath.ToSlash(f.Label())) }

func column(p source.Position) int { return source.Runes(p.File.Line(p.Line), p.Col) + 1 }

// OneLine is the message of a diagnostic in one line.
func OneLine(d *diag.Diagnostic) string { return strings.Join(strings.FieldsFunc(d.Msg, newline), " ") }

func newline(r rune) bool { return r == '\n' || r == '\r' }
