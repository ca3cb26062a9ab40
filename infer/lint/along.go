package lint

// This file holds the rules of what works along one axis and is read along another: SC414 of
// scores, SC413 of places, and SC411 of an index and of a total.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
)

// bestOfOthers is SC414 for a choice: softmax or log_softmax goes over one axis, argmax over
// another one. It compares numbers that were scaled one by one, and takes the softmax of one
// of those it does not choose from.
func bestOfOthers(l *linter, n *graph.Node) {
	v, out := subject(n), result(n)
	if v == nil || out == nil || len(n.Outputs) != 1 || !v.Type.DType.IsFloat() || !out.Type.DType.IsIntegral() || n.Is.Has(graph.AlongDim) {
		return
	}
	if dim, ok := axisArg(n, "dim", v.Type.Rank()); ok && arg(n, "keepdim") != nil {
		l.readAlong(n, v, dim, "chooses", "give the dimension of what is chosen from")
	}
}

// pickedOtherwise is SC414 for log-probabilities: they go over one axis, and gather() takes one
// of each along another.
func pickedOtherwise(l *linter, n *graph.Node) {
	v, index := subject(n), tensorArg(n, "index")
	if v == nil || index == nil || index.Type.Rank() != v.Type.Rank() {
		return
	}
	if dim, ok := axisArg(n, "dim", v.Type.Rank()); ok && isConst(index.Type.Shape[dim], 1) {
		l.readAlong(n, v, dim, "takes one", "give the dimension of what one is taken of")
	}
}

// readAlong reports a softmax over another axis than dim, along which n reads v.
func (l *linter) readAlong(n *graph.Node, v *graph.Value, dim int, does, advice string) {
	soft, axes := normalizedBefore(v, []int{dim}, func(n *graph.Node) bool { return n.Is.Has(graph.AlongDim) && n.Form != graph.Normalize })
	if soft == nil {
		return
	}
	in := subject(soft)
	over, ok := axisArg(soft, "dim", in.Type.Rank())
	if !ok || over == axes[0] || isConst(in.Type.Shape[over], 1) || isConst(in.Type.Shape[axes[0]], 1) {
		return
	}
	if in.Def != nil && in.Def.Is.Has(graph.AlongDim) {
		return // both axes are balanced
	}
	d := diag.New(diag.UnsummedWeights, soft.At,
		fmt.Sprintf("%s over dimension %d of %s, but %s %s along dimension %d: what is compared does not add up to 1",
			short(soft), over, in.Type.Shape, short(n), does, axes[0]))
	d.Notes = []string{fmt.Sprintf("%s: dim=%d", advice, axes[0]-in.Type.Rank())}
	shows(d, n.At, short(n)+" is here")
	l.Report(d)
}

// placesOutside is SC413 for places along an axis, which a sort or a choice gave, where they
// index a shorter one.
func placesOutside(l *linter, n *graph.Node) {
	x, index := subject(n), tensorArg(n, "index")
	if index == nil {
		index = tensorArg(n, "indices")
	}
	if x == nil || index == nil {
		return
	}
	dim, ok := axisArg(n, "dim", x.Type.Rank())
	by, over := l.places(index)
	if !ok || by == nil {
		return
	}
	in := subject(by)
	have, known := x.Type.Shape[dim].Const()
	from, also := in.Type.Shape[over].Const()
	if !known || !also || from <= have {
		return
	}
	d := l.report(diag.DrawnIndices, n,
		fmt.Sprintf("the indices are places along an axis of %d, and %s takes them along dimension %d of %s, which has %d",
			from, short(n), dim, x.Type.Shape, have))
	shows(d, by.At, fmt.Sprintf("%s over dimension %d of %s", short(by), over, in.Type.Shape))
}

// firstOfEach is SC411 for gather() with an index that unsqueeze() gave a last axis of 1: of
// rows of features it takes the first feature alone.
func firstOfEach(l *linter, n *graph.Node) {
	x, index := subject(n), tensorArg(n, "index")
	if x == nil || index == nil || index.Def == nil || index.Type.Rank() != x.Type.Rank() || index.Type.Rank() < 2 {
		return
	}
	dim, ok := axisArg(n, "dim", x.Type.Rank())
	last := x.Type.Rank() - 1
	before := subject(index.Def)
	size, known := x.Type.Shape[last].Const()
	if !ok || dim == last || !known || size < 2 || !isConst(index.Type.Shape[last], 1) || before == nil || before.Type.Rank() != last ||
		!index.Def.Is.Has(graph.View) {
		return
	}
	d := l.report(diag.Coincidence, n,
		fmt.Sprintf("the index %s has one element where %s has %d features: the first of each row is taken, and no other",
			index.Type.Shape, x.Type.Shape, size), fmt.Sprintf("repeat the index for all features: index.expand(%s-1, %d)", dots(last), size))
	shows(d, index.Def.At, "the index gets its last axis here")
}

// dots writes n sizes that stay for expand().
func dots(n int) string {
	s := ""
	for range n - 1 {
		s += "-1, "
	}
	return s
}

// totalBesideRows is SC411 for a sum over all elements that is added to the sums of the rows of
// as large a matrix: one of both was to have a dim.
func totalBesideRows(l *linter, n *graph.Node) {
	if len(n.Args) < 2 || n.Is.Has(graph.Multiplies) || arg(n, "alpha") == nil {
		return
	}
	total, rows := tensorOf(n.Args[0].Value), tensorOf(n.Args[1].Value)
	if total != nil && rows != nil && total.Type.Rank() > 0 {
		total, rows = rows, total
	}
	if total == nil || rows == nil || total.Def == nil || rows.Def == nil || total.Type.Rank() != 0 || rows.Type.Rank() != 1 {
		return
	}
	whole, matrix := subject(total.Def), subject(rows.Def)
	if whole == nil || matrix == nil || total.Def.Op != rows.Def.Op || total.Def.Form != graph.NoForm || matrix.Type.Rank() != 2 ||
		!sameShape(whole, matrix) {
		return
	}
	dim, ok := axisArg(rows.Def, "dim", 2)
	if arg(total.Def, "dim") != nil || !ok || dim != 1 || isConst(matrix.Type.Shape[0], 1) {
		return
	}
	d := l.report(diag.Coincidence, n, fmt.Sprintf("one number, %s of all elements of %s, meets %s of each row of %s",
		short(total.Def), whole.Type.Shape, short(rows.Def), matrix.Type.Shape), "give both the dimension of the rows: dim=-1")
	shows(d, total.Def.At, "over all elements")
	shows(d, rows.Def.At, "over dimension 1")
}
