package changes

// This file prints differences.

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"shapecheck/check/record"
	"shapecheck/internal/safetext"
	"shapecheck/present/render/markdown"
	"shapecheck/present/summary"
)

// A Report is what is printed.
type Report struct {
	// Old and New name the revisions.
	Old, New string
	// Entries is how many entries there are at either.
	Entries int
	List    []*Difference
	// Sizes are those of the amounts; may be empty.
	Sizes summary.Sizes
}

// maxExpr bounds the characters of an amount that depends on the sizes.
const maxExpr = 60

// A row is a line of a difference: what, and how it changed.
type row struct{ what, how string }

// rows are the lines of a difference.
func (d *Difference) rows(at string) []row {
	var out []row
	add := func(what, format string, args ...any) { out = append(out, row{what, fmt.Sprintf(format, args...)}) }
	switch d.Kind {
	case Added:
		add("added", "%s", arrow(cmp.Or(d.Result.New, "?")))
	case Removed:
		add("removed", "%s", arrow(cmp.Or(d.Result.Old, "?")))
	}
	if p := d.Failed; p != nil {
		add("not run", "%s → %s", cmp.Or(p.Old, "it ran"), cmp.Or(p.New, "it runs"))
	}
	if p := d.Inputs; p != nil {
		add("inputs", "%s → %s", strings.Join(p.Old, ", "), strings.Join(p.New, ", "))
	}
	if p := d.Result; p != nil && d.Kind == Changed {
		add("result", "%s → %s", cmp.Or(p.Old, "none"), cmp.Or(p.New, "none"))
	}
	for _, c := range d.ContractAdded {
		add("contract", "+ %s%s", c.Condition, because(c))
	}
	for _, c := range d.ContractRemoved {
		add("contract", "- %s%s", c.Condition, because(c))
	}
	amounts := []struct {
		what, at string
		p        *Pair[Amount]
		rounded  func(int64) string
	}{
		{"parameters", "", d.Parameters, summary.Rounded},
		{"multiply-adds", at, d.MultAdds, summary.Rounded},
		{"peak memory", at, d.Peak, summary.Memory},
	}
	for _, x := range amounts {
		if x.p == nil {
			continue
		}
		add(x.what, "%s → %s%s%s", x.p.Old.text(x.rounded), x.p.New.text(x.rounded), percent(x.p), x.at)
	}
	if d.Kind == Changed && d.Has(InState) {
		var parts []string
		for _, t := range d.StateChanged {
			parts = append(parts, fmt.Sprintf("%s %s → %s", t.Name, t.Old, t.New))
		}
		for _, t := range d.StateAdded {
			parts = append(parts, fmt.Sprintf("+ %s %s", t.Name, t.Type))
		}
		for _, t := range d.StateRemoved {
			parts = append(parts, fmt.Sprintf("- %s %s", t.Name, t.Type))
		}
		if n := len(parts) - maxState; n > 0 {
			parts = append(parts[:maxState], fmt.Sprintf("%d more", n))
		}
		add("state_dict", "%s   (old checkpoints no longer load)", strings.Join(parts, ", "))
	}
	if len(d.FindingsNew)+len(d.FindingsFixed) > 0 {
		add("findings", "%d new, %d fixed", len(d.FindingsNew), len(d.FindingsFixed))
	}
	return out
}

// maxState bounds the entries of a state dict that are named.
const maxState = 6

func arrow(s string) string { return "→ " + s }

func because(c record.Condition) string {
	if len(c.Because) == 0 {
		return ""
	}
	return "   # " + c.Because[0]
}

// text writes an amount rounded.
func (a Amount) text(rounded func(int64) string) string {
	if !a.Ok || a.Expr != "" {
		s := a.String()
		if r := []rune(s); len(r) > maxExpr {
			s = string(r[:maxExpr]) + "…"
		}
		return s
	}
	return rounded(a.N)
}

// percent is the growth of a number.
func percent(p *Pair[Amount]) string {
	if !p.Old.Ok || !p.New.Ok || p.Old.Expr+p.New.Expr != "" || p.Old.N == 0 {
		return ""
	}
	return fmt.Sprintf(" (%+.1f %%)", 100*(float64(p.New.N)/float64(p.Old.N)-1))
}

// at says for which sizes amounts are.
func (r *Report) at() string {
	if len(r.Sizes) == 0 {
		return ""
	}
	return " at " + r.Sizes.String()
}

// closing is the last line.
func (r *Report) closing() string {
	n := map[Kind]int{}
	for _, d := range r.List {
		n[d.Kind]++
	}
	text := fmt.Sprintf("%s..%s: %d entries", r.Old, r.New, r.Entries)
	if r.Entries == 1 {
		text = fmt.Sprintf("%s..%s: 1 entry", r.Old, r.New)
	}
	if len(r.List) == 0 {
		return text + ", nothing changed"
	}
	for _, k := range []Kind{Changed, Added, Removed} {
		if n[k] > 0 {
			text += fmt.Sprintf(", %d %s", n[k], k)
		}
	}
	return text
}

// Text prints the differences for people. It returns an error only where w does.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	for _, d := range r.List {
		fmt.Fprintf(&b, "%s  %s\n", safetext.Line(d.Name), safetext.Line(d.File))
		for _, x := range d.rows(r.at()) {
			fmt.Fprintf(&b, "  %-13s %s\n", x.what, safetext.Line(x.how))
		}
		for _, f := range d.FindingsNew {
			fmt.Fprintf(&b, "    + %s\n", safetext.Line(f.String()))
		}
		for _, f := range d.FindingsFixed {
			fmt.Fprintf(&b, "    - %s\n", safetext.Line(f.String()))
		}
		b.WriteByte('\n')
	}
	_, err := fmt.Fprintf(w, "%s%s\n", b.String(), safetext.Line(r.closing()))
	return err
}

// String is the finding in one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s[%s] %s", f.File, f.Line, f.Severity, f.Code, f.Message)
}

// Markdown prints the differences as a table for each entry, in at most markdown.MaxSize bytes. It returns an error
// only where w does.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**shapecheck diff** %s\n", markdown.Span(r.closing()))
	for i, d := range r.List {
		var one strings.Builder
		fmt.Fprintf(&one, "\n%s %s\n\n|  |  |\n| --- | --- |\n", markdown.Span(d.Name), markdown.Span(d.File))
		list := d.rows(r.at())
		for _, f := range d.FindingsNew {
			list = append(list, row{"new", f.String()})
		}
		for _, f := range d.FindingsFixed {
			list = append(list, row{"fixed", f.String()})
		}
		for _, x := range list {
			fmt.Fprintf(&one, "| %s | %s |\n", x.what, markdown.Cell(x.how))
		}
		if b.Len()+one.Len() > markdown.MaxSize-100 {
			fmt.Fprintf(&b, "\n%d more\n", len(r.List)-i)
			break
		}
		b.WriteString(one.String())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Version is the version of the document; see record.Version.
const Version = 1

// A Document is a report as JSON; its schema is docs/diff-schema.json.
type Document struct {
	Version int              `json:"version"`
	Old     string           `json:"old"`
	New     string           `json:"new"`
	Entries int              `json:"entries"`
	Sizes   map[string]int64 `json:"sizes"`
	Changes []Change         `json:"changes"`
}

// A Change is a Difference as JSON. What did not change is left out.
type Change struct {
	File       string            `json:"file"`
	Entry      string            `json:"entry"`
	Kind       Kind              `json:"kind"`
	Failed     *Pair[string]     `json:"failed,omitempty"`
	Inputs     *Pair[[]string]   `json:"inputs,omitempty"`
	Result     *Pair[string]     `json:"result,omitempty"`
	Contract   *Conditions       `json:"contract,omitempty"`
	Parameters *Pair[any]        `json:"parameters,omitempty"`
	MultAdds   *Pair[any]        `json:"mult_adds,omitempty"`
	PeakBytes  *Pair[any]        `json:"peak_bytes,omitempty"`
	StateDict  *State            `json:"state_dict,omitempty"`
	Findings   *FindingsDocument `json:"findings,omitempty"`
}

// Conditions are those that came and went.
type Conditions struct {
	Added   []record.Condition `json:"added"`
	Removed []record.Condition `json:"removed"`
}

// A State is what changed of a state dict.
type State struct {
	Added   []Tensor  `json:"added"`
	Removed []Tensor  `json:"removed"`
	Changed []Retyped `json:"changed"`
}

// A FindingsDocument are the findings that came and went.
type FindingsDocument struct {
	New   []Finding `json:"new"`
	Fixed []Finding `json:"fixed"`
}

// JSON makes the document.
func (r *Report) JSON() *Document {
	doc := &Document{Version: Version, Old: r.Old, New: r.New, Entries: r.Entries, Sizes: map[string]int64{}, Changes: []Change{}}
	for name, n := range r.Sizes {
		doc.Sizes[name] = n
	}
	for _, d := range r.List {
		c := Change{
			File: d.File, Entry: d.Name, Kind: d.Kind, Failed: d.Failed, Inputs: d.Inputs, Result: d.Result,
			Parameters: numbers(d.Parameters), MultAdds: numbers(d.MultAdds), PeakBytes: numbers(d.Peak),
		}
		if d.Kind == Changed && d.Has(InContract) {
			c.Contract = &Conditions{all(d.ContractAdded), all(d.ContractRemoved)}
		}
		if d.Kind == Changed && d.Has(InState) {
			c.StateDict = &State{all(d.StateAdded), all(d.StateRemoved), all(d.StateChanged)}
		}
		if len(d.FindingsNew)+len(d.FindingsFixed) > 0 {
			c.Findings = &FindingsDocument{all(d.FindingsNew), all(d.FindingsFixed)}
		}
		doc.Changes = append(doc.Changes, c)
	}
	return doc
}

// all is a list that is no null in JSON.
func all[T any](list []T) []T { return append([]T{}, list...) }

func numbers(p *Pair[Amount]) *Pair[any] {
	if p == nil {
		return nil
	}
	value := func(a Amount) any {
		switch {
		case !a.Ok:
			return nil
		case a.Expr != "":
			return a.Expr
		}
		return a.N
	}
	return &Pair[any]{value(p.Old), value(p.New)}
}
