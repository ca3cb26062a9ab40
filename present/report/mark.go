package report

// This file is about marks beside the lines of a listing or page.

import (
	"strings"

	"shapecheck/internal/source"
)

// A Mark says of a line what a trace of the program makes of it.
type Mark struct {
	File *source.File
	Line int
	// Place is the kind and the condition of a place that decides, empty for what else is marked, and Text says what happens there;
	// empty: the mark is about the line's way alone.
	Place, Text string
	// Skipped says that the line is in a way that the trace does not have, Kept that it is in one that it has
	// because of inputs or state.
	Skipped, Kept bool
	// Influenced says that an operation of the line uses what such a way gave.
	Influenced bool
}

// A lineMarks is what the marks of a line come to.
type lineMarks struct {
	skipped, kept bool
	influenced    bool
	places        []Mark // those with a text
}

// marksOf gathers the marks of a file by line.
func marksOf(f *source.File, list []Mark) map[int]*lineMarks {
	out := map[int]*lineMarks{}
	for _, m := range list {
		if m.File != f {
			continue
		}
		l := out[m.Line]
		if l == nil {
			l = &lineMarks{}
			out[m.Line] = l
		}
		l.skipped, l.kept = l.skipped || m.Skipped, l.kept || m.Kept
		l.influenced = l.influenced || m.Influenced
		if m.Text != "" {
			l.places = append(l.places, m)
		}
	}
	for n, l := range out { // the line of an else has the way that follows it
		for at := n - 1; at > 0 && (l.skipped || l.kept) && out[at] == nil && opensWay(f.Line(at)); at-- {
			out[at] = &lineMarks{skipped: l.skipped, kept: l.kept}
		}
	}
	return out
}

// opensWay reports whether a line is the head of a way that is no statement of its own.
func opensWay(line string) bool {
	head := strings.TrimSpace(line)
	return strings.HasPrefix(head, "else:") || strings.HasPrefix(head, "except") && strings.HasSuffix(head, ":")
}

// text says what happens at the places of a line, of each by its condition where there are several.
func (l *lineMarks) text() string {
	var parts []string
	named := 0
	for _, m := range l.places {
		if m.Place != "" {
			named++
		}
	}
	for _, m := range l.places {
		s := m.Text
		if m.Place != "" && named > 1 {
			s = m.Place + ": " + s
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}
