package trace

// This file reports what torch.jit.trace loses of a script's models.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/trace/retrace"
)

// A Site is a place where a trace keeps a number, truth value or list that Python took out of a
// tensor or size: the tracer warns there.
type Site struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Kind   string `json:"kind"`
	// Code is that of the finding that a wrong one is.
	Code string `json:"code,omitempty"`
	// Verdict is "wrong", "harmless" in all runs of the program, or "unknown".
	Verdict string `json:"verdict"`
	// ShownBy are the arguments of a run that shows it to be wrong, Traced those of the trace.
	ShownBy []string `json:"shown_by,omitempty"`
	Traced  []string `json:"traced,omitempty"`
}

// sites adds the warnings of a trace.
func (d *Script) sites(r *infer.Result, c *retrace.Call) {
	if c.Framework != "jit" || c.Kind == "run" {
		return
	}
	switch silent := c.SilentWrong; {
	case d.traces == 0, silent != nil && *silent:
		d.SilentWrong = silent
	case d.SilentWrong == nil || !*d.SilentWrong && silent == nil:
		d.SilentWrong = nil
	}
	d.traces++
	if !c.Looked {
		return
	}
	if d.Sites == nil {
		d.Sites = &[]Site{}
	}
	for _, s := range c.Sites {
		at := r.Files.Position(s.At.Start)
		x := Site{Line: at.Line, Column: at.Col + 1, Kind: s.Kind, Verdict: s.Verdict}
		if at.File.Name != r.Files.Position(c.At.Start).File.Name {
			x.File = at.File.Name
		}
		if s.ShownBy != nil {
			code, _ := siteCode(s)
			x.ShownBy, x.Traced, x.Code = s.ShownBy.Args, c.Args, string(code)
		}
		i := slices.IndexFunc(*d.Sites, func(o Site) bool { return o.File == x.File && o.Line == x.Line && o.Kind == x.Kind })
		switch {
		case i < 0:
			*d.Sites = append(*d.Sites, x)
		case x.Verdict == "wrong":
			(*d.Sites)[i] = x
		}
	}
}

// runs prints the traces of a function and what their runs give.
func runs(b *strings.Builder, calls []*Call) {
	traces := 0
	var rows []row
	for _, c := range calls {
		text := ""
		switch {
		case c.Kind != "run":
			traces++
			if c.Error != nil {
				text = "raises " + c.Error.String()
			}
		default:
			text = runText(c)
		}
		rows = append(rows, row{c.Line, strings.Join(c.Args, ", "), text, text == asModel})
	}
	fmt.Fprintf(b, "%s: %s, %s (%s)\n", calls[0].Function, plural(traces, "trace"), plural(len(calls)-traces, "run"), frameworkNames["jit"])
	inColumns(b, "  line\tcall\tgives", folded(rows))
}

// asModel says that a run gave what the model gives.
const asModel = "as the model"

// runText says whether a run gave what the model gives.
func runText(c *Call) string {
	switch {
	case c.Error != nil:
		return "refused: " + c.Error.String()
	case c.Equal == nil:
		return "?"
	case *c.Equal:
		return asModel
	}
	return "another result than the model"
}

// wrongSites are the places where a trace keeps what is wrong for an input of the script.
func wrongSites(calls []*retrace.Call) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	seen := map[source.Span]bool{}
	for _, c := range calls {
		for _, s := range c.Sites {
			if seen[s.At] || s.Verdict != "wrong" && !s.Check {
				continue
			}
			seen[s.At] = true
			if code, _ := siteCode(s); code == diag.LostCheck || s.Verdict != "wrong" {
				out = append(out, lostCheck(c, s))
				continue
			}
			code, what := siteCode(s)
			d := diag.New(code, s.At, what)
			d.Notes = append(d.Notes, "traced with "+strings.Join(c.Args, ", ")+", it is wrong for "+strings.Join(s.ShownBy.Args, ", "))
			out = append(out, d)
		}
	}
	return out
}

// siteCode is what a place that is wrong is reported as.
func siteCode(s *retrace.Site) (code diag.Code, what string) {
	switch {
	case s.Check && s.Raises != "":
		return diag.LostCheck, "this check is not in the trace"
	case s.Kind == "iterate":
		return diag.UnrolledLoop, "this loop is unrolled by the trace"
	case s.Kind == "bool" && s.OnData:
		return diag.DataBranch, "this condition on values is decided by the trace"
	case s.Kind == "bool":
		return diag.SizeBranch, "this condition on sizes is decided by the trace"
	}
	return diag.TakenNumber, "the number that " + s.Kind + " takes here is kept by the trace"
}

// givesResult says that a trace gives a result where the model raises an exception.
func givesResult(traced, other []string, raises string) string {
	return "traced with " + strings.Join(traced, ", ") + ", it gives a result for " + strings.Join(other, ", ") +
		", where the model raises " + raises
}

// lostCheck is the finding of a check that a trace does not make.
func lostCheck(c *retrace.Call, s *retrace.Site) *diag.Diagnostic {
	d := diag.New(diag.LostCheck, s.At, "this check is not in the trace")
	if s.Verdict != "wrong" {
		d.Severity = diag.Info
		return d
	}
	d.Notes = append(d.Notes, givesResult(c.Args, s.ShownBy.Args, s.Raises))
	return d
}
