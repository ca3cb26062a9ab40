package kernel

// This file finds the places of extremes along an axis, and counts.
//
// The semantics that matter are those of equal elements and of NaN. ONNX wants the first of equal
// elements, or the last with select_last_index; NaN counts as the extreme of both operators and
// the first NaN wins in either mode, as in NumPy and in the reference evaluator.

import (
	"errors"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// A lanes is outer times inner results, each over n elements. n is the size of the reduced axis;
// for rows inner counts the rows.
type lanes struct {
	outer, n, inner int
	rows            bool // the elements of each lie side by side; outer is then 1
	perTile, tiles  int  // results of a tile, tiles of an outer
}

// lanesOf cuts an operand at an axis into outer, n and inner. If the axis is the last one the lanes are rows;
// otherwise neighbouring lanes are gone over together, as their elements lie side by side. A tile
// is as many lanes as make about half of rowWork elements.
func lanesOf(s *Sig) *lanes {
	axis := axisOf(s, 0)
	l := &lanes{outer: 1, n: int(s.In[0].Dims[axis]), inner: 1}
	for i, d := range s.In[0].Dims {
		switch {
		case i < axis:
			l.outer *= int(d)
		case i > axis:
			l.inner *= int(d)
		}
	}
	l.perTile = max(1, rowWork/2/max(l.n, 1))
	if l.inner == 1 {
		l.outer, l.inner, l.rows = 1, l.outer, true
	}
	l.tiles = (l.inner + l.perTile - 1) / l.perTile
	return l
}

// extremes are ArgMax and ArgMin: rows with vector instructions where the elements are float32, lanes of any
// number type otherwise.
func extremes(t Tier) []*Entry {
	var out []*Entry
	for _, x := range []struct {
		name    string
		largest bool
	}{{"ArgMax", true}, {"ArgMin", false}} {
		out = append(out, argRows(t, argEntry[float32](x.name, x.largest), x.largest), argEntry[float64](x.name, x.largest))
		out = append(out, argEntry[int64](x.name, x.largest), argEntry[int32](x.name, x.largest))
	}
	return append(out, rangeEntry())
}

// argEntry is ArgMax or ArgMin for one dtype, along an axis of at least one element, into int64.
// Contiguous rows are searched one by one, other lanes side by side with the best values so far in scratch
// memory; select_last_index decides between equal elements. Two costs shape the inner loop of
// lanes: it walks along the memory and not along a lane, so that each cache line is read once,
// and it rejects the ordinary element by one comparison before it looks at NaN and equality.
func argEntry[T number](name string, largest bool) *Entry {
	d := typed[T]()
	return &Entry{Op: isa.Lookup("", name), Name: name + "." + d.String(),
		Cost: func(s *Sig) float64 { return 200 + 1.5*float64(s.In[0].Len()) },
		Shape: func(s *Sig) ([][]int64, error) {
			if len(s.In) == 0 || s.In[0].Absent || len(s.In[0].Dims) == 0 {
				return nil, errors.New("the operand is missing or has no axis")
			}
			axis := axisOf(s, 0)
			if axis < 0 {
				return nil, errors.New("the axis is not there")
			}
			var dims []int64
			for i, n := range s.In[0].Dims {
				switch {
				case i != axis:
					dims = append(dims, n)
				case s.Inst.Int("keepdims", 1) != 0:
					dims = append(dims, 1)
				}
			}
			return [][]int64{dims}, nil
		},
		Match: func(s *Sig) bool {
			o := &s.In[0]
			return o.DType == d && s.Out[0].DType == tensor.Int64 && o.Dims[axisOf(s, 0)] > 0
		},
		Split: func(s *Sig) Grid {
			l := lanesOf(s)
			return Grid{Tiles: l.outer * l.tiles}
		},
		Scratch: func(s *Sig) int64 {
			l := lanesOf(s)
			return int64(min(l.perTile, l.inner)) * int64(d.Bits()/8)
		},
		Prepare: func(s *Sig) any { return lanesOf(s) },
		Run: func(c *Call, worker, index int) {
			l := c.State.(*lanes)
			last := c.Sig.Inst.Int("select_last_index", 0) != 0
			from := index % l.tiles * l.perTile
			to := min(from+l.perTile, l.inner)
			x, y := elems[T](c.In[0]), elems[int64](c.Out[0])
			if l.rows {
				for r := from; r < to; r++ {
					row, found := x[r*l.n:(r+1)*l.n], 0
					c.parts(l.n, func(from, to int) {
						best := found
						for k := from; k < to; k++ {
							if better(row[k], row[best], largest, last) {
								best = k
							}
						}
						found = best
					})
					y[r] = int64(found)
				}
				return
			}
			o := index / l.tiles
			x, y = x[o*l.n*l.inner:][:l.n*l.inner], y[o*l.inner:][:l.inner]
			y, best := y[from:to], elems[T](c.Scratch[worker])[:to-from]
			clear(y)
			copy(best, x[from:to])
			for k, pace := 1, c.pace(); k < l.n && !pace.over(len(best)); k++ {
				row := x[k*l.inner+from:][:len(best)]
				for j, b := range best {
					v := row[j]
					if largest && v < b || !largest && v > b { // most of them
						continue
					}
					if better(v, b, largest, last) {
						best[j], y[j] = v, int64(k)
					}
				}
			}
		}}
}

// mostMarks bounds the places that f32 has exactly. Above it f32 has gaps between integers, and
// two places would be the same mark.
const mostMarks = 1 << 24

// argRows computes an entry for f32 by functions of rows: extremes first, then the places that
// have them. Vector instructions give an extreme fast and its place badly: a first pass finds the
// extreme, NaN included, and a second one compares each row of lanes with it and writes the row's
// number where they are equal (Mark). The rows are marked from the last to the first, so that the
// first one is what stays, or in order for the last one. A row of n elements is thus read twice,
// from the cache mostly. Longer axes than mostMarks take the entry's own function.
func argRows(t Tier, e *Entry, largest bool) *Entry {
	f, slow := tile.RowsOf(t), e.Run
	op := tile.Min
	if largest {
		op = tile.Max
	}
	e.Scratch = func(s *Sig) int64 {
		l := lanesOf(s)
		return 8 * int64(min(l.perTile, l.inner))
	}
	e.Run = func(c *Call, worker, index int) {
		l := c.State.(*lanes)
		if l.n >= mostMarks {
			slow(c, worker, index)
			return
		}
		last := c.Sig.Inst.Int("select_last_index", 0) != 0
		from := index % l.tiles * l.perTile
		to := min(from+l.perTile, l.inner)
		x, y := floats(c.In[0]), elems[int64](c.Out[0])
		if l.rows {
			for r := from; r < to; r++ {
				row := x[r*l.n : (r+1)*l.n]
				best := c.join(len(row), op, func(from, to int) float32 {
					if largest {
						return f.Max(row[from:to])
					}
					return f.Min(row[from:to])
				})
				y[r] = int64(placeOf(row, best, last))
			}
			return
		}
		o := index / l.tiles
		x, y = x[o*l.n*l.inner:][:l.n*l.inner], y[o*l.inner:][from:to]
		n := to - from
		best, marks := floats(c.Scratch[worker])[:n], floats(c.Scratch[worker])[n:2*n]
		copy(best, x[from:])
		pace := c.pace()
		for k := 1; k < l.n; k++ {
			if pace.over(n + callSteps) {
				return
			}
			f.Two(op, best, x[k*l.inner+from:][:n], best)
		}
		for i := range l.n { // the last one that is marked stays
			if pace.over(n + callSteps) {
				return
			}
			k := l.n - 1 - i
			if last {
				k = i
			}
			row := x[k*l.inner+from:][:n]
			f.Mark(row, best, marks, float32(k))
		}
		if last { // the first NaN stays all the same
			for j, b := range best {
				if b != b {
					k := 0
					for v := x[from+j]; v == v && !pace.over(1); v = x[k*l.inner+from+j] {
						k++
					}
					marks[j] = float32(k)
				}
			}
		}
		for j, k := range marks {
			y[j] = int64(k)
		}
	}
	return e
}

// placeOf gives the first or last place of a number, of NaN the first. The loop stops at the
// first hit, so that on average half of the row is read.
func placeOf(row []float32, best float32, last bool) int {
	switch {
	case best != best:
		for i, v := range row {
			if v != v {
				return i
			}
		}
	case last:
		for i := len(row) - 1; i >= 0; i-- {
			if row[i] == best {
				return i
			}
		}
	}
	for i, v := range row {
		if v == best {
			return i
		}
	}
	return 0
}

// better reports whether an element is to be taken instead of one before it. The first NaN stays.
// It defines the total order that both functions above follow.
func better[T number](v, best T, largest, last bool) bool {
	switch {
	case best != best:
		return false
	case v != v:
		return true
	case v == best:
		return last
	}
	return v > best == largest
}

// rangeEntry counts from a number as long as another one is not reached. The number of elements
// is ceil((limit - start) / step), at least 0; numbers of mostPlace and more in absolute value
// are refused, which leaves room for the sums. It has one tile, as the result is short in
// practice: positions of a sequence.
func rangeEntry() *Entry {
	return &Entry{Op: isa.Lookup("", "Range"), Name: "Range.i64", Values: []int{0, 1, 2},
		Cost: func(s *Sig) float64 { return 100 + float64(s.Out[0].Len()) },
		Shape: func(s *Sig) ([][]int64, error) {
			var of [3]int64
			for i := range of {
				list, ok := s.Opt(i).ints()
				if !ok || len(list) != 1 {
					return nil, errors.New("start, limit or step is not known")
				}
				of[i] = list[0]
			}
			start, limit, step := of[0], of[1], of[2]
			if step == 0 || max(start, limit, step, -start, -limit, -step) >= mostPlace || min(start, limit, step) <= -mostPlace {
				return nil, errors.New("the step is 0, or a number is too large")
			}
			n := (limit - start + step - 1) / step
			if step < 0 {
				n = (start - limit - step - 1) / -step
			}
			return [][]int64{{max(n, 0)}}, nil
		},
		Match: func(s *Sig) bool { return s.In[0].DType == tensor.Int64 && s.Out[0].DType == tensor.Int64 },
		Split: func(*Sig) Grid { return Grid{Tiles: 1} },
		Run: func(c *Call, _, _ int) {
			start, step := elems[int64](c.In[0])[0], elems[int64](c.In[2])[0]
			y := elems[int64](c.Out[0])
			c.parts(len(y), func(from, to int) {
				for i := from; i < to; i++ {
					y[i] = start + int64(i)*step
				}
			})
		}}
}
