package report

// This file prints diagnostics as JSON lines: one object for each, with the keys
// that they have in the JSON document.

import (
	"encoding/json"
	"io"

	"shapecheck/check/record"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/source"
)

// JSONLines writes one line for each diagnostic. Files are named as they can be
// opened. It returns an error where w does, after the lines before it.
func JSONLines(w io.Writer, fs *source.FileSet, list []*diag.Diagnostic) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, d := range diag.Causes(list) {
		x := record.OfDiagnostic(fs, d)
		if p, ok := place.Of(fs, d.At); ok {
			x.File = p.Path
		}
		n := 0
		for _, r := range d.Related {
			if p, ok := place.Of(fs, r.At); ok { // the same ones as in x
				x.Related[n].File = p.Path
				n++
			}
		}
		if err := enc.Encode(x); err != nil {
			return err
		}
	}
	return nil
}
