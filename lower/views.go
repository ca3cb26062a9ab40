package lower

// This file makes writes through views explicit. In PyTorch a view shares the
// memory of its base: y[0].zero_() changes y, and all views of y. ONNX has values
// only. So after a write into a view, the base gets a new value, into which the
// view's elements are put at the places where the view has them; whatever reads the
// base or another view afterwards reads the new value, or the same view of it.
//
// A condition gives out what its branches made of the memory that they write into; a
// loop carries it (viewregion.go). Which memory a value of a loop has is known when
// the whole body was walked: the graph is walked until nothing new is found, and
// only then changed. Where the memory of a value is not known, what a write makes of
// the values that may share it is not known either: reading those is an error.

import (
	"maps"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/internal/source"
	"shapecheck/lower/aten"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
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
	v := &viewer{l: l, dry: true, random: random, params: map[*graph.Value]bool{}, plans: map[*graph.Node]*loopPlan{}, touched: map[*graph.Value]bool{}}
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

// draws reports whether a node of a region is random.
func draws(r *graph.Region, random map[string]bool) bool {
	return r != nil && slices.ContainsFunc(r.Nodes, func(n *graph.Node) bool {
		return random[n.Op] || slices.ContainsFunc(n.Regions, func(r *graph.Region) bool { return draws(r, random) })
	})
}

// writesIn reports whether a node of a region writes into memory.
func writesIn(r *graph.Region) bool {
	if r == nil {
		return false
	}
	for _, n := range r.Nodes {
		for _, o := range n.Outputs {
			if o.Base != nil && (writes(n) || !reads(n.Args, o.Base)) {
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
	v.aliases, v.memory, v.sharing, v.state = map[*graph.Value]*alias{}, map[*graph.Value]*storage{}, map[origin][]*storage{}, map[*storage]stored{}
	v.born, v.symbols, v.fresh = map[*graph.Value]int{}, map[*symshape.Expr]int{}, map[*graph.Value]*graph.Value{}
	v.last, v.clock = 0, 0
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

// atCall makes the parameters and buffers of the model what they are when it is
// called: the state_dict says so, whatever the constructor wrote into them.
func (v *viewer) atCall() {
	for _, p := range v.l.Params {
		a := v.aliases[p.Value]
		switch {
		case a == nil: // nothing shares its memory
			continue
		case !a.place.whole():
			v.write(nil, a.place, p.Value)
		case stateOf(v.state, a.place.of).now != p.Value:
			v.clock++
			v.holds(a.place.of, p.Value)
		}
		if a.place.whole() {
			st := stateOf(v.state, a.place.of)
			st.lost = 0
			v.state[a.place.of] = st
		}
		v.aliases[p.Value] = &alias{a.place, v.clock}
	}
}

// metadata are the operations whose forms in place change how a tensor looks at its
// memory, not the memory.
var metadata = map[string]bool{
	"torch.squeeze": true, "torch.unsqueeze": true, "torch.t": true, "torch.transpose": true, "torch.swapaxes": true, "torch.as_strided": true,
	"torch.detach": true, "torch.Tensor.detach_": true, "torch.Tensor.requires_grad_": true, "torch.Tensor.resize_": true, "torch.Tensor.resize_as_": true,
}

// resizes are operations of which the result has memory that the argument may not have.
var resizes = map[string]bool{"torch.Tensor.resize_": true, "torch.Tensor.resize_as_": true}

// writes reports whether a node writes into its first argument.
func writes(n *graph.Node) bool {
	if metadata[n.Op] {
		return false
	}
	name := n.Called
	if name == "" {
		name = n.Op
	}
	if ops.IsInPlace(name) || strings.HasSuffix(name, "__setitem__") {
		return true
	}
	for _, a := range n.Args {
		if a.Name == "inplace" && a.Value == true {
			return true
		}
	}
	return false
}

// reads reports whether a value is inside an argument.
func reads(args []graph.Arg, u *graph.Value) bool {
	found := false
	for _, a := range args {
		graph.Operands(a.Value, func(x *graph.Value) { found = found || x == u })
	}
	return found
}

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
	case "if":
		v.ifNode(n, now)
		return
	case "loop":
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
		case o.Kind == graph.SequenceKind || strings.HasPrefix(n.Op, "sequence."):
			// A list has the memory of its tensors, and an element that of one of them.
			v.own(o, v.originsOf(nil, args))
		}
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
		v.write(n, p, v.add(n, self, "torch.full_like", self.Type, graph.Arg{Name: "input", Value: self}, graph.Arg{Name: "fill_value", Value: x}))
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
	case int64, float64, symshape.Dim:
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

// shares notes what memory output i of a node has, which is that of its base.
func (v *viewer) shares(n *graph.Node, args []graph.Arg, i int) {
	o := n.Outputs[i]
	at := slices.IndexFunc(args, func(a graph.Arg) bool { return a.Value == graph.Operand(o.Base) })
	p := v.track(o.Base).place
	switch {
	case at < 0 && reads(args, o.Base), // of a tensor in a list
		at >= 0 && !writes(n) && (resizes[n.Op] || o.Type.DType != o.Base.Type.DType):
		v.own(o, unite(nil, p.storages(nil)))
	case at >= 0 && !writes(n):
		v.aliases[o] = &alias{p.with(step{n, i, at}), v.clock}
	case !sameShape(o, o.Base): // through out=, resized
		v.own(o, unite(nil, p.storages(nil)))
		v.write(n, &place{of: v.memory[o]}, o)
	default: // in place, or, where the base is no argument, through out=
		v.write(n, p, o)
		v.aliases[o] = &alias{p, v.clock}
	}
}

func sameShape(a, b *graph.Value) bool {
	s, t := a.Type.Shape, b.Type.Shape
	if !a.Type.Ranked || !b.Type.Ranked {
		return true
	}
	return slices.EqualFunc(s, t, func(x, y symshape.Dim) bool { return x.Expr == y.Expr || x.Known && y.Known && x.Val == y.Val })
}

// see notes the symbols of a value's type.
func (v *viewer) see(u *graph.Value) {
	note := func(s *symshape.Expr) {
		if _, ok := v.symbols[s]; !ok {
			v.symbols[s] = v.last
		}
	}
	for _, d := range u.Type.Shape {
		graph.Symbols(d, note)
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
	s := &storage{root: u, number: len(v.memory), origins: []origin{{root: u}}}
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

// own gives a value memory of its own, which may be one of those with the origins.
func (v *viewer) own(u *graph.Value, origins []origin) *place {
	s := &storage{root: u, number: len(v.memory), origins: append([]origin{{root: u}}, origins...)}
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
	v.put(n, p, o)
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
	case p.whole():
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

// ordered are the views that have all elements of a tensor in their order.
var ordered = map[string]bool{
	"torch.reshape": true, "torch.Tensor.reshape": true, "torch.Tensor.view": true, "torch.Tensor.view_as": true, "torch.flatten": true,
	"torch.unflatten": true, "torch.ravel": true, "torch.squeeze": true, "torch.unsqueeze": true, "torch.detach": true,
	"torch.dropout": true, "torch.nn.functional.dropout": true,
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
	if p.at == nil && !slices.ContainsFunc(p.steps, func(s step) bool { return !ordered[s.node.Op] }) {
		return v.add(n, o, "torch.reshape", t, graph.Arg{Name: "self", Value: o}, graph.Arg{Name: "shape", Value: sizes(t.Shape)})
	}
	return v.add(n, o, "torch.put", t, graph.Arg{Name: "self", Value: base}, graph.Arg{Name: "index", Value: v.places(n, p, o)}, graph.Arg{Name: "source", Value: o}, graph.Arg{Name: "accumulate", Value: false})
}

func sizes(s symshape.Shape) graph.List {
	out := make(graph.List, len(s))
	for i, d := range s {
		out[i] = d
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
	m := &graph.Node{Op: op, Called: op, Args: args, At: u.At}
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
		line := v.add(n, like, "torch.arange", graph.TensorType{DType: dtype.I64, Ranked: true, Shape: symshape.Shape{size}}, graph.Arg{Name: "end", Value: size})
		at = v.add(n, like, "torch.reshape", graph.TensorType{DType: dtype.I64, Ranked: true, Shape: shape}, graph.Arg{Name: "self", Value: line}, graph.Arg{Name: "shape", Value: sizes(shape)})
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
