package op

// This file counts the work of instructions that run, by the records' formulas.

import (
	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// Flops counts the multiplications and additions of an instruction whose operands and results
// have these dims; nil stands for one that is absent or no tensor. It is not known when the
// operator's record has no formula and the operator does not work element by element.
func Flops(i *isa.Instruction, in, out [][]int64) (int64, bool) {
	info := isa.Op(i.Op).Info()
	r := Lookup(info.Domain, info.Name)
	if r == nil || r.Flops == nil && r.Traits&ir.Pointwise == 0 || len(out) == 0 || out[0] == nil {
		return 0, false
	}
	pool := symshape.NewPool()
	values := func(list [][]int64, least int) []*ir.Value {
		vs := make([]*ir.Value, max(len(list), least))
		for k, dims := range list {
			if dims == nil {
				continue
			}
			v := &ir.Value{Type: inference.Type{Kind: onnx.TensorType, Ranked: true}}
			for _, d := range dims {
				v.Type.Dims = append(v.Type.Dims, pool.Const(d))
			}
			vs[k] = v
		}
		return vs
	}
	n := &ir.Node{Op: r, Ins: values(in, len(info.In)), Outs: values(out, len(info.Out))}
	for k, o := range info.In {
		if n.Ins[k] == nil && !o.Optional && !o.Variadic {
			return 0, false
		}
	}
	work := size(pool, n.Outs[0])
	if r.Flops != nil {
		var list []*onnx.Attr
		for _, a := range i.Attr {
			if x := a.ONNX(); x != nil { // formulas ask for no constants
				list = append(list, x)
			}
		}
		var err error
		if n.Attr, err = r.Schema.Decode(&onnx.Node{Op: r.Name, Domain: r.Domain, Attrs: list}, nil); err != nil {
			return 0, false
		}
		work = r.Flops(pool, n)
	}
	if work == nil {
		return 0, false
	}
	c, err := work.Eval(func(string) (int64, bool) { return 0, false })
	return c, err == nil
}

// machineMatMul counts matmul, whose first operand may be transposed.
func machineMatMul(p *symshape.Pool, n *ir.Node) *symshape.Expr {
	a := n.Ins[0]
	if dims := a.Type.Dims; a.Type.Ranked && len(dims) > 1 && n.Attr.Bool("ta") {
		return twice(p, size(p, n.Outs[0]), dims[len(dims)-2])
	}
	return matMulOf(p, a, n.Outs[0])
}
