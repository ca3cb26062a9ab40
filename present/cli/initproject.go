package cli

// This file writes the configuration of a project from what is discovered in it: shapecheck init.
// An entry is only written if it holds: the models that discovery finds are checked as entries of
// the configuration to be, in an overlay that is on no disk, and what does not hold is left out.
// The file is written at the end, all at once.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/reads"
	"shapecheck/project/config"
)

// initCommand is shapecheck init.
func (a *app) initCommand() *cobra.Command {
	t, dry := &target{}, false
	c := &cobra.Command{
		Use:   "init [PATH…]",
		Short: "Write a configuration with what is discovered in the project",
		Long: "Write shapecheck.toml, or [tool.shapecheck] of a pyproject.toml that has tables of tools, with one entry for each that is discovered\n" +
			"in the files and folders given (default: the working directory). A configuration that exists stays as it is.",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			return a.writeConfig(t, args, dry)
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "print what would be written")
	t.limits.flags(c)
	t.limits.processFlags(c)
	t.limits.budgetFlag(c)
	return c
}

// pyproject.toml is used where it has tables of other tools already.
const (
	ownConfig     = "shapecheck.toml"
	projectConfig = "pyproject.toml"
)

// writeConfig writes the configuration of the working directory. Packages are where a check finds
// them, or the result is another. It returns an error where a configuration exists, nothing was
// discovered, or the entries do not hold together. A budget that is used up is no error: what was
// found until then is written, and the rest is said.
func (a *app) writeConfig(t *target, words []string, dry bool) error {
	file, before, err := configToWrite()
	var exists *configExists
	// --dry-run prints even where a configuration exists.
	if dry && errors.As(err, &exists) {
		file, before, err = ownConfig, "", nil
	}
	if err != nil {
		return err
	}
	if err := t.findEnvironment(); err != nil {
		return err
	}
	s := &check.Session{Cache: a.parsedFiles(), Limits: t.limits.set(), Environment: t.Run.Environment}
	files, err := s.Files(words)
	if err != nil {
		return err
	}
	t.limits.collect(t.limits.forAll())
	show := a.newProgress(len(files), "files")
	ctx, stop := a.withBudget(t.limits.runBudget(s.Config, !areFiles(words)))
	p, err := trial.CheckFiles(ctx, s, files, show, nil)
	stop()
	show.clear()
	// With Skipped the result is partial but usable.
	if err != nil && (p == nil || p.Skipped == nil) {
		return err
	}
	// An interrupt ends it without a file.
	if p.Skipped != nil && p.Skipped.Cut.Signal != "" {
		return errors.New(p.Skipped.Why())
	}
	entries, err := holding(a.context(), s, file, before, proposed(p))
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return fmt.Errorf("%s: nothing was discovered that could be an entry", strings.Join(words, " "))
	}
	text := configText(file, entries)
	if dry {
		_, err := a.out.Write([]byte(text))
		return err
	}
	// The line ends of the file stay as they are.
	if strings.Contains(before, "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if err := atomicfile.Write(file, []byte(before+text)); err != nil {
		return err
	}
	a.say("%s: %s; `shapecheck` checks them", file, counted(len(entries), "entry"))
	if p.Skipped != nil {
		a.say("%s", p.Skipped.Why())
	}
	return nil
}

// A configExists is an error: there is a configuration.
type configExists struct{ what string }

func (e *configExists) Error() string {
	return e.what + ", so nothing was written; --dry-run prints what init found"
}

// configToWrite is the file of the configuration, and what is in it now. The error is a
// configExists where one is there already. A pyproject.toml without tables of tools is left alone,
// since it may be that of a package which wants nothing else.
func configToWrite() (file, text string, err error) {
	// Lstat: a link that leads nowhere counts as a file as well.
	if _, err := os.Lstat(ownConfig); err == nil {
		return "", "", &configExists{ownConfig + " already exists"}
	}
	data, err := reads.File(reads.Disk{}, projectConfig, maxConfig)
	if errors.Is(err, os.ErrNotExist) {
		return ownConfig, "", nil
	}
	if err != nil {
		return "", "", err
	}
	text = string(data)
	c, err := config.Read(reads.Disk{}, projectConfig)
	if err != nil {
		return "", "", err
	}
	if c != nil {
		return "", "", &configExists{projectConfig + " already has [tool.shapecheck]"}
	}
	if !toolTable.MatchString(text) {
		return ownConfig, "", nil
	}
	// A line must end before the new table begins, followed by an empty one.
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	if !strings.HasSuffix(text, "\n") {
		text += end
	}
	return projectConfig, text + end, nil
}

// maxConfig bounds a pyproject.toml in bytes.
const maxConfig = 4 << 20

// Both [tool.x] and [[tool.x]].
var toolTable = lazyregexp.New(`(?m)^\[+tool[.\]]`)

// A proposal is an entry that may be written. The fields are those of a config.Entry.
type proposal struct {
	name, file, entry string
	args              []string
	eval              bool
	expect            string   // the type of the result; empty: it is not told
	contract          []string // nil: nothing is expected of it
	assumed           string
}

// proposed are the discovered entries of which nothing is wrong. Entries that are verified or weak,
// and have a result that can be named. Scripts are left out, because they need no entry.
func proposed(p *check.Project) []proposal {
	var out []proposal
	names := map[string]int{}
	for _, d := range p.Discovered {
		for _, x := range d.Entries {
			if s := x.State(); s != check.Verified && s != check.Weak || x.Result.Target.How == check.AsScript || x.Result.OutputType == "" {
				continue
			}
			t := x.Result.Target
			one := proposal{file: filepath.ToSlash(d.File), entry: t.Run.Entry, args: t.Run.Args, eval: t.Run.Eval, expect: x.Result.OutputType,
				contract: x.Result.Conditions(), assumed: strings.Join(t.Assumed, ", ")}
			// A type that has an unknown part would be no useful expectation.
			if !config.WholeType(one.expect) {
				one.expect = ""
			}
			one.name = one.file + "::" + one.entry
			// Names must differ; the second of one name gets a number.
			if names[one.name]++; names[one.name] > 1 {
				one.name += fmt.Sprintf(" %d", names[one.name])
			}
			out = append(out, one)
		}
	}
	return out
}

// Whether any finding counts for the exit code.
func loud(list []*diag.Diagnostic) bool {
	for _, d := range list {
		if check.FindingCode(d.Code, d.Severity) != check.ExitClean {
			return true
		}
	}
	return false
}

// holding are the entries that are clean as entries, as the written file will have them: what
// was an information about a guess is a finding there. Found is the session that discovered them.
// It returns an error where three attempts do not suffice, and where the configuration or a check
// fails.
func holding(ctx context.Context, found *check.Session, file, before string, list []proposal) ([]proposal, error) {
	for range 3 { // without what was wrong, others must still hold
		if len(list) == 0 {
			return nil, nil
		}
		abs, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
		// The overlay has the text that would be written, and everything else is on the disk.
		over := reads.NewOverlay(nil, map[string]string{abs: before + configText(file, list)})
		c, err := config.Read(over, abs)
		if err != nil {
			return nil, err
		}
		s := &check.Session{FS: over, Config: c, Limits: found.Limits, Environment: found.Environment}
		targets, err := s.Targets()
		if err != nil {
			return nil, err
		}
		p, err := s.CheckAll(ctx, targets, &progress{})
		if err != nil {
			return nil, err
		}
		var kept []proposal
		for i, x := range p.Entries {
			switch {
			case x.Err == nil && x.Result.Checked && !loud(x.Result.Diagnostics):
				kept = append(kept, list[i])
			// One that fails with its expectation may hold without it.
			case list[i].expect != "" || list[i].contract != nil:
				list[i].expect, list[i].contract = "", nil
				kept = append(kept, list[i])
			}
		}
		// Only a run that is clean as a whole proves the list, since entries may influence each
		// other by their names.
		if p.ExitCode() == check.ExitClean {
			return list, nil
		}
		list = kept
	}
	return nil, errors.New("the entries that were discovered do not hold together: give the paths of some of them")
}

// configText is the configuration with entries. The head comment is for a file of its own only.
func configText(file string, list []proposal) string {
	var b strings.Builder
	if file != projectConfig {
		b.WriteString("# Entries that shapecheck init discovered; docs/ci.md has all keys.\n\n")
	}
	for i, e := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		c := config.Entry{Name: e.name, File: e.file, Entry: e.entry, Args: e.args, Eval: e.eval, Expect: e.expect, Contract: e.contract}
		b.WriteString(c.Text(config.Table(file), e.assumed))
	}
	return b.String()
}
