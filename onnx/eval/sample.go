package eval

// This file samples images at places that tensors give.

import (
	"math"
	"slices"
)

// bilinear interpolates a plane; outside it is zero.
func bilinear(p []float64, h, w int, y, x float64) float64 {
	if !(y > -1 && y < float64(h) && x > -1 && x < float64(w)) {
		return 0
	}
	y0, x0 := int(math.Floor(y)), int(math.Floor(x))
	fy, fx := y-float64(y0), x-float64(x0)
	at := func(i, j int) float64 {
		if i < 0 || i >= h || j < 0 || j >= w {
			return 0
		}
		return p[i*w+j]
	}
	return (1-fy)*((1-fx)*at(y0, x0)+fx*at(y0, x0+1)) + fy*((1-fx)*at(y0+1, x0)+fx*at(y0+1, x0+1))
}

// gridSample samples each channel at places between -1 and 1, of which the last dimension
// comes first. With align_corners the places -1 and 1 are the centres of the outer elements,
// otherwise their outer edges: i = (g+1)/2·(d-1), or ((g+1)·d - 1)/2. The last component of a
// place is the x axis, so components are read from the end. It fails on sizes that do not fit
// each other and on images without elements.
func gridSample(c *call) []Value {
	x, grid := c.arg(0), c.floatArg(1)
	n := len(x.Dims) - 2
	if n < 1 || len(grid.Dims) != n+2 || grid.Dims[0] != x.Dims[0] || grid.Dims[n+1] != int64(n) || x.F == nil && x.I == nil {
		c.failf("an input of the sizes %v and a grid of %v", x.Dims, grid.Dims)
	}
	for _, d := range x.Dims[2:] {
		if d == 0 {
			c.failf("an input of the sizes %v", x.Dims)
		}
	}
	s := sampler{c: c, dims: x.Dims[2:], steps: strides(x.Dims[2:]), mode: c.text("mode"), padding: c.text("padding_mode")}
	corners := c.int("align_corners") != 0
	for _, d := range s.dims {
		if corners {
			s.low, s.high = append(s.low, 0), append(s.high, float64(d-1))
		} else {
			s.low, s.high = append(s.low, -0.5), append(s.high, float64(d)-0.5)
		}
	}
	out := c.make(x.DType, slices.Concat(x.Dims[:2], grid.Dims[1:n+1]))
	area, spots := count(s.dims), count(grid.Dims[1:n+1])
	at := make([]float64, n)
	for b := range int(x.Dims[0]) {
		for o := range spots {
			for i := range at {
				g, d := grid.F[(b*spots+o)*n+n-1-i], float64(s.dims[i])
				if corners {
					at[i] = (g + 1) / 2 * (d - 1)
				} else {
					at[i] = ((g+1)*d - 1) / 2
				}
			}
			taps := s.taps(at)
			for ch := range int(x.Dims[1]) {
				c.tick(len(taps) + 1)
				m := b*int(x.Dims[1]) + ch
				sum := 0.0
				for _, t := range taps {
					sum += t.w * x.At(m*area+int(t.at))
				}
				out.put(m*spots+o, sum)
			}
		}
	}
	return []Value{out}
}

// A sampler knows how places outside of the image are meant. low and high are the borders between
// which a place is inside, for reflections.
type sampler struct {
	c             *call
	dims          []int64
	steps         []int
	low, high     []float64
	mode, padding string
}

// taps are the elements that make up the value at a place. The weights of several axes are
// products, so the list grows by 2 for each axis with linear, and by 4 with cubic interpolation
// (with the coefficient -0.75, as PyTorch and ONNX have it). Places are bounded before they
// become integers.
func (s *sampler) taps(at []float64) []weight {
	list := []weight{{0, 1}}
	for i, x := range at {
		if s.mode == "nearest" {
			x = math.RoundToEven(x)
		}
		if x < s.low[i] || x > s.high[i] {
			switch s.padding {
			case "border":
				x = min(max(x, 0), float64(s.dims[i]-1))
			case "reflection":
				x = reflectedAt(x, s.low[i], s.high[i])
			}
		}
		if math.IsNaN(x) {
			x = -1 // as outside
		}
		x = min(max(x, -10), float64(s.dims[i])+10)
		var own []weight
		first := math.Floor(x)
		switch s.mode {
		case "nearest":
			own = []weight{{int64(x), 1}}
		case "linear", "bilinear":
			own = []weight{{int64(first), 1 - (x - first)}, {int64(first) + 1, x - first}}
		case "cubic", "bicubic":
			for k := first - 1; k <= first+2; k++ {
				own = append(own, weight{int64(k), cubic(-0.75, k-x)})
			}
		default:
			s.c.failf("the mode %s", s.mode)
		}
		var all []weight
		for _, w := range own {
			p := w.at
			if p < 0 || p >= s.dims[i] {
				switch s.padding {
				case "zeros":
					continue
				case "border":
					p = min(max(p, 0), s.dims[i]-1)
				default:
					p = min(max(int64(reflectedAt(float64(p), s.low[i], s.high[i])), 0), s.dims[i]-1)
				}
			}
			for _, l := range list {
				all = append(all, weight{l.at + p*int64(s.steps[i]), l.w * w.w})
			}
		}
		list = all
	}
	return list
}

// reflectedAt mirrors a place at the borders until it is between them. It is a triangle wave with
// the period 2·(high - low).
func reflectedAt(x, low, high float64) float64 {
	size := high - low
	if size <= 0 || math.IsInf(x, 0) {
		return low
	}
	x = math.Mod(math.Abs(x-low), 2*size)
	if x > size {
		x = 2*size - x
	}
	return low + x
}

// affineGrid is the grid of an affine map of the places between -1 and 1. The result is [N,
// spatial..., axes]: θ times the homogeneous place. theta is [N, axes, axes+1].
func affineGrid(c *call) []Value {
	theta, size := c.floatArg(0), c.list(1)
	n := len(size) - 2
	if n != 2 && n != 3 {
		c.failf("sizes of %d dimensions", len(size))
	}
	c.sized("theta", theta, size[0], int64(n), int64(n+1))
	corners := c.int("align_corners") != 0
	out := c.make(theta.DType, slices.Concat(size[:1], size[2:], []int64{int64(n)}))
	at := make([]float64, n)
	c.walk(out.Dims[:n+1], func(i int, pos []int64) {
		for k, p := range pos[1:] {
			d := float64(size[2+k])
			v := (2*float64(p)+1)/d - 1
			if corners {
				v = -1
				if d > 1 {
					v += 2 * float64(p) / (d - 1)
				}
			}
			at[n-1-k] = v
		}
		row := theta.F[int(pos[0])*n*(n+1):]
		for k := range n {
			sum := row[k*(n+1)+n]
			for j, v := range at {
				sum += row[k*(n+1)+j] * v
			}
			out.F[i*n+k] = sum
		}
	})
	return []Value{out}
}

// roiAlign pools samples of regions: the operands are images, boxes x1, y1, x2, y2, and the
// number of the image of each box. A box is scaled to the feature map, with half a pixel taken
// away in the mode half_pixel, and cut into oh × ow bins. Each bin is the mean (for max the
// largest weighted corner) of samples at regular places within it, interpolated bilinearly.
// Without half_pixel a box has at least the size 1.
func roiAlign(c *call) []Value {
	x, rois := c.floatArg(0), c.floatArg(1)
	if len(x.Dims) != 4 || len(rois.Dims) != 2 || rois.Dims[1] != 4 {
		c.failf("images of the sizes %v and boxes of %v", x.Dims, rois.Dims)
	}
	images := length(c, "the list of images", c.list(2), int(rois.Dims[0]))
	oh, ow, ratio, scale := c.int("output_height"), c.int("output_width"), c.int("sampling_ratio"), c.float("spatial_scale")
	half := c.text("coordinate_transformation_mode") == "half_pixel"
	largest := c.text("mode") == "max"
	if oh < 1 || ow < 1 || ratio < 0 {
		c.failf("a result of %d × %d with %d samples", oh, ow, ratio)
	}
	h, w := int(x.Dims[2]), int(x.Dims[3])
	if h == 0 || w == 0 {
		c.failf("images of the sizes %v", x.Dims)
	}
	out := c.make(x.DType, []int64{rois.Dims[0], x.Dims[1], oh, ow})
	for r := range int(rois.Dims[0]) {
		image := c.place(images[r], x.Dims[0])
		shift := 0.0
		if half {
			shift = 0.5
		}
		x1, y1 := rois.F[r*4]*scale-shift, rois.F[r*4+1]*scale-shift
		rw, rh := rois.F[r*4+2]*scale-shift-x1, rois.F[r*4+3]*scale-shift-y1
		if !half {
			rw, rh = max(rw, 1), max(rh, 1)
		}
		bh, bw := rh/float64(oh), rw/float64(ow)
		nh, nw := c.samples(ratio, bh), c.samples(ratio, bw)
		for ch := range int(x.Dims[1]) {
			plane := x.F[(int(image)*int(x.Dims[1])+ch)*h*w:][:h*w]
			for o := range int(oh * ow) {
				c.tick(nh*nw + 1)
				py, px := float64(o/int(ow)), float64(o%int(ow))
				acc, first := 0.0, true
				for iy := range nh {
					for ix := range nw {
						parts := corners(plane, h, w, y1+py*bh+(float64(iy)+0.5)*bh/float64(nh), x1+px*bw+(float64(ix)+0.5)*bw/float64(nw))
						if largest {
							m := max(parts[0], parts[1], parts[2], parts[3])
							if first || m > acc || math.IsNaN(m) {
								acc, first = m, false
							}
						} else {
							acc += parts[0] + parts[1] + parts[2] + parts[3]
						}
					}
				}
				if !largest {
					acc /= float64(max(nh*nw, 1))
				}
				out.F[(r*int(x.Dims[1])+ch)*int(oh*ow)+o] = acc
			}
		}
	}
	return []Value{out}
}

// samples is the number of samples along a side of a bin. A ratio of 0 means as many as the bin
// is long, rounded up.
func (c *call) samples(ratio int64, bin float64) int {
	if ratio > 0 {
		return int(min(ratio, 1<<31))
	}
	n := math.Ceil(bin)
	if !(n < 1<<31) {
		c.failf("a box of bins of %v", bin)
	}
	return int(max(n, 0))
}

// corners are the weighted elements around a place; beyond a rim of one they are zero. Their sum
// is the interpolated value.
func corners(p []float64, h, w int, y, x float64) (out [4]float64) {
	if !(y >= -1 && y <= float64(h) && x >= -1 && x <= float64(w)) {
		return out
	}
	y, x = max(y, 0), max(x, 0)
	y0, x0 := int(y), int(x)
	y1, x1 := y0+1, x0+1
	if y0 >= h-1 {
		y0, y1, y = h-1, h-1, float64(h-1)
	}
	if x0 >= w-1 {
		x0, x1, x = w-1, w-1, float64(w-1)
	}
	ly, lx := y-float64(y0), x-float64(x0)
	return [4]float64{(1 - ly) * (1 - lx) * p[y0*w+x0], (1 - ly) * lx * p[y0*w+x1], ly * (1 - lx) * p[y1*w+x0], ly * lx * p[y1*w+x1]}
}

// maxRoiPool takes the largest element of each bin of regions: number of the image, x1,
// y1, x2, y2. Corners are rounded to whole pixels and belong to the box; bins overlap where the
// size does not divide. An empty bin is 0.
func maxRoiPool(c *call) []Value {
	x, rois := c.floatArg(0), c.floatArg(1)
	size, scale := length(c, "pooled_shape", c.ints("pooled_shape"), 2), c.float("spatial_scale")
	if len(x.Dims) != 4 || len(rois.Dims) != 2 || rois.Dims[1] != 5 || size[0] < 1 || size[1] < 1 {
		c.failf("images of the sizes %v and boxes of %v to %v", x.Dims, rois.Dims, size)
	}
	h, w := x.Dims[2], x.Dims[3]
	out := c.make(x.DType, []int64{rois.Dims[0], x.Dims[1], size[0], size[1]})
	for r := range int(rois.Dims[0]) {
		box := rois.F[r*5:][:5]
		for _, f := range box {
			if !(math.Abs(f*scale) < 1<<31) || !(math.Abs(f) < 1<<31) {
				c.failf("a box of %v", box)
			}
		}
		image := c.place(int64(box[0]), x.Dims[0])
		round := func(f float64) int64 { return int64(math.Round(f * scale)) }
		x1, y1 := round(box[1]), round(box[2])
		bw, bh := float64(max(round(box[3])-x1+1, 1))/float64(size[1]), float64(max(round(box[4])-y1+1, 1))/float64(size[0])
		span := func(p int64, bin float64, first, n int64) (int64, int64) {
			from, to := int64(math.Floor(float64(p)*bin)), int64(math.Ceil(float64(p+1)*bin))
			return min(max(from+first, 0), n), min(max(to+first, 0), n)
		}
		for ch := range x.Dims[1] {
			plane := x.F[(image*x.Dims[1]+ch)*h*w:]
			for o := range size[0] * size[1] {
				top, bottom := span(o/size[1], bh, y1, h)
				left, right := span(o%size[1], bw, x1, w)
				c.tick(int(max(bottom-top, 0)*max(right-left, 0)) + 1)
				best := math.Inf(-1)
				for i := top; i < bottom; i++ {
					for j := left; j < right; j++ {
						best = nanMax(best, plane[i*w+j])
					}
				}
				if bottom <= top || right <= left {
					best = 0
				}
				out.F[(int64(r)*x.Dims[1]+ch)*size[0]*size[1]+o] = best
			}
		}
	}
	return []Value{out}
}

// nonMaxSuppression keeps the boxes of the highest scores that do not overlap with those
// kept before. Without max_output_boxes_per_class there are none. Scores must be above the
// threshold; of equal scores the lower index comes first.
func nonMaxSuppression(c *call) []Value {
	boxes, scores := c.floatArg(0), c.floatArg(1)
	if len(boxes.Dims) != 3 || boxes.Dims[2] != 4 || len(scores.Dims) != 3 || scores.Dims[0] != boxes.Dims[0] ||
		scores.Dims[2] != boxes.Dims[1] {
		c.failf("boxes of the sizes %v and scores of %v", boxes.Dims, scores.Dims)
	}
	most, overlap, least := int64(0), 0.0, math.Inf(-1)
	if c.opt(2) != nil {
		most = c.oneInt(2)
	}
	if c.opt(3) != nil {
		overlap = c.oneFloat(3)
	}
	if c.opt(4) != nil {
		least = c.oneFloat(4)
	}
	centre := c.int("center_point_box") != 0
	n := int(boxes.Dims[1])
	out := []int64{}
	for b := range int(boxes.Dims[0]) {
		c.space(96 * int64(n)) // for all lists
		all := make([]box, n)
		for i := range all {
			c.tick(1)
			all[i] = boxOf(boxes.F[(b*n+i)*4:][:4], centre)
		}
		for class := range int(scores.Dims[1]) {
			s := scores.F[(b*int(scores.Dims[1])+class)*n:][:n]
			var order []int
			for i, f := range s {
				if f > least {
					order = append(order, i)
				}
			}
			slices.SortStableFunc(order, func(i, j int) int {
				c.tick(1)
				switch {
				case s[i] > s[j]:
					return -1
				case s[i] < s[j]:
					return 1
				}
				return 0
			})
			var kept []int
			for _, i := range order {
				c.tick(len(kept) + 1)
				if int64(len(kept)) >= most {
					break
				}
				if !slices.ContainsFunc(kept, func(k int) bool { return all[i].overlap(all[k]) > overlap }) {
					kept = append(kept, i)
					out = append(out, int64(b), int64(class), int64(i))
				}
			}
		}
	}
	return []Value{Ints([]int64{int64(len(out) / 3), 3}, out...)}
}

// A box is two corners, in order.
type box struct{ y1, x1, y2, x2 float64 }

func boxOf(f []float64, centre bool) box {
	if centre {
		return box{f[1] - f[3]/2, f[0] - f[2]/2, f[1] + f[3]/2, f[0] + f[2]/2}
	}
	return box{min(f[0], f[2]), min(f[1], f[3]), max(f[0], f[2]), max(f[1], f[3])}
}

// overlap is the intersection over the union. Boxes that only touch have 0.
func (a box) overlap(b box) float64 {
	h, w := min(a.y2, b.y2)-max(a.y1, b.y1), min(a.x2, b.x2)-max(a.x1, b.x1)
	if h <= 0 || w <= 0 {
		return 0
	}
	area := func(b box) float64 { return (b.y2 - b.y1) * (b.x2 - b.x1) }
	return h * w / (area(a) + area(b) - h*w)
}
