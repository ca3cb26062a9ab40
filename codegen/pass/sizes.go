package pass

// This file takes computations of sizes out of the graph.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/op"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

var sizes = Pass{
	Name: "sizes", Doc: "small integer tensors whose elements are known expressions become entries of the table of sizes", Class: Exact,
	Run: func(c *Context) error {
		var err error
		c.Module.Walk(func(g *ir.Graph) {
			for _, n := range slices.Clone(g.Nodes) {
				if err == nil {
					err = c.known(g, n)
				}
			}
		})
		return err
	},
}

// known replaces the results of a node whose elements are all known. Where they are all
// numbers they become a constant.
func (c *Context) known(g *ir.Graph, n *ir.Node) error {
	if n.Op.Opcode == isa.Sizes || n.Op.Traits&ir.Pure == 0 || len(n.Graphs) > 0 {
		return nil
	}
	for _, v := range n.Outs {
		if v == nil || len(v.Uses) == 0 || v.Elems == nil || len(v.Type.Dims) > 1 || slices.Contains(v.Elems, nil) {
			continue
		}
		numbers := make([]int64, len(v.Elems))
		all := true
		for i, e := range v.Elems {
			var ok bool
			numbers[i], ok = e.Const()
			all = all && ok
		}
		switch {
		case c.binds(n):
			continue
		case all && (v.Type.Elem == onnx.Int64 || v.Type.Elem == onnx.Int32 || v.Type.Elem == onnx.Bool):
			if !c.Allow("number", Exact) {
				continue
			}
			t := onnx.NewInts([]int64{}, numbers...)
			if len(v.Type.Dims) == 1 {
				t = onnx.NewInts([]int64{int64(len(numbers))}, numbers...)
			}
			w, err := c.Module.AddConst(v.Name, narrow(t, v.Type.Elem))
			if err != nil {
				return err
			}
			v.ReplaceUses(w)
		case v.Type.Elem == onnx.Int64 || v.Type.Elem == onnx.Int32:
			if !c.Allow("size", Exact) {
				continue
			}
			m := c.Module.AddNode(g, n, ir.Spec{Op: op.Lookup(isa.MachineDomain, "sizes"), Types: []inference.Type{v.Type},
				From: ir.Union(c.pass.Name, n.From)})
			m.Outs[0].Name, m.Outs[0].Elems, m.Outs[0].Info = v.Name, v.Elems, v.Info
			v.ReplaceUses(m.Outs[0])
		}
	}
	return nil
}

// binds reports whether a node binds a symbol: then it must stay, and what it makes are
// no sizes that are known without it.
func (c *Context) binds(n *ir.Node) bool {
	return slices.ContainsFunc(c.Module.Syms, func(s ir.Symbol) bool { return s.Node == n })
}

// narrow writes a tensor of integers with another element type, which has room for them.
func narrow(t *onnx.Tensor, d onnx.DType) *onnx.Tensor {
	if d == onnx.Int64 {
		return t
	}
	list, err := t.Ints()
	if err != nil {
		panic(err) // it was made of integers
	}
	out := &onnx.Tensor{DType: d, Dims: t.Dims}
	for _, x := range list {
		out.Int32s = append(out.Int32s, int32(x))
	}
	return out
}
