package graph

// This file copies graphs.

// Clone copies a graph so that what is done to the copy leaves the original as it was.
// It returns the copy and the copies of the values. Types, expressions and conditions,
// which nobody changes, are shared. The copy is used where a graph is changed for one reader, as by
// pruning, while others go on with the original.
func (g *Graph) Clone() (*Graph, map[*Value]*Value) {
	c := &cloner{values: map[*Value]*Value{}, nodes: map[*Node]*Node{}}
	out := &Graph{Returned: g.Returned, Incomplete: append([]Gap(nil), g.Incomplete...), Numbers: g.Numbers}
	out.Inputs, out.Params = c.list(g.Inputs), c.list(g.Params)
	out.Setup, out.Body = c.region(g.Setup), c.region(g.Body)
	out.Output = c.operand(g.Output)
	c.finish()
	return out, c.values
}

// A cloner copies values and nodes when they are met first, and what is in them
// later: a chain of views and definitions is as long as the program.
type cloner struct {
	values map[*Value]*Value
	nodes  map[*Node]*Node
	todo   []func()
}

// finish copies what was put off, which may put off more.
func (c *cloner) finish() {
	for len(c.todo) > 0 {
		f := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		f()
	}
}

// value is the copy of a value, made when it is first met.
func (c *cloner) value(v *Value) *Value {
	if v == nil {
		return nil
	}
	if out := c.values[v]; out != nil {
		return out
	}
	out := new(Value)
	*out = *v
	c.values[v] = out
	if v.Def != nil || v.Base != nil {
		c.todo = append(c.todo, func() { out.Def, out.Base = c.node(v.Def), c.value(v.Base) })
	}
	return out
}

func (c *cloner) list(values []*Value) []*Value {
	if values == nil {
		return nil
	}
	out := make([]*Value, len(values))
	for i, v := range values {
		out[i] = c.value(v)
	}
	return out
}

// node is the copy of a node. Its parts are copied later, since they lead to other nodes.
func (c *cloner) node(n *Node) *Node {
	if n == nil {
		return nil
	}
	if out := c.nodes[n]; out != nil {
		return out
	}
	out := new(Node)
	*out = *n
	c.nodes[n] = out
	c.todo = append(c.todo, func() {
		out.Outputs = c.list(n.Outputs)
		out.Args = c.args(n.Args)
		if n.Regions != nil {
			out.Regions = make([]*Region, len(n.Regions))
			for i, r := range n.Regions {
				out.Regions[i] = c.region(r)
			}
		}
	})
	return out
}

// region copies the parameters first, which the nodes in it refer to.
func (c *cloner) region(r *Region) *Region {
	if r == nil {
		return nil
	}
	out := &Region{Params: c.list(r.Params)}
	if r.Nodes != nil {
		out.Nodes = make([]*Node, len(r.Nodes))
		for i, n := range r.Nodes {
			out.Nodes[i] = c.node(n)
		}
	}
	out.Results = c.operands(r.Results)
	return out
}

func (c *cloner) args(list []Arg) []Arg {
	if list == nil {
		return nil
	}
	out := make([]Arg, len(list))
	for i, a := range list {
		out[i] = Arg{a.Name, c.operand(a.Value), a.Number}
	}
	return out
}

func (c *cloner) operands(list []Operand) []Operand {
	if list == nil {
		return nil
	}
	out := make([]Operand, len(list))
	for i, o := range list {
		out[i] = c.operand(o)
	}
	return out
}

// operand copies what has values in it; numbers and texts are shared.
func (c *cloner) operand(o Operand) Operand {
	switch o := o.(type) {
	case *Value:
		return c.value(o)
	case List:
		return List(c.operands(o))
	case Tuple:
		return Tuple(c.operands(o))
	case Dict:
		return Dict(c.args(o))
	case Slice:
		return Slice{c.operand(o.Start), c.operand(o.Stop), c.operand(o.Step)}
	}
	return o
}
