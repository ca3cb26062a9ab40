package kernel

// This file samples images at places that a grid gives: ONNX's GridSample of f32 with two spatial axes.

import (
	"errors"
	"math"
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// sampleWork is about the elements of a tile.
const sampleWork = 8 << 10

// A sampling is one signature: each place of the grid has a sample of every channel.
type sampling struct {
	batch, channels, h, w, spots int
	nearest, corners             bool
	padding                      string // zeros, border or reflection
	perTile, tiles               int    // places of a tile, tiles of an image
}

// samples makes GridSample of images by nearest and linear interpolation; cubic and volumes are left to the
// reference.
func samples(Tier) []*Entry {
	shape := func(s *Sig) ([][]int64, error) {
		if len(s.In) != 2 || s.In[0].Absent || s.In[1].Absent {
			return nil, errors.New("an image and a grid are needed")
		}
		x, g := s.In[0].Dims, s.In[1].Dims
		if len(x) != 4 || len(g) != 4 || x[0] != g[0] || g[3] != 2 || x[2] == 0 || x[3] == 0 {
			return nil, errors.New("it is not computed here")
		}
		return [][]int64{{x[0], x[1], g[1], g[2]}}, nil
	}
	plan := func(s *Sig) *sampling {
		x, g := s.In[0].Dims, s.In[1].Dims
		p := &sampling{batch: int(x[0]), channels: int(x[1]), h: int(x[2]), w: int(x[3]), spots: int(g[1] * g[2]),
			nearest: s.Inst.Str("mode", "linear") == "nearest",
			corners: s.Inst.Int("align_corners", 0) != 0, padding: s.Inst.Str("padding_mode", "zeros")}
		p.perTile = max(1, sampleWork/max(p.channels, 1))
		p.tiles = (p.spots + p.perTile - 1) / p.perTile
		return p
	}
	return []*Entry{{Op: isa.Lookup("", "GridSample"), Name: "GridSample.f32.taps", Shape: shape,
		Match: func(s *Sig) bool {
			return allPlain(s, tensor.Float32) && slices.Contains([]string{"nearest", "linear", "bilinear"}, s.Inst.Str("mode", "linear")) &&
				slices.Contains([]string{"zeros", "border", "reflection"}, s.Inst.Str("padding_mode", "zeros"))
		},
		Cost:    func(s *Sig) float64 { return 500 + 4*float64(s.Out[0].Len()) },
		Split:   func(s *Sig) Grid { p := plan(s); return Grid{Tiles: p.batch * p.tiles} },
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, _, index int) {
			p := c.State.(*sampling)
			p.run(floats(c.In[0]), floats(c.In[1]), floats(c.Out[0]), index/p.tiles, index%p.tiles)
		}}}
}

// run samples the places of a tile in all channels of an image.
func (p *sampling) run(x, grid, y []float32, image, tile int) {
	area := p.h * p.w
	x, y = x[image*p.channels*area:], y[image*p.channels*p.spots:]
	for o := tile * p.perTile; o < min((tile+1)*p.perTile, p.spots); o++ {
		at := grid[(image*p.spots+o)*2:]
		columns, rows := p.taps(float64(at[0]), p.w), p.taps(float64(at[1]), p.h)
		var list [4]sampleTap
		n := 0
		for _, c := range columns { // in the order of the reference, which has all places of the first axis for each of the second
			for _, r := range rows {
				if r.at >= 0 && c.at >= 0 {
					list[n] = sampleTap{r.at*p.w + c.at, r.w * c.w}
					n++
				}
			}
		}
		for ch := range p.channels {
			sum := 0.0
			for _, t := range list[:n] {
				sum += t.w * float64(x[ch*area+t.at])
			}
			y[ch*p.spots+o] = float32(sum)
		}
	}
}

// A sampleTap is an element and its weight; below 0 there is none.
type sampleTap struct {
	at int
	w  float64
}

// taps are the elements of an axis of size d that make up a place g between -1 and 1.
func (p *sampling) taps(g float64, d int) [2]sampleTap {
	none := sampleTap{-1, 0}
	low, high, x := -0.5, float64(d)-0.5, ((g+1)*float64(d)-1)/2
	if p.corners {
		low, high, x = 0, float64(d-1), (g+1)/2*float64(d-1)
	}
	if p.nearest {
		x = math.RoundToEven(x)
	}
	if x < low || x > high {
		switch p.padding {
		case "border":
			x = min(max(x, 0), float64(d-1))
		case "reflection":
			x = reflected(x, low, high)
		}
	}
	if math.IsNaN(x) {
		x = -1 // as outside
	}
	x = min(max(x, -10), float64(d)+10)
	if p.nearest {
		return [2]sampleTap{{p.inside(int(x), d, low, high), 1}, none}
	}
	first := math.Floor(x)
	return [2]sampleTap{{p.inside(int(first), d, low, high), 1 - (x - first)}, {p.inside(int(first)+1, d, low, high), x - first}}
}

// inside is the element that stands for one outside of the axis; below 0: it is zero.
func (p *sampling) inside(at, d int, low, high float64) int {
	switch {
	case at >= 0 && at < d:
		return at
	case p.padding == "zeros":
		return -1
	case p.padding == "border":
		return min(max(at, 0), d-1)
	}
	return min(max(int(reflected(float64(at), low, high)), 0), d-1)
}

// reflected brings a place between low and high, at which the axis is mirrored.
func reflected(x, low, high float64) float64 {
	size := high - low
	if size <= 0 || math.IsInf(x, 0) {
		return low
	}
	if x = math.Mod(math.Abs(x-low), 2*size); x > size {
		x = 2*size - x
	}
	return low + x
}
