package vm

// This file runs the instructions of loops again, where nobody observes the run. What a trip has found of an
// instruction is what the next one would find, as long as the types of its operands say so; then a trip looks up the
// operands' memory, gives the result its own, and calls the kernel.

import (
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

// A repeat is an instruction of a loop as an earlier trip has run it at a binding: one tile of a kernel that makes one result.
type repeat struct {
	call  kernel.Call
	reads []int // operands whose memory may be another one in each trip
	bytes int64 // of the result
	over  int32 // the operand, a value, whose memory the result may take, or isa.Absent
}

// A turn is what is known of a loop before it runs.
type turn struct {
	ends  []int32 // the values of the body that loop.next ends: its operands
	moves bool    // each state is a value of the body of its own, or rows, so that they may pass from hand to hand
	fits  []bool  // of states, from the first two results on: its next value is of its type, whatever the run finds
}

// findTurns looks at the loops, at where jumps go, and at what is within a loop.
func (m *Model) findTurns() {
	m.turns, m.targets, m.within = make([]turn, len(m.p.Regions)), make([]int32, len(m.p.Code)), make([]bool, len(m.p.Code))
	for k, r := range m.p.Regions {
		if r.Kind != isa.Region_LOOP {
			continue
		}
		local := map[int32]bool{}
		for pc := r.Begin + 1; pc < r.Middle; pc++ {
			m.within[pc] = true
			for _, o := range m.p.Code[pc].Out {
				local[o.Value] = true
			}
		}
		next, t := m.p.Code[r.Middle], &m.turns[k]
		t.moves, t.fits = len(next.Binds) == 0, make([]bool, len(next.Out))
		for at, x := range next.In {
			if at > 1 && x >= 0 && local[x] {
				t.ends = append(t.ends, x)
			}
			if at < 3 {
				continue
			}
			if x < 0 { // a constant
				t.moves = false
				continue
			}
			state := next.Out[at-1]
			isRows := m.rows != nil && m.rows[x] > 0
			t.moves = t.moves && (isRows || local[x] && !slices.Contains(next.In[3:at], x))
			t.fits[at-1] = m.fixed(x) && m.fixed(state.Value) && sameType(m.types[x], state.Type)
		}
	}
	for pc, i := range m.p.Code {
		switch op := isa.Op(i.Op); op {
		case isa.Jmp, isa.Jmpt, isa.Jmpf:
			r := m.p.Regions[i.Region-1]
			switch {
			case op == isa.Jmp || r.Kind == isa.Region_LOOP && op == isa.Jmpf:
				m.targets[pc] = int32(r.End)
			case r.Kind == isa.Region_IF:
				m.targets[pc] = int32(r.Middle)
			default:
				m.targets[pc] = int32(r.Begin) + 2
			}
		}
	}
}

// findFixed finds the values whose types the program gives as dense tensors of sizes that no instruction changes,
// however often they are set. Whatever is in their slots has this type, for all results are compared with theirs.
func (m *Model) findFixed() {
	m.types = make([]*isa.Type, m.p.Values)
	if c := &m.cfg; c.SkipTypeCheck {
		return
	}
	changes := make([]bool, len(m.p.Sizes))
	for _, list := range m.redo {
		for _, z := range list {
			changes[z] = true
		}
	}
	seen := make([]bool, m.p.Values)
	for _, i := range m.p.Code {
		for _, r := range i.Out {
			x, t := r.Value, r.Type
			if x < 0 {
				continue
			}
			if t.Kind != isa.Type_TENSOR || t.Unranked || slices.ContainsFunc(t.Dims, func(z uint32) bool { return changes[z] }) || seen[x] &&
				!sameType(m.types[x], t) {
				t = nil
			}
			m.types[x], seen[x] = t, true
		}
	}
}

// fixed reports whether an operand is absent, a constant, or of a type that the program fixes.
func (m *Model) fixed(x int32) bool { return x < 0 || m.types[x] != nil }

// sameType reports whether two types of tensors are one; nil is none.
func sameType(a, b *isa.Type) bool {
	return a != nil && b != nil && a.Kind == b.Kind && a.Elem == b.Elem && a.Unranked == b.Unranked && slices.Equal(a.Dims, b.Dims)
}

// quick runs an instruction of a run that nobody observes and gives the next one; false: nothing was done, as step must look at it.
func (f *frame) quick(i *isa.Instruction) (int, bool, error) {
	switch op := isa.Op(i.Op); op {
	case isa.Free:
		f.free(i.In[0])
	case isa.Jmp:
		return int(f.m.targets[f.pc]), true, nil
	case isa.Jmpt, isa.Jmpf:
		f.args = f.args[:0]
		is, err := truth(f.operand(i.In[0]))
		if err != nil || is == (op == isa.Jmpt) {
			return int(f.m.targets[f.pc]), true, err
		}
	case isa.LoopNext:
		if done, err := f.moved(i, &f.m.turns[i.Region-1]); !done {
			return 0, false, err
		} else if err != nil {
			return 0, true, err
		}
	default:
		x := &f.fit[f.pc]
		if x.again == nil || x.binding != f.binding {
			return 0, false, nil
		}
		if done, err := f.repeat(i, x.again); !done || err != nil {
			return 0, done, err
		}
	}
	return f.pc + 1, true, nil
}

// mayRepeat gives what the next trips need of an instruction that has just been set up, and whose sizes an earlier
// trip has compared with the program's; nil: each trip must look at it anew.
func (f *frame) mayRepeat(i *isa.Instruction, p *prepared, c *kernel.Call) *repeat {
	k, cfg := f.m.kernels[f.pc], &f.m.cfg
	if !f.m.within[f.pc] || !f.plain || !f.recycles || cfg.CheckNaN || cfg.CheckInf || cfg.CheckReference != nil || cfg.Budget.Bytes > 0 {
		return nil
	}
	if p.grid.Tiles != 1 || p.grid.Phases > 1 || p.scratch > 0 || p.shared > 0 || len(i.Out) != 1 || i.Out[0].Value < 0 || len(i.Binds) > 0 {
		return nil
	}
	y := i.Out[0].Value
	if !f.m.fixed(y) || f.kept[y] || f.m.direct[y] > 0 || slices.ContainsFunc(i.In, func(x int32) bool { return !f.m.fixed(x) }) {
		return nil
	}
	for _, n := range k.values { // which elements may change
		if _, isConst := isa.ConstIndex(i.Operand(n)); !isConst && i.Operand(n) != isa.Absent {
			return nil
		}
	}
	o := &p.sig.Out[0]
	r := &repeat{call: *c, bytes: (int64(o.DType.Bits())*o.Len() + 7) / 8, over: isa.Absent}
	r.call.In, r.call.Out = slices.Clone(c.In), slices.Clone(c.Out)
	for n, x := range i.In {
		// elements of large ones may go
		if _, isConst := isa.ConstIndex(x); x != isa.Absent && (!isConst || len(c.In[n]) == 0 || len(c.In[n]) >= largeConstant) {
			r.reads = append(r.reads, n)
		}
	}
	if p.over >= 0 && o.DType == p.sig.In[p.over].DType && slices.Equal(o.Dims, p.sig.In[p.over].Dims) {
		r.over = i.In[p.over]
	}
	return r
}

// repeat runs an instruction as an earlier trip has; false: the operands' elements are such that the kernel does not compute it.
func (f *frame) repeat(i *isa.Instruction, r *repeat) (bool, error) {
	f.args = f.args[:0]
	c := &r.call
	for _, n := range r.reads {
		c.In[n] = f.operand(i.In[n]).(*tensor.Tensor).Bytes()
	}
	if c.Entry.Check != nil && c.Entry.Check(c) != nil {
		return false, nil
	}
	x := i.Out[0].Value
	b, err := f.blockFor(x, r.bytes, r.over)
	if err != nil {
		return true, err
	}
	c.Out[0] = b.buf.Bytes[:r.bytes:r.bytes]
	c.Entry.Run(c, 0, 0)
	return true, f.putBytes(x, f.own[x].next(c.Out[0]), b, r.bytes)
}
