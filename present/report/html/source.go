package html

// This file annotates the source: of the entry's file all of it, of others the functions that ran.

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/present/report"
)

// A file is a text of the section.
type file struct {
	Name string
	// Whole says that all lines are there; Open that the page shows them at once.
	Whole, Open bool
	Lines       []line
	id          string
	has         map[int]bool
}

// A line is one of the text.
type line struct {
	ID     string
	Number int
	// Gap says that lines before it are left out; Head what stands above the first line of
	// a cell of a notebook.
	Gap  bool
	Head string
	Code markup
	Type string
	// Known is false where the type is not wholly known; Dim says that the line did not run
	// although others of its function did.
	Known, Dim bool
	// Marks are what a trace makes of places that decide here; Kept says that the line is in a way that ran because of inputs or state.
	Marks []string
	Kept  bool
	// Influenced says that an operation of the line uses what such a way gave.
	Influenced bool
	Findings   []finding
}

// maxWhole bounds the lines of a text that is shown as a whole, maxLines those of a section.
const (
	maxWhole = 3000
	maxLines = 10000
)

// pages are the texts of a section.
type pages struct {
	section *section
	result  *infer.Result
	marks   []report.Mark
	shown   map[string]*file // by label: findings of a project may be in the files of another entry
}

// link is the name of a line in the page; empty where it is not shown.
func (p *pages) link(f *source.File, n int) string {
	if x := p.shown[f.Label()]; x != nil && x.has[n] {
		return fmt.Sprintf("%s-%d", x.id, n)
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
	for _, d := range r.Diagnostics {
		if at := r.Files.Position(d.At.Start); at.File != nil {
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
		p.section.Files = append(p.section.Files, x)
	}
	for _, d := range r.Diagnostics { // the links of trails lead to any file
		at := r.Files.Position(d.At.Start)
		if at.File == nil || p.shown[at.File.Label()] == nil {
			continue
		}
		x := p.shown[at.File.Label()]
		if i := slices.IndexFunc(x.Lines, func(l line) bool { return l.ID == fmt.Sprintf("%s-%d", x.id, at.Line) }); i >= 0 {
			x.Lines[i].Findings = append(x.Lines[i].Findings, p.finding(d))
		}
	}
}

// file annotates a text with at most so many lines.
func (p *pages) file(f *source.File, index int, types map[int][]*infer.Line, found map[int]bool, most int) *file {
	r := p.result
	x := &file{Name: filepath.ToSlash(f.Label()), Open: f == r.File, id: fmt.Sprintf("%s-%d", p.section.ID, index), has: map[int]bool{}}
	p.shown[f.Label()] = x
	x.Whole = f == r.File && f.LineCount() <= min(maxWhole, most)
	reached := r.Reached[f]
	wanted := func(int) bool { return true }
	if !x.Whole {
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
		l := line{ID: fmt.Sprintf("%s-%d", x.id, n), Number: number, Gap: last > 0 && n > last+1, Code: code[n-1], Known: true}
		if written := f.Written(n); written != f.Line(n) {
			l.Code = markup(escape(written))
		}
		if f.Hidden {
			l.Code = ""
		}
		if f.Notebook != nil && where != cell {
			l.Head, l.Gap, cell = filepath.ToSlash(where), false, where
		}
		last = n
		x.has[n] = true
		if list := types[n]; len(list) > 0 {
			l.Type = report.LineTypes(list, report.Options{})
			l.Known = !slices.ContainsFunc(list, func(t *infer.Line) bool { return !infer.Known(t.Type) })
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

var classes = [...]string{parser.KeywordPiece: "k", parser.StringPiece: "s", parser.NumberPiece: "n", parser.CommentPiece: "c"}

// paint is the text of each line with its pieces marked.
func paint(f *source.File) []markup {
	out := make([]markup, f.LineCount())
	pieces := parser.Pieces(f)
	text := f.Text()
	for n := range out {
		start := f.Offset(f.LineStart(n + 1))
		end := start + len(f.Line(n+1))
		var b strings.Builder
		pos := start
		for len(pieces) > 0 && pieces[0].Start < end {
			p := pieces[0]
			from, to := max(p.Start, pos), min(p.End, end)
			if from < to {
				b.WriteString(escape(text[pos:from]))
				fmt.Fprintf(&b, `<b class=%s>%s</b>`, classes[p.Kind], escape(text[from:to]))
				pos = to
			}
			if p.End > end {
				break // it goes on in the next line
			}
			pieces = pieces[1:]
		}
		b.WriteString(escape(text[pos:end]))
		out[n] = markup(b.String()) // its parts are escaped
	}
	return out
}
