package eval

// This file changes the sizes of images and other tensors by interpolation.
//
// The tensor is resized axis by axis in float64: the filters are separable, so the order changes
// nothing but roundings. The formulas of places and weights are those of the operator's text.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

// A resizer is one dimension of a Resize: n elements become out.
type resizer struct {
	n, out     int64
	scale      float64
	start, end float64 // of the region, for tf_crop_and_resize
	crop       bool
	sized      bool // the scale is out/n
	single     bool // places are in binary32, as those of runtimes
}

// over divides by the scale. An element is a nearest one where runtimes have it: sizes have exact quotients, scales those of binary32,
// as 3/0.6 is 5 there and less in binary64.
func (d resizer) over(x float64) float64 {
	switch {
	case d.sized:
		return x * float64(d.n) / float64(d.out)
	case d.single:
		return float64(float32(x) / float32(d.scale))
	}
	return x / d.scale
}

// width is the number of elements before it was rounded.
func (d resizer) width() float64 {
	if d.sized {
		return float64(d.out)
	}
	return d.scale * float64(d.n)
}

// resize interpolates along each dimension in turn.
func resize(c *call) []Value {
	x := c.arg(0)
	if x.F == nil && x.I == nil {
		c.failf("elements of type %s", x.DType)
	}
	rank := len(x.Dims)
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i
	}
	if c.has("axes") {
		axes = c.axesOf(c.ints("axes"), rank)
	}
	dims := c.resizers(x, axes)
	work := c.make(onnx.Double, x.Dims)
	for i := range work.F {
		c.tick(1)
		work.F[i] = x.At(i)
	}
	for i, d := range dims {
		if d.out == d.n && d.scale == 1 && !d.crop {
			continue
		}
		work = c.resized(work, axes[i], d)
	}
	out := c.like(work, x.DType)
	for i, f := range work.F {
		c.tick(1)
		out.putSaturated(i, f)
	}
	return []Value{out}
}

// putSaturated rounds to the nearest integer, ties to even, within the type's range.
func (t *Tensor) putSaturated(i int, f float64) {
	switch {
	case t.F != nil:
		t.F[i] = f
	case t.DType == onnx.Uint64:
		t.I[i] = toInt(t.DType, max(math.RoundToEven(f), 0))
	case math.IsNaN(f):
		t.I[i] = 0
	default:
		low, high := bounds(t.DType)
		switch f = math.RoundToEven(f); {
		case f <= float64(low):
			t.I[i] = low
		case f >= float64(high):
			t.I[i] = high
		default:
			t.I[i] = int64(f)
		}
	}
}

// resizers reads scales or sizes. It fails when both scales and sizes are there or neither, on
// scales that are not positive, and on an empty axis that should become a larger one.
func (c *call) resizers(x *Tensor, axes []int) []resizer {
	out := make([]resizer, len(axes))
	for i, a := range axes {
		out[i] = resizer{n: x.Dims[a], end: 1}
	}
	present := func(i int) bool { return c.opt(i) != nil && c.opt(i).Len() > 0 }
	switch {
	case present(2) && present(3):
		c.failf("both scales and sizes")
	case present(2):
		scales := length(c, "the list of scales", c.floatArg(2).F, len(axes))
		for i := range out {
			n := math.Floor(float64(float32(out[i].n) * float32(scales[i]))) // in binary32, as ONNX's inference and runtimes have it
			if !(scales[i] > 0) || n > float64(c.Elems) {
				c.failf("a scale of %v for %d elements", scales[i], out[i].n)
			}
			out[i].scale, out[i].out, out[i].single = scales[i], int64(n), c.text("mode") == "nearest"
		}
	case present(3):
		c.sizes(out, length(c, "the list of sizes", c.list(3), len(axes)))
	default:
		c.failf("neither scales nor sizes")
	}
	if c.text("coordinate_transformation_mode") == "tf_crop_and_resize" {
		roi := length(c, "the region", c.floatArg(1).F, 2*len(axes))
		for i := range out {
			out[i].start, out[i].end = roi[i], roi[i+len(axes)]
			out[i].crop = out[i].start != 0 || out[i].end != 1
		}
	}
	for _, d := range out {
		if d.n == 0 && d.out > 0 {
			c.failf("an empty dimension becomes one of %d", d.out)
		}
	}
	return out
}

// sizes are those wanted, or, when the aspect ratio is kept, those of one scale. not_larger takes
// the smallest scale of all axes, not_smaller the largest, and rounds each size to the nearest.
func (c *call) sizes(out []resizer, want []int64) {
	for i := range out {
		if want[i] < 0 || want[i] > c.Elems {
			c.failf("a size of %d", want[i])
		}
		out[i].out = want[i]
		out[i].scale, out[i].sized = float64(want[i])/float64(max(out[i].n, 1)), true
	}
	policy := c.text("keep_aspect_ratio_policy")
	if policy != "not_larger" && policy != "not_smaller" || len(out) == 0 {
		return
	}
	scale := out[0].scale
	for _, d := range out {
		if policy == "not_larger" {
			scale = min(scale, d.scale)
		} else {
			scale = max(scale, d.scale)
		}
	}
	for i := range out {
		n := math.Floor(scale*float64(out[i].n) + 0.5)
		if n > float64(c.Elems) {
			c.failf("a size of %v", n)
		}
		out[i].scale, out[i].out, out[i].sized = scale, int64(n), false
	}
}

// origin is the place in the input of an element of the output.
func (d resizer) origin(c *call, mode string, o int64) float64 {
	x, n, width := float64(o), float64(d.n), d.width()
	switch mode {
	case "align_corners":
		if width == 1 {
			return 0
		}
		return x * (n - 1) / (width - 1)
	case "asymmetric":
		return d.over(x)
	case "tf_crop_and_resize":
		if width == 1 {
			return (d.end-d.start)*(n-1)/2 + d.start*(n-1)
		}
		return x*(d.end-d.start)*(n-1)/(width-1) + d.start*(n-1)
	case "pytorch_half_pixel":
		if width == 1 {
			return -0.5
		}
		return d.over(x+0.5) - 0.5
	case "half_pixel":
		return d.over(x+0.5) - 0.5
	case "half_pixel_symmetric":
		return n/2*(1-float64(d.out)/width) + d.over(x+0.5) - 0.5
	case "tf_half_pixel_for_nn": // of version 11
		return d.over(x + 0.5)
	}
	c.failf("the mode %s", mode)
	return 0
}

// A weight is a share of an element of the input.
type weight struct {
	at int64
	w  float64
}

// weights are those of the elements near a place; places outside stand for the edge, or
// with exclude_outside for nothing. With antialias and a scale below 1 the filter is stretched,
// so that all elements count.
func (d resizer) weights(c *call, x float64) []weight {
	var list []weight
	low := math.Floor(x)
	around := func(support, scale float64, kernel func(float64) float64) {
		support /= scale
		for i := math.Ceil(x - support); i <= math.Floor(x+support); i++ {
			c.tick(1)
			if w := kernel((i - x) * scale); w != 0 {
				list = append(list, weight{int64(i), w})
			}
		}
	}
	antialias := c.int("antialias") != 0
	scale := 1.0
	if antialias {
		scale = min(d.scale, 1)
	}
	switch mode := c.text("mode"); mode {
	case "nearest":
		at := low
		switch m := c.text("nearest_mode"); {
		case x == low:
		case m == "ceil", m == "round_prefer_ceil" && x-low >= 0.5, m != "floor" && x-low > 0.5:
			at++
		}
		list = []weight{{int64(at), 1}}
	case "linear":
		around(1, scale, func(t float64) float64 { return max(1-math.Abs(t), 0) })
	case "cubic":
		a := c.float("cubic_coeff_a")
		around(2, scale, func(t float64) float64 { return cubic(a, t) })
	default:
		c.failf("the mode %s", mode)
	}
	out := c.int("exclude_outside") != 0
	sum := 0.0
	for i, w := range list {
		if w.at < 0 || w.at >= d.n {
			if out {
				list[i].w = 0
			}
			list[i].at = min(max(w.at, 0), d.n-1)
		}
		sum += list[i].w
	}
	if (out || antialias) && sum != 0 {
		for i := range list {
			list[i].w /= sum
		}
	}
	return list
}

// cubic is the kernel of cubic convolution.
func cubic(a, t float64) float64 {
	t = math.Abs(t)
	switch {
	case t <= 1:
		return ((a+2)*t-(a+3))*t*t + 1
	case t < 2:
		return ((a*t-5*a)*t+8*a)*t - 4*a
	}
	return 0
}

// resized interpolates along one dimension. Places outside of the image are only special for
// tf_crop_and_resize, which has a value for them.
func (c *call) resized(x *Tensor, axis int, d resizer) *Tensor {
	dims := slices.Clone(x.Dims)
	dims[axis] = d.out
	out := c.make(onnx.Double, dims)
	mode := c.text("coordinate_transformation_mode")
	outer, inner := count(dims[:axis]), count(dims[axis+1:])
	n, m := int(d.n), int(d.out)
	for o := range m {
		at := d.origin(c, mode, int64(o))
		if mode == "tf_crop_and_resize" && (at < 0 || at > float64(d.n-1)) {
			f := c.float("extrapolation_value")
			for u := range outer {
				for v := range inner {
					out.F[(u*m+o)*inner+v] = f
				}
			}
			continue
		}
		if !(math.Abs(at) < 1<<53) {
			c.failf("a place at %v", at)
		}
		list := d.weights(c, at)
		c.tick(outer * inner * len(list))
		for u := range outer {
			for v := range inner {
				sum := 0.0
				for _, w := range list {
					sum += w.w * x.F[(u*n+int(w.at))*inner+v]
				}
				out.F[(u*m+o)*inner+v] = sum
			}
		}
	}
	return out
}
