package infer

// This file makes the calls of compiled functions for the prelude of torch.

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
	"shapecheck/trace/export"
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
		in.mayCall("compile", "", name, in.argumentsTexts(given, kw))
		r.inside++
		v, err := in.Call(target, given, kw)
		r.inside--
		return v, err
	case !in.jitRecords():
		return in.Call(target, given, kw)
	}
	if r.codes == nil {
		r.codes = map[dynamoKey]*dynamoCode{}
	}
	c := in.jitCall(value.Str(""), compiled[3], nil)
	c.Framework, c.Args = "compile", in.argumentsTexts(given, kw)
	if r.backend != compiled[4] {
		r.backend, r.backendText = compiled[4], compiled[4].String()
	}
	opts := dynamoOptions{fullgraph: compiled[1] == value.Bool(true), dynamic: compiled[2], backend: r.backendText}
	if cell, ok := value.AsSequence(cells[4]); ok && len(cell) == 1 {
		opts.stance, _ = value.AsStr(cell[0])
	}
	global := in.globalState(cells)
	outer := r.inside
	r.inside++
	if in.servesAhead(target, given, kw, &opts, global) {
		r.served = true
		var v value.Value
		var err error
		in.catchAll(func() { v, err = in.Call(target, given, kw) })
		r.served, r.inside = false, outer
		return in.compiledEnds(c, v, err, func() error {
			c.Compiled, c.Traces = &CompiledCall{}, new(int)
			return nil
		})
	}
	d := &dynamoRun{in: in, opts: opts, out: &CompiledCall{}, target: target, args: given, kw: kw, before: in.build.Last(), global: global}
	if opts.stance != forceEager {
		in.setDynamo(d)
	}
	if d.root = libraryModule(target); d.root != nil {
		d.node = d.root
		if module, ok := target.(*value.Instance); ok {
			d.modules(d.root, module, "self")
		}
		if partial, ok := target.(*value.Instance); ok {
			d.partsOf(d.root, "fn", partial)
		}
		for i, a := range given {
			d.note(d.root, "args["+strconv.Itoa(i)+"]", a, false)
		}
		d.read(d.root, &dynamoRead{source: "keys of kwargs", kind: "keys", length: len(kw)})
		for _, k := range kw {
			d.note(d.root, "kwargs['"+k.Name+"']", k.Value, false)
		}
	}
	var v value.Value
	var err error
	run := &TracedCall{}
	mark := in.heap.Mark()
	in.catchAll(func() {
		in.record(run, nil, false, func() { v, err = in.Call(target, given, kw) })
	})
	d.state, d.ways = in.heap.Before(mark), run.Decisions
	in.heap.Drop(mark)
	r.inside = outer
	in.setDynamo(nil)
	return in.compiledEnds(c, v, err, func() error {
		c.Compiled = d.out
		return d.settle(c)
	})
}

// compiledEnds records how a call under torch.compile ended; settle finds what it compiled, and its error is that of torch.compile.
func (in *Interp) compiledEnds(c *RetraceCall, v value.Value, err error, settle func() error) (value.Value, error) {
	var e *value.Exception
	if errors.As(err, &e) {
		c.Error, c.ErrorAt = e, in.ownPlace(e)
	} else if err != nil {
		return nil, err
	}
	if err := settle(); err != nil {
		c.Result = ""
		return nil, in.jitEnds(c, err)
	}
	if e != nil {
		return nil, in.jitEnds(c, e)
	}
	c.Result = v.String()
	in.retraces.doubt(c)
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

// settle finds what the call compiled. Its error is that of torch.compile.
func (d *dynamoRun) settle(c *RetraceCall) error {
	in, n := d.in, d.root
	if d.opts.stance == forceEager {
		c.Traces = &d.made
		return nil
	}
	if n == nil {
		return nil // a function of torch: not known
	}
	key := dynamoKey{n.key(), 0}
	if code := in.retraces.codes[key]; d.missed || d.opts.unsure() || code != nil && code.lost { // nor of later calls
		in.retraces.codes[key] = &dynamoCode{name: n.name, lost: true}
		c.Compiled = nil
		return nil
	}
	c.Compiled.Unsure = d.unsure
	if c.Error != nil && c.ErrorAt.IsValid() {
		switch {
		case d.ofOperation(c.Error):
			n.failed = true
		case len(n.events) == 0 || !n.events[len(n.events)-1].broke:
			n.raises(c.ErrorAt)
		}
	}
	if at, ok := n.firstBreak(); ok && d.opts.fullgraph {
		if in.retraces.codes[key] == nil {
			in.retraces.codes[key] = &dynamoCode{name: n.name, seen: map[string]*dynamoSeen{}}
		}
		d.made++
		c.Traces = &d.made
		class := export.UnsupportedError
		if d.refused != "" {
			class = d.refused
		}
		e := in.Raise(class, "torch.compile(fullgraph=True): the graph breaks here")
		var x *value.Exception
		if errors.As(e, &x) {
			c.Error, c.ErrorAt = x, in.inProgram(at)
		}
		return e
	}
	d.looksAtHanded()
	d.compiles(n, true)
	c.Traces = &d.made
	switch {
	case d.refused != "":
		return d.raises(c, d.refused, d.refusal(), d.refusedAt)
	case d.unmet != nil:
		return d.raises(c, "RuntimeError", *d.unmet, n.def)
	case d.ended && d.ofOperation(c.Error) && c.Error.Value.Class.Name == "RuntimeError": // while the graph is made
		var e *value.Exception
		if errors.As(in.Raise(torchRuntimeError, ""), &e) {
			e.At, e.Diag, e.Advise, e.Frames = c.Error.At, c.Error.Diag, c.Error.Advise, c.Error.Frames
			c.Error = e
			return e
		}
	}
	return nil
}

// torchRuntimeError is raised where an operation fails while a graph is made.
const torchRuntimeError = "torch._dynamo.exc.TorchRuntimeError"

// ofOperation reports whether an operation raised an exception of the sizes and types that it was given.
func (d *dynamoRun) ofOperation(e *value.Exception) bool {
	var of *value.Exception
	return e != nil && errors.As(d.ofOp, &of) && of == e && slices.Contains([]string{"RuntimeError", "IndexError"}, e.Value.Class.Name)
}

// refusal says why torch.compile ends the call.
func (d *dynamoRun) refusal() string {
	switch d.refused {
	case constraintError:
		return "torch.compile: a size that mark_dynamic marks is fixed here"
	case export.GuardError:
		return "torch.compile: elements of a tensor decide here"
	}
	if d.opts.stance == failOnRecompile {
		return "torch.compile: no graph serves, and torch.compiler.set_stance wants that to fail"
	}
	return "torch.compile: the limit of graphs of one function is reached"
}

// raises gives the exception that ends a call.
func (d *dynamoRun) raises(c *RetraceCall, class, text string, at source.Span) error {
	err := d.in.Raise(class, "%s", text)
	var e *value.Exception
	if errors.As(err, &e) {
		c.Error, c.ErrorAt = e, d.in.inProgram(at)
	}
	return err
}

// constraintError is raised where a size that is marked as dynamic is fixed.
const constraintError = "torch.fx.experimental.symbolic_shapes.ConstraintViolationError"

// libraryModule is the node of a module of torch itself that is compiled: its forward is no
// function of the program.
func libraryModule(target value.Value) *dynamoNode {
	i, ok := target.(*value.Instance)
	if !ok || !i.Class.Prelude {
		return nil
	}
	return &dynamoNode{name: "inner", code: "inner", paths: map[value.Value]string{i: "self"}, reads: map[string]*dynamoRead{}}
}

// dynamoSetting is an attribute of torch._dynamo.config; ok is false where it has none, or where nothing has
// imported it: nothing was set then.
func (in *Interp) dynamoSetting(name string) (v value.Value, ok bool) {
	m, ok := in.modules["torch._dynamo"]
	if !ok {
		return nil, false
	}
	config, err := in.GetAttr(m, "config")
	if err != nil {
		return nil, false
	}
	v, ok, err = in.LookupAttr(config, name)
	return v, ok && err == nil
}

// A dynamoSwitch is a switch of torch._dynamo.config as it was when a call first asked for it.
type dynamoSwitch struct{ asked, on bool }

func (d *dynamoRun) is(s *dynamoSwitch, name string) bool {
	if !s.asked {
		s.asked, s.on = true, d.in.dynamoConfig(name)
	}
	return s.on
}

// dynamoConfig is a switch of torch._dynamo.config.
func (in *Interp) dynamoConfig(name string) bool {
	v, ok := in.dynamoSetting(name)
	return ok && v == value.Bool(true)
}

// dynamoSymbols runs the body with symbols for what varies, to see what the graph relies on.
func (in *Interp) dynamoSymbols(d *dynamoRun, e *dynamoEntry, p *dynamoPart, varies map[dynamoSize]int64) {
	w := &dynamoArguments{in: in, visit: value.Visit{Repeats: value.SomeRepeats}, varies: varies, symbols: e.symbols}
	x := &export.Program{Target: d.target}
	for i, v := range d.args {
		x.Args = append(x.Args, w.value(d.positional(i), v))
	}
	for _, k := range d.kw {
		x.Kw = append(x.Kw, value.Kw{Name: k.Name, Value: w.value(d.keyword(k.Name), k.Value)})
	}
	for k := range varies {
		if e.symbols[k] == "" {
			e.symbols[k], e.ways = openNumber, p.ways
		}
	}
	r := export.NewRun(exportHost{in}, x, export.Guards)
	var err error
	in.takeBack(d.state, func() { _, err = in.exportBody(x, r) })
	if err != nil {
		return
	}
	first := source.Pos(0)
	if len(p.ends) > 0 {
		first = p.ends[0].Start
	}
	var known symshape.Facts
	fixes := map[*symshape.Expr]source.Span{}
	for _, c := range r.Conds {
		if first != 0 && c.At.Start >= first {
			break
		}
		before := known
		for _, part := range c.Cond.Conjuncts() {
			if f, ok := known.Assume(part); ok {
				known = f
			}
		}
		for _, s := range c.Cond.Symbols() {
			_, was := before.Only(s)
			if _, is := known.Only(s); is && !was {
				fixes[s] = c.At
			}
		}
		e.conds = append(e.conds, c.Cond)
	}
	for k, name := range e.symbols { // a size that can be one number only is no symbol
		if s := in.pool.Lookup(name); s != nil {
			if _, only := known.Only(s); only {
				delete(e.symbols, k)
				switch r := p.of[k.source]; {
				case r == nil:
				case k.axis < 0:
					r.typed = true
				case r.dynamic[int64(k.axis)]:
					d.refused, d.refusedAt = constraintError, fixes[s]
				}
			}
		}
	}
	e.conds = append(e.conds, r.Apart...)
}

// positional is the source of an argument of the call without a name.
func (d *dynamoRun) positional(i int) string {
	if d.root.frame == nil { // a module of torch
		return "args[" + strconv.Itoa(i) + "]"
	}
	p := d.root.frame.fn.Params
	switch d.target.(type) {
	case *value.Instance, *value.BoundMethod:
		i++ // self
	}
	names := slices.Concat(p.PosOnly, p.Args)
	switch {
	case i < len(names):
		return names[i].Name
	case p.VarArg != nil:
		return p.VarArg.Name + "[" + strconv.Itoa(i-len(names)) + "]"
	}
	return ""
}

// keyword is the source of an argument with a name.
func (d *dynamoRun) keyword(name string) string {
	if d.root.frame == nil {
		return "kwargs['" + name + "']"
	}
	p := d.root.frame.fn.Params
	named := func(q *ast.Param) bool { return q.Name == name }
	if p.KwArg == nil || slices.ContainsFunc(p.Args, named) || slices.ContainsFunc(p.KwOnly, named) {
		return name
	}
	return p.KwArg.Name + "['" + name + "']"
}

// dynamoArguments makes arguments with symbols.
type dynamoArguments struct {
	in      *Interp
	varies  map[dynamoSize]int64
	symbols map[dynamoSize]string
	visit   value.Visit
}

// value is an argument with symbols for what varies of it.
func (w *dynamoArguments) value(src string, v value.Value) value.Value {
	if !w.visit.Enter(v) {
		return v
	}
	defer w.visit.Leave()
	in := w.in
	symbol := func(k dynamoSize, n, lo int64) *symshape.Expr {
		s := export.NewSymbol(exportHost{in}, "d0", lo, symshape.PosInf, n)
		w.symbols[k] = s.String()
		return s
	}
	switch v := v.(type) {
	case *value.Tensor:
		typ := *v.Type()
		if typ.Ranked {
			typ.Shape = append(symshape.Shape{}, typ.Shape...)
			for i := range typ.Shape {
				k := dynamoSize{src, i}
				if n, ok := w.varies[k]; ok {
					typ.Shape[i] = in.args.exampleDim(symshape.MakeDim(symbol(k, n, 2)))
				}
			}
		}
		t := &value.Tensor{Header: in.heap.Header(), Class: v.Class, V: in.build.NewValue(v.V.Kind, typ, in.Here())}
		k := dynamoSize{itemOf(src), -1}
		if n, ok := w.varies[k]; ok {
			t.SetContents([]value.Value{value.FromDim(in.args.exampleDim(symshape.MakeDim(symbol(k, n, symshape.NegInf))))})
		}
		return t
	case value.Int:
		k := dynamoSize{src, -1}
		if n, ok := w.varies[k]; ok {
			return value.FromDim(in.args.exampleDim(symshape.MakeDim(symbol(k, n, symshape.NegInf))))
		}
	case *value.Slice:
		return &value.Slice{Start: w.value(src+".start", v.Start), Stop: w.value(src+".stop", v.Stop), Step: w.value(src+".step", v.Step)}
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = w.value(src+"["+strconv.Itoa(i)+"]", e)
		}
		if v.Class != nil {
			return &value.Tuple{Class: v.Class, Elems: elems, Attrs: v.Attrs}
		}
		return in.tupleOf(elems)
	case *value.List:
		if v.Open == nil {
			elems := make([]value.Value, len(v.Elems))
			for i, e := range v.Elems {
				elems[i] = w.value(src+"["+strconv.Itoa(i)+"]", e)
			}
			return in.heap.NewList(elems)
		}
	case *value.Dict:
		if v.Class == nil && v.Plain() {
			dict := in.heap.NewDict()
			for i, k := range v.Keys() {
				if key, ok, err := in.world.HashKey(in, k); ok && err == nil {
					dict.Set(&in.heap, key, k, w.value(src+"["+keyText(k)+"]", v.At(i)))
				}
			}
			return dict
		}
	}
	return v
}

// dynamoNatives defines what the prelude of torch.compile uses.
func (in *Interp) dynamoNatives(def func(string, value.NativeFunc)) {
	def("compiled_call", in.compiledCall)
	def("forget_graphs", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		in.retraces.codes = map[dynamoKey]*dynamoCode{}
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
			d.breaks()
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
			d.computed(false, v, nil)
		}
		return v, err
	})
	// unless an option of the configuration is set
	def("graph_break", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		option := ""
		if len(args) == 1 {
			option, _ = value.AsStr(args[0])
		}
		if in.dynamo != nil && (option == "" || !in.dynamoConfig(option)) {
			in.dynamo.breaks()
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
