package lsp

// This file carries out commands. Commands are requests of the client (workspace/executeCommand);
// their effects on documents go back as workspace/applyEdit, so that the editor owns the text and
// can undo them.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"shapecheck/check"
)

// commandUse writes the comment that makes the guesses of an entry a decision. Its arguments are
// the URI, the line of the entry and the text of the comment.
const commandUse = "shapecheck.useShapes"

// executeCommand runs a command that a lens, an action or the user's palette sends. Its first argument is the URI of a
// document; one that is not open, and arguments of another form, are refused. It returns an error,
// which the editor shows, for an unknown command too.
func (s *Server) executeCommand(ctx context.Context, p *executeCommand) (any, error) {
	var uri string
	if len(p.Arguments) > 0 {
		if err := json.Unmarshal(p.Arguments[0], &uri); err != nil {
			return nil, fmt.Errorf("%s: the first argument is the URI of a document", p.Command)
		}
	}
	s.mu.Lock()
	// A cell of a notebook is mapped to its notebook, which is the document.
	part := uri
	uri = s.owner(uri)
	d := s.docs[uri]
	s.mu.Unlock()
	if d == nil {
		return nil, fmt.Errorf("%s: %q is not open", p.Command, uri)
	}
	switch p.Command {
	case commandCheck:
		s.queue.add(uri, 0)
		return nil, nil
	case commandUse:
		var line int
		var text string
		if len(p.Arguments) < 3 || json.Unmarshal(p.Arguments[1], &line) != nil || json.Unmarshal(p.Arguments[2], &text) != nil {
			return nil, fmt.Errorf("%s: URI, line and comment are wanted", p.Command)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		// The position is in the cell; the comment is put into the whole.
		at, ok := d.inside(part, position{line, 0})
		if !ok {
			return nil, fmt.Errorf("%s: %q is no code", p.Command, part)
		}
		changes, err := s.commented(d, at.Line, text)
		if err != nil {
			return nil, err
		}
		s.apply("Check with these shapes", changes)
		return nil, nil
	case commandFixAll, commandComments:
		return nil, s.rewrite(ctx, uri, p.Command == commandComments)
	case commandSelect:
		return nil, s.selectEntry(ctx, uri, p)
	case commandReport, commandExport:
		// Missing arguments are empty texts.
		name, err := stringArgument(p, 1)
		path, also := stringArgument(p, 2)
		if err := errors.Join(err, also); err != nil {
			return nil, err
		}
		if p.Command == commandReport {
			return nil, s.showReport(ctx, uri, name)
		}
		return nil, s.exportOnnx(ctx, uri, name, path)
	}
	return nil, fmt.Errorf("%s: no such command", p.Command)
}

// apply asks the editor to change a document. It does not wait, as the answer comes on the
// connection that the caller may be reading.
func (s *Server) apply(label string, changes map[string][]textEdit) {
	go s.ask("workspace/applyEdit", map[string]any{"label": label, "edit": workspaceEdit{Changes: changes}})
}

// rewrite applies the safe fixes of a document's entries, or writes shape comments. It needs a view
// of the text as it is now, and returns an error while the check of it is still running.
func (s *Server) rewrite(ctx context.Context, uri string, comments bool) error {
	s.mu.Lock()
	d, v := s.docs[uri], s.views[uri]
	if d == nil || v == nil || d.text != v.text {
		s.mu.Unlock()
		return fmt.Errorf("%s is being checked", baseOf(uri))
	}
	// What the edit is compared with is remembered, as the lock is given up during the work.
	before, text, path := d.version, d.stored(), d.path
	targets := v.runs
	session := s.sessionOf(d)
	s.mu.Unlock()
	var list []*check.Target
	for _, t := range targets {
		// A script has no contract that could be written.
		if t.How == check.AsScript {
			continue
		}
		t := *t
		t.Run.InsertComments = comments
		list = append(list, &t)
	}
	x := session.Fixer(check.OfEntries(list), false, []string{path})
	if err := x.Fix(ctx); err != nil {
		return err
	}
	for _, f := range x.Files() {
		if f.Path == path {
			text = f.Text
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// A document that was changed meanwhile is left alone: the user's change counts.
	if d = s.docs[uri]; d == nil || d.version != before || text == d.stored() {
		return nil
	}
	// A notebook is changed cell by cell.
	changes := map[string][]textEdit{}
	if d.book == nil {
		changes[uri] = s.difference(d, text)
	} else {
		var err error
		if changes, err = s.cellChanges(d, text); err != nil {
			return err
		}
	}
	s.apply("shapecheck", changes)
	return nil
}
