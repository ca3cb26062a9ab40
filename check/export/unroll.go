package export

// This file finds the loops that a model keeps: --unroll=always.

import (
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
)

// keepsLoops reports the loops whose number of iterations is not known, and whether
// there are any.
func keepsLoops(res *infer.Result) bool {
	var found bool
	var walk func(r *graph.Region)
	walk = func(r *graph.Region) {
		for _, n := range r.Nodes {
			if n.Op == graph.Loop {
				found = true
				res.Diagnostics = append(res.Diagnostics, diag.New(diag.NotLowered, n.At,
					"--unroll=always: the number of iterations of this loop is not known"))
			}
			for _, sub := range n.Regions {
				walk(sub)
			}
		}
	}
	walk(res.Graph.Body)
	return found
}
