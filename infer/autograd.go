package infer

// This file follows which tensors require gradients, as far as that is certain, and
// finds what autograd refuses: leaves written in place, backward() of what has no graph,
// of more than one element, or of a graph that is gone.
//
// A state is kept for each value of the graph, which never changes; tensors that an
// argument of the entry, a branch or a loop gives have none, and nothing is said of them.

import (
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
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
	// made, and writes are those that PyTorch's version counters see: see saved.go.
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

// RequiresGrad is part of value.Thread.
func (in *Interp) RequiresGrad(t *value.Tensor) bool { return in.grads.requiresGrad(t) }

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
		if err := gr.backward(self, args[1:], kw); err != nil {
			return nil, err
		}
		return apply(args, kw)
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

// backward checks the call of backward() of a tensor.
func (gr *gradients) backward(t *value.Tensor, args []value.Value, kw []value.Kw) error {
	fault := func(format string, args ...any) error {
		d := diag.New(diag.AutogradFault, gr.host.Here(), fmt.Sprintf(format, args...))
		d.Related = gr.gradientOrigin(t.V, d.At)
		return gr.host.Fail("RuntimeError", d)
	}
	given := map[string]value.Value{}
	for i, n := range [...]string{"gradient", "retain_graph", "create_graph"} {
		if i < len(args) {
			given[n] = args[i]
		}
	}
	for _, k := range kw {
		given[k.Name] = k.Value
	}
	isOff := func(name string) bool {
		v := given[name]
		return v == nil || v == value.None || v == value.Bool(false)
	}
	s := gr.gradOf(t)
	if s == gradNo {
		return fault("backward() of a tensor that no parameter has a part in, or that was made without gradients: it has no graph")
	}
	if s != gradYes {
		gr.rec.grads.train.blind = true
		return nil
	}
	if n := gr.pool.Numel(t.V.Type.Shape); isOff("gradient") && t.V.Type.Ranked && n.Expr != nil {
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
		if v.Def == nil || again != nil || gr.rec.grads.states[v] != gradYes {
			return
		}
		seen[v] = true
		if at, ok := gr.rec.grads.freed[v]; ok {
			again = &at
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
	keep := !isOff("retain_graph") || !isOff("create_graph")
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
