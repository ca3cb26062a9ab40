package lint

// This file holds the rule of weights that a loss does not feel: SC404.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// weightsOfOne is SC404 for a loss that is one number already when the weights of its
// elements meet it: (loss * mask).sum() / mask.sum() is the loss, masked or not.
func weightsOfOne(l *linter, n *graph.Node) {
	if len(n.Args) < 2 {
		return
	}
	loss, weights, out := tensorOf(n.Args[0].Value), tensorOf(n.Args[1].Value), result(n)
	if loss == nil || weights == nil || out == nil {
		return
	}
	if term := number(weights); term != nil {
		loss, weights = weights, loss
	}
	term := number(loss)
	if term == nil || n.Args[0].Number || n.Args[1].Number || oneElement(weights) || weights.Param {
		return
	}
	from, elements := averaged(term, maxChain)
	if from == nil || !l.leads(weights.Type.Shape, elements) || !l.sumsUp(out) {
		return
	}
	d := l.report(diag.LossBroadcast, n,
		fmt.Sprintf("the loss is one number here, so that the weights %s do not weigh its elements %s: what is summed up is the loss times a number",
			weights.Type.Shape, elements),
		"keep the elements, with reduction=\"none\" or a mean over the other dimensions alone, weigh them and sum up then")
	shows(d, from.At, fmt.Sprintf("%s makes one number of %s", short(from), elements))
}

// number is v where it is one number, or one that was added to v; nil without it.
func number(v *graph.Value) *graph.Value {
	if v.Type.Rank() == 0 {
		return v
	}
	if n := v.Def; n != nil && n.Form == graph.Arithmetic && !n.Is.Has(graph.Multiplies) {
		for _, a := range n.Args[:min(2, len(n.Args))] {
			if w := tensorOf(a.Value); w != nil && w.Type.Rank() == 0 && !a.Number {
				return w
			}
		}
	}
	return nil
}

// averaged finds the node that made one number of many, where only sums and factors of such
// numbers lie between, and the shape of the many.
func averaged(v *graph.Value, depth int) (*graph.Node, symshape.Shape) {
	n := v.Def
	if n == nil || depth == 0 || len(n.Args) == 0 {
		return nil, nil
	}
	in := subject(n)
	if in == nil {
		return nil, nil
	}
	switch {
	case n.Is.Has(graph.Commutes) && in.Type.Rank() == 0:
		if n.Args[0].Number {
			return nil, nil
		}
		return averaged(in, depth-1)
	case n.Form == graph.CrossEntropy || n.Form == graph.NLL:
		if t := tensorArg(n, "target"); t != nil && t.Type.Rank() == in.Type.Rank()-1 {
			return n, t.Type.Shape
		}
		return nil, nil
	case n.Form == graph.PairLoss || n.Form == graph.BinaryEntropy || n.Form == graph.LogitEntropy || n.Is.Has(graph.Averages):
		if in.Type.Rank() > 0 && !areTruths(in) {
			return n, in.Type.Shape
		}
	}
	return nil, nil
}

// areTruths reports whether the elements are made of truth values: their mean is a part of all, as of the right answers, and no loss.
func areTruths(v *graph.Value) bool {
	if v.Type.DType == dtype.Bool {
		return true
	}
	if v.Def == nil {
		return false
	}
	in := subject(v.Def)
	return in != nil && in.Type.DType == dtype.Bool
}

// leads reports whether the sizes of s are the first of t, or 1 there, and not all 1.
func (l *linter) leads(s, t symshape.Shape) bool {
	if len(s) > len(t) {
		return false
	}
	for i, d := range s {
		if !isConst(d, 1) && (d.Expr == nil || !l.equal(d.Expr, t[i].Expr)) {
			return false
		}
	}
	return true
}
