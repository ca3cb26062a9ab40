package eval

// This file runs operators of older versions as what they became.

import (
	"fmt"
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// newest decodes the node's attributes when a kernel computes it as it is: when it has the
// newest form, or can be given it, or has graphs, whose nodes are of the old version. Else
// it gives the nodes that the operator became.
func (r *run) newest(c *call, op *schema.Op) *schema.Upgraded {
	last := schema.Last(op.Domain, op.Name)
	graphs := false
	c.node.Subgraphs(func(string, *onnx.Graph) { graphs = true })
	_, most := op.OutputLimits()
	context := most >= 0 && len(c.node.Outputs) > most // of ONNX+
	if (op != last || op.Deprecated) && op.Domain == "" && !graphs && !context {
		u := r.upgrade(c, op)
		if m := u.Nodes[0]; len(u.Nodes) > 1 || len(u.Constants) > 0 || m.Op != op.Name || !slices.Equal(m.Inputs, c.node.Inputs) {
			return u
		}
		c.node, op = u.Nodes[0], last
	}
	var err error
	if c.Attrs, err = op.Decode(c.node, c.scope.attrs); err != nil {
		c.failf("%v", err)
	}
	return nil
}

// upgrade writes an old form of an operator in terms of the newest ones, which alone have
// kernels. The result is kept for the node, unless its attributes refer to the function's, which
// differ from call to call.
func (r *run) upgrade(c *call, op *schema.Op) *schema.Upgraded {
	n := c.node
	if u := r.upgraded[n]; u != nil {
		return u
	}
	u, err := op.Upgrade(n, c.scope.attrs, func(hint string) string {
		r.fresh++
		return fmt.Sprintf("%s %d", hint, r.fresh)
	})
	switch {
	case err != nil:
		c.failf("%v", err)
	case len(u.Nodes) == 0:
		c.failf("nothing computes it")
	}
	if !slices.ContainsFunc(n.Attrs, func(a *onnx.Attr) bool { return a.Ref != "" }) {
		r.upgraded[n] = &u // with references it is another one at each call of the function
	}
	return &u
}

// steps runs the nodes that a node became.
func (r *run) steps(c *call, u *schema.Upgraded) ([]Value, error) {
	in := &scope{values: map[string]Value{}}
	for i, name := range c.node.Inputs {
		if name != "" {
			r.set(in, name, c.ins[i])
		}
	}
	for _, t := range u.Constants {
		v, err := FromONNX(t)
		if err != nil {
			return nil, err
		}
		r.set(in, t.Name, v)
	}
	var names []string
	for _, name := range c.node.Outputs {
		if name != "" {
			names = append(names, name)
		}
	}
	list, err := r.nodes(in, u.Nodes, names)
	if err != nil {
		return nil, err
	}
	if r.upgraded[c.node] == nil {
		r.forget(u.Nodes)
	}
	outs := make([]Value, len(c.node.Outputs))
	for i, name := range c.node.Outputs {
		if name != "" {
			outs[i], list = list[0], list[1:]
		}
	}
	return outs, nil
}
