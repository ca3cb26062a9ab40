package pass

// This file holds the rules of slices, gathers, joins and broadcasting.
//
// Each rule removes a movement of elements, or replaces it by one that costs less: by a view, by
// one slice instead of two, by reading a constant. They need sizes, which are expressions here:
// equality of two sizes is identity of their pointers, as the pool interns them.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

var moveRules = []Rule{
	{Name: "fill", Ops: []string{"ConstantOfShape"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if !n.Outs[0].Type.Ranked || c.binds(n) || !ok() {
			return nil, nil
		}
		t := n.Attr.Tensor("value")
		if t == nil {
			var err error
			if t, err = onnx.NewFloats(onnx.Float, []int64{1}, []float64{0}); err != nil {
				return nil, err
			}
		}
		v, err := c.Module.AddConst("", t)
		if err != nil {
			return nil, err
		}
		return []*ir.Value{c.machine(g, n, "fill", n.Outs[0], v)}, nil
	}},
	{Name: "slice-of-slice", Ops: []string{"Slice"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		d := defOf(n.Ins[0], "Slice")
		if d == nil || !n.Ins[0].Single() || c.binds(n) || c.binds(d) {
			return nil, nil
		}
		outer, inner := sliceOf(n), sliceOf(d)
		if outer == nil || inner == nil {
			return nil, nil
		}
		p := c.Module.Pool
		var starts, ends []*symshape.Expr
		var axes, steps []int64
		for a, length := range n.Outs[0].Type.Dims {
			x, y := outer[a], inner[a]
			if x.step == 0 && y.step == 0 {
				continue
			}
			start, step := int64(0), int64(1)
			if y.step != 0 {
				start, step = y.start, y.step
			}
			if x.step != 0 {
				start, step = start+x.start*step, step*x.step
			}
			if start > symLimit || step > symLimit {
				return nil, nil
			}
			end := p.AddConst(p.Mul(length, p.Const(step)), start)
			if end == nil {
				return nil, nil
			}
			axes, steps = append(axes, int64(a)), append(steps, step)
			starts, ends = append(starts, p.Const(start)), append(ends, end)
		}
		if !ok() {
			return nil, nil
		}
		return c.slice(g, n, d.Ins[0], ir.Union("", n.From, d.From), starts, ends, axes, steps)
	}},
	{Name: "whole-slice", Ops: []string{"Slice"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		list := sliceOf(n)
		if list == nil || !covers(n.Ins[0], n.Outs[0]) || slices.ContainsFunc(list, func(r sliced) bool { return r.step > 1 || r.start > 0 }) ||
			!ok() {
			return nil, nil
		}
		return n.Ins[:1], nil
	}},
	{Name: "gather-of-one", Ops: []string{"Gather"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		x, at := n.Ins[0], n.Ins[1]
		index, one := oneInt(at)
		if !one || !x.Type.Ranked || !n.Outs[0].Type.Ranked || c.binds(n) {
			return nil, nil
		}
		axis := n.Attr.Int("axis")
		if axis < 0 {
			axis += int64(len(x.Type.Dims))
		}
		dim, p := x.Type.Dims[axis], c.Module.Pool
		lo, _ := c.Module.Facts.Range(dim)
		if index >= lo || index < -lo { // it may be outside
			return nil, nil
		}
		start := p.Const(index)
		if index < 0 {
			start = p.AddConst(dim, index)
		}
		if start == nil || !ok() {
			return nil, nil
		}
		t := x.Type
		t.Dims = slices.Clone(t.Dims)
		t.Dims[axis] = p.Const(1)
		list, err := c.sliceAs(g, n, x, t, n.From, []*symshape.Expr{start}, []*symshape.Expr{p.AddConst(start, 1)}, []int64{axis}, []int64{1})
		if err != nil {
			return nil, err
		}
		return []*ir.Value{c.machine(g, n, "view", n.Outs[0], list[0])}, nil
	}},
	{Name: "no-pad", Ops: []string{"Pad"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if !all(n.Ins[1], 0) || !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return n.Ins[:1], nil
	}},
	{Name: "split-of-one", Ops: []string{"Split"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if len(n.Outs) != 1 || !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return n.Ins[:1], nil
	}},
	{Name: "concat-of-split", Ops: []string{"Concat"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		d := defOf(n.Ins[0], "Split")
		if d == nil || len(d.Outs) != len(n.Ins) || !n.Outs[0].Type.Ranked || axisOf(n) != axisOf(d) || !slices.Equal(d.Outs, n.Ins) ||
			!covers(d.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return d.Ins[:1], nil
	}},
	{Name: "concat-of-concat", Ops: []string{"Concat"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		at := slices.IndexFunc(n.Ins, func(v *ir.Value) bool {
			d := defOf(v, "Concat")
			return d != nil && v.Single() && v.Type.Ranked && !c.binds(d) && axisOf(d) == axisOf(n)
		})
		if at < 0 || c.binds(n) || !ok() {
			return nil, nil
		}
		d := n.Ins[at].Def
		return c.like(g, n, "Concat", n.Outs[0], ir.Union("", n.From, d.From), slices.Concat(n.Ins[:at], d.Ins, n.Ins[at+1:]),
			onnx.IntAttr("axis", axisOf(n)))
	}},
	{Name: "absorbed-expand", Ops: broadcasting, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		for i, v := range n.Ins {
			d := defOf(v, "Expand")
			if d == nil || !d.Ins[0].Type.Ranked || !n.Outs[0].Type.Ranked {
				continue
			}
			ins := slices.Clone(n.Ins)
			ins[i] = d.Ins[0]
			if !broadcastsTo(ins, n.Outs[0].Type.Dims) || !ok() {
				continue
			}
			return c.like(g, n, n.Op.Name, n.Outs[0], ir.Union("", n.From, d.From), ins, n.Attr.All()...)
		}
		return nil, nil
	}},
}

// broadcasting are the operators whose operands are broadcast to each other.
var broadcasting = []string{"Add", "And", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "Equal", "Greater", "GreaterOrEqual", "Less",
	"LessOrEqual", "Max", "Min", "Mod", "Mul", "Or", "Pow",
	"Sub", "Sum", "Where", "Xor"}

// broadcastsTo reports whether the operands broadcast to the dimensions, each axis of which
// one of them has, the others having it or 1. It asks whether the result keeps its sizes when an
// Expand before it is left out.
func broadcastsTo(ins []*ir.Value, dims []*symshape.Expr) bool {
	has := make([]bool, len(dims))
	for _, v := range ins {
		if v == nil || !v.Type.Ranked || len(v.Type.Dims) > len(dims) {
			return false
		}
		shift := len(dims) - len(v.Type.Dims)
		for a, d := range v.Type.Dims {
			switch {
			case d == dims[shift+a]:
				has[shift+a] = true
			case !d.IsConst(1):
				return false
			}
		}
	}
	return !slices.Contains(has, false) // also an axis of size 1 is only there when an operand has it
}

// defOf is the node of an operator of ONNX whose first result a value is; else nil. A nil value
// is allowed, so that callers can follow optional operands.
func defOf(v *ir.Value, name string) *ir.Node {
	if v == nil || v.Def == nil || v.Def.Op.Name != name || v.Def.Op.Domain != "" || v.Index != 0 {
		return nil
	}
	return v.Def
}

// axisOf is a node's attribute axis, counted from the first.
func axisOf(n *ir.Node) int64 {
	a := n.Attr.Int("axis")
	if a < 0 {
		a += int64(len(n.Ins[0].Type.Dims))
	}
	return a
}

// oneInt is the only element of a constant of integers of rank 0 or 1.
func oneInt(v *ir.Value) (int64, bool) {
	if v == nil || v.Const == nil || !isInteger(v.Const.Tensor.DType) || len(v.Const.Tensor.Dims) > 1 {
		return 0, false
	}
	list, err := v.Const.Tensor.Ints()
	if err != nil || len(list) != 1 {
		return 0, false
	}
	return list[0], true
}

// intsOf are the elements of a constant of integers; nil for another value.
func intsOf(v *ir.Value) []int64 {
	if v == nil || v.Const == nil || !isInteger(v.Const.Tensor.DType) {
		return nil
	}
	list, err := v.Const.Tensor.Ints()
	if err != nil || list == nil {
		return []int64{}
	}
	return list
}

// symLimit bounds starts and steps that are joined.
const symLimit = 1 << 40

// A sliced says what a Slice does with an axis: from start on, each step-th. A step of 0
// takes the whole axis.
type sliced struct{ start, step int64 }

// sliceOf gives for each axis what a Slice does, when starts are constant and not counted
// from the end, and steps are constant and positive; else nil.
func sliceOf(n *ir.Node) []sliced {
	if !n.Ins[0].Type.Ranked || !n.Outs[0].Type.Ranked {
		return nil
	}
	rank := len(n.Ins[0].Type.Dims)
	starts := intsOf(n.Ins[1])
	if starts == nil {
		return nil
	}
	out := make([]sliced, rank)
	var axes, steps []int64
	if len(n.Ins) > 3 && n.Ins[3] != nil {
		if axes = intsOf(n.Ins[3]); axes == nil {
			return nil
		}
	}
	if len(n.Ins) > 4 && n.Ins[4] != nil {
		if steps = intsOf(n.Ins[4]); steps == nil {
			return nil
		}
	}
	for i, s := range starts {
		a, step := int64(i), int64(1)
		if axes != nil {
			if a = axes[i]; a < 0 {
				a += int64(rank)
			}
		}
		if steps != nil {
			step = steps[i]
		}
		if s < 0 || step < 1 || s > symLimit || step > symLimit || a < 0 || a >= int64(rank) || out[a].step != 0 {
			return nil
		}
		out[a] = sliced{s, step}
	}
	return out
}

// slice makes a Slice that stands for a node.
func (c *Context) slice(g *ir.Graph, n *ir.Node, x *ir.Value, from ir.Origin, starts, ends []*symshape.Expr, axes, steps []int64,
) ([]*ir.Value, error) {
	list, err := c.sliceAs(g, n, x, n.Outs[0].Type, from, starts, ends, axes, steps)
	if err != nil {
		return nil, err
	}
	list[0].Elems, list[0].Info = n.Outs[0].Elems, n.Outs[0].Info
	return list, nil
}

// sliceAs makes a Slice of a given type. Starts and ends may be expressions; a node computes them
// then.
func (c *Context) sliceAs(g *ir.Graph, before *ir.Node, x *ir.Value, t inference.Type, from ir.Origin, starts, ends []*symshape.Expr,
	axes, steps []int64,
) ([]*ir.Value, error) {
	s, err := c.SizesOf(g, before, from, false, starts...)
	if err != nil {
		return nil, err
	}
	e, err := c.SizesOf(g, before, from, false, ends...)
	if err != nil {
		return nil, err
	}
	a, err := c.Module.AddConst("", onnx.NewInts(nil, axes...))
	if err != nil {
		return nil, err
	}
	k, err := c.Module.AddConst("", onnx.NewInts(nil, steps...))
	if err != nil {
		return nil, err
	}
	n, err := c.MakeAs(g, before, "Slice", t, from, []*ir.Value{x, s, e, a, k})
	if err != nil {
		return nil, err
	}
	return n.Outs, nil
}

// like makes a node of one result that stands for another node's.
func (c *Context) like(g *ir.Graph, before *ir.Node, name string, y *ir.Value, from ir.Origin, ins []*ir.Value,
	attrs ...*onnx.Attr) ([]*ir.Value, error) {
	m, err := c.MakeAs(g, before, name, y.Type, from, ins, attrs...)
	if err != nil {
		return nil, err
	}
	m.Outs[0].Elems, m.Outs[0].Info = y.Elems, y.Info
	return m.Outs, nil
}
