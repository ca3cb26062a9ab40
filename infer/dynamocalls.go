package infer

// This file makes the calls of compiled functions for the prelude of torch.

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/trace/dynamo"
	"shapecheck/trace/retrace"
)

// compiledCall implements compiled_call((function, fullgraph, dynamic, name, backend), arguments, keywords, state):
// it calls a function under torch.compile and records what that compiles, where calls are recorded.
func (in *Interp) compiledCall(th value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 4 {
		return nil, in.Raise("TypeError", "compiled_call takes 4 arguments")
	}
	compiled, _ := value.AsSequence(args[0])
	given, _ := value.AsSequence(args[1])
	kwargs, _ := args[2].(*value.Dict)
	cells, _ := value.AsSequence(args[3])
	if kwargs == nil || len(compiled) != 5 || len(cells) != 5 {
		return nil, in.Raise("TypeError", "compiled_call takes what is compiled, arguments and the modes")
	}
	target, kw := compiled[0], keywordsOf(kwargs)
	r := &in.retraces
	switch {
	case in.dynamo != nil || r.served: // called by a compiled function: part of it
		return in.Call(target, given, kw)
	case in.mayRun():
		name, _ := value.AsStr(compiled[3])
		in.mayCall("compile", "", name, retrace.ArgumentTexts(in, given, kw))
		r.Inside++
		v, err := in.Call(target, given, kw)
		r.Inside--
		return v, err
	case !in.jitRecords():
		return in.Call(target, given, kw)
	}
	if r.graphs == nil {
		r.graphs = dynamo.NewGraphs()
	}
	c := in.jitCall(value.Str(""), compiled[3], nil)
	c.Framework, c.Args = "compile", retrace.ArgumentTexts(in, given, kw)
	if r.backend != compiled[4] {
		r.backend, r.backendText = compiled[4], compiled[4].String()
	}
	opts := dynamo.Options{Fullgraph: compiled[1] == value.Bool(true), Dynamic: compiled[2], Backend: r.backendText}
	if cell, ok := value.AsSequence(cells[4]); ok && len(cell) == 1 {
		opts.Stance, _ = value.AsStr(cell[0])
	}
	host, global := dynamoHost{exportHost{in}}, in.globalState(cells)
	outer := r.Inside
	r.Inside++
	if r.graphs.ServesAhead(host, target, given, kw, &opts, global) {
		r.served = true
		var v value.Value
		var err error
		in.catchAll(func() { v, err = in.Call(target, given, kw) })
		r.served, r.Inside = false, outer
		return in.compiledEnds(c, v, err, func(e *value.Exception, at source.Span) dynamo.Result {
			return dynamo.Result{Compiled: &dynamo.Call{}, Traces: new(int), Error: e, ErrorAt: at}
		})
	}
	d := dynamo.NewRun(host, r.graphs, opts, target, given, kw, global)
	if !d.IsEager() {
		in.setDynamo(d)
	}
	var v value.Value
	var err error
	run := &TracedCall{}
	mark := in.heap.Mark()
	in.catchAll(func() {
		in.record(run, nil, false, func() { v, err = in.Call(target, given, kw) })
	})
	d.Ran(in.heap.Before(mark), branchesOf(run.Decisions))
	in.heap.Drop(mark)
	r.Inside = outer
	in.setDynamo(nil)
	return in.compiledEnds(c, v, err, d.Settle)
}

// compiledEnds records how a call under torch.compile ended; settle finds what it compiled of the exception that ended it, or nil. The
// error is that of the call.
func (in *Interp) compiledEnds(c *retrace.Call, v value.Value, err error,
	settle func(*value.Exception, source.Span) dynamo.Result) (value.Value, error) {
	var e *value.Exception
	var at source.Span
	if errors.As(err, &e) {
		at = in.ownPlace(e)
	} else if err != nil {
		return nil, err
	}
	r := settle(e, at)
	c.Compiled, c.Traces, c.Error, c.ErrorAt = r.Compiled, r.Traces, r.Error, r.ErrorAt
	switch {
	case r.Err != nil:
		return nil, in.jitEnds(c, r.Err)
	case e != nil:
		return nil, in.jitEnds(c, e)
	}
	c.Result = v.String()
	in.retraces.Doubt(c)
	return v, nil
}

// globalState is what decides over a graph besides its arguments: the gradient mode, the default dtype, autocast, how
// operations compute. The cells hold the mode, the modes that are entered, the dtypes of autocast, and the numerics. The inference
// mode shows in the dispatch keys of tensors alone.
func (in *Interp) globalState(cells []value.Value) string {
	last := &in.retraces.global
	now := append(last.now[:0], value.Str(in.Option("default-dtype")))
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
		parts[i], _ = in.Repr(v)
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
func (in *Interp) dynamoNatives(def func(string, value.NativeFunc)) {
	def("compiled_call", in.compiledCall)
	def("forget_graphs", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		if in.retraces.graphs != nil {
			in.retraces.graphs.Forget()
		}
		return value.None, nil
	})
	def("compiles", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		return value.Bool(in.dynamo != nil || in.retraces.served), nil
	})
	def("mark_axes", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 3 {
			return nil, in.Raise("TypeError", "mark_axes takes a tensor, a name and a list")
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
					axes = in.heap.NewList(append(slices.Clone(more.Elems), axes.Elems...))
				}
			}
		}
		return value.None, in.SetAttr(x, name, axes)
	})
	def("uncompiled", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) == 0 {
			return nil, in.Raise("TypeError", "uncompiled takes a function")
		}
		d := in.dynamo
		if d != nil {
			d.Breaks()
		}
		in.setDynamo(nil)
		v, err := th.Call(args[0], args[1:], kw)
		in.setDynamo(d)
		return v, err
	})
	// an operation of a graph, whatever its function does
	def("opaque", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) == 0 {
			return nil, in.Raise("TypeError", "opaque takes a function")
		}
		d := in.dynamo
		in.setDynamo(nil)
		v, err := th.Call(args[0], args[1:], kw)
		if in.setDynamo(d); d != nil && err == nil {
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
		if in.dynamo != nil && (option == "" || !dynamo.IsSet(dynamoHost{exportHost{in}}, option)) {
			in.dynamo.Breaks()
		}
		return value.None, nil
	})
}

// compiledForward is what Module.compile made of a module, where a call of it is recorded; nil: it made nothing of it.
func (in *Interp) compiledForward(module *value.Instance) value.Value {
	if in.dynamo != nil || !in.cfg.Retraces || !in.jitRecords() && !in.mayRun() {
		return nil
	}
	compiled, _ := module.Attrs.Get("_compiled_call_impl")
	return compiled
}
