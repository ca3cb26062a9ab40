package lower

// This file reads tensors whose memory was written into since they were made.

import (
	"slices"

	"shapecheck/infer/graph"
)

// operand replaces values whose memory was written since they were made.
func (v *viewer) operand(o graph.Operand) graph.Operand {
	list := func(l []graph.Operand) []graph.Operand {
		l = slices.Clone(l)
		for i := range l {
			l[i] = v.operand(l[i])
		}
		return l
	}
	switch o := o.(type) {
	case *graph.Value:
		if o == nil {
			return nil
		}
		return v.current(o)
	case graph.List:
		return graph.List(list(o))
	case graph.Tuple:
		return graph.Tuple(list(o))
	case graph.Dict:
		d := slices.Clone(o)
		for i := range d {
			d[i].Value = v.operand(d[i].Value)
		}
		return d
	case graph.Slice:
		return graph.Slice{Start: v.operand(o.Start), Stop: v.operand(o.Stop), Step: v.operand(o.Step)}
	}
	return o
}

// current is what a tensor is now.
func (v *viewer) current(u *graph.Value) *graph.Value {
	a := v.aliases[u]
	if a == nil {
		return u
	}
	written := 0
	for _, s := range a.place.storages(nil) {
		st := stateOf(v.state, s)
		if st.lost > a.time {
			if v.setup {
				v.vague = &st
			} else {
				v.fail(st.at, st.why)
			}
			return u
		}
		written = max(written, st.written)
	}
	if written <= a.time {
		return u
	}
	if w := v.fresh[u]; w != nil && v.aliases[w].time >= written {
		return w
	}
	w := v.read(a.place, u)
	if w != v.aliases[u].place.now(v) {
		v.aliases[w] = &alias{a.place, v.clock}
		v.fresh[u] = w
	}
	return w
}

// now is what the storage holds of which the place is the whole, or nil.
func (p *place) now(v *viewer) *graph.Value {
	if p.isRoot() {
		return stateOf(v.state, p.of).now
	}
	return nil
}

// read takes what a place holds, for the tensor u.
func (v *viewer) read(p *place, u *graph.Value) *graph.Value {
	switch {
	case p.of == nil:
		out := &graph.Value{Kind: u.Kind, Type: u.Type, At: u.At, Name: u.Name}
		side := func(p *place) func() []graph.Operand {
			return func() []graph.Operand {
				if p == nil {
					return []graph.Operand{nil}
				}
				return []graph.Operand{v.read(p, u)}
			}
		}
		return v.choose(nil, p.cond, []*graph.Value{out}, side(p.then), side(p.els))[0]
	case p.isRoot():
		return stateOf(v.state, p.of).now
	}
	x := stateOf(v.state, p.of).now
	if p.at != nil {
		t := p.at.Type
		t.DType = x.Type.DType
		x = v.add(nil, u, "torch.take", t, graph.Arg{Name: "self", Value: x}, graph.Arg{Name: "index", Value: p.at})
	}
	var at *graph.Node
	if len(p.steps) > 0 {
		at = p.steps[0].node
	}
	return v.replay(at, p.steps, x)
}
