package check

// This file tries other numbers in the source: the whole entry is run again with a
// number changed, in a loop over what the first run proposes. Only a change that
// resolves the fault, brings no other one and no new equation between sizes becomes
// a fix.

import (
	"context"
	"strconv"
	"strings"
	"time"

	"shapecheck/infer"
	"shapecheck/infer/advice"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
)

// Bounds of the runs with another number: how many there are, and how many steps
// the first run may have taken.
const (
	maxReruns     = 4
	maxRerunSteps = 2_000_000
	maxRerunTime  = 5 * time.Second // a wide guard: the steps end them
)

// tryNumbers makes fixes of the changes that resolve a fault of a run of cfg.
func tryNumbers(ctx context.Context, cfg infer.Config, res *infer.Result) error {
	left := maxReruns
	for i := range res.Proposals {
		p := &res.Proposals[i]
		d := shown(res.Diagnostics, p.Diag)
		if d == nil {
			continue
		}
		c, err := rightChange(ctx, cfg, res, p, &left)
		switch {
		case err != nil:
			return err
		case c != nil:
			d.Fixes = append(d.Fixes, diag.Fix{Title: c.Title, Edits: c.Edits})
		case p.Otherwise != "":
			d.Fixes = append(d.Fixes, diag.Fix{Title: p.Otherwise})
		}
	}
	return nil
}

// shown is a fault as the result has it: several of one place are one there, and
// only the first one's fixes are shown.
func shown(list []*diag.Diagnostic, d *diag.Diagnostic) *diag.Diagnostic {
	for _, x := range list {
		if x == d || x.Code == d.Code && x.At == d.At && x.Msg == d.Msg {
			return x
		}
	}
	return nil
}

// rightChange is the one change that resolves a fault; nil when there is none, or
// when it cannot be told which is meant.
func rightChange(ctx context.Context, cfg infer.Config, res *infer.Result, p *advice.Proposal, left *int) (*advice.NumberChange, error) {
	if res.Steps > maxRerunSteps || len(p.Changes) > *left {
		return nil, nil
	}
	*left -= len(p.Changes)
	var right []*advice.NumberChange
	for i := range p.Changes {
		c := &p.Changes[i]
		ok, err := resolves(ctx, cfg, res, p.Diag, c)
		if err != nil {
			return nil, err
		}
		if ok {
			right = append(right, c)
		}
	}
	if len(right) == 1 {
		return right[0], nil
	}
	var usual *advice.NumberChange
	for _, c := range right {
		if c.Usual && usual != nil {
			return nil, nil
		}
		if c.Usual {
			usual = c
		}
	}
	return usual, nil
}

// resolves runs the entry with the number changed. An error is that of ctx.
func resolves(ctx context.Context, cfg infer.Config, first *infer.Result, d *diag.Diagnostic, c *advice.NumberChange) (bool, error) {
	file := first.Files.File(c.Edits[0].At.Start)
	if file == nil || file.Prelude {
		return false, nil
	}
	fsys := reads.Or(cfg.FS)
	abs, err := fsys.Abs(file.Place())
	if err != nil {
		return false, nil
	}
	text, base := file.Text(), file.Base()
	for _, e := range c.Edits {
		if first.Files.File(e.At.Start) != file {
			return false, nil
		}
		text = text[:e.At.Start-base] + e.NewText + text[e.At.End-base:]
	}
	steps := 4 * maxRerunSteps
	if cfg.MaxSteps > 0 {
		steps = min(steps, cfg.MaxSteps)
	}
	cfg.Cache, cfg.Ahead, cfg.LogOps, cfg.Trial, cfg.MaxSteps = nil, false, false, true, steps
	if file == first.File && cfg.Text != "" {
		cfg.Text = text
	}
	cfg.FS = reads.NewOverlay(fsys, map[string]string{abs: text})
	if cfg.Timeout > 0 {
		cfg.Timeout = min(cfg.Timeout, maxRerunTime)
	}
	res, err := infer.Run(cfg)
	if err != nil {
		return false, ctx.Err()
	}
	if cfg.Script == nil && (res.Output == nil || infer.Lost(res.Output)) {
		return false, nil
	}
	before := map[string]bool{}
	for _, x := range first.Diagnostics {
		for _, msg := range append([]string{x.Msg}, x.Others...) {
			before[FaultKey(first.Files, x, msg)] = true
		}
	}
	delete(before, FaultKey(first.Files, d, d.Msg))
	for _, x := range res.Diagnostics {
		if x.Severity == diag.Error && !before[FaultKey(res.Files, x, x.Msg)] {
			return false, nil
		}
	}
	known := map[string]bool{}
	for _, x := range first.Contract {
		known[x.Cond.String()] = true
	}
	for _, x := range res.Contract {
		if s := x.Cond.String(); strings.Contains(s, " == ") && !known[s] {
			return false, nil
		}
	}
	return true, nil
}

// FaultKey tells faults of two runs apart whose files differ in a number.
func FaultKey(files *source.FileSet, d *diag.Diagnostic, msg string) string {
	at := files.Position(d.At.Start)
	place := ""
	if at.File != nil {
		place = at.File.Place()
	}
	return strings.Join([]string{string(d.Code), place, strconv.Itoa(at.Line), msg}, "\x00")
}
