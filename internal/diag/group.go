package diag

// This file puts together what several calls of the same code report.

import "shapecheck/internal/source"

// Group makes one diagnostic of those that have the same code and place and
// differ in sizes: a function that is called with several shapes has the same
// fault each time. The first stays, counts them all, and has what the others say
// in Others. The given diagnostics are not changed.
func Group(list []*Diagnostic) []*Diagnostic {
	type key struct {
		code Code
		at   source.Span
	}
	first := map[key]int{}
	var out []*Diagnostic
	for _, d := range list {
		k := key{d.Code, d.At}
		i, met := first[k]
		if !met || !d.At.IsValid() {
			first[k] = len(out)
			out = append(out, d)
			continue
		}
		g := *out[i]
		g.Count = max(g.Count, 1) + max(d.Count, 1)
		g.Others = append(g.Others[:len(g.Others):len(g.Others)], d.Msg)
		g.Aside = g.Aside && d.Aside
		g.Severity = max(g.Severity, d.Severity)
		out[i] = &g
	}
	return out
}
