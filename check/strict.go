package check

// This file makes findings of what is unknown, for those who ask that nothing is.

import (
	"fmt"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// hold makes a strict session's findings: infos become warnings, and each cause of an
// unknown value that none of them is about is one more.
func (s *Session) hold(res *infer.Result) {
	if all := res.Typed + res.Open; all > 0 && 100*res.Typed < s.MinTyped*all {
		msg, at := fmt.Sprintf("%d of %d values are typed (%d %%), less than %d %%", res.Typed, all, 100*res.Typed/all, s.MinTyped), source.Span{}
		if len(res.Weights) > 0 {
			c := res.Weights[0].Cause
			msg, at = msg+"; most are lost here: "+c.Reason, c.At
		}
		res.Diagnostics = append(res.Diagnostics, diag.New(diag.UnknownValue, at, msg))
	}
	if !s.Strict {
		return
	}
	res.Diagnostics = Strictly(res.Diagnostics)
	if res.Open == 0 {
		return
	}
	told := map[source.Span]bool{}
	for _, d := range res.Diagnostics {
		told[d.At] = true
	}
	add := func(at source.Span, reason string) {
		if !told[at] {
			told[at] = true
			res.Diagnostics = append(res.Diagnostics, diag.New(diag.UnknownValue, at, "not known: "+reason, reason))
		}
	}
	for _, c := range res.Unknown {
		add(c.At, c.Reason)
	}
	for _, c := range res.OutputLost {
		add(c.At, c.Reason)
	}
	if len(res.Diagnostics) == 0 {
		at := source.Span{}
		for _, l := range res.Lines {
			if strings.Contains(l.Type.String(), "?") {
				at = l.At
				break
			}
		}
		add(at, fmt.Sprintf("%d values", res.Open))
	}
}

// Strictly gives findings the severities of a strict check, in which infos are warnings.
func Strictly(list []*diag.Diagnostic) []*diag.Diagnostic {
	out := make([]*diag.Diagnostic, len(list))
	for i, d := range list {
		if out[i] = d; d.Severity == diag.Info {
			raised := *d
			raised.Severity = diag.Warning
			out[i] = &raised
		}
	}
	return out
}
