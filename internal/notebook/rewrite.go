package notebook

// This file writes changes of a program into the text of its notebook. A string keeps the spelling
// of its characters, and what did not change keeps its bytes.

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"shapecheck/internal/fix"
	"shapecheck/internal/source"
)

// Rewrite is the text of the notebook of f when its program is changed to text. An error says that
// a change lies where the program is not the notebook's own text, or that it is of two cells.
func Rewrite(f *source.File, text string) (string, error) {
	d, err := read(f.Notebook.Text)
	if err != nil {
		return "", err
	}
	p := d.program()
	if p.text() != f.Text() {
		return "", errors.New("the program is not that of the notebook")
	}
	news, err := cut(text, p.heads)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	done, at := 0, 0
	for i, c := range d.cells {
		at++ // the head
		n := 0
		for at+n < len(p.lines) && p.lines[at+n].at.Cell == c.number {
			n++
		}
		own := p.lines[at : at+n]
		at += n
		changed, err := restored(own, splitLines(news[i]))
		if err != nil {
			return "", fmt.Errorf("cell %d: %w", c.number, err)
		}
		if changed == c.text() {
			continue
		}
		b.WriteString(d.text[done:c.source.start])
		b.WriteString(d.encoded(c, changed))
		done = c.source.end
	}
	out := b.String() + d.text[done:]
	if again, err := read(out); err != nil || again.program().text() != text { // such as a line before a magic of its cell
		return "", errTranslated
	}
	return out, nil
}

// cut divides a program by the lines that begin its cells.
func cut(text string, heads []string) ([]string, error) {
	out := make([]string, len(heads))
	for i := range heads {
		rest, ok := strings.CutPrefix(text, heads[i])
		if !ok {
			return nil, errors.New("a change reaches over the end of a cell")
		}
		text = rest
		if i+1 == len(heads) {
			out[i] = rest
			break
		}
		if strings.HasPrefix(rest, heads[i+1]) {
			continue
		}
		n := strings.Index(rest, "\n"+heads[i+1])
		if n < 0 {
			return nil, errors.New("a change reaches over the end of a cell")
		}
		out[i], text = rest[:n+1], rest[n+1:]
	}
	return out, nil
}

// errTranslated says that a change is of a line that is Python in the program alone.
var errTranslated = errors.New("a change is of lines with a magic, or of their cell")

// restored is the source of a cell whose lines were changed.
func restored(lines []line, changed []string) (string, error) {
	old := make([]string, len(lines))
	for i, l := range lines {
		old[i] = l.text
	}
	var b strings.Builder
	n := 0
	var gone []line
	for _, o := range fix.Compare(old, changed) {
		switch o.Kind {
		case ' ':
			b.WriteString(lines[n].was)
			n++
			if !strings.HasSuffix(lines[n-1].was, "\n") && n == len(lines) {
				b.WriteString("\n") // taken away below, if nothing follows
			}
		case '-':
			if gone = append(gone, lines[n]); translated(lines[n]) && !timed(lines[n]) {
				return "", errTranslated
			}
			n++
		case '+':
			text := o.Line
			for i, l := range gone {
				head, _, ok := strings.Cut(l.text, "if 1:")
				if head += "if 1:"; !ok || !strings.HasPrefix(text, head) {
					continue
				}
				text = l.was[:len(head)] + text[len(head):]
				gone = gone[i+1:]
				break
			}
			b.WriteString(text)
		}
	}
	out := b.String()
	if k := len(lines); k > 0 && !strings.HasSuffix(lines[k-1].was, "\n") {
		out = strings.TrimSuffix(out, "\n")
	}
	return out, nil
}

// translated reports whether a line of the program is not the notebook's.
func translated(l line) bool {
	return strings.TrimSuffix(l.text, "\n") != strings.TrimSuffix(l.was, "\n")
}

// timed reports whether a line is code behind a magic.
func timed(l line) bool {
	return translated(l) && strings.HasPrefix(strings.TrimLeft(l.text, " \t"), "if 1:") && strings.HasPrefix(strings.TrimLeft(l.was, " \t"), "%")
}

// encoded is the source of a cell with another text, as its notebook writes it.
func (d *document) encoded(c *cell, text string) string {
	w := d.writer(c)
	if !c.list || len(c.parts) == 0 {
		if c.list {
			return "[" + w.quoted(text) + "]"
		}
		return w.quoted(text)
	}
	parts := c.parts
	first, last := 0, len(parts)
	for first < last && strings.HasPrefix(text, parts[first].text) && (strings.HasSuffix(parts[first].text, "\n") || text == parts[first].text) {
		text = text[len(parts[first].text):]
		first++
	}
	for last > first {
		head, ok := strings.CutSuffix(text, parts[last-1].text)
		if !ok || head != "" && !strings.HasSuffix(head, "\n") || parts[last-1].text == "" {
			break
		}
		text = head
		last--
	}
	between := "," + d.text[c.source.start+1:parts[0].at.start] // what stands between two strings
	if len(parts) > 1 {
		between = d.text[parts[0].at.end:parts[1].at.start]
	}
	known := map[string]string{}
	for _, p := range parts[first:last] {
		known[p.text] = d.text[p.at.start:p.at.end]
	}
	var b strings.Builder
	b.WriteString(d.text[c.source.start:parts[0].at.start])
	wrote := 0
	write := func(s string) {
		if wrote++; wrote > 1 {
			b.WriteString(between)
		}
		b.WriteString(s)
	}
	if first > 0 {
		write(d.text[parts[0].at.start:parts[first-1].at.end])
	}
	for _, l := range splitLines(text) {
		if raw, ok := known[l]; ok {
			write(raw)
		} else {
			write(w.quoted(l))
		}
	}
	if last < len(parts) {
		write(d.text[parts[last].at.start:parts[len(parts)-1].at.end])
	}
	b.WriteString(d.text[parts[len(parts)-1].at.end:c.source.end])
	return b.String()
}

// A writer spells characters as a notebook does.
type writer struct {
	spelt map[rune]string
	ascii bool // characters beyond ASCII are escaped
}

// writer learns from the source of a cell, and from all cells whether ASCII is enough.
func (d *document) writer(c *cell) *writer {
	w := &writer{spelt: map[rune]string{}}
	for _, x := range d.cells {
		for _, p := range x.parts {
			raw := d.text[p.at.start+1 : p.at.end-1]
			for _, r := range p.text {
				n := spelling(raw, r)
				if x == c && w.spelt[r] == "" {
					w.spelt[r] = raw[:n]
				}
				w.ascii = w.ascii || r >= utf8.RuneSelf && raw[0] == '\\'
				raw = raw[n:]
			}
		}
	}
	return w
}

// spelling is the length of what a string of JSON begins with for a character.
func spelling(raw string, r rune) int {
	switch {
	case raw[0] != '\\':
		return utf8.RuneLen(r)
	case raw[1] != 'u':
		return 2
	case r > 0xffff:
		return 12 // two surrogates
	}
	return 6
}

// quoted is a text as a string of JSON.
func (w *writer) quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		s, ok := w.spelt[r]
		switch {
		case ok:
		case r == '"' || r == '\\':
			s = `\` + string(r)
		case r == '\n':
			s = `\n`
		case r == '\t':
			s = `\t`
		case r == '\r':
			s = `\r`
		case r < ' ' || r == 0x7f || w.ascii && r >= utf8.RuneSelf && r <= 0xffff:
			s = fmt.Sprintf(`\u%04x`, r)
		case w.ascii && r > 0xffff:
			s = fmt.Sprintf(`\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			s = string(r)
		}
		b.WriteString(s)
	}
	return b.String() + `"`
}
