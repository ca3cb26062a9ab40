// Package check is the one way from source to result: parse, run, contract,
// suppress, finish. Whoever checks a program, the command line, an
// editor, a page in a browser, tests, has a Session and calls Check (check.go) or
// CheckAll (project.go) or Fix (fix.go); package export makes models of what it checks.
//
// A run asks for files by the session's reads.FS alone, and ends soon after its
// context does.
//
//	session.go   Session                              flags.go     what to run, from words
//	check.go     one entry                            project.go   several entries; merge.go: what they found
//	numbers.go   runs again with other numbers        fix.go       runs again with fixes applied; verifyfix.go: of the whole program
//	opensizes.go runs again with symbols for numbers of sizes
//	solve.go     numbers with which an entry works
//	kept.go      results kept between processes; keptrun.go: what is kept of one; keptfound.go: of what is discovered in a file
//	expect.go    results beside the configuration's
//	strict.go    what is unknown, as findings         explore.go   runs under other settings
//	settle.go    what stays of results                weights.go   files of weights
//	verdict.go   the states in which entries end
//	nearest.go   the configuration that is nearest to a file
//	paths.go     files that paths name                discovery.go what was found in one
//	accept.go    states that are accepted for a time
//	inorder.go   several at a time, released in their order
//	nearest.go   the configuration of each file below a folder of several projects
//	command.go   the command that exports what was checked
//
// What in a file is to be checked where nobody said so, and with which arguments, is found
// by package trial (discover/trial), which uses this one.
package check

// This file holds the session.

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"time"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/timing"
	"shapecheck/project/comments"
	"shapecheck/project/config"
	"shapecheck/project/pyenv"
	"shapecheck/project/suppress"
	"shapecheck/symshape"
)

// A Session is what checks have in common. The zero Session checks files of the
// disk, without configuration. It is safe for concurrent use.
type Session struct {
	// FS is where files come from; nil: the disk. A *reads.Log keeps what was looked at.
	FS reads.FS
	// Cache keeps parsed files between checks; nil: each check has its own.
	Cache *infer.Cache
	// Config is the configuration of the project; nil: there is none.
	Config *config.Config
	// Base is the folder from which findings name files; empty: that of Config, or without one the working directory.
	Base string
	// Nearest makes the session of files that lie below a configuration of their own; nil: Config is that of all files. It is
	// called once for each configuration.
	Nearest func(*config.Config) (*Session, error)
	// Environment says where the packages of configured entries are installed; the
	// configuration's part is added.
	Environment pyenv.Search
	// Filter says which findings are shown; nil: what Config says.
	Filter *suppress.Filter
	// Everywhere is what the command line says of the run of every file, where Config does not have it: roots, stubs and versions.
	Everywhere infer.Config
	// Strict makes findings of what is unknown, and warnings of infos.
	Strict bool
	// Eval says that models which nobody named are evaluated, not trained.
	Eval bool
	// MinTyped is the percentage of values that must be typed; less is a finding.
	MinTyped int
	// Explore also runs entries with conditions on the configuration decided the other way.
	Explore bool
	// Jobs is how many entries or files are checked at the same time; 0: as many as there are processors.
	Jobs int
	// Limits bound each entry; the zero Limits are those of infer.Config.
	Limits Limits
	// Modules are what files import, for who checks them again and again; nil: they are imported each time.
	Modules *infer.Modules
	// Stage is told where a run is, for who waits for one; nil: nobody does.
	Stage *infer.Stage
	// Time measures what the goroutine of the session does; nil: nothing does. Parts that are checked at the same time have tracks of
	// their own.
	Time *timing.Track
	// Keep is what stays of the results of CheckAll and CheckFiles.
	Keep Keep
	// Ended is told of the parts of CheckAll and CheckFiles, in their order, as soon as they and those before them ended; an error
	// ends the check. Nil: nobody is.
	Ended func(*Part) error
	// More adds findings of a further report to a result, before the filter; nil: there is none. It is not part of what Kept keeps.
	More func(*infer.Result)
	// Verify says that Check runs the entry again with the fixes that it suggests; see VerifyFixes.
	Verify bool
	// Interface says that results have what users of their entries can see: Result.Interface.
	Interface bool
	// texts are those over files of the disk, by absolute path, of which FS has the rest.
	texts map[string]string
	// Kept are results of earlier processes; nil: none are used and none are kept.
	Kept *Kept
}

// Limits bound the run of an entry; see infer.Config. Zero is no limit, and of steps the default.
type Limits struct {
	Timeout   time.Duration
	MaxMemory int64
	MaxSteps  int
	// ProcessMemory bounds what the process takes for several entries; 0: it is not bounded.
	ProcessMemory int64
}

// forParallel is the session for n checks at the same time, which share the memory of the process.
func (s *Session) forParallel(n int) *Session {
	s.Parsed()
	c := *s.readingOnce()
	if n < 2 {
		c.Limits.ProcessMemory = 0
	}
	return &c
}

// Exit codes, from the best outcome to the worst.
const (
	ExitClean    = 0
	ExitFindings = 1
	ExitUsage    = 2 // a fault in what was asked for
	ExitInternal = 101
)

// ExitCode is the outcome of a check. A check that came upon nothing to check is none.
func ExitCode(r *infer.Result) int {
	code := findings(r)
	if code == ExitClean && !r.Checked {
		code = ExitUsage
	}
	return code
}

// findings is the outcome of what was found.
func findings(r *infer.Result) int {
	code := ExitClean
	for _, d := range r.Diagnostics {
		code = max(code, FindingCode(d.Code, d.Severity))
	}
	return code
}

// FindingCode is the exit code that a finding alone causes.
func FindingCode(code diag.Code, severity diag.Severity) int {
	switch {
	case code == diag.InternalError:
		return ExitInternal
	case severity >= diag.Warning:
		return ExitFindings
	}
	return ExitClean
}

// ProjectFilter is what a configuration says of findings, with its baseline; nil is
// no configuration. It returns an error where the configuration names a code or a severity that does not exist, or
// where its baseline cannot be read.
func ProjectFilter(fsys reads.FS, c *config.Config) (*suppress.Filter, error) {
	today := time.Now().Format(comments.DateForm)
	if c == nil {
		return &suppress.Filter{Today: today}, nil
	}
	f, err := c.Filter()
	f.Today = today
	if err != nil || c.Baseline == "" {
		return &f, err
	}
	f.Baseline, err = suppress.ReadBaseline(reads.Or(fsys), BaselineFile(c))
	return &f, err
}

// BaselineFile is the baseline that a configuration names, as it is opened.
func BaselineFile(c *config.Config) string { return filepath.Join(filepath.Dir(c.File()), c.Baseline) }

// base is the folder from which findings name files; empty: the working directory.
func (s *Session) base() string {
	if s.Base != "" || s.Config == nil {
		return s.Base
	}
	return s.relative(filepath.Dir(s.Config.File()))
}

// on is the session as it measures on another track.
func (s *Session) on(t *timing.Track) *Session {
	if s.Time == t {
		return s
	}
	c := *s
	c.Time = t
	return &c
}

// timeEntry measures the check of an entry until the span ends.
func (s *Session) timeEntry(t *Target) timing.Span {
	if s.Time == nil {
		return timing.Span{}
	}
	r, name := &t.Run, cmp.Or(t.Name, t.Run.Entry)
	if name == "" && r.Script != nil {
		name = "(script)"
	}
	if r.Module != "" {
		return s.Time.BeginIn(timing.Entry, cmp.Or(name, r.Module), "")
	}
	return s.Time.BeginIn(timing.Entry, cmp.Or(name, "(entry)"), s.Shown(r.File))
}

func (s *Session) filter() (*suppress.Filter, error) {
	if s.Filter != nil {
		return s.Filter, nil
	}
	return ProjectFilter(s.FS, s.Config)
}

// over is the session with texts over its files, by absolute path.
func (s *Session) over(texts map[string]string) *Session {
	out := *s
	out.FS, out.texts = reads.NewOverlay(s.FS, texts), texts
	return &out
}

// Cancellable calls f, whose work with the pool of a result ends when ctx does. It returns the error of f, or that of
// ctx where the work was ended before f returned.
func Cancellable(ctx context.Context, pool *symshape.Pool, f func() error) (err error) {
	defer func() {
		pool.Cancel = nil // who prints the result later is not cancelled
		switch r := recover(); r {
		case nil:
		case symshape.Cancelled:
			err = ctx.Err()
		default:
			panic(r)
		}
	}()
	pool.Cancel = ctx.Done()
	return f()
}

// Bind gives a run what the session has for all: where its files are, what is kept between runs, its limits, and its end with ctx.
func (s *Session) Bind(ctx context.Context, cfg *infer.Config) {
	cfg.Base, cfg.FS, cfg.Cache, cfg.Modules, cfg.Cancel, cfg.Stage = s.base(), s.FS, s.Cache, s.Modules, ctx.Done(), s.Stage
	cfg.Time, cfg.NoteRan = s.Time, s.Interface
	cfg.Timeout, cfg.MaxMemory, cfg.ProcessMemory, cfg.MaxSteps = s.Limits.Timeout, s.Limits.MaxMemory, s.Limits.ProcessMemory,
		s.Limits.MaxSteps
}

// ContextError is err, or why ctx ended when that is the reason for it.
func ContextError(ctx context.Context, err error) error {
	if errors.Is(err, infer.ErrCancelled) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
