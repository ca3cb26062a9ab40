package pass

// This file lets results have the memory of operands. It runs after the schedule, which
// says where a value is used last, and decides by the rules that the verifier of programs
// checks: a view shares its operand's memory; an operand may be overwritten when its
// operator allows, and nothing else that is still needed may have its memory.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
)

var alias = Pass{
	Name: "alias", Doc: "views share the memory of their operands, and results take that of operands which end with them", Class: Exact,
	After: []string{"schedule"},
	Run: func(c *Context) error {
		c.Module.Walk(func(g *ir.Graph) { c.aliases(g) })
		return nil
	},
}

// aliases goes through a graph in its order. A group is a set of values that have the same
// memory; values in memory that others may have, too, those of ports, states and
// sequences, are in none.
func (c *Context) aliases(g *ir.Graph) {
	group := map[*ir.Value]*ir.Value{} // of a value: the first of its group
	members := map[*ir.Value][]*ir.Value{}
	last := map[*ir.Value]int{}
	for i, n := range g.Nodes {
		for _, v := range n.Ins {
			if v != nil {
				last[v] = i
			}
		}
	}
	for _, v := range g.Results {
		last[v] = len(g.Nodes)
	}
	join := func(y, x *ir.Value) {
		if k := group[x]; k != nil {
			group[y] = k
			members[k] = append(members[k], y)
		}
	}
	for i, n := range g.Nodes {
		n.Reuse = 0
		if len(n.Outs) == 0 || n.Outs[0] == nil {
			continue
		}
		y := n.Outs[0]
		switch {
		case len(n.Graphs) > 0: // copies of what bodies give
			continue
		case n.Op.Opcode == isa.View:
			if n.Ins[0].Const == nil && c.Allow("view", Exact) {
				n.Reuse = 1
				join(y, n.Ins[0])
			}
			continue
		}
		if at := c.overwritten(n, i, group, members, last); at >= 0 && c.Allow("in-place", Exact) {
			n.Reuse = at + 1
			join(y, n.Ins[at])
		} else if y.Type.Kind == onnx.TensorType && !slices.ContainsFunc(n.Ins,
			func(v *ir.Value) bool { return v != nil && v.Type.Kind != onnx.TensorType }) {
			group[y], members[y] = y, []*ir.Value{y}
		}
		for _, v := range n.Outs[1:] {
			if v != nil && v.Type.Kind == onnx.TensorType && group[y] != nil {
				group[v], members[v] = v, []*ir.Value{v}
			}
		}
	}
}

// overwritten is the operand whose memory the first result of a node takes; -1: none.
func (c *Context) overwritten(n *ir.Node, i int, group map[*ir.Value]*ir.Value, members map[*ir.Value][]*ir.Value,
	last map[*ir.Value]int) int {
	if n.Op.InPlace == nil || c.binds(n) {
		return -1
	}
	for _, at := range n.Op.InPlace(n) {
		x := n.Ins[at]
		k := group[x]
		uses := 0
		for _, v := range n.Ins {
			if v == x {
				uses++
			}
		}
		if k == nil || uses > 1 || last[x] != i {
			continue
		}
		alone := !slices.ContainsFunc(members[k], func(v *ir.Value) bool {
			end, used := last[v]
			return v != x && used && end >= i
		})
		if alone {
			return at
		}
	}
	return -1
}
