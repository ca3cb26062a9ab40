package lsp

// This file keeps the texts of open documents, and what a line of a text that was checked is in
// the text of now.

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"unicode/utf8"
)

// A lineTable has the offsets at which the lines of a text begin.
type lineTable []int

// linesOf splits as the protocol does: at "\n", "\r\n" and "\r".
func linesOf(text string) lineTable {
	t := lineTable{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			t = append(t, i+1)
		}
	}
	return t
}

// at is the line of an offset and the bytes before it there.
func (t lineTable) at(offset int) (line, col int) {
	line = sort.SearchInts(t, offset+1) - 1
	return line, offset - t[line]
}

// line is the text of a line without its end.
func (t lineTable) line(text string, n int) string {
	if n < 0 || n >= len(t) {
		return ""
	}
	end := len(text)
	if n+1 < len(t) {
		end = t[n+1]
	}
	return strings.TrimRight(text[t[n]:end], "\r\n")
}

// An encoding is how characters of a position are counted.
type encoding string

const (
	utf8Encoding  encoding = "utf-8"
	utf16Encoding encoding = "utf-16"
)

// character is the position of a byte in a line.
func (e encoding) character(line string, col int) int {
	col = min(max(col, 0), len(line))
	if e == utf8Encoding {
		return col
	}
	n := 0
	for _, r := range line[:col] {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// column is the byte in a line at a position; positions behind its end are its end.
func (e encoding) column(line string, character int) int {
	if character <= 0 {
		return 0
	}
	if e == utf8Encoding {
		col := min(character, len(line))
		for col > 0 && col < len(line) && !utf8.RuneStart(line[col]) {
			col--
		}
		return col
	}
	n := 0
	for i, r := range line {
		if n >= character {
			return i
		}
		if n++; r > 0xffff {
			n++
		}
	}
	return len(line)
}

// A document is an open one.
type document struct {
	uri, path string
	version   int
	text      string
	lines     lineTable
	// checked has for each line the one that it was in the text that was checked last, or -1
	// where it is another; nil: no text was.
	checked []int
	// chosen is the entry whose types are shown alone; empty: those of all are.
	chosen string
	// book is set for a notebook; text is the program of its cells then.
	book *book
}

// newDocument is a document as it was opened.
func newDocument(uri, path string, version int, text string) *document {
	return &document{uri: uri, path: path, version: version, text: text, lines: linesOf(text)}
}

// change applies a change.
func (d *document) change(c *contentChange, e encoding) error {
	if c.Range == nil {
		d.text, d.lines, d.checked = c.Text, linesOf(c.Text), nil
		return nil
	}
	start, end := d.offset(c.Range.Start, e), d.offset(c.Range.End, e)
	if start > end {
		return errors.New("a range that ends before it starts")
	}
	from, to := c.Range.Start.Line, c.Range.End.Line
	if d.text[start:end] == c.Text {
		return nil
	}
	before := len(d.lines)
	d.text = d.text[:start] + c.Text + d.text[end:]
	d.lines = linesOf(d.text)
	if d.checked != nil {
		from, to = min(max(from, 0), before-1), min(max(to, 0), before-1)
		made := max(len(d.lines)-before+to-from+1, 0)
		list := append([]int{}, d.checked[:from]...)
		for range made {
			list = append(list, -1)
		}
		list = append(list, d.checked[to+1:]...)
		if _, col := d.lines.at(start); col == 0 && made > 0 && strings.HasSuffix(c.Text, "\n") && start == end && d.checked[from] >= 0 {
			list[from+made-1] = d.checked[from] // whole lines were put before this one
		}
		if d.checked = list; len(list) != len(d.lines) {
			d.checked = nil
		}
	}
	return nil
}

// offset is the byte at a position; places outside of the text are its nearest.
func (d *document) offset(p position, e encoding) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(d.lines):
		return len(d.text)
	}
	return d.lines[p.Line] + e.column(d.lines.line(d.text, p.Line), p.Character)
}

// accept makes the text of now the one that was checked.
func (d *document) accept() {
	d.checked = make([]int, len(d.lines))
	for i := range d.checked {
		d.checked[i] = i
	}
}

// now finds the line that a checked line is now; false where it was changed.
func (d *document) now(line int) (int, bool) {
	// Lines keep their order, and most of them their place.
	if line < len(d.checked) && line >= 0 && d.checked[line] == line {
		return line, true
	}
	for i, was := range d.checked {
		if was == line {
			return i, true
		}
	}
	return 0, false
}

// was is the checked line that a line of now was; false where there is none.
func (d *document) was(line int) (int, bool) {
	if line < 0 || line >= len(d.checked) || d.checked[line] < 0 {
		return 0, false
	}
	return d.checked[line], true
}

// pathOf is the path of a file URI.
func pathOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return "", fmt.Errorf("%s: no file", uri)
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		if u.Host != "" {
			path = "//" + u.Host + path
		} else {
			path = strings.TrimPrefix(path, "/")
		}
	}
	return filepath.Clean(filepath.FromSlash(path)), nil
}

// uriOf is the URI of an absolute path.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
