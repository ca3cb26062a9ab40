package isa

// This file walks over the instructions once. Where arms of an If meet, and at the end of a
// loop's body, only what changed since their beginning is compared.
//
// This is an abstract interpretation without a fixed point: regions are properly nested, a loop's
// body must leave all values as it found them, and both arms of a conditional must leave the
// same, so one walk over the code proves it for all paths. Its cost is linear in the code plus
// the changes that are compared at joins.

// A slot is what is known of a value. The zero slot is a value that is not set. group is an index
// of the verifier's groups; several values with one group lie in the same memory.
type slot struct {
	typ   *Type
	class uint32 // 1 + the class; 0: memory of its own
	group int    // 1 + the memory that it shares with others; 0: memory that others may have as well
	depth int    // how many regions it is set in
	spent bool   // a result has taken its memory over: it may only be freed
}

// A change is a value and what it was before.
type change struct {
	value  int32
	before slot
}

// A frame is a region that has begun. limit is the position up to which an inner region may
// extend, so that regions cannot overlap.
type frame struct {
	region uint32
	log    int            // where its changes begin
	bound  int            // where its symbols begin
	first  map[int32]slot // of an If in its second arm: what the first one changed
	before map[int32]slot // and what those values were
	limit  uint32         // where inner regions must have ended
}

// A span is where a class is in use.
type span struct{ from, to int }

// put changes what is known of a value. It keeps the counts of classes and groups, and the span
// of code in which each class is in use, which static then checks for overlaps.
func (v *verifier) put(x int32, s slot) {
	old := v.slots[x]
	if old.typ != nil {
		v.busy[old.class]--
		v.groups[old.group]--
		if old.class > 0 && v.busy[old.class] == 0 {
			v.spans[old.class].to = max(v.spans[old.class].to, v.pc)
		}
	}
	if s.typ != nil {
		if s.class > 0 && v.busy[s.class] == 0 && v.spans[s.class].from > v.pc {
			v.spans[s.class].from = v.pc
		}
		v.busy[s.class]++
		v.groups[s.group]++
	}
	v.slots[x] = s
}

// change is put with a way back.
func (v *verifier) change(x int32, s slot) {
	v.log = append(v.log, change{x, v.slots[x]})
	v.put(x, s)
}

// code goes through the instructions. At the end all regions are closed, all values freed and all outputs set.
func (v *verifier) code() {
	p := v.p
	v.slots, v.groups = make([]slot, p.Values), make([]int, 1)
	v.busy, v.spans = make([]int, len(p.Classes)+1), make([]span, len(p.Classes)+1)
	for i := range v.spans {
		v.spans[i] = span{len(p.Code), 0}
	}
	v.regionTable()
	for pc, i := range p.Code {
		v.pc = pc
		v.boundaries(uint32(pc))
		v.instruction(i)
	}
	v.pc = len(p.Code)
	v.boundaries(uint32(len(p.Code)))
	if len(v.frames) > 0 {
		v.refuse("the region r%d does not end", v.frames[0].region)
	}
	for x, s := range v.slots {
		if s.typ != nil {
			v.refuse("the value %%%d is not freed", x)
		}
	}
	for k, done := range v.out {
		if !done {
			v.refuse("nothing sets the output %q", p.Outputs[k].Name)
		}
	}
	v.pc = -1
}

// regionTable checks the regions by themselves: they are in the order of their beginnings. For a
// conditional, Begin is its jump, Middle the beginning of its second arm (or End), and End is
// behind it. For a loop, Begin is loop.begin, Middle loop.next, and loop.end follows after the
// jump back, at Middle+2.
func (v *verifier) regionTable() {
	n := uint32(len(v.p.Code))
	for k, r := range v.p.Regions {
		if k > 0 && v.p.Regions[k-1].Begin >= r.Begin {
			v.refuse("the regions are not in order")
		}
		ok := r.Begin < r.Middle && r.Middle <= r.End && r.End <= n
		switch r.Kind {
		case Region_IF:
			ok = ok && (r.Middle == r.End || r.Begin+1 < r.Middle)
		case Region_LOOP:
			ok = ok && r.Begin+1 < r.Middle && r.End == r.Middle+2 && r.End < n
		default:
			ok = false
		}
		if !ok {
			v.refuse("the region r%d has no known kind, or its parts are not in order", k)
		}
	}
}

// boundaries ends the arms that end before the instruction pc. Loops end by their own
// instruction, so only conditionals are looked at. Several arms may end at the same place.
func (v *verifier) boundaries(pc uint32) {
	for len(v.frames) > 0 {
		f := &v.frames[len(v.frames)-1]
		r := v.p.Regions[f.region]
		if r.Kind != Region_IF {
			return
		}
		switch {
		case pc == r.Middle && f.first == nil && r.Middle < r.End:
			f.first, f.before = v.undo(*f)
			f.limit = r.End
			return
		case pc == r.End:
			v.join(*f)
		default:
			return
		}
	}
}

// net is what changed since a frame began: the value as it is, and as it was. A value that was
// changed and changed back is left out.
func (v *verifier) net(f frame) (after, before map[int32]slot) {
	after, before = map[int32]slot{}, map[int32]slot{}
	for _, c := range v.log[f.log:] {
		if _, ok := before[c.value]; !ok {
			before[c.value] = c.before
			after[c.value] = v.slots[c.value]
		}
	}
	for x := range before {
		if sameSlot(before[x], after[x]) {
			delete(before, x)
			delete(after, x)
		}
	}
	return after, before
}

func sameSlot(a, b slot) bool {
	if a.typ == nil || b.typ == nil {
		return a.typ == b.typ
	}
	return sameType(a.typ, b.typ) && a.class == b.class && a.spent == b.spent
}

// undo goes back to where the frame began and gives what had changed. The log is gone through
// backwards, so each value gets its oldest state.
func (v *verifier) undo(f frame) (after, before map[int32]slot) {
	after, before = v.net(f)
	for i := len(v.log) - 1; i >= f.log; i-- {
		v.put(v.log[i].value, v.log[i].before)
	}
	v.log = v.log[:f.log]
	v.unbind(f)
	return after, before
}

// unbind forgets symbols that the frame's instructions bound. They have a value on one path only.
func (v *verifier) unbind(f frame) {
	for _, s := range v.bound[f.bound:] {
		v.setSymbol(s, false)
	}
	v.bound = v.bound[:f.bound]
}

// join ends an If: both arms must have changed the same values in the same way. A value that both
// arms set must have the same type and class, with sizes that are known behind the join; it
// belongs to the enclosing depth then. If its memory is another one in the two arms, it counts as
// memory that others may have, and nothing is computed over it.
func (v *verifier) join(f frame) {
	after, before := v.undo(f)
	first := f.first
	if first == nil { // there is no second arm: the first one must change nothing
		first = map[int32]slot{}
	}
	for x, s := range first {
		t, ok := after[x]
		if !ok || !sameSlot(s, t) {
			v.refuse("the arms of r%d do not agree on the value %%%d", f.region, x)
		}
	}
	if len(first) != len(after) {
		for x := range after {
			if _, ok := first[x]; !ok {
				v.refuse("the arms of r%d do not agree on the value %%%d", f.region, x)
			}
		}
	}
	v.frames = v.frames[:len(v.frames)-1]
	for _, x := range sorted(after) {
		s := after[x]
		if s.typ != nil {
			v.typeReady(s.typ)
			s.depth = len(v.frames)
			if s.group != first[x].group {
				s.group = 0
			}
		}
		v.log = append(v.log, change{x, before[x]})
		v.put(x, s)
	}
}

// begin begins a region; inner ones must end before its parts do. k is the region; limit is where
// its first part ends.
func (v *verifier) begin(k uint32, limit uint32) {
	if len(v.frames) >= MaxNesting {
		v.refuse("regions are nested more than %d deep", MaxNesting)
	}
	r := v.p.Regions[k]
	end := r.End
	if r.Kind == Region_LOOP { // the instruction there is still its own
		end++
	}
	if n := len(v.frames); n > 0 && end > v.frames[n-1].limit {
		v.refuse("the region r%d does not end within r%d", k, v.frames[n-1].region)
	}
	v.frames = append(v.frames, frame{region: k, log: len(v.log), bound: len(v.bound), limit: limit})
}

// jump checks jmp, jmpt and jmpf. A conditional begins with jmpt or jmpf and its first arm ends
// with jmp. The two jumps of a loop are behind loop.begin, over the body, and behind loop.next,
// back to it. No other jump is legal, so code that is verified has no other control flow.
func (v *verifier) jump(i *Instruction, op Op) {
	if i.Region == 0 {
		v.refuse("a jump has no region")
	}
	k, pc := i.Region-1, uint32(v.pc)
	r := v.p.Regions[k]
	top := len(v.frames) > 0 && v.frames[len(v.frames)-1].region == k
	switch {
	case r.Kind == Region_IF && op == Jmp:
		if !top || pc+1 != r.Middle || r.Middle == r.End {
			v.refuse("jmp is not the end of the first arm of r%d", k)
		}
	case r.Kind == Region_IF:
		if pc != r.Begin {
			v.refuse("r%d does not begin here", k)
		}
		limit := r.Middle
		if r.Middle < r.End {
			limit--
			if last := v.p.Code[limit]; Op(last.Op) != Jmp || last.Region != i.Region {
				v.refuse("the first arm of r%d does not end with its jmp", k)
			}
		}
		v.begin(k, limit)
	case op == Jmpf && pc == r.Begin+1 && top:
		v.guard(i, r.Begin)
	case op == Jmpt && pc == r.Middle+1 && top:
		v.guard(i, r.Middle)
	default:
		v.refuse("this jump has no place in r%d", k)
	}
}

// guard checks that a loop's jump looks at what the instruction at pc made for it.
func (v *verifier) guard(i *Instruction, pc uint32) {
	if out := v.p.Code[pc].Out; len(out) < 2 || out[1].Value < 0 || i.Operand(0) != out[1].Value {
		v.refuse("the jump of a loop does not look at its second result")
	}
}

// loop checks the places of loop.begin, loop.next and loop.end; the operands are checked already
// and, for loop.begin, the results are not set yet. At loop.begin the whole shape of the loop is
// checked at once: the five instructions at their positions, and equal numbers and types of
// states. Afterwards each of them only has to be where the table says.
func (v *verifier) loop(i *Instruction, op Op) {
	if i.Region == 0 || v.p.Regions[i.Region-1].Kind != Region_LOOP {
		v.refuse("a loop's instruction has no region")
	}
	k, pc := i.Region-1, uint32(v.pc)
	r := v.p.Regions[k]
	first := v.p.Code[r.Begin]
	if op != LoopBegin && (len(v.frames) == 0 || v.frames[len(v.frames)-1].region != k) {
		v.refuse("the loop r%d is not the innermost region here", k)
	}
	switch op {
	case LoopBegin:
		jump, next, back, end := v.p.Code[r.Begin+1], v.p.Code[r.Middle], v.p.Code[r.Middle+1], v.p.Code[r.End]
		if pc != r.Begin || Op(jump.Op) != Jmpf || Op(next.Op) != LoopNext || Op(back.Op) != Jmpt || Op(end.Op) != LoopEnd ||
			jump.Region != i.Region || next.Region != i.Region || back.Region != i.Region || end.Region != i.Region {
			v.refuse("the loop r%d has not its instructions at their places", k)
		}
		if len(next.Out) != len(i.Out) || len(i.Out) != len(i.In) || len(next.In) != len(i.In)+1 || len(next.Binds) != len(i.Binds) {
			v.refuse("the parts of the loop r%d do not have the same states", k)
		}
		for s, x := range i.Out {
			if x.Value < 0 || x.Value != next.Out[s].Value || x.Class > 0 || !sameType(x.Type, next.Out[s].Type) {
				v.refuse("the parts of the loop r%d do not agree on state %d", k, s-2)
			}
		}
	case LoopNext:
		if pc != r.Middle || i.Operand(0) != first.Out[0].Value {
			v.refuse("loop.next is not at its place or does not count its loop")
		}
	case LoopEnd:
		if pc != r.End || i.Operand(0) != first.Out[0].Value || i.Operand(1) != first.Out[1].Value {
			v.refuse("loop.end is not at its place or ends another loop's values")
		}
	}
}

// loopEnd closes the body: nothing may be left of it but its states. Symbols that the body bound
// are unknown behind it; those of the loop's own instructions stay. A body that set or freed a
// value would do it again in the next trip.
func (v *verifier) loopEnd() {
	f := v.frames[len(v.frames)-1]
	after, _ := v.net(f)
	for _, x := range sorted(after) {
		v.refuse("the body of r%d changes the value %%%d", f.region, x)
	}
	v.log = v.log[:f.log]
	v.unbind(f)
	v.frames = v.frames[:len(v.frames)-1]
}
