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
func (in *Interp) lint() {
	var stopped error // it is in.spent.over, too
	outer := in.spent.enterNative()
	defer in.spent.leaveNative(outer, &stopped)
	var outputs []*graph.Value
	// The attributes are those of a ModelOutput.
	for x := range value.Walk(in.output, 6, value.Sequences|value.OpenElems|value.DictValues|value.Attributes|value.Sides) {
		if t, ok := x.(*value.Tensor); ok {
			outputs = append(outputs, t.V)
		}
	}
	needs, demanded := in.rec.needs()
	lint.Run(lint.Input{
		Graph: in.build.Graph(), Pool: in.pool, Facts: in.path.facts, Assumed: in.assumed, Needs: needs, Demanded: demanded, Outputs: outputs,
		Batches: in.batchesMade,
		Text:    in.SpanText, Assigned: in.rec.assigned, Report: in.Report, Spend: in.spent.work,
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

// needs gives the conditions of operations, and those that the program itself
// demands; those of single paths and of the example sizes are left out.
func (r *recorder) needs() (needs []lint.Need, demanded []*symshape.Cond) {
	for _, c := range r.conds {
		switch {
		case len(c.Path) > 0 || c.Why == whyExample:
		case c.Why == whyAssert || c.Why == whyGuard:
			demanded = append(demanded, c.Cond)
		default:
			needs = append(needs, lint.Need{Cond: c.Cond, At: c.At})
		}
	}
	return needs, demanded
}
