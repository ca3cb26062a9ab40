package check

// This file checks the files that paths name: what the configuration says of each, or what another package discovers in it.

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"

	srctext "shapecheck/discover/text"
	"shapecheck/internal/diag"
	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
)

// Files are the Python files that words name: files, folders, patterns. It returns an error where a word names no file,
// where a pattern matches none, where a folder cannot be read, or where there are too many files.
func (s *Session) Files(words []string) ([]string, error) {
	w := &srctext.Walk{FS: reads.Or(s.FS)}
	if s.Config != nil {
		w.Exclude, w.Root = s.Config.Exclude, filepath.Dir(s.Config.File())
	}
	return w.Files(words)
}

// A Discoverer finds what of a file is to be checked and checks it, with a session that shares its memory with the
// others of CheckFiles. An error says that the file cannot be read, or why ctx ended.
type Discoverer func(ctx context.Context, s *Session, file string) (*Discovery, error)

// CheckFiles checks what is configured for files and what discover finds in those that the
// configuration does not name. The order is that of files. Where ctx is ended by a Cut that is the error, and the project has
// the files that ended before.
func (s *Session) CheckFiles(ctx context.Context, files []string, w Watcher, discover Discoverer) (*Project, error) {
	s = s.forParallel(len(files))
	filter, err := s.filter()
	if err != nil {
		return nil, err
	}
	configured, err := s.configured()
	if err != nil {
		return nil, err
	}
	p := &Project{Files: s.Parsed().Files(), Strict: s.Strict}
	m := newMerger(p.Files, filter)
	done, err := inOrder(ctx, len(files), s.workers(), s.fits, func(i int) (settledFile, bool) {
		w.Begin(files[i])
		defer w.End()
		x := settledFile{Discovery: s.checkFile(ctx, files[i], configured, discover)}
		if x.Crowded {
			return x, true
		}
		x.fault = x.trim(s.Keep)
		return x, false
	}, func(_ int, x settledFile) error {
		p.Discovered, p.Entries = append(p.Discovered, x.Discovery), append(p.Entries, x.Entries...)
		return p.release(s, m, Part{Discovery: x.Discovery, Entries: x.Entries}, x.fault)
	})
	if err != nil {
		return nil, err
	}
	return p.end(ctx, m, done, func(i int) string { return files[i] }, true)
}

// A settledFile is what was found in a file, or what stays of it.
type settledFile struct {
	*Discovery
	fault error
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
func (s *Session) checkFile(ctx context.Context, file string, configured map[string][]*Target, discover Discoverer) (d *Discovery) {
	defer func() {
		if r := recover(); r != nil {
			t := &Target{Name: file, Run: s.FileConfig(file)}
			d = &Discovery{File: file, Entries: []Outcome{{Name: file, Result: broken(t, s.Parsed().Files(),
				fmt.Sprintf("%v\n%s", r, debug.Stack()))}}}
		}
	}()
	d = &Discovery{File: file}
	if list := configured[s.abs(file)]; len(list) > 0 {
		for _, t := range list {
			d.Check(ctx, s, t)
		}
		return d
	}
	if c := s.Config; c != nil && c.Discover != nil && !*c.Discover {
		d.WhyNot = "the configuration has no entry for it"
		return d
	}
	found, err := discover(ctx, s, file)
	if err != nil {
		d.Entries = []Outcome{{Name: file, Err: localfile.Reason(err)}}
		return d
	}
	return found
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
