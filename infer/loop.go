package infer

// This file runs loops. A loop over known elements runs once for each. A loop
// whose number of iterations is not known runs its body from a state that is
// joined with what the body leaves, until that changes nothing (a fixpoint);
// sizes that differ from iteration to iteration become fresh symbols.
//
// It also keeps loops over ranges of known length as loops of the typed graph
// (Config.Unroll "never"), where that loses nothing: the loop is run as one of unknown
// length first, and if then something that it leaves is not known, or has a size that
// only the loop knows, all is taken back and the iterations run one by one.

import (
	"errors"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// forStmt evaluates what is iterated over once.
func (in *Interp) forStmt(f *frame, s *ast.For) (flow, error) {
	seq, err := in.eval(f, s.Iter)
	if err != nil {
		return next, err
	}
	f.at = s.Iter.Span()
	return in.forOver(f, s, seq)
}

// forOver runs a for loop over the value of its iterable. Of two iterables each
// has a loop of its own.
func (in *Interp) forOver(f *frame, s *ast.For, seq value.Value) (flow, error) {
	if seq = raiseAgain(in, seq); isContainers(seq) {
		c := seq.(*value.Choice)
		over := func(v value.Value) func() (flow, error) {
			return func() (flow, error) { return in.forOver(f, s, v) }
		}
		return in.flow.ifStmt(f, &value.SymBool{Cond: c.Cond}, over(c.Then), over(c.Else))
	}
	if _, tensor := isWrapped(seq); in.retraces.graph {
		if tensor {
			if err := in.tracing.refusesLoop(f, s.Span(), s.Body); err != nil {
				return next, err
			}
			if err := in.tracing.loopVariables(f, s, s.Body); err != nil {
				return next, err
			}
			defer in.tracing.leavesGraphLoop(f, s, s.Body)()
		} else {
			defer in.tracing.inPython(f, s.Span())()
		}
	}
	seq, err := in.tracing.graphElements(f, seq)
	if err != nil {
		return next, err
	}
	count := in.deciding.trips(f, s, seq)
	if fl, kept, err := in.flow.keep(f, s, seq); kept || err != nil {
		count.unknown()
		return fl, err
	}
	it, err := in.Iter(seq)
	if err != nil {
		v, err := in.settle(f, nil, err)
		if err != nil {
			return next, err
		}
		it = unknownIterator(v)
	}
	if it.Open != nil && len(it.First) == 0 {
		if alone := in.firstAlone(f, s, seq, it); alone != nil {
			count.unknown()
			return in.flow.ifStmt(f, hasFirst(in, it.Open), func() (flow, error) { return in.turns(f, s, seq, alone, count) },
				func() (flow, error) { return in.block(f, s.Else) })
		}
	}
	return in.turns(f, s, seq, it, count)
}

// turns runs a for loop over what an iterator gives.
func (in *Interp) turns(f *frame, s *ast.For, seq value.Value, it *value.Iterator, count *tripCount) (flow, error) {
	base, exits, turn, quick := len(in.pendings), 0, 0, 0
	start := in.entry.startLoop()
	var given error // of the iterator, in place of its next element
	watch := in.newWatch(f)
	for n := 0; ; n++ {
		if err := in.Step(1); err != nil {
			return next, err
		}
		if it.Open != nil {
			open := it.Open
			if first := it.First; len(first) > 0 {
				it = firstThen(in, f, first, open)
				continue
			}
			count.unknown()
			index := indexOf(in, open)
			return in.flow.openLoop(f, base, open, index, func() (flow, bool, error) {
				in.flow.assumeFact(open.Fact)
				elem, err := in.flow.element(open, index)
				if err != nil {
					return next, false, err
				}
				if err := in.assign(f, s.Target, elem); err != nil {
					return next, false, err
				}
				in.recordTarget(f, s, s.Target, elem)
				fl, err := in.block(f, s.Body)
				return fl, true, err
			}, func() (flow, error) { return in.block(f, s.Else) })
		}
		f.at = s.Iter.Span()
		var v value.Value
		ok, err := false, given
		if given == nil {
			v, ok, err = it.Next(in)
		}
		given = nil
		var more *value.OpenError
		if errors.As(err, &more) && more.Open != nil {
			it = &value.Iterator{Name: it.Name, Open: more.Open}
			continue
		}
		if err != nil {
			if _, err = in.settle(f, nil, err); err != nil {
				return in.flow.endLoop(f, base, next, err)
			}
			return in.flow.endLoop(f, base, next, nil)
		}
		if it.Open != nil {
			continue
		}
		if !ok {
			break
		}
		if r, ok := seq.(*value.Range); ok && in.flow.deep(exits) {
			it, _ = in.world.OpenRange(in, &value.Range{Start: v, Stop: r.Stop, Step: r.Step})
			continue
		}
		if k, ok := v.(value.Int); ok && in.cfg.Unroll != UnrollAlways && in.entry.enough(n, exits, start) {
			it = &value.Iterator{Name: it.Name, Open: &value.Open{Elem: in.DataInt("i", int64(k), nil)}}
			continue
		}
		rest := int64(0)
		if watch != nil {
			r := rangeFrom(seq, v)
			if r != nil && watch.settled() {
				return in.sumUp(f, s, base, r, count)
			}
			rest = left(in, r)
		}
		count.add()
		if err := in.assign(f, s.Target, v); err != nil {
			return in.flow.endLoop(f, base, next, err)
		}
		for _, t := range in.tracers.all {
			t.Iterate(f, s.Iter, turn)
		}
		turn++
		in.recordTarget(f, s, s.Target, v)
		open := len(in.pendings)
		var fl flow
		ended := false
		watched := watch.turn(n, rest)
		if q := in.quick(f, s, n, quick); q != nil {
			fl, ended, err = q.forTurns(it)
			given, quick = q.given, quick+q.turns
		} else {
			fl, err = in.block(f, s.Body)
		}
		watched(err == nil && (fl == next || fl == continues) && len(in.pendings) == open)
		fl, err = in.flow.merge(f, base, continues, fl, err)
		if err != nil {
			return in.flow.endLoop(f, base, fl, err)
		}
		if len(in.pendings) > open {
			exits++
			count.unknown() // it may have ended here
		}
		if ended && given == nil && it.Open == nil {
			break
		}
		switch fl {
		case breaks:
			if it.Close != nil {
				if err := it.Close(in); err != nil {
					return next, err
				}
			}
			return in.flow.endLoop(f, base, breaks, nil)
		case returns:
			if it.Close != nil {
				if err := it.Close(in); err != nil {
					return next, err
				}
			}
			return in.flow.endLoop(f, base, returns, nil)
		}
	}
	fl, err := in.block(f, s.Else)
	return in.flow.endLoop(f, base, fl, err)
}

// indexOf gives the number of the iteration of a loop over elements that are not
// known one by one.
func indexOf(th value.Thread, o *value.Open) *value.SymInt {
	if o.Index != nil {
		return &value.SymInt{D: symshape.Dim{Expr: o.Index}}
	}
	i := th.DataInt("i", 0, nil)
	if o.At != nil && o.Fact == nil && o.Len.Expr != nil {
		o.Fact = th.Pool().Lt(i.D.Expr, o.Len.Expr)
	}
	return i
}

// element gives the element that an iteration takes.
func (cf *controlFlow) element(o *value.Open, index *value.SymInt) (value.Value, error) {
	if o.At != nil {
		return o.At(cf.in, index)
	}
	if o.Index == nil && holdsTensor(o.Elem) {
		cf.build.Incomplete(cf.in.Here(), "which element an iteration takes is not shown")
	}
	return o.Elem, nil
}

func holdsTensor(v value.Value) bool {
	has, _ := inspect(&value.Visit{Repeats: value.SomeRepeats}, v, 3)
	return has
}

// assumeFact adds what is known of a representative element to the facts.
func (cf *controlFlow) assumeFact(c *symshape.Cond) {
	if c == nil {
		return
	}
	if facts, ok := cf.path.facts.Assume(c); ok {
		cf.path.facts = facts
	}
}

// endLoop joins what broke out of the loop with what came to its end.
func (cf *controlFlow) endLoop(f *frame, base int, fl flow, err error) (flow, error) {
	if fatal(err) {
		return next, err
	}
	fl, err = cf.merge(f, base, breaks, fl, err)
	if err != nil {
		return next, err
	}
	if fl == breaks {
		return next, nil
	}
	return fl, nil
}

func unknownIterator(v value.Value) *value.Iterator {
	return &value.Iterator{Name: "iterator", Open: &value.Open{Elem: v}}
}

// whileStmt runs a while loop turn by turn as long as its condition is known. A loop whose condition is not, or that
// has had very many turns, is run as one of an unknown number of turns; one that nothing can leave ends the run after
// maxEndless steps.
func (in *Interp) whileStmt(f *frame, s *ast.While) (flow, error) {
	base, exits, quick := len(in.pendings), 0, 0
	spent, endless := in.spent.totalSteps(), neverLeft(s)
	watch := in.newWatch(f)
	for n := 0; ; n++ {
		if err := in.Step(1); err != nil {
			return next, err
		}
		if endless && in.spent.totalSteps()-spent > in.cfg.maxEndless() {
			f.at = s.Test.Span()
			return next, in.spent.exceed("the analysis stopped in a loop that nothing leaves (--max-steps)")
		}
		t, err := in.test(f, s.Test)
		if err != nil {
			return in.flow.endLoop(f, base, next, err)
		}
		_, t = in.deciding.decides(f, DecisionWhile, s.Span(), s.Test.Span(), t)
		if in.retraces.graph && n == 0 {
			if in.tracing.onTensor(f, t) {
				if err := in.tracing.refusesLoop(f, s.Span(), s.Body); err != nil {
					return next, err
				}
				if err := in.tracing.loopVariables(f, s, s.Body); err != nil {
					return next, err
				}
				defer in.tracing.leavesGraphLoop(f, s, s.Body)()
			} else {
				defer in.tracing.inPython(f, s.Span())()
			}
		}
		val, known := in.Holds(t)
		// A loop such as "while True" that never decides to leave is cut off:
		// after many iterations it is taken as one of unknown length; and after
		// few of them when each may have been the last, which costs more.
		if !known || watch.settled() || n > in.cfg.maxIterations() || exits > maxUndecidedExits || in.flow.deep(exits) {
			return in.flow.openLoop(f, base, nil, in.DataInt("i", 0, nil), func() (flow, bool, error) {
				t, err := in.test(f, s.Test)
				if err != nil {
					return next, false, err
				}
				if val, known := in.Holds(t); known {
					if !val {
						return next, false, nil
					}
				} else if !in.flow.leaveUnless(f, t) {
					return next, false, nil
				}
				fl, err := in.block(f, s.Body)
				return fl, true, err
			}, func() (flow, error) { return in.block(f, s.Else) })
		}
		if !val {
			break
		}
		open := len(in.pendings)
		var fl flow
		watched := watch.turn(n, -1)
		if q := in.quick(f, s, n, quick); q != nil {
			fl, err = q.whileTurns()
			quick += q.turns
		} else {
			fl, err = in.block(f, s.Body)
		}
		watched(err == nil && (fl == next || fl == continues) && len(in.pendings) == open)
		fl, err = in.flow.merge(f, base, continues, fl, err)
		if err != nil || fl == breaks || fl == returns {
			return in.flow.endLoop(f, base, fl, err)
		}
		if len(in.pendings) > open {
			exits++
		}
	}
	fl, err := in.block(f, s.Else)
	return in.flow.endLoop(f, base, fl, err)
}

// maxEndless bounds the steps, some 0.5 s, of a loop that only an exception may end.
func (c *Config) maxEndless() int { return max(c.maxSteps()/50, 1_000_000) }

// neverLeft reports whether a loop's test is a constant that is true, and nothing in its body leaves it but an
// exception that a call raises.
func neverLeft(s *ast.While) bool {
	test, ok := s.Test.(*ast.Constant)
	if !ok || test.Kind != ast.TrueConst && (test.Kind != ast.IntConst || test.Int == 0) {
		return false
	}
	return !slices.ContainsFunc(s.Body, func(b ast.Stmt) bool { return mayQuit(b) })
}

// mayQuit reports whether a node has a return, a raise, a yield, a call that ends the program, or a break, be it
// one of an inner loop.
func mayQuit(n ast.Node) bool {
	found := false
	switch x := n.(type) {
	case *ast.FunctionDef, *ast.ClassDef, *ast.Lambda:
		return false
	case *ast.Return, *ast.Raise, *ast.Assert, *ast.Yield, *ast.YieldFrom, *ast.Await, *ast.Break:
		return true
	case *ast.Call:
		switch f := x.Func.(type) {
		case *ast.Name:
			found = slices.Contains(endings, f.ID)
		case *ast.Attribute:
			found = slices.Contains(endings, f.Attr.Name)
		}
	}
	ast.Children(n, func(c ast.Node) { found = found || mayQuit(c) })
	return found
}

// endings are what functions are called that end a program.
var endings = []string{"exit", "_exit", "quit", "abort"}

// maxUndecidedExits bounds the iterations of a while loop that are run one by one
// although each of them may leave the loop.
const maxUndecidedExits = 32

// deep reports whether a loop whose iterations may have left it is better summed up from
// here on: each such iteration nests what follows it one level deeper, and files of ONNX
// with more than about thirty levels cannot be read.
func (cf *controlFlow) deep(exits int) bool {
	return exits > 0 && cf.cfg.Unroll != UnrollAlways && cf.build.Depth() >= deepRegions
}

const deepRegions = 20

// Values of Config.Unroll.
const (
	UnrollAuto   = "auto"
	UnrollNever  = "never"
	UnrollAlways = "always"
)

// keep runs a loop over a known range as a loop of the typed graph, and reports
// whether it could.
func (cf *controlFlow) keep(f *frame, s *ast.For, seq value.Value) (fl flow, kept bool, err error) {
	r, ok := seq.(*value.Range)
	if !ok || cf.cfg.Unroll != UnrollNever || f.prelude || cf.build.InSetup() || cf.trial > 0 || cf.quiet > 0 {
		return next, false, nil
	}
	it, last := cf.world.OpenRange(cf.in, r)
	if n, known := it.Open.Len.Const(); !known || n < 2 {
		return next, false, nil
	}
	depth, region := cf.heap.Depth(), cf.build.Region()
	m := cf.heap.Mark()
	before, sink, rec, mark, ret := cf.path, cf.sink.Len(), cf.in.rec.mark(), cf.build.Mark(), f.ret
	typed, open, pendings, symbols := cf.in.rec.typed, cf.in.rec.open, len(cf.pendings), len(cf.pool.Symbols())
	gaps := len(cf.build.Graph().Incomplete)
	index := indexOf(cf.in, it.Open)
	fl, err = cf.openLoop(f, len(cf.pendings), it.Open, index, func() (flow, bool, error) {
		cf.assumeFact(it.Open.Fact)
		if err := cf.in.assign(f, s.Target, it.Open.Elem); err != nil {
			return next, false, err
		}
		cf.in.recordTarget(f, s, s.Target, it.Open.Elem)
		fl, err := cf.in.block(f, s.Body)
		return fl, true, err
	}, func() (flow, error) { return cf.in.block(f, s.Else) })
	if fatal(err) {
		return next, true, err
	}
	if err == nil && fl == next { // the target keeps the last element
		err = cf.in.assign(f, s.Target, last)
	}
	uniform := err == nil && fl == next && cf.sink.Len() == sink && len(cf.pendings) == pendings &&
		len(cf.in.rec.causes) == rec.causes && len(cf.build.Graph().Incomplete) == gaps
	if uniform {
		w := knower{fresh: map[*symshape.Expr]bool{}}
		for _, x := range cf.pool.Symbols()[symbols:] {
			w.fresh[x] = true
		}
		w.fresh[index.D.Expr] = true
		for _, c := range cf.heap.Changes(m) {
			value.MapContents(c.Contents, w.value, w.dim)
			if t, ok := c.Obj.(*value.Tensor); ok {
				w.value(t)
			}
		}
		uniform = !w.lost
	}
	if uniform {
		cf.heap.Close(m)
		return fl, true, nil
	}
	cf.heap.Rollback(m)
	cf.heap.CloseTo(depth) // exceptions may be pending
	cf.build.Leave(region)
	cf.build.Discard(mark)
	cf.build.Graph().Incomplete = cf.build.Graph().Incomplete[:gaps]
	cf.path, cf.pendings, f.ret = before, cf.pendings[:min(pendings, len(cf.pendings))], ret
	cf.sink.Truncate(sink)
	cf.in.rec.rollback(rec)
	cf.in.rec.typed, cf.in.rec.open = typed, open
	cf.noteUnrolled(s.Span())
	return next, false, nil
}

// noteUnrolled lists a loop that could not be kept, once.
func (cf *controlFlow) noteUnrolled(at source.Span) {
	for _, x := range cf.unrolled {
		if x == at {
			return
		}
	}
	cf.unrolled = append(cf.unrolled, at)
}

// A knower looks for what is not known of values, or known to a loop alone.
type knower struct {
	fresh map[*symshape.Expr]bool
	lost  bool
}

func (w *knower) dim(d symshape.Dim) symshape.Dim {
	if d.Expr == nil && !d.Known {
		w.lost = true
	}
	w.symbols(d.Expr.Symbols())
	return d
}

func (w *knower) symbols(list []*symshape.Expr) {
	for _, s := range list {
		w.lost = w.lost || w.fresh[s]
	}
}

func (w *knower) value(v value.Value) value.Value {
	for x := range value.Walk(v, value.Deep, value.Sequences|value.OpenElems) {
		w.addPart(x)
	}
	return v
}

// addPart looks for what is not known in a part of a value: a loop that would lose more than it keeps is run
// turn by turn instead.
func (w *knower) addPart(v value.Value) {
	switch v := v.(type) {
	case *value.Unknown, *value.Choice:
		w.lost = true
	case *value.SymInt:
		w.dim(v.D)
	case *value.SymFloat:
		if v.R.Known() {
			w.symbols(v.R.Symbols())
		}
		w.lost = w.lost || !v.R.Known() && !v.Known
	case *value.SymBool:
		w.symbols(v.Cond.Symbols())
	case *value.Tensor:
		t := v.Type()
		w.lost = w.lost || !t.Ranked || t.DType == 0
		for _, d := range t.Shape {
			w.dim(d)
		}
	case *value.List:
		if v.Open != nil {
			w.dim(v.Open.Len)
			w.lost = w.lost || v.Open.Seq == nil
		}
	}
}
