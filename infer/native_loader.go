package infer

// This file lists the modules of folders, as pkgutil does, and loads modules from files, as
// the loaders of importlib do. Only what may be read counts: of other folders nothing is known.

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/reads"
)

func (im *imports) loaderNatives(def func(name string, fn value.NativeFunc)) {
	def("modules_in", im.modulesIn)
	def("module_in", im.moduleIn)
	def("new_module", im.newModule)
	def("exec_module", im.execModule)
	def("arguments_open", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		return value.Bool(im.cfg.ArgumentsOpen), nil
	})
	def("source_path", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 1 {
			if p, ok := value.AsStr(args[0]); ok {
				if s := im.finder.sourcePath(p); s != "" {
					return value.Str(s), nil
				}
			}
		}
		return value.None, nil
	})
}

// sourcePath is the absolute path, without links, of a file of source or of a folder with
// such that may be read; empty for others.
func (f *finder) sourcePath(path string) string {
	if path == "" {
		path = "."
	}
	real, err := f.fs.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	if strings.HasSuffix(path, ".py") {
		if dir, err := f.fs.EvalSymlinks(filepath.Dir(path)); err == nil && f.readable(path) {
			return filepath.Join(dir, filepath.Base(path))
		}
		return ""
	}
	if f.hasPython(real) {
		return real
	}
	return ""
}

// SourcePath is part of value.Thread.
func (in *Interp) SourcePath(path string) string { return in.finder.sourcePath(path) }

// folderArg reads a folder that may be read; why says what else it is.
func (f *finder) folderArg(args []value.Value) (dir, why string) {
	if len(args) == 0 {
		return "", "which folder has the modules"
	}
	dir, ok := value.AsStr(args[0])
	if !ok {
		return "", "which folder has the modules"
	}
	if dir == "" {
		dir = "."
	}
	if _, err := f.fs.EvalSymlinks(dir); errors.Is(err, reads.ErrOutside) {
		return "", "the modules of a folder outside of the project"
	}
	return dir, ""
}

// modulesIn implements modules_in(folder): (name, is a package) of each module that lies
// there, in the order of the names of the files.
func (im *imports) modulesIn(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	dir, why := im.finder.folderArg(args)
	if why != "" {
		return im.host.Unknown(why), nil
	}
	var out []value.Value
	for _, m := range im.finder.modulesOf(dir) {
		out = append(out, value.NewTuple(value.Str(m.name), value.Bool(m.dirs != nil)))
	}
	return im.heap.NewList(out), nil
}

// moduleIn implements module_in(folder, name): the file of a module and the folders of a
// package, None where the folder has none of that name.
func (im *imports) moduleIn(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	dir, why := im.finder.folderArg(args)
	if why == "" && len(args) == 2 {
		if name, ok := value.AsStr(args[1]); ok {
			for _, m := range im.finder.modulesOf(dir) {
				if m.name == name {
					return value.NewTuple(value.Str(m.path), im.dirList(m.dirs)), nil
				}
			}
			return value.None, nil
		}
		why = "which module is meant"
	}
	return im.host.Unknown(why), nil
}

// A foundModule is a module that lies in a folder; dirs are those of a package.
type foundModule struct {
	name, path string
	dirs       []string
}

// modulesOf lists the modules of a folder as pkgutil.iter_modules does: sources, compiled
// ones, and folders with an __init__.py.
func (f *finder) modulesOf(dir string) []foundModule {
	entries, err := f.fs.ReadDir(dir)
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	kinds := map[string]fs.FileMode{}
	for i, e := range entries {
		names[i] = e.Name()
		kinds[e.Name()] = e.Type()
	}
	slices.Sort(names)
	var out []foundModule
	seen := map[string]bool{"__init__": true}
	for _, file := range names {
		path := filepath.Join(dir, file)
		m := foundModule{name: moduleNameOf(file), path: path}
		if m.name == "" && !strings.Contains(file, ".") && (kinds[file].IsDir() || kinds[file]&fs.ModeSymlink != 0) {
			init := filepath.Join(path, "__init__.py")
			if !f.readable(init) {
				continue
			}
			m = foundModule{name: file, path: init, dirs: []string{path}}
		}
		if m.name == "" || strings.Contains(m.name, ".") || seen[m.name] {
			continue
		}
		seen[m.name] = true
		out = append(out, m)
	}
	return out
}

// moduleNameOf is the name of the module that a file has; empty when it has none.
func moduleNameOf(file string) string {
	for _, suffix := range []string{".cpython-311-x86_64-linux-gnu.so", ".abi3.so", ".so", ".py", ".pyc"} {
		if name, ok := strings.CutSuffix(file, suffix); ok {
			return name
		}
	}
	return ""
}

// newModule implements new_module(name, file, folders): a module that has not run.
func (im *imports) newModule(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 3 {
		return im.host.Unknown("a module that is made"), nil
	}
	name, ok := value.AsStr(args[0])
	path, ok2 := value.AsStr(args[1])
	if !ok || !ok2 {
		return im.host.Unknown("a module that is made"), nil
	}
	m := &value.Module{Name: name, Attrs: im.heap.NewAttrs()}
	if filepath.Base(path) == "__init__.py" {
		m.Package, m.Dirs = true, []string{filepath.Dir(path)}
	}
	im.setModuleNames(m, path)
	return m, nil
}

// execModule implements exec_module(module, file). A module that has run is as another run
// would leave it.
func (im *imports) execModule(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return value.None, nil
	}
	m, ok := args[0].(*value.Module)
	path, ok2 := value.AsStr(args[1])
	if !ok || m.File != nil || m.Partial != nil || m.Prelude {
		return value.None, nil
	}
	if !ok2 || !strings.HasSuffix(path, ".py") || !im.finder.readable(path) {
		m.Partial = im.losses.notFollowed(m.Name, m.Name, "is loaded from a file that cannot be read")
		return value.None, nil
	}
	file, err := im.finder.readModule(path)
	if err != nil {
		m.Partial = im.losses.notFollowed(m.Name, m.Name, "is loaded from a file that cannot be read")
		return value.None, nil
	}
	u, err := im.parse(file)
	if err != nil {
		return nil, err
	}
	m.File = u.file
	if len(u.diags) > 0 {
		m.Partial = &value.Cause{At: im.host.Here(), Reason: "module '" + m.Name + "' has a syntax error", Reported: true}
		return value.None, nil
	}
	return value.None, im.host.runModule(m, u)
}
