package diag

import (
	"strings"
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

func TestFindingsOfOnePlaceAreGrouped(t *testing.T) {
	at, other := source.Span{Start: 3, End: 5}, source.Span{Start: 8, End: 9}
	list := []*Diagnostic{
		New(ShapeMismatch, at, "1"), New(ShapeMismatch, other, "1"), New(ShapeMismatch, at, "2"), New(RankMismatch, at, "3"),
		New(ShapeMismatch, at, "4"), New(ShapeMismatch, at, "5"), New(ShapeMismatch, at, "6"),
	}
	list[2].Count = 2
	got := Group(list)
	if len(got) != 3 || got[0].Count != 6 || got[1] != list[1] || got[2] != list[3] {
		t.Fatalf("%+v", got)
	}
	if n := strings.Join(got[0].Others, "; "); n != "2; 4; 5; 6" {
		t.Error(n)
	}
	if list[0].Count != 0 || list[0].Others != nil {
		t.Error("the input was changed")
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
