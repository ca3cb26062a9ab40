package cli

// This file compares what an entry gave with what the configuration says of it.

import (
	"encoding/json"
	"fmt"
	"strings"

	"shapecheck/internal/config"
	"shapecheck/internal/contract"
	"shapecheck/internal/diag"
	"shapecheck/internal/report"
	"shapecheck/internal/source"
)

// expect adds a finding for each expectation that is not met, at the line of the
// entry. An error is a fault in the configuration.
func (x *checked) expect(c *config.Config, i int, own *source.File) error {
	e := &c.Entries[i]
	unexpected := func(what, got, want string) {
		line := c.EntryLine(i)
		at := own.LineStart(line)
		span := source.Span{Start: at, End: at + source.Pos(len(own.Line(line)))}
		msg := fmt.Sprintf("the %s of %s is %s, not %s", what, e.Name, got, want)
		x.res.Diagnostics = append(x.res.Diagnostics, diag.New(diag.UnexpectedResult, span, msg, got, want))
	}
	if e.Expect != "" && !report.SameType(orNothing(x.output), e.Expect) {
		unexpected("result", orNothing(x.output), e.Expect)
	}
	if e.Contract == nil {
		return nil
	}
	got, err := x.contract()
	if err != nil {
		return err
	}
	same, err := contract.Same(got, e.Contract)
	if err != nil {
		return fmt.Errorf("contract: %w", err)
	}
	if !same {
		unexpected("contract", orNothing(strings.Join(got, ", ")), orNothing(strings.Join(e.Contract, ", ")))
	}
	return nil
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// contract are the conditions of the entry.
func (x *checked) contract() ([]string, error) {
	var list []report.Condition
	if x.cached {
		if err := json.Unmarshal(x.stored.Contract, &list); err != nil {
			return nil, err
		}
	} else {
		list = report.Contract(x.res, contract.Of(x.res))
	}
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = c.Condition
	}
	return out, nil
}
