package check

// This file compares what an entry gave with what the configuration says of it.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/project/config"
)

// An expectation is what a configuration says of an entry's result.
type expectation struct {
	entry *config.Entry
	at    source.Span // the entry's line of the configuration
}

// compare adds a finding for each expectation that is not met, at the line of the
// entry. An error is a fault in the configuration.
func (e *expectation) compare(r *Result) error {
	unexpected := func(what, got, want string) {
		msg := fmt.Sprintf("the %s of %s is %s, not %s", what, e.entry.Name, got, want)
		r.Diagnostics = append(r.Diagnostics, diag.New(diag.UnexpectedResult, e.at, msg, got, want))
	}
	if want := e.entry.Expect; want != "" && !record.SameType(orNothing(r.OutputType), want) {
		unexpected("result", orNothing(r.OutputType), want)
	}
	if e.entry.Contract == nil {
		return nil
	}
	// The list says which conditions are meant; one that it lacks is told of below.
	r.Diagnostics = slices.DeleteFunc(slices.Clone(r.Diagnostics), func(d *diag.Diagnostic) bool { return d.Code == diag.TiedSizes })
	got := r.Conditions()
	same, err := contract.Same(got, e.entry.Contract)
	if err != nil {
		return fmt.Errorf("contract: %w", err)
	}
	if !same {
		unexpected("contract", orNothing(strings.Join(got, ", ")), orNothing(strings.Join(e.entry.Contract, ", ")))
	}
	return nil
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
