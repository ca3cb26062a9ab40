package infer

// This file runs modules of the prelude before the program, for the interpreters that check the files of a folder one after another:
// what torch and torch.nn do at their top level takes most of the time of a small file, and is always the same.
//
// An interpreter that has checked a file goes back to the state before it, in which only modules of the prelude have run; it keeps them
// aside, and puts each in place where the program imports it, with the modules that this one imports. The program sees what it sees
// without: nothing of a module is there before it is imported. A module that changes more than itself is run anew each time.

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"

	"shapecheck/infer/graph"
	"shapecheck/infer/lib"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// A library is the modules of the prelude that have run before the program.
type library struct {
	spent   *budget
	modules map[string]*libraryModule
	// unfit are modules that cannot be among them.
	unfit map[string]bool
	// running are the modules that prepare runs now, the innermost last, made those that it has run with the one that it asked for; failed
	// says that they cannot be kept.
	running []*libraryModule
	made    []string
	failed  bool
	// loaded are the modules of the prelude that the program has imported, in this order; placed counts those of them that had run before.
	loaded []string
	placed int

	// state is the state before the program, caches what is known there of files and texts.
	state  *savedState
	caches keptCaches
}

// A libraryModule is a module of the prelude, as it is after its code has run.
type libraryModule struct {
	name    string
	module  *value.Module
	imports []string // the modules that its code imports, in this order
	// steps and extra are what its own code spends; see budget.
	steps, extra int
	classes      lib.WorldChange
	options      map[string]string // of the run, that its code asks for
	// binds says that its import makes it an attribute of a package that has run before it. Where the package itself imports it, it is one
	// already, or what the package has made of that name.
	binds bool
	// effects are what its code does to the state of the run besides the heap.
	effects []func()
}

// helpers is the module of what only the prelude's own code uses.
const helpers = "_shapecheck"

// errNotOfLibrary ends a module that cannot be run before the program.
var errNotOfLibrary = errors.New("the module needs more than the library")

// idle are the interpreters of a Cache that wait for another file, and how many programs imported each module of the prelude.
type idle struct {
	mu       sync.Mutex
	list     []idleInterp
	imported map[string]int
	order    []string // of the modules, by their first import
}

type idleInterp struct {
	of librarySettings
	in *Interp
}

// librarySettings are what of a configuration modules of the prelude depend on: what newInterp reads of it.
type librarySettings struct{ torch, numpy, python, device string }

func librarySettingsOf(cfg *Config) librarySettings {
	return librarySettings{cfg.TorchVersion, cfg.NumpyVersion, cfg.PythonVersion, cfg.Device}
}

// maxIdle bounds the interpreters that wait, minImports is by how many programs a module is imported before it is kept.
const maxIdle, minImports = 8, 2

// beginLoad is begin for a Load, whose end gives the interpreter back.
func beginLoad(cfg *Config) *Interp {
	if cfg.Modules != nil || cfg.Trace != nil || cfg.Script != nil || cfg.Cache == nil {
		return begin(cfg)
	}
	in, wanted := cfg.Cache.idle.take(librarySettingsOf(cfg))
	if in == nil && len(wanted) == 0 {
		in = newInterp(cfg)
		in.imports.library = &library{spent: &in.spent}
		return in
	}
	if in == nil {
		in = newInterp(cfg)
		in.imports.library = &library{spent: &in.spent, modules: map[string]*libraryModule{}, unfit: map[string]bool{}}
		in.imports.library.keep(in)
	}
	l := in.imports.library
	if !l.prepared(in, cfg, wanted) {
		return begin(cfg)
	}
	l.resume(in, cfg)
	return in
}

// prepared is prepare; false where our own code has failed. What is wrong then shows, as a result, in the program that imports the module.
func (l *library) prepared(in *Interp, cfg *Config, names []string) (ok bool) {
	defer func() { ok = recover() == nil }()
	l.prepare(in, cfg, names)
	return true
}

// take gives an interpreter that waits, or nil, and the modules that are to be in its library.
func (d *idle) take(of librarySettings) (in *Interp, wanted []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range d.order {
		if d.imported[name] >= minImports {
			wanted = append(wanted, name)
		}
	}
	for i := len(d.list) - 1; i >= 0; i-- {
		if d.list[i].of == of {
			in = d.list[i].in
			d.list = slices.Delete(d.list, i, i+1)
			break
		}
	}
	return in, wanted
}

// giveBack ends the use of an interpreter by a Load: it waits for another file where its state can be restored.
func (d *idle) giveBack(in *Interp) {
	l := in.imports.library
	if l == nil || in.spent.over != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.imported == nil {
		d.imported = map[string]int{}
	}
	for _, name := range l.loaded {
		if d.imported[name] == 0 {
			d.order = append(d.order, name)
		}
		d.imported[name]++
	}
	l.loaded, l.placed = nil, 0
	if l.state != nil && len(d.list) < maxIdle {
		of := librarySettingsOf(in.cfg)
		l.rewind(in)
		in.cfg, in.pool, in.build, in.sink = nil, symshape.NewPool(), graph.NewBuilder(), &diag.Sink{} // those of the last run are its results'
		d.list = append(d.list, idleInterp{of, in})
	}
}

// shed drops the interpreters that wait, and reports whether there were any.
func (d *idle) shed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := len(d.list)
	d.list = nil
	return n > 0
}

// DropIdle drops the interpreters that wait for another file: no file follows soon.
func (c *Cache) DropIdle() { c.idle.shed() }

// keep saves the present state, in which no program has begun.
func (l *library) keep(in *Interp) {
	l.caches = in.cachesNow()
	l.state = in.saveState()
}

// rewind goes back to the state before the program.
func (l *library) rewind(in *Interp) {
	in.restoreState(l.state)
	l.caches.restore(in)
	in.finder = finder{base: &in.base}
	in.keeping, in.ready, in.object = nil, nil, nil
	in.main, in.mainFile, in.mainBody = nil, nil, nil
}

// resume has the interpreter, in the state before the program, run another file.
func (l *library) resume(in *Interp, cfg *Config) {
	in.cfg, in.fs = cfg, cfg.Gate()
	in.build, in.sink, in.pool = graph.NewBuilder(), &diag.Sink{}, symshape.NewPool()
	in.pool.Cancel = cfg.Cancel
	in.spent.restart()
}

// prepare runs modules that are not in the library yet, each in the state before the program. The limits of the configuration are those of
// the program.
func (l *library) prepare(in *Interp, cfg *Config, names []string) {
	names = slices.DeleteFunc(names, func(name string) bool { return l.modules[name] != nil || l.unfit[name] })
	if len(names) == 0 {
		return
	}
	l.resume(in, &Config{FS: cfg.FS, Cache: cfg.Cache, TorchVersion: cfg.TorchVersion, NumpyVersion: cfg.NumpyVersion,
		PythonVersion: cfg.PythonVersion, Device: cfg.Device})
	for _, name := range names {
		if l.modules[name] != nil { // another one imports it
			continue
		}
		l.made, l.loaded, l.failed = nil, nil, false
		in.versions.asked = l
		_, err := in.imports.importModule(name)
		fit := err == nil && !l.failed && in.atRest() && !in.hasTensorsOrFindings() && len(in.pool.Symbols()) == 0 &&
			len(in.heap.ChangedSince(l.state.heap)) == 0
		after := in.runState()
		in.restoreState(l.state)
		for _, m := range l.loaded {
			if l.modules[m] != nil {
				for _, f := range l.modules[m].effects {
					f()
				}
			}
		}
		if !fit || !sameState(reflect.ValueOf(after), reflect.ValueOf(in.runState())) {
			for _, m := range l.made { // nor can those be kept that it imports: they may have changed each other
				delete(l.modules, m)
			}
			l.unfit[name] = true
		}
		in.restoreState(l.state)
	}
	l.caches = in.cachesNow()
	in.versions.asked, l.made, l.loaded, l.placed = nil, nil, nil, 0
}

// runState is the state that a module of the prelude must leave as it is.
type runState struct {
	settings settings
	losses   losses
	imports  imports
	control  control
	entryRun entryRun
	rec      recorder
	advice   advisor
	batches  [][]*graph.Value
}

func (in *Interp) runState() *runState {
	s := &runState{in.settings.copied(), in.losses.copied(), in.imports.copied(), in.control.copied(), in.entryRun.copied(),
		in.rec.copied(), in.advice, slices.Clip(in.batchesMade)}
	s.imports.library, s.control.compared = nil, compared{} // what was compared last says nothing of what the module is
	return s
}

// sameState reports whether two values are equal; functions are not compared, and an empty table is equal to none.
func sameState(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Func:
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if !sameState(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !sameState(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for it := a.MapRange(); it.Next(); {
			v := b.MapIndex(it.Key())
			if !v.IsValid() || !sameState(it.Value(), v) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		if a.UnsafePointer() == b.UnsafePointer() || a.IsNil() || b.IsNil() {
			return a.UnsafePointer() == b.UnsafePointer()
		}
		return sameState(a.Elem(), b.Elem())
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && sameState(a.Elem(), b.Elem())
	}
	return a.Equal(b)
}

// noteOption notes that a module that runs before the program asks for an option of the run. A version that nobody has named is looked
// for where the program lies, which is not known yet.
func (l *library) noteOption(name, val string) {
	if l == nil {
		return
	}
	l.failed = l.failed || name == "torch-version" && val == ""
	for _, m := range l.running {
		m.options[name] = val
	}
}

// isPreparing reports whether modules run before the program.
func (l *library) isPreparing(im *imports) bool { return l != nil && im.versions.asked == l }

// runs reports whether the code of a module runs.
func (l *library) runs(name string) bool {
	return slices.ContainsFunc(l.running, func(m *libraryModule) bool { return m.name == name })
}

// noteImport notes that the module that runs imports another.
func (l *library) noteImport(name string) {
	if l == nil {
		return
	}
	if n := len(l.running); n > 0 && !slices.Contains(l.running[n-1].imports, name) {
		l.running[n-1].imports = append(l.running[n-1].imports, name)
	}
}

// noteEffect runs f, which changes the state of a run besides the heap: it runs again where the module whose code runs is put in place.
func (l *library) noteEffect(f func()) {
	f()
	if l != nil && len(l.running) > 0 {
		m := l.running[len(l.running)-1]
		m.effects = append(m.effects, f)
	}
}

// loadAside gives a module that another one imports before the program: what is in the library, or runs now.
func (im *imports) loadAside(name string) (*value.Module, error) {
	l := im.library
	steps, extra := l.spent.steps, l.spent.extra
	m, err := im.place(name), error(nil)
	if m == nil {
		m, err = im.runAside(name)
	}
	if n := len(l.running); n > 0 { // its steps are not those of the module that imports it
		l.running[n-1].steps -= l.spent.steps - steps
		l.running[n-1].extra -= l.spent.extra - extra
	}
	return m, err
}

// runAside runs a module of the prelude before the program.
func (im *imports) runAside(name string) (*value.Module, error) {
	l := im.library
	if name != helpers && !lib.Known(name) && !catalog.HasPrefix(name) || name == "chainer" || l.unfit[name] {
		l.failed = true
		return nil, errNotOfLibrary
	}
	m := &libraryModule{name: name, options: map[string]string{}}
	l.running = append(l.running, m)
	world, steps, extra := im.world.Keep(), l.spent.steps, l.spent.extra
	var err error
	m.module, err = im.loadLibrary(name)
	l.running = l.running[:len(l.running)-1]
	m.steps, m.extra = m.steps+l.spent.steps-steps, m.extra+l.spent.extra-extra
	i := strings.LastIndexByte(name, '.')
	m.binds = i >= 0 && !l.runs(name[:i])
	classes, ok := im.world.Since(world)
	if m.classes = classes; err != nil || !ok || m.module == nil {
		l.failed = true
		return m.module, err
	}
	l.modules[name], l.made = m, append(l.made, name)
	return m.module, nil
}

// place puts a module of the library, and those that its code imports, where the program finds them. It returns nil where the module is
// not kept or would not be the same in this program.
func (im *imports) place(name string) *value.Module {
	l := im.library
	if l == nil || !im.fits(name, map[string]bool{}) {
		return nil
	}
	im.placeAll(name)
	return l.modules[name].module
}

// fits reports whether a module that ran before the program is as if it ran now. seen are those that were asked for.
func (im *imports) fits(name string, seen map[string]bool) bool {
	m := im.library.modules[name]
	if v := im.finder.imported(name); v != nil || seen[name] {
		return seen[name] || m != nil && v == value.Value(m.module)
	}
	seen[name] = true
	if m == nil {
		return false
	}
	if !im.library.isPreparing(im) {
		if _, _, stub := im.finder.stubOf(name); stub || im.finder.hasOwn(name) || im.versions.tooNew(name) != "" {
			return false
		}
	}
	for option, val := range m.options {
		if im.versions.settings.options[option] != val {
			return false
		}
	}
	for _, dep := range m.imports {
		for i, c := range dep + "." { // the packages first
			if c == '.' && !im.fits(dep[:i], seen) {
				return false
			}
		}
	}
	return true
}

// hasOwn reports whether the project or its environment has a module that goes before the prelude's of this name.
func (f *finder) hasOwn(name string) bool {
	if name == helpers || lib.Known(name) && !f.shadowed(name) {
		return false
	}
	if f.isIdle(name) {
		return true
	}
	if _, _, found := f.findUser(name); found {
		return true
	}
	_, _, found := f.findOther(name)
	return found
}

// placeAll puts a module that fits, and what it imports, in place.
func (im *imports) placeAll(name string) {
	if im.modules[name] != nil {
		return
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		if im.placeAll(name[:i]); im.modules[name] != nil {
			return
		}
	}
	l := im.library
	m := l.modules[name]
	im.modules[name] = m.module
	l.loaded = append(l.loaded, name)
	l.placed++
	l.spent.steps += m.steps
	l.spent.charge(m.extra)
	im.world.Add(m.classes)
	for _, dep := range m.imports {
		im.placeAll(dep)
	}
	for _, f := range m.effects {
		f()
	}
	if i := strings.LastIndexByte(name, '.'); m.binds && !l.isPreparing(im) {
		im.modules[name[:i]].Attrs.Set(&im.heap, name[i+1:], m.module)
	}
}
