package kernel

// This file reduces axes of f32: sums, means, norms, extremes.
//
// There are three forms. Where the reduced axes are the last ones, a result is one row. Where the
// kept axes are the last ones (columns), whole rows are joined element by element, so that memory
// is read in sequence. Where there are few results of many elements, blocks of them are reduced
// by all threads, and joined in a second phase. Sums are joined in a fixed order, which depends
// on the sizes alone; that they are joined in blocks also loses fewer digits than one long sum,
// as with pairwise summation.

import (
	"errors"
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// A fold is what a reduction does with a row, and how results of rows are joined. row of an empty
// row is the neutral element. last makes the result of the joined value and the number of
// elements: the division of a mean, the root of a norm; nil leaves it.
type fold struct {
	row  func(f tile.Rows, x []float32) float32
	join tile.Binary
	// before is applied to elements when rows are joined element by element; nil: nothing.
	before func(f tile.Rows, x, y []float32)
	last   func(v float32, n int) float32
	// wide computes a result in f64, where sums are too large for f32 or have lost their digits; nil: never.
	wide *wideFold
}

// A wideFold is a sum of terms in f64, and what is made of it. It exists because squares overflow
// float32 from 1.8e19 on and lose digits below 1e-19, where the norm itself is an ordinary
// number.
type wideFold struct {
	term func(v float64) float64
	last func(sum float64, n int) float64
	// least is the least result that f32 computes with all digits.
	least float32
}

// lost reports whether a result of f32 is computed again.
func (w *wideFold) lost(v float32) bool { return w != nil && (v < w.least || v-v != 0) }

var (
	wideSum  = &wideFold{func(v float64) float64 { return v }, func(sum float64, _ int) float64 { return sum }, -math.MaxFloat32}
	wideMean = &wideFold{wideSum.term, func(sum float64, n int) float64 { return sum / float64(n) }, -math.MaxFloat32}
	// √leastSquare
	wideL2 = &wideFold{func(v float64) float64 { return v * v }, func(sum float64, _ int) float64 { return math.Sqrt(sum) }, 1e-14}
)

func sumOf(f tile.Rows, x []float32) float32 { return f.Sum(x) }

func squaresOf(f tile.Rows, x []float32) float32 { return f.SumSquares(x, 0) }

func square1(f tile.Rows, x, y []float32) { f.Two(tile.Mul, x, x, y) }

var folds = map[string]fold{
	"ReduceSum": {sumOf, tile.Add, nil, nil, wideSum},
	"ReduceMean": {sumOf, tile.Add, nil, func(v float32, n int) float32 {
		return v / float32(n)
	}, wideMean},
	"ReduceMax":       {func(f tile.Rows, x []float32) float32 { return f.Max(x) }, tile.Max, nil, nil, nil},
	"ReduceMin":       {func(f tile.Rows, x []float32) float32 { return f.Min(x) }, tile.Min, nil, nil, nil},
	"ReduceSumSquare": {squaresOf, tile.Add, square1, nil, nil},
	"ReduceL1": {func(f tile.Rows, x []float32) float32 { return f.SumAbs(x) }, tile.Add, func(f tile.Rows, x, y []float32) {
		f.One(tile.Abs, x, y, 0, 0)
	}, nil, nil},
	"ReduceL2": {squaresOf, tile.Add, square1, func(v float32, _ int) float32 { return float32(math.Sqrt(float64(v))) }, wideL2},
}

// reduceNames are in order, for the order of entries.
var reduceNames = []string{"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceSumSquare", "ReduceL1", "ReduceL2"}

// A reducing is a reduction at its sizes: the results' places, and for each the reduced places.
// The two walks are over one operand, with its steps: results gives where a result's elements
// begin, inner where they are from there.
type reducing struct {
	results *walk // over what is kept: the places in the source; rows are results
	inner   *walk // over what is reduced: relative places
	n       int   // elements of a result
	// columns: the row of results lies along the source's rows, so that these are joined row by row.
	columns bool
	perTile int
	length  int       // of a row of results
	blocks  *blockCut // nil: the rows of a tile are folded in order
}

// reductions makes all Reduce operators and the global pools, which are reductions over the axes of space.
func reductions(t Tier) []*Entry {
	f := tile.RowsOf(t)
	var out []*Entry
	for _, name := range reduceNames {
		out = append(out, reduceEntry(f, name, folds[name]))
	}
	out = append(append(out, foldings()...), logSumExpEntry(f))
	return append(out, globalAverage(f, "GlobalAveragePool", folds["ReduceMean"]), globalAverage(f, "GlobalMaxPool", folds["ReduceMax"]))
}

// reducedAxes gives the axes that are reduced, or an error when they are not known. An empty list
// of axes reduces all, or none with noop_with_empty_axes. An error says that the axes are not
// known when the sizes are bound, or not there.
func reducedAxes(s *Sig) ([]bool, error) {
	if len(s.In) == 0 || s.In[0].Absent {
		return nil, errors.New("the operand is missing")
	}
	rank := len(s.In[0].Dims)
	out := make([]bool, rank)
	var axes []int64
	if o := s.Opt(1); !o.Absent {
		var ok bool
		if axes, ok = o.ints(); !ok {
			return nil, errors.New("the axes are not known")
		}
	}
	if len(axes) == 0 {
		for i := range out {
			out[i] = s.Inst.Int("noop_with_empty_axes", 0) == 0
		}
		return out, nil
	}
	for _, a := range axes {
		if a < 0 {
			a += int64(rank)
		}
		if a < 0 || a >= int64(rank) {
			return nil, errors.New("there is no such axis")
		}
		out[a] = true
	}
	return out, nil
}

func reduceEntry(f tile.Rows, name string, how fold) *Entry {
	return foldEntry(f, name, how, []int{1}, reducedAxes, keepsDims)
}

// keepsDims reports whether reduced axes stay, with one element.
func keepsDims(s *Sig) bool { return s.Inst.Int("keepdims", 1) != 0 }

// reducedShape gives the sizes of what is left when axes are reduced.
func reducedShape(axes func(*Sig) ([]bool, error), keep func(*Sig) bool) func(*Sig) ([][]int64, error) {
	return func(s *Sig) ([][]int64, error) {
		red, err := axes(s)
		if err != nil {
			return nil, err
		}
		dims := []int64{}
		for i, d := range s.In[0].Dims {
			switch {
			case !red[i]:
				dims = append(dims, d)
			case keep(s):
				dims = append(dims, 1)
			}
		}
		return [][]int64{dims}, nil
	}
}

// globalAverage reduces all spatial axes.
func globalAverage(f tile.Rows, name string, how fold) *Entry {
	return foldEntry(f, name, how, nil, func(s *Sig) ([]bool, error) {
		if len(s.In) != 1 || s.In[0].Absent || len(s.In[0].Dims) < 2 {
			return nil, errors.New("an image is needed")
		}
		out := make([]bool, len(s.In[0].Dims))
		for i := 2; i < len(out); i++ {
			out[i] = true
		}
		return out, nil
	}, func(*Sig) bool { return true })
}

// foldEntry makes an entry of a reduction. One whose results are few and whose rows are long is cut into
// blocks, reduced in parallel in a first phase and joined in a second: otherwise one thread would have all the
// work of a sum over everything.
func foldEntry(f tile.Rows, name string, how fold, values []int, axes func(*Sig) ([]bool, error), keep func(*Sig) bool) *Entry {
	plan := func(s *Sig) *reducing {
		red, _ := axes(s) // shape has seen that there is no error
		p := planReduce(s.In[0].Dims, red)
		p.blocks = p.cutBlocks()
		return p
	}
	return &Entry{Op: isa.Lookup("", name), Name: name + ".f32.rows", Cost: func(s *Sig) float64 { return 200 + 0.3*float64(s.In[0].Len()) },
		Values: values,
		Shape:  reducedShape(axes, keep),
		Match: func(s *Sig) bool {
			return s.In[0].DType == tensor.Float32 && s.Out[0].DType == tensor.Float32 && s.In[0].Len() > 0
		},
		Shared: func(s *Sig) int64 {
			if p := plan(s); p.blocks != nil {
				return p.blocks.size(p)
			}
			return 0
		},
		Split: func(s *Sig) Grid {
			if p := plan(s); p.blocks != nil {
				return Grid{Tiles: p.blocks.total, Phases: 2}
			}
			return plan(s).grid()
		},
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, _, i int) {
			p := c.State.(*reducing)
			if p.blocks != nil {
				p.blocks.run(c, p, f, how, floats(c.In[0]), floats(c.Out[0]), floats(c.Shared), i)
				return
			}
			p.run(c, f, how, floats(c.In[0]), floats(c.Out[0]), i)
		}}
}

// planReduce splits the axes into those that are kept and those that are reduced. Neighbouring
// kept axes become one, and neighbouring reduced axes too, in newWalk, so nearly all reductions
// have one or two axes in each walk.
func planReduce(dims []int64, red []bool) *reducing {
	own := dense(dims)
	var kept, gone []int64
	var keptSteps, goneSteps []int
	n := 1
	for i, d := range dims {
		if red[i] {
			gone, goneSteps = append(gone, d), append(goneSteps, own[i])
			n *= int(d)
		} else {
			kept, keptSteps = append(kept, d), append(keptSteps, own[i])
		}
	}
	p := &reducing{n: n}
	p.results = newWalk(kept, max(rowWork/max(n, 1), 64), keptSteps)
	p.inner = newWalk(gone, math.MaxInt32, goneSteps)
	p.columns = p.results.unit[0] == 1 && p.results.inner > 1 && p.inner.unit[0] != 1
	p.length = p.results.inner
	p.perTile = max(1, rowWork/max(n, 1))
	return p
}

// grid is the cut.
func (p *reducing) grid() Grid {
	if p.columns {
		return p.results.grid()
	}
	return Grid{Tiles: (p.results.rows*p.results.inner + p.perTile - 1) / p.perTile}
}

// run reduces a tile. A result that is lost to the range of float32 is computed once more in float64 (wide), as
// the reference would.
func (p *reducing) run(c *Call, f tile.Rows, how fold, x, y []float32, i int) {
	if p.columns {
		for it := p.results.begin(i); it.next(); {
			n, at, to := it.n, &it.at, it.y
			p.column(c, f, how, x[at[0]:], y[to:to+n], nil)
		}
		return
	}
	for r := i * p.perTile; r < min((i+1)*p.perTile, p.results.rows*p.length); r++ {
		base := p.place(r)
		acc := p.row(c, f, how, x[base:])
		if how.last != nil {
			acc = how.last(acc, p.n)
		}
		if how.wide.lost(acc) {
			acc = p.widely(c, how.wide, x[base:])
		}
		y[r] = acc
	}
}

// line reports whether the elements of a result lie side by side.
func (p *reducing) line() bool {
	return p.inner.rows == 1 && p.inner.inner == p.n && (p.inner.unit[0] == 1 || p.n == 1)
}

// row folds the elements of the result whose elements begin at x. In its first branch the
// elements are side by side. Otherwise rows of the inner walk are folded one by one and joined in
// their order.
func (p *reducing) row(c *Call, f tile.Rows, how fold, x []float32) float32 {
	if p.line() {
		return c.join(p.n, how.join, func(from, to int) float32 { return how.row(f, x[from:to]) })
	}
	acc := how.row(f, nil)
	first, pace := true, c.pace()
	// Tiles of the inner walk are all its rows, one after the other: their sums are joined in order.
	for t := range p.inner.grid().Tiles {
		for it := p.inner.begin(t); it.next(); {
			n, row := it.n, x[it.at[0]:]
			v := float32(0)
			if p.inner.unit[0] == 1 || n == 1 {
				v = c.join(n, how.join, func(from, to int) float32 { return how.row(f, row[from:to]) })
			} else {
				v = p.scattered(c, f, how, row, n)
			}
			if pace.over(n) {
				return v
			}
			if first {
				acc, first = v, false
			} else {
				acc = how.join.Do(acc, v)
			}
		}
	}
	return acc
}

// scattered folds n elements that lie at the step of the inner row. Elements are gathered to a
// buffer of 256, so that the vector function can be used.
func (p *reducing) scattered(c *Call, f tile.Rows, how fold, x []float32, n int) float32 {
	var buf [256]float32
	acc, pace := how.row(f, nil), c.pace()
	for k := 0; k < n && !pace.over(len(buf)); k += len(buf) {
		part := buf[:min(len(buf), n-k)]
		for j := range part {
			part[j] = x[(k+j)*p.inner.unit[0]]
		}
		if v := how.row(f, part); k == 0 {
			acc = v
		} else {
			acc = how.join.Do(acc, v)
		}
	}
	return acc
}

// widely computes the result whose elements begin at x in f64. It is rare, and therefore simple:
// one loop in float64.
func (p *reducing) widely(c *Call, w *wideFold, x []float32) float32 {
	sum, pace := 0.0, c.pace()
	for t := range p.inner.grid().Tiles {
		for it := p.inner.begin(t); it.next(); {
			for k := range it.n {
				if pace.over(1) {
					return 0
				}
				sum += w.term(float64(x[it.at[0]+k*p.inner.unit[0]]))
			}
		}
	}
	return float32(w.last(sum, p.n))
}

// place is where the elements of a result begin.
func (p *reducing) place(r int) int {
	at := r % p.length * p.results.unit[0]
	r /= max(p.length, 1)
	for a := len(p.results.dims) - 1; a >= 0; a-- {
		at += r % p.results.dims[a] * p.results.steps[0][a]
		r /= p.results.dims[a]
	}
	return at
}

// block is the number of rows that are joined before their sum joins the others: longer sums lose less.
const block = 64

// column joins rows element by element, in blocks that depend on their number alone. With less, the exponentials of what
// elements are above those of less are joined. It takes 256 columns at a time, whose sums stay in
// the first cache. Rows are joined in blocks of block, and the blocks in turn.
func (p *reducing) column(c *Call, f tile.Rows, how fold, x, y, less []float32) {
	const width = 256
	pace := c.pace()
	for j := 0; j < len(y); j += width {
		out := y[j:min(j+width, len(y))]
		var part, term [width]float32
		count, blocks := 0, 0
		flush := func() {
			if count == 0 {
				return
			}
			if blocks == 0 {
				copy(out, part[:len(out)])
			} else {
				f.Two(how.join, out, part[:len(out)], out)
			}
			count = 0
			blocks++
		}
		add := func(line []float32) {
			switch {
			case less != nil:
				f.Two(tile.Sub, line, less[j:j+len(out)], term[:len(out)])
				line = term[:len(out)]
				f.Exp(line, line)
			case how.before != nil:
				how.before(f, line, term[:len(out)])
				line = term[:len(out)]
			}
			if count == 0 {
				copy(part[:len(out)], line)
			} else {
				f.Two(how.join, part[:len(out)], line, part[:len(out)])
			}
			if count++; count == block {
				flush()
			}
		}
		unit := p.inner.unit[0]
		for t := range p.inner.grid().Tiles {
			for it := p.inner.begin(t); it.next(); {
				n, at := it.n, &it.at
				for k := range n {
					if pace.over(len(out) + callSteps) {
						return
					}
					from := at[0] + k*unit + j
					add(x[from : from+len(out)])
				}
			}
		}
		flush()
		p.finish(c, how, x[j:], out)
	}
}
