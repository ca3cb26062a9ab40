package infer

// This file lets the imports of installed packages wait until one of their names is used.
// A module of a large library imports a hundred others for the sake of one function or of
// an annotation; Python runs them all.
//
// An import waits only where running its module later cannot be told from running it now:
// the text of the module, and of all that it imports in turn, shows no effects on others
// (package toplevel) but for registering definitions; and no try statement around it would take
// its failure for an answer. Tables that definitions are registered in have them added
// when a key is not found, or all are asked for (registry.go).
//
// An import of all names (from NAME import *) waits in the same way.

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/toplevel"
	"shapecheck/infer/value"
	"shapecheck/internal/reads"
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

// letStarWait has the public names of a module wait: those that its text lists are known,
// others are looked for when they are asked for. A name that is there already must run now.
func (im *imports) letStarWait(f *frame, w *waitingName) bool {
	path, _, _ := im.finder.findUser(w.module)
	text, err := im.finder.readText(path)
	if err != nil {
		return false
	}
	m := f.globals
	t := im.waitingOf(m)
	for name := range toplevel.DefinedNames(text) {
		if _, ok := m.Attrs.Get(name); ok && name[0] != '_' || t.names[name] != nil {
			return false
		}
	}
	names, _ := toplevel.NamesOfAll(text)
	for _, n := range names {
		im.addWaiting(f, n, &waitingName{at: w.at, module: w.module, name: n})
	}
	t.stars = append(t.stars, w)
	return true
}

// awaitedStar looks for a name in the modules of which all names are imported into m: first
// in those that define it by their text, then in all. They can list more than their text does.
func (im *imports) awaitedStar(m *value.Module, name string) (value.Value, bool, error) {
	t := im.waiting[m]
	if t == nil || strings.HasPrefix(name, "__") {
		return nil, false, nil
	}
	if err := im.host.Enter(""); err != nil {
		return nil, false, err
	}
	defer im.host.Leave()
	for i := len(t.stars) - 1; i >= 0; i-- {
		w := t.stars[i]
		if w.busy || w.bound || !im.finder.definesIn(w.module, name) {
			continue
		}
		if v, ok, err := im.fromStar(m, w, name); ok || err != nil {
			return v, ok, err
		}
	}
	if m.Package {
		if _, _, ok := im.finder.findUser(m.Name + "." + name); ok { // what else would have its name
			return nil, false, nil
		}
	}
	ran := 0 // while one of them runs, Python has not come to those after it
	for ; ran < len(t.stars) && !t.stars[ran].busy; ran++ {
		if err := im.runStar(m, t.stars[ran]); err != nil {
			return nil, false, err
		}
	}
	for i := min(ran, len(t.stars)) - 1; i >= 0; i-- {
		if w := t.stars[i]; !w.busy && !w.bound {
			if v, ok, err := im.fromStar(m, w, name); ok || err != nil {
				return v, ok, err
			}
		}
	}
	return nil, false, nil
}

// runStar runs the module of a star that waits.
func (im *imports) runStar(m *value.Module, w *waitingName) error {
	if w.value != nil {
		return nil
	}
	w.busy = true
	defer func() { w.busy = false }()
	return im.host.outside(func() (err error) {
		w.value, err = im.importWaiting(m, w)
		return err
	})
}

// fromStar binds the names of a star that waits, and looks for one of them.
func (im *imports) fromStar(m *value.Module, w *waitingName, name string) (value.Value, bool, error) {
	if err := im.runStar(m, w); err != nil {
		return nil, false, err
	}
	w.busy = true
	err := im.host.outside(func() error { return im.bindStar(m, w) })
	w.busy, w.bound = false, true
	if err != nil {
		return nil, false, err
	}
	v, ok := m.Attrs.Get(name)
	return v, ok, nil
}

// bindStar binds the public names of a module that has run, but for those that are bound.
func (im *imports) bindStar(m *value.Module, w *waitingName) error {
	had := map[string]bool{}
	for i := range m.Attrs.Len() {
		had[m.Attrs.Name(i)] = true
	}
	scope := &value.Module{Name: m.Name, Attrs: im.heap.NewAttrs()}
	f := &frame{globals: scope}
	if err := im.importStar(f, w.value, w.module); err != nil {
		return err
	}
	for i := range scope.Attrs.Len() {
		if name := scope.Attrs.Name(i); !had[name] {
			m.Attrs.Set(&im.heap, name, scope.Attrs.At(i))
		}
	}
	if m.Partial == nil {
		m.Partial = scope.Partial
	}
	return nil
}

// definesIn reports whether the text of a module defines a name at its top level.
func (f *finder) definesIn(module, name string) bool {
	path, _, ok := f.findUser(module)
	if !ok {
		return false
	}
	text, err := f.readText(path)
	return err == nil && (&toplevel.Text{Source: text}).Defines(name)
}

// A topState is what is known of the top level of a file.
type topState struct {
	top   toplevel.Module
	name  string
	path  string
	quiet bool   // it and what it imports may wait
	data  []byte // what was read, until the module runs
}

// harmless reports whether a module and all modules that it imports may wait.
func (im *imports) harmless(name, path string) bool {
	if im.finder.tops == nil {
		im.finder.tops = map[string]*topState{}
	}
	seen := map[string]bool{}
	todo := []*topState{im.finder.topOf(name, path)}
	var all []*topState
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if t.quiet || seen[t.path] {
			continue
		}
		seen[t.path] = true
		if t.top.Effects {
			return false
		}
		all = append(all, t)
		for _, ref := range t.top.Imports {
			todo = im.finder.topsOf(todo, t, ref)
		}
	}
	for _, t := range all {
		t.quiet = true
		im.addRegistrant(t)
	}
	return true
}

// topOf reads the top level of a module's file.
func (f *finder) topOf(name, path string) *topState {
	if t := f.tops[path]; t != nil {
		return t
	}
	t := &topState{name: name, path: path}
	if text, ok := reads.TextOf(f.fs, path); ok {
		t.top = toplevel.Read([]byte(text))
	} else if data, err := reads.File(f.fs, path, source.MaxFileSize); err == nil {
		t.top, t.data = toplevel.Read(data), data
	} else {
		t.top.Effects = true
	}
	f.tops[path] = t
	return t
}

// topsOf adds the modules that an import of a module runs and that have not run yet.
func (f *finder) topsOf(todo []*topState, t *topState, ref toplevel.Import) []*topState {
	dir, pkg := "", ""
	if ref.Level > 0 {
		dir, pkg = filepath.Dir(t.path), t.pkg()
		for range ref.Level - 1 {
			dir, pkg = filepath.Dir(dir), parentOf(pkg)
		}
	} else if top, _, _ := strings.Cut(ref.Name, "."); lib.Known(top) && !f.shadowed(top) {
		return todo
	}
	step := func(part string) bool {
		full := part
		if pkg != "" {
			full = pkg + "." + part
		}
		path, isDir, ok := f.partIn(dir, pkg == "", part)
		if !ok {
			return false
		}
		if path != "" && f.modules[full] == nil {
			todo = append(todo, f.topOf(full, path))
		}
		if isDir != "" {
			dir, pkg = isDir, full
		}
		return isDir != ""
	}
	open := true
	if ref.Name != "" {
		for _, part := range strings.Split(ref.Name, ".") {
			if open = open && step(part); !open {
				break
			}
		}
	}
	if open {
		at, name := dir, pkg
		for _, n := range ref.Names {
			dir, pkg = at, name
			if at != "" {
				step(n)
			}
		}
	}
	return todo
}

func parentOf(name string) string { return name[:max(strings.LastIndexByte(name, '.'), 0)] }

// partIn finds a module in a folder, or at the top in the roots: its file, and its folder
// if it is a package.
func (f *finder) partIn(dir string, top bool, part string) (path, folder string, ok bool) {
	dirs := []string{dir}
	if top {
		dirs = f.packageRoots()
	}
	for _, d := range dirs {
		have, sub := f.listing(d), filepath.Join(d, part)
		kind, folder := have[part]
		if folder = folder && !kind.IsRegular(); folder {
			if _, ok := f.listing(sub)["__init__.py"]; ok {
				return filepath.Join(sub, "__init__.py"), sub, true
			}
		}
		if _, ok := have[part+".py"]; ok {
			return sub + ".py", "", true
		}
		if folder {
			return "", sub, true
		}
	}
	return "", "", false
}

// listing gives what is in a folder, by name.
func (f *finder) listing(dir string) map[string]fs.FileMode {
	if l, ok := f.listings[dir]; ok {
		return l
	}
	entries, _ := f.fs.ReadDir(dir) // a folder that cannot be read has nothing to import
	l := make(map[string]fs.FileMode, len(entries))
	for _, e := range entries {
		l[e.Name()] = e.Type()
	}
	if f.listings == nil {
		f.listings = map[string]map[string]fs.FileMode{}
	}
	f.listings[dir] = l
	return l
}

// mentions reports whether a file has a text in it.
func (f *finder) mentions(path, text string) bool {
	data, err := reads.File(f.fs, path, source.MaxFileSize)
	return err != nil || bytes.Contains(data, []byte(text))
}

// thirdParty reports whether a file belongs to an installed package: it lies in a folder
// of such, by the folder's name or because it has their metadata. The project's own
// folders are not listed: a result does not depend on files there that no import names.
func (f *finder) thirdParty(path string) bool {
	if f.installed(path) || f.env != nil && f.amongPackages(path, f.env.Paths) {
		return true
	}
	return !f.belowProject(path) && f.amongPackages(path, f.cfg.Roots)
}

// amongPackages reports whether a path is below one of some folders that holds the records of
// installed packages.
func (f *finder) amongPackages(path string, folders []string) bool {
	for _, dir := range folders {
		if !liesIn(path, dir) {
			continue
		}
		for name := range f.listing(dir) {
			if strings.HasSuffix(name, ".dist-info") {
				return true
			}
		}
	}
	return false
}
