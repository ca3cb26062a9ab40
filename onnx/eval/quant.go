package eval

// This file maps floats to integers and small floats of a scale, and back.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

// perPlace gives the place in a scale, or zero point, of each element of x: one for all,
// one for each place of a dimension, or one for each block along it.
func (c *call) perPlace(x, scale *Tensor) func(i int) int {
	if scale.Len() == 1 && len(scale.Dims) < 2 {
		return func(int) int { return 0 }
	}
	axis, block := c.axis(c.int("axis"), len(x.Dims)), c.int("block_size")
	own := strides(x.Dims)
	if block == 0 {
		c.vector("the scale", scale, x.Dims[axis])
		return func(i int) int { return i / own[axis] % int(x.Dims[axis]) }
	}
	want := slices.Clone(x.Dims)
	want[axis] = (x.Dims[axis] + block - 1) / max(block, 1)
	if block < 0 {
		c.failf("block_size is %d", block)
	}
	c.sized("the scale", scale, want...)
	steps := strides(want)
	return func(i int) int {
		at := 0
		for a, d := range x.Dims {
			p := i / own[a] % int(d)
			if a == axis {
				p /= int(block)
			}
			at += p * steps[a]
		}
		return at
	}
}

// zeroPoint checks that a zero point has the sizes of the scale, or both are one number.
func (c *call) zeroPoint(zero, scale *Tensor) {
	if zero.Len() != 1 || scale.Len() != 1 {
		c.sized("the zero point", zero, scale.Dims...)
	}
}

// quantizeLinear divides by the scale, in the precision that is given or the scale's own,
// rounds, and adds the zero point.
func quantizeLinear(c *call) []Value {
	x, scale, zero := c.arg(0), c.floatArg(1), c.opt(2)
	if x.F == nil && x.I == nil {
		c.failf("elements of type %s", x.DType)
	}
	d := onnx.DType(c.int("output_dtype"))
	switch {
	case zero != nil:
		if d != onnx.Undefined && d != zero.DType {
			c.failf("a zero point of %s for a result of %s", zero.DType, d)
		}
		d = zero.DType
		c.zeroPoint(zero, scale)
	case d == onnx.Undefined:
		d = onnx.Uint8
	}
	precision := onnx.DType(c.int("precision"))
	if precision == onnx.Undefined {
		precision = scale.DType
	}
	saturate := c.int("saturate") != 0
	place := c.perPlace(x, scale)
	out := c.make(d, x.Dims)
	for i := range x.Len() {
		p := place(i)
		v := Round(precision, x.At(i)/scale.F[p])
		switch {
		case out.F == nil:
			v = math.RoundToEven(v)
			if zero != nil {
				v += float64(zero.I[p])
			}
			out.putSaturated(i, v)
		case d.IsMini():
			if zero != nil {
				v += zero.F[p]
			}
			out.F[i] = onnx.FromMini(d, onnx.ToMini(d, v, saturate))
		default:
			c.failf("a result of %s", d)
		}
	}
	return []Value{out}
}

// dequantizeLinear takes the zero point away and multiplies by the scale.
func dequantizeLinear(c *call) []Value {
	x, scale, zero := c.arg(0), c.floatArg(1), c.opt(2)
	d := onnx.DType(c.int("output_dtype"))
	if d == onnx.Undefined {
		d = scale.DType
	}
	if !isFloat(d) || x.F == nil && x.I == nil {
		c.failf("%s from %s", d, x.DType)
	}
	if zero != nil {
		c.same(x, zero)
		c.zeroPoint(zero, scale)
	}
	place := c.perPlace(x, scale)
	out := c.make(d, x.Dims)
	for i := range out.F {
		c.tick(1)
		p, v := place(i), x.At(i)
		if zero != nil {
			v -= zero.At(p)
		}
		out.F[i] = v * scale.F[p]
	}
	return []Value{out}
}

// dynamicQuantizeLinear chooses scale and zero point so that u8 covers all elements and
// zero. Its definition says float32 of each step.
func dynamicQuantizeLinear(c *call) []Value {
	x := c.floatArg(0)
	low, high := float32(0), float32(0)
	for _, f := range x.F {
		c.tick(1)
		low, high = min(low, float32(f)), max(high, float32(f))
	}
	scale := (high - low) / 255
	if high == low {
		scale = 1
	}
	zero := math.RoundToEven(float64(max(0, min(255, -low/scale))))
	out, s, z := c.make(onnx.Uint8, x.Dims), c.make(x.DType, []int64{}), c.make(onnx.Uint8, []int64{})
	for i, f := range x.F {
		c.tick(1)
		out.putSaturated(i, math.RoundToEven(float64(float32(f)/scale))+zero)
	}
	s.F[0] = float64(scale)
	z.putSaturated(0, zero)
	return []Value{out, s, z}
}

// requantized maps sums of products to the result's scale and zero point. factor gives
// the product of the operands' scales at an element.
func (c *call) requantized(sums *Tensor, factor func(i int) float64, scale, zero *Tensor) *Tensor {
	if scale.Len() != 1 || zero.Len() != 1 || scale.F == nil || zero.I == nil {
		c.failf("a scale %s%v and a zero point %s%v of the result", scale.DType, scale.Dims, zero.DType, zero.Dims)
	}
	out := c.make(zero.DType, sums.Dims)
	for i, n := range sums.I {
		c.tick(1)
		out.putSaturated(i, math.RoundToEven(float64(n)*factor(i)/scale.F[0])+float64(zero.I[0]))
	}
	return out
}

// qLinearMatMul multiplies matrices with scales: of the whole, or of rows of the first and
// columns of the second.
func qLinearMatMul(c *call) []Value {
	x, y := c.arg(0), c.arg(3)
	sums := c.integerProduct(x, y, c.arg(2), c.arg(5), onnx.Int64)
	rows, cols := c.rowScale(sums, x, c.floatArg(1), 2), c.rowScale(sums, y, c.floatArg(4), 1)
	return []Value{c.requantized(sums, func(i int) float64 { return rows(i) * cols(i) }, c.arg(6), c.arg(7))}
}

// rowScale gives the scale of an element of the result: one for all, or of the dimension
// that is the n-th from the end.
func (c *call) rowScale(out, x, scale *Tensor, n int) func(i int) float64 {
	if scale.Len() == 1 {
		return func(int) float64 { return scale.F[0] }
	}
	axis := len(out.Dims) - n
	if len(x.Dims) < 2 || axis < 0 {
		c.failf("a scale of the sizes %v for %v", scale.Dims, x.Dims)
	}
	if len(scale.Dims) == 1 {
		dims := slices.Repeat([]int64{1}, len(out.Dims))
		dims[axis] = scale.Dims[0]
		scale = scale.with(dims)
	}
	wide := c.expanded(scale, c.broadcast(&Tensor{Dims: out.Dims}, scale))
	c.sized("the scale", wide, out.Dims...)
	return func(i int) float64 { return wide.F[i] }
}

// qLinearConv is a convolution of integers; the weights may have a scale for each channel
// of the result.
func qLinearConv(c *call) []Value {
	x, w := c.arg(0), c.arg(3)
	sums := c.integerConv(x, w, c.arg(2), c.arg(5), onnx.Int64)
	sx, sw := c.floatArg(1), c.floatArg(4)
	if sx.Len() != 1 {
		c.failf("%d scales of the input", sx.Len())
	}
	if b := c.opt(8); b != nil {
		c.list(8)
		c.addBias(sums, b)
	}
	if sw.Len() != 1 {
		c.vector("the scale of the weights", sw, sums.Dims[1])
	}
	each := channelOf(sums.Dims)
	return []Value{c.requantized(sums, func(i int) float64 {
		if sw.Len() == 1 {
			return sx.F[0] * sw.F[0]
		}
		return sx.F[0] * sw.F[each(i)]
	}, c.arg(6), c.arg(7))}
}
