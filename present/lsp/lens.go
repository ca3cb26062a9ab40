package lsp

// This file shows entries above their functions.

import (
	"context"
	"strings"
)

// maxLens bounds the characters of a condition above a function.
const maxLens = 80

// codeLenses shows above each entry its title, its conditions and its parameters, and the commands that choose an entry
// and write the assumed shapes down.
func (s *Server) codeLenses(_ context.Context, p *struct {
	TextDocument textDocument `json:"textDocument"`
}) ([]codeLens, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, v := s.look(p.TextDocument.URI)
	out := []codeLens{}
	if d == nil || s.settings.CodeLens == "off" {
		return out, nil
	}
	for i := range v.entries {
		e := &v.entries[i]
		r, ok := s.span(d, v, e.at, e.at)
		if !ok {
			continue
		}
		uri, r, ok := d.outside(r)
		if !ok || uri != p.TextDocument.URI {
			continue
		}
		titles := []string{e.title}
		if len(e.contract) > 0 {
			titles = append(titles, short("holds when "+strings.Join(e.contract, "; "), maxLens))
		}
		if e.parameters != "" {
			titles = append(titles, e.parameters)
		}
		for _, t := range titles {
			out = append(out, codeLens{r, command{Title: t, Command: commandReport, Arguments: []any{p.TextDocument.URI, e.name}}})
		}
		switch {
		case v.chosen == e.name:
			out = append(out, codeLens{r, command{Title: "show the types of " + allEntries, Command: commandSelect,
				Arguments: []any{p.TextDocument.URI, ""}}})
		case v.overlap():
			out = append(out, codeLens{r, command{Title: "show only its types", Command: commandSelect,
				Arguments: []any{p.TextDocument.URI, e.name}}})
		}
		line, ok := d.now(e.commentAt)
		if !ok || e.comment == "" {
			continue
		}
		above := position{line, 0}
		if uri, at, ok := d.outside(textRange{above, above}); ok {
			title := short("assumed: "+strings.Join(e.assumed, ", "), maxLens) + " · use these shapes"
			out = append(out, codeLens{r, command{Title: title, Command: commandUse, Arguments: []any{uri, at.Start.Line, e.comment}}})
		}
	}
	return out, nil
}
