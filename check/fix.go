package check

// This file applies fixes to texts in memory, run after run, until nothing changes.

import (
	"context"
	"fmt"
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

// A Fixer applies fixes to the texts of files, entry after entry. Nothing is written.
type Fixer struct {
	session *Session
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
func (s *Session) Fixer(unsafe bool, dirs []string) *Fixer {
	return &Fixer{
		session: s, unsafe: unsafe, may: s.MayChange(dirs),
		overlay: map[string]string{}, original: map[string]*source.File{}, refused: map[string]bool{},
	}
}

// Made is the number of fixes that were applied, Left of those that are not safe.
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

// Fix runs an entry and applies what it suggests, until a run suggests nothing
// more. It returns the last run's result. others are entries for which a fix must
// not make it worse. It returns an error where the entry cannot be run at all, as Session.Check does, or where ctx
// ends. A fix that makes the entry worse is no error: it is not kept.
func (x *Fixer) Fix(ctx context.Context, t *Target, others []*Target) (*Result, error) {
	res, err := x.checkAgain(ctx, t, x.overlay)
	for round := 0; err == nil && round < maxFixRounds && x.runs < maxFixRuns; round++ {
		all := x.chosen(res)
		better := x.attempt(ctx, t, others, res, all)
		for i := 0; better == nil && len(all) > 1 && i < len(all) && x.runs < maxFixRuns; i++ { // one of them is to blame
			better = x.attempt(ctx, t, others, res, all[i:i+1])
		}
		if better == nil {
			break
		}
		res = better
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		x.left += len(fix.Chosen(res.Diagnostics, true))
	}
	return res, err
}

// FixAll fixes targets one after the other, each with what those before it
// changed. failed is told of the entries that could not be run. The only error that it returns is that of ctx, after
// which no further target is run.
func (x *Fixer) FixAll(ctx context.Context, targets []*Target, failed func(t *Target, err error)) error {
	for i, t := range targets {
		others := slices.Delete(slices.Clone(targets), i, i+1)
		if _, err := x.Fix(ctx, t, others); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			failed(t, err)
		}
	}
	return nil
}

// chosen are the fixes to apply to a result.
func (x *Fixer) chosen(res *Result) []*diag.Fix {
	var out []*diag.Fix
	for _, f := range fix.Chosen(res.Diagnostics, x.unsafe) {
		if !x.refused[fixKey(res, f)] {
			out = append(out, f)
		}
	}
	return out
}

func fixKey(res *Result, f *diag.Fix) string {
	p := res.Files.Position(f.Edits[0].At.Start)
	return fmt.Sprintf("%s %s", f.Title, p)
}

// attempt applies fixes and runs again; nil when that is no better.
func (x *Fixer) attempt(ctx context.Context, t *Target, others []*Target, before *Result, fixes []*diag.Fix) *Result {
	changes := fix.Apply(before.Files, fixes, x.may)
	if len(changes) == 0 {
		return nil
	}
	overlay := map[string]string{}
	for k, v := range x.overlay {
		overlay[k] = v
	}
	made := map[*diag.Fix]bool{}
	for _, c := range changes {
		text, err := OnDisk(c.File, c.Text)
		if err != nil { // no such change can be made
			if len(fixes) == 1 {
				x.refused[fixKey(before, fixes[0])] = true
			}
			return nil
		}
		overlay[x.absolute(c.File)] = text
		for _, f := range c.Fixes {
			made[f] = true
		}
	}
	res, err := x.checkAgain(ctx, t, overlay)
	if err != nil || faults(res) > faults(before) || !gone(before, res, made) || x.hurts(ctx, others, overlay) {
		if len(fixes) == 1 {
			x.refused[fixKey(before, fixes[0])] = true
		}
		return nil
	}
	for _, c := range changes {
		if path := x.absolute(c.File); x.original[path] == nil {
			x.original[path] = c.File
			x.order = append(x.order, path)
		}
	}
	x.made += len(made)
	for k, v := range overlay {
		x.overlay[k] = v
	}
	return res
}

// checkAgain checks an entry with texts over its files.
func (x *Fixer) checkAgain(ctx context.Context, t *Target, overlay map[string]string) (*Result, error) {
	x.runs++
	if t.Run.Text != "" { // standard input
		if abs, err := reads.Or(x.session.FS).Abs(t.Run.File); err == nil {
			if text, ok := overlay[abs]; ok {
				changed := *t
				changed.Run.Text = text
				t = &changed
			}
		}
	}
	s := x.session.over(overlay)
	s.Kept = nil
	return s.Check(ctx, t)
}

// hurts reports whether texts give one of the other entries more errors.
func (x *Fixer) hurts(ctx context.Context, others []*Target, overlay map[string]string) bool {
	for _, t := range others {
		before, err := x.checkAgain(ctx, t, x.overlay)
		if err != nil {
			continue
		}
		if after, err := x.checkAgain(ctx, t, overlay); err != nil || faults(after) > faults(before) {
			return true
		}
	}
	return false
}

// OnDisk is the text on the disk of a file that has another text: that of the notebook where the
// file is the code of one. An error says why the change cannot be written.
func OnDisk(f *source.File, text string) (string, error) {
	if f.Notebook == nil {
		return text, nil
	}
	return notebook.Rewrite(f, text)
}

func faults(res *Result) (n int) {
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			n += max(d.Count, 1)
		}
	}
	return n
}

// gone reports whether what the fixes are for is not found any more. Something
// else may be, that could not be seen behind it.
func gone(before, after *Result, made map[*diag.Fix]bool) bool {
	type key struct {
		code      diag.Code
		file, msg string
	}
	count := map[key]int{}
	add := func(res *Result, d *diag.Diagnostic, n int) {
		if p := res.Files.Position(d.At.Start); p.File != nil {
			count[key{d.Code, p.File.Place(), d.Msg}] += n
		}
	}
	for _, d := range before.Diagnostics {
		add(before, d, 1)
	}
	for _, d := range after.Diagnostics {
		add(after, d, -1)
	}
	for _, d := range before.Diagnostics {
		for i := range d.Fixes {
			if p := before.Files.Position(d.At.Start); made[&d.Fixes[i]] && p.File != nil && count[key{d.Code, p.File.Place(), d.Msg}] < 1 {
				return false
			}
		}
	}
	return true
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
