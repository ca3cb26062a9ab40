package lib

// This file finds the modules that ship with shapecheck. The importer of the
// interpreter asks it before it looks at the user's files for standard-library
// and framework names.

import (
	"embed"
	"io"
	"io/fs"
	"strings"
	"sync"

	"shapecheck/infer/value"
)

// all: is needed because embedding skips names that start with an underscore,
// such as __init__.py.
//
//go:embed all:py
var pyFiles embed.FS

// What runs over modules of installed packages, which it changes.
//
//go:embed all:over
var overFiles embed.FS

// Over returns the embedded file that runs after an installed module of that name, and
// changes it: the parts that talk to hubs, files or devices. "a.b" is over/a/b.py.
func Over(name string) (path, text string, ok bool) {
	path = "over/" + strings.ReplaceAll(name, ".", "/") + ".py"
	data, err := overFiles.ReadFile(path)
	return path, string(data), err == nil
}

// Stub returns the embedded file that stands for a module of a package that may be missing from the machine; text is empty for a module
// of such a package that has no file. A name that a file lacks is unknown.
func Stub(name string) (path, text string, ok bool) {
	if text, ok := singleStub(name); ok {
		return "stub/" + name + ".py", text, true
	}
	top, _, _ := strings.Cut(name, ".")
	if text, found, ok := archivedStub(top, name); ok {
		if path = "stub/" + name + ".py"; !found {
			path = ""
		}
		return path, text, true
	}
	return "", "", hasSingleStubs(top)
}

// StandsIn reports whether an embedded file stands for a module of a package that may be missing, and is no whole of it: that of an
// archive is.
func StandsIn(module string) bool {
	_, ok := singleStub(module)
	return ok
}

// The modules that the standard library of each CPython from 3.10 to 3.13 has, on Linux, macOS and Windows alike.
//
//go:embed standard.txt
var standardText string

var standard = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.Lines(standardText) {
		names[strings.TrimSpace(name)] = true
	}
	return names
})

// Standard reports whether each Python has a module of that name, also where it is not modelled.
func Standard(name string) bool { return standard()[name] }

// A nativeModule fills the attributes of a module for one run.
type nativeModule func(m *mod)

// Native returns the native part of a module: its attributes. ok is false when
// there is none. The attributes are made anew for each call, since the program
// may change them.
func (w *World) Native(th value.Thread, name string) (attrs *value.Attrs, ok bool) {
	m := &mod{w: w, th: th, name: name, attrs: th.Heap().NewAttrs(), known: Known}
	if fill, ok := nativeModules[name]; ok {
		fill(m)
		return m.attrs, true
	}
	if s, ok := stubModules[name]; ok {
		fillStub(m, &s)
		return m.attrs, true
	}
	return nil, false
}

// Source returns the embedded Python part of a module: "dataclasses" is
// py/dataclasses.py, "torch.nn" is py/torch/nn/__init__.py.
func Source(name string) (path, text string, isPackage, ok bool) {
	path, isPackage, ok = sourcePath(name)
	if !ok {
		text, isPackage, ok = splitSource(name)
		return "py/" + strings.ReplaceAll(name, ".", "/") + ".py", text, isPackage, ok
	}
	f, err := openSource(path)
	if err != nil {
		return "", "", false, false
	}
	defer f.Close()
	var b strings.Builder // ReadFile would copy the text once more
	if info, err := f.Stat(); err == nil {
		b.Grow(int(info.Size()))
	}
	if _, err := io.CopyBuffer(&b, f, make([]byte, 4<<10)); err != nil {
		return "", "", false, false
	}
	return path, b.String(), isPackage, true
}

// sourcePath returns the path of the embedded Python part of a module.
func sourcePath(name string) (path string, isPackage, ok bool) {
	base := "py/" + strings.ReplaceAll(name, ".", "/")
	if isFile(base + ".py") {
		return base + ".py", false, true
	}
	path = base + "/__init__.py"
	return path, true, isFile(path)
}

// openSource opens the embedded file of a path.
func openSource(path string) (fs.File, error) {
	f, err := pyFiles.Open(path)
	if err != nil {
		return packedFile(path)
	}
	return f, nil
}

// isFile reports whether there is an embedded file of that path.
func isFile(path string) bool {
	f, err := openSource(path)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// Extra reports whether a module belongs to a framework that need not be installed beside
// PyTorch: a program that imports it has it, libraries that look whether it is there find
// what is installed.
func Extra(name string) bool {
	top, _, _ := strings.Cut(name, ".")
	return top == "jax" || top == "tensorflow"
}

// Known reports whether name is a module that ships with shapecheck.
func Known(name string) bool {
	if _, ok := nativeModules[name]; ok {
		return true
	}
	if _, ok := stubModules[name]; ok {
		return true
	}
	if _, _, ok := sourcePath(name); ok {
		return true
	}
	_, _, ok := splitSource(name)
	return ok
}
