package infer

// This file says which loops AutoGraph does not make operations of: it refuses a return in a loop over tensors, and a way
// out of a loop of Python that a tensor decides; and which tensors are of the graph of a body.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// notConverted is the exception of a loop.
const notConverted = "NotImplementedError"

// ways out of a block of statements: return anywhere, break of the loop around the block.
func exits(list []ast.Stmt) (returns, breaks bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.Return:
			returns = true
		case *ast.Break:
			breaks = true
		case *ast.If:
			r1, b1 := exits(s.Body)
			r2, b2 := exits(s.Else)
			returns, breaks = returns || r1 || r2, breaks || b1 || b2
		case *ast.With:
			r, b := exits(s.Body)
			returns, breaks = returns || r, breaks || b
		case *ast.Try:
			r, b := exits(s.Body)
			returns, breaks = returns || r, breaks || b
		case *ast.For:
			r, _ := exits(s.Body)
			returns = returns || r
		case *ast.While:
			r, _ := exits(s.Body)
			returns = returns || r
		}
	}
	return returns, breaks
}

// refusesLoop is the exception of a graph for a loop over tensors with a return that not every round meets; nil: it has
// none.
func (in *Interp) refusesLoop(f *frame, at source.Span, body []ast.Stmt) error {
	always := slices.ContainsFunc(body, func(s ast.Stmt) bool { _, ok := s.(*ast.Return); return ok })
	if r, _ := exits(body); !r || always || f.prelude || !in.retraces.graph {
		return nil
	}
	f.at = at
	return in.Fail(notConverted, diag.New(diag.TraceFails, at, "a return statement cannot be placed inside of a loop over tensors"))
}

// inPython notes that a loop of Python runs while a graph is made, until what it returns is called.
func (in *Interp) inPython(f *frame, at source.Span) (leave func()) {
	r := &in.retraces
	outer := r.pythonLoop
	r.pythonLoop = pythonLoop{f, at}
	return func() { r.pythonLoop = outer }
}

// A pythonLoop is a loop that runs while a graph is made.
type pythonLoop struct {
	frame *frame
	at    source.Span
}

// refusesExit is the exception of a graph for an if statement over a tensor that leaves a loop of Python; nil: it does not.
func (in *Interp) refusesExit(f *frame, s *ast.If) error {
	loop := in.retraces.pythonLoop
	if loop.frame != f || f.prelude {
		return nil
	}
	r1, b1 := exits(s.Body)
	r2, b2 := exits(s.Else)
	switch {
	case r1 != r2:
		f.at = s.Span()
		return in.Fail("ValueError", diag.New(diag.TraceFails, s.Test.Span(), "the other branch must also have a return statement"))
	case r1 || b1 || b2:
		f.at = loop.at
		return in.Fail(notConverted, diag.New(diag.TraceFails, loop.at, "break and return statements which depend on a tensor are not supported in a loop of Python"))
	}
	return nil
}

// A graphLoop is a loop that becomes an operation, and whose body runs.
type graphLoop struct {
	frame *frame
	at    source.Span
	body  []ast.Stmt
}

// undefinedBefore is the exception of a graph for a variable that the body of a loop changes and that has no value before it; nil: it is none.
func (in *Interp) undefinedBefore(f *frame, name string, at source.Span) error {
	loop := in.retraces.graphLoop
	if loop.frame != f || at.Start < loop.body[0].Span().Start || !slices.ContainsFunc(loop.body, func(s ast.Stmt) bool { return givesValue(s, name) }) {
		return nil
	}
	f.at = loop.at
	return in.Fail("ValueError", diag.New(diag.TraceFails, loop.at, "'"+name+"' must be defined before the loop"))
}

// givesValue reports whether a statement gives a variable a value.
func givesValue(s ast.Stmt, name string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		x, ok := n.(*ast.Name)
		found = found || ok && x.Ctx == ast.Store && x.ID == name
		return !found
	})
	return found
}

// onTensor reports whether a graph decides a condition, not Python.
func (in *Interp) onTensor(f *frame, t value.Value) bool {
	if !in.retraces.graph || f.prelude {
		return false
	}
	_, known := in.Holds(t)
	return !known && in.ofTensor(in.cond(t))
}

// A loopNumber is a number of Python before a loop and what a graph holds in its place: the dtype it has as a tensor, and
// the dtype of the tensor that an iteration leaves.
type loopNumber struct {
	before       value.Value
	dtype, after string
}

// loopNumbers is called before a loop that becomes an operation, and what it returns after it: a number that the body
// changes is a tensor in the body, which operations with tensors of another dtype refuse; a float is no int32 there.
func (in *Interp) loopNumbers(f *frame, body []ast.Stmt) (leave func()) {
	r := &in.retraces
	outer, before := r.numbers, slices.Clone(f.V)
	r.numbers = nil
	return func() {
		found := r.numbers
		r.numbers = outer
		for _, n := range found {
			for slot, v := range before {
				if v != n.before {
					continue
				}
				if at := firstOperation(f, body, slot); at.IsValid() {
					r.fault = r.fault.or(graphFault{"TypeError", "a number that the loop changes is a tensor of dtype " + n.dtype + " here, and not " + n.after, at})
				}
			}
		}
	}
}

// firstOperation is the statement with the first operation of a body on the variable of a slot that is no operation on a
// literal; invalid: it has none, or the variable is bound before it.
func firstOperation(f *frame, body []ast.Stmt, slot int) (at source.Span) {
	is := func(e ast.Expr) bool {
		n, ok := e.(*ast.Name)
		return ok && f.unit.info.Names[n.Index].Kind == resolve.Local && int(f.unit.info.Names[n.Index].Slot) == slot
	}
	literal := func(e ast.Expr) bool { _, ok := e.(*ast.Constant); return ok }
	var s, bound source.Span
	for _, part := range body {
		ast.Inspect(part, func(n ast.Node) bool {
			found := false
			switch n := n.(type) {
			case *ast.BinOp:
				found = is(n.Left) && !literal(n.Right) || is(n.Right) && !literal(n.Left)
			case *ast.AugAssign:
				s, found = n.Span(), is(n.Target) && !literal(n.Value)
			case ast.Stmt:
				s = n.Span()
			case *ast.Name:
				if n.Ctx == ast.Store && is(n) && !bound.IsValid() {
					bound = s
				}
			}
			if found && !at.IsValid() {
				at = s
			}
			return true
		})
	}
	if bound.IsValid() && bound != at && bound.Start < at.Start {
		return source.Span{}
	}
	return at
}

// outOfLoop is the number of the trace of tensors that belong to the graph of a loop's body that has ended: see live in
// tensorflow/_core.py.
const outOfLoop = value.Int(-2)

// leavesGraphLoop is called before a loop that becomes an operation, and what it returns after it: what the body added to a list
// that was empty are tensors of the body's own graph, and numbers that the body changes are tensors.
func (in *Interp) leavesGraphLoop(f *frame, loop ast.Stmt, body []ast.Stmt) (leave func()) {
	var empty []*value.List
	if f.prelude {
		return func() {}
	}
	outer := in.retraces.graphLoop
	if in.retraces.graph {
		in.retraces.graphLoop = graphLoop{f, loop.Span(), body}
	}
	numbers := in.loopNumbers(f, body)
	for _, v := range f.V {
		if l, ok := v.(*value.List); ok && l.Open == nil && len(l.Elems) == 0 {
			empty = append(empty, l)
		}
	}
	leaked := func(v value.Value) value.Value {
		x, ok := isWrapped(v)
		if !ok {
			return v
		}
		attrs := in.heap.NewAttrs()
		for k := range x.Attrs.Len() {
			name := x.Attrs.Name(k)
			w, _ := x.Attrs.Get(name)
			attrs.Set(&in.heap, name, w)
		}
		attrs.Set(&in.heap, "_t", outOfLoop)
		return &value.Instance{Class: x.Class, Attrs: attrs}
	}
	return func() {
		in.retraces.graphLoop = outer
		numbers()
		for _, l := range empty {
			switch {
			case l.Open != nil:
				in.heap.Touch(l)
				l.Open = &value.Open{Elem: leaked(l.Open.Elem), Len: l.Open.Len}
			case len(l.Elems) > 0:
				in.heap.Touch(l)
				l.Elems = slices.Clone(l.Elems)
				for i := range l.Elems {
					l.Elems[i] = leaked(l.Elems[i])
				}
			}
		}
	}
}
