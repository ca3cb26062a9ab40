package infer

// This file runs what stands at the end of try and with statements (handlers,
// else, finally, __exit__) for every way on which the body may have ended: the one
// on which the run is, and the completions that are pending.

import (
	"errors"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// kept reports whether a statement of the program would catch the exception. A
// branch that raises it is then not excluded: it goes on there.
func (in *Interp) kept(err error) bool {
	var e *value.Exception
	if !errors.As(err, &e) || in.quiet > 0 || in.advice.busy {
		return false
	}
	h := in.catcher(e)
	if h != nil && h.native {
		*h.met = true
		return false
	}
	return h != nil
}

// level tells how many completions are pending, for unwind. Inside a generator
// those of its consumer, which come and go, do not count.
func (in *Interp) level() int { return len(in.pendings) - in.border }

// unwind runs each on every way on which what came since level may have ended,
// first on the run itself, which ended with fl and err, then on the pending
// completions that are wanted. What ends normally is joined with the run.
func (in *Interp) unwind(f *frame, level int, fl flow, err error, wanted func(*completion) bool,
	each func(fl flow, err error) (flow, error)) (flow, error) {
	base := min(level+in.border, len(in.pendings))
	todo := map[*completion]bool{}
	for _, p := range in.pendings[base:] {
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
	p := in.pendings[base]
	live := &completion{flow: fl, frame: f, ret: f.ret}
	late := in.fold(base+1, p.mark, live, nil)
	live.changes = in.capture(p, late)
	if len(late) > 0 || len(todo) > 1 {
		in.build.Incomplete(in.Here(), "which exception is caught is not shown")
	}
	path, current := in.path, f.current
	ways := append(late, p.comps...)
	listed := map[value.Mutable]bool{}
	for _, c := range append(ways[:len(ways):len(ways)], live) {
		for _, ch := range c.changes {
			listed[ch.Obj] = true
		}
	}
	in.heap.Rollback(p.mark)
	region := in.build.Enter(p.then)
	var out []*completion
	var guards []guarded
	for i, c := range ways {
		if !todo[c] {
			out = append(out, c)
			continue
		}
		x, bad, err := in.through(f, p, c, conds(ways[i+1:]), each)
		if err != nil {
			return next, err
		}
		out = append(out, x...)
		if bad != nil {
			guards = append(guards, *bad)
		}
	}
	in.build.Leave(region)
	shareBorn(p, append(out[:len(out):len(out)], live), listed)
	p.comps = out
	if len(late) > 0 {
		p.test = graph.Cond{Cond: in.pool.Or(conds(out)...)}
	}
	in.path = p.path
	for _, g := range guards { // they are conditions where p stands, whichever way is taken
		in.guard(in.pool.Not(g.cond), g.err)
	}
	p.path.facts = in.path.facts
	in.path, f.current = path, current
	for _, g := range guards {
		if facts, ok := in.path.facts.Assume(in.pool.Not(g.cond)); ok {
			in.path.facts = facts
		}
	}
	in.apply(live)
	if len(p.comps) == 0 && err == nil {
		in.closeEmpty(base)
	}
	fl, err = in.merge(f, base, passes, fl, err)
	if fl == passes {
		fl = next
	}
	return fl, err
}

// A guarded is an exception that nobody catches, with its condition.
type guarded struct {
	cond *symshape.Cond
	err  error
}

// through runs each where c ended; earlier are the conditions of the ways that left
// before it. The heap is in the state of p's mark, before and after. It returns what
// becomes of c, or the exception that it now raises and that nobody catches.
func (in *Interp) through(f *frame, p *pending, c *completion, earlier []*symshape.Cond,
	each func(fl flow, err error) (flow, error)) ([]*completion, *guarded, error) {
	var ok bool
	here := in.pool.And(c.cond, in.pool.Not(in.pool.Or(earlier...)))
	if in.path, ok = p.path.assume(here); !ok {
		return nil, nil, nil
	}
	m := in.heap.Mark()
	base := len(in.pendings)
	in.apply(c)
	was := c.flow
	if was == raises {
		was = next
	}
	if in.guessed(here) {
		in.guessing++
	}
	fl, err := each(was, c.err)
	if in.guessed(here) {
		in.guessing--
	}
	if fatal(err) {
		return nil, nil, err
	}
	x := &completion{flow: fl, frame: f, ret: f.ret, cond: c.cond}
	if fl == next {
		x.flow = passes
	}
	var bad *guarded
	if err = in.keepRaise(x, err); err != nil {
		bad = &guarded{here, err}
	}
	out := in.fold(base, m, x, nil)
	in.under(c.cond, out)
	in.heap.Rollback(m)
	in.heap.Close(m)
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
func (in *Interp) goOnAs(base int) (flow, error) {
	if len(in.pendings) <= base {
		return next, errInfeasible
	}
	p := in.pendings[base]
	late := in.fold(base+1, p.mark, &completion{}, nil)
	in.heap.Rollback(p.mark)
	ways := append(late, p.comps...)
	if len(ways) == 0 {
		return next, errInfeasible
	}
	p.comps = ways[1:]
	fl, _, err := in.resume(ways[0])
	return fl, err
}
