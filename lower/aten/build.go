package aten

// This file emits the nodes of a function's body.

import (
	"fmt"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// A V is a value in the body: its name and element type. Without a name it is an
// optional input that is absent.
type V struct {
	Name  string
	DType onnx.DType
}

// Op emits a node with one result.
func (c *Call) Op(op string, ins []V, attrs ...*onnx.Attr) V {
	return c.Ops(op, 1, ins, attrs...)[0]
}

// Ops emits a node with n results.
func (c *Call) Ops(op string, n int, ins []V, attrs ...*onnx.Attr) []V {
	known := schema.Lookup("", op, c.Opset)
	if known == nil {
		c.Failf("%s needs opset %d", op, schema.First("", op))
	}
	ins, back := c.fit(known, ins)
	node := &onnx.Node{Op: op, Attrs: attrs}
	for len(ins) > 0 && ins[len(ins)-1].Name == "" { // absent inputs at the end are left out
		ins = ins[:len(ins)-1]
	}
	types := make([]onnx.DType, len(ins))
	for i, v := range ins {
		node.Inputs = append(node.Inputs, v.Name)
		types[i] = v.DType
	}
	outs := make([]V, n)
	for i := range outs {
		outs[i] = V{c.temp(), known.ResultDType(i, types, node)}
		node.Outputs = append(node.Outputs, outs[i].Name)
	}
	c.nodes = append(c.nodes, node)
	if back != onnx.Undefined {
		for i := range outs {
			if outs[i].DType == onnx.Float {
				outs[i] = c.Cast(outs[i], back)
			}
		}
	}
	return outs
}

// In is a short way to write a list of inputs.
func In(v ...V) []V { return v }

// temp returns a name for a result.
func (c *Call) temp() string {
	for {
		c.temps++
		if s := fmt.Sprintf("t%d", c.temps); !c.taken[s] {
			return s
		}
	}
}

// Return sets the results of the node.
func (c *Call) Return(outs ...V) { c.outs = outs }

// Cast converts to an element type; a value that has it stays as it is.
func (c *Call) Cast(v V, d onnx.DType) V {
	if v.DType == d || v.Name == "" {
		return v
	}
	if isComplex(v.DType) || isComplex(d) {
		c.Failf("there are no complex numbers")
	}
	if _, integer := intRanges[d]; integer && d != onnx.Bool && v.DType == onnx.Float16 {
		v = c.Op("Max", In(v)) // ONNX Runtime computes in f32 and would cut off what was not rounded to f16
	}
	return c.Op("Cast", In(v), onnx.IntAttr("to", int64(d)))
}

// Const emits a constant. Equal constants of a body are one.
func (c *Call) Const(t *onnx.Tensor) V {
	key := fmt.Sprintf("%d%v%s", t.DType, t.Dims, t.Raw)
	if v, ok := c.consts[key]; ok {
		return v
	}
	v := c.Op("Constant", nil, onnx.TensorAttr("value", t))
	if c.consts == nil {
		c.consts = map[string]V{}
	}
	c.consts[key] = v
	return v
}

// Scalar emits a constant of no dimensions.
func (c *Call) Scalar(d onnx.DType, f float64) V {
	if isComplex(d) {
		c.Failf("there are no complex numbers")
	}
	t, err := onnx.NewScalar(d, f)
	if err != nil {
		c.Failf("%v", err)
	}
	return c.Const(t)
}

// I64 emits a one-dimensional constant of integers, as axes and shapes are.
func (c *Call) I64(list ...int64) V { return c.Const(onnx.NewInts(nil, list...)) }

// I64Scalar emits an integer constant of no dimensions.
func (c *Call) I64Scalar(i int64) V { return c.Const(onnx.NewInts([]int64{}, i)) }

// body collects what was emitted: nodes whose results nobody uses are dropped.
func (c *Call) body() *Body {
	b := &Body{Name: FunctionName(c.Node.Op), Attrs: c.attrs}
	used := map[string]bool{}
	for i, v := range c.outs {
		if _, ok := c.converted(i); ok {
			v = c.Cast(v, c.dtype(c.OutType(i).DType))
			c.outs[i] = v
		}
		name := v.Name
		for _, o := range b.Outputs { // an output stands once
			if o == name {
				name = ""
			}
		}
		for _, f := range c.formals { // an output is no input
			if f.Name == name {
				name = ""
			}
		}
		if name == "" {
			name = c.Op("Identity", In(c.outs[i])).Name
		}
		used[name] = true
		b.Outputs = append(b.Outputs, name)
	}
	var keep []*onnx.Node
	for i := len(c.nodes) - 1; i >= 0; i-- {
		n := c.nodes[i]
		live := false
		for _, o := range n.Outputs {
			live = live || used[o]
		}
		if !live {
			continue
		}
		markInputs(n, used)
		keep = append(keep, n)
	}
	for i := len(keep) - 1; i >= 0; i-- {
		b.Nodes = append(b.Nodes, keep[i])
	}
	for _, f := range c.formals {
		if used[f.Name] {
			b.Formals = append(b.Formals, f)
		}
	}
	refs := map[string]bool{}
	for _, n := range b.Nodes {
		for _, a := range n.Attrs {
			refs[a.Ref] = true
		}
	}
	b.Attrs = nil
	for _, a := range c.attrs {
		if refs[a.Name] {
			b.Attrs = append(b.Attrs, a)
		}
	}
	return b
}

// markInputs notes what a node reads, in its subgraphs too.
func markInputs(n *onnx.Node, used map[string]bool) {
	for _, in := range n.Inputs {
		used[in] = true
	}
	n.Subgraphs(func(_ string, g *onnx.Graph) {
		for _, m := range g.Nodes {
			markInputs(m, used)
		}
		for _, o := range g.Outputs {
			used[o.Name] = true
		}
	})
}
