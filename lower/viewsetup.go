package lower

// This file follows memory through what runs before the entry is called: constructors,
// which initialise what the state_dict replaces.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
)

// draws reports whether a node of a region is random.
func draws(r *graph.Region, random map[string]bool) bool {
	return r != nil && slices.ContainsFunc(r.Nodes, func(n *graph.Node) bool {
		return random[n.Op] || slices.ContainsFunc(n.Regions, func(r *graph.Region) bool { return draws(r, random) })
	})
}

// atCall makes the parameters and buffers of the model what they are when it is
// called: the state_dict says so, whatever the constructor wrote into them.
func (v *viewer) atCall() {
	for _, p := range v.l.Params {
		a := v.aliases[p.Value]
		switch {
		case a == nil: // nothing shares its memory
			continue
		case !a.place.isRoot():
			v.write(nil, a.place, p.Value)
		case stateOf(v.state, a.place.of).now != p.Value:
			v.clock++
			v.holds(a.place.of, p.Value)
		}
		if a.place.isRoot() {
			st := stateOf(v.state, a.place.of)
			st.lost = 0
			v.state[a.place.of] = st
		}
		v.aliases[p.Value] = &alias{a.place, v.clock}
	}
}

// initialises handles a node that says what constructors write into parameters, and
// reports whether n is one.
func (v *viewer) initialises(n *graph.Node) bool {
	kind, ok := strings.CutPrefix(n.Op, graph.InitPrefix)
	if !ok {
		return false
	}
	self, ok := argument(n, "self").(*graph.Value)
	if !ok {
		v.nodes = append(v.nodes, n)
		return true
	}
	from, _ := argument(n, "args").(graph.Tuple)
	if kind == "share" && len(from) == 1 {
		if u, ok := from[0].(*graph.Value); ok {
			v.aliases[self] = &alias{v.track(u).place, v.clock}
			v.nodes = append(v.nodes, n)
			return true
		}
	}
	v.nodes = append(v.nodes, n)
	if v.params[self] {
		return true
	}
	if x, ok := fillValue(kind, from); ok {
		p := v.track(self).place
		v.write(n, p, v.add(n, self, "torch.full_like", self.Type, graph.Arg{Name: "input", Value: self},
			graph.Arg{Name: "fill_value", Value: x}))
		return true
	}
	v.clock++
	v.loseAll(self, stored{why: "a constructor initialises a tensor here that is no part of the state_dict", at: n.At})
	return true
}

// fillValue is the one number that an initialisation writes, if it does.
func fillValue(kind string, args graph.Tuple) (graph.Operand, bool) {
	if kind != "constant" || len(args) != 1 {
		return nil, false
	}
	switch args[0].(type) {
	case graph.Int, graph.Float, graph.Dim:
		return args[0], true
	}
	return nil, false
}

// loseAll is lose for the memory of a value.
func (v *viewer) loseAll(u *graph.Value, why stored) {
	for _, s := range v.track(u).place.storages(nil) {
		v.lose(s, why.why, why.at)
	}
}
