package lsp

// This file tells where the sizes of a tensor come from.

import (
	"fmt"
	"path/filepath"
	"strings"

	"shapecheck/infer/graph"
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
	var b strings.Builder
	for _, s := range v.steps(t, maxTrail) {
		fmt.Fprintf(&b, "- `%s` [%s:%d](%s#L%d)\n", strings.ReplaceAll(s.text, "`", "'"), filepath.Base(s.file.Name), s.line,
			uriOf(v.abs(s.file)), s.line)
	}
	return b.String()
}
