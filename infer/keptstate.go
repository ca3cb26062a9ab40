package infer

// This file finds what a trace, or a model that is written, keeps of state: what a call of an entry
// changes and a later one uses. A trace records one call: what a later call does otherwise, with
// the same inputs, is lost in it. The entry is therefore called several times with the same
// arguments, and the calls are compared: their ways, the constants of their operations, and their
// outcomes.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/trace/export"
)

// A keptUse is a place where a later call with the same inputs uses another number, text or truth value than the first, or goes
// another way. The first one that is found at a place is reported.
type keptUse struct {
	at source.Span
	// first and later are what the calls use, call the number of the later one; empty: it decides which way the program goes.
	first, later string
	call         int
	// drawn is what is kept that is something else in each call, decides that the program's way depends on it; empty: it is not that.
	drawn   string
	decides bool
}

// finding is the warning for people. The note says what to do instead: buffers are part of a model,
// while objects of Python are not. The time has to come from outside; random numbers may also be
// drawn by torch.
func (k keptUse) finding() *diag.Diagnostic {
	text := "a trace decides this once: later calls with the same inputs go another way, and give something else"
	switch {
	case k.decides:
		text = "a trace decides this once, by " + k.drawn
	case k.drawn != "":
		text = "a trace keeps " + k.drawn + " here, as it was while tracing"
	case k.first != "":
		text = fmt.Sprintf("a trace keeps %s here, as it is in the first call: in call %d with the same inputs it is %s", k.first, k.call,
			k.later)
	}
	d := diag.New(diag.KeptState, k.at, text)
	note := "keep what changes in a buffer, or give it as an argument"
	switch k.drawn {
	case "":
	case theTime:
		note = "give it as an argument"
	default:
		note = "give it as an argument; torch draws random numbers in each run"
	}
	d.Notes = append(d.Notes, note)
	return d
}

// changesState reports whether objects of Python are among those that a call changed. A tensor that is written to is no state that a trace
// keeps: it is a buffer, or an input. Without a change of another object, and without a draw, no
// call is made at all.
func changesState(changed []value.Change) bool {
	return slices.ContainsFunc(changed, func(c value.Change) bool {
		switch c.Obj.(type) {
		case *value.Tensor, *value.Storage:
			return false
		}
		return true
	})
}

// keptState calls the entry as it was before the changes, several times with arguments of example sizes, and reports what is kept of state.
// Nothing else of these calls stays. It ends without an answer where the budget does not allow the
// calls, or no example sizes are known.
func (ru *tracedRuns) keptState(e *export.Entry, changed []value.Change, w *stateWatch) error {
	if !changesState(changed) && !w.drew || !ru.in.spent.allowsCalls(1+sameInputs) {
		w.report(false)
		return nil
	}
	env := e.Sizes(nil)
	if env == nil {
		w.report(false)
		return nil
	}
	// The findings, nodes and log of these calls are taken back afterwards, so that they leave no
	// mark on the result of the run.
	found := ru.sink.Len()
	nodes, incomplete := ru.build.Mark(), ru.build.Graph().Incomplete
	logs, complete := ru.cfg.LogOps, ru.in.rec.complete
	ru.cfg.LogOps, ru.in.rec.complete = true, true
	var uses []keptUse
	var err error
	ru.in.tracing.takeBack(changed, func() {
		args, kw := e.At(env)
		for i, v := range args {
			args[i] = ru.drawnArgument(e, v)
		}
		for i, k := range kw {
			kw[i].Value = ru.drawnArgument(e, k.Value)
		}
		_, _, uses, err = ru.callsAgain(func(kept []*Decision) (*TracedCall, error) { return ru.traceCall(e.Target, args, kw, kept, false) })
		ru.build.Discard(nodes)
	})
	ru.build.Graph().Incomplete = incomplete
	ru.cfg.LogOps, ru.in.rec.complete = logs, complete
	ru.sink.Truncate(found)
	if err != nil {
		return err
	}
	reportKept(ru.in, uses)
	w.report(len(uses) > 0)
	return nil
}

// drawnArgument is an argument of random numbers, or zeros where it has integers, of which samples
// can be computed. An argument that is no tensor, or whose text is not known, stays as it is.
func (ru *tracedRuns) drawnArgument(e *export.Entry, v value.Value) value.Value {
	t, ok := v.(*value.Tensor)
	if !ok || !catalog.IsTorch(t) {
		return v
	}
	text, ok := export.TensorText(t)
	if !ok {
		return v
	}
	if x, err := ru.in.evalText(e.Module, "an argument", "__import__('torch')"+strings.TrimPrefix(text, "torch"), nil); err == nil {
		return x
	}
	return v
}

func reportKept(th value.Thread, uses []keptUse) {
	for _, k := range uses {
		th.Report(k.finding())
	}
}

// callsAgain makes a call and further ones with the same inputs, and finds what is kept of the first: places that decide otherwise later
// where that changes the outcome, and numbers of operations that have a part in the result and
// differ. The first call and the others run one after the other on the state that the call before
// left. The error is that of a call.
func (ru *tracedRuns) callsAgain(call func(kept []*Decision) (*TracedCall, error)) (first *TracedCall, again []*TracedCall, uses []keptUse,
	err error) {
	if first, err = call(nil); err != nil {
		return nil, nil, nil, err
	}
	// One finding for each place.
	add := func(k keptUse) {
		if k.at.IsValid() && !slices.ContainsFunc(uses, func(o keptUse) bool { return o.at == k.at }) {
			uses = append(uses, k)
		}
	}
	for _, k := range ru.in.tracing.drawnUses(first) {
		add(k)
	}
	used := usedIn(first.Output)
	for i := range sameInputs {
		mark := ru.heap.Mark()
		c, err := call(nil)
		if err != nil {
			return nil, nil, nil, err
		}
		again = append(again, c)
		for _, k := range otherNumbers(first, c, used) {
			k.call = i + 2
			add(k)
		}
		if same, known := ru.in.tracing.sameOutcome(first, c); known {
			c.Same = &same
		}
		// A call with the ways of the first one tells whether the other way matters: it starts at
		// the state in which the later call started.
		var left []value.Change // what the call left
		for _, x := range otherWays(first, c) {
			if c.Same == nil || *c.Same {
				break
			}
			if left == nil {
				left = ru.heap.Changes(mark)
			}
			ru.heap.Rollback(mark)
			k, err := call([]*Decision{x})
			if err != nil {
				return nil, nil, nil, err
			}
			if same, known := ru.in.tracing.sameOutcome(c, k); !known || !same { // a cache gives the same either way
				add(keptUse{at: x.Test})
			}
		}
		// The state that the later call left is put back, for the next one.
		if left != nil {
			ru.heap.Rollback(mark)
			for _, ch := range left {
				ru.heap.Replace(ch.Obj, ch.Contents)
			}
		}
		ru.heap.Drop(mark)
	}
	return first, again, uses, nil
}

// otherWays are the places that went another way in a later call, by state alone. A place that
// depends on sizes or data, or where a way is not known, is none of these.
func otherWays(first, later *TracedCall) []*Decision {
	var out []*Decision
	for _, x := range first.Decisions {
		if x.Original != "" || x.OnSizes || x.OnData || slices.Contains(x.Ways, NoWay) {
			continue
		}
		j := slices.IndexFunc(later.Decisions, func(y *Decision) bool { return y.Kind == x.Kind && y.At == x.At && y.Test == x.Test })
		if j >= 0 && !slices.Contains(later.Decisions[j].Ways, NoWay) && !slices.Equal(x.Ways, later.Decisions[j].Ways) {
			out = append(out, x)
		}
	}
	return out
}

// otherNumbers are the operations with a part in the result of a call that take other numbers in a
// later one. Operations at the same place with the same name are compared in the order of the
// calls; one that the later call does not make is left out.
func otherNumbers(first, later *TracedCall, used map[*graph.Value]bool) []keptUse {
	var out []keptUse
	of, met := opsByPlace(later.Ops), map[opPlace]int{}
	for _, op := range first.Ops {
		p := opPlace{op.Name, op.At}
		n := met[p]
		met[p]++
		if n >= len(of[p]) || !usedBy(used, op.Out) {
			continue
		}
		if was, is, differ := constantsDiffer(op, of[p][n]); differ {
			out = append(out, keptUse{at: op.At, first: was, later: is})
		}
	}
	return out
}

// An opPlace is an operation in the program.
type opPlace struct {
	name string
	at   source.Span
}

func opsByPlace(list []*OpCall) map[opPlace][]*OpCall {
	out := map[opPlace][]*OpCall{}
	for _, op := range list {
		p := opPlace{op.Name, op.At}
		out[p] = append(out[p], op)
	}
	return out
}

// usedIn are the values from which a result is computed.
func usedIn(v value.Value) map[*graph.Value]bool {
	seen := map[*graph.Value]bool{}
	var visit func(v *graph.Value)
	visit = func(v *graph.Value) {
		for v != nil && !seen[v] {
			seen[v] = true
			if v.Def == nil {
				return
			}
			for _, a := range v.Def.Args {
				graph.Operands(a.Value, visit)
			}
			v = v.Base
		}
	}
	for x := range value.Walk(v, maxResultDepth, value.Sequences|value.DictValues) {
		if t, ok := x.(*value.Tensor); ok {
			visit(t.V)
		}
	}
	return seen
}

// usedBy reports whether a result of an operation is among the values that are used.
func usedBy(used map[*graph.Value]bool, out value.Value) bool {
	if out == nil {
		return false
	}
	for x := range value.Walk(out, maxResultDepth, value.Sequences|value.DictValues) {
		if t, ok := x.(*value.Tensor); ok && used[t.V] {
			return true
		}
	}
	return false
}

// constantsDiffer gives the first argument of two calls of one operation that is a number, text or truth value and differs.
func constantsDiffer(a, b *OpCall) (was, is string, differ bool) {
	if len(a.In) != len(b.In) || len(a.Kw) != len(b.Kw) {
		return "", "", false
	}
	for i := range a.In {
		if was, is, differ = constantDiffers(a.In[i], b.In[i]); differ {
			return was, is, true
		}
	}
	for i := range a.Kw {
		if was, is, differ = constantDiffers(a.Kw[i].Value, b.Kw[i].Value); differ {
			return was, is, true
		}
	}
	return "", "", false
}

func constantDiffers(a, b value.Value) (was, is string, differ bool) {
	return constantDiffersIn(&value.Visit{Repeats: value.SomeRepeats}, a, b)
}

// constantDiffersIn compares constants of two runs and gives the first pair that differs, as texts.
func constantDiffersIn(w *value.Visit, a, b value.Value) (was, is string, differ bool) {
	if !w.Enter(a) {
		return "", "", false
	}
	defer w.Leave()
	switch a := a.(type) {
	case value.Int, value.Float, value.Bool, value.Str:
		switch b.(type) {
		case value.Int, value.Float, value.Bool, value.Str:
			return export.ScalarText(a), export.ScalarText(b), a != b
		}
	case *value.Tuple, *value.List:
		xs, _ := value.AsSequence(a)
		ys, ok := value.AsSequence(b)
		if !ok || len(xs) != len(ys) {
			return "", "", false
		}
		for i := range xs {
			if was, is, differ = constantDiffersIn(w, xs[i], ys[i]); differ {
				return was, is, true
			}
		}
	}
	return "", "", false
}
