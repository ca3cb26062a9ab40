// Package agent prints findings for programs that edit code and pay for each character: at most MaxFinding characters a finding,
// with the place and the other places of its cause, both types, where the sizes come from, the edit and whether it was verified.
//
//	SC101 net.py:16 linear: input has 4096 features …
//	from net.py:16: made by conv2d: f32[B,32,16,16]; net.py:10: 3136: dimension 1 of the parameter weight f32[10,3136]
//	edit net.py:10: self.fc = nn.Linear(64 * 7 * 7, num_classes) => self.fc = nn.Linear(4096, num_classes)
//	verified: Net() x:f32[B,3,32,32], 0 findings
package agent

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/fix"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
)

// MaxFinding is the most characters that a finding takes.
const MaxFinding = 400

// Bounds of the parts, so that the edit has its place.
const (
	maxOrigin  = 64
	maxEdit    = 170
	minMessage = 110
)

// Print writes the errors and warnings of list. It returns an error only where w does.
func Print(w io.Writer, fs *source.FileSet, list []*diag.Diagnostic) error {
	b := bufio.NewWriter(w)
	infos := 0
	for _, d := range diag.Causes(list) {
		if d.Severity < diag.Warning {
			infos++
			continue
		}
		b.WriteString(Finding(fs, d))
	}
	if infos > 0 {
		fmt.Fprintf(b, "%d infos are left out\n", infos)
	}
	return b.Flush()
}

// Finding is the text of a finding, with a line feed at its end.
func Finding(fs *source.FileSet, d *diag.Diagnostic) string {
	head := string(d.Code)
	if p, ok := place.Of(fs, d.At); ok {
		head += fmt.Sprintf(" %s:%d", p.Where(), p.Line)
	}
	if d.Severity < diag.Error {
		head += " " + d.Severity.String()
	}
	edit, origins, also := remedy(fs, d, maxEdit), origins(fs, d), alsoAt(fs, d)
	left := func() int { return MaxFinding - 1 - runes(head) - runes(edit) - runes(origins) - runes(also) }
	if left() < minMessage {
		origins = ""
	}
	if left() < minMessage { // a long path
		edit = remedy(fs, d, 0)
	}
	return cut(safetext.Line(head+" "+message(d)), runes(head)+max(left(), 0)) + "\n" + also + origins + edit
}

// alsoAt is a line with the other places of a finding's cause, those of its own file as line numbers; empty: there are none.
func alsoAt(fs *source.FileSet, d *diag.Diagnostic) string {
	own, _ := place.Of(fs, d.At)
	out := ""
	for i, x := range d.Also {
		p, ok := place.Of(fs, x.At)
		if !ok {
			continue
		}
		one := fmt.Sprintf("%s:%d", p.Where(), p.Line)
		switch {
		case p.Where() == own.Where() && p.Line == own.Line:
			one = fmt.Sprintf("%d:%d", p.Line, p.Col)
		case p.Where() == own.Where():
			one = fmt.Sprint(p.Line)
		}
		if out != "" && runes(out)+runes(one) > maxOrigin {
			out += fmt.Sprintf(" and %d more", len(d.Also)-i)
			break
		}
		out = strings.TrimPrefix(out+", "+one, ", ")
	}
	if out == "" {
		return ""
	}
	return "also at " + cut(out, maxOrigin) + "\n"
}

// message is that of a finding, with the types of the tensors that it does not have.
func message(d *diag.Diagnostic) string {
	out := place.OneLine(d)
	var types []string
	for _, o := range d.Operands {
		if o.Type != "" && !strings.Contains(out, o.Type) {
			types = append(types, o.Name+" "+o.Type)
		}
	}
	if len(types) > 0 {
		out += " (" + strings.Join(types, ", ") + ")"
	}
	return out
}

// origins are the first and the last place where the sizes come from, mostly of the one and the other side, as a line; empty:
// there are none.
func origins(fs *source.FileSet, d *diag.Diagnostic) string {
	var out []string
	for _, r := range d.Related {
		p, ok := place.Of(fs, r.At)
		if !ok || r.Call {
			continue
		}
		out = append(out, cut(fmt.Sprintf("%s:%d: %s", p.Where(), p.Line, safetext.Line(r.Msg)), maxOrigin))
	}
	switch n := len(out); {
	case n == 0:
		return ""
	case n > 1:
		out = []string{out[0], out[n-1]}
	}
	return "from " + strings.Join(out, "; ") + "\n"
}

// remedy is the first fix with what is known of it, or what it would be where the program is not right with it.
func remedy(fs *source.FileSet, d *diag.Diagnostic, room int) string {
	for i := range d.Fixes {
		f := &d.Fixes[i]
		edit := change(fs, f, room)
		if edit == "" {
			continue
		}
		if f.State == diag.FixVerified {
			return edit + cut("verified: "+safetext.Line(f.Run), 90) + "\n"
		}
		return edit + "not verified\n"
	}
	if len(d.Fixes) > 0 {
		return cut("hint: "+safetext.Line(d.Fixes[0].Title), 90) + "\n"
	}
	return ""
}

// change writes a fix of one file: the line before and after it in so many characters, or the texts that are exchanged where that is
// too long.
func change(fs *source.FileSet, f *diag.Fix, room int) string {
	changes := fix.Apply(fs, []*diag.Fix{f}, func(*source.File) bool { return true })
	if len(changes) != 1 {
		return ""
	}
	file := changes[0].File
	first, last := file.LineCount(), 0
	for _, e := range f.Edits {
		from, _ := file.LineCol(e.At.Start)
		to, _ := file.LineCol(e.At.End)
		first, last = min(first, from), max(last, to)
	}
	before, after := strings.Split(file.Text(), "\n"), strings.Split(changes[0].Text, "\n")
	end := last + len(after) - len(before)
	where, line := file.Where(first)
	if room == 0 {
		where = filepath.Base(where)
	}
	if first < 1 || last > len(before) || end > len(after) || end < first {
		return ""
	}
	join := func(lines []string) string {
		for i, l := range lines {
			lines[i] = strings.TrimSpace(l)
		}
		return strings.Join(lines, "⏎")
	}
	old, changed := join(before[first-1:last]), join(after[first-1:end])
	if runes(old)+runes(changed) > room && len(f.Edits) == 1 {
		e := f.Edits[0]
		old, changed = file.Text()[file.Offset(e.At.Start):file.Offset(e.At.End)], e.NewText
	}
	if runes(old)+runes(changed) > max(room, maxEdit/2) {
		return fmt.Sprintf("edit %s:%d: long, --diff shows it\n", where, line)
	}
	return fmt.Sprintf("edit %s:%d: %s => %s\n", where, line, safetext.Line(old), safetext.Line(changed))
}

func runes(s string) int { return len([]rune(s)) }

// cut shortens a text to n characters.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:max(n-1, 0)]) + "…"
}
