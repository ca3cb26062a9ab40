package lower

// This file follows memory through loops: what a loop writes into it carries.
//
// Views share memory: after y = x[0]; y.add_(1) x has changed. In ONNX all is values, so that a
// write must become a new value of the memory's root, and what aliases it must be read from that.
// In a loop the root must be carried: as a parameter and a result of the body, even if Python's
// code carries only the view, or nothing at all.
//
// What an iteration writes is known only after its body was followed, and following it needs to
// know which memory is carried. The plan is therefore a fixed point: the viewer runs dry over the
// graph and notes what it learns, until nothing changes, and then once more to rewrite. What is
// learned only grows, so that it ends.

import (
	"maps"
	"slices"

	"shapecheck/infer/graph"
)

// A loopPlan is what was found out about a loop. It lives from one dry run to the next and is
// indexed by the loop's node.
type loopPlan struct {
	// written are the roots of the memory from outside that an iteration writes
	// into; lost is why what other memory holds is not known any more.
	written []*graph.Value
	lost    []lostRoot
	// moves are the carried values that have other memory in later iterations than
	// in the first; of those in apart it is not one storage from outside of the loop.
	// The program writes to the memory of those in matters.
	moves, apart, matters map[*graph.Value]bool
	origins               map[*graph.Value][]origin // by the parameters
}

// A lostRoot is the root of memory that a loop loses.
type lostRoot struct {
	root *graph.Value
	why  stored
}

// A carrier is a value that a loop carries in addition. param is its parameter of the body, init
// the value before the loop, next the one at the end of an iteration and out the one behind the
// loop.
type carrier struct {
	param, init, out *graph.Value
	next             *graph.Value
}

// loopNode follows memory through a loop. args are the arguments with their memory followed. It
// sets up the state at the head of the body from the plan, follows the body's nodes, compares
// what the carried values and memories are afterwards with the plan, and at last makes the state
// behind the loop. Where the run is not dry it adds the carriers to the node.
func (v *viewer) loopNode(n *graph.Node, args []graph.Arg) {
	plan := v.plans[n]
	if plan == nil {
		plan = &loopPlan{moves: map[*graph.Value]bool{}, apart: map[*graph.Value]bool{}, matters: map[*graph.Value]bool{},
			origins: map[*graph.Value][]origin{}}
		v.plans[n] = plan
	}
	body := n.Regions[0]
	given, _ := n.Args[1].Value.(graph.List)
	init, _ := args[1].Value.(graph.List)
	before := make([]*place, len(given)) // of the carried values
	var more []*carrier
	carry := func(from *graph.Value) *carrier {
		c := &carrier{init: from}
		c.param = &graph.Value{Kind: from.Kind, Type: from.Type, At: n.At, Name: from.Name}
		c.out = &graph.Value{Kind: from.Kind, Type: from.Type, At: n.At, Name: from.Name, Def: n}
		more = append(more, c)
		return c
	}
	positions := map[int]*carrier{}
	for i, o := range given {
		p := body.Params[i+1]
		if u, ok := o.(*graph.Value); ok && u.Kind != graph.ScalarKind && p.Kind != graph.SequenceKind {
			before[i] = v.track(u).place
			if plan.moves[p] && !plan.apart[p] && plan.matters[p] {
				positions[i] = carry(v.places(n, before[i], p))
			}
		}
	}
	limit := v.last
	v.clock++
	start := v.clock
	v.define(body.Params[0])
	for i, p := range body.Params[1:] {
		v.define(p)
		if c := positions[i]; c != nil {
			v.define(c.param)
		}
	}
	// If a carried tensor is the root of its memory, its own parameter can carry that, and no
	// carrier is needed.
	memory := map[*storage]*graph.Value{} // parameters that are carried memory
	for i, p := range body.Params[1:] {
		switch {
		case p.Kind == graph.ScalarKind:
		case positions[i] != nil:
			v.aliases[p] = &alias{&place{of: before[i].storages(nil)[0], at: positions[i].param}, start}
		case before[i] == nil || plan.moves[p]:
			v.giveMemory(p, plan.origins[p])
		default:
			v.aliases[p] = &alias{before[i], start}
			if before[i].isRoot() && memory[before[i].of] == nil {
				memory[before[i].of] = p
			}
		}
	}
	carriers := map[*storage]*carrier{}
	for _, root := range plan.written {
		s := v.storageOf(root)
		if s == nil { // it was taken for memory of its own before
			continue
		}
		st := stateOf(v.state, s)
		p := memory[s]
		if p == nil {
			c := carry(st.now)
			v.define(c.param)
			carriers[s], p = c, c.param
		}
		st.now, st.written = p, start
		v.state[s] = st
	}
	for _, lost := range plan.lost {
		s := v.storageOf(lost.root)
		if s == nil {
			continue
		}
		st := stateOf(v.state, s)
		st.lost, st.why, st.at = start, lost.why.why, lost.why.at
		v.state[s] = st
	}
	b := &branch{state: maps.Clone(v.state), fresh: maps.Clone(v.fresh), given: body.Results}
	after := make([]*place, len(given))
	v.inside(b, func() {
		for _, m := range body.Nodes {
			v.node(m)
		}
		for _, o := range body.Results {
			b.results = append(b.results, v.operand(o))
		}
		for i := range given {
			u, ok := b.given[i+1].(*graph.Value)
			if ok && u.Kind != graph.ScalarKind && body.Params[i+1].Kind != graph.SequenceKind {
				after[i] = v.track(u).place
			}
			if v.learn(plan, n, i, given[i], b.given[i+1], before[i], after[i], limit); positions[i] != nil {
				positions[i].next = positions[i].param
				if !plan.apart[body.Params[i+1]] {
					positions[i].next = v.places(n, after[i], body.Params[i+1])
				}
			}
		}
		for s, c := range carriers {
			c.next = stateOf(v.state, s).now
		}
	})
	list := v.byAge(limit, b.state)
	for _, s := range list {
		st := b.state[s]
		if st.written > start && !slices.Contains(plan.written, s.root) {
			plan.written, v.changed = append(plan.written, s.root), true
		}
		if st.lost > start && !slices.ContainsFunc(plan.lost, func(l lostRoot) bool { return l.root == s.root }) {
			plan.lost, v.changed = append(plan.lost, lostRoot{s.root, st}), true
		}
	}
	v.clock++
	outs := slices.Clone(n.Outputs)
	for _, o := range outs {
		v.define(o)
	}
	for _, c := range more {
		v.define(c.out)
	}
	for i, o := range n.Outputs {
		p := body.Params[i+1]
		switch {
		case o.Kind == graph.ScalarKind:
		case positions[i] != nil:
			v.aliases[o] = &alias{&place{of: before[i].storages(nil)[0], at: positions[i].out}, v.clock}
		case before[i] == nil || plan.moves[p]:
			v.giveMemory(o, v.originsOf(nil, nil, given[i], b.given[i+1]))
		default:
			v.aliases[o] = &alias{before[i], v.clock}
		}
	}
	for _, s := range list {
		st, was := b.state[s], stateOf(v.state, s)
		if st.lost >= start {
			was.lost, was.why, was.at = v.clock, st.why, st.at
		}
		if slices.Contains(plan.written, s.root) {
			was.written = v.clock
			if c := carriers[s]; c != nil {
				was.now = c.out
			} else if i := slices.Index(body.Params, memory[s]); i > 0 {
				was.now = n.Outputs[i-1]
			}
		}
		v.state[s] = was
	}
	if !v.dry {
		for _, c := range more {
			init = append(init[:len(init):len(init)], c.init)
			body.Params = append(body.Params, c.param)
			b.results = append(b.results, c.next)
			outs = append(outs, c.out)
			if next := c.next; next.Kind == graph.OptionalKind && c.param.Kind == graph.TensorKind {
				c.param.Kind, c.out.Kind = graph.OptionalKind, graph.OptionalKind
			}
		}
		n.Args = slices.Clone(args)
		n.Args[1].Value = init
		n.Outputs = outs
		body.Nodes, body.Results = b.nodes, b.results
	}
	v.nodes = append(v.nodes, n)
}

// learn compares the place of carried value i before an iteration with that after it. first and
// next are the operands before the loop and at the end of an iteration. v.changed is set if the
// plan has grown. A value that is at the same place before and after needs nothing; one that
// moves must be carried as a place (which part of which memory), if it is one memory from
// outside, or gets memory of its own.
func (v *viewer) learn(plan *loopPlan, n *graph.Node, i int, first, next graph.Operand, before, after *place, limit int) {
	p := n.Regions[0].Params[i+1]
	if p.Kind == graph.ScalarKind {
		return
	}
	set := func(m map[*graph.Value]bool) {
		if !m[p] {
			m[p], v.changed = true, true
		}
	}
	if p.Kind == graph.TensorKind && before != nil && after != nil && !plan.moves[p] {
		if samePlace(before, after) {
			return
		}
		set(plan.moves)
	}
	old := len(plan.origins[p])
	list := v.originsOf(slices.Clone(plan.origins[p]), nil, first)
	for _, o := range v.originsOf(nil, nil, next) {
		if !v.outer(o.root, limit) { // of the iteration before
			o.loop = n
		}
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	if plan.origins[p] = list; len(list) > old {
		v.changed = true
	}
	one := slices.DeleteFunc(after.storages(before.storages(nil)), func(s *storage) bool { return s.root == p })
	if p.Kind != graph.TensorKind || before == nil || after == nil || len(one) != 1 || !v.outer(one[0].root, limit) {
		set(plan.apart)
	}
	if v.matters(before, after) {
		set(plan.matters)
	}
}
