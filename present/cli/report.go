package cli

// This file makes a small program of a finding that may be a false alarm: shapecheck report
// FILE:LINE. The report contains a program that anyone can run: the project's files are joined into
// one (reduce.Join), and statements are taken away as long as the finding stays (reduce.Smallest).
// What must stay is the code, the message and the text of the line; the place may change. The
// result is printed and never sent anywhere.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/check/reduce"
	"shapecheck/discover/trial"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/internal/version"
	"shapecheck/parser"
)

// reportTime is how long a program is made smaller, by default.
const reportTime = 30 * time.Second

// reportName is the file that a reduced program is checked as: it lies in no folder of the project, whose modules it therefore
// does not find. It need not exist.
const reportName = "case.py"

// reportCommand is the command that makes a program with one finding. Whether the output file can be written is checked before
// the program is made smaller, which takes up to half a minute. The program goes to standard output in any case: the user is
// to read it before it is sent.
func (a *app) reportCommand() *cobra.Command {
	var t target
	out, within := "", reportTime
	var in []string
	c := &cobra.Command{
		Use:   "report FILE:LINE",
		Short: "Make a small program with the finding of a line, to report it where it looks wrong",
		Long: "Make a small program, in one file, that has the finding of a line of FILE, and print it: statements of FILE and of the modules\n" +
			"that it imports are taken away as long as the finding stays. Read it before you send it: names and numbers are yours.\n" +
			"With --entry and --arg the finding is that of this entry, else that of what is checked in FILE without them.",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			// The place has a file and a line; a column is not needed.
			file, line, _, err := placeOf(args[0])
			if err != nil {
				return err
			}
			if out != "" {
				if err := atomicfile.Check(out); err != nil {
					return err
				}
			}
			r := &reporting{app: a, session: &check.Session{Limits: t.limits.set()}, file: file, line: line, in: in}
			if err := t.resolve([]string{file}, false); err != nil {
				return err
			}
			text, err := r.report(&t, within)
			if err != nil {
				return err
			}
			if out != "" {
				if err := atomicfile.Write(out, []byte(text)); err != nil {
					return err
				}
			}
			_, err = fmt.Fprint(a.out, text)
			return err
		},
	}
	t.flags(c)
	c.Flags().StringVarP(&out, "output", "o", "", "also write the program to this file")
	c.Flags().StringArrayVar(&in, "in", nil, "the file or folder with the models that have the finding; default: FILE")
	c.Flags().DurationVar(&within, "within", reportTime, "how long to make the program smaller")
	return c
}

// A reporting makes the program of one finding. The session keeps parsed files between the many
// checks.
type reporting struct {
	app     *app
	session *check.Session
	file    string
	line    int
	in      []string // paths of what is checked; none: file
}

// A seen is a finding as a smaller program must have it. Messages have sizes, so the program keeps
// the sizes that lead to the finding.
type seen struct {
	code  diag.Code
	msg   string
	piece string // the text of its line
}

// report is the text of the program, below what it shows and how it was made. It returns an error
// where the line has no finding, the files cannot be joined, or the joined program lacks the
// finding, which then depends on the files' being apart. A time that is over is no error: the
// program is as small as it became.
func (r *reporting) report(t *target, within time.Duration) (string, error) {
	result, found, err := r.findFinding(t)
	if err != nil {
		return "", err
	}
	main, modules, err := r.sources(result)
	if err != nil {
		return "", err
	}
	text, err := reduce.Join(main, modules)
	if err != nil {
		return "", fmt.Errorf("the program does not go into one file: %w", err)
	}
	// The first check proves that joining the files kept the finding.
	want := seen{found.Code, found.Msg, lineOf(result.Files, found)}
	first := r.check(text, result.Target)
	if first == nil || !has(first, want) {
		return "", fmt.Errorf("%s:%d: %s is not found where the program is one file of its own; report these files: %s", r.file, r.line, found.Code,
			strings.Join(pathsOf(main, modules), ", "))
	}
	ctx, stop := context.WithTimeout(r.app.context(), within)
	defer stop()
	text = reduce.Smallest(ctx, text, func(text string) bool {
		now := r.check(text, result.Target)
		// No other finding may come up instead of what was taken away.
		return now != nil && has(now, want) && len(now.Diagnostics) <= len(first.Diagnostics)
	})
	// The whole command was stopped.
	if err := r.app.context().Err(); err != nil {
		return "", err
	}
	// Blank lines between definitions, for the reader.
	text = reduce.Spaced(text)
	last := r.check(text, result.Target)
	if last == nil {
		return "", errors.New("the program could not be checked")
	}
	return r.head(last, want) + text, nil
}

// findFinding is the most severe finding at the line, and the result that has it. With an entry on
// the command line only that one runs. It returns an error where the line has none.
func (r *reporting) findFinding(t *target) (*check.Result, *diag.Diagnostic, error) {
	var results []*check.Result
	if t.namesNoEntry() {
		files := []string{r.file}
		if len(r.in) > 0 {
			var err error
			if files, err = r.session.Files(r.in); err != nil {
				return nil, nil, err
			}
		}
		p, err := trial.CheckFiles(r.app.context(), r.session, files, check.Unwatched{}, nil)
		if err != nil {
			return nil, nil, err
		}
		for _, d := range p.Discovered {
			for _, e := range d.Entries {
				if e.Err == nil {
					results = append(results, e.Result)
				}
			}
		}
		// Entries of files that were found together with the file.
		for _, e := range p.Entries {
			if e.Err == nil && !slices.Contains(results, e.Result) {
				results = append(results, e.Result)
			}
		}
	} else {
		res, err := r.session.Check(r.app.context(), &t.Target)
		if err != nil {
			return nil, nil, err
		}
		results = append(results, res)
	}
	var best *check.Result
	var found *diag.Diagnostic
	for _, res := range results {
		for _, d := range res.Diagnostics {
			p := res.Files.Position(d.At.Start)
			// The most severe one, and of equals the first.
			if p.File != nil && p.Line == r.line && sameFile(p.File.Place(), r.file) && (found == nil || d.Severity > found.Severity) {
				best, found = res, d
			}
		}
	}
	if found == nil {
		hint := "; --in names the file or folder whose models have it"
		if len(r.in) > 0 {
			hint = ""
		}
		return nil, nil, fmt.Errorf("%s:%d: nothing is found at this line%s", r.file, r.line, hint)
	}
	return best, found, nil
}

// Links are not followed.
func sameFile(a, b string) bool {
	x, err := filepath.Abs(a)
	if err != nil {
		return false
	}
	y, err := filepath.Abs(b)
	return err == nil && x == y
}

// sources are the entry's file and the project's other files of which lines ran. Library files, and
// those that are not the project's, are left out. It returns an error where the entry's file is
// none of its own, such as a notebook.
func (r *reporting) sources(res *check.Result) (reduce.Module, []reduce.Module, error) {
	var main reduce.Module
	var list []reduce.Module
	entry := res.Target.Run.File
	for _, f := range res.Files.Files() {
		if f.Prelude || f.Hidden || res.Foreign[f] {
			continue
		}
		abs, err := filepath.Abs(f.Place())
		if err != nil {
			return main, nil, err
		}
		m := reduce.Module{Path: filepath.ToSlash(abs), Text: f.Text()}
		if sameFile(f.Place(), entry) {
			main = m
		} else if _, diags := parser.Parse(source.NewFile(f.Name, f.Text())); len(diags) == 0 && strings.HasSuffix(f.Name, ".py") {
			list = append(list, m)
		}
	}
	if main.Path == "" {
		return main, nil, fmt.Errorf("%s is no Python file of its own", entry)
	}
	return main, list, nil
}

// All files, for a report of the files themselves.
func pathsOf(main reduce.Module, modules []reduce.Module) []string {
	out := []string{main.Path}
	for _, m := range modules {
		out = append(out, m.Path)
	}
	return out
}

// check runs a program as the entry of a target; nil: it cannot be run. The file lies where no
// import can find the project, so that the program must stand alone.
func (r *reporting) check(text string, t *check.Target) *check.Result {
	one := *t
	one.Run.File, one.Run.Text, one.Run.Module = filepath.Join(string(filepath.Separator), "nowhere", reportName), text, ""
	one.Run.Roots, one.Run.Base = nil, ""
	res, err := r.session.Check(r.app.context(), &one)
	if err != nil {
		return nil
	}
	return res
}

// Not the place, which reduction moves.
func has(res *check.Result, want seen) bool {
	return slices.ContainsFunc(res.Diagnostics, func(d *diag.Diagnostic) bool {
		return d.Code == want.code && d.Msg == want.msg && lineOf(res.Files, d) == want.piece
	})
}

// lineOf is the text of the line of a finding, without its indentation and without a comment. A
// comment is the first thing to be taken away.
func lineOf(files *source.FileSet, d *diag.Diagnostic) string {
	p := files.Position(d.At.Start)
	if p.File == nil {
		return ""
	}
	line, _, _ := strings.Cut(p.File.Line(p.Line), "#")
	return strings.TrimSpace(line)
}

// head are comments that say what the program shows, with what, and that it was made of a larger
// one. The command reproduces the finding, and the empty line after "Right would be" is for the
// reader to fill in.
func (r *reporting) head(res *check.Result, want seen) string {
	return fmt.Sprintf("# shapecheck %s reports %s at the line `%s`:\n#     %s\n# Command: %s\n# Right would be:\n\n",
		version.Long(), want.code, want.piece, safetext.Line(want.msg), res.AloneCommand(reportName))
}
