package infer

// This file evaluates comprehensions. They are loops that collect: over iterables of known elements
// the clauses run element by element, and over others once for all. What makes the elements is the
// caller's emit, for lists, sets, dicts and generators alike.

import (
	"errors"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// comprehension runs the clauses of a comprehension and calls emit for each
// element. When the number of elements is not known it returns what is. The first iterable is
// evaluated in the frame outside, all else in a frame of the comprehension, as Python does. The
// error is that of an iterable, a test or emit.
func (in *Interp) comprehension(f *frame, node ast.Expr, scope int32, gens []*ast.Comprehension, u *undecided,
	emit func(g *frame) error) (*value.Open, error) {
	first, err := in.eval(f, gens[0].Iter)
	if err != nil {
		return nil, err
	}
	f.at = gens[0].Iter.Span()
	g := in.compFrame(f, node, scope)
	if err := in.stack.push(g); err != nil {
		return nil, err
	}
	defer in.stack.pop()
	return in.clauses(g, gens, first, u, emit)
}

// An undecided is what clauses have left open where they call emit.
type undecided struct {
	under   []*symshape.Cond // the tests that are taken to hold
	endless bool             // an iterable has no known number of elements
	tested  bool             // some test was not decided so far
	// gate, when set, is the condition under which further elements are asked for.
	gate *symshape.Cond
	// collected, when set, tells how many elements emit has collected, and drop forgets
	// those after the first n.
	collected func() int
	drop      func(n int)
}

// collects lets elements, and what goes with them, be collected anew. elems are what emit collects,
// more goes with each element, or is nil.
func collects[T, U any](u *undecided, elems *[]T, more *[]U) {
	u.collected = func() int { return len(*elems) }
	u.drop = func(n int) {
		*elems = (*elems)[:n]
		if more != nil {
			*more = (*more)[:n]
		}
	}
}

// forEvery runs what a comprehension does with each of an unknown number of elements.
// Once, with what stands for all, is enough, unless it changes
// something: then it is a loop like any other.
func (cf *controlFlow) forEvery(g *frame, open *value.Open, u *undecided, each func(v value.Value) error) error {
	// The state before is kept, so that a first attempt can be taken back with all that it left:
	// findings, nodes, records and changes of objects.
	before := cf.path
	once := func() error {
		cf.assumeFact(open.Fact)
		defer cf.enterOnce()()
		return each(open.Elem)
	}
	cf.forSeveral()
	m, depth, waiting := cf.heap.Mark(), cf.heap.Depth(), len(cf.pendings)
	rec, sink, node := cf.in.rec.mark(), cf.sink.Len(), cf.build.Mark()
	n := 0
	if u.collected != nil {
		n = u.collected()
	}
	err := once()
	if fatal(err) {
		return err
	}
	if err != nil || cf.heap.Depth() != depth || len(cf.pendings) != waiting || !changedOthers(cf.in, m) {
		cf.heap.Drop(m)
		cf.path = before
		return err
	}
	cf.heap.Rollback(m)
	cf.heap.Close(m)
	cf.path = before
	cf.in.rec.rollback(rec)
	cf.sink.Truncate(sink)
	cf.build.Discard(node)
	// As a loop each turn has an element by its index.
	index := indexOf(cf.in, open)
	_, err = cf.openLoop(g, waiting, open, index, func() (flow, bool, error) {
		if u.drop != nil {
			u.drop(n)
		}
		cf.assumeFact(open.Fact)
		v, err := cf.element(open, index)
		if err != nil {
			return next, true, err
		}
		return next, true, each(v)
	}, func() (flow, error) { return next, nil })
	return err
}

// changedOthers reports whether objects older than m changed that are no variables. A variable of
// the comprehension changes in each turn and does not count.
func changedOthers(th value.Thread, m value.Mark) bool {
	for _, ch := range th.Heap().Changes(m) {
		switch ch.Obj.(type) {
		case *value.List, *value.Dict, *value.Set, *value.Attrs, *value.Cell:
			return true
		}
	}
	return false
}

// compFrame is the frame of a comprehension: a function of its own with the enclosing function's class
// namespace and name.
func (in *Interp) compFrame(f *frame, node ast.Expr, scope int32) *frame {
	c := in.codeOf(f.unit, node, scope, "<comprehension>")
	g := in.stack.newFrame(c, f.globals)
	g.free = closure(f, c)
	g.fn = f.fn
	g.ns = f.ns
	return g
}

// clauses runs the clauses from the first on; seq is the value of its iterable.
// What of it is not decided stands in u while emit runs.
func (in *Interp) clauses(g *frame, gens []*ast.Comprehension, seq value.Value, u *undecided, emit func(g *frame) error) (*value.Open,
	error) {
	c := gens[0]
	var open *value.Open
	g.at = c.Iter.Span()
	// inner checks the tests one by one. One that is not decided runs the rest under its condition,
	// once, and makes the number of elements open.
	var inner func(tests []ast.Expr) error
	inner = func(tests []ast.Expr) error {
		for i, test := range tests {
			t, err := in.tracing.testInPython(g, test)
			if err != nil {
				return err
			}
			_, t = in.deciding.decides(g, DecisionComprehension, test.Span(), test.Span(), t)
			val, known := in.Holds(t)
			if known && !val {
				return nil
			}
			if known {
				continue
			}
			open = uncertain(in, open)
			c, under := cond(in, t), u.under
			u.tested = true
			_, err = in.flow.fork(c, testOperand(t), func() (value.Value, error) {
				u.under = append(under[:len(under):len(under)], c)
				return value.None, inner(tests[i+1:])
			}, func() (value.Value, error) { return value.None, nil })
			u.under = under
			return err
		}
		if len(gens) == 1 {
			return emit(g)
		}
		v, err := in.eval(g, gens[1].Iter)
		if err != nil {
			return err
		}
		// A clause within that has an open number of elements makes that of this one open, too.
		o, err := in.clauses(g, gens[1:], v, u, emit)
		if o != nil {
			open = uncertain(in, open)
		}
		return err
	}
	turn := 0
	err := in.Iterate(seq, func(v value.Value) error {
		if err := in.Step(1); err != nil {
			return err
		}
		if err := in.assign(g, c.Target, v); err != nil {
			return err
		}
		for _, t := range in.tracers.all {
			t.Iterate(g, c.Iter, turn)
		}
		turn++
		// Without a gate each element goes on; with one the elements exist under its condition.
		if u.gate == nil {
			return inner(c.Ifs)
		}
		if val, known := in.Holds(symBool(u.gate)); known {
			if val {
				return inner(c.Ifs)
			}
			return nil
		}
		_, err := in.flow.fork(u.gate, graph.Cond{Cond: u.gate}, func() (value.Value, error) { return value.None, inner(c.Ifs) },
			func() (value.Value, error) { return value.None, nil })
		return err
	})
	// The elements that are known were given already; the rest is of an unknown number.
	var oe *value.OpenError
	if errors.As(err, &oe) {
		u.endless = true
		if len(c.Ifs) > 0 || len(gens) > 1 {
			open = uncertain(in, open)
		} else {
			open = &value.Open{Len: oe.Open.Len}
		}
		keep := open
		return keep, in.flow.forEvery(g, oe.Open, u, func(v value.Value) error {
			if err := in.assign(g, c.Target, v); err != nil {
				return err
			}
			return inner(c.Ifs)
		})
	}
	if err != nil {
		v, err := in.settle(g, nil, err)
		if err != nil {
			return nil, err
		}
		u.endless = true
		open = uncertain(in, nil)
		if err := in.assign(g, c.Target, v); err != nil {
			return nil, err
		}
		defer in.flow.enterOnce()()
		return open, inner(c.Ifs)
	}
	return open, nil
}

// uncertain gives a number of elements that data decides.
func uncertain(th value.Thread, o *value.Open) *value.Open {
	if o != nil {
		return o
	}
	return &value.Open{Len: th.DataInt("u", 0, nil).D}
}

// grownBytes is what each element of a list with its condition takes while the list is
// copied to a larger place.
const grownBytes = 40

// listComp evaluates a list comprehension. Where it is not known which elements pass its conditions, or how many there
// are, the result is one of several lists or a list of unknown length; tensors of an unknown number of turns are made
// by a loop of the typed graph.
func (in *Interp) listComp(f *frame, e *ast.ListComp) (value.Value, error) {
	var elems []value.Value
	var when []*symshape.Cond
	u := &undecided{}
	collects(u, &elems, &when)
	grown := in.heap.NewList(nil) // by a loop of the typed graph, where an unknown number of tensors comes first
	open, err := in.comprehension(f, e, e.Scope, e.Generators, u, func(g *frame) error {
		v, err := in.eval(g, e.Elt)
		if err != nil {
			return err
		}
		if _, tensor := v.(*value.Tensor); tensor && u.endless && len(elems) == 0 {
			_, err := in.CallMethod(grown, "append", v)
			return err
		}
		if len(elems) == cap(elems) {
			if err := in.Alloc(grownBytes * len(elems)); err != nil {
				return err
			}
		}
		elems = append(elems, v)
		when = append(when, in.pool.And(u.under...))
		return nil
	})
	if err != nil {
		return nil, err
	}
	switch {
	case grown.Open != nil && len(elems) == 0:
		return grown, nil
	case grown.Open != nil: // not all elements are tensors: how they take turns is not shown
		return in.heap.NewOpenList(openElem(in, append(elems, grown.Open.Elem), open)), nil
	}
	if open != nil {
		if v := listsUnder(in, elems, when, u); v != nil {
			return v, nil
		}
		return in.heap.NewOpenList(openElem(in, elems, open)), nil
	}
	return in.heap.NewList(elems), nil
}

// maxMaybe bounds the elements of a comprehension of which each alone may be
// there or not: each doubles the lists that are told apart.
const maxMaybe = 2

// listsUnder gives the lists that a comprehension can make when few elements
// are uncertain; nil when that is too much to tell apart. An element is there
// when its condition holds.
func listsUnder(th value.Thread, elems []value.Value, when []*symshape.Cond, u *undecided) value.Value {
	if u.endless {
		return nil
	}
	maybe := 0
	for i, c := range when {
		if val, known := c.Const(); !known {
			maybe++
		} else if !val {
			return nil
		}
		if i > 0 && maybe > maxMaybe {
			return nil
		}
	}
	var from func(i int, have []value.Value) value.Value
	from = func(i int, have []value.Value) value.Value {
		for have = slices.Clone(have); i < len(elems); i++ {
			if _, known := when[i].Const(); !known {
				break
			}
			have = append(have, elems[i])
		}
		if i == len(elems) {
			return th.Heap().NewList(have)
		}
		with := append(have[:len(have):len(have)], elems[i])
		return &value.Choice{Cond: when[i], Then: from(i+1, with), Else: from(i+1, have)}
	}
	return from(0, nil)
}

// openElem joins the elements that were seen into the one that stands for all.
func openElem(th value.Thread, elems []value.Value, o *value.Open) *value.Open {
	out := &value.Open{Len: o.Len}
	for _, e := range elems {
		if out.Elem == nil {
			out.Elem = e
		} else {
			out.Elem = th.Join(out.Elem, e)
		}
	}
	if out.Elem == nil {
		out.Elem = th.Unknown("an element of an empty sequence")
	}
	return out
}

// setComp makes the list first: which of the elements are equal is decided by set().
func (in *Interp) setComp(f *frame, e *ast.SetComp) (value.Value, error) {
	l, err := in.listComp(f, &ast.ListComp{Loc: e.Loc, Elt: e.Elt, Generators: e.Generators, Scope: e.Scope})
	if err != nil {
		return nil, err
	}
	return in.Call(in.world.Class("set"), []value.Value{l}, nil)
}

// dictComp evaluates the key before the value. A source of unknown length gives a dict of unknown entries; so
// does a condition that is not decided, as which entries are there is not known.
func (in *Interp) dictComp(f *frame, e *ast.DictComp) (value.Value, error) {
	d := in.heap.NewDict()
	u := &undecided{}
	var keys, vals []value.Value
	collects(u, &keys, &vals)
	open, err := in.comprehension(f, e, e.Scope, e.Generators, u, func(g *frame) error {
		k, err := in.eval(g, e.Key)
		if err != nil {
			return err
		}
		v, err := in.eval(g, e.Value)
		if err != nil {
			return err
		}
		keys, vals = append(keys, k), append(vals, v)
		if u.endless {
			return nil
		}
		return in.SetItem(d, k, v)
	})
	if err != nil {
		return nil, err
	}
	if u.endless { // entries that are in doubt are so in d, too
		in.heap.Touch(d)
		o := openElem(in, vals, open)
		o.Key = openElem(in, keys, open).Elem
		d.Clear(&in.heap)
		d.Open = o
	}
	return d, nil
}
