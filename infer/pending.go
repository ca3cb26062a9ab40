package infer

// This file runs if statements whose condition is not decided, and keeps what
// leaves a block early.
//
// A branch that leaves its block (return, break, continue, an exception that some
// try statement catches) is kept as a pending completion, and the run goes on as the
// other branch, inside the region of that branch. Where the two meet again (the end
// of the iteration, of the loop, of the function) merge joins them, innermost
// condition first, and closes the If node. What stands at the
// end of a try or with statement (handlers, else, finally, __exit__) runs for every way on which the body may have ended: the one
// on which the run is, and the completions that are pending.

import (
	"errors"
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
func (cf *controlFlow) ifStmt(f *frame, t value.Value, then, els func() (flow, error)) (flow, error) {
	if val, known := cf.in.Holds(t); known {
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
	fl, _, err := cf.twoWays(f, cond(cf.in, t), testOperand(t), way(then), way(els))
	return fl, err
}

// forkSteps is what it takes to go two ways, for each condition that is open already:
// all of them are asked whether the new one follows.
const forkSteps = 16

// twoWays runs what stands in f under the undecided condition c and under its
// opposite. Where both end normally the value is the join of their values.
func (cf *controlFlow) twoWays(f *frame, c *symshape.Cond, test graph.Operand, then, els func() (flow, value.Value, error)) (flow, value.Value,
	error) {
	if f == nil { // no Python code runs
		f = &frame{}
	}
	if err := cf.in.spent.charge(forkSteps * (1 + len(cf.path.conds))); err != nil {
		return next, nil, err
	}
	if cf.guessed(c) {
		then, els = cf.inDoubt(then), cf.inDoubt(els)
	}
	first := cf.heap.Mark()
	before := cf.path
	thenR, elseR := &graph.Region{}, &graph.Region{}
	outer := cf.build.Enter(thenR)
	base := len(cf.pendings)

	pa, ok := before.assume(c)
	if !ok {
		cf.build.Leave(outer)
		cf.heap.Close(first)
		return els()
	}
	cf.path = pa
	fa, va, aerr := then()
	if fatal(aerr) {
		cf.build.Leave(outer)
		return fa, nil, aerr
	}
	a := &completion{flow: fa, frame: f, ret: f.ret, val: va, cond: c}
	aerr = cf.keepRaise(a, aerr)
	left := cf.fold(base, first, a, aerr) // completions that the branch itself left pending
	cf.under(c, left)
	cf.heap.Rollback(first)
	cf.heap.Close(first)
	m := cf.heap.Mark() // tells what is born in the other branch
	p := &pending{first: first, mark: m, path: before, outer: outer, then: thenR, els: elseR, test: test}

	pb, ok := before.assume(cf.pool.Not(c))
	if !ok { // only the first branch can run
		cf.build.Leave(outer)
		cf.path = before
		splice(cf.in, thenR)
		return cf.goOn(p, a, aerr, left)
	}
	cf.build.Enter(elseR)
	cf.path = pb
	fb, vb, berr := els()
	if fatal(berr) {
		cf.build.Leave(outer)
		return fb, nil, berr
	}
	b := &completion{flow: fb, frame: f, ret: f.ret, val: vb, cond: cf.pool.Not(c)}
	lateErr := berr
	berr = cf.keepRaise(b, berr)
	if aerr == nil && berr == nil && a.flow != next && (b.flow == next || a.flow == raises && b.flow == raises) {
		// The first leaves early: it waits; the run goes on as the second.
		p.comps = append([]*completion{a}, left...)
		p.alone.lo, p.alone.hi = first, m
		cf.pendings = slices.Insert(cf.pendings, base, p)
		return fb, vb, lateErr
	}
	right := cf.fold(base, m, b, berr)
	cf.under(b.cond, right)
	cf.heap.Rollback(m)
	cf.path = before
	cf.build.Leave(outer)
	switch {
	case aerr != nil && berr != nil:
		cf.in.newJoiner(c).emit(test, thenR, elseR)
		return cf.goOn(p, nil, aerr, append(left, right...))
	case aerr != nil && len(left) == 0: // a guard
		splice(cf.in, elseR)
		cf.guard(b.cond, aerr)
		return cf.goOn(p, b, nil, right)
	case berr != nil && len(right) == 0:
		splice(cf.in, thenR)
		cf.guard(c, berr)
		return cf.goOn(p, a, nil, left)
	case aerr != nil: // some ways through the first branch leave early, the others raise
		cf.guard(cf.pool.Or(append(conds(left), b.cond)...), aerr)
		p.comps = left
		p.alone.lo, p.alone.hi = first, m
		cf.wait(p)
		return cf.goOnInside(b, right)
	case berr != nil:
		cf.guard(cf.pool.Or(append(conds(right), c)...), berr)
		cf.swap(p, b.cond, right)
		cf.wait(p)
		return cf.goOnInside(a, left)
	case a.flow == b.flow:
		j := cf.in.newJoiner(c).between(a.changes, b.changes)
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
		return cf.goOn(p, both, nil, append(left, right...))
	}
	// The second leaves early, or both do: it waits; the run goes on as the first.
	cf.swap(p, b.cond, append([]*completion{b}, right...))
	cf.path = pa
	cf.wait(p)
	return cf.goOnInside(a, left)
}

// inDoubt is a branch of which it is not known whether it runs.
func (cf *controlFlow) inDoubt(body func() (flow, value.Value, error)) func() (flow, value.Value, error) {
	return func() (flow, value.Value, error) {
		cf.doubtful.enter()
		defer cf.doubtful.leave()
		return body()
	}
}

// keepRaise makes c the completion of a branch that raised err, where some running try
// statement catches that; else err stays.
func (cf *controlFlow) keepRaise(c *completion, err error) error {
	if err == nil || !cf.kept(err) {
		return err
	}
	c.flow, c.err, c.depth, c.val = raises, err, len(cf.handlers), nil
	return nil
}

// resume makes a completion's state the current one and goes on as it says.
func (cf *controlFlow) resume(c *completion) (flow, value.Value, error) {
	cf.apply(c)
	if c.flow == raises {
		return next, nil, c.err
	}
	return c.flow, c.val, nil
}

// swap makes p wait for the else branch instead.
func (cf *controlFlow) swap(p *pending, test *symshape.Cond, comps []*completion) {
	p.then, p.els, p.test, p.comps = p.els, p.then, graph.Cond{Cond: test}, comps
	p.alone.lo = p.mark
	cf.heap.Close(p.mark)
	p.mark = cf.heap.Mark()
	p.alone.hi = p.mark
}

// wait opens p; the heap is in the state of its mark.
func (cf *controlFlow) wait(p *pending) {
	cf.pendings = append(cf.pendings, p)
	cf.build.Enter(p.els)
}

// goOn goes on as live, or where that raised err as one of the others, which all
// have been computed. The heap is in the state of p's mark.
func (cf *controlFlow) goOn(p *pending, live *completion, err error, comps []*completion) (flow, value.Value, error) {
	if err != nil {
		if len(comps) == 0 {
			cf.heap.Close(p.mark)
			return next, nil, err
		}
		cf.guard(cf.pool.Or(conds(comps)...), err)
		live, comps = comps[0], comps[1:]
	}
	if len(comps) == 0 {
		fl, v, err := cf.resume(live)
		cf.heap.Close(p.mark)
		return fl, v, err
	}
	cf.leftOver(p, comps)
	return cf.resume(live)
}

// goOnInside is goOn inside a branch, whose other branch waits.
func (cf *controlFlow) goOnInside(live *completion, comps []*completion) (flow, value.Value, error) {
	if len(comps) > 0 {
		m := cf.heap.Mark()
		cf.leftOver(&pending{first: m, mark: m, path: cf.path, outer: cf.build.Region()}, comps)
	}
	return cf.resume(live)
}

// leftOver opens p for completions whose regions are closed. The run goes on where
// none of them is taken.
func (cf *controlFlow) leftOver(p *pending, comps []*completion) {
	q := &pending{first: p.first, mark: p.mark, path: p.path, comps: comps, outer: cf.build.Region(), then: &graph.Region{},
		els:  &graph.Region{},
		test: graph.Cond{Cond: cf.pool.Or(conds(comps)...)}}
	cf.wait(q)
}

// writes charges the writing of so many objects where a state takes the place of another. A limit that it reaches ends the next step.
func (cf *controlFlow) writes(objects int) {
	if err := cf.in.spent.charge(objects / objectsPerStep); err != nil {
		return
	}
}

// apply makes a completion's state the current one.
func (cf *controlFlow) apply(c *completion) {
	cf.writes(len(c.changes))
	for _, ch := range c.changes {
		cf.heap.Replace(ch.Obj, ch.Contents)
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
func (cf *controlFlow) under(c *symshape.Cond, comps []*completion) {
	for _, x := range comps {
		x.cond = cf.pool.And(c, x.cond)
	}
}

// capture lists what the run has changed since p's mark.
func (cf *controlFlow) capture(p *pending, carried []*completion) []value.Change {
	list := cf.heap.Changes(p.mark)
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
func (cf *controlFlow) rebase(p *pending, to value.Mark, comps []*completion, live []value.Change) {
	cf.heap.Rollback(p.mark)
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
	written := len(live)
	for _, c := range comps {
		note(c.changes)
		written += len(c.changes)
	}
	cf.writes(written + len(comps)*len(born))
	for _, c := range comps {
		own := map[value.Mutable]any{}
		for _, ch := range c.changes {
			cf.heap.Replace(ch.Obj, ch.Contents)
			own[ch.Obj] = ch.Contents
		}
		list := cf.heap.Changes(to)
		for _, b := range born {
			if x, ok := own[b.Obj]; ok {
				list = append(list, value.Change{Obj: b.Obj, Contents: x})
			} else if p.first.Older(b.Obj) {
				list = append(list, b)
			}
		}
		c.changes = list
		cf.heap.Rollback(p.mark)
	}
	for _, b := range born { // a rollback leaves what was born since
		cf.heap.Replace(b.Obj, b.Contents)
	}
	for _, ch := range live {
		cf.heap.Replace(ch.Obj, ch.Contents)
	}
	cf.heap.Close(p.mark)
}

// fold closes the pendings above base, which a branch left behind, and returns
// their completions relative to m, the latest first. It fills in the changes of
// the branch itself.
func (cf *controlFlow) fold(base int, m value.Mark, self *completion, err error) []*completion {
	var out []*completion
	for i := len(cf.pendings) - 1; i >= base; i-- {
		p := cf.pendings[i]
		live := cf.capture(p, out)
		out = append(out, p.comps...)
		if cf.unclosed == 0 {
			cf.build.Leave(p.outer)
			cf.in.newJoiner(nil).emit(p.test, p.then, p.els)
		}
		to := m
		if i > base {
			to = cf.pendings[i-1].mark
		}
		cf.rebase(p, to, out, live)
		cf.pendings = cf.pendings[:i]
	}
	self.changes = cf.capture(&pending{first: m, mark: m}, out)
	return out
}

// merge joins the run with the pending completions above base that are meant for
// this place: those with one of the flows of frame f. Unless the run itself gets
// here, it goes on elsewhere, as cur says, or raised err. merge returns whether
// anything gets here, and otherwise the flow or error of the run.
func (cf *controlFlow) merge(f *frame, base int, target flow, cur flow, err error) (flow, error) {
	meant := func(c *completion) bool { return c.frame == f && c.flow == target }
	lowest := base
	for lowest < len(cf.pendings) && !slices.ContainsFunc(cf.pendings[lowest].comps, meant) {
		lowest++
	}
	if lowest >= len(cf.pendings) { // fewer: a generator is closed after its consumer has ended
		return cur, err
	}
	if err != nil && !cf.kept(err) {
		var all []*symshape.Cond
		for _, p := range cf.pendings[lowest:] {
			all = append(all, conds(p.comps)...)
		}
		defer func() { cf.guard(cf.pool.Or(all...), err) }()
	}
	alive := err == nil && (cur == target || cur == next)
	var carried []*completion
	if !alive {
		p := cf.pendings[len(cf.pendings)-1]
		c := &completion{flow: cur, frame: f, ret: f.ret, cond: cf.pool.Not(cf.pool.Or(conds(p.comps)...))}
		if cf.keepRaise(c, err) == nil {
			c.changes = cf.capture(p, nil)
			carried = []*completion{c}
		}
	}
	for i := len(cf.pendings) - 1; ; i-- {
		p := cf.pendings[i]
		cf.pendings = cf.pendings[:i]
		var live []value.Change
		if alive {
			live = cf.capture(p, carried)
		}
		var here []*completion
		var spent error
		if here, carried, spent = cf.split(p, carried, meant); spent != nil {
			return cur, spent
		}
		cf.heap.Rollback(p.mark)
		cf.path = p.path
		live = cf.meet(f, p, here, live, alive, target)
		alive = alive || len(here) > 0
		if i == lowest {
			if len(carried) > 0 {
				cf.leftOver(p, carried)
			}
			for _, ch := range live {
				cf.heap.Replace(ch.Obj, ch.Contents)
			}
			if len(carried) == 0 {
				cf.heap.Close(p.mark)
			}
			return target, nil
		}
		cf.rebase(p, cf.pendings[i-1].mark, carried, live)
	}
}

// split separates p's completions that are meant for a place from the others,
// which it adds to those that are carried on. Where there are many, their conditions are what takes the time.
func (cf *controlFlow) split(p *pending, carried []*completion, meant func(*completion) bool) (here, rest []*completion, err error) {
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
				c.cond = cf.pool.And(c.cond, cf.pool.Not(all[k].cond))
				if err := cf.in.Step(c.cond.Parts() / condParts); err != nil {
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
func (cf *controlFlow) meet(f *frame, p *pending, here []*completion, live []value.Change, alive bool, target flow) []value.Change {
	cf.build.Enter(p.then)
	ret := f.ret
	var changes []value.Change
	for i, c := range here {
		if i == 0 {
			ret, changes = c.ret, c.changes
			continue
		}
		j := cf.in.newJoiner(c.cond).between(c.changes, changes)
		j.first = p.first
		if target == returns {
			ret = j.value(c.ret, ret)
		}
		changes = j.merge(c.changes, changes, p.first)
		j.emit(graph.Cond{Cond: c.cond}, &graph.Region{}, &graph.Region{})
	}
	cf.build.Leave(p.outer)
	j := cf.in.newJoiner(nil)
	j.first = p.first
	switch {
	case len(here) == 0:
		changes = live
	case alive:
		j.cond = cf.pool.Or(conds(here)...)
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
func (cf *controlFlow) joinReturns(f *frame, base int, err error) (value.Value, error) {
	if err != nil && fatal(err) {
		cf.dropPendings(base)
		return nil, err
	}
	_, err = cf.merge(f, base, returns, returns, err)
	cf.dropPendings(base) // those meant for a loop that is gone cannot be
	if err != nil {
		return nil, err
	}
	return f.ret, nil
}

// dropPendings forgets completions that can no longer be reached: all but
// exceptions, which are on their way to a try statement further out.
func (cf *controlFlow) dropPendings(base int) {
	for _, p := range cf.pendings[min(base, len(cf.pendings)):] {
		p.comps = slices.DeleteFunc(slices.Clone(p.comps), func(c *completion) bool { return c.flow != raises })
	}
	cf.closeEmpty(base)
}

// closeEmpty closes the innermost pendings above base that wait for nothing: whatever comes now
// is under their conditions no more, for nothing else goes on.
func (cf *controlFlow) closeEmpty(base int) {
	for i := len(cf.pendings) - 1; i >= base; i-- {
		p := cf.pendings[i]
		if len(p.comps) > 0 {
			return
		}
		cf.heap.Close(p.mark)
		cf.build.Leave(p.outer)
		cf.in.newJoiner(nil).emit(p.test, p.then, p.els)
		cf.pendings = cf.pendings[:i]
		cf.path.conds = p.path.conds
	}
}

// kept reports whether a statement of the program would catch the exception. A
// branch that raises it is then not excluded: it goes on there.
func (cf *controlFlow) kept(err error) bool {
	var e *value.Exception
	if !errors.As(err, &e) || cf.quiet > 0 || cf.in.advice.busy {
		return false
	}
	h := cf.in.exceptions.catcher(e)
	if h != nil && h.native {
		*h.met = true
		return false
	}
	return h != nil
}

// level tells how many completions are pending, for unwind. Inside a generator
// those of its consumer, which come and go, do not count.
func (cf *controlFlow) level() int { return len(cf.pendings) - cf.border }

// unwind runs each on every way on which what came since level may have ended,
// first on the run itself, which ended with fl and err, then on the pending
// completions that are wanted. What ends normally is joined with the run.
func (cf *controlFlow) unwind(f *frame, level int, fl flow, err error, wanted func(*completion) bool,
	each func(fl flow, err error) (flow, error)) (flow, error) {
	base := min(level+cf.border, len(cf.pendings))
	todo := map[*completion]bool{}
	for _, p := range cf.pendings[base:] {
		for _, c := range p.comps {
			if wanted(c) {
				todo[c] = true
			}
		}
	}
	fl, err = each(fl, err)
	if len(todo) == 0 || fatal(err) {
		return fl, err
	}
	p := cf.pendings[base]
	live := &completion{flow: fl, frame: f, ret: f.ret}
	late := cf.fold(base+1, p.mark, live, nil)
	live.changes = cf.capture(p, late)
	if len(late) > 0 || len(todo) > 1 {
		cf.build.Incomplete(cf.in.Here(), "which exception is caught is not shown")
	}
	path, current := cf.path, f.current
	ways := append(late, p.comps...)
	listed := map[value.Mutable]bool{}
	for _, c := range append(ways[:len(ways):len(ways)], live) {
		for _, ch := range c.changes {
			listed[ch.Obj] = true
		}
	}
	cf.heap.Rollback(p.mark)
	region := cf.build.Enter(p.then)
	var out []*completion
	var guards []guarded
	for i, c := range ways {
		if !todo[c] {
			out = append(out, c)
			continue
		}
		x, bad, err := cf.through(f, p, c, conds(ways[i+1:]), each)
		if err != nil {
			return next, err
		}
		if bad != nil {
			guards = append(guards, guarded{c.cond, c.err, bad, len(out)})
		}
		out = append(out, x...)
	}
	cf.build.Leave(region)
	shareBorn(p, append(out[:len(out):len(out)], live), listed)
	p.comps = out
	if len(late) > 0 {
		p.test = graph.Cond{Cond: cf.pool.Or(conds(out)...)}
	}
	cf.path = p.path
	// Where each way raises that left earlier, what it left under is excluded anyway: only those that end otherwise
	// are taken out of a condition, so that one on sizes does not depend on what data decide.
	excluded := make([]*symshape.Cond, len(guards))
	for i, g := range guards {
		excluded[i] = cf.pool.Or(append(conds(out[g.later:]), cf.pool.Not(g.cond))...)
		// These are conditions where p stands, whichever way is taken.
		var e *value.Exception
		if errors.As(g.from, &e) && e.Diag != nil && g.err != errInfeasible { // an operation's fault, which comes out in the end
			cf.requireOn(conds(out[g.later:]), cf.pool.Not(g.cond), whyLibrary)
			continue
		}
		cf.guard(excluded[i], g.err)
	}
	p.path.facts = cf.path.facts
	cf.path, f.current = path, current
	for _, c := range excluded {
		if facts, ok := cf.path.facts.Assume(c); ok {
			cf.path.facts = facts
		}
	}
	cf.apply(live)
	if len(p.comps) == 0 && err == nil {
		cf.closeEmpty(base)
	}
	fl, err = cf.merge(f, base, passes, fl, err)
	if fl == passes {
		fl = next
	}
	return fl, err
}

// A guarded is an exception that nobody catches, with the condition of the way that raises it.
type guarded struct {
	cond *symshape.Cond
	from error // what it ended with before, if anything
	err  error
	// later is how many of the completions that stay belong to ways that left later.
	later int
}

// through runs each where c ended; earlier are the conditions of the ways that left
// before it. The heap is in the state of p's mark, before and after. It returns what
// becomes of c, and the exception that it now raises and that nobody catches.
func (cf *controlFlow) through(f *frame, p *pending, c *completion, earlier []*symshape.Cond,
	each func(fl flow, err error) (flow, error)) (out []*completion, bad, failed error) {
	var ok bool
	here := cf.pool.And(c.cond, cf.pool.Not(cf.pool.Or(earlier...)))
	if cf.path, ok = p.path.assume(here); !ok {
		return nil, nil, nil
	}
	m := cf.heap.Mark()
	base := len(cf.pendings)
	cf.apply(c)
	was := c.flow
	if was == raises {
		was = next
	}
	if cf.guessed(here) {
		cf.doubtful.enter()
	}
	fl, err := each(was, c.err)
	if cf.guessed(here) {
		cf.doubtful.leave()
	}
	if fatal(err) {
		return nil, nil, err
	}
	x := &completion{flow: fl, frame: f, ret: f.ret, cond: c.cond}
	if fl == next {
		x.flow = passes
	}
	bad = cf.keepRaise(x, err)
	out = cf.fold(base, m, x, nil)
	cf.under(c.cond, out)
	cf.heap.Rollback(m)
	cf.heap.Close(m)
	if bad != nil {
		return out, bad, nil
	}
	return append([]*completion{x}, out...), nil, nil
}

// shareBorn lists the objects born since p's condition that only some of the ways
// list in all of them, as far as none did before: each may know them.
func shareBorn(p *pending, ways []*completion, listed map[value.Mutable]bool) {
	var born []value.Change
	for _, c := range ways {
		for _, ch := range c.changes {
			if !listed[ch.Obj] && !p.first.Older(ch.Obj) {
				listed[ch.Obj] = true
				born = append(born, value.Change{Obj: ch.Obj, Contents: value.Contents(ch.Obj)})
			}
		}
	}
	if len(born) == 0 {
		return
	}
	for _, c := range ways {
		has := map[value.Mutable]bool{}
		for _, ch := range c.changes {
			has[ch.Obj] = true
		}
		for _, b := range born {
			if !has[b.Obj] {
				c.changes = append(c.changes[:len(c.changes):len(c.changes)], b)
			}
		}
	}
}

// goOnAs makes one of the completions above base the run, where nothing else goes on.
func (cf *controlFlow) goOnAs(base int) (flow, error) {
	if len(cf.pendings) <= base {
		return next, errInfeasible
	}
	p := cf.pendings[base]
	late := cf.fold(base+1, p.mark, &completion{}, nil)
	cf.heap.Rollback(p.mark)
	ways := append(late, p.comps...)
	if len(ways) == 0 {
		return next, errInfeasible
	}
	p.comps = ways[1:]
	fl, _, err := cf.resume(ways[0])
	return fl, err
}
