package eval

// This file makes random tensors.

import "shapecheck/internal/onnx"

// A Random draws numbers.
type Random interface {
	Float64() float64 // uniform in [0, 1)
	NormFloat64() float64
}

// drawn fills a tensor of the shape of the input.
func drawn(f func(c *call, r Random) float64) kernel {
	return func(c *call) []*Tensor {
		if c.in.Random == nil {
			c.failf("random numbers")
		}
		x := c.arg(0)
		d := onnx.DType(c.intAttr("dtype", int64(x.DType)))
		if !isFloat(d) {
			c.failf("random numbers of type %s", d)
		}
		out := x.like(d)
		for i := range out.F {
			out.F[i] = f(c, c.in.Random)
		}
		return []*Tensor{out}
	}
}

func uniform(c *call, r Random) float64 {
	low, high := c.floatAttr("low", 0), c.floatAttr("high", 1)
	return low + (high-low)*r.Float64()
}

func normal(c *call, r Random) float64 {
	return c.floatAttr("mean", 0) + c.floatAttr("scale", 1)*r.NormFloat64()
}

func bernoulli(c *call) []*Tensor {
	if c.in.Random == nil {
		c.failf("random numbers")
	}
	x := c.arg(0)
	out := x.like(onnx.DType(c.intAttr("dtype", int64(x.DType))))
	for i, p := range x.F {
		if c.in.Random.Float64() < p {
			if out.F != nil {
				out.F[i] = 1
			} else {
				out.I[i] = 1
			}
		}
	}
	return []*Tensor{out}
}
