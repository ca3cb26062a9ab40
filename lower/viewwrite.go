package lower

// This file writes into memory: a storage gets a new value with what was written at its
// places.

import (
	"maps"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// write makes o the contents of a place.
func (v *viewer) write(n *graph.Node, p *place, o *graph.Value) {
	v.clock++
	targets, at := p.storages(nil), o.At
	if n != nil {
		at = n.At
	}
	for _, s := range targets {
		for _, x := range s.origins {
			if !v.touched[x.root] {
				v.touched[x.root], v.changed = true, true
			}
			for _, other := range v.sharing[x] {
				if other != s {
					v.lose(other, "this writes into a tensor that may be one of several, of which another is read later", at)
				}
			}
		}
	}
	if o.Type.Overlaps() && !uniform(n) {
		for _, s := range targets {
			v.lose(s, "this writes through a view whose elements overlap in memory", at)
		}
		return
	}
	v.put(n, p, o)
}

// uniform reports whether an operation writes one number to all places of a view.
func uniform(n *graph.Node) bool {
	return n != nil && (strings.HasSuffix(n.Op, ".zero_") || strings.HasSuffix(n.Op, ".fill_"))
}

// lose notes that what a storage holds is not known from now on.
func (v *viewer) lose(s *storage, why string, at source.Span) {
	if s.root.Kind == graph.SequenceKind {
		why = "this may write into a tensor of a list of unknown length that is read later"
	}
	st := stateOf(v.state, s)
	st.lost, st.why, st.at = v.clock, why, at
	v.state[s] = st
}

// put is write for the storages of the place itself.
func (v *viewer) put(n *graph.Node, p *place, o *graph.Value) {
	switch {
	case p == nil:
	case p.of == nil:
		list := p.storages(nil)
		entry := maps.Clone(v.state)
		outs := v.choose(n, p.cond, v.contents(list), func() []graph.Operand {
			v.put(n, p.then, o)
			return asOperands(v.contents(list))
		}, func() []graph.Operand {
			for _, s := range list {
				v.state[s] = stateOf(entry, s)
			}
			v.put(n, p.els, o)
			return asOperands(v.contents(list))
		})
		for i, s := range list {
			v.holds(s, outs[i])
		}
	case p.isRoot():
		v.holds(p.of, o)
	default:
		v.holds(p.of, v.mixed(n, p, o))
	}
}

// contents lists what storages hold.
func (v *viewer) contents(list []*storage) []*graph.Value {
	out := make([]*graph.Value, len(list))
	for i, s := range list {
		out[i] = stateOf(v.state, s).now
	}
	return out
}

func asOperands(list []*graph.Value) []graph.Operand {
	out := make([]graph.Operand, len(list))
	for i, u := range list {
		out[i] = u
	}
	return out
}

// holds makes u what a storage holds now.
func (v *viewer) holds(s *storage, u *graph.Value) {
	st := stateOf(v.state, s)
	st.now, st.written = u, v.clock
	v.state[s] = st
}

// mixed is what a storage holds, with the elements of o where the place has them.
func (v *viewer) mixed(n *graph.Node, p *place, o *graph.Value) *graph.Value {
	base, at := stateOf(v.state, p.of).now, o.At
	if n != nil {
		at = n.At
	}
	if !base.Type.Ranked || !o.Type.Ranked || base.Type.DType != o.Type.DType {
		v.fail(at, "it writes into a view whose places in memory are not known")
		return base
	}
	t := base.Type
	t.Strides = nil
	if p.at == nil && !slices.ContainsFunc(p.steps, func(s step) bool { return !s.node.Is.Has(graph.Ordered) }) {
		return v.add(n, o, "torch.reshape", t, graph.Arg{Name: "self", Value: o}, graph.Arg{Name: "shape", Value: sizes(t.Shape)})
	}
	return v.add(n, o, "torch.put", t, graph.Arg{Name: "self", Value: base},
		graph.Arg{Name: "index", Value: v.places(n, p, o)}, graph.Arg{Name: "source", Value: o},
		graph.Arg{Name: "accumulate", Value: graph.Bool(false)})
}

func sizes(s symshape.Shape) graph.List {
	out := make(graph.List, len(s))
	for i, d := range s {
		out[i] = graph.Dim{Dim: d}
	}
	return out
}

// fail refuses the program.
func (v *viewer) fail(at source.Span, why string) {
	if !v.dry {
		v.l.fail(at, "%s", why)
	}
}

// add appends a node with one result, at the place of n or, if that is nil, of u.
func (v *viewer) add(n *graph.Node, u *graph.Value, op string, t graph.TensorType, args ...graph.Arg) *graph.Value {
	m := catalog.NewNode(op)
	m.Args, m.At = args, u.At
	if n != nil {
		m.At, m.Module, m.Lib = n.At, n.Module, n.Lib
	}
	o := &graph.Value{Type: t, At: m.At, Def: m}
	m.Outputs = []*graph.Value{o}
	v.nodes = append(v.nodes, m)
	v.define(o)
	return o
}

// places gives the places of a tensor's elements in the flattened storage. All
// storages of the place are one.
func (v *viewer) places(n *graph.Node, p *place, like *graph.Value) *graph.Value {
	if p.of == nil {
		t := &graph.Value{Type: like.Type, At: like.At}
		t.Type.DType, t.Type.Strides = dtype.I64, nil
		return v.choose(n, p.cond, []*graph.Value{t},
			func() []graph.Operand { return []graph.Operand{v.places(n, p.then, like)} },
			func() []graph.Operand { return []graph.Operand{v.places(n, p.els, like)} })[0]
	}
	at := p.at
	if at == nil {
		shape := stateOf(v.state, p.of).now.Type.Shape
		size := v.l.Pool.Numel(shape)
		line := v.add(n, like, "torch.arange", graph.TensorType{DType: dtype.I64, Ranked: true, Shape: symshape.Shape{size}},
			graph.Arg{Name: "end", Value: graph.Dim{Dim: size}})
		at = v.add(n, like, "torch.reshape", graph.TensorType{DType: dtype.I64, Ranked: true, Shape: shape},
			graph.Arg{Name: "self", Value: line}, graph.Arg{Name: "shape", Value: sizes(shape)})
	}
	return v.replay(n, p.steps, at)
}

// replay takes the same view of another value.
func (v *viewer) replay(n *graph.Node, steps []step, x *graph.Value) *graph.Value {
	for _, s := range steps {
		m := *s.node
		if n != nil {
			m.At = n.At
		}
		m.Args = slices.Clone(s.node.Args)
		m.Args[s.arg].Value = x
		m.Outputs = make([]*graph.Value, len(s.node.Outputs))
		for i, o := range s.node.Outputs {
			t := o.Type
			t.DType, t.Strides = x.Type.DType, nil
			m.Outputs[i] = &graph.Value{Kind: o.Kind, Type: t, At: m.At, Def: &m}
			v.define(m.Outputs[i])
		}
		v.nodes = append(v.nodes, &m)
		x = m.Outputs[s.out]
	}
	return x
}
