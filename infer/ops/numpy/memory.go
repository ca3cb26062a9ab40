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

// A memory says how a value lies in memory. own: it is no view. known is false where an operation
// on the way is not followed; the others say nothing then. writeable is false of views that NumPy
// makes read-only. An array that was locked by setflags is noted at the tensor, not here.
type memory struct{ known, own, writeable bool }

// memoryOf follows the operations that v came by.
func memoryOf(v *graph.Value) memory { return memories{}.of(v) }

// memories are those that were found already. The entry of a value is made before its operands are
// followed, as one that is not known.
type memories map[*graph.Value]memory

// maxMemories bounds how many operations are followed. Beyond it the layout is not known.
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
	if d == nil { // an argument, which the caller made; with strides of its own in its annotation it is not in C order
		return memory{v.Type.Strides == nil, true, true}
	}
	fresh := memory{true, true, true}
	// With out= the result is that array.
	if out := argNamed(d, "out"); out != nil {
		return ms.of(out)
	}
	switch first := firstArg(d); {
	case ops.Writes(d): // in place: the result is the first operand
		return ms.of(first)
	case d.Is.Has(graph.NewInRows):
		return fresh
	case d.Op == "torch.clone", d.Is.Has(graph.NewCopy):
		// A copy with order K follows the layout of its operand, which therefore has to be known.
		if ms.allKnown(d) {
			return fresh
		}
	case d.Is.Has(graph.NewIfRows):
		// The order of the result is C only if all operands are.
		if ordersRows(d) && ms.allInRows(d) {
			return fresh
		}
	case d.Is.Has(graph.NewElementwise):
		// An element-wise operation follows the layout of its operands, and the strides of the
		// graph show it.
		if ordersRows(d) && ms.allKnown(d) {
			return fresh
		}
	case v.Base != nil && strings.HasPrefix(d.Op, "torch.") && first != nil && v.Base == baseOf(first):
		// A view of the same memory. By broadcasting or of a diagonal NumPy makes it read-only.
		if backwards(d) { // the strides of the graph are those of a copy
			return memory{}
		}
		m := ms.of(first)
		readOnly := d.Op == "torch.broadcast_to" || d.Op == "torch.diagonal"
		return memory{m.known, false, m.writeable && !readOnly}
	case d.Op == "torch.reshape" && v.Base == nil && first != nil: // the elements were copied
		// NumPy's reshape gives a view of the copy that it made, so that the result does not own its memory.
		return memory{ms.of(first).known, false, true}
	}
	return memory{}
}

// allKnown reports whether it is known how all arrays among the arguments lie in memory.
func (ms memories) allKnown(d *graph.Node) bool {
	all := true
	for _, a := range d.Args {
		graph.Operands(a.Value, func(x *graph.Value) { all = all && ms.of(x).known })
	}
	return all
}

// allInRows reports whether all arrays among the arguments are in C order.
func (ms memories) allInRows(d *graph.Node) bool {
	all := true
	for _, a := range d.Args {
		graph.Operands(a.Value, func(x *graph.Value) { all = all && ms.of(x).known && x.Type.Strides == nil })
	}
	return all
}

// argNamed is the array that is an argument by a name; nil: there is none.
func argNamed(d *graph.Node, name string) *graph.Value {
	for _, a := range d.Args {
		if a.Name == name {
			x, _ := a.Value.(*graph.Value)
			return x
		}
	}
	return nil
}

// firstArg is the array that is the first argument; nil: there is none.
func firstArg(d *graph.Node) *graph.Value {
	if len(d.Args) == 0 {
		return nil
	}
	x, _ := d.Args[0].Value.(*graph.Value)
	return x
}

// backwards reports whether an index has a slice with a negative step. NumPy gives a view with
// negative strides for it, PyTorch has none; a step that is not known counts.
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

// ordersRows reports whether an operation has no order= but those that keep C order. Order "F"
// alone changes it; "K" and "A" keep the order of the operands.
func ordersRows(d *graph.Node) bool {
	for _, a := range d.Args {
		if a.Name == "order" {
			s, isText := a.Value.(graph.Str)
			return a.Value == nil || isText && strings.Contains("CcKkAa", string(s))
		}
	}
	return true
}

// stridesOf gives the strides in bytes, or nil. NumPy counts strides in bytes, the graph in
// elements. It is nil where the layout or an item's size is not known, where an axis has no
// elements, and for axes of one element of a view.
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

// flagsOf is a tuple of four: C order, Fortran order, own memory and writeable. Those which are not
// known are values without a known value. An array may be in both orders, as each of one axis is.
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
		// Whether strides are those of an order is decided for known sizes: a size of 1 satisfies
		// both.
		if _, fixed := ops.ConstShape(ty.Shape); sure && (fixed || len(ty.Shape) < 2) {
			rows = value.Bool(c.IsRowMajor(ty.Shape, strides))
			// The array is in Fortran order if its transpose is in C order.
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

// writable refuses to write to an array that is known to be read-only. It reports whether there is
// no fault. Of an array whose layout is not known nothing is refused.
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
