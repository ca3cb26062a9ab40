package infer

// This file reports names that nothing in a file binds, without a run.

import (
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/resolve"
)

// UnboundNames are warnings of the names of a file that no scope, import or built-in binds, in the order of the text; see
// resolve.Info.Unbound. Runs report such names where they come to them: these are for code that none came to. There are none
// for a file with syntax errors.
func UnboundNames(file *source.File) []*diag.Diagnostic {
	tree, faults := parser.Parse(file)
	info, more := resolve.Resolve(tree)
	if len(faults)+len(more) > 0 {
		return nil
	}
	var out []*diag.Diagnostic
	for _, n := range info.Unbound(tree) {
		d := undefined(n.ID, n.Span())
		d.Severity = diag.Warning
		out = append(out, d)
	}
	return out
}
