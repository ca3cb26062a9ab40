package infer

// This file follows which tensors require gradients, as far as that is certain, and
// finds what autograd refuses: leaves written in place, backward() of what has no graph,
// of more than one element, or of a graph that is gone.
//
// A state is kept for each value of the graph, which never changes; tensors that an
// argument of the entry, a branch or a loop gives have none, and nothing is said of them.
//
// It also finds tensors that are written in place after a function has kept them for its
// gradient, as PyTorch's version counters do: each memory has one, which every write in place
// advances, those under no_grad and of optimisers as well; detach() shares it, .data does not.
// What a function keeps is in package ops/torch (saved.go).
//
// It also finds parameters that an optimiser steps and that no loss reaches, since detach()
// or .data cuts the graph between them: SC416. Nothing is said where a loss is not known, or
// something unknown may have computed gradients.

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A gradState says whether a tensor requires gradients.
type gradState uint8

const (
	gradUnknown gradState = iota
	gradNo
	gradYes
)

// A gradRecord is what is known of a run's gradients.
type gradRecord struct {
	states map[*graph.Value]gradState
	// made counts the results and writes; order says of a result with gradients when it was
	// made, and writes are those that PyTorch's version counters see.
	made   int
	order  map[*graph.Value]int
	writes []tensorWrite
	// leaves says of leaves that are used whether they always required gradients then.
	leaves map[*graph.Value]bool
	// reached are the operands that a backward() has come to.
	reached map[*graph.Value]bool
	// cut says of values without gradients, whose operands have them, why they have none; apart, which are the results made until then.
	cut   map[*graph.Value]string
	apart map[*graph.Value]int
	// shared says of memory to which something was written that has or may have a graph, how many results were made until then: all views
	// of it may have one.
	shared map[*value.Storage]int
	// through are, for the results of autograd.grad() that have a graph, what they are the gradients of.
	through map[*graph.Value][]*graph.Value
	// functions are, for the results of functions with a backward of their own, the calls.
	functions map[*graph.Value]*functionCall
	hooks     []*backwardHook
	ticks     int
	// arrived has the memory of the leaves that have a gradient, with it where it was asked for; retained are other values that keep theirs.
	arrived  map[*graph.Value]*arrivedGradient
	retained map[*graph.Value]bool
	// freed are the values whose saved tensors a backward() has dropped, with its place.
	freed map[*graph.Value]source.Span
	train trainRecord
	// inference are the values that were made in the inference mode.
	inference map[*graph.Value]bool
	// decorated are the functions that a gradient mode decorates, with it; unsure is set where one
	// decorates something else.
	decorated map[*value.Func]value.Value
	unsure    bool
}

// newGradRecord is the empty record of a run: which values autograd has a graph for, what was freed by
// backward(), and which tensors have gradients.
func newGradRecord() gradRecord {
	return gradRecord{states: map[*graph.Value]gradState{}, order: map[*graph.Value]int{}, leaves: map[*graph.Value]bool{},
		reached: map[*graph.Value]bool{},
		train:   trainRecord{stepped: map[*graph.Value]source.Span{}, looked: map[*graph.Value]bool{}}, cut: map[*graph.Value]string{},
		apart: map[*graph.Value]int{}, shared: map[*value.Storage]int{}, freed: map[*graph.Value]source.Span{},
		decorated: map[*value.Func]value.Value{}}
}

// copied is a copy for the state after a load.
func (g gradRecord) copied() gradRecord {
	g.states, g.order, g.leaves, g.reached = maps.Clone(g.states), maps.Clone(g.order), maps.Clone(g.leaves), maps.Clone(g.reached)
	g.cut, g.apart, g.shared, g.through = maps.Clone(g.cut), maps.Clone(g.apart), maps.Clone(g.shared), maps.Clone(g.through)
	g.functions, g.hooks, g.arrived, g.retained = maps.Clone(g.functions), slices.Clip(g.hooks), maps.Clone(g.arrived), maps.Clone(g.retained)
	g.freed, g.inference, g.decorated = maps.Clone(g.freed), maps.Clone(g.inference), maps.Clone(g.decorated)
	g.train.stepped, g.train.looked = maps.Clone(g.train.stepped), maps.Clone(g.train.looked)
	g.writes = slices.Clip(g.writes)
	return g
}

// decorate notes that a gradient mode decorates something.
func (g *gradRecord) decorate(v, mode value.Value) {
	if f, ok := v.(*value.Func); ok {
		g.decorated[f] = mode
	} else {
		g.unsure = true
	}
}

// inMode calls a function in the gradient mode that decorates it.
func inMode(th value.Thread, mode value.Value, call func() (value.Value, error)) (value.Value, error) {
	mode, err := th.CallMethod(mode, "clone")
	if err != nil {
		return nil, err
	}
	if _, err := th.CallMethod(mode, "__enter__"); err != nil {
		return nil, err
	}
	v, err := call()
	if _, left := th.CallMethod(mode, "__exit__", value.None, value.None, value.None); err == nil {
		err = left
	}
	return v, err
}

// gradKey is where the prelude keeps that gradients are off, among the modes.
const gradKey = "grad"

// gradEnabled reports whether operations are recorded by autograd here.
func (gr *gradients) gradEnabled() (on, known bool) {
	if gr.settings.options["grad"] == "off" {
		return false, true
	}
	if gr.rec.grads.unsure {
		return false, false
	}
	if gr.settings.modes != nil {
		if v, ok := gr.settings.modes.GetStr(gradKey); ok {
			return false, v == value.Bool(false)
		}
	}
	return true, true
}

// inferenceMode reports whether torch.inference_mode is on.
func (gr *gradients) inferenceMode() bool {
	if gr.settings.modes == nil || gr.settings.modes.Len() == 0 {
		return false
	}
	v, ok := gr.settings.modes.GetStr("inference")
	return ok && v == value.Bool(true)
}

// inferred notes a value that was made in the inference mode.
func (g *gradRecord) inferred(v *graph.Value) {
	if g.inference == nil {
		g.inference = map[*graph.Value]bool{}
	}
	g.inference[v] = true
}

// gradOf is the state of a tensor.
func (gr *gradients) gradOf(t *value.Tensor) gradState {
	switch {
	case t.RequiresGrad:
		return gradYes
	case ops.IsArray(t):
		return gradNo
	case t.V.Param && t.Class == nil:
		return gradNo // a buffer
	}
	s := gr.rec.grads.states[t.V]
	if at, ok := gr.rec.grads.shared[t.Storage]; ok && t.Storage != nil && s == gradNo {
		if cut, ok := gr.rec.grads.apart[t.V]; !ok || cut <= at {
			return gradUnknown
		}
	}
	return s
}

// requiresGrad reports whether a tensor certainly requires gradients.
func (gr *gradients) requiresGrad(t *value.Tensor) bool { return gr.gradOf(t) == gradYes }

// RequiresGrad reports whether a tensor certainly requires gradients.
func (in *Interp) RequiresGrad(t *value.Tensor) bool { return in.grads.requiresGrad(t) }

// Gradients is part of value.GradientTeller.
func (in *Interp) Gradients(t *value.Tensor) value.GradientState {
	switch state := in.grads.gradOf(t); {
	case state == gradNo:
		return value.NoGradient
	case state == gradUnknown:
		return value.GradientUnknown
	case in.rec.grads.states[t.V] == gradYes:
		return value.ResultWithGradient
	}
	return value.LeafWithGradient
}

// GradientsOn is part of value.GradientTeller.
func (in *Interp) GradientsOn() (on, known bool) { return in.grads.gradEnabled() }

// tensorsIn calls f for the tensors among arguments, also in lists and tuples.
func tensorsIn(args []value.Value, kw []value.Kw, f func(*value.Tensor)) (all bool) {
	all = true
	visit := func(v value.Value) {
		switch v := v.(type) {
		case *value.Tensor:
			f(v)
		case *value.List, *value.Tuple:
			for x := range value.Walk(v, 3, value.Sequences|value.OpenElems) {
				if t, ok := x.(*value.Tensor); ok {
					f(t)
				}
				all = all && !value.IsUnknown(x)
			}
		case *value.Unknown, *value.Choice, *value.Abstract:
			all = false
		}
	}
	for _, a := range args {
		visit(a)
	}
	for _, k := range kw {
		visit(k.Value)
	}
	return all
}

// gradients follow which tensors get gradients, and what that needs.
type gradients struct {
	*base
	host     gradientsHost
	stack    *stack
	region   *region
	rec      *recorder
	settings *settings
}

// A gradientsHost makes exceptions and reports findings.
type gradientsHost interface {
	value.Thread
}

// autograd applies a record, refuses what autograd does, and notes the state of the results.
func (gr *gradients) autograd(op *ops.Op, name string, args []value.Value, kw []value.Kw, apply applier) (value.Value, error) {
	var self *value.Tensor
	if len(args) > 0 {
		self, _ = args[0].(*value.Tensor)
	}
	if self != nil && op.Is.Has(graph.Backward) {
		given := backwardArguments(args[1:], kw)
		if err := gr.backward(self, given); err != nil {
			return nil, err
		}
		out, err := apply(args, kw)
		if err == nil {
			err = gr.passBack([]*value.Tensor{self}, nil, isOff(given, "retain_graph") && isOff(given, "create_graph"))
		}
		return out, err
	}
	state := gradNo
	if all := tensorsIn(args, kw, func(t *value.Tensor) {
		gr.noteLeaf(t)
		switch s := gr.gradOf(t); {
		case s == gradYes:
			state = gradYes
		case s == gradUnknown && state == gradNo:
			state = gradUnknown
		}
	}); !all && state == gradNo {
		state = gradUnknown
	}
	on, known := gr.gradEnabled()
	var before *graph.Value
	leaf := false
	if self != nil {
		before, leaf = self.V, self.RequiresGrad && gr.rec.grads.states[self.V] != gradYes
	}
	out, err := apply(args, kw)
	if err != nil {
		return out, err
	}
	written := self != nil && self.V != before
	refusable := (ops.IsInPlace(name) || op.Form == graph.SetItem) && !op.Is.Has(graph.Metadata)
	if written && leaf && on && known && refusable && gr.stack.frame != nil && !gr.stack.frame.prelude {
		return nil, gr.host.Fail("RuntimeError", diag.New(diag.AutogradFault, gr.host.Here(),
			fmt.Sprintf("%s is a leaf that requires gradients: it cannot be changed in place where they are recorded; write it inside of torch.no_grad()", self.V.Type.String())))
	}
	cut := ""
	switch {
	case !known || op.Is.Has(graph.StandIn):
		state = gradUnknown
	case !on || op.Is.Has(graph.CutsGradient):
		if cut = "gradients are off here"; state != gradYes {
			cut = ""
		} else if on {
			cut = "the graph is cut here: the result of " + name + " requires no gradients"
		}
		state = gradNo
	}
	infers := gr.inferenceMode() && !op.Is.Has(graph.View)
	note := func(t *value.Tensor) {
		if infers || self != nil && t != self && op.Is.Has(graph.View) && gr.rec.grads.inference[self.V] {
			gr.rec.grads.inferred(t.V)
		}
		s, why := state, cut
		if _, ok := gr.rec.grads.order[t.V]; !ok && s == gradYes && on {
			gr.rec.grads.order[t.V] = gr.rec.grads.made
		}
		if !ops.Inexact.Has(t.V.Type.DType) {
			if s == gradYes {
				why = t.V.Type.DType.String() + " has no gradients: the graph is cut here"
			}
			s = gradNo
		}
		if why != "" {
			gr.rec.grads.cut[t.V], gr.rec.grads.apart[t.V] = why, gr.rec.grads.made
		}
		if old, ok := gr.rec.grads.states[t.V]; ok && old != s {
			s = gradUnknown // the same value under two conditions
		}
		gr.rec.grads.states[t.V] = s
	}
	gr.rec.grads.made++
	if written {
		infers = gr.rec.grads.inference[before] // it stays what it is
		gr.noteWrite(op, before, self.V)
		if known && !on { // the tensor keeps its graph
			state, cut = gr.rec.grads.states[before], ""
		}
		if state != gradNo && self.Storage != nil {
			gr.rec.grads.shared[self.Storage] = gr.rec.grads.made
		}
		if !leaf {
			note(self)
		}
	}
	for x := range value.Walk(out, 3, value.Sequences) {
		if t, ok := x.(*value.Tensor); ok && t.V != nil && t.V.Def != nil && (self == nil || t.V != before) && !t.RequiresGrad && t != self {
			note(t)
		}
	}
	return out, nil
}

// noteGradients notes results of autograd.grad(): with create_graph=True they have a graph, through what they are the gradients of.
func (gr *gradients) noteGradients(results, of, createGraph value.Value) {
	create, known := createGraph.(value.Bool)
	if !known {
		return
	}
	var through []*graph.Value
	if all := tensorsIn([]value.Value{of}, nil, func(t *value.Tensor) { through = append(through, t.V) }); !all {
		return
	}
	tensorsIn([]value.Value{results}, nil, func(t *value.Tensor) {
		if !bool(create) {
			gr.rec.grads.states[t.V] = gradNo
			gr.rec.grads.cut[t.V] = "the gradients have no graph without create_graph=True"
			return
		}
		gr.rec.grads.states[t.V] = gradYes
		if gr.rec.grads.through == nil {
			gr.rec.grads.through = map[*graph.Value][]*graph.Value{}
		}
		gr.rec.grads.through[t.V] = through
	})
}

// backwardArguments are the arguments of backward() by their names.
func backwardArguments(args []value.Value, kw []value.Kw) map[string]value.Value {
	given := map[string]value.Value{}
	for i, n := range [...]string{"gradient", "retain_graph", "create_graph", "inputs"} {
		if i < len(args) {
			given[n] = args[i]
		}
	}
	for _, k := range kw {
		given[k.Name] = k.Value
	}
	return given
}

// isOff reports whether an argument is False, or none.
func isOff(given map[string]value.Value, name string) bool {
	v := given[name]
	return v == nil || v == value.None || v == value.Bool(false)
}

// backward checks the call of backward() of a tensor.
func (gr *gradients) backward(t *value.Tensor, given map[string]value.Value) error {
	fault := func(format string, args ...any) error {
		d := diag.New(diag.AutogradFault, gr.host.Here(), fmt.Sprintf(format, args...))
		d.Related = gr.gradientOrigin(t.V, d.At)
		return gr.host.Fail("RuntimeError", d)
	}
	s := gr.gradOf(t)
	if s == gradNo {
		return fault("backward() of a tensor that no parameter has a part in, or that was made without gradients: it has no graph")
	}
	if s != gradYes {
		gr.rec.grads.train.blind = true
		return nil
	}
	if n := gr.pool.Numel(t.V.Type.Shape); isOff(given, "gradient") && t.V.Type.Ranked && n.Expr != nil {
		one := gr.pool.Eq(n.Expr, gr.pool.Const(1))
		if d := gr.region.path.facts.Decide(one); d.Answer == symshape.No || d.False != nil && !gr.rec.dataSyms[n.Expr] &&
			len(gr.settings.examples) == 0 {
			return fault("backward() of a %s needs one element, as of a loss that is summed up, or the argument gradient", t.V.Type.String())
		}
	}
	seen := map[*graph.Value]bool{}
	var again *source.Span
	var walk func(v *graph.Value)
	walk = func(v *graph.Value) {
		if v == nil || seen[v] {
			return
		}
		gr.rec.grads.reached[v] = true
		gr.seesGradients(v)
		call := gr.rec.grads.functions[v]
		if v.Def == nil && call == nil || again != nil || gr.rec.grads.states[v] != gradYes || seen[v] {
			return
		}
		seen[v] = true
		if at, ok := gr.rec.grads.freed[v]; ok {
			again = &at
			return
		}
		if call != nil {
			for _, t := range call.inputs {
				if t != nil {
					walk(t.V)
				}
			}
			return
		}
		for _, a := range v.Def.Args {
			graph.Operands(a.Value, walk)
		}
		for _, w := range gr.rec.grads.through[v] {
			walk(w)
		}
	}
	walk(t.V)
	if kept, by, w := gr.overwritten(seen); w != nil {
		return gr.host.Fail("RuntimeError", overwrittenFault(gr.host, kept, by, w))
	}
	if len(gr.region.path.conds) > 0 || len(gr.region.loops) > 0 {
		return nil
	}
	keep := !isOff(given, "retain_graph") || !isOff(given, "create_graph")
	if again != nil {
		d := diag.New(diag.AutogradFault, gr.host.Here(), "backward() goes through a graph a second time, whose saved tensors are gone: "+
			"give the first call retain_graph=True, or detach() what is carried on")
		d.Related = append(d.Related, diag.Related{At: *again, Msg: "the first time"})
		return gr.host.Fail("RuntimeError", d)
	}
	if keep {
		return nil
	}
	for v := range seen {
		if gr.rec.grads.functions[v] != nil {
			continue // what it keeps is its own choice
		}
		switch v.Def.Form {
		case graph.Linear, graph.Conv, graph.ConvTransp, graph.MatMul, graph.Recurrent, graph.Cell: // these keep their operands for certain
			gr.rec.grads.freed[v] = gr.host.Here()
		}
	}
	return nil
}

// maxCuts bounds the places shown where a graph is cut.
const maxCuts = 3

// gradientOrigin gives the line that made a tensor, and the nearest ones before it that cut
// the graph.
func (gr *gradients) gradientOrigin(v *graph.Value, here source.Span) []diag.Related {
	var out []diag.Related
	if v.At.IsValid() && v.At != here {
		out = append(out, diag.Related{At: v.At, Msg: "the tensor is made here: " + v.Type.String()})
	}
	seen := map[*graph.Value]bool{v: true}
	cuts := 0
	for next := []*graph.Value{v}; len(next) > 0 && cuts < maxCuts; next = next[1:] {
		v := next[0]
		if why := gr.rec.grads.cut[v]; why != "" {
			out = append(out, diag.Related{At: v.At, Msg: why})
			cuts++
			continue
		}
		if v.Def == nil {
			continue
		}
		for _, a := range v.Def.Args {
			graph.Operands(a.Value, func(w *graph.Value) {
				if !seen[w] {
					seen[w] = true
					next = append(next, w)
				}
			})
		}
	}
	if cuts > 0 || gr.rec.grads.states[v] != gradNo {
		return out
	}
	for of := v; of.Def != nil && len(out) < maxCuts; { // its steps tell where numbers of the graph's tensors came in
		var first *graph.Value
		for _, a := range of.Def.Args {
			graph.Operands(a.Value, func(w *graph.Value) {
				if first == nil && w.Kind == graph.TensorKind {
					first = w
				}
			})
		}
		if of = first; of == nil {
			break
		}
		shown := of.Param || of.At == here || slices.ContainsFunc(out, func(r diag.Related) bool { return r.At == of.At })
		if of.At.IsValid() && !shown {
			out = append(out, diag.Related{At: of.At, Msg: "of " + of.Type.String() + ", made here"})
		}
	}
	return out
}

// A tensorWrite is a write to the memory of a tensor.
type tensorWrite struct {
	memory *graph.Value
	order  int // among the operations: gradRecord.made
	at     source.Span
	what   string
	conds  []*symshape.Cond // of the path on which it was
}

// counted gives the value whose memory a tensor has, up to where .data begins a counter of
// its own.
func counted(v *graph.Value) (memory *graph.Value, ofData bool) {
	for ; v.Base != nil; v = v.Base {
		if v.Def != nil && strings.HasSuffix(v.Def.Called, dataAttribute) {
			return v, true
		}
	}
	return v, false
}

// dataAttribute ends the name by which the operation is called that reading x.data is, and
// what x.data = y makes of y.
const dataAttribute = ".data.get"

// noteWrite notes that an operation has made the value after of the one before, in place.
func (gr *gradients) noteWrite(op *ops.Op, before, after *graph.Value) {
	if op.Is.Has(graph.Metadata) || after.Base != before || gr.stack.frame != nil && gr.stack.frame.prelude && !op.TakesInPlace() {
		return
	}
	memory, _ := counted(before)
	gr.wrote(memory, gr.host.Here(), "written in place here")
}

func (gr *gradients) wrote(memory *graph.Value, at source.Span, what string) {
	g := &gr.rec.grads
	g.writes = append(g.writes, tensorWrite{memory: memory, order: g.made, at: at, what: what, conds: gr.region.path.conds})
}

// stepped notes that an optimiser has written to those of the parameters that have gradients.
func (gr *gradients) stepped(params []value.Value) {
	gr.updated(params)
	gr.rec.grads.made++
	for _, p := range params {
		t, ok := p.(*value.Tensor)
		if !ok {
			continue
		}
		if _, ok := gr.rec.grads.train.stepped[t.V]; !ok && t.RequiresGrad && t.V.Param {
			gr.rec.grads.train.stepped[t.V] = gr.host.Here()
		}
		if gr.rec.grads.reached[t.V] {
			memory, _ := counted(t.V)
			gr.wrote(memory, gr.host.Here(), "written by the optimiser here")
		}
	}
}

// overwritten finds a tensor that one of the values keeps for its gradient and that was
// written since.
func (gr *gradients) overwritten(values map[*graph.Value]bool) (kept, by *graph.Value, w *tensorWrite) {
	g := &gr.rec.grads
	if len(g.writes) == 0 {
		return nil, nil, nil
	}
	writes := map[*graph.Value]*tensorWrite{} // the last to each memory
	for i := range g.writes {
		w := &g.writes[i]
		if onPath(w.conds, gr.region.path.conds) {
			writes[w.memory] = w
		}
	}
	for v := range values {
		gr.savedBy(v, func(x *graph.Value) {
			memory, _ := counted(x)
			if last := writes[memory]; last != nil && last.order > g.order[v] && (by == nil || v.ID < by.ID) {
				kept, by, w = x, v, last
			}
		})
	}
	return kept, by, w
}

// onPath reports whether what happened under conditions is part of the path under others.
func onPath(conds, path []*symshape.Cond) bool {
	return len(conds) <= len(path) && slices.Equal(conds, path[:len(conds)])
}

// savedBy calls f for the tensors that the operation of v keeps for certain.
func (gr *gradients) savedBy(v *graph.Value, f func(*graph.Value)) {
	n := v.Def
	if n == nil || gr.rec.grads.order[v] == 0 || len(n.Outputs) != 1 {
		return
	}
	how := torch.SavingOf(n.Op)
	if how == torch.SavesNothing {
		return
	}
	var operands []*graph.Value
	for _, a := range n.Args {
		if !torch.NeverSaved(a.Name) {
			graph.Operands(a.Value, func(x *graph.Value) {
				if x.Kind == graph.TensorKind {
					operands = append(operands, x)
				}
			})
		}
	}
	if len(operands) == 0 {
		return
	}
	inPlace := v.Base == operands[0]
	keep := func(x *graph.Value) {
		if x.Type.Ranked && x.Type.DType == v.Type.DType && !(inPlace && x == operands[0]) && (x.Type.Strides == nil || keptAsIs(n, how, x)) {
			f(x)
		}
	}
	keepOther := func(x, other *graph.Value) {
		if gr.requires(other) {
			keep(x)
		}
	}
	switch how {
	case torch.SavesInput:
		keep(operands[0])
	case torch.SavesResult:
		f(v)
	case torch.SavesBoth:
		if len(operands) == 1 {
			keep(operands[0])
			f(v)
		}
	case torch.SavesSelf:
		if inPlace {
			f(v)
		} else {
			keep(operands[0])
		}
	case torch.SavesAll:
		for _, x := range operands {
			keep(x)
		}
	case torch.SavesPower:
		for _, x := range operands {
			keep(x)
		}
		if _, number := n.Args[0].Value.(*graph.Value); len(operands) > 1 || !number {
			f(v)
		}
	case torch.SavesProduct:
		if len(operands) == 3 {
			keepOther(operands[1], operands[2])
			keepOther(operands[2], operands[1])
		}
	case torch.SavesSecond:
		if len(operands) == 2 {
			keep(operands[1])
			keepOther(operands[0], operands[1])
		}
	case torch.SavesOthers:
		if len(operands) != 2 || !keptWhole(n, operands) {
			return
		}
		keepOther(operands[0], operands[1])
		keepOther(operands[1], operands[0])
	}
}

// keptAsIs reports whether an operand whose elements are not in their order is kept itself,
// and no copy that has them so.
func keptAsIs(n *graph.Node, how torch.Saving, x *graph.Value) bool {
	switch {
	case n.Form == graph.Linear || n.Form == graph.Einsum:
		return x.Type.Rank() <= 2
	case n.Form == graph.MatMul:
		return x.Type.Rank() <= 3
	}
	return n.Spatial == 0 && how != torch.SavesAll
}

// keptWhole reports whether a product keeps its operands, and no copies that have their axes
// in another form.
func keptWhole(n *graph.Node, operands []*graph.Value) bool {
	a, b := operands[0].Type, operands[1].Type
	switch {
	case n.Form == graph.Einsum:
		return a.Rank() == 2 && b.Rank() == 2
	case n.Form != graph.MatMul:
		return true
	case !a.Ranked || !b.Ranked || a.Rank() < b.Rank():
		return false
	case b.Rank() <= 2:
		return true
	}
	if a.Rank() != b.Rank() {
		return false
	}
	for i := range a.Shape[:a.Rank()-2] {
		if a.Shape[i] != b.Shape[i] {
			return false
		}
	}
	return true
}

// noteLeaf notes an operand that is a leaf.
func (gr *gradients) noteLeaf(t *value.Tensor) {
	leaves := gr.rec.grads.leaves
	if old, ok := leaves[t.V]; t.RequiresGrad && !ok {
		leaves[t.V] = true
	} else if old && !t.RequiresGrad {
		leaves[t.V] = false
	}
}

// requires reports whether the value certainly requires gradients.
func (gr *gradients) requires(v *graph.Value) bool {
	return gr.rec.grads.states[v] == gradYes || gr.rec.grads.leaves[v]
}

// overwrittenFault is what backward() says of a tensor that was written.
func overwrittenFault(th value.Thread, kept, by *graph.Value, w *tensorWrite) *diag.Diagnostic {
	name := by.Def.Op
	what := "its operand"
	if kept == by {
		what = "its result"
	}
	d := diag.New(diag.AutogradFault, th.Here(),
		fmt.Sprintf("backward() needs a tensor that is no longer what it was: %s keeps %s, %s, for its gradient, which was written in place since",
			name[strings.LastIndexByte(name, '.')+1:], what, kept.Type.String()))
	d.Related = append(d.Related, diag.Related{At: w.at, Msg: w.what}, diag.Related{At: by.At, Msg: "kept for the gradient here"})
	return d
}

// A trainRecord is what is known of which parameters are trained.
type trainRecord struct {
	// stepped are the parameters of optimisers that made a step, with its place.
	stepped map[*graph.Value]source.Span
	// cuts are the results of detach() and .data that a backward() has come to, and looked
	// the values without gradients behind which they were looked for.
	cuts   []*graph.Value
	looked map[*graph.Value]bool
	// written are the parameters that a step of the entry has written to: what is read of them
	// later is not shown.
	written map[*graph.Value]writtenParameter
	// blind is set where gradients may flow that are not followed.
	blind bool
}

// A writtenParameter is the first step that wrote to a parameter: its place, and the number of
// the newest value before it.
type writtenParameter struct {
	at   source.Span
	last int
}

// updated notes that an optimiser has written to parameters, which the typed graph does not show.
func (gr *gradients) updated(params []value.Value) {
	train := &gr.rec.grads.train
	for _, p := range params {
		t, ok := p.(*value.Tensor)
		if !ok || t.V == nil {
			continue
		}
		if _, ok := train.written[t.V]; ok {
			continue
		}
		if train.written == nil {
			train.written = map[*graph.Value]writtenParameter{}
		}
		w := writtenParameter{at: gr.host.Here(), last: gr.build.Last()}
		if gr.build.Depth() > 0 {
			w.last = 0 // in a loop or a branch: whatever reads it may come after it
		}
		train.written[t.V] = w
	}
}

// readsUpdated notes in the finished graph where the entry reads or returns parameters after a step has written to them.
func (gr *gradients) readsUpdated(g *graph.Graph) {
	written := gr.rec.grads.train.written
	if len(written) == 0 {
		return
	}
	stale := func(o graph.Operand, id int) (found bool) {
		graph.Operands(o, func(v *graph.Value) {
			for ; v != nil; v = v.Base {
				if w, ok := written[v]; ok && id > w.last {
					found = true
				}
			}
		})
		return found
	}
	const why = "it reads parameters that an optimiser has written to in the entry: the steps of training are not shown"
	var walk func(r *graph.Region)
	walk = func(r *graph.Region) {
		for _, n := range r.Nodes {
			for _, a := range n.Args {
				if len(n.Outputs) > 0 && stale(a.Value, n.Outputs[0].ID) {
					gr.build.Incomplete(n.At, why)
					break
				}
			}
			for _, sub := range n.Regions {
				walk(sub)
			}
		}
	}
	walk(g.Body)
	if stale(g.Output, math.MaxInt) {
		gr.build.Incomplete(g.Returned,
			"it returns parameters that an optimiser has written to in the entry: the steps of training are not shown")
	}
}

// cutsGraph reports whether a value is a tensor cut from the graph that it had.
func (gr *gradients) cutsGraph(v *graph.Value) bool {
	return gr.rec.grads.cut[v] != "" && v.Def != nil && v.Def.Op == "torch.detach"
}

// seesGradients notes an operand that a backward() has come to.
func (gr *gradients) seesGradients(v *graph.Value) {
	g := &gr.rec.grads
	_, leaf := g.leaves[v]
	switch {
	case g.states[v] == gradNo:
		gr.looksForCuts(v)
	case g.states[v] == gradUnknown && !leaf && !v.Param && v.Kind == graph.TensorKind:
		g.train.blind = true
	}
}

// looksForCuts notes where an operand without gradients was cut from a graph.
func (gr *gradients) looksForCuts(v *graph.Value) {
	train := &gr.rec.grads.train
	for next := []*graph.Value{v}; len(next) > 0; {
		v := next[len(next)-1]
		next = next[:len(next)-1]
		if train.looked[v] || gr.rec.grads.states[v] != gradNo {
			continue
		}
		train.looked[v] = true
		if gr.rec.grads.cut[v] != "" {
			if gr.cutsGraph(v) {
				train.cuts = append(train.cuts, v)
			}
			continue
		}
		if v.Def != nil {
			for _, a := range v.Def.Args {
				graph.Operands(a.Value, func(w *graph.Value) { next = append(next, w) })
			}
		}
	}
}

// hidesGradients notes that something unknown is given tensors: it may compute their gradients.
func (gr *gradients) hidesGradients(args []value.Value, kw []value.Kw) {
	tensorsIn(args, kw, func(t *value.Tensor) {
		if gr.gradOf(t) != gradNo {
			gr.rec.grads.train.blind = true
		}
	})
}

// untrained reports the parameters that steps leave as they are.
func (gr *gradients) untrained() {
	g := &gr.rec.grads
	if g.train.blind || len(g.train.cuts) == 0 || len(g.train.stepped) == 0 || hasErrors(gr.sink.All()) {
		return
	}
	told := map[source.Span]bool{}
	for _, cut := range g.train.cuts {
		lost := gr.behind(cut)
		if len(lost) == 0 || told[cut.At] {
			continue
		}
		told[cut.At] = true
		d := diag.New(diag.Untrained, cut.At,
			fmt.Sprintf("no loss reaches the parameters behind this, of which %s is one: the graph is cut here, and the optimiser's steps leave them as they are",
				lost[0].Type.String()))
		for i, p := range lost {
			if p.At.IsValid() && (i == 0 || p.At != lost[0].At) && len(d.Related) < maxCuts {
				d.Related = append(d.Related, diag.Related{At: p.At, Msg: fmt.Sprintf("%s is made here", p.Type.String())})
			}
		}
		d.Related = append(d.Related, diag.Related{At: g.train.stepped[lost[0]], Msg: "the optimiser steps here"})
		gr.host.Report(d)
	}
}

// behind gives the parameters that a cut tensor is computed from, that are stepped, and that no
// backward() has reached nor the program written.
func (gr *gradients) behind(cut *graph.Value) (lost []*graph.Value) {
	g := &gr.rec.grads
	seen := map[*graph.Value]bool{}
	for next := []*graph.Value{cut}; len(next) > 0; {
		v := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if _, ok := g.train.stepped[v]; ok {
			if g.reached[v] || slices.ContainsFunc(g.writes, func(w tensorWrite) bool { return w.memory == v }) {
				continue
			}
			lost = append(lost, v)
		}
		if v.Def != nil {
			for _, a := range v.Def.Args {
				graph.Operands(a.Value, func(w *graph.Value) { next = append(next, w) })
			}
		}
	}
	slices.SortFunc(lost, func(a, b *graph.Value) int { return cmp.Compare(a.ID, b.ID) })
	return lost
}
