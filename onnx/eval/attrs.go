package eval

// This file gives kernels the attributes of their nodes.

import (
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// version finds the version of the operator that the node's scope means.
func (c *call) version(name opName) *schema.Op {
	version := onnx.OpsetVersion(c.scope.opsets, name.domain)
	if version == 0 {
		version = schema.NewestOf(name.domain)
	}
	op := schema.Lookup(name.domain, name.name, version)
	if op == nil {
		c.failf("version %d of the domain %q has no such operator", version, name.domain)
	}
	// Models of ONNX+ give standard operators more inputs and outputs.
	if onnx.OpsetVersion(c.scope.opsets, schema.Chainer) == 0 {
		n := *c.node
		for len(n.Inputs) > 0 && n.Inputs[len(n.Inputs)-1] == "" {
			n.Inputs = n.Inputs[:len(n.Inputs)-1]
		}
		if err := op.CheckCounts(&n); err != nil {
			c.failf("%v", err)
		}
	}
	return op
}

func (c *call) has(name string) bool         { return c.Has(name) }
func (c *call) int(name string) int64        { return c.Int(name) }
func (c *call) float(name string) float64    { return float64(c.Float(name)) }
func (c *call) text(name string) string      { return c.String(name) }
func (c *call) ints(name string) []int64     { return c.Ints(name) }
func (c *call) body(name string) *onnx.Graph { return c.Graph(name) }

func (c *call) floats(name string) []float64 {
	list := c.Floats(name)
	out := make([]float64, len(list))
	for i, f := range list {
		out[i] = float64(f)
	}
	return out
}

func (c *call) texts(name string) []string {
	list := c.Strings(name)
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// tensor reads a tensor, or gives nil.
func (c *call) tensor(name string) *Tensor {
	if !c.Has(name) {
		return nil
	}
	t, err := c.constant(c.Tensor(name))
	if err != nil {
		c.failf("attribute %s: %v", name, err)
	}
	return t
}

// defaultOf is the default of an attribute of another operator.
func (c *call) defaultOf(op, attr string) float64 {
	return float64(schema.Last("", op).Default().Float(attr))
}

// extra is an attribute that chainer-compiler adds to standard operators.
func (c *call) extra(name string) (int64, bool) {
	i := slices.IndexFunc(c.node.Attrs, func(a *onnx.Attr) bool { return a.Name == "chainer_"+name })
	if i < 0 {
		return 0, false
	}
	return c.node.Attrs[i].Int, true
}
