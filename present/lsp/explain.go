package lsp

// This file explains a place as shapecheck explain does: what a hover shows, as data and as plain
// text. It serves the command explain and the tool of the same name for agents. The file is checked
// as if an editor had opened it, without a server: one document, one check, one view, which is then
// read at the place.

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/internal/localfile"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

// maxSteps is how many lines are named that made the sizes of a tensor.
const maxSteps = 6

// An Explanation is what is known of a line, or of the call at a column of it. Lists are never nil,
// so that JSON has [] for none.
type Explanation struct {
	File       string            `json:"file"`
	Line       int               `json:"line"`
	Source     string            `json:"source"`
	Entries    []string          `json:"entries"` // that begin on the line, with their results
	Types      []ExplainedType   `json:"types"`
	Calls      []ExplainedCall   `json:"calls"`
	Origins    []ExplainedOrigin `json:"origins"`
	Conditions []ExplainedNeed   `json:"conditions"` // that the line adds to contracts
	Unknown    []string          `json:"unknown"`    // why values of the line are not known
	Findings   []ExplainedFault  `json:"findings"`
	// Nothing says why nothing is known; empty: something is.
	Nothing string `json:"nothing,omitempty"`
}

// An ExplainedType is what a target was given, in the run of an entry. Entry is the name of the
// run, as one line may have different types in different entries.
type ExplainedType struct {
	Target string `json:"target"`
	Type   string `json:"type"`
	Entry  string `json:"entry"`
}

// An ExplainedCall is a call of a module. Module is the path of the layer in the model, empty for a
// function.
type ExplainedCall struct {
	Module string `json:"module"`
	Class  string `json:"class"`
	In     string `json:"in"`
	Out    string `json:"out"`
}

// An ExplainedOrigin is a line that made a size. Origins follow the sizes backwards, through the
// lines that made them.
type ExplainedOrigin struct {
	Target string `json:"target"`
	Text   string `json:"text"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

// An ExplainedNeed is a condition. It is one that the line adds to the contract of the entry.
type ExplainedNeed struct {
	Condition string `json:"condition"`
	Entry     string `json:"entry"`
}

// An ExplainedFault is a finding. Fixes are titles only; they are applied by other means.
type ExplainedFault struct {
	Code     string   `json:"code"`
	Severity string   `json:"severity"`
	Message  string   `json:"message"`
	Fixes    []string `json:"fixes"`
}

// Explain checks a file, in the way in which the server does, and says what is known of a line and a column (characters from 1; 0: the
// whole line). It returns an error where the file cannot be read, has no such line, or cannot be checked.
func Explain(ctx context.Context, o Options, file string, line, col int) (*Explanation, error) {
	data, err := localfile.Read(file, source.MaxFileSize)
	if err != nil {
		return nil, err
	}
	text, err := parser.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	// The root of the workspace is the working directory, or the file's own where it lies
	// elsewhere.
	root := dir
	if rel, err := filepath.Rel(dir, path); err != nil || !filepath.IsLocal(rel) {
		root = filepath.Dir(path)
	}
	d := newDocument(uriOf(path), path, 0, text)
	if line < 1 || line > len(d.lines) {
		return nil, fmt.Errorf("%s has no line %d", file, line)
	}
	c := &checking{document: *d, texts: map[string]string{path: text}, cache: infer.NewCache(), winners: &trial.Winners{}, root: root,
		environment: o.Environment, limits: o.Limits, timed: o.Timed, settings: settings{Unknowns: "on"}}
	v, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	// Columns are characters of the line; the view counts bytes of the text.
	at := -1
	if n := []rune(v.lines.line(text, line-1)); col > 0 {
		at = v.lines[line-1] + len(string(n[:min(col-1, len(n))]))
	}
	return v.explain(file, dir, line, at), nil
}

// explain is what is known of a line, from 1, as a reader at dir names files. at is the place in
// the text, or -1 for the whole line.
func (v *view) explain(file, dir string, line, at int) *Explanation {
	x := &Explanation{File: file, Line: line, Source: strings.TrimSpace(v.lines.line(v.text, line-1)), Entries: []string{},
		Types: []ExplainedType{}, Calls: []ExplainedCall{}, Origins: []ExplainedOrigin{}, Conditions: []ExplainedNeed{},
		Unknown: []string{}, Findings: []ExplainedFault{}}
	// The same collection as for a hover.
	known := v.about(line-1, at)
	for _, e := range known.entries {
		x.Entries = append(x.Entries, e.title)
	}
	for _, c := range known.calls {
		x.Calls = append(x.Calls, ExplainedCall{c.path, c.class, c.in, c.out})
	}
	for _, t := range known.targets {
		for _, y := range t.types {
			x.Types = append(x.Types, ExplainedType{t.name, y.text, y.entry})
			if y.why != "" && !slices.Contains(x.Unknown, y.why) {
				x.Unknown = append(x.Unknown, y.why)
			}
		}
		// The limit is for all targets of the line together.
		for _, s := range v.steps(t, maxSteps-len(x.Origins)) {
			x.Origins = append(x.Origins, ExplainedOrigin{t.name, s.text, s.in(v, dir), s.line})
		}
	}
	for i := range v.entries {
		for _, n := range v.entries[i].needs {
			if need := (ExplainedNeed{n.condition, v.entries[i].name}); slices.Contains(n.lines, line) && !slices.Contains(x.Conditions, need) {
				x.Conditions = append(x.Conditions, need)
			}
		}
	}
	// A finding is shown on all lines of its place.
	for _, f := range v.findings {
		first, _ := v.lines.at(f.start)
		last, _ := v.lines.at(max(f.end-1, f.start))
		if line-1 < first || line-1 > last {
			continue
		}
		y := ExplainedFault{Code: f.shown.Code, Severity: severityNames[f.shown.Severity], Message: f.shown.Message, Fixes: []string{}}
		for _, fix := range f.fixes {
			y.Fixes = append(y.Fixes, fix.title)
		}
		x.Findings = append(x.Findings, y)
	}
	for _, u := range v.lost {
		if u.line == line && !slices.Contains(x.Unknown, u.why) {
			x.Unknown = append(x.Unknown, u.why)
		}
	}
	// An explanation of nothing has a reason.
	if len(x.Entries)+len(x.Types)+len(x.Calls)+len(x.Conditions)+len(x.Findings)+len(x.Unknown) == 0 {
		x.Nothing = "no entry of the file came here with a tensor"
		if len(v.runs) == 0 {
			x.Nothing = "no entry of the file was run; what says why: " + check.ShellWords([]string{"shapecheck", check.FileWord(file)})
		}
	}
	return x
}

// They are the names that other outputs have for the severities.
var severityNames = map[int]string{severityError: "error", severityWarning: "warning", severityInformation: "info"}

// Text is the explanation in lines. Each line begins with a word for what it is, aligned, so that
// scripts can read it too.
func (x *Explanation) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d  %s\n", x.File, x.Line, x.Source)
	for _, e := range x.Entries {
		fmt.Fprintf(&b, "entry      %s\n", e)
	}
	for _, t := range x.Types {
		fmt.Fprintf(&b, "type       %s: %s  (%s)\n", t.Target, t.Type, t.Entry)
	}
	for _, c := range x.Calls {
		name := c.Class
		if c.Module != "" {
			name = c.Module + ": " + c.Class
		}
		fmt.Fprintf(&b, "call       %s  %s → %s\n", name, c.In, c.Out)
	}
	for _, o := range x.Origins {
		fmt.Fprintf(&b, "from       %s:%d  %s\n", o.File, o.Line, o.Text)
	}
	for _, n := range x.Conditions {
		fmt.Fprintf(&b, "needs      %s  (%s)\n", n.Condition, n.Entry)
	}
	for _, u := range x.Unknown {
		fmt.Fprintf(&b, "unknown    %s\n", u)
	}
	for _, f := range x.Findings {
		fmt.Fprintf(&b, "%-10s %s %s\n", f.Severity, f.Code, strings.ReplaceAll(f.Message, "\n", "\n           "))
		for _, t := range f.Fixes {
			fmt.Fprintf(&b, "fix        %s\n", t)
		}
	}
	if x.Nothing != "" {
		fmt.Fprintf(&b, "%s\n", x.Nothing)
	}
	return b.String()
}
