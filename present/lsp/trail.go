package lsp

// This file tells where the sizes of a tensor come from.

import (
	"fmt"
	"path/filepath"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// maxTrail bounds the lines of a trail.
const maxTrail = 12

// tensorOf is the tensor that a value is; nil for others.
func tensorOf(v value.Value) *graph.Value {
	if t, ok := v.(*value.Tensor); ok {
		return t.V
	}
	return nil
}

// trail is the lines that made the sizes of what a target was given first, as a list of links in Markdown; empty where
// there are none but its own. The caller has the lock.
func (v *view) trail(t *target) string {
	if len(t.types) == 0 || t.types[0].made == nil {
		return ""
	}
	made := t.types[0].made
	var b strings.Builder
	seen := map[string]bool{}
	for axis := range made.Type.Shape {
		for _, r := range ops.Births(made, axis) {
			f := v.files.File(r.At.Start)
			if f == nil || f.Prelude || strings.HasPrefix(f.Name, "<") || len(seen) == maxTrail {
				continue
			}
			n, _ := f.LineCol(r.At.Start)
			line := fmt.Sprintf("- `%s` [%s:%d](%s#L%d)\n", strings.ReplaceAll(cut(r.Msg), "`", "'"), filepath.Base(f.Name), n, uriOf(v.abs(f)), n)
			if !seen[line] {
				seen[line] = true
				b.WriteString(line)
			}
		}
	}
	return b.String()
}
