package vm

// This file computes the results of instructions: the machine's own operations, kernels, and
// what is left to the reference.

import (
	"fmt"
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/runtime/tensor"
)

// compute gives the results of an instruction that is neither a jump nor a loop.
func (f *frame) compute(i *isa.Instruction, op isa.Op) ([]tensor.Value, error) {
	one := func(v tensor.Value, err error) ([]tensor.Value, error) {
		f.outs = append(f.outs[:0], v)
		return f.outs, err
	}
	switch op {
	case isa.In:
		return one(f.in[i.Int("port", 0)], nil)
	case isa.Copy, isa.Const:
		return one(f.args[0], nil)
	case isa.View:
		return one(f.view(i))
	case isa.Fill:
		return one(f.fill(i))
	case isa.Sizes:
		return one(f.sizes(i))
	case isa.SeqStack:
		return one(f.stack(i))
	}
	if f.m.isRowsOfInput(f.pc) {
		if y, err := f.inputRows(i); y != nil || err != nil {
			return one(y, err)
		}
	}
	if f.m.kernels == nil || f.m.kernels[f.pc] == nil {
		if outs, done, err := f.sequence(i, op); done {
			return outs, err
		}
	}
	if f.m.kernels != nil {
		outs, done, err := f.kernel(i)
		if !done && err == nil {
			outs, done, err = f.find(i, op)
		}
		if done || err != nil {
			if err == nil && f.m.cfg.CheckReference != nil {
				err = f.checkReference(i, op, outs)
			}
			return outs, err
		}
	}
	f.names(ReferenceKernel)
	if err := f.fillConstants(i); err != nil {
		return nil, err
	}
	return f.reference(i, op)
}

// view gives the elements under other sizes: a new head over the same bytes, which is used again where the
// value's memory is.
func (f *frame) view(i *isa.Instruction) (tensor.Value, error) {
	dims, err := f.elements(i.Out[0].Type)
	if err != nil {
		return nil, err
	}
	x := f.args[0].(*tensor.Tensor)
	if n, err := onnx.Count(dims); !f.recycles || f.kept[i.Out[0].Value] || err != nil || n != int64(x.Len()) {
		return x.Reshape(dims...)
	}
	return f.own[i.Out[0].Value].head(x.DType(), dims, x.Bytes()), nil
}

// fillPiece is how much is filled between two looks at the context.
const fillPiece = 1 << 20

// made makes the tensor of an instruction's only result.
func (f *frame) made(i *isa.Instruction, d tensor.DType) (*tensor.Tensor, error) {
	dims, err := f.elements(i.Out[0].Type)
	if err != nil {
		return nil, err
	}
	y, b, err := f.memory(i.Out[0], d, dims, -1, i)
	f.results = append(f.results, b)
	return y, err
}

// fill repeats one element by copying what is written already, in pieces between which the context is asked.
func (f *frame) fill(i *isa.Instruction) (tensor.Value, error) {
	x := f.args[0].(*tensor.Tensor)
	if x.Len() != 1 {
		return nil, fmt.Errorf("%s has not one element", x.Type())
	}
	y, err := f.made(i, x.DType())
	if err != nil {
		return nil, err
	}
	if x.DType().Bits()%8 == 0 {
		b := y.Bytes()
		for n := copy(b, x.Bytes()); n > 0 && n < len(b); {
			n += copy(b[n:], b[:min(n, fillPiece)])
			if err := f.over(); err != nil {
				return nil, err
			}
		}
		return y, nil
	}
	clear(y.Bytes())
	for k := range y.Len() {
		if k%chunk == 0 {
			if err := f.over(); err != nil {
				return nil, err
			}
		}
		y.CopyElem(k, x, 0)
	}
	return y, nil
}

// sizes runs the instruction of that name.
func (f *frame) sizes(i *isa.Instruction) (tensor.Value, error) {
	list := i.Find("of").GetSizes().GetList()
	y, err := f.made(i, tensor.DType(i.Out[0].Type.Elem))
	if err != nil {
		return nil, err
	}
	if y.Len() != len(list) {
		return nil, fmt.Errorf("there are %d sizes for %s", len(list), y.Type())
	}
	for k, z := range list {
		if v := f.vals[z]; y.DType() == tensor.Int32 && int64(int32(v)) != v {
			return nil, fmt.Errorf("the size %d has more than 32 bits", v)
		}
		y.SetInt(k, f.vals[z])
	}
	return y, nil
}

// checkNumbers looks for NaN and infinities when these are checked.
func (f *frame) checkNumbers(k int, v tensor.Value) error {
	t, ok := v.(*tensor.Tensor)
	if !ok || !f.m.cfg.CheckNaN && !f.m.cfg.CheckInf || !tensor.IsFloat(t.DType()) {
		return nil
	}
	for i := range t.Len() {
		x := t.Float(i)
		if f.m.cfg.CheckNaN && math.IsNaN(x) || f.m.cfg.CheckInf && math.IsInf(x, 0) {
			return f.fail(CodeNumber, fmt.Errorf("element %d of result %d is %v", i, k, x))
		}
	}
	return nil
}
