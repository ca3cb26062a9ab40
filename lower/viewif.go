package lower

// This file follows memory through conditions: what the branches make of the memory
// from outside of them is a result of the condition.
//
// In PyTorch a branch may write into a tensor from outside, and the code behind the condition
// sees that. As values the condition needs a further result for each memory that either branch
// has written: the new content in one branch, the old or another new one in the other. The work
// is done by the viewer, first dry and then for real (see viewloop.go).

import (
	"cmp"
	"maps"
	"slices"

	"shapecheck/infer/graph"
)

// A branch is a region of a condition that is being walked. state and fresh are what the viewer
// knows at the branch's current place; they begin as copies of those at the condition.
type branch struct {
	nodes   []*graph.Node
	state   map[*storage]stored
	fresh   map[*graph.Value]*graph.Value
	given   []graph.Operand // its results
	results []graph.Operand // what they are at its end
}

// inside works in a branch, which began in the state entry. It may be called several times for
// the same branch, which goes on where it was.
func (v *viewer) inside(b *branch, do func()) {
	nodes, state, fresh := v.nodes, v.state, v.fresh
	v.nodes, v.state, v.fresh = b.nodes, b.state, b.fresh
	do()
	b.nodes, b.state, b.fresh = v.nodes, v.state, v.fresh
	v.nodes, v.state, v.fresh = nodes, state, fresh
}

// stateOf is what a storage holds in a state; one that is not listed is as it began. The state of
// the root itself is its first content.
func stateOf(state map[*storage]stored, s *storage) stored {
	if st, ok := state[s]; ok {
		return st
	}
	return stored{now: s.root}
}

// byAge lists the storages of states that were there before the value number limit. The order is
// that of their making, so that the results' order does not depend on the order of a map.
func (v *viewer) byAge(limit int, states ...map[*storage]stored) []*storage {
	var list []*storage
	listed := map[*storage]bool{}
	for _, m := range states {
		for s := range m {
			if v.outer(s.root, limit) && !listed[s] {
				listed[s] = true
				list = append(list, s)
			}
		}
	}
	slices.SortFunc(list, func(a, b *storage) int { return cmp.Compare(a.number, b.number) })
	return list
}

// choose emits a condition whose outputs are like values, and returns them. then and els emit
// what the branches compute and give the results. A result that is absent in one branch is an
// optional.
func (v *viewer) choose(n *graph.Node, cond graph.Operand, like []*graph.Value, then, els func() []graph.Operand) []*graph.Value {
	m := &graph.Node{Op: graph.If, Called: graph.If, Args: []graph.Arg{{Name: "cond", Value: cond}}}
	if n != nil {
		m.At, m.Module, m.Lib = n.At, n.Module, n.Lib
	} else {
		m.At = like[0].At
	}
	for _, do := range [...]func() []graph.Operand{then, els} {
		r := &graph.Region{}
		b := &branch{state: v.state, fresh: maps.Clone(v.fresh)}
		v.inside(b, func() { r.Results = do() })
		r.Nodes = b.nodes
		m.Regions = append(m.Regions, r)
	}
	for i, u := range like {
		o := &graph.Value{Kind: u.Kind, Type: u.Type, At: m.At, Name: u.Name, Def: m}
		for _, r := range m.Regions {
			x, ok := r.Results[i].(*graph.Value)
			if r.Results[i] == nil || ok && x.Kind == graph.OptionalKind {
				o.Kind = graph.OptionalKind
			}
		}
		m.Outputs = append(m.Outputs, o)
	}
	v.nodes = append(v.nodes, m)
	for _, o := range m.Outputs {
		v.define(o)
	}
	return m.Outputs
}

// ifNode follows memory through a condition. After both branches were walked their states are
// merged storage by storage: content that differs becomes a result, unless the same pair is one
// already; what either branch has lost is lost.
func (v *viewer) ifNode(n *graph.Node, args []graph.Arg) {
	limit, entry := v.last, v.state
	sides := make([]*branch, len(n.Regions))
	for i, r := range n.Regions {
		sides[i] = &branch{state: maps.Clone(entry), fresh: maps.Clone(v.fresh), given: r.Results}
		v.inside(sides[i], func() {
			for _, m := range r.Nodes {
				v.node(m)
			}
			for _, o := range r.Results {
				sides[i].results = append(sides[i].results, v.operand(o))
			}
		})
	}
	v.clock++
	outs := slices.Clone(n.Outputs)
	for _, o := range outs {
		v.define(o)
	}
	// more makes another output of what the branches give.
	more := func(like *graph.Value, then, els graph.Operand) *graph.Value {
		o := &graph.Value{Kind: like.Kind, Type: like.Type, At: n.At, Name: like.Name, Def: n}
		for i, x := range [...]graph.Operand{then, els} {
			sides[i].results = append(sides[i].results, x)
			if u, ok := x.(*graph.Value); x == nil || ok && u.Kind == graph.OptionalKind {
				if o.Kind == graph.TensorKind {
					o.Kind = graph.OptionalKind
				}
			}
		}
		outs = append(outs, o)
		v.define(o)
		return o
	}
	for _, s := range v.byAge(limit, sides[0].state, sides[1].state) {
		a, b, was := stateOf(sides[0].state, s), stateOf(sides[1].state, s), stateOf(entry, s)
		st := was
		if a.lost > was.lost || b.lost > was.lost {
			if st.lost, st.why, st.at = v.clock, a.why, a.at; a.lost <= was.lost {
				st.why, st.at = b.why, b.at
			}
		}
		if a.now != b.now || a.written > was.written || b.written > was.written {
			st.written = v.clock
			st.now = nil
			for i, o := range outs {
				if sides[0].results[i] == graph.Operand(a.now) && sides[1].results[i] == graph.Operand(b.now) {
					st.now = o
				}
			}
			if st.now == nil {
				st.now = more(a.now, a.now, b.now)
			}
		}
		entry[s] = st
	}
	for i, o := range n.Outputs {
		v.joined(n, args[0].Value, i, o, sides, limit, more)
	}
	if !v.dry {
		m := n // its results point to it
		m.Args, m.Outputs = args, outs
		for i, r := range m.Regions {
			r.Nodes, r.Results = sides[i].nodes, sides[i].results
		}
	}
	v.nodes = append(v.nodes, n)
}

// joined says which memory output i of a condition has. Where both give the same place from
// outside, the output is an alias of it. Where they give different ones the place is a
// conditional one, which a later write has to ask for.
func (v *viewer) joined(n *graph.Node, cond graph.Operand, i int, o *graph.Value, sides []*branch, limit int,
	more func(like *graph.Value, then, els graph.Operand) *graph.Value) {
	if o.Kind == graph.ScalarKind {
		return
	}
	var places [2]*place
	var origins []origin
	for k, b := range sides {
		x := b.given[i]
		u, one := x.(*graph.Value)
		if o.Kind == graph.SequenceKind || x != nil && (!one || u.Kind == graph.ScalarKind) {
			v.giveMemory(o, v.originsOf(nil, nil, sides[0].given[i], sides[1].given[i]))
			return
		}
		if one {
			places[k] = v.track(u).place
			origins = unite(origins, places[k].storages(nil))
		}
	}
	switch {
	case !v.matters(places[:]...):
		v.giveMemory(o, origins)
		return
	case samePlace(places[0], places[1]) && v.visible(places[0], limit):
		v.aliases[o] = &alias{places[0], v.clock}
		return
	}
	// Memory of the branches themselves becomes that of the result.
	var inner []*storage
	for _, s := range places[1].storages(places[0].storages(nil)) {
		if !v.outer(s.root, limit) {
			inner = append(inner, s)
		}
	}
	var own *place
	if len(inner) > 0 {
		own = v.giveMemory(o, unite(nil, inner))
	}
	then, els := v.outside(places[0], own, 0, o, sides, limit, more), v.outside(places[1], own, 1, o, sides, limit, more)
	if own == nil || then != own || els != own {
		v.aliases[o] = &alias{&place{cond: cond, then: then, els: els}, v.clock}
	}
}

// outside gives a place of branch k as it can be used after the condition: own is in
// place of the branch's own memory. What the place is made of and only the branch knows, such as
// an index, is given out of the condition as a further result.
func (v *viewer) outside(p, own *place, k int, o *graph.Value, sides []*branch, limit int,
	more func(like *graph.Value, then, els graph.Operand) *graph.Value) *place {
	give := func(like *graph.Value, x graph.Operand) *graph.Value {
		var both [2]graph.Operand
		both[k] = x
		return more(like, both[0], both[1])
	}
	switch {
	case p == nil, v.visible(p, limit):
		return p
	case p.of != nil && !v.outer(p.of.root, limit):
		return own
	case p.of == nil:
		q := &place{cond: p.cond, then: v.outside(p.then, own, k, o, sides, limit, more), els: v.outside(p.els, own, k, o, sides, limit, more)}
		if q.then == own && q.els == own {
			return own
		}
		if !v.seen(p.cond, limit) {
			q.cond = give(&graph.Value{Kind: graph.ScalarKind}, p.cond)
		}
		return q
	}
	var at *graph.Value
	v.inside(sides[k], func() { at = v.places(nil, p, o) })
	return &place{of: p.of, at: give(at, at)}
}
