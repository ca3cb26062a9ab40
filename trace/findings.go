package trace

// This file finds what is worth to know of a script's traced functions: what is printed once
// a trace, and what makes calls trace again.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/trace/export"
	"shapecheck/trace/retrace"
)

// AddFindings adds to a result what its trace report has beside the findings of a check. It comes before they are filtered, and before the
// report is made of those that are shown. Which findings there are depends on what the result is
// of: sizes under one export (Shared), one traced run (Traced), or a script, whose calls of traced
// functions are r.Retraces.
func AddFindings(r *infer.Result) {
	switch {
	case r.Shared != nil:
		r.Diagnostics = append(r.Diagnostics, sizeFindings(r.Shared)...)
	case r.Traced != nil:
		if r.Traced.First == nil {
			return
		}
		for _, x := range r.Traced.First.Decisions {
			if f := finding(x, branch(r, x)); f != nil {
				r.Diagnostics = append(r.Diagnostics, f)
			}
		}
	default:
		r.Diagnostics = append(r.Diagnostics, scriptFindings(r)...)
		for _, x := range r.Diagnostics {
			addDimFixes(r, x)
			addPrintFix(r, x)
			advise(r, x)
		}
	}
}

// scriptFindings are the findings SC501 to SC506, SC507, SC511 to SC514 and SC521 of a script's run, function by function, and SC541 and
// SC542 of exports that fail where the script catches the exception. Each kind of finding looks at
// the calls of one function, in the order of the program.
func scriptFindings(r *infer.Result) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, calls := range byFunction(r.Retraces) {
		out = append(out, prints(calls)...)
		out = append(out, lostEffects(calls)...)
		out = append(out, retraces(calls)...)
		out = append(out, compilations(calls)...)
		out = append(out, wrongSites(calls)...)
		out = append(out, keptState(calls)...)
		out = append(out, refusals(r, calls)...)
	}
	return out
}

// refusals are the exports that fail and are not reported by the exception that ends the script.
// Kind OtherError is not one of export but of the program.
func refusals(r *infer.Result, calls []*retrace.Call) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, c := range calls {
		if len(c.Exports) == 0 || c.Exports[0] == nil || c.Exports[0].Error == nil || c.Exports[0].Error.Kind == export.OtherError {
			continue
		}
		e := c.Exports[0].Error
		d := e.Finding(c.At)
		// An exception that ended the script is reported already at the same place.
		if !slices.ContainsFunc(r.Diagnostics, func(o *diag.Diagnostic) bool { return o.Code == d.Code && o.At == d.At }) {
			e.Reported = d
			out = append(out, d)
		}
	}
	return out
}

// keptState finds the first run of each trace or program that gives something else than the model although nothing warns:
// what Python read while tracing is kept. Silent means that the framework itself gave no warning.
// Runs are compared with the model by their results (Equal), which is nil where that is not known.
func keptState(calls []*retrace.Call) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	var made *retrace.Call // the trace or export
	for _, c := range calls {
		if c.Kind != "run" {
			made = c
			continue
		}
		silent := made != nil && (c.Framework == "export" || made.SilentWrong != nil && *made.SilentWrong)
		if !silent || c.Equal == nil || *c.Equal || c.Error != nil {
			continue
		}
		d := diag.New(diag.KeptState, c.At, "this gives another result than the model, and nothing warns of it")
		d.Notes = append(d.Notes, "what Python read while tracing is kept: attributes, globals, random numbers, None, the rounds of a loop over range")
		out = append(out, d)
		// One finding for each trace or export.
		made = nil
	}
	return out
}

// byFunction groups calls by the name of the function, in the order of their first calls. A
// function is known by its name, since each decoration makes another object.
func byFunction(calls []*retrace.Call) [][]*retrace.Call {
	var out [][]*retrace.Call
	at := map[string]int{}
	for _, c := range calls {
		i, ok := at[c.Function]
		if !ok {
			i, at[c.Function] = len(out), len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// printers are what prints at each call.
var printers = map[string]string{"tf": "tf.print", "jax": "jax.debug.print"}

// prints finds the places of print that calls pass by because they take a trace there is. A print
// that all calls do is none: effects gives only those of functions that some call passed by.
func prints(calls []*retrace.Call) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, e := range effects(calls) {
		d := diag.New(diag.PrintedOnce, e.at, fmt.Sprintf("printed while tracing only: in %d of %s", e.times, plural(e.calls, "call")))
		d.Notes = append(d.Notes, "use "+printers[calls[0].Framework]+" to print at each call")
		out = append(out, d)
	}
	return out
}

// lostEffects are the effects that runs of what torch.jit.trace or torch.export made do not have:
// of a trace that has runs. Each effect is reported once, wherever it was noted.
func lostEffects(calls []*retrace.Call) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	if !slices.ContainsFunc(calls, func(c *retrace.Call) bool { return c.Kind == "run" }) {
		return nil
	}
	seen := map[retrace.Effect]bool{}
	for _, c := range calls {
		for _, e := range c.Effects {
			if !seen[e] {
				seen[e] = true
				out = append(out, e.Finding())
			}
		}
	}
	return out
}

// An effect is a place whose effect some calls have and others do not. times is in how many of the
// calls it happened.
type effect struct {
	at           source.Span
	times, calls int
}

// It is empty where each call traced, as then each call prints.
func effects(calls []*retrace.Call) []effect {
	var out []effect
	n, reused := 0, false
	for _, c := range calls {
		if c.Kind != "" {
			continue
		}
		n++
		reused = reused || c.Traces != nil && *c.Traces == 0 && len(c.Prints) == 0 && c.Error == nil
		for _, at := range c.Prints {
			i := slices.IndexFunc(out, func(e effect) bool { return e.at == at })
			if i < 0 {
				i = len(out)
				out = append(out, effect{at: at})
			}
			out[i].times++
		}
	}
	if !reused {
		return nil
	}
	for i := range out {
		out[i].calls = n
	}
	return out
}

// whys are the differences that the findings of retraces are about. least guards against a warning
// for a first call that differs once: one other trace may be meant.
var whys = []struct {
	code  diag.Code
	kinds []string
	// least is the number of traces of this kind, or of all kinds, from which on it is a warning.
	least int
	all   bool
	help  map[string]string
}{
	{diag.RetracesByValue, []string{"value", "static value"}, 3, true,
		map[string]string{"tf": "pass a tensor, as tf.constant makes it, or give input_signature",
			"jax": "an argument that no size depends on need not be static"}},
	{diag.RetracesByType, []string{"shape", "rank", "dtype", "structure", "weak type"}, 3, false,
		map[string]string{"tf": "give input_signature with None for what varies, or reduce_retracing=True",
			"jax": "pad to a few sizes, and give numbers and dtypes as the first call does"}},
}

// retraces finds what makes the calls of a function trace again. It is about TensorFlow and JAX:
// two findings by the kind of difference, one for functions that are new at each call, and one for
// TensorFlow's own warning.
func retraces(calls []*retrace.Call) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	traces := 0
	for _, c := range calls {
		if c.Traces != nil && *c.Traces > 0 {
			traces++
		}
	}
	// All calls of a group are of one framework.
	framework := calls[0].Framework
	for _, why := range whys {
		n := 0
		var first *retrace.Call
		var what, kind string
		for _, c := range calls {
			if path, k := changedBy(c, why.kinds); k != "" {
				if n++; first == nil {
					first, what, kind = c, path, k
				}
			}
		}
		if first == nil {
			continue
		}
		d := diag.New(why.code, first.At, fmt.Sprintf("%s is traced again %s for another %s of %s", first.Function, plural(n, "time"), kind,
			what))
		d.Fact = diag.Fact{Kind: diag.OfTraces, Of: first.Function}
		// With all the number of all traces counts, else that of the traces of the kind with the
		// first one.
		if !why.all && n+1 < why.least || why.all && traces < why.least {
			d.Severity = diag.Info
		}
		d.Notes = append(d.Notes, why.help[framework])
		out = append(out, d)
	}
	if c, n := madeAnew(calls); n > 1 {
		d := diag.New(diag.NewFunction, c.At, fmt.Sprintf("%s is a new function at each call, and traced %d times", c.Function, n))
		d.Fact = diag.Fact{Kind: diag.OfTraces, Of: c.Function}
		d.Notes = append(d.Notes, "make it once, before the calls")
		out = append(out, d)
	}
	if i := slices.IndexFunc(calls, func(c *retrace.Call) bool { return c.Warning }); i >= 0 {
		out = append(out, diag.New(diag.RetracingWarned, calls[i].At, "TensorFlow warns here that "+calls[i].Function+" is traced too often"))
	}
	return out
}

// changedBy is the first argument that differs in one of these kinds where a call traced
// again; kind is empty where there is none. Changed has texts of the form "path: kind".
func changedBy(c *retrace.Call, kinds []string) (path, kind string) {
	if !c.Again || c.Traces == nil || *c.Traces == 0 {
		return "", ""
	}
	for _, x := range c.Changed {
		path, kind, _ := strings.Cut(x, ": ")
		if slices.Contains(kinds, kind) {
			return path, strings.TrimPrefix(kind, "static ")
		}
	}
	return "", ""
}

// madeAnew is the first call of a statement whose calls are of a function each that was made
// after the call before, and how many such calls there are. A function whose Born is not known (-1) is passed by.
func madeAnew(calls []*retrace.Call) (*retrace.Call, int) {
	last := map[source.Pos]*retrace.Call{}
	count := map[source.Pos]int{}
	for _, c := range calls {
		if c.Kind != "" || c.Again || c.Traces == nil || *c.Traces == 0 || c.Born < 0 {
			continue
		}
		if prev := last[c.At.Start]; prev != nil && c.Born > prev.Index {
			count[c.At.Start] = max(count[c.At.Start], 1) + 1
		}
		last[c.At.Start] = c
	}
	for _, c := range calls {
		if n := count[c.At.Start]; n > 1 {
			return c, n
		}
	}
	return nil, 0
}
