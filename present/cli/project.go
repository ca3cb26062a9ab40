package cli

// This file checks the entries of a configuration: shapecheck without FILE.

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/present/render/markdown"
	"shapecheck/present/render/text"
	"shapecheck/present/report"
)

// project checks all entries of a configuration, at the same time, and prints
// what they report as one run.
func (a *app) project(s *check.Session, outs []output, r *checkRun) (*source.FileSet, []*diag.Diagnostic, error) {
	start := time.Now()
	all, err := s.Targets()
	if err != nil {
		return nil, nil, err
	}
	part, which, err := sharded(r.shard, len(all))
	if err != nil {
		return nil, nil, err
	}
	targets := make([]*check.Target, len(part))
	for i, n := range part {
		targets[i] = all[n]
	}
	if !wantsPage(outs) {
		if s.Kept, err = a.openCache(&r.caches, s, check.Texts{}); err != nil {
			return nil, nil, err
		}
	}
	s.Keep = keeps(outs)
	defer r.limits.pace(s, len(part))()
	show := a.newProgress(len(part), "entries")
	style := styleOf(a.out)
	format := a.stream(s, outs, show, func(p *check.Part) error {
		return printEntry(a.out, s.Cache.Files(), lineOf(s, &p.Entries[0], p.Shown, r.verbose), len(part) > 1, style)
	})
	ctx, done := a.withBudget(r.limits.runBudget(s.Config, false))
	p, err := s.CheckAll(ctx, targets, show)
	done()
	show.clear()
	a.closeCache(s.Kept)
	if err != nil && p == nil {
		return nil, nil, err
	}
	if which != nil && which.Parts > 1 { // another part may need the comment
		unused := func(d *diag.Diagnostic) bool { return d.Code == diag.UnusedIgnore }
		p.Diagnostics, p.Late = slices.DeleteFunc(p.Diagnostics, unused), slices.DeleteFunc(p.Late, unused)
	}
	a.code = p.ExitCode()
	a.cutShort(s, p)
	var unchecked []diag.Unchecked
	for _, x := range p.Entries {
		switch {
		case x.Err != nil:
			a.say("shapecheck: entry %s: %v", x.Name, x.Err)
			unchecked = append(unchecked, diag.Unchecked{Entry: x.Name, Why: x.Err.Error(), Failed: true, Said: true})
		case !x.Result.Checked:
			unchecked = append(unchecked, diag.Unchecked{Entry: x.Name, Why: x.Result.WhyNot, Failed: !p.Checked()})
		}
	}
	unchecked = append(unchecked, skipped(p)...)
	var lines []entryLine
	for i := range p.Entries {
		lines = append(lines, lineOf(s, &p.Entries[i], p.Shown[i], r.verbose))
	}
	end := func(w io.Writer) error {
		if err := printEntriesEnd(w, p.Files, lines, p.Diagnostics, styleOf(w), time.Since(start)); err != nil {
			return err
		}
		return printSkipped(w, p)
	}
	err = a.write(outs, &findings{
		files: p.Files, list: p.Diagnostics, unchecked: unchecked,
		entries: func() []markdown.Entry { return entriesOf(s, p.Entries) },
		page:    pageOf(p.Entries, s), outcomes: p.Entries, session: s,
		text: func(w io.Writer) error {
			if err := printEntries(w, p.Files, lines, styleOf(w)); err != nil {
				return err
			}
			return end(w)
		},
		json: func(w io.Writer) error {
			doc := projectDocument(s, p, which)
			if which != nil && wantsPage(outs) {
				if err := addPages(doc, s, p); err != nil {
					return err
				}
			}
			return printJSON(w, doc)
		},
		streamed: format, late: p.Late, end: end,
	})
	a.sayCut(p, outs)
	a.sayKnown(s, p, which == nil || which.Parts == 1)
	return p.Files, p.Diagnostics, err
}

// An entryLine is what is printed of an entry.
type entryLine struct {
	name, what string
	file       string // empty: it is not known
	failed     bool
	nothing    bool   // it was not checked
	took       string // may be empty
	// shown are its findings that no entry before had.
	shown []*diag.Diagnostic
}

// tallyOf is the closing line of a result, also where no more than its record is there.
func tallyOf(r *check.Result) string {
	if s := r.Stored(); s != nil {
		if line, err := report.TallyIn(s); err == nil {
			return line
		}
	}
	return report.Tally(r.Result)
}

// foundOf is the line that names the environment of a result.
func foundOf(r *check.Result) string {
	if s := r.Stored(); s != nil {
		return report.FoundIn(s)
	}
	return report.Found(r.Result)
}

// lineOf is what is printed of an entry that ended.
func lineOf(s *check.Session, x *check.Outcome, shown []*diag.Diagnostic, verbose bool) entryLine {
	l := entryLine{name: x.Name, shown: shown}
	switch r := x.Result; {
	case x.Err != nil:
		l.failed, l.what = true, x.Err.Error()
	case check.ExitCode(r.Result) == check.ExitUsage:
		l.nothing, l.what = true, tallyOf(r)
	case check.ExitCode(r.Result) != check.ExitClean:
		l.failed, l.what = true, tallyOf(r)
	case r.OutputType != "":
		l.what = "→ " + r.OutputType
	}
	if x.Err == nil {
		l.file = sourceOf(s, x.Result)
		if verbose {
			l.what += "\n" + foundOf(x.Result)
		}
		if l.took = elapsed(x.Result.Time); x.Result.Recalled {
			l.took = "cached"
		}
	}
	return l
}

// printEntries prints the lines of entries.
func printEntries(w io.Writer, fs *source.FileSet, lines []entryLine, style text.Style) error {
	for _, l := range lines {
		if err := printEntry(w, fs, l, len(lines) > 1, style); err != nil {
			return err
		}
	}
	return nil
}

// printEntry prints the line of an entry, and those of its findings where there are others.
func printEntry(w io.Writer, fs *source.FileSet, l entryLine, others bool, style text.Style) error {
	state := style.Paint("32", "ok  ")
	switch {
	case l.failed:
		state = style.Paint("1;31", "FAIL")
	case l.nothing:
		state = style.Paint("1;33", "NONE")
	}
	line := state + " " + safetext.Line(l.name) + " " + safetext.Indented(l.what, "    ")
	var notes []string
	if !strings.Contains(l.name, l.file) { // entries without a name of their own are called by it
		notes = append(notes, safetext.Line(l.file))
	}
	if l.took != "" {
		notes = append(notes, l.took)
	}
	if len(notes) > 0 {
		line += " (" + strings.Join(notes, ", ") + ")"
	}
	if _, err := fmt.Fprintln(w, line); err != nil || !others {
		return err
	}
	return printShown(w, fs, l.shown, false)
}

// printEntriesEnd prints the findings and the sum.
func printEntriesEnd(w io.Writer, fs *source.FileSet, lines []entryLine, list []*diag.Diagnostic, style text.Style, d time.Duration) error {
	failed, nothing := 0, 0
	for _, l := range lines {
		switch {
		case l.failed:
			failed++
		case l.nothing:
			nothing++
		}
	}
	for _, d := range list {
		fmt.Fprintln(w)
		text.Print(w, fs, d, style)
	}
	not := ""
	if nothing > 0 {
		not = fmt.Sprintf("%d not checked, ", nothing)
	}
	_, err := fmt.Fprintf(w, "\n%s, %d failed, %s%s, %s\n", counted(len(lines), "entry"), failed, not, counted(len(list), "finding"),
		elapsed(d))
	return err
}

// addPages adds what a page shows of the entries to the document of a part, which also writes one: whoever merges the parts can.
func addPages(doc *report.Project[any], s *check.Session, p *check.Project) error {
	for i, x := range p.Entries {
		if x.Err != nil {
			continue
		}
		data, err := json.Marshal(entryPage(x.Result, s))
		if err != nil {
			return err
		}
		doc.Entries[i].Page = data
	}
	return nil
}

// projectDocument is the document of a project. Findings of no entry stand at the end.
func projectDocument(s *check.Session, p *check.Project, shard *report.Shard) *report.Project[any] {
	doc := &report.Project[any]{Version: record.Version, Shard: shard, Entries: []report.ProjectEntry[any]{},
		Diagnostics: []record.Diagnostic{}}
	doc.Partial, doc.Skipped = partial(p)
	entries := map[*diag.Diagnostic]bool{}
	for _, x := range p.Entries {
		e := report.ProjectEntry[any]{Name: x.Name, State: x.State().String(), WhyNot: x.WhyNot()}
		if x.Err != nil {
			e.Error = x.Err.Error()
		} else {
			t := x.Result.Target
			e.Result, e.File, e.How, e.Args, e.Assumed, e.Basis = x.Result.Document(), sourceOf(s, x.Result), t.How, t.Run.Args, t.Assumed, t.Basis.String()
			for _, d := range x.Result.Diagnostics {
				entries[d] = true
			}
		}
		doc.Entries = append(doc.Entries, e)
	}
	for _, d := range p.Diagnostics {
		if !entries[d] {
			doc.Diagnostics = append(doc.Diagnostics, record.OfDiagnostic(p.Files, d))
		}
	}
	return doc
}
