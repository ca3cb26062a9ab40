package vm

// This file runs instructions on fast kernels. What is decided by the signature (the kernel, its cut, its
// tables) is decided once and kept for the next run.
//
// A kernel is found in three steps, each of which is kept. findKernels groups the entries by
// opcode when the model is loaded. choose matches them with the signature of the operands (types,
// sizes, attributes, and elements where an entry asks for them) and takes the cheapest. prepare
// makes its tables and the packed forms of its constants. The last two are made once for a
// signature; later runs compare signatures and call. An instruction without a matching entry is
// computed by the reference, so kernels are never needed for a right result.

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

// A kernels is what an instruction may be computed by. known is replaced as a whole and never
// written, so that runs read it without a lock.
type kernels struct {
	entries []*kernel.Entry
	values  []int // the operands whose elements are part of its signatures
	// known are signatures that were met, the last one first.
	known atomic.Pointer[[]*prepared]
}

// maxPrepared bounds the signatures that are kept for an instruction.
const maxPrepared = 16

// A prepared is an instruction at a signature. It is not written once it is in known, except for
// what pack fills in. scratch is the bytes of each worker and shared those of all workers
// together, both as the entry asks.
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

// findKernels looks for each instruction's entries. The list of entries and of values is shared
// by all instructions of an opcode; what was met is each instruction's own.
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

// suits reports whether operands have the signature. Elements are compared only where the
// signature has them; an operand of more than kernel.MaxElems elements has none there, and then
// the entry has not read them either.
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

// prepared gives the instruction's form for its operands; nil: they are no tensors. An error says
// that results or tables do not fit the memory that is left.
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

// find gives the form for operands that was met, or nil, and all that are kept. The search is
// linear in at most maxPrepared signatures; a model that is called with one size finds it at the
// first comparison.
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

// prepare chooses the kernel for the operands and makes its tables and packed constants. A choice
// that the plan has made is used when it suits. The results' memory is asked for before tables
// are made, since tables can be as long as a result: an impossible size is refused while it is
// cheap. The error is of memory.
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

// choose chooses the kernel for the operands, and says what memory it needs. The entries of an
// opcode agree on Shape, so the first one is asked. Where it refuses, where the program has more
// results than the shape, or where no result is wanted, no kernel is chosen and the reference
// reports what is wrong: kernels have no error messages of their own. With CheckReference no
// operand is written over, as the reference reads it again.
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
// elements there is nothing to call. An entry's Check looks at the elements of this call
// (indices, lengths); where it objects, the reference computes the instruction and reports the
// fault. Sizes of results are compared with the program's the first time only: fit remembers for
// which form and which state of the binding they were equal.
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

// A fitting says that the sizes of an instruction's results were those of the program, after so
// many changes of the binding. changes is the binding's counter when the comparison was made: a
// symbol that an instruction has set since makes it void.
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

// execute runs a call. A call of one tile and one phase is run where it is, without the pool; so
// are all tiles when there is one thread. Phases are run one after the other, with all tiles of a
// phase finished before the next. The error is that the run has ended in the meantime, when some
// tiles may have been left out.
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

// differs says how a result's sizes are not the program's; empty: they are, or the result binds
// them. The message has both types, as the user's contract is what is usually wrong.
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

// buffers gives a call its scratch, which the run keeps for the next call. The plan's workspace
// is used where it is large enough; otherwise buffers of the store that grow and stay with the
// frame. The error is that there is no memory.
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
// The old buffer is given back before the new one is taken, so that a growing run has one at a
// time.
func (f *frame) grown(b *memory.Buffer, n int64) (*memory.Buffer, error) {
	if n == 0 || b != nil && int64(len(b.Bytes)) >= n {
		return b, nil
	}
	if b != nil {
		f.m.store.Give(b)
	}
	return f.m.store.Take(n)
}
