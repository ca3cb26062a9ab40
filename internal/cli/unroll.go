package cli

// This file says which loops an exported model keeps: export --unroll.

import (
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
)

// unrolled notes the loops that could not be kept. With --unroll=always it reports
// those whose number of iterations is not known, and whether there are any.
func (a *app) unrolled(res *infer.Result, unroll string) bool {
	for _, at := range res.Unrolled {
		pos := res.Files.Position(at.Start)
		a.say("note: %s:%d: the loop is unrolled: its iterations are not alike, or what they leave has sizes that only the loop knows", pos.File.Name, pos.Line)
	}
	if unroll != infer.UnrollAlways {
		return false
	}
	var found bool
	var walk func(r *graph.Region)
	walk = func(r *graph.Region) {
		for _, n := range r.Nodes {
			if n.Op == "loop" {
				found = true
				res.Diagnostics = append(res.Diagnostics, diag.New(diag.NotLowered, n.At, "--unroll=always: the number of iterations of this loop is not known"))
			}
			for _, sub := range n.Regions {
				walk(sub)
			}
		}
	}
	walk(res.Graph.Body)
	if found {
		a.code = exitFindings
		a.printFindings(res)
	}
	return found
}
