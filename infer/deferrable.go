package infer

// This file finds out whether a module of an installed package, and all that it imports,
// may run later than Python would run them (waiting.go).

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
)

// A topState is what is known of the top level of a file.
type topState struct {
	top   topLevel
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
		if t.top.effects {
			return false
		}
		all = append(all, t)
		for _, ref := range t.top.imports {
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
		t.top = readTop([]byte(text))
	} else if data, err := reads.File(f.fs, path, source.MaxFileSize); err == nil {
		t.top, t.data = readTop(data), data
	} else {
		t.top.effects = true
	}
	f.tops[path] = t
	return t
}

// topsOf adds the modules that an import of a module runs and that have not run yet.
func (f *finder) topsOf(todo []*topState, t *topState, ref importRef) []*topState {
	dir, pkg := "", ""
	if ref.level > 0 {
		dir, pkg = filepath.Dir(t.path), t.pkg()
		for range ref.level - 1 {
			dir, pkg = filepath.Dir(dir), parentOf(pkg)
		}
	} else if top, _, _ := strings.Cut(ref.name, "."); lib.Known(top) && !f.shadowed(top) {
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
	if ref.name != "" {
		for _, part := range strings.Split(ref.name, ".") {
			if open = open && step(part); !open {
				break
			}
		}
	}
	if open {
		at, name := dir, pkg
		for _, n := range ref.names {
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
	if installed(path) || f.env != nil && f.amongPackages(path, f.env.Paths) {
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
