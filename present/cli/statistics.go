package cli

// This file counts findings by their codes, and lists what is accepted for a time: --statistics.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
)

// printStatistics prints how many findings there are of each code, the most first.
func printStatistics(w io.Writer, list []*diag.Diagnostic) error {
	list = diag.Causes(list)
	count := map[diag.Code]int{}
	var codes []diag.Code
	for _, d := range list {
		if count[d.Code] == 0 {
			codes = append(codes, d.Code)
		}
		count[d.Code]++
	}
	slices.SortFunc(codes, func(a, b diag.Code) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	for _, c := range codes {
		if _, err := fmt.Fprintf(w, "%6d  %s  %s\n", count[c], c, c.Info().Title); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, counted(len(list), "finding"))
	return err
}

// printAccepted prints what is accepted for a time, and what was.
func printAccepted(w io.Writer, list []check.AcceptedIn) error {
	for _, in := range list {
		for _, a := range in.List {
			where, line := in.File.Place(), 0
			if a.At.IsValid() {
				line, _ = in.File.LineCol(a.At.Start)
				where, line = in.File.Where(line)
				where += fmt.Sprintf(":%d", line)
			}
			if a.Name != "" {
				where += " " + a.Name
			}
			when := "accepted until " + a.Until
			if a.Expired(in.Today) {
				when = "counts again since " + a.Until
			}
			if _, err := fmt.Fprintln(w, safetext.Line(fmt.Sprintf("%s: %s %s: %s", where, strings.Join(a.Keys, ", "), when, a.Reason))); err != nil {
				return err
			}
		}
	}
	return nil
}
