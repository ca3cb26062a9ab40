package eval

// This file computes with the elements of several tensors, which are broadcast.
//
// Elements are float64, int64 or complex128 whatever their type; integers are cut to the width of
// the type when the result is finished, so sums and products may be computed in 64 bits. Unsigned
// 64-bit integers share int64 with signed ones, which is why functions of integers get the type.

import (
	"math"

	"shapecheck/onnx"
)

// broadcast is the common shape of tensors. It fails on two sizes that differ and are both not 1.
func (c *call) broadcast(list ...*Tensor) []int64 {
	rank := 0
	for _, t := range list {
		rank = max(rank, len(t.Dims))
	}
	dims := make([]int64, rank)
	for i := range dims {
		dims[i] = 1
	}
	for _, t := range list {
		for i, d := range t.Dims {
			at := &dims[rank-len(t.Dims)+i]
			switch {
			case *at == 1:
				*at = d
			case d != 1 && d != *at:
				c.failf("sizes %d and %d do not fit", *at, d)
			}
		}
	}
	return dims
}

// eachOf calls f for each element of a shape with the places in tensors that are
// broadcast to it. Each tensor has a step of 0 along the axes that it is broadcast along. The
// order is row-major.
func (c *call) eachOf(dims []int64, list []*Tensor, f func(i int, at []int)) {
	rank := len(dims)
	steps := make([][]int, len(list))
	for k, t := range list {
		own := strides(t.Dims)
		steps[k] = make([]int, rank)
		for i, d := range t.Dims {
			if d != 1 {
				steps[k][rank-len(t.Dims)+i] = own[i]
			}
		}
	}
	pos, at := make([]int64, rank), make([]int, len(list))
	for i := range count(dims) {
		c.tick(1)
		f(i, at)
		for a := rank - 1; a >= 0; a-- {
			pos[a]++
			for k := range at {
				at[k] += steps[k][a]
			}
			if pos[a] < dims[a] {
				break
			}
			for k := range at {
				at[k] -= steps[k][a] * int(dims[a])
			}
			pos[a] = 0
		}
	}
}

type (
	onFloats func(x, y float64) float64
	onInts   func(d onnx.DType, x, y int64) int64
)

// fold is a kernel of tensors of one type, from left to right. f or g may be nil for kinds of
// elements that the operator does not take.
func fold(f onFloats, g onInts) kernel {
	return func(c *call) []Value { return []Value{c.folded(f, g)} }
}

// folded joins all inputs from the left, each broadcast to the result so far: Max, Min and Sum take any number.
func (c *call) folded(f onFloats, g onInts) *Tensor {
	out := c.arg(0)
	if out.I == nil && out.F == nil || out.I != nil && g == nil || out.F != nil && f == nil {
		c.failf("elements of type %s", out.DType)
	}
	for i := range c.ins[1:] {
		x, y := out, c.arg(i+1)
		c.same(x, y)
		out = c.make(x.DType, c.broadcast(x, y))
		c.eachOf(out.Dims, []*Tensor{x, y}, func(i int, at []int) {
			if out.F != nil {
				out.F[i] = f(x.F[at[0]], y.F[at[1]])
			} else {
				out.I[i] = g(out.DType, x.I[at[0]], y.I[at[1]])
			}
		})
	}
	return out
}

// mean is the sum of all inputs, divided by their number.
func mean(c *call) []Value {
	sum := c.folded(add, nil).copyOf()
	sum.fresh = true
	for i := range sum.F {
		c.tick(1)
		sum.F[i] /= float64(len(c.ins))
	}
	return []Value{sum}
}

func add(x, y float64) float64 { return x + y }
func sub(x, y float64) float64 { return x - y }
func mul(x, y float64) float64 { return x * y }
func div(x, y float64) float64 { return x / y }

func addInt(_ onnx.DType, x, y int64) int64 { return x + y }
func subInt(_ onnx.DType, x, y int64) int64 { return x - y }
func mulInt(_ onnx.DType, x, y int64) int64 { return x * y }
func andInt(_ onnx.DType, x, y int64) int64 { return x & y }
func orInt(_ onnx.DType, x, y int64) int64  { return x | y }
func xorInt(_ onnx.DType, x, y int64) int64 { return x ^ y }

// divInt rounds to zero. Division by zero, which the specification leaves open, gives
// zero; the least number by -1 wraps around. Unsigned ones are divided as such.
func divInt(d onnx.DType, x, y int64) int64 {
	switch {
	case y == 0:
		return 0
	case d == onnx.Uint64:
		return int64(uint64(x) / uint64(y))
	case y == -1:
		return -x
	}
	return x / y
}

// lessInt compares integers of a type.
func lessInt(d onnx.DType, x, y int64) bool {
	if d == onnx.Uint64 {
		return uint64(x) < uint64(y)
	}
	return x < y
}

func maxInt(d onnx.DType, x, y int64) int64 {
	if lessInt(d, x, y) {
		return y
	}
	return x
}

func minInt(d onnx.DType, x, y int64) int64 {
	if lessInt(d, y, x) {
		return y
	}
	return x
}

// The larger and the smaller number; NaN wins.
func nanMax(x, y float64) float64 { return max(x, y) }
func nanMin(x, y float64) float64 { return min(x, y) }

func boolOf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// modKernel has the sign of the divisor, or with fmod of the dividend. The remainder of
// a division of an integer by zero is zero.
func modKernel(c *call) []Value {
	fmod := c.int("fmod") != 0
	f := func(x, y float64) float64 {
		r := math.Mod(x, y)
		switch {
		case fmod:
		case r == 0:
			r = math.Copysign(0, y)
		case (r < 0) != (y < 0):
			r += y
		}
		return r
	}
	g := func(d onnx.DType, x, y int64) int64 {
		if y == 0 {
			return 0
		}
		r := x - divInt(d, x, y)*y
		if d != onnx.Uint64 && !fmod && r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		return r
	}
	return fold(f, g)(c)
}

// powKernel takes exponents of any type.
func powKernel(c *call) []Value {
	x, y := c.arg(0), c.arg(1)
	out := c.make(x.DType, c.broadcast(x, y))
	c.eachOf(out.Dims, []*Tensor{x, y}, func(i int, at []int) {
		switch {
		case out.F != nil || y.F != nil:
			out.put(i, math.Pow(x.At(at[0]), y.At(at[1])))
		default:
			out.I[i] = intPow(x.I[at[0]], y.I[at[1]])
		}
	})
	return []Value{out}
}

// intPow: a negative exponent rounds towards zero, so that only 1 and -1 give something else than
// 0. It is repeated squaring, and wraps around.
func intPow(x, n int64) int64 {
	if n < 0 {
		switch x {
		case 1:
			return 1
		case -1:
			return 1 - 2*(n&1)
		}
		return 0
	}
	r := int64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// shift moves the bits of integers; signed ones are filled with the sign.
func shift(c *call) []Value {
	left := c.text("direction") == "LEFT"
	return fold(nil, func(d onnx.DType, x, y int64) int64 {
		out := y < 0 && d != onnx.Uint64 || uint64(y) >= uint64(d.Bits())
		switch {
		case left && out:
			return 0
		case left:
			return x << uint(y)
		case d == onnx.Uint64 && out:
			return 0
		case d == onnx.Uint64:
			return int64(uint64(x) >> uint(y))
		case out:
			return x >> 63
		}
		return x >> uint(y)
	})(c)
}

// comparison gives bools; those with NaN are false.
func comparison(f func(x, y float64) bool, g func(d onnx.DType, x, y int64) bool, s func(x, y string) bool) kernel {
	return func(c *call) []Value {
		x, y := c.arg(0), c.arg(1)
		c.same(x, y)
		if x.S != nil && s == nil || x.C != nil {
			c.failf("elements of type %s", x.DType)
		}
		out := c.make(onnx.Bool, c.broadcast(x, y))
		c.eachOf(out.Dims, []*Tensor{x, y}, func(i int, at []int) {
			switch {
			case x.F != nil:
				out.I[i] = boolOf(f(x.F[at[0]], y.F[at[1]]))
			case x.S != nil:
				out.I[i] = boolOf(s(x.S[at[0]], y.S[at[1]]))
			default:
				out.I[i] = boolOf(g(x.DType, x.I[at[0]], y.I[at[1]]))
			}
		})
		return []Value{out}
	}
}

// whereKernel broadcasts all three operands; both values must have one type.
func whereKernel(c *call) []Value {
	m, x, y := c.arg(0), c.arg(1), c.arg(2)
	c.same(x, y)
	if m.DType != onnx.Bool {
		c.failf("a condition of type %s", m.DType)
	}
	out := c.make(x.DType, c.broadcast(m, x, y))
	c.eachOf(out.Dims, []*Tensor{m, x, y}, func(i int, at []int) {
		if m.I[at[0]] != 0 {
			out.set(i, x, at[1])
		} else {
			out.set(i, y, at[2])
		}
	})
	return []Value{out}
}

// atLeast is x, or lo where x is less. Unlike Max it keeps the sign of a zero that is no less than
// lo, as PyTorch and ONNX Runtime do.
func atLeast(x, lo float64) float64 {
	if x >= lo || math.IsNaN(x) {
		return x
	}
	return lo
}

// atMost is x, or hi where x is greater; see atLeast.
func atMost(x, hi float64) float64 {
	if x <= hi || math.IsNaN(x) {
		return x
	}
	return hi
}

// clipKernel takes bounds that may be absent. The lower one counts first. NaN stays NaN. Bounds
// have one element each.
func clipKernel(c *call) []Value {
	x := c.arg(0)
	out := x.copyOf()
	c.tick(x.Len())
	for i := 1; i <= 2; i++ {
		if c.opt(i) == nil {
			continue
		}
		b := c.one(i)
		c.same(x, b)
		for j := range out.F {
			c.tick(1)
			if i == 1 {
				out.F[j] = atLeast(out.F[j], b.F[0])
			} else {
				out.F[j] = atMost(out.F[j], b.F[0])
			}
		}
		for j := range out.I {
			c.tick(1)
			if i == 1 {
				out.I[j] = maxInt(x.DType, out.I[j], b.I[0])
			} else {
				out.I[j] = minInt(x.DType, out.I[j], b.I[0])
			}
		}
	}
	return []Value{out}
}

// pRelu multiplies what is negative by a slope.
func pRelu(c *call) []Value {
	x, slope := c.arg(0), c.arg(1)
	c.same(x, slope)
	out := c.make(x.DType, x.Dims)
	c.sized("the result", &Tensor{Dims: c.broadcast(x, slope)}, x.Dims...)
	c.eachOf(x.Dims, []*Tensor{x, slope}, func(i int, at []int) {
		switch {
		case x.F != nil:
			out.F[i] = x.F[i]
			if x.F[i] < 0 {
				out.F[i] *= slope.F[at[1]]
			}
		default:
			out.I[i] = x.I[i]
			if lessInt(x.DType, x.I[i], 0) {
				out.I[i] *= slope.I[at[1]]
			}
		}
	})
	return []Value{out}
}
