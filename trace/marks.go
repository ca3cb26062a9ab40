package trace

// This file marks the lines of a traced entry or script. The marks are shown beside the source in
// the text and on the page.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/source"
	"shapecheck/present/report"
)

// Marks are those of the first call: each place that decides, the lines of ways that did not run, and those of ways that ran because of
// inputs or state, with the operations that use what these ways gave. Lines of code that did not
// run are skipped, and those that ran for a reason of inputs are kept. nil without a trace.
func Marks(r *infer.Result) []report.Mark {
	if r.Traced == nil || r.Traced.First == nil {
		return nil
	}
	var out []report.Mark
	var deciding []*infer.Decision
	for _, x := range r.Traced.First.Decisions {
		// A decision of code that was rewritten has its original elsewhere.
		if x.Original != "" {
			continue
		}
		b := branch(r, x)
		at := r.Files.Position(x.At.Start)
		b.NotExecuted = nil // the lines themselves show it
		out = append(out, report.Mark{File: at.File, Line: at.Line, Place: strings.TrimSpace(string(x.Kind) + " " + b.Test), Text: outcome(b) +
			", " + decides(b) + more(b)})
		if x.Kind == infer.DecisionFor || !known(x) {
			continue
		}
		if b.Depends == nil || len(b.Depends) > 0 {
			deciding = append(deciding, x)
		}
		// The two ways of the decision, the else first.
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
				if n > at.Line {
					out = append(out, report.Mark{File: at.File, Line: n, Skipped: !ran, Kept: ran})
				}
			}
		}
	}
	// What the deciding values influence further on.
	for _, o := range influenced(r, r.Traced.First, deciding) {
		first, last := r.Files.Position(o.at.Start), r.Files.Position(o.at.End)
		for n := first.Line; n <= last.Line; n++ {
			out = append(out, report.Mark{File: first.File, Line: n, Influenced: true})
		}
	}
	return out
}

// ScriptMarks are of a script's lines that call traced functions: what is traced there, and why. d
// is the report of r. Calls of one line are grouped by function.
func ScriptMarks(r *infer.Result, d *Script) []report.Mark {
	type line struct {
		file *source.File
		n    int
	}
	var order []line
	groups := map[line][]*group{}
	met := map[[2]string]bool{}
	// The reason of the first call of a function is told in full.
	for i, c := range d.Calls {
		if !r.Retraces[i].At.IsValid() {
			continue
		}
		at := r.Files.Position(r.Retraces[i].At.Start)
		key := line{at.File, at.Line}
		if groups[key] == nil {
			order = append(order, key)
		}
		name := c.Function
		if c.Kind != "" {
			name += "." + c.Kind
		}
		k := slices.IndexFunc(groups[key], func(g *group) bool { return g.name == name })
		if k < 0 {
			k = len(groups[key])
			groups[key] = append(groups[key], &group{name: name})
		}
		g := groups[key][k]
		function := [2]string{c.framework, c.Function}
		text := c.mark(!met[function])
		met[function] = true
		// The same text again is only counted.
		if n := len(g.texts); n > 0 && g.texts[n-1] == text {
			g.same++
			continue
		}
		g.repeated()
		g.texts, g.same = append(g.texts, text), 1
	}
	var out []report.Mark
	for _, key := range order {
		for _, g := range groups[key] {
			g.repeated()
			texts := g.texts
			if n := len(texts); n > maxCallTexts {
				texts = append(slices.Clone(texts[:maxCallTexts]), fmt.Sprintf("and %d more", n-maxCallTexts))
			}
			out = append(out, report.Mark{File: key.file, Line: key.n, Text: g.name + ": " + strings.Join(texts, "; ")})
		}
	}
	return out
}

// maxCallTexts bounds what is said of the calls of one line. Further ones are counted.
const maxCallTexts = 3

// A group are the calls of a function by one line. texts are in the order of the calls.
type group struct {
	name  string
	texts []string
	same  int // calls with the last of the texts
}

// repeated says of the last text how many calls it is of. It is called when another text follows,
// and at the end.
func (g *group) repeated() {
	if g.same > 1 {
		g.texts[len(g.texts)-1] += fmt.Sprintf(" (%d times)", g.same)
	}
}

// mark is what a call does: whether it traces and why, or what it gives. first says that it is the
// function's first call.
func (c *Call) mark(first bool) string {
	var why string
	switch c.framework {
	case "jit", "export":
		if e, ok := c.Result.(*Export); ok && c.Kind == "export" {
			return e.text()
		}
		switch {
		case c.Kind == "run" && c.Error != nil:
			return "refused: " + c.Error.Type
		case c.Kind == "run":
			return runText(c)
		case c.Error != nil:
			return "raises " + c.Error.Type
		}
		return "traced"
	case "compile":
		why = compileText(c, first)
	default:
		why = because(c, first)
	}
	switch {
	case c.Traces == nil:
		return "not known whether it is " + verbs[c.framework]
	case *c.Traces == 0:
		return strings.TrimSuffix("not "+verbs[c.framework]+" ("+why+")", " ()")
	}
	return strings.TrimSuffix(verbs[c.framework]+" ("+why+")", " ()")
}

// verbs are what is done to a function at a call. By the framework's name.
var verbs = map[string]string{"tf": "traced", "jax": "traced", "compile": "compiled"}

// FindingMarks are the findings at their lines, as a listing shows them. One mark for each finding.
func FindingMarks(r *infer.Result) []report.Mark {
	var out []report.Mark
	for _, d := range r.Diagnostics {
		if at := r.Files.Position(d.At.Start); d.At.IsValid() && at.File != nil {
			out = append(out, report.Mark{File: at.File, Line: at.Line, Text: fmt.Sprintf("%s[%s]", d.Severity, d.Code)})
		}
	}
	return out
}
