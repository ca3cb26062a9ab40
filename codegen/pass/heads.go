package pass

// This file finds the heads of keys and values that are repeated for groups of heads of queries: as exporters write enable_gqa,
// repeat_interleave, and views of expanded views.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/symshape"
)

// fewerHeads are keys or values before each of their heads was repeated, with heads before the rows (whole), or behind them (rows); one
// may be nil.
type fewerHeads struct {
	whole, rows *ir.Value
	heads       *symshape.Expr
}

// fewer finds what keys or values repeat, of which whole or rows may be nil; nil: they do not.
func (c *Context) fewer(g *ir.Graph, n *ir.Node, whole, rows *ir.Value) *fewerHeads {
	if whole != nil {
		if x := c.repeated(g, n, whole, 1); x != nil {
			return &fewerHeads{x, c.splitHeads(g, n, x, x.Type.Dims), x.Type.Dims[1]}
		}
	}
	if rows != nil {
		if x := c.repeated(g, n, rows, 2); x != nil {
			return &fewerHeads{nil, x, x.Type.Dims[2]}
		}
	}
	return nil
}

// repeated is a value of 4 axes whose elements along one axis a value repeats, each equally often before the next; nil: it does not.
func (c *Context) repeated(g *ir.Graph, n *ir.Node, v *ir.Value, axis int) *ir.Value {
	t := v.Type.Dims
	heads, ok := t[axis].Const()
	if !ok {
		return nil
	}
	if d := defOf(v, "Gather"); d != nil {
		x := d.Ins[0]
		if !x.Type.Ranked || len(x.Type.Dims) != 4 || axisOf(d) != int64(axis) || !d.Ins[1].Type.Ranked || len(d.Ins[1].Type.Dims) != 1 {
			return nil
		}
		kv, ok := x.Type.Dims[axis].Const()
		if !ok || kv < 1 || heads <= kv || heads%kv != 0 {
			return nil
		}
		at := intsOf(d.Ins[1])
		for i, k := range at {
			if k != int64(i)/(heads/kv) {
				return nil
			}
		}
		if int64(len(at)) != heads {
			return nil
		}
		return x
	}
	v = unviewed(v)
	d := defOf(v, "Expand")
	if d == nil {
		d = defOf(v, "Tile")
	}
	if d == nil || !v.Type.Ranked || !d.Ins[0].Type.Ranked {
		return nil
	}
	// The heads and how often each is there are two axes, of which the second is repeated.
	from, to := d.Ins[0].Type.Dims, v.Type.Dims
	if len(to) == 4 && slices.Equal(to, t) { // one head alone
		to = slices.Insert(slices.Clone(to), axis, c.Module.Pool.Const(1))
		if len(from) == 4 {
			from = slices.Insert(slices.Clone(from), axis, c.Module.Pool.Const(1))
		}
	}
	if len(to) != 5 || len(from) != 5 {
		return nil
	}
	kv, known := to[axis].Const()
	times, also := to[axis+1].Const()
	if !known || !also || !isOne(from[axis+1]) || kv < 1 || times < 2 || kv*times != heads {
		return nil
	}
	without := func(dims []*symshape.Expr) []*symshape.Expr { return slices.Delete(slices.Clone(dims), axis+1, axis+2) }
	dims := slices.Clone(t)
	dims[axis] = to[axis]
	if !slices.Equal(without(from), dims) || !slices.Equal(without(to), dims) {
		return nil
	}
	if x := unviewed(d.Ins[0]); slices.Equal(x.Type.Dims, dims) {
		return x
	}
	return c.view(g, n, d.Ins[0], dims)
}

// unviewed is the value that a view, or a view of a view, shows.
func unviewed(v *ir.Value) *ir.Value {
	for v.Def != nil && v.Def.Op.Opcode == isa.View && v.Def.Ins[0].Type.Ranked {
		v = v.Def.Ins[0]
	}
	return v
}
