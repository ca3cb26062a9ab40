// Package text prints diagnostics for people: a headline, the code frame with
// the place underlined, and the lines that led to it.
package text

import (
	"fmt"
	"io"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// Style says how to print.
type Style struct {
	Color bool
}

// Paint wraps s in an ANSI colour when colours are on: "1;31" is bold red.
func (st Style) Paint(ansi, s string) string {
	if !st.Color || s == "" {
		return s
	}
	return "\x1b[" + ansi + "m" + s + "\x1b[0m"
}

var severityColors = [...]string{diag.Info: "1;36", diag.Warning: "1;33", diag.Error: "1;31"}

// Print writes one diagnostic.
func Print(w io.Writer, fs *source.FileSet, d *diag.Diagnostic, st Style) {
	head := st.Paint(severityColors[d.Severity], fmt.Sprintf("%s[%s]", d.Severity, d.Code))
	msg := st.Paint("1", d.Msg)
	if d.Count > 1 {
		msg += fmt.Sprintf(" (%d times)", d.Count)
	}
	fmt.Fprintf(w, "%s: %s\n", head, msg)
	p := fs.Position(d.At.Start)
	width := lineWidth(fs, d)
	if p.File != nil {
		frame(w, fs, d.At, "", width, st)
	}
	for _, r := range d.Related {
		if fs.Position(r.At.Start).File != nil {
			frame(w, fs, r.At, r.Msg, width, st)
		}
	}
	pad := strings.Repeat(" ", width)
	for _, n := range d.Notes {
		fmt.Fprintf(w, "%s %s %s\n", pad, st.Paint("36", "= note:"), n)
	}
	for _, f := range d.Fixes {
		fmt.Fprintf(w, "%s %s %s\n", pad, st.Paint("32", "= fix:"), f.Title)
	}
}

// lineWidth is the width of the largest line number that d shows.
func lineWidth(fs *source.FileSet, d *diag.Diagnostic) int {
	largest := fs.Position(d.At.Start).Line
	for _, r := range d.Related {
		largest = max(largest, fs.Position(r.At.Start).Line)
	}
	return max(len(fmt.Sprint(largest)), 2)
}

// maxLine bounds the characters shown of a source line.
const maxLine = 200

func frame(w io.Writer, fs *source.FileSet, at source.Span, msg string, width int, st Style) {
	p, q := fs.Position(at.Start), fs.Position(at.End)
	line := p.File.Line(p.Line)
	pad := strings.Repeat(" ", width)
	arrow := "-->"
	if msg != "" {
		arrow = "..."
	}
	fmt.Fprintf(w, "%s%s %s:%d:%d\n", pad, st.Paint("34", arrow), p.File.Name, p.Line, source.Runes(line, p.Col)+1)
	end := len(line)
	if q.File == p.File && q.Line == p.Line {
		end = min(q.Col, len(line))
	}
	start := min(p.Col, len(line))
	shown, lead := expandTabs(line[:start])
	mid, under := expandTabs(line[start:max(end, start)])
	rest, _ := expandTabs(line[max(end, start):])
	full := shown + mid + rest
	if len(full) > maxLine {
		full = strings.ToValidUTF8(full[:maxLine], "") + "…"
	}
	fmt.Fprintf(w, "%s %s %s\n", st.Paint("34", fmt.Sprintf("%*d", width, p.Line)), st.Paint("34", "|"), full)
	mark := "^"
	color := "1;31"
	if msg != "" {
		mark, color = "-", "34"
	}
	fmt.Fprintf(w, "%s %s %s%s%s\n", pad, st.Paint("34", "|"), strings.Repeat(" ", lead), st.Paint(color, strings.Repeat(mark, max(under, 1))), suffix(msg, st))
}

func suffix(msg string, st Style) string {
	if msg == "" {
		return ""
	}
	return " " + st.Paint("34", msg)
}

// expandTabs writes tabs as four spaces and counts characters.
func expandTabs(s string) (string, int) {
	s = strings.ReplaceAll(s, "\t", "    ")
	return s, len([]rune(s))
}
