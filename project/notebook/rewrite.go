package notebook

// This file writes changes of a program into the text of its notebook. A string keeps the spelling
// of its characters, and what did not change keeps its bytes. A program is made of the code cells
// of a notebook (program.go): each cell begins with a head line, magics are translated to Python,
// and everything has its place in the notebook. A fix changes the program; Rewrite carries the
// change back. The notebook's text is edited in place instead of being written anew, because a
// notebook under version control should differ only where its code does: formatting, escapes and
// the order of keys stay.

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"shapecheck/internal/fix"
	"shapecheck/internal/source"
)

// Rewrite is the text of the notebook of f when its program is changed to text. An error says that
// a change lies where the program is not the notebook's own text, or that it is of two cells. The
// result is checked by reading it again: its program must be text.
func Rewrite(f *source.File, text string) (string, error) {
	d, err := read(f.Notebook.Text)
	if err != nil {
		return "", err
	}
	p := d.program()
	// A program that was changed since cannot be divided by its heads.
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
		// The head line of a cell is not its own text.
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
		// Cells without a change keep every byte.
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

// cut divides a program by the lines that begin its cells. heads are the lines that begin cells, in
// order. It returns an error where one is missing or changed, since then the cells cannot be told
// apart. A cell may be empty.
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

// restored is the source of a cell whose lines were changed. lines are those of the cell in the
// program, with what they were in the notebook, and changed are the lines after the change.
// Unchanged lines get back what they were; a line that was made from a magic cannot be changed, but
// for code behind a magic such as %time, whose magic is put in front again.
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
			// The last line of a cell has no line end in the notebook.
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
			// A new line in place of code behind a magic begins with "if 1:" as that did.
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
	// The notebook's last line had no end, so the new one has none.
	if k := len(lines); k > 0 && !strings.HasSuffix(lines[k-1].was, "\n") {
		out = strings.TrimSuffix(out, "\n")
	}
	return out, nil
}

// translated reports whether a line of the program is not the notebook's. Line ends do not count.
func translated(l line) bool {
	return strings.TrimSuffix(l.text, "\n") != strings.TrimSuffix(l.was, "\n")
}

// timed reports whether a line is code behind a magic. %time x = f() is "if 1: x = f()" in the
// program.
func timed(l line) bool {
	return translated(l) && strings.HasPrefix(strings.TrimLeft(l.text, " \t"), "if 1:") &&
		strings.HasPrefix(strings.TrimLeft(l.was, " \t"), "%")
}

// A char is a character of a source: its place in the text and the number of its part. part is the
// place in cell.parts.
type char struct {
	r    rune
	at   span
	part int
}

// chars are the characters of a cell. They are found with the help of the decoded text: each
// character says how long its spelling may be.
func (d *document) chars(c *cell) []char {
	var out []char
	for i, p := range c.parts {
		at := p.at.start + 1
		for _, r := range p.text {
			n := spelling(d.text[at:], r)
			out = append(out, char{r, span{at, at + n}, i})
			at += n
		}
	}
	return out
}

// A change replaces the characters of a range by a text. The range counts characters, not bytes.
type change struct {
	span
	text string
}

// changes are what makes b of a: lines first, then characters of lines that differ. Comparing lines
// first keeps the changes of characters within lines that belong together, and is fast for long
// cells. The ranges refer to a and are in order.
func changes(a, b string) []change {
	var out []change
	at := 0
	var gone, come strings.Builder
	// flush compares the lines that were collected, character by character.
	flush := func() {
		old, text := characters(gone.String()), characters(come.String())
		gone.Reset()
		come.Reset()
		var c *change
		for _, o := range fix.Compare(old, text) {
			if o.Kind == ' ' {
				at++
				c = nil
				continue
			}
			if c == nil {
				out = append(out, change{span: span{at, at}})
				c = &out[len(out)-1]
			}
			if o.Kind == '-' {
				at++
				c.end++
			} else {
				c.text += o.Line
			}
		}
	}
	for _, o := range fix.Compare(splitLines(a), splitLines(b)) {
		switch o.Kind {
		case ' ':
			flush()
			at += utf8.RuneCountInString(o.Line)
		case '-':
			gone.WriteString(o.Line)
		case '+':
			come.WriteString(o.Line)
		}
	}
	flush()
	return out
}

// As lines for fix.Compare.
func characters(s string) []string {
	out := make([]string, 0, len(s))
	for _, r := range s {
		out = append(out, string(r))
	}
	return out
}

// byLines reports whether a source is a list of strings with a line each. Jupyter writes sources in
// this way. A source that is one string, or strings cut elsewhere, has no such rule and is changed
// within its strings.
func (c *cell) byLines() bool {
	for i, p := range c.parts {
		if n := strings.Count(p.text, "\n"); n > 1 || n == 1 && !strings.HasSuffix(p.text, "\n") || n == 0 && i+1 < len(c.parts) {
			return false
		}
	}
	return c.list
}

// encoded is the source of a cell with another text, as its notebook writes it. What does not
// change keeps its bytes. c.source is what is replaced. An empty list becomes a list of one string.
func (d *document) encoded(c *cell, text string) string {
	w := d.writer(c)
	if len(c.parts) == 0 {
		return "[" + w.quoted(text) + "]"
	}
	e := &encoding{d: d, c: c, w: w, chars: d.chars(c), lines: c.byLines(), done: c.source.start}
	for _, x := range changes(c.text(), text) {
		e.change(x)
	}
	return e.String() + d.text[e.done:c.source.end]
}

// An encoding is a source that is being written with its changes. done is moved by change.
type encoding struct {
	strings.Builder
	d     *document
	c     *cell
	w     *writer
	chars []char
	lines bool // each line has a string of its own
	done  int  // up to where the text was written
}

// change writes what stands before a change, and the change. The change must lie behind those
// before it. In a source with a string for each line, strings are added and removed with the lines.
func (e *encoding) change(x change) {
	parts, last := e.c.parts, len(e.c.parts)-1
	// A change at the end of the source stands before the last quote.
	part, from := last, parts[last].at.end-1
	before, opened := '\x00', parts[last].text == ""
	if x.start > 0 {
		before = e.chars[x.start-1].r
	}
	// opened says that the change begins right behind a quote, so no new string is needed before
	// it.
	if x.start < len(e.chars) {
		part, from = e.chars[x.start].part, e.chars[x.start].at.start
		opened = from == parts[part].at.start+1
	}
	after := before // the character before what follows the change
	if x.text != "" {
		after, _ = utf8.DecodeLastRuneInString(x.text)
	}
	to, end := from, part
	// Up to where the old text is left out.
	if x.end > x.start {
		to, end = e.chars[x.end-1].at.end, e.chars[x.end-1].part
		// A whole line that goes takes its string with it.
		if whole := x.text == "" && opened; e.lines && to == parts[end].at.end-1 && (whole || after != '\n') {
			switch {
			case end < last: // what follows stands in the string that the change is in
				end++
				to = parts[end].at.start + 1
			case whole && part > 0: // the last strings go
				from, to = parts[part-1].at.end, parts[last].at.end
			case whole:
				from, to = parts[0].at.start, parts[last].at.end
			}
		}
	}
	e.WriteString(e.d.text[e.done:from])
	e.done = to
	for _, r := range x.text {
		// Behind a line end the next character begins a string.
		if e.lines && before == '\n' && !opened {
			e.next(part)
		}
		e.WriteString(e.w.spell(r))
		before, opened = r, false
	}
	// What follows the inserted lines needs a string of its own.
	if e.lines && x.text != "" && after == '\n' && to != parts[end].at.end-1 {
		e.next(part)
	}
}

// next ends a string and begins another, with what stands between a part and its neighbour. Between
// two strings stand a comma and the white space of the notebook's indentation, which are copied
// from a neighbour.
func (e *encoding) next(part int) {
	parts := e.c.parts
	between := "," + e.d.text[e.c.source.start+1:parts[0].at.start]
	switch {
	case part+1 < len(parts):
		between = e.d.text[parts[part].at.end:parts[part+1].at.start]
	case part > 0:
		between = e.d.text[parts[part-1].at.end:parts[part].at.start]
	}
	e.WriteString(`"` + between + `"`)
}

// A writer spells characters as a notebook does. spelt has, for each character that the cell has,
// how it is written there first.
type writer struct {
	spelt map[rune]string
	ascii bool // characters beyond ASCII are escaped
}

// writer learns from the source of a cell, and from all cells whether ASCII is enough. If any
// character beyond ASCII is escaped in the notebook, new ones are, too.
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

// spelling is the length of what a string of JSON begins with for a character. raw begins with the
// character. A character is written as itself, as a short escape such as \n, or as \u with four
// digits, or two of these for a surrogate pair.
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
	for _, r := range text {
		b.WriteString(w.spell(r))
	}
	return `"` + b.String() + `"`
}

// spell is a character in a string of JSON. Characters that occur in the cell are written as they
// are there; others as Python's json module writes them.
func (w *writer) spell(r rune) string {
	if s, ok := w.spelt[r]; ok {
		return s
	}
	switch {
	case r == '"' || r == '\\':
		return `\` + string(r)
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r < ' ' || r == 0x7f || w.ascii && r >= utf8.RuneSelf && r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	case w.ascii && r > 0xffff:
		return fmt.Sprintf(`\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
	}
	return string(r)
}
