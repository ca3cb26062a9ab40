package eval

// This file makes tensors from attributes and counts.

import (
	"math"

	"shapecheck/onnx"
)

// constantKernel reads the attribute that the node has, of which there is exactly one.
func constantKernel(c *call) []Value {
	switch {
	case c.has("value"):
		return []Value{c.tensor("value")}
	case c.has("value_int"):
		return []Value{Ints([]int64{}, c.int("value_int"))}
	case c.has("value_ints"):
		return []Value{Ints(nil, c.ints("value_ints")...)}
	case c.has("value_float"):
		return []Value{&Tensor{DType: onnx.Float, Dims: []int64{}, F: []float64{c.float("value_float")}}}
	case c.has("value_floats"):
		list := c.floats("value_floats")
		return []Value{&Tensor{DType: onnx.Float, Dims: []int64{int64(len(list))}, F: append([]float64{}, list...)}}
	case c.has("value_string"):
		return []Value{&Tensor{DType: onnx.String, Dims: []int64{}, S: []string{c.text("value_string")}}}
	case c.has("value_strings"):
		list := c.texts("value_strings")
		return []Value{&Tensor{DType: onnx.String, Dims: []int64{int64(len(list))}, S: append([]string{}, list...)}}
	case c.has("sparse_value"):
		t, err := dense(c.SparseTensor("sparse_value"), c.Elems)
		if err != nil {
			c.failf("%v", err)
		}
		return []Value{t}
	}
	c.failf("a constant without a value")
	return nil
}

// rangeKernel counts as far as it is short of the limit.
func rangeKernel(c *call) []Value {
	start, limit, delta := c.one(0), c.one(1), c.one(2)
	c.same(start, limit)
	c.same(start, delta)
	n := c.steps(start, limit, delta)
	out := c.make(start.DType, []int64{n})
	for i := range out.Len() {
		if out.F != nil {
			out.F[i] = start.F[0] + float64(i)*delta.F[0]
		} else {
			out.I[i] = start.I[0] + int64(i)*delta.I[0]
		}
	}
	return []Value{out}
}

// steps is the number of elements of a range.
func (c *call) steps(start, limit, delta *Tensor) int64 {
	if start.F != nil {
		n := math.Ceil((limit.F[0] - start.F[0]) / delta.F[0])
		if math.IsNaN(n) || n > float64(c.Elems) {
			c.failf("a range from %v to %v by %v", start.F[0], limit.F[0], delta.F[0])
		}
		return int64(max(n, 0))
	}
	if start.I == nil {
		c.failf("a range of %s", start.DType)
	}
	a, b, d := start.I[0], limit.I[0], delta.I[0]
	switch {
	case d == 0:
		c.failf("a step of 0")
	case d > 0 && b > a:
		return int64((uint64(b)-uint64(a)-1)/uint64(d) + 1)
	case d < 0 && b < a:
		return int64((uint64(a)-uint64(b)-1)/(-uint64(d)) + 1)
	}
	return 0
}

// eyeLike has ones on diagonal k, above the main one if k is positive.
func eyeLike(c *call) []Value {
	x, k := c.ranked(0, 2), c.int("k")
	d := x.DType
	if c.has("dtype") {
		d = onnx.DType(c.int("dtype"))
	}
	if len(x.Dims) != 2 {
		c.failf("a tensor of %d dimensions", len(x.Dims))
	}
	out := c.make(d, x.Dims)
	c.walk(x.Dims, func(i int, pos []int64) {
		if pos[1]-pos[0] == k {
			out.put(i, 1)
		}
	})
	return []Value{out}
}
