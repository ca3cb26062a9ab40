package vm

// This file plans the memory of runs: where in an arena the values of a program lie, at the sizes of a binding. A value is planned when
// a kernel or the machine makes it and its sizes are known when the inputs are. Others, among them the states of loops and what they come
// from, have blocks of their own.
// Plans are made when sizes are bound, and not by the compiler, because one program serves all sizes: a plan for the
// upper bounds of all symbols would have small runs hold the largest arena, and few contracts bound them.
//
// The steps are these. planning follows the code in order and learns for each value its bytes,
// its first and last instruction, and which values have the same memory (views, and results that
// are computed in an operand's memory). Sets of such values are kept as a union-find forest, as
// they are only ever joined. makePlan gives each set a class, memory.Plan places the classes so
// that those alive at the same time do not overlap, and enter cuts the arena into blocks. A
// kernel's workspace is one more class, alive at one instruction.
//
// A value whose size is larger than planned, or whose planned block is still in use, gets a block
// from the store instead. That two classes do not overlap while both are in use is not checked in
// runs: it follows from from and to alone, which therefore only grow.

import (
	"slices"
	"sync"

	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// A plan is the memory of a program at a binding. It never changes, but that the first run takes
// what was chosen for it. Its key is syms, known and copies: two runs with equal keys compute the
// same sizes. Offsets and sizes are in bytes, offsets from the arena's beginning and multiples of
// memory.Align.
type plan struct {
	syms   []int64
	known  []bool
	copies bool
	class  []int32 // of values: 1 + the class; 0: none
	at     []int64 // of classes
	bytes  []int64
	over   []bool  // it has memory that others have: what is joined, and what it is joined to
	space  []int32 // of instructions: 1 + the workspace; 0: none
	spaces []workspace
	groups []*group // by their first instruction
	fresh  choices  // kernels for signatures that nobody had met
	size   int64    // of the arena
	bound  int64    // the most that is in use at one time
}

// A workspace is what a kernel needs beside its operands and results: memory for each worker, and
// behind it what all tiles share. All three are in bytes; at counts from the beginning of the
// arena, scratch is that of one worker.
type workspace struct{ at, scratch, shared int64 }

// classOf is 1 + the class of a value; 0: it has none.
func (p *plan) classOf(x int32) int32 {
	if p == nil {
		return 0
	}
	return p.class[x]
}

// A choices is the kernels that were chosen while a plan was made, until a run takes them, or ends.
type choices struct {
	mu   sync.Mutex
	list []*prepared // by instruction
}

// take gives the kernel that was chosen for an instruction, once; nil: there is none. A choice is
// handed over once, because the signature in it is completed by the run that prepares the kernel,
// and two runs may not write the same one.
func (c *choices) take(pc int) (p *prepared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list != nil {
		p, c.list[pc] = c.list[pc], nil
	}
	return p
}

// drop lets go of those that no run has taken.
func (c *choices) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = nil
}

// workspace is that of an instruction, or nil.
func (p *plan) workspace(pc int) *workspace {
	if p == nil || p.space[pc] == 0 {
		return nil
	}
	return &p.spaces[p.space[pc]-1]
}

// maxPlans bounds the plans that a model keeps: the kernels of more bindings are not kept either.
const maxPlans = maxPrepared

// A plans is the plans that were made, the last one used first.
type plans struct {
	mu   sync.Mutex
	list []*plan
}

// planOf gives the plan of a run; nil: there is none, because what the run needs is more than can
// be. The list is searched from its front and the plan that is found moves there: it is an LRU
// cache of at most maxPlans. The lock is held while a plan is made, so that runs of equal sizes
// that begin together make one plan and not one each.
func (f *frame) planOf() *plan {
	c := &f.m.plans
	c.mu.Lock()
	defer c.mu.Unlock()
	k := slices.IndexFunc(c.list, func(p *plan) bool {
		return p.copies == f.copies && slices.Equal(p.known, f.known) && slices.Equal(p.syms, f.syms)
	})
	var p *plan
	if k >= 0 {
		p = c.list[k]
		c.list = slices.Delete(c.list, k, k+1)
	} else if p = f.makePlan(); p == nil {
		return nil
	}
	c.list = slices.Insert(c.list[:min(len(c.list), maxPlans-1)], 0, p)
	return p
}

// enter gives the run its arena. It does nothing where memory of ended values may not be used
// again, where the plan is larger than the budget, and where the arena cannot be had: then values
// have blocks of their own, and a run that frees early, or that takes a short branch, may still
// succeed. The arena is poisoned first when the configuration asks for it, which shows kernels
// that read what they did not write.
func (f *frame) enter() {
	if !f.recycling() {
		return
	}
	p := f.planOf()
	if limit := f.m.cfg.Budget.Bytes; p == nil || limit > 0 && p.size > limit {
		return // an instruction says what is too large
	}
	if p.size == 0 { // what it computes lies in the outputs, or there are groups alone
		f.plan, f.classes = p, f.classes[:0]
		return
	}
	arena, err := f.m.arenas.Take(p.size)
	if err != nil {
		return // blocks may still suffice, as not all values need be made
	}
	f.m.poison(arena.Bytes)
	f.plan, f.arena = p, arena
	f.classes = slices.Grow(f.classes[:0], len(p.at))[:len(p.at)]
	buffers := make([]memory.Buffer, len(p.at))
	for k, at := range p.at {
		buffers[k].Bytes = arena.Bytes[at : at+p.bytes[k] : at+p.bytes[k]]
		f.classes[k] = block{buf: &buffers[k], class: int32(k) + 1, over: p.over[k]}
	}
}

// leave gives the arena back.
func (f *frame) leave() {
	if f.arena != nil {
		f.m.poison(f.arena.Bytes)
		f.m.arenas.Give(f.arena)
	}
	if f.plan != nil {
		f.plan.fresh.drop()
	}
	f.plan, f.arena = nil, nil
}

// planned is the planned block of a value that takes size bytes; nil: it has none, or it is in
// use. A block is poisoned when it is taken again, except one that overlaps another by a join,
// whose elements may already be in it.
func (f *frame) planned(x int32, size int64) *block {
	c := f.plan.classOf(x)
	if c == 0 {
		return nil
	}
	b := &f.classes[c-1]
	if b.values > 0 || int64(len(b.buf.Bytes)) < size {
		return nil
	}
	if !b.over {
		f.m.poison(b.buf.Bytes)
	}
	return b
}

// A planning is a plan that is made: what is known of each value. from and to are instructions:
// the value is written at from and needed until to. Both begin as an empty interval (from behind
// the end, to before the beginning) and only grow.
type planning struct {
	*frame
	root     []int32 // of a value: one that has the same memory
	own      []bool  // it has a block of its own, or is nobody's
	from, to []int
	bytes    []int64
	shown    []tensor.Value // tensors of the values' types, with elements only where they are known
	spaces   []workspace
	chosen   []*prepared    // by instruction
	fresh    []bool         // by instruction: no run has met the signature that is chosen for
	refused  map[int]string // why the group that begins at an instruction goes no further; nil: nobody asks
}

// of finds the value whose memory x lies in, with path halving as in any union-find.
func (p *planning) of(x int32) int32 {
	for p.root[x] != x {
		p.root[x] = p.root[p.root[x]]
		x = p.root[x]
	}
	return x
}

// join says that a value has the memory of another one. The root of x stays, with the longer of
// both lives and the larger of both sizes. A set with a member that has a block of its own has
// one as a whole.
func (p *planning) join(y, x int32) {
	y, x = p.of(y), p.of(x)
	if y != x {
		p.root[y] = x
		p.own[x] = p.own[x] || p.own[y]
		p.bytes[x] = max(p.bytes[x], p.bytes[y])
		p.from[x], p.to[x] = min(p.from[x], p.from[y]), max(p.to[x], p.to[y])
	}
}

// set says that an instruction makes a value of so many bytes.
func (p *planning) set(x int32, pc int, bytes int64) {
	x = p.of(x)
	p.from[x] = min(p.from[x], pc)
	p.bytes[x] = max(p.bytes[x], bytes)
}

// planning follows the program at the run's binding. It has a frame of its own without slots,
// since choosing a kernel is the same code as in a run and needs operands: here they are tensors
// without elements, except where elements follow from sizes alone. Its time is linear in the
// instructions, and independent of how often loops run.
func (f *frame) planning() *planning {
	code, n := f.m.p.Code, int(f.m.p.Values)
	p := &planning{frame: &frame{m: f.m, binding: f.binding}, root: make([]int32, n), own: slices.Clone(f.kept), from: make([]int, n),
		to: make([]int, n), bytes: make([]int64, n),
		shown: make([]tensor.Value, n), spaces: make([]workspace, len(code)), chosen: make([]*prepared, len(code)),
		fresh: make([]bool, len(code))}
	for x := range p.root {
		p.root[x], p.from[x], p.to[x] = int32(x), len(code), -1
	}
	for x, port := range f.m.direct {
		p.own[x] = p.own[x] || f.copies && port > 0
	}
	for pc, i := range code {
		p.pc = pc
		p.instruction(pc, i)
	}
	return p
}

// makePlan plans the run's binding. A value that is never freed lives to the end of the program.
// When joined classes made the arena larger than separate ones would, which happens where the
// whole lives long and the pieces are short, the separate layout is taken. It returns nil when
// the arena's size overflows.
func (f *frame) makePlan() *plan {
	code, n, p := f.m.p.Code, int(f.m.p.Values), f.planning()
	out := &plan{syms: slices.Clone(f.syms), known: slices.Clone(f.known), copies: f.copies, class: make([]int32, n), groups: p.groups()}
	var list []memory.Class
	classes := map[int32]int32{}
	for x := range p.root {
		r := p.of(int32(x))
		if p.own[r] || p.bytes[r] == 0 {
			continue
		}
		if classes[r] == 0 {
			if p.to[r] < p.from[r] {
				p.to[r] = len(code)
			}
			list = append(list, memory.Class{Bytes: p.bytes[r], From: p.from[r], To: p.to[r]})
			classes[r] = int32(len(list))
		}
		out.class[x] = classes[r]
	}
	values := len(list)
	threads := int64(f.m.pool.Threads())
	out.space = make([]int32, len(code))
	for pc, s := range p.spaces {
		if bytes := threads*s.scratch + s.shared; bytes > 0 {
			list = append(list, memory.Class{Bytes: bytes, From: pc, To: pc})
			out.spaces = append(out.spaces, s)
			out.space[pc] = int32(len(out.spaces))
		}
	}
	j := p.joinings(classes)
	at, size, bound, err := j.plan(list)
	if err == nil && len(j.pieces) > 0 && size > memory.Bound(list) { // apart they may take less
		if other, less, least, err := memory.Plan(list); err == nil && less < size {
			at, size, bound, j.pieces = other, less, least, nil
		}
	}
	if err != nil {
		return nil
	}
	out.over = make([]bool, values)
	for x, z := range j.pieces {
		out.over[x], out.over[z.whole] = true, true
	}
	for k := range out.spaces {
		out.spaces[k].at = at[values+k]
	}
	out.at, out.size, out.bound = at[:values], size, bound
	for _, c := range list[:values] {
		out.bytes = append(out.bytes, c.Bytes)
	}
	for pc := range p.chosen {
		if !p.fresh[pc] {
			p.chosen[pc] = nil
		}
	}
	out.fresh.list = p.chosen
	return out
}

// A joinings is which classes may lie in others, to which they are joined, from the beginning: nothing is moved then.
type joinings struct {
	pieces map[int32]piece
	from   map[int32]int // of those that have pieces, with these
}

// A piece is where a class lies in another one.
type piece struct {
	whole int32
	at    int64
}

// joinings finds them: values that end with the join that takes them. A piece must end in the run
// of Free instructions directly behind the join, must begin at an aligned offset of the result,
// and must not be the operand twice. Then the kernel of the piece writes where the result will
// lie, and the join finds that there is nothing to copy. A piece may itself be a join: from is
// the earliest beginning of all pieces, however deep.
func (p *planning) joinings(classes map[int32]int32) joinings {
	j := joinings{map[int32]piece{}, map[int32]int{}}
	for pc, c := range p.chosen {
		if c == nil || c.entry.Joins == nil || !c.entry.Joins(&c.sig) {
			continue
		}
		i := p.m.p.Code[pc]
		r := p.of(i.Out[0].Value)
		whole := classes[r] - 1
		if whole < 0 || p.from[r] != pc {
			continue
		}
		end := pc + 1
		for end < len(p.m.p.Code) && isa.Op(p.m.p.Code[end].Op) == isa.Free {
			end++
		}
		j.from[whole] = pc
		at := int64(0)
		for n, operand := range i.In {
			o := &c.sig.In[n]
			size := int64(o.DType.Bits()) / 8 * o.Len()
			if operand >= 0 && at%memory.Align == 0 {
				x := p.of(operand)
				mine := classes[x] - 1
				if _, twice := j.pieces[mine]; mine >= 0 && x != r && !twice && p.bytes[x] == size && p.to[x] < end {
					j.pieces[mine] = piece{whole, at}
					from, ok := j.from[mine]
					if !ok {
						from = p.from[x]
					}
					j.from[whole] = min(j.from[whole], from)
				}
			}
			at += size
		}
	}
	return j
}

// plan plans classes of which some lie in others. Only whole classes are placed; each lives from
// the earliest beginning of its pieces. A piece's offset is the sum of the offsets along its
// chain of wholes.
func (j joinings) plan(list []memory.Class) (at []int64, size, bound int64, err error) {
	if len(j.pieces) == 0 {
		return memory.Plan(list)
	}
	var alone []memory.Class
	for k, c := range list {
		if _, ok := j.pieces[int32(k)]; ok {
			continue
		}
		if from, ok := j.from[int32(k)]; ok {
			c.From = min(c.From, from)
		}
		alone = append(alone, c)
	}
	places, size, bound, err := memory.Plan(alone)
	if err != nil {
		return nil, 0, 0, err
	}
	at = make([]int64, len(list))
	for k := range list {
		if _, ok := j.pieces[int32(k)]; !ok {
			at[k], places = places[0], places[1:]
		}
	}
	for k := range list {
		for z, ok := j.pieces[int32(k)]; ok; z, ok = j.pieces[z.whole] {
			at[k] += z.at
			if _, further := j.pieces[z.whole]; !further {
				at[k] += at[z.whole]
			}
		}
	}
	return at, size, bound, nil
}

// instruction follows one. The cases are sorted by who owns the result's memory: nobody makes any
// (jumps, outputs), it passes on (loops and copies, so neither side is planned), it is the
// caller's or the model's (In, Const), it is the operand's (View), or the machine or a kernel
// makes it. An unknown result is its own block, which is always right.
func (p *planning) instruction(pc int, i *isa.Instruction) {
	alone := func() {
		for _, x := range i.In {
			if x >= 0 {
				p.own[p.of(x)] = true
			}
		}
		for _, r := range i.Out {
			if r.Value >= 0 {
				p.own[p.of(r.Value)] = true
			}
		}
	}
	switch op := isa.Op(i.Op); op {
	case isa.Free:
		x := p.of(i.In[0])
		p.to[x] = max(p.to[x], pc)
	case isa.Out, isa.Bind, isa.Jmp, isa.Jmpt, isa.Jmpf, isa.LoopEnd:
	case isa.LoopBegin, isa.LoopNext, isa.Copy: // memory passes from hand to hand
		alone()
	case isa.In, isa.Const:
		x := i.Out[0].Value
		p.own[p.of(x)] = true
		if p.shown[x] = p.show(i.Out[0].Type); op == isa.Const {
			p.shown[x] = p.operand(i.In[0])
		}
	case isa.View:
		if x := i.In[0]; x >= 0 {
			p.join(i.Out[0].Value, x)
		} else {
			p.own[p.of(i.Out[0].Value)] = true
		}
		p.shown[i.Out[0].Value] = p.show(i.Out[0].Type)
		if x, ok := p.arg(i.In[0]).(*tensor.Tensor); ok && p.shown[i.Out[0].Value] != nil && x.Bytes() != nil {
			if y, err := x.Reshape(p.shown[i.Out[0].Value].(*tensor.Tensor).Dims()...); err == nil {
				p.shown[i.Out[0].Value] = y
			}
		}
	case isa.Fill, isa.Sizes:
		x := i.Out[0].Value
		p.shown[x] = p.show(i.Out[0].Type)
		t, ok := p.shown[x].(*tensor.Tensor)
		if !ok || len(i.Binds) > 0 {
			alone()
			return
		}
		p.set(x, pc, tensor.Memory(t))
		list := i.Find("of").GetSizes().GetList()
		if op == isa.Sizes && len(list) == t.Len() && !slices.ContainsFunc(list, func(z uint32) bool { return !p.ready[z] }) {
			if y, err := tensor.New(t.DType(), t.Dims()...); err == nil {
				for k, z := range list {
					y.SetInt(k, p.vals[z])
				}
				p.shown[x] = y
			}
		}
	default:
		for _, r := range i.Out {
			if r.Value >= 0 && p.shown[r.Value] == nil {
				p.shown[r.Value] = p.show(r.Type)
			}
		}
		if p.m.isRowsOfInput(pc) || !p.kernelOf(pc, i) {
			for _, r := range i.Out {
				if r.Value >= 0 {
					p.own[p.of(r.Value)] = true
				}
			}
		}
	}
}

// show makes a tensor of a type without elements; nil: its sizes are not known, or it is none.
// Such a tensor answers for its type and sizes, and its Bytes are nil; kernels are chosen by the
// former alone.
func (p *planning) show(t *isa.Type) tensor.Value {
	if t.Kind != isa.Type_TENSOR || t.Unranked {
		return nil
	}
	dims := make([]int64, len(t.Dims))
	for k, d := range t.Dims {
		if !p.ready[d] {
			return nil
		}
		dims[k] = p.vals[d]
	}
	n, err := onnx.Count(dims)
	if err != nil {
		return nil
	}
	if _, err := onnx.ByteSize(tensor.DType(t.Elem), n); err != nil {
		return nil
	}
	x := &tensor.Tensor{}
	x.Become(tensor.DType(t.Elem), dims, nil)
	return x
}

// arg is what is known of an operand.
func (p *planning) arg(x int32) tensor.Value {
	if _, ok := isa.ConstIndex(x); ok || x < 0 {
		return p.operand(x)
	}
	return p.shown[x]
}

// kernelOf plans the results of a kernel and its workspace; false: no kernel that is known now
// computes the instruction. It gives up where an operand is unknown, or where the entry's
// signature has elements that only the run knows. A result is joined with an operand when the
// kernel may write over it, both have the same type and sizes, and neither must keep its memory.
func (p *planning) kernelOf(pc int, i *isa.Instruction) bool {
	k := p.m.kernels[pc]
	if k == nil || len(i.Binds) > 0 {
		return false
	}
	p.args = p.args[:0]
	for n, x := range i.In {
		v := p.arg(x)
		t, ok := v.(*tensor.Tensor)
		if v == nil && x != isa.Absent || v != nil && !ok || ok && t.Bytes() == nil && t.Len() > 0 && slices.Contains(k.values, n) {
			return false
		}
		p.args = append(p.args, v)
	}
	c := p.choose(i, k)
	if c.entry == nil {
		return false
	}
	known, _ := k.find(p.args)
	p.chosen[pc], p.fresh[pc] = c, known == nil
	p.spaces[pc] = workspace{scratch: c.scratch, shared: (c.shared + memory.Align - 1) / memory.Align * memory.Align}
	for n, r := range i.Out {
		if r.Value < 0 || c.sig.Out[n].Absent {
			continue
		}
		o := &c.sig.Out[n]
		size := (int64(o.DType.Bits())*o.Len() + 7) / 8
		p.set(r.Value, pc, size)
		at := c.inPlace(n)
		if at < 0 || i.In[at] < 0 || p.own[p.of(i.In[at])] || p.own[p.of(r.Value)] {
			continue
		}
		if o.DType == c.sig.In[at].DType && slices.Equal(o.Dims, c.sig.In[at].Dims) {
			p.join(r.Value, i.In[at])
		}
	}
	return true
}
