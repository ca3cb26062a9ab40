package vm

// This file computes what only elements say the sizes of.

import (
	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

// find gives the results of an instruction by its finder; false: it has none for its operands.
func (f *frame) find(i *isa.Instruction, op isa.Op) ([]tensor.Value, bool, error) {
	finder := kernel.FinderOf(op)
	if finder == nil {
		return nil, false, nil
	}
	s, in := &kernel.Sig{Inst: i, In: make([]kernel.Operand, len(f.args))}, make([][]byte, len(f.args))
	for k, v := range f.args {
		x, ok := v.(*tensor.Tensor)
		switch {
		case v == nil:
			s.In[k].Absent = true
		case !ok:
			return nil, false, nil
		default:
			s.In[k], in[k] = kernel.Operand{DType: x.DType(), Dims: x.Dims()}, x.Bytes()
		}
	}
	over := func() bool { return f.over() != nil }
	found := finder.Find(s, in, over)
	if found == nil {
		return nil, false, f.cancelled()
	}
	f.names(finder.Name)
	f.outs = f.outs[:0]
	out := make([][]byte, len(i.Out))
	for k, r := range i.Out {
		if r.Value < 0 {
			f.outs, f.results = append(f.outs, nil), append(f.results, nil)
			continue
		}
		o := &found.Out[k]
		if err := f.room(o.Dims, o.DType); err != nil {
			return nil, true, err
		}
		y, b, err := f.memory(r, o.DType, o.Dims, -1, i)
		if err != nil {
			return nil, true, err
		}
		f.outs, f.results, out[k] = append(f.outs, y), append(f.results, b), y.Bytes()
	}
	found.Write(out, over)
	return f.outs, true, f.cancelled()
}
