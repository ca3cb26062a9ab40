package html

// This file collects what is shown of an entry.

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"

	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/present/render/text"
	"shapecheck/present/report"
	"shapecheck/present/summary"
)

// A section is an entry's part of the page.
type section struct {
	// ID begins the names of places in the section.
	ID, Entry, Output, Tally string
	Symbols                  []string
	Findings                 []finding
	Contract                 []record.Condition
	Never                    bool
	Totals                   []amount
	Moments                  *moments
	Tree                     []*node
	Files                    []*file
	Unknown                  []record.Cause
	Untaken                  []branch
	// Export is the command that writes a model of it; may be empty.
	Export string
}

// A finding is a diagnostic. Full is its text as the terminal has it.
type finding struct {
	Severity, Code, Message, Full string
	Place                         string // "net.py:3"
	Link                          string // the name of its line; empty: the page does not show it
}

// A branch is code that was not taken.
type branch struct {
	Place, Test, Link string
}

// Section is the part of a page that shows a result; findings are those that are shown, and export
// is the command that writes a model of it, empty where there is none.
func Section(r *infer.Result, export string, marks ...report.Mark) string {
	r.Resume()
	s := &section{Entry: r.Entry, Tally: report.Tally(r), Export: export}
	h := fnv.New64a()
	if r.File != nil {
		fmt.Fprintf(h, "%s\x00", r.File.Label())
	}
	fmt.Fprint(h, r.Entry)
	s.ID = fmt.Sprintf("s%x", h.Sum64())
	if r.Output != nil {
		s.Output = r.Output.String()
	}
	c := contract.Of(r)
	s.Contract, s.Never = record.Contract(r, c), c.Never
	lines := &pages{section: s, result: r, marks: marks, shown: map[string]*file{}}
	lines.collect()
	for _, d := range r.Diagnostics {
		s.Findings = append(s.Findings, lines.finding(d))
	}
	for _, b := range r.Untaken {
		at := branch{Place: fmt.Sprintf("%s:%d", filepath.ToSlash(b.File.Label()), b.Line), Test: b.Test, Link: lines.link(b.File, b.Line)}
		s.Untaken = append(s.Untaken, at)
	}
	s.Unknown = record.Build(r).Unknown
	cost := summary.Of(r)
	s.Symbols = symbols(r)
	s.Totals, s.Tree, s.Moments = totals(cost), tree(cost), timeline(r, cost)
	return s.markup()
}

// symbols are the names of the sizes that the user may choose: not those that data make.
func symbols(r *infer.Result) []string {
	var out []string
	for _, e := range r.Pool.Symbols() {
		if name, ok := e.IsSymbol(); ok && !e.IsFresh() {
			out = append(out, name)
		}
	}
	return out
}

func (p *pages) finding(d *diag.Diagnostic) finding {
	var full strings.Builder
	text.Print(&full, p.result.Files, d, text.Style{Width: 110})
	_, rest, _ := strings.Cut(full.String(), "\n")
	f := finding{Severity: d.Severity.String(), Code: string(d.Code), Message: safetext.Lines(d.Msg), Full: rest}
	if at := p.result.Files.Position(d.At.Start); at.File != nil {
		where, n := at.File.Where(at.Line)
		f.Place, f.Link = fmt.Sprintf("%s:%d", filepath.ToSlash(where), n), p.link(at.File, at.Line)
	}
	return f
}
