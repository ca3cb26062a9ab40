package lint

// This file holds the rule of attention weights: SC414.

import (
	"fmt"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
)

// unsummedWeights is SC414: the weights of a self-attention sum up to 1 along another axis
// than the one that a product sums over. Where queries and keys are different things, as
// slots and pixels, or clusters and points, a softmax over the queries is an assignment and
// meant; a softmax after another one balances both axes.
func unsummedWeights(l *linter, n *graph.Node) {
	for i, v := range factors(n) {
		over, kept := summed(n, i, v)
		if over < 0 || v.Type.Rank() < 3 {
			continue
		}
		soft, axes := softmaxBefore(v, []int{over, kept})
		if soft == nil {
			continue
		}
		in := subject(soft)
		dim, ok := axisArg(soft, "dim", in.Type.Rank())
		a := l.of(in)
		if !ok || dim == axes[0] || in.Def != nil && in.Def.Form == graph.Softmax || !sameAxis(a[axes[0]], a[axes[1]]) ||
			isConst(in.Type.Shape[dim], 1) || l.hasBatch(a[dim]) {
			continue
		}
		d := diag.New(diag.UnsummedWeights, soft.At,
			fmt.Sprintf("%s over dimension %d of %s, but the product that follows sums over dimension %d: the weights of one sum do not add up to 1",
				short(soft), dim, in.Type.Shape, axes[0]))
		d.Notes = []string{fmt.Sprintf("give the dimension of the keys: softmax(dim=%d)", axes[0]-in.Type.Rank())}
		shows(d, n.At, "the product")
		l.Report(d)
		return
	}
}

// drawnOtherwise is SC414 for sampling: the weights of a row come from a softmax over another
// axis than the one that an index is drawn from.
func drawnOtherwise(l *linter, n *graph.Node) {
	v := subject(n)
	if v == nil || v.Type.Rank() != 2 {
		return
	}
	soft, axes := softmaxBefore(v, []int{1, 0})
	if soft == nil {
		return
	}
	in := subject(soft)
	if dim, ok := axisArg(soft, "dim", in.Type.Rank()); ok && dim == axes[1] && !isConst(in.Type.Shape[axes[0]], 1) {
		d := diag.New(diag.UnsummedWeights, soft.At,
			fmt.Sprintf("%s over dimension %d of %s, but %s draws along dimension %d: the weights of one draw do not add up to 1",
				short(soft), dim, in.Type.Shape, short(n), axes[0]))
		d.Notes = []string{fmt.Sprintf("give the dimension of what is drawn: softmax(dim=%d)", axes[0]-in.Type.Rank())}
		shows(d, n.At, "indices are drawn here")
		l.Report(d)
	}
}

// factors are the operands of a product of two tensors.
func factors(n *graph.Node) []*graph.Value {
	if n.Form == graph.Einsum {
		_, operands := equation(n)
		return operands
	}
	if len(n.Args) < 2 {
		return nil
	}
	return []*graph.Value{tensorOf(n.Args[0].Value), tensorOf(n.Args[1].Value)}
}

// summed gives the axis of a factor that the product sums over, if it is one alone, and an
// axis of it that the product keeps and the other factors do not have; -1 without them.
func summed(n *graph.Node, i int, v *graph.Value) (over, kept int) {
	if v == nil {
		return -1, -1
	}
	if n.Form == graph.MatMul {
		if i == 0 {
			return v.Type.Rank() - 1, v.Type.Rank() - 2
		}
		return v.Type.Rank() - 2, v.Type.Rank() - 1
	}
	eq, _ := equation(n)
	left, right, ok := strings.Cut(eq, "->")
	terms := strings.Split(left, ",")
	if !ok || strings.Contains(eq, ".") || len(terms) != 2 || i > 1 || len(terms[i]) != v.Type.Rank() {
		return -1, -1
	}
	over, kept = -1, -1
	for j, c := range terms[i] {
		switch other := strings.ContainsRune(terms[1-i], c); {
		case !strings.ContainsRune(right, c) && over >= 0, strings.ContainsRune(right, c) && !other && kept >= 0:
			return -1, -1
		case !strings.ContainsRune(right, c):
			over = j
		case !other:
			kept = j
		}
	}
	if kept < 0 {
		return -1, -1
	}
	return over, kept
}

// softmaxBefore finds the softmax whose result v is, its axes in another order at most, and
// where the given axes were there.
func softmaxBefore(v *graph.Value, axes []int) (*graph.Node, []int) {
	return normalizedBefore(v, axes, func(n *graph.Node) bool { return n.Form == graph.Softmax })
}

// normalizedBefore is softmaxBefore for the operations that is tells.
func normalizedBefore(v *graph.Value, axes []int, is func(*graph.Node) bool) (*graph.Node, []int) {
	for v != nil && v.Def != nil {
		n := v.Def
		in := subject(n)
		if in == nil || in.Type.Rank() != v.Type.Rank() {
			return nil, nil
		}
		if is(n) {
			return n, axes
		}
		switch n.Form {
		case graph.Transpose, graph.Permute:
			order := orderOf(n, in.Type.Rank())
			if order == nil {
				return nil, nil
			}
			before := make([]int, len(axes))
			for i, a := range axes {
				before[i] = order[a]
			}
			axes = before
		case graph.GetItem:
			if !onlySlices(n) {
				return nil, nil
			}
		case graph.NoForm:
			tensors := 0
			for _, a := range n.Args {
				graph.Operands(a.Value, func(*graph.Value) { tensors++ })
			}
			if tensors != 1 || !sameShape(in, v) || n.Is.Has(graph.AlongDim) {
				return nil, nil
			}
		default:
			return nil, nil
		}
		v = in
	}
	return nil, nil
}

// onlySlices reports whether n cuts axes that all stay.
func onlySlices(n *graph.Node) bool {
	key, ok := arg(n, "key").(graph.Tuple)
	if !ok {
		key = graph.Tuple{arg(n, "key")}
	}
	for _, k := range key {
		if _, ok := k.(graph.Slice); !ok {
			return false
		}
	}
	return true
}
