package cli

// This file writes the configuration of a project from what is discovered in it: shapecheck init.

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

const (
	ownConfig     = "shapecheck.toml"
	projectConfig = "pyproject.toml"
)

// writeConfig writes the configuration of the working directory. Packages are where a check finds them, or the result is another.
func (a *app) writeConfig(t *target, words []string, dry bool) error {
	file, before, err := configToWrite()
	var exists *configExists
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
	if err != nil && (p == nil || p.Skipped == nil) {
		return err
	}
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

// configToWrite is the file of the configuration, and what is in it now.
func configToWrite() (file, text string, err error) {
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

var toolTable = lazyregexp.New(`(?m)^\[+tool[.\]]`)

// A proposal is an entry that may be written.
type proposal struct {
	name, file, entry string
	args              []string
	eval              bool
	expect            string   // the type of the result; empty: it is not told
	contract          []string // nil: nothing is expected of it
	assumed           string
}

// proposed are the discovered entries of which nothing is wrong.
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
			if !config.WholeType(one.expect) {
				one.expect = ""
			}
			one.name = one.file + "::" + one.entry
			if names[one.name]++; names[one.name] > 1 {
				one.name += fmt.Sprintf(" %d", names[one.name])
			}
			out = append(out, one)
		}
	}
	return out
}

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
func holding(ctx context.Context, found *check.Session, file, before string, list []proposal) ([]proposal, error) {
	for range 3 { // without what was wrong, others must still hold
		if len(list) == 0 {
			return nil, nil
		}
		abs, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
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
			case list[i].expect != "" || list[i].contract != nil:
				list[i].expect, list[i].contract = "", nil
				kept = append(kept, list[i])
			}
		}
		if p.ExitCode() == check.ExitClean {
			return list, nil
		}
		list = kept
	}
	return nil, errors.New("the entries that were discovered do not hold together: give the paths of some of them")
}

// configText is the configuration with entries.
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
