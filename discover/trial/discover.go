// Package trial finds what in a file is to be checked where nobody said so, and with which
// arguments, and checks it in a check.Session. What rests on guesses says so, and is a fault of
// the program only where no guess changes it.
//
// Discover asks in this order: comments of the file, annotated functions, models. A model is run with
// arguments that its constructor and its inputs suggest (package discover/text reads them from names and text).
// A run that fails tells what other arguments it asks for; the best of the runs is kept.
//
//	discover.go  the order of the sources             trial.go     the runs of an entry, and the best of them
//	fill.go      the arguments of one run             winners.go   what entries ran with before
//	remedy.go    the table of remedies, in order      guard.go     what the condition around a raise asks for; flags.go: flags of arguments
//	objects.go   parts of objects that they ask for   elements.go  elements of lists that they ask for
//	tables.go    what tables, lists, spaces and settings of the program want
//	climb.go     other forms of one input at a time   derived.go   classes that complete one
//	methods.go   what is called instead of a forward
//	faults.go    which faults are findings             refuted.go   that an entry runs with no input
//	open.go      faults that remain when nothing is guessed; basis.go: how much of it is evidence; because.go: what
//	             arguments were chosen by; letters.go: what the axes of inputs are called
//	warnings.go  which warnings about code that runs count
//	solved.go    numbers of the constructor that a contract tells
//	targets.go   runs with the targets of a loss that a call leaves out
//	guess.go     what a command runs of which not all is written
package trial

// This file finds what in a file is to be checked, and with which arguments. The first source
// that gives something wins: comments, entries of the configuration (see CheckFiles),
// annotations, and trial (trial.go). A program is run, too.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"shapecheck/check"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/timing"
	"shapecheck/parser"
	"shapecheck/project/config"
	"shapecheck/project/notebook"
)

// CheckFiles checks what is configured for files, and what Discover finds in those that the configuration does not name;
// see check.Session.CheckFiles. known may be nil. It returns an error where the configuration's filter or entries are
// invalid, where a result cannot be put into the form that s keeps, or where ctx ends.
func CheckFiles(ctx context.Context, s *check.Session, files []string, w check.Watcher, known *Winners) (*check.Project, error) {
	defer s.Parsed().DropIdle()
	return s.CheckFiles(ctx, files, w, discoverer(&indexes{byConfig: map[*config.Config]*srctext.Index{}}, known))
}

// indexes are those of the projects of a run, each made for its first file. They are safe for concurrent use.
type indexes struct {
	mu       sync.Mutex
	byConfig map[*config.Config]*srctext.Index // nil: of what no configuration rules
}

func (x *indexes) of(s *check.Session) *srctext.Index {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.byConfig[s.Config] == nil {
		x.byConfig[s.Config] = newIndex(s)
	}
	return x.byConfig[s.Config]
}

// Discoverer is Discover for runs of files of a session whose texts change: each has an index of its own. known may be nil.
func Discoverer(known *Winners) check.Discoverer { return discoverer(nil, known) }

func discoverer(all *indexes, known *Winners) check.Discoverer {
	return func(ctx context.Context, s *check.Session, file string) (*check.Discovery, error) {
		var index *srctext.Index
		if all != nil {
			index = all.of(s)
		}
		return discoverOrRecall(ctx, s, file, index, known)
	}
}

// discoverOrRecall is Discover, or what it gave in an earlier process where nothing that it looked at has changed.
func discoverOrRecall(ctx context.Context, s *check.Session, file string, index *srctext.Index, known *Winners) (*check.Discovery, error) {
	if s.Kept == nil {
		return Discover(ctx, s, file, index, known)
	}
	src, err := s.Source(file)
	if err != nil { // which is told in words there
		return Discover(ctx, s, file, index, known)
	}
	d := s.RecallFound(file, func(v *srctext.Survey, unchanged bool) bool {
		around := index.Of(s.Gate(file), src, nil)
		return unchanged && (v.Around == "" || around.AroundSum() == v.Around) || around.Confirms(v)
	})
	if d != nil {
		return d, nil
	}
	logged, log := s.Logged()
	if d, err = Discover(ctx, logged, file, index, known); err == nil {
		s.KeepFound(file, d, log)
	}
	return d, err
}

// unlogged is a session whose looks at files are not noted: those at the files around one are noted with what they answer.
func unlogged(s *check.Session) *check.Session {
	log, ok := s.FS.(*reads.Log)
	if !ok {
		return s
	}
	c := *s
	c.FS = log.FS
	return &c
}

// newIndex is an index of the project of a session: absolute imports are found where the configuration says, and in the working
// directory and the folder src there, as installers find packages.
func newIndex(s *check.Session) *srctext.Index {
	roots := s.Roots()
	if wd, err := reads.Or(s.FS).Getwd(); err == nil {
		roots = append(roots[:len(roots):len(roots)], filepath.Join(wd, "src"), wd)
	}
	return srctext.NewIndex(roots...)
}

// Discover finds what of a file is to be checked and checks it. An error is that of ctx, of
// the session's filter or of a file that cannot be read; what is wrong with the program is in
// the results. Filter and merge are left to the caller. index resolves the file's imports; nil: it is made for this file alone.
func Discover(ctx context.Context, s *check.Session, file string, index *srctext.Index, known *Winners) (*check.Discovery, error) {
	defer s.Time.Begin(timing.Phase, timing.Discovery).End()
	src, err := s.Source(file)
	if no := (*parser.DecodeError)(nil); errors.Is(err, notebook.ErrLanguage) || errors.As(err, &no) {
		return &check.Discovery{File: file, WhyNot: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	span := s.Time.Begin(timing.Phase, timing.Parsing)
	parsed, err := s.Parsed().Parse(src)
	if span.End(); err != nil {
		return nil, err
	}
	if index == nil {
		index = newIndex(s)
	}
	around := index.Of(unlogged(s).Gate(file), parsed.File(), parsed.Tree())
	found := srctext.Read(parsed.File(), parsed.Tree(), len(parsed.Faults()) > 0, around)
	d := &check.Discovery{File: file}
	defer func() { d.Survey = around.Survey() }()
	for _, f := range found.Comments.Faults {
		d.Diagnostics = append(d.Diagnostics, diag.New(diag.BadComment, f.At, f.Why))
	}
	if found.Unreadable { // which no guess has to do with
		d.Check(ctx, s, &check.Target{Name: "(syntax)", How: check.ByAnnotation, Run: s.FileConfig(file)})
		return d, ctx.Err()
	}
	if len(found.Comments.Checks)+len(found.Functions)+len(found.Models) > 0 || found.Main {
		s.Parsed().Offer(parsed)
	}
	for _, c := range found.Comments.Checks {
		t := &check.Target{Name: c.Entry, How: check.ByComment, Run: s.FileConfig(file)}
		t.Run.Entry, t.Run.Args, t.Run.Eval = c.Entry, c.Args, t.Run.Eval || c.Eval
		d.Check(ctx, s, t)
	}
	if len(found.Comments.Checks) == 0 {
		for _, name := range found.Functions {
			t := &check.Target{Name: name, How: check.ByAnnotation, Run: s.FileConfig(file)}
			t.Run.Entry = name
			d.Check(ctx, s, t)
		}
		if err := try(ctx, s, file, found, d, around, known); err != nil {
			return nil, err
		}
	}
	if len(found.Comments.Checks) == 0 && found.Main {
		runScript(ctx, s, d, found.Traces())
	}
	if len(d.Entries) > 0 {
		d.Diagnostics = append(d.Diagnostics, unreached(d, infer.UnboundNames(parsed.File()))...)
	}
	if len(d.Entries) == 0 && d.WhyNot == "" {
		d.WhyNot = "no model, nothing annotated"
		if d.Idle {
			d.WhyNot = "it runs as a program that makes no tensor"
		}
		if len(found.Abstract) > 0 {
			d.WhyNot = found.Abstract[0] + " leaves its forward to other classes"
		}
		if faults := parsed.Faults(); len(faults) > 0 {
			d.WhyNot = fmt.Sprintf("%s: %s", s.Parsed().Files().Position(faults[0].At.Start), faults[0].Msg)
		}
	}
	return d, ctx.Err()
}

// unreached are findings about lines of a file to which no run of its entries came.
func unreached(d *check.Discovery, list []*diag.Diagnostic) []*diag.Diagnostic {
	return slices.DeleteFunc(list, func(x *diag.Diagnostic) bool {
		return slices.ContainsFunc(d.Entries, func(o check.Outcome) bool {
			if o.Err != nil {
				return false
			}
			at := o.Result.Files.Position(x.At.Start)
			return o.Result.Reached[at.File][at.Line]
		})
	})
}

// maxScriptSteps bound the run of a program, some 2 s.
const maxScriptSteps = 200_000

// runScript runs the file as a program without arguments, for a while. What it says counts where
// it came to something; that it did not come to its end is no finding.
func runScript(ctx context.Context, s *check.Session, d *check.Discovery, traces bool) {
	run := func(open bool) check.Outcome {
		t := &check.Target{Name: "(script)", How: check.AsScript, Run: s.FileConfig(d.File)}
		t.Run.Eval, t.Run.Script, t.Run.MaxSteps, t.Run.ArgumentsOpen = false, []string{}, maxScriptSteps, open
		out := s.CheckEntry(ctx, t)
		d.Note(out.Result)
		return out
	}
	out := run(false)
	if check.IsUsage(out.Err) || out.Err == nil && asksForMore(out.Result.Diagnostics) {
		out = run(true)
	}
	if out.Err != nil || !out.Result.Checked {
		return
	}
	if out.Result.Typed == 0 && !check.HasErrors(out.Result.Diagnostics) {
		d.Idle = len(d.Entries) == 0 && !out.Result.Exceeded
		return
	}
	if out.Result.Exceeded {
		out.Result.Diagnostics = guessed(out.Result.Diagnostics, []string{"that it goes on for longer"},
			func(d *diag.Diagnostic) bool { return d.Code != diag.BudgetExceeded })
	}
	out.Result.Target.Traces = traces
	d.Entries = append(d.Entries, out)
	d.WhyNot = ""
}

// asksForMore reports whether an error may be for want of an argument: it is about None, which an argument is that was
// not given, or the program raises it.
func asksForMore(list []*diag.Diagnostic) bool {
	return slices.ContainsFunc(list, func(d *diag.Diagnostic) bool {
		return d.Severity == diag.Error && (d.Code == diag.UncaughtRaise || d.Fact.AboutNone())
	})
}

// guessed makes findings infos that rest on guesses, but for those that sure accepts. They say
// what was assumed.
func guessed(list []*diag.Diagnostic, assumed []string, sure func(*diag.Diagnostic) bool) []*diag.Diagnostic {
	out := slices.Clone(list)
	for i, d := range out {
		if d.Severity <= diag.Info || d.Code == diag.InternalError || sure(d) {
			continue
		}
		x := *d
		x.Severity = diag.Info
		x.Notes = append(slices.Clone(d.Notes), "assuming "+listed(assumed))
		x.Fixes = nil
		out[i] = &x
	}
	return out
}

// maxListed bounds the assumptions that a note names.
const maxListed = 6

func listed(assumed []string) string {
	text := ""
	for i, a := range assumed {
		if i == maxListed {
			return text + fmt.Sprintf(" and %d more", len(assumed)-i)
		}
		if i > 0 {
			text += ", "
		}
		text += a
	}
	return text
}
