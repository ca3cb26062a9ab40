package trace

// This file reports which sizes of an entry's contract share a trace, and how the tracer is called for them.

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/trace/export"
)

// A SizesDocument says which sizes share a trace. What is not known is null or left out.
type SizesDocument struct {
	*record.Document
	For    string   `json:"for"`
	Inputs []string `json:"inputs"`
	// Classes share a trace each; Complete says that there are no others.
	Classes  []SizeClass `json:"classes"`
	Complete bool        `json:"complete"`
	// Each are the sizes of which every value has a trace of its own.
	Each []string `json:"each,omitempty"`
	// Traces is the number of traces for all sizes of the contract; null: there is no bound, or it is not known.
	Traces *int64 `json:"traces"`
	// Constraints are what the tracer finds of the sizes and the contract does not say.
	Constraints []Constraint `json:"constraints"`
	// Values are the places of which a trace keeps what the elements of tensors were: the way that they decide, or a number.
	Values []Place      `json:"values,omitempty"`
	Error  *ExportError `json:"error,omitempty"`
	// Text is Python that makes the trace.
	Text string `json:"text,omitempty"`
	// Unknown says why something is left out.
	Unknown string `json:"unknown,omitempty"`
}

// A SizeClass is a set of sizes that share a trace.
type SizeClass struct {
	Example string `json:"example"`
	// Conditions hold for its sizes alone.
	Conditions []string `json:"conditions"`
	// Raises is what the model raises for the example.
	Raises string `json:"raises,omitempty"`
}

// A Constraint is a condition on sizes.
type Constraint struct {
	Condition string `json:"condition"`
	Place
	// Model says that the model needs it whatever makes a trace.
	Model bool `json:"model"`
}

// A Place is a line of a file; Line is 0 where there is none.
type Place struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

func placeOf(r *infer.Result, at source.Span) Place {
	if !at.IsValid() {
		return Place{}
	}
	p := r.Files.Position(at.Start)
	return Place{p.File.Name, p.Line}
}

// OfSizes makes the report of a result that has classes of sizes.
func OfSizes(r *infer.Result) *SizesDocument {
	s := r.Shared
	if s == nil {
		s = &export.Sharing{Why: "the entry was not run"}
	}
	d := &SizesDocument{Document: record.Short(r), For: s.For, Inputs: append([]string{}, s.Inputs...), Classes: []SizeClass{},
		Complete: s.Complete, Constraints: []Constraint{}, Text: s.Text, Unknown: s.Why}
	for _, c := range s.Classes {
		x := SizeClass{Example: exampleText(c.Example), Conditions: []string{}, Raises: c.Raises}
		for _, k := range c.Conds {
			x.Conditions = append(x.Conditions, k.String())
		}
		d.Classes = append(d.Classes, x)
	}
	for _, e := range s.Each {
		d.Each = append(d.Each, e.String())
	}
	if s.Count > 0 {
		d.Traces = &s.Count
	}
	for _, l := range s.Limits {
		d.Constraints = append(d.Constraints, Constraint{l.Cond.String(), placeOf(r, l.At), l.Model})
	}
	for _, v := range s.Values {
		d.Values = append(d.Values, placeOf(r, v.At))
	}
	if e := s.Refused; e != nil {
		d.Error = exportError(e, placeOf(r, e.At).Line)
	}
	return d
}

// exampleText is sizes by name.
func exampleText(env map[string]int64) string {
	var parts []string
	for name, n := range env {
		parts = append(parts, fmt.Sprintf("%s=%d", name, n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// sizeFindings are what a tracer restricts, and what it refuses.
func sizeFindings(s *export.Sharing) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	if e := s.Refused; e != nil && e.At.IsValid() {
		d := e.Finding(e.At)
		switch s.For {
		case export.ForCompile:
			d = diag.New(diag.GraphBreak, e.At, "torch.compile ends the graph here: "+e.Message)
		case export.ForJAX, export.ForTF:
			d = diag.New(diag.TraceFails, e.At, "a trace fails here: "+e.Message)
			if len(s.Classes) > 0 {
				d.Severity = diag.Info // with a signature alone
				d.Notes = append(d.Notes, "input_signature with None for the sizes is refused here")
			}
		}
		out = append(out, d)
	}
	for _, l := range s.Limits {
		if l.Model || !l.At.IsValid() {
			continue
		}
		text := fmt.Sprintf("this is decided by the trace, which is for %s", l.Cond)
		switch s.For {
		case export.ForExport:
			d := diag.New(diag.RestrictedDim, l.At, "torch.export: "+text)
			d.Notes = append(d.Notes, "sizes outside are refused by the program: export once for each class of sizes, or keep both ways with torch.cond")
			out = append(out, d)
		case export.ForTrace, export.ForONNX:
			out = append(out, diag.New(diag.SizeBranch, l.At, text))
		case export.ForCompile:
			d := diag.New(diag.RetracesByType, l.At, text)
			if len(s.Each) == 0 {
				d.Severity = diag.Info
			}
			out = append(out, d)
		}
	}
	for _, v := range s.Values {
		if v.Number {
			out = append(out, diag.New(diag.TakenNumber, v.At, "a number is taken out of a tensor here: a trace keeps what it was"))
		} else {
			out = append(out, diag.New(diag.DataBranch, v.At, "the elements of tensors decide here: a trace keeps what they were"))
		}
	}
	return out
}

// tracers are the values of For in the words of their users.
var tracers = map[string]string{export.ForExport: "torch.export", export.ForTrace: "torch.jit.trace",
	export.ForONNX:    "torch.onnx.export(dynamo=False)",
	export.ForCompile: "torch.compile", export.ForJAX: "jax.jit", export.ForTF: "tf.function"}

// maxShownClasses is how many classes are shown where there are more than one further.
const maxShownClasses = 2

// maxConditions is how long the conditions of a class are in the text.
const maxConditions = 100

// text is the conditions, short ones first, as far as they are no longer than a line.
func (c SizeClass) text() string {
	list := slices.Clone(c.Conditions)
	if len(strings.Join(list, ", ")) <= maxConditions {
		return strings.Join(list, ", ")
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(a) - len(b) })
	text := list[0]
	for i, k := range list[1:] {
		if len(text)+len(k) > maxConditions {
			return fmt.Sprintf("%s and %d more", text, len(list)-1-i)
		}
		text += ", " + k
	}
	return text
}

// SizesText prints the report for people. It returns an error only where w does.
func SizesText(w io.Writer, d *SizesDocument) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s(%s), %s: %s\n", strings.TrimSuffix(d.Entry, "()"), strings.Join(d.Inputs, ", "), tracers[d.For], d.classes())
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	shown := d.Classes
	if len(shown) > maxShownClasses+1 {
		shown = shown[:maxShownClasses]
	}
	for _, c := range shown {
		of := c.text()
		switch {
		case c.Raises != "":
			of += "\traises " + c.Raises
		case of == "":
			of = "all sizes that the model takes"
		}
		fmt.Fprintf(t, "  %s\t%s\n", c.Example, of)
	}
	if n := len(d.Classes) - len(shown); n > 0 {
		fmt.Fprintf(t, "  %d more\tof other sizes: --output-format json\n", n)
	}
	for _, c := range d.limits() {
		fmt.Fprintf(t, "  constraint\t%s\t%s\n", c[1], c[0])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, x := range d.Diagnostics {
		if x.Severity != diag.Error.String() && !strings.HasPrefix(x.Code, "SC5") {
			continue // of a check
		}
		fmt.Fprintf(&b, "  %s[%s] at %s:%d: %s\n", x.Severity, x.Code, x.File, x.Line, x.Message)
	}
	if d.Unknown != "" {
		fmt.Fprintf(&b, "  not known: %s\n", d.Unknown)
	}
	if d.Text != "" {
		b.WriteString("to paste at the end of the file:\n")
		for line := range strings.Lines(d.Text) {
			b.WriteString("    " + line)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// limits are the constraints, those of one origin together: the origin and their conditions. What a tracer assumes of the first of
// several classes is said there.
func (d *SizesDocument) limits() [][2]string {
	var out [][2]string
	for _, c := range d.Constraints {
		by := "decided at " + c.at()
		switch {
		case c.Model:
			by = "needed by the model at " + c.at()
		case c.Line == 0 && len(d.Classes) > 1 && slices.Contains(d.Classes[0].Conditions, c.Condition):
			continue
		case c.Line == 0:
			by = "assumed by the tracer"
		}
		i := slices.IndexFunc(out, func(x [2]string) bool { return x[0] == by })
		if i < 0 {
			out = append(out, [2]string{by, c.Condition})
			continue
		}
		out[i][1] += ", " + c.Condition
	}
	return out
}

func (p Place) at() string {
	if p.Line == 0 {
		return "a place without a line"
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// classes counts the traces.
func (d *SizesDocument) classes() string {
	switch {
	case d.Error != nil && len(d.Classes) == 0 && d.For != export.ForCompile: // which makes a graph of each part
		return "nothing is traced"
	case len(d.Classes) == 0:
		return "which sizes share a trace is not known"
	case d.Traces != nil && *d.Traces == 1:
		return "one trace serves all sizes"
	case len(d.Each) > 0 && d.Traces != nil:
		return fmt.Sprintf("a trace for each %s, %d in all", strings.Join(d.Each, ", "), *d.Traces)
	case len(d.Each) > 0:
		return fmt.Sprintf("a trace for each %s", strings.Join(d.Each, ", "))
	case d.Complete:
		return fmt.Sprintf("%d traces serve all sizes", len(d.Classes))
	}
	return fmt.Sprintf("%s, and maybe further ones", plural(len(d.Classes), "trace"))
}
