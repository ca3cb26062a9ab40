package infer

// This file runs what backward() runs of the program: hooks of tensors and of modules, and the method backward of the
// program's own functions. It also knows which leaves have a gradient afterwards.
//
// Each hook waits for gradients to arrive at values of the graph. backward() finds for each value whether a gradient
// arrives there for certain, may arrive, or does not, and runs the hooks in the reverse order of the operations. What
// may run only is run under a condition that nobody knows.

import (
	"cmp"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A backwardHook waits for gradients.
type backwardHook struct {
	// leaf is the tensor for whose gradient it waits, at are the values of which it waits for any.
	leaf *value.Tensor
	at   []*graph.Value
	// order and tick say when the program came by: the number of the newest value, and among those of one a number that grows. Later ones
	// run first.
	order, tick int
	conds       []*symshape.Cond
	// run takes whether the gradient arrives for certain.
	run value.Value
	// accumulates says that it runs where the gradient is added to the attribute grad, which autograd.grad() does not do.
	accumulates bool
	// whole says that it goes with the graph that backward() has freed.
	whole bool
}

// A functionCall is a call of a function with a backward of its own.
type functionCall struct {
	inputs  []*value.Tensor // nil where an argument is no tensor
	outputs []*graph.Value
	run     value.Value
}

// An arrivals is where the gradients of a backward pass arrive.
type arrivals struct {
	gr    *gradients
	sure  map[*graph.Value]bool // false: it may arrive
	calls map[*functionCall][]reach
	// sparse are the values that may get a gradient of another layout.
	sparse map[*graph.Value]bool
	// opaque says that a value was met whose origin is not seen.
	opaque bool
	err    error
}

// arrivals follows gradients from values to the leaves.
func (gr *gradients) arrivals(roots []*graph.Value) (*arrivals, error) {
	a := &arrivals{gr: gr, sure: map[*graph.Value]bool{}, calls: map[*functionCall][]reach{}, sparse: map[*graph.Value]bool{}}
	for _, how := range [...]reach{reachSure, reachMaybe} {
		for _, r := range roots {
			a.visit(r, how, how)
		}
		if how == reachSure {
			for v := range a.sure {
				a.behind(v, reachSure, reachMaybe)
			}
		}
	}
	return a, a.err
}

// visit notes that a gradient arrives at a value, and goes on behind it. pass is what is looked for: what arrives for certain, or what may.
func (a *arrivals) visit(v *graph.Value, how, pass reach) {
	if v == nil || a.err != nil {
		return
	}
	switch state := a.gr.stateOf(v); {
	case state == gradNo:
		return
	case state == gradUnknown:
		how = reachMaybe
	}
	if _, seen := a.sure[v]; seen || how < pass {
		return
	}
	a.sure[v] = how == reachSure
	a.behind(v, how, pass)
}

// behind goes on to what a value was made of.
func (a *arrivals) behind(v *graph.Value, how, pass reach) {
	if call := a.gr.rec.grads.functions[v]; call != nil {
		a.through(call, how, pass)
		return
	}
	for _, w := range a.gr.rec.grads.through[v] {
		a.visit(w, how, pass)
	}
	if v.Def == nil {
		return
	}
	if len(v.Def.Regions) > 0 {
		a.opaque = true
	}
	sparse := slices.ContainsFunc(v.Def.Args, func(arg graph.Arg) bool { return arg.Name == "sparse" && isTrue(arg.Value) })
	for _, arg := range v.Def.Args {
		graph.Operands(arg.Value, func(w *graph.Value) {
			if sparse {
				a.sparse[w] = true
			}
			a.visit(w, how, pass)
		})
	}
}

// through goes on to the arguments of a function for which its backward gives a gradient.
func (a *arrivals) through(call *functionCall, how, pass reach) {
	given, done := a.calls[call]
	if !done && how == reachSure {
		given, a.err = a.gr.functionBackward(call)
		a.calls[call] = given
	}
	for i, t := range call.inputs {
		if t == nil {
			continue
		}
		r := reachMaybe
		if i < len(given) {
			r = given[i]
		}
		if r != reachNot {
			a.visit(t.V, min(how, r), pass)
		}
	}
}

// isTrue reports whether an operand is the number True.
func isTrue(o graph.Operand) bool {
	b, ok := o.(graph.Bool)
	return ok && bool(b)
}

// functionBackward runs the backward of a function and tells of each argument whether it gets a gradient.
func (gr *gradients) functionBackward(call *functionCall) ([]reach, error) {
	out, err := gr.host.Call(call.run, nil, nil)
	if err != nil {
		return nil, err
	}
	tuple, ok := out.(*value.Tuple)
	if !ok {
		return nil, nil
	}
	given := make([]reach, len(call.inputs))
	for i := range given {
		given[i] = reachMaybe
		if i < len(tuple.Elems) {
			switch tuple.Elems[i].(type) {
			case *value.Tensor:
				given[i] = reachSure
			case value.NoneType:
				given[i] = reachNot
			}
		}
	}
	return given, nil
}

// stateOf is the state of a value.
func (gr *gradients) stateOf(v *graph.Value) gradState {
	if leaf, ok := gr.rec.grads.leaves[v]; ok {
		if leaf {
			return gradYes
		}
		return gradUnknown
	}
	return gr.rec.grads.states[v]
}

// notedFunction notes that a function with a backward of its own made outputs of inputs: they require gradients if one of the inputs does,
// whatever the function does inside.
func (gr *gradients) notedFunction(outputs, inputs, run value.Value) {
	state := gradNo
	call := &functionCall{run: run}
	if given, ok := inputs.(*value.Tuple); ok {
		for _, x := range given.Elems {
			t, _ := x.(*value.Tensor)
			call.inputs = append(call.inputs, t)
			s := gradNo
			switch {
			case t != nil:
				s = gr.gradOf(t)
				gr.noteLeaf(t)
			case value.IsUnknown(x):
				s = gradUnknown
			}
			if s == gradYes || s == gradUnknown && state == gradNo {
				state = s
			}
		}
	}
	if on, known := gr.gradEnabled(); !known {
		state = gradUnknown
	} else if !on {
		state = gradNo
	}
	g := &gr.rec.grads
	for x := range value.Walk(outputs, 1, value.Sequences) {
		t, ok := x.(*value.Tensor)
		if !ok {
			continue
		}
		if !ops.Inexact.Has(t.V.Type.DType) {
			g.states[t.V] = gradNo
			continue
		}
		g.states[t.V] = state
		if state == gradNo {
			continue
		}
		delete(g.cut, t.V)
		delete(g.apart, t.V)
		call.outputs = append(call.outputs, t.V)
		if g.functions == nil {
			g.functions = map[*graph.Value]*functionCall{}
		}
		g.functions[t.V] = call
	}
}

// passBack runs what the gradients of roots come to. inputs are the tensors of which autograd.grad() gives the gradients, nil for backward().
func (gr *gradients) passBack(roots, inputs []*value.Tensor, frees bool) error {
	g := &gr.rec.grads
	var from []*graph.Value
	for _, t := range roots {
		if gr.gradOf(t) != gradNo {
			from = append(from, t.V)
		}
	}
	if len(from) == 0 {
		return nil
	}
	a, err := gr.arrivals(from)
	if err != nil {
		return err
	}
	if inputs == nil {
		gr.accumulate(a)
	}
	if len(g.hooks) == 0 {
		return nil
	}
	var leads func(v *graph.Value) bool
	if inputs != nil {
		leads = a.leadsTo(inputs)
	}
	type due struct {
		hook *backwardHook
		sure bool
	}
	var list []due
	var kept []*backwardHook
	for _, h := range g.hooks {
		sure, found := false, a.opaque
		at := h.at
		if h.leaf != nil {
			at = []*graph.Value{h.leaf.V}
		}
		for _, v := range at {
			s, ok := a.sure[v]
			if ok && leads != nil && !leads(v) {
				continue
			}
			found, sure = found || ok, sure || s
		}
		if found && !(h.accumulates && inputs != nil) {
			list = append(list, due{h, sure && onPath(h.conds, gr.region.path.conds)})
		}
		if !(found && sure && h.whole && frees) {
			kept = append(kept, h)
		}
	}
	g.hooks = kept
	slices.SortStableFunc(list, func(x, y due) int {
		return cmp.Or(cmp.Compare(y.hook.order, x.hook.order), cmp.Compare(y.hook.tick, x.hook.tick))
	})
	for _, d := range list {
		if _, err := gr.host.Call(d.hook.run, []value.Value{value.Bool(d.sure)}, nil); err != nil {
			return err
		}
	}
	return nil
}

// leadsTo gives a function that reports whether a gradient at a value goes on to one of the inputs.
func (a *arrivals) leadsTo(inputs []*value.Tensor) func(*graph.Value) bool {
	leads := map[*graph.Value]bool{}
	for _, t := range inputs {
		leads[t.V] = true
	}
	var visit func(v *graph.Value) bool
	visit = func(v *graph.Value) bool {
		if l, ok := leads[v]; ok {
			return l
		}
		leads[v] = false
		found := false
		next := func(w *graph.Value) {
			if _, arrives := a.sure[w]; arrives && visit(w) {
				found = true
			}
		}
		if call := a.gr.rec.grads.functions[v]; call != nil {
			for _, t := range call.inputs {
				if t != nil {
					next(t.V)
				}
			}
		} else if v.Def != nil {
			for _, arg := range v.Def.Args {
				graph.Operands(arg.Value, next)
			}
		}
		for _, w := range a.gr.rec.grads.through[v] {
			next(w)
		}
		leads[v] = found
		return found
	}
	return visit
}

// An arrivedGradient is the gradient of a leaf.
type arrivedGradient struct {
	grad *value.Tensor // nil until it is asked for
	// conds and loops are those in which backward() ran: further out it is not known whether it did.
	conds []*symshape.Cond
	loops []int
}

// isHere reports whether the run is where the gradient has arrived for certain.
func (gr *gradients) isHere(a *arrivedGradient) bool {
	loops := gr.region.loops
	return a != nil && onPath(a.conds, gr.region.path.conds) && len(a.loops) <= len(loops) && slices.Equal(a.loops, loops[:len(a.loops)])
}

// accumulate notes which leaves have a gradient now.
func (gr *gradients) accumulate(a *arrivals) {
	g := &gr.rec.grads
	if a.opaque {
		g.arrived = nil
		return
	}
	for v, sure := range a.sure {
		if !g.leaves[v] && !g.retained[v] {
			continue
		}
		memory, _ := counted(v)
		switch {
		case a.sparse[v]:
			delete(g.arrived, memory)
		case gr.isHere(g.arrived[memory]):
		case sure:
			if g.arrived == nil {
				g.arrived = map[*graph.Value]*arrivedGradient{}
			}
			g.arrived[memory] = &arrivedGradient{conds: gr.region.path.conds, loops: slices.Clone(gr.region.loops)}
		default:
			delete(g.arrived, memory)
		}
	}
}

// Gradient is part of value.GradientTeller.
func (in *Interp) Gradient(t *value.Tensor) *value.Tensor { return in.grads.gradientOf(t) }

// gradientOf is the attribute grad of a tensor at which a gradient has arrived; nil where that is not known.
func (gr *gradients) gradientOf(t *value.Tensor) *value.Tensor {
	memory, _ := counted(t.V)
	a := gr.rec.grads.arrived[memory]
	if !gr.isHere(a) || !t.RequiresGrad && !gr.rec.grads.retained[t.V] {
		return nil
	}
	if a.grad == nil || !sameType(a.grad.Type(), t.Type()) {
		a.grad = &value.Tensor{Header: gr.heap.Header(), V: gr.build.NewValue(graph.TensorKind, *t.Type(), gr.host.Here())}
		gr.rec.grads.states[a.grad.V] = gradUnknown
	}
	return a.grad
}

// RetainGradient is part of value.GradientTeller.
func (in *Interp) RetainGradient(t *value.Tensor) {
	g := &in.rec.grads
	if g.retained == nil {
		g.retained = map[*graph.Value]bool{}
	}
	g.retained[t.V] = true
}

// dropGradient notes that the attribute grad of a tensor was set: what it is after the next backward() is found anew.
func (gr *gradients) dropGradient(t *value.Tensor) {
	if t.V != nil {
		memory, _ := counted(t.V)
		delete(gr.rec.grads.arrived, memory)
	}
}

// withGradient gives those of the parameters that have no state yet and have a gradient; known is false where that is not certain.
func (gr *gradients) withGradient(params []value.Value, state *value.Dict) (list []value.Value, known bool) {
	for _, p := range params {
		t, ok := p.(*value.Tensor)
		if !ok {
			return nil, false
		}
		key, err := gr.host.HashKey(t)
		if err != nil {
			return nil, false
		}
		if _, has := state.Get(key); has {
			continue
		}
		var own value.Value
		if t.Attrs != nil {
			own, _ = t.Attrs.Get("grad")
		}
		switch _, given := own.(*value.Tensor); {
		case given:
		case own != nil, len(gr.region.path.conds) > 0, len(gr.region.loops) > 0:
			return nil, false
		case !t.RequiresGrad:
			continue
		case gr.gradientOf(t) == nil:
			return nil, false
		}
		list = append(list, t)
	}
	return list, true
}

// backwardNatives are the functions by which the library registers what backward passes run.
func (na *natives) backwardNatives(def func(name string, fn value.NativeFunc)) {
	gr := &na.in.grads
	add := func(h *backwardHook) {
		h.conds = gr.region.path.conds
		gr.rec.grads.hooks = append(slices.Clip(gr.rec.grads.hooks), h)
	}
	// moment() is where the program is: the number of the newest value of the graph, and one that grows.
	def("moment", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) { return gr.moment(), nil })
	// hook_gradient(tensor, accumulates, run) has run called when the gradient of a tensor is there.
	def("hook_gradient", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		t, ok := args[0].(*value.Tensor)
		if !ok {
			return value.None, nil
		}
		gr.rec.grads.ticks++
		h := &backwardHook{tick: gr.rec.grads.ticks, run: args[2], accumulates: args[1] == value.Bool(true)}
		if gr.rec.grads.states[t.V] == gradYes && !t.RequiresGrad {
			h.at, h.order = []*graph.Value{t.V}, t.V.ID
		} else {
			h.leaf, h.order = t, 0
		}
		add(h)
		return value.None, nil
	})
	// hook_results(results, moment, run) has run called when the gradient of one of the results of a module is there.
	def("hook_results", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		h := &backwardHook{run: args[2], whole: true}
		if at, ok := args[1].(*value.Tuple); ok && len(at.Elems) == 2 {
			order, _ := value.AsInt(at.Elems[0])
			tick, _ := value.AsInt(at.Elems[1])
			h.order, h.tick = int(order), int(tick)
		}
		tensorsIn(args[:1], nil, func(t *value.Tensor) { h.at = append(h.at, t.V) })
		add(h)
		return value.None, nil
	})
	// function_call(outputs, inputs, run) tells of a function with a backward of its own.
	def("function_call", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		gr.notedFunction(args[0], args[1], args[2])
		return value.None, nil
	})
	// pass_back(outputs, inputs, retains) runs what autograd.grad() runs.
	def("pass_back", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		var outputs, inputs []*value.Tensor
		tensorsIn(args[:1], nil, func(t *value.Tensor) { outputs = append(outputs, t) })
		inputs = []*value.Tensor{}
		tensorsIn(args[1:2], nil, func(t *value.Tensor) { inputs = append(inputs, t) })
		return value.None, gr.passBack(outputs, inputs, args[2] == value.Bool(false))
	})
	// with_gradient(parameters, state) are the parameters with a gradient that have no state.
	def("with_gradient", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		params, ok := args[0].(*value.List)
		state, isDict := args[1].(*value.Dict)
		if ok && isDict {
			if list, known := gr.withGradient(params.Elems, state); known {
				return na.heap.NewList(list), nil
			}
		}
		return na.in.Unknown("which parameters have a gradient is not known"), nil
	})
	// gradients_dropped(parameters) is called where a program sets their attribute grad to None.
	def("gradients_dropped", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		tensorsIn(args, nil, func(t *value.Tensor) {
			gr.dropGradient(t)
			if t.Attrs != nil {
				if _, has := t.Attrs.Get("grad"); has {
					t.Attrs.Delete(&na.heap, "grad")
				}
			}
		})
		return value.None, nil
	})
}

// The tables of the hooks of a module that backward passes run.
const (
	backwardPreHookTable  = "_backward_pre_hooks"
	backwardPostHookTable = "_backward_hooks"
)

// moment says where the program is.
func (gr *gradients) moment() *value.Tuple {
	gr.rec.grads.ticks++
	return value.NewTuple(value.Int(gr.build.Last()), value.Int(gr.rec.grads.ticks))
}

// hookMethods gives the class of tensors the methods that register hooks, which the library's Python has: its module is loaded at the first call.
func (na *natives) hookMethods(tensor *value.Class) {
	for _, name := range [...]string{"register_hook", "register_post_accumulate_grad_hook"} {
		tensor.Attrs.Set(&na.heap, name, &value.Builtin{Name: "torch.Tensor." + name,
			Fn: func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
				module, err := na.in.Import("torch.autograd._hooks")
				if err != nil {
					return nil, err
				}
				fn, err := na.in.GetAttr(module, name)
				if err != nil {
					return nil, err
				}
				return na.in.Call(fn, args, kw)
			}})
	}
}

// hasBackwardHooks reports whether backward passes run hooks of a module.
func (na *natives) hasBackwardHooks(m *value.Instance) bool {
	for _, d := range na.globalHooks[2:] {
		if d != nil && d.Len() > 0 {
			return true
		}
	}
	for _, table := range [...]string{backwardPreHookTable, backwardPostHookTable} {
		v, _ := m.Attrs.Get(table)
		if d, ok := v.(*value.Dict); ok && d.Len() > 0 {
			return true
		}
	}
	return false
}

// hookResults has the backward hooks of a module wait for the gradients of what it gave. before is the
// moment before its call, nil where it has none. The error is that of the library's function.
func (na *natives) hookResults(m *value.Instance, args []value.Value, out value.Value, before *value.Tuple) error {
	if before == nil {
		return nil
	}
	module, err := na.in.Import("torch.nn.modules.module")
	if err != nil {
		return err
	}
	_, err = na.in.CallMethod(module, "_hook_results", m, value.NewTuple(args...), out, before)
	return err
}
