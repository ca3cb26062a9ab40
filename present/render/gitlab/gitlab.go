// Package gitlab prints diagnostics as a Code Quality report of GitLab: a JSON
// array of issues, each with a fingerprint that tells it from the others.
package gitlab

import (
	"encoding/json"
	"io"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/source"
)

type issue struct {
	Description string   `json:"description"`
	CheckName   string   `json:"check_name"`
	Fingerprint string   `json:"fingerprint"`
	Severity    string   `json:"severity"`
	Location    location `json:"location"`
}

type location struct {
	Path  string `json:"path"`
	Lines lines  `json:"lines"`
}

type lines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

var severities = [...]string{diag.Info: "info", diag.Warning: "minor", diag.Error: "major"}

// Print writes the report. The format has no place for a finding without a file,
// so such a one is put at the first line of ".". It returns an error only where w does.
func Print(w io.Writer, fs *source.FileSet, list []*diag.Diagnostic) error {
	prints := diag.Fingerprints(fs, list)
	causes, first := diag.FirstOfCauses(list)
	out := make([]issue, len(causes))
	for i, d := range causes {
		p, ok := place.OnDisk(fs, d.At)
		if !ok {
			p = place.Place{Path: ".", Line: 1, EndLine: 1}
		}
		said := string(d.Code) + ": " + place.OneLine(d)
		if also := place.Also(fs, d); also != "" {
			said += "; also at " + also
		}
		out[i] = issue{
			Description: said, CheckName: string(d.Code), Fingerprint: prints[first[i]],
			Severity: severities[d.Severity], Location: location{p.Path, lines{p.Line, p.EndLine}},
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(out)
}
