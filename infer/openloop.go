package infer

// This file runs loops whose number of iterations is not known: the body runs from
// a state that is joined with what the body leaves, until that changes nothing.
// The Loop node that comes of it has the form that package graph gives: ways out
// of the middle are numbered, and the code after the loop compares the number.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// maxRounds bounds the iterations of a fixpoint. Joins only lose information, so
// a few suffice; what still changes then becomes unknown.
const maxRounds = 12

// openLoop runs a loop of unknown length. open describes the elements of a for
// loop, nil stands for while; index is the number of the iteration. body runs one
// iteration and reports whether it ran at all; els is the else clause.
func (in *Interp) openLoop(f *frame, base int, open *value.Open, index *value.SymInt, body func() (flow, bool, error),
	els func() (flow, error)) (flow, error) {
	fx := in.newFixpoint()
	before, at, ret := in.path, in.Here(), f.ret
	region := &graph.Region{}
	fx.region = region
	m := in.heap.Mark()
	var comps []*completion
	var closed []*pending
	var self *completion
	var trips *symshape.Expr // the number of iterations, where it is known
	printed := in.retraces.PrintedMark()
	var refused graphFault
	vary := in.retraces.vary
	in.retraces.vary = false
	defer func() { in.retraces.fault, in.retraces.vary = in.retraces.fault.or(refused), vary }()
	for {
		in.retraces.Forget(printed)
		sink, rec := in.sink.Len(), in.rec.mark()
		*region = graph.Region{}
		fx.begin()
		outer := in.build.Enter(region)
		inner := in.heap.Mark()
		n := len(in.pendings)
		in.path = before
		in.forSeveral()
		leave := in.enterLoop()
		end, done := in.heap.Iterate(in.loopCount)
		fl, ran, err := body()
		in.raisedInGraph(f, err)
		in.forSeveral()
		leave()
		if fatal(err) {
			in.build.Leave(outer)
			return next, err
		}
		if err == nil {
			fl, err = in.merge(f, n, continues, fl, nil)
			if fl == continues {
				fl = next
			}
		}
		self = &completion{flow: fl, frame: f, ret: f.ret, cond: in.DataBool(nil).Cond}
		err = in.keepRaise(self, err)
		comps, closed = in.foldOpen(n, inner, self, err)
		in.build.Leave(outer)
		in.heap.Rollback(inner)
		end()
		f.ret = ret
		in.path = before
		if err != nil { // an iteration that always raises is not entered
			self = nil
		}
		if self != nil && self.flow != next {
			comps = append([]*completion{self}, comps...)
			self = nil
		}
		changed := false
		if self != nil && ran {
			changed = in.joinHead(self, inner, fx)
			refused, in.retraces.fault = refused.or(in.retraces.fault), graphFault{}
		}
		done()
		fx.round++
		if changed && fx.round > maxRounds {
			in.Report(diag.New(diag.BudgetExceeded, at, "the state of this loop does not settle; what it changes is unknown"))
			fx.gap = "the state of the loop does not settle"
			changed = false
		}
		if !changed {
			if open == nil {
				trips = fx.trips(comps)
			} else if len(comps) == 0 {
				trips = open.Len.Expr
			}
			in.rebase(&pending{first: inner, mark: inner}, m, comps, nil)
			break
		}
		in.heap.Close(inner)
		in.sink.Truncate(sink)
		in.rec.rollback(rec)
	}
	way, node := in.emitLoop(region, fx, open, index, comps, closed)
	if trips != nil {
		fx.close(m, trips, node)
	}
	if len(comps) == 0 || trips != nil {
		if trips != nil {
			if lo, _ := in.path.facts.Range(trips); lo > 0 {
				fx.entered()
			}
		}
		in.heap.Close(m)
		fl, err := els()
		return in.endLoop(f, base, fl, err)
	}
	// The state is that at the head: zero or more iterations have run.
	for _, c := range comps {
		c.cond = in.pool.Eq(way, in.pool.Const(int64(c.code)))
	}
	n := len(in.pendings)
	p := &pending{first: m, mark: m, path: before, comps: comps}
	in.rewind(p)
	if open == nil { // a while loop ends by its test or by an exit
		for _, fl := range [...]flow{exhausts, breaks, returns} {
			got, err := in.merge(f, n, fl, next, errInfeasible)
			if err != nil {
				continue
			}
			if got != exhausts {
				return in.endLoop(f, base, got, nil)
			}
			fl, err := els()
			return in.endLoop(f, base, fl, err)
		}
		if fl, err := in.goOnAs(n); err != errInfeasible { // only exceptions end it
			return in.endLoop(f, base, fl, err)
		}
	}
	fl, err := els()
	return in.endLoop(f, base, fl, err)
}

// rewind opens p, of which the completions are relative to the state at its mark,
// while the run is further on.
func (in *Interp) rewind(p *pending) {
	live := in.heap.Changes(p.mark)
	in.heap.Rollback(p.mark)
	in.leftOver(p, p.comps)
	for _, ch := range live {
		in.heap.Replace(ch.Obj, ch.Contents)
	}
}

// foldOpen is fold, but the If nodes of the pendings are not closed yet.
func (in *Interp) foldOpen(base int, m value.Mark, self *completion, err error) (comps []*completion, closed []*pending) {
	closed = append(closed, in.pendings[base:]...)
	outer := in.build.Region()
	for i := range closed {
		c := *closed[i]
		c.comps = append([]*completion(nil), c.comps...)
		if i == 0 {
			outer = c.outer
		}
		closed[i] = &c
	}
	in.unclosed++
	comps = in.fold(base, m, self, err)
	in.unclosed--
	in.build.Leave(outer)
	return comps, closed
}

// joinHead joins what an iteration leaves with the state at the head of the loop,
// to which inner belongs, and reports whether that changed.
func (in *Interp) joinHead(self *completion, inner value.Mark, fx *fixpoint) (changed bool) {
	j := in.newJoiner(self.cond).between(nil, self.changes)
	j.loop = fx
	var late []value.Change
	for _, ch := range self.changes {
		if t, ok := ch.Obj.(*value.Tensor); ok && fx.follows(t, ch.Contents) {
			late = append(late, ch)
			continue
		}
		if !inner.Older(ch.Obj) { // made by the iteration
			in.heap.Replace(ch.Obj, ch.Contents)
			continue
		}
		old := value.Contents(ch.Obj)
		joined := value.JoinContents(ch.Obj, old, ch.Contents, j)
		if !value.SameContents(old, joined, sameInLoop) {
			changed = true
			in.heap.Replace(ch.Obj, joined)
		}
	}
	for _, ch := range late {
		fx.follow(ch.Obj.(*value.Tensor), value.TensorOf(ch.Contents).V)
	}
	return changed
}

// leaveUnless makes the rest of an iteration run only if t holds: else the loop
// ends. It returns false when t cannot hold.
func (in *Interp) leaveUnless(f *frame, t value.Value) bool {
	c := cond(in, t)
	p, ok := in.path.assume(c)
	if !ok {
		return false
	}
	m := in.heap.Mark()
	not := in.pool.Not(c)
	q := &pending{first: m, mark: m, path: in.path, comps: []*completion{{flow: exhausts, frame: f, ret: f.ret, cond: not}}}
	in.leftOver(q, q.comps)
	in.path = p
	return true
}

// emitLoop records the Loop node, which it returns, and the number of the way out, where
// there are several.
func (in *Interp) emitLoop(r *graph.Region, fx *fixpoint, open *value.Open, index *value.SymInt, comps []*completion,
	closed []*pending) (*symshape.Expr, *graph.Node) {
	at := in.Here()
	if fx.gap != "" {
		in.build.Incomplete(at, fx.gap)
	}
	for i, c := range comps {
		c.code = i + 1
	}
	exit, nexts := in.closeExits(fx, comps, closed, r)
	n := &graph.Node{Op: graph.Loop, Regions: []*graph.Region{r}, At: at, Module: in.ModulePath()}
	var trips graph.Operand
	switch {
	case open == nil:
	case open.Len.Expr != nil || open.Len.Known:
		trips = graph.Dim{Dim: open.Len}
	case len(comps) == 0:
		in.build.Incomplete(at, "the number of iterations is not shown")
	default:
		in.build.Incomplete(at, "the number of iterations is not shown")
	}
	r.Params = []*graph.Value{in.build.Scalar(index.D.Expr, at)}
	r.Results = []graph.Operand{graph.Bool(true)}
	init := graph.List{}
	for i, c := range fx.order {
		init = append(init, c.init)
		r.Params = append(r.Params, c.param)
		r.Results = append(r.Results, nexts[i])
		out := in.build.NewValue(c.param.Kind, c.param.Type, at)
		out.Name, out.Symbol, out.Length = c.param.Name, c.param.Symbol, c.param.Length
		n.Outputs = append(n.Outputs, out)
	}
	var way *symshape.Expr
	if len(comps) > 0 {
		way = in.pool.FreshIn("exit", 0, int64(len(comps)))
		in.rec.data(way)
		r.Results[0] = graph.Cond{Cond: in.pool.Eq(exit.Symbol, in.pool.Const(0))}
		init = append(init, graph.Int(0))
		r.Params = append(r.Params, in.build.Scalar(nil, at))
		r.Results = append(r.Results, exit)
		n.Outputs = append(n.Outputs, in.build.Scalar(way, at))
	}
	n.Args = []graph.Arg{{Name: "trips", Value: trips}, {Name: "init", Value: init}}
	in.build.Emit(n)
	return way, n
}

// closeExits closes the If nodes at which an iteration leaves the loop. It returns
// the number of the exit and what is carried on.
func (in *Interp) closeExits(fx *fixpoint, comps []*completion, closed []*pending, r *graph.Region) (*graph.Value, []graph.Operand) {
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
	choose := func(test graph.Operand, then, els *graph.Region, a, b graph.Operand, keep bool) graph.Operand {
		j := in.newJoiner(nil)
		last = in.build.Scalar(in.pool.FreshIn("exit", 0, int64(len(comps))), in.Here())
		in.rec.data(last.Symbol)
		j.phis = append(j.phis, phi{a, b, last})
		if keep {
			for i, c := range fx.order {
				if nexts[i] == graph.Operand(c.param) {
					continue
				}
				out := in.build.NewValue(c.param.Kind, c.param.Type, in.Here())
				j.phis = append(j.phis, phi{c.param, nexts[i], out})
				nexts[i] = out
			}
		}
		j.emit(test, then, els)
		return last
	}
	outer := in.build.Region()
	for i := len(closed) - 1; i >= 0; i-- {
		p := closed[i]
		in.build.Enter(p.then)
		var way graph.Operand
		for _, c := range p.comps {
			if way == nil {
				way = graph.Int(c.code)
				continue
			}
			way = choose(graph.Cond{Cond: c.cond}, &graph.Region{}, &graph.Region{}, graph.Int(c.code), way, false)
		}
		in.build.Enter(p.outer)
		code = choose(p.test, p.then, p.els, way, code, true)
	}
	in.build.Enter(r)
	if last == nil {
		last = in.build.Scalar(in.pool.FreshIn("exit", 0, int64(len(comps))), in.Here())
		in.rec.data(last.Symbol)
		j := in.newJoiner(nil)
		j.phis = append(j.phis, phi{code, code, last})
		j.emit(graph.Bool(true), &graph.Region{}, &graph.Region{})
	}
	in.build.Leave(outer)
	return last, nexts
}

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
