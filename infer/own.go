package infer

// This file tells the project's own files from those of libraries. A comment with
// wrong sizes in a library that somebody else maintains is no finding of the
// project that uses it.

import (
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/internal/source"
)

// own reports whether a file belongs to the project: the file that is checked, or
// one below its folder or below the working directory, and no installed package.
func (in *Interp) own(f *source.File) bool {
	if own, ok := in.ownFiles[f]; ok {
		return own
	}
	if in.ownFiles == nil {
		in.ownFiles = map[*source.File]bool{}
	}
	own := f == in.rec.main && in.cfg.Module == "" || in.belowProject(f.Place())
	in.ownFiles[f] = own
	return own
}

func (in *Interp) belowProject(path string) bool {
	abs, err := in.fs.Abs(path)
	if err != nil {
		return false
	}
	if installed(abs) {
		return false
	}
	dirs := []string{"."}
	if in.cfg.File != "" {
		dirs = append(dirs, filepath.Dir(in.cfg.File))
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		base, err := in.fs.Abs(dir)
		return err == nil && below(abs, base)
	})
}

// installed reports whether a path is in a folder of installed packages.
func installed(path string) bool {
	parts := strings.Split(filepath.ToSlash(path), "/")
	return slices.Contains(parts, "site-packages") || slices.Contains(parts, "dist-packages")
}
