package kernel

// This file moves elements: transposes, slices, joined and split tensors, and gathers. An element is
// so many bytes; what it means does not matter.
//
// All of these operators are one loop nest with different steps (see walk.go): a transpose
// permutes the steps, a slice multiplies them and adds a base, an expansion has steps of 0, a
// join gives the destination a base. So there are three ways to run: rows that are dense on both
// sides are memmoves, a transposed last axis is done in squares, and the rest goes element by
// element. Views that move nothing at all are isa.View and do not come here.

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// moves lists the entries of this file.
func moves(Tier) []*Entry {
	return []*Entry{transposeEntry(), expandEntry(), sliceEntry(), concatEntry(), splitEntry(), gatherEntry(), padEntry(), tileEntry(),
		triluEntry(),
		depthToSpaceEntry(), spaceToDepthEntry()}
}

// movable reports whether all operands from 0 to n and all results have one type of whole bytes.
func movable(s *Sig, n int) bool {
	d := s.In[0].DType
	for i := range n {
		if s.In[i].Absent || s.In[i].DType != d {
			return false
		}
	}
	for i := range s.Out {
		if o := &s.Out[i]; !o.Absent && o.DType != d {
			return false
		}
	}
	return d.Bits()%8 == 0 && d.Bits() > 0
}

// A copying copies elements of size bytes by a walk whose operands are 0 the source and 1 the
// destination, from their bases on. size is 1, 2, 4, 8 or 16; from and to are added to the places
// of the walk.
type copying struct {
	*walk
	size     int
	from, to int // in elements
}

// copies makes a copying.
func copies(d tensor.DType, dims []int64, from, to []int, fromBase, toBase int) *copying {
	return &copying{newWalk(dims, rowWork, from, to), byteSize(d), fromBase, toBase}
}

// run copies one tile. Rows that lie together in both are copied by the runtime's memmove, a row of one element
// is filled, and only the rest goes element by element, by the size of the elements and not by their dtype:
// bits are moved, not numbers.
func (m *copying) run(src, dst []byte, tile int) {
	for it := m.begin(tile); it.next(); {
		n, at := it.n, &it.at
		a, b := at[0]+m.from, at[1]+m.to
		if m.unit[1] == 1 || n == 1 {
			switch {
			case m.unit[0] == 1 || n == 1:
				copy(dst[b*m.size:(b+n)*m.size], src[a*m.size:(a+n)*m.size])
				continue
			case m.unit[0] == 0:
				fill(dst[b*m.size:(b+n)*m.size], src[a*m.size:(a+1)*m.size])
				continue
			}
		}
		switch m.size {
		case 1:
			strided[uint8](src, dst, a, b, n, m.unit[0], m.unit[1])
		case 2:
			strided[uint16](src, dst, a, b, n, m.unit[0], m.unit[1])
		case 4:
			strided[uint32](src, dst, a, b, n, m.unit[0], m.unit[1])
		case 8:
			strided[uint64](src, dst, a, b, n, m.unit[0], m.unit[1])
		default:
			strided[[2]uint64](src, dst, a, b, n, m.unit[0], m.unit[1])
		}
	}
}

// strided copies n elements with steps; results that lie together have a loop of their own, whose writes need
// no multiplication. ua and ub are the steps of source and destination in elements, and may be
// negative for a slice with a negative step.
func strided[T any](src, dst []byte, a, b, n, ua, ub int) {
	x, y := elems[T](src), elems[T](dst)
	if ub == 1 {
		y = y[b : b+n]
		for k := range y {
			y[k] = x[a]
			a += ua
		}
		return
	}
	for range n {
		y[b] = x[a]
		a, b = a+ua, b+ub
	}
}

// fill repeats one element. It doubles what is filled, so the work is done by a few large copies.
func fill(dst, one []byte) {
	n := copy(dst, one)
	for n > 0 && n < len(dst) {
		n += copy(dst[n:], dst[:n])
	}
}

// moveCost is that of copying results. The estimate is half a nanosecond for an element, whatever
// its size. It only orders entries of the same operator, of which there is one here.
func moveCost(s *Sig) float64 {
	n := int64(0)
	for i := range s.Out {
		n += s.Out[i].Len()
	}
	return 100 + 0.5*float64(n)
}

// copyEntry is an entry whose result is one copying. plan must succeed whenever shape does;
// values are the operands whose elements are part of the signature, and operands how many there
// must be at least. Only operand 0 is copied; the others are sizes and positions.
func copyEntry(name string, values []int, operands int, plan func(*Sig) (*copying, error), shape func(*Sig) ([][]int64, error)) *Entry {
	return &Entry{Op: isa.Lookup("", name), Name: name + ".copy", Shape: shape, Cost: moveCost, Values: values,
		Match: func(s *Sig) bool { return len(s.In) >= operands && movable(s, 1) },
		Split: func(s *Sig) Grid {
			m, _ := plan(s)
			return m.grid()
		},
		Prepare: func(s *Sig) any {
			m, _ := plan(s) // shape has seen that there is no error
			return m
		},
		Run: func(c *Call, _, i int) { c.State.(*copying).run(c.In[0], c.Out[0], i) }}
}

// permutation reads that of Transpose, which reverses the axes when it is not written. It returns
// an error for a missing operand, for a list of another length than the rank, and for axes that
// are out of range or there twice. Unlike elsewhere negative axes are not allowed, as in ONNX.
func permutation(s *Sig) ([]int64, error) {
	if len(s.In) == 0 || s.In[0].Absent {
		return nil, errors.New("the operand is missing")
	}
	rank := len(s.In[0].Dims)
	perm := slices.Clone(s.Inst.Ints("perm"))
	if perm == nil {
		for i := range rank {
			perm = append(perm, int64(rank-1-i))
		}
	}
	if len(perm) != rank {
		return nil, fmt.Errorf("a permutation of %d axes of %d", len(perm), rank)
	}
	seen := make([]bool, rank)
	for _, p := range perm {
		if p < 0 || p >= int64(rank) || seen[p] {
			return nil, fmt.Errorf("%v is no permutation", perm)
		}
		seen[p] = true
	}
	return perm, nil
}

// permute permutes dimensions and steps.
func permute(perm []int64, dims []int64, steps []int) ([]int64, []int) {
	d, st := make([]int64, len(perm)), make([]int, len(perm))
	for i, p := range perm {
		d[i], st[i] = dims[p], steps[p]
	}
	return d, st
}

// A blocked is a transpose whose last axis is not the source's: squares of elements, so that each
// line of the cache is read and written once. The plane is rows × cols elements of the
// destination, of which the source has the columns dense.
type blocked struct {
	outer      *walk // places of the planes: 0 the source, 1 the destination
	rows, cols int   // the destination has rows of cols elements
	from, to   int   // steps: of the source along a row of the destination, of the destination along its rows
	perPlane   int
	size       int
}

// square is the side of the squares, strip the rows of a tile.
const (
	square = 16
	strip  = 128
)

// transposeEntry is Transpose by squares: reading along one axis and writing along another touches a cache line
// for each element, while a square of them uses each line that it loads.
func transposeEntry() *Entry {
	e := &Entry{Op: isa.Lookup("", "Transpose"), Name: "Transpose.squares", Cost: moveCost,
		Shape: func(s *Sig) ([][]int64, error) {
			perm, err := permutation(s)
			if err != nil {
				return nil, err
			}
			d, _ := permute(perm, s.In[0].Dims, make([]int, len(perm)))
			return [][]int64{d}, nil
		},
		Match: func(s *Sig) bool { return len(s.In) == 1 && movable(s, 1) }}
	plan := func(s *Sig) any {
		perm, _ := permutation(s)
		return permuted(s.In[0].DType, s.In[0].Dims, perm)
	}
	e.Split, e.Prepare, e.Run = permuting(plan)
	return e
}

// permuting are the cut and the run of what permuted plans. A plan of squares has perPlane tiles
// for each plane, one of copies those of its walk.
func permuting(plan func(*Sig) any) (func(*Sig) Grid, func(*Sig) any, func(*Call, int, int)) {
	return func(s *Sig) Grid {
			if m, ok := plan(s).(*blocked); ok {
				return Grid{Tiles: m.outer.rows * m.perPlane}
			}
			return plan(s).(*copying).grid()
		}, plan, func(c *Call, _, i int) {
			if m, ok := c.State.(*copying); ok {
				m.run(c.In[0], c.Out[0], i)
				return
			}
			c.State.(*blocked).run(c.In[0], c.Out[0], i)
		}
}

// permuted plans a transpose: copies of rows, or squares. The walk joins axes that stay
// neighbours first, so that most transposes have two or three axes left. When the source is dense
// along the last axis, rows are copied; when it is dense along another one, the two make the
// plane of the squares; when neither (an axis was broken up), elements go one by one. dims are
// the source's.
func permuted(d tensor.DType, dims, perm []int64) any {
	out, from := permute(perm, dims, dense(dims))
	w := newWalk(out, rowWork, from, dense(out))
	if n := len(w.dims); w.unit[0] == 1 || w.inner == 1 || n == 0 || byteSize(d) == 16 {
		return &copying{w, byteSize(d), 0, 0}
	}
	at := -1 // the outer axis along which the source is dense
	for a := range w.dims {
		if w.steps[0][a] == 1 {
			at = a
		}
	}
	if at < 0 {
		return &copying{w, byteSize(d), 0, 0}
	}
	b := &blocked{rows: w.dims[at], cols: w.inner, from: w.unit[0], to: w.steps[1][at], size: byteSize(d)}
	var left []int64
	steps := [2][]int{}
	for a, n := range w.dims {
		if a != at {
			left = append(left, int64(n))
			for k := range steps {
				steps[k] = append(steps[k], w.steps[k][a])
			}
		}
	}
	// The walk's rows are the planes: a last axis of one element keeps it from giving them as a row.
	b.outer = planes(left, steps[0], steps[1])
	b.perPlane = (b.rows + strip - 1) / strip
	return b
}

// planes is a walk with rows of one element.
func planes(dims []int64, steps ...[]int) *walk {
	w := &walk{inner: 1, rows: 1, steps: steps, perTile: 1, pieces: 1, piece: 1}
	for _, d := range dims {
		w.dims = append(w.dims, int(d))
		w.rows *= int(d)
	}
	return w
}

// run transposes one tile of squares.
func (b *blocked) run(src, dst []byte, tile int) {
	first := tile % b.perPlane * strip
	for it := b.outer.begin(tile / b.perPlane); it.next(); {
		at := &it.at
		switch b.size {
		case 1:
			squares(b, elems[uint8](src)[at[0]:], elems[uint8](dst)[at[1]:], first)
		case 2:
			squares(b, elems[uint16](src)[at[0]:], elems[uint16](dst)[at[1]:], first)
		case 4:
			squares(b, elems[uint32](src)[at[0]:], elems[uint32](dst)[at[1]:], first)
		case 8:
			squares(b, elems[uint64](src)[at[0]:], elems[uint64](dst)[at[1]:], first)
		}
	}
}

// squares writes a strip of rows of a plane. Columns are the outer loop: within square columns, a
// line of the source of which one row takes an element is still in the cache when the next row
// takes its neighbour.
func squares[T any](b *blocked, x, y []T, first int) {
	for j := 0; j < b.cols; j += square {
		cols := min(square, b.cols-j)
		for i := first; i < min(first+strip, b.rows); i++ {
			line := y[i*b.to+j : i*b.to+j+cols]
			p := i + j*b.from
			for k := range line {
				line[k] = x[p]
				p += b.from
			}
		}
	}
}

// expandEntry is Expand: stretched axes are read with a step of 0.
func expandEntry() *Entry {
	shape := func(s *Sig) ([][]int64, error) {
		if len(s.In) != 2 || s.In[0].Absent {
			return nil, errors.New("the operands are missing")
		}
		want, ok := s.In[1].ints()
		if !ok {
			return nil, errors.New("the sizes are not known")
		}
		dims, err := broadcast(s.In[0].Dims, want)
		return [][]int64{dims}, err
	}
	return copyEntry("Expand", []int{1}, 2, func(s *Sig) (*copying, error) {
		return copies(s.In[0].DType, s.Out[0].Dims, stretched(s.In[0].Dims, s.Out[0].Dims), dense(s.Out[0].Dims), 0, 0), nil
	}, shape)
}

// sliced gives the first place and the number of places of Python's from:to:step. from and to are
// clamped as Python's slice.indices does: with a positive step into 0 to n, with a negative one
// into -1 to n-1, where to = -1 cannot be written as a number and comes from clamping. The
// division must not overflow for the smallest step, hence the bound on it. k is 0 for an empty
// slice, and first is then of no use.
func sliced(from, to, step, n int64) (first, k int64) {
	if from < 0 {
		from += n
	}
	if to < 0 {
		to = max(to+n, -1)
	}
	if step > 0 {
		from, to = min(max(from, 0), n), min(max(to, 0), n)
		if to > from {
			k = (to-from-1)/step + 1
		}
		return max(from, 0), k
	}
	from, to = min(max(from, -1), n-1), min(max(to, -1), n-1)
	if from > to {
		k = (from-to-1)/-max(step, -1<<62) + 1
	}
	return max(from, 0), k
}

// axesFrom brings axes into 0 to rank-1, each once. An error names axes that are out of range or
// there twice.
func axesFrom(axes []int64, rank int) ([]int, error) {
	var out []int
	for _, a := range axes {
		if a < 0 {
			a += int64(rank)
		}
		if a < 0 || a >= int64(rank) || slices.Contains(out, int(a)) {
			return nil, fmt.Errorf("the axes %v of %d", axes, rank)
		}
		out = append(out, int(a))
	}
	return out, nil
}

// sliceEntry is Slice. Starts, ends, axes and steps must be known and of equal length, axes within the
// rank and steps not 0; without axes they count from the first. A slice is a copy with strides.
func sliceEntry() *Entry {
	plan := func(s *Sig) ([]int64, *copying, error) {
		if len(s.In) < 3 || s.In[0].Absent {
			return nil, nil, errors.New("operands are missing")
		}
		starts, ok1 := s.In[1].ints()
		ends, ok2 := s.In[2].ints()
		rank := len(s.In[0].Dims)
		var axes, by []int64
		for i := range starts {
			axes, by = append(axes, int64(i)), append(by, 1)
		}
		ok3, ok4 := true, true
		if !s.Opt(3).Absent {
			axes, ok3 = s.In[3].ints()
		}
		if !s.Opt(4).Absent {
			by, ok4 = s.In[4].ints()
		}
		if !ok1 || !ok2 || !ok3 || !ok4 || len(ends) != len(starts) || len(axes) != len(starts) || len(by) != len(starts) {
			return nil, nil, errors.New("the places are not known")
		}
		list, err := axesFrom(axes, rank)
		if err != nil {
			return nil, nil, err
		}
		dims, steps, base := slices.Clone(s.In[0].Dims), dense(s.In[0].Dims), 0
		for i, a := range list {
			if by[i] == 0 {
				return nil, nil, errors.New("a step of 0")
			}
			first, n := sliced(starts[i], ends[i], by[i], s.In[0].Dims[a])
			if dims[a] = n; n > 0 {
				base += int(first) * steps[a]
			}
			if n > 1 {
				steps[a] *= int(by[i])
			}
		}
		return dims, copies(s.In[0].DType, dims, steps, dense(dims), base, 0), nil
	}
	return copyEntry("Slice", []int{1, 2, 3, 4}, 3, func(s *Sig) (*copying, error) {
		_, m, err := plan(s)
		return m, err
	}, func(s *Sig) ([][]int64, error) {
		dims, _, err := plan(s)
		return [][]int64{dims}, err
	})
}

// A joining is a list of copies, of or to parts of one tensor; first has where the tiles of each
// begin. find is a binary search, so that a join of hundreds of operands (as unrolled loops make)
// costs no more for each tile.
type joining struct {
	parts []*copying
	first []int
}

// joined makes one grid of the tiles of several copies: first holds where those of each begin.
func joined(parts []*copying) *joining {
	j := &joining{parts: parts, first: []int{0}}
	for i, p := range parts {
		j.first = append(j.first, j.first[i]+p.grid().Tiles)
	}
	return j
}

// find gives the part of a tile and its number in it.
func (j *joining) find(tile int) (part, own int) {
	k, _ := slices.BinarySearch(j.first, tile+1)
	return k - 1, tile - j.first[k-1]
}

func (j *joining) grid() Grid { return Grid{Tiles: j.first[len(j.parts)]} }

// concatEntry is Concat of operands of one rank that agree in all axes but one. An operand whose memory is
// already in its place in the result is not copied. The error of its shape says which operand has
// another rank or size. Joins tells the planner that the result is the operands one behind the
// other, which is so when all axes before the joined one are 1; a value that is computed into its
// part of the result needs no copy here, which Run sees from the address.
func concatEntry() *Entry {
	plan := func(s *Sig) *joining {
		axis := axisOf(s, 0)
		out := dense(s.Out[0].Dims)
		var parts []*copying
		base := 0
		for i := range s.In {
			d := s.In[i].Dims
			parts = append(parts, copies(s.In[i].DType, d, dense(d), out, 0, base))
			base += int(d[axis]) * out[axis]
		}
		return joined(parts)
	}
	return &Entry{Op: isa.Lookup("", "Concat"), Name: "Concat.copy", Cost: moveCost,
		Shape: func(s *Sig) ([][]int64, error) {
			if len(s.In) == 0 || s.In[0].Absent || axisOf(s, 0) < 0 {
				return nil, errors.New("there is nothing to join, or no such axis")
			}
			axis := axisOf(s, 0)
			dims := slices.Clone(s.In[0].Dims)
			for i := 1; i < len(s.In); i++ {
				o := &s.In[i]
				if o.Absent || len(o.Dims) != len(dims) {
					return nil, fmt.Errorf("operand %d has not the rank of the first", i)
				}
				for a, d := range o.Dims {
					if a != axis && d != dims[a] {
						return nil, fmt.Errorf("sizes %d and %d of axis %d", dims[a], d, a)
					}
				}
				dims[axis] += o.Dims[axis]
			}
			return [][]int64{dims}, nil
		},
		Match:   func(s *Sig) bool { return movable(s, len(s.In)) },
		Split:   func(s *Sig) Grid { return plan(s).grid() },
		Prepare: func(s *Sig) any { return plan(s) },
		Joins: func(s *Sig) bool {
			return !slices.ContainsFunc(s.Out[0].Dims[:axisOf(s, 0)], func(d int64) bool { return d != 1 })
		},
		Run: func(c *Call, _, i int) {
			j := c.State.(*joining)
			k, own := j.find(i)
			m := j.parts[k]
			if unsafe.SliceData(c.In[k]) == unsafe.SliceData(c.Out[0][m.to*m.size:]) { // it lies there
				return
			}
			m.run(c.In[k], c.Out[0], own)
		}}
}

// splitEntry is Split into sizes that add up to the axis, or into num_outputs pieces of which the last may
// be smaller. A result that is absent is not copied. Sizes are an operand, or follow from
// num_outputs as ONNX 18 has it: each piece has ⌈n/parts⌉ elements and the last what is left. An
// error says that the pieces do not add up to the axis, or that the axis or the sizes are not
// known.
func splitEntry() *Entry {
	shape := func(s *Sig) ([][]int64, error) {
		if len(s.In) == 0 || s.In[0].Absent || axisOf(s, 0) < 0 {
			return nil, errors.New("there is nothing to split, or no such axis")
		}
		axis := axisOf(s, 0)
		n := s.In[0].Dims[axis]
		sizes, ok := s.Opt(1).ints()
		if s.Opt(1).Absent {
			parts := s.Inst.Int("num_outputs", int64(len(s.Inst.Out)))
			if parts < 1 || parts > int64(len(s.Inst.Out)) {
				return nil, fmt.Errorf("%d pieces", parts)
			}
			each, left := (n+parts-1)/parts, n
			sizes = nil
			for range parts {
				sizes = append(sizes, min(each, left))
				left -= min(each, left)
			}
		} else if !ok {
			return nil, errors.New("the sizes are not known")
		}
		var out [][]int64
		for _, z := range sizes {
			if z < 0 || z > n {
				return nil, fmt.Errorf("pieces %v", sizes)
			}
			n -= z
			d := slices.Clone(s.In[0].Dims)
			d[axis] = z
			out = append(out, d)
		}
		if n != 0 {
			return nil, fmt.Errorf("pieces %v", sizes)
		}
		return out, nil
	}
	plan := func(s *Sig) *joining {
		dims, _ := shape(s)
		axis, from := axisOf(s, 0), dense(s.In[0].Dims)
		var parts []*copying
		base := 0
		for i, d := range dims {
			at := base
			base += int(d[axis]) * from[axis]
			if i >= len(s.Out) || s.Out[i].Absent {
				d = []int64{0} // nobody wants it
				parts = append(parts, copies(s.In[0].DType, d, []int{1}, []int{1}, 0, 0))
				continue
			}
			parts = append(parts, copies(s.In[0].DType, d, from, dense(d), at, 0))
		}
		return joined(parts)
	}
	return &Entry{Op: isa.Lookup("", "Split"), Name: "Split.copy", Cost: moveCost, Shape: shape, Values: []int{1},
		Match:   func(s *Sig) bool { return movable(s, 1) },
		Split:   func(s *Sig) Grid { return plan(s).grid() },
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, _, i int) {
			j := c.State.(*joining)
			k, own := j.find(i)
			j.parts[k].run(c.In[0], c.Out[k], own)
		}}
}

// tileEntry repeats a tensor: an axis of n elements repeated r times is the axes r and n, of which the
// source has the second one. Repeats are bounded so that the product does not overflow; an error
// names them. Axes r of step 0 in the source make the walk read the same elements again.
func tileEntry() *Entry {
	shape := func(s *Sig) ([][]int64, error) {
		if len(s.In) != 2 || s.In[0].Absent {
			return nil, errors.New("operands are missing")
		}
		by, ok := s.In[1].ints()
		if !ok || len(by) != len(s.In[0].Dims) {
			return nil, errors.New("the repeats are not known")
		}
		d := slices.Clone(s.In[0].Dims)
		for i, r := range by {
			if r < 0 || d[i] > 0 && r > (1<<40)/d[i] {
				return nil, fmt.Errorf("repeats %v", by)
			}
			d[i] *= r
		}
		return [][]int64{d}, nil
	}
	return copyEntry("Tile", []int{1}, 2, func(s *Sig) (*copying, error) {
		by, _ := s.In[1].ints()
		var dims []int64
		var from []int
		own := dense(s.In[0].Dims)
		for i, n := range s.In[0].Dims {
			dims, from = append(dims, by[i], n), append(from, 0, own[i])
		}
		return copies(s.In[0].DType, dims, from, dense(dims), 0, 0), nil
	}, shape)
}

// depthToSpaceEntry and its inverse are transposes of six axes. Channels are split into b·b·k
// (mode DCR) or k·b·b (CRD), and each b goes behind a spatial axis; that is the formula of the
// operator's text with reshape, transpose, reshape. The second reshape changes nothing in memory.
func depthToSpaceEntry() *Entry {
	parts := func(s *Sig) (dims, perm []int64, out []int64, err error) {
		b := s.Inst.Int("blocksize", 0)
		if len(s.In) != 1 || s.In[0].Absent || len(s.In[0].Dims) != 4 || b < 1 || b > 1<<15 || s.In[0].Dims[1]%(b*b) != 0 {
			return nil, nil, nil, errors.New("blocks that do not fit")
		}
		d := s.In[0].Dims
		k := d[1] / (b * b)
		dims, perm = []int64{d[0], b, b, k, d[2], d[3]}, []int64{0, 3, 4, 1, 5, 2}
		if s.Inst.Str("mode", "DCR") == "CRD" {
			dims, perm = []int64{d[0], k, b, b, d[2], d[3]}, []int64{0, 1, 4, 2, 5, 3}
		}
		return dims, perm, []int64{d[0], k, d[2] * b, d[3] * b}, nil
	}
	return blockEntry("DepthToSpace", parts)
}

// spaceToDepthEntry is a view of the image as six axes, permuted. The channels of a block come first (DCR), the
// only order that the operator has here.
func spaceToDepthEntry() *Entry {
	return blockEntry("SpaceToDepth", func(s *Sig) (dims, perm []int64, out []int64, err error) {
		b := s.Inst.Int("blocksize", 0)
		if len(s.In) != 1 || s.In[0].Absent || len(s.In[0].Dims) != 4 || b < 1 || b > 1<<15 || s.In[0].Dims[2]%b != 0 || s.In[0].Dims[3]%b != 0 ||
			s.Inst.Str("mode", "DCR") != "DCR" {
			return nil, nil, nil, errors.New("blocks that do not fit")
		}
		d := s.In[0].Dims
		return []int64{d[0], d[1], d[2] / b, b, d[3] / b, b}, []int64{0, 3, 5, 1, 2, 4}, []int64{d[0], d[1] * b * b, d[2] / b, d[3] / b}, nil
	})
}

// blockEntry is the entry of an operator that is a permutation of the operand under other sizes.
func blockEntry(name string, parts func(*Sig) (dims, perm []int64, out []int64, err error)) *Entry {
	e := &Entry{Op: isa.Lookup("", name), Name: name + ".squares", Cost: moveCost,
		Shape: func(s *Sig) ([][]int64, error) {
			_, _, out, err := parts(s)
			return [][]int64{out}, err
		},
		Match: func(s *Sig) bool { return movable(s, 1) }}
	e.Split, e.Prepare, e.Run = permuting(func(s *Sig) any {
		dims, perm, _, _ := parts(s)
		return permuted(s.In[0].DType, dims, perm)
	})
	return e
}
