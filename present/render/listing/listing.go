// Package listing lays out the entries of files: rows and a width in, lines out. No line is wider than asked for. Lines break
// between fields, and a type that does not fit is shortened to its first parts (shorten.go).
package listing

// This file lays out rows.

import (
	"strings"

	"shapecheck/internal/columns"
	"shapecheck/present/render/text"
)

// A Row is what is said of an entry. Its texts are safe to print.
type Row struct {
	// Mark is the sign of its state, in the colour Color (as of text.Style.Paint).
	Mark, Color string
	Name        string
	Inputs      []string // "x f32[B,3,H,W]"
	Result      string   // the type of its result; empty: there is none
	Conditions  []string // under which it works
	Example     string   // sizes that satisfy them
	Count       string   // of its findings
	// Why says in a sentence why it has no result.
	Why string
}

// Style says how to print.
type Style struct {
	text.Style
	// Whole prints all of a field; what does not fit goes on in the next line.
	Whole bool
}

// The least width that lines are laid out for, and the widths from which on an entry takes one line, and examples have a column.
const (
	MinWidth    = 60
	oneLine     = 90
	withColumns = 110
)

// Bounds of the columns that others follow: a longer cell does not push the others apart.
const (
	maxName, maxSignature, maxConditions, maxExample = 32, 48, 26, 16
	narrowConditions                                 = 30
)

// indent is that of what goes on in another line.
const indent = "      "

// dim and bold are the colours of examples and of paths.
const dim, bold = "2", "1"

// A cell is a field of a line, or several that belong together.
type cell struct{ text, color string }

// Path is the line that names a file.
func Path(path string, st Style) string { return st.Paint(bold, columns.CutPath(path, st.width())) }

// width is that of lines.
func (st *Style) width() int {
	if st.Width == 0 {
		return DefaultWidth
	}
	return max(st.Width, MinWidth)
}

// DefaultWidth is that of text that goes to no terminal.
const DefaultWidth = 120

// Lines lays out the rows of a file.
func Lines(rows []Row, st Style) []string {
	l := layout{st: st, width: st.width()}
	for i := range rows {
		r := &rows[i]
		l.name = fit(l.name, r.Name, maxName)
		l.signature = fit(l.signature, r.signature(), maxSignature)
		l.conditions = fit(l.conditions, strings.Join(r.Conditions, "; "), maxConditions)
		l.example = fit(l.example, r.Example, maxExample)
	}
	var out []string
	for i := range rows {
		out = append(out, l.row(&rows[i])...)
	}
	return out
}

// fit is the width of a column that takes a text, too, where that is not too long.
func fit(column int, s string, most int) int {
	if n := columns.Of(s); n <= most {
		return max(column, n)
	}
	return column
}

func (r *Row) signature() string {
	s := strings.Join(r.Inputs, ", ")
	if r.Result != "" {
		s = strings.TrimLeft(s+" → "+r.Result, " ")
	}
	return s
}

// A layout has the columns of a file.
type layout struct {
	st                                   Style
	width                                int
	name, signature, conditions, example int // columns
}

// row lays out an entry.
func (l *layout) row(r *Row) []string {
	head := []cell{{"  ", ""}, {r.Mark, r.Color}, {" ", ""}}
	conditions := strings.Join(r.Conditions, "; ")
	if l.width >= oneLine && r.Why == "" {
		line := l.padded(head, r.Name, l.name, 2)
		line = l.padded(line, r.signature(), l.signature, 3)
		if l.width >= withColumns {
			line = l.padded(line, conditions, l.conditions, 3)
			if l.example > 0 {
				line = append(line, cell{columns.Pad(r.Example, l.example), dim}, cell{"   ", ""})
			}
		} else {
			line = l.padded(line, conditions, 0, 2)
			line = append(line, cell{r.Example, dim})
			if r.Example != "" {
				line = append(line, cell{"  ", ""})
			}
		}
		line = append(line, cell{r.Count, r.Color})
		if taken(line) <= l.width {
			return []string{l.paint(line)}
		}
	}
	return l.flow(head, r)
}

// padded adds a text and the room of its column, with a gap behind it.
func (l *layout) padded(line []cell, s string, column, gap int) []cell {
	if s == "" && column == 0 {
		return line
	}
	return append(line, cell{columns.Pad(s, column) + strings.Repeat(" ", gap), ""})
}

// flow lays out an entry that takes several lines: what is called and what it gives, then on what conditions.
func (l *layout) flow(head []cell, r *Row) []string {
	p := &paragraph{layout: l}
	p.begin(head)
	p.put(cell{l.shortened(r.Name, l.width-taken(head)), ""}, "")
	gap := "  "
	if columns.Of(r.Name) < l.name && taken(p.line)+l.name-columns.Of(r.Name)+2+columns.Of(r.signature()) <= l.width {
		gap = strings.Repeat(" ", l.name-columns.Of(r.Name)+2)
	}
	if sig := r.signature(); taken(p.line)+len(gap)+columns.Of(sig) <= l.width {
		if sig != "" {
			p.put(cell{sig, ""}, gap)
		}
	} else {
		p.put(cell{l.shortened(strings.Join(r.Inputs, ", "), l.width-len(indent)), ""}, "  ")
		if r.Result != "" {
			p.put(cell{"→ " + l.shortened(r.Result, l.width-len(indent)-2), ""}, " ")
		}
	}
	if r.Why != "" {
		p.prose(r.Why)
	}
	p.tail(r)
	return p.lines()
}

// shortened is a text of types that takes at most room columns, unless all of it is to be printed.
func (l *layout) shortened(s string, room int) string {
	if l.st.Whole {
		return s
	}
	return Shorten(s, room)
}

// A paragraph are lines that are filled field by field.
type paragraph struct {
	*layout
	done []string
	line []cell
	room bool // something is on the line
}

func (p *paragraph) begin(head []cell) { p.line, p.room = head, false }

// put adds a field behind a gap, on the next line where it does not fit. One that is longer than a line is cut into several.
func (p *paragraph) put(c cell, gap string) {
	if c.text == "" {
		return
	}
	if p.room && taken(p.line)+columns.Of(gap)+columns.Of(c.text) > p.width {
		p.next()
	}
	if p.room {
		p.line = append(p.line, cell{gap, ""})
	}
	for !columns.Fits(c.text, p.width-taken(p.line)) {
		head, rest := columns.Cut(c.text, p.width-taken(p.line), p.st.Whole)
		p.line = append(p.line, cell{head, c.color})
		if rest == "" {
			p.room = true
			return
		}
		p.next()
		c.text = rest
	}
	p.line, p.room = append(p.line, c), true
}

// next begins another line.
func (p *paragraph) next() {
	p.done = append(p.done, p.paint(p.line))
	p.begin([]cell{{indent, ""}})
}

// tail adds the conditions, an example and the findings: behind what is there where all fits, else on lines of their own.
func (p *paragraph) tail(r *Row) {
	conditions := strings.Join(r.Conditions, "; ")
	rest := 0
	for _, s := range []string{conditions, r.Example, r.Count} {
		if s != "" {
			rest += columns.Of(s) + 2
		}
	}
	if rest == 0 {
		return
	}
	if taken(p.line)+1+rest > p.width || p.width < oneLine && conditions != "" {
		p.next()
	}
	gap := "   "
	for i, c := range r.Conditions {
		if i < len(r.Conditions)-1 {
			c += ";"
		}
		if i > 0 {
			gap = " "
		}
		p.put(cell{c, ""}, gap)
	}
	if used := taken(p.line) - len(indent); p.width < oneLine && conditions != "" && len(r.Conditions) > 0 && used < narrowConditions &&
		len(indent)+narrowConditions+3+columns.Of(r.Example) <= p.width {
		p.line = append(p.line, cell{strings.Repeat(" ", narrowConditions-used), ""})
	}
	p.put(cell{r.Example, dim}, "  ")
	p.put(cell{r.Count, r.Color}, "  ")
}

// proseLines is how many lines a sentence takes at most, where not all is to be printed.
const proseLines = 2

// prose adds a sentence, which breaks between words.
func (p *paragraph) prose(s string) {
	if taken(p.line)+2+columns.Of(s) <= p.width {
		p.put(cell{s, dim}, "  ")
		return
	}
	p.next()
	lines := columns.Wrap(s, p.width-len(indent))
	if len(lines) > proseLines && !p.st.Whole {
		lines = lines[:proseLines]
		lines[proseLines-1], _ = columns.Cut(lines[proseLines-1]+" …", p.width-len(indent), false)
	}
	for i, x := range lines {
		if i > 0 {
			p.next()
		}
		p.put(cell{x, dim}, "")
	}
}

func (p *paragraph) lines() []string {
	if p.room {
		p.done = append(p.done, p.paint(p.line))
	}
	return p.done
}

func taken(line []cell) int {
	n := 0
	for _, c := range line {
		n += columns.Of(c.text)
	}
	return n
}

// paint is a line without blanks at its end.
func (l *layout) paint(line []cell) string {
	for len(line) > 0 && strings.TrimRight(line[len(line)-1].text, " ") == "" {
		line = line[:len(line)-1]
	}
	var b strings.Builder
	for i, c := range line {
		s, blanks := strings.TrimRight(c.text, " "), ""
		if i < len(line)-1 {
			blanks = c.text[len(s):]
		}
		if c.color != "" {
			s = l.st.Paint(c.color, s)
		}
		b.WriteString(s + blanks)
	}
	return b.String()
}
