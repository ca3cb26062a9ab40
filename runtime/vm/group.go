package vm

// This file computes chains of functions of elements together, tile by tile, so that what one writes is near when the next one reads it.
// Those of f32 run on the tier's vector machine, others by their own kernels, on the same elements as alone: the bits are the same.
// What the program frees within a chain lives to its end, since one tile is not further than the others.
//
// Groups are found when a plan is made, as they depend on sizes. A member computes a function of
// elements whose result has the same sizes as the first one's, and whose operands from within the
// group are read element for element, so that tile k of a member needs tile k of the earlier ones
// and nothing else. A group may have instructions between which values are freed, but no jump may
// go into it.
//
// What it saves is memory traffic: a chain of n functions alone reads and writes the whole tensor
// n times, and in a group a tile of about groupWork elements stays in the cache between them. On
// the vector machine (kernel.Chain) intermediate values that nobody else needs are never written
// at all.

import (
	"fmt"
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
)

// A group is a chain of instructions at a binding: kernels and what is freed between them.
// entries and states have an element for each of the n instructions; those of a Free are nil.
// tiles is the number of tiles, equal for all members.
type group struct {
	first, n int // instructions
	tiles    int
	entries  []*kernel.Entry // by instruction; nil where it is no kernel
	states   []any
	calls    int // kernels
	parts    []part
}

// A part is calls of a group that are computed together in each tile: several on the vector
// machine, or a single one by its kernel. from and to count the group's calls, not instructions.
type part struct {
	from, to int
	chain    *kernel.Chain // nil: a single one
}

const (
	// groupWork is about the elements of a tile: those of some operands stay in L2.
	groupWork = 8 << 10
	// groupRow is the longest row of which a tile has one at least.
	groupRow = 64 << 10
	// groupMemory is how much a group may keep longer than without it.
	groupMemory = 1 << 20
	// groupLength is the most kernels of a group: all results live to its end.
	groupLength = 32
)

// groups finds the groups, the longest from each instruction on. It is greedy: a group takes as
// many instructions as it can and the search goes on behind it, in time linear in the code times
// groupLength. Groups whose values would live longer by more than groupMemory bytes altogether
// are given up, as they would enlarge the arena for all runs.
func (p *planning) groups() []*group {
	out := make([]*group, len(p.m.p.Code))
	c := &p.m.cfg
	if c.CheckNaN || c.CheckInf || c.CheckReference != nil { // who looks at each result wants it whole
		return out
	}
	borders := map[int]bool{} // where jumps may go
	for _, r := range p.m.p.Regions {
		borders[int(r.Begin)], borders[int(r.Middle)], borders[int(r.End)] = true, true, true
	}
	for pc := 0; pc < len(out); pc++ {
		g, why := p.groupAt(pc, borders)
		if g != nil {
			if more := p.lengthen(g, false); more > groupMemory {
				g, why = nil, fmt.Sprintf("its values would have %d bytes more at one time", more)
			}
		}
		if p.refused != nil && why != "" {
			p.refused[pc] = why
		}
		if g == nil {
			continue
		}
		out[pc] = g
		p.lengthen(g, true)
		pc += g.n - 1
	}
	return out
}

// lengthen says how many bytes end within a group, and with change lets them live to its end.
// Within a group nothing ends before its last tile, because another tile may still be at an
// earlier instruction.
func (p *planning) lengthen(g *group, change bool) (bytes int64) {
	seen, last := map[int32]bool{}, g.first+g.n-1
	for k := g.first; k <= last; k++ {
		i := p.m.p.Code[k]
		if isa.Op(i.Op) != isa.Free {
			continue
		}
		x := p.of(i.In[0])
		if p.to[x] < last && !p.own[x] && !seen[x] {
			seen[x] = true
			bytes += p.bytes[x]
		}
		if change {
			p.to[x] = max(p.to[x], last)
		}
	}
	return bytes
}

// groupAt gives the group that begins at an instruction, or nil, and why it goes no further. The
// second result is for the people who ask why something is not computed together. A group needs
// at least two kernels and groupWork elements: below that the calls themselves are the cost. All
// members' rows must divide one length, which is their least common multiple, so that cuts of one
// are cuts of all.
func (p *planning) groupAt(first int, borders map[int]bool) (*group, string) {
	c := p.chosen[first]
	if c == nil || !c.entry.Elementwise(&c.sig) {
		return nil, ""
	}
	dims, code := c.sig.Out[0].Dims, p.m.p.Code
	if n := c.sig.Out[0].Len(); n < groupWork {
		return nil, fmt.Sprintf("%d elements are too few", n)
	}
	made := map[int32]bool{}
	row, kernels, end, why := 1, 0, first, "it is the last one"
	for pc := first; pc < len(code); pc++ {
		i := code[pc]
		if isa.Op(i.Op) == isa.Free {
			continue
		}
		if why = p.refuses(pc, dims, made, row); why == "" && pc > first && borders[pc] {
			why = "a region begins or ends there"
		}
		if why == "" && kernels == groupLength {
			why = fmt.Sprintf("a group has %d instructions at most", groupLength)
		}
		if why != "" {
			break
		}
		c := p.chosen[pc]
		made[i.Out[0].Value] = true
		row = common(row, kernel.Row(c.entry.State(&c.sig)))
		kernels, end = kernels+1, pc+1
	}
	if kernels < 2 {
		return nil, why
	}
	work := row * max(1, groupWork/row)
	g := &group{first: first, n: end - first, tiles: -1, entries: make([]*kernel.Entry, end-first), states: make([]any, end-first)}
	for pc := first; pc < end; pc++ {
		if isa.Op(code[pc].Op) == isa.Free {
			continue
		}
		c := p.chosen[pc]
		state, tiles := kernel.Cut(c.entry.State(&c.sig), work)
		if g.tiles >= 0 && tiles != g.tiles {
			return nil, "the tiles of its instructions differ"
		}
		g.tiles, g.entries[pc-first], g.states[pc-first] = tiles, c.entry, state
		g.calls++
	}
	p.divide(g, work)
	return g, why
}

// divide finds the parts of a group. It takes the longest run of linkable kernels that the vector
// machine accepts, by trying ever shorter ones, because a chain has a limited number of registers
// and operands. What remains single is run by its own kernel, on the same tile.
func (p *planning) divide(g *group, work int) {
	code := p.m.p.Code
	var pcs []int
	ends := map[int32]bool{} // values that nobody needs behind the group
	for pc := g.first; pc < g.first+g.n; pc++ {
		if isa.Op(code[pc].Op) == isa.Free {
			ends[code[pc].In[0]] = true
		} else {
			pcs = append(pcs, pc)
		}
	}
	for from := 0; from < len(pcs); {
		to := from
		for to < len(pcs) && kernel.Linkable(p.chosen[pcs[to]].entry, &p.chosen[pcs[to]].sig) {
			to++
		}
		var c *kernel.Chain
		for ; to > from+1 && c == nil; to-- {
			if c = kernel.NewChain(p.links(pcs, from, to, ends), work); c != nil && c.Tiles() != g.tiles {
				c = nil
			}
			if c != nil {
				break
			}
		}
		if c == nil {
			to = from + 1
		}
		g.parts = append(g.parts, part{from, to, c})
		from = to
	}
}

// links are the kernels of a part. From has for each operand the link that makes it, or -1 for
// memory. A link is kept, which means written to memory, when its value is used behind the group
// or by a member outside of the part.
func (p *planning) links(pcs []int, from, to int, ends map[int32]bool) []kernel.Link {
	links := make([]kernel.Link, to-from)
	made := map[int32]int{}
	for k, pc := range pcs {
		i := p.m.p.Code[pc]
		own := k >= from && k < to
		var l kernel.Link
		for _, x := range i.In {
			at, ok := made[x]
			switch {
			case !ok:
				at = -1
			case !own:
				links[at].Kept = true
			}
			l.From = append(l.From, at)
		}
		if own {
			l.Entry, l.Sig, l.Kept = p.chosen[pc].entry, &p.chosen[pc].sig, !ends[i.Out[0].Value]
			links[k-from], made[i.Out[0].Value] = l, k-from
		}
	}
	return links
}

// refuses says why an instruction cannot go on with a group of results of these sizes; empty: it
// can. The reasons are texts for vm's list of what is computed together, not decisions of
// anything else.
func (p *planning) refuses(pc int, dims []int64, made map[int32]bool, row int) string {
	i, c := p.m.p.Code[pc], p.chosen[pc]
	switch {
	case c == nil:
		return fmt.Sprintf("it is not known before the run what computes %s", isa.Op(i.Op))
	case !c.entry.Elementwise(&c.sig):
		return fmt.Sprintf("%s is no function of elements", isa.Op(i.Op))
	case !slices.Equal(c.sig.Out[0].Dims, dims):
		return fmt.Sprintf("the result of %s has the sizes %v, not %v", isa.Op(i.Op), c.sig.Out[0].Dims, dims)
	case common(row, kernel.Row(c.entry.State(&c.sig))) > groupRow:
		return fmt.Sprintf("the rows of %s do not go together with those before", isa.Op(i.Op))
	}
	for n, x := range i.In {
		if made[x] && !c.sig.Aligned(n) {
			return fmt.Sprintf("%s broadcasts a result of the group", isa.Op(i.Op))
		}
	}
	return ""
}

// common is the least common multiple. It is computed with Euclid's algorithm and a/gcd*b, which
// does not overflow before the result does.
func common(a, b int) int {
	x, y := a, b
	for y > 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// group runs the group that begins at the instruction, and gives the next one. It sets up the
// calls one by one as a run without groups would, so that types, budgets and errors are the same,
// and computes them all at the end. Where an operand's elements need the reference, or another
// kernel than the plan's is chosen, the calls that wait are computed first, and the group goes on
// behind. Frees are counted on their blocks (ending) and done at the end. The error is that of
// the instruction at f.pc.
func (f *frame) group(g *group) (int, error) {
	code := f.m.p.Code
	waiting := 0 // calls
	for k := range g.n {
		if k > 0 { // the first one was counted
			f.pc = g.first + k
			if err := f.count1(); err != nil {
				return 0, err
			}
		}
		i := code[f.pc]
		if isa.Op(i.Op) == isa.Free {
			if b := f.blockOf(i.In[0]); b != nil {
				b.ending++
			}
			continue
		}
		f.operands(i)
		if waiting == len(f.calls) {
			f.calls = append(f.calls, &kernel.Call{})
		}
		c := f.calls[waiting]
		p, known, err := f.setUp(i, c)
		if err == nil && (!known || p != nil && p.entry != g.entries[k]) { // the operands' elements are such that the reference computes it
			if err = f.runGroup(g, waiting); err == nil {
				waiting = 0
				if !known {
					f.outs, err = f.compute(i, isa.Op(i.Op))
				} else {
					err = f.execute(p, c)
				}
			}
			p = nil
		}
		if err == nil {
			err = f.set(i, f.outs)
		}
		if err != nil {
			return 0, err
		}
		if p != nil {
			c.State = g.states[k]
			waiting++
		}
	}
	if err := f.runGroup(g, waiting); err != nil {
		return 0, err
	}
	for k := range g.n {
		if i := code[g.first+k]; isa.Op(i.Op) == isa.Free {
			if b := f.blockOf(i.In[0]); b != nil {
				b.ending--
			}
			f.free(i.In[0])
		}
	}
	return g.first + g.n, nil
}

// runGroup computes the first calls tile by tile. When some calls were computed separately, the
// parts no longer fit, and each call runs by its own entry, tile by tile. The error is that the
// run has ended.
func (f *frame) runGroup(g *group, calls int) error {
	f.job.group, f.job.calls = g, f.calls[:calls]
	if calls == 0 {
		return nil
	}
	if calls == g.calls {
		for len(f.spaces) < f.m.pool.Threads() {
			f.spaces = append(f.spaces, kernel.Space{})
		}
		for _, part := range g.parts {
			for w := range f.spaces {
				if part.chain != nil {
					f.spaces[w].Fit(part.chain)
				}
			}
		}
	}
	if g.tiles == 1 || f.m.pool.Threads() == 1 {
		for t := range g.tiles {
			f.job.do(0, t)
		}
	} else {
		f.m.pool.Do(g.tiles, f.job.do)
	}
	f.job.group = nil
	return f.cancelled()
}

// A job is what tiles of a call or of a group need, in one place for all of a frame, so that none allocates.
type job struct {
	f     *frame
	group *group
	calls []*kernel.Call
	entry *kernel.Entry
	call  *kernel.Call
	first int // tile of the phase
	do    func(worker, tile int)
}

// tile runs a tile of an entry, or the tiles of all entries of a group one after the other, while their values
// are in the cache. A tile begins only while the run has not ended; the caller discards the
// results of a run that has.
func (j *job) tile(worker, tile int) {
	if j.f.over() != nil {
		return
	}
	if j.group == nil {
		j.entry.Run(j.call, worker, j.first+tile)
		return
	}
	if len(j.calls) < j.group.calls { // one of them is not computed with the others in this run
		for _, c := range j.calls {
			c.Entry.Run(c, worker, tile)
		}
		return
	}
	for _, p := range j.group.parts {
		if p.chain != nil {
			p.chain.Run(j.calls[p.from:p.to], &j.f.spaces[worker], tile)
		} else {
			j.calls[p.from].Entry.Run(j.calls[p.from], worker, tile)
		}
	}
}
