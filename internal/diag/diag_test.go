package diag

import (
	"testing"

	"shapecheck/internal/source"
)

func TestSinkCountsTheSameFindingOfSeveralContexts(t *testing.T) {
	var s Sink
	at := source.Span{Start: 3, End: 5}
	for range 3 {
		s.Report(New(ShapeMismatch, at, "same"))
	}
	s.Report(New(ShapeMismatch, at, "other"))
	if s.Len() != 2 || s.All()[0].Count != 3 || s.All()[1].Count != 0 {
		t.Errorf("%d findings, counts %d and %d", s.Len(), s.All()[0].Count, s.All()[1].Count)
	}
	s.Truncate(1)
	s.Report(New(ShapeMismatch, at, "other"))
	if s.Len() != 2 {
		t.Error("a finding that was cut off is not reported again")
	}
}

func TestEveryCodeHasARow(t *testing.T) {
	seen := map[Code]bool{}
	for _, c := range Codes() {
		if seen[c.Code] || len(c.Code) != 5 || c.Title == "" {
			t.Errorf("row %q is a duplicate or incomplete", c.Code)
		}
		seen[c.Code] = true
		if c.Code.Info().Code != c.Code {
			t.Errorf("%s: the wrong row is found", c.Code)
		}
	}
}
