package vm

// This file gives results of kernels their memory. A value that never leaves the run lies in a block, which
// goes back to the model's store with the last value that has it; others are in Go's heap.
//
// A value's memory is chosen once, when the instruction that makes it is set up, in this order of
// preference: Go's heap, where something may refer to it after the value's end (kept); the
// caller's output memory, where the value becomes an output and nothing else (direct); the block
// of an operand that ends here, for element by element kernels; the place that the plan of this
// model's sizes gives it; the block of the same value's last trip; and a block of the store.
//
// All of it belongs to one run, which is one goroutine: only the store is shared and locks.

import (
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// A block is memory that values of a run have. A block with class 0 goes back to the store when
// values reaches 0; one with a class belongs to the plan, which frees it as a whole.
type block struct {
	buf    *memory.Buffer
	values int   // that have it
	ending int   // of these, freed within the group that is set up: they live to its end
	home   int32 // the value it was made for
	class  int32 // 1 + the planned one; 0: the memory is the store's
	over   bool  // the planned one has memory that others have
}

// small is the size up to which a block stays with its value for the next trip of a loop.
const small = 16 << 10

// A slot is what a run has for a value. heads are two, because in a loop the new value of a state
// is made while the old one is read.
type slot struct {
	block *block
	spare *block // of an earlier result, which nobody has
	rows  *rows  // of a loop's state
	// heads are tensors that the value's results become in turn: the last one may be an operand still.
	heads [2]tensor.Tensor
	turn  int
}

// shares lists, of an instruction's results, the operand whose memory each has, or -1. A view and
// a copy have the memory of their operand, and the states of a loop that of the operand at the
// same place from the end, as loop.begin and loop.next have other operands in front.
func shares(i *isa.Instruction, result int) int {
	switch isa.Op(i.Op) {
	case isa.View, isa.Copy:
		return 0
	case isa.LoopBegin, isa.LoopNext:
		if at := result + len(i.In) - len(i.Out); result >= 2 && at >= 0 {
			return at
		}
	}
	return -1
}

// keeps reports whether an operation keeps its operands beyond their lives: what the caller gets, and
// elements of sequences and optionals.
func keeps(op isa.Op) bool {
	return op == isa.Out || onSequences(op.String())
}

// findKept marks the values whose memory may be in use after they end: with those that the caller
// gets, or, where outputs are copied, without. It is a fixed point: a value is kept if one of its
// memory is, and each pass over the program carries the mark backward over at least one
// instruction that shares memory. Chains of views and loops need the repetition. Sequences that
// are rows of one tensor (isRow) copy their elements and keep nothing.
func (m *Model) findKept(outputs bool) []bool {
	kept := make([]bool, m.p.Values)
	states := map[int32]bool{} // of loops: they are copied when they leave, so that trips make no garbage
	for _, i := range m.p.Code {
		if isa.Op(i.Op) == isa.LoopNext {
			for _, r := range i.Out {
				states[r.Value] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		mark := func(x int32) {
			if x >= 0 && !kept[x] {
				kept[x], changed = true, true
			}
		}
		for _, i := range m.p.Code {
			if keeps(isa.Op(i.Op)) && !m.isRow(i) {
				for _, x := range i.In {
					if isa.Op(i.Op) != isa.Out || outputs && !states[x] {
						mark(x)
					}
				}
			}
			for k, r := range i.Out {
				if at := shares(i, k); at >= 0 && r.Value >= 0 && kept[r.Value] {
					mark(i.Operand(at))
				}
			}
		}
	}
	return kept
}

// findDirect looks for values that a kernel may write where an output is. The result has for each
// value 1 plus the number of the output, or 0. A value that shares its memory with another one is
// excluded, as is a state of a loop, which is written anew in each trip while the old one is
// read.
func (m *Model) findDirect() []int32 {
	direct := make([]int32, m.p.Values)
	for _, i := range m.p.Code { // an output is one value's: of two the first one is copied
		if isa.Op(i.Op) == isa.Out && i.In[0] >= 0 {
			direct[i.In[0]] = int32(i.Int("port", 0)) + 1
		}
	}
	for _, i := range m.p.Code {
		for k, r := range i.Out {
			if r.Value >= 0 && (shares(i, k) >= 0 || isa.Op(i.Op) == isa.LoopBegin || isa.Op(i.Op) == isa.LoopNext) {
				direct[r.Value] = 0
			}
			if at := shares(i, k); at >= 0 && i.In[at] >= 0 {
				direct[i.In[at]] = 0
			}
		}
	}
	return direct
}

// memory makes the tensor of a result, in the memory of operand at where it may be (at ≥ 0). The
// block is nil if the memory is not the store's. It returns an error if there is no memory.
func (f *frame) memory(r *isa.Result, d tensor.DType, dims []int64, at int, i *isa.Instruction) (*tensor.Tensor, *block, error) {
	if !f.recycles || f.kept[r.Value] {
		y, err := tensor.New(d, dims...)
		if err == nil {
			f.m.poison(y.Bytes())
		}
		return y, nil, err
	}
	if port := f.m.direct[r.Value]; port > 0 && f.mine != nil && f.mine[port-1] {
		y, err := f.ownOutput(int(port-1), d, dims)
		if err == nil {
			f.m.poison(y.Bytes())
		}
		return y, nil, err
	}
	size := int64(d.Bits())
	for _, n := range dims {
		size *= n
	}
	size = (size + 7) / 8
	over := isa.Absent
	if at >= 0 {
		if x := f.args[at].(*tensor.Tensor); x.DType() == d && slices.Equal(x.Dims(), dims) {
			over = i.In[at]
		}
	}
	b, err := f.blockFor(r.Value, size, over)
	if err != nil {
		return nil, nil, err
	}
	return f.own[r.Value].head(d, dims, b.buf.Bytes[:size:size]), b, nil
}

// blockFor gives a result of size bytes a block, that of an operand where it may be (over ≥ 0).
// An operand's block is taken over only if no other value lives in it. Values that were freed
// within the same group of instructions (ending) do not count as living for that question, since
// the group's order is that of the program.
func (f *frame) blockFor(x int32, size int64, over int32) (*block, error) {
	b := f.blockOf(over)
	if b == nil || b.values-b.ending != 1 || b.class != 0 && b.class != f.plan.classOf(x) {
		b = f.planned(x, size)
	}
	if b == nil {
		z := &f.own[x]
		if b = z.spare; b != nil && int64(len(b.buf.Bytes)) >= size {
			z.spare = nil
			f.m.poison(b.buf.Bytes)
		} else {
			var err error
			if b, err = f.newBlock(x, size); err != nil {
				return nil, err
			}
		}
	}
	b.values++
	return b, nil
}

// ownOutput is the tensor of an output in the runner's memory: where that of the last run lies,
// if there is room. A tensor of the same type and dimensions is used again as it is; another one
// that fits into the same bytes is made anew over them. What does not fit any more is given back
// to the account of the model's memory. It returns an error if there is no memory.
func (f *frame) ownOutput(port int, d tensor.DType, dims []int64) (*tensor.Tensor, error) {
	old, ok := f.out[port].(*tensor.Tensor)
	if ok && old.DType() == d && slices.Equal(old.Dims(), dims) {
		return old, nil
	}
	var y *tensor.Tensor
	var err error
	if n, bad := onnx.Count(dims); ok && bad == nil && d.Bits() > 0 && n <= int64(cap(old.Bytes()))*8/int64(d.Bits()) {
		y, err = tensor.Wrap(d, dims, old.Bytes()[:(n*int64(d.Bits())+7)/8])
	} else {
		f.out[port] = nil
		if ok {
			f.m.release(int64(cap(old.Bytes())), growBytes)
		}
		y, err = tensor.New(d, dims...)
	}
	if err == nil {
		f.out[port] = y
	}
	return y, err
}

// newBlock makes a block of at least size bytes for a value. Structures of blocks that ended are
// used again, so that a run in steady state makes no garbage.
func (f *frame) newBlock(x int32, size int64) (*block, error) {
	buf, err := f.m.store.Take(size)
	if err != nil {
		return nil, err
	}
	var b *block
	if n := len(f.idle); n > 0 {
		b, f.idle = f.idle[n-1], f.idle[:n-1]
	} else {
		b = &block{}
	}
	b.buf, b.home, b.ending = buf, x, 0
	return b, nil
}

// poison fills memory that nobody has written yet, or nobody has any more, where that is asked
// for. Tests use it: a kernel that reads what nobody has written gives NaN instead of a number
// that is right by luck.
func (m *Model) poison(b []byte) {
	if m.cfg.Poison {
		memory.Poison(b)
	}
}

// head is a tensor of the value. It takes the head that was not used last: the other one may
// still be an operand of the instruction that makes this result.
func (z *slot) head(d tensor.DType, dims []int64, data []byte) *tensor.Tensor {
	z.turn ^= 1
	y := &z.heads[z.turn]
	y.Become(d, dims, data)
	return y
}

// next is head for a result of the type of the last one.
func (z *slot) next(data []byte) *tensor.Tensor {
	last := &z.heads[z.turn]
	return z.head(last.DType(), last.Dims(), data)
}

// blockOf is the block of an operand, or nil.
func (f *frame) blockOf(x int32) *block {
	if x < 0 {
		return nil
	}
	return f.own[x].block
}

// drop ends one value of a block. The last one gives the memory back: to the plan, to the value's
// own slot if it is small, as a loop's next trip will ask for the same again, or to the store. A
// nil block is ignored.
func (f *frame) drop(b *block) {
	if b == nil {
		return
	}
	if b.values--; b.values > 0 {
		return
	}
	if b.class > 0 {
		if !b.over {
			f.m.poison(b.buf.Bytes)
		}
		return
	}
	if z := &f.own[b.home]; z.spare == nil && len(b.buf.Bytes) <= small {
		z.spare = b
		f.m.poison(b.buf.Bytes)
		return
	}
	f.m.store.Give(b.buf)
	b.buf = nil
	f.idle = append(f.idle, b)
}

// dropAll gives back what a run that ends has left. It is called after errors as well, where
// values are alive in any state; the order does not matter, since each value drops its own count.
func (f *frame) dropAll() {
	for k := range f.own {
		f.drop(f.own[k].block)
		f.own[k].block = nil
	}
	for _, b := range f.results {
		f.drop(b)
	}
	f.results = f.results[:0]
	for k := range f.own {
		if b := f.own[k].spare; b != nil {
			f.m.store.Give(b.buf)
			f.own[k].spare = nil
		}
	}
	for _, b := range f.scratch {
		if b != nil {
			f.m.store.Give(b)
		}
	}
	f.scratch = nil
	if f.shared != nil {
		f.m.store.Give(f.shared)
		f.shared = nil
	}
	f.leave()
}
