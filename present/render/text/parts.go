package text

// This file prints the operands of a fault, and fixes. Both stand below the excerpt of the source,
// behind the bar that continues its gutter. All texts come from programs, so they pass through
// safetext, which takes control characters out.

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"shapecheck/internal/columns"
	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
)

// operands prints a line for each operand: its type, what its axes are called,
// and the one at fault. width is that of the gutter. The columns of names and types are aligned
// over all operands of the fault.
func operands(w io.Writer, list []diag.Operand, width int, st Style) {
	if len(list) == 0 {
		return
	}
	names, types := 0, 0
	list = slices.Clone(list)
	for i := range list {
		o := &list[i]
		o.Name, o.Type, o.Size = safetext.Line(o.Name), safetext.Line(o.Type), safetext.Line(o.Size)
		o.Axes = slices.Clone(o.Axes)
		for j, a := range o.Axes {
			o.Axes[j] = safetext.Line(a)
		}
		names, types = max(names, len([]rune(o.Name))), max(types, len([]rune(o.Type)))
	}
	pad := strings.Repeat(" ", width)
	fmt.Fprintf(w, "%s %s\n", pad, st.Paint("34", "|"))
	for i := range list {
		o := &list[i]
		axes, fault := "", ""
		if o.Axes != nil {
			axes = "(" + strings.Join(o.Axes, ", ") + ")"
		}
		if o.Fault >= 0 && o.Size != "" {
			fault = o.Axis() + " is " + o.Size
			if axes != "" {
				axes += ", "
			}
		}
		head := fmt.Sprintf("%-*s  %-*s  ", names, o.Name, types, o.Type)
		lines := []string{head + axes + st.Paint("1", fault)}
		// 5 is the bar with its blanks. Columns.Of counts wide characters as two.
		if st.Width > 0 && len(pad)+5+columns.Of(head+axes+fault) > st.Width { // each on a line of its own
			lines = []string{head, strings.Repeat(" ", names+2) + axes, strings.Repeat(" ", names+2) + st.Paint("1", fault)}
		}
		for _, line := range lines {
			if line = strings.TrimRight(line, " "); line != "" {
				fmt.Fprintf(w, "%s %s   %s\n", pad, st.Paint("34", "|"), line)
			}
		}
	}
	fmt.Fprintf(w, "%s %s\n", pad, st.Paint("34", "|"))
}

// printFix prints a fix and the lines as they are with it. Edits are grouped by line, each printed
// once with all its edits made. Files that are hidden, as those of the prelude, are not printed.
func printFix(w io.Writer, fs *source.FileSet, f *diag.Fix, width int, st Style) {
	pad := strings.Repeat(" ", width)
	// Lead says whether it has edits: a fix, or only a hint.
	printNote(w, pad, "32", "= "+f.Lead()+":", safetext.Line(f.Text()), st)
	edits := append([]diag.Edit(nil), f.Edits...)
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].At.Start < edits[j].At.Start })
	for len(edits) > 0 {
		p := fs.Position(edits[0].At.Start)
		if p.File == nil || p.File.Hidden {
			return
		}
		n := 1
		for n < len(edits) && fs.Position(edits[n].At.Start).File == p.File && fs.Position(edits[n].At.Start).Line == p.Line {
			n++
		}
		printEdits(w, p, edits[:n], width, st)
		edits = edits[n:]
	}
}

// printEdits prints one line with its edits made, and marks what is new. Edits of
// several lines are left to --diff. marks has a "~" below each new character, line by line as text.
func printEdits(w io.Writer, p source.Position, edits []diag.Edit, width int, st Style) {
	line := p.File.Written(p.Line)
	start := p.File.Offset(p.File.LineStart(p.Line))
	// at is how far the line has been copied.
	var text, marks strings.Builder
	at := 0
	keep := func(s string) {
		s, n := expandTabs(s)
		text.WriteString(s)
		marks.WriteString(strings.Repeat(" ", n))
	}
	for _, e := range edits {
		from, to := p.File.Offset(e.At.Start)-start, p.File.Offset(e.At.End)-start
		// Edits that overlap or leave the line or its cell are not shown.
		if from < at || to > len(line) || !inCell(p.File, p.Line, from) || !inCell(p.File, p.Line, to) {
			return
		}
		keep(line[at:from])
		for i, part := range strings.Split(e.NewText, "\n") {
			if i > 0 {
				text.WriteByte('\n')
				marks.WriteByte('\n')
			}
			// Indentation of new lines is not marked.
			body := strings.TrimLeft(part, " ")
			keep(part[:len(part)-len(body)])
			body, n := expandTabs(body)
			text.WriteString(body)
			marks.WriteString(strings.Repeat("~", n))
		}
		at = to
	}
	keep(line[at:])
	// The room is what the terminal has beside gutter and bar, but never below 20.
	room := maxLine
	if st.Width > 0 {
		room = max(st.Width-width-3, 20)
	}
	under := strings.Split(marks.String(), "\n")
	_, number := p.File.Where(p.Line)
	for i, l := range strings.Split(text.String(), "\n") {
		mark := strings.TrimRight(under[i], " ")
		if mark == "" {
			continue // what the new lines stand before
		}
		lead := len(mark) - len(strings.TrimLeft(mark, " "))
		// A long line is cut around what is new.
		shown, lead2, n := window(l, lead, len(mark)-lead, room)
		if lead2 != lead {
			mark = strings.Repeat(" ", lead2) + strings.Repeat("~", n)
		}
		if len([]rune(mark)) > room {
			mark = string([]rune(mark)[:room])
		}
		fmt.Fprintf(w, "%s %s %s\n", st.Paint("34", fmt.Sprintf("%*d", width, number+i)), st.Paint("34", "|"), shown)
		fmt.Fprintf(w, "%s %s %s\n", strings.Repeat(" ", width), st.Paint("34", "|"), st.Paint("32", mark))
	}
}
