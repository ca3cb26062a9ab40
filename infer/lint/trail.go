package lint

// This file finds the lines that a finding shows besides its own: where the shape in
// question was made.

import (
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// shows adds a line to a finding, unless it is the finding's own or shown already.
func shows(d *diag.Diagnostic, at source.Span, msg string) {
	if at.IsValid() && at != d.At && !slices.ContainsFunc(d.Related, func(r diag.Related) bool { return r.At == at }) {
		d.Related = append(d.Related, diag.Related{At: at, Msg: msg})
	}
}

// showsOne adds the lines that made the axis of size 1 of a tensor that is broadcast; of
// the result of another broadcast, those of that one.
func (l *linter) showsOne(d *diag.Diagnostic, v *graph.Value) {
	if l.Assigned != nil {
		if at := l.Assigned(v); at.IsValid() {
			shows(d, at, fmt.Sprintf("%s is assigned here", v.Type.Shape))
		}
	}
	for _, p := range ops.Producers([]*value.Tensor{{V: v}}, d.At, d.Related) {
		shows(d, p.At, p.Msg)
	}
	for range maxChain {
		for i, s := range v.Type.Shape {
			if isConst(s, 1) {
				if b := ops.Births(v, i); len(b) > 0 {
					shows(d, b[0].At, b[0].Msg)
				}
				return
			}
		}
		if v.Def == nil || v.Def.Form != graph.Arithmetic {
			return
		}
		var next *graph.Value
		grows := false
		for _, a := range v.Def.Args {
			w := tensorOf(a.Value)
			if w == nil || next != nil && sameShape(next, v) {
				continue
			}
			if grows = grows || next != nil && next.Type.Rank() != w.Type.Rank(); next == nil || sameShape(w, v) ||
				w.Type.Rank() > next.Type.Rank() {
				next = w
			}
		}
		if next == nil || next.Type.Rank() != v.Type.Rank() {
			return
		}
		if grows && !sameShape(next, v) {
			shows(d, v.Def.At, fmt.Sprintf("%s is made here by broadcasting %s", v.Type.Shape, next.Type.Shape))
		}
		v = next
	}
}
