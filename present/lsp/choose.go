package lsp

// This file chooses the entry of which types are shown, where several run through the same lines.

import (
	"context"
	"fmt"
	"slices"
)

// commandSelect chooses an entry: its arguments are the URI of a document and the name of the entry, empty for all of
// them; without a name the editor asks.
const commandSelect = "shapecheck.selectEntry"

// allEntries is what is chosen for none.
const allEntries = "all entries"

// selectEntry shows the types of one entry, or of all again.
func (s *Server) selectEntry(ctx context.Context, uri string, p *executeCommand) error {
	s.mu.Lock()
	v := s.views[uri]
	s.mu.Unlock()
	if v == nil {
		return fmt.Errorf("%s was not checked yet", baseOf(uri))
	}
	name, err := stringArgument(p, 1)
	if err != nil {
		return err
	}
	if len(p.Arguments) < 2 {
		if name, err = s.choice(ctx, v); err != nil || name == "" {
			return err
		}
	}
	if name == allEntries {
		name = ""
	}
	if name != "" && !slices.ContainsFunc(v.entries, func(e entry) bool { return e.name == name }) {
		return fmt.Errorf("%s: there is no entry %s", baseOf(uri), name)
	}
	s.mu.Lock()
	if d := s.docs[uri]; d != nil {
		d.chosen = name
	}
	s.mu.Unlock()
	s.queue.add(uri, 0)
	return nil
}

// choice has the user choose; empty: none was.
func (s *Server) choice(ctx context.Context, v *view) (string, error) {
	type item struct {
		Title string `json:"title"`
	}
	var items []item
	for _, e := range v.entries {
		items = append(items, item{e.name})
	}
	var chosen *item
	err := s.rpc.Call(ctx, "window/showMessageRequest", map[string]any{"type": 3, "message": "Of which entry are the types shown?",
		"actions": append(items, item{allEntries})}, &chosen)
	if err != nil || chosen == nil {
		return "", err
	}
	return chosen.Title, nil
}

// overlap reports whether several entries gave types to the same lines.
func (v *view) overlap() bool {
	return slices.ContainsFunc(v.targets, func(t target) bool { return t.shared })
}
