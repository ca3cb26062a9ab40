package lower

// This file makes writes through views explicit. In PyTorch a view shares the
// memory of its base: y[0].zero_() changes y, and all views of y. ONNX has values
// only. So after a write into a view, the base gets a new value, into which the
// view's elements are put at the places where the view has them; whatever reads the
// base or another view afterwards reads the new value, or the same view of it.
//
// A condition gives out what its branches made of the memory that they write into; a
// loop carries it (viewif.go, viewloop.go). Which memory a value of a loop has is known when
// the whole body was walked: the graph is walked until nothing new is found, and
// only then changed. Where the memory of a value is not known, what a write makes of
// the values that may share it is not known either: reading those is an error.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/lower/aten"
	"shapecheck/symshape"
)

// A viewer walks the graph in order.
type viewer struct {
	l *lowerer
	// dry says that this walk only looks: the graph stays as it is.
	dry     bool
	aliases map[*graph.Value]*alias
	memory  map[*graph.Value]*storage // by the roots
	sharing map[origin][]*storage
	state   map[*storage]stored
	clock   int
	nodes   []*graph.Node // of the region at hand
	// fresh are views that were taken again.
	fresh map[*graph.Value]*graph.Value
	// born numbers the values that nodes make, in order; free values are not listed.
	// symbols are those that are seen in types.
	born    map[*graph.Value]int
	symbols map[*symshape.Expr]int
	last    int
	count   int // of the storages
	// setup says that what runs before the entry is called is being walked, where only
	// what the entry reads later must be known; vague is what the node at hand read that
	// is not. Operations of which the results are random are in random.
	setup  bool
	vague  *stored
	random map[string]bool
	params map[*graph.Value]bool // those of the state_dict

	// What is found out, from walk to walk. It only grows.
	plans map[*graph.Node]*loopPlan
	// touched are the roots of the memory that is written into.
	touched map[*graph.Value]bool
	changed bool
}

// maxWalks bounds the walks; each finds something new about a loop or a tensor.
const maxWalks = 100

// views rewrites what runs before the entry is called, and the entry's body, where
// they write into tensors.
func (l *lowerer) views() {
	random := aten.Random()
	if !writesIn(l.Graph.Setup) && !writesIn(l.Graph.Body) && !draws(l.Graph.Setup, random) {
		return
	}
	v := &viewer{l: l, dry: true, random: random, params: map[*graph.Value]bool{}, plans: map[*graph.Node]*loopPlan{},
		touched: map[*graph.Value]bool{}}
	for _, p := range l.Params {
		v.params[p.Value] = true
	}
	for range maxWalks {
		v.changed = false
		if v.walk(); !v.changed {
			break
		}
	}
	if v.dry = false; v.changed {
		l.fail(v.l.Graph.Body.Nodes[0].At, "which tensors share memory does not settle")
		return
	}
	v.walk()
	graph.Prune(l.Graph)
}

// writesIn reports whether a node of a region writes into memory.
func writesIn(r *graph.Region) bool {
	if r == nil {
		return false
	}
	for _, n := range r.Nodes {
		for _, o := range n.Outputs {
			if o.Base != nil && (ops.Writes(n) || !reads(n.Args, o.Base) || argument(n, "out") == graph.Operand(o.Base)) {
				return true
			}
		}
		if slices.ContainsFunc(n.Regions, writesIn) || strings.HasPrefix(n.Op, graph.InitPrefix) {
			return true
		}
	}
	return false
}

// walk goes through the whole graph.
func (v *viewer) walk() {
	v.aliases, v.memory, v.sharing, v.state = map[*graph.Value]*alias{}, map[*graph.Value]*storage{}, map[origin][]*storage{},
		map[*storage]stored{}
	v.born, v.symbols, v.fresh = map[*graph.Value]int{}, map[*symshape.Expr]int{}, map[*graph.Value]*graph.Value{}
	v.last, v.clock, v.count = 0, 0, 0
	g := v.l.Graph
	for _, list := range [...][]*graph.Value{g.Inputs, g.Params} {
		for _, u := range list {
			v.see(u)
		}
	}
	if v.setup = g.Setup != nil; v.setup {
		v.region(g.Setup, func() { v.atCall() })
	}
	v.setup = false
	v.region(g.Body, func() {
		if out := v.operand(g.Output); !v.dry {
			g.Output = out
		}
	})
}

// region walks the nodes of a region, and then does what is to be done at its end.
func (v *viewer) region(r *graph.Region, end func()) {
	outer := v.nodes
	v.nodes = nil
	for _, n := range r.Nodes {
		v.node(n)
	}
	end()
	if !v.dry {
		r.Nodes = v.nodes
	}
	v.nodes = outer
}

// node rewrites a node so that it reads the current state of each memory, and records what it does to
// that: a view shares the memory of its base, a list has that of its tensors. Where a change is too vague
// to follow, the memory of its results is lost, with the reason.
func (v *viewer) node(n *graph.Node) {
	args := n.Args
	v.vague = nil
	if v.initialises(n) {
		return
	}
	if v.setup && v.random[n.Op] {
		v.vague = &stored{why: "a constructor draws random numbers here that are no part of the state_dict", at: n.At}
	}
	defer func() {
		if v.vague != nil {
			v.clock++
			for _, o := range n.Outputs {
				v.loseAll(o, *v.vague)
			}
			v.vague = nil
		}
	}()
	now := slices.Clone(args)
	for i := range now {
		now[i].Value = v.operand(now[i].Value)
	}
	switch n.Op {
	case graph.If:
		v.ifNode(n, now)
		return
	case graph.Loop:
		v.loopNode(n, now)
		return
	}
	if !v.dry && !slices.EqualFunc(args, now, func(a, b graph.Arg) bool { return sameOperand(a.Value, b.Value) }) {
		m := *n // what initialises parameters reads the old one
		n = &m
		n.Args = now
		for _, o := range n.Outputs {
			o.Def = n
		}
	}
	v.nodes = append(v.nodes, n)
	for i, o := range n.Outputs {
		v.define(o)
		switch {
		case v.strided(n, args), v.moved(n, args):
		case o.Base != nil:
			v.shares(n, args, i)
		case o.Kind == graph.SequenceKind || graph.IsSequence(n.Op):
			// A list has the memory of its tensors, and an element that of one of them.
			v.giveMemory(o, v.originsOf(nil, args))
		}
	}
}

// shares notes what memory output i of a node has, which is that of its base.
func (v *viewer) shares(n *graph.Node, args []graph.Arg, i int) {
	o := n.Outputs[i]
	at := slices.IndexFunc(args, func(a graph.Arg) bool { return a.Value == graph.Operand(o.Base) })
	p := v.track(o.Base).place
	if at >= 0 && args[at].Name == "out" { // NumPy's functions are given it, PyTorch's are not shown with it
		at = -1
		args = slices.DeleteFunc(slices.Clone(args), func(a graph.Arg) bool { return a.Name == "out" })
	}
	switch {
	case at < 0 && reads(args, o.Base), // of a tensor in a list
		at >= 0 && !ops.Writes(n) && (n.Is.Has(graph.Regrows) || o.Type.DType != o.Base.Type.DType):
		v.giveMemory(o, unite(nil, p.storages(nil)))
	case at >= 0 && !ops.Writes(n):
		v.aliases[o] = &alias{p.with(step{n, i, at}), v.clock}
	case !sameShape(o, o.Base): // through out=, resized
		v.giveMemory(o, unite(nil, p.storages(nil)))
		v.write(n, &place{of: v.memory[o]}, o)
	default: // in place, or, where the base is no argument, through out=
		v.write(n, p, o)
		clock := v.clock
		if o.Type.Overlaps() { // nor is what it shows now
			clock--
		}
		v.aliases[o] = &alias{p, clock}
	}
}

func sameShape(a, b *graph.Value) bool {
	s, t := a.Type.Shape, b.Type.Shape
	if !a.Type.Ranked || !b.Type.Ranked {
		return true
	}
	return slices.EqualFunc(s, t, func(x, y symshape.Dim) bool { return x.Expr == y.Expr || x.Known && y.Known && x.Val == y.Val })
}
