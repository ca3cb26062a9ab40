package sched

// This file chooses sizes.

import (
	"shapecheck/codegen/ir"
	"shapecheck/onnx"
)

// A Point gives symbols sizes, at which orders are compared. It changes costs, never what a
// program means.
type Point map[string]int64

// The sizes of symbols that nobody gave: of leading axes, and of others.
const (
	leading = 1
	usual   = 128
)

// PointOf is a sizing point: what is given, and for other symbols 1 where they are leading
// axes of inputs, else 128, moved into the range that the module's facts say.
func PointOf(m *ir.Module, given map[string]int64) Point {
	out := Point{}
	for _, s := range m.Syms {
		name, _ := s.Expr.IsSymbol()
		n, ok := given[name]
		if !ok {
			n = usual
			if s.Node == nil && s.Param == nil && s.Axis == 0 && len(m.Ins[s.Port].Type.Dims) > 1 {
				n = leading
			}
			lo, hi := m.Facts.Range(s.Expr)
			n = min(max(n, lo), hi)
		}
		out[name] = n
	}
	return out
}

// elements is the number of elements of a tensor; ok is false when it is not known.
func (p Point) elements(v *ir.Value) (n int64, ok bool) {
	if v.Type.Kind != onnx.TensorType || !v.Type.Ranked {
		return 0, false
	}
	dims := make([]int64, len(v.Type.Dims))
	for i, d := range v.Type.Dims {
		n, err := d.Eval(func(s string) (int64, bool) { n, ok := p[s]; return n, ok })
		if err != nil || n < 0 {
			return 0, false
		}
		dims[i] = n
	}
	n, err := onnx.Count(dims)
	return n, err == nil
}

// bytes is the size of a tensor; ok is false when it is not known, as that of sequences.
func (p Point) bytes(v *ir.Value) (size int64, ok bool) {
	n, ok := p.elements(v)
	if !ok {
		return 0, false
	}
	size, err := onnx.ByteSize(v.Type.Elem, n)
	return size, err == nil
}
