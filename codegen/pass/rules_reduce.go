package pass

// This file holds the rules of folds of axes.

import (
	"shapecheck/codegen/ir"
	"shapecheck/onnx"
)

var reduceRules = []Rule{
	{Name: "global-pool", Ops: []string{"GlobalAveragePool", "GlobalMaxPool"},
		Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			x := n.Ins[0]
			if !x.Type.Ranked || len(x.Type.Dims) < 3 || !ok() {
				return nil, nil
			}
			var axes []int64
			for a := 2; a < len(x.Type.Dims); a++ {
				axes = append(axes, int64(a))
			}
			list, err := c.Module.AddConst("", onnx.NewInts(nil, axes...))
			if err != nil {
				return nil, err
			}
			name := "ReduceMean"
			if n.Op.Name == "GlobalMaxPool" {
				name = "ReduceMax"
			}
			return c.like(g, n, name, n.Outs[0], n.From, []*ir.Value{x, list})
		}},
	{Name: "no-reduction", Ops: []string{"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"},
		Apply: func(_ *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			none := n.Attr.Bool("noop_with_empty_axes") && (len(n.Ins) < 2 || n.Ins[1] == nil || n.Ins[1].Const != nil && len(intsOf(n.Ins[1])) == 0)
			if !none || !covers(n.Ins[0], n.Outs[0]) || !ok() {
				return nil, nil
			}
			return n.Ins[:1], nil
		}},
}
