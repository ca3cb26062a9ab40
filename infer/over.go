package infer

// This file changes modules of published packages: what they fetch from a hub or read from
// files is replaced by what can be known. The files that do so are the prelude's (lib.Over).
// It also reads the texts that they ask for: files of the project, and no others.

import (
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
func (f *finder) published(name string) bool {
	if _, _, ok := lib.Over(name); !ok {
		return false
	}
	top, _, _ := strings.Cut(name, ".")
	path, _, ok := f.findUser(top)
	return ok && f.mentions(path, "__version__")
}

// runOver runs what is to be run after a module of an installed package. Its names that do
// not begin with "_" replace those of the module; others are added.
func (im *imports) runOver(m *value.Module) error {
	path, text, ok := lib.Over(m.Name)
	if !ok {
		return nil
	}
	over := &value.Module{Name: m.Name, Attrs: im.heap.NewAttrs(), Prelude: true, Package: m.Package}
	over.Attrs.Set(&im.heap, "__name__", value.Str(m.Name))
	if err := im.runPrelude(over, path, text); err != nil {
		return err
	}
	for i := range over.Attrs.Len() {
		name := over.Attrs.Name(i)
		if _, known := m.Attrs.Get(name); !known || name[0] != '_' {
			m.Attrs.Set(&im.heap, name, over.Attrs.At(i))
		}
	}
	return nil
}

// projectText gives the text of a file of the project; None where it has none of that name.
func (f *finder) projectText(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 1 {
		return value.None, nil
	}
	name, ok := value.AsStr(args[0])
	if !ok {
		return value.None, nil
	}
	path, _ := f.projectFile(name)
	if data, err := reads.File(f.fs, path, source.MaxFileSize); path != "" && err == nil {
		if text, err := parser.Decode(data); err == nil {
			return value.Str(text), nil
		}
	}
	return value.None, nil
}

// outsideText implements outside_file(path): what is not known because the path leads to none of the files that may be
// read; None where it may.
func (in *Interp) outsideText(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) == 1 {
		name := in.pathText(args[0])
		if _, outside := in.finder.projectFile(name); outside {
			return in.losses.unknown(in.losses.outsideFile(name)), nil
		}
	}
	return value.None, nil
}
