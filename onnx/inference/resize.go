package inference

// This file holds resizing of images.
//
// Sizes of results are products of a size and a float, rounded down. The last bit decides at
// whole numbers, and runtimes multiply in different precisions: a number is inferred only if
// binary32 and binary64 agree, and otherwise the size is a fresh symbol with the product as its
// definition.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

var resizeOps = [...]op{
	{"Resize", resize, nil},
	{"Upsample", upsample, nil},
	{"GridSample", gridSample, nil},
	{"AffineGrid", affineGrid, nil},
}

// scaled gives floor(size · scale), which runtimes compute in binary32. A factor that is exact in
// binary, such as 2 or 0.5, gives an expression in the size: for a dyadic fraction the product of
// integers of usual size is exact.
func (c *call) scaled(size expr, scale real) expr {
	if size == nil || scale.kind == noReal {
		return nil
	}
	if n, ok := size.Const(); ok && scale.kind == constReal {
		exact := math.Floor(float64(n) * scale.x) // some multiply in binary64
		if single := math.Floor(float64(float32(n) * float32(scale.x))); single != exact || exact < 0 || exact > farAway {
			return nil
		}
		return c.pool().Const(int64(exact))
	}
	if scale.kind == constReal && scale.x == 1 {
		return size
	}
	product := c.e.combineReals("mul", onnx.Float, c.e.realOf(onnx.Float, size), scale)
	if product.kind == fracReal && product.dyadic() {
		return c.e.roundReal("floor", onnx.Float, product)
	}
	return c.e.freshInteger("resize", onnx.Float, product)
}

// scaleAll multiplies sizes by factors, rounded down. It reports a factor that is not positive.
func (c *call) scaleAll(in []expr, scales []real) []expr {
	out := make([]expr, len(in))
	for i, s := range scales {
		if s.kind == constReal && (s.x <= 0 || math.IsNaN(s.x)) {
			c.errorf("scale %d is %v; it must be positive", i, s.x)
			return out
		}
		out[i] = c.scaled(in[i], s)
	}
	return out
}

// resize takes scales or sizes; from opset 18 on for some axes only, and with a policy that keeps
// the aspect ratio. The operands are x, roi, scales and sizes from opset 11 on; before that x and
// scales. Sizes have precedence where both are given, as old exporters wrote an empty scales
// beside them. It reports operands of another length than the axes, and neither being given.
func resize(c *call) {
	in, ok := c.dims(0)
	d := c.elem(0)
	scalesAt, sizesAt := 2, 3
	if c.version < 11 {
		scalesAt, sizesAt = 1, -1
	}
	if !ok {
		n, sized := c.length(scalesAt)
		if !sized || n == 0 {
			n, sized = c.length(max(sizesAt, 0))
			sized = sized && sizesAt > 0
		}
		if _, some := c.a.Ints("axes"), c.a.Has("axes"); sized && n > 0 && !some {
			c.outRank(0, d, n)
		} else {
			c.outUnranked(0, d)
		}
		return
	}
	axes := make([]int, len(in))
	for i := range axes {
		axes[i] = i
	}
	if list, given := c.a.Ints("axes"), c.a.Has("axes"); given {
		var good bool
		if axes, good = c.axes(list, len(in)); !good {
			return
		}
	}
	picked := make([]expr, len(axes))
	for i, a := range axes {
		picked[i] = in[a]
	}
	result := make([]expr, len(axes))
	n, sized := c.length(scalesAt)
	if bySizes := sizesAt > 0 && c.has(sizesAt); bySizes {
		list, known := c.exprs(sizesAt)
		if n, counted := c.length(sizesAt); counted && n != len(axes) {
			c.errorAt(sizesAt, "%d sizes for %d axes", n, len(axes))
			return
		}
		switch policy := c.a.String("keep_aspect_ratio_policy"); {
		case !known:
		case policy == "stretch":
			copy(result, list)
		default:
			c.keepAspect(result, picked, list, policy)
		}
	} else if c.has(scalesAt) {
		if sized && n != len(axes) {
			c.errorAt(scalesAt, "%d scales for %d axes", n, len(axes))
			return
		}
		if v := c.in(scalesAt); v.hasReals() && v.count() == len(axes) {
			result = c.scaleAll(picked, v.allReals())
		}
	} else {
		c.errorf("neither scales nor sizes are given")
		return
	}
	out := slices.Clone(in)
	for i, a := range axes {
		out[a] = result[i]
	}
	c.out(0, d, out)
}

// keepAspect scales all axes alike, so that none is larger (not_larger) or smaller
// (not_smaller) than its size. The result needs numbers. The scale is the least or the greatest
// of want / size, as the policy says, and all sizes are rounded to the nearest.
func (c *call) keepAspect(result, in, sizes []expr, policy string) {
	dims, ok := constants(in)
	want, ok2 := constants(sizes)
	if !ok || !ok2 {
		return
	}
	scale, at := math.NaN(), 0
	for i := range dims {
		if dims[i] <= 0 {
			return
		}
		s := float64(want[i]) / float64(dims[i])
		if math.IsNaN(scale) || policy == "not_larger" && s < scale || policy == "not_smaller" && s > scale {
			scale, at = s, i
		}
	}
	for i := range dims {
		x := scale * float64(dims[i])
		// A half is rounded up; where the scale is no number of binary32 the last bits decide.
		if frac := x - math.Floor(x); math.Abs(frac-0.5) < 1e-6 && float64(float32(scale))*float64(dims[at]) != float64(want[at]) {
			continue
		}
		result[i] = c.pool().Const(int64(math.Floor(x + 0.5)))
	}
}

// upsample has its scales in an attribute before opset 9. From version 9 on they are an input.
// Each axis has a factor.
func upsample(c *call) {
	in, ok := c.dims(0)
	if !ok {
		c.outUnranked(0, c.elem(0))
		return
	}
	var scales []real
	if v := c.in(1); c.version < 9 {
		list := c.a.Floats("scales")
		if c.version < 7 {
			list = []float32{1, 1, c.a.Float("height_scale"), c.a.Float("width_scale")}
		}
		for _, f := range list {
			scales = append(scales, number(float64(f)))
		}
	} else if !v.hasReals() {
		c.outRank(0, c.elem(0), len(in))
		return
	} else {
		scales = v.allReals()
	}
	if len(scales) != len(in) {
		c.errorf("%d scales for %s", len(scales), c.in(0).Type)
		return
	}
	c.out(0, c.elem(0), c.scaleAll(in, scales))
}

// gridSample samples an image [N, C, …] at a grid [N, …, dimensions]. The result is [N, C, the
// grid's middle sizes]. The last size of the grid is the number of coordinates, which is not
// checked here.
func gridSample(c *call) {
	in, ok := c.ranked(0, -3)
	grid, ok2 := c.ranked(1, -3)
	if c.failed {
		return
	}
	rank := max(len(in), len(grid))
	if ok && ok2 && len(in) != len(grid) {
		c.errorAt(1, "%s and the input %s must have as many dimensions", c.in(1).Type, c.in(0).Type)
		return
	}
	if rank == 0 {
		c.outUnranked(0, c.elem(0))
		return
	}
	out := make([]expr, rank)
	if ok {
		out[0], out[1] = in[0], in[1]
	}
	if ok2 {
		out[0] = c.unify(out[0], grid[0], "the grid and the input have different batches")
		copy(out[2:], grid[1:rank-1])
	}
	c.out(0, c.elem(0), out)
}

// affineGrid gives coordinates for an image of size [N, C, H, W] or [N, C, D, H, W]. The result
// is [N, H, W, 2] or [N, D, H, W, 3]; without the size operand the rank follows from theta, which
// is [N, 2, 3] or [N, 3, 4].
func affineGrid(c *call) {
	n, sized := c.length(1)
	if !sized {
		if theta, ok := c.ranked(0, 3); ok {
			if k, isConst := theta[1].Const(); isConst && (k == 2 || k == 3) {
				n, sized = int(k)+2, true
			}
		}
	}
	if c.failed {
		return
	}
	if !sized {
		c.outUnranked(0, c.elem(0))
		return
	}
	if n != 4 && n != 5 {
		c.errorAt(1, "expected 4 or 5 sizes, got %d", n)
		return
	}
	out := make([]expr, n)
	if list, known := c.exprs(1); known && len(list) == n {
		out[0] = list[0]
		copy(out[1:], list[2:])
	}
	out[n-1] = c.pool().Const(int64(n - 2))
	c.out(0, c.elem(0), out)
}
