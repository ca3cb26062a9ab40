package torch

// This file finds the order in memory of what einsum() computes from two operands
// with a common label that is summed: a product of matrices whose axes are the
// labels of both operands, of the left one, and of the right one, each in the
// order of the output, which is then permuted into that order
// (aten/src/ATen/native/Linear.cpp, sumproduct_pair).

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// einsumStrides gives the strides of the result, or unknown ones where another
// computation makes it.
func einsumStrides(c *ops.Call, eq *equation, ts []*value.Tensor, shape symshape.Shape, count map[label]int, dots int) []*symshape.Expr {
	unknown := make([]*symshape.Expr, len(shape))
	if len(ts) != 2 {
		return unknown
	}
	has := [2]map[label]bool{}
	for i, t := range ts {
		labels, ok := spreadLabels(eq.inputs[i], dots, len(t.Type().Shape))
		if !ok {
			return unknown
		}
		has[i] = map[label]bool{}
		for axis, l := range labels {
			if has[i][l] {
				return unknown // a diagonal is taken first
			}
			has[i][l] = !ops.IsConst(t.Type().Shape[axis], 1)
		}
	}
	out := eq.output
	if !eq.explicit {
		out = []label{ellipsisLabel}
		for l, n := range count {
			if n == 1 {
				out = append(out, l)
			}
		}
		slices.Sort(out[1:])
	}
	out, ok := spreadLabels(out, dots, len(shape))
	if !ok {
		return unknown
	}
	summed := false
	for l := range has[0] {
		summed = summed || has[0][l] && has[1][l] && !slices.Contains(out, l)
	}
	if !summed {
		return unknown
	}
	var groups [3][]int // axes of both, of the left, of the right operand or of none
	for axis, l := range out {
		switch left, right := has[0][l], has[1][l]; {
		case left && right:
			groups[0] = append(groups[0], axis)
		case left:
			groups[1] = append(groups[1], axis)
		default:
			groups[2] = append(groups[2], axis)
		}
	}
	order := slices.Concat(groups[0], groups[1], groups[2])
	step := c.P.Const(1)
	for i := len(order) - 1; i >= 0; i-- {
		unknown[order[i]] = step
		step = c.P.Mul(step, shape[order[i]].Expr)
	}
	return unknown
}

// spreadLabels replaces the ellipsis by labels of its axes, counted from its end,
// so that rank labels come out.
func spreadLabels(labels []label, dots, rank int) ([]label, bool) {
	var out []label
	for _, l := range labels {
		if l != ellipsisLabel {
			out = append(out, l)
			continue
		}
		n := rank - len(labels) + 1
		if n > dots {
			return nil, false
		}
		for k := range n {
			out = append(out, ellipsisLabel+label(n-k))
		}
	}
	return out, len(out) == rank
}
