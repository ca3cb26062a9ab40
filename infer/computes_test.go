package infer

import "testing"

// TestLargeArraysAreComputedUpToALimit holds the account of elements: small arrays always have
// their contents, large ones until the run has computed its share, and they cost steps.
func TestLargeArraysAreComputedUpToALimit(t *testing.T) {
	in := &Interp{}
	const row = 2048
	for i := range maxComputed / row {
		if !in.Computes(row) {
			t.Fatalf("row %d is not computed, before the limit", i)
		}
	}
	if in.spent.extra != maxComputed/elemsPerStep {
		t.Errorf("%d steps were charged, want %d", in.spent.extra, maxComputed/elemsPerStep)
	}
	if in.Computes(row) {
		t.Error("a large array is computed beyond the limit")
	}
	if !in.Computes(smallElems) {
		t.Error("a small array is not computed beyond the limit")
	}
}
