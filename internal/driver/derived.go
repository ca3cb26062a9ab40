package driver

// This file finds classes of the package that make a base complete: a forward that calls what they define cannot run without.

import (
	"io/fs"
	"path/filepath"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/discover"
	"shapecheck/internal/reads"
)

// Bounds of the search: classes that are tried, files that are read.
const maxDerived, maxDerivedFiles = 3, 300

// isIncomplete reports whether a run failed for want of what classes that derive from it have: a method raises NotImplementedError, or
// the class itself lacks an attribute.
func (t *trial) isIncomplete(class string) bool {
	f := t.fact()
	return f.Kind == diag.NotImplemented || f.Kind == diag.LacksAttribute && f.Of == class
}

// derived are classes that derive from one of the file, by their full names, in the package of the file: those beside
// it first.
func (p *prober) derived(class string) []string {
	fsys := reads.Or(p.s.FS)
	file, err := fsys.Abs(p.file)
	if err != nil {
		return nil
	}
	top := filepath.Dir(file)
	for isPackage(fsys, filepath.Dir(top)) {
		top = filepath.Dir(top)
	}
	if !isPackage(fsys, top) {
		return nil // no name leads from one file to the other
	}
	var out []string
	seen, n := map[string]bool{}, 0
	var look func(dir string, entries []fs.DirEntry, deep bool)
	look = func(dir string, entries []fs.DirEntry, deep bool) {
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if len(out) == maxDerived || n == maxDerivedFiles {
				return
			}
			if e.IsDir() {
				if deep && isPackage(fsys, path) {
					below, err := fsys.ReadDir(path)
					if err == nil {
						look(path, below, true)
					}
				}
				continue
			}
			stem, ok := strings.CutSuffix(e.Name(), ".py")
			if !ok || seen[path] || path == file || stem == "__init__" {
				continue
			}
			seen[path] = true
			n++
			data, err := reads.File(fsys, path, maxBesideText)
			if err != nil {
				continue // it is too large, or gone: another may have one
			}
			rel, err := filepath.Rel(filepath.Dir(top), filepath.Join(dir, stem))
			if err != nil {
				continue
			}
			for _, name := range discover.Deriving(string(data), class) {
				if len(out) < maxDerived {
					out = append(out, strings.ReplaceAll(filepath.ToSlash(rel), "/", ".")+"."+name)
				}
			}
		}
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		entries, err := fsys.ReadDir(dir)
		if err != nil {
			return out
		}
		look(dir, entries, dir == top || dir == filepath.Dir(file))
		if dir == top {
			return out
		}
	}
}

func isPackage(fsys reads.FS, dir string) bool {
	info, err := fsys.Stat(filepath.Join(dir, "__init__.py"))
	return err == nil && info.Mode().IsRegular()
}
