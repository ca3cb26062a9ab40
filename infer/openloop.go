package infer

// This file runs loops whose number of iterations is not known: the body runs from
// a state that is joined with what the body leaves, until that changes nothing.
// The Loop node that comes of it has the form that package graph gives: ways out
// of the middle are numbered, and the code after the loop compares the number.
//
// It also runs the first turn of a loop of unknown length by itself, where the body asks whether it is the first and sets
// what there was not before: if i == 0: y = x, else: y = y + x. The other turns are one of any
// number, as always. The state at the head of a loop is a fixpoint: the body runs from it, what it
// leaves is joined with it, and this is repeated until nothing changes. Sizes that change by the
// same amount in each turn get a closed form (fixpoint).

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// maxRounds bounds the iterations of a fixpoint. Joins only lose information, so
// a few suffice; what still changes then becomes unknown. Two or three are usual.
const maxRounds = 12

// openLoop runs a loop of unknown length. open describes the elements of a for
// loop, nil stands for while; index is the number of the iteration. body runs one
// iteration and reports whether it ran at all; els is the else clause. base is where the pendings
// of the loop begin; the result is that of the statement.
func (cf *controlFlow) openLoop(f *frame, base int, open *value.Open, index *value.SymInt, body func() (flow, bool, error),
	els func() (flow, error)) (flow, error) {
	if open == nil || value.IsUnknown(open.Elem) {
		cf.doubtful.enterLoop()
		defer cf.doubtful.leaveLoop()
	}
	fx := cf.newFixpoint()
	before, at, ret := cf.path, cf.in.Here(), f.ret
	region := &graph.Region{}
	fx.region = region
	m := cf.heap.Mark()
	var comps []*completion
	var closed []*pending
	// comps are the ways out of an iteration other than its end, self is its end.
	var self *completion
	var trips *symshape.Expr // the number of iterations, where it is known
	var first []Condition    // of an iteration from the state before the loop
	printed := cf.in.retraces.PrintedMark()
	var refused graphFault
	vary := cf.in.retraces.vary
	cf.in.retraces.vary = false
	defer func() { cf.in.retraces.fault, cf.in.retraces.vary = cf.in.retraces.fault.or(refused), vary }()
	turn, outerTurn := &firstTurn{conds: len(cf.path.conds)}, cf.in.firstTurn
	defer func() { cf.in.firstTurn = outerTurn }()
	start := cf.sink.Len()
	held := len(cf.in.rec.held)
	cf.in.rec.loops++
	// Each round runs the body anew from the joined state, and forgets what the round before
	// recorded.
	for {
		cf.in.retraces.Forget(printed)
		sink, rec := cf.sink.Len(), cf.in.rec.mark()
		*region = graph.Region{}
		fx.begin()
		cf.in.rec.held = cf.in.rec.held[:held]
		outer := cf.build.Enter(region)
		inner := cf.heap.Mark()
		n := len(cf.pendings)
		// Conditions of the round before do not count.
		cf.path = before
		cf.forSeveral()
		leave := cf.enterLoop()
		// Objects that the body makes count as those of one iteration.
		end, done := cf.heap.Iterate(cf.loopCount)
		if cf.in.firstTurn = nil; fx.round == 0 {
			cf.in.firstTurn = turn
		}
		fl, ran, err := body()
		cf.in.firstTurn = outerTurn
		cf.in.tracing.raisedInGraph(f, err)
		cf.forSeveral()
		leave()
		// The end of the run.
		if fatal(err) {
			cf.build.Leave(outer)
			cf.in.rec.loops--
			return next, err
		}
		// continue is the end of an iteration.
		if err == nil {
			fl, err = cf.merge(f, n, continues, fl, nil)
			if fl == continues {
				fl = next
			}
		}
		self = &completion{flow: fl, frame: f, ret: f.ret, cond: cf.in.DataBool(nil).Cond}
		err = cf.keepRaise(self, err)
		comps, closed = cf.foldOpen(n, inner, self, err)
		cf.build.Leave(outer)
		cf.heap.Rollback(inner)
		end()
		f.ret = ret
		cf.path = before
		// An iteration that always raises leaves no state.
		if err != nil { // an iteration that always raises is not entered
			self = nil
		}
		if self != nil && self.flow != next {
			comps = append([]*completion{self}, comps...)
			self = nil
		}
		changed := false
		// The state at the head is joined with what the iteration left.
		if self != nil && ran {
			changed = cf.joinHead(self, inner, fx)
			refused, cf.in.retraces.fault = refused.or(cf.in.retraces.fault), graphFault{}
		}
		done()
		fx.round++
		// A state that never settles becomes unknown, with a diagnostic.
		if changed && fx.round > maxRounds {
			cf.in.Report(diag.New(diag.BudgetExceeded, at, "the state of this loop does not settle; what it changes is unknown"))
			fx.gap = "the state of the loop does not settle"
			changed = false
		}
		// The last round is the one that counts.
		if !changed {
			// How often it runs, if that is known.
			if open == nil {
				trips = fx.trips(comps)
			} else if len(comps) == 0 {
				trips = open.Len.Expr
			}
			cf.rebase(&pending{first: inner, mark: inner}, m, comps, nil)
			break
		}
		if fx.round == 1 {
			first = slices.Clone(cf.in.rec.conds[rec.conds:])
		}
		cf.heap.Close(inner)
		cf.sink.Truncate(sink)
		cf.in.rec.rollback(rec)
	}
	cf.reportFirst(turn, start)
	// What the first turn demands.
	cf.requireFirst(first, open)
	later := slices.Clone(cf.in.rec.held[held:])
	cf.in.rec.held = cf.in.rec.held[:held]
	cf.in.rec.loops--
	if len(comps) == 0 {
		cf.requireLater(later, fx, open)
	}
	way, node := cf.emitLoop(region, fx, open, index, comps, closed)
	if trips != nil {
		fx.close(m, trips, node)
	}
	// The loop ends by its test alone.
	if len(comps) == 0 || trips != nil {
		if trips != nil {
			if lo, _ := cf.path.facts.Range(trips); lo > 0 {
				fx.entered()
			}
		}
		cf.heap.Close(m)
		fl, err := els()
		return cf.endLoop(f, base, fl, err)
	}
	// The state is that at the head: zero or more iterations have run. Each way out has its number
	// as condition.
	for _, c := range comps {
		c.cond = cf.pool.Eq(way, cf.pool.Const(int64(c.code)))
	}
	n := len(cf.pendings)
	p := &pending{first: m, mark: m, path: before, comps: comps}
	cf.rewind(p)
	// A while loop without end in its test ends by break, return or an exception.
	if open == nil { // a while loop ends by its test or by an exit
		for _, fl := range [...]flow{exhausts, breaks, returns} {
			got, err := cf.merge(f, n, fl, next, errInfeasible)
			if err != nil {
				continue
			}
			if got != exhausts {
				return cf.endLoop(f, base, got, nil)
			}
			fl, err := els()
			return cf.endLoop(f, base, fl, err)
		}
		if fl, err := cf.goOnAs(n); err != errInfeasible { // only exceptions end it
			return cf.endLoop(f, base, fl, err)
		}
	}
	// The else clause of a for loop that may have been left.
	fl, err := els()
	return cf.endLoop(f, base, fl, err)
}

// A firstTurn holds the faults of the first iteration of a loop, but for those under a condition: it begins with the state before the
// loop, which a fault makes unknown for all later ones. Those under a condition may be of a turn that does not begin so.
type firstTurn struct {
	conds  int // of the path outside of the loop
	faults []*diag.Diagnostic
}

// reportFirst reports faults of the first iteration that the last one, after mark, did not come upon.
func (cf *controlFlow) reportFirst(t *firstTurn, mark int) {
	for _, d := range t.faults {
		if !slices.ContainsFunc(cf.sink.All()[mark:], func(x *diag.Diagnostic) bool { return x.Code == d.Code && x.At == d.At }) {
			cf.in.Report(d)
		}
	}
}

// requireFirst records the conditions of the first iteration: it begins with the state before the loop, of which the joined one no longer
// tells all. Those of a for loop count if there is an element.
func (cf *controlFlow) requireFirst(list []Condition, open *value.Open) {
	outer := len(cf.path.conds)
	var entered []*symshape.Cond
	if open != nil {
		if open.Len.Expr == nil {
			return
		}
		if lo, _ := cf.path.facts.Range(open.Len.Expr); lo < 1 {
			entered = append(entered, cf.pool.Ge(open.Len.Expr, cf.pool.Const(1)))
		}
	}
	for _, c := range list {
		if len(c.whole) >= outer {
			cf.in.rec.condition(c.Cond, slices.Concat(c.whole[:outer], entered, c.whole[outer:]), c.At, c.Op, c.Why)
		}
	}
}

// requireLater records the conditions of all iterations but the first on what an iteration leaves for the next one, where that is the
// same in each: a size that the state at the head, which is joined, no longer tells. Those of a loop of which not every iteration comes to
// its end, or of a while loop, do not count.
func (cf *controlFlow) requireLater(list []Condition, fx *fixpoint, open *value.Open) {
	if open == nil || open.Len.Expr == nil {
		return
	}
	outer := len(cf.path.conds)
	var again []*symshape.Cond
	if lo, _ := cf.path.facts.Range(open.Len.Expr); lo < 2 {
		twice := cf.pool.Ge(open.Len.Expr, cf.pool.Const(2))
		again, cf.in.rec.turns[twice] = append(again, twice), true
	}
	left := func(c *symshape.Cond) *symshape.Cond {
		return cf.pool.SubstCond(c, func(sym *symshape.Expr) *symshape.Expr {
			if e := fx.next[sym]; e != nil && fx.syms[sym] {
				return e
			}
			return sym
		})
	}
	for _, c := range list {
		if len(c.Path) < outer {
			continue
		}
		path := slices.Concat(c.Path[:outer], again)
		for _, p := range c.Path[outer:] {
			path = append(path, left(p))
		}
		cond := left(c.Cond)
		if _, decided := cond.Const(); !decided && cond != c.Cond {
			cf.in.rec.condition(cond, path, c.At, c.Op, "")
		}
	}
}

// rewind opens p, of which the completions are relative to the state at its mark,
// while the run is further on. The state of the run is put back on top of it.
func (cf *controlFlow) rewind(p *pending) {
	live := cf.heap.Changes(p.mark)
	cf.heap.Rollback(p.mark)
	cf.leftOver(p, p.comps)
	for _, ch := range live {
		cf.heap.Replace(ch.Obj, ch.Contents)
	}
}

// foldOpen is fold, but the If nodes of the pendings are not closed yet. The If nodes are closed
// when the numbers of the exits are known.
func (cf *controlFlow) foldOpen(base int, m value.Mark, self *completion, err error) (comps []*completion, closed []*pending) {
	closed = append(closed, cf.pendings[base:]...)
	outer := cf.build.Region()
	for i := range closed {
		c := *closed[i]
		c.comps = append([]*completion(nil), c.comps...)
		if i == 0 {
			outer = c.outer
		}
		closed[i] = &c
	}
	cf.unclosed++
	comps = cf.fold(base, m, self, err)
	cf.unclosed--
	cf.build.Leave(outer)
	return comps, closed
}

// joinHead joins what an iteration leaves with the state at the head of the loop,
// to which inner belongs, and reports whether that changed. Objects of the iteration itself are not
// joined.
func (cf *controlFlow) joinHead(self *completion, inner value.Mark, fx *fixpoint) (changed bool) {
	j := cf.in.newJoiner(self.cond).between(nil, self.changes)
	j.loop = fx
	var late []value.Change
	for _, ch := range self.changes {
		// Tensors that the fixpoint follows come last.
		if t, ok := ch.Obj.(*value.Tensor); ok && fx.follows(t, ch.Contents) {
			late = append(late, ch)
			continue
		}
		if !inner.Older(ch.Obj) { // made by the iteration
			cf.heap.Replace(ch.Obj, ch.Contents)
			continue
		}
		old := value.Contents(ch.Obj)
		joined := value.JoinContents(ch.Obj, old, ch.Contents, j)
		if !value.SameContents(old, joined, sameInLoop) {
			changed = true
			cf.heap.Replace(ch.Obj, joined)
		}
	}
	for _, ch := range late {
		fx.follow(ch.Obj.(*value.Tensor), value.TensorOf(ch.Contents).V)
	}
	return changed
}

// leaveUnless makes the rest of an iteration run only if t holds: else the loop
// ends. It returns false when t cannot hold. q is the way out that remains pending.
func (cf *controlFlow) leaveUnless(f *frame, t value.Value) bool {
	c := cond(cf.in, t)
	p, ok := cf.path.assume(c)
	if !ok {
		return false
	}
	m := cf.heap.Mark()
	not := cf.pool.Not(c)
	q := &pending{first: m, mark: m, path: cf.path, comps: []*completion{{flow: exhausts, frame: f, ret: f.ret, cond: not}}}
	cf.leftOver(q, q.comps)
	cf.path = p
	return true
}

// emitLoop records the Loop node, which it returns, and the number of the way out, where
// there are several. Its parameters are the number of the turn and the values that are carried.
func (cf *controlFlow) emitLoop(r *graph.Region, fx *fixpoint, open *value.Open, index *value.SymInt, comps []*completion,
	closed []*pending) (*symshape.Expr, *graph.Node) {
	at := cf.in.Here()
	if fx.gap != "" {
		cf.build.Incomplete(at, fx.gap)
	}
	for i, c := range comps {
		c.code = i + 1
	}
	exit, nexts := cf.closeExits(fx, comps, closed, r)
	n := &graph.Node{Op: graph.Loop, Regions: []*graph.Region{r}, At: at, Module: cf.in.ModulePath()}
	// The number of iterations is an operand where it is known.
	var trips graph.Operand
	switch {
	case open == nil:
	case open.Len.Expr != nil || open.Len.Known:
		trips = graph.Dim{Dim: open.Len}
	case len(comps) == 0:
		cf.build.Incomplete(at, "the number of iterations is not shown")
	default:
		cf.build.Incomplete(at, "the number of iterations is not shown")
	}
	// The region has a parameter for each carried value.
	r.Params = []*graph.Value{cf.build.Scalar(index.D.Expr, at)}
	r.Results = []graph.Operand{graph.Bool(true)}
	init := graph.List{}
	for i, c := range fx.order {
		init = append(init, c.init)
		r.Params = append(r.Params, c.param)
		r.Results = append(r.Results, nexts[i])
		out := cf.build.NewValue(c.param.Kind, c.param.Type, at)
		out.Name, out.Symbol, out.Length = c.param.Name, c.param.Symbol, c.param.Length
		n.Outputs = append(n.Outputs, out)
	}
	// The number of the way out is carried as well: 0 means that the loop goes on.
	var way *symshape.Expr
	if len(comps) > 0 {
		way = cf.pool.FreshIn("exit", 0, int64(len(comps)))
		cf.in.rec.data(way)
		r.Results[0] = graph.Cond{Cond: cf.pool.Eq(exit.Symbol, cf.pool.Const(0))}
		init = append(init, graph.Int(0))
		r.Params = append(r.Params, cf.build.Scalar(nil, at))
		r.Results = append(r.Results, exit)
		n.Outputs = append(n.Outputs, cf.build.Scalar(way, at))
	}
	n.Args = []graph.Arg{{Name: "trips", Value: trips}, {Name: "init", Value: init}}
	cf.build.Emit(n)
	return way, n
}

// closeExits closes the If nodes at which an iteration leaves the loop. It returns
// the number of the exit and what is carried on. nexts are the operands that the next turn begins
// with.
func (cf *controlFlow) closeExits(fx *fixpoint, comps []*completion, closed []*pending, r *graph.Region) (*graph.Value, []graph.Operand) {
	nexts := make([]graph.Operand, len(fx.order))
	for i, c := range fx.order {
		if nexts[i] = c.next; c.next == nil {
			nexts[i] = c.param
		}
	}
	if len(comps) == 0 {
		return nil, nexts
	}
	var code graph.Operand = graph.Int(0)
	if c := comps[0]; !inPendings(c, closed) { // the end of the body itself leaves
		code = graph.Int(c.code)
	}
	var last *graph.Value
	// choose makes an If that picks between two numbers of exits, and with keep between carried
	// values.
	choose := func(test graph.Operand, then, els *graph.Region, a, b graph.Operand, keep bool) graph.Operand {
		j := cf.in.newJoiner(nil)
		last = cf.build.Scalar(cf.pool.FreshIn("exit", 0, int64(len(comps))), cf.in.Here())
		cf.in.rec.data(last.Symbol)
		j.phis = append(j.phis, phi{a, b, last})
		if keep {
			for i, c := range fx.order {
				if nexts[i] == graph.Operand(c.param) {
					continue
				}
				out := cf.build.NewValue(c.param.Kind, c.param.Type, cf.in.Here())
				j.phis = append(j.phis, phi{c.param, nexts[i], out})
				nexts[i] = out
			}
		}
		j.emit(test, then, els)
		return last
	}
	outer := cf.build.Region()
	// From the innermost to the outermost.
	for i := len(closed) - 1; i >= 0; i-- {
		p := closed[i]
		cf.build.Enter(p.then)
		var way graph.Operand
		for _, c := range p.comps {
			if way == nil {
				way = graph.Int(c.code)
				continue
			}
			way = choose(graph.Cond{Cond: c.cond}, &graph.Region{}, &graph.Region{}, graph.Int(c.code), way, false)
		}
		cf.build.Enter(p.outer)
		code = choose(p.test, p.then, p.els, way, code, true)
	}
	cf.build.Enter(r)
	// Without an If the number still needs a value of its own.
	if last == nil {
		last = cf.build.Scalar(cf.pool.FreshIn("exit", 0, int64(len(comps))), cf.in.Here())
		cf.in.rec.data(last.Symbol)
		j := cf.in.newJoiner(nil)
		j.phis = append(j.phis, phi{code, code, last})
		j.emit(graph.Bool(true), &graph.Region{}, &graph.Region{})
	}
	cf.build.Leave(outer)
	return last, nexts
}

// inPendings reports whether a completion is one of the pendings'.
func inPendings(c *completion, list []*pending) bool {
	for _, p := range list {
		for _, x := range p.comps {
			if x == c {
				return true
			}
		}
	}
	return false
}

// firstAlone gives an iterator over the first of open's elements and then over the others; nil where the loop does not ask
// for it or an element of a place is not known. seq is what the loop goes over. It must give its
// first element by number.
func (in *Interp) firstAlone(f *frame, s *ast.For, seq value.Value, it *value.Iterator) *value.Iterator {
	open := it.Open
	if open.Len.Expr == nil || !in.asksForFirst(f, s) {
		return nil
	}
	var first func() (value.Value, error)
	rest := &value.Iterator{Name: it.Name}
	// A list that knows its elements by number, or a range.
	switch r, isRange := seq.(*value.Range); {
	case open.At != nil:
		first = func() (value.Value, error) { return open.At(in, &value.SymInt{D: in.pool.ConstDim(0)}) }
		rest.Open = &value.Open{Elem: open.Elem, Len: in.pool.DimSub(open.Len, in.pool.ConstDim(1)),
			At: func(th value.Thread, i *value.SymInt) (value.Value, error) {
				return open.At(th, &value.SymInt{D: in.pool.DimAdd(i.D, in.pool.ConstDim(1))})
			}}
	case isRange:
		start, ok1 := value.AsInt(r.Start)
		step, ok2 := value.AsInt(r.Step)
		if !ok1 || !ok2 {
			return nil
		}
		first = func() (value.Value, error) { return r.Start, nil }
		rest, _ = in.world.OpenRange(in, &value.Range{Start: value.Int(start + step), Stop: r.Stop, Step: r.Step})
	default:
		return nil
	}
	// The iterator becomes open after its first element.
	out := &value.Iterator{Header: in.heap.Header(), Name: it.Name}
	out.Next = func(value.Thread) (value.Value, bool, error) {
		in.heap.Touch(out)
		if out.Pos++; out.Pos > 1 {
			out.Open = rest.Open
			return nil, true, nil
		}
		v, err := first()
		return v, err == nil, err
	}
	return out
}

// asksForFirst reports whether a statement of a loop's body compares the number of the turn with 0 and sets there a variable
// that has no value yet. The number of the turn is the target, or the first of several, as of
// enumerate.
func (in *Interp) asksForFirst(f *frame, s *ast.For) bool {
	numbers := map[string]bool{}
	switch t := s.Target.(type) {
	case *ast.Name:
		numbers[t.ID] = true
	case *ast.Tuple:
		if len(t.Elts) == 0 {
			return false
		}
		if n, ok := t.Elts[0].(*ast.Name); ok {
			numbers[n.ID] = true
		}
	}
	for _, st := range s.Body {
		test, ok := st.(*ast.If)
		if ok && comparesWithZero(test.Test, numbers) && (in.setsNew(f, test.Body) || in.setsNew(f, test.Else)) {
			return true
		}
	}
	return false
}

// comparesWithZero reports whether a test is i, not i or a comparison of i with 0, for one of the
// names. Other comparisons do not single out the first turn.
func comparesWithZero(e ast.Expr, names map[string]bool) bool {
	switch e := e.(type) {
	case *ast.Name:
		return names[e.ID]
	case *ast.UnaryOp:
		return e.Op == ast.Not && comparesWithZero(e.Operand, names)
	case *ast.Compare:
		n, ok := e.Left.(*ast.Name)
		if !ok || len(e.Ops) != 1 || !names[n.ID] {
			return false
		}
		c, ok := e.Comparators[0].(*ast.Constant)
		return ok && c.Kind == ast.IntConst && c.Int == 0
	}
	return false
}

// setsNew reports whether statements assign a variable that has no value, or None. None counts as
// none, as programs set it before a loop.
func (in *Interp) setsNew(f *frame, body []ast.Stmt) bool {
	for _, st := range body {
		a, ok := st.(*ast.Assign)
		if !ok {
			continue
		}
		for _, t := range a.Targets {
			if n, ok := t.(*ast.Name); ok {
				if v := in.annotations.localNamed(f, n.ID); v == nil || v == value.None {
					return true
				}
			}
		}
	}
	return false
}

// hasFirst is that a loop has a first turn. Its condition is that the length is above 0.
func hasFirst(th value.Thread, open *value.Open) *value.SymBool {
	return &value.SymBool{Cond: th.Pool().Lt(th.Pool().Const(0), open.Len.Expr)}
}
