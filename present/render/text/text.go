// Package text prints diagnostics for people: a headline, the code frame with
// the place underlined, and the lines that led to it.
package text

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"shapecheck/internal/columns"
	"shapecheck/internal/diag"
	diagplace "shapecheck/internal/diag/place"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
)

// Style says how to print.
type Style struct {
	Color bool
	Width int // columns of the terminal; 0: no limit
	// Places bounds the places shown of one finding; 0: all are.
	Places int
	// Link gives the address of a line of a file, for terminals that have links; nil, or empty: none.
	Link func(f *source.File, line int) string
}

// linked makes a link of a text that names a line. The text is safe already.
func (st Style) linked(text string, f *source.File, line int) string {
	if st.Link == nil {
		return text
	}
	to := st.Link(f, line)
	if to == "" {
		return text
	}
	return "\x1b]8;;" + to + "\x1b\\" + text + "\x1b]8;;\x1b\\"
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
	headline(w, d, st)
	p := fs.Position(d.At.Start)
	width := lineWidth(fs, d)
	if p.File != nil {
		frame(w, fs, d.At, nil, width, st)
	}
	operands(w, d.Operands, width, st)
	pad := strings.Repeat(" ", width)
	related, left := Shown(d.Related, st.Places)
	for _, r := range places(related) {
		if fs.Position(r.at.Start).File != nil {
			frame(w, fs, r.at, r.msgs, width, st)
		}
	}
	if left > 0 {
		fmt.Fprintf(w, "%s %s and %d more: -v\n", pad, st.Paint("34", "..."), left)
	}
	for i, o := range d.Others {
		if i == maxOthers {
			fmt.Fprintf(w, "%s %s and %d more\n", pad, st.Paint("36", "= also:"), len(d.Others)-i)
			break
		}
		printNote(w, pad, "36", "= also:", safetext.Line(o), st)
	}
	if also := diagplace.Also(fs, d); also != "" {
		printNote(w, pad, "36", "= also at:", safetext.Line(also), st)
	}
	for _, n := range d.Notes {
		printNote(w, pad, "36", "= note:", safetext.Indented(n, ""), st)
	}
	for i := range d.Fixes {
		printFix(w, fs, &d.Fixes[i], width, st)
	}
}

// headline prints what is wrong.
func headline(w io.Writer, d *diag.Diagnostic, st Style) {
	head := fmt.Sprintf("%s[%s]: ", d.Severity, d.Code)
	msg := safetext.Indented(d.Msg, "")
	if d.Count > 1 {
		first, more, several := strings.Cut(msg, "\n")
		if msg = first + fmt.Sprintf(" (%d times)", d.Count); several {
			msg += "\n" + more
		}
	}
	for i, line := range broken(msg, len(head), 4, st.Width) {
		if i == 0 {
			fmt.Fprintf(w, "%s: %s\n", st.Paint(severityColors[d.Severity], strings.TrimSuffix(head, ": ")), st.Paint("1", line))
			continue
		}
		fmt.Fprintln(w, "    "+line)
	}
}

// printNote prints a text behind a word in a colour, as wide as there is room.
func printNote(w io.Writer, pad, color, word, s string, st Style) {
	wide := len(word) + 2
	for i, line := range broken(s, len(pad)+wide, len(pad)+wide, st.Width) {
		front := st.Paint(color, word)
		if i > 0 {
			front = strings.Repeat(" ", len(word))
		}
		fmt.Fprintf(w, "%s %s %s\n", pad, front, line)
	}
}

// broken breaks each line of a text between words, of which the first has the column first and the others have the column next; without
// a width they are as long as they are.
func broken(s string, first, next, width int) []string {
	var out []string
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			first = next
		}
		if width == 0 || first+columns.Of(line) <= width {
			out = append(out, line)
			continue
		}
		list := columns.Wrap(line, max(width-first, 20))
		out = append(out, list[0])
		if rest := strings.Join(list[1:], " "); rest != "" {
			out = append(out, columns.Wrap(rest, max(width-next, 20))...)
		}
	}
	return out
}

// Shown are the places that lead to a finding which are shown where at most so many are, with its own, and how many are left out: the
// calls nearest to it, the lines that made sizes, and the outermost call. 0: all are shown.
func Shown(list []diag.Related, most int) (shown []diag.Related, left int) {
	if most == 0 || len(list) < most {
		return list, 0
	}
	room := most - 1
	calls, made := 0, 0
	for _, r := range list {
		if r.Call {
			calls++
		} else {
			made++
		}
	}
	made = min(made, max(room-min(calls, 3), room/2))
	calls = room - made
	total := 0
	for _, r := range list {
		if r.Call {
			total++
		}
	}
	n := 0
	for _, r := range list {
		switch {
		case !r.Call:
			if made > 0 {
				made--
				shown = append(shown, r)
			}
		default:
			if n++; n < calls || n == total {
				shown = append(shown, r)
			}
		}
	}
	return shown, len(list) - len(shown)
}

// maxOthers bounds the messages shown of other sizes at the same place.
const maxOthers = 3

// lineWidth is the width of the largest line number that d shows.
func lineWidth(fs *source.FileSet, d *diag.Diagnostic) int {
	largest := shownLine(fs, d.At)
	for _, r := range d.Related {
		largest = max(largest, shownLine(fs, r.At))
	}
	for _, f := range d.Fixes {
		for _, e := range f.Edits {
			largest = max(largest, shownLine(fs, e.At))
		}
	}
	return max(len(fmt.Sprint(largest)), 2)
}

// shownLine is the line number of a span as people know it; 0 where it is in no file.
func shownLine(fs *source.FileSet, at source.Span) int {
	p := fs.Position(at.Start)
	if p.File == nil {
		return 0
	}
	_, n := p.File.Where(p.Line)
	return n
}

// A place is a piece of source and what is to be said of it.
type place struct {
	at   source.Span
	msgs []string
}

// places puts what is said of one piece of source together, so that a line that
// made several of the sizes is shown once.
func places(list []diag.Related) []place {
	var out []place
	at := map[source.Span]int{}
	for _, r := range list {
		i, ok := at[r.At]
		if !ok {
			i = len(out)
			at[r.At] = i
			out = append(out, place{at: r.At})
		}
		out[i].msgs = append(out[i].msgs, safetext.Line(r.Msg))
	}
	return out
}

// maxLine bounds the characters shown of a source line where Style has no Width.
const maxLine = 200

// frame prints a line of source with a part of it underlined. The place of a
// diagnostic has no messages, a related place has some.
func frame(w io.Writer, fs *source.FileSet, at source.Span, msgs []string, width int, st Style) {
	p, q := fs.Position(at.Start), fs.Position(at.End)
	pad := strings.Repeat(" ", width)
	arrow, mark, color := "-->", "^", "1;31"
	if msgs != nil {
		arrow, mark, color = "...", "-", "34"
	}
	where, number := p.File.Where(p.Line)
	place := fmt.Sprintf("%s:%d:%d", safetext.Line(filepath.ToSlash(where)), number, source.Runes(p.File.Line(p.Line), p.Col)+1)
	if st.Width > 0 {
		place = columns.CutPath(place, max(st.Width-width-len(arrow)-1, 20))
	}
	fmt.Fprintf(w, "%s%s %s\n", pad, st.Paint("34", arrow), st.linked(place, p.File, p.Line))
	if p.File.Hidden {
		for _, m := range msgs {
			fmt.Fprintf(w, "%s %s %s\n", pad, st.Paint("34", "|"), st.Paint("34", m))
		}
		return
	}
	line := p.File.Written(p.Line)
	end := len(p.File.Line(p.Line))
	if q.File == p.File && q.Line == p.Line {
		end = min(q.Col, end)
	}
	start := min(p.Col, len(p.File.Line(p.Line)))
	if !inCell(p.File, p.Line, start) || !inCell(p.File, p.Line, end) {
		start, end = len(line)-len(strings.TrimLeft(line, " \t")), len(line)
	}
	before, lead := expandTabs(line[:start])
	mid, under := expandTabs(line[start:max(end, start)])
	after, _ := expandTabs(line[max(end, start):])
	room := maxLine
	if st.Width > 0 {
		room = max(st.Width-width-3, 20)
	}
	shown, lead, under := window(before+mid+after, lead, under, room)
	fmt.Fprintf(w, "%s %s %s\n", st.Paint("34", fmt.Sprintf("%*d", width, number)), st.Paint("34", "|"), shown)
	gutter := pad + " " + st.Paint("34", "|") + " "
	underline := gutter + strings.Repeat(" ", lead) + st.Paint(color, strings.Repeat(mark, max(under, 1)))
	if len(msgs) == 1 && lead+under+1+len([]rune(msgs[0])) <= room {
		underline += " " + st.Paint("34", msgs[0])
		msgs = nil
	}
	fmt.Fprintln(w, underline)
	for _, m := range msgs {
		indent := max(min(lead, room-columns.Of(m)), 0)
		for _, line := range broken(m, 0, 0, st.Width-min(st.Width, width+3)) {
			fmt.Fprintf(w, "%s%s%s\n", gutter, strings.Repeat(" ", indent), st.Paint("34", line))
		}
	}
}

// inCell reports whether the line of a program that a notebook is has its columns from or up to
// one of the cell's own line: what IPython adds to Python is another text there.
func inCell(f *source.File, line, col int) bool {
	own, was := f.Line(line), f.Written(line)
	return own == was || col <= min(len(own), len(was)) && (own[:col] == was[:col] || own[col:] == was[col:])
}

// window cuts a line to room characters around the part of it that is
// underlined, and says where that is in what remains.
func window(line string, lead, under, room int) (string, int, int) {
	r := []rune(line)
	if len(r) <= room {
		return line, lead, under
	}
	from := 0
	if lead+under > room-1 { // give up indentation and code before it
		from = min(lead, lead+under-room+2)
		if from <= 1 {
			from = 0
		}
	}
	text, shift := r[from:], 0
	if from > 0 {
		text, shift = append([]rune("…"), text[1:]...), from
	}
	if len(text) > room {
		text = append(text[:room-1:room-1], '…')
	}
	lead -= shift
	if from > 0 && lead == 0 {
		lead, under = 1, under-1
	}
	return string(text), lead, max(min(under, room-lead), 1)
}

// expandTabs writes tabs as four spaces, makes the rest safe and counts characters.
func expandTabs(s string) (string, int) {
	s = safetext.Line(strings.ReplaceAll(s, "\t", "    "))
	return s, len([]rune(s))
}
