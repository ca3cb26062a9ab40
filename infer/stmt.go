package infer

// This file executes statements.
//
// It also says what an assert that failed compares. A statement gives a flow (next, breaks,
// continues, returns) and an error. An error is an exception of the program (value.Exception),
// which handlers look at, or the end of the run, which goes up to the entry. Before most operations
// f.at is set to the place that a fault of it would name. Statements that divide the paths (if,
// loops, try) are in files of their own; this one has the simple ones and the dispatch.

import (
	"errors"
	"fmt"
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// block executes statements until one leaves the block. The statements after one that leaves it are
// not executed.
func (in *Interp) block(f *frame, list []ast.Stmt) (flow, error) {
	for i, s := range list {
		fl, err := in.stmt(f, s, list[i+1:])
		in.flow.forSeveral()
		if err != nil || fl != next {
			return fl, err
		}
	}
	return next, nil
}

// stmt executes one statement. rest are the statements after it in its block. They are needed where
// a branch is followed to the end of the block on both sides.
func (in *Interp) stmt(f *frame, s ast.Stmt, rest []ast.Stmt) (flow, error) {
	in.spent.steps++
	// The line counts as reached.
	in.rec.reached(f, s)
	if in.cfg.NoteRan {
		in.rec.noteRan(f, s)
	}
	switch s := s.(type) {
	case *ast.ExprStmt:
		v, err := in.eval(f, s.Value)
		if err == nil {
			in.rec.exprLine(f, s, v)
			in.annotations.checkComment(f, s, []written{{value: v}})
		}
		return next, err
	// The value is evaluated once, then written to each target from left to right.
	case *ast.Assign:
		v, err := in.evalFor(f, s.Value, s.Targets)
		if err != nil {
			return next, err
		}
		for _, t := range s.Targets {
			if err := in.assign(f, t, v); err != nil {
				return next, err
			}
			in.annotations.checkField(f, t, v)
			in.recordTarget(f, s, t, v)
		}
		if len(s.Targets) == 1 {
			in.annotations.checkComment(f, s, in.annotations.written(f, s.Targets[0], v))
		}
	case *ast.AnnAssign:
		return next, in.annAssign(f, s)
	case *ast.AugAssign:
		return next, in.augAssign(f, s)
	case *ast.Return:
		// A bare return gives None.
		f.ret = value.None
		if s.Value != nil {
			v, err := in.eval(f, s.Value)
			if err != nil {
				return next, err
			}
			f.ret = v
		}
		in.rec.returned(f, s, f.ret)
		in.annotations.checkReturn(f, s, f.ret)
		in.annotations.checkComment(f, s, []written{{value: f.ret}})
		return returns, nil
	case *ast.If:
		// The condition may be symbolic; graphIf follows the sides that are possible, or makes an
		// If of the graph.
		t, err := in.test(f, s.Test)
		if err != nil {
			return next, err
		}
		// A run that looks at the other side of a branch turns its test here.
		t = in.deciding.flipped(f, s.Test, t)
		in.exceptions.noteProgram(f, s)
		d, t := in.deciding.decides(f, DecisionIf, s.Span(), s.Test.Span(), t)
		d.guards(s.Body, s.Else)
		way := func(list []ast.Stmt, then bool) func() (flow, error) {
			return func() (flow, error) {
				if f.fn != nil || in.cfg.Script != nil {
					in.rec.decides(f, s, rest, then)
				}
				return in.block(f, list)
			}
		}
		fl, err := in.tracing.graphIf(f, s, rest, t, way(s.Body, true), way(s.Else, false))
		return fl, in.tracing.refuses(f, s.Span(), err)
	case *ast.For:
		fl, err := in.forStmt(f, s)
		return fl, in.tracing.refuses(f, s.Span(), err)
	case *ast.While:
		fl, err := in.whileStmt(f, s)
		return fl, in.tracing.refuses(f, s.Span(), err)
	case *ast.FunctionDef:
		return next, in.funcDef(f, s)
	case *ast.ClassDef:
		return next, in.classDef(f, s)
	case *ast.With:
		return in.exceptions.withStmt(f, s, 0)
	case *ast.Try:
		return in.exceptions.tryStmt(f, s)
	case *ast.Raise:
		return next, in.raiseStmt(f, s)
	case *ast.Assert:
		return next, in.assertStmt(f, s)
	case *ast.Import:
		return next, in.importStmt(f, s)
	case *ast.ImportFrom:
		return next, in.importFrom(f, s)
	// Targets are deleted from left to right.
	case *ast.Delete:
		for _, t := range s.Targets {
			if err := in.deleteTarget(f, t); err != nil {
				return next, err
			}
		}
	case *ast.Match:
		return in.patterns.matchStmt(f, s, s.Cases, nil)
	case *ast.Break:
		return breaks, nil
	case *ast.Continue:
		return continues, nil
	// Names were resolved before the run.
	case *ast.Pass, *ast.Global, *ast.Nonlocal:
	// A type alias is an object of which nothing is known.
	case *ast.TypeAlias:
		return next, in.store(f, s.Name, in.heap.NewInstance(in.world.Class("object")))
	default:
		return next, fmt.Errorf("infer: statement %T", s)
	}
	return next, nil
}

// test evaluates a condition to a Bool or SymBool. not, and, or are evaluated for their truth
// alone, so that of "x or True" with an unknown x the truth is known.
func (in *Interp) test(f *frame, e ast.Expr) (value.Value, error) {
	switch e := e.(type) {
	case *ast.BoolOp:
		return in.testBoolOp(f, e, 0)
	case *ast.UnaryOp:
		if e.Op == ast.Not {
			t, err := in.test(f, e.Operand)
			if err != nil {
				return nil, err
			}
			return negated(in, t), nil
		}
	}
	v, err := in.eval(f, e)
	if err != nil {
		return nil, err
	}
	// A tensor under a tracer that makes graphs is a condition of the graph.
	f.at = e.Span()
	if t := in.tracing.graphTruth(f, v); t != nil {
		return t, nil
	}
	t, err := in.Truth(v)
	// A fault that settle turns to an unknown value has an unknown truth.
	if err != nil {
		if v, err = in.settle(f, nil, err); err != nil {
			return nil, err
		}
		return in.Truth(v)
	}
	return t, nil
}

// testBoolOp is evalBoolOp where only the truth of the result is asked for: of an
// operand that is unknown it is decided where the others are. i is the operand that is next.
func (in *Interp) testBoolOp(f *frame, e *ast.BoolOp, i int) (value.Value, error) {
	op := e.Op
	t, err := in.test(f, e.Values[i])
	if err != nil || i == len(e.Values)-1 {
		return t, err
	}
	// The operand may decide the whole, which is noted for reports.
	t = in.deciding.decidesOperand(f, e, i, t)
	rest := func() (value.Value, error) { return in.testBoolOp(f, e, i+1) }
	// A known truth decides whether the rest is evaluated; an unknown one follows both.
	if val, known := in.Holds(t); known {
		if val == (op == ast.And) {
			return rest()
		}
		return t, nil
	}
	short := func() (value.Value, error) { return value.Bool(op == ast.Or), nil }
	if op == ast.And {
		return in.flow.branch(f, t, rest, short)
	}
	return in.flow.branch(f, t, short, rest)
}

// assign writes v to a target. Object and index are evaluated here, after the value, as in Python.
func (in *Interp) assign(f *frame, t ast.Expr, v value.Value) error {
	switch t := t.(type) {
	case *ast.Name:
		return in.store(f, t, v)
	case *ast.Attribute:
		obj, err := in.eval(f, t.Value)
		if err != nil {
			return err
		}
		f.at = t.Span()
		return in.settled(f, in.SetAttr(obj, mangle(f, t.Attr.Name), v))
	case *ast.Subscript:
		obj, err := in.eval(f, t.Value)
		if err != nil {
			return err
		}
		i, err := in.eval(f, t.Index)
		if err != nil {
			return err
		}
		f.at = t.Span()
		return in.settled(f, in.SetItem(obj, i, v))
	// Lists and tuples of targets are the same.
	case *ast.Tuple:
		return in.unpack(f, t.Elts, v, t)
	case *ast.List:
		return in.unpack(f, t.Elts, v, t)
	case *ast.Starred:
		return in.assign(f, t.Value, v)
	}
	return fmt.Errorf("infer: assignment to %T", t)
}

// settled is settle for an operation without a result. A fault that was reported is no error from
// then on.
func (in *Interp) settled(f *frame, err error) error {
	if err == nil {
		return nil
	}
	_, err = in.settle(f, nil, err)
	return err
}

// evalFor is eval of what is assigned to the targets: their number is that of the
// elements of a display in which one starred operand has an unknown length. For example a, b, c =
// x, *rest: the unknown length of rest is the two that are left.
func (in *Interp) evalFor(f *frame, e ast.Expr, targets []ast.Expr) (value.Value, error) {
	from, ok := e.(*ast.Tuple)
	if !ok || len(targets) != 1 {
		return in.eval(f, e)
	}
	to, ok := targets[0].(*ast.Tuple)
	if !ok || countStarred(from.Elts) != 1 || countStarred(to.Elts) != 0 {
		return in.eval(f, e)
	}
	elems, err := in.evalAll(f, from.Elts)
	if err != nil {
		return nil, err
	}
	// How many elements the starred operand must have.
	n := len(to.Elts) - (len(elems) - 1)
	at := slices.IndexFunc(elems, func(v value.Value) bool { _, open := v.(*openElems); return open })
	if at < 0 || n < 0 {
		return in.tupleOf(elems), nil
	}
	// That it has so many becomes a condition.
	o := elems[at].(*openElems).open
	if o.Len.Expr != nil {
		f.at = to.Span()
		err := in.flow.need(in.pool.Eq(o.Len.Expr, in.pool.Const(int64(n))), "unpacking", func() error {
			return failAt(in, "ValueError", diag.BadValue, f.at, "%s for the starred value, but it has %s", plural(n, "target"), o.Len)
		})
		if err != nil {
			return in.tupleOf(elems), in.settled(f, err)
		}
	}
	return value.NewTuple(slices.Replace(elems, at, at+1, slices.Repeat([]value.Value{o.Elem}, n)...)...), nil
}

// countStarred counts operands with a star.
func countStarred(list []ast.Expr) int {
	n := 0
	for _, e := range list {
		if _, ok := e.(*ast.Starred); ok {
			n++
		}
	}
	return n
}

// unpack writes the elements of v to several targets, one of which may be starred. After a fault
// each target is unknown, so that the run can go on.
func (in *Interp) unpack(f *frame, targets []ast.Expr, v value.Value, at ast.Node) error {
	err := in.tryUnpack(f, targets, v, at)
	if err == nil {
		return nil
	}
	if _, err = in.settle(f, nil, err); err != nil {
		return err
	}
	return in.assignAll(f, targets, in.losses.unknown(&value.Cause{At: at.Span(), Reason: "it could not be unpacked", Reported: true}))
}

// assignAll writes one value to all targets. A starred target gets the value itself.
func (in *Interp) assignAll(f *frame, targets []ast.Expr, x value.Value) error {
	for _, t := range targets {
		if s, ok := t.(*ast.Starred); ok {
			t = s.Value
		}
		if err := in.assign(f, t, x); err != nil {
			return err
		}
	}
	return nil
}

// tryUnpack is unpack whose fault is not dealt with: an alternative of a choice
// that has another number of elements is excluded.
func (in *Interp) tryUnpack(f *frame, targets []ast.Expr, v value.Value, at ast.Node) error {
	// A shape of unknown rank that is unpacked into n names has n sizes: a rank to try.
	if u, ok := v.(*value.Unknown); ok && u.ShapeOf != nil && countStarred(targets) == 0 {
		shape, err := in.rankTrials.unpackedShape(u, len(targets))
		if err != nil {
			return err
		}
		v = shape
	}
	if value.IsUnknown(v) {
		return in.assignAll(f, targets, v)
	}
	// Each alternative is unpacked by itself.
	if c, ok := v.(*value.Choice); ok {
		_, err := in.distribute(c, func(v value.Value) (value.Value, error) {
			return value.None, in.tryUnpack(f, targets, v, at)
		})
		return err
	}
	f.at = at.Span()
	star := -1
	for i, t := range targets {
		if _, ok := t.(*ast.Starred); ok {
			star = i
		}
	}
	// The elements are all read before any is assigned, as in CPython.
	var elems []value.Value
	err := in.Iterate(v, func(x value.Value) error {
		elems = append(elems, x)
		return in.Step(1)
	})
	var open *value.OpenError
	if errors.As(err, &open) {
		return in.unpackOpen(f, targets, star, open.Open)
	}
	if err != nil {
		return err
	}
	n := len(targets)
	if star < 0 && len(elems) != n || star >= 0 && len(elems) < n-1 {
		kind := "too many values to unpack"
		if len(elems) < n {
			kind = "not enough values to unpack"
		}
		err := failAt(in, "ValueError", diag.BadValue, spanIn(in, f, at), "%s: %s on the left, but %s is %s", kind, plural(n, "target"),
			describeShort(v),
			plural(len(elems), "value"))
		// Elements that are sizes make the fault one of a wrong rank, for which there are fixes.
		if sizes, ok := sizesOf(elems, in.pool); ok && len(elems) > 0 {
			err = value.Saying(err, diag.Fact{Kind: diag.WrongRank, Of: sizes.String(), Wants: int64(n)})
		}
		return err
	}
	for i, t := range targets {
		switch {
		case star < 0 || i < star:
			err = in.assign(f, t, elems[i])
		case i == star:
			end := len(elems) - (n - 1 - i)
			// A starred target always gets a list.
			err = in.assign(f, t.(*ast.Starred).Value, in.heap.NewList(append([]value.Value(nil), elems[i:end]...)))
		default:
			err = in.assign(f, t, elems[len(elems)-(n-i)])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sizesOf are values as the sizes of a shape; false where one is no integer. Booleans and other
// integers count as sizes.
func sizesOf(elems []value.Value, p *symshape.Pool) (symshape.Shape, bool) {
	out := make(symshape.Shape, len(elems))
	for i, e := range elems {
		d, ok := value.AsDim(p, e)
		if !ok {
			return nil, false
		}
		out[i] = d
	}
	return out, true
}

// describeShort is a value for a message, if it is short.
func describeShort(v value.Value) string {
	s := v.String()
	if len(s) > 60 {
		return "the value"
	}
	return s
}

// unpackOpen unpacks elements of unknown number: that it fits becomes a condition, and each target
// gets an element in general.
func (in *Interp) unpackOpen(f *frame, targets []ast.Expr, star int, o *value.Open) error {
	n := len(targets)
	if o.Len.Expr != nil {
		want := in.pool.Const(int64(n))
		c := in.pool.Eq(o.Len.Expr, want)
		if star >= 0 {
			c = in.pool.Ge(o.Len.Expr, in.pool.Const(int64(n-1)))
		}
		err := in.flow.need(c, "unpacking", func() error {
			return failAt(in, "ValueError", diag.BadValue, f.at, "%s on the left, but there are %s values", plural(n, "target"), o.Len)
		})
		if err != nil {
			return err
		}
	}
	for i, t := range targets {
		if i == star {
			if err := in.assign(f, t.(*ast.Starred).Value, in.heap.NewOpenList(sizesWithout(in, o, n-1))); err != nil {
				return err
			}
			continue
		}
		if err := in.assign(f, t, o.Elem); err != nil {
			return err
		}
	}
	return nil
}

// sizesWithout describes elements of which n were taken away. The open part itself is not changed.
func sizesWithout(th value.Thread, o *value.Open, n int) *value.Open {
	if n == 0 || o.Len.Expr == nil {
		return o
	}
	return &value.Open{Elem: o.Elem, Key: o.Key, Len: th.Pool().DimSub(o.Len, th.Pool().ConstDim(int64(n)))}
}

// annAssign assigns the value, if there is one, compares it with the annotation, and notes the
// annotation of a class or module.
func (in *Interp) annAssign(f *frame, s *ast.AnnAssign) error {
	if s.Value != nil {
		v, err := in.eval(f, s.Value)
		if err != nil {
			return err
		}
		if err := in.assign(f, s.Target, v); err != nil {
			return err
		}
		in.rec.line(f, s, s.Target, v)
		in.annotations.checkAnnotated(f, s, v)
		in.annotations.checkComment(f, s, in.annotations.written(f, s.Target, v))
	}
	// A parenthesised target is not simple, and has no entry in __annotations__.
	if n, ok := s.Target.(*ast.Name); ok && s.Simple && f.ns != nil {
		return in.annotate(f, mangle(f, n.ID), s.Annotation)
	}
	return nil
}

// annotate records a class- or module-level annotation. It is evaluated, as
// Python does; one that cannot be evaluated is kept as its text.
func (in *Interp) annotate(f *frame, name string, ann ast.Expr) error {
	v, ok := f.ns.Get("__annotations__")
	d, isDict := v.(*value.Dict)
	if !ok || !isDict {
		d = in.heap.NewDict()
		f.ns.Set(&in.heap, "__annotations__", d)
	}
	// Diagnostics of an annotation do not count, as it may name what only a type checker knows.
	x, err := in.quietly(func() (value.Value, error) { return in.eval(f, ann) })
	if err != nil {
		if fatal(err) {
			return err
		}
		x = value.Str(f.unit.file.Slice(ann.Span()))
	}
	d.SetStr(&in.heap, name, x)
	return nil
}

// augAssign runs an augmented assignment. Object and index of the target are evaluated once, before the right side, as
// in Python; the result is stored even where the operation changed the old value in place. The
// error is that of evaluating, of the operation, or of storing.
func (in *Interp) augAssign(f *frame, s *ast.AugAssign) error {
	var obj, index value.Value
	var old value.Value
	var err error
	switch t := s.Target.(type) {
	// A copy of the name that is read rather than stored.
	case *ast.Name:
		old, err = in.eval(f, &ast.Name{Loc: t.Loc, ID: t.ID, Index: t.Index})
	case *ast.Attribute:
		if obj, err = in.eval(f, t.Value); err == nil {
			f.at = t.Span()
			if old, err = in.GetAttr(obj, mangle(f, t.Attr.Name)); err != nil {
				old, err = in.settle(f, nil, err)
			}
		}
	case *ast.Subscript:
		if obj, err = in.eval(f, t.Value); err != nil {
			return err
		}
		if index, err = in.eval(f, t.Index); err != nil {
			return err
		}
		f.at = t.Span()
		if old, err = in.GetItem(obj, index); err != nil {
			old, err = in.settle(f, nil, err)
		}
	default:
		return fmt.Errorf("infer: augmented assignment to %T", t)
	}
	if err != nil {
		return err
	}
	v, err := in.eval(f, s.Value)
	if err != nil {
		return err
	}
	f.at = s.Span()
	// restore is for an operation on a part of a tensor that is then written back.
	restore := beyondView(in, obj, old)
	r, err := in.inPlace(s.Op, old, v)
	// The method in place of the old value, or the operator.
	if err != nil {
		in.adviseInPlace(f, s, old, v, err)
		if r, err = in.settle(f, nil, err); err != nil {
			return err
		}
	}
	switch t := s.Target.(type) {
	case *ast.Name:
		err = in.store(f, t, r)
	case *ast.Attribute:
		f.at = t.Span()
		err = in.settled(f, in.SetAttr(obj, mangle(f, t.Attr.Name), r))
	case *ast.Subscript:
		f.at = t.Span()
		// The part was changed in place, and is written as a whole.
		if r == old {
			restore()
		}
		err = in.settled(f, in.SetItem(obj, index, r))
	}
	in.rec.line(f, s, s.Target, r)
	in.annotations.checkComment(f, s, in.annotations.written(f, s.Target, r))
	return err
}

// beyondView gives what restores the elements of obj after a change of its view part, which the caller then writes into
// it: the change makes all of them unknown, though it leaves those beyond the part as they were.
func beyondView(th value.Thread, obj, part value.Value) func() {
	t, ok := obj.(*value.Tensor)
	view, isView := part.(*value.Tensor)
	if !ok || !isView || t.Storage == nil || t.Storage != view.Storage {
		return func() {}
	}
	elems := t.Contents()
	return func() {
		if elems != nil {
			th.Heap().Touch(t)
			t.SetContents(elems)
		}
	}
}

// deleteTarget deletes a name, attribute or item, or all of a list of them.
func (in *Interp) deleteTarget(f *frame, t ast.Expr) error {
	switch t := t.(type) {
	case *ast.Name:
		return in.settled(f, in.deleteName(f, t))
	case *ast.Attribute:
		obj, err := in.eval(f, t.Value)
		if err != nil {
			return err
		}
		f.at = t.Span()
		return in.settled(f, in.DelAttr(obj, mangle(f, t.Attr.Name)))
	case *ast.Subscript:
		obj, err := in.eval(f, t.Value)
		if err != nil {
			return err
		}
		i, err := in.eval(f, t.Index)
		if err != nil {
			return err
		}
		f.at = t.Span()
		return in.settled(f, in.DelItem(obj, i))
	case *ast.Tuple:
		for _, e := range t.Elts {
			if err := in.deleteTarget(f, e); err != nil {
				return err
			}
		}
	case *ast.List:
		for _, e := range t.Elts {
			if err := in.deleteTarget(f, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// funcDef makes the function and binds it after its decorators.
func (in *Interp) funcDef(f *frame, s *ast.FunctionDef) error {
	fn, err := in.makeFunc(f, s.Name.Name, s, s.Params, s.Scope)
	if err != nil {
		return err
	}
	return in.decorate(f, s.Decorators, s.Name.Name, fn)
}

// decorate applies decorators, innermost first, and binds the name. Decorators are evaluated from
// the outermost in, before any is called.
func (in *Interp) decorate(f *frame, decorators []ast.Expr, name string, v value.Value) error {
	decs, err := in.evalAll(f, decorators)
	if err != nil {
		return err
	}
	for i := len(decs) - 1; i >= 0; i-- {
		f.at = decorators[i].Span()
		// A decorator that is not known is taken to leave the function as it is:
		// nearly all register it or wrap it without touching shapes.
		if u, ok := decs[i].(*value.Unknown); ok {
			in.rec.assumed(u.Cause, "decorator taken as identity")
			in.decoratedBy(v, u.Cause)
			continue
		}
		// Decorators of libraries that change documentation are known to leave the function.
		if in.imports.rewritesDoc(decs[i]) {
			continue
		}
		r, err := in.Call(decs[i], []value.Value{v}, nil)
		if err != nil {
			if r, err = in.settle(f, nil, err); err != nil {
				return err
			}
		}
		// A decorator whose result is not known counts as the identity as well, which is noted as
		// an assumption.
		if value.IsUnknown(r) {
			in.rec.assumed(r.(*value.Unknown).Cause, "decorator taken as identity")
			in.decoratedBy(v, r.(*value.Unknown).Cause)
			continue
		}
		v = r
	}
	return in.bind(f, mangle(f, name), v)
}

// assertStmt runs an assertion. One whose condition is not known is taken to hold from then on, as a condition of the
// contract, unless the program catches its AssertionError: then both outcomes are followed.
func (in *Interp) assertStmt(f *frame, s *ast.Assert) error {
	t, err := in.tracers.assert(f, func() (value.Value, error) { return in.tracing.testInPython(f, s.Test) })
	if err != nil {
		return err
	}
	// fail makes the AssertionError; the message is evaluated only then, and without diagnostics.
	fail := func() error {
		msg := ""
		if s.Msg != nil {
			v, err := in.quietly(func() (value.Value, error) { return in.eval(f, s.Msg) })
			if err != nil {
				return err
			}
			msg, _ = in.Str(v)
		}
		f.at = s.Span()
		inst := in.world.Exception("AssertionError", msg)
		e := &value.Exception{Value: inst, At: s.Span(), Frames: in.userFrames(), Sides: in.sides(f, s.Test),
			Negative: in.compared.isNegative() && s.Test.Span().Contains(in.compared.rightOf.Span())}
		// A failing assert of a library's code is a fault of the user's call.
		if f.prelude {
			e.At = in.Here()
			if msg == "" {
				msg = "assert " + in.SpanText(s.Test.Span())
			}
			e.Diag = diag.New(diag.BadValue, e.At, msg)
			e.Diag.Sizes.Negative = e.Negative
		}
		return e
	}
	d, t := in.deciding.decides(f, DecisionAssert, s.Span(), s.Test.Span(), t)
	if d != nil {
		d.Raises[0] = true
	}
	val, known := in.Holds(t)
	in.suite.noteAssert(s.Span(), "", val, known)
	if known {
		if val {
			return nil
		}
		// A tracer may drop asserts.
		for _, t := range in.tracers.all {
			if goesOn, err := t.AssertFails(fail); goesOn || err != nil {
				return err
			}
		}
		return fail()
	}
	// A handler may catch it, so that both ways are followed.
	if len(in.handlers) > 0 && in.flow.kept(&value.Exception{Value: in.world.Exception("AssertionError", "")}) {
		_, err := in.flow.ifStmt(f, t, func() (flow, error) { return next, nil }, func() (flow, error) { return next, fail() })
		return err
	}
	// The run goes on where it holds.
	if !in.flow.require(cond(in, t), "", whyAssert) {
		return fail()
	}
	return nil
}

// raiseStmt raises an exception. One of the library's own Python code gets a diagnostic at the user's call, as a fault
// of that call; one of the user's code has none, since the program means it.
func (in *Interp) raiseStmt(f *frame, s *ast.Raise) error {
	// raise without an exception raises again the one whose handler runs.
	if s.Exc == nil {
		if e := in.exceptions.handled(); e != nil {
			return e
		}
		return in.Raise("RuntimeError", "No active exception to reraise")
	}
	negative := in.compared.isNegative() && guardOf(f, s).Contains(in.compared.rightOf.Span())
	v, printed, err := in.evalPrinting(f, s.Exc)
	if err != nil {
		return err
	}
	f.at = s.Span()
	// Either exception of a choice is raised; the first stands for both.
	if c, ok := v.(*value.Choice); ok {
		v = raiseAgain(in, c.Then)
	}
	// A class is called without arguments.
	if c, ok := v.(*value.Class); ok {
		if v, err = in.Call(c, nil, nil); err != nil {
			return err
		}
	}
	inst, ok := v.(*value.Instance)
	if !ok { // an unknown exception: raised all the same
		inst = in.world.Exception("Exception", "")
	}
	// The cause may be None, which hides the context.
	if s.Cause != nil {
		cause, err := in.eval(f, s.Cause)
		if err != nil {
			return err
		}
		inst.Attrs.Set(&in.heap, "__cause__", cause)
	}
	in.exceptions.setContext(inst)
	f.at = s.Span()
	if !f.prelude {
		in.suite.noteRaise(inst)
	}
	e := &value.Exception{Value: inst, At: spanIn(in, f, s), Frames: in.userFrames(), Negative: negative}
	// sys.exit of a library is no fault.
	if f.prelude && !in.entry.isExit(inst) {
		text, _ := in.Str(inst)
		e.At = in.Here()
		if text == "" {
			text = "raises " + inst.Class.Name
		}
		e.Diag = diag.New(preludeCode(inst), e.At, in.exceptions.preludeText(f, text))
		if len(printed) > 0 {
			e.Diag.Measured(in.SpanText(s.Span()), printed...)
		}
		e.Diag.Sizes.Negative = e.Diag.Sizes.Negative || negative
		// For advice: what the library has not may be in a newer version.
		if inst.Class.Name == "NotImplementedError" {
			e.Diag.Fact.Kind = diag.NotImplemented
		}
		e.Diag.Related = raisedOver(f, e.At)
	}
	return e
}

// evalPrinting is eval of what a raise statement makes; of the library's own code it also gives the values that f-strings print, as
// values of a message.
func (in *Interp) evalPrinting(f *frame, e ast.Expr) (v value.Value, printed []any, err error) {
	if !f.prelude {
		v, err = in.eval(f, e)
		return v, nil, err
	}
	outer := in.printed
	in.printed = &[]value.Value{}
	v, err = in.eval(f, e)
	for _, x := range *in.printed {
		printed = append(printed, measurable(in.Pool(), x))
	}
	in.printed = outer
	return v, printed, err
}

// measurable is a value as messages have it: a size for an integer, a shape for a sequence of them.
func measurable(p *symshape.Pool, v value.Value) any {
	if d, ok := value.AsDim(p, v); ok {
		return d
	}
	elems, ok := value.AsSequence(v)
	shape := make(symshape.Shape, 0, len(elems))
	for _, e := range elems {
		d, isSize := value.AsDim(p, e)
		ok = ok && isSize
		shape = append(shape, d)
	}
	if ok {
		return shape
	}
	return v
}

// guardOf is the condition of the innermost if around a raise statement of a function; empty where there is none.
func guardOf(f *frame, s *ast.Raise) (guard source.Span) {
	if f.fn == nil {
		return guard
	}
	at := s.Span()
	ast.Inspect(f.code.Definition(), func(n ast.Node) bool {
		if n == nil || !n.Span().Contains(at) {
			return false
		}
		if c, ok := n.(*ast.If); ok {
			guard = c.Test.Span()
		}
		return true
	})
	return guard
}

// raisedOver are the lines that made what a function of a library refuses: the tensors that it was called with, and the first
// parameter of the layer whose method it is. here is the user's call; lines in it are not named, as
// the fault is there already.
func raisedOver(f *frame, here source.Span) []diag.Related {
	var tensors []*value.Tensor
	var layer []diag.Related
	for _, a := range f.args {
		switch a := a.(type) {
		case *value.Tensor:
			tensors = append(tensors, a)
		case *value.Instance:
			if p := firstParameter(a); p != nil && p.V.At.IsValid() && !here.Contains(p.V.At) && layer == nil {
				layer = []diag.Related{{At: p.V.At, Msg: fmt.Sprintf("the layer, whose first parameter is %s", &p.V.Type)}}
			}
		}
	}
	return append(ops.Producers(tensors, here, nil), layer...)
}

// firstParameter is the first parameter that a module holds itself, nil without one. Modules keep
// parameters in their order.
func firstParameter(m *value.Instance) *value.Tensor {
	v, _ := m.Attrs.Get("_parameters")
	d, ok := v.(*value.Dict)
	for i := 0; ok && i < d.Len(); i++ {
		if t, ok := d.At(i).(*value.Tensor); ok {
			return t
		}
	}
	return nil
}

// handled is the exception whose handler runs; nil where none does. Handlers of callers count, as
// in Python.
func (ex *exceptions) handled() *value.Exception {
	for g := ex.in.stack.frame; g != nil; g = g.caller {
		if g.current != nil {
			return g.current
		}
	}
	return nil
}

// setContext notes in an exception that is being raised the one whose handler runs. An exception is
// not its own context.
func (ex *exceptions) setContext(inst *value.Instance) {
	if e := ex.handled(); e != nil && e.Value != inst {
		inst.Attrs.Set(&ex.heap, "__context__", e.Value)
	}
}

// preludeCode is the code of an error that library code raises itself. Library code may state the
// code in an attribute of the exception.
func preludeCode(e *value.Instance) diag.Code {
	if c, ok := e.Attrs.Get("__shapecheck_code__"); ok {
		if s, ok := value.AsStr(c); ok {
			return diag.Code(s)
		}
	}
	switch e.Class.Name {
	case "RuntimeError":
		return diag.ShapeMismatch
	}
	return raiseCode(e.Class.Name)
}

// A compared is the comparison that was made last. It is written by the interpreter at each
// comparison, and read when a test failed.
type compared struct {
	op              ast.CmpOperator
	leftOf, rightOf ast.Expr
	left, right     value.Value
}

// isNegative reports whether a side of the comparison is a negative number, or 0 where the program asks for a positive one.
func (c *compared) isNegative() bool {
	if c.rightOf == nil {
		return false
	}
	asked := c.op >= ast.Lt && c.op <= ast.GtE && c.left == value.Int(0) && (c.right == value.Int(0) || c.right == value.Int(1))
	return asked || isNegative(c.left) || isNegative(c.right)
}

// isNegative reports whether a value is a negative number, or a size that is one.
func isNegative(v value.Value) bool {
	switch v := v.(type) {
	case value.Int:
		return v < 0
	case value.Float:
		return v < 0
	case *value.SymInt:
		_, hi := v.D.Expr.Bounds()
		return v.D.Expr != nil && hi < 0
	}
	return false
}

// maxSide bounds the characters shown of a side, and of its value.
const maxSide = 60

// sides are the two sides of the comparison that made a test fail, the last one that it made; none where it compared nothing. A
// side that is a number or a text in the source says its value itself. A comparison outside of the
// test was made by a function that the test calls.
func (in *Interp) sides(f *frame, test ast.Expr) []diag.Operand {
	c := in.compared
	if c.leftOf == nil || f.prelude {
		return nil
	}
	if at, of := test.Span(), c.rightOf.Span(); of.Start < at.Start || of.End > at.End {
		return nil
	}
	var out []diag.Operand
	for _, x := range [...]struct {
		of ast.Expr
		v  value.Value
	}{{c.leftOf, c.left}, {c.rightOf, c.right}} {
		out = append(out, diag.Operand{Name: shortSide(in.SpanText(x.of.Span())), Type: shortSide(in.shownSide(x.v)), Fault: -1})
	}
	return out
}

// shownSide is a number or a shape as Python prints it, and else the type of a value. The text of a
// tensor is its type.
func (in *Interp) shownSide(v value.Value) string {
	if _, isTensor := v.(*value.Tensor); isTensor {
		return v.String()
	}
	in.quiet++
	text, known := in.Repr(v)
	if in.quiet--; known {
		return text
	}
	return v.String()
}

// shortSide cuts a text to maxSide characters.
func shortSide(s string) string {
	if r := []rune(s); len(r) > maxSide {
		return string(r[:maxSide-1]) + "…"
	}
	return s
}
