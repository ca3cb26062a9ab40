package infer

// This file finds modules in the environment of a project: what its Python has installed.
// The environment is looked for when a program asks for a module that neither is built in
// nor found under the roots.
//
// It also says what is installed: which modules an import would find, and which
// versions the folders of installed packages name (X-1.0.dist-info).

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
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
	return file != nil && f.inEnvironment(file)
}

// inEnvironment reports whether a file belongs to a package that the environment has installed.
func (f *finder) inEnvironment(file *source.File) bool {
	if f.env == nil || !f.thirdParty(file.Place()) {
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

// FindSpec gives the specification of a module that an import would find, else None.
// The packages around it are imported, as Python does. An error is what one of them raises as it is imported, what the
// attribute __spec__ of a loaded module raises, or a ModuleNotFoundError where a package is missing and the program
// catches that.
func (in *Interp) FindSpec(name string) (value.Value, error) {
	v, ok := in.world.Loaded(name)
	if m := in.modules[name]; m != nil && !ok {
		v, ok = m, true
	}
	if ok {
		spec, found, err := in.LookupAttr(v, "__spec__")
		if err != nil || found {
			return spec, err
		}
		return in.Unknown("the specification of a module"), nil
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		p, err := in.Import(name[:i])
		if err != nil {
			return nil, err
		}
		if value.IsUnknown(p) {
			if err := in.imports.missingImport(in.stack.frame, p); err != nil {
				return nil, err
			}
			in.imports.lack(name)
			return value.None, nil
		}
	}
	if !lib.Known(name) || lib.Extra(name) || in.finder.shadowed(name) {
		if path, dirs, ok := in.finder.findUser(name); ok {
			return in.imports.newSpec(name, value.Str(path), in.imports.dirList(dirs), "__spec__")
		}
		if dirs, compiled, ok := in.finder.findOther(name); ok && compiled {
			return in.imports.newSpec(name, value.Str(dirs[0]), value.None, "__spec__")
		} else if ok {
			return in.imports.newSpec(name, value.None, in.imports.dirList(dirs), "__spec__")
		}
	}
	if _, _, ok := in.finder.stubOf(name); ok || lib.Known(name) && !lib.Extra(name) || catalog.HasPrefix(name) {
		return in.imports.newSpec(name, value.None, value.None, "__spec__")
	}
	in.imports.lack(name)
	return value.None, nil
}

func (im *imports) dirList(dirs []string) value.Value {
	if dirs == nil {
		return value.None
	}
	return im.heap.NewList(strs(dirs))
}

// ImportModule is importlib.import_module of a full name. An error is what the module raises as it runs, or a
// ModuleNotFoundError where it is not found and the program has another way then.
func (in *Interp) ImportModule(name string) (value.Value, error) {
	m, err := in.Import(name)
	if err != nil {
		return nil, err
	}
	return m, in.imports.missingImport(in.stack.frame, m)
}

// IsLoaded reports whether a module has run, or would have in Python: its import may wait.
func (in *Interp) IsLoaded(name string) bool {
	if in.finder.imported(name) != nil {
		return true
	}
	if len(in.finder.tops) == 0 {
		return false
	}
	path, _, ok := in.finder.findUser(name)
	t := in.finder.tops[path]
	return ok && t != nil && t.quiet
}

// LoadedModules are the names of the modules that the program has imported, sorted.
func (in *Interp) LoadedModules() []string { return in.finder.loadedNames() }

// loadedNames are the names of the modules that were loaded, sorted, without the parts of our stubs that no package has.
func (f *finder) loadedNames() []string {
	var out []string
	for name := range f.modules {
		if !lib.Known(name) || !strings.HasPrefix(name, "_") && !strings.Contains(name, "._") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Version gives the version of an installed distribution: a str, which is not known
// where the package is there without a folder that names it. What is not there is an
// error where the program has another way then.
func (in *Interp) Version(dist string) (value.Value, error) {
	name := normalDist(dist)
	if name == "torch" {
		return value.Str(in.versions.torchVersion()), nil
	}
	if d, ok := in.finder.distributions()[name]; ok {
		return value.Str(d.version), nil
	}
	module := strings.ReplaceAll(name, "-", "_")
	if lib.Known(module) {
		if m, err := in.Import(module); err == nil {
			if v, ok, err := in.LookupAttr(m, "__version__"); ok && err == nil && !value.IsUnknown(v) {
				return v, nil
			}
		}
	}
	unknown := &value.Abstract{Class: in.world.Class("str"), Cause: &value.Cause{At: in.Here(), Reason: "the version of '" + dist +
		"' is not known"}}
	if lib.Known(module) {
		return unknown, nil
	}
	if _, _, ok := in.finder.findUser(module); ok {
		return unknown, nil
	}
	if _, _, ok := in.finder.stubOf(module); ok {
		return unknown, nil
	}
	err := in.Fail("importlib.metadata.PackageNotFoundError", diag.New(diag.ImportFailed, in.Here(),
		"no package metadata was found for "+dist, dist))
	if in.hasFallback(err) {
		return nil, err
	}
	return unknown, nil
}

// Distributions lists the distributions that provide a module.
func (in *Interp) Distributions(module string) []string { return in.finder.distributionsOf(module) }

// distributionsOf names the distributions that bring a module: the one of its name, or all that list it, as
// several share a namespace package.
func (f *finder) distributionsOf(module string) []string {
	if d, ok := f.distributions()[normalDist(module)]; ok {
		return []string{d.name}
	}
	var out []string
	for _, d := range f.distOrder {
		if f.provides(d, module) {
			out = append(out, d.name)
		}
	}
	return out
}

// A distribution is an installed package as its folder of metadata names it.
type distribution struct {
	name, version, dir string
}

// distributions are those that the roots have, by their normal names.
func (f *finder) distributions() map[string]*distribution {
	if f.dists != nil {
		return f.dists
	}
	f.dists = map[string]*distribution{}
	f.environment()
	for _, root := range f.packageRoots() {
		entries, err := f.fs.ReadDir(root)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name, version, ok := distributionOf(e.Name())
			if key := normalDist(name); ok && f.dists[key] == nil {
				d := &distribution{name, version, filepath.Join(root, e.Name())}
				f.dists[key] = d
				f.distOrder = append(f.distOrder, d)
			}
		}
	}
	return f.dists
}

// distributionOf reads the name of a folder of metadata: torch-2.6.0.dist-info.
func distributionOf(folder string) (name, version string, ok bool) {
	base, ok := strings.CutSuffix(folder, ".dist-info")
	if !ok {
		if base, ok = strings.CutSuffix(folder, ".egg-info"); !ok {
			return "", "", false
		}
		if i := strings.LastIndex(base, "-py"); i >= 0 {
			base = base[:i]
		}
	}
	return strings.Cut(base, "-")
}

// provides reports whether a distribution has a module of a name, as its list of files says.
func (f *finder) provides(d *distribution, module string) bool {
	if text, err := f.readText(filepath.Join(d.dir, "top_level.txt")); err == nil {
		for _, line := range strings.Fields(text) {
			if line == module {
				return true
			}
		}
		return false
	}
	text, err := f.readText(filepath.Join(d.dir, "RECORD"))
	return err == nil && (strings.HasPrefix(text, module+"/") || strings.HasPrefix(text, module+".py,") ||
		strings.Contains(text, "\n"+module+"/") || strings.Contains(text, "\n"+module+".py,"))
}

// normalDist is the form of a distribution's name by which names are compared.
func normalDist(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	return strings.Join(words, "-")
}

// findOther finds what is no file of source: folders without __init__.py, all of which
// are a package together (PEP 420), or a module that is compiled, whose folder is given.
func (f *finder) findOther(name string) (dirs []string, compiled, ok bool) {
	last, roots := f.rootsOf(name)
	if lib.Known(name) || last == "" { // a directory without __init__.py comes after all modules
		return nil, false, false
	}
	if !strings.Contains(name, ".") {
		roots = append(roots[:len(roots):len(roots)], f.environment().Paths...)
	}
	for _, root := range roots {
		dir := filepath.Join(root, last)
		if info, err := f.fs.Stat(dir); err == nil && info.IsDir() && f.hasPython(dir) {
			dirs = append(dirs, dir)
		} else if f.hasCompiled(root, last) {
			return []string{root}, true, true
		}
	}
	more, known := f.portions(name)
	return append(dirs, more...), false, known || len(dirs) > 0
}

// hasFallback reports whether the program has another way where something is not
// installed: a running try statement catches the error, and not only to raise another
// one that says what to install.
func (in *Interp) hasFallback(err error) bool {
	var e *value.Exception
	if !errors.As(err, &e) {
		return false
	}
	for i := len(in.handlers) - 1; i >= 0; i-- {
		h := &in.handlers[i]
		if h.native { // the interpreter's own, which records what a traced body raises
			continue
		}
		for _, c := range h.catches {
			if e.Value.Class.IsSubclass(c) {
				return true
			}
		}
		if h.try == nil {
			continue
		}
		if c := in.exceptions.clause(h.frame, h.try, e); c != nil {
			if _, raises := c.Body[len(c.Body)-1].(*ast.Raise); !raises {
				return true
			}
		}
	}
	return false
}
