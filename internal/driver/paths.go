package driver

// This file checks the files that paths name, each by what is discovered in it.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/discover"
	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
)

// Files are the Python files that words name: files, folders, patterns.
func (s *Session) Files(words []string) ([]string, error) {
	w := &discover.Walk{FS: reads.Or(s.FS)}
	if s.Config != nil {
		w.Exclude, w.Root = s.Config.Exclude, filepath.Dir(s.Config.File())
	}
	return w.Files(words)
}

// CheckFiles checks what is configured for files and what is discovered in those that the
// configuration does not name. The order is that of files.
func (s *Session) CheckFiles(ctx context.Context, files []string, w Watcher) (*Project, error) {
	s = s.apart(len(files))
	filter, err := s.filter()
	if err != nil {
		return nil, err
	}
	configured, err := s.configured()
	if err != nil {
		return nil, err
	}
	p := &Project{Files: s.parsed().Files(), Discovered: make([]*Discovery, len(files))}
	faults := make([]error, len(files))
	work := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range work {
				w.Begin(files[i])
				p.Discovered[i] = s.checkFile(ctx, files[i], configured)
				if !p.Discovered[i].crowded {
					faults[i] = p.Discovered[i].settle(s.Keep)
				}
				w.End()
			}
		}()
	}
	for i := range files {
		work <- i
	}
	close(work)
	wg.Wait()
	for i, d := range p.Discovered {
		if d != nil && d.crowded { // alone it may get further
			p.Discovered[i] = nil
			p.Discovered[i] = s.checkFile(ctx, files[i], configured)
			faults[i] = p.Discovered[i].settle(s.Keep)
		}
	}
	if err := errors.Join(append(faults, ctx.Err())...); err != nil {
		return nil, err
	}
	about := &infer.Result{} // the comments of files without an entry, too
	for _, d := range p.Discovered {
		p.Entries = append(p.Entries, d.Entries...)
		about.Diagnostics = append(about.Diagnostics, d.Diagnostics...)
		for _, f := range d.Failed {
			if f.Result != nil {
				f.Result.Diagnostics = filter.Apply(p.Files, f.Result.Diagnostics, nil)
			}
		}
	}
	all := append(p.Entries[:len(p.Entries):len(p.Entries)], Outcome{Result: &Result{Result: about}})
	p.Diagnostics = merge(all, p.Files, filter)
	return p, nil
}

// configured are the entries of the configuration by the absolute path of their file.
func (s *Session) configured() (map[string][]*Target, error) {
	out := map[string][]*Target{}
	if s.Config == nil || len(s.Config.Entries) == 0 {
		return out, nil
	}
	targets, err := s.Targets()
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		if t.Run.File != "" {
			t.How = ByConfig
			out[s.abs(t.Run.File)] = append(out[s.abs(t.Run.File)], t)
		}
	}
	return out, nil
}

func (s *Session) abs(file string) string {
	if abs, err := reads.Or(s.FS).Abs(file); err == nil {
		return abs
	}
	return file
}

// checkFile checks one file. A panic is a finding.
func (s *Session) checkFile(ctx context.Context, file string, configured map[string][]*Target) (d *Discovery) {
	defer func() {
		if r := recover(); r != nil {
			t := &Target{Name: file, Run: s.fileConfig(file)}
			d = &Discovery{File: file, Entries: []Outcome{{Name: file, Result: broken(t, s.parsed().Files(), fmt.Sprintf("%v\n%s", r, debug.Stack()))}}}
		}
	}()
	d = &Discovery{File: file}
	if list := configured[s.abs(file)]; len(list) > 0 {
		for _, t := range list {
			d.check(ctx, s, t)
		}
		return d
	}
	if c := s.Config; c != nil && c.Discover != nil && !*c.Discover {
		d.WhyNot = "the configuration has no entry for it"
		return d
	}
	found, err := s.Discover(ctx, file)
	if err != nil {
		d.Entries = []Outcome{{Name: file, Err: localfile.Reason(err)}}
		return d
	}
	return found
}

// An EntryCount says how many entries ended in which way.
type EntryCount struct{ Clean, Unchecked, Failed int }

// Count counts the entries without a finding that counts, those of which nothing was checked and
// those that could not be run. The others have findings.
func (p *Project) Count() EntryCount {
	var n EntryCount
	for _, x := range p.Entries {
		switch {
		case x.Err != nil:
			n.Failed++
		case slices.ContainsFunc(x.Result.Diagnostics, counts):
		case x.Result.Checked:
			n.Clean++
		default:
			n.Unchecked++
		}
	}
	return n
}

// Counting are the findings that cause an exit code.
func (p *Project) Counting() int {
	n := 0
	for _, d := range p.Diagnostics {
		if counts(d) {
			n++
		}
	}
	return n
}

func counts(d *diag.Diagnostic) bool { return FindingCode(d.Code, d.Severity) != ExitClean }
