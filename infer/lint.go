package infer

// This file hands the graph of the entry to the dimension lint.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/lint"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// markLib notes that the nodes after mark were made by library code.
func (in *Interp) markLib(r *graph.Region, mark int) {
	for _, n := range r.Nodes[min(mark, len(r.Nodes)):] {
		n.Lib = true
	}
}

// lint applies the rules SC4xx to what the entry did.
func (in *Interp) lint() {
	var outputs []*graph.Value
	tensorsIn(in.output, 6, func(t *value.Tensor) { outputs = append(outputs, t.V) })
	needs, demanded := in.rec.needs()
	lint.Run(lint.Input{
		Graph: in.build.Graph(), Pool: in.pool, Facts: in.path.facts, Assumed: in.assumed, Needs: needs, Demanded: demanded, Outputs: outputs,
		Text: in.SpanText, Report: in.Report,
	})
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

// tensorsIn calls f for the tensors in v, in containers to the given depth.
func tensorsIn(v value.Value, depth int, f func(*value.Tensor)) {
	all := func(list []value.Value) {
		for _, e := range list {
			if depth > 0 {
				tensorsIn(e, depth-1, f)
			}
		}
	}
	switch v := v.(type) {
	case *value.Tensor:
		f(v)
	case *value.Tuple:
		all(v.Elems)
	case *value.List:
		all(v.Elems)
		if v.Open != nil && v.Open.Elem != nil {
			all([]value.Value{v.Open.Elem})
		}
	case *value.Dict:
		for i := range v.Len() {
			all([]value.Value{v.At(i)})
		}
	case *value.Instance: // a ModelOutput
		if v.Attrs != nil {
			for i := range v.Attrs.Len() {
				all([]value.Value{v.Attrs.At(i)})
			}
		}
	case *value.Choice:
		all([]value.Value{v.Then, v.Else})
	}
}
