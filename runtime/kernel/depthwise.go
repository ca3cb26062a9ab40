package kernel

// This file computes convolutions whose groups have one channel each: every output channel is a sum
// of weighted neighbours in one plane. The chain runs from the bias over kernel row and column.

import (
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// A depthwise is a convolution in which each channel has a kernel of its own: there is no sum over channels
// that would make a product of matrices of it, so a kernel goes over the plane itself.
type depthwise struct {
	conv
}

// A depths is one signature.
type depths struct {
	*image
	p       *plane
	perTile int // channels of a tile
}

// noBias is what is added where there is no bias.
var noBias float32

// planeWork is the outputs times taps of a tile.
const planeWork = 1 << 18

// depthwiseEntries makes two forms: over planes that are laid out with borders, and, with vector instructions,
// over rows in place, which spares the copy for kernels of 3 and 5.
func depthwiseEntries(t Tier) []*Entry {
	var out []*Entry
	for _, op := range []isa.Op{isa.Conv, isa.Lookup("", "Conv")} {
		k := depthwise{conv{t: t, f: tile.RowsOf(t)}}
		out = append(out, &Entry{Op: op, Name: op.String() + ".f32.depthwise", Match: k.match, Shape: k.shape, Cost: k.cost, Scratch: k.scratch,
			Split:   k.split,
			Prepare: func(s *Sig) any { return k.plan(s) }, Run: k.run})
		if t == Portable { // in Go long runs of outputs are what counts: planes that are laid out are faster
			continue
		}
		r := depthRows{k}
		out = append(out, &Entry{Op: op, Name: op.String() + ".f32.depthrows", Match: r.match, Shape: r.shape, Cost: r.cost, Split: r.split,
			Prepare: func(s *Sig) any { return r.plan(s) }, Run: r.run})
	}
	return out
}

// depthRows computes those with square kernels of 3 or 5 rows and strides of 1 or 2 straight from the images.
type depthRows struct{ depthwise }

// A rowsCut is one signature.
type rowsCut struct {
	*image
	columns []*tile.DepthColumns
	near    int // channels whose images and results are in the first cache together
	perTile int // channels of a tile
}

func (k depthRows) plan(s *Sig) *rowsCut {
	return read(s, k.key(asRows), func() *rowsCut { return k.cut(s) })
}

// cut finds the columns of vectors of a row: those at the borders need masks and differ from those between
// them, which are all alike and share one.
func (k depthRows) cut(s *Sig) *rowsCut {
	m, err := k.conv.plan(s)
	if err != nil || m.channels != 1 || m.outs != 1 || m.residual {
		return nil
	}
	if m.h.kernel != m.w.kernel || m.w.kernel != 3 && m.w.kernel != 5 || m.h.stride != m.w.stride || m.w.stride > 2 || m.h.dilation != 1 ||
		m.w.dilation != 1 {
		return nil
	}
	r := &rowsCut{image: m}
	lanes := tile.Lanes(k.t)
	for x := 0; x < m.w.out; {
		n, first := m.w.out-x, x*m.w.stride-m.w.before
		var c *tile.DepthColumns
		if s.In[0].narrow() && (n > lanes || m.w.stride > 1) {
			c = tile.NewWovenColumns(min(tile.WovenColumns(m.w.stride), n), m.w.kernel, m.w.stride, first, m.w.in)
		} else {
			c = tile.NewDepthColumns(k.t, min(lanes, n), m.w.kernel, m.w.stride, first, m.w.in)
		}
		if last := len(r.columns) - 1; last >= 0 && *r.columns[last] == *c { // those between the borders are alike
			c = r.columns[last]
		}
		r.columns = append(r.columns, c)
		x += c.N
	}
	r.near = max(1, 6*page/max(m.h.in*m.w.in+m.pixels, 1))
	r.perTile = max(1, planeWork/max(m.h.out*(m.w.out+lanes-1)/lanes*lanes*(m.k+4), 1))
	return r
}

// match takes images and results of f32, and of bf16 between instructions that narrow.go lists.
func (k depthRows) match(s *Sig) bool {
	narrow := len(s.In) > 0 && s.In[0].narrow() && s.Out[0].narrow() && tile.HasBF16(k.t) && narrowed(s, 0)
	if !narrow && !allPlain(s, tensor.Float32) {
		return false
	}
	m := k.plan(s)
	return m != nil && (!m.bias || sameDims(s.In[2].Dims, s.In[1].Dims[:1]))
}

// cost is below that of planes that are laid out.
func (k depthRows) cost(s *Sig) float64 { return k.depthwise.cost(s) / 3 }

func (k depthRows) split(s *Sig) Grid {
	m := k.plan(s)
	return Grid{Tiles: (m.batch*m.groups + m.perTile - 1) / m.perTile}
}

// run goes over some channels. Those whose planes lie near to each other in memory are handed to the assembly
// together.
func (k depthRows) run(c *Call, _, index int) {
	m := c.State.(*rowsCut)
	in, size := m.h.in*m.w.in, m.pixels
	w, narrow := floats(c.In[1]), c.Sig.Out[0].narrow()
	bytes := byteSize(c.Sig.Out[0].DType) // of an element
	for g, end := index*m.perTile, min((index+1)*m.perTile, m.batch*m.groups); g < end; {
		ch := g % m.groups
		n := min(m.near, m.groups-ch, end-g)
		at := 0
		for _, columns := range m.columns {
			p := tile.Depth{X: unsafe.Pointer(&c.In[0][bytes*g*in]), Col: uintptr(bytes * (at*m.w.stride - m.w.before)),
				RowX: uintptr(bytes * m.w.in), PlaneX: uintptr(bytes * in), Height: m.h.in, First: -m.h.before,
				Y: unsafe.Pointer(&c.Out[0][bytes*(g*size+at)]), RowY: uintptr(bytes * m.w.out), PlaneY: uintptr(bytes * size), Rows: m.h.out,
				Channels: n,
				W:        unsafe.Pointer(&w[ch*m.k]), Bias: unsafe.Pointer(&noBias), Lo: m.lo, Hi: m.hi, Narrow: narrow}
			if m.bias {
				p.Bias, p.BiasStep = unsafe.Pointer(&floats(c.In[2])[ch]), 4
			}
			p.Run(k.t, columns)
			at += columns.N
		}
		g += n
	}
}

func (k depthwise) plan(s *Sig) *depths {
	return read(s, k.key(asPlanes), func() *depths { return k.depths(s) })
}

// depths lays planes out with borders, so that the innermost loop has no condition.
func (k depthwise) depths(s *Sig) *depths {
	m, err := k.conv.plan(s)
	if err != nil || m.channels != 1 {
		return nil
	}
	p, ok := newPlane(m.h, m.w)
	if !ok {
		return nil
	}
	return &depths{m, p, max(1, planeWork/max(p.n*(m.k+4), 1))}
}

func (k depthwise) match(s *Sig) bool {
	if !allPlain(s, tensor.Float32) {
		return false
	}
	m := k.plan(s)
	return m != nil && (!m.bias || sameDims(s.In[2].Dims, s.In[1].Dims[:1])) && (!m.residual || sameDims(s.In[3].Dims, s.Out[0].Dims))
}

func (k depthwise) cost(s *Sig) float64 {
	m := k.plan(s)
	return 300 + float64(s.Out[0].Len())*(0.3+float64(m.k)/[...]float64{0.5, 8, 16}[k.t])
}

func (k depthwise) scratch(s *Sig) int64 { return 4 * int64(k.plan(s).p.scratch()) }

func (k depthwise) split(s *Sig) Grid {
	m := k.plan(s)
	if m.p.n == 0 {
		return Grid{}
	}
	return Grid{Tiles: (m.batch*m.groups + m.perTile - 1) / m.perTile}
}

// run lays out a plane once for all its outputs. What is wider than the result, because rows were computed with
// their borders, is made dense at the end.
func (k depthwise) run(c *Call, worker, index int) {
	m := c.State.(*depths)
	in, size := m.h.in*m.w.in, m.h.out*m.w.out
	x, y, w := floats(c.In[0]), floats(c.Out[0]), floats(c.In[1])
	laid := floats(c.Scratch[worker])
	temp, laid := laid[:m.p.temp()], laid[m.p.temp():]
	laid, wide := laid[:m.p.size], laid[m.p.size:]
	for g := index * m.perTile; g < min((index+1)*m.perTile, m.batch*m.groups); g++ {
		m.p.lay(k.t, k.f, x[g*in:(g+1)*in], laid, temp, 0)
		for o := range m.outs {
			at := g*m.outs + o
			ch := at % (m.groups * m.outs)
			rec := tile.Window{W: &w[ch*m.k], Lo: m.lo, Hi: m.hi}
			if m.bias {
				rec.Bias = floats(c.In[2])[ch]
			}
			if m.residual {
				rec.Lo, rec.Hi = float32(math.Inf(-1)), float32(math.Inf(1))
			}
			out := y[at*size : (at+1)*size]
			if m.p.dense() {
				m.p.run(k.f, weighted, laid, out, rec)
			} else {
				m.p.run(k.f, weighted, laid, wide, rec)
				m.p.compact(wide, out)
			}
			if m.residual {
				k.f.Two(tile.Add, out, floats(c.In[3])[at*size:(at+1)*size], out)
				k.f.One(tile.Clip, out, out, m.lo, m.hi)
			}
		}
	}
}
