// Package github prints diagnostics as workflow commands of GitHub Actions, which
// show them beside the lines of a pull request.
package github

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/present/render/text"
)

var commands = [...]string{diag.Info: "notice", diag.Warning: "warning", diag.Error: "error"}

// In a command's text the characters that end it are escaped; in a property also
// those that end a property.
var (
	escapeText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Print writes one command for each cause of diagnostics, and for each entry of which nothing was checked. It returns an error
// only where w does.
func Print(w io.Writer, fs *source.FileSet, list []*diag.Diagnostic, unchecked []diag.Unchecked) error {
	b := bufio.NewWriter(w)
	for _, d := range diag.Causes(list) {
		fmt.Fprintf(b, "::%s ", commands[d.Severity])
		if p, ok := place.OnDisk(fs, d.At); ok {
			fmt.Fprintf(b, "file=%s,line=%d,endLine=%d,", escapeProperty.Replace(safetext.Line(p.Path)), p.Line, p.EndLine)
			if p.Line == p.EndLine && p.Col > 0 { // columns are refused when a range has several lines
				fmt.Fprintf(b, "col=%d,endColumn=%d,", p.Col, max(p.EndCol, p.Col))
			}
		}
		title := fmt.Sprintf("%s %s", d.Code, d.Code.Info().Title)
		fmt.Fprintf(b, "title=%s::%s\n", escapeProperty.Replace(title), escapeText.Replace(safetext.Lines(body(fs, d))))
	}
	for _, u := range unchecked {
		command := commands[diag.Warning]
		if u.Failed {
			command = commands[diag.Error]
		}
		fmt.Fprintf(b, "::%s title=shapecheck::%s\n", command, escapeText.Replace(safetext.Lines(u.String())))
	}
	return b.Flush()
}

// maxPlaces is how many places a finding shows, with its own.
const maxPlaces = 8

// body is the message and, on lines of their own, what explains it.
func body(fs *source.FileSet, d *diag.Diagnostic) string {
	lines := []string{d.Msg}
	if p, ok := place.Of(fs, d.At); ok && p.Cell > 0 {
		lines[0] = fmt.Sprintf("cell %d, line %d: %s", p.Cell, p.Line, d.Msg)
	}
	related, left := text.Shown(d.Related, maxPlaces)
	for _, r := range related {
		if p, ok := place.Of(fs, r.At); ok {
			lines = append(lines, fmt.Sprintf("%s:%d: %s", p.Where(), p.Line, r.Msg))
		}
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("and %d more places", left))
	}
	if also := place.Also(fs, d); also != "" {
		lines = append(lines, "also at "+also)
	}
	for _, n := range d.Notes {
		lines = append(lines, "note: "+n)
	}
	for i := range d.Fixes {
		lines = append(lines, d.Fixes[i].Lead()+": "+d.Fixes[i].Text())
	}
	return strings.Join(lines, "\n")
}
