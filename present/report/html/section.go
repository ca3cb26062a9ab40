package html

// This file collects what is shown of an entry.

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
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

// An Entry is an entry's part of the page, as data: a part of a project has it in its document.
type Entry struct {
	// ID begins the names of places in the section.
	ID    string `json:"id"`
	Entry string `json:"entry"`
	// File and State are the file of the entry and how its check ended, for the overview; empty where that is not known.
	File    string   `json:"file,omitempty"`
	State   string   `json:"state,omitempty"`
	Output  string   `json:"output,omitempty"`
	Tally   string   `json:"tally"`
	Symbols []string `json:"symbols,omitempty"`
	// Example are sizes that satisfy the contract, with which the page starts.
	Example  map[string]int64   `json:"example,omitempty"`
	Findings []finding          `json:"findings,omitempty"`
	Contract []record.Condition `json:"contract,omitempty"`
	Never    bool               `json:"never,omitempty"`
	Totals   []amount           `json:"totals,omitempty"`
	Moments  *moments           `json:"moments,omitempty"`
	Tree     []node             `json:"tree,omitempty"`
	Files    []*file            `json:"files,omitempty"`
	Unknown  []record.Cause     `json:"unknown,omitempty"`
	Untaken  []branch           `json:"untaken,omitempty"`
	// Export is the command that writes a model of it; may be empty.
	Export string `json:"export,omitempty"`
}

// A finding is a diagnostic. Full is its text as the terminal has it.
type finding struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Full     string `json:"full,omitempty"`
	Place    string `json:"place,omitempty"` // "net.py:3"
	Link     string `json:"link,omitempty"`  // the name of its line; empty: the page does not show it
}

// A branch is code that was not taken.
type branch struct {
	Place string `json:"place"`
	Test  string `json:"test"`
	Link  string `json:"link,omitempty"`
}

// Read reads the data of an entry's part, which may be anyone's: all of it is text. It returns an error where data is not of
// that form.
func Read(data []byte) (*Entry, error) {
	e := &Entry{}
	if err := json.Unmarshal(data, e); err != nil {
		return nil, err
	}
	for _, f := range e.Files {
		if f == nil {
			return nil, errors.New("a file that is none")
		}
		for _, l := range f.Lines {
			if slices.ContainsFunc(l.Findings, func(i int) bool { return i < 0 || i >= len(e.Findings) }) {
				return nil, errors.New("a finding that is not there")
			}
		}
	}
	return e, nil
}

// Share has finding i be as another entry has it, which found the same. It does nothing where one of them is not there.
func (e *Entry) Share(i int, first *Entry, k int) {
	if e == nil || first == nil || i >= len(e.Findings) || k >= len(first.Findings) {
		return
	}
	from, to := &first.Findings[k], &e.Findings[i]
	to.Severity, to.Code, to.Message, to.Full = from.Severity, from.Code, from.Message, from.Full
}

// Section is the part of a page that shows a result; see Of.
func Section(r *infer.Result, export string, marks ...report.Mark) string {
	return Of(r, export, marks...).Section()
}

// Of is what a page shows of a result; findings are those that are shown, and export
// is the command that writes a model of it, empty where there is none.
func Of(r *infer.Result, export string, marks ...report.Mark) *Entry {
	r.Resume()
	s := &Entry{Entry: r.Entry, Tally: report.Tally(r), Export: export}
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
	if x := record.ExampleOf(r, c); x != nil {
		s.Example = x.Sizes
	}
	lines := &pages{entry: s, result: r, marks: marks, shown: map[string]*file{}, found: diag.Causes(r.Diagnostics)}
	lines.collect()
	for _, d := range lines.found { // the links of trails lead to any file
		s.Findings = append(s.Findings, lines.finding(d))
	}
	for _, b := range r.Untaken {
		at := branch{Place: fmt.Sprintf("%s:%d", filepath.ToSlash(b.File.Label()), b.Line), Test: b.Test, Link: lines.link(b.File, b.Line)}
		s.Untaken = append(s.Untaken, at)
	}
	s.Unknown = record.Causes(r)
	cost := summary.Of(r)
	s.Symbols = symbols(r)
	s.Totals, s.Tree, s.Moments = totals(cost), tree(cost), timeline(r, cost)
	return s
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
