package cli

// This file checks the entries of a configuration: shapecheck without FILE.

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"time"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
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
	lists := newLister(a.out, s.Cache.Files(), len(part) == 1, r.shown)
	line := func(x check.Outcome) listedEntry {
		e := listed(s.Cache.Files(), "", x)
		for _, t := range targets {
			if t.Name == x.Name {
				e.file = cmp.Or(t.Run.Module, s.Shown(t.Run.File))
			}
		}
		return e
	}
	printEntry := func(l *lister, p *check.Part) error {
		e := line(p.Entries[0])
		return l.part(e.file, []listedEntry{e}, p.Shown, "")
	}
	format := a.stream(s, outs, show, func(p *check.Part) error { return printEntry(lists, p) })
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
	end := &summing{list: p.Diagnostics, took: time.Since(start), environment: environmentOf(p.Entries)}
	for _, x := range p.Entries {
		end.entries = append(end.entries, line(x))
	}
	if p.Skipped != nil {
		end.skipped = p.Skipped.Why()
	}
	ended := func(w io.Writer) error { return end.to(newLister(w, p.Files, len(part) == 1, r.shown)).print(w) }
	sum := func(w io.Writer) error { return end.to(newLister(w, p.Files, len(part) == 1, r.shown)).printSum(w) }
	err = a.write(outs, &findings{
		files: p.Files, list: p.Diagnostics, unchecked: unchecked,
		entries: end.markdown,
		page:    pageOf(p.Entries, s), outcomes: p.Entries, session: s,
		text: func(w io.Writer) error {
			l := newLister(w, p.Files, len(part) == 1, r.shown)
			for i := range p.Entries {
				if err := printEntry(l, &check.Part{Entries: p.Entries[i : i+1], Shown: p.Shown[i]}); err != nil {
					return err
				}
			}
			return ended(w)
		},
		json: func(w io.Writer) error {
			doc := projectDocument(s, p, which)
			for i := range doc.Entries {
				doc.Entries[i].File = end.entries[i].file
			}
			if which != nil && wantsPage(outs) {
				if err := addPages(doc, s, p); err != nil {
					return err
				}
			}
			return printJSON(w, doc)
		},
		streamed: format, late: p.Late, end: ended, sum: sum,
	})
	a.sayCut(p, outs)
	a.sayKnown(s, p, which == nil || which.Parts == 1)
	return p.Files, p.Diagnostics, err
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
			e.Part, e.Lacks = t.Part, x.Result.Lacks
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
