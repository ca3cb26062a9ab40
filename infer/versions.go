package infer

// This file says which numpy a program finds: the version that the caller names, else
// that of the installed package, else 1.x for a program that imports Chainer (which
// needs it) and for old versions of PyTorch, else the newest known.
//
// It says as well which PyTorch a program finds: the version that the caller names, else
// that of the installed package, else the newest known.
//
// And it says which Python runs the program: the version that the caller names. What
// that version cannot parse is noted.

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/ops/torch"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
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
	if vs.settings.options["numpy-version"] != "" || vs.asked != nil {
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
	switch v := vs.Option("numpy-version"); {
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
	v := vs.Option("numpy-version")
	if v == "" || vs.stack.inPrelude() || !strings.HasPrefix(full, "numpy.") {
		return ""
	}
	return numpy.Lacks(v, full)
}

// versions are those of the libraries that the program finds: what the caller names, else what is installed.
type versions struct {
	*base
	settings *settings
	finder   *finder
	stack    *stack
	// torchFound is the version of the installed PyTorch where it counts.
	torchFound string
	// newer are library names that the PyTorch of the run does not have yet.
	newer map[string]string
	// asked is told what modules of the prelude ask for that run before the program; nil: none do.
	asked *library
}

// Option is what a setting says; "" where nobody has said it.
func (vs *versions) Option(name string) string {
	vs.asked.noteOption(name, vs.settings.options[name])
	if name == "torch-version" {
		return vs.torchVersion()
	}
	return vs.settings.options[name]
}

// newestTorch is the version that is taken where nothing names one.
const newestTorch = "2.15.0"

// torchVersion is what torch.__version__ says, and whose rules hold. The installed package
// is looked for when something asks: most programs do not. No name is hidden by what is
// installed, unlike by what the caller names: which version brought a name is remembered for
// the names that programs ask for, not recorded.
func (vs *versions) torchVersion() string {
	if vs.asked != nil && vs.settings.options["torch-version"] == "" {
		vs.asked.noteOption("torch-version", "")
		return newestTorch
	}
	if vs.settings.options["torch-version"] == "" {
		if vs.torchFound = vs.installedTorch(); vs.torchFound != "" {
			vs.settings.options["torch-version"] = vs.torchFound
		} else {
			vs.settings.options["torch-version"] = newestTorch
		}
	}
	return vs.settings.options["torch-version"]
}

// installedTorch is the version of the PyTorch that is in a folder of installed packages, of
// the environment or a root; empty where there is none. Other folders are not listed:
// most programs ask, and what they gave would not be kept when any file is added there.
func (vs *versions) installedTorch() string {
	vs.finder.environment()
	for _, dir := range vs.finder.packageRoots() {
		if name := filepath.Base(dir); name != "site-packages" && name != "dist-packages" && dir != vs.finder.env.Folder {
			continue
		}
		entries, err := vs.fs.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if name, version, ok := distributionOf(e.Name()); ok && normalDist(name) == "torch" && torch.IsVersion(version) {
				return version
			}
		}
	}
	return ""
}

// reportNewer notes the syntax of a file of the project that the named Python does not
// have: the first place of each kind, as one version mends them all.
func (im *imports) reportNewer(u *unit) {
	if im.cfg.PythonVersion == "" || len(u.tree.Features) == 0 || u.file.Prelude || len(u.diags) > 0 || !im.finder.isProjectFile(u.file) {
		return
	}
	version := lib.PythonVersion(im.cfg.PythonVersion)
	first := map[ast.Syntax]source.Span{}
	for _, x := range u.tree.Features {
		if int64(x.Syntax.Minor()) <= version[1] {
			continue
		}
		if at, ok := first[x.Syntax]; !ok || x.At.Start < at.Start {
			first[x.Syntax] = x.At
		}
	}
	for _, syntax := range slices.Sorted(maps.Keys(first)) {
		im.host.Report(diag.New(diag.NewerSyntax, first[syntax],
			fmt.Sprintf("this needs Python 3.%d: %s; the program runs on %s", syntax.Minor(), syntax, im.cfg.PythonVersion),
			syntax.Minor(), syntax.String(), im.cfg.PythonVersion))
	}
}
