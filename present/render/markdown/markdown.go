// Package markdown prints diagnostics for people who read them beside code: in the summary of a
// CI job, or in a comment on a change. It is GitHub's dialect. What programs say stands in code
// spans and fenced blocks alone, so that nothing of it is markup.
package markdown

import (
	"fmt"
	"io"
	"net/url"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/present/render/text"
)

// MaxSize bounds what is written, in bytes: GitLab and GitHub take comments of 64 kB.
const MaxSize = 60_000

// maxEntries bounds the table.
const maxEntries = 200

// An Entry is a row of the table. Rest is what does not fit the columns: conditions, assumptions,
// why nothing was checked.
type Entry struct{ File, Name, Inputs, Result, Rest string }

// A Report is what is printed.
type Report struct {
	Files   *source.FileSet
	Entries []Entry
	List    []*diag.Diagnostic
	// Unchecked are the entries of which nothing was checked.
	Unchecked []diag.Unchecked
	// Base is what the links to files begin with: it may be empty, and otherwise ends with a slash.
	Base string
}

// Print writes the report: how many findings there are, the entries, and each finding with the
// lines that led to it. Infos are counted. What exceeds MaxSize is left out and counted, too. It returns an error only
// where w does.
func Print(w io.Writer, r *Report) error {
	var b strings.Builder
	var shown []*diag.Diagnostic
	count := map[diag.Severity]int{}
	for _, d := range diag.Causes(r.List) {
		if count[d.Severity]++; d.Severity > diag.Info {
			shown = append(shown, d)
		}
	}
	fmt.Fprintf(&b, "**shapecheck: %s**\n", total(count, len(r.Entries), r.unchecked()))
	r.table(&b)
	for _, u := range r.Unchecked {
		if len(u.Skipped) > 0 {
			fmt.Fprintf(&b, "\n**%s**\n", Span(u.Why))
			continue
		}
		fmt.Fprintf(&b, "\nNot checked: %s\n", Span(strings.TrimPrefix(u.Entry+": "+u.Why, ": ")))
	}
	for i, d := range shown {
		one := r.finding(d)
		if b.Len()+len(one) > MaxSize-100 {
			fmt.Fprintf(&b, "\n%d more\n", len(shown)-i)
			break
		}
		b.WriteString(one)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// unchecked counts the entries of which nothing was checked.
func (r *Report) unchecked() int {
	n := 0
	for _, u := range r.Unchecked {
		if len(u.Skipped) == 0 {
			n++
		}
	}
	return n
}

func total(count map[diag.Severity]int, entries, unchecked int) string {
	var parts []string
	for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Info} {
		if n := count[s]; n > 0 {
			parts = append(parts, counted(n, s.String()))
		}
	}
	switch {
	case len(parts) > 0:
	case unchecked > 0 && unchecked >= entries:
		return "nothing was checked"
	default:
		parts = []string{"no findings"}
	}
	text := strings.Join(parts, ", ")
	switch {
	case entries == 1:
		text += " in 1 entry"
	case entries > 1:
		text += fmt.Sprintf(" in %d entries", entries)
	}
	if unchecked > 0 {
		text += fmt.Sprintf(", %d not checked", unchecked)
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// table prints the entries; a column that is empty everywhere is left out.
func (r *Report) table(b *strings.Builder) {
	columns := []struct {
		name string
		of   func(Entry) string
	}{
		{"file", func(e Entry) string { return e.File }},
		{"entry", func(e Entry) string { return e.Name }},
		{"inputs", func(e Entry) string { return e.Inputs }},
		{"result", func(e Entry) string { return e.Result }},
		{"", func(e Entry) string { return e.Rest }},
	}
	kept := columns[:0]
	for _, c := range columns {
		for _, e := range r.Entries {
			if c.of(e) != "" {
				kept = append(kept, c)
				break
			}
		}
	}
	if len(kept) == 0 {
		return
	}
	row := func(cell func(i int) string) {
		for i := range kept {
			b.WriteString("| " + cell(i) + " ")
		}
		b.WriteString("|\n")
	}
	b.WriteByte('\n')
	row(func(i int) string { return kept[i].name })
	row(func(int) string { return "---" })
	for n, e := range r.Entries {
		if n == maxEntries || b.Len() > MaxSize/2 {
			fmt.Fprintf(b, "\n%d more\n", len(r.Entries)-n)
			break
		}
		row(func(i int) string { return Cell(kept[i].of(e)) })
	}
}

// maxCell bounds the characters of a cell.
const maxCell = 200

// Cell is a text as a code span in a cell of a table, cut where it is long.
func Cell(s string) string { return strings.ReplaceAll(Span(cut(s)), "|", `\|`) }

func cut(s string) string {
	if r := []rune(s); len(r) > maxCell {
		return string(r[:maxCell]) + "…"
	}
	return s
}

// finding is a headline that links to the place, and a block with the text that a terminal shows.
func (r *Report) finding(d *diag.Diagnostic) string {
	var b, block strings.Builder
	fmt.Fprintf(&b, "\n**%s %s**", d.Severity, d.Code)
	if p, ok := place.Of(r.Files, d.At); ok {
		at := fmt.Sprintf("%s:%d", p.Where(), p.Line)
		link, _ := place.OnDisk(r.Files, d.At)
		if strings.HasPrefix(p.Path, "<") || strings.HasPrefix(p.Path, "..") || strings.HasPrefix(p.Path, "/") {
			fmt.Fprintf(&b, " %s", Span(at))
		} else {
			fmt.Fprintf(&b, " [%s](<%s%s#L%d>)", Span(at), r.Base, (&url.URL{Path: p.Path}).EscapedPath(), link.Line)
		}
	}
	text.Print(&block, r.Files, d, text.Style{Width: 120})
	body := safetext.Lines(block.String())
	f := fence(body, 3)
	fmt.Fprintf(&b, "\n\n%stext\n%s\n%s\n", f, strings.TrimRight(body, "\n"), f)
	return b.String()
}

// Span is a text as a code span of one line; nothing is an empty cell.
func Span(s string) string {
	if s = safetext.Line(s); s == "" {
		return ""
	}
	f := fence(s, 1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return f + s + f
}

// fence is a run of backticks, n at least, that does not occur in a text.
func fence(s string, n int) string {
	run, longest := 0, 0
	for _, c := range s {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return strings.Repeat("`", max(n, longest+1))
}
