package infer

// This file tells the project's own files from those of libraries. A comment with
// wrong sizes in a library that somebody else maintains is no finding of the
// project that uses it.

import (
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// isProjectFile reports whether a file belongs to the project: the file that is checked, or
// one below its folder or below the working directory, and no installed package.
func (f *finder) isProjectFile(file *source.File) bool {
	if own, ok := f.ownFiles[file]; ok {
		return own
	}
	if f.ownFiles == nil {
		f.ownFiles = map[*source.File]bool{}
	}
	own := file == f.mainFile && f.cfg.Module == "" || f.belowProject(file.Place())
	f.ownFiles[file] = own
	return own
}

// belowProject tells the project's own files from installed ones, whose findings are not reported.
func (f *finder) belowProject(path string) bool {
	abs, err := f.fs.Abs(path)
	if err != nil {
		return false
	}
	if installed(abs) {
		return false
	}
	dirs := []string{"."}
	if f.cfg.File != "" {
		dirs = append(dirs, filepath.Dir(f.cfg.File))
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		base, err := f.fs.Abs(dir)
		return err == nil && liesIn(abs, base)
	})
}

// foreign are the files of installed packages that findings name.
func (f *finder) foreign(list []*diag.Diagnostic) map[*source.File]bool {
	out := map[*source.File]bool{}
	note := func(at source.Span) {
		if file := f.files.File(at.Start); file != nil && !file.Prelude && (installed(file.Place()) || f.ofEnvironment(at)) {
			out[file] = true
		}
	}
	for _, d := range list {
		note(d.At)
		for _, r := range d.Related {
			note(r.At)
		}
	}
	return out
}

// installed reports whether a path is in a folder of installed packages.
func installed(path string) bool {
	parts := strings.Split(filepath.ToSlash(path), "/")
	return slices.Contains(parts, "site-packages") || slices.Contains(parts, "dist-packages")
}
