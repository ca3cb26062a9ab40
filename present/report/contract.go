// Package report prints the result of a run, and what package record keeps of one. The printers are
// pure functions of the result.
//
//	source.go   the annotated source, tallies     mark.go       marks beside lines
//	project.go  the document of a project         jsonlines.go  diagnostics, one object on a line
//	contract.go contracts                         environment.go  installed packages
//	seednotation.go  types in the notation of chainer-compiler; seedsizes.go: sizes
package report

// This file prints contracts.

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
)

// contractVersion is the version of the document; see record.Version.
const contractVersion = 1

// A ContractDocument is the contract of an entry as JSON.
type ContractDocument struct {
	Version  int                `json:"version"`
	Entry    string             `json:"entry"`
	Assumed  []string           `json:"assumed"`
	Contract []record.Condition `json:"contract"`
	// Checked says that there was something to check; WhyNot why there was not.
	Checked bool   `json:"checked"`
	WhyNot  string `json:"why_not"`
	// Example are sizes that satisfy it; nil: none are known.
	Example *record.Example `json:"example,omitempty"`
	// At are the sizes that were tried.
	At []Fit `json:"at,omitempty"`
	// Complete is false when the run has errors: then there may be more conditions.
	Complete bool `json:"complete"`
}

// A Fit is sizes that were tried, and what of them breaks a contract.
type Fit struct {
	Sizes   contract.Sizes
	Misfits []contract.Misfit
}

// MarshalJSON writes whether the sizes fit, and for those that do not the next ones that do.
func (f Fit) MarshalJSON() ([]byte, error) {
	out := struct {
		Sizes   contract.Sizes     `json:"sizes"`
		Fits    bool               `json:"fits"`
		Nearest map[string][]int64 `json:"nearest,omitempty"`
	}{f.Sizes, len(f.Misfits) == 0, nil}
	if !out.Fits {
		out.Nearest = contract.Nearest(f.Misfits)
	}
	return json.Marshal(out)
}

// ContractJSON makes the document of a contract, with sizes that were tried.
func ContractJSON(r *infer.Result, c *contract.Contract, at []Fit) *ContractDocument {
	d := &ContractDocument{Version: contractVersion, Entry: r.Entry, Assumed: []string{}, Contract: record.Contract(r, c), Checked: r.Checked,
		WhyNot: r.WhyNot, Example: record.ExampleOf(r, c), At: at, Complete: complete(r)}
	for _, a := range c.Given {
		d.Assumed = append(d.Assumed, a.String())
	}
	return d
}

func complete(r *infer.Result) bool {
	return !slices.ContainsFunc(r.Diagnostics, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// ContractText prints a contract one condition a line, each with the lines that
// need it, and what sizes that were tried come to.
func ContractText(w io.Writer, r *infer.Result, c *contract.Contract, at []Fit) {
	if len(c.Given) > 0 {
		var given []string
		for _, a := range c.Given {
			given = append(given, a.String())
		}
		fmt.Fprintf(w, "# assuming %s\n", strings.Join(given, ", "))
	}
	if !complete(r) {
		fmt.Fprintln(w, "# the run has errors; there may be more conditions")
	}
	list := record.ContractLines(r, c)
	widest := 0
	for _, x := range list {
		widest = max(widest, utf8.RuneCountInString(x.Condition))
	}
	for _, x := range list {
		because := ""
		if len(x.Because) > 0 {
			because = fmt.Sprintf("%*s# %s", min(widest, 40)-utf8.RuneCountInString(x.Condition)+3, "", strings.Join(first(x.Because, 3), ", "))
			if utf8.RuneCountInString(x.Condition) > 40 {
				because = "   " + strings.TrimLeft(because, " ")
			}
		}
		fmt.Fprintf(w, "%s%s\n", x.Condition, because)
	}
	switch {
	case !r.Checked:
		fmt.Fprintln(w, "# not checked: "+safetext.Line(r.WhyNot))
	case len(list) == 0 && complete(r):
		fmt.Fprintln(w, "# holds for all sizes")
	}
	if x := record.ExampleOf(r, c); x != nil && x.Text != "" {
		fmt.Fprintln(w, "# "+x.Text)
	}
	for _, x := range at {
		if len(x.Misfits) == 0 {
			fmt.Fprintf(w, "# %s: fits\n", x.Sizes)
		}
		for _, m := range x.Misfits {
			fmt.Fprintf(w, "# %s: %s\n", x.Sizes, m)
		}
	}
}
