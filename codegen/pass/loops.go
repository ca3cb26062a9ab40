package pass

// This file writes Scan and SequenceMap as Loops.
//
// Later passes and the machine then know one kind of loop. A Scan of n inputs has as many trips
// as their axis is long, so its Loop has a trip count and no condition of its own. What the body
// takes from the outside stays captured; scanned inputs are captured as wholes, and each trip
// gathers its slice. A SequenceMap has states that are sequences, to which each trip inserts one
// tensor at the end.

import (
	"fmt"
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/op"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

var loops = Pass{
	Name: "loops", Doc: "writes Scan and SequenceMap as Loop", Class: Exact, Always: true,
	Run: func(c *Context) error {
		var err error
		c.Module.Walk(func(g *ir.Graph) {
			for _, n := range slices.Clone(g.Nodes) {
				switch {
				case err != nil || n.Op.Domain != "":
				case n.Op.Name == "Scan":
					err = c.scan(g, n)
				case n.Op.Name == "SequenceMap":
					err = c.sequenceMap(g, n)
				}
			}
		})
		return err
	},
}

// A trip is a Loop that is being made from another node with a body. ins are the Loop's operands:
// trips, no condition, the states, and then the captured values in the order of the body's last
// parameters. err is the first error of making a node, so that its users need not ask after each.
type trip struct {
	*Context
	n    *ir.Node // the old node
	g    *ir.Graph
	old  *ir.Graph // its body
	body *ir.Graph // the Loop's
	i    *ir.Value // the number of the trip
	ins  []*ir.Value
	err  error
}

// newTrip begins a Loop of some trips whose body has the states, then what the old body
// captures. Parameters that stood for the states in the old body are replaced by the new body's.
func (c *Context) newTrip(g *ir.Graph, n *ir.Node, trips *ir.Value, inits, states []*ir.Value) *trip {
	m := c.Module
	t := &trip{Context: c, n: n, g: g, old: n.Graphs[0], body: m.NewGraph()}
	scalar := func(d onnx.DType) inference.Type {
		return inference.Type{Kind: onnx.TensorType, Elem: d, Ranked: true}
	}
	t.i = m.AddParam(t.body, "", scalar(onnx.Int64))
	m.AddParam(t.body, "", scalar(onnx.Bool))
	t.ins = append([]*ir.Value{trips, nil}, inits...)
	for _, s := range states {
		p := m.AddParam(t.body, s.Name, s.Type)
		s.ReplaceUses(p)
	}
	return t
}

// capture gives the body a value of the outside; a constant is itself.
func (t *trip) capture(v *ir.Value) *ir.Value {
	if v.Const != nil {
		return v
	}
	t.ins = append(t.ins, v)
	return t.Module.AddParam(t.body, v.Name, v.Type)
}

// end makes the Loop: results of the old body that are states, then those that are
// joined. Types are those of the Loop's results. The body's condition is constant true. The old
// body is dropped, and its nodes have been moved to the new one.
func (t *trip) end(captured int, results []*ir.Value, types []inference.Type) (*ir.Node, error) {
	yes, err := t.Module.AddConst("", &onnx.Tensor{DType: onnx.Bool, Dims: []int64{}, Raw: []byte{1}, HasRaw: true})
	if err != nil {
		return nil, err
	}
	t.body.AddResult(yes)
	for _, v := range results {
		t.body.AddResult(v)
	}
	t.old.Drop()
	rec := op.Lookup("", "Loop")
	attr, err := rec.Schema.DecodeClosed(&onnx.Node{Op: "Loop"})
	if err != nil {
		return nil, err
	}
	return t.Module.AddNode(t.g, t.n, ir.Spec{Op: rec, Ins: t.ins, Attr: attr, Graphs: []*ir.Graph{t.body}, Captured: captured, Types: types,
		From: ir.Union(t.pass.Name, t.n.From)}), nil
}

// one is the only result of a node that Make made.
func (t *trip) one(n *ir.Node, err error) *ir.Value {
	if err != nil {
		if t.err == nil {
			t.err = err
		}
		return nil
	}
	return n.Outs[0]
}

// scan writes a Scan as a Loop that gathers a slice of each input in each trip. Inputs
// that are gone through backwards are gathered from their end; results that are joined
// backwards, or along another axis than the first, are turned afterwards. Gather's index is the
// trip number, or length - 1 - number for the direction 1. Results of a Loop are joined along a
// new first axis, as Scan's are by default. An error says that the numbers of inputs are wrong or
// that a scanned input has no rank, which inference has refused before.
func (c *Context) scan(g *ir.Graph, n *ir.Node) error {
	count := int(n.Attr.Int("num_scan_inputs"))
	given := len(n.Ins) - n.Captured
	states := given - count
	if states < 0 || count < 1 {
		return fmt.Errorf("a Scan has %d inputs, and %d of them are gone through", given, count)
	}
	at := func(name string, i int) int64 {
		if list := n.Attr.Ints(name); i < len(list) {
			return list[i]
		}
		return 0
	}
	axis := func(name string, i, rank int) int64 {
		a := at(name, i)
		if a < 0 {
			a += int64(rank)
		}
		return a
	}
	first := n.Ins[states]
	if !first.Type.Ranked {
		return fmt.Errorf("the input of a Scan has no known rank")
	}
	length := first.Type.Dims[axis("scan_input_axes", 0, len(first.Type.Dims))]
	trips, err := c.SizesOf(g, n, n.From, true, length)
	if err != nil {
		return err
	}
	old := n.Graphs[0]
	outer := slices.Clone(n.Ins[given:])
	t := c.newTrip(g, n, trips, slices.Clone(n.Ins[:states]), old.Params[:states])
	captured := 0
	for k, v := range outer {
		old.Params[given+k].ReplaceUses(t.capture(v))
		captured++
	}
	for j := range count {
		x := n.Ins[states+j]
		a := axis("scan_input_axes", j, len(x.Type.Dims))
		if x.Const == nil {
			captured++
		}
		in := t.capture(x)
		index := t.i
		if at("scan_input_directions", j) == 1 {
			last, err := c.SizesOf(t.body, nil, n.From, true, c.Module.Pool.AddConst(length, -1))
			if err != nil {
				return err
			}
			index = t.one(c.Make(t.body, nil, "Sub", 1, n.From, []*ir.Value{last, t.i}))
		}
		if t.err == nil {
			old.Params[states+j].ReplaceUses(t.one(c.MakeAs(t.body, nil, "Gather", old.Params[states+j].Type, n.From, []*ir.Value{in, index},
				onnx.IntAttr("axis", a))))
		}
	}
	if t.err != nil {
		return t.err
	}
	t.body.TakeNodes(old)
	var types []inference.Type
	for k, v := range old.Results {
		ty := v.Type
		if k < states {
			ty = n.Ins[k].Type
			if o := n.Outs[k]; o != nil {
				ty = o.Type
			}
		} else if ty.Ranked {
			ty.Dims = append([]*symshape.Expr{length}, ty.Dims...)
			if o := n.Outs[k]; o != nil && o.Type.Ranked { // whose sizes are those outside of the body
				a := axis("scan_output_axes", k-states, len(o.Type.Dims))
				others := slices.Delete(slices.Clone(o.Type.Dims), int(a), int(a)+1)
				ty.Dims = append([]*symshape.Expr{length}, others...)
			}
		}
		types = append(types, ty)
	}
	loop, err := t.end(captured, slices.Clone(old.Results), types)
	if err != nil {
		return err
	}
	for k, o := range n.Outs {
		if o == nil {
			continue
		}
		v := loop.Outs[k]
		if k >= states {
			if v, err = c.turn(g, n, v, at("scan_output_directions", k-states) == 1,
				axis("scan_output_axes", k-states, len(v.Type.Dims))); err != nil {
				return err
			}
		}
		v.Name = o.Name
		o.ReplaceUses(v)
	}
	c.Module.RemoveNode(n)
	return nil
}

// turn reverses a value along its first axis, if asked to, and moves that axis. The slice has the
// start -1, an end that is before the first element whatever the size, and the step -1.
func (c *Context) turn(g *ir.Graph, n *ir.Node, v *ir.Value, reverse bool, axis int64) (*ir.Value, error) {
	if reverse {
		var list []*ir.Value
		for _, x := range []int64{-1, -1 << 62, 0, -1} { // starts, ends, axes, steps
			k, err := c.Module.AddConst("", onnx.NewInts([]int64{1}, x))
			if err != nil {
				return nil, err
			}
			list = append(list, k)
		}
		m, err := c.MakeAs(g, n, "Slice", v.Type, n.From, append([]*ir.Value{v}, list...))
		if err != nil {
			return nil, err
		}
		v = m.Outs[0]
	}
	if axis != 0 {
		perm := make([]int64, 0, len(v.Type.Dims))
		for i := range v.Type.Dims {
			switch k := int64(i); {
			case k < axis:
				perm = append(perm, k+1)
			case k == axis:
				perm = append(perm, 0)
			default:
				perm = append(perm, k)
			}
		}
		m, err := c.Make(g, n, "Transpose", 1, n.From, []*ir.Value{v}, onnx.IntsAttr("perm", perm...))
		if err != nil {
			return nil, err
		}
		v = m.Outs[0]
	}
	return v, nil
}

// sequenceMap writes a SequenceMap as a Loop over the places of its first sequence, whose
// states are the sequences that it makes. Inputs that are no sequences go to each trip as they
// are. The placeholder parameter of a graph of its own stands for the state until newTrip
// replaces it. Only bodies that make tensors are written; an error names the type of another.
func (c *Context) sequenceMap(g *ir.Graph, n *ir.Node) error {
	given := len(n.Ins) - n.Captured
	old := n.Graphs[0]
	length, err := c.Make(g, n, "SequenceLength", 1, n.From, []*ir.Value{n.Ins[0]})
	if err != nil {
		return err
	}
	var inits, states []*ir.Value
	for _, r := range old.Results {
		if r.Type.Kind != onnx.TensorType {
			return fmt.Errorf("the body of a SequenceMap makes %s, and not tensors", &r.Type)
		}
		e, err := c.Make(g, n, "SequenceEmpty", 1, n.From, nil, onnx.IntAttr("dtype", int64(r.Type.Elem)))
		if err != nil {
			return err
		}
		inits = append(inits, e.Outs[0])
		states = append(states, c.Module.AddParam(c.Module.NewGraph(), "", e.Outs[0].Type)) // stands for the state until the body has it
	}
	t := c.newTrip(g, n, length.Outs[0], inits, states)
	captured := 0
	for k, v := range n.Ins[given:] {
		old.Params[given+k].ReplaceUses(t.capture(v))
		captured++
	}
	for j, x := range slices.Clone(n.Ins[:given]) {
		in := t.capture(x)
		if x.Const == nil {
			captured++
		}
		p := old.Params[j]
		if x.Type.Kind == onnx.SequenceType {
			in = t.one(c.MakeAs(t.body, nil, "SequenceAt", p.Type, n.From, []*ir.Value{in, t.i}))
		}
		if t.err != nil {
			return t.err
		}
		p.ReplaceUses(in)
	}
	t.body.TakeNodes(old)
	var grown []*ir.Value
	var types []inference.Type
	for k, r := range old.Results {
		of := inference.Type{Kind: onnx.TensorType, Elem: r.Type.Elem}
		seq := inference.Type{Kind: onnx.SequenceType, Of: &of}
		grown = append(grown, t.one(c.MakeAs(t.body, nil, "SequenceInsert", seq, n.From, []*ir.Value{t.body.Params[2+k], r})))
		types = append(types, seq)
	}
	if t.err != nil {
		return t.err
	}
	loop, err := t.end(captured, grown, types)
	if err != nil {
		return err
	}
	for k, o := range n.Outs {
		if o != nil {
			loop.Outs[k].Name = o.Name
			o.ReplaceUses(loop.Outs[k])
		}
	}
	c.Module.RemoveNode(n)
	return nil
}
