package aten_test

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/ops"
	"shapecheck/lower/aten"
)

// missing lists the operations without a record: a rule or a reason is due.
//
//go:embed testdata/missing.txt
var missing string

// TestEveryOperationHasARecord holds the table against that of the operations:
// those of torch that make tensors have a rule, or a reason why there is none.
func TestEveryOperationHasARecord(t *testing.T) {
	want := strings.Fields(missing)
	var got []string
	ops.All(func(op *ops.Op) {
		name := op.Names[0]
		if op.Pure || !strings.HasPrefix(name, "torch.") {
			return
		}
		r, ok := aten.Lookup(name)
		switch {
		case !ok:
			got = append(got, name)
		case (r.Lower == nil) == (r.None == ""):
			t.Errorf("%s needs a rule or a reason, and not both", name)
		}
	})
	slices.Sort(got)
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s has no record", name)
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s has a record: take it off testdata/missing.txt", name)
		}
	}
}
