package infer

// This file imports modules: those that ship with shapecheck, and those found
// under the roots. A module that cannot be found is Unknown and stops nothing.

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
	"shapecheck/internal/closest"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// maxModuleName is the length of a name, in bytes, that a module can have: no file
// system has longer paths.
const maxModuleName = 4 << 10

// Import returns a module by its absolute name, running it on first use. A
// module that is not found gives Unknown.
func (in *Interp) Import(name string) (value.Value, error) {
	if m := in.imported(name); m != nil {
		return m, nil
	}
	if u := in.missing[name]; u != nil {
		return u, nil
	}
	if len(name) > maxModuleName {
		msg := fmt.Sprintf("no module has a name of %d bytes", len(name))
		return nil, in.Fail("ModuleNotFoundError", diag.New(diag.ImportFailed, in.Here(), msg, ""))
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 { // the package first
		p, err := in.Import(name[:i])
		if err != nil {
			return nil, err
		}
		if m := in.imported(name); m != nil { // the package's own code loaded it
			return m, nil
		}
		if u, ok := p.(*value.Unknown); ok {
			in.missing[name] = u
			return u, nil
		}
	}
	if why := in.tooNew(name); why != "" {
		return nil, in.Fail("ModuleNotFoundError", diag.New(diag.ImportFailed, in.Here(), "no module named '"+name+"'"+why, name))
	}
	if f := in.frame; lib.Extra(name) && f != nil && !f.prelude && f.globals != nil && f.globals.File != nil && in.thirdParty(f.globals.File.Place()) {
		return in.unknownModule(name), nil
	}
	m, err := in.loadModule(name)
	if err != nil {
		return nil, err
	}
	if m == nil {
		u := in.unknownModule(name)
		in.missing[name] = u
		return u, nil
	}
	v := in.imported(name)
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		if p := in.modules[name[:i]]; p != nil && !in.isAwaited(p, name[i+1:]) {
			p.Attrs.Set(&in.heap, name[i+1:], v)
		}
		if p, ok := in.imported(name[:i]).(*value.Instance); ok {
			p.Attrs.Set(&in.heap, name[i+1:], v)
		}
	}
	return v, nil
}

func (in *Interp) unknownModule(name string) *value.Unknown {
	last, dirs := in.rootsOf(name)
	if !strings.Contains(name, ".") { // a folder that may not be read is none in which modules are looked for
		dirs = slices.DeleteFunc(slices.Clone(dirs), in.isOutside)
	}
	if in.leadsOutside(dirs, last) {
		return in.outsideModule(in.relativeName(name))
	}
	top, _, _ := strings.Cut(name, ".")
	if lib.Known(top) {
		top = name
	}
	why, idle := "was not found", in.isIdle(name)
	if idle {
		why = "is installed and not followed: it is compiled, or large without PyTorch"
	}
	if !lib.Known(top) && !idle && in.environment().Outside {
		why += " in the project, out of which its environment leads (--python " + in.shown(in.env.Folder) + " follows it)"
	}
	c := in.notFollowed(name, top, why)
	c.Missing = true
	if idle {
		if in.idle == nil {
			in.idle = map[*value.Cause]bool{}
		}
		in.idle[c] = true
	}
	return in.unknown(c)
}

// notFollowed is the cause of what comes from a module whose code is not known; top
// is what is reported, once.
func (in *Interp) notFollowed(name, top, why string) *value.Cause {
	at := in.Here()
	c := &value.Cause{At: at, Reason: "module '" + name + "' " + why}
	in.explain(c, diag.New(diag.UnknownModule, at, "module '"+top+"' "+why+": what comes from it is unknown", top))
	return c
}

// loadModule finds and runs a module, with what stands for it; nil when there is none of
// that name.
func (in *Interp) loadModule(name string) (*value.Module, error) {
	if path, pkg, ok := in.stubOf(name); ok {
		return in.loadStub(name, path, pkg)
	}
	return in.loadReal(name)
}

// loadReal finds and runs a module without its stub. The user's own files go before the
// library, as they do in Python.
func (in *Interp) loadReal(name string) (*value.Module, error) {
	if name == "chainer" {
		in.needNumpy1()
	}
	if name == "_shapecheck" {
		return in.loadLibrary(name)
	}
	if !lib.Known(name) || in.shadowed(name) {
		m, err := in.loadUser(name)
		if m != nil || err != nil {
			return m, err
		}
	}
	if !lib.Known(name) && !catalog.HasPrefix(name) {
		return in.loadStandIn(name)
	}
	return in.loadLibrary(name)
}

func (in *Interp) loadLibrary(name string) (*value.Module, error) {
	m := &value.Module{Name: name, Prelude: true}
	var attrs *value.Attrs
	switch name {
	case "torch":
		attrs = in.nativeTorch()
	case "numpy":
		in.settleNumpy()
		attrs = in.nativeNumpy()
	case "chainer":
		attrs = in.nativeChainer()
	case "_shapecheck":
		attrs = in.nativeShapecheck()
	default:
		var ok bool
		if attrs, ok = in.world.Native(in, name); !ok {
			attrs = in.heap.NewAttrs()
		}
	}
	m.Attrs = attrs
	in.modules[name] = m
	m.Attrs.Set(&in.heap, "__name__", value.Str(name))
	path, text, pkg, ok := lib.Source(name)
	m.Package = pkg || !ok
	if !ok {
		return m, nil
	}
	return m, in.runPrelude(m, path, text)
}

// runPrelude runs a file of ours as the body of a module.
func (in *Interp) runPrelude(m *value.Module, path, text string) error {
	file := source.NewFile(path, text)
	file.Prelude = true
	u, err := in.parse(file)
	if err != nil {
		return err
	}
	m.File = u.file
	return in.runModule(m, u)
}

// loadUser runs a module that is found under the roots.
func (in *Interp) loadUser(name string) (*value.Module, error) {
	if in.isIdle(name) {
		return nil, nil
	}
	if path, dirs, ok := in.findUser(name); ok {
		m, err := in.runFile(name, path, dirs)
		if err == nil && m != nil && m.Partial == nil && (installed(path) || in.published(name)) {
			err = in.runOver(m)
		}
		return m, err
	}
	other, compiled, ok := in.findOther(name)
	if !ok {
		return nil, nil
	}
	m := &value.Module{Name: name, Attrs: in.heap.NewAttrs()}
	if compiled {
		m.Partial = in.notFollowed(name, name, "is compiled")
	} else {
		m.Package, m.Dirs = true, other
		m.Attrs.Set(&in.heap, "__name__", value.Str(name))
	}
	in.modules[name] = m
	return m, nil
}

// runFile loads a source file as a module. Top-level faults do not stop the run.
func (in *Interp) runFile(name, path string, dirs []string) (*value.Module, error) {
	file, err := in.readModule(path)
	if err != nil {
		if !errors.As(err, new(*fs.PathError)) {
			in.Report(diag.New(diag.UnknownModule, in.Here(), "module '"+name+"' cannot be read: "+err.Error()))
		}
		return nil, nil
	}
	u, err := in.parse(file)
	if err != nil {
		return nil, err
	}
	m := &value.Module{Name: name, File: u.file, Attrs: in.heap.NewAttrs(), Package: dirs != nil, Dirs: dirs}
	in.modules[name] = m
	in.setModuleNames(m, path)
	if len(u.diags) > 0 { // Python would not run it
		m.Partial = &value.Cause{At: in.Here(), Reason: "module '" + name + "' has a syntax error", Reported: true}
		return m, nil
	}
	return m, in.runModule(m, u)
}

// readModule reads a source file; a *fs.PathError says that there is none.
func (in *Interp) readModule(path string) (*source.File, error) {
	text, err := in.readText(path)
	if err != nil {
		return nil, err
	}
	return in.sourceFile(in.displayName(path), path, text), nil
}

// readText reads and decodes a source file.
func (in *Interp) readText(path string) (string, error) {
	if text, ok := reads.TextOf(in.fs, path); ok {
		return text, nil
	}
	if t := in.tops[path]; t != nil && t.data != nil {
		data := t.data
		t.data = nil
		return parser.Decode(data)
	}
	data, err := reads.File(in.fs, path, source.MaxFileSize)
	if err != nil {
		return "", err
	}
	if text, ok := in.cfg.Cache.text(path, data); ok {
		return text, nil
	}
	return parser.Decode(data)
}

func (in *Interp) setModuleNames(m *value.Module, path string) {
	h := &in.heap
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
	m.Attrs.Set(h, "__doc__", in.world.DocOf(nil, m.Prelude))
}

// parse adds a file to the set and parses and resolves it. Syntax errors are
// reported; a file that has some is not run.
func (in *Interp) parse(file *source.File) (*unit, error) {
	u, err := in.unit(file, !file.Prelude && in.own(file))
	if err != nil {
		return nil, err
	}
	if u.file.Prelude && len(u.diags) > 0 {
		return nil, errors.New("prelude " + file.Name + ": " + u.diags[0].Msg)
	}
	in.reportSyntax(u)
	return u, nil
}

// runModule runs a module's top-level code. What stops it early is kept, so that
// names that were not reached are Unknown.
func (in *Interp) runModule(m *value.Module, u *unit) error {
	c := &code{unit: u, scope: &u.info.Scopes[0], prelude: u.file.Prelude}
	f := in.newFrame(c, m)
	f.ns, f.conds = m.Attrs, len(in.path.conds)+len(in.loops)
	m.Attrs.Set(&in.heap, "__doc__", in.world.DocOf(u.tree.Body, u.file.Prelude))
	if err := in.push(f); err != nil {
		return err
	}
	defer in.pop()
	if len(in.tracers.all) > 0 {
		defer in.tracers.load(m)()
	}
	if !m.Prelude && in.thirdParty(u.file.Place()) {
		loading := in.rec.loading // what a package does while a script imports it is no value of the script
		in.rec.loading = loading || u.file != in.rec.main
		defer func() { in.rec.loading = loading }()
		if in.unfinished == nil {
			in.unfinished = map[*value.Module]bool{}
		}
		in.unfinished[m] = true
		defer func() {
			delete(in.unfinished, m)
			in.watchModule(m)
		}()
	}
	in.parseAhead(f, u.tree.Body)
	base, quiet := len(in.pendings), in.quiet
	stopped := false
	for i := 0; i < len(u.tree.Body); i++ {
		if in.deferNames(m, u, u.tree.Body[i]) {
			continue
		}
		if stopped { // Python would not run it; it may define names all the same
			in.quiet = quiet + 1
		}
		before := in.sink.Len()
		_, err := in.stmt(f, u.tree.Body[i], u.tree.Body[i+1:])
		in.noteTopLevel(m, u.tree.Body[i], before)
		in.quiet = quiet
		in.dropPendings(base)
		if err == nil {
			continue
		}
		var e *value.Exception
		if !errors.As(err, &e) || m.Prelude || in.cfg.Script != nil {
			if e != nil && m != in.main {
				delete(in.modules, m.Name) // another import runs it again
			}
			return err
		}
		if in.caught(e) {
			delete(in.modules, m.Name)
			return err
		}
		stopped = true
		if stop := in.topLevelFault(m, f, u.tree.Body[i], e); stop {
			break
		}
	}
	return nil
}

// moduleAttr finds an attribute of a module: a name, a submodule, a record.
func (in *Interp) moduleAttr(m *value.Module, name string) (value.Value, bool, error) {
	in.needs(m.Name, name)
	if m.Prelude && (in.tooNew(m.Name+"."+name) != "" || in.numpyLacks(m.Name+"."+name) != "") {
		return nil, false, nil
	}
	if v, ok := m.Attrs.Get(name); ok {
		return v, true, nil
	}
	if err := in.Enter(""); err != nil {
		return nil, false, err
	}
	defer in.Leave()
	if v, ok, err := in.awaited(m, name); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := in.moduleFallback(m, name); ok || err != nil {
		return v, ok, err
	}
	if fn, ok := m.Attrs.Get("__getattr__"); ok {
		handlers := in.handlers
		if m.Prelude { // which is imported already: a try around it is no other way without the package
			in.handlers = nil
		}
		v, ok, err := in.maybeAttr(fn, name)
		in.handlers = handlers
		if ok || err != nil {
			return v, ok, err
		}
	}
	if in.initPending(m) {
		return in.packageAttr(m, name)
	}
	if v, ok, err := in.lazyAttr(m, name); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := in.importedThere(m, name); ok || err != nil {
		return v, ok, err
	}
	if m.Prelude && !in.standIns[m] && in.mayExist(m, name) {
		return in.noRecord(m.Name + "." + name), true, nil
	}
	if v, ok, err := in.awaitedModule(m, name); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := in.awaitedStar(m, name); ok || err != nil {
		return v, ok, err
	}
	switch name {
	case "__dict__":
		if err := in.finishImports(m); err != nil {
			return nil, false, err
		}
		return in.moduleDict(m), true, nil
	case "__class__":
		return in.world.Class("module"), true, nil
	case "__name__":
		return value.Str(m.Name), true, nil
	case "__doc__":
		return in.world.DocOf(nil, m.Prelude), true, nil
	case "__spec__", "__loader__":
		v, err := in.moduleSpec(m, name)
		return v, err == nil, err
	case "__path__":
		if m.Dirs != nil {
			return in.heap.NewList(strs(m.Dirs)), true, nil
		}
		if m.Package {
			return in.Unknown("the folders of a module"), true, nil
		}
	case "__version__", "__all__":
		if m.File != nil && !m.Prelude && m.Partial == nil {
			break
		}
		return in.Unknown("the module's " + name), true, nil
	}
	if m.Lost() != nil {
		if m.Package && !m.Prelude { // of the modules in it one may be set there, by a name that is not known
			if sub, err := in.loadModule(m.Name + "." + name); err != nil || sub != nil {
				return sub, sub != nil, err
			}
		}
		return in.unknown(m.Lost()), true, nil
	}
	return nil, false, nil
}

// importedThere finds a name that a file of torch.nn imports in PyTorch and not here, so that
// programs can take it from there: torch.nn.modules.activation.constant_.
func (in *Interp) importedThere(m *value.Module, name string) (value.Value, bool, error) {
	const everything = "torch.nn.modules._imports"
	if !m.Prelude || m.Name == everything {
		return nil, false, nil
	}
	has, recorded := torch.ModuleHas(in.torchVersion(), m.Name, name)
	for _, v := range []string{"1.13.1", newestTorch} { // of versions between, one of these
		if h, _ := torch.ModuleHas(v, m.Name, name); h && !recorded {
			has = true
		}
	}
	if !has {
		return nil, false, nil
	}
	all, err := in.Import(everything)
	if err != nil {
		return nil, false, err
	}
	v, ok, err := in.moduleAttr(in.moduleOf(all, everything), name)
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
func (in *Interp) mayExist(m *value.Module, name string) bool {
	if strings.HasPrefix(name, "__") {
		return false
	}
	full := m.Name + "." + name
	if strings.HasPrefix(full, compiledOps) { // any library can add to them
		return true
	}
	if has, recorded := torch.ModuleHas(in.torchVersion(), m.Name, name); recorded {
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
func (in *Interp) tooNew(full string) string {
	if in.newer == nil || in.frame != nil && in.frame.prelude {
		return ""
	}
	since := in.newer[full]
	if since == "" {
		return ""
	}
	return ": it came with PyTorch " + since + ", this is " + in.torchVersion()
}

// moduleFallback finds submodules and records of a library module.
func (in *Interp) moduleFallback(m *value.Module, name string) (value.Value, bool, error) {
	full := m.Name + "." + name
	if sub := in.imported(full); sub != nil {
		return sub, true, nil
	}
	if !m.Prelude {
		return nil, false, nil
	}
	if _, ok := catalog.Lookup(full); ok {
		return in.opFunc(full), true, nil
	}
	if lib.Known(full) || catalog.HasPrefix(full) {
		v, err := in.Import(full)
		return v, err == nil, err
	}
	return nil, false, nil
}

func (in *Interp) importStmt(f *frame, s *ast.Import) error {
	for _, a := range s.Names {
		f.at = a.Span()
		if in.letModuleWait(f, a) {
			continue
		}
		m, err := in.Import(a.Name.Name)
		if err != nil {
			return err
		}
		name := a.AsName.Name
		if name == "" {
			top, _, dotted := strings.Cut(a.Name.Name, ".")
			name = top
			if dotted {
				if t := in.imported(top); t != nil {
					m = t
				}
			}
		} else if m, err = in.namedInPackages(a.Name.Name, m); err != nil {
			return err
		}
		if err := in.missingImport(f, m); err != nil {
			return err
		}
		if err := in.bind(f, name, m); err != nil {
			return err
		}
	}
	return nil
}

// namedInPackages is what import a.b.c as d binds to d: the attribute of the packages, which may be another thing than the
// module m of that name, as a function of a module of its own name is.
func (in *Interp) namedInPackages(name string, m value.Value) (value.Value, error) {
	top, rest, _ := strings.Cut(name, ".")
	v := in.imported(top)
	if v == nil || value.IsUnknown(m) {
		return m, nil
	}
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, ".")
		next, ok, err := in.LookupAttr(v, part)
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
// program is prepared to catch it, so that it takes its fallback.
func (in *Interp) missingImport(f *frame, m value.Value) error {
	if !value.IsUnknown(m) {
		return nil
	}
	err := in.Fail("ModuleNotFoundError", diag.New(diag.ImportFailed, in.Here(), "module was not found"))
	if u, ok := m.(*value.Unknown); ok && in.idle[u.Cause] {
		return nil
	}
	if in.hasFallback(err) {
		in.lacking = true
		return err
	}
	return nil
}

func (in *Interp) importFrom(f *frame, s *ast.ImportFrom) error {
	if !slices.ContainsFunc(s.Names, f.wants) {
		return nil
	}
	f.at = s.Span()
	if in.letWait(f, s) {
		return nil
	}
	name, fault := absoluteName(f.globals, s)
	if fault != "" {
		err := in.noParent(fault)
		if errors.Is(err, errNoParent) {
			return in.unknownNames(f, s)
		}
		return in.settleNames(f, s, err)
	}
	m, err := in.Import(name)
	if err != nil {
		return err
	}
	if err := in.missingImport(f, m); err != nil {
		return err
	}
	for _, a := range s.Names {
		f.at = a.Span()
		if !f.wants(a) {
			continue
		}
		if a.Name.Name == "*" && f.only != "" {
			if v, ok, err := in.LookupAttr(m, f.only); err != nil {
				return err
			} else if ok {
				f.globals.Attrs.Set(&in.heap, f.only, v)
			}
			continue
		}
		if a.Name.Name == "*" {
			if err := in.importStar(f, m, name); err != nil {
				return err
			}
			continue
		}
		if in.letNameWait(f, m, a) {
			continue
		}
		as := a.AsName.Name
		if as == "" {
			as = a.Name.Name
		}
		v, err := in.importName(m, name, a.Name.Name)
		if err != nil {
			if v, err = in.settle(f, nil, err); err != nil {
				return err
			}
		}
		if err := in.bind(f, as, v); err != nil {
			return err
		}
	}
	return nil
}

func (in *Interp) importName(m value.Value, modName, name string) (value.Value, error) {
	if value.IsUnknown(m) {
		return m, nil
	}
	v, ok, err := in.LookupAttr(m, name)
	if ok || err != nil {
		return v, err
	}
	mod := in.moduleOf(m, modName)
	since := in.tooNew(modName + "." + name)
	if (mod.Package || mod.Dirs != nil) && since == "" {
		if sub, err := in.loadModule(modName + "." + name); sub != nil || err != nil {
			if err != nil {
				return nil, err
			}
			v := in.imported(modName + "." + name)
			mod.Attrs.Set(&in.heap, name, v)
			return v, nil
		}
	}
	if mod.File == nil && mod.Dirs != nil { // some directory: the module that is meant may be elsewhere
		return in.unknownModule(modName + "." + name), nil
	}
	var names []string
	for i := range mod.Attrs.Len() {
		names = append(names, mod.Attrs.Name(i))
	}
	d := diag.New(diag.ImportFailed, in.Here(), "cannot import name '"+name+"' from '"+modName+"'"+since, name, modName)
	if sug := closest.Identifier(name, names); sug != "" {
		d.Fixes = append(d.Fixes, in.meant(sug, name, d.At, false))
	}
	if len(in.inits) > 0 && !mod.Prelude {
		in.misordered = true
	}
	fail := in.Fail("ImportError", d)
	// What a library module of ours lacks may well exist: unknown, not an error.
	if mod.Prelude && since == "" && !in.caught(fail) {
		return in.noRecord(modName + "." + name), nil
	}
	return nil, fail
}

func (in *Interp) importStar(f *frame, m value.Value, name string) error {
	if u, ok := m.(*value.Unknown); ok {
		if f.globals.Partial == nil {
			f.globals.Partial = u.Cause
		}
		return nil
	}
	mod := in.moduleOf(m, name)
	if m != value.Value(mod) {
		return in.starOfObject(f, m)
	}
	if err := in.finishInit(mod); err != nil {
		return err
	}
	if _, ok := mod.Attrs.Get("__all__"); !ok {
		if err := in.finishImports(mod); err != nil {
			return err
		}
	}
	if all, ok := mod.Attrs.Get("__all__"); ok {
		var open *value.OpenError
		err := in.Iterate(all, func(v value.Value) error {
			s, ok := value.AsStr(v)
			if !ok {
				in.lackNames(f.globals, v, name)
				return nil
			}
			x, ok, err := in.moduleAttr(mod, s)
			if ok && err == nil {
				f.globals.Attrs.Set(&in.heap, s, x)
			}
			return err
		})
		if !errors.As(err, &open) {
			return err
		}
		in.lackNames(f.globals, open.Open.Elem, name) // any public name may be among them
	}
	for i := range mod.Attrs.Len() {
		if n := mod.Attrs.Name(i); !strings.HasPrefix(n, "_") {
			f.globals.Attrs.Set(&in.heap, n, mod.Attrs.At(i))
		}
	}
	if c := mod.Lost(); c != nil && f.globals.Partial == nil {
		f.globals.Partial = c
	}
	return nil
}

// lackNames notes that m may have other names than are known, for a name in the __all__ of a module
// that v stands for.
func (in *Interp) lackNames(m *value.Module, v value.Value, module string) {
	if m.Lost() != nil {
		return
	}
	if u, ok := v.(*value.Unknown); ok {
		m.Partial = u.Cause
		return
	}
	m.Partial = &value.Cause{At: in.Here(), Reason: "the names in __all__ of " + module + " are not known"}
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
