package vm

// This file computes instructions with the reference evaluator, in float64 with one rounding
// for each node.
//
// An instruction is written as a graph of ONNX of one or a few nodes, and the evaluator runs it:
// the machine has no semantics of its own for operators, and a difference between a kernel and
// the reference is a fault of the kernel. Operands are converted to float64, int64 or complex128
// and back, which is slow but needs no code for each type.

import (
	"errors"
	"fmt"
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// reference computes an instruction. Sizes of the results are asked of the budget before anything
// is computed. The seed is the number of the instruction in this run, so that a run with random
// operators can be repeated. Its error is the evaluator's, or that of memory.
func (f *frame) reference(i *isa.Instruction, op isa.Op) ([]tensor.Value, error) {
	narrow := f.m.narrow != nil && f.m.narrow[f.pc] // the program has it in f32
	g := &onnx.Graph{}
	names, values := make([]string, len(f.args)), map[string]eval.Value{}
	for k, v := range f.args {
		if v == nil {
			continue
		}
		names[k] = fmt.Sprintf("i%d", k)
		var err error
		if values[names[k]], err = f.toEval(v); err != nil {
			return nil, err
		}
		if narrow {
			retype(values[names[k]], tensor.BFloat16, tensor.Float32)
		}
		g.Inputs = append(g.Inputs, &onnx.ValueInfo{Name: names[k]})
	}
	for _, r := range i.Out {
		if r.Value >= 0 && r.Type.Kind == isa.Type_TENSOR && !r.Type.Unranked && len(i.Binds) == 0 {
			if _, err := f.elements(r.Type); err != nil {
				return nil, err
			}
		}
	}
	var err error
	if g.Nodes, err = f.nodes(i, op, names); err != nil {
		return nil, err
	}
	last := g.Nodes[len(g.Nodes)-1]
	for _, name := range last.Outputs {
		if name != "" {
			g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: name})
		}
	}
	// each instruction that draws draws others
	list, err := eval.Model(&onnx.Model{Graph: g}, values, eval.Config{Context: f.ctx, Seed: uint64(f.count),
		Limits: eval.Limits{Bytes: math.MaxInt64}})
	if err != nil {
		return nil, err
	}
	outs := make([]tensor.Value, len(i.Out))
	for k := range i.Out {
		if k >= len(last.Outputs) || last.Outputs[k] == "" {
			continue
		}
		if narrow && tensor.DType(i.Out[k].Type.Elem) == tensor.BFloat16 {
			retype(list[0], tensor.Float32, tensor.BFloat16)
		}
		if outs[k], err = f.fromEval(list[0]); err != nil {
			return nil, err
		}
		list = list[1:]
	}
	return outs, nil
}

// retype gives a tensor of one type another one.
func retype(v eval.Value, from, to tensor.DType) {
	if t, ok := v.(*eval.Tensor); ok && t.DType == from {
		t.DType = to
	}
}

// nodes writes the instruction as nodes of ONNX: one, or, for the machine's products with their
// epilogue, the nodes that they stand for. The error is an instruction of the machine that has no
// form in ONNX, or an attribute that has none.
func (f *frame) nodes(i *isa.Instruction, op isa.Op, names []string) ([]*onnx.Node, error) {
	info := op.Info()
	if info.Domain != isa.MachineDomain {
		n := &onnx.Node{Op: info.Name, Domain: info.Domain, Inputs: names}
		for k, r := range i.Out {
			name := ""
			if r.Value >= 0 {
				name = fmt.Sprintf("o%d", k)
			}
			n.Outputs = append(n.Outputs, name)
		}
		for _, a := range i.Attr {
			x, err := f.m.attr(a)
			if err != nil {
				return nil, err
			}
			n.Attrs = append(n.Attrs, x)
		}
		return []*onnx.Node{n}, nil
	}
	if op != isa.Conv && op != isa.MatMul {
		return nil, errors.New("it is not computed by this version")
	}
	return f.product(i, op, names)
}

func ints(name string, list []int64) *onnx.Attr {
	return &onnx.Attr{Name: name, Type: onnx.AttrInts, Ints: list}
}

// product writes conv and matmul. The epilogue becomes nodes of its own: transposes, the product,
// additions, and a Relu or a Clip.
func (f *frame) product(i *isa.Instruction, op isa.Op, names []string) (list []*onnx.Node, err error) {
	value := ""
	add := func(op string, attrs []*onnx.Attr, in ...string) {
		value = fmt.Sprintf("v%d", len(list))
		list = append(list, &onnx.Node{Op: op, Inputs: in, Outputs: []string{value}, Attrs: attrs})
	}
	number := func(f float64) string { // in the type of the operands
		add("Constant", []*onnx.Attr{{Name: "value_float", Type: onnx.AttrFloat, Float: float32(f)}})
		add("CastLike", nil, value, names[0])
		return value
	}
	opt := func(k int) string {
		if k < len(names) {
			return names[k]
		}
		return ""
	}
	if op == isa.Conv {
		attrs := []*onnx.Attr{{Name: "group", Type: onnx.AttrInt, Int: i.Int("groups", 1)}}
		for _, name := range []string{"dilations", "pads", "strides"} {
			if x := i.Ints(name); x != nil {
				attrs = append(attrs, ints(name, x))
			}
		}
		in := []string{names[0], names[1]}
		if opt(2) != "" {
			in = append(in, opt(2))
		}
		add("Conv", attrs, in...)
	} else {
		operands := []string{names[0], names[1]}
		for k, flag := range []string{"ta", "tb"} {
			rank := len(f.args[k].(*tensor.Tensor).Dims())
			if i.Int(flag, 0) == 0 || rank < 2 {
				continue
			}
			perm := make([]int64, rank)
			for d := range perm {
				perm[d] = int64(d)
			}
			perm[rank-1], perm[rank-2] = perm[rank-2], perm[rank-1]
			add("Transpose", []*onnx.Attr{ints("perm", perm)}, operands[k])
			operands[k] = value
		}
		add("MatMul", nil, operands...)
		if alpha := i.Float("alpha", 1); alpha != 1 {
			y := value
			add("Mul", nil, y, number(alpha))
		}
		if opt(2) != "" {
			add("Add", nil, value, opt(2))
		}
	}
	if opt(3) != "" {
		add("Add", nil, value, opt(3))
	}
	switch i.Str("act", "none") {
	case "relu":
		add("Relu", nil, value)
	case "clip":
		y := value
		lo := number(i.Float("lo", math.Inf(-1)))
		add("Clip", nil, y, lo, number(i.Float("hi", math.Inf(1))))
	}
	return list, nil
}

// attr writes an attribute as ONNX has it.
func (m *Model) attr(a *isa.Attr) (*onnx.Attr, error) {
	if v, ok := a.V.(*isa.Attr_Constant); ok {
		return &onnx.Attr{Name: a.Name, Type: onnx.AttrTensor, Tensor: m.consts[v.Constant].now.Load().Proto("")}, nil
	}
	if out := a.ONNX(); out != nil {
		return out, nil
	}
	return nil, fmt.Errorf("the attribute %s has no form in ONNX", a.Name)
}

// chunk is how many elements are converted between two looks at the context.
const chunk = 1 << 16

// toEval gives a value as the evaluator has it: exactly. The only error is the context's.
func (f *frame) toEval(v tensor.Value) (eval.Value, error) {
	switch v := v.(type) {
	case *tensor.Sequence:
		s := &eval.Sequence{}
		for _, x := range v.All {
			y, err := f.toEval(x)
			if err != nil {
				return nil, err
			}
			s.Items = append(s.Items, y)
		}
		return s, nil
	case *tensor.Optional:
		if v.Of == nil {
			return &eval.Optional{}, nil
		}
		y, err := f.toEval(v.Of)
		return &eval.Optional{Of: y}, err
	}
	t := v.(*tensor.Tensor)
	x := &eval.Tensor{DType: t.DType(), Dims: t.Dims()}
	n := t.Len()
	if err := memory.Ask(eval.BytesOf(t.DType(), int64(n))); err != nil {
		return nil, err
	}
	var one func(i int)
	switch {
	case tensor.IsComplex(t.DType()):
		x.C = make([]complex128, n)
		one = func(i int) { x.C[i] = complex(t.Float(i), t.Imag(i)) }
	case tensor.IsFloat(t.DType()):
		x.F = make([]float64, n)
		one = func(i int) { x.F[i] = t.Float(i) }
	default:
		x.I = make([]int64, n)
		one = func(i int) { x.I[i] = t.Int(i) }
	}
	for i := range n {
		if i%chunk == 0 && i > 0 {
			if err := f.over(); err != nil {
				return nil, err
			}
		}
		one(i)
	}
	return x, nil
}

// fromEval gives the evaluator's value with elements in their own type. Sequences and optionals
// are converted recursively. The error is a kind of value that the machine has not.
func (f *frame) fromEval(v eval.Value) (tensor.Value, error) {
	switch v := v.(type) {
	case *eval.Sequence:
		var list []tensor.Value
		for _, x := range v.Items {
			y, err := f.fromEval(x)
			if err != nil {
				return nil, err
			}
			list = append(list, y)
		}
		return tensor.NewSequence(list...), nil
	case *eval.Optional:
		if v.Of == nil {
			return &tensor.Optional{}, nil
		}
		y, err := f.fromEval(v.Of)
		return &tensor.Optional{Of: y}, err
	case *eval.Tensor:
		return f.tensorOf(v)
	}
	return nil, fmt.Errorf("a value of type %T has no form here", v)
}

// tensorOf converts a result of the evaluator, which computes in float64 and int64, to the machine's element
// types. Floats are rounded once to the element type, integers are cut to its width. It asks now
// and then whether the run has ended, as large tensors take long.
func (f *frame) tensorOf(x *eval.Tensor) (tensor.Value, error) {
	t, err := tensor.New(x.DType, x.Dims...)
	if err != nil {
		return nil, err
	}
	if n := len(x.F) + len(x.I) + len(x.C); n != t.Len() {
		return nil, fmt.Errorf("the evaluator's %s has %d elements", t.Type(), n)
	}
	for i := range t.Len() {
		if i%chunk == 0 {
			if err := f.over(); err != nil {
				return nil, err
			}
		}
		switch {
		case x.F != nil:
			t.SetFloat(i, x.F[i])
		case x.I != nil:
			t.SetInt(i, x.I[i])
		default:
			t.SetComplex(i, real(x.C[i]), imag(x.C[i]))
		}
	}
	return t, nil
}
