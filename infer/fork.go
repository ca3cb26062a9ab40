package infer

// This file runs code under conditions that the path does not decide.
//
// Both branches run from the same state, one after the other: the heap's journal
// takes back what the first one wrote. Then every written place is joined.
// A branch that leaves its block early (return, break, continue) is kept as a
// pending completion, and the run goes on as the other branch; where the two
// meet again (the end of the iteration, of the loop, of the function) they are
// joined. A branch that only raises makes the opposite condition a fact.

import (
	"errors"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A path is what is assumed where the run stands.
type path struct {
	facts symshape.Facts
	conds []*symshape.Cond // the undecided branch conditions, outermost first
}

// assume returns the path on which c holds too; ok is false when it cannot.
func (p path) assume(c *symshape.Cond) (path, bool) {
	facts, ok := p.facts.Assume(c)
	conds := append(p.conds[:len(p.conds):len(p.conds)], c)
	return path{facts, conds}, ok
}

// A completion is a branch that has ended, with everything it changed since the
// mark of the pending it belongs to.
type completion struct {
	flow    flow
	frame   *frame
	ret     value.Value
	cond    *symshape.Cond // under which it was taken, unless one of those that left before was
	changes []value.Change
	region  *graph.Region
}

// A pending holds completions until the run reaches their target. Its mark stays
// open on the heap; pendings nest.
type pending struct {
	mark  value.Mark
	path  path          // before the condition
	comps []*completion // of two, the one that left earlier comes later
	// outer is the region in which the condition stands; els that in which the
	// run goes on.
	outer *graph.Region
	els   *graph.Region
	cond  *symshape.Cond
	test  graph.Operand
	// start is the newest graph value before the condition.
	start int
}

// Facts are what is known of the symbols on this path.
func (in *Interp) Facts() symshape.Facts { return in.path.facts }

// Decide decides a condition on the path.
func (in *Interp) Decide(c *symshape.Cond) symshape.Answer {
	if v, ok := c.Const(); ok {
		if v {
			return symshape.Yes
		}
		return symshape.No
	}
	return in.path.facts.Decide(c).Answer
}

// Holds decides a truth value on the path, if need be by the example sizes; then
// the run relies on it and it becomes a condition of the contract.
func (in *Interp) Holds(b value.Value) (val, known bool) {
	switch b := b.(type) {
	case value.Bool:
		return bool(b), true
	case *value.SymBool:
		switch in.Decide(b.Cond) {
		case symshape.Yes:
			return true, true
		case symshape.No:
			return false, true
		}
		v, ok := in.example(b.Cond)
		if !ok {
			if !b.Known {
				return false, false
			}
			v = b.Val
		}
		c := b.Cond
		if !v {
			c = in.pool.Not(c)
		}
		in.require(c, "the path that the example sizes take")
		return v, true
	}
	return false, false
}

// example evaluates a condition under the example sizes.
func (in *Interp) example(c *symshape.Cond) (val, ok bool) {
	if len(in.examples) == 0 {
		return false, false
	}
	v, err := c.Eval(func(s string) (int64, bool) { n, ok := in.examples[s]; return n, ok })
	return v, err == nil
}

// Require makes c a condition of the contract.
func (in *Interp) Require(c *symshape.Cond, why string) symshape.Answer {
	switch in.Decide(c) {
	case symshape.Yes:
		return symshape.Yes
	case symshape.No:
		in.Refused(c)
		return symshape.No
	}
	if v, ok := in.example(c); ok && !v {
		in.Refused(c)
		return symshape.No
	}
	if !in.require(c, why) {
		in.Refused(c)
		return symshape.No
	}
	return symshape.Yes
}

// require assumes c and records it; false when it contradicts the path.
func (in *Interp) require(c *symshape.Cond, why string) bool {
	facts, ok := in.path.facts.Assume(c)
	if !ok {
		return false
	}
	in.path.facts = facts
	in.rec.condition(c, in.path.conds, in.Here(), why)
	return true
}

// cond gives the condition of a truth value.
func (in *Interp) cond(b value.Value) *symshape.Cond {
	switch b := b.(type) {
	case value.Bool:
		return in.pool.Bool(bool(b))
	case *value.SymBool:
		return b.Cond
	}
	return in.DataBool(nil).Cond
}

// not negates a truth value.
func (in *Interp) not(b value.Value) value.Value {
	switch b := b.(type) {
	case value.Bool:
		return !b
	case *value.SymBool:
		return &value.SymBool{Cond: in.pool.Not(b.Cond), Val: !b.Val, Known: b.Known, Source: b.Source}
	}
	return b
}

// DataBool gives a fresh truth value that data decides: a 0/1 symbol.
func (in *Interp) DataBool(src *graph.Value) *value.SymBool {
	e := in.pool.FreshIn("c", 0, 1)
	in.rec.data(e)
	return &value.SymBool{Cond: in.pool.Eq(e, in.pool.Const(1)), Source: src}
}

// DataInt gives a fresh integer ≥ lo that data decides.
func (in *Interp) DataInt(prefix string, lo int64, src *graph.Value) *value.SymInt {
	e := in.pool.FreshIn(prefix, lo, symshape.PosInf)
	in.rec.data(e)
	return &value.SymInt{D: symshape.Dim{Expr: e}, Source: src}
}

// branch evaluates one of two alternatives, or both when t is not decided.
func (in *Interp) branch(f *frame, t value.Value, then, els func() (value.Value, error)) (value.Value, error) {
	b, err := in.Truth(t)
	if err != nil {
		if b, err = in.settle(f, nil, err); err != nil {
			return nil, err
		}
		if b, err = in.Truth(b); err != nil {
			return nil, err
		}
	}
	if val, known := in.Holds(b); known {
		if val {
			return then()
		}
		return els()
	}
	return in.fork(in.cond(b), testOperand(b), then, els)
}

func testOperand(b value.Value) graph.Operand {
	if s, ok := b.(*value.SymBool); ok {
		if s.Source != nil {
			return s.Source
		}
		return s.Cond
	}
	return nil
}

// fork evaluates both alternatives and joins the values and what they wrote.
func (in *Interp) fork(c *symshape.Cond, test graph.Operand, then, els func() (value.Value, error)) (value.Value, error) {
	m := in.heap.Mark()
	start := in.build.Last()
	before := in.path
	regions := [2]*graph.Region{{}, {}}
	outer := in.build.Enter(regions[0])
	finish := func() { in.build.Leave(outer) }

	var a, b value.Value
	var aerr error = errInfeasible
	var changes []value.Change
	if p, ok := before.assume(c); ok {
		in.path = p
		a, aerr = then()
		if fatal(aerr) {
			finish()
			in.heap.Close(m)
			return nil, aerr
		}
		changes = in.heap.Changes(m)
		in.heap.Rollback(m)
	}
	in.build.Enter(regions[1])
	p, ok := before.assume(in.pool.Not(c))
	if !ok {
		finish()
		in.path = before
		return a, in.adopt(m, changes, regions[0], aerr)
	}
	in.path = p
	b, berr := els()
	finish()
	switch {
	case fatal(berr):
		in.heap.Close(m)
		return nil, berr
	case aerr != nil && berr != nil:
		in.heap.Close(m)
		in.path = before
		if aerr == errInfeasible {
			return nil, berr
		}
		return nil, aerr
	case aerr != nil: // the first raises: it is a guard
		in.heap.Close(m)
		in.path = before
		in.splice(regions[1])
		in.guard(in.pool.Not(c), aerr)
		return b, nil
	case berr != nil:
		in.heap.Rollback(m)
		in.path = before
		err := in.adopt(m, changes, regions[0], nil)
		in.guard(c, berr)
		return a, err
	}
	in.path = before
	other := in.heap.Changes(m)
	in.heap.Rollback(m)
	j := in.newJoiner(c)
	j.start = start
	v := j.value(a, b)
	j.contents(changes, other)
	in.heap.Close(m)
	j.emit(test, regions[0], regions[1])
	return v, nil
}

// errInfeasible marks an alternative whose condition contradicts the path.
var errInfeasible = errors.New("infeasible")

// adopt makes the changes of a branch the state, as if it alone had run.
func (in *Interp) adopt(m value.Mark, changes []value.Change, r *graph.Region, err error) error {
	for _, c := range changes {
		in.heap.Replace(c.Obj, c.Contents)
	}
	in.heap.Close(m)
	in.splice(r)
	return err
}

// splice appends the nodes of a region that alone can run.
func (in *Interp) splice(r *graph.Region) {
	for _, n := range r.Nodes {
		in.build.Emit(n)
	}
}

// guard notes that the run goes on only if c holds, because the other branch
// raised err.
func (in *Interp) guard(c *symshape.Cond, err error) {
	if errors.Is(err, errInfeasible) {
		return
	}
	in.require(c, "a guard that raises otherwise")
}

// fatal reports whether err ends the analysis, as against a Python exception.
func fatal(err error) bool {
	if err == nil || err == errInfeasible {
		return false
	}
	var e *value.Exception
	return !errors.As(err, &e)
}

// decided resolves a choice whose condition the path decides.
func (in *Interp) decided(c *value.Choice) value.Value {
	switch in.Decide(c.Cond) {
	case symshape.Yes:
		return in.again(c.Then)
	case symshape.No:
		return in.again(c.Else)
	}
	return c
}

func (in *Interp) again(v value.Value) value.Value {
	if c, ok := v.(*value.Choice); ok {
		return in.decided(c)
	}
	return v
}

// distribute performs an operation on both values of a choice. An alternative
// on which it fails is taken as excluded by what the program knows of its data,
// unless it fails on both.
func (in *Interp) distribute(c *value.Choice, op func(value.Value) (value.Value, error)) (value.Value, error) {
	switch v := in.decided(c).(type) {
	case *value.Choice:
		c = v
	default:
		return op(v)
	}
	in.trial++
	then := func() (value.Value, error) { return op(c.Then) }
	els := func() (value.Value, error) { return op(c.Else) }
	v, err := in.fork(c.Cond, c.Cond, then, els)
	in.trial--
	if err != nil && in.trial == 0 && !fatal(err) {
		return nil, err
	}
	return v, err
}

// ifStmt runs an if statement whose test is t.
func (in *Interp) ifStmt(f *frame, t value.Value, then, els func() (flow, error)) (flow, error) {
	if val, known := in.Holds(t); known {
		if val {
			return then()
		}
		return els()
	}
	c := in.cond(t)
	m := in.heap.Mark()
	start := in.build.Last()
	before := in.path
	thenR, elseR := &graph.Region{}, &graph.Region{}
	outer := in.build.Enter(thenR)
	base := len(in.pendings)

	pa, ok := before.assume(c)
	if !ok {
		in.build.Leave(outer)
		in.heap.Close(m)
		return els()
	}
	in.path = pa
	fa, aerr := then()
	if fatal(aerr) {
		in.build.Leave(outer)
		return fa, aerr
	}
	a := &completion{flow: fa, frame: f, ret: f.ret, cond: c, region: thenR}
	inner := in.fold(base, m, a, aerr, c) // completions that the branch itself left pending
	in.heap.Rollback(m)

	pb, ok := before.assume(in.pool.Not(c))
	if !ok { // only the first branch can run
		in.build.Leave(outer)
		in.path = before
		if aerr != nil {
			in.heap.Close(m)
			return fa, aerr
		}
		f.ret = a.ret
		return fa, in.adopt(m, a.changes, thenR, nil)
	}
	in.build.Enter(elseR)
	in.path = pb
	fb, berr := els()
	if fatal(berr) {
		in.build.Leave(outer)
		return fb, berr
	}
	b := &completion{flow: fb, frame: f, ret: f.ret, cond: in.pool.Not(c), region: elseR}
	inner = append(inner, in.fold(base, m, b, berr, b.cond)...)
	// The state is now that of the second branch.

	keep := func(comps []*completion, els *graph.Region) {
		if len(comps) == 0 {
			in.heap.Close(m)
			return
		}
		in.pendings = append(in.pendings, &pending{mark: m, path: before, comps: comps, outer: outer, els: els, cond: c, test: testOperand(t), start: start})
	}
	switch {
	case aerr != nil && berr != nil:
		in.build.Leave(outer)
		in.path = before
		if len(inner) > 0 {
			in.rewindTo(m, inner[0])
			f.ret = inner[0].ret
			keep(inner[1:], outer)
			return inner[0].flow, nil
		}
		in.heap.Close(m)
		return next, aerr
	case aerr != nil:
		in.build.Leave(outer)
		in.path = before
		if len(inner) > 0 {
			in.splice(thenR)
		}
		keep(inner, outer)
		in.splice(elseR)
		in.guard(b.cond, aerr)
		return fb, nil
	case berr != nil:
		in.build.Leave(outer)
		in.path = before
		in.rewindTo(m, a)
		keep(inner, outer)
		in.splice(thenR)
		if len(inner) > 0 {
			in.splice(elseR)
		}
		f.ret = a.ret
		in.guard(c, berr)
		return fa, nil
	case fa == fb && len(inner) == 0:
		in.build.Leave(outer)
		in.path = before
		in.heap.Rollback(m)
		j := in.newJoiner(c)
		j.start = start
		if fa == returns {
			f.ret = j.value(a.ret, b.ret)
		}
		j.contents(a.changes, b.changes)
		in.heap.Close(m)
		j.emit(testOperand(t), thenR, elseR)
		return fa, nil
	case fa == fb:
		in.build.Leave(outer)
		in.path = before
		in.heap.Rollback(m)
		in.splice(thenR) // what still waits may use values of either branch
		in.splice(elseR)
		j := in.newJoiner(c)
		if fa == returns {
			f.ret = j.value(a.ret, b.ret)
		}
		j.contents(a.changes, b.changes)
		j.emit(testOperand(t), &graph.Region{}, &graph.Region{})
		keep(inner, outer)
		return fa, nil
	}
	// One of the two leaves early: it waits; the run goes on as the other.
	if fb == next {
		keep(append([]*completion{a}, inner...), elseR)
		return fb, nil
	}
	in.rewindTo(m, a)
	in.build.Enter(thenR)
	in.path = pa
	f.ret = a.ret
	keep(append([]*completion{b}, inner...), thenR)
	return fa, nil
}

// rewindTo makes a completion's state the current one; m stays open.
func (in *Interp) rewindTo(m value.Mark, c *completion) {
	in.heap.Rollback(m)
	for _, ch := range c.changes {
		in.heap.Replace(ch.Obj, ch.Contents)
	}
}

// fold closes the pendings above base, which the branch taken under c left
// behind, and returns their completions relative to m, the latest first. It fills
// in the changes of the branch itself.
func (in *Interp) fold(base int, m value.Mark, self *completion, err error, c *symshape.Cond) []*completion {
	var out []*completion
	self.changes = in.heap.Changes(m)
	for i := len(in.pendings) - 1; i >= base; i-- {
		p := in.pendings[i]
		out = append(out, in.rebase(p, m)...)
		in.heap.Close(p.mark)
		in.flatten(p)
	}
	for _, x := range out {
		x.cond = in.pool.And(c, x.cond)
	}
	if len(in.pendings) > base {
		in.pendings = in.pendings[:base]
		in.rewindTo(m, self)
	}
	return out
}

// rebase gives p's completions relative to the older mark m. It leaves the state
// rolled back to p's mark.
func (in *Interp) rebase(p *pending, m value.Mark) []*completion {
	in.heap.Rollback(p.mark)
	for _, c := range p.comps {
		for _, ch := range c.changes {
			in.heap.Replace(ch.Obj, ch.Contents)
		}
		c.changes = in.heap.Changes(m)
		in.heap.Rollback(p.mark)
	}
	return p.comps
}

// merge joins the run with the pending completions above base that are meant for
// this place: those with one of the flows of frame f. reached says whether the
// run itself gets here (else it goes on elsewhere, as cur says, or raised err).
// It returns whether anything gets here, and otherwise the flow or error of the run.
func (in *Interp) merge(f *frame, base int, target flow, cur flow, err error) (flow, error) {
	lowest := -1
	for i := base; i < len(in.pendings) && lowest < 0; i++ {
		for _, c := range in.pendings[i].comps {
			if c.frame == f && c.flow == target {
				lowest = i
				break
			}
		}
	}
	if lowest < 0 {
		return cur, err
	}
	low := in.pendings[lowest]
	m := low.mark
	self := &completion{flow: cur, frame: f, ret: f.ret, changes: in.heap.Changes(m), cond: nil}
	// What left later is joined first: a completion's condition counts only where
	// none of those that left before it holds.
	var comps []*completion
	for i := len(in.pendings) - 1; i > lowest; i-- {
		p := in.pendings[i]
		comps = append(comps, in.rebase(p, m)...)
		in.heap.Close(p.mark)
		in.flatten(p)
	}
	comps = append(comps, low.comps...)
	in.pendings = in.pendings[:lowest]
	var here, rest []*completion
	for _, c := range comps {
		if c.frame == f && c.flow == target {
			here = append(here, c)
		} else {
			rest = append(rest, c)
		}
	}
	alive := err == nil && (cur == target || cur == next)
	if err == nil && !alive {
		rest = append(rest, self)
	}
	in.path = low.path
	in.heap.Rollback(m)
	acc := self
	if !alive {
		acc, here = here[0], here[1:]
	}
	structured := alive && len(comps) == 1 && len(rest) == 0 && comps[0].region != nil && low.els != low.outer
	if !structured { // more than two ways meet here: select between values that are all computed
		in.flatten(low)
	}
	ret, changes := acc.ret, acc.changes
	for _, c := range here {
		j := in.newJoiner(c.cond)
		if structured {
			j.start = low.start
		}
		if target == returns {
			ret = j.value(c.ret, ret)
		}
		changes = j.merge(c.changes, changes)
		if structured {
			in.build.Leave(low.outer)
			j.emit(low.test, c.region, low.els)
		} else {
			j.emit(c.cond, &graph.Region{}, &graph.Region{})
		}
	}
	for _, ch := range changes {
		in.heap.Replace(ch.Obj, ch.Contents)
	}
	f.ret = ret
	if len(rest) > 0 {
		in.pendings = append(in.pendings, &pending{mark: m, path: low.path, comps: rest, outer: low.outer, els: low.outer, cond: low.cond, test: low.test, start: low.start})
	} else {
		in.heap.Close(m)
	}
	if err != nil {
		in.guard(low.cond, err)
	}
	return target, nil
}

// flatten appends the nodes of a pending's branches to the region around it, for
// merges that are no plain If: both branches are computed, and what they give is
// selected afterwards, which is the same since the operations have no effects.
func (in *Interp) flatten(p *pending) {
	in.build.Leave(p.outer)
	for _, c := range p.comps {
		if c.region != nil && c.region != p.outer {
			in.splice(c.region)
			c.region = nil
		}
	}
	if p.els != p.outer {
		in.splice(p.els)
		p.els = p.outer
	}
}

// joinReturns ends a function some of whose branches returned early.
func (in *Interp) joinReturns(f *frame, base int, err error) (value.Value, error) {
	if err != nil && (fatal(err) || in.caught(err)) {
		in.dropPendings(base)
		return nil, err
	}
	_, err = in.merge(f, base, returns, returns, err)
	if err != nil {
		in.dropPendings(base)
		return nil, err
	}
	if len(in.pendings) > base { // meant for a loop that is gone: cannot be
		in.dropPendings(base)
	}
	return f.ret, nil
}

// dropPendings forgets completions that can no longer be reached.
func (in *Interp) dropPendings(base int) {
	for i := len(in.pendings) - 1; i >= base; i-- {
		in.heap.Close(in.pendings[i].mark)
		in.flatten(in.pendings[i])
	}
	in.pendings = in.pendings[:base]
}
