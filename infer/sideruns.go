package infer

// This file runs functions beside the program, as tracers do: again, with other arguments, or in a state that was. It is the one
// operation by which a tracer asks for a run.

import (
	"errors"

	"shapecheck/infer/value"
)

// A sideRun is a call that is made beside the program.
type sideRun struct {
	target value.Value
	args   []value.Value
	kw     []value.Kw
	tracer Tracer      // hears the run; nil: none does
	kept   []*Decision // places go as they went there; nil: as they do
	// exporting is the option of that name while it runs, which the prelude asks for; empty: as it is.
	exporting string
	findings  sideFindings
}

// sideFindings says which findings of a run beside the program stay.
type sideFindings uint8

const (
	dropFindings    sideFindings = iota
	keepFindings                 // the program goes there
	findingsIfFails              // where the run raises an exception
)

// runBeside makes the call and records what decides in it; an exception that it raises is part of the record. What it changes stays:
// takeBack takes it back. The error is one that ends the program's run.
func (tc *tracing) runBeside(r sideRun) (*TracedCall, error) {
	c := &TracedCall{Inputs: r.args}
	found, outer, exporting := tc.in.sink.Len(), tc.Inside, tc.in.options["exporting"]
	tc.Inside++
	if r.exporting != "" {
		tc.in.options["exporting"] = r.exporting
	}
	d := tc.in.deciding.newDecisions(true, r.tracer)
	if r.kept != nil {
		d.keep(r.kept)
	}
	var err error
	tc.catchAll(func() {
		d.during(func() {
			var out value.Value
			if out, err = tc.in.Call(r.target, r.args, r.kw); err == nil {
				c.Output = out
			}
		})
	})
	c.Decisions = d.list
	tc.Inside, tc.in.options["exporting"] = outer, exporting
	if e := (*value.Exception)(nil); errors.As(err, &e) {
		c.Error, err = e, nil
	}
	if r.findings == dropFindings || r.findings == findingsIfFails && c.Error == nil {
		tc.in.sink.Truncate(found)
	}
	return c, err
}

// catchAll runs what may raise, as within a try statement that catches all exceptions.
func (tc *tracing) catchAll(run func()) {
	handlers := len(tc.in.handlers)
	tc.in.handlers = append(tc.in.handlers, handler{frame: tc.in.stack.frame, catches: []*value.Class{tc.in.Class("BaseException")}, native: true,
		met: new(bool)})
	run()
	tc.in.handlers = tc.in.handlers[:handlers]
}

// takeBack runs what begins in a state, and takes back what it changes, and what it learns of sizes.
func (tc *tracing) takeBack(state []value.Change, run func()) {
	mark, facts := tc.in.heap.Mark(), tc.in.path.facts
	for _, s := range state {
		tc.in.heap.Replace(s.Obj, s.Contents)
	}
	run()
	tc.in.path.facts = facts
	tc.in.heap.Rollback(mark)
	tc.in.heap.Close(mark)
}
