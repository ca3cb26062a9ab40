package vm

// This file holds constants, and lets go of the elements of those that are needed in their packed form alone.

import (
	"cmp"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

// A constant is one of a model.
type constant struct {
	// now has its elements, or its type alone while they are in a packed form.
	now atomic.Pointer[tensor.Tensor]
	// content is that of a large constant's elements.
	content content
	// left are the uses of which it is not known yet that they take a packed form; nil: the elements stay.
	left map[use]bool
	// What the elements are read from when they are wanted again.
	pack *kernel.Pack
	sig  *kernel.Sig
	form []byte
}

// A use is an operand of an instruction.
type use struct {
	pc      *isa.Instruction
	operand int
}

// A weights guards what changes of constants, but for now.
type weights struct {
	mu      sync.Mutex
	dropped int64 // bytes that Go's collector may have and has not been told of
	gone    bool  // elements of some are in a packed form alone
}

const (
	// largeConstant is the size from which a constant has memory of its own.
	largeConstant = 64 << 10
	// dropBytes is after how many bytes the system gets its memory back. A collection takes some milliseconds.
	dropBytes = 48 << 20
	// growBytes is the same when memory of an output goes, which happens less often: to make a larger one takes longer than a collection.
	growBytes = 16 << 20
)

// packedOnly stands in a signature for the elements of a constant that are in its packed form.
var packedOnly = []byte{}

// large lists where large constants of a segment begin and end.
func (m *Model) large(segment uint32, vals []int64) (cuts []int64) {
	type span struct{ from, to int64 }
	var list []span
	for _, c := range m.p.Constants {
		if c.Segment != segment {
			continue
		}
		size := int64(tensor.DType(c.Type.Elem).Bits())
		for _, d := range c.Type.Dims {
			size *= vals[d]
		}
		if size /= 8; size >= largeConstant {
			list = append(list, span{int64(c.Offset), int64(c.Offset) + size})
		}
	}
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	end := int64(0)
	for _, s := range list {
		if s.from < end { // constants that share bytes have one piece
			if s.to > end {
				cuts[len(cuts)-1], end = s.to, s.to
			}
			continue
		}
		cuts, end = append(cuts, s.from, s.to), s.to
	}
	return cuts
}

// findUses marks the constants that may be needed in a packed form alone: large ones that are only operands which kernels pack.
func (m *Model) findUses() {
	if m.kernels == nil || m.cfg.CheckReference != nil {
		return
	}
	for c := range m.consts { // what has made the program is garbage by the first run
		if m.file.has(m.consts[c].now.Load().Bytes()) {
			continue
		}
		m.weights.dropped = min(m.weights.dropped+int64(len(m.consts[c].now.Load().Bytes())), dropBytes)
	}
	stays := make([]bool, len(m.consts))
	for pc, i := range m.p.Code {
		for n, x := range i.In {
			c, ok := isa.ConstIndex(x)
			if !ok || stays[c] {
				continue
			}
			k := &m.consts[c]
			if len(k.now.Load().Bytes()) < largeConstant || !mayPack(m.kernels[pc], n) {
				stays[c], k.left = true, nil
				continue
			}
			if k.left == nil {
				k.left = map[use]bool{}
			}
			k.left[use{i, n}] = true
		}
		for _, a := range i.Attr {
			if v, ok := a.V.(*isa.Attr_Constant); ok {
				stays[v.Constant], m.consts[v.Constant].left = true, nil
			}
		}
	}
}

// mayPack reports whether an instruction's kernels may pack an operand into a form that has its elements.
func mayPack(k *kernels, operand int) bool {
	return k != nil && slices.ContainsFunc(k.entries, func(e *kernel.Entry) bool {
		return slices.ContainsFunc(e.Packs, func(p *kernel.Pack) bool { return p.Operand == operand && p.Read != nil })
	})
}

// pack makes the packed forms of a kernel's constants, and lets go of elements that nobody else needs.
func (f *frame) pack(i *isa.Instruction, p *prepared) error {
	s := &p.sig
	packed := make([]*kernel.Pack, len(s.In))
	for _, pack := range p.entry.Packs {
		var b []byte
		if pack.Operand < len(s.In) && s.In[pack.Operand].Const != nil {
			var err error
			if b, err = f.m.form(pack, s, i.In[pack.Operand]); err != nil {
				return err
			}
			if len(b) > 0 {
				packed[pack.Operand] = pack
			}
		}
		p.packed = append(p.packed, b)
	}
	for n, x := range i.In {
		c, ok := isa.ConstIndex(x)
		if !ok {
			continue
		}
		if packed[n] == nil || packed[n].Read == nil { // the kernel reads it, or may
			t, err := f.m.restore(c)
			if err != nil {
				return err
			}
			s.In[n].Const = t.Bytes()
			continue
		}
		s.In[n].Const = packedOnly // nor does the signature keep the elements
		f.args[n] = nil
		k := slices.IndexFunc(p.entry.Packs, func(x *kernel.Pack) bool { return x == packed[n] })
		f.m.covered(c, use{i, n}, packed[n], s, p.packed[k])
	}
	f.m.release(0, dropBytes)
	return nil
}

// form is the packed form of a constant operand.
func (m *Model) form(pack *kernel.Pack, s *kernel.Sig, operand int32) ([]byte, error) {
	if b := m.packed.find(pack, s, operand); b != nil {
		return b, nil
	}
	if pack.Size(s) == 0 {
		return nil, nil
	}
	c, _ := isa.ConstIndex(operand)
	if len(s.In[pack.Operand].Const) == 0 {
		t, err := m.restore(c)
		if err != nil {
			return nil, err
		}
		s.In[pack.Operand].Const = t.Bytes()
	}
	hash := m.consts[c].content
	// of one in a mapped file, which nobody has read until now
	if b := s.In[pack.Operand].Const; hash == (content{}) && len(b) >= largeConstant {
		hash = contentOf(b)
	}
	return m.packed.get(m.pool, pack, s, operand, hash)
}

// covered says that a use of a constant takes a packed form. After the last one the elements go.
func (m *Model) covered(c int, u use, pack *kernel.Pack, s *kernel.Sig, form []byte) {
	m.weights.mu.Lock()
	defer m.weights.mu.Unlock()
	k := &m.consts[c]
	if k.left == nil || !k.left[u] {
		return
	}
	if delete(k.left, u); len(k.left) > 0 {
		return
	}
	t := k.now.Load()
	if b := t.Bytes(); m.file.has(b) { // they come again from the file when they are wanted
		k.left = nil
		m.file.forget(b)
		return
	}
	bare := &tensor.Tensor{}
	bare.Become(t.DType(), t.Dims(), nil)
	k.pack, k.sig, k.form = pack, s, form
	k.left = nil
	k.now.Store(bare)
	m.weights.dropped += int64(len(t.Bytes()))
	m.weights.gone = true
}

// release gives memory back to the system when so many more bytes have gone that there are at least limit: Go's
// collector would let the heap grow to twice of what is left.
func (m *Model) release(more, limit int64) {
	m.weights.mu.Lock()
	m.weights.dropped += more
	due := m.weights.dropped >= limit
	if due {
		m.weights.dropped = 0
	}
	m.weights.mu.Unlock()
	if due {
		debug.FreeOSMemory()
	}
}

// restore gives a constant with its elements, which then stay.
func (m *Model) restore(c int) (*tensor.Tensor, error) {
	k := &m.consts[c]
	m.weights.mu.Lock()
	defer m.weights.mu.Unlock()
	k.left = nil
	t := k.now.Load()
	if k.pack == nil {
		return t, nil
	}
	whole, err := tensor.New(t.DType(), t.Dims()...)
	if err != nil {
		return nil, err
	}
	k.pack.Read(k.sig, k.form, whole.Bytes())
	k.pack, k.sig, k.form = nil, nil, nil
	k.now.Store(whole)
	return whole, nil
}

// restoreAll restores all constants.
func (m *Model) restoreAll() error {
	for c := range m.consts {
		if _, err := m.restore(c); err != nil {
			return err
		}
	}
	return nil
}

// fillConstants gives the instruction's operands the elements of constants.
func (f *frame) fillConstants(i *isa.Instruction) error {
	for n, x := range i.In {
		if c, ok := isa.ConstIndex(x); ok {
			t, err := f.m.restore(c)
			if err != nil {
				return err
			}
			f.args[n] = t
		}
	}
	return nil
}

// refreshConstants takes the constants among the operands anew, after they have changed.
func (f *frame) refreshConstants(i *isa.Instruction) {
	for n, x := range i.In {
		if _, ok := isa.ConstIndex(x); ok {
			f.args[n] = f.operand(x)
		}
	}
}
