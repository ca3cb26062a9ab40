package infer

// This file runs several entries of a file that is loaded once. A file is loaded for some 50 to
// 150 ms where it imports a large package, and an entry of it runs for 10: who tries entries and
// arguments needs many runs of one file.
//
// What the program made is on the heap, which is rewound (value.Heap.Keep). What the interpreter
// keeps besides is copied here, but for caches that say the same in every run. Each run has a graph and a
// sink of its own, which begin with what the load has made, and the one pool as the load has left it
// (symshape.Pool.Mark): who reads a result after a later run calls Result.Resume first.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"shapecheck/infer/graph"
	"shapecheck/infer/lib"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A Loaded is a file whose top level has run. It is for one goroutine.
type Loaded struct {
	in   *Interp // nil: every run loads the file itself
	main *value.Module
	// ran says that an entry has run; kept is the state before it, nil where there is no going back.
	ran  bool
	kept *keptState
	// keep is what is kept of the imports of the file, for Close to give back.
	modules *Modules
	keep    *keptModules
	inOrder *Loaded // nil: it was not needed yet
	// faults are how many errors every run has from the load, where the other order of imports has a part in them.
	faults int
	// same are the entries, with the method that is called, that had the same errors in both orders.
	same map[[2]string]bool
	// made is the object of the entry that the last run has made.
	made *madeEntry
	// remade counts the runs that went on from an object that was made before.
	remade int
	// later says that results are read after later runs, apart that each run has a pool of its own then.
	later, apart bool
}

// Close gives back the imports of the file for Config.Modules, when no run is to follow.
func (l *Loaded) Close() {
	if l != nil {
		l.inOrder.Close()
		l.modules.give(l.keep)
		l.keep, l.in, l.inOrder, l.made = nil, nil, nil, nil
	}
}

// Load loads the file of a configuration. What is wrong with it Run tells. Of results that are read later, after
// other runs, a load that made tensors or findings is used once. Where it made symbols all runs share its pool
// (Result.Resume), else each has its own.
func Load(cfg Config, later bool) *Loaded {
	l, again := &Loaded{later: later}, cfg
	in := begin(&cfg)
	res, err := in.guarded(func() (_ *Result, err error) {
		l.main, err = in.loadMain()
		return nil, err
	})
	if err == errUnfit {
		cfg.Modules.give(in.keeping)
		again.Modules = nil
		return Load(again, later)
	}
	l.modules, l.keep = cfg.Modules, in.keeping
	if res != nil || err != nil || cfg.Script != nil || cfg.Trace != nil {
		return l
	}
	l.in = in
	if in.atRest() && !(later && in.made()) {
		l.kept = in.loadedState()
		l.apart = later && len(in.pool.Symbols()) == 0
		if l.kept != nil && in.imports.misordered {
			l.faults = lastingErrors(in.sink.All())
		}
	}
	return l
}

// lastingErrors counts the errors of a load that its runs have, too: a comment may be found right later.
func lastingErrors(list []*diag.Diagnostic) int {
	n := 0
	for _, d := range diag.Group(list) {
		if d.Severity == diag.Error && d.Code != diag.CommentMismatch {
			n++
		}
	}
	return n
}

// ordered is the load of the configuration in which the packages around the file run first; see inOrder.
func (l *Loaded) ordered(cfg Config) *Loaded {
	if l.inOrder == nil {
		l.inOrder = Load(cfg, l.later)
	}
	return l.inOrder
}

// Run is Run of a configuration that differs from that of Load only in what concerns the entry:
// Entry, Args and how they are called, and the limits. Steps of the load count in the first run. An error is one that
// Run of such a configuration returns.
func (l *Loaded) Run(cfg Config) (*Result, error) {
	if l.full() {
		same := l.same
		l.Close()
		*l = *Load(cfg, l.later)
		l.same = same
	}
	in := l.in
	if in == nil || l.ran && l.kept == nil {
		l.Close()
		return Run(cfg)
	}
	cfg.Roots, cfg.Cache, cfg.gate = in.cfg.Roots, in.cfg.Cache, in.fs
	in.cfg = &cfg
	other, misordered := in.imports.inOrder()
	again := sync.OnceValues(func() (*Result, error) { return l.ordered(other).Run(other) })
	if l.faults > 0 && misordered { // every run has these: what has fewer in the other order, or asks for more there, is better
		var usage *UsageError
		r, err := again()
		if err == nil && countErrors(r) < l.faults || errors.As(err, &usage) && !usage.noModule {
			l.ran = true
			return r, err
		}
		cfg.Timeout = cfg.less(r)
	}
	l.back(&cfg)
	in.pool.Cancel = cfg.Cancel
	res, err := in.guarded(func() (*Result, error) { return in.runLoaded(l.main) })
	if err == errMadeOtherwise {
		l.made = nil
		l.remade--
		l.back(&cfg)
		in.pool.Cancel = cfg.Cancel
		res, err = in.guarded(func() (*Result, error) { return in.runLoaded(l.main) })
	}
	if res != nil && l.kept != nil && !l.apart {
		symbols := in.pool.Mark()
		res.symbols = &symbols
	}
	if other, misordered = in.imports.inOrder(); !misordered || err != nil || countErrors(res) == 0 { // the other order is no better
		return res, err
	}
	entry := [...]string{cfg.Entry, cfg.Call}
	if l.same[entry] {
		return res, nil
	}
	other.Timeout = cfg.less(res)
	r, err := again()
	if err == nil && sameErrors(res, r) {
		if l.same == nil {
			l.same = map[[2]string]bool{}
		}
		l.same[entry] = true
	}
	return better(res, r, err)
}

// back goes back to the state before a run: where its entry was made by the last run, to that right after.
func (l *Loaded) back(cfg *Config) {
	in := l.in
	if l.ran && l.made.isMade() && l.made.of == madeOf(cfg) {
		l.made.resume(in)
		l.remade++
		return
	}
	if l.ran {
		in.unload(l.kept)
		if l.apart {
			in.pool = symshape.NewPool()
		} else {
			in.pool.Return(l.kept.symbols)
		}
		in.build, in.sink = l.kept.build.Again(), l.kept.sink.Copied()
		in.spent.restart()
	}
	l.ran, l.made = true, nil
	if cfg.Fill != nil && l.kept != nil && !l.later && cfg.Trace == nil {
		l.made = &madeEntry{of: madeOf(cfg)}
	}
	in.object = l.made
}

// less is what a run leaves of the limit of time for one that goes with it.
func (c *Config) less(r *Result) time.Duration {
	if c.Timeout <= 0 || r == nil {
		return c.Timeout
	}
	return max(c.Timeout-r.Spent, time.Second)
}

// sameErrors reports whether two runs have the same errors.
func sameErrors(a, b *Result) bool {
	texts := func(r *Result) []string {
		var out []string
		for _, d := range r.Diagnostics {
			if d.Severity == diag.Error {
				at := r.Files.Position(d.At.Start) // a file may have other names in the other order
				if at.File != nil {
					out = append(out, fmt.Sprintf("%s:%d:%d", at.File.Place(), at.Line, at.Col))
				}
				out = append(out, string(d.Code)+" "+d.Msg)
			}
		}
		return out
	}
	return slices.Equal(texts(a), texts(b))
}

// maxRunSizes bounds the expressions of sizes that runs leave in a pool that they share.
const maxRunSizes = 50_000

// full reports whether the runs have left so much in the pool that they share that another load takes less than
// to go on with it: all of it lives as long as the load.
func (l *Loaded) full() bool {
	return l.in != nil && l.ran && l.kept != nil && !l.apart && l.in.pool.Size() > l.kept.sizes+maxRunSizes
}

// Resume has the pool of a result have the symbols of its run. The pool is that of all runs of a Loaded: this goes
// before what reads a result after another run.
func (r *Result) Resume() {
	if r.symbols != nil {
		r.Pool.Return(*r.symbols)
	}
}

// atRest reports whether all that the load has made is on the heap or in what is kept.
func (in *Interp) atRest() bool {
	busy := in.heap.Depth() > 0 || len(in.pendings) > 0 || len(in.path.conds) > 0 || in.stack.frame != nil || in.probe != nil ||
		slices.ContainsFunc(in.generators, func(g *generator) bool { return !g.done })
	return !busy && !in.unreadable && in.spent.over == nil && in.imports.badStub == nil && len(in.imports.topFaults) == 0
}

// made reports whether the load has made tensors or findings.
func (in *Interp) made() bool { return in.build.Last() > 0 || in.sink.Len() > 0 }

// A keptState is what an interpreter has besides the heap.
type keptState struct {
	heap    int // its number there
	modules map[string]*value.Module
	settings
	stack    stack
	spent    budget
	losses   losses
	finder   finder
	versions versions
	imports  imports
	texts
	control
	entryRun
	batchesMade [][]*graph.Value
	annotations annotations
	args        arguments
	rec         recorder
	advice      advisor
	world       lib.KeptWorld

	build   *graph.Builder
	sink    *diag.Sink
	symbols symshape.Mark
	sizes   int // of the pool
}

// loadedState keeps the state after the load of the main file, from which each entry begins. Maps that an entry
// may write to are copied both here and in unload, so that neither sees the other's changes; the heap and the
// graph have a journal for that.
func (in *Interp) loadedState() *keptState {
	return &keptState{
		heap: in.heap.Keep(), modules: maps.Clone(in.modules),
		settings: in.settings.copied(), stack: in.stack, spent: in.spent, losses: in.losses.copied(), finder: in.finder.copied(),
		versions: in.versions, imports: in.imports.copied(), texts: in.texts,
		control: in.control.copied(), entryRun: in.entryRun.copied(),
		batchesMade: slices.Clip(in.batchesMade), annotations: in.annotations.copied(), args: in.args, rec: in.rec.copied(),
		advice: in.advice,
		world:  in.world.Keep(),
		build:  in.build.Again(), sink: in.sink.Copied(), symbols: in.pool.Mark(), sizes: in.pool.Size(),
	}
}

// unload goes back to it.
func (in *Interp) unload(k *keptState) {
	in.heap.Rewind(k.heap)
	in.modules = maps.Clone(k.modules)
	in.settings, in.imports, in.texts, in.control, in.entryRun = k.settings.copied(), k.imports.copied(), k.texts, k.control.copied(),
		k.entryRun.copied()
	in.stack, in.spent, in.losses, in.finder, in.versions = k.stack, k.spent, k.losses.copied(), k.finder.copied(), k.versions
	in.batchesMade = slices.Clip(k.batchesMade)
	in.args = k.args
	in.annotations, in.rec, in.advice = k.annotations.copied(), k.rec.copied(), k.advice
	in.world.Rewind(k.world)
}

func (s settings) copied() settings {
	s.options, s.overridden, s.examples = maps.Clone(s.options), maps.Clone(s.overridden), maps.Clone(s.examples)
	s.ranges, s.assumed = slices.Clip(s.ranges), slices.Clip(s.assumed)
	return s
}

func (s imports) copied() imports {
	s.missing, s.standIns, s.lazy = maps.Clone(s.missing), maps.Clone(s.standIns), maps.Clone(s.lazy)
	s.inits, s.idle = maps.Clone(s.inits), maps.Clone(s.idle)
	waiting := make(map[*value.Module]*waitingImports, len(s.waiting))
	for m, w := range s.waiting {
		waiting[m] = w.copied()
	}
	s.waiting = waiting
	s.registrants, s.watched, s.unfinished = maps.Clone(s.registrants), maps.Clone(s.watched), maps.Clone(s.unfinished)
	for k, list := range s.registrants {
		s.registrants[k] = slices.Clip(list)
	}
	s.sought = maps.Clone(s.sought)
	for k, list := range s.sought {
		s.sought[k] = slices.Clip(list)
	}
	return s
}

func (w *waitingImports) copied() *waitingImports {
	out := &waitingImports{names: make(map[string]*waitingName, len(w.names)), order: slices.Clip(w.order),
		stars: make([]*waitingName, len(w.stars))}
	for name, x := range w.names {
		c := *x
		out.names[name] = &c
	}
	for i, x := range w.stars {
		c := *x
		out.stars[i] = &c
	}
	return out
}

func (c control) copied() control {
	c.guesses, c.there = maps.Clone(c.guesses), maps.Clone(c.there)
	c.handlers, c.loops, c.unrolled, c.callbacks = slices.Clip(c.handlers), slices.Clip(c.loops), slices.Clip(c.unrolled),
		slices.Clip(c.callbacks)
	c.given = maps.Clone(c.given)
	return c
}

func (e entryRun) copied() entryRun {
	e.savedFiles, e.unknowns = maps.Clone(e.savedFiles), slices.Clip(e.unknowns)
	return e
}

func (a annotations) copied() annotations {
	a.uncommentedOrder = slices.Clip(a.uncommentedOrder)
	a.sizes = maps.Clone(a.sizes)
	a.commentStates = maps.Clone(a.commentStates)
	for at, s := range a.commentStates {
		x := *s
		a.commentStates[at] = &x
	}
	a.uncommented = maps.Clone(a.uncommented)
	for at, s := range a.uncommented {
		x := *s
		a.uncommented[at] = &x
	}
	return a
}

// copied copies what later records change in place: lines count how often they ran, and decisions are
// completed.
func (r recorder) copied() recorder {
	r.lines = slices.Clone(r.lines)
	for i, l := range r.lines {
		x := *l
		r.lines[i] = &x
	}
	r.lineIdx = maps.Clone(r.lineIdx)
	for k, list := range r.lineIdx {
		r.lineIdx[k] = slices.Clip(list)
	}
	r.decisions = maps.Clone(r.decisions)
	for s, d := range r.decisions {
		x := *d
		r.decisions[s] = &x
	}
	r.calls, r.ops, r.stack, r.conds = slices.Clip(r.calls), slices.Clip(r.ops), slices.Clip(r.stack), slices.Clip(r.conds)
	r.switches, r.causes, r.notes, r.partials = slices.Clip(r.switches), slices.Clip(r.causes), slices.Clip(r.notes), slices.Clip(r.partials)
	r.dataSyms, r.random, r.lostTruths = maps.Clone(r.dataSyms), maps.Clone(r.random), maps.Clone(r.lostTruths)
	r.names, r.outside, r.causeSeen, r.weights = maps.Clone(r.names), maps.Clone(r.outside), maps.Clone(r.causeSeen), maps.Clone(r.weights)
	r.reportedOps = maps.Clone(r.reportedOps)
	g := &r.grads
	g.states, g.cut, g.freed, g.decorated = maps.Clone(g.states), maps.Clone(g.cut), maps.Clone(g.freed), maps.Clone(g.decorated)
	lines := make(map[*source.File]map[int]bool, len(r.reachedLines))
	for f, set := range r.reachedLines {
		lines[f] = maps.Clone(set)
	}
	r.reachedLines = lines
	return r
}

// GoesBack reports whether all runs use the one load.
func (l *Loaded) GoesBack() bool { return l.in != nil && l.kept != nil }

// Remade is how many runs went on from an object that an earlier run had made, for tests.
func (l *Loaded) Remade() int { return l.remade }
