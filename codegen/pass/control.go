package pass

// This file takes conditions and loops apart whose way is known, and makes bodies of loops
// smaller.
//
// The pass runs until nothing changes: an arm that is put in its place may have further
// conditions, and a loop without a state may have one trip. Each change makes the module smaller,
// or replaces a loop by at most maxUnrolledNodes nodes, so it ends.
//
// What a loop is follows ONNX: operands are the number of trips, the condition and the states;
// the body's parameters are the trip number, the condition and the states, its results the
// condition, the states and one row of each scan output. Captured values are explicit here: they
// are further operands of the node and further parameters of its bodies, at the end.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/sched"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// Limits of unrolling: the trips of a loop, and the nodes that all its trips have together.
const (
	maxUnrolled      = 16
	maxUnrolledNodes = 256
)

var control = Pass{
	Name: "control", Doc: "If with a known condition becomes its arm; loops lose states that do not change, what every trip computes alike, and short ones their trips", Class: Exact,
	After: []string{"loops", "sizes"},
	Run: func(c *Context) error {
		for again := true; again; {
			again = false
			var err error
			c.Module.Walk(func(g *ir.Graph) {
				for _, n := range slices.Clone(g.Nodes) {
					if err != nil || n.Graph != g || n.Op.Domain != "" {
						continue
					}
					did := false
					switch n.Op.Name {
					case "If":
						did, err = c.knownArm(g, n)
					case "Loop":
						did, err = c.simplerLoop(g, n)
					}
					again = again || did
				}
			})
			if err != nil {
				return err
			}
		}
		return nil
	},
}

// flag is the known value of a truth value; known is false when it is not. Only a constant is
// known; nothing is inferred here, as fold has run before.
func flag(v *ir.Value) (yes, known bool) {
	if v == nil || v.Const == nil || v.Const.Tensor.DType != onnx.Bool {
		return false, false
	}
	list, err := v.Const.Tensor.Ints()
	if err != nil || len(list) != 1 {
		return false, false
	}
	return list[0] != 0, true
}

// knownArm puts the arm of an If whose condition is known in its place. The results' types may be
// wider than the arm's, because they were joined from both; the arm's must cover them, otherwise
// a symbol that only the If binds would be lost.
func (c *Context) knownArm(g *ir.Graph, n *ir.Node) (bool, error) {
	yes, known := flag(n.Ins[0])
	if !known {
		return false, nil
	}
	arm := n.Graphs[1]
	if yes {
		arm = n.Graphs[0]
	}
	for i, r := range arm.Results {
		if v := n.Outs[i]; v != nil && !c.binds(n) && !covers(r, v) {
			return false, nil // sizes are known to be those of the other arm, too, and only so
		}
	}
	if c.binds(n) && c.bindsWithin(n) || !c.Allow("known-condition", Exact) {
		return false, nil
	}
	return true, c.inline(g, n, arm, n.Ins[len(n.Ins)-n.Captured:], n.Outs)
}

// bindsWithin reports whether nodes of a node's bodies bind symbols, or parameters do. Copying
// such nodes would bind a symbol twice.
func (c *Context) bindsWithin(n *ir.Node) bool {
	within := map[*ir.Graph]bool{}
	var walk func(*ir.Node)
	walk = func(n *ir.Node) {
		for _, g := range n.Graphs {
			within[g] = true
			for _, m := range g.Nodes {
				walk(m)
			}
		}
	}
	walk(n)
	return slices.ContainsFunc(c.Module.Syms, func(s ir.Symbol) bool {
		return s.Node != nil && within[s.Node.Graph] || s.Param != nil && within[s.Param.Param]
	})
}

// inline copies the nodes of a body before a node, with values for its parameters, and
// lets the body's results stand for others; then the node goes. Where a result of the body has
// another type than the value it stands for, an Identity in between keeps the type and the symbol
// that it binds.
func (c *Context) inline(g *ir.Graph, n *ir.Node, body *ir.Graph, ins, outs []*ir.Value) error {
	results := c.copyBody(g, n, body, ins)
	for i, v := range outs {
		if v == nil || len(v.Uses) == 0 {
			continue
		}
		r := results[i]
		if !covers(r, v) { // the sizes that the arm knows are those that the node bound
			r = c.renamed(g, n, r, v)
		}
		if r.Name == "" {
			r.Name = v.Name
		}
		v.ReplaceUses(r)
	}
	c.Module.RemoveNode(n)
	return nil
}

// renamed makes a value of the same elements whose type is another value's.
func (c *Context) renamed(g *ir.Graph, before *ir.Node, v, like *ir.Value) *ir.Value {
	rec := c.record("", "Identity")
	spec := ir.Spec{Op: rec, Attr: rec.Schema.Default(), Ins: []*ir.Value{v}, Types: typesOf(like), From: ir.Union(c.pass.Name, before.From)}
	n := c.Module.AddNode(g, before, spec)
	return n.Outs[0]
}

// copyBody copies the nodes of a body before a node and gives what stands for its results. A
// result that is neither a parameter nor made in the body is a constant, which all graphs share.
func (c *Context) copyBody(g *ir.Graph, before *ir.Node, body *ir.Graph, ins []*ir.Value) []*ir.Value {
	at := map[*ir.Value]*ir.Value{}
	for i, p := range body.Params {
		at[p] = ins[i]
	}
	var from ir.Origin
	if before != nil {
		from = before.From
	}
	c.copyNodes(g, before, body, at, from)
	out := make([]*ir.Value, len(body.Results))
	for i, r := range body.Results {
		out[i] = r
		if w := at[r]; w != nil {
			out[i] = w
		}
	}
	return out
}

// copyNodes copies the nodes of body into g before a node, with their graphs. at maps values of the body
// to those of the copy and is extended by each result; other values are shared. The origin of each copy
// names the pass. It is recursive for bodies of the copied nodes, whose parameters get new values
// too.
func (c *Context) copyNodes(g *ir.Graph, before *ir.Node, body *ir.Graph, at map[*ir.Value]*ir.Value, from ir.Origin) {
	find := func(v *ir.Value) *ir.Value {
		if w := at[v]; v != nil && w != nil {
			return w
		}
		return v
	}
	for _, n := range body.Nodes {
		spec := ir.Spec{Op: n.Op, Attr: n.Attr, Captured: n.Captured, From: ir.Union(c.pass.Name, n.From, from)}
		for _, v := range n.Ins {
			spec.Ins = append(spec.Ins, find(v))
		}
		for _, v := range n.Outs {
			spec.Want = append(spec.Want, v != nil)
			if v == nil {
				spec.Types = append(spec.Types, inference.Type{})
				continue
			}
			spec.Types = append(spec.Types, v.Type)
		}
		if len(n.Graphs) == 0 && n.Op.Domain != isa.MachineDomain {
			c.rank(&spec)
		}
		for _, sub := range n.Graphs {
			k := c.Module.NewGraph()
			for _, p := range sub.Params {
				q := c.Module.AddParam(k, p.Name, p.Type)
				q.Elems = p.Elems
				at[p] = q
			}
			c.copyNodes(k, nil, sub, at, ir.Origin{})
			for _, r := range sub.Results {
				k.AddResult(find(r))
			}
			spec.Graphs = append(spec.Graphs, k)
		}
		m := c.Module.AddNode(g, before, spec)
		for i, v := range n.Outs {
			if v != nil {
				w := m.Outs[i]
				w.Name, w.Elems = v.Name, slices.Clone(v.Elems)
				at[v] = w
			}
		}
	}
}

// rank infers the types of a copied node again where one has no rank: the new operands may have
// one. Only types without a rank are replaced: others are as good as what inference would say,
// and have names for their sizes. An inference that reports a fault changes nothing.
func (c *Context) rank(spec *ir.Spec) {
	open := func(t inference.Type) bool { return t.Kind == onnx.TensorType && !t.Ranked }
	if !slices.ContainsFunc(spec.Types, open) {
		return
	}
	ask := &inference.Node{Op: spec.Op.Schema, Attrs: spec.Attr, Outs: len(spec.Types)}
	for _, v := range spec.Ins {
		ask.Ins = append(ask.Ins, c.info(v))
	}
	vals, errs := c.session().Infer(ask)
	for i := range spec.Types {
		if len(errs) == 0 && open(spec.Types[i]) && vals[i] != nil && vals[i].Type != nil {
			spec.Types[i] = *vals[i].Type
		}
	}
}

// simplerLoop does one thing to a loop, if it can. The order is from the largest effect to the
// smallest: no trips, unrolling, states that never change, and at the end nodes that each trip
// computes alike. true says that something has changed and the loop may be gone.
func (c *Context) simplerLoop(g *ir.Graph, n *ir.Node) (bool, error) {
	body := n.Graphs[0]
	states := len(body.Params) - 2 - n.Captured
	if trips, known := c.trips(n); known {
		if trips == 0 {
			return c.noTrips(g, n, states)
		}
		if did, err := c.unroll(g, n, states, trips); did || err != nil {
			return did, err
		}
	}
	for k := range states {
		p, init, y := body.Params[2+k], n.Ins[2+k], n.Outs[k]
		if body.Results[1+k] != p || !covers(init, p) || y != nil && !covers(init, y) || len(n.Outs) == 1 && (y == nil || len(y.Uses) == 0) {
			continue // also the only result of a dead loop: a loop has one
		}
		if c.Allow("unchanged-state", Exact) {
			c.dropState(n, k)
			return true, nil
		}
	}
	return c.hoist(g, n), nil
}

// trips is the number of trips of a loop, when it is known. A condition that is constant and
// false gives 0 trips, and a body that ends itself at once gives 1. A condition that the body
// computes leaves the number unknown, whatever M says, as M is only an upper bound then.
func (c *Context) trips(n *ir.Node) (int64, bool) {
	if yes, known := flag(n.Ins[1]); known && !yes {
		return 0, true
	} else if n.Ins[1] != nil && !known {
		return 0, false
	}
	if n.Ins[0] == nil {
		return 0, false
	}
	count, known := oneInt(n.Ins[0])
	if !known {
		return 0, false
	}
	if count <= 0 {
		return 0, true
	}
	body := n.Graphs[0]
	yes, known := flag(body.Results[0])
	switch {
	case known && yes, body.Results[0] == body.Params[1]: // what a body is told is that it goes on
		return count, true
	case known:
		return 1, true
	}
	return 0, false
}

// noTrips replaces a loop that does nothing. States pass through. Scan outputs have no rows; they
// become constants when their sizes are known and have no elements. The error is of making a
// constant.
func (c *Context) noTrips(g *ir.Graph, n *ir.Node, states int) (bool, error) {
	outs := make([]*ir.Value, len(n.Outs))
	for i, v := range n.Outs {
		if v == nil || len(v.Uses) == 0 {
			continue
		}
		if i < states {
			if !covers(n.Ins[2+i], v) {
				return false, nil
			}
			outs[i] = n.Ins[2+i]
			continue
		}
		if size, ok := bytesOf(v); !ok || size != 0 {
			return false, nil
		}
	}
	if c.binds(n) || !c.Allow("no-trips", Exact) {
		return false, nil
	}
	for i, v := range n.Outs {
		if v == nil || len(v.Uses) == 0 {
			continue
		}
		if outs[i] == nil {
			dims := make([]int64, len(v.Type.Dims))
			for k, d := range v.Type.Dims {
				dims[k], _ = d.Const()
			}
			var err error
			if outs[i], err = c.Module.AddConst(v.Name, &onnx.Tensor{DType: v.Type.Elem, Dims: dims, HasRaw: true}); err != nil {
				return false, err
			}
		}
		v.ReplaceUses(outs[i])
	}
	c.Module.RemoveNode(n)
	return true, nil
}

// unroll writes the trips of a short loop one after the other. The trip number becomes a constant
// in each copy, so that folding goes on from there. Scan outputs become a Concat of the trips'
// rows, each viewed with a leading axis of 1. It is left when the types of the states change from
// trip to trip, when a node in the body has an effect that must not be doubled, or above the
// limits.
func (c *Context) unroll(g *ir.Graph, n *ir.Node, states int, trips int64) (bool, error) {
	body := n.Graphs[0]
	if trips > maxUnrolled || trips*int64(nodesWithin(n)) > maxUnrolledNodes || c.binds(n) || c.bindsWithin(n) || trips > 1 &&
		sched.Effect(n) {
		return false, nil
	}
	for k := range states { // each trip's types are those of the first
		if !covers(n.Ins[2+k], body.Params[2+k]) || !covers(body.Results[1+k], body.Params[2+k]) || n.Outs[k] != nil &&
			!covers(body.Results[1+k], n.Outs[k]) {
			return false, nil
		}
	}
	for k, v := range n.Outs[states:] {
		if r := body.Results[1+states+k]; v != nil && (!r.Type.Ranked || !v.Type.Ranked) {
			return false, nil
		}
	}
	if !c.Allow("unrolled", Exact) {
		return false, nil
	}
	state := slices.Clone(n.Ins[2 : 2+states])
	captured := n.Ins[len(n.Ins)-n.Captured:]
	rows := make([][]*ir.Value, len(n.Outs)-states)
	yes, err := c.Module.AddConst("", &onnx.Tensor{DType: onnx.Bool, Dims: []int64{}, Raw: []byte{1}, HasRaw: true})
	if err != nil {
		return false, err
	}
	for i := range trips {
		at, err := c.Module.AddConst("", onnx.NewInts([]int64{}, i))
		if err != nil {
			return false, err
		}
		res := c.copyBody(g, n, body, slices.Concat([]*ir.Value{at, yes}, state, captured))
		state = res[1 : 1+states]
		for k := range rows {
			rows[k] = append(rows[k], res[1+states+k])
		}
	}
	for k, v := range n.Outs {
		switch {
		case v == nil || len(v.Uses) == 0:
		case k < states:
			v.ReplaceUses(state[k])
		default:
			list := rows[k-states]
			for i, r := range list {
				list[i] = c.view(g, n, r, append([]*symshape.Expr{c.Module.Pool.Const(1)}, r.Type.Dims...))
			}
			w, err := c.like(g, n, "Concat", v, n.From, list, onnx.IntAttr("axis", 0))
			if err != nil {
				return false, err
			}
			w[0].Name = v.Name
			v.ReplaceUses(w[0])
		}
	}
	c.Module.RemoveNode(n)
	return true, nil
}

// nodesWithin counts the nodes of a node's bodies.
func nodesWithin(n *ir.Node) int {
	count := 1
	for _, g := range n.Graphs {
		for _, m := range g.Nodes {
			count += nodesWithin(m)
		}
	}
	return count
}

// dropState makes a state that keeps its value something that the body captures. The only result
// of a loop stays, without uses. The body reads the initial value as a captured one instead, or
// directly where it is constant.
func (c *Context) dropState(n *ir.Node, k int) {
	if v := n.Outs[k]; v != nil && len(n.Outs) == 1 {
		v.ReplaceUses(n.Ins[2+k])
		return
	}
	body, init := n.Graphs[0], n.Ins[2+k]
	body.RemoveResult(1 + k)
	p := body.Params[2+k]
	if init.Const != nil {
		p.ReplaceUses(init)
	} else {
		p.ReplaceUses(c.captureIn(n, init))
	}
	body.RemoveParam(2 + k)
	n.SetInputs(slices.Delete(slices.Clone(n.Ins), 2+k, 3+k))
	if v := n.Outs[k]; v != nil {
		v.ReplaceUses(init)
	}
	n.RemoveOutput(k)
}

// captureIn gives all bodies of a node a value of the outside, and gives the first body's
// parameter. It keeps the invariant that operands at the end of the node and parameters at the
// end of each body are the captured values, in the same order.
func (c *Context) captureIn(n *ir.Node, v *ir.Value) *ir.Value {
	var first *ir.Value
	for _, g := range n.Graphs {
		p := c.Module.AddParam(g, v.Name, v.Type)
		p.Elems = v.Elems
		if first == nil {
			first = p
		}
	}
	n.AddInput(v)
	n.Captured++
	return first
}

// hoist moves a node out of a loop that every trip computes alike. It must not be able to
// fail, as the loop may have no trips at all. It takes one node at a time, the first whose
// operands are all captured or constant; the next call finds those that depend on it. Its result
// is captured in turn.
func (c *Context) hoist(g *ir.Graph, n *ir.Node) bool {
	body := n.Graphs[0]
	fixed := len(body.Params) - n.Captured
	outside := func(v *ir.Value) *ir.Value {
		if v != nil && v.Const == nil {
			return n.Ins[len(n.Ins)-n.Captured+v.Index-fixed]
		}
		return v
	}
	for _, m := range body.Nodes {
		if slices.ContainsFunc(m.Ins, func(v *ir.Value) bool { return v != nil && v.Const == nil && (v.Param != body || v.Index < fixed) }) ||
			len(m.Outs) != 1 || len(m.Ins) == 0 || c.binds(m) || !cannotFail(m) || c.inTrip(m, body) || !c.Allow("invariant", Exact) {
			continue
		}
		spec := ir.Spec{Op: m.Op, Attr: m.Attr, Types: typesOf(m.Outs...), From: ir.Union(c.pass.Name, m.From)}
		for _, v := range m.Ins {
			spec.Ins = append(spec.Ins, outside(v))
		}
		w := c.Module.AddNode(g, n, spec).Outs[0]
		v := m.Outs[0]
		w.Name, w.Elems = v.Name, v.Elems
		v.ReplaceUses(c.captureIn(n, w))
		c.Module.RemoveNode(m)
		return true
	}
	return false
}

// inTrip reports whether a node's sizes have symbols that the trips of a body bind. Outside of
// the loop such a symbol has no value.
func (c *Context) inTrip(m *ir.Node, body *ir.Graph) bool {
	for _, list := range [][]*symshape.Expr{m.Outs[0].Type.Dims, m.Outs[0].Elems} {
		for _, d := range list {
			if d == nil {
				continue
			}
			for _, x := range d.Symbols() {
				if slices.ContainsFunc(c.Module.Syms, func(s ir.Symbol) bool {
					return s.Expr == x && (s.Param != nil && s.Param.Param == body || s.Node != nil && s.Node.Graph == body)
				}) {
					return true
				}
			}
		}
	}
	return false
}

// cannotFail reports whether a node gives results whatever its operands are: functions of
// one element, of several of the same sizes or with single numbers, and transposes. Operators
// that may refuse their operands at run time (indices out of range, sizes that do not fit) must
// stay inside, because a loop without trips would never have asked.
func cannotFail(n *ir.Node) bool {
	y := n.Outs[0]
	if n.Op.Traits&ir.Pure == 0 || n.Op.Opcode == isa.Sizes || len(n.Graphs) > 0 || !y.Type.Ranked {
		return false
	}
	if n.Op.Name == "Transpose" && n.Op.Domain == "" {
		return true
	}
	if n.Op.Traits&ir.Pointwise == 0 {
		return false
	}
	for _, v := range n.Ins {
		if v == nil {
			continue
		}
		if !v.Type.Ranked || !slices.Equal(v.Type.Dims, y.Type.Dims) &&
			slices.ContainsFunc(v.Type.Dims, func(d *symshape.Expr) bool { return !d.IsConst(1) }) {
			return false
		}
	}
	return true
}
