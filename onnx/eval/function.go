package eval

// This file calls functions and graphs.

import (
	"shapecheck/onnx"
)

// function runs the body of a model's function.
func (r *run) function(sc *scope, f *onnx.Function, n *onnx.Node, ins []Value) ([]Value, error) {
	in := &scope{values: map[string]Value{}, opsets: f.Opsets}
	for _, a := range n.Attrs {
		if a.Ref != "" {
			if a = find(sc.attrs, a.Ref, a.Name); a == nil {
				continue
			}
		}
		in.attrs = append(in.attrs, a)
	}
	for _, a := range f.Defaults {
		if find(in.attrs, a.Name, "") == nil {
			in.attrs = append(in.attrs, a)
		}
	}
	if len(ins) > len(f.Inputs) {
		return nil, &Error{Op: n.Op, Name: n.Name, Reason: "it has more inputs than the function"}
	}
	for i, name := range f.Inputs {
		var v Value
		if i < len(ins) {
			v = ins[i]
		}
		r.set(in, name, v)
	}
	return r.nodes(in, f.Nodes, f.Outputs)
}

// find returns the attribute of that name, under another name when one is given.
func find(list []*onnx.Attr, name, as string) *onnx.Attr {
	for _, a := range list {
		if a.Name == name {
			if as != "" && as != name {
				b := *a
				b.Name = as
				return &b
			}
			return a
		}
	}
	return nil
}

// sub runs a graph that is an attribute: it sees the names around it.
func (c *call) sub(g *onnx.Graph, ins []Value) []Value {
	in := &scope{parent: c.scope, values: map[string]Value{}, attrs: c.scope.attrs, opsets: c.scope.opsets}
	if len(ins) > len(g.Inputs) {
		c.failf("the graph %s takes %d inputs, not %d", g.Name, len(g.Inputs), len(ins))
	}
	for i, v := range ins {
		c.set(in, g.Inputs[i].Name, v)
	}
	outs, err := c.graph(in, g)
	if err != nil {
		switch err := err.(type) {
		case *Error, *Stop:
			panic(err)
		}
		c.failf("%v", err)
	}
	return outs
}
