package kernel

// This file computes chains of functions of elements of f32 on the vector machine of a tier: what lies between two functions stays in
// registers, and what nobody needs behind the chain never goes to memory.
//
// Functions of elements do one or two operations for each number that they read, so that alone
// they are as fast as memory, not as the processor. A chain of k functions reads and writes once
// instead of k times. No code is generated: a step has the address of the assembly of its
// function, which works on a block of elements in registers (the bank), so that a chain is
// compiled by filling a table.

import (
	"slices"
	"unsafe"

	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// A Link is one function of a chain.
type Link struct {
	Entry *Entry
	Sig   *Sig
	// From is, for each operand, the link whose result it is; below 0: it comes from outside.
	From []int
	// Kept says that somebody behind the chain needs the result.
	Kept bool
}

// A Chain is the program of some functions, which are computed together. It never changes. What
// depends on a run, the addresses of the operands, is put into a copy of steps by Run; that is
// why many goroutines can use one chain.
type Chain struct {
	machine *tile.Machine
	w       *walk // of the operands from outside, in this order
	outside [][2]int
	steps   []tile.Step
	sources []source // of the steps
	slots   int      // of a worker's memory, a block each
	tiles   int
}

// A source is what a step works on. n is an operand from outside, a slot or a link, depending on
// the kind.
type source struct {
	kind sourceKind
	n    int // which one
}

type sourceKind uint8

const (
	ofNothing sourceKind = iota
	ofOutside            // a block of an operand from outside
	ofNumber             // an element of one
	ofSlot
	ofResult // of a link
)

// shortRow is the least blocks of a row: shorter ones are computed link by link, as what is left
// of a row is copied. With less than four blocks the copied tail would be a quarter of the work
// or more.
const shortRow = 4

// Linkable reports whether the function is one of the machine of its entry's tier. It must be
// elementwise, of f32 throughout and stored densely, and be one of the two forms that the machine
// has: a function of one operand with up to two numbers (mapping) or of two operands (pairing).
func Linkable(e *Entry, s *Sig) bool {
	if tile.MachineOf(e.Tier) == nil || !allPlain(s, tensor.Float32) || !e.Elementwise(s) {
		return false
	}
	switch e.State(s).(type) {
	case *pairing, *mapping:
		return true
	}
	return false
}

// NewChain makes the chain of two links or more, all of which are Linkable, have results of the same sizes, and take
// those of others at their place alone. work is that of Cut. nil: it must be computed link by
// link. It is a small code generator with one register, the bank, which has the result of the
// last step. The next link takes its operand from there if it can; a result that is needed later
// than in the next link, or twice in it, is stored to a slot too. Slots are given out and taken
// back at the last use, like registers in a linear scan, so that a long chain needs few. For a
// pairing whose second operand is in the bank the machine has the reversed operation, so that a-b
// needs no extra load either way.
//
// It returns nil for more operands than a walk has, for short rows, for operands that step
// through memory by more than one element, and for functions of numbers alone.
func NewChain(links []Link, work int) *Chain {
	c := &Chain{machine: tile.MachineOf(links[0].Entry.Tier)}
	dims := links[0].Sig.Out[0].Dims
	last := make([]int, len(links)) // the last use of each result
	var steps [][]int
	operands := make([][]source, len(links))
	for k := range links {
		l := &links[k]
		n := len(l.From)
		if _, ok := l.Entry.State(l.Sig).(*mapping); ok {
			n = 1 // others are numbers of the function
		}
		for o, from := range l.From[:n] {
			if from >= 0 {
				last[from] = k
				operands[k] = append(operands[k], source{ofResult, from})
				continue
			}
			operands[k] = append(operands[k], source{ofOutside, len(steps)})
			c.outside = append(c.outside, [2]int{k, o})
			steps = append(steps, stretched(l.Sig.In[o].Dims, dims))
		}
	}
	if len(steps) > maxOperands {
		return nil
	}
	c.w = newWalk(dims, work, steps...)
	if c.tiles = c.w.grid().Tiles; c.w.rows > 1 && c.w.inner < shortRow*c.machine.Block {
		return nil
	}
	for _, list := range operands {
		for o := range list {
			if list[o].kind == ofOutside {
				switch c.w.unit[list[o].n] {
				case 0:
					list[o].kind = ofNumber
				case 1:
				default:
					return nil
				}
			}
		}
	}
	// The rest assigns places and writes the steps. A result that ends at a link frees its slot
	// before the link's own result takes one, as the operand has been read by then.
	slot := make([]int, len(links)) // 1 + that of a result
	var free []int
	bank := -1
	at := func(s source) source { // where the machine finds it
		if s.kind == ofResult {
			return source{ofSlot, slot[s.n] - 1}
		}
		return s
	}
	add := func(s tile.Step, src source) {
		c.steps, c.sources = append(c.steps, s), append(c.sources, src)
	}
	inBank := func(s source) bool { return s.kind == ofResult && s.n == bank }
	for k := range links {
		l, in := &links[k], operands[k]
		switch f := l.Entry.State(l.Sig).(type) {
		case *mapping:
			if in[0].kind == ofNumber {
				return nil
			}
			if !inBank(in[0]) {
				add(c.machine.Load(), at(in[0]))
			}
			add(c.machine.One(f.op, f.a, f.b), source{})
		case *pairing:
			x, z := in[0], in[1]
			switch {
			case x.kind == ofNumber && z.kind == ofNumber:
				return nil
			case x.kind == ofNumber || z.kind == ofNumber:
				number, other := z, x
				if x.kind == ofNumber {
					number, other = x, z
				}
				if !inBank(other) {
					add(c.machine.Load(), at(other))
				}
				add(c.machine.Number(f.op, x.kind == ofNumber), number)
			case inBank(z) && !inBank(x):
				add(c.machine.Two(f.op, true), at(x))
			default:
				if !inBank(x) {
					add(c.machine.Load(), at(x))
				}
				add(c.machine.Two(f.op, false), at(z))
			}
		default:
			return nil
		}
		bank = k
		for _, s := range in {
			if s.kind == ofResult && last[s.n] == k && slot[s.n] > 0 {
				free = append(free, slot[s.n])
				slot[s.n] = 0
			}
		}
		if l.Kept {
			add(c.machine.Store(), source{ofResult, k})
		}
		twice := k+1 < len(links) && !slices.ContainsFunc(operands[k+1], func(s source) bool { return s != source{ofResult, k} }) &&
			len(operands[k+1]) > 1
		if last[k] > k+1 || twice {
			if n := len(free); n > 0 {
				slot[k], free = free[n-1], free[:n-1]
			} else {
				c.slots++
				slot[k] = c.slots
			}
			add(c.machine.Store(), source{ofSlot, slot[k] - 1})
		}
	}
	add(c.machine.End(), source{})
	return c
}

// Tiles is the number of tiles.
func (c *Chain) Tiles() int { return c.tiles }

// A Space is what a worker needs to compute chains. It grows as they ask. It belongs to one
// worker, and only one tile at a time uses it.
type Space struct {
	steps  []tile.Step
	floats []float32
}

// Fit makes room for a chain.
func (s *Space) Fit(c *Chain) {
	if len(s.steps) < len(c.steps) {
		s.steps = make([]tile.Step, len(c.steps))
	}
	// Behind the slots every step has a block for what is left of a row.
	if n := (c.slots + len(c.steps)) * c.machine.Block; len(s.floats) < n {
		s.floats = make([]float32, n)
	}
}

// Run computes a tile of the links' calls, on a space that Fit has seen. calls has one entry for
// each link, with its operands and results. The machine works on whole blocks; what is left of a
// row is copied to blocks of the space first and back afterwards, so that it neither reads nor
// writes beyond the ends of tensors. The missing elements are 0 and their results are not copied.
func (c *Chain) Run(calls []*Call, s *Space, number int) {
	steps, block := s.steps[:len(c.steps)], c.machine.Block
	copy(steps, c.steps)
	slot := func(n int) []float32 { return s.floats[n*block : (n+1)*block] }
	for it := c.w.begin(number); it.next(); {
		for k, src := range c.sources {
			step := &steps[k]
			switch src.kind {
			case ofNumber:
				step.A = floats(c.operand(calls, src.n))[it.at[src.n]]
			case ofSlot:
				step.Base = unsafe.Pointer(&slot(src.n)[0])
			default:
				if x := c.memory(calls, src, &it); x != nil {
					step.Base, step.At, step.Move = unsafe.Pointer(unsafe.SliceData(x)), 0, 4*block
				}
			}
		}
		whole := it.n / block
		if whole > 0 {
			c.machine.Run(steps, whole)
		}
		from := whole * block
		if from == it.n {
			continue
		}
		for k, src := range c.sources {
			if x := c.memory(calls, src, &it); x != nil {
				own := slot(c.slots + k)
				steps[k].Base, steps[k].At, steps[k].Move = unsafe.Pointer(&own[0]), 0, 0
				clear(own[copy(own, x[from:]):])
			}
		}
		c.machine.Run(steps, 1)
		for k, src := range c.sources {
			if src.kind == ofResult {
				copy(c.memory(calls, src, &it)[from:], slot(c.slots+k))
			}
		}
	}
}

// operand is the memory of operand n from outside, of the call that has it.
func (c *Chain) operand(calls []*Call, n int) []byte {
	at := c.outside[n]
	return calls[at[0]].In[at[1]]
}

// memory is the row of the calls' operands or results that a step reads or writes; nil: it does not.
func (c *Chain) memory(calls []*Call, src source, it *cursor) []float32 {
	switch src.kind {
	case ofOutside:
		return floats(c.operand(calls, src.n))[it.at[src.n]:][:it.n]
	case ofResult:
		return floats(calls[src.n].Out[0])[it.y:][:it.n]
	}
	return nil
}
