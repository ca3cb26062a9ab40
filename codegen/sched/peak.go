package sched

// This file says where an order needs the most memory, and what memory and work are as
// expressions over the symbols.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

// PeakOf finds the node during which the most bytes are held at a sizing point, nil before the
// first one, and what is held then, as an expression: at other sizes the peak may be elsewhere.
// The expression is nil when a size is not known. A view counts as its operand.
func PeakOf(m *ir.Module, at Point) (*ir.Node, *symshape.Expr) {
	n, list := peakOf(m.Main, at)
	return n, Bytes(m.Pool, list)
}

// peakOf gives the node and the values, in the order in which they are made.
func peakOf(g *ir.Graph, at Point) (*ir.Node, []*ir.Value) {
	l := newLives(g, at)
	peak := l.start
	var node, inner *ir.Node
	held := slices.Clone(g.Params)
	made := slices.Clone(g.Params)
	for _, n := range g.Nodes {
		before := l.now
		var within int64
		var sub []*ir.Value
		var deep *ir.Node
		for _, b := range n.Graphs {
			s := simulate(b, b.Nodes, at).Peak
			captured := b.Params[len(b.Params)-n.Captured:]
			for _, p := range captured {
				size, _ := at.bytes(p)
				s -= size
			}
			if s > within {
				within = s
				deep, sub = peakOf(b, at)
				sub = slices.DeleteFunc(sub, func(v *ir.Value) bool { return slices.Contains(captured, v) })
			}
		}
		if before+within > peak {
			peak, node, inner = before+within, n, deep
			held = append(l.heldOf(made, nil), sub...)
		}
		l.begin(n)
		var outs []*ir.Value
		if viewed(n) == nil {
			for _, v := range n.Outs {
				if v != nil {
					outs = append(outs, v)
				}
			}
		}
		if l.now > peak {
			peak, node, inner = l.now, n, nil
			held = l.heldOf(made, outs)
		}
		made = append(made, outs...)
		l.end(n)
	}
	if inner != nil {
		node = inner
	}
	return node, held
}

// heldOf lists the values that are in use, and those that were just made.
func (l *lives) heldOf(made, now []*ir.Value) []*ir.Value {
	var out []*ir.Value
	for _, v := range made {
		if l.left(v) > 0 {
			out = append(out, v)
		}
	}
	return append(out, now...)
}

// Bytes is the size of values; nil when one is not known.
func Bytes(pool *symshape.Pool, list []*ir.Value) *symshape.Expr {
	total := pool.Const(0)
	for _, v := range list {
		if v.Type.Kind != onnx.TensorType || !v.Type.Ranked {
			return nil
		}
		eight, err := onnx.ByteSize(v.Type.Elem, 8)
		if err != nil {
			return nil
		}
		n := pool.Const(1)
		for _, d := range v.Type.Dims {
			n = pool.Mul(n, d)
		}
		if n = pool.Mul(n, pool.Const(eight)); n == nil {
			return nil
		}
		total = pool.Add(total, pool.CeilDiv(n, pool.Const(8)))
	}
	return total
}

// Flops is the work of a module, that of a body once; nil when that of a node is not known.
func Flops(m *ir.Module) *symshape.Expr {
	total := m.Pool.Const(0)
	m.Walk(func(g *ir.Graph) {
		for _, n := range g.Nodes {
			switch {
			case n.Op.Traits&ir.View != 0 || len(n.Graphs) > 0 || len(n.Outs) == 0 || n.Outs[0] == nil:
			case n.Op.Flops != nil:
				total = m.Pool.Add(total, n.Op.Flops(m.Pool, n))
			case n.Outs[0].Type.Kind != onnx.TensorType || !n.Outs[0].Type.Ranked:
				total = nil
			default:
				e := m.Pool.Const(1)
				for _, d := range n.Outs[0].Type.Dims {
					e = m.Pool.Mul(e, d)
				}
				total = m.Pool.Add(total, e)
			}
		}
	})
	return total
}
