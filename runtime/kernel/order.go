package kernel

// This file finds the first elements in order, adds up along an axis, and places single elements.

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// orders lists the entries of this file.
func orders(Tier) []*Entry {
	return []*Entry{topEntry[float32](), topEntry[float64](), topEntry[int64](), topEntry[int32](), topEntry[uint8](), topEntry[int8](),
		cumSumEntry[float32, float64](), cumSumEntry[float64, float64](), cumSumEntry[int64, int64](), cumSumEntry[int32, int32](), oneHotEntry()}
}

// along gives the elements around an axis: outer times n times inner.
func along(dims []int64, axis int) (outer, n, inner int) {
	outer, n, inner = 1, int(dims[axis]), 1
	for i, d := range dims {
		switch {
		case i < axis:
			outer *= int(d)
		case i > axis:
			inner *= int(d)
		}
	}
	return outer, n, inner
}

// A ranked is an element of a lane: of two the one with the larger key comes first, then the one
// with the smaller index. The key is an unsigned number whose order is that of the elements (see
// keyOf), so that all types are sorted by one function.
type ranked struct {
	key   uint64
	index int
}

// compare puts the better key first and, of equal ones, the lower index, as ONNX demands of TopK.
func (a ranked) compare(b ranked) int {
	if c := cmp.Compare(b.key, a.key); c != 0 {
		return c
	}
	return cmp.Compare(a.index, b.index)
}

// keyOf orders elements as numbers, but u64: zeros are equal, and NaN is the largest. This is the
// usual map of IEEE 754 bits to unsigned integers: positive numbers have the sign bit set,
// negative ones have all bits inverted, so larger numbers have larger keys. NaN is above all, as
// PyTorch's and numpy's sort have it.
func keyOf[T number](x T) uint64 {
	switch {
	case !isFloat[T]():
		return uint64(int64(x)) ^ 1<<63
	case x != x:
		return math.MaxUint64
	case x == 0:
		return 1 << 63
	}
	b := math.Float64bits(float64(x))
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// A top is TopK at its sizes. perTile is in lanes; whole says that all n elements are sorted.
type top struct {
	outer, n, inner, k int
	smallest           bool
	perTile            int // lanes
	whole              bool
}

// topOf reads TopK. A few of many are found with a heap; more than an eighth are found by sorting all, which is
// then faster. An error says that k is not known when the program is bound to sizes, is negative,
// or is more than the axis has.
func topOf(s *Sig) (*top, error) {
	if len(s.In) != 2 || s.In[0].Absent || s.In[1].Absent {
		return nil, errors.New("operands are missing")
	}
	axis := axisOf(s, -1)
	k, ok := s.In[1].ints()
	if !ok || len(k) != 1 || axis < 0 || k[0] < 0 || k[0] > s.In[0].Dims[axis] {
		return nil, errors.New("the number is not known, or there are not so many")
	}
	t := &top{k: int(k[0]), smallest: s.Inst.Int("largest", 1) == 0}
	t.outer, t.n, t.inner = along(s.In[0].Dims, axis)
	t.perTile = max(1, rowWork/2/max(t.n, 1))
	t.whole = t.k > t.n/8 // all are sorted
	return t, nil
}

func (t *top) lanes() int { return t.outer * t.inner }

// topEntry is TopK for one dtype: the values, in that dtype, and where wanted their indices in int64. A
// lane is ordered in scratch memory, all of it or its first k elements. Results are always
// sorted; ONNX's sorted=0 leaves the order open.
func topEntry[T number]() *Entry {
	d := typed[T]()
	plan := func(s *Sig) *top { t, _ := topOf(s); return t }
	return &Entry{Op: isa.Lookup("", "TopK"), Name: "TopK." + d.String(), Values: []int{1},
		Cost: func(s *Sig) float64 { return 200 + 5*float64(s.In[0].Len()) },
		Shape: func(s *Sig) ([][]int64, error) {
			t, err := topOf(s)
			if err != nil {
				return nil, err
			}
			dims := slices.Clone(s.In[0].Dims)
			dims[axisOf(s, -1)] = int64(t.k)
			return [][]int64{dims, dims}, nil
		},
		Match: func(s *Sig) bool {
			return s.In[0].DType == d && !s.Out[0].Absent && s.Out[0].DType == d &&
				(len(s.Out) < 2 || s.Out[1].Absent || s.Out[1].DType == tensor.Int64)
		},
		Scratch: func(s *Sig) int64 {
			t := plan(s)
			if t.whole {
				return 16 * int64(t.n)
			}
			return 16 * int64(t.k)
		},
		Split: func(s *Sig) Grid {
			t := plan(s)
			return Grid{Tiles: (t.lanes() + t.perTile - 1) / t.perTile}
		},
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, worker, tile int) {
			t := c.State.(*top)
			x, y := elems[T](c.In[0]), elems[T](c.Out[0])
			var places []int64
			if len(c.Out) > 1 && c.Out[1] != nil {
				places = elems[int64](c.Out[1])
			}
			own := elems[ranked](c.Scratch[worker])
			for lane := tile * t.perTile; lane < min((tile+1)*t.perTile, t.lanes()); lane++ {
				from := lane/t.inner*t.n*t.inner + lane%t.inner
				to := lane/t.inner*t.k*t.inner + lane%t.inner
				pace := c.pace()
				for i, r := range leading(c, t, x[from:], own) {
					if pace.over(1) {
						return
					}
					y[to+i*t.inner] = x[from+r.index*t.inner]
					if places != nil {
						places[to+i*t.inner] = int64(r.index)
					}
				}
			}
		}}
}

// leading gives the first elements of a lane in order; none when the run has ended. The heap has
// the k best elements so far with the worst of them at its root. An element is first compared
// with the root's value as a number, which refuses most without computing a key; NaN fails both
// comparisons and goes on to the keys. The time is n + k·log k for most inputs, and n·log k at
// worst. For the smallest elements keys are inverted, so that the heap needs no other order.
func leading[T number](c *Call, t *top, x []T, own []ranked) []ranked {
	flip := uint64(0)
	if t.smallest {
		flip = math.MaxUint64
	}
	if t.whole {
		if !c.parts(t.n, func(from, to int) {
			for i := from; i < to; i++ {
				own[i] = ranked{keyOf(x[i*t.inner]) ^ flip, i}
			}
		}) || !c.sortRanked(own[:t.n], rankedBits-1) {
			return nil
		}
		return own[:t.k]
	}
	heap := own[:0] // the last one of those that were found is its root
	down := func(i int) {
		for {
			j := 2*i + 1
			if j >= len(heap) {
				return
			}
			if j+1 < len(heap) && heap[j].compare(heap[j+1]) < 0 {
				j++
			}
			if heap[i].compare(heap[j]) >= 0 {
				return
			}
			heap[i], heap[j] = heap[j], heap[i]
			i = j
		}
	}
	if t.k == 0 {
		return nil
	}
	for i := range t.k {
		heap = append(heap, ranked{keyOf(x[i*t.inner]) ^ flip, i})
	}
	pace := c.pace()
	for j := t.k/2 - 1; j >= 0; j-- {
		if pace.over(callSteps) {
			return nil
		}
		down(j)
	}
	last := x[heap[0].index*t.inner]
	for i, at := t.k, t.k*t.inner; i < t.n; i, at = i+1, at+t.inner {
		if pace.over(1) {
			return nil
		}
		v := x[at]
		if t.smallest && v >= last || !t.smallest && v <= last { // most of them; an equal one comes later
			continue
		}
		if r := (ranked{keyOf(v) ^ flip, i}); r.key > heap[0].key {
			heap[0] = r
			down(0)
			last = x[heap[0].index*t.inner]
			pace.left -= callSteps
		}
	}
	if !c.sortRanked(heap, rankedBits-1) {
		return nil
	}
	return heap
}

// rankedBits are the bits of an element by which it is put in order: those of the key, then those of the index.
const rankedBits = 128

// sortPart is the most elements that are sorted at a time.
const sortPart = 1 << 18

// first reports whether an element comes before those of which the bit differs, when all higher bits are the same.
func (a ranked) first(bit int) bool {
	if bit < rankedBits/2 {
		return a.index>>bit&1 == 0
	}
	return a.key>>(bit-rankedBits/2)&1 != 0
}

// sortRanked puts elements in order whose bits above the given one are the same, and reports false when the run has ended before.
// Long lists are parted by one bit after the other, until they are short. It parts like a radix
// exchange sort, from the highest bit on, and sorts short lists by comparisons; the purpose is
// only that the run is asked between the parts.
func (c *Call) sortRanked(list []ranked, bit int) bool {
	for len(list) > sortPart && bit >= 0 {
		n := 0
		if !c.parts(len(list), func(from, to int) {
			for i := from; i < to; i++ {
				if list[i].first(bit) {
					list[i], list[n] = list[n], list[i]
					n++
				}
			}
		}) {
			return false
		}
		bit--
		if !c.sortRanked(list[:n], bit) {
			return false
		}
		list = list[n:]
	}
	if len(list) > sortPart/8 && c.over() {
		return false
	}
	slices.SortFunc(list, ranked.compare)
	return true
}

// cumSumEntry adds up in S, and rounds each sum once. Sums of float32 are kept in float64 (S), so
// that long sums do not drift; integers wrap. Lanes that lie side by side are added together,
// part of them in a tile, which reads memory in sequence. exclusive leaves the element itself out
// and reverse begins at the end, as ONNX has them.
func cumSumEntry[T, S number]() *Entry {
	d := typed[T]()
	axisOf := func(s *Sig) int {
		if len(s.In) != 2 || s.In[0].Absent || s.In[1].Absent {
			return -1
		}
		axis, ok := s.In[1].ints()
		rank := int64(len(s.In[0].Dims))
		if !ok || len(axis) != 1 || axis[0] < -rank || axis[0] >= rank {
			return -1
		}
		return int((axis[0] + rank) % rank)
	}
	const part = 256 // lanes of a tile
	tiles := func(s *Sig) (outer, n, inner, tiles int) {
		outer, n, inner = along(s.In[0].Dims, axisOf(s))
		return outer, n, inner, (inner + part - 1) / part
	}
	type sums struct{ outer, n, inner, tiles, rows int }
	plan := func(s *Sig) sums {
		outer, n, inner, tiles := tiles(s)
		rows := 1 // outer ones of a tile
		if inner == 1 {
			rows = max(1, rowWork/2/max(n, 1))
		}
		return sums{outer, n, inner, tiles, rows}
	}
	return &Entry{Op: isa.Lookup("", "CumSum"), Name: "CumSum." + d.String(), Values: []int{1},
		Cost: func(s *Sig) float64 { return 100 + 2*float64(s.In[0].Len()) },
		Shape: func(s *Sig) ([][]int64, error) {
			if axisOf(s) < 0 {
				return nil, errors.New("the axis is not known")
			}
			return [][]int64{s.In[0].Dims}, nil
		},
		Match:   func(s *Sig) bool { return s.In[0].DType == d && s.Out[0].DType == d },
		Scratch: func(*Sig) int64 { return 8 * part },
		Split: func(s *Sig) Grid {
			p := plan(s)
			return Grid{Tiles: (p.outer + p.rows - 1) / p.rows * p.tiles}
		},
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, worker, index int) {
			p := c.State.(sums)
			exclusive, reverse := c.Sig.Inst.Int("exclusive", 0) != 0, c.Sig.Inst.Int("reverse", 0) != 0
			x, y := elems[T](c.In[0]), elems[T](c.Out[0])
			from := index % p.tiles * part
			width := min(part, p.inner-from)
			sum := elems[S](c.Scratch[worker])[:width]
			for o := index / p.tiles * p.rows; o < min((index/p.tiles+1)*p.rows, p.outer); o++ {
				clear(sum)
				pace := c.pace()
				for k := range p.n {
					if pace.over(width) {
						return
					}
					if reverse {
						k = p.n - 1 - k
					}
					at := (o*p.n+k)*p.inner + from
					a, b := x[at:at+width], y[at:at+width]
					for j, v := range a {
						before := sum[j]
						sum[j] += S(v)
						if exclusive {
							b[j] = T(before)
						} else {
							b[j] = T(sum[j])
						}
					}
				}
			}
		}}
}

// oneHotEntry writes one value, and another one at the places that indices give. An index from
// -depth to depth-1 sets one place; others leave the row as it is, which is no error in ONNX. The
// result has the new axis of depth elements at the attribute's place.
func oneHotEntry() *Entry {
	type hot struct{ outer, n, inner, size, perTile int }
	plan := func(s *Sig) (hot, []int64, bool) {
		depth, ok := s.Opt(1).ints()
		if len(s.In) != 3 || s.In[0].Absent || s.In[2].Absent || !ok || len(depth) != 1 || depth[0] < 0 || depth[0] > math.MaxInt32 {
			return hot{}, nil, false
		}
		rank := int64(len(s.In[0].Dims)) + 1
		axis := s.Inst.Int("axis", -1)
		if axis < -rank || axis >= rank {
			return hot{}, nil, false
		}
		dims := slices.Insert(slices.Clone(s.In[0].Dims), int((axis+rank)%rank), depth[0])
		h := hot{size: byteSize(s.In[2].DType)}
		h.outer, h.n, h.inner = along(dims, int((axis+rank)%rank))
		h.perTile = max(1, rowWork/max(h.n*h.inner, 1))
		return h, dims, true
	}
	return &Entry{Op: isa.Lookup("", "OneHot"), Name: "OneHot.copy", Values: []int{1}, Cost: moveCost,
		Shape: func(s *Sig) ([][]int64, error) {
			_, dims, ok := plan(s)
			if !ok {
				return nil, errors.New("the depth is not known")
			}
			return [][]int64{dims}, nil
		},
		Match: func(s *Sig) bool {
			v := &s.In[2]
			return isIndex(&s.In[0]) && v.Len() == 2 && byteSize(v.DType) > 0 && v.DType.Bits()%8 == 0 && s.Out[0].DType == v.DType
		},
		Split: func(s *Sig) Grid {
			h, _, _ := plan(s)
			return Grid{Tiles: (h.outer + h.perTile - 1) / h.perTile}
		},
		Prepare: func(s *Sig) any { h, _, _ := plan(s); return h },
		Run: func(c *Call, _, tile int) {
			h := c.State.(hot)
			idx := indicesOf(c, 0)
			off, on := c.In[2][:h.size], c.In[2][h.size:]
			for o := tile * h.perTile; o < min((tile+1)*h.perTile, h.outer); o++ {
				block := c.Out[0][o*h.n*h.inner*h.size:][:h.n*h.inner*h.size]
				c.fillParts(block, off)
				for j, pace := 0, c.pace(); j < h.inner && !pace.over(1); j++ {
					if k := idx.at(o*h.inner+j, h.n); k >= 0 && k < h.n {
						copy(block[(k*h.inner+j)*h.size:], on)
					}
				}
			}
		}}
}
