package lsp

// This file tells what is known of a place.

import (
	"context"
	"fmt"
	"strings"
)

// Bounds of what is shown at once.
const (
	maxHoverCalls      = 8
	maxHoverConditions = 12
)

// hover shows what is known at a position: the entry that begins on the line, the innermost call around the position,
// and the types of the targets there. Edits since the last run move the position back to that run's text.
func (s *Server) hover(_ context.Context, p *positioned) (*hover, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, v := s.look(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	place, ok := d.inside(p.TextDocument.URI, p.Position)
	if !ok {
		return nil, nil
	}
	line, ok := d.was(place.Line)
	if !ok {
		return nil, nil
	}
	at := v.lines[line] + s.encoding.column(v.lines.line(v.text, line), p.Position.Character)
	var parts []string
	known := v.about(line, at)
	for _, e := range known.entries {
		parts = append(parts, e.markdown())
	}
	for _, c := range known.calls {
		parts = append(parts, "```python\n"+c.text()+"```")
	}
	for _, t := range known.targets {
		parts = append(parts, typesOf(t))
		if text := v.trail(t); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return &hover{Contents: markup{"markdown", strings.Join(parts, "\n\n")}}, nil
}

// text is a call: where the module is, its class, what goes in and out, its parameters.
func (c *moduleCall) text() string {
	name := c.class
	if c.path != "" {
		name = c.path + ": " + c.class
	}
	text := fmt.Sprintf("%s\n%s → %s\n", name, c.in, c.out)
	if c.parameters != "" {
		text += "# " + c.parameters + "\n"
	}
	return text
}

// markdown is an entry with its contract.
func (e *entry) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "```python\n%s\n", e.title)
	for i, c := range e.contract {
		if i == maxHoverConditions {
			fmt.Fprintf(&b, "# and %d more\n", len(e.contract)-i)
			break
		}
		fmt.Fprintf(&b, "# holds when %s\n", c)
	}
	if e.parameters != "" {
		fmt.Fprintf(&b, "# %s\n", e.parameters)
	}
	if len(e.assumed) > 0 {
		fmt.Fprintf(&b, "# assumed: %s\n", strings.Join(e.assumed, ", "))
	}
	b.WriteString("```")
	if e.dims != "" {
		b.WriteString("\n\n```python\n" + e.dims + "```")
	}
	return b.String()
}
