package pass

// This file holds the rules of products.

import (
	"slices"
	"strings"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/inference"
	"shapecheck/symshape"
)

var productRules = []Rule{
	{Name: "einsum-product", Ops: []string{"Einsum"}, Apply: func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		e := einsumOf(n)
		if e == nil || !isFloat(n.Outs[0].Type.Elem) || !ok() {
			return nil, nil
		}
		return e.write(c, g, n)
	}},
}

// view makes a value of the same elements with other dimensions, or gives the value
// itself when it has them.
func (c *Context) view(g *ir.Graph, before *ir.Node, v *ir.Value, dims []*symshape.Expr) *ir.Value {
	if slices.Equal(v.Type.Dims, dims) {
		return v
	}
	t := v.Type
	t.Dims = dims
	n := c.Module.AddNode(g, before, ir.Spec{Op: c.record(isa.MachineDomain, "view"), Ins: []*ir.Value{v}, Types: []inference.Type{t}, From: ir.Union(c.pass.Name, before.From)})
	return n.Outs[0]
}

// machineNode makes a machine's node of one result with attributes.
func (c *Context) machineNode(g *ir.Graph, before *ir.Node, name string, t inference.Type, from ir.Origin, ins []*ir.Value, attrs ...*onnx.Attr,
) (*ir.Node, error) {
	rec := c.record(isa.MachineDomain, name)
	a, err := rec.Schema.Decode(&onnx.Node{Op: name, Attrs: attrs}, nil)
	if err != nil {
		return nil, err
	}
	return c.Module.AddNode(g, before, ir.Spec{Op: rec, Ins: ins, Attr: a, Types: []inference.Type{t}, From: ir.Union(c.pass.Name, from)}), nil
}

// An einsum is a sum of products of two tensors that is a product of stacks of matrices.
type einsum struct {
	a, b, out               string
	batch, left, right, sum string // letters of the stacks, rows, columns, and of what is summed
}

// einsumOf reads an Einsum of two operands with explicit letters, each once in a term, of
// which those of one operand alone are in the result.
func einsumOf(n *ir.Node) *einsum {
	eq := strings.ReplaceAll(n.Attr.String("equation"), " ", "")
	in, out, explicit := strings.Cut(eq, "->")
	a, b, two := strings.Cut(in, ",")
	if !explicit || !two || len(n.Ins) != 2 || strings.ContainsAny(eq, ".") || strings.Contains(b, ",") {
		return nil
	}
	e := &einsum{a: a, b: b, out: out}
	dims := map[rune]*symshape.Expr{}
	for i, term := range []string{a, b} {
		if !n.Ins[i].Type.Ranked || len(n.Ins[i].Type.Dims) != len(term) {
			return nil
		}
		for k, r := range term {
			d := n.Ins[i].Type.Dims[k]
			if strings.Count(term, string(r)) != 1 || dims[r] != nil && dims[r] != d { // also sizes of 1 that are broadcast
				return nil
			}
			dims[r] = d
		}
	}
	for _, r := range out {
		if strings.Count(out, string(r)) != 1 || dims[r] == nil {
			return nil
		}
	}
	for _, r := range a {
		inB, inOut := strings.ContainsRune(b, r), strings.ContainsRune(out, r)
		switch {
		case inB && inOut:
			e.batch += string(r)
		case inB:
			e.sum += string(r)
		case inOut:
			e.left += string(r)
		default:
			return nil
		}
	}
	for _, r := range b {
		if !strings.ContainsRune(a, r) {
			if !strings.ContainsRune(out, r) {
				return nil
			}
			e.right += string(r)
		}
	}
	if e.sum == "" {
		return nil
	}
	return e
}

// write makes transposes, views and a product.
func (e *einsum) write(c *Context, g *ir.Graph, n *ir.Node) ([]*ir.Value, error) {
	dims := map[rune]*symshape.Expr{}
	for i, term := range []string{e.a, e.b} {
		for k, r := range term {
			dims[r] = n.Ins[i].Type.Dims[k]
		}
	}
	of := func(letters string) []*symshape.Expr {
		var out []*symshape.Expr
		for _, r := range letters {
			out = append(out, dims[r])
		}
		return out
	}
	turn := func(v *ir.Value, from, to string) (*ir.Value, error) {
		if from == to {
			return v, nil
		}
		perm := make([]int64, 0, len(to))
		for _, r := range to {
			perm = append(perm, int64(strings.IndexRune(from, r)))
		}
		m, err := c.Make(g, n, "Transpose", 1, n.From, []*ir.Value{v}, onnx.IntsAttr("perm", perm...))
		if err != nil {
			return nil, err
		}
		return m.Outs[0], nil
	}
	rows, cols, sum := c.product(of(e.left)), c.product(of(e.right)), c.product(of(e.sum))
	if rows == nil || cols == nil || sum == nil {
		return nil, nil
	}
	a, err := turn(n.Ins[0], e.a, e.batch+e.left+e.sum)
	if err != nil {
		return nil, err
	}
	b, err := turn(n.Ins[1], e.b, e.batch+e.sum+e.right)
	if err != nil {
		return nil, err
	}
	a = c.view(g, n, a, append(of(e.batch), rows, sum))
	b = c.view(g, n, b, append(of(e.batch), sum, cols))
	t := n.Outs[0].Type
	t.Dims = append(of(e.batch), rows, cols)
	p, err := c.MakeAs(g, n, "MatMul", t, n.From, []*ir.Value{a, b})
	if err != nil {
		return nil, err
	}
	y := c.view(g, n, p.Outs[0], of(e.batch+e.left+e.right))
	if y, err = turn(y, e.batch+e.left+e.right, e.out); err != nil {
		return nil, err
	}
	return []*ir.Value{y}, nil
}
