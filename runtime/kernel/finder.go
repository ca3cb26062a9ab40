package kernel

// This file finds what elements alone say the number of: places that are not zero, different elements, boxes that
// stay. The sizes of the results are not known before, so these are no entries.
//
// A finder works in two steps, as memory is the machine's to give: Find reads the operands,
// counts, and says the types of the results; Write fills memory that was made for them in
// between. What Find has to remember (places, groups) is in the closure. Everything runs on one
// thread and asks often whether the run is over.

import (
	"math"
	"slices"
	"sync"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// A Finder computes an operator the sizes of whose results its operands' elements decide, on every tier alike.
type Finder struct {
	Name string
	// Find looks at the elements of operands, whose signature has no results. nil: the reference computes them, and
	// says what is wrong; or over, which is asked at least once in a millisecond, said that the run has ended.
	Find func(s *Sig, in [][]byte, over func() bool) *Found
}

// A Found is the types of results, and what writes them: into memory that is nil for those that nobody needs, until the run is over.
type Found struct {
	Out   []Operand
	Write func(out [][]byte, over func() bool)
}

// numbersOf is the type of numbers of places.
func numbersOf(dims ...int64) Operand { return Operand{DType: tensor.Int64, Dims: dims} }

// FinderOf gives the finder of an operator, or nil.
func FinderOf(op isa.Op) *Finder { return finders()[op] }

var finders = sync.OnceValue(func() map[isa.Op]*Finder {
	return map[isa.Op]*Finder{
		isa.Lookup("", "NonZero"):           {"NonZero.places", findNonZero},
		isa.Lookup("", "Compress"):          {"Compress.copy", findChosen},
		isa.Lookup("", "Unique"):            {"Unique.keys", findUnique},
		isa.Lookup("", "NonMaxSuppression"): {"NonMaxSuppression.boxes", findBoxes},
	}
})

// findWork is how many elements are looked at before the run is asked whether it is over.
const findWork = 64 << 10

// stretches calls f for 0 to n-1 in stretches, until it is over; false: it was. It asks before
// the first stretch too, so a run that is over does nothing.
func stretches(n int, over func() bool, f func(from, to int)) bool {
	for at := 0; at < n; at += findWork {
		if over() {
			return false
		}
		f(at, min(at+findWork, n))
	}
	return true
}

// truthOf tells which elements are not zero; nil: not of this type. Floats are compared by their
// bits without the sign, so that -0 is zero and NaN is not.
func truthOf(d tensor.DType, b []byte) func(i int) bool {
	switch d {
	case tensor.Bool, tensor.Uint8, tensor.Int8:
		return func(i int) bool { return b[i] != 0 }
	case tensor.Int16, tensor.Uint16:
		x := elems[uint16](b)
		return func(i int) bool { return x[i] != 0 }
	case tensor.Float16, tensor.BFloat16:
		x := elems[uint16](b)
		return func(i int) bool { return x[i]<<1 != 0 }
	case tensor.Int32, tensor.Uint32:
		x := elems[uint32](b)
		return func(i int) bool { return x[i] != 0 }
	case tensor.Float32:
		x := elems[uint32](b)
		return func(i int) bool { return x[i]<<1 != 0 }
	case tensor.Int64, tensor.Uint64:
		x := elems[uint64](b)
		return func(i int) bool { return x[i] != 0 }
	case tensor.Float64:
		x := elems[uint64](b)
		return func(i int) bool { return x[i]<<1 != 0 }
	}
	return nil
}

// findNonZero finds the places of elements that are not zero: for each axis a row of numbers. The
// result is [rank, count], as numpy's nonzero stacked: places are in row-major order. It reads
// the elements twice instead of keeping a list of the places, whose number is not known before.
func findNonZero(s *Sig, in [][]byte, over func() bool) *Found {
	x := &s.In[0]
	is := truthOf(x.DType, in[0])
	if is == nil {
		return nil
	}
	n, count := int(x.Len()), 0
	if !stretches(n, over, func(from, to int) {
		for i := from; i < to; i++ {
			if is(i) {
				count++
			}
		}
	}) {
		return nil
	}
	return &Found{[]Operand{numbersOf(int64(len(x.Dims)), int64(count))}, func(outs [][]byte, over func() bool) {
		out, steps, k := elems[int64](outs[0]), dense(x.Dims), 0
		stretches(n, over, func(from, to int) {
			for i := from; i < to; i++ {
				if !is(i) {
					continue
				}
				rest := i
				for a, step := range steps {
					out[a*count+k] = int64(rest / step)
					rest %= step
				}
				k++
			}
		})
	}}
}

// A track is what a finder goes along: an axis of the operand, or all its elements. Without the
// attribute axis the operand is taken as flat, as Compress and Unique have it.
type track struct {
	dims            []int64 // of the operand, with the axis
	at              int
	outer, n, inner int
}

// trackOf gives the track that an instruction names; false: there is none.
func trackOf(s *Sig) (a track, ok bool) {
	x := &s.In[0]
	a.dims, a.at = []int64{x.Len()}, 0
	if s.Inst.Find("axis") != nil {
		if a.dims, a.at = x.Dims, axisOf(s, 0); a.at < 0 {
			return a, false
		}
	}
	a.outer, a.n, a.inner = along(a.dims, a.at)
	return a, true
}

// chosen is the type of so many places along the track.
func (a *track) chosen(d tensor.DType, n int) Operand {
	dims := slices.Clone(a.dims)
	dims[a.at] = int64(n)
	return Operand{DType: d, Dims: dims}
}

// gather copies what lies at places along the track.
func (a *track) gather(out, x []byte, size int, places []int64, over func() bool) {
	row := a.inner * size
	for o := range a.outer {
		from, to := x[o*a.n*row:], out[o*len(places)*row:]
		if !stretches(len(places), over, func(first, end int) {
			for k := first; k < end; k++ {
				copy(to[k*row:(k+1)*row], from[int(places[k])*row:])
			}
		}) {
			return
		}
	}
}

// findChosen finds what a condition chooses along a track. The condition may be shorter than the
// axis, and then the rest is not chosen; a true element behind the axis is a fault, which the
// reference reports.
func findChosen(s *Sig, in [][]byte, over func() bool) *Found {
	x := &s.In[0]
	a, ok := trackOf(s)
	if !ok || len(in) < 2 || s.In[1].DType != tensor.Bool || byteSize(x.DType) == 0 || x.DType.Bits()%8 != 0 {
		return nil
	}
	cond, count, last := in[1], 0, -1
	if !stretches(len(cond), over, func(from, to int) {
		for i := from; i < to; i++ {
			if cond[i] != 0 {
				count, last = count+1, i
			}
		}
	}) || last >= a.n {
		return nil
	}
	return &Found{[]Operand{a.chosen(x.DType, count)}, func(out [][]byte, over func() bool) {
		size := byteSize(x.DType)
		if count > len(cond)/8 { // a list of the places would be larger than the condition
			a.copyChosen(out[0], in[0], size, cond, count, over)
			return
		}
		list := make([]int64, 0, count)
		if stretches(len(cond), over, func(from, to int) {
			for i := from; i < to; i++ {
				if cond[i] != 0 {
					list = append(list, int64(i))
				}
			}
		}) {
			a.gather(out[0], in[0], size, list, over)
		}
	}}
}

// copyChosen copies what a condition chooses along the track, count places of it.
func (a *track) copyChosen(out, x []byte, size int, cond []byte, count int, over func() bool) {
	row := a.inner * size
	for o := range a.outer {
		from, to, k := x[o*a.n*row:], out[o*count*row:], 0
		if !stretches(min(len(cond), a.n), over, func(first, end int) {
			for i := first; i < end; i++ {
				if cond[i] != 0 {
					copy(to[k*row:(k+1)*row], from[i*row:])
					k++
				}
			}
		}) {
			return
		}
	}
}

// keysOf orders elements of a type by numbers: zeros are equal, and NaN is the largest. nil: not
// of this type. Zeros of both signs have one key, as all comparisons have them equal.
func keysOf(d tensor.DType, b []byte) func(i int) uint64 {
	switch d {
	case tensor.Float32:
		return keysAs[float32](b)
	case tensor.Float64:
		return keysAs[float64](b)
	case tensor.Int64:
		return keysAs[int64](b)
	case tensor.Int32:
		return keysAs[int32](b)
	case tensor.Int16:
		return keysAs[int16](b)
	case tensor.Int8:
		return keysAs[int8](b)
	case tensor.Uint8, tensor.Bool:
		return keysAs[uint8](b)
	case tensor.Uint16:
		return keysAs[uint16](b)
	case tensor.Uint32:
		return keysAs[uint32](b)
	case tensor.Uint64:
		x := elems[uint64](b)
		return func(i int) uint64 { return x[i] }
	}
	return nil
}

func keysAs[T number](b []byte) func(i int) uint64 {
	x := elems[T](b)
	return func(i int) uint64 { return keyOf(x[i]) }
}

// uniqueWidth is the most elements of what Unique compares: beyond that the reference, which stops at the first difference, is faster.
const uniqueWidth = 16

// A keyed is what lies at a place along the track.
type keyed struct {
	key   uint64
	place int32
}

// findUnique sorts by the elements at each place, the last ones first, and each time by bytes: so
// that equal ones stay in order. It is a radix sort by the last column first (LSD): each pass is
// stable, so after the first column the rows are in lexicographic order, and equal ones in the
// order of their places. A row is what lies at one place of the track: outer·inner elements.
// Results are the unique rows, the first place of each, the group of each place, and the counts,
// sorted by value or, with sorted=0, by first place. Its time is linear in the elements, times
// eight bytes.
func findUnique(s *Sig, in [][]byte, over func() bool) *Found {
	x := &s.In[0]
	a, ok := trackOf(s)
	key := keysOf(x.DType, in[0])
	if !ok || key == nil || a.n > math.MaxInt32 || a.outer*a.inner > uniqueWidth {
		return nil
	}
	ask(96 * int64(a.n)) // for all lists
	list, spare := make([]keyed, a.n), make([]keyed, a.n)
	for i := range list {
		list[i].place = int32(i)
	}
	differs := make([]bool, a.n) // from the one before
	columns := a.outer * a.inner
	at := func(column int, place int32) int { return (column/a.inner*a.n+int(place))*a.inner + column%a.inner }
	for column := columns - 1; column >= 0; column-- {
		if !stretches(a.n, over, func(from, to int) {
			for i := from; i < to; i++ {
				list[i].key = key(at(column, list[i].place))
			}
		}) {
			return nil
		}
		if list, spare = sortKeyed(list, spare, over); list == nil {
			return nil
		}
	}
	for column := range columns {
		if !stretches(a.n, over, func(from, to int) {
			for i := max(from, 1); i < to; i++ {
				differs[i] = differs[i] || key(at(column, list[i].place)) != key(at(column, list[i-1].place))
			}
		}) {
			return nil
		}
	}
	var first []int64 // place of each group
	group, counts := make([]int32, a.n), []int64(nil)
	for i, k := range list {
		if i == 0 || differs[i] {
			first, counts = append(first, int64(k.place)), append(counts, 0)
		}
		group[k.place] = int32(len(first) - 1)
		counts[len(first)-1]++
	}
	if s.Inst.Int("sorted", 1) == 0 { // in the order of the first places
		rank, found := make([]int32, len(first)), int32(0)
		sorted, many := make([]int64, len(first)), make([]int64, len(first))
		for i, g := range group {
			if first[g] == int64(i) {
				rank[g], sorted[found], many[found] = found, int64(i), counts[g]
				found++
			}
			group[i] = rank[g]
		}
		first, counts = sorted, many
	}
	n := numbersOf(int64(len(first)))
	return &Found{[]Operand{a.chosen(x.DType, len(first)), n, numbersOf(int64(a.n)), n}, func(out [][]byte, over func() bool) {
		if out[0] != nil {
			a.gather(out[0], in[0], byteSize(x.DType), first, over)
		}
		for k, b := range out[1:] {
			switch y := elems[int64](b); {
			case b == nil:
			case k == 1:
				for i, g := range group {
					y[i] = int64(g)
				}
			case k == 0:
				copy(y, first)
			default:
				copy(y, counts)
			}
		}
	}}
}

// sortKeyed sorts by keys, byte by byte from the last one, as far as they differ; it gives the sorted list and a spare one, or nil when
// it is over. It is a counting sort for each byte of the key. A byte that all keys share is
// skipped, which for small integers leaves one or two passes of eight.
func sortKeyed(list, spare []keyed, over func() bool) (sorted, rest []keyed) {
	var counts [8][256]int32
	if !stretches(len(list), over, func(from, to int) {
		for _, k := range list[from:to] {
			for b := range counts {
				counts[b][byte(k.key>>(8*b))]++
			}
		}
	}) {
		return nil, nil
	}
	for b := range counts {
		if c := &counts[b]; !slices.Contains(c[:], int32(len(list))) {
			at := int32(0)
			for v, n := range c {
				c[v] = at
				at += n
			}
			if !stretches(len(list), over, func(from, to int) {
				for _, k := range list[from:to] {
					v := byte(k.key >> (8 * b))
					spare[c[v]] = k
					c[v]++
				}
			}) {
				return nil, nil
			}
			list, spare = spare, list
		}
	}
	return list, spare
}

// A box is two corners, in order, and its area.
type box struct{ y1, x1, y2, x2, area float64 }

// boxOf reads corners in either order, or a centre with sizes, as NonMaxSuppression takes both.
// ONNX has [y1, x1, y2, x2] with corners in either order, or [x, y, width, height] of the centre.
func boxOf(f []float32, centre bool) (b box) {
	if p, q, r, s := float64(f[0]), float64(f[1]), float64(f[2]), float64(f[3]); centre {
		b = box{y1: q - s/2, x1: p - r/2, y2: q + s/2, x2: p + r/2}
	} else {
		b = box{y1: min(p, r), x1: min(q, s), y2: max(p, r), x2: max(q, s)}
	}
	b.area = (b.y2 - b.y1) * (b.x2 - b.x1)
	return b
}

// overlaps reports whether the intersection over the union is more than most. Boxes that do not
// meet have an intersection of zero, which is more than most only where that is negative.
func (b *box) overlaps(c *box, most float64) bool {
	h, w := min(b.y2, c.y2)-max(b.y1, c.y1), min(b.x2, c.x2)-max(b.x1, c.x1)
	if h <= 0 || w <= 0 {
		return 0 > most
	}
	return h*w/(b.area+c.area-h*w) > most
}

// findBoxes finds, in the order of their scores, boxes that overlap none before by more than a
// limit. This is the greedy algorithm of the operator's text: for each image and class, boxes in
// the order of falling scores (of equal ones the lower index first) are taken when they overlap
// none that was taken by more than the threshold, until there are max_output_boxes_per_class. A
// score must be more than the threshold, and not equal. Its time is that of sorting, and of boxes
// times those that are kept.
func findBoxes(s *Sig, in [][]byte, over func() bool) *Found {
	if s.In[0].DType != tensor.Float32 || s.In[1].DType != tensor.Float32 {
		return nil
	}
	d, e := s.In[0].Dims, s.In[1].Dims
	if len(d) != 3 || d[2] != 4 || len(e) != 3 || e[0] != d[0] || e[2] != d[1] || d[1] > math.MaxInt32 {
		return nil
	}
	most, overlap, least := int64(0), 0.0, math.Inf(-1)
	for i := 2; i < len(s.In); i++ {
		switch o := &s.In[i]; {
		case o.Absent:
		case o.Len() != 1 || o.DType != map[bool]tensor.DType{true: tensor.Int64, false: tensor.Float32}[i == 2]:
			return nil
		case i == 2:
			most = elems[int64](in[i])[0]
		case i == 3:
			overlap = float64(floats(in[i])[0])
		default:
			least = float64(floats(in[i])[0])
		}
	}
	boxes, scores, n := floats(in[0]), floats(in[1]), int(d[1])
	out, work := []int64{}, 0
	ask(128 * int64(n)) // for all lists
	all := make([]box, n)
	var order []ranked
	var kept []int
	for image := range int(e[0]) {
		if over() {
			return nil
		}
		if !stretches(n, over, func(from, to int) {
			for i := from; i < to; i++ {
				all[i] = boxOf(boxes[(image*n+i)*4:][:4], s.Inst.Int("center_point_box", 0) != 0)
			}
		}) {
			return nil
		}
		for class := range int(e[1]) {
			order, kept = order[:0], kept[:0]
			for i, f := range scores[(image*int(e[1])+class)*n:][:n] {
				if float64(f) > least {
					order = append(order, ranked{keyOf(f), i})
				}
			}
			slices.SortFunc(order, ranked.compare)
			for _, r := range order {
				if int64(len(kept)) >= most {
					break
				}
				if work += len(kept) + 1; work > findWork {
					if work = 0; over() {
						return nil
					}
				}
				b := &all[r.index]
				if !slices.ContainsFunc(kept, func(k int) bool { return b.overlaps(&all[k], overlap) }) {
					kept = append(kept, r.index)
					out = append(out, int64(image), int64(class), int64(r.index))
				}
			}
		}
	}
	return &Found{[]Operand{numbersOf(int64(len(out)/3), 3)}, func(outs [][]byte, _ func() bool) { copy(elems[int64](outs[0]), out) }}
}
