package kernel

// This file turns pairs of elements by the angle of their place: rotary embeddings. It computes in f64, as the reference does, and rounds
// once.

import (
	"errors"
	"fmt"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// A turning is RotaryEmbedding at its sizes. Rows are heads of a place; a row has pairs that are turned, and behind them elements that
// stay.
type turning struct {
	cutRows
	length, heads int // places, and heads of one
	apart         bool
	half          int // pairs
	interleaved   bool
	angles        int64 // places that have angles, where positions name one; 0: each has its own
}

// turningOf reads RotaryEmbedding: heads in an axis of their own, or in the last one with the number as
// attribute; angles per position, or looked up by position.
func turningOf(s *Sig) (*turning, error) {
	if len(s.In) < 3 || s.In[0].Absent || s.In[1].Absent || s.In[2].Absent {
		return nil, errors.New("operands are missing")
	}
	x, cos := s.In[0].Dims, s.In[1].Dims
	p := &turning{apart: len(x) == 4, interleaved: s.Inst.Int("interleaved", 0) != 0}
	var batch, length, heads, size int64
	switch {
	case p.apart:
		batch, heads, length, size = x[0], x[1], x[2], x[3]
	case len(x) == 3:
		batch, length, heads = x[0], x[1], s.Inst.Int("num_heads", 0)
		if heads < 1 || x[2]%heads != 0 {
			return nil, fmt.Errorf("%d heads of %d elements", heads, x[2])
		}
		size = x[2] / heads
	default:
		return nil, errors.New("it has neither three nor four dimensions")
	}
	dim := s.Inst.Int("rotary_embedding_dim", 0)
	if dim == 0 {
		dim = size
	}
	if dim < 0 || dim > size || dim%2 != 0 {
		return nil, fmt.Errorf("%d of %d elements are turned", dim, size)
	}
	want := []int64{batch, length, dim / 2}
	if ids := s.Opt(3); !ids.Absent {
		if len(cos) != 2 || !sameDims(ids.Dims, want[:2]) {
			return nil, errors.New("the positions or the angles have other sizes")
		}
		p.angles, want = cos[0], []int64{cos[0], dim / 2}
	}
	if !sameDims(cos, want) || !sameDims(s.In[2].Dims, want) {
		return nil, errors.New("the angles have other sizes")
	}
	p.length, p.heads, p.half = int(length), int(heads), int(dim/2)
	p.cutRows = cut(int(batch*length*heads), int(size))
	return p, nil
}

// place is the number of a row's place: image by image.
func (p *turning) place(row int) int {
	if !p.apart {
		return row / p.heads
	}
	return row/(p.heads*p.length)*p.length + row%p.length
}

// rotations lists the entry of this file.
func rotations(Tier) []*Entry {
	return []*Entry{{Op: isa.Lookup("", "RotaryEmbedding"), Name: "RotaryEmbedding.f32.pairs", InPlace: always,
		Cost: func(s *Sig) float64 { return 100 + float64(s.Out[0].Len()) },
		Shape: func(s *Sig) ([][]int64, error) {
			if _, err := turningOf(s); err != nil {
				return nil, err
			}
			return sameShape(s)
		},
		Match: func(s *Sig) bool {
			for i := range s.In {
				o := &s.In[i]
				if i < 3 && o.DType != tensor.Float32 || i == 3 && !o.Absent && o.DType != tensor.Int64 {
					return false
				}
			}
			return s.Out[0].DType == tensor.Float32
		},
		Split:   func(s *Sig) Grid { p, _ := turningOf(s); return p.grid() },
		Prepare: func(s *Sig) any { p, _ := turningOf(s); return p },
		Check: func(c *Call) error {
			p := c.State.(*turning)
			if p.angles == 0 && (len(c.In) < 4 || c.In[3] == nil) {
				return nil
			}
			return indices{wide: elems[int64](c.In[3])}.check(c, int(p.angles))
		},
		Run: func(c *Call, _, index int) {
			p := c.State.(*turning)
			x, y, cos, sin := floats(c.In[0]), floats(c.Out[0]), floats(c.In[1]), floats(c.In[2])
			var positions []int64
			if len(c.In) > 3 {
				positions = elems[int64](c.In[3])
			}
			for r := index * p.perTile; r < min((index+1)*p.perTile, p.rows); r++ {
				at := p.place(r)
				if positions != nil {
					if at = int(positions[at]); at < 0 {
						at += int(p.angles)
					}
				}
				p.turn(x[r*p.cutRows.length:][:p.cutRows.length], y[r*p.cutRows.length:], cos[at*p.half:], sin[at*p.half:])
			}
		}}}
}

// turn turns the pairs of a row.
func (p *turning) turn(x, y, cos, sin []float32) {
	n := p.half
	copy(y[2*n:], x[2*n:])
	cos, sin = cos[:n], sin[:n]
	if p.interleaved {
		x, y = x[:2*n], y[:2*n]
		for i, c := range cos {
			y[2*i], y[2*i+1] = turned(x[2*i], x[2*i+1], c, sin[i])
		}
		return
	}
	first, second, left, right := x[:n], x[n:2*n], y[:n], y[n:2*n]
	for i, c := range cos {
		left[i], right[i] = turned(first[i], second[i], c, sin[i])
	}
}

// turned multiplies in float64 and rounds once, as the reference does.
func turned(a, b, cos, sin float32) (x, y float32) {
	c, s := float64(cos), float64(sin)
	return float32(c*float64(a) - s*float64(b)), float32(s*float64(a) + c*float64(b))
}
