package trace

// This file proposes changes of a script that let its functions trace less often, export or keep their state, and adds those
// of which a run of the changed script shows that they do.

import (
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/fix"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/trace/retrace"
)

// Bounds of the runs of changed scripts: their number, and their steps in all, which are the same on every machine.
const (
	maxTrials  = 12
	trialSteps = 5_000_000
)

// Propose adds edits to the findings of a script of which d is the report. run gives the result of the script with another text;
// nil: there is none. A proposal is added where the run of the changed script shows that it helps: against an error, if there is no error
// any more; against traces, if there are fewer. No call may lose its result for it.
func Propose(r *infer.Result, d *Script, run func(text string) *infer.Result) {
	if r.File == nil || r.File.Notebook != nil {
		return
	}
	p := &proposer{r: r, d: d, file: r.File}
	trials, left := 0, trialSteps
	before := costOf(r, d)
	for _, x := range r.Diagnostics {
		if len(x.Fixes) > 0 || !x.At.IsValid() || r.Files.Position(x.At.Start).File != p.file {
			continue
		}
		for _, f := range p.proposals(x) {
			changes := fix.Apply(r.Files, []*diag.Fix{&f}, func(*source.File) bool { return true })
			if len(changes) != 1 {
				continue
			}
			if trials++; trials > maxTrials || r.Steps > left {
				break
			}
			after := run(changes[0].Text)
			if left -= r.Steps; after == nil {
				continue
			}
			left -= max(after.Steps-r.Steps, 0)
			a := OfScript(after)
			if sameResults(d, a) && helps(x, before, costOf(after, a)) {
				x.Fixes = append(x.Fixes, f)
				break
			}
		}
	}
}

// A cost is what a script loses.
type cost struct{ errors, refused, traces int }

// costOf counts errors, exports that fail, and traces.
func costOf(r *infer.Result, d *Script) cost {
	var c cost
	for _, x := range r.Diagnostics {
		if x.Severity == diag.Error {
			c.errors++
		}
	}
	for i := range d.Calls {
		x := &d.Calls[i]
		if x.Error != nil {
			c.errors++
		}
		if e, ok := x.Result.(*Export); ok && !e.OK {
			c.refused++
		}
		if x.Traces != nil {
			c.traces += *x.Traces
		}
	}
	return c
}

// helps reports whether a change helps against a finding. Of state that a buffer keeps, a run beside the model tells nothing: both change
// it.
func helps(x *diag.Diagnostic, before, after cost) bool {
	switch {
	case x.Severity == diag.Error:
		return after.errors == 0 && after.refused == 0
	case x.Code == diag.KeptState:
		return after.errors <= before.errors && after.refused <= before.refused
	}
	return after.errors <= before.errors && after.refused <= before.refused && after.traces < before.traces
}

// sameResults reports whether each call that gave a result is made, and gives what it gave.
func sameResults(before, after *Script) bool {
	if len(after.Calls) < len(before.Calls) {
		return false
	}
	for i := range before.Calls {
		b, a := &before.Calls[i], &after.Calls[i]
		if b.Function != a.Function || b.Kind != a.Kind || b.Error == nil && a.Error != nil || b.Traces != nil && a.Traces == nil {
			return false
		}
		was, ok := b.Result.(string)
		if is, also := a.Result.(string); ok && (!also || !mayBeSame(was, is)) {
			return false
		}
	}
	return true
}

// mayBeSame reports whether two texts of types may be of one type: a size that is not known may be any.
func mayBeSame(a, b string) bool {
	if a == b {
		return true
	}
	x, y := typeText.FindAllStringSubmatch(a, -1), typeText.FindAllStringSubmatch(b, -1)
	if len(x) == 0 || len(x) != len(y) || typeText.ReplaceAllString(a, "") != typeText.ReplaceAllString(b, "") {
		return false
	}
	for i := range x {
		m, n := strings.Split(x[i][2], ","), strings.Split(y[i][2], ",")
		if x[i][1] != y[i][1] || len(m) != len(n) {
			return false
		}
		for k := range m {
			if intText.MatchString(m[k]) && intText.MatchString(n[k]) && m[k] != n[k] {
				return false
			}
		}
	}
	return true
}

// What the texts of arguments and results are of.
var (
	typeText   = lazyregexp.New(`([a-z]+\d*)\[([^\[\]]*)\]`)
	tensorText = lazyregexp.New(`^([a-z]+\d*)\[(?:(\d+(?:,\d+)*))?\]$`)
	intText    = lazyregexp.New(`^-?\d+$`)
	floatText  = lazyregexp.New(`^-?\d+\.\d*(?:e[-+]?\d+)?$`)
	staticText = lazyregexp.New(`^(?:-?\d+|True|False|'[^'\\]*')$`)
)

// A proposer makes edits of a script.
type proposer struct {
	r    *infer.Result
	d    *Script
	file *source.File
	tree *ast.Module // of the file; nil: not parsed yet
}

// module is the tree of the file.
func (p *proposer) module() *ast.Module {
	if p.tree == nil {
		p.tree, _ = parser.Parse(p.file)
	}
	return p.tree
}

// proposals are the changes that may help against a finding, the best one first.
func (p *proposer) proposals(x *diag.Diagnostic) []diag.Fix {
	switch x.Code {
	case diag.RetracesByType, diag.RetracesByValue:
		calls := p.callsOf(x)
		if len(calls) == 0 {
			return nil
		}
		switch calls[0].Framework {
		case "tf":
			return p.relaxed(calls, x.Code == diag.RetracesByType)
		case "compile":
			return p.dynamic(calls)
		}
	case diag.DataDecides:
		return append(p.conds(x, "torch.cond"), p.checked(x)...)
	case diag.KeptState:
		return p.buffers(x)
	case diag.TraceFails:
		return append(p.static(x), p.conds(x, "jax.lax.cond")...)
	}
	return p.static(x)
}

// callsOf are the calls of the function that a finding about traces is of.
func (p *proposer) callsOf(x *diag.Diagnostic) []*retrace.Call {
	for _, calls := range byFunction(p.r.Retraces) {
		if slices.ContainsFunc(calls, func(c *retrace.Call) bool { return c.At == x.At }) && x.Fact.Kind == diag.OfTraces &&
			x.Fact.Of == calls[0].Function {
			return slices.DeleteFunc(slices.Clone(calls), func(c *retrace.Call) bool { return c.Kind != "" })
		}
	}
	return nil
}
