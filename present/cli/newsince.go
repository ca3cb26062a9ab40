package cli

// This file shows what is new since a revision: --new-since REV. The check is made twice, once with
// the files of the revision, read from the repository without a checkout. What is found there is
// treated as a baseline is: it hides equal findings of the present files. Whatever could not be
// checked then has no old findings, so that all of it is new.

import (
	"errors"
	"fmt"
	"slices"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/internal/diag"
	"shapecheck/internal/gittree"
	"shapecheck/internal/source"
	"shapecheck/project/config"
	"shapecheck/project/suppress"
)

// hideOld adds what the same check finds at a revision to the findings that are known. words are the paths of the command line;
// whole says that the entries of the configuration are checked. An error is a flag that cannot go
// with it, a revision or repository that cannot be read, or a fault of the check of the revision.
func (a *app) hideOld(r *checkRun, s *check.Session, words []string, paths, whole bool) (err error) {
	if r.newSince == "" {
		return nil
	}
	if r.filters.writeBaseline != "" {
		return errors.New("give either --new-since or --write-baseline")
	}
	if r.Run.File == "-" {
		return errors.New("--new-since needs files of the repository: standard input is in none")
	}
	tree, err := gittree.Open(a.context(), ".", r.newSince)
	if err != nil {
		return fmt.Errorf("--new-since: %w", err)
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	// The old check takes limits and environment from the present one, so that only the files
	// differ, and no baseline: what a baseline hides was found, too.
	old := &check.Session{FS: tree, Limits: s.Limits, Environment: s.Environment, Filter: &suppress.Filter{Severity: s.Filter.Severity},
		Strict: s.Strict, MinTyped: s.MinTyped, Explore: s.Explore, Keep: check.KeepValues, Time: s.Time}
	if s.Config != nil {
		if old.Config, err = config.Read(tree, s.Config.File()); err != nil { // nothing was configured then
			old.Config, err = nil, nil
		}
	}
	// Folders may have configurations of their own, which are those of the revision for the old
	// check.
	if s.Nearest != nil {
		old.Nearest = func(c *config.Config) (*check.Session, error) { return a.sessionBelow(r, old, c) }
	}
	files, list, err := a.foundAt(old, r, words, paths, whole)
	// A repository that fails makes files seem absent, so that it is asked for before the other
	// errors.
	if fault := tree.Fault(); fault != nil {
		return fmt.Errorf("--new-since %s: %w", r.newSince, fault)
	}
	if err != nil {
		return err
	}

	s.Filter.Baseline, err = s.Filter.Baseline.With(suppress.BaselineOf(files, list), r.newSince)
	return err
}

// foundAt is what a session of an older revision finds. What cannot be checked there has no
// findings. paths says that words are files or folders, otherwise the target of the command is
// checked. The error is that of a check that fails as a whole.
func (a *app) foundAt(old *check.Session, r *checkRun, words []string, paths, whole bool) (*source.FileSet, []*diag.Diagnostic, error) {
	// An empty result: there are no findings.
	none := source.NewFileSet()
	switch {
	case whole:
		if old.Config == nil {
			return none, nil, nil
		}
		targets, err := old.Targets()
		if err != nil {
			return none, nil, nil // it had no entries
		}
		p, err := old.CheckAll(a.context(), targets, &progress{})
		if err != nil {
			return nil, nil, err
		}
		return p.Files, p.Diagnostics, nil
	case paths:
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool {
			_, err := old.Files([]string{w})
			return err != nil // it was not there
		})
		if len(words) == 0 {
			return none, nil, nil
		}
		files, err := old.Files(words)
		if err != nil || len(files) == 0 {
			return none, nil, nil
		}
		p, err := trial.CheckFiles(a.context(), old, files, &progress{}, nil)
		if err != nil {
			return nil, nil, err
		}
		return p.Files, p.Diagnostics, nil
	}
	t := r.Target
	res, err := old.Check(a.context(), &t)
	if err != nil {
		return none, nil, a.context().Err() // the file or the entry was not there
	}
	return res.Files, res.Diagnostics, nil
}
