package pass

// This file holds the rules of operators of ONNX+ that standard operators can do.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var plusRules = []Rule{
	// Leading axes are rows, the others features of a product with the weight's transpose.
	{Name: "linear", Ops: []string{"org.chainer::ChainerLinear"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node,
		ok func() bool) ([]*ir.Value, error) {
		x, w, y := n.Ins[0], n.Ins[1], n.Outs[0]
		batch := int(n.Attr.Int("n_batch_axes"))
		if !x.Type.Ranked || !w.Type.Ranked || !y.Type.Ranked || len(w.Type.Dims) != 2 || batch < 0 || batch > len(x.Type.Dims) ||
			len(y.Type.Dims) != batch+1 || c.binds(n) {
			return nil, nil
		}
		rows, features := c.product(x.Type.Dims[:batch]), c.product(x.Type.Dims[batch:])
		if rows == nil || features != w.Type.Dims[1] || len(n.Ins) > 2 && n.Ins[2] != nil && !rankIs(n.Ins[2], 1) || !ok() {
			return nil, nil
		}
		ins := slices.Clone(n.Ins)
		ins[0] = c.view(g, n, x, []*symshape.Expr{rows, features})
		m, err := c.Make(g, n, "Gemm", 1, n.From, ins, onnx.IntAttr("transB", 1))
		if err != nil {
			return nil, err
		}
		return []*ir.Value{c.view(g, n, m.Outs[0], y.Type.Dims)}, nil
	}},
	{Name: "select-item", Ops: []string{"org.chainer::ChainerSelectItem"},
		Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			x, at, y := n.Ins[0], n.Ins[1], n.Outs[0]
			if !rankIs(x, 2) || !rankIs(at, 1) || x.Type.Dims[0] != at.Type.Dims[0] || !rankIs(y, 1) || y.Type.Dims[0] != at.Type.Dims[0] ||
				c.binds(n) || !ok() {
				return nil, nil
			}
			column := c.view(g, n, at, []*symshape.Expr{at.Type.Dims[0], c.Module.Pool.Const(1)})
			m, err := c.Make(g, n, "GatherElements", 1, n.From, []*ir.Value{x, column}, onnx.IntAttr("axis", 1))
			if err != nil {
				return nil, err
			}
			return []*ir.Value{c.view(g, n, m.Outs[0], y.Type.Dims)}, nil
		}},
	// A sum of one element each; the sum of -0 is 0.
	{Name: "no-sum", Class: Rounding, Ops: []string{"org.chainer::ChainerReduceSumTo"},
		Apply: func(c *Context, _ *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			x, y := n.Ins[0], n.Outs[0]
			if !x.Type.Ranked || !y.Type.Ranked || !slices.Equal(x.Type.Dims, y.Type.Dims) || c.binds(n) || !ok() {
				return nil, nil
			}
			return n.Ins[:1], nil
		}},
}

func rankIs(v *ir.Value, n int) bool { return v.Type.Ranked && len(v.Type.Dims) == n }
