package check

// This file keeps of results what printers need: checks of many entries would hold the values
// of all of them, some 5 MB each, until the last one has ended.

import (
	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/internal/diag"
)

// A Keep says what stays of the results of CheckAll and CheckFiles.
type Keep int

// What may stay, each with all before it.
const (
	KeepFindings  Keep = iota // findings, counts, the result's type and the conditions of the contract
	KeepDocuments             // Result.Document
	KeepValues                // values and graphs
)

// Trim leaves of a result what k says. It returns an error where the document of the result cannot be encoded; the
// result is unchanged then.
func (r *Result) Trim(k Keep) error {
	if r == nil || r.Recalled || r.settled {
		return nil
	}
	r.Interface() // later runs change the pool of its sizes
	if k == KeepValues {
		return nil
	}
	if k == KeepDocuments {
		doc, err := record.Store(record.Short(r.Result))
		if err != nil {
			return err
		}
		r.stored = doc
	} else {
		r.conditions, r.brief = record.Contract(r.Result, r.Reduced()), record.BriefOf(r.Result, r.Reduced())
	}
	r.settled, r.reduced = true, nil
	r.Result = WithoutValues(r.Result)
	return nil
}

// WithoutValues is what findings and counts of a run need.
func WithoutValues(r *infer.Result) *infer.Result {
	out := &infer.Result{
		Files: r.Files, File: r.File, Entry: r.Entry, Checked: r.Checked, WhyNot: r.WhyNot, Stopped: r.Stopped, Typed: r.Typed, Open: r.Open,
		Diagnostics: make([]*diag.Diagnostic, len(r.Diagnostics)), Reached: r.Reached, Unknown: r.Unknown, Weights: r.Weights,
		OutputLost: r.OutputLost,
		Untaken:    r.Untaken, Exceeded: r.Exceeded, Crowded: r.Crowded, Foreign: r.Foreign, Partial: r.Partial, Steps: r.Steps, Installed: r.Installed,
	}
	for i, d := range r.Diagnostics {
		x := *d
		x.About, x.Args = d.Facts(), nil
		out.Diagnostics[i] = &x
	}
	return out
}
