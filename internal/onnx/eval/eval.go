package eval

// This file runs nodes.

import (
	"fmt"

	"shapecheck/internal/onnx"
)

// An Input is what is run.
type Input struct {
	Nodes []*onnx.Node
	// Attrs are the attributes of the function whose nodes these are.
	Attrs []*onnx.Attr
	// Values are the inputs by name.
	Values map[string]*Tensor
	// Outputs are the names of what is wanted.
	Outputs []string
	// Random draws random numbers for the nodes that make them; nil: they fail.
	Random Random
}

// An Error is a node that cannot be run.
type Error struct {
	Op     string
	Reason string
}

func (e *Error) Error() string { return "ONNX's " + e.Op + ": " + e.Reason }

// Run runs the nodes in order.
func Run(in Input) ([]*Tensor, error) {
	env := map[string]*Tensor{}
	for k, v := range in.Values {
		env[k] = v
	}
	for _, n := range in.Nodes {
		if err := in.node(env, n); err != nil {
			return nil, err
		}
	}
	out := make([]*Tensor, len(in.Outputs))
	for i, name := range in.Outputs {
		if out[i] = env[name]; out[i] == nil {
			return nil, fmt.Errorf("no node makes the value %q", name)
		}
	}
	return out, nil
}

func (in *Input) node(env map[string]*Tensor, n *onnx.Node) (err error) {
	k := kernels[n.Op]
	if k == nil || n.Domain != "" {
		return &Error{n.Op, "it is not computed here"}
	}
	c := &call{node: n, in: in}
	for _, name := range n.Inputs {
		x := env[name]
		if x == nil && name != "" {
			return &Error{n.Op, fmt.Sprintf("the value %q is not there", name)}
		}
		c.ins = append(c.ins, x)
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = &Error{n.Op, string(r)}
		default:
			panic(r)
		}
	}()
	outs := k(c)
	for i, o := range outs {
		if i < len(n.Outputs) && n.Outputs[i] != "" {
			o.normalize()
			env[n.Outputs[i]] = o
		}
	}
	return nil
}

// failure is the panic of call.failf.
type failure string

// A call is a node that runs.
type call struct {
	node *onnx.Node
	in   *Input
	ins  []*Tensor
}

func (c *call) failf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// make is New for a kernel.
func (c *call) make(d onnx.DType, dims []int64) *Tensor {
	t, err := New(d, dims)
	if err != nil {
		c.failf("%v", err)
	}
	return t
}

// arg returns an input, opt one that may be absent.
func (c *call) arg(i int) *Tensor {
	x := c.opt(i)
	if x == nil {
		c.failf("input %d is missing", i)
	}
	return x
}

func (c *call) opt(i int) *Tensor {
	if i >= len(c.ins) {
		return nil
	}
	return c.ins[i]
}

// ints returns an input that is a list of integers.
func (c *call) ints(i int) []int64 {
	x := c.arg(i)
	if isFloat(x.DType) {
		c.failf("input %d does not hold integers", i)
	}
	return x.I
}

// one returns the only element of an input.
func (c *call) one(i int) *Tensor {
	x := c.arg(i)
	if x.Len() != 1 {
		c.failf("input %d has %d elements instead of one", i, x.Len())
	}
	return x
}

func (c *call) attr(name string) *onnx.Attr {
	a := c.node.Attr(name)
	if a == nil || a.Ref == "" {
		return a
	}
	for _, x := range c.in.Attrs {
		if x.Name == a.Ref {
			return x
		}
	}
	return nil
}

func (c *call) intAttr(name string, def int64) int64 {
	if a := c.attr(name); a != nil {
		return a.Int
	}
	return def
}

func (c *call) floatAttr(name string, def float64) float64 {
	if a := c.attr(name); a != nil {
		return float64(a.Float)
	}
	return def
}

func (c *call) textAttr(name, def string) string {
	if a := c.attr(name); a != nil {
		return string(a.String)
	}
	return def
}

// axis gives a dimension number from 0.
func (c *call) axis(i int64, rank int) int {
	if i < 0 {
		i += int64(rank)
	}
	if i < 0 || i >= int64(rank) {
		c.failf("dimension %d of a tensor of %d dimensions", i, rank)
	}
	return int(i)
}

// axesOf reads dimension numbers from the input i, or an attribute; all when absent.
func (c *call) axesOf(i int, rank int) []int {
	var list []int64
	if c.opt(i) != nil {
		list = c.ints(i)
	} else if a := c.attr("axes"); a != nil {
		list = a.Ints
	}
	var out []int
	for _, x := range list {
		out = append(out, c.axis(x, rank))
	}
	return out
}
