package trace

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"shapecheck/internal/diag"
)

// Text prints the report for people: a line for each place whose outcome depends on the
// inputs or on state, how many are settled by the configuration, and what a check finds. It returns an error only where
// w does, at the first line that cannot be written. The first line names the entry, its inputs and
// the count of decisions. The order of the places is that in which the run met them. Places that
// the configuration settles are only counted.
func Text(w io.Writer, d *Document) error {
	var b strings.Builder
	settled, either := 0, false
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	all := slices.Concat(d.Branches, d.Cases)
	slices.SortStableFunc(all, func(a, b Branch) int { return a.met - b.met })
	for _, x := range all {
		if x.Depends != nil && len(x.Depends) == 0 {
			settled++
			continue
		}
		either = either || x.Values == nil
		fmt.Fprintf(t, "  %s:%d\t%s\t%s\t%s%s\n", x.File, x.Line, strings.TrimSpace(string(x.Kind)+" "+x.Test), outcome(x), decides(x), more(x))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	n := len(d.Branches) + len(d.Cases)
	_, err := fmt.Fprintf(w, "%s(%s): %s\n%s", strings.TrimSuffix(d.Entry, "()"), strings.Join(d.Inputs, ", "), counted(n, settled),
		b.String())
	if err == nil && d.Error != nil {
		_, err = fmt.Fprintf(w, "  nothing can be traced, the call raises %s\n", d.Error)
	}
	if err == nil && either {
		_, err = fmt.Fprintln(w, "  where a place goes either way, places that only one of the ways meets are not listed")
	}
	// A finding that the line of its place shows already is not printed again.
	for _, x := range d.Diagnostics {
		here := func(b Branch) bool { return path.Base(b.File) == path.Base(x.File) && b.Line == x.Line }
		if err == nil && !(slices.Contains(inTable, x.Code) && slices.ContainsFunc(all, here)) {
			_, err = fmt.Fprintf(w, "  %s[%s] at %s:%d: %s\n", x.Severity, x.Code, x.File, x.Line, x.Message)
		}
	}
	if err == nil && d.StateChangesOps != nil && *d.StateChangesOps {
		_, err = fmt.Fprintln(w, "  a second call with the same inputs does other operations: a trace keeps those of the first")
	}
	return err
}

// inTable are the findings that the table of places shows in its lines.
var inTable = []string{string(diag.DataBranch), string(diag.SizeBranch), string(diag.KeptState), string(diag.LostCheck)}

// String names the exception, where it was raised and why. It stands after "the call raises".
func (e *Error) String() string {
	text := e.Type
	if e.Line > 0 {
		text += fmt.Sprintf(" at %s:%d", e.File, e.Line)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// words are those of reports for what a decision depends on. The keys are the words of the
// document's field depends.
var words = strings.NewReplacer("shape", "the sizes", "value", "values of tensors", "state", ofState)

// Where the state is that of a generator of random numbers, the text says so instead.
const ofState = "state that calls change"

// counted is how many decisions there are, and how many the configuration settles.
func counted(n, settled int) string {
	if n == 0 {
		return "no decisions outside of the libraries that shapecheck knows itself"
	}
	text := fmt.Sprintf("%d decisions", n)
	if n == 1 {
		text = "1 decision"
	}
	switch {
	case settled == 0:
		return text
	case settled == 1 && n == 1:
		return text + ", settled by the configuration"
	case settled == n:
		return text + ", all settled by the configuration"
	}
	return text + fmt.Sprintf(", %d of them settled by the configuration", settled)
}

// decides says what a place depends on: sizes, values of tensors, or state that calls change. The
// dependence is nil where it is not known, and empty where nothing of a call decides.
func decides(x Branch) string {
	switch {
	case x.Depends == nil:
		return "not known what decides"
	case len(x.Depends) == 0:
		return "settled by the configuration"
	}
	text := words.Replace(strings.Join(x.Depends, " and "))
	if x.drawn {
		text = strings.Replace(text, ofState, "random numbers", 1)
	}
	return "depends on " + text
}

// outcome is what a place gave, in order: yes and no for a condition, dots where it was met more
// often. The values are the first ones that were met; Times says how often in all. Nil: it depends
// on the inputs which way is taken.
func outcome(x Branch) string {
	if x.Values == nil {
		return "either way"
	}
	var list []string
	for _, v := range x.Values {
		switch v {
		case true:
			v = "yes"
		case false:
			v = "no"
		}
		list = append(list, fmt.Sprint(v))
	}
	if *x.Times > len(x.Values) {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

// more gives what the row of a place says besides its outcome: conditions, inputs that go another way, lines that do
// not run, and whether a trace is wrong there.
func more(x Branch) string {
	var b strings.Builder
	if x.TakenBy != "" {
		fmt.Fprintf(&b, ": %s", x.TakenBy)
	}
	for _, also := range x.AlsoBy {
		fmt.Fprintf(&b, ", then %s", also)
	}
	if x.OtherWayFor != nil {
		fmt.Fprintf(&b, "; another way for %s", strings.Join(x.OtherWayFor, ", "))
	}
	for _, r := range x.NotExecuted {
		if r[0] == r[1] {
			fmt.Fprintf(&b, "; line %d does not run", r[0])
		} else {
			fmt.Fprintf(&b, "; lines %d to %d do not run", r[0], r[1])
		}
	}
	// These verdicts are those of a trace which is replayed on other inputs.
	if x.Verdict == "harmless" && len(x.Depends) > 0 {
		b.WriteString("; a trace gives the same there")
	}
	if x.Verdict == "wrong" && x.Witness == nil {
		b.WriteString("; a trace is wrong: later calls give something else")
	}
	// The witness is an input for which the trace gives something else than the model.
	if w := x.Witness; w != nil {
		if w.Difference == "values" {
			fmt.Fprintf(&b, "; a trace is wrong for %s: it gives other values than the model", strings.Join(w.Other, ", "))
			return b.String()
		}
		gives := "gives " + w.TracedResult
		if w.Difference == "refused" {
			gives = "raises " + w.TracedResult
		}
		model := w.ModelResult
		if w.Difference == "error" {
			model = "raises " + model
		}
		fmt.Fprintf(&b, "; a trace is wrong for %s: it %s, the model %s", strings.Join(w.Other, ", "), gives, model)
	}
	return b.String()
}
