package eval

// This file computes with the elements of several tensors, which are broadcast.

import (
	"math"
	"math/bits"

	"shapecheck/internal/onnx"
)

// broadcast is the common shape of tensors.
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
// broadcast to it.
func eachOf(dims []int64, list []*Tensor, f func(i int, at []int)) {
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
	n := 1
	for _, d := range dims {
		n *= int(d)
	}
	pos, at := make([]int64, rank), make([]int, len(list))
	for i := range n {
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

// arithmetic is a kernel of tensors of one type, from left to right.
func arithmetic(f func(x, y float64) float64, g func(x, y int64) int64) kernel {
	return func(c *call) []*Tensor {
		out := c.arg(0)
		for i := range c.ins[1:] {
			x, y := out, c.arg(i+1)
			if x.DType != y.DType {
				c.failf("types %s and %s", x.DType, y.DType)
			}
			out = c.make(x.DType, c.broadcast(x, y))
			if out.F == nil && g == nil || out.F != nil && f == nil {
				c.failf("elements of type %s", x.DType)
			}
			eachOf(out.Dims, []*Tensor{x, y}, func(i int, at []int) {
				if out.F != nil {
					out.F[i] = f(x.F[at[0]], y.F[at[1]])
				} else {
					out.I[i] = g(x.I[at[0]], y.I[at[1]])
				}
			})
		}
		return []*Tensor{out}
	}
}

// division of integers rounds to zero.
func intDiv(x, y int64) int64 {
	if y == 0 {
		panic(failure("division by zero"))
	}
	if y == -1 {
		return -x
	}
	return x / y
}

// modKernel has the sign of the divisor, or with fmod of the dividend.
func modKernel(c *call) []*Tensor {
	fmod := c.intAttr("fmod", 0) != 0
	f := func(x, y float64) float64 {
		r := math.Mod(x, y)
		if !fmod && r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		return r
	}
	g := func(x, y int64) int64 {
		r := x - intDiv(x, y)*y
		if !fmod && r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		return r
	}
	return arithmetic(f, g)(c)
}

// powKernel takes exponents of any type.
func powKernel(c *call) []*Tensor {
	x, y := c.arg(0), c.arg(1)
	out := c.make(x.DType, c.broadcast(x, y))
	eachOf(out.Dims, []*Tensor{x, y}, func(i int, at []int) {
		if out.F != nil {
			out.F[i] = math.Pow(x.F[at[0]], y.At(at[1]))
			return
		}
		if y.F != nil {
			out.I[i] = int64(math.Pow(float64(x.I[at[0]]), y.F[at[1]]))
			return
		}
		out.I[i] = intPow(x.I[at[0]], y.I[at[1]])
	})
	return []*Tensor{out}
}

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

// comparison gives bools.
func comparison(f func(x, y float64) bool, g func(x, y int64) bool) kernel {
	return func(c *call) []*Tensor {
		x, y := c.arg(0), c.arg(1)
		if x.DType != y.DType {
			c.failf("types %s and %s", x.DType, y.DType)
		}
		out := c.make(onnx.Bool, c.broadcast(x, y))
		eachOf(out.Dims, []*Tensor{x, y}, func(i int, at []int) {
			var b bool
			if x.F != nil {
				b = f(x.F[at[0]], y.F[at[1]])
			} else {
				b = g(x.I[at[0]], y.I[at[1]])
			}
			if b {
				out.I[i] = 1
			}
		})
		return []*Tensor{out}
	}
}

func whereKernel(c *call) []*Tensor {
	m, x, y := c.arg(0), c.arg(1), c.arg(2)
	if x.DType != y.DType {
		c.failf("types %s and %s", x.DType, y.DType)
	}
	out := c.make(x.DType, c.broadcast(m, x, y))
	eachOf(out.Dims, []*Tensor{m, x, y}, func(i int, at []int) {
		if m.I[at[0]] != 0 {
			out.set(i, x, at[1])
		} else {
			out.set(i, y, at[2])
		}
	})
	return []*Tensor{out}
}

// clipKernel takes bounds that may be absent.
func clipKernel(c *call) []*Tensor {
	x := c.arg(0)
	out := x.like(x.DType)
	copy(out.F, x.F)
	copy(out.I, x.I)
	for i, low := range [...]bool{true, false} {
		if c.opt(i+1) == nil {
			continue
		}
		b := c.one(i + 1)
		for j := range out.F {
			if low {
				out.F[j] = nanMax(out.F[j], b.F[0])
			} else {
				out.F[j] = nanMin(out.F[j], b.F[0])
			}
		}
		for j := range out.I {
			if low {
				out.I[j] = max(out.I[j], b.I[0])
			} else {
				out.I[j] = min(out.I[j], b.I[0])
			}
		}
	}
	return []*Tensor{out}
}

func nanMax(x, y float64) float64 { return max(x, y) }
func nanMin(x, y float64) float64 { return min(x, y) }

func boolOf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// shift moves the bits of unsigned integers.
func shift(c *call) []*Tensor {
	left := c.textAttr("direction", "") == "LEFT"
	return arithmetic(nil, func(x, y int64) int64 {
		switch {
		case y >= bits.UintSize:
			return 0
		case left:
			return int64(uint64(x) << uint(y))
		}
		return int64(uint64(x) >> uint(y))
	})(c)
}
