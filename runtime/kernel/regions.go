package kernel

// This file pools samples of regions of images: ONNX's RoiAlign of f32. Places and sums are f64, as the reference's.

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

const (
	// regionWork is about the taps of a tile.
	regionWork = 64 << 10
	// maxSpots bounds the samples of a region, of a channel each; the reference has those of larger ones.
	maxSpots = 8 << 10
)

// A pooling of regions is one signature.
type regionPooling struct {
	count, channels, h, w, oh, ow int
	images                        int64
	ratio                         int64 // samples along a side of a bin; 0: as many as it has elements
	scale, shift                  float64
	half, largest                 bool
	perTile, tiles                int // channels of a tile, tiles of a region
}

// A spot is a sample: the elements around it and their weights. One without elements has a first one below 0.
type spot struct {
	at [4]int32
	w  [4]float64
}

// regions is RoiAlign in float32: images with four axes, regions as rows of four numbers, and for each the
// index of its image in int64, which is checked before the run, as is the number of samples of each
// region.
func regions(Tier) []*Entry {
	shape := func(s *Sig) ([][]int64, error) {
		oh, ow := s.Inst.Int("output_height", 1), s.Inst.Int("output_width", 1)
		if len(s.In) != 3 || len(s.In[0].Dims) != 4 || len(s.In[1].Dims) != 2 || s.In[1].Dims[1] != 4 ||
			!sameDims(s.In[2].Dims, s.In[1].Dims[:1]) ||
			s.In[0].Dims[2] == 0 || s.In[0].Dims[3] == 0 || oh < 1 || ow < 1 || oh > maxSpots || ow > maxSpots {
			return nil, errors.New("it is not computed here")
		}
		return [][]int64{{s.In[1].Dims[0], s.In[0].Dims[1], oh, ow}}, nil
	}
	plan := func(s *Sig) *regionPooling {
		x, y := s.In[0].Dims, s.Out[0].Dims
		p := &regionPooling{count: int(y[0]), channels: int(y[1]), h: int(x[2]), w: int(x[3]), oh: int(y[2]), ow: int(y[3]), images: x[0],
			ratio: s.Inst.Int("sampling_ratio", 0),
			scale: s.Inst.Float("spatial_scale", 1), half: s.Inst.Str("coordinate_transformation_mode", "half_pixel") == "half_pixel",
			largest: s.Inst.Str("mode", "avg") == "max"}
		if p.half {
			p.shift = 0.5
		}
		taps := 4 * p.oh * p.ow * int(max(p.ratio*p.ratio, 4))
		p.perTile = max(1, regionWork/taps)
		p.tiles = (p.channels + p.perTile - 1) / p.perTile
		return p
	}
	return []*Entry{{Op: isa.Lookup("", "RoiAlign"), Name: "RoiAlign.f32.spots", Shape: shape,
		Match: func(s *Sig) bool {
			ratio := s.Inst.Int("sampling_ratio", 0)
			return s.In[0].DType == tensor.Float32 && s.In[1].DType == tensor.Float32 && s.In[2].DType == tensor.Int64 &&
				s.Out[0].DType == tensor.Float32 &&
				ratio >= 0 && ratio*ratio <= maxSpots/s.Out[0].Dims[2]/s.Out[0].Dims[3] && s.In[0].Dims[2]*s.In[0].Dims[3] <= math.MaxInt32
		},
		Cost:    func(s *Sig) float64 { return 500 + 20*float64(s.Out[0].Len()) },
		Scratch: func(s *Sig) int64 { return maxSpots * int64(unsafe.Sizeof(spot{})) },
		Split:   func(s *Sig) Grid { p := plan(s); return Grid{Tiles: p.count * p.tiles} },
		Prepare: func(s *Sig) any { return plan(s) }, checksFloats: true,
		Check: func(c *Call) error {
			p := c.State.(*regionPooling)
			return c.check(p.count, func(from, to int) error {
				for r := from; r < to; r++ {
					if at := elems[int64](c.In[2])[r]; at < -p.images || at >= p.images {
						return fmt.Errorf("region %d is of image %d, and there are %d", r, at, p.images)
					}
					if g := p.region(floats(c.In[1])[4*r:]); !(g.rows*g.columns <= float64(maxSpots/p.oh/p.ow)) {
						return fmt.Errorf("region %d has too many samples", r)
					}
				}
				return nil
			})
		},
		Run: func(c *Call, worker, index int) {
			p := c.State.(*regionPooling)
			p.run(c, elems[spot](c.Scratch[worker]), index/p.tiles, index%p.tiles*p.perTile)
		}}}
}

// A region is a box on an image's elements: where it begins, the sizes of its bins, and how many samples these have along each side.
type region struct{ y, x, binH, binW, rows, columns float64 }

// region is the box of a region of interest in pixels. Without half_pixel, boxes are at least one pixel wide,
// as in the first version of the operator. With a sampling ratio of 0 there are as many samples as a bin has
// pixels.
func (p *regionPooling) region(box []float32) region {
	x, y := float64(box[0])*p.scale-p.shift, float64(box[1])*p.scale-p.shift
	w, h := float64(box[2])*p.scale-p.shift-x, float64(box[3])*p.scale-p.shift-y
	if !p.half {
		w, h = max(w, 1), max(h, 1)
	}
	g := region{y: y, x: x, binH: h / float64(p.oh), binW: w / float64(p.ow)}
	g.rows, g.columns = float64(p.ratio), float64(p.ratio)
	if p.ratio == 0 {
		g.rows, g.columns = max(math.Ceil(g.binH), 0), max(math.Ceil(g.binW), 0)
	}
	return g
}

// run pools a region in the channels of a tile.
func (p *regionPooling) run(c *Call, spots []spot, number, first int) {
	g := p.region(floats(c.In[1])[4*number:])
	rows, columns := int(g.rows), int(g.columns)
	if rows <= 0 || columns <= 0 || rows*columns > maxSpots/p.oh/p.ow {
		rows, columns = 0, 0 // no samples; more than there is room for Check has refused
	}
	each := rows * columns
	list := spots[:0]
	for o := range p.oh * p.ow {
		oy, ox := float64(o/p.ow), float64(o%p.ow)
		for i := range rows {
			for j := range columns {
				list = append(list, p.spot(g.y+oy*g.binH+(float64(i)+0.5)*g.binH/float64(rows), g.x+ox*g.binW+(float64(j)+0.5)*g.binW/float64(columns)))
			}
		}
	}
	image := elems[int64](c.In[2])[number]
	if image < 0 {
		image += p.images
	}
	image = min(max(image, 0), p.images-1)
	area, bins := p.h*p.w, p.oh*p.ow
	x, y := floats(c.In[0])[int(image)*p.channels*area:], floats(c.Out[0])[number*p.channels*bins:]
	for ch := first; ch < min(first+p.perTile, p.channels); ch++ {
		plane := x[ch*area:][:area]
		for o := range bins {
			if p.largest {
				y[ch*bins+o] = float32(spotMost(plane, list[o*each:][:each]))
			} else {
				y[ch*bins+o] = float32(spotSum(plane, list[o*each:][:each]) / float64(max(each, 1)))
			}
		}
	}
}

// spotSum is the weighted sum of the four pixels around each sample; a sample outside of the image has the
// position -1.
func spotSum(plane []float32, list []spot) (sum float64) {
	for i := range list {
		if s := &list[i]; s.at[0] >= 0 {
			sum += s.w[0]*float64(plane[s.at[0]]) + s.w[1]*float64(plane[s.at[1]]) + s.w[2]*float64(plane[s.at[2]]) + s.w[3]*float64(plane[s.at[3]])
		}
	}
	return sum
}

// spotMost gives the largest weighted element, as ONNX says.
func spotMost(plane []float32, list []spot) (most float64) {
	for i := range list {
		m := 0.0
		if s := &list[i]; s.at[0] >= 0 {
			m = max(s.w[0]*float64(plane[s.at[0]]), s.w[1]*float64(plane[s.at[1]]), s.w[2]*float64(plane[s.at[2]]), s.w[3]*float64(plane[s.at[3]]))
		}
		if i == 0 || m > most || math.IsNaN(m) {
			most = m
		}
	}
	return most
}

// spot is the sample at a place; beyond a rim of one element there is none.
func (p *regionPooling) spot(y, x float64) spot {
	if !(y >= -1 && y <= float64(p.h) && x >= -1 && x <= float64(p.w)) {
		return spot{at: [4]int32{-1}}
	}
	y, x = max(y, 0), max(x, 0)
	top, left := int(y), int(x)
	bottom, right := top+1, left+1
	if top >= p.h-1 {
		top, bottom, y = p.h-1, p.h-1, float64(p.h-1)
	}
	if left >= p.w-1 {
		left, right, x = p.w-1, p.w-1, float64(p.w-1)
	}
	fy, fx := y-float64(top), x-float64(left)
	return spot{[4]int32{int32(top*p.w + left), int32(top*p.w + right), int32(bottom*p.w + left), int32(bottom*p.w + right)},
		[4]float64{(1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx}}
}
