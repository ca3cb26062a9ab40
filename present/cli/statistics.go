package cli

// This file counts findings by their codes: --statistics.

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"shapecheck/internal/diag"
)

// printStatistics prints how many findings there are of each code, the most first.
func printStatistics(w io.Writer, list []*diag.Diagnostic) error {
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
