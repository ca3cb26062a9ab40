package pass

// This file computes slices and concatenations of constants by copying what lies side by side.

import (
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
)

// movedOf gives the result of a slice of one axis in steps of one, or of a concatenation; nil for other nodes. A
// slice of the first axis lies where the constant does.
func movedOf(n *ir.Node) []*onnx.Tensor {
	if len(n.Outs) != 1 || n.Outs[0] == nil || n.Op.Domain != "" || len(n.Ins) == 0 || n.Ins[0] == nil {
		return nil
	}
	dtype := n.Ins[0].Const.Tensor.DType
	if dtype == onnx.Bool || dtype.Bits()%8 != 0 || n.Outs[0].Type.Elem != dtype {
		return nil
	}
	var raw []byte
	switch n.Op.Name {
	case "Slice":
		raw = partAlong(n)
	case "Concat":
		raw = joinedAlong(n)
	}
	if size, ok := bytesOf(n.Outs[0]); raw == nil || !ok || int64(len(raw)) != size {
		return nil
	}
	return []*onnx.Tensor{{DType: dtype, Dims: dimsOf(n.Outs[0]), Raw: raw, HasRaw: true}}
}

// runOf is the bytes of an element of an axis with all behind it.
func runOf(t *onnx.Tensor, axis int64) int64 {
	size := int64(t.DType.Bits() / 8)
	for _, d := range t.Dims[axis+1:] {
		size *= d
	}
	return size
}

// partAlong is the bytes of a slice; nil: it is none of those above, or empty.
func partAlong(n *ir.Node) []byte {
	x, want := n.Ins[0].Const.Tensor, dimsOf(n.Outs[0])
	axes := sliceOf(n)
	axis := slices.IndexFunc(axes, func(s sliced) bool { return s.step != 0 })
	if axis < 0 || axes[axis].step != 1 || slices.ContainsFunc(axes[axis+1:], func(s sliced) bool { return s.step != 0 }) {
		return nil
	}
	run, have, start := runOf(x, int64(axis)), x.Dims[axis], axes[axis].start
	if run*have == 0 || int64(len(x.Raw))%(run*have) != 0 || len(want) != len(x.Dims) || start > have-want[axis] {
		return nil
	}
	var out []byte
	for rows := x.Raw; len(rows) > 0; rows = rows[run*have:] {
		piece := rows[run*start : run*(start+want[axis])]
		if int64(len(x.Raw)) == run*have {
			return slices.Clip(piece)
		}
		out = append(out, piece...)
	}
	return out
}

// joinedAlong is the bytes of a concatenation; nil: an operand is empty or has others than its bytes.
func joinedAlong(n *ir.Node) []byte {
	axis := axisOf(n)
	size, _ := bytesOf(n.Outs[0])
	if axis < 0 || axis >= int64(len(n.Ins[0].Const.Tensor.Dims)) {
		return nil
	}
	rows := make([][]byte, len(n.Ins)) // what is left of each operand
	runs := make([]int64, len(n.Ins))
	for i, v := range n.Ins {
		t := v.Const.Tensor
		if len(t.Dims) != len(n.Ins[0].Const.Tensor.Dims) {
			return nil
		}
		rows[i], runs[i] = t.Raw, runOf(t, axis)*t.Dims[axis]
		if runs[i] == 0 || int64(len(t.Raw))%runs[i] != 0 || int64(len(t.Raw))/runs[i] != int64(len(rows[0]))/runs[0] {
			return nil
		}
	}
	out := make([]byte, 0, size)
	for len(rows[0]) > 0 {
		for i := range rows {
			out = append(out, rows[i][:runs[i]]...)
			rows[i] = rows[i][runs[i]:]
		}
	}
	return slices.Clip(out)
}
