package changes

import (
	"testing"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
)

// TestOfEdit compares checks of which the second has a warning more, one less, the same, and one that was an info before.
func TestOfEdit(t *testing.T) {
	const head = "import torch\n\n\ndef f(x: 'f32[4]'):\n"
	checked := func(body string, severity diag.Severity) *check.Project {
		s := &check.Session{FS: reads.NewMemory(map[string]string{"m.py": head + body})}
		p, err := trial.CheckFiles(t.Context(), s, []string{"m.py"}, check.Unwatched{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range p.Diagnostics {
			d.Severity = severity
		}
		return p
	}
	const fault, none = "    return x @ torch.zeros(5)  # shapecheck: check f x:f32[4]\n", "    return x  # shapecheck: check f x:f32[4]\n"
	for _, c := range []struct {
		name                 string
		old, now             *check.Project
		added, removed, kept int
	}{
		{"new", checked(none, diag.Error), checked(fault, diag.Warning), 1, 0, 0},
		{"gone", checked(fault, diag.Warning), checked(none, diag.Error), 0, 1, 0},
		{"kept", checked(fault, diag.Warning), checked(fault, diag.Warning), 0, 0, 1},
		{"an info before", checked(fault, diag.Info), checked(fault, diag.Warning), 1, 0, 0},
		{"an info now", checked(fault, diag.Warning), checked(fault, diag.Info), 0, 1, 0},
	} {
		e := OfEdit(c.old, c.now)
		if len(e.Added) != c.added || len(e.Removed) != c.removed || len(e.Kept) != c.kept {
			t.Errorf("%s: %d added, %d removed, %d kept", c.name, len(e.Added), len(e.Removed), len(e.Kept))
		}
	}
}
