package vm

// This file lets the models of a process share the constants that they have alike, as elements and in packed forms.
// What is alike is found by a hash of 128 bits with seeds of the process, which nobody outside can aim at; elements
// are compared besides.

import (
	"bytes"
	"hash/maphash"
	"slices"
	"sync"
	"weak"

	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

// A content is the hash of elements; the zero content is none.
type content [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// contentOf hashes elements part by part, each with both seeds while it is near.
func contentOf(b []byte) (c content) {
	for part := range slices.Chunk(b, hashPart) {
		for i, seed := range seeds {
			c[i] = maphash.Comparable(seed, [2]uint64{c[i], maphash.Bytes(seed, part)})
		}
	}
	c[1] |= 1
	return c
}

const hashPart = 16 << 10

// A formKey is a packed form of elements.
type formKey struct {
	content content
	tier    kernel.Tier
	dims    string
	packKey
}

// A form is packed elements, in the memory of the packs that made it.
type form struct {
	bytes []byte
	owner *packs
}

// shared is what the models of the process have.
var shared struct {
	mu    sync.Mutex
	plain map[content]weak.Pointer[tensor.Tensor]
	forms map[formKey]form
}

// sharedTensor gives a tensor of another model that has the same elements, or t.
func sharedTensor(t *tensor.Tensor, c content) *tensor.Tensor {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	other := shared.plain[c].Value()
	if other != nil && other.DType() == t.DType() && slices.Equal(other.Dims(), t.Dims()) && bytes.Equal(other.Bytes(), t.Bytes()) {
		return other
	}
	if shared.plain == nil {
		shared.plain = map[content]weak.Pointer[tensor.Tensor]{}
	}
	for k, p := range shared.plain { // of models that are gone
		if p.Value() == nil {
			delete(shared.plain, k)
		}
	}
	shared.plain[c] = weak.Make(t)
	return t
}

// borrow gives a form that another model has made, or nil. It is there until p is freed.
func (p *packs) borrow(k formKey) []byte {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	f, ok := shared.forms[k]
	if !ok || f.owner == p {
		return nil
	}
	if p.lenders == nil {
		p.lenders = map[*packs]bool{}
	}
	if !p.lenders[f.owner] {
		p.lenders[f.owner] = true
		f.owner.users++
	}
	return f.bytes
}

// lend says that p has made a form.
func (p *packs) lend(k formKey, b []byte) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if _, ok := shared.forms[k]; ok {
		return // another model has it since
	}
	if shared.forms == nil {
		shared.forms = map[formKey]form{}
	}
	shared.forms[k] = form{b, p}
	p.lent = append(p.lent, k)
}

// release ends the model's use of its own forms and of those that it has borrowed, and frees what nobody uses any more.
func (p *packs) release() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	for owner := range p.lenders {
		owner.users--
		owner.freeUnused()
	}
	p.lenders = nil
	p.freeUnused()
}

// freeUnused frees the memory of a closed model's forms when no other one uses them. The lock is held.
func (p *packs) freeUnused() {
	if !p.closed || p.users > 0 {
		return
	}
	for _, k := range p.lent {
		delete(shared.forms, k)
	}
	p.lent = nil
	p.memory.Free()
}
