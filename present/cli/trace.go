package cli

// This file reports what a tracer keeps of an entry: shapecheck trace FILE. The report says which
// branches a tracer would keep, which inputs decide them, and which sizes share a trace. The entry
// is run by the check with a tracer watching (infer.TraceSpec); package trace reads what it noted.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/reads"
	"shapecheck/present/report"
	"shapecheck/project/suppress"
	"shapecheck/trace"
	"shapecheck/trace/export"
)

// traceCommand reports what a tracer keeps and loses: of one entry where one is named, by sizes with --for, else of all
// traced calls of a script.
func (a *app) traceCommand() *cobra.Command {
	var t target
	var spec infer.TraceSpec
	var formats []string
	var shown shown
	var filters filterFlags
	c := &cobra.Command{
		Use:   "trace FILE [--entry ENTRY (--inputs EXPR | --arg ARG…) [--for TRACER]]",
		Short: "Tell which ways an entry goes and what decides: what a tracer keeps and loses",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := asked(&t.Run, &spec); err != nil {
				return err
			}
			// Without an entry the whole file runs.
			script := t.Run.Entry == "" && spec == infer.TraceSpec{}
			if err := t.resolve(args, false); err != nil {
				return err
			}
			outs, err := outputs(formats, []string{t.Run.File})
			if err != nil {
				return err
			}
			filter, err := filters.filter(suppress.Filter{})
			if err != nil {
				return err
			}
			session := &check.Session{Limits: t.limits.set(), More: trace.AddFindings, Filter: filter}
			if script {
				return a.traceScript(&t, session, &filters, outs, shown)
			}
			t.Run.Trace, t.Run.Numbers = &spec, trace.Numbers
			// JAX and TensorFlow trace again for new types.
			t.Run.Retraces = spec.For == export.ForJAX || spec.For == export.ForTF
			var res *check.Result
			err = a.completed(&t, session, need{}, func() (err error) {
				res, err = session.Check(a.context(), &t.Target)
				return err
			})
			if err != nil {
				return err
			}
			// Sizes are asked for.
			if spec.For != "" {
				d := trace.OfSizes(res.Result)
				a.code = check.ExitCode(res.Result)
				if err := a.write(outs, traceFindings(res, func() any { return d }, shown, nil,
					func(w io.Writer) error { return trace.SizesText(w, d) })); err != nil {
					return err
				}
				return a.finish(&filters, res.Files, res.Diagnostics)
			}
			d := trace.Of(res.Result)
			// A trace that raises is a finding.
			if a.code = check.ExitCode(res.Result); d.Error != nil {
				a.code = check.ExitFindings
			}
			if err := a.write(outs, traceFindings(res, func() any { return d }, shown, trace.Marks(res.Result),
				func(w io.Writer) error { return trace.Text(w, d) })); err != nil {
				return err
			}
			return a.finish(&filters, res.Files, res.Diagnostics)
		},
	}
	t.flags(c)
	filters.flags(c)
	f := c.Flags()
	f.StringVar(&spec.Inputs, "inputs", "", "a tuple of arguments: an expression in the file's scope")
	f.StringVar(&spec.Others, "others", "", "a list of further tuples, for which the entry may go another way")
	f.StringVar(&spec.For, "for", "", "tell which sizes share a trace of a tracer: "+strings.Join(export.Tracers, ", "))
	f.BoolVar(&shown.types, "types", false, "show the source first, with the type of every statement and what each place that decides does")
	f.BoolVar(&shown.all, "all", false, "with --types: show all files, not only the entry's")
	f.StringArrayVar(&formats, "output-format", nil, formatHelp)
	return c
}

// tracerNames are the names of tracers in the words of their users. Other names are those of
// package export.
var tracerNames = map[string]string{
	"torch.compile": export.ForCompile, "torch.jit.trace": export.ForTrace, "torch.onnx.export": export.ForONNX, "jax.jit": export.ForJAX,
	"tf.function": export.ForTF,
}

// asked checks what is given of an entry: values, or a tracer and arguments as types. With these
// torch.export is meant. It returns an error for flags that do not fit together.
func asked(r *infer.Config, spec *infer.TraceSpec) error {
	if spec.For == "" && len(r.Args) > 0 {
		spec.For = export.ForExport
	}
	spec.For = cmp.Or(tracerNames[spec.For], spec.For)
	switch {
	case spec.For != "" && !slices.Contains(export.Tracers, spec.For):
		return fmt.Errorf("--for %s: no tracer that is known (there are %s)", spec.For, strings.Join(export.Tracers, ", "))
	case spec.For != "" && spec.Others != "":
		return fmt.Errorf("--others with --for or --arg: the sizes that go another way are found")
	case spec.Inputs != "" && len(r.Args) > 0:
		return fmt.Errorf("--inputs and --arg: give one of them")
	case spec.For == "" && (r.Entry != "" || spec.Others != "") && spec.Inputs == "":
		return fmt.Errorf("--inputs is missing: a tuple of arguments, an expression in the file's scope, such as '(torch.rand(2, 3),)'; or --arg with a type, as x:f32[B,3]")
	}
	return nil
}

// traceScript runs a file as a script and reports the calls of its traced functions. Nothing of the
// entry's kind is needed: the calls of traced functions are found as the script runs.
func (a *app) traceScript(t *target, session *check.Session, filters *filterFlags, outs []output, shown shown) error {
	if t.Run.Script == nil {
		t.Run.Script = []string{}
	}
	// Each trip of a loop counts, as a function may be traced again in it.
	t.Run.Unroll, t.Run.Retraces, t.Run.Numbers = infer.UnrollAlways, true, trace.Numbers
	res, err := session.Check(a.context(), &t.Target)
	if err != nil {
		return err
	}
	d := trace.OfScript(res.Result)
	trace.Propose(res.Result, d, func(text string) *infer.Result { return a.changed(t, text) })
	if a.code = check.ExitCode(res.Result); a.code == check.ExitUsage && len(d.Calls) > 0 {
		a.code = check.ExitClean // the calls are what was to be looked at
	}
	style := styleOf(a.out)
	marks := trace.ScriptMarks(res.Result, d)
	document := func() any { return d.WithDocument(res.Result) }
	text := func(w io.Writer) error { return trace.ScriptText(w, d, res.Result, style) }
	if err := a.write(outs, traceFindings(res, document, shown, marks, text)); err != nil {
		return err
	}
	return a.finish(filters, res.Files, res.Diagnostics)
}

// changed runs a script with another text; nil: it does not run. It is used to try proposed
// changes.
func (a *app) changed(t *target, text string) *infer.Result {
	abs, err := reads.Disk{}.Abs(t.Run.File)
	if err != nil {
		return nil
	}
	changed := t.Target
	res, err := (&check.Session{Limits: t.limits.set(), More: trace.AddFindings,
		FS: reads.NewOverlay(reads.Disk{}, map[string]string{abs: text})}).Check(a.context(), &changed)
	if err != nil {
		return nil
	}
	return res.Result
}

// traceFindings are what a trace prints in each format: its document as JSON, its text, after the marked source if that is asked for, and
// the
// findings in the others. marks are shown in the listing and on the page.
func traceFindings(res *check.Result, document func() any, shown shown, marks []report.Mark, told func(w io.Writer) error) *findings {
	r := res.Result
	text := func(w io.Writer) error {
		if shown.types || shown.all {
			if err := report.Listing(w, r, optionsFor(w, shown, slices.Concat(marks, trace.FindingMarks(r)))); err != nil {
				return err
			}
		}
		return told(w)
	}
	page := pageOf([]check.Outcome{{Name: r.Entry, Result: res}}, nil, marks...)
	return &findings{files: r.Files, list: r.Diagnostics, text: text, page: page, json: func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		e.SetEscapeHTML(false)
		return e.Encode(document())
	}}
}
