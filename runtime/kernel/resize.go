package kernel

// This file interpolates images and series: of the last two axes, each has a list of elements and weights for every place of the result.
//
// A resize is separable: each axis is a sparse matrix with one row for each place of the result,
// and few elements in a row. The matrices are made when the signature is prepared, from the
// formulas of the operator's text (coordinate transformation, filter, what is outside); the run
// is two small loops.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

const (
	// leastScale bounds the elements that a place of the result is made of where the result is small.
	leastScale = 1.0 / 64
	// mostPlace bounds places, of which Go's integers have all.
	mostPlace = 1 << 40
	// mostTable bounds the places along an axis, for which there are tables: what has more is left to the reference, which makes none.
	mostTable = 1 << 20
)

// resizes makes Resize for float32: axes before the last two keep their sizes, rows are mixed first and then
// columns, so that each of the two passes needs as many products as the filter has taps.
func resizes(t Tier) []*Entry {
	k := resizing{tile.RowsOf(t)}
	return []*Entry{{Op: isa.Lookup("", "Resize"), Name: "Resize.f32.rows", Values: []int{1, 2, 3}, Shape: k.shape, Match: k.match,
		Cost:    func(s *Sig) float64 { return 500 + 2*float64(s.Out[0].Len()) },
		Scratch: func(s *Sig) int64 { return 4 * s.In[0].Dims[len(s.In[0].Dims)-1] },
		Split:   func(s *Sig) Grid { return k.plan(s).grid() }, Prepare: func(s *Sig) any { return k.plan(s) }, Run: k.run}}
}

type resizing struct{ f tile.Rows }

// A share is a part of a place of the result: an element of the operand and its weight.
type share struct {
	at int
	w  float32
}

// A resizer is one axis. The scale is out/n where sizes are given; where a scale is, nearest places are in binary32, as the reference has
// it. n and out are the sizes of the axis before and after.
type resizer struct {
	n, out        int64
	scale         float64
	sized, single bool
}

// over divides by the scale. For sizes the quotient n/out is computed last, so that whole numbers
// stay whole.
func (d resizer) over(x float64) float64 {
	switch {
	case d.sized:
		return x * float64(d.n) / float64(d.out)
	case d.single:
		return float64(float32(x) / float32(d.scale))
	}
	return x / d.scale
}

// A resized is one signature: images of h × w that become oh × ow. rows and columns are the
// matrices of both axes, by place of the result.
type resized struct {
	images, h, w, oh, ow int
	rows, columns        [][]share  // nil: the axis stays
	pairs                [][2]share // columns when none is of more than two elements; nil: some are
	nearest              bool
	perTile, tiles       int // rows of a tile, tiles of an image
}

func (p *resized) grid() Grid { return Grid{Tiles: p.images * p.tiles} }

// axesOf reads the axes and their sizes. Exactly one of scales and sizes must be there. An error
// says that they are not known when the program is bound to sizes, do not fit the axes, or that
// keep_aspect_ratio_policy is wanted, which the reference computes.
func (resizing) axesOf(s *Sig) ([]int, []resizer, error) {
	dims := s.In[0].Dims
	axes := make([]int, len(dims))
	for i := range axes {
		axes[i] = i
	}
	if list := s.Inst.Ints("axes"); len(list) > 0 {
		axes = axes[:0]
		for _, a := range list {
			if a < 0 {
				a += int64(len(dims))
			}
			if a < 0 || a >= int64(len(dims)) || slices.Contains(axes, int(a)) {
				return nil, nil, errors.New("an axis that is not there, or twice")
			}
			axes = append(axes, int(a))
		}
	}
	out := make([]resizer, len(axes))
	scales, sizes := s.Opt(2), s.Opt(3)
	switch {
	case !scales.Absent && scales.Len() > 0 && (sizes.Absent || sizes.Len() == 0):
		if scales.DType != tensor.Float32 || len(scales.Elems) != 4*len(axes) {
			return nil, nil, errors.New("the scales are not known")
		}
		for i, f := range floats(scales.Elems) {
			n := math.Floor(float64(float32(dims[axes[i]]) * f))
			if !(f > 0) || !(n <= mostTable) {
				return nil, nil, fmt.Errorf("a scale of %v", f)
			}
			out[i] = resizer{n: dims[axes[i]], out: int64(n), scale: float64(f), single: s.Inst.Str("mode", "nearest") == "nearest"}
		}
	case !sizes.Absent && (scales.Absent || scales.Len() == 0):
		list, ok := sizes.ints()
		if policy := s.Inst.Str("keep_aspect_ratio_policy", "stretch"); !ok || len(list) != len(axes) || policy == "not_larger" ||
			policy == "not_smaller" {
			return nil, nil, errors.New("the sizes are not known")
		}
		for i, n := range list {
			if n < 0 || n > mostTable {
				return nil, nil, fmt.Errorf("a size of %d", n)
			}
			out[i] = resizer{n: dims[axes[i]], out: n, scale: float64(n) / float64(max(dims[axes[i]], 1)), sized: true}
		}
	default:
		return nil, nil, errors.New("scales and sizes, or neither")
	}
	return axes, out, nil
}

// shape follows from the factors, or from the sizes that are asked for.
func (k resizing) shape(s *Sig) ([][]int64, error) {
	if len(s.In) == 0 || s.In[0].Absent {
		return nil, errors.New("the operand is missing")
	}
	axes, list, err := k.axesOf(s)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(s.In[0].Dims)
	for i, a := range axes {
		out[a] = list[i].out
	}
	return [][]int64{out}, nil
}

// match leaves factors so small that a filter covers most of the image, and positions beyond what float64
// places exactly, to the reference.
func (k resizing) match(s *Sig) bool {
	if s.In[0].DType != tensor.Float32 || s.Out[0].DType != tensor.Float32 || s.In[0].Len() == 0 || len(s.In[0].Dims) == 0 {
		return false
	}
	axes, list, err := k.axesOf(s)
	if err != nil {
		return false
	}
	for i, a := range axes {
		d := list[i]
		if same := d.n == d.out && d.scale == 1; a < len(s.In[0].Dims)-2 && !same || d.scale < leastScale {
			return false
		}
		for _, x := range []int64{0, d.out - 1} {
			if at, ok := d.origin(s, x); !ok || !(math.Abs(at) < mostPlace) {
				return false
			}
		}
	}
	return slices.Contains([]string{"nearest", "linear", "cubic"}, s.Inst.Str("mode", "nearest"))
}

// origin is the place in the operand of an element of the result; false: the mode is another one.
// The formulas are those of the attribute coordinate_transformation_mode; width is the resized
// length, which with a scale need not be whole.
func (d resizer) origin(s *Sig, o int64) (float64, bool) {
	x, n, width := float64(o), float64(d.n), d.scale*float64(d.n)
	if d.sized {
		width = float64(d.out)
	}
	switch s.Inst.Str("coordinate_transformation_mode", "half_pixel") {
	case "align_corners":
		if width == 1 {
			return 0, true
		}
		return x * (n - 1) / (width - 1), true
	case "asymmetric":
		return d.over(x), true
	case "pytorch_half_pixel":
		if width == 1 {
			return -0.5, true
		}
		return d.over(x+0.5) - 0.5, true
	case "half_pixel":
		return d.over(x+0.5) - 0.5, true
	case "half_pixel_symmetric":
		return n/2*(1-float64(d.out)/width) + d.over(x+0.5) - 0.5, true
	}
	return 0, false
}

// shares are those of the elements near a place; places outside stand for the edge, or with
// exclude_outside for nothing. Filters are the triangle of linear and Keys' cubic kernel with the
// coefficient a; with antialias and a scale below 1 they are stretched by 1/scale. Weights are
// normalised where they need not add up to 1.
func (d resizer) shares(s *Sig, x float64) []share {
	type weight struct {
		at int64
		w  float64
	}
	var list []weight
	low := math.Floor(x)
	antialias, outside := s.Inst.Int("antialias", 0) != 0, s.Inst.Int("exclude_outside", 0) != 0
	scale := 1.0
	if antialias {
		scale = min(d.scale, 1)
	}
	around := func(support float64, kernel func(float64) float64) {
		support /= scale
		for i := math.Ceil(x - support); i <= math.Floor(x+support); i++ {
			if w := kernel((i - x) * scale); w != 0 {
				list = append(list, weight{int64(i), w})
			}
		}
	}
	switch s.Inst.Str("mode", "nearest") {
	case "nearest":
		at := low
		switch m := s.Inst.Str("nearest_mode", "round_prefer_floor"); {
		case x == low:
		case m == "ceil", m == "round_prefer_ceil" && x-low >= 0.5, m != "floor" && x-low > 0.5:
			at++
		}
		list = []weight{{int64(at), 1}}
	case "linear":
		around(1, func(t float64) float64 { return max(1-math.Abs(t), 0) })
	default:
		a := s.Inst.Float("cubic_coeff_a", -0.75)
		around(2, func(t float64) float64 {
			t = math.Abs(t)
			switch {
			case t <= 1:
				return ((a+2)*t-(a+3))*t*t + 1
			case t < 2:
				return ((a*t-5*a)*t+8*a)*t - 4*a
			}
			return 0
		})
	}
	sum := 0.0
	for i, w := range list {
		if w.at < 0 || w.at >= d.n {
			if outside {
				list[i].w = 0
			}
			list[i].at = min(max(w.at, 0), d.n-1)
		}
		sum += list[i].w
	}
	out := make([]share, len(list))
	for i, w := range list {
		if (outside || antialias) && sum != 0 {
			w.w /= sum
		}
		out[i] = share{int(w.at), float32(w.w)}
	}
	return out
}

// plan lays out a resize of the last two axes: for each row and column of the result the elements that it
// is made of, with their weights; an axis that keeps its size and scale has none. Columns of one or two
// elements are computed as pairs.
func (k resizing) plan(s *Sig) *resized {
	axes, list, _ := k.axesOf(s)
	in, out := s.In[0].Dims, s.Out[0].Dims
	rank := len(in)
	p := &resized{images: 1, h: 1, w: int(in[rank-1]), oh: 1, ow: int(out[rank-1]), nearest: s.Inst.Str("mode", "nearest") == "nearest"}
	if rank > 1 {
		p.h, p.oh = int(in[rank-2]), int(out[rank-2])
	}
	for _, d := range in[:max(rank-2, 0)] {
		p.images *= int(d)
	}
	for i, a := range axes {
		d := list[i]
		if d.n == d.out && d.scale == 1 {
			continue
		}
		ask(192 * d.out) // with those of its elements
		shares := make([][]share, d.out)
		for o := range shares {
			at, _ := d.origin(s, int64(o))
			shares[o] = d.shares(s, at)
		}
		if a == rank-1 {
			p.columns = shares
		} else {
			p.rows = shares
		}
	}
	if !p.nearest && p.columns != nil && !slices.ContainsFunc(p.columns, func(list []share) bool { return len(list) < 1 || len(list) > 2 }) {
		p.pairs = make([][2]share, len(p.columns))
		for o, list := range p.columns {
			if p.pairs[o] = [2]share{list[0], list[len(list)-1]}; len(list) == 1 { // two halves
				p.pairs[o][0].w /= 2
				p.pairs[o][1].w /= 2
			}
		}
	}
	p.perTile = max(1, rowWork/8/max(p.w, p.ow))
	p.tiles = (p.oh + p.perTile - 1) / p.perTile
	return p
}

// run makes some rows of the result: each is a weighted sum of rows of the input, of which then each element is
// one of elements. An axis that keeps its size is copied. Rows are mixed into a line of scratch
// memory first, then columns of it.
func (k resizing) run(c *Call, worker, index int) {
	p := c.State.(*resized)
	image, first := index/p.tiles, index%p.tiles*p.perTile
	x, y := floats(c.In[0])[image*p.h*p.w:][:p.h*p.w], floats(c.Out[0])[image*p.oh*p.ow:][:p.oh*p.ow]
	own := floats(c.Scratch[worker])[:p.w]
	for r := first; r < min(first+p.perTile, p.oh); r++ {
		line, to := own, y[r*p.ow:][:p.ow]
		switch {
		case p.rows == nil:
			line = x[r*p.w:][:p.w]
		case p.nearest:
			line = x[p.rows[r][0].at*p.w:][:p.w]
		default:
			k.mix(line, x, p.w, p.rows[r])
		}
		switch {
		case p.columns == nil:
			copy(to, line)
		case p.nearest:
			for o, list := range p.columns {
				to[o] = line[list[0].at]
			}
		case p.pairs != nil:
			for o := range to {
				q := &p.pairs[o]
				to[o] = float32(q[0].w*line[q[0].at]) + float32(q[1].w*line[q[1].at])
			}
		default:
			for o, list := range p.columns {
				var sum float32
				for _, s := range list {
					sum += float32(s.w * line[s.at])
				}
				to[o] = sum
			}
		}
	}
}

// mix adds rows of x up by their weights.
func (k resizing) mix(y, x []float32, pitch int, list []share) {
	if len(list) == 0 {
		clear(y)
		return
	}
	row := func(s share) []float32 { return x[s.at*pitch:][:pitch] }
	k.f.Right(tile.Mul, row(list[0]), list[0].w, y)
	for _, s := range list[1:] {
		for i, v := range row(s) {
			y[i] += float32(s.w * v)
		}
	}
}
