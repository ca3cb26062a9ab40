package infer

// This file calls an entry several times: as a tracer would with its example inputs, again
// with the same, with others, and with symbols for all sizes.
//
// It also finds what a call of an entry does once, while it is traced, and a run of the trace does not do again: what is
// printed, lists that grow, numbers that count. A number that is drawn, or the time, is kept as it was then.
//
// It also finds inputs for which a traced entry goes another way: sizes for which the condition of a place comes out otherwise,
// where those that were given do not show it.

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/inorder"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/trace/export"
	"shapecheck/trace/jit"
	"shapecheck/trace/retrace"
)

// A TraceSpec says what an entry is called with: expressions in the scope of its file.
type TraceSpec struct {
	// Inputs is a tuple of arguments, Others a list of such tuples; it may be empty.
	Inputs, Others string
	// For asks for the sizes that share a trace of one of export.Tracers, with Config.Args or a symbol for each size of Inputs;
	// empty: it does not.
	For string
}

// sameInputs is how often the entry is called again with the same inputs, to see what its
// state changes.
const sameInputs = 4

// maxOthers bounds the number of other inputs that are tried.
const maxOthers = 64

// A Traced is what the calls of an entry did.
type Traced struct {
	First *TracedCall
	Again []*TracedCall // with the same inputs, one after the other
	// Kept are the conditions that decide otherwise in one of these, which then gives something else.
	Kept   []source.Span
	Others []*TracedCall // each on the model as it was at first
	// Found are calls with inputs of other sizes, each for a place that goes another way.
	Found []*TracedCall
	// Symbolic have symbols for the sizes of the inputs that are at least 2, and for all;
	// decisions are what they are asked for. One may end early, where sizes broadcast.
	Symbolic []*TracedCall
}

// A TracedCall is one call.
type TracedCall struct {
	Inputs    []value.Value
	Decisions []*Decision
	Ops       []*OpCall
	// Output is what it returned; nil where it raised Error.
	Output value.Value
	Error  *value.Exception
	// TakesNumbers says that a size with a symbol or a tensor was handed to a function of
	// Python, such as int or range: a tracer may keep the number that it gave.
	TakesNumbers bool
	// Same says of a further call with the same inputs whether it gave what the first one did, of one with other inputs whether
	// Kept did what it did; nil: that is not known.
	Same *bool
	// Kept is the call with the same inputs in which all places go as in the first call, as
	// in its trace; nil where it is not known how that goes on.
	Kept *TracedCall

	facts symshape.Facts // on which a call with symbols relied
}

// runTraced evaluates the entry and its inputs and makes the calls.
func (ru *tracedRuns) runTraced(m *value.Module) error {
	target, err := ru.in.entry.makeEntry(m)
	if target == nil || err != nil {
		return err
	}
	inputs, err := ru.traceTuple(m, "--inputs", ru.cfg.Trace.Inputs)
	if err != nil {
		return err
	}
	var others []value.Value
	if text := ru.cfg.Trace.Others; text != "" {
		if others, err = ru.traceTuple(m, "--others", text); err != nil {
			return err
		}
		if len(others) > maxOthers {
			return usagef("--others: more than %d inputs", maxOthers)
		}
	}
	ru.cfg.LogOps, ru.called = true, true
	ru.in.options["grad"] = "off"
	ru.in.rec.calls, ru.in.rec.ops = nil, nil
	ru.build = ru.build.Next()
	ru.traced = &Traced{}
	start, err := ru.copied(m, target)
	if err != nil {
		return err
	}
	var uses []keptUse
	mark := ru.heap.Mark()
	watch := ru.in.tracing.watchState(mark)
	ru.traced.First, ru.traced.Again, uses, err = ru.callsAgain(func(kept []*Decision) (*TracedCall, error) {
		c, err := ru.traceCall(target, inputs, nil, kept, false)
		if err == nil && !ru.in.rec.complete {
			ru.output, ru.in.rec.complete = c.Output, true
		}
		return c, err
	})
	watch.done()
	ru.heap.Drop(mark)
	if err != nil {
		return err
	}
	reportKept(ru.in, uses)
	watch.report(len(uses) > 0)
	for _, k := range uses {
		if k.first == "" {
			ru.traced.Kept = append(ru.traced.Kept, k.at)
		}
	}
	for _, o := range others {
		args, ok := value.AsSequence(o)
		if !ok {
			return usagef("--others: a list of tuples is wanted")
		}
		c, err := ru.otherCall(m, start, args)
		if err != nil {
			return err
		}
		ru.traced.Others = append(ru.traced.Others, c)
	}
	last := 0
	for _, least := range []int64{2, 0} { // sizes of 1 broadcast, which symbols do not: a run with them may end early
		n := symbols{visit: value.Visit{Repeats: value.SomeRepeats}}
		facts := ru.in.path.facts // the symbols' names serve the next run, too
		args := make([]value.Value, len(inputs))
		for i, v := range inputs {
			args[i] = ru.withSymbols(v, least, &n)
		}
		if n.made == last {
			ru.in.path.facts = facts
			continue // none that the run before did not have
		}
		last = n.made
		t, err := ru.copied(m, start)
		if err != nil {
			return err
		}
		found, ran := ru.sink.Len(), ru.in.rec.mark()
		c, err := ru.traceCall(t, args, nil, nil, true)
		if err != nil {
			return err
		}
		ru.in.rec.rollback(ran)
		c.facts = ru.in.path.facts
		ru.in.path.facts = facts
		ru.sink.Truncate(found) // what a run with symbols finds is said of the others
		ru.traced.Symbolic = append(ru.traced.Symbolic, c)
	}
	return ru.tryOtherSizes(m, start, inputs)
}

// otherCall calls the entry as it was at first with other inputs, also as the trace of the first call.
func (ru *tracedRuns) otherCall(m *value.Module, start value.Value, args []value.Value) (*TracedCall, error) {
	t, err := ru.copied(m, start)
	if err != nil {
		return nil, err
	}
	c, err := ru.traceCall(t, args, nil, nil, false)
	if err != nil {
		return nil, err
	}
	if c.Kept, err = ru.keptCall(m, start, args); err != nil {
		return nil, err
	}
	if c.Kept != nil && c.Kept.Error == nil && c.Error == nil {
		if same, known := ru.in.tracing.sameOutcome(c.Kept, c); known {
			c.Same = &same
		}
	}
	return c, nil
}

// traceTuple evaluates a tuple or list of the command line.
func (ru *tracedRuns) traceTuple(m *value.Module, what, text string) ([]value.Value, error) {
	v, err := ru.in.evalText(m, what, text, nil)
	if err != nil {
		return nil, err
	}
	list, ok := value.AsSequence(v)
	if !ok {
		return nil, usagef("%s: a tuple is wanted", what)
	}
	return list, nil
}

// copied is what copy.deepcopy makes of a module; other entries are the same in each call.
func (ru *tracedRuns) copied(m *value.Module, target value.Value) (value.Value, error) {
	switch target.(type) {
	case *value.Instance, *value.BoundMethod:
	default:
		return target, nil
	}
	return ru.in.evalText(m, "entry", "__import__('copy').deepcopy(entry_of_trace)", map[string]value.Value{"entry_of_trace": target})
}

// keptCall calls the entry as it was at first with the ways of the first call.
func (ru *tracedRuns) keptCall(m *value.Module, start value.Value, args []value.Value) (*TracedCall, error) {
	first := ru.traced.First
	if first.Error != nil || len(first.Decisions) == 0 || !sameWays(first.Decisions, first.Decisions) {
		return nil, nil
	}
	t, err := ru.copied(m, start)
	if err != nil {
		return nil, err
	}
	facts, found, ran := ru.in.path.facts, ru.sink.Len(), ru.in.rec.mark()
	c, err := ru.traceCall(t, args, nil, first.Decisions, false)
	ru.in.path.facts = facts
	ru.in.rec.rollback(ran)
	ru.sink.Truncate(found) // the program itself does not go there
	if err != nil {
		return nil, err
	}
	n := len(c.Decisions)
	if n > len(first.Decisions) || c.Error == nil && n < len(first.Decisions) || !sameWays(c.Decisions, first.Decisions[:n]) {
		return nil, nil // a loop over other elements, or places that the first call did not meet
	}
	return c, nil
}

// traceCall calls an entry and records what it does, with the ways of kept. An exception of
// the program is part of the record.
func (ru *tracedRuns) traceCall(target value.Value, args []value.Value, kw []value.Kw, kept []*Decision, maybe bool) (*TracedCall, error) {
	c := &TracedCall{Inputs: args}
	var err error
	ru.in.deciding.record(c, kept, maybe, func() {
		var out value.Value
		if out, err = ru.in.Call(target, args, kw); err == nil {
			c.Output = Snapshot(out)
		}
	})
	if e := (*value.Exception)(nil); errors.As(err, &e) {
		c.Error, err = e, nil
	}
	return c, err
}

// tracedRuns run the entry as a tracer does: with symbols for sizes, with other sizes, and again in the state that a call left.
type tracedRuns struct {
	*base
	*entryRun
	in *Interp
}

// symbols counts the sizes that withSymbols met, by which symbols have their names, and those
// that have a symbol.
type symbols struct {
	met, made int
	visit     value.Visit
}

// withSymbols has a symbol for each size of the tensors in v that is not below least, with the
// size as its example. Equal sizes are different symbols.
func (ru *tracedRuns) withSymbols(v value.Value, least int64, n *symbols) value.Value {
	if !n.visit.Enter(v) {
		return v
	}
	defer n.visit.Leave()
	switch v := v.(type) {
	case *value.Tensor:
		typ := *v.Type()
		if !typ.Ranked {
			return v
		}
		typ.Shape = append(symshape.Shape{}, typ.Shape...)
		for i, d := range typ.Shape {
			if d.Expr == nil {
				continue
			}
			n.met++
			size, ok := d.Expr.Const()
			if !ok || size < least {
				continue
			}
			n.made++
			typ.Shape[i] = ru.in.args.exampleDim(symshape.MakeDim(ru.sizeSymbol(n.met, least, size)))
		}
		x := ru.build.NewValue(v.V.Kind, typ, ru.in.Here())
		return &value.Tensor{Header: ru.heap.Header(), Class: v.Class, V: x}
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = ru.withSymbols(e, least, n)
		}
		return ru.in.tupleOf(elems)
	case *value.List:
		if v.Open != nil {
			return v
		}
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = ru.withSymbols(e, least, n)
		}
		return ru.heap.NewList(elems)
	}
	return v
}

// sizeSymbol is the symbol of a size of the inputs, by its number: in each run the same. It is 1 at least where least is.
func (ru *tracedRuns) sizeSymbol(i int, least, size int64) *symshape.Expr {
	name := fmt.Sprintf("s%d", i)
	s := ru.pool.Lookup(name)
	if s == nil {
		s = ru.pool.Declare(name, 0, symshape.PosInf)
	}
	ru.in.examples[name] = size
	if f, ok := ru.in.path.facts.Assume(ru.pool.Ge(s, ru.pool.Const(min(least, 1)))); ok {
		ru.in.path.facts = f
	}
	return s
}

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
func (tc *tracing) watchState(mark value.Mark) *stateWatch {
	w := &stateWatch{in: tc.in, mark: mark, outer: tc.in.tracers}
	tc.in.tracers = tc.in.tracers.leavingOut(func(t Tracer) bool { _, watch := t.(*stateWatch); return watch }).with(w)
	return w
}

// done ends the watch; the one around it goes on.
func (w *stateWatch) done() {
	if w != nil {
		w.in.tracers = w.outer
	}
}

// effectsOf are the effects of a call, but for counters: whether something uses what they count is not known.
func (tc *tracing) effectsOf(call func()) []retrace.Effect {
	mark := tc.in.heap.Mark()
	w := tc.watchState(mark)
	call()
	w.done()
	tc.in.heap.Drop(mark)
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
func (tc *tracing) drawnUses(c *TracedCall) []keptUse {
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
			add(d.Test, true, tc.in.rec.clock[d.Drawn])
			deciding[tc.in.rec.drawnAt[d.Drawn]] = true
		}
	}
	for v := range usedIn(c.Output) {
		if v.Def == nil {
			continue
		}
		for _, a := range v.Def.Args {
			graph.Symbols(a.Value, func(s *symshape.Expr) {
				if at := tc.in.rec.drawnAt[s]; !deciding[at] {
					add(at, false, tc.in.rec.clock[s])
				}
			})
		}
	}
	inorder.By(out, func(a, b keptUse) int { return cmp.Compare(a.at.Start, b.at.Start) })
	return out
}

// maxFound bounds the inputs that are made.
const maxFound = 16

// tryOtherSizes calls the entry with sizes for which a place goes another way that none of the other inputs has go so.
func (ru *tracedRuns) tryOtherSizes(m *value.Module, start value.Value, inputs []value.Value) error {
	t := ru.traced
	if len(t.Symbolic) == 0 || t.First.Error != nil {
		return nil
	}
	looked := t.Symbolic[len(t.Symbolic)-1]
	for _, x := range t.First.Decisions {
		s := decisionAt(looked, x)
		if s == nil || s.OnData || x.Kind == DecisionFor || len(t.Found) == maxFound || x.Original != "" || slices.Contains(x.Ways, NoWay) {
			continue
		}
		shown := func(c *TracedCall) bool { // it alone goes another way
			return !slices.ContainsFunc(t.First.Decisions, func(o *Decision) bool {
				y := decisionAt(c, o)
				return (y != nil && !slices.Equal(o.Ways, y.Ways)) != (o == x)
			})
		}
		if slices.ContainsFunc(t.Others, shown) || slices.ContainsFunc(t.Found, shown) {
			continue
		}
		var args []value.Value
		for _, cond := range s.Conds {
			if args = ru.sizedOtherwise(m, looked, inputs, cond); args != nil {
				break
			}
		}
		if args == nil {
			continue
		}
		found := ru.sink.Len()
		c, err := ru.otherCall(m, start, args)
		if err != nil {
			return err
		}
		ru.sink.Truncate(found) // nobody asked for these sizes
		t.Found = append(t.Found, c)
	}
	return nil
}

// sizedOtherwise makes inputs with other sizes, for which a condition on sizes comes out otherwise; nil: none are found.
func (ru *tracedRuns) sizedOtherwise(m *value.Module, looked *TracedCall, inputs []value.Value, want *symshape.Cond) []value.Value {
	if val, ok := ru.in.example(want); !ok {
		return nil
	} else if val {
		want = ru.pool.Not(want)
	}
	env := ru.nearbySizes(want, looked.facts)
	if env == nil {
		return nil
	}
	out := slices.Clone(inputs)
	for i, v := range looked.Inputs {
		sized := false
		at := export.Resized(ru.in, v, func(d symshape.Dim) symshape.Dim {
			if d.Expr == nil {
				return d
			}
			sized = sized || len(d.Expr.Symbols()) > 0
			if n, err := d.Expr.Eval(symshape.Env(env)); err == nil {
				return ru.pool.ConstDim(n)
			}
			return d
		})
		if !sized {
			continue
		}
		text, ok := export.ExampleText(at)
		if !ok {
			return nil
		}
		made, err := ru.in.evalText(m, "--inputs", text, nil)
		if err != nil {
			return nil // what cannot be written is not tried
		}
		out[i] = made
	}
	return out
}

// nearbySizes are the examples with as few other sizes as possible, for which a condition holds, and if possible what else a run
// relied on.
func (ru *tracedRuns) nearbySizes(want *symshape.Cond, facts symshape.Facts) map[string]int64 {
	var agrees, apart []*symshape.Cond // with what is wanted; those that have no size of it
	for _, c := range facts.Conds() {
		if _, ok := (symshape.Facts{}).Assume(ru.pool.And(c, want)); ok {
			agrees = append(agrees, c)
		}
		if !slices.ContainsFunc(c.Symbols(), func(s *symshape.Expr) bool { return slices.Contains(want.Symbols(), s) }) {
			apart = append(apart, c)
		}
	}
	var bounds symshape.Facts
	if f, ok := bounds.Assume(want); ok {
		bounds = f
	}
	base := maps.Clone(ru.in.examples)
	for _, known := range [][]*symshape.Cond{agrees, apart} {
		for _, least := range []int64{2, 1} {
			f := &export.SizeSearch{Facts: bounds, Known: append([]*symshape.Cond{want}, known...), Symbols: want.Symbols(), Env: maps.Clone(base),
				Least: least}
			for _, s := range f.Symbols {
				delete(f.Env, s.String())
			}
			if env := f.Find(); env != nil {
				return env
			}
		}
	}
	return nil
}
