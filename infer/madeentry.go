package infer

// This file keeps the object of an entry from one run of a Loaded to the next. Who tries a model with input after input makes the same
// object each time: for a network of many layers that takes a hundred times as long as a call which fails in its first line.

import (
	"errors"

	"shapecheck/infer/value"
	"shapecheck/internal/cputime"
)

// A madeEntry is the object of an entry with the state right after it was made.
type madeEntry struct {
	of madeFor
	// text is the expression that made it; class, by its name, is what a Filler found arguments for; nil where none had to be found.
	text  string
	class *value.Class
	name  string
	value value.Value
	state *keptState // nil: it was not made yet, or cannot be kept
	// before are the steps, with what sizes took, before it was made.
	before int
}

// A madeFor is what of a configuration decides about the object, beside the Filler.
type madeFor struct {
	entry                string
	logOps, noGrad, open bool
}

func madeOf(cfg *Config) madeFor { return madeFor{cfg.Entry, cfg.LogOps, cfg.NoGrad, cfg.OpenNumbers} }

// errMadeOtherwise ends a run that goes on from an object for which the Filler now chooses other arguments.
var errMadeOtherwise = errors.New("the entry is made with other arguments")

// isMade reports whether runs can go on from the object.
func (k *madeEntry) isMade() bool { return k != nil && k.state != nil }

// loadedAt notes the steps before the object is made.
func (k *madeEntry) loadedAt(steps int) {
	if k != nil {
		k.before = steps
	}
}

// resume goes back to the state right after the object was made. What it took counts for each run, as if the run had made it.
func (k *madeEntry) resume(in *Interp) {
	in.unload(k.state)
	in.pool.Return(k.state.symbols)
	in.build, in.sink = k.state.build.Again(), k.state.sink.Copied()
	in.spent.start, in.spent.cpuStart, in.spent.looked, in.spent.stood = clock(), cputime.Used(), 0, 0
	in.object = k
}

// madeBefore is the object of an earlier run, where the Filler chooses the same arguments for it.
func (in *Interp) madeBefore(m *value.Module) (value.Value, string, error) {
	k := in.object
	if k.class != nil {
		text, err := in.args.filled(m, k.class, k.name)
		if err != nil || text != k.text {
			return nil, "", errMadeOtherwise
		}
	}
	return k.value, k.text, nil
}

// keepMade keeps the object for the runs to come, if all that making it has changed is on the heap or in what is kept. An object that
// is not known is not worth it.
func (in *Interp) keepMade(v value.Value, text string, class *value.Class, name string) {
	k := in.object
	if k == nil || value.IsUnknown(v) || !in.atRest() {
		return
	}
	k.value, k.text, k.class, k.name = v, text, class, name
	k.state = in.loadedState()
}
