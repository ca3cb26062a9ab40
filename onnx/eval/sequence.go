package eval

// This file holds sequences and optionals. No operator changes the sequence that it gets.

import (
	"slices"

	"shapecheck/onnx"
)

func sequenceEmpty(*call) []Value { return []Value{&Sequence{}} }

func sequenceConstruct(c *call) []Value { return []Value{&Sequence{Items: slices.Clone(c.ins)}} }

// position reads an index from -n to n-1, or with end to n.
func (c *call) position(i int, n int, end int64) int {
	p := c.oneInt(i)
	if p < 0 {
		p += int64(n)
	}
	if p < 0 || p >= int64(n)+end {
		c.failf("index %d of %d elements", c.oneInt(i), n)
	}
	return int(p)
}

func sequenceAt(c *call) []Value {
	s := c.seq(0)
	return []Value{s.Items[c.position(1, len(s.Items), 0)]}
}

// sequenceInsert copies the sequence; without a position the value goes to the end.
func sequenceInsert(c *call) []Value {
	s := c.seq(0)
	at := len(s.Items)
	if c.val(2) != nil {
		at = c.position(2, at, 1)
	}
	if c.val(1) == nil {
		c.failf("input 1 is missing")
	}
	c.tick(len(s.Items))
	return []Value{&Sequence{Items: slices.Insert(slices.Clone(s.Items), at, c.val(1))}}
}

func sequenceErase(c *call) []Value {
	s := c.seq(0)
	if len(s.Items) == 0 {
		c.failf("an empty sequence")
	}
	at := len(s.Items) - 1
	if c.val(1) != nil {
		at = c.position(1, len(s.Items), 0)
	}
	return []Value{&Sequence{Items: slices.Delete(slices.Clone(s.Items), at, at+1)}}
}

func sequenceLength(c *call) []Value {
	return []Value{Ints([]int64{}, int64(len(c.seq(0).Items)))}
}

// elements are the tensors of a sequence.
func (c *call) elements(s *Sequence) []*Tensor {
	out := make([]*Tensor, len(s.Items))
	for i, v := range s.Items {
		t, ok := v.(*Tensor)
		if !ok {
			c.failf("element %d is %s", i, describe(v))
		}
		out[i] = t
	}
	return out
}

// concatFromSequence joins along a dimension, an old or a new one. The second output, of
// ONNX+, is where the pieces end but the last.
func concatFromSequence(c *call) []Value {
	list := c.elements(c.seq(0))
	if len(list) == 0 {
		c.failf("an empty sequence")
	}
	rank := len(list[0].Dims)
	if c.int("new_axis") != 0 {
		axis := c.axis(c.int("axis"), rank+1)
		return []Value{c.stacked(list, axis), ends(list, func(*Tensor) int64 { return 1 })}
	}
	axis := c.axis(c.int("axis"), rank)
	return []Value{c.concat(list, axis), ends(list, func(t *Tensor) int64 { return t.Dims[axis] })}
}

func ends(list []*Tensor, size func(*Tensor) int64) *Tensor {
	out := []int64{}
	at := int64(0)
	for _, t := range list[:len(list)-1] {
		at += size(t)
		out = append(out, at)
	}
	return Ints(nil, out...)
}

// splitToSequence makes pieces of given sizes, of one size, or of one element.
func splitToSequence(c *call) []Value {
	x := c.ranked(0, 1)
	axis := c.axis(c.int("axis"), len(x.Dims))
	n := x.Dims[axis]
	var sizes []int64
	split := c.opt(1)
	switch {
	case split == nil:
		c.space(64 * n)
		sizes = slices.Repeat([]int64{1}, int(n))
	case len(split.Dims) == 0:
		each := c.oneInt(1)
		if each < 1 {
			c.failf("pieces of %d", each)
		}
		for left := n; left > 0; left -= each {
			sizes = append(sizes, min(each, left))
		}
	default:
		sizes = c.list(1)
	}
	pieces := c.pieces(x, axis, sizes)
	if split == nil && c.int("keepdims") == 0 {
		for i, t := range pieces {
			pieces[i] = t.with(slices.Delete(slices.Clone(t.Dims), axis, axis+1))
		}
	}
	return []Value{&Sequence{Items: values(pieces)}}
}

func optionalKernel(c *call) []Value { return []Value{&Optional{Of: c.val(0)}} }

// optionalGetElement takes what is no optional as it is.
func optionalGetElement(c *call) []Value {
	o, ok := c.val(0).(*Optional)
	switch {
	case !ok && c.val(0) != nil:
		return []Value{c.val(0)}
	case !ok || o.Of == nil:
		c.failf("an optional without a value")
	}
	return []Value{o.Of}
}

func optionalHasElement(c *call) []Value {
	has := c.val(0) != nil
	if o, ok := c.val(0).(*Optional); ok {
		has = o.Of != nil
	}
	out := c.make(onnx.Bool, []int64{})
	out.I[0] = boolOf(has)
	return []Value{out}
}
