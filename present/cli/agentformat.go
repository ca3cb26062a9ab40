package cli

// This file is --output-format agent: findings for programs that edit code, with fixes that were run.

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/present/render/agent"
)

// maxVerified is how many fixes of a run are verified: each takes a run of every entry.
const maxVerified = 10

// agent prints the findings, and a line with how many entries ended how.
func (f *findings) agent(w io.Writer) error {
	if err := agent.Print(w, f.files, f.list, f.verifier()); err != nil {
		return err
	}
	for _, u := range f.unexplained() {
		if len(u.Skipped) > 0 || f.outcomes == nil {
			if _, err := fmt.Fprintln(w, u); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintln(w, f.states())
	return err
}

// verifier runs fixes of the first findings.
func (f *findings) verifier() func(*diag.Diagnostic, *diag.Fix) agent.Verdict {
	tried := 0
	known := map[*diag.Fix]agent.Verdict{}
	verify := func(d *diag.Diagnostic, x *diag.Fix) agent.Verdict {
		if f.outcomes == nil || f.session == nil || f.ctx == nil || tried == maxVerified {
			return agent.Verdict{}
		}
		var found *check.Result
		var others []*check.Target
		for _, o := range f.outcomes {
			switch {
			case o.Err != nil:
			case found == nil && hasFinding(o.Result, d):
				found = o.Result
			default:
				others = append(others, o.Result.Target)
			}
		}
		if found == nil {
			return agent.Verdict{}
		}
		tried++
		after, ok := f.session.VerifyFix(f.ctx, found, others, x)
		if !ok {
			return agent.Verdict{Tried: f.ctx.Err() == nil}
		}
		name := append([]string{cmp.Or(found.Entry, "(script)")}, found.Target.Run.Args...)
		if found.Target.Run.Script != nil {
			name = []string{"(script)"}
		}
		left := 0
		for _, d := range after.Diagnostics {
			if check.FindingCode(d.Code, d.Severity) != check.ExitClean {
				left++
			}
		}
		return agent.Verdict{Tried: true, Holds: true, Text: strings.Join(name, " ") + ", " + counted(left, "finding")}
	}
	return func(d *diag.Diagnostic, x *diag.Fix) agent.Verdict {
		v, ok := known[x]
		if !ok {
			v = verify(d, x)
			known[x] = v
		}
		return v
	}
}

// hasFinding reports whether a result has a finding of that place and message.
func hasFinding(r *check.Result, d *diag.Diagnostic) bool {
	for _, x := range r.Diagnostics {
		if x == d || x.Code == d.Code && x.At == d.At && x.Msg == d.Msg {
			return true
		}
	}
	return false
}

// states is how many entries ended how.
func (f *findings) states() string {
	if f.outcomes == nil {
		return counted(len(f.list), "finding")
	}
	n := (&check.Project{Entries: f.outcomes}).Count()
	out := fmt.Sprintf("entries: %d with findings, %d checked, %d weak, %d unsettled, %d not checked",
		n[check.HasFindings], n[check.Verified], n[check.Weak], n[check.Unsettled], n[check.NotChecked])
	var why []string
	for i := range f.outcomes {
		if o := &f.outcomes[i]; o.WhyNot() != "" {
			why = append(why, o.Name+": "+o.WhyNot())
		}
	}
	if len(why) > 0 {
		out += " (" + why[0] + ")"
	}
	return out
}
