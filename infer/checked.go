package infer

// This file says whether a run looked at anything: a run that came upon nothing must
// not read as one that found nothing wrong.

import (
	"fmt"

	"shapecheck/internal/diag"
)

// unchecked says why nothing of the entry was checked; empty when something was: a
// type that is known, a result that is known, an error on the way.
func (in *Interp) unchecked() string {
	entryErrors := false
	for _, d := range in.sink.All() {
		entryErrors = entryErrors || d.Severity == diag.Error && !d.Aside && d.Code != diag.InternalError
	}
	switch {
	case in.rec.typed > 0:
		return ""
	case in.called && entryErrors:
		return ""
	case in.called && in.cfg.Script == nil && in.output != nil && !Lost(in.output):
		return ""
	}
	if in.exit.IsValid() {
		if p := in.files.Position(in.exit.Start); p.File != nil {
			return fmt.Sprintf("the script ends at line %d", p.Line)
		}
	}
	if !in.called {
		for _, d := range in.sink.All() {
			if d.Severity == diag.Error && !d.Aside {
				return "the entry was not called: " + d.Msg
			}
		}
	}
	if len(in.rec.causes) > 0 {
		return in.rec.causes[0].Reason
	}
	if in.cfg.Script != nil {
		return "the script computes no tensor whose type is known"
	}
	return "the entry computes nothing whose type is known"
}
