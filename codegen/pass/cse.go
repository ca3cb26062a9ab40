package pass

// This file joins nodes that compute the same.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
)

var cse = Pass{
	Name: "cse", Doc: "joins pure nodes of a graph with equal operator, attributes and operands", Class: Exact,
	Run: func(c *Context) error {
		c.Module.Walk(func(g *ir.Graph) {
			seen := map[string]*ir.Node{}
			for _, n := range slices.Clone(g.Nodes) {
				if c.ended() {
					return
				}
				key, ok := c.key(n)
				if !ok {
					continue
				}
				first := seen[key]
				if first == nil {
					seen[key] = n
					continue
				}
				if !c.Allow("equal", Exact) {
					continue
				}
				first.From = ir.Union(first.From.Pass, first.From, n.From)
				for i, v := range n.Outs {
					if v != nil {
						v.ReplaceUses(first.Outs[i])
					}
				}
				c.Module.RemoveNode(n)
			}
		})
		return nil
	},
}

// key is equal for nodes that compute the same. Nodes with bodies, effects or symbols of
// their own have none.
func (c *Context) key(n *ir.Node) (string, bool) {
	if n.Op.Traits&ir.Pure == 0 || len(n.Graphs) > 0 || c.binds(n) {
		return "", false
	}
	var b strings.Builder
	b.WriteString(nameOf(n.Op))
	for _, v := range n.Ins {
		switch {
		case v == nil:
			b.WriteString(" ~")
		case v.Const != nil:
			fmt.Fprintf(&b, " @%d", v.Const.ID)
		default:
			fmt.Fprintf(&b, " %%%d", v.ID)
		}
	}
	for _, v := range n.Outs {
		if v == nil {
			b.WriteString(" ~")
			continue
		}
		b.WriteString(" " + v.Type.String())
		for _, e := range v.Elems {
			if n.Op.Schema.Domain != "" && e != nil { // what a machine's node makes
				b.WriteString("," + e.Compact())
			}
		}
	}
	for _, a := range n.Attr.All() {
		text, ok := attrKey(a)
		if !ok {
			return "", false
		}
		b.WriteString(" " + a.Name + "=" + text)
	}
	return b.String(), true
}

// attrKey is an attribute's value as text, floats by their bits; ok is false for values that are
// not compared: graphs, and tensors of 4096 bytes and more.
func attrKey(a *onnx.Attr) (string, bool) {
	switch a.Type {
	case onnx.AttrInt:
		return fmt.Sprint(a.Int), true
	case onnx.AttrFloat:
		return fmt.Sprintf("%x", a.Float), true
	case onnx.AttrString:
		return fmt.Sprintf("%q", a.String), true
	case onnx.AttrInts:
		return fmt.Sprint(a.Ints), true
	case onnx.AttrFloats:
		return fmt.Sprintf("%x", a.Floats), true
	case onnx.AttrStrings:
		return fmt.Sprintf("%q", a.Strings), true
	case onnx.AttrTensor:
		raw, err := a.Tensor.RawData()
		return fmt.Sprintf("%s%v%x", a.Tensor.DType, a.Tensor.Dims, raw), err == nil && len(raw) < 4096
	}
	return "", false
}
