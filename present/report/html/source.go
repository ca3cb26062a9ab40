package html

// This file annotates the source: of the entry's file all of it, of others the functions that ran.

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sort"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/present/report"
)

// A file is a text of the section.
type file struct {
	Name string `json:"name"`
	// Open says that the page shows the lines at once.
	Open  bool   `json:"open,omitempty"`
	Lines []line `json:"lines"`
	id    string
	at    map[int]int // the lines that are there, by their numbers in the whole text, and their places in Lines
}

// A line is one of the text.
type line struct {
	ID     string `json:"id"`
	Number int    `json:"number"`
	// Gap says that lines before it are left out; Head what stands above the first line of
	// a cell of a notebook.
	Gap  bool    `json:"gap,omitempty"`
	Head string  `json:"head,omitempty"`
	Code []piece `json:"code,omitempty"`
	Type string  `json:"type,omitempty"`
	// Open is true where the type is not wholly known; Dim says that the line did not run
	// although others of its function did.
	Open bool `json:"open,omitempty"`
	Dim  bool `json:"dim,omitempty"`
	// Marks are what a trace makes of places that decide here; Kept says that the line is in a way that ran because of inputs or state.
	Marks []string `json:"marks,omitempty"`
	Kept  bool     `json:"kept,omitempty"`
	// Influenced says that an operation of the line uses what such a way gave.
	Influenced bool  `json:"influenced,omitempty"`
	Findings   []int `json:"findings,omitempty"` // of the section
}

// A piece is a part of a line of source; Kind is one of kinds, or empty.
type piece struct {
	Kind string `json:"k,omitempty"`
	Text string `json:"t"`
}

// maxWhole bounds the lines of a text that is shown as a whole, maxLines those of a section.
const (
	maxWhole = 3000
	maxLines = 10000
)

// pages are the texts of a section.
type pages struct {
	entry  *Entry
	result *infer.Result
	marks  []report.Mark
	found  []*diag.Diagnostic
	shown  map[string]*file // by label: findings of a project may be in the files of another entry
}

// link is the name of a line in the page; empty where it is not shown.
func (p *pages) link(f *source.File, n int) string {
	if x := p.shown[f.Label()]; x != nil {
		if i, ok := x.at[n]; ok {
			return x.Lines[i].ID
		}
	}
	return ""
}

// collect makes the texts.
func (p *pages) collect() {
	r := p.result
	types := map[*source.File]map[int][]*infer.Line{}
	for _, l := range r.Lines {
		at := r.Files.Position(l.At.Start)
		if types[at.File] == nil {
			types[at.File] = map[int][]*infer.Line{}
		}
		types[at.File][at.Line] = append(types[at.File][at.Line], l)
	}
	found := map[string]map[int]bool{}
	byLabel := map[string]*source.File{}
	for _, d := range p.found {
		for _, at := range p.places(d) {
			name := at.File.Label()
			if found[name] == nil {
				found[name], byLabel[name] = map[int]bool{}, at.File
			}
			found[name][at.Line] = true
		}
	}
	for f := range r.Reached {
		if len(types[f]) > 0 || f == r.File || found[f.Label()] != nil {
			byLabel[f.Label()] = f
		}
	}
	files := slices.Collect(maps.Values(byLabel))
	sort.Slice(files, func(i, j int) bool {
		a, b := files[i], files[j]
		if (a == r.File) != (b == r.File) {
			return a == r.File
		}
		return a.Label() < b.Label()
	})
	left := maxLines
	for i, f := range files {
		x := p.file(f, i, types[f], found[f.Label()], left)
		left -= len(x.Lines)
		p.entry.Files = append(p.entry.Files, x)
	}
	for i, d := range p.found {
		for _, at := range p.places(d) {
			if x := p.shown[at.File.Label()]; x != nil {
				if k, ok := x.at[at.Line]; ok && !slices.Contains(x.Lines[k].Findings, i) {
					x.Lines[k].Findings = append(x.Lines[k].Findings, i)
				}
			}
		}
	}
}

// places are those of a finding that lie in files, its own first.
func (p *pages) places(d *diag.Diagnostic) []source.Position {
	var out []source.Position
	for _, at := range append([]source.Span{d.At}, also(d)...) {
		if at := p.result.Files.Position(at.Start); at.File != nil {
			out = append(out, at)
		}
	}
	return out
}

func also(d *diag.Diagnostic) []source.Span {
	out := make([]source.Span, len(d.Also))
	for i, x := range d.Also {
		out[i] = x.At
	}
	return out
}

// file annotates a text with at most so many lines.
func (p *pages) file(f *source.File, index int, types map[int][]*infer.Line, found map[int]bool, most int) *file {
	r := p.result
	x := &file{Name: filepath.ToSlash(f.Label()), Open: f == r.File, id: fmt.Sprintf("%s-%d", p.entry.ID, index), at: map[int]int{}}
	p.shown[f.Label()] = x
	whole := f == r.File && f.LineCount() <= min(maxWhole, most)
	reached := r.Reached[f]
	wanted := func(int) bool { return true }
	if !whole {
		list := report.FunctionLines(f, reached, types)
		for n := range found {
			list = append(list, n)
		}
		set := map[int]bool{}
		for _, n := range list {
			set[n] = true
		}
		wanted = func(n int) bool { return set[n] }
	}
	defs := report.DefsOf(f)
	ran := map[int]bool{} // functions of which something ran, by the line of their def
	for n := range reached {
		ran[defs.Around(n)] = true
	}
	code := paint(f)
	last, cell := 0, ""
	for n := 1; n <= f.LineCount() && len(x.Lines) < most; n++ {
		if !wanted(n) || n == f.LineCount() && f.Line(n) == "" {
			continue
		}
		where, number := f.Where(n)
		l := line{ID: fmt.Sprintf("%s-%d", x.id, n), Number: number, Gap: last > 0 && n > last+1, Code: code[n-1]}
		if written := f.Written(n); written != f.Line(n) {
			l.Code = []piece{{Text: written}}
		}
		if f.Hidden {
			l.Code = nil
		}
		if f.Notebook != nil && where != cell {
			l.Head, l.Gap, cell = filepath.ToSlash(where), false, where
		}
		last = n
		x.at[n] = len(x.Lines)
		if list := types[n]; len(list) > 0 {
			l.Type = report.LineTypes(list, report.Options{})
			l.Open = slices.ContainsFunc(list, func(t *infer.Line) bool { return !infer.Known(t.Type) })
		}
		if def := defs.Around(n); def > 0 && !reached[n] && ran[def] {
			l.Dim = slices.ContainsFunc(r.Untaken, func(b infer.Branch) bool { return b.File == f && b.Line <= n && n <= b.End })
		}
		p.mark(f, n, &l)
		x.Lines = append(x.Lines, l)
	}
	return x
}

// mark adds the marks of a line.
func (p *pages) mark(f *source.File, n int, l *line) {
	for _, m := range p.marks {
		if m.File != f || m.Line != n {
			continue
		}
		l.Dim, l.Kept = l.Dim || m.Skipped, l.Kept || m.Kept
		l.Influenced = l.Influenced || m.Influenced
		if m.Text != "" {
			text := m.Text
			if m.Place != "" {
				text = m.Place + ": " + text
			}
			l.Marks = append(l.Marks, text)
		}
	}
}

// kinds are the classes of pieces of source.
var kinds = [...]string{parser.KeywordPiece: "k", parser.StringPiece: "s", parser.NumberPiece: "n", parser.CommentPiece: "c"}

// paint is the text of each line in pieces.
func paint(f *source.File) [][]piece {
	out := make([][]piece, f.LineCount())
	pieces := parser.Pieces(f)
	text := f.Text()
	for n := range out {
		add := func(kind string, from, to int) {
			if from < to {
				out[n] = append(out[n], piece{kind, text[from:to]})
			}
		}
		start := f.Offset(f.LineStart(n + 1))
		end := start + len(f.Line(n+1))
		pos := start
		for len(pieces) > 0 && pieces[0].Start < end {
			p := pieces[0]
			from, to := max(p.Start, pos), min(p.End, end)
			if from < to {
				add("", pos, from)
				add(kinds[p.Kind], from, to)
				pos = to
			}
			if p.End > end {
				break // it goes on in the next line
			}
			pieces = pieces[1:]
		}
		add("", pos, end)
	}
	return out
}
