package trace

// This file reports what torch.compile makes of a script's calls.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/trace/dynamo"
	"shapecheck/trace/retrace"
)

// A Recompile is a function of which a graph is made again.
type Recompile struct {
	Function string `json:"fn"`
	// Reasons has why the newest graph does not serve.
	Reasons []Reason `json:"reasons"`
}

// A Reason is a guard that fails: its kind, and what it is about.
type Reason struct {
	Kind   string `json:"kind"`
	Source string `json:"source"`

	kind     dynamo.GuardKind
	now, was string // of Source; empty: they say nothing
}

// text is the reason in words.
func (r Reason) text() string {
	switch {
	case r.now != "" && r.now == r.was && r.kind == dynamo.GuardIdentity:
		return r.Source + " is another one: " + r.now
	case r.kind == dynamo.GuardOther: // of no value of the program
		return "another " + r.Source
	case r.now == "" || r.was == "" || r.now == r.was:
		return strings.TrimSpace(r.Kind + " " + r.Source)
	}
	return r.Source + " is " + r.now + ", was " + r.was
}

// A Break is where a graph ends.
type Break struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line"`
}

// compiled adds what a call compiles.
func (x *Call) compiled(r *infer.Result, c *retrace.Call) {
	if c.Framework != "compile" || c.Compiled == nil {
		return
	}
	for _, w := range c.Compiled.Reasons {
		x.Recompiles = append(x.Recompiles, Recompile{w.Function, []Reason{{w.Kind.String(), w.Source, w.Kind, w.Now, w.Was}}})
	}
	x.Limit = c.Compiled.Limit
	if c.Compiled.Unsure {
		return
	}
	x.Breaks = &[]Break{}
	for _, at := range c.Compiled.Breaks {
		p := r.Files.Position(at.Start)
		b := Break{Line: p.Line}
		if p.File.Name != r.Files.Position(c.At.Start).File.Name {
			b.File = p.File.Name
		}
		*x.Breaks = append(*x.Breaks, b)
	}
}

// compileText says why a call compiles, and where its graphs break.
func compileText(c *Call, first bool) string {
	var parts []string
	switch {
	case c.unsettled() != "":
		return c.unsettled()
	case c.Traces == nil:
		return "?"
	case *c.Traces > 0 && first:
		parts = append(parts, "first call")
	}
	for _, r := range c.Recompiles {
		for _, w := range r.Reasons {
			if text := w.text(); !slices.Contains(parts, text) {
				parts = append(parts, text)
			}
		}
	}
	if c.Breaks != nil {
		for _, b := range *c.Breaks {
			at := fmt.Sprintf("line %d", b.Line)
			if b.File != "" {
				at = fmt.Sprintf("%s:%d", b.File, b.Line)
			}
			parts = append(parts, "graph break at "+at)
		}
	}
	if c.Limit {
		parts = append(parts, "the limit of graphs is reached: it runs as Python from now on")
	}
	return strings.Join(parts, "; ")
}

// compiles prints the calls of a function and what they compile.
func compiles(b *strings.Builder, calls []*Call) {
	var rows []row
	for i, c := range calls {
		why := compileText(c, i == 0)
		rows = append(rows, row{c.Line, called(c), traced(c) + "\t" + why, c.reuses() && why == ""})
	}
	fmt.Fprintf(b, "%s: compiled %s (%s)\n", calls[0].Function, tally(calls, "time"), frameworkNames["compile"])
	inColumns(b, "  line\tcall\tcompiled\tbecause", folded(rows))
}

// onValues are the kinds of guards that hold a value of Python against another.
var onValues = []dynamo.GuardKind{dynamo.GuardValue, dynamo.GuardIdentity, dynamo.GuardLength, dynamo.GuardKeys,
	dynamo.GuardIdentityOrAliasing, dynamo.GuardType}

// compilations are the graph breaks of a function's calls, and what makes it compile from the third
// time on.
func compilations(calls []*retrace.Call) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	seen := map[source.Span]bool{}
	again := map[diag.Code]int{}
	for _, c := range calls {
		if c.Framework != "compile" || c.Compiled == nil {
			continue
		}
		for _, at := range c.Compiled.Breaks {
			if !seen[at] {
				seen[at] = true
				out = append(out, diag.New(diag.GraphBreak, at, "torch.compile ends the graph of "+c.Function+" here"))
			}
		}
		if c.Compiled.Limit {
			d := diag.New(diag.RetracingWarned, c.At, c.Function+" reaches the limit of graphs: it runs in Python from now on")
			d.Fact = diag.Fact{Kind: diag.OfTraces, Of: c.Function}
			out = append(out, d)
		}
		if c.Traces == nil || *c.Traces == 0 || len(c.Compiled.Reasons) == 0 {
			continue
		}
		code, why := diag.RetracesByType, c.Compiled.Reasons[0]
		if slices.Contains(onValues, why.Kind) {
			code = diag.RetracesByValue
		}
		if again[code]++; again[code] == 2 {
			text := "another " + why.Kind.String()
			switch {
			case why.Kind == dynamo.GuardOther:
				text = "another " + why.Source
			case why.Source != "":
				text += " of " + why.Source
			}
			d := diag.New(code, c.At, c.Function+" is compiled again 2 times, now for "+text)
			d.Fact = diag.Fact{Kind: diag.OfTraces, Of: c.Function}
			out = append(out, d)
		}
	}
	return out
}
