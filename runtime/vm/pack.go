package vm

// This file keeps the packed forms of constants.

import (
	"sync"

	"shapecheck/runtime/kernel"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/pool"
)

// A packKey is a constant in a form. Two instructions may read one constant in one form with
// other attributes, so that the form's size is part of the key.
type packKey struct {
	operand int32
	form    string
	op      uint32
	size    int64
	flags   int64
}

// A packs is the packed constants of a model. They live as long as it does.
type packs struct {
	mu   sync.Mutex
	list map[packKey][]byte
	// memory has the forms.
	memory memory.Arena
	// poison fills the memory before a form is written.
	poison bool
}

func keyOf(form *kernel.Pack, s *kernel.Sig, operand int32) packKey {
	return packKey{operand, form.Form, s.Inst.Op, form.Size(s), s.Inst.Int("tb", 0) | s.Inst.Int("transB", 0)<<1}
}

// find gives a packed form that is there; nil: it is not.
func (p *packs) find(form *kernel.Pack, s *kernel.Sig, operand int32) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list[keyOf(form, s, operand)]
}

// get gives the packed form of the constant that an operand is; threads share the work.
func (p *packs) get(threads *pool.Pool, form *kernel.Pack, s *kernel.Sig, operand int32) ([]byte, error) {
	key := keyOf(form, s, operand)
	size := key.size
	if size == 0 {
		return nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.list[key]; b != nil {
		return b, nil
	}
	b, err := p.memory.Take(size)
	if err != nil {
		return nil, err
	}
	if p.poison {
		memory.Poison(b)
	}
	threads.Do(form.Count(s), func(_, part int) { form.Write(s, s.In[form.Operand].Const, b, part) })
	if p.list == nil {
		p.list = map[packKey][]byte{}
	}
	p.list[key] = b
	return b, nil
}

// free gives the memory back.
func (p *packs) free() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.memory.Free()
	p.list = nil
}
