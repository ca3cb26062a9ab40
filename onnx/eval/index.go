package eval

// This file reads at places that tensors give.
//
// The functions compute, for each place of the result, where its element comes from (picked),
// instead of copying ranges: that is slower by a factor and as close to the operators' text as
// can be, which is what a reference is for. Indices may be negative and count from the end then;
// one out of range fails, as ONNX leaves it undefined and runtimes refuse it.

import (
	"slices"
	"strings"

	"shapecheck/onnx"
)

// place checks an index into n elements. The result is from 0 to n - 1; otherwise the evaluation
// fails.
func (c *call) place(i, n int64) int64 {
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		c.failf("index %d of %d elements", i, n)
	}
	return i
}

// gatherKernel is Gather: result[i…, j…, k…] = x[i…, index[j…], k…], where the index stands at
// the axis.
func gatherKernel(c *call) []Value {
	x := c.ranked(0, 1)
	c.list(1)
	return []Value{c.gathered(x, c.arg(1), c.axis(c.int("axis"), len(x.Dims)))}
}

// gathered puts the axes of the indices in the place of the one that they index. The result has
// x's dimensions before the axis, then those of idx, then those behind the axis.
func (c *call) gathered(x, idx *Tensor, axis int) *Tensor {
	dims := slices.Concat(x.Dims[:axis], idx.Dims, x.Dims[axis+1:])
	own, steps := strides(x.Dims), strides(idx.Dims)
	k := len(idx.Dims)
	return c.picked(x, dims, func(pos []int64) int {
		at := c.place(idx.I[dot(pos[axis:axis+k], steps)], x.Dims[axis])
		return dot(pos[:axis], own[:axis]) + int(at)*own[axis] + dot(pos[axis+k:], own[axis+1:])
	})
}

// gatherElements: the result has the indices' sizes, and each index replaces the position on one
// axis. For axis 0 of a matrix: result[i][j] = x[index[i][j]][j].
func gatherElements(c *call) []Value {
	x, idx := c.ranked(0, 1), c.arg(1)
	list := c.list(1)
	axis := c.axis(c.int("axis"), len(x.Dims))
	c.checkIndices(x, idx, axis)
	own := strides(x.Dims)
	i := 0
	return []Value{c.picked(x, idx.Dims, func(pos []int64) int {
		at := dot(pos, own) + int(c.place(list[i], x.Dims[axis])-pos[axis])*own[axis]
		i++
		return at
	})}
}

// checkIndices checks that the places of idx are places of x but for one dimension. The indices
// may have smaller sizes than x on other dimensions, but not another rank.
func (c *call) checkIndices(x, idx *Tensor, axis int) {
	if len(x.Dims) != len(idx.Dims) {
		c.failf("tensors of %d and %d dimensions", len(x.Dims), len(idx.Dims))
	}
	for i, d := range idx.Dims {
		if i != axis && d > x.Dims[i] {
			c.failf("sizes %d and %d of dimension %d", x.Dims[i], d, i)
		}
	}
}

// gatherND: the last axis of the indices has a position on each of k axes; the first batch_dims axes are
// common. A k smaller than the rank takes slices. Its result is [idx.Dims[:r-1]…, x.Dims[b+k:]…].
func gatherND(c *call) []Value {
	x, idx := c.ranked(0, 1), c.ranked(1, 1)
	list := c.list(1)
	b, r := int(c.int("batch_dims")), len(idx.Dims)
	k := int(idx.Dims[r-1])
	if b < 0 || b >= r || b+k > len(x.Dims) || !slices.Equal(x.Dims[:b], idx.Dims[:b]) {
		c.failf("indices %v into %v, %d of them common", idx.Dims, x.Dims, b)
	}
	own, steps := strides(x.Dims), strides(idx.Dims)
	dims := slices.Concat(idx.Dims[:r-1], x.Dims[b+k:])
	return []Value{c.picked(x, dims, func(pos []int64) int {
		base, at := dot(pos[:r-1], steps[:r-1]), dot(pos[:b], own[:b])
		for j := range k {
			at += int(c.place(list[base+j], x.Dims[b+j])) * own[b+j]
		}
		return at + dot(pos[r-1:], own[b+k:])
	})}
}

// nonZero gives one row for each axis, one column for each element that is not zero: the transpose of
// PyTorch's. The columns are in the order of memory. Elements are counted first, so that the
// memory can be asked for before it is used: the size is the data's choice.
func nonZero(c *call) []Value {
	x := c.arg(0)
	rank := len(x.Dims)
	rows := make([][]int64, rank)
	n := int64(0)
	for i := range x.Len() {
		c.tick(1)
		if truth(x, i) {
			n++
		}
	}
	c.space(4 * 8 * n * int64(rank)) // with what the lists have to grow
	c.walk(x.Dims, func(i int, pos []int64) {
		if truth(x, i) {
			for a, p := range pos {
				rows[a] = append(rows[a], p)
			}
		}
	})
	return []Value{Ints([]int64{int64(rank), n}, append([]int64{}, slices.Concat(rows...)...)...)}
}

// truth reports whether an element is not zero. A string is true if it is not empty, and NaN is
// not zero.
func truth(x *Tensor, i int) bool {
	switch {
	case x.S != nil:
		return x.S[i] != ""
	case x.C != nil:
		return x.C[i] != 0
	case x.F != nil:
		return x.F[i] != 0
	}
	return x.I[i] != 0
}

// compress takes the elements for which a condition holds; what it does not reach is
// left out. Without an axis the tensor is taken as flat. A condition longer than the axis fails
// only if it holds beyond the end.
func compress(c *call) []Value {
	x, keep := c.ranked(0, 1), c.list(1)
	axis := 0
	if c.has("axis") {
		axis = c.axis(c.int("axis"), len(x.Dims))
	} else {
		x = x.with([]int64{int64(x.Len())})
	}
	list := []int64{}
	c.space(16 * int64(len(keep)))
	for i, b := range keep {
		c.tick(1)
		if b != 0 {
			list = append(list, int64(i))
		}
	}
	return []Value{c.gathered(x, Ints(nil, list...), axis)}
}

// oneHot takes its two values in the order off, on. An index that is out of range gives a row of off values and
// no error. The new axis has depth n. A negative index counts from the end: -1 is depth - 1.
func oneHot(c *call) []Value {
	idx, values := c.cast(c.arg(0), onnx.Int64), c.arg(2)
	n := c.cast(c.one(1), onnx.Int64).I[0]
	axis := c.axis(c.int("axis"), len(idx.Dims)+1)
	if n < 0 || values.Len() != 2 {
		c.failf("depth %d and %d values", n, values.Len())
	}
	dims := slices.Insert(slices.Clone(idx.Dims), axis, n)
	own := strides(idx.Dims)
	return []Value{c.picked(values, dims, func(pos []int64) int {
		i := idx.I[dot(pos[:axis], own[:axis])+dot(pos[axis+1:], own[axis:])]
		if i < 0 {
			i += n
		}
		return int(boolOf(i == pos[axis]))
	})}
}

// compare orders two elements of tensors of a type: NaN is the largest. The result is negative, 0
// or positive. Unlike < on floats this is a total preorder, so that sorts are well defined; -0
// and 0 are equal, and so are all NaN.
func compare(x *Tensor, i int, y *Tensor, j int) int {
	switch {
	case x.S != nil:
		return strings.Compare(x.S[i], y.S[j])
	case x.F != nil:
		u, v := x.F[i], y.F[j]
		switch {
		case u != u && v != v, u == v:
			return 0
		case v != v, u < v:
			return -1
		}
		return 1
	case lessInt(x.DType, x.I[i], y.I[j]):
		return -1
	case lessInt(x.DType, y.I[j], x.I[i]):
		return 1
	}
	return 0
}

// topK sorts along a dimension and takes the first elements; of equal ones the first. ONNX says
// that of equal elements the one with the lower index comes first, hence a stable sort; for the
// largest the operands of the comparison are swapped, as a reversed result would have the last
// one first. The time is n log n for each lane, also for a small k.
func topK(c *call) []Value {
	x, k := c.ranked(0, 1), c.oneInt(1)
	if x.F == nil && x.I == nil {
		c.failf("elements of type %s", x.DType)
	}
	axis := c.axis(c.int("axis"), len(x.Dims))
	largest := c.int("largest") != 0
	if k < 0 || k > x.Dims[axis] {
		c.failf("%d of %d elements", k, x.Dims[axis])
	}
	dims := slices.Clone(x.Dims)
	dims[axis] = k
	vals, idx := c.make(x.DType, dims), c.make(onnx.Int64, dims)
	inner := count(dims[axis+1:])
	lane := 0
	c.lanes(x.Dims, axis, func(at func(i int) int, n int) {
		c.space(8 * int64(n))
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			c.tick(1)
			if largest {
				a, b = b, a
			}
			return compare(x, at(a), x, at(b))
		})
		base := lane/max(inner, 1)*int(k)*inner + lane%max(inner, 1)
		for i := range int(k) {
			vals.set(base+i*inner, x, at(order[i]))
			idx.I[base+i*inner] = int64(order[i])
		}
		lane++
	})
	return []Value{vals, idx}
}

// unique finds the different elements, or slices along a dimension. It has four results: the
// values, the place where each stands first, for each element the number of its value, and how
// often each stands. They are sorted, or in the order of first appearance with sorted = 0. Slices
// are compared element by element in the order of memory.
func unique(c *call) []Value {
	x := c.arg(0)
	axis := 0
	flat := !c.has("axis")
	if flat {
		x = x.with([]int64{int64(x.Len())})
	} else {
		axis = c.axis(c.int("axis"), len(x.Dims))
	}
	n := int(x.Dims[axis])
	dims := slices.Delete(slices.Clone(x.Dims), axis, axis+1)
	own := strides(x.Dims)
	rest := slices.Delete(slices.Clone(own), axis, axis+1)
	var places []int // of the elements of a slice, relative to its first
	c.walk(dims, func(_ int, pos []int64) { places = append(places, dot(pos, rest)) })
	c.space(48 * int64(n)) // for all lists
	order := func(a, b int) int {
		for _, p := range places {
			c.tick(1)
			if o := compare(x, a*own[axis]+p, x, b*own[axis]+p); o != 0 {
				return o
			}
		}
		return 0
	}
	sorted := make([]int, n)
	for i := range sorted {
		sorted[i] = i
	}
	c.tick(n * len(places))
	slices.SortStableFunc(sorted, order)
	var first []int64 // of each group, in the order of the values
	group := make([]int, n)
	for i, s := range sorted {
		if i == 0 || order(sorted[i-1], s) != 0 {
			first = append(first, int64(s))
		}
		group[s] = len(first) - 1
	}
	rank := make([]int, len(first)) // of a group in the output
	perm := make([]int, len(first))
	for i := range perm {
		perm[i] = i
	}
	if c.int("sorted") == 0 {
		slices.SortFunc(perm, func(a, b int) int { return int(first[a] - first[b]) })
	}
	indices, counts, inverse := make([]int64, len(first)), make([]int64, len(first)), make([]int64, n)
	for i, g := range perm {
		rank[g] = i
		indices[i] = first[g]
	}
	for i, g := range group {
		inverse[i] = int64(rank[g])
		counts[rank[g]]++
	}
	return []Value{c.gathered(x, Ints(nil, indices...), axis), Ints(nil, indices...), Ints(nil, inverse...), Ints(nil, counts...)}
}
