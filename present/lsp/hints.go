package lsp

// This file shows types beside the lines. A hint belongs to the text that was checked, and the
// document may have been edited since: places are carried over to the lines of now, and a hint on a
// line that was changed is left out. The targets come from the view of the last check.

import (
	"context"
	"fmt"
	"strings"
)

// maxHint bounds the characters of a hint.
const maxHint = 60

// look gives a document and its view; nil where it was not checked. The caller has the lock. A cell
// of a notebook has the document of its notebook.
func (s *Server) look(uri string) (*document, *view) {
	uri = s.owner(uri)
	d, v := s.docs[uri], s.views[uri]
	if d == nil || v == nil || d.checked == nil {
		return nil, nil
	}
	return d, v
}

// place is a byte of the checked text as a position of now; false where its line was changed.
func (s *Server) place(d *document, v *view, offset int) (position, bool) {
	line, col := v.lines.at(offset)
	now, ok := d.now(line)
	if !ok {
		return position{}, false
	}
	return position{now, s.encoding.character(d.lines.line(d.text, now), col)}, true
}

// span is a range of the checked text as one of now. An end that is gone becomes the end of the
// first line. ok is false if the start is gone.
func (s *Server) span(d *document, v *view, start, end int) (textRange, bool) {
	a, ok := s.place(d, v, start)
	if !ok {
		return textRange{}, false
	}
	b, ok := s.place(d, v, end)
	if !ok || b.Line < a.Line {
		b = position{a.Line, s.encoding.character(d.lines.line(d.text, a.Line), 1<<30)}
	}
	return textRange{a, b}, true
}

// inlayHints answers textDocument/inlayHint: one hint for each target of an assignment and each
// return within the lines that are asked for. The setting is "off", "changed", which leaves out a
// type that equals that of the hint before, or all.
func (s *Server) inlayHints(_ context.Context, p *ranged) ([]inlayHint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, v := s.look(p.TextDocument.URI)
	out := []inlayHint{}
	if d == nil || s.settings.InlayHints == "off" {
		return out, nil
	}
	last := ""
	for i := range v.targets {
		t := &v.targets[i]
		if t.init || len(t.types) == 0 {
			continue
		}
		same := t.types[0].text == last
		if last = t.types[0].text; same && s.settings.InlayHints == "changed" {
			continue
		}
		at, ok := s.place(d, v, v.hintAt(t))
		if !ok {
			continue
		}
		// The place within a cell, if the document is a notebook: only those of the cell that was
		// asked for.
		uri, r, ok := d.outside(textRange{at, at})
		if at = r.Start; !ok || uri != p.TextDocument.URI || at.Line < p.Range.Start.Line || at.Line > p.Range.End.Line {
			continue
		}
		h := inlayHint{Position: at, Kind: 1, Label: ": " + short(t.types[0].text, maxHint)}
		if t.name == "return" {
			h.Label, h.PaddingLeft = "→ "+short(t.types[0].text, maxHint), true
		}
		// Several types, of other entries or other runs of the line, are counted, and the tooltip
		// lists them.
		if n := len(t.types) - 1; n > 0 {
			h.Label += fmt.Sprintf(" (+%d)", n)
		}
		if tip := typesOf(t); len(t.types) > 1 || h.Label != ": "+t.types[0].text {
			h.Tooltip = &markup{"markdown", tip}
		}
		out = append(out, h)
	}
	return out, nil
}

// short cuts a text after n characters, with dots.
func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// hintAt is the byte behind a target; for return it is the end of the statement. Without the name
// in the text it is the start of the target.
func (v *view) hintAt(t *target) int {
	text := v.text[t.start:min(t.end, len(v.text))]
	if t.name == "return" {
		return t.start + len(strings.TrimRight(text, " \t\r\n"))
	}
	// The target's text stands before the "=", and may stand within another's.
	for from := 0; ; {
		i := strings.Index(text[from:], t.name)
		if i < 0 {
			return t.start
		}
		i += from
		end := i + len(t.name)
		if (i == 0 || !word(text[i-1])) && (end == len(text) || !word(text[end])) {
			return t.start + end
		}
		from = i + 1
	}
}

// word reports whether a byte belongs to a name or a dotted name; all bytes beyond ASCII do.
func word(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// typesOf are the types of a target by entry, as Markdown.
func typesOf(t *target) string {
	var b strings.Builder
	b.WriteString("```python\n")
	entry := ""
	for _, x := range t.types {
		if x.entry != entry {
			entry = x.entry
			fmt.Fprintf(&b, "# %s\n", entry)
		}
		fmt.Fprintf(&b, "%s: %s\n", t.name, x.text)
	}
	b.WriteString("```")
	return b.String()
}
