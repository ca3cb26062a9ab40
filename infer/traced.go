package infer

// This file calls an entry several times: as a tracer would with its example inputs, again
// with the same, with others, and with symbols for all sizes.

import (
	"errors"
	"fmt"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
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
func (in *Interp) runTraced(m *value.Module) error {
	target, err := in.makeEntry(m)
	if target == nil || err != nil {
		return err
	}
	inputs, err := in.traceTuple(m, "--inputs", in.cfg.Trace.Inputs)
	if err != nil {
		return err
	}
	var others []value.Value
	if text := in.cfg.Trace.Others; text != "" {
		if others, err = in.traceTuple(m, "--others", text); err != nil {
			return err
		}
		if len(others) > maxOthers {
			return usagef("--others: more than %d inputs", maxOthers)
		}
	}
	in.cfg.LogOps, in.called = true, true
	in.options["grad"] = "off"
	in.rec.calls, in.rec.ops = nil, nil
	in.build = in.build.Next()
	in.traced = &Traced{}
	start, err := in.copied(m, target)
	if err != nil {
		return err
	}
	var uses []keptUse
	mark := in.heap.Mark()
	watch := in.watchState(mark)
	in.traced.First, in.traced.Again, uses, err = in.callsAgain(func(kept []*Decision) (*TracedCall, error) {
		c, err := in.traceCall(target, inputs, nil, kept, false)
		if err == nil && !in.rec.complete {
			in.output, in.rec.complete = c.Output, true
		}
		return c, err
	})
	watch.done()
	in.heap.Drop(mark)
	if err != nil {
		return err
	}
	reportKept(in, uses)
	watch.report(len(uses) > 0)
	for _, k := range uses {
		if k.first == "" {
			in.traced.Kept = append(in.traced.Kept, k.at)
		}
	}
	for _, o := range others {
		args, ok := value.AsSequence(o)
		if !ok {
			return usagef("--others: a list of tuples is wanted")
		}
		c, err := in.otherCall(m, start, args)
		if err != nil {
			return err
		}
		in.traced.Others = append(in.traced.Others, c)
	}
	last := 0
	for _, least := range []int64{2, 0} { // sizes of 1 broadcast, which symbols do not: a run with them may end early
		n := symbols{visit: value.Visit{Repeats: value.SomeRepeats}}
		facts := in.path.facts // the symbols' names serve the next run, too
		args := make([]value.Value, len(inputs))
		for i, v := range inputs {
			args[i] = in.withSymbols(v, least, &n)
		}
		if n.made == last {
			in.path.facts = facts
			continue // none that the run before did not have
		}
		last = n.made
		t, err := in.copied(m, start)
		if err != nil {
			return err
		}
		found, ran := in.sink.Len(), in.rec.mark()
		c, err := in.traceCall(t, args, nil, nil, true)
		if err != nil {
			return err
		}
		in.rec.rollback(ran)
		c.facts = in.path.facts
		in.path.facts = facts
		in.sink.Truncate(found) // what a run with symbols finds is said of the others
		in.traced.Symbolic = append(in.traced.Symbolic, c)
	}
	return in.tryOtherSizes(m, start, inputs)
}

// otherCall calls the entry as it was at first with other inputs, also as the trace of the first call.
func (in *Interp) otherCall(m *value.Module, start value.Value, args []value.Value) (*TracedCall, error) {
	t, err := in.copied(m, start)
	if err != nil {
		return nil, err
	}
	c, err := in.traceCall(t, args, nil, nil, false)
	if err != nil {
		return nil, err
	}
	if c.Kept, err = in.keptCall(m, start, args); err != nil {
		return nil, err
	}
	if c.Kept != nil && c.Kept.Error == nil && c.Error == nil {
		if same, known := in.sameOutcome(c.Kept, c); known {
			c.Same = &same
		}
	}
	return c, nil
}

// traceTuple evaluates a tuple or list of the command line.
func (in *Interp) traceTuple(m *value.Module, what, text string) ([]value.Value, error) {
	v, err := in.evalText(m, what, text, nil)
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
func (in *Interp) copied(m *value.Module, target value.Value) (value.Value, error) {
	switch target.(type) {
	case *value.Instance, *value.BoundMethod:
	default:
		return target, nil
	}
	return in.evalText(m, "entry", "__import__('copy').deepcopy(entry_of_trace)", map[string]value.Value{"entry_of_trace": target})
}

// keptCall calls the entry as it was at first with the ways of the first call.
func (in *Interp) keptCall(m *value.Module, start value.Value, args []value.Value) (*TracedCall, error) {
	first := in.traced.First
	if first.Error != nil || len(first.Decisions) == 0 || !sameWays(first.Decisions, first.Decisions) {
		return nil, nil
	}
	t, err := in.copied(m, start)
	if err != nil {
		return nil, err
	}
	facts, found, ran := in.path.facts, in.sink.Len(), in.rec.mark()
	c, err := in.traceCall(t, args, nil, first.Decisions, false)
	in.path.facts = facts
	in.rec.rollback(ran)
	in.sink.Truncate(found) // the program itself does not go there
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
func (in *Interp) traceCall(target value.Value, args []value.Value, kw []value.Kw, kept []*Decision, maybe bool) (*TracedCall, error) {
	c := &TracedCall{Inputs: args}
	var err error
	in.record(c, kept, maybe, func() {
		var out value.Value
		if out, err = in.Call(target, args, kw); err == nil {
			c.Output = Snapshot(out)
		}
	})
	if e := (*value.Exception)(nil); errors.As(err, &e) {
		c.Error, err = e, nil
	}
	return c, err
}

// symbols counts the sizes that withSymbols met, by which symbols have their names, and those
// that have a symbol.
type symbols struct {
	met, made int
	visit     value.Visit
}

// withSymbols has a symbol for each size of the tensors in v that is not below least, with the
// size as its example. Equal sizes are different symbols.
func (in *Interp) withSymbols(v value.Value, least int64, n *symbols) value.Value {
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
			typ.Shape[i] = in.args.exampleDim(symshape.MakeDim(in.sizeSymbol(n.met, least, size)))
		}
		x := in.build.NewValue(v.V.Kind, typ, in.Here())
		return &value.Tensor{Header: in.heap.Header(), Class: v.Class, V: x}
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = in.withSymbols(e, least, n)
		}
		return in.tupleOf(elems)
	case *value.List:
		if v.Open != nil {
			return v
		}
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = in.withSymbols(e, least, n)
		}
		return in.heap.NewList(elems)
	}
	return v
}

// sizeSymbol is the symbol of a size of the inputs, by its number: in each run the same. It is 1 at least where least is.
func (in *Interp) sizeSymbol(i int, least, size int64) *symshape.Expr {
	name := fmt.Sprintf("s%d", i)
	s := in.pool.Lookup(name)
	if s == nil {
		s = in.pool.Declare(name, 0, symshape.PosInf)
	}
	in.examples[name] = size
	if f, ok := in.path.facts.Assume(in.pool.Ge(s, in.pool.Const(min(least, 1)))); ok {
		in.path.facts = f
	}
	return s
}
