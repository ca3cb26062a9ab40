package eval

// This file sums up: reductions, running sums, products of matrices.

import (
	"math"
	"slices"
	"strings"

	"shapecheck/internal/onnx"
)

// A reduction folds the elements; last makes the result of n of them.
type reduction struct {
	start float64
	f     func(acc, x float64) float64
	last  func(acc float64, n int) float64
	// g is f of integers; nil: the type is of floats.
	istart int64
	g      func(acc, x int64) int64
}

var reductions = map[string]reduction{
	"ReduceSum":       {0, func(a, x float64) float64 { return a + x }, nil, 0, func(a, x int64) int64 { return a + x }},
	"ReduceMean":      {0, func(a, x float64) float64 { return a + x }, func(a float64, n int) float64 { return a / float64(n) }, 0, nil},
	"ReduceProd":      {1, func(a, x float64) float64 { return a * x }, nil, 1, func(a, x int64) int64 { return a * x }},
	"ReduceMax":       {math.Inf(-1), nanMax, nil, math.MinInt64, func(a, x int64) int64 { return max(a, x) }},
	"ReduceMin":       {math.Inf(1), nanMin, nil, math.MaxInt64, func(a, x int64) int64 { return min(a, x) }},
	"ReduceSumSquare": {0, func(a, x float64) float64 { return a + x*x }, nil, 0, func(a, x int64) int64 { return a + x*x }},
	"ReduceL1":        {0, func(a, x float64) float64 { return a + math.Abs(x) }, nil, 0, nil},
	"ReduceL2":        {0, func(a, x float64) float64 { return a + x*x }, func(a float64, _ int) float64 { return math.Sqrt(a) }, 0, nil},
}

func reduceKernel(c *call) []*Tensor {
	r := reductions[c.node.Op]
	x := c.arg(0)
	axes := c.axesOf(1, len(x.Dims))
	if len(axes) == 0 {
		if c.intAttr("noop_with_empty_axes", 0) != 0 {
			return []*Tensor{x}
		}
		for i := range x.Dims {
			axes = append(axes, i)
		}
	}
	keep := c.intAttr("keepdims", 1) != 0
	var dims, full []int64
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
	if x.F == nil && r.g == nil {
		c.failf("elements of type %s", x.DType)
	}
	out := c.make(x.DType, full)
	for i := range out.F {
		out.F[i] = r.start
	}
	for i := range out.I {
		out.I[i] = r.istart
	}
	steps := strides(full)
	for a := range full {
		if full[a] == 1 {
			steps[a] = 0
		}
	}
	pos := make([]int64, len(x.Dims))
	for i := range x.Len() {
		at := dot(pos, steps)
		if out.F != nil {
			out.F[at] = r.f(out.F[at], x.F[i])
		} else {
			out.I[at] = r.g(out.I[at], x.I[i])
		}
		next(pos, x.Dims)
	}
	if r.last != nil {
		for i := range out.F {
			out.F[i] = r.last(out.F[i], n)
		}
	}
	return []*Tensor{out.with(dims)}
}

// argKernel finds the place of the largest or smallest element.
func argKernel(better func(x, y float64) bool) kernel {
	return func(c *call) []*Tensor {
		x := c.arg(0)
		axis := c.axis(c.intAttr("axis", 0), len(x.Dims))
		last := c.intAttr("select_last_index", 0) != 0
		dims := slices.Clone(x.Dims)
		dims[axis] = 1
		out := c.make(onnx.Int64, dims)
		k := 0
		lanes(x.Dims, axis, func(at func(i int) int, n int) {
			best := 0
			for i := 1; i < n; i++ {
				u, v := x.At(at(i)), x.At(at(best))
				if better(u, v) || last && u == v {
					best = i
				}
			}
			out.I[k] = int64(best)
			k++
		})
		if c.intAttr("keepdims", 1) == 0 {
			out = out.with(slices.Delete(dims, axis, axis+1))
		}
		return []*Tensor{out}
	}
}

func cumSum(c *call) []*Tensor {
	x := c.arg(0)
	axis := c.axis(c.one(1).I[0], len(x.Dims))
	exclusive, reverse := c.intAttr("exclusive", 0) != 0, c.intAttr("reverse", 0) != 0
	out := x.like(x.DType)
	lanes(x.Dims, axis, func(at func(i int) int, n int) {
		f, k := 0.0, int64(0)
		for j := range n {
			i := at(j)
			if reverse {
				i = at(n - 1 - j)
			}
			of, ok := f, k
			if x.F != nil {
				f = Round(x.DType, f+x.F[i])
			} else {
				k += x.I[i]
			}
			if !exclusive {
				of, ok = f, k
			}
			if x.F != nil {
				out.F[i] = of
			} else {
				out.I[i] = ok
			}
		}
	})
	return []*Tensor{out}
}

// matMul is the product of matrices, as numpy has it.
func matMul(c *call) []*Tensor {
	x, y := c.arg(0), c.arg(1)
	if x.DType != y.DType {
		c.failf("types %s and %s", x.DType, y.DType)
	}
	xd, yd := x.Dims, y.Dims
	if len(xd) == 0 || len(yd) == 0 {
		c.failf("a tensor of no dimensions")
	}
	left, right := len(xd) == 1, len(yd) == 1
	if left {
		xd = []int64{1, xd[0]}
	}
	if right {
		yd = []int64{yd[0], 1}
	}
	m, k, n := xd[len(xd)-2], xd[len(xd)-1], yd[len(yd)-1]
	if yd[len(yd)-2] != k {
		c.failf("sizes %d and %d do not fit", k, yd[len(yd)-2])
	}
	xb, yb := &Tensor{Dims: xd[:len(xd)-2]}, &Tensor{Dims: yd[:len(yd)-2]}
	batch := c.broadcast(xb, yb)
	out := c.make(x.DType, slices.Concat(batch, []int64{m, n}))
	eachOf(batch, []*Tensor{xb, yb}, func(b int, at []int) {
		for i := range int(m) {
			for j := range int(n) {
				f, s := 0.0, int64(0)
				for l := range int(k) {
					p, q := at[0]*int(m*k)+i*int(k)+l, at[1]*int(k*n)+l*int(n)+j
					if x.F != nil {
						f += x.F[p] * y.F[q]
					} else {
						s += x.I[p] * y.I[q]
					}
				}
				o := b*int(m*n) + i*int(n) + j
				if x.F != nil {
					out.F[o] = f
				} else {
					out.I[o] = s
				}
			}
		}
	})
	dims := out.Dims
	if left {
		dims = slices.Delete(slices.Clone(dims), len(dims)-2, len(dims)-1)
	}
	if right {
		dims = dims[:len(dims)-1]
	}
	return []*Tensor{out.with(dims)}
}

// einsum knows explicit outputs without "...".
func einsum(c *call) []*Tensor {
	eq := strings.ReplaceAll(c.textAttr("equation", ""), " ", "")
	left, right, ok := strings.Cut(eq, "->")
	terms := strings.Split(left, ",")
	if !ok || strings.Contains(eq, ".") || len(terms) != len(c.ins) {
		c.failf("the equation %s", eq)
	}
	size := map[rune]int64{}
	letters := []rune(right)
	for i, t := range terms {
		if len(t) != len(c.arg(i).Dims) {
			c.failf("the equation %s", eq)
		}
		for a, r := range t {
			size[r] = c.arg(i).Dims[a]
			if !slices.Contains(letters, r) {
				letters = append(letters, r)
			}
		}
	}
	dims, full := make([]int64, 0, len(right)), make([]int64, len(letters))
	for i, r := range letters {
		full[i] = size[r]
	}
	dims = append(dims, full[:len(right)]...)
	steps := make([][]int, len(terms))
	for i, t := range terms {
		own := strides(c.ins[i].Dims)
		steps[i] = make([]int, len(letters))
		for a, r := range t {
			steps[i][slices.Index(letters, r)] += own[a]
		}
	}
	out := c.make(c.ins[0].DType, dims)
	rows := strides(dims)
	n, _ := onnx.Count(full)
	pos := make([]int64, len(full))
	for range n {
		at := dot(pos[:len(dims)], rows)
		if out.F != nil {
			f := 1.0
			for i, x := range c.ins {
				f *= x.F[dot(pos, steps[i])]
			}
			out.F[at] += f
		} else {
			k := int64(1)
			for i, x := range c.ins {
				k *= x.I[dot(pos, steps[i])]
			}
			out.I[at] += k
		}
		next(pos, full)
	}
	return []*Tensor{out}
}

// topK sorts along a dimension and takes the first elements.
func topK(c *call) []*Tensor {
	x, k := c.arg(0), c.one(1).I[0]
	axis := c.axis(c.intAttr("axis", -1), len(x.Dims))
	largest := c.intAttr("largest", 1) != 0
	dims := slices.Clone(x.Dims)
	dims[axis] = k
	vals, idx := c.make(x.DType, dims), c.make(onnx.Int64, dims)
	var rows [][]int
	lanes(dims, axis, func(at func(i int) int, n int) {
		row := make([]int, n)
		for i := range row {
			row[i] = at(i)
		}
		rows = append(rows, row)
	})
	r := 0
	lanes(x.Dims, axis, func(at func(i int) int, n int) {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			u, v := x.At(at(a)), x.At(at(b))
			switch {
			case u == v:
				return 0
			case (u < v) != largest:
				return -1
			}
			return 1
		})
		for i, o := range rows[r] {
			vals.set(o, x, at(order[i]))
			idx.I[o] = int64(order[i])
		}
		r++
	})
	return []*Tensor{vals, idx}
}
