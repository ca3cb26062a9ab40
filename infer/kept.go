package infer

// This file keeps what a file imports from one run to the next: who edits a file checks it again
// and again, and its imports take most of the time.
//
// Before the file itself runs, the modules that its first statements import are run in the same order, and
// the state is kept (savedstate.go says what that is). A later run of another text goes back to that state
// when the text begins with the same imports and every look at a file gives what it gave; the edited
// file must not be among the files that were looked at. What the runs say is the same as without.

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"shapecheck/infer/graph"
	"shapecheck/infer/lib"
	"shapecheck/infer/toplevel"
	"shapecheck/infer/value"
	"shapecheck/internal/cputime"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// Modules are the imported modules of files, for Config.Modules. The zero Modules are empty; a nil *Modules
// keeps none. It is safe for concurrent use; runs at the same time do not share modules.
type Modules struct {
	mu    sync.Mutex
	kept  map[string]*keptModules
	order []string // of the keys, the one used last at the end
	// resumed counts the runs that began after the imports.
	resumed int
}

// Resumed is how many runs had their imports from an earlier one.
func (m *Modules) Resumed() int {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.resumed
}

const (
	// maxKept bounds the files whose modules are kept.
	maxKept = 4
	// maxKeptSizes bounds the expressions that runs of these files make in a pool with symbols of the imports.
	maxKeptSizes = 100_000
)

// A keptModules is the state of an interpreter after the imports of a file.
type keptModules struct {
	key     string
	cache   *Cache
	imports string // the text of the imports
	// level and packaged are what else of the text says where modules are found.
	level    int
	packaged bool
	// unfit says that these imports cannot be kept.
	unfit bool

	in     *Interp
	state  *savedState
	caches keptCaches
	looks  []reads.Read
}

// errUnfit ends a run that was to keep its modules and cannot: it begins anew.
var errUnfit = errors.New("the modules cannot be kept")

// begin makes the interpreter of a run, that of an earlier one where its modules still hold.
func begin(cfg *Config) *Interp {
	k := cfg.Modules.take(cfg)
	if k != nil && k.in != nil {
		if in := k.resume(cfg); in != nil {
			cfg.Modules.mu.Lock()
			cfg.Modules.resumed++
			cfg.Modules.mu.Unlock()
			return in
		}
	}
	in := newInterp(cfg)
	if k != nil {
		in.keeping = k
	}
	return in
}

// take gives what is kept for a configuration, and nobody else has it until it is given back; nil where
// nothing is to be kept.
func (m *Modules) take(cfg *Config) *keptModules {
	if m == nil || cfg.File == "" || cfg.Module != "" || cfg.Script != nil || cfg.Trace != nil || cfg.Ahead {
		return nil
	}
	c := *cfg
	c.Text, c.Entry, c.Args, c.Positional, c.Attributes, c.Call, c.ArgsByName, c.Assume = "", "", nil, false, nil, "", nil, nil
	c.NoGrad, c.LogOps, c.Eval, c.Explore, c.Flip, c.InsertComments, c.Trial, c.SizesOpen = false, false, false, false, nil, false, false, false
	c.Pin, c.AfterFault, c.Open = "", 0, NothingOpen
	c.MaxSteps, c.EntrySteps, c.MaxDepth, c.MaxIterations, c.Timeout, c.MaxMemory, c.ProcessMemory = 0, 0, 0, 0, 0, 0, 0
	text, err := json.Marshal(&c)
	if err != nil { // it is no plain data
		return nil
	}
	key := string(text)
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.kept[key]
	if k == nil || k.cache != cfg.Cache {
		return &keptModules{key: key, cache: cfg.Cache}
	}
	delete(m.kept, key)
	return k
}

// give gives back what was taken.
func (m *Modules) give(k *keptModules) {
	if m == nil || k == nil || k.in == nil && !k.unfit {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string]*keptModules{}
	}
	m.order = append(slices.DeleteFunc(m.order, func(key string) bool { return key == k.key }), k.key)
	m.kept[k.key] = k
	if len(m.order) > maxKept {
		delete(m.kept, m.order[0])
		m.order = m.order[1:]
	}
}

// shed drops what no run has at the moment, and reports whether there was any.
func (m *Modules) shed() bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.kept)
	m.kept, m.order = nil, nil
	return n > 0
}

// resume goes back to the state after the imports with another text; nil where that is not what a
// new run would come to.
func (k *keptModules) resume(cfg *Config) *Interp {
	checker := reads.Checker{FS: cfg.FS}
	if !checker.Holds(k.looks) {
		return nil
	}
	in, roots := k.in, k.in.cfg.Roots
	in.pool.Return(k.state.symbols)
	symbols := len(in.pool.Symbols()) > 0
	if symbols && in.pool.Size() > maxKeptSizes {
		return nil
	}
	in.restoreState(k.state)
	k.caches.restore(in)
	in.fs = cfg.Gate()
	cfg.Roots = roots
	in.cfg = cfg
	in.fs.Add(environmentRoots(in.finder.env)...)
	in.spent.start, in.spent.cpuStart, in.spent.looked = clock(), cputime.Used(), 0
	in.build, in.sink = graph.NewBuilder(), &diag.Sink{}
	if !symbols {
		in.pool = symshape.NewPool()
	}
	in.pool.Cancel = cfg.Cancel
	file, err := in.entry.readMain(cfg.File)
	if err != nil {
		return nil
	}
	in.mainFile = file
	u, err := in.imports.parse(file)
	if err != nil || toplevel.ImportsText(u.file, u.tree.Body) != k.imports || toplevel.RelativeLevel(u.tree) != k.level ||
		in.imports.importsPackage(u.tree) != k.packaged {
		return nil
	}
	m := in.main
	m.File, m.Partial = u.file, nil
	in.mainFile, in.mainBody = u.file, u.tree.Body
	in.keeping, in.ready = k, u
	in.unreadable = len(u.diags) > 0
	return in
}

// keepModules runs the modules that the entry's file imports first and keeps them. The error is errUnfit
// where a run that did this would not be the same.
func (in *Interp) keepModules(m *value.Module, u *unit, log *reads.Log) error {
	k := in.keeping
	imports := toplevel.ImportsText(u.file, u.tree.Body)
	if k.unfit && k.imports == imports { // as it was before
		in.keeping = k
		return nil
	}
	*k = keptModules{key: k.key, cache: k.cache, imports: imports, level: toplevel.RelativeLevel(u.tree),
		packaged: in.imports.importsPackage(u.tree)}
	if u.file.Notebook != nil || len(u.diags) > 0 || imports == "" {
		return nil
	}
	if in.finder.thirdParty(u.file.Place()) || !in.imports.preload(m, u) || in.imports.misordered || in.imports.lostPlaces() ||
		!in.atRest() || in.hasTensorsOrFindings() {
		k.unfit = true
		return errUnfit
	}
	abs, err := in.fs.Abs(in.cfg.File)
	if err != nil {
		k.unfit = true
		return errUnfit
	}
	for _, r := range log.List() {
		if r.Kind != reads.Text {
			continue
		}
		if p, err := in.fs.Abs(r.Path); err != nil || filepath.Clean(p) == filepath.Clean(abs) {
			k.unfit = true
			return errUnfit
		}
	}
	k.looks = log.List()
	k.in = in
	k.caches = in.cachesNow()
	k.state = in.saveState()
	return nil
}

// lostPlaces reports whether a loss would be told at the statement that imports.
func (im *imports) lostPlaces() bool {
	if im.losses.placeless {
		return true
	}
	for _, m := range im.modules {
		if m.Partial != nil && !m.Partial.At.IsValid() {
			return true
		}
	}
	return false
}

// preload imports what the first statements of a file import. It binds no names. It reports whether all is
// as it will be when the statements themselves run.
func (im *imports) preload(m *value.Module, u *unit) bool {
	for _, s := range toplevel.FirstImports(u.tree.Body) {
		switch s := s.(type) {
		case *ast.Try:
			if !im.finder.importsLater(s) {
				return true // what follows is left to its statements
			}
		case *ast.Import:
			for _, a := range s.Names {
				if _, ok := im.preloadModule(a.Name.Name); !ok {
					return false
				}
			}
		case *ast.ImportFrom:
			name, fault := absoluteName(m, s)
			if fault != "" {
				return false
			}
			p, ok := im.preloadModule(name)
			if !ok {
				return false
			}
			if p == nil {
				continue
			}
			for _, a := range s.Names {
				if a.Name.Name == "*" {
					continue
				}
				if v, err := im.importName(p, name, a.Name.Name); err != nil || value.IsUnknown(v) {
					return false
				}
			}
		}
	}
	return true
}

// preloadModule imports a module; nil where none is found, which is left to the statement. ok is false where its
// import failed.
func (im *imports) preloadModule(name string) (m value.Value, ok bool) {
	top, _, _ := strings.Cut(name, ".")
	if !lib.Known(top) && im.modules[top] == nil {
		if _, _, found := im.finder.findUser(top); !found || im.finder.isIdle(top) {
			return nil, true
		}
	}
	v, err := im.importModule(name)
	return v, err == nil && !value.IsUnknown(v)
}

// importsLater reports whether a try statement may run after the imports that follow it: what it
// imports is built in, or is not there at all.
func (f *finder) importsLater(s *ast.Try) bool {
	later := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Import:
			for _, a := range n.Names {
				later = later && f.builtInOrMissing(a.Name.Name)
			}
		case *ast.ImportFrom:
			later = later && n.Level == 0 && f.builtInOrMissing(n.Module.Name)
		}
		return later
	})
	return later
}

// builtInOrMissing reports whether a module has no file here, so that no change of files changes what it is.
func (f *finder) builtInOrMissing(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	if lib.Known(top) && !f.shadowed(top) {
		return true
	}
	_, _, found := f.findUser(top)
	return !found
}

// keptCaches are what an interpreter knows besides its state: all of it says the same in every run of the same
// files, and grows with each text that is run.
type keptCaches struct {
	codes       map[any]*code
	docs        map[ast.Node]bool
	contents    map[*value.Abstract]string
	fileKeys    map[any]value.Value // keys of files by those of their names
	evals       map[string]*unit
	sources     map[string]*declared
	listings    map[string]map[string]fs.FileMode
	shadows     map[string]bool
	follows     map[string]bool
	signatures  map[*ast.FunctionDef]*signature
	assigned    map[*ast.AnnAssign]*spec
	fields      map[*value.Class]map[string]*field
	classSizes  map[*value.Class][]string
	forCheckers map[*value.Module]map[string][2]string
	comments    map[*source.File]map[int]*lineComment
	ownFiles    map[*source.File]bool
	origins     map[*code]map[string]origin
}

// cachesNow copies what a run has read and parsed, for the next run with the same files.
func (in *Interp) cachesNow() keptCaches {
	return keptCaches{
		maps.Clone(in.codes), maps.Clone(in.imports.docs), maps.Clone(in.contents), maps.Clone(in.fileKeys), maps.Clone(in.evals),
		maps.Clone(in.finder.sources),
		maps.Clone(in.finder.listings),
		maps.Clone(in.finder.shadows), maps.Clone(in.finder.follows), maps.Clone(in.annotations.signatures),
		maps.Clone(in.annotations.assigned),
		maps.Clone(in.annotations.fields),
		maps.Clone(in.annotations.classSizes), maps.Clone(in.annotations.forCheckers), maps.Clone(in.annotations.comments),
		maps.Clone(in.finder.ownFiles),
		maps.Clone(in.annotations.origins),
	}
}

// restore has an interpreter know what it knew when they were kept.
func (k *keptCaches) restore(in *Interp) {
	in.codes, in.imports.docs, in.evals = maps.Clone(k.codes), maps.Clone(k.docs), maps.Clone(k.evals)
	in.contents, in.fileKeys = maps.Clone(k.contents), maps.Clone(k.fileKeys)
	in.finder.sources, in.finder.listings = maps.Clone(k.sources), maps.Clone(k.listings)
	in.finder.shadows, in.finder.follows = maps.Clone(k.shadows), maps.Clone(k.follows)
	in.annotations.signatures, in.annotations.assigned, in.annotations.fields = maps.Clone(k.signatures), maps.Clone(k.assigned),
		maps.Clone(k.fields)
	in.annotations.classSizes, in.annotations.forCheckers = maps.Clone(k.classSizes), maps.Clone(k.forCheckers)
	in.annotations.comments, in.finder.ownFiles, in.annotations.origins = maps.Clone(k.comments), maps.Clone(k.ownFiles),
		maps.Clone(k.origins)
}
