// Package record has the result of a run as data, which needs none of its values: the JSON
// document. Whoever keeps a result keeps this; package report prints it.
//
//	record.go  the document and how it is made    values.go  its values
//	stored.go  documents written before           types.go   types written down beside those found
//	interface.go  what users of entries can see
package record

// This file defines the JSON document. Its schema is docs/json-schema.json.

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/inorder"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
)

// Version is the version of the JSON document. It changes when a key changes
// its meaning or goes away; new keys do not change it. OldVersion is written where that is asked for.
const Version, OldVersion = 2, 1

// EntryFile is the name of the file that an entry's own text makes. Each entry has its own.
const EntryFile = "<entry>"

// A Document is the result of one entry.
type Document struct {
	Version int    `json:"version"`
	Entry   string `json:"entry"`
	// State is how the check of an entry ended, Basis how much of its arguments is evidence, and Guess what they are, where the document
	// stands alone: among several, the entry has them.
	State string    `json:"state,omitempty"`
	Basis string    `json:"basis,omitempty"`
	Guess []Guessed `json:"guess,omitempty"`
	// Checked says that there was something to check; WhyNot why there was not.
	Checked     bool         `json:"checked"`
	WhyNot      string       `json:"why_not"`
	Stopped     string       `json:"stopped,omitempty"`
	Untaken     []Branch     `json:"untaken,omitempty"`
	Environment *Environment `json:"environment,omitempty"`
	Output      any          `json:"output"`
	OutputType  string       `json:"output_type"`
	Lines       []Line       `json:"lines"`
	Calls       []Call       `json:"calls"`
	Parameters  [][2]string  `json:"parameters"`
	Buffers     [][2]string  `json:"buffers"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Contract    []Condition  `json:"contract"`
	// ContractText are the conditions as people read them: those of one kind in one line.
	ContractText []string `json:"contract_text,omitempty"`
	// ResultText is OutputType as people read it, its sizes written by the contract, where that is another text.
	ResultText string `json:"result_text,omitempty"`
	// Training is how many lines of ContractText, the last, are about training alone.
	Training int      `json:"training_conditions,omitempty"`
	Example  *Example `json:"example,omitempty"`
	Unknown  []Cause  `json:"unknown"`
	Summary  Summary  `json:"summary"`
}

// A Guessed is an argument that an entry ran with, as --arg or the constructor has it; Because says what it was chosen by, at a place of the
// source where there is one.
type Guessed struct {
	Text    string `json:"text"`
	Basis   string `json:"basis"`
	Because string `json:"because"`
	File    string `json:"file,omitempty"`
	// Cell is that of a notebook, from 1, whose lines are meant; 0: the file is none.
	Cell int `json:"cell,omitempty"`
	Line int `json:"line,omitempty"`
}

// A Line is a target on a line of source and the types it had.
type Line struct {
	File string `json:"file"`
	// Cell is that of a notebook, from 1, whose lines are meant; 0: the file is none.
	Cell   int      `json:"cell,omitempty"`
	Line   int      `json:"line"`
	Target string   `json:"target"`
	Types  []string `json:"types"`
}

// A Call is a module call, as in the recorded traces.
type Call struct {
	Name  *string        `json:"name"` // nil for a module that is no part of the entry
	Class string         `json:"class"`
	At    *string        `json:"at"`
	In    []any          `json:"in"`
	Kw    map[string]any `json:"kw,omitempty"`
	// Optional are the arguments, by position or name, that data decide to be None or the
	// tensor that is shown.
	Optional []string `json:"optional,omitempty"`
	Out      any      `json:"out,omitempty"`
	Error    string   `json:"error,omitempty"`
	// Count is how many calls of the module this stands for, the first of them; 0: one. Others is how many of them had other types.
	Count  int `json:"count,omitempty"`
	Others int `json:"others,omitempty"`
}

// A Diagnostic is a finding. Columns count characters from 1.
type Diagnostic struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	File     string `json:"file"`
	// Cell is that of a notebook, from 1, whose lines are meant; 0: the file is none.
	Cell      int       `json:"cell,omitempty"`
	Line      int       `json:"line"`
	Column    int       `json:"column"`
	EndLine   int       `json:"endLine"`
	EndColumn int       `json:"endColumn"`
	Message   string    `json:"message"`
	Operands  []Operand `json:"operands,omitempty"`
	Related   []Related `json:"related"`
	Notes     []string  `json:"notes"`
	Fixes     []Fix     `json:"fixes"`
	Others    []string  `json:"others,omitempty"`
	// AlsoAt are the other places that have the same cause; Born is where the sizes at odds were made.
	AlsoAt []AlsoAt `json:"also_at,omitempty"`
	Born   []Place  `json:"born,omitempty"`
	About  []string `json:"about,omitempty"`
	Count  int      `json:"count,omitempty"`
	// Ended says that the entry was not called for it.
	Ended bool `json:"ended,omitempty"`
	// Texts are those of places that are in no file, as an argument, by the names that stand for files there. The entry's own text
	// is in its document.
	Texts map[string]string `json:"texts,omitempty"`
}

// note keeps the text of a place that is in no file.
func (d *Diagnostic) note(f *source.File) {
	name := fileName(f)
	if f.Prelude || name == EntryFile || !strings.HasPrefix(name, "<") || !strings.HasSuffix(name, ">") {
		return
	}
	if d.Texts == nil {
		d.Texts = map[string]string{}
	}
	d.Texts[name] = f.Text()
}

// An Operand is a tensor that took part in what failed. Fault is the axis at
// fault, from 0, or -1.
type Operand struct {
	Name  string   `json:"name"`
	Type  string   `json:"type"`
	Axes  []string `json:"axes,omitempty"`
	Fault int      `json:"fault"`
	Size  string   `json:"size,omitempty"`
}

// A Related is a place that helps to understand a diagnostic.
type Related struct {
	File string `json:"file"`
	// Cell is that of a notebook, from 1, whose lines are meant; 0: the file is none.
	Cell      int    `json:"cell,omitempty"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Message   string `json:"message"`
	Call      bool   `json:"call,omitempty"` // a call in which the fault came up
}

// A Place is a piece of source. Columns count characters from 1.
type Place struct {
	File string `json:"file"`
	// Cell is that of a notebook, from 1, whose lines are meant; 0: the file is none.
	Cell      int `json:"cell,omitempty"`
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
}

// An AlsoAt is another place of a diagnostic's cause, with what is said of it and what that is about.
type AlsoAt struct {
	Place
	Message string   `json:"message"`
	About   []string `json:"about,omitempty"`
}

// A Fix is a set of edits that resolves a diagnostic.
type Fix struct {
	Title string `json:"title"`
	Safe  bool   `json:"safe"`
	// Verified says whether the whole program was better with it; nil: nobody asked.
	Verified *bool  `json:"verified,omitempty"`
	Edits    []Edit `json:"edits"`
}

// An Edit replaces a range of a file. Columns count characters from 1.
type Edit struct {
	File string `json:"file"`
	// Cell is that of a notebook, from 1, whose lines are meant; 0: the file is none.
	Cell      int    `json:"cell,omitempty"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`
}

// An Environment is where installed packages were looked for, and which were asked for.
type Environment struct {
	Folder string `json:"folder"`
	// Torch is the version of its PyTorch where the run took it.
	Torch string `json:"torch,omitempty"`
	// Followed ran from their source; Idle give unknown values.
	Followed []string `json:"followed"`
	Idle     []string `json:"not_followed"`
}

// EnvironmentOf is what a run found of an environment; nil: there was none, or none was needed.
func EnvironmentOf(x *infer.Installed) *Environment {
	if x == nil {
		return nil
	}
	return &Environment{x.Folder, x.Torch, x.Followed, x.Idle}
}

// A Condition is a condition of the contract and the lines that need it.
type Condition struct {
	Condition string   `json:"condition"`
	Because   []string `json:"because"`
	// Training says that training alone needs it.
	Training bool `json:"training,omitempty"`
}

// An Example is sizes that satisfy the contract. Text says those that somebody has to choose: "e.g. 224×224"; empty where any do.
type Example struct {
	Sizes map[string]int64 `json:"sizes"`
	Text  string           `json:"text"`
}

// A Brief is a contract as it is shown beside an entry. Training is how many lines, the last, are about training alone.
type Brief struct {
	Lines    []string
	Training int
	Example  string
	// Result is the type of the result under the contract; empty where that is the one of the run.
	Result string
}

// A Branch is code that was not checked, as its condition never held; Test is the condition.
type Branch struct {
	File string `json:"file"`
	// Cell is that of a notebook, from 1, whose lines are meant; 0: the file is none.
	Cell    int    `json:"cell,omitempty"`
	Line    int    `json:"line"`
	EndLine int    `json:"endLine"`
	Test    string `json:"test"`
	// Explored says that a run with its condition decided the other way took it.
	Explored bool `json:"explored,omitempty"`
}

// A Cause says where and why something became unknown.
type Cause struct {
	File string `json:"file"`
	// Cell is that of a notebook, from 1, whose lines are meant; 0: the file is none.
	Cell   int    `json:"cell,omitempty"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	// Values is how many values this made unknown; 0: not counted.
	Values int `json:"values,omitempty"`
}

// A Summary counts.
type Summary struct {
	Typed    int `json:"typed"`
	Unknown  int `json:"unknown"`
	Calls    int `json:"calls"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

// Build makes the document of a result.
func Build(r *infer.Result) *Document {
	d := &Document{
		Version: Version, Entry: r.Entry, Checked: r.Checked, WhyNot: r.WhyNot, Stopped: r.Stopped, Untaken: Untaken(r),
		Environment: EnvironmentOf(r.Installed),
		Output:      Value(r.Output), Lines: []Line{}, Calls: []Call{}, Diagnostics: []Diagnostic{},
		Contract: []Condition{}, Parameters: named(r.Parameters), Buffers: named(r.Buffers),
	}
	if r.Output != nil {
		d.OutputType = r.Output.String()
	}
	d.Lines = lines(r)
	for _, c := range r.Calls {
		d.Calls = append(d.Calls, call(r, c))
	}
	d.found(r.Files, diag.Causes(r.Diagnostics))
	c := contract.Of(r)
	b := BriefOf(r, c)
	d.Contract, d.ContractText, d.Training, d.Example, d.ResultText = Contract(r, c), b.Lines, b.Training, ExampleOf(r, c), b.Result
	d.Unknown = Causes(r)
	d.Summary.Typed, d.Summary.Unknown, d.Summary.Calls = r.Typed, r.Open, len(r.Calls)
	return d
}

// found puts findings into the document.
func (d *Document) found(fs *source.FileSet, list []*diag.Diagnostic) {
	d.Diagnostics = []Diagnostic{}
	d.Summary.Errors, d.Summary.Warnings, d.Summary.Infos = 0, 0, 0
	for _, x := range list {
		d.Diagnostics = append(d.Diagnostics, diagnostic(fs, x))
		d.Summary.Add(x.Severity)
	}
}

// Short is the document with the calls of each module in one: a loop would make it as long as the run.
func Short(r *infer.Result) *Document {
	d := Build(r)
	d.Calls = eachOnce(d.Calls)
	return d
}

// eachOnce puts the calls of each module together with the first of them, those that raised apart. Those of modules that are no part of the
// entry are told apart by their places.
func eachOnce(list []Call) []Call {
	type key struct {
		name, class, at string
		raised          bool
	}
	met := map[key]int{}
	out := []Call{}
	for _, c := range list {
		k := key{class: c.Class, raised: c.Error != ""}
		if c.Name != nil {
			k.name = *c.Name
		} else if c.At != nil {
			k.at = *c.At
		}
		i, again := met[k]
		if !again {
			met[k] = len(out)
			c.Count = 1
			out = append(out, c)
			continue
		}
		first := &out[i]
		if first.Count++; !reflect.DeepEqual([]any{first.In, first.Kw, first.Optional, first.Out}, []any{c.In, c.Kw, c.Optional, c.Out}) {
			first.Others++
		}
	}
	return out
}

// Old is the document of OldVersion: all calls, and each finding at its own place.
func Old(r *infer.Result) *Document {
	d := Build(r)
	d.Version = OldVersion
	d.found(r.Files, r.Diagnostics)
	for i := range d.Diagnostics {
		d.Diagnostics[i].Born = nil
	}
	return d
}

// Untaken are the branches that were not checked, those of the entry's file first.
func Untaken(r *infer.Result) []Branch {
	var out, others []Branch
	for _, b := range r.Untaken {
		x := Branch{File: fileName(b.File), Test: b.Test, Explored: b.Explored}
		c, _ := b.File.Cell(b.Line)
		_, x.Line = b.File.Where(b.Line)
		x.Cell, x.EndLine = c.Cell, x.Line+b.End-b.Line
		if b.File == r.File {
			out = append(out, x)
		} else {
			others = append(others, x)
		}
	}
	return append(out, others...)
}

// Causes are the reasons why values are unknown: that of the result and the heaviest first.
func Causes(r *infer.Result) []Cause {
	out := []Cause{}
	met := map[Cause]bool{}
	add := func(c *value.Cause, n int) {
		p := r.Files.Position(c.At.Start)
		x := Cause{Reason: c.Reason}
		if p.File != nil {
			x.File, x.Cell, x.Line = fileName(p.File), cellOf(p), lineIn(p)
		}
		if met[x] {
			return
		}
		met[x] = true
		x.Values = n
		out = append(out, x)
	}
	for _, w := range r.Weights {
		if !w.Cause.Reported {
			add(w.Cause, w.Count)
		}
	}
	for _, c := range slices.Concat(r.Unknown, r.OutputLost) {
		add(c, 0)
	}
	return out
}

func named(list []infer.NamedTensor) [][2]string {
	out := make([][2]string, len(list))
	for i, n := range list {
		out[i] = [2]string{n.Name, n.Tensor.String()}
	}
	return out
}

func lines(r *infer.Result) []Line {
	type key struct {
		file       string
		cell, line int
		target     string
	}
	at := map[key]int{}
	out := []Line{}
	for _, l := range r.Lines {
		p := r.Files.Position(l.At.Start)
		k := key{fileName(p.File), cellOf(p), lineIn(p), l.Target}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, Line{File: k.file, Cell: k.cell, Line: k.line, Target: k.target})
		}
		out[i].Types = append(out[i].Types, l.Type.String())
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].File != out[j].File {
			return out[i].File < out[j].File
		}
		if out[i].Cell != out[j].Cell {
			return out[i].Cell < out[j].Cell
		}
		return out[i].Line < out[j].Line
	})
	return out
}

func call(r *infer.Result, c *infer.ModuleCall) Call {
	out := Call{Class: ClassName(c.Class), At: Span(r.Files, c.At), In: []any{}, Error: c.Err}
	if !c.Outside {
		out.Name = &c.Name
	}
	form := func(v value.Value, place string) any {
		f, optional := argument(v)
		if optional {
			out.Optional = append(out.Optional, place)
		}
		return f
	}
	for i, v := range c.In {
		out.In = append(out.In, form(v, strconv.Itoa(i)))
	}
	for _, k := range c.Kw {
		if out.Kw == nil {
			out.Kw = map[string]any{}
		}
		out.Kw[k.Name] = form(k.Value, k.Name)
	}
	if c.Err == "" {
		out.Out = Value(c.Out)
	}
	return out
}

// Span writes a span as the traces do: file:line:column-line:column, lines from
// 1, columns from 0 in bytes; nil when there is none.
func Span(fs *source.FileSet, s source.Span) *string {
	p, q := fs.Position(s.Start), fs.Position(s.End)
	if p.File == nil || q.File == nil {
		return nil
	}
	end := q.Line
	if _, ok := q.File.Cell(end); ok {
		_, end = q.File.Where(end)
	}
	text := fmt.Sprintf("%s:%d-%d:%d", filepath.ToSlash(p.Place()), p.Col, end, q.Col)
	return &text
}

func fileName(f *source.File) string {
	if f == nil {
		return ""
	}
	return filepath.ToSlash(f.Label())
}

// cellOf is the cell of a notebook that a place lies in, from 1; 0 where there is none.
func cellOf(p source.Position) int {
	c, _ := p.File.Cell(p.Line)
	return c.Cell
}

// lineIn is the line of a place, in a notebook that of its cell.
func lineIn(p source.Position) int {
	_, n := p.File.Where(p.Line)
	return n
}

// column counts characters from 1.
func column(p source.Position) int { return source.Runes(p.File.Line(p.Line), p.Col) + 1 }

// OfDiagnostic is a finding as the documents have it.
func OfDiagnostic(fs *source.FileSet, d *diag.Diagnostic) Diagnostic { return diagnostic(fs, d) }

// diagnostic writes a finding of a run whose files are those of fs. The documents count lines and characters from 1, where
// spans count bytes, and lines of a notebook in their cell. What lies in no file of fs has no place: the finding itself then
// stands without one, and related places, origins and edits are left out. Lists are empty rather than nil, since the schema
// of the JSON report wants arrays, but for those that it has as optional. Origins are sorted by file: a run has them in the
// order in which it loaded the files. verified is absent where nobody tried the fix, and false where a trial failed.
func diagnostic(fs *source.FileSet, d *diag.Diagnostic) Diagnostic {
	out := Diagnostic{Code: string(d.Code), Severity: d.Severity.String(), Message: d.Msg, Related: []Related{}, Notes: []string{},
		Fixes: []Fix{}, Others: d.Others, Count: d.Count, Ended: d.Ended, About: d.Facts()}
	if p, q := fs.Position(d.At.Start), fs.Position(d.At.End); p.File != nil && q.File != nil {
		out.File, out.Cell, out.Line, out.Column = fileName(p.File), cellOf(p), lineIn(p), column(p)
		out.EndLine, out.EndColumn = lineIn(q), column(q)
		out.note(p.File)
	}
	for _, o := range d.Operands {
		out.Operands = append(out.Operands, Operand{o.Name, o.Type, o.Axes, o.Fault, o.Size})
	}
	for _, x := range d.Related {
		if p, q := fs.Position(x.At.Start), fs.Position(x.At.End); p.File != nil && q.File != nil {
			out.Related = append(out.Related, Related{fileName(p.File), cellOf(p), lineIn(p), column(p), lineIn(q), column(q), x.Msg,
				x.Call})
			out.note(p.File)
		}
	}
	for _, x := range d.Also {
		if at, ok := placeOf(fs, x.At); ok {
			out.AlsoAt = append(out.AlsoAt, AlsoAt{at, x.Msg, x.About})
			out.note(fs.File(x.At.Start))
		}
	}
	for _, x := range d.Born {
		if at, ok := placeOf(fs, x); ok {
			out.Born = append(out.Born, at)
			out.note(fs.File(x.Start))
		}
	}
	inorder.By(out.Born, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	out.Notes = append(out.Notes, d.Notes...)
	for _, f := range d.Fixes {
		fix := Fix{Title: f.Title, Safe: f.Safe, Edits: []Edit{}}
		if f.State != diag.FixUntried {
			verified := f.State == diag.FixVerified
			fix.Verified = &verified
		}
		for _, e := range f.Edits {
			p, q := fs.Position(e.At.Start), fs.Position(e.At.End)
			if p.File != nil && q.File != nil {
				fix.Edits = append(fix.Edits, Edit{fileName(p.File), cellOf(p), lineIn(p), column(p), lineIn(q), column(q), e.NewText})
			}
		}
		out.Fixes = append(out.Fixes, fix)
	}
	return out
}

// placeOf is a span as the documents have it; false where it is in no file.
func placeOf(fs *source.FileSet, s source.Span) (Place, bool) {
	p, q := fs.Position(s.Start), fs.Position(s.End)
	if p.File == nil || q.File == nil {
		return Place{}, false
	}
	return Place{fileName(p.File), cellOf(p), lineIn(p), column(p), lineIn(q), column(q)}, true
}

// LineOf writes a place as FILE:LINE; one that no file has is empty.
func LineOf(fs *source.FileSet, at source.Span) string {
	p := fs.Position(at.Start)
	if p.File == nil {
		return ""
	}
	where, line := p.File.Where(p.Line)
	return fmt.Sprintf("%s:%d", filepath.ToSlash(where), line)
}

// Contract writes each condition with the lines that need it.
func Contract(r *infer.Result, c *contract.Contract) []Condition {
	out := []Condition{}
	for _, x := range c.Conditions {
		out = append(out, Condition{x.Cond.String(), places(r, x.Because), x.Training})
	}
	return out
}

// ContractLines writes a contract as people read it, each line with the lines of source that need it.
func ContractLines(r *infer.Result, c *contract.Contract) []Condition {
	var out []Condition
	for _, x := range contract.Lines(r, c) {
		out = append(out, Condition{Condition: x.Text, Because: places(r, x.Because)})
	}
	return out
}

func places(r *infer.Result, list []contract.Reason) []string {
	out := []string{}
	for _, why := range list {
		if line := LineOf(r.Files, why.At); line != "" && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// ExampleOf gives sizes that satisfy a contract; nil: none are known.
func ExampleOf(r *infer.Result, c *contract.Contract) *Example {
	x := contract.ExampleOf(r, c)
	if x == nil {
		return nil
	}
	return &Example{x.Sizes, x.Text}
}

// BriefOf is a contract as it is shown beside its entry.
func BriefOf(r *infer.Result, c *contract.Contract) *Brief {
	out := &Brief{}
	for _, x := range contract.Lines(r, c) {
		if out.Lines = append(out.Lines, x.Text); x.Training {
			out.Training++
		}
	}
	if x := ExampleOf(r, c); x != nil {
		out.Example = x.Text
	}
	if r.Output != nil {
		if text := c.Result(r).String(); text != r.Output.String() {
			out.Result = text
		}
	}
	return out
}

// maxReasons is how many reasons of one condition are written.
const maxReasons = 3

// Reasons writes what needs a condition, each a line of text such as
// "net.py:41: cat needs 32*(H//32) = H", at most three.
func Reasons(fs *source.FileSet, list []contract.Reason) []string {
	var out []string
	for _, why := range list {
		line := LineOf(fs, why.At)
		if line == "" {
			continue
		}
		if why.What != "" {
			line += ": " + why.What
		}
		if line = safetext.Line(line); !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	if n := len(out) - maxReasons; n > 0 {
		out = append(out[:maxReasons], fmt.Sprintf("%d more", n))
	}
	return out
}
