package memory

// This file plans where values lie whose sizes and lives are known before a run.
//
// The problem is dynamic storage allocation: rectangles of given heights (bytes) and times are
// packed into a strip of least height, which is NP-hard. A lower bound is the most that is in use
// at one step; many programs reach it with a simple order, and then the search is left out.
// Otherwise greedy orders are tried first (large ones first, long-lived ones first, those that
// end late first) and then a local search, whose random numbers have a fixed seed, so that equal
// programs have equal plans on all machines.
//
// The work is bounded by constants, so that planning takes milliseconds, also for programs with
// thousands of values: it happens each time a model meets new sizes.

import (
	"cmp"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Class is memory that is in use from one step of a program to another one, both included.
// Steps are instructions here; a class is in use at From, at To, and between them.
type Class struct {
	Bytes    int64
	From, To int
}

// Bounds of the planner's work. Beyond them a plan is worse, not wrong.
const (
	maxOverlaps = 1 << 22 // pairs of classes in use at the same time
	maxActive   = 1 << 12 // classes in use at one step, among which the plan by time looks for a gap
	searchWork  = 1 << 14 // classes that the search places again
	fewClasses  = 24      // which the search also places in any order
	manyClasses = 256     // of more of them it draws orders of kinds alone
)

// Plan gives each class an offset, a multiple of Align, so that classes in use at the same time do not overlap, the size of the arena that
// has them all, and the most that they have together at one step: no plan has a smaller arena. It takes the best of four orders in which
// classes get the lowest place that is free, three of them also the smallest gap that suits, and improves it by giving the class at the top
// its place earlier, and by orders that are drawn, of all classes, most of them with large ones first, and of their kinds, until the size
// is that bound or the work's bound is reached. Equal lists have equal plans. It returns an error if a class has a
// negative or too large number of bytes or ends before it begins, and if all together have more
// than 2^60 bytes. The search replaces the best plan by one that is as good, which lets it leave
// a plateau.
func Plan(list []Class) (offsets []int64, size, bound int64, err error) {
	if err := check(list); err != nil {
		return nil, 0, 0, err
	}
	events := eventsOf(list)
	bound = boundOf(list, events)
	best := planner{list: list, at: make([]int64, len(list))}
	best.byTime(events)
	if best.size == bound || !best.overlaps(events) {
		return best.at, best.size, bound, nil
	}
	p := planner{list: list, near: best.near, at: make([]int64, len(list))}
	var order []int32
	keep := func() bool { // of two equal plans the later one, so that the search moves on
		if p.size > best.size {
			return false
		}
		best.at, p.at, best.size = p.at, best.at, p.size
		return true
	}
	for _, first := range []func(c Class) int64{
		func(c Class) int64 { return c.Bytes },
		func(c Class) int64 { return int64(c.To - c.From) },
		func(c Class) int64 { return int64(c.To) },
	} {
		mine := ordered(list, func(i int) int64 { return -first(list[i]) })
		for _, tight := range []bool{true, false} {
			if p.inOrder(mine, tight); keep() {
				order = mine
			}
			if best.size == bound {
				return best.at, best.size, bound, nil
			}
		}
	}
	if order == nil {
		order = best.byOffset()
	}
	r := rand.New(rand.NewPCG(1, 1))
	next := make([]int32, len(list))
	limit := searchWork
	if len(list) <= manyClasses {
		limit *= 2
	}
	layers := kindsOf(list)
	for work := 0; work < limit && best.size > bound; work += len(list) {
		turn := work / len(list)
		drawn := turn%2 == 1
		top := slices.IndexFunc(order, func(i int32) bool { return best.at[i]+aligned(list[i].Bytes) == best.size })
		copy(next, order)
		switch {
		case drawn && (len(list) > manyClasses || turn%8 == 1 || len(list) > fewClasses && turn%4 == 1):
			layers.draw(r, next)
		case drawn:
			r.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
			if turn%4 == 3 || len(list) > fewClasses { // large ones first
				slices.SortStableFunc(next, func(a, b int32) int { return bits.Len64(uint64(list[b].Bytes)) - bits.Len64(uint64(list[a].Bytes)) })
			}
		case top > 0:
			place := r.IntN(top)
			copy(next[place+1:top+1], order[place:top])
			next[place] = order[top]
		default: // nothing is before it
			continue
		}
		if p.inOrder(next, false); keep() {
			order, next = next, order
		}
	}
	return best.at, best.size, bound, nil
}

// A kinds is the number of each class's kind. Those of one kind have the same size and life, as in a program that
// repeats its layers: a plan that suits one layer then suits all. rank is the order in which
// kinds are placed, drawn anew for each trial.
type kinds struct {
	of   []int32
	rank []int32
}

// kindsOf numbers the classes by size and length of life; those that are alike are exchangeable
// in the search of a plan.
func kindsOf(list []Class) *kinds {
	type kind struct {
		bytes int64
		life  int
	}
	k := &kinds{of: make([]int32, len(list))}
	seen := map[kind]int32{}
	for i, c := range list {
		x := kind{aligned(c.Bytes), c.To - c.From}
		n, ok := seen[x]
		if !ok {
			n = int32(len(seen))
			seen[x] = n
		}
		k.of[i] = n
	}
	for n := range len(seen) {
		k.rank = append(k.rank, int32(n))
	}
	return k
}

// draw orders classes by kinds, whose order is drawn.
func (k *kinds) draw(r *rand.Rand, order []int32) {
	r.Shuffle(len(k.rank), func(i, j int) { k.rank[i], k.rank[j] = k.rank[j], k.rank[i] })
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(k.rank[k.of[a]], k.rank[k.of[b]]), cmp.Compare(a, b)) })
}

// check refuses classes that no arena has. An error of the type FullError says that a class alone
// is too large.
func check(list []Class) error {
	total := int64(0)
	for _, c := range list {
		if c.Bytes < 0 || c.Bytes > largest || c.To < c.From {
			return &FullError{Bytes: c.Bytes, Limit: largest}
		}
		if total += aligned(c.Bytes); total > 1<<60 {
			return errors.New("the values have more bytes than can be planned")
		}
	}
	return nil
}

// Bound is the most that classes have together at one step, as Plan gives it; 0 of those that cannot be planned.
func Bound(list []Class) int64 {
	if check(list) != nil {
		return 0
	}
	return boundOf(list, eventsOf(list))
}

// boundOf is the most that classes have together. It is one pass over the events, in order of
// steps.
func boundOf(list []Class, events []event) (most int64) {
	now := int64(0)
	for _, e := range events {
		if e.ends {
			now -= aligned(list[e.class].Bytes)
			continue
		}
		now += aligned(list[e.class].Bytes)
		most = max(most, now)
	}
	return most
}

// Align is a power of two.
func aligned(n int64) int64 { return (n + Align - 1) &^ (Align - 1) }

// An event is the begin or the end of a class.
type event struct {
	step  int
	class int32
	ends  bool
}

// eventsOf lists begins and ends in order, the begins of a step before its ends. Begins mostly
// come in order, and ends nearly so. A class that ends in the step in which another begins
// overlaps it, hence begins before ends.
func eventsOf(list []Class) []event {
	begins, ends := make([]event, len(list)), make([]event, len(list))
	for i, c := range list {
		begins[i], ends[i] = event{c.From, int32(i), false}, event{c.To, int32(i), true}
	}
	for _, x := range [][]event{begins, ends} {
		slices.SortFunc(x, func(a, b event) int {
			if a.step != b.step {
				return cmp.Compare(a.step, b.step)
			}
			return cmp.Compare(a.class, b.class)
		})
	}
	out := make([]event, 0, 2*len(list))
	for _, e := range ends {
		for len(begins) > 0 && begins[0].step <= e.step {
			out, begins = append(out, begins[0]), begins[1:]
		}
		out = append(out, e)
	}
	return out
}

// A planner is a plan that is made. at and done are by class; busy is used again for each class
// that is placed.
type planner struct {
	list []Class
	at   []int64
	size int64
	near [][]int32 // of a class: those in use at the same time
	busy []piece
	done []bool
}

// A piece is a part of the arena that is taken.
type piece struct{ from, to int64 }

// byTime gives classes places in the order in which they begin, the larger first: the lowest one
// that fits. The list of active classes is kept by offset, so the first gap is found in one pass;
// with more than maxActive of them a class goes on top of all.
func (p *planner) byTime(list []event) {
	active := []int32{} // by offset
	for k := 0; k < len(list); {
		first := k
		for k < len(list) && list[k].step == list[first].step && !list[k].ends {
			k++
		}
		begins := list[first:k]
		slices.SortStableFunc(begins, func(a, b event) int { return cmp.Compare(p.list[b.class].Bytes, p.list[a.class].Bytes) })
		for _, e := range begins {
			n := aligned(p.list[e.class].Bytes)
			at, place := int64(0), 0
			if len(active) <= maxActive {
				for place < len(active) && p.at[active[place]]-at < n {
					at = max(at, p.at[active[place]]+aligned(p.list[active[place]].Bytes))
					place++
				}
			} else {
				at, place = p.size, len(active)
			}
			p.at[e.class] = at
			p.size = max(p.size, at+n)
			if n > 0 {
				active = slices.Insert(active, place, e.class)
			}
		}
		for k < len(list) && list[k].ends {
			if i := slices.Index(active, list[k].class); i >= 0 {
				active = slices.Delete(active, i, i+1)
			}
			k++
		}
	}
}

// overlaps lists for each class those in use at the same time; false: they are too many. It is
// made once, because each trial asks for it. The first pass counts, so that all lists are cut
// from one allocation.
func (p *planner) overlaps(list []event) bool {
	near := make([]int, len(p.list)) // how many: those that are there when a class begins, and those that begin until it ends
	pairs, now, begun := 0, 0, 0
	for _, e := range list {
		switch {
		case p.list[e.class].Bytes == 0:
		case e.ends:
			near[e.class] += begun
			now--
		default:
			begun++
			near[e.class] = now - begun
			pairs += now
			now++
		}
	}
	if pairs > maxOverlaps {
		return false
	}
	all := make([]int32, 2*pairs)
	p.near = make([][]int32, len(p.list))
	for i, n := range near {
		p.near[i], all = all[:0:n], all[n:]
	}
	var active []int32
	for _, e := range list {
		switch {
		case p.list[e.class].Bytes == 0:
		case e.ends:
			i := slices.Index(active, e.class)
			active[i] = active[len(active)-1]
			active = active[:len(active)-1]
		default:
			for _, x := range active {
				p.near[x] = append(p.near[x], e.class)
			}
			p.near[e.class] = append(p.near[e.class], active...)
			active = append(active, e.class)
		}
	}
	return true
}

// inOrder gives classes places in an order: the lowest one that is free, or with tight the
// smallest gap that suits. For each class the pieces of those that overlap it in time and have a
// place already are sorted by offset, and the gaps between them looked at.
func (p *planner) inOrder(order []int32, tight bool) {
	p.size = 0
	if p.done == nil {
		p.done = make([]bool, len(p.list))
	}
	clear(p.done)
	for _, i := range order {
		n := aligned(p.list[i].Bytes)
		p.busy = p.busy[:0]
		for _, x := range p.near[i] {
			if p.done[x] {
				p.busy = append(p.busy, piece{p.at[x], p.at[x] + aligned(p.list[x].Bytes)})
			}
		}
		slices.SortFunc(p.busy, func(a, b piece) int { return cmp.Compare(a.from, b.from) })
		end, best, gap := int64(0), int64(-1), int64(0)
		for _, b := range p.busy {
			if room := b.from - end; room >= n && (best < 0 || room < gap) {
				if best, gap = end, room; !tight {
					break
				}
			}
			end = max(end, b.to)
		}
		if best < 0 {
			best = end
		}
		p.at[i], p.done[i] = best, true
		p.size = max(p.size, best+n)
	}
}

// byOffset is the order of the places of a plan.
func (p *planner) byOffset() []int32 {
	return ordered(p.list, func(i int) int64 { return p.at[i] })
}

// ordered lists classes by a number of each, the smallest first, and equal ones as they come.
func ordered(list []Class, number func(i int) int64) []int32 {
	type numbered struct {
		n     int64
		class int32
	}
	all := make([]numbered, len(list))
	for i := range list {
		all[i] = numbered{number(i), int32(i)}
	}
	slices.SortFunc(all, func(a, b numbered) int {
		if a.n != b.n {
			return cmp.Compare(a.n, b.n)
		}
		return cmp.Compare(a.class, b.class)
	})
	out := make([]int32, len(list))
	for i, x := range all {
		out[i] = x.class
	}
	return out
}
