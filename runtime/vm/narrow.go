package vm

// This file lets values that only kernels of bf16 make and read be of bf16, where the caller allows it: the program is changed when it is
// loaded.

import (
	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

// narrow gives the program with such values, and says of which instructions operands or results have other types than before.
func narrow(p *isa.Program) (*isa.Program, []bool) {
	ways := make([]kernel.Narrowing, len(p.Code))
	makers, can := make([]int, p.Values), make([]bool, p.Values)
	for pc, i := range p.Code {
		ways[pc] = kernel.Narrow(i, constantDims(p, i, 1))
		for k, r := range i.Out {
			if r.Value < 0 {
				continue
			}
			t := r.Type
			makers[r.Value]++
			can[r.Value] = k == 0 && makers[r.Value] == 1 && len(i.Binds) == 0 && ways[pc].Has(kernel.NarrowResult) &&
				t.Kind == isa.Type_TENSOR && !t.Unranked && tensor.DType(t.Elem) == tensor.Float32
		}
	}
	changed := true
	drop := func(x int32) {
		if x >= 0 && can[x] {
			can[x], changed = false, true
		}
	}
	for pc, i := range p.Code {
		for k, x := range i.In {
			if isa.Op(i.Op) != isa.Free && !ways[pc].Has(k) {
				drop(x)
			}
		}
	}
	value := func(i *isa.Instruction, operand int) int32 {
		if operand == kernel.NarrowResult {
			return i.Out[0].Value
		}
		return i.In[operand]
	}
	for changed {
		changed = false
		for pc, i := range p.Code {
			all := true
			for _, k := range ways[pc].Same {
				x := value(i, k)
				all = all && x >= 0 && can[x]
			}
			for _, k := range ways[pc].Same {
				if !all {
					drop(value(i, k))
				}
			}
		}
	}
	var out *isa.Program
	touched := make([]bool, len(p.Code))
	for pc, i := range p.Code {
		for _, x := range i.In {
			touched[pc] = touched[pc] || x >= 0 && can[x] && isa.Op(i.Op) != isa.Free
		}
		if len(i.Out) == 0 || i.Out[0].Value < 0 || !can[i.Out[0].Value] {
			continue
		}
		if out == nil {
			out = shallow(p)
			out.Code = append([]*isa.Instruction(nil), p.Code...)
		}
		touched[pc] = true
		i, r := shallow(i), shallow(i.Out[0])
		r.Type = shallow(r.Type)
		r.Type.Elem = uint32(tensor.BFloat16)
		i.Out = append([]*isa.Result{r}, i.Out[1:]...)
		out.Code[pc] = i
	}
	if out == nil {
		return p, nil
	}
	return out, touched
}

// shallow is a copy of a message that has the same lists and messages.
func shallow[M any](m *M) *M {
	c := *m
	return &c
}

// constantDims are the sizes of an operand that is a constant; nil: it is none.
func constantDims(p *isa.Program, i *isa.Instruction, operand int) []int64 {
	if operand >= len(i.In) {
		return nil
	}
	c, ok := isa.ConstIndex(i.In[operand])
	if !ok {
		return nil
	}
	var dims []int64
	for _, d := range p.Constants[c].Type.Dims {
		n, ok := p.Sizes[d].E.(*isa.Size_Const)
		if !ok {
			return nil
		}
		dims = append(dims, n.Const)
	}
	return dims
}
