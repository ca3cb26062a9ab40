package infer

// This file handles exceptions: try, with, and the question whether a fault
// would be caught.

import (
	"errors"
	"fmt"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A handler is a try statement whose body is running.
type handler struct {
	frame *frame
	try   *ast.Try
	// catches is set for a context manager that swallows exceptions instead.
	catches []*value.Class
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
	in.report(e)
	return in.unknown(&value.Cause{At: e.Diag.At, Reason: e.Diag.Msg, Reported: true}), nil
}

func (in *Interp) report(e *value.Exception) {
	if in.quiet > 0 || in.repeated(e.Diag) {
		return
	}
	if e.Advise != nil {
		e.Advise()
		e.Advise = nil
	}
	d := e.Diag
	in.place(d)
	for i, s := range e.Frames {
		if i == maxFrames {
			d.Notes = append(d.Notes, fmt.Sprintf("%d more calls", len(e.Frames)-i))
			break
		}
		d.Related = append(d.Related, diag.Related{At: s, Msg: "called from here"})
	}
	e.Frames = nil
	in.Report(d)
}

// maxFrames bounds the call sites shown with a diagnostic.
const maxFrames = 6

// quietly runs f without reporting, for trial evaluations: faults come back as errors.
func (in *Interp) quietly(f func() (value.Value, error)) (value.Value, error) {
	in.quiet++
	defer func() { in.quiet-- }()
	return f()
}

// caught reports whether a running try statement would catch the exception.
func (in *Interp) caught(err error) bool {
	var e *value.Exception
	if !errors.As(err, &e) {
		return false
	}
	for i := len(in.handlers) - 1; i >= 0; i-- {
		h := in.handlers[i]
		for _, c := range h.catches {
			if e.Value.Class.IsSubclass(c) {
				return true
			}
		}
		if h.try == nil {
			continue
		}
		for _, eh := range h.try.Handlers {
			if in.matches(h.frame, eh, e) {
				return true
			}
		}
	}
	return false
}

// matches reports whether a handler catches the exception.
func (in *Interp) matches(f *frame, h *ast.ExceptHandler, e *value.Exception) bool {
	if h.Type == nil {
		return true
	}
	saved, at := in.handlers, f.at
	in.handlers = nil
	v, err := in.quietly(func() (value.Value, error) { return in.eval(f, h.Type) })
	in.handlers, f.at = saved, at
	if err != nil {
		return false
	}
	var match func(v value.Value) bool
	match = func(v value.Value) bool {
		switch v := v.(type) {
		case *value.Class:
			return e.Value.Class.IsSubclass(v)
		case *value.Tuple:
			for _, x := range v.Elems {
				if match(x) {
					return true
				}
			}
		}
		return false
	}
	return match(v)
}

func (in *Interp) tryStmt(f *frame, s *ast.Try) (flow, error) {
	fl, err := in.tryHandlers(f, s)
	if len(s.Finally) == 0 || fatal(err) {
		return fl, err
	}
	ret := f.ret
	ffl, ferr := in.block(f, s.Finally)
	if ferr != nil || ffl != next {
		return ffl, ferr
	}
	f.ret = ret
	return fl, err
}

func (in *Interp) tryHandlers(f *frame, s *ast.Try) (flow, error) {
	if len(s.Handlers) == 0 {
		return in.block(f, s.Body)
	}
	in.handlers = append(in.handlers, handler{frame: f, try: s})
	n := len(in.handlers)
	fl, err := in.block(f, s.Body)
	in.handlers = in.handlers[:n-1]
	if err == nil {
		if fl == next {
			return in.block(f, s.Else)
		}
		return fl, nil
	}
	var e *value.Exception
	if !errors.As(err, &e) {
		return fl, err
	}
	for _, h := range s.Handlers {
		if !in.matches(f, h, e) {
			continue
		}
		if h.Name.Name != "" {
			if err := in.bind(f, h.Name.Name, e.Value); err != nil {
				return next, err
			}
		}
		outer := f.current
		f.current = e
		fl, err := in.block(f, h.Body)
		f.current = outer
		return fl, err
	}
	return fl, err
}

// failAt makes the exception for a fault at a span.
func (in *Interp) failAt(class string, code diag.Code, at source.Span, format string, args ...any) error {
	return in.Fail(class, diag.New(code, at, fmt.Sprintf(format, args...), args...))
}

func (in *Interp) withStmt(f *frame, s *ast.With, i int) (flow, error) {
	if i == len(s.Items) {
		return in.block(f, s.Body)
	}
	item := s.Items[i]
	mgr, err := in.eval(f, item.Context)
	if err != nil {
		return next, err
	}
	f.at = item.Context.Span()
	if c, ok := mgr.(*value.Choice); ok {
		// Managers differ in what they set up, not in shapes.
		mgr = in.again(c.Then)
	}
	if value.IsUnknown(mgr) {
		if item.Target != nil {
			if err := in.assign(f, item.Target, mgr); err != nil {
				return next, err
			}
		}
		return in.withStmt(f, s, i+1)
	}
	enter, exit := "__enter__", "__exit__"
	if s.Async {
		enter, exit = "__aenter__", "__aexit__"
	}
	leave, err := in.GetAttr(mgr, exit)
	if err != nil {
		if _, err = in.settle(f, nil, err); err != nil {
			return next, err
		}
		return in.withStmt(f, s, i+1)
	}
	v, err := in.CallMethod(mgr, enter)
	if err != nil {
		if v, err = in.settle(f, nil, err); err != nil {
			return next, err
		}
	}
	if item.Target != nil {
		if err := in.assign(f, item.Target, v); err != nil {
			return next, err
		}
	}
	swallows := in.swallowed(mgr)
	if swallows != nil {
		in.handlers = append(in.handlers, handler{frame: f, catches: swallows})
	}
	n := len(in.handlers)
	fl, err := in.withStmt(f, s, i+1)
	if swallows != nil {
		in.handlers = in.handlers[:n-1]
	}
	if fatal(err) {
		return fl, err
	}
	ret := f.ret
	f.at = item.Context.Span()
	var e *value.Exception
	args := []value.Value{value.None, value.None, value.None}
	if errors.As(err, &e) {
		args = []value.Value{e.Value.Class, e.Value, value.None}
	}
	r, xerr := in.Call(leave, args, nil)
	if xerr != nil {
		return next, xerr
	}
	if e != nil {
		t, terr := in.Truth(r)
		if terr != nil {
			return next, terr
		}
		if val, known := in.Holds(t); known && val {
			return next, nil
		}
	}
	f.ret = ret
	return fl, err
}

// swallowed gives the exception classes that a context manager may swallow. The
// prelude's classes announce them (contextlib.suppress, pytest.raises) in an
// attribute; those of the user may swallow anything if their code looks like it.
func (in *Interp) swallowed(mgr value.Value) []*value.Class {
	v, ok, err := in.LookupAttr(mgr, "__shapecheck_catches__")
	if !ok || err != nil {
		if in.maySwallow(mgr) {
			return []*value.Class{in.world.Class("BaseException")}
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
func (in *Interp) maySwallow(mgr value.Value) bool {
	i, ok := mgr.(*value.Instance)
	if !ok {
		return false
	}
	may := false
	if body, ok := i.Attrs.Get("__shapecheck_body__"); ok {
		if fn, ok := body.(*value.Func); ok {
			ast.Inspect(fn.Node, func(n ast.Node) bool {
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
	ast.Inspect(fn.Node, func(n ast.Node) bool {
		if r, ok := n.(*ast.Return); ok && r.Value != nil {
			c, ok := r.Value.(*ast.Constant)
			may = may || !ok || c.Kind != ast.NoneConst && c.Kind != ast.FalseConst
		}
		return !may
	})
	return may
}
