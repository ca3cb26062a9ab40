package infer

// This file says what files are called. The same project has the same names on every
// machine: they are relative to its folder.

import (
	"path/filepath"

	"shapecheck/internal/reads"
	"shapecheck/internal/source"
)

// newFile makes the file that was opened at path.
func (in *Interp) newFile(name, path, text string) *source.File {
	return in.asShown(source.NewFile(name, text), path)
}

// sourceFile is newFile for a file of the disk, of which lines are printed if it has the name of Python code.
func (in *Interp) sourceFile(name, path, text string) *source.File {
	f := in.newFile(name, path, text)
	f.Hidden = !reads.IsSource(path)
	return f
}

// asShown gives a file its path and what findings call it.
func (in *Interp) asShown(file *source.File, path string) *source.File {
	if path != file.Name {
		file.Path = path
	}
	if shown := in.shown(path); shown != path {
		file.Shown = shown
	}
	return file
}

// shown is what findings call a file: relative to the project's folder, else to the
// working directory; a file outside of both is called as it was opened.
func (in *Interp) shown(path string) string {
	abs := in.absolute(path)
	for _, dir := range []string{in.cfg.Base, "."} {
		if dir == "" {
			continue
		}
		if rel, err := filepath.Rel(in.absolute(dir), abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// displayName is what a file is called in its module's terms: relative to a root
// where possible.
func (in *Interp) displayName(path string) string {
	best, abs := in.shown(path), in.absolute(path)
	for _, root := range in.packageRoots() {
		if rel, err := filepath.Rel(in.absolute(root), abs); err == nil && filepath.IsLocal(rel) && len(rel) < len(best) {
			best = rel
		}
	}
	return filepath.ToSlash(best)
}

// absolute is a path from the root; a path that cannot be made one stays as it is.
func (in *Interp) absolute(path string) string {
	if abs, ok := in.abs[path]; ok {
		return abs
	}
	abs, err := in.fs.Abs(path)
	if err != nil {
		abs = path
	}
	if in.abs == nil {
		in.abs = map[string]string{}
	}
	in.abs[path] = abs
	return abs
}
