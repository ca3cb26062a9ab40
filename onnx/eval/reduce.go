package eval

// This file sums up: reductions, places of the largest, running sums.
//
// Floats are accumulated in float64 whatever their type, one after another in the order of
// memory, and rounded once at the end; that is more precise than any kernel's sum in f32, so that
// a kernel's deviation can be measured against it. Integers wrap around in their own type.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

// A reduction folds the elements; last makes the result of n of them. start is the result of no
// elements, and f joins one more.
type reduction struct {
	start float64
	f     onFloats
	last  func(acc float64, n int) float64
	// g is f of integers; nil: they are taken as floats.
	istart func(d onnx.DType) int64
	g      onInts
	// shift: the maximum of the lane is subtracted before and added after.
	shift bool
}

// noInt and oneInt are the neutral elements of sums and products.
func noInt(onnx.DType) int64  { return 0 }
func oneInt(onnx.DType) int64 { return 1 }

// sqrtOf, logOf and meanOf make results of sums; an empty mean is 0/0 = NaN.
func sqrtOf(a float64, _ int) float64 { return math.Sqrt(a) }
func logOf(a float64, _ int) float64  { return math.Log(a) }
func meanOf(a float64, n int) float64 { return a / float64(n) }

// lowest is the least value of a type, in the bits of an int64.
func lowest(d onnx.DType) int64 {
	if d == onnx.Uint64 {
		return 0
	}
	low, _ := bounds(d)
	return low
}

// highest is the greatest; of uint64 it is all ones, which an int64 has as -1.
func highest(d onnx.DType) int64 {
	if d == onnx.Uint64 {
		return -1
	}
	_, high := bounds(d)
	return high
}

// addAbs, addSquare and addExp are the functions of one more element, for L1, for squares and for
// log-sum-exp; the last one is given what is left after the shift.
func addAbs(a, x float64) float64    { return a + math.Abs(x) }
func addSquare(a, x float64) float64 { return a + x*x }
func addExp(a, x float64) float64    { return a + math.Exp(x) }

func addAbsInt(d onnx.DType, a, x int64) int64    { return a + absInt(d, x) }
func addSquareInt(_ onnx.DType, a, x int64) int64 { return a + x*x }

var (
	reduceSum       = reduction{0, add, nil, noInt, addInt, false}
	reduceMean      = reduction{0, add, meanOf, nil, nil, false}
	reduceProd      = reduction{1, mul, nil, oneInt, mulInt, false}
	reduceMax       = reduction{math.Inf(-1), nanMax, nil, lowest, maxInt, false}
	reduceMin       = reduction{math.Inf(1), nanMin, nil, highest, minInt, false}
	reduceSumSquare = reduction{0, addSquare, nil, noInt, addSquareInt, false}
	reduceL1        = reduction{0, addAbs, nil, noInt, addAbsInt, false}
	reduceL2        = reduction{0, addSquare, sqrtOf, nil, nil, false}
	reduceLogSum    = reduction{0, add, logOf, nil, nil, false}
	reduceLogSumExp = reduction{0, addExp, logOf, nil, nil, true}
)

// kernel reads axes and flags: no axes are all axes, or none with noop_with_empty_axes. Axes are
// an attribute in old versions and an input in newer ones; listOr takes both.
func (r reduction) kernel(c *call) []Value {
	x := c.arg(0)
	axes := c.axesOf(c.listOr(1), len(x.Dims))
	if len(axes) == 0 {
		if c.int("noop_with_empty_axes") != 0 {
			return []Value{c.untouched(r, x)}
		}
		for i := range x.Dims {
			axes = append(axes, i)
		}
	}
	return []Value{c.reduced(r, x, axes, c.int("keepdims") != 0)}
}

// untouched reduces each element on its own; folds that do nothing to an element leave its bits.
// The others, such as ReduceL2 with √x², change an element even alone, if only its sign or its
// last place.
func (c *call) untouched(r reduction, x *Tensor) *Tensor {
	switch c.node.Op {
	case "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd":
		return x
	}
	return c.reduced(r, x, nil, true)
}

// reduced goes once over the operand and adds each element to its result, whose position follows
// from steps that are 0 on the reduced axes. Integers are reduced as such where the function has
// a form for them (g); results of floats are kept in float64. A reduction with shift,
// log-sum-exp, needs the largest element first, so that no exponential overflows. axes are
// counted from 0 and keep leaves them as sizes of 1. The number of elements for a mean is the
// product of the reduced sizes. It fails for strings and complex numbers.
func (c *call) reduced(r reduction, x *Tensor, axes []int, keep bool) *Tensor {
	if x.F == nil && x.I == nil {
		c.failf("elements of type %s", x.DType)
	}
	dims, full := []int64{}, []int64{}
	n := 1
	for i, d := range x.Dims {
		if !slices.Contains(axes, i) {
			dims, full = append(dims, d), append(full, d)
			continue
		}
		n *= int(d)
		full = append(full, 1)
		if keep {
			dims = append(dims, 1)
		}
	}
	out := c.make(x.DType, full)
	// The result first has the rank of the operand, with ones, so that one dot product finds the
	// place.
	steps := strides(full)
	for a := range full {
		if full[a] == 1 {
			steps[a] = 0
		}
	}
	if x.I != nil && r.g != nil {
		for i := range out.I {
			c.tick(1)
			out.I[i] = r.istart(x.DType)
		}
		c.walk(x.Dims, func(i int, pos []int64) {
			at := dot(pos, steps)
			out.I[at] = r.g(x.DType, out.I[at], x.I[i])
		})
		return out.with(dims)
	}
	acc := make([]float64, out.Len())
	var most []float64
	if r.shift {
		most = make([]float64, len(acc))
		for i := range most {
			most[i] = math.Inf(-1)
		}
		c.walk(x.Dims, func(i int, pos []int64) {
			at := dot(pos, steps)
			most[at] = nanMax(most[at], x.At(i))
		})
		for i, m := range most {
			if math.IsInf(m, 0) {
				most[i] = 0
			}
		}
	}
	for i := range acc {
		acc[i] = r.start
	}
	c.walk(x.Dims, func(i int, pos []int64) {
		at := dot(pos, steps)
		v := x.At(i)
		if r.shift {
			v -= most[at]
		}
		acc[at] = r.f(acc[at], v)
	})
	for i, a := range acc {
		if r.last != nil {
			a = r.last(a, n)
		}
		if r.shift {
			a += most[i]
		}
		out.put(i, a)
	}
	return out.with(dims)
}

// best is the place of the largest or smallest element of a lane, the first or the last
// of equal ones; the first NaN wins. It returns 0 for an empty lane.
func best(x *Tensor, at func(i int) int, n int, largest, last bool) int {
	b := 0
	for i := 1; i < n; i++ {
		u, v := at(i), at(b)
		var less, more bool
		switch {
		case x.F != nil && math.IsNaN(x.F[v]):
			return b
		case x.F != nil && math.IsNaN(x.F[u]):
			return i
		case x.F != nil:
			less, more = x.F[u] < x.F[v], x.F[u] > x.F[v]
		default:
			less, more = lessInt(x.DType, x.I[u], x.I[v]), lessInt(x.DType, x.I[v], x.I[u])
		}
		if largest && more || !largest && less || last && !less && !more {
			b = i
		}
	}
	return b
}

// argKernel finds the place of the largest or smallest element. An empty axis fails unless the
// result is empty too: there is no place to name.
func argKernel(largest bool) kernel {
	return func(c *call) []Value {
		x := c.ranked(0, 1)
		if x.F == nil && x.I == nil {
			c.failf("elements of type %s", x.DType)
		}
		axis := c.axis(c.int("axis"), len(x.Dims))
		last := c.int("select_last_index") != 0
		dims := slices.Clone(x.Dims)
		dims[axis] = 1
		out := c.make(onnx.Int64, dims)
		if out.Len() > 0 && x.Dims[axis] == 0 {
			c.failf("dimension %d is empty", axis)
		}
		k := 0
		c.lanes(x.Dims, axis, func(at func(i int) int, n int) {
			if k < out.Len() {
				out.I[k] = int64(best(x, at, n, largest, last))
			}
			k++
		})
		if c.int("keepdims") == 0 {
			out = out.with(slices.Delete(slices.Clone(dims), axis, axis+1))
		}
		return []Value{out}
	}
}

// running is the kernel of sums or products of all elements until each. exclusive leaves the
// element itself out, so that the first result is start; reverse runs from the end. Accumulators
// begin anew in each lane.
func running(start float64, f onFloats, g onInts) kernel {
	return func(c *call) []Value {
		x := c.ranked(0, 1)
		if x.F == nil && x.I == nil {
			c.failf("elements of type %s", x.DType)
		}
		axis := c.axis(c.oneInt(1), len(x.Dims))
		exclusive, reverse := c.int("exclusive") != 0, c.int("reverse") != 0
		out := c.like(x, x.DType)
		c.lanes(x.Dims, axis, func(at func(i int) int, n int) {
			u, k := start, int64(start)
			for j := range n {
				i := at(j)
				if reverse {
					i = at(n - 1 - j)
				}
				before, kbefore := u, k
				if x.F != nil {
					u = f(u, x.F[i])
				} else {
					k = g(x.DType, k, x.I[i])
				}
				if exclusive {
					out.place(i, before, kbefore)
				} else {
					out.place(i, u, k)
				}
			}
		})
		return []Value{out}
	}
}

// place sets an element to one of two numbers, by its type.
func (t *Tensor) place(i int, f float64, k int64) {
	if t.F != nil {
		t.F[i] = f
	} else {
		t.I[i] = k
	}
}
