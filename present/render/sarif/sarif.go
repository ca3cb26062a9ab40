// Package sarif prints diagnostics as a log in the Static Analysis Results
// Interchange Format, version 2.1.0 (OASIS standard). sarif.go builds the log,
// model.go has its types, notebook.go the fixes of notebooks.
//
// Columns count characters, which the log declares ("unicodeCodePoints"). The
// lines that led to a finding are a code flow that ends at the finding, and
// related locations, since not every reader shows flows; so are the other places of a cause. An entry of which nothing was
// checked is a notification.
package sarif

// This file builds the log.

import (
	"encoding/json"
	"io"
	"net/url"
	"path"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/source"
)

const (
	schemaURI = "https://json.schemastore.org/sarif-2.1.0.json"
	rootID    = "%SRCROOT%"
	// These name our ways to make fingerprints; a new way gets a new number. Alerts that exist keep what they were filed under.
	printKey    = "shapecheck/v2"
	oldPrintKey = "shapecheck/v1"
)

var levels = [...]string{diag.Info: "note", diag.Warning: "warning", diag.Error: "error"}

// Print writes the log of one run of the given version of the program. It returns an error only where w does.
func Print(w io.Writer, fs *source.FileSet, list []*diag.Diagnostic, unchecked []diag.Unchecked, version string) error {
	r := run{
		Tool:       tool{driver{Name: "shapecheck", Version: version, SemanticVersion: version, Rules: []rule{}}},
		ColumnKind: "unicodeCodePoints",
		Bases:      map[string]base{rootID: {message{Text: "The folder of the configuration; without one, that in which shapecheck was run."}}},
		Properties: properties{Checked: len(unchecked) == 0},
		Results:    []result{},
	}
	index := map[diag.Code]int{}
	ok := true
	prints, old := diag.Fingerprints(fs, list), diag.WordedFingerprints(fs, list)
	causes, first := diag.FirstOfCauses(list)
	for i, d := range causes {
		if _, met := index[d.Code]; !met {
			index[d.Code] = len(r.Tool.Driver.Rules)
			r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, ruleOf(d.Code.Info()))
		}
		res := resultOf(fs, d)
		res.RuleIndex = index[d.Code]
		res.Fingerprints = map[string]string{printKey: prints[first[i]], oldPrintKey: old[first[i]]}
		r.Results = append(r.Results, res)
		ok = ok && d.Code != diag.InternalError
	}
	call := invocation{OK: ok}
	for _, u := range unchecked {
		if len(u.Skipped) > 0 {
			r.Properties.Partial, r.Properties.Skipped = true, append(r.Properties.Skipped, u.Skipped...)
		}
		level := levels[diag.Warning]
		if u.Failed {
			level, call.OK = levels[diag.Error], false
		}
		call.Notifications = append(call.Notifications, notification{level, message{Text: u.String()}, entryUnchecked{u.Entry, false, u.Why}})
	}
	r.Invocations = []invocation{call}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(sarifLog{Schema: schemaURI, Version: "2.1.0", Runs: []run{r}})
}

func ruleOf(c *diag.CodeInfo) rule {
	help := c.Doc
	markdown := c.Doc
	if c.Bad != "" {
		help += "\n\nReported:\n\n" + c.Bad + "\nNot reported:\n\n" + c.Good
		markdown += "\n\nReported:\n\n```python\n" + c.Bad + "```\n\nNot reported:\n\n```python\n" + c.Good + "```\n"
	}
	return rule{
		ID: string(c.Code), Name: pascal(c.Title), Short: message{Text: sentence(c.Title)}, Full: message{Text: c.Doc},
		Help: message{Text: help, Markdown: markdown}, Default: configuration{levels[c.Severity]},
	}
}

// sentence makes a title a sentence, as the standard wants of descriptions.
func sentence(title string) string { return strings.ToUpper(title[:1]) + title[1:] + "." }

// pascal makes a title a name in one word.
func pascal(title string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(title, func(r rune) bool { return r < 'A' || r > 'z' }) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// resultOf is a finding as a SARIF 2.1.0 result. Notes have no field of their own there and become lines of the message. A
// finding that lies in no file on disk has no location, and then nothing that refers to one. The places that led to the fault
// stand twice: as related locations, whose ids are unique in the result as §3.28.2 of the standard asks, and as one code flow,
// which viewers show as steps. diag.Related has the nearest place first, a flow the last step last.
func resultOf(fs *source.FileSet, d *diag.Diagnostic) result {
	text := d.Msg
	for _, n := range d.Notes {
		text += "\nNote: " + n
	}
	res := result{RuleID: string(d.Code), Level: levels[d.Severity], Message: message{Text: text}, Count: d.Count}
	at, ok := locationOf(fs, d.At)
	if !ok {
		return res
	}
	res.Locations = []location{at}
	var flow []flowLocation
	for i, r := range d.Related {
		l, ok := locationOf(fs, r.At)
		if !ok {
			continue
		}
		l.Message = &message{Text: r.Msg}
		flow = append(flow, flowLocation{l})
		l.ID = i + 1
		res.Related = append(res.Related, l)
	}
	for _, x := range d.Also {
		if l, ok := locationOf(fs, x.At); ok {
			l.Message, l.ID = &message{Text: "also here: " + x.Msg}, len(d.Related)+len(res.Related)+1
			res.Related = append(res.Related, l)
		}
	}
	if len(flow) > 0 { // the nearest comes first in Related, and last in a flow
		for i, j := 0, len(flow)-1; i < j; i, j = i+1, j-1 {
			flow[i], flow[j] = flow[j], flow[i]
		}
		at.Message = &message{Text: d.Msg}
		res.Flows = []codeFlow{{[]threadFlow{{append(flow, flowLocation{at})}}}}
	}
	for _, f := range d.Fixes {
		if x, ok := fixOf(fs, f); ok {
			res.Fixes = append(res.Fixes, x)
		}
	}
	return res
}

func locationOf(fs *source.FileSet, s source.Span) (location, bool) {
	p, ok := place.OnDisk(fs, s)
	if !ok {
		return location{}, false
	}
	return location{Physical: physical{artifactOf(p.Path), regionOf(p)}}, true
}

func regionOf(p place.Place) region { return region{p.Line, p.Col, p.EndLine, p.EndCol} }

// artifactOf makes a path a URI: relative to the root where it is relative.
func artifactOf(file string) artifact {
	if path.IsAbs(file) {
		return artifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return artifact{URI: (&url.URL{Path: file}).String(), Base: rootID}
}

// fixOf puts the edits of each file together.
func fixOf(fs *source.FileSet, f diag.Fix) (fix, bool) {
	out := fix{Description: message{Text: f.Title}}
	at := map[string]int{}
	for _, e := range f.Edits {
		p, ok := place.Of(fs, e.At)
		if !ok {
			return fix{}, false
		}
		if p.Cell > 0 {
			c, ok := notebookFix(fs, &f, artifactOf(p.Path))
			out.Changes = []change{c}
			return out, ok
		}
		i, met := at[p.Path]
		if !met {
			i = len(out.Changes)
			at[p.Path] = i
			out.Changes = append(out.Changes, change{Artifact: artifactOf(p.Path)})
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, replacement{regionOf(p), &message{Text: e.NewText}})
	}
	return out, len(out.Changes) > 0
}
