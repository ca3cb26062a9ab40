package report

// This file prints contracts.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
)

// A ContractDocument is the contract of an entry as JSON.
type ContractDocument struct {
	Version  int         `json:"version"`
	Entry    string      `json:"entry"`
	Assumed  []string    `json:"assumed"`
	Contract []Condition `json:"contract"`
	// Checked says that there was something to check; WhyNot why there was not.
	Checked bool   `json:"checked"`
	WhyNot  string `json:"why_not"`
	// Complete is false when the run has errors: then there may be more conditions.
	Complete bool `json:"complete"`
}

// ContractJSON makes the document of a contract.
func ContractJSON(r *infer.Result, c *contract.Contract) *ContractDocument {
	d := &ContractDocument{Version: Version, Entry: r.Entry, Assumed: []string{}, Contract: Contract(r, c), Checked: r.Checked, WhyNot: r.WhyNot, Complete: complete(r)}
	for _, a := range c.Given {
		d.Assumed = append(d.Assumed, a.String())
	}
	return d
}

// maxReasons is how many reasons of one condition are written.
const maxReasons = 3

// Reasons writes what needs a condition, each a line of text such as
// "net.py:41: cat needs 32*(H//32) = H", at most three.
func Reasons(fs *source.FileSet, list []contract.Reason) []string {
	var out []string
	for _, why := range list {
		line := lineOf(fs, why.At)
		if line == "" {
			continue
		}
		if why.What != "" {
			line += ": " + why.What
		}
		if line = safetext.Line(line); !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	if n := len(out) - maxReasons; n > 0 {
		out = append(out[:maxReasons], fmt.Sprintf("%d more", n))
	}
	return out
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
	list := Contract(r, c)
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
