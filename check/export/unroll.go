package export

// This file refuses loops that --unroll=always cannot unroll, as nobody knows their number of iterations.

import (
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
)

// reportKeptLoops adds an error to the findings for each loop of the graph, also inside branches and bodies, and says
// whether there is one. The run has unrolled all loops of known length: one in the graph has none.
func reportKeptLoops(res *infer.Result) bool {
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
