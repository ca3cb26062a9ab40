// Package suppress decides which diagnostics of a run are shown: comments in the
// source (comment.go; write.go writes them), what is accepted for a time (accept.go), the codes and severities asked for, rules for
// single files (suppress.go), and a baseline of known findings (baseline.go). Filter.Apply is the way
// in. An internal error is always shown.
package suppress

// This file holds the filter and what it does with codes.

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/source"
)

// A Filter says what is shown. The zero Filter shows everything that no comment
// hides.
type Filter struct {
	// Select, unless it is empty, names what is shown: codes, the beginnings of
	// codes ("SC4"), severities. Ignore names what is not.
	Select, Ignore []string
	// PerFile holds what is not shown in files that a pattern matches.
	PerFile []FileRule
	// Severity gives codes another severity.
	Severity map[diag.Code]diag.Severity
	// Baseline are the findings that are known already.
	Baseline *Baseline
	// Accept is what is accepted for a time, beside what comments say, and Today the day, as comments.DateForm; empty: nothing expires.
	Accept []AcceptRule
	Today  string
	// Folder is where patterns name files from, with slashes, if that is below the folder from which findings name them.
	Folder string
}

// A FileRule hides findings in some files. Patterns are those of Match.
type FileRule struct {
	Pattern string
	Ignore  []string
}

// Check reports a selector that can never match. The error names the first: it is neither a code, nor the beginning of
// one, nor a severity.
func Check(selectors []string) error {
	for _, s := range selectors {
		if !known(s) {
			return fmt.Errorf("%q is neither a code, nor the beginning of one, nor a severity (info, warning, error)", s)
		}
	}
	return nil
}

// codes are all codes; the table is copied once.
var codes = sync.OnceValue(diag.Codes)

func known(s string) bool {
	if s == "info" || s == "warning" || s == "error" {
		return true
	}
	for _, c := range codes() {
		if len(s) > 2 && strings.HasPrefix(string(c.Code), s) {
			return true
		}
	}
	return false
}

func matches(selectors []string, d *diag.Diagnostic) bool {
	for _, s := range selectors {
		if s == d.Severity.String() || strings.HasPrefix(string(d.Code), s) {
			return true
		}
	}
	return false
}

// Apply returns the diagnostics that are shown, in their order. reached are the
// lines that ran, by file: a comment on one of them that hides nothing is a
// finding of its own, and so is one that is misspelt in their files and in those of
// the list; where reached is nil nothing is said of comments.
func (f *Filter) Apply(fs *source.FileSet, list []*diag.Diagnostic, reached map[*source.File]map[int]bool) []*diag.Diagnostic {
	out, _ := f.Split(fs, list, reached)
	return out
}

// Split is Apply, with the fingerprints of what only the baseline hides.
func (f *Filter) Split(fs *source.FileSet, list []*diag.Diagnostic, reached map[*source.File]map[int]bool) (out []*diag.Diagnostic,
	known []string,
) {
	p := f.Begin(fs)
	out = p.Part(list, reached)
	if reached != nil {
		out = append(out, p.End()...)
	}
	return out, p.Known()
}

// A Pass is one use of a filter for diagnostics that come in parts.
type Pass struct {
	filter   *Filter
	fs       *source.FileSet
	comments speaking
	known    map[string]bool // by the baseline
	hidden   []string        // those of them that were in a part
	hid      map[*diag.Diagnostic]bool
	names    diag.Names
}

// Begin begins a pass over diagnostics whose places are in fs.
func (f *Filter) Begin(fs *source.FileSet) *Pass {
	return &Pass{filter: f, fs: fs, comments: speaking{filter: f, byFile: map[*source.File]*remarks{}, told: map[source.Span]bool{}},
		known: f.Baseline.prints(), hid: map[*diag.Diagnostic]bool{}, names: diag.Names{Folder: f.Baseline.folder(), Worded: f.Baseline != nil && f.Baseline.Version == wordedVersion}}
}

// Filter is the filter of which this is a use.
func (p *Pass) Filter() *Filter { return p.filter }

// Known are the fingerprints of the findings that only the baseline hid.
func (p *Pass) Known() []string { return p.hidden }

// Hid reports whether only the baseline hid a diagnostic of a part.
func (p *Pass) Hid(d *diag.Diagnostic) bool { return p.hid[d] }

// Part returns what is shown of the next diagnostics, in their order; reached are further lines that ran.
func (p *Pass) Part(list []*diag.Diagnostic, reached map[*source.File]map[int]bool) []*diag.Diagnostic {
	return p.show(p.comments.filterPart(p.fs, list, reached))
}

// Grade gives a diagnostic the severity that the filter has for its code.
func (p *Pass) Grade(d *diag.Diagnostic) {
	if s, ok := p.filter.Severity[d.Code]; ok {
		d.Severity = s
	}
}

// Again returns what is shown of a diagnostic that had another severity in an earlier part; nil: nothing.
func (p *Pass) Again(d *diag.Diagnostic) *diag.Diagnostic {
	if p.comments.hides(p.fs, d) {
		return nil
	}
	if d = p.filter.of(p.fs, d); d == nil || p.known[p.names.Again(p.fs, d)] && d.Code != diag.InternalError {
		return nil
	}
	return d
}

// End returns what is shown of what is wrong with comments, after the last part.
func (p *Pass) End() []*diag.Diagnostic { return p.show(p.comments.faults()) }

// show returns what no comment hides and the filter lets pass.
func (p *Pass) show(list []*diag.Diagnostic) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, given := range list {
		d := p.filter.of(p.fs, given)
		if d == nil {
			continue
		}
		if p.known != nil && d.Code != diag.InternalError {
			if name := p.names.Of(p.fs, d); p.known[name] {
				p.hidden, p.hid[given] = append(p.hidden, name), true
				continue
			}
		}
		out = append(out, d)
	}
	return out
}

// of is a diagnostic with the severity that the filter gives it; nil where its code, severity or file is not shown.
func (f *Filter) of(fs *source.FileSet, d *diag.Diagnostic) *diag.Diagnostic {
	if s, ok := f.Severity[d.Code]; ok && s != d.Severity {
		changed := *d
		changed.Severity = s
		d = &changed
	}
	if d.Code != diag.InternalError && f.hides(fs, d) {
		return nil
	}
	return d
}

func (f *Filter) hides(fs *source.FileSet, d *diag.Diagnostic) bool {
	if len(f.Select) > 0 && !matches(f.Select, d) || matches(f.Ignore, d) {
		return true
	}
	if len(f.PerFile) == 0 {
		return false
	}
	p, ok := place.Of(fs, d.At)
	if !ok {
		return false
	}
	for _, r := range f.PerFile {
		if Match(r.Pattern, diag.Below(f.Folder, p.Path)) && matches(r.Ignore, d) {
			return true
		}
	}
	return false
}

// Match reports whether a path with slashes matches a pattern: "*" and "?" stand
// for characters other than the slash, "**" for any number of folders, and a
// pattern without a slash for a file or folder of that name at any depth. A
// pattern that matches a folder matches what is in it.
func Match(pattern, file string) bool {
	pattern = path.Clean(strings.TrimSuffix(pattern, "/"))
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	return match(strings.Split(pattern, "/"), strings.Split(path.Clean(file), "/"))
}

func match(pattern, file []string) bool {
	if len(pattern) == 0 {
		return true // what is left lies in the folder
	}
	if pattern[0] == "**" {
		for i := 0; i <= len(file); i++ {
			if match(pattern[1:], file[i:]) && (len(pattern) > 1 || i < len(file)) {
				return true
			}
		}
		return false
	}
	if len(file) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], file[0])
	return err == nil && ok && match(pattern[1:], file[1:])
}
