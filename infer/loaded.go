package infer

// This file runs several entries of a file that is loaded once. A file is loaded for some 50 to
// 150 ms where it imports a large package, and an entry of it runs for 10: who tries entries and
// arguments needs many runs of one file.
//
// The state after the load is saved, and each run begins with it (savedstate.go). Each run has a graph and a
// sink of its own, which begin with what the load has made, and the one pool as the load has left it
// (symshape.Pool.Mark): who reads a result after a later run calls Result.Resume first.

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// A Loaded is a file whose top level has run. It is for one goroutine.
type Loaded struct {
	in   *Interp // nil: every run loads the file itself
	main *value.Module
	// ran says that an entry has run; state is the state before it, nil where it cannot be restored.
	ran   bool
	state *savedState
	// imports are the file's imports, for Close to give back to modules.
	modules *Modules
	imports *keptModules
	// reordered is the load in which the packages around the file run first (imports.inOrder); nil: it was not needed yet.
	reordered *Loaded
	// loadErrors are how many errors every run has from the load, where the other order of imports has a part in them.
	loadErrors int
	// sameInBoth are the entries, with the method that is called, that had the same errors in both orders.
	sameInBoth map[[2]string]bool
	// object is the object of the entry that the last run has made.
	object *entryObject
	// remade counts the runs that went on from an object that was made before.
	remade int
	// readLater says that results are read after later runs; ownPools, that each run then has a pool of its own.
	readLater, ownPools bool
}

// Close gives back the imports of the file for Config.Modules, when no run is to follow.
func (l *Loaded) Close() {
	if l != nil {
		l.reordered.Close()
		l.modules.give(l.imports)
		if l.in != nil && l.imports == nil {
			l.in.cfg.Cache.idle.giveBack(l.in)
		}
		l.imports, l.in, l.reordered, l.object = nil, nil, nil, nil
	}
}

// Load loads the file of a configuration. Run reports what is wrong with it. readLater says that results are read after
// later runs: a load that made tensors or findings is then used for one run. Where the load made symbols all runs share
// its pool (Result.Resume), else each has its own.
func Load(cfg Config, readLater bool) *Loaded {
	l, again := &Loaded{readLater: readLater}, cfg
	in := beginLoad(&cfg)
	res, err := in.guarded(func() (_ *Result, err error) {
		l.main, err = in.entry.loadMain()
		return nil, err
	})
	if err == errUnfit {
		cfg.Modules.give(in.keeping)
		again.Modules = nil
		return Load(again, readLater)
	}
	l.modules, l.imports = cfg.Modules, in.keeping
	if res != nil || err != nil || cfg.Script != nil || cfg.Trace != nil {
		return l
	}
	l.in = in
	if in.atRest() && !(readLater && in.hasTensorsOrFindings()) {
		l.state = in.saveState()
		l.ownPools = readLater && len(in.pool.Symbols()) == 0
		if l.state != nil && in.imports.misordered {
			l.loadErrors = lastingErrors(in.sink.All())
		}
	}
	return l
}

// lastingErrors counts the errors of a load that its runs have, too. Those of shape comments are not counted: a run may find
// the comment right.
func lastingErrors(list []*diag.Diagnostic) int {
	n := 0
	for _, d := range diag.Group(list) {
		if d.Severity == diag.Error && d.Code != diag.CommentMismatch {
			n++
		}
	}
	return n
}

// reorderedLoad is the load of the configuration in which the packages around the file run first; see imports.inOrder.
func (l *Loaded) reorderedLoad(cfg Config) *Loaded {
	if l.reordered == nil {
		l.reordered = Load(cfg, l.readLater)
	}
	return l.reordered
}

// Run is Run of a configuration that differs from that of Load only in what concerns the entry:
// Entry, Args and how they are called, and the limits. Steps of the load count in the first run. An error is one that
// Run of such a configuration returns.
//
// Where the order of imports may be the reason of errors (imports.inOrder), the entry also runs in the other order, and
// the better result counts.
func (l *Loaded) Run(cfg Config) (*Result, error) {
	if l.poolIsFull() {
		same := l.sameInBoth
		l.Close()
		*l = *Load(cfg, l.readLater)
		l.sameInBoth = same
	}
	in := l.in
	if in == nil || l.ran && l.state == nil {
		l.Close()
		return Run(cfg)
	}
	cfg.Roots, cfg.Cache, cfg.gate = in.cfg.Roots, in.cfg.Cache, in.fs
	in.cfg = &cfg
	other, misordered := in.imports.inOrder()
	again := sync.OnceValues(func() (*Result, error) { return l.reorderedLoad(other).Run(other) })
	if l.loadErrors > 0 && misordered { // every run has these: what has fewer in the other order, or asks for more there, is better
		var usage *UsageError
		r, err := again()
		if err == nil && countErrors(r) < l.loadErrors || errors.As(err, &usage) && !usage.noModule {
			l.ran = true
			return r, err
		}
		cfg.Timeout = cfg.timeLeftAfter(r)
	}
	l.rewind(&cfg)
	in.pool.Cancel = cfg.Cancel
	res, err := in.guarded(func() (*Result, error) { return in.entry.runLoaded(l.main) })
	if err == errMadeOtherwise {
		l.object = nil
		l.remade--
		l.rewind(&cfg)
		in.pool.Cancel = cfg.Cancel
		res, err = in.guarded(func() (*Result, error) { return in.entry.runLoaded(l.main) })
	}
	if res != nil && l.state != nil && !l.ownPools {
		symbols := in.pool.Mark()
		res.symbols = &symbols
	}
	if other, misordered = in.imports.inOrder(); !misordered || err != nil || countErrors(res) == 0 { // the other order is no better
		return res, err
	}
	entry := [...]string{cfg.Entry, cfg.Call}
	if l.sameInBoth[entry] {
		return res, nil
	}
	other.Timeout = cfg.timeLeftAfter(res)
	r, err := again()
	if err == nil && sameErrors(res, r) {
		if l.sameInBoth == nil {
			l.sameInBoth = map[[2]string]bool{}
		}
		l.sameInBoth[entry] = true
	}
	return better(res, r, err)
}

// rewind goes back to the state before a run. Where the last run made the object of the same entry, it goes back to the
// state right after that.
func (l *Loaded) rewind(cfg *Config) {
	in := l.in
	if l.ran && l.object.isMade() && l.object.of == objectKeyOf(cfg) {
		l.object.resume(in)
		l.remade++
		return
	}
	if l.ran {
		in.restoreState(l.state)
		if l.ownPools {
			in.pool = symshape.NewPool()
		} else {
			in.pool.Return(l.state.symbols)
		}
		in.build, in.sink = l.state.build.Again(), l.state.sink.Copied()
		in.spent.restart()
	}
	l.ran, l.object = true, nil
	if cfg.Fill != nil && l.state != nil && !l.readLater && cfg.Trace == nil {
		l.object = &entryObject{of: objectKeyOf(cfg)}
	}
	in.object = l.object
}

// timeLeftAfter is what a run leaves of the limit of time for the run in the other order of imports; at least a second.
func (c *Config) timeLeftAfter(r *Result) time.Duration {
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

// poolIsFull reports whether the runs have left so many expressions in the pool that they share that loading the file
// again is cheaper: they live as long as the load.
func (l *Loaded) poolIsFull() bool {
	return l.in != nil && l.ran && l.state != nil && !l.ownPools && l.in.pool.Size() > l.state.sizes+maxRunSizes
}

// Resume gives the pool of a result the symbols of its run again. All runs of a Loaded share the pool: who reads a result
// after another run calls Resume first.
func (r *Result) Resume() {
	if r.symbols != nil {
		r.Pool.Return(*r.symbols)
	}
}

// GoesBack reports whether all runs use the one load: its state could be saved.
func (l *Loaded) GoesBack() bool { return l.in != nil && l.state != nil }

// Remade is how many runs went on from an object that an earlier run had made, for tests.
func (l *Loaded) Remade() int { return l.remade }

// Placed is how many modules of the prelude that the file imports had run before it, for tests.
func (l *Loaded) Placed() int {
	if l.in == nil || l.in.imports.library == nil {
		return 0
	}
	return l.in.imports.library.placed
}
