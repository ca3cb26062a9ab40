package suppress

// This file writes the comments that comment.go reads.

import (
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

// An Annotated is a file with comments that hide findings.
type Annotated struct {
	File *source.File
	Text string
}

// Annotate returns the texts of the files in which comments hide the diagnostics, and those for
// which no comment can stand anywhere: they lie in a file that may not be changed, or are about a
// comment, which is what is to be changed. A comment at the end of a finding's first line is tried before one at the
// end of its last line, one on a line of its own and one at the end of the string that it lies in; a
// comment that is there gets further codes.
func Annotate(fs *source.FileSet, list []*diag.Diagnostic, may func(*source.File) bool) (files []Annotated, left []*diag.Diagnostic) {
	byFile := map[*source.File][]*diag.Diagnostic{}
	var order []*source.File
	for _, d := range list {
		f := fs.File(d.At.Start)
		if d.Code == diag.InternalError || OfComment(d.Code) || f == nil || f.Prelude || !may(f) {
			left = append(left, d)
			continue
		}
		if byFile[f] == nil {
			order = append(order, f)
		}
		byFile[f] = append(byFile[f], d)
	}
	for _, f := range order {
		text, not := annotate(f, byFile[f])
		if left = append(left, not...); text != f.Text() {
			files = append(files, Annotated{f, text})
		}
	}
	return files, left
}

// OfComment reports whether findings of a code are about comments, which no other comment is to hide.
func OfComment(c diag.Code) bool { return c == diag.UnusedIgnore || c == diag.BadComment }

// A spot is a range of lines, counted from 1, and the codes found there.
type spot struct {
	from, to int
	codes    []string
	list     []*diag.Diagnostic
}

// annotate works from the last line up, so that the lines above keep their numbers.
func annotate(f *source.File, list []*diag.Diagnostic) (string, []*diag.Diagnostic) {
	var places []*spot
	byLines := map[[2]int]*spot{}
	for _, d := range list {
		from, _ := f.LineCol(d.At.Start)
		to, _ := f.LineCol(d.At.End)
		to = max(from, to)
		p := byLines[[2]int{from, to}]
		if p == nil {
			p = &spot{from: from, to: to}
			byLines[[2]int{from, to}] = p
			places = append(places, p)
		}
		if p.list = append(p.list, d); !slices.Contains(p.codes, string(d.Code)) {
			p.codes = append(p.codes, string(d.Code))
		}
	}
	slices.SortFunc(places, func(a, b *spot) int { return b.from - a.from })
	text := f.Text()
	var left []*diag.Diagnostic
	for _, p := range places {
		slices.Sort(p.codes)
		if changed, ok := commented(f.Name, text, p); ok {
			text = changed
		} else {
			left = append(left, p.list...)
		}
	}
	return text, left
}

// commented is the text with a comment for a place.
func commented(name, text string, p *spot) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	if p.to > len(lines) {
		return "", false
	}
	before := source.NewFile(name, text)
	there, _ := ignores(before)
	for _, c := range there { // a comment is there
		if c.about(p.from, p.to) && c.codes != nil {
			return extended(before, c, p), true
		}
	}
	comment := "# shapecheck: ignore[" + strings.Join(p.codes, ", ") + "]"
	first, last := p.from-1, p.to-1
	ending := "\n"
	if strings.HasSuffix(lines[0], "\r\n") {
		ending = "\r\n"
	}
	indent := lines[first][:len(lines[first])-len(strings.TrimLeft(lines[first], " \t"))]
	type attempt struct {
		line  int
		with  string
		moved int // lines that the place moves down
	}
	tries := []attempt{
		{first, trailing(lines[first], comment), 0},
		{last, trailing(lines[last], comment), 0},
		{first, indent + comment + ending + lines[first], 1},
	}
	tree, _ := parser.Parse(before)
	for to, from := range beginnings(before, tree.LongStrings) {
		if from <= p.from && p.to <= to {
			tries = append(tries, attempt{to - 1, trailing(lines[to-1], comment), 0})
		}
	}
	for _, try := range tries {
		changed := strings.Join(lines[:try.line], "") + try.with + strings.Join(lines[try.line+1:], "")
		if works(name, changed, p, try.moved) {
			return changed, true
		}
	}
	return "", false
}

// trailing is a line with a comment at its end.
func trailing(line, comment string) string {
	body := strings.TrimRight(line, "\r\n")
	return strings.TrimRight(body, " \t") + "  " + comment + line[len(body):]
}

// extended adds codes to a comment.
func extended(f *source.File, c *ignore, p *spot) string {
	for _, n := range c.codes {
		p.codes = slices.DeleteFunc(p.codes, func(s string) bool { return s == string(n.code) })
	}
	if len(p.codes) == 0 {
		return f.Text()
	}
	at := f.Offset(c.at.End) - 1 // before the bracket
	codes := strings.Join(p.codes, ", ")
	if len(c.codes) > 0 {
		codes = ", " + codes
	}
	return f.Text()[:at] + codes + f.Text()[at:]
}

// works reports whether a text is Python in which a comment hides what p is about, which has
// moved down by a number of lines.
func works(name, text string, p *spot, moved int) bool {
	f := source.NewFile(name, text)
	if _, faults := parser.Parse(f); len(faults) > 0 {
		return false
	}
	there, _ := ignores(f)
	return slices.ContainsFunc(there, func(c *ignore) bool {
		return c.about(p.from+moved, p.to+moved) && c.names(p.codes)
	})
}

// names reports whether a comment names all codes.
func (c *ignore) names(codes []string) bool {
	return !slices.ContainsFunc(codes, func(s string) bool {
		return !slices.ContainsFunc(c.codes, func(n named) bool { return string(n.code) == s })
	})
}
