package compare

// This file prints an outcome. Text is for people and JSON for programs; both are made from the
// same Outcome, and neither computes anything: the verdict, the first difference and the pairs of
// parameters stand in it. Texts of the program that was checked are cleaned of control characters
// before they are printed.

import (
	"fmt"
	"io"
	"strings"

	"shapecheck/check/record"
	"shapecheck/internal/safetext"
)

// Text prints an outcome for people. The models are the words that named them.
func Text(w io.Writer, o *Outcome, models [2]string) {
	head := safetext.Line(models[0] + " and " + models[1])
	switch o.Verdict {
	case Same:
		fmt.Fprintf(w, "%s are the same\n", head)
	case Different:
		fmt.Fprintf(w, "%s differ\n", head)
	case Unknown:
		fmt.Fprintf(w, "%s: not all is known\n", head)
	case NotChecked:
		fmt.Fprintf(w, "%s were not compared\n", head)
		return
	}
	// The first difference comes before the summary, since it is what a user has to act on.
	if d := o.First; d != nil {
		fmt.Fprintf(w, "\n%s\n", safetext.Line(d.What))
		if len(d.Sizes) > 0 {
			fmt.Fprintf(w, "for example with %s\n", example(d.Sizes))
		}
		for _, list := range d.Places {
			for _, p := range list {
				line := fmt.Sprintf("%s:%d   %s", p.File, p.Line, p.Text)
				if p.Note != "" {
					line += "   # " + p.Note
				}
				fmt.Fprintf(w, "  --> %s\n", safetext.Line(line))
			}
		}
	}
	fmt.Fprintf(w, "\nresult      %s\n", safetext.Line(both(o.Types)))
	// An entry without conditions says "none": an empty place could be taken for a missing one.
	var conditions [2]string
	for i, list := range o.Contracts {
		var parts []string
		for _, c := range list {
			parts = append(parts, c.Condition)
		}
		if conditions[i] = strings.Join(parts, ", "); conditions[i] == "" {
			conditions[i] = "none"
		}
	}
	fmt.Fprintf(w, "conditions  %s\n", both(conditions))
	for _, r := range o.Renamed {
		fmt.Fprintf(w, "size        %s is %s\n", r[0], r[1])
	}
	// Where the models differ, the counts are of what agrees.
	which := ""
	if o.Verdict != Same {
		which = " the same"
	}
	fmt.Fprintf(w, "calls       %d%s\nparameters  %d%s\n", o.Calls, which, len(o.Parameters), which)
	// The pairs of parameters are a renaming of state dicts, which is of use only where all fit.
	if o.Verdict != Same {
		return
	}
	widest := [2]int{}
	for _, p := range o.Parameters {
		for i, n := range p.Names {
			widest[i] = max(widest[i], len(n))
		}
	}
	for _, p := range o.Parameters {
		fmt.Fprintln(w, safetext.Line(fmt.Sprintf("    %-*s  %-*s  %s", widest[0], p.Names[0], widest[1], p.Names[1], p.Type)))
	}
}

// both is one text where the two models agree, and otherwise both, first | second.
func both(x [2]string) string {
	if x[0] == x[1] {
		return x[0]
	}
	return x[0] + " | " + x[1]
}

// documentVersion is the version of the document; see record.Version.
const documentVersion = 1

// A Document is an outcome as JSON.
type Document struct {
	Version    int               `json:"version"`
	Verdict    Verdict           `json:"verdict"`
	Models     [2]Model          `json:"models"`
	Difference *DifferenceJSON   `json:"difference"`
	Calls      int               `json:"calls"`
	Parameters []PairJSON        `json:"parameters"`
	Sizes      map[string]string `json:"sizes"`
}

// A Model is one of the two.
type Model struct {
	Model      string              `json:"model"`
	Entry      string              `json:"entry"`
	OutputType string              `json:"output_type"`
	Contract   []record.Condition  `json:"contract"`
	Errors     []record.Diagnostic `json:"errors"`
}

// A DifferenceJSON is a Difference in a Document.
type DifferenceJSON struct {
	What   string           `json:"what"`
	Sizes  map[string]int64 `json:"sizes"`
	Places [2][]PlaceJSON   `json:"places"`
}

// A PlaceJSON is a Place in a Document.
type PlaceJSON struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
	Note string `json:"note"`
}

// A PairJSON is a Pair in a Document.
type PairJSON struct {
	Names [2]string `json:"names"`
	Type  string    `json:"type"`
}

// JSON makes the document of an outcome. The errors of the runs are those given. Lists and maps are
// never null in the document, so that a reader needs no special case: they are empty. The
// difference is null where there is none.
func JSON(o *Outcome, models [2]string, errors [2][]record.Diagnostic) *Document {
	d := &Document{Version: documentVersion, Verdict: o.Verdict, Calls: o.Calls, Parameters: []PairJSON{}, Sizes: map[string]string{}}
	for i := range models {
		d.Models[i] = Model{models[i], o.Entries[i], o.Types[i], append([]record.Condition{}, o.Contracts[i]...),
			append([]record.Diagnostic{}, errors[i]...)}
	}
	for _, p := range o.Parameters {
		d.Parameters = append(d.Parameters, PairJSON(p))
	}
	for _, r := range o.Renamed {
		d.Sizes[r[0]] = r[1]
	}
	if f := o.First; f != nil {
		d.Difference = &DifferenceJSON{What: f.What, Sizes: map[string]int64{}}
		for n, v := range f.Sizes {
			d.Difference.Sizes[n] = v
		}
		for i, list := range f.Places {
			d.Difference.Places[i] = []PlaceJSON{}
			for _, p := range list {
				d.Difference.Places[i] = append(d.Difference.Places[i], PlaceJSON(p))
			}
		}
	}
	return d
}
