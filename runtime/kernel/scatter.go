package kernel

// This file reads and writes elements at places that operands give.
//
// All indices of a call are checked by the entry's Check before the first tile runs: the kernels
// then read and write without bounds of their own, tiles cannot fail, and a wrong index is
// reported by the reference before anything is written. Indices from -n to n-1 are legal, as ONNX
// has it.
//
// Two indices may name the same element. ONNX leaves the order open for reduction none; here the
// last one counts, as in the reference and in PyTorch's CPU code for small tensors, and sums are
// added in the order of the indices. So that no two threads write one element, work is cut along
// lanes or into parts of a slice, never along the indices.

import (
	"errors"
	"fmt"
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// scatters lists the entries of this file.
func scatters(Tier) []*Entry {
	return []*Entry{gatherElementsEntry(), gatherNDEntry(), scatterElementsEntry(), scatterNDEntry()}
}

// isIndex reports whether an operand holds places.
func isIndex(o *Operand) bool {
	return !o.Absent && (o.DType == tensor.Int64 || o.DType == tensor.Int32)
}

// indices reads places among n, which may count from the end. What Check has not seen may be
// anywhere. Exactly one of the two is not nil, by the operand's type, unless there are no
// elements.
type indices struct {
	wide   []int64
	narrow []int32
}

// indicesOf reads an operand of int32 or int64 indices without a copy.
func indicesOf(c *Call, operand int) indices {
	if c.Sig.In[operand].DType == tensor.Int64 {
		return indices{wide: elems[int64](c.In[operand])}
	}
	return indices{narrow: elems[int32](c.In[operand])}
}

// at is index i of an axis of n elements, where negative ones count from the end. Check has seen that it is in
// range.
func (x indices) at(i, n int) int {
	var k int64
	if x.wide != nil {
		k = x.wide[i]
	} else {
		k = int64(x.narrow[i])
	}
	if k < 0 {
		k += int64(n)
	}
	return int(k)
}

// check says which of the indices, of places of these sizes in turn, is none. sizes has one
// number for a single axis, or one for each position of a tuple, of which index i checks against
// sizes[i mod len]. Its error says which index is out of range; it also ends early when the run
// is over.
func (x indices) check(c *Call, sizes ...int) error {
	return c.check(max(len(x.wide), len(x.narrow)), func(from, to int) error {
		i := -1
		if x.wide != nil {
			i = outside(x.wide, from, to, sizes)
		} else {
			i = outside(x.narrow, from, to, sizes)
		}
		if i < 0 {
			return nil
		}
		return fmt.Errorf("index %d is not within %v", i, sizes)
	})
}

// outside gives the first index of a part of the list that is none; below 0: all are. The first
// branch is the common one and has no remainder in its loop.
func outside[I int32 | int64](list []I, from, to int, sizes []int) int {
	if len(sizes) == 1 {
		n := int64(sizes[0])
		for i, k := range list[from:to] {
			if int64(k) >= n || int64(k) < -n {
				return from + i
			}
		}
		return -1
	}
	for i := from; i < to; i++ {
		if k, n := int64(list[i]), int64(sizes[i%len(sizes)]); k >= n || k < -n {
			return i
		}
	}
	return -1
}

// An axisWalk goes over indices along an axis of x: operand 0 are the indices, operand 1 is x at
// place 0 of the axis. n, step and same are in elements.
type axisWalk struct {
	*walk
	size int // of an element in bytes
	n    int // places of the axis
	step int // and how far they are from each other
	how  combining
	same int // elements of x
}

// walkAlong makes the walk over the indices. With lanes, each row is one lane along the axis, and
// no lane is cut. The indices may be smaller than x along the other axes; then the walk goes over
// the indices' sizes with the steps of x.
func walkAlong(s *Sig, lanes bool) *axisWalk {
	axis := axisOf(s, 0)
	x, idx := s.In[0].Dims, slices.Clone(s.In[1].Dims)
	from, to := dense(idx), dense(x)
	a := &axisWalk{size: byteSize(s.In[0].DType), n: int(x[axis]), step: to[axis], same: int(s.In[0].Len())}
	to[axis] = 0
	work := rowWork
	if lanes {
		move := func(list []int) []int { return append(slices.Delete(slices.Clone(list), axis, axis+1), list[axis]) }
		from, to = move(from), move(to)
		work = max(work, int(idx[axis]))
		idx = append(slices.Delete(slices.Clone(idx), axis, axis+1), idx[axis])
	}
	a.walk = newWalk(idx, work, from, to)
	return a
}

// alongShape gives the sizes of the indices, or those of the operand, where the indices suit it.
// operands is how many there must be, of is the one whose sizes the result has: the indices for
// GatherElements, x for ScatterElements. Errors: missing operands, an axis that is not there,
// ranks or updates that differ, or more indices than elements along another axis.
func alongShape(s *Sig, operands, of int) ([][]int64, error) {
	if len(s.In) != operands || slices.ContainsFunc(s.In, func(o Operand) bool { return o.Absent }) || axisOf(s, 0) < 0 {
		return nil, errors.New("operands are missing, or there is no such axis")
	}
	x, idx := s.In[0].Dims, s.In[1].Dims
	if len(x) != len(idx) || operands == 3 && !sameDims(s.In[2].Dims, idx) {
		return nil, errors.New("the operands' sizes differ")
	}
	for i, d := range idx {
		if i != axisOf(s, 0) && d > x[i] {
			return nil, fmt.Errorf("%d indices for a size of %d", d, x[i])
		}
	}
	return [][]int64{s.In[of].Dims}, nil
}

// gatherElementsEntry walks the indices; each names an element of its own lane along the axis. All indices are
// checked before the first is read, so that the loops need not do it.
func gatherElementsEntry() *Entry {
	return &Entry{Op: isa.Lookup("", "GatherElements"), Name: "GatherElements.rows", Cost: moveCost,
		Shape: func(s *Sig) ([][]int64, error) { return alongShape(s, 2, 1) },
		Match: func(s *Sig) bool { return movable(s, 1) && isIndex(&s.In[1]) },
		Split: func(s *Sig) Grid { return walkAlong(s, false).grid() }, Prepare: func(s *Sig) any { return walkAlong(s, false) },
		Check: func(c *Call) error {
			return indicesOf(c, 1).check(c, c.State.(*axisWalk).n)
		},
		Run: func(c *Call, _, tile int) {
			bySize(c.State.(*axisWalk).size, c, tile, gatherAlong[uint8], gatherAlong[uint16], gatherAlong[uint32], gatherAlong[uint64],
				gatherAlong[[2]uint64])
		}}
}

// bySize calls the function for elements of so many bytes.
func bySize(size int, c *Call, tile int, one, two, four, eight, sixteen func(*Call, int)) {
	switch size {
	case 1:
		one(c, tile)
	case 2:
		two(c, tile)
	case 4:
		four(c, tile)
	case 8:
		eight(c, tile)
	default:
		sixteen(c, tile)
	}
}

func gatherAlong[T any](c *Call, tile int) {
	if c.Sig.In[1].DType == tensor.Int64 {
		gatherBy[T, int64](c, tile)
	} else {
		gatherBy[T, int32](c, tile)
	}
}

// gatherBy is instantiated for each element size and both kinds of indices, since a choice in the loop costs
// more than the copy.
func gatherBy[T any, I int32 | int64](c *Call, tile int) {
	a := c.State.(*axisWalk)
	x, n, step, unit := elems[T](c.In[0]), a.n, a.step, a.unit[1]
	for it := a.begin(tile); it.next(); {
		at, y := it.at[1], elems[T](c.Out[0])[it.at[0]:][:it.n]
		for i, index := range elems[I](c.In[1])[it.at[0]:][:it.n] {
			k := int(index)
			if k < 0 {
				k += n
			}
			y[i] = x[at+k*step]
			at += unit
		}
	}
}

// A combining says what becomes of an element and what is written there.
type combining uint8

const (
	replace combining = iota
	addUp
	multiply
	larger
	smaller
)

// combiningOf reads the attribute; false: it is unknown, or the type has none but replacing.
// Types that replace only are those for which the operator's text allows no arithmetic here,
// halves among them: these come in by half.go.
func combiningOf(s *Sig) (combining, bool) {
	how := slices.Index([]string{"none", "add", "mul", "max", "min"}, s.Inst.Str("reduction", "none"))
	switch s.In[0].DType {
	case tensor.Float32, tensor.Float64, tensor.Int32, tensor.Int64, tensor.Uint8, tensor.Int8:
		return combining(how), how >= 0
	}
	return combining(how), how == 0
}

// combined joins an element of x and one of the updates.
func combined[T number](how combining, x, u T) T {
	switch how {
	case addUp:
		return x + u
	case multiply:
		return x * u
	case larger:
		return max(x, u)
	case smaller:
		return min(x, u)
	}
	return u
}

// copyPart copies the part of a tile of the operand into the result, which may be the same. In
// place there is nothing to copy, and Go's copy of a slice to itself returns early.
func copyPart(c *Call, index, tiles int) {
	x, y := c.In[0], c.Out[0]
	from, to := index*len(x)/tiles, (index+1)*len(x)/tiles
	copy(y[from:to], x[from:to])
}

// scatterElementsEntry has two phases: the operand is copied to the result, in parts, and then elements are
// written along lanes. A lane belongs to one thread, as two indices of it may be equal, and then the last one
// counts, or all are combined in order. The result may have the memory of operand 0 (InPlace),
// never that of the indices or updates, which are read while it is written.
func scatterElementsEntry() *Entry {
	plan := func(s *Sig) *axisWalk {
		a := walkAlong(s, true)
		a.how, _ = combiningOf(s)
		return a
	}
	tiles := func(s *Sig) int { return max(walkAlong(s, true).grid().Tiles, int(s.In[0].Len()/rowWork), 1) }
	return &Entry{Op: isa.Lookup("", "ScatterElements"), Name: "ScatterElements.lanes", Cost: moveCost,
		Shape: func(s *Sig) ([][]int64, error) { return alongShape(s, 3, 0) },
		Match: func(s *Sig) bool {
			_, ok := combiningOf(s)
			return ok && movable(s, 1) && isIndex(&s.In[1]) && s.In[2].DType == s.In[0].DType
		},
		Split: func(s *Sig) Grid { return Grid{Tiles: tiles(s), Phases: 2} }, Prepare: func(s *Sig) any { return plan(s) },
		InPlace: func(_ *Sig, operand int) bool { return operand == 0 },
		Check: func(c *Call) error {
			return indicesOf(c, 1).check(c, c.State.(*axisWalk).n)
		},
		Run: func(c *Call, _, index int) {
			a := c.State.(*axisWalk)
			n := a.grid().Tiles
			tiles := max(n, a.same/rowWork, 1)
			switch {
			case index < tiles:
				copyPart(c, index, tiles)
			case index-tiles >= n:
			case a.how == replace:
				bySize(a.size, c, index-tiles, scatterAlong[uint8], scatterAlong[uint16], scatterAlong[uint32], scatterAlong[uint64],
					scatterAlong[[2]uint64])
			default:
				byType(c.Sig.In[0].DType, c, index-tiles, combineAlong[float32], combineAlong[float64], combineAlong[int32], combineAlong[int64],
					combineAlong[uint8], combineAlong[int8])
			}
		}}
}

// byType calls the function for elements of a type that can be combined.
func byType(d tensor.DType, c *Call, tile int, f32, f64, i32, i64, u8, i8 func(*Call, int)) {
	switch d {
	case tensor.Float32:
		f32(c, tile)
	case tensor.Float64:
		f64(c, tile)
	case tensor.Int32:
		i32(c, tile)
	case tensor.Int64:
		i64(c, tile)
	case tensor.Uint8:
		u8(c, tile)
	default:
		i8(c, tile)
	}
}

// scatterAlong writes a tile of lanes.
func scatterAlong[T any](c *Call, tile int) {
	a := c.State.(*axisWalk)
	u, y, idx := elems[T](c.In[2]), elems[T](c.Out[0]), indicesOf(c, 1)
	for it := a.begin(tile); it.next(); {
		i, at, pace := it.at[0], it.at[1], c.pace()
		for range it.n {
			if pace.over(1) {
				return
			}
			y[at+idx.at(i, a.n)*a.step] = u[i]
			i, at = i+a.unit[0], at+a.unit[1]
		}
	}
}

// combineAlong combines with what is there by the operator's reduction.
func combineAlong[T number](c *Call, tile int) {
	a := c.State.(*axisWalk)
	u, y, idx := elems[T](c.In[2]), elems[T](c.Out[0]), indicesOf(c, 1)
	for it := a.begin(tile); it.next(); {
		i, at, pace := it.at[0], it.at[1], c.pace()
		for range it.n {
			if pace.over(1) {
				return
			}
			z := &y[at+idx.at(i, a.n)*a.step]
			*z = combined(a.how, *z, u[i])
			i, at = i+a.unit[0], at+a.unit[1]
		}
	}
}

// A placing is the places of slices of x: of each, so many indices, one for each of the leading
// dimensions behind the batch. dims and steps have an element for each position of a tuple: the
// size of the axis, which bounds the index, and its step in elements.
type placing struct {
	batches, perBatch int // places of a batch
	batch             int // elements of x in a batch
	dims, steps       []int
	inner, size       int // elements of a slice, bytes of one
	same              int // elements of x
	how               combining
	perTile           int // slices of a tile
	parts             int // of a slice, where one tile has a part of all
}

// placingOf reads how GatherND and ScatterND address slices: the last axis of the indices has positions on as
// many axes of the operand, after those of the batch, and what follows is the slice. perTile and parts cut the
// work such that a tile moves about rowWork elements. The formula is ONNX's: with b batch axes
// and k = the last size of the indices, slices have the sizes x[b+k:], and there are as many as
// the indices have tuples. Errors are tuples longer than the axes that are left, batch axes that
// differ, or missing operands.
func placingOf(s *Sig) (*placing, error) {
	if len(s.In) < 2 || s.In[0].Absent || s.In[1].Absent || len(s.In[1].Dims) == 0 {
		return nil, errors.New("operands are missing")
	}
	x, idx, b := s.In[0].Dims, s.In[1].Dims, int(s.Inst.Int("batch_dims", 0))
	r := len(idx)
	k := int(idx[r-1])
	if b < 0 || b >= r || k < 0 || b+k > len(x) || !sameDims(x[:min(b, len(x))], idx[:b]) {
		return nil, fmt.Errorf("indices %v into %v, %d of them common", idx, x, b)
	}
	p := &placing{batches: 1, perBatch: 1, batch: 1, inner: 1, size: byteSize(s.In[0].DType), same: int(s.In[0].Len())}
	for i, d := range idx[:r-1] {
		if i < b {
			p.batches *= int(d)
		} else {
			p.perBatch *= int(d)
		}
	}
	for _, d := range x[b:] {
		p.batch *= int(d)
	}
	steps := dense(x)
	for i := range k {
		p.dims, p.steps = append(p.dims, int(x[b+i])), append(p.steps, steps[b+i])
	}
	for _, d := range x[b+k:] {
		p.inner *= int(d)
	}
	p.perTile = max(1, rowWork/max(p.inner, 1))
	p.parts = max(1, p.inner/(rowWork/4))
	return p, nil
}

// at is where slice i of a batch is.
func (p *placing) at(idx indices, batch, i int) int {
	at, first := batch*p.batch, (batch*p.perBatch+i)*len(p.dims)
	for k, n := range p.dims {
		at += idx.at(first+k, n) * p.steps[k]
	}
	return at
}

func (p *placing) check(c *Call) error {
	if len(p.dims) == 0 {
		return nil
	}
	return indicesOf(c, 1).check(c, p.dims...)
}

// gatherNDEntry copies one slice for each tuple of indices.
func gatherNDEntry() *Entry {
	plan := func(s *Sig) *placing { p, _ := placingOf(s); return p }
	return &Entry{Op: isa.Lookup("", "GatherND"), Name: "GatherND.rows", Cost: moveCost,
		Shape: func(s *Sig) ([][]int64, error) {
			if _, err := placingOf(s); err != nil {
				return nil, err
			}
			x, idx := s.In[0].Dims, s.In[1].Dims
			r := len(idx)
			return [][]int64{slices.Concat(idx[:r-1], x[int(s.Inst.Int("batch_dims", 0))+int(idx[r-1]):])}, nil
		},
		Match: func(s *Sig) bool { return len(s.In) == 2 && movable(s, 1) && isIndex(&s.In[1]) },
		Split: func(s *Sig) Grid {
			p := plan(s)
			return Grid{Tiles: (p.batches*p.perBatch + p.perTile - 1) / p.perTile}
		},
		Prepare: func(s *Sig) any { return plan(s) },
		Check:   func(c *Call) error { return c.State.(*placing).check(c) },
		Run: func(c *Call, _, tile int) {
			p := c.State.(*placing)
			idx, n := indicesOf(c, 1), p.inner*p.size
			for i := tile * p.perTile; i < min((tile+1)*p.perTile, p.batches*p.perBatch); i++ {
				c.copyParts(c.Out[0][i*n:(i+1)*n], c.In[0][p.at(idx, i/p.perBatch, i%p.perBatch)*p.size:])
			}
		}}
}

// scatterNDEntry is ScatterND: updates have the leading sizes of the indices, then those of the operand
// behind the axes that are indexed. The first phase copies the operand, unless in place; the second writes
// or combines slices in order, as the last at a place stays.
func scatterNDEntry() *Entry {
	plan := func(s *Sig) *placing {
		p, _ := placingOf(s)
		p.how, _ = combiningOf(s)
		return p
	}
	tiles := func(p *placing) int { return max(p.parts, p.same/rowWork, 1) }
	return &Entry{Op: isa.Lookup("", "ScatterND"), Name: "ScatterND.rows", Cost: moveCost,
		Shape: func(s *Sig) ([][]int64, error) {
			if _, err := placingOf(s); err != nil {
				return nil, err
			}
			x, idx := s.In[0].Dims, s.In[1].Dims
			r := len(idx)
			if len(s.In) != 3 || s.In[2].Absent || !sameDims(s.In[2].Dims, slices.Concat(idx[:r-1], x[idx[r-1]:])) {
				return nil, errors.New("the updates have other sizes")
			}
			return [][]int64{x}, nil
		},
		Match: func(s *Sig) bool {
			_, ok := combiningOf(s)
			return ok && movable(s, 1) && isIndex(&s.In[1]) && s.In[2].DType == s.In[0].DType
		},
		Split: func(s *Sig) Grid { return Grid{Tiles: tiles(plan(s)), Phases: 2} }, Prepare: func(s *Sig) any { return plan(s) },
		InPlace: func(_ *Sig, operand int) bool { return operand == 0 },
		Check:   func(c *Call) error { return c.State.(*placing).check(c) },
		Run: func(c *Call, _, index int) {
			p := c.State.(*placing)
			n := tiles(p)
			switch {
			case index < n:
				copyPart(c, index, n)
			case index-n >= p.parts:
			case p.how == replace: // all slices in order, as the last one at a place stays
				part, idx := index-n, indicesOf(c, 1)
				from, to := part*p.inner/p.parts*p.size, (part+1)*p.inner/p.parts*p.size
				pace := c.pace()
				for i := range p.perBatch {
					if pace.over(to - from + callSteps) {
						return
					}
					copy(c.Out[0][p.at(idx, 0, i)*p.size+from:][:to-from], c.In[2][i*p.inner*p.size+from:])
				}
			default:
				byType(c.Sig.In[0].DType, c, index-n, combineSlices[float32], combineSlices[float64], combineSlices[int32], combineSlices[int64],
					combineSlices[uint8], combineSlices[int8])
			}
		}}
}

// combineSlices goes over all slices but only over a part of each: equal indices would have two threads write
// the same elements, if the slices were shared out instead.
func combineSlices[T number](c *Call, part int) {
	p := c.State.(*placing)
	u, y, idx := elems[T](c.In[2]), elems[T](c.Out[0]), indicesOf(c, 1)
	from, to := part*p.inner/p.parts, (part+1)*p.inner/p.parts
	pace := c.pace()
	for i := range p.perBatch {
		if pace.over(to - from + callSteps) {
			return
		}
		z, v := y[p.at(idx, 0, i)+from:][:to-from], u[i*p.inner+from:]
		for k := range z {
			z[k] = combined(p.how, z[k], v[k])
		}
	}
}
