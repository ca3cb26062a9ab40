package lower

// This file makes writes through views explicit. In PyTorch a view shares the
// memory of its base: y[0].zero_() changes y, and all views of y. ONNX has values
// only. So after a write into a view, the base gets a new value, into which the
// view's elements are put at the places where the view has them; whatever reads the
// base or another view afterwards reads the new value, or the same view of it.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A storage is the memory of a base: its value now, and how often it was written.
type storage struct {
	now     *graph.Value
	version int
	depth   int // of the region that it was first seen in
	// lost says that a condition or loop wrote into it: its views are not known
	// from then on.
	lost bool
}

// A step is a node that makes a view: output out of the node, of argument arg.
type step struct {
	node     *graph.Node
	out, arg int
}

// An alias is how a value looks at a storage.
type alias struct {
	of      *storage
	steps   []step // from the base; none: all of it
	version int    // of the storage, when the value was made
}

// A viewer walks the graph in order.
type viewer struct {
	l       *lowerer
	aliases map[*graph.Value]*alias
	nodes   []*graph.Node // of the region at hand
	depth   int           // how many nodes it is inside of
	// depths are those of the regions that define values; 0 is not listed.
	depths map[*graph.Value]int
	fresh  map[*graph.Value]*graph.Value
	// doubtful are tensors of which one was written, data decide which.
	doubtful map[*graph.Value]bool
	// listed are views of tensors that were given in a list: broadcast_tensors.
	listed map[*graph.Value]bool
}

// views rewrites the entry's body where it writes through views.
func (l *lowerer) views() {
	v := &viewer{l: l, aliases: map[*graph.Value]*alias{}, fresh: map[*graph.Value]*graph.Value{}, depths: map[*graph.Value]int{}, doubtful: map[*graph.Value]bool{}, listed: map[*graph.Value]bool{}}
	v.region(l.Graph.Body)
	l.Graph.Output = v.finish(l.Graph.Body, l.Graph.Output)
}

// region walks the nodes of a region.
func (v *viewer) region(r *graph.Region) {
	outer := v.nodes
	v.nodes = nil
	v.define(r.Params)
	for _, n := range r.Nodes {
		v.node(n)
	}
	for i := range r.Results {
		r.Results[i] = v.operand(r.Results[i])
	}
	r.Nodes, v.nodes = v.nodes, outer
}

// define notes the depth at which values are defined.
func (v *viewer) define(list []*graph.Value) {
	if v.depth == 0 {
		return
	}
	for _, u := range list {
		v.depths[u] = v.depth
	}
}

// finish brings what is read after the last node of a region up to date.
func (v *viewer) finish(r *graph.Region, o graph.Operand) graph.Operand {
	v.nodes = r.Nodes
	o = v.operand(o)
	r.Nodes = v.nodes
	return o
}

// inner walks a region inside a node. What it writes is seen outside as a result of
// the node, which is no view of the old memory.
func (v *viewer) inner(r *graph.Region) {
	type state struct {
		now     *graph.Value
		version int
	}
	saved := map[*storage]state{}
	before := map[*graph.Value]*alias{}
	for u, a := range v.aliases {
		saved[a.of] = state{a.of.now, a.of.version}
		before[u] = a
	}
	fresh := v.fresh
	v.fresh = map[*graph.Value]*graph.Value{}
	v.depth++
	v.region(r)
	v.depth--
	v.fresh = fresh
	for s, old := range saved {
		s.lost = s.lost || s.version != old.version
		s.now, s.version = old.now, old.version
	}
	v.aliases = before
}

// metadata are the operations whose forms in place change how a tensor looks at its
// memory, not the memory.
var metadata = map[string]bool{
	"torch.squeeze": true, "torch.unsqueeze": true, "torch.t": true, "torch.transpose": true, "torch.swapaxes": true, "torch.as_strided": true,
	"torch.detach": true, "torch.Tensor.detach_": true, "torch.Tensor.requires_grad_": true, "torch.Tensor.resize_": true, "torch.Tensor.resize_as_": true,
}

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

func (v *viewer) node(n *graph.Node) {
	args := slices.Clone(n.Args)
	for i := range n.Args {
		n.Args[i].Value = v.operand(n.Args[i].Value)
	}
	for _, r := range n.Regions {
		v.inner(r)
	}
	v.nodes = append(v.nodes, n)
	v.define(n.Outputs)
	for i, o := range n.Outputs {
		if o.Base == nil {
			continue
		}
		at := slices.IndexFunc(args, func(a graph.Arg) bool { return a.Value == graph.Operand(o.Base) })
		if at < 0 && reads(args, o.Base) { // of a tensor in a list
			v.listed[o] = true
			continue
		}
		a := v.aliases[o.Base]
		if a == nil {
			a = &alias{of: &storage{now: o.Base, depth: v.depths[o.Base]}}
			v.aliases[o.Base] = a
		}
		if at >= 0 && !writes(n) {
			v.aliases[o] = &alias{a.of, append(slices.Clip(a.steps), step{n, i, at}), a.of.version}
			continue
		}
		// A write: in place, or, where the base is no argument, through out=.
		v.doubt(o.Base)
		if len(a.steps) == 0 {
			a.of.now = o
		} else {
			if a.of.depth < v.depth {
				v.l.fail(n.At, "a condition or loop writes into a view of a tensor from outside of it")
			}
			a.of.now = v.put(n, a, o)
		}
		a.of.version++
		v.aliases[o] = &alias{a.of, a.steps, a.of.version}
		v.aliases[a.of.now] = &alias{of: a.of, version: a.of.version}
		if len(a.steps) == 0 {
			v.aliases[o] = v.aliases[a.of.now]
		}
	}
}

// reads reports whether a value is inside an argument.
func reads(args []graph.Arg, u *graph.Value) bool {
	found := false
	for _, a := range args {
		graph.Operands(a.Value, func(x *graph.Value) { found = found || x == u })
	}
	return found
}

// doubt notes, before a value is written, what else it may be: the result of a
// condition or loop may be a tensor from before it, or a view of one.
func (v *viewer) doubt(u *graph.Value) {
	for ; u != nil; u = u.Base {
		if v.listed[u] { // the tensor that was viewed is in doubt
			v.doubtful[u.Base] = true
		}
		if u.Def == nil || len(u.Def.Regions) == 0 {
			continue
		}
		at := slices.Index(u.Def.Outputs, u)
		from := func(list []graph.Operand, i int) {
			if i < len(list) {
				graph.Operands(list[i], v.doubtOf)
			}
		}
		for _, a := range u.Def.Args {
			if init, ok := a.Value.(graph.List); ok && a.Name == "init" {
				from(init, at)
			}
		}
		for _, r := range u.Def.Regions {
			if u.Def.Op == "loop" {
				from(r.Results, at+1)
			} else {
				from(r.Results, at)
			}
		}
	}
}

// doubtOf marks a value and those whose memory it shares.
func (v *viewer) doubtOf(u *graph.Value) {
	for ; u != nil && !v.doubtful[u]; u = u.Base {
		v.doubtful[u] = true
		v.doubt(u)
	}
}

// put is the base with the elements of o where its alias has them.
func (v *viewer) put(n *graph.Node, a *alias, o *graph.Value) *graph.Value {
	base := a.of.now
	if !base.Type.Ranked || !o.Type.Ranked || base.Type.DType != o.Type.DType {
		v.l.fail(n.At, "it writes into a view whose places in memory are not known")
		return base
	}
	p := v.l.Pool
	size := p.Numel(base.Type.Shape)
	line := v.add(n, "torch.arange", graph.TensorType{DType: dtype.I64, Ranked: true, Shape: symshape.Shape{size}}, graph.Arg{Name: "end", Value: size})
	shape := make(graph.List, len(base.Type.Shape))
	for i, d := range base.Type.Shape {
		shape[i] = d
	}
	places := v.add(n, "torch.reshape", graph.TensorType{DType: dtype.I64, Ranked: true, Shape: base.Type.Shape}, graph.Arg{Name: "self", Value: line}, graph.Arg{Name: "shape", Value: shape})
	places = v.replay(n, a.steps, places)
	t := base.Type
	t.Strides = nil
	return v.add(n, "torch.put", t, graph.Arg{Name: "self", Value: base}, graph.Arg{Name: "index", Value: places}, graph.Arg{Name: "source", Value: o}, graph.Arg{Name: "accumulate", Value: false})
}

// add appends a node with one result, at the place of n.
func (v *viewer) add(n *graph.Node, op string, t graph.TensorType, args ...graph.Arg) *graph.Value {
	o := &graph.Value{Type: t, At: n.At}
	o.Def = &graph.Node{Op: op, Called: op, Args: args, Outputs: []*graph.Value{o}, At: n.At, Module: n.Module, Lib: n.Lib}
	v.nodes = append(v.nodes, o.Def)
	return o
}

// replay takes the same view of another value.
func (v *viewer) replay(n *graph.Node, steps []step, x *graph.Value) *graph.Value {
	for _, s := range steps {
		m := *s.node
		m.Args = slices.Clone(s.node.Args)
		m.Args[s.arg].Value = x
		m.Outputs = make([]*graph.Value, len(s.node.Outputs))
		for i, o := range s.node.Outputs {
			t := o.Type
			t.DType, t.Strides = x.Type.DType, nil
			m.Outputs[i] = &graph.Value{Kind: o.Kind, Type: t, At: n.At, Def: &m}
		}
		v.nodes = append(v.nodes, &m)
		x = m.Outputs[s.out]
	}
	return x
}

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

func (v *viewer) current(u *graph.Value) *graph.Value {
	if len(v.doubtful) > 0 {
		for b := u; b != nil; b = b.Base {
			if v.doubtful[b] {
				v.l.fail(u.At, "this tensor is read after a write into a tensor that may be one of several")
				return u
			}
		}
	}
	a := v.aliases[u]
	if a != nil && a.of.lost && len(a.steps) > 0 {
		v.l.fail(a.steps[0].node.At, "this view is read after a condition or loop wrote into its tensor")
		return u
	}
	if a == nil || a.version == a.of.version {
		return u
	}
	if len(a.steps) == 0 {
		return a.of.now
	}
	if w := v.fresh[u]; w != nil && v.aliases[w].version == a.of.version {
		return w
	}
	w := v.replay(a.steps[0].node, a.steps, a.of.now)
	v.aliases[w] = &alias{a.of, a.steps, a.of.version}
	v.fresh[u] = w
	return w
}
