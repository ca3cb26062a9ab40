package lower

// This file keeps track of what memory values have, and of what is visible where.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// see notes the symbols of a value's type.
func (v *viewer) see(u *graph.Value) {
	note := func(s *symshape.Expr) {
		if _, ok := v.symbols[s]; !ok {
			v.symbols[s] = v.last
		}
	}
	for _, d := range u.Type.Shape {
		graph.Symbols(graph.Dim{Dim: d}, note)
	}
	if u.Symbol != nil {
		note(u.Symbol)
	}
}

// define notes that a value is made now.
func (v *viewer) define(u *graph.Value) {
	v.last++
	v.born[u] = v.last
	v.see(u)
}

// track is where a value has its elements.
func (v *viewer) track(u *graph.Value) *alias {
	if a := v.aliases[u]; a != nil {
		return a
	}
	v.count++
	s := &storage{root: u, number: v.count, origins: []origin{{root: u}}}
	v.memory[u] = s
	v.sharing[s.origins[0]] = append(v.sharing[s.origins[0]], s)
	v.aliases[u] = &alias{place: &place{of: s}}
	return v.aliases[u]
}

// storageOf is the memory that began as the value u, nil when u has memory of others.
func (v *viewer) storageOf(u *graph.Value) *storage {
	v.track(u)
	return v.memory[u]
}

// giveMemory gives a value memory of its own, which may be one of those with the origins.
func (v *viewer) giveMemory(u *graph.Value, origins []origin) *place {
	v.count++
	s := &storage{root: u, number: v.count, origins: append([]origin{{root: u}}, origins...)}
	v.memory[u] = s
	for _, o := range s.origins {
		v.sharing[o] = append(v.sharing[o], s)
	}
	v.state[s] = stored{now: u, written: v.clock}
	p := &place{of: s}
	v.aliases[u] = &alias{p, v.clock}
	return p
}

// originsOf adds the origins of all values inside arguments or operands to a list.
func (v *viewer) originsOf(list []origin, args []graph.Arg, more ...graph.Operand) []origin {
	add := func(u *graph.Value) {
		if u.Kind != graph.ScalarKind {
			list = unite(list, v.track(u).place.storages(nil))
		}
	}
	for _, a := range args {
		graph.Operands(a.Value, add)
	}
	for _, o := range more {
		graph.Operands(o, add)
	}
	return list
}

// outer reports whether something was there before the value number limit was made.
func (v *viewer) outer(u *graph.Value, limit int) bool { return v.born[u] <= limit }

// seen reports whether an operand can be used where only what was there before the
// value number limit is visible.
func (v *viewer) seen(o graph.Operand, limit int) bool {
	ok := true
	graph.Operands(o, func(u *graph.Value) { ok = ok && v.outer(u, limit) })
	graph.Symbols(o, func(s *symshape.Expr) {
		n, known := v.symbols[s]
		ok = ok && known && n <= limit
	})
	return ok
}

// visible is seen for a place.
func (v *viewer) visible(p *place, limit int) bool {
	switch {
	case p == nil:
		return true
	case p.of == nil:
		return v.seen(p.cond, limit) && v.visible(p.then, limit) && v.visible(p.els, limit)
	case !v.outer(p.of.root, limit) || p.at != nil && !v.outer(p.at, limit):
		return false
	}
	for _, s := range p.steps {
		for i, a := range s.node.Args {
			if i != s.arg && !v.seen(a.Value, limit) {
				return false
			}
		}
	}
	return true
}

// matters reports whether the program writes into the memory of one of the places.
func (v *viewer) matters(list ...*place) bool {
	for _, p := range list {
		for _, s := range p.storages(nil) {
			if slices.ContainsFunc(s.origins, func(o origin) bool { return v.touched[o.root] }) {
				return true
			}
		}
	}
	return false
}
