package inline

// This file copies the nodes of a function's body with new names.

import (
	"slices"

	"shapecheck/onnx"
)

// A scope maps the names of one copy of a body, or of a subgraph in it.
type scope struct {
	in     *inliner
	outer  *scope
	prefix string
	names  map[string]string
	attrs  map[string]*onnx.Attr // values of the function's attributes
	doc    string                // of the call, for nodes that have none
	meta   []onnx.Entry
}

// use returns the new name of a value that is read.
func (s *scope) use(name string) string {
	if name == "" {
		return ""
	}
	for x := s; x != nil; x = x.outer {
		if to, ok := x.names[name]; ok {
			return to
		}
	}
	return s.define(name) // not defined before its use: a fault that stays visible
}

// define gives a value of the body a name of its own.
func (s *scope) define(name string) string {
	if name == "" {
		return ""
	}
	if to, ok := s.names[name]; ok {
		return to
	}
	to := s.in.fresh(s.prefix + name)
	s.names[name] = to
	return to
}

// copyNodes copies the nodes of a function's body for one call: with fresh names, the call's doc
// string and metadata where they have none, and references to attributes replaced by the call's
// values.
func (s *scope) copyNodes(list []*onnx.Node) []*onnx.Node {
	out := make([]*onnx.Node, len(list))
	for i, n := range list {
		c := *n
		if c.Name = n.Name; c.Name == "" {
			c.Name = n.Op
		}
		c.Name = s.in.fresh(s.prefix + c.Name)
		if c.Doc == "" {
			c.Doc = s.doc
		}
		if len(s.meta) > 0 {
			c.Metadata = append(slices.Clone(n.Metadata), s.meta...)
		}
		c.Inputs = make([]string, len(n.Inputs))
		for j, name := range n.Inputs {
			c.Inputs[j] = s.use(name)
		}
		c.Attrs = nil
		for _, a := range n.Attrs {
			if b := s.attr(a); b != nil {
				c.Attrs = append(c.Attrs, b)
			}
		}
		c.Outputs = make([]string, len(n.Outputs))
		for j, name := range n.Outputs {
			c.Outputs[j] = s.define(name)
		}
		out[i] = &c
	}
	return out
}

// attr resolves a reference and copies subgraphs; nil when the call leaves the
// attribute out.
func (s *scope) attr(a *onnx.Attr) *onnx.Attr {
	if a.Ref != "" {
		v := s.attrs[a.Ref]
		if v == nil {
			return nil
		}
		c := *v
		c.Name = a.Name
		return &c
	}
	if a.Graph == nil && len(a.Graphs) == 0 {
		return a
	}
	c := *a
	if a.Graph != nil {
		c.Graph = s.graph(a.Graph)
	}
	c.Graphs = make([]*onnx.Graph, len(a.Graphs))
	for i, g := range a.Graphs {
		c.Graphs[i] = s.graph(g)
	}
	return &c
}

// graph copies a subgraph, which sees the names around it.
func (s *scope) graph(g *onnx.Graph) *onnx.Graph {
	sub := &scope{in: s.in, outer: s, prefix: s.prefix, names: map[string]string{}, attrs: s.attrs, doc: s.doc, meta: s.meta}
	c := *g
	c.Name = s.in.fresh(s.prefix + g.Name)
	c.Inputs = sub.infos(g.Inputs)
	c.Initializers = make([]*onnx.Tensor, len(g.Initializers))
	for i, t := range g.Initializers {
		x := *t
		x.Name = sub.define(t.Name)
		c.Initializers[i] = &x
	}
	c.SparseInitializers = make([]*onnx.SparseTensor, len(g.SparseInitializers))
	for i, t := range g.SparseInitializers {
		x := *t
		if t.Values != nil {
			v := *t.Values
			v.Name = sub.define(v.Name)
			x.Values = &v
		}
		c.SparseInitializers[i] = &x
	}
	c.Nodes = sub.copyNodes(g.Nodes)
	c.Outputs = make([]*onnx.ValueInfo, len(g.Outputs))
	for i, v := range g.Outputs { // an output may be a value of the outside
		x := *v
		x.Name = sub.use(v.Name)
		c.Outputs[i] = &x
	}
	c.Values = sub.infos(g.Values)
	return &c
}

func (s *scope) infos(list []*onnx.ValueInfo) []*onnx.ValueInfo {
	out := make([]*onnx.ValueInfo, len(list))
	for i, v := range list {
		x := *v
		x.Name = s.define(v.Name)
		out[i] = &x
	}
	return out
}
