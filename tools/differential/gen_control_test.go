package differential

// This file makes conditions, loops, scans, sequences and optionals.

import (
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

var controlMakers = []maker{{5, condition}, {6, loop}, {3, scan}, {4, sequence}, {3, fromSequence}, {2, sequenceLoop}, {3, optional},
	{1, sequenceMap}}

// maxDepth bounds bodies within bodies.
const maxDepth = 2

// inside makes the nodes of a body. Its parameters are values with what they are in the first
// trip; names of values around it can be used.
func (b *builder) inside(params []*val, steps int, body func()) *onnx.Graph {
	outer, vals, from, consts := b.graph, b.vals, b.from, b.consts
	g := &onnx.Graph{Name: b.fresh("g")}
	for _, p := range params {
		g.Inputs = append(g.Inputs, &onnx.ValueInfo{Name: p.name, Type: p.t.ONNX()})
	}
	b.graph, b.from = g, len(vals)
	if b.IntN(3) == 0 {
		b.consts = g
	}
	b.vals = append(slices.Clone(vals), params...)
	b.depth++
	for range steps {
		b.step()
	}
	body()
	b.graph, b.vals, b.from, b.consts = outer, vals, from, consts
	b.depth--
	return g
}

// bodyValues lists the values of the body that is being made.
func (b *builder) bodyValues(ok func(*val) bool) *val {
	return b.pick(func(v *val) bool { return ok(v) && slices.Index(b.vals, v) >= b.from })
}

// result adds a result of a body: a value must be of the body itself.
func (b *builder) give(g *onnx.Graph, v *val) {
	if v = b.add("Identity", []*val{v}); v != nil {
		g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: v.name})
	}
}

// control adds a node with bodies: it is typed and computed as a model of its own, whose inputs
// are all values around it.
func (b *builder) control(op string, ins []*val, outs int, attrs ...*onnx.Attr) []*val {
	n := &onnx.Node{Op: op, Attrs: attrs}
	for _, v := range ins {
		name := ""
		if v != nil {
			name = v.name
		}
		n.Inputs = append(n.Inputs, name)
	}
	g := &onnx.Graph{Name: "one", Nodes: []*onnx.Node{n}}
	for range outs {
		name := b.fresh("v")
		n.Outputs = append(n.Outputs, name)
		g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: name})
	}
	used := map[string]bool{}
	namesIn(n, used)
	g.Initializers = b.around(n, used)
	given := map[string]eval.Value{}
	for _, x := range g.Initializers {
		used[x.Name] = false
	}
	var seen []*val
	add := func(v *val) {
		if used[v.name] && given[v.name] == nil {
			given[v.name] = v.v
			seen = append(seen, v)
			g.Inputs = append(g.Inputs, &onnx.ValueInfo{Name: v.name, Type: v.t.ONNX()})
		}
	}
	for _, v := range b.vals {
		add(v)
	}
	for _, v := range ins {
		if v != nil {
			add(v)
		}
	}
	m := &onnx.Model{IRVersion: 10, ProducerName: "shapecheck", Graph: g, Opsets: []onnx.Opset{{Version: opset}}}
	types, err := inference.Run(m, inference.Config{})
	if err != nil || len(types.Errors) > 0 {
		return nil
	}
	v, err := eval.Model(m, given, eval.Config{Limits: small})
	if err != nil {
		return nil
	}
	var list []*inference.Value
	for _, o := range g.Outputs {
		list = append(list, b.foreign(types.Graphs[g][o.Name]))
	}
	return b.made(n, seen, list, v)
}

// around lists the constants that a node names and does not have in its bodies.
func (b *builder) around(n *onnx.Node, used map[string]bool) []*onnx.Tensor {
	within := map[string]bool{}
	initializersIn(n, within)
	var out []*onnx.Tensor
	for _, x := range b.inits {
		if used[x.Name] && !within[x.Name] {
			out = append(out, x)
		}
	}
	return out
}

func initializersIn(n *onnx.Node, names map[string]bool) {
	n.Subgraphs(func(_ string, g *onnx.Graph) {
		for _, x := range g.Initializers {
			names[x.Name] = true
		}
		for _, m := range g.Nodes {
			initializersIn(m, names)
		}
	})
}

// foreign is what the builder's pool knows of a type of another one: numbers.
func (b *builder) foreign(t *inference.Type) *inference.Value {
	if t == nil {
		return nil
	}
	return b.types.ValueOf(b.moved(t), nil)
}

func (b *builder) moved(t *inference.Type) *inference.Type {
	o := *t
	o.Dims = slices.Clone(t.Dims)
	for i, d := range o.Dims {
		o.Dims[i] = nil
		if n, ok := d.Const(); ok {
			o.Dims[i] = b.pool.Const(n)
		} else if x, err := b.pool.Parse(d.String()); err == nil && !slices.ContainsFunc(d.Symbols(), (*symshape.Expr).IsFresh) {
			o.Dims[i] = x
		}
	}
	if t.Of != nil {
		o.Of = b.moved(t.Of)
	}
	return &o
}

// namesIn collects the names that a node and its bodies read.
func namesIn(n *onnx.Node, used map[string]bool) {
	for _, s := range n.Inputs {
		used[s] = true
	}
	n.Subgraphs(func(_ string, g *onnx.Graph) {
		for _, m := range g.Nodes {
			namesIn(m, used)
		}
		for _, o := range g.Outputs {
			used[o.Name] = true
		}
	})
}

// truth gives a bool without dimensions, made of data or constant.
func (b *builder) truth() *val {
	x := b.pick(filled(aNumber))
	if x == nil || b.IntN(6) == 0 {
		return b.number(onnx.Bool, float64(b.IntN(2)))
	}
	s := b.add("ReduceMax", []*val{x}, onnx.IntAttr("keepdims", 0))
	if s == nil || len(s.dims()) > 0 {
		return b.number(onnx.Bool, 1)
	}
	c := b.add("Greater", []*val{s, b.number(x.dtype(), float64(b.IntN(4)))})
	if c == nil {
		return b.number(onnx.Bool, 1)
	}
	return c
}

func condition(b *builder) {
	if b.depth >= maxDepth {
		return
	}
	c := b.truth()
	var like []*val
	sides := make([]*onnx.Graph, 2)
	for range 1 + b.IntN(2) {
		if v := b.pick(anyTensor); v != nil {
			like = append(like, v)
		}
	}
	for i := range sides {
		sides[i] = b.inside(nil, 1+b.IntN(4), func() {
			for _, l := range like {
				v := b.bodyValues(func(v *val) bool { return v.dtype() == l.dtype() && len(v.dims()) == len(l.dims()) })
				if v == nil {
					v = l
				}
				b.give(b.graph, v)
			}
		})
	}
	b.control("If", []*val{c}, len(like), onnx.GraphAttr("then_branch", sides[0]), onnx.GraphAttr("else_branch", sides[1]))
}

// param makes a parameter of a body.
func (b *builder) param(t *inference.Type, v eval.Value) *val {
	return &val{name: b.fresh("p"), t: b.types.ValueOf(t, nil), v: v}
}

// sameType reports whether a value can follow another as a state.
func sameType(a, b *val) bool {
	return a.t.ONNX() != nil && a.dtype() == b.dtype() && slices.Equal(a.dims(), b.dims()) && a.t.Type.String() == b.t.Type.String()
}

func loop(b *builder) {
	if b.depth >= maxDepth {
		return
	}
	var states []*val
	for range b.IntN(3) {
		if v := b.pick(anyTensor); v != nil && v.t.Ranked {
			states = append(states, v)
		}
	}
	iter := b.param(b.pooled(onnx.Int64), eval.Ints([]int64{}, 0))
	cond := b.param(b.pooled(onnx.Bool), &eval.Tensor{DType: onnx.Bool, Dims: []int64{}, I: []int64{1}})
	params := []*val{iter, cond}
	for _, s := range states {
		params = append(params, b.param(s.t.Type, s.v))
	}
	scans := b.IntN(3)
	early := b.IntN(3) == 0
	body := b.inside(params, 1+b.IntN(5), func() {
		go_ := cond
		if early {
			if c := b.add("Less", []*val{iter, b.scalar(int64(b.IntN(3)))}); c != nil {
				go_ = c
			}
		}
		b.give(b.graph, go_)
		for i, s := range states {
			v := b.bodyValues(func(v *val) bool { return v.tensor() != nil && v != params[2+i] && sameType(v, s) })
			if v == nil || b.IntN(8) == 0 {
				v = params[2+i]
			}
			b.give(b.graph, v)
		}
		for range scans {
			if v := b.bodyValues(anyTensor); v != nil {
				b.give(b.graph, v)
			}
		}
	})
	outs := len(body.Outputs) - 1
	if outs < 1 {
		return
	}
	var count, first *val
	if b.IntN(5) > 0 || !early {
		count = b.scalar(int64(b.IntN(5)))
		if x := b.pick(rankAtLeast(1, anyTensor)); x != nil && b.IntN(3) == 0 {
			if n := b.add("Size", []*val{x}); n != nil {
				count = b.add("Min", []*val{n, b.scalar(3)})
			}
		}
	}
	if b.IntN(3) == 0 {
		first = b.truth()
	}
	if count == nil && first == nil && !early {
		return
	}
	b.control("Loop", append([]*val{count, first}, states...), outs, onnx.GraphAttr("body", body))
}

// pooled is the type of a tensor without dimensions.
func (b *builder) pooled(d onnx.DType) *inference.Type {
	return &inference.Type{Kind: onnx.TensorType, Elem: d, Ranked: true}
}

func scan(b *builder) {
	if b.depth >= maxDepth {
		return
	}
	x := b.pick(filled(rankAtLeast(2, aNumber)))
	if x == nil {
		return
	}
	s := b.pick(func(v *val) bool { return aNumber(v) && v.t.Ranked })
	axis := b.IntN(len(x.dims()))
	row := *x.t.Type
	row.Dims = slices.Delete(slices.Clone(row.Dims), axis, axis+1)
	part, err := eval.Run(eval.Input{Nodes: []*onnx.Node{{Op: "Gather", Inputs: []string{"x", "i"}, Outputs: []string{"y"},
		Attrs: []*onnx.Attr{onnx.IntAttr("axis", int64(axis))}}},
		Opsets: []onnx.Opset{{Version: opset}}, Values: map[string]*eval.Tensor{"x": x.tensor(), "i": eval.Ints([]int64{}, 0)},
		Outputs: []string{"y"}})
	if err != nil {
		return
	}
	params := []*val{b.param(s.t.Type, s.v), b.param(&row, part[0])}
	body := b.inside(params, 1+b.IntN(4), func() {
		v := b.bodyValues(func(v *val) bool { return v.tensor() != nil && v != params[0] && sameType(v, s) })
		if v == nil {
			v = params[0]
		}
		b.give(b.graph, v)
		if v := b.bodyValues(anyTensor); v != nil {
			b.give(b.graph, v)
		}
	})
	b.control("Scan", []*val{s, x}, len(body.Outputs), onnx.GraphAttr("body", body), onnx.IntAttr("num_scan_inputs", 1),
		onnx.IntsAttr("scan_input_axes", int64(axis)),
		onnx.IntsAttr("scan_input_directions", int64(b.IntN(2))))
}

func aSequence(v *val) bool { _, ok := v.v.(*eval.Sequence); return ok }

func sequence(b *builder) {
	x := b.pick(anyTensor)
	if x == nil {
		return
	}
	switch b.IntN(4) {
	case 0:
		b.add("SequenceEmpty", nil, onnx.IntAttr("dtype", int64(x.dtype())))
	case 1:
		if len(x.dims()) > 0 {
			b.add("SplitToSequence", []*val{x}, onnx.IntAttr("axis", b.axis(x)), onnx.IntAttr("keepdims", int64(b.IntN(2))))
		}
	default:
		ins := []*val{x}
		for range b.IntN(3) {
			if y := b.pick(func(v *val) bool { return v.dtype() == x.dtype() && len(v.dims()) == len(x.dims()) }); y != nil {
				ins = append(ins, y)
			}
		}
		b.add("SequenceConstruct", ins)
	}
}

func fromSequence(b *builder) {
	s := b.pick(aSequence)
	if s == nil {
		return
	}
	n := int64(len(s.v.(*eval.Sequence).Items))
	switch b.IntN(6) {
	case 0:
		b.add("SequenceLength", []*val{s})
	case 1:
		if n > 0 {
			b.add("SequenceErase", []*val{s, b.scalar(b.Int64N(n))})
		}
	case 2:
		if n > 0 {
			b.add("ConcatFromSequence", []*val{s}, onnx.IntAttr("axis", 0), onnx.IntAttr("new_axis", int64(b.IntN(2))))
		}
	case 3:
		x := b.pick(anyTensor)
		ins := []*val{s, x}
		if b.IntN(2) == 0 {
			ins = append(ins, b.scalar(-b.Int64N(n+1)))
		}
		b.add("SequenceInsert", ins)
	default:
		if n > 0 {
			b.add("SequenceAt", []*val{s, b.scalar(b.Int64N(n) - n*int64(b.IntN(2)))})
		}
	}
}

// sequenceLoop appends to a sequence in a loop; the sequence around it must stay as it is.
func sequenceLoop(b *builder) {
	s := b.pick(func(v *val) bool { return aSequence(v) && v.t.ONNX() != nil })
	if s == nil || b.depth >= maxDepth {
		return
	}
	iter := b.param(b.pooled(onnx.Int64), eval.Ints([]int64{}, 0))
	cond := b.param(b.pooled(onnx.Bool), &eval.Tensor{DType: onnx.Bool, Dims: []int64{}, I: []int64{1}})
	state := b.param(s.t.Type, s.v)
	body := b.inside([]*val{iter, cond, state}, b.IntN(3), func() {
		b.give(b.graph, cond)
		next := state
		if x := b.pick(anyTensor); x != nil {
			if y := b.add("SequenceInsert", []*val{state, x}); y != nil {
				next = y
			}
		}
		b.give(b.graph, next)
	})
	if len(body.Outputs) == 2 {
		b.control("Loop", []*val{b.scalar(int64(b.IntN(4))), nil, s}, 1, onnx.GraphAttr("body", body))
	}
}

func optional(b *builder) {
	if o := b.pick(func(v *val) bool { _, ok := v.v.(*eval.Optional); return ok }); o != nil && b.IntN(3) > 0 {
		b.add([]string{"OptionalHasElement", "OptionalGetElement"}[b.IntN(2)], []*val{o})
		return
	}
	x := b.pick(func(v *val) bool { return anyTensor(v) || aSequence(v) })
	if x == nil {
		return
	}
	if b.IntN(4) == 0 {
		if t := x.t.ONNX(); t != nil {
			b.add("Optional", nil, &onnx.Attr{Name: "type", Type: onnx.AttrTypeProto, TypeProto: t})
		}
		return
	}
	b.add("Optional", []*val{x})
}

func sequenceMap(b *builder) {
	s := b.pick(func(v *val) bool {
		q, ok := v.v.(*eval.Sequence)
		return ok && len(q.Items) > 0 && v.t.ONNX() != nil
	})
	if s == nil || b.depth >= maxDepth {
		return
	}
	item := b.param(s.t.Type.Of, s.v.(*eval.Sequence).Items[0])
	body := b.inside([]*val{item}, 1+b.IntN(3), func() {
		if v := b.bodyValues(anyTensor); v != nil {
			b.give(b.graph, v)
		}
	})
	if len(body.Outputs) == 1 {
		b.control("SequenceMap", []*val{s}, 1, onnx.GraphAttr("body", body))
	}
}
