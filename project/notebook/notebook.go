// Package notebook reads Jupyter notebooks (nbformat 4) as Python programs: the code cells in
// their order, each line with the cell that it stands in. What a fix changes in the program is
// written back into the cells, and no other byte of the notebook changes.
//
//	notebook.go  File: a notebook as a program      json.go     where the cells' sources lie in the text
//	magic.go     what IPython adds to Python        rewrite.go  changes of the program in the notebook's text
package notebook

// This file makes a program of a notebook.

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"shapecheck/internal/source"
)

// Is reports whether a path names a notebook.
func Is(path string) bool { return strings.EqualFold(filepath.Ext(path), ".ipynb") }

// ErrLanguage says that the code of a notebook is not Python.
var ErrLanguage = errors.New("its code is not Python")

// File is the program of a notebook's text; its Notebook says where its lines come from. An
// error says what is wrong with the text, or is ErrLanguage.
func File(name, text string) (*source.File, error) {
	d, err := read(text)
	if err != nil {
		return nil, err
	}
	p := d.program()
	nb := &source.Notebook{Text: text}
	for _, l := range p.lines {
		nb.Lines = append(nb.Lines, l.at)
	}
	f := source.NewFile(name, p.text())
	f.Notebook = nb
	return f, nil
}

// A program is the Python of a notebook, line by line.
type program struct {
	lines []line
	// heads are the lines that begin cells, in their order.
	heads []string
}

// A line is one of the program, with its line feed. was is what the notebook has there.
type line struct {
	text, was string
	at        source.CellLine
}

func (p *program) text() string {
	var b strings.Builder
	for _, l := range p.lines {
		b.WriteString(l.text)
	}
	return b.String()
}

// program puts the code cells together. Each begins with a comment that no cell has, so that a
// changed program can be cut where it was put together.
func (d *document) program() *program {
	mark := "# cell"
	for d.has(mark) {
		mark += "_"
	}
	p := &program{}
	for _, c := range d.cells {
		lines := python(splitLines(c.text()))
		head := fmt.Sprintf("%s %d\n", mark, c.number)
		if indented(lines) { // IPython takes the indentation away; so columns stay
			head = "if True:  " + head
		}
		p.heads = append(p.heads, head)
		p.lines = append(p.lines, line{text: head, was: head, at: source.CellLine{Cell: c.number, Line: 1, At: c.lineAt(d.text, 0)}})
		offset := 0
		for i, l := range lines {
			l.at = source.CellLine{Cell: c.number, Line: i + 1, At: c.lineAt(d.text, offset)}
			offset += len(l.was)
			if was := strings.TrimRight(l.was, "\r\n"); was != strings.TrimRight(l.text, "\r\n") {
				l.at.Was = was
			}
			if !strings.HasSuffix(l.text, "\n") {
				l.text += "\n"
			}
			p.lines = append(p.lines, l)
		}
	}
	return p
}

// has reports whether a cell has a text.
func (d *document) has(text string) bool {
	for _, c := range d.cells {
		if strings.Contains(c.text(), text) {
			return true
		}
	}
	return false
}

// indented reports whether the first line of code begins with blanks.
func indented(lines []line) bool {
	for _, l := range lines {
		if body := strings.TrimLeft(l.text, " \t"); strings.TrimSpace(body) != "" && body[0] != '#' {
			return len(body) < len(l.text)
		}
	}
	return false
}

// splitLines cuts a text after its line feeds.
func splitLines(s string) []string {
	list := strings.SplitAfter(s, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}
