package inference

// This file holds sequences and optionals. The elements of a sequence are followed
// while their number is known.

import (
	"slices"

	"shapecheck/onnx"
)

// sequenceOps lists the operators of sequences and optionals. A sequence whose elements are known one by one
// keeps them (known), each with its own type and data, so that what is taken out again is the same value;
// otherwise it has the type that all elements have in common.
func sequenceOps() []op {
	return []op{
		{"SequenceConstruct", sequenceConstruct, nil},
		{"SequenceEmpty", sequenceEmpty, nil},
		{"SequenceAt", sequenceAt, nil},
		{"SequenceInsert", sequenceInsert, nil},
		{"SequenceErase", sequenceErase, nil},
		{"SequenceLength", sequenceLength, nil},
		{"SequenceMap", sequenceMap, nil},
		{"SplitToSequence", splitToSequence, nil},
		{"ConcatFromSequence", concatFromSequence, nil},
		{"Optional", optional, nil},
		{"OptionalGetElement", optionalGet, nil},
		{"OptionalHasElement", optionalHas, nil},
	}
}

// maxItems bounds the elements that are followed one by one.
const maxItems = 256

// sequence makes result i a sequence; with known, of exactly these elements. Beyond maxItems
// elements only their common type is kept, so that a loop that appends cannot make the inference
// slow.
func (c *call) sequence(i int, of *Type, items []*Value, known bool) {
	if i >= len(c.outs) {
		return
	}
	v := &Value{Type: &Type{Kind: onnx.SequenceType, Of: of}}
	if known && len(items) <= maxItems {
		v.items, v.known = items, true
	}
	c.outs[i] = v
}

// elementType joins the types of elements.
func (c *call) elementType(items []*Value) *Type {
	t := &Type{}
	for i, v := range items {
		if i == 0 {
			t = v.Type
		} else {
			t = c.e.join(t, v.Type)
		}
	}
	return t
}

// isSequence checks an input; an unknown one is none to work with.
func (c *call) isSequence(i int) bool {
	switch v := c.in(i); v.Kind {
	case onnx.SequenceType:
		return true
	case onnx.NoType:
	default:
		c.errorAt(i, "expected a sequence, got %s", v.Type)
	}
	return false
}

// index gives a position, if it is known: from the end when negative. room is how many positions
// behind the last element are legal: one for insertions. It reports positions that are out of
// range, and false where the position is unknown.
func (c *call) index(i int, n int, room int) (int, bool) {
	x := c.scalar(i)
	if x == nil {
		return 0, false
	}
	at, ok := x.Const()
	if !ok {
		return 0, false
	}
	if at < -int64(n) || at >= int64(n+room) {
		c.errorAt(i, "position %d is out of range for a sequence of %d", at, n)
		return 0, false
	}
	if at < 0 {
		at += int64(n)
	}
	return int(at), true
}

// sequenceConstruct: all elements must have one element type; shapes may differ.
func sequenceConstruct(c *call) {
	ins := make([]int, len(c.ins))
	for i := range ins {
		ins[i] = i
	}
	d := c.sameElem(ins...)
	if c.failed {
		return
	}
	t := *c.elementType(c.ins)
	if t.Kind == onnx.NoType {
		t.Kind = onnx.TensorType
		t.Elem = d
	}
	c.sequence(0, &t, c.ins, true)
}

func sequenceEmpty(c *call) {
	c.sequence(0, &Type{Kind: onnx.TensorType, Elem: c.a.DType("dtype")}, nil, true)
}

// sequenceAt gives the very element where the position is known.
func sequenceAt(c *call) {
	if !c.isSequence(0) {
		return
	}
	v := c.in(0)
	if v.known {
		if at, ok := c.index(1, len(v.items), 0); ok {
			c.outs[0] = v.items[at]
			return
		}
	}
	c.setType(0, c.oneOf(v.Of))
}

// oneOf is the type of one element of a sequence. The elements of a sequence share
// the sizes that its type names; an unknown size may differ from one to the next. A named size
// means one number in the model, so all elements have it; an unnamed one is another unknown in
// each.
func (c *call) oneOf(t *Type) *Type {
	if t == nil {
		return &Type{}
	}
	out := *t
	out.Dims = slices.Clone(t.Dims)
	for i, d := range out.Dims {
		if unknownDim(d) {
			out.Dims[i] = nil
		}
	}
	if t.Of != nil {
		out.Of = c.oneOf(t.Of)
	}
	return &out
}

// sequenceInsert: without a position the element goes to the end. Where the position is not known, or the
// elements are not, only the common type is.
func sequenceInsert(c *call) {
	if !c.isSequence(0) {
		return
	}
	v, x := c.in(0), c.in(1)
	if v.Of != nil && x.Kind == onnx.TensorType && v.Of.Elem != onnx.Undefined && x.Elem != onnx.Undefined && v.Of.Elem != x.Elem {
		c.errorAt(1, "%s does not fit the sequence %s", x.Type, v.Type)
		return
	}
	if v.known {
		at, ok := len(v.items), !c.has(2)
		if !ok {
			at, ok = c.index(2, len(v.items), 1)
		}
		if c.failed {
			return
		}
		if ok {
			items := slices.Insert(slices.Clone(v.items), at, x)
			c.sequence(0, c.elementType(items), items, true)
			return
		}
		if len(v.items) == 0 {
			c.sequence(0, x.Type, nil, false)
			return
		}
	}
	c.sequence(0, c.e.join(v.Of, x.Type), nil, false)
}

// sequenceErase takes the last element away by default. Nothing is erased from a sequence that is
// known to be empty; the fault is the runtime's to report.
func sequenceErase(c *call) {
	if !c.isSequence(0) {
		return
	}
	v := c.in(0)
	if v.known {
		at, ok := len(v.items)-1, !c.has(1)
		if !ok {
			at, ok = c.index(1, len(v.items), 0)
		}
		if ok && at >= 0 && !c.failed {
			items := slices.Delete(slices.Clone(v.items), at, at+1)
			c.sequence(0, v.Of, items, true)
			return
		}
	}
	c.sequence(0, v.Of, nil, false)
}

func sequenceLength(c *call) {
	c.out(0, onnx.Int64, nil)
	if v := c.in(0); c.isSequence(0) && v.known {
		c.setInts(0, []expr{c.pool().Const(int64(len(v.items)))})
	}
}

// splitToSequence cuts in parts of one size, or at given sizes. Without sizes the parts have one
// element, and lose the axis when keepdims is 0. With a single number all parts have that size
// but the last, which is smaller. It reports sizes that do not add up.
func splitToSequence(c *call) {
	in, ok := c.dims(0)
	d := c.elem(0)
	if !ok {
		c.sequence(0, &Type{Kind: onnx.TensorType, Elem: d}, nil, false)
		return
	}
	a, good := c.axis(c.a.Int("axis"), len(in))
	if !good {
		return
	}
	p := c.pool()
	part := func(s expr) *Value {
		dims := slices.Clone(in)
		dims[a] = s
		return &Value{Type: &Type{Kind: onnx.TensorType, Elem: d, Ranked: true, Dims: dims}}
	}
	total, sized := in[a].Const()
	if !c.has(1) { // parts of 1; with keepdims 0 they lose the axis
		v := part(p.Const(1))
		if !c.a.Bool("keepdims") {
			v.Dims = slices.Delete(v.Dims, a, a+1)
		}
		if sized && total <= maxItems {
			c.sequence(0, v.Type, slices.Repeat([]*Value{v}, int(total)), true)
		} else {
			c.sequence(0, v.Type, nil, false)
		}
		return
	}
	sizes, known := c.ints(1)
	rank, ranked := c.dims(1)
	switch {
	case !known || !ranked:
		v := part(nil)
		c.e.normalize(v.Type)
		c.sequence(0, v.Type, nil, false)
	case len(rank) == 0: // all parts of one size, but the last
		s := sizes[0]
		if s <= 0 {
			c.errorAt(1, "the size of the parts is %d", s)
			return
		}
		if !sized || total/s > maxItems {
			v := part(nil)
			c.e.normalize(v.Type)
			c.sequence(0, v.Type, nil, false)
			return
		}
		var items []*Value
		for ; total > 0; total -= s {
			items = append(items, part(p.Const(min(s, total))))
		}
		c.sequence(0, c.elementOr(items, part), items, true)
	default:
		var items []*Value
		sum := int64(0)
		for _, s := range sizes {
			items = append(items, part(p.Const(max(s, 0))))
			sum += s
		}
		if sized && sum != total {
			c.errorAt(1, "the sizes of the parts add up to %d, and axis %d of %s is %d", sum, a, c.in(0).Type, total)
			return
		}
		c.sequence(0, c.elementOr(items, part), items, true)
	}
}

// elementOr is the common type of some elements, or of a part of unknown size if there are none.
func (c *call) elementOr(items []*Value, part func(expr) *Value) *Type {
	if len(items) == 0 {
		v := part(nil)
		c.e.normalize(v.Type)
		return v.Type
	}
	return c.elementType(items)
}

// concatFromSequence is Concat of elements that are known; otherwise the size along the axis is not known,
// unless new_axis stacks them. With new_axis the elements are stacked along an axis of their
// number.
func concatFromSequence(c *call) {
	if !c.isSequence(0) {
		return
	}
	v := c.in(0)
	of := v.Of
	if of == nil {
		of = &Type{}
	}
	stack := c.a.Bool("new_axis")
	if v.known && len(v.items) > 0 { // as Concat has it
		ranked := true
		for _, x := range v.items {
			ranked = ranked && x.Ranked
		}
		if ranked && !stack {
			sub := &call{e: c.e, s: c.s, n: c.n, version: c.version, op: c.op, a: c.a, ins: v.items, outs: c.outs}
			concat(sub)
			c.failed = sub.failed
			return
		}
	}
	if !of.Ranked {
		c.outUnranked(0, of.Elem)
		return
	}
	rank := len(of.Dims)
	if stack {
		rank++
	}
	at, good := c.axis(c.a.Int("axis"), rank)
	if !good {
		return
	}
	// The parts agree in all other sizes, also in those that are not known.
	out := slices.Clone(of.Dims)
	if stack {
		var n expr
		if v.known {
			n = c.pool().Const(int64(len(v.items)))
		}
		out = slices.Insert(out, at, n)
	} else {
		out[at] = nil
	}
	c.out(0, of.Elem, out)
}

// optional is full if it is made of a value, and of unknown content if it is made of a type alone. full is 1,
// -1 (unknown) or 0.
func optional(c *call) {
	t := &Type{}
	full := 1
	switch {
	case c.has(0):
		t = c.in(0).Type
	case c.a.Has("type"):
		t, full = c.e.typeOf(c.a.TypeProto("type"), true), -1
	default:
		c.errorf("neither a value nor a type is given")
		return
	}
	c.setType(0, &Type{Kind: onnx.OptionalType, Of: t})
	c.outs[0].full = full
	if c.has(0) {
		c.outs[0].items = []*Value{c.in(0)}
	}
}

// optionalGet accepts from opset 18 on what is no optional, and passes it on.
func optionalGet(c *call) {
	v := c.in(0)
	switch {
	case v.Kind == onnx.NoType:
	case v.Kind != onnx.OptionalType:
		c.outs[0] = v
	case v.full < 0:
		c.errorAt(0, "the optional is empty")
	case v.full > 0 && len(v.items) == 1:
		c.outs[0] = v.items[0]
	case v.Of != nil:
		c.setType(0, v.Of)
	}
}

// optionalHas takes tensors and sequences, too, which are always there.
func optionalHas(c *call) {
	c.out(0, onnx.Bool, nil)
	v := c.in(0)
	switch {
	case !c.has(0) && !(len(c.ins) > 0 && c.ins[0] != nil):
		c.setInts(0, []expr{c.pool().Const(0)})
	case v.Kind == onnx.OptionalType && v.full != 0:
		c.setInts(0, []expr{c.pool().Const(int64(max(v.full, 0)))})
	case v.Kind == onnx.TensorType || v.Kind == onnx.SequenceType:
		c.setInts(0, []expr{c.pool().Const(1)})
	}
}
