package vm

// This file computes the results of instructions: the machine's own operations, kernels, and
// what is left to the reference.

import (
	"errors"
	"fmt"
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// compute gives the results of an instruction that is neither a jump nor a loop.
func (f *frame) compute(i *isa.Instruction, op isa.Op) ([]tensor.Value, error) {
	one := func(v tensor.Value, err error) ([]tensor.Value, error) { return []tensor.Value{v}, err }
	switch op {
	case isa.In:
		return one(f.in[f.m.p.Inputs[i.Int("port", 0)].Name], nil)
	case isa.Copy, isa.Const:
		return one(f.args[0], nil)
	case isa.View:
		return one(f.view(i.Out[0].Type))
	case isa.Fill:
		return one(f.fill(i.Out[0].Type))
	case isa.Sizes:
		return one(f.sizes(i))
	case isa.SeqStack:
		return one(f.stack(i))
	case isa.CtxMake:
		return one(tensor.NewSequence(f.args...), nil)
	case isa.CtxGet:
		s := f.args[0].(*tensor.Sequence)
		k := i.Int("index", 0)
		if k >= int64(s.Len()) {
			return nil, fmt.Errorf("a context of %d values has no value %d", s.Len(), k)
		}
		return one(s.At(int(k)), nil)
	case isa.Reorder, isa.GroupOp:
		return nil, errors.New("it is not computed by this version")
	}
	if outs, done, err := f.sequence(i, op); done {
		return outs, err
	}
	if f.m.entries != nil {
		if outs, done, err := f.kernel(i); done {
			if err == nil && f.m.cfg.CheckReference != nil {
				err = f.checkReference(i, op, outs)
			}
			return outs, err
		}
	}
	f.names(ReferenceKernel)
	return f.reference(i, op)
}

func (f *frame) view(t *isa.Type) (tensor.Value, error) {
	dims, err := f.elements(t)
	if err != nil {
		return nil, err
	}
	return f.args[0].(*tensor.Tensor).Reshape(dims...)
}

func (f *frame) fill(t *isa.Type) (tensor.Value, error) {
	x := f.args[0].(*tensor.Tensor)
	if x.Len() != 1 {
		return nil, fmt.Errorf("%s has not one element", x.Type())
	}
	dims, err := f.elements(t)
	if err != nil {
		return nil, err
	}
	y, err := tensor.New(x.DType(), dims...)
	if err != nil {
		return nil, err
	}
	for k := range y.Len() {
		y.CopyElem(k, x, 0)
	}
	return y, nil
}

// sizes runs the instruction of that name.
func (f *frame) sizes(i *isa.Instruction) (tensor.Value, error) {
	list := i.Find("of").GetSizes().GetList()
	dims, err := f.elements(i.Out[0].Type)
	if err != nil {
		return nil, err
	}
	y, err := tensor.New(tensor.DType(i.Out[0].Type.Elem), dims...)
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

// kernel runs an instruction on the fast kernel that its operands choose, if there is one.
func (f *frame) kernel(i *isa.Instruction) ([]tensor.Value, bool, error) {
	has := false
	for _, e := range f.m.entries {
		has = has || uint32(e.Op) == i.Op
	}
	if !has || len(i.Out) != 1 && anyWanted(i.Out[1:]) {
		return nil, false, nil
	}
	s := &kernel.Sig{Inst: i}
	c := &kernel.Call{Sig: s}
	for k, v := range f.args {
		if v == nil {
			s.In, c.In = append(s.In, kernel.Operand{Absent: true}), append(c.In, nil)
			continue
		}
		t, ok := v.(*tensor.Tensor)
		if !ok {
			return nil, false, nil
		}
		o := kernel.Operand{DType: t.DType(), Dims: t.Dims()}
		if _, isConst := isa.ConstIndex(i.In[k]); isConst {
			o.Const = t.Bytes()
		}
		s.In, c.In = append(s.In, o), append(c.In, t.Bytes())
	}
	var dims []int64
	for _, e := range f.m.entries {
		if uint32(e.Op) == i.Op {
			shape, err := e.Shape(s)
			if err != nil {
				return nil, false, nil // the reference says what is wrong, or computes it
			}
			dims = shape[0]
			break
		}
	}
	s.Out = []kernel.Operand{{DType: tensor.DType(i.Out[0].Type.Elem), Dims: dims}}
	e := kernel.Choose(f.m.entries, s)
	if e == nil {
		return nil, false, nil
	}
	if _, err := f.elements(i.Out[0].Type); err != nil {
		return nil, true, err
	}
	y, err := tensor.New(s.Out[0].DType, dims...)
	if err != nil {
		return nil, true, err
	}
	if why := f.fits(i.Out[0].Type, y); why != "" {
		return nil, true, fmt.Errorf("the result is %s: %s", y.Type(), why)
	}
	c.Out = [][]byte{y.Bytes()}
	if err := f.m.prepare(e, c, f); err != nil {
		return nil, true, err
	}
	f.names(e.Name)
	f.m.pool.Do(e.Split(s).Tiles, f.timed(func(worker, tile int) {
		if f.ctx.Err() == nil {
			e.Run(c, worker, tile)
		}
	}))
	if err := f.ctx.Err(); err != nil {
		return nil, true, f.fail(CodeCancelled, err)
	}
	return []tensor.Value{y}, true, nil
}

func anyWanted(list []*isa.Result) bool {
	for _, r := range list {
		if r.Value >= 0 {
			return true
		}
	}
	return false
}

// prepare makes what a call needs: tables, the packed constant, scratch.
func (m *Model) prepare(e *kernel.Entry, c *kernel.Call, f *frame) error {
	if e.Prepare != nil {
		c.State = e.Prepare(c.Sig)
	}
	if p := e.Pack; p != nil && p.Operand < len(c.Sig.In) && c.Sig.In[p.Operand].Const != nil {
		var err error
		if c.Packed, err = m.packed.get(m, p, c.Sig, f.m.p.Code[f.pc].In[p.Operand]); err != nil {
			return err
		}
	}
	n := int64(0)
	if e.Scratch != nil {
		n = e.Scratch(c.Sig)
	}
	for range m.pool.Threads() {
		if n == 0 {
			c.Scratch = append(c.Scratch, nil)
			continue
		}
		t, err := tensor.New(tensor.Uint8, (n+memory.Align-1)/memory.Align*memory.Align)
		if err != nil {
			return err
		}
		c.Scratch = append(c.Scratch, t.Bytes()[:n])
	}
	return nil
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
