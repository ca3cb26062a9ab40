package trace

// This file marks the lines of a traced entry.

import (
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/report"
	"shapecheck/internal/source"
)

// Marks are those of the first call: each place that decides, the lines of ways that did not run, and those of ways that ran because of
// inputs or state, with the operations in them.
func Marks(r *infer.Result) []report.Mark {
	if r.Traced == nil || r.Traced.First == nil {
		return nil
	}
	var out []report.Mark
	for _, x := range r.Traced.First.Decisions {
		if x.Original != "" {
			continue
		}
		b := branch(r, x)
		at := r.Files.Position(x.At.Start)
		on := "not known what decides"
		switch {
		case b.Depends != nil && len(b.Depends) == 0:
			on = "settled by the configuration"
		case b.Depends != nil:
			on = "depends on " + words.Replace(strings.Join(b.Depends, " and "))
		}
		b.NotExecuted = nil // the lines themselves show it
		out = append(out, report.Mark{File: at.File, Line: at.Line, Text: strings.TrimSpace(string(x.Kind)+" "+b.Test) + ": " + outcome(b) + ", " + on + more(b)})
		if x.Kind == infer.DecisionFor || !known(x) {
			continue
		}
		for way, span := range []source.Span{x.Else, x.Then} {
			if span.End <= span.Start {
				continue
			}
			ran := slices.Contains(x.Ways, way)
			if ran && b.Depends != nil && len(b.Depends) == 0 {
				continue
			}
			first, last := r.Files.Position(span.Start), r.Files.Position(span.End)
			for n := first.Line; n <= last.Line; n++ {
				if n > at.Line || x.Kind != infer.DecisionConditional {
					out = append(out, report.Mark{File: at.File, Line: n, Skipped: !ran, Kept: ran})
				}
			}
		}
	}
	return out
}
