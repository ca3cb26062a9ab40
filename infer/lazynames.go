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
	"shapecheck/infer/value"
	"shapecheck/internal/inorder"
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

// lazyPart gives the branch for type checkers of a statement that puts another object in
// the module's place; nil for other statements.
func lazyPart(s ast.Stmt) []ast.Stmt {
	branch, ok := s.(*ast.If)
	if !ok || !forTypeCheckers(branch.Test) {
		return nil
	}
	for _, s := range branch.Else {
		if a, ok := s.(*ast.Assign); ok && len(a.Targets) == 1 && isOwnPlace(a.Targets[0]) {
			return branch.Body
		}
	}
	return nil
}

// forTypeCheckers reports whether a condition is TYPE_CHECKING, perhaps or something else.
func forTypeCheckers(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID == "TYPE_CHECKING"
	case *ast.Attribute:
		return e.Attr.Name == "TYPE_CHECKING"
	case *ast.BoolOp:
		return e.Op == ast.Or && forTypeCheckers(e.Values[0])
	}
	return false
}

// isOwnPlace reports whether an expression is sys.modules[__name__].
func isOwnPlace(e ast.Expr) bool {
	s, ok := e.(*ast.Subscript)
	if !ok {
		return false
	}
	table, ok := s.Value.(*ast.Attribute)
	name, isName := s.Index.(*ast.Name)
	return ok && isName && table.Attr.Name == "modules" && name.ID == "__name__"
}

// deferNames keeps the branch for later if s is such a statement of an installed package.
func (im *imports) deferNames(m *value.Module, u *unit, s ast.Stmt) bool {
	if !m.Package || im.finder.isProjectFile(u.file) {
		return false
	}
	body := lazyPart(s)
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
		if binds(s, name) {
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
	stars := starImports(l.body)
	sortByName(stars, name)
	for _, s := range stars {
		if len(m.Dirs) > 0 && im.finder.declares(im.finder.partOf(m.Dirs[0], s.from), name, maxPackage) {
			if v, ok, err := im.importOnly(m, l, s.stmt, name); ok || err != nil {
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

// binds reports whether imports in s bind a name that they tell.
func binds(s ast.Stmt, name string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if from, ok := n.(*ast.ImportFrom); ok {
			for _, a := range from.Names {
				found = found || a.AsName.Name == name || a.AsName.Name == "" && a.Name.Name == name
			}
		}
		_, isExpr := n.(ast.Expr)
		return !isExpr && !found
	})
	return found
}

// A starImport is an import of all names and the statement of a body that holds it.
type starImport struct {
	from *ast.ImportFrom
	stmt ast.Stmt
}

// starImports lists the star imports of a module's top level, also those under conditions.
func starImports(body []ast.Stmt) []starImport {
	var out []starImport
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			if from, ok := n.(*ast.ImportFrom); ok && len(from.Names) == 1 && from.Names[0].Name.Name == "*" {
				out = append(out, starImport{from, s})
			}
			_, isExpr := n.(ast.Expr)
			return !isExpr
		})
	}
	return out
}

// sortByName puts first the modules with whose names name begins, the longest first:
// LlamaModel is more likely in llama than in albert.
func sortByName(list []starImport, name string) {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	likely := func(s starImport) int {
		key := s.from.Module.Name[strings.LastIndexByte(s.from.Module.Name, '.')+1:]
		if key = strings.ReplaceAll(key, "_", ""); strings.HasPrefix(name, key) {
			return len(key)
		}
		return 0
	}
	inorder.StableBy(list, func(a, b starImport) int { return likely(b) - likely(a) })
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
		return d.names(name)
	}
	if slices.ContainsFunc(d.init, func(s ast.Stmt) bool { return binds(s, name) }) {
		return true
	}
	stars := starImports(d.init)
	sortByName(stars, name)
	return slices.ContainsFunc(stars, func(s starImport) bool {
		return f.declares(f.partOf(path, s.from), name, depth-1)
	})
}

// A declared is what the source of a module says: the imports of a package, or the text
// of another module.
type declared struct {
	init    []ast.Stmt
	text    string
	defined map[string]bool // when it was asked for
}

func (f *finder) declaredIn(path string) *declared {
	if init := filepath.Join(path, "__init__.py"); f.readable(init) {
		if text, err := f.readText(init); err == nil {
			tree, _, _ := parser.ParseOutline(source.NewFile(init, text))
			return &declared{init: tree.Body, text: text}
		}
	}
	if file := path + ".py"; f.readable(file) {
		text, _ := f.readText(file)
		return &declared{text: text}
	}
	return &declared{}
}

// names reports whether a module lists a name in __all__, or without one defines it at
// its top level.
func (d *declared) names(name string) bool {
	if !strings.Contains(d.text, name) {
		return false
	}
	listed := false
	for rest := d.text; ; {
		_, after, ok := strings.Cut(rest, "\n__all__")
		if !ok {
			break
		}
		listed = true
		list, _, _ := strings.Cut(after, "]")
		if strings.Contains(list, `"`+name+`"`) || strings.Contains(list, "'"+name+"'") {
			return true
		}
		rest = after
	}
	return !listed && d.defines(name)
}

// defines reports whether a module defines a name at its top level.
func (d *declared) defines(name string) bool {
	if d.defined == nil {
		d.defined = definedIn(d.text)
	}
	return d.defined[name]
}

// definedIn are the names that a text defines at its top level: those of its classes and
// functions, and what is assigned to, or annotated.
func definedIn(text string) map[string]bool {
	names := map[string]bool{}
	for {
		_, after, ok := strings.Cut(text, "\n")
		if !ok {
			return names
		}
		text = after
		name, rest := leadingName(text)
		if name == "class" || name == "def" {
			if name, _ = leadingName(strings.TrimPrefix(rest, " ")); name != "" {
				names[name] = true
			}
		} else if name != "" && (strings.HasPrefix(rest, " =") || strings.HasPrefix(rest, ":")) {
			names[name] = true
		}
	}
}

// leadingName cuts the name that a text begins with.
func leadingName(text string) (name, rest string) {
	i := 0
	for i < len(text) && (text[i] == '_' || text[i] >= 0x80 || 'a' <= text[i]|0x20 && text[i]|0x20 <= 'z' || i > 0 && '0' <= text[i] &&
		text[i] <= '9') {
		i++
	}
	return text[:i], text[i:]
}
