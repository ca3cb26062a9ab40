package pass

// This file notes each softmax between two products that is not made one attention with them.

import (
	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
)

// A Refusal is a softmax between two products that is not computed as one attention with them.
type Refusal struct {
	Node   string // the softmax, with its name and lines
	Reason string
}

// refuse notes the softmax of each product with its result, and why that is no attention.
func (r *runner) refuse(m *ir.Module, why func(product *ir.Node) string) {
	m.Walk(func(g *ir.Graph) {
		for _, n := range g.Nodes {
			if nameOf(n.Op) != "MatMul" {
				continue
			}
			soft := nearest(n.Ins[0], "Softmax")
			if soft != nil && nearest(soft.Ins[0], "MatMul") != nil {
				r.refused = append(r.refused, Refusal{r.describe(m, soft.Op, soft.From), why(n)})
			}
		}
	})
}

// maxBetween bounds the nodes between a product and its softmax.
const maxBetween = 32

// nearest is the node of an operator that makes a value, with nothing but functions of elements, views and transposes
// between; nil: there is none.
func nearest(v *ir.Value, name string) *ir.Node {
	list := []*ir.Value{v}
	for i := 0; i < len(list) && i < maxBetween; i++ {
		if d := defOf(list[i], name); d != nil {
			return d
		}
		if d := list[i].Def; d != nil && (d.Op.Traits&ir.Pointwise != 0 || d.Op.Opcode == isa.View || d.Op.Name == "Transpose") {
			for _, x := range d.Ins {
				if x != nil {
					list = append(list, x)
				}
			}
		}
	}
	return nil
}
