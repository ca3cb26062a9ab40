package lower

// This file finds programs that read the running statistics after a normalisation in
// training has changed them. The change is bookkeeping of PyTorch that models do not
// have, so such a program has no model.

import (
	"shapecheck/infer/graph"
	"shapecheck/internal/source"
)

// trainingArgs are the normalisations, and the argument that says that they change
// their statistics; Chainer's changes them always, as it has another function for
// given ones.
var trainingArgs = map[string]string{
	"torch.nn.functional.batch_norm": "training", "torch.batch_norm": "training",
	"torch.nn.functional.instance_norm": "use_input_stats", "torch.instance_norm": "use_input_stats",
	"chainer.functions.batch_normalization": "",
}

// statistics reports each live node of the entry that reads changed statistics, and
// results that are such.
func (l *lowerer) statistics(live map[*graph.Node]bool) {
	changed := map[*graph.Value]source.Span{}
	stale := func(o graph.Operand) (at source.Span, found bool) {
		graph.Operands(o, func(v *graph.Value) {
			if span, ok := changed[root(v)]; ok && !found {
				at, found = span, true
			}
		})
		return at, found
	}
	const why = "it reads running statistics that a normalisation in training has changed; models do not have that change"
	var walk func(r *graph.Region)
	walk = func(r *graph.Region) {
		for _, n := range r.Nodes {
			arg, norm := trainingArgs[n.Op]
			trains := norm && inTraining(argument(n, arg), arg)
			for _, a := range n.Args {
				statistic := a.Name == "running_mean" || a.Name == "running_var"
				if _, ok := stale(a.Value); ok && live[n] && !(trains && statistic) {
					l.fail(n.At, why)
				}
				if trains && statistic {
					graph.Operands(a.Value, func(v *graph.Value) { changed[root(v)] = n.At })
				}
			}
			for _, sub := range n.Regions {
				walk(sub)
			}
		}
	}
	walk(l.Graph.Body)
	if at, ok := stale(l.Graph.Output); ok {
		l.fail(at, "a result is a running statistic that a normalisation in training has changed; models do not have that change")
	}
}

// inTraining reads the argument; what is not known at export counts as training.
func inTraining(o graph.Operand, name string) bool {
	switch o {
	case nil:
		return name != "training" // its default is False, that of use_input_stats True
	case graph.Bool(false), graph.Int(0):
		return false
	}
	return true
}

// root is the value whose memory a view shows.
func root(v *graph.Value) *graph.Value {
	for v.Base != nil {
		v = v.Base
	}
	return v
}
