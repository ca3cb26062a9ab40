package infer

// This file finds modules in the environment of a project: what its Python has installed.
// The environment is looked for when a program asks for a module that neither is built in
// nor found under the roots.

import (
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/project/pyenv"
)

// environment is the environment; empty where there is none.
func (f *finder) environment() *pyenv.Environment {
	if f.env != nil {
		return f.env
	}
	if f.env = f.cfg.Environment.Find(f.fs.Ungated(), f.cfg.environmentFor()); f.env == nil {
		f.env = &pyenv.Environment{}
	}
	f.fs.Add(environmentRoots(f.env)...)
	return f.env
}

// An Installed says what an environment gave a run.
type Installed struct {
	// Folder is the environment, named as files are: from the project where it lies in it.
	Folder string
	// Torch is the version of its PyTorch where it was taken; else empty.
	Torch string
	// Followed are the packages of it that the program asked for and that ran from their
	// source; Idle those that give unknown values. Both are sorted.
	Followed, Idle []string
}

// installedPackages tells what the environment gave; nil where it was not looked at.
func (in *Interp) installedPackages() *Installed {
	if in.finder.env == nil || in.finder.env.Folder == "" {
		return nil
	}
	out := &Installed{Folder: in.finder.shown(in.finder.env.Folder), Torch: in.versions.torchFound, Followed: []string{}, Idle: []string{}}
	for name, follow := range in.finder.follows {
		if follow {
			out.Followed = append(out.Followed, name)
		} else {
			out.Idle = append(out.Idle, name)
		}
	}
	slices.Sort(out.Followed)
	slices.Sort(out.Idle)
	return out
}

// packageRoots are the roots and the folders of the environment as far as it is known.
func (f *finder) packageRoots() []string {
	roots := f.cfg.Roots
	if f.env != nil {
		roots = append(roots[:len(roots):len(roots)], f.env.Paths...)
	}
	return roots
}

// findInstalled finds the file of a module in the environment, as findUser does: in its
// folders if the module is at the top, else by its whole name.
func (f *finder) findInstalled(name string) (path string, dirs []string, ok bool) {
	env := f.environment()
	if path, ok := env.Modules[name]; ok {
		if strings.HasSuffix(path, ".py") {
			return path, nil, f.readable(path)
		}
		if init := filepath.Join(path, "__init__.py"); f.readable(init) {
			return init, []string{path}, true
		}
	}
	if strings.Contains(name, ".") {
		return "", nil, false
	}
	return f.findIn(env.Paths, name)
}

// maxSmall is how many files of Python a package may have that is followed whatever it does.
const maxSmall = 8

// isIdle reports whether a module is of an installed package that is not followed: what it
// gives is not known. Followed are those that use PyTorch, what is small, and what is
// installed in editable form; the rest, plots and tables and servers, is large, mostly
// compiled and gives no shapes.
func (f *finder) isIdle(name string) bool {
	top, _, _ := strings.Cut(name, ".")
	if follow, known := f.follows[top]; known {
		return !follow
	}
	if f.modules[top] != nil || lib.Known(top) {
		return false
	}
	if _, _, local := f.findLocal(top); local {
		return false
	}
	path, dirs, ok := f.findInstalled(top)
	if !ok {
		return false
	}
	if f.follows == nil {
		f.follows = map[string]bool{}
	}
	if dirs != nil {
		path = dirs[0]
	}
	follow := !f.thirdParty(path) || f.followed(top, filepath.Dir(path))
	f.follows[top] = follow
	return !follow
}

// followed reports whether a package of a folder of installed packages is followed, by the
// records of its distribution. One without records is.
func (f *finder) followed(top, dir string) bool {
	d := f.distributions()[normalDist(top)]
	if d == nil || filepath.Dir(d.dir) != dir {
		names := f.distributionsOf(top)
		if len(names) == 0 {
			return true
		}
		d = f.distributions()[normalDist(names[0])]
	}
	if yes, known := lib.Followed(normalDist(d.name)); known {
		return yes
	}
	if strings.Contains(d.name, "torch") {
		return true
	}
	meta, err := f.readText(filepath.Join(d.dir, "METADATA"))
	if err != nil {
		return true
	}
	head, _, _ := strings.Cut(strings.ReplaceAll(meta, "\r\n", "\n"), "\n\n")
	for line := range strings.Lines(head) {
		need, ok := strings.CutPrefix(line, "Requires-Dist: torch")
		if !ok || need != "" && strings.ContainsAny(need[:1], "-_abcdefghijklmnopqrstuvwxyz") {
			continue
		}
		// With an extra of its name the package is of use without PyTorch, too, and has parts for
		// it; other extras are those of its tests and its documents.
		if _, extra, is := strings.Cut(need, "extra =="); !is || strings.Contains(extra, "torch") {
			return true
		}
	}
	record, err := f.readText(filepath.Join(d.dir, "RECORD"))
	if err != nil {
		return true
	}
	return !strings.Contains(record, ".so,") && !strings.Contains(record, ".pyd,") && strings.Count(record, ".py,") <= maxSmall
}

// doubtInstalled makes an info of a fault of Python in a package that was found in the
// environment: it was installed to run there, and more likely needs something that is not
// modelled. Wrong shapes and what it raises itself stay errors: it may have been given wrong
// sizes.
func (in *Interp) doubtInstalled(d *diag.Diagnostic) {
	if in.finder.isUncertain(d) {
		d.Severity = diag.Info
		d.Notes = append(d.Notes, "this is in an installed package, which may need what is not modelled")
	}
}

// isUncertain reports whether an error is such a fault.
func (f *finder) isUncertain(d *diag.Diagnostic) bool {
	if f.env == nil || d.Severity != diag.Error {
		return false
	}
	switch d.Code {
	case diag.TypeMismatch, diag.UnknownName, diag.UnknownAttribute, diag.BadCall, diag.ImportFailed:
		return f.ofEnvironment(d.At)
	}
	return false
}

// ofEnvironment reports whether a place is in a package that the environment has installed.
func (f *finder) ofEnvironment(at source.Span) bool {
	file := f.files.File(at.Start)
	if f.env == nil || file == nil || !f.thirdParty(file.Place()) {
		return false
	}
	path := f.absolute(file.Place())
	return slices.ContainsFunc(f.env.Paths, func(dir string) bool { return liesIn(path, dir) })
}

// portions are the folders of a package without a file that installers name, beside those
// in the folders of modules.
func (f *finder) portions(name string) (dirs []string, ok bool) {
	env := f.environment()
	dirs, ok = env.Namespaces[name]
	if path, is := env.Modules[name]; is && !strings.HasSuffix(path, ".py") {
		dirs, ok = append(dirs[:len(dirs):len(dirs)], path), true
	}
	return dirs, ok
}
