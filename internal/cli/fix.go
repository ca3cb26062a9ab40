package cli

// This file applies fixes: --fix writes files, --diff shows what would be written.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/infer"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/config"
	"shapecheck/internal/diag"
	"shapecheck/internal/fix"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/internal/suppress"
	"shapecheck/parser"
)

type fixFlags struct {
	fix, unsafe, diff bool
	comments          string
}

func (f *fixFlags) flags(c *cobra.Command) {
	s := c.Flags()
	s.BoolVar(&f.fix, "fix", false, "apply the fixes that keep the meaning of correct code")
	s.BoolVar(&f.unsafe, "unsafe-fixes", false, "with --fix and --diff: apply all fixes")
	s.BoolVar(&f.diff, "diff", false, "show as a unified diff what --fix would change; write nothing")
	s.StringVar(&f.comments, "fix-comments", "", "insert: with --fix and --diff, add a shape comment to every statement that makes a tensor and has no comment")
}

// on reports whether fixes are asked for.
func (f *fixFlags) on() bool { return f.fix || f.diff }

func (f *fixFlags) check(file string) error {
	switch {
	case f.fix && f.diff:
		return errors.New("give either --fix or --diff")
	case f.unsafe && !f.on():
		return errors.New("--unsafe-fixes goes with --fix or --diff")
	case f.comments != "" && f.comments != "insert":
		return fmt.Errorf("--fix-comments %s: there is only --fix-comments=insert", f.comments)
	case f.comments != "" && !f.on():
		return errors.New("--fix-comments goes with --fix or --diff")
	case f.fix && file == "-":
		return errors.New("--fix cannot write to standard input; --diff shows the changes")
	}
	return nil
}

// Bounds: rounds of applying what the last round's run suggested, and runs.
const (
	maxFixRounds = 20
	maxFixRuns   = 100
)

// A fixer applies fixes to texts in memory, run after run, until nothing changes.
type fixer struct {
	unsafe bool
	dirs   []string // files below these may be changed
	run    func(cfg infer.Config) (*infer.Result, error)

	// others are entries for which a fix must not make it worse.
	others   []infer.Config
	overlay  map[string]string       // by absolute path
	original map[string]*source.File // as they were first read
	order    []string
	made     int
	left     int             // fixes that are not safe
	refused  map[string]bool // fixes that made it worse, by title and line
	runs     int
}

func newFixer(f *fixFlags, dirs []string, run func(infer.Config) (*infer.Result, error)) *fixer {
	x := &fixer{unsafe: f.unsafe, run: run, overlay: map[string]string{}, original: map[string]*source.File{}, refused: map[string]bool{}}
	for _, d := range dirs {
		x.dirs = append(x.dirs, same(d))
	}
	return x
}

// fix runs an entry and applies what it suggests, until a run suggests nothing
// more. It returns the last run's result.
func (x *fixer) fix(cfg infer.Config) (*infer.Result, error) {
	cfg.Overlay = x.overlay
	res, err := x.again(cfg, x.overlay)
	for round := 0; err == nil && round < maxFixRounds && x.runs < maxFixRuns; round++ {
		all := x.chosen(res)
		better := x.attempt(cfg, res, all)
		for i := 0; better == nil && len(all) > 1 && i < len(all) && x.runs < maxFixRuns; i++ { // one of them is to blame
			better = x.attempt(cfg, res, all[i:i+1])
		}
		if better == nil {
			break
		}
		res = better
	}
	if err == nil {
		x.left += len(fix.Chosen(res.Diagnostics, true))
	}
	return res, err
}

// chosen are the fixes to apply to a result.
func (x *fixer) chosen(res *infer.Result) []*diag.Fix {
	var out []*diag.Fix
	for _, f := range fix.Chosen(res.Diagnostics, x.unsafe) {
		if !x.refused[fixKey(res, f)] {
			out = append(out, f)
		}
	}
	return out
}

func fixKey(res *infer.Result, f *diag.Fix) string {
	p := res.Files.Position(f.Edits[0].At.Start)
	return fmt.Sprintf("%s %s", f.Title, p)
}

// attempt applies fixes and runs again; nil when that is no better.
func (x *fixer) attempt(cfg infer.Config, before *infer.Result, fixes []*diag.Fix) *infer.Result {
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
		overlay[absolute(c.File)] = c.Text
		for _, f := range c.Fixes {
			made[f] = true
		}
	}
	res, err := x.again(cfg, overlay)
	if err != nil || faults(res) > faults(before) || !gone(before, res, made) || x.hurts(overlay) {
		if len(fixes) == 1 {
			x.refused[fixKey(before, fixes[0])] = true
		}
		return nil
	}
	for _, c := range changes {
		if path := absolute(c.File); x.original[path] == nil {
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

func (x *fixer) again(cfg infer.Config, overlay map[string]string) (*infer.Result, error) {
	x.runs++
	cfg.Overlay = overlay
	return x.run(cfg)
}

// hurts reports whether texts give one of the other entries more errors.
func (x *fixer) hurts(overlay map[string]string) bool {
	for _, cfg := range x.others {
		before, err := x.again(cfg, x.overlay)
		if err != nil {
			continue
		}
		if after, err := x.again(cfg, overlay); err != nil || faults(after) > faults(before) {
			return true
		}
	}
	return false
}

func faults(res *infer.Result) (n int) {
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			n += max(d.Count, 1)
		}
	}
	return n
}

// gone reports whether what the fixes are for is not found any more. Something
// else may be, that could not be seen behind it.
func gone(before, after *infer.Result, made map[*diag.Fix]bool) bool {
	type key struct {
		code      diag.Code
		file, msg string
	}
	count := map[key]int{}
	add := func(res *infer.Result, d *diag.Diagnostic, n int) {
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

// may reports whether a file may be changed: it lies below the directories of
// what is checked, also after links are followed, and is no installed package.
func (x *fixer) may(f *source.File) bool {
	if f.Prelude || strings.HasPrefix(f.Name, "<") {
		return false
	}
	real := same(f.Place())
	for _, part := range strings.Split(filepath.ToSlash(real), "/") {
		if part == "site-packages" || part == "dist-packages" {
			return false
		}
	}
	return slices.ContainsFunc(x.dirs, func(dir string) bool {
		rel, err := filepath.Rel(dir, real)
		return err == nil && filepath.IsLocal(rel)
	})
}

func absolute(f *source.File) string {
	if abs, err := filepath.Abs(f.Place()); err == nil {
		return abs
	}
	return f.Place()
}

// diff prints the changes, byte for byte, and reports whether there are any.
func (x *fixer) diff(w *safetext.Writer) (bool, error) {
	for _, path := range x.order {
		f := x.original[path]
		if _, err := w.Raw([]byte(fix.Diff(filepath.ToSlash(f.Place()), f.Text(), x.overlay[path]))); err != nil {
			return false, err
		}
	}
	return len(x.order) > 0, nil
}

// write writes the changed files. A file that is not what was checked any more,
// or not in UTF-8, is left alone and reported.
func (x *fixer) write() error {
	var failed []error
	for _, path := range x.order {
		data, err := os.ReadFile(path)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		old := x.original[path].Text()
		mark, body := "", string(data)
		if rest, ok := strings.CutPrefix(body, "\ufeff"); ok {
			mark, body = "\ufeff", rest
		}
		if body != old {
			why := "it was changed in the meantime"
			if text, err := parser.Decode(data); err == nil && text == old {
				why = "it is not in UTF-8"
			}
			failed = append(failed, fmt.Errorf("%s: not fixed: %s", x.original[path].Place(), why))
			continue
		}
		if err := atomicfile.Write(path, []byte(mark+x.overlay[path])); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// finish writes the files or prints the diff, and says what was done. done
// reports that nothing else is to be printed.
func (x *fixer) finish(a *app, f *fixFlags) (done bool, err error) {
	hint := ""
	if x.left > 0 && !f.unsafe {
		hint = fmt.Sprintf("; %d more with --unsafe-fixes", x.left)
	}
	if f.diff {
		changed, err := x.diff(a.out)
		if a.code = exitClean; changed {
			a.code = exitFindings
		}
		a.say("shapecheck: %d would be fixed%s", x.made, hint)
		return true, err
	}
	if err := x.write(); err != nil {
		return false, err
	}
	a.say("shapecheck: %d fixed%s", x.made, hint)
	return false, nil
}

// dirs are the directories of what is checked: that of FILE and the current one;
// with -m, the roots.
func (t *target) dirs() []string {
	if t.module != "" {
		return t.cfg.Roots
	}
	return []string{filepath.Dir(t.cfg.File), "."}
}

// fixProject fixes the entries of a configuration one after the other, each with
// what those before it changed.
func (a *app) fixProject(c *config.Config, filter *suppress.Filter, f *fixFlags) (done bool, err error) {
	x := newFixer(f, []string{filepath.Dir(c.File())}, checker(filter))
	for i := range c.Entries {
		x.others = nil
		for j := range c.Entries {
			if j != i {
				x.others = append(x.others, entryConfig(c, j))
			}
		}
		if _, err := x.fix(entryConfig(c, i)); err != nil {
			a.say("shapecheck: entry %s: not fixed: %v", c.Entries[i].Name, err)
		}
	}
	return x.finish(a, f)
}

// fixable says how many findings --fix would change, for the closing line.
func fixable(list []*diag.Diagnostic) string {
	safe, all := len(fix.Chosen(list, false)), len(fix.Chosen(list, true))
	switch {
	case all == 0:
		return ""
	case safe == all:
		return fmt.Sprintf("; %d fixable with --fix", safe)
	case safe == 0:
		return fmt.Sprintf("; %d fixable with --fix --unsafe-fixes", all)
	}
	return fmt.Sprintf("; %d fixable with --fix, %d with --unsafe-fixes", safe, all)
}
