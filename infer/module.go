package infer

// This file imports modules: those that ship with shapecheck, and those found
// under the roots. A module that cannot be found is Unknown and stops nothing.
//
// It also lists the names of library modules and tensors. Their functions come
// from records, and classes are loaded when they are first used, so that what a
// module has so far is not all it has.

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
	"shapecheck/internal/closest"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// imports are the modules of the run: those that were not found, those that wait, and what their top levels did.
type imports struct {
	*base
	host     importsHost
	stack    *stack
	rec      *recorder
	losses   *losses
	finder   *finder
	versions *versions

	missing map[string]*value.Unknown // modules that were not found
	lacks   []string                  // modules that were not found, as the program knows: it asked, or caught that
	// standIns are our stubs of packages that are missing.
	standIns map[*value.Module]bool
	badStub  error           // why a stub could not be run
	asked    map[string]bool // modules that parseAhead looked for
	// lazy are the packages whose names are imported when they are asked for; see lazynames.go.
	lazy map[*value.Module]*lazyNames
	// waiting are the imports of installed modules that have not run yet; see waiting.go.
	waiting map[*value.Module]*waitingImports
	registries
	// docs says which functions only rewrite docstrings; see decorators.go.
	docs map[ast.Node]bool
	// inits are the packages around the entry whose __init__.py was not run yet.
	inits map[*value.Module]string
	// finishing counts the __init__.py among them that run now.
	finishing int
	// around are the names of these packages, the outermost first, and top is the folder in which the first
	// lies; misordered says that an import failed that may not have if they had run.
	around     []string
	top        string
	misordered bool
	// library are the modules of the prelude that ran before the program; nil: none.
	library *library
	// idle are the causes of modules that are installed and not followed.
	idle map[*value.Cause]bool
	// topFaults are the faults at the top level of modules, by their names; see entryfaults.go.
	topFaults map[string]*topFault
}

// An importsHost runs the code of modules, and says how the program is prepared for what is missing.
type importsHost interface {
	value.Thread
	// runModule runs the code of a module, runAlone one statement of it, outside f as if at the top level of the program,
	// and quietly f without reporting faults.
	runModule(m *value.Module, u *unit) error
	runAlone(f *frame, s ast.Stmt) error
	outside(f func() error) error
	quietly(f func() (value.Value, error)) (value.Value, error)
	// conditions counts the conditions and loops under which the program runs.
	conditions() int
	caught(err error) bool
	hasFallback(err error) bool
	catchesMissing() bool
	settle(f *frame, v value.Value, err error) (value.Value, error)
	// askModule calls the __getattr__ of a module.
	askModule(fn value.Value, name string, library bool) (value.Value, bool, error)
	natives(name string) *value.Attrs
	opFunc(name string) *value.Builtin
}

// maxModuleName is the length of a name, in bytes, that a module can have: no file
// system has longer paths.
const maxModuleName = 4 << 10

// importModule returns a module by its absolute name, running it on first use. A
// module that is not found gives Unknown.
func (im *imports) importModule(name string) (value.Value, error) {
	im.library.noteImport(name)
	if m := im.finder.imported(name); m != nil {
		return m, nil
	}
	if u := im.missing[name]; u != nil {
		return u, nil
	}
	if len(name) > maxModuleName {
		msg := fmt.Sprintf("no module has a name of %d bytes", len(name))
		return nil, im.host.Fail("ModuleNotFoundError", diag.New(diag.ImportFailed, im.host.Here(), msg, ""))
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 { // the package first
		p, err := im.importModule(name[:i])
		if err != nil {
			return nil, err
		}
		if m := im.finder.imported(name); m != nil { // the package's own code loaded it
			return m, nil
		}
		if u, ok := p.(*value.Unknown); ok {
			im.missing[name] = u
			return u, nil
		}
	}
	if why := im.versions.tooNew(name); why != "" {
		return nil, im.host.Fail("ModuleNotFoundError", diag.New(diag.ImportFailed, im.host.Here(), "no module named '"+name+"'"+why, name))
	}
	if f := im.stack.frame; lib.Extra(name) && f != nil && !f.prelude && f.globals != nil && f.globals.File != nil &&
		im.finder.thirdParty(f.globals.File.Place()) {
		return im.unknownModule(name), nil
	}
	m, err := im.loadModule(name)
	if err != nil {
		return nil, err
	}
	if m == nil {
		u := im.unknownModule(name)
		im.missing[name] = u
		return u, nil
	}
	v := im.finder.imported(name)
	if i := strings.LastIndexByte(name, '.'); i >= 0 && (!im.library.isPreparing(im) || im.library.runs(name[:i])) {
		if p := im.modules[name[:i]]; p != nil && !im.isAwaited(p, name[i+1:]) {
			p.Attrs.Set(&im.heap, name[i+1:], v)
		}
		if p, ok := im.finder.imported(name[:i]).(*value.Instance); ok {
			p.Attrs.Set(&im.heap, name[i+1:], v)
		}
	}
	return v, nil
}

// Import is part of value.Thread. An error is what a module raises as it runs, or a ModuleNotFoundError for a name of
// more than maxModuleName bytes and for one that only a later version has.
func (in *Interp) Import(name string) (value.Value, error) { return in.imports.importModule(name) }

// unknownModule stands for a module that is not there or not followed; its cause says which, since that is what
// a user can change: install it, name its folder, or leave it.
func (im *imports) unknownModule(name string) *value.Unknown {
	last, dirs := im.finder.rootsOf(name)
	if !strings.Contains(name, ".") { // a folder that may not be read is none in which modules are looked for
		dirs = slices.DeleteFunc(slices.Clone(dirs), im.finder.isOutside)
	}
	if im.finder.leadsOutside(dirs, last) {
		return im.losses.outsideModule(im.stack.relativeName(name))
	}
	top, _, _ := strings.Cut(name, ".")
	if lib.Known(top) {
		top = name
	}
	why, idle := "was not found", im.finder.isIdle(name)
	if idle {
		why = "is installed and not followed: it is compiled, or large without PyTorch"
	}
	if !lib.Known(top) && !idle && im.finder.environment().Outside {
		why += " in the project, out of which its environment leads (--python " + im.finder.shown(im.finder.env.Folder) + " follows it)"
	}
	c := im.losses.notFollowed(name, top, why)
	c.Missing = true
	if idle {
		if im.idle == nil {
			im.idle = map[*value.Cause]bool{}
		}
		im.idle[c] = true
	}
	return im.losses.unknown(c)
}

// notFollowed is the cause of what comes from a module whose code is not known; top
// is what is reported, once.
func (l *losses) notFollowed(name, top, why string) *value.Cause {
	at := l.stack.currentSpan()
	c := &value.Cause{At: at, Reason: "module '" + name + "' " + why}
	l.explain(c, diag.New(diag.UnknownModule, at, "module '"+top+"' "+why+": what comes from it is unknown", top))
	return c
}

// loadModule finds and runs a module, with what stands for it; nil when there is none of
// that name.
func (im *imports) loadModule(name string) (*value.Module, error) {
	if im.library.isPreparing(im) {
		return im.loadAside(name)
	}
	if path, pkg, ok := im.finder.stubOf(name); ok {
		return im.loadStub(name, path, pkg)
	}
	return im.loadReal(name)
}

// loadReal finds and runs a module without its stub. The user's own files go before the
// library, as they do in Python.
func (im *imports) loadReal(name string) (*value.Module, error) {
	if name == "chainer" {
		im.versions.needNumpy1()
	}
	if name == helpers {
		return im.loadLibrary(name)
	}
	if !lib.Known(name) || im.finder.shadowed(name) {
		m, err := im.loadUser(name)
		if m != nil || err != nil {
			return m, err
		}
	}
	if !lib.Known(name) && !catalog.HasPrefix(name) {
		return im.loadStandIn(name)
	}
	return im.loadLibrary(name)
}

// loadLibrary makes a module of the prelude: native functions first, then the Python beside them, which may
// replace some.
func (im *imports) loadLibrary(name string) (*value.Module, error) {
	if name == "numpy" {
		im.versions.settleNumpy()
	}
	if m := im.place(name); m != nil {
		return m, nil
	}
	if im.library != nil {
		im.library.loaded = append(im.library.loaded, name)
	}
	m := &value.Module{Name: name, Prelude: true}
	var attrs *value.Attrs
	if attrs = im.host.natives(name); attrs == nil {
		attrs = im.heap.NewAttrs()
	}
	m.Attrs = attrs
	im.modules[name] = m
	m.Attrs.Set(&im.heap, "__name__", value.Str(name))
	path, text, pkg, ok := lib.Source(name)
	m.Package = pkg || !ok
	if !ok {
		return m, nil
	}
	return m, im.runPrelude(m, path, text)
}

// runPrelude runs a file of ours as the body of a module.
func (im *imports) runPrelude(m *value.Module, path, text string) error {
	file := source.NewFile(path, text)
	file.Prelude = true
	u, err := im.parse(file)
	if err != nil {
		return err
	}
	m.File = u.file
	return im.host.runModule(m, u)
}

// loadUser runs a module that is found under the roots.
func (im *imports) loadUser(name string) (*value.Module, error) {
	if im.finder.isIdle(name) {
		return nil, nil
	}
	if path, dirs, ok := im.finder.findUser(name); ok {
		m, err := im.runFile(name, path, dirs)
		if err == nil && m != nil && m.Partial == nil && (installed(path) || im.finder.published(name)) {
			err = im.runOver(m)
		}
		return m, err
	}
	other, compiled, ok := im.finder.findOther(name)
	if !ok {
		return nil, nil
	}
	m := &value.Module{Name: name, Attrs: im.heap.NewAttrs()}
	if compiled {
		m.Partial = im.losses.notFollowed(name, name, "is compiled")
	} else {
		m.Package, m.Dirs = true, other
		m.Attrs.Set(&im.heap, "__name__", value.Str(name))
	}
	im.modules[name] = m
	return m, nil
}

// runFile loads a source file as a module. Top-level faults do not stop the run.
func (im *imports) runFile(name, path string, dirs []string) (*value.Module, error) {
	file, err := im.finder.readModule(path)
	if err != nil {
		if !errors.As(err, new(*fs.PathError)) {
			im.host.Report(diag.New(diag.UnknownModule, im.host.Here(), "module '"+name+"' cannot be read: "+err.Error()))
		}
		return nil, nil
	}
	u, err := im.parse(file)
	if err != nil {
		return nil, err
	}
	m := &value.Module{Name: name, File: u.file, Attrs: im.heap.NewAttrs(), Package: dirs != nil, Dirs: dirs}
	im.modules[name] = m
	im.setModuleNames(m, path)
	if len(u.diags) > 0 { // Python would not run it
		m.Partial = &value.Cause{At: im.host.Here(), Reason: "module '" + name + "' has a syntax error", Reported: true}
		return m, nil
	}
	return m, im.host.runModule(m, u)
}

// readModule reads a source file; a *fs.PathError says that there is none.
func (f *finder) readModule(path string) (*source.File, error) {
	text, err := f.readText(path)
	if err != nil {
		return nil, err
	}
	return f.sourceFile(f.displayName(path), path, text), nil
}

// readText reads and decodes a source file.
func (f *finder) readText(path string) (string, error) {
	defer f.cfg.Time.Begin(timing.Phase, timing.Reading).End()
	if text, ok := reads.TextOf(f.fs, path); ok {
		return text, nil
	}
	if t := f.tops[path]; t != nil && t.data != nil {
		data := t.data
		t.data = nil
		return parser.Decode(data)
	}
	data, err := reads.File(f.fs, path, source.MaxFileSize)
	if err != nil {
		return "", err
	}
	if text, ok := f.cfg.Cache.text(path, data); ok {
		return text, nil
	}
	return parser.Decode(data)
}

// setModuleNames sets what Python sets before a module's code runs.
func (im *imports) setModuleNames(m *value.Module, path string) {
	h := &im.heap
	m.Attrs.Set(h, "__name__", value.Str(m.Name))
	m.Attrs.Set(h, "__file__", value.Str(path))
	if m.Dirs != nil {
		m.Attrs.Set(h, "__path__", h.NewList(strs(m.Dirs)))
	}
	pkg := m.Name
	if !m.Package {
		pkg = ""
		if i := strings.LastIndexByte(m.Name, '.'); i >= 0 {
			pkg = m.Name[:i]
		}
	}
	m.Attrs.Set(h, "__package__", value.Str(pkg))
	m.Attrs.Set(h, "__doc__", im.world.DocOf(nil, m.Prelude))
}

// parse adds a file to the set and parses and resolves it. Syntax errors are
// reported; a file that has some is not run.
func (im *imports) parse(file *source.File) (*unit, error) {
	u, err := im.finder.unit(file, !file.Prelude && im.finder.isProjectFile(file))
	if err != nil {
		return nil, err
	}
	if u.file.Prelude && len(u.diags) > 0 {
		return nil, errors.New("prelude " + file.Name + ": " + u.diags[0].Msg)
	}
	im.reportSyntax(u)
	return u, nil
}

// moduleAttr finds an attribute of a module: a name, a submodule, a record.
func (im *imports) moduleAttr(m *value.Module, name string) (value.Value, bool, error) {
	im.needs(m.Name, name)
	if m.Prelude && (im.versions.tooNew(m.Name+"."+name) != "" || im.versions.numpyLacks(m.Name+"."+name) != "") {
		return nil, false, nil
	}
	if v, ok := m.Attrs.Get(name); ok {
		return v, true, nil
	}
	if err := im.host.Enter(""); err != nil {
		return nil, false, err
	}
	defer im.host.Leave()
	if v, ok, err := im.awaited(m, name); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := im.moduleFallback(m, name); ok || err != nil {
		return v, ok, err
	}
	if fn, ok := m.Attrs.Get("__getattr__"); ok {
		v, ok, err := im.host.askModule(fn, name, m.Prelude)
		if ok || err != nil {
			return v, ok, err
		}
	}
	if im.initPending(m) {
		return im.packageAttr(m, name)
	}
	if v, ok, err := im.lazyAttr(m, name); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := im.importedThere(m, name); ok || err != nil {
		return v, ok, err
	}
	if m.Prelude && !im.standIns[m] && im.versions.mayExist(m, name) {
		return im.losses.noRecord(m.Name + "." + name), true, nil
	}
	if v, ok, err := im.awaitedModule(m, name); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := im.awaitedStar(m, name); ok || err != nil {
		return v, ok, err
	}
	switch name {
	case "__dict__":
		if err := im.finishImports(m); err != nil {
			return nil, false, err
		}
		return im.moduleDict(m), true, nil
	case "__class__":
		return im.world.Class("module"), true, nil
	case "__name__":
		return value.Str(m.Name), true, nil
	case "__doc__":
		return im.world.DocOf(nil, m.Prelude), true, nil
	case "__spec__", "__loader__":
		v, err := im.moduleSpec(m, name)
		return v, err == nil, err
	case "__path__":
		if m.Dirs != nil {
			return im.heap.NewList(strs(m.Dirs)), true, nil
		}
		if m.Package {
			return im.host.Unknown("the folders of a module"), true, nil
		}
	case "__version__", "__all__":
		if m.File != nil && !m.Prelude && m.Partial == nil {
			break
		}
		return im.host.Unknown("the module's " + name), true, nil
	}
	if m.Lost() != nil {
		if m.Package && !m.Prelude { // of the modules in it one may be set there, by a name that is not known
			if sub, err := im.loadModule(m.Name + "." + name); err != nil || sub != nil {
				return sub, sub != nil, err
			}
		}
		return im.losses.unknown(m.Lost()), true, nil
	}
	return nil, false, nil
}

// importedThere finds a name that a file of torch.nn imports in PyTorch and not here, so that
// programs can take it from there: torch.nn.modules.activation.constant_.
func (im *imports) importedThere(m *value.Module, name string) (value.Value, bool, error) {
	const everything = "torch.nn.modules._imports"
	if !m.Prelude || m.Name == everything {
		return nil, false, nil
	}
	has, recorded := torch.ModuleHas(im.versions.torchVersion(), m.Name, name)
	for _, v := range []string{"1.13.1", newestTorch} { // of versions between, one of these
		if h, _ := torch.ModuleHas(v, m.Name, name); h && !recorded {
			has = true
		}
	}
	if !has {
		return nil, false, nil
	}
	all, err := im.importModule(everything)
	if err != nil {
		return nil, false, err
	}
	v, ok, err := im.moduleAttr(im.finder.moduleOf(all, everything), name)
	if err != nil || !ok || value.IsUnknown(v) {
		return nil, false, err
	}
	return v, true, nil
}

// compiledOps begins the names of the operators that libraries register.
const compiledOps = "torch.ops."

// mayExist reports whether a name that a library module of ours lacks may exist
// in the real one. Lists of all names are kept of few modules and versions; elsewhere
// only what looks like a misspelling of a known name is taken as an error.
func (vs *versions) mayExist(m *value.Module, name string) bool {
	if strings.HasPrefix(name, "__") {
		return false
	}
	full := m.Name + "." + name
	if strings.HasPrefix(full, compiledOps) { // any library can add to them
		return true
	}
	if has, recorded := torch.ModuleHas(vs.torchVersion(), m.Name, name); recorded {
		return has
	}
	if chainer.AllNamesKnown(m.Name) {
		return strings.HasPrefix(name, "_")
	}
	if torch.KnownAPI(full) || strings.HasPrefix(name, "_") || strings.Contains(m.Name, "._") {
		return true
	}
	names := torch.NamesIn(m.Name)
	for i := range m.Attrs.Len() {
		names = append(names, m.Attrs.Name(i))
	}
	return closest.Identifier(name, names) == ""
}

// tooNew explains that the PyTorch of the run does not have a library name yet, or
// gives "". The library's own code, which is of one version, finds all names.
func (vs *versions) tooNew(full string) string {
	if vs.newer == nil || vs.stack.inPrelude() {
		return ""
	}
	since := vs.newer[full]
	if since == "" {
		return ""
	}
	return ": it came with PyTorch " + since + ", this is " + vs.torchVersion()
}

// moduleFallback finds submodules and records of a library module.
func (im *imports) moduleFallback(m *value.Module, name string) (value.Value, bool, error) {
	full := m.Name + "." + name
	if sub := im.finder.imported(full); sub != nil {
		return sub, true, nil
	}
	if !m.Prelude {
		return nil, false, nil
	}
	if _, ok := catalog.Lookup(full); ok {
		return im.host.opFunc(full), true, nil
	}
	if lib.Known(full) || catalog.HasPrefix(full) {
		v, err := im.importModule(full)
		return v, err == nil, err
	}
	return nil, false, nil
}

// namedInPackages is what import a.b.c as d binds to d: the attribute of the packages, which may be another thing than the
// module m of that name, as a function of a module of its own name is.
func (im *imports) namedInPackages(name string, m value.Value) (value.Value, error) {
	top, rest, _ := strings.Cut(name, ".")
	v := im.finder.imported(top)
	if v == nil || value.IsUnknown(m) {
		return m, nil
	}
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, ".")
		next, ok, err := im.host.LookupAttr(v, part)
		if err != nil {
			return nil, err
		}
		if !ok || value.IsUnknown(next) {
			return m, nil
		}
		v = next
	}
	return v, nil
}

// missingImport raises ImportError for a module that was not found when the
// program is prepared to catch it, so that it takes its fallback. A module of the standard library is there, though its contents are
// not known.
func (im *imports) missingImport(f *frame, m value.Value) error {
	if !value.IsUnknown(m) {
		return nil
	}
	err := im.host.Fail("ModuleNotFoundError", diag.New(diag.ImportFailed, im.host.Here(), "module was not found"))
	if u, ok := m.(*value.Unknown); ok && im.idle[u.Cause] {
		return nil
	}
	for name, u := range im.missing {
		if value.Value(u) == m && lib.Standard(name) {
			return nil
		}
	}
	if im.host.hasFallback(err) {
		for name, u := range im.missing {
			if value.Value(u) == m {
				im.lack(name)
			}
		}
		return err
	}
	return nil
}

// lack notes that the program knows that a module is not there.
func (im *imports) lack(name string) {
	if top, _, _ := strings.Cut(name, "."); !slices.Contains(im.lacks, top) {
		im.lacks = append(im.lacks, top)
	}
}

// importName gives the value of one name of "from module import name": an attribute of the module, or a submodule of
// that name, which is run. What a library module of ours lacks is unknown and no error, since the real one may have it.
func (im *imports) importName(m value.Value, modName, name string) (value.Value, error) {
	if value.IsUnknown(m) {
		return m, nil
	}
	v, ok, err := im.host.LookupAttr(m, name)
	if ok || err != nil {
		return v, err
	}
	mod := im.finder.moduleOf(m, modName)
	since := im.versions.tooNew(modName + "." + name)
	if (mod.Package || mod.Dirs != nil) && since == "" {
		if sub, err := im.loadModule(modName + "." + name); sub != nil || err != nil {
			if err != nil {
				return nil, err
			}
			v := im.finder.imported(modName + "." + name)
			mod.Attrs.Set(&im.heap, name, v)
			return v, nil
		}
	}
	if mod.File == nil && mod.Dirs != nil { // some directory: the module that is meant may be elsewhere
		return im.unknownModule(modName + "." + name), nil
	}
	var names []string
	for i := range mod.Attrs.Len() {
		names = append(names, mod.Attrs.Name(i))
	}
	d := diag.New(diag.ImportFailed, im.host.Here(), "cannot import name '"+name+"' from '"+modName+"'"+since, name, modName)
	if sug := closest.Identifier(name, names); sug != "" {
		d.Fixes = append(d.Fixes, respelling(im.files, sug, name, d.At, false))
	}
	if len(im.inits) > 0 && !mod.Prelude {
		im.misordered = true
	}
	fail := im.host.Fail("ImportError", d)
	// What a library module of ours lacks may well exist: unknown, not an error.
	if mod.Prelude && since == "" && !im.host.caught(fail) {
		return im.losses.noRecord(modName + "." + name), nil
	}
	return nil, fail
}

// importStar binds the names of "from module import *": those of __all__, else the public ones. Where the module or its
// __all__ is not known, the importing module is marked as having names that are not known.
func (im *imports) importStar(f *frame, m value.Value, name string) error {
	if u, ok := m.(*value.Unknown); ok {
		if f.globals.Partial == nil {
			f.globals.Partial = u.Cause
		}
		return nil
	}
	mod := im.finder.moduleOf(m, name)
	if m != value.Value(mod) {
		return im.starOfObject(f, m)
	}
	if err := im.finishInit(mod); err != nil {
		return err
	}
	if _, ok := mod.Attrs.Get("__all__"); !ok {
		if err := im.finishImports(mod); err != nil {
			return err
		}
	}
	if all, ok := mod.Attrs.Get("__all__"); ok {
		var open *value.OpenError
		err := im.host.Iterate(all, func(v value.Value) error {
			s, ok := value.AsStr(v)
			if !ok {
				im.lackNames(f.globals, v, name)
				return nil
			}
			x, ok, err := im.moduleAttr(mod, s)
			if ok && err == nil {
				f.globals.Attrs.Set(&im.heap, s, x)
			}
			return err
		})
		if !errors.As(err, &open) {
			return err
		}
		im.lackNames(f.globals, open.Open.Elem, name) // any public name may be among them
	}
	for i := range mod.Attrs.Len() {
		if n := mod.Attrs.Name(i); !strings.HasPrefix(n, "_") {
			f.globals.Attrs.Set(&im.heap, n, mod.Attrs.At(i))
		}
	}
	if c := mod.Lost(); c != nil && f.globals.Partial == nil {
		f.globals.Partial = c
	}
	return nil
}

// lackNames notes that m may have other names than are known, for a name in the __all__ of a module
// that v stands for.
func (im *imports) lackNames(m *value.Module, v value.Value, module string) {
	if m.Lost() != nil {
		return
	}
	if u, ok := v.(*value.Unknown); ok {
		m.Partial = u.Cause
		return
	}
	m.Partial = &value.Cause{At: im.host.Here(), Reason: "the names in __all__ of " + module + " are not known"}
}

// absoluteName is the module that an import in m names, or why it has none.
func absoluteName(m *value.Module, s *ast.ImportFrom) (name, fault string) {
	if s.Level == 0 {
		return s.Module.Name, ""
	}
	pkg := m.Name
	if !m.Package {
		i := strings.LastIndexByte(pkg, '.')
		if i < 0 {
			return "", "attempted relative import with no known parent package"
		}
		pkg = pkg[:i]
	}
	for range s.Level - 1 {
		i := strings.LastIndexByte(pkg, '.')
		if i < 0 {
			return "", "attempted relative import beyond top-level package"
		}
		pkg = pkg[:i]
	}
	if s.Module.Name == "" {
		return pkg, ""
	}
	return pkg + "." + s.Module.Name, ""
}

// libraryNames are the public names of a library module, or of tensors, in the
// PyTorch of the run.
func (im *imports) libraryNames(owner string) []string {
	return slices.DeleteFunc(torch.NamesIn(owner), func(name string) bool { return im.versions.tooNew(owner+"."+name) != "" })
}

// moduleDict is the __dict__ of a module.
func (im *imports) moduleDict(m *value.Module) *value.Dict {
	d := im.losses.dictView(m.Attrs)
	if !m.Prelude {
		return d
	}
	for _, name := range im.libraryNames(m.Name) {
		full := m.Name + "." + name
		if _, ok := m.Attrs.Get(name); ok || im.finder.imported(full) != nil {
			continue
		}
		if _, ok := catalog.Lookup(full); ok {
			m.Attrs.Set(&im.heap, name, im.host.opFunc(full))
		}
	}
	return d
}

// dir follows dir() of one argument; known is what its attributes give.
func (im *imports) dir(v value.Value, known *value.List) value.Value {
	owner := ""
	switch v := v.(type) {
	case *value.Module:
		if v.Prelude {
			owner = v.Name
		}
	case *value.Tensor:
		if !ops.IsArray(v) {
			owner = "torch.Tensor"
		}
	case *value.Class:
		if t := im.host.Class("torch.Tensor"); t != nil && v.IsSubclass(t) {
			owner = "torch.Tensor"
		}
	}
	if owner == "" || known.Open != nil {
		return known
	}
	names := im.libraryNames(owner)
	for _, e := range known.Elems {
		if s, ok := value.AsStr(e); ok {
			names = append(names, s)
		}
	}
	slices.Sort(names)
	var elems []value.Value
	for _, name := range slices.Compact(names) {
		elems = append(elems, value.Str(name))
	}
	return im.heap.NewList(elems)
}
