package kernel

// This file lets entries that compute in f32 compute in f16 and bf16: operands are widened before, results rounded once behind. Constants
// are widened when they are packed.
//
// A float16 has 11 bits of precision and a bfloat16 has 8, so the products and sums of a kernel
// must be computed wider anyway; no kernel is written for halves alone, except where the
// processor has instructions for bf16. Rounding once at the end is also what the reference does
// for a node. The price is the memory traffic of the conversions, which is why functions of
// elements convert tile by tile (fused).

import (
	"sync"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// Halves lists, for entries of a tier, those that compute the same with operands or results of
// f16 and bf16. The list is added behind that of float32, so that Choose takes these entries only
// where the others do not match.
func Halves(t Tier, list []*Entry) []*Entry {
	out := []*Entry{castHalves(t)}
	for _, e := range list {
		if !e.checksFloats {
			out = append(out, (&halving{t: t, e: e}).entry())
		}
	}
	return out
}

// halfOf gives the type of floats of two bytes that a type is.
func halfOf(d tensor.DType) (tile.Half, bool) {
	switch d {
	case tensor.Float16:
		return tile.F16, true
	case tensor.BFloat16:
		return tile.BF16, true
	}
	return 0, false
}

// halfPart is about the elements of a tile that are widened or rounded.
const halfPart = 1 << 15

// castHalves converts between f32 and its halves.
func castHalves(t Tier) *Entry {
	tiles := func(s *Sig) int { return int((s.Out[0].Len() + halfPart - 1) / halfPart) }
	return &Entry{Op: isa.Lookup("", "Cast"), Name: "Cast.halves", Tier: t, Shape: sameShape, Cost: elementCost,
		Match: func(s *Sig) bool {
			if len(s.In) != 1 || s.In[0].Absent {
				return false
			}
			_, from := halfOf(s.In[0].DType)
			_, to := halfOf(s.Out[0].DType)
			return from && s.Out[0].DType == tensor.Float32 || to && s.In[0].DType == tensor.Float32
		},
		Split: func(s *Sig) Grid { return Grid{Tiles: tiles(s)} },
		Run: func(c *Call, _, index int) {
			first, end := index*halfPart, min((index+1)*halfPart, int(c.Sig.Out[0].Len()))
			if h, ok := halfOf(c.Sig.In[0].DType); ok {
				h.Widen(t, halves(c.In[0])[first:end], floats(c.Out[0])[first:end])
			} else if h, ok := halfOf(c.Sig.Out[0].DType); ok {
				h.Narrow(t, floats(c.In[0])[first:end], halves(c.Out[0])[first:end])
			}
		}}
}

// A halving makes an entry for halves of one for f32. The forms of constants that it packs are
// those of the entry, made of widened elements.
type halving struct {
	t    Tier
	e    *Entry
	wide []int // operands that the entry does not pack: behind its forms are theirs
}

// entry wraps a kernel of float32 as one of half precision: operands are widened, the kernel runs, and results
// are narrowed, each in a phase of its own. What is widened is read before anything is written, so that the
// result may lie in an operand's memory.
func (k *halving) entry() *Entry {
	e := k.e
	out := &Entry{Op: e.Op, Name: e.Name + ".halves", Tier: k.t, Values: e.Values, Match: k.match,
		Shape:   func(s *Sig) ([][]int64, error) { return e.Shape(k.widen(s, false)) },
		Cost:    func(s *Sig) float64 { return e.Cost(k.widen(s, false)) + 0.1*float64(k.parts(s)) },
		Shared:  func(s *Sig) int64 { return k.plan(s, false).size },
		Split:   func(s *Sig) Grid { p := k.plan(s, false); return Grid{Tiles: p.tiles, Phases: p.phases} },
		Prepare: func(s *Sig) any { return k.plan(s, true) }, Run: k.run,
		InPlace: func(s *Sig, operand int) bool { // what is widened is read before a result is written
			if _, ok := halfOf(s.Out[0].DType); ok {
				return true
			}
			return e.InPlace != nil && e.InPlace(k.widen(s, false), operand)
		}}
	if e.Scratch != nil {
		out.Scratch = func(s *Sig) int64 { return e.Scratch(k.widen(s, false)) }
	}
	if e.Check != nil {
		out.Check = func(c *Call) error {
			p := c.State.(*halfPlan)
			return e.Check(&Call{Entry: e, Sig: p.sig, State: p.state, In: c.In, Over: c.Over})
		}
	}
	packed := map[int]bool{}
	for _, p := range e.Packs {
		packed[p.Operand] = true
		out.Packs = append(out.Packs, k.pack(p))
	}
	for i := range widePacks {
		if !packed[i] {
			k.wide = append(k.wide, i)
			out.Packs = append(out.Packs, widePacks[i])
		}
	}
	return out
}

// widen gives the signature that the entry for f32 sees. With elements, it has those of
// constants, too. Without elements a constant is only marked as one, so that matching does not
// convert weights each time.
func (k *halving) widen(s *Sig, elements bool) *Sig {
	out := &Sig{Inst: s.Inst, In: make([]Operand, len(s.In)), Out: make([]Operand, len(s.Out))}
	for n, list := range [][]Operand{s.In, s.Out} {
		for i, o := range list {
			if h, ok := halfOf(o.DType); ok && !o.Absent {
				o.DType = tensor.Float32
				o.Elems = k.widened(h, o.Elems)
				switch {
				case o.Const == nil:
				case elements && len(o.Const) > 0:
					o.Const = k.widened(h, o.Const)
				default:
					o.Const = []byte{}
				}
			}
			[][]Operand{out.In, out.Out}[n][i] = o
		}
	}
	return out
}

// widened gives elements in f32.
func (k *halving) widened(h tile.Half, b []byte) []byte {
	if b == nil {
		return nil
	}
	out := make([]byte, 2*len(b))
	h.Widen(k.t, halves(b), floats(out))
	return out
}

// parts counts the elements of operands and results that are halves.
func (k *halving) parts(s *Sig) (n int64) {
	for _, list := range [][]Operand{s.In, s.Out} {
		for i := range list {
			if _, ok := halfOf(list[i].DType); ok && !list[i].Absent {
				n += list[i].Len()
			}
		}
	}
	return n
}

// match leaves out conversions of numbers that f32 would round before the halves do: only integers that are too large for f16 as well may
// be.
func (k *halving) match(s *Sig) bool {
	some := false
	for _, list := range [][]Operand{s.In, s.Out} {
		for i := range list {
			_, ok := halfOf(list[i].DType)
			some = some || ok && !list[i].Absent
		}
	}
	if !some || !k.e.Match(k.widen(s, false)) {
		return false
	}
	if s.Op() == isa.Lookup("", "Cast") {
		in, to := s.In[0].DType, s.Out[0].DType
		_, half := halfOf(to)
		return !half || in.Bits() <= 16 || in != tensor.Float64 && to == tensor.Float16
	}
	return true
}

// A halfPlan is a signature. at of its memories and own are bytes of the shared memory, whose
// beginning is the inner entry's.
type halfPlan struct {
	sig     *Sig // in f32
	state   any
	grid    Grid // of the entry for f32
	tiles   int
	phases  int
	in, out []halfMemory
	own     int64 // the shared memory of the entry for f32
	size    int64 // all shared memory
	plain   []int // for each form, the operand that it has in f32 as it is; below 0: none
	fused   *walk // each tile widens and rounds its elements itself; nil: that is done before and behind
	calls   sync.Pool
}

// A halfMemory is an operand or result in f32 in the shared memory.
type halfMemory struct {
	index, n int
	half     tile.Half
	at       int64
}

// plan lays out a kernel that computes 16-bit operands in float32: a place in shared memory for each
// operand and result to be widened, and a phase before and after for the conversions, unless they are
// fused with the kernel's own tiles. elements says that constants are wanted in float32, as
// Prepare of the inner entry may read them.
func (k *halving) plan(s *Sig, elements bool) *halfPlan {
	w := k.widen(s, elements)
	p := &halfPlan{sig: w}
	if k.e.Shared != nil {
		p.own = k.e.Shared(w)
	}
	p.size = p.own
	most := 0
	place := func(list []Operand) (out []halfMemory) {
		for i := range list {
			o := &list[i]
			if h, ok := halfOf(o.DType); ok && !o.Absent && o.Const == nil {
				p.size = (p.size + 63) &^ 63
				out = append(out, halfMemory{i, int(o.Len()), h, p.size})
				p.size += 4 * o.Len()
				most = max(most, int(o.Len()))
			}
		}
		return out
	}
	p.in, p.out = place(s.In), place(s.Out)
	p.grid = k.e.Split(w)
	p.phases = max(p.grid.Phases, 1)
	p.tiles = p.grid.Tiles
	if k.e.Prepare != nil && (elements || k.e.elementwise) {
		p.state = k.e.Prepare(w)
	}
	if p.fused = k.fuses(w, p); p.fused == nil {
		p.tiles = max(p.tiles, (most+halfPart-1)/halfPart)
		p.phases += 2
	}
	for _, x := range k.e.Packs {
		own := -1
		if x.Operand < len(s.In) && x.Size(w) == 0 && s.In[x.Operand].Const != nil {
			if _, ok := halfOf(s.In[x.Operand].DType); ok {
				own = x.Operand
			}
		}
		p.plain = append(p.plain, own)
	}
	p.calls.New = func() any {
		return &Call{Entry: k.e, Sig: w, State: p.state, In: make([][]byte, len(w.In)), Out: make([][]byte, len(w.Out)),
			Packed: make([][]byte, len(k.e.Packs))}
	}
	return p
}

// fuses gives the walk of a function of elements whose halves all lie at the places of the
// result; nil: it is none. Operands that are broadcast are left out: their elements are needed by
// more than one tile.
func (k *halving) fuses(w *Sig, p *halfPlan) *walk {
	if !k.e.Elementwise(w) {
		return nil
	}
	for _, x := range p.in {
		if !w.Aligned(x.index) {
			return nil
		}
	}
	return p.state.(elementwise).walking()
}

// span gives the elements of the result that a tile computes.
func (w *walk) span(tile int) (from, to int) {
	it := w.begin(tile)
	if w.pieces > 1 {
		from = it.row*w.inner + it.from
		return from, from + it.n
	}
	return it.row * w.inner, it.end * w.inner
}

// floats are the elements in f32.
func (m *halfMemory) floats(c *Call) []float32 { return floats(c.Shared[m.at:][:4*m.n]) }

// before widens a part of the operands; cut says which.
func (k *halving) before(c *Call, p *halfPlan, cut func(n int) (from, to int)) {
	for i := range p.in {
		x := &p.in[i]
		from, to := cut(x.n)
		x.half.Widen(k.t, halves(c.In[x.index])[from:to], x.floats(c)[from:to])
	}
}

// behind narrows a part of the results.
func (k *halving) behind(c *Call, p *halfPlan, cut func(n int) (from, to int)) {
	for i := range p.out {
		y := &p.out[i]
		from, to := cut(y.n)
		y.half.Narrow(k.t, y.floats(c)[from:to], halves(c.Out[y.index])[from:to])
	}
}

// run is a phase, or all three for one span where the kernel is element-wise, and so never needs what another
// thread widens.
func (k *halving) run(c *Call, worker, index int) {
	p := c.State.(*halfPlan)
	if p.fused != nil {
		from, to := p.fused.span(index)
		cut := func(int) (int, int) { return from, to }
		k.before(c, p, cut)
		k.inner(c, p, worker, index)
		k.behind(c, p, cut)
		return
	}
	phase, index := index/p.tiles, index%p.tiles
	cut := func(n int) (int, int) { return index * n / p.tiles, (index + 1) * n / p.tiles }
	switch {
	case phase == 0:
		k.before(c, p, cut)
	case phase == p.phases-1:
		k.behind(c, p, cut)
	case index < p.grid.Tiles:
		k.inner(c, p, worker, (phase-1)*p.grid.Tiles+index)
	}
}

// inner computes a tile in f32. Calls come from a pool, one for each worker at a time, since a
// call's slices are changed; they are emptied so that they keep no memory alive.
func (k *halving) inner(c *Call, p *halfPlan, worker, index int) {
	call := p.calls.Get().(*Call)
	copy(call.In, c.In)
	copy(call.Out, c.Out)
	for i := range p.in {
		call.In[p.in[i].index] = c.Shared[p.in[i].at:][:4*p.in[i].n]
	}
	for i := range p.out {
		call.Out[p.out[i].index] = c.Shared[p.out[i].at:][:4*p.out[i].n]
	}
	n := copy(call.Packed, c.Packed)
	for i, own := range p.plain {
		if own >= 0 { // it is the operand, not a form of it
			call.In[own], call.Packed[i] = c.Packed[i], nil
		}
	}
	for i, b := range c.Packed[n:] {
		if len(b) > 0 {
			call.In[k.wide[i]] = b
		}
	}
	call.Scratch, call.Shared, call.Over = c.Scratch, c.Shared[:p.own], c.Over
	k.e.Run(call, worker, index)
	clear(call.In)
	clear(call.Out)
	clear(call.Packed)
	call.Scratch, call.Shared, call.Over = nil, nil, nil
	p.calls.Put(call)
}

// pack packs a constant of halves, widened, as the entry for f32 does; what that takes as it is,
// is widened alone. A form that can be read back is narrowed again, which restores the halves
// exactly, as widening is exact.
func (k *halving) pack(p *Pack) *Pack {
	half := func(s *Sig) (tile.Half, bool) { return halfOf(s.In[p.Operand].DType) }
	out := &Pack{Operand: p.Operand, Form: p.Form + ".halves", Size: func(s *Sig) int64 {
		n := p.Size(k.widen(s, false))
		if _, ok := half(s); ok && n == 0 {
			n = 4 * s.In[p.Operand].Len()
		}
		return n
	}, Write: func(s *Sig, elems, dst []byte, _ int) {
		w := k.widen(s, false)
		h, ok := half(s)
		switch {
		case ok && p.Size(w) == 0:
			h.Widen(k.t, halves(elems), floats(dst))
			return
		case ok:
			elems = k.widened(h, elems)
		}
		for part := range p.Count(w) {
			p.Write(w, elems, dst, part)
		}
	}}
	if p.Read != nil {
		out.Read = func(s *Sig, form, elems []byte) {
			w := k.widen(s, false)
			h, ok := half(s)
			if !ok {
				p.Read(w, form, elems)
				return
			}
			if wide := form; p.Size(w) > 0 {
				form = make([]byte, 2*len(elems))
				p.Read(w, wide, form)
			}
			h.Narrow(k.t, floats(form), halves(elems))
		}
	}
	return out
}

// widePacks are the forms of constants of halves that an entry takes as they are: their elements in f32.
var widePacks = func() (list [maxOperands]*Pack) {
	for i := range list {
		list[i] = &Pack{Operand: i, Form: "wide", Size: func(s *Sig) int64 {
			if _, ok := halfOf(s.In[i].DType); !ok {
				return 0
			}
			return 4 * s.In[i].Len()
		}, Write: func(s *Sig, elems, dst []byte, _ int) {
			h, _ := halfOf(s.In[i].DType)
			h.Widen(Best(), halves(elems), floats(dst))
		}}
	}
	return list
}()
