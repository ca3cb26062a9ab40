package cli

// This file is --output-format agent: findings for programs that edit code, with fixes that were run.

import (
	"fmt"
	"io"
	"strings"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/present/render/agent"
)

// agent prints the findings, and a line with how many entries ended how.
func (f *findings) agent(w io.Writer) error {
	if err := agent.Print(w, f.files, f.list); err != nil {
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

// states is how many entries ended how.
func (f *findings) states() string {
	if f.outcomes == nil {
		return counted(len(diag.Causes(f.list)), "finding")
	}
	n := (&check.Project{Entries: f.outcomes}).Count()
	var counts []string
	for s := range n {
		counts = append(counts, countState(n, check.State(s)))
	}
	out := "entries: " + strings.Join(counts, ", ")
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
