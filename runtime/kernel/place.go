package kernel

// This file moves elements to or from places that data or tables say: gathers, paddings, triangles.
//
// None of them computes with elements: they are copied as bytes, so that one entry serves all
// dtypes of whole bytes. What differs is where the table of places comes from: Gather reads it
// from an operand at each run and has to check it, Pad and Trilu make it of sizes when the entry
// is prepared.

import (
	"errors"
	"fmt"
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// A gathering takes rows of inner bytes: for each of outer blocks, those that the indices name.
// The result has outer · count rows, and row r is the source's row (r / count) · n + index[r %
// count].
type gathering struct {
	outer, n, count int // count indices into n rows
	inner           int // bytes
	perTile         int // rows of the result
}

// gatherEntry is Gather with indices of int32 or int64, whose shape replaces the axis. An index out of
// range fails before anything is copied; rows behind the axis are copied as bytes, of any dtype.
// The check is a pass of its own over the indices, before the tiles start, so that the tiles
// cannot fail and the result is not half written. Embedding lookups have long rows, where the
// copy is all of the time; single elements, with inner as one element's size, pay for each index.
func gatherEntry() *Entry {
	plan := func(s *Sig) *gathering {
		axis := axisOf(s, 0)
		d := s.In[0].Dims
		g := &gathering{outer: 1, n: int(d[axis]), count: int(s.In[1].Len()), inner: byteSize(s.In[0].DType)}
		for i, x := range d {
			switch {
			case i < axis:
				g.outer *= int(x)
			case i > axis:
				g.inner *= int(x)
			}
		}
		g.perTile = max(1, 4*rowWork/max(g.inner, 4))
		return g
	}
	return &Entry{Op: isa.Lookup("", "Gather"), Name: "Gather.rows", Cost: moveCost,
		Shape: func(s *Sig) ([][]int64, error) {
			if len(s.In) != 2 || s.In[0].Absent || s.In[1].Absent || axisOf(s, 0) < 0 {
				return nil, errors.New("operands are missing, or there is no such axis")
			}
			axis := axisOf(s, 0)
			return [][]int64{slices.Concat(s.In[0].Dims[:axis], s.In[1].Dims, s.In[0].Dims[axis+1:])}, nil
		},
		Match: func(s *Sig) bool {
			return movable(s, 1) && (s.In[1].DType == tensor.Int64 || s.In[1].DType == tensor.Int32)
		},
		Split: func(s *Sig) Grid {
			g := plan(s)
			return Grid{Tiles: (g.outer*g.count + g.perTile - 1) / g.perTile}
		},
		Prepare: func(s *Sig) any { return plan(s) },
		Check: func(c *Call) error {
			g := c.State.(*gathering)
			if g.outer == 0 {
				return nil
			}
			return indicesOf(c, 1).check(c, g.n)
		},
		Run: func(c *Call, _, tile int) {
			g, idx := c.State.(*gathering), indicesOf(c, 1)
			for r := tile * g.perTile; r < min((tile+1)*g.perTile, g.outer*g.count); r++ {
				from := (r/g.count*g.n + idx.at(r%g.count, g.n)) * g.inner
				c.copyParts(c.Out[0][r*g.inner:(r+1)*g.inner], c.In[0][from:from+g.inner])
			}
		}}
}

// A padding has for each axis of the result the place in the source, or -1 for the filling. lo
// and hi are places of the result; rows is the product of the other axes, and size the bytes of
// an element.
type padding struct {
	places  [][]int
	steps   []int // of the source, in elements
	lo, hi  int   // the part of the last axis where places go on one by one
	rows    int
	perTile int
	size    int
	hasFill bool
}

// padEntry is Pad with known pads, a pair for each axis listed, which may be negative. A table for each
// axis says from where each element comes, or that it is fill; modes other than constant need elements on
// every axis. The tables have as many entries as the axes are long, not as the result has
// elements, since the axes are independent. Pads of more than 2²⁴ are refused, as the tables
// would be large; they are asked for from the account of memory.
//
// It takes the modes of ONNX: constant, edge (the nearest element), wrap (periodic) and reflect
// (mirrored without a repetition of the edge).
func padEntry() *Entry {
	plan := func(s *Sig) ([]int64, *padding, error) {
		if len(s.In) < 2 || s.In[0].Absent {
			return nil, nil, errors.New("operands are missing")
		}
		x := &s.In[0]
		rank := len(x.Dims)
		pads, ok := s.In[1].ints()
		axes := make([]int64, rank)
		for i := range axes {
			axes[i] = int64(i)
		}
		ok3 := true
		if !s.Opt(3).Absent {
			axes, ok3 = s.In[3].ints()
		}
		list, err := axesFrom(axes, rank)
		if !ok || !ok3 || err != nil || len(pads) != 2*len(axes) || rank == 0 {
			return nil, nil, errors.New("the pads are not known")
		}
		mode := s.Inst.Str("mode", "constant")
		before, after := make([]int64, rank), make([]int64, rank)
		for i, a := range list {
			before[a], after[a] = pads[i], pads[len(axes)+i]
		}
		p := &padding{steps: dense(x.Dims), rows: 1, size: byteSize(x.DType)}
		dims := make([]int64, rank)
		for a, n := range x.Dims {
			const most = 1 << 24 // of tables
			if before[a] > most || after[a] > most || before[a] < -most || after[a] < -most || n > most {
				return nil, nil, errors.New("the pads are large")
			}
			dims[a] = n + before[a] + after[a]
			if dims[a] < 0 || n == 0 && mode != "constant" {
				return nil, nil, errors.New("the pads leave nothing")
			}
			ask(8 * dims[a])
			table := make([]int, dims[a])
			for i := range table {
				q := int64(i) - before[a]
				switch {
				case q >= 0 && q < n:
				case mode == "constant":
					q = -1
				case mode == "edge":
					q = min(max(q, 0), n-1)
				case mode == "wrap":
					q = (q%n + n) % n
				case mode == "reflect":
					q = mirrored(q, n)
				default:
					return nil, nil, fmt.Errorf("the mode %s", mode)
				}
				table[i] = int(q)
			}
			p.places = append(p.places, table)
			if a < rank-1 {
				p.rows *= int(dims[a])
			}
		}
		last := rank - 1
		// Between lo and hi the last axis is the source's without change, and can be copied in
		// one piece.
		p.lo = int(min(max(before[last], 0), dims[last]))
		p.hi = max(int(min(before[last]+x.Dims[last], dims[last])), p.lo)
		p.perTile = max(1, rowWork/max(int(dims[last]), 1))
		p.hasFill = !s.Opt(2).Absent && s.In[2].Len() > 0
		return dims, p, nil
	}
	return &Entry{Op: isa.Lookup("", "Pad"), Name: "Pad.rows", Cost: moveCost, Values: []int{1, 3},
		Shape: func(s *Sig) ([][]int64, error) {
			dims, _, err := plan(s)
			return [][]int64{dims}, err
		},
		Match: func(s *Sig) bool {
			fill := s.Opt(2)
			return movable(s, 1) && (fill.Absent || fill.DType == s.In[0].DType && fill.Len() <= 1)
		},
		Split: func(s *Sig) Grid {
			_, p, _ := plan(s)
			return Grid{Tiles: (p.rows + p.perTile - 1) / p.perTile}
		},
		Prepare: func(s *Sig) any {
			_, p, _ := plan(s)
			return p
		},
		Run: func(c *Call, _, tile int) {
			p := c.State.(*padding)
			var zero [16]byte
			one := zero[:p.size]
			if p.hasFill {
				one = c.In[2][:p.size]
			}
			for r := tile * p.perTile; r < min((tile+1)*p.perTile, p.rows); r++ {
				p.row(c, c.In[0], c.Out[0], one, r)
			}
		}}
}

// row writes a row of the result. one is the element to fill with. A row whose position on any
// other axis lies outside is filled as a whole; otherwise the two ends are done element by
// element and the middle in one copy.
func (p *padding) row(c *Call, src, dst, one []byte, r int) {
	last := len(p.places) - 1
	places := p.places[last]
	out := dst[r*len(places)*p.size : (r+1)*len(places)*p.size]
	base := 0
	for a := last - 1; a >= 0; a-- {
		q := p.places[a][r%len(p.places[a])]
		if r /= len(p.places[a]); q < 0 {
			c.fillParts(out, one)
			return
		}
		base += q * p.steps[a]
	}
	for _, part := range [2][2]int{{0, p.lo}, {p.hi, len(places)}} {
		for i, pace := part[0], c.pace(); i < part[1] && !pace.over(1); i++ {
			from := one
			if q := places[i]; q >= 0 {
				from = src[(base+q)*p.size : (base+q+1)*p.size]
			}
			copy(out[i*p.size:(i+1)*p.size], from)
		}
	}
	if p.hi > p.lo {
		c.copyParts(out[p.lo*p.size:p.hi*p.size], src[(base+places[p.lo])*p.size:])
	}
}

// mirrored mirrors at the first and last of n elements, as often as needed. The period is 2·(n -
// 1), as the edges are not repeated: for n = 4 the places -2, -1, 0, 1, 2, 3, 4, 5 are 2, 1, 0,
// 1, 2, 3, 2, 1.
func mirrored(p, n int64) int64 {
	if n == 1 {
		return 0
	}
	p = ((p % (2*n - 2)) + 2*n - 2) % (2*n - 2)
	if p >= n {
		p = 2*n - 2 - p
	}
	return p
}

// A triangle is Trilu at its sizes. total is the number of rows of all matrices, k the diagonal,
// positive above the main one.
type triangle struct {
	rows, cols, total int
	k                 int64
	upper             bool
	perTile, size     int
}

// triluEntry keeps a triangle of each matrix: a row is a copied run between two runs of zeros. It
// may write over its operand, since every element stays at its place.
func triluEntry() *Entry {
	plan := func(s *Sig) *triangle {
		d := s.In[0].Dims
		rows, cols := int(d[len(d)-2]), int(d[len(d)-1])
		t := &triangle{rows: rows, cols: cols, total: int(s.In[0].Len()) / max(cols, 1), upper: s.Inst.Int("upper", 1) != 0,
			perTile: max(1, rowWork/max(cols, 1)), size: byteSize(s.In[0].DType)}
		if !s.Opt(1).Absent {
			list, _ := s.In[1].ints()
			t.k = list[0]
		}
		return t
	}
	return &Entry{Op: isa.Lookup("", "Trilu"), Name: "Trilu.rows", Shape: sameShape, Cost: moveCost, InPlace: always, Values: []int{1},
		Match: func(s *Sig) bool {
			list, ok := s.Opt(1).ints()
			return len(s.In[0].Dims) >= 2 && movable(s, 1) && (s.Opt(1).Absent || ok && len(list) == 1)
		},
		Split: func(s *Sig) Grid {
			t := plan(s)
			return Grid{Tiles: (t.total + t.perTile - 1) / t.perTile}
		},
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, _, tile int) {
			t := c.State.(*triangle)
			for r := tile * t.perTile; r < min((tile+1)*t.perTile, t.total); r++ {
				// Columns from lo to hi are kept.
				edge := min(max(int64(r%t.rows)+t.k, -1), int64(t.cols))
				lo, hi := 0, min(int(edge)+1, t.cols)
				if t.upper {
					lo, hi = max(int(edge), 0), t.cols
				}
				x, y := c.In[0][r*t.cols*t.size:(r+1)*t.cols*t.size], c.Out[0][r*t.cols*t.size:(r+1)*t.cols*t.size]
				c.copyParts(y[lo*t.size:hi*t.size], x[lo*t.size:hi*t.size])
				c.clearParts(y[:lo*t.size])
				c.clearParts(y[hi*t.size:])
			}
		}}
}
