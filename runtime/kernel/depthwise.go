package kernel

// This file computes convolutions whose groups have one channel each: every output channel is a sum
// of weighted neighbours in one plane. The chain runs from the bias over kernel row and column.

import (
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

type depthwise struct {
	conv
}

// A depths is one signature.
type depths struct {
	*image
	p       *plane
	perTile int // channels of a tile
}

// planeWork is the outputs times taps of a tile.
const planeWork = 1 << 18

func depthwiseEntries(t Tier) []*Entry {
	var out []*Entry
	for _, op := range []isa.Op{isa.Conv, isa.Lookup("", "Conv")} {
		k := depthwise{conv{t, tile.RowsOf(t)}}
		out = append(out, &Entry{Op: op, Name: op.String() + ".f32.depthwise", Match: k.match, Shape: k.shape, Cost: k.cost, Scratch: k.scratch, Split: k.split,
			Prepare: func(s *Sig) any { return k.plan(s) }, Run: k.run})
	}
	return out
}

func (k depthwise) plan(s *Sig) *depths {
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
				m.p.run(laid, out, &rec, k.f.Weighted)
			} else {
				m.p.run(laid, wide, &rec, k.f.Weighted)
				m.p.compact(wide, out)
			}
			if m.residual {
				k.f.Two(tile.Add, out, floats(c.In[3])[at*size:(at+1)*size], out)
				k.f.One(tile.Clip, out, out, m.lo, m.hi)
			}
		}
	}
}
