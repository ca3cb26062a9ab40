package lsp

// This file shows the modules of a model as the outline of its file.

import "context"

func (s *Server) documentSymbols(_ context.Context, p *struct {
	TextDocument textDocument `json:"textDocument"`
}) ([]documentSymbol, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, v := s.look(p.TextDocument.URI)
	out := []documentSymbol{}
	if d == nil {
		return out, nil
	}
	var build func(list []symbol) []documentSymbol
	build = func(list []symbol) []documentSymbol {
		var out []documentSymbol
		for _, x := range list {
			r, ok := s.span(d, v, x.start, x.end)
			if !ok {
				continue
			}
			uri, r, ok := d.outside(r)
			if !ok || uri != p.TextDocument.URI {
				continue
			}
			out = append(out, documentSymbol{Name: x.name, Detail: x.detail, Kind: x.kind, Range: r, SelectionRange: r, Children: build(x.children)})
		}
		return out
	}
	return append(out, build(v.symbols)...), nil
}
