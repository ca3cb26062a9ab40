package cli

// This file compares the project at two revisions: shapecheck diff [OLD[..NEW]], [OLD[...NEW]].
// Both revisions are read from the objects of git (gittree), never checked out, so the working tree
// stays as it is. Each has its own session with its own configuration, and present/changes compares
// the results.

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/internal/gittree"
	"shapecheck/internal/reads"
	"shapecheck/present/changes"
	"shapecheck/present/summary"
	"shapecheck/project/config"
)

// diffFlags are the flags of a diff.
type diffFlags struct {
	// Those of the target alone: an entry cannot be named here.
	target // its environment and limits
	conf   configFlags
	// Sizes for costs, as NAME=NUMBER separated by commas.
	at string
	// text, markdown or json.
	format string
	// Parts of changes.Parts.
	failOn []string
}

func (a *app) diffCommand() *cobra.Command {
	r := &diffFlags{}
	c := &cobra.Command{
		Use:   "diff [OLD[..NEW | ...NEW] [PATH…]]",
		Short: "Tell what changed in results, contracts, parameters and findings between two revisions",
		Long: "Tell what changed in results, contracts, parameters, costs, state dicts and findings of the project's entries\n" +
			"between two revisions of its git repository. OLD is HEAD unless it is given, NEW is the working tree. With three dots it is the\n" +
			"commit at which NEW left OLD (git merge-base) instead of OLD: what NEW changed. The entries are those of the configuration, with PATH…\n" +
			"those whose file is there and what is found in files there that it does not name; without a configuration, what is found there\n" +
			"or in this folder.",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return a.diff(r, args) },
	}
	r.conf.flags(c)
	r.limits.flags(c)
	f := c.Flags()
	f.StringVar(&r.at, "at", "", "sizes for multiply-adds and memory: H=224,W=224,B=1")
	f.StringVar(&r.format, "output-format", "text", "text, markdown or json")
	f.StringSliceVar(&r.failOn, "fail-on", nil, "exit with 1 where these changed: findings, contract, state-dict, result")
	return c
}

// diff compares the results at two revisions of the repository: HEAD and the working tree where nothing is named, those
// of "a..b", or for "a...b" the commit where b left a and b. Only what --fail-on names sets the
// exit code; a difference alone does not. It returns an error for a revision that git does not
// know, and for an object that cannot be read.
func (a *app) diff(r *diffFlags, args []string) (err error) {
	if !slices.Contains([]string{"text", "markdown", "json"}, r.format) {
		return fmt.Errorf("--output-format %s: text, markdown or json", r.format)
	}
	for _, p := range r.failOn {
		if !slices.Contains(changes.Parts, changes.Part(p)) {
			return fmt.Errorf("--fail-on %s: findings, contract, state-dict or result", p)
		}
	}
	c := &changes.Comparison{}
	if r.at != "" {
		if c.Sizes, err = summary.ParseSizes(r.at); err != nil {
			return fmt.Errorf("--at %w", err)
		}
	}
	old, now, forked := "HEAD", "", false
	if len(args) > 0 {
		// Three dots must be looked for first, since two are part of them.
		if old, now, forked = strings.Cut(args[0], "..."); !forked {
			old, now, _ = strings.Cut(args[0], "..")
		}
		old, c.Words = cmp.Or(old, "HEAD"), args[1:]
	}
	if forked {
		if old, err = gittree.Fork(a.context(), ".", old, cmp.Or(now, "HEAD")); err != nil {
			return err
		}
	}
	// Both revisions are checked with the packages that are installed now.
	if err := r.findEnvironment(); err != nil {
		return err
	}
	before, err := gittree.Open(a.context(), ".", old)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, before.Close()) }()
	// Without NEW the working tree is read.
	var after reads.FS = reads.Disk{}
	read := []*gittree.Tree{before}
	if now != "" {
		tree, err := gittree.Open(a.context(), ".", now)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, tree.Close()) }()
		after, read = tree, append(read, tree)
	}
	if c.Old, err = r.session(before); err != nil {
		return err
	}
	if c.New, err = r.session(after); err != nil {
		return err
	}
	show := a.newProgress(0, "entries")
	report := &changes.Report{Old: old, New: cmp.Or(now, "working tree"), Sizes: c.Sizes}
	report.List, report.Entries, err = c.Differences(a.context(), show)
	show.clear()
	// A file that could not be read would look like one that was deleted, which is why its error
	// comes first.
	for _, tree := range read { // what could not be read looks like what is not there
		err = cmp.Or(tree.Fault(), err)
	}
	if err != nil {
		return err
	}
	for _, d := range report.List {
		for _, p := range r.failOn {
			if d.Has(changes.Part(p)) {
				a.code = check.ExitFindings
			}
		}
	}
	switch r.format {
	case "json":
		return printJSON(a.out, report.JSON())
	case "markdown":
		return report.Markdown(a.out)
	}
	return report.Text(a.out)
}

// session is the project as it is in a file system. Without a configuration at that revision, what
// is discovered is compared. It returns an error for a configuration that cannot be read.
func (r *diffFlags) session(fsys reads.FS) (*check.Session, error) {
	file := r.conf.file
	if file == "" && !r.conf.none {
		var err error
		if file, err = config.Find(fsys, "."); err != nil {
			return nil, err
		}
	}
	s := &check.Session{FS: fsys, Limits: r.limits.set(), Environment: r.Run.Environment}
	if file == "" {
		return s, nil
	}
	// A file that the command line names and that is there now may not have existed then.
	if _, err := fsys.Stat(file); err != nil {
		if _, now := (reads.Disk{}).Stat(file); now == nil {
			return s, nil // the revision has none
		}
	}
	var err error
	if s.Config, err = config.Read(fsys, file); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	s.Limits = r.limits.setFor(s.Config)
	return s, nil
}
