package infer

// This file fills the tables in which modules register what they define, while the imports
// of these modules wait.

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/toplevel"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// A registrant is a module that registers something and has not run yet.
type registrant struct {
	name, path string
}

// registries are the tables in which modules that have not run would register something.
type registries struct {
	// registrants are these modules, by the name, and its module, that they register with.
	registrants map[tableName][]registrant
	// watched are the names whose tables are watched. Those of modules that have not run
	// are not; sought are such names by where they will be, which another import may say.
	watched map[tableName]bool
	sought  map[tableName][]tableName
	// unfinished are the modules of installed packages that are running.
	unfinished map[*value.Module]bool
	// decorators are the names that may register something, as their modules' own text says when they have run; passive are those that do not.
	decorators, passive map[tableName]bool
	// filling is set while modules run for the sake of a table.
	filling bool
}

// A tableName is a name of a module behind which there are tables; an empty name is the
// module itself.
type tableName struct{ module, name string }

// addRegistrant notes what a module that waits would register. Decorators of its own package may do that, too (see watchVia).
func (im *imports) addRegistrant(t *topState) {
	for _, r := range t.top.Registers {
		im.addRegistrantWith(t, r)
	}
	for _, r := range t.top.Decorators {
		if key := t.tableOf(r); topOf(key.module) == topOf(t.name) && !im.passive[key] {
			if im.decorators == nil {
				im.decorators = map[tableName]bool{}
			}
			im.decorators[key] = true
			im.addRegistrantWith(t, r)
		}
	}
}

// tableOf is a name that a module imports, with its full module.
func (t *topState) tableOf(r toplevel.Name) tableName {
	module := r.From.Name
	if r.From.Level > 0 {
		pkg := t.pkg()
		for range r.From.Level - 1 {
			pkg = parentOf(pkg)
		}
		if module = pkg; r.From.Name != "" {
			module += "." + r.From.Name
		}
	}
	return tableName{module, r.Name}
}

func (im *imports) addRegistrantWith(t *topState, r toplevel.Name) {
	key := t.tableOf(r)
	if im.registrants == nil {
		im.registrants = map[tableName][]registrant{}
		im.watched, im.sought = map[tableName]bool{}, map[tableName][]tableName{}
	}
	list, known := im.registrants[key]
	if n := len(list); n > 0 && list[n-1].path == t.path {
		return
	}
	if im.registrants[key] = append(list, registrant{t.name, t.path}); !known {
		im.watch(key, key)
	}
}

// pkg is the package that a module's relative imports start from.
func (t *topState) pkg() string {
	if filepath.Base(t.path) == "__init__.py" {
		return t.name
	}
	return parentOf(t.name)
}

// watchModule watches the tables behind the names of a module that has run.
func (im *imports) watchModule(m *value.Module) {
	for at, keys := range im.sought {
		if at.module == m.Name {
			for _, key := range keys {
				im.watch(key, at)
			}
		}
	}
}

// watch has the tables behind a name filled when they are read. at is where it is found: a
// module may have it from another one.
func (im *imports) watch(key, at tableName) { im.watchVia(key, at, 0) }

// maxWatchDepth bounds through how many modules a name is followed.
const maxWatchDepth = 16

// watchVia watches a table of classes that decorators fill (registries of models): an import that waits may be
// what registers a class, so that a lookup in the table runs those imports first.
func (im *imports) watchVia(key, at tableName, depth int) {
	if im.watched[key] {
		return
	}
	m := im.modules[at.module]
	if m == nil || im.unfinished[m] {
		if !slices.Contains(im.sought[at], key) {
			im.sought[at] = append(im.sought[at], key)
		}
		return
	}
	if at.name == "" {
		im.watched[key] = true
		im.watchAttrs(m.Attrs, key, 1)
		return
	}
	v, ok := m.Attrs.Get(at.name)
	if !ok {
		if im.isAwaited(m, at.name) {
			w := im.waiting[m].names[at.name]
			next := tableName{w.module, w.name}
			if next == at { // from . import name, of a module in the package
				next = tableName{w.module + "." + w.name, ""}
			}
			if depth < maxWatchDepth { // two modules can have it from each other
				im.watchVia(key, next, depth+1)
			}
		}
		return
	}
	if im.decorators[key] && !writesOutside(v) {
		if im.passive == nil {
			im.passive = map[tableName]bool{}
		}
		im.passive[key] = true
		delete(im.registrants, key)
		return
	}
	im.watched[key] = true
	if fn, ok := v.(*value.Func); ok && fn.Module != nil {
		im.watchAttrs(fn.Module.Attrs, key, 1)
		return
	}
	im.watchValue(v, key, 1)
}

func (im *imports) watchAttrs(a *value.Attrs, key tableName, depth int) {
	for i := range a.Len() {
		im.watchValue(a.At(i), key, depth)
	}
}

func (im *imports) watchValue(v value.Value, key tableName, depth int) {
	switch v := v.(type) {
	case *value.Dict:
		before := v.Fill
		v.Fill = func(k string) bool {
			if before != nil && before(k) {
				return true
			}
			return im.fill(v, key, k)
		}
	case *value.Instance:
		if depth > 0 && v.Attrs != nil {
			im.watchAttrs(v.Attrs, key, depth-1)
		}
	case *value.Class:
		if depth > 0 && !v.Prelude {
			im.watchAttrs(v.Attrs, key, depth-1)
		}
	}
}

// fill runs modules that would have registered something under k; all of them where k is
// empty or none of those that mention it did. It reports whether k is there now.
func (im *imports) fill(d *value.Dict, key tableName, k string) bool {
	if !im.mayComplete() {
		return false
	}
	im.filling = true
	defer func() { im.filling = false }()
	run := im.runRegistrant
	rest := im.registrants[key]
	im.registrants[key] = nil
	if k != "" {
		var others []registrant
		for _, r := range rest {
			if im.modules[r.name] != nil {
				continue
			}
			if !im.finder.mentions(r.path, k) {
				others = append(others, r)
				continue
			}
			run(r)
		}
		if rest = others; d.Has(k) {
			im.registrants[key] = rest
			return true
		}
	}
	for _, r := range rest {
		run(r)
	}
	return k != "" && d.Has(k)
}

// runRegistrant runs a module that has waited.
func (im *imports) runRegistrant(r registrant) {
	_ = im.host.outside(func() error {
		_, err := im.importModule(r.name)
		return err
	})
}

// mayComplete reports whether modules wait that would register something, and may run now.
func (im *imports) mayComplete() bool {
	return len(im.registrants) > 0 && len(im.unfinished) == 0 && !im.filling
}

// completeClass runs the modules that wait, mention an attribute that a class lacks, and would register something with the packages of
// the class or its bases: they may set it. It reports whether any ran.
func (im *imports) completeClass(c *value.Class, attr string) bool {
	if !im.mayComplete() {
		return false
	}
	im.filling = true
	defer func() { im.filling = false }()
	ran := false
	for _, key := range slices.SortedFunc(maps.Keys(im.registrants), compareTables) {
		if !slices.ContainsFunc(c.MRO, func(b *value.Class) bool { return !b.Prelude && topOf(b.Module) == topOf(key.module) }) {
			continue
		}
		var others []registrant
		for _, r := range im.registrants[key] {
			switch {
			case im.modules[r.name] != nil:
			case im.finder.mentions(r.path, attr):
				im.runRegistrant(r) // once, also where it fails
				ran = true
			default:
				others = append(others, r)
			}
		}
		im.registrants[key] = others
	}
	return ran
}

func compareTables(a, b tableName) int {
	return cmp.Or(strings.Compare(a.module, b.module), strings.Compare(a.name, b.name))
}

// writesOutside reports whether the text of a function writes to what is not its own: an item, an attribute, or by a method that adds.
func writesOutside(v value.Value) bool {
	fn, ok := v.(*value.Func)
	if !ok {
		return false
	}
	def := fn.Definition()
	own := map[string]bool{}
	ast.Inspect(def, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name:
			if n.Ctx == ast.Store {
				own[n.ID] = true
			}
		case *ast.Param:
			own[n.Name] = true
		}
		return true
	})
	outside := func(e ast.Expr) bool {
		for {
			switch x := e.(type) {
			case *ast.Attribute:
				e = x.Value
				continue
			case *ast.Subscript:
				e = x.Value
				continue
			case *ast.Name:
				return !own[x.ID]
			}
			return false
		}
	}
	writes := false
	ast.Inspect(def, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Global:
			writes = true
		case *ast.Attribute:
			writes = writes || n.Ctx == ast.Store && outside(n.Value)
		case *ast.Subscript:
			writes = writes || n.Ctx == ast.Store && outside(n.Value)
		case *ast.Call:
			switch f := n.Func.(type) {
			case *ast.Attribute:
				writes = writes || slices.Contains(adding, f.Attr.Name) && outside(f.Value)
			case *ast.Name:
				writes = writes || f.ID == "setattr" && len(n.Args) > 0 && outside(n.Args[0])
			}
		}
		return !writes
	})
	return writes
}

// adding are the methods by which collections get elements.
var adding = []string{"append", "add", "update", "setdefault", "insert", "extend", "__setitem__", "appendleft"}

// topOf is the first part of the name of a module.
func topOf(module string) string {
	top, _, _ := strings.Cut(module, ".")
	return top
}
