package cli

// This file checks files and folders without being told an entry: shapecheck PATH… Files are
// discovered in by discover/trial, which tries what is found in them. What a single file has is
// told at once; of several each file is printed when it ends.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/timing"
	"shapecheck/present/report"
	"shapecheck/project/notebook"
)

// arePaths reports whether the words of a command line name files to look at rather than one
// FILE: there are several, or a folder, a pattern or a notebook. A pattern that names an existing
// file is that file.
func (r *checkRun) arePaths(args []string) bool {
	if r.isScript || len(args) == 0 || !r.namesNoEntry() {
		return false
	}
	if len(args) > 1 || notebook.Is(args[0]) {
		return true
	}
	_, err := os.Stat(args[0])
	return isFolder(args[0]) || err != nil && strings.ContainsAny(args[0], "*?[")
}

// isAlone reports whether the words of a command line name one FILE of which no more is said than what is said of a folder's files:
// it is checked as these are. Any other flag about an entry makes it an entry.
func (r *checkRun) isAlone(args []string) bool {
	return len(args) == 1 && args[0] != "-" && r.stdinName == "" && !notebook.Is(args[0]) && areFiles(args) &&
		!r.isScript && r.namesNoEntry() && r.fixes.comments == "" && r.cost.format == "" && r.load.file == "" && r.attributes == "" && !r.explore &&
		!r.types && !r.all && r.notation == "" && r.shard == ""
}

// errNoEntry says that nothing was found in a FILE that is alone.
var errNoEntry = errors.New("no entry was found")

// False for a path that does not exist.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// checkPaths checks what is found in files. It returns errNoEntry where a FILE that is alone has no
// model, and other errors for words that name no Python files.
func (a *app) checkPaths(r *checkRun, s *check.Session, words []string, outs []output) error {
	switch {
	case r.fixes.comments != "":
		return errors.New("--fix-comments writes the types of one entry: give one FILE")
	case r.shard != "":
		return errors.New("--shard is for the entries of a configuration; it needs no FILE")
	}
	if err := wrongCommand(words, false); err != nil && !strings.ContainsAny(words[0], "*?[") {
		return err
	}
	start := time.Now()
	walk := a.track().Begin(timing.Phase, timing.Discovery)
	files, err := s.Files(words)
	if walk.End(); err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s: no Python files", strings.Join(words, " "))
	}
	program := check.OfFiles(files, trial.Discoverer(nil))
	if r.fixes.on() {
		if done, err := a.fixAll(s, &r.fixes, program, folders(words)); done || err != nil {
			return err
		}
	}
	s.Keep = a.keeps(outs)
	if s.Kept, err = a.openCache(&r.caches, s, check.Texts{}); err != nil {
		return err
	}
	defer a.closeCache(s.Kept)
	// Fewer files are checked at a time when memory is short.
	defer r.limits.pace(s, len(files))()
	show, done := a.newProgress(len(files), "files"), func() {}
	if len(files) == 1 {
		done = a.wait(files[0], s)
	}
	named := len(words) == 1 && areFiles(words)
	lists := newLister(a.out, s.Cache.Files(), len(files) == 1, r.shown)
	streaming := &streaming{}
	// A single file is printed at the end, since it may turn out to be an entry.
	if !named {
		streaming = a.stream(s, outs, show, lists.printFile)
	}
	ctx, stop := a.withBudget(r.limits.runBudget(s.Config, !areFiles(words)))
	p, err := trial.CheckFiles(ctx, s, files, show, nil)
	stop()
	show.clear()
	done()
	if err != nil && p == nil {
		return err
	}
	idle := len(p.Discovered) == 1 && p.Discovered[0].Idle
	if named && len(p.Entries)+len(p.Diagnostics) == 0 && p.Skipped == nil && r.isAlone(words) && !idle {
		return errNoEntry
	}
	return a.printFound(r, s, p, program, outs, start, files, named, streaming)
}

// areFiles reports whether all words name a file each. Patterns name several files.
func areFiles(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return isFolder(w) || strings.ContainsAny(w, "*?[") })
}

// printFound prints what was found in files, of which standard output may have all but the end. Where nothing
// was found that is a fault of the command line if it names one file. The writers get everything
// that is found, and standard output only what was not streamed.
func (a *app) printFound(r *checkRun, s *check.Session, p *check.Project, program *check.Program, outs []output, start time.Time, files []string, named bool,
	on *streaming) error {
	a.code = p.ExitCode()
	var unchecked []diag.Unchecked
	for _, x := range p.Entries {
		if x.Err != nil {
			a.say("shapecheck: %s: %v", x.Name, x.Err)
			unchecked = append(unchecked, diag.Unchecked{Entry: x.Name, Why: x.Err.Error(), Failed: true, Said: true})
		} else if x.State() == check.NotChecked {
			unchecked = append(unchecked, diag.Unchecked{Entry: x.Name, Why: x.WhyNot(), By: diag.Ending(x.Result.Diagnostics),
				Failed: !p.Checked()})
		}
	}
	if len(p.Entries) == 0 && p.Skipped == nil {
		// One file was asked for, and nothing in it can be checked.
		idle := len(p.Discovered) == 1 && p.Discovered[0].Idle
		if named && !idle {
			a.code = check.ExitUsage
		}
		why := "no model was found, and nothing annotated"
		if len(p.Discovered) == 1 {
			why = p.Discovered[0].WhyNot
		}
		unchecked = append(unchecked, diag.Unchecked{Why: why, Failed: named && !idle})
	}
	a.cutShort(s, p)
	unchecked = append(unchecked, skipped(p)...)
	end := &summing{list: p.Diagnostics, took: time.Since(start), surroundings: r.target.surroundings()}
	for _, d := range p.Discovered {
		for _, x := range d.Entries {
			end.entries = append(end.entries, listed(p.Files, d.File, x))
		}
		if end.untried += d.Untried; len(d.Entries) == 0 {
			end.empty++
		}
	}
	if p.Skipped != nil {
		end.skipped = p.Skipped.Why()
	}
	end.environment = environmentOf(p.Entries)
	ended := func(w io.Writer) error { return end.to(newLister(w, p.Files, len(files) == 1, r.shown)).print(w) }
	sum := func(w io.Writer) error { return end.to(newLister(w, p.Files, len(files) == 1, r.shown)).printSum(w) }
	err := a.write(outs, &findings{
		files: p.Files, list: p.Diagnostics, parts: append(slices.Clone(p.Shown), p.Late), unchecked: unchecked,
		entries: end.markdown,
		page:    pageOf(p.Entries, s), outcomes: p.Entries, session: s, program: program, project: p,
		text: func(w io.Writer) error {
			lists := newLister(w, p.Files, len(files) == 1, r.shown)
			for i, d := range p.Discovered {
				if err := lists.printFile(&check.Part{Discovery: d, Entries: d.Entries, Shown: p.Shown[i]}); err != nil {
					return err
				}
			}
			return ended(w)
		},
		json:     func(w io.Writer) error { return a.pathsJSON(s, w, p) },
		streamed: on.format, late: on.rest(p), end: ended, sum: sum,
	})
	a.sayCut(p, outs)
	a.sayKnown(s, p, true)
	if err != nil {
		return err
	}
	return a.finish(&r.filters, p.Files, p.Diagnostics)
}

// printFile prints what came of a file. It is called as each file ends.
func (l *lister) printFile(p *check.Part) error {
	d := p.Discovery
	var entries []listedEntry
	for _, x := range d.Entries {
		entries = append(entries, listed(l.fs, d.File, x))
	}
	return l.printEntries(d.File, entries, p.Shown, d.WhyNot)
}

// environmentOf names the environments of entries. Entries may have several environments.
func environmentOf(list []check.Outcome) string {
	var results []*infer.Result
	for _, x := range list {
		if x.Err == nil {
			results = append(results, x.Result.Result)
		}
	}
	return report.FoundOfAll(results)
}

// entry becomes entries.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// pathsJSON writes the documents of the entries, and why files have none. Files without entries are
// listed with the reason.
func (a *app) pathsJSON(s *check.Session, w io.Writer, p *check.Project) error {
	doc := a.projectDocument(s, p, nil)
	doc.Files = []report.ProjectFile{}
	i := 0
	for _, d := range p.Discovered {
		doc.Files = append(doc.Files, report.ProjectFile{File: d.File, Entries: len(d.Entries), WhyNot: d.WhyNot, Runs: d.Runs})
		for range d.Entries {
			doc.Entries[i].File = d.File
			i++
		}
	}
	return printJSON(w, doc)
}
