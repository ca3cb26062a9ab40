// Package report prints the result of a run, and what package record keeps of one. The printers are
// pure functions of the result.
//
//	source.go   the annotated source, tallies     mark.go       marks beside lines
//	project.go  the document of a project         jsonlines.go  diagnostics, one object on a line
//	contract.go contracts                         environment.go  installed packages
//	seed.go     types in the notation of chainer-compiler; seedsizes.go: sizes
package report

// This file prints contracts.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
)

// A ContractDocument is the contract of an entry as JSON.
type ContractDocument struct {
	Version  int                `json:"version"`
	Entry    string             `json:"entry"`
	Assumed  []string           `json:"assumed"`
	Contract []record.Condition `json:"contract"`
	// Checked says that there was something to check; WhyNot why there was not.
	Checked bool   `json:"checked"`
	WhyNot  string `json:"why_not"`
	// Complete is false when the run has errors: then there may be more conditions.
	Complete bool `json:"complete"`
}

// ContractJSON makes the document of a contract.
func ContractJSON(r *infer.Result, c *contract.Contract) *ContractDocument {
	d := &ContractDocument{Version: record.Version, Entry: r.Entry, Assumed: []string{}, Contract: record.Contract(r, c), Checked: r.Checked,
		WhyNot: r.WhyNot, Complete: complete(r)}
	for _, a := range c.Given {
		d.Assumed = append(d.Assumed, a.String())
	}
	return d
}

func complete(r *infer.Result) bool {
	return !slices.ContainsFunc(r.Diagnostics, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// ContractText prints a contract one condition a line, each with the lines that
// need it.
func ContractText(w io.Writer, r *infer.Result, c *contract.Contract) {
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
	list := record.Contract(r, c)
	widest := 0
	for _, x := range list {
		widest = max(widest, len(x.Condition))
	}
	for _, x := range list {
		because := ""
		if len(x.Because) > 0 {
			because = fmt.Sprintf("%*s# %s", min(widest, 40)-len(x.Condition)+3, "", strings.Join(first(x.Because, 3), ", "))
			if len(x.Condition) > 40 {
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
}
