package infer

// This file says what is installed: which modules an import would find, and which
// versions the folders of installed packages name (X-1.0.dist-info).

import (
	"errors"
	"path/filepath"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

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
		if c := in.clause(h.frame, h.try, e); c != nil {
			if _, raises := c.Body[len(c.Body)-1].(*ast.Raise); !raises {
				return true
			}
		}
	}
	return false
}
