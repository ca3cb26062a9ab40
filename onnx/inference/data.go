package inference

// This file follows the elements of small tensors through the operators that sizes
// are computed with. A rule of a type ran before; the results' dimensions are
// there.
//
// Models compute shapes with small integer tensors: Shape, Gather, Concat, Mul, and in the end
// Reshape. Their elements are followed as expressions of the sizes, at most maxData of them for a
// tensor, as what is larger is data and not a shape. A rule here may always give up, which leaves
// the elements unknown.

import (
	"math"
	"slices"
)

// An element of a tensor is an integer, or a float. The zero element is an unknown one.
type element struct {
	n expr
	r real
}

// hasReals reports whether floats of v are followed, hasElements whether any elements are.
func (v *Value) hasReals() bool    { return v.floats != nil || v.reals != nil }
func (v *Value) hasElements() bool { return v.ints != nil || v.hasReals() }

// real gives a float; element gives an element of any tensor. Constants are kept as numbers
// (floats), all else as expressions (reals).
func (v *Value) real(i int) real {
	switch {
	case i < len(v.floats):
		return number(v.floats[i])
	case i < len(v.reals):
		return v.reals[i]
	}
	return real{}
}

// allReals lists the floats.
func (v *Value) allReals() []real {
	list := make([]real, max(v.count(), 0))
	for i := range list {
		list[i] = v.real(i)
	}
	return list
}

func (v *Value) element(i int) element {
	if i < len(v.ints) {
		return element{n: v.ints[i]}
	}
	return element{r: v.real(i)}
}

// setReals gives result i known floats, if there are as many as its dimensions say. Elements of
// another number than the type says are dropped: the type is the safer of both.
func (c *call) setReals(i int, list []real) {
	if c.outs[i].count() != len(list) || isInt(c.outs[i].Elem) {
		return
	}
	if f, ok := constFloats(list); ok {
		c.outs[i].floats = f
	} else if slices.ContainsFunc(list, func(r real) bool { return r.kind != noReal }) {
		c.outs[i].reals = list
	}
}

// setElements gives result i known elements. Which kind an element has follows from the result's
// element type.
func (c *call) setElements(i int, list []element) {
	if i >= len(c.outs) || c.outs[i] == nil {
		return
	}
	if isInt(c.outs[i].Elem) {
		ints := make([]expr, len(list))
		for j, x := range list {
			ints[j] = x.n
		}
		c.setInts(i, ints)
		return
	}
	reals := make([]real, len(list))
	for j, x := range list {
		reals[j] = x.r
	}
	c.setReals(i, reals)
}

// pick gives result i elements of the first input: those at the indices.
func (c *call) pick(i int, at []int) {
	v := c.in(0)
	if !v.hasElements() {
		return
	}
	list := make([]element, len(at))
	for j, k := range at {
		list[j] = v.element(k)
	}
	c.setElements(i, list)
}

// dataSame passes the elements on in their order.
func dataSame(c *call) {
	v := *c.in(0)
	if out := c.outs[0]; v.hasElements() && out.count() == v.count() && out.Elem == v.Elem {
		out.ints, out.floats, out.reals = v.ints, v.floats, v.reals
	}
}

// broadcastIndex gives where a tensor of shape from, broadcast to the shape to, has the element of index i. Both are in
// row-major order; the axes that from lacks are in front.
func broadcastIndex(i int, from, to []int64) int {
	at, stride := 0, 1
	for k := range to {
		j := len(to) - 1 - k
		pos := i % int(to[j])
		i /= int(to[j])
		if f := len(from) - 1 - k; f >= 0 {
			if from[f] != 1 {
				at += pos * stride
			}
			stride *= int(from[f])
		}
	}
	return at
}

// pickGrid gives result i the elements of the first input at the product of lists
// of positions, one for each dimension. The result's elements are in row-major order of the
// lists, as after a slice or a gather. It gives up beyond maxData.
func (c *call) pickGrid(i int, lists [][]int) {
	dims, ok := c.in(0).constShape()
	if !ok || !c.in(0).hasElements() {
		return
	}
	at := []int{0}
	for k, list := range lists {
		if len(at)*len(list) > maxData {
			return
		}
		next := make([]int, 0, len(at)*len(list))
		for _, a := range at {
			for _, x := range list {
				next = append(next, a*int(dims[k])+x)
			}
		}
		at = next
	}
	c.pick(i, at)
}

// allPositions lists the positions of every dimension of the first input.
func (c *call) allPositions() ([][]int, bool) {
	dims, ok := c.in(0).constShape()
	if !ok || !c.in(0).hasElements() {
		return nil, false
	}
	lists := make([][]int, len(dims))
	for k, n := range dims {
		lists[k] = span(0, int(n))
	}
	return lists, true
}

// dataTranspose moves known elements to their places after a permutation of the axes.
func dataTranspose(c *call) {
	dims, ok := c.in(0).constShape()
	n := c.outs[0].count()
	if !ok || n < 0 || !c.in(0).hasElements() {
		return
	}
	perm, ok := c.permutation(len(dims))
	if !ok {
		return
	}
	strides := make([]int, len(dims))
	stride := 1
	for k := len(dims) - 1; k >= 0; k-- {
		strides[k] = stride
		stride *= int(dims[k])
	}
	at := make([]int, n)
	for i := range at {
		rest := i
		for k := len(perm) - 1; k >= 0; k-- {
			size := int(dims[perm[k]])
			at[i] += rest % size * strides[perm[k]]
			rest /= size
		}
	}
	c.pick(0, at)
}

// dataConcat joins elements along the first axis. Joins along other axes interleave the elements,
// which no shape computation does.
func dataConcat(c *call) {
	at := c.a.Int("axis")
	if rank := len(c.outs[0].Dims); at != 0 && at != -int64(rank) || c.outs[0].count() < 0 {
		return
	}
	var list []element
	for _, v := range c.ins {
		n := v.count()
		if n < 0 {
			return
		}
		for i := range n {
			list = append(list, v.element(i))
		}
	}
	c.setElements(0, list)
}

// dataSplit cuts the elements into pieces. Their sizes are those that the rule of the type has found, and must be constants.
func dataSplit(c *call) {
	lists, ok := c.allPositions()
	if !ok {
		return
	}
	axis, ok := c.axis(c.a.Int("axis"), len(lists))
	if !ok {
		return
	}
	from := 0
	for i, o := range c.outs {
		size, isConst := o.Dims[axis].Const()
		if !isConst {
			return
		}
		lists[axis] = span(from, from+int(size))
		c.pickGrid(i, lists)
		from += int(size)
	}
}

// span lists the integers from a to b-1.
func span(a, b int) []int {
	list := make([]int, max(b-a, 0))
	for i := range list {
		list[i] = a + i
	}
	return list
}

// dataExpand repeats known elements; the shapes must be numbers.
func dataExpand(c *call) {
	to, ok := c.outs[0].constShape()
	from, ok2 := c.in(0).constShape()
	n := c.outs[0].count()
	if !ok || !ok2 || n < 0 {
		return
	}
	at := make([]int, n)
	for i := range at {
		at[i] = broadcastIndex(i, from, to)
	}
	c.pick(0, at)
}

// dataWhere chooses between elements. The condition may be unknown where both alternatives are
// equal.
func dataWhere(c *call) {
	c.zip(func(args []element) element {
		switch cond := args[0].n; {
		case args[1] == args[2]:
			return args[1]
		case cond == nil:
			return element{}
		case isTrue(cond):
			return args[1]
		case cond.IsConst(0):
			return args[2]
		}
		return element{}
	})
}

// dataSlice cuts at known places. Bounds must be constants. A negative step to an end "at
// infinity" is left out, as runtimes disagree about it.
func dataSlice(c *call) {
	lists, ok := c.allPositions()
	if !ok {
		return
	}
	starts, ends, axes, steps, ok := c.sliceArgs(len(lists))
	if !ok {
		return
	}
	for i, a := range axes {
		bounds, ok := constants([]expr{starts[i], ends[i], steps[i]})
		if !ok || bounds[2] < 0 && (bounds[1] == math.MaxInt32 || bounds[1] == math.MaxInt64) {
			return
		}
		lists[a] = cutList(len(lists[a]), bounds[0], bounds[1], bounds[2])
	}
	c.pickGrid(0, lists)
}

// cutList lists the positions that a slice takes of n. It follows numpy's rules for negative
// indices and steps, and does not overflow for large steps.
func cutList(size int, from, to, step int64) []int {
	n := int64(size)
	fit := func(i, lo, hi int64) int64 {
		if i < 0 {
			i += n
		}
		return min(max(i, lo), hi)
	}
	var picked []int
	if step > 0 {
		from, to = fit(from, 0, n), fit(to, 0, n)
		for i := from; i < to; i += min(step, n) {
			picked = append(picked, int(i))
		}
	} else if step < 0 {
		from, to = fit(from, 0, n-1), fit(to, -1, n-1)
		for i := from; i > to; i += max(step, -n) {
			picked = append(picked, int(i))
		}
	}
	return picked
}

// dataGather picks at known places of an axis.
func dataGather(c *call) {
	lists, ok := c.allPositions()
	picked, ok2 := c.ints(1)
	if !ok || !ok2 {
		return
	}
	a, ok := c.axis(c.a.Int("axis"), len(lists))
	if !ok {
		return
	}
	n := int64(len(lists[a]))
	at := make([]int, len(picked))
	for i, k := range picked {
		if k < 0 {
			k += n
		}
		if k < 0 || k >= n {
			return
		}
		at[i] = int(k)
	}
	lists[a] = at
	c.pickGrid(0, lists)
}

// dataConstantOfShape: even where the number of elements is not known, that none is 0 is worth to know, as
// sizes are divided by such tensors.
func dataConstantOfShape(c *call) {
	x := c.e.constant(c.a.Tensor("value")).element(0)
	if x.n != nil {
		c.outs[0].nonZero = low(x.n) > 0
	} else {
		c.outs[0].nonZero = x.r.kind == constReal && x.r.x != 0
	}
	if n := c.outs[0].count(); n >= 0 {
		c.setElements(0, slices.Repeat([]element{x}, n))
	}
}

// dataShape makes elements of sizes: those of the axes from start to end.
func dataShape(c *call) {
	if in, ok := c.dims(0); ok {
		from, to := c.span(len(in))
		c.setInts(0, in[from:to])
	}
}

// dataSize gives the number of elements, as an element.
func dataSize(c *call) {
	if in, ok := c.dims(0); ok {
		c.setInts(0, []expr{c.numel(in)})
	}
}

// dataRange computes elements by start and step, if their number is known. Element i is start +
// i·step.
func dataRange(c *call) {
	n := c.outs[0].count()
	start, step := c.scalar(0), c.scalar(2)
	if n < 0 || start == nil || step == nil {
		return
	}
	list := make([]expr, n)
	for i := range list {
		list[i] = c.pool().Add(start, c.pool().Mul(step, c.pool().Const(int64(i))))
	}
	c.setInts(0, list)
}
