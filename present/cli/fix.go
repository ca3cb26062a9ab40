package cli

// This file applies fixes: --fix writes files, --diff shows what would be written.

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/diag"
	"shapecheck/internal/fix"
	"shapecheck/internal/localfile"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

type fixFlags struct {
	fix, unsafe, diff bool
	comments          string
}

func (f *fixFlags) flags(c *cobra.Command) {
	s := c.Flags()
	s.BoolVar(&f.fix, "fix", false, "apply the fixes that keep the meaning of correct code")
	s.BoolVar(&f.unsafe, "unsafe-fixes", false, "with --fix or --diff: apply all fixes")
	s.BoolVar(&f.diff, "diff", false, "show as a unified diff what --fix would change; write nothing, also beside --fix")
	s.StringVar(&f.comments, "fix-comments", "",
		"insert: with --fix or --diff, add a shape comment to every statement that makes a tensor and has no comment")
}

// on reports whether fixes are asked for.
func (f *fixFlags) on() bool { return f.fix || f.diff }

func (f *fixFlags) check(file string) error {
	switch {
	case f.unsafe && !f.on():
		return errors.New("--unsafe-fixes goes with --fix or --diff")
	case f.comments != "" && f.comments != "insert":
		return fmt.Errorf("--fix-comments %s: there is only --fix-comments=insert", f.comments)
	case f.comments != "" && !f.on():
		return errors.New("--fix-comments goes with --fix or --diff")
	case f.fix && !f.diff && file == "-":
		return errors.New("--fix cannot write to standard input; --diff shows the changes")
	}
	return nil
}

// printDiff prints the changes, byte for byte.
func printDiff(w *safetext.Writer, files []check.FixedFile) error {
	for _, f := range files {
		if _, err := w.Raw([]byte(fix.Diff(filepath.ToSlash(f.File.Label()), f.File.OnDisk(), f.Text))); err != nil {
			return err
		}
	}
	return nil
}

// writeFixed writes the changed files. A file that is not what was checked any more,
// or not in UTF-8, is left alone and reported.
func writeFixed(files []check.FixedFile) error {
	var failed []error
	for _, f := range files {
		data, err := localfile.Read(f.Path, source.MaxFileSize)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		old := f.File.OnDisk()
		mark, body := "", string(data)
		if rest, ok := strings.CutPrefix(body, "\ufeff"); ok {
			mark, body = "\ufeff", rest
		}
		if body != old {
			why := "it was changed in the meantime"
			if text, err := parser.Decode(data); err == nil && text == old {
				why = "it is not in UTF-8"
			}
			failed = append(failed, fmt.Errorf("%s: not fixed: %s", f.File.Label(), why))
			continue
		}
		if err := atomicfile.Write(same(f.Path), []byte(mark+f.Text)); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// fixed writes the files or prints the diff, and says what was done. done reports
// that nothing else is to be printed.
func (a *app) fixed(x *check.Fixer, f *fixFlags) (done bool, err error) {
	hint := ""
	if x.Left() > 0 && !f.unsafe {
		hint = fmt.Sprintf("; %d more with --unsafe-fixes", x.Left())
	}
	files := x.Files()
	if f.diff {
		if a.code = check.ExitClean; len(files) > 0 {
			a.code = check.ExitFindings
		}
		err := printDiff(a.out, files)
		a.say("shapecheck: %d would be fixed%s", x.Made(), hint)
		return true, err
	}
	if err := writeFixed(files); err != nil {
		return false, err
	}
	a.say("shapecheck: %d fixed%s", x.Made(), hint)
	return false, nil
}

// dirs are the directories of what is checked: that of FILE and the current one;
// with -m, the roots.
func (t *target) dirs() []string {
	if t.Run.Module != "" {
		return t.Run.Roots
	}
	return []string{filepath.Dir(t.Run.File), "."}
}

// fixAll fixes what the parts of a program say is wrong with files below dirs.
func (a *app) fixAll(s *check.Session, f *fixFlags, p *check.Program, dirs []string) (done bool, err error) {
	x := s.Fixer(p, f.unsafe, dirs)
	if err := x.Fix(a.context()); err != nil {
		return false, err
	}
	return a.fixed(x, f)
}

// folders are those of words that name files and folders, and the working directory.
func folders(words []string) []string {
	out := []string{"."}
	for _, w := range words {
		if isFolder(w) {
			out = append(out, w)
		} else {
			out = append(out, filepath.Dir(w))
		}
	}
	return out
}

// fixable says how many findings --fix would change, for the closing line.
func fixable(list []*diag.Diagnostic) string {
	list = diag.Causes(list)
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
