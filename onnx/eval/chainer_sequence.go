package eval

// This file holds the sequences of ONNX+ and its operators on tensors or sequences.
//
// Sequences are values like tensors: an operator that changes one makes another. Elements may be
// absent (nil), for gradients that nobody has computed.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

// sequenceConstants is a sequence of the tensors in the attribute.
func sequenceConstants(c *call) []Value {
	s := &Sequence{}
	for _, x := range c.Tensors("tensor_values") {
		t, err := c.constant(x)
		if err != nil {
			c.failf("%v", err)
		}
		s.Items = append(s.Items, t)
	}
	return []Value{s}
}

// sequenceExtend joins two sequences.
func sequenceExtend(c *call) []Value {
	return []Value{&Sequence{Items: slices.Concat(c.seq(0).Items, c.seq(1).Items)}}
}

// sequencePop gives the sequence without its last element, and that. An empty one fails, as
// Python's pop does.
func sequencePop(c *call) []Value {
	s := c.seq(0)
	n := len(s.Items)
	if n == 0 {
		c.failf("an empty sequence")
	}
	return []Value{&Sequence{Items: slices.Clone(s.Items[:n-1])}, s.Items[n-1]}
}

// sequenceUpdate replaces the element at a position, which may count from the end.
func sequenceUpdate(c *call) []Value {
	s := c.seq(0)
	items := slices.Clone(s.Items)
	items[c.position(1, len(items), 0)] = c.val(2)
	return []Value{&Sequence{Items: items}}
}

// pythonSlice reads start, stop and step, which may be absent, from the input number i on. n is
// the length that is sliced. Without a start or stop a negative step begins at the end and goes
// before the first element.
func (c *call) pythonSlice(i int, n int64) (first, step, k int64) {
	step = 1
	if c.opt(i+2) != nil {
		step = c.oneInt(i + 2)
	}
	from, to := int64(0), n
	if step < 0 {
		from, to = n-1, math.MinInt64
	}
	if c.opt(i) != nil {
		from = c.oneInt(i)
	}
	if c.opt(i+1) != nil {
		to = c.oneInt(i + 1)
	}
	first, k = sliced(c, from, to, step, n)
	return first, step, k
}

// sliceOf is a slice of a sequence, by the inputs from i on.
func (c *call) sliceOf(s *Sequence, i int) *Sequence {
	first, step, k := c.pythonSlice(i, int64(len(s.Items)))
	out := &Sequence{}
	for _, p := range places(first, step, k) {
		out.Items = append(out.Items, s.Items[p])
	}
	return out
}

func sequenceGetSlice(c *call) []Value { return []Value{c.sliceOf(c.seq(0), 1)} }

// sequencePad stacks tensors after filling up their first dimension to a length, or to the
// longest. The filling is an attribute; the elements must agree in all other sizes and in type.
func sequencePad(c *call) []Value {
	list := c.elements(c.seq(0))
	if len(list) == 0 {
		c.failf("an empty sequence")
	}
	n := c.int("length")
	longest := int64(0)
	for _, t := range list {
		if len(t.Dims) == 0 {
			c.failf("a tensor of no dimensions")
		}
		longest = max(longest, t.Dims[0])
	}
	if n == 0 {
		n = longest
	}
	if n < longest {
		c.failf("a length of %d for %d elements", n, longest)
	}
	fill := c.make(list[0].DType, []int64{})
	if list[0].S != nil || list[0].C != nil {
		c.failf("elements of type %s", list[0].DType)
	}
	fill.put(0, c.float("value"))
	fill.round(c.tick)
	wide := make([]*Tensor, len(list))
	for i, t := range list {
		c.same(list[0], t)
		more := make([]int64, len(t.Dims))
		more[0] = n - t.Dims[0]
		wide[i] = c.padded(t, make([]int64, len(t.Dims)), more, "constant", fill)
	}
	return []Value{c.stacked(wide, 0)}
}

// sequenceUnpad cuts each row to its length. It is the inverse of sequencePad.
func sequenceUnpad(c *call) []Value {
	x := c.ranked(0, 2)
	lens := length(c, "the list of lengths", c.integers(c.val(1)), int(x.Dims[0]))
	s := &Sequence{}
	for i, n := range lens {
		if n < 0 || n > x.Dims[1] {
			c.failf("a length of %d of %d", n, x.Dims[1])
		}
		s.Items = append(s.Items, c.takeRange(c.at(x, 0, int64(i)), 0, 0, n))
	}
	return []Value{s}
}

// sequenceLengths gives the first size of each element; of a scalar 1. The results are numbers,
// not a tensor.
func sequenceLengths(c *call) []Value {
	s := &Sequence{}
	for _, t := range c.elements(c.seq(0)) {
		n := int64(1)
		if len(t.Dims) > 0 {
			n = t.Dims[0]
		}
		s.Items = append(s.Items, Ints([]int64{}, n))
	}
	return []Value{s}
}

// sequenceRange is Python's range. One operand is the stop, two are start and stop, a third one
// is the step.
func sequenceRange(c *call) []Value {
	from, to, step := int64(0), c.oneInt(0), int64(1)
	if c.opt(1) != nil {
		from, to = to, c.oneInt(1)
	}
	if c.opt(2) != nil {
		step = c.oneInt(2)
	}
	n := c.steps(Ints([]int64{}, from), Ints([]int64{}, to), Ints([]int64{}, step))
	if n > c.Elems {
		c.failf("a range of %d", n)
	}
	c.space(100 * n)
	s := &Sequence{}
	for i := range n {
		c.tick(1)
		s.Items = append(s.Items, Ints([]int64{}, from+i*step))
	}
	return []Value{s}
}

// nulls is a sequence of absent values; its length is a number or that of a sequence. The length
// is checked before the memory is taken.
func (c *call) nulls(i int) *Sequence {
	if s, ok := c.val(i).(*Sequence); ok {
		return &Sequence{Items: make([]Value, len(s.Items))}
	}
	n := c.oneInt(i)
	if n < 0 || n > c.Elems {
		c.failf("a sequence of %d", n)
	}
	c.space(16 * n)
	return &Sequence{Items: make([]Value, n)}
}

// sequenceAtGrad is the gradient of reading one element: absent everywhere but there.
func sequenceAtGrad(c *call) []Value {
	s := c.nulls(1)
	s.Items[c.position(2, len(s.Items), 0)] = c.val(0)
	return []Value{s}
}

// sequenceGetSliceGrad puts the gradients of a slice where its elements were.
func sequenceGetSliceGrad(c *call) []Value {
	s, gy := c.nulls(1), c.seq(0)
	first, step, k := c.pythonSlice(2, int64(len(s.Items)))
	length(c, "the gradient", gy.Items, int(k))
	for i, p := range places(first, step, k) {
		s.Items[p] = gy.Items[i]
	}
	return []Value{s}
}

// genericLen is Python's len; 1 of a single number.
func genericLen(c *call) []Value {
	n := int64(1)
	if s, ok := c.val(0).(*Sequence); ok {
		n = int64(len(s.Items))
	} else if x := c.arg(0); len(x.Dims) > 0 {
		n = x.Dims[0]
	}
	return []Value{Ints([]int64{}, n)}
}

// genericGetItem reads the element of a sequence, or the slice of a tensor along its first axis.
func genericGetItem(c *call) []Value {
	if s, ok := c.val(0).(*Sequence); ok {
		return []Value{s.Items[c.position(1, len(s.Items), 0)]}
	}
	x := c.ranked(0, 1)
	return []Value{c.at(x, 0, c.place(c.oneInt(1), x.Dims[0]))}
}

// genericGetSlice slices a sequence or a tensor, as Python would.
func genericGetSlice(c *call) []Value {
	if s, ok := c.val(0).(*Sequence); ok {
		return []Value{c.sliceOf(s, 1)}
	}
	x := c.ranked(0, 1)
	first, step, k := c.pythonSlice(1, x.Dims[0])
	return []Value{c.gathered(x, Ints(nil, places(first, step, k)...), 0)}
}

// genericAdd adds tensors and joins sequences; a sequence is stacked for a tensor. The joint rule
// is Python's + for lists and NumPy's for arrays.
func genericAdd(c *call) []Value {
	a, first := c.val(0).(*Sequence)
	b, second := c.val(1).(*Sequence)
	switch {
	case first && second:
		return []Value{&Sequence{Items: slices.Concat(a.Items, b.Items)}}
	case first && len(a.Items) > 0:
		c.ins = []Value{c.stacked(c.elements(a), 0), c.val(1)}
	case second && len(b.Items) > 0:
		c.ins = []Value{c.val(0), c.stacked(c.elements(b), 0)}
	}
	return fold(add, addInt)(c)
}

// genericIs is true of two equal bools. Other objects have no identity here and are never the
// same.
func genericIs(c *call) []Value {
	out := c.make(onnx.Bool, []int64{})
	a, first := c.val(0).(*Tensor)
	b, second := c.val(1).(*Tensor)
	if first && second && a.DType == onnx.Bool && b.DType == onnx.Bool && a.Len() == 1 && b.Len() == 1 {
		out.I[0] = boolOf(a.I[0] == b.I[0])
	}
	return []Value{out}
}

func genericAccumulateGrad(c *call) []Value { return []Value{c.accumulated(c.val(0), c.val(1))} }

// accumulated adds gradients; an absent one is zero. Sequences are added element by element.
func (c *call) accumulated(a, b Value) Value {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	s, first := a.(*Sequence)
	t, second := b.(*Sequence)
	if first && second {
		length(c, "a gradient", t.Items, len(s.Items))
		out := &Sequence{}
		for i := range s.Items {
			out.Items = append(out.Items, c.accumulated(s.Items[i], t.Items[i]))
		}
		return out
	}
	d := *c
	d.ins = []Value{a, b}
	return d.folded(add, addInt)
}
