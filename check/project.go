package check

// This file checks several entries at the same time, as one run.

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/project/config"
	"shapecheck/project/pyenv"
)

// An Outcome is an entry and what came of it.
type Outcome struct {
	Name   string
	Result *Result // nil when Err is set
	Err    error   // the entry, which somebody asked for, could not be run
}

// A Project is the outcome of several entries.
type Project struct {
	Files *source.FileSet
	// Entries are in the order of the targets.
	Entries []Outcome
	// Shown are the findings of each part, as it was passed to Session.Ended.
	Shown [][]*diag.Diagnostic
	// Late are those of Diagnostics that no part has: of which a later one could have been surer, and those about comments.
	Late []*diag.Diagnostic
	// Skipped says what a Cut left out; nil: all was looked at.
	Skipped *Skipped
	// Discovered are the files that were looked at, of CheckFiles alone.
	Discovered []*Discovery
	// Diagnostics are the findings of all, each once, and those about comments,
	// which belong to no entry.
	Diagnostics []*diag.Diagnostic
	// Accepted are the files that were met with what is accepted in them for a time.
	Accepted []AcceptedIn
	// Strict says that entries fail that were not checked with what is evidence.
	Strict bool
	// Known are the fingerprints of the findings that the baseline hides.
	Known []string
	// KnownBelow counts those that the baselines of configurations below that of the run hide.
	KnownBelow int
}

// A Watcher is told of the entries of a CheckAll as they begin and end, from several
// goroutines.
type Watcher interface {
	Begin(name string)
	End()
}

// Unwatched is a Watcher who tells nobody.
type Unwatched struct{}

func (Unwatched) Begin(string) {}
func (Unwatched) End()         {}

// Targets are the configured entries. It returns an error where the configuration has no entries, or where the set of
// files has no room for its text.
func (s *Session) Targets() ([]*Target, error) {
	c := s.Config
	own := source.NewFile(s.relative(c.File()), c.Text())
	own.Shown = filepath.Base(c.File())
	if err := s.Parsed().Files().Add(own); err != nil {
		return nil, err
	}
	if len(c.Entries) == 0 {
		return nil, fmt.Errorf("%s has no entries; give a FILE", own.Name)
	}
	out := make([]*Target, len(c.Entries))
	for i := range c.Entries {
		line := c.EntryLine(i)
		at := own.LineStart(line)
		span := source.Span{Start: at, End: at + source.Pos(len(own.Line(line)))}
		out[i] = &Target{Name: c.Entries[i].Name, Run: s.entryConfig(&c.Entries[i]), expect: &expectation{&c.Entries[i], span}}
	}
	return out, nil
}

// Parsed is the cache of parsed files.
func (s *Session) Parsed() *infer.Cache {
	if s.Cache == nil {
		s.Cache = infer.NewCache()
	}
	return s.Cache
}

// readingOnce is the session with one look at each file of the disk, for checks of one state of it.
func (s *Session) readingOnce() *Session {
	if fsys := reads.Or(s.FS); fsys != (reads.Disk{}) {
		return s
	}
	s.Parsed()
	c := *s
	c.FS = reads.NewOnce(reads.Disk{})
	return &c
}

// entryConfig is what the configuration says of an entry.
func (s *Session) entryConfig(e *config.Entry) infer.Config {
	dir := filepath.Dir(s.Config.File())
	cfg := infer.Config{
		Module: e.Module, Entry: e.Entry, Args: e.Args, Set: e.Set, Assume: e.Assume, Call: e.Call, Eval: e.Eval,
		TorchVersion: s.Config.TorchVersion, NumpyVersion: s.Config.NumpyVersion, PythonVersion: s.Config.PythonVersion,
		Device: s.Config.Device, Roots: s.Roots(), Stubs: s.Stubs(),
		Environment: s.Installed(),
	}
	if e.File != "" {
		cfg.File = s.relative(filepath.Join(dir, e.File))
	} else if len(cfg.Roots) == 0 {
		cfg.Roots = []string{s.relative(dir)}
	}
	return cfg
}

// Installed is where the packages of configured entries are: the session's Environment
// with what the configuration says.
func (s *Session) Installed() pyenv.Search {
	out, p := s.Environment, s.Config.Python
	out.Folder = s.relative(filepath.Dir(s.Config.File()))
	if p != "" && p != pyenv.None {
		if !filepath.IsAbs(p) {
			p = filepath.Join(filepath.Dir(s.Config.File()), p)
		}
		p = s.relative(p)
	}
	out.Configured = p
	return out
}

// Roots are the paths of the configuration, or those of the command line without one.
func (s *Session) Roots() []string {
	if s.Config == nil {
		return s.Everywhere.Roots
	}
	return s.located(s.Config.Paths)
}

// Stubs are the folders of stubs of the configuration, or those of the command line without one.
func (s *Session) Stubs() []string {
	if s.Config == nil {
		return s.Everywhere.Stubs
	}
	return s.located(s.Config.Stubs)
}

// located names paths of the configuration from the working directory.
func (s *Session) located(paths []string) []string {
	var out []string
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			p = filepath.Join(filepath.Dir(s.Config.File()), p)
		}
		out = append(out, s.relative(p))
	}
	return out
}

// relative names a file from the working directory, where it can be opened.
func (s *Session) relative(file string) string {
	if wd, err := reads.Or(s.FS).Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, file); err == nil {
			return rel
		}
	}
	return file
}

// CheckAll checks targets, as many at the same time as there are processors and memory for, and
// filters their findings together. An error is that of ctx or of the filter; what
// an entry alone fails with is in its Outcome. Where ctx is ended by a Cut that is the error, and
// the project has the entries that ended before.
func (s *Session) CheckAll(ctx context.Context, targets []*Target, w Watcher) (*Project, error) {
	s = s.forParallel(len(targets))
	filter, err := s.filter()
	if err != nil {
		return nil, err
	}
	p := &Project{Files: s.Parsed().Files(), Strict: s.Strict}
	m := newMerger(p.Files, filter)
	defer s.Time.Wait().End()
	done, err := inOrder(ctx, len(targets), s.workers(), s.fits, func(i int) (settledEntry, bool) {
		w.Begin(targets[i].Name)
		defer w.End()
		track := s.Time.Fork()
		defer track.Join()
		var x settledEntry
		x.Outcome = s.on(track).CheckEntry(ctx, targets[i])
		if x.Result != nil && x.Result.Crowded {
			return x, true
		}
		x.fault = track.Do(timing.Findings, func() error { return x.Result.Trim(s.Keep) })
		return x, false
	}, func(_ int, x settledEntry) error {
		p.Entries = append(p.Entries, x.Outcome)
		return p.release(s, m, Part{Entries: []Outcome{x.Outcome}}, x.fault)
	})
	if err != nil {
		return nil, err
	}
	return p.end(ctx, []*merger{m}, done, func(i int) string { return targets[i].Name }, false)
}

// A settledEntry is what came of an entry, or of what stays of it.
type settledEntry struct {
	Outcome
	fault error
}

// A Part is a file with its entries, or an entry of the configuration, that ended.
type Part struct {
	// Discovery is the file; nil: it is an entry.
	Discovery *Discovery
	Entries   []Outcome
	// Shown are its findings that no part before had, but for those in Late.
	Shown []*diag.Diagnostic
}

// release filters what came of a part and passes it on.
func (p *Project) release(s *Session, m *merger, part Part, fault error) error {
	if fault != nil {
		return fault
	}
	track := s.Time.Fork()
	defer track.Join()
	defer track.Begin(timing.Phase, timing.Findings).End()
	all := part.Entries
	if d := part.Discovery; d != nil { // the comments of files without an entry, too
		all = append(all[:len(all):len(all)], Outcome{Result: &Result{Result: &infer.Result{Diagnostics: d.Diagnostics}}})
	}
	part.Shown = m.takePart(all)
	for _, x := range part.Entries {
		p.accept(x, m.pass.Filter())
	}
	if s.Keep != KeepValues {
		for _, x := range part.Entries {
			if x.Err == nil && x.Result.settled {
				x.Result.forgetLines() // the filter has what it needs
			}
		}
	}
	p.Shown = append(p.Shown, part.Shown)
	if s.Ended != nil {
		return track.Do(timing.Print, func() error { return s.Ended(&part) })
	}
	return nil
}

// end completes a project of which these parts were released.
func (p *Project) end(ctx context.Context, all []*merger, done []bool, name func(i int) string, files bool) (*Project, error) {
	var left []string
	for i, ok := range done {
		if !ok {
			left = append(left, name(i))
		}
	}
	for i, m := range all {
		p.Late = append(p.Late, m.end(len(left) == 0)...)
		if i == 0 {
			p.Known = m.pass.Known()
		} else {
			p.KnownBelow += len(m.pass.Known())
		}
	}
	p.Diagnostics = append(slices.Concat(p.Shown...), p.Late...)
	cut := cutBy(ctx)
	if cut == nil || len(left) == 0 {
		return p, nil
	}
	p.Skipped = &Skipped{Cut: cut, Names: left, Total: len(done), Files: files}
	return p, cut
}

// broken is the result of an entry of which a check panicked.
func broken(t *Target, files *source.FileSet, bug string) *Result {
	msg, stack, _ := strings.Cut(bug, "\n")
	return notRun(t, files, "", diag.New(diag.InternalError, source.Span{}, "internal error: "+msg, stack))
}

// CheckEntry checks one of several entries, without the filter, which is for all of them together. A panic is a finding of the
// result.
func (s *Session) CheckEntry(ctx context.Context, t *Target) Outcome {
	out, bug := s.checkEntry(ctx, t)
	if bug != "" {
		out.Result = broken(t, s.Parsed().Files(), bug)
	}
	return out
}

// checkEntry is CheckEntry, where bug is what a panic said.
func (s *Session) checkEntry(ctx context.Context, t *Target) (out Outcome, bug string) {
	defer func() {
		if r := recover(); r != nil {
			bug = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	out.Name = t.Name
	start := time.Now()
	key, err := s.Kept.key(t, s.base(), s.Strict, s.MinTyped, s.Explore)
	if err != nil {
		out.Err = err
		return out, ""
	}
	defer s.timeEntry(t).End()
	r := s.recall(key, t)
	if r == nil {
		res, looks, err := s.analyse(ctx, t)
		if err != nil {
			out.Err = err
			return out, ""
		}
		s.hold(res)
		r = NewResult(t, res)
		s.keep(key, r, looks)
	}
	r.Time = time.Since(start)
	if t.expect != nil {
		if out.Err = t.expect.compare(r); out.Err != nil {
			return out, ""
		}
	}
	out.Result = r
	return out, ""
}
