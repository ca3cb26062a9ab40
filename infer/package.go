package infer

// This file finds out in which package the entry's file lies, so that its
// relative imports and those of its project are understood.
//
// A package is not run for the sake of one of its files: the __init__.py of a
// large library imports everything. It is run when a name is asked for that only
// it can define.

import (
	"errors"
	"path/filepath"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/toplevel"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
	"shapecheck/project/pyenv"
)

// maxPackage bounds how many directories above the entry's file are looked at.
const maxPackage = 16

// locate gives the entry's module its full name and makes the packages around
// it: the directories that have an __init__.py, and as many as the file's own
// relative imports need.
func (im *imports) locate(m *value.Module, path string, tree *ast.Module) {
	abs, err := im.fs.Abs(path)
	if err != nil {
		return
	}
	dirs := im.finder.packageDirs(filepath.Dir(abs), toplevel.RelativeLevel(tree))
	top := filepath.Dir(abs)
	if len(dirs) > 0 {
		top = filepath.Dir(dirs[len(dirs)-1])
	}
	im.finder.above, im.top = im.finder.projectDirs(top), top
	pkg := ""
	for i := len(dirs) - 1; i >= 0; i-- {
		base := filepath.Base(dirs[i])
		if !isIdentifier(base) {
			return
		}
		pkg += base
		im.around = append(im.around, pkg)
		p := &value.Module{Name: pkg, Attrs: im.heap.NewAttrs(), Package: true, Dirs: []string{dirs[i]}}
		init := filepath.Join(dirs[i], "__init__.py")
		im.setModuleNames(p, init)
		if info, err := im.fs.Stat(init); err == nil && info.Mode().IsRegular() {
			if im.inits == nil {
				im.inits = map[*value.Module]string{}
			}
			im.inits[p] = init
		}
		if im.modules[pkg] == nil {
			im.modules[pkg] = p
		}
		pkg += "."
	}
	if pkg != "" && (lib.Known(m.Name) ||
		im.importsPackage(tree)) { // an import of that name means another module: Python runs the file as a part of its package
		delete(im.modules, m.Name)
	}
	m.Name = pkg + m.Name
	im.modules[m.Name] = m
}

// packageDirs lists the directories of the packages around a file, the innermost first. One that is named as a library is
// no library where a folder without an __init__.py is all that lies between it and another package.
func (f *finder) packageDirs(dir string, level int) []string {
	var dirs []string
	for len(dirs) < maxPackage {
		_, err := f.fs.Stat(filepath.Join(dir, "__init__.py"))
		if err != nil && len(dirs) >= level && len(dirs) > 0 && lib.Known(filepath.Base(dirs[len(dirs)-1])) {
			if _, above := f.fs.Stat(filepath.Join(filepath.Dir(dir), "__init__.py")); above == nil {
				err = nil
			}
		}
		if err != nil && len(dirs) >= level || filepath.Dir(dir) == dir {
			break
		}
		dirs = append(dirs, dir)
		dir = filepath.Dir(dir)
	}
	return dirs
}

// importsPackage reports whether a file imports from the packages around it: then Python runs it as
// a part of them, not by its own name.
func (im *imports) importsPackage(tree *ast.Module) bool {
	if len(im.around) == 0 {
		return false
	}
	top, found := im.around[0], false
	of := func(name string) bool {
		first, _, _ := strings.Cut(name, ".")
		return first == top
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportFrom:
			found = found || n.Level > 0 || of(n.Module.Name)
		case *ast.Import:
			for _, a := range n.Names {
				found = found || of(a.Name.Name)
			}
		}
		_, isExpr := n.(ast.Expr)
		return !isExpr
	})
	return found
}

// projectDirs lists where a project's own modules may be looked for beside the
// roots: dir and what is above it up to the working directory or the nearest
// directory that looks like the root of a project, and the src of that.
func (f *finder) projectDirs(dir string) []string {
	wd, err := f.fs.Getwd()
	if err != nil {
		wd = ""
	}
	var out []string
	for range maxPackage {
		out = append(out, dir)
		if dir == wd || pyenv.IsProject(f.fs.Ungated(), dir) {
			if src := filepath.Join(dir, "src"); !contains(out, src) {
				if info, err := f.fs.Stat(src); err == nil && info.IsDir() {
					out = append(out, src)
				}
			}
			return out
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return out[:1]
}

// initPending reports whether the __init__.py of a package was not run yet.
func (im *imports) initPending(m *value.Module) bool {
	_, ok := im.inits[m]
	return ok
}

// packageAttr finds a name in a package whose __init__.py was not run: a module
// in its directory, else what its code defines. In from pkg import __version__ that is one
// statement, which does not need the rest.
func (im *imports) packageAttr(m *value.Module, name string) (value.Value, bool, error) {
	sub, err := im.loadModule(m.Name + "." + name)
	if err != nil {
		return nil, false, err
	}
	if sub != nil {
		m.Attrs.Set(&im.heap, name, sub)
		return sub, true, nil
	}
	if bound, err := im.bindAlone(m, name); bound || err != nil {
		v, ok := m.Attrs.Get(name)
		if !ok && err == nil { // the import waits until its names are needed: now
			return im.awaited(m, name)
		}
		return v, ok && err == nil, err
	}
	if err := im.finishInit(m); err != nil {
		return nil, false, err
	}
	return im.moduleAttr(m, name)
}

// finishInit runs the __init__.py of a package. It may import the entry's
// module, which is not complete then, as Python would have run it first: what
// fails for that reason is not reported.
func (im *imports) finishInit(m *value.Module) error {
	path, ok := im.inits[m]
	if !ok {
		return nil
	}
	delete(im.inits, m)
	file, err := im.finder.readModule(path)
	if err != nil {
		return nil
	}
	u, err := im.parse(file)
	if err != nil {
		return err
	}
	m.File = u.file
	im.finishing++
	defer func() { im.finishing-- }()
	if _, err = im.host.quietly(func() (value.Value, error) { return nil, im.host.runModule(m, u) }); fatal(err) {
		return err
	}
	return nil
}

// bindAlone runs the one statement of an __init__.py that binds a name, where it is an assignment
// of a constant or an import that stands at the top level, and reports whether it did.
func (im *imports) bindAlone(m *value.Module, name string) (bool, error) {
	path, ok := im.inits[m]
	if !ok {
		return false, nil
	}
	file, err := im.finder.readModule(path)
	if err != nil {
		return false, nil
	}
	u, err := im.parse(file)
	if err != nil || len(u.diags) > 0 {
		return false, nil
	}
	s := toplevel.OnlyBinding(u.tree, name)
	if s == nil {
		return false, nil
	}
	m.File = u.file
	f := im.stack.newFrame(&code{unit: u, scope: &u.info.Scopes[0]}, m)
	f.ns, f.at = m.Attrs, s.Span()
	if err := im.stack.push(f); err != nil {
		return false, err
	}
	defer im.stack.pop()
	return true, im.host.runAlone(f, s)
}

// inOrder is a configuration that imports the entry's module by its name, with the packages around
// it before it, as Python does; false where there is no other order than that of the run.
func (im *imports) inOrder() (Config, bool) {
	cfg := *im.cfg
	if !im.misordered || cfg.File == "" || cfg.Text != "" || cfg.Script != nil || im.main == nil || len(im.around) == 0 {
		return cfg, false
	}
	cfg.Module, cfg.File = im.main.Name, ""
	cfg.Roots = append([]string{im.top}, cfg.Roots...)
	return cfg, true
}

// errNoParent marks a relative import out of the package that is known.
var errNoParent = errors.New("no parent package")

// noParent is the failure of a relative import that has no package: an error in
// a script. A module that is only looked at may be part of a package all the same.
func (im *imports) noParent(msg string) error {
	if im.cfg.Script != nil {
		return im.host.Raise("ImportError", "%s", msg)
	}
	return errNoParent
}

// unknownPackage is what a relative import gives that has no package; name is what it says.
func (im *imports) unknownPackage(f *frame, s *ast.ImportFrom, name string) *value.Unknown {
	if file := f.globals.File; file != nil {
		if dir, err := im.fs.Abs(filepath.Dir(file.Place())); err == nil {
			for range s.Level - 1 {
				dir = filepath.Dir(dir)
			}
			first, _, _ := strings.Cut(s.Module.Name, ".")
			if im.finder.leadsOutside([]string{dir}, first) {
				return im.losses.outsideModule(name)
			}
		}
	}
	at := im.host.Here()
	c := &value.Cause{At: at, Reason: "the package of '" + name + "' is not known"}
	im.losses.explain(c, diag.New(diag.UnknownModule, at, "the package of '"+name+"' is not known: what comes from it is unknown", name))
	return im.losses.unknown(c)
}
