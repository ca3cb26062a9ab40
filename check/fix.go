package check

// This file applies fixes to texts in memory, run after run, until nothing changes.

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/fix"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/project/notebook"
)

// Bounds: rounds of applying what the last round's run suggested, and runs.
const (
	maxFixRounds = 20
	maxFixRuns   = 100
)

// A FixedFile is a file that fixes change.
type FixedFile struct {
	// Path is absolute; File is the file as it was first read. Text is that of the disk: of a
	// notebook the JSON.
	Path string
	File *source.File
	Text string
}

// A Fixer applies fixes to the texts of files. A fix is kept where the whole program is better with it. Nothing is written.
type Fixer struct {
	session *Session
	program *Program
	unsafe  bool
	may     func(*source.File) bool

	overlay  map[string]string // by absolute path
	original map[string]*source.File
	order    []string
	made     int
	left     int             // fixes that are not safe
	refused  map[string]bool // fixes that made it worse, by title and line
	runs     int
}

// Fixer makes one that changes files below dirs alone; unsafe says that it also
// applies fixes that may change what correct code means.
func (s *Session) Fixer(p *Program, unsafe bool, dirs []string) *Fixer {
	s.Parsed() // all runs share its files
	return &Fixer{
		session: s, program: p, unsafe: unsafe, may: s.MayChange(dirs),
		overlay: map[string]string{}, original: map[string]*source.File{}, refused: map[string]bool{},
	}
}

// Made is the number of fixes that were applied, Left of those that are not safe, and make the program better.
func (x *Fixer) Made() int { return x.made }

// Left is the number of fixes that are not safe and were not applied.
func (x *Fixer) Left() int { return x.left }

// Files are the files that change, in the order in which they first did.
func (x *Fixer) Files() []FixedFile {
	out := make([]FixedFile, len(x.order))
	for i, path := range x.order {
		out[i] = FixedFile{path, x.original[path], x.overlay[path]}
	}
	return out
}

// Fix runs the program and applies what it suggests, until a run suggests nothing
// more. It returns an error where the program cannot be run at all, or where ctx
// ends. A fix that makes the program worse is no error: it is not kept.
func (x *Fixer) Fix(ctx context.Context) error {
	now, err := x.run(ctx, x.overlay, x.program.all())
	if err != nil {
		return err
	}
	for round := 0; round < maxFixRounds && x.runs < maxFixRuns; round++ {
		all := x.chosen(now.findings(), x.unsafe)
		better := x.attempt(ctx, now, all)
		for i := 0; better == nil && len(all) > 1 && i < len(all) && x.runs < maxFixRuns; i++ { // one of them is to blame
			better = x.attempt(ctx, now, all[i:i+1])
		}
		if better == nil {
			break
		}
		x.keep(better)
		now = better.outcome
	}
	if !x.unsafe {
		all := *x
		all.unsafe = true
		for i, f := range all.chosen(now.findings(), true) {
			if i < MaxVerified && all.attempt(ctx, now, []*diag.Fix{f}) != nil {
				x.left++
			}
		}
	}
	return ctx.Err()
}

// keep goes on with what a trial made.
func (x *Fixer) keep(t *trial) {
	for _, f := range t.files {
		if path := x.absolute(f); x.original[path] == nil {
			x.original[path] = f
			x.order = append(x.order, path)
		}
	}
	x.made += len(t.made)
	x.overlay = t.texts
}

// chosen are the fixes to apply.
func (x *Fixer) chosen(list []*diag.Diagnostic, unsafe bool) []*diag.Fix {
	var out []*diag.Fix
	for _, f := range fix.Chosen(list, unsafe) {
		if !x.refused[x.fixKey(f)] {
			out = append(out, f)
		}
	}
	return out
}

func (x *Fixer) fixKey(f *diag.Fix) string {
	return fmt.Sprintf("%s %s", f.Title, x.session.Parsed().Files().Position(f.Edits[0].At.Start))
}

// A trial is a program with fixes applied.
type trial struct {
	outcome *outcome
	texts   map[string]string // of the changed files on the disk, by absolute path
	files   []*source.File    // that were changed, as they were
	made    map[*diag.Fix]bool
	lines   map[string]*lineMap // of the changed files, by absolute path
	parts   []int               // of the program, which ran again
}

// maxChain is how many rounds of fixes follow a fix that lets a run get further, where other findings are.
const maxChain = 3

// attempt applies fixes and runs again; nil where the program is no better: a finding is still there, another is new, or a result was
// lost. What is found behind a fix is fixed as well. Behind safe fixes it may stay: it was there before, and hidden.
func (x *Fixer) attempt(ctx context.Context, before *outcome, fixes []*diag.Fix) *trial {
	if len(fixes) == 0 {
		return nil
	}
	refuse := func() *trial {
		if len(fixes) == 1 && ctx.Err() == nil {
			x.refused[x.fixKey(fixes[0])] = true
		}
		return nil
	}
	t := &trial{outcome: before, texts: x.overlay, made: map[*diag.Fix]bool{}, lines: map[string]*lineMap{}}
	var first map[*diag.Fix]bool
	for i := 0; ; i++ {
		applied := x.apply(ctx, t, fixes)
		if applied == nil {
			return refuse()
		}
		if i == 0 {
			first = applied.made
		} else if !x.gone(before, applied.outcome, applied.lines, first) { // what was fixed behind it takes it back
			return refuse()
		}
		behind := x.fresh(before, applied)
		switch {
		case len(behind) == 0, allSafe(applied.made) && faults(applied.outcome) <= faults(before):
			return applied
		case i == maxChain:
			return refuse()
		}
		t, fixes = applied, fix.Chosen(behind, x.unsafe)
	}
}

// apply applies fixes to a trial; nil where that is not possible, a finding that they are for is still there, or a result is lost.
func (x *Fixer) apply(ctx context.Context, t *trial, fixes []*diag.Fix) *trial {
	changes := fix.Apply(x.session.Parsed().Files(), fixes, x.may)
	if len(changes) == 0 {
		return nil
	}
	out := &trial{texts: maps.Clone(t.texts), files: slices.Clone(t.files), made: maps.Clone(t.made), lines: maps.Clone(t.lines)}
	changed := map[string]bool{}
	step := map[string]*lineMap{}
	made := map[*diag.Fix]bool{}
	for _, c := range changes {
		text, err := OnDisk(c.File, c.Text)
		if err != nil { // no such change can be made
			return nil
		}
		path := x.absolute(c.File)
		out.texts[path], changed[path] = text, true
		step[path] = newLineMap(c.File.Text(), c.Text)
		out.lines[path] = step[path].after(t.lines[path])
		out.files = append(out.files, c.File)
		for _, f := range c.Fixes {
			made[f], out.made[f] = true, true
		}
	}
	parts := t.outcome.reading(x, changed)
	after, err := x.run(ctx, out.texts, parts)
	if err != nil {
		return nil
	}
	out.outcome, out.parts = t.outcome.with(after, parts), parts
	if lost(t.outcome, out.outcome, parts) || !x.gone(t.outcome, out.outcome, step, made) {
		return nil
	}
	return out
}

// run runs parts of the program with texts over its files.
func (x *Fixer) run(ctx context.Context, texts map[string]string, parts []int) (*outcome, error) {
	x.runs++
	s := x.session.over(texts)
	s.Kept, s.Ended, s.Stage, s.Keep, s.Verify, s.Interface = nil, nil, nil, KeepFindings, false, false
	p, err := x.program.run(ctx, s, parts)
	if err != nil {
		return nil, err
	}
	return outcomeOf(p), nil
}

// OnDisk is the text on the disk of a file that has another text: that of the notebook where the
// file is the code of one. An error says why the change cannot be written.
func OnDisk(f *source.File, text string) (string, error) {
	if f.Notebook == nil {
		return text, nil
	}
	return notebook.Rewrite(f, text)
}

// MayChange says which files may be changed: those that lie below directories, also after links
// are followed, and are in no installed package.
func (s *Session) MayChange(dirs []string) func(*source.File) bool {
	dirs = slices.Clone(dirs)
	for i, d := range dirs {
		dirs[i] = s.same(d)
	}
	return func(f *source.File) bool {
		if f.Prelude || strings.HasPrefix(f.Name, "<") {
			return false
		}
		real := s.same(f.Place())
		for _, part := range strings.Split(filepath.ToSlash(real), "/") {
			if part == "site-packages" || part == "dist-packages" {
				return false
			}
		}
		return slices.ContainsFunc(dirs, func(dir string) bool {
			rel, err := filepath.Rel(dir, real)
			return err == nil && filepath.IsLocal(rel)
		})
	}
}

func (x *Fixer) absolute(f *source.File) string {
	if abs, err := reads.Or(x.session.FS).Abs(f.Place()); err == nil {
		return abs
	}
	return f.Place()
}

// same makes a path comparable with others.
func (s *Session) same(file string) string {
	fsys := reads.Or(s.FS)
	if abs, err := fsys.Abs(file); err == nil {
		file = abs
	}
	if real, err := fsys.EvalSymlinks(file); err == nil {
		file = real
	}
	return file
}
