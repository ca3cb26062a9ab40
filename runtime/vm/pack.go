package vm

// This file keeps the packed forms of constants.

import (
	"fmt"
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

// A packs is the packed constants of a model. They live as long as it does, and as long as other models use them.
type packs struct {
	mu   sync.Mutex
	list map[packKey][]byte
	// memory has the forms.
	memory memory.Arena
	tier   kernel.Tier
	// poison fills the memory before a form is written.
	poison bool
	// What shared.mu guards: whose forms are used, how many models use these, under which keys they are known, and that the model is closed.
	lenders map[*packs]bool
	users   int
	lent    []formKey
	closed  bool
}

func keyOf(form *kernel.Pack, s *kernel.Sig, operand int32) packKey {
	groups := s.Inst.Int("groups", s.Inst.Int("group", 1))
	return packKey{operand, form.Form, s.Inst.Op, form.Size(s), s.Inst.Int("tb", 0) | s.Inst.Int("transB", 0)<<1 | groups<<2}
}

// find gives a packed form that is there; nil: it is not.
func (p *packs) find(form *kernel.Pack, s *kernel.Sig, operand int32) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list[keyOf(form, s, operand)]
}

// get gives the packed form of the constant that an operand is, whose elements have that content; threads share the work.
func (p *packs) get(threads *pool.Pool, form *kernel.Pack, s *kernel.Sig, operand int32, c content) ([]byte, error) {
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
	if p.list == nil {
		p.list = map[packKey][]byte{}
	}
	whole := formKey{content: c, tier: p.tier, dims: fmt.Sprint(s.In[form.Operand].DType, s.In[form.Operand].Dims), packKey: key}
	whole.operand = 0 // a number of the program's
	if c != (content{}) {
		if b := p.borrow(whole); b != nil {
			p.list[key] = b
			return b, nil
		}
	}
	b, err := p.memory.Take(size)
	if err != nil {
		return nil, err
	}
	if p.poison {
		memory.Poison(b)
	}
	threads.Do(form.Count(s), func(_, part int) { form.Write(s, s.In[form.Operand].Const, b, part) })
	p.list[key] = b
	if c != (content{}) {
		p.lend(whole, b)
	}
	return b, nil
}

// free gives the memory back.
func (p *packs) free() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = nil
	p.release()
}
