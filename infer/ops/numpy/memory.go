package numpy

// This file tells how an array lies in memory: its strides, its flags, whether it owns its
// memory and whether it can be written to. That is known where every operation that the
// array came by is known for the order that it gives; elsewhere it is not known.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

func arrayMemoryOps() []ops.Op {
	return []ops.Op{
		arrayGet(".strides.get", anyArray, func(c *ops.Call, t *value.Tensor) value.Value {
			v := stridesOf(c, t)
			if v == nil {
				return c.Lose("the order of an array in memory")
			}
			return v
		}, "bytes from an element to the next along each axis, as a tuple"),
		arrayGet(".flags.get", anyArray, flagsOf, "what is known of the memory: C order, Fortran order, owned, may be written to"),
		arrayPure(".setflags", "(any a, any write=None, any align=None, any uic=None)", lockArray, "whether the array may be written to"),
	}
}

// A memory says how a value lies in memory. own: it is no view.
type memory struct{ known, own, writeable bool }

// memoryOf follows the operations that v came by.
func memoryOf(v *graph.Value) memory { return memories{}.of(v) }

// memories are those that were found already.
type memories map[*graph.Value]memory

// maxMemories bounds how many operations are followed.
const maxMemories = 1000

func (ms memories) of(v *graph.Value) memory {
	m, found := ms[v]
	if !found && v != nil && len(ms) < maxMemories {
		ms[v] = memory{}
		m = ms.find(v)
		ms[v] = m
	}
	return m
}

// find derives from the operation that made v how its array lies in memory: whether that is known, whether
// the array has memory of its own, and whether that can be written. Operations that follow the layout of
// their operands are known only where the operands' layouts are; a view has what its base has.
func (ms memories) find(v *graph.Value) memory {
	d := v.Def
	if d == nil { // an argument, taken to be an array of its own in C order
		return memory{v.Type.Strides == nil, true, true}
	}
	arg := func(name string) *graph.Value {
		for _, a := range d.Args {
			if a.Name == name {
				x, _ := a.Value.(*graph.Value)
				return x
			}
		}
		return nil
	}
	first := func() *graph.Value {
		if len(d.Args) == 0 {
			return nil
		}
		x, _ := d.Args[0].Value.(*graph.Value)
		return x
	}
	// inOrder reports whether all arrays among the arguments are in C order.
	inOrder := func() bool {
		all := true
		for _, a := range d.Args {
			graph.Operands(a.Value, func(x *graph.Value) {
				all = all && ms.of(x).known && x.Type.Strides == nil
			})
		}
		return all
	}
	// allKnown reports whether it is known how all arrays among the arguments lie in memory.
	allKnown := func() bool {
		all := true
		for _, a := range d.Args {
			graph.Operands(a.Value, func(x *graph.Value) { all = all && ms.of(x).known })
		}
		return all
	}
	fresh := memory{true, true, true}
	if out := arg("out"); out != nil {
		return ms.of(out)
	}
	switch {
	case ops.Writes(d):
		return ms.of(first())
	case d.Is.Has(graph.NewInRows):
		return fresh
	case d.Op == "torch.clone", d.Is.Has(graph.NewCopy):
		if allKnown() {
			return fresh
		}
	case d.Is.Has(graph.NewIfRows):
		if ordersRows(d) && inOrder() {
			return fresh
		}
	case d.Is.Has(graph.NewElementwise):
		if ordersRows(d) && allKnown() {
			return fresh
		}
	case v.Base != nil && strings.HasPrefix(d.Op, "torch.") && first() != nil && v.Base == baseOf(first()):
		if backwards(d) { // the strides of the graph are those of a copy
			return memory{}
		}
		m := ms.of(first())
		readOnly := d.Op == "torch.broadcast_to" || d.Op == "torch.diagonal"
		return memory{m.known, false, m.writeable && !readOnly}
	case d.Op == "torch.reshape" && v.Base == nil && first() != nil: // the elements were copied
		return memory{ms.of(first()).known, false, true}
	}
	return memory{}
}

// backwards reports whether an index has a slice with a negative step.
func backwards(d *graph.Node) bool {
	found := false
	for _, a := range d.Args {
		items, _ := a.Value.(graph.Tuple)
		for _, o := range append(items[:len(items):len(items)], a.Value) {
			if s, isSlice := o.(graph.Slice); isSlice && s.Step != nil {
				n, known := s.Step.(graph.Int)
				found = found || !known || n < 0
			}
		}
	}
	return found
}

// baseOf is the value that owns the memory of v.
func baseOf(v *graph.Value) *graph.Value {
	if v.Base != nil {
		return v.Base
	}
	return v
}

// ordersRows reports whether an operation has no order= but those that keep C order.
func ordersRows(d *graph.Node) bool {
	for _, a := range d.Args {
		if a.Name == "order" {
			s, isText := a.Value.(graph.Str)
			return a.Value == nil || isText && strings.Contains("CcKkAa", string(s))
		}
	}
	return true
}

// stridesOf gives the strides in bytes, or nil.
func stridesOf(c *ops.Call, t *value.Tensor) value.Value {
	ty := t.Type()
	if !ty.Ranked || ty.DType == dtype.Unknown || !memoryOf(t.V).known {
		return nil
	}
	view := t.V.Base != nil
	for _, s := range ty.Shape {
		if ops.IsConst(s, 0) { // of nothing the strides differ between versions
			return nil
		}
	}
	elems := make([]value.Value, len(ty.Shape))
	for i, s := range c.StridesOf(t) {
		if s == nil || view && ops.IsConst(ty.Shape[i], 1) { // numpy gives axes of one element strides of their own
			return nil
		}
		elems[i] = value.FromDim(c.P.DimMul(symshape.MakeDim(s), c.Const(int64(ty.DType.Size()))))
	}
	return value.NewTuple(elems...)
}

func flagsOf(c *ops.Call, t *value.Tensor) value.Value {
	ty := t.Type()
	m := memoryOf(t.V)
	var rows, columns, own, write value.Value
	if m.known && ty.Ranked {
		own, write = value.Bool(m.own), value.Bool(m.writeable && !t.Locked)
		strides, sure := c.StridesOf(t), true
		for _, s := range strides {
			sure = sure && s != nil
		}
		if _, fixed := ops.ConstShape(ty.Shape); sure && (fixed || len(ty.Shape) < 2) {
			rows = value.Bool(c.IsRowMajor(ty.Shape, strides))
			back := make(symshape.Shape, len(strides))
			turned := make([]*symshape.Expr, len(strides))
			for i := range strides {
				back[i], turned[i] = ty.Shape[len(strides)-1-i], strides[len(strides)-1-i]
			}
			columns = value.Bool(c.IsRowMajor(back, turned))
		} else if sure && c.IsRowMajor(ty.Shape, strides) {
			rows = value.Bool(true)
		}
	}
	if t.Locked {
		write = value.Bool(false)
	}
	elems := []value.Value{rows, columns, own, write}
	for i, e := range elems {
		if e == nil {
			elems[i] = c.Th.Unknown("the order of an array in memory")
		}
	}
	return value.NewTuple(elems...)
}

// writable refuses to write to an array that is known to be read-only.
func writable(c *ops.Call, t *value.Tensor) bool {
	if !c.OK() {
		return false
	}
	if t.Locked {
		c.Errorf("ValueError", diag.BadValue, "the array is read-only: the flags of %s forbid to write to it; write to a copy()", t)
	} else if m := memoryOf(t.V); m.known && !m.writeable {
		c.Errorf("ValueError", diag.BadValue, "the array is read-only: %s is a view by broadcasting or of a diagonal; write to a copy()", t)
	}
	return c.OK()
}
