package kernel

// This file adds columns up to an image, the opposite of cutting out windows: ONNX's Col2Im of f32. The chain of an element runs over the
// places of the window in ascending order.

import (
	"errors"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

const (
	// windowsWork is about the additions of a tile.
	windowsWork = 64 << 10
	// mostWindows bounds sizes, and their products.
	mostWindows = 1 << 40
	// windowAxes is the most spatial axes.
	windowAxes = 8
)

// A windowed is one signature.
type windowed struct {
	f           tile.Rows
	planes      int      // images and channels
	axes        []window // in is the image's size, out the number of windows
	places      int      // of a window
	spots, area int      // windows of an image, elements of a channel
	bands       int      // of the first axis: each is a tile
}

// windowSums is Col2Im in float32: columns of three axes whose second is a multiple of the places in the
// block and whose third counts the windows over the image. Image and block must be known, and padding not
// negative.
func windowSums(t Tier) []*Entry {
	f := tile.RowsOf(t)
	plan := func(s *Sig) (*windowed, []int64, error) {
		bad := errors.New("it is not computed here")
		if len(s.In) != 3 || s.In[0].Absent || len(s.In[0].Dims) != 3 {
			return nil, nil, bad
		}
		image, ok := s.In[1].ints()
		block, ok2 := s.In[2].ints()
		if !ok || !ok2 || len(image) != len(block) || len(image) == 0 || len(image) > windowAxes {
			return nil, nil, bad
		}
		p := &windowed{f: f, places: 1, spots: 1, area: 1}
		strides, dilations, pads := s.Inst.Ints("strides"), s.Inst.Ints("dilations"), s.Inst.Ints("pads")
		for i, n := range image {
			k, stride, dilation := block[i], attrOr(strides, i, 1), attrOr(dilations, i, 1)
			before, after := attrOr(pads, i, 0), attrOr(pads, len(image)+i, 0)
			for _, v := range []int64{k, stride, dilation} {
				if v < 1 || v > isa.MaxTaps {
					return nil, nil, bad
				}
			}
			if n < 1 || n > 1<<31 || before < 0 || after < 0 || before > 1<<31 || after > 1<<31 {
				return nil, nil, bad
			}
			room := n + before + after - (k-1)*dilation - 1
			if room < 0 {
				return nil, nil, bad
			}
			d := window{int(n), int(room/stride + 1), int(k), int(stride), int(dilation), int(before), int(after)}
			p.axes = append(p.axes, d)
			if p.places, p.spots, p.area = p.places*d.kernel, p.spots*d.out, p.area*d.in; max(p.places, p.spots, p.area) > mostWindows {
				return nil, nil, bad
			}
		}
		x := s.In[0].Dims
		if x[1]%int64(p.places) != 0 || x[2] != int64(p.spots) {
			return nil, nil, bad
		}
		p.planes = int(x[0] * (x[1] / int64(p.places)))
		p.bands = max(1, min(p.axes[0].in, p.places*p.spots/windowsWork))
		return p, append([]int64{x[0], x[1] / int64(p.places)}, image...), nil
	}
	return []*Entry{{Op: isa.Lookup("", "Col2Im"), Name: "Col2Im.f32.windows", Values: []int{1, 2},
		Shape: func(s *Sig) ([][]int64, error) {
			_, dims, err := plan(s)
			return [][]int64{dims}, err
		},
		Match: func(s *Sig) bool { return s.In[0].DType == tensor.Float32 },
		Cost:  func(s *Sig) float64 { return 500 + float64(s.In[0].Len())/2 },
		Split: func(s *Sig) Grid {
			p, _, _ := plan(s) // shape has seen that there is no error
			return Grid{Tiles: p.planes * p.bands}
		},
		Prepare: func(s *Sig) any { p, _, _ := plan(s); return p },
		Run: func(c *Call, _, index int) {
			p := c.State.(*windowed)
			p.run(floats(c.In[0]), floats(c.Out[0]), index/p.bands, index%p.bands)
		}}}
}

// run adds up a band of a channel.
func (p *windowed) run(x, y []float32, plane, band int) {
	x, y = x[plane*p.places*p.spots:], y[plane*p.area:][:p.area]
	first, end := band*p.axes[0].in/p.bands, (band+1)*p.axes[0].in/p.bands
	row := p.area / p.axes[0].in
	clear(y[first*row : end*row])
	var place [windowAxes]int
	for k := range p.places {
		for a, rest := len(p.axes)-1, k; a >= 0; a-- {
			place[a], rest = rest%p.axes[a].kernel, rest/p.axes[a].kernel
		}
		p.add(x[k*p.spots:][:p.spots], y, &place, 0, first, end)
	}
}

// add adds what the windows have at a place to the image's elements from one to another of an axis, and all of the axes behind it.
func (p *windowed) add(x, y []float32, place *[windowAxes]int, axis, first, end int) {
	d := p.axes[axis]
	at := place[axis]*d.dilation - d.before // of the first window
	lo, hi := 0, d.out                      // the windows that are inside
	if at < first {
		lo = (first - at + d.stride - 1) / d.stride
	}
	if end <= at {
		return
	}
	hi = min(hi, (end-1-at)/d.stride+1)
	if lo >= hi {
		return
	}
	if axis == len(p.axes)-1 {
		from, to := x[lo:hi], y[at+lo*d.stride:]
		if d.stride == 1 {
			p.f.Two(tile.Add, to[:len(from)], from, to[:len(from)])
			return
		}
		for i, v := range from {
			to[i*d.stride] += v
		}
		return
	}
	inner, spots := len(y)/d.in, len(x)/d.out
	for o := lo; o < hi; o++ {
		p.add(x[o*spots:][:spots], y[(at+o*d.stride)*inner:][:inner], place, axis+1, 0, p.axes[axis+1].in)
	}
}
