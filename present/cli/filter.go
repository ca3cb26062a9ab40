package cli

// This file holds the flags that say which findings are shown and count.

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/project/comments"
	"shapecheck/project/suppress"
)

type filterFlags struct {
	sel, ignore             []string
	baseline, writeBaseline string
	exitZero                bool
}

func (f *filterFlags) flags(c *cobra.Command) {
	f.selection(c)
	s := c.Flags()
	s.StringVar(&f.baseline, "baseline", "", "do not show the findings in this file")
	s.StringVar(&f.writeBaseline, "write-baseline", "", "write the findings to this file, to be known from now on")
	s.BoolVar(&f.exitZero, "exit-zero", false, "findings do not change the exit code")
}

// selection are the flags that say what is shown.
func (f *filterFlags) selection(c *cobra.Command) {
	s := c.Flags()
	s.StringSliceVar(&f.sel, "select", nil, "show only these codes, beginnings of codes (SC4) and severities (error)")
	s.StringSliceVar(&f.ignore, "ignore", nil, "do not show these codes, beginnings of codes and severities")
}

// filter adds the flags to what is configured otherwise.
func (f *filterFlags) filter(base suppress.Filter) (*suppress.Filter, error) {
	if err := suppress.Check(f.sel); err != nil {
		return nil, fmt.Errorf("--select: %w", err)
	}
	if err := suppress.Check(f.ignore); err != nil {
		return nil, fmt.Errorf("--ignore: %w", err)
	}
	if len(f.sel) > 0 {
		base.Select = f.sel
	}
	base.Ignore = append(base.Ignore, f.ignore...)
	base.Today = time.Now().Format(comments.DateForm)
	if f.writeBaseline != "" {
		if f.baseline != "" {
			return nil, errors.New("give either --baseline or --write-baseline")
		}
		if err := atomicfile.Check(f.writeBaseline); err != nil {
			return nil, fmt.Errorf("--write-baseline: %w", err)
		}
		base.Baseline = nil
		return &base, nil
	}
	if f.baseline != "" {
		var err error
		if base.Baseline, err = suppress.ReadBaseline(reads.Disk{}, f.baseline); err != nil {
			return nil, err
		}
	}
	return &base, nil
}

// finish writes the baseline that was asked for, and forgives findings where
// that was asked for.
func (a *app) finish(f *filterFlags, fs *source.FileSet, list []*diag.Diagnostic) error {
	if f.writeBaseline != "" {
		if err := suppress.WriteBaseline(f.writeBaseline, fs, list); err != nil {
			return err
		}
		a.say("shapecheck: %s written to %s", counted(len(list), "finding"), f.writeBaseline)
	}
	if a.code == check.ExitFindings && (f.exitZero || f.writeBaseline != "") {
		a.code = check.ExitClean
	}
	return nil
}

// sayKnown says how many findings the baseline hides and, where whole says that all was checked, how many of its findings are gone.
// A finding of a file that was not read may be there still.
func (a *app) sayKnown(s *check.Session, p *check.Project, whole bool) {
	if n := p.KnownBelow; n > 0 {
		a.say("shapecheck: %d hidden by baselines of projects below", n)
	}
	if s.Filter == nil || s.Filter.Baseline == nil {
		return
	}
	gone, name := 0, s.Filter.Baseline.Name()
	if whole && s.Filter.Baseline.Since == "" && p.Skipped == nil {
		gone = s.Filter.Baseline.Gone(p.Files, p.Known)
	}
	switch n := len(p.Known); {
	case gone > 0:
		a.say("shapecheck: %d hidden by %s, %d of its findings are gone (--write-baseline FILE)", n, name, gone)
	case n > 0:
		a.say("shapecheck: %d hidden by %s", n, name)
	}
}

// stdinFile makes standard input the file to check, under the name of the file
// that it stands for.
func (t *target) stdinFile(stdin io.Reader, name string) error {
	data, err := readInput(stdin, "-")
	if err != nil {
		return err
	}
	if len(data) > source.MaxFileSize {
		return errors.New("standard input is too large")
	}
	if name == "" {
		name = "<stdin>"
	}
	if t.Run.Text, err = parser.Decode(data); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if strings.TrimSpace(t.Run.Text) == "" {
		t.Run.Text = "\n" // the empty text would stand for the file's
	}
	t.Run.File = name
	return nil
}
