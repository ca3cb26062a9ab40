package lint

// This file holds the rules of what works along one axis and is read along another: SC414 of
// scores, SC413 of places, and SC411 of an index and of a total.

import (
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
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

// dividedOtherwise is SC411 for two tensors that have the elements of two axes beside each other, divided otherwise: [B,h*w,C] and
// [1,h,w*C], which agree only where one of the sizes is 1.
func dividedOtherwise(l *linter, n *graph.Node) {
	if len(n.Args) < 2 {
		return
	}
	a, b := tensorOf(n.Args[0].Value), tensorOf(n.Args[1].Value)
	if a == nil || b == nil {
		return
	}
	s, t := a.Type.Shape, b.Type.Shape
	for i, j := len(s)-1, len(t)-1; i > 0 && j > 0; i, j = i-1, j-1 {
		if !l.regrouped(s[i-1], s[i], t[j-1], t[j]) {
			continue
		}
		d := l.report(diag.Coincidence, n, fmt.Sprintf("%s of %s and %s: both have the elements of (%s, %s), but divided otherwise",
			short(n), s, t, s[i-1].Compact(), s[i].Compact()), "join the same axes in both")
		d.Fact.Kind = diag.CrossesSizes
		for _, v := range [...]*graph.Value{a, b} {
			if v.Def != nil {
				shows(d, v.Def.At, fmt.Sprintf("%s is made here", v.Type.Shape))
			}
		}
		return
	}
}

// someSizes are sizes for which it is tried whether two shapes have as many elements: multiples of what strides and windows of programs
// divide by, of which none is another.
var someSizes = [...]int64{64, 128, 192, 320, 448}

// regrouped reports whether two sizes beside each other have the product of two others, for all of some sizes of the arguments, and are
// not these, in whichever order: a matrix and its transpose have them in the other one.
func (l *linter) regrouped(a, b, c, d symshape.Dim) bool {
	var symbols []*symshape.Expr
	for _, x := range [...]symshape.Dim{a, b, c, d} {
		if x.Expr == nil {
			return false
		}
		for _, sym := range x.Expr.Symbols() {
			if l.symbols[sym] == nil {
				return false
			}
			if !slices.Contains(symbols, sym) {
				symbols = append(symbols, sym)
			}
		}
	}
	if len(symbols) == 0 || len(symbols) > len(someSizes) {
		return false
	}
	l.Spend(len(someSizes) * len(symbols))
	for shift := range someSizes {
		env := func(name string) (int64, bool) {
			for k, sym := range symbols {
				if sym.String() == name {
					return someSizes[(k+shift)%len(someSizes)], true
				}
			}
			return 0, false
		}
		var n [4]int64
		for k, x := range [...]symshape.Dim{a, b, c, d} {
			v, err := x.Expr.Eval(env)
			if err != nil || v < 2 {
				return false
			}
			n[k] = v
		}
		if n[0] == n[2] || n[1] == n[3] || n[0] == n[3] || n[1] == n[2] || n[0]*n[1] != n[2]*n[3] {
			return false
		}
	}
	return true
}

// crossedSizes is SC411 for two tensors of places that nothing but sizes make, of which one has two sizes in the other order: a table of
// rows for [w,h] beside one of columns for [h,w], which a square alone has.
func crossedSizes(l *linter, n *graph.Node) {
	list := elements(n)
	if n.Form == graph.Arithmetic {
		list = nil
		for _, a := range n.Args[:min(2, len(n.Args))] {
			if v := tensorOf(a.Value); v != nil {
				list = append(list, v)
			}
		}
	}
	if len(list) < 2 || list[0].Type.Rank() != list[1].Type.Rank() || !list[0].Type.Ranked || !list[1].Type.Ranked {
		return
	}
	s, t := list[0].Type.Shape, list[1].Type.Shape
	for i := 0; i+1 < len(s); i++ {
		a, b := s[i], s[i+1]
		x, y := onlySymbol(a), onlySymbol(b)
		if x == nil || y == nil || x == y || onlySymbol(t[i]) != y || onlySymbol(t[i+1]) != x {
			continue
		}
		if l.fromData(list[0], 0) || l.fromData(list[1], 0) || l.demands(l.Pool.Eq(a.Expr, t[i].Expr)) {
			return
		}
		d := l.report(diag.Coincidence, n, fmt.Sprintf("%s of %s and %s works only where %s is %s: one of them has these sizes in the other order",
			short(n), s, t, a.Compact(), b.Compact()),
			"rows repeat along the columns, and columns along the rows; if only squares are meant, assert it")
		d.Fact.Kind = diag.CrossesSizes
		for _, v := range list[:2] {
			if v.Def != nil {
				shows(d, v.Def.At, fmt.Sprintf("%s is made here", v.Type.Shape))
			}
		}
		return
	}
}

// demands reports whether the program itself, or the user, says a condition.
func (l *linter) demands(c *symshape.Cond) bool {
	var known symshape.Facts
	for _, d := range slices.Concat(l.Demanded, l.Assumed) {
		if f, ok := known.Assume(d); ok {
			known = f
		}
	}
	return known.Decide(c).Answer == symshape.Yes
}

// onlySymbol is the symbol of an argument that decides alone of a size; nil: another one does.
func onlySymbol(d symshape.Dim) *symshape.Expr {
	if d.Expr == nil {
		return nil
	}
	if list := d.Expr.Symbols(); len(list) == 1 {
		return list[0]
	}
	return nil
}

// fromData reports whether a tensor is made of data, not of sizes and parameters alone.
func (l *linter) fromData(v *graph.Value, depth int) bool {
	if v == nil || depth > maxChain {
		return true
	}
	if v.Param {
		return false
	}
	if v.Def == nil {
		return true
	}
	found := false
	for _, a := range v.Def.Args {
		graph.Operands(a.Value, func(x *graph.Value) { found = found || x.Kind == graph.TensorKind && l.fromData(x, depth+1) })
	}
	return found
}
