package eval

// This file normalises along one dimension: softmax and its relatives.

import (
	"math"
)

// lanes calls f for each row along a dimension; at(i) is the place of its element i.
func (c *call) lanes(dims []int64, axis int, f func(at func(i int) int, n int)) {
	outer, inner := 1, 1
	for i, d := range dims {
		switch {
		case i < axis:
			outer *= int(d)
		case i > axis:
			inner *= int(d)
		}
	}
	n := int(dims[axis])
	for o := range outer {
		for k := range inner {
			c.tick(n + 1)
			base := o*n*inner + k
			f(func(i int) int { return base + i*inner }, n)
		}
	}
}

// softmaxKernel is along one dimension.
func softmaxKernel(log bool) kernel {
	return func(c *call) []Value {
		x := c.floatArg(0)
		out := c.like(x, x.DType)
		if len(x.Dims) == 0 {
			c.failf("a tensor of no dimensions")
		}
		c.lanes(x.Dims, c.axis(c.int("axis"), len(x.Dims)), func(at func(i int) int, n int) {
			row := make([]float64, n)
			for i := range row {
				row[i] = x.F[at(i)]
			}
			softmax(row, log)
			for i := range row {
				out.F[at(i)] = row[i]
			}
		})
		return []Value{out}
	}
}

// softmax replaces a row by its softmax or the logarithm of it. A row of -Inf alone
// gives NaN.
func softmax(row []float64, log bool) {
	most, sum := math.Inf(-1), 0.0
	for _, v := range row {
		most = nanMax(most, v)
	}
	for _, v := range row {
		sum += math.Exp(v - most)
	}
	for i, v := range row {
		if log {
			row[i] = v - most - math.Log(sum)
		} else {
			row[i] = math.Exp(v-most) / sum
		}
	}
}

// hardmax is 1 at the first largest element.
func hardmax(c *call) []Value {
	x := c.floatArg(0)
	out := c.like(x, x.DType)
	c.lanes(x.Dims, c.axis(c.int("axis"), len(x.Dims)), func(at func(i int) int, n int) {
		if n > 0 {
			out.F[at(best(x, at, n, true, false))] = 1
		}
	})
	return []Value{out}
}

// lpNormalization divides rows by their norm; rows of zeros stay.
func lpNormalization(c *call) []Value {
	x, p := c.floatArg(0), c.int("p")
	out := c.like(x, x.DType)
	if p != 1 && p != 2 {
		c.failf("p is %d", p)
	}
	c.lanes(x.Dims, c.axis(c.int("axis"), len(x.Dims)), func(at func(i int) int, n int) {
		norm := 0.0
		for i := range n {
			v := x.F[at(i)]
			if p == 1 {
				norm += math.Abs(v)
			} else {
				norm += v * v
			}
		}
		if p == 2 {
			norm = math.Sqrt(norm)
		}
		for i := range n {
			if norm != 0 {
				out.F[at(i)] = x.F[at(i)] / norm
			}
		}
	})
	return []Value{out}
}
