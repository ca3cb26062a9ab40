package eval

// This file holds the losses.

import (
	"slices"
)

// nllLoss takes the logarithms of probabilities.
func nllLoss(c *call) []Value { return []Value{c.nll(c.floatArg(0))} }

// softmaxLoss takes scores; the second output is the logarithms of their softmax.
func softmaxLoss(c *call) []Value {
	x := c.floatArg(0)
	c.ranked(0, 2)
	logs := c.like(x, x.DType)
	c.lanes(x.Dims, 1, func(at func(i int) int, n int) {
		row := make([]float64, n)
		for i := range row {
			row[i] = x.F[at(i)]
		}
		softmax(row, true)
		for i, f := range row {
			logs.F[at(i)] = f
		}
	})
	return []Value{c.nll(logs), logs}
}

// nll picks the numbers of the classes of the second input, weighted by the third. What
// has the class ignore_index does not count.
func (c *call) nll(logs *Tensor) *Tensor {
	target, weights := c.arg(1), c.opt(2)
	list := c.list(1)
	if len(logs.Dims) < 2 {
		c.failf("a tensor of %d dimensions", len(logs.Dims))
	}
	classes := logs.Dims[1]
	c.sized("the classes", target, slices.Delete(slices.Clone(logs.Dims), 1, 2)...)
	if weights != nil {
		c.vector("the weights", c.floatArg(2), classes)
	}
	inner := max(count(logs.Dims[2:]), 1)
	out := c.make(logs.DType, target.Dims)
	sum, total := 0.0, 0.0
	for i, t := range list {
		if c.has("ignore_index") && t == c.int("ignore_index") {
			continue
		}
		if t < 0 || t >= classes {
			c.failf("class %d of %d", t, classes)
		}
		w := 1.0
		if weights != nil {
			w = weights.F[t]
		}
		out.F[i] = -w * logs.F[(i/inner*int(classes)+int(t))*inner+i%inner]
		sum += out.F[i]
		total += w
	}
	switch r := c.text("reduction"); r {
	case "none":
		return out
	case "sum":
	case "mean":
		sum /= total
	default:
		c.failf("reduction %s", r)
	}
	one := c.make(logs.DType, []int64{})
	one.F[0] = sum
	return one
}
