package advice

// This file makes faults speak of the user's program: of the layer that refuses its
// input, of operands by what the source calls them.

import (
	"strings"

	"shapecheck/internal/diag"
)

// describe completes the operands of a fault: those of a layer that refuses its
// input, and the operands of methods and operators by their text.
func (s *Site) describe() {
	d := s.diag
	if len(d.Operands) == 0 && s.layer != nil {
		switch d.Code {
		case diag.ShapeMismatch, diag.BadValue, diag.RankMismatch:
		default:
			return
		}
		for i := range s.vals {
			if t := s.tensor(i); t != nil && len(d.Operands) < 4 {
				d.Operands = append(d.Operands, diag.Operand{Name: s.paramName(i), Type: t.String(), Fault: -1})
			}
		}
	}
	for i := range d.Operands {
		o := &d.Operands[i]
		k := -1
		switch o.Name {
		case "self":
			k = 0
		case "other":
			k = 1
		}
		if k < 0 || k >= len(s.vals) || s.exprs[k] == nil || s.tensor(k) == nil || s.tensor(k).String() != o.Type {
			continue
		}
		if text := s.host.SpanText(s.exprs[k].Span()); len(text) <= 24 && !strings.ContainsAny(text, "\n\r") {
			o.Name = text
		}
	}
}

// paramName names operand i of a layer's call.
func (s *Site) paramName(i int) string {
	if n := len(s.vals) - len(s.names); i >= n {
		return s.names[i-n]
	}
	if fn, self := s.host.Function(s.layer); fn != nil && self && i+1 < len(fn.Params.Args) {
		return fn.Params.Args[i+1].Name
	}
	return "input"
}
