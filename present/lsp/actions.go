package lsp

// This file offers what can be done about findings and guesses. Actions with edits carry them, so
// that the editor applies them without asking the server again; those that need a new check carry a
// command.

import (
	"context"
	"slices"
	"strings"

	"shapecheck/internal/inorder"
)

// Kinds of actions. They are from the protocol; the editor offers fixAll also on save.
const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.shapecheck"
	kindRewrite  = "refactor.rewrite"
)

// codeActions offers, for a range, the fixes of findings and comments that ignore them, and for entries there the
// comments that state their shapes. Positions are those of the last run, moved by the edits since.
// It never fails: of a document or range that is not known there are no actions. Only the kinds
// that the client asks for are made.
func (s *Server) codeActions(_ context.Context, p *codeActionParams) ([]codeAction, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	uri := p.TextDocument.URI
	d, v := s.look(uri)
	out := []codeAction{}
	if d == nil {
		return out, nil
	}
	// A kind includes those below it: "source" asks for "source.fixAll".
	wanted := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only,
			func(o string) bool { return kind == o || strings.HasPrefix(kind, o+".") })
	}
	// A range in a cell of text has no code.
	start, ok := d.inside(uri, p.Range.Start)
	end, also := d.inside(uri, p.Range.End)
	if !ok || !also {
		return out, nil
	}
	changed := func(changes map[string][]textEdit) *workspaceEdit { return &workspaceEdit{Changes: changes} }
	if wanted(kindQuickFix) {
		for i := range v.findings {
			f := &v.findings[i]
			// Findings on lines that were changed since are passed by (ok is false).
			r, ok := s.span(d, v, f.start, f.end)
			if !ok || r.Start.Line > end.Line || r.End.Line < start.Line {
				continue
			}
			// The first safe fix is the preferred one, which editors apply by a shortcut.
			for n, x := range sorted(f.fixes) {
				if edits, ok := s.edits(d, v, x.edits); ok {
					out = append(out, codeAction{
						Title: x.title, Kind: kindQuickFix, Diagnostics: []diagnostic{f.shown}, IsPreferred: x.safe && n == 0, Edit: changed(edits),
					})
				}
			}
			// The comment needs the text of the run, as its place is a line of it.
			if d.text != v.text {
				continue
			}
			text, ok := f.ignored()
			if !ok {
				continue
			}
			if edits, err := s.changes(d, text); err == nil {
				out = append(out, codeAction{
					Title: "Ignore " + f.shown.Code + " here", Kind: kindQuickFix, Diagnostics: []diagnostic{f.shown}, Edit: changed(edits),
				})
			}
		}
	}
	// Entries whose heading and comment lines meet the range.
	for i := range v.entries {
		e := &v.entries[i]
		at, ok := s.place(d, v, e.at)
		line, there := d.now(e.commentAt)
		if !ok || !there || start.Line > at.Line || end.Line < line || !wanted(kindRewrite) {
			continue
		}
		if e.comment != "" {
			if edits, err := s.commented(d, line, e.comment); err == nil {
				out = append(out, codeAction{Title: "Check with these shapes: " + short(e.comment, maxLens), Kind: kindRewrite, Edit: changed(edits)})
			}
		}
		out = append(out, s.decisions(d, v, e)...)
	}
	commanded := func(title, kind, name string) codeAction {
		return codeAction{Title: title, Kind: kind, Command: &command{Title: title, Command: name, Arguments: []any{uri}}}
	}
	// fixAll is only offered where it is asked for, as on save; the editor's menu would show it at
	// each line otherwise.
	if wanted(kindFixAll) && len(p.Context.Only) > 0 && slices.ContainsFunc(v.findings, func(f finding) bool { return f.safe() }) {
		out = append(out, commanded("Apply all safe fixes of shapecheck", kindFixAll, commandFixAll))
	}
	if wanted(kindRewrite) && len(v.targets) > 0 {
		out = append(out, commanded("Write shape comments", kindRewrite, commandComments))
	}
	return out, nil
}

// safe reports whether there is a safe fix.
func (f *finding) safe() bool {
	return slices.ContainsFunc(f.fixes, func(x fixed) bool { return x.safe })
}

// sorted has the safe fixes first. The order within each of both stays.
func sorted(list []fixed) []fixed {
	list = slices.Clone(list)
	inorder.StableBy(list, func(a, b fixed) int {
		switch {
		case a.safe == b.safe:
			return 0
		case a.safe:
			return -1
		}
		return 1
	})
	return list
}

// edits are edits of the checked text as edits of now; false where a line of them was changed. In a
// notebook a fix may touch several cells, so the whole text is changed and the difference of each
// cell taken; this needs the text of the run.
func (s *Server) edits(d *document, v *view, list []edit) (map[string][]textEdit, bool) {
	if d.book != nil {
		if d.text != v.text {
			return nil, false
		}
		text := v.text
		// From the last edit to the first, so that offsets stay right.
		for _, e := range slices.Backward(slices.SortedFunc(slices.Values(list), func(a, b edit) int { return a.start - b.start })) {
			text = text[:e.start] + e.text + text[e.end:]
		}
		out, err := s.changes(d, text)
		return out, err == nil
	}
	var out []textEdit
	for _, e := range list {
		a, ok := s.place(d, v, e.start)
		b, also := s.place(d, v, e.end)
		if !ok || !also {
			return nil, false
		}
		out = append(out, textEdit{textRange{a, b}, e.text})
	}
	return map[string][]textEdit{d.uri: out}, true
}

// commented puts a comment above a line, as deep as it is. line counts from 0. It returns an error
// where a notebook's cell cannot be changed.
func (s *Server) commented(d *document, line int, text string) (map[string][]textEdit, error) {
	indented := d.lines.line(d.text, line)
	indent := indented[:len(indented)-len(strings.TrimLeft(indented, " \t"))]
	text = indent + text + d.newline()
	if d.book != nil {
		at := d.offset(position{line, 0}, s.encoding)
		return s.changes(d, d.text[:at]+text+d.text[at:])
	}
	at := position{line, 0}
	return map[string][]textEdit{d.uri: {{textRange{at, at}, text}}}, nil
}

// newline is how lines end. A document without a line end gets "\n".
func (d *document) newline() string {
	if strings.Contains(d.text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// difference is one edit that makes a document another text: what lies between their common
// beginning and their common end, in whole lines. One edit keeps the editor's cursor and marks
// better than many, and needs no algorithm for differences.
func (s *Server) difference(d *document, text string) []textEdit {
	lines := linesOf(text)
	first := 0
	for first < len(lines)-1 && first < len(d.lines)-1 && text[lines[first]:lines[first+1]] == d.text[d.lines[first]:d.lines[first+1]] {
		first++
	}
	a, b := len(d.text), len(text)
	for a > d.lines[first] && b > lines[first] && d.text[a-1] == text[b-1] {
		a, b = a-1, b-1
	}
	// Ends are moved on to a line end, as an edit of whole lines is easier to read.
	for a < len(d.text) && b < len(text) && (a > 0 && d.text[a-1] != '\n' || b > 0 && text[b-1] != '\n') { // to the end of a line
		a, b = a+1, b+1
	}
	line, col := d.lines.at(a)
	end := position{line, s.encoding.character(d.lines.line(d.text, line), col)}
	return []textEdit{{textRange{position{first, 0}, end}, text[lines[first]:b]}}
}
