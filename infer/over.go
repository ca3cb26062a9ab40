package infer

// This file changes modules of published packages: what they fetch from a hub or read from
// files is replaced by what can be known. The files that do so are the prelude's (lib.Over).
// It also reads the texts that they ask for: files of the project, and no others.

import (
	"path/filepath"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/value"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

// published reports whether a module of the project is of a package that is published under
// its name, so that it is the one that is meant there: the repository of that package, not a
// folder that is called as it is. Only that the package names its version is looked at.
func (in *Interp) published(name string) bool {
	if _, _, ok := lib.Over(name); !ok {
		return false
	}
	top, _, _ := strings.Cut(name, ".")
	path, _, ok := in.findUser(top)
	return ok && in.mentions(path, "__version__")
}

// runOver runs what is to be run after a module of an installed package. Its names that do
// not begin with "_" replace those of the module; others are added.
func (in *Interp) runOver(m *value.Module) error {
	path, text, ok := lib.Over(m.Name)
	if !ok {
		return nil
	}
	over := &value.Module{Name: m.Name, Attrs: in.heap.NewAttrs(), Prelude: true, Package: m.Package}
	over.Attrs.Set(&in.heap, "__name__", value.Str(m.Name))
	if err := in.runPrelude(over, path, text); err != nil {
		return err
	}
	for i := range over.Attrs.Len() {
		name := over.Attrs.Name(i)
		if _, known := m.Attrs.Get(name); !known || name[0] != '_' {
			m.Attrs.Set(&in.heap, name, over.Attrs.At(i))
		}
	}
	return nil
}

// projectText gives the text of a file of the project; None where it has none of that name.
func (in *Interp) projectText(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) == 1 {
		if name, ok := value.AsStr(args[0]); ok {
			if path := in.projectFile(name); path != "" {
				if data, err := reads.File(in.fs, path, source.MaxFileSize); err == nil {
					if text, err := parser.Decode(data); err == nil {
						return value.Str(text), nil
					}
				}
			}
		}
	}
	return value.None, nil
}

// projectFile finds a file that a program names: in the working directory, beside the file
// that is checked, or in the configuration's folder. It must lie, also after links are
// followed, where modules are read from, or in one of the latter two; empty where it does not.
func (in *Interp) projectFile(name string) string {
	dirs := []string{"."}
	if in.cfg.File != "" {
		dirs = append(dirs, filepath.Dir(in.cfg.File))
	}
	if in.cfg.Base != "" {
		dirs = append(dirs, in.cfg.Base)
	}
	for _, dir := range dirs {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(dir, name)
		}
		info, err := in.fs.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		real, err := in.fs.EvalSymlinks(path)
		if err != nil {
			continue
		}
		if real, err = in.fs.Abs(real); err != nil {
			continue
		}
		if in.inRoots(filepath.Dir(real)) {
			return path
		}
		for _, dir := range dirs[1:] {
			if r := in.realFolder(dir); r != "" && below(real, r) {
				return path
			}
		}
	}
	return ""
}
