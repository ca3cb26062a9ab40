package infer

// This file says which numpy a program finds: the version that the caller names, else
// that of the installed package, else 1.x for a program that imports Chainer (which
// needs it) and for old versions of PyTorch, else the newest known.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/parser/ast"
)

// The versions that are taken where nothing names one: the newest known, the last before
// it, and that with which Chainer and PyTorch 1 work.
const (
	newestNumpy = "2.4.6"
	lastNumpy1  = "1.26.4"
	oldNumpy    = "1.23.5"
)

// settleNumpy decides the version when numpy is first imported.
func (vs *versions) settleNumpy() {
	if vs.settings.options["numpy-version"] != "" {
		return
	}
	if d := vs.finder.distributions()["numpy"]; d != nil {
		vs.settings.options["numpy-version"] = d.version
	} else if vs.mainImports("chainer") {
		vs.settings.options["numpy-version"] = oldNumpy
	}
}

// needNumpy1 makes numpy 1.x of what was not told.
func (vs *versions) needNumpy1() {
	if vs.settings.options["numpy-version"] == "" && vs.finder.distributions()["numpy"] == nil {
		vs.settings.options["numpy-version"] = oldNumpy
	}
}

// numpyVersion is what numpy.__version__ says.
func (vs *versions) numpyVersion() string {
	switch v := vs.settings.options["numpy-version"]; {
	case v != "":
		return v
	case ops.NumpyTwo(vs):
		return newestNumpy
	case strings.HasPrefix(vs.torchVersion(), "1."):
		return oldNumpy
	}
	return lastNumpy1
}

// emptyArraysAreFalse reports whether numpy takes an array without elements for false, as it did, with a warning, before 2.2.
func (vs *versions) emptyArraysAreFalse() bool {
	v := vs.numpyVersion()
	return strings.HasPrefix(v, "1.") || strings.HasPrefix(v, "2.0.") || strings.HasPrefix(v, "2.1.")
}

// mainImports reports whether the entry's file imports a package at its top level.
func (vs *versions) mainImports(name string) bool {
	is := func(module string) bool { return module == name || strings.HasPrefix(module, name+".") }
	for _, s := range vs.mainBody {
		switch s := s.(type) {
		case *ast.Import:
			for _, a := range s.Names {
				if is(a.Name.Name) {
					return true
				}
			}
		case *ast.ImportFrom:
			if s.Level == 0 && is(s.Module.Name) {
				return true
			}
		}
	}
	return false
}

// numpyLacks says why a numpy whose version is known does not have a name, or is "". The
// library's own code finds all names.
func (vs *versions) numpyLacks(full string) string {
	v := vs.settings.options["numpy-version"]
	if v == "" || vs.stack.inPrelude() || !strings.HasPrefix(full, "numpy.") {
		return ""
	}
	return numpy.Lacks(v, full)
}
