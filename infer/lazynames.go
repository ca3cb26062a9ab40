package infer

// This file finds the names of packages that import their parts when they are asked
// for. Such a package lists its names twice: for type checkers in a branch that never
// runs, and for an object that takes the package's place in sys.modules:
//
//	if TYPE_CHECKING:
//	    from .models import *
//	else:
//	    sys.modules[__name__] = LazyModule(__name__, table_of_all_names(), …)
//
// The table may be made of hundreds of files. So the branch for type checkers is what is
// followed, and of it what a name needs.

import (
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/toplevel"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// lazyNames are the statements that import the names of a package when they are asked for.
type lazyNames struct {
	unit *unit
	body []ast.Stmt
	// busy are the names that are being looked for.
	busy map[string]bool
}

// deferNames keeps the branch for later if s is such a statement of a package that is imported: installed, or of the project.
func (im *imports) deferNames(m *value.Module, u *unit, s ast.Stmt) bool {
	if !m.Package || u.file == im.finder.mainFile {
		return false
	}
	body := toplevel.LazyPart(s)
	if body == nil {
		return false
	}
	if im.lazy == nil {
		im.lazy = map[*value.Module]*lazyNames{}
	}
	im.lazy[m] = &lazyNames{unit: u, body: body, busy: map[string]bool{}}
	return true
}

// lazyAttr finds a name of a package that imports its parts when they are asked for.
func (im *imports) lazyAttr(m *value.Module, name string) (value.Value, bool, error) {
	v, ok, err := im.lazyName(m, name)
	if ok || err != nil {
		return v, ok, err
	}
	if other, has := lib.OtherName(m.Name, name); has {
		return im.lazyName(m, other)
	}
	return v, ok, err
}

// lazyName imports one name of a package that was too large to run: the statement of its __init__ that binds
// the name, a submodule of that name, or the star import whose module declares it. Busy names are those that
// are looked for right now, as packages import themselves.
func (im *imports) lazyName(m *value.Module, name string) (value.Value, bool, error) {
	l := im.lazy[m]
	if l == nil || strings.HasPrefix(name, "__") || l.busy[name] {
		return nil, false, nil
	}
	l.busy[name] = true
	defer delete(l.busy, name)
	for _, s := range l.body {
		if toplevel.Binds(s, name) {
			if v, ok, err := im.importOnly(m, l, s, name); ok || err != nil {
				return v, ok, err
			}
		}
	}
	if sub, err := im.loadModule(m.Name + "." + name); sub != nil || err != nil {
		if err != nil {
			return nil, false, err
		}
		v := im.finder.imported(m.Name + "." + name)
		m.Attrs.Set(&im.heap, name, v)
		return v, true, nil
	}
	stars := toplevel.StarImports(l.body)
	toplevel.SortByName(stars, name)
	for _, s := range stars {
		if len(m.Dirs) > 0 && im.finder.declares(im.finder.partOf(m.Dirs[0], s.From), name, maxPackage) {
			if v, ok, err := im.importOnly(m, l, s.Stmt, name); ok || err != nil {
				return v, ok, err
			}
		}
	}
	return nil, false, nil
}

// importOnly runs a statement of which the imports bind one name alone.
func (im *imports) importOnly(m *value.Module, l *lazyNames, s ast.Stmt, name string) (value.Value, bool, error) {
	f := im.stack.newFrame(&code{unit: l.unit, scope: &l.unit.info.Scopes[0]}, m)
	f.ns, f.only = m.Attrs, name
	if err := im.stack.push(f); err != nil {
		return nil, false, err
	}
	err := im.host.runAlone(f, s)
	im.stack.pop()
	if err != nil {
		return nil, false, err
	}
	v, ok := m.Attrs.Get(name)
	return v, ok, nil
}

// wants reports whether a frame runs imports of a name.
func (f *frame) wants(a *ast.Alias) bool {
	return f.only == "" || f.only == a.AsName.Name || a.AsName.Name == "" && (f.only == a.Name.Name || a.Name.Name == "*")
}

// partOf is the path, without its ending, of the module that an import in a package's
// __init__.py names; empty for one that is not of the package.
func (f *finder) partOf(dir string, s *ast.ImportFrom) string {
	if s.Level == 0 || s.Module.Name == "" {
		return ""
	}
	for range s.Level - 1 {
		dir = filepath.Dir(dir)
	}
	return filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(s.Module.Name, ".", "/")))
}

// declares reports whether the source of a module says that it has a public name.
func (f *finder) declares(path, name string, depth int) bool {
	if path == "" || depth == 0 {
		return false
	}
	if f.sources == nil {
		f.sources = map[string]*declared{}
	}
	d := f.sources[path]
	if d == nil {
		d = f.declaredIn(path)
		f.sources[path] = d
	}
	if d.init == nil {
		return d.Exports(name)
	}
	if slices.ContainsFunc(d.init, func(s ast.Stmt) bool { return toplevel.Binds(s, name) }) {
		return true
	}
	stars := toplevel.StarImports(d.init)
	toplevel.SortByName(stars, name)
	return slices.ContainsFunc(stars, func(s toplevel.StarImport) bool {
		return f.declares(f.partOf(path, s.From), name, depth-1)
	})
}

// A declared is what the source of a module says: the imports of a package, or the text
// of another module.
type declared struct {
	init []ast.Stmt
	toplevel.Text
}

func (f *finder) declaredIn(path string) *declared {
	if init := filepath.Join(path, "__init__.py"); f.readable(init) {
		if text, err := f.readText(init); err == nil {
			tree, _, _ := parser.ParseOutline(source.NewFile(init, text))
			return &declared{tree.Body, toplevel.Text{Source: text}}
		}
	}
	if file := path + ".py"; f.readable(file) {
		text, _ := f.readText(file)
		return &declared{Text: toplevel.Text{Source: text}}
	}
	return &declared{}
}
