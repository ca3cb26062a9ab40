package pass

// This file makes nodes within passes.

import (
	"fmt"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/op"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// info is what inference knows of a value.
func (c *Context) info(v *ir.Value) *inference.Value {
	if v == nil {
		return nil
	}
	if v.Info == nil {
		v.Info = c.session().ValueOf(&v.Type, v.Elems)
	}
	return v.Info
}

func (c *Context) session() *inference.Session {
	if c.run.session == nil {
		c.run.session = inference.NewSession(c.Module.Pool)
		c.run.session.Facts = c.Module.Facts
	}
	return c.run.session
}

// Make makes a node of an operator of ONNX with outs results before another node (nil: at
// the end), typed by inference. The error says why the node cannot run; nothing is made
// then. from is the origin, to which the running pass is added.
func (c *Context) Make(g *ir.Graph, before *ir.Node, name string, outs int, from ir.Origin, ins []*ir.Value,
	attrs ...*onnx.Attr) (*ir.Node, error) {
	rec := op.Lookup("", name)
	if rec == nil {
		return nil, fmt.Errorf("there is no operator %s", name)
	}
	a, err := rec.Schema.Decode(&onnx.Node{Op: name, Attrs: attrs}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	ask := &inference.Node{Op: rec.Schema, Attrs: a, Outs: outs}
	for _, v := range ins {
		ask.Ins = append(ask.Ins, c.info(v))
	}
	vals, errs := c.session().Infer(ask)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	spec := ir.Spec{Op: rec, Ins: ins, Attr: a, From: ir.Union(c.pass.Name, from)}
	for _, v := range vals {
		spec.Types = append(spec.Types, *v.Type)
	}
	n := c.Module.AddNode(g, before, spec)
	for i, v := range n.Outs {
		v.Info, v.Elems = vals[i], vals[i].Elements()
	}
	return n, nil
}

// MakeAs is Make for a node of one result whose type is known: the result's sizes are
// symbols that the node binds, or the inference cannot know what the pass does.
func (c *Context) MakeAs(g *ir.Graph, before *ir.Node, name string, t inference.Type, from ir.Origin, ins []*ir.Value,
	attrs ...*onnx.Attr) (*ir.Node, error) {
	rec := op.Lookup("", name)
	if rec == nil {
		return nil, fmt.Errorf("there is no operator %s", name)
	}
	a, err := rec.Schema.Decode(&onnx.Node{Op: name, Attrs: attrs}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c.Module.AddNode(g, before, ir.Spec{Op: rec, Ins: ins, Attr: a, Types: []inference.Type{t}, From: ir.Union(c.pass.Name, from)}), nil
}

// SizesOf makes a tensor of sizes: of no dimensions for one of them and scalar set, else
// of one. Sizes that are all numbers are a constant. The error is that of Module.AddConst.
func (c *Context) SizesOf(g *ir.Graph, before *ir.Node, from ir.Origin, scalar bool, sizes ...*symshape.Expr) (*ir.Value, error) {
	t := inference.Type{Kind: onnx.TensorType, Elem: onnx.Int64, Ranked: true, Dims: []*symshape.Expr{}}
	dims := []int64{}
	if !scalar {
		dims = append(dims, int64(len(sizes)))
		t.Dims = append(t.Dims, c.Module.Pool.Const(int64(len(sizes))))
	}
	numbers := make([]int64, len(sizes))
	all := true
	for i, s := range sizes {
		var ok bool
		numbers[i], ok = s.Const()
		all = all && ok
	}
	if all {
		return c.Module.AddConst("", onnx.NewInts(dims, numbers...))
	}
	n := c.Module.AddNode(g, before, ir.Spec{Op: op.Lookup(isa.MachineDomain, "sizes"), Types: []inference.Type{t},
		From: ir.Union(c.pass.Name, from)})
	n.Outs[0].Elems = sizes
	return n.Outs[0], nil
}

// record finds the record of an operator that is known to exist.
func (c *Context) record(domain, name string) *ir.Record {
	r := op.Lookup(domain, name)
	if r == nil {
		panic(fmt.Sprintf("pass: there is no operator %s", name))
	}
	return r
}

func typesOf(list ...*ir.Value) []inference.Type {
	out := make([]inference.Type, len(list))
	for i, v := range list {
		out[i] = v.Type
	}
	return out
}
