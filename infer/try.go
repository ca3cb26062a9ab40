package infer

// This file handles exceptions: try, with, and the question whether a fault
// would be caught.

import (
	"errors"
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// exceptions say which handlers around a statement catch an exception, and run try and with statements and what they do with groups.
type exceptions struct {
	*base
	*control
	in *Interp
}

// A handler is a try statement whose body is running.
type handler struct {
	frame *frame
	try   *ast.Try
	// catches is set for a context manager that swallows exceptions instead.
	catches []*value.Class
	// native handlers are the interpreter's own: for the end of an iteration.
	native bool
	// met is set for a native handler when an exception for it is left out.
	met *bool
}

// settle decides what becomes of a fault. When the program catches it, it goes
// on its way as an exception. When not, a fault of a library operation is
// reported and the operation's result is poisoned; what the program itself
// raises goes up and ends the run.
func (in *Interp) settle(f *frame, v value.Value, err error) (value.Value, error) {
	var e *value.Exception
	var open *value.OpenError
	if errors.As(err, &open) && !f.prelude {
		return in.Unknown("the number of elements is not known"), nil
	}
	if !errors.As(err, &e) || e.Diag == nil || f.prelude || in.caught(e) {
		return v, err
	}
	in.noteOrigin(f, e.Diag)
	before := in.sink.Len()
	in.report(e)
	c := &value.Cause{At: e.Diag.At, Reason: e.Diag.Msg, Reported: true}
	if f.typed && hasErrors(in.sink.All()[before:]) {
		return nil, typedFault{c}
	}
	return in.losses.unknown(c), nil
}

// A typedFault ends the evaluation of a text of the command line: an argument that cannot be made
// leaves nothing to call. The fault is reported.
type typedFault struct{ cause *value.Cause }

func (typedFault) Error() string { return "a fault in a text of the command line" }

func (in *Interp) report(e *value.Exception) {
	if in.quiet > 0 || in.entry.repeated(e.Diag) {
		return
	}
	if e.Advise != nil {
		e.Advise()
		e.Advise = nil
	}
	d := e.Diag
	in.entry.place(d)
	in.left.explain(e, e.Frames)
	frames := in.inFiles(e.Frames)
	if in.finder.isUncertain(d) { // the calls inside of the package are nothing that the user can mend
		frames = slices.DeleteFunc(frames, in.finder.ofEnvironment)
	}
	for i, s := range frames {
		if i == maxFrames {
			d.Notes = append(d.Notes, fmt.Sprintf("%d more calls", len(frames)-i))
			break
		}
		d.Related = append(d.Related, diag.Calling(s))
	}
	e.Frames = nil
	in.Report(d)
	if in.cfg.Retraces && d.Severity == diag.Error && len(in.path.conds)+len(in.loops) == 0 { // the calls after it do not come
		in.retraces.Ended = true
	}
}

// inFiles leaves out the call site in the entry's expression, which is no file.
func (in *Interp) inFiles(frames []source.Span) []source.Span {
	var out []source.Span
	for _, s := range frames {
		if f := in.files.File(s.Start); f == nil || f.Name != "<entry>" {
			out = append(out, s)
		}
	}
	return out
}

// maxFrames bounds the call sites shown with a diagnostic.
const maxFrames = 6

// quietly runs f without reporting, for trial evaluations: faults come back as errors.
func (in *Interp) quietly(f func() (value.Value, error)) (value.Value, error) {
	in.quiet++
	defer func() { in.quiet-- }()
	return f()
}

// isQuiet reports whether faults are not reported now.
func (in *Interp) isQuiet() bool { return in.quiet > 0 }

// caught reports whether a running try statement would catch the exception.
func (in *Interp) caught(err error) bool {
	var e *value.Exception
	return errors.As(err, &e) && in.exceptions.catcher(e) != nil
}

// catcher gives the innermost handler that catches the exception, or nil.
func (ex *exceptions) catcher(e *value.Exception) *handler {
	for i := len(ex.handlers) - 1; i >= 0; i-- {
		h := &ex.handlers[i]
		for _, c := range h.catches {
			if e.Value.Class.IsSubclass(c) {
				return h
			}
		}
		if h.try != nil && ex.clause(h.frame, h.try, e) != nil {
			return h
		}
	}
	return nil
}

// clause gives the first except clause of a try statement that catches the exception, or a part of it, or nil.
func (ex *exceptions) clause(f *frame, t *ast.Try, e *value.Exception) *ast.ExceptHandler {
	for _, eh := range t.Handlers {
		if ex.matches(f, eh, e) || t.Star && ex.takesPart(f, eh, e) {
			return eh
		}
	}
	return nil
}

// matches reports whether a handler catches the exception.
func (ex *exceptions) matches(f *frame, h *ast.ExceptHandler, e *value.Exception) bool {
	return h.Type == nil || isOneOf(e.Value, ex.handlerClasses(f, h))
}

// handlerClasses are the classes that a handler names.
func (ex *exceptions) handlerClasses(f *frame, h *ast.ExceptHandler) []*value.Class {
	saved, at := ex.handlers, f.at
	ex.handlers = nil
	v, err := ex.in.quietly(func() (value.Value, error) { return ex.in.eval(f, h.Type) })
	ex.handlers, f.at = saved, at
	if err != nil {
		return nil
	}
	var out []*value.Class
	for x := range value.Walk(v, value.Deep, value.TupleElems) {
		if c, ok := x.(*value.Class); ok {
			out = append(out, c)
		}
	}
	return out
}

func (ex *exceptions) tryStmt(f *frame, s *ast.Try) (flow, error) {
	if len(s.Finally) == 0 {
		return ex.tryHandlers(f, s)
	}
	level, n := ex.in.flow.level(), len(ex.handlers)
	if leaves(s.Finally) { // what the body raises is lost
		ex.handlers = append(ex.handlers, handler{frame: f, catches: []*value.Class{ex.world.Class("BaseException")}})
	}
	fl, err := ex.tryHandlers(f, s)
	ex.handlers = ex.handlers[:n]
	if fatal(err) {
		return fl, err
	}
	every := func(*completion) bool { return true }
	return ex.in.flow.unwind(f, level, fl, err, every, func(fl flow, err error) (flow, error) {
		ret := f.ret
		ffl, ferr := ex.in.block(f, s.Finally)
		if ferr != nil || ffl != next {
			return ffl, ferr
		}
		f.ret = ret
		return fl, err
	})
}

// leaves reports whether statements may leave their block by other ways than an
// exception.
func leaves(list []ast.Stmt) bool {
	found := false
	var in func(n ast.Node, loop bool)
	in = func(n ast.Node, loop bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m.(type) {
			case *ast.Return:
				found = true
			case *ast.Break, *ast.Continue:
				found = found || !loop
			case *ast.For, *ast.While:
				if m != n && !loop {
					in(m, true)
					return false
				}
			case *ast.FunctionDef, *ast.ClassDef, *ast.Lambda:
				return false
			}
			return !found
		})
	}
	for _, s := range list {
		switch s.(type) {
		case *ast.For, *ast.While:
			in(s, true)
		default:
			in(s, false)
		}
	}
	return found
}

// tryHandlers runs the body of a try statement, and for an exception the clause that catches it. Paths of the body that
// raised and wait at an undecided condition reach their clauses, too, by unwind.
func (ex *exceptions) tryHandlers(f *frame, s *ast.Try) (flow, error) {
	if len(s.Handlers) == 0 {
		return ex.in.block(f, s.Body)
	}
	level, before := ex.in.flow.level(), ex.path.facts
	ex.handlers = append(ex.handlers, handler{frame: f, try: s})
	n := len(ex.handlers)
	fl, err := ex.in.block(f, s.Body)
	ex.handlers = ex.handlers[:n-1]
	wanted := func(c *completion) bool {
		var e *value.Exception
		return c.flow == raises && c.depth >= n && errors.As(c.err, &e) && ex.clause(f, s, e) != nil
	}
	return ex.in.flow.unwind(f, level, fl, err, wanted, func(fl flow, err error) (flow, error) {
		if err == nil {
			ex.in.deciding.tries(f, s, 1, nil, before)
			if fl == next {
				return ex.in.block(f, s.Else)
			}
			return fl, nil
		}
		var e *value.Exception
		if !errors.As(err, &e) {
			return fl, err
		}
		h := ex.clause(f, s, e)
		if h == nil {
			return fl, err
		}
		if ex.in.deciding.tries(f, s, 0, e, before) {
			return fl, err
		}
		if s.Star {
			fl, err = ex.starHandlers(f, s, e)
		} else {
			fl, err = ex.handle(f, h, e)
		}
		if err == nil && fl == next && e.Diag != nil && e.Diag.Code == diag.ImportFailed {
			ex.noteAbsent(f, s.Body, &value.Cause{At: e.Diag.At, Reason: "a package is missing that an import with a fallback asks for",
				Missing: true})
		}
		return fl, err
	})
}

// handle runs the clause that catches an exception.
func (ex *exceptions) handle(f *frame, h *ast.ExceptHandler, e *value.Exception) (flow, error) {
	if h.Name.Name != "" {
		if err := ex.in.bind(f, h.Name.Name, e.Value); err != nil {
			return next, err
		}
	}
	outer := f.current
	f.current = e
	fl, err := ex.in.block(f, h.Body)
	f.current = outer
	if h.Name.Name != "" { // Python unbinds it
		ex.in.unbind(f, f.unit.info.Bind(f.scopeIndex(), h.Name.Name), h.Name.Name)
	}
	return fl, err
}

// failAt makes the exception for a fault at a span.
func failAt(th value.Thread, class string, code diag.Code, at source.Span, format string, args ...any) error {
	return th.Fail(class, diag.Newf(code, at, format, args...))
}

// withStmt runs a with statement from item i on: the items nest, so that each __exit__ is called for what happens in
// the later ones. A manager that is not known sets up nothing and swallows nothing.
func (ex *exceptions) withStmt(f *frame, s *ast.With, i int) (flow, error) {
	if i == len(s.Items) {
		return ex.in.block(f, s.Body)
	}
	item := s.Items[i]
	mgr, err := ex.in.eval(f, item.Context)
	if err != nil {
		return next, err
	}
	f.at = item.Context.Span()
	if c, ok := mgr.(*value.Choice); ok {
		// Managers differ in what they set up, not in shapes.
		mgr = raiseAgain(ex.in, c.Then)
	}
	if mgr = value.AsDecorated(mgr); value.IsUnknown(mgr) {
		if item.Target != nil {
			if err := ex.in.assign(f, item.Target, mgr); err != nil {
				return next, err
			}
		}
		return ex.withStmt(f, s, i+1)
	}
	enter, exit := "__enter__", "__exit__"
	if s.Async {
		enter, exit = "__aenter__", "__aexit__"
	}
	x := &withExit{in: ex.in, frame: f, mgr: mgr, at: item.Context.Span()}
	x.prepare()
	leave, err := ex.in.GetAttr(mgr, exit)
	if err != nil {
		if _, err = ex.in.settle(f, nil, err); err != nil {
			return next, err
		}
		return ex.withStmt(f, s, i+1)
	}
	v, err := ex.in.CallMethod(mgr, enter)
	if err != nil {
		if v, err = ex.in.settle(f, nil, err); err != nil {
			return next, err
		}
	}
	if item.Target != nil {
		if err := ex.in.assign(f, item.Target, v); err != nil {
			return next, err
		}
	}
	swallows := ex.swallowed(mgr)
	level, n := ex.in.flow.level(), len(ex.handlers)
	if swallows != nil {
		ex.handlers = append(ex.handlers, handler{frame: f, catches: swallows})
	}
	fl, err := ex.withStmt(f, s, i+1)
	ex.handlers = ex.handlers[:n]
	if fatal(err) {
		return fl, err
	}
	x.leave = leave
	return ex.in.flow.unwind(f, level, fl, err, x.wanted, x.run)
}

// A withExit leaves a with statement.
type withExit struct {
	in         *Interp
	frame      *frame
	mgr, leave value.Value
	at         source.Span
	ran        bool
	// spare is a second manager over a generator, whose end can run only once;
	// changed is what these ends have changed.
	spare   value.Value
	changed []value.Change
}

// prepare makes the spare manager where the body may leave in several ways.
func (x *withExit) prepare() {
	in := x.in
	if !x.runsOnce() || len(in.handlers) == 0 && !maySwallow(x.mgr) {
		return
	}
	x.spare = in.flow.evalAside(func() (value.Value, error) {
		v, err := in.CallMethod(x.mgr, "_recreate_cm")
		if err == nil {
			_, err = in.CallMethod(v, "__enter__")
		}
		return v, err
	})
}

// evalAside makes a value whose making is to leave no trace; nil where that fails.
func (cf *controlFlow) evalAside(call func() (value.Value, error)) value.Value {
	m, depth := cf.heap.Mark(), cf.heap.Depth()
	before, handlers, sink, rec := cf.path, cf.handlers, cf.sink.Len(), cf.in.rec.mark()
	outer := cf.build.Enter(&graph.Region{})
	cf.handlers = nil
	v, err := cf.in.quietly(call)
	cf.handlers, cf.path = handlers, before
	cf.build.Leave(outer)
	cf.sink.Truncate(sink)
	cf.in.rec.rollback(rec)
	if err == nil && cf.heap.Depth() != depth {
		err = errInfeasible
	}
	cf.heap.Rollback(m)
	cf.heap.Close(m)
	if err != nil {
		return nil
	}
	return v
}

// wanted reports whether __exit__ runs where a completion leaves. The library's
// context managers do nothing there that is seen after a return.
func (x *withExit) wanted(c *completion) bool {
	return c.flow == raises || !x.in.TypeOf(x.mgr).Prelude
}

// runsOnce reports whether the manager is a generator, whose end runs only once.
func (x *withExit) runsOnce() bool {
	i, ok := x.mgr.(*value.Instance)
	if !ok {
		return false
	}
	_, ok = i.Attrs.Get("__shapecheck_body__")
	return ok
}

// run calls __exit__ after a body that ended with fl and err.
func (x *withExit) run(fl flow, err error) (flow, error) {
	in, f := x.in, x.frame
	leave := x.leave
	if x.ran && x.spare != nil {
		fn, ferr := in.GetAttr(x.spare, "__exit__")
		if ferr != nil {
			return next, ferr
		}
		leave, x.spare = fn, nil
	} else if x.ran && x.runsOnce() {
		j := in.newJoiner(in.DataBool(nil).Cond)
		for _, ch := range x.changed {
			in.heap.Replace(ch.Obj, value.JoinContents(ch.Obj, value.Contents(ch.Obj), ch.Contents, j))
		}
		if err == nil || !maySwallow(x.mgr) {
			return fl, err
		}
		return in.flow.ifStmt(f, in.DataBool(nil), func() (flow, error) { return next, nil }, func() (flow, error) { return fl, err })
	}
	ret := f.ret
	f.at = x.at
	var e *value.Exception
	args := []value.Value{value.None, value.None, value.None}
	if errors.As(err, &e) {
		args = []value.Value{e.Value.Class, e.Value, value.None}
	}
	depth, m := in.heap.Depth(), in.heap.Mark()
	r, xerr := in.Call(leave, args, nil)
	if in.heap.Depth() == depth+1 {
		x.changed = append(x.changed, in.heap.Changes(m)...)
	}
	in.heap.Drop(m)
	x.ran = true
	if xerr != nil {
		return next, xerr
	}
	swallowed := func() (flow, error) { return next, nil }
	on := func() (flow, error) {
		f.ret = ret
		return fl, err
	}
	if e == nil {
		return on()
	}
	t, terr := in.Truth(r)
	if terr != nil {
		return next, terr
	}
	if val, known := in.Holds(t); known && !val || !known && !in.flow.kept(err) {
		return on()
	}
	return in.flow.ifStmt(f, t, swallowed, on)
}

// swallowed gives the exception classes that a context manager may swallow. The
// prelude's classes announce them (contextlib.suppress, pytest.raises) in an
// attribute; those of the user may swallow anything if their code looks like it.
func (ex *exceptions) swallowed(mgr value.Value) []*value.Class {
	v, ok, err := ex.in.LookupAttr(mgr, "__shapecheck_catches__")
	if !ok || err != nil {
		if maySwallow(mgr) {
			return []*value.Class{ex.world.Class("BaseException")}
		}
		return nil
	}
	var out []*value.Class
	t, ok := v.(*value.Tuple)
	if !ok {
		return nil
	}
	for _, e := range t.Elems {
		if c, ok := e.(*value.Class); ok {
			out = append(out, c)
		}
		if inner, ok := e.(*value.Tuple); ok {
			for _, x := range inner.Elems {
				if c, ok := x.(*value.Class); ok {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// maySwallow reports whether the code of a context manager could swallow an
// exception: a __exit__ that returns anything but None or False, or a generator
// with an except clause around a yield.
func maySwallow(mgr value.Value) bool {
	i, ok := mgr.(*value.Instance)
	if !ok {
		return false
	}
	may := false
	if body, ok := i.Attrs.Get("__shapecheck_body__"); ok {
		if fn, ok := body.(*value.Func); ok {
			ast.Inspect(fn.Definition(), func(n ast.Node) bool {
				if t, ok := n.(*ast.Try); ok && len(t.Handlers) > 0 {
					may = true
				}
				return !may
			})
		}
		return may
	}
	v, _ := i.Class.Lookup("__exit__")
	fn, ok := v.(*value.Func)
	if !ok || i.Class.Prelude {
		return false
	}
	ast.Inspect(fn.Definition(), func(n ast.Node) bool {
		if r, ok := n.(*ast.Return); ok && r.Value != nil {
			c, ok := r.Value.(*ast.Constant)
			may = may || !ok || c.Kind != ast.NoneConst && c.Kind != ast.FalseConst
		}
		return !may
	})
	return may
}
