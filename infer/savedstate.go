package infer

// This file saves the state of an interpreter and goes back to it: the state after the load of a file, from which its entries run
// (loaded.go), after the making of an entry's object (entryobject.go), and after the imports of a file that is edited (kept.go).
//
// Objects of the program are on the heap, and nodes in the graph; both have a journal, and are rewound. All other state is in the parts
// of an Interp, and is copied. A part that gets a map, or a list that is written in place, copies it in its copied method: two runs that
// share one would see each other's changes. Caches that say the same in every run are not copied.

import (
	"maps"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/lib"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// atRest reports whether a saved state would be whole: no branch, generator, pending exit or trial is under way, whose
// state is on the stack of Go or in values that nothing copies; nor did the load end early.
func (in *Interp) atRest() bool {
	busy := in.heap.Depth() > 0 || len(in.pendings) > 0 || len(in.path.conds) > 0 || in.stack.frame != nil || in.probe != nil ||
		slices.ContainsFunc(in.generators, func(g *generator) bool { return !g.done })
	return !busy && !in.unreadable && in.spent.over == nil && in.imports.badStub == nil && len(in.imports.topFaults) == 0
}

// hasTensorsOrFindings reports whether the load has made tensors or findings.
func (in *Interp) hasTensorsOrFindings() bool { return in.build.Last() > 0 || in.sink.Len() > 0 }

// A savedState is the state of an interpreter besides the heap. Its fields are the parts of Interp of the same names.
type savedState struct {
	heap    int // the number of the heap's state (value.Heap.Keep)
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

// saveState saves the state. Maps that a later run may write to are copied both here and in restoreState, so that neither
// sees the other's changes.
func (in *Interp) saveState() *savedState {
	return &savedState{
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

// restoreState goes back to a saved state. Each may be restored many times.
func (in *Interp) restoreState(k *savedState) {
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
	s.openSizes = maps.Clone(s.openSizes)
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
	r.dataSyms, r.elements, r.random, r.lostTruths = maps.Clone(r.dataSyms), maps.Clone(r.elements), maps.Clone(r.random), maps.Clone(r.lostTruths)
	r.turns, r.chances, r.drawings = maps.Clone(r.turns), maps.Clone(r.chances), maps.Clone(r.drawings)
	r.names, r.outside, r.causeSeen, r.weights = maps.Clone(r.names), maps.Clone(r.outside), maps.Clone(r.causeSeen), maps.Clone(r.weights)
	r.reportedOps = maps.Clone(r.reportedOps)
	r.grads = r.grads.copied()
	lines := make(map[*source.File]map[int]bool, len(r.reachedLines))
	for f, set := range r.reachedLines {
		lines[f] = maps.Clone(set)
	}
	r.reachedLines = lines
	r.ran = maps.Clone(r.ran)
	for f, x := range r.ran {
		r.ran[f] = &ranFile{x.module, maps.Clone(x.at)}
	}
	return r
}
