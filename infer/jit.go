package infer

// This file makes the traces of torch.jit.trace and torch.onnx.export(dynamo=False) in a script
// and runs them beside the model. The tracer that hears such a run is that of trace/jit, which has what a trace keeps.

import (
	"errors"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/trace/jit"
	"shapecheck/trace/retrace"
)

// A jitTrace is a function that was traced.
type jitTrace struct {
	call   *retrace.Call
	target value.Value
	// state is what the program's objects held before.
	state []value.Change
	first *TracedCall // the run that was traced
	// base is a later run of the model with the same inputs, with which runs with others are
	// compared: what differs there is not the inputs' doing alone.
	base          *TracedCall
	refused       source.Span // where tracing raises, since the tensor for a size is none of what Python takes; invalid: it does not
	refusal       string
	taken, inputs *jit.Tracer // of the first run, and of that with symbols; nil: that one failed
	runs          []*jitRun
}

// A jitRun is a run of a trace beside the model.
type jitRun struct {
	call        *retrace.Call
	kept, eager *TracedCall
}

// jitTraced implements jit_trace(kind, function, arguments, name, texts, error): it traces the
// function and gives the number of the trace. error is raised where the tracer's check finds that a
// second call makes another graph; None: there is no check.
func (tc *tracing) jitTraced(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 6 {
		return nil, tc.in.Raise("TypeError", "jit_trace takes 6 arguments")
	}
	r := tc.retraces
	given, ok := value.AsSequence(args[2])
	if !ok {
		return nil, tc.in.Raise("TypeError", "jit_trace takes a tuple of arguments")
	}
	c := tc.jitCall(args[0], args[3], args[4])
	t := &jitTrace{call: c, target: args[1], state: tc.programState(args[1])}
	t.taken = jit.New(jitHost{tc.in})
	var err error
	c.Effects = tc.effectsOf(func() {
		t.first, err = tc.runBeside(sideRun{target: t.target, args: given, tracer: jitTracer{Tracer: t.taken}, findings: keepFindings})
	})
	if err != nil {
		return nil, err
	}
	if e := t.first.Error; e != nil {
		c.Error, c.ErrorAt = e, tc.ownPlace(e)
		r.Ended = !tc.in.caught(e)
		return nil, e
	}
	differs := false
	calls := 1
	if args[5] != value.None {
		calls = 3 // traced again, and run
	}
	for i := range calls {
		again := sideRun{target: t.target, args: given}
		if t.base == nil {
			again.findings = findingsIfFails
		}
		b, err := tc.runBeside(again)
		if err != nil {
			return nil, err
		}
		t.base = b
		if i == 0 && calls > 1 {
			differs = tc.otherGraph(t.first, b, t.taken.Drew)
		}
	}
	if err := tc.jitLooks(t, given); err != nil {
		return nil, err
	}
	for range maxAnswers {
		if !t.taken.Asked {
			break
		}
		if err := tc.jitTracesAgain(t, given); err != nil {
			return nil, err
		}
	}
	if t.taken.Asked {
		t.inputs = nil
	}
	if at := t.refused; at.IsValid() {
		e := tc.in.Raise("TypeError", "%s", t.refusal)
		if x := (*value.Exception)(nil); errors.As(e, &x) {
			x.At, c.Error, c.ErrorAt = at, x, at
		}
		c.Looked, c.SilentWrong = true, new(bool)
		return nil, tc.jitEnds(c, e)
	}
	r.jit = append(r.jit, t)
	if t.base.Error == nil && t.base.Output == value.None {
		e := tc.in.Raise("RuntimeError", "The traced function didn't return any values: a trace keeps no effects, so it would do nothing")
		_ = errors.As(e, &c.Error)
		return nil, tc.jitEnds(c, e)
	}
	if differs {
		e, ok := args[5].(*value.Class)
		if !ok {
			return nil, tc.in.Raise("TypeError", "jit_trace takes a class of exceptions")
		}
		v, err := tc.in.Call(e, []value.Value{value.Str("the trace of a second call has another graph: the function changes what it uses")}, nil)
		if err != nil {
			return nil, err
		}
		if inst, ok := v.(*value.Instance); ok {
			c.Error = &value.Exception{Value: inst, At: tc.in.Here(), Frames: tc.in.userFrames()}
			return nil, tc.jitEnds(c, c.Error)
		}
	}
	return value.Int(len(r.jit) - 1), nil
}

// jitCall notes a call from the top level.
func (tc *tracing) jitCall(kind, name, texts value.Value) *retrace.Call {
	r := tc.retraces
	c := retrace.NewCall("jit", tc.topStatement())
	c.Kind, _ = value.AsStr(kind)
	c.Function, _ = value.AsStr(name)
	c.Args = retrace.WrittenTexts(texts)
	r.Add(c)
	return c
}

// asTraced runs the body in the state in which it was traced, and takes back what it does.
func (tc *tracing) asTraced(t *jitTrace, args []value.Value, tr *jit.Tracer) (c *TracedCall, err error) {
	tc.takeBack(t.state, func() {
		c, err = tc.runBeside(sideRun{target: t.target, args: args, tracer: jitTracer{Tracer: tr}, kept: t.first.Decisions})
	})
	return c, err
}

// jitLooks runs the body with symbols for all sizes of the inputs, to see what depends on them.
func (tc *tracing) jitLooks(t *jitTrace, given []value.Value) error {
	if !sameWays(t.first.Decisions, t.first.Decisions) {
		return nil // some way is not known
	}
	n := symbols{visit: value.Visit{Repeats: value.SomeRepeats}}
	args := make([]value.Value, len(given))
	for i, v := range given {
		args[i] = tc.in.tracedRuns.withSymbols(v, 0, &n)
	}
	var example value.Value
	if i := slices.IndexFunc(args, catalog.IsTorch); i >= 0 {
		example = args[i]
	}
	tr := t.taken.Symbolic(example)
	c, err := tc.asTraced(t, args, tr)
	t.taken.Asked = tr.Asked
	if t.refused, t.refusal = tr.Refused, tr.Refusal; err == nil && c.Error == nil && !tr.Missed {
		t.inputs = tr
	}
	return err
}

// maxAnswers bounds how often a function is traced with other answers of isinstance for sizes.
const maxAnswers = 4

// jitTracesAgain runs the body as it ran when it was traced, but with the answers of isinstance that a run with symbols found.
func (tc *tracing) jitTracesAgain(t *jitTrace, given []value.Value) error {
	taken := t.taken.Again()
	t.first = &TracedCall{}
	c, err := tc.asTraced(t, given, taken)
	if err != nil {
		return err
	}
	t.first, t.taken, t.inputs = c, taken, nil
	if c.Error != nil {
		return nil // what tracing raises then is not known
	}
	return tc.jitLooks(t, given)
}

// jitRuns implements jit_run(number, arguments, texts): it runs a trace beside the model, and gives
// what the trace does.
func (tc *tracing) jitRuns(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	n := -1
	if len(args) == 4 {
		k, _ := value.AsInt(args[0])
		n = int(k)
	}
	if n < 0 || n >= len(tc.jit) {
		return nil, tc.in.Raise("TypeError", "jit_run takes the number of a trace and arguments")
	}
	t := tc.jit[n]
	given, _ := value.AsSequence(args[1])
	c := tc.jitCall(value.Str("run"), value.Str(t.call.Function), args[2])
	if why, _ := value.AsStr(args[3]); why != "" { // refused before it runs
		equal := false
		c.Equal = &equal
		e := tc.in.Raise("RuntimeError", "%s", why)
		_ = errors.As(e, &c.Error)
		return nil, tc.jitEnds(c, e)
	}
	run := &jitRun{call: c}
	t.runs = append(t.runs, run)
	if t.inputs != nil {
		tr := t.taken.Replay(t.inputs)
		kept, err := tc.asTraced(t, given, tr)
		if err != nil {
			return nil, err
		}
		if !tr.Missed {
			run.kept = kept
		}
	}
	var err error
	if run.eager, err = tc.runBeside(sideRun{target: t.target, args: given}); err != nil {
		return nil, err
	}
	if run.kept == nil {
		return tc.in.Unknown("what a trace gives"), nil
	}
	if e := run.eager.Error; e != nil {
		equal := run.kept.Error != nil
		c.Equal = &equal
	} else if same, known := tc.sameOutcome(run.kept, run.eager); known {
		c.Equal = &same
	}
	if e := run.kept.Error; e != nil {
		c.Error = e
		return nil, tc.jitEnds(c, tc.in.Raise("RuntimeError", "the trace does not run with these inputs: %s", e.Error()))
	}
	if run.kept.Output != nil {
		c.Result = run.kept.Output.String()
	}
	return run.kept.Output, nil
}

// jitEnds notes that an exception of a run may end the program.
func (tc *tracing) jitEnds(c *retrace.Call, err error) error {
	var e *value.Exception
	if errors.As(err, &e) {
		tc.Ended = !tc.in.caught(e)
	}
	return err
}

// programState is what the objects hold that the program's names and a value lead to.
func (tc *tracing) programState(v value.Value) []value.Change {
	s := &stateWalk{in: tc.in, seen: map[any]bool{}}
	if tc.in.main != nil {
		s.all(tc.in.main)
	}
	s.all(v)
	return s.list
}

// A stateWalk collects the contents of objects.
type stateWalk struct {
	in   *Interp
	seen map[any]bool
	list []value.Change
	todo []value.Value // what is to be looked at
}

// all collects what v leads to, however deep it is nested.
func (s *stateWalk) all(v value.Value) {
	for s.todo = append(s.todo, v); len(s.todo) > 0; {
		last := len(s.todo) - 1
		v, s.todo = s.todo[last], s.todo[:last]
		s.value(v)
	}
}

func (s *stateWalk) object(o value.Mutable) {
	if !s.seen[o] {
		s.seen[o] = true
		s.list = append(s.list, value.Change{Obj: o, Contents: value.ContentsOf(o)})
	}
}

func (s *stateWalk) value(v value.Value) {
	switch x := v.(type) {
	case nil, value.Int, value.Float, value.Str, value.Bool, value.NoneType, *value.SymInt, *value.SymFloat, *value.SymBool:
		return
	case *value.Module:
		if x.Prelude {
			return
		}
	case *value.Class:
		if x.Prelude {
			return
		}
	case *value.Unknown, *value.Abstract, *value.Builtin:
		return
	}
	if s.seen[v] {
		return
	}
	s.seen[v] = true
	if o, ok := v.(value.Mutable); ok {
		s.list = append(s.list, value.Change{Obj: o, Contents: value.ContentsOf(o)})
	}
	switch x := v.(type) {
	case *value.Instance:
		s.object(x.Attrs)
	case *value.Module:
		if x.Attrs != nil {
			s.object(x.Attrs)
		}
	case *value.Class:
		s.object(x.Attrs)
	case *value.Func:
		for _, c := range x.Closure {
			s.object(c)
		}
	}
	s.todo = slices.AppendSeq(s.todo, value.PartsOf(v, value.AllParts))
}

// jitVerdicts says of each warning what the runs show. A condition is to blame where it goes
// another way in a run that differs, or where no statement does.
func (tc *tracing) jitVerdicts() {
	for _, t := range tc.jit {
		if t.inputs == nil {
			continue // SilentWrong is not known either
		}
		unknown, wrong := len(t.runs) == 0, false
		for _, r := range t.runs {
			unknown = unknown || r.call.Equal == nil
			wrong = wrong || r.call.Equal != nil && !*r.call.Equal
		}
		var sites []*retrace.Site
		for _, found := range t.inputs.Sites {
			s := &retrace.Site{At: found.At, Kind: found.Kind, OnData: found.OnData}
			sites = append(sites, s)
			s.Check = slices.ContainsFunc(t.first.Decisions, func(d *Decision) bool { return d.Test.Start == found.Test && d.IsCheck() })
			s.Verdict = "harmless"
			if unknown {
				s.Verdict = "unknown"
			}
			for _, r := range t.runs {
				if s.Verdict != "wrong" && r.call.Equal != nil && !*r.call.Equal && (s.Kind != "bool" || tc.blamed(t, r, s)) {
					s.Verdict, s.ShownBy = "wrong", r.call
					if r.eager.Error != nil && r.kept != nil && r.kept.Error == nil {
						s.Raises = r.eager.Error.Value.Class.Name
					}
				}
			}
		}
		t.call.Sites, t.call.Looked = sites, true
		if silent := wrong && len(sites) == 0 && !t.inputs.Elsewhere; silent || !unknown || len(t.runs) == 0 || len(sites) > 0 ||
			t.inputs.Elsewhere {
			t.call.SilentWrong = &silent
		}
	}
}

// blamed reports whether the condition of a site goes another way in a run, or no statement does.
func (tc *tracing) blamed(t *jitTrace, r *jitRun, s *retrace.Site) bool {
	line := tc.in.files.Position(s.At.Start).Line
	any := r.eager.Error != nil
	for _, d := range slices.Concat(t.base.Decisions, r.eager.Decisions) {
		switch d.Kind {
		case DecisionIf, DecisionWhile, DecisionFor, DecisionAssert:
		default:
			continue
		}
		if x, y := decisionAt(t.base, d), decisionAt(r.eager, d); x != nil && y != nil && slices.Equal(x.Ways, y.Ways) {
			continue
		}
		if any = true; tc.in.files.Position(d.Test.Start).Line == line {
			return true
		}
	}
	return !any
}

// decisionAt is what a call decided at a place; nil: it did not come there.
func decisionAt(c *TracedCall, d *Decision) *Decision {
	i := slices.IndexFunc(c.Decisions, func(x *Decision) bool { return x.Kind == d.Kind && x.At == d.At && x.Test == d.Test })
	if i < 0 {
		return nil
	}
	return c.Decisions[i]
}

// jitNatives defines what the prelude of torch.jit uses.
func (tc *tracing) jitNatives(def func(string, value.NativeFunc)) {
	def("jit_trace", tc.jitTraced)
	def("jit_run", tc.jitRuns)
	def("type_text", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 1 {
			return nil, tc.in.Raise("TypeError", "type_text takes a value")
		}
		return value.Str(args[0].String()), nil
	})
	// the values of variables of the functions around it
	def("closed_over", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 1 {
			return nil, tc.in.Raise("TypeError", "closed_over takes a function")
		}
		var out []value.Value
		if fn, ok := args[0].(*value.Func); ok {
			for _, c := range fn.Closure {
				if c.V != nil {
					out = append(out, c.V)
				}
			}
		}
		return tc.in.tupleOf(out), nil
	})
	def("jit_records", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		return value.Bool(tc.jitRecords()), nil
	})
}

// jitRecords reports whether a call of a compiled function is one of the program's own, which runs for certain.
func (tc *tracing) jitRecords() bool {
	r := tc.retraces
	return tc.in.cfg.Retraces && r.Open == nil && r.Inside == 0 && !r.Ended && tc.in.decisions == nil && len(tc.in.path.conds)+len(tc.in.loops) == 0
}

// script notes a function that torch.jit.script compiles.
func (r *retraces) script(fn *value.Func) {
	if r.scripted == nil {
		r.scripted = map[*value.Func]bool{}
	}
	r.scripted[fn] = true
}

// binds notes the value that a symbol stands for.
func (r *retraces) binds(in *Interp, e *symshape.Expr, v *graph.Value) {
	if !in.cfg.Retraces {
		return
	}
	if r.bound == nil {
		r.bound = map[*symshape.Expr]*graph.Value{}
	}
	r.bound[e] = v
}

// A jitTracer hears a run for a tracer, which has some of the events itself.
type jitTracer struct {
	*jit.Tracer
	quiet
}

// quiet hears nothing, where an embedded tracer has an event, too.
type quiet struct{ Nop }

// Decide notes the truth value of a condition.
func (t jitTracer) Decide(_ DecisionKind, test source.Span, v value.Value) { t.Ask(test, v) }

// Diverge notes that a run does not go as the one that is traced did.
func (t jitTracer) Diverge(DecisionKind) { t.Missed = true }

// Assert gives the condition of an assert in built-in code, which a trace does not have. The error is that of test.
func (t jitTracer) Assert(f *Frame, test func() (value.Value, error)) (value.Value, error) {
	v, err := test()
	if err != nil || !f.prelude {
		return v, err
	}
	return t.AssertLibrary(v), nil
}

// A jitHost is the interpreter for trace/jit.
type jitHost struct{ *Interp }

var _ jit.Host = jitHost{}

func (h jitHost) Place() jit.Place {
	f := h.stack.frame
	if f == nil {
		return jit.Place{}
	}
	return jit.Place{Frame: f, At: f.at, Own: !f.prelude}
}

func (h jitHost) DecidedBy(symbols []*symshape.Expr) (sizes, data bool) {
	return h.decisions.decidedBy(h.Interp, symbols)
}

func (h jitHost) IsBuiltin(c *value.Class) bool { return h.world.Class(c.Name) == c }

func (h jitHost) IsOperation(fn *value.Builtin) bool { return h.opFuncs[fn.Name] == fn }

// Row gives row i of x. An error is what x[i] raises.
func (h jitHost) Row(x *value.Tensor, i int) (value.Value, error) {
	return h.applyTensor("__getitem__", x, value.Int(i))
}
