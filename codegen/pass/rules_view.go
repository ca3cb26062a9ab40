package pass

// This file holds the rules of operators that change the form of a tensor and not its
// elements.
//
// A view costs nothing at run time: it is another type over the same memory. Most rules here
// either turn an operator into the machine's view or show that it does nothing. They hold for
// symbolic sizes, as equal sizes are the same pointer.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
)

// A view of a view goes to the first operand, so that chains of Reshape vanish; the sizes in
// between need not be computed any more, which removes their shape computation too.
var viewRules = []Rule{
	{Name: "identity", Ops: []string{"Identity"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return n.Ins, nil
	}},
	{Name: "view", Ops: []string{"Reshape", "Flatten", "Squeeze", "Unsqueeze"},
		Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			if x, y := n.Ins[0], n.Outs[0]; !x.Type.Ranked || !y.Type.Ranked || c.binds(n) || !ok() {
				return nil, nil
			}
			return []*ir.Value{c.machine(g, n, "view", n.Outs[0], n.Ins[0])}, nil
		}},
	{Name: "view-of-view", Ops: []string{"vm::view"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		d := n.Ins[0].Def
		if d == nil || d.Op.Opcode != isa.View || !ok() {
			return nil, nil
		}
		y := c.machine(g, n, "view", n.Outs[0], d.Ins[0])
		y.Def.From = ir.Union(c.pass.Name, n.From, d.From)
		return []*ir.Value{y}, nil
	}},
	{Name: "same-view", Ops: []string{"vm::view"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if !slices.Equal(n.Ins[0].Type.Dims, n.Outs[0].Type.Dims) || !ok() {
			return nil, nil
		}
		return n.Ins, nil
	}},
	{Name: "same-cast", Ops: []string{"Cast"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if n.Ins[0].Type.Elem != n.Outs[0].Type.Elem || !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return n.Ins, nil
	}},
	// The outer permutation picks axes of the inner result: axis i is inner[outer[i]] of the
	// operand.
	{Name: "transpose-of-transpose", Ops: []string{"Transpose"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node,
		ok func() bool) ([]*ir.Value, error) {
		d := n.Ins[0].Def
		if d == nil || d.Op.Name != "Transpose" || d.Op.Domain != "" || !n.Ins[0].Type.Ranked {
			return nil, nil
		}
		outer, inner := permOf(n), permOf(d)
		if outer == nil || len(outer) != len(inner) || !ok() {
			return nil, nil
		}
		perm := make([]int64, len(outer))
		for i, k := range outer {
			perm[i] = inner[k]
		}
		m, err := c.Make(g, n, "Transpose", 1, ir.Union("", n.From, d.From), []*ir.Value{d.Ins[0]}, onnx.IntsAttr("perm", perm...))
		if err != nil {
			return nil, err
		}
		return m.Outs, nil
	}},
	{Name: "no-transpose", Ops: []string{"Transpose"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		perm := permOf(n)
		for i, k := range perm {
			if int64(i) != k {
				return nil, nil
			}
		}
		if perm == nil || !n.Ins[0].Type.Ranked || !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return n.Ins, nil
	}},
	{Name: "transpose-of-ones", Ops: []string{"Transpose"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value,
		error) {
		x, perm := n.Ins[0].Type, permOf(n)
		if !x.Ranked || !n.Outs[0].Type.Ranked || perm == nil {
			return nil, nil
		}
		last := int64(-1)
		for _, k := range perm { // axes of more than one element stay in their order
			if one, known := x.Dims[k].Const(); known && one == 1 {
				continue
			}
			if k < last {
				return nil, nil
			}
			last = k
		}
		if !ok() {
			return nil, nil
		}
		return []*ir.Value{c.machine(g, n, "view", n.Outs[0], n.Ins[0])}, nil
	}},
	{Name: "concat-of-one", Ops: []string{"Concat"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if len(n.Ins) != 1 || !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		return n.Ins, nil
	}},
	{Name: "expand-of-same", Ops: []string{"Expand", "Tile"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value,
		error) {
		if !n.Ins[0].Type.Ranked || !n.Outs[0].Type.Ranked || !slices.Equal(n.Ins[0].Type.Dims, n.Outs[0].Type.Dims) || !ok() {
			return nil, nil
		}
		return n.Ins[:1], nil
	}},
	// Dropout does nothing without a training_mode operand, as long as nobody reads the mask.
	{Name: "no-dropout", Ops: []string{"Dropout"}, Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		if len(n.Ins) > 2 && n.Ins[2] != nil || len(n.Outs) > 1 && n.Outs[1] != nil || !covers(n.Ins[0], n.Outs[0]) || !ok() {
			return nil, nil
		}
		out := make([]*ir.Value, len(n.Outs))
		out[0] = n.Ins[0]
		return out, nil
	}},
}

// covers reports whether a value may stand where another one does: its type says at least
// as much. Kind and element type must be the same. If w has dimensions v must have the same
// expressions; a value with dimensions may stand for one without.
func covers(v, w *ir.Value) bool {
	if v.Type.Kind != w.Type.Kind || v.Type.Elem != w.Type.Elem {
		return false
	}
	return !w.Type.Ranked || v.Type.Ranked && slices.Equal(v.Type.Dims, w.Type.Dims)
}

// permOf is the order of axes of a Transpose; nil: what is written is none, which the run says.
// Without the attribute all axes are reversed.
func permOf(n *ir.Node) []int64 {
	rank := len(n.Ins[0].Type.Dims)
	if perm := n.Attr.Ints("perm"); len(perm) > 0 {
		seen := make([]bool, len(perm))
		for _, k := range perm {
			if n.Ins[0].Type.Ranked && len(perm) != rank || k < 0 || k >= int64(len(perm)) || seen[k] {
				return nil
			}
			seen[k] = true
		}
		return perm
	}
	out := make([]int64, rank)
	for i := range out {
		out[i] = int64(rank - 1 - i)
	}
	return out
}
