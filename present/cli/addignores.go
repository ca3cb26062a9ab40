package cli

// This file writes comments that hide what is found: shapecheck add-ignores. It is a check whose
// findings are not printed but hidden, for a project that begins to use shapecheck: what is known
// is put aside in the sources, and only new findings are reported. A baseline does the same without
// changing files.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/project/suppress"
)

// addIgnoresCommand takes the flags of check that choose what is found, as the comments should be
// for these.
func (a *app) addIgnoresCommand() *cobra.Command {
	// annotate leads the check to addIgnores instead of the printers.
	r := &checkRun{annotate: true}
	c := &cobra.Command{
		Use:   "add-ignores [FILE | PATH…]",
		Short: "Write comments that hide the errors and warnings of a check",
		Long: "Check as \"shapecheck check\" does, and write a comment # shapecheck: ignore[CODE] for every error and warning,\n" +
			"so that from now on only new ones are reported. Infos get no comment, and files of installed packages none either.\n" +
			"What is found about comments themselves (SC690, SC692) is left: such a comment is to be changed.",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if slices.Contains(args, "-") {
				return errors.New("comments cannot be written to standard input")
			}
			return a.check(r, args)
		},
	}
	r.target.flags(c)
	r.filters.selection(c)
	r.conf.flags(c)
	f := c.Flags()
	f.BoolVar(&r.isScript, check.ScriptFlag, false, "run FILE from its top level, as python FILE ARGS… would; what follows is given to it")
	f.BoolVar(&r.dry, "diff", false, "show as a unified diff what would be written; write nothing")
	return c
}

// addIgnores writes the comments for what was found, or shows them. may says of a file whether it
// belongs to the project, so that its text may be changed. It returns an error where a file cannot
// be encoded or written; then none is. The exit code says whether findings remain.
func (a *app) addIgnores(f *findings, may func(*source.File) bool, dry bool) error {
	// Infos are left, as they do not fail a check.
	var list []*diag.Diagnostic
	for _, d := range f.list {
		if check.FindingCode(d.Code, d.Severity) != check.ExitClean {
			list = append(list, d)
		}
	}
	texts, left := suppress.Annotate(f.files, list, may)
	// Texts are as they will be on disk, with the encoding and the ends of lines of the file.
	files := make([]check.FixedFile, len(texts))
	for i, t := range texts {
		text, err := check.OnDisk(t.File, t.Text)
		if err != nil {
			return fmt.Errorf("%s: %w", t.File.Label(), err)
		}
		path, err := reads.Disk{}.Abs(t.File.Place())
		if err != nil {
			return err
		}
		files[i] = check.FixedFile{Path: path, File: t.File, Text: text}
	}
	// What no comment can hide is said, so that a remaining failure is no surprise.
	for _, d := range left {
		if at := f.files.Position(d.At.Start); suppress.OfComment(d.Code) {
			a.say("shapecheck: %s: %s is about a comment: change it", at, d.Code)
		} else {
			a.say("shapecheck: %s: no comment can hide %s here", at, d.Code)
		}
	}
	if a.code = check.ExitClean; len(left) > 0 {
		a.code = check.ExitFindings
	}
	// With --diff a difference is a finding, for use in CI.
	if dry {
		if len(files) > 0 {
			a.code = check.ExitFindings
		}
		return printDiff(a.out, files)
	}
	if err := writeFixed(files); err != nil {
		return err
	}
	if len(files) == 0 {
		a.say("shapecheck: no comment was written")
		return nil
	}
	a.say("shapecheck: comments for %s in %s", counted(len(list)-len(left), "finding"), counted(len(files), "file"))
	return nil
}
