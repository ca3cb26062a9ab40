package infer

// This file finds what a call of an entry does once, while it is traced, and a run of the trace does not do again: what is
// printed, lists that grow, numbers that count. A number that is drawn, or the time, is kept as it was then.

import (
	"cmp"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/inorder"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/trace/jit"
	"shapecheck/trace/retrace"
)

// A stateWatch is told what the program does in a call; nil is told nothing.
type stateWatch struct {
	Nop
	in    *Interp
	outer tracers // those that heard the run before
	mark  value.Mark
	// drew says that a number was drawn or a clock read.
	drew    bool
	effects []retrace.Effect
}

// watchState watches the call that follows, from the mark of the heap before it, and no other watch does.
func (in *Interp) watchState(mark value.Mark) *stateWatch {
	w := &stateWatch{in: in, mark: mark, outer: in.tracers}
	in.tracers = in.tracers.leavingOut(func(t Tracer) bool { _, watch := t.(*stateWatch); return watch }).with(w)
	return w
}

// done ends the watch; the one around it goes on.
func (w *stateWatch) done() {
	if w != nil {
		w.in.tracers = w.outer
	}
}

// effectsOf are the effects of a call, but for counters: whether something uses what they count is not known.
func (in *Interp) effectsOf(call func()) []retrace.Effect {
	mark := in.heap.Mark()
	w := in.watchState(mark)
	call()
	w.done()
	in.heap.Drop(mark)
	return slices.DeleteFunc(w.effects, func(e retrace.Effect) bool { return e.What == retrace.Counts })
}

// meets notes an effect of the program's own code, once for each place.
func (w *stateWatch) meets(what string) {
	if w.in.stack.frame == nil || w.in.stack.frame.prelude {
		return
	}
	e := retrace.Effect{At: w.in.Here(), What: what}
	if e.At.IsValid() && !slices.Contains(w.effects, e) {
		w.effects = append(w.effects, e)
	}
}

// growers are methods by which a container grows.
var growers = []string{"list.append", "list.extend", "list.insert", "set.add"}

// Call notes a call of a function of Python.
func (w *stateWatch) Call(fn value.Value, args []value.Value) {
	b, ok := fn.(*value.Builtin)
	switch {
	case !ok:
	case jit.IsStateful(b.Name):
		w.drew = true
	case len(args) > 0 && slices.Contains(growers, b.Name):
		if o, ok := args[0].(value.Mutable); ok && w.mark.Older(o) {
			w.meets(retrace.Grows)
		}
	}
}

// Print notes that something is printed.
func (w *stateWatch) Print([]value.Value) { w.meets(retrace.Printed) }

// WriteAttr notes that an attribute is set: a number in the place of another counts.
func (w *stateWatch) WriteAttr(v value.Value, name string, x value.Value) {
	o, ok := v.(*value.Instance)
	if _, number := x.(value.Int); !ok || !number || o.Attrs == nil || !w.mark.Older(o.Attrs) {
		return
	}
	if was, _ := o.Attrs.Get(name); was != nil && was != x {
		if _, number := was.(value.Int); number {
			w.meets(retrace.Counts)
		}
	}
}

// report reports the effects; counters only where nothing uses what they count.
func (w *stateWatch) report(counted bool) {
	for _, e := range w.effects {
		if e.What != retrace.Counts || !counted {
			w.in.Report(e.Finding())
		}
	}
}

// theTime is what a clock gives.
const theTime = "the time"

// drawnUses are the numbers drawn by Python, and times, that have a part in the result of a call or decide a place.
func (in *Interp) drawnUses(c *TracedCall) []keptUse {
	var out []keptUse
	add := func(at source.Span, decides, clock bool) {
		k := keptUse{at: at, drawn: "a random number", decides: decides}
		if clock {
			k.drawn = theTime
		}
		within := func(o keptUse) bool { return o.at.Start <= at.Start && at.End <= o.at.End }
		if at.IsValid() && !slices.ContainsFunc(out, within) {
			out = append(out, k)
		}
	}
	deciding := map[source.Span]bool{} // the draws that are told of where they decide
	for _, d := range c.Decisions {
		if d.Drawn != nil && d.Original == "" {
			add(d.Test, true, in.rec.clock[d.Drawn])
			deciding[in.rec.drawnAt[d.Drawn]] = true
		}
	}
	for v := range usedIn(c.Output) {
		if v.Def == nil {
			continue
		}
		for _, a := range v.Def.Args {
			graph.Symbols(a.Value, func(s *symshape.Expr) {
				if at := in.rec.drawnAt[s]; !deciding[at] {
					add(at, false, in.rec.clock[s])
				}
			})
		}
	}
	inorder.By(out, func(a, b keptUse) int { return cmp.Compare(a.at.Start, b.at.Start) })
	return out
}
