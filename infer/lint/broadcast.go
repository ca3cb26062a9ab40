package lint

// This file holds the rules of broadcasting: SC403 and SC404.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// bothGrow is SC403: [N,1] with [N] gives [N,N]. That is meant where the 1 was
// made for it (x[:, None], keepdim=True); one that a layer's only output or an
// argument has was not.
func bothGrow(l *linter, n *graph.Node) {
	if len(n.Args) < 2 {
		return
	}
	a, b, out := tensorOf(n.Args[0].Value), tensorOf(n.Args[1].Value), result(n)
	if a == nil || b == nil || out == nil {
		return
	}
	if a.Type.Rank() < b.Type.Rank() {
		a, b = b, a
	}
	off := a.Type.Rank() - b.Type.Rank()
	if off == 0 {
		return
	}
	pa, pb := l.of(a), l.of(b)
	for i := range pa {
		if !isConst(a.Type.Shape[i], 1) || i < off || isConst(b.Type.Shape[i-off], 1) || !unmeant(pa[i], n) {
			continue
		}
		for j := range off {
			if pa[i].single().birth == kept && n.Form == graph.Arithmetic && !l.sumsUpAlone(out) {
				continue
			}
			if !isConst(a.Type.Shape[j], 1) && (l.sameData(pa[j], pb[i-off]) || l.sameCount(a, b, pb[i-off], j, i-off) && l.sumsUp(out)) {
				d := l.report(diag.BothGrow, n, fmt.Sprintf("%s and %s are broadcast to %s: each of the %s elements meets every other one",
					a.Type.Shape, b.Type.Shape, out.Type.Shape, a.Type.Shape[j].Compact()),
					"to pair them take the axis of size 1 away with squeeze(-1); to combine all with all write x[:, None] and y[None, :]")
				d.Fact.Shown = pa[i].single().birth != argument
				l.showsOne(d, a)
				return
			}
		}
	}
}

// unmeant reports whether an axis of size 1 was not made to be broadcast by n, as by a slice
// [:, :1] of one that has more. One that a reduction kept is, but not in a comparison, of predictions with their targets, nor
// where all pairs are summed up as they are (see sumsUpAlone).
func unmeant(a axis, n *graph.Node) bool {
	o := a.single()
	if o == nil {
		return false
	}
	pairs := n.Form == graph.Comparison || n.Form == graph.Arithmetic
	return o.birth == layer || o.birth == joined || o.birth == argument && !o.drawn || o.birth == kept && pairs
}

// sameCount reports whether an axis i of a, which a layer gave one value for each,
// and an axis j of b have one number of elements, with nothing to tell them apart.
func (l *linter) sameCount(a, b *graph.Value, of axis, i, j int) bool {
	if o := of.single(); o == nil || o.birth == layer || b.Param || b.Type.Rank() != 1 {
		return false
	}
	p, q := a.Type.Shape[i], b.Type.Shape[j]
	return p.Expr != nil && p.Expr == q.Expr && l.of(a)[i].single() != nil && l.of(a)[i][0].birth != layer
}

// maxChain is how many operations after a broadcast are followed.
const maxChain = 12

// sumsUp reports whether all elements of a tensor are summed up, or averaged: a loss
// or a metric. A matrix of all pairs is mostly used as one.
func (l *linter) sumsUp(v *graph.Value) bool { return l.summed(v, false) }

// sumsUpAlone is sumsUp where no other matrix of pairs meets it on the way, as the products
// do in distances of all pairs.
func (l *linter) sumsUpAlone(v *graph.Value) bool { return l.summed(v, true) }

func (l *linter) summed(v *graph.Value, alone bool) bool {
	seen := map[*graph.Value]bool{}
	var follow func(v *graph.Value, depth int) bool
	follow = func(v *graph.Value, depth int) bool {
		if seen[v] || depth == 0 {
			return false
		}
		seen[v] = true
		whole := false
		l.consumers(v, func(n *graph.Node) {
			out := result(n)
			if whole || out == nil || out.Kind != graph.TensorKind {
				return
			}
			if out.Type.Rank() == 0 {
				_, some := arg(n, "dim").(graph.Int)
				whole = !some && n.Form == graph.NoForm
				return
			}
			whole = sameShape(v, out) && !(alone && otherMatrix(n, v)) && follow(out, depth-1)
		})
		return whole
	}
	return follow(v, maxChain)
}

// otherMatrix reports whether a node has another operand of v's shape.
func otherMatrix(n *graph.Node, v *graph.Value) bool {
	for _, a := range n.Args {
		if w := tensorOf(a.Value); w != nil && w != v && sameShape(v, w) {
			return true
		}
	}
	return false
}

func sameShape(v, w *graph.Value) bool {
	if v.Type.Rank() != w.Type.Rank() {
		return false
	}
	for i, d := range v.Type.Shape {
		if d.Expr == nil || d.Expr != w.Type.Shape[i].Expr {
			return false
		}
	}
	return true
}

// sameData reports whether two axes count the same things.
func (l *linter) sameData(a, b axis) bool {
	o := a.single()
	if o == nil || !sameAxis(a, b) || o.birth != argument || o.within {
		return false
	}
	_, number := o.size.Const()
	return !number || l.batch[o] || o.index == 0
}

// columnsForAll is SC403 for indexing: x[:, y] with one y for each row of x takes
// all the columns y for every row, instead of one for each.
func columnsForAll(l *linter, n *graph.Node) {
	in, out := subject(n), result(n)
	key, _ := arg(n, "key").(graph.Tuple)
	if in == nil || out == nil || len(key) != 2 || in.Type.Rank() != 2 {
		return
	}
	s, slice := key[0].(graph.Slice)
	y := tensorOf(key[1])
	if !slice || s.Start != nil || s.Stop != nil || s.Step != nil || y == nil || y.Type.Rank() != 1 || y.Type.DType == dtype.Bool {
		return
	}
	rows, columns := l.of(in)[0], l.of(in)[1]
	if !l.sameData(rows, l.of(y)[0]) || sameAxis(rows, columns) || l.equal(in.Type.Shape[0].Expr, in.Type.Shape[1].Expr) {
		return
	}
	if o := l.of(y)[0][0]; y.Def != nil || o.within { // an argument itself: one for each row
		return
	}
	d := l.report(diag.BothGrow, n, fmt.Sprintf("[:, i] of %s with an index %s gives %s: each of the %s rows meets the indices of all",
		in.Type.Shape, y.Type.Shape, out.Type.Shape, in.Type.Shape[0].Compact()),
		"to take one element of each row write x[torch.arange(len(x)), i], or gather()")
	d.Fact.Shown = true
}

// lossBroadcast is SC404: input and target of a loss have different shapes.
func lossBroadcast(l *linter, n *graph.Node) {
	a, b := tensorArg(n, "input"), tensorArg(n, "target")
	if a == nil || b == nil || oneElement(a) || oneElement(b) {
		return
	}
	differ := a.Type.Rank() != b.Type.Rank()
	for i := 0; !differ && i < a.Type.Rank(); i++ {
		p, q := a.Type.Shape[i], b.Type.Shape[i]
		differ = p.Expr != nil && q.Expr != nil && isConst(p, 1) != isConst(q, 1) && !l.equal(p.Expr, q.Expr)
	}
	if !differ {
		return
	}
	d := l.report(diag.LossBroadcast, n,
		fmt.Sprintf("%s of an input %s and a target %s: they are broadcast, and elements that do not belong together are compared",
			short(n), a.Type.Shape, b.Type.Shape), "PyTorch warns of it, too; give both the same shape, as with squeeze(-1) or unsqueeze(-1)")
	if a.Type.Rank() < b.Type.Rank() {
		a = b
	}
	l.showsOne(d, a)
}

// oneElement reports whether a tensor is one number, which may meet all others.
func oneElement(v *graph.Value) bool {
	for _, d := range v.Type.Shape {
		if !isConst(d, 1) {
			return false
		}
	}
	return true
}
