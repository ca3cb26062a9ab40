package cli

// This file knows the output formats and where each goes:
//
//	--output-format text --output-format sarif=out.sarif

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"shapecheck/check"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/closest"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/internal/version"
	"shapecheck/present/render/concise"
	"shapecheck/present/render/github"
	"shapecheck/present/render/gitlab"
	"shapecheck/present/render/junit"
	"shapecheck/present/render/markdown"
	"shapecheck/present/render/sarif"
	"shapecheck/present/report"
)

// findings are what a command has to print. Text and JSON show more than the
// diagnostics, so the command brings its own.
type findings struct {
	files *source.FileSet
	list  []*diag.Diagnostic
	// parts are those of the list as the parts of the run have them, which formats of lines print as they end; nil: the list is one.
	parts [][]*diag.Diagnostic
	// unchecked are the entries of which nothing was checked.
	unchecked []diag.Unchecked
	entries   func() []markdown.Entry // nil: they are not known
	page      func() []pagePart
	outcomes  []check.Outcome         // of this run; nil: there are none
	session   *check.Session          // that made them
	junit     []junit.Entry           // instead of the outcomes
	streamed  string                  // the format that is on standard output but for its end; empty: none
	late      [][]*diag.Diagnostic    // the end of the findings of such a format, by parts
	end       func(w io.Writer) error // and that of text
	sum       func(w io.Writer) error // says how the check ended; nil: nothing does
	text      func(w io.Writer) error
	json      func(w io.Writer) error
	// program is what the fixes of the findings are verified with, and project what came of it; nil: they are not, or were.
	program *check.Program
	project *check.Project
}

// formats are the printers by the names of their formats.
var formats = map[string]func(w io.Writer, f *findings) error{
	"text":       func(w io.Writer, f *findings) error { return f.text(w) },
	"json":       func(w io.Writer, f *findings) error { return f.json(w) },
	"agent":      func(w io.Writer, f *findings) error { return f.agent(w) },
	"concise":    func(w io.Writer, f *findings) error { return f.lines(w, concise.Print) },
	"json-lines": func(w io.Writer, f *findings) error { return f.lines(w, report.JSONLines) },
	"sarif": func(w io.Writer, f *findings) error {
		return sarif.Print(w, f.files, f.list, f.unchecked, version.String())
	},
	"github":   func(w io.Writer, f *findings) error { return github.Print(w, f.files, f.list, f.unexplained()) },
	"gitlab":   func(w io.Writer, f *findings) error { return gitlab.Print(w, f.files, f.list) },
	"markdown": func(w io.Writer, f *findings) error { return markdown.Print(w, f.markdown("")) },
	"html":     func(w io.Writer, f *findings) error { return f.html(w) },
	"junit":    func(w io.Writer, f *findings) error { return junit.Print(w, f.files, f.cases(), f.list, f.unchecked) },
}

// findingsOnly are the formats that have no place for what was not checked.
var findingsOnly = []string{"concise", "json-lines", "gitlab"}

const formatHelp = "text, html, markdown, concise, json, json-lines, sarif, github, gitlab, junit or agent; FORMAT=FILE writes to a file; may be repeated"

// An output is a format and where it goes.
type output struct {
	format string
	file   string // empty: standard output
}

// outputs reads the values of --output-format. inputs are files that must not be
// written over.
func outputs(specs, inputs []string) ([]output, error) {
	if len(specs) == 0 {
		return []output{{format: "text"}}, nil
	}
	taken := map[string]string{}
	for _, in := range inputs {
		taken[same(in)] = "it is an input"
	}
	var list []output
	stdout := ""
	for _, s := range specs {
		format, file, to := strings.Cut(s, "=")
		if formats[format] == nil {
			hint := ""
			if name := closest.Name(format, formatNames(), 2); name != "" { // one letter: yaml is not meant to be html
				hint = "; did you mean " + name + "?"
			}
			return nil, fmt.Errorf("--output-format %s: no such format%s; there are: %s", format, hint, strings.Join(formatNames(), ", "))
		}
		if to && file != "-" {
			if err := atomicfile.Check(file); err != nil {
				return nil, fmt.Errorf("--output-format %s: %w", s, err)
			}
			if why := taken[same(file)]; why != "" {
				return nil, fmt.Errorf("--output-format %s: the file is not written: %s", s, why)
			}
			taken[same(file)] = "another format goes there"
			list = append(list, output{format, file})
			continue
		}
		if stdout != "" {
			return nil, fmt.Errorf("--output-format: %s and %s both go to standard output; give one a file as in %s=FILE", stdout, format, format)
		}
		stdout = format
		list = append(list, output{format: format})
	}
	return list, nil
}

// same makes a path comparable with others.
func same(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	return file
}

func formatNames() []string {
	var names []string
	for n := range formats {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// print prints f. Text has colours, and GitHub's format is made of commands.
func (o *output) print(w *safetext.Writer, f *findings) error {
	w.Allow(false, o.format == "github")
	if o.format == "text" {
		allowStyle(w)
	}
	write := formats[o.format]
	if o.format == interfaceOutput {
		write = func(w io.Writer, f *findings) error { return f.interfaces(w) }
	}
	err := write(w, f)
	return cmp.Or(err, w.Flush())
}

// write prints f in every format.
func (a *app) write(list []output, f *findings) error {
	defer a.track().Begin(timing.Phase, timing.Print).End()
	if a.instead != nil {
		return a.instead(f)
	}
	if f.program != nil && !a.statistics {
		f.session.VerifyFixes(a.context(), f.program, f.project)
	}
	if a.statistics {
		accepted, err := f.accepted()
		if err != nil {
			return err
		}
		f.text = func(w io.Writer) error { return cmp.Or(printStatistics(w, f.list), printAccepted(w, accepted)) }
	}
	for _, o := range list {
		if o.file == "" {
			if err := o.print(a.out, f.rest(o.format)); err != nil {
				return err
			}
			continue
		}
		var b bytes.Buffer
		if err := o.print(safetext.NewWriter(&b), f); err != nil {
			return err
		}
		if err := atomicfile.Write(o.file, b.Bytes()); err != nil {
			return err
		}
	}
	if err := a.sumUp(list, f); err != nil {
		return err
	}
	// What nothing on standard output says must not look like a check without findings.
	if !slices.ContainsFunc(list, func(o output) bool { return o.file == "" && !slices.Contains(findingsOnly, o.format) }) {
		for _, u := range f.unexplained() {
			if !u.Said {
				a.say("shapecheck: %s", u)
			}
		}
	}
	if !a.noStepSummary && slices.ContainsFunc(list, func(o output) bool { return o.format == "github" }) {
		return f.stepSummary(os.Getenv)
	}
	return nil
}

// lines prints the findings in a format of lines: by the parts, as a run that is watched prints them.
func (f *findings) lines(w io.Writer, print func(io.Writer, *source.FileSet, []*diag.Diagnostic) error) error {
	parts := f.parts
	if parts == nil {
		parts = [][]*diag.Diagnostic{f.list}
	}
	for _, list := range parts {
		if err := print(w, f.files, list); err != nil {
			return err
		}
	}
	return nil
}

// accepted is what is accepted for a time in the files of the entries.
func (f *findings) accepted() ([]check.AcceptedIn, error) {
	switch {
	case f.project != nil:
		return f.project.Accepted, nil
	case f.session != nil && len(f.outcomes) == 1 && f.outcomes[0].Result != nil:
		return f.session.Accepts(f.outcomes[0].Result)
	}
	return nil, nil
}

// sumUp says on standard error how a check ended of which nothing goes to standard output, and where it is written.
func (a *app) sumUp(list []output, f *findings) error {
	if f.sum == nil || slices.ContainsFunc(list, func(o output) bool { return o.file == "" }) {
		return nil
	}
	if err := f.sum(a.err); err != nil {
		return err
	}
	for _, o := range list {
		a.say("%s: %s", o.format, o.file)
	}
	return nil
}

// cases are the entries with what was found in each.
func (f *findings) cases() []junit.Entry {
	if f.outcomes == nil {
		return f.junit
	}
	shown := map[diagKey]*diag.Diagnostic{} // as they are in the list
	for _, d := range f.list {
		shown[keyOf(d)] = d
	}
	var out []junit.Entry
	for _, x := range f.outcomes {
		e := junit.Entry{Name: x.Name}
		if x.Result != nil {
			e.File = sourceOf(f.session, x.Result)
			for _, d := range x.Result.Diagnostics {
				if d := shown[keyOf(d)]; d != nil {
					e.Found = append(e.Found, d)
				}
			}
		}
		out = append(out, e)
	}
	return out
}

// A diagKey tells findings apart, whatever their severity.
type diagKey struct {
	code diag.Code
	at   source.Span
	msg  string
}

func keyOf(d *diag.Diagnostic) diagKey { return diagKey{d.Code, d.At, d.Msg} }

// rest is what standard output does not have yet in a format.
func (f *findings) rest(format string) *findings {
	if f.streamed != format {
		return f
	}
	out := *f
	out.list, out.parts, out.text = slices.Concat(f.late...), f.late, f.end
	return &out
}

// unexplained are the entries of which nothing was checked, but for those that an error in the list ended.
func (f *findings) unexplained() []diag.Unchecked {
	return slices.DeleteFunc(slices.Clone(f.unchecked), func(u diag.Unchecked) bool {
		return u.By != diag.Origin{} && slices.ContainsFunc(f.list, func(d *diag.Diagnostic) bool {
			return d.Severity == diag.Error && u.By == diag.Origin{Code: d.Code, At: d.At}
		})
	})
}

// markdown is the report for people who read it beside code.
func (f *findings) markdown(base string) *markdown.Report {
	r := &markdown.Report{Files: f.files, List: f.list, Unchecked: f.unchecked, Base: base}
	if f.entries != nil {
		r.Entries = f.entries()
	}
	return r
}

// stepSummary appends the report to the summary of a job of GitHub Actions, where there is one.
// Its links lead to the files of the commit.
func (f *findings) stepSummary(env func(string) string) error {
	file := env("GITHUB_STEP_SUMMARY")
	if file == "" {
		return nil
	}
	base := ""
	if server, repo, commit := env("GITHUB_SERVER_URL"), env("GITHUB_REPOSITORY"), env("GITHUB_SHA"); server != "" && repo != "" &&
		commit != "" {
		base = server + "/" + repo + "/blob/" + commit + "/"
		if dir, err := filepath.Rel(same(env("GITHUB_WORKSPACE")), same(".")); err == nil && filepath.IsLocal(dir) && dir != "." {
			base += filepath.ToSlash(dir) + "/"
		}
	}
	var b bytes.Buffer
	w := safetext.NewWriter(&b)
	if err := cmp.Or(markdown.Print(w, f.markdown(base)), w.Flush()); err != nil {
		return err
	}
	if err := atomicfile.Append(file, b.Bytes()); err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return nil
}
