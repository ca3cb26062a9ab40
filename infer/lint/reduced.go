package lint

// This file holds the rules of what a reduction over the wrong axis leaves: SC405 for
// indices, SC411 for sums that meet what they were taken of, SC414 for classes.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
)

// sumsBesideRows is SC411 for a matrix that meets the sums of its rows without keepdim=True:
// x / x.sum(dim=1) divides a column by the sum of a row, which only a square one allows.
func sumsBesideRows(l *linter, n *graph.Node) {
	if len(n.Args) < 2 {
		return
	}
	x, sums := tensorOf(n.Args[0].Value), tensorOf(n.Args[1].Value)
	if x == nil || sums == nil || x.Type.Rank() < 2 || sums.Type.Rank() != x.Type.Rank()-1 {
		return
	}
	by, dim := reduction(x, sums)
	if by == nil || dim == 0 || !sameShape(x, subject(by)) || isConst(x.Type.Shape[dim-1], 1) {
		return
	}
	d := l.report(diag.Coincidence, n,
		fmt.Sprintf("%s is reduced over dimension %d to %s, which lies along dimension %d then: an element meets the result of another row",
			x.Type.Shape, dim, sums.Type.Shape, dim), "reduce with keepdim=True")
	if o := l.of(x)[dim].single(); o != nil && o.root().birth == layer {
		d.Fact.Kind = diag.MeetsItself
	}
	shows(d, by.At, fmt.Sprintf("%s over dimension %d", short(by), dim))
}

// reduction finds the reduction of x over one axis that sums is, with element-wise functions
// of it alone after it.
func reduction(x, sums *graph.Value) (*graph.Node, int) {
	for range maxChain {
		n := sums.Def
		if n == nil {
			return nil, 0
		}
		in := subject(n)
		if in == nil {
			return nil, 0
		}
		if in == x {
			dim, ok := axisArg(n, "dim", x.Type.Rank())
			if keep, _ := arg(n, "keepdim").(graph.Bool); !ok || bool(keep) || n.Form != graph.NoForm || arg(n, "keepdim") == nil {
				return nil, 0
			}
			return n, dim
		}
		tensors := 0
		for _, a := range n.Args {
			graph.Operands(a.Value, func(*graph.Value) { tensors++ })
		}
		if tensors != 1 || !sameShape(in, sums) || n.Is.Has(graph.AlongDim) {
			return nil, 0
		}
		sums = in
	}
	return nil, 0
}

// placesInBatch is SC405 for indices: places in the batch, which a sort or a choice along it
// gave, are used as places along another axis.
func placesInBatch(l *linter, n *graph.Node) {
	x, index := subject(n), tensorArg(n, "index")
	if index == nil {
		index = tensorArg(n, "indices")
	}
	if x == nil || index == nil || x.Type.Rank() < 2 {
		return
	}
	dim, ok := axisArg(n, "dim", x.Type.Rank())
	if !ok || l.isBatch(l.of(x)[dim]) {
		return
	}
	by, over := l.places(index)
	if by == nil {
		return
	}
	in := subject(by)
	if a := l.of(in); !l.isBatch(a[over]) || in.Type.Rank() < 2 {
		return
	}
	d := l.report(diag.AcrossBatch, n, fmt.Sprintf("the indices are places along the batch %s, but %s takes them along dimension %d of %s",
		in.Type.Shape[over].Compact(), short(n), dim, x.Type.Shape))
	d.Fact.Shown = l.isLayered(l.of(in)[over])
	shows(d, by.At, fmt.Sprintf("%s over dimension %d of %s, the batch", short(by), over, in.Type.Shape))
}

// places finds the node that gave indices as places along an axis, and the axis: through
// views, and through sorts of the indices themselves.
func (l *linter) places(index *graph.Value) (*graph.Node, int) {
	for range maxChain {
		n := index.Def
		if n == nil {
			return nil, 0
		}
		in := subject(n)
		if in == nil {
			return nil, 0
		}
		last := len(n.Outputs) > 0 && index == n.Outputs[len(n.Outputs)-1]
		chooses := last && n.Form == graph.NoForm && in.Type.DType.IsFloat() && !index.Type.DType.IsFloat()
		if dim, ok := axisArg(n, "dim", in.Type.Rank()); ok && chooses {
			return n, dim
		}
		if !onlyViews(n) {
			return nil, 0
		}
		index = in
	}
	return nil, 0
}

// otherClasses is SC414 for scores: cross_entropy takes the classes on one axis of them, a
// softmax goes over another one.
func otherClasses(l *linter, n *graph.Node) {
	in := subject(n)
	if in == nil || in.Type.Rank() < 2 {
		return
	}
	dim, ok := axisArg(n, "dim", in.Type.Rank())
	if !ok {
		return
	}
	over := l.of(in)[dim]
	for _, m := range l.entropies {
		scores := subject(m)
		if scores == nil || scores.Type.Rank() < 2 {
			continue
		}
		a := l.of(scores)
		classes := a[1].single()
		if classes == nil || classes.birth != layer || over.single() == nil || !sameAxis(over, a[0]) {
			continue
		}
		for i, b := range l.of(in) {
			if i != dim && b.single() == classes {
				d := l.report(diag.UnsummedWeights, n,
					fmt.Sprintf("%s over dimension %d of %s, but the loss takes dimension %d for the classes: the probabilities of one element do not add up to 1",
						short(n), dim, in.Type.Shape, i), fmt.Sprintf("give the dimension of the classes: softmax(dim=%d)", i-in.Type.Rank()))
				shows(d, m.At, "the loss")
				return
			}
		}
	}
}
