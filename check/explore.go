package check

// This file runs an entry under other settings than its own: once for each condition on the
// configuration that left a branch out, decided the other way. What is wrong only then is an
// information, for nobody may ever choose that setting.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"shapecheck/infer"
	"shapecheck/internal/diag"
)

// maxExplored bounds the conditions that are explored for an entry.
const maxExplored = 32

// explore decides each condition of res.Switches that left a branch out the other way and
// adds what is wrong then. Only faults of shapes and types count: a setting that the
// constructor did not know of leaves attributes unmade, which is no fault.
func explore(ctx context.Context, cfg infer.Config, res *infer.Result, start time.Time) error {
	var found []*diag.Diagnostic
	end := start.Add(cfg.Timeout)
	explored := map[infer.Switch]bool{}
	for _, b := range res.Untaken {
		if sw := b.Switch; explored[sw] || !slices.Contains(res.Switches, sw) || len(explored) == maxExplored {
			continue
		}
		explored[b.Switch] = true
		run := cfg
		run.Explore, run.Flip, run.Ahead, run.LogOps, run.Trial = false, &b.Switch, false, false, true
		if cfg.Timeout > 0 {
			if run.Timeout = time.Until(end); run.Timeout <= 0 {
				break
			}
		}
		other, err := infer.Run(run)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue
		}
		if err := ReduceContract(ctx, other, run.Timeout, 0); err != nil {
			return err
		}
		for i := range res.Untaken {
			u := &res.Untaken[i]
			still := slices.ContainsFunc(other.Untaken, func(o infer.Branch) bool { return o.File == u.File && o.Line == u.Line })
			u.Explored = u.Explored || u.Switch == b.Switch && !still
		}
		for _, d := range other.Diagnostics {
			if !telling(d) || known(res.Diagnostics, d) || known(found, d) {
				continue
			}
			d.Severity = diag.Info
			d.Born = nil // it has the note alone, whatever else has its cause
			d.Notes = append(d.Notes, fmt.Sprintf("this run does not come here: it is so where `%s` of line %d holds", b.Test, b.If))
			found = append(found, d)
		}
	}
	res.Diagnostics = append(res.Diagnostics, found...)
	return nil
}

// telling reports whether a finding of another setting is worth a look.
func telling(d *diag.Diagnostic) bool {
	return d.Code == diag.TiedSizes || d.Severity == diag.Error && !d.Aside && OfShapes(d.Code)
}

// known reports whether a fault is in a list.
func known(list []*diag.Diagnostic, d *diag.Diagnostic) bool {
	return slices.ContainsFunc(list, func(x *diag.Diagnostic) bool { return x.Code == d.Code && x.At == d.At })
}

// OfShapes reports whether findings with a code are faults of shapes and types, whose codes begin with SC1.
func OfShapes(code diag.Code) bool { return strings.HasPrefix(string(code), "SC1") }
