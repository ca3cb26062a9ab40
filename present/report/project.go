package report

// This file defines the JSON document of a project: the documents of its entries.
// Its schema is docs/project-schema.json.

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"shapecheck/check/record"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/project/notebook"
)

// A Project is the result of several entries. R is what holds an entry's document:
// any on the way out, and *Stored on the way in.
type Project[R any] struct {
	Version int `json:"version"`
	// Shard says which part of the entries this is; nil: all.
	Shard *Shard `json:"shard,omitempty"`
	// Partial says that the run was cut short; nil: it came to its end. Skipped are the files, or the entries, that it did not come to.
	Partial *Partial `json:"partial,omitempty"`
	Skipped []string `json:"skipped,omitempty"`
	// Missing are the parts, from 1, of which the results were not there to be merged.
	Missing []int             `json:"missing_parts,omitempty"`
	Entries []ProjectEntry[R] `json:"entries"`
	// Files are those that were looked at where paths were given.
	Files []ProjectFile `json:"files,omitempty"`
	// Diagnostics are those that belong to no entry: comments without effect.
	Diagnostics []record.Diagnostic `json:"diagnostics"`
}

// A ProjectEntry is the result of one entry, or why it could not be run.
type ProjectEntry[R any] struct {
	Name   string `json:"name"`
	Error  string `json:"error,omitempty"`
	Result R      `json:"result,omitempty"`
	// File is the entry's file or module, and Args are those of its call. Where paths were given How says how it was
	// found; Guess are all arguments, those of the entry's constructor before those of the call.
	// State is how its check ended, Basis how much of its arguments is evidence, and WhyNot why it is unsettled or was not checked.
	File   string `json:"file,omitempty"`
	State  string `json:"state,omitempty"`
	Basis  string `json:"basis,omitempty"`
	WhyNot string `json:"why_not,omitempty"`
	// Accepted says until when, and why, the state is accepted.
	Accepted string `json:"accepted,omitempty"`
	How      string `json:"how,omitempty"`
	// Part says that it is one of a model's parts, which no package exports.
	Part bool `json:"part,omitempty"`
	// Lacks are the modules that were not found.
	Lacks []string `json:"lacks,omitempty"`
	// Traces says that it is a program that has a framework trace its functions, which the command trace tells more of.
	Traces bool             `json:"traces,omitempty"`
	Args   []string         `json:"args,omitempty"`
	Guess  []record.Guessed `json:"guess,omitempty"`
	// AnyRank is what the entry takes and gives where any rank of its input is right.
	AnyRank *AnyRank `json:"any_rank,omitempty"`
	// Assumed are the texts of the guesses in documents of record.OldVersion, which do not have Guess.
	Assumed []string `json:"assumed,omitempty"`
	// Page is what a page shows of it, in the form of package html, where a part of the entries was asked for one.
	Page json.RawMessage `json:"page,omitempty"`
}

// An AnyRank is the arguments and the type of the result of a run with an input of no known rank.
type AnyRank struct {
	Args       []string `json:"args"`
	OutputType string   `json:"output_type"`
}

// A ProjectFile is a file that was looked at.
type ProjectFile struct {
	File    string `json:"file"`
	Entries int    `json:"entries"`
	// WhyNot says why nothing of it was checked; empty where something was.
	WhyNot string `json:"why_not,omitempty"`
	// Runs is how often something of it was run to find that out.
	Runs int `json:"runs"`
}

// A Partial says why a result is not whole: a run was cut short, by a signal or a budget, or a part of it is missing. Total is how many
// files or entries were to be looked at; 0: that is not known.
type Partial struct {
	Cause   string `json:"cause"`
	Message string `json:"message"`
	Total   int    `json:"total,omitempty"`
}

// PartMissing is the cause of a Partial of which a part is missing.
const PartMissing = "missing part"

// A Shard is the part of a project: Part counts from 1.
type Shard struct {
	Part  int `json:"part"`
	Parts int `json:"parts"`
}

// ReadProject reads the document of a project of this version or the one before. It returns an error where data is not valid JSON or no
// result of several entries, where it or one of its results is of another version, and where an entry has no name, or
// neither a result nor an error.
func ReadProject(data []byte) (*Project[*record.Stored], error) {
	var kind struct {
		Version *int             `json:"version"`
		Entries *json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal(data, &kind); err != nil {
		return nil, err
	}
	switch {
	case kind.Version == nil:
		return nil, fmt.Errorf("not a result of shapecheck")
	case !record.Reads(*kind.Version):
		return nil, fmt.Errorf("version %d of the document; this program reads up to version %d", *kind.Version, record.Version)
	case kind.Entries == nil:
		return nil, fmt.Errorf("the result of one file; only results of configured entries have names")
	}
	p := &Project[*record.Stored]{}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, err
	}
	for _, e := range p.Entries {
		switch {
		case e.Name == "":
			return nil, fmt.Errorf("an entry without a name")
		case e.Result == nil && e.Error == "":
			return nil, fmt.Errorf("entry %s has neither a result nor an error", e.Name)
		case e.Result != nil && !record.Reads(e.Result.Version):
			return nil, fmt.Errorf("entry %s: version %d of the document; this program reads up to version %d", e.Name, e.Result.Version, record.Version)
		}
	}
	return p, nil
}

// A Reader makes diagnostics of what documents say. The texts of files come from
// open; of a file that cannot be read the lines are empty.
type Reader struct {
	Files *source.FileSet
	Open  func(path string) (string, error)
	files map[string]*source.File
	need  map[string]int // the last line that is needed of a file
	entry string         // see Begin
	texts map[string]string
}

// Begin says which entry's document has the diagnostics that follow.
func (r *Reader) Begin(entry string) { r.entry = entry }

// Need notes the places of a diagnostic, so that a file that cannot be read is
// made long enough. It is called for all diagnostics before the first Diagnostic.
func (r *Reader) Need(d *record.Diagnostic) {
	if r.need == nil {
		r.need = map[string]int{}
	}
	note := func(file string, line int) { r.need[file] = max(r.need[file], line) }
	note(d.File, d.EndLine)
	for _, x := range d.AlsoAt {
		note(x.File, x.EndLine)
	}
	for _, x := range d.Born {
		note(x.File, x.EndLine)
	}
	for _, x := range d.Related {
		note(x.File, x.EndLine)
	}
	for _, f := range d.Fixes {
		for _, e := range f.Edits {
			note(e.File, e.EndLine)
		}
	}
}

// Diagnostic makes the diagnostic that d was written of. It returns an error where this version does not know the code
// or the severity, or where a file that d names cannot be added to the set of files.
func (r *Reader) Diagnostic(d *record.Diagnostic) (*diag.Diagnostic, error) {
	r.texts = d.Texts
	code := diag.Code(d.Code)
	if !code.Known() {
		return nil, fmt.Errorf("%s:%d: code %s is not known", d.File, d.Line, d.Code)
	}
	out := diag.New(code, source.Span{}, d.Message)
	severity, ok := map[string]diag.Severity{"info": diag.Info, "warning": diag.Warning, "error": diag.Error}[d.Severity]
	if !ok {
		return nil, fmt.Errorf("%s:%d: severity %q is not known", d.File, d.Line, d.Severity)
	}
	out.Severity, out.Notes, out.Others, out.Count, out.About, out.Ended = severity, d.Notes, d.Others, d.Count, d.About, d.Ended
	var err error
	if out.At, err = r.span(d.File, d.Cell, d.Line, d.Column, d.EndLine, d.EndColumn); err != nil {
		return nil, err
	}
	for _, o := range d.Operands {
		out.Operands = append(out.Operands, diag.Operand{Name: o.Name, Type: o.Type, Axes: o.Axes, Fault: o.Fault, Size: o.Size})
	}
	for _, x := range d.Related {
		at, err := r.span(x.File, x.Cell, x.Line, x.Column, x.EndLine, x.EndColumn)
		if err != nil {
			return nil, err
		}
		out.Related = append(out.Related, diag.Related{At: at, Msg: x.Message, Call: x.Call})
	}
	for _, x := range d.AlsoAt {
		at, err := r.placed(x.Place)
		if err != nil {
			return nil, err
		}
		out.Also = append(out.Also, diag.Also{At: at, Msg: x.Message, About: x.About})
	}
	for _, x := range d.Born {
		at, err := r.placed(x)
		if err != nil {
			return nil, err
		}
		out.Born = append(out.Born, at)
	}
	for _, f := range d.Fixes {
		fix := diag.Fix{Title: f.Title, Safe: f.Safe}
		if f.Verified != nil {
			if fix.State = diag.FixNotVerified; *f.Verified {
				fix.State = diag.FixVerified
			}
		}
		for _, e := range f.Edits {
			at, err := r.span(e.File, e.Cell, e.Line, e.Column, e.EndLine, e.EndColumn)
			if err != nil {
				return nil, err
			}
			fix.Edits = append(fix.Edits, diag.Edit{At: at, NewText: e.Text})
		}
		out.Fixes = append(out.Fixes, fix)
	}
	return out, nil
}

func (r *Reader) placed(p record.Place) (source.Span, error) {
	return r.span(p.File, p.Cell, p.Line, p.Column, p.EndLine, p.EndColumn)
}

func (r *Reader) span(file string, cell, line, col, endLine, endCol int) (source.Span, error) {
	if file == "" {
		return source.Span{}, nil
	}
	f, err := r.file(file)
	if err != nil {
		return source.Span{}, err
	}
	if first := f.Notebook.First(cell); first > 0 {
		line, endLine = first+line-1, first+endLine-1
	}
	start := offset(f, line, col)
	return source.Span{Start: start, End: max(start, offset(f, endLine, endCol))}, nil
}

// offset is the position of a column in characters, within the line.
func offset(f *source.File, line, col int) source.Pos {
	line = min(max(line, 1), f.LineCount())
	text, n := f.Line(line), 0
	for ; col > 1 && n < len(text); col-- {
		_, size := utf8.DecodeRuneInString(text[n:])
		n += size
	}
	return f.LineStart(line) + source.Pos(n)
}

// maxLines bounds the lines of files that cannot be read.
const maxLines = 1 << 20

func (r *Reader) file(name string) (*source.File, error) {
	text, known := r.texts[name]
	if name == record.EntryFile {
		text, known = r.entry, true
	}
	key := name
	if known { // each entry has its own
		key += "\x00" + text
	}
	if f := r.files[key]; f != nil {
		return f, nil
	}
	var err error
	if !known {
		text, err = r.Open(name)
	}
	if err != nil {
		// Printers for other programs need lines and columns, not texts.
		text = strings.Repeat(strings.Repeat(" ", 200)+"\n", min(r.need[name], maxLines))
		if len(text) > source.MaxFileSize {
			text = strings.Repeat("\n", min(r.need[name], maxLines))
		}
	}
	f := source.NewFile(name, text)
	f.Hidden = err != nil && !reads.IsSource(name)
	if notebook.Is(name) && err == nil {
		if nb, err := notebook.File(name, text); err == nil {
			f = nb
		}
	}
	if err := r.Files.Add(f); err != nil {
		return nil, err
	}
	if r.files == nil {
		r.files = map[string]*source.File{}
	}
	r.files[key] = f
	return f, nil
}
