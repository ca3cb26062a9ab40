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
	"shapecheck/internal/timing"
	"shapecheck/project/config"
)

// Files are the Python files that words name: files, folders, patterns. It returns an error where a word names no file,
// where a pattern matches none, where a folder cannot be read, or where there are too many files.
func (s *Session) Files(words []string) ([]string, error) {
	w := &srctext.Walk{FS: reads.Or(s.FS)}
	if s.Config != nil {
		w.Exclude, w.Root = s.Config.Exclude, filepath.Dir(s.Config.File())
	}
	if s.Nearest != nil {
		w.Excludes = func(dir string) []string {
			file, err := config.In(w.FS, dir)
			if file == "" || err != nil || s.Config != nil && s.abs(file) == s.abs(s.Config.File()) {
				return nil
			}
			if c, err := config.Read(w.FS, file); err == nil && c != nil {
				return c.Exclude
			}
			return nil // that it cannot be read is said of its files
		}
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
	p := &Project{Files: s.Parsed().Files(), Strict: s.Strict}
	all, err := newFolders(s, p.Files)
	if err != nil {
		return nil, err
	}
	defer s.Time.Wait().End()
	done, err := inOrder(ctx, len(files), s.workers(), s.fits, func(i int) (settledFile, bool) {
		w.Begin(files[i])
		defer w.End()
		track := s.Time.Fork()
		defer track.Join()
		x := settledFile{Discovery: &Discovery{File: files[i]}}
		if x.rules, x.fault = all.of(files[i]); x.fault != nil {
			x.Entries = []Outcome{{Name: files[i], Err: x.fault}}
			x.rules, x.fault = all.first, nil
			return x, false
		}
		x.Discovery = x.rules.session.on(track).checkFile(ctx, files[i], x.rules.configured, discover)
		if x.Crowded {
			return x, true
		}
		x.fault = track.Do(timing.Findings, func() error { return x.trim(s.Keep) })
		return x, false
	}, func(_ int, x settledFile) error {
		p.Discovered, p.Entries = append(p.Discovered, x.Discovery), append(p.Entries, x.Entries...)
		return p.release(s, all.mergerOf(x.rules), Part{Discovery: x.Discovery, Entries: x.Entries}, x.fault)
	})
	if err != nil {
		return nil, err
	}
	return p.end(ctx, all.mergers, done, func(i int) string { return files[i] }, true)
}

// A settledFile is what was found in a file, or what stays of it.
type settledFile struct {
	*Discovery
	rules *folder
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
	if s.Time != nil {
		shown := s.Shown(file)
		defer s.Time.BeginIn(timing.File, shown, shown).End()
	}
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
