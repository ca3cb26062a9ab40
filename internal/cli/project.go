package cli

// This file checks the entries of a configuration: shapecheck without FILE.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"shapecheck/infer"
	"shapecheck/internal/config"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/render/text"
	"shapecheck/internal/report"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/internal/suppress"
)

// A checked is an entry and what came of it.
type checked struct {
	name   string
	res    *infer.Result
	output string // the type of the result; empty when it raised
	err    error  // the entry could not be run
	time   time.Duration
	bug    any // what a panic said
	// What an earlier run found is cached: then res has no Output, and stored is
	// the document.
	cached bool
	forgot error // why it could not be kept
	stored *report.Stored
}

// document is the JSON document of the entry.
func (x *checked) document() any {
	if x.cached {
		return x.stored.With(x.res.Files, x.res.Diagnostics)
	}
	return report.Build(x.res)
}

// project checks all entries of a configuration, at the same time, and prints
// what they report as one run. Parsed files are shared, and with them positions.
func (a *app) project(c *config.Config, outs []output, filter *suppress.Filter, strict bool, shard string, caches *cacheFlags) (*source.FileSet, []*diag.Diagnostic, error) {
	part, which, err := sharded(shard, len(c.Entries))
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	cache := a.parsedFiles()
	own := source.NewFile(relative(c.File()), c.Text())
	if err := cache.Files().Add(own); err != nil {
		return nil, nil, err
	}
	if len(c.Entries) == 0 {
		return nil, nil, fmt.Errorf("%s has no entries; give a FILE", own.Name)
	}
	mem, err := a.openCache(caches, c, cache.Files())
	if err != nil {
		return nil, nil, err
	}
	list := make([]*checked, len(part))
	show := newProgress(a.err, len(part))
	work := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(part)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range work {
				show.begin(c.Entries[part[i]].Name)
				list[i] = a.checkEntry(c, part[i], cache, own, mem)
				show.end()
			}
		}()
	}
	for i := range part {
		work <- i
	}
	close(work)
	wg.Wait()
	show.clear()
	var faults error
	for _, x := range list {
		if x.bug != nil {
			panic(x.bug)
		}
		faults = errors.Join(faults, x.forgot)
	}
	a.closeCache(mem, faults)
	kept := merge(list, cache.Files(), filter)
	if which != nil && which.Parts > 1 { // another part may need the comment
		kept = slices.DeleteFunc(kept, func(d *diag.Diagnostic) bool { return d.Code == diag.UnusedIgnore })
	}
	a.code = exitClean
	for _, x := range list {
		code := exitUsage
		if x.err == nil {
			code = exitCode(x.res, strict)
		} else {
			a.say("shapecheck: entry %s: %v", x.name, x.err)
		}
		a.code = max(a.code, code) // from clean to internal error the codes ascend
	}
	for _, d := range kept { // of comments
		if d.Severity >= diag.Warning {
			a.code = max(a.code, exitFindings)
		}
	}
	err = a.write(outs, &findings{
		files: cache.Files(), list: kept,
		text: func(w io.Writer) error { return printProject(w, cache.Files(), list, kept, time.Since(start)) },
		json: func(w io.Writer) error { return projectJSON(w, cache.Files(), list, kept, which) },
	})
	return cache.Files(), kept, err
}

func (a *app) checkEntry(c *config.Config, i int, cache *infer.Cache, own *source.File, mem *memory) (x *checked) {
	e := &c.Entries[i]
	x = &checked{name: e.Name}
	defer func() { // of another goroutine than the one that reports a panic
		if r := recover(); r != nil {
			x.bug = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	cfg := entryConfig(c, i)
	cfg.Cache = cache
	start := time.Now()
	x.forgot = x.run(cfg, mem, a.reads)
	x.time = time.Since(start)
	if x.err != nil {
		return x
	}
	x.err = x.expect(c, i, own)
	return x
}

// entryConfig is what the configuration says of an entry.
func entryConfig(c *config.Config, i int) infer.Config {
	e, dir := &c.Entries[i], filepath.Dir(c.File())
	cfg := infer.Config{
		Module: e.Module, Entry: e.Entry, Args: e.Args, Set: e.Set, Assume: e.Assume, Call: e.Call, Eval: e.Eval,
		TorchVersion: c.TorchVersion, Roots: roots(c),
	}
	if e.File != "" {
		cfg.File = relative(filepath.Join(dir, e.File))
	} else if len(cfg.Roots) == 0 {
		cfg.Roots = []string{relative(dir)}
	}
	return cfg
}

// roots are the paths of the configuration.
func roots(c *config.Config) []string {
	var out []string
	for _, p := range c.Paths {
		if !filepath.IsAbs(p) {
			p = filepath.Join(filepath.Dir(c.File()), p)
		}
		out = append(out, relative(p))
	}
	return out
}

// relative names a file from the current directory, as output shows it.
func relative(file string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, file); err == nil {
			return rel
		}
	}
	return file
}

// An entryLine is what is printed of an entry.
type entryLine struct {
	name, what string
	failed     bool
	took       string // may be empty
}

// printProject prints a line for each entry, the findings, and the sum.
func printProject(w io.Writer, fs *source.FileSet, list []*checked, kept []*diag.Diagnostic, d time.Duration) error {
	var lines []entryLine
	for _, x := range list {
		l := entryLine{name: x.name, took: elapsed(x.time)}
		switch {
		case x.err != nil:
			l.failed, l.what = true, x.err.Error()
		case exitCode(x.res, false) != exitClean:
			l.failed, l.what = true, report.Tally(x.res)
		case x.output != "":
			l.what = "→ " + x.output
		}
		if x.cached {
			l.took = "cached"
		}
		lines = append(lines, l)
	}
	return printEntries(w, fs, lines, kept, text.Style{Color: colored(w), Width: width()}, d)
}

func printEntries(w io.Writer, fs *source.FileSet, lines []entryLine, list []*diag.Diagnostic, style text.Style, d time.Duration) error {
	failed := 0
	for _, l := range lines {
		state := style.Paint("32", "ok  ")
		if l.failed {
			state = style.Paint("1;31", "FAIL")
			failed++
		}
		line := state + " " + safetext.Line(l.name) + " " + safetext.Indented(l.what, "    ")
		if l.took != "" {
			line += " (" + l.took + ")"
		}
		fmt.Fprintln(w, line)
	}
	for _, d := range list {
		fmt.Fprintln(w)
		text.Print(w, fs, d, style)
	}
	_, err := fmt.Fprintf(w, "\n%d entries, %d failed, %d findings, %s\n", len(lines), failed, len(list), elapsed(d))
	return err
}

// projectJSON writes the documents of the entries. kept are all findings; those
// of no entry stand at the end.
func projectJSON(w io.Writer, fs *source.FileSet, list []*checked, kept []*diag.Diagnostic, shard *report.Shard) error {
	doc := &report.Project[any]{Version: report.Version, Shard: shard, Entries: []report.ProjectEntry[any]{}, Diagnostics: []report.Diagnostic{}}
	entries := map[*diag.Diagnostic]bool{}
	for _, x := range list {
		e := report.ProjectEntry[any]{Name: x.name}
		if x.err != nil {
			e.Error = x.err.Error()
		} else {
			e.Result = x.document()
			for _, d := range x.res.Diagnostics {
				entries[d] = true
			}
		}
		doc.Entries = append(doc.Entries, e)
	}
	for _, d := range kept {
		if !entries[d] {
			doc.Diagnostics = append(doc.Diagnostics, report.OfDiagnostic(fs, d))
		}
	}
	return printJSON(w, doc)
}
