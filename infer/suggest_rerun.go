package infer

// This file tries other numbers in the source: what made a size can lie far from
// the call that fails, so the whole entry is run again with the number changed.
// Only a change that resolves the fault, brings no other one and no new equation
// between sizes becomes a fix.

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// Bounds of the runs with another number: how many there are, and how many steps
// the first run may have taken.
const (
	maxReruns     = 4
	maxRerunSteps = 2_000_000
)

// A numberChange is another number at one place of the source.
type numberChange struct {
	title string
	at    *numeral
	n     int64
	// with is a normalisation's number of features that changes with it, or nil.
	with *numeral
	// usual says that where several changes resolve the fault this one is meant.
	usual bool
}

// A faultNumbers is a fault and the changes that may resolve it; or says, without
// a change, what is needed.
type faultNumbers struct {
	diag    *diag.Diagnostic
	changes []numberChange
	// otherwise is the advice when none of the changes is right; empty: none.
	otherwise string
}

// tryNumbers makes fixes of the changes that resolve a fault.
func (in *Interp) tryNumbers() {
	left := maxReruns
	for i := range in.advice.numbers {
		f := &in.advice.numbers[i]
		if len(f.diag.Fixes) > 0 || !in.sink.Has(f.diag) {
			continue
		}
		if c := in.rightChange(f, &left); c != nil {
			f.diag.Fixes = append(f.diag.Fixes, diag.Fix{Title: c.title, Edits: c.edits()})
		} else if f.otherwise != "" {
			f.diag.Fixes = append(f.diag.Fixes, diag.Fix{Title: f.otherwise})
		}
	}
}

// rightChange is the one change that resolves a fault; nil when there is none, or
// when it cannot be told which is meant.
func (in *Interp) rightChange(f *faultNumbers, left *int) *numberChange {
	if in.steps > maxRerunSteps || len(f.changes) > *left {
		return nil
	}
	*left -= len(f.changes)
	var right []*numberChange
	for i := range f.changes {
		if c := &f.changes[i]; in.resolves(f.diag, c) {
			right = append(right, c)
		}
	}
	if len(right) == 1 {
		return right[0]
	}
	var usual *numberChange
	for _, c := range right {
		if c.usual && usual != nil {
			return nil
		}
		if c.usual {
			usual = c
		}
	}
	return usual
}

// edits are the changes of the text, the last place first.
func (c *numberChange) edits() []diag.Edit {
	text := strconv.FormatInt(c.n, 10)
	list := []diag.Edit{{At: c.at.expr.Span(), NewText: text}}
	if c.with != nil {
		list = append(list, diag.Edit{At: c.with.expr.Span(), NewText: text})
	}
	slices.SortFunc(list, func(a, b diag.Edit) int { return int(b.At.Start) - int(a.At.Start) })
	return list
}

// resolves runs the entry with the number changed.
func (in *Interp) resolves(d *diag.Diagnostic, c *numberChange) bool {
	edits := c.edits()
	file := in.files.File(edits[0].At.Start)
	if file == nil || file.Prelude {
		return false
	}
	abs, err := filepath.Abs(file.Place())
	if err != nil {
		return false
	}
	text, base := file.Text(), file.Base()
	for _, e := range edits {
		if in.files.File(e.At.Start) != file {
			return false
		}
		text = text[:e.At.Start-base] + e.NewText + text[e.At.End-base:]
	}

	cfg := *in.cfg
	cfg.Cache, cfg.Ahead, cfg.LogOps, cfg.rerun = NewCache(), false, false, true
	cfg.MaxSteps = min(in.cfg.maxSteps(), 4*maxRerunSteps)
	cfg.Overlay = map[string]string{abs: text}
	for path, other := range in.cfg.Overlay {
		if path != abs {
			cfg.Overlay[path] = other
		}
	}
	res, err := Run(cfg)
	if err != nil || cfg.Script == nil && (res.Output == nil || lost(res.Output)) {
		return false
	}
	before := map[string]bool{}
	for _, x := range in.sink.All() {
		if x != d {
			before[faultKey(in.files, x)] = true
		}
	}
	for _, x := range res.Diagnostics {
		if x.Severity == diag.Error && !before[faultKey(res.Files, x)] {
			return false
		}
	}
	known := map[string]bool{}
	for _, x := range in.rec.conds {
		known[x.Cond.String()] = true
	}
	for _, x := range res.Contract {
		if s := x.Cond.String(); strings.Contains(s, " == ") && !known[s] {
			return false
		}
	}
	return true
}

// faultKey tells faults of two runs apart whose files differ in a number.
func faultKey(files *source.FileSet, d *diag.Diagnostic) string {
	at := files.Position(d.At.Start)
	return strings.Join([]string{string(d.Code), at.File.Place(), strconv.Itoa(at.Line), d.Msg}, "\x00")
}
