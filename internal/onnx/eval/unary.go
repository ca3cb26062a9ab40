package eval

// This file computes functions of one tensor.

import (
	"math"

	"shapecheck/internal/onnx"
)

// floats is a kernel of a function of floats.
func floats(f func(x float64) float64) kernel {
	return func(c *call) []*Tensor {
		x := c.arg(0)
		if x.F == nil && x.Len() > 0 {
			c.failf("elements of type %s", x.DType)
		}
		out := x.like(x.DType)
		for i, v := range x.F {
			out.F[i] = f(v)
		}
		return []*Tensor{out}
	}
}

// numbers is a kernel of floats and integers.
func numbers(f func(x float64) float64, g func(x int64) int64) kernel {
	return func(c *call) []*Tensor {
		x := c.arg(0)
		out := x.like(x.DType)
		for i, v := range x.F {
			out.F[i] = f(v)
		}
		for i, v := range x.I {
			out.I[i] = g(v)
		}
		return []*Tensor{out}
	}
}

// test is a kernel that asks each float something.
func test(f func(c *call, x float64) bool) kernel {
	return func(c *call) []*Tensor {
		x := c.arg(0)
		out := x.like(onnx.Bool)
		for i, v := range x.F {
			out.I[i] = boolOf(f(c, v))
		}
		return []*Tensor{out}
	}
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// withAlpha is a kernel of a function with attributes.
func withAlpha(alpha, beta float64, f func(x, a, b float64) float64) kernel {
	return func(c *call) []*Tensor {
		a, b := c.floatAttr("alpha", alpha), c.floatAttr("beta", beta)
		return floats(func(x float64) float64 { return f(x, a, b) })(c)
	}
}

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func castKernel(c *call) []*Tensor {
	d := onnx.DType(c.intAttr("to", 0))
	if d.Bits() == 0 {
		c.failf("a conversion to %s", d)
	}
	return []*Tensor{c.arg(0).Cast(d)}
}

// dropout passes its input on, unless it is told to train.
func dropout(c *call) []*Tensor {
	if c.opt(2) != nil && c.one(2).I[0] != 0 {
		c.failf("training")
	}
	return []*Tensor{c.arg(0)}
}

func identity(c *call) []*Tensor { return []*Tensor{c.arg(0)} }

func constantKernel(c *call) []*Tensor {
	if a := c.attr("value"); a != nil && a.Tensor != nil {
		t, err := FromONNX(a.Tensor)
		if err != nil {
			c.failf("%v", err)
		}
		return []*Tensor{t}
	}
	if a := c.attr("value_int"); a != nil {
		return []*Tensor{Ints([]int64{}, a.Int)}
	}
	if a := c.attr("value_ints"); a != nil {
		return []*Tensor{Ints(nil, a.Ints...)}
	}
	if a := c.attr("value_float"); a != nil {
		return []*Tensor{{DType: onnx.Float, Dims: []int64{}, F: []float64{float64(a.Float)}}}
	}
	c.failf("a constant of this kind")
	return nil
}

// softmaxKernel is along one dimension.
func softmaxKernel(log bool) kernel {
	return func(c *call) []*Tensor {
		x := c.arg(0)
		out := x.like(x.DType)
		lanes(x.Dims, c.axis(c.intAttr("axis", -1), len(x.Dims)), func(at func(i int) int, n int) {
			most, sum := math.Inf(-1), 0.0
			for i := range n {
				most = max(most, x.F[at(i)])
			}
			for i := range n {
				sum += math.Exp(x.F[at(i)] - most)
			}
			for i := range n {
				if log {
					out.F[at(i)] = x.F[at(i)] - most - math.Log(sum)
				} else {
					out.F[at(i)] = math.Exp(x.F[at(i)]-most) / sum
				}
			}
		})
		return []*Tensor{out}
	}
}

// lanes calls f for each row along a dimension; at(i) is the place of its element i.
func lanes(dims []int64, axis int, f func(at func(i int) int, n int)) {
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
			base := o*n*inner + k
			f(func(i int) int { return base + i*inner }, n)
		}
	}
}
