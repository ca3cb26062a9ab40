package infer

// This file splits groups of exceptions between the clauses of try … except*, as CPython 3.11 does.
// PEP 654 is the source of the rules: each clause takes the part of the group that it matches,
// clauses run one after the other, and what they raise is joined with what none took. An exception
// that is no group is wrapped for the clause.

import (
	"errors"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// members are the exceptions of a group. known is false where it is not known which they are. A
// group whose exceptions the program changed may have others than exceptions.
func (ex *exceptions) members(e *value.Instance) (list []*value.Instance, known bool) {
	v, _ := e.Attrs.Get("exceptions")
	t, ok := v.(*value.Tuple)
	if !ok {
		return nil, false
	}
	for _, x := range t.Elems {
		i, ok := x.(*value.Instance)
		if !ok {
			return nil, false
		}
		list = append(list, i)
	}
	return list, true
}

// isGroup reports whether an exception is a group.
func (ex *exceptions) isGroup(e *value.Instance) bool {
	return e.Class.IsSubclass(ex.world.Class("BaseExceptionGroup"))
}

// containsMatch reports whether an exception, or one in its groups, is of one of some classes. What
// is not known may be. Groups may contain each other, so each is visited once.
func (ex *exceptions) containsMatch(e *value.Instance, classes []*value.Class) bool {
	todo, visited := []*value.Instance{e}, map[*value.Instance]bool{}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if visited[x] {
			continue
		}
		visited[x] = true
		if isOneOf(x, classes) {
			return true
		}
		if ex.isGroup(x) {
			list, known := ex.members(x)
			if !known {
				return true
			}
			todo = append(todo, list...)
		}
	}
	return false
}

// isOneOf reports whether an exception is of one of some classes.
func isOneOf(e *value.Instance, classes []*value.Class) bool {
	for _, c := range classes {
		if e.Class.IsSubclass(c) {
			return true
		}
	}
	return false
}

// takesPart reports whether a clause of except* takes an exception or some of its group, or fails
// at it. The loop over handlers asks it to know whether a try statement catches e.
func (ex *exceptions) takesPart(f *frame, h *ast.ExceptHandler, e *value.Exception) bool {
	classes := ex.handlerClasses(f, h)
	return ex.containsMatch(e.Value, classes) || ex.namesGroup(classes)
}

// namesGroup reports whether one of some classes is that of groups, which except* refuses.
func (ex *exceptions) namesGroup(classes []*value.Class) bool {
	group := ex.world.Class("BaseExceptionGroup")
	return slices.ContainsFunc(classes, func(c *value.Class) bool { return c.IsSubclass(group) })
}

// A groupSplit divides groups by what takes says of their exceptions. A group that is in several
// others is divided once. parts has the result for each group, so that it is the same object
// wherever it stands.
type groupSplit struct {
	in    *Interp
	takes func(*value.Instance) bool
	parts map[*value.Instance]groupParts
}

// groupParts are what is taken of an exception and what is not; nil: nothing.
type groupParts struct{ taken, rest *value.Instance }

// split divides an exception. A group whose exceptions are not known is taken. The error is that of
// the program's derive, or of too many levels.
func (s *groupSplit) split(e *value.Instance) (groupParts, error) {
	if s.takes(e) {
		return groupParts{taken: e}, nil
	}
	if !s.in.exceptions.isGroup(e) {
		return groupParts{rest: e}, nil
	}
	// It was divided before.
	if p, ok := s.parts[e]; ok {
		return p, nil
	}
	list, known := s.in.exceptions.members(e)
	if !known {
		return groupParts{taken: e}, nil
	}
	if err := s.in.Enter(" in exceptiongroup_split_recursive"); err != nil {
		return groupParts{}, err
	}
	defer s.in.Leave()
	var taken, rest []*value.Instance
	for _, x := range list {
		p, err := s.split(x)
		if err != nil {
			return groupParts{}, err
		}
		if p.taken != nil {
			taken = append(taken, p.taken)
		}
		if p.rest != nil {
			rest = append(rest, p.rest)
		}
	}
	// Each part is a group of its own, made like the whole.
	p := groupParts{}
	var err error
	if p.taken, err = s.in.exceptions.deriveGroup(e, taken); err != nil {
		return p, err
	}
	if p.rest, err = s.in.exceptions.deriveGroup(e, rest); err != nil {
		return p, err
	}
	s.parts[e] = p
	return p, nil
}

// deriveGroup is a group like e of some of its exceptions; nil where there are none. The error is
// that of derive, or a TypeError for what is no group.
func (ex *exceptions) deriveGroup(e *value.Instance, list []*value.Instance) (*value.Instance, error) {
	if len(list) == 0 {
		return nil, nil
	}
	if _, ok := e.Class.Lookup("derive"); ok { // the program's own
		v, err := ex.in.CallMethod(e, "derive", ex.heap.NewList(asValues(list)))
		if err != nil {
			return nil, err
		}
		out, ok := v.(*value.Instance)
		if !ok || !ex.isGroup(out) {
			return nil, ex.in.Raise("TypeError", "derive must return an instance of BaseExceptionGroup")
		}
		return out, nil
	}
	msg, _ := e.Attrs.Get("message")
	out, err := ex.newGroup(msg, list)
	if err != nil {
		return nil, err
	}
	// Cause, context and notes go with each part.
	for _, name := range []string{"__cause__", "__context__", "__notes__"} {
		if v, ok := e.Attrs.Get(name); ok {
			out.Attrs.Set(&ex.heap, name, v)
		}
	}
	return out, nil
}

// newGroup is a group of exceptions. It is an ExceptionGroup if all are Exceptions, else a
// BaseExceptionGroup.
func (ex *exceptions) newGroup(msg value.Value, list []*value.Instance) (*value.Instance, error) {
	class := "ExceptionGroup"
	for _, x := range list {
		if !x.Class.IsSubclass(ex.world.Class("Exception")) {
			class = "BaseExceptionGroup"
		}
	}
	if msg == nil {
		msg = value.Str("")
	}
	v, err := ex.in.Call(ex.world.Class(class), []value.Value{msg, ex.heap.NewList(asValues(list))}, nil)
	if err != nil {
		return nil, err
	}
	return v.(*value.Instance), nil
}

// asValues is the list as values.
func asValues(list []*value.Instance) []value.Value {
	out := make([]value.Value, len(list))
	for i, x := range list {
		out[i] = x
	}
	return out
}

// A starTry is a try statement with except* whose clauses run. It lives while the clauses of one
// try statement run.
type starTry struct {
	in *Interp
	f  *frame
	e  *value.Exception // what its body raised
	// rest is what no clause has taken; nil: nothing.
	rest *value.Instance
	// raised is what clauses have raised, and again what they have raised again of e.
	raised []*value.Exception
	again  []*value.Instance
}

// starHandlers runs each clause that takes a part of an exception, and raises what is left and what
// they raise. A return or break in a clause ends all of it.
func (ex *exceptions) starHandlers(f *frame, s *ast.Try, e *value.Exception) (flow, error) {
	t := &starTry{in: ex.in, f: f, e: e, rest: e.Value}
	for _, h := range s.Handlers {
		if t.rest == nil {
			break
		}
		if fl, err := t.clause(h); err != nil || fl != next {
			return fl, err
		}
	}
	left, err := t.left()
	if left != nil && err == nil {
		err = left
	}
	return next, err
}

// clause runs a clause where it takes something. What it raises is kept; the error is another one.
// A TypeError says that the clause names a class of groups.
func (t *starTry) clause(h *ast.ExceptHandler) (flow, error) {
	in, f := t.in, t.f
	classes := in.exceptions.handlerClasses(f, h)
	if in.exceptions.namesGroup(classes) {
		f.at = h.Type.Span()
		return next, in.Raise("TypeError", "catching ExceptionGroup with except* is not allowed. Use except instead.")
	}
	p, err := in.exceptions.splitBy(t.rest, func(x *value.Instance) bool { return isOneOf(x, classes) })
	if err != nil || p.taken == nil {
		return next, err
	}
	t.rest = p.rest
	// The exception that the clause sees.
	m := &value.Exception{Value: p.taken, At: t.e.At, Frames: t.e.Frames}
	if !in.exceptions.isGroup(p.taken) {
		if m.Value, err = in.exceptions.newGroup(nil, []*value.Instance{p.taken}); err != nil {
			return next, err
		}
		m.Diag, m.Advise = t.e.Diag, t.e.Advise
	}
	fl, err := in.exceptions.handle(f, h, m)
	var x *value.Exception
	switch {
	// x is what the clause raised: the same exception again, or another one.
	case fatal(err) || err != nil && !errors.As(err, &x):
		return fl, err
	case x == m:
		t.again = append(t.again, m.Value)
		if !in.exceptions.isGroup(t.e.Value) { // then this is what is raised
			t.raised = append(t.raised, m)
		}
	case x != nil:
		t.raised = append(t.raised, x)
	}
	if err == nil {
		return fl, nil
	}
	return next, nil
}

// left is what is raised after all clauses; nil: nothing. Exceptions that were raised again and
// those that none took keep their places in the original group.
func (t *starTry) left() (*value.Exception, error) {
	in := t.in
	if !in.exceptions.isGroup(t.e.Value) { // at most one clause ran
		switch {
		case len(t.raised) > 0:
			return t.raised[0], nil
		case t.rest != nil:
			return t.e, nil
		}
		return nil, nil
	}
	// What was not handled.
	unhandled := map[*value.Instance]bool{}
	for _, g := range append(t.again, t.rest) {
		for _, x := range in.exceptions.leavesOf(g) {
			unhandled[x] = true
		}
	}
	p, err := in.exceptions.splitBy(t.e.Value, func(x *value.Instance) bool { return unhandled[x] })
	if err != nil {
		return nil, err
	}
	if len(t.raised) == 0 {
		if p.taken == nil {
			return nil, nil
		}
		return &value.Exception{Value: p.taken, At: t.e.At, Frames: t.e.Frames}, nil
	}
	// A single exception that a clause raised is not wrapped.
	if len(t.raised) == 1 && p.taken == nil {
		return t.raised[0], nil
	}
	var list []*value.Instance
	var d *diag.Diagnostic
	for _, x := range t.raised {
		if list = append(list, x.Value); d == nil {
			d = x.Diag
		}
	}
	if p.taken != nil {
		list = append(list, p.taken)
	}
	g, err := in.exceptions.newGroup(nil, list)
	if err != nil {
		return nil, err
	}
	return &value.Exception{Value: g, Diag: d, At: t.raised[0].At, Frames: t.raised[0].Frames}, nil
}

// splitBy divides e by what takes says.
func (ex *exceptions) splitBy(e *value.Instance, takes func(*value.Instance) bool) (groupParts, error) {
	return (&groupSplit{in: ex.in, takes: takes, parts: map[*value.Instance]groupParts{}}).split(e)
}

// leavesOf are the exceptions in a group and its groups, those that are not known as the group. A nil group has none.
func (ex *exceptions) leavesOf(e *value.Instance) []*value.Instance {
	var out []*value.Instance
	todo, visited := []*value.Instance{e}, map[*value.Instance]bool{nil: true}
	for len(todo) > 0 {
		x := todo[0]
		todo = todo[1:]
		if visited[x] {
			continue
		}
		visited[x] = true
		list, known := ex.members(x)
		if !ex.isGroup(x) || !known {
			out = append(out, x)
			continue
		}
		todo = append(todo, list...)
	}
	return out
}
