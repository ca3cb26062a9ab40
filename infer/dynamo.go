package infer

// This file makes the calls of compiled functions for the prelude of torch.
//
// It also lets package trace/dynamo hear a call of a compiled function: it is the interpreter for that package.

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
	"shapecheck/trace/dynamo"
	"shapecheck/trace/export"
	"shapecheck/trace/retrace"
)

// compiledCall implements compiled_call((function, fullgraph, dynamic, name, backend), arguments, keywords, state):
// it calls a function under torch.compile and records what that compiles, where calls are recorded.
func (tc *tracing) compiledCall(th value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 4 {
		return nil, tc.in.Raise("TypeError", "compiled_call takes 4 arguments")
	}
	compiled, _ := value.AsSequence(args[0])
	given, _ := value.AsSequence(args[1])
	kwargs, _ := args[2].(*value.Dict)
	cells, _ := value.AsSequence(args[3])
	if kwargs == nil || len(compiled) != 5 || len(cells) != 5 {
		return nil, tc.in.Raise("TypeError", "compiled_call takes what is compiled, arguments and the modes")
	}
	target, kw := compiled[0], keywordsOf(kwargs)
	r := tc.retraces
	switch {
	case tc.in.dynamo != nil || r.served: // called by a compiled function: part of it
		return tc.in.Call(target, given, kw)
	case tc.mayRun():
		name, _ := value.AsStr(compiled[3])
		tc.mayCall("compile", "", name, retrace.ArgumentTexts(tc.in, given, kw))
		r.Inside++
		v, err := tc.in.Call(target, given, kw)
		r.Inside--
		return v, err
	case !tc.jitRecords():
		return tc.in.Call(target, given, kw)
	}
	if r.graphs == nil {
		r.graphs = dynamo.NewGraphs()
	}
	c := tc.jitCall(value.Str(""), compiled[3], nil)
	c.Framework, c.Args = "compile", retrace.ArgumentTexts(tc.in, given, kw)
	if r.backend != compiled[4] {
		r.backend, r.backendText = compiled[4], compiled[4].String()
	}
	opts := dynamo.Options{Fullgraph: compiled[1] == value.Bool(true), Dynamic: compiled[2], Backend: r.backendText}
	if cell, ok := value.AsSequence(cells[4]); ok && len(cell) == 1 {
		opts.Stance, _ = value.AsStr(cell[0])
	}
	host, global := dynamoHost{exportHost{tc.in}}, tc.globalState(cells)
	outer := r.Inside
	r.Inside++
	if r.graphs.ServesAhead(host, target, given, kw, &opts, global) {
		r.served = true
		var v value.Value
		var err error
		tc.catchAll(func() { v, err = tc.in.Call(target, given, kw) })
		r.served, r.Inside = false, outer
		return tc.compiledEnds(c, v, err, func(e *value.Exception, at source.Span) dynamo.Result {
			return dynamo.Result{Compiled: &dynamo.Call{}, Traces: new(int), Error: e, ErrorAt: at}
		})
	}
	d := dynamo.NewRun(host, r.graphs, opts, target, given, kw, global)
	if !d.IsEager() {
		tc.setDynamo(d)
	}
	var v value.Value
	var err error
	run := &TracedCall{}
	mark := tc.in.heap.Mark()
	tc.catchAll(func() {
		tc.in.deciding.record(run, nil, false, func() { v, err = tc.in.Call(target, given, kw) })
	})
	d.Ran(tc.in.heap.Before(mark), branchesOf(run.Decisions))
	tc.in.heap.Drop(mark)
	r.Inside = outer
	tc.setDynamo(nil)
	return tc.compiledEnds(c, v, err, d.Settle)
}

// compiledEnds records how a call under torch.compile ended; settle finds what it compiled of the exception that ended it, or nil. The
// error is that of the call.
func (tc *tracing) compiledEnds(c *retrace.Call, v value.Value, err error,
	settle func(*value.Exception, source.Span) dynamo.Result) (value.Value, error) {
	var e *value.Exception
	var at source.Span
	if errors.As(err, &e) {
		at = tc.ownPlace(e)
	} else if err != nil {
		return nil, err
	}
	r := settle(e, at)
	c.Compiled, c.Traces, c.Error, c.ErrorAt = r.Compiled, r.Traces, r.Error, r.ErrorAt
	switch {
	case r.Err != nil:
		return nil, tc.jitEnds(c, r.Err)
	case e != nil:
		return nil, tc.jitEnds(c, e)
	}
	c.Result = v.String()
	tc.Doubt(c)
	return v, nil
}

// globalState is what decides over a graph besides its arguments: the gradient mode, the default dtype, autocast, how
// operations compute. The cells hold the mode, the modes that are entered, the dtypes of autocast, and the numerics. The inference
// mode shows in the dispatch keys of tensors alone.
func (tc *tracing) globalState(cells []value.Value) string {
	last := tc.global
	now := append(last.now[:0], value.Str(tc.in.Option("default-dtype")))
	if mode, ok := value.AsSequence(cells[0]); ok && len(mode) == 1 {
		now = append(now, mode[0])
	}
	if active, ok := cells[1].(*value.Dict); ok {
		for _, key := range [...]string{"autocast:cuda", "autocast:cpu"} {
			_, on := active.GetStr(key)
			now = append(now, value.Bool(on))
		}
	}
	if fast, ok := cells[2].(*value.Dict); ok {
		if cpu, ok := fast.GetStr("cpu"); ok {
			now = append(now, cpu)
		}
	}
	if numerics, ok := cells[3].(*value.Dict); ok {
		for i := range numerics.Len() {
			now = append(now, numerics.Key(i), numerics.At(i))
		}
	}
	last.now = now
	if slices.EqualFunc(last.values, now, same) { // at most calls
		return last.text
	}
	parts := make([]string, len(now))
	for i, v := range now {
		parts[i], _ = tc.in.Repr(v)
	}
	last.values, last.text = slices.Clone(now), strings.Join(parts, ", ")
	return last.text
}

// A globalState is the values that decide over a graph besides its arguments, and their text.
type globalState struct {
	values, now []value.Value
	text        string
}

// dynamoNatives defines what the prelude of torch.compile uses.
func (tc *tracing) dynamoNatives(def func(string, value.NativeFunc)) {
	def("compiled_call", tc.compiledCall)
	def("forget_graphs", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		if tc.graphs != nil {
			tc.graphs.Forget()
		}
		return value.None, nil
	})
	def("compiles", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		return value.Bool(tc.in.dynamo != nil || tc.served), nil
	})
	def("mark_axes", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 3 {
			return nil, tc.in.Raise("TypeError", "mark_axes takes a tensor, a name and a list")
		}
		name, _ := value.AsStr(args[1])
		x, tensor := args[0].(*value.Tensor)
		axes, list := args[2].(*value.List)
		if !tensor || !list {
			return value.None, nil
		}
		if x.Attrs != nil {
			if v, ok := x.Attrs.Get(name); ok {
				if more, ok := v.(*value.List); ok {
					axes = tc.in.heap.NewList(append(slices.Clone(more.Elems), axes.Elems...))
				}
			}
		}
		return value.None, tc.in.SetAttr(x, name, axes)
	})
	def("uncompiled", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) == 0 {
			return nil, tc.in.Raise("TypeError", "uncompiled takes a function")
		}
		d := tc.in.dynamo
		if d != nil {
			d.Breaks()
		}
		tc.setDynamo(nil)
		v, err := th.Call(args[0], args[1:], kw)
		tc.setDynamo(d)
		return v, err
	})
	// an operation of a graph, whatever its function does
	def("opaque", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) == 0 {
			return nil, tc.in.Raise("TypeError", "opaque takes a function")
		}
		d := tc.in.dynamo
		tc.setDynamo(nil)
		v, err := th.Call(args[0], args[1:], kw)
		if tc.setDynamo(d); d != nil && err == nil {
			d.Opaque(v)
		}
		return v, err
	})
	// unless an option of the configuration is set
	def("graph_break", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		option := ""
		if len(args) == 1 {
			option, _ = value.AsStr(args[0])
		}
		if tc.in.dynamo != nil && (option == "" || !dynamo.IsSet(dynamoHost{exportHost{tc.in}}, option)) {
			tc.in.dynamo.Breaks()
		}
		return value.None, nil
	})
}

// compiledForward is what Module.compile made of a module, where a call of it is recorded; nil: it made nothing of it.
func (tc *tracing) compiledForward(module *value.Instance) value.Value {
	if tc.in.dynamo != nil || !tc.in.cfg.Retraces || !tc.jitRecords() && !tc.mayRun() {
		return nil
	}
	compiled, _ := module.Attrs.Get("_compiled_call_impl")
	return compiled
}

// A dynamoTracer hears a run for torch.compile, which has the events itself.
type dynamoTracer struct {
	*dynamo.Run
	quiet
}

// Name notes that a variable is read.
func (t dynamoTracer) Name(f *Frame, n *ast.Name, b resolve.Binding, v value.Value) {
	t.Run.Name(f, n, b, v)
}

// Write notes that a variable is bound.
func (t dynamoTracer) Write(f *Frame, b resolve.Binding, name string) { t.Run.Write(f, b, name) }

// Evaluate notes which expression is evaluated.
func (t dynamoTracer) Evaluate(f *Frame, e ast.Expr) { t.Run.Evaluate(f, e) }

// Evaluated notes what it gave.
func (t dynamoTracer) Evaluated(f *Frame, e ast.Expr, v value.Value) { t.Run.Evaluated(f, e, v) }

// Format notes what is written into a text.
func (t dynamoTracer) Format(f *Frame, v value.Value) value.Value { return t.Run.Format(f, v) }

// Arguments notes a call of the program.
func (t dynamoTracer) Arguments(f *Frame, e *ast.Call, fn value.Value, args []value.Value, kw []value.Kw) {
	t.Run.Arguments(f, e, fn, args, kw)
}

// Enter notes that a function runs.
func (t dynamoTracer) Enter(f *Frame) (leave func()) { return t.Run.Enter(f) }

// Iterate notes a turn of a loop.
func (t dynamoTracer) Iterate(f *Frame, over ast.Expr, turn int) { t.Run.Iterate(f, over, turn) }

// Assert notes what an assertion asks for. The error is that of test.
func (t dynamoTracer) Assert(_ *Frame, test func() (value.Value, error)) (value.Value, error) {
	return t.Run.Assert(test)
}

// setDynamo has a call of a compiled function hear the run, instead of another one; nil: none does.
func (tc *tracing) setDynamo(d *dynamo.Run) {
	if tc.in.dynamo != nil {
		tc.in.tracers = tc.in.tracers.leavingOut(func(t Tracer) bool { return t == dynamoTracer{Run: tc.in.dynamo} })
	}
	if tc.in.dynamo = d; d != nil {
		tc.in.tracers = tc.in.tracers.with(dynamoTracer{Run: d})
	}
}

// A dynamoHost is the interpreter for trace/dynamo.
type dynamoHost struct{ exportHost }

var _ dynamo.Host = dynamoHost{}

func (h dynamoHost) InLibrary() bool { return h.stack.inPrelude() }

func (h dynamoHost) Certain() bool { return len(h.path.conds)+len(h.loops) == 0 }

func (h dynamoHost) Recording() bool { return h.decisions != nil }

// Setting is an attribute of torch._dynamo.config; ok is false where it has none, or where nothing has imported it: nothing was set
// then.
func (h dynamoHost) Setting(name string) (v value.Value, ok bool) {
	m, ok := h.modules["torch._dynamo"]
	if !ok {
		return nil, false
	}
	config, err := h.GetAttr(m, "config")
	if err != nil {
		return nil, false
	}
	v, ok, err = h.LookupAttr(config, name)
	return v, ok && err == nil
}

func (h dynamoHost) BuiltinName(fn value.Value) string { return h.builtinName(fn) }

// Key is the key of a dict that a value is. The error is that of its __hash__.
func (h dynamoHost) Key(v value.Value) (key any, ok bool, err error) {
	return h.world.HashKey(h.Interp, v)
}

func (h dynamoHost) MadeInInference(v *graph.Value) bool { return h.rec.grads.inference[v] }

func (h dynamoHost) InferenceMode() bool { return h.grads.inferenceMode() }

// RunIn runs a program in a state and takes back what it does. The error is one that ends the run.
func (h dynamoHost) RunIn(state []value.Change, p *export.Program, r *export.Run) (err error) {
	h.tracing.takeBack(state, func() { _, err = h.tracing.exportBody(p, r) })
	return err
}

// branchesOf are the places that a call recorded.
func branchesOf(list []*Decision) []dynamo.Branch {
	out := make([]dynamo.Branch, len(list))
	for i, d := range list {
		out[i] = dynamo.Branch{Kind: string(d.Kind), At: d.At, Test: d.Test, Ways: d.Ways}
	}
	return out
}

var _ dynamo.Frame = (*frame)(nil)

// InLibrary reports whether a library's code runs.
func (f *frame) InLibrary() bool { return f.prelude }

// CalledByProgram reports whether the program's own code called the function.
func (f *frame) CalledByProgram() bool { return f.caller != nil && !f.caller.prelude }

// CallSite is where the program's innermost code stands that called the function.
func (f *frame) CallSite() source.Span {
	for c := f.caller; c != nil; c = c.caller {
		if !c.prelude && c.at.IsValid() {
			return c.at
		}
	}
	return source.Span{}
}

// Func is the function that runs, or nil.
func (f *frame) Func() *value.Func { return f.fn }

// Code is what runs.
func (f *frame) Code() dynamo.Code { return f.code }

// InLibrary reports whether it is a library's.
func (c *code) InLibrary() bool { return c.prelude }

// Body is the statements of a def.
func (f *frame) Body() []ast.Stmt { return f.code.body }

// Definition is the node of the function, class body or comprehension.
func (f *frame) Definition() ast.Node { return f.code.node }

// Variables are the values by slot.
func (f *frame) Variables() []value.Value { return f.V }

// Cells are those of the variables that other functions see, by slot.
func (f *frame) Cells() []*value.Cell { return f.cells }

// Free are the cells of variables of the functions around it.
func (f *frame) Free() []*value.Cell { return f.free }

// Binding is what a name means.
func (f *frame) Binding(n *ast.Name) resolve.Binding { return f.unit.info.Names[n.Index] }
