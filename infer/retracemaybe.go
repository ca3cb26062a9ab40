package infer

// This file notes the calls of traced functions of which it is not known whether they run.

import (
	"slices"
	"strings"

	"shapecheck/internal/source"
)

// A MaybeCall is a call of a traced function under a condition that is not decided, or in a
// loop of which the number of iterations is not known.
type MaybeCall struct {
	// Framework is "tf", "jax" or "compile"; Kind as in RetraceCall.
	Framework, Kind, Function string
	At                        source.Span
	// Args are types and values as texts.
	Args []string
	// After is the number of recorded calls before it.
	After int
	// Loop says that a loop of unknown length makes it.
	Loop bool
}

// A maybeKey is what makes two such calls the same; with framework and function alone it stands for all of these.
type maybeKey struct {
	at                              source.Span
	framework, kind, function, args string
}

// mayRun reports whether a call that is made now may run or not, in a program whose calls are recorded.
func (in *Interp) mayRun() bool {
	r := &in.retraces
	return in.cfg.Retraces && r.open == nil && r.inside == 0 && !r.ended && in.decisions == nil && in.dynamo == nil &&
		len(in.path.conds)+len(in.loops) > 0
}

// mayCall notes a call that may not run; rounds of a loop make it once.
func (in *Interp) mayCall(framework, kind, function string, args []string) {
	r := &in.retraces
	c := &MaybeCall{Framework: framework, Kind: kind, Function: function, At: in.topStatement(), Args: args, After: len(r.calls),
		Loop: len(in.loops) > 0}
	key := maybeKey{c.At, c.Framework, c.Kind, c.Function, strings.Join(c.Args, "\x00")}
	if len(r.maybe) >= maxRetraceCalls || r.met[key] {
		return
	}
	if r.met == nil {
		r.met = map[maybeKey]bool{}
	}
	r.maybe, r.met[key], r.met[maybeKey{framework: c.Framework, function: c.Function}] = append(r.maybe, c), true, true
}

// doubt takes back that a call traced where an earlier one that may not have run may have done so.
func (r *retraces) doubt(c *RetraceCall) {
	if c.Traces != nil && *c.Traces == 0 || slices.Contains(c.Args, "?") || !r.met[maybeKey{framework: c.Framework, function: c.Function}] {
		return
	}
	c.Traces, c.Changed, c.Again, c.Compiled = nil, nil, false, nil
	c.Unprinted, c.Doubted = true, true
}
