package infer

// This file loads stubs: Python files of the user that stand for modules, or for some of
// their names, as the prelude's files stand for those of PyTorch.
//
// A stub runs after the module that it stands for, if there is one, and its names replace
// those of the module, also for the module's own functions. Its frames are marked like the
// prelude's, so that findings point at the code that calls it.
//
// It also changes modules of published packages: what they fetch from a hub or read from
// files is replaced by what can be known. The files that do so are the prelude's (lib.Over).
// The texts that they ask for are read here, too: files of the project, and no others.

import (
	"errors"
	"path/filepath"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

// stubOf finds the file that stands for a module: NAME.py or NAME/__init__.py below one of
// the folders of Config.Stubs. A folder alone is a package without names, and its path empty.
func (f *finder) stubOf(name string) (path string, pkg, ok bool) {
	if len(f.cfg.Stubs) == 0 {
		return "", false, false
	}
	parts := strings.Split(name, ".")
	for _, p := range parts {
		if !isIdentifier(p) {
			return "", false, false
		}
	}
	rel := filepath.Join(parts...)
	for _, dir := range f.cfg.Stubs {
		base := filepath.Join(dir, rel)
		if path := base + ".py"; f.readable(path) {
			return path, false, true
		}
		if path := filepath.Join(base, "__init__.py"); f.readable(path) {
			return path, true, true
		}
		if info, err := f.fs.Stat(base); err == nil && info.IsDir() && f.hasPython(base) {
			return "", true, true
		}
	}
	return "", false, false
}

// loadStub runs the stub of a module over the module, which need not exist.
func (im *imports) loadStub(name, path string, pkg bool) (*value.Module, error) {
	real, err := im.loadReal(name)
	if fatal(err) {
		return nil, err
	}
	if err != nil { // it cannot be imported: the stub stands for all of it
		delete(im.modules, name)
		real = nil
	}
	if path == "" && real != nil {
		return real, nil
	}
	m := &value.Module{Name: name, Attrs: im.heap.NewAttrs(), Prelude: true, Package: pkg}
	m.Attrs.Set(&im.heap, "__name__", value.Str(name))
	if real == nil {
		im.modules[name] = m
		m.Partial = &value.Cause{At: im.host.Here(), Reason: "the stub of module '" + name + "' lacks this name"}
	}
	if path == "" {
		return m, nil
	}
	file, err := im.finder.readModule(path)
	if err != nil {
		return nil, im.stubFault("the stub of module %s cannot be read: %v", name, err)
	}
	file.Prelude = true
	u, err := im.finder.unit(file, false)
	if err != nil {
		return nil, err
	}
	if len(u.diags) > 0 {
		line, _ := file.LineCol(u.diags[0].At.Start)
		return nil, im.stubFault("the stub %s, line %d: %s", path, line, u.diags[0].Msg)
	}
	m.File = u.file
	if err := im.host.runModule(m, u); err != nil {
		var e *value.Exception
		if errors.As(err, &e) {
			return nil, im.stubFault("the stub %s does not run: %s", path, e.Error())
		}
		return nil, err
	}
	if real == nil {
		return m, nil
	}
	for i := range m.Attrs.Len() {
		if n := m.Attrs.Name(i); !strings.HasPrefix(n, "__") {
			if v, ok := m.Attrs.Get(n); ok {
				real.Attrs.Set(&im.heap, n, v)
			}
		}
	}
	return real, nil
}

// loadStandIn loads our stub of a package that is not followed; nil where there is none, and
// where the package is missing and the program has another way then.
func (im *imports) loadStandIn(name string) (*value.Module, error) {
	path, text, ok := lib.Stub(name)
	if !ok {
		return nil, nil
	}
	top, _, isPart := strings.Cut(name, ".")
	if whole := im.modules[top]; isPart && whole != nil && !whole.Prelude {
		return nil, nil // the package is there: what it lacks is no module
	}
	if !im.finder.isIdle(name) && im.host.hasFallback(im.host.Fail("ModuleNotFoundError",
		diag.New(diag.ImportFailed, im.host.Here(), "module was not found"))) {
		return nil, nil
	}
	m := &value.Module{Name: name, Attrs: im.heap.NewAttrs(), Prelude: true, Package: true}
	m.Partial = &value.Cause{At: im.host.Here(), Reason: name + " is not installed, and the stub for it lacks this name", Missing: true}
	m.Attrs.Set(&im.heap, "__name__", value.Str(name))
	im.modules[name] = m
	if im.standIns == nil {
		im.standIns = map[*value.Module]bool{}
	}
	im.standIns[m] = true
	if path == "" {
		return m, nil
	}
	return m, im.runPrelude(m, path, text)
}

// stubFault ends the run: what is wrong with a stub is a fault in what was asked for.
func (im *imports) stubFault(format string, args ...any) error {
	im.badStub = usagef(format, args...)
	return im.badStub
}

// published reports whether a module of the project is of a package that is published under
// its name, so that it is the one that is meant there: the repository of that package, not a
// folder that is called as it is. Only that the package names its version is looked at.
func (f *finder) published(name string) bool {
	if _, _, ok := lib.Over(name); !ok {
		return false
	}
	top, _, _ := strings.Cut(name, ".")
	path, _, ok := f.findUser(top)
	return ok && f.mentions(path, "__version__")
}

// runOver runs what is to be run after a module of an installed package. Its names that do
// not begin with "_" replace those of the module; others are added.
func (im *imports) runOver(m *value.Module) error {
	path, text, ok := lib.Over(m.Name)
	if !ok {
		return nil
	}
	over := &value.Module{Name: m.Name, Attrs: im.heap.NewAttrs(), Prelude: true, Package: m.Package}
	over.Attrs.Set(&im.heap, "__name__", value.Str(m.Name))
	if err := im.runPrelude(over, path, text); err != nil {
		return err
	}
	for i := range over.Attrs.Len() {
		name := over.Attrs.Name(i)
		if _, known := m.Attrs.Get(name); !known || name[0] != '_' {
			m.Attrs.Set(&im.heap, name, over.Attrs.At(i))
		}
	}
	return nil
}

// projectText gives the text of a file of the project; None where it has none of that name.
func (f *finder) projectText(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 1 {
		return value.None, nil
	}
	name, ok := value.AsStr(args[0])
	if !ok {
		return value.None, nil
	}
	path, _ := f.projectFile(name)
	if data, err := reads.File(f.fs, path, source.MaxFileSize); path != "" && err == nil {
		if text, err := parser.Decode(data); err == nil {
			return value.Str(text), nil
		}
	}
	return value.None, nil
}

// outsideText implements outside_file(path): what is not known because the path leads to none of the files that may be
// read; None where it may.
func (na *natives) outsideText(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) == 1 {
		name := na.pathText(args[0])
		if _, outside := na.in.finder.projectFile(name); outside {
			return na.in.losses.unknown(na.in.losses.outsideFile(name)), nil
		}
	}
	return value.None, nil
}
