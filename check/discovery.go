package check

// This file holds what was found in a file that no entry of the configuration names, and how
// such a file is read and run. Who finds it is package trial, discover/trial.

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/parser"
	"shapecheck/project/notebook"
)

// How a target was found.
const (
	ByComment    = "comment"
	ByConfig     = "configuration"
	ByAnnotation = "annotation"
	ByTrial      = "trial"
	AsScript     = "script"
)

// A Discovery is what was found in a file.
type Discovery struct {
	// File is the file's path.
	File string
	// Entries are the targets with what came of them, also those that no arguments made run. A target whose Assumed is not
	// empty rests on guesses: its findings are infos but for those that no guess changes.
	Entries []Outcome
	// Diagnostics are findings about comments of the file.
	Diagnostics []*diag.Diagnostic
	// WhyNot says why nothing of the file was checked; empty where something was.
	WhyNot string
	// Idle says that the file ran to its end as a program without a fault, and there was no tensor in it.
	Idle bool
	// Runs is how often something of the file was run.
	Runs int
	// Untried is how many classes that may be run were not tried: parts of others, where the file has many.
	Untried int
	// Survey is what was asked of the files around.
	Survey *srctext.Survey
	// Timed says that the limit of time may have decided what was tried.
	Timed bool
	// Crowded says that a run found too little memory beside those of other files.
	Crowded bool
}

// trim leaves of the results what k says.
func (d *Discovery) trim(k Keep) error {
	for _, x := range d.Entries {
		if err := x.Result.Trim(k); err != nil {
			return err
		}
	}
	return nil
}

// Ran reports whether an entry of a file ran, with a result or a finding.
func (d *Discovery) Ran() bool {
	return slices.ContainsFunc(d.Entries, func(x Outcome) bool { s := x.State(); return x.Err != nil || s != Unsettled && s != NotChecked })
}

// NotRun is the outcome of a target of which nothing ran, and why.
func NotRun(s *Session, t *Target, why string) Outcome {
	return Outcome{Name: t.Name, Result: notRun(t, s.Parsed().Files(), why)}
}

// Check runs a target that says all of what to run.
func (d *Discovery) Check(ctx context.Context, s *Session, t *Target) {
	out := s.CheckEntry(ctx, t)
	d.Note(out.Result)
	if t.How == ByAnnotation && IsUsage(out.Err) {
		out = NotRun(s, t, out.Err.Error()) // it is not annotated so that it can be run
	}
	d.Entries = append(d.Entries, out)
}

// Note counts a run.
func (d *Discovery) Note(r *Result) {
	d.Runs++
	d.Crowded = d.Crowded || r != nil && r.Crowded
}

// IsUsage reports whether an error says that there is nothing to run as it was asked for.
func IsUsage(err error) bool {
	var u *infer.UsageError
	return errors.As(err, &u)
}

// Source reads a file, under the name that a run gives it: so its tree can be used there. It returns an error where the
// file cannot be read, is larger than source.MaxFileSize, is no text, or is a notebook that cannot be decoded.
func (s *Session) Source(file string) (*source.File, error) {
	defer s.Time.Begin(timing.Phase, timing.Reading).End()
	data, err := reads.File(s.Gate(file), file, source.MaxFileSize)
	if err != nil {
		return nil, err
	}
	shown := s.Shown(file)
	text, err := parser.Decode(data)
	if err != nil {
		return nil, err
	}
	src := source.NewFile(shown, text)
	src.Hidden = !reads.IsSource(file)
	if notebook.Is(file) {
		if src, err = notebook.File(shown, string(data)); err != nil {
			return nil, err
		}
	}
	if shown != file {
		src.Path, src.Shown = file, shown
	}
	return src, nil
}

// Shown is the name that findings give a file: from the folder of the configuration, or without
// one from the working directory; a file outside keeps its own.
func (s *Session) Shown(file string) string {
	fsys := reads.Or(s.FS)
	base, err := fsys.Abs(cmp.Or(s.base(), "."))
	if err != nil {
		return file
	}
	abs, err := fsys.Abs(file)
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(base, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return filepath.ToSlash(rel)
}

// FileConfig is how a file of the project is run.
func (s *Session) FileConfig(file string) infer.Config {
	all := s.Everywhere
	cfg := infer.Config{File: file, Eval: s.Eval, Roots: s.Roots(), Stubs: s.Stubs(), Environment: s.Environment,
		TorchVersion: all.TorchVersion, NumpyVersion: all.NumpyVersion, PythonVersion: all.PythonVersion,
		Device: all.Device}
	if c := s.Config; c != nil {
		cfg.TorchVersion, cfg.NumpyVersion, cfg.PythonVersion, cfg.Device = c.TorchVersion, c.NumpyVersion, c.PythonVersion, c.Device
		cfg.Environment = s.Installed()
	}
	return cfg
}

// Gate is what may be read for a file; see infer.Config.Gate.
func (s *Session) Gate(file string) *reads.Gate {
	cfg := s.FileConfig(file)
	cfg.FS, cfg.Base = s.FS, s.base()
	return cfg.Gate()
}
