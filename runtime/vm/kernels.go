package vm

// This file runs instructions on fast kernels. What is decided by the signature (the kernel, its cut, its
// tables) is decided once and kept for the next run.

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// A kernels is what an instruction may be computed by.
type kernels struct {
	entries []*kernel.Entry
	values  []int // the operands whose elements are part of its signatures
	// known are signatures that were met, the last one first.
	known atomic.Pointer[[]*prepared]
}

// maxPrepared bounds the signatures that are kept for an instruction.
const maxPrepared = 16

// A prepared is an instruction at a signature.
type prepared struct {
	sig             kernel.Sig
	entry           *kernel.Entry // nil: the reference computes it
	state           any
	grid            kernel.Grid
	packed          [][]byte
	scratch, shared int64
	over            int      // the operand whose memory the first result may take, or -1
	elems           [][]byte // of the operands that values names
}

// findKernels looks for each instruction's entries.
func (m *Model) findKernels(list []*kernel.Entry) {
	byOp := map[uint32]*kernels{}
	for _, e := range list {
		k := byOp[uint32(e.Op)]
		if k == nil {
			k = &kernels{}
			byOp[uint32(e.Op)] = k
		}
		k.entries = append(k.entries, e)
		for _, v := range e.Values {
			if !slices.Contains(k.values, v) {
				k.values = append(k.values, v)
			}
		}
	}
	m.kernels = make([]*kernels, len(m.p.Code))
	for pc, i := range m.p.Code {
		if k := byOp[i.Op]; k != nil {
			m.kernels[pc] = &kernels{entries: k.entries, values: k.values}
		}
	}
}

// suits reports whether operands have the signature.
func (p *prepared) suits(k *kernels, args []tensor.Value) bool {
	if len(args) != len(p.sig.In) {
		return false
	}
	for i, v := range args {
		o := &p.sig.In[i]
		if v == nil || o.Absent {
			if (v == nil) != o.Absent {
				return false
			}
			continue
		}
		t := v.(*tensor.Tensor)
		if t.DType() != o.DType || !slices.Equal(t.Dims(), o.Dims) {
			return false
		}
	}
	for n, i := range k.values {
		if i < len(args) && args[i] != nil && p.elems[n] != nil && !bytes.Equal(p.elems[n], args[i].(*tensor.Tensor).Bytes()) {
			return false
		}
	}
	return true
}

// prepared gives the instruction's form for its operands; nil: they are no tensors.
func (f *frame) prepared(i *isa.Instruction, k *kernels) (*prepared, error) {
	for _, v := range f.args {
		if v == nil {
			continue
		}
		if _, ok := v.(*tensor.Tensor); !ok {
			return nil, nil
		}
	}
	p, list := k.find(f.args)
	if p != nil {
		return p, nil
	}
	p, err := f.prepare(i, k)
	if err != nil {
		return nil, err
	}
	f.refreshConstants(i)
	// Of two runs that add at the same time one signature is lost and found again.
	more := append([]*prepared{p}, list[:min(len(list), maxPrepared-1)]...)
	k.known.Store(&more)
	return p, nil
}

// find gives the form for operands that was met, or nil, and all that are kept.
func (k *kernels) find(args []tensor.Value) (*prepared, []*prepared) {
	known := k.known.Load()
	if known == nil {
		return nil, nil
	}
	for _, p := range *known {
		if p.suits(k, args) {
			return p, *known
		}
	}
	return nil, *known
}

// prepare chooses the kernel for the operands and makes its tables and packed constants.
func (f *frame) prepare(i *isa.Instruction, k *kernels) (*prepared, error) {
	var p *prepared
	if f.plan != nil {
		p = f.plan.fresh.take(f.pc)
	}
	if p == nil || !p.suits(k, f.args) {
		p = f.choose(i, k)
	}
	e, s := p.entry, &p.sig
	if e == nil {
		return p, nil
	}
	for n, r := range i.Out { // before tables are made that are as long
		if o := &s.Out[n]; !o.Absent && p.inPlace(n) < 0 && f.plan.classOf(r.Value) == 0 {
			if err := f.room(o.Dims, o.DType); err != nil {
				return nil, err
			}
			if err := memory.Ask((int64(o.DType.Bits())*o.Len() + 7) / 8); err != nil {
				return nil, err
			}
		}
	}
	if err := f.pack(i, p); err != nil {
		return nil, err
	}
	p.state = e.State(s)
	p.grid = e.Split(s)
	s.Done()
	return p, nil
}

// choose chooses the kernel for the operands, and says what memory it needs.
func (f *frame) choose(i *isa.Instruction, k *kernels) *prepared {
	p := &prepared{sig: kernel.Sig{Inst: i, In: make([]kernel.Operand, len(f.args))}, elems: make([][]byte, len(k.values))}
	s := &p.sig
	for n, v := range f.args {
		o := &s.In[n]
		if v == nil {
			o.Absent = true
			continue
		}
		t := v.(*tensor.Tensor)
		*o = kernel.Operand{DType: t.DType(), Dims: slices.Clone(t.Dims())}
		if _, isConst := isa.ConstIndex(i.In[n]); isConst {
			if o.Const = t.Bytes(); o.Const == nil {
				o.Const = packedOnly
			}
		}
	}
	for n, at := range k.values {
		if at < len(f.args) && f.args[at] != nil && f.args[at].(*tensor.Tensor).Len() <= kernel.MaxElems {
			p.elems[n] = slices.Clone(f.args[at].(*tensor.Tensor).Bytes())
			s.In[at].Elems = p.elems[n]
		}
	}
	shape, err := k.entries[0].Shape(s)
	if err != nil {
		return p // the reference says what is wrong, or computes it
	}
	for n, r := range i.Out {
		o := kernel.Operand{Absent: true}
		if r.Value >= 0 {
			if n >= len(shape) {
				return p
			}
			o = kernel.Operand{DType: tensor.DType(r.Type.Elem), Dims: shape[n]}
		}
		s.Out = append(s.Out, o)
	}
	if len(s.Out) == 0 || s.Out[0].Absent && !slices.ContainsFunc(s.Out, func(o kernel.Operand) bool { return !o.Absent }) {
		return p
	}
	e := kernel.Choose(k.entries, s)
	if e == nil {
		return p
	}
	if e.Scratch != nil {
		p.scratch = (e.Scratch(s) + memory.Align - 1) / memory.Align * memory.Align
	}
	if e.Shared != nil {
		p.shared = e.Shared(s)
	}
	p.entry, p.over = e, -1
	if a := int(i.Out[0].Alias) - 1; a >= 0 && e.InPlace != nil && f.m.cfg.CheckReference == nil && e.InPlace(s, a) {
		p.over = a
	}
	return p
}

// kernel runs an instruction on the fast kernel that its operands choose, if there is one.
func (f *frame) kernel(i *isa.Instruction) ([]tensor.Value, bool, error) {
	p, known, err := f.setUp(i, &f.call)
	if err == nil && p != nil {
		err = f.execute(p, &f.call)
	}
	return f.outs, known, err
}

// setUp makes the results of an instruction, in outs, and the call of the kernel that its operands choose; false: there is none. Without
// elements there is nothing to call.
func (f *frame) setUp(i *isa.Instruction, c *kernel.Call) (*prepared, bool, error) {
	k := f.m.kernels[f.pc]
	f.typed = false
	if k == nil {
		return nil, false, nil
	}
	p, err := f.prepared(i, k)
	if err != nil {
		return nil, true, err
	}
	if p == nil || p.entry == nil {
		return nil, false, nil
	}
	c.Entry, c.Sig, c.State, c.Packed, c.In, c.Out = p.entry, &p.sig, p.state, p.packed, c.In[:0], c.Out[:0]
	c.Over = f.ending
	for n, v := range f.args {
		if v == nil {
			c.In = append(c.In, nil)
			continue
		}
		b := v.(*tensor.Tensor).Bytes()
		if b == nil { // another run may have wanted the elements of a constant in the meantime
			b = f.operand(i.In[n]).(*tensor.Tensor).Bytes()
		}
		c.In = append(c.In, b)
	}
	if p.entry.Check != nil && p.entry.Check(c) != nil {
		return nil, false, nil
	}
	seen := f.fit[f.pc].is(p, f.binding) // these sizes were compared with the program's in an earlier trip
	f.outs, f.typed = f.outs[:0], len(i.Binds) == 0
	for n := range p.sig.Out {
		o := &p.sig.Out[n]
		if o.Absent {
			c.Out, f.outs, f.results = append(c.Out, nil), append(f.outs, nil), append(f.results, nil)
			continue
		}
		if !seen || f.m.cfg.Budget.Bytes > 0 {
			if err := f.room(o.Dims, o.DType); err != nil {
				return nil, true, err
			}
		}
		if !seen {
			if why := f.differs(i, n, o); why != "" {
				return nil, true, errors.New(why)
			}
		}
		f.typed = f.typed && !i.Out[n].Type.Unranked
		y, b, err := f.memory(i.Out[n], o.DType, o.Dims, p.inPlace(n), i)
		if err != nil {
			return nil, true, err
		}
		c.Out, f.outs, f.results = append(c.Out, y.Bytes()), append(f.outs, y), append(f.results, b)
	}
	var again *repeat
	if seen {
		if again = f.fit[f.pc].again; again == nil && c == &f.call { // not in a group
			again = f.mayRepeat(i, p, c)
		}
	}
	f.fit[f.pc] = fitting{p, f.binding, f.changes, again}
	if !slices.ContainsFunc(c.Out, func(b []byte) bool { return len(b) > 0 }) {
		return nil, true, nil // no kernel need think of results without elements
	}
	return p, true, nil
}

// A fitting says that the sizes of an instruction's results were those of the program, after so many changes of the binding.
type fitting struct {
	p       *prepared
	binding *binding
	changes int
	again   *repeat // how the next trip may run the instruction; nil: as this one
}

// is reports whether the instruction is in the form p again, and the binding as it was.
func (x *fitting) is(p *prepared, b *binding) bool {
	return x.p == p && x.binding == b && x.changes == b.changes
}

// execute runs a call.
func (f *frame) execute(p *prepared, c *kernel.Call) error {
	if err := f.buffers(c, p); err != nil {
		return err
	}
	f.names(p.entry.Name)
	if f.plain && p.grid.Tiles == 1 && p.grid.Phases <= 1 {
		p.entry.Run(c, 0, 0)
		return f.cancelled()
	}
	f.job.group, f.job.entry, f.job.call, f.job.first = nil, p.entry, c, 0
	if f.plain && (p.grid.Tiles == 1 || f.m.pool.Threads() == 1) {
		for t := range p.grid.Tiles * max(p.grid.Phases, 1) {
			f.job.tile(0, t)
		}
		return f.cancelled()
	}
	for phase := range max(p.grid.Phases, 1) {
		f.job.first = phase * p.grid.Tiles
		f.m.pool.Do(p.grid.Tiles, f.timed(f.job.do))
	}
	return f.cancelled()
}

// inPlace is the operand whose memory a result may take, or -1.
func (p *prepared) inPlace(result int) int {
	if result == 0 {
		return p.over
	}
	return -1
}

// cancelled is the error of a run whose context has ended.
func (f *frame) cancelled() error {
	if err := f.over(); err != nil {
		return f.fail(CodeCancelled, err)
	}
	return nil
}

// differs says how a result's sizes are not the program's; empty: they are, or the result binds them.
func (f *frame) differs(i *isa.Instruction, n int, o *kernel.Operand) string {
	t := i.Out[n].Type
	if len(i.Binds) > 0 || t.Unranked {
		return ""
	}
	same := len(t.Dims) == len(o.Dims)
	for k := 0; same && k < len(o.Dims); k++ {
		same = f.vals[t.Dims[k]] == o.Dims[k]
	}
	if same {
		return ""
	}
	want := make([]int64, len(t.Dims))
	for k, d := range t.Dims {
		want[k] = f.vals[d]
	}
	return fmt.Sprintf("result %d is %s: the program says %s", n, tensor.TypeText(o.DType, o.Dims),
		tensor.TypeText(tensor.DType(t.Elem), want))
}

// buffers gives a call its scratch, which the run keeps for the next call.
func (f *frame) buffers(c *kernel.Call, p *prepared) error {
	if p.scratch == 0 && p.shared == 0 {
		return nil
	}
	threads := f.m.pool.Threads()
	if own := f.plan.workspace(f.pc); own != nil && own.scratch >= p.scratch && own.shared >= p.shared {
		if len(c.Scratch) < threads {
			c.Scratch = make([][]byte, threads)
		}
		for w := range c.Scratch {
			c.Scratch[w] = f.arena.Bytes[own.at+int64(w)*own.scratch:][:p.scratch:p.scratch]
			f.m.poison(c.Scratch[w])
		}
		c.Shared = f.arena.Bytes[own.at+int64(threads)*own.scratch:][:p.shared:p.shared]
		f.m.poison(c.Shared)
		return nil
	}
	if f.scratch == nil {
		f.scratch, c.Scratch = make([]*memory.Buffer, threads), make([][]byte, threads)
	}
	for w := range threads {
		var err error
		if f.scratch[w], err = f.grown(f.scratch[w], p.scratch); err != nil {
			return err
		}
		if p.scratch > 0 {
			c.Scratch[w] = f.scratch[w].Bytes[:p.scratch]
			f.m.poison(c.Scratch[w])
		}
	}
	var err error
	if f.shared, err = f.grown(f.shared, p.shared); err != nil {
		return err
	}
	if p.shared > 0 {
		c.Shared = f.shared.Bytes[:p.shared]
		f.m.poison(c.Shared)
	}
	return nil
}

// grown gives a buffer of at least n bytes: the one that is there, or a larger one instead of it.
func (f *frame) grown(b *memory.Buffer, n int64) (*memory.Buffer, error) {
	if n == 0 || b != nil && int64(len(b.Bytes)) >= n {
		return b, nil
	}
	if b != nil {
		f.m.store.Give(b)
	}
	return f.m.store.Take(n)
}
