package infer

// This file says which files a run may read: those of the project and of the folders that the user has
// named. What a program names, or a link in it, leads nowhere else.

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/project/pyenv"
)

// Gate gives the files that a run of the configuration may read, before it is known what its environment has.
// These are what lies below Roots, Stubs and Base, below the working directory if File does, else beside it, and
// in the packages around File; and the Python files of its project.
func (c *Config) Gate() *reads.Gate {
	if c.gate != nil {
		return c.gate
	}
	fsys := reads.Or(c.FS)
	var roots []reads.Root
	add := func(path string) { roots = append(roots, reads.Root{Path: path, Reach: reads.Everything}) }
	for _, list := range [][]string{c.Roots, c.Stubs} {
		for _, path := range list {
			add(path)
		}
	}
	if c.Base != "" {
		add(c.Base)
	}
	c.gate = reads.NewGate(fsys, roots...)
	if c.File == "" {
		return c.gate
	}
	abs, err := fsys.Abs(c.File)
	if err != nil {
		return c.gate
	}
	around := filepath.Dir(abs)
	if wd, err := fsys.Getwd(); err == nil && liesIn(abs, wd) {
		around = wd
	}
	c.gate.Add(reads.Root{Path: around, Reach: reads.Everything})
	// What is around the file counts only if it lies where it seems to.
	dir, err := c.gate.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return c.gate
	}
	outermost := ""
	for at := dir; filepath.Dir(at) != at; at = filepath.Dir(at) {
		if _, err := fsys.Stat(filepath.Join(at, "__init__.py")); err != nil {
			break
		}
		outermost = at
	}
	if outermost != "" {
		c.gate.Add(reads.Root{Path: outermost, Reach: reads.Everything})
	}
	if root := pyenv.Root(fsys, dir); root != "" {
		c.gate.Add(reads.Root{Path: root, Reach: reads.Sources})
	}
	return c.gate
}

// EnvironmentRoots are what of the environment of the configuration may be read, with the folders in which it is looked for:
// none of it is chosen by the program.
func (c *Config) EnvironmentRoots() []reads.Root {
	env := c.Environment.Find(reads.Or(c.FS), c.environmentFor())
	roots := environmentRoots(env)
	if env != nil {
		roots = append(roots, reads.Root{Path: env.Folder, Reach: reads.Everything})
	}
	if c.Environment.Poetry != "" {
		roots = append(roots, reads.Root{Path: c.Environment.Poetry, Reach: reads.Everything})
	}
	return roots
}

// environmentFor is the folder of which the environment is meant.
func (c *Config) environmentFor() string {
	switch {
	case c.File != "":
		return filepath.Dir(c.File)
	case len(c.Roots) > 0:
		return c.Roots[0]
	}
	return "."
}

// environmentRoots are what of an environment may be read. What was found in the project lies in it.
func environmentRoots(env *pyenv.Environment) []reads.Root {
	if env == nil {
		return nil
	}
	var roots []reads.Root
	add := func(path string) { roots = append(roots, reads.Root{Path: path, Reach: reads.Everything}) }
	for _, path := range env.Paths {
		add(path)
	}
	for _, name := range slices.Sorted(maps.Keys(env.Modules)) {
		add(env.Modules[name])
	}
	for _, name := range slices.Sorted(maps.Keys(env.Namespaces)) {
		for _, path := range env.Namespaces[name] {
			add(path)
		}
	}
	return roots
}

// outsideFile is the cause of what is not known of a file that the program names and the run may not read. Of
// each file it is said once.
func (l *losses) outsideFile(name string) *value.Cause {
	c := l.outsides[name]
	if c == nil {
		at := l.stack.currentSpan()
		c = &value.Cause{At: at, Reason: "'" + name + "' is outside of the checked folders"}
		d := diag.New(diag.Unsupported, at, c.Reason+": it is not read, and what it holds is unknown", name)
		d.Notes = append(d.Notes, "a folder that may be read is given with --path")
		l.explain(c, d)
		if l.outsides == nil {
			l.outsides = map[string]*value.Cause{}
		}
		l.outsides[name] = c
	}
	if l.stack.inEntry {
		l.surface(c)
	}
	return c
}

// outsideModule is a module that the run may not read, by the name that the program has for it.
func (l *losses) outsideModule(name string) *value.Unknown {
	c := l.outsideFile(name)
	c.Missing = true
	return l.unknown(c)
}

// leadsOutside reports whether the name of a module, of which nothing was found in some folders, leads to
// files that the run may not read: the folders may not be read, or it is a link out of them.
func (f *finder) leadsOutside(dirs []string, name string) bool {
	for _, dir := range dirs {
		if path := filepath.Join(dir, name); f.isOutside(path) || f.isOutside(path+".py") {
			return true
		}
	}
	return false
}

func (f *finder) isOutside(path string) bool {
	_, err := f.fs.Stat(path)
	return errors.Is(err, reads.ErrOutside)
}

// relativeName is the name of a module as the module that runs has to write it: with dots where they share a
// package.
func (s *stack) relativeName(name string) string {
	if s.frame == nil || s.frame.globals == nil {
		return name
	}
	from, to := strings.Split(s.frame.globals.Name, "."), strings.Split(name, ".")
	if !s.frame.globals.Package {
		from = from[:len(from)-1]
	}
	same := 0
	for same < len(from) && same < len(to)-1 && from[same] == to[same] {
		same++
	}
	if same == 0 {
		return name
	}
	return strings.Repeat(".", len(from)-same+1) + strings.Join(to[same:], ".")
}

// projectFile finds a file that a program names: in the working directory, beside the file that is
// checked, or in the configuration's folder; empty where there is none. outside says that the name leads
// to none of the files that the run may read.
func (f *finder) projectFile(name string) (path string, outside bool) {
	dirs := []string{"."}
	if f.cfg.File != "" {
		dirs = append(dirs, filepath.Dir(f.cfg.File))
	}
	if f.cfg.Base != "" {
		dirs = append(dirs, f.cfg.Base)
	}
	outside = name != ""
	for _, dir := range dirs {
		path := name
		if !filepath.IsAbs(name) {
			path = dir + string(filepath.Separator) + name // a link may stand before ".."
		}
		switch info, err := f.fs.Stat(path); {
		case err == nil && info.Mode().IsRegular():
			return path, false
		case !errors.Is(err, reads.ErrOutside):
			outside = false
		}
	}
	return "", outside
}
