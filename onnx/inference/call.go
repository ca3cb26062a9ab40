package inference

// This file holds what a rule sees of a node: its inputs, its attributes and its
// results. The first error makes all further ones silent.

import (
	"fmt"
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

type call struct {
	e       *engine
	s       *scope
	n       *onnx.Node
	version int64 // of the operator's domain
	op      *schema.Op
	a       schema.Attrs
	bodies  map[string]Body // of the attributes whose subgraphs the caller infers
	ins     []*Value
	outs    []*Value
	value   string // the value that an error is about
	failed  bool
	// upgraded says that the node may be of an older version, written in the newest form.
	upgraded bool
}

// expr is short for what rules compute with.
type expr = *symshape.Expr

func (c *call) pool() *symshape.Pool { return c.e.pool }

func (c *call) errorf(format string, args ...any) {
	if c.failed {
		return
	}
	c.failed = true
	if c.e.quiet > 0 {
		return
	}
	c.e.fail(&Error{Node: c.n.Name, Op: c.n.Op, Value: c.value, Reason: fmt.Sprintf(format, args...), Source: onnx.SourceOf(c.n)})
}

// errorAt is errorf for a fault of one input.
func (c *call) errorAt(i int, format string, args ...any) {
	if !c.failed && i < len(c.n.Inputs) {
		c.value = c.n.Inputs[i]
	}
	c.errorf(format, args...)
}

// inputName gives the name of an input in messages.
func (c *call) inputName(i int) string {
	if i < len(c.n.Inputs) {
		return c.n.Inputs[i]
	}
	return ""
}

// has reports whether an optional input is there.
func (c *call) has(i int) bool { return i < len(c.ins) && c.ins[i] != nil && !c.ins[i].absent }

// in returns an input; one that is absent is unknown.
func (c *call) in(i int) *Value {
	if !c.has(i) {
		return unknownValue()
	}
	return c.ins[i]
}

func (c *call) elem(i int) onnx.DType { return c.in(i).Elem }

// dims gives the dimensions of a tensor, and whether their number is known.
func (c *call) dims(i int) ([]expr, bool) {
	v := c.in(i)
	return v.Dims, v.Ranked
}

// ranked gives the dimensions of an input that must have n of them (at least n,
// for negative n: -n).
func (c *call) ranked(i, n int) ([]expr, bool) {
	d, ok := c.dims(i)
	if !ok {
		return nil, false
	}
	if n >= 0 && len(d) != n {
		c.errorAt(i, "expected %d dimensions, got %s", n, c.in(i).Type)
		return nil, false
	}
	if n < 0 && len(d) < -n {
		c.errorAt(i, "expected at least %d dimensions, got %s", -n, c.in(i).Type)
		return nil, false
	}
	return d, true
}

// isTensor checks that an input is no sequence or the like.
func (c *call) isTensor(i int) bool {
	switch c.in(i).Kind {
	case onnx.TensorType, onnx.SparseTensorType:
		return true
	case onnx.NoType:
		return false
	}
	c.errorAt(i, "expected a tensor, got %s", c.in(i).Type)
	return false
}

// out makes result i a tensor of known rank; nil dimensions are unknown.
func (c *call) out(i int, d onnx.DType, dims []expr) {
	if i < len(c.outs) {
		c.outs[i] = &Value{Type: &Type{Kind: onnx.TensorType, Elem: d, Ranked: true, Dims: slices.Clone(dims)}}
	}
}

// outLike makes result i a tensor with the dimensions of an input, if known.
func (c *call) outLike(i int, d onnx.DType, in int) {
	dims, ok := c.dims(in)
	if !ok {
		c.outUnranked(i, d)
		return
	}
	c.out(i, d, dims)
}

// outUnranked makes result i a tensor of unknown rank.
func (c *call) outUnranked(i int, d onnx.DType) {
	if i < len(c.outs) {
		c.outs[i] = &Value{Type: &Type{Kind: onnx.TensorType, Elem: d}}
	}
}

// outRank makes result i a tensor of unknown dimensions.
func (c *call) outRank(i int, d onnx.DType, rank int) { c.out(i, d, make([]expr, rank)) }

func (c *call) setType(i int, t *Type) {
	if i < len(c.outs) {
		c.outs[i] = &Value{Type: t}
	}
}

// setInts gives result i known elements, if there are as many as its dimensions
// say.
func (c *call) setInts(i int, list []expr) {
	if i >= len(c.outs) || c.outs[i] == nil || list == nil {
		return
	}
	v := c.outs[i]
	if v.count() != len(list) || !isInt(v.Elem) {
		return
	}
	lo, hi := rangeOf(v.Elem)
	some := false
	kept := make([]expr, len(list))
	for j, x := range list {
		if x == nil {
			continue
		}
		if v.Elem != onnx.Int64 { // what may wrap around is not known
			l, h := x.Bounds()
			if n, ok := x.Const(); ok {
				l, h = n, n
			} else if v.Elem == onnx.Int32 { // sizes are taken to fit
				l, h = max(l, lo), min(h, hi)
			}
			if l < lo || h > hi {
				continue
			}
		}
		kept[j], some = x, true
	}
	if some || len(list) == 0 {
		v.ints = kept
	}
}

// ints gives the elements of an integer input when all are constants.
func (c *call) ints(i int) ([]int64, bool) {
	if !c.has(i) {
		return nil, false
	}
	return constants(c.ins[i].ints)
}

// constants are expressions as numbers; ok is false if one is none or not known.
func constants(list []expr) ([]int64, bool) {
	if list == nil {
		return nil, false
	}
	out := make([]int64, len(list))
	for j, x := range list {
		if x == nil {
			return nil, false
		}
		n, ok := x.Const()
		if !ok {
			return nil, false
		}
		out[j] = n
	}
	return out, true
}

// exprs gives the elements of an integer input; some may be nil.
func (c *call) exprs(i int) ([]expr, bool) {
	if !c.has(i) || c.ins[i].ints == nil {
		return nil, false
	}
	return c.ins[i].ints, true
}

// length gives the number of elements of a one-dimensional input.
func (c *call) length(i int) (int, bool) {
	v := c.in(i)
	if !v.Ranked || len(v.Dims) != 1 {
		return 0, false
	}
	n, ok := v.Dims[0].Const()
	if !ok || n > maxData {
		return 0, false
	}
	return int(n), true
}

// intsN gives a list of n elements; see Attrs.IntsN.
func (c *call) intsN(name string, n int) []int64 {
	list, err := c.a.IntsN(name, n)
	if err != nil {
		c.errorf("%v", err)
		return make([]int64, n)
	}
	return list
}

// dtypeOr gives an element type, or what holds where the node says none.
func (c *call) dtypeOr(name string, none onnx.DType) onnx.DType {
	if d := c.a.DType(name); d != onnx.Undefined {
		return d
	}
	return none
}

// axis makes an axis count from the front.
func (c *call) axis(a int64, rank int) (int, bool) {
	if a < -int64(rank) || a >= int64(rank) {
		c.errorf("axis %d is out of range for %d dimensions", a, rank)
		return 0, false
	}
	if a < 0 {
		a += int64(rank)
	}
	return int(a), true
}

// axes is axis for a list, which may name none twice.
func (c *call) axes(list []int64, rank int) ([]int, bool) {
	out := make([]int, len(list))
	for i, a := range list {
		x, ok := c.axis(a, rank)
		if !ok {
			return nil, false
		}
		if slices.Contains(out[:i], x) {
			c.errorf("axis %d is named twice", a)
			return nil, false
		}
		out[i] = x
	}
	return out, true
}

// sameElem checks that inputs have one element type and returns it.
func (c *call) sameElem(ins ...int) onnx.DType {
	d, from := onnx.Undefined, 0
	for _, i := range ins {
		if !c.has(i) || !c.isTensor(i) || c.elem(i) == onnx.Undefined {
			continue
		}
		if d == onnx.Undefined {
			d, from = c.elem(i), i
		} else if c.elem(i) != d {
			c.errorAt(i, "element type %s; input %d (%q) has %s, and both must be the same", c.elem(i), from, c.inputName(from), d)
			return onnx.Undefined
		}
	}
	return d
}

// unify requires two sizes to be equal and returns the better known one.
func (c *call) unify(a, b expr, format string, args ...any) expr {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	if c.e.neverEqual(a, b) {
		c.errorf("%s: %s and %s", fmt.Sprintf(format, args...), a, b)
	}
	return better(a, b)
}

// broadcast combines shapes by numpy's rules.
func (c *call) broadcast(shapes ...[]expr) []expr {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	out := make([]expr, rank)
	for i := range out {
		r := c.pool().Const(1)
		for _, s := range shapes {
			if j := i - (rank - len(s)); j >= 0 {
				r = c.broadcastDim(r, s[j], i)
			}
		}
		out[i] = r
	}
	return out
}

// broadcastDim is the size that two sizes broadcast to. Of an unknown size and one that is at
// least 2 it is the latter, as the other can only be that or 1. Two different symbols give an
// unknown size, unless they can never be equal, which is an error.
func (c *call) broadcastDim(a, b expr, at int) expr {
	switch {
	case a == nil || b == nil:
		known := a
		if a == nil {
			known = b
		}
		if known != nil {
			if lo, _ := known.Bounds(); lo >= 2 {
				return known
			}
		}
		return nil
	case a == b || b.IsConst(1):
		return a
	case a.IsConst(1):
		return b
	}
	al, _ := a.Bounds()
	bl, _ := b.Bounds()
	if c.e.neverEqual(a, b) && (al >= 2 && bl >= 2 || a.IsConst(0) && bl >= 2 || b.IsConst(0) && al >= 2) {
		c.errorf("the inputs cannot be broadcast: dimension %d is %s and %s", at, a, b)
		return nil
	}
	if _, ok := a.Const(); ok {
		return a
	}
	if _, ok := b.Const(); ok {
		return b
	}
	switch {
	case al >= 2 && bl >= 2:
		return better(a, b)
	case al >= 2:
		return a
	case bl >= 2:
		return b
	}
	return nil
}
