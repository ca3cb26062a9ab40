package pass

// This file chooses algorithms that round otherwise. What decides is the same in all runs of a program: the weights.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
)

var algorithm = Pass{
	Name: "algorithm", Doc: "convolutions of 3×3 weights with enough channels may be computed by Winograd's F(4×4, 3×3): up to 2e-4 of the result's root mean square", Class: Rounding,
	After: []string{"merge"},
	Run:   func(c *Context) error { return c.rewrite(algorithmRules) },
}

// With fewer channels the transforms take longer than they save; with more weights reading them does, as they become four times as many.
const (
	winogradChannels = 16
	winogradWeights  = 1 << 16 // channels times output channels
)

var algorithmRules = []Rule{
	{Name: "winograd", Ops: []string{"Conv", "vm::conv"}, Class: Rounding,
		Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
			p := productOf(n)
			if p == nil || n.Outs[0].Type.Elem != onnx.Float || p.ins[1].Const == nil {
				return nil, nil
			}
			dims := p.ins[1].Const.Tensor.Dims
			if len(dims) != 4 || dims[2] != 3 || dims[3] != 3 || min(dims[0], dims[1]) < winogradChannels || dims[0]*dims[1] > winogradWeights ||
				!finite(p.ins[1]) {
				return nil, nil
			}
			for _, a := range p.attrs {
				switch a.Name {
				case "algo":
					return nil, nil
				case "groups":
					if a.Int != 1 {
						return nil, nil
					}
				case "strides", "dilations":
					if slices.ContainsFunc(a.Ints, func(x int64) bool { return x != 1 }) {
						return nil, nil
					}
				}
			}
			if !ok() {
				return nil, nil
			}
			p.attrs = append(p.attrs, onnx.StringAttr("algo", "winograd"))
			return p.write(c, g, n)
		}},
}
