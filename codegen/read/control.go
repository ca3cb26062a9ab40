package read

// This file reads nodes with subgraphs. A body becomes closed: what it uses from outside
// is operands at the node's end and parameters at the body's end. Constants belong to no
// graph and need no way in.

import (
	"maps"
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

// maxNest bounds how deep subgraphs nest.
const maxNest = 60

// control reads a node with graphs: an If whose condition is constant becomes its live branch; otherwise
// each body is read as often as inference asks for it, with the types that it has by then, and what the
// bodies use from outside is appended to the operands. States of a Loop that become filled optionals are
// unwrapped behind it.
func (r *reader) control(s *scope, n *onnx.Node, spec ir.Spec) {
	if r.nest++; r.nest > maxNest {
		r.failAt(n, "subgraphs nest deeper than %d", maxNest)
	}
	defer func() { r.nest-- }()
	var err error
	if spec.Attr, err = spec.Op.Schema.DecodeClosed(n); err != nil {
		r.failAt(n, "%v", err)
	}
	names := graphsOf(spec.Op)
	graphs := make([]*onnx.Graph, len(names))
	for i, name := range names {
		if a := n.Attr(name); a != nil && a.Graph != nil {
			graphs[i] = a.Graph
		} else {
			r.failAt(n, "the attribute %s is missing", name)
		}
	}
	if len(r.errs) > 0 {
		return
	}
	if spec.Op.Name == "If" && spec.Op.Domain == "" {
		if live := r.live(spec.Ins[0], graphs); live != nil {
			r.inline(s, n, live)
			return
		}
	}
	captured := r.captured(s, graphs)
	if captured == nil && len(r.errs) > 0 {
		return
	}
	for len(spec.Ins) < 2 && spec.Op.Name == "Loop" { // absent ones count before what is captured
		spec.Ins = append(spec.Ins, nil)
	}
	ask := &inference.Node{Op: spec.Op.Schema, Attrs: spec.Attr, Name: n.Name, Inputs: n.Inputs, Outs: len(n.Outputs),
		Bodies: map[string]inference.Body{}}
	for _, v := range spec.Ins {
		ask.Ins = append(ask.Ins, r.info(v))
	}
	built := make([]*ir.Graph, len(names))
	// A loop reads its body with what is known of the first trip, then with less; only the
	// faults of the last reading count.
	before := r.errs
	faults := make([][]*Error, len(names))
	var filled *optionals // of a Loop
	if n.Op == "Loop" {
		filled = &optionals{map[int]bool{}, spec.From}
	}
	for i, name := range names {
		ask.Bodies[name] = inference.Body{Inputs: len(graphs[i].Inputs), Outputs: len(graphs[i].Outputs),
			Infer: func(ins []*inference.Value) []*inference.Value {
				if built[i] != nil {
					built[i].Drop()
				}
				var outs []*inference.Value
				r.errs = nil
				built[i], outs = r.body(s, graphs[i], ins, captured, filled)
				faults[i] = r.errs
				return outs
			}}
	}
	outs, errs := r.session.Infer(ask)
	r.errs = before
	for _, list := range faults {
		for _, e := range list {
			r.fail(e)
		}
	}
	if len(r.errs) > 0 {
		return
	}
	for i, g := range built {
		if g == nil && len(errs) == 0 { // the rule did not need to look
			built[i], _ = r.body(s, graphs[i], nil, captured, filled)
		}
	}
	if len(r.errs) > 0 {
		return
	}
	spec.Graphs = built
	spec.Captured = len(captured)
	for _, name := range captured {
		spec.Ins = append(spec.Ins, s.vals[name])
	}
	loop := *n
	loop.Outputs = slices.Clone(n.Outputs)
	var after []*onnx.Node
	for k := range loop.Outputs {
		if filled != nil && filled.states[k] && loop.Outputs[k] != "" { // a state keeps its type: the value is taken out behind the loop
			loop.Outputs[k] = r.freshName("filled")
			after = append(after, &onnx.Node{Op: "OptionalGetElement", Name: n.Name, Inputs: loop.Outputs[k : k+1], Outputs: n.Outputs[k : k+1],
				Doc: n.Doc, Metadata: n.Metadata})
		}
	}
	r.finish(s, &loop, spec, outs, errs)
	for _, m := range after {
		r.newest(s, m, spec.From)
	}
}

// live gives the branch of an If that runs, when the condition is known.
func (r *reader) live(cond *ir.Value, graphs []*onnx.Graph) *onnx.Graph {
	elems := r.info(cond).Elements()
	if len(elems) != 1 || elems[0] == nil {
		return nil
	}
	switch n, ok := elems[0].Const(); {
	case !ok:
		return nil
	case n != 0:
		return graphs[0]
	}
	return graphs[1]
}

// inline reads the only branch of an If that runs in its place. The other one may not be
// right for what is known here: in the first reading of a loop's body it often is not.
func (r *reader) inline(s *scope, n *onnx.Node, g *onnx.Graph) {
	inner := &scope{g: s.g, vals: maps.Clone(s.vals)}
	r.initializers(inner, g)
	r.nodes(inner, g.Nodes)
	for i, o := range g.Outputs {
		if i < len(n.Outputs) && n.Outputs[i] != "" {
			s.vals[n.Outputs[i]] = inner.vals[o.Name]
		}
	}
}

// captured lists the names of values of the outside that subgraphs use, in the order in
// which they are met; those of constants are not among them.
func (r *reader) captured(s *scope, graphs []*onnx.Graph) []string {
	var out []string
	seen := map[string]bool{}
	var graph func(g *onnx.Graph, inner map[string]bool, depth int)
	graph = func(g *onnx.Graph, outer map[string]bool, depth int) {
		if depth > maxNest {
			r.fail(&Error{Reason: "subgraphs nest too deeply"})
			return
		}
		own := map[string]bool{}
		for name := range outer {
			own[name] = true
		}
		for _, v := range g.Inputs {
			own[v.Name] = true
		}
		for _, t := range g.Initializers {
			own[t.Name] = true
		}
		for _, t := range g.SparseInitializers {
			own[t.Values.Name] = true
		}
		use := func(name string) {
			if name == "" || own[name] || seen[name] {
				return
			}
			seen[name] = true
			if v := s.vals[name]; v != nil && v.Const == nil {
				out = append(out, name)
			}
		}
		for _, n := range g.Nodes {
			for _, in := range n.Inputs {
				use(in)
			}
			n.Subgraphs(func(_ string, sub *onnx.Graph) { graph(sub, own, depth+1) })
			for _, o := range n.Outputs {
				own[o] = true
			}
		}
		for _, o := range g.Outputs {
			use(o.Name)
		}
	}
	for _, g := range graphs {
		graph(g, nil, 0)
	}
	return out
}

// optionals are the states of a Loop that begin as an optional and end as what it holds.
type optionals struct {
	states map[int]bool
	from   ir.Origin // of the Loop
}

// body reads a subgraph whose inputs are as given, then what is captured. filled, of a Loop's body,
// gets the states that go in as an optional and come out as what it may hold; they come out as an
// optional then.
func (r *reader) body(outer *scope, g *onnx.Graph, ins []*inference.Value, captured []string, filled *optionals) (*ir.Graph,
	[]*inference.Value) {
	s := &scope{g: r.module.NewGraph(), vals: map[string]*ir.Value{}}
	for name, v := range outer.vals {
		if v != nil && v.Const != nil {
			s.vals[name] = v
		}
	}
	r.initializers(s, g)
	for i, in := range g.Inputs {
		var info *inference.Value
		if i < len(ins) {
			info = ins[i]
		}
		if info == nil {
			info = r.session.ValueOf(&inference.Type{}, nil)
		}
		p := r.module.AddParam(s.g, in.Name, *info.Type)
		p.Info, p.Elems = info, info.Elements()
		s.vals[in.Name] = p
	}
	for _, name := range captured {
		v := outer.vals[name]
		p := r.module.AddParam(s.g, name, v.Type)
		p.Info, p.Elems = r.info(v), v.Elems
		s.vals[name] = p
	}
	r.nodes(s, g.Nodes)
	outs := make([]*inference.Value, len(g.Outputs))
	for i, o := range g.Outputs {
		v := s.vals[o.Name]
		if filled != nil && v != nil && i > 0 && i+1 < len(ins) && ins[i+1] != nil && ins[i+1].Kind == onnx.OptionalType &&
			v.Type.Kind != onnx.OptionalType {
			name := r.freshName("optional")
			r.newest(s, &onnx.Node{Op: "Optional", Inputs: []string{o.Name}, Outputs: []string{name}}, filled.from)
			v, filled.states[i-1] = s.vals[name], true
		}
		if v == nil {
			if len(r.errs) == 0 {
				r.fail(&Error{Value: o.Name, Reason: "no node of the subgraph makes this output"})
			}
			outs[i] = r.session.ValueOf(&inference.Type{}, nil)
			continue
		}
		s.g.AddResult(v)
		outs[i] = r.info(v)
	}
	return s.g, outs
}
