package infer

// This file records the calls of functions that a framework traces (tf.function, jax.jit):
// how often the body ran, why it ran again, and what was printed. Which call runs the body is
// decided by the preludes of tensorflow and jax, which keep the caches; see lib/packed/jax/_jit.py
// and lib/packed/tensorflow/_function.py.
//
// It also notes the calls of traced functions of which it is not known whether they run.

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
	"shapecheck/symshape"
	"shapecheck/trace/dynamo"
	"shapecheck/trace/retrace"
)

// retraces are the recorded calls, and what the interpreter knows while they run.
type retraces struct {
	retrace.Record
	// graph says that a tf.function is traced whose statements become graph operations;
	// fault is what it refuses, found where values of two ways are joined.
	graph bool
	fault graphFault
	// vary says that the loop which runs lets shapes change from iteration to iteration.
	vary bool
	// raised is what one of two ways, or an iteration, raised while a graph was made: both
	// ways run then. halfBound says that a join met a variable that is bound on one way alone.
	raised    error
	halfBound bool
	// forked is the last if statement that became an operation of a graph.
	forked source.Span
	// tracing says that the body of a traced function runs.
	tracing bool
	// jit are the functions that torch.jit.trace traced.
	jit []*jitTrace
	// scripted are the functions that torch.jit.script compiled.
	scripted map[*value.Func]bool
	// exported are the programs that torch.export made.
	exported []*exported
	// pythonLoop is the innermost loop of Python that runs while a graph is made.
	pythonLoop pythonLoop
	graphLoop  graphLoop
	// global is what globalState found last; backend the tuple of backend and options that compiled last, and its text.
	global      globalState
	backend     value.Value
	backendText string
	// served says that a call of a compiled function runs that a graph serves whose guards held before.
	served bool
	graphs *dynamo.Graphs // that torch.compile compiled; nil: nothing was called under it
	// bound are the values of the graph that symbols stand for, by these.
	bound map[*symshape.Expr]*graph.Value
}

// A tracing makes the calls of what a script traces or compiles, and says what those refuse. It runs functions, so that it has the
// interpreter, which asks it where a graph is made.
type tracing struct {
	*retraces
	in *Interp
}

// A graphFault is an exception of TensorFlow over values that a graph cannot join, at a statement within the one that
// makes them, where that is known.
type graphFault struct {
	kind, text string
	at         source.Span
}

// or is f, or g where there is none.
func (f graphFault) or(g graphFault) graphFault {
	if f.kind == "" {
		return g
	}
	return f
}

// retraceNatives defines what the preludes of tensorflow and jax use.
func (tc *tracing) retraceNatives(def func(string, value.NativeFunc)) {
	def("traced_call", tc.tracedCall)
	def("traced_info", tc.tracedInfo)
	def("traced_print", func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		tc.notePrint(args, kw)
		return value.None, nil
	})
	def("certain", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		for _, a := range args {
			if !certainValue(a) {
				return value.Bool(false), nil
			}
		}
		return value.Bool(true), nil
	})
	def("undecided", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		return value.Bool(len(tc.in.path.conds)+len(tc.in.loops) > 0), nil
	})
	def("same_code", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 2 {
			return nil, tc.in.Raise("TypeError", "same_code takes 2 functions")
		}
		return value.Bool(args[0] == args[1] || codeNode(args[0]) != nil && codeNode(args[0]) == codeNode(args[1])), nil
	})
	def("with_sizes", tc.withSizes)
	def("refuse", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		var texts [3]string
		for i := range min(len(args), len(texts)) {
			texts[i], _ = value.AsStr(args[i])
		}
		if code := diag.Code(texts[1]); code.Known() {
			return nil, tc.in.Fail(texts[0], diag.New(code, tc.in.Here(), texts[2]))
		}
		return nil, tc.in.Raise("TypeError", "refuse takes a class, a code and a message")
	})
	def("alive", tc.alive)
	def("calls_made", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		return value.Int(len(tc.Calls)), nil
	})
	def("tracing", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		old := tc.tracing
		if len(args) == 1 {
			b, ok := args[0].(value.Bool)
			tc.tracing = ok && bool(b)
		}
		return value.Bool(old), nil
	})
	def("refused_return", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		return value.None, tc.refusedReturn()
	})
	def("loop_shapes_vary", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		tc.vary = true
		return value.None, nil
	})
	def("graph_mode", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		old := tc.graph
		if len(args) == 1 {
			b, ok := args[0].(value.Bool)
			tc.graph = ok && bool(b)
		}
		return value.Bool(old), nil
	})
	def("join", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 2 {
			return nil, tc.in.Raise("TypeError", "join takes 2 values")
		}
		return tc.in.Join(args[0], args[1]), nil
	})
}

// certainValue reports whether a value made of tuples is known completely: whether a
// comparison with another one is decided.
func certainValue(v value.Value) bool {
	for x := range value.Walk(v, 16, value.Sequences|value.DictValues) {
		switch x.(type) {
		case *value.Unknown, *value.Abstract, *value.Choice, *value.SymInt, *value.SymFloat, *value.SymBool:
			return false
		}
	}
	return true
}

// codeNode is the definition of a function or method; nil where it has none.
func codeNode(v value.Value) ast.Node {
	switch f := v.(type) {
	case *value.Func:
		return f.Node
	case *value.BoundMethod:
		return codeNode(f.Func)
	}
	return nil
}

// withSizes implements with_sizes(shape, old, new): the sizes of shape, a tuple, with the
// symbols in old replaced by those in new.
func (tc *tracing) withSizes(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 3 {
		return nil, tc.in.Raise("TypeError", "with_sizes takes 3 arguments")
	}
	from, ok1 := args[1].(*value.List)
	to, ok2 := args[2].(*value.List)
	if !ok1 || !ok2 || len(from.Elems) != len(to.Elems) {
		return nil, tc.in.Raise("TypeError", "with_sizes takes two lists of one length")
	}
	s := &substitution{in: tc.in, final: map[*symshape.Expr]*symshape.Expr{}, done: map[value.Value]value.Value{}}
	for i, f := range from.Elems {
		x, ok := f.(*value.SymInt)
		if !ok || x.D.Expr == nil {
			continue
		}
		switch t := to.Elems[i].(type) {
		case value.Int:
			s.final[x.D.Expr] = tc.in.pool.Const(int64(t))
		case *value.SymInt:
			s.final[x.D.Expr] = t.D.Expr
		}
	}
	return s.value(args[0]), nil
}

// alive implements alive(object): whether the program still has an object that was an argument
// of an earlier call; unknown where a loop or function may hold it.
func (tc *tracing) alive(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 1 || tc.in.main == nil || tc.in.main.Attrs == nil {
		return tc.in.Unknown("whether an object is still there"), nil
	}
	s := &search{object: args[0], left: 10_000, visit: value.Visit{Repeats: 10_000}}
	for i := range tc.in.main.Attrs.Len() {
		if v, ok := tc.in.main.Attrs.Get(tc.in.main.Attrs.Name(i)); ok && s.in(v, 8) {
			return value.Bool(true), nil
		}
	}
	at := tc.topStatement()
	for _, st := range tc.in.mainBody {
		switch st.(type) {
		case *ast.ExprStmt, *ast.Assign:
			if st.Span().Start <= at.Start && at.End <= st.Span().End {
				if !tc.inFunction() && s.left > 0 {
					return value.Bool(false), nil
				}
			}
		}
	}
	return tc.in.Unknown("whether an object is still there"), nil
}

// A search looks for an object in what the program has; left bounds it.
type search struct {
	object value.Value
	left   int
	visit  value.Visit
}

// in reports whether the object is v or in what v holds; what is kept by objects of a prelude,
// as traced functions, does not count.
func (s *search) in(v value.Value, depth int) bool {
	if v == s.object {
		return true
	}
	prelude := false
	switch v := v.(type) {
	case *value.Instance:
		prelude = v.Class.Prelude
	case *value.Class:
		prelude = v.Prelude
	case *value.Module:
		prelude = v.Prelude
	}
	if s.left--; prelude || depth == 0 || s.left < 0 || !s.visit.Enter(v) {
		return false
	}
	defer s.visit.Leave()
	for c := range value.PartsOf(v,
		value.Sequences|value.SetElems|value.DictKeys|value.DictValues|value.Attributes|value.Payloads|value.Sides|value.Others) {
		if s.in(c, depth-1) {
			return true
		}
	}
	return false
}

// inFunction reports whether a function of the program runs.
func (tc *tracing) inFunction() bool {
	for f := tc.in.stack.frame; f != nil; f = f.caller {
		if !f.prelude && f.fn != nil {
			return true
		}
	}
	return false
}

// graphTruth is the truth of a tensor for a statement that AutoGraph makes an operation of:
// not decided. nil: v is asked itself.
func (tc *tracing) graphTruth(f *frame, v value.Value) value.Value {
	if !tc.graph || f.prelude {
		return nil
	}
	if _, ok := isWrapped(v); !ok {
		return nil
	}
	return tc.in.DataBool(nil)
}

// testInPython gives the truth of a condition that AutoGraph leaves to Python.
func (tc *tracing) testInPython(f *frame, e ast.Expr) (value.Value, error) {
	if !tc.graph {
		return tc.in.test(f, e)
	}
	v, err := tc.in.eval(f, e)
	if err != nil {
		return nil, err
	}
	f.at = e.Span()
	return tc.in.Truth(v)
}

// graphElements gives what a for statement goes over: of a tensor, where AutoGraph makes an
// operation of it, an unknown number of its elements.
func (tc *tracing) graphElements(f *frame, seq value.Value) (value.Value, error) {
	if !tc.graph || f.prelude {
		return seq, nil
	}
	if i, ok := isWrapped(seq); ok {
		return tc.in.CallMethod(i, "__shapecheck_elements__")
	}
	return seq, nil
}

// tracedCall implements traced_call(framework, kind, function, arguments, thunk): it calls
// the thunk and records that, unless it runs inside of such a call.
func (tc *tracing) tracedCall(th value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 5 {
		return nil, tc.in.Raise("TypeError", "traced_call takes 5 arguments")
	}
	r := tc.retraces
	if r.Open != nil || r.Ended || len(tc.in.path.conds)+len(tc.in.loops) > 0 || r.IsFull() {
		if tc.mayRun() {
			framework, _ := value.AsStr(args[0])
			kind, _ := value.AsStr(args[1])
			function, _ := value.AsStr(args[2])
			tc.mayCall(framework, kind, function, retrace.WrittenTexts(args[3]))
		}
		r.Inside++
		v, err := th.Call(args[4], nil, nil)
		r.Inside--
		return v, err
	}
	c := retrace.NewCall("", tc.topStatement())
	c.Framework, _ = value.AsStr(args[0])
	c.Kind, _ = value.AsStr(args[1])
	c.Function, _ = value.AsStr(args[2])
	c.Args = retrace.WrittenTexts(args[3])
	r.Begin(c)
	n := len(tc.in.handlers)
	if tc.in.cfg.Retraces { // an exception ends the call, and does not become an unknown value
		tc.in.handlers = append(tc.in.handlers,
			handler{frame: tc.in.stack.frame, catches: []*value.Class{tc.in.Class("BaseException")}, native: true, met: new(bool)})
	}
	v, err := th.Call(args[4], nil, nil)
	tc.in.handlers = tc.in.handlers[:n]
	r.End()
	var e *value.Exception
	if errors.As(err, &e) {
		c.Error, c.ErrorAt = e, tc.ownPlace(e)
		r.Ended = tc.in.cfg.Retraces && !tc.in.caught(e)
	}
	r.Doubt(c)
	return v, err
}

// topStatement is what runs in the outermost frame of the program.
func (tc *tracing) topStatement() source.Span {
	var at source.Span
	for f := tc.in.stack.frame; f != nil; f = f.caller {
		if !f.prelude && f.at.IsValid() {
			at = f.at
		}
	}
	return at
}

// ownPlace is the innermost place of an exception in the file that runs; invalid where that
// called what raised it with no frame between.
func (tc *tracing) ownPlace(e *value.Exception) source.Span {
	top := tc.topStatement()
	if !top.IsValid() {
		return source.Span{}
	}
	file := tc.in.files.Position(top.Start).File
	for _, s := range append([]source.Span{e.At}, e.Frames...) {
		if s.IsValid() && tc.in.files.Position(s.Start).File == file {
			return s
		}
	}
	return source.Span{}
}

// tracedInfo implements traced_info(key, value): what the prelude knows of the open call.
func (tc *tracing) tracedInfo(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	c := tc.Open
	if c == nil || len(args) != 2 || tc.Inside > 0 && args[0] != value.Str("printed") {
		return value.None, nil
	}
	switch key, _ := value.AsStr(args[0]); key {
	case "traces":
		c.Traces = nil
		if n, ok := value.AsInt(args[1]); ok && certainValue(args[1]) {
			k := int(n)
			c.Traces = &k
		}
	case "changed":
		c.Changed, c.Again = []string{}, true
		if l, ok := args[1].(*value.List); ok {
			for _, x := range l.Elems {
				s, _ := value.AsStr(x)
				parts := strings.Split(s, "\t")
				c.Changed = append(c.Changed, parts[0])
				why := parts[0]
				if path, _, ok := strings.Cut(why, ":"); ok && path != "" && len(parts) == 3 && parts[1] != parts[2] {
					why = path + " is " + parts[1] + ", was " + parts[2]
				}
				if !slices.Contains(c.Because, why) {
					c.Because = append(c.Because, why)
				}
			}
		}
	case "result":
		if s, _ := value.AsStr(args[1]); !strings.Contains(s, "?") { // else a part of it is not known
			c.Result = s
		}
	case "born":
		if n, ok := value.AsInt(args[1]); ok {
			c.Born = int(n)
		}
	case "made_variables":
		c.MadeVariables = true
	case "warning":
		c.Warning = true
	case "printed": // lines that are not known
		c.Unprinted = true
	}
	return value.None, nil
}

// Printed is part of value.Thread.
func (in *Interp) Printed(args []value.Value, kw []value.Kw) { in.tracing.notePrint(args, kw) }

// notePrint notes what print is called with.
func (tc *tracing) notePrint(args []value.Value, kw []value.Kw) {
	for _, t := range tc.in.tracers.all {
		t.Print(args)
	}
	r := tc.retraces
	c := r.Open
	if c == nil {
		return
	}
	if r.tracing {
		if at := tc.in.Here(); at.IsValid() && !slices.Contains(c.Prints, at) {
			c.Prints = append(c.Prints, at)
		}
	}
	sep, end := " ", "\n"
	for _, k := range kw {
		s, ok := value.AsStr(k.Value)
		switch {
		case k.Name == "file" && k.Value != value.None:
			if m, ok := tc.sysStdout(); !ok || m != k.Value {
				return
			}
		case k.Value == value.None:
		case k.Name == "sep" && ok:
			sep = s
		case k.Name == "end" && ok:
			end = s
		}
	}
	text, known := "", true
	for i, a := range args {
		if i > 0 {
			text += sep
		}
		s, ok := tc.in.Str(a)
		if known = known && ok; ok {
			text += s
		}
		if value.IsUnknown(a) || !ok && manyLines(a) {
			c.Unprinted = true
		}
	}
	r.Print(text+end, known)
}

// sysStdout is the value of sys.stdout.
func (tc *tracing) sysStdout() (value.Value, bool) {
	m, ok := tc.in.modules["sys"]
	if !ok {
		return nil, false
	}
	return m.Attrs.Get("stdout")
}

// manyLines reports whether the text of a value that is not known may have several lines.
func manyLines(v value.Value) bool {
	i, ok := v.(*value.Instance)
	if !ok {
		_, tensor := v.(*value.Tensor)
		return tensor
	}
	a, _ := i.Attrs.Get("_a")
	t, ok := a.(*value.Tensor)
	return ok && (!t.Type().Ranked || t.Type().Rank() > 0)
}

// refuses gives the exception of a graph that a statement cannot be part of.
func (tc *tracing) refuses(f *frame, at source.Span, err error) error {
	r := tc.retraces
	if f.prelude || !r.graph {
		return err
	}
	fault, raised := r.fault, r.raised
	r.fault, r.raised = graphFault{}, nil
	switch {
	case err != nil:
		return err
	case raised != nil:
		return raised
	case fault.kind == "":
		return nil
	}
	if fault.at.IsValid() {
		at = fault.at
	}
	f.at = at
	return tc.in.Fail(fault.kind, diag.New(diag.TraceFails, at, fault.text))
}

// refusedReturn is the exception where the ways of a function differ in what they return.
func (tc *tracing) refusedReturn() error {
	fault := tc.fault
	if fault.kind == "" {
		return nil
	}
	tc.fault = graphFault{}
	at := tc.in.Here()
	if tc.forked.IsValid() {
		at = tc.forked
	}
	return tc.in.Fail(fault.kind, diag.New(diag.TraceFails, at, fault.text))
}

// raisedInGraph notes an exception of one way of a statement over tensors.
func (tc *tracing) raisedInGraph(f *frame, err error) {
	if e := (*value.Exception)(nil); tc.graph && !f.prelude && errors.As(err, &e) {
		tc.raised = err
	}
}

// graphIf runs an if statement whose test is t and which AutoGraph makes an operation of: both
// ways run, and what they bind that is read later has to agree.
func (tc *tracing) graphIf(f *frame, s *ast.If, rest []ast.Stmt, t value.Value, then, els func() (flow, error)) (flow, error) {
	r := tc.retraces
	_, known := tc.in.Holds(t)
	python := f.prelude || !known && !tc.ofTensor(cond(tc.in, t)) // Python decides, which way is not known
	if known || !r.graph || python {
		fault := r.fault
		fl, err := tc.in.flow.ifStmt(f, t, then, els)
		if python {
			r.fault = fault
		}
		return fl, err
	}
	if err := tc.refusesExit(f, s); err != nil {
		return next, err
	}
	unread := unreadIn(f, s)
	way := func(body func() (flow, error)) func() (flow, error) {
		return func() (flow, error) {
			fl, err := body()
			tc.raisedInGraph(f, err)
			for _, slot := range unread { // AutoGraph leaves them out
				f.V[slot] = nil
			}
			return fl, err
		}
	}
	r.halfBound = false
	unbound := unboundIn(f, s)
	fl, err := tc.in.flow.ifStmt(f, t, way(then), way(els))
	if r.halfBound && fl == next && err == nil {
		if name := halfBound(s, rest, unbound); name != "" {
			r.fault = r.fault.or(graphFault{kind: "ValueError", text: "'" + name + "' must also be initialized in the other branch"})
		}
	}
	r.halfBound, r.forked = false, s.Span()
	return fl, err
}

// ofTensor reports whether the values of tensors decide a condition: not sizes, and nothing unknown.
func (tc *tracing) ofTensor(c *symshape.Cond) bool {
	return !tc.in.flow.guessed(c) && slices.ContainsFunc(c.Symbols(), func(s *symshape.Expr) bool { return tc.in.rec.dataSyms[s] })
}

// unreadIn are the slots of the variables that an if statement binds and the function reads nowhere.
func unreadIn(f *frame, s *ast.If) []int32 {
	var out []int32
	if f.code == nil {
		return nil
	}
	read := map[string]bool{}
	for _, s := range f.code.body {
		ast.Inspect(s, func(n ast.Node) bool {
			if x, ok := n.(*ast.Name); ok {
				read[x.ID] = read[x.ID] || x.Ctx != ast.Store
			}
			return true
		})
	}
	ast.Inspect(s, func(n ast.Node) bool {
		if x, ok := n.(*ast.Name); ok && x.Ctx == ast.Store && !read[x.ID] {
			if b := f.unit.info.Names[x.Index]; b.Kind == resolve.Local && int(b.Slot) < len(f.V) {
				out = append(out, b.Slot)
			}
		}
		return true
	})
	return out
}

// unboundIn are the variables that an if statement binds and that have no value before it.
func unboundIn(f *frame, s *ast.If) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		if x, ok := n.(*ast.Name); ok && x.Ctx == ast.Store {
			switch b := f.unit.info.Names[x.Index]; {
			case b.Kind == resolve.Local && int(b.Slot) < len(f.V):
				out[x.ID] = f.V[b.Slot] == nil
			case b.Kind == resolve.Cell && int(b.Slot) < len(f.cells):
				out[x.ID] = f.cells[b.Slot].V == nil
			}
		}
		return true
	})
	return out
}

// halfBound is one of the unbound variables that one way of an if statement binds and the other
// does not, and that what follows reads; empty: there is none.
func halfBound(s *ast.If, rest []ast.Stmt, unbound map[string]bool) string {
	names := func(list []ast.Stmt, ctx ast.ExprContext) map[string]bool {
		out := map[string]bool{}
		for _, s := range list {
			ast.Inspect(s, func(n ast.Node) bool {
				if x, ok := n.(*ast.Name); ok && x.Ctx == ctx {
					out[x.ID] = true
				}
				return true
			})
		}
		return out
	}
	then, els, read := names(s.Body, ast.Store), names(s.Else, ast.Store), names(rest, ast.Load)
	for _, name := range slices.Sorted(maps.Keys(read)) {
		if then[name] != els[name] && unbound[name] {
			return name
		}
	}
	return ""
}

// mayRun reports whether a call that is made now may run or not, in a program whose calls are recorded.
func (tc *tracing) mayRun() bool {
	r := tc.retraces
	return tc.in.cfg.Retraces && r.Open == nil && r.Inside == 0 && !r.Ended && tc.in.decisions == nil && tc.in.dynamo == nil &&
		len(tc.in.path.conds)+len(tc.in.loops) > 0
}

// mayCall notes a call that may not run; rounds of a loop make it once.
func (tc *tracing) mayCall(framework, kind, function string, args []string) {
	tc.MayCall(&retrace.MaybeCall{Framework: framework, Kind: kind, Function: function, At: tc.topStatement(), Args: args,
		Loop: len(tc.in.loops) > 0})
}
