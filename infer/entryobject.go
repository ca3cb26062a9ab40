package infer

// This file keeps the object of an entry from one run of a Loaded to the next (loaded.go). Who tries a model with input after input makes
// the same object each time: for a network of many layers that takes a hundred times as long as a call which fails in its first line.

import (
	"errors"

	"shapecheck/infer/value"
	"shapecheck/internal/cputime"
)

// An entryObject is the object of an entry with the state right after it was made.
type entryObject struct {
	of objectKey
	// text is the expression that made it; class and name are the class that a Filler found arguments for; nil where none had to be
	// found.
	text  string
	class *value.Class
	name  string
	value value.Value
	state *savedState // nil: the object was not made yet, or its state cannot be saved
	// before are the steps, with what sizes took, before it was made.
	before int
}

// An objectKey are the options that decide which object is made, beside the Filler.
type objectKey struct {
	entry          string
	logOps, noGrad bool
	open           OpenArguments
}

// objectKeyOf gives the options of a configuration.
func objectKeyOf(cfg *Config) objectKey {
	return objectKey{cfg.Entry, cfg.LogOps, cfg.NoGrad, cfg.Open}
}

// errMadeOtherwise ends a run that goes on from an object for which the Filler now chooses other arguments.
var errMadeOtherwise = errors.New("the entry is made with other arguments")

// isMade reports whether runs can go on from the object.
func (k *entryObject) isMade() bool { return k != nil && k.state != nil }

// noteSteps notes the steps before the object is made.
func (k *entryObject) noteSteps(steps int) {
	if k != nil {
		k.before = steps
	}
}

// resume goes back to the state right after the object was made. What it took counts for each run, as if the run had made it.
func (k *entryObject) resume(in *Interp) {
	in.restoreState(k.state)
	in.pool.Return(k.state.symbols)
	in.build, in.sink = k.state.build.Again(), k.state.sink.Copied()
	in.spent.start, in.spent.cpuStart, in.spent.looked, in.spent.stood = clock(), cputime.Used(), 0, 0
	in.object = k
}

// keptObject gives the object of an earlier run and its expression. It returns errMadeOtherwise where the Filler now chooses
// other arguments.
func (en *entry) keptObject(m *value.Module) (value.Value, string, error) {
	k := en.in.object
	if k.class != nil {
		text, err := en.in.args.filled(m, k.class, k.name)
		if err != nil || text != k.text {
			return nil, "", errMadeOtherwise
		}
	}
	return k.value, k.text, nil
}

// keepObject keeps the object for the runs to come, if the state can be saved. An object that is not known is not worth it.
func (en *entry) keepObject(v value.Value, text string, class *value.Class, name string) {
	k := en.in.object
	if k == nil || value.IsUnknown(v) || !en.in.atRest() {
		return
	}
	k.value, k.text, k.class, k.name = v, text, class, name
	k.state = en.in.saveState()
}
