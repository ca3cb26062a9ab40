package text

// This file prints the operands of a fault, and fixes.

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
)

// operands prints a line for each operand: its type, what its axes are called,
// and the one at fault.
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
		rest := ""
		if o.Axes != nil {
			rest = "(" + strings.Join(o.Axes, ", ") + ")"
		}
		if o.Fault >= 0 && o.Size != "" {
			if rest != "" {
				rest += ", "
			}
			rest += st.Paint("1", o.Axis()+" is "+o.Size)
		}
		line := fmt.Sprintf("%-*s  %-*s  ", names, o.Name, types, o.Type) + rest
		fmt.Fprintf(w, "%s %s   %s\n", pad, st.Paint("34", "|"), strings.TrimRight(line, " "))
	}
	fmt.Fprintf(w, "%s %s\n", pad, st.Paint("34", "|"))
}

// printFix prints a fix and the lines as they are with it.
func printFix(w io.Writer, fs *source.FileSet, f *diag.Fix, width int, st Style) {
	pad := strings.Repeat(" ", width)
	fmt.Fprintf(w, "%s %s %s\n", pad, st.Paint("32", "= fix:"), safetext.Line(f.Title))
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
// several lines are left to --diff.
func printEdits(w io.Writer, p source.Position, edits []diag.Edit, width int, st Style) {
	line := p.File.Written(p.Line)
	start := p.File.Offset(p.File.LineStart(p.Line))
	var text, marks strings.Builder
	at := 0
	keep := func(s string) {
		s, n := expandTabs(s)
		text.WriteString(s)
		marks.WriteString(strings.Repeat(" ", n))
	}
	for _, e := range edits {
		from, to := p.File.Offset(e.At.Start)-start, p.File.Offset(e.At.End)-start
		if from < at || to > len(line) || !inCell(p.File, p.Line, from) || !inCell(p.File, p.Line, to) {
			return
		}
		keep(line[at:from])
		for i, part := range strings.Split(e.NewText, "\n") {
			if i > 0 {
				text.WriteByte('\n')
				marks.WriteByte('\n')
			}
			body := strings.TrimLeft(part, " ")
			keep(part[:len(part)-len(body)])
			body, n := expandTabs(body)
			text.WriteString(body)
			marks.WriteString(strings.Repeat("~", n))
		}
		at = to
	}
	keep(line[at:])
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
