package infer

// This file hands the graph of the entry to the dimension lint.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/lint"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// markLib notes that the nodes after mark were made by library code.
func markLib(r *graph.Region, mark int) {
	for _, n := range r.Nodes[min(mark, len(r.Nodes)):] {
		n.Lib = true
	}
}

// lint applies the rules SC4xx to what the entry did, until a limit is reached.
func (en *entry) lint() {
	var stopped error // it is in.spent.over, too
	outer := en.in.spent.enterNative()
	defer en.in.spent.leaveNative(outer, &stopped)
	var outputs []*graph.Value
	// The attributes are those of a ModelOutput.
	for x := range value.Walk(en.output, 6, value.Sequences|value.OpenElems|value.DictValues|value.Attributes|value.Sides) {
		if t, ok := x.(*value.Tensor); ok {
			outputs = append(outputs, t.V)
		}
	}
	needs, demanded := en.in.rec.needs(en.in.path.facts)
	lint.Run(lint.Input{
		Graph: en.build.Graph(), Pool: en.pool, Facts: en.in.path.facts, Assumed: en.in.assumed, Needs: needs, Demanded: demanded, Outputs: outputs,
		Batches: en.in.batchesMade, Called: en.in.rec.called,
		Text: en.in.SpanText, Assigned: en.in.rec.assigned, Report: en.in.Report, Spend: en.in.spent.work,
	})
}

// assigned is the last statement that gave a name to a tensor when first it ran.
func (r *recorder) assigned(v *graph.Value) source.Span {
	for _, l := range slices.Backward(r.lines) {
		if t, ok := l.Type.(*value.Tensor); ok && t.V == v && l.Target != "" && l.Target != "return" {
			return l.At
		}
	}
	return source.Span{}
}

// calledBatch notes a size that the program gives a name of a batch.
func (r *recorder) calledBatch(size *value.SymInt) {
	if size.D.Expr == nil {
		return
	}
	if _, ok := size.D.Expr.IsSymbol(); !ok {
		return
	}
	if r.called == nil {
		r.called = map[*symshape.Expr]bool{}
	}
	r.called[size.D.Expr] = true
}

// needs gives the conditions of operations, and those that the program itself
// demands; those of the example sizes are left out, and those of single paths, but for paths that every
// run takes by what else it needs, as the body of a loop whose results are stacked, and for the later turns of a loop. Sizes that fit as 1,
// too, are meant to fit as the number.
func (r *recorder) needs(facts symshape.Facts) (needs []lint.Need, demanded []*symshape.Cond) {
	some := func(c *symshape.Cond) bool { return !r.turns[c] && facts.Decide(c).Answer != symshape.Yes }
	for _, c := range r.conds {
		switch {
		case c.OnData || c.Why == whyExample || slices.ContainsFunc(c.Path, some):
		case c.Why == whyAssert || c.Why == whyGuard:
			demanded = append(demanded, c.Cond)
		default:
			needs = append(needs, lint.Need{Cond: c.Cond.Repeated(), At: c.At})
		}
	}
	return needs, demanded
}
