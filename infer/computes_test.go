package infer

import (
	"testing"

	"shapecheck/infer/fill"
)

// TestLargeArraysAreComputedUpToALimit holds the account of elements: small arrays always have
// their contents, large ones until the run has computed its share, and they cost steps.
func TestLargeArraysAreComputedUpToALimit(t *testing.T) {
	for _, c := range []struct {
		name  string
		fill  fill.Filler
		limit int
	}{{"a run", nil, maxComputed}, {"a trial", noFiller{}, maxComputed / triedPart}} {
		in := newInterp(&Config{Fill: c.fill})
		const row = 2048
		for i := range c.limit / row {
			if !in.Computes(row) {
				t.Fatalf("%s: row %d is not computed, before the limit", c.name, i)
			}
		}
		if in.spent.extra != c.limit/elemsPerStep {
			t.Errorf("%s: %d steps were charged, want %d", c.name, in.spent.extra, c.limit/elemsPerStep)
		}
		if in.Computes(row) {
			t.Errorf("%s: a large array is computed beyond the limit", c.name)
		}
		if !in.Computes(smallElems) {
			t.Errorf("%s: a small array is not computed beyond the limit", c.name)
		}
	}
}

type noFiller struct{}

func (noFiller) Construct(fill.Constructor) ([]string, bool) { return nil, false }
func (noFiller) Inputs(_, _ []fill.Param, _ bool) []string   { return nil }
func (noFiller) Begin()                                      {}
func (noFiller) Optional([]fill.Param) []string              { return nil }
func (noFiller) Having([]string) (module, class string)      { return "", "" }
func (noFiller) Deriving(string) []string                    { return nil }
func (noFiller) Defining(string) []string                    { return nil }
