package graph

// This file makes values visible where they are used. The interpreter refers to
// a value wherever it reaches one: a value that one branch computed may be used
// after the branches have met, where what the program knows says that this branch
// ran; a value of a loop's body after the loop. Export gives each such value a
// way out: results of the regions it leaves, outputs of their nodes, and for a
// loop a carried place that is None until the body has run.

import "shapecheck/symshape"

// Export rewrites the uses of values outside the region that defines them, and
// drops what conditions and loops give out in vain. It is called once, when the interpreter has
// finished. Afterwards Verify finds every use in or below the region of its definition.
func (b *Builder) Export() {
	e := exporter{b: b, home: map[*Value]*Region{}, owner: map[*Region]place{}, binders: map[*symshape.Expr][]*Value{},
		// Pruning before saves exports for uses which nothing needs, and after it the outputs of
		// conditions and loops that nothing uses.
		exported: map[exit]*Value{}, visible: map[*Value]bool{}, bound: map[*symshape.Expr]int{}}
	e.collect(b.graph.Body)
	Prune(b.graph)
	e.region(b.graph.Body)
	b.graph.Output = e.operand(b.graph.Output, b.graph.Body)
	Prune(b.graph)
}

// A place is where a region stands: it is region number index of a node that
// stands in a region.
type place struct {
	node  *Node
	index int
	in    *Region
}

// An exit is the output by which a value leaves the regions of a node in a region.
type exit struct {
	v    *Value
	into *Region
}

// An exporter holds the places of all values of a graph and the outputs that it made. It walks the
// graph in the order of the run.
type exporter struct {
	// The graph's builder, which numbers new values.
	b *Builder
	// The region that defines each value; free values have none.
	home map[*Value]*Region
	// Where each region stands; the body of the graph has no place.
	owner   map[*Region]place
	binders map[*symshape.Expr][]*Value // of a symbol, in order
	// A value leaves a region once, and all uses further out share that output.
	exported map[exit]*Value
	// visible and bound are what the walk sees where it stands.
	visible map[*Value]bool
	bound   map[*symshape.Expr]int
}

// collect notes where everything stands before the graph is changed.
func (e *exporter) collect(r *Region) {
	for _, p := range r.Params {
		e.define(p, r)
	}
	for _, n := range r.Nodes {
		for i, sub := range n.Regions {
			e.owner[sub] = place{n, i, r}
			e.collect(sub)
		}
		for _, o := range n.Outputs {
			e.define(o, r)
		}
	}
}

// define notes the region of a value, and the symbol that it binds.
func (e *exporter) define(v *Value, r *Region) {
	e.home[v] = r
	if v.Symbol != nil {
		e.binders[v.Symbol] = append(e.binders[v.Symbol], v)
	}
}

// show makes a value visible from here on, and hide ends that where its region ends.
func (e *exporter) show(v *Value) {
	e.visible[v] = true
	if v.Symbol != nil {
		e.bound[v.Symbol]++
	}
}

func (e *exporter) hide(v *Value) {
	delete(e.visible, v)
	if v.Symbol != nil {
		e.bound[v.Symbol]--
	}
}

// region rewrites the uses within a region in their order: operands, regions of a node, its
// outputs.
func (e *exporter) region(r *Region) {
	for _, p := range r.Params {
		e.show(p)
	}
	for _, n := range r.Nodes {
		for i := range n.Args {
			n.Args[i].Value = e.operand(n.Args[i].Value, r)
		}
		for _, sub := range n.Regions {
			e.region(sub)
		}
		for _, o := range n.Outputs {
			// A view's base may be a value that was made in a branch, too.
			if o.Base != nil {
				o.Base = e.use(o.Base, r)
			}
			e.show(o)
		}
	}
	for i, o := range r.Results {
		r.Results[i] = e.operand(o, r)
	}
	// Nothing of this region is visible after it.
	for _, p := range r.Params {
		e.hide(p)
	}
	for _, n := range r.Nodes {
		for _, o := range n.Outputs {
			e.hide(o)
		}
	}
}

// operand gives an operand as it can stand in region r. Values in it are replaced by what stands
// for them; the symbols of numbers are only made visible, since a symbol stands for the same number
// everywhere.
func (e *exporter) operand(o Operand, r *Region) Operand {
	switch o := o.(type) {
	case *Value:
		if o == nil {
			return nil
		}
		return e.use(o, r)
	case Dim:
		e.symbols(o.Expr.Symbols(), r)
	case Cond:
		e.symbols(o.Symbols(), r)
	case Real:
		e.symbols(o.Symbols(), r)
	case List:
		return List(e.all(o, r))
	case Tuple:
		return Tuple(e.all(o, r))
	case Dict:
		out := make(Dict, len(o))
		for i, a := range o {
			out[i] = Arg{a.Name, e.operand(a.Value, r), a.Number}
		}
		return out
	case Slice:
		return Slice{e.operand(o.Start, r), e.operand(o.Stop, r), e.operand(o.Step, r)}
	}
	return o
}

// all is operand for each of a list.
func (e *exporter) all(list []Operand, r *Region) []Operand {
	out := make([]Operand, len(list))
	for i, o := range list {
		out[i] = e.operand(o, r)
	}
	return out
}

// symbols makes the numbers visible that symbols stand for. A symbol may be bound by several
// values; the first one is exported.
func (e *exporter) symbols(syms []*symshape.Expr, r *Region) {
	for _, s := range syms {
		if list := e.binders[s]; len(list) > 0 && e.bound[s] <= 0 {
			e.use(list[0], r)
		}
	}
}

// use gives the value that stands for v in region r. A free value and a visible one stand for
// themselves. Otherwise v leaves one region after the other, until it is in one of those around r.
func (e *exporter) use(v *Value, r *Region) *Value {
	home, ok := e.home[v]
	if !ok || e.visible[v] {
		return v
	}
	// The region r and all those around it see their values.
	around := map[*Region]bool{}
	for at := r; at != nil; at = e.owner[at].in {
		around[at] = true
	}
	for !around[home] {
		p, ok := e.owner[home]
		if !ok {
			return v
		}
		v, home = e.leave(v, p), p.in
	}
	return v
}

// leave gives the output by which v leaves a region of a node. Of the other branches of a condition
// the result at that place is None, and so is the first value of a carried place of a loop. A value
// that a loop carries already has an output.
func (e *exporter) leave(v *Value, p place) *Value {
	key := exit{v, p.in}
	if out := e.exported[key]; out != nil {
		return out
	}
	n, sub := p.node, p.node.Regions[p.index]
	if n.Op == Loop {
		for i, x := range sub.Params { // a carried value has its output
			if x == v && i > 0 {
				return n.Outputs[i-1]
			}
		}
	}
	out := e.like(v)
	out.Def = n
	switch n.Op {
	case Loop:
		q := e.like(v)
		// The parameter of the body is the value of the iteration before, None in the first one,
		// and binds no symbol, since the output of the loop does that.
		q.Symbol = nil
		sub.Params = append(sub.Params, q)
		init, _ := n.Args[1].Value.(List)
		n.Args[1].Value = append(init[:len(init):len(init)], nil)
		sub.Results = append(sub.Results, v)
		e.home[q] = sub
	default:
		for i, other := range n.Regions {
			var x Operand
			if i == p.index {
				x = v
			}
			other.Results = append(other.Results, x)
		}
	}
	n.Outputs = append(n.Outputs, out)
	e.exported[key] = out
	e.define(out, p.in)
	// The node stands before the use, in a region around it.
	e.show(out)
	return out
}

// like makes a value like v that may be missing.
func (e *exporter) like(v *Value) *Value {
	out := e.b.NewValue(v.Kind, v.Type, v.At)
	if v.Kind == TensorKind {
		out.Kind = OptionalKind
	}
	out.Name, out.Symbol = v.Name, v.Symbol
	return out
}
