package check

// This file runs a program with a fix that was suggested for it.

import (
	"context"
	"path/filepath"

	"shapecheck/internal/diag"
)

// VerifyFix runs the entry of a result with one of its fixes, and the others, which the fix must not make worse. It returns the result,
// and false where the finding is still there, another is new, or the fix cannot be applied.
func (s *Session) VerifyFix(ctx context.Context, r *Result, others []*Target, f *diag.Fix) (*Result, bool) {
	alone := *s
	alone.More, alone.Ended = nil, nil
	x := alone.Fixer(true, []string{".", filepath.Dir(r.Target.Run.File)})
	after := x.attempt(ctx, r.Target, others, r, []*diag.Fix{f})
	if after == nil || after.OutputType == "" && r.OutputType != "" {
		return nil, false
	}
	return after, true
}
