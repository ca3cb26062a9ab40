package infer

// This file runs if statements whose condition is not decided, and keeps what
// leaves a block early.
//
// A branch that leaves its block (return, break, continue, an exception that some
// try statement catches) is kept as a pending completion, and the run goes on as the
// other branch, inside the region of that branch. Where the two meet again (the end
// of the iteration, of the loop, of the function) merge joins them, innermost
// condition first, and closes the If node. What a try statement does with the
// completions that leave its body is in unwind.go.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A completion is a branch that has ended, with everything it changed since the
// mark of the pending it belongs to.
type completion struct {
	flow  flow
	frame *frame
	ret   value.Value
	val   value.Value // of an expression that ends normally
	// err is what a completion raises, depth the number of handlers around it.
	err   error
	depth int
	// cond is the condition under which it was taken, unless one of those that left
	// before it was.
	cond *symshape.Cond
	// changes may list objects that were born since the mark, where they changed
	// inside a branch.
	changes []value.Change
	code    int // of an exit from a loop; see openloop.go
}

// A pending holds completions until the run reaches their target. Its mark stays
// open on the heap; pendings nest.
type pending struct {
	first value.Mark // as old as the condition
	mark  value.Mark
	// Objects born between alone.lo and alone.hi belong to the completions alone.
	alone struct{ lo, hi value.Mark }
	path  path          // before the condition
	comps []*completion // of two, the one that left earlier comes later
	// outer is the region in which the condition stands, then the one in which the
	// completions ran, els that in which the run goes on.
	outer, then, els *graph.Region
	test             graph.Operand // of then
}

// reaches reports whether the run can reach an object that was born since the
// condition.
func (p *pending) reaches(o value.Mutable) bool {
	return p.alone.lo.Older(o) || !p.alone.hi.Older(o)
}

// ifStmt runs an if statement whose test is t.
func (in *Interp) ifStmt(f *frame, t value.Value, then, els func() (flow, error)) (flow, error) {
	if val, known := in.Holds(t); known {
		if val {
			return then()
		}
		return els()
	}
	way := func(body func() (flow, error)) func() (flow, value.Value, error) {
		return func() (flow, value.Value, error) {
			fl, err := body()
			return fl, nil, err
		}
	}
	fl, _, err := in.twoWays(f, cond(in, t), testOperand(t), way(then), way(els))
	return fl, err
}

// forkSteps is what it takes to go two ways, for each condition that is open already:
// all of them are asked whether the new one follows.
const forkSteps = 16

// twoWays runs what stands in f under the undecided condition c and under its
// opposite. Where both end normally the value is the join of their values.
func (in *Interp) twoWays(f *frame, c *symshape.Cond, test graph.Operand, then, els func() (flow, value.Value, error)) (flow, value.Value,
	error) {
	if f == nil { // no Python code runs
		f = &frame{}
	}
	if err := in.spent.charge(forkSteps * (1 + len(in.path.conds))); err != nil {
		return next, nil, err
	}
	if in.guessed(c) {
		then, els = in.inDoubt(then), in.inDoubt(els)
	}
	first := in.heap.Mark()
	before := in.path
	thenR, elseR := &graph.Region{}, &graph.Region{}
	outer := in.build.Enter(thenR)
	base := len(in.pendings)

	pa, ok := before.assume(c)
	if !ok {
		in.build.Leave(outer)
		in.heap.Close(first)
		return els()
	}
	in.path = pa
	fa, va, aerr := then()
	if fatal(aerr) {
		in.build.Leave(outer)
		return fa, nil, aerr
	}
	a := &completion{flow: fa, frame: f, ret: f.ret, val: va, cond: c}
	aerr = in.keepRaise(a, aerr)
	left := in.fold(base, first, a, aerr) // completions that the branch itself left pending
	in.under(c, left)
	in.heap.Rollback(first)
	in.heap.Close(first)
	m := in.heap.Mark() // tells what is born in the other branch
	p := &pending{first: first, mark: m, path: before, outer: outer, then: thenR, els: elseR, test: test}

	pb, ok := before.assume(in.pool.Not(c))
	if !ok { // only the first branch can run
		in.build.Leave(outer)
		in.path = before
		splice(in, thenR)
		return in.goOn(p, a, aerr, left)
	}
	in.build.Enter(elseR)
	in.path = pb
	fb, vb, berr := els()
	if fatal(berr) {
		in.build.Leave(outer)
		return fb, nil, berr
	}
	b := &completion{flow: fb, frame: f, ret: f.ret, val: vb, cond: in.pool.Not(c)}
	lateErr := berr
	berr = in.keepRaise(b, berr)
	if aerr == nil && berr == nil && a.flow != next && (b.flow == next || a.flow == raises && b.flow == raises) {
		// The first leaves early: it waits; the run goes on as the second.
		p.comps = append([]*completion{a}, left...)
		p.alone.lo, p.alone.hi = first, m
		in.pendings = slices.Insert(in.pendings, base, p)
		return fb, vb, lateErr
	}
	right := in.fold(base, m, b, berr)
	in.under(b.cond, right)
	in.heap.Rollback(m)
	in.path = before
	in.build.Leave(outer)
	switch {
	case aerr != nil && berr != nil:
		in.newJoiner(c).emit(test, thenR, elseR)
		return in.goOn(p, nil, aerr, append(left, right...))
	case aerr != nil && len(left) == 0: // a guard
		splice(in, elseR)
		in.guard(b.cond, aerr)
		return in.goOn(p, b, nil, right)
	case berr != nil && len(right) == 0:
		splice(in, thenR)
		in.guard(c, berr)
		return in.goOn(p, a, nil, left)
	case aerr != nil: // some ways through the first branch leave early, the others raise
		in.guard(in.pool.Or(append(conds(left), b.cond)...), aerr)
		p.comps = left
		p.alone.lo, p.alone.hi = first, m
		in.wait(p)
		return in.goOnInside(b, right)
	case berr != nil:
		in.guard(in.pool.Or(append(conds(right), c)...), berr)
		in.swap(p, b.cond, right)
		in.wait(p)
		return in.goOnInside(a, left)
	case a.flow == b.flow:
		j := in.newJoiner(c).between(a.changes, b.changes)
		j.first = first
		both := &completion{flow: a.flow, frame: f, ret: b.ret}
		if a.flow == returns {
			both.ret = j.value(a.ret, b.ret)
		}
		if va != nil || vb != nil {
			both.val = j.value(va, vb)
		}
		both.changes = j.merge(a.changes, b.changes, first)
		j.emit(test, thenR, elseR)
		return in.goOn(p, both, nil, append(left, right...))
	}
	// The second leaves early, or both do: it waits; the run goes on as the first.
	in.swap(p, b.cond, append([]*completion{b}, right...))
	in.path = pa
	in.wait(p)
	return in.goOnInside(a, left)
}

// inDoubt is a branch of which it is not known whether it runs.
func (in *Interp) inDoubt(body func() (flow, value.Value, error)) func() (flow, value.Value, error) {
	return func() (flow, value.Value, error) {
		in.guessing++
		defer func() { in.guessing-- }()
		return body()
	}
}

// keepRaise makes c the completion of a branch that raised err, where some running try
// statement catches that; else err stays.
func (in *Interp) keepRaise(c *completion, err error) error {
	if err == nil || !in.kept(err) {
		return err
	}
	c.flow, c.err, c.depth, c.val = raises, err, len(in.handlers), nil
	return nil
}

// resume makes a completion's state the current one and goes on as it says.
func (in *Interp) resume(c *completion) (flow, value.Value, error) {
	in.apply(c)
	if c.flow == raises {
		return next, nil, c.err
	}
	return c.flow, c.val, nil
}

// swap makes p wait for the else branch instead.
func (in *Interp) swap(p *pending, test *symshape.Cond, comps []*completion) {
	p.then, p.els, p.test, p.comps = p.els, p.then, graph.Cond{Cond: test}, comps
	p.alone.lo = p.mark
	in.heap.Close(p.mark)
	p.mark = in.heap.Mark()
	p.alone.hi = p.mark
}

// wait opens p; the heap is in the state of its mark.
func (in *Interp) wait(p *pending) {
	in.pendings = append(in.pendings, p)
	in.build.Enter(p.els)
}

// goOn goes on as live, or where that raised err as one of the others, which all
// have been computed. The heap is in the state of p's mark.
func (in *Interp) goOn(p *pending, live *completion, err error, comps []*completion) (flow, value.Value, error) {
	if err != nil {
		if len(comps) == 0 {
			in.heap.Close(p.mark)
			return next, nil, err
		}
		in.guard(in.pool.Or(conds(comps)...), err)
		live, comps = comps[0], comps[1:]
	}
	if len(comps) == 0 {
		fl, v, err := in.resume(live)
		in.heap.Close(p.mark)
		return fl, v, err
	}
	in.leftOver(p, comps)
	return in.resume(live)
}

// goOnInside is goOn inside a branch, whose other branch waits.
func (in *Interp) goOnInside(live *completion, comps []*completion) (flow, value.Value, error) {
	if len(comps) > 0 {
		m := in.heap.Mark()
		in.leftOver(&pending{first: m, mark: m, path: in.path, outer: in.build.Region()}, comps)
	}
	return in.resume(live)
}

// leftOver opens p for completions whose regions are closed. The run goes on where
// none of them is taken.
func (in *Interp) leftOver(p *pending, comps []*completion) {
	q := &pending{first: p.first, mark: p.mark, path: p.path, comps: comps, outer: in.build.Region(), then: &graph.Region{},
		els:  &graph.Region{},
		test: graph.Cond{Cond: in.pool.Or(conds(comps)...)}}
	in.wait(q)
}

// apply makes a completion's state the current one.
func (in *Interp) apply(c *completion) {
	for _, ch := range c.changes {
		in.heap.Replace(ch.Obj, ch.Contents)
	}
	if c.frame != nil {
		c.frame.ret = c.ret
	}
}

func conds(comps []*completion) []*symshape.Cond {
	list := make([]*symshape.Cond, len(comps))
	for i, c := range comps {
		list[i] = c.cond
	}
	return list
}

// under notes that completions were taken in a branch under c.
func (in *Interp) under(c *symshape.Cond, comps []*completion) {
	for _, x := range comps {
		x.cond = in.pool.And(c, x.cond)
	}
}

// capture lists what the run has changed since p's mark.
func (in *Interp) capture(p *pending, carried []*completion) []value.Change {
	list := in.heap.Changes(p.mark)
	have := make(map[value.Mutable]bool, len(list))
	for _, ch := range list {
		have[ch.Obj] = true
	}
	add := func(comps []*completion) {
		for _, c := range comps {
			for _, ch := range c.changes {
				if !p.first.Older(ch.Obj) && p.reaches(ch.Obj) && !have[ch.Obj] {
					have[ch.Obj] = true
					list = append(list, value.Change{Obj: ch.Obj, Contents: value.Contents(ch.Obj)})
				}
			}
		}
	}
	add(p.comps)
	add(carried)
	return list
}

// rebase makes completions that are relative to p relative to the older mark to,
// closes p's mark and leaves the state of live, of which changes are relative to p.
func (in *Interp) rebase(p *pending, to value.Mark, comps []*completion, live []value.Change) {
	in.heap.Rollback(p.mark)
	// What was born since the older mark is known to several ways: each lists it.
	var born []value.Change
	seen := map[value.Mutable]bool{}
	note := func(list []value.Change) {
		for _, ch := range list {
			if !to.Older(ch.Obj) && !seen[ch.Obj] {
				seen[ch.Obj] = true
				born = append(born, value.Change{Obj: ch.Obj, Contents: value.Contents(ch.Obj)})
			}
		}
	}
	note(live)
	for _, c := range comps {
		note(c.changes)
	}
	for _, c := range comps {
		own := map[value.Mutable]any{}
		for _, ch := range c.changes {
			in.heap.Replace(ch.Obj, ch.Contents)
			own[ch.Obj] = ch.Contents
		}
		list := in.heap.Changes(to)
		for _, b := range born {
			if x, ok := own[b.Obj]; ok {
				list = append(list, value.Change{Obj: b.Obj, Contents: x})
			} else if p.first.Older(b.Obj) {
				list = append(list, b)
			}
		}
		c.changes = list
		in.heap.Rollback(p.mark)
	}
	for _, b := range born { // a rollback leaves what was born since
		in.heap.Replace(b.Obj, b.Contents)
	}
	for _, ch := range live {
		in.heap.Replace(ch.Obj, ch.Contents)
	}
	in.heap.Close(p.mark)
}

// fold closes the pendings above base, which a branch left behind, and returns
// their completions relative to m, the latest first. It fills in the changes of
// the branch itself.
func (in *Interp) fold(base int, m value.Mark, self *completion, err error) []*completion {
	var out []*completion
	for i := len(in.pendings) - 1; i >= base; i-- {
		p := in.pendings[i]
		live := in.capture(p, out)
		out = append(out, p.comps...)
		if in.unclosed == 0 {
			in.build.Leave(p.outer)
			in.newJoiner(nil).emit(p.test, p.then, p.els)
		}
		to := m
		if i > base {
			to = in.pendings[i-1].mark
		}
		in.rebase(p, to, out, live)
		in.pendings = in.pendings[:i]
	}
	self.changes = in.capture(&pending{first: m, mark: m}, out)
	return out
}

// merge joins the run with the pending completions above base that are meant for
// this place: those with one of the flows of frame f. Unless the run itself gets
// here, it goes on elsewhere, as cur says, or raised err. merge returns whether
// anything gets here, and otherwise the flow or error of the run.
func (in *Interp) merge(f *frame, base int, target flow, cur flow, err error) (flow, error) {
	meant := func(c *completion) bool { return c.frame == f && c.flow == target }
	lowest := base
	for lowest < len(in.pendings) && !slices.ContainsFunc(in.pendings[lowest].comps, meant) {
		lowest++
	}
	if lowest >= len(in.pendings) { // fewer: a generator is closed after its consumer has ended
		return cur, err
	}
	if err != nil && !in.kept(err) {
		var all []*symshape.Cond
		for _, p := range in.pendings[lowest:] {
			all = append(all, conds(p.comps)...)
		}
		defer func() { in.guard(in.pool.Or(all...), err) }()
	}
	alive := err == nil && (cur == target || cur == next)
	var carried []*completion
	if !alive {
		p := in.pendings[len(in.pendings)-1]
		c := &completion{flow: cur, frame: f, ret: f.ret, cond: in.pool.Not(in.pool.Or(conds(p.comps)...))}
		if in.keepRaise(c, err) == nil {
			c.changes = in.capture(p, nil)
			carried = []*completion{c}
		}
	}
	for i := len(in.pendings) - 1; ; i-- {
		p := in.pendings[i]
		in.pendings = in.pendings[:i]
		var live []value.Change
		if alive {
			live = in.capture(p, carried)
		}
		var here []*completion
		var spent error
		if here, carried, spent = in.split(p, carried, meant); spent != nil {
			return cur, spent
		}
		in.heap.Rollback(p.mark)
		in.path = p.path
		live = in.meet(f, p, here, live, alive, target)
		alive = alive || len(here) > 0
		if i == lowest {
			if len(carried) > 0 {
				in.leftOver(p, carried)
			}
			for _, ch := range live {
				in.heap.Replace(ch.Obj, ch.Contents)
			}
			if len(carried) == 0 {
				in.heap.Close(p.mark)
			}
			return target, nil
		}
		in.rebase(p, in.pendings[i-1].mark, carried, live)
	}
}

// split separates p's completions that are meant for a place from the others,
// which it adds to those that are carried on. Where there are many, their conditions are what takes the time.
func (in *Interp) split(p *pending, carried []*completion, meant func(*completion) bool) (here, rest []*completion, err error) {
	all := append(carried[:len(carried):len(carried)], p.comps...)
	for i, c := range all {
		if i >= len(carried) && meant(c) {
			here = append(here, c)
			continue
		}
		// What is joined here comes before what waits: those that left earlier are
		// taken out of its condition.
		for k := i + 1; k < len(all); k++ {
			if k >= len(carried) && meant(all[k]) {
				c.cond = in.pool.And(c.cond, in.pool.Not(all[k].cond))
				if err := in.Step(c.cond.Parts() / condParts); err != nil {
					return nil, nil, err
				}
			}
		}
		rest = append(rest, c)
	}
	return here, rest, nil
}

// condParts are the parts of a condition that take a step to join.
const condParts = 16

// meet joins completions of p with the run and closes the If node of p. It returns
// what has changed since p's mark, in which state the heap is.
func (in *Interp) meet(f *frame, p *pending, here []*completion, live []value.Change, alive bool, target flow) []value.Change {
	in.build.Enter(p.then)
	ret := f.ret
	var changes []value.Change
	for i, c := range here {
		if i == 0 {
			ret, changes = c.ret, c.changes
			continue
		}
		j := in.newJoiner(c.cond).between(c.changes, changes)
		j.first = p.first
		if target == returns {
			ret = j.value(c.ret, ret)
		}
		changes = j.merge(c.changes, changes, p.first)
		j.emit(graph.Cond{Cond: c.cond}, &graph.Region{}, &graph.Region{})
	}
	in.build.Leave(p.outer)
	j := in.newJoiner(nil)
	j.first = p.first
	switch {
	case len(here) == 0:
		changes = live
	case alive:
		j.cond = in.pool.Or(conds(here)...)
		j.between(changes, live)
		if target == returns {
			ret = j.value(ret, f.ret)
		}
		changes = j.merge(changes, live, p.first)
	}
	j.emit(p.test, p.then, p.els)
	f.ret = ret
	return changes
}

// joinReturns ends a function some of whose branches returned early.
func (in *Interp) joinReturns(f *frame, base int, err error) (value.Value, error) {
	if err != nil && fatal(err) {
		in.dropPendings(base)
		return nil, err
	}
	_, err = in.merge(f, base, returns, returns, err)
	in.dropPendings(base) // those meant for a loop that is gone cannot be
	if err != nil {
		return nil, err
	}
	return f.ret, nil
}

// dropPendings forgets completions that can no longer be reached: all but
// exceptions, which are on their way to a try statement further out.
func (in *Interp) dropPendings(base int) {
	for _, p := range in.pendings[min(base, len(in.pendings)):] {
		p.comps = slices.DeleteFunc(slices.Clone(p.comps), func(c *completion) bool { return c.flow != raises })
	}
	in.closeEmpty(base)
}

// closeEmpty closes the innermost pendings above base that wait for nothing: whatever comes now
// is under their conditions no more, for nothing else goes on.
func (in *Interp) closeEmpty(base int) {
	for i := len(in.pendings) - 1; i >= base; i-- {
		p := in.pendings[i]
		if len(p.comps) > 0 {
			return
		}
		in.heap.Close(p.mark)
		in.build.Leave(p.outer)
		in.newJoiner(nil).emit(p.test, p.then, p.els)
		in.pendings = in.pendings[:i]
		in.path.conds = p.path.conds
	}
}
