package infer

// This file lets the imports of installed packages wait until one of their names is used.
// A module of a large library imports a hundred others for the sake of one function or of
// an annotation; Python runs them all.
//
// An import waits only where running its module later cannot be told from running it now:
// the text of the module, and of all that it imports in turn, shows no effects on others
// (toplevel.go) but for registering definitions; and no try statement around it would take
// its failure for an answer. Tables that definitions are registered in have them added
// when a key is not found, or all are asked for (registry.go).

import (
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A waitingName is a name that an import will bind.
type waitingName struct {
	at     source.Span
	module string
	name   string // in the module; empty for the module itself
	busy   bool
	bound  bool        // the names of a star are bound
	value  value.Value // when it was asked for
}

// waitingImports are what the imports of a module that wait will bind.
type waitingImports struct {
	names map[string]*waitingName
	order []string
	// stars are the modules of which all public names are imported, in order.
	stars []*waitingName
}

// letWait has the names of an import wait, and reports whether they do.
func (in *Interp) letWait(f *frame, s *ast.ImportFrom) bool {
	if !in.mayWait(f) {
		return false
	}
	name, fault := absoluteName(f.globals, s)
	if fault != "" || !in.waits(name) {
		return false
	}
	list := s.Names
	if list[0].Name.Name == "*" {
		return in.letStarWait(f, &waitingName{at: s.Span(), module: name})
	}
	for _, a := range list {
		as := a.AsName.Name
		if as == "" {
			as = a.Name.Name
		}
		in.addWaiting(f, as, &waitingName{at: a.Span(), module: name, name: a.Name.Name})
	}
	return true
}

// letNameWait is letWait for one name of a module that has run, or is running: a name that
// waits there, or a module of a package.
func (in *Interp) letNameWait(f *frame, v value.Value, a *ast.Alias) bool {
	m, ok := v.(*value.Module)
	if !ok || m.File == nil || m.Prelude || !in.mayWait(f) {
		return false
	}
	name := a.Name.Name
	if _, ok := m.Attrs.Get(name); ok {
		return false
	}
	if !in.isAwaited(m, name) {
		part := false
		if m.Package {
			_, _, part = in.findUser(m.Name + "." + name)
		}
		// A module that runs may define the name later: what waits can run in another order
		// than Python has, in which it would be there.
		if part && !in.waits(m.Name+"."+name) || !part && in.lazy[m] == nil && !in.unfinished[m] {
			return false
		}
	}
	as := a.AsName.Name
	if as == "" {
		as = name
	}
	in.addWaiting(f, as, &waitingName{at: a.Span(), module: m.Name, name: name})
	return true
}

// letModuleWait is letWait for import a.b as c, and import a.
func (in *Interp) letModuleWait(f *frame, a *ast.Alias) bool {
	name, as := a.Name.Name, a.AsName.Name
	if as == "" {
		as = name
	}
	if strings.Contains(as, ".") || !in.mayWait(f) || !in.waits(name) {
		return false
	}
	in.addWaiting(f, as, &waitingName{at: a.Span(), module: name})
	return true
}

// mayWait reports whether imports that run in f may wait at all.
func (in *Interp) mayWait(f *frame) bool {
	m := f.globals
	if f.only != "" || m == nil || f.ns != m.Attrs || m.File == nil || m.Prelude || !in.thirdParty(m.File.Place()) || f.conds != len(in.path.conds)+len(in.loops) {
		return false
	}
	if len(in.handlers) == 0 {
		return true
	}
	return !in.hasFallback(in.Fail("ModuleNotFoundError", diag.New(diag.ImportFailed, in.Here(), "module was not found")))
}

// waits reports whether a module need not run now. The packages around it run, as they do
// in Python.
func (in *Interp) waits(name string) bool {
	if in.imported(name) != nil || in.missing[name] != nil || lib.Known(name) && !in.shadowed(name) {
		return false
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		p, err := in.Import(name[:i])
		if err != nil || value.IsUnknown(p) || in.imported(name) != nil {
			return false
		}
	}
	path, _, ok := in.findUser(name)
	if !ok || !in.thirdParty(path) {
		return false
	}
	return in.harmless(name, path)
}

func (in *Interp) addWaiting(f *frame, as string, w *waitingName) {
	m := f.globals
	t := in.waitingOf(m)
	if t.names[as] == nil {
		t.order = append(t.order, as)
	}
	t.names[as] = w
	m.Attrs.Delete(&in.heap, as)
}

func (in *Interp) waitingOf(m *value.Module) *waitingImports {
	t := in.waiting[m]
	if t == nil {
		t = &waitingImports{names: map[string]*waitingName{}}
		if in.waiting == nil {
			in.waiting = map[*value.Module]*waitingImports{}
		}
		in.waiting[m] = t
	}
	return t
}

// awaited gives the value of a name that an import of m was to bind.
func (in *Interp) awaited(m *value.Module, name string) (value.Value, bool, error) {
	t := in.waiting[m]
	if t == nil {
		return nil, false, nil
	}
	w := t.names[name]
	if w == nil || w.busy {
		return nil, false, nil
	}
	if w.value == nil {
		w.busy = true
		err := in.outside(func() (err error) {
			w.value, err = in.importWaiting(m, w)
			return err
		})
		w.busy = false
		if err != nil {
			return nil, false, err
		}
	}
	if in.heap.Depth() == 0 {
		m.Attrs.Set(&in.heap, name, w.value)
	}
	return w.value, true, nil
}

// isAwaited reports whether an import of m that waits, or has waited, binds a name.
func (in *Interp) isAwaited(m *value.Module, name string) bool {
	t := in.waiting[m]
	return t != nil && t.names[name] != nil
}

// importWaiting runs an import of one name.
func (in *Interp) importWaiting(m *value.Module, w *waitingName) (value.Value, error) {
	u, err := in.parse(m.File)
	if err != nil {
		return nil, err
	}
	f := in.newFrame(&code{unit: u, scope: &u.info.Scopes[0]}, m)
	f.ns, f.at = m.Attrs, w.at
	if err := in.push(f); err != nil {
		return nil, err
	}
	defer in.pop()
	v, err := in.Import(w.module)
	if err != nil {
		return nil, err
	}
	if w.name == "" {
		return in.namedInPackages(w.module, v)
	}
	if v, err = in.importName(v, w.module, w.name); err != nil {
		return in.settle(f, nil, err)
	}
	return v, nil
}

// outside runs f as if at the top level of the program, whatever runs now.
func (in *Interp) outside(f func() error) error {
	handlers, inEntry, quiet, choosing, loading := in.handlers, in.inEntry, in.quiet, in.choosing, in.rec.loading
	in.handlers, in.inEntry, in.quiet, in.choosing, in.rec.loading = nil, false, min(in.finishing, 1), false, true
	defer func() {
		in.handlers, in.inEntry, in.quiet, in.choosing, in.rec.loading = handlers, inEntry, quiet, choosing, loading
	}()
	defer in.heap.Outside()()
	return f()
}

// finishImports runs the imports of a module that wait.
func (in *Interp) finishImports(m *value.Module) error {
	t := in.waiting[m]
	if t == nil {
		return nil
	}
	for _, name := range t.order {
		if _, ok := m.Attrs.Get(name); ok || t.names[name] == nil {
			continue
		}
		if _, _, err := in.awaited(m, name); err != nil {
			return err
		}
	}
	var parts []string
	for _, top := range in.tops {
		if parentOf(top.name) == m.Name {
			parts = append(parts, top.name[len(m.Name)+1:])
		}
	}
	slices.Sort(parts)
	for _, name := range parts {
		if _, _, err := in.awaitedModule(m, name); err != nil {
			return err
		}
	}
	for _, w := range t.stars {
		if !w.busy && !w.bound {
			if _, _, err := in.awaitedStar(m, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// awaitedModule gives a module of a package that an import that waits would have run.
func (in *Interp) awaitedModule(m *value.Module, name string) (v value.Value, ok bool, err error) {
	full := m.Name + "." + name
	if !m.Package || m.Prelude || len(in.tops) == 0 || in.modules[full] != nil {
		return nil, false, nil
	}
	path, _, found := in.findUser(full)
	if t := in.tops[path]; !found || t == nil || !t.quiet {
		return nil, false, nil
	}
	err = in.outside(func() (err error) {
		v, err = in.Import(full)
		return err
	})
	return v, err == nil, err
}
