package infer

// This file says what files are called. The same project has the same names on every
// machine: they are relative to its folder.

import (
	"path/filepath"

	"shapecheck/internal/reads"
	"shapecheck/internal/source"
)

// newFile makes the file that was opened at path.
func (f *finder) newFile(name, path, text string) *source.File {
	return f.asShown(source.NewFile(name, text), path)
}

// sourceFile is newFile for a file of the disk, of which lines are printed if it has the name of Python code.
func (f *finder) sourceFile(name, path, text string) *source.File {
	file := f.newFile(name, path, text)
	file.Hidden = !reads.IsSource(path)
	return file
}

// asShown gives a file its path and what findings call it.
func (f *finder) asShown(file *source.File, path string) *source.File {
	if path != file.Name {
		file.Path = path
	}
	if shown := f.shown(path); shown != path {
		file.Shown = shown
	}
	return file
}

// shown is what findings call a file: relative to the project's folder, else to the
// working directory; a file outside of both is called as it was opened.
func (f *finder) shown(path string) string {
	abs := f.absolute(path)
	for _, dir := range []string{f.cfg.Base, "."} {
		if dir == "" {
			continue
		}
		if rel, err := filepath.Rel(f.absolute(dir), abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// displayName is what a file is called in its module's terms: relative to a root
// where possible.
func (f *finder) displayName(path string) string {
	best, abs := f.shown(path), f.absolute(path)
	for _, root := range f.packageRoots() {
		if rel, err := filepath.Rel(f.absolute(root), abs); err == nil && filepath.IsLocal(rel) && len(rel) < len(best) {
			best = rel
		}
	}
	return filepath.ToSlash(best)
}

// absolute is a path from the root; a path that cannot be made one stays as it is.
func (f *finder) absolute(path string) string {
	if abs, ok := f.abs[path]; ok {
		return abs
	}
	abs, err := f.fs.Abs(path)
	if err != nil {
		abs = path
	}
	if f.abs == nil {
		f.abs = map[string]string{}
	}
	f.abs[path] = abs
	return abs
}
