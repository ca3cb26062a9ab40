package cli

// This file checks the entries of a configuration: shapecheck without FILE. The entries are checked
// by package check, several at a time, and are printed as they end, in the order of the
// configuration; what belongs to all of them comes at the end. Every writer of --output-format gets
// the same findings.

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
// what they report as one run. The findings are returned for the file of a baseline. It returns an
// error where no entry could be checked, such as for a configuration that is wrong; an entry that
// cannot be checked is printed and does not end the others.
func (a *app) project(s *check.Session, outs []output, r *checkRun) (*source.FileSet, []*diag.Diagnostic, error) {
	start := time.Now()
	all, err := s.Targets()
	if err != nil {
		return nil, nil, err
	}
	// With --shard only every n-th entry is checked.
	part, which, err := sharded(r.shard, len(all))
	if err != nil {
		return nil, nil, err
	}
	targets := make([]*check.Target, len(part))
	for i, n := range part {
		targets[i] = all[n]
	}
	// Values are not kept in the cache, so an output that needs them runs every entry.
	if !a.keepsValues(outs) {
		if s.Kept, err = a.openCache(&r.caches, s, check.Texts{}); err != nil {
			return nil, nil, err
		}
	}
	s.Keep = a.keeps(outs)
	// The process keeps to its bound of memory by checking fewer at a time.
	defer r.limits.pace(s, len(part))()
	show := a.newProgress(len(part), "entries")
	lists := newLister(a.out, s.Cache.Files(), len(part) == 1, r.shown)
	line := func(x check.Outcome) listedEntry {
		e := listed(s.Cache.Files(), "", x)
		// The file is that of the configuration, which an entry that failed has, too.
		for _, t := range targets {
			if t.Name == x.Name {
				e.file = cmp.Or(t.Run.Module, s.Shown(t.Run.File))
			}
		}
		return e
	}
	printEntry := func(l *lister, p *check.Part) error {
		e := line(p.Entries[0])
		return l.printEntries(e.file, []listedEntry{e}, p.Shown, "")
	}
	// The text is printed entry by entry while others still run.
	on := a.stream(s, outs, show, func(p *check.Part) error { return printEntry(lists, p) })
	ctx, done := a.withBudget(r.limits.runBudget(s.Config, false))
	p, err := s.CheckAll(ctx, targets, show)
	done()
	show.clear()
	a.closeCache(s.Kept)
	if err != nil && p == nil {
		return nil, nil, err
	}
	// A comment that hides nothing here may hide a finding of an entry in another part.
	if which != nil && which.Parts > 1 { // another part may need the comment
		unused := func(d *diag.Diagnostic) bool { return d.Code == diag.UnusedIgnore }
		p.Diagnostics, p.Late = slices.DeleteFunc(p.Diagnostics, unused), slices.DeleteFunc(p.Late, unused)
	}
	// Before anything is printed, so that a failing writer cannot lose it.
	a.code = p.ExitCode()
	a.cutShort(s, p)
	var unchecked []diag.Unchecked
	for _, x := range p.Entries {
		switch {
		case x.Err != nil:
			a.say("shapecheck: entry %s: %v", x.Name, x.Err)
			unchecked = append(unchecked, diag.Unchecked{Entry: x.Name, Why: x.Err.Error(), Failed: true, Said: true})
		case !x.Result.Checked:
			// Failed: of the whole project nothing was checked.
			unchecked = append(unchecked, diag.Unchecked{Entry: x.Name, Why: x.Result.WhyNot, By: diag.Ending(x.Result.Diagnostics),
				Failed: !p.Checked()})
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
	// It is printed once for each text output, by a lister of its own.
	ended := func(w io.Writer) error { return end.to(newLister(w, p.Files, len(part) == 1, r.shown)).print(w) }
	sum := func(w io.Writer) error { return end.to(newLister(w, p.Files, len(part) == 1, r.shown)).printSum(w) }
	err = a.write(outs, &findings{
		files: p.Files, list: p.Diagnostics, parts: append(slices.Clone(p.Shown), p.Late), unchecked: unchecked,
		entries: end.markdown,
		page:    pageOf(p.Entries, s), outcomes: p.Entries, session: s, program: check.OfEntries(targets), project: p,
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
			doc := a.projectDocument(s, p, which)
			for i := range doc.Entries {
				doc.Entries[i].File = end.entries[i].file
			}
			// A part that is merged later brings its pages.
			if which != nil && wantsPage(outs) {
				if err := addPages(doc, s, p); err != nil {
					return err
				}
			}
			return printJSON(w, doc)
		},
		streamed: on.format, late: on.rest(p), end: ended, sum: sum,
	})
	a.sayCut(p, outs)
	a.sayKnown(s, p, which == nil || which.Parts == 1)
	return p.Files, p.Diagnostics, err
}

// tallyOf is the closing line of a result, also where no more than its record is there. A recalled
// result has a document but no run.
func tallyOf(r *check.Result) string {
	if s := r.Stored(); s != nil {
		if line, err := report.TallyIn(s); err == nil {
			return line
		}
	}
	return report.Tally(r.Result)
}

// foundOf is the line that names the environment of a result. The environment is named with -v.
func foundOf(r *check.Result) string {
	if s := r.Stored(); s != nil {
		return report.FoundIn(s)
	}
	return report.Found(r.Result)
}

// addPages adds what a page shows of the entries to the document of a part, which also writes one:
// whoever merges the parts can. It returns an error where a page cannot be encoded.
func addPages(doc *report.Project[any], s *check.Session, p *check.Project) error {
	for i := range p.Entries {
		x := &p.Entries[i]
		if x.Err != nil {
			continue
		}
		data, err := json.Marshal(entryPage(x, s))
		if err != nil {
			return err
		}
		doc.Entries[i].Page = data
	}
	return nil
}

// documentVersion is the version of documents. 0 stands for the newest.
func (a *app) documentVersion() int { return cmp.Or(a.jsonVersion, record.Version) }

// entryDocument is the document of an entry that is checked alone. A document of the old version
// has no state. A recalled result is written from what was stored.
func (a *app) entryDocument(s *check.Session, r *check.Result) any {
	outcome := check.Outcome{Name: r.Entry, Result: r}
	state, basis, guess := outcome.State().String(), r.Target.Basis.String(), guessOf(r.Target)
	switch d := r.Document(a.jsonVersion).(type) {
	case *record.Document:
		if d.Version != record.OldVersion {
			d.State, d.Basis, d.Guess = state, basis, guess
		}
		return d
	case *record.Stored:
		d.State, d.Basis, d.Guess = state, basis, guess
		return d
	}
	return nil
}

// givenBy says where the arguments of an entry are that nobody had to choose. By the way in which
// an entry was found (Target.How).
var givenBy = map[string]string{
	check.ByComment: "a comment gives it", check.ByConfig: "the configuration gives it", check.ByAnnotation: "an annotation gives it",
}

// guessOf are all arguments of a target, with what they were chosen by. Arguments that were guessed
// have their own reason; the others were given.
func guessOf(t *check.Target) []record.Guessed {
	var out []record.Guessed
	for _, g := range t.Guessed {
		out = append(out, record.Guessed{Text: g.Text, Basis: g.Basis.String(), Because: g.Because, File: g.File, Cell: g.Cell, Line: g.Line})
	}
	giver := cmp.Or(givenBy[t.How], "the command line gives it")
	// An entry with a name and no How comes from the configuration.
	if t.How == "" && t.Name != "" {
		giver = givenBy[check.ByConfig]
	}
	for _, arg := range t.Run.Args {
		if !slices.ContainsFunc(t.Guessed, func(g check.Guessed) bool { return g.Text == arg }) {
			out = append(out, record.Guessed{Text: arg, Basis: check.BasisGiven.String(), Because: giver})
		}
	}
	return out
}

// projectDocument is the document of a project. Findings of no entry stand at the end. Findings of
// an entry stand with the entry, in the form of the version that was asked for.
func (a *app) projectDocument(s *check.Session, p *check.Project, shard *report.Shard) *report.Project[any] {
	doc := &report.Project[any]{Version: a.documentVersion(), Shard: shard, Entries: []report.ProjectEntry[any]{},
		Diagnostics: []record.Diagnostic{}}
	doc.Partial, doc.Skipped = partial(p)
	entries := map[*diag.Diagnostic]bool{}
	for _, x := range p.Entries {
		e := report.ProjectEntry[any]{Name: x.Name, State: x.State().String(), WhyNot: x.WhyNot()}
		if x.Err != nil {
			e.Error = x.Err.Error()
		} else {
			t := x.Result.Target
			e.Result, e.File, e.How, e.Args, e.Basis = x.Result.Document(a.jsonVersion), sourceOf(s, x.Result), t.How, t.Run.Args, t.Basis.String()
			// The old version had a list of texts for what is assumed.
			if a.jsonVersion == record.OldVersion {
				e.Assumed = t.Assumed
			} else {
				e.Guess = guessOf(t)
				if x := t.AnyRank; x != nil {
					e.AnyRank = &report.AnyRank{Args: x.Args, OutputType: x.Result}
				}
			}
			e.Part, e.Lacks, e.Traces, e.Accepted = t.Part, x.Result.Lacks, t.Traces, x.Result.Accepted
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
