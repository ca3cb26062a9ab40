package infer

// This file runs generators and generator expressions.
//
// A generator's body runs on a coroutine of its own (iter.Pull), which is
// entered for each element. The interpreter's stacks are cut at the border, so
// that what the body has open while it is suspended does not mix with the rest.

import (
	"errors"
	"iter"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// A generator is a generator function that runs: its body is a coroutine, which resume goes on with until the
// next yield.
type generator struct {
	in       *Interp
	frame    *frame
	resume   func() (value.Value, bool)
	stop     func()
	send     value.Value // what yield gives
	throw    error
	err      error
	running  bool
	handlers []handler   // those of the body where it is suspended
	base     int         // how many handlers were around it when it was entered first
	steps    int         // how often the body was entered
	lost     value.Value // stands for all further elements; set when the body is not followed any more
	sums     bool        // the body runs once for all further elements
	done     bool        // the body has ended
}

// errClose unwinds a generator that is closed.
var errClose = errors.New("generator closed")

// newGenerator makes a generator object over a body that runs in f.
func (in *Interp) newGenerator(f *frame, name string, body func() error) *value.Iterator {
	g := &generator{in: in, frame: f, send: value.None}
	f.gen = g
	it := &value.Iterator{Header: in.heap.Header(), Name: name}
	var seq iter.Seq[value.Value] = func(yield func(value.Value) bool) {
		f.yield = func(v value.Value) (value.Value, error) {
			if !yield(v) {
				return nil, errClose
			}
			if err := g.throw; err != nil {
				g.throw = nil
				return nil, err
			}
			return g.send, nil
		}
		g.err = body()
	}
	g.resume, g.stop = iter.Pull(seq)
	in.generators = append(in.generators, g)
	it.Next = func(value.Thread) (value.Value, bool, error) { return g.step(it, value.None, nil) }
	it.Send = func(_ value.Thread, v value.Value) (value.Value, bool, error) { return g.step(it, v, nil) }
	it.Throw = func(_ value.Thread, exc error) (value.Value, bool, error) { return g.step(it, value.None, exc) }
	it.Close = func(value.Thread) error { return g.close(it) }
	return it
}

// resumed is resume, which is measured as a call of the function.
func (g *generator) resumed() (value.Value, bool) {
	if fn := g.frame.fn; g.in.cfg.Time != nil && fn != nil && !g.frame.prelude {
		defer g.in.timeCall(g.frame.code, fn)()
	}
	return g.resume()
}

// step runs the body to its next yield.
func (g *generator) step(it *value.Iterator, send value.Value, throw error) (value.Value, bool, error) {
	in := g.in
	if g.lost == nil && it.Pos != g.steps {
		g.lost = in.Unknown("a generator that has run further under a condition that is not known")
		in.opaqueCalls.forgetEffects(g.frame, lostGenerator)
	}
	if g.lost != nil {
		it.Open = &value.Open{Elem: g.lost}
		return g.lost, true, nil
	}
	if it.Open != nil {
		return it.Open.Elem, true, nil
	}
	if g.running {
		return nil, false, in.Raise("ValueError", "generator already executing")
	}
	in.heap.Touch(it)
	switch {
	case g.done && throw == nil: // only the first StopIteration carries what the body returned
		return value.None, false, nil
	case g.steps == 0 && send != value.None:
		return nil, false, in.Raise("TypeError", "can't send non-None value to a just-started generator")
	}
	if throw != nil && (g.done || g.steps == 0) { // it is raised where the generator stands
		g.done = true
		it.Pos++
		g.steps++
		g.end()
		return nil, false, throw
	}
	g.send, g.throw = send, throw
	depth, pend, outer := in.heap.Depth(), len(in.pendings), in.path
	handlers := in.handlers
	if g.steps == 0 {
		g.base = len(handlers)
	}
	in.handlers = g.inside(handlers)
	around := len(in.handlers) - len(g.handlers)
	if err := in.stack.push(g.frame); err != nil {
		return nil, false, err
	}
	g.running = true
	border := in.border
	in.border = pend
	v, ok := g.resumed()
	in.border = border
	g.running = false
	in.stack.pop()
	g.handlers = append([]handler(nil), in.handlers[min(around, len(in.handlers)):]...)
	in.handlers = handlers
	it.Pos++
	g.steps++
	if len(in.path.conds) != len(outer.conds) {
		in.path = outer // what the body assumes is not what its consumer may
	}
	if ok && g.sums {
		g.lost = v
		it.Open = &value.Open{Elem: v}
		return v, true, nil
	}
	if ok && !in.flow.onlyRaises(pend, depth, len(handlers)) {
		// It yields inside a branch that is not decided: the branch would have to
		// stay open while the consumer runs.
		in.path = outer
		g.lost = in.Unknown("a generator that yields under a condition that is not known")
		in.flow.dropPendings(pend)
		var keep []value.Mark // exceptions are on their way
		for _, p := range in.pendings[pend:] {
			keep = append(keep, p.mark)
		}
		in.heap.CloseTo(depth, keep...)
		it.Open = &value.Open{Elem: g.lost}
		in.opaqueCalls.forgetEffects(g.frame, lostGenerator)
		return g.lost, true, nil
	}
	if !ok {
		g.done = true
		err := g.err
		g.err = nil
		if errors.Is(err, errClose) {
			err = nil
		}
		return g.frame.ret, false, err
	}
	return v, true, nil
}

// onlyRaises reports whether nothing is open above the given numbers of completions
// and marks but exceptions that a handler outside, of the given number, catches.
func (cf *controlFlow) onlyRaises(pend, depth, handlers int) bool {
	if len(cf.pendings) < pend || cf.heap.Depth()-depth != len(cf.pendings)-pend {
		return false
	}
	for _, p := range cf.pendings[pend:] {
		for _, c := range p.comps {
			if c.flow != raises || c.depth > handlers {
				return false
			}
		}
	}
	return true
}

// close ends the body where it is suspended: GeneratorExit is raised there, so
// that its finally clauses run.
func (g *generator) close(it *value.Iterator) error {
	if g.running {
		return g.in.Raise("ValueError", "generator already executing")
	}
	if it.Pos == 0 || g.done || g.lost != nil {
		g.done = g.lost == nil
		g.end()
		return nil
	}
	exit := &value.Exception{Value: g.in.world.Exception("GeneratorExit", ""), At: g.in.Here()}
	_, more, err := g.step(it, value.None, exit)
	if more && err == nil && g.lost == nil {
		return g.in.Raise("RuntimeError", "generator ignored GeneratorExit")
	}
	g.end()
	var e *value.Exception
	if errors.As(err, &e) && e.Value.Class.IsSubclass(g.in.world.Class("GeneratorExit")) {
		return nil
	}
	return err
}

// inside is what catches exceptions in the body when some handlers are around its consumer. The
// body counts those that were around it at first: where there are less now, some that catch nothing
// stand for the others.
func (g *generator) inside(around []handler) []handler {
	in := append(make([]handler, 0, max(len(around), g.base)+len(g.handlers)), around...)
	for len(in) < g.base {
		in = append(in, handler{})
	}
	return append(in, g.handlers...)
}

// end unwinds the body where it is suspended, without what it does on its way.
func (g *generator) end() {
	in := g.in
	handlers := in.handlers
	in.handlers = g.inside(handlers)
	g.stop()
	in.handlers = handlers
}

// stopGenerators ends the coroutines of generators that were not run to their end.
func (cf *controlFlow) stopGenerators() {
	for _, g := range cf.generators {
		if !g.running {
			g.end()
		}
	}
	cf.generators = nil
}

// evalYield gives what send() passes.
func (in *Interp) evalYield(f *frame, e *ast.Yield) (value.Value, error) {
	v := value.None
	if e.Value != nil {
		var err error
		if v, err = in.eval(f, e.Value); err != nil {
			return nil, err
		}
	}
	if f.yield == nil {
		return nil, in.Raise("SyntaxError", "'yield' outside function")
	}
	return f.yield(v)
}

// evalYieldFrom runs "yield from" as PEP 380 defines it: what is sent or thrown into the generator goes on to the inner
// iterator, and closing closes it. For an inner iterator of unknown length one value stands for all its elements.
func (in *Interp) evalYieldFrom(f *frame, e *ast.YieldFrom) (value.Value, error) {
	v, err := in.eval(f, e.Value)
	if err != nil {
		return nil, err
	}
	f.at = e.Span()
	it, err := in.Iter(v)
	if err != nil {
		return nil, err
	}
	resume := it.Next // what is sent or thrown in goes on to the inner iterator
	for {
		if it.Open != nil {
			_, err := f.yield(in.opaqueCalls.furtherYields(f, e, it.Open.Elem))
			return value.None, err
		}
		x, ok, err := resume(in)
		if err != nil {
			return nil, err
		}
		if !ok {
			if x == nil {
				return value.None, nil
			}
			return x, nil
		}
		sent, err := f.yield(x)
		switch {
		case errors.Is(err, errClose):
			if it.Close != nil {
				if cerr := it.Close(in); cerr != nil {
					return nil, cerr
				}
			}
			return nil, err
		case err != nil && it.Throw == nil:
			return nil, err
		case err != nil:
			resume = func(th value.Thread) (value.Value, bool, error) { return it.Throw(th, err) }
		case sent == value.None:
			resume = it.Next
		case it.Send == nil:
			return nil, in.Raise("AttributeError", "'%s' object has no attribute 'send'", it.Name)
		default:
			resume = func(th value.Thread) (value.Value, bool, error) { return it.Send(th, sent) }
		}
	}
}

// furtherYields gives what stands for all further elements of a generator, of which some number,
// each elem, come from a yield from.
func (un *opaqueCalls) furtherYields(f *frame, e *ast.YieldFrom, elem value.Value) value.Value {
	if f.gen == nil {
		return elem
	}
	f.gen.sums = true
	if fn, ok := f.code.node.(*ast.FunctionDef); ok {
		if last, ok := fn.Body[len(fn.Body)-1].(*ast.ExprStmt); ok && last.Value == ast.Expr(e) {
			return elem
		}
	}
	un.forgetEffects(f, lostGenerator)
	return un.in.Unknown("the elements of a generator after an unknown number of them")
}

// await runs a coroutine at once: asynchronous code is followed as if it were
// sequential.
func await(v value.Value) (value.Value, error) { return v, nil }

// generatorExp makes a generator whose first iterable is evaluated now.
func (in *Interp) generatorExp(f *frame, e *ast.GeneratorExp) (value.Value, error) {
	first, err := in.eval(f, e.Generators[0].Iter)
	if err != nil {
		return nil, err
	}
	// A sequence of unknown length: one representative element.
	if o := openOf(first); o != nil {
		g := in.compFrame(f, e, e.Scope)
		var elems []value.Value
		if err := in.stack.push(g); err != nil {
			return nil, err
		}
		u := &undecided{}
		collects[value.Value, value.Value](u, &elems, nil)
		open, err := in.clauses(g, e.Generators, first, u, func(g *frame) error {
			v, err := in.eval(g, e.Elt)
			elems = append(elems, v)
			return err
		})
		in.stack.pop()
		if err != nil {
			return nil, err
		}
		if open == nil {
			open = o
		}
		return &value.Iterator{Header: in.heap.Header(), Name: "generator", Open: openElem(in, elems, open)}, nil
	}
	g := in.compFrame(f, e, e.Scope)
	g.at = e.Span()
	return in.newGenerator(g, "generator", func() error {
		// From the first element on that may be missing, what follows is summed up.
		var rest []value.Value
		u := &undecided{}
		collects[value.Value, value.Value](u, &rest, nil)
		open, err := in.clauses(g, e.Generators, first, u, func(g *frame) error {
			v, err := in.eval(g, e.Elt)
			if err != nil {
				return err
			}
			if u.tested || u.endless {
				rest = append(rest, v)
				return nil
			}
			_, err = g.yield(v)
			return err
		})
		if err != nil || open == nil {
			return err
		}
		g.gen.sums = true
		_, err = g.yield(openElem(in, rest, open).Elem)
		return err
	}), nil
}

// consumers are the builtins that take all elements of their one argument: a
// generator expression there is as good as a list.
var consumers = [...]string{"tuple", "list", "set", "frozenset", "dict", "sum", "sorted", "max", "min"}

// consumed evaluates the argument of a call tuple(… for …) as a list; nil when the
// call is none.
func (in *Interp) consumed(f *frame, e *ast.Call, fn value.Value) (value.Value, error) {
	if len(e.Args) != 1 {
		return nil, nil
	}
	g, ok := e.Args[0].(*ast.GeneratorExp)
	if !ok {
		return nil, nil
	}
	name := in.builtinName(fn)
	if name == "any" || name == "all" {
		return in.quantified(f, g, name == "any")
	}
	if !slices.Contains(consumers[:], name) {
		return nil, nil
	}
	return in.listComp(f, &ast.ListComp{Loc: g.Loc, Elt: g.Elt, Generators: g.Generators, Scope: g.Scope})
}

// builtinName is the name of one of Python's own functions and classes; empty for others.
func (in *Interp) builtinName(fn value.Value) string {
	switch fn := fn.(type) {
	case *value.Class:
		if in.world.Class(fn.Name) == fn {
			return fn.Name
		}
	case *value.Builtin:
		return fn.Name
	}
	return ""
}

// quantified evaluates the argument of any or all, which ask for no more elements
// than they need. It gives a list with the result.
func (in *Interp) quantified(f *frame, e *ast.GeneratorExp, some bool) (value.Value, error) {
	u := &undecided{}
	result := in.pool.Bool(!some)
	_, err := in.comprehension(f, e, e.Scope, e.Generators, u, func(g *frame) error {
		t, err := in.test(g, e.Elt)
		if err != nil {
			return err
		}
		holds, under := cond(in, t), in.pool.And(u.under...)
		if some {
			result = in.pool.Or(result, in.pool.And(under, holds))
			u.gate = in.pool.Not(result)
		} else {
			result = in.pool.And(result, in.pool.Or(in.pool.Not(under), holds))
			u.gate = result
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var t value.Value = symBool(result)
	if u.endless { // of any number of elements, also none
		if val, known := result.Const(); !known || val == some {
			t = in.DataBool(nil)
		}
	}
	return in.heap.NewList([]value.Value{t}), nil
}

// openOf gives what is known of a sequence of unknown length; nil when its
// elements are known.
func openOf(v value.Value) *value.Open {
	switch v := v.(type) {
	case *value.List:
		return v.Open
	case *value.Set:
		return v.Open
	case *value.Dict:
		if v.Open != nil {
			return &value.Open{Elem: v.Open.Key, Len: v.Open.Len}
		}
	case *value.Iterator:
		return v.Open
	case *value.Unknown:
		return &value.Open{Elem: v}
	}
	return nil
}
