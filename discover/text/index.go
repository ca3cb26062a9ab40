package text

// This file resolves names of classes through the imports of a project.

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// An Index resolves names through the absolute and relative imports, the re-exports and the __all__ of a project's files. A file is read
// and parsed when a name leads to it, once for all that ask: most classes are found by their own file alone, and a check of one file
// reads only those on the way. It keeps no trees. It is safe for concurrent use.
type Index struct {
	// roots are folders in which absolute imports are found, beside the one that holds the package of the importing file.
	roots []string

	mu         sync.Mutex
	modules    map[string]*module      // by path; nil where no module can be read
	neighbours map[string][]*Neighbour // by the folder of the files that ask
	texts      map[string]string       // of neighbours, by path
	sums       map[string]string       // hashes of neighbours by their folder
}

// NewIndex is an index of a project that finds absolute imports in these folders, too.
func NewIndex(roots ...string) *Index {
	return &Index{roots: roots, modules: map[string]*module{}, neighbours: map[string][]*Neighbour{}, texts: map[string]string{}, sums: map[string]string{}}
}

// A module is what the index keeps of a file.
type module struct {
	path string
	sum  string // of its text, as a log has it; empty where another has parsed it
	// top is the folder that holds the outermost package of the file; the file's own folder where it is in none.
	top     string
	imports map[string]imported
	stars   []imported
	aliases map[string]string
	classes map[string]*classInfo
	// names are those of __all__; listed says that there is one.
	names  []string
	listed bool
	// calls are the dotted names that the bodies of classes call which may be models, passed those that stand as values: arguments, elements, results.
	calls, passed map[string]bool
}

// An imported is what an import statement binds: a module, or a name of it.
type imported struct {
	level        int
	module, name string
}

// A classInfo is what the index keeps of a class.
type classInfo struct {
	bases []string
	// forward says that it defines one, abstract that this one leaves its work to derived classes.
	forward, abstract bool
}

// read is the look at the file of a module; at one that cannot be read, if m is nil.
func (m *module) read(path string) reads.Read {
	r := reads.Read{Kind: reads.Text, Path: path}
	if m != nil {
		r.Got = m.sum
	}
	return r
}

// maxHops bounds the imports and bases that one name is followed through.
const maxHops = 40

// moduleOf is the module in a file; nil where it cannot be read.
func (x *Index) moduleOf(fsys reads.FS, path string) *module {
	x.mu.Lock()
	m, ok := x.modules[path]
	x.mu.Unlock()
	if ok {
		if log, logs := fsys.(*reads.Log); logs {
			log.Add([]reads.Read{m.read(path)})
		}
		return m
	}
	if data, err := reads.File(fsys, path, source.MaxFileSize); err == nil {
		src := source.NewFile(path, parser.Text(data))
		tree, _ := parser.Parse(src)
		m = digest(path, tree, topOf(fsys, path))
		m.sum = reads.Sum(data)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.modules[path] = m
	return m
}

// ownModule is the module of a file that was parsed for another purpose.
func (x *Index) ownModule(fsys reads.FS, path string, tree *ast.Module) *module {
	x.mu.Lock()
	m := x.modules[path]
	x.mu.Unlock()
	if m == nil { // kept only where another file asks for it: a folder has thousands
		m = digest(path, tree, topOf(fsys, path))
	}
	return m
}

// topOf is the folder that holds the outermost package of a file.
func topOf(fsys reads.FS, path string) string {
	dir := filepath.Dir(path)
	for isPackage(fsys, dir) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
	}
	return dir
}

func isPackage(fsys reads.FS, dir string) bool {
	info, err := fsys.Stat(filepath.Join(dir, "__init__.py"))
	return err == nil && info.Mode().IsRegular()
}

// digest is what the index keeps of a tree. Its texts are copies, so that the file's text can be freed.
func digest(path string, tree *ast.Module, top string) *module {
	m := &module{path: path, top: top, imports: map[string]imported{}, aliases: map[string]string{}, classes: map[string]*classInfo{},
		calls: map[string]bool{}, passed: map[string]bool{}}
	ast.Inspect(tree, func(n ast.Node) bool {
		m.notePassed(n)
		return true
	})
	topLevel(tree.Body, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.Import:
			for _, a := range s.Names {
				if a.AsName.Name != "" {
					m.imports[strings.Clone(a.AsName.Name)] = imported{module: strings.Clone(a.Name.Name)}
				} else {
					first, _, _ := strings.Cut(a.Name.Name, ".")
					m.imports[strings.Clone(first)] = imported{module: strings.Clone(first)}
				}
			}
		case *ast.ImportFrom:
			for _, a := range s.Names {
				from := imported{level: s.Level, module: strings.Clone(s.Module.Name), name: strings.Clone(a.Name.Name)}
				if a.Name.Name == "*" {
					m.stars = append(m.stars, imported{level: from.level, module: from.module})
					continue
				}
				as := from.name
				if a.AsName.Name != "" {
					as = strings.Clone(a.AsName.Name)
				}
				m.imports[as] = from
			}
		case *ast.ClassDef:
			m.addClass(s)
		case *ast.Assign:
			if to, ok := s.Targets[0].(*ast.Name); ok && len(s.Targets) == 1 {
				if to.ID == "__all__" {
					m.list(s.Value)
				} else if of := dottedName(s.Value); of != "" {
					m.aliases[strings.Clone(to.ID)] = strings.Clone(of)
				}
			}
		case *ast.AugAssign:
			if to, ok := s.Target.(*ast.Name); ok && to.ID == "__all__" {
				m.list(s.Value)
			}
		}
	})
	return m
}

// notePassed notes the names that a node has as values. What asks for the class of something, calls it or derives from it does not.
func (m *module) notePassed(n ast.Node) {
	var values []ast.Expr
	switch n := n.(type) {
	case *ast.Call:
		switch lastName(n.Func) {
		case "isinstance", "issubclass", "super":
			return
		}
		values = slices.Clone(n.Args)
		for _, k := range n.Keywords {
			values = append(values, k.Value)
		}
	case *ast.Dict:
		values = n.Values
	case *ast.List:
		values = n.Elts
	case *ast.Tuple:
		values = n.Elts
	case *ast.Return:
		values = []ast.Expr{n.Value}
	case *ast.Assign:
		values = []ast.Expr{n.Value}
	case *ast.AnnAssign:
		values = []ast.Expr{n.Value}
	}
	for _, v := range values {
		if name := dottedName(v); name != "" && !m.passed[name] {
			m.passed[strings.Clone(name)] = true
		}
	}
}

func (m *module) addClass(c *ast.ClassDef) {
	info := &classInfo{forward: definesForward(c), abstract: abstract(c)}
	for _, b := range c.Bases {
		info.bases = append(info.bases, strings.Clone(dottedName(b)))
	}
	m.classes[strings.Clone(c.Name.Name)] = info
	if !mayBeModule(c) {
		return
	}
	ast.Inspect(c, func(n ast.Node) bool {
		if call, ok := n.(*ast.Call); ok {
			if name := dottedName(call.Func); name != "" && !strings.HasPrefix(name, "self.") {
				m.calls[strings.Clone(name)] = true
			}
		}
		return true
	})
}

// list adds the texts of a list to __all__; one that is not a display of texts lists what nobody knows, so nothing is left out by it.
func (m *module) list(e ast.Expr) {
	var elems []ast.Expr
	switch e := e.(type) {
	case *ast.List:
		elems = e.Elts
	case *ast.Tuple:
		elems = e.Elts
	default:
		m.listed = false
		return
	}
	m.listed = true
	for _, x := range elems {
		if c, ok := x.(*ast.Constant); ok && c.Kind == ast.StrConst {
			m.names = append(m.names, strings.Clone(c.Str))
		}
	}
}

// dottedName is the name of an expression a.b.c or a.b.c[T]; empty for others.
func dottedName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID
	case *ast.Attribute:
		if of := dottedName(e.Value); of != "" {
			return of + "." + e.Attr.Name
		}
	case *ast.Subscript:
		return dottedName(e.Value)
	}
	return ""
}

// A symbol is what a name leads to: a class of a file of the project, or a name outside of it; the zero symbol is not known.
type symbol struct {
	in       *module
	class    string
	external string
}

// isOf reports whether a symbol is a class of a file, which may have been read twice.
func (s symbol) isOf(m *module, class string) bool {
	return s.in != nil && s.in.path == m.path && s.class == class
}

// resolve follows a dotted name of a module.
func (x *Index) resolve(fsys reads.FS, m *module, name string, hops int) symbol {
	if m == nil || name == "" || hops > maxHops {
		return symbol{}
	}
	first, rest, _ := strings.Cut(name, ".")
	if m.classes[first] != nil {
		if rest != "" { // a class in a class
			return symbol{}
		}
		return symbol{in: m, class: first}
	}
	if of := m.aliases[first]; of != "" && of != first {
		return x.resolve(fsys, m, joinNames(of, rest), hops+1)
	}
	if from, ok := m.imports[first]; ok {
		return x.follow(fsys, m, from, rest, hops)
	}
	for _, from := range m.stars {
		if s := x.follow(fsys, m, from, name, hops); s.in != nil {
			return s
		}
	}
	return symbol{}
}

// follow is what a name after an import leads to.
func (x *Index) follow(fsys reads.FS, m *module, from imported, rest string, hops int) symbol {
	if from.name == "" { // a module, and what is named after it
		for full := from.module; ; {
			next, more, _ := strings.Cut(rest, ".")
			if path := x.find(fsys, m, from.level, full); path != "" {
				if s := x.resolve(fsys, x.moduleOf(fsys, path), rest, hops+1); s != (symbol{}) {
					return s
				}
			} else if from.level == 0 {
				return symbol{external: joinNames(full, rest)}
			}
			if more == "" {
				return symbol{}
			}
			full, rest = joinNames(full, next), more
		}
	}
	path := x.find(fsys, m, from.level, from.module)
	if path == "" {
		if from.level > 0 {
			return symbol{}
		}
		return symbol{external: joinNames(from.module, joinNames(from.name, rest))}
	}
	if s := x.resolve(fsys, x.moduleOf(fsys, path), joinNames(from.name, rest), hops+1); s != (symbol{}) {
		return s
	}
	if rest == "" {
		return symbol{}
	}
	below := x.find(fsys, m, from.level, joinNames(from.module, from.name))
	if below == "" {
		return symbol{}
	}
	return x.resolve(fsys, x.moduleOf(fsys, below), rest, hops+1)
}

func joinNames(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}

// find is the file of a module that a file imports; empty where the project has none.
func (x *Index) find(fsys reads.FS, m *module, level int, name string) string {
	below := filepath.FromSlash(strings.ReplaceAll(name, ".", "/"))
	if level > 0 {
		dir := filepath.Dir(m.path)
		for range level - 1 {
			dir = filepath.Dir(dir)
		}
		return moduleFile(fsys, filepath.Join(dir, below))
	}
	if name == "" {
		return ""
	}
	for _, root := range slices.Concat([]string{m.top, filepath.Dir(m.path)}, x.roots) {
		if path := moduleFile(fsys, filepath.Join(root, below)); path != "" && path != m.path {
			return path
		}
	}
	return ""
}

// moduleFile is the file of a module whose path this is but for its suffix.
func moduleFile(fsys reads.FS, path string) string {
	if isPackage(fsys, path) {
		return filepath.Join(path, "__init__.py")
	}
	if info, err := fsys.Stat(path + ".py"); err == nil && info.Mode().IsRegular() {
		return path + ".py"
	}
	return ""
}

// A lineage is what the bases of a class say of it.
type lineage struct {
	// framework says that one of them is a class of models of a framework, unknown that one is not found.
	framework, unknown bool
	// forward says that it or a base defines what a call runs, abstract that this is left to derived classes.
	forward, abstract bool
}

// isModel reports whether a class of the lineage is run by a call.
func (l lineage) isModel() bool { return l.forward && !l.abstract && (l.framework || l.unknown) }

// lineageOf follows the bases of a class in the order of the class's head; the first forward counts, as in Python where no class is a
// base twice.
func (x *Index) lineageOf(fsys reads.FS, s symbol, hops int) lineage {
	if s.in == nil {
		return lineageOfName(s.external)
	}
	info := s.in.classes[s.class]
	l := lineage{forward: info.forward, abstract: info.abstract}
	if hops > maxHops {
		return l
	}
	for _, base := range info.bases {
		next := x.resolve(fsys, s.in, base, 0)
		if next.isOf(s.in, s.class) {
			continue // a class that names itself
		}
		if next == (symbol{}) && isBuiltinBase(base) {
			continue
		}
		b := x.lineageOf(fsys, next, hops+1)
		l.framework, l.unknown = l.framework || b.framework, l.unknown || b.unknown
		if !l.forward {
			l.forward, l.abstract = b.forward, b.abstract
		}
	}
	return l
}

// isBuiltinBase reports whether a base is a class of Python's own.
func isBuiltinBase(name string) bool {
	return noModels.MatchString(name[strings.LastIndexByte(name, '.')+1:])
}

// lineageOfName is that of a class outside of the project, by its full name.
func lineageOfName(full string) lineage {
	dot := strings.LastIndexByte(full, '.')
	name := full[dot+1:]
	switch {
	case full == "":
		return lineage{unknown: true}
	case noModels.MatchString(name):
		return lineage{}
	case slices.Contains(bare, name):
		return lineage{framework: true}
	case dot > 0 && frameNets.MatchString(full[:dot]):
		return lineage{framework: true, forward: true}
	case isFramework(full):
		return lineage{framework: true}
	}
	return lineage{unknown: true}
}

// MayBeMadeOtherwise reports whether one of the file's classes, whose constructor takes arguments, is passed as a value in the project:
// who gets it gives what nobody knows.
func (f *File) MayBeMadeOtherwise(class string) bool {
	return f.takesArguments(class) && f.around.passes(class)
}

// exports reports whether a package around a file binds one of the file's classes in its __init__.py, and does not leave it out of
// __all__.
func (x *Index) exports(fsys reads.FS, m *module, class string) bool {
	if strings.HasPrefix(class, "_") {
		return false
	}
	for dir := filepath.Dir(m.path); dir != m.top && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "__init__.py")
		if path == m.path {
			continue
		}
		p := x.moduleOf(fsys, path)
		if p == nil || p.listed && !slices.Contains(p.names, class) {
			continue
		}
		if s := x.resolve(fsys, p, class, 0); s.isOf(m, class) {
			return true
		}
	}
	return false
}

// constructs reports whether a class of another file around that may be a model calls one of the file's classes.
func (x *Index) constructs(fsys reads.FS, m *module, class string) bool {
	return x.uses(fsys, m, class, func(other *module) map[string]bool { return other.calls })
}

// passes reports whether one of the file's classes is a value in the file, or in one around: what it is made with then is not known.
func (x *Index) passes(fsys reads.FS, m *module, class string) bool {
	return m.passed[class] || x.uses(fsys, m, class, func(other *module) map[string]bool { return other.passed })
}

// uses reports whether a name of a list of another file around is one of the file's classes.
func (x *Index) uses(fsys reads.FS, m *module, class string, list func(*module) map[string]bool) bool {
	return slices.ContainsFunc(x.Around(unlogged(fsys), m.path), func(n *Neighbour) bool {
		if n.Path == m.path || !strings.Contains(n.Text, class) {
			return false
		}
		other := x.moduleOf(fsys, n.Path)
		if other == nil {
			return false
		}
		for name := range list(other) {
			if last := name[strings.LastIndexByte(name, '.')+1:]; last != class && other.imports[last].name != class {
				continue
			}
			if s := x.resolve(fsys, other, name, 0); s.isOf(m, class) {
				return true
			}
		}
		return false
	})
}

// A Neighbour is a file of the package of another one.
type Neighbour struct{ Path, Text string }

// Bounds of the files around one: how many are read, how much of each, and how many folders without an __init__.py may lie between the
// folders of a package.
const maxNeighbours, maxNeighbourText, maxNamespaces = 300, 200_000, 1

// Around are the files of the package of a file, those beside it and below first, and only those where it is in no package. They are
// read once for all files of a folder.
func (x *Index) Around(fsys reads.FS, file string) []*Neighbour {
	dir := filepath.Dir(file)
	x.mu.Lock()
	list, ok := x.neighbours[dir]
	x.mu.Unlock()
	if !ok {
		list = x.readAround(fsys, dir)
		x.mu.Lock()
		x.neighbours[dir] = list
		x.mu.Unlock()
	}
	return list
}

// unlogged is a file system without its log: the texts around a file have one hash in a survey.
func unlogged(fsys reads.FS) reads.FS {
	if log, ok := fsys.(*reads.Log); ok {
		return log.FS
	}
	return fsys
}

// aroundSum is a hash of the texts around the files of a folder; empty where nobody has asked for them.
func (x *Index) aroundSum(dir string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	list, ok := x.neighbours[dir]
	if !ok {
		return ""
	}
	if sum, ok := x.sums[dir]; ok {
		return sum
	}
	h := sha256.New()
	for _, n := range list {
		io.WriteString(h, n.Path+"\x00"+n.Text+"\x00") // which returns no error
	}
	x.sums[dir] = hex.EncodeToString(h.Sum(nil))
	return x.sums[dir]
}

// PackageAround is the folder of the outermost package around a file, or its own where it is in none.
func PackageAround(fsys reads.FS, file string) string {
	top := filepath.Dir(file)
	for dir, without := top, 0; without <= maxNamespaces && filepath.Dir(dir) != dir; {
		if dir = filepath.Dir(dir); isPackage(fsys, dir) {
			top, without = dir, 0
		} else {
			without++
		}
	}
	return top
}

// readAround reads the Python files around a folder, nearest first, up to the outermost package. One that is too large, or gone, is left
// out: another may have what is looked for.
func (x *Index) readAround(fsys reads.FS, from string) []*Neighbour {
	top := PackageAround(fsys, filepath.Join(from, "__init__.py"))
	var out []*Neighbour
	seen, n := map[string]bool{}, 0
	var through func(dir string, entries []fs.DirEntry, deep bool)
	through = func(dir string, entries []fs.DirEntry, deep bool) {
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if n == maxNeighbours {
				return
			}
			if e.IsDir() {
				if deep && holdsModules(fsys, path) {
					n++
					if below, err := fsys.ReadDir(path); err == nil {
						through(path, below, true)
					}
				}
				continue
			}
			if !strings.HasSuffix(e.Name(), ".py") || seen[path] {
				continue
			}
			seen[path] = true
			n++
			if data, err := reads.File(fsys, path, maxNeighbourText); err == nil {
				out = append(out, &Neighbour{path, x.keptText(path, string(data))})
			}
		}
	}
	for dir := from; ; dir = filepath.Dir(dir) {
		entries, err := fsys.ReadDir(dir)
		if err != nil {
			return out
		}
		through(dir, entries, dir == top || dir == from)
		if dir == top || filepath.Dir(dir) == dir {
			return out
		}
	}
}

// keptText is one text for all lists that have a file.
func (x *Index) keptText(path, text string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if kept, ok := x.texts[path]; ok && kept == text {
		return kept
	}
	x.texts[path] = text
	return text
}

// holdsModules reports whether a folder may be a part of what is around it: it is neither hidden nor an environment.
func holdsModules(fsys reads.FS, dir string) bool {
	_, err := fsys.Stat(filepath.Join(dir, "pyvenv.cfg"))
	return err != nil && !strings.HasPrefix(filepath.Base(dir), ".")
}
