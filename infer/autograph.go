package infer

// This file says which loops AutoGraph does not make operations of: it refuses a return in a loop over tensors, and a way
// out of a loop of Python that a tensor decides; which tensors are of the graph of a body; and which of Python's own
// functions AutoGraph makes operations of where they get tensors.

import (
	"iter"
	"maps"
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
func (tc *tracing) refusesLoop(f *frame, at source.Span, body []ast.Stmt) error {
	always := slices.ContainsFunc(body, func(s ast.Stmt) bool { _, ok := s.(*ast.Return); return ok })
	if r, _ := exits(body); !r || always || f.prelude || !tc.graph {
		return nil
	}
	f.at = at
	return tc.in.Fail(notConverted, diag.New(diag.TraceFails, at, "a return statement cannot be placed inside of a loop over tensors"))
}

// inPython notes that a loop of Python runs while a graph is made, until what it returns is called.
func (tc *tracing) inPython(f *frame, at source.Span) (leave func()) {
	r := tc.retraces
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
func (tc *tracing) refusesExit(f *frame, s *ast.If) error {
	loop := tc.pythonLoop
	if loop.frame != f || f.prelude {
		return nil
	}
	r1, b1 := exits(s.Body)
	r2, b2 := exits(s.Else)
	switch {
	case r1 != r2:
		f.at = s.Span()
		return tc.in.Fail("ValueError", diag.New(diag.TraceFails, s.Test.Span(), "the other branch must also have a return statement"))
	case r1 || b1 || b2:
		f.at = loop.at
		return tc.in.Fail(notConverted, diag.New(diag.TraceFails, loop.at,
			"break and return statements which depend on a tensor are not supported in a loop of Python"))
	}
	return nil
}

// A graphLoop is a loop that becomes an operation, and whose body runs.
type graphLoop struct {
	frame *frame
	at    source.Span
	body  []ast.Stmt
}

// undefinedBefore is the exception of a graph for a variable that the body of a loop changes and that has no value before it; nil: it is
// none.
func (tc *tracing) undefinedBefore(f *frame, name string, at source.Span) error {
	loop := tc.graphLoop
	if loop.frame != f || at.Start < loop.body[0].Span().Start || !slices.ContainsFunc(loop.body,
		func(s ast.Stmt) bool { return givesValue(s, name) }) {
		return nil
	}
	f.at = loop.at
	return tc.in.Fail("ValueError", diag.New(diag.TraceFails, loop.at, "'"+name+"' must be defined before the loop"))
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
func (tc *tracing) onTensor(f *frame, t value.Value) bool {
	if !tc.graph || f.prelude {
		return false
	}
	_, known := tc.in.Holds(t)
	return !known && tc.ofTensor(cond(tc.in, t))
}

// graphVariable is the function of the prelude that gives what TensorFlow makes of a number that a loop changes.
const graphVariable = "loop_variable"

// loopVariables gives a loop that becomes an operation its variables: a number of Python that the body changes is a tensor
// there and after it, of the dtype that TensorFlow takes for it, as AutoGraph hands all variables of a loop to the operation.
func (tc *tracing) loopVariables(f *frame, loop ast.Stmt, body []ast.Stmt) error {
	m := tc.in.modules["tensorflow._core"]
	if m == nil {
		return nil
	}
	make, _ := m.Attrs.Get(graphVariable)
	for _, slot := range changedIn(f, loop, body) {
		switch f.V[slot].(type) {
		case value.Int, value.Float, value.Bool:
			v, err := tc.in.Call(make, []value.Value{f.V[slot]}, nil)
			if err != nil {
				return err
			}
			f.V[slot] = v
		}
	}
	return nil
}

// changedIn are the slots of the variables of a loop as AutoGraph finds them: its body gives them a value, and reads them before
// that or what runs after the body does.
func changedIn(f *frame, loop ast.Stmt, body []ast.Stmt) []int32 {
	if f.code == nil {
		return nil
	}
	local := func(x *ast.Name) (int32, bool) {
		b := f.unit.info.Names[x.Index]
		return b.Slot, b.Kind == resolve.Local && int(b.Slot) < len(f.V)
	}
	stored, read := map[int32]bool{}, map[int32]bool{}
	for x, loads := range namesInOrder(body) {
		if slot, ok := local(x); ok {
			read[slot] = read[slot] || loads && !stored[slot]
			stored[slot] = stored[slot] || !loads
		}
	}
	at := loop.Span()
	from := at.End
	if outer := outermostLoop(f.code.body, at); outer.IsValid() {
		from = outer.Start
	}
	for x, loads := range namesInOrder(f.code.body) {
		if slot, ok := local(x); ok && loads && x.Span().Start >= from && (x.Span().Start < at.Start || x.Span().Start >= at.End) {
			read[slot] = true
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(stored)), func(slot int32) bool { return !stored[slot] || !read[slot] })
}

// outermostLoop is the outermost of the loops around a loop; invalid: there is none.
func outermostLoop(list []ast.Stmt, at source.Span) (found source.Span) {
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.For, *ast.While:
				if x := n.Span(); !found.IsValid() && x != at && x.Start <= at.Start && at.End <= x.End {
					found = x
				}
			}
			return !found.IsValid()
		})
	}
	return found
}

// namesInOrder are the variables of statements in the order in which they run, and whether their values are read.
func namesInOrder(list []ast.Stmt) iter.Seq2[*ast.Name, bool] {
	return func(yield func(*ast.Name, bool) bool) {
		more := true
		var visit func(n ast.Node) bool
		walk := func(n ast.Node) {
			if more {
				ast.Inspect(n, visit)
			}
		}
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Assign: // the value comes first
				walk(n.Value)
				for _, t := range n.Targets {
					walk(t)
				}
				return false
			case *ast.AugAssign:
				if x, ok := n.Target.(*ast.Name); ok {
					more = more && yield(x, true)
				}
				walk(n.Value)
				walk(n.Target)
				return false
			case *ast.Name:
				more = more && yield(n, n.Ctx == ast.Load)
			}
			return more
		}
		for _, s := range list {
			walk(s)
		}
	}
}

// outOfLoop is the number of the trace of tensors that belong to the graph of a loop's body that has ended: see live in
// tensorflow/_core.py.
const outOfLoop = value.Int(-2)

// leavesGraphLoop is called before a loop that becomes an operation, and what it returns after it: what the body added to a list
// that was empty are tensors of the body's own graph.
func (tc *tracing) leavesGraphLoop(f *frame, loop ast.Stmt, body []ast.Stmt) (leave func()) {
	var empty []*value.List
	if f.prelude {
		return func() {}
	}
	outer := tc.graphLoop
	if tc.graph {
		tc.graphLoop = graphLoop{f, loop.Span(), body}
	}
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
		attrs := tc.in.heap.NewAttrs()
		for k := range x.Attrs.Len() {
			name := x.Attrs.Name(k)
			w, _ := x.Attrs.Get(name)
			attrs.Set(&tc.in.heap, name, w)
		}
		attrs.Set(&tc.in.heap, "_t", outOfLoop)
		return &value.Instance{Class: x.Class, Attrs: attrs}
	}
	return func() {
		tc.graphLoop = outer
		for _, l := range empty {
			switch {
			case l.Open != nil:
				tc.in.heap.Touch(l)
				l.Open = &value.Open{Elem: leaked(l.Open.Elem), Len: l.Open.Len}
			case len(l.Elems) > 0:
				tc.in.heap.Touch(l)
				l.Elems = slices.Clone(l.Elems)
				for i := range l.Elems {
					l.Elems[i] = leaked(l.Elems[i])
				}
			}
		}
	}
}

// graphBuiltins are those functions: of a symbolic tensor range is tf.range, int a cast, sorted a sort.
var graphBuiltins = map[string]bool{"range": true, "int": true, "float": true, "sorted": true}

// graphBuiltin gives what AutoGraph makes of the call of one of Python's functions; nil: it makes nothing of it.
func (tc *tracing) graphBuiltin(f *frame, fn value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	if !tc.graph || f.prelude || len(kw) > 0 {
		return nil, nil
	}
	name := tc.in.builtinName(fn)
	if !graphBuiltins[name] {
		return nil, nil
	}
	for _, a := range args {
		if i, ok := isWrapped(a); ok {
			return tc.in.CallMethod(i, "__shapecheck_builtin__", value.Str(name), tc.in.tupleOf(args))
		}
	}
	return nil, nil
}
