// Package pyenv finds the packages that a project's Python has installed, by looking
// at files alone: environments of venv, virtualenv, uv, conda, pixi and poetry, what
// is installed into them in editable form, and the rules of the module site for .pth
// files. Nothing is executed.
//
//	pyenv.go     which environment
//	site.go      the folders of modules in it
//	editable.go  packages that are installed where they are developed
//	poetry.go    environments that poetry keeps elsewhere
package pyenv

// This file decides which environment is meant.

import (
	"errors"
	"path/filepath"
	"strings"

	"shapecheck/internal/reads"
)

// None, in place of an environment, says that there is none.
const None = "none"

// A Search says where an environment may be. What is found by a name that the user gave
// may lead anywhere on the machine; what is found in the project's folder, which is a part
// of what is checked, must lie in it.
type Search struct {
	// Discover says that one is looked for where Python names none.
	Discover bool
	// Python is what the user names: an environment, an interpreter in one, a folder of
	// packages, or None.
	Python string
	// Configured is what the project's configuration names, as Python, below Folder, which is
	// the configuration's.
	Configured, Folder string
	// Active are the environments that the user's shell has activated, the first that
	// exists counts; Base is one that counts where the project has none of its own.
	Active []string
	Base   string
	// Poetry is the folder in which poetry keeps environments; empty: it is not known.
	Poetry string
}

// An Environment is where modules are found after a program's own folders.
type Environment struct {
	// Folder is the environment, Paths the folders of modules in the order in which they
	// are looked at.
	Folder string
	Paths  []string
	// Modules are single modules by their full names: the file, or the folder of a
	// package. Namespaces are packages without a file, by their full names.
	Modules    map[string]string
	Namespaces map[string][]string
	// Outside says that it names folders out of the project, which were left out.
	Outside bool
}

// maxAbove bounds how many folders above a file are looked at.
const maxAbove = 32

// Find finds the environment for a program in dir; nil: there is none.
func (s *Search) Find(fsys reads.FS, dir string) *Environment {
	switch s.Python {
	case None:
		return nil
	case "":
	default:
		return open(fsys, s.Python, "")
	}
	if !s.Discover {
		return nil
	}
	if s.Configured == None {
		return nil
	}
	if s.Configured != "" {
		return open(fsys, s.Configured, s.Folder)
	}
	dirs := project(fsys, dir)
	top := dirs[len(dirs)-1]
	for _, path := range s.Active {
		if e := open(fsys, path, ""); e != nil {
			return e
		}
	}
	for _, dir := range dirs {
		for _, name := range []string{".venv", "venv", filepath.Join(".pixi", "envs", "default")} {
			if e := open(fsys, filepath.Join(dir, name), top); e != nil {
				return e
			}
		}
	}
	for _, dir := range dirs {
		if path := s.poetryEnvironment(fsys, dir); path != "" {
			if e := open(fsys, path, ""); e != nil {
				return e
			}
		}
	}
	if s.Base != "" {
		return open(fsys, s.Base, "")
	}
	return nil
}

// Check reports whether what a user names is an environment. It returns an error if python names neither an
// environment, nor an interpreter of one, nor a folder of packages; empty and None are allowed.
func Check(fsys reads.FS, python string) error {
	if python == "" || python == None || open(fsys, python, "") != nil {
		return nil
	}
	return errors.New(python + " is no environment, no interpreter of one and no folder of packages")
}

// project lists the folders of a project from that of a file to the top: the nearest above
// it that is a repository, else the nearest that looks like a project, else the file's own.
func project(fsys reads.FS, dir string) []string {
	dir, err := fsys.Abs(dir)
	if err != nil {
		return []string{"."}
	}
	var all []string
	end := 0
	for len(all) < maxAbove {
		all = append(all, dir)
		if isRepository(fsys, dir) {
			return all
		}
		if end == 0 && IsProject(fsys, dir) {
			end = len(all)
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	if wd, err := fsys.Getwd(); err == nil && end == 0 {
		for i, d := range all {
			if d == wd {
				end = i + 1
			}
		}
	}
	return all[:max(end, 1)]
}

// Root gives the root of the project around a folder: the nearest repository, the working directory, or the nearest
// folder outside of the packages that looks like a project; empty: there is none.
func Root(fsys reads.FS, dir string) string {
	wd, err := fsys.Getwd()
	if err != nil {
		wd = ""
	}
	inPackage := true
	for range maxAbove {
		inPackage = inPackage && exists(fsys, filepath.Join(dir, "__init__.py"))
		if dir == wd || isRepository(fsys, dir) || !inPackage && IsProject(fsys, dir) {
			return dir
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

func isRepository(fsys reads.FS, dir string) bool { return exists(fsys, filepath.Join(dir, ".git")) }

// IsProject reports whether a folder looks like the root of a project: a repository, or
// one with a file that tools put there.
func IsProject(fsys reads.FS, dir string) bool {
	if isRepository(fsys, dir) {
		return true
	}
	for _, name := range []string{"pyproject.toml", "shapecheck.toml", "setup.py", "setup.cfg", "pixi.toml", "requirements.txt"} {
		if exists(fsys, filepath.Join(dir, name)) {
			return true
		}
	}
	return false
}

// open reads an environment; nil where there is none. Where top is given, what does not
// lie below it after links are followed is left out.
func open(fsys reads.FS, path, top string) *Environment {
	abs, err := fsys.Abs(path)
	if err != nil {
		return nil
	}
	if top != "" {
		fsys = reads.NewGate(fsys, reads.Root{Path: top, Reach: reads.Everything})
	}
	if info, err := fsys.Stat(abs); err != nil {
		return nil
	} else if !info.IsDir() { // an interpreter: bin/python, Scripts\python.exe, or python.exe of conda
		if !strings.HasPrefix(strings.ToLower(filepath.Base(abs)), "python") {
			return nil
		}
		if abs = filepath.Dir(abs); filepath.Base(abs) == "bin" || strings.EqualFold(filepath.Base(abs), "Scripts") {
			abs = filepath.Dir(abs)
		}
	}
	r := &reader{fsys: fsys, found: top != "", env: &Environment{Folder: abs}, met: map[string]bool{}}
	r.environment(abs, 0)
	if len(r.env.Paths) == 0 && top == "" && isDir(fsys, abs) && holdsPackages(fsys, abs) {
		r.site(abs)
	}
	if len(r.env.Paths) == 0 {
		return nil
	}
	return r.env
}

// holdsPackages reports whether a folder is one of installed packages.
func holdsPackages(fsys reads.FS, dir string) bool {
	switch filepath.Base(dir) {
	case "site-packages", "dist-packages":
		return true
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".dist-info") || strings.HasSuffix(e.Name(), ".egg-info") {
			return true
		}
	}
	return false
}

func exists(fsys reads.FS, path string) bool {
	_, err := fsys.Stat(path)
	return err == nil
}

func isDir(fsys reads.FS, path string) bool {
	info, err := fsys.Stat(path)
	return err == nil && info.IsDir()
}
