package interp

// This file runs the machine's own operators.
//
// Each is written by its meaning in standard ONNX, so that it can be trusted as a reference: a
// fused product is the product, then the addition, then the activation.

import (
	"errors"
	"fmt"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// machine runs the operations of the machine's domain: a view needs as many elements as its operand, sizes
// are evaluated from symbols (and wrap in int32), a fill repeats the first element, and SeqStack needs a
// sequence.
func (r *run) machine(n *ir.Node, ins []eval.Value) ([]eval.Value, error) {
	switch n.Op.Opcode {
	case isa.View:
		x, ok := ins[0].(*eval.Tensor)
		dims, err := r.sizes(n.Outs[0].Type.Dims)
		if err != nil || !ok {
			return nil, errors.Join(err, notTensor(ok))
		}
		if count, err := onnx.Count(dims); err != nil || count != int64(x.Len()) {
			return nil, fmt.Errorf("a tensor of %v is no view of one of %v", dims, x.Dims)
		}
		y := *x
		y.Dims = dims
		return []eval.Value{&y}, nil
	case isa.Sizes:
		list, err := r.sizes(n.Outs[0].Elems)
		if err != nil {
			return nil, err
		}
		dims, err := r.sizes(n.Outs[0].Type.Dims)
		if err != nil {
			return nil, err
		}
		t := eval.Ints(dims, list...)
		t.DType = n.Outs[0].Type.Elem
		if t.DType == onnx.Int32 {
			for i, x := range t.I {
				t.I[i] = int64(int32(x))
			}
		}
		return []eval.Value{t}, nil
	case isa.Fill:
		dims, err := r.sizes(n.Outs[0].Type.Dims)
		if err != nil {
			return nil, err
		}
		one := &onnx.Node{Op: "Reshape", Inputs: []string{"i0", "none"}, Outputs: []string{"one"}}
		none := &onnx.Node{Op: "Constant", Outputs: []string{"none"},
			Attrs: []*onnx.Attr{{Name: "value", Type: onnx.AttrTensor, Tensor: onnx.NewInts([]int64{0})}}}
		return r.eval([]eval.Value{ins[0], eval.Ints(nil, dims...)}, []string{"o"}, none, one,
			&onnx.Node{Op: "Expand", Inputs: []string{"one", "i1"}, Outputs: []string{"o"}})
	case isa.SeqStack:
		s, ok := ins[0].(*eval.Sequence)
		if !ok {
			return nil, errors.New("the operand is no sequence")
		}
		v, err := r.stack(s, n.Attr.Int("axis"), n.Outs[0])
		return []eval.Value{v}, err
	case isa.Conv, isa.MatMul:
		return r.product(n, ins)
	}
	return nil, errors.New("it is not run here")
}

// notTensor is an error unless ok.
func notTensor(ok bool) error {
	if ok {
		return nil
	}
	return errors.New("the operand is no tensor")
}

// product runs conv and matmul as the operators of ONNX that they stand for. The operands are x
// and w (or two matrices), the bias, and a residual that is added last; act clips the sum. The
// attributes are those of the machine's instruction: ta and tb transpose, alpha multiplies a
// matrix product before the bias is added.
func (r *run) product(n *ir.Node, ins []eval.Value) ([]eval.Value, error) {
	var list []*onnx.Node
	value := ""
	add := func(op string, attrs []*onnx.Attr, in ...string) {
		value = fmt.Sprintf("v%d", len(list))
		list = append(list, &onnx.Node{Op: op, Inputs: in, Outputs: []string{value}, Attrs: attrs})
	}
	name := func(k int) string {
		if k < len(ins) && ins[k] != nil {
			return fmt.Sprintf("i%d", k)
		}
		return ""
	}
	number := func(f float32) string {
		add("Constant", []*onnx.Attr{{Name: "value_float", Type: onnx.AttrFloat, Float: f}})
		add("CastLike", nil, value, "i0")
		return value
	}
	if n.Op.Opcode == isa.Conv {
		attrs := []*onnx.Attr{}
		for _, a := range n.Attr.All() {
			switch a.Name {
			case "groups":
				attrs = append(attrs, onnx.IntAttr("group", a.Int))
			case "dilations", "pads", "strides":
				attrs = append(attrs, a)
			}
		}
		add("Conv", attrs, "i0", "i1", name(2))
	} else {
		operands := []string{"i0", "i1"}
		for k, flag := range []string{"ta", "tb"} {
			if n.Attr.Has(flag) && n.Attr.Int(flag) == 1 {
				t, ok := ins[k].(*eval.Tensor)
				if !ok || len(t.Dims) < 2 {
					return nil, errors.New("a vector is not transposed")
				}
				perm := make([]int64, len(t.Dims))
				for i := range perm {
					perm[i] = int64(i)
				}
				l := len(perm)
				perm[l-1], perm[l-2] = perm[l-2], perm[l-1]
				add("Transpose", []*onnx.Attr{onnx.IntsAttr("perm", perm...)}, operands[k])
				operands[k] = value
			}
		}
		add("MatMul", nil, operands...)
		if n.Attr.Has("alpha") {
			y := value
			add("Mul", nil, y, number(n.Attr.Float("alpha")))
		}
		if b := name(2); b != "" {
			add("Add", nil, value, b)
		}
	}
	if b := name(3); b != "" {
		add("Add", nil, value, b)
	}
	if n.Attr.Has("act") {
		switch y := value; n.Attr.String("act") {
		case "relu":
			add("Relu", nil, y)
		case "clip":
			lo := number(n.Attr.Float("lo"))
			hi := number(n.Attr.Float("hi"))
			add("Clip", nil, y, lo, hi)
		}
	}
	return r.eval(ins, []string{value}, list...)
}
