package cli

// This file brings the configuration of a project to the command line. What the
// command line says goes before what the configuration says.

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/internal/reads"
	"shapecheck/project/config"
	"shapecheck/project/suppress"
)

type configFlags struct {
	file string
	none bool
}

func (f *configFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "config", "", "the configuration: a shapecheck.toml or pyproject.toml; default: the nearest, here or above")
	c.Flags().BoolVar(&f.none, "no-config", false, "read no configuration")
}

// asked reports whether the command line says which configuration is read, if any: then it rules all files.
func (f *configFlags) asked() bool { return f.file != "" || f.none }

// load reads the configuration; nil when there is none. It tells the log which
// file it is.
func (f *configFlags) load(log *reads.Log) (*config.Config, error) {
	file := f.file
	switch {
	case f.none && file != "":
		return nil, errors.New("give either --config or --no-config")
	case f.none:
		return nil, nil
	case file == "":
		var err error
		if file, err = config.Find(reads.Disk{}, "."); file == "" {
			return nil, err
		}
	}
	log.Look(file)
	c, err := config.Read(reads.Disk{}, file)
	if err == nil && c == nil {
		return nil, errors.New(file + " has no table [tool.shapecheck]")
	}
	return c, err
}

// namesNoEntry reports whether no entry is named on the command line.
func (t *target) namesNoEntry() bool {
	c := &t.Run
	return t.Run.Module == "" && t.contract == "" && c.Entry == "" && c.Call == "" && len(c.Args)+len(c.Set)+len(c.Assume) == 0
}

// configure takes over what a configuration says of all entries.
func (t *target) configure(c *config.Config) {
	if c == nil {
		return
	}
	t.Run.Roots = append(t.Run.Roots, (&check.Session{Config: c}).Roots()...)
	t.Run.Stubs = append(t.Run.Stubs, (&check.Session{Config: c}).Stubs()...)
	t.Run.Environment = (&check.Session{Config: c, Environment: t.Run.Environment}).Installed()
	if t.Run.TorchVersion == "" {
		t.Run.TorchVersion = c.TorchVersion
	}
	if t.Run.NumpyVersion == "" {
		t.Run.NumpyVersion = c.NumpyVersion
	}
	if t.Run.PythonVersion == "" {
		t.Run.PythonVersion = c.PythonVersion
	}
	if t.Run.Device == "" {
		t.Run.Device = c.Device
	}
}

// override puts what the command line says of all entries before what the
// configuration says.
func (t *target) override(c *config.Config) {
	if t.Run.TorchVersion != "" {
		c.TorchVersion = t.Run.TorchVersion
	}
	if t.Run.NumpyVersion != "" {
		c.NumpyVersion = t.Run.NumpyVersion
	}
	if t.Run.PythonVersion != "" {
		c.PythonVersion = t.Run.PythonVersion
	}
	if t.Run.Device != "" {
		c.Device = t.Run.Device
	}
	for i := range c.Entries {
		c.Entries[i].Eval = c.Entries[i].Eval || t.Run.Eval
	}
	c.Paths = append(absolute(t.Run.Roots), c.Paths...)
	c.Stubs = append(absolute(t.Run.Stubs), c.Stubs...)
}

// absolute are paths of the command line as they are in a configuration of another folder.
func absolute(paths []string) []string {
	var out []string
	for _, p := range paths {
		if abs, err := filepath.Abs(p); err == nil {
			p = abs
		}
		out = append(out, p)
	}
	return out
}

// configured makes the filter of a configuration and the flags.
func (f *filterFlags) configured(c *config.Config) (*suppress.Filter, error) {
	if c == nil {
		return f.filter(suppress.Filter{})
	}
	if f.baseline != "" || f.writeBaseline != "" { // instead of the configured one
		base, err := c.Filter()
		if err != nil {
			return nil, err
		}
		return f.filter(base)
	}
	base, err := check.ProjectFilter(reads.Disk{}, c)
	if err != nil {
		return nil, err
	}
	return f.filter(*base)
}
