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
func (im *imports) letWait(f *frame, s *ast.ImportFrom) bool {
	if !im.mayWait(f) {
		return false
	}
	name, fault := absoluteName(f.globals, s)
	if fault != "" || !im.waits(name) {
		return false
	}
	list := s.Names
	if list[0].Name.Name == "*" {
		return im.letStarWait(f, &waitingName{at: s.Span(), module: name})
	}
	for _, a := range list {
		as := a.AsName.Name
		if as == "" {
			as = a.Name.Name
		}
		im.addWaiting(f, as, &waitingName{at: a.Span(), module: name, name: a.Name.Name})
	}
	return true
}

// letNameWait is letWait for one name of a module that has run, or is running: a name that
// waits there, or a module of a package.
func (im *imports) letNameWait(f *frame, v value.Value, a *ast.Alias) bool {
	m, ok := v.(*value.Module)
	if !ok || m.File == nil || m.Prelude || !im.mayWait(f) {
		return false
	}
	name := a.Name.Name
	if _, ok := m.Attrs.Get(name); ok {
		return false
	}
	if !im.isAwaited(m, name) {
		part := false
		if m.Package {
			_, _, part = im.finder.findUser(m.Name + "." + name)
		}
		// A module that runs may define the name later: what waits can run in another order
		// than Python has, in which it would be there.
		if part && !im.waits(m.Name+"."+name) || !part && im.lazy[m] == nil && !im.unfinished[m] {
			return false
		}
	}
	as := a.AsName.Name
	if as == "" {
		as = name
	}
	im.addWaiting(f, as, &waitingName{at: a.Span(), module: m.Name, name: name})
	return true
}

// letModuleWait is letWait for import a.b as c, and import a.
func (im *imports) letModuleWait(f *frame, a *ast.Alias) bool {
	name, as := a.Name.Name, a.AsName.Name
	if as == "" {
		as = name
	}
	if strings.Contains(as, ".") || !im.mayWait(f) || !im.waits(name) {
		return false
	}
	im.addWaiting(f, as, &waitingName{at: a.Span(), module: name})
	return true
}

// mayWait reports whether imports that run in f may wait at all.
func (im *imports) mayWait(f *frame) bool {
	m := f.globals
	if f.only != "" || m == nil || f.ns != m.Attrs || m.File == nil || m.Prelude || !im.finder.thirdParty(m.File.Place()) ||
		f.conds != im.host.conditions() {
		return false
	}
	return !im.host.catchesMissing()
}

// waits reports whether a module need not run now. The packages around it run, as they do
// in Python.
func (im *imports) waits(name string) bool {
	if im.finder.imported(name) != nil || im.missing[name] != nil || lib.Known(name) && !im.finder.shadowed(name) {
		return false
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		p, err := im.importModule(name[:i])
		if err != nil || value.IsUnknown(p) || im.finder.imported(name) != nil {
			return false
		}
	}
	path, _, ok := im.finder.findUser(name)
	if !ok || !im.finder.thirdParty(path) {
		return false
	}
	return im.harmless(name, path)
}

func (im *imports) addWaiting(f *frame, as string, w *waitingName) {
	m := f.globals
	t := im.waitingOf(m)
	if t.names[as] == nil {
		t.order = append(t.order, as)
	}
	t.names[as] = w
	m.Attrs.Delete(&im.heap, as)
}

func (im *imports) waitingOf(m *value.Module) *waitingImports {
	t := im.waiting[m]
	if t == nil {
		t = &waitingImports{names: map[string]*waitingName{}}
		if im.waiting == nil {
			im.waiting = map[*value.Module]*waitingImports{}
		}
		im.waiting[m] = t
	}
	return t
}

// awaited gives the value of a name that an import of m was to bind.
func (im *imports) awaited(m *value.Module, name string) (value.Value, bool, error) {
	t := im.waiting[m]
	if t == nil {
		return nil, false, nil
	}
	w := t.names[name]
	if w == nil || w.busy {
		return nil, false, nil
	}
	if w.value == nil {
		w.busy = true
		err := im.host.outside(func() (err error) {
			w.value, err = im.importWaiting(m, w)
			return err
		})
		w.busy = false
		if err != nil {
			return nil, false, err
		}
	}
	if im.heap.Depth() == 0 {
		m.Attrs.Set(&im.heap, name, w.value)
	}
	return w.value, true, nil
}

// isAwaited reports whether an import of m that waits, or has waited, binds a name.
func (im *imports) isAwaited(m *value.Module, name string) bool {
	t := im.waiting[m]
	return t != nil && t.names[name] != nil
}

// importWaiting runs an import of one name.
func (im *imports) importWaiting(m *value.Module, w *waitingName) (value.Value, error) {
	u, err := im.parse(m.File)
	if err != nil {
		return nil, err
	}
	f := im.stack.newFrame(&code{unit: u, scope: &u.info.Scopes[0]}, m)
	f.ns, f.at = m.Attrs, w.at
	if err := im.stack.push(f); err != nil {
		return nil, err
	}
	defer im.stack.pop()
	v, err := im.importModule(w.module)
	if err != nil {
		return nil, err
	}
	if w.name == "" {
		return im.namedInPackages(w.module, v)
	}
	if v, err = im.importName(v, w.module, w.name); err != nil {
		return im.host.settle(f, nil, err)
	}
	return v, nil
}

// finishImports runs the imports of a module that wait.
func (im *imports) finishImports(m *value.Module) error {
	t := im.waiting[m]
	if t == nil {
		return nil
	}
	for _, name := range t.order {
		if _, ok := m.Attrs.Get(name); ok || t.names[name] == nil {
			continue
		}
		if _, _, err := im.awaited(m, name); err != nil {
			return err
		}
	}
	var parts []string
	for _, top := range im.finder.tops {
		if parentOf(top.name) == m.Name {
			parts = append(parts, top.name[len(m.Name)+1:])
		}
	}
	slices.Sort(parts)
	for _, name := range parts {
		if _, _, err := im.awaitedModule(m, name); err != nil {
			return err
		}
	}
	for _, w := range t.stars {
		if !w.busy && !w.bound {
			if _, _, err := im.awaitedStar(m, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// awaitedModule gives a module of a package that an import that waits would have run.
func (im *imports) awaitedModule(m *value.Module, name string) (v value.Value, ok bool, err error) {
	full := m.Name + "." + name
	if !m.Package || m.Prelude || len(im.finder.tops) == 0 || im.modules[full] != nil {
		return nil, false, nil
	}
	path, _, found := im.finder.findUser(full)
	if t := im.finder.tops[path]; !found || t == nil || !t.quiet {
		return nil, false, nil
	}
	err = im.host.outside(func() (err error) {
		v, err = im.importModule(full)
		return err
	})
	return v, err == nil, err
}
