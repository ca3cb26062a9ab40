package infer

// This file finds a place for faults of an entry that runs library code only, such
// as a Sequential at the top level of the file.

import (
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// place gives a diagnostic without a place that of the layer in the statement that
// makes the entry, else that of the statement; of a class's instance, that of the
// layer in the file. There is no line of the user's that
// was running: PyTorch's trace ends in its own files, too.
func (in *Interp) place(d *diag.Diagnostic) {
	if d.At.IsValid() || in.entryName == "" {
		return
	}
	at := in.entryPlace()
	d.At = at
	for i := len(d.Related) - 1; i >= 0; i-- {
		r := d.Related[i].At
		if !at.IsValid() && in.files.File(r.Start) == in.rec.main || r.Start >= at.Start && r.End <= at.End {
			d.At = r
			return
		}
	}
}

// entryPlace is the value that the top level of the file last gives to the name of
// the entry.
func (in *Interp) entryPlace() source.Span {
	name := in.entryName
	for i, c := range name {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			name = name[:i]
			break
		}
	}
	var at source.Span
	if in.rec.main == nil {
		return at
	}
	u := in.cfg.Cache.parsed(in.rec.main)
	if u == nil {
		return at
	}
	for _, s := range u.tree.Body {
		a, ok := s.(*ast.Assign)
		if !ok {
			continue
		}
		for _, t := range a.Targets {
			if n, ok := t.(*ast.Name); ok && n.ID == name {
				at = a.Value.Span()
			}
		}
	}
	return at
}
