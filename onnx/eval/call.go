package eval

// This file is what a kernel sees of its node: operands and attributes, checked.

import (
	"fmt"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// A kernel computes a node's outputs; what it cannot is a panic of call.failf. A nil
// output is absent.
type kernel func(c *call) []Value

// failure is the panic of call.failf.
type failure string

// A call is a node that runs.
type call struct {
	*run
	node  *onnx.Node
	scope *scope
	ins   []Value
	schema.Attrs
}

func (c *call) failf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// make is a tensor of zeros, whose elements are rounded at the end of the node.
func (c *call) make(d onnx.DType, dims []int64) *Tensor {
	n, err := onnx.Count(dims)
	if err != nil {
		c.failf("%v", err)
	}
	if n > c.Elems {
		panic(&Stop{Reason: fmt.Sprintf("a value has %d elements, more than the %d that are allowed", n, c.Elems)})
	}
	if !d.Valid() {
		c.failf("elements of type %s", d)
	}
	c.space(BytesOf(d, n))
	c.tick(int(n))
	if dims == nil {
		dims = []int64{}
	}
	t := zeros(d, dims, int(n))
	t.fresh = true
	return t
}

// like is make with the sizes of another tensor.
func (c *call) like(x *Tensor, d onnx.DType) *Tensor { return c.make(d, x.Dims) }

// val returns an operand of any kind, or nil.
func (c *call) val(i int) Value {
	if i >= len(c.ins) {
		return nil
	}
	return c.ins[i]
}

// opt returns a tensor that may be absent.
func (c *call) opt(i int) *Tensor {
	switch x := c.val(i).(type) {
	case nil:
		return nil
	case *Tensor:
		return x
	default:
		c.failf("input %d is %s instead of a tensor", i, describe(x))
		return nil
	}
}

func (c *call) arg(i int) *Tensor {
	x := c.opt(i)
	if x == nil {
		c.failf("input %d is missing", i)
	}
	return x
}

// seq returns a sequence.
func (c *call) seq(i int) *Sequence {
	s, ok := c.val(i).(*Sequence)
	if !ok {
		c.failf("input %d is %s instead of a sequence", i, describe(c.val(i)))
	}
	return s
}

// tensors are the operands from the number i on, which are there.
func (c *call) tensors(i int) []*Tensor {
	var out []*Tensor
	for ; i < len(c.ins); i++ {
		out = append(out, c.arg(i))
	}
	return out
}

// list returns an input that is a list of integers.
func (c *call) list(i int) []int64 {
	x := c.arg(i)
	if x.I == nil {
		c.failf("input %d does not hold integers", i)
	}
	return x.I
}

// listOr is list, or without the operand nil.
func (c *call) listOr(i int) []int64 {
	if c.opt(i) == nil {
		return nil
	}
	return c.list(i)
}

// one returns an input of one element.
func (c *call) one(i int) *Tensor {
	x := c.arg(i)
	if x.Len() != 1 {
		c.failf("input %d has %d elements instead of one", i, x.Len())
	}
	return x
}

// oneInt and oneFloat are the only element of an input.
func (c *call) oneInt(i int) int64 {
	x := c.one(i)
	if x.I == nil {
		c.failf("input %d does not hold an integer", i)
	}
	return x.I[0]
}

func (c *call) oneFloat(i int) float64 {
	x := c.one(i)
	if x.F == nil && x.I == nil {
		c.failf("input %d is no number", i)
	}
	return x.At(0)
}

// floats checks that an input holds floats.
func (c *call) floatArg(i int) *Tensor {
	x := c.arg(i)
	if x.F == nil {
		c.failf("input %d is of %s instead of floats", i, x.DType)
	}
	return x
}

// ranked is an input of at least n dimensions.
func (c *call) ranked(i, n int) *Tensor {
	x := c.arg(i)
	if len(x.Dims) < n {
		c.failf("input %d has %d dimensions instead of %d or more", i, len(x.Dims), n)
	}
	return x
}

// same checks that two tensors have one element type.
func (c *call) same(x, y *Tensor) {
	if x.DType != y.DType {
		c.failf("types %s and %s", x.DType, y.DType)
	}
}

// wants reports whether the node has an output of that number.
func (c *call) wants(i int) bool { return i < len(c.node.Outputs) && c.node.Outputs[i] != "" }

// axis gives a dimension number from 0.
func (c *call) axis(i int64, rank int) int {
	if i < 0 {
		i += int64(rank)
	}
	if i < 0 || i >= int64(rank) {
		c.failf("dimension %d of a tensor of %d dimensions", i, rank)
	}
	return int(i)
}

// axesOf reads different dimension numbers.
func (c *call) axesOf(list []int64, rank int) []int {
	out := make([]int, 0, len(list))
	seen := map[int]bool{}
	for _, x := range list {
		a := c.axis(x, rank)
		if seen[a] {
			c.failf("dimension %d stands twice", a)
		}
		seen[a] = true
		out = append(out, a)
	}
	return out
}

// length checks that a list has n elements.
func length[T any](c *call, what string, list []T, n int) []T {
	if len(list) != n {
		c.failf("%s has %d elements instead of %d", what, len(list), n)
	}
	return list
}

// vector checks that a tensor has one dimension of n elements.
func (c *call) vector(what string, x *Tensor, n int64) *Tensor {
	if len(x.Dims) != 1 || x.Dims[0] != n {
		c.failf("%s has the sizes %v instead of [%d]", what, x.Dims, n)
	}
	return x
}

// dims checks the sizes of a tensor.
func (c *call) sized(what string, x *Tensor, dims ...int64) *Tensor {
	ok := len(x.Dims) == len(dims)
	for i := 0; ok && i < len(dims); i++ {
		ok = x.Dims[i] == dims[i]
	}
	if !ok {
		c.failf("%s has the sizes %v instead of %v", what, x.Dims, dims)
	}
	return x
}
