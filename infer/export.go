package infer

// This file makes the programs of torch.export in a script and runs them beside the model;
// trace/export has what a run of the body notes.
//
// It also lets package trace/export hear a run, and run an entry: it is the interpreter for that package.
//
// At last it makes an entry whose sizes have symbols, and asks trace/export which of them share a
// trace. torch.export.export of a script calls export_trace, and the program's module export_run.
// Export runs the body twice, in strict and in other mode, since both are asked for in reports;
// only the mode of the call has effects that stay.

import (
	"errors"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/trace/export"
	"shapecheck/trace/retrace"
)

// An exported is a program that was made. run has the conditions of the program, body its
// decisions, by which it is run again.
type exported struct {
	*export.Program
	call  *retrace.Call
	state []value.Change // what the program's objects held before
	body  *TracedCall
	run   *export.Run // nil: what the program relies on is not known
}

// exportTraced implements export_trace(module, arguments, keywords, names and specs, strict, texts, name, why dynamic_shapes does not fit
// or None, whether it has an axis that a tensor has not): it gives the number of the program. The
// error is the exception of torch.export, or one that ends the run.
func (tc *tracing) exportTraced(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 9 {
		return nil, tc.in.Raise("TypeError", "export_trace takes 9 arguments")
	}
	rs := tc.retraces
	given, ok := value.AsSequence(args[1])
	kwargs, dict := args[2].(*value.Dict)
	specs, also := value.AsSequence(args[3])
	if !ok || !dict || !also {
		return nil, tc.in.Raise("TypeError", "export_trace takes a tuple, a dict and a list")
	}
	// The call is noted for reports.
	c := tc.jitCall(value.Str("export"), args[6], args[5])
	c.Framework = "export"
	x := &exported{call: c, state: tc.programState(args[0])}
	x.Program = export.NewProgram(exportHost{tc.in}, args[0], given, kwargs, specs, false)
	// Declarations may be refused before anything runs.
	refused := x.Refused
	if text, ok := value.AsStr(args[7]); ok {
		refused = &export.Error{Type: export.UserError, Kind: export.OtherError, Message: text, At: tc.in.Here()}
	}
	strict := args[4] == value.Bool(true)
	c.Exports = make([]*export.Outcome, 2)
	if refused != nil {
		for i := range c.Exports {
			c.Exports[i] = &export.Outcome{Strict: strict != (i == 1), Error: refused}
		}
		return nil, tc.exportRefused(c, refused)
	}
	// The state of the module, to be put back.
	own := tc.ownState(x.Target)
	// i is 0 for the mode of the call.
	for i := range c.Exports {
		mode := strict != (i == 1)
		if args[8] == value.Bool(true) && !mode { // strict mode does not look at it
			c.Exports[i] = &export.Outcome{Error: &export.Error{Type: "IndexError", Kind: export.OtherError,
				Message: "list assignment index out of range: dynamic_shapes has an axis that the tensor has not", At: tc.in.Here()}}
			continue
		}
		r := export.NewRun(exportHost{tc.in}, x.Program, export.Plain)
		if mode {
			r = export.NewRun(exportHost{tc.in}, x.Program, export.Strict)
		}
		var body *TracedCall
		var err error
		// run notes what effects the body has.
		run := func() {
			effects := tc.effectsOf(func() { body, err = tc.exportBody(x.Program, r) })
			if i == 0 {
				c.Effects = effects
			}
			c.Exports[i] = x.Outcome(r, body.Error)
		}
		// Without strict mode writes to other objects stay.
		if i == 0 && !mode { // the module's attributes are as before, what else the body wrote is not
			facts := tc.in.path.facts
			run()
			tc.in.path.facts = facts
			for _, s := range own {
				if _, ok := s.Obj.(*value.Attrs); ok {
					tc.in.heap.Replace(s.Obj, s.Contents)
				}
			}
		} else {
			tc.takeBack(nil, run)
		}
		if err != nil {
			return nil, err
		}
		if i == 0 {
			x.body, x.run = body, r
		}
	}
	// An outcome that is not known.
	out := c.Exports[0]
	if out == nil {
		x.run = nil
		rs.exported = append(rs.exported, x)
		return value.Int(len(rs.exported) - 1), nil
	}
	if e := out.Error; e != nil {
		if e.Raised != nil {
			return nil, tc.jitEnds(c, e.Raised)
		}
		return nil, tc.exportRefused(c, e)
	}
	rs.exported = append(rs.exported, x)
	return value.Int(len(rs.exported) - 1), nil
}

// exportRefused is the exception of torch.export. Its diagnostic is noted as reported.
func (tc *tracing) exportRefused(c *retrace.Call, e *export.Error) error {
	e.Reported = e.Finding(tc.in.Here())
	return tc.jitEnds(c, tc.in.Fail(e.Type, e.Reported))
}

// ownState is what the objects hold that a value leads to. It walks attributes and elements.
func (tc *tracing) ownState(v value.Value) []value.Change {
	s := &stateWalk{in: tc.in, seen: map[any]bool{}}
	s.all(v)
	return s.list
}

// exportRuns implements export_run(number, arguments, keywords, texts): it runs a program beside
// the model and gives what the program does. The errors are those of PyTorch: another structure, a
// guard, an assertion.
func (tc *tracing) exportRuns(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	n := -1
	if len(args) == 4 {
		k, _ := value.AsInt(args[0])
		n = int(k)
	}
	if n < 0 || n >= len(tc.exported) {
		return nil, tc.in.Raise("TypeError", "export_run takes the number of a program and arguments")
	}
	x := tc.exported[n]
	given, _ := value.AsSequence(args[1])
	kwargs, _ := args[2].(*value.Dict)
	if kwargs == nil {
		return nil, tc.in.Raise("TypeError", "export_run takes a dict of keywords")
	}
	c := tc.jitCall(value.Str("run"), value.Str(x.call.Function), args[3])
	c.Framework = "export"
	kw := keywordsOf(kwargs)
	refused := func(class, text string) (value.Value, error) {
		e := tc.in.Raise(class, "%s", text)
		_ = errors.As(e, &c.Error)
		return nil, tc.jitEnds(c, e)
	}
	// The arguments are held against those of the export.
	b := x.Bind(given, kw, x.run)
	switch {
	case b.OtherStructure:
		return refused("ValueError", "the arguments have another structure than those of the export")
	case b.Guard != "":
		return refused("AssertionError", "Guard failed: "+b.Guard)
	}
	var replay *TracedCall
	// The program is run as it was traced.
	if x.run != nil && !b.Unsure {
		keptKw := slices.Clone(x.Kw)
		for i := range keptKw {
			keptKw[i].Value = b.Args[len(given)+i]
		}
		var err error
		if replay, err = tc.exportReplay(x, b.Args[:len(given)], keptKw); err != nil {
			return nil, err
		}
		if e := replay.Error; e != nil {
			if e.Value.Class.Name == "AssertionError" { // of tensors: that of sizes is a guard
				return refused("RuntimeError", "assertion error")
			}
			c.Error = e
			return nil, tc.jitEnds(c, e)
		}
		if replay.Output != nil {
			c.Result = replay.Output.String()
		}
	}
	// The model is run beside it, to compare the results.
	again := sideRun{target: x.Target, args: given, kw: kw}
	if replay == nil {
		again.findings = findingsIfFails
	}
	eager, err := tc.runBeside(again)
	if err != nil {
		return nil, err
	}
	if replay == nil {
		return tc.in.Unknown("what an exported program gives"), nil
	}
	if eager.Error == nil {
		if same, known := tc.sameOutcome(replay, eager); known {
			c.Equal = &same
		}
	}
	return replay.Output, nil
}

// exportReplay runs the body as it ran when it was exported, with the tensors of the module as
// they are now. What it writes to tensors stays. Decisions are those of the export. What it writes
// to other objects is taken back.
func (tc *tracing) exportReplay(x *exported, args []value.Value, kw []value.Kw) (c *TracedCall, err error) {
	// Tensors whose contents it may change.
	var tensors []value.Mutable
	for _, v := range args {
		if t, ok := v.(*value.Tensor); ok {
			tensors = append(tensors, t)
		}
	}
	var state []value.Change
	for _, s := range x.state {
		switch s.Obj.(type) {
		case *value.Tensor, *value.Storage:
			tensors = append(tensors, s.Obj)
		default:
			state = append(state, s)
		}
	}
	var written []value.Change
	tc.takeBack(state, func() {
		c, err = tc.runBeside(sideRun{target: x.Target, args: args, kw: kw, kept: x.body.Decisions, exporting: "again"})
		for _, t := range tensors {
			written = append(written, value.Change{Obj: t, Contents: value.ContentsOf(t)})
		}
	})
	for _, w := range written {
		tc.in.heap.Replace(w.Obj, w.Contents)
	}
	return c, err
}

// exportNatives defines what the prelude of torch.export uses. def defines a function of
// _shapecheck.
func (tc *tracing) exportNatives(def func(string, value.NativeFunc)) {
	def("export_trace", tc.exportTraced)
	def("export_run", tc.exportRuns)
}

// keywordsOf are the keyword arguments that a dict holds. Keys that are no texts have empty names.
func keywordsOf(d *value.Dict) []value.Kw {
	var kw []value.Kw
	for i := range d.Len() {
		key, _ := value.AsStr(d.Key(i))
		kw = append(kw, value.Kw{Name: key, Value: d.At(i)})
	}
	return kw
}

// An exportTracer hears a run for torch.export, which has most of the events itself. quiet has the
// events that it does not hear.
type exportTracer struct {
	*export.Run
	quiet
}

// Format fixes what the program writes into a text. Texts of the library do not count.
func (t exportTracer) Format(f *Frame, v value.Value) value.Value {
	if f.prelude {
		return v
	}
	return t.Run.Format(v)
}

// Undecided notes a place that sizes do not decide. An assertion is told apart.
func (t exportTracer) Undecided(kind DecisionKind, v value.Value) {
	t.Run.Undecided(kind == DecisionAssert, v)
}

// isExporting reports whether what runs is heard for torch.export. The tracer in force says so.
func (tc *tracing) isExporting() bool {
	if tc.in.decisions == nil {
		return false
	}
	_, ok := tc.in.decisions.with.(exportTracer)
	return ok
}

// exportBody runs the body of a program as torch.export does. The options of the run are those of
// its mode.
func (tc *tracing) exportBody(p *export.Program, r *export.Run) (*TracedCall, error) {
	return tc.runBeside(sideRun{target: p.Target, args: p.Args, kw: p.Kw, tracer: exportTracer{Run: r}, exporting: r.Option()})
}

// An exportHost is the interpreter for trace/export. Its methods are those of export.Host; each
// asks the part that knows.
type exportHost struct{ *Interp }

func (h exportHost) OwnCode() bool {
	f := h.stack.frame
	return f != nil && !f.prelude
}

func (h exportHost) IsBuiltin(c *value.Class) bool { return h.world.Class(c.Name) == c }

func (h exportHost) Catching() bool { return h.flow.catching() }

func (h exportHost) Example(symbol string) (int64, bool) {
	n, ok := h.examples[symbol]
	return n, ok
}

func (h exportHost) SetExample(symbol string, n int64) { h.examples[symbol] = n }

func (h exportHost) ExampleDim(d symshape.Dim) symshape.Dim { return h.args.exampleDim(d) }

func (h exportHost) Assume(c *symshape.Cond) {
	if f, ok := h.path.facts.Assume(c); ok {
		h.path.facts = f
	}
}

func (h exportHost) IsRandom(s *symshape.Expr) bool { return h.rec.random[s] }

func (h exportHost) IsNumber(s *symshape.Expr) bool { return h.decisions.numbers[s] }

func (h exportHost) Guessed(c *symshape.Cond) bool { return h.flow.guessed(c) }

func (h exportHost) Known(v value.Value) bool { return Known(v) }

func (h exportHost) InProgram(at source.Span) source.Span { return h.tracing.inProgram(at) }

func (h exportHost) OwnPlace(e *value.Exception) source.Span { return h.tracing.ownPlace(e) }

// inProgram is a place where it is in the file that runs or under an entry, else invalid. Places in
// libraries are left out.
func (tc *tracing) inProgram(at source.Span) source.Span {
	top := tc.topStatement()
	if at.IsValid() && tc.in.cfg.Trace != nil { // of an entry
		return at
	}
	if !at.IsValid() || !top.IsValid() || tc.in.files.Position(at.Start).File != tc.in.files.Position(top.Start).File || at == top {
		return source.Span{}
	}
	return at
}

// An entryEngine is the interpreter for an entry that trace/export runs several times. It adds what
// needs the module.
type entryEngine struct {
	exportHost
	module *value.Module
}

var _ export.Engine = entryEngine{}

// Beside runs a program and takes back what that does. The error is one that ends the run. Findings
// of the run do not count.
func (e entryEngine) Beside(p *export.Program, r *export.Run) (raised *value.Exception, err error) {
	var c *TracedCall
	e.tracing.takeBack(nil, func() { c, err = e.tracing.exportBody(p, r) })
	return c.Error, err
}

// Eval evaluates an expression in the module of the entry. The error is that of the expression.
func (e entryEngine) Eval(what, text string, vars map[string]value.Value) (value.Value, error) {
	return e.evalText(e.module, what, text, vars)
}

// Try evaluates an expression and takes back what that does. The error is one that ends the run.
// raised is the exception of the expression.
func (e entryEngine) Try(what, text string, vars map[string]value.Value) (raised *value.Exception, err error) {
	found := e.sink.Len()
	e.tracing.takeBack(nil, func() {
		e.tracing.catchAll(func() { _, err = e.evalText(e.module, what, text, vars) })
	})
	e.sink.Truncate(found)
	if errors.As(err, &raised) {
		return raised, nil
	}
	return nil, err
}

// runShared makes the entry and finds the sizes that share a trace. The entry is called once with
// symbols, then as often as is needed to find classes of sizes.
func (ru *tracedRuns) runShared(m *value.Module) error {
	target, err := ru.in.entry.makeEntry(m)
	if target == nil || err != nil {
		return err
	}
	e, err := ru.symbolicEntry(m, target)
	if err != nil {
		return err
	}
	// Gradients are off while tracing.
	ru.called = true
	ru.in.options["grad"] = "off"
	ru.in.rec.calls, ru.in.rec.ops = nil, nil
	ru.build = ru.build.Next()
	bindInputs(ru.in, e.Args, e.Kw)
	// The contract before the call.
	e.Contract = ru.in.path.facts
	mark, found := ru.heap.Mark(), ru.sink.Len()
	watch := ru.in.tracing.watchState(mark)
	out, err := ru.in.entry.callEntry(m, target, e.Args, e.Kw)
	watch.done()
	if err != nil {
		return err
	}
	ru.output = Snapshot(out)
	// Records of the runs below are dropped.
	ran := ru.in.rec.mark()
	defer func() { ru.in.rec.rollback(ran) }() // the runs below are not the program's
	changed := ru.heap.Before(mark)
	ru.heap.Rollback(mark)
	ru.heap.Close(mark)
	e.Valid, ru.in.path.facts = ru.in.path.facts, e.Contract
	s := &export.Sharing{For: ru.cfg.Trace.For, Inputs: e.Types()}
	ru.shared = s
	find := func() error { return s.Find(entryEngine{exportHost{ru.in}, m}, e) }
	// The cases say why there is nothing to find.
	switch {
	case !e.Sized():
		s.Why = "an argument has sizes or a number of axes that are not known"
	case s.ByShape():
		ru.sink.Truncate(found) // it ran with tensors of torch
		return find()
	case hasErrors(ru.sink.All()):
		s.Why = "a check of the entry finds errors"
	default:
		// A model that changes what the trace keeps is found here.
		if s.For != export.ForCompile { // its graphs are guarded
			if err := ru.keptState(e, changed, watch); err != nil {
				return err
			}
		}
		return find()
	}
	return nil
}

// symbolicEntry is the entry with the arguments of --arg, or those of --inputs with a symbol for each size from 2 on. The error is
// that of an argument. Example sizes are removed, as they would decide conditions. The error is a
// UsageError.
func (ru *tracedRuns) symbolicEntry(m *value.Module, target value.Value) (*export.Entry, error) {
	var args []value.Value
	var kw []value.Kw
	if ru.cfg.Trace.Inputs == "" {
		var err error
		if args, kw, err = ru.in.args.entryArgs(m, target); err != nil {
			return nil, err
		}
	} else {
		list, err := ru.traceTuple(m, "--inputs", ru.cfg.Trace.Inputs)
		if err != nil {
			return nil, err
		}
		n := symbols{visit: value.Visit{Repeats: value.SomeRepeats}}
		for _, v := range list {
			args = append(args, ru.withSymbols(v, 2, &n))
		}
	}
	plain := func(d symshape.Dim) symshape.Dim { // without examples, which would decide in the run for all sizes
		if d.Expr != nil {
			d = symshape.MakeDim(d.Expr)
		}
		return d
	}
	for i, v := range args {
		args[i] = export.Resized(ru.in, v, plain)
	}
	for i, k := range kw {
		kw[i].Value = export.Resized(ru.in, k.Value, plain)
	}
	e := ru.newEntry(m, target, args, kw)
	for name := range e.Given {
		delete(ru.in.examples, name)
	}
	return e, nil
}

// newEntry is what is asked about sizes of a call whose arguments are there. Params are the names
// by which a text can name the arguments.
func (ru *tracedRuns) newEntry(m *value.Module, target value.Value, args []value.Value, kw []value.Kw) *export.Entry {
	e := export.NewEntry(ru.in, m, target, args, kw, ru.in.path.facts)
	e.Name = ru.entryName
	if fn, skip := signatureOfTarget(ru.in, target); fn != nil {
		e.Params = []string{}
		for i, p := range append(fn.Params.PosOnly[:len(fn.Params.PosOnly):len(fn.Params.PosOnly)], fn.Params.Args...) {
			if i >= skip {
				e.Params = append(e.Params, p.Name)
			}
		}
	}
	for _, sym := range e.Symbols {
		if n, ok := ru.in.examples[sym.String()]; ok {
			e.Given[sym.String()] = n
		}
	}
	return e
}
